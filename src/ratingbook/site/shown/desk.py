"""The officer's desk: what waits, the next question, and a report under review."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from django.db.models import (
    CharField,
    Count,
    Exists,
    F,
    FilteredRelation,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Cast, Coalesce
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ratingbook.desk.written import rating_number
from ratingbook.model.sentences import Sentence, unpacked
from ratingbook.office.acts import calendar, states
from ratingbook.office.acts.anomalies import at_intake
from ratingbook.office.acts.decisions import OPENING, SEVERAL
from ratingbook.office.acts.desk import Waiting, differing_years, waiting, why_waits
from ratingbook.office.acts.holding import findings_now
from ratingbook.office.acts.masking import as_reported, called_by_register, mask, masked_in
from ratingbook.office.acts.pools import PoolNow, office_now
from ratingbook.office.acts.reports import refused_files
from ratingbook.office.acts.requests import ACCEPTED, OPEN, deadline, is_overdue, with_states
from ratingbook.office.acts.ruled import set_by_corrections
from ratingbook.office.acts.searching import search
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.acts.undoing import UNDONE
from ratingbook.office.engine.lists import next_list
from ratingbook.office.logic.corrections import reason_said
from ratingbook.office.logic.masked import token
from ratingbook.office.logic.rounding import of_hundred
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import SYSTEM
from ratingbook.site.languages import SPOKEN, localised
from ratingbook.site.models import Draft
from ratingbook.site.shown.directing import sent_of, who_they_are
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.masking import hidden_persons, saying
from ratingbook.site.shown.reports import WHO, ReportLine, lines_of, open_lines, sections_of
from ratingbook.site.shown.seen import seen_as
from ratingbook.site.shown.words import Told, told
from ratingbook.site.templatetags.written import decision, of_register

SHOWN = 50
_EACH = 3
"""Entries of whom each is told; of more it is said how many there are."""
_REFUSED_FOR = timedelta(days=60)
"""For how long the desk shows a file that was refused as it came."""
_TABS = (
    ("", gettext_lazy("All")),
    (states.CHECKED, gettext_lazy("Checked")),
    (WHO, gettext_lazy("Who is it?")),
    (states.HELD, gettext_lazy("Held")),
    (states.REFUSED, gettext_lazy("Refused")),
    (states.READY, gettext_lazy("Ready for a run")),
)

_KINDS: Mapping[str, str | Promise] = {
    "merge": gettext_lazy("one person:"), "undone": gettext_lazy("undone:"),
    "game fixed": gettext_lazy("game fixed"), "section fixed": gettext_lazy("section fixed"),
}  # fmt: skip
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
    years: str
    """The birth years of the report and of the office, where they differ."""
    is_best: bool


@dataclass(frozen=True)
class Question:
    """Who an entry is."""

    id: int
    """Of the entry, by which forms name it: its number is a name where a file has none."""
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


def _called(entry: str, person: int) -> str:
    """The number of an entry, which is the name of a person where a file has none."""
    if person not in hidden_persons():
        return entry
    masked = mask()(entry)
    return masked if masked != entry else called_by_register(entry, lambda: token(person))


@dataclass(frozen=True)
class Decided:
    """What somebody decided, and whether it can be undone."""

    fact: int
    at: datetime
    actor: str
    says: str
    can_undo: bool
    many: int = 0
    """How many decisions or links are undone together, where one act brought them."""


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
    accepted: tuple[Mapping[str, Any], ...]
    """The corrections that hold, and that no published run has rated by yet."""
    pools: tuple[Mapping[str, Any], ...]
    missing: tuple[Mapping[str, Any], ...]
    files: tuple[Mapping[str, Any], ...]
    """Files that were refused as they came, the newest first; among what is refused alone."""
    jobs: int


def desk(state: str = "") -> Desk:
    """The desk, with the reports of one state or all."""
    now = datetime.now(UTC)
    lines = open_lines()
    counts = {key: sum(each.state == key for each in lines) for key, _ in _TABS}
    counts[""] = len(lines)
    chosen = [each for each in lines if state in ("", each.state)]
    asked = next((each for each in lines if each.asks), None)
    office = office_now()
    wait = corrections_that_wait(now.date())
    return Desk(
        today=now.date(),
        tabs=tuple(Tab(key, name, counts[key]) for key, name in _TABS),
        state=state,
        lines=tuple(chosen[:SHOWN]),
        total=len(chosen),
        question=question(asked.report) if asked else None,
        corrections=tuple(each for each in wait if each["state"] == OPEN),
        accepted=tuple(each for each in wait if each["state"] == ACCEPTED),
        pools=tuple(_pools(office.pools, lines, now.date())),
        missing=tuple(_missing(now.date())) if office.expects_reports else (),
        files=tuple(_refused_files(now)) if state == states.REFUSED else (),
        jobs=office.jobs,
    )


def _refused_files(now: datetime) -> Iterable[Mapping[str, Any]]:
    """The files of the last weeks that are no reports, and what their senders say of them."""
    every = [each for each in refused_files() if each.at > now - _REFUSED_FOR]
    for each in sorted(every, key=attrgetter("fact"), reverse=True)[:SHOWN]:
        yield {"name": each.name, "sender": each.sender, "at": each.at, "said": each.said,
               "why": told(each.findings)}  # fmt: skip


def first_waiting() -> int | None:
    """The report that has waited longest for its people."""
    lines = open_lines()
    return next((each.report for each in lines if each.asks), None)


def _pools(
    pools: Iterable[PoolNow], lines: Sequence[ReportLine], today: date
) -> Iterable[Mapping[str, Any]]:
    """Where each pool stands, its next list, and the run that waits for approval."""
    for one in pools:
        name = one.pool.name
        yield {
            "id": one.pool.id, "name": name, "until": one.until, "run": one.draft,
            "next": next_list(rules_of(one.pool), today, one.listed),
            "ready": sum(x.state == states.READY and x.pool == name for x in lines),
        }  # fmt: skip


@by_ledger
def _missing(today: date) -> list[Mapping[str, Any]]:
    """What is announced and has not come, as the calendar has it."""
    return [{**each, "pool": one.pool} for one in calendar.calendar(today) for each in one.missing]


@by_ledger
def corrections_that_wait(today: date) -> list[Mapping[str, Any]]:
    """The requests that nobody has decided, and those accepted that wait for a run."""
    approved = m.CorrectionApproval.objects.filter(correction=OuterRef("id"))
    wait = with_states(m.Correction.objects.all()).filter(state__in=(OPEN, ACCEPTED))
    every = list(wait.annotate(is_signed=Exists(approved)))
    until = {one.id: deadline(one) for one in every}
    found = sorted(every, key=lambda one: (until[one.id] or date.max, one.id))
    say = saying([each.contents for each in found], mask() if found else str)
    return [
        {"number": one.id, "state": one.state, "says": say(one.contents), "until": until[one.id],
         "is_late": is_overdue(one, today), "is_signed": one.is_signed}
        for one in found
    ]  # fmt: skip


def question(report: int, entry: int | None = None) -> Question | None:
    """A question of a report: the one about an entry, or the first; None: none is open."""
    open_ = _open(report, datetime.now(UTC).date())
    at = next((n for n, each in enumerate(open_) if each.id == entry), 0 if not entry else None)
    if not open_ or at is None:
        return None
    draft = Draft.objects.filter(report=report).order_by("-id").first()
    found = _question(open_[at], at + 1, len(open_))
    if draft is None:
        return found
    asked = m.Entry.objects.get(id=open_[at].id)
    told = who_they_are(sent_of(draft).said, [asked])
    return replace(found, sender_says=told.get(asked.number, ""))


def next_question(report: int | None) -> Question | None:
    """The first question of a report, else of the one that has waited longest; None: none is."""
    found = question(report) if report is not None else None
    if found is None and (longest := first_waiting()) is not None:
        found = question(longest)
    return found


@by_ledger
def _open(report: int, today: date) -> tuple[Waiting, ...]:
    """What waits; another day other things are said of the candidates."""
    del today
    return tuple(waiting(report))


def _question(one: Waiting, at: int, of: int) -> Question:
    printed, masked = one.printed, mask()
    facts = [_("entry {n}").format(n=masked(one.entry))]
    for key in _FACTS:
        if printed.get(key):
            facts.append(_fact(str(_FACTS[key]), str(printed[key])))
    if printed.get("rating") is not None:
        facts.append(
            _("rating given {rating}").format(rating=localised(f"{printed['rating']:.10g}"))
        )
    ids = printed.get("ids") or {}
    numbers = ", ".join(of_register(number, name) for name, number in ids.items())
    facts.append(numbers or _("no number given"))
    candidates = tuple(
        Candidate(
            each["person"], each["name"], str(of_hundred(each["score"])), _likely(each["score"]),
            " · ".join(str(v) for v in one.about.get(each["person"], {}).values()),
            tuple(_reason(r, each["score"]) for r in each["reasons"]),
            _years(each["birth_years"]), n == 0,
        )
        for n, each in enumerate(one.candidates)
    )  # fmt: skip
    return Question(
        id=one.id,
        report=one.report,
        event=one.event,
        entry=one.entry,
        name=masked(one.name or one.entry),
        facts=tuple(facts),
        why=SPOKEN.told(why_waits(one, masked)),
        candidates=candidates,
        at=at,
        of=of,
        sender_says="",
    )


def _fact(label: str, said: str) -> str:
    """What is said with what it is, unless it says so itself: “Club of Elsewhere”."""
    return said if label.casefold() in said.casefold() else f"{label} {said}"


def _years(differing: Sequence[int] | None) -> str:
    if differing is None:
        return ""
    said, known = differing
    return _("born in {said} by the report, in {known} by the office").format(
        said=said, known=known
    )


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
            [*each.attributes.values(), *(of_register(v, k) for k, v in each.ids.items())]
        ))
        for each in search(query, 20) if each.merged_into is None
    ]  # fmt: skip


def decided(kinds: Sequence[str], most: int = 8) -> list[Decided]:
    """What people decided last, the newest first."""
    return list(_decided(tuple(kinds), most))


def decided_of(person: int, most: int = 20) -> list[Decided]:
    """What people decided of a person, the newest first."""
    about = m.FactSubject.objects.filter(kind="person", subject=str(person))
    found = m.Fact.objects.filter(
        kind__in=("merge", "decision", "undone"), seq__in=about.values("fact")
    )
    return _as_decided(found.order_by("-seq").values("seq")[:most])


@by_ledger
def _decided(kinds: tuple[str, ...], most: int) -> list[Decided]:
    found = m.Fact.objects.filter(kind__in=kinds).exclude(actor=SYSTEM).order_by("-seq")
    return _as_decided(found.values("seq")[:most])


def _as_decided(seqs: QuerySet[Any, Any]) -> list[Decided]:
    """Some facts in words, the newest first."""
    main = m.PersonName.objects.filter(
        person=Cast(OuterRef("about__subject"), IntegerField()), kind="main",
        revoked_by__isnull=True,
    )  # fmt: skip
    accepted = m.FactSubject.objects.filter(
        kind="fact", subject=Cast(OuterRef("seq"), CharField()), fact__kind="correction accepted"
    )
    rows = list(
        m.Fact.objects.filter(seq__in=seqs)
        .annotate(
            is_undone=Exists(m.Fact.objects.filter(revokes=OuterRef("seq"))),
            is_corrected=Exists(accepted),
            holding=_holding(),
            about=FilteredRelation("factsubject", condition=Q(factsubject__kind="person")),
        )
        .annotate(whom=F("about__subject"), named=Subquery(main.order_by("-id").values("text")[:1]))
        .order_by("-seq", "whom")
    )
    undone = m.Fact.objects.in_bulk({x.payload["fact"] for x in rows if x.kind == "undone"})
    names = {int(each.whom): each.named for each in rows if each.named}
    made: list[Decided] = []
    for _seq, some in groupby(rows, key=attrgetter("seq")):
        whose: list[Any] = list(islice(some, 3))
        one = whose[0]
        people = [str(each.named or each.whom) for each in whose if each.whom is not None]
        can_undo = one.kind in UNDONE and not one.is_undone and not one.is_corrected
        says = _says(one, people, names)
        if one.kind == "undone":
            says = _says(undone[one.payload["fact"]], people, names, one.payload.get("entries"))
            says = f"{_KINDS[one.kind]} {says}"
        many = one.holding if one.kind == "linked" else _many(one)
        made.append(Decided(one.seq, one.at, one.actor, says, can_undo, many))
    return made


def _holding() -> Any:
    """How many links of a fact hold still.

    They are looked for in the reports of the fact: there are millions of links, by no order of
    facts.
    """
    about = m.FactSubject.objects.filter(fact=OuterRef(OuterRef("seq")), kind="report")
    reports: Any = about.annotate(report=Cast("subject", IntegerField())).values("report")
    links: Any = m.Link.objects.filter(
        fact=OuterRef("seq"), revoked_by__isnull=True, entry__version__report__in=reports
    )
    return Coalesce(
        Subquery(links.order_by().values("fact").annotate(n=Count("id")).values("n")), 0
    )


def _many(one: m.Fact) -> int:
    """Of how many persons a decision is, or how many decisions are one fact."""
    if one.kind != "decision":
        return 0
    return int(one.payload.get("persons") or one.payload.get("decisions") or 0)


def _linked(links: Sequence[tuple[str, int, str]], names: Mapping[int, str]) -> str:
    """Who the entries are that were linked: each with its person, of many the first ones."""
    said = [
        _("entry {n} is {who}").format(n=_called(entry, person), who=names.get(person, person))
        for entry, person, _how in links[:_EACH]
    ]
    if len(links) > _EACH:
        said.append(_("and {n} more").format(n=len(links) - _EACH))
    return "; ".join(said)


def _says(
    one: m.Fact, people: Sequence[str], names: Mapping[int, str],
    entries: Collection[str] | None = None,
) -> str:  # fmt: skip
    """What a fact says; of one that linked many, it may be of some ``entries`` alone."""
    who, said = ", ".join(people), one.payload
    if one.kind == "linked":
        links = [each for each in said["links"] if entries is None or each[0] in entries]
        return _linked(links, names)
    if one.kind == "decision":
        value = said.get("value") or {}
        shown = value
        if isinstance(value, dict):
            # An opening has the games and whatever else somebody came in with beside it.
            shown = value.get("rating" if said["kind"] == OPENING else "value", "")
        if isinstance(shown, float):
            shown = SPOKEN.figure(rating_number(shown))
        kind, count = decision(said["kind"]), _many(one)
        if said["kind"] == SEVERAL and who:
            return ngettext("{n} decision of {who}", "{n} decisions of {who}", count).format(
                n=count, who=who
            )
        if said["kind"] == SEVERAL:
            return ngettext("{n} decision", "{n} decisions", count).format(n=count)
        if not who:
            return ngettext("{kind}: {n} player", "{kind}: {n} players", count).format(
                kind=kind, n=count
            )
        return _("{kind} {value} of {who}").format(kind=kind, value=shown, who=who)
    if one.kind in ("game fixed", "section fixed"):
        return f"{_KINDS[one.kind]}: {mask()(reason_said(one.reason))}"
    return f"{_KINDS.get(one.kind, one.kind)} {who}".strip()


def links_said(links: Iterable[Mapping[str, Any]]) -> str:
    """What is said of a person by who linked entries to it: which of which report they are."""
    of_person = _("entry {n} of report {report} is this person, {how}")
    return "; ".join(
        of_person.format(
            n=_called(each["entry"], each["person"]), report=each["report"],
            how=_METHODS.get(each["how"], each["how"]),
        )
        for each in links
    )  # fmt: skip


def decision_said(fact: int) -> str:
    """What a fact decided of whom."""
    found = _as_decided(m.Fact.objects.filter(seq=fact).values("seq"))
    return found[0].says if found else str(fact)


def many_in(fact: int) -> int:
    """How much is undone at once with a fact, beyond a single link or decision; else 0."""
    found = _as_decided(m.Fact.objects.filter(seq=fact).values("seq"))
    return found[0].many if found and found[0].many > 1 else 0


def entry_called(number: int) -> str:
    """The number of an entry as pages tell it."""
    entry = m.Entry.objects.filter(id=number).first()
    return as_reported(entry, entry.number, mask()) if entry else str(number)


@dataclass(frozen=True)
class Review:
    """A report under review."""

    line: ReportLine
    sections: tuple[Mapping[str, Any], ...]
    entries: tuple[Mapping[str, Any], ...]
    notes: tuple[Told, ...]
    versions: tuple[Mapping[str, Any], ...]
    facts: tuple[Mapping[str, Any], ...]
    pools: tuple[str, ...]
    """Into which an officer may let it in."""

    @property
    def seen(self) -> str:
        """What is decided about, so that nothing is that came meanwhile."""
        return seen_as(self.line.version, self.line.state, self.line.pool)


def _how(link: Any) -> str:
    """By what somebody is known; of who is suppressed the numbers and names in it are gone."""
    method = _METHODS.get(link.method, link.method)
    if link.person_id in hidden_persons():
        return str(method)
    reasons = [SPOKEN.told(unpacked(each)) for each in link.reasons]
    return f"{method}: {', '.join(reasons)}"


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
    year = F("entryprivate__birth_year")
    entries = list(m.Entry.objects.filter(version=newest).annotate(year=year).order_by("id"))
    masked = mask()
    live = m.Link.objects.filter(entry__version=newest, revoked_by__isnull=True)
    main = m.PersonName.objects.filter(
        person=OuterRef("person"), kind="main", revoked_by__isnull=True
    )
    links: dict[int, Any] = {
        each.entry_id: each
        for each in live.select_related("entry__version").annotate(
            called=Subquery(main.order_by("-id").values("text")[:1]),
            year=F("person__personprivate__birth_year"),
        )
    }
    corrected = set_by_corrections(list(links.values()))
    facts = m.Fact.objects.filter(
        factsubject__kind="report", factsubject__subject=str(number)
    ).order_by("-seq")[:30]
    names = {each.person_id: masked(each.called or "") for each in links.values()}
    by_number = {each.number: masked(each.name) for each in entries}
    # Beside the games of the moment; no sender was told of it.
    odd = at_intake(newest.id) if found[0].state == states.READY else ()
    return Review(
        found[0],
        tuple({"name": s.name, "state": s.state, "pool": s.pool, "end": s.end, "facts": s.facts}
              for s in sections_of(frozenset([newest.id]))[newest.id]),
        tuple(_entry(each, links.get(each.id), corrected.get(each.id), masked) for each in entries),
        tuple(told([*findings_now(newest), *odd], by_number)),
        tuple({"number": v.number, "file": v.file_name, "sha256": v.blob_id, "format": v.format,
               "difference": [SPOKEN.told(masked_in(unpacked(x), masked)) for x in v.difference]}
              for v in versions),
        tuple({"seq": f.seq, "at": f.at, "kind": f.kind, "actor": f.actor,
               "says": _linked(f.payload["links"], names) if f.kind == "linked" else "",
               "reason": masked_in(_why(f, versions), masked)}
              for f in facts),
        tuple(m.Pool.objects.order_by("id").values_list("name", flat=True))
        if found[0].is_aside else (),
    )  # fmt: skip


def _why(fact: m.Fact, versions: Sequence[m.ReportVersion]) -> str:
    """Why it was done; of what findings refused in their words, since the fact has codes."""
    if fact.kind != states.REFUSED_BY_FINDINGS:
        return fact.reason
    of = next((each for each in versions if each.fact < fact.seq), versions[-1])
    return SPOKEN.told(states.why_refused(of.findings))


def _entry(
    one: Any, link: Any, correction: int | None, masked: Callable[[str], str]
) -> Mapping[str, Any]:
    """An entry and who it is; what a ``correction`` says of it is not undone at the desk."""
    number, name = (as_reported(one, text, masked) for text in (one.number, one.name))
    return {
        "id": one.id, "number": number, "name": name,
        "person": link.person_id if link else None,
        "is": (link.called or "") if link else "", "fact": link.fact if link else None,
        "correction": correction,
        "how": _how(link) if link else "",
        # What stands in for the year of somebody whom nobody may see is none to compare with.
        "years": _years(differing_years(one.year, link.year))
        if link and link.person_id not in hidden_persons() else "",
    }  # fmt: skip
