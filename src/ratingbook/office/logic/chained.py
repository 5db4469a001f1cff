"""The chain of facts as a bundle has it: whole facts, facts in part, or a hash for all before.

What is said of persons is left out: who acted and why, and whom it was about.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ratingbook.office.logic.chain import FIRST, canonical, fact_hash, in_part, part_hash

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
    said: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """By kind, what facts say, as far as it is shown."""

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
    """The facts, each of which is what its hash was made of; else :class:`Broken`."""
    found = Chained()
    try:
        for line in data.decode().splitlines():
            _follow(found, json.loads(line))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Broken(f"facts.jsonl cannot be read: {error}.") from None
    return found


def _follow(found: Chained, fact: dict[str, Any]) -> None:
    if found.end == FIRST and fact.keys() == {"hash"}:
        found.end = fact["hash"]
        return
    if found.is_hash_alone:
        found.by_hash = fact["seq"] - 1
    says: Any
    if "parts" in fact:
        made = part_hash(found.end, fact)
        _, [says] = fact["shown"].get("says", ("", [{}]))
        found.in_part += 1
    else:
        made = fact_hash(found.end, fact) if fact["prev"] == found.end else None
        says = fact["payload"]
        found.whole += 1
    if made != fact["hash"] or fact["seq"] != found.count:
        raise Broken(f"Fact {fact['seq']} is not what its hash was made of.")
    found.end, found.last = fact["hash"], fact["kind"]
    if says:
        found.said.setdefault(fact["kind"], []).append(says)
