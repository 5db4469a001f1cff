"""Dates that stand in for birth dates, so that ratings can be made again by anybody.

Rules ask of a birth date whether somebody is a junior, no more; which answer they got shows in the
ratings.  So the first date by which they would get the same answers in all events of a player says
no more than the ratings do, and whoever has it can rate as the office did.  Who never counts as
anything else than without a date has none.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.office.engine.fed import BORN_IN, Born, Fed
from ratingbook.rules.bulk import EPOCH, NOT_GIVEN, birthday, day_number
from ratingbook.rules.series import BookOrSeries

FIRST_DAY = day_number(date(1900, 1, 1))
"""Nobody is said to be older."""
_Answer = Callable[[int, int], object]
"""Of a birth date and a day: what the rules make of it."""
Alike = Callable[[str, Born | None, Born | None], bool]
"""Of a player and two births: whether the rules make the same of them."""


def with_stand_ins(fed: Fed, book: BookOrSeries) -> tuple[Fed, int] | None:
    """What is fed, with the stand-ins for birth dates, and how many there are.

    None where the rules make more of a birth date than can be said without it.
    """
    answer = _answers(book)
    if answer is None or fed.players is None:
        return None
    days = _days_of_players(fed)
    found: dict[str, date | None] = {}
    for player, born in fed.births.items():
        day = None if born is None else _stand_in(first_day_of(born), days.get(player, ()), answer)
        found[player] = None if day is None else EPOCH + timedelta(days=day)
    stand_ins = fed.born(found).without(BORN_IN)
    return stand_ins, sum(each is not None for each in found.values())


def asks_for_ages(book: BookOrSeries) -> bool:
    """Whether the rules say what they make of a birth date."""
    return _answers(book) is not None


def alike_in(
    fed: Fed, book: BookOrSeries
) -> Callable[[str, Born | None, Born | None], bool] | None:
    """Whether the rules get the same answers of a player by two births, in all of the games.

    None: they need no date, or make more of it.
    """
    answer = _answers(book)
    if answer is None:
        return None
    days = _days_of_players(fed)

    def alike(player: str, one: Born | None, other: Born | None) -> bool:
        first, second = map(first_day_of, (one, other))
        return all(answer(first, day) == answer(second, day) for day in days.get(player, ()))

    return alike


def first_day_of(born: Born | None) -> int:
    """The day of a birth as rules take it: of a year alone its first one."""
    if born is None:
        return NOT_GIVEN
    return birthday(NOT_GIVEN, born) if isinstance(born, int) else day_number(born)


def _answers(book: BookOrSeries) -> _Answer | None:
    """What the rules make of a birth date; None: more than can be said without it, or nothing."""
    seen = None if book.bulk is None else book.bulk.age_seen
    if seen is None:
        return None
    parameters = cache(lambda day: book.edition(day).on(day).parameters)

    @cache
    def answer(birth: int, day: int) -> object:
        return seen(birth, day, parameters(EPOCH + timedelta(days=day)))

    return answer


def _stand_in(birth: int, days: Any, answer: _Answer) -> int | None:
    """The first date that gets the same answers on all days; None: no date at all does."""

    def is_same(other: int) -> bool:
        return all(answer(other, day) == answer(birth, day) for day in days)

    if is_same(NOT_GIVEN):
        return None
    # Who is younger has the same answers or those of somebody younger: there is one bound.
    return first_day(is_same, FIRST_DAY, max(birth, FIRST_DAY))


def first_day(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The first day from ``low`` on for which something holds, as it does from then to ``high``."""
    return low + bisect_left(range(low, high), True, key=holds)


def _days_of_players(fed: Fed) -> dict[str, list[int]]:
    """The days on which rules may ask for the age of each player, by their games."""
    games = fed.games
    columns = [games[name] for name in ("date", "start") if name in games.column_names]
    if fed.events is not None and "event" in games.column_names:
        at = pc.index_in(games["event"], value_set=fed.events["event"].combine_chunks())
        columns += [
            fed.events[name].take(at) for name in ("start", "end")
            if name in fed.events.column_names
        ]  # fmt: skip
    pairs = [
        np.stack([_numbers(games[side]), _days(column)])
        for side in ("white", "black")
        for column in columns
    ]
    found: dict[str, list[int]] = {}
    if pairs:
        every = np.unique(np.concatenate(pairs, axis=1), axis=1)
        for player, day in every[:, every[1] != NOT_GIVEN].T.tolist():
            found.setdefault(str(player), []).append(day)
    return found


def _numbers(column: pa.ChunkedArray) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.asarray(column.cast(pa.int64()))


def _days(column: pa.ChunkedArray) -> np.ndarray[Any, np.dtype[np.int64]]:
    days = pc.fill_null(column.cast(pa.int32()), NOT_GIVEN)
    return np.asarray(days).astype(np.int64)
