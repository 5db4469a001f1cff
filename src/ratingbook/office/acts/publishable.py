"""Whether a run may be published, and what it does not know of yet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set
from typing import Any

from ratingbook.model.sentences import sentence, stated
from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import pools_of_sections
from ratingbook.office.acts.people import merges
from ratingbook.office.acts.published import base_of
from ratingbook.office.acts.run_states import MADE
from ratingbook.office.acts.setup import policy
from ratingbook.office.acts.snapshots import fed_of_run
from ratingbook.office.engine.rating import rate
from ratingbook.office.engine.rules import Rules, rule_source
from ratingbook.office.home import Home
from ratingbook.office.refused import refuse
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m

_FEED_NOTHING = (
    "approved", "published", "list", "policy", "actor", "pool", states.FILE_REFUSED, "expected",
    "correction asked", "correction joined", "correction rejected", "correction withdrawn",
    "correction reopened",
    "correction approved", "correction accepted", "correction published", "sending", "audit sealed",
    "files deleted", "person edit asked",
)  # fmt: skip
"""Facts that no run rests on."""


def check_publishable(run: m.Run) -> None:
    """Refuse a run that nobody approved, or that no longer stands on what there is."""
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
        raise head_moved(run)
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


def head_moved(run: m.Run) -> Exception:
    """That another run was published meanwhile, by whomever."""
    return refuse(
        "office.head-moved",
        sentence(
            "Another run was published after run {id} was made: it no longer "
            "stands on what is published.",
            id=run.id,
        ),
        f"ratingbook office run --refresh {run.id}; then it is approved anew.",
    )


def refuse_mended(home: Home, run: m.Run) -> None:
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


def later_facts(pool: int, upto: int) -> int:
    """How many facts after one of them the next run of a pool may rate otherwise by.

    What names other pools only, or reports of which nothing is in the pool, is none of them; nor
    is what is said of persons whom nothing links or decides in the pool.
    """
    later = m.Fact.objects.filter(seq__gt=upto).exclude(kind__in=(*_FEED_NOTHING, "person"))
    about: dict[int, dict[str, set[str]]] = {seq: {} for seq in later.values_list("seq", flat=True)}
    subjects = m.FactSubject.objects.filter(fact__in=later, kind__in=("pool", "report"))
    for fact, kind, subject in subjects.values_list("fact", "kind", "subject"):
        about[fact].setdefault(kind, set()).add(subject)
    reports = {x for said in about.values() for x in said.get("report", ())}
    own = {"pool": {str(pool)}, "report": _reports_in(pool, reports, upto) if reports else set()}
    named = sum(
        all(said & own[kind] for kind, said in each.items()) for each in about.values() if each
    )
    people = _people_of([seq for seq, said in about.items() if not said])
    known = _people_in(pool, {one for some in people.values() for one in some}, upto)
    return named + sum(not known.isdisjoint(some) for some in people.values())


def _people_of(facts: Collection[int]) -> Mapping[int, set[int]]:
    """Of whom facts say something: as their subjects, or by the list that was imported."""
    said = m.FactSubject.objects.filter(fact__in=facts, kind="person")
    filled = m.PersonAttribute.objects.filter(fact__in=facts)
    found: dict[int, set[int]] = {}
    rows: list[tuple[int, Any]] = [*said.values_list("fact", "subject")]
    rows += filled.values_list("fact", "person")
    for fact, person in rows:
        found.setdefault(fact, set()).add(int(person))
    return found


def _people_in(pool: int, people: Set[int], upto: int) -> set[int]:
    """Those whom a decision names in a pool, or a link in one of its reports; as who they are now.

    Who was merged since is looked for under both numbers.
    """
    merged = merges()
    now = {each: merged.get(each, each) for each in people}
    wanted = {*now.values()}
    same = {each: each for each in wanted} | {
        one: other for one, other in merged.items() if other in wanted
    }
    decided = m.Decision.objects.filter(pool=pool, person__in=same, revoked_by__isnull=True)
    links = m.Link.objects.filter(person__in=same, revoked_by__isnull=True).values_list(
        "person", "entry__version__report"
    )
    reports = _reports_in(pool, {str(report) for _, report in links}, upto) if links else set()
    found = {*decided.values_list("person", flat=True)}
    found |= {person for person, report in links if str(report) in reports}
    there = {same[each] for each in found}
    return {each for each in people if now[each] in there}


def _reports_in(pool: int, reports: Iterable[str], upto: int) -> set[str]:
    """The reports of which a section is in a pool, or was when a run was made."""
    found = m.Section.objects.filter(version__report__in=[int(each) for each in reports])
    rows = list(found.values_list("id", "version__report", "pool"))
    moved = [pools_of_sections(seq) for seq in (upto, ledger.head().seq)]
    return {
        str(report) for section, report, own in rows
        if pool == own or any(pool == each.get(section) for each in moved)
    }  # fmt: skip
