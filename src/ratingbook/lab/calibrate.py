"""Expected beside scored: by the difference of the ratings, and by how strong the players are.

Every expected score is from before the game.  Only games count of which all rule books expect
something, and which come after the time in which the ratings are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.history.predictions import Before, Predictions
from ratingbook.lab.bootstrap import Interval, interval, warning
from ratingbook.lab.compare import blocks_of, day_of, first_day, in_common, noticed, predicted
from ratingbook.lab.even_games import EvenGames, counted_games, wilson
from ratingbook.model import Findings
from ratingbook.rules.egf.grades import grade_name

Array = np.ndarray[Any, Any]

DIFFERENCE, STRENGTH, GRADE = 50, 200, 100
"""Width of the bands, in points: of the difference, and of the rating of the weaker player; in
Go the latter is a grade."""
LEAST_GAMES = 50
"""A band of fewer games joins the next."""
FEW_POINTS = 10
"""Of fewer points that were scored, or lost, draws tell too little of what else there could be."""


@dataclass(frozen=True)
class Band:
    """Games that are alike: what was expected of one side, and what it scored."""

    name: str
    games: int
    expected: float
    scored: float
    off: Interval
    """Scored less expected, with its interval."""


@dataclass(frozen=True)
class Calibrated:
    """One rule book: where it expects too much, and where too little."""

    name: str
    white: Band
    """All games, seen from White."""
    by_difference: tuple[Band, ...]
    """Seen from the higher rated side; the names are differences in points."""
    by_strength: tuple[Band, ...]
    """Seen from the lower rated side; the names are its ratings, or grades."""
    without_rating: int
    """Games in which a player had no rating before: they are in no band."""
    with_handicap: int
    """These are not in the bands either."""


@dataclass(frozen=True)
class Calibrations:
    """Rule books on the same games."""

    systems: tuple[Calibrated, ...]
    games: int
    left_out: int
    """Games in time of which one of the rule books expects nothing."""
    before: int
    """Games of the time in which the ratings are found."""
    since: date
    blocks: str
    """What is drawn again as a whole: ``event`` or ``month``."""
    drawn: int
    seed: int
    even_games: EvenGames | None
    """Go: the table of even games by grade, beside what each edition predicts."""
    findings: Findings
    """What was noticed in the games, and should be looked at."""


def calibrate(
    games: Any,
    rulebooks: Iterable[str],
    *,
    since: date | None = None,
    assume: float | None = None,
    seed: int = 1,
    compiled: bool | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    **beside: Any,
) -> Calibrations:
    """Rate games by each rule book, and hold what it expected against what was scored.

    The arguments are those of :func:`.compare.compare`.  Raises
    :class:`~ratingbook.lab.compare.NothingToCompare`, and what reading and rating raise.
    """
    made = predicted(
        games, rulebooks, before="all", assume=assume, compiled=compiled, progress=progress,
        **beside,
    )  # fmt: skip
    columns = next(iter(made.values())).history.given.games
    day = columns.day
    first = first_day(day, since)
    in_time = day >= first
    common = in_common(in_time, {name: each.expected for name, each in made.items()}, day, first)
    kind, blocks = blocks_of(columns)
    even = np.full(len(day), True) if columns.handicap is None else columns.handicap == 0
    chance = _Chance(blocks, seed)
    total = int(common.sum())
    return Calibrations(
        systems=tuple(
            _of_one(name, each, columns.score / 2.0, common, even, chance)
            for name, each in made.items()
        ),
        games=total,
        left_out=int(in_time.sum()) - total,
        before=len(day) - int(in_time.sum()),
        since=day_of(first),
        blocks=kind,
        drawn=len(np.unique(blocks[common])),
        seed=seed,
        even_games=counted_games(made, common & even),
        findings=noticed(made.values()),
    )


@dataclass(frozen=True)
class _Chance:
    """What the intervals are drawn from."""

    blocks: Array
    seed: int

    def band(self, name: str, expected: Array, score: Array, some: Array) -> Band:
        """The games of one band; the columns are of all games."""
        e, s = expected[some], score[some]
        drawn = interval(s - e, self.blocks[some], seed=self.seed)
        return Band(name, len(e), float(e.mean()), float(s.mean()), _where_few(drawn, e, s))


def _where_few(drawn: Interval, expected: Array, score: Array) -> Interval:
    """The interval that was drawn, where few points were scored or lost no less than Wilson's.

    What was not there cannot be drawn again: of games that were all won there would be no spread.
    """
    games, scored = len(score), float(score.sum())
    if min(scored, games - scored) >= FEW_POINTS:
        return drawn
    low, high = (each - float(expected.mean()) for each in wilson(scored, games))
    return Interval(drawn.mean, min(drawn.low, low), max(drawn.high, high))


def _of_one(
    name: str, made: Predictions, score: Array, common: Array, even: Array, chance: _Chance
) -> Calibrated:
    expected = made.expected
    known = made.before
    assert known is not None
    ahead = known.white - known.black
    some = common & even & np.isfinite(ahead)
    lower = ahead < 0
    by_difference = [
        chance.band(label, np.where(lower, 1 - expected, expected),
                    np.where(lower, 1 - score, score), band)
        for label, band in bands(np.abs(ahead), some, DIFFERENCE)
    ]  # fmt: skip
    grades = "grade" in bulk_of(made.book).codes
    by_strength = [
        chance.band(label, np.where(lower, expected, 1 - expected),
                    np.where(lower, score, 1 - score), band)
        for label, band in _by_strength(known, some, grades)
    ]  # fmt: skip
    return Calibrated(
        name=name,
        white=chance.band("all games", expected, score, common),
        by_difference=tuple(by_difference),
        by_strength=tuple(by_strength),
        without_rating=int((common & even & ~np.isfinite(ahead)).sum()),
        with_handicap=int((common & ~even).sum()),
    )


def _by_strength(known: Before, some: Array, grades: bool) -> Iterator[tuple[str, Array]]:
    """The bands of the rating of the weaker player; in Go the names are those of grades."""
    weaker = np.fmin(known.white, known.black)
    if not grades:
        yield from bands(weaker, some, STRENGTH)
        return
    # The nominal rating of a grade is the middle of its band: 1 dan, 2100, is 2050 to 2150.
    yield from bands(weaker + GRADE / 2, some, GRADE, words=_grades)


def _grades(least: int, greatest: int) -> str:
    first, last = (grade_name((each - 2100) // GRADE) for each in (least, greatest - 1))
    return first if first == last else f"{first} to {last}"


def _points(least: int, greatest: int) -> str:
    return f"{least} to {greatest - 1}"


def bands(
    values: Array, some: Array, width: int, *, words: Callable[[int, int], str] = _points
) -> Iterator[tuple[str, Array]]:
    """Games by a value in bands of a width, the least first, as their name and which they are.

    Bands of fewer than :data:`LEAST_GAMES` join the next one, those at the end the one before.
    """
    if not some.any():
        return
    number = np.full(len(values), -1, np.int64)
    lowest = int(np.floor(values[some].min() / width))
    number[some] = np.floor(values[some] / width).astype(np.int64) - lowest
    counts = np.bincount(number[some])
    ends: list[int] = []
    held = 0
    for at, count in enumerate(counts.tolist()):
        held += count
        if held >= LEAST_GAMES:
            ends.append(at + 1)
            held = 0
    if held and ends:
        ends[-1] = len(counts)
    elif held:
        ends = [len(counts)]
    begin = 0
    for end in ends:
        yield (
            words((lowest + begin) * width, (lowest + end) * width),
            (number >= begin) & (number < end),
        )
        begin = end


def sentences(made: Calibrations) -> list[str]:
    """Where each rule book is off for more than chance explains, in words."""
    found = []
    for each in made.systems:
        if each.by_difference:
            parts = [_off(band, "by") for band in each.by_difference if band.off.is_sure]
            found.append(
                f"{each.name}: of the higher rated side it expects "
                + (_listed(parts) if parts else "what it scores, within the intervals")
                + "."
            )
        if each.white.off.is_sure:
            more = "more" if each.white.off.mean > 0 else "less"
            found.append(
                f"{each.name}: White scores {abs(each.white.off.mean):.3f} {more} a game than is "
                "expected."
            )
    few = warning(made.drawn, made.blocks)
    return found if few is None else [*found, few]


def _off(band: Band, word: str) -> str:
    much = "too much" if band.off.mean < 0 else "too little"
    return f"{abs(band.off.mean):.3f} {much} {word} {band.name} points"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
