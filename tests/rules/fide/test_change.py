"""The change of a period, game by game and as a sum: the same, under the rules of all times."""

from __future__ import annotations

from datetime import date
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.rules import registry
from ratingbook.rules.bulk import NOT_GIVEN, day_number
from ratingbook.rules.fide.change import (
    no_sides,
    period_reckoning,
    reckoning_of,
    with_game,
)
from ratingbook.rules.fide.columns import CapRule, Parameters, Pool, Side, Standing

STAGES = [
    stage.parameters
    for pool in Pool
    for edition in registry.load("fide").editions
    for stage in edition.with_parameters({"pool": pool.name}).stages()
]

RATINGS = st.sampled_from(
    [0, 1000, 1399, 1600, 1999, 2001, 2299, 2300, 2399, 2400, 2649, 2650, 2813]
)


@st.composite
def parameters(draw: st.DrawFn) -> Parameters:
    p: Parameters = draw(st.sampled_from(STAGES))
    changes: dict[str, Any] = {
        "cap_rule": draw(st.sampled_from(CapRule)),
        "k_games": draw(st.sampled_from([0, 60, 200, 700])),
        "juniors": draw(st.booleans()),
    }
    return p._replace(**changes) if draw(st.booleans()) else p


@st.composite
def sides_of(draw: st.DrawFn) -> list[Side]:
    sides = []
    for event in range(draw(st.integers(0, 4))):
        own = draw(RATINGS.filter(bool))
        start = draw(st.sampled_from([NOT_GIVEN, day_number(date(2014, 5, 1)), 18_262]))
        for _ in range(draw(st.integers(1, 6))):
            opponent = draw(RATINGS)
            side = Side(own, opponent, draw(st.integers(0, 2)), event, 0, opponent > 0, start, 0, 0)
            sides.append(side)
    return sides


STANDINGS = st.builds(
    Standing,
    RATINGS.filter(bool),
    st.sampled_from([0, 5, 29, 30, 200]),
    st.booleans(),
    st.just(True),
    st.sampled_from([NOT_GIVEN, 1990, 1996, 2002, 2005]),
    st.just(0),
)


@settings(max_examples=600, deadline=None)
@given(STANDINGS, sides_of(), parameters())
def test_the_sum_is_what_the_games_come_to(standing, sides, p):
    tally = no_sides(standing, p)
    for side in sides:
        tally = with_game(tally, standing, side, p)
    assert reckoning_of(standing, tally, p) == period_reckoning(standing, sides, p)


@settings(max_examples=300, deadline=None)
@given(STANDINGS, sides_of(), parameters(), st.randoms(use_true_random=False))
def test_the_order_of_games_and_events_changes_nothing(standing, sides, p, chance):
    events = [list(own) for _, own in groupby(sides, lambda side: side.event)]
    before = period_reckoning(standing, sides, p)
    # K knows the events before: what has reached 2400 stays so.
    if not any(side.own >= p.top_rating for side in sides):
        chance.shuffle(events)
    for own in events:
        chance.shuffle(own)
    after = period_reckoning(standing, [side for own in events for side in own], p)
    assert after == before


def test_there_are_stages_of_all_forms():
    assert {p.cap_rule for p in STAGES} == set(CapRule)
    assert {p.uncapped_rating for p in STAGES} == {0, 2650}
    assert {p.unrated_difference for p in STAGES} == {0, 600}
    assert {p.k_everybody for p in STAGES} == {0, 20}


@pytest.mark.parametrize(
    ("differences", "total"),
    [
        # By table 8.1.2: 600 → .98, 500 → .96, 400 → .92, 420 → .93.
        ((600, 500), (100 - 92) + (100 - 96)),
        ((600, 600), (100 - 92) + (100 - 98)),
        ((420,), 100 - 92),
        ((400, 600), (100 - 92) + (100 - 92)),
    ],
)
def test_one_game_of_an_event_is_capped(differences, total):
    p = Parameters(cap_rule=CapRule.ONE_GAME, k_new=1, k_rated=1)
    sides = [Side(2300, 2300 - d, 2, 0, 0, True, 2022, 0, 0) for d in differences]
    found = period_reckoning(Standing(2300, 100, False, True, NOT_GIVEN, 0), sides, p)
    assert found.total == total * 10**8
