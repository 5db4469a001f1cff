"""What published runs were fed of events and games, where more is known by now.

An event whose correction went on a next list stays rated as it was known before: its pages show
it so, since all numbers are those of that.  A correction that no published run has taken in yet is
shown by none of them either.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ratingbook.office.acts.amendments import ever_said_of_games, kept_of
from ratingbook.office.logic.feeding import DIFFERENCE, fixed
from ratingbook.office.store import models as m
from ratingbook.site.shown.kept import by_facts, is_any
from ratingbook.site.shown.pools import Published

PUT_ON_LISTS = m.Fact.objects.filter(kind=DIFFERENCE)
"""The facts by which corrections went on a next list."""


@by_facts(DIFFERENCE)
def put_on_lists() -> Sequence[m.Fact]:
    """These facts, the oldest first; they are few."""
    return list(PUT_ON_LISTS.order_by("seq")) if is_any(DIFFERENCE) else []


@by_facts(DIFFERENCE, "section fixed", "undone")
def _kept(upto: int) -> Mapping[int, int]:
    return kept_of(upto) if is_any(DIFFERENCE) else {}


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


_Said = tuple[int, int | None, Mapping[str, Any]]
"""By which fact something was said, by which it was revoked, and what it was."""


@by_facts("game fixed", "undone")
def _ever_said() -> Mapping[str, Sequence[_Said]]:
    """By stable key what was said of games otherwise than by their reports, in its order."""
    found: dict[str, list[_Said]] = {}
    if is_any_fixed():
        for fact, revoked, key, said in ever_said_of_games():
            found.setdefault(key, []).append((fact, revoked, said))
    return found


def is_any_fixed() -> bool:
    """Whether there was a correction of a game: most offices have none."""
    return is_any("game fixed")


class Fixes:
    """What corrections said of games; it is looked up once for all of them."""

    def __init__(self) -> None:
        self._said = _ever_said()

    def of(self, key: str, then: int) -> list[Mapping[str, Any]]:
        """What was said of a game and held at a fact, in its order."""
        return [
            said for fact, revoked, said in self._said.get(key, ())
            if fact <= then and (revoked is None or revoked > then)
        ]  # fmt: skip

    def now(self, key: str) -> list[Mapping[str, Any]]:
        """What was said of a game and holds."""
        return [said for _, revoked, said in self._said.get(key, ()) if revoked is None]

    def applied(self, row: Mapping[str, Any], key: str, then: int) -> dict[str, Any]:
        """A game as it was known at a fact."""
        found = dict(row)
        for said in self.of(key, then):
            found = fixed(found, said)
        return found
