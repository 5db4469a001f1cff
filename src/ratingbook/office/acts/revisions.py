"""Which published lists get a revision, when the numbers that they were made of change."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.db.models import Min

from ratingbook.office.acts import lists
from ratingbook.office.acts.published import table_of
from ratingbook.office.acts.setup import policy
from ratingbook.office.acts.snapshots import fed_of_run
from ratingbook.office.engine import Rules, standings_on
from ratingbook.office.home import Home
from ratingbook.office.store import models as m


def drafts(home: Home, run: m.Run) -> list[lists.ListDraft]:
    """The revisions that a run brings, by the policy of its pool; the oldest list first."""
    first = first_changed(run)
    reached = [] if first is None else days_from(run.pool_id, first)
    days = by_policy(run.pool, reached, run.until)
    if not days:
        return []
    rules = Rules(run.rulebook, run.parameters, run.assume)
    fed = fed_of_run(home, run)
    found = []
    changes = table_of(home, run.file_id or "")
    for day, ratings in zip(days, standings_on(fed, rules, days), strict=True):
        draft = lists.draft_of(run, day, ratings, changes, lambda: fed)
        newest = lists.newest_of(run.pool_id, day)
        if newest is not None and newest.digest != draft.digest:
            found.append(draft)
    return found


def by_policy(pool: m.Pool, days: Sequence[date], until: date) -> Sequence[date]:
    """The days whose lists a run up to a day revises, of those of lists that it reaches.

    Of the day on which it ends the run itself brings another list, which is the next revision.
    """
    reached = sorted(each for each in days if each <= until)
    wanted = policy(pool, "revise")
    chosen = reached if wanted == "affected" else reached[-1:] if wanted == "latest" else ()
    with_run = policy(pool, "lists") == "with_run"
    return [each for each in chosen if not (with_run and each == until)]


def first_changed(run: m.Run) -> date | None:
    """The day of the first published number that a run changes, if it changes any."""
    found: date | None = m.Change.objects.filter(run=run).aggregate(day=Min("batch__day"))["day"]
    return found


def days_from(pool: int, first: date) -> list[date]:
    """The days of the published lists of a pool from one on."""
    published = m.List.objects.filter(pool=pool, date__gte=first)
    return sorted(set(published.values_list("date", flat=True)))
