"""Reports as officers see them, and what officers do to them: hold, refuse, withdraw, release."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import Sentence, sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import bring_into, done, pools_of_sections
from ratingbook.office.acts.holding import reason_now
from ratingbook.office.acts.masking import mask, masked_in
from ratingbook.office.acts.ready import (
    make_ready,
    version_at_desk,
    waiting_by_report,
    waiting_entries,
)
from ratingbook.office.acts.ruled import by_several, corrections_of
from ratingbook.office.acts.setup import pool_named
from ratingbook.office.home import Home
from ratingbook.office.limits import REASON, refuse_long
from ratingbook.office.logic.stored import stored, told_again
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store import blobs, ledger
from ratingbook.office.store.ledger import Act, Who, acting, check_may, may, once
from ratingbook.office.store.models import (
    Actor,
    Blob,
    Evidence,
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


def is_of_others(report: int, who: Who) -> bool:
    """Whether somebody else sent a report, and who asks is no officer."""
    actor = Actor.objects.get(name=who.actor)
    return not may(actor, "state") and report not in own_reports(who.actor)


def refuse_others(report: int, who: Who) -> None:
    """A new version comes from the sender of the first one, or from an officer."""
    if is_of_others(report, who):
        raise refuse(
            "office.not-yours",
            sentence("Report {report} is of this event, and somebody else sent it.", report=report),
            sentence("Whoever sent it may send a new version; or write to the office."),
        )


def reports(state: str | None = None, upto: int | None = None) -> list[ReportState]:
    """All reports in their newest versions; refused for a state that none can be in."""
    if state not in (None, states.RECEIVED, *states.ALL):
        raise refuse(
            "office.no-state",
            sentence("No report is ever {state!r}.", state=state),
            sentence("States are {all}.", all=", ".join((states.RECEIVED, *states.ALL))),
        )
    found = []
    pools = dict(Pool.objects.values_list("id", "name"))
    moved = pools_of_sections(ledger.head().seq if upto is None else upto)
    waiting = waiting_by_report() if upto is None else {}
    published = done(upto)
    for one in Report.objects.order_by("id"):
        each = _report(one, (pools, moved), waiting, published, upto)
        if each is not None and state in (None, each.state):
            found.append(each)
    return found


def _report(
    one: Report, known: tuple[Mapping[int, str], Mapping[int, int]], waiting: Mapping[int, int],
    published: Set[int], upto: int | None,
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
            masked = once("names of suppressed persons", mask)
            # Words of findings may name persons, as reasons do.
            reason = masked_in(_reason(Fact.objects.get(seq=last.fact), version), masked)
    pools, moved = known
    own = (moved.get(each.id, each.pool) for each in sections.values())
    pool = next((pools[each] for each in own if each is not None), None)
    reason = reason_now(reason, pool)
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

    Words of findings may name persons, and what is in the chain cannot be taken out; whoever
    shows them masks them.
    """
    if fact.kind != states.REFUSED_BY_FINDINGS:
        return fact.reason
    return states.why_refused(version.findings)


def _waited(version: ReportVersion, state: str, upto: int) -> int:
    """How many were at the desk, as known at a fact."""
    return 0 if state == states.REFUSED else len(waiting_entries([version.id], upto))


@dataclass(frozen=True)
class RefusedFile:
    """A file that is no report: it could not be read, or was refused as it came."""

    fact: int
    at: datetime
    sha256: str
    name: str
    """Under which it came, if that is known."""
    sender: str
    reason: str
    said: str
    """What its sender tells the office of it."""
    findings: tuple[Mapping[str, Any], ...]


def refused_files(upto: int | None = None) -> list[RefusedFile]:
    """The files that are no reports, and have not become any since; as known."""
    refusals = Evidence.objects.filter(fact__kind=states.FILE_REFUSED)
    since = ReportVersion.objects.filter(blob=OuterRef("blob"), fact__gt=OuterRef("fact"))
    if upto is not None:
        refusals, since = refusals.filter(fact__lte=upto), since.filter(fact__lte=upto)
    last = {
        each.blob_id: each.fact
        for each in refusals.exclude(Exists(since)).select_related("fact").order_by("fact")
    }
    hiding = once("names of suppressed persons", mask)
    return [
        RefusedFile(
            fact.seq, fact.at, sha256, hiding(str(fact.payload.get("name", ""))), fact.actor,
            fact.reason, hiding(str(fact.payload.get("said", ""))),
            tuple(
                masked_in(told_again(each), hiding) for each in fact.payload.get("findings", ())
            ),
        )
        for sha256, fact in last.items()
    ]  # fmt: skip


