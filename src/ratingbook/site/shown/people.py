"""Persons as officers see them: who there is, what is said of each, and the facts about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ratingbook.office.acts.masking import mask, reason_of
from ratingbook.office.acts.people import events_of
from ratingbook.office.acts.registry import show, suppressed
from ratingbook.office.acts.searching import search_some
from ratingbook.site.shown.desk import Decided, decided_of, links_said
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.persons import not_public
from ratingbook.site.templatetags.written import of_register

MOST = 50
"""Persons of a search that a page shows."""


@dataclass(frozen=True)
class Line:
    """A person in a search."""

    person: int
    name: str
    numbers: str
    federation: str
    events: int
    merged_into: int | None


@dataclass(frozen=True)
class People:
    """Those whom a search has found."""

    lines: tuple[Line, ...]
    total: int


@by_ledger
def people(query: str) -> People:
    """Persons by a name or a number; without either the first ones."""
    found, total = search_some(query, MOST)
    events = events_of([each.person for each in found])
    lines = tuple(
        Line(
            each.person, each.name, " · ".join(of_register(v, k) for k, v in each.ids.items()),
            each.attributes.get("federation", ""), events[each.person], each.merged_into,
        )
        for each in found
    )  # fmt: skip
    return People(lines, total)


@dataclass(frozen=True)
class PersonPage:
    """A person, and what was said and done of it."""

    said: Mapping[str, Any]
    numbers: tuple[str, ...]
    facts: tuple[Mapping[str, Any], ...]
    decided: tuple[Decided, ...]
    """What can be undone, or was."""
    is_suppressed: bool
    is_public: bool
    """Whether there is a page of the player that everybody sees."""


@by_ledger
def person(number: int) -> PersonPage:
    """All that officers see of a person; refused where there is none."""
    said, why = show(number), reason_of(mask())
    facts = [
        {**each, "says": links_said(each["links"]), "reason": why(each["kind"], each["reason"])}
        for each in said["facts"]
    ]
    return PersonPage(
        said,
        tuple(of_register(value, key) for key, value in said["ids"].items()),
        tuple(reversed(facts)),
        tuple(decided_of(number)),
        number in suppressed(),
        not not_public(frozenset([number])),
    )
