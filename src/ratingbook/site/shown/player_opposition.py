"""Whom a player met in each batch: the average, and the performance against it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from ratingbook.office.acts.explain import reckoned
from ratingbook.office.home import current
from ratingbook.site.shown.games import GameOf
from ratingbook.site.shown.opposition import (
    Opposition,
    begins_with,
    counts_with_own_numbers,
    grades_of,
    lists_tell,
    opposition,
    reads_others,
)
from ratingbook.site.shown.persons import Identity
from ratingbook.site.shown.player_events import Batch
from ratingbook.site.shown.players import Result
from ratingbook.site.shown.pools import Published, before_of_batch, in_force_of


def with_opposition(
    found: Sequence[Result], pools: Mapping[int, Published], who: Identity,
    games: Mapping[Batch, Sequence[GameOf]],
) -> list[Result]:  # fmt: skip
    """The results with whom the player met in these games."""
    met = {
        each.batch: _met(pools[each.pool_number], who.person, each.key,
                         games.get(each.batch, ()), each.games)
        for each in found
    }  # fmt: skip
    entered: dict[int, set[tuple[int, str]]] = {}
    for batch, some in met.items():
        entered.setdefault(batch[0], set()).update((each.opponent, each.event) for each in some)
    grades = {pool: grades_of(pools[pool], some) for pool, some in entered.items()}
    made = []
    for each in found:
        said = _opposition(
            pools[each.pool_number], each.key, each.day, met[each.batch],
            grades.get(each.pool_number, {}),
        )  # fmt: skip
        made.append(replace(
            each, average=said.average, performance=said.performance,
            began=_began(pools[each.pool_number], who.person, each),
        ))  # fmt: skip
    return made


def _began(one: Published, person: int, result: Result) -> float | None:
    """With what the rules let a player begin who had no rating; of a first one none is expected."""
    is_told = result.before is None and result.expected is not None and result.is_published
    if not is_told or not reads_others(one):
        return None
    return reckoned(current(), one.run, person, result.key).began


def opposition_in(
    one: Published, key: str, day: date, person: int, games: Collection[GameOf]
) -> Opposition:
    """Whom a player met in the rated games of a batch, as a result of the player tells it."""
    met = _met(one, person, key, games, len(games))
    return _opposition(one, key, day, met, grades_of(one, {(x.opponent, x.event) for x in met}))


def _opposition(
    one: Published, key: str, day: date, met: Iterable[_Opponent],
    grades: Mapping[tuple[int, str], str],
) -> Opposition:  # fmt: skip
    return opposition(one, day, [
        (begins_with(one, day, grades.get((x.opponent, x.event)), x.rating, (x.opponent, key)),
         x.half)
        for x in met
    ])  # fmt: skip


class _Opponent(NamedTuple):
    opponent: int
    event: str
    rating: float | None
    half: int | None


def _met(
    one: Published, person: int, key: str, games: Collection[GameOf], rated: int
) -> list[_Opponent]:
    """Whom somebody met in the ``rated`` games of a batch, and with which number each counted.

    The run knows which games these are, where some were not rated of those that were to be.
    """
    if not games or not rated:
        return []
    found = []
    for game in games:
        opponent, half = game.met_by(person)
        start = game.named.start or game.named.end
        rating = in_force_of(one, opponent, key, start)
        found.append(_Opponent(opponent, game.event_id, rating, half))
    own = before_of_batch(one, key, [person]).get(person)
    days = {game.named.end for game in games}
    numbers = [own, *(each.rating for each in found)]
    if len(games) == rated and all(lists_tell(one, day, numbers) for day in days):
        return found
    by_run = reckoned(current(), one.run, person, key).against
    return [
        each._replace(rating=by_run[game.ledger])
        if counts_with_own_numbers(one, game.named.end) else each
        for game, each in zip(games, found, strict=True) if game.ledger in by_run
    ]  # fmt: skip
