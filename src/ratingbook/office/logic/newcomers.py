"""Players of a file as an office takes them in, without anything of its database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from ratingbook.formats.lists import read_portions
from ratingbook.model import Entry, Findings, Standing
from ratingbook.office.logic.names import form, keys
from ratingbook.office.logic.printed import entry_of


class Newcomer(NamedTuple):
    """A player of a file, with all that is written where nobody knows the id."""

    id: str
    name: str
    birth_date: date | None
    birth_year: int | None
    attributes: Mapping[str, str]
    ids: Mapping[str, str]
    keys: list[str]
    """Those under which the person is looked up."""
    value: Mapping[str, Any]
    """The standing as a decision keeps it."""


def newcomer_of(entry: Entry, scheme: str) -> Newcomer:
    """A player whose id is a number of a register, ``scheme``."""
    said = entry_of(entry)
    attributes: dict[str, str] = {
        key: str(said[key]) for key in ("federation", "club", "title", "sex") if key in said
    }
    name, born = entry.name or entry.id, entry.birth_date
    year = born.year if born else entry.birth_year
    ids = {**dict(entry.ids), scheme: entry.id}
    found = name_keys([name], year)
    value = value_of(entry.standing)
    return Newcomer(entry.id, name, born, entry.birth_year, attributes, ids, found, value)


def of_a_list(path: Path, scheme: str, size: int) -> Iterator[list[Newcomer] | Findings]:
    """The players of a list, so many at a time; last what there is to say of it."""
    findings = Findings()
    for entries in read_portions(path, size, findings):
        yield [newcomer_of(each, scheme) for each in entries]
    yield findings


def name_keys(names: Iterable[str], year: int | None) -> list[str]:
    """The keys under which a person of these names is looked up."""
    found: dict[str, None] = {}
    for name in names:
        found |= dict.fromkeys(keys(form(name), year))
    return list(found)


def value_of(standing: Standing | None) -> dict[str, Any]:
    """A standing as a decision keeps it."""
    if standing is None:
        return {}
    said: dict[str, Any] = {
        "rating": standing.rating, "games": standing.games, "wins": standing.wins,
        "draws": standing.draws, "losses": standing.losses,
        "status": standing.status.value if standing.status else None,
        "last_played": standing.last_played.isoformat() if standing.last_played else None,
        **standing.extra,
    }  # fmt: skip
    return {key: value for key, value in said.items() if value is not None}
