"""What published runs were fed of events and games, where more is known by now.

An event whose correction went on a next list stays rated as it was known before: its pages show
it so, since all numbers are those of that.  A correction that no published run has taken in yet is
shown by none of them either.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ratingbook.office.acts.amendments import kept_of
from ratingbook.office.logic.feeding import DIFFERENCE, fixed
from ratingbook.office.store import models as m
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.pools import Published

PUT_ON_LISTS = m.Fact.objects.filter(kind=DIFFERENCE)
"""The facts by which corrections went on a next list."""


@by_ledger
def put_on_lists() -> Sequence[m.Fact]:
    """These facts, the oldest first; they are few."""
    return list(PUT_ON_LISTS.order_by("seq"))


@by_ledger
def _kept(upto: int) -> Mapping[int, int]:
    return kept_of(upto) if put_on_lists() else {}


def kept_sections(pools: Collection[Published]) -> Mapping[int, int]:
    """The sections that stay rated as they were known at an earlier fact, and at which."""
    found: dict[int, int] = {}
    for one in pools:
        found |= _kept(one.run.upto)
    return found


def holding(link: str, section: str, kept: Mapping[int, int]) -> str:
    """The condition that a link of an entry holds, or held when a section was rated that is kept.

    ``link`` and ``section`` are what a query calls the one and the number of the other.
    """
    now = f"{link}.revoked_by IS NULL"
    if not kept:
        return now
    some = [f"({now} AND {section} NOT IN ({_numbers(kept)}))"]
    for then in sorted(set(kept.values())):
        own = _numbers(each for each in kept if kept[each] == then)
        held = f"({now} OR {link}.revoked_by > {then})"
        some.append(f"({section} IN ({own}) AND {link}.fact <= {then} AND {held})")
    return f"({' OR '.join(some)})"


def _numbers(values: Any) -> str:
    return ", ".join(str(int(each)) for each in sorted(values))


@by_ledger
def _games_ever_fixed() -> frozenset[str]:
    """The stable keys of games of which something else was said than by their reports; few are."""
    return frozenset(m.GameFix.objects.values_list("stable_key", flat=True))


def is_any_fixed() -> bool:
    """Whether there was a correction of a game: most offices have none."""
    return bool(_games_ever_fixed())


class Fixes:
    """What corrections say of some games."""

    def __init__(self, keys: Collection[str]) -> None:
        self._said: dict[str, list[tuple[int, int | None, Mapping[str, Any]]]] = {}
        if some := _games_ever_fixed().intersection(keys):
            rows = m.GameFix.objects.filter(stable_key__in=some).order_by("fact", "id")
            for key, *said in rows.values_list("stable_key", "fact", "revoked_by", "said"):
                self._said.setdefault(key, []).append((said[0], said[1], said[2]))

    def of(self, key: str, then: int) -> list[Mapping[str, Any]]:
        """What was said of a game and held at a fact, in its order."""
        return [
            said for fact, revoked, said in self._said.get(key, ())
            if fact <= then and (revoked is None or revoked > then)
        ]  # fmt: skip

    def applied(self, row: Mapping[str, Any], key: str, then: int) -> dict[str, Any]:
        """A game as it was known at a fact."""
        found = dict(row)
        for said in self.of(key, then):
            found = fixed(found, said)
        return found
