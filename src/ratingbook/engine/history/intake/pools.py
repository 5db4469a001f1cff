"""The pools or time controls that games name: what they say is said of their events."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ratingbook.engine.history.columns import Codes, HistoryInput
from ratingbook.model import Findings, Place, Severity
from ratingbook.rules.bulk import EPOCH
from ratingbook.rules.wording import counted

POOL, TIME_CONTROL = "pool", "time_control"
COLUMNS = (POOL, TIME_CONTROL)
"""The columns of games that say it; of two the first is followed."""
_WHAT = {POOL: "pool", TIME_CONTROL: "time control"}


def with_pools(
    given: HistoryInput, codes: Codes, ids: pa.Array, findings: Findings, column: str
) -> HistoryInput:
    """The history whose events say the pools that their games name by these codes.

    Games without a word are of the pool of the others of their event.  Without a column
    ``event`` each day of a pool is an event.  ``column`` is one of :data:`COLUMNS`.
    """
    if given.games.event is None:
        event_ids, events, event = by_day_and_pool(given.games.day, codes, ids, column)
        games = replace(given.games, event=event)
        return replace(given, games=games, event_ids=event_ids, events=events)
    return with_pools_of_events(given, given.games.event, codes, ids, findings, column)


def with_pools_of_events(
    given: HistoryInput, event: Codes, codes: Codes, ids: pa.Array, findings: Findings, column: str
) -> HistoryInput:
    """The history whose events say the pools that their games name: pairs of both codes."""
    words = _words(ids)
    said = np.array([bool(word) for word in words], bool)[codes]
    events, named = event[said], codes[said]
    count = len(given.event_ids)
    least, most = np.full(count, len(words)), np.full(count, -1)
    np.minimum.at(least, events, named)
    np.maximum.at(most, events, named)
    table = given.events
    told, kind = _told(table, count, column), _WHAT[column]
    of_event = [told[event] if most[event] < 0 else words[most[event]] for event in range(count)]
    mixed = (most >= 0) & (least != most)
    other = np.array(
        [
            bool(was) and was.casefold() != now.casefold()
            for was, now in zip(told, of_event, strict=True)
        ],
        bool,
    )
    for wrong, what in (
        (mixed, f"has games of several {kind}s"),
        (other & ~mixed, f"is of another {kind} in the events file than in the games"),
    ):
        if wrong.any():
            first = str(given.event_ids[int(wrong.argmax())].as_py())
            more = int(wrong.sum()) - 1
            findings.add(
                Severity.ERROR,
                "history.event-pools",
                f"The event {first!r} {what}"
                + (f", and so do {counted(more, 'more event')}." if more else "."),
                Place(path=f"games, column {column}"),
                f"Give the games of each {kind} an event of their own.",
            )
    known = table if table is not None else pa.table({"event": np.empty(0, np.int32)})
    lacking = np.setdiff1d(np.arange(count, dtype=np.int32), known["event"].to_numpy())
    whole = pa.concat_tables(
        [known, pa.table({"event": lacking.astype(np.int32)})], promote_options="default"
    )
    pools = [of_event[event] or None for event in whole["event"].to_pylist()]
    if column in whole.column_names:
        whole = whole.drop_columns([column])
    return replace(given, events=whole.append_column(column, pa.array(pools, pa.string())))


def _told(table: pa.Table | None, count: int, column: str) -> list[str]:
    """What the events file says in a column, by event; empty: nothing."""
    told = [""] * count
    if table is not None and column in table.column_names:
        for event, word in zip(table["event"].to_pylist(), table[column].to_pylist(), strict=True):
            told[event] = (word or "").strip()
    return told


def by_day_and_pool(
    day: npt.NDArray[np.int32], codes: Codes, ids: pa.Array, column: str
) -> tuple[pa.Array, pa.Table, Codes]:
    """Every day of a pool is an event: their ids, what is known of them, and those of the games."""
    words = _words(ids)
    order = sorted(range(len(words)), key=words.__getitem__)
    rank = np.empty(len(words), np.int64)
    rank[order] = np.arange(len(words))
    keys, event = np.unique(day.astype(np.int64) * len(words) + rank[codes], return_inverse=True)
    named = [(key // len(words), words[order[key % len(words)]]) for key in keys.tolist()]
    ids_of_events = [f"{EPOCH + timedelta(days=day)} {word}".strip() for day, word in named]
    events = pa.table(
        {
            "event": np.arange(len(keys), dtype=np.int32),
            column: pa.array([word or None for _, word in named], pa.string()),
        }
    )
    return pa.array(ids_of_events, pa.string()), events, event.reshape(-1).astype(np.int32)


def _words(ids: pa.Array) -> list[str]:
    return [str(word.as_py()).strip() for word in ids]
