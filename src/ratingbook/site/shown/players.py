"""A player: ratings in each pool, their history, the results, and what was corrected of them.

What was rated and is not published by the rules of a pool has games and a score, and no numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import groupby, zip_longest
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Exists, FilteredRelation, OuterRef, Q, Subquery
from django.utils.translation import gettext as _

from ratingbook.desk.account import spoken
from ratingbook.office.acts.decisions import opened_in
from ratingbook.office.acts.explain import counted, derived
from ratingbook.office.acts.published import versions_of
from ratingbook.office.home import current
from ratingbook.office.store import models as m
from ratingbook.office.store.rows import is_among, these
from ratingbook.site.answers import DRAWN, Table
from ratingbook.site.shown.as_rated import holding, kept_sections, moved, moved_sections
from ratingbook.site.shown.charts import Point, Stair, stair
from ratingbook.site.shown.corrected import Corrected, corrections_of
from ratingbook.site.shown.differences import Difference, differences_of
from ratingbook.site.shown.events import EventNamed, day_of, event_named
from ratingbook.site.shown.games import GameOf, games_of, keys_of
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.opposition import (
    begins_with,
    counts_with_own_numbers,
    grades_of,
    opposition,
)
from ratingbook.site.shown.persons import Identity, merged_at, nobody
from ratingbook.site.shown.pools import (
    Published,
    Reformed,
    expected_of,
    in_force_of,
    now_of,
    published,
    published_until,
)
from ratingbook.site.shown.rules import anchor

PER_PAGE = 50
_MOST_POINTS = 120
"""Changes in a graph; what was before stands in the table of results."""
_NO_DAY = date.min


@dataclass(frozen=True)
class Reform:
    """A change of all ratings that the rules made once, and where they say it.

    Where it ``is_of_decimals`` lists show the same ratings with more decimals, or with fewer.
    """

    edition: str
    paragraph: str
    anchor: str
    """Of the paragraph on the page of the edition."""
    text: str
    is_of_decimals: bool


@dataclass(frozen=True)
class Result:
    """What an event, or all events of a list, did to a rating; ``change`` is of printed numbers.

    ``first`` is the rating as it was first published, where that was otherwise.  Where there is a
    ``reform`` no game was rated: the rules changed all ratings; nor where there are
    ``differences``: corrections added them at once, on a list.
    """

    pool: int
    key: str
    day: date
    events: tuple[EventNamed, ...]
    games: int
    score: float
    expected: float | None
    """None: the rules expect no score, or the rating is the first one."""
    average: float | None
    """Of the opponents' ratings in the rated games."""
    performance: float | None
    before: float | None
    after: float | None
    change: float | None
    first: float | None
    is_revised: bool
    is_published: bool
    """Else the rules do not publish the rating yet, and the numbers are left out."""
    corrections: tuple[int, ...]
    decimals: int
    """Of numbers of the day; ``decimals_before`` those of the day before, with ``before``."""
    decimals_before: int
    was_listed: bool = True
    """Else the list of then had no rating of the player: the rules published one later."""
    follows: bool = True
    """Else it does not begin where the last one ended: the rules, or the office, put another number
    in its place, as the explanation says."""
    reform: Reform | None = None
    differences: tuple[Difference, ...] = ()

    @property
    def is_rated(self) -> bool:
        """Whether games made it."""
        return self.reform is None and not self.differences

    @property
    def added_with(self) -> date | None:
        """The day of the list that has the differences first; None: no list has them yet."""
        return self.differences[0].list_day if self.differences else None

    @property
    def added_by(self) -> str:
        """The numbers of the corrections that added something, in a row."""
        return ", ".join(str(each.correction) for each in self.differences)


@dataclass(frozen=True)
class PoolRating:
    """A player in a pool; ``official`` is the number on the newest list, ``now`` what followed."""

    pool: int
    name: str
    rulebook: str
    by_lists: bool
    decimals: int
    official: float | None
    decimals_listed: int
    """Of the number on the newest list, which the rules may have made with others."""
    list: int | None
    list_day: date | None
    list_revision: int | None
    is_to_come: bool
    """Whether the day from which on the list is in force is still to come."""
    now: float | None
    games: int
    status: str
    last_played: date | None
    peak: float | None
    decimals_of_peak: int
    peak_day: date | None
    """None: the player came in with it."""
    last: Result | None
    is_live: bool

    @property
    def rating(self) -> float | None:
        """The number that counts: of the list, or of the last event where none is official."""
        return self.now if self.official is None else self.official

    @property
    def decimals_of_rating(self) -> int:
        """With how many it is written."""
        return self.decimals if self.official is None else self.decimals_listed


