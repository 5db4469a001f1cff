"""How far a correction reaches: the published numbers that it changes, and which lists."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.office.logic.comparing import Differing, published
from ratingbook.office.logic.digests import table_digest
from ratingbook.office.logic.effects import OPENED, At, Number, Side, figures, key_of_list
from ratingbook.rules.rounding import as_published

Standing = Callable[[int, date, str], float | None]
"""Gives the rating of a person within a day, after a batch."""
REACH = pa.schema(
    {
        "pool": pa.int64(), "key": pa.string(), "day": pa.date32(), "person": pa.int64(),
        "turn": pa.int32(), "was_before": pa.float64(), "was_after": pa.float64(),
        "before": pa.float64(), "after": pa.float64(), "was_games": pa.int32(),
        "games": pa.int32(), "was_score": pa.float64(), "score": pa.float64(),
    }
)  # fmt: skip
"""A row for each published row that differs; without ``was_games`` it is new, without ``games``
it is gone.  A new one has as ``was_before`` and ``was_after`` how its person stood without it.
Without both it is of no batch: a difference on a list, or another rating of who has no game."""
_NUMBERS = ("before", "after", "games", "score")


_Hidden = Mapping[int, date]
"""After which day nothing is published of those whose rating the rules hold back."""


def reach(
    pool: int, found: Differing, was: pa.Table, decimals: int, standing: Standing,
    hidden: tuple[_Hidden, _Hidden] = ({}, {}),
) -> pa.Table:  # fmt: skip
    """The published rows that differ, old beside new, by batch and person.

    ``standing`` knows how persons stand without what differs.  What is ``hidden``, without it and
    with it, has no ratings.
    """
    rows: dict[tuple[str, int, int], dict[str, Any]] = {}
    keys = pc.unique(found.rows["key"]).to_pylist() if len(found.rows) else []
    old = published(was, decimals)
    mine = old.filter(pc.is_in(old["key"], value_set=pa.array(keys, pa.string())))
    known = {_key(each): each for each in mine.to_pylist()}
    for each in found.rows.to_pylist():
        row = rows[_key(each)] = {"day": each["date"], **{n: each[n] for n in _NUMBERS}}
        before = known.get(_key(each))
        if before is not None:
            row |= {f"was_{name}": before[name] for name in _NUMBERS} | {"was_day": before["date"]}
        else:
            stood = standing(int(each["player"]), each["date"], each["key"])
            row |= {"was_before": stood, "was_after": stood}
    for each in found.gone.to_pylist():
        row = rows[_key(each)] = {"day": each["date"]}
        row |= {f"was_{name}": each[name] for name in _NUMBERS}
    for (_, person, _), row in rows.items():
        for which, some in zip(("was_", ""), hidden, strict=True):
            if row.get(f"{which}day", row["day"]) > some.get(person, date.max):
                row |= {f"{which}before": None, f"{which}after": None}
    said = [
        {"pool": pool, "key": key, "person": person, "turn": turn, **rows[key, person, turn]}
        for key, person, turn in sorted(rows)
    ]
    return pa.Table.from_pylist(said, REACH)


def _key(row: Mapping[str, Any]) -> tuple[str, int, int]:
    return row["key"], int(row["player"]), row["turn"]


def digest(parts: Iterable[pa.Table]) -> str:
    """SHA-256 over what differs."""
    return hashlib.sha256("\n".join(map(table_digest, parts)).encode()).hexdigest()


_LISTED = "listed"


def crossings(
    old: Side, own: Side, reached: Iterable[At], marks: Sequence[float], told: Iterable[Number]
) -> list[dict[str, Any]]:
    """The published ratings of the past that are on the other side of a mark now.

    With the one that somebody *entered* an event or a period with, the limits of its prizes and
    groups were judged; one that was *left* reached a title, or fell below a floor.  One that was
    *listed*, on a list that is going to be revised, is of no batch: whoever came in with a rating
    is shown with it.  Each is told once, however many games were rated one by one between the first
    and the last of a batch.  ``own`` is what corrections have made of the old ones by themselves.
    """
    found = []
    for key, person in sorted(reached) if marks else ():
        rows = own.turns(key, person)
        if not rows or not old.turns(key, person):
            continue
        day, both = own.day(key, person), (old.courses[person], own.courses[person])
        # What one has between two games of an event is published nowhere.
        for word in ("entered", "left"):
            was, now = (getattr(course, word)(key) for course in both)
            if was is None or now is None:
                continue
            found += [
                {"person": person, "mark": mark, "batch": key,
                 "day": str(day), "rating": word, "was": was, "now": now}
                for mark in marks if (was < mark) != (now < mark)
            ]  # fmt: skip
    known = {(x["person"], x["mark"], x["was"], x["now"]) for x in found}
    for each in told if marks else ():
        # Lists go on showing what one has, until it becomes another one.
        if each.is_on_list and each.was is not None and each.now is not None:
            for mark in marks:
                at = each.person, mark, each.was, each.now
                if (each.was < mark) != (each.now < mark) and at not in known:
                    known.add(at)
                    found.append(
                        {"person": each.person, "mark": mark, "batch": each.key,
                         "day": str(each.day), "rating": _LISTED, "was": each.was, "now": each.now}
                    )  # fmt: skip
    return found


@dataclass(frozen=True)
class OnNextList:
    """What corrections add to ratings from a day on, where nothing is rated again."""

    day: date
    values: Mapping[int, float]
    """By person, never 0."""
    sections: tuple[int, ...]
    """Those that stay rated as they are known at ``as_of``."""
    as_of: int


def rows_on_next_list(
    pool: int, made: OnNextList, ratings: Mapping[int, float], decimals: int
) -> pa.Table:
    """A row for each person: the rating as it is published, and with the difference."""
    rows = []
    for person, value in sorted(made.values.items()):
        was = ratings[person]
        both = [as_published(each, decimals) for each in (was, was + value)]
        rows.append(
            {
                "pool": pool, "key": key_of_list(made.day), "day": made.day, "person": person,
                "turn": 0, "was_after": both[0], "after": both[1],
            }
        )  # fmt: skip
    return pa.Table.from_pylist(rows, REACH)


def rows_of_opened(
    pool: int, day: date, was: Mapping[int, float], now: Mapping[int, float], people: Iterable[int]
) -> pa.Table:
    """A row for each of those without a rated game who come in with another rating."""
    rows = [
        {
            "pool": pool, "key": OPENED, "day": day, "person": person, "turn": 0,
            "was_after": was.get(person), "after": now.get(person),
        }
        for person in sorted(people) if was.get(person) != now.get(person)
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, REACH)


@dataclass(frozen=True)
class Reach:
    """What a correction changes in one pool."""

    pool: str
    rows: pa.Table
    """What is otherwise than without it, whatever else has come since the last publication."""
    report: Mapping[str, Any]
    lists: tuple[date, ...]
    """The days of those with a number that would become another one."""
    numbers: tuple[Number, ...] = ()
    """The ratings of now that are published and would become others."""
    changed: frozenset[int] = frozenset()
    """Who has another rating at the end: a run tells these."""
    made: OnNextList | None = None
    """What goes on the next list instead of being rated again."""
    rated_again: str = ""
    """Why it is rated again, though the pool puts corrections on the next list."""
    columns: Mapping[date, Sequence[str]] = field(default_factory=dict)
    """By day the titles of the columns in which numbers of a list that is made anew are others."""
    merged: Mapping[int, int] = field(default_factory=dict)
    """Of those who have a number that would become another one, who is somebody else, and who."""

    @property
    def players(self) -> int:
        """Persons with a published number that becomes another one."""
        return figures(self.numbers).players

    @property
    def batches(self) -> int:
        """Batches with one."""
        return figures(self.numbers).batches
