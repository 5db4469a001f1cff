"""Checks a whole list: every line is read, and numbers that stand in it twice are found."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path

from ratingbook.formats.lists.files import opened
from ratingbook.formats.lists.kinds import kind_of
from ratingbook.formats.lists.players import ListKind, Rows
from ratingbook.formats.lists.refusal import Refused, refused
from ratingbook.formats.lists.source import UNKNOWN
from ratingbook.formats.tools.notes import CountedNotes, Remark
from ratingbook.model import Findings, Place, Severity

TWICE = Remark(
    "list.repeated",
    Severity.WARNING,
    "Numbers stand in the list more than once",
    "Delete the wrong lines, or download the list again.",
)
NOBODY = Remark(
    "list.empty",
    Severity.FATAL,
    "No player could be read",
    "Download the list again; if it is your own, look at its first lines.",
)
NAMELESS = Remark(
    "list.no-name",
    Severity.INFO,
    "Players without a name",
    "Nothing to do; they are found by their numbers.",
)

_LARGEST = 10**18


def check_list(path: Path) -> tuple[Findings, int]:
    """What is wrong with a list, and how many players are in it."""
    notes = CountedNotes()
    findings = Findings()
    count = 0
    try:
        with opened(path) as source:
            kind = kind_of(source)
        if kind is None:
            raise refused(UNKNOWN, path.name)
        count = _check(path, kind, notes)
        if not count:
            raise refused(NOBODY, path.name)
    except Refused as refusal:
        findings.extend([refusal.finding])
    findings.extend(notes.findings())
    return findings.in_file(str(path)), count


def _check(path: Path, kind: ListKind, notes: CountedNotes) -> int:
    """Read every player; the number of them.

    Eight bytes are kept of each, for a set of two million texts takes a quarter of a
    gigabyte.
    """
    numbers = array("q")
    for line, player in _rows(path, kind, notes):
        numbers.append(_as_integer(player.id))
        if not player.name:
            notes.add(NAMELESS, player.id, Place(line=line, player=player.id))
    twice = set(_repeated(numbers))
    if twice:
        _tell(path, kind, twice, notes)
    return len(numbers)


def _rows(path: Path, kind: ListKind, notes: CountedNotes) -> Rows:
    with opened(path) as source:
        yield from kind.read(source, notes, None)


def _as_integer(number: str) -> int:
    """A number as an integer; for one with letters something that hardly any other has."""
    if number.isascii() and number.isdecimal() and (value := int(number)) < _LARGEST:
        return value
    return hash(number)


def _repeated(numbers: array[int]) -> Iterator[int]:
    before = None
    for number in sorted(numbers):
        if number == before:
            yield number
        before = number


def _tell(path: Path, kind: ListKind, twice: set[int], notes: CountedNotes) -> None:
    """Read the list once more for the lines of the numbers that stand in it twice."""
    seen: set[str] = set()
    for line, player in _rows(path, kind, CountedNotes()):
        if _as_integer(player.id) in twice:
            if player.id in seen:
                where = Place(line=line, player=player.id)
                notes.add(TWICE, f"{player.id} {player.name}".strip(), where)
            seen.add(player.id)
