"""What a report prints of a player, without what is private."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ratingbook.model import Entry
from ratingbook.office.logic.names import form


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


def name_across_versions(number: str, name: str, printed: Mapping[str, Any]) -> str:
    """How the report calls a player in a way that another version does as well."""
    ids = printed.get("ids") or {}
    if ids:
        scheme = min(ids)
        return f"{scheme}:{ids[scheme]}"
    return form(name).sorted or number
