"""The report document: our own format, JSON with a published schema.

One table (:mod:`ratingbook.formats.document.schema`) says what each object may
hold.  The reader follows it, and so does the schema.  The reader is strict about
keys that it does not know (a finding, never silence) and lenient about what is
merely missing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache
from typing import Any

from ratingbook.formats.document.keys import NO_KEYS, StandingKeys
from ratingbook.formats.document.schema import (
    BOOLEAN,
    FIELDS,
    IDENTIFIER,
    MAX_ITEMS,
    NUMBER,
    REQUIRED,
    SCALAR,
    TEXT,
    VERSION,
    ValueKind,
    identifier,
    is_unicode,
)
from ratingbook.formats.tools.characters import is_control
from ratingbook.model import (
    Entry,
    Event,
    EventHead,
    Findings,
    FrozenSide,
    Game,
    Place,
    Report,
    SectionHead,
    Severity,
    Standing,
)
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import Sentence, sentence
from ratingbook.rules.near import near
from ratingbook.rules.wording import either

MAX_FAULTS = 1_000
"""After so many faults nobody reads on."""
MAX_UNKNOWN_KEYS = 100
"""How many unknown keys have findings of their own."""
_SHOWN = 60
"""How many characters of a wrong value or of a key a finding shows."""


def looks_like_document(text: str) -> bool:
    """Whether a JSON text names the version with which a report document begins."""
    return '"ratingbook"' in text


def read_document(
    text: str, standing_fields: Mapping[str, type] = NO_KEYS
) -> tuple[Report | None, Findings]:
    """Read a report document; None where it cannot be read as one.

    ``standing_fields`` are keys of a standing that a rule book reads beyond the
    common ones, and what each holds.
    """
    findings = Findings()
    data = parse_json(text, findings)
    if findings.refused or not _is_document(data, findings):
        return None, findings
    reader = Reader(standing_fields)
    report = reader.report(data)
    findings.extend(reader.findings())
    return report, findings


def report_from(
    data: Mapping[str, object], standing_fields: Mapping[str, type] = NO_KEYS
) -> Report:
    """The report of a document that is already in memory.

    Raises ValueError, with the first finding, if it is refused.
    """
    reader = Reader(standing_fields)
    report = reader.report(dict(data))
    refusing = [finding for finding in reader.findings() if finding.severity.refuses]
    if report is None or refusing:
        raise ValueError(f"{refusing[0].where}: {refusing[0].message}")
    return report


_WRONG: Mapping[str, Sentence] = {
    "Invalid control character at": sentence("a text has a control character, such as a new line"),
    "Unterminated string starting at": sentence("a text does not end"),
    "Invalid \\escape": sentence("a text has a backslash that means nothing"),
    "Invalid \\uXXXX escape": sentence("a text has a backslash that means nothing"),
    "Extra data": sentence("something follows where it should end"),
    "Expecting value": sentence("a value is missing"),
    "Expecting ',' delimiter": sentence("a comma is missing"),
    "Expecting ':' delimiter": sentence("a colon is missing"),
    "Expecting property name enclosed in double quotes": sentence("a key in quotes is missing"),
}
"""What Python says of JSON, which breaks off before the place, as a part of a sentence."""


def _what_is_wrong(said: str) -> str:
    """What is wrong with JSON; of what Python says otherwise the words without the place."""
    return _WRONG.get(said, said.removesuffix(" at"))


def parse_json(text: str, findings: Findings) -> Any:
    """The value of a JSON text; None, and a finding that refuses it, where it is not JSON."""
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        findings.add(
            Severity.FATAL,
            "json.syntax",
            sentence("This is not JSON: {msg}.", msg=_what_is_wrong(error.msg)),
            Place(line=error.lineno, column=error.colno),
            sentence(
                "Give each document a file of its own. Of JSON line by line only `history` reads "
                "the games of lichess and of chess.com."
            )
            if error.msg == "Extra data"
            else sentence("Correct the place, or write the file with a program that writes JSON."),
        )
    except (ValueError, RecursionError) as error:
        reason, place = sentence("it is nested too deeply"), Place()
        if isinstance(error, ValueError):
            reason, place = sentence("this is no number"), _place_of_no_number(text)
        findings.add(
            Severity.FATAL,
            "json.syntax",
            sentence("This JSON cannot be read: {reason}.", reason=reason),
            place,
            sentence("Correct the place, or write the file with a program that writes JSON."),
        )
    return None


_STRING_OR_NO_NUMBER = pattern(r'"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN|[0-9]{4300,}')
"""What Python takes for a number and JSON does not, and digits beyond Python's patience."""


