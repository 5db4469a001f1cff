"""Worked examples of the later editions; the numbers are derived by hand from the tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from ratingbook.rules.text import Example

Json = Mapping[str, object]

_YEARS = (2011, 2012, 2014, 2022, 2024)
_FIRST_DAY = {
    2011: date(2011, 9, 2),
    2012: date(2012, 9, 7),
    2014: date(2014, 9, 5),
    2022: date(2022, 2, 4),
    2024: date(2024, 4, 5),
}
"""A day on which an event of each edition begins."""


@dataclass(frozen=True)
class _Case:
    """A report, and what each edition makes of it.

    ``expected`` gives a player's number by edition; editions that it leaves out do
    not have the example.  ``starts`` is the first day, where it is not the usual one.
    """

    title: str
    players: Iterable[Json]
    games: Iterable[Json]
    expected: Mapping[int, Mapping[str, int]]
    source: str
    event: Json = field(default_factory=dict)
    starts: date | None = None
    days: int = 2

    def of(self, year: int) -> Example:
        """The example of an edition."""
        first = self.starts or _FIRST_DAY[year]
        event = {
            "name": "Invented event",
            "start": first.isoformat(),
            "end": (first + timedelta(days=self.days)).isoformat(),
            **self.event,
        }
        return Example(
            title=self.title,
            document={
                "ratingbook": "report/1",
                "event": event,
                "players": [*self.players],
                "games": [*self.games],
            },
            expected=self.expected[year],
            source=self.source,
        )


def _rated(player: str, rating: int, games: int = 50, **more: object) -> Json:
    return {"id": player, "standing": {"rating": rating, "games": games}, **more}


def _top(player: str, rating: int) -> Json:
    standing = {"rating": rating, "games": 100, "reached_2400": True}
    return {"id": player, "standing": standing}


def _series(player: str, opponents: Iterable[str], results: Iterable[str]) -> list[Json]:
    """The games of one player with White, in rounds."""
    return [
        {"round": n, "white": player, "black": opponent, "result": result}
        for n, (opponent, result) in enumerate(zip(opponents, results, strict=True), 1)
    ]


def _all(*years: int, **expected: int) -> dict[int, dict[str, int]]:
    return {year: dict(expected) for year in years}


_WIN, _DRAW, _LOSS = "1-0", "1/2-1/2", "0-1"
_OPPONENTS = (1902, 1877, 1884, 2012, 1832, 1950, 1841, 1925, 1990)
_RESULTS = (_DRAW, _DRAW, _WIN, _LOSS, _WIN, _WIN, _DRAW, _LOSS, _WIN)
_REAL = (2406, 1908, 2220, 2216, 2204, 2189, 2223, 2221)
_CROSS_TABLE = {
    "A": "-101111111", "B": "0-11011111", "C": "10-0111111", "D": "001-011111",
    "E": "0101-01111", "F": "00001-0111", "G": "000001-011", "H": "0000001-10",
    "I": "00000000-1", "J": "000000010-",
}  # fmt: skip
_IN_CROSS_TABLE = {"A": 2600, "B": 2500, "D": 2400, "F": 2150, "G": 2300, "J": 2300}

_CASES = (
    _Case(
        "Two players above 2400",
        (_top("A", 2806), _top("B", 2577)),
        _series("A", "B", [_LOSS]),
        _all(*_YEARS, A=2798, B=2585),
        "by hand: a difference of 229 is 0.79; 10 × 0.79 = 7.9, rounded 8",
        {"time_control": "90+30"},
    ),
    _Case(
        "A first rating from nine games",
        ({"id": "new"}, *(_rated(str(n), r) for n, r in enumerate(_OPPONENTS, 1))),
        _series("new", map(str, range(1, 10)), _RESULTS),
        {
            2011: {"new": 1943},
            2012: {"new": 1943},
            2014: {"new": 1953},
            2022: {"new": 1953},
            2024: {"new": 1957},
        },
        "by hand: Rc = 17213 / 9 = 1913, two half points above 50 %: 1913 + 2 × 15, from 2014 2 × "
        "20; 2024: Ra = (17213 + 3600) / 11 = 1892, p = 6½ / 11 = 0.59, dp = 65",
        days=9,
    ),
    _Case(
        "A first rating below one half, from two events",
        (
            {
                "id": "new",
                "history": [{"opponent": 1800, "score": s} for s in (0, 0, 0, 0, 1)],
            },
            *(_rated(str(n), 1890) for n in range(1, 5)),
        ),
        _series("new", "1234", [_WIN, _LOSS, _LOSS, _DRAW]),
        {**_all(2011, 2012, 2014, 2022, new=1674), 2024: {"new": 1700}},
        "by hand: Rc = (5 × 1800 + 4 × 1890) / 9 = 1840; p = 2½ / 9 = 0.28, dp = −166; 2024: Ra = "
        "(16560 + 3600) / 11 = 1833, p = 3½ / 11 = 0.32, dp = −133",
    ),
    _Case(
        "Unrated players in a round robin",
        [
            _rated(p, _IN_CROSS_TABLE[p]) if p in _IN_CROSS_TABLE else {"id": p}
            for p in _CROSS_TABLE
        ],
        [
            {
                "white": white,
                "black": list(_CROSS_TABLE)[column],
                "result": _WIN if _CROSS_TABLE[white][column] == "1" else _LOSS,
            }
            for row, white in enumerate(_CROSS_TABLE)
            for column in range(row + 1, len(_CROSS_TABLE))
        ],
        {**_all(2011, 2012, C=2423, E=2393), 2014: {"C": 2448, "E": 2408}},
        "by hand: Ra = 2348, as in the example of 2009; C has five half points above 50 %, E three",
        {"kind": "round_robin"},
        days=9,
    ),
    _Case(
        "Two opponents more than 400 points away",
        (_rated("A", 2300), _rated("B", 1700), _rated("C", 1800), _rated("D", 2300)),
        _series("A", "BCD", [_WIN, _WIN, _DRAW]),
        {
            **_all(2011, 2012, A=2302),
            2014: {"A": 2303},
            2022: {"A": 2302},
            2024: {"A": 2303},
        },
        "by hand: both count as 400, 2 × 0.08 × K; 2022: only the difference of 600 does, that of "
        "500 is 0.96: (0.08 + 0.04) × 20 = 2.4",
    ),
    _Case(
        "A junior",
        (_rated("A", 1800, birth_year=2006), _rated("B", 1800)),
        _series("A", "B", [_WIN]),
        _all(2014, 2022, 2024, A=1820, B=1790),
        "by hand: ½ × 40, and ½ × 20 for the adult",
    ),
    _Case(
        "36 games in a period",
        (_rated("A", 2000, 200), _rated("B", 2000)),
        _series("A", "B" * 36, [_WIN] * 4 + [_DRAW] * 32),
        _all(2014, 2022, A=2038, B=1962),
        "by hand: 36 × 20 is more than 700, so K = 19; score 20, expected 18: 2 × 19",
        days=20,
    ),
    _Case(
        "39 games, of which 8 are real",
        (_rated("A", 2054, 200), *(_rated(str(n), r) for n, r in enumerate(_REAL, 1))),
        [
            *_series("A", "12345678", (_LOSS, _WIN, _WIN, _LOSS, _DRAW, _WIN, _LOSS, _DRAW)),
            *({"round": n, "white": "A", "black": "6", "result": _DRAW} for n in range(9, 40)),
        ],
        {2024: {"A": 2173}},
        "the first eight games are an event that FIDE published, at K = 17 and 1.44 above "
        "expectation; by hand: 31 draws against 2189 (0.32) bring 31 × 0.18 = 5.58: 7.02 × 17 = "
        "119.34",
        days=20,
    ),
    _Case(
        "A match that is decided",
        (_rated("A", 2000), _rated("B", 2000)),
        _series("A", "BBBB", [_WIN, _WIN, _WIN, _LOSS]),
        {2012: {"A": 2023, "B": 1978}, **_all(2014, 2022, 2024, A=2030, B=1970)},
        "by hand: three games of four decide it; 3 × ½ × 15 = 22.5; from 2014 3 × ½ × 20",
        {"kind": "match", "rounds": 4},
    ),
    _Case(
        "Rapid, from the standard rating",
        ({"id": "A", "pools": {"standard": {"rating": 2000}}}, _rated("B", 1900)),
        _series("A", "B", [_DRAW]),
        {**_all(2012, 2014, 2022, A=1997, B=1903), 2024: {"A": 1994, "B": 1903}},
        "by hand: a difference of 100 is 0.64; 0.14 × 20 = 2.8; 2024: no rapid games, so K = 40",
        {"pool": "rapid", "time_control": "15+10"},
    ),
    _Case(
        "No cap from 2650 on, real",
        (_top("A", 2813), *(_rated(str(r), r) for r in (1787, 2025, 2310, 2400, 2505))),
        _series("A", ["1787", "2025", "2310", "2400", "2505"], [_WIN] * 4 + [_DRAW]),
        {2024: {"A": 2810}},
        "published by FIDE for December 2025: 0 + 0 + 0.4 + 0.7 − 3.6 = −2.5, rounded −3",
        starts=date(2025, 11, 7),
    ),
    _Case(
        "Rapid: too far apart",
        (_rated("A", 2700), _rated("B", 2050)),
        _series("A", "B", [_LOSS]),
        {2024: {"A": 2700, "B": 2050}},
        "by hand: 650 points, one of the players above 2600: not rated",
        {"pool": "rapid"},
        starts=date(2025, 1, 10),
    ),
    _Case(
        "The greatest first rating",
        ({"id": "new"}, *(_rated(str(n), 2100) for n in range(1, 6))),
        _series("new", "12345", [_WIN] * 5),
        {2024: {"new": 2200}},
        "by hand: Ra = (5 × 2100 + 3600) / 7 = 2014, p = 6 / 7 = 0.86, dp = 309: 2323, so 2200",
    ),
    _Case(
        "A report that comes too late",
        (_rated("A", 2000), _rated("B", 2000)),
        [{**_series("A", "B", [_WIN])[0], "reported": "2024-08-01"}],
        {2024: {"A": 2000, "B": 2000}},
        "by hand: an event of April 2024; the third list, of 1 July, closed on 28 June",
    ),
    _Case(
        "An event of more than 30 days",
        (_rated("A", 2000), _rated("B", 2000)),
        [
            {"round": 1, "white": "A", "black": "B", "result": _WIN, "end": "2024-04-10"},
            {"round": 2, "white": "B", "black": "A", "result": _DRAW, "end": "2024-05-20"},
        ],
        {2024: {"A": 2009, "B": 1991}},
        "by hand: April ½ × 20 = 10; May a difference of 20 is 0.53: 0.03 × 20 = 0.6, rounded 1",
        days=45,
    ),
)


def examples_of(year: int) -> tuple[Example, ...]:
    """The examples of an edition."""
    return tuple(case.of(year) for case in _CASES if year in case.expected)
