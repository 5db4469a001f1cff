"""Which kept files name a person."""

from __future__ import annotations

import zipfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db.models import OuterRef, Subquery

from ratingbook.formats.standings import read_standings
from ratingbook.office.acts.people import SUPPRESSED, canonical
from ratingbook.office.acts.states import FILE_REFUSED
from ratingbook.office.home import Home
from ratingbook.office.intake import FOLDER, read_data
from ratingbook.office.logic.spelled import Spelled
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.office.unpacked import Unreadable, reading

_LISTS = ("imported", "sending", FILE_REFUSED)
"""Acts whose files are no reports, and have persons by their numbers."""
_TABLES = "application/vnd.apache.parquet"
"""What the office itself has made: persons are numbers in it."""
_SHORTEST = 4
"""A number of fewer digits stands in any file."""
_READ = 1 << 23
"""Bytes up to which a file is read as what it is, too: parts of names may be far apart in it."""


def files_naming(home: Home, people: Collection[int]) -> list[str]:
    """The kept files that name one of the persons, by their hashes.

    Reports do where an entry is linked to one, or has the name or a number and waits, or counts
    for nothing; all others where a name is found in them, and lists where a number is.  A report
    whose entry of that name is known to be somebody else is that one's.
    """
    names, ids = _said_of(people)
    spelled = Spelled(names)
    found, others = _reports(people, spelled, ids)
    in_lists = Spelled(names, {value for _, value in ids if len(value) >= _SHORTEST})
    there = m.Evidence.objects.filter(blob__suppressed_by__isnull=True)
    kept: dict[str, tuple[str, set[str]]] = {}
    for sha256, media, kind in there.exclude(blob__media=_TABLES).values_list(
        "blob", "blob__media", "fact__kind"
    ):
        kept.setdefault(sha256, (media, set()))[1].add(kind)
    for sha256, (media, kinds) in kept.items():
        if sha256 in found or sha256 in others:
            continue
        wanted = in_lists if kinds.intersection(_LISTS) else spelled
        if names_one(blobs.path_of(home, sha256), media, wanted, is_report="received" in kinds):
            found.add(sha256)
    return sorted(found)


def spelled_of(people: Collection[int]) -> Spelled:
    """The names of persons, to be looked for in files; also of those who are suppressed."""
    return Spelled(_said_of(people)[0])


def _said_of(people: Collection[int]) -> tuple[set[str], set[tuple[str, str]]]:
    """What persons are called, here and in reports, and the numbers that they have or had."""
    # Who is suppressed already is called by a number now, which is in files of others.
    hiding = m.Fact.objects.filter(kind=SUPPRESSED).values("seq")
    said = m.PersonName.objects.filter(person__in=people).exclude(fact__in=hiding)
    links = m.Link.objects.filter(person__in=people, revoked_by__isnull=True)
    names = {*said.values_list("text", flat=True), *links.values_list("entry__name", flat=True)}
    ids = m.ExternalId.objects.filter(person__in=people).values_list("scheme", "value")
    return names - {""}, set(ids)


def _reports(
    people: Collection[int], spelled: Spelled, ids: Collection[tuple[str, str]]
) -> tuple[set[str], set[str]]:
    """The files of reports that name a person, and those in which the name is somebody else's."""
    there = {"version__blob__suppressed_by__isnull": True}
    live = m.Link.objects.filter(entry=OuterRef("id"), revoked_by__isnull=True)
    entries: Any = m.Entry.objects.filter(**there).annotate(who=Subquery(live.values("person")[:1]))
    named: set[str] = set()
    by_others: set[str] = set()
    own = {canonical(each) for each in people}
    is_name: Mapping[str, bool] = _Answers(spelled)
    for sha256, name, number, printed, who in entries.values_list(
        "version__blob", "name", "number", "printed", "who"
    ).iterator():
        if who is not None and (who in people or canonical(who) in own):
            named.add(sha256)
        elif is_name[name or number] or not set(ids).isdisjoint((printed.get("ids") or {}).items()):
            (named if who is None else by_others).add(sha256)
    # What an entry was said to be, and is no longer, was in the file all the same.
    linked = m.ReportVersion.objects.filter(
        entry__link__person__in=people, blob__suppressed_by__isnull=True
    )
    named |= set(linked.values_list("blob", flat=True))
    return named, by_others - named


class _Answers(defaultdict[str, bool]):
    """Whether each name is one of those that are looked for; most stand in many reports."""

    def __init__(self, spelled: Spelled) -> None:
        super().__init__()
        self._spelled = spelled

    def __missing__(self, name: str) -> bool:
        self[name] = found = self._spelled.is_name(name)
        return found


def names_one(path: Path, media: str, spelled: Spelled, *, is_report: bool = False) -> bool:
    """Whether a name is in a file, in one of those of an archive or workbook, or is read in it.

    The entries of a report that was understood are known, and are not read again.
    """
    # What is damaged or closed names nobody who could be read.
    with suppress(Unreadable), reading(path.name), path.open("rb") as file:
        if spelled.is_in_file(file):
            return True
    with suppress(Unreadable), reading(path.name):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                if any(_in_member(archive, each, spelled) for each in archive.infolist()):
                    return True
    return not is_report and any(spelled.is_name(each) for each in names_in(path, media) or ())


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
