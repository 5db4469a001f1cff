"""The officer's desk: what waits, the next question, and a report under review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from django.db.models import Exists, OuterRef, Subquery
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratingbook.model.sentences import Sentence, unpacked
from ratingbook.office.acts import calendar, states
from ratingbook.office.acts.corrections import OPEN, with_states
from ratingbook.office.acts.desk import UNDONE, Waiting, waiting
from ratingbook.office.acts.people import attributes_of, names_of, search
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.engine import list_that_takes
from ratingbook.office.logic.corrections import sentences
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import SYSTEM
from ratingbook.site.languages import SPOKEN, localised
from ratingbook.site.models import Draft
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.reports import WHO, ReportLine, lines_of, open_lines, sections_of
from ratingbook.site.shown.words import Told, told

SHOWN = 50
_TABS = (
    ("", gettext_lazy("All")),
    (states.CHECKED, gettext_lazy("Checked")),
    (WHO, gettext_lazy("Who is it?")),
    (states.HELD, gettext_lazy("Held")),
    (states.REFUSED, gettext_lazy("Refused")),
    (states.READY, gettext_lazy("Ready for a run")),
)

_FACTS: Mapping[str, str | Promise] = {
    "federation": gettext_lazy("federation"), "club": gettext_lazy("club"),
    "title": gettext_lazy("title"), "grade": gettext_lazy("grade"), "sex": gettext_lazy("sex"),
}  # fmt: skip
_METHODS: Mapping[str, str | Promise] = {
    "id": gettext_lazy("by number"), "name": gettext_lazy("by name"),
    "version": gettext_lazy("by version"), "hand": gettext_lazy("by hand"),
}  # fmt: skip


@dataclass(frozen=True)
class Tab:
    """A state with how many reports are in it."""

    key: str
    name: str | Promise
    count: int


@dataclass(frozen=True)
class Candidate:
    """A person whom an entry may be, with reasons for and against."""

    person: int
    name: str
    score: str
    likely: str
    about: str
    reasons: tuple[tuple[str, str], ...]
    """``yes``, ``no`` or ``hm``, and the reason."""
    is_best: bool


@dataclass(frozen=True)
class Question:
    """Who an entry is."""

    report: int
    event: str
    entry: str
    name: str
    facts: tuple[str, ...]
    why: str
    candidates: tuple[Candidate, ...]
    at: int
    of: int
    sender_says: str


@dataclass(frozen=True)
class Decided:
    """What somebody decided, and whether it can be undone."""

    fact: int
    at: datetime
    actor: str
    says: str
    can_undo: bool


@dataclass(frozen=True)
class Desk:
    """All that waits for an officer."""

    today: date
    tabs: tuple[Tab, ...]
    state: str
    lines: tuple[ReportLine, ...]
    total: int
    question: Question | None
    corrections: tuple[Mapping[str, Any], ...]
    pools: tuple[Mapping[str, Any], ...]
    missing: tuple[Mapping[str, Any], ...]
    jobs: int


def desk(state: str = "") -> Desk:
    """The desk, with the reports of one state or all."""
    now = datetime.now(UTC)
    lines = open_lines()
    counts = {key: sum(each.state == key for each in lines) for key, _ in _TABS}
    counts[""] = len(lines)
    chosen = [each for each in lines if state in ("", each.state)]
    asked = next((each for each in lines if each.waiting and not each.is_aside), None)
    return Desk(
        today=now.date(),
        tabs=tuple(Tab(key, name, counts[key]) for key, name in _TABS),
        state=state,
        lines=tuple(chosen[:SHOWN]),
        total=len(chosen),
        question=question(asked.report) if asked else None,
        corrections=tuple(open_corrections(now.date())),
        pools=tuple(_pools(lines, now.date())),
        missing=tuple(_missing(now.date())),
        jobs=m.Job.objects.filter(state__in=("waiting", "running")).count(),
    )


def first_waiting() -> int | None:
    """The report that has waited longest for its people."""
    lines = open_lines()
    return next((each.report for each in lines if each.waiting and not each.is_aside), None)


@by_ledger
def _lists_to_come(today: date) -> list[Mapping[str, Any]]:
    """The pools with up to when they are published, and their next list."""
    heads = m.Publication.objects.filter(pool=OuterRef("id"), seq=OuterRef("head"))
    pools: Any = m.Pool.objects.annotate(until=Subquery(heads.values("run__until")))
    return [
        {"id": pool.id, "name": pool.name, "until": pool.until,
         "next": list_that_takes(rules_of(pool), today)}
        for pool in pools.order_by("id")
    ]  # fmt: skip


def _pools(lines: Sequence[ReportLine], today: date) -> list[Mapping[str, Any]]:
    """Where each pool stands, with the run that waits for approval."""
    drafts = {run.pool_id: run for run in m.Run.objects.filter(state="checked").order_by("id")}
    return [
        {**pool, "run": drafts.get(pool["id"]),
         "ready": sum(x.state == states.READY and x.pool == pool["name"] for x in lines)}
        for pool in _lists_to_come(today)
    ]  # fmt: skip


@by_ledger
def _missing(today: date) -> list[Mapping[str, Any]]:
    """What is announced and has not come, as the calendar has it."""
    if not m.Fact.objects.filter(kind="expected").exists():
        return []
    return [{**each, "pool": one.pool} for one in calendar.calendar(today) for each in one.missing]


@by_ledger
def open_corrections(today: date) -> list[Mapping[str, Any]]:
    """The requests that nobody has decided."""
    approved = m.CorrectionApproval.objects.filter(correction=OuterRef("id"))
    open_ = with_states(m.Correction.objects.all()).filter(state=OPEN)
    return [
        {"number": one.id, "says": sentences(one.contents, SPOKEN), "until": one.until,
         "is_late": one.until is not None and one.until < today, "is_signed": one.is_signed}
        for one in open_.annotate(is_signed=Exists(approved)).order_by("until", "id")
    ]  # fmt: skip


def question(report: int, entry: str | None = None) -> Question | None:
    """A question of a report: the one about an entry, or the first; None: none is open."""
    open_ = _open(report)
    at = next((n for n, each in enumerate(open_) if each.entry == entry), 0 if not entry else None)
    if not open_ or at is None:
        return None
    draft = Draft.objects.filter(report=report).order_by("-id").first()
    found = _question(open_[at], at + 1, len(open_), datetime.now(UTC).date())
    return replace(found, sender_says=str(draft.said.get(found.entry, "")) if draft else "")


@by_ledger
def _open(report: int) -> tuple[Waiting, ...]:
    return tuple(waiting(report))


def _question(one: Waiting, at: int, of: int, today: date) -> Question:
    event, about = _around(one.report, tuple(each["person"] for each in one.candidates), today)
    printed = one.printed
    facts = [_("entry {n}").format(n=one.entry)]
    for key in _FACTS:
        if printed.get(key):
            facts.append(f"{_FACTS[key]} {printed[key]}")
    if printed.get("rating") is not None:
        facts.append(_("rating given {rating}").format(rating=localised(f"{printed['rating']:g}")))
    ids = printed.get("ids") or {}
    facts.append(", ".join(f"{k} {v}" for k, v in ids.items()) or _("no number given"))
    candidates = tuple(
        Candidate(
            each["person"], each["name"], f"{min(each['score'], 100):.0f}", _likely(each["score"]),
            " · ".join(str(v) for v in about.get(each["person"], {}).values()),
            tuple(_reason(r, each["score"]) for r in each["reasons"]), n == 0,
        )
        for n, each in enumerate(one.candidates)
    )  # fmt: skip
    return Question(
        report=one.report,
        event=event,
        entry=one.entry,
        name=one.name or one.entry,
        facts=tuple(facts),
        why=SPOKEN.told(one.why),
        candidates=candidates,
        at=at,
        of=of,
        sender_says="",
    )


@by_ledger
def _around(
    report: int, people: tuple[int, ...], today: date
) -> tuple[str, Mapping[int, Mapping[str, Any]]]:
    """What the event of a report is called, and what is known of some people."""
    every = m.Section.objects.filter(version__report=report)
    section = every.order_by("-version__number", "id").first()
    name = str(section.facts.get("name") or section.event) if section else ""
    return name, attributes_of(people, ledger.head().seq, today)


def _likely(score: float) -> str:
    return _("likely") if score >= 95 else _("perhaps") if score >= 80 else _("hardly")


def _reason(reason: Sentence, score: float) -> tuple[str, str]:
    """For what a reason speaks, and the reason without its weight."""
    weight = reason.words.get("weight", "")
    says = SPOKEN.told(reason.words["reason"] if weight else reason)
    if weight:
        return "no" if weight.startswith("−") else "yes", says
    return "yes" if score >= 88 else "hm", says


@dataclass(frozen=True)
class Searched:
    """A person who was looked for by name or number."""

    person: int
    name: str
    about: str


@by_ledger
def searched(query: str) -> list[Searched]:
    """Persons by a name or a number, at most twenty."""
    if not query.strip():
        return []
    return [
        Searched(each.person, each.name, " · ".join(
            [*each.attributes.values(), *(f"{k} {v}" for k, v in each.ids.items())]
        ))
        for each in search(query, 20) if each.merged_into is None
    ]  # fmt: skip


def decided(kinds: Sequence[str], most: int = 8) -> list[Decided]:
    """What people decided last, the newest first."""
    return list(_decided(tuple(kinds), most))


@by_ledger
def _decided(kinds: tuple[str, ...], most: int) -> list[Decided]:
    later = m.Fact.objects.filter(revokes=OuterRef("seq"))
    found = m.Fact.objects.filter(kind__in=kinds).exclude(actor=SYSTEM).order_by("-seq")
    facts: list[Any] = list(found.annotate(is_undone=Exists(later))[:most])
    about = m.FactSubject.objects.filter(fact__in=facts, kind="person").values_list(
        "fact", "subject"
    )
    whose: dict[int, list[int]] = {}
    for fact, person in about:
        whose.setdefault(fact, []).append(int(person))
    names = names_of({each for some in whose.values() for each in some[:3]})
    return [
        Decided(
            each.seq, each.at, each.actor, _says(each, [names.get(p, str(p)) for p in
                                                        whose.get(each.seq, [])[:3]]),
            each.kind in UNDONE and not each.is_undone,
        )
        for each in facts
    ]  # fmt: skip


def _says(one: m.Fact, people: Sequence[str]) -> str:
    who, said = ", ".join(people), one.payload
    if one.kind == "linked":
        entries = ", ".join(str(each[0]) for each in said["links"][:3])
        return _("entry {n} is {who}").format(n=entries, who=who)
    if one.kind == "decision":
        value = said.get("value") or {}
        shown = next(iter(value.values()), "") if isinstance(value, dict) else value
        return f"{said['kind']} {shown} of {who}".strip()
    return f"{one.kind} {who}".strip()


@dataclass(frozen=True)
class Review:
    """A report under review."""

    line: ReportLine
    sections: tuple[Mapping[str, Any], ...]
    entries: tuple[Mapping[str, Any], ...]
    notes: tuple[Told, ...]
    versions: tuple[Mapping[str, Any], ...]
    facts: tuple[Mapping[str, Any], ...]


def _how(link: Any) -> str:
    reasons = [SPOKEN.told(unpacked(each)) for each in link.reasons]
    return f"{_METHODS.get(link.method, link.method)}: {', '.join(reasons)}"


@by_ledger
def review(number: int) -> Review | None:
    """All that an officer looks at in a report; None: there is none of this number."""
    found = lines_of([number])
    if not found:
        return None
    versions = list(
        m.ReportVersion.objects.filter(report=number).defer("document").order_by("-number")
    )
    newest = versions[0]
    entries = list(m.Entry.objects.filter(version=newest).order_by("id"))
    live = m.Link.objects.filter(entry__version=newest, revoked_by__isnull=True)
    main = m.PersonName.objects.filter(
        person=OuterRef("person"), kind="main", revoked_by__isnull=True
    )
    links: dict[int, Any] = {
        each.entry_id: each
        for each in live.annotate(called=Subquery(main.order_by("-id").values("text")[:1]))
    }
    facts = m.Fact.objects.filter(
        factsubject__kind="report", factsubject__subject=str(number)
    ).order_by("-seq")[:30]
    by_number = {each.number: each.name for each in entries}
    return Review(
        found[0],
        tuple({"name": s.name, "state": s.state, "pool": s.pool, "end": s.end, "facts": s.facts}
              for s in sections_of(frozenset([newest.id]))[newest.id]),
        tuple(_entry(each, links.get(each.id)) for each in entries),
        tuple(told(newest.findings, by_number)),
        tuple({"number": v.number, "file": v.file_name, "sha256": v.blob_id,
               "format": v.format, "difference": v.difference} for v in versions),
        tuple({"seq": f.seq, "at": f.at, "kind": f.kind, "actor": f.actor, "reason": f.reason}
              for f in facts),
    )  # fmt: skip


def _entry(one: m.Entry, link: Any) -> Mapping[str, Any]:
    return {
        "number": one.number, "name": one.name, "person": link.person_id if link else None,
        "is": (link.called or "") if link else "",
        "how": _how(link) if link else "",
    }  # fmt: skip
