"""Even games of Go by grade, as the EGF publishes them, beside what editions predict.

For each grade: games and wins of its players against opponents who are one to four grades
stronger.  A prediction is between the nominal ratings of the two grades; where the games
themselves are at hand, what was expected of them stands beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ratingbook.engine.history.predictions import Before, Predictions
from ratingbook.rules.bulk import NOT_GIVEN
from ratingbook.rules.egf.columns import Parameters
from ratingbook.rules.egf.grades import grade_name, index_of
from ratingbook.rules.egf.statistics import GAPS, Count, predicted_share
from ratingbook.rules.series import BookOrSeries

Array = np.ndarray[Any, Any]
Counts = Mapping[tuple[int, int], Count]
"""By the grade of the weaker player and by how many grades the other is stronger."""

_Z = 1.959963984540054
"""The standard normal distribution has 2.5 % above this."""


@dataclass(frozen=True)
class Cell:
    """The games of one grade against one that is so much stronger."""

    grade: str
    stronger: int
    games: int
    won: float
    """A jigo is half a win."""
    share: float
    low: float
    high: float
    """The interval of Wilson (1927), as if the games were independent of each other."""
    predicted: Mapping[str, float]
    """By edition: between the nominal ratings."""
    expected: Mapping[str, float] = field(default_factory=dict)
    """By edition: the mean of what was expected of these very games, where they are at hand."""


@dataclass(frozen=True)
class EvenGames:
    """The table: the weakest grade first, and in it the smallest gap."""

    cells: tuple[Cell, ...]
    games: int
    summary: tuple[Summary, ...]


@dataclass(frozen=True)
class Summary:
    """How near one edition is to the table as a whole."""

    name: str
    off: float
    """The mean of predicted less scored, by games."""
    apart: float
    """The root of the mean square of that, by games."""
    within: int
    """Cells whose interval holds the prediction."""
    log_loss: float
    """Mean logarithmic loss of the games, had the prediction been made of each."""


class NoGrades(ValueError):
    """A rule book that does not predict by grades."""


def even_games(counts: Counts, books: Mapping[str, BookOrSeries]) -> EvenGames:
    """A table of counted games beside the predictions of editions of the EGF.

    Raises :class:`NoGrades` for another rule book.
    """
    parameters = {}
    for name, book in books.items():
        held = getattr(book, "parameters", None)
        if not isinstance(held, Parameters):
            raise NoGrades(
                f"{name} has no grades: a table of even games is for the editions of the EGF "
                "(egf-1998, egf-2013, egf-2021)."
            )
        parameters[name] = held
    return _table(counts, parameters)


def _table(
    counts: Counts,
    parameters: Mapping[str, Parameters],
    expected: Mapping[tuple[int, int], Mapping[str, float]] | None = None,
) -> EvenGames:
    cells = []
    for (grade, gap), each in sorted(counts.items()):
        if each.games:
            low, high = wilson(each.wins, each.games)
            cells.append(
                Cell(
                    grade=grade_name(grade),
                    stronger=gap,
                    games=each.games,
                    won=each.wins,
                    share=each.wins / each.games,
                    low=low,
                    high=high,
                    predicted={n: predicted_share(grade, gap, p) for n, p in parameters.items()},
                    expected=(expected or {}).get((grade, gap), {}),
                )
            )
    return EvenGames(
        tuple(cells),
        sum(each.games for each in cells),
        tuple(_summary(name, cells) for name in parameters) if cells else (),
    )


def _summary(name: str, cells: Sequence[Cell]) -> Summary:
    games = sum(each.games for each in cells)
    off = [(each, each.predicted[name] - each.share) for each in cells]
    return Summary(
        name=name,
        off=sum(each.games * less for each, less in off) / games,
        apart=math.sqrt(sum(each.games * less * less for each, less in off) / games),
        within=sum(each.low <= each.predicted[name] <= each.high for each in cells),
        log_loss=-sum(
            each.won * math.log(each.predicted[name])
            + (each.games - each.won) * math.log(1 - each.predicted[name])
            for each in cells
        )
        / games,
    )


def wilson(won: float, games: int) -> tuple[float, float]:
    """The interval of a share that holds it in 95 of 100 samples (Wilson 1927)."""
    share, z2 = won / games, _Z * _Z
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = _Z / (1 + z2 / games) * math.sqrt(share * (1 - share) / games + z2 / (4 * games**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def counted_games(made: Mapping[str, Predictions], some: Array) -> EvenGames | None:
    """The table of some games of a history; None where no rule book is one of the EGF.

    The grade is the one that a player entered with, else that of the rating before, by the
    first of the editions.
    """
    of_egf = {
        name: each for name, each in made.items() if isinstance(_parameters(each), Parameters)
    }
    if not of_egf:
        return None
    first = next(iter(of_egf.values()))
    assert first.before is not None
    columns = first.history.given.games
    white, black = grades_of(first.before)
    gap = np.where((white == NOT_GIVEN) | (black == NOT_GIVEN), 0, np.abs(white - black))
    counts: dict[tuple[int, int], Count] = {}
    expected: dict[tuple[int, int], Mapping[str, float]] = {}
    lower = np.minimum(white, black)
    for at in _cells_in(lower, gap, some):
        grade, stronger = at
        games = some & (lower == grade) & (gap == stronger)
        of_white = (white == grade)[games]
        score = columns.score[games].astype(int)
        counts[at] = Count(int(games.sum()), int(np.where(of_white, score, 2 - score).sum()))
        expected[at] = {
            name: float(np.where(of_white, each.expected[games], 1 - each.expected[games]).mean())
            for name, each in of_egf.items()
        }
    return _table(counts, {name: _parameters(each) for name, each in of_egf.items()}, expected)


def _parameters(made: Predictions) -> Any:
    return getattr(made.book, "parameters", None)


def _cells_in(lower: Array, gap: Array, some: Array) -> Iterable[tuple[int, int]]:
    wanted = some & np.isin(gap, GAPS)
    return sorted(set(zip(lower[wanted].tolist(), gap[wanted].tolist(), strict=True)))


def grades_of(known: Before) -> tuple[Array, Array]:
    """White's and Black's grade in each game: the declared one, else that of the rating."""
    found = []
    for rating, code in ((known.white, known.white_grade), (known.black, known.black_grade)):
        by_rating = np.full(len(rating), NOT_GIVEN, np.int64)
        rated = np.isfinite(rating)
        by_rating[rated] = np.floor((rating[rated] - 2050) / 100)
        if len(code):
            declared = np.array([index_of(each) for each in code.tolist()], np.int64)
            by_rating = np.where(code == NOT_GIVEN, by_rating, declared)
        found.append(by_rating)
    return found[0], found[1]


def sentences(made: EvenGames) -> list[str]:
    """How near each edition comes to the table, in words; the nearest first."""
    found = []
    for each in sorted(made.summary, key=lambda one: one.apart):
        more = "less" if each.off < 0 else "more"
        found.append(
            f"{each.name} is {100 * each.apart:.1f} percentage points from the table (root mean "
            f"square by games): it expects {100 * abs(each.off):.1f} {more} of the weaker side "
            f"than is scored; the intervals of {each.within} of {len(made.cells)} cells hold its "
            "prediction."
        )
    return found
