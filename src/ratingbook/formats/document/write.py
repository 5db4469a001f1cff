"""A report becomes a report document: what the reader of documents reads, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import date
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any

from ratingbook.formats.document.schema import FIELDS, VERSION
from ratingbook.formats.tools.written import Written
from ratingbook.model import Entry, Event, FrozenSide, Game, Report, Standing


def write_document(report: Report) -> Written:
    """The report as a document, in UTF-8."""
    text = json.dumps(report_as_dict(report), ensure_ascii=False, indent=1)
    return Written({"": (text + "\n").encode("utf-8")})


def report_as_dict(report: Report) -> dict[str, object]:
    """The document that reads as this report; what is not known is left out."""
    heads = [_known(_values(head, FIELDS["section"])) for head in report.section_heads]
    events = [_known(_values(head, FIELDS["events"])) for head in report.event_heads]
    return {
        "ratingbook": VERSION,
        **_known({"event": _event(report.event), "sections": heads, "events": events}),
        "players": _players(report.entries),
        "games": _games(report.games),
    }


def standing_as_dict(standing: Standing) -> dict[str, object]:
    """A standing as a document holds it; what is not known is left out."""
    known = _values(standing, FIELDS["standing"])
    return {k: v for k, v in {**known, **standing.extra}.items() if v is not None}


def frozen_side_as_dict(side: FrozenSide) -> dict[str, object]:
    """A frozen side as a document holds it."""
    return _known(_values(side, FIELDS["history"]))


def _event(event: Event) -> dict[str, object]:
    return _known({**_values(event, FIELDS["event"]), "officials": list(event.officials)})


def _players(entries: Sequence[Entry]) -> list[dict[str, object]]:
    every = _all_values(entries, FIELDS["player"])
    for said, entry in zip(every, entries, strict=True):
        # No rating and nothing else known is not the same as no standing.
        if entry.standing is not None:
            said["standing"] = standing_as_dict(entry.standing)
        more = (
            ("foreign", dict(entry.foreign)),
            ("ids", dict(entry.ids)),
            ("pools", {pool: standing_as_dict(each) for pool, each in entry.pools.items()}),
            ("history", [frozen_side_as_dict(side) for side in entry.history]),
            ("decisions", dict(entry.decisions)),
        )
        said.update((key, value) for key, value in more if value)
    return every


def _games(games: Sequence[Game]) -> list[dict[str, object]]:
    every = _all_values(games, FIELDS["game"])
    for said, game in zip(every, games, strict=True):
        if game.rated_said or not (game.white_rated and game.black_rated):
            said["rated"] = (
                game.white_rated
                if game.white_rated == game.black_rated
                else {"white": game.white_rated, "black": game.black_rated}
            )
    return every


def _values(noun: Any, kinds: Iterable[str]) -> dict[str, object]:
    """The fields of a noun under the keys of a document, but for what is as usual."""
    return _all_values((noun,), kinds)[0]


def _all_values(nouns: Sequence[Any], kinds: Iterable[str]) -> list[dict[str, object]]:
    """The fields of nouns of one kind, one key after the other: most are as usual in all."""
    every: list[dict[str, object]] = [{} for _ in nouns]
    for key, usual, taken in _fields(nouns[0].__class__, tuple(kinds)) if nouns else ():
        column = list(map(taken, nouns))
        if column.count(usual) == len(column):
            continue
        written: Iterable[object] = column
        if any(issubclass(kind, Enum | date) for kind in set(map(type, column))):
            written = map(_plain, column)
        for said, value, plain in zip(every, column, written, strict=True):
            if value is not usual and value != usual:
                said[key] = plain
    return every


@cache
def _fields(noun: Any, keys: tuple[str, ...]) -> tuple[tuple[str, object, attrgetter[Any]], ...]:
    """The keys of a document, what the field of each is as usual, and what takes it."""
    defaults = {field.name: field.default for field in fields(noun)}
    names = [(key, key if key in defaults else f"{key}_") for key in keys]
    return tuple((key, defaults[name], attrgetter(name)) for key, name in names)


@cache
def _plain(value: object) -> object:
    """A value as JSON holds it."""
    if isinstance(value, Enum):
        return value.value
    return value.isoformat() if isinstance(value, date) else value


def _known(values: Mapping[str, object]) -> dict[str, object]:
    """What says something."""
    return {
        key: value for key, value in values.items() if value is not None and value not in ([], {})
    }
