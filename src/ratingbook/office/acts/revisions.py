"""Which published lists get a revision, when the numbers that they were made of change."""

from __future__ import annotations

from datetime import date

from django.db.models import Min

from ratingbook.office.acts import lists
from ratingbook.office.acts.published import table_of
from ratingbook.office.acts.setup import policy
from ratingbook.office.acts.snapshots import fed_of
from ratingbook.office.engine import Rules, standings_on
from ratingbook.office.home import Home
from ratingbook.office.store import models as m


def drafts(home: Home, run: m.Run) -> list[lists.ListDraft]:
    """The revisions that a run brings, by the policy of its pool; the oldest list first."""
    wanted = policy(run.pool, "revise")
    days = [] if wanted == "none" else _days(run)
    if wanted == "latest":
        days = days[-1:]
    if not days:
        return []
    rules = Rules(run.rulebook, run.parameters, run.assume)
    fed = fed_of(home, run.pool_id, run.upto)
    found = []
    changes = table_of(home, run.file_id or "")
    for day, ratings in zip(days, standings_on(fed, rules, days), strict=True):
        draft = lists.draft_of(run, day, ratings, changes)
        newest = lists.newest_of(run.pool_id, day)
        if newest is not None and newest.digest != draft.digest:
            found.append(draft)
    return found


def _days(run: m.Run) -> list[date]:
    """The days of lists from the first number on that the run changes, but its own last day."""
    first = m.Change.objects.filter(run=run).aggregate(day=Min("batch__day"))["day"]
    if first is None:
        return []
    published = m.List.objects.filter(pool=run.pool_id, date__gte=first, date__lt=run.until)
    return sorted(set(published.values_list("date", flat=True)))
