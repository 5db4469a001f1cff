"""What published runs were fed of events and games, where more is known by now.

An event whose correction went on a next list stays rated as it was known before: its pages show
it so, since all numbers are those of that.  A correction that no published run has taken in yet is
shown by none of them either.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import connection

from ratingbook.office.acts.amendments import days_moved, ever_said_of_games, kept_of
from ratingbook.office.logic.feeding import DIFFERENCE
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import is_any
from ratingbook.site.shown.kept import by_facts
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


def holding(link: str, section: str, upto: str, kept: Mapping[int, int]) -> str:
    """The condition that a link of an entry held when a section was rated.

    ``link``, ``section`` and ``upto`` are what a query calls the one, the number of the other, and
    the fact up to which its run was fed.
    """
    then = _case(section, kept, upto)
    return f"({link}.fact <= {then} AND ({link}.revoked_by IS NULL OR {link}.revoked_by > {then}))"


@by_facts("section fixed", "undone")
def _moved(upto: int) -> Mapping[int, int]:
    return days_moved(upto) if is_any("section fixed") else {}


def moved_sections(pools: Collection[Published]) -> Mapping[int, int]:
    """The sections that corrections moved before they were rated, and by how many days."""
    found: dict[int, int] = {}
    for one in pools:
        found |= _moved(one.run.upto)
    return found


def moved(column: str, section: str, days: Mapping[int, int]) -> str:
    """A day in a query, as it was when the section was rated."""
    shifted = "({} + {})" if connection.vendor == "postgresql" else "DATE({}, '{:+d} days')"
    return _case(section, {n: shifted.format(column, by) for n, by in days.items()}, column)


def day_of_game(one: Published, section: str) -> str:
    """The day of a game in a query (``g``) that says which list takes it, by rules of such lists.

    ``section`` is what the query calls the number of the section.
    """
    day = moved('g."end"', section, moved_sections([one]))
    return f"CASE WHEN g.reported > {day} THEN g.reported ELSE {day} END" if one.by_report else day


def _case(section: str, of: Mapping[int, object], otherwise: str) -> str:
    """What stands in a query of some sections, and of all others."""
    if not of:
        return otherwise
    cases = " ".join(f"WHEN {int(number)} THEN {of[number]}" for number in sorted(of))
    return f"CASE {section} {cases} ELSE {otherwise} END"


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
