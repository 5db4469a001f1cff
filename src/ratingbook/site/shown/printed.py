"""A published list in memory: it never changes, so it is read from its rows once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from sys import intern
from typing import Any

from anyascii import anyascii

from ratingbook.office.acts.lists import hiding
from ratingbook.office.acts.registry import LAST_SUPPRESSED, suppressed
from ratingbook.office.acts.setup import MOST_DECIMALS
from ratingbook.office.home import current
from ratingbook.office.store import models as m
from ratingbook.site.shown.kept import by_ledger

FEDERATION, SEX = ("federation", "country"), ("sex", "gender")
"""How the rule books call their columns."""


@dataclass(frozen=True)
class Printed:
    """The columns of a list that are filtered, compared and counted, in its order."""

    persons: tuple[int, ...]
    ratings: tuple[float | None, ...]
    ranks: tuple[int, ...]
    """Equal ratings share the first one's place."""
    names: tuple[str, ...]
    folded: tuple[str, ...]
    """Names in small Latin letters."""
    columns: Mapping[str, tuple[str, ...]]
    """Federation, club, title and sex, where the list prints them; and ``inactive``."""
    at: Mapping[int, int]
    """Where in the columns a person stands."""
    not_listed: int

    @cached_property
    def values(self) -> Mapping[str, tuple[str, ...]]:
        """What stands in each column that says anything, sorted."""
        found = {key: tuple(sorted({*column} - {""})) for key, column in self.columns.items()}
        return {key: values for key, values in found.items() if values}

    @cached_property
    def active(self) -> int | None:
        """How many are not marked as inactive; None: nobody is marked."""
        inactive = self.columns.get("inactive")
        return None if inactive is None else inactive.count("")


@by_ledger
def hidden_since() -> int:
    """The last fact by which somebody was suppressed: what was made before may have the name."""
    return LAST_SUPPRESSED.values_list("seq", flat=True).first() or 0


def printed(number: int, since: int) -> Printed:
    """The columns of a list; ``since`` is :func:`hidden_since`."""
    return _read(current().folder, number, since)


@lru_cache(maxsize=6)
def _read(folder: Path, number: int, since: int) -> Printed:
    """Kept for each office, list and state of suppression."""
    del folder
    one = m.List.objects.only("columns", "not_listed").get(id=number)
    keys = {key for key, _, _ in one.columns}
    hidden = suppressed() if since else set()
    persons: list[int] = []
    ratings: list[float | None] = []
    names: list[str] = []
    rows: list[Mapping[str, Any]] = []
    found = m.ListRow.objects.filter(list=number).order_by("place")
    for person, rating, row in found.values_list("person", "rating", "printed"):
        said = hiding(row, hidden) if person in hidden else row
        persons.append(person)
        ratings.append(rating)
        names.append(str(said.get("name") or ""))
        rows.append(said)
    columns = {
        name: tuple(intern(str(row.get(key) or "")) for row in rows)
        for name, several in (
            ("federation", FEDERATION), ("club", ("club",)), ("title", ("title",)), ("sex", SEX),
        )
        for key in several
        if key in keys
    }  # fmt: skip
    if "flag" in keys:
        columns["inactive"] = tuple("i" if "i" in (row.get("flag") or "") else "" for row in rows)
    first: dict[float | None, int] = {}
    ranks = tuple(first.setdefault(rating, place) for place, rating in enumerate(ratings, 1))
    return Printed(
        tuple(persons), tuple(ratings), ranks, tuple(names),
        tuple(anyascii(name).casefold() for name in names), columns,
        {person: at for at, person in enumerate(persons)}, len(one.not_listed),
    )  # fmt: skip


def difference(old: float | None, new: float | None) -> float | None:
    """From one number of lists to another, with no more decimals than lists have."""
    return None if old is None or new is None else round(new - old, MOST_DECIMALS)


@dataclass(frozen=True)
class Moved:
    """A player who is not as on the list before; None: not on the list."""

    person: int
    name: str
    old: float | None
    new: float | None
    place: int | None

    @property
    def change(self) -> float | None:
        """By how much, where the player is on both."""
        return difference(self.old, self.new)


@lru_cache(maxsize=6)
def _compared(folder: Path, number: int, before: int, since: int) -> tuple[Moved, ...]:
    mine, then = _read(folder, number, since), _read(folder, before, since)
    found = []
    for at, person in enumerate(mine.persons):
        was = then.at.get(person)
        old = None if was is None else then.ratings[was]
        if was is None or old != mine.ratings[at]:
            found.append(Moved(person, mine.names[at], old, mine.ratings[at], mine.ranks[at]))
    for at, person in enumerate(then.persons):
        if person not in mine.at:
            found.append(Moved(person, then.names[at], then.ratings[at], None, None))
    return tuple(found)


def compared(number: int, before: int, since: int) -> tuple[Moved, ...]:
    """Who entered, left or moved, in the order of the list; who left comes at the end."""
    return _compared(current().folder, number, before, since)