def _place_of_no_number(text: str) -> Place:
    found = (match for match in _STRING_OR_NO_NUMBER.finditer(text) if match[0][0] != '"')
    offset = next(found).start()
    return Place(line=text.count("\n", 0, offset) + 1, column=offset - text.rfind("\n", 0, offset))


class _Repeating(dict[str, Any]):
    """An object of JSON in which a key stands more than once."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    return data if len(data) == len(pairs) else _Repeating(data)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number in JSON")


def _is_document(data: Any, findings: Findings) -> bool:
    version = data.get("ratingbook") if isinstance(data, dict) else None
    if version == VERSION:
        return True
    findings.add(
        Severity.FATAL,
        "report.version",
        sentence(
            'This JSON is not a report document: it lacks "ratingbook": "{version}".',
            version=VERSION,
        )
        if version is None
        else sentence(
            'This program reads "{version}", not {found}.', version=VERSION, found=_shown(version)
        ),
        Place(path="ratingbook"),
        sentence(
            'Begin it with "ratingbook": "{version}", and see the schema of the report document.',
            version=VERSION,
        ),
    )
    return False


class TooManyFaults(Exception):
    """There is no use in reading on; the findings say so."""


class Reader:
    """Reads the objects of a document, collecting findings on the way.

    An unknown key becomes one finding, in however many players or games it stands.
    """

    def __init__(self, standing_fields: Mapping[str, type] = NO_KEYS) -> None:
        self._findings = Findings()
        self._faults = 0
        self._unknown_keys: dict[str, tuple[str, Place, str, int]] = {}
        self._more_unknown_keys = 0
        self._controls: list[tuple[str, Place]] = []
        self._base = Place()
        self._keys = StandingKeys(standing_fields)

    def findings(self) -> Findings:
        """What was found so far."""
        findings = Findings(self._findings)
        for key, place, remedy, count in self._unknown_keys.values():
            told = sentence("The key {key} is not known and is not used.", key=_shown(key))
            if count > 1:
                told = sentence(
                    "The key {key} is not known and is not used ({count} times).",
                    key=_shown(key), count=count,
                )  # fmt: skip
            findings.add(
                Severity.WARNING,
                "report.unknown-key",
                told,
                place,
                remedy,
            )
        if self._more_unknown_keys:
            findings.add(
                Severity.WARNING,
                "report.unknown-key",
                sentence(
                    "{more_unknown_keys} more unknown keys are not used.",
                    more_unknown_keys=self._more_unknown_keys,
                ),
                remedy=sentence("Remove them, or see the schema."),
            )
        self._tell_controls(findings)
        return findings

    def _tell_controls(self, findings: Findings) -> None:
        """Whoever looks at a name sees another than the file has."""
        if self._controls:
            which, place = self._controls[0]
            findings.add(
                Severity.WARNING, "text.control",
                either(
                    len(self._controls),
                    "{count} text has characters that nobody sees: {which}. They are shown as "
                    "�.",
                    "{count} texts have characters that nobody sees, the first {which}. They are "
                    "shown as �.",
                    which=which,
                ),
                place,
                sentence("Write it without; something may have been lost when it was copied."),
            )  # fmt: skip

    def report(self, data: dict[str, Any]) -> Report | None:
        """The report; None where it has too many faults."""
        try:
            return self._report(data)
        except TooManyFaults:
            return None

    def entry(self, data: Any, place: Place) -> Entry | None:
        """A player, who may stand outside a document; ``place`` says where.

        Raises :class:`TooManyFaults` when there is no use in reading on.
        """
        return self._entry(data, replace(place, player=_player_of(data)))

    def _add(self, severity: Severity, code: str, message: str, path: str, remedy: str) -> None:
        self._findings.add(severity, code, message, self._place(path), remedy)
        self._faults += severity.refuses
        if self._faults >= MAX_FAULTS:
            self._findings.add(
                Severity.FATAL,
                "report.too-many-faults",
                sentence(
                    "After {MAX_FAULTS:,} faults nothing more was read.", MAX_FAULTS=MAX_FAULTS
                ),
                self._place(path),
                sentence("Correct what the first ones say, and check again."),
            )
            raise TooManyFaults

    def _place(self, path: str) -> Place:
        return replace(self._base, path=path or None)

    def _report(self, data: dict[str, Any]) -> Report:
        self._check_keys(data, _OF_REPORT, "")
        event = self._event(data.get("event"))
        heads = tuple(
            SectionHead(**values)
            for index, item in enumerate(self._array(data, "sections", ""))
            if (values := self._fields(item, "section", f"sections[{index}]", ()))
            and "name" in values
        )
        self._tell_repeated_sections(heads)
        entries = tuple(
            entry
            for index, item in enumerate(self._array(data, "players", "", required=True))
            if (entry := self._entry(item, _of_player(index, item)))
        )
        self._base = Place()
        games = tuple(
            game
            for index, item in enumerate(self._array(data, "games", "", required=True))
            if (game := self._game(item, f"games[{index}]"))
        )
        return Report(event, entries, games, heads, self._events(data))

    def _events(self, data: dict[str, Any]) -> tuple[EventHead, ...]:
        """What is said of the events that games name; of one described twice the last word."""
        heads = [
            EventHead(**values)
            for index, item in enumerate(self._array(data, "events", ""))
            if (values := self._fields(item, "events", f"events[{index}]", ())) and "name" in values
        ]
        return tuple({head.name: head for head in heads}.values())

    def _tell_repeated_sections(self, heads: Sequence[SectionHead]) -> None:
        last = {head.name: index for index, head in enumerate(heads)}
        for index, head in enumerate(heads):
            if last[head.name] != index:
                self._add(
                    Severity.WARNING,
                    "report.repeated-section",
                    sentence(
                        "The section {section} is described more than once; the last description "
                        "is used.",
                        section=_shown(head.name),
                    ),
                    f"sections[{index}]",
                    sentence("Keep one of them."),
                )

    def _event(self, data: Any) -> Event:
        values = None if data is None else self._fields(data, "event", "event", ("officials",))
        if values is None:
            return Event()
        return Event.of({**values, "officials": self._texts(data, "officials", "event")})

    def _texts(self, data: Any, key: str, path: str) -> tuple[str, ...]:
        """A list of texts; what is none is a fault."""
        found = []
        for index, item in enumerate(self._array(data, key, path)):
            try:
                found.append(str(TEXT.read(item)))
                self._look_at(found[-1], _joined(path, f"{key}[{index}]"))
            except ValueError as error:
                self._bad(_joined(path, f"{key}[{index}]"), str(error), item)
        return tuple(found)

    def _entry(self, data: Any, place: Place) -> Entry | None:
        self._base, path = place, place.path or ""
        values = self._fields(data, "player", path, _OF_PLAYER)
        if values is None or "id" not in values:
            return None
        histories = enumerate(self._array(data, "history", path))
        return Entry(
            **values,
            standing=self._standing(data.get("standing"), path, "standing"),
            foreign=self._map(data, "foreign", path, NUMBER),
            ids={k: v for k, v in self._map(data, "ids", path, IDENTIFIER).items() if v},
            pools={
                name: standing
                for name, item in self._mapping(data, "pools", path).items()
                if (standing := self._standing(item, path, "pools", name))
            },
            history=tuple(
                FrozenSide(**side)
                for index, item in histories
                if (side := self._fields(item, "history", _joined(path, f"history[{index}]"), ()))
                and "opponent" in side
                and "score" in side
            ),
            decisions=self._decisions(data, path),
            place=place,
        )

    def _decisions(self, data: Any, path: str) -> dict[str, Any]:
        values = self._mapping(data, "decisions", path)
        if not values:
            return {}
        where = _joined(path, "decisions")
        decisions = {
            name: self._value(values, name, TEXT if name == "reason" else SCALAR, where)
            for name in values
        }
        if decisions and not decisions.get("reason"):
            self._add(
                Severity.WARNING,
                "decision.no-reason",
                sentence("The decisions on player {id} give no reason.", id=data["id"]),
                where,
                sentence('Add "reason": why the office decided so.'),
            )
        return decisions

    def _standing(self, data: Any, *parts: str) -> Standing | None:
        if data is None:
            return None
        path = _joined(*parts)
        used = data.keys() if isinstance(data, dict) else frozenset()
        kinds = self._keys.beyond(used)
        values = self._fields(data, "standing", path, tuple(kinds))
        if values is None:
            return None
        extra = {
            key: value
            for key, kind in kinds.items()
            if (value := self._value(data, key, kind, path)) is not None
        }
        return Standing(**values, extra=extra)

    def _game(self, data: Any, path: str) -> Game | None:
        values = self._fields(data, "game", path, _OF_GAME)
        if values is None or "white" not in values:
            return None
        values.setdefault("black", None)
        if data.get("rated") is not None:
            values["rated_said"] = True
            values["white_rated"], values["black_rated"] = self._rated(data["rated"], path)
        where = Place(None, None, None, None, values["white"], values.get("round"), path)
        return Game(**values, place=where)

    def _rated(self, flag: Any, path: str) -> tuple[bool, bool]:
        """The rated flag: one for both sides, or one for each."""
        if isinstance(flag, bool):
            return flag, flag
        path = _joined(path, "rated")
        if not isinstance(flag, dict):
            wanted = sentence("true, false, or for each side {example}", example=_EACH_SIDE)
            self._bad(path, wanted, flag)
            return True, True
        self._check_keys(flag, frozenset(("white", "black")), path)
        white, black = (self._value(flag, side, BOOLEAN, path) for side in ("white", "black"))
        return white is not False, black is not False

    def _fields(
        self, data: Any, name: str, path: str, more: tuple[str, ...]
    ) -> dict[str, Any] | None:
        """The values of an object that the table knows; what is null or wrong is left out."""
        if not isinstance(data, dict):
            self._bad(path, sentence("an object"), data)
            return None
        reads, known, required = _table(name, more)
        self._check_keys(data, known, path)
        for key in required:
            if data.get(key) is None:
                self._missing(key, path, sentence('Add "{key}".', key=key))
        values = {}
        # Most keys of the table are not there: what is there is looked up in it.
        for key, given in data.items():
            if given is None or key not in reads:
                continue
            try:
                values[key] = value = reads[key](given)
            except ValueError as error:
                self._bad(_joined(path, key), error.args[0], given)
            else:
                if type(value) is str and not value.isprintable():
                    self._look_at(value, _joined(path, key))
        return values

    def _look_at(self, text: str, path: str) -> None:
        """Remember a text with a control character, or with one that turns what is around it."""
        found = next((each for each in text if is_control(each)), None)
        if found is not None:
            self._controls.append((f"U+{ord(found):04X}", self._place(path)))

    def _value(self, data: Mapping[str, Any], key: str, kind: ValueKind, *path: str) -> Any:
        value = data.get(key)
        if value is None:
            return None
        try:
            return kind.read(value)
        except ValueError as error:
            self._bad(_joined(*path, key), error.args[0], value)
            return None

    def _array(self, data: Any, key: str, path: str, *, required: bool = False) -> list[Any]:
        value = data.get(key)
        if value is None:
            if required:
                self._missing(
                    key, path, sentence('Add "{key}", if only as an empty list.', key=key)
                )
            return []
        if not isinstance(value, list):
            self._bad(_joined(path, key), sentence("a list"), value)
            return []
        if len(value) > MAX_ITEMS:
            self._add(
                Severity.FATAL,
                "file.too-large",
                sentence(
                    "The report has {n:,} {key}; at most {most:,} are read.",
                    n=len(value),
                    key=key,
                    most=MAX_ITEMS,
                ),
                _joined(path, key),
                sentence("Send one file for each event, or rate the games as a history."),
            )
            return []
        return value

    def _mapping(self, data: Any, key: str, path: str) -> dict[str, Any]:
        value = data.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self._bad(_joined(path, key), _object_like(_MAPS.get(key)), value)
            return {}
        for name in value:
            if not is_unicode(name):
                self._bad(_joined(path, key), sentence("a text as key"), name)
        if isinstance(value, _Repeating):
            self._tell_repeated(_joined(path, key))
        return value

    def _map(self, data: Any, key: str, path: str, kind: ValueKind) -> dict[str, Any]:
        if data.get(key) is None:
            return {}
        values = self._mapping(data, key, path)
        found = {name: self._value(values, name, kind, path, key) for name in values}
        for name, value in found.items():
            self._look_at(f"{name}{value}", _joined(path, key))
        return found

    def _check_keys(self, data: Mapping[str, Any], known: frozenset[str], path: str) -> None:
        if isinstance(data, _Repeating):
            self._tell_repeated(path)
        if known.issuperset(data):
            return
        for key in data:
            if key not in known:
                self._unknown(key, known, _joined(path, key))

    def _tell_repeated(self, path: str) -> None:
        self._add(
            Severity.ERROR,
            "json.repeated-key",
            sentence("A key stands twice in one object, and it is not clear which value is meant."),
            path,
            sentence("Remove one of the two."),
        )

    def _unknown(self, key: str, known: Set[str], path: str) -> None:
        kind = re.sub(r"\[[0-9]+\]", "", path)
        if kind in self._unknown_keys:
            key, place, remedy, count = self._unknown_keys[kind]
            self._unknown_keys[kind] = key, place, remedy, count + 1
        elif len(self._unknown_keys) < MAX_UNKNOWN_KEYS:
            self._unknown_keys[kind] = key, self._place(path), _near(key, known), 1
        else:
            self._more_unknown_keys += 1

    def _missing(self, key: str, path: str, remedy: str) -> None:
        self._add(
            Severity.ERROR,
            "report.missing-key",
            sentence('"{key}" is missing.', key=key),
            path,
            remedy,
        )

    def _bad(self, path: str, expected: str, value: object) -> None:
        message = sentence(
            "Expected {expected}, found {found}.", expected=expected, found=_shown(value)
        )
        self._add(
            Severity.ERROR,
            "report.bad-value",
            message,
            path,
            sentence("Write {expected}.", expected=expected),
        )


_EACH_SIDE = '{"white": true, "black": false}'
_MAPS = {
    "decisions": '{"initial_rating": 1900, "reason": "…"}',
    "foreign": '{"fide": 2100}',
    "ids": '{"fide": "990001"}',
    "pools": '{"rapid": {"rating": 1900}}',
}
"""What is kept by name of a player, as it may be written."""


def _object_like(example: str | None) -> str:
    return (
        sentence("an object")
        if example is None
        else sentence("an object such as {example}", example=example)
    )


_OF_REPORT = frozenset(("ratingbook", "event", "sections", "events", "players", "games"))
_OF_PLAYER = ("standing", "foreign", "ids", "pools", "history", "decisions")
_OF_GAME = ("rated",)
"""What objects hold beside what the table of fields says of them."""


def _of_player(index: int, data: Any) -> Place:
    return Place(path=f"players[{index}]", player=_player_of(data))


def _player_of(data: Any) -> str | None:
    """The id of a player, for the places of findings."""
    try:
        return identifier(data.get("id")) if isinstance(data, dict) else None
    except ValueError:
        return None


@cache
def _table(
    name: str, more: tuple[str, ...]
) -> tuple[Mapping[str, Callable[[object], object]], frozenset[str], tuple[str, ...]]:
    """How what an object may hold is read, all its keys with those besides, and what it must."""
    reads = {key: kind.read for key, kind in FIELDS[name].items()}
    return reads, frozenset((*reads, *more)), REQUIRED.get(name, ())


def _near(key: str, known: Set[str]) -> str:
    """What may have been meant by an unknown key."""
    words = near(key, sorted(known))
    return (
        sentence('Did you mean "{word}"?', word=words[0])
        if words
        else sentence("Remove it, or see the schema.")
    )


def _shown(value: object) -> str:
    """A wrong value, as far as a finding shows it."""
    if isinstance(value, dict | list) and len(value) > _SHOWN:
        return sentence("an object") if isinstance(value, dict) else sentence("a list")
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:
        return sentence("what is nested too deeply")
    if isinstance(value, str) and len(text) <= _SHOWN:
        # Each language has quotation marks of its own.
        return sentence('"{text}"', text=_legible(text[1:-1]))
    return _legible(text)


def _legible(text: str) -> str:
    """A text of a file, cut short, without halves of characters."""
    text = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _joined(*parts: str) -> str:
    return ".".join(_legible(part) if n else part for n, part in enumerate(parts) if part)
