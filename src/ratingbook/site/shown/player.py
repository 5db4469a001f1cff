"""The page of a player, all results, and both as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from typing import Any

from django.db.models import FilteredRelation, Q

from ratingbook.desk.account import spoken
from ratingbook.office.acts.people import attributes_of
from ratingbook.office.acts.published import versions_of
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.site.answers import Table
from ratingbook.site.shown.beside_games import with_all_else
from ratingbook.site.shown.corrected import corrections_of
from ratingbook.site.shown.otherwise import Revision, revisions_of
from ratingbook.site.shown.persons import Identity, merged_at, nobody
from ratingbook.site.shown.player_events import Event, events_of, games_in
from ratingbook.site.shown.player_history import history_of, in_graph
from ratingbook.site.shown.player_opposition import with_opposition
from ratingbook.site.shown.player_printed import Printed, printed_of, public_part
from ratingbook.site.shown.player_ratings import ratings_of
from ratingbook.site.shown.player_results import begun_first, last_rated, on_their_days, results_in
from ratingbook.site.shown.players import Apart, Player, Result
from ratingbook.site.shown.pools import Published, now_of, published

PER_PAGE = 50


def player(who: Identity, pool: str = "", page: int = 1) -> Player:
    """The page of a player; ``pool`` chooses history and results."""
    person, about = who.person, _about(who)
    in_force = published()
    versions = [each for each in versions_of(person) if each["pool"] in in_force]
    events = events_of(who.numbers, in_force)
    reached, corrected = corrections_of(person, versions)
    printed = printed_of(who, in_force)
    results = {
        number: _in_pool(in_force[number], person, printed, list(rows), events, reached)
        for number, rows in groupby(versions, key=lambda each: int(each["pool"]))
    }
    pools = ratings_of(person, in_force, results, printed)
    most = max(pools, key=lambda each: (each.rating is not None, each.games), default=None)
    chosen = next((each for each in pools if each.pool == pool), most)
    own = results.get(chosen.pool_number, []) if chosen else []
    pages = max(1, -(-len(own) // PER_PAGE))
    page = min(max(page, 1), pages)
    here = slice((page - 1) * PER_PAGE, page * PER_PAGE)
    last = [found for own in results.values() if (found := last_rated(own))]
    in_sight = {each.batch for each in (*in_graph(own), *own[::-1][here], *last)}
    games = games_in(in_sight, in_force, who, events)
    met = with_opposition([*own, *(each.last for each in pools if each.last)], in_force, who, games)
    own, last_of = met[: len(own)], {each.pool: each for each in met[len(own) :]}
    pools = tuple(
        replace(each, last=last_of.get(each.pool)) for each in on_their_days(pools, results, games)
    )
    history = None
    if chosen:
        number = chosen.pool_number
        history = history_of(
            in_force[number], chosen, own, came_with_number=number not in printed.new_in
        )
    days = [each.last_played for each in pools if each.last_played]
    return Player(
        id=person, name=about.name, spoken=spoken(about.name), title=about.said.get("title", ""),
        federation=about.said.get("federation", ""), club=about.said.get("club", ""),
        ids=about.ids, last_played=max(days, default=None), pools=pools, history=history,
        results=tuple(own[::-1][here]), results_of=chosen.pool if chosen else "",
        page=page, pages=pages,
        corrections=corrected.get(chosen.pool_number, ()) if chosen else (),
        revisions=_revisions(in_force[chosen.pool_number], person, versions, own) if chosen else (),
        apart=_apart(who, in_force.values()),
    )  # fmt: skip


def _revisions(
    one: Published, person: int, versions: Iterable[Mapping[str, Any]], own: Iterable[Result]
) -> tuple[Revision, ...]:
    """What but corrections made published results of a player in a pool others."""
    shown = {each.key for each in own if each.is_published}
    mine = (each for each in versions if each["pool"] == one.pool.id)
    return revisions_of(one, person, mine, shown)


def _apart(who: Identity, pools: Iterable[Published]) -> tuple[Apart, ...]:
    """The other numbers of a person that stand for themselves in what is published of a pool."""
    return tuple(
        Apart(number, one.pool.name, now.rating, one.decimals)
        for number in who.numbers[1:]
        for one in pools
        if merged_at(one.run.upto).get(number, number) != who.person
        and (now := now_of(one, number)) and now.is_published
    )  # fmt: skip


def results(who: Identity) -> list[Result]:
    """All results of a player, pool by pool, the oldest first."""
    in_force = published()
    _about(who)
    events = events_of(who.numbers, in_force)
    found = _changes(who, in_force, events)
    games = games_in({each.batch for each in found}, in_force, who, events)
    return with_opposition(found, in_force, who, games)


def changes(who: Identity) -> list[Result]:
    """The same without whom the player met; of anybody, also of whom nothing is public."""
    in_force = published()
    return _changes(who, in_force, events_of(who.numbers, in_force))


def _changes(
    who: Identity, in_force: Mapping[int, Published], events: Sequence[Event]
) -> list[Result]:
    versions = [each for each in versions_of(who.person) if each["pool"] in in_force]
    reached, _told = corrections_of(who.person, versions)
    printed = printed_of(who, in_force)
    return [
        each
        for number, own in groupby(versions, key=lambda each: int(each["pool"]))
        for each in _in_pool(in_force[number], who.person, printed, list(own), events, reached)
    ]


def _in_pool(
    one: Published,
    person: int,
    printed: Printed,
    versions: Sequence[Mapping[str, Any]],
    events: Sequence[Event],
    reached: Mapping[tuple[int, str], tuple[int, ...]],
) -> list[Result]:
    """What a pool has of a player, the oldest first, as far as it is public."""
    rated = results_in(one, person, versions, events, reached)
    every = with_all_else(one, person, rated, begun_first(one, versions))
    return public_part(one, person, printed, every)


def table(found: Iterable[Result]) -> Table:
    """Results as a table."""
    rows = [
        (each.pool, each.day, each.key, _called(each),
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
    if len(who.numbers) > 1:
        # Of other numbers of the person more may be said.
        said = attributes_of([who.person], ledger.head().seq, today).get(who.person, {})
    ids = m.ExternalId.objects.filter(person__in=who.numbers, revoked_by__isnull=True).order_by(
        "scheme"
    )
    return _About(found[0][0], said, tuple(ids.values_list("scheme", "value")))
