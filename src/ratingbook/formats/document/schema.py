"""What a report document may hold: one table, and the JSON Schema made from it.

The reader (:mod:`ratingbook.formats.document.read`) follows the same table: nothing
stands twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from ratingbook.model import YEARS, GameStatus, Result, StandingStatus
from ratingbook.model.sentences import sentence

VERSION = "report/1"

MAX_ITEMS = 1_000_000
"""The most players or games of one document; more is a history, not a report."""
_LARGEST = 10**9
"""No number of a report is larger: what is, is a slip."""
MOST_MARGIN = 30_000
"""No game is won by more points."""
_DATE_PATTERN = "^(1[89]|2[01])[0-9]{2}-[0-9]{2}-[0-9]{2}$"
"""Years 1800 to 2199: 0001 and 9999 are no dates but somebody's word for none."""


@dataclass(frozen=True, slots=True)
class ValueKind:
    """What a value may be: its schema, and how it is read.

    ``read`` gives the value, or raises ValueError with a sentence that says what
    is expected.
    """

    schema: Mapping[str, object]
    read: Callable[[object], object]


def _text(value: object) -> str:
    if isinstance(value, str) and is_unicode(value):
        return value
    raise ValueError(sentence("a text"))


def is_unicode(text: str) -> bool:
    r"""Whether a text is free of halves of characters, which JSON can write as ``\ud800``."""
    return text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)


def identifier(value: object) -> str:
    """Ids are texts; a whole number is taken as its digits."""
    # Nearly all are texts of plain letters.
    if isinstance(value, str) and value and (value.isascii() or is_unicode(value)):
        return value
    whole = _whole(value)
    if whole is not None:
        return str(whole)
    raise ValueError(sentence("an id (a text that is not empty)"))


