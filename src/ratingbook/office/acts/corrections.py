"""Corrections: asked for, joined, looked at, decided by as many as must; then they are facts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from django.db.models import Max

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence, stated
from ratingbook.office.acts import amendments, notices
from ratingbook.office.acts.accepting import add_on_next_list, enter, is_stale
from ratingbook.office.acts.contradictions import (
    is_overtaken,
    refuse_unknowing,
    tell_contradictions,
    tell_joined_otherwise,
    tell_of_games,
)
from ratingbook.office.acts.people import tell_hides, tell_met
from ratingbook.office.acts.preview import Bench, Preview
from ratingbook.office.acts.published import base_of, bytes_of, table_of
from ratingbook.office.acts.requests import (
    ACCEPTED,
    JOINED,
    OPEN,
    PUBLISHED,
    REJECTED,
    REOPENED,
    WITHDRAWN,
    askers,
    decided_with,
    is_overdue,
    joined_into,
    joined_to,
    subjects,
    with_states,
)
from ratingbook.office.acts.setup import policy, pool_named
from ratingbook.office.acts.taken_back import pools_reached
from ratingbook.office.home import Home
from ratingbook.office.intake import contents as contents_of
from ratingbook.office.limits import REASON, refuse_any_long
from ratingbook.office.logic.corrections import (
    SAME_ASKED,
    Content,
    left_by_asker,
    mark,
    pools_of,
    reason_for,
)
from ratingbook.office.logic.feeding import DIFFERENCE
from ratingbook.office.refused import refuse
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act, Who, acting, check_may, once
from ratingbook.rules.wording import either

_PARQUET = "application/vnd.apache.parquet"


@dataclass(frozen=True)
class Asked:
    """What became of a request."""

    id: int
    state: str
    joined: int | None
    """The request of the same that was there before."""
    findings: Findings


def states_of(numbers: Sequence[int] | None = None) -> dict[int, str]:
    """The state of each correction."""
    steps = m.CorrectionStep.objects.order_by("fact", "id")
    if numbers is not None:
        steps = steps.filter(correction__in=numbers)
    return dict(steps.values_list("correction", "state"))


def named(number: int) -> Any:
    """The correction of a number, which knows its ``state``."""
    found = with_states(m.Correction.objects.filter(id=number)).first()
    if found is None:
        raise refuse(
            "office.no-correction", sentence("There is no correction {number}.", number=number),
            "`ratingbook office corrections` lists them.",
        )  # fmt: skip
    return found


def ask(
    home: Home, contents: Sequence[Content], reason: str, who: Who, evidence: Sequence[Path] = ()
) -> Asked:
    """Ask for a correction; who asks for the same as somebody before joins that request."""
    check_may(who, "correct")
    if not reason.strip():
        raise refuse(
            "office.reason", sentence("A correction needs a reason."), "Give one with --reason."
        )
    refuse_any_long(contents, REASON, sentence("What is said in it"))
    _refuse_late(contents, who)
    files = [contents_of(path) for path in evidence]
    kept = [blobs.keep(home, data) for data, _ in files]
    wanted = mark(contents)
    with acting(who) as act:
        for sha256, (data, media) in zip(kept, files, strict=True):
            blobs.enter(sha256, len(data), media)
        now = states_of()
        same = next(
            (c.id for c in m.Correction.objects.filter(mark=wanted).order_by("id")
             if now[c.id] == OPEN or (now[c.id] == ACCEPTED and not is_overtaken(c))), None,
        )  # fmt: skip
        number = 1 + (m.Correction.objects.aggregate(last=Max("id"))["last"] or 0)
        today = act.at.date()
        fact = act.fact(
            "correction asked", *subjects(number, contents), reason=reason,
            payload={"correction": number, "contents": list(contents)},
            evidence=kept,
        )  # fmt: skip
        made = m.Correction.objects.create(
            id=number, made_by=fact, contents=list(contents), mark=wanted,
            until=today + timedelta(days=_answer_days(contents)),
        )  # fmt: skip
        _step(act, made, OPEN, fact)
        if same is not None:
            _join(act, made, same, SAME_ASKED)
        else:
            tell_contradictions(act, made)
            tell_merges(act.findings, contents)
        notices.tell(act, made, JOINED if same else "received")
    return Asked(number, JOINED if same else OPEN, same, act.findings)


def tell_merges(findings: Findings, contents: Sequence[Content]) -> None:
    """Tell of contents that are not decided whether two who are to be one played each other.

    And which of them is suppressed.
    """
    for each in contents:
        if each["kind"] == "merge":
            tell_met(findings, each["source"], each["target"])
            tell_hides(findings, each["source"], each["target"], is_asked=True)


def _pools(contents: Sequence[Content]) -> list[m.Pool]:
    wanted = pools_of(contents)
    every = m.Pool.objects.order_by("id")
    return list(every if wanted is None else every.filter(id__in=wanted))


def _answer_days(contents: Sequence[Content]) -> int:
    return min((policy(each, "answer_days") for each in _pools(contents)), default=30)


def _refuse_late(contents: Sequence[Content], who: Who) -> None:
    """Players and directors may ask for some time after an event; officers always."""
    roles = set(m.Actor.objects.get(name=who.actor).roles)
    if roles & {"admin", "officer"}:
        return
    numbers = [one for each in contents for one in each.get("sections", ())]
    keys = [each["key"] for each in contents if each["kind"] == "game"]
    sections = m.Section.objects.filter(id__in=numbers) | m.Section.objects.filter(
        id__in=amendments.games_keyed(keys, contents).values_list("section", flat=True)
    )
    for section in sections:
        pool = m.Pool.objects.filter(id=section.pool).first() if section.pool else None
        days = None if pool is None else policy(pool, "correction_days")
        if days is None or section.end is None:
            continue
        last = section.end + timedelta(days=days)
        if who.now().date() > last:
            raise refuse(
                "office.too-late",
                either(
                    days,
                    "The pool {what} takes requests up to {count} day after an event: here up to "
                    "{last}.",
                    "The pool {what} takes requests up to {count} days after an event: here up to "
                    "{last}.",
                    what=pool and pool.name,
                    last=last,
                ),
                sentence("An officer may still ask: write to the office."),
            )


def _step(act: Act, one: m.Correction, state: str, fact: int) -> None:
    m.CorrectionStep.objects.create(fact=fact, correction=one, state=state)


def _wants_four_eyes(one: m.Correction) -> bool:
    return any(policy(each, "four_eyes") == "yes" for each in _pools(one.contents))


def _refuse_own(one: m.Correction, asker: str) -> None:
    """Whoever has accepted something has looked at what somebody else asked for."""
    signed = m.CorrectionApproval.objects.filter(correction=one, actor=asker)
    if _wants_four_eyes(one) and signed.exists():
        raise refuse(
            "office.four-eyes",
            sentence(
                "{actor} has accepted correction {number}, and cannot have asked for it, too.",
                actor=asker,
                number=one.id,
            ),
            sentence("Nothing is to do."),
        )


def _join(act: Act, one: m.Correction, into: int, reason: str) -> None:
    other = m.Correction.objects.get(id=into)
    for each in sorted(askers(one.id)):
        _refuse_own(other, each)
    fact = act.fact(
        "correction joined", ("correction", one.id), ("correction", into),
        payload={"correction": one.id, "into": into}, reason=reason,
    )  # fmt: skip
    _step(act, one, JOINED, fact)


def _must_be_open(one: m.Correction) -> None:
    state = states_of([one.id])[one.id]
    if state != OPEN:
        raise refuse(
            "office.state",
            sentence(
                "Correction {id} is {state}; only an open one is decided.",
                id=one.id,
                state=stated(state),
            ),
            sentence("Ask for another one if something is wrong with it."),
        )


def join(number: int, into: int, reason: str, who: Who) -> Findings:
    """Say that a request is of the same matter as another one."""
    check_may(who, "accept")
    with acting(who) as act:
        one, other = named(number), named(into)
        _must_be_open(one)
        if one.id == other.id:
            raise refuse(
                "office.joined",
                sentence("A request is its own already."),
                sentence("Name another one."),
            )
        _must_be_open(other)
        tell_joined_otherwise(act, one, other)
        _join(act, one, other.id, reason)
        notices.tell(act, one, JOINED)
    return act.findings


def reject(number: int, reason: str, who: Who) -> Findings:
    """Decide that nothing is to be corrected; who asked may take a request back."""
    one = named(number)
    own = m.Fact.objects.get(seq=one.made_by).actor == who.actor
    check_may(who, "correct" if own else "accept")
    if not reason.strip():
        raise refuse(
            "office.reason", sentence("A refusal needs a reason."), "Give one with --reason."
        )
    with acting(who) as act:
        into = joined_into([number]).get(number) if own else None
        _must_be_open(one if into is None else named(decided_with(into)))
        state = WITHDRAWN if own else REJECTED
        fact = act.fact(
            f"correction {state}", ("correction", number), payload={"correction": number},
            reason=reason,
        )  # fmt: skip
        _step(act, one, state, fact)
        if own:
            _leave_joined(act, one, into)
        notices.tell(act, one, state)
    return act.findings


def can_be_taken_back(number: int) -> bool:
    """Whether nobody has decided a request, nor one that it is joined to."""
    root = decided_with(number)
    return states_of([root])[root] == OPEN


def _leave_joined(act: Act, one: m.Correction, into: int | None) -> None:
    """What was joined to a request that is taken back asks on: with another one, or by itself."""
    why = left_by_asker(one.id)
    for each in m.Correction.objects.filter(id__in=joined_to([one.id])).order_by("id"):
        if into is None:
            _reopen(act, each, why)
            into = each.id
        else:
            _join(act, each, into, why)


def _reopen(act: Act, one: m.Correction, why: str) -> None:
    """Let a request be decided by itself, within as many days as one that is asked now."""
    until = act.at.date() + timedelta(days=_answer_days(one.contents))
    fact = act.fact(
        f"correction {REOPENED}", ("correction", one.id), reason=why,
        payload={"correction": one.id, "until": until.isoformat()},
    )  # fmt: skip
    _step(act, one, OPEN, fact)
    notices.tell(act, one, REOPENED)


@dataclass(frozen=True)
class Accepted:
    """How far a correction is on its way to hold."""

    approvals: int
    needed: int
    preview: Preview
    facts: tuple[int, ...]
    findings: Findings

    @property
    def holds(self) -> bool:
        """Whether the next run rates by it."""
        return self.approvals >= self.needed


def accept(
    home: Home, number: int, who: Who, reason: str = "", despite: Collection[int] = ()
) -> Accepted:
    """Accept what the preview of a correction shows; with enough of them it holds.

    ``despite`` those that ask for something else of the same: whoever accepts it knows of them.
    """
    check_may(who, "accept")
    one = named(number)
    _must_be_open(one)
    asked = m.Fact.objects.get(seq=one.made_by)
    if _wants_four_eyes(one) and who.actor in askers(number):
        raise refuse(
            "office.four-eyes",
            sentence(
                "{actor} asked for correction {number}, so somebody else has to accept it.",
                actor=who.actor,
                number=number,
            ),
            sentence("Ask a second officer."),
        )
    preview = Bench(home).preview(one.contents)
    digest = preview.digest
    data = bytes_of(preview.rows)
    kept = blobs.keep(home, data)
    needed = max((policy(each, "correction_approvals") for each in _pools(one.contents)), default=1)
    with acting(who) as act:
        _must_be_open(one)
        refuse_unknowing(one, despite)
        tell_of_games(act, one)
        if m.CorrectionApproval.objects.filter(
            correction=one, digest=digest, actor=who.actor
        ).exists():
            raise refuse(
                "office.approved",
                sentence(
                    "{actor} has accepted correction {number} already.",
                    actor=who.actor,
                    number=number,
                ),
                sentence("Nothing is to do."),
            )
        blobs.enter(kept, len(data), _PARQUET)
        fact = act.fact(
            "correction approved", ("correction", number), reason=reason, evidence=[kept],
            payload={"correction": number, "digest": digest, "reach": _summary(preview)},
        )  # fmt: skip
        m.CorrectionApproval.objects.create(
            fact=fact, correction=one, digest=digest, actor=who.actor
        )
        count = m.CorrectionApproval.objects.filter(correction=one, digest=digest).count()
        facts: tuple[int, ...] = ()
        if count >= needed:
            facts = _enter(act, one, asked.reason, kept, preview)
        else:
            _tell_lapsed(act, one, digest)
            tell_merges(act.findings, one.contents)
    return Accepted(count, needed, preview, facts, act.findings)


def holds_by(number: int, actor: str) -> bool:
    """Whether a correction holds by somebody's signature, besides others or alone."""
    if states_of([number])[number] not in (ACCEPTED, PUBLISHED):
        return False
    signed = m.CorrectionApproval.objects.filter(correction=number).order_by("fact")
    last = signed.last()
    return last is not None and signed.filter(digest=last.digest, actor=actor).exists()


