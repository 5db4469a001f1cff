"""Reports as officers see them, and what officers do to them: hold, refuse, withdraw, release."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.masking import mask, masked_in
from ratingbook.office.acts.ready import make_ready, waiting_by_report, waiting_entries
from ratingbook.office.refused import refuse
from ratingbook.office.store.ledger import Act, Who, acting, check_may, may
from ratingbook.office.store.models import (
    Actor,
    Fact,
    Pool,
    Report,
    ReportVersion,
    Section,
    SectionStep,
)


@dataclass(frozen=True)
class ReportState:
    """A report as a table of reports shows it."""

    id: int
    event_key: str
    name: str
    """Of the event, as the report has it."""
    version: int
    state: str
    file: str
    sha256: str
    format: str
    pool: str | None
    sections: Mapping[str, str]
    waiting: int
    """Entries at the desk."""
    reason: str
    """Why it is aside."""


def own_reports(actor: str) -> set[int]:
    """The reports that an actor was the first to send."""
    sent = Fact.objects.filter(actor=actor, kind="received").values("seq")
    return set(Report.objects.filter(made_by__in=sent).values_list("id", flat=True))


def refuse_others(report: int, who: Who) -> None:
    """A new version comes from the sender of the first one, or from an officer."""
    actor = Actor.objects.get(name=who.actor)
    if not may(actor, "state") and report not in own_reports(who.actor):
        raise refuse(
            "office.not-yours",
            sentence("Report {report} is of this event, and somebody else sent it.", report=report),
            sentence("Whoever sent it may send a new version; or write to the office."),
        )


def reports(state: str | None = None, upto: int | None = None) -> list[ReportState]:
    """All reports in their newest versions."""
    found = []
    pools = dict(Pool.objects.values_list("id", "name"))
    waiting = waiting_by_report() if upto is None else {}
    published = states.published_sections(upto)
    for one in Report.objects.order_by("id"):
        each = _report(one, pools, waiting, published, upto)
        if each is not None and state in (None, each.state):
            found.append(each)
    return found


def _report(
    one: Report, pools: Mapping[int, str], waiting: Mapping[int, int], published: Set[int],
    upto: int | None,
) -> ReportState | None:  # fmt: skip
    version = states.newest(one.id, upto)
    if version is None:
        return None
    sections = {each.id: each for each in Section.objects.filter(version=version)}
    found = states.as_shown(states.states(sections, upto), published)
    by_name = {
        "/".join(part for part in (s.event.partition("/")[2], s.name) if part): found.get(k, "")
        for k, s in sections.items()
    }
    state = states.least(found.values())
    reason = ""
    if state in states.ASIDE:
        steps = SectionStep.objects.filter(section__in=sections, state=state)
        last = (steps if upto is None else steps.filter(fact__lte=upto)).order_by("-fact").first()
        if last is not None:
            reason = _reason(Fact.objects.get(seq=last.fact), version)
    pool = next((pools[s.pool] for s in sections.values() if s.pool is not None), None)
    return ReportState(
        id=one.id,
        event_key=one.event_key,
        name=states.name_of(version, list(sections.values())),
        version=version.number,
        state=state,
        file=version.file_name,
        sha256=version.blob_id,
        format=version.format,
        pool=pool,
        sections=by_name,
        waiting=waiting.get(one.id, 0) if upto is None else _waited(version, state, upto),
        reason=reason,
    )


def _reason(fact: Fact, version: ReportVersion) -> str:
    """Why sections are aside, in words: a fact of findings has their codes only.

    Words of findings may name persons, and what is in the chain cannot be taken out.
    """
    if fact.kind != states.REFUSED_BY_FINDINGS:
        return fact.reason
    why: str = masked_in(states.why_refused(version.findings), mask())
    return why


def _waited(version: ReportVersion, state: str, upto: int) -> int:
    """How many were at the desk, as known at a fact."""
    return 0 if state == states.REFUSED else len(waiting_entries([version.id], upto))


def put_aside(text: str, what: str, reason: str, who: Who) -> Findings:
    """Hold, refuse, withdraw or release sections of a report, with a reason."""
    check_may(who, "state")
    if not reason.strip():
        raise refuse(
            "office.reason",
            sentence("An officer's decision needs a reason."),
            "Give one with --reason.",
        )
    with acting(who) as act:
        version, sections = states.named(text)
        now = states.states([each.id for each in sections])
        if what == "release":
            chosen = [
                s.id
                for s in sections
                if now.get(s.id) in (states.HELD, states.REFUSED, states.WITHDRAWN)
            ]
            if not chosen:
                raise refuse(
                    "office.not-held",
                    sentence("Nothing of report {text} is held.", text=text),
                    sentence("Nothing is to do."),
                )
        else:
            chosen = [s.id for s in sections if now.get(s.id) != states.ACTS[what]]
        if chosen:
            states.step(act, what, chosen, states.ACTS[what], reason)
        if what == "release":
            _tell_lost(act, version)
            make_ready(act, version)
    return act.findings


def _tell_lost(act: Act, version: ReportVersion) -> None:
    """Who lets in what was refused by findings is told: games that they are about are lost."""
    why = states.why_refused(version.findings)
    if not why:
        return
    act.findings.add(
        Severity.WARNING,
        "office.let-in",
        sentence(
            "What refused report {report} is still wrong in it: {first} A game that could not be "
            "read is not rated, and one that stands there twice is rated twice.",
            report=version.report_id,
            first=why,
        ),
        remedy=f"Compare its games with the file: ratingbook office games {version.report_id}. "
        "Hold it if games are missing, and ask the sender for a file without these faults.",
    )
