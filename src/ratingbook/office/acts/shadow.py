"""A shadow run: the numbers of the office beside the list of the system that it replaces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ratingbook.formats.standings import read_numbered
from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.imports import people_of
from ratingbook.office.acts.people import names_of, numbers_of, refuse_unknown_register
from ratingbook.office.acts.published import table_of
from ratingbook.office.acts.runs import run_named
from ratingbook.office.acts.setup import decimals_of
from ratingbook.office.home import Home
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store.ledger import head

_LARGEST = 20


@dataclass(frozen=True)
class Shadow:
    """How the list of another system and a run of ours agree."""

    run: int
    compared: int
    equal: int
    within_one: int
    largest: tuple[dict[str, Any], ...]
    """Who differs most: person, number in the register, name, theirs, ours, difference."""
    only_theirs: tuple[str, ...]
    """Numbers of the register that the run has no rating of."""
    only_ours: int
    findings: Findings


def shadow(home: Home, number: int, path: Path, scheme: str) -> Shadow:
    """Compare a run, published or not, with a list; its ids are numbers of a register."""
    run = run_named(number)
    scheme = scheme.strip()
    refuse_unknown_register(scheme)
    members, findings = read_numbered(path, scheme)
    if findings.refused:
        raise OfficeRefused(findings.in_file(str(path)))
    theirs = {
        each.entry.id: each.entry.standing.rating
        for each in members
        if each.entry.standing is not None and each.entry.standing.rating is not None
    }
    people = people_of(sorted(theirs), scheme)
    table = table_of(home, run.ratings_id or "")
    decimals = decimals_of(run.pool)
    ours = {
        int(player): rounded_one(rating, decimals)
        for player, rating in zip(
            table["player"].to_pylist(), table["rating"].to_pylist(), strict=True
        )
        if rating is not None
    }
    names = names_of(people.values())
    by_person = _number_of_each(people, scheme)
    _tell_twice(findings, people, by_person, names)
    rows: list[dict[str, Any]] = [
        {"person": person, "number": k, "name": names.get(person, ""), "theirs": theirs[k],
         "ours": ours[person], "difference": (ours[person] or 0) - float(theirs[k] or 0)}
        for person, k in by_person.items()
        if person in ours
    ]  # fmt: skip
    rows.sort(key=lambda row: (-abs(row["difference"]), row["person"]))
    return Shadow(
        run.id, len(rows), sum(row["difference"] == 0 for row in rows),
        sum(abs(row["difference"]) <= 1 for row in rows),
        tuple(row for row in rows[:_LARGEST] if row["difference"]),
        tuple(k for k in sorted(theirs) if k not in people or people[k] not in ours),
        len(ours.keys() - by_person.keys()), findings,
    )  # fmt: skip


def _number_of_each(people: Mapping[str, int], scheme: str) -> dict[int, str]:
    """By which number each person is compared: by the own one, where that is on the list."""
    found: dict[int, str] = {}
    own = numbers_of(scheme, set(people.values()), head().seq)
    for number in sorted(people):
        person = people[number]
        if person not in found or own.get(person) == number:
            found[person] = number
    return found


def _tell_twice(
    findings: Findings,
    people: Mapping[str, int],
    by_person: Mapping[int, str],
    names: Mapping[int, str],
) -> None:
    """Who stands on the list more than once, since two of it are one person here."""
    others: dict[int, list[str]] = {}
    for number, person in people.items():
        if number != by_person[person]:
            others.setdefault(person, []).append(number)
    for person, more in others.items():
        findings.add(
            Severity.WARNING,
            "office.twice-on-list",
            sentence(
                "{name} (person {person}) stands on the list as {number} and as {others}: they are "
                "one person here, who is compared by the number {number}.",
                name=names.get(person, ""), person=person, number=by_person[person],
                others=", ".join(sorted(more)),
            ),
            remedy=sentence("If they are two persons, let them be two."),
        )  # fmt: skip
