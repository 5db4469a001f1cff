"""Corrections that ask for something else of the same: told, shown, and decided knowingly."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any

from django.db.models import Q

from ratingbook.model import Finding, Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.requests import ACCEPTED, OPEN, PUBLISHED, subjects, with_states
from ratingbook.office.logic.corrections import Content, about, contradict
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act


def is_overtaken(one: m.Correction) -> bool:
    """Whether an accepted correction was taken back, or something else of the same accepted."""
    accepted = m.CorrectionStep.objects.filter(state=ACCEPTED)
    own = accepted.filter(correction=one).latest("fact").fact
    facts = m.Fact.objects.get(seq=own).payload["facts"]
    return m.Fact.objects.filter(revokes__in=facts).exists() or any(
        contradict(one.contents, step.correction.contents)
        for step in accepted.filter(fact__gt=own).select_related("correction")
    )


def _matters(one: m.Correction) -> set[str]:
    """What a request is about."""
    return {each for content in one.contents for each in about(content)}


def beside(one: m.Correction) -> list[Any]:
    """The other requests about the same that are open or were accepted; each knows its state."""
    named: dict[str, list[str]] = {}
    for kind, subject in subjects(one.id, one.contents)[1:]:
        named.setdefault(kind, []).append(str(subject))
    same = Q(pk__in=())
    for kind, some in named.items():
        same |= Q(kind=kind, subject__in=some)
    asked = m.FactSubject.objects.filter(same, fact__kind="correction asked").values("fact")
    found = with_states(m.Correction.objects.filter(made_by__in=asked).exclude(id=one.id))
    mine = _matters(one)
    return [
        each
        for each in found.filter(state__in=(OPEN, ACCEPTED, PUBLISHED)).order_by("id")
        if mine & _matters(each)
    ]


def to_be_known(one: m.Correction) -> list[Any]:
    """The other ones that whoever accepts an open request has to know of; each knows its state.

    They ask for something else of the same and are open, or were accepted since this one was asked
    for, and still hold: that one would overtake them.
    """
    return [
        each
        for each in beside(one)
        if contradict(one.contents, each.contents)
        and (each.state == OPEN or (_accepted(each) > one.made_by and not is_overtaken(each)))
    ]


def _accepted(one: m.Correction) -> int:
    """The fact by which a correction was accepted."""
    return m.CorrectionStep.objects.filter(correction=one, state=ACCEPTED).latest("fact").fact


def refuse_unknowing(one: m.Correction, despite: Collection[int]) -> None:
    """Refuse to accept a request without a word of those that contradict it."""
    every = to_be_known(one)
    if all(each.id in despite for each in every):
        return
    knowing = " ".join(f"--despite {each.id}" for each in every)
    remedy = sentence(
        "Decide first which of them is right, and reject the other; or accept this one knowingly: "
        "`ratingbook office accept {number} {knowing}`. What is accepted last holds.",
        number=one.id,
        knowing=knowing,
    )
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
    for other in beside(one):
        if other.state == OPEN and contradict(one.contents, other.contents):
            act.findings.add(
                Severity.WARNING, "office.contradicts",
                sentence("Correction {id} asks for something else of the same.", id=other.id),
                remedy=f"Decide them together: ratingbook office preview {other.id} {one.id}.",
            )  # fmt: skip


def tell_joined_otherwise(act: Act, one: m.Correction, into: m.Correction) -> None:
    """Tell whoever joins a request to one that asks for something else of the same."""
    if contradict(one.contents, into.contents):
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


def asks_otherwise(number: int, into: int) -> bool:
    """Whether a request asks for something else of the same than the one it is decided with."""
    both = m.Correction.objects.in_bulk([number, into])
    return contradict(both[number].contents, both[into].contents)


def contradicting(requests: Mapping[int, Sequence[Content]]) -> Findings:
    """Which of several requests ask for something else of the same: the later one holds."""
    findings = Findings()
    for number, other in combinations(requests, 2):
        if contradict(requests[number], requests[other]):
            findings.add(
                Severity.WARNING,
                "office.contradicts",
                sentence(
                    "Corrections {number} and {other} are about the same: together "
                    "what {other} asks for holds.",
                    number=number,
                    other=other,
                ),
                remedy=sentence("Preview and accept one of them; refuse the other."),
            )
    return findings
