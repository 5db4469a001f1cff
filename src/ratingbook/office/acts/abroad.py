"""Games elsewhere: whom the rules of a pool update by them, as a list of another federation tells.

A list says who played how many games, and not with whom.  So nothing is rated from it: what is
missing is the report of an event, which an officer receives, or settles that none will come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import QuerySet

from ratingbook.model import Findings
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.imports import people_of
from ratingbook.office.acts.people import merges, names_of
from ratingbook.office.acts.sendings import ANSWERED, LIST, SENT, SETTLED, step
from ratingbook.office.acts.setup import pool_named, rules_of
from ratingbook.office.acts.states import ASIDE, states, versions_that_count
from ratingbook.office.engine.rules import abroad_of
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who, acting, check_may
from ratingbook.rules.book import Abroad

OPEN, REPORTED = "open", "reported"
_A_MONTH = timedelta(days=31)


@dataclass(frozen=True)
class Update:
    """A player of a list whom the rules of a pool update."""

    pool: str
    where: str
    """The paragraph that says so."""
    day: date
    """That of the list."""
    number: str
    """The number on the list."""
    name: str
    person: int | None
    """None: nobody here has that number."""
    played: int
    """Games in the period of the list."""
    own: int
    """Those of them in events of ours that were sent to where the list comes from."""
    reported: int
    """Those in events elsewhere of which a report has come."""
    state: str


def told_by(partner: str) -> dict[int, Abroad]:
    """The pools whose rules update players by lists of a partner, and whom."""
    found = {}
    for pool in m.Pool.objects.order_by("id"):
        about = abroad_of(rules_of(pool))
        if about is not None and about.register == partner:
            found[pool.id] = about
    return found


def pools() -> list[m.Pool]:
    """The pools whose rules update players for games that are not reported."""
    every = m.Pool.objects.order_by("id")
    return [each for each in every if abroad_of(rules_of(each)) is not None]


def numbers_of(partner: str) -> set[str]:
    """All numbers of a partner's that persons have here."""
    live = m.ExternalId.objects.filter(scheme=partner, revoked_by__isnull=True)
    return set(live.values_list("value", flat=True))


def updates(
    partner: str, day: date | None = None, names: Mapping[str, str] | None = None
) -> list[Update]:
    """Whom the lists of a partner tell to update, the oldest list first; or those of one day.

    ``names`` are those on the list, by number, for players who are not known here.
    """
    lists = _lists(partner)
    chosen = [each for each in sorted(lists) if day in (None, each)]
    found: list[Update] = []
    for number, about in told_by(partner).items():
        pool = m.Pool.objects.get(id=number)
        for each in chosen:
            told = dict(lists[each].get(about.federation, ()))
            since = max((other for other in lists if other < each), default=each - _A_MONTH)
            found += _of_list(pool, about, (since, each), told, names or {})
    return found


def _lists(partner: str) -> dict[date, dict[str, list[tuple[str, int]]]]:
    """By the day of a list who played for which federation, as its newest copy says."""
    steps = m.SendingStep.objects.filter(
        sending__direction="in", sending__partner=partner, sending__form=LIST
    ).order_by("fact")
    days = dict(steps.values_list("fact", "sending__subject"))
    facts = m.Fact.objects.filter(seq__in=list(days)).order_by("seq")
    return {
        date.fromisoformat(days[each.seq].partition(":")[2]): each.payload.get("played", {})
        for each in facts
    }


def _of_list(
    pool: m.Pool, about: Abroad, period: tuple[date, date], told: Mapping[str, int],
    names: Mapping[str, str],
) -> list[Update]:  # fmt: skip
    people = people_of(sorted(told), about.register)
    known = names_of(people.values())
    own = _games(_sent(about.register, period), people.values())
    reported = _games(_reported(pool, about.kind, period), people.values())
    settled = _settled(about.register)
    found = []
    for number, played in sorted(told.items()):
        person = people.get(number)
        here, elsewhere = own[person], reported[person]
        state = OPEN if here + elsewhere < played else REPORTED
        if _subject(pool, period[1], number) in settled:
            state = SETTLED
        name = known.get(person, "") if person else names.get(number, "")
        found.append(
            Update(
                pool=pool.name, where=about.where, day=period[1], number=number, name=name,
                person=person, played=played, own=here, reported=elsewhere, state=state,
            )
        )  # fmt: skip
    return found


