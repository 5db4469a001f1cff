"""What is going on when a visitor comes: a published correction, one that is asked for, a report.

The eight years before are without a fault; an office at work never is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta

from ratingbook.model import Report
from ratingbook.office.acts import asking, corrections, runs, setup
from ratingbook.office.demo import world
from ratingbook.office.home import Home
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who

_DIRECTOR = "invented-director"
_OTHERWISE = {0: "1-0", 1: "0-1", 2: "0-1"}
"""Another result of a game, by the half points of White."""


def correct(home: Home, plan: world.Plan, who: Callable[[date], Who]) -> int:
    """A score sheet turned up: lists of the last year get revisions. How many lists came."""
    day = date(world.FIRST_YEAR + world.YEARS, 1, 8)
    first, second = _reports_of(plan, day.year - 1)[:2]
    director = replace(who(day), actor=_DIRECTOR)
    setup.add_actor(_DIRECTOR, ["director"], who(day))
    setup.set_policies(plan.pool, {"revise": "affected"}, "lists are to be right", who(day))
    asked = corrections.ask(
        home, [_other_result(first)], "The score sheet says so", director
    )  # fmt: skip
    corrections.accept(home, asked.id, who(day + timedelta(days=2)))
    made = runs.make(home, plan.pool, date(day.year, 1, 1), who(day + timedelta(days=3)))
    runs.approve(made.run.id, who(day + timedelta(days=3)))
    published = runs.publish(home, made.run.id, who(day + timedelta(days=3)))
    later = replace(who(day + timedelta(days=6)), actor=_DIRECTOR)
    corrections.ask(home, [_other_result(second)], "The players have signed another one", later)
    return len(published.lists)


def _reports_of(plan: world.Plan, year: int) -> Sequence[int]:
    """The reports of a pool's year, by the day of their events."""
    pool = setup.pool_named(plan.pool).id
    sections = m.Section.objects.filter(pool=pool, start__year=year).order_by("start")
    return list(sections.values_list("version__report", flat=True))


def _other_result(report: int) -> asking.Content:
    """Another result of the first game of a report."""
    game = m.Game.objects.get(section__version__report=report, number=1)
    return asking.game(report, 1, _OTHERWISE[game.half_points or 0])


def to_look_at(plan: world.Plan) -> tuple[str, Report]:
    """A report of the new year, in which somebody has no number and a name with slips."""
    format_, report = next(world.reports(plan, world.FIRST_YEAR + world.YEARS))
    first, *others = report.entries
    slipped = replace(first, name=first.name.replace("a", "e", 1), ids={})
    return format_, replace(report, entries=(slipped, *others))
