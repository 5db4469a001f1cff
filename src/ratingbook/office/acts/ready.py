"""When sections are ready: once everybody who played in them is known."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Subquery

from ratingbook.office.acts import states
from ratingbook.office.acts.setup import policy
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act


def waiting_entries(version: int) -> list[m.Entry]:
    """The entries of a version that nobody has linked, and that have games."""
    linked = m.Link.objects.filter(entry__version=version, revoked_by__isnull=True)
    played: set[int] = set()
    for pair in m.Game.of(version).values_list("white", "black"):
        played |= set(pair)
    known = set(linked.values_list("entry", flat=True))
    entries = m.Entry.objects.filter(version=version).order_by("id")
    return [each for each in entries if each.id in played and each.id not in known]


def versions_waiting(report: int | None = None) -> list[tuple[int, int]]:
    """The reports whose newest version has an entry that nobody has linked, and that version."""
    live = m.Link.objects.filter(entry=OuterRef("id"), revoked_by__isnull=True)
    newest = m.ReportVersion.objects.filter(report=OuterRef("report")).order_by("-number")
    versions = m.ReportVersion.objects.filter(id=Subquery(newest.values("id")[:1]))
    if report is not None:
        versions = versions.filter(report=report)
        unlinked = m.Entry.objects.filter(~Exists(live), version__in=versions)
    else:
        unlinked = m.Entry.objects.filter(~Exists(live))
    some = set(unlinked.values_list("version", flat=True).distinct())
    rows = versions.order_by("report").values_list("report", "id")
    return [(number, version) for number, version in rows if version in some]


def make_ready(act: Act, version: m.ReportVersion) -> None:
    """Sections whose people are all known are ready; those that are no longer go back."""
    sections = {each.id: each for each in m.Section.objects.filter(version=version)}
    waiting = {each.id for each in waiting_entries(version.id)}
    pools = {each.id: each for each in m.Pool.objects.all()}
    now = states.states(sections)
    needed: dict[int, set[int]] = {each: set() for each in sections}
    for section, white, black in m.Game.of(version.id).values_list("section", "white", "black"):
        needed[section] |= {white, black}
    ready, back = [], []
    for number, each in sections.items():
        lenient = each.pool is not None and (
            policy(pools[each.pool], "unidentified") == "leave_out_games"
        )
        complete = lenient or not needed[number] & waiting
        if complete and now.get(number) == states.CHECKED:
            ready.append(number)
        if not complete and now.get(number) == states.READY:
            back.append(number)
    if ready:
        states.step(act, "ready", ready, states.READY)
        older = m.Section.objects.filter(
            version__report=version.report_id, version__number__lt=version.number
        ).values_list("id", flat=True)
        was = states.states(list(older))
        replaced = [each for each in older if was.get(each) != states.SUPERSEDED]
        if replaced:
            states.step(act, "superseded", replaced, states.SUPERSEDED)
    if back:
        states.step(act, "checked", back, states.CHECKED, "entries are no longer linked")