def _tell_lapsed(act: Act, one: m.Correction, digest: str) -> None:
    """Whose signatures are under other numbers than those of now, and are still needed."""
    signed = m.CorrectionApproval.objects.filter(correction=one)
    again = signed.filter(digest=digest).values("actor")
    others = signed.exclude(digest=digest).exclude(actor__in=again)
    if others.exists():
        act.findings.add(
            Severity.INFO,
            "office.approve-again",
            sentence(
                "What the correction changes is something else than what {all} accepted.",
                all=", ".join(sorted(set(others.values_list("actor", flat=True)))),
            ),
            remedy=sentence("They have to accept it anew."),
        )


def _enter(
    act: Act, one: m.Correction, reason: str, kept: str, preview: Preview
) -> tuple[int, ...]:
    first = act.head.seq + 1
    back = enter(act, one.contents, str(reason_for(one.id, reason)))
    for each in preview.reaches:
        if each.made is not None:
            add_on_next_list(act, one.id, pool_named(each.pool), each.made)
    facts = tuple(range(first, act.head.seq + 1))
    fact = act.fact(
        "correction accepted", ("correction", one.id), *(("fact", each) for each in facts),
        payload={"correction": one.id, "facts": list(facts), "back": back}, evidence=[kept],
    )  # fmt: skip
    _step(act, one, ACCEPTED, fact)
    m.Reached.objects.create(fact=fact, correction=one, file_id=kept)
    notices.tell(act, one, ACCEPTED)
    return facts


