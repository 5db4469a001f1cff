"""The records that rating does not need, checked for sense.

Byes, accelerations, forbidden pairings, line-ups and points change no rating,
but a number in them that nobody has shows that something was mistyped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum

from ratingbook.formats.fide.trf.records import Records
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.text import Line
from ratingbook.model import Place, Severity
from ratingbook.model.patterns import pattern

RECORD = Remark(
    "trf.record",
    Severity.WARNING,
    "The contents of records were not understood",
    "Put the fields into the columns that the standard gives them.",
)
REFERENCE = Remark(
    "trf.reference",
    Severity.WARNING,
    "Records name players or teams that the file does not have",
    "Correct the number, or add the line of the player or of the team.",
)


class _Of(Enum):
    """Whose numbers a record holds."""

    PLAYERS = "players"
    TEAMS = "teams"
    SIDES = "sides"
    """Of teams in a team event, of players in any other."""


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Columns of a record with numbers of players or teams."""

    of: _Of
    start: int
    stop: int | None = None
    width: int = 4


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a record with rounds, and with numbers."""

    rounds: tuple[slice[int, int], ...]
    numbers: tuple[_Numbers, ...]


_COLUMNS = {
    "240": _Columns((slice(6, 9),), (_Numbers(_Of.SIDES, 10),)),
    "250": _Columns((slice(14, 17), slice(18, 21)), (_Numbers(_Of.SIDES, 22, 31),)),
    "260": _Columns((slice(4, 7), slice(8, 11)), (_Numbers(_Of.SIDES, 12),)),
    "300": _Columns(
        (slice(4, 7),), (_Numbers(_Of.TEAMS, 8, 15, width=3), _Numbers(_Of.PLAYERS, 16))
    ),
    "320": _Columns((), (_Numbers(_Of.TEAMS, 14, width=3),)),
    "330": _Columns((slice(7, 10),), (_Numbers(_Of.TEAMS, 11, 18, width=3),)),
    "XXA": _Columns((), (_Numbers(_Of.PLAYERS, 4, 8),)),
}
_ABNORMAL = _Columns((slice(19, 22),), (_Numbers(_Of.SIDES, 23),))
_ABNORMAL_CLOSER = _Columns((slice(16, 19),), (_Numbers(_Of.SIDES, 20),))
_SHOWN = 60
"""As much of a line that was not understood is shown."""
_LONGEST_NUMBER = 9
_WORDS = ("XXP", "XXZ")
"""Records with nothing but starting ranks, one word after the other."""
_VALUE = r"[0-9]{1,3}(?:\.[0-9]{1,2})?"
_POINTS = r"(?:{0}[\s=]+[0-9]{{1,3}}(?:\.[0-9]{{1,2}})?\s*)+"
_FORMS = {
    "142": pattern("[0-9]{1,3}"),
    "XXR": pattern("[0-9]{1,3}"),
    "152": pattern("[WBwb]"),
    "352": pattern("[WBwb]+"),
    "162": pattern(_POINTS.format("[WDLAPX]")),
    "362": pattern(_POINTS.format("T[WDL]")),
    "XXS": pattern(_POINTS.format("[A-Z]{1,3}")),
    **dict.fromkeys(("BBW", "BBD", "BBL", "BBZ", "BBF", "BBU"), pattern(_VALUE)),
}
"""What the contents of header records look like."""


def number_in(text: str) -> int | None:
    """The number in a field; 0 where it is blank, None where it is something else."""
    text = text.strip()
    if not text:
        return 0
    plain = text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER
    return int(text) if plain else None


def numbers_in(
    text: str, start: int, stop: int | None = None, width: int = 4
) -> tuple[int, ...] | None:
    """The numbers in the columns from ``start`` on, each with a blank behind it.

    Blank fields and zeros are no numbers.  None where the columns hold anything else.
    """
    found = []
    for at in range(start, len(text) if stop is None else min(stop, len(text)), width + 1):
        number = number_in(text[at : at + width])
        if number is None or text[at + width : at + width + 1].strip():
            return None
        if number:
            found.append(number)
    return tuple(found)


def is_closer(text: str) -> bool:
    """Whether the fields of a record 299 stand closer together than the standard's table says.

    The standard's own example has one blank between them, and so have some files.
    """
    return bool(text[17:19].strip() or text[22:23].strip())


def check_records(
    records: Records, players: Collection[int], teams: Collection[int], notes: Notes
) -> None:
    """Note what was not understood, and numbers that no player and no team has.

    ``teams`` are the pairing numbers of the teams.
    """
    _check_forms(records, notes)
    known = {
        _Of.PLAYERS: set(players),
        # The teams of record 013 have no numbers; what names them cannot be checked.
        _Of.TEAMS: set(teams) if teams else None,
        _Of.SIDES: {*players, *teams},
    }
    for tag, line, columns in _lines_with_columns(records):
        place = Place(line=line.number)
        if not _rounds_make_sense(line.text, columns):
            notes.add(RECORD, line.text[:_SHOWN], place)
        for numbers in columns.numbers:
            found = numbers_in(line.text, numbers.start, numbers.stop, numbers.width)
            if found is None:
                notes.add(RECORD, line.text[:_SHOWN], place)
            elif (owners := known[numbers.of]) is not None:
                _check_known(tag, found, owners, place, notes)
    for tag, words, place in _words(records, notes):
        _check_known(tag, words, players, place, notes)


def _lines_with_columns(records: Records) -> Iterator[tuple[str, Line, _Columns]]:
    """The lines of records with columns."""
    for tag, columns in _COLUMNS.items():
        for line in records.lists.get(tag, ()):
            yield tag, line, columns
    for line in records.lists.get("299", ()):
        yield "299", line, _ABNORMAL_CLOSER if is_closer(line.text) else _ABNORMAL


def _check_forms(records: Records, notes: Notes) -> None:
    for tag, form in _FORMS.items():
        text = records.text(tag)
        if text and not form.fullmatch(text):
            notes.add(RECORD, f"{tag} {text}"[:_SHOWN], records.place(tag))


def _check_known(
    tag: str, numbers: Collection[int], known: Collection[int], place: Place, notes: Notes
) -> None:
    for number in numbers:
        if number not in known:
            notes.add(REFERENCE, f"{tag}: {number}", place)


def _rounds_make_sense(text: str, columns: _Columns) -> bool:
    """Whether the rounds are numbers, the first not after the last; 0 or blank: all rounds."""
    rounds = [number_in(text[at]) for at in columns.rounds]
    known = [number for number in rounds if number is not None]
    return len(known) == len(rounds) and known == sorted(known)


def _words(records: Records, notes: Notes) -> Iterator[tuple[str, list[int], Place]]:
    for tag in _WORDS:
        for line in records.lists.get(tag, ()):
            place = Place(line=line.number)
            numbers = [number_in(word) for word in line.text[3:].split()]
            known = [number for number in numbers if number is not None]
            if len(known) < len(numbers):
                notes.add(RECORD, line.text[:_SHOWN], place)
            yield tag, known, place
