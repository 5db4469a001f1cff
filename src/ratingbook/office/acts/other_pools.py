"""Sections that are held since they say another pool than theirs, and what lets them in."""

from __future__ import annotations

from collections.abc import Collection

from ratingbook.model.sentences import sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.logic.corrections import Content
from ratingbook.office.placing import elsewhere, event_of
from ratingbook.office.store import models as m

OF_OTHER = sentence("it is of another pool, by what it says")
"""Why such a section is held."""


def let_in_by(content: Content, upto: int | None = None) -> list[int]:
    """The sections that a content brings into the pool of which they are, by what they say.

    That was all that kept them out; as known at a fact.
    """
    if content["kind"] != "pool":
        return []
    held = _held(content["sections"], upto)
    if not held:
        return []
    pool = m.Pool.objects.get(id=content["pool"])
    book = rules_of(pool).book()
    return [
        each.id for each in m.Section.objects.filter(id__in=held).order_by("id")
        if elsewhere(book, event_of(each.facts, each.end, pool.name)) is None
    ]  # fmt: skip


def _held(sections: Collection[int], upto: int | None) -> list[int]:
    """Those of some sections that nothing but this keeps out."""
    steps = m.SectionStep.objects.filter(section__in=list(sections)).order_by("fact")
    if upto is not None:
        steps = steps.filter(fact__lte=upto)
    last = {section: (fact, state) for section, fact, state in steps.values_list(
        "section", "fact", "state"
    )}  # fmt: skip
    facts = [fact for fact, state in last.values() if state == states.HELD]
    why = dict(m.Fact.objects.filter(seq__in=facts).values_list("seq", "reason"))
    return [section for section, (fact, _) in last.items() if why.get(fact) == OF_OTHER]