def _summary(preview: Preview) -> dict[str, Any]:
    """What the register tells of the reach of a correction."""
    said = preview.as_dict()
    found = {key: said[key] for key in ("players", "batches", "lists", "most")}
    found["largest"] = {
        pool: each["differences"]["largest"][:3] for pool, each in said["pools"].items()
    }
    return found


def taking_back(number: int) -> list[Content]:
    """The contents that undo an accepted correction, as far as it holds still."""
    one = named(number)
    fact = m.Fact.objects.filter(
        kind="correction accepted", factsubject__kind="correction", factsubject__subject=str(one.id)
    ).last()
    if fact is None:
        raise refuse(
            "office.state", sentence("Correction {number} was not accepted.", number=number),
            f"Refuse it: ratingbook office reject {number} --reason …",
        )  # fmt: skip
    back: list[Content] = fact.payload["back"]
    if not back and any(each["kind"] == "rules" for each in one.contents):
        raise refuse(
            "office.undo",
            sentence("A mended program is not undone by a fact."),
            sentence("Install the one of before."),
        )
    holds = [each for each in back if not is_stale(each)]
    if not holds:
        raise refuse(
            "office.undone",
            sentence("What correction {number} said holds no longer.", number=number)
            if back
            else sentence(
                "What correction {number} took back held no longer before that.", number=number
            ),
            sentence("Nothing is to do."),
        )
    return holds


