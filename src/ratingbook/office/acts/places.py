"""Into which pools the sections of reports go."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from ratingbook.model import Event
from ratingbook.office.acts import identify, states
from ratingbook.office.acts.amendments import pools_of_sections
from ratingbook.office.acts.known import known_in
from ratingbook.office.acts.public import PublicRegister
from ratingbook.office.acts.published import with_first_days
from ratingbook.office.acts.same_event import reports_called
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.intake import SectionRow, Understood
from ratingbook.office.placing import elsewhere, event_of, own_pool, pools_of_event
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m


def pools_before(report: int) -> dict[str, int]:
    """In which pool each section of a report is, by its name; of an event in one pool also by "".

    A version that is held since it has no pool takes it from the version that counts.
    """
    moved = pools_of_sections(ledger.head().seq)
    for version in (states.compared(report), states.that_counts(report)):
        sections = m.Section.objects.filter(version=version)
        pools = {
            name: pool
            for number, name, own in sections.values_list("id", "name", "pool")
            if (pool := moved.get(number, own)) is not None
        }
        if pools:
            only = set(pools.values())
            return {"": only.pop(), **pools} if len(only) == 1 else pools
    return {}


class Strangers(NamedTuple):
    """A section whose people the only pool that counts it does not know, and another one does."""

    section: str
    pool: str
    known_in: str
    known: int
    """How many are known there."""


class Places:
    """Into which pools the sections of reports go."""

    def __init__(self, given: m.Pool | None, every: Sequence[Any] | None = None) -> None:
        self.given = given
        """The pool that was said, or is the only one."""
        self.every = list(with_first_days(m.Pool.objects.all())) if every is None else every
        """All of them, with the first day of which each has published anything."""
        self._by_name = {each.name: each for each in self.every}
        self._register: PublicRegister | None = None
        self._people: dict[str, Mapping[str, int]] = {}
        """Who entries are, by the hash of their file and their number."""

    def of_sections(
        self, one: Understood, before: Mapping[str, int] = MappingProxyType({})
    ) -> list[m.Pool | None]:
        """The pool of each section, as far as it is known."""
        return [pool for pool, _strangers in self.placed(one, before)]

    def placed(
        self,
        one: Understood,
        before: Mapping[str, int] = MappingProxyType({}),
        asked: Collection[str] | None = None,
    ) -> list[tuple[m.Pool | None, Strangers | None]]:
        """The pool of each section: that which was given, or is named by the report.

        Else that in which it was ``before``, by the names of sections; else the only one whose
        rules count such an event as theirs, or the only one that rates the game of such a file.
        Where its people are strangers in the only one that counts it, it has none, and this is why.
        Where only some sections were ``asked`` about, the pool is given for these.
        """
        return [self._of_section(one, at, before, asked) for at in range(len(one.sections))]

    def _of_section(
        self, one: Understood, at: int, before: Mapping[str, int], asked: Collection[str] | None
    ) -> tuple[m.Pool | None, Strangers | None]:
        section = one.sections[at]
        is_given = self.given is not None and (asked is None or section.name in asked)
        was = before.get(section.name, before.get(""))
        named = self._by_name.get(section.facts.get("pool") or "")
        said = self.given if is_given else named if asked is None else None
        if said is not None:
            return said, None
        if was is not None:
            return m.Pool.objects.get(id=was), None
        counting = self.that_count(section, one.game)
        if len(counting) == 1:
            strangers = self._strangers(one, at, counting[0])
            return (counting[0], None) if strangers is None else (None, strangers)
        fits = counting or (self._that_rate(one.game) if one.game else [])
        return (fits[0] if len(fits) == 1 else None), None

    def _strangers(self, one: Understood, at: int, pool: m.Pool) -> Strangers | None:
        """Whether a pool knows none of the players whom one of another federation knows.

        That one rates such events, but for a word or a speed by which this is of another list:
        federations read different things, and so another one than was meant may be left.  Lists
        of one federation are not weighed so: who plays blitz for the first time is known by the
        standard list.
        """
        own = rules_of(pool).book()
        rivals = [
            each for each in self._that_rate(one.game)
            if (book := rules_of(each).book()).federation != own.federation
            and elsewhere(book, _event(one.sections[at], each)) is not None
        ]  # fmt: skip
        certain = self._certain(one) if rivals else {}
        people = {certain[number] for number in one.played[at] if number in certain}
        if not people or known_in(pool, people):
            return None
        known = {each.name: len(known_in(each, people)) for each in rivals}
        most = max(known, key=known.__getitem__)
        return (
            Strangers(one.sections[at].name, pool.name, most, known[most]) if known[most] else None
        )

    def _certain(self, one: Understood) -> Mapping[str, int]:
        """Who the entries of a report are by all that is public, whatever pool it is of.

        Its sender is told what comes of it.
        """
        if one.sha256 not in self._people:
            if self._register is None:
                self._register = PublicRegister({})
            matches = identify.matches_of([one.entries], self._register).matches[0]
            self._people[one.sha256] = {
                number: each.certain.person
                for number, each in matches.items() if each.certain is not None
            }  # fmt: skip
        return self._people[one.sha256]

    def of_report(self, one: Understood, version_of: int | None) -> int | None:
        """The pool by whose ratings the people of a report are looked for, as the desk does."""
        if self.given is not None:
            return self.given.id
        report = version_of or next(iter(reports_called(one.key)), None)
        was = pools_before(report) if report is not None else {}
        found = self.of_sections(one, was)
        return min((each.id for each in found if each is not None), default=None)

    def that_count(self, section: SectionRow, game: str | None) -> list[m.Pool]:
        """The pools whose rule books tell by what is said of an event that it is of theirs."""
        return [each for each in self._that_rate(game) if _counts(each, section)]

    def _that_rate(self, game: str | None) -> list[m.Pool]:
        """The pools whose rule books do not refuse a file of a game."""
        return [each for each in self.every if rules_of(each).rates_game(game)]


def _counts(pool: m.Pool, section: SectionRow) -> bool:
    book = rules_of(pool).book()
    return own_pool(book) in (pools_of_event(book, _event(section, pool)) or ())


def _event(section: SectionRow, pool: m.Pool) -> Event:
    return event_of(section.facts, section.end, pool.name)
