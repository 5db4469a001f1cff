"""A report four times as long takes some four times as long to rate, whatever grows in it."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from icu_rating import icu_2012
from nowhere_rating import nowhere_2026
from plain_elo import plain_elo_2024
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Game, GameStatus, Report, Result, SectionHead, Standing
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from tests.engine.history.histories import FAMILIES
from tests.machine import slowness
from tests.seldom import seldom

pytestmark = pytest.mark.slow

MOST = 8.0
"""Four would be linear, sixteen quadratic."""
SECONDS = 0.04
"""What the longer report takes at least; from the shorter ones nothing can be learned."""
TRIES = 3

BOOKS = [
    *(registry.edition(name) for name in registry.names()),
    *(icu_2012, nowhere_2026, plain_elo_2024),
]
OFTEN = [book for book in BOOKS if book.name in FAMILIES or book is nowhere_2026]
FIRST = date(2012, 3, 3)
EVENT = Event(name="Growth", start=FIRST, end=FIRST + timedelta(8))
RESULTS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)


def player(number: int, *, rated: bool = True) -> Entry:
    standing = Standing(rating=1500 + number * 37 % 700, games=40 + number % 50)
    return Entry(f"p{number}", standing=standing if rated else None, grade="5k")


def game(white: int, black: int, number: int, **said: Any) -> Game:
    result = RESULTS[number % 3]
    return replace(Game(f"p{white}", f"p{black}", result, round=1), **said)


def many_players(size: int, every: int = 1, **said: Any) -> Report:
    """Three rounds; every so many of the players are rated."""
    pairs = [(n, (n + 1 + 2 * turn) % size, turn) for turn in range(3) for n in range(0, size, 2)]
    games = [game(a, b, a + turn, round=turn + 1) for a, b, turn in pairs]
    entries = [player(n, rated=n % every == 0) for n in range(size)]
    return Report(replace(EVENT, **said), (*entries,), (*games,))


def one_against_all(size: int, *, rated: bool = True) -> Report:
    entries = [player(n, rated=rated or n > 0) for n in range(size + 1)]
    return Report(EVENT, (*entries,), tuple(game(0, n, n, round=n) for n in range(1, size + 1)))


def named_ratings(size: int) -> Report:
    """Each game names the ratings of its players."""
    report = one_against_all(size)
    return replace(
        report,
        games=tuple(replace(each, white_rating=1600, black_rating=1700) for each in report.games),
    )


def many_rounds(size: int, **said: Any) -> Report:
    games = tuple(game(0, 1, n, round=n + 1) for n in range(size))
    return Report(replace(EVENT, **said), (player(0), player(1)), games)


def many_events(size: int) -> Report:
    games = [game(2 * n, 2 * n + 1, n, event=f"e{n}", start=FIRST, end=FIRST) for n in range(size)]
    return Report(EVENT, tuple(player(n) for n in range(2 * size)), (*games,))


def many_sections(size: int) -> Report:
    games = [game(2 * n, 2 * n + 1, n, section=f"s{n}") for n in range(size)]
    heads = tuple(SectionHead(f"s{n}", number=n + 1) for n in range(size))
    return Report(EVENT, tuple(player(n) for n in range(2 * size)), (*games,), heads)


def much_to_tell(size: int) -> Report:
    """Games with all that there is to say of a game."""
    report = many_players(size, 2)
    statuses = [status for status in GameStatus if status is not GameStatus.BYE]
    games = [
        replace(
            each,
            status=statuses[n % 6],
            white_rating=1500 if n % 2 else None,
            reported=FIRST + timedelta(9 + 90 * (n % 3)),
            white_rated=bool(n % 5),
            rated_said=True,
        )
        for n, each in enumerate(report.games)
    ]
    return replace(report, games=(*games,))


SHAPES: dict[str, Callable[[int], Report]] = {
    "players": many_players,
    "newcomers": lambda size: many_players(size, 2),
    "player": one_against_all,
    "newcomer": lambda size: one_against_all(size, rated=False),
    "ratings": named_ratings,
    "rounds": many_rounds,
    "matches": lambda size: many_players(size, kind="match", rounds=2),
    "match": lambda size: many_rounds(size, kind="match", rounds=size),
    "round robin": lambda size: many_players(size, 2, kind="round_robin"),
    "events": many_events,
    "sections": many_sections,
    "findings": much_to_tell,
}


def seconds(report: Report, book: RuleBook) -> float:
    """Time of the processor; explanations of everybody are part of it."""
    gc.collect()
    gc.disable()
    try:
        begun = time.process_time()
        rate(report, book, explain=None)
        return time.process_time() - begun
    finally:
        gc.enable()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("book", seldom(BOOKS, but=OFTEN), ids=lambda book: book.name)
def test_time_grows_with_the_report(book: RuleBook, shape: str) -> None:
    """The best of three, for the machine may have other work to do."""
    size = 16
    while seconds(SHAPES[shape](4 * size), book) < SECONDS and size < 1000:
        size *= 2
    reports = [SHAPES[shape](size), SHAPES[shape](4 * size)]
    best = [float("inf"), float("inf")]
    for _ in range(TRIES):
        best = [min(was, seconds(each, book)) for was, each in zip(best, reports, strict=True)]
        if best[1] < MOST * best[0]:
            return
    pytest.fail(f"{size} and {4 * size}: {best[0]:.3f} and {best[1]:.3f} s")


@pytest.mark.parametrize("name", ["fide-2009", "fide-2012", "fide-2024"])
def test_ten_thousand_players(name: str) -> None:
    """An officer does not wait for a report of a whole federation."""
    report = many_players(10_000)
    book = registry.edition(name)
    assert any(_rated(report, book) < 2.0 * slowness() for _ in range(TRIES))


def _rated(report: Report, book: RuleBook) -> float:
    begun = time.process_time()
    rate(report, book)
    return time.process_time() - begun