def new_in(home: Home, run: m.Run, before: m.Run | None) -> list[m.Correction]:
    """The accepted corrections that a run is the first of its pool to rate by.

    ``before`` is the run that was published when it was made.
    """
    return [each.correction for each in reached_new_in(home, run, before)]


def reached_new_in(home: Home, run: m.Run, before: m.Run | None) -> list[m.Reached]:
    """The same, each with what it reaches, in the order in which they were accepted."""
    pool, found = run.pool, []
    every = m.Reached.objects.order_by("fact").select_related("correction")
    days = once(("differences of", pool.id), lambda: _days_of_differences(pool))
    for each in once("all that is reached", lambda: list(every)):
        day = days.get(each.correction_id)
        if not _has(run, each.fact, day) or (before and _has(before, each.fact, day)):
            continue
        if pool.id in _pools_brought(home, each, pool.id):
            found.append(each)
    return found


def _pools_brought(home: Home, one: m.Reached, default: int) -> set[int]:
    """The pools whose runs bring a correction: those that it says, or reaches.

    Where nothing tells any, as of two people who become one before they are rated, the first run
    brings it: it holds.
    """
    said = pools_of(one.correction.contents)
    if said is None:
        said = set(table_of(home, one.file_id)["pool"].to_pylist())
    return said or pools_reached(one.correction) or {default}


def _has(run: m.Run, fact: int, day: date | None) -> bool:
    """Whether a run rates by what was accepted by a fact, and has come to the day of its list."""
    return fact <= run.upto and (day is None or day <= run.until)


def _days_of_differences(pool: m.Pool) -> dict[int, date]:
    """From which day on corrections hold that went on the next list, by their numbers."""
    said = m.Fact.objects.filter(kind=DIFFERENCE, factsubject__kind="pool",
                                 factsubject__subject=str(pool.id))  # fmt: skip
    payloads = said.values_list("payload", flat=True)
    return {each["correction"]: date.fromisoformat(each["from"]) for each in payloads}


def published(
    home: Home, act: Act, run: m.Run, publication: m.Publication, lists: Sequence[m.List]
) -> None:
    """Enter in the register which corrections a publication is the first to hold."""
    found = new_in(home, run, base_of(run))
    for one in found:
        fact = act.fact(
            "correction published", ("correction", one.id), ("pool", run.pool_id),
            ("run", run.id), *(("list", each.id) for each in lists),
            payload={
                "correction": one.id, "publication": publication.seq, "run": run.id,
                "pool": run.pool_id, "lists": [each.id for each in lists],
            },
        )  # fmt: skip
        _step(act, one, PUBLISHED, fact)
        notices.tell(act, one, PUBLISHED, publication)
    notices.tell_changed(home, act, publication, found)


def overdue(today: date) -> list[int]:
    """Open requests whose day has passed."""
    every = with_states(m.Correction.objects.order_by("id"))
    return [each.id for each in every if is_overdue(each, today)]
