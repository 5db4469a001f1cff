"""The calendar of the pools: the next list, what is missing for it, and who is late."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from ratingbook.model import Findings
from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import sections_in
from ratingbook.office.acts.setup import pool_named, rules_of
from ratingbook.office.engine import list_that_takes
from ratingbook.office.logic.stable import slug
from ratingbook.office.refused import refuse
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who, acting, check_may

DUE_DAYS = 7
"""Days after its end in which a report is due, where nobody says otherwise."""


@dataclass(frozen=True)
class Expected:
    """An event of which a report is expected."""

    name: str
    end: date
    pool: str
    sender: str = ""
    due_days: int = DUE_DAYS

    @property
    def due(self) -> date:
        """The last day for the report."""
        return self.end + timedelta(days=self.due_days)


@dataclass(frozen=True)
class PoolCalendar:
    """Where a pool stands on a day."""

    pool: str
    published_until: date | None
    last_list: date | None
    next_list: date | None
    """None: the rule book rates events as they come."""
    ready: int
    """Sections that the next run rates for the first time."""
    open: tuple[dict[str, Any], ...]
    """Sections that have come and are not ready."""
    missing: tuple[dict[str, Any], ...]
    """Events that are announced and not received."""


def expect(one: Expected, who: Who) -> tuple[int, Findings]:
    """Announce an event; gives the fact."""
    check_may(who, "receive")
    if not one.name.strip():
        raise refuse("office.name", "The event has no name.", "Give it the name of its report.")
    pool = pool_named(one.pool)
    with acting(who) as act:
        fact = act.fact(
            "expected", ("pool", pool.id), true_from=one.end,
            payload={"name": one.name, "end": one.end.isoformat(), "sender": one.sender,
                     "due_days": one.due_days},
        )  # fmt: skip
    return fact, act.findings


def calendar(today: date, upto: int | None = None) -> list[PoolCalendar]:
    """Each pool's next list, what is missing for it, and who is late; as known at a fact."""
    last = ledger.head().seq if upto is None else upto
    now = states.states(upto=last)
    found = []
    for pool in m.Pool.objects.filter(made_by__lte=last).order_by("id"):
        publication = (
            m.Publication.objects.filter(pool=pool, fact__lte=last).order_by("-seq").first()
        )
        listed = m.List.objects.filter(pool=pool, fact__lte=last).order_by("-date").first()
        rated = set(
            m.RunSection.objects.filter(run=publication.run_id).values_list("section", flat=True)
            if publication
            else ()
        )
        own = sections_in(pool.id, last) & now.keys()
        sections = [s for s in m.Section.objects.order_by("id").select_related("version")
                    if s.id in own]  # fmt: skip
        waiting = [s for s in sections if now[s.id] in (states.CHECKED, states.HELD)]
        found.append(
            PoolCalendar(
                pool.name,
                publication.run.until if publication else None,
                listed.date if listed else None,
                list_that_takes(rules_of(pool), today),
                sum(now[s.id] == states.READY and s.id not in rated for s in sections),
                tuple(
                    {"report": s.version.report_id, "section": s.name, "event": s.event,
                     "end": s.end, "state": now[s.id]}
                    for s in waiting
                ),
                tuple(_missing(pool, today, last)),
            )
        )  # fmt: skip
    return found


def _missing(pool: m.Pool, today: date, upto: int) -> list[dict[str, Any]]:
    """What is announced and has not come; who is late is said with the days."""
    came = {
        (slug(str(facts.get("name", ""))), end)
        for facts, end in m.Section.objects.filter(
            pool=pool.id, version__fact__lte=upto
        ).values_list("facts", "end")
    }
    found = []
    facts = m.Fact.objects.filter(
        kind="expected", seq__lte=upto, factsubject__kind="pool", factsubject__subject=str(pool.id)
    )
    for fact in facts.order_by("true_from", "seq"):
        said = fact.payload
        one = Expected(
            said["name"], date.fromisoformat(said["end"]), pool.name, said["sender"],
            said["due_days"],
        )  # fmt: skip
        if (slug(one.name), one.end) not in came and one.end <= today:
            found.append(
                {"fact": fact.seq, "name": one.name, "end": one.end, "sender": one.sender,
                 "due": one.due, "days_late": max(0, (today - one.due).days)}
            )  # fmt: skip
    return found
