"""Corrections that ask for something else of the same: told, shown, and decided knowingly."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from django.db.models import IntegerField, Q
from django.db.models.functions import Cast

from ratingbook.model import Finding, Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.people import canonical
from ratingbook.office.acts.requests import (
    ACCEPTED,
    JOINED,
    OPEN,
    PUBLISHED,
    decided_together,
    decided_with,
    subjects,
    with_states,
)
from ratingbook.office.acts.taken_back import is_taken_back_by, undoing, undone_by, with_backs
from ratingbook.office.logic.corrections import Content, about, contradict, overtake
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act

_MATTERING = (OPEN, ACCEPTED, PUBLISHED)
"""The states in which what is asked for may hold, or does."""


def is_overtaken(one: m.Correction) -> bool:
    """Whether an accepted correction was taken back, or something else of the same accepted."""
    accepted = m.CorrectionStep.objects.filter(state=ACCEPTED)
    own = accepted.filter(correction=one).latest("fact").fact
    return _is_taken_back(own) or any(
        overtake(one.contents, step.correction.contents)
        for step in accepted.filter(fact__gt=own).select_related("correction")
    )


def _is_taken_back(accepted: int) -> bool:
    """Whether what a correction said by the fact that accepted it was taken back."""
    facts = m.Fact.objects.get(seq=accepted).payload["facts"]
    return m.Fact.objects.filter(revokes__in=facts).exists()


def ask_otherwise(one: m.Correction, other: m.Correction) -> bool:
    """Whether two requests ask for what contradicts each other, as persons are known now."""
    return contradict(one.contents, other.contents, canonical)


def _matters(one: m.Correction) -> set[str]:
    """What a request is about."""
    return {each for content in one.contents for each in about(content)}


class Beside(NamedTuple):
    """Another request that is about the same, or decided with one."""

    one: Any
    """It knows its state."""
    is_otherwise: bool
    """Whether it asks for something else of the same, and neither was asked for to correct what
    the other one had said, nor was taken back."""
    takes_back: bool
    """Whether it takes back what this one said, all of it or a part."""
    is_taken_back: bool
    """Whether this one takes back what it said."""


def beside(one: m.Correction) -> list[Beside]:
    """The other requests about the same, and those that one is decided with: each side has both.

    They are open or were accepted, or are joined to one that is or was; so is this one, else it is
    about nothing any more.  Among them are those that take one another back.
    """
    named: dict[str, list[str]] = {}
    for kind, subject in subjects(one.id, one.contents)[1:]:
        named.setdefault(kind, []).append(str(subject))
    same = Q(pk__in=())
    for kind, some in named.items():
        same |= Q(kind=kind, subject__in=some)
    asked = m.FactSubject.objects.filter(same, fact__kind="correction asked").values("fact")
    # Facts by which one was joined, and that are over where neither is joined any more.
    joinings = m.FactSubject.objects.filter(
        kind="correction", subject=str(one.id), fact__kind="correction joined"
    )
    linked = m.FactSubject.objects.filter(kind="correction", fact__in=joinings.values("fact"))
    found = with_backs(
        with_states(
            m.Correction.objects.filter(
                Q(made_by__in=asked)
                | Q(id__in=linked.values(number=Cast("subject", IntegerField())))
                | Q(id=one.id)
                | undoing([one.id])
                | undone_by(one.contents)
            )
        )
    )
    every = {each.id: each for each in found.order_by("id")}
    is_any_joined = any(each.state == JOINED for each in every.values())
    together = decided_together(one.id) if is_any_joined else set()
    it, mine = every.pop(one.id), _matters(one)
    if not _matters_still(it):
        return []
    both = {
        each.id: (is_taken_back_by(it, each), is_taken_back_by(each, it)) for each in every.values()
    }
    otherwise = {each.id for each in every.values() if ask_otherwise(it, each)}
    return [
        Beside(each, each.id in otherwise and _are_beside(it, each), *both[each.id])
        for each in every.values()
        if (each.id in together | otherwise or mine & _matters(each) or any(both[each.id]))
        and _matters_still(each)
    ]


def _are_beside(one: Any, other: Any) -> bool:
    """Whether neither of two was asked for to correct the other, and none was taken back."""
    return not _is_one_after_other(one, other) and not any(
        each.accepted is not None and _is_taken_back(each.accepted) for each in (one, other)
    )


def _is_one_after_other(one: Any, other: Any) -> bool:
    """Whether one of two was accepted before the other one was asked for, to correct that."""
    return any(
        first.accepted is not None and first.accepted < then.made_by
        for first, then in ((one, other), (other, one))
    )


def _matters_still(one: Any) -> bool:
    """Whether what is asked for may hold, or does: also with another one to which it is joined."""
    if one.state != JOINED:
        return one.state in _MATTERING
    with_ = m.Correction.objects.filter(id=decided_with(one.id))
    return with_states(with_).get().state in _MATTERING


def to_be_known(one: m.Correction) -> list[Any]:
    """The other ones that whoever accepts an open request has to know of; each knows its state.

    They ask for something else of the same and are open, or were accepted since this one was asked
    for, and still hold: that one would overtake them.
    """
    return [
        each.one
        for each in beside(one)
        if each.is_otherwise
        and (each.one.state == OPEN or (each.one.state != JOINED and not is_overtaken(each.one)))
    ]


def refuse_unknowing(one: m.Correction, despite: Collection[int]) -> None:
    """Refuse to accept a request without a word of those that contradict it."""
    every = to_be_known(one)
    if all(each.id in despite for each in every):
        return
    knowing = " ".join(f"--despite {each.id}" for each in every)
    remedy = (
        sentence(
            "Decide first which of them is right, and reject the other; or accept this one "
            "knowingly: `ratingbook office accept {number} {knowing}`. What is accepted last "
            "holds.",
            number=one.id, knowing=knowing,
        )
        if any(overtake(one.contents, each.contents) for each in every)
        else sentence(
            "Decide first which of them is right, and reject or take back the other; or accept "
            "this one knowingly: `ratingbook office accept {number} {knowing}`. If both hold, all "
            "of them are one person.",
            number=one.id, knowing=knowing,
        )
    )  # fmt: skip
    raise OfficeRefused(
        Finding(
            "office.contradicted",
            Severity.ERROR,
            sentence(
                "Correction {id} asks for something else of the same, and is open.", id=each.id
            )
            if each.state == OPEN
            else sentence(
                "Correction {id} says something else of the same, and was accepted since this one "
                "was asked for.",
                id=each.id,
            ),
            remedy=remedy,
        )
        for each in every
        if each.id not in despite
    )


def tell_contradictions(act: Act, one: m.Correction) -> None:
    """Tell whoever asks for something which open requests ask for something else of the same."""
    for other, is_otherwise, *_ in beside(one):
        if other.state == OPEN and is_otherwise:
            act.findings.add(
                Severity.WARNING, "office.contradicts",
                sentence("Correction {id} asks for something else of the same.", id=other.id),
                remedy=f"Decide them together: ratingbook office preview {other.id} {one.id}.",
            )  # fmt: skip


def tell_joined_otherwise(act: Act, one: m.Correction, into: m.Correction) -> None:
    """Tell whoever joins a request to one that asks for something else of the same."""
    if ask_otherwise(one, into):
        act.findings.add(
            Severity.WARNING,
            "office.joined-otherwise",
            sentence(
                "Correction {number} asks for something else of the same than correction {into}: "
                "once {into} is accepted, what {number} asks for is not done.",
                number=one.id,
                into=into.id,
            ),
            remedy=sentence("Tell who asked for it, or let them ask anew if that was a slip."),
        )


def tell_of_games(act: Act, one: m.Correction) -> None:
    """Tell whoever takes an event out which open requests are about its games."""
    out = [x for each in one.contents if each["kind"] == "withdraw" for x in each["sections"]]
    if not out:
        return
    keys = set(m.Game.objects.filter(section__in=out).values_list("stable_key", flat=True))
    for other in with_states(m.Correction.objects.order_by("id")).filter(state=OPEN):
        if any(each["kind"] == "game" and each["key"] in keys for each in other.contents):
            act.findings.add(
                Severity.WARNING,
                "office.open-of-event",
                sentence(
                    "Correction {id} is open, and about a game of the event that is taken out.",
                    id=other.id,
                ),
                remedy=sentence("Decide it, too: while the event is out it changes nothing."),
            )


def contradicting(requests: Mapping[int, Sequence[Content]]) -> Findings:
    """Which of several requests ask for something else of the same: the later one holds.

    But that of two that say who a number is; then all of them are one.
    """
    findings = Findings()
    for number, other in combinations(requests, 2):
        both = requests[number], requests[other]
        if contradict(*both, canonical):
            findings.add(
                Severity.WARNING,
                "office.contradicts",
                sentence(
                    "Corrections {number} and {other} are about the same: together "
                    "what {other} asks for holds.",
                    number=number,
                    other=other,
                )
                if overtake(*both)
                else sentence(
                    "Corrections {number} and {other} say of one number that it is two persons: "
                    "together all of them are one.",
                    number=number,
                    other=other,
                ),
                remedy=sentence("Preview and accept one of them; refuse the other."),
            )
    return findings
