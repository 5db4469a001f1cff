"""Somebody who fits an entry far better than the person that it is said to be: it is told."""

from __future__ import annotations

from typing import NamedTuple

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.identify import matches_of
from ratingbook.office.acts.people import Register, names_of, one_with
from ratingbook.office.acts.published import ratings_now
from ratingbook.office.intake import EntryRow
from ratingbook.office.logic.matching import CERTAIN_NAME, ID_NEEDS_NAME, name_score
from ratingbook.office.logic.names import form
from ratingbook.office.logic.rounding import of_hundred
from ratingbook.office.store import models as m


class Likelier(NamedTuple):
    """A person whom an entry may be, and with how many points."""

    person: int
    name: str
    score: float


def likelier(entry: m.Entry, person: int) -> Likelier | None:
    """Who is about certain to be an entry, where it is not called about as a person is.

    It is asked before anything is said of the entry: what is said is remembered as a spelling.
    """
    names = m.PersonName.objects.filter(person__in=one_with(person), revoked_by__isnull=True)
    own = form(entry.name)
    if any(
        name_score(own, form(each)) >= ID_NEEDS_NAME
        for each in names.values_list("text", flat=True)
    ):
        return None
    years = m.EntryPrivate.objects.filter(entry=entry).values_list("birth_year", flat=True)
    row = EntryRow(entry.number, entry.name, entry.printed, None, years.first())
    pools = m.Section.objects.filter(version=entry.version_id, pool__isnull=False)
    register = Register(ratings_now(pools.order_by("pool").values_list("pool", flat=True).first()))
    found = matches_of([[row]], register).matches[0][entry.number].candidates
    best = max(found, key=lambda each: each.score, default=None)
    if best is None or best.score < CERTAIN_NAME or best.person == person:
        return None
    return Likelier(best.person, register.names.get(best.person, ""), best.score)


def tell_likelier(findings: Findings, entry: m.Entry, person: int, other: Likelier) -> None:
    """Tell that an entry was said to be a person though another one is far likelier."""
    findings.add(
        Severity.WARNING,
        "office.likelier",
        sentence(
            "Entry {entry}, {name}, is hardly called as {person_name} ({person}); {other_name} "
            "({other}) fits with {score} of 100 points.",
            entry=entry.number, name=entry.name,
            person=person, person_name=names_of([person]).get(person, ""),
            other=other.person, other_name=other.name, score=of_hundred(other.score),
        ),
        remedy=sentence(
            "If it was a slip, take it back: `ratingbook office undo FACT --entry ENTRY "
            "--reason …`."
        ),
    )  # fmt: skip
