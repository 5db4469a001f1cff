"""Which parameters rate which batch: a history may cross amendments, reforms and editions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np

from ratingbook.model import Findings, Severity
from ratingbook.rules.book import AnyRuleBook
from ratingbook.rules.bulk import EPOCH, day_number
from ratingbook.rules.series import Reform, Stage

Array = np.ndarray[Any, Any]

_ALWAYS = np.iinfo(np.int32).min


@dataclass(frozen=True)
class Stretch:
    """Batches that are rated with the same parameters, from ``first`` on."""

    first: int
    edition: str
    parameters: Any
    reforms: tuple[tuple[Reform, Any], ...] = ()
    """What happens to all standings before the first of them, with whose parameters."""


def days_of(stages: Sequence[Stage]) -> Array:
    """The first day of each stage."""
    found = [_ALWAYS if each.since is None else day_number(each.since) for each in stages]
    return np.array(found, np.int32)


def at_days(stages: Sequence[Stage], days: Array) -> Array:
    """The stage of each day."""
    found: Array = np.searchsorted(days_of(stages), days, side="right") - 1
    return np.maximum(found, 0)


def stretches(book: AnyRuleBook, keys: Array) -> tuple[Stretch, ...]:
    """The stretches of batches with these days; a last one without batches has reforms only.

    A list is made by the rules of the day before it; a reform belongs to the list of
    its day, and is done as soon as that list is rated, if a list was rated before it.
    """
    stages = book.stages()
    by_list = book.bulk is not None and book.bulk.calendar is not None
    firsts = np.searchsorted(keys, days_of(stages), side="right" if by_list else "left")
    found: list[Stretch] = []
    waiting: list[tuple[Reform, Any]] = []
    for number, (stage, first) in enumerate(zip(stages, firsts.tolist(), strict=True)):
        last = firsts[number + 1] if number + 1 < len(stages) else len(keys)
        if stage.reform is not None and first > 0 and _is_done(stage, first, keys):
            waiting.append((stage.reform, stage.parameters))
        if first < last or (waiting and number + 1 == len(stages)):
            found.append(Stretch(first, stage.edition, stage.parameters, tuple(waiting)))
            waiting = []
    return tuple(found) or (Stretch(0, stages[-1].edition, stages[-1].parameters),)


def tell_stretches(
    book: AnyRuleBook, found: Sequence[Stretch], keys: Array, findings: Findings
) -> None:
    """Which edition rates what, and which reforms change all ratings."""
    editions = dict.fromkeys(stretch.edition for stretch in found)
    if book.editions:
        told = [
            f"{edition} from {_day(keys, min(s.first for s in found if s.edition == edition))}"
            for edition in editions
        ]
        findings.add(
            Severity.INFO,
            "history.editions",
            f"{book.name}: the lists or events are rated by {', '.join(told)}.",
            remedy="Name an edition to rate all of them with it.",
        )
    for stretch in found:
        for reform, _ in stretch.reforms:
            findings.add(
                Severity.INFO,
                "history.reform",
                f"On {reform.day} all ratings are changed once: {reform.text}. There are no rows "
                "of changes for that.",
                remedy="Begin with the players and games of a later list to leave it out.",
            )


def _day(keys: Array, batch: int) -> date:
    return EPOCH + timedelta(days=int(keys[min(batch, len(keys) - 1)])) if len(keys) else EPOCH


def _is_done(stage: Stage, first: int, keys: Array) -> bool:
    """Whether the history comes to the reform: it has its list, or a later one."""
    return first < len(keys) or (
        stage.since is not None and int(keys[-1]) >= day_number(stage.since)
    )
