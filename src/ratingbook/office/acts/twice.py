"""Two entries of one report that are to be one person: refused where they cannot be, else told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db.models import Q

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.people import merges
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m


def refuse_twice(entry: m.Entry, person: int) -> None:
    """A person meets nobody who is the same person, and plays one game of a round."""
    own = _games(entry)
    remedy = sentence(
        "Link one of the two to somebody else. If both are one person, the file is wrong: ask "
        "the sender for a new version in which the person is one entry."
    )
    for other in _others(entry, person):
        theirs = _games(other)
        if own.keys() & theirs.keys():
            raise refuse(
                "office.own-opponent",
                sentence(
                    "Person {person} is entry {number} of this report already, an "
                    "opponent of entry {number2}.",
                    person=person,
                    number=other.number,
                    number2=entry.number,
                ),
                remedy,
            )
        rounds = [r for s, r in own.values() if r is not None and (s, r) in theirs.values()]
        if rounds:
            raise refuse(
                "office.same-round",
                sentence(
                    "Person {person} is entry {number} of this report already, which plays in "
                    "round {round} as entry {number2} does.",
                    person=person,
                    number=other.number,
                    number2=entry.number,
                    round=min(rounds),
                ),
                remedy,
            )


def tell_twice(findings: Findings, entry: m.Entry, person: int) -> None:
    """Tell that other entries of the report are the same person: it may be, but seldom is."""
    others = [each.number for each in _others(entry, person)]
    if not others:
        return
    findings.add(
        Severity.WARNING,
        "office.two-entries",
        sentence(
            "Person {person} is entry {number} of this report, and now entry {number2}, too.",
            person=person,
            number=", ".join(others),
            number2=entry.number,
        ),
        remedy="If they are two persons, take it back: ratingbook office undo FACT --entry ENTRY "
        "--reason …",
    )


def shared(version: int) -> Mapping[int, Sequence[str]]:
    """The persons who are several entries of a version, with the numbers of these."""
    merged = merges()
    links = m.Link.objects.filter(entry__version=version, revoked_by__isnull=True)
    found: dict[int, list[str]] = defaultdict(list)
    for number, person in links.order_by("entry").values_list("entry__number", "person"):
        found[merged.get(person, person)].append(number)
    return {person: numbers for person, numbers in found.items() if len(numbers) > 1}


def _others(entry: m.Entry, person: int) -> list[m.Entry]:
    """The other entries of the same version that are the person."""
    merged = merges()
    own = merged.get(person, person)
    everybody = [own, *(source for source, target in merged.items() if target == own)]
    links = m.Link.objects.filter(
        entry__version=entry.version_id, person__in=everybody, revoked_by__isnull=True
    ).exclude(entry=entry)
    return [each.entry for each in links.select_related("entry").order_by("entry")]


def _games(entry: m.Entry) -> dict[int, tuple[int, int | None]]:
    """The games of an entry, with their sections and rounds."""
    games = m.Game.of(entry.version_id).filter(Q(white=entry) | Q(black=entry))
    return {game: (section, round_) for game, section, round_ in games.values_list(
        "id", "section", "round"
    )}  # fmt: skip