@dataclass(frozen=True)
class KeptOut:
    """A file that the office keeps, and does not take, with what its sender says of it."""

    name: str
    sha256: str
    media: str
    why: Findings
    said: str


def tell_of_refused(home: Home, file: KeptOut, who: Who) -> None:
    """Let the sender of a file that is not taken say what officers should know of it."""
    check_may(who, "receive")
    said = file.said.strip()
    if not said:
        raise refuse(
            "office.nothing-told",
            sentence("Nothing is written."),
            sentence("Write what the office should know."),
        )
    refuse_long(said, REASON, sentence("What is said of the file"))
    size = len(blobs.load(home, file.sha256))
    with acting(who) as act:
        Blob.objects.get_or_create(
            sha256=file.sha256, defaults={"size": size, "media": file.media}
        )  # fmt: skip
        act.fact(
            states.FILE_REFUSED, ("file", file.sha256), evidence=[file.sha256],
            payload={"name": file.name, "findings": [stored(each) for each in file.why],
                     states.UNDERSTOOD: True, "said": said},
            reason=", ".join(dict.fromkeys(each.code for each in file.why)),
        )  # fmt: skip


def put_aside(text: str, what: str, reason: str, who: Who, pool: str | None = None) -> Findings:
    """Hold, refuse, withdraw or release sections of a report, with a reason.

    What is released goes into the ``pool``, where one is named. What is published is taken out by
    a correction alone, which as many accept as its pool wants.
    """
    check_may(who, "state")
    if not reason.strip():
        raise refuse(
            "office.reason",
            sentence("An officer's decision needs a reason."),
            "Give one with --reason.",
        )
    with acting(who) as act:
        # What was refused may be let in; else it is beside the version that counts.
        which = states.newest if what == "release" else version_at_desk
        version, sections = states.named(text, which)
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
            _refuse_new_version(text, version, chosen)
            if pool is not None:
                _put_into(act, version, chosen, pool_named(pool), reason)
            chosen = _with_pool(act, text, chosen, sections)
        else:
            chosen = [s.id for s in sections if now.get(s.id) != states.ACTS[what]]
        _refuse_by_correction(text, chosen, now)
        if chosen:
            states.step(act, what, chosen, states.ACTS[what], reason)
        if what == "release":
            _tell_lost(act, version)
            make_ready(act, version)
        else:
            _watch_published(act, text, [n for n in chosen if now.get(n) not in states.ASIDE])
            _let_back(act, text, version)
    return act.findings


def _watch_published(act: Act, text: str, sections: Collection[int]) -> None:
    """Refuse that one officer takes out what is published, past those who have to accept it.

    Where one may accept a correction alone, the next run shows what it changes; no register does.
    """
    out = states.published().filter(section__in=sections)
    pools = list(Pool.objects.filter(id__in=out.values("run__pool")))
    if by_several(pools):
        raise _is_published(text)
    if pools:
        act.findings.add(
            Severity.WARNING,
            "office.published-report",
            sentence(
                "Report {text} is published; the next run takes it out, and no register of "
                "corrections tells it.",
                text=text,
            ),
            remedy=_taken_out_by(text),
        )


def _refuse_new_version(text: str, version: ReportVersion, held: Collection[int]) -> None:
    """Refuse that one officer puts a new version in the place of one that several look after."""
    own = Section.objects.filter(version__report=version.report_id).exclude(id__in=held)
    out = states.published().filter(section__in=own.values("id"))
    if by_several(Pool.objects.filter(id__in=out.values("run__pool"))):
        raise refuse(
            "office.published-version",
            sentence(
                "Report {text} is published: a new version takes its place by a correction.",
                text=text,
            ),
            sentence(
                "`ratingbook office correct --report {text} --late --reason TEXT` asks for it; "
                "until as many have accepted it as the pool wants, the version stays held.",
                text=text,
            ),
        )  # fmt: skip