@dataclass(frozen=True)
class Apart:
    """Another number of a person whom a pool has apart until its next run: a merge came later."""

    number: int
    pool: int
    name: str
    rating: float | None
    decimals: int


@dataclass(frozen=True)
class History:
    """The graph of a pool, newest numbers last, with its table newest first."""

    pool: int
    name: str
    decimals: int
    chart: Stair = field(metadata=DRAWN)
    begin: date
    end: date
    first: float
    """The first that was in force."""
    last: float
    peak: float
    peak_day: date | None
    revised: int
    is_shortened: bool
    rows: tuple[Result, ...]


@dataclass(frozen=True)
class Player:
    """The page of a player."""

    id: int
    name: str
    spoken: str
    title: str
    federation: str
    club: str
    ids: tuple[tuple[str, str], ...]
    """Numbers in registers; of a merged person there may be several of one."""
    last_played: date | None
    pools: tuple[PoolRating, ...]
    history: History | None
    results: tuple[Result, ...]
    results_of: int | None
    """The pool whose results stand here."""
    page: int
    pages: int
    corrections: tuple[Corrected, ...]
    """Of that pool."""
    apart: tuple[Apart, ...]

    @property
    def main(self) -> PoolRating | None:
        """The pool with most games: the sentence is about it."""
        rated = [each for each in self.pools if each.rating is not None]
        return max(rated, key=lambda each: each.games, default=None)

    @property
    def with_average(self) -> bool:
        """Whether opponents of these results had ratings."""
        return any(each.average is not None for each in self.results)

    @property
    def with_performance(self) -> bool:
        """Whether the rule book knows one."""
        return any(each.performance is not None for each in self.results)

    @property
    def with_unpublished(self) -> bool:
        """Whether numbers are left out of these results."""
        return any(not each.is_published for each in self.results)

    @property
    def with_breaks(self) -> bool:
        """Whether one of these results does not begin where the last one ended."""
        return any(not each.follows for each in self.results)

    @property
    def pool_of_results(self) -> str:
        """The name of the pool whose results stand here."""
        return self.names_of_pools.get(self.results_of or 0, "")

    @property
    def names_of_pools(self) -> dict[int, str]:
        """By number."""
        return {each.pool: each.name for each in self.pools}


