"""What it means that a person is suppressed, before it is done: there is no way back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from django.db.models import Count, Q, QuerySet

from ratingbook.office.acts.masking import mask
from ratingbook.office.acts.naming import Came, files_naming, names_in, spelled_of
from ratingbook.office.acts.people import events_of, found_of
from ratingbook.office.acts.suppressing import all_of
from ratingbook.office.home import current
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.site.shown.directing import drafts_naming
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.masking import hidden_persons
from ratingbook.site.shown.seen import seen_as
from ratingbook.site.templatetags.written import of_register


@dataclass(frozen=True)
class KeptFile:
    """A kept file that names the person, and what it is of."""

    name: str
    size: int
    report: int | None
    kind: str
    """The act that it came with."""
    fact: int
    others: int | None
    """Other players who are in it; None: what it holds cannot be counted."""

    @property
    def about(self) -> str:
        """The act, as the audit is asked for it."""
        return f"fact:{self.fact}"


@dataclass(frozen=True)
class Suppressing:
    """What goes, what stays, and which files name the person."""

    person: int
    name: str
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    attributes: tuple[str, ...]
    people: tuple[int, ...]
    """Numbers of the office by which it is known, the own one first."""
    events: int
    files: tuple[KeptFile, ...]
    is_suppressed: bool
    not_searched: tuple[KeptFile, ...] = ()
    """Archives that unpack to more than is read, and may name anybody."""
    drafts: int = 0
    drafts_not_searched: int = 0
    seen: str = ""
    """What was shown, in short."""


def suppressing(person: int) -> Suppressing:
    """Of a person, whoever it was found to be; refused where there is none."""
    people = all_of(person)
    # Drafts are no matter of the ledger.
    found, (drafts, others) = _by_facts(tuple(people)), drafts_naming(current(), people)
    return replace(
        found, drafts=len(drafts), drafts_not_searched=len(others),
        seen=seen_as(found, len(drafts), len(others)),
    )  # fmt: skip


@by_ledger
def _by_facts(people: tuple[int, ...]) -> Suppressing:
    """All but the drafts: every entry and every kept file is looked through for it."""
    one, every, kept = people[0], found_of(people, None), files_naming(current(), people)
    return Suppressing(
        person=one,
        name=every[0].name,
        names=tuple(dict.fromkeys(name for each in every for name in (each.name, *each.names)))[1:],
        numbers=tuple(of_register(v, k) for each in every for k, v in each.ids.items()),
        attributes=tuple(dict.fromkeys(v for each in every for v in each.attributes.values())),
        people=people,
        events=sum(events_of(people).values()),
        files=_files(people, kept.named),
        not_searched=_files(people, kept.not_searched, are_read=False),
        is_suppressed=one in hidden_persons(),
    )


def _files(
    people: tuple[int, ...], every: Sequence[Came], *, are_read: bool = True
) -> tuple[KeptFile, ...]:
    home, spelled = current(), cache(lambda: spelled_of(people))
    names = [each.sha256 for each in every]
    links = m.Link.objects.filter(person__in=people, revoked_by__isnull=True)
    others_in = Count("entry", filter=~Q(entry__in=links.values("entry")))
    found_in: QuerySet[Any] = m.ReportVersion.objects.filter(blob__in=names)
    versions = {each.blob_id: each for each in found_in.annotate(others=others_in).order_by("-id")}
    # A file may be called as the person is, of whom nothing is said any more.
    found, masked = [], mask()
    for each in every:
        version, path = versions.get(each.sha256), blobs.path_of(home, each.sha256)
        others: int | None
        if version is not None:
            others = version.others
        else:
            read = names_in(path, each.media) if are_read else None
            others = None if read is None else sum(not spelled().is_name(name) for name in read)
        found.append(
            KeptFile(
                masked(version.file_name) if version else each.sha256[:12], each.size,
                version.report_id if version else None, each.kinds[0], each.fact, others,
            )
        )  # fmt: skip
    return tuple(sorted(found, key=lambda each: each.fact))
