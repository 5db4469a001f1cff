"""What lists have of a player, and which numbers are public by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, Subquery

from ratingbook.office.acts.decisions import opened_in
from ratingbook.office.acts.published_rows import Made, first_not_published
from ratingbook.office.home import current
from ratingbook.office.store import models as m
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.persons import Identity
from ratingbook.site.shown.players import Result
from ratingbook.site.shown.pools import Published, published_until


def public_part(
    one: Published, person: int, printed: Printed, found: Sequence[Result]
) -> list[Result]:
    """The results; what came after a day has no numbers, nor what one could reckon them from."""
    until, unlisted = printed.until.get(one.pool.id), printed.unlisted.get(one.pool.id)
    if until is None:
        if not one.by_lists:
            return list(found)
        hidden = _not_listed(one, person, printed, found)
        return [
            replace(each, was_listed=False, first=None)
            if at < hidden or (unlisted is not None and each.day <= unlisted) else each
            for at, each in enumerate(found)
        ]  # fmt: skip
    return [
        each if each.day <= until else replace(
            each, expected=None, before=None, after=None, change=None, first=None,
            is_revised=False, is_published=False, was_listed=False, follows=True,
        )
        for each in found
        if each.day <= until or each.is_rated
    ]  # fmt: skip


def _not_listed(one: Published, person: int, printed: Printed, found: Sequence[Result]) -> int:
    """How many of the first results the rules did not publish, of who was new in the pool."""
    if one.pool.id not in printed.new_in:
        return 0
    made = (Made(each.key, each.day, each.is_rated and each.after is not None) for each in found)
    listed = printed.first.get(one.pool.id, date.max)
    return first_not_published(current(), one.run, person, made, listed)


class Printed(NamedTuple):
    """What lists have of a person, by pool."""

    newest: Mapping[int, m.ListRow]
    """The lines on the newest lists."""
    until: Mapping[int, date]
    """Until when numbers are public, where the rules publish none now: ``published_until``."""
    unlisted: Mapping[int, date]
    """The day of the last list before the first one with a rating of the person."""
    first: Mapping[int, date]
    """The day of that one."""
    new_in: AbstractSet[int]
    """The pools rated by lists into which the person came without a rating."""


@by_ledger
def _opened(people: tuple[int, ...], pools: frozenset[int]) -> AbstractSet[int]:
    """Into which of some pools a person came with a rating."""
    return opened_in(pools, people) if pools else frozenset()


def printed_of(who: Identity, in_force: Mapping[int, Published]) -> Printed:
    """Of a person, in what is published."""
    person = who.person
    by_lists = frozenset(number for number, one in in_force.items() if one.by_lists)
    newest = {each.list for each in in_force.values() if each.list}
    until = {pool: day for (pool, _), day in published_until(in_force.values(), [person]).items()}
    # What a revision has taken away is on the list no more.
    revised = m.List.objects.filter(
        pool=OuterRef("list__pool"), date=OuterRef("list__date"),
        revision__gt=OuterRef("list__revision"),
    )  # fmt: skip
    rated = m.ListRow.objects.filter(~Exists(revised), person=person, rating__isnull=False)
    first = rated.filter(list__pool=OuterRef("list__pool")).order_by("list__date")
    before = m.List.objects.filter(pool=OuterRef("list__pool"), date__lt=OuterRef("list__date"))
    wanted = Q(list__in=newest) | Q(
        list__date=Subquery(first.values("list__date")[:1]), rating__isnull=False
    )
    every: Any = m.ListRow.objects.filter(wanted, person=person).select_related("list")
    rows = list(every.annotate(before=Subquery(before.order_by("-date").values("date")[:1])))
    unlisted, first_of = dict[int, date](), dict[int, date]()
    for row in sorted(rows, key=lambda row: row.list.date):
        if row.rating is not None:
            unlisted.setdefault(row.list.pool_id, row.before or date.min)
            first_of.setdefault(row.list.pool_id, row.list.date)
    on_newest = {row.list.pool_id: row for row in rows if row.list_id in newest}
    new_in = by_lists - _opened(tuple(who.numbers), by_lists)
    return Printed(on_newest, until, unlisted, first_of, new_in)