def _sent(partner: str, period: tuple[date, date]) -> list[int]:
    """The sections of a period in reports that went to a partner."""
    steps = m.SendingStep.objects.filter(sending__direction="out", sending__partner=partner)
    now = dict(steps.order_by("fact").values_list("sending__subject", "state"))
    sent = [each for each, state in now.items() if state in (SENT, ANSWERED)]
    versions = versions_that_count(int(each.partition(":")[2]) for each in sent)
    return _within(m.Section.objects.filter(version__in=versions.values()), period)


def _reported(pool: m.Pool, kind: str, period: tuple[date, date]) -> list[int]:
    """The sections of a period that report games elsewhere."""
    own = m.Section.objects.filter(pool=pool.id)
    said = dict(own.values_list("id", "facts"))
    return [
        each for each in _within(own, period)
        if str(said[each].get("kind") or "").casefold() == kind
    ]  # fmt: skip


def _within(sections: QuerySet[m.Section], period: tuple[date, date]) -> list[int]:
    """Those that ended before the list, and not before the list before it; nothing put aside."""
    found = list(
        sections.filter(end__gte=period[0], end__lt=period[1]).values_list("id", flat=True)
    )
    now = states(found)
    return [each for each in found if now.get(each) not in ASIDE]


def _games(sections: Collection[int], people: Collection[int]) -> Counter[int | None]:
    """How many games persons played in sections."""
    merged = merges()
    live = m.Link.objects.filter(
        revoked_by__isnull=True, entry__version__in=m.Section.objects.filter(
            id__in=list(sections)).values("version"),
    )  # fmt: skip
    who = {entry: merged.get(p, p) for entry, p in live.values_list("entry", "person")}
    games = m.Game.objects.filter(section__in=list(sections), half_points__isnull=False)
    found: Counter[int | None] = Counter()
    for both in games.exclude(status="forfeit").values_list("white", "black"):
        found.update(who[each] for each in both if who.get(each) in people)
    return found


def _settled(partner: str) -> set[str]:
    steps = m.SendingStep.objects.filter(sending__partner=partner, state=SETTLED)
    return set(steps.values_list("sending__subject", flat=True))


def _subject(pool: m.Pool, day: date, number: str) -> str:
    return f"update:{pool.id}/{day.isoformat()}/{number}"


def of_pool(name: str) -> list[Update]:
    """Whom the rules of a pool update, by all lists that have come."""
    pool = pool_named(name)
    about = abroad_of(rules_of(pool))
    if about is None:
        raise refuse(
            "office.no-abroad",
            sentence(
                "The rules of the pool {name} update nobody for games that are not reported.",
                name=name,
            ),
            sentence("US Chess does so, with FIDE's lists, in its regular system."),
        )
    return [each for each in updates(about.register) if each.pool == pool.name]


def overdue(partner: str, pool: m.Pool, days: int, today: date) -> list[Update]:
    """Those of a pool who are open longer than the days in which a list is waited for."""
    return [
        each for each in updates(partner)
        if each.pool == pool.name and each.state == OPEN
        and today - each.day > timedelta(days)
    ]  # fmt: skip


def settle(name: str, day: date, number: str, reason: str, who: Who) -> Findings:
    """Decide that no report of a player's games will come."""
    check_may(who, "send")
    if not reason.strip():
        raise refuse("office.reason", sentence("It needs a reason."), "Give one with --reason.")
    one = next((x for x in of_pool(name) if (x.day, x.number) == (day, number)), None)
    if one is None or one.state != OPEN:
        raise refuse(
            "office.no-update",
            sentence(
                "Nothing of the number {number} on the list of {day} is open in the pool {name}.",
                number=number,
                day=day,
                name=name,
            ),
            f"`ratingbook office abroad --pool {name}` shows what is.",
        )
    pool = pool_named(name)
    about = abroad_of(rules_of(pool))
    assert about is not None
    with acting(who) as act:
        step(act, "in", about.register, "update", _subject(pool, day, number), SETTLED,
             reason=reason)  # fmt: skip
    return act.findings
