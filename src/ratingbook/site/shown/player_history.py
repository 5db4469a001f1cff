"""The graph of a player's rating in a pool."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from ratingbook.site.shown.charts import Point, stair
from ratingbook.site.shown.player_ratings import stood_of
from ratingbook.site.shown.players import History, PoolRating, Result
from ratingbook.site.shown.pools import Published

_MOST_POINTS = 120
"""Changes in a graph; what was before stands in the table of results."""


def in_graph(results: Sequence[Result]) -> Sequence[Result]:
    """The changes that the graph has room for."""
    return [each for each in results if each.after is not None][-_MOST_POINTS:]


def history_of(
    one: Published, rating: PoolRating, results: Sequence[Result], *, came_with_number: bool
) -> History | None:
    """The graph of a pool; None: there is nothing to draw."""
    shown = in_graph(results)
    if not shown:
        return None
    points = [
        Point(each.day, each.after or 0.0, each.decimals, each.first, bool(each.corrections))
        for each in shown
    ]
    is_shortened = len(shown) < sum(each.after is not None for each in results)
    if came_with_number and shown[0].before is not None and not is_shortened:
        # With what the player came in, a month before the first change.
        before = points[0].day - timedelta(days=30)
        points.insert(0, Point(before, shown[0].before, shown[0].decimals_before))
    end = max(filter(None, (rating.list_day, points[-1].day)))
    stood = {each.day for each in stood_of(shown)}
    in_force = [
        each for each in points
        if each.day in stood or (each.day < shown[0].day and shown[0].was_listed)
    ]  # fmt: skip
    first = in_force[0] if in_force else points[-1]
    best = max(in_force, key=lambda each: each.value, default=points[-1])
    at_begin = best is points[0] and best.day < shown[0].day
    return History(
        pool=one.pool.name, decimals=one.decimals,
        chart=stair(points, first, best, end), begin=points[0].day, end=end,
        first=first.value, last=points[-1].value, peak=best.value,
        peak_day=None if at_begin else best.day,
        revised=sum(each.first is not None for each in shown),
        is_shortened=is_shortened, rows=tuple(reversed(shown)),
    )  # fmt: skip
