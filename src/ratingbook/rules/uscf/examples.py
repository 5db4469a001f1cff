"""Worked examples; the numbers are derived from the text by hand and by an independent program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ratingbook.rules.text import Example

Json = Mapping[str, object]

DAYS = {
    "uscf-2011": "2012-06-03",
    "uscf-2013": "2013-06-02",
    "uscf-2014": "2014-06-01",
    "uscf-2015": "2016-06-05",
    "uscf-2017": "2018-06-03",
    "uscf-2023": "2023-06-04",
    "uscf-2025": "2025-06-01",
}
"""A day on which each edition was in force."""

_REASON = "an example"
_SOURCE = "by hand from the text of 2011, later editions by a second program: "


@dataclass(frozen=True)
class _Case:
    """A report that every edition rates.

    ``expected`` gives a player's number in the order of :data:`DAYS`, or one number
    that holds in all editions.
    """

    title: str
    players: Sequence[Json]
    games: Sequence[Json]
    derivation: str
    expected: Mapping[str, int | tuple[int, ...] | None]
    event: Json

    def of(self, edition: str) -> Example:
        """The example of an edition."""
        place = list(DAYS).index(edition)
        day = DAYS[edition]
        event = {"start": day, "end": day, "time_control": "G/90", **self.event}
        return Example(
            title=self.title,
            document={
                "ratingbook": "report/1",
                "event": event,
                "players": [*self.players],
                "games": [{"round": number, **game} for number, game in enumerate(self.games, 1)],
            },
            expected={
                player: numbers[place] if isinstance(numbers, tuple) else numbers
                for player, numbers in self.expected.items()
            },
            source=_SOURCE + self.derivation,
        )


def examples_of(edition: str) -> tuple[Example, ...]:
    """The worked examples of an edition."""
    cases = (
        _standard(),
        _newcomers(),
        _quick(),
        _special(),
        _floors(),
        _abroad(),
        _youth(),
        _match(DAYS[edition]),
        _match_at_floor(),
        _strong(),
    )
    return tuple(case.of(edition) for case in cases)


def _rated(player: str, rating: int, games: int = 100, **standing: object) -> Json:
    return {"id": player, "standing": {"rating": rating, "games": games, **standing}}


def _decided(player: Json, **decisions: object) -> Json:
    return {**player, "decisions": {**decisions, "reason": _REASON}}


def _game(white: str, black: str, result: str, **more: object) -> Json:
    return {"white": white, "black": black, "result": result, **more}


WIN, DRAW, LOSS = "1-0", "1/2-1/2", "0-1"


def _series(player: str, *results: tuple[str, str]) -> list[Json]:
    """A player's games, always with White: result and opponent."""
    return [_game(player, opponent, result) for result, opponent in results]


def _standard() -> _Case:
    players = [
        _rated("A", 1700, 30, peak=1941),
        _rated("B", 1600),
        _rated("C", 1800),
        _rated("D", 1750),
        _rated("E", 1705, peak=1941),
    ]
    games = [
        *_series("A", (WIN, "B"), (WIN, "C"), (WIN, "D")),
        *_series("E", (LOSS, "B"), (LOSS, "C"), (LOSS, "D")),
        _game("A", "E", DRAW, status="forfeit"),
    ]
    return _Case(
        "The standard formula, twice, with a bonus and a floor",
        players,
        games,
        "A: N' = 26.726, K = 26.912; first E = .640065 + .359935 + .428537 = 1.428537, so 1700 "
        "+ 42.288 + 30.288 = 1772.577; then, against 1610.217, 1794.599 and 1747.768, 1772.491. "
        "E falls below the 1700 that the text derives from 1941",
        {
            "A": (1773, 1794, 1790, 1785, 1781, 1785, 1789),
            "B": (1611, 1614, 1613, 1613, 1613, 1613, 1613),
            "E": 1700,
        },
        {"time_control": "G/45"},
    )


