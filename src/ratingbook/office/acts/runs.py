"""Runs: planned, rated as drafts, compared with what is published, approved, published."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from django.db import transaction
from django.db.models import Max

from ratingbook import __version__
from ratingbook.model import Finding, Findings, Severity
from ratingbook.model.sentences import sentence, stated
from ratingbook.office.acts import corrections, lists, revisions, states
from ratingbook.office.acts.amendments import overlay_of, pools_of_sections
from ratingbook.office.acts.causes import causes
from ratingbook.office.acts.decisions import openings_held
from ratingbook.office.acts.published import base_of, bytes_of, head_run, table_of
from ratingbook.office.acts.reasons import YEARS_NEW
from ratingbook.office.acts.setup import decimals_of, marks_of, policy, pool_named, rules_of
from ratingbook.office.acts.snapshots import fed_by_sections, fed_of, fed_of_run, sections_of
from ratingbook.office.engine import (
    BORN_IN,
    Fed,
    RatedTables,
    Rules,
    is_rated_by_lists,
    rate,
    reads_years,
    rule_source,
    why_not_rated,
)
from ratingbook.office.home import Home
from ratingbook.office.logic.comparing import Differing, differing, opened_in, report_of
from ratingbook.office.logic.days import FAR_BACK
from ratingbook.office.logic.stored import finding_of, stored
from ratingbook.office.refused import refuse
from ratingbook.office.store import blobs, ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who, acting, check_may
from ratingbook.office.store.rows import CHUNK, look_at, put_rows
from ratingbook.rules.wording import either

DRAFT, MADE, RELEASED, DISCARDED = "draft", "checked", "published", "discarded"
_PARQUET = "application/vnd.apache.parquet"
_READ_BY_PAGES = (
    m.Person, m.PersonName, m.ExternalId, m.Report, m.ReportVersion, m.Section, m.Entry, m.Link,
    m.Game, m.RunSection, m.Batch, m.Change, m.List, m.ListRow,
)  # fmt: skip
_FEED_NOTHING = (
    "approved", "published", "list", "policy", "actor", "pool", states.FILE_REFUSED, "expected",
    "correction asked", "correction joined", "correction rejected", "correction withdrawn",
    "correction approved", "correction accepted", "correction published", "sending", "audit sealed",
    "files deleted", "person edit asked",
)  # fmt: skip
"""Facts that no run rests on."""
_COLUMNS = (
    "batch_id", "person", "turn", "run_id", "before", "after", "games", "score", "gone",
)  # fmt: skip


@contextmanager
def _no_fence() -> Iterator[None]:
    with transaction.atomic():
        yield


@dataclass(frozen=True)
class Work:
    """How a run is done: what is told of its progress, and what guards each of its writes.

    ``fence`` is a transaction that fails once another worker has the job.
    """

    progress: Callable[[int, int, str], None] = lambda done, total, note: None
    fence: Callable[[], Any] = _no_fence
    began: Callable[[int], None] = lambda run: None
    """Told the number of the draft, as soon as there is one."""


@dataclass(frozen=True)
class Made:
    """A run that waits for approval."""

    run: m.Run
    findings: Findings


def make(home: Home, pool_name: str, until: date | None, who: Who, work: Work = Work()) -> Made:
    """Rate all that is ready of a pool, up to a day, as a draft; nobody sees it yet."""
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
    run = _draft(pool, rules, upto, day, who)
    try:
        work.began(run.id)
        _tell_held(pool, day, findings)
        _tell_years(home, base, fed, rules, findings)
        _fill(home, run, _Given(fed, section_of, sections), rules, base, findings, work)
    except BaseException:
        discard_run(run)
        raise
    return Made(run, findings)


def findings_of(run: m.Run) -> Findings:
    """What was noticed when it was made: whoever approves it has to know."""
    return Findings(map(finding_of, run.counts.get("findings", ())))


def _tell_back(run: m.Run, base: m.Run | None, findings: Findings) -> None:
    """Tell of numbers of long ago that a run changes."""
    first = revisions.first_changed(run) if base is not None else None
    if base is None or first is None or first >= base.until - FAR_BACK:
        return
    findings.add(
        Severity.WARNING,
        "office.reaches-back",
        sentence(
            "The run changes published numbers back to {back}: as a late report, a correction or a "
            "decision does that reaches so far.",
            back=first,
        ),
        remedy=sentence("Look at what came of that time before you approve it."),
    )


def _until(
    until: date | None, today: date, rules: Rules, base: m.Run | None, findings: Findings
) -> date:
    """The day up to which is rated, which never goes back behind what is published."""
    day = until or today
    if base is not None and day < base.until:
        if until is not None:
            raise refuse(
                "office.until-back",
                sentence(
                    "What is published goes up to {until}, which is after {day}.",
                    until=base.until,
                    day=day,
                ),
                sentence(
                    "Rate up to {until} or later: late reports are rated in their own place.",
                    until=base.until,
                ),
            )
        day = base.until
    lists.refuse_far_ahead(day, base, today)
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


def _draft(pool: m.Pool, rules: Rules, upto: int, until: date, who: Who) -> m.Run:
    with transaction.atomic():
        # The head of the ledger is locked: no two runs have one number.
        m.LedgerHead.objects.select_for_update().get(id=1)
        pool.refresh_from_db(fields=["head"])
        number = (m.Run.objects.aggregate(last=Max("id"))["last"] or 0) + 1
        return m.Run.objects.create(
            id=number, pool=pool, base=pool.head, upto=upto, until=until, state=DRAFT,
            rulebook=rules.rulebook, parameters=dict(rules.parameters), assume=rules.assume,
            rule_source=rule_source(rules.rulebook), engine=__version__,
            counts={"made_by": who.actor},
        )  # fmt: skip


@dataclass(frozen=True)
class _Given:
    """What a run is fed, and of which sections."""

    fed: Fed
    section_of: pa.ChunkedArray
    """The section of each game."""
    ready: Sequence[int]
    """The sections that are ready, whatever their days."""

    def rated(self, games: np.ndarray[Any, np.dtype[np.bool_]], run: m.Run) -> list[int]:
        """The sections of these games: who has some in a batch that ends later is not in the run.

        A section of which nothing is fed counts once it has ended, and one that was taken out on a
        next list stays: its games are fed as they were.
        """
        played = set(pc.unique(self.section_of).to_pylist())
        found = set(pc.unique(self.section_of.filter(pa.array(games))).to_pylist())
        without = [each for each in self.ready if each not in played]
        days = overlay_of(run.upto).days if without else {}
        ends = dict(m.Section.objects.values_list("id", "end")) if without else {}
        for each in without:
            end = ends[each]
            if end is None or end + timedelta(days.get(each, 0)) <= run.until:
                found.add(each)
        return sorted(found)


def _fill(
    home: Home, run: m.Run, given: _Given, rules: Rules, base: m.Run | None, findings: Findings,
    work: Work,
) -> None:  # fmt: skip
    """Rate, compare, and write what differs, a chunk at a time."""
    fed = given.fed
    work.progress(1, 4, sentence("rating"))
    # To hash a million games takes half as long as to rate them, and another processor.
    with ThreadPoolExecutor(1) as aside:
        of_fed = aside.submit(lambda: fed.digest)
        rated = rate(fed, rules, run.until)
        of_rated = aside.submit(lambda: rated.digest)
        findings.extend(rated.findings)
        _tell_unrated(rated, rules, findings)
        work.progress(2, 4, sentence("comparing"))
        decimals = decimals_of(run.pool)
        before = (None, None)
        if base is not None:
            before = table_of(home, base.file_id or ""), table_of(home, base.ratings_id or "")
        found = differing(rated.changes, before[0], decimals)
        report = report_of(
            rated.ratings, before[1], found, decimals, marks_of(run.pool), opened_in(fed.players)
        )
        run.snapshot, run.digest = of_fed.result(), of_rated.result()
    sections = given.rated(rated.games, run)
    work.progress(3, 4, sentence("writing what differs"))
    with work.fence():
        put_rows(
            m.RunSection._meta.db_table, ("run_id", "section"), [(run.id, s) for s in sections]
        )
    _write(run, rated, found, base, home, work)
    _tell_back(run, base, findings)
    needed = causes(home, run, base, found)
    tables = [rated.changes, rated.ratings, *([needed] if len(needed) else [])]
    files = [bytes_of(each) for each in tables]
    kept = [blobs.keep(home, each) for each in files]
    with work.fence():
        for sha256, data in zip(kept, files, strict=True):
            blobs.enter(sha256, len(data), _PARQUET)
        run.state = MADE
        run.file_id, run.ratings_id, *more = kept
        m.Needed.objects.bulk_create(m.Needed(run=run, file_id=each) for each in more)
        run.report = report
        run.counts = {
            **run.counts, "sections": len(sections), "games": int(rated.games.sum()),
            "batches": len(rated.batches), "rows": len(rated.changes),
            "changed": report["players"], "passed_over": rated.passed_over,
            "findings": [stored(each) for each in findings],
        }  # fmt: skip
        run.save()
    work.progress(4, 4, sentence("the draft is made"))


def _tell_unrated(rated: RatedTables, rules: Rules, findings: Findings) -> None:
    """Games that are in the run and count for nobody, or for one side only."""
    if rated.games.any() and not len(rated.changes):
        findings.add(
            Severity.WARNING,
            "office.nobody-rated",
            sentence(
                "There are games, and nobody could be rated from them by {book}.",
                book=rules.rulebook,
            ),
            remedy=sentence(
                "Bring in the ratings that players had before: `ratingbook office import FILE "
                "--register NAME --pool POOL`."
            ),
        )
    elif rated.passed_over:
        reasons = why_not_rated(rules)
        findings.add(
            Severity.INFO,
            "office.passed-over",
            either(
                rated.passed_over,
                "{count} half of a game counts for nobody: so {book} wants it.",
                "{count} halves of games count for nobody: so {book} wants it.",
                book=rules.rulebook,
            )
            if reasons is None
            else either(
                rated.passed_over,
                "{count} half of a game counts for nobody: so {book} wants it ({reasons}).",
                "{count} halves of games count for nobody: so {book} wants it ({reasons}).",
                book=rules.rulebook,
                reasons=reasons,
            ),
        )


def _write(
    run: m.Run, rated: RatedTables, found: Differing, base: m.Run | None, home: Home, work: Work
) -> None:
    days = dict(
        zip(rated.batches["key"].to_pylist(), rated.batches["day"].to_pylist(), strict=True)
    )
    days |= dict(zip(found.gone["key"].to_pylist(), found.gone["date"].to_pylist(), strict=True))
    wanted = sorted(set(found.rows["key"].to_pylist()) | set(found.gone["key"].to_pylist()))
    with work.fence():
        known = dict(m.Batch.objects.filter(pool=run.pool).values_list("key", "id"))
        m.Batch.objects.bulk_create(
            [m.Batch(pool=run.pool, key=key, day=days[key]) for key in wanted if key not in known],
            batch_size=5000,
        )
        known = dict(m.Batch.objects.filter(pool=run.pool).values_list("key", "id"))
    for table, gone in ((found.rows, False), (found.gone, True)):
        for start in range(0, len(table), CHUNK):
            rows = _rows(table.slice(start, CHUNK), known, run.id, gone)
            with work.fence():
                put_rows(m.Change._meta.db_table, _COLUMNS, rows)


def _rows(
    table: pa.Table, batches: Mapping[str, int], run: int, gone: bool
) -> list[tuple[Any, ...]]:
    columns = [table[name].to_pylist() for name in ("key", "player", "turn", "before", "after",
                                                     "games", "score")]  # fmt: skip
    return [
        (batches[key], int(player), turn, run, before, after, games, score, gone)
        for key, player, turn, before, after, games, score in zip(*columns, strict=True)
    ]


def _tell_years(home: Home, base: m.Run | None, fed: Fed, rules: Rules, findings: Findings) -> None:
    """The first run that is fed years of birth may have other numbers without any new fact."""
    if base is None or BORN_IN not in fed.known_of_players or not reads_years(rules):
        return
    if fed_of(home, base.pool_id, base.upto).is_before_years(base.snapshot):
        findings.add(
            Severity.WARNING,
            YEARS_NEW,
            sentence(
                "Of players without a date of birth the year counts from this run on: K of "
                "juniors, and what follows from it, may be other numbers than were published."
            ),
            remedy=sentence("Look at the changes before you approve the run."),
        )


def _tell_held(pool: m.Pool, day: date, findings: Findings) -> None:
    """Sections that would have been rated, had nobody held them."""
    own = dict(m.Section.objects.filter(pool=pool.id, end__lte=day).values_list("id", "end"))
    now = states.states()
    _tell_of_no_pool(day, now, findings)
    held = [each for each in own if now.get(each) in (states.HELD, states.CHECKED)]
    if held:
        findings.add(
            Severity.INFO,
            "office.held",
            either(
                len(held),
                "{count} section that ended up to {day} is not in the run: it is held, or waits "
                "at the desk.",
                "{count} sections that ended up to {day} are not in the run: they are held, or "
                "wait at the desk.",
                day=day,
            ),
            remedy="`ratingbook office reports` shows them. When they are ready, the next run "
            "rates them in their place.",
        )


def _tell_of_no_pool(day: date, now: Mapping[int, str], findings: Findings) -> None:
    """Sections that are ready and that no run rates, since they have no pool."""
    moved = pools_of_sections(ledger.head().seq)
    without = m.Section.objects.filter(pool__isnull=True, end__lte=day).order_by("id")
    ready = [
        report
        for number, report in without.values_list("id", "version__report")
        if now.get(number) == states.READY and number not in moved
    ]
    if ready:
        named = ", ".join(map(str, dict.fromkeys(ready)))
        findings.add(
            Severity.WARNING,
            "office.ready-without-pool",
            either(
                len(ready),
                "{count} section is ready and in no run, since it has no pool: report {reports}.",
                "{count} sections are ready and in no run, since they have no pool: reports "
                "{reports}.",
                reports=named,
            ),
            remedy=sentence(
                "Put it into one: `ratingbook office correct --report REPORT --to-pool POOL "
                "--reason TEXT`."
            ),
        )


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
        _refuse_mended(home, run)
        drafts = revisions.drafts(home, run)
        if policy(run.pool, "lists") == "with_run":
            own = lists.listing_of(home, run, run.until)
            # A list has the day that the rules give it, on which a revision may be due as well.
            drafts = [each for each in drafts if each.date != own.date]
            newest = lists.newest_of(run.pool_id, own.date)
            if newest is None or not lists.is_same(own, newest, whole=False):
                drafts.append(own)
            else:
                _tell_unchanged(newest, findings)
    # Each is compared with the list before that is in force when it is entered.
    drafts.sort(key=lambda each: each.date)
    with acting(who) as act:
        run = run_named(number)
        _check_publishable(run)
        seq = run.base + 1
        moved = m.Pool.objects.filter(id=run.pool_id, head=run.base).update(head=seq)
        if not moved:
            raise _head_moved(run)
        fact = act.fact(
            "published", ("run", number), ("pool", run.pool_id),
            payload={
                "seq": seq, "run": number, "digest": run.digest, "upto": run.upto,
                "until": run.until.isoformat(), "rulebook": run.rulebook,
                "parameters": run.parameters, "assume": run.assume,
                "rule_source": run.rule_source, "engine": run.engine, "snapshot": run.snapshot,
            },
            evidence=[each for each in (run.file_id, run.ratings_id) if each],
        )  # fmt: skip
        publication = m.Publication.objects.create(
            fact=fact, pool_id=run.pool_id, seq=seq, run=run, digest=run.digest
        )
        run.state = RELEASED
        run.save(update_fields=["state"])
        made = [lists.enter(act, run, draft) for draft in drafts]
        corrections.published(home, act, run, publication, made)
    later = _later_facts(run.pool_id, run.upto)
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
    look_at(*_READ_BY_PAGES)
    return Published(seq, fact, tuple(made), findings)


def _later_facts(pool: int, upto: int) -> int:
    """How many facts after one of them the next run of a pool may rate otherwise by.

    What names other pools only, or reports of which nothing is in the pool, is none of them; nor
    is a person, before anything links it.
    """
    later = m.Fact.objects.filter(seq__gt=upto).exclude(kind__in=(*_FEED_NOTHING, "person"))
    about: dict[int, dict[str, set[str]]] = {seq: {} for seq in later.values_list("seq", flat=True)}
    subjects = m.FactSubject.objects.filter(fact__in=later, kind__in=("pool", "report"))
    for fact, kind, subject in subjects.values_list("fact", "kind", "subject"):
        about[fact].setdefault(kind, set()).add(subject)
    reports = {x for said in about.values() for x in said.get("report", ())}
    own = {"pool": {str(pool)}, "report": _reports_in(pool, reports, upto) if reports else set()}
    return sum(all(said & own[kind] for kind, said in each.items()) for each in about.values())


def _reports_in(pool: int, reports: Iterable[str], upto: int) -> set[str]:
    """The reports of which a section is in a pool, or was when a run was made."""
    found = m.Section.objects.filter(version__report__in=[int(each) for each in reports])
    rows = list(found.values_list("id", "version__report", "pool"))
    moved = [pools_of_sections(seq) for seq in (upto, ledger.head().seq)]
    return {
        str(report) for section, report, own in rows
        if pool == own or any(pool == each.get(section) for each in moved)
    }  # fmt: skip


def _tell_unchanged(one: m.List, findings: Findings) -> None:
    """A revision of what is to the letter as it was would say that something changed."""
    findings.add(
        Severity.INFO,
        "office.list-unchanged",
        sentence(
            "The list of {day} stays as revision {revision} has it: nothing on it is otherwise.",
            day=one.date,
            revision=one.revision,
        ),
        remedy="For numbers of registers that were told since, make it again: ratingbook office "
        f"list --make {one.date} --pool {one.pool.name}.",
    )


def _refuse_mended(home: Home, run: m.Run) -> None:
    """Another program of the rules that gives other numbers is a correction, accepted as such."""
    old = base_of(run)
    if old is None:
        return
    # A reform puts another rule book in its place, and leaves its program as it is.
    now = run.rule_source if run.rulebook == old.rulebook else rule_source(old.rulebook)
    if old.rule_source == now:
        return
    accepted = m.Fact.objects.filter(
        kind="rules mended", seq__lte=run.upto, payload__now=now,
        factsubject__kind="pool", factsubject__subject=str(run.pool_id),
    )  # fmt: skip
    rules = Rules(old.rulebook, old.parameters, old.assume)
    if accepted.exists() or (rate(fed_of_run(home, old), rules, old.until).digest == old.digest):
        return
    raise refuse(
        "office.rules-mended",
        sentence(
            "The program of the rules was changed since publication {base}, "
            "and gives other numbers of what was published.",
            base=run.base,
        ),
        f"ratingbook office correct --pool {run.pool.name} --rules-mended --reason …; look at the "
        "preview, and have it accepted.",
    )


def _check_publishable(run: m.Run) -> None:
    if run.state != MADE:
        raise refuse(
            "office.state",
            sentence(
                "Run {id} is {state}; only a checked one is published.",
                id=run.id,
                state=stated(run.state),
            ),
            sentence("Make another run."),
        )
    if m.Pool.objects.get(id=run.pool_id).head != run.base:
        raise _head_moved(run)
    approved = m.Approval.objects.filter(run=run, digest=run.digest).count()
    needed = policy(run.pool, "approvals")
    if approved < needed:
        raise refuse(
            "office.not-approved",
            sentence(
                "Run {id} has {approved} of {needed} approvals.",
                id=run.id,
                approved=approved,
                needed=needed,
            ),
            f"ratingbook office show {run.id}, then ratingbook office approve {run.id}.",
        )
    # A fact of which only some was undone is not revoked; what undid it names it, too.
    undone = m.Fact.objects.filter(
        seq__gt=run.upto, kind="undone", payload__fact__lte=run.upto
    ).first()
    if undone is not None:
        raise refuse(
            "office.undone-since",
            sentence(
                "Fact {revokes}, which run {id} rests on, was undone by fact {seq}.",
                revokes=undone.payload["fact"],
                id=run.id,
                seq=undone.seq,
            ),
            f"ratingbook office run --refresh {run.id}.",
        )


def _head_moved(run: m.Run) -> Exception:
    return refuse(
        "office.head-moved",
        sentence(
            "Somebody else published after run {id} was made: it no longer "
            "stands on what is published.",
            id=run.id,
        ),
        f"ratingbook office run --refresh {run.id}; then it is approved anew.",
    )


def refresh(home: Home, number: int, who: Who, work: Work = Work()) -> Made:
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
