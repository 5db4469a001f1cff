"""What the ICCF rules promise of any report, and what each reading's alternatives do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.engine.rate import Rating
from ratingbook.rules.book import Row
from ratingbook.rules.iccf.change import (
    development_coefficient,
    expectation,
    factor_g,
    factor_r,
)
from ratingbook.rules.iccf.columns import (
    K_SCALE,
    Limit,
    Parameters,
    PMode,
    Reckoning,
    Rule,
    Standing,
    Tally,
)
from ratingbook.rules.iccf.performance import (
    correction,
    percentage_score,
    performance_in,
    with_game,
)
from ratingbook.rules.iccf.period import reckoned, resumed, with_side
from ratingbook.rules.iccf.tables import difference_for
from ratingbook.rules.usual import Side

RateIccf = Callable[..., Rating]
Json = dict[str, Any]

P = Parameters()
QUICK = settings(max_examples=60, deadline=None)

RATINGS = st.integers(1000, 2800)
SCORES = st.integers(0, 2)
RESULTS = st.sampled_from(["1-0", "0-1", "1/2-1/2"])


def side(opponent: int, score: int, own: int = 1900) -> Side:
    return Side(own, opponent, score, other=-1, game=0)


def standing(rating: int, games: int) -> Standing:
    return Standing(rating, games, score=0, total=0, own=0, in_force=True)


def reckon(before: Standing, old: Sequence[Side], new: Sequence[Side]) -> tuple[int, Reckoning]:
    """The item that rates a period, and what it comes to."""
    tally = resumed(before, [each._replace(game=-1) for each in old], len(new), P)
    for each in new:
        tally = with_side(tally, before, each, P)
    return tally.rule, reckoned(before, tally, P)


def exact(value: Reckoning) -> Fraction:
    return Fraction(value.numerator, value.denominator)


def performed(sides: Sequence[Side], parameters: Parameters = P) -> Fraction:
    sums = Tally()
    for each in sides:
        sums = with_game(sums, each, parameters)
    ratio = performance_in(sums, parameters)
    return Fraction(ratio.numerator, ratio.denominator)


def series(score: int, games: int, opponent: int = 1900) -> list[Side]:
    """So many half points from so many games against one opponent, at 1900."""
    wins, draws = divmod(score, 2)
    scores = [2] * wins + [1] * draws
    return [side(opponent, s) for s in scores + [0] * (games - len(scores))]


def rows_of(rating: Rating) -> dict[str, Row]:
    assert not rating.findings.refused, list(rating.findings)
    return {rated.row.id: rated.row for rated in rating.rows}


# The sides of a game.


@given(RATINGS, RATINGS)
def test_expectations_of_a_game_add_to_one(own: int, opponent: int) -> None:
    assert expectation(own, opponent, P) + expectation(opponent, own, P) == 100
    assert 11 <= expectation(own, opponent, P) <= 89


@QUICK
@given(
    start=st.tuples(RATINGS, RATINGS),
    old=st.tuples(RATINGS, RATINGS),
    results=st.lists(RESULTS, min_size=1, max_size=6),
)
def test_changes_of_w_add_to_zero(
    start: tuple[int, int], old: tuple[int, int], results: list[str], rate_iccf: RateIccf
) -> None:
    players = [
        {"id": name, "standing": {"rating": rating, "games": 100}}
        for name, rating in zip("ab", old, strict=True)
    ]
    games = [
        {
            "white": "a",
            "black": "b",
            "result": result,
            "white_rating": start[0],
            "black_rating": start[1],
        }
        for result in results
    ]
    deltas = []
    for row in rows_of(rate_iccf(players, games)).values():
        assert row.expected is not None
        deltas.append(round(100 * (row.score - row.expected)))
    assert sum(deltas) == 0


@given(RATINGS, st.integers(30, 300), st.lists(st.tuples(RATINGS, RATINGS, SCORES), max_size=32))
def test_no_game_changes_more_than_22_25(
    rating: int, games: int, played: list[tuple[int, int, int]]
) -> None:
    sides = [side(opponent, score, own) for own, opponent, score in played]
    rule, value = reckon(standing(rating, games), [], sides)
    assert rule == (Rule.ITEM_16 if sides else Rule.OPEN)
    assert abs(exact(value) - rating) <= Fraction("22.25") * len(sides)


def test_22_25_is_reached() -> None:
    _, value = reckon(standing(1500, 30), [], [side(1850, 2, own=1500)])
    assert exact(value) == 1500 + Fraction("22.25")


@given(st.integers(1, 4000), st.integers(30, 1000))
def test_k_lies_between_10_and_25(rating: int, games: int) -> None:
    k = Fraction(development_coefficient(factor_r(rating), factor_g(games)), K_SCALE)
    assert 10 <= k <= 25
    # Never more for a higher rating or for more games, and no jump (reading A7).
    higher = Fraction(development_coefficient(factor_r(rating + 1), factor_g(games)), K_SCALE)
    longer = Fraction(development_coefficient(factor_r(rating), factor_g(games + 1)), K_SCALE)
    assert 0 <= k - higher <= Fraction(25, 10) / 80
    assert 0 <= k - longer <= Fraction(1, 10)


# Orders.

HALVES = {0: 0.0, 1: 0.5, 2: 1.0}


@st.composite
def documents(draw: st.DrawFn) -> tuple[list[Json], list[Json]]:
    """New, growing and fixed players, substitutes among them."""
    players: list[Json] = []
    for index in range(draw(st.integers(3, 6))):
        entry: Json = {"id": f"p{index}"}
        games = draw(st.sampled_from([None, 1, 5, 29, 30, 31, 79, 200]))
        if games is not None:
            entry["standing"] = {"rating": draw(RATINGS), "games": games}
        if games is not None and games < 30:
            entry["history"] = [
                {"own": draw(RATINGS), "opponent": draw(RATINGS), "score": HALVES[draw(SCORES)]}
                for _ in range(games)
            ]
        players.append(entry)
    ids = [entry["id"] for entry in players]
    games_played: list[Json] = []
    for _ in range(draw(st.integers(1, 8))):
        white, black, other = draw(st.permutations(ids))[:3]
        game: Json = {"white": white, "black": black, "result": draw(RESULTS)}
        if draw(st.booleans()):
            game["white_for"] = other
        if draw(st.booleans()):
            game["black_rating"] = draw(RATINGS)
        games_played.append(game)
    return players, games_played


@QUICK
@given(document=documents(), random=st.randoms(use_true_random=False))
def test_the_order_of_players_and_games_does_not_matter(
    document: tuple[list[Json], list[Json]], random: Any, rate_iccf: RateIccf
) -> None:
    players, games = document
    before = rows_of(rate_iccf(players, games, category="master_class"))
    shuffled = [
        {**player, "history": random.sample(player["history"], len(player["history"]))}
        if "history" in player
        else player
        for player in random.sample(players, len(players))
    ]
    after = rows_of(rate_iccf(shuffled, random.sample(games, len(games)), category="master_class"))
    for player, row in before.items():
        again = after[player]
        assert (row.after, row.exact, row.games, row.score, row.expected, row.status) == (
            again.after, again.exact, again.games, again.score, again.expected, again.status,
        )  # fmt: skip


@QUICK
@given(document=documents())
def test_each_side_of_a_game_counts_once(
    document: tuple[list[Json], list[Json]], rate_iccf: RateIccf
) -> None:
    players, games = document
    rows = rows_of(rate_iccf(players, games, category="master_class")).values()
    assert sum(row.games for row in rows) == 2 * len(games)
    assert sum(row.score for row in rows) == len(games)


# Reading A1: a percentage score that is no whole percent.


@given(st.sampled_from([1, 2, 4, 5, 10, 20, 25]), st.data())
def test_p_modes_agree_on_whole_percents(games: int, data: st.DataObject) -> None:
    score = data.draw(st.integers(0, 2 * games).filter(lambda s: 50 * s % games == 0))
    sides = series(score, games)
    results = {performed(sides, Parameters(p_mode=mode)) for mode in PMode}
    assert len(results) == 1
    percent = 50 * score // games
    factor = correction(percent)
    assert results == {
        1900 + Fraction(difference_for(percent) * factor.numerator, factor.denominator)
    }


@given(st.integers(1, 60), st.data())
def test_ties_to_even_keep_the_mirror(games: int, data: st.DataObject) -> None:
    score = data.draw(st.integers(0, 2 * games))
    mirrored = 2 * games - score
    assert percentage_score(score, games, P) + percentage_score(mirrored, games, P) == 100
    assert performed(series(score, games)) - 1900 == 1900 - performed(series(mirrored, games))


def test_half_up_breaks_the_mirror() -> None:
    up = Parameters(p_mode=PMode.PERCENT_HALF_UP)
    # 1/8 → .13: −322 · .7262 = −233.8364; to even → .12: −336 · .7112 = −238.9632.
    assert performed(series(2, 8), up) == 1900 - Fraction("233.8364")
    assert performed(series(2, 8)) == 1900 - Fraction("238.9632")
    # 7/8 → .88 in both.
    assert performed(series(14, 8), up) == performed(series(14, 8)) == 1900 + Fraction("238.9632")


@pytest.mark.parametrize(
    ("mode", "after", "exact_value"),
    [
        # p = .67: 125 · .9422 = 117.775.
        ("percent", 2018, 2017.775),
        ("percent_half_up", 2018, 2017.775),
        # 125 · .94444 = 118.0556.
        ("exact_f", 2018, 2018.055556),
        # (117 + ⅔ · 8) · .94444 = 115.5370.
        ("interpolate", 2016, 2015.537037),
    ],
)
def test_two_of_three(mode: str, after: int, exact_value: float, rate_iccf: RateIccf) -> None:
    players = [{"id": "n"}, {"id": "a", "standing": {"rating": 1900, "games": 100}}]
    results = ["1-0", "1-0", "0-1"]
    games = [{"white": "n", "black": "a", "result": result} for result in results]
    row = rows_of(rate_iccf(players, games, {"p_mode": mode}, category="ladies_olympiad"))["n"]
    assert row.after == after
    assert row.exact == pytest.approx(exact_value, abs=5e-7, rel=0)


def test_exact_f_is_not_monotone() -> None:
    mixed = Parameters(p_mode=PMode.EXACT_F)
    assert float(performed(series(50, 27), mixed)) == pytest.approx(1900 + 268.9, abs=0.05)
    assert float(performed(series(51, 27), mixed)) == pytest.approx(1900 + 268.6, abs=0.05)
    # .93: 422 · .6302; .94: 444 · .6128.
    assert performed(series(50, 27)) == 1900 + Fraction("265.9444")
    assert performed(series(51, 27)) == 1900 + Fraction("272.0832")


def test_percent_is_monotone_below_34_games() -> None:
    for games in range(1, 34):
        values = [performed(series(score, games)) for score in range(2 * games + 1)]
        assert values == sorted(values), games


@pytest.mark.parametrize(
    ("mode", "most"),
    [(PMode.PERCENT_HALF_UP, 17.0), (PMode.EXACT_F, 5.6), (PMode.INTERPOLATE, 17.0)],
)
def test_how_far_the_modes_differ_below_34_games(mode: PMode, most: float) -> None:
    other = Parameters(p_mode=mode)
    differences = [
        abs(performed(series(score, games)) - performed(series(score, games), other))
        for games in range(1, 34)
        for score in range(2 * games + 1)
    ]
    # The readings' table prints one decimal, and "up to 17" for all.
    assert 0 < max(differences) <= most + 0.5
    if mode is PMode.EXACT_F:
        assert round(float(max(differences)), 1) == most


# Reading A2: what the 350 points of item 5 limit.


def test_what_350_limits() -> None:
    one_gap = [side(1336, 2, own=1800), side(1800, 1, own=1800)]

    def average(sides: Sequence[Side], limit: Limit) -> Fraction:
        # p = .75: 193 · .875 = 168.875.
        return performed(sides, Parameters(limit=limit)) - Fraction("168.875")

    assert average(one_gap, Limit.EACH_OPPONENT) == 1625
    # (1336 + 1800) / 2 lies within 350 of 1800: the gap of 464 goes through.
    assert average(one_gap, Limit.AVERAGE) == average(one_gap, Limit.NONE) == 1568
    low = [side(1200, 2, own=1800), side(1300, 1, own=1800)]
    assert average(low, Limit.EACH_OPPONENT) == average(low, Limit.AVERAGE) == 1450
    assert average(low, Limit.NONE) == 1250


@given(RATINGS, RATINGS, st.sampled_from(list(PMode)))
def test_one_win_is_the_limited_opponent_plus_338_5(own: int, opponent: int, mode: PMode) -> None:
    limited = min(own + 350, max(own - 350, opponent))
    result = performed([side(opponent, 2, own=own)], Parameters(p_mode=mode))
    assert result == limited + Fraction("338.5")


@given(st.lists(st.tuples(RATINGS, RATINGS, SCORES), min_size=1, max_size=40))
def test_a_first_rating_stays_near_the_opponents(played: list[tuple[int, int, int]]) -> None:
    sides = [side(opponent, score, own) for own, opponent, score in played]
    counted = [min(own + 350, max(own - 350, opponent)) for own, opponent, _ in played]
    distance = abs(performed(sides) - Fraction(sum(counted), len(counted)))
    # The most that D · F comes to, at 99 %.
    assert distance <= Fraction("351.9046")


# Readings A3, A4, A8, A12, A14 and the numbers that are parameters.


def fixed_game(
    rate_iccf: RateIccf,
    games_before: int,
    rating: int,
    opponent: int,
    results: Sequence[str],
    values: dict[str, str],
    **more: object,
) -> Row:
    players = [
        {"id": "a", "standing": {"rating": rating, "games": games_before}},
        {"id": "b", "standing": {"rating": opponent, "games": 100}},
    ]
    games = [{"white": "a", "black": "b", "result": result, **more} for result in results]
    return rows_of(rate_iccf(players, games, values))["a"]


DRAW = "1/2-1/2"


@pytest.mark.parametrize(
    ("opponent", "exact_value", "half_up", "half_even"),
    [(2485, 2450.5, 2451, 2450), (2415, 2449.5, 2450, 2450)],
)
def test_ties(
    opponent: int, exact_value: float, half_up: int, half_even: int, rate_iccf: RateIccf
) -> None:
    for tie, after in (("half_up", half_up), ("half_even", half_even)):
        row = fixed_game(rate_iccf, 120, 2450, opponent, [DRAW], {"tie": tie})
        assert (row.exact, row.after) == (exact_value, after)


def test_own_rating(rate_iccf: RateIccf) -> None:
    def after(own_rating: str) -> float | None:
        row = fixed_game(
            rate_iccf, 60, 2100, 2050, ["1-0"], {"own_rating": own_rating}, white_rating=1950
        )
        return row.exact

    # k = 17.5 · 1.1 = 19.25.  1950 against 2050: .36; 2100 against 2050: .57.
    assert after("at_game_start") == 2112.32
    assert after("r0") == 2108.2775


def test_brake(rate_iccf: RateIccf) -> None:
    def after(brake: str, games: int) -> float | None:
        return fixed_game(rate_iccf, 30, 1900, 2000, [DRAW] * games, {"brake": brake}).exact

    # k = 25: formula 6 gives 3.5 a game, formula 5 gives 2000.
    assert after("strict", 32) == 1900 + 32 * 3.5
    assert after("strict", 33) == 2000
    assert after("or_equal", 31) == 1900 + 31 * 3.5
    assert after("or_equal", 32) == 2000


def test_numbers_that_are_parameters(rate_iccf: RateIccf) -> None:
    def row(values: dict[str, str], games: int = 100, played: int = 1) -> Row:
        return fixed_game(rate_iccf, games, 2000, 1600, ["1-0"] * played, values)

    # 400 → .92, cut to 350 → .89; k = 20.
    assert row({}).expected == 0.89
    assert row({"most_difference": "400"}).expected == 0.92
    # Item 16 with 20 / k: more than one game.
    assert row({"brake_points": "20"}, played=1).expected == 0.89
    assert row({"brake_points": "20"}, played=2).expected is None
    assert row({"fixed_games": "100"}).status == "established"


def test_fixed_from_another_number_of_games(rate_iccf: RateIccf) -> None:
    row = fixed_game(rate_iccf, 20, 2000, 2000, ["1-0"], {"fixed_games": "20"})
    # With k = 25, for half a point.
    assert (row.exact, row.status) == (2012.5, "established")


@pytest.mark.parametrize(("minimum", "published"), [(1, True), (2, False), (12, False)])
def test_publication_minimum(minimum: int, published: bool, rate_iccf: RateIccf) -> None:
    players = [{"id": "n"}, {"id": "a", "standing": {"rating": 1900, "games": 100}}]
    games = [{"white": "n", "black": "a", "result": DRAW}]
    values = {"publication_minimum": str(minimum)}
    row = rows_of(rate_iccf(players, games, values, category="open_class"))["n"]
    assert row.published is published
    assert row.after == 1900


def test_near_one_less_is_more() -> None:
    # Reading A8: .99: 677 · .5198 = 351.9046; 1.00: 677 · .5 = 338.5.
    assert performed(series(67, 34)) - performed(series(68, 34)) == Fraction("13.4046")
    # And its mirror image: no point from 34 games earns more than half a point.
    assert performed(series(0, 34)) - performed(series(1, 34)) == Fraction("13.4046")


# Items 15 and 16: which games enter.


@given(
    st.lists(st.tuples(RATINGS, RATINGS, SCORES), min_size=1, max_size=29),
    st.lists(st.tuples(RATINGS, RATINGS, SCORES), min_size=1, max_size=20),
)
def test_item_15_is_item_14_over_all_games(
    earlier: list[tuple[int, int, int]], now: list[tuple[int, int, int]]
) -> None:
    old = [side(opponent, score, own) for own, opponent, score in earlier]
    new = [side(opponent, score, own) for own, opponent, score in now]
    by_15, grown = reckon(standing(1900, len(old)), old, new)
    by_14, together = reckon(standing(0, 0), [], [*old, *new])
    assert (by_15, by_14) == (Rule.ITEM_15, Rule.ITEM_14)
    assert exact(grown) == exact(together)
    assert grown.games == len(new)


@settings(max_examples=8, deadline=None)
@given(
    before=st.integers(1, 29), now=st.lists(st.tuples(RATINGS, RESULTS), min_size=81, max_size=90)
)
def test_the_brake_forgets_earlier_games(
    before: int, now: list[tuple[int, str]], rate_iccf: RateIccf
) -> None:
    player = {"id": "a", "standing": {"rating": 2400, "games": 100}}
    others = [
        {"id": f"o{number}", "standing": {"rating": rating, "games": 100}}
        for number, (rating, _) in enumerate(now)
    ]
    games = [
        {"white": "a", "black": f"o{number}", "result": result}
        for number, (_, result) in enumerate(now)
    ]
    history = [{"own": 2400, "opponent": 2000, "score": 1}] * before
    remembered = rows_of(rate_iccf([{**player, "history": history}, *others], games))["a"]
    forgotten = rows_of(rate_iccf([player, *others], games))["a"]
    assert remembered.expected is None
    assert remembered.exact == forgotten.exact
