"""Columns that say of each game of what category or level its event is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ratingbook.formats.tables.event_columns import differ
from ratingbook.formats.tables.mapping import Block
from ratingbook.formats.tools.notes import Notes
from ratingbook.model import Event, EventHead, Game, Place

COLUMNS = ("category", "level")


def with_events(
    games: Iterable[Game],
    blocks: Sequence[Block],
    event: Event,
    value: Callable[[str, str, Place], Any],
    notes: Notes,
) -> tuple[tuple[Game, ...], tuple[EventHead, ...], Event]:
    """The games with the events that they are of, what is said of these, and the event.

    Games without an event are those of one that is called by its category or level; where all
    rows say the same, it is said of the event.  ``value`` reads a cell of a column.
    """
    games = tuple(games)
    said = _said(blocks, value)
    kinds = {said.get(_line(game), ()) for game in games}
    if not said or not games:
        return games, (), event
    if len(kinds) == 1:
        (kind,) = kinds
        fields = {name: found for name, found in kind if getattr(event, name) is None}
        return games, (), replace(event, **fields)
    heads: dict[str, tuple[EventHead, Place]] = {}
    placed = []
    for game in games:
        kind = said.get(_line(game), ())
        called = game.event or " ".join(f"{found:g}" if name == "level" else str(found)
                                        for name, found in kind)  # fmt: skip
        placed.append(replace(game, event=called or None))
        if not kind:
            continue
        head = EventHead(called, **dict(kind))
        first, place = heads.setdefault(called, (head, game.place))
        if first != head:
            texts = [(f"{h.category or ''} {h.level or ''}".strip(), p)
                     for h, p in ((first, place), (head, game.place))]  # fmt: skip
            differ(f"category or level of {called}", texts, notes)
    return tuple(placed), tuple(head for head, _ in heads.values()), event


def _line(game: Game) -> tuple[str | None, int | None]:
    return game.place.file, game.place.line


def _said(
    blocks: Sequence[Block], value: Callable[[str, str, Place], Any]
) -> Mapping[tuple[str | None, int | None], tuple[tuple[str, Any], ...]]:
    """What the rows say, by their lines."""
    found = {}
    for block in blocks:
        names = [name for name in COLUMNS if name in block.head.columns]
        for row in block.rows if names else ():
            place = block.place(row, names[0])
            said = [
                (name, read)
                for name in names
                if (text := block.cell(row, name))
                and (read := value(name, text, block.place(row, name))) is not None
            ]
            if said:
                found[place.file, place.line] = tuple(said)
    return found
