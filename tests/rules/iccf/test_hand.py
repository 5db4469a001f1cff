"""Cases that were reckoned by hand from the text, before any code was run or read.

The arithmetic stands beside each case: ``k = r · g``, ``W_e`` from table 4, ``D`` from
table 3, ``F = −2p² + 2p + .5``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from ratingbook.engine.rate import Rating
from ratingbook.model import Severity
from ratingbook.rules.book import Row

RateIccf = Callable[..., Rating]
Json = dict[str, Any]


class After(NamedTuple):
    """What comes out for a player."""

    after: float
    exact: float
    games: int
    status: str = "established"
    published: bool = True


def first(after: int, exact: float, games: int) -> After:
    """A rating that is neither fixed nor published."""
    return After(after, exact, games, "provisional", published=False)


def same(rating: int) -> After:
    """A player for whom no game counts."""
    return After(rating, rating, 0)


class Case(NamedTuple):
    """Players as (rating, games), None for a new one; games as ``white result black``."""

    category: str
    players: Mapping[str, tuple[int, int] | None]
    games: Sequence[str | Json]
    expected: Mapping[str, After]
    history: Mapping[str, Sequence[Json]] = {}
    level: int | None = None


RESULTS = {"beats": "1-0", "draws": "1/2-1/2", "loses-to": "0-1"}


def game(text: str, **more: object) -> Json:
    white, result, black = text.split()
    return {"white": white, "black": black, "result": RESULTS[result], **more}


def frozen(own: int, opponent: int, score: float, times: int = 1) -> list[Json]:
    return [{"own": own, "opponent": opponent, "score": score}] * times


def substitution(
    rating: int | None, result: str, expected: Mapping[str, After], original: int = 2200,
    opponent: int = 2250,
) -> Case:  # fmt: skip
    """A master class game (level 2200) of a substitute for ``o`` against ``x``."""
    return Case(
        "master_class",
        {
            "o": (original, 100),
            "s": None if rating is None else (rating, 100),
            "x": (opponent, 100),
        },
        [game(f"s {result} x", white_for="o")],
        expected,
    )


CASES = {
    # Item 5: the limit of 350 on both sides.  N is taken as 1800 (open class).
    "limit on both sides": Case(
        "open_class",
        {"N": None, "A": (1336, 100), "B": (2300, 100), "C": (1900, 100)},
        ["N beats A", "N draws B", "N beats C"],
        {
            # 1336 → 1450, 2300 → 2150: R_c = 5500/3 = 1833.3333; p = 2.5/3 → .83, D = 273,
            # F = −1.3778 + 1.66 + .5 = .7822: +213.5406.
            "N": first(2047, 2046.873933, 3),
            # −464 counts as −350: W_e = .11, −.11 · 20.
            "A": After(1334, 1333.8, 1),
            # k = 12.5; +500 → .89: −.39 · 12.5 = −4.875.
            "B": After(2295, 2295.125, 1),
            # +100 → .64: −.64 · 20 = −12.8.
            "C": After(1887, 1887.2, 1),
        },
    ),
    # Eighths are no whole percent, and all of them ties: to even.  Level 2000, k = 20.
    "one eighth": Case(
        "higher_class",
        {"N": None, "O": (2000, 200)},
        ["N beats O"] + ["O beats N"] * 7,
        # .125 → .12: D = −336, F = .7112: −238.9632.  O: (7 − 4) · 20.
        {"N": first(1761, 1761.0368, 8), "O": After(2060, 2060, 8)},
    ),
    "three eighths": Case(
        "higher_class",
        {"N": None, "O": (2000, 200)},
        ["N beats O"] * 3 + ["O beats N"] * 5,
        # .375 → .38: D = −87, F = .9712: −84.4944.
        {"N": first(1916, 1915.5056, 8), "O": After(2020, 2020, 8)},
    ),
    "five eighths": Case(
        "higher_class",
        {"N": None, "O": (2000, 200)},
        ["N beats O"] * 5 + ["O beats N"] * 3,
        # .625 → .62: the mirror image of three eighths.
        {"N": first(2084, 2084.4944, 8), "O": After(1980, 1980, 8)},
    ),
    "seven eighths": Case(
        "higher_class",
        {"N": None, "O": (2000, 200)},
        ["N beats O"] * 7 + ["O beats N"],
        # .875 → .88: the mirror image of one eighth.
        {"N": first(2239, 2238.9632, 8), "O": After(1940, 1940, 8)},
    ),
    # Item 9: k in all three ranges of R_0, and g at 30, 31, 79 and 80 games.
    "30 and 80 games": Case(
        "master_class",
        {"a": (2200, 30), "b": (2250, 80)},
        ["a beats b"],
        {
            # r = 15, g = 1.25, k = 18.75; −50 → .43: +.57 · 18.75 = 10.6875.
            "a": After(2211, 2210.6875, 1),
            # r = 13.75, g = 1: −.57 · 13.75 = −7.8375.
            "b": After(2242, 2242.1625, 1),
        },
    ),
    "31 and 79 games": Case(
        "master_class",
        {"a": (2200, 31), "b": (2200, 79)},
        ["a beats b"],
        {
            # g = 1.245, k = 18.675: +.5 · k.
            "a": After(2209, 2209.3375, 1),
            # g = 1.005, k = 15.075: −.5 · k.
            "b": After(2192, 2192.4625, 1),
        },
    ),
    "2001 and 2399": Case(
        "master_class",
        {"a": (2001, 30), "b": (2399, 31)},
        ["a draws b"],
        {
            # r = 19.975, k = 24.96875; −398 → .11: +.39 · k = 9.7378125.
            "a": After(2011, 2010.7378125, 1),
            # r = 10.025, g = 1.245, k = 12.481125: −.39 · k = −4.86763875.
            "b": After(2394, 2394.13236125, 1),
        },
    ),
    "2000 and 2400": Case(
        "master_class",
        {"a": (2000, 79), "b": (2400, 30)},
        ["a beats b"],
        {
            # k = 20 · 1.005 = 20.1: +.89 · 20.1 = 17.889.
            "a": After(2018, 2017.889, 1),
            # k = 12.5: −.89 · 12.5 = −11.125.
            "b": After(2389, 2388.875, 1),
        },
    ),
    "1999 and 2401": Case(
        "master_class",
        {"a": (1999, 80), "b": (2401, 79)},
        ["b beats a"],
        {
            # k = 20: −.11 · 20.
            "a": After(1997, 1996.8, 1),
            # k = 10.05: +.11 · 10.05 = 1.1055.
            "b": After(2402, 2402.1055, 1),
        },
    ),
    # Item 8: the ratings at the beginning of the game, not R_0.
    "own start rating": Case(
        "master_class",
        {"a": (2450, 200), "b": (2350, 80)},
        [game("a draws b", white_rating=2380, black_rating=2300)],
        {
            # +80 → .61: −.11 · 10 (with R_0 it would be +100 → .64).
            "a": After(2449, 2448.9, 1),
            # r = 11.25: +.11 · 11.25 = 1.2375.
            "b": After(2351, 2351.2375, 1),
        },
    ),
    # Item 8: 358 has .90 in table 4, but counts as 350.
    "358 counts as 350": Case(
        "master_class",
        {"a": (2058, 100), "b": (1700, 100)},
        ["a beats b"],
        # k = 18.55: +.11 · 18.55 = 2.0405; −.11 · 20.
        {"a": After(2060, 2060.0405, 1), "b": After(1698, 1697.8, 1)},
    ),
    # Item 11: who has no rating.
    "ladies' olympiad": Case(
        "ladies_olympiad",
        {"N": None, "b": (2400, 100)},
        ["N beats b"],
        # 2400 counts as 1900 + 350; 677 · .5 = 338.5: a tie of item 17.  b: −.89 · 10.
        {"N": first(2589, 2588.5, 1), "b": After(2391, 2391.1, 1)},
    ),
    "national, average with .5": Case(
        "national",
        {"N": None, "a": (2105, 80), "b": (2258, 80)},
        ["N beats a", "b draws N"],
        {
            # p = .75: 193 · .875 = 168.875 on R_c = 2181.5.
            "N": first(2350, 2350.375, 2),
            # Level 2181.5 → 2182: −77 → .39; k = 17.375: −6.77625 (2181 would give .40).
            "a": After(2098, 2098.22375, 1),
            # +76 → .60; k = 13.55: −.10 · k (2181 would give .61).
            "b": After(2257, 2256.645, 1),
        },
    ),
    "national, above 2400": Case(
        "national",
        {"N": None, "a": (2450, 100), "b": (2500, 100)},
        ["N draws b", "b beats a"],
        {
            "N": first(2500, 2500, 1),
            # −50 → .43: −4.3.
            "a": After(2446, 2445.7, 1),
            # Level 2475 → 2400: +100 → .64: −.14; and +.43: +.29 · 10.
            "b": After(2503, 2502.9, 2),
        },
    ),
    "friendly match without a level": Case(
        "friendly_match",
        {"N": None, "M": None, "K": (1800, 100)},
        ["N beats M", "K draws N"],
        {
            # All count as 1800: p = .75, 168.875.
            "N": first(1969, 1968.875, 2),
            "M": first(1462, 1461.5, 1),
            "K": After(1800, 1800, 1),
        },
    ),
    "friendly match with a level": Case(
        "friendly_match",
        {"N": None, "a": (1650, 100)},
        ["N draws a"],
        # 1650 counts as 2050 − 350.  a: −400 → .11: +.39 · 20.
        {"N": first(1700, 1700, 1), "a": After(1658, 1657.8, 1)},
        level=2050,
    ),
    "announced level": Case(
        "jubilee",
        {"N": None, "a": (2310, 100)},
        ["a beats N"],
        {
            # 2310 counts as 2300: 2300 − 338.5 = 1961.5.
            "N": first(1962, 1961.5, 1),
            # k = 12.25: +.11 · 12.25 = 1.3475.
            "a": After(2311, 2311.3475, 1),
        },
        level=1950,
    ),
    # Item 15: all games, each against the own rating at its start.
    "with history": Case(
        "master_class",
        {"N": (1750, 3), "a": (2150, 50)},
        ["N draws a", game("N loses-to a", white_rating=1790)],
        {
            # 2150 + 1450 + 1700, now 2100 (against 1750) and 2140 (against 1790): 9540/5 = 1908;
            # p = 2/5, D = −72, F = .98: −70.56.
            "N": first(1837, 1837.44, 2),
            # k = 16.25 · 1.15 = 18.6875; .5 − .89 + 1 − .89 = −.28: −5.2325.
            "a": After(2145, 2144.7675, 2),
        },
        history={
            "N": [*frozen(1800, 2300, 1), *frozen(1800, 1300, 0.5), *frozen(1760, 1700, 0)],
        },
    ),
    "crossing 30": Case(
        "master_class",
        {"N": (1900, 29), "a": (2000, 30)},
        ["N beats a"] * 2,
        {
            # Item 15 once more: R_c = 59100/31; p = 17/31 = .548 → .55, D = 36, F = .995: +35.82.
            "N": After(1942, 1942.271613, 2),
            # k = 25; 2 · −.64 · 25 = −32.
            "a": After(1968, 1968, 2),
        },
        history={"N": [*frozen(1900, 1900, 1, 15), *frozen(1900, 1900, 0, 14)]},
    ),
    # Item 16: 800/k games exactly, and one more.
    "32 games at k = 25": Case(
        "master_class",
        {"a": (1900, 30), "b": (2000, 30)},
        ["a draws b"] * 32,
        # 32 · .14 · 25 = 112.
        {"a": After(2012, 2012, 32), "b": After(1888, 1888, 32)},
    ),
    "33 games at k = 25": Case(
        "master_class",
        {"a": (1900, 30), "b": (2000, 30)},
        ["a draws b"] * 33,
        # The performance, p = .5.
        {"a": After(2000, 2000, 33), "b": After(1900, 1900, 33)},
    ),
    "46 games at k = 17.25": Case(
        "master_class",
        {"a": (2110, 80), "b": (2310, 80)},
        ["a draws b"] * 46,
        # 800/17.25 = 46.4.  −200 → .24: 46 · .26 · 17.25 = 206.31; b: k = 12.25, −146.51.
        {"a": After(2316, 2316.31, 46), "b": After(2163, 2163.49, 46)},
    ),
    "47 games at k = 17.25": Case(
        "master_class",
        {"a": (2110, 80), "b": (2310, 80)},
        ["a beats b"] * 24 + ["b beats a"] * 23,
        {
            # p = 24/47 = .5106 → .51, D = 7, F = .9998: 2310 + 6.9986.
            "a": After(2317, 2316.9986, 47),
            # 65 games would pass at k = 12.25: 23 − 47 · .76 = −12.72: −155.82.
            "b": After(2154, 2154.18, 47),
        },
    ),
    "33 games, limited": Case(
        "master_class",
        {"a": (1500, 30), "b": (2100, 100)},
        ["a beats b"] * 10 + ["b beats a"] * 23,
        {
            # 2100 counts as 1850; p = 10/33 → .30, D = −149, F = .92: −137.08.
            "a": After(1713, 1712.92, 33),
            # k = 17.5: 23 − 33 · .89 = −6.37: −111.475.
            "b": After(1989, 1988.525, 33),
        },
    ),
    # Item 17: ties.  35 → .55/.45, k = 10.
    "ties": Case(
        "master_class",
        {"a": (2450, 120), "b": (2485, 120), "c": (2450, 120), "d": (2415, 120)},
        ["a draws b", "c draws d"],
        {
            "a": After(2451, 2450.5, 1),
            "b": After(2485, 2484.5, 1),
            "c": After(2450, 2449.5, 1),
            "d": After(2416, 2415.5, 1),
        },
    ),
    # Item 18: o is 2200 (k = 15), x 2250 (k = 13.75).
    "stronger substitute wins": substitution(
        2300,
        "beats",
        # +.43 · 12.5 for s; x against 2300: W_e = .43.
        {"s": After(2305, 2305.375, 1), "o": same(2200), "x": After(2244, 2244.0875, 1)},
    ),
    "weaker substitute draws": substitution(
        2100,
        "draws",
        # +.20 · 17.5 for s; x against 2200, the higher: −.07 · 13.75.
        {"s": After(2104, 2103.5, 1), "o": same(2200), "x": After(2249, 2249.0375, 1)},
    ),
    "equal substitute draws": substitution(
        2250,
        "draws",
        # ΔW = 0 is not positive: o, +.07 · 15.
        {"s": same(2250), "o": After(2201, 2201.05, 1), "x": After(2250, 2250, 1)},
    ),
    "stronger substitute draws": substitution(
        2300,
        "draws",
        # −.07: o, with his own +.07 · 15; x against 2300: +.07 · 13.75.
        {"s": same(2300), "o": After(2201, 2201.05, 1), "x": After(2251, 2250.9625, 1)},
    ),
    "weaker substitute loses": substitution(
        2100,
        "loses-to",
        # −.30: o, −.43 · 15; x against 2200: +.43 · 13.75.
        {"s": same(2100), "o": After(2194, 2193.55, 1), "x": After(2256, 2255.9125, 1)},
    ),
    "new substitute wins": substitution(
        None,
        "beats",
        # Level 2200: −200 → .24, +.76: item 5, 2400 + 338.5; x against 2300: −.64 · 10.
        {"s": first(2739, 2738.5, 1), "o": same(2300), "x": After(2394, 2393.6, 1)},
        original=2300,
        opponent=2400,
    ),
    "the rating that the game names is the substitute's": Case(
        "master_class",
        {"o": (2200, 100), "s": (2300, 100), "x": (2250, 100)},
        [game("s loses-to x", white_for="o", white_rating=2240)],
        {
            "s": same(2300),
            # o with his own 2200 against 2250: −.43 · 15.
            "o": After(2194, 2193.55, 1),
            # x against 2240, the higher of the two: .51, +.49 · 13.75 = 6.7375.
            "x": After(2257, 2256.7375, 1),
        },
    ),
    "both substituted": Case(
        "master_class",
        {"W1": (2200, 100), "W2": (2300, 100), "B1": (2400, 100), "B2": (2150, 100)},
        [game("W2 draws B2", white_for="W1", black_for="B1")],
        {
            "W1": same(2200),
            # Against 2400: .36, +.14 · 12.5.
            "W2": After(2302, 2301.75, 1),
            "B1": same(2400),
            # Against 2300: .30, +.20 · 16.25.
            "B2": After(2153, 2153.25, 1),
        },
    ),
    # Reading A26: the rated flag of each side; what the tournament director registered.
    "rated for one side": Case(
        "master_class",
        {"a": (2300, 100), "b": (2250, 100)},
        [game("a draws b", rated={"white": False})],
        # −50 → .43: +.07 · 13.75.
        {"a": same(2300), "b": After(2251, 2250.9625, 1)},
    ),
    "registered forfeit, and one that is not rated": Case(
        "master_class",
        {"a": (2300, 100), "b": (2250, 100)},
        [
            game("a beats b", status="forfeit"),
            game("b beats a", status="forfeit", rated=False),
            game("b beats a", status="cancelled"),
        ],
        # +.43 · 12.5; −.43 · 13.75.
        {"a": After(2305, 2305.375, 1), "b": After(2244, 2244.0875, 1)},
    ),
}

LEVELS = {
    # W_e of 2150 against the level; k = 16.25, a draw.
    "open_class": (1800, 0.89),
    "ladies_wc_semifinal": (1900, 0.81),
    "higher_class": (2000, 0.70),
    "ladies_wc_final": (2100, 0.57),
    "master_class": (2200, 0.43),
    "master_norm": (2300, 0.30),
    "wc_semifinal": (2400, 0.19),
    "grandmaster_norm": (2450, 0.15),
    "wc_candidates": (2500, 0.11),
}


def rows_of(rating: Rating) -> dict[str, Row]:
    assert not rating.findings.refused, list(rating.findings)
    return {rated.row.id: rated.row for rated in rating.rows}


OTHER_RESULT = {"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1/2-1/2"}


def turned(played: Json) -> Json:
    """The same game with the colours the other way round."""
    colours = {"white": "black", "black": "white", "white_for": "black_for"}
    other = {colours.get(key, key): value for key, value in played.items()}
    return {**other, "result": OTHER_RESULT[other["result"]]}


SUBSTITUTIONS = [name for name in CASES if "substitute" in name.split()]


@pytest.mark.parametrize("name", SUBSTITUTIONS)
def test_a_substitute_of_black_is_one_of_white(name: str, rate_iccf: RateIccf) -> None:
    """Item 18 knows no colours; the replaced player is the first of the report."""
    case = CASES[name]
    check(
        case._replace(
            games=[turned(played) for played in case.games if not isinstance(played, str)]
        ),
        rate_iccf,
    )


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, rate_iccf: RateIccf) -> None:
    check(CASES[name], rate_iccf)


def check(case: Case, rate_iccf: RateIccf) -> None:
    players: list[Json] = []
    for player, standing in case.players.items():
        entry: Json = {"id": player, "history": list(case.history.get(player, ()))}
        if standing:
            entry["standing"] = {"rating": standing[0], "games": standing[1]}
        players.append(entry)
    games = [game(played) if isinstance(played, str) else played for played in case.games]
    rating = rate_iccf(players, games, category=case.category, level=case.level)
    assert [f for f in rating.findings if f.severity is not Severity.INFO] == []
    rows = rows_of(rating)
    assert list(rows) == list(case.players)
    assert set(case.expected) == set(rows)
    for player, expected in case.expected.items():
        row = rows[player]
        got = After(row.after or 0, row.exact or 0, row.games, row.status, row.published)
        assert got._replace(exact=expected.exact) == expected, player
        assert row.exact == pytest.approx(expected.exact, abs=5e-7, rel=0), player
        standing = case.players[player]
        assert row.before == (standing and standing[0])
        assert row.standing.games == (standing[1] if standing else 0) + expected.games


@pytest.mark.parametrize(("said", "own"), [({}, 1900), ({"own": 1850}, 1850)])
def test_a_game_of_the_history_keeps_the_own_rating_of_then(
    said: Json, own: int, rate_iccf: RateIccf
) -> None:
    """Reading A4: that at the start of the game; where nothing says it, that of the report."""
    players: list[Json] = [
        {
            "id": "N",
            "standing": {"rating": 1900, "games": 1},
            "history": [{"opponent": 1800, "score": 1, **said}],
        },
        {"id": "A", "standing": {"rating": 2000, "games": 100}},
    ]
    rows = rows_of(rate_iccf(players, [game("N beats A")], category="open_class"))
    assert rows["N"].after != 1900
    assert [side.own for side in rows["N"].history] == [own, 1900]


@pytest.mark.parametrize("category", LEVELS)
def test_level(category: str, rate_iccf: RateIccf) -> None:
    level, expected = LEVELS[category]
    players = [{"id": "N"}, {"id": "a", "standing": {"rating": 2150, "games": 100}}]
    rows = rows_of(rate_iccf(players, [game("N draws a")], category=category))
    assert rows["a"].expected == expected
    assert rows["a"].exact == pytest.approx(2150 + 16.25 * (0.5 - expected))
    assert rows["N"].exact == 2150
    assert rows["N"].history[0].own == level


@pytest.mark.parametrize(
    ("games", "status", "published"),
    [
        (10, "provisional", False),
        (11, "provisional", True),
        (28, "provisional", True),
        (29, "established", True),
    ],
)
def test_published_from_12_and_fixed_from_30(
    games: int, status: str, published: bool, rate_iccf: RateIccf
) -> None:
    players: list[Json] = [
        {
            "id": "p",
            "standing": {"rating": 1900, "games": games},
            "history": frozen(1900, 1900, 0.5, games),
        },
        {"id": "a", "standing": {"rating": 1900, "games": 100}},
    ]
    row = rows_of(rate_iccf(players, [game("p draws a")]))["p"]
    assert (row.status, row.published, row.after) == (status, published, 1900)
    # The frozen sides stay needed until the rating is fixed.
    assert len(row.history) == (0 if status == "established" else games + 1)
