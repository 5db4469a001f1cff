"""Standings as a list maker gets them: output of ``rate``, a report, a players file, a list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ratingbook.formats import UNKNOWN_FORMAT, read, read_text
from ratingbook.formats.columnar import as_document
from ratingbook.formats.document.keys import NO_KEYS
from ratingbook.formats.files import is_json
from ratingbook.formats.lists import looks_like_list, read_entries
from ratingbook.formats.players import (
    NO_COLUMNS,
    Column,
    is_document,
    is_players_file,
    is_ratings,
    output_of_rate,
    read_players,
)
from ratingbook.model import Entry, Findings, Place, Severity
from ratingbook.model.sentences import sentence
from ratingbook.rules.listing import Member
from ratingbook.rules.wording import either


class _Standings(NamedTuple):
    """What a file has of its players."""

    members: list[Member]
    rulebook: str | None
    is_report: bool
    """Whether the ids may be those of one event only."""


def read_standings(
    path: Path,
    standing_fields: Mapping[str, type] = NO_KEYS,
    beside: Mapping[str, Column] = NO_COLUMNS,
) -> tuple[list[Member], str | None, Findings]:
    """The players of the file with their standings, and the edition that rated them.

    The edition is known in the output of ``rate`` only, which also brings the games
    of the period.  Any file of a report will do as well.  ``beside`` are the columns of a players
    file beside those of persons and standings.
    """
    found, findings = _read(path, standing_fields, beside)
    return found.members, found.rulebook, findings


def read_numbered(
    path: Path,
    register: str,
    standing_fields: Mapping[str, type] = NO_KEYS,
    beside: Mapping[str, Column] = NO_COLUMNS,
) -> tuple[list[Member], Findings]:
    """The players of the file, each under the own number in a register as its id.

    Numbers that the file has of the register go before its ids, which are start numbers then, or
    numbers of somebody else; in a report they are nobody's number outside the event anyway.  Who
    has no number is told and left out.
    """
    found, findings = _read(path, standing_fields, beside)
    numbered = [each for each in found.members if each.entry.ids.get(register)]
    if not (found.is_report or numbered):
        return found.members, findings
    if found.members and not numbered:
        findings.add(
            Severity.ERROR,
            "standings.start-numbers",
            sentence(
                "The file is a report, and nobody in it has a number of the register {register!r}: "
                "a start number is nobody's number outside its event.",
                register=register,
            ),
            Place(file=str(path)),
            sentence(
                "Give a file with the numbers, in a column ids.{register}; or name another "
                "register.",
                register=register,
            ),
        )
    elif left := [each.entry for each in found.members if not each.entry.ids.get(register)]:
        _tell_left(left, register, path, findings)
    return [
        Member(replace(each.entry, id=each.entry.ids[register]), each.period_games)
        for each in numbered
    ], findings


def _tell_left(left: list[Entry], register: str, path: Path, findings: Findings) -> None:
    """Who has no number of the register is not the one whose number the id happens to be."""
    findings.add(
        Severity.WARNING,
        "standings.unnumbered",
        either(
            len(left),
            "{count} player has no number of the register {register!r} and was left out: {first}.",
            "{count} players have no number of the register {register!r} and were left out, first "
            "{first}.",
            register=register, first=left[0].name or left[0].id,
        ),
        replace(left[0].place, file=str(path)),
        sentence("Fill in the number in the file; or bring in who has none as a person alone."),
    )  # fmt: skip


def _read(
    path: Path, standing_fields: Mapping[str, type], beside: Mapping[str, Column]
) -> tuple[_Standings, Findings]:
    if looks_like_list(path):
        entries, findings = read_entries(path)
        return _Standings([Member(entry) for entry in entries], None, False), findings
    text, findings = as_document(path), Findings()
    if text is None:
        text, findings = read_text(path)
    if text is None:
        return _Standings([], None, False), findings
    # A table of a report has such columns, too.
    every = {**{name: each.held for name, each in beside.items()}, **standing_fields}
    reading = None if _holds_players(text) else read(path, every)
    # What is of no format of reports is told what a table of players has to have.
    if reading and any(each.code == UNKNOWN_FORMAT for each in reading.findings):
        reading = None
    # A cross table begins like a table of players in other words, and is a report first.
    if reading and (reading.report or not is_players_file(text.lstrip().partition("\n")[0])):
        report = reading.report
        members = [Member(entry) for entry in report.entries] if report else []
        return _Standings(members, None, True), reading.findings
    players, more = read_players(text, standing_fields, beside=beside)
    findings.extend(more)
    rulebook, games = output_of_rate(text)
    members = [Member(entry, games.get(entry.id)) for entry in players.values()]
    return _Standings(members, rulebook, is_document(text)), findings


def _holds_players(text: str) -> bool:
    """Whether it is JSON, or a table with a column ``id``."""
    if is_json(text.encode()):
        return True
    first = text.lstrip().partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    header = {name.strip().strip('"') for name in first.split(delimiter)}
    return "id" in header or is_ratings(header)
