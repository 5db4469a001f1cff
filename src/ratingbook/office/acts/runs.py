"""Runs: planned, rated as drafts, compared with what is published, approved, published."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db import transaction

from ratingbook.model import Finding, Findings, Severity
from ratingbook.model.sentences import sentence, stated
from ratingbook.office.acts import corrections, lists, revisions
from ratingbook.office.acts.decisions import openings_held
from ratingbook.office.acts.drafting import ALONE, Given, Work, draft_of, fill
from ratingbook.office.acts.publishable import (
    check_publishable,
    head_moved,
    later_facts,
    refuse_mended,
)
from ratingbook.office.acts.published import head_run
from ratingbook.office.acts.run_findings import tell_fed_anew, tell_held
from ratingbook.office.acts.run_states import DISCARDED, MADE, RELEASED
from ratingbook.office.acts.setup import policy, pool_named, rules_of
from ratingbook.office.acts.siblings import tell_readers
from ratingbook.office.acts.snapshots import fed_by_sections, sections_of
from ratingbook.office.engine.lists import is_rated_by_lists
from ratingbook.office.engine.rules import Rules
from ratingbook.office.home import Home
from ratingbook.office.logic.stored import finding_of
from ratingbook.office.refused import refuse
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who, acting, check_may
from ratingbook.office.store.rows import look_at
from ratingbook.rules.wording import either

_READ_BY_PAGES = (
    m.Person, m.PersonName, m.ExternalId, m.Report, m.ReportVersion, m.Section, m.Entry, m.Link,
    m.Game, m.RunSection, m.Batch, m.Change, m.List, m.ListRow,
)  # fmt: skip


@dataclass(frozen=True)
class Made:
    """A run that waits for approval."""

    run: m.Run
    findings: Findings


def make(home: Home, pool_name: str, until: date | None, who: Who, work: Work = ALONE) -> Made:
    """Rate all that is ready of a pool, up to a day, as a draft; nobody sees it yet."""
    with ledger.one_moment():
        return _make(home, pool_name, until, who, work)


def _make(home: Home, pool_name: str, until: date | None, who: Who, work: Work) -> Made:
    check_may(who, "run")
    pool = pool_named(pool_name)
    rules = rules_of(pool)
    findings = Findings()
    today = who.now().date()
    upto = ledger.head().seq
    sections, base = sections_of(pool.id, upto), head_run(pool)
    opens = base is None and bool(openings_held(pool, upto=upto))
    # What was rated once and is withdrawn since is taken out by a run without games, and the first
    # list of a pool may be of the ratings with which it opens.
    if not sections and base is None and not opens:
        raise refuse(
            "office.nothing-ready",
            sentence("No section of the pool {name} is ready.", name=pool.name),
            "`ratingbook office reports` shows what waits, and for what.",
        )
    work.progress(0, 4, sentence("reading the facts"))
    fed, section_of = fed_by_sections(home, pool.id, upto)
    if not len(fed.games) and base is None and not opens:
        raise refuse(
            "office.no-games", sentence("The sections that are ready have no game with a result."),
            sentence("Wait for the first results."),
        )  # fmt: skip
    day = _until(until, today, rules, base, findings)
    if not len(fed.games) and opens:
        findings.add(
            Severity.INFO,
            "office.opening-only",
            sentence(
                "No game is in the run: its list is of the ratings with which the pool opens."
            ),
        )
    run = draft_of(pool, rules, upto, day, who)
    try:
        work.began(run.id)
        tell_held(pool, day, findings)
        tell_fed_anew(home, base, fed, rules, findings)
        fill(home, run, Given(fed, section_of, sections), rules, base, findings, work)
    except BaseException:
        discard_run(run)
        raise
    return Made(run, findings)


def findings_of(run: m.Run) -> Findings:
    """What was noticed when it was made: whoever approves it has to know."""
    return Findings(map(finding_of, run.counts.get("findings", ())))


def refuse_day(until: date | None, base: m.Run | None, today: date) -> None:
    """Refuse a day up to which nothing can be rated after what is published."""
    if until is not None and base is not None and until < base.until:
        raise refuse(
            "office.until-back",
            sentence(
                "What is published goes up to {until}, which is after {day}.",
                until=base.until,
                day=until,
            ),
            sentence(
                "Rate up to {until} or later: late reports are rated in their own place.",
                until=base.until,
            ),
        )
    last = max(until or today, base.until) if base is not None else until or today
    lists.refuse_far_ahead(last, base, today)


def _until(
    until: date | None, today: date, rules: Rules, base: m.Run | None, findings: Findings
) -> date:
    """The day up to which is rated, which never goes back behind what is published."""
    refuse_day(until, base, today)
    day = until or today
    if base is not None and day < base.until:
        day = base.until
    if day > today:
        findings.add(
            Severity.INFO,
            "office.future",
            sentence(
                "The run goes up to {day}, which is still to come: what is played "
                "until then is not in it.",
                day=day,
            ),
        )
    return day


def run_named(number: int) -> m.Run:
    """The run of a number."""
    run = m.Run.objects.select_related("pool").filter(id=number).first()
    if run is None:
        raise refuse(
            "office.no-run",
            sentence("There is no run {number}.", number=number),
            "`ratingbook office run --pool POOL` makes one.",
        )
    return run


def is_stale(run: m.Run) -> bool:
    """Whether something else was published since the run was made, as its pool says."""
    return run.state == MADE and run.base != run.pool.head


def approve(number: int, who: Who, reason: str = "") -> tuple[int, int, Findings]:
    """Approve the numbers of a run; gives how many have, and how many must."""
    check_may(who, "approve")
    with acting(who) as act:
        run = run_named(number)
        if run.state != MADE:
            raise refuse(
                "office.state",
                sentence(
                    "Run {number} is {state}; only a checked one is approved.",
                    number=number,
                    state=stated(run.state),
                ),
                sentence("Make another run."),
            )
        if policy(run.pool, "four_eyes") == "yes" and run.counts.get("made_by") == who.actor:
            raise refuse(
                "office.four-eyes",
                sentence(
                    "{actor} made run {number}, so somebody else has to approve it.",
                    actor=who.actor,
                    number=number,
                ),
                sentence("Ask a second officer."),
            )
        if m.Approval.objects.filter(run=run, digest=run.digest, actor=who.actor).exists():
            raise refuse(
                "office.approved",
                sentence(
                    "{actor} has approved run {number} already.", actor=who.actor, number=number
                ),
                sentence("Nothing is to do."),
            )
        fact = act.fact(
            "approved", ("run", number), ("pool", run.pool_id), payload={"digest": run.digest},
            reason=reason,
        )  # fmt: skip
        m.Approval.objects.create(fact=fact, run=run, digest=run.digest, actor=who.actor)
        count = m.Approval.objects.filter(run=run, digest=run.digest).count()
    return count, policy(run.pool, "approvals"), act.findings


@dataclass(frozen=True)
class Published:
    """What became public by one act."""

    seq: int
    fact: int
    lists: tuple[m.List, ...]
    findings: Findings


def publish(home: Home, number: int, who: Who) -> Published:
    """Let everybody see a run: one short transaction that moves the pool's head."""
    check_may(who, "publish")
    run = run_named(number)
    drafts, findings = [], Findings()
    if run.state == MADE:
        refuse_mended(home, run)
        drafts = revisions.drafts(home, run)
        if policy(run.pool, "lists") == "with_run":
            own = lists.listing_of(home, run, run.until)
            # A list has the day that the rules give it, on which a revision may be due as well.
            drafts = [each for each in drafts if each.date != own.date]
            newest = lists.newest_of(run.pool_id, own.date)
            if newest is None or not lists.is_same(own, newest, whole=False):
                drafts.append(own)
            else:
                findings.extend([_unchanged(newest)])
    # Each is compared with the list before that is in force when it is entered.
    drafts.sort(key=lambda each: each.date)
    with acting(who) as act:
        run = run_named(number)
        check_publishable(run)
        seq = run.base + 1
        moved = m.Pool.objects.filter(id=run.pool_id, head=run.base).update(head=seq)
        if not moved:
            raise head_moved(run)
        fact = act.fact(
            "published", ("run", number), ("pool", run.pool_id),
            payload={
                "seq": seq, "run": number, "digest": run.digest, "upto": run.upto,
                "until": run.until.isoformat(), "rulebook": run.rulebook,
                "parameters": run.parameters, "assume": run.assume,
                "rule_source": run.rule_source, "engine": run.engine, "snapshot": run.snapshot,
            },
            evidence=[each for each in (run.file_id, run.ratings_id, run.told_id) if each],
        )  # fmt: skip
        publication = m.Publication.objects.create(
            fact=fact, pool_id=run.pool_id, seq=seq, run=run, digest=run.digest
        )
        run.state = RELEASED
        run.save(update_fields=["state"])
        made = [lists.enter(act, run, draft) for draft in drafts]
        corrections.published(home, act, run, publication, made)
    later = later_facts(run.pool_id, run.upto)
    if later:
        act.findings.add(
            Severity.INFO,
            "office.later-facts",
            either(
                later,
                "{count} fact came after the run was made; the next run has it.",
                "{count} facts came after the run was made; the next run has them.",
            ),
        )
    findings.extend(act.findings)
    tell_readers(home, run.pool, fact, findings)
    look_at(*_READ_BY_PAGES)
    return Published(seq, fact, tuple(made), findings)


