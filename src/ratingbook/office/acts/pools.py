"""Pools as they stand, and as they were: what facts up to one make of their rules and policies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Exists, OuterRef, Subquery, Value

from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import once

_KINDS = ("pool", "policy", "rules", "parameters")


@dataclass(frozen=True)
class PoolNow:
    """A pool as it stands."""

    pool: m.Pool
    until: date | None
    """Up to which day it is published; None: nothing of it is."""
    ratings: str | None
    """The file of the published ratings."""
    listed: date | None
    """The day of its newest list."""
    draft: int | None
    """The run that waits for approval."""


@dataclass(frozen=True)
class OfficeNow:
    """What the desk asks first: the pools as they stand, and what is of none of them."""

    pools: tuple[PoolNow, ...]
    jobs: int
    """How many wait, or are at work."""
    expects_reports: bool
    """Whether it is said of any event that its report is to come."""


def office_now() -> OfficeNow:
    """The office as it stands, read by one query, and once in a moment."""
    return once("office as it stands", _office_now)


def _office_now() -> OfficeNow:
    heads = m.Publication.objects.filter(pool=OuterRef("id"), seq=OuterRef("head"))
    drafts = m.Run.objects.filter(pool=OuterRef("id"), state="checked").order_by("-id")
    lists = m.List.objects.filter(pool=OuterRef("id")).order_by("-date")
    open_ = m.Job.objects.filter(state__in=("waiting", "running"))
    together = open_.order_by().annotate(all=Value(1)).values("all").annotate(n=Count("id"))
    # What is of no pool stands beside each of them, so that it takes no query of its own.
    rows: Any = m.Pool.objects.order_by("id").annotate(
        until=Subquery(heads.values("run__until")[:1]),
        ratings=Subquery(heads.values("run__ratings")[:1]),
        listed=Subquery(lists.values("date")[:1]),
        draft=Subquery(drafts.values("id")[:1]),
        expects=Exists(m.Fact.objects.filter(kind="expected")),
        jobs=Subquery(together.values("n")),
    )
    pools = tuple(PoolNow(x, x.until, x.ratings, x.listed, x.draft) for x in rows)
    jobs = (rows[0].jobs or 0) if pools else open_.count()
    return OfficeNow(pools, jobs, any(each.expects for each in rows))


def pool_as_known(number: int, upto: int) -> m.Pool:
    """A pool with the rules and policies that it had at a fact; not to be saved."""
    return m.Pool(id=number, **said_of_pools(upto, number)[number])


def said_of_pools(
    upto: int | None = None, number: int | None = None, without: Collection[int] = ()
) -> dict[int, dict[str, Any]]:
    """What the facts make of each pool, or of one; as known at a fact.

    ``without`` are facts that do not count, as those do not that another one has undone.
    """
    undone = m.Fact.objects.filter(revokes=OuterRef("fact"))
    rows = m.FactSubject.objects.filter(kind="pool", fact__kind__in=_KINDS)
    if upto is not None:
        rows, undone = rows.filter(fact__lte=upto), undone.filter(seq__lte=upto)
    if number is not None:
        rows = rows.filter(subject=str(number))
    found: dict[int, list[tuple[str, Mapping[str, Any]]]] = defaultdict(list)
    held = rows.filter(~Exists(undone)).exclude(fact__in=list(without))
    for subject, kind, payload in held.order_by("fact").values_list(
        "subject", "fact__kind", "fact__payload"
    ):
        found[int(subject)].append((kind, payload))
    return {pool: _made_of(said) for pool, said in found.items()}


def _made_of(facts: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """What facts about a pool make of it, one after the other."""
    found: dict[str, Any] = {}
    for kind, said in facts:
        if kind == "pool":
            found = {key: said[key] for key in ("name", "rulebook", "parameters", "policies")}
        elif kind == "policy":
            found["policies"] = {**found["policies"], **said}
        elif kind == "rules":
            found |= {"rulebook": said["rulebook"], "parameters": _reformed(found, said)}
        elif kind == "parameters":
            kept = {**found["parameters"], **said.get("parameters", {})}
            found["parameters"] = {key: value for key, value in kept.items() if value is not None}
            if "assume" in said:
                found["policies"] = {**found["policies"], "assume": said["assume"]}
    return found


def _reformed(found: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters after a reform: within a rule book it says some, and the others stay.

    One that a correction had set, and that was kept, goes once that is taken back.
    """
    before = said.get("before", {})
    if before.get("rulebook") != said["rulebook"]:
        return dict(said["parameters"])
    was = before["parameters"]
    own = {key: value for key, value in said["parameters"].items() if was.get(key) != value}
    return {**found["parameters"], **own}


def otherwise_set(was: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """What sets a pool that facts made so to what others make of it: as a correction says it.

    A parameter is None that is as the edition has it; ``assume`` is there if it is another one.
    """
    both = (was["parameters"], now["parameters"])
    names = [key for key in (*both[1], *(k for k in both[0] if k not in both[1]))
             if both[0].get(key) != both[1].get(key)]  # fmt: skip
    found: dict[str, Any] = {"parameters": {key: both[1].get(key) for key in names}}
    before, assume = (each["policies"].get("assume") for each in (was, now))
    return found if before == assume else {**found, "assume": assume}
