"""Players of a file as an office takes them in, without anything of its database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from ratingbook.formats.lists import read_portions
from ratingbook.model import Entry, Findings, Standing
from ratingbook.office.logic.names import folded, keys, tokens

ATTRIBUTES = ("federation", "club", "title", "sex")
"""What is said of a person in words, and may change."""


class NewPerson(NamedTuple):
    """What is known of somebody new."""

    name: str
    birth_date: date | None = None
    birth_year: int | None = None
    attributes: Mapping[str, str] | None = None
    ids: Mapping[str, str] | None = None
    variants: tuple[str, ...] = ()


class Newcomer(NamedTuple):
    """A player of a file, with all that is written where nobody knows the id."""

    id: str
    person: NewPerson
    value: Mapping[str, Any]
    """The standing as a decision keeps it."""


def newcomer_of(entry: Entry, standing: Standing | None, scheme: str) -> Newcomer:
    """A player whose id is a number of a register, ``scheme``."""
    said = zip(ATTRIBUTES, (entry.federation, entry.club, entry.title, entry.sex), strict=True)
    attributes = {key: text for key, text in said if text}
    name, born = entry.name or entry.id, entry.birth_date
    ids = {**entry.ids, scheme: entry.id}
    person = NewPerson(name, born, entry.birth_year, attributes, ids)
    return Newcomer(entry.id, person, value_of(standing))


def of_a_list(path: Path, scheme: str, size: int) -> Iterator[list[Newcomer] | Findings]:
    """The players of a list, so many at a time; last what there is to say of it."""
    findings = Findings()
    for players in read_portions(path, size, findings):
        yield [newcomer_of(entry, standing, scheme) for entry, standing in players]
    yield findings


Packed = tuple[tuple[Any, ...], ...]
"""Newcomers as a process tells them to another: columns of texts, in a third of the time."""


def packed_of_a_list(path: Path, scheme: str, size: int) -> Iterator[Packed | Findings]:
    """What :func:`of_a_list` gives, packed."""
    for each in of_a_list(path, scheme, size):
        yield each if isinstance(each, Findings) else _packed(each)


def _packed(newcomers: Iterable[Newcomer]) -> Packed:
    return tuple(zip(*[
        (
            id_, tuple(value.items()), said.name, said.birth_date, said.birth_year,
            tuple((said.attributes or {}).items()), tuple((said.ids or {}).items()),
            said.variants,
        )
        for id_, said, value in newcomers
    ], strict=True))  # fmt: skip


def unpacked(columns: Packed) -> list[Newcomer]:
    """The newcomers whom columns tell of."""
    return [
        Newcomer(
            id_,
            NewPerson(name, born, year, dict(attributes), dict(ids), variants),
            dict(value),
        )
        for id_, value, name, born, year, attributes, ids, variants in zip(*columns, strict=True)
    ]


def name_keys(names: Iterable[str], year: int | None) -> list[str]:
    """The keys under which a person of these names is looked up."""
    found: dict[str, None] = {}
    for name in names:
        plain = tokens(name)
        found.update(dict.fromkeys(keys(plain, [folded(each) for each in plain], year)))
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
