"""Events that are taken out or let in: what is otherwise once a word on it no longer holds."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Exists, OuterRef

from ratingbook.office.acts.states import (
    ACTS,
    CHECKED,
    HELD,
    READY,
    REFUSED,
    SUPERSEDED,
    WITHDRAWN,
    states,
)
from ratingbook.office.logic.corrections import Content
from ratingbook.office.store import models as m

WORDS = ("withdraw", "release")
"""The facts by which corrections take events out, and let them in."""


def otherwise_without(facts: Collection[int], upto: int) -> tuple[set[int], set[int]]:
    """The sections that come in, and those that go out, once some facts no longer hold.

    Of each the newest word that holds counts; without any it is as before the first one.  What
    another version has replaced, or was put aside otherwise, stays so.  As known at a fact.
    """
    own = m.Fact.objects.filter(seq__in=list(facts), kind__in=WORDS)
    if not own.exists():
        return set(), set()
    about = m.SectionStep.objects.filter(fact__in=own.values("seq"))
    undone = m.Fact.objects.filter(revokes=OuterRef("seq"), seq__lte=upto)
    words = m.Fact.objects.filter(kind__in=ACTS, seq__lte=upto).annotate(gone=Exists(undone))
    steps = m.SectionStep.objects.filter(section__in=about.values("section"), fact__lte=upto)
    told = list(steps.order_by("fact").values_list("section", "fact"))
    kinds = {
        seq: (kind == "release", gone)
        for seq, kind, gone in words.filter(seq__in={fact for _, fact in told}).values_list(
            "seq", "kind", "gone"
        )
    }
    now: dict[int, bool] = {}
    then: dict[int, bool] = {}
    for section, fact in told:
        if fact not in kinds:
            continue
        lets_in, is_gone = kinds[fact]
        # Before the first word it was the other way.
        for found, counts in ((now, not is_gone), (then, not is_gone and fact not in facts)):
            found.setdefault(section, not lets_in)
            if counts:
                found[section] = lets_in
    state = states(now, upto)
    come = {each for each in now if then[each] and not now[each] and state[each] in _OUT}
    go = {each for each in now if now[each] and not then[each] and state[each] in _IN}
    return come, go


def still_replaced(content: Content, upto: int | None = None) -> list[int]:
    """The sections that made room for what a content takes out, and have no other in their place.

    As known at a fact.
    """
    known = states(content.get("replaced", ()), upto)
    return [each for each, state in known.items() if state == SUPERSEDED]


_OUT, _IN = (HELD, REFUSED, WITHDRAWN), (CHECKED, READY)
