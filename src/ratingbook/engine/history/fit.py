"""Whether an edition can rate a history: what the players file says within its bounds."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.intake import check_validity
from ratingbook.model import Findings, Place, Severity
from ratingbook.rules.book import AnyRuleBook, Unit
from ratingbook.rules.bulk import EPOCH, NOT_GIVEN

_RATINGS = ("rating", "peak", "floor", "starting_rating", "ter", "fide", "cfc")
_MOST_GAMES = 10**6


def check_history(
    given: HistoryInput, book: AnyRuleBook, days: npt.NDArray[np.int32] | None = None
) -> Findings:
    """What this edition cannot take, of the players file and of the entries.

    ``days`` are the first and the last of the games, where ``given`` does not hold them.
    """
    findings = Findings()
    days = given.games.day if days is None else days
    if len(days):
        for what, day in (("first game", days.min()), ("last game", days.max())):
            findings.extend(check_validity(book, EPOCH + timedelta(days=int(day)), what))
    bulk = book.bulk
    for name, table in (("players", given.standings), ("entries", given.entries)):
        if table is None or bulk is None:
            continue
        for column in table.column_names:
            values = table[column]
            if name == "entries" and column == "rating" and book.unit is not Unit.GAME:
                _tell_ratings_unused(values, book, findings)
            elif column in _RATINGS:
                _check_ratings(name, column, values, table, given, book, findings)
            elif column == "games" and name == "players":
                _check_games(values, table, given, findings)
            elif column in bulk.codes:
                _check_words(name, column, values, book, findings)
    return findings


def tell_passed_over(halves: int, rows: int, book: AnyRuleBook, findings: Findings) -> None:
    """Games that were there, and are not rated; ``rows`` are the changes of all others."""
    if not rows:
        findings.add(
            Severity.WARNING,
            "history.nobody-rated",
            f"No rating changed: under {book.name} nobody could be rated from these games.",
            remedy="Give ratings in a players file, or --assume one for who has none.",
        )
    if halves:
        findings.add(
            Severity.INFO,
            "history.passed-over",
            f"{halves:,} halves of games are not rated: {book.name} does not count them for their "
            "player (an opponent without a rating, an event too old or too fast …).",
            remedy="`--assume`, a players file or an events file may say what is missing.",
        )


def tell_unsettled(unsettled: tuple[int, str], book: AnyRuleBook, findings: Findings) -> None:
    """Events that could not be rated: how many, and which was the first."""
    count, event = unsettled
    if count:
        findings.add(
            Severity.WARNING,
            "history.unsettled",
            f"{count:,} events are not rated, the first is {event!r}: the numbers of their players "
            f"still moved after all the turns that {book.name} allows.",
            remedy="Look whether their results are right; `rate` a report of the event for more.",
        )


def _tell_ratings_unused(values: pa.ChunkedArray, book: AnyRuleBook, findings: Findings) -> None:
    """Ratings that the office set for single events."""
    if len(values) > values.null_count:
        findings.add(
            Severity.WARNING,
            "history.decision-unknown",
            f"{book.name} knows no ratings that are set for an event; they are not used.",
            Place(path="entries, column rating"),
            "Rate up to that event, correct the rating in the players file, and go on from there.",
        )


def _check_ratings(
    name: str,
    column: str,
    values: pa.ChunkedArray,
    table: pa.Table,
    given: HistoryInput,
    book: AnyRuleBook,
    findings: Findings,
) -> None:
    low, high = book.rating_range
    numbers = values.cast(pa.float64()).to_numpy()
    with np.errstate(invalid="ignore"):
        wrong = (numbers < low) | (numbers > high)
        broken = numbers != np.floor(numbers)
    if wrong.any():
        findings.add(
            Severity.ERROR,
            "history.rating-range",
            f"Player {_who(table, given, wrong)} has the {column} {numbers[wrong][0]:g} "
            f"({int(wrong.sum()):,} such players); a rating in {book.name} lies between {low} "
            f"and {high}.",
            Place(path=f"{name}, column {column}"),
            "Correct it, or leave it empty for an unrated player.",
        )
    broken &= ~np.isnan(numbers)
    if book.whole_ratings and column == "rating" and broken.any():
        findings.add(
            Severity.ERROR,
            "history.whole-rating",
            f"Player {_who(table, given, broken)} has the rating {numbers[broken][0]:g} "
            f"({int(broken.sum()):,} such players); ratings in {book.name} are whole numbers.",
            Place(path=f"{name}, column rating"),
            "Give the rating of the published list.",
        )


def _check_games(
    values: pa.ChunkedArray, table: pa.Table, given: HistoryInput, findings: Findings
) -> None:
    numbers = values.cast(pa.float64()).to_numpy()
    with np.errstate(invalid="ignore"):
        wrong = (numbers < 0) | (numbers > _MOST_GAMES)
    if wrong.any():
        findings.add(
            Severity.ERROR,
            "history.games-range",
            f"Player {_who(table, given, wrong)} has {numbers[wrong][0]:g} games "
            f"({int(wrong.sum()):,} such players).",
            Place(path="players, column games"),
            f"A number of games lies between 0 and {_MOST_GAMES:,}.",
        )


def _check_words(
    name: str, column: str, values: pa.ChunkedArray, book: AnyRuleBook, findings: Findings
) -> None:
    """Texts that stand for numbers: grades, statuses."""
    bulk = book.bulk
    if bulk is None:
        return
    words = [str(word) for word in values.unique().to_pylist() if word is not None]
    unknown = sorted(word for word in words if word and bulk.codes[column](word) == NOT_GIVEN)
    if unknown:
        shown = ", ".join(repr(word) for word in unknown[:3])
        findings.add(
            Severity.WARNING,
            f"history.{column.replace('_', '-')}-unknown",
            f"{book.name} does not know the {column.replace('_', ' ')} {shown}"
            f"{' …' if len(unknown) > 3 else ''}; it counts as not given.",
            Place(path=f"{name}, column {column}"),
            "Correct the words, or leave them empty.",
        )


def _who(table: pa.Table, given: HistoryInput, wrong: Any) -> str:
    code = table["player"].to_numpy()[wrong][0]
    return str(given.players[int(code)].as_py())
