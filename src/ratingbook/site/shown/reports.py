"""Reports in lines: where each stands, and what it waits for; few queries for many."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)

from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import beside_kept, pool_of
from ratingbook.office.acts.holding import reason_now
from ratingbook.office.acts.masking import mask, mask_for_public, masked_in
from ratingbook.office.acts.ready import count_asked, count_at_desk
from ratingbook.office.acts.senders import settled_by_office
from ratingbook.office.logic.feeding import DIFFERENCE
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import is_any
from ratingbook.site.languages import SPOKEN
from ratingbook.site.shown.kept import by_ledger

WHO = "who is it?"
"""The state of what waits for nothing but its people, as people call it."""
_NOBODY_ASKED = (states.PUBLISHED, states.REFUSED, states.WITHDRAWN, states.SUPERSEDED)
"""The states of reports for whose people nobody asks."""


@dataclass(frozen=True)
class ReportLine:
    """A report in its newest version."""

    report: int
    name: str
    end: date | None
    sender: str
    at: datetime
    version: int
    players: int
    waiting: int
    asked: int
    """How many of those who wait are in a version that counts: a newer one may be held."""
    state: str
    pool: str
    reason: str
    published: int | None = None
    """The version that is published: an earlier one where the newest is kept out."""

    @property
    def is_beside(self) -> bool:
        """Whether what is published is an earlier version."""
        return self.published is not None and self.published != self.version

    @property
    def is_aside(self) -> bool:
        """Whether somebody keeps it out."""
        return self.state in (states.HELD, states.REFUSED)

    @property
    def asks(self) -> int:
        """How many are asked for now: of what is kept out nobody is."""
        return self.asked if self.is_aside else self.waiting


@dataclass(frozen=True)
class SectionLine:
    """A section of a version, and how far it is."""

    report: int
    version: int
    name: str
    pool: str
    end: date | None
    facts: Mapping[str, Any]
    state: str
    """As people see it: what is ready and published is published."""
    reason: str
    """Why it is in this state, where somebody said so."""
    is_by_findings: bool
    """Whether findings refused it: then the reason is their codes."""


@dataclass(frozen=True)
class _Version:
    """A version of a report, with its sections."""

    id: int
    report: int
    number: int
    file_name: str
    players: int
    waiting: int
    asked: int
    sender: str
    at: datetime
    published: int | None
    findings: Sequence[Mapping[str, Any]]
    sections: list[SectionLine] = field(default_factory=list)


_SECTION = ("version__report", "version", "name", "end", "facts", "pool_name", "state", "why",
            "is_done", "by")  # fmt: skip
_VERSION = (
    "version__number",
    "version__file_name",
    "players",
    "waiting",
    "asked",
    "sender",
    "at",
    "done",
    "findings",
)


def _with_states(sections: QuerySet[m.Section]) -> QuerySet[Any]:
    steps = m.SectionStep.objects.filter(section=OuterRef("id")).order_by("-fact")
    facts = m.Fact.objects.filter(seq=OuterRef("fact"))
    return sections.order_by("id").annotate(
        pool_now=pool_of("id", "pool"),
        pool_name=Subquery(m.Pool.objects.filter(id=OuterRef("pool_now")).values("name")),
        state=Subquery(steps.values("state")[:1]),
        why=Subquery(steps.annotate(why=Subquery(facts.values("reason"))).values("why")[:1]),
        by=Subquery(steps.annotate(by=Subquery(facts.values("kind"))).values("by")[:1]),
        is_done=ExpressionWrapper(
            Exists(states.published().filter(section=OuterRef("id"))) | _beside(), BooleanField()
        ),
    )


def _beside() -> Q:
    """Sections of which no run makes anything, since another version of them stays rated."""
    return Q(id__in=beside_kept(ledger.head().seq) if is_any(DIFFERENCE) else ())


def _section_line(row: Mapping[str, Any]) -> SectionLine:
    return SectionLine(
        report=row["version__report"], version=row["version"], name=row["name"],
        pool=row["pool_name"] or "", end=row["end"], facts=row["facts"],
        state=states.PUBLISHED if row["is_done"] and row["state"] == states.READY
        else row["state"] or "",
        reason=reason_now(row["why"] or "", row["pool_name"]),
        is_by_findings=row["by"] == states.REFUSED_BY_FINDINGS,
    )  # fmt: skip


def _once(counted: Subquery | F) -> Case:
    """What is counted or told of a version, beside its first section only: some have a hundred."""
    own = m.Section.objects.filter(version=OuterRef("version")).order_by("id")
    return Case(When(id=Subquery(own.values("id")[:1]), then=counted))


def _versions(reports: Collection[int] | QuerySet[Any]) -> Iterable[_Version]:
    """The newest version of each report, with its sections, by one query."""
    entries = m.Entry.objects.filter(version=OuterRef("version")).order_by()
    made_by = m.Fact.objects.filter(seq=OuterRef("version__report__made_by"))
    newest = m.ReportVersion.objects.filter(report=OuterRef("version__report")).order_by("-number")
    steps = m.SectionStep.objects.filter(section=OuterRef("id")).order_by("-fact")
    of_report: Any = m.Section.objects.filter(version__report=OuterRef("version__report"))
    done = of_report.annotate(last=Subquery(steps.values("state")[:1])).filter(
        Q(id__in=states.published().values("section")) | _beside(), last=states.READY
    )
    rows = (
        _with_states(m.Section.objects.filter(version__report__in=reports))
        .filter(version=Subquery(newest.values("id")[:1]))
        .annotate(
            players=_once(Subquery(entries.values("version").annotate(n=Count("id")).values("n"))),
            waiting=_once(count_at_desk(OuterRef("version__report"))),
            asked=_once(count_asked(OuterRef("version__report"))),
            sender=Subquery(made_by.values("actor")),
            done=_once(Subquery(done.order_by("-version").values("version__number")[:1])),
            findings=_once(F("version__findings")),
            at=Subquery(m.Fact.objects.filter(seq=OuterRef("version__fact")).values("at")),
        )
        .values(*_SECTION, *_VERSION)
    )
    found: dict[int, _Version] = {}
    for row in rows:
        one = found.get(row["version"])
        if one is None:
            one = found[row["version"]] = _Version(
                id=row["version"], report=row["version__report"], number=row["version__number"],
                file_name=row["version__file_name"], players=row["players"] or 0,
                waiting=row["waiting"] or 0, asked=row["asked"] or 0, sender=row["sender"],
                at=row["at"], published=row["done"], findings=row["findings"] or (),
            )  # fmt: skip
        one.sections.append(_section_line(row))
    return found.values()


@by_ledger
def open_reports() -> list[int]:
    """Reports with anything in their newest version that is not published yet."""
    return list(
        _open().values_list("version__report", flat=True).distinct().order_by("version__report")
    )


def _open() -> QuerySet[Any]:
    """The same, as a part of other queries."""
    steps = m.SectionStep.objects.filter(section=OuterRef("id")).order_by("-fact")
    sections: Any = m.Section.objects.annotate(state=Subquery(steps.values("state")[:1]))
    is_gone = Q(state__isnull=False, state__in=(states.SUPERSEDED, states.WITHDRAWN))
    # What was published and is no longer ready, since a link was undone, waits again.
    is_done = Q(Q(id__in=states.published()) | _beside(), state=states.READY)
    found: QuerySet[Any] = sections.filter(~is_done, ~is_gone)
    return found.values("version__report")


@by_ledger
def open_lines() -> Sequence[ReportLine]:
    """The reports with anything that is not published yet, the one that came first at the top."""
    return _lines_of(_versions(_open()))


def lines_of(reports: Iterable[int]) -> list[ReportLine]:
    """These reports, the one that came first at the top."""
    return list(_lines_kept(frozenset(reports)))


def own_lines(reports: Iterable[int]) -> list[ReportLine]:
    """The same for who sent them: why they are aside, with the names as the own files have them.

    Who waits is told of those alone whom no number names, until the report is published.
    """
    return list(_own_lines_kept(frozenset(reports)))


def names_in(reports: Iterable[int]) -> Iterable[str]:
    """The names in any version of reports, as their senders wrote them; asked for once needed."""
    entries = m.Entry.objects.filter(version__report__in=list(reports)).exclude(name="")
    return entries.values_list("name", flat=True).distinct()


@by_ledger
def sections_of(versions: frozenset[int]) -> Mapping[int, Sequence[SectionLine]]:
    """The sections of versions, each with its state."""
    found: dict[int, list[SectionLine]] = {each: [] for each in versions}
    rows = _with_states(m.Section.objects.filter(version__in=versions)).values(*_SECTION)
    for one in map(_section_line, rows):
        found[one.version].append(one)
    return found


@by_ledger
def _lines_kept(wanted: frozenset[int]) -> tuple[ReportLine, ...]:
    return _lines_of(_versions(wanted))


@by_ledger
def _own_lines_kept(wanted: frozenset[int]) -> tuple[ReportLine, ...]:
    every = list(_versions(wanted))
    lines = _lines_of(every, lambda report: mask_for_public(names_in([report])))
    newest = {each.report: each.id for each in every}
    is_open = {each.report: newest[each.report] for each in lines
               if each.state not in _NOBODY_ASKED}  # fmt: skip
    settled = settled_in(frozenset(is_open.values()))
    return tuple(_told_to_sender(each, len(settled.get(newest[each.report], ()))) for each in lines)


@by_ledger
def settled_in(versions: frozenset[int]) -> Mapping[int, Sequence[m.Entry]]:
    """By version who plays of whom no number says who it is."""
    return settled_by_office(versions)


def _told_to_sender(line: ReportLine, settled: int) -> ReportLine:
    """A line without what the office knows of persons: births may decide who waits."""
    state = states.CHECKED if line.state in (states.READY, WHO) else line.state
    return replace(
        line, waiting=settled, asked=0 if line.is_aside else settled,
        state=WHO if settled and state == states.CHECKED else line.state,
    )  # fmt: skip


def _lines_of(
    versions: Iterable[_Version],
    hiding: Callable[[int], Callable[[str], str]] = lambda _: mask(),
) -> tuple[ReportLine, ...]:
    """Lines of reports; ``hiding`` gives for each what takes names out of what is said of it."""
    found = []
    for version in versions:
        own = version.sections
        state = states.least(each.state for each in own)
        why = next((each for each in own if each.state == state), None)
        reason = _why_aside(version, why, hiding) if why and state in states.ASIDE else ""
        ends = [each.end for each in own if each.end]
        named = (str(each.facts["name"]) for each in own if each.facts.get("name"))
        is_open = any(each.state != states.PUBLISHED for each in own)
        count = version.waiting if is_open else 0
        found.append(
            ReportLine(
                report=version.report, name=next(named, version.file_name),
                end=max(ends, default=None), sender=version.sender, at=version.at,
                version=version.number, players=version.players, waiting=count,
                asked=version.asked if is_open else 0,
                state=WHO if state == states.CHECKED and count else state,
                pool=next((each.pool for each in own if each.pool), ""),
                reason=reason,
                published=version.published,
            )
        )  # fmt: skip
    return tuple(sorted(found, key=lambda each: (each.at, each.report)))


def _why_aside(
    version: _Version, section: SectionLine, hiding: Callable[[int], Callable[[str], str]]
) -> str:
    """What keeps a version out: an officer's reason, or what findings refuse it."""
    by_findings = section.is_by_findings
    why = states.why_refused(version.findings) if by_findings else section.reason
    if not why:
        return ""
    said: str = masked_in(why, hiding(version.report))
    return SPOKEN.told(said) if by_findings else said