def _whole(value: object) -> int | None:
    """A whole number, also where it is written 3.0; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, float) and value.is_integer() else None


def _number(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        if -_LARGEST <= value <= _LARGEST:
            return value
        raise ValueError(sentence("a number from −{most:,} to {most:,}", most=_LARGEST))
    raise ValueError(sentence("a number"))


def _count(value: object) -> int:
    whole = value if value.__class__ is int else _whole(value)
    if whole is not None and 0 <= whole <= _LARGEST:
        return whole
    raise ValueError(sentence("a whole number from 0 to {most:,}", most=_LARGEST))


def _margin(value: object) -> int:
    whole = _whole(value)
    if whole is not None and abs(whole) <= MOST_MARGIN:
        return whole
    raise ValueError(sentence("a whole number from −{most:,} to {most:,}", most=MOST_MARGIN))


def _year(value: object) -> int:
    whole = _whole(value)
    if whole is not None and YEARS[0] <= whole <= YEARS[1]:
        return whole
    raise ValueError(sentence("a year (1800 to 2199)"))


def _boolean(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError(sentence("true or false"))


def _date(value: object) -> date:
    if isinstance(value, str) and re.fullmatch(_DATE_PATTERN, value):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    raise ValueError(sentence("a date as YYYY-MM-DD (years 1800 to 2199)"))


def _one_of(*choices: str) -> ValueKind:
    """One of some words; where they are those of an enumeration, it is what is read."""
    known = {each: each for each in map(str, choices)}
    known.update(zip(known, choices, strict=True))

    def read(value: object) -> str:
        # To look one up takes a tenth of the time of making one: there are millions of games.
        if isinstance(value, str) and value in known:
            return known[value]
        raise ValueError(sentence("one of {words}", words=", ".join(known)))

    return ValueKind({"enum": list(known)}, read)


def _score(value: object) -> float:
    number = _number(value)
    if number in (0, 0.5, 1):
        return number
    raise ValueError(sentence("a score: 0, 0.5 or 1"))


def _scalar(value: object) -> object:
    for kind in (_boolean, _text, _number):
        try:
            return kind(value)
        except ValueError:
            continue
    raise ValueError(sentence("a number, a text, true or false"))


TEXT = ValueKind({"type": "string"}, _text)
IDENTIFIER = ValueKind({"type": ["string", "integer"], "minLength": 1}, identifier)
NUMBER = ValueKind({"type": "number", "minimum": -_LARGEST, "maximum": _LARGEST}, _number)
COUNT = ValueKind({"type": "integer", "minimum": 0, "maximum": _LARGEST}, _count)
MARGIN = ValueKind({"type": "integer", "minimum": -MOST_MARGIN, "maximum": MOST_MARGIN}, _margin)
BOOLEAN = ValueKind({"type": "boolean"}, _boolean)
YEAR = ValueKind({"type": "integer", "minimum": YEARS[0], "maximum": YEARS[1]}, _year)
DATE = ValueKind({"type": "string", "format": "date", "pattern": _DATE_PATTERN}, _date)
SCORE = ValueKind({"enum": [0, 0.5, 1]}, _score)
SCALAR = ValueKind({**NUMBER.schema, "type": ["number", "string", "boolean"]}, _scalar)
_KINDS_HELD = {int: COUNT, float: NUMBER, bool: BOOLEAN, str: TEXT}
RESULT = _one_of(*Result)

FIELDS: Mapping[str, Mapping[str, ValueKind]] = {
    "event": {
        "name": TEXT,
        "place": TEXT,
        "federation": TEXT,
        "start": DATE,
        "end": DATE,
        "kind": TEXT,
        "category": TEXT,
        "time_control": TEXT,
        "class": TEXT,
        "level": NUMBER,
        "pool": TEXT,
        "rounds": COUNT,
        "komi": NUMBER,
        "handicap_reduction": COUNT,
    },
    "section": {
        "name": TEXT,
        "number": COUNT,
        "pool": TEXT,
        "time_control": TEXT,
        "kind": TEXT,
        "start": DATE,
        "end": DATE,
    },
    "events": {
        "name": TEXT,
        "category": TEXT,
        "level": NUMBER,
    },
    "player": {
        "id": IDENTIFIER,
        "name": TEXT,
        "federation": TEXT,
        "title": TEXT,
        "sex": _one_of("m", "w"),
        "birth_date": DATE,
        "birth_year": YEAR,
        "adult": BOOLEAN,
        "grade": TEXT,
        "club": TEXT,
        "team": TEXT,
        "rank": COUNT,
    },
    "standing": {
        "rating": NUMBER,
        "games": COUNT,
        "wins": COUNT,
        "draws": COUNT,
        "losses": COUNT,
        "status": _one_of(*StandingStatus),
        "last_played": DATE,
    },
    "history": {
        "own": NUMBER,
        "opponent": NUMBER,
        "score": SCORE,
        "start": DATE,
        "event": TEXT,
    },
    "game": {
        "round": COUNT,
        "section": TEXT,
        "event": TEXT,
        "white": IDENTIFIER,
        "black": IDENTIFIER,
        "result": RESULT,
        "table_result": RESULT,
        "status": _one_of(*GameStatus),
        "handicap": COUNT,
        "margin": MARGIN,
        "neutral": BOOLEAN,
        "start": DATE,
        "end": DATE,
        "reported": DATE,
        "white_rating": NUMBER,
        "black_rating": NUMBER,
        "white_for": IDENTIFIER,
        "black_for": IDENTIFIER,
    },
}
"""Object → key → what it may be.  Keys that hold objects are in :func:`schema`."""

REQUIRED = {
    "section": ("name",),
    "events": ("name",),
    "player": ("id",),
    "history": ("opponent", "score"),
    "game": ("white",),
}

_TEXTS = {"type": "array", "maxItems": MAX_ITEMS, "items": dict(TEXT.schema)}


def kind_holding(held: type) -> ValueKind:
    """What a key may be that a rule book declares to hold this; ``object``: any scalar."""
    return _KINDS_HELD.get(held, SCALAR)


def schema(standing_fields: Mapping[str, type]) -> dict[str, object]:
    """The JSON Schema of the report document (draft 2020-12).

    ``standing_fields`` are the keys of a standing beyond the common ones, and what each holds.
    """
    extra = {key: _or_null(kind_holding(held).schema) for key, held in standing_fields.items()}
    standing = {"$ref": "#/$defs/standing"}
    sides = {side: _or_null(BOOLEAN.schema) for side in ("white", "black")}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "ratingbook report document",
        **_object_schema(
            {
                "ratingbook": {"const": VERSION},
                "event": _or_null({"$ref": "#/$defs/event"}),
                "sections": _or_null(_list_schema("section")),
                "events": _or_null(_list_schema("events")),
                "players": _list_schema("player"),
                "games": _list_schema("game"),
            },
            ("ratingbook", "players", "games"),
        ),
        "$defs": {
            "event": _table_schema("event", {"officials": _or_null(_TEXTS)}),
            "section": _table_schema("section"),
            "events": _table_schema("events"),
            "standing": _table_schema("standing", extra),
            "history": _table_schema("history"),
            "player": _table_schema(
                "player",
                {
                    "standing": _or_null(standing),
                    "foreign": _map_schema(_or_null(NUMBER.schema)),
                    "ids": _map_schema(_or_null(IDENTIFIER.schema)),
                    "pools": _map_schema(_or_null(standing)),
                    "history": _or_null(_list_schema("history")),
                    "decisions": {
                        **_map_schema(_or_null(SCALAR.schema)),
                        "properties": {"reason": _or_null(TEXT.schema)},
                    },
                },
            ),
            "game": _table_schema(
                "game", {"rated": {"anyOf": [_or_null(BOOLEAN.schema), _object_schema(sides)]}}
            ),
        },
    }


def schema_text(standing_fields: Mapping[str, type]) -> str:
    """The schema as it is published."""
    return json.dumps(schema(standing_fields), ensure_ascii=False, indent=2) + "\n"


def _table_schema(name: str, more: Mapping[str, object] | None = None) -> dict[str, object]:
    """The schema of an object of :data:`FIELDS`, with ``more`` keys."""
    return _object_schema({**_properties(name), **(more or {})}, REQUIRED.get(name, ()))


def _properties(name: str) -> dict[str, object]:
    required = REQUIRED.get(name, ())
    return {
        key: dict(kind.schema) if key in required else _or_null(kind.schema)
        for key, kind in FIELDS[name].items()
    }


def _object_schema(
    properties: Mapping[str, object], required: Iterable[str] = ()
) -> dict[str, object]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def _list_schema(name: str) -> dict[str, object]:
    return {"type": "array", "maxItems": MAX_ITEMS, "items": {"$ref": f"#/$defs/{name}"}}


def _map_schema(values: Mapping[str, object]) -> dict[str, object]:
    """An object with whatever keys, or null."""
    return {"type": ["object", "null"], "additionalProperties": dict(values)}


def _or_null(part: Mapping[str, Any]) -> dict[str, object]:
    """What is not required may also be null."""
    if "enum" in part:
        return {"enum": [*part["enum"], None]}
    if "$ref" in part:
        return {"anyOf": [dict(part), {"type": "null"}]}
    kinds = part["type"] if isinstance(part["type"], list) else [part["type"]]
    return {**part, "type": [*kinds, "null"]}
