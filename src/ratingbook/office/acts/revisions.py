"""Which published lists get a revision, when the numbers that they were made of change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date

import pyarrow as pa
from django.db.models import Exists, Min, OuterRef, Q, QuerySet, Subquery

from ratingbook.office.acts import lists
from ratingbook.office.acts.decisions import OPENING, openings_held
from ratingbook.office.acts.people import merges
from ratingbook.office.acts.published import base_of, table_of
from ratingbook.office.acts.registry import suppressed
from ratingbook.office.acts.run_states import LISTS
from ratingbook.office.acts.setup import policy
from ratingbook.office.acts.snapshots import fed_of_run
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.rating import listed_on
from ratingbook.office.home import Home
from ratingbook.office.logic.lines import K
from ratingbook.office.store import models as m


def drafts(home: Home, run: m.Run) -> list[lists.ListDraft]:
    """The revisions that a run brings, by the policy of its pool; the oldest list first."""
    days = by_policy(run.pool, reached_by(run), run.until)
    if not days:
        return []
    changes = table_of(home, run.file_id or "")
    every = _others(run, fed_of_run(home, run), changes, days)
    return [draft for draft, _ in every]


def _others(
    run: m.Run, fed: Fed, changes: pa.Table, days: Sequence[date]
) -> Iterator[tuple[lists.ListDraft, tuple[str, ...]]]:
    """The lists of some days on which numbers are otherwise by a run, and in which columns."""
    rules = lists.rules_of_run(run)
    for day, made in zip(days, listed_on(fed, rules, days), strict=True):
        draft = lists.draft_of(run, day, made, changes, lambda: fed)
        newest = lists.newest_of(run.pool_id, day)
        columns = () if newest is None else lists.otherwise(draft.rows, newest)
        if columns:
            yield draft, columns


def others_by(
    run: m.Run, base: m.Run | None, fed: Fed, ratings: pa.Table, changes: pa.Table
) -> Mapping[str, Sequence[str]]:
    """By day the columns of published lists in which a run makes numbers others.

    Where nothing is otherwise there are none.  Of lists that get no revision K alone is told, and
    only where no rating tells it.
    """
    if base is None:
        return {}
    with_other_k = _days_of_other_k(run, base, fed)
    own = brought_by(run)
    reached = {*_days_changed(run), *with_other_k, *_days_of_other_rules(run, base)}
    days = by_policy(run.pool, sorted(reached), run.until)
    found: dict[date, Sequence[str]] = dict.fromkeys(with_other_k, (K,))
    found |= dict.fromkeys(days, ())
    revised = _others(run, fed, changes, [each for each in days if each != own])
    found |= {draft.date: columns for draft, columns in revised}
    newest = None if own is None else lists.newest_of(run.pool_id, own)
    if newest is not None:
        draft = lists.brought(run, run.until, ratings, changes, lambda: fed)
        found[newest.date] = lists.otherwise(draft.rows, newest)
    return {day.isoformat(): list(columns) for day, columns in sorted(found.items())}


def reached_by(run: m.Run) -> list[date]:
    """The days of the lists that a run reaches: all from the first rating that it changes on.

    And such on which no rating is otherwise: those with another K, by which is rated what comes
    after a list, and those that other rules leave somebody out of.
    """
    others = map(date.fromisoformat, run.counts.get(LISTS, ()))
    return sorted({*_days_changed(run), *others})


def columns_by(run: m.Run) -> Mapping[date, Sequence[str]]:
    """By the day of a list the columns in which the run makes numbers others, by their titles."""
    every_day = run.counts.get(LISTS, {}).items()
    said = {date.fromisoformat(day): keys for day, keys in every_day if keys}
    every = m.List.objects.filter(pool=run.pool_id, date__in=list(said)).order_by("revision")
    titles = {
        day: {key: title for key, title, _ in columns}
        for day, columns in every.values_list("date", "columns")
    } if said else {}  # fmt: skip
    return {day: [titles[day].get(key, key) for key in keys] for day, keys in said.items()}


def _days_changed(run: m.Run) -> Sequence[date]:
    first = first_changed(run)
    return [] if first is None else days_from(run.pool_id, first)


def _days_of_other_rules(run: m.Run, base: m.Run) -> Sequence[date]:
    """The days of lists that other rules may make otherwise: all of them.

    Rules say who is on a list, and what it shows beside the rating, before any rating moves.
    """
    same = lists.rules_of_run(run) == lists.rules_of_run(base)
    return [] if same else days_from(run.pool_id, date.min)


def _days_of_other_k(run: m.Run, base: m.Run, fed: Fed) -> Sequence[date]:
    """The days of lists with another K of those of whom something else is known than before.

    Of whom something came to be known that K hangs on, be it that no rating hangs on it.
    """
    people = _told_anew(run, base)
    newest = {
        one.date: one.id
        for one in m.List.objects.filter(pool=run.pool_id, date__lte=run.until)
        .order_by("date", "revision").only("date", "columns")
        if any(key == K for key, *_ in one.columns)
    } if people is None or people else {}  # fmt: skip
    rows = m.ListRow.objects.filter(list__in=newest.values()).exclude(person__in=suppressed())
    if people is not None:
        rows = rows.filter(person__in=people)
    printed: dict[int, dict[str, int | None]] = {}
    for number, line in rows.values_list("list", "printed"):
        printed.setdefault(number, {})[str(line["id"])] = line.get(K)
    days = [day for day, number in newest.items() if number in printed]
    return [
        day
        for day, made in zip(days, listed_on(fed, lists.rules_of_run(run), days), strict=True)
        if any(made.coefficients.get(who) != k for who, k in printed[newest[day]].items())
    ]


def _told_anew(run: m.Run, base: m.Run) -> set[int] | None:
    """Of whom a run knows another birth or decision than the one before; None: rules are others."""
    if lists.rules_of_run(run) != lists.rules_of_run(base):
        return None
    span = (base.upto + 1, run.upto)
    born = m.PersonPrivate.objects.filter(fact__range=span).values_list("person", flat=True)
    said = Q(fact__range=span) | Q(revoked_by__range=span)
    decided = m.Decision.objects.filter(said, pool=run.pool_id).values_list("person", flat=True)
    joined = m.PersonRelation.objects.filter(said).values_list("source", "target")
    people = {*born, *decided, *(each for both in joined for each in both)}
    merged = merges(run.upto) if people else {}
    return {merged.get(each, each) for each in people}


def by_policy(pool: m.Pool, days: Sequence[date], until: date) -> Sequence[date]:
    """The days whose lists a run up to a day revises, of those of lists that it reaches.

    Of the day on which it ends the run itself brings another list, which is the next revision.
    """
    reached = sorted(each for each in days if each <= until)
    wanted = policy(pool, "revise")
    chosen = reached if wanted == "affected" else reached[-1:] if wanted == "latest" else ()
    with_run = policy(pool, "lists") == "with_run"
    return [each for each in chosen if not (with_run and each == until)]


def revised_of(run: m.Run, reached: Collection[date], days: Iterable[date]) -> set[date]:
    """Of the days of lists with numbers that become others those whose lists are made anew.

    By the policy of the pool, in a run up to the same day; ``days`` are those of all up to it.
    """
    first = min(reached, default=date.max)
    every = by_policy(run.pool, [each for each in days if each >= first], run.until)
    return set(reached).intersection((*every, brought_by(run)))


def brought_by(run: m.Run) -> date | None:
    """The day of the list that a run brings itself, which the rules say; None: it brings none."""
    return lists.day_of(run) if policy(run.pool, "lists") == "with_run" else None


def first_changed(run: m.Run) -> date | None:
    """The day of the first published number that a run changes, if it changes any.

    Who comes in with something else than before is on every list with another number, also on
    those of before the first own game; and of two who came in and are one person now, one is on
    none.
    """
    since = m.Publication.objects.filter(pool=run.pool_id, seq=run.base).values("run__upto")
    said, undone = (
        Q(**{f"{fact}__gt": Subquery(since), f"{fact}__lte": run.upto})
        for fact in ("fact", "revoked_by")
    )
    openings = m.Decision.objects.filter(pool=run.pool_id, kind=OPENING)
    opened = openings.filter(said | undone)
    merged = m.PersonRelation.objects.filter(said | undone)
    changes = m.Change.objects.filter(run=OuterRef("id")).annotate(on=m.RATED_ON).order_by("on")
    every = m.Run.objects.filter(id=run.id).annotate(
        first=Subquery(changes.values("on")[:1]), left=_left_by(run), is_opened=Exists(opened),
        is_merged=Exists(merged),
    )  # fmt: skip
    *both, is_opened, is_merged = every.values_list("first", "left", "is_opened", "is_merged").get()
    first: date | None = min((each for each in both if each is not None), default=None)
    if not (is_opened and _is_reopened(run, opened)) and not (
        is_merged and _are_others(run, openings)
    ):
        return first
    every_list = m.List.objects.filter(pool=run.pool_id)
    days = (first, every_list.aggregate(day=Min("date"))["day"])
    return min((each for each in days if each is not None), default=None)


def _left_by(run: m.Run) -> Subquery:
    """The first day that an event leaves which a run has on another one.

    Its rows have all come to the new day, whether or not a number of them differs.
    """
    then = m.Change.objects.filter(
        batch=OuterRef("batch"), run__publication__seq__lte=run.base
    ).order_by("-run__publication__seq")
    moved = m.Change.objects.filter(day__isnull=False).values("batch")
    rows = m.Change.objects.filter(run=run.id, batch__in=moved)
    left = rows.annotate(on=Subquery(then.values(was=m.RATED_ON)[:1])).filter(on__isnull=False)
    return Subquery(left.order_by("on").values("on")[:1])


def _is_reopened(run: m.Run, opened: QuerySet[m.Decision]) -> bool:
    """Whether anybody who had come into the pool comes in otherwise; who is new does not count."""
    base, people = base_of(run), set(opened.values_list("person", flat=True))
    if base is None:
        return False
    was, now = (openings_held(run.pool_id, people, each.upto) for each in (base, run))
    return any(now.get(person) != value for person, value in was.items())


def _are_others(run: m.Run, openings: QuerySet[m.Decision]) -> bool:
    """Whether anybody who had come into the pool is somebody else now, or no longer."""
    base = base_of(run)
    if base is None:
        return False
    was, now = merges(base.upto), merges(run.upto)
    people = [who for who in {*was, *now} if was.get(who, who) != now.get(who, who)]
    return openings.filter(person__in=people).exists()


def days_from(pool: int, first: date) -> list[date]:
    """The days of the published lists of a pool from one on."""
    published = m.List.objects.filter(pool=pool, date__gte=first)
    return sorted(set(published.values_list("date", flat=True)))
