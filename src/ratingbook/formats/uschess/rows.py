"""What the US Chess formats share: a player's row in a section's cross table, and who it is.

A player's id in the report is his member number.  Who has none yet is called
after his pairing number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, NamedTuple

from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Entry, Place, Severity, Standing
from ratingbook.model.sentences import sentence

FEDERATION: Final = "USA"
REGISTER: Final = "uscf"
"""How the ids of an entry call the register of the member numbers."""
UNKNOWN_MEMBER: Final = "00000000"
MEMBER_DIGITS: Final = 8
PLAYED: Final = frozenset("WLD")
DOUBLE: Final = frozenset("$#%")
"""Two games in one round: both won, won and drawn, both drawn."""
FORFEITS: Final = frozenset("XFZ")
"""Won, lost, and lost by both."""
BYES: Final = frozenset("BHU")
"""A full point, half a point, nothing."""
CODES: Final = PLAYED | DOUBLE | FORFEITS | BYES

NO_MEMBER = Remark(
    "uschess.no-member",
    Severity.WARNING,
    "Players have no member number; they are called after their pairing numbers",
    "Look the numbers up before the report is rated; without them nobody can be identified.",
)
ODD_MEMBER = Remark(
    "uschess.member",
    Severity.WARNING,
    "Member numbers are not of eight digits; they were taken as they are",
    "Correct the numbers; leading zeros belong to them.",
)
TWO_PERSONS = Remark(
    "uschess.two-persons",
    Severity.ERROR,
    "Two family names have the same member number",
    "Correct the member number of the one, or the name.",
    each=True,
)
SPELLINGS = Remark(
    "uschess.spelling",
    Severity.WARNING,
    "A name is spelled in several ways under one member number; the first was taken",
    "Look whether this is one person.",
)
RE_ENTERED = Remark(
    "uschess.re-entry",
    Severity.INFO,
    "Players stand in several rows of a section; each is one player with all his games",
    "Nothing to do if they entered again.",
)
RATINGS = Remark(
    "uschess.ratings-differ",
    Severity.WARNING,
    "A player has different ratings in his rows; the first was taken",
    "Correct the wrong one; sections in different rating systems belong into reports of their own.",
)
PAIRING_NUMBER_TWICE = Remark(
    "uschess.duplicate",
    Severity.ERROR,
    "Two rows of a section have the same pairing number",
    "Give every row a number of its own; the opponents refer to it.",
    each=True,
)
NO_NAME = Remark(
    "uschess.name",
    Severity.WARNING,
    "Players have no name",
    "Add the names; without them nobody can be identified.",
)


_WITHOUT_MEMBER = "pair-"
"""How the ids of players without a member number begin."""


class Cell(NamedTuple):
    """What a row says of one round."""

    code: str
    opponent: int = 0
    """Pairing number of the opponent; 0: none."""
    colour: str = ""
    """``W``, ``B``, or nothing."""


class Dates(NamedTuple):
    """First and last day of a section, where they are not the event's."""

    start: date | None = None
    end: date | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row in a section."""

    section: str
    pair: int
    """The pairing number."""
    member: str
    """The member number as written; also the id of the player, once ids are given."""
    name: str
    cells: Mapping[int, Cell]
    standing: Standing | None = None
    """None: unrated."""
    pools: Mapping[str, Standing] = field(default_factory=dict)
    place: Place = field(default_factory=Place)

    @property
    def label(self) -> str:
        """Pairing number and name, for findings."""
        return f"{self.pair} {self.name}".rstrip()

    @property
    def rating(self) -> float | None:
        """The printed rating."""
        return self.standing.rating if self.standing else None

    def at(self, number: int) -> Place:
        """The place of the row's result in a round."""
        return replace(self.place, round=number)


def with_ids(rows: Iterable[Row], notes: Notes) -> list[Row]:
    """The rows with the ids of the report as member numbers, each pairing number once a section."""
    found: dict[tuple[str, int], Row] = {}
    taken: set[str] = set()
    for row in rows:
        place = replace(row.place, section=row.section or None)
        first = found.get((row.section, row.pair))
        if first:
            notes.add(
                PAIRING_NUMBER_TWICE,
                sentence("{label} and {other}", label=first.label, other=row.label),
                place,
            )
            continue
        if not row.name:
            notes.add(NO_NAME, row.member or str(row.pair), place)
        player = row.member
        if player in ("", UNKNOWN_MEMBER):
            player = id_without_member(row.pair, row.section, taken)
            notes.add(NO_MEMBER, f"{row.label} ({player})", place)
            taken.add(player)
        elif not is_member_number(player):
            notes.add(ODD_MEMBER, f"{row.label}: {player}", place)
        place = replace(place, player=player)
        found[row.section, row.pair] = replace(row, member=player, place=place)
    return list(found.values())


def id_without_member(pair: int, section: str, taken: Collection[str]) -> str:
    """An id from the pairing number; from the section's name too where the number is taken."""
    player = f"{_WITHOUT_MEMBER}{pair}"
    return f"{player}-{section}" if player in taken else player


def is_member_number(text: str) -> bool:
    """Whether it is a member number of eight digits, and not the one that says none."""
    digits = len(text) == MEMBER_DIGITS and text.isascii() and text.isdigit()
    return digits and text != UNKNOWN_MEMBER


def entries(rows: Iterable[Row], notes: Notes) -> tuple[Entry, ...]:
    """The players; of one who stands in several rows, the first row tells who he is."""
    of_player: dict[str, list[Row]] = {}
    for row in rows:
        of_player.setdefault(row.member, []).append(row)
    return tuple(_entry(own, notes) for own in of_player.values())


def _entry(rows: Sequence[Row], notes: Notes) -> Entry:
    first = rows[0]
    for row in rows[1:]:
        _compare(first, row, notes)
    for row in rows:
        if any(other.section == row.section for other in rows if other is not row):
            numbers = " and ".join(str(r.pair) for r in rows if r.section == row.section)
            notes.add(RE_ENTERED, f"{row.name} ({numbers})", row.place)
            break
    rated = next((row for row in rows if row.standing), first)
    known = not first.member.startswith(_WITHOUT_MEMBER)
    return Entry(
        id=first.member,
        name=first.name,
        ids={REGISTER: first.member} if known else {},
        standing=rated.standing,
        pools={pool: known for row in reversed(rows) for pool, known in row.pools.items()},
        place=first.place,
    )


def _compare(first: Row, other: Row, notes: Notes) -> None:
    """Note where two rows of one member number may not be the same person."""
    names = f"{first.member}: {first.name}; {other.name}"
    if first.name and other.name and _key(first.name) != _key(other.name):
        same_family = _key(_family(first.name)) == _key(_family(other.name))
        notes.add(SPELLINGS if same_family else TWO_PERSONS, names, other.place)
    pairs = [(first.rating, other.rating)]
    pairs += [
        (first.pools[p].rating, other.pools[p].rating) for p in first.pools.keys() & other.pools
    ]
    for one, two in pairs:
        if one and two and one != two:
            notes.add(
                RATINGS,
                sentence("{name} {one:g} and {two:g}", name=first.name, one=one, two=two),
                other.place,
            )
            break


def _family(name: str) -> str:
    """The family name of ``LAST, FIRST`` or ``FIRST LAST``."""
    last, comma, _ = name.partition(",")
    return last if comma else name.rpartition(" ")[2]


def _key(name: str) -> str:
    """What is left of a name without blanks, points, hyphens and capitals."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())
