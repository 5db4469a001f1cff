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

    Eight bytes are kept of each, and more only where the number may have stood before: a
    set of two million texts takes a quarter of a gigabyte.
    """
    numbers = array("q")
    met = _Met()
    again: list[tuple[int, int, str, str]] = []
    for line, player in _rows(path, kind, notes):
        number = _as_integer(player.id)
        numbers.append(number)
        if met.before(number):
            again.append((number, line, player.id, player.name))
        if not player.name:
            notes.add(NAMELESS, player.id, Place(line=line, player=player.id))
    twice = set(_repeated(numbers)) if again else ()
    for number, line, told, name in again:
        if number in twice:
            notes.add(TWICE, f"{told} {name}".strip(), Place(line=line, player=told))
    return len(numbers)


class _Met:
    """Numbers that were met, in a bit each: one that is new may look like another."""

    _BITS = 134_217_689
    """A prime; of two million different numbers one in a hundred looks like another."""

    def __init__(self) -> None:
        # The system gives the pages of it when they are written to.
        self._bits = bytearray(self._BITS // 8 + 1)

    def before(self, number: int) -> bool:
        """Whether the number, or one that looks like it, was asked about before."""
        byte, bit = divmod(number % self._BITS, 8)
        mask = 1 << bit
        if self._bits[byte] & mask:
            return True
        self._bits[byte] |= mask
        return False


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
