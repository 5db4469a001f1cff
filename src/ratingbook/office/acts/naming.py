"""Which kept files name a person."""

from __future__ import annotations

import zipfile
from collections.abc import Collection
from contextlib import suppress
from itertools import product
from typing import IO, Any

from ratingbook.office.acts.people import SUPPRESSED
from ratingbook.office.home import Home
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.office.unpacked import Unreadable, reading

_KINDS = ("imported", "sending", "file refused")
"""Acts whose files are no reports: who is in them is not linked to entries."""
_ENCODINGS = ("utf-8", "cp1252", "cp1251", "utf-16-le", "utf-16-be")
_PIECE = 1 << 20
_SHORTEST = 4
"""A number of fewer digits stands in any file."""


def files_naming(home: Home, people: Collection[int]) -> list[str]:
    """The kept files that name one of the persons, by their hashes.

    Reports do where an entry is linked to one; lists that were brought in, and files that were
    refused, where a name or number of theirs is found in them.
    """
    there = {"blob__suppressed_by__isnull": True}
    linked = m.ReportVersion.objects.filter(entry__link__person__in=people, **there)
    found = set(linked.values_list("blob", flat=True))
    words = _words(people)
    others = m.Evidence.objects.filter(fact__kind__in=_KINDS, **there)
    for sha256 in set(others.values_list("blob", flat=True)) - found:
        if _names_one(home, sha256, words):
            found.add(sha256)
    return sorted(found)


def _suppressions() -> Any:
    return m.Fact.objects.filter(kind=SUPPRESSED).values("seq")


def _words(people: Collection[int]) -> set[bytes]:
    """What the persons are called, in the bytes of the usual encodings."""
    # Who is suppressed already is called by a number now, which is in files of others.
    said = m.PersonName.objects.filter(person__in=people).exclude(fact__in=_suppressions())
    names = said.values_list("text", flat=True)
    ids = m.ExternalId.objects.filter(person__in=people).values_list("value", flat=True)
    words = {*names, *(each for each in ids if len(each) >= _SHORTEST)}
    found = set()
    for word, encoding in product(filter(None, words), _ENCODINGS):
        with suppress(UnicodeEncodeError):
            found.add(word.encode(encoding))
    return found


def _names_one(home: Home, sha256: str, words: Collection[bytes]) -> bool:
    """Whether one of the words is in a file, or in one of those of an archive or workbook."""
    path = blobs.path_of(home, sha256)
    # What is damaged or closed names nobody who could be read.
    with suppress(Unreadable), reading(sha256), path.open("rb") as file:
        if _has_one(file, words):
            return True
    with suppress(Unreadable), reading(sha256):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                return any(_in_member(archive, each, words) for each in archive.infolist())
    return False


def _in_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, words: Collection[bytes]) -> bool:
    with suppress(Unreadable), reading(member.filename), archive.open(member) as file:
        return _has_one(file, words)
    return False


def _has_one(file: IO[bytes], words: Collection[bytes]) -> bool:
    longest, before = max(map(len, words), default=0), b""
    while words and (piece := file.read(_PIECE)):
        part = before + piece
        if any(word in part for word in words):
            return True
        before = part[-longest:]
    return False
