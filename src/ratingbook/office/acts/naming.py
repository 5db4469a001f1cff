"""Which kept files name a person."""

from __future__ import annotations

import zipfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, Subquery

from ratingbook.formats.files import MOST_IN_MEMORY
from ratingbook.formats.lists.files import most_unpacked
from ratingbook.formats.standings import read_standings
from ratingbook.formats.tables.package import MAX_PARTS
from ratingbook.office.acts.people import canonical, said_of
from ratingbook.office.acts.states import FILE_REFUSED
from ratingbook.office.home import Home
from ratingbook.office.intake import FOLDER, read_data
from ratingbook.office.logic.masked import SUPPRESSED
from ratingbook.office.logic.spelled import Spelled
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import once
from ratingbook.office.unpacked import Unreadable, reading

_LISTS = ("imported", "sending", FILE_REFUSED)
"""Acts whose files are no reports, and have persons by their numbers."""
_OF_OFFICERS = {"imported", "sending"}
"""Those of them that bring the lists of federations, which unpack to more than any report."""
_TABLES = "application/vnd.apache.parquet"
"""What the office itself has made: persons are numbers in it."""
_SHORTEST = 4
"""A number of fewer digits stands in any file."""
_READ = 1 << 23
"""Bytes up to which a file is read as what it is, too: parts of names may be far apart in it."""


@dataclass(frozen=True)
class Came:
    """A kept file, and the acts that it came with, by their kinds; the first one by its fact."""

    sha256: str
    media: str
    size: int
    fact: int
    kinds: list[str] = field(default_factory=list)


class Naming(NamedTuple):
    """The kept files that name somebody, and those that may, in the order of their hashes."""

    named: list[Came]
    not_searched: list[Came]
    """Archives that unpack to more than is read of any."""


def files_naming(home: Home, people: Collection[int]) -> Naming:
    """The kept files that name one of the persons.

    Reports do where an entry is linked to one, or has the name or a number and waits, or counts
    for nothing; all others where a name is found in them, and lists where a number is.  A report
    whose entry of that name is known to be somebody else is that one's.
    """
    names, ids = _known_of(people)
    spelled = Spelled(names)
    found, others = _reports(people, spelled, ids)
    in_lists = Spelled(names, {value for _, value in ids if len(value) >= _SHORTEST})
    naming = Naming([], [])
    for each in _kept():
        named: bool | None = each.sha256 in found
        if not named and each.sha256 not in others and each.media != _TABLES:
            of_lists = not set(_LISTS).isdisjoint(each.kinds)
            named = _names_one(home, each, in_lists if of_lists else spelled)
        if named is None:
            naming.not_searched.append(each)
        elif named:
            naming.named.append(each)
    return naming


def _kept() -> Sequence[Came]:
    """All files that are kept."""
    there = m.Evidence.objects.filter(blob__suppressed_by__isnull=True).order_by("blob", "fact")
    kept: dict[str, Came] = {}
    for sha256, media, size, fact, kind in there.values_list(
        "blob", "blob__media", "blob__size", "fact", "fact__kind"
    ):
        kept.setdefault(sha256, Came(sha256, media, size, fact)).kinds.append(kind)
    return list(kept.values())


def _names_one(home: Home, one: Came, spelled: Spelled) -> bool | None:
    path, kinds = blobs.path_of(home, one.sha256), set(one.kinds)
    return names_one(
        path, one.media, spelled,
        is_report="received" in kinds, is_list=not kinds.isdisjoint(_OF_OFFICERS),
    )  # fmt: skip


def spelled_of(people: Collection[int]) -> Spelled:
    """The names of persons, to be looked for in files; also of those who are suppressed."""
    return Spelled(_known_of(people)[0])


def _known_of(people: Collection[int]) -> tuple[set[str], set[tuple[str, str]]]:
    """The same as below, once in a moment: it is asked for of kept files and of drafts."""
    return once(("names and numbers", frozenset(people)), lambda: _said_of(people))


