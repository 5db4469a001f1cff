"""Standings that an import lost: what its file says beside what the office holds."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any

from ratingbook.formats.standings import read_numbered
from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.decisions import openings_held
from ratingbook.office.acts.imports import holders_of
from ratingbook.office.acts.people import merges
from ratingbook.office.acts.registry import suppressed
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.engine.rules import standing_fields
from ratingbook.office.home import Home
from ratingbook.office.logic.feeding import who_counts
from ratingbook.office.logic.first import first_of
from ratingbook.office.logic.newcomers import value_of
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.rules.wording import either

LOST = "doctor.standing-lost"
"""The code of what is wrong, and no damage: a correction mends it, and a backup has it, too."""


def look(home: Home, findings: Findings) -> None:
    """Tell what persons come in without, though the file of their import says it, or others'."""
    for pool in m.Pool.objects.order_by("id"):
        every = openings_held(pool)
        # A standing that does not count is nothing that a correction could mend.
        held = {person: every[person] for person in who_counts(every, merges()).values()}
        if not held:
            continue
        lost = _beside_files(home, pool, held)
        for key in sorted({key for keys in lost.values() for key in keys}):
            people = sorted(person for person, keys in lost.items() if key in keys)
            findings.add(
                Severity.ERROR,
                LOST,
                either(
                    len(people),
                    "{count} person came into the pool {pool} without the {key} that the file of "
                    "the import says: {some}.",
                    "{count} persons came into the pool {pool} without the {key} that the file of "
                    "their import says: {some}.",
                    pool=pool.name,
                    key=key,
                    some=first_of(people),
                ),
                remedy=f"Ask for it: ratingbook office correct --pool {pool.name} --openings FILE "
                "--register NAME --reason …; look at the preview before anybody accepts it.",
            )
        # Whose file can be read has no more than it says: an empty cell is an answer.  Which line
        # was that of somebody who is suppressed nobody can tell.
        _tell_uneven(pool, held, lost.keys() | suppressed(), findings)


def _beside_files(
    home: Home, pool: m.Pool, held: Mapping[int, Mapping[str, Any]]
) -> dict[int, set[str]]:
    """By person in the files, the keys that these have and the office has not, never had."""
    found: dict[int, set[str]] = {}
    fields = standing_fields(rules_of(pool))
    decided = m.Fact.objects.filter(
        kind="decision", factsubject__kind="pool", factsubject__subject=str(pool.id)
    )
    schemes = {
        each.payload["file"]: each.payload["scheme"]
        for each in m.Fact.objects.filter(kind="imported")
    }
    for fact in decided:
        sha256 = fact.payload.get("file")
        if sha256 not in schemes:
            continue
        said = _read(home, sha256, schemes[sha256], fields)
        # Each came in with what its own line says, whoever is one with it by now.
        for number, person in holders_of(list(said), schemes[sha256]).items():
            missing = said[number].keys() - held.get(person, said[number]).keys()
            found.setdefault(person, set()).update(missing)
    return found


def _read(
    home: Home, sha256: str, scheme: str, fields: Mapping[str, type]
) -> dict[str, dict[str, Any]]:
    """The standings in a kept file, as they are read today."""
    try:
        data = blobs.load(home, sha256)
    except OfficeRefused:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        for suffix in (".csv", ".json"):
            path = Path(folder) / f"players{suffix}"
            path.write_bytes(data)
            members, findings = read_numbered(path, scheme, fields)
            if not findings.refused:
                return {each.entry.id: value_of(each.entry.standing) for each in members}
    return {}


def _tell_uneven(
    pool: m.Pool, held: Mapping[int, Mapping[str, Any]], known: Set[int], findings: Findings
) -> None:
    """A key that the rules read, which some come in with and others of their status have not.

    ``known``: of whom the files say what there is.
    """
    for key in standing_fields(rules_of(pool)):
        status = {value.get("status") for value in held.values() if key in value}
        without = sorted(
            person for person, value in held.items()
            if key not in value and person not in known and value.get("status") in status
        )  # fmt: skip
        if status and without:
            findings.add(
                Severity.WARNING,
                "doctor.standing-uneven",
                either(
                    len(without),
                    "{count} person came into the pool {pool} without {key}, which others of the "
                    "same status have: {some}.",
                    "{count} persons came into the pool {pool} without {key}, which others of "
                    "their status have: {some}.",
                    pool=pool.name,
                    key=key,
                    some=first_of(without),
                ),
                remedy=sentence(
                    "Look whether the file of before says it; then ask for a correction."
                ),
            )