def _unchanged(one: m.List) -> Finding:
    """What is told of a list that stays; a list that is made by hand has other numbers, too."""
    return lists.unchanged(
        one,
        "For numbers of registers that were told since, make it again: ratingbook office "
        f"list --make {one.date} --pool {one.pool.name}.",
    )


def refresh(home: Home, number: int, who: Who, work: Work = ALONE) -> Made:
    """The same run on what is published now, and with all facts of now."""
    check_may(who, "run")
    run = run_named(number)
    if run.state == RELEASED:
        raise refuse(
            "office.state",
            sentence("Run {number} is published.", number=number),
            sentence("Make another run."),
        )
    made = make(home, run.pool.name, run.until, who, work)
    discard_run(run)
    old = set(m.Approval.objects.filter(run=run).values_list("actor", flat=True))
    if old and made.run.digest != run.digest:
        made.findings.extend(
            [
                Finding(
                    "office.approve-again",
                    Severity.INFO,
                    sentence(
                        "The numbers are others than those that {all} approved.",
                        all=", ".join(sorted(old)),
                    ),
                    remedy=f"ratingbook office approve {made.run.id}.",
                )
            ]
        )
    return made


def discard(number: int, who: Who) -> None:
    """Throw a draft away."""
    check_may(who, "run")
    run = run_named(number)
    if run.state == RELEASED:
        raise refuse(
            "office.state",
            sentence("Run {number} is published; what is published is kept.", number=number),
            sentence("What it got wrong is mended by facts, and another run."),
        )
    if run.state == DISCARDED:
        raise refuse(
            "office.state",
            sentence("Run {number} is discarded already.", number=number),
            sentence("Nothing is to do."),
        )
    discard_run(run)


def discard_run(run: m.Run) -> None:
    """The rows of a draft go, its number stays."""
    with transaction.atomic():
        m.Run.objects.filter(id=run.id).exclude(state=RELEASED).update(state=DISCARDED)
        m.Change.objects.filter(run=run.id).delete()
        m.RunSection.objects.filter(run=run.id).delete()
        m.Needed.objects.filter(run=run.id).delete()


def is_by_lists(pool: m.Pool) -> bool:
    """Whether the pool is rated by periods."""
    return is_rated_by_lists(rules_of(pool))