def _newcomers() -> _Case:
    newcomers = [
        {"id": "fide", "foreign": {"fide": 2200}},
        {"id": "cfc", "foreign": {"cfc": 1600}},
        _decided({"id": "office", "foreign": {"national": 1500}}, initial_rating=1600),
        {"id": "quick", "pools": {"quick": {"rating": 1450, "games": 12}}},
        {"id": "few", "pools": {"quick": {"rating": 1450, "games": 3}}},
        {"id": "junior", "birth_date": "2000-06-03"},
        {"id": "adult", "adult": True},
        {"id": "new"},
    ]
    opponents = [_rated(f"o-{player['id']}", 1500) for player in newcomers]
    games = [_game(str(player["id"]), f"o-{player['id']}", DRAW) for player in newcomers]
    return _Case(
        "Initial ratings of unrated players",
        [*newcomers, *opponents],
        games,
        "K = 37.0632 for 1500. With N = 0 Step 5 gives the opponent's Step 4: adult 1500 − "
        "5.191 against 1400 = (1300 + 1500) / 2; office 1500 + 2.649 against 1550; quick 1500 − "
        "1.331 against 1475; new and few 1500 − 14.695 against 1125; junior 1500 − 16.558 "
        "against 1000, the nearest to 600 of 1000 to 1100. cfc (5 · 1520 + 1501.066) / 6; fide "
        "has N = 10, so the standard formula: K = 72.727, E = .980886 against 1517.891, 2202 − "
        "34.974",
        {
            "fide": (2167, 2167, 2167, 2213, 2213, 2213, 2229),
            "cfc": 1517,
            "office": 1503,
            "quick": (1499, 1498, 1498, 1498, 1498, 1498, 1498),
            "few": (1485, 1482, 1482, 1482, 1482, 1482, 1482),
            "junior": (1483, 1480, 1481, 1483, 1484, 1489, 1492),
            "adult": (1495, 1494, 1494, 1494, 1494, 1494, 1494),
            "new": (1485, 1482, 1482, 1482, 1482, 1482, 1482),
        },
        {},
    )


def _quick() -> _Case:
    return _Case(
        "The regular rating in a quick event",
        [
            {"id": "A", "pools": {"regular": {"rating": 1400, "games": 30}}},
            _rated("B", 1500),
        ],
        [_game("A", "B", WIN)],
        "N = 10, so the standard formula: B after Step 4 is 1500 − 23.723, and A gets 1400 + "
        "72.727 (1 − .391958)",
        {"A": 1444, "B": (1478, 1473, 1473, 1474, 1474, 1474, 1474)},
        {"time_control": "G/25;d3", "pool": "quick"},
    )


def _special() -> _Case:
    players = [
        {"id": "adult", "adult": True},
        *[_rated(f"a{n}", 400) for n in range(4)],
        {"id": "unknown"},
        *[_rated(f"u{n}", rating) for n, rating in enumerate((1500, 1600, 1700))],
        {"id": "between", "adult": True},
        _rated("b0", 3000),
        _rated("b1", 900),
        _rated("new", 1600, 5, wins=2, draws=1, losses=2),
        _rated("n0", 100, wins=10, draws=10, losses=80, events=25),
        _rated("upward", 1600, 5, wins=2, draws=1, losses=2),
        _rated("up0", 2900),
        _rated("winner", 1200, 10, wins=10, draws=0, losses=0),
        _rated("w0", 1500),
        _rated("loser", 1200, 10, wins=0, draws=0, losses=10),
        _rated("l0", 1400),
        _rated("top", 2680, 8, wins=4, draws=2, losses=2),
        _rated("t0", 2600),
        _rated("bottom", 120, 3, wins=1, draws=0, losses=2, events=0),
        _rated("c0", 110, 3, wins=1, draws=0, losses=2, events=0),
    ]
    games = [
        *_series("adult", *((WIN, f"a{n}") for n in range(4))),
        *_series("unknown", *((LOSS, f"u{n}") for n in range(3))),
        *_series("between", (LOSS, "b0"), (WIN, "b1")),
        *_series("new", (WIN, "n0")),
        *_series("upward", (LOSS, "up0")),
        *_series("winner", (WIN, "w0")),
        *_series("loser", (WIN, "l0")),
        *_series("top", (WIN, "t0")),
        *_series("bottom", (LOSS, "c0")),
    ]
    return _Case(
        "The special formula: intervals, a full score, nothing but wins before",
        players,
        games,
        "adult, unknown, between, new and upward lie in an interval of ratings that fit, and "
        "stay; winner is 400 above 1468.532, w0 after Step 4; loser (17368.63 − 3600) / 11; top "
        "is capped; bottom falls below 100, and AF = 104; c0 (330 + 100 + 400) / 4 = 207.5",
        {
            "adult": 1300,
            "unknown": 750,
            "between": 1300,
            "new": 1600,
            "n0": 150,
            "upward": 1600,
            "winner": (1869, 1862, 1862, 1861, 1861, 1861, 1861),
            "loser": (1252, 1252, 1252, 1251, 1251, 1251, 1251),
            "top": 2700,
            "bottom": 104,
            "c0": 208,
        },
        {},
    )


