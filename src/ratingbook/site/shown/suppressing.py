"""What it means that a person is suppressed, before it is done: there is no way back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from ratingbook.office.acts.naming import files_naming, names_in, spelled_of
from ratingbook.office.acts.registry import show, suppressed
from ratingbook.office.acts.suppressing import all_of
from ratingbook.office.home import current
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.site.shown.directing import drafts_naming
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.masking import mask
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
    drafts: int = 0
    seen: str = ""
    """What was shown, in short."""


def suppressing(person: int) -> Suppressing:
    """Of a person, whoever it was found to be; refused where there is none."""
    people = all_of(person)
    # Drafts are no matter of the ledger.
    found, drafts = _by_facts(tuple(people)), len(drafts_naming(current(), people))
    return replace(found, drafts=drafts, seen=seen_as(found, drafts))


@by_ledger
def _by_facts(people: tuple[int, ...]) -> Suppressing:
    """All but the drafts: every entry and every kept file is looked through for it."""
    one, every = people[0], [show(each) for each in people]
    return Suppressing(
        person=one,
        name=every[0]["name"],
        names=tuple(
            dict.fromkeys(name for each in every for name in (each["name"], *each["names"]))
        )[1:],
        numbers=tuple(of_register(v, k) for each in every for k, v in each["ids"].items()),
        attributes=tuple(dict.fromkeys(v for each in every for v in each["attributes"].values())),
        people=people,
        events=sum(each["events"] for each in every),
        files=_files(people),
        is_suppressed=one in suppressed(),
    )


def _files(people: tuple[int, ...]) -> tuple[KeptFile, ...]:
    home = current()
    names, spelled = files_naming(home, people), cache(lambda: spelled_of(people))
    kept = {each.sha256: each for each in m.Blob.objects.filter(sha256__in=names)}
    said: dict[str, Any] = {}
    for each in m.Evidence.objects.filter(blob__in=names).select_related("fact").order_by("fact"):
        said.setdefault(each.blob_id, each.fact)
    versions = {
        each.blob_id: each
        for each in m.ReportVersion.objects.filter(blob__in=names).order_by("-id")
    }
    # A file may be called as the person is, of whom nothing is said any more.
    found, masked = [], mask()
    for sha256 in names:
        version, fact = versions.get(sha256), said[sha256]
        others: int | None
        if version is not None:
            links = m.Link.objects.filter(person__in=people, revoked_by__isnull=True)
            others = version.entry_set.exclude(id__in=links.values("entry")).count()
        else:
            read = names_in(blobs.path_of(home, sha256), kept[sha256].media)
            others = None if read is None else sum(not spelled().is_name(each) for each in read)
        found.append(
            KeptFile(
                masked(version.file_name) if version else sha256[:12], kept[sha256].size,
                version.report_id if version else None, fact.kind, fact.seq, others,
            )
        )  # fmt: skip
    return tuple(sorted(found, key=lambda each: each.fact))
