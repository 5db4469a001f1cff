"""Cases that were reckoned by hand from the text, before any code was run or read.

The arithmetic stands beside each case: con at the own rating, a at the lower of the two
ratings after handicap, both from table 2, linear between its rows.  ε is .014 in
``egf-1998``, all of it off the stronger side, and .016 in ``egf-2013``, half off each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from ratingbook.engine.rate import Rating
from ratingbook.rules.book import Row
from ratingbook.rules.egf import egf_1998, egf_2021
from ratingbook.rules.egf.expected import a, con
from ratingbook.rules.egf.grades import grade_index
from ratingbook.rules.egf.statistics import predicted_share

RateEgf = Callable[..., Rating]
Json = dict[str, Any]

RESULTS = {"beats": "1-0", "jigo": "1/2-1/2", "loses-to": "0-1"}


class After(NamedTuple):
    """What comes out for a player."""

    exact: float
    after: float
    expected: float
    games: int = 1


class Case(NamedTuple):
    """Players by rating or as documents; games as ``white result black [stones]``."""

    edition: str
    players: Mapping[str, float | Json]
    games: Sequence[str]
    after: Mapping[str, After]
    class_: str = "A"
    settings: Mapping[str, str] = {}


def game(text: str) -> Json:
    white, result, black, *stones = text.split()
    found: Json = {"white": white, "black": black, "result": RESULTS[result]}
    return found | ({"handicap": int(stones[0])} if stones else {})


def player(name: str, known: float | Json) -> Json:
    if isinstance(known, dict):
        return {"id": name, **known}
    return {"id": name, "standing": {"rating": known, "games": 30}}


def entering(rating: float, grade: str, highest: str) -> Json:
    """A player with a rating who declares a grade, and the highest one of earlier entries."""
    return {
        "grade": grade,
        "standing": {"rating": rating, "games": 30, "highest_grade": highest},
    }


CASES = {
    # a(1850) = 112.5; con 33 and 29.8.  SE(A) = 1 / (e^(80/112.5) + 1) = .329353;
    # SE(B) = 1 − .014 − .329353 = .656647.
    "con and a between the rows": Case(
        "egf-1998",
        {"A": 1850, "B": 1930},
        ["A beats B"],
        {"A": After(1872.131339, 1872, 0.329353), "B": After(1910.431930, 1910, 0.656647)},
    ),
    # con(170) = 116 − .7 · 6 = 111.8: 170 + 5 · 55.9 = 449.5, a half that floats fall short of.
    "an exact half": Case(
        "egf-1998",
        {"A": 170, "B": 170},
        ["A beats B"] * 5,
        {"A": After(449.5, 450, 2.5, 5), "B": After(100, 100, 2.5, 5)},
    ),
    # Extrapolated: a(2750) = 67.5; con 9.5 and 9.  1 / (e^(50/67.5) + 1) = .322842.
    "above the table, extrapolated": Case(
        "egf-1998",
        {"A": 2750, "B": 2800},
        ["A beats B"],
        {"A": After(2756.432999, 2756, 0.322842), "B": After(2794.031580, 2794, 0.663158)},
    ),
    # Held: a 70, con 10 for both.  1 / (e^(50/70) + 1) = .328653, less .008 each.
    "above the table, held": Case(
        "egf-2013",
        {"A": 2750, "B": 2800},
        ["A beats B"],
        {"A": After(2756.793475, 2757, 0.320653), "B": After(2793.366525, 2793, 0.663347)},
    ),
    # a 100, con 24 and 18; 1 / (e² + 1) = .119203.
    "ε off the stronger": Case(
        "egf-1998",
        {"A": 2100, "B": 2300},
        ["B beats A"],
        {"A": After(2097.139130, 2097, 0.119203), "B": After(2302.397653, 2302, 0.866797)},
    ),
    "half of ε off each": Case(
        "egf-1998",
        {"A": 2100, "B": 2300},
        ["B beats A"],
        {"A": After(2097.307130, 2097, 0.112203), "B": After(2302.271653, 2302, 0.873797)},
        settings={"epsilon_split": "half"},
    ),
    # Example 3: neither is the stronger.
    "equals lose no ε": Case(
        "egf-1998",
        {"A": 2400, "B": 2400},
        ["A beats B"],
        {"A": After(2407.5, 2408, 0.5), "B": After(2392.5, 2393, 0.5)},
    ),
    "equals lose half of ε each": Case(
        "egf-2013",
        {"A": 2400, "B": 2400},
        ["A beats B"],
        {"A": After(2407.62, 2408, 0.492), "B": After(2392.62, 2393, 0.492)},
    ),
    # One stone is worth 50: 2000 v 2080, a(2000) = 105; con(1950) = 29, con(2080) = 24.6.
    "one stone": Case(
        "egf-1998",
        {"Black": 1950, "White": 2080},
        ["White beats Black 1"],
        {
            "Black": After(1940.771247, 1941, 0.318233),
            "White": After(2088.172928, 2088, 0.667767),
        },
    ),
    # Example 5 with ε: 1850 + 450 = 2300 v 2400, a 90; con(1850) = 33, con(2400) = 15.
    "five stones": Case(
        "egf-1998",
        {"Black": 1850, "White": 2400},
        ["White loses-to Black 5"],
        {
            "Black": After(1874.827095, 1875, 0.247664),
            "White": After(2388.924957, 2389, 0.738336),
        },
    ),
    # 1900 + 350 = 2250 v 2100: now White is A, a(2100) = 100, and Black loses ε.
    "handicap that turns the favourite": Case(
        "egf-1998",
        {"Black": 1900, "White": 2100},
        ["White beats Black 4"],
        {
            "Black": After(1875.089191, 1875, 0.803574),
            "White": After(2119.621787, 2120, 0.182426),
        },
    ),
    "handicap that turns the favourite, 2013": Case(
        "egf-2013",
        {"Black": 1900, "White": 2100},
        ["White beats Black 4"],
        {
            "Black": After(1874.903191, 1875, 0.809574),
            "White": After(2119.813787, 2120, 0.174426),
        },
    ),
    # 2200 + 150 = 2350 v 2100: D 250, a 100; con 21 and 24.
    "handicap to the stronger": Case(
        "egf-1998",
        {"Black": 2200, "White": 2100},
        ["White beats Black 2"],
        {
            "Black": After(2180.887022, 2181, 0.910142),
            "White": After(2122.179404, 2122, 0.075858),
        },
    ),
    # 1950 + 50 = 2000: equals, so that nobody loses ε; con 29 and 27.
    "handicap that makes equals": Case(
        "egf-1998",
        {"Black": 1950, "White": 2000},
        ["White loses-to Black 1"],
        {"Black": After(1964.5, 1965, 0.5), "White": After(1986.5, 1987, 0.5)},
    ),
    "handicap that makes equals, 2013": Case(
        "egf-2013",
        {"Black": 1950, "White": 2000},
        ["White loses-to Black 1"],
        {"Black": After(1964.732, 1965, 0.492), "White": After(1986.716, 1987, 0.492)},
    ),
    # D 200, a 130; con 47 and 39.
    "jigo": Case(
        "egf-1998",
        {"A": 1500, "B": 1700},
        ["A jigo B"],
        {"A": After(1515.192325, 1515, 0.176759), "B": After(1687.939602, 1688, 0.809241)},
    ),
    # P plays at 1800 throughout: .295345 + (.986 − .302941) + .149424 = 1.127827;
    # 35 · (1.5 − 1.127827) = 13.026.
    "several games": Case(
        "egf-1998",
        {"P": 1800, "Q": 1900, "R": 1700, "S": 2000},
        ["P beats Q", "R beats P", "S jigo P"],
        {
            "P": After(1813.026038, 1813, 1.127827, 3),
            "Q": After(1878.589688, 1879, 0.690655),
            "R": After(1727.185312, 1727, 0.302941),
            "S": After(1990.912432, 1991, 0.836577),
        },
    ),
    # 130 − 114.2 · 2 · .523430 = 10.4: the floor.  The winners: 100 + 116 · .537430.
    "floor": Case(
        "egf-1998",
        {"P": 130, "Q": 100, "R": 100},
        ["Q beats P", "R beats P"],
        {
            "P": After(100, 100, 1.046860, 2),
            "Q": After(162.341862, 162, 0.462570),
            "R": After(162.341862, 162, 0.462570),
        },
    ),
    # 130 + 114.2 · (1 − 1.046860): per game the loss would have been stopped at 100.
    "floor after the event, not after each game": Case(
        "egf-1998",
        {"P": 130, "Q": 100, "R": 100},
        ["Q beats P", "P beats R"],
        {
            "P": After(124.648623, 125, 1.046860, 2),
            "Q": After(162.341862, 162, 0.462570),
            "R": After(100, 100, 0.462570),
        },
    ),
    # 35 · .508 = 17.78 and 35 · .492 = 17.22, times the weight.
    "class A": Case(
        "egf-2013",
        {"A": 1800, "B": 1800},
        ["A beats B"],
        {"A": After(1817.78, 1818, 0.492), "B": After(1782.78, 1783, 0.492)},
    ),
    "class B": Case(
        "egf-2013",
        {"A": 1800, "B": 1800},
        ["A beats B"],
        {"A": After(1813.335, 1813, 0.492), "B": After(1787.085, 1787, 0.492)},
        "B",
    ),
    "class C": Case(
        "egf-2013",
        {"A": 1800, "B": 1800},
        ["A beats B"],
        {"A": After(1808.89, 1809, 0.492), "B": After(1791.39, 1791, 0.492)},
        "C",
    ),
    "class D": Case(
        "egf-2013",
        {"A": 1800, "B": 1800},
        ["A beats B"],
        {"A": After(1804.445, 1804, 0.492), "B": After(1795.695, 1796, 0.492)},
        "D",
    ),
    "no class weights in 1998": Case(
        "egf-1998",
        {"A": 1800, "B": 1800},
        ["A beats B"],
        {"A": After(1817.5, 1818, 0.5), "B": After(1782.5, 1783, 0.5)},
        "D",
    ),
    # con 95: 3 · 46.74 = 140.22, at most 100; a winner gets 95 · .508 = 48.26.
    "loss cap": Case(
        "egf-2013",
        {"P": 500, "Q": 500, "R": 500, "S": 500},
        ["Q beats P", "R beats P", "S beats P"],
        {
            "P": After(400, 400, 1.476, 3),
            "Q": After(548.26, 548, 0.492),
            "R": After(548.26, 548, 0.492),
            "S": After(548.26, 548, 0.492),
        },
    ),
    # Half weight: 70.11, at most 50.
    "loss cap of class C": Case(
        "egf-2013",
        {"P": 500, "Q": 500, "R": 500, "S": 500},
        ["Q beats P", "R beats P", "S beats P"],
        {"P": After(450, 450, 1.476, 3), "Q": After(524.13, 524, 0.492)},
        "C",
    ),
    # 93.48 is below the cap; S does not play.
    "a loss below the cap": Case(
        "egf-2013",
        {"P": 500, "Q": 500, "R": 500, "S": 500},
        ["Q beats P", "R beats P"],
        {"P": After(406.52, 407, 0.984, 2), "S": After(500, 500, 0, 0)},
    ),
    # con 113: 2 · 55.596 = 111.2, capped at 100 → 50, and then the floor.
    "loss cap, then floor": Case(
        "egf-2013",
        {"P": 150, "Q": 150, "R": 150},
        ["Q beats P", "R beats P"],
        {"P": After(100, 100, 0.984, 2), "Q": After(207.404, 207, 0.492)},
    ),
    # One grade above: no reset.  D 220, a(1580) = 126, con 43.8.
    "no reset for one grade": Case(
        "egf-2013",
        {"P": entering(1580, "4k", "5k"), "O": 1800},
        ["P beats O"],
        {"P": After(1617.643980, 1618, 0.140548), "O": After(1770.479194, 1770, 0.843452)},
    ),
    # Two grades above: 1800 v 1800, also for the opponent.
    "reset for two grades": Case(
        "egf-2013",
        {"P": entering(1580, "3k", "5k"), "O": 1800},
        ["P beats O"],
        {"P": After(1817.78, 1818, 0.492), "O": After(1782.78, 1783, 0.492)},
    ),
    # No reset downward: 1850 stays.  D 50, a 115, con 33 and 35.
    "no reset for a higher rating": Case(
        "egf-2013",
        {"P": entering(1850, "3k", "5k"), "O": 1800},
        ["P beats O"],
        {"P": After(1863.232501, 1863, 0.599015), "O": After(1786.525530, 1787, 0.384985)},
    ),
    # From 1 kyu to 2 dan it is two grades: 2200 v 2200, con 21.
    "reset across 1 dan": Case(
        "egf-2013",
        {"P": entering(1990, "2d", "1k"), "O": 2200},
        ["P beats O"],
        {"P": After(2210.668, 2211, 0.492), "O": After(2189.668, 2190, 0.492)},
    ),
    # From 1 kyu to 1 dan it is one: 1990 v 2100, a(1990) 105.5, con 27.4.
    "no reset from 1 kyu to 1 dan": Case(
        "egf-2013",
        {"P": entering(1990, "1d", "1k"), "O": 2100},
        ["P beats O"],
        {"P": After(2010.477713, 2010, 0.252638), "O": After(2082.447317, 2082, 0.731362)},
    ),
    # 7 · 17.22 = 120.54: the cap counts from 1800.
    "loss cap after a reset": Case(
        "egf-2013",
        {"P": entering(1580, "3k", "5k")} | {f"O{n}": 1800 for n in range(7)},
        [f"O{n} beats P" for n in range(7)],
        {"P": After(1700, 1700, 3.444, 7)},
    ),
    # In 1998 a grade alone resets nobody: D 220, a 126, con 43.8; .148548 v .837452.
    "no reset by grade in 1998": Case(
        "egf-1998",
        {"P": entering(1580, "3k", "5k"), "O": 1800},
        ["P beats O"],
        {"P": After(1617.293580, 1617, 0.148548), "O": After(1770.689194, 1771, 0.837452)},
    ),
    # 2000 + 250 = 2250 v 2350 in SE alone; con 19.983031 and 12.097894, bonus .754649 and
    # .085740 at the bare ratings; half of both.
    "2021 with handicap and weight": Case(
        "egf-2021",
        {"Black": 2000, "White": 2350},
        ["White beats Black 3"],
        {
            "Black": After(1997.063312, 1997.063, 0.331683),
            "White": After(2352.049201, 2352.049, 0.668317),
        },
        "C",
    ),
    # Both games at 1500, each with its bonus.
    "2021, two games": Case(
        "egf-2021",
        {"A": 1500, "B": 1600, "C": 1400},
        ["A beats B", "C beats A"],
        {"A": After(1504.175244, 1504.175, 0.994790, 2)},
    ),
    # −880 + con · −.5 + bonus = −936.79.
    "2021, floor": Case(
        "egf-2021",
        {"A": -880, "B": -880},
        ["A beats B"],
        {"B": After(-900, -900, 0.5)},
    ),
    # 4 · −38.605177: the text of 2021 names no loss cap.
    "2021, no loss cap": Case(
        "egf-2021",
        {"P": 0, "Q": 0, "R": 0, "S": 0, "T": 0},
        [f"{name} beats P" for name in "QRST"],
        {"P": After(-154.420707, -154.421, 2, 4)},
    ),
}


def rows_of(rating: Rating) -> dict[str, Row]:
    assert not rating.findings.refused, list(rating.findings)
    return {rated.row.id: rated.row for rated in rating.rows}


def rated_case(case: Case, rate_egf: RateEgf) -> Rating:
    players = [player(name, known) for name, known in case.players.items()]
    games = [game(text) for text in case.games]
    return rate_egf(case.edition, players, games, case.settings, **{"class": case.class_})


@pytest.mark.parametrize("name", CASES)
def test_by_hand(name: str, rate_egf: RateEgf) -> None:
    case = CASES[name]
    rows = rows_of(rated_case(case, rate_egf))
    for who, wanted in case.after.items():
        row = rows[who]
        assert row.exact == pytest.approx(wanted.exact, abs=2e-6), who
        assert row.after == wanted.after, who
        assert row.expected == pytest.approx(wanted.expected, abs=2e-6), who
        assert (row.games, row.status, row.published) == (wanted.games, "established", True), who
        assert row.standing.games == 30 + wanted.games


@pytest.mark.parametrize("name", CASES)
def test_the_explanation_ends_with_the_rating(name: str, rate_egf: RateEgf) -> None:
    for rated in rated_case(CASES[name], rate_egf).rows:
        if rated.row.games:
            assert rated.explanation[-1].rule == "published_rating"
            assert rated.explanation[-1].value == rated.row.after


def test_a_reset_keeps_the_rating_before_it(rate_egf: RateEgf) -> None:
    row = rows_of(rated_case(CASES["reset for two grades"], rate_egf))["P"]
    assert (row.before, row.change) == (1580, 238)
    assert row.standing.extra["highest_grade"] == "3k"


def test_the_highest_grade_is_kept(rate_egf: RateEgf) -> None:
    players = [player("P", entering(1990, "3k", "1d")), player("O", 1800)]
    row = rows_of(rate_egf("egf-2013", players, [game("P beats O")], **{"class": "A"}))["P"]
    assert row.standing.extra["highest_grade"] == "1d"


# Paragraph 2: the declared grade is the initial rating.

INITIAL = {
    "20k": 100, "19k": 200, "12k": 900, "1k": 2000, "1d": 2100, "6d": 2600, "7d": 2700,
    "1p": 2700, "2p": 2730, "9p": 2940,
}  # fmt: skip


@pytest.mark.parametrize("edition", ["egf-1998", "egf-2013", "egf-2021"])
@pytest.mark.parametrize("grade", [*INITIAL, "30k", "21k"])
def test_initial_rating(grade: str, edition: str, rate_egf: RateEgf) -> None:
    """Two newcomers of one grade: in 1998 and 2013 one gains con · .5 or con · .508."""
    # 30k is −900 and 21k 0 on the scale; until 2021 the floor of 100 holds.
    below = {"30k": -900.0, "21k": 0.0} if edition == "egf-2021" else {"30k": 100.0, "21k": 100.0}
    start = (INITIAL | below)[grade]
    players = [{"id": "A", "grade": grade}, {"id": "B", "grade": grade}]
    rows = rows_of(rate_egf(edition, players, [game("A beats B")], **{"class": "A"}))
    assert rows["A"].before is None
    assert rows["A"].change is None
    assert (rows["A"].games, rows["A"].status) == (1, "established")
    gain = (rows["A"].exact or 0) - start
    if edition == "egf-2021":
        assert gain == pytest.approx(gain_2021(start), abs=1e-6)
    elif edition == "egf-1998":
        assert gain == pytest.approx(con(start, egf_1998.parameters) / 2)
    else:
        # Above 2700 con is held at 10.
        factor = con(min(start, 2700), egf_1998.parameters)
        assert gain == pytest.approx(0.508 * factor)


def gain_2021(rating: float) -> float:
    """What a win between equals brings in 2021, written out."""
    half_con: float = 0.5 * ((3300 - rating) / 200) ** 1.6
    return half_con + math.log(1 + math.exp((2300 - rating) / 80)) / 5


def test_a_newcomer_meets_the_initial_rating(rate_egf: RateEgf) -> None:
    """2p is 2730: a and con by extrapolation 68.5 and 9.7."""
    players = [{"id": "A", "grade": "2p"}, player("B", 2730)]
    row = rows_of(rate_egf("egf-1998", players, [game("A jigo B")]))["A"]
    assert a(2730, egf_1998.parameters) == pytest.approx(68.5)
    assert con(2730, egf_1998.parameters) == pytest.approx(9.7)
    assert row.exact == 2730
    assert row.expected == pytest.approx(0.5)


def test_a_newcomer_who_does_not_play_stays_unrated(rate_egf: RateEgf) -> None:
    players = [player("A", 1800), player("B", 1800), {"id": "N", "grade": "5k"}]
    row = rows_of(rate_egf("egf-1998", players, [game("A beats B")]))["N"]
    assert (row.after, row.exact, row.games, row.status) == (None, None, 0, "unrated")


# Paragraph 1: what counts.


def counted(rating: Rating) -> list[int]:
    return [row.games for row in rows_of(rating).values()]


TWO = [player("A", 1850), player("B", 1930)]


@pytest.mark.parametrize(("start", "games"), [("1995-12-31", 0), ("1996-01-01", 1)])
def test_events_from_1996_on(start: str, games: int, rate_egf: RateEgf) -> None:
    assert counted(rate_egf("egf-1998", TWO, [game("A beats B")], start=start)) == [games, games]


@pytest.mark.parametrize(("minutes", "games"), [("29", 0), ("30", 1)])
def test_games_of_less_than_30_minutes_do_not_count(
    minutes: str, games: int, rate_egf: RateEgf
) -> None:
    rating = rate_egf("egf-1998", TWO, [game("A beats B")], time_control=minutes)
    assert counted(rating) == [games, games]


@pytest.mark.parametrize("class_", ["A", "B", "C", "D"])
def test_a_class_does_not_make_a_fast_game_count_in_1998(class_: str, rate_egf: RateEgf) -> None:
    """The text of 1998 knows no classes: less than 30 minutes do not count."""
    rating = rate_egf("egf-1998", TWO, [game("A beats B")], time_control="29", **{"class": class_})
    assert counted(rating) == [0, 0]


def test_a_minute_sign_does_not_make_a_fast_game_count(rate_egf: RateEgf) -> None:
    rating = rate_egf("egf-1998", TWO, [game("A beats B")], time_control="29 min")
    assert counted(rating) == [0, 0]


@pytest.mark.parametrize(
    ("status", "games"),
    [("played", 1), ("time", 1), ("adjudicated", 1), ("forfeit", 0), ("cancelled", 0)],
)
def test_games_that_count(status: str, games: int, rate_egf: RateEgf) -> None:
    """What the report calls a game is rated, a forfeit marked as such is not (reading E9)."""
    rating = rate_egf("egf-2013", TWO, [game("A beats B") | {"status": status}], **{"class": "A"})
    assert counted(rating) == [games, games]


def test_a_game_may_be_rated_for_one_side(rate_egf: RateEgf) -> None:
    one_sided = game("A beats B") | {"rated": {"white": True, "black": False}}
    assert counted(rate_egf("egf-2013", TWO, [one_sided], **{"class": "A"})) == [1, 0]


# Resets by decision of the office.


def decided(rating: float, reset: float) -> Json:
    return {
        "standing": {"rating": rating, "games": 30},
        "decisions": {"reset_rating": reset, "reason": "office"},
    }


@pytest.mark.parametrize("edition", ["egf-1998", "egf-2013", "egf-2021"])
@pytest.mark.parametrize("reset", [1800, 1200])
def test_reset_by_the_office(reset: float, edition: str, rate_egf: RateEgf) -> None:
    """Up or down: both meet at the decided rating."""
    players = [player("A", decided(1500, reset)), player("B", reset)]
    rows = rows_of(rate_egf(edition, players, [game("A jigo B")], {"epsilon": "0"}))
    assert rows["A"].expected == rows["B"].expected == pytest.approx(0.5)
    assert rows["A"].exact == pytest.approx(rows["B"].exact)
    assert rows["A"].before == 1500


def test_a_decision_is_not_dropped_silently(rate_egf: RateEgf) -> None:
    """A reset of a player without a counted game is applied, or somebody is told."""
    players = [player("A", decided(1500, 1800)), player("B", 1800), player("C", 1800)]
    rating = rate_egf("egf-1998", players, [game("B beats C")])
    told = [f for f in rating.findings if f.where.player == "A"]
    assert told or rows_of(rating)["A"].after == 1800


@pytest.mark.parametrize(
    ("edition", "epsilon"), [("egf-1998", 0.014), ("egf-2013", 0.016), ("egf-2021", 0.0)]
)
def test_what_both_expected_scores_lack_of_one(
    edition: str, epsilon: float, rate_egf: RateEgf
) -> None:
    """Section 3 of each text; that of 2021 knows no ε."""
    rows = rows_of(rate_egf(edition, [player("A", 1800), player("B", 2000)], [game("A beats B")]))
    expected = [rows[name].expected for name in "AB"]
    assert None not in expected
    assert sum(each or 0.0 for each in expected) == pytest.approx(1 - epsilon, abs=1e-9)


@pytest.mark.parametrize(
    ("edition", "settings", "own", "opponent", "text", "exact", "told"),
    [
        # Example 3 of the text, 2400 v 2400: con 15 doubled, 30 · .5.
        ("egf-1998", {"con_factor": "2"}, 2400, 2400, "A beats B", 2415.0, "con on trial: 15 × 2"),
        # Example 4, 320 v 400, with a 189 · 2 = 378: SE 1 / (e^(80/378) + 1) = .44729, con 104.
        ("egf-1998", {"a_factor": "2"}, 320, 400, "A beats B",
         320 + 104 * (1 - 1 / (math.exp(80 / 378) + 1)), "a on trial"),
        # Five stones of 50: 1850 + 225 = 2075 v 2400, a at 2075 is 95 + (100 − 95) · 25 / 100.
        ("egf-1998", {"stone": "50"}, 1850, 2400, "B loses-to A 5",
         1850 + 33 * (1 - 1 / (math.exp(325 / 101.25) + 1)), "1850 + 50 × (5 − 0.5)"),
        # 2100 v 2100: SE ½ whatever β is; con 6^1.6 = 17.58094, the bonus off.
        ("egf-2021", {"bonus_factor": "0"}, 2100, 2100, "A beats B", 2100 + 6**1.6 / 2, "on trial"),
        ("egf-2021", {"bonus_factor": "0", "con_factor": "0.5"}, 2100, 2100, "A beats B",
         2100 + 6**1.6 / 4, "con on trial"),
        # β over 7 is −ln(3300 − r): SE = 1200 / (1200 + 1300) for 2000 v 2100, con 6.5^1.6.
        ("egf-2021", {"bonus_factor": "0", "a_factor": "7"}, 2000, 2100, "A beats B",
         2000 + 6.5**1.6 * (1 - 1200 / 2500), "β on trial"),
    ],
)  # fmt: skip
def test_numbers_on_trial(
    edition: str, settings: Mapping[str, str], own: float, opponent: float, text: str,
    exact: float, told: str, rate_egf: RateEgf,
) -> None:  # fmt: skip
    players = [player("A", own), player("B", opponent)]
    rating = rate_egf(edition, players, [game(text)], settings, **{"class": "A"})
    row = rows_of(rating)["A"]
    assert row.exact == pytest.approx(exact, abs=5e-4)
    steps = next(each for each in rating.rows if each.row.id == "A").explanation or ()
    assert any(told in step.text for step in steps), [step.text for step in steps]


def test_what_is_predicted_against_a_stronger_grade():
    """1 dan is 2100: (3300 - 2100) / (3300 - 2200) = 12 / 11, to the seventh power 1.83874."""
    p = egf_2021.parameters
    assert predicted_share(grade_index("1d"), 0, p) == 0.5
    assert predicted_share(grade_index("1d"), 1, p) == pytest.approx(1 / 2.83874, abs=1e-6)
    # 1 kyu against 2 dan: 13 / 11.
    assert predicted_share(grade_index("1k"), 2, p) == pytest.approx(1 / (1 + (13 / 11) ** 7))
