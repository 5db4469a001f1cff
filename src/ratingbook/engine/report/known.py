"""What a report says of a player, as a players file would say it, and back.

The fields of the edition's ``known`` are the only list of what is read: a field is looked
for by its name in the standing, its further keys, the entry, the ratings elsewhere
(``fide``), and the other pools (``quick``, ``quick_games``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, get_type_hints

from ratingbook.model import Entry, FrozenSide, Standing
from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN, Bulk, day_number

_TOTALS = ("wins", "draws", "losses")
_NUMBERS = ("rating", "games", *_TOTALS)


def known_of_entry(entry: Entry, bulk: Bulk) -> Any:
    """What the report says of the player; what it does not say has its default."""
    said = {}
    for name in bulk.known._fields:
        value = _said(entry, name)
        if isinstance(value, str):
            value = bulk.codes[name](value) if name in bulk.codes else None
        if value is not None:
            said[name] = value
    return _typed(bulk.known, said)


def _said(entry: Entry, name: str) -> Any:
    """A number, a truth or a word that the report has under a name; None: it says nothing."""
    standing = entry.standing or Standing()
    if name == "status":
        return standing.status.value if standing.status else None
    if name == "birth_date":
        return None if entry.birth_date is None else day_number(entry.birth_date)
    if name == "last_played":
        return None if standing.last_played is None else day_number(standing.last_played)
    if name in _NUMBERS:
        return getattr(standing, name)
    if name in standing.extra:
        return standing.extra[name]
    if name in entry.foreign:
        return entry.foreign[name]
    pool, _, field = name.partition("_")
    if pool in entry.pools and field in ("", *_NUMBERS):
        return getattr(entry.pools[pool], field or "rating")
    value = getattr(entry, name, None)
    return value if isinstance(value, bool | int | float | str) else None


def _typed(row: Any, said: Mapping[str, Any]) -> Any:
    """A row of these values, as the annotations want them."""
    kinds = _kinds(row)
    return row(**{name: kinds[name](value) for name, value in said.items()})


@cache
def _kinds(row: Any) -> dict[str, Any]:
    found: dict[str, Any] = get_type_hints(row)
    return found


def decided_for(entry: Entry, bulk: Bulk) -> Any:
    """What the office decided for the player; None where it is nothing that the edition knows."""
    said = {
        name: float(value)
        for name, value in entry.decisions.items()
        if name in bulk.decisions._fields and isinstance(value, bool | int | float)
    }
    nothing = bulk.decisions(*(NO_NUMBER for _ in bulk.decisions._fields))
    return nothing._replace(**said) if said else None


def still_decided(decided: Any, bulk: Bulk) -> Any:
    """What of the decisions holds for later batches, after a game of the player was rated."""
    if decided is None or not bulk.lasting:
        return None
    return decided._replace(**dict.fromkeys(used_up(bulk), NO_NUMBER))


def used_up(bulk: Bulk) -> list[str]:
    """The decisions that hold for one batch only."""
    return [name for name in bulk.decisions._fields if name not in bulk.lasting]


def standing_after(
    before: Standing, left: Any, bulk: Bulk, keys: frozenset[str], p: Any
) -> Standing:
    """The standing of a report by what is known after a batch."""
    known = bulk.known_of(left, p)
    told: dict[str, Any] = {}
    extra = dict(before.extra)
    for name in known._fields:
        value = _natural(getattr(known, name), known._field_defaults.get(name))
        if name in _NUMBERS:
            told[name] = value
        elif name in keys and value is not None and not (value is False and name not in extra):
            extra[name] = value
    if bulk.assumes_games and before.rating is not None and before.games is None:
        told["games"] = None
    return replace(before, **told, extra=extra)


def _natural(value: Any, nothing: Any) -> Any:
    """A number as a report has it: whole ones without a point; None for what is not given."""
    if isinstance(value, bool):
        return value
    if value == NOT_GIVEN or (isinstance(value, float) and math.isnan(value)):
        return None
    if nothing is not None and value == nothing and not isinstance(nothing, bool):
        return None
    return int(value) if value == int(value) else value


def thawed(frozen: FrozenSide, standing: Any, bulk: Bulk, p: Any) -> Any:
    """What the edition keeps of a side of the report's history; None: nothing."""
    keeping = bulk.keeping
    if keeping is None:
        return None
    if keeping.thawed is not None:
        return keeping.thawed(frozen, standing, p)
    said = {
        "own": frozen.own,
        "opponent": frozen.opponent,
        "score": int(2 * frozen.score),
        "start": NOT_GIVEN if frozen.start is None else day_number(frozen.start),
    }
    names = keeping.kept._fields
    return _typed(keeping.kept, {n: v for n, v in said.items() if n in names and v is not None})
