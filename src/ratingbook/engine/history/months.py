"""Events so long that their months are rated by themselves, as an edition may ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.program import Program
from ratingbook.engine.history.spans import Spans
from ratingbook.engine.history.stages import at_days
from ratingbook.engine.history.timetable import deciding_days, spans_said
from ratingbook.model import Event, Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.rules.wording import either

Array = np.ndarray[Any, Any]

_MONTHS = 10**5
"""More than there are months in any calendar of ours."""
_SHORTEST = 28
"""No edition splits an event of fewer days: it may lie within one month."""


def month_keys(events: Array, days: Array) -> Array:
    """One number for each event and month."""
    months = days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    return joined_keys(events, months)


def joined_keys(events: Array, months: Array) -> Array:
    """The keys of events and months; months count from January 1970."""
    keys: Array = events.astype(np.int64) * _MONTHS + months + _MONTHS // 2
    return keys


def split_keys(keys: Array) -> tuple[Array, Array]:
    """Events and months of :func:`joined_keys`."""
    return keys // _MONTHS, keys % _MONTHS - _MONTHS // 2


@dataclass(frozen=True)
class MonthSpans:
    """First and last day of each event's games of a month."""

    keys: Array
    start: Array
    end: Array

    @classmethod
    def of(cls, keys: Array, start: Array, end: Array) -> MonthSpans:
        """Those of rows with these keys, in whatever order."""
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        firsts = np.flatnonzero(np.r_[len(keys) > 0, keys[1:] != keys[:-1]][: len(keys)])
        if not len(firsts):
            return cls(keys, start, end)
        return cls(
            keys[firsts],
            np.minimum.reduceat(start[order], firsts),
            np.maximum.reduceat(end[order], firsts),
        )


def months_of_games(events: Array, days: Array, begun: Array, spans: Spans) -> MonthSpans:
    """The months of the events of some games; ``spans`` are the events' own.

    Most events lie within a month: then what is known of the event holds for all its games.
    """
    played = np.flatnonzero(spans.played)
    start, end = spans.start[played], spans.end[played]
    keys = month_keys(played, start)
    within = keys == month_keys(played, end)
    goes_on = np.zeros(len(spans.start), bool)
    goes_on[played[~within]] = True
    which = np.flatnonzero(goes_on[events])
    return MonthSpans.of(
        np.concatenate([keys[within], month_keys(events[which], days[which])]),
        np.concatenate([start[within], begun[which]]),
        np.concatenate([end[within], days[which]]),
    )


@dataclass(frozen=True)
class Months:
    """Long events, and the codes of their months, which follow those of all events."""

    is_long: Array
    """Which events are long, by code."""
    keys: Array
    """The months of long events, ascending."""

    @property
    def parents(self) -> Array:
        """The event of each month."""
        found: Array = split_keys(self.keys)[0].astype(np.int32)
        return found

    def codes(self, codes: Array, day: Array) -> Array:
        """The events of games, those of long ones by months."""
        which = np.flatnonzero(self.is_long[codes])
        if not len(which):
            return codes
        changed = codes.copy()
        places = np.searchsorted(self.keys, month_keys(codes[which], day[which]))
        changed[which] = len(self.is_long) + places
        return changed

    def spans(self, spans: Spans, found: MonthSpans) -> Spans:
        """The spans of events and months; a month's part begins in its month."""
        places = np.searchsorted(found.keys, self.keys)
        months = split_keys(self.keys)[1].astype("datetime64[M]")
        first = months.astype("datetime64[D]").astype(np.int64).astype(np.int32)
        nobody = Spans.none(len(self.is_long))
        return Spans(
            np.r_[
                np.where(self.is_long, nobody.start, spans.start),
                np.maximum(found.start[places], first),
            ].astype(np.int32),
            np.r_[np.where(self.is_long, nobody.end, spans.end), found.end[places]].astype(
                np.int32
            ),
        )


def long_events(
    spans: Spans, said: pa.Table | None, program: Program, findings: Findings
) -> Array | None:
    """Which events are rated month by month; None where none is."""
    calendar = program.bulk.calendar
    if calendar is None or calendar.splits is None:
        return None
    start, end = spans_said(spans, said)
    found = np.zeros(len(start), bool)
    stages = program.book.stages()
    # One of a single day has one.
    count = end - start + 1
    long = np.flatnonzero(spans.played & (count > _SHORTEST))
    stage_of = at_days(stages, deciding_days(start[long], end[long], Event(), program))
    for event, stage in zip(long.tolist(), stage_of.tolist(), strict=True):
        found[event] = calendar.splits(int(count[event]), stages[stage].parameters)
    if not found.any():
        return None
    findings.add(
        Severity.INFO,
        "history.long-events",
        either(
            int(found.sum()),
            "{count} event is so long that the games of each month are rated as an event of their "
            "own.",
            "{count} events are so long that the games of each month are rated as an event of "
            "their own.",
        ),
        remedy=sentence("Set longest_event=0 to rate them as a whole."),
    )
    return found
