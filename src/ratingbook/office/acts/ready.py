"""When sections are ready: once everybody who played in them is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery

from ratingbook.model.sentences import sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import pools_of_sections
from ratingbook.office.acts.people import live_at
from ratingbook.office.acts.setup import policy
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act


def taking_part() -> QuerySet[m.Entry]:
    """The entries that have a part in games.

    Whoever was replaced by a substitute has one: the rules may rate the game for that player.
    """
    white, black = (m.Game.objects.filter(**{side: OuterRef("id")}) for side in ("white", "black"))
    replaced = m.Substitution.objects.filter(entry=OuterRef("id"))
    return m.Entry.objects.filter(Exists(white) | Exists(black) | Exists(replaced)).order_by("id")


def _unlinked(upto: int | None = None) -> QuerySet[m.Entry]:
    """Those of them whom nobody has linked; as known at a fact."""
    live = m.Link.objects.filter(live_at(upto), entry=OuterRef("id"))
    return taking_part().filter(~Exists(live))


def waiting_entries(versions: Iterable[int], upto: int | None = None) -> list[m.Entry]:
    """The same entries of some versions."""
    return list(_unlinked(upto).filter(version__in=list(versions)))


def _replaced_in(version: int) -> Iterator[tuple[int, int]]:
    """The entries of a version in whose place substitutes played, each with its section."""
    rows = m.Substitution.objects.filter(version=version).values_list("number", "entry")
    replaced = list(rows)
    if replaced:
        games = m.Game.of(version).filter(number__in=[number for number, _ in replaced])
        section = dict(games.values_list("number", "section"))
        yield from ((section[number], entry) for number, entry in replaced)


def version_at_desk(report: int) -> m.ReportVersion | None:
    """The newest version of a report; where that is refused, one that counts if there is any."""
    versions = m.ReportVersion.objects.filter(report=report).order_by("-number")
    newest = versions.first()
    if newest is None:
        return None
    sections = m.Section.objects.filter(version=newest).values_list("id", flat=True)
    if set(states.states(sections).values()) != {states.REFUSED}:
        return newest
    return versions.filter(states.counting(OuterRef("id"))).first() or newest


def _at_desk() -> QuerySet[Any]:
    """Those of the version that counts, ``counts``, and of a newer one that may be let in.

    Nobody is asked for the people of what was refused or withdrawn: who lets it in is.
    """
    versions = m.ReportVersion.objects.filter(report=OuterRef("version__report"))
    newest = versions.order_by("-number").values("id")[:1]
    found = _unlinked().annotate(counts=states.counting(OuterRef("version")))
    wanted: QuerySet[Any] = found.filter(
        Q(counts=True) | (Q(version=Subquery(newest)) & states.in_hand(OuterRef("version")))
    )
    return wanted


def waiting_by_report() -> Mapping[int, int]:
    """How many are at the desk, by report; a report without any is left out."""
    return Counter(_at_desk().order_by().values_list("version__report", flat=True))


def waiting_of(version: int) -> int:
    """How many of a version are at the desk."""
    return _at_desk().filter(version=version).count()


def count_at_desk(report: OuterRef) -> Subquery:
    """How many of a report are at the desk, as a part of another query."""
    return _counted(_at_desk().filter(version__report=report))


def count_asked(report: OuterRef) -> Subquery:
    """How many of them are of a version that counts."""
    return _counted(_at_desk().filter(version__report=report, counts=True))


def _counted(entries: QuerySet[Any]) -> Subquery:
    own = entries.order_by().values("version__report")
    return Subquery(own.annotate(n=Count("id")).values("n"))


def at_desk(report: int | None = None) -> QuerySet[Any]:
    """The entries at the desk, of all reports or of one, by report and version.

    They have a birth ``year``, the ``report``, its last section's ``facts`` and ``event``, and the
    first ``pool`` of its sections.
    """
    pools = m.Section.objects.filter(version=OuterRef("version"), pool__isnull=False)
    found = _at_desk()
    if report is not None:
        found = found.filter(version__report=report)
    first = m.Section.objects.filter(version=OuterRef("version")).order_by("id")
    told: QuerySet[Any] = found.annotate(
        year=F("entryprivate__birth_year"),
        report=F("version__report"),
        number_of_version=F("version__number"),
        facts=Subquery(first.values("facts")[:1]),
        event=Subquery(first.values("event")[:1]),
        pool=Subquery(pools.order_by("pool").values("pool")[:1]),
    ).order_by("report", "-counts", "-version", "id")
    return told


def make_ready(act: Act, version: m.ReportVersion) -> None:
    """Sections whose people are all known are ready; those that are no longer go back."""
    sections = {each.id: each for each in m.Section.objects.filter(version=version)}
    waiting = {each.id for each in waiting_entries([version.id])}
    pools = {each.id: each for each in m.Pool.objects.all()}
    moved = pools_of_sections(act.head.seq)
    now = states.states(sections)
    needed: dict[int, set[int]] = {each: set() for each in sections}
    for section, white, black in m.Game.of(version.id).values_list("section", "white", "black"):
        needed[section] |= {white, black}
    for section, entry in _replaced_in(version.id):
        needed[section].add(entry)
    ready, back = [], []
    for number, each in sections.items():
        pool = moved.get(number, each.pool)
        lenient = pool is not None and policy(pools[pool], "unidentified") == "leave_out_games"
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
        states.step(act, "checked", back, states.CHECKED, sentence("entries are no longer linked"))
