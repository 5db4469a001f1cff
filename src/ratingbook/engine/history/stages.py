"""Which parameters rate which batch: a history may cross amendments, reforms and editions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import row_of, sentence, stated
from ratingbook.rules.book import RuleBook
from ratingbook.rules.bulk import EPOCH, day_number
from ratingbook.rules.series import BookOrSeries, Series
from ratingbook.rules.timeline import Reform, Stage

Array = np.ndarray[Any, Any]

_ALWAYS = np.iinfo(np.int32).min


@dataclass(frozen=True)
class Stretch:
    """Batches that are rated with the same parameters, from ``first`` on."""

    first: int
    edition: str
    parameters: Any

    def book_of(self, book: RuleBook | Series) -> RuleBook:
        """The edition of them; of a rule book itself there is only one."""
        if not isinstance(book, Series):
            return book
        return next(each for each in book.editions if each.name == self.edition)


@dataclass(frozen=True)
class Reformed:
    """A reform that is done before the batch ``before``, with the parameters of its stage."""

    before: int
    reform: Reform
    parameters: Any


def days_of(stages: Sequence[Stage]) -> Array:
    """The first day of each stage."""
    found = [_ALWAYS if each.since is None else day_number(each.since) for each in stages]
    return np.array(found, np.int32)


def at_days(stages: Sequence[Stage], days: Array) -> Array:
    """The stage of each day."""
    found: Array = np.searchsorted(days_of(stages), days, side="right") - 1
    return np.maximum(found, 0)


def stretches(book: BookOrSeries, keys: Array) -> tuple[Stretch, ...]:
    """The stretches of batches with these days.

    A list is made by the rules of the day before it; where events carry the numbers of
    their own edition (``decides``), the rest goes by the day of the list itself, but for the
    list of a reform, which is made before that.
    """
    stages = book.stages()
    calendar = book.bulk.calendar if book.bulk else None
    by_day_before = calendar is not None and calendar.decides is None
    by_before = [by_day_before or stage.reform is not None for stage in stages]
    days = days_of(stages)
    at, after = np.searchsorted(keys, days, side="left"), np.searchsorted(keys, days, side="right")
    firsts = np.where(by_before, after, at)
    found: list[Stretch] = []
    for number, (stage, first) in enumerate(zip(stages, firsts.tolist(), strict=True)):
        last = firsts[number + 1] if number + 1 < len(stages) else len(keys)
        if first < last:
            found.append(Stretch(first, stage.edition, stage.parameters))
    return tuple(found) or (Stretch(0, stages[-1].edition, stages[-1].parameters),)


def reforms(book: BookOrSeries, keys: Array) -> tuple[Reformed, ...]:
    """The reforms of a history of batches with these days.

    A reform belongs to the list of its day, and is done as soon as that list, or a later
    one, is rated, if a list was rated before it.
    """
    by_list = book.bulk is not None and book.bulk.calendar is not None
    side: Any = "right" if by_list else "left"
    found: list[Reformed] = []
    for stage in book.stages():
        if stage.reform is None or stage.since is None or not len(keys):
            continue
        day = day_number(stage.since)
        before = int(np.searchsorted(keys, day, side=side))
        if before > 0 and (before < len(keys) or int(keys[-1]) >= day):
            found.append(Reformed(before, stage.reform, stage.parameters))
    return tuple(found)


def tell_stages(
    book: BookOrSeries,
    found: Sequence[Stretch],
    done: Sequence[Reformed],
    keys: Array,
    findings: Findings,
) -> None:
    """Which edition rates what, and which reforms change all ratings."""
    editions = dict.fromkeys(stretch.edition for stretch in found)
    if editions.keys() != {book.name}:
        told = [
            sentence(
                "{edition} from {day}",
                edition=edition,
                day=_day(keys, min(s.first for s in found if s.edition == edition)),
            )
            for edition in editions
        ]
        calendar = book.bulk.calendar if book.bulk else None
        by_event = calendar is not None and calendar.decides is not None
        findings.add(
            Severity.INFO,
            "history.editions",
            sentence(
                "{book}: the lists or events are rated by {told}. Each event goes by the edition "
                "of its own day.",
                book=book.name,
                told=row_of(told),
            )
            if by_event
            else sentence(
                "{book}: the lists or events are rated by {told}.",
                book=book.name,
                told=row_of(told),
            ),
            remedy=sentence("Name an edition to rate all of them with it."),
        )
    for reformed in done:
        findings.add(
            Severity.INFO,
            "history.reform",
            sentence(
                "On {day} all ratings are changed once: {what}. There are no rows of changes for "
                "that.",
                day=reformed.reform.day,
                what=stated(reformed.reform.text),
            ),
            remedy=sentence("Begin with the players and games of a later list to leave it out."),
        )


def _day(keys: Array, batch: int) -> date:
    return EPOCH + timedelta(days=int(keys[min(batch, len(keys) - 1)])) if len(keys) else EPOCH
