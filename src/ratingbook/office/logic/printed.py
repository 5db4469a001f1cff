"""What a report prints of a player, without what is private."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ratingbook.model import Entry
from ratingbook.office.logic.fixes import Sides
from ratingbook.office.logic.names import form


class Named(Protocol):
    """An entry as a version of a report has it."""

    @property
    def number(self) -> str:
        """What the version calls it."""

    @property
    def name(self) -> str:
        """As it is printed."""

    @property
    def printed(self) -> Mapping[str, Any]:
        """What :func:`entry_of` says."""


def entry_of(entry: Entry) -> dict[str, Any]:
    """What an entry prints of a player."""
    standing = entry.standing
    said: dict[str, Any] = {
        "federation": entry.federation, "club": entry.club, "title": entry.title,
        "sex": entry.sex, "grade": entry.grade, "ids": dict(entry.ids),
        "rating": standing.rating if standing else None,
        "games": standing.games if standing else None,
    }  # fmt: skip
    return {key: value for key, value in said.items() if value not in (None, {}, "")}


def call_of(entry: Named) -> str:
    """How the report calls a player in a way that another version does as well."""
    ids = entry.printed.get("ids") or {}
    if ids:
        scheme = min(ids)
        return f"{scheme}:{ids[scheme]}"
    return form(entry.name).sorted or entry.number


def sides_of(white: Named, black: Named) -> Sides:
    """The sides of a game, with who of them comes first in its key."""
    called = {each.number: call_of(each) for each in (white, black)}
    return Sides(
        white.number, black.number, min(called, key=lambda number: (called[number], number))
    )
