"""The change of a period as a sum over its games, under the rules of all times."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.model import Event
from ratingbook.rules import registry
from ratingbook.rules.bulk import ESTABLISHED, NOT_GIVEN, day_number
from ratingbook.rules.fide.change import (
    OTHER_COEFFICIENTS,
    begins_another_event,
    event_coefficient,
    frozen_side,
    no_sides,
    period_sum,
    with_side,
)
from ratingbook.rules.fide.columns import CapRule, Parameters, Pool, Reckoning, Side, Standing
from ratingbook.rules.fide.events import facts_of
from ratingbook.rules.half import Half
from ratingbook.rules.units import SCORE_SCALE

STAGES = [
    stage.parameters
    for pool in Pool
    for edition in registry.series("fide").editions
    for stage in edition.with_parameters({"pool": pool.name}).stages()
]

RATINGS = st.sampled_from(
    [0, 1000, 1399, 1600, 1999, 2001, 2299, 2300, 2399, 2400, 2649, 2650, 2813]
)


def standing(
    rating: int, games: int = 100, *, top: bool = False, junior: bool = False, born: int = NOT_GIVEN
) -> Standing:
    return Standing(
        rating=rating,
        games=games,
        reached_top=top,
        reached_junior=junior,
        status=ESTABLISHED,
        birth_year=born,
        standard=0,
        listed_k=NOT_GIVEN,
    )


def side(
    player: Standing, own: int, opponent: int, score: int, event: int, start: int, p: Parameters
) -> Side:
    """A side as a report and a history freeze it."""
    nothing: list[Any] = [0] * len(Half._fields)
    half = Half(*nothing)._replace(score=score, event=event, start=start)
    return frozen_side(player, half, own, opponent, opponent > 0, facts_of(Event(), p), p)


def period_reckoning(player: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """What the sides of a rated player come to."""
    tally = no_sides(player, p)
    for each in sides:
        tally = with_side(tally, player, each, p)
    return period_sum(player, tally, p)


@st.composite
def parameters(draw: st.DrawFn) -> Parameters:
    p: Parameters = draw(st.sampled_from(STAGES))
    changes: dict[str, Any] = {
        "cap_rule": draw(st.sampled_from(CapRule)),
        "juniors": draw(st.booleans()),
    }
    return p._replace(**changes) if draw(st.booleans()) else p


STANDINGS = st.builds(
    standing,
    RATINGS.filter(bool),
    st.sampled_from([0, 5, 29, 30, 200]),
    top=st.booleans(),
    junior=st.booleans(),
    born=st.sampled_from([NOT_GIVEN, 1990, 1996, 2002, 2005]),
)


@st.composite
def sides_of(draw: st.DrawFn) -> tuple[Standing, list[Side]]:
    """Events of one period, each under the rules of one of two times."""
    player = draw(STANDINGS)
    times = (draw(parameters()), draw(parameters()))
    sides = []
    for event in range(draw(st.integers(0, 5))):
        own = draw(RATINGS.filter(bool))
        start = draw(st.sampled_from([NOT_GIVEN, day_number(date(2014, 5, 1)), 18_262]))
        p = draw(st.sampled_from(times))
        for _ in range(draw(st.integers(1, 6))):
            score = draw(st.integers(0, 2))
            sides.append(side(player, own, draw(RATINGS), score, event, start, p))
    return player, sides


@settings(max_examples=400, deadline=None)
@given(sides_of(), st.sampled_from([0, 60, 200, 700]), st.randoms(use_true_random=False))
def test_the_order_of_games_and_events_changes_nothing(drawn, k_games, chance):
    player, sides = drawn
    p = Parameters(k_games=k_games)
    before = period_reckoning(player, sides, p)
    events = [list(own) for _, own in groupby(sides, lambda side: side.event)]
    chance.shuffle(events)
    for own in events:
        chance.shuffle(own)
    assert period_reckoning(player, [side for own in events for side in own], p) == before


@settings(max_examples=400, deadline=None)
@given(sides_of(), st.sampled_from([0, 60, 700]))
def test_what_other_coefficients_have_is_left_alone_while_an_event_lasts(drawn, k_games):
    """A history does not look at these numbers then, and takes them for 0."""
    player, sides = drawn
    p = Parameters(k_games=k_games)
    tally, nothing = no_sides(player, p), dict.fromkeys(OTHER_COEFFICIENTS, 0)
    for each in sides:
        without, then = tally._replace(**nothing), with_side(tally, player, each, p)
        if not begins_another_event(without, each, p):
            kept = {name: getattr(tally, name) for name in OTHER_COEFFICIENTS}
            assert with_side(without, player, each, p)._replace(**kept) == then
        tally = then


@settings(max_examples=400, deadline=None)
@given(sides_of(), st.sampled_from([60, 200, 700]))
def test_k_times_games_stays_within_its_bound(drawn, k_games):
    """Paragraph 2f, event by event: a K that is too much for all games of the period is less."""
    player, sides = drawn
    usual = period_reckoning(player, sides, Parameters(k_games=0))
    limited = period_reckoning(player, sides, Parameters(k_games=k_games))
    assert (limited.games, limited.expected) == (usual.games, usual.expected)
    total = 0
    for _, group in groupby(sides, lambda side: side.event):
        own = list(group)
        of_event = period_reckoning(player, own, Parameters(k_games=0))
        k = event_coefficient(player, own[0], Parameters())
        if k * usual.games > k_games:
            k = k_games // usual.games
        total += k * (of_event.score * SCORE_SCALE // 2 - of_event.expected)
    assert limited.total == total


def test_there_are_stages_of_all_forms():
    assert {p.cap_rule for p in STAGES} == {CapRule.EVERY_GAME, CapRule.ONE_UPGRADE}
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
@pytest.mark.parametrize("rule", [CapRule.ONE_GAME, CapRule.ONE_UPGRADE])
def test_one_game_of_an_event_is_capped(differences, total, rule):
    p = Parameters(cap_rule=rule, k_new=1, k_rated=1)
    player = standing(2300)
    sides = [side(player, 2300, 2300 - d, 2, 0, 2022, p) for d in differences]
    assert period_reckoning(player, sides, p).total == total * 10**8


@pytest.mark.parametrize(("own", "counts"), [(2599, 1), (2600, 1), (2601, 0)])
def test_a_player_above_2600_is_not_rated_against_600_points_less(own, counts):
    """8b of December 2024: not from 2600 on, but above it."""
    p = next(p for p in STAGES if p.unrated_difference)
    for less, games in ((599, 1), (600, counts)):
        player = standing(own)
        other = side(player, own, own - less, 2, 0, 2025, p)
        assert period_reckoning(player, [other], p).games == games


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        # A loss against 500 and 600 more costs .08 with the rule, .04 and .02 without it.
        (CapRule.ONE_UPGRADE, 8 + 8),
        (CapRule.EVERY_GAME, 8 + 8),
        (CapRule.ONE_GAME, 4 + 8),
    ],
)
def test_the_lower_rated_player_has_no_upgrade(rule, expected):
    p = Parameters(cap_rule=rule, k_new=1, k_rated=1)
    player = standing(1900)
    sides = [side(player, 1900, 1900 + d, 0, 0, 2022, p) for d in (500, 600)]
    assert period_reckoning(player, sides, p).expected == expected * 10**8


@pytest.mark.parametrize(
    ("rating", "games", "junior", "top", "k"),
    [
        # Born in 2005: a junior until the end of 2023.
        (2250, 100, False, False, 40),
        (2250, 100, True, False, 20),
        (2310, 100, False, False, 20),
        (2250, 29, True, False, 40),
        (2250, 100, False, True, 10),
        (2410, 5, False, False, 10),
    ],
)
def test_k_of_juniors(rating, games, junior, top, k):
    """As long as the rating remains under 2300: who has once reached it does not get 40 again."""
    p = registry.load("fide-2014").parameters
    player = standing(rating, games, top=top, junior=junior, born=2005)
    day = day_number(date(2020, 3, 1))
    assert event_coefficient(player, side(player, rating, 2000, 1, 0, day, p), p) == k