def _floors() -> _Case:
    players = [
        _rated("olm", 2203, 900, peak=2390, olm=True),
        _rated("o", 2000),
        _decided(_rated("cash", 1790), cash_prize=2500, cash_limit=1750),
        _rated("c", 1700),
        _decided(_rated("capped", 1895), ceiling=1900),
        _rated("p", 1900),
        _decided(_rated("adjusted", 1500), adjusted_rating=1600, money_floor=1600),
        _rated("a", 1600),
    ]
    games = [
        *_series("olm", (LOSS, "o")),
        *_series("cash", (LOSS, "c")),
        *_series("capped", (WIN, "p")),
        *_series("adjusted", (LOSS, "a")),
    ]
    return _Case(
        "Floors, a ceiling and an adjustment",
        players,
        games,
        "the floor of the Original Life Master; 1800, too high for a section under 1750; the "
        "ceiling; rated from 1600, where the new floor is",
        {
            "olm": 2200,
            "cash": 1800,
            "capped": 1900,
            "adjusted": 1600,
            "a": (1616, 1620, 1620, 1620, 1620, 1620, 1620),
        },
        {},
    )


_ABROAD = (
    {**_rated("A", 2300, 200), "federation": "USA"},
    {"id": "B", "federation": "USA", "foreign": {"fide": 2120}},
    {"id": "X", "federation": "GER", "foreign": {"fide": 2300}},
    {"id": "Y", "federation": "NED", "foreign": {"fide": 2400}},
)
_GAMES_ABROAD = (
    *_series("A", (WIN, "X"), (WIN, "Y"), (DRAW, "B")),
    *_series("B", (LOSS, "X"), (DRAW, "Y")),
)


def _abroad() -> _Case:
    return _Case(
        "A FIDE event abroad",
        _ABROAD,
        _GAMES_ABROAD,
        "X, Y and B count 2318, 2434 and 2109.2 against A: E = .474109 + .316189 + .750131, K = "
        "15.094: 2300 + 14.487 + 2.487; B from 2109.2 with N' = 5, K = 114.286, against X and "
        "Y. A has no FIDE rating, so that game does not count for B",
        {
            "A": (2317, 2316, 2316, 2318, 2318, 2318, 2319),
            "B": (2125, 2125, 2125, 2178, 2178, 2178, 2192),
            "X": None,
        },
        {"kind": "fide"},
    )


def _youth() -> _Case:
    return _Case(
        "A FIDE youth event",
        _ABROAD,
        _GAMES_ABROAD,
        "X, Y and B count 210 + .93 · 2300 = 2349, 2442 and 2181.6",
        {
            "A": (2322, 2321, 2319, 2318, 2318, 2318, 2318),
            "B": (2129, 2129, 2129, 2180, 2180, 2180, 2187),
        },
        {"kind": "fide", "category": "youth"},
    )


def _match(day: str) -> _Case:
    past = {"own": 1780, "opponent": 1800, "score": 1, "event": "match +70"}
    players = [
        {**_rated("A", 1850), "history": [{**past, "start": f"{day[:4]}-05-01"}]},
        _rated("B", 1800),
    ]
    return _Case(
        "A match and its limits",
        players,
        _series("A", *[(WIN, "B")] * 6),
        "six wins earn more than 50, of which 100 − 70 are left to A",
        {"A": 1880, "B": 1750},
        {"kind": "match"},
    )


def _match_at_floor() -> _Case:
    return _Case(
        "A match that lowers a floor",
        [_rated("A", 1710, peak=1941), _rated("B", 1700)],
        _series("A", *[(LOSS, "B")] * 3),
        "K = 26.568, 3 · .514387: 1710 − 40.997, below the floor of 1700 that becomes 1600; "
        "later editions: −50",
        {
            "A": (1669, 1660, 1660, 1660, 1660, 1660, 1660),
            "B": (1742, 1750, 1750, 1750, 1750, 1750, 1750),
        },
        {"kind": "match"},
    )


def _strong() -> _Case:
    players = [_rated("A", 2400), _rated("B", 2600), _rated("C", 2400)]
    games = [*_series("A", (WIN, "B"), (WIN, "C"))]
    return _Case(
        "Strong players in a dual-rated event",
        players,
        games,
        "K = 800 / 52 = 15.385; E = .240253 + .5, then .2529 + .5109; since 2013 K is half of "
        "that for 2400, a quarter for 2600",
        {
            "A": (2420, 2410, 2410, 2410, 2410, 2410, 2410),
            "B": (2588, 2597, 2597, 2597, 2597, 2597, 2597),
        },
        {"time_control": "G/45"},
    )
