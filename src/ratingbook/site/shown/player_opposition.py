"""Whom a player met in each batch: the average, and the performance against it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ratingbook.office.acts.explain import counted
from ratingbook.office.home import current
from ratingbook.site.shown.games import GameOf
from ratingbook.site.shown.opposition import (
    begins_with,
    counts_with_own_numbers,
    grades_of,
    opposition,
)
from ratingbook.site.shown.persons import Identity
from ratingbook.site.shown.player_events import Batch
from ratingbook.site.shown.players import Result
from ratingbook.site.shown.pools import Published, in_force_of


def with_opposition(
    found: Sequence[Result], pools: Mapping[int, Published], who: Identity,
    games: Mapping[Batch, Sequence[GameOf]],
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
