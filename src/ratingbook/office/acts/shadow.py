"""A shadow run: the numbers of the office beside the list of the system that it replaces."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ratingbook.formats.standings import read_standings
from ratingbook.model import Findings
from ratingbook.office.acts.imports import people_of
from ratingbook.office.acts.people import names_of
from ratingbook.office.acts.published import rounded_one, table_of
from ratingbook.office.acts.runs import run_named
from ratingbook.office.acts.setup import policy
from ratingbook.office.home import Home
from ratingbook.office.refused import OfficeRefused

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
    members, _, findings = read_standings(path, {})
    if findings.refused:
        raise OfficeRefused(findings.in_file(str(path)))
    theirs = {
        each.entry.id: each.entry.standing.rating
        for each in members
        if each.entry.standing is not None and each.entry.standing.rating is not None
    }
    people = people_of(sorted(theirs), scheme)
    table = table_of(home, run.ratings_id or "")
    decimals = policy(run.pool, "decimals")
    ours = {
        int(player): rounded_one(rating, decimals)
        for player, rating in zip(
            table["player"].to_pylist(), table["rating"].to_pylist(), strict=True
        )
        if rating is not None
    }
    names = names_of(people.values())
    rows: list[dict[str, Any]] = [
        {"person": people[k], "number": k, "name": names.get(people[k], ""), "theirs": theirs[k],
         "ours": ours[people[k]], "difference": (ours[people[k]] or 0) - float(theirs[k] or 0)}
        for k in sorted(theirs)
        if k in people and people[k] in ours
    ]  # fmt: skip
    rows.sort(key=lambda row: (-abs(row["difference"]), row["person"]))
    both = {row["person"] for row in rows}
    return Shadow(
        run.id, len(rows), sum(row["difference"] == 0 for row in rows),
        sum(abs(row["difference"]) <= 1 for row in rows),
        tuple(row for row in rows[:_LARGEST] if row["difference"]),
        tuple(k for k in sorted(theirs) if k not in people or people[k] not in ours),
        len(ours.keys() - both), findings,
    )  # fmt: skip