def _said_of(people: Collection[int]) -> tuple[set[str], set[tuple[str, str]]]:
    """What persons are called, here and in reports, and the numbers that they have or had."""
    # Who is suppressed already is called by a number now, which is in files of others.
    hiding = m.Fact.objects.filter(kind=SUPPRESSED).values("seq")
    ever = list(said_of(people, ~Q(fact__in=hiding)))
    links = m.Link.objects.filter(person__in=people, revoked_by__isnull=True)
    names = {each.value for each in ever if each.what == "name"}
    ids = {(each.key, each.value) for each in ever if each.what == "number"}
    return {*names, *links.values_list("entry__name", flat=True)} - {""}, ids


def _reports(
    people: Collection[int], spelled: Spelled, ids: Collection[tuple[str, str]]
) -> tuple[set[str], set[str]]:
    """The files of reports that name a person, and those in which the name is somebody else's."""
    there = {"version__blob__suppressed_by__isnull": True}
    live = m.Link.objects.filter(entry=OuterRef("id"), revoked_by__isnull=True)
    # What an entry was said to be, and is no longer, was in the file all the same.
    ever = m.Link.objects.filter(entry=OuterRef("id"), person__in=people)
    entries: Any = m.Entry.objects.filter(**there).annotate(
        who=Subquery(live.values("person")[:1]), was=Exists(ever)
    )
    named: set[str] = set()
    by_others: set[str] = set()
    own = {canonical(each) for each in people}
    is_name: Mapping[str, bool] = _Answers(spelled)
    for sha256, name, number, printed, who, was in entries.values_list(
        "version__blob", "name", "number", "printed", "who", "was"
    ).iterator():
        if was or (who is not None and canonical(who) in own):
            named.add(sha256)
        elif is_name[name or number] or not set(ids).isdisjoint((printed.get("ids") or {}).items()):
            (named if who is None else by_others).add(sha256)
    return named, by_others - named


class _Answers(defaultdict[str, bool]):
    """Whether each name is one of those that are looked for; most stand in many reports."""

    def __init__(self, spelled: Spelled) -> None:
        super().__init__()
        self._spelled = spelled

    def __missing__(self, name: str) -> bool:
        self[name] = found = self._spelled.is_name(name)
        return found


def names_one(
    path: Path, media: str, spelled: Spelled, *, is_report: bool = False, is_list: bool = False
) -> bool | None:
    """Whether a name is in a file, in one of those of an archive or workbook, or is read in it.

    The entries of a report that was understood are known, and are not read again.  None: the file
    is an archive that unpacks to more than is read of a report, or of a list, and is not searched.
    """
    # What is damaged or closed names nobody who could be read.
    with suppress(Unreadable), reading(path.name), path.open("rb") as file:
        if spelled.is_in_file(file):
            return True
    with suppress(Unreadable), reading(path.name):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                if _is_too_large(archive, path.stat().st_size, is_list=is_list):
                    return None
                if any(_in_member(archive, each, spelled) for each in archive.infolist()):
                    return True
    return not is_report and any(spelled.is_name(each) for each in names_in(path, media) or ())


def _is_too_large(archive: zipfile.ZipFile, packed: int, *, is_list: bool) -> bool:
    """Whether an archive says that it unpacks to more than is read; no more is read than it says.

    What was only put together, as a folder is, is no larger than it came.
    """
    most = most_unpacked(packed)
    if not is_list:
        most = min(most, max(MOST_IN_MEMORY, packed))
    members = archive.infolist()
    return len(members) > MAX_PARTS or sum(each.file_size for each in members) > most


def _in_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, spelled: Spelled) -> bool:
    with suppress(Unreadable), reading(member.filename), archive.open(member) as file:
        return spelled.is_in_file(file)
    return False


def names_in(path: Path, media: str) -> list[str] | None:
    """The names in a file, be it a report or a list of players; None: it cannot be read so."""
    with suppress(Unreadable), reading(path.name):
        if path.stat().st_size <= _READ:
            return list(_read_names(path, media)) or None
    return None


def _read_names(path: Path, media: str) -> Iterator[str]:
    """The names in a file as the formats read it."""
    if media == FOLDER:
        report = read_data(path.read_bytes(), media, {}, None).report
        yield from (each.name for each in report.entries) if report else ()
    else:
        yield from (each.entry.name for each in read_standings(path)[0])