def player(who: Identity, pool: int | None = None, page: int = 1) -> Player:
    """The page of a player; ``pool`` chooses history and results."""
    person, about = who.person, _about(who)
    in_force = published()
    versions = [each for each in versions_of(person) if each["pool"] in in_force]
    events = _events_of(who.numbers, in_force)
    reached, corrected = corrections_of(person, versions)
    printed = _printed(who, in_force)
    results = {
        number: _public(in_force[number], person, printed, _with_all_else(
            in_force[number], person,
            _results(in_force[number], person, list(rows), events, reached),
        ))
        for number, rows in groupby(versions, key=lambda each: int(each["pool"]))
    }  # fmt: skip
    pools = _pools(person, in_force, results, printed)
    shown = {each.pool for each in pools}
    most = max(pools, key=lambda each: (each.rating is not None, each.games), default=None)
    chosen = pool if pool in shown else most.pool if most else None
    own = results.get(chosen, []) if chosen else []
    pages = max(1, -(-len(own) // PER_PAGE))
    page = min(max(page, 1), pages)
    here = slice((page - 1) * PER_PAGE, page * PER_PAGE)
    last = [found for own in results.values() if (found := _last_rated(own))]
    in_sight = {(each.pool, each.key) for each in (*_in_graph(own), *own[::-1][here], *last)}
    games = _games_in(in_sight, in_force, who, events)
    met = _with_opposition(
        [*own, *(each.last for each in pools if each.last)], in_force, who, games
    )
    own, last_of = met[: len(own)], {each.pool: each for each in met[len(own) :]}
    pools = tuple(
        replace(each, last=last_of.get(each.pool)) for each in _on_their_days(pools, results, games)
    )
    history = None
    if chosen:
        rating = next(each for each in pools if each.pool == chosen)
        history = _history(
            in_force[chosen], rating, own, came_with_number=chosen not in printed.new_in
        )
    days = [each.last_played for each in pools if each.last_played]
    return Player(
        id=person, name=about.name, spoken=spoken(about.name), title=about.said.get("title", ""),
        federation=about.said.get("federation", ""), club=about.said.get("club", ""),
        ids=about.ids, last_played=max(days, default=None), pools=pools, history=history,
        results=tuple(own[::-1][here]), results_of=chosen, page=page, pages=pages,
        corrections=corrected.get(chosen or 0, ()), apart=_apart(who, in_force.values()),
    )  # fmt: skip


def _apart(who: Identity, pools: Iterable[Published]) -> tuple[Apart, ...]:
    """The other numbers of a person that stand for themselves in what is published of a pool."""
    return tuple(
        Apart(number, one.pool.id, one.pool.name, now.rating, one.decimals)
        for number in who.numbers[1:]
        for one in pools
        if merged_at(one.run.upto).get(number, number) != who.person
        and (now := now_of(one, number)) and now.is_published
    )  # fmt: skip


def results(who: Identity) -> list[Result]:
    """All results of a player, pool by pool, the oldest first."""
    in_force = published()
    _about(who)
    events = _events_of(who.numbers, in_force)
    found = _changes(who, in_force, events)
    games = _games_in({(each.pool, each.key) for each in found}, in_force, who, events)
    return _with_opposition(found, in_force, who, games)


def changes(who: Identity) -> list[Result]:
    """The same without whom the player met; of anybody, also of whom nothing is public."""
    in_force = published()
    return _changes(who, in_force, _events_of(who.numbers, in_force))


def _changes(
    who: Identity, in_force: Mapping[int, Published], events: Sequence[_Event]
) -> list[Result]:
    versions = [each for each in versions_of(who.person) if each["pool"] in in_force]
    reached, _told = corrections_of(who.person, versions)
    printed = _printed(who, in_force)
    return [
        each
        for number, own in groupby(versions, key=lambda each: int(each["pool"]))
        for each in _public(in_force[number], who.person, printed, _with_all_else(
            in_force[number], who.person,
            _results(in_force[number], who.person, list(own), events, reached),
        ))
    ]  # fmt: skip


def table(found: Iterable[Result]) -> Table:
    """Results as a table."""
    names = {number: one.pool.name for number, one in published().items()}
    rows = [
        (names[each.pool], each.day, each.key, _called(each),
         each.games, each.score, each.expected, each.before, each.after, each.change, each.first,
         each.average, each.performance, each.is_published)
        for each in found
    ]  # fmt: skip
    columns = ("pool", "date", "batch", "events", "games", "score", "expected", "before", "after",
               "change", "first_published", "average", "performance", "published")  # fmt: skip
    return Table(columns, rows)


def _called(one: Result) -> str:
    """By what the rating changed, for a table."""
    if one.reform:
        return one.reform.text
    if one.differences:
        which = "correction" if len(one.differences) == 1 else "corrections"
        return f"{which} {one.added_by}, on a list"
    return "; ".join(event.name for event in one.events)


@dataclass(frozen=True)
class _About:
    name: str
    said: Mapping[str, str]
    ids: tuple[tuple[str, str], ...]


def _about(who: Identity) -> _About:
    """What is public of a person; who is suppressed has only a token and no more."""
    name = m.PersonName.objects.filter(person=who.person, revoked_by__isnull=True, kind="main")
    holds = Q(person__personattribute__revoked_by__isnull=True)
    found = list(
        name.annotate(known=FilteredRelation("person__personattribute", condition=holds))
        .order_by("known__id")
        .values_list("text", "known__key", "known__value", "known__true_from")
    )
    if not found:
        raise nobody(who.person)
    today = date.today()
    said = {
        key: value for _, key, value, since in found if key and (since is None or since <= today)
    }
    ids = m.ExternalId.objects.filter(person__in=who.numbers, revoked_by__isnull=True).order_by(
        "scheme"
    )
    return _About(found[0][0], said, tuple(ids.values_list("scheme", "value")))


_EVENTS = """
SELECT DISTINCT p.pool_id AS pool, v.report_id AS report, s.id, s.event, s.name AS section,
  {start} AS start, {end} AS "end", s.facts
FROM office_link l
JOIN office_entry e ON e.id = l.entry_id
JOIN office_section s ON s.version_id = e.version_id
JOIN office_reportversion v ON v.id = e.version_id
JOIN office_runsection r ON r.section = s.id
JOIN office_publication p ON p.run_id = r.run_id
JOIN office_pool q ON q.id = p.pool_id AND q.head = p.seq
JOIN office_run u ON u.id = p.run_id
WHERE {holds} AND {own}
"""


_DAYS = """
SELECT g.section_id, {day}, g.reported
FROM office_link l JOIN office_game g ON g.white_id = l.entry_id
WHERE {own}
UNION SELECT g.section_id, {day}, g.reported
FROM office_link l JOIN office_game g ON g.black_id = l.entry_id
WHERE {own}
UNION SELECT g.section_id, {day}, g.reported
FROM office_link l JOIN office_substitution x ON x.entry_id = l.entry_id
JOIN office_section s ON s.version_id = x.version_id
JOIN office_game g ON g.section_id = s.id AND g.number = x.number
WHERE {own}
"""
"""The sections in which somebody was ever said to play, or to be replaced by a substitute.

With the days of the games, and of reports.
"""


@dataclass(frozen=True)
class _Event:
    pool: int
    days: tuple[date, ...]
    """By which lists take the own games, where a pool is rated by these."""
    event: str
    section: str
    named: EventNamed


def _events_of(people: Sequence[int], in_force: Mapping[int, Published]) -> list[_Event]:
    """The events that the published runs rated and in which somebody is entered."""
    kept, own = kept_sections(in_force.values()), is_among("l.person_id")
    by = moved_sections(in_force.values())
    with connection.cursor() as cursor:
        query = _EVENTS.format(
            holds=holding("l", "s.id", "u.upto", kept), own=own,
            start=moved("s.start", "s.id", by), end=moved('s."end"', "s.id", by),
        )  # fmt: skip
        cursor.execute(query, [these(people)])
        columns = [each[0] for each in cursor.description]
        rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    days: dict[int, list[tuple[date, date | None]]] = {}
    if any(one.by_game for one in in_force.values()):
        with connection.cursor() as cursor:
            query = _DAYS.format(own=own, day=moved('g."end"', "g.section_id", by))
            cursor.execute(query, [these(people)] * 3)
            for section, day, reported in cursor.fetchall():
                if (end := day_of(day)) is not None:
                    days.setdefault(section, []).append((end, day_of(reported)))
    return [
        _Event(
            row["pool"],
            tuple(in_force[row["pool"]].day_taken(*each) for each in days.get(row["id"], ())),
            row["event"], row["section"], event_named(row["report"], row),
        )
        for row in rows
    ]  # fmt: skip


def _events_by_batch(one: Published, events: Iterable[_Event]) -> dict[str, list[EventNamed]]:
    found: dict[str, list[EventNamed]] = {}
    for each in events:
        if each.pool != one.pool.id:
            continue
        for key in keys_of(one, each.days, each.named, each.event, each.section):
            found.setdefault(key, []).append(each.named)
    return found


_Batch = tuple[int, str]
"""Pool and key."""


def _games_in(
    wanted: Collection[_Batch], pools: Mapping[int, Published], who: Identity,
    events: Iterable[_Event],
) -> dict[_Batch, list[GameOf]]:  # fmt: skip
    """The games of a person that some batches took, and that were to be rated."""
    named = {
        each.event for each in events
        if any((each.pool, key) in wanted for key in keys_of(
            pools[each.pool], each.days, each.named, each.event, each.section
        ))
    }  # fmt: skip
    shown = [one for number, one in pools.items() if any(number == pool for pool, _ in wanted)]
    games = games_of(shown, named, who)
    found: dict[_Batch, list[GameOf]] = {}
    for one in shown:
        for game in games[one.run.id]:
            # Of a run that knows of no merge yet the games under the other number are not here.
            if game.side_of(who.person) is None or not game.is_rated_for(who.person):
                continue
            days = [one.day_taken(game.end, game.reported)] if game.end else []
            for key in keys_of(one, days, game.named, game.event_id, game.section):
                if (one.pool.id, key) in wanted:
                    found.setdefault((one.pool.id, key), []).append(game)
    for (pool, key), own in found.items():
        if any(each.of_substitute for each in own):
            rated = counted(current(), pools[pool].run, [who.person], key)[who.person]
            own[:] = [each for each in own if each.ledger in rated]
    return found


def _with_opposition(
    found: Sequence[Result], pools: Mapping[int, Published], who: Identity,
    games: Mapping[_Batch, Sequence[GameOf]],
) -> list[Result]:  # fmt: skip
    """The results with whom the player met in these games."""
    met = {(each.pool, each.key): _met(pools[each.pool], who.person, each.key, games.get(
        (each.pool, each.key), ())) for each in found}  # fmt: skip
    entered: dict[int, set[tuple[int, str]]] = {}
    for batch, some in met.items():
        entered.setdefault(batch[0], set()).update((each.opponent, each.event) for each in some)
    grades = {pool: grades_of(pools[pool], some) for pool, some in entered.items()}
    made = []
    for each in found:
        one, declared = pools[each.pool], grades.get(each.pool, {})
        said = opposition(one, each.day, [
            (begins_with(one, each.day, declared.get((x.opponent, x.event)), x.rating,
                         (x.opponent, each.key)), x.half)
            for x in met[each.pool, each.key]
        ])  # fmt: skip
        made.append(replace(each, average=said.average, performance=said.performance))
    return made


class _Opponent(NamedTuple):
    opponent: int
    event: str
    rating: float | None
    half: int | None


def _met(one: Published, person: int, key: str, games: Iterable[GameOf]) -> list[_Opponent]:
    """Whom somebody met in the games of a batch, and with which number each counted."""
    found, by_run = [], dict[int | None, float | None]()
    games = list(games)
    if any(counts_with_own_numbers(one, each.named.end) for each in games):
        by_run = counted(current(), one.run, [person], key).get(person, {})
    for game in games:
        opponent, half = game.met_by(person)
        start = game.named.start or game.named.end
        rating = (
            by_run.get(game.ledger)
            if counts_with_own_numbers(one, game.named.end)
            else in_force_of(one, opponent, key, start)
        )
        found.append(_Opponent(opponent, game.event_id, rating, half))
    return found


def _last_rated(results: Sequence[Result]) -> Result | None:
    """The last result with a game."""
    return next((each for each in reversed(results) if each.games), None)


def _on_their_days(
    pools: Iterable[PoolRating], results: Mapping[int, Sequence[Result]],
    games: Mapping[_Batch, Sequence[GameOf]],
) -> tuple[PoolRating, ...]:  # fmt: skip
    """The pools with the day of the last own game: a run knows that of the batch only."""
    found = []
    for each in pools:
        last = _last_rated(results.get(each.pool, ()))
        own = games.get((each.pool, last.key), ()) if last else ()
        days = [day for game in own if (day := game.end or game.named.end)]
        found.append(replace(each, last_played=max(days)) if days else each)
    return tuple(found)


def _results(
    one: Published,
    person: int,
    versions: Sequence[Mapping[str, Any]],
    events: Iterable[_Event],
    reached: Mapping[tuple[int, str], tuple[int, ...]],
) -> list[Result]:
    """The rows that hold, oldest first, each with what was published first."""
    named = _events_by_batch(one, events)
    expected = expected_of(one, person, {each["key"] for each in versions})
    found = []
    for key, some in groupby(versions, key=lambda each: (each["day"], each["key"])):
        turns = [list(rows) for _, rows in groupby(some, key=lambda each: each["turn"])]
        hold = [rows[-1] for rows in turns if not rows[-1]["gone"]]
        if not hold:
            continue
        first = [rows[0] for rows in turns if not rows[0]["gone"]]
        day = key[0]
        was = one.rounded(first[-1]["after"], day) if first else None
        before, after = (
            one.rounded(hold[0]["before"], day), one.rounded(hold[-1]["after"], day),
        )  # fmt: skip
        is_revised = any(len(rows) > 1 for rows in turns)
        found.append(
            Result(
                pool=one.pool.id, key=key[1], day=key[0],
                events=tuple(sorted(named.get(key[1], ()), key=lambda e: e.end or _NO_DAY)),
                games=sum(each["games"] for each in hold),
                score=sum(each["score"] for each in hold), expected=expected.get(key[1]),
                average=None, performance=None,
                before=before, after=after,
                change=one.change(before, after), first=was if was != after else None,
                is_revised=is_revised, is_published=True,
                corrections=reached.get((one.pool.id, key[1]), ()),
                decimals=one.decimals_on(day), decimals_before=one.decimals_on(day),
            )
        )  # fmt: skip
    return found


def _with_all_else(one: Published, person: int, found: Sequence[Result]) -> list[Result]:
    """The results, and between them what moved the rating beside all games."""
    added = [each for each in differences_of(person) if each.pool == one.pool.id]
    reforms = one.reforms if found else ()
    if not reforms and not added:
        return marked(found)
    now = now_of(one, person)
    rating = now.rating if now and now.is_published else None
    made: list[Result] = []
    for at in range(-1, len(found)):
        last, following = (found[each] if 0 <= each < len(found) else None for each in (at, at + 1))
        made += [last] if last else []
        gap = _Gap(one, last, following, rating)
        made += gap.filled(reforms if last else (), added)
    return marked(made)


def marked(results: Sequence[Result]) -> list[Result]:
    """Results in their order, of which each knows whether it begins where the last one ended."""
    return [
        replace(each, follows=False) if last is not None and _is_elsewhere(last, each) else each
        for last, each in zip([None, *results], results, strict=False)
    ]


def revised_with(last: Result, reform: Result) -> Result:
    """A reform that begins with a number that was revised: it is revised with it."""
    if last.first is None:
        return reform
    return replace(reform, is_revised=True, corrections=last.corrections)


def _is_elsewhere(last: Result, following: Result) -> bool:
    ended, begun = last.after, following.before
    if ended is None or begun is None:
        return ended is not None
    return not _is_but_rounding(ended, begun, min(last.decimals, following.decimals))


@dataclass(frozen=True)
class _Gap:
    """What lies between two results, or before the first or after the last one."""

    one: Published
    last: Result | None
    following: Result | None
    now: float | None

    def filled(
        self, reforms: Iterable[Reformed], differences: Iterable[Difference]
    ) -> list[Result]:
        """A result for the last reform, and for the differences that were added at once."""
        mine = [each for each in differences if self._takes(each)]
        steps: list[Reformed | _Added] = [
            tuple(some) for _, some in groupby(mine, lambda x: (x.day, x.list_day))
        ]
        known = sum(each.value for each in mine)
        begin, end = self._ends()
        by_reform = None if begin is None or end is None else self.one.change(begin + known, end)
        between = [each for each in reforms if self._has(each)]
        if between and by_reform:
            steps.append(between[-1])
        found, value = [], begin if begin is not None or end is None else end - known
        for each in sorted(steps, key=_day_of):
            by = by_reform if isinstance(each, Reformed) else sum(x.value for x in each)
            then = None if value is None or by is None else value + by
            found.append(self._made(each, value, then))
            value = then
        if found and end is not None and _is_but_rounding(found[-1].after, end, self.one.decimals):
            # What lies in the gap leads from one published number to the next.
            by = self.one.change(found[-1].before, end)
            found[-1] = replace(found[-1], after=end, change=by)
        return found

    def _ends(self) -> tuple[float | None, float | None]:
        """From which number to which."""
        return (
            self.last.after if self.last else None,
            self.following.before if self.following else self.now,
        )

    def _takes(self, one: Difference) -> bool:
        """A list has it beside the games of its day."""
        since = self.last.day if self.last else date.min
        return since <= one.day < (self.following.day if self.following else date.max)

    def _is_last_on(self, list_day: date) -> bool:
        """Whether the list of a day has the number, and not one to which later events led."""
        return self.following is None or list_day < self.following.day

    def _has(self, one: Reformed) -> bool:
        """A list has the reform of its day in it; an event of the day is rated after it."""
        assert self.last is not None
        until = self.following.day if self.following else date.max
        if self.one.by_lists:
            return self.last.day <= one.day < until
        return self.last.day < one.day <= until

    def _made(self, step: Reformed | _Added, before: float | None, after: float | None) -> Result:
        day = _day_of(step)
        before, after = (self.one.rounded(each, day) for each in (before, after))
        is_of_decimals = isinstance(step, Reformed) and step.is_of_decimals
        last = day - timedelta(days=1) if is_of_decimals else day
        found = Result(
            pool=self.one.pool.id, key="", day=day, events=(), games=0, score=0.0,
            expected=None, average=None, performance=None, before=before, after=after,
            change=self.one.change(before, after), first=None, is_revised=False,
            is_published=True, corrections=(),
            decimals=self.one.decimals_on(day), decimals_before=self.one.decimals_on(last),
        )  # fmt: skip
        if not isinstance(step, Reformed):
            found = replace(found, key=f"difference {day} {step[0].correction}", differences=step)
            is_on_list = found.added_with and self._is_last_on(found.added_with)
            return replace(found, day=found.added_with or day) if is_on_list else found
        reform = Reform(
            step.edition, step.paragraph,
            anchor(step.paragraph) if step.paragraph else "readings", _(step.text),
            step.is_of_decimals,
        )  # fmt: skip
        found = replace(found, key=f"reform {day}", reform=reform)
        return found if self.last is None else revised_with(self.last, found)


_Added = tuple[Difference, ...]
"""What corrections added at once, with one list."""


def _day_of(step: Reformed | _Added) -> date:
    """From when ratings differ."""
    return step.day if isinstance(step, Reformed) else step[0].day


def _is_but_rounding(one: float | None, other: float, decimals: int) -> bool:
    """Whether two published numbers differ only since each was rounded by itself."""
    return one is not None and abs(one - other) < 1.5 * 10.0**-decimals


def _public(
    one: Published, person: int, printed: _Printed, found: Sequence[Result]
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


def _not_listed(one: Published, person: int, printed: _Printed, found: Sequence[Result]) -> int:
    """How many of the first results the rules did not publish, of who was new in the pool.

    An office may have made no lists of then, so its lists alone do not tell.  On and after the
    first of them with the person nothing is asked, and of nobody who came in with a rating.
    """
    if one.pool.id not in printed.new_in:
        return 0
    first, count = printed.first.get(one.pool.id, date.max), 0
    for at, each in enumerate(found, 1):
        if each.day >= first:
            break
        if not each.is_rated or each.after is None:
            continue
        if derived(current(), one.run, person, each.key)[-1].row.published:
            break
        count = at
    return count


class _Printed(NamedTuple):
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


def _printed(who: Identity, in_force: Mapping[int, Published]) -> _Printed:
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
            unlisted.setdefault(row.list.pool_id, row.before or _NO_DAY)
            first_of.setdefault(row.list.pool_id, row.list.date)
    on_newest = {row.list.pool_id: row for row in rows if row.list_id in newest}
    new_in = by_lists - _opened(tuple(who.numbers), by_lists)
    return _Printed(on_newest, until, unlisted, first_of, new_in)


def _pools(
    person: int, in_force: Mapping[int, Published], results: Mapping[int, Sequence[Result]],
    printed: _Printed,
) -> tuple[PoolRating, ...]:  # fmt: skip
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
                pool=number, name=one.pool.name, rulebook=one.run.rulebook,
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
    known = [(each.after, each.day) for each in _stood(results) if each.after is not None]
    value, day = max(known, key=lambda each: each[0], default=(None, None))
    came = results[0].before if results and came_with_number and results[0].was_listed else None
    if came is not None and (value is None or came > value):
        value, day = came, None
    if now is None or value is None or max(until, results[-1].day) > date.today():
        return value, day
    return (now, until) if now > value else (value, day)


def _stood(results: Sequence[Result]) -> list[Result]:
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


def _in_graph(results: Sequence[Result]) -> Sequence[Result]:
    return [each for each in results if each.after is not None][-_MOST_POINTS:]


def _history(
    one: Published, rating: PoolRating, results: Sequence[Result], *, came_with_number: bool
) -> History | None:
    shown = _in_graph(results)
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
    stood = {each.day for each in _stood(shown)}
    in_force = [
        each for each in points
        if each.day in stood or (each.day < shown[0].day and shown[0].was_listed)
    ]  # fmt: skip
    first = in_force[0] if in_force else points[-1]
    best = max(in_force, key=lambda each: each.value, default=points[-1])
    at_begin = best is points[0] and best.day < shown[0].day
    return History(
        pool=one.pool.id, name=one.pool.name, decimals=one.decimals,
        chart=stair(points, first, best, end), begin=points[0].day, end=end,
        first=first.value, last=points[-1].value, peak=best.value,
        peak_day=None if at_begin else best.day,
        revised=sum(each.first is not None for each in shown),
        is_shortened=is_shortened, rows=tuple(reversed(shown)),
    )  # fmt: skip
