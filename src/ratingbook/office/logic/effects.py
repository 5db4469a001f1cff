"""What corrections changed of the numbers that were published, and which of them did.

Two generations of published numbers are laid beside each other, person by person. Of what
differs a correction is a cause if it reaches the number and does not merely bring back what was
published: several that one run brings are told of together, for nobody ever saw what each would
have made by itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.office.logic.comparing import published

At = tuple[str, int]
"""A batch and a person."""
_DECIMALS = 6
"""No list has more: a difference of two numbers has none that are not theirs."""


class Row(NamedTuple):
    """A person's published row of a batch."""

    before: float | None
    after: float | None
    games: int | None
    score: float | None


Turns = Mapping[int, Row]
"""The rows of a person in a batch: several where a book rates game by game."""


@dataclass
class Course:
    """A person's published rows, batch by batch."""

    days: dict[str, date] = field(default_factory=dict)
    turns: dict[str, dict[int, Row]] = field(default_factory=dict)
    _order: list[tuple[date, str]] | None = None

    def put(self, key: str, turn: int, day: date, row: Row) -> None:
        """Enter a row."""
        self.days[key] = day
        self.turns.setdefault(key, {})[turn] = row
        self._order = None

    def drop(self, key: str, turn: int) -> None:
        """Take a row out."""
        turns = self.turns.get(key, {})
        turns.pop(turn, None)
        if not turns:
            self.turns.pop(key, None)
            self.days.pop(key, None)
        self._order = None

    def copy(self) -> Course:
        """The same, to be changed."""
        return Course(dict(self.days), {key: dict(some) for key, some in self.turns.items()})

    @property
    def order(self) -> list[tuple[date, str]]:
        """The batches in their order."""
        if self._order is None:
            self._order = sorted((day, key) for key, day in self.days.items())
        return self._order

    def last(self, day: date, key: str | None = None) -> str | None:
        """The last batch up to a day, and within the day up to a key."""
        order = self.order
        found = (
            bisect_right(order, day, key=lambda at: at[0])
            if key is None
            else bisect_right(order, (day, key))
        )
        return order[found - 1][1] if found else None

    def left(self, key: str) -> float | None:
        """The rating that a batch left."""
        turns = self.turns[key]
        return turns[max(turns)].after

    @property
    def begun(self) -> float | None:
        """The rating with which the first batch was entered."""
        if not self.order:
            return None
        turns = self.turns[self.order[0][1]]
        return turns[min(turns)].before


@dataclass(frozen=True)
class Side:
    """What was published of some persons."""

    courses: Mapping[int, Course]
    ratings: Mapping[int, float]
    """In force at the end, also of who came in with a rating and has no rows."""

    def turns(self, key: str, person: int) -> dict[int, Row]:
        """The rows of a person in a batch."""
        course = self.courses.get(person)
        return {} if course is None else course.turns.get(key, {})

    def day(self, key: str, person: int) -> date | None:
        """When the batch was, for the person."""
        course = self.courses.get(person)
        return None if course is None else course.days.get(key)

    def last(self, person: int, day: date, key: str | None = None) -> str | None:
        """The last batch of a person up to a day, and within the day up to a key."""
        course = self.courses.get(person)
        return None if course is None else course.last(day, key)

    def standing(self, person: int, key: str | None) -> float | None:
        """The rating after a batch; before the first the one with which somebody came in."""
        course = self.courses.get(person)
        if course is None or not course.order:
            return self.ratings.get(person)
        return course.begun if key is None else course.left(key)


def side(table: pa.Table, ratings: Mapping[int, float], decimals: int) -> Side:
    """The published numbers of the persons of a table of rows."""
    found: dict[int, Course] = {}
    for row in published(table, decimals).to_pylist():
        course = found.setdefault(int(row["player"]), Course())
        said = Row(row["before"], row["after"], row["games"], row["score"])
        course.put(row["key"], row["turn"], row["date"], said)
    return Side(found, ratings)


