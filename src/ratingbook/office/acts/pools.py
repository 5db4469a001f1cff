"""Pools as they were: what facts up to one make of their rules and policies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from ratingbook.office.store import models as m

_KINDS = ("pool", "policy", "rules", "parameters")


def pool_as_known(number: int, upto: int) -> m.Pool:
    """A pool with the rules and policies that it had at a fact; not to be saved."""
    return m.Pool(id=number, **said_of_pools(upto, number)[number])


def said_of_pools(upto: int | None = None, number: int | None = None) -> dict[int, dict[str, Any]]:
    """What the facts make of each pool, or of one; as known at a fact."""
    rows = m.FactSubject.objects.filter(kind="pool", fact__kind__in=_KINDS)
    if upto is not None:
        rows = rows.filter(fact__lte=upto)
    if number is not None:
        rows = rows.filter(subject=str(number))
    found: dict[int, list[tuple[str, Mapping[str, Any]]]] = defaultdict(list)
    for subject, kind, payload in rows.order_by("fact").values_list(
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
            found |= {key: said[key] for key in ("rulebook", "parameters")}
        elif kind == "parameters":
            kept = {**found["parameters"], **said.get("parameters", {})}
            found["parameters"] = {key: value for key, value in kept.items() if value is not None}
            if "assume" in said:
                found["policies"] = {**found["policies"], "assume": said["assume"]}
    return found
