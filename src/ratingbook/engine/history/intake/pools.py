"""The pools that games name: what they say is said of their events."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import Codes, HistoryInput
from ratingbook.model import Findings, Place, Severity
from ratingbook.rules.bulk import EPOCH
from ratingbook.rules.wording import counted

_REMEDY = "Give the games of each pool an event of their own."


def with_pools(
    given: HistoryInput, codes: Codes, ids: pa.Array, findings: Findings
) -> HistoryInput:
    """The history whose events say the pools that their games name by these codes.

    Games without a word are of the pool of the others of their event.  Without a column
    ``event`` each day of a pool is an event.
    """
    words = [str(word.as_py()).strip() for word in ids]
    if given.games.event is None:
        return _by_day_and_pool(given, codes, words)
    said = np.array([bool(word) for word in words], bool)[codes]
    events, named = given.games.event[said], codes[said]
    count = len(given.event_ids)
    least, most = np.full(count, len(words)), np.full(count, -1)
    np.minimum.at(least, events, named)
    np.maximum.at(most, events, named)
    table = given.events
    told = _told(table, count)
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
        (mixed, "has games of several pools"),
        (other & ~mixed, "is of another pool in the events file than in the games"),
    ):
        if wrong.any():
            event = str(given.event_ids[int(wrong.argmax())].as_py())
            more = int(wrong.sum()) - 1
            findings.add(
                Severity.ERROR,
                "history.event-pools",
                f"The event {event!r} {what}"
                + (f", and so do {counted(more, 'more event')}." if more else "."),
                Place(path="games, column pool"),
                _REMEDY,
            )
    known = table if table is not None else pa.table({"event": np.empty(0, np.int32)})
    lacking = np.setdiff1d(np.arange(count, dtype=np.int32), known["event"].to_numpy())
    whole = pa.concat_tables(
        [known, pa.table({"event": lacking.astype(np.int32)})], promote_options="default"
    )
    pools = [of_event[event] or None for event in whole["event"].to_pylist()]
    if "pool" in whole.column_names:
        whole = whole.drop_columns(["pool"])
    return replace(given, events=whole.append_column("pool", pa.array(pools, pa.string())))


def _told(table: pa.Table | None, count: int) -> list[str]:
    """The pools that the events file names, by event; empty: it names none."""
    told = [""] * count
    if table is not None and "pool" in table.column_names:
        for event, word in zip(table["event"].to_pylist(), table["pool"].to_pylist(), strict=True):
            told[event] = (word or "").strip()
    return told


def _by_day_and_pool(given: HistoryInput, codes: Codes, words: list[str]) -> HistoryInput:
    """Every day of a pool is an event."""
    order = sorted(range(len(words)), key=words.__getitem__)
    rank = np.empty(len(words), np.int64)
    rank[order] = np.arange(len(words))
    days = given.games.day.astype(np.int64)
    keys, event = np.unique(days * len(words) + rank[codes], return_inverse=True)
    named = [(key // len(words), words[order[key % len(words)]]) for key in keys.tolist()]
    ids = [f"{EPOCH + timedelta(days=day)} {word}".strip() for day, word in named]
    events = pa.table(
        {
            "event": np.arange(len(keys), dtype=np.int32),
            "pool": pa.array([word or None for _, word in named], pa.string()),
        }
    )
    games = replace(given.games, event=event.reshape(-1).astype(np.int32))
    return replace(given, games=games, event_ids=pa.array(ids, pa.string()), events=events)