def _is_published(text: str) -> OfficeRefused:
    return refuse(
        "office.published-report",
        sentence(
            "Report {text} is published: what is published is taken out by a correction.", text=text
        ),
        _taken_out_by(text),
    )


def _taken_out_by(text: str) -> Sentence:
    return sentence(
        "`ratingbook office correct --report {text} --withdraw --reason TEXT` asks for it; "
        "once as many have accepted it as the pool wants, the next run leaves it out.",
        text=text,
    )


def _refuse_by_correction(text: str, chosen: Collection[int], now: Mapping[int, str]) -> None:
    """Refuse that one officer lets in what a correction has taken out, or the other way round."""
    steps = SectionStep.objects.filter(section__in=chosen).order_by("fact")
    last = dict(steps.values_list("section", "fact"))
    by = corrections_of(last.values())
    for section, fact in sorted(last.items()):
        if fact not in by:
            continue
        words: dict[str, Any] = {"number": by[fact], "text": text}
        is_out = now.get(section) == states.WITHDRAWN
        raise refuse(
            "office.taken-out" if is_out else "office.by-correction",
            sentence("Correction {number} has taken report {text} out.", **words)
            if is_out else sentence("Correction {number} has let report {text} in.", **words),
            sentence(
                "`ratingbook office correct --take-back {number} --reason TEXT` asks that it be "
                "taken back.",
                number=by[fact],
            ),
        )  # fmt: skip


def _let_back(act: Act, text: str, version: ReportVersion) -> None:
    """Where the version that is published had made room for one that is put aside, it is back.

    Else the next run would rate neither of them.
    """
    older = Section.objects.filter(
        version__report=version.report_id, version__number__lt=version.number,
        id__in=states.published(),
    ).select_related("version")  # fmt: skip
    now = states.states([each.id for each in older])
    gone = [each for each in older if now[each.id] == states.SUPERSEDED]
    if not gone:
        return
    own = states.states(Section.objects.filter(version=version).values_list("id", flat=True))
    if not set(own.values()) <= set(states.ASIDE):
        # A section alone: the version before has it, too, and is published as a whole.
        raise _is_published(text)
    why = sentence("the version in its place was put aside")
    states.step(act, "checked", [each.id for each in gone], states.CHECKED, why)
    for each in {each.version_id: each.version for each in gone}.values():
        make_ready(act, each)


def _put_into(
    act: Act, version: ReportVersion, held: Sequence[int], pool: Pool, reason: str
) -> None:
    """Put held sections into a pool: nothing of them is rated, so that no correction is needed."""
    moved = pools_of_sections(act.head.seq)
    own = dict(Section.objects.filter(id__in=held).values_list("id", "pool"))
    now = {number: moved.get(number, own[number]) for number in held}
    some = [number for number in held if now[number] != pool.id]
    named = {each.name for each in Section.objects.filter(id__in=some)}
    every = Section.objects.filter(version__report=version.report_id, name__in=named)
    is_published = states.published().filter(section__in=every.values("id")).exists()
    if is_published and any(now[number] is not None for number in some):
        raise refuse(
            "office.pool-published",
            sentence(
                "Report {report} is published: what is published goes into another pool by a "
                "correction.",
                report=version.report_id,
            ),
            f"`ratingbook office correct --report {version.report_id} --to-pool {pool.name} "
            "--reason TEXT` asks for it.",
        )
    if some:
        bring_into(act, some, {"pool": pool.id}, reason)


def _with_pool(
    act: Act, text: str, chosen: Sequence[int], sections: Sequence[Section]
) -> list[int]:
    """Those of the sections that have a pool: no run would rate the others, nor say so."""
    moved = pools_of_sections(act.head.seq)
    pools = {each.id: moved.get(each.id, each.pool) for each in sections}
    found = [each for each in chosen if pools[each] is not None]
    if not found:
        raise refuse(
            "office.no-pool-named",
            sentence("Report {text} has no pool, so that no run would rate it.", text=text),
            states.INTO_POOL,
        )
    left = [each.name for each in sections if each.id in chosen and each.id not in found]
    if left:
        act.findings.add(
            Severity.WARNING,
            "office.no-pool-named",
            sentence("These sections have no pool and stay held: {names}.", names=", ".join(left)),
            remedy=states.INTO_POOL,
        )
    return found


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
