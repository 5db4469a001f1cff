"""The calendar of the pools: the next list, what is missing for it, and who is late."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import F, OuterRef, Subquery

from ratingbook.model import Findings
from ratingbook.model.sentences import sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import beside_kept, pools_of_sections
from ratingbook.office.acts.setup import pool_named, rules_of
from ratingbook.office.acts.siblings import reread
from ratingbook.office.engine.lists import list_that_takes, next_list
from ratingbook.office.home import current
from ratingbook.office.limits import NAME, refuse_controls, refuse_long
from ratingbook.office.logic.stable import slug
from ratingbook.office.refused import refuse
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who, acting, check_may
from ratingbook.rules.wording import either

DUE_DAYS = 7
"""Days after its end in which a report is due, where nobody says otherwise."""
_MOST_DUE_DAYS = 3650
_LAST_YEAR = 2199
"""Of days that reports may name."""


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
    rulebook: str
    reread: tuple[str, ...]
    """Pools of which it has read what is otherwise by now: a new run says what follows from it."""
    takes: date | None
    """The list that takes what ends on the day; a revision, where it is published already."""


def expect(one: Expected, who: Who) -> tuple[int, Findings]:
    """Announce an event; gives the fact."""
    check_may(who, "receive")
    if not one.name.strip():
        raise refuse(
            "office.name",
            sentence("The event has no name."),
            sentence("Give it the name of its report."),
        )
    refuse_long(one.name, NAME, sentence("The name"))
    refuse_long(one.sender, NAME, sentence("The name of the sender"))
    refuse_controls(one.name, sentence("The name"))
    refuse_controls(one.sender, sentence("The name of the sender"))
    if not 0 <= one.due_days <= _MOST_DUE_DAYS or one.end.year > _LAST_YEAR:
        raise refuse(
            "office.due",
            either(
                one.due_days,
                "A report of an event that ends on {end} cannot be due {count} day after it.",
                "A report of an event that ends on {end} cannot be due {count} days after it.",
                end=one.end,
            ),
            sentence(
                "Give from 0 to {most} days, and an end up to {year}.",
                most=_MOST_DUE_DAYS,
                year=_LAST_YEAR,
            ),
        )
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
    published = m.Publication.objects.filter(pool=OuterRef("id"), fact__lte=last).order_by("-seq")
    listed = m.List.objects.filter(pool=OuterRef("id"), fact__lte=last).order_by("-date")
    pools: Any = m.Pool.objects.filter(made_by__lte=last).annotate(
        head_run=Subquery(published.values("run")[:1]),
        until=Subquery(published.values("run__until")[:1]),
        listed=Subquery(listed.values("date")[:1]),
    )  # fmt: skip
    every = list(pools.order_by("id"))
    rated: dict[int, set[int]] = {}
    runs = m.RunSection.objects.filter(run__in=[each.head_run for each in every if each.head_run])
    for run, section in runs.values_list("run", "section"):
        rated.setdefault(run, set()).add(section)
    moved, beside = pools_of_sections(last), beside_kept(last)
    steps = m.SectionStep.objects.filter(section=OuterRef("id"), fact__lte=last).order_by("-fact")
    sections: dict[int, list[Any]] = {}
    came: dict[int, set[tuple[str, date | None]]] = {}
    known: Any = m.Section.objects.filter(version__fact__lte=last).annotate(
        state=Subquery(steps.values("state")[:1]), report=F("version__report")
    )
    for one in known.order_by("id"):
        if one.state:
            sections.setdefault(moved.get(one.id, one.pool), []).append(one)
        came.setdefault(one.pool, set()).add((slug(str(one.facts.get("name", ""))), one.end))
    announced: dict[str, list[m.Fact]] = {}
    facts: Any = m.Fact.objects.filter(
        kind="expected", seq__lte=last, factsubject__kind="pool"
    ).annotate(whose=F("factsubject__subject"))
    for fact in facts.order_by("true_from", "seq"):
        announced.setdefault(fact.whose, []).append(fact)
    return [
        PoolCalendar(
            pool=pool.name, published_until=pool.until, last_list=pool.listed,
            next_list=next_list(rules_of(pool), today, pool.listed),
            ready=sum(
                s.state == states.READY and s.id not in beside
                and s.id not in rated.get(pool.head_run, ())
                for s in sections.get(pool.id, ())
            ),
            open=tuple(
                {"report": s.report, "section": s.name, "event": s.event, "end": s.end,
                 "state": s.state, "name": str(s.facts.get("name") or s.event)}
                for s in sections.get(pool.id, ()) if s.state in (states.CHECKED, states.HELD)
            ),
            missing=tuple(
                _missing(pool, today, came.get(pool.id, set()), announced.get(str(pool.id), ()))
            ),
            rulebook=pool.rulebook,
            reread=tuple(each.pool for each in reread(current(), pool, last)),
            takes=list_that_takes(rules_of(pool), today),
        )
        for pool in every
    ]  # fmt: skip


def _missing(
    pool: m.Pool, today: date, came: Set[tuple[str, date | None]], announced: Iterable[m.Fact]
) -> list[dict[str, Any]]:
    """What is announced and has not come; who is late is said with the days."""
    found = []
    for fact in announced:
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
