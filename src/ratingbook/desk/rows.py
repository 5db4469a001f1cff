"""Rated rows as data: what the commands print for programs, and what tables are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ratingbook.desk.persons import birth_year_of
from ratingbook.engine.rate import RatedRow
from ratingbook.formats.document.write import frozen_side_as_dict, standing_as_dict
from ratingbook.model import Entry

if TYPE_CHECKING:
    from ratingbook.desk.rated import Rated

COLUMNS = (
    "id", "name", "section", "before", "after", "exact", "change", "games", "score", "expected",
    "status", "published",
)  # fmt: skip
_PERSON = ("federation", "title", "sex", "grade")
"""What a list prints of a person, handed through to the output where it is known."""


def as_dict(rated: Rated) -> dict[str, Any]:
    """A rated report as the commands print it in JSON."""
    book = rated.rating.book
    return {
        "rulebook": book.name,
        "parameters": book.non_default_parameters,
        "report": str(rated.path),
        "event": rated.event.name,
        "players": [row_as_dict(row, rated.persons) for row in rated.rating.rows],
        **rated.rating.findings.as_dict(),
    }


def row_as_dict(rated: RatedRow, persons: Mapping[str, Entry]) -> dict[str, Any]:
    """A row, and what is known of its player, as the commands print it in JSON."""
    row = rated.row
    person = persons.get(row.id, Entry(row.id))
    entered = {} if rated.exact_before is None else {"exact_before": rated.exact_before}
    return {
        **{column: getattr(row, column) for column in COLUMNS},
        **entered,
        **person_as_dict(person),
        "performance": row.performance,
        "standing": standing_as_dict(row.standing),
        "history": [frozen_side_as_dict(side) for side in row.history],
        "explanation": [step.as_dict() for step in rated.explanation],
    }


def person_as_dict(person: Entry) -> dict[str, Any]:
    """Who somebody is, as far as it is known: by it the next report finds the person."""
    said = {key: getattr(person, key) for key in _PERSON} | {
        "birth_year": birth_year_of(person),
        "ids": dict(person.ids) or None,
    }
    return {key: value for key, value in said.items() if value is not None}


def person_columns(rated: Sequence[Rated]) -> dict[str, Callable[[Rated, str], Any]]:
    """Columns of who the players are, those of the numbers that somebody has."""
    entries = [entry for each in rated for entry in each.persons.values()]
    found: dict[str, Callable[[Rated, str], Any]] = {}
    if any(birth_year_of(entry) for entry in entries):
        found["birth_year"] = lambda each, id_: birth_year_of(each.persons.get(id_, Entry(id_)))
    for register in sorted({register for entry in entries for register in entry.ids}):
        found[f"ids.{register}"] = _number(register)
    return found


def _number(register: str) -> Callable[[Rated, str], Any]:
    return lambda each, id_: each.persons.get(id_, Entry(id_)).ids.get(register)
