"""What a rule book expected of games before they were played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from ratingbook.engine.history.api import (
    History,
    as_history,
    book_of,
    checked,
    program_for,
)
from ratingbook.engine.history.correct import joined
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Changes, Run
from ratingbook.engine.history.signatures import rows_of_input
from ratingbook.engine.history.tables import games_of_rows
from ratingbook.engine.options import Beside
from ratingbook.model import Findings
from ratingbook.rules.book import RatedBy
from ratingbook.rules.bulk import NO_NUMBER
from ratingbook.rules.series import BookOrSeries

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Predictions:
    """What was expected of White in each game of a history, in the order of the input."""

    book: BookOrSeries
    history: History
    expected: Array
    """Shares of the point; NaN where the rule book expects nothing: of players without a rating,
    and of games that do not count."""
    findings: Findings
    program: Program
    before: Before | None = None
    """The ratings and grades before each game, if they were asked for."""


@dataclass(frozen=True)
class Before:
    """What was known of White and of Black before each game, in the order of the input."""

    white: Array
    """Rating before the batch, or the game where each is rated by itself; NaN: none, or the
    game does not count for the player."""
    black: Array
    white_grade: Array
    """The code of the grade with which White entered the event; NOT_GIVEN: none.  Empty where
    the rule book reads no grades, or no entry says one."""
    black_grade: Array


class PredictsNothing(ValueError):
    """A rule book that does not say what it expects of a game."""


def predict_history(
    history: Any,
    rulebook: str | BookOrSeries,
    *,
    settings: Mapping[str, str] | None = None,
    assume: float | None = None,
    compiled: bool | None = None,
    before: bool = False,
    like: Predictions | None = None,
    progress: Callable[[int, int], None] | None = None,
    compiling: Callable[[BookOrSeries], None] | None = None,
    **beside: Unpack[Beside],
) -> Predictions:
    """Rate a history, and note before each game what the rule book expects of it.

    The arguments are those of :func:`~ratingbook.engine.history.rate_history`.  No prediction
    knows the result of its game, nor of any that is rated with it or later.  With ``before``
    the ratings before the games are noted, too.  ``like`` are predictions of the same edition
    with other numbers, whose loops are used again.  Raises
    :class:`PredictsNothing`, and :class:`HistoryRefused` as the rating of a history does.
    """
    history = as_history(history, beside)
    book = book_of(rulebook, settings)
    findings = checked(history, book)
    if like is None:
        program = program_for(book, len(history), compiled)
    else:
        program = like.program.with_numbers(book)
    if program.bulk.predicted is None:
        raise PredictsNothing(
            f"{book.name} does not say what it expects of a game; its makers can, by "
            "Bulk(predicted=…)."
        )
    run = Run(history.given, program, assume=assume, rows=before, predictions=True)
    if compiling is not None and not run.is_compiled():
        compiling(book)
    total = int(run.plan.games.offsets[-1])
    parts = []
    for some in run.batches():
        if before:
            parts.append(some)
        if progress is not None:
            progress(int(run.plan.games.offsets[run.state.next_batch]), total)
    findings.extend(run.plan.findings)
    known = _before(run, joined(parts) if parts else run.no_changes()) if before else None
    return Predictions(book, history, run.predicted, findings, run.program, known)


def _before(run: Run, rows: Changes) -> Before:
    """The ratings of the rows of changes, and the grades of the entries, game by game."""
    plan, games = run.plan, run.given.games
    if run.program.book.rated_by is RatedBy.GAME:
        of_input = rows_of_input(run.given, np.arange(len(games)))
        known = games_of_rows(run, rows)
        some = known > 0
        at = np.searchsorted(of_input, known[some] - 1)
        player, rating = rows.player[some], rows.before[some]
        found = []
        for side in (games.white, games.black):
            own = side[at] == player
            ratings = np.full(len(games), NO_NUMBER)
            ratings[at[own]] = rating[own]
            found.append(ratings)
        no_grades = np.empty(0, np.int32)
        return Before(found[0], found[1], no_grades, no_grades)
    width = len(run.given.players)
    keys = rows.batch.astype(np.int64) * width + rows.player
    order = np.argsort(keys, kind="stable")
    keys, ratings = keys[order], rows.before[order]
    batch = np.repeat(np.arange(len(plan), dtype=np.int64), np.diff(plan.games.offsets))
    found = []
    for side in (plan.games.white, plan.games.black):
        wanted = batch * width + side
        place = np.minimum(np.searchsorted(keys, wanted), max(0, len(keys) - 1))
        hit = keys[place] == wanted if len(keys) else np.zeros(len(wanted), bool)
        held = ratings[place] if len(keys) else NO_NUMBER
        found.append(_as_given(run, np.where(hit, held, NO_NUMBER)))
    entered = plan.games.entry_white, plan.games.entry_black
    white_grade, black_grade = (_as_given(run, each) for each in entered)
    return Before(found[0], found[1], white_grade, black_grade)


def _as_given(run: Run, values: Array) -> Array:
    """Values of the games of the plan, in the order of the input."""
    moved = run.plan.moved
    if moved is None or not len(values):
        return values
    found = np.empty_like(values)
    found[moved] = values
    return found