def overlaid(old: Side, reached: pa.Table, ratings: Mapping[int, float]) -> Side:
    """What is published as a correction leaves it by itself."""
    found = {person: course.copy() for person, course in old.courses.items()}
    for row in reached.to_pylist():
        course = found.setdefault(row["person"], Course())
        course.drop(row["key"], row["turn"])
        if row["games"] is not None:
            course.put(row["key"], row["turn"], row["day"], _made(row))
    return Side(found, ratings)


def _made(row: Mapping[str, Any]) -> Row:
    return Row(row["before"], row["after"], row["games"], row["score"])


@dataclass(frozen=True)
class Number:
    """A published rating that became another one."""

    pool: int
    key: str
    """The batch after which it stands."""
    day: date
    person: int
    was: float | None
    now: float | None
    corrections: tuple[int, ...]
    """Those that made it so, together."""
    is_added: bool = False
    """Whether it is a difference on the next list, and nothing was rated again."""

    @property
    def change(self) -> float | None:
        """From one to the other."""
        if self.was is None or self.now is None:
            return None
        return round(self.now - self.was, _DECIMALS)


@dataclass(frozen=True)
class OnList:
    """A rating on the list of a day that became another one."""

    pool: int
    day: date
    person: int
    was: float | None
    now: float | None
    corrections: tuple[int, ...]


def causes(old: Side, reached: Mapping[int, pa.Table]) -> dict[At, tuple[int, ...]]:
    """By batch and person the corrections that reach more than what was published already."""
    found: dict[At, list[int]] = {}
    for number, table in reached.items():
        made: dict[At, dict[int, Row | None]] = {}
        for row in table.to_pylist():
            turns = made.setdefault((row["key"], row["person"]), {})
            turns[row["turn"]] = None if row["games"] is None else _made(row)
        for at, turns in made.items():
            then = old.turns(*at)
            if any(then.get(turn) != row for turn, row in turns.items()):
                found.setdefault(at, []).append(number)
    return {at: tuple(sorted(some)) for at, some in found.items()}


def numbers(pool: int, old: Side, new: Side, reached: Mapping[At, tuple[int, ...]]) -> list[Number]:
    """The numbers that were published otherwise, in their order."""
    found = []
    for (key, person), corrections in reached.items():
        days = new.day(key, person), old.day(key, person)
        day = days[0] or days[1]
        if day is None or (old.turns(key, person) == new.turns(key, person) and days[0] == days[1]):
            continue
        was, now = (
            each.standing(person, key if own else each.last(person, day, key))
            for each, own in zip((old, new), reversed(days), strict=True)
        )
        found.append(Number(pool, key, day, person, was, now, corrections))
    return sorted(found, key=lambda each: (each.day, each.key, each.person))


def on_lists(
    pool: int, old: Side, new: Side, reached: Mapping[At, tuple[int, ...]], days: Iterable[date]
) -> list[OnList]:
    """The ratings on the lists of these days that became others."""
    found, people = [], sorted({person for _, person in reached})
    for day in sorted(days):
        for person in people:
            keys = [each.last(person, day) for each in (old, new)]
            corrections = {x for key in keys if key for x in reached.get((key, person), ())}
            was, now = (
                each.standing(person, key) for each, key in zip((old, new), keys, strict=True)
            )
            if corrections and was != now:
                found.append(OnList(pool, day, person, was, now, tuple(sorted(corrections))))
    return found


@dataclass(frozen=True)
class Figures:
    """How much it is, in the numbers that were published."""

    players: int
    """Persons of whom one is otherwise, each counted once in all pools."""
    batches: int
    largest: float | None
    """The largest difference of one of these numbers."""


def figures(some: Sequence[Number]) -> Figures:
    """What is told of these numbers in short."""
    changes = [abs(each.change) for each in some if each.change is not None]
    return Figures(
        players=len({each.person for each in some}),
        batches=len({(each.pool, each.key) for each in some if not each.is_added}),
        largest=max(changes, default=None),
    )


def of_persons(table: pa.Table, people: Iterable[int]) -> pa.Table:
    """The rows of some persons."""
    wanted = pa.array(sorted(map(str, people)), pa.string())
    return table.filter(pc.is_in(table["player"].cast(pa.string()), value_set=wanted))
