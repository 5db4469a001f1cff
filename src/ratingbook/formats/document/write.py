"""A report becomes a report document: what the reader of documents reads, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from datetime import date
from functools import cache
from operator import attrgetter
from typing import Any

from ratingbook.formats.document.schema import FIELDS, VERSION
from ratingbook.formats.tools.written import Written
from ratingbook.model import Entry, Event, FrozenSide, Game, Report, Standing
from ratingbook.model.report import Word


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
        "players": [_player(entry) for entry in report.entries],
        "games": [_game(game) for game in report.games],
    }


def standing_as_dict(standing: Standing) -> dict[str, object]:
    """A standing as a document holds it; what is not known is left out."""
    known = _values(standing, FIELDS["standing"])
    return {k: v for k, v in {**known, **standing.extra}.items() if v is not None}


def frozen_side_as_dict(side: FrozenSide) -> dict[str, object]:
    """A frozen side as a document holds it."""
    return _known(_values(side, FIELDS["history"]))


_GAME = tuple(FIELDS["game"])
_WRITTEN: Mapping[object, Callable[[Any], str]] = {
    date: date.isoformat,
    **dict.fromkeys(Word.__subclasses__(), str),
}
"""How values are written that JSON does not know."""


def _event(event: Event) -> dict[str, object]:
    return _known({**_values(event, FIELDS["event"]), "officials": list(event.officials)})


def _player(entry: Entry) -> dict[str, object]:
    return _known(
        {
            **_values(entry, FIELDS["player"]),
            # No rating and nothing else known is not the same as no standing.
            "standing": None if entry.standing is None else standing_as_dict(entry.standing),
            "foreign": dict(entry.foreign),
            "ids": dict(entry.ids),
            "pools": {pool: standing_as_dict(each) for pool, each in entry.pools.items()},
            "history": [frozen_side_as_dict(side) for side in entry.history],
            "decisions": dict(entry.decisions),
        },
        kept=("standing",),
    )


def _game(game: Game) -> dict[str, object]:
    said = _values(game, _GAME)
    if game.rated_said or not (game.white_rated and game.black_rated):
        said["rated"] = (
            game.white_rated
            if game.white_rated == game.black_rated
            else {"white": game.white_rated, "black": game.black_rated}
        )
    return said


def _values(noun: Any, kinds: Iterable[str]) -> dict[str, object]:
    """The fields of a noun under the keys of a document, but for what is as usual."""
    keys, usual, taken = _fields(noun.__class__, tuple(kinds))
    values: dict[str, object] = {}
    for key, default, value in zip(keys, usual, taken(noun), strict=True):
        # Most fields are as usual: of a thousand games that is most of the work.
        if value is default or value == default:
            continue
        written = _WRITTEN.get(value.__class__)
        values[key] = value if written is None else written(value)
    return values


@cache
def _fields(
    noun: Any, keys: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[object, ...], Callable[[Any], tuple[object, ...]]]:
    """The keys of a document, what the field of each is as usual, and all of them of a noun."""
    defaults = {field.name: field.default for field in fields(noun)}
    names = [key if key in defaults else f"{key}_" for key in keys]
    return keys, tuple(defaults[name] for name in names), attrgetter(*names)


def _known(values: Mapping[str, object], kept: tuple[str, ...] = ()) -> dict[str, object]:
    """What says something; of ``kept`` also what is empty."""
    return {
        key: value
        for key, value in values.items()
        if value is not None and (value not in ([], {}) or key in kept)
    }
