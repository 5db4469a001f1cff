"""What the EGF rules promise of any event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ratingbook.engine.rate import Rating
from ratingbook.rules.book import Row
from ratingbook.rules.egf import egf_1998, egf_2013, egf_2021
from ratingbook.rules.egf.change import (
    bonus_of,
    con_of,
    no_sides,
    reckoning_of,
    smooth_con,
    with_side,
)
from ratingbook.rules.egf.columns import (
    AboveTable,
    EpsilonSplit,
    EventTally,
    Parameters,
    Reckoning,
    Side,
    Standing,
)
from ratingbook.rules.egf.event import between_events
from ratingbook.rules.egf.expected import con, curve_of, expected_score
from ratingbook.rules.egf.grades import NO_GRADE
from ratingbook.rules.units import FIXED_SCALE

RateEgf = Callable[..., Rating]
Json = dict[str, Any]

QUICK = settings(max_examples=60, deadline=None)
BOOKS = {"egf-1998": egf_1998, "egf-2013": egf_2013, "egf-2021": egf_2021}
EDITIONS = st.sampled_from(sorted(BOOKS))

RATINGS = st.integers(1000, 29000).map(lambda tenths: tenths / 10)
STONES = st.integers(0, 9)
RESULTS = st.sampled_from(["1-0", "0-1", "1/2-1/2"])
CLASSES = st.sampled_from(["A", "B", "C", "D"])

ROUNDED = 2.0**-39
"""Each term of a sum is rounded once, to 2⁻⁴⁰."""

BARE = {"epsilon": "0", "loss_cap": "0", "floor": "-900"}


def side(
    own: float,
    opponent: float,
    score: int = 0,
    own_stones: int = 0,
    opponent_stones: int = 0,
    p: Parameters = BOOKS["egf-1998"].parameters,
) -> Side:
    return Side(
        own=own,
        opponent=opponent,
        own_stones=own_stones,
        opponent_stones=opponent_stones,
        score=score,
        weight=1.0,
        other=1,
        game=0,
        con=con_of(own, p),
        bonus=bonus_of(own, p),
        own_curve=curve_of(own, p),
        opponent_curve=curve_of(opponent, p),
    )


def worth(stones: int) -> float:
    """H stones in grades: H − .5."""
    return stones - 0.5 if stones else 0.0


def reckoned(standing: Standing, sides: list[Side], p: Parameters) -> Reckoning:
    tally = no_sides(standing, p)
    for one in sides:
        tally = with_side(tally, standing, one, p)
    return reckoning_of(standing, tally, p)


def rows_of(rating: Rating) -> dict[str, Row]:
    assert not rating.findings.refused, list(rating.findings)
    return {rated.row.id: rated.row for rated in rating.rows}


@st.composite
def events(draw: st.DrawFn) -> tuple[list[Json], list[Json]]:
    """Rated players, newcomers and players who enter higher; even and handicap games."""
    players: list[Json] = []
    for index in range(draw(st.integers(2, 6))):
        entry: Json = {"id": f"p{index}"}
        grade = draw(st.sampled_from([None, "20k", "9k", "1k", "1d", "5d", "3p"]))
        if grade:
            entry["grade"] = grade
        if not grade or draw(st.booleans()):
            entry["standing"] = {"rating": draw(RATINGS), "games": draw(st.integers(0, 99))}
            if draw(st.booleans()):
                entry["standing"]["highest_grade"] = draw(st.sampled_from(["15k", "2k", "4d"]))
        players.append(entry)
    ids = [entry["id"] for entry in players]
    games: list[Json] = []
    for number in range(1, draw(st.integers(1, 9)) + 1):
        white, black = draw(st.permutations(ids))[:2]
        games.append(
            {
                "round": number,
                "white": white,
                "black": black,
                "result": draw(RESULTS),
                "handicap": draw(STONES),
            }
        )
    return players, games


# The sides of a game.


@given(own=RATINGS, opponent=RATINGS, stones=STONES, split=st.sampled_from(EpsilonSplit))
def test_expected_scores_of_a_game(
    own: float, opponent: float, stones: int, split: EpsilonSplit
) -> None:
    """SE(A) + SE(B) = 1 − ε; with `stronger`, equals lose nothing."""
    p = egf_1998.parameters._replace(epsilon_split=split)
    black = side(own, opponent, own_stones=stones)
    white = side(opponent, own, opponent_stones=stones)
    total = expected_score(black, p) + expected_score(white, p)
    equals = own + 100 * worth(stones) == opponent
    lost = 0.0 if equals and split is EpsilonSplit.STRONGER else p.epsilon
    assert total == pytest.approx(1 - lost, abs=1e-12)


@given(own=RATINGS, opponent=RATINGS, stones=STONES)
def test_who_loses_epsilon(own: float, opponent: float, stones: int) -> None:
    """All of it off the side that is stronger after handicap, or half off each."""
    black = side(own, opponent, own_stones=stones)
    bare = expected_score(black, egf_1998.parameters._replace(epsilon=0.0))
    handicapped = own + 100 * worth(stones)
    stronger = expected_score(black, egf_1998.parameters)
    assert bare - stronger == pytest.approx(0.014 if handicapped > opponent else 0, abs=1e-12)
    half = expected_score(
        black, egf_2013.parameters._replace(above_table=AboveTable.EXTRAPOLATE, epsilon=0.014)
    )
    assert bare - half == pytest.approx(0.007, abs=1e-12)


@given(own=RATINGS, opponent=RATINGS, stones=STONES)
def test_expected_scores_of_2021_add_to_one(own: float, opponent: float, stones: int) -> None:
    p = egf_2021.parameters
    black = side(own, opponent, own_stones=stones, p=p)
    white = side(opponent, own, opponent_stones=stones, p=p)
    assert expected_score(black, p) + expected_score(white, p) == pytest.approx(1, abs=1e-12)


@given(own=RATINGS, opponent=RATINGS, stones=st.integers(0, 8), edition=EDITIONS)
def test_another_stone_never_hurts_its_recipient(
    own: float, opponent: float, stones: int, edition: str
) -> None:
    p: Parameters = BOOKS[edition].parameters
    fewer_and_more = (stones, stones + 1)
    received = [expected_score(side(own, opponent, own_stones=s, p=p), p) for s in fewer_and_more]
    given_away = [
        expected_score(side(opponent, own, opponent_stones=s, p=p), p) for s in fewer_and_more
    ]
    assert received[0] <= received[1] + 1e-12
    assert given_away[0] >= given_away[1] - 1e-12


@given(own=RATINGS, opponent=RATINGS, by=st.integers(1, 5000), edition=EDITIONS)
def test_a_stronger_opponent_is_never_easier(
    own: float, opponent: float, by: int, edition: str
) -> None:
    """But for ε: `stronger` takes it away at once where the opponent draws level."""
    p: Parameters = BOOKS[edition].parameters
    higher = min(2900.0, opponent + by / 10)
    before = expected_score(side(own, opponent, p=p), p)
    after = expected_score(side(own, higher, p=p), p)
    slack = p.epsilon if p.epsilon_split is EpsilonSplit.STRONGER else 0.0
    assert after <= before + slack + 1e-12


@given(rating=RATINGS, by=st.integers(1, 5000), edition=EDITIONS)
def test_con_falls_with_the_rating(rating: float, by: int, edition: str) -> None:
    p: Parameters = BOOKS[edition].parameters
    higher = rating + by / 10
    if edition == "egf-2021":
        assert smooth_con(higher) <= smooth_con(rating)
    else:
        assert con(higher, p) <= con(rating, p) + 1e-12
        # No jump: never more than 6 points of con in 100 of rating.
        assert con(rating, p) - con(higher, p) <= 0.06 * (higher - rating) + 1e-9


# Whole events.


@QUICK
@given(event=events(), class_=CLASSES)
def test_changes_over_con_add_to_zero(
    event: tuple[list[Json], list[Json]], class_: str, rate_egf: RateEgf
) -> None:
    """Without ε, weights and caps a game takes from one what it gives the other, over con."""
    players, games = event
    # A newcomer's start is the grade's, and so that nobody is reset, 1998's means are used.
    rating = rate_egf("egf-1998", players, games, BARE, **{"class": class_})
    starts = {"20k": 100, "9k": 1200, "1k": 2000, "1d": 2100, "5d": 2500, "3p": 2760}
    p = egf_1998.parameters
    total = 0.0
    for entry, row in zip(players, rows_of(rating).values(), strict=True):
        if not row.games:
            continue
        start = entry["standing"]["rating"] if "standing" in entry else starts[entry["grade"]]
        assert row.exact is not None
        total += (row.exact - start) / con(start, p)
    assert total == pytest.approx(0, abs=1e-9)


@QUICK
@given(event=events(), class_=CLASSES, edition=EDITIONS)
def test_expected_scores_add_to_the_games(
    event: tuple[list[Json], list[Json]], class_: str, edition: str, rate_egf: RateEgf
) -> None:
    players, games = event
    rows = rows_of(rate_egf(edition, players, games, {"epsilon": "0"}, **{"class": class_}))
    expected = sum(row.expected or 0 for row in rows.values())
    assert expected == pytest.approx(len(games), abs=1e-9)
    assert sum(row.score for row in rows.values()) == len(games)
    assert sum(row.games for row in rows.values()) == 2 * len(games)


@QUICK
@given(event=events(), class_=CLASSES, edition=EDITIONS, random=st.randoms(use_true_random=False))
def test_the_order_of_players_and_games_does_not_matter(
    event: tuple[list[Json], list[Json]],
    class_: str,
    edition: str,
    random: Any,
    rate_egf: RateEgf,
) -> None:
    players, games = event
    before = rows_of(rate_egf(edition, players, games, **{"class": class_}))
    after = rows_of(
        rate_egf(
            edition,
            random.sample(players, len(players)),
            random.sample(games, len(games)),
            **{"class": class_},
        )
    )
    assert before == {player: after[player] for player in before}


@QUICK
@given(
    event=events(),
    class_=CLASSES,
    edition=EDITIONS,
    index=st.integers(0, 8),
    steps=st.integers(1, 2),
)
def test_a_better_result_never_lowers_the_rating(
    event: tuple[list[Json], list[Json]],
    class_: str,
    edition: str,
    index: int,
    steps: int,
    rate_egf: RateEgf,
) -> None:
    players, games = event
    order = ["0-1", "1/2-1/2", "1-0"]
    not_won = [number for number, game in enumerate(games) if game["result"] != "1-0"]
    assume(not_won)
    index = not_won[index % len(not_won)]
    better = order[min(order.index(games[index]["result"]) + steps, 2)]
    improved = [*games[:index], games[index] | {"result": better}, *games[index + 1 :]]
    before = rows_of(rate_egf(edition, players, games, **{"class": class_}))
    after = rows_of(rate_egf(edition, players, improved, **{"class": class_}))
    white, black = games[index]["white"], games[index]["black"]
    assert (after[white].exact or 0) >= (before[white].exact or 0)
    assert (after[black].exact or 0) <= (before[black].exact or 0)
    for other in before.keys() - {white, black}:
        assert after[other] == before[other]


@QUICK
@given(event=events(), class_=CLASSES, edition=EDITIONS)
def test_floor_and_loss_cap_hold(
    event: tuple[list[Json], list[Json]], class_: str, edition: str, rate_egf: RateEgf
) -> None:
    players, games = event
    p: Parameters = BOOKS[edition].parameters
    weight = dict(zip("ABCD", (1, 0.75, 0.5, 0.25), strict=True))[class_]
    for row in rows_of(rate_egf(edition, players, games, **{"class": class_})).values():
        if row.exact is None:
            continue
        assert row.exact >= p.floor
        if p.loss_cap and row.before is not None:
            # A reset only lifts the rating from which the loss counts.
            assert row.exact >= row.before - p.loss_cap * weight - ROUNDED


@given(
    rating=RATINGS,
    played=st.lists(st.tuples(RATINGS, st.integers(0, 2)), min_size=1, max_size=12),
    edition=EDITIONS,
)
def test_all_games_are_played_at_the_rating_of_the_start(
    rating: float, played: list[tuple[float, int]], edition: str
) -> None:
    """An event is the sum of its games, each alone: nothing is carried from one to the next."""
    p: Parameters = BOOKS[edition].parameters._replace(loss_cap=0.0, floor=-(10.0**5))
    standing = between_events(rating, 30, 0, 0)
    sides = [side(rating, opponent, score, p=p) for opponent, score in played]
    together = reckoned(standing, sides, p)
    alone = [reckoned(standing, [one], p) for one in sides]
    assert together.total == sum(each.total for each in alone)
    assert together.expected == sum(each.expected for each in alone)
    assert together.value - rating == pytest.approx(
        sum(each.value - rating for each in alone), abs=1e-8
    )


@pytest.mark.parametrize("cap", [0.5, 2.0**-11])
def test_the_smallest_cap_is_one(cap: float) -> None:
    """0 is no cap; anything above it is the most that an event may cost."""
    p = egf_2021.parameters._replace(loss_cap=cap)
    strong = Standing(2000.0, 20, NO_GRADE, NO_GRADE, 0.0, 0.0, 0.0)
    lost = EventTally(-2 * FIXED_SCALE, 1, 0, FIXED_SCALE // 2, 1.0)
    assert reckoning_of(strong, lost, p).value == 2000.0 - cap
    assert reckoning_of(strong, lost, p._replace(loss_cap=0.0)).value == 2000.0 - 2
