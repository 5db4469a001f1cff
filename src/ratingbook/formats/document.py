"""The report document: our own format, JSON with a published schema.

One table, :data:`FIELDS`, says what each object may hold.  The reader follows
it, and so does the schema: nothing stands twice.  The reader is strict about
keys that it does not know (a finding, never silence) and lenient about what is
merely missing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from ratingbook.model import (
    Entry,
    Event,
    Findings,
    FrozenSide,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    Severity,
    Standing,
    StandingStatus,
)

VERSION = "report/1"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a value may be: its schema, and how it is read.

    ``read`` gives the value, or raises ValueError with a sentence that says what
    is expected.
    """

    schema: Mapping[str, object]
    read: Callable[[object], object]


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise ValueError("a text")


def _identifier(value: object) -> str:
    """Ids are texts; a whole number is taken as its digits."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value:
        return value
    raise ValueError("an id (a text that is not empty)")


def _number(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return value
    raise ValueError("a number")


def _count(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise ValueError("a whole number, 0 or more")


def _boolean(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError("true or false")


def _date(value: object) -> date:
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    raise ValueError("a date as YYYY-MM-DD")


def _one_of(*choices: str) -> Kind:
    def read(value: object) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise ValueError("one of " + ", ".join(choices))

    return Kind({"enum": list(choices)}, read)


def _score(value: object) -> float:
    number = _number(value)
    if number in (0, 0.5, 1):
        return number
    raise ValueError("a score: 0, 0.5 or 1")


def _scalar(value: object) -> object:
    if value is None or isinstance(value, bool | str | int | float):
        return value
    raise ValueError("a number, a text, true or false")


TEXT = Kind({"type": "string"}, _text)
IDENTIFIER = Kind({"type": ["string", "integer"], "minLength": 1}, _identifier)
NUMBER = Kind({"type": "number"}, _number)
COUNT = Kind({"type": "integer", "minimum": 0}, _count)
BOOLEAN = Kind({"type": "boolean"}, _boolean)
DATE = Kind({"type": "string", "format": "date"}, _date)
SCORE = Kind({"enum": [0, 0.5, 1]}, _score)
SCALAR = Kind({"type": ["number", "string", "boolean", "null"]}, _scalar)
RESULT = _one_of(*(result.value for result in Result))

FIELDS: Mapping[str, Mapping[str, Kind]] = {
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
    },
    "player": {
        "id": IDENTIFIER,
        "name": TEXT,
        "federation": TEXT,
        "sex": _one_of("m", "w"),
        "birth_date": DATE,
        "adult": BOOLEAN,
        "grade": TEXT,
    },
    "standing": {
        "rating": NUMBER,
        "games": COUNT,
        "wins": COUNT,
        "draws": COUNT,
        "losses": COUNT,
        "status": _one_of(*(status.value for status in StandingStatus)),
    },
    "standing_extra": {
        "events": COUNT,
        "peak": NUMBER,
        "floor": NUMBER,
        "olm": BOOLEAN,
        "reached_2400": BOOLEAN,
        "highest_grade": TEXT,
        "starting_rating": NUMBER,
        "ter": NUMBER,
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
        "status": _one_of(*(status.value for status in GameStatus)),
        "handicap": COUNT,
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

REQUIRED = {"player": ("id",), "history": ("opponent", "score"), "game": ("white",)}


def schema() -> dict[str, object]:
    """The JSON Schema of the report document (draft 2020-12)."""

    def obj(name: str, more: Mapping[str, object] | None = None) -> dict[str, object]:
        properties = {
            key: _or_null(kind.schema, key in REQUIRED.get(name, ()))
            for key, kind in FIELDS[name].items()
        }
        return {
            "type": "object",
            "properties": {**properties, **(more or {})},
            "required": list(REQUIRED.get(name, ())),
            "additionalProperties": False,
        }

    extra = {key: _or_null(kind.schema, False) for key, kind in FIELDS["standing_extra"].items()}
    standing = {"$ref": "#/$defs/standing"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "ratingbook report document",
        "type": "object",
        "properties": {
            "ratingbook": {"const": VERSION},
            "event": {"$ref": "#/$defs/event"},
            "players": {"type": "array", "items": {"$ref": "#/$defs/player"}},
            "games": {"type": "array", "items": {"$ref": "#/$defs/game"}},
        },
        "required": ["ratingbook", "players", "games"],
        "additionalProperties": False,
        "$defs": {
            "event": obj("event"),
            "standing": obj("standing", extra),
            "history": obj("history"),
            "player": obj(
                "player",
                {
                    "standing": {"anyOf": [standing, {"type": "null"}]},
                    "foreign": {
                        "type": "object",
                        "additionalProperties": {"type": ["number", "null"]},
                    },
                    "pools": {"type": "object", "additionalProperties": standing},
                    "history": {"type": "array", "items": {"$ref": "#/$defs/history"}},
                    "decisions": {
                        "type": "object",
                        "properties": {"reason": {"type": "string"}},
                        "additionalProperties": dict(SCALAR.schema),
                    },
                },
            ),
            "game": obj(
                "game",
                {
                    "rated": {
                        "anyOf": [
                            {"type": "boolean"},
                            {
                                "type": "object",
                                "properties": {
                                    "white": {"type": "boolean"},
                                    "black": {"type": "boolean"},
                                },
                                "additionalProperties": False,
                            },
                        ]
                    }
                },
            ),
        },
    }


def _or_null(part: Mapping[str, object], required: bool) -> dict[str, object]:
    """What is not required may also be null."""
    if required:
        return dict(part)
    if "enum" in part:
        return {"enum": [*part["enum"], None]}  # type: ignore[misc]
    kind = part["type"]
    kinds = kind if isinstance(kind, list) else [kind]
    return {**part, "type": [*kinds, "null"]}


def read_document(
    text: str, standing_fields: frozenset[str] = frozenset()
) -> tuple[Report | None, Findings]:
    """Read a report document; None where it cannot be read as one.

    ``standing_fields`` are keys of a standing that a rule book reads beyond the
    common ones.
    """
    findings = Findings()
    data = _parsed(text, findings)
    if data is None:
        return None, findings
    report = _Reader(findings, standing_fields).report(data)
    return report, findings


def report_from(data: Mapping[str, object]) -> Report:
    """The report of a document that is already in memory.

    Raises ValueError, with the first finding, if it is refused.
    """
    findings = Findings()
    report = _Reader(findings, frozenset()).report(dict(data))
    for finding in findings:
        if finding.severity.refuses:
            raise ValueError(f"{finding.where}: {finding.message}")
    return report


def entry_from(
    data: object, place: Place, findings: Findings, standing_fields: frozenset[str]
) -> Entry | None:
    """A player of a document that is read elsewhere; ``place`` says where it stood."""
    found = Findings()
    entry = _Reader(found, standing_fields).entry(data, place.path or "")
    for finding in found:
        where = replace(finding.where, line=place.line, player=place.player or finding.where.player)
        findings.extend([replace(finding, where=where)])
    return replace(entry, place=place) if entry else None


def _parsed(text: str, findings: Findings) -> dict[str, Any] | None:
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        findings.add(
            Severity.FATAL,
            "json.syntax",
            f"This is not JSON: {error.msg}.",
            Place(line=error.lineno, column=error.colno),
            "Correct the place, or write the file with a program that writes JSON.",
        )
        return None
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        findings.add(Severity.FATAL, "json.syntax", f"This JSON cannot be read: {reason}.")
        return None
    if not isinstance(data, dict) or data.get("ratingbook") != VERSION:
        findings.add(
            Severity.FATAL,
            "report.version",
            f'This JSON is not a report document: it lacks "ratingbook": "{VERSION}".',
            Place(path="ratingbook"),
            "See the schema of the report document.",
        )
        return None
    return data


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number in JSON")


class _Reader:
    """Reads the objects of a document, collecting findings on the way."""

    def __init__(self, findings: Findings, standing_fields: frozenset[str]) -> None:
        self._findings = findings
        self._standing_fields = standing_fields

    def report(self, data: dict[str, Any]) -> Report:
        self._unknown(data, {"ratingbook", "event", "players", "games"}, "")
        event = self._object(data, "event", "event", "", ()) or {}
        return Report(
            event=Event(
                **{("class_" if key == "class" else key): value for key, value in event.items()}
            ),
            entries=tuple(
                entry
                for index, item in enumerate(self._array(data, "players", "", required=True))
                if (entry := self.entry(item, f"players[{index}]"))
            ),
            games=tuple(
                game
                for index, item in enumerate(self._array(data, "games", "", required=True))
                if (game := self._game(item, f"games[{index}]"))
            ),
        )

    def entry(self, data: Any, path: str) -> Entry | None:
        more = ("standing", "foreign", "pools", "history", "decisions")
        values = self._fields(data, "player", path, more)
        if values is None or "id" not in values:
            return None
        place = Place(player=str(values["id"]), path=path)
        histories = enumerate(self._array(data, "history", path))
        return Entry(
            **values,
            standing=self._standing(data.get("standing"), f"{path}.standing"),
            foreign=self._map(data, "foreign", path, NUMBER),
            pools={
                name: standing
                for name, item in self._mapping(data, "pools", path).items()
                if (standing := self._standing(item, f"{path}.pools.{name}"))
            },
            history=tuple(
                FrozenSide(**side)
                for index, item in histories
                if (side := self._fields(item, "history", f"{path}.history[{index}]", ()))
                and "opponent" in side
                and "score" in side
            ),
            decisions=self._decisions(data, path, place),
            place=place,
        )

    def _decisions(self, data: Any, path: str, place: Place) -> dict[str, Any]:
        decisions = self._map(data, "decisions", path, SCALAR)
        if decisions and not decisions.get("reason"):
            self._findings.add(
                Severity.WARNING,
                "decision.no-reason",
                f"The decisions on player {place.player} give no reason.",
                place,
                'Add "reason": why the office decided so.',
            )
        return decisions

    def _standing(self, data: Any, path: str) -> Standing | None:
        if data is None:
            return None
        extra_kinds = {
            **FIELDS["standing_extra"],
            **dict.fromkeys(self._standing_fields - FIELDS["standing_extra"].keys(), SCALAR),
        }
        values = self._fields(data, "standing", path, tuple(extra_kinds))
        if values is None:
            return None
        extra = {
            key: value
            for key, kind in extra_kinds.items()
            if (value := self._value(data, key, kind, path)) is not None
        }
        if "status" in values:
            values["status"] = StandingStatus(values["status"])
        return Standing(**values, extra=extra)

    def _game(self, data: Any, path: str) -> Game | None:
        values = self._fields(data, "game", path, ("rated",))
        if values is None or "white" not in values:
            return None
        for key in ("result", "table_result"):
            if key in values:
                values[key] = Result(values[key])
        values["status"] = GameStatus(values.get("status", GameStatus.PLAYED))
        values.setdefault("black", None)
        white_rated, black_rated = self._rated(data, path)
        return Game(
            **values,
            white_rated=white_rated,
            black_rated=black_rated,
            place=Place(path=path, player=str(values["white"]), round=values.get("round")),
        )

    def _rated(self, data: dict[str, Any], path: str) -> tuple[bool, bool]:
        """The rated flag: one for both sides, or one for each."""
        flag = data.get("rated")
        if flag is None or isinstance(flag, bool):
            return flag is not False, flag is not False
        if not isinstance(flag, dict):
            self._bad(path, "rated", "true, false, or one of them for each side", flag)
            return True, True
        self._unknown(flag, {"white", "black"}, f"{path}.rated")
        white, black = (
            self._value(flag, side, BOOLEAN, f"{path}.rated") for side in ("white", "black")
        )
        return white is not False, black is not False

    def _object(
        self, data: dict[str, Any], key: str, name: str, path: str, more: tuple[str, ...]
    ) -> dict[str, Any] | None:
        if data.get(key) is None:
            return None
        return self._fields(data[key], name, _joined(path, key), more)

    def _fields(
        self, data: Any, name: str, path: str, more: tuple[str, ...]
    ) -> dict[str, Any] | None:
        """The values of an object that the table knows; what is null or wrong is left out."""
        if not isinstance(data, dict):
            self._bad(path, "", "an object", data)
            return None
        kinds = FIELDS[name]
        self._unknown(data, {*kinds, *more}, path)
        for key in REQUIRED.get(name, ()):
            if data.get(key) is None:
                self._findings.add(
                    Severity.ERROR,
                    "report.missing-key",
                    f'"{key}" is missing.',
                    Place(path=path),
                    f'Add "{key}".',
                )
        return {
            key: value
            for key, kind in kinds.items()
            if (value := self._value(data, key, kind, path)) is not None
        }

    def _value(self, data: Mapping[str, Any], key: str, kind: Kind, path: str) -> Any:
        value = data.get(key)
        if value is None:
            return None
        try:
            return kind.read(value)
        except ValueError as error:
            self._bad(path, key, str(error), value)
            return None

    def _array(self, data: Any, key: str, path: str, *, required: bool = False) -> list[Any]:
        value = data.get(key)
        if value is None:
            if required:
                self._findings.add(
                    Severity.ERROR,
                    "report.missing-key",
                    f'"{key}" is missing.',
                    Place(path=path or None),
                    f'Add "{key}", if only as an empty list.',
                )
            return []
        if not isinstance(value, list):
            self._bad(path, key, "a list", value)
            return []
        return value

    def _mapping(self, data: Any, key: str, path: str) -> dict[str, Any]:
        value = data.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self._bad(path, key, "an object", value)
            return {}
        return value

    def _map(self, data: Any, key: str, path: str, kind: Kind) -> dict[str, Any]:
        values = self._mapping(data, key, path)
        return {name: self._value(values, name, kind, _joined(path, key)) for name in values}

    def _unknown(self, data: Mapping[str, Any], known: set[str], path: str) -> None:
        for key in data:
            if key not in known:
                from difflib import get_close_matches

                near = get_close_matches(key, known, n=1)
                self._findings.add(
                    Severity.WARNING,
                    "report.unknown-key",
                    f'The key "{key}" is not known and is not used.',
                    Place(path=_joined(path, key)),
                    f'Did you mean "{near[0]}"?' if near else "Remove it, or see the schema.",
                )

    def _bad(self, path: str, key: str, expected: str, value: object) -> None:
        found = json.dumps(value, ensure_ascii=False, default=str)
        if len(found) > 60:
            found = found[:57] + "…"
        self._findings.add(
            Severity.ERROR,
            "report.bad-value",
            f"Expected {expected}, found {found}.",
            Place(path=_joined(path, key)),
            "Correct the value.",
        )


def _joined(path: str, key: str) -> str:
    return ".".join(part for part in (path, key) if part)


def standing_as_dict(standing: Standing) -> dict[str, object]:
    """A standing as a document holds it; what is not known is left out."""
    return {
        key: value
        for key, value in {
            "rating": standing.rating,
            "games": standing.games,
            "wins": standing.wins,
            "draws": standing.draws,
            "losses": standing.losses,
            "status": standing.status.value if standing.status else None,
            **standing.extra,
        }.items()
        if value is not None
    }


def frozen_side_as_dict(side: FrozenSide) -> dict[str, object]:
    """A frozen side as a document holds it."""
    return {
        key: value
        for key, value in {
            "own": side.own,
            "opponent": side.opponent,
            "score": side.score,
            "start": side.start.isoformat() if side.start else None,
            "event": side.event,
        }.items()
        if value is not None
    }
