"""A rating list as a source of players: only those whom reports name are kept.

A list has two million players, so it is read once for all reports, and nobody is
looked for by name: two people may have one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from ratingbook.formats.lists.files import opened
from ratingbook.formats.lists.kinds import kind_of
from ratingbook.formats.lists.players import STANDARD, Listed, ListKind, clean_number
from ratingbook.formats.lists.refusal import Refused, refused
from ratingbook.formats.tools.notes import CountedNotes, Remark
from ratingbook.model import Entry, Event, Findings, Place, Report, Severity, Standing
from ratingbook.model.making import changed
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

UNKNOWN = Remark(
    "list.unknown",
    Severity.FATAL,
    "This is no rating list that is read",
    "Read are lists of FIDE (TXT, XML, zipped or not), ICCF, IECG, EGF, AGA and FFG.",
)
TWICE = Remark(
    "list.twice",
    Severity.ERROR,
    "A number stands in the list twice, with different data",
    "Delete the wrong line, or download the list again.",
)
NOT_FOUND = Remark(
    "list.not-found",
    Severity.WARNING,
    "Numbers that are not in the list",
    "Correct the numbers, or take a newer list; these players are as the report has them.",
)
NO_NUMBER = Remark(
    "list.no-number",
    Severity.INFO,
    "Players who cannot be found in the list, since the report has no number of theirs for it",
    "Add their numbers; nobody is looked for by name.",
)
OTHER_NAME = Remark(
    "list.other-name",
    Severity.WARNING,
    "The list has another name for the number",
    "Look whether the number is right.",
    each=True,
)
NOT_TAKEN = Remark(
    "list.other-player",
    Severity.WARNING,
    "The list has another name for the id, which may be no number of this list; "
    "nothing was taken from it",
    "Give the number of the list as such, or correct the id.",
)
UNRATED = Remark(
    "list.unrated",
    Severity.WARNING,
    "Players who have a rating in the report, but not in the list",
    "Take the rating out of the report if it is not this federation's.",
)
NO_POOL = Remark(
    "list.no-pool",
    Severity.WARNING,
    "The list has no ratings of this kind for any player of the report",
    "Take the list of this kind, or the combined one.",
)
INACTIVE = Remark(
    "list.inactive",
    Severity.INFO,
    "Players who are inactive by the list",
    "Nothing to do, unless they should not be rated.",
)
TOO_MANY = Remark(
    "list.too-many",
    Severity.FATAL,
    "The list has more players than are taken as standings at once",
    "Take the players of one federation; to rate reports, any list will do.",
)
FOREIGN = Remark(
    "list.foreign",
    Severity.INFO,
    "The ratings of this list are another federation's: they were taken as ratings elsewhere",
    "Nothing to do, if the edition takes players over from there; else name a list of its own.",
)

MOST_ENTRIES = 100_000

_WORD = pattern(r"[^\W\d_]{2,}")


@dataclass(frozen=True)
class ListPlayers:
    """The players of a list whom reports name, by their number in it."""

    path: Path
    kind: ListKind
    players: Mapping[str, Listed] = field(default_factory=dict)

    def of(
        self, report: Report, federation: str, joined: Set[str] = frozenset()
    ) -> tuple[dict[str, Entry], Findings]:
        """What the list says of the report's players, by the report's ids.

        Of those ``joined`` with another list nobody is told that they are not in this one.

        ``federation`` is that of the edition which rates: the ratings of its own list
        are standings, those of another ``foreign``.
        """
        notes = CountedNotes()
        own = federation == self.kind.federation
        register = self.kind.register
        by_id = any(self._is_found_by_id(entry) for entry in report.entries)
        pool = pool_of(report.event) if register == "fide" else home_pool(register)
        found = {}
        rated = False
        for entry in report.entries:
            listed = self._listed(entry, notes, joined, by_id=by_id)
            if listed is None:
                continue
            found[entry.id] = self._entry(entry, listed, pool, notes, own=own)
            rated = rated or pool in listed.standings
        if not own and found:
            notes.add(FOREIGN, self.kind.federation, Place(file=str(self.path)))
        elif found and not rated:
            notes.add(NO_POOL, pool, Place(file=str(self.path)))
        return found, notes.findings()

    def _is_found_by_id(self, entry: Entry) -> bool:
        """Whether the entry's id is the player's number in the list, and its only one."""
        listed = self.players.get(clean_number(entry.id))
        if listed is None or entry.ids.get(self.kind.register):
            return False
        return names_agree(entry.name, listed.entry.name)

    def _listed(
        self, entry: Entry, notes: CountedNotes, joined: Set[str], *, by_id: bool
    ) -> Listed | None:
        """The player of the list who has the entry's number.

        ``by_id``: the report's ids are numbers of the list, as those of others show.
        """
        register = self.kind.register
        said = entry.ids.get(register)
        label = f"{entry.id} {entry.name}".strip()
        place = replace(entry.place, player=entry.id)
        listed = self.players.get(number_of(entry, register))
        if listed is None:
            if entry.id in joined:
                return None
            if said:
                notes.add(NOT_FOUND, f"{label} ({said})", place)
            elif by_id:
                notes.add(NOT_FOUND, label, place)
            else:
                notes.add(NO_NUMBER, label, place)
            return None
        if not names_agree(entry.name, listed.entry.name):
            both = sentence(
                "{label}, in the list {entry} {entry2}",
                label=label,
                entry=listed.entry.id,
                entry2=listed.entry.name,
            )
            notes.add(OTHER_NAME if said else NOT_TAKEN, both, place)
            return listed if said else None
        return listed

    def _entry(
        self, entry: Entry, listed: Listed, pool: str, notes: CountedNotes, *, own: bool
    ) -> Entry:
        """The person, with the standing that counts in this event and those of other pools."""
        person = replace(listed.entry, id=entry.id)
        label = f"{entry.id} {entry.name}".strip()
        place = replace(entry.place, player=entry.id)
        if not own:
            return replace(person, foreign=self._foreign(listed))
        if listed.inactive:
            notes.add(INACTIVE, label, place)
        standing = listed.standings.get(pool)
        reported = entry.standing
        if standing is None and reported and reported.rating:
            notes.add(UNRATED, f"{label} ({reported.rating:g})", place)
        others = {name: each for name, each in listed.standings.items() if name != pool}
        return replace(person, standing=standing, pools=others)

    def _foreign(self, listed: Listed) -> dict[str, float | None]:
        """The rating under the name of its organisation, with the games where they are known."""
        register = self.kind.register
        standing = listed.standings.get(home_pool(register))
        if standing is None:
            return {}
        games = {} if standing.games is None else {f"{register}_games": standing.games}
        return {register: standing.rating, **games}


def read_list(path: Path, reports: Iterable[Report]) -> tuple[ListPlayers | None, Findings]:
    """The players of a list whom the reports name; None where the list is refused."""
    notes = CountedNotes()
    findings = Findings()
    found: ListPlayers | None = None
    try:
        with opened(path) as source:
            kind = kind_of(source)
        if kind is None:
            raise refused(UNKNOWN, path.name)
        wanted = {
            number
            for report in reports
            for entry in report.entries
            if (number := number_of(entry, kind.register))
        }
        found = ListPlayers(path, kind, _kept(path, kind, wanted, notes))
    except Refused as refusal:
        findings.extend([refusal.finding])
    findings.extend(notes.findings())
    return (None if findings.refused else found), findings.in_file(str(path))


class OnList(NamedTuple):
    """A player of a list, with the standing in the pool that the list is about first."""

    entry: Entry
    played: int | None
    """As :class:`.Listed` has it."""


def read_entries(path: Path) -> tuple[list[Entry], Findings]:
    """All players of a list with their standings, of FIDE's in the standard pool.

    A list with more than ``MOST_ENTRIES`` is refused; :func:`read_portions` takes any.
    """
    found, _, findings = _read(path, lambda each: True, MOST_ENTRIES)
    return [each.entry for each in found], findings


def read_some(path: Path, wanted: Callable[[OnList], bool]) -> tuple[list[OnList], int, Findings]:
    """Some players of a list, however long it is, and how many it has."""
    return _read(path, wanted, None)


def read_portions(
    path: Path, size: int, findings: Findings
) -> Iterator[list[tuple[Entry, Standing | None]]]:
    """All players of a list and their standings, however long it is, so many at a time.

    What there is to say of it is found when all have been read; a list that is refused may have
    given players before.
    """
    some: list[tuple[Entry, Standing | None]] = []
    for line, listed, standing in _each(path, findings):
        some.append((changed(listed.entry, place=Place(line=line)), standing))
        if len(some) == size:
            yield some
            some = []
    if some:
        yield some


def _read(
    path: Path, wanted: Callable[[OnList], bool], most: int | None
) -> tuple[list[OnList], int, Findings]:
    findings = Findings()
    found: list[OnList] = []
    count = 0
    for line, listed, standing in _each(path, findings, most):
        count += 1
        place = Place(line=line, player=listed.entry.id)
        one = OnList(changed(listed.entry, standing=standing, place=place), listed.played)
        if wanted(one):
            found.append(one)
    return ([], 0, findings) if findings.refused else (found, count, findings)


def _each(
    path: Path, findings: Findings, most: int | None = None
) -> Iterator[tuple[int, Listed, Standing | None]]:
    """Each player with the line, and the standing in the pool that the list is about first."""
    notes = CountedNotes()
    try:
        with opened(path) as source:
            kind = kind_of(source)
        if kind is None:
            raise refused(UNKNOWN, path.name)
        pool = home_pool(kind.register)
        with opened(path) as source:
            for count, (line, player) in enumerate(kind.read(source, notes, None), 1):
                if most is not None and count > most:
                    place = Place(line=line, player=player.id)
                    raise refused(TOO_MANY, sentence("more than {most:,}", most=most), place)
                listed = player.listed()
                yield line, listed, listed.standings.get(pool)
    except Refused as refusal:
        findings.extend([refusal.finding])
    findings.extend(notes.findings())


def _kept(path: Path, kind: ListKind, wanted: set[str], notes: CountedNotes) -> dict[str, Listed]:
    """The players asked for, each placed in the list."""
    found: dict[str, Listed] = {}
    with opened(path) as source:
        for line, player in kind.read(source, notes, wanted):
            listed = player.listed()
            place = Place(file=str(path), line=line, player=player.id)
            number = clean_number(player.id)
            before = found.get(number)
            if before and before != replace(
                listed, entry=replace(listed.entry, place=before.entry.place)
            ):
                notes.add(TWICE, f"{player.id} {player.name}", place)
            found[number] = replace(listed, entry=replace(listed.entry, place=place))
    return found


def number_of(entry: Entry, register: str) -> str:
    """The number under which a list would have a player: that of its register, else the id."""
    return clean_number(entry.ids.get(register) or entry.id)


def home_pool(register: str) -> str:
    """The pool of a list in which its federation's ratings are at home."""
    return STANDARD if register == "fide" else register


def pool_of(event: Event) -> str:
    """FIDE's pool in which an event counts."""
    pool = (event.pool or "").casefold()
    return pool if pool in ("rapid", "blitz") else STANDARD


def names_agree(one: str, other: str) -> bool:
    """Whether two names may be one person's: a word is the same, or one of them is missing."""
    words, others = set(_words(one)), set(_words(other))
    return not words or not others or not words.isdisjoint(others)


def _words(name: str) -> Iterator[str]:
    apart = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return (match[0] for match in _WORD.finditer(plain))
