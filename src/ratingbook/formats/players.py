"""A players file: standings by player id, to fill what a report lacks.

CSV with a header, or JSON: a list of objects, either flat (``id``, ``rating``,
``games`` …) or as the players of a report document.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from ratingbook.formats.document import FIELDS, entry_from
from ratingbook.model import Entry, Findings, Place, Report, Severity, Standing

_STANDING_KEYS = frozenset(FIELDS["standing"])
_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")


def read_players(
    text: str, standing_fields: frozenset[str] = frozenset()
) -> tuple[dict[str, Entry], Findings]:
    """The players of the file by id, and what is wrong with it."""
    findings = Findings()
    known = _STANDING_KEYS | FIELDS["standing_extra"].keys() | standing_fields
    is_json = text.lstrip()[:1] in ("[", "{")
    rows = _json_rows(text, findings) if is_json else _csv_rows(text, findings)
    players: dict[str, Entry] = {}
    for place, row in rows:
        entry = entry_from(_nested(row, known), place, findings, standing_fields)
        if entry is None:
            continue
        if entry.id in players:
            findings.add(
                Severity.ERROR,
                "players.duplicate",
                f"Player {entry.id} stands in the players file twice.",
                place,
                "Keep one of the two.",
            )
        players[entry.id] = entry
    return players, findings


def _json_rows(text: str, findings: Findings) -> Iterator[tuple[Place, Any]]:
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        place = Place()
        if isinstance(error, json.JSONDecodeError):
            place = Place(line=error.lineno, column=error.colno)
        findings.add(
            Severity.FATAL, "json.syntax", f"The players file is not JSON: {error}.", place,
            "Correct the place, or write the file as CSV.",
        )  # fmt: skip
        return
    if isinstance(data, dict):
        data = data.get("players")
    if not isinstance(data, list):
        findings.add(
            Severity.FATAL,
            "players.shape",
            "The players file holds no list of players.",
            remedy='Write a list of objects with "id", "rating", "games" …',
        )
        return
    for index, item in enumerate(data):
        yield Place(path=f"players[{index}]"), item


def _csv_rows(text: str, findings: Findings) -> Iterator[tuple[Place, Any]]:
    first_line = text.partition("\n")[0]
    delimiter = max(",;\t", key=first_line.count)
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True)
    try:
        header = [name.strip() for name in reader.fieldnames or ()]
        if "id" not in header:
            findings.add(
                Severity.FATAL,
                "players.no-id",
                "The players file has no column id.",
                Place(line=1),
                "Name the columns in the first line: id,rating,games …",
            )
            return
        reader.fieldnames = header
        for row in reader:
            place = Place(line=reader.line_num, player=row.get("id"))
            if None in row:
                findings.add(
                    Severity.ERROR,
                    "players.columns",
                    "This line has more columns than the header.",
                    place,
                    "Quote values that hold the separator.",
                )
                continue
            kinds = {**FIELDS["player"], **FIELDS["standing"], **FIELDS["standing_extra"]}
            yield (
                place,
                {
                    key: _value(value.strip(), kinds[key].schema if key in kinds else {})
                    for key, value in row.items()
                    if value is not None and value.strip()
                },
            )
    except csv.Error as error:
        findings.add(
            Severity.FATAL,
            "players.csv",
            f"The players file is not CSV: {error}.",
            Place(line=reader.line_num),
            "Write it with a program that writes CSV.",
        )


def _value(text: str, schema: Mapping[str, object]) -> object:
    """A cell as the kind of value that its column holds."""
    kind = schema.get("type", "string")
    if kind == "boolean" and text.lower() in (*_TRUE, *_FALSE):
        return text.lower() in _TRUE
    if kind in ("number", "integer"):
        try:
            number = float(text)
        except ValueError:
            return text
        return int(number) if number.is_integer() else number
    return text


def _nested(row: Any, standing_keys: frozenset[str]) -> Any:
    """A flat row in the shape of a document's player."""
    if not isinstance(row, dict) or "standing" in row:
        return row
    standing = {key: value for key, value in row.items() if key in standing_keys}
    player = {key: value for key, value in row.items() if key not in standing_keys}
    return {**player, "standing": standing} if standing else player


def with_players(report: Report, players: Mapping[str, Entry]) -> tuple[Report, Findings]:
    """The report with what it lacks filled in from the players file.

    What the report says stands; a rating that contradicts it is a finding.
    """
    findings = Findings()
    entries = []
    matched = 0
    for entry in report.entries:
        more = players.get(entry.id)
        if more is not None:
            matched += 1
            _compare(entry, more, findings)
            entry = _filled(entry, more)  # noqa: PLW2901 - the entry, completed
        entries.append(entry)
    if players and not matched:
        findings.add(
            Severity.WARNING,
            "players.no-match",
            "None of the ids of the players file is in the report.",
            remedy="The ids must be those of the report.",
        )
    return replace(report, entries=tuple(entries)), findings


def _compare(entry: Entry, more: Entry, findings: Findings) -> None:
    ours = entry.standing.rating if entry.standing else None
    theirs = more.standing.rating if more.standing else None
    if ours is not None and theirs is not None and ours != theirs:
        findings.add(
            Severity.WARNING,
            "players.rating-differs",
            f"Player {entry.id} has the rating {ours:g} in the report and {theirs:g} in the "
            "players file; the report's is used.",
            more.place,
            "Correct the one that is wrong.",
        )


def _filled(entry: Entry, more: Entry) -> Entry:
    """``entry`` with ``more`` where it has nothing."""
    changes: dict[str, Any] = {
        field.name: getattr(more, field.name)
        for field in fields(Entry)
        if field.name not in ("id", "place", "standing")
        and not getattr(entry, field.name)
        and getattr(more, field.name)
    }
    if more.standing:
        own = entry.standing or Standing()
        changes["standing"] = Standing(
            **{
                field.name: (
                    getattr(more.standing, field.name)
                    if getattr(own, field.name) is None
                    else getattr(own, field.name)
                )
                for field in fields(Standing)
                if field.name != "extra"
            },
            extra={**more.standing.extra, **own.extra},
        )
    return replace(entry, **changes)
