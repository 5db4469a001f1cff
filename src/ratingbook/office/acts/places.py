"""Into which pools the sections of reports go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import pools_of_sections
from ratingbook.office.acts.published import with_first_days
from ratingbook.office.acts.same_event import reports_called
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.intake import SectionRow, Understood
from ratingbook.office.placing import event_of, own_pool, pools_of_event
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


class Places:
    """Into which pools the sections of reports go."""

    def __init__(self, given: m.Pool | None, every: Sequence[Any] | None = None) -> None:
        self.given = given
        """The pool that was said, or is the only one."""
        self.every = list(with_first_days(m.Pool.objects.all())) if every is None else every
        """All of them, with the first day of which each has published anything."""
        self._by_name = {each.name: each for each in self.every}

    def of_sections(
        self, one: Understood, before: Mapping[str, int] = MappingProxyType({})
    ) -> list[m.Pool | None]:
        """The pool of each section: that which was given, or is named by the report.

        Else that in which it was ``before``, by the names of sections; else the only one whose
        rules count such an event as theirs, or the only one that rates the game of such a file.
        """
        return [self._of_section(each, one.game, before) for each in one.sections]

    def _of_section(
        self, section: SectionRow, game: str | None, before: Mapping[str, int]
    ) -> m.Pool | None:
        said = self.given or self._by_name.get(section.facts.get("pool") or "")
        if said is not None:
            return said
        was = before.get(section.name, before.get(""))
        if was is not None:
            return m.Pool.objects.get(id=was)
        fits = self.that_count(section, game) or (self._that_rate(game) if game else [])
        return fits[0] if len(fits) == 1 else None

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
    event = event_of(section.facts, section.end, pool.name)
    return own_pool(book) in (pools_of_event(book, event) or ())
