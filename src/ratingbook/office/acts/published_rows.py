"""Which rows of a person's history made a rating that the rules published."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Min

from ratingbook.office.acts.decisions import opened_in
from ratingbook.office.acts.explain import derived
from ratingbook.office.acts.lists import rules_of_run
from ratingbook.office.acts.people import one_with
from ratingbook.office.acts.published import history_of
from ratingbook.office.acts.unpublished import lines_at, public_until
from ratingbook.office.engine.lists import is_rated_by_lists
from ratingbook.office.home import Home
from ratingbook.office.store import models as m


class Made(NamedTuple):
    """A row, as far as it says whether its number is public."""

    key: str
    day: date
    has_number: bool


def first_not_published(
    home: Home, run: m.Run, person: int, rows: Iterable[Made], listed: date
) -> int:
    """How many of the first rows the rules did not publish, of who came in without a rating.

    An office may have made no lists of then, so its lists alone do not tell.  From the day on
    which one of them first ``listed`` the person nothing is asked.
    """
    count = 0
    for at, each in enumerate(rows, 1):
        if each.day >= listed:
            break
        if not each.has_number:
            continue
        if derived(home, run, person, each.key)[-1].row.published:
            break
        count = at
    return count


def told_history(
    home: Home, pool: m.Pool, person: int, seq: int | None = None
) -> list[dict[str, Any]]:
    """A person's changes as published, each with whether its rating is: ``published``."""
    rows = history_of(pool, person, seq)
    upto = pool.head if seq is None else seq
    publication = m.Publication.objects.filter(pool=pool, seq__lte=upto).order_by("-seq").first()
    if not rows or publication is None:
        return rows
    run = publication.run
    until = public_until(home, run, publication.seq, [person]).get(person, date.max)
    hidden = _first(home, run, publication.seq, person, rows)
    return [
        {**each, "published": at >= hidden and each["day"] <= until}
        for at, each in enumerate(rows)
    ]  # fmt: skip


def _first(home: Home, run: m.Run, seq: int, person: int, rows: Sequence[Mapping[str, Any]]) -> int:
    if not is_rated_by_lists(rules_of_run(run)) or opened_in([run.pool_id], one_with(person)):
        return 0
    lines = lines_at(run.pool_id, seq).filter(person=person)
    listed = lines.aggregate(first=Min("list__date"))["first"] or date.max
    made = [Made(each["key"], each["day"], each["after"] is not None) for each in rows]
    return first_not_published(home, run, person, made, listed)
