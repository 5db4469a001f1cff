"""A published list in memory: it never changes, so it is read from its rows once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from sys import intern
from threading import Lock
from typing import Any

import numpy as np
import pyarrow.compute as pc
from anyascii import anyascii

from ratingbook.model import Entry
from ratingbook.model.decimals import change_of
from ratingbook.office.acts.decisions import openings_held
from ratingbook.office.acts.published import table_of
from ratingbook.office.acts.registry import LAST_SUPPRESSED, suppressed
from ratingbook.office.acts.setup import MOST_DECIMALS
from ratingbook.office.caching import CacheBySize
from ratingbook.office.engine.rules import Rules
from ratingbook.office.home import current
from ratingbook.office.logic.lines import masked
from ratingbook.office.logic.masked import SUPPRESSED
from ratingbook.office.logic.newcomers import standing_of
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import is_any
from ratingbook.rules.listing import Member
from ratingbook.site.shown.kept import by_facts

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
    """Federation, club, title and sex, where the list prints them; ``inactive`` by its rules, and
    ``active``: who is not, and has played."""
    at: Mapping[int, int]
    """Where in the columns a person stands."""
    not_listed: int

    @cached_property
    def values(self) -> Mapping[str, tuple[str, ...]]:
        """What stands in each column that says anything, sorted."""
        found = {key: tuple(sorted({*column} - {""})) for key, column in self.columns.items()}
        return {key: values for key, values in found.items() if values}

    @cached_property
    def decimals(self) -> int:
        """Of its ratings: as many as one of them has."""
        known = np.array([each for each in self.ratings if each is not None])
        return next(
            (n for n in range(MOST_DECIMALS) if np.array_equal(known, known.round(n))),
            MOST_DECIMALS,
        )

    @cached_property
    def active(self) -> int | None:
        """How many have played and are not marked as inactive; None: nobody is marked."""
        active = self.columns.get("active")
        return None if active is None else len(active) - active.count("")


@by_facts(SUPPRESSED)
def hidden_since() -> int:
    """The last fact by which somebody was suppressed: what was made before may have the name."""
    last = LAST_SUPPRESSED.values_list("seq", flat=True)
    return (last.first() if is_any(SUPPRESSED) else None) or 0


_MOST = 600_000
"""Lines of the lists that are kept; a hundred thousand take tens of megabytes."""
_read: OrderedDict[tuple[Path, int, int], Printed] = OrderedDict()
"""By office, list and state of suppression."""
_lock = Lock()


def printed(number: int, since: int) -> Printed:
    """The columns of a list; ``since`` is :func:`hidden_since`."""
    return several([number], since)[0]


def several(numbers: Sequence[int], since: int) -> list[Printed]:
    """The columns of some lists, of which those that are not known are read together."""
    keys = {number: (current().folder, number, since) for number in numbers}
    with _lock:
        known = {number: _read[key] for number, key in keys.items() if key in _read}
    known |= _from_rows([each for each in keys if each not in known], since)
    with _lock:
        for number, key in keys.items():
            _read[key] = known[number]
            _read.move_to_end(key)
        total = sum(len(each.persons) for each in _read.values())
        while total > _MOST and len(_read) > len(keys):
            total -= len(_read.popitem(last=False)[1].persons)
    return [known[number] for number in numbers]


_Row = tuple[int, float | None, Mapping[str, Any]]
"""Person, rating, and what is printed."""


def _from_rows(numbers: Sequence[int], since: int) -> dict[int, Printed]:
    if not numbers:
        return {}
    lists = (
        m.List.objects.select_related("run", "pool").defer("statistics", "facts").in_bulk(numbers)
    )
    hidden = suppressed() if since else set()
    found = {number: _of_rows(one, (), hidden) for number, one in lists.items()}
    every = m.ListRow.objects.filter(list__in=numbers).order_by("list", "place")
    rows = every.values_list("list", "person", "rating", "printed").iterator()
    # What is printed in the rows is large: of one list at a time.
    for number, of_list in groupby(rows, key=itemgetter(0)):
        found[number] = _of_rows(lists[number], (row[1:] for row in of_list), hidden)
    return found


def _of_rows(one: m.List, found: Iterable[_Row], hidden: Set[int]) -> Printed:
    keys = {key for key, _, _ in one.columns}
    persons: list[int] = []
    ratings: list[float | None] = []
    names: list[str] = []
    rows: list[Mapping[str, Any]] = []
    for person, rating, row in found:
        said = masked(row) if person in hidden else row
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
        columns["inactive"] = tuple("i" if _is_inactive(row) else "" for row in rows)
        unmarked = {
            person: rating
            for person, rating, row in zip(persons, ratings, rows, strict=True)
            if not _is_inactive(row)
        }
        active = unmarked.keys() & _active(one, unmarked) if rows else set()
        columns["active"] = tuple("a" if person in active else "" for person in persons)
    first: dict[float | None, int] = {}
    ranks = tuple(first.setdefault(rating, place) for place, rating in enumerate(ratings, 1))
    return Printed(
        tuple(persons), tuple(ratings), ranks, tuple(names),
        tuple(anyascii(name).casefold() for name in names), columns,
        {person: at for at, person in enumerate(persons)}, len(one.not_listed),
    )  # fmt: skip


def _active(one: m.List, ratings: Mapping[int, float | None]) -> set[int]:
    """Who of those whom a list does not mark as inactive has played, as far as its run knew.

    Rules call nobody inactive of whom no day of play is known: whoever was imported has played by
    what the import says, and by that day the rules are asked again.
    """
    home, run = current(), one.run
    last = table_of(home, run.ratings_id or "", ["player", "last_played"])
    before = last.filter(pc.less_equal(last["last_played"], one.date))
    found = set(before["player"].to_pylist())
    after = last.filter(pc.greater(last["last_played"], one.date))
    if len(after):
        # An older list that was revised: some of these have played before it, too.
        was = (pc.field("date") <= one.date) & pc.field("player").isin(after["player"].to_pylist())
        rows = table_of(home, run.file_id or "", ["player", "date"], was)
        found |= set(pc.unique(rows["player"]).to_pylist())
    played = set(map(int, found))
    return played | _active_by_import(one, {k: v for k, v in ratings.items() if k not in played})


def _active_by_import(one: m.List, ratings: Mapping[int, float | None]) -> set[int]:
    """Who is not inactive by the rules and the day of play that came with an import."""
    said = openings_held(one.pool, set(ratings), one.run.upto) if ratings else {}
    members = [
        Member(Entry(str(person), standing=replace(
            standing_of({"last_played": value["last_played"]}), rating=ratings[person]
        )))
        for person, value in said.items() if value.get("last_played")
    ]  # fmt: skip
    if not members:
        return set()
    run = one.run
    edition = Rules(run.rulebook, run.parameters, run.assume).book().edition(one.date)
    rows = edition.on(one.date).listing(members, one.date).rows
    return {int(str(row["id"])) for row in rows if not _is_inactive(row)}


def _is_inactive(row: Mapping[str, Any]) -> bool:
    """Whether the rules of a list mark a line of it so."""
    return "i" in (row.get("flag") or "")


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
        return change_of(self.old, self.new)


@CacheBySize(_MOST)
def _compared(folder: Path, number: int, before: int, since: int) -> tuple[Moved, ...]:
    del folder
    mine, then = several([number, before], since)
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
