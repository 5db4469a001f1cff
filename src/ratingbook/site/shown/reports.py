"""Reports in lines: where each stands, and what it waits for; few queries for many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from ratingbook.office.acts import states
from ratingbook.office.store import models as m
from ratingbook.site.shown.kept import by_ledger

WHO = "who is it?"
"""The state of what waits for nothing but its people, as people call it."""


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
    state: str
    pool: str
    reason: str

    @property
    def is_aside(self) -> bool:
        """Whether somebody keeps it out."""
        return self.state in (states.HELD, states.REFUSED)


@by_ledger
def open_reports() -> set[int]:
    """Reports with anything in their newest version that is not published yet."""
    rows = m.Section.objects.exclude(id__in=states.published()).values_list("version__report", "id")
    found: dict[int, list[int]] = {}
    for report, section in rows:
        found.setdefault(report, []).append(section)
    now = states.states([each for some in found.values() for each in some])
    gone = (states.SUPERSEDED, states.WITHDRAWN)
    return {report for report, some in found.items() if any(now.get(s) not in gone for s in some)}


def lines_of(reports: Iterable[int]) -> list[ReportLine]:
    """These reports, the one that came first at the top."""
    return list(_lines_of(frozenset(reports)))


@by_ledger
def _lines_of(wanted: frozenset[int]) -> tuple[ReportLine, ...]:
    newest = {
        each.report_id: each
        for each in m.ReportVersion.objects.filter(report__in=wanted)
        .defer("document", "findings", "difference")
        .select_related("report")
        .order_by("number")
    }
    versions = {each.id: each for each in newest.values()}
    sections: dict[int, list[m.Section]] = {each: [] for each in versions}
    for one in m.Section.objects.filter(version__in=versions).order_by("id"):
        sections[one.version_id].append(one)
    every = [one.id for some in sections.values() for one in some]
    steps = _last_steps(every)
    done = set(states.published().filter(section__in=every).values_list("section", flat=True))
    facts = m.Fact.objects.in_bulk(
        [*(v.report.made_by for v in newest.values()), *(v.fact for v in newest.values()),
         *(fact for fact, _ in steps.values())]
    )  # fmt: skip
    players = Counter(
        m.Entry.objects.filter(version__in=versions).values_list("version", flat=True)
    )
    waiting = _waiting([v for v in versions if not done.issuperset(s.id for s in sections[v])])
    pools = dict(m.Pool.objects.values_list("id", "name"))
    found = []
    for version in versions.values():
        own = sections[version.id]
        said = [_shown(steps.get(s.id, (0, ""))[1], s.id in done) for s in own]
        state = states.least(said)
        aside = [facts[steps[s.id][0]].reason for s in own if steps.get(s.id, (0, ""))[1] == state]
        ends = [s.end for s in own if s.end]
        first = facts[version.report.made_by]
        name = next((str(s.facts["name"]) for s in own if s.facts.get("name")), version.file_name)
        count = waiting.get(version.id, 0)
        found.append(
            ReportLine(
                report=version.report_id, name=name, end=max(ends, default=None),
                sender=first.actor, at=facts[version.fact].at, version=version.number,
                players=players[version.id], waiting=count,
                state=WHO if state == states.CHECKED and count else state,
                pool=next((pools[s.pool] for s in own if s.pool in pools), ""),
                reason=aside[0] if aside and state in states.ASIDE else "",
            )
        )  # fmt: skip
    return tuple(sorted(found, key=lambda each: (each.at, each.report)))


def _shown(state: str, is_published: bool) -> str:
    return states.PUBLISHED if is_published and state == states.READY else state


def _last_steps(sections: Sequence[int]) -> dict[int, tuple[int, str]]:
    """The fact that made the state of each section, and the state."""
    rows = m.SectionStep.objects.filter(section__in=sections).order_by("fact")
    return {section: (fact, state)
            for section, fact, state in rows.values_list("section", "fact", "state")}  # fmt: skip


def _waiting(versions: Sequence[int]) -> Counter[int]:
    """How many of a version's players with games nobody has identified."""
    played: dict[int, set[int]] = {}
    # By the index of their sections: there are millions.
    games = m.Game.objects.filter(section__version__in=versions)
    for version, white, black in games.values_list("version", "white", "black"):
        played.setdefault(version, set()).update((white, black))
    linked = set(
        m.Link.objects.filter(entry__version__in=versions, revoked_by__isnull=True).values_list(
            "entry", flat=True
        )
    )
    return Counter({version: len(some - linked) for version, some in played.items()})
