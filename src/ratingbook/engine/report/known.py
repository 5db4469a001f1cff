"""What a report says of a player, as a players file would say it, and back.

The fields of the edition's ``known`` are the only list of what is read: a field is looked
for by its name in the standing, its further keys, the entry, the ratings elsewhere
(``fide``), and the other pools (``quick``, ``quick_games``).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any

from ratingbook.engine.natural import hints_of, in_unit, unit_of, units_of
from ratingbook.model import Entry, FrozenSide, Standing
from ratingbook.rules.bulk import NO_NUMBER, Bulk, day_number, has_rating
from ratingbook.rules.units import Day, Rating, Unit

_RATING = unit_of(Rating)
"""The unit of numbers of which 0 is none."""
TOTALS = ("wins", "draws", "losses")
_NUMBERS = ("rating", "games", *TOTALS)
_OF_STANDING = frozenset({"status", "last_played", *_NUMBERS})
_NOTHING = Standing()
_YES = ("true", "yes", "1")


def known_of_entry(entry: Entry, bulk: Bulk) -> Any:
    """What the report says of the player; what it does not say has its default."""
    found = {}
    for name in bulk.known._fields:
        said = said_of(entry, name)
        if said is not None and (value := _fitting(said, name, bulk)) is not None:
            found[name] = value
    return bulk.known(**found)


def known_of_columns(said: Mapping[str, Any], bulk: Bulk) -> Any:
    """The same of a row of a players file, by its columns."""
    values = {name: _fitting(said.get(name), name, bulk) for name in bulk.known._fields}
    return bulk.known(**{name: each for name, each in values.items() if each is not None})


def said_of(entry: Entry, name: str) -> Any:
    """What the report has under a name; None: nothing."""
    standing = entry.standing or _NOTHING
    if name in _OF_STANDING:
        return getattr(standing, name)
    if name == "history":
        return len(entry.history)
    if name == "history_own":
        return next((side.own for side in entry.history if side.own is not None), None)
    if name in standing.extra:
        return standing.extra[name]
    if name in entry.foreign:
        return entry.foreign[name]
    if entry.pools:
        pool, _, field = name.partition("_")
        if pool in entry.pools and field in ("", *_NUMBERS):
            return getattr(entry.pools[pool], field or "rating")
    return entry.decisions.get(name, getattr(entry, name, None))


def totals_read(bulk: Bulk) -> tuple[str, ...]:
    """Which of the results so far the edition reads of a standing."""
    return tuple(name for name in TOTALS if name in bulk.known._fields)


def _fitting(value: Any, name: str, bulk: Bulk) -> Any:
    """A value as the column of that name holds it; None for what is no such value."""
    if value is None:
        return None
    kind, is_day = _kinds_of(bulk.known)[name]
    if name in bulk.codes:
        return bulk.codes[name](value) if isinstance(value, str) else None
    if isinstance(value, str) and kind is bool:
        return value.casefold() in _YES
    if isinstance(value, str) and is_day:
        value = _day_in(value)
    elif is_day and not isinstance(value, date):
        return None
    if isinstance(value, date):
        return day_number(value)
    if not isinstance(value, int | float) or (isinstance(value, bool) and kind is not bool):
        return None
    if kind is int and name not in _NUMBERS and value % 1:
        return None
    return kind(value)


def _day_in(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _kinds_of(row: Any) -> dict[str, tuple[Any, bool]]:
    """The type of each column of a row, and whether it holds days."""
    return _kinds(row)


@cache
def _kinds(row: Callable[..., Any]) -> dict[str, tuple[Any, bool]]:
    return {
        name: (getattr(hint, "__origin__", hint), hint == Day)
        for name, hint in hints_of(row).items()
    }


def decided_for(entry: Entry, bulk: Bulk) -> Any:
    """What the office decided for the player; None where it is nothing that the edition knows."""
    if not entry.decisions:
        return None
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


def numbers_after(before: Standing, known: Any, bulk: Bulk) -> dict[str, Any]:
    """What of a report's standing is another number after a batch, as it is known then."""
    row: Any = type(known)
    units = units_of(row)
    told = {name: _natural(getattr(known, name), units[name]) for name in _NUMBERS if name in units}
    if "rating" in told and not has_rating(known.rating):
        told["rating"] = None
    if bulk.assumes_games and before.rating is not None and before.games is None:
        told["games"] = None
    return told


def keys_after(
    entry: Entry, new: Standing, known: Any, bulk: Bulk, keys: Container[str], p: Any
) -> Mapping[str, Any]:
    """The edition's own keys by what is known after a batch; what stayed stays as it was told.

    ``new`` has the new numbers, beside the keys of before.
    """
    row: Any = type(known)
    units = units_of(row)
    told = new.extra
    extra = dict(told)
    read: Any = None
    for name, now in zip(known._fields, known, strict=True):
        # By identity, too: there is one number that is none.
        if name not in keys or now in (_fitting(told.get(name), name, bulk),):
            continue
        if now in (known._field_defaults.get(name),):
            if name not in told:
                continue
            # Either it is that again, or the edition never says it: then a report that says it
            # makes no difference to what is known.
            if read is None:
                said = known_of_entry(replace(entry, standing=new), bulk)
                read = bulk.known_of(bulk.standing_of(said, p), p)
            if getattr(read, name) in (now,):
                continue
        is_none = units[name] == _RATING and not has_rating(now)
        value = None if is_none else _natural(now, units[name])
        if value is None:
            extra.pop(name, None)
        else:
            extra[name] = value
    return extra


def _natural(value: Any, unit: Unit | None) -> Any:
    """A number as a report has it: whole ones without a point; None for what is not given."""
    said = in_unit(value, unit)
    return int(said) if isinstance(said, float) and said == int(said) else said


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
        "start": day_number(frozen.start),
    }
    kinds = _kinds_of(keeping.kept).items()
    known = {name: kind(said[name]) for name, (kind, _) in kinds if said.get(name) is not None}
    return keeping.kept(**known)
