"""Sections that are fed as events by themselves, where rules rate each section."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.office.engine.fed import NO_SECTION, Fed


def part_key(event: str, section: str) -> str:
    """What a section of an event is called, as an event and as a batch."""
    return f"{event}#{section}" if section and section != NO_SECTION else event


def wholes_of(key: str) -> list[str]:
    """The events of which this may be, or be a section, the longest name first."""
    found = [key]
    while "#" in key:
        key = key.rpartition("#")[0]
        found.append(key)
    return found


def apart(fed: Fed) -> Fed:
    """The same with the sections of :attr:`~.fed.Fed.parts` as events by themselves.

    So each is rated by what it says itself; they come in the order of their names, as all do.
    """
    if fed.parts is None:
        return fed
    parts: dict[str, list[dict[str, Any]]] = {}
    for row in fed.parts.to_pylist():
        parts.setdefault(row["event"], []).append(row)
    return replace(
        fed, parts=None, games=_games(fed.games, parts),
        events=_events(fed.events, parts, fed.parts.schema),
        entries=_entries(fed.entries, parts, _players(fed.games, parts)),
    )  # fmt: skip


_Parts = Mapping[str, list[dict[str, Any]]]


def _games(games: pa.Table, parts: _Parts) -> pa.Table:
    event, section = games["event"], games["section"]
    is_apart = pc.is_in(event, value_set=pa.array(sorted(parts), pa.string()))
    is_named = pc.and_(is_apart, pc.not_equal(section, NO_SECTION))
    made = {
        "event": pc.if_else(is_named, pc.binary_join_element_wise(event, section, "#"), event),
        "section": pc.if_else(is_apart, NO_SECTION, section),
    }
    for name, column in made.items():
        games = games.set_column(games.column_names.index(name), name, column)
    return games.combine_chunks()


def _events(events: pa.Table | None, parts: _Parts, said: pa.Schema) -> pa.Table | None:
    """The events, with each part of one in its place, on its days; and what parts say besides."""
    if events is None:
        return None
    rows: list[dict[str, Any]] = []
    for row in events.to_pylist():
        own = parts.get(row["event"])
        rows += [_part(row, each) for each in own] if own else [row]
    rows.sort(key=lambda each: str(each["event"]))
    more = [each for each in said if each.name not in ("section", *events.schema.names)]
    fields = [*events.schema, *more, pa.field("part_of", pa.string())]
    return pa.Table.from_pylist(rows, pa.schema(fields))


def _part(row: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    days = {name: row[name] for name in ("start", "end") if name in row}
    own = {name: value for name, value in said.items() if name != "section"}
    return {**own, **days, "event": part_key(said["event"], said["section"]),
            "part_of": said["event"]}  # fmt: skip


def _players(games: pa.Table, parts: _Parts) -> Mapping[tuple[str, str], list[str]]:
    """The sections in which each player of an event plays."""
    own = games.filter(pc.is_in(games["event"], value_set=pa.array(sorted(parts), pa.string())))
    found: dict[tuple[str, str], list[str]] = {}
    for side in ("white", "black"):
        played = own.select(["event", side, "section"])
        for event, player, section in zip(*(each.to_pylist() for each in played), strict=True):
            found.setdefault((event, player), []).append(section)
    return found


def _entries(
    entries: pa.Table | None, parts: _Parts, played: Mapping[tuple[str, str], list[str]]
) -> pa.Table | None:
    """The grades that players declared, in each section in which they play."""
    if entries is None:
        return None
    rows = []
    for row in entries.to_pylist():
        sections = played.get((row["event"], row["player"]), ())
        keys = {part_key(row["event"], each): None for each in sections}
        rows += [row | {"event": each} for each in keys or [row["event"]]]
    return pa.Table.from_pylist(rows, entries.schema)
