"""Member numbers on their way into the files, and what becomes of players who have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.uschess.rows import (
    FEDERATION,
    MEMBER_DIGITS,
    REGISTER,
    UNKNOWN_MEMBER,
    id_without_member,
    is_member_number,
)
from ratingbook.model import Entry, Place, Severity

NO_MEMBER = Remark(
    "uschess.no-member",
    Severity.WARNING,
    f"Players have no member number; {UNKNOWN_MEMBER} was written, and they are called after "
    "their pairing numbers, in each section anew",
    f"Look the numbers up, and give them in the report as ids.{REGISTER}.",
)
ODD_MEMBER = Remark(
    "uschess.member",
    Severity.WARNING,
    "Member numbers are not of eight digits; they were written as they are if they fit",
    "Correct the numbers; leading zeros belong to them.",
)
SAME_MEMBER = Remark(
    "uschess.member",
    Severity.ERROR,
    "Players have the same member number",
    "Correct the wrong one; the file would make one player of them.",
    each=True,
)
DIRECTORS = Remark(
    "uschess.directors",
    Severity.INFO,
    "Directors without a member number were left out; the format has no place for names",
    "Give their member numbers as officials of the event.",
)


def member_numbers(entries: Iterable[Entry], notes: Notes) -> dict[str, str]:
    """The member numbers by id, of the players who have one."""
    numbers: dict[str, str] = {}
    for entry in entries:
        number = _member_number(entry)
        place = Place(player=entry.id)
        label = f"{entry.id} {entry.name}".rstrip()
        if not number:
            notes.add(NO_MEMBER, label, place)
            continue
        if not is_member_number(number):
            notes.add(ODD_MEMBER, f"{label}: {number}", place)
        if _fits(number):
            numbers[entry.id] = number
    _check_once(numbers, notes)
    return numbers


def _member_number(entry: Entry) -> str:
    """The number that the entry gives, or its id where that is one and no other register's."""
    given = entry.ids.get(REGISTER, "").strip()
    if given:
        return given if given != UNKNOWN_MEMBER else ""
    others = entry.ids.values()
    return entry.id if is_member_number(entry.id) and entry.id not in others else ""


def _fits(number: str) -> bool:
    return number.isascii() and number.isalnum() and len(number) <= MEMBER_DIGITS


def _check_once(numbers: Mapping[str, str], notes: Notes) -> None:
    count = Counter(numbers.values())
    for player, number in numbers.items():
        if count[number] > 1:
            notes.add(SAME_MEMBER, f"{player}: {number}", Place(player=player))


def ids_read_back(
    rows: Iterable[tuple[str, int, str]], members: Mapping[str, str]
) -> dict[str, str]:
    """What the reader will call the players; ``rows`` are player, pairing number, section."""
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for player, pair, section in rows:
        new = members.get(player)
        if new is None:
            new = id_without_member(pair, section, taken)
            taken.add(new)
        ids.setdefault(player, new)
    return ids


def directors(officials: Iterable[str], notes: Notes) -> Sequence[str]:
    """The directors' member numbers, the chief's and the assistant's first; blank if unknown."""
    named = [official for official in officials if official]
    numbers = [official for official in named if is_member_number(official)]
    for official in named:
        if official not in numbers:
            notes.add(DIRECTORS, official[:60], Place())
    return [*numbers, "", ""][: max(len(numbers), 2)]


def federation_country(federation: str | None) -> str:
    """The country that the header names."""
    return FEDERATION if federation == FEDERATION else ""
