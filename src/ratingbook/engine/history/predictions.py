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
from ratingbook.engine.history.run import Run
from ratingbook.engine.options import Beside
from ratingbook.model import Findings
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


class PredictsNothing(ValueError):
    """A rule book that does not say what it expects of a game."""


def predict_history(
    history: Any,
    rulebook: str | BookOrSeries,
    *,
    settings: Mapping[str, str] | None = None,
    assume: float | None = None,
    compiled: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
    compiling: Callable[[BookOrSeries], None] | None = None,
    **beside: Unpack[Beside],
) -> Predictions:
    """Rate a history, and note before each game what the rule book expects of it.

    The arguments are those of :func:`~ratingbook.engine.history.rate_history`.  No prediction
    knows the result of its game, nor of any that is rated with it or later.  Raises
    :class:`PredictsNothing`, and :class:`HistoryRefused` as the rating of a history does.
    """
    history = as_history(history, beside)
    book = book_of(rulebook, settings)
    findings = checked(history, book)
    program = program_for(book, len(history), compiled)
    if program.bulk.predicted is None:
        raise PredictsNothing(
            f"{book.name} does not say what it expects of a game; its makers can, by "
            "Bulk(predicted=…)."
        )
    run = Run(history.given, program, assume=assume, rows=False, predictions=True)
    if compiling is not None and not run.is_compiled():
        compiling(book)
    total = int(run.plan.games.offsets[-1])
    for _ in run.batches():
        if progress is not None:
            progress(int(run.plan.games.offsets[run.state.next_batch]), total)
    findings.extend(run.plan.findings)
    return Predictions(book, history, run.predicted, findings)
