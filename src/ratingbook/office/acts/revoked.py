"""Which rows facts have revoked, said by the facts again: a row beside them is told.

A row is revoked by the first later fact that takes it back: one that undoes its own, links its
entry anew, says the same of its person anew, or suppresses the person.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ratingbook.model.sentences import sentence
from ratingbook.office.acts.derived import Facts
from ratingbook.office.acts.sweeping import suppressed_by_facts
from ratingbook.office.acts.undoing import UNDONE
from ratingbook.office.logic.masked import SUPPRESSED
from ratingbook.office.store import models as m

_EDITED = "person edited"
_OF_PERSONS = (
    (m.PersonName, "kind"), (m.ExternalId, "scheme"), (m.PersonAttribute, "key"),
)  # fmt: skip
"""What is said of persons, and by which column something is said anew."""


def looked_at(facts: Facts) -> Iterator[str]:
    """The rows that are revoked by another fact than those say, or not at all."""
    undone = _Undone(facts)
    yield from _told(_links(undone))
    for model in (m.Decision, m.PersonRelation, m.GameFix, m.SectionFix):
        rows = model._default_manager.order_by("fact").values_list("fact", "revoked_by")
        yield from _told((fact, by, undone.of(model, fact)) for fact, by in rows.distinct())
    yield from _told(_persons(facts, undone))
    yield from _files()


def _told(rows: Iterable[tuple[int, int | None, int | None]]) -> Iterator[str]:
    """What is said of rows of a fact, by what they are revoked, and by what they should be."""
    told = set()
    for row in rows:
        fact, by, wanted = row
        if by == wanted or row in told:
            continue
        told.add(row)
        if by is None:
            yield sentence(
                "a row of fact {fact} still holds, though fact {by} revokes it",
                fact=fact, by=wanted,
            )  # fmt: skip
        else:
            yield sentence(
                "a row of fact {fact} is revoked by {by}, which cannot be", fact=fact, by=by
            )


class _Undone:
    """Which facts were undone, and by which first."""

    def __init__(self, facts: Facts) -> None:
        self._kinds = {seq: each.kind for seq, each in facts.all.items()}
        self._whole: dict[int, int] = {}
        self._entries: dict[tuple[int, str], int] = {}
        for each in facts.of("undone"):
            fact = each.payload["fact"]
            if "entries" in each.payload:
                for number in each.payload["entries"]:
                    self._entries.setdefault((fact, number), each.seq)
            else:
                self._whole.setdefault(fact, each.seq)

    def of(self, model: Any, fact: int, entry: str = "") -> int | None:
        """The fact that has undone the rows of another one, or that of an entry."""
        if model not in UNDONE.get(self._kinds.get(fact, ""), ()):
            return None
        return _first(self._whole.get(fact), self._entries.get((fact, entry)))


def _first(*facts: int | None) -> int | None:
    return min((each for each in facts if each is not None), default=None)


def _links(undone: _Undone) -> Iterator[tuple[int, int | None, int | None]]:
    """An entry is linked once: who links it anew revokes the link of before."""
    rows = m.Link.objects.order_by("entry", "-fact", "-id").values_list(
        "entry", "entry__number", "fact", "revoked_by"
    )
    later, of = None, None
    for entry, number, fact, by in rows.iterator():
        if entry != of:
            later, of = None, entry
        yield fact, by, _first(later, undone.of(m.Link, fact, number))
        later = fact


def _persons(facts: Facts, undone: _Undone) -> Iterator[tuple[int, int | None, int | None]]:
    """Who is edited is called so from then on, and who is suppressed is called nothing."""
    hidden: dict[int, list[int]] = defaultdict(list)
    about = m.FactSubject.objects.filter(kind="person", fact__kind=SUPPRESSED).order_by("fact")
    for fact, person in about.values_list("fact", "subject"):
        hidden[int(person)].append(fact)
    edits = [each.seq for each in facts.of(_EDITED)]
    for model, key in _OF_PERSONS:
        edited = _edited(model, key, edits)
        rows = model._default_manager.values_list("person", key, "fact", "revoked_by")
        for person, what, fact, by in rows.iterator():
            wanted = _first(
                undone.of(model, fact),
                _after(hidden.get(person, ()), fact),
                _after(edited.get((person, what), ()), fact),
            )
            yield fact, by, wanted


def _edited(model: Any, key: str, edits: list[int]) -> Mapping[tuple[int, str], list[int]]:
    """By person and what is said the facts that have said it anew, for all days."""
    found: dict[tuple[int, str], list[int]] = defaultdict(list)
    known = set(edits)
    rows = model._default_manager.order_by("fact", "id")
    if edits:
        rows = rows.filter(fact__gte=edits[0])
    if model is m.PersonAttribute:
        # What holds from a day on leaves what was said for the days before.
        rows = rows.filter(true_from__isnull=True)
    if model is m.PersonName:
        rows = rows.filter(kind="main")
    for person, what, fact in rows.values_list("person", key, "fact").iterator():
        if fact in known:
            found[person, what].append(fact)
    return found


def _after(facts: Sequence[int], fact: int) -> int | None:
    """The first of some facts, in their order, that is later than another one."""
    at = bisect_right(facts, fact)
    return facts[at] if at < len(facts) else None


def _files() -> Iterator[str]:
    """What was deleted since it named somebody is what facts say."""
    said = suppressed_by_facts()
    held = dict(
        m.Blob.objects.filter(suppressed_by__isnull=False).values_list("sha256", "suppressed_by")
    )
    for sha256 in sorted(said.keys() | held.keys()):
        if said.get(sha256) != held.get(sha256):
            yield sentence("whether the file {file}… was deleted", file=sha256[:12])
