"""The chain of facts as a bundle has it: whole facts, facts in part, or a hash for all before.

What is said of persons is left out: who acted and why, and whom it was about.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ratingbook.office.logic.chain import (
    ALWAYS,
    FIRST,
    HASHED,
    canonical,
    fact_hash,
    in_part,
    part_hash,
)
from ratingbook.office.logic.manifest import is_hash

SHOWN: Mapping[str, tuple[str, ...]] = dict.fromkeys(
    ("received", "approved", "published", "list", "correction published"), ("about", "says")
)
"""By kind, the parts of a fact that anybody may see: numbers and hashes.

Payloads of others name persons, or entries, which are called by their names in many files.
"""


def lines(facts: Iterable[Mapping[str, Any]], *, whole: bool) -> list[bytes]:
    """The chain as a bundle has it, a line each.

    In part it begins with the hash of the last fact without a salt, which the next one covers:
    of such a fact nothing can be left out, and all of them have an actor.
    """
    found: list[bytes] = []
    for fact in facts:
        if whole:
            found.append(canonical(fact))
        elif fact["salt"] is None:
            found = [canonical({"hash": fact["hash"]})]
        else:
            found.append(canonical(in_part(fact, SHOWN.get(fact["kind"], ()))))
    return found


class Broken(Exception):
    """Why facts are no chain."""


@dataclass
class Chained:
    """The facts of a bundle that hang together."""

    by_hash: int = 0
    """Facts at the beginning for which the hash of their last one stands: as many as the fact
    after it says that there are, so none are counted where there is no other."""
    in_part: int = 0
    whole: int = 0
    end: str = FIRST
    last: str = ""
    """The kind of the last fact; empty: it is given by its hash alone."""
    about: list[list[str]] = field(default_factory=list)
    """The subjects of the last fact."""
    commit: str | None = None
    """What the last fact commits to that is private; None: it is not shown, or has nothing."""
    said: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """By kind, what facts say, as far as it is shown."""
    pools: dict[str, str] = field(default_factory=dict)
    """The names of pools by their numbers, where the facts that say them are shown."""

    @property
    def is_hash_alone(self) -> bool:
        """Whether no fact is there at all, only the hash of the last one."""
        return not self.last and self.end != FIRST

    @property
    def count(self) -> int:
        """How many facts there are."""
        return self.by_hash + self.in_part + self.whole

    def newest(self, kind: str) -> dict[str, Any]:
        """What the newest fact of a kind says; empty: nothing of it is shown."""
        return self.said.get(kind, [{}])[-1]


def followed(data: bytes) -> Chained:
    """The facts, each of which is what its hash was made of; else :class:`Broken`.

    A line ends where its byte says so: a text may hold what else separates lines.
    """
    found = Chained()
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        if not line and not data:
            break
        try:
            fact = json.loads(line)
            if not isinstance(fact, dict) or canonical(fact) != line:
                raise Broken(f"Line {number} of facts.jsonl is no fact as an office writes them.")
            _follow(found, fact)
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
            raise Broken(f"Line {number} of facts.jsonl is no fact.") from None
    return found


_IN_PART = frozenset((*ALWAYS, "hash", "parts", "shown"))
_WHOLE = frozenset((*HASHED, "hash", "prev"))


def _follow(found: Chained, fact: dict[str, Any]) -> None:
    if found.end == FIRST and fact.keys() == {"hash"} and is_hash(fact["hash"]):
        if fact["hash"] == FIRST:
            raise Broken("The facts begin with the hash of none.")
        found.end = fact["hash"]
        return
    number = fact["seq"]
    if found.is_hash_alone:
        found.by_hash = number - 1
    says: Any
    if "parts" in fact:
        made, shown = part_hash(found.end, fact), fact["shown"]
        is_known = fact.keys() == _IN_PART
        # What says nothing has no commitment, and nothing else may be kept back.
        for part in SHOWN.get(fact["kind"], ()):
            if part in fact["parts"] and part not in shown:
                raise Broken(f"Fact {number}, “{fact['kind']}”, keeps to itself what all may see.")
        _, [says] = shown.get("says", ("", [{}]))
        _, [about] = shown.get("about", ("", [[]]))
        found.in_part += 1
    else:
        made = fact_hash(found.end, fact) if fact["prev"] == found.end else None
        is_known = fact.keys() - {"salt"} == _WHOLE
        says, about = fact["payload"], fact["subjects"]
        found.whole += 1
    if made != fact["hash"] or number != found.count:
        raise Broken(f"Fact {number} is not what its hash was made of.")
    if not is_known:
        raise Broken(f"Fact {number} holds something that its hash does not cover.")
    found.end, found.last, found.about = fact["hash"], fact["kind"], about
    found.commit = fact["private_commit"]
    if says:
        found.said.setdefault(fact["kind"], []).append(says)
    if fact["kind"] == "pool" and says:
        found.pools |= {each: says["name"] for kind, each in about if kind == "pool"}
