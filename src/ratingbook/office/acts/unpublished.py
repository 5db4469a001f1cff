"""Who is rated and not published by the rules: until when the numbers of these are public.

A rating goes out of what the rules publish in two ways.  It falls below a floor: what stood on
lists until then is public for ever.  Or a correction takes away what it was made of: then the lists
are revised, and nothing that is said anew of its past was ever published.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from django.db.models import Exists, FilteredRelation, OuterRef, Q, QuerySet, Subquery

from ratingbook.office.acts.published import table_of
from ratingbook.office.caching import CacheBySize
from ratingbook.office.home import Home
from ratingbook.office.store import models as m
from ratingbook.office.store.rows import CHUNK

NEVER = date.min
"""Until when the numbers are public of who stood on no list."""


def held_back(ratings: pa.Table, people: Collection[int]) -> frozenset[int]:
    """Of some people those whom a table has rated, and the rules do not publish."""
    held = pc.and_(pc.is_valid(ratings["rating"]), pc.invert(ratings["published"]))
    return frozenset(map(int, ratings.filter(held)["player"].to_pylist())).intersection(people)


@CacheBySize(4_000_000)
def _withheld(sha256: str, folder: Path) -> frozenset[int]:
    """Those of a file, which never changes, since it goes by its hash."""
    table = table_of(Home(folder), sha256, ["player", "rating", "published"])
    return held_back(table, set(map(int, table["player"].to_pylist())))


def unpublished(home: Home, ratings: str | None, people: Iterable[int]) -> frozenset[int]:
    """Of some people those whom a kept table has rated, and the rules do not publish."""
    return frozenset(people) & _withheld(ratings, home.folder) if ratings else frozenset()


def lines_at(pool: int, seq: int) -> QuerySet[Any]:
    """The lines with a rating of a pool's lists as they were after a publication.

    Each list in the newest revision of then: what another one had before it is of the past.
    """
    then = m.List.objects.filter(pool=pool, run__publication__seq__lte=seq)
    newer = then.filter(date=OuterRef("list__date"), revision__gt=OuterRef("list__revision"))
    lines = m.ListRow.objects.filter(
        ~Exists(newer), list__pool=pool, list__run__publication__seq__lte=seq,
        rating__isnull=False,
    )  # fmt: skip
    return lines


def public_until(home: Home, run: m.Run, seq: int, people: Iterable[int]) -> dict[int, date]:
    """Until when numbers are public of those whose rating a published run holds back.

    Who is not named here may be shown whole.  A number is public if a list had it that was made
    when it stood so already: one of before has another one.
    """
    held = unpublished(home, run.ratings_id, people)
    found = dict.fromkeys(held, NEVER)
    listed: dict[int, list[tuple[date, int]]] = {}
    for some in _portions(held):
        lines = lines_at(run.pool_id, seq).filter(person__in=some)
        for person, *line in lines.values_list(
            "person", "list__date", "list__run__publication__seq"
        ):
            listed.setdefault(person, []).append((line[0], line[1]))
    for some in _portions(listed):
        rows: dict[int, dict[tuple[int, int], tuple[date, int, bool]]] = {}
        every = m.Change.objects.filter(
            person__in=some, batch__pool=run.pool_id, run__publication__seq__lte=seq
        ).order_by("run__publication__seq")
        for person, day, batch, turn, at, gone in every.values_list(
            "person", m.RATED_ON, "batch", "turn", "run__publication__seq", "gone"
        ):
            # The last version counts, on whichever day it has the batch.
            rows.setdefault(person, {})[batch, turn] = day, at, gone
        for person in some:
            stand = [(day, at) for day, at, gone in rows.get(person, {}).values() if not gone]
            found[person] = _until(sorted(stand), listed[person])
    return found


def _until(rows: Iterable[tuple[date, int]], lists: Iterable[tuple[date, int]]) -> date:
    """The last day of which all is public; rows and lists with the publication of each."""
    every = list(lists)
    last = max(day for day, _ in every)
    for day, seq in rows:
        if not any(day <= listed and seq <= made for listed, made in every):
            return min(last, day - timedelta(days=1))
    return last


def on_lists_at(
    pool: int, seqs: Sequence[int], days: Iterable[date] | QuerySet[Any] | None,
    people: Iterable[int], until: date = date.max,
) -> list[Mapping[date, frozenset[int]]]:  # fmt: skip
    """By day who of some people had a rating on its list: after each of some publications.

    Without ``days``: of all lists up to one.
    """
    every = m.List.objects.filter(pool=pool, date__lte=until)
    if days is not None:
        every = every.filter(date__in=days if isinstance(days, QuerySet) else list(days))
    same = m.List.objects.filter(pool=pool, date=OuterRef("date")).order_by("-revision")
    newest = {
        f"newest_{seq}": Subquery(
            same.filter(run__publication__seq__lte=seq).values("revision")[:1]
        )
        for seq in seqs
    }  # fmt: skip
    found: list[dict[date, set[int]]] = [{} for _ in seqs]
    for some in _portions(people):
        own = Q(listrow__person__in=some, listrow__rating__isnull=False)
        lines: Any = every.annotate(own=FilteredRelation("listrow", condition=own), **newest)
        for day, revision, person, *last in lines.values_list(
            "date", "revision", "own__person", *newest
        ):
            for one, number in zip(found, last, strict=True):
                stood = one.setdefault(day, set())
                if person is not None and revision == number:
                    stood.add(person)
    return [{day: frozenset(some) for day, some in one.items()} for one in found]


def _portions(people: Iterable[int]) -> Iterable[list[int]]:
    """Some people in their order, not too many for a query at once."""
    every = sorted(people)
    return (every[at : at + CHUNK] for at in range(0, len(every), CHUNK))
