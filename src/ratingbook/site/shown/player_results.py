"""The rows of a pool that hold, each with what was published first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby
from typing import Any

from ratingbook.model.decimals import change_of
from ratingbook.site.shown.games import GameOf
from ratingbook.site.shown.player_events import Batch, Event, events_by_batch
from ratingbook.site.shown.players import PoolRating, Result
from ratingbook.site.shown.pools import Published, expected_of
from ratingbook.site.shown.revised import is_revised


def last_rated(results: Sequence[Result]) -> Result | None:
    """The last result with a game."""
    return next((each for each in reversed(results) if each.games), None)


def on_their_days(
    pools: Iterable[PoolRating], results: Mapping[int, Sequence[Result]],
    games: Mapping[Batch, Sequence[GameOf]],
) -> tuple[PoolRating, ...]:  # fmt: skip
    """The pools with the day of the last own game: a run knows that of the batch only."""
    found = []
    for each in pools:
        last = last_rated(results.get(each.pool_number, ()))
        own = games.get(last.batch, ()) if last else ()
        days = [day for game in own if (day := game.end or game.named.end)]
        found.append(replace(each, last_played=max(days)) if days else each)
    return tuple(found)


def begun_first(one: Published, versions: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """By batch the number with which it began as it was first published."""
    found: dict[str, float] = {}
    for each in versions:
        number = one.rounded(each["before"], each["day"])
        if number is not None and not each["gone"]:
            found.setdefault(each["key"], number)
    return found


def results_in(
    one: Published,
    person: int,
    versions: Sequence[Mapping[str, Any]],
    events: Iterable[Event],
    reached: Mapping[tuple[int, str], tuple[int, ...]],
) -> list[Result]:
    """The rows that hold, oldest first, each with what was published first."""
    named = events_by_batch(one, events)
    expected = expected_of(one, person, {each["key"] for each in versions})
    found = []
    for key, some in groupby(versions, key=lambda each: str(each["key"])):
        every = list(some)
        turns = [list(rows) for _, rows in groupby(every, key=lambda each: each["turn"])]
        hold = [rows[-1] for rows in turns if not rows[-1]["gone"]]
        if not hold:
            continue
        first = [rows[0] for rows in turns if not rows[0]["gone"]]
        day = hold[-1]["day"]
        was = one.rounded(first[-1]["after"], day) if first else None
        before, after = (
            one.rounded(hold[0]["before"], day), one.rounded(hold[-1]["after"], day),
        )  # fmt: skip
        found.append(
            Result(
                pool=one.pool.name, pool_number=one.pool.id, key=key, day=day,
                events=tuple(sorted(named.get(key, ()), key=lambda e: e.end or date.min)),
                games=sum(each["games"] for each in hold),
                score=sum(each["score"] for each in hold), expected=expected.get(key),
                average=None, performance=None,
                before=before, after=after,
                change=change_of(before, after), first=was if was != after else None,
                is_revised=is_revised(one, every), is_published=True,
                corrections=reached.get((one.pool.id, key), ()),
                decimals=one.decimals_on(day), decimals_before=one.decimals_on(day),
            )
        )  # fmt: skip
    return found
