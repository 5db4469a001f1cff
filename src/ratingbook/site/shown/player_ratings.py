"""A player in each pool: on the newest list, now, and at the peak."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import zip_longest

from ratingbook.site.shown.player_printed import Printed
from ratingbook.site.shown.players import PoolRating, Result
from ratingbook.site.shown.pools import Published, now_of


def ratings_of(
    person: int, in_force: Mapping[int, Published], results: Mapping[int, Sequence[Result]],
    printed: Printed,
) -> tuple[PoolRating, ...]:  # fmt: skip
    """The pools in which the person has a rating, or results."""
    found = []
    for number, one in in_force.items():
        now, own = now_of(one, person), results.get(number, ())
        if now is None or (now.rating is None and not own):
            continue
        row = printed.newest.get(number)
        official = row.rating if row else None
        last = row.list if row and official is not None else None
        live = now.rating if now.is_published else None
        peak, peak_day = _peak(
            own, official if live is None else live, one.run.until,
            came_with_number=number not in printed.new_in,
        )  # fmt: skip
        came = own[0].day if own else one.run.until
        found.append(
            PoolRating(
                pool=one.pool.name, pool_number=number, rulebook=one.run.rulebook,
                by_lists=one.by_lists, decimals=one.decimals, official=official,
                decimals_listed=one.decimals_on(last.date) if last else one.decimals,
                list=last.id if last else None,
                list_day=last.date if last else None,
                list_revision=last.revision if last else None,
                is_to_come=last is not None and last.date > date.today(),
                now=live, games=now.games, status=now.status, last_played=now.last_played,
                peak=peak, decimals_of_peak=one.decimals_on(peak_day or came), peak_day=peak_day,
                last=own[-1] if own else None,
                is_live=official is not None and live is not None and live != official,
            )
        )  # fmt: skip
    return tuple(found)


def _peak(
    results: Sequence[Result], now: float | None, until: date, *, came_with_number: bool
) -> tuple[float | None, date | None]:
    """The highest rating that was in force so far, and from when; no day: the player came with it.

    What an office decided, beside games, reforms and corrections, is in the number of now alone.
    """
    known = [(each.after, each.day) for each in stood_of(results) if each.after is not None]
    value, day = max(known, key=lambda each: each[0], default=(None, None))
    came = results[0].before if results and came_with_number and results[0].was_listed else None
    if came is not None and (value is None or came > value):
        value, day = came, None
    if now is None or value is None or max(until, results[-1].day) > date.today():
        return value, day
    return (now, until) if now > value else (value, day)


def stood_of(results: Sequence[Result]) -> list[Result]:
    """The results whose numbers were in force so far: after events, by reforms, or on lists.

    What was added before an event, and came with a later list, was in force by itself never; nor
    was what the list of then did not have.
    """
    today = date.today()
    return [
        each
        for each, then in zip_longest(results, results[1:])
        if each.was_listed
        and each.day <= today
        and not (each.differences and then and then.day <= (each.added_with or date.max))
    ]
