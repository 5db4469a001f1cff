"""In which games points are to be won for the least new rating, and for the greatest.

The command tries every way in which open games can end, which a page with many games has no time
for.  Where the games of an event are rated together the order by strength has both ends.  Where
each game is rated from where the one before has led, so that a win early makes the later ones worth
less, the ends are looked for game by game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ratingbook.desk.planned import ME, Planned, game_of
from ratingbook.desk.whatif import MOST_OPEN, as_met
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Report
from ratingbook.rules.book import RatedBy, RuleBook

Way = tuple[int, ...]
"""The half points of the open games, in their order."""
_PARTS = 8
"""Of more open games than the command tries two go on from so many parts after each game.

The ends alone are enough where K is one for all; where it is another one from some rating on, who
stands just below may come out above.
"""


def extreme_ways(
    book: RuleBook, entry: Entry, games: Sequence[Planned], event: Event
) -> Mapping[int, tuple[Way, ...]]:
    """By the half points of all open games: the ways with the least and the greatest rating."""
    found = _game_by_game(book, entry, games, event) if book.rated_by is RatedBy.GAME else None
    return _by_strength(games) if found is None else found


def _by_strength(games: Sequence[Planned]) -> dict[int, tuple[Way, ...]]:
    """Won against the weakest before the others, and against the strongest."""

    def strength(place: int) -> float:
        standing = opponents[place].standing
        return standing.rating or 0.0 if standing else 0.0

    opponents = [each.opponent for each in games if each.half_points is None]
    weakest = sorted(range(len(opponents)), key=strength)
    orders = (weakest, weakest[::-1])
    return {
        half: tuple(dict.fromkeys(_won(order, half) for order in orders))
        for half in range(2 * len(opponents) + 1)
    }


def _won(order: Sequence[int], half: int) -> Way:
    won = dict.fromkeys(sorted(order), 0)
    for place in order:
        won[place] = min(2, half)
        half -= won[place]
    return tuple(won.values())


class _Stand(NamedTuple):
    """Where some of the games have led."""

    rating: float
    way: Way
    me: Entry


def _game_by_game(
    book: RuleBook, entry: Entry, games: Sequence[Planned], event: Event
) -> dict[int, tuple[Way, ...]] | None:
    """The same where games are rated one after the other; None: they cannot be rated."""
    is_few = sum(each.half_points is None for each in games) <= MOST_OPEN
    stands = {0: [_Stand(0.0, (), entry)]}
    for game in as_met(book, entry, games, event):
        after: dict[int, dict[float, _Stand]] = {}
        led = _after(book, [each for some in stands.values() for each in some], game, event)
        if led is None:
            return None
        for each in led:
            after.setdefault(sum(each.way), {})[each.rating] = each
        stands = {half: [some[rating] for rating in sorted(some)] for half, some in after.items()}
        if not is_few:
            stands = {half: _spread(some) for half, some in stands.items()}
    return {
        half: tuple(dict.fromkeys((some[0].way, some[-1].way))) for half, some in stands.items()
    }


def _spread(some: Sequence[_Stand]) -> list[_Stand]:
    """The ends of these, and of each part of the way from one to the other."""
    low, wide = some[0].rating, some[-1].rating - some[0].rating
    if not wide:
        return [some[0]]
    found: dict[int, tuple[_Stand, _Stand]] = {}
    for each in some:
        part = min(int(_PARTS * (each.rating - low) / wide), _PARTS - 1)
        found[part] = (found[part][0] if part in found else each, each)
    ends = {each.rating: each for both in found.values() for each in both}
    return list(ends.values())


def _after(
    book: RuleBook, stands: Sequence[_Stand], game: Planned, event: Event
) -> list[_Stand] | None:
    """Where the next game leads from each of these, all of them rated at once."""
    ends = (2, 1, 0) if game.half_points is None else (game.half_points,)
    entries, made, begun = [], [], {}
    for number, one in enumerate(stands):
        for half in ends:
            ids = {ME: f"{number} {half}", game.opponent.id: f"against {number} {half}"}
            entries += [
                replace(one.me, id=ids[ME]),
                replace(game.opponent, id=ids[game.opponent.id]),
            ]
            played = game_of(game, half, 1)
            made.append(replace(played, white=ids[played.white], black=ids[played.black or ME]))
            way = one.way if game.half_points is not None else (*one.way, half)
            begun[ids[ME]] = one._replace(way=way)
    rows = {x.row.id: x.row for x in rate(Report(event, tuple(entries), tuple(made)), book).rows}
    found = []
    for id_, (_, way, me) in begun.items():
        row = rows.get(id_)
        if row is None or row.after is None:
            return None
        found.append(_Stand(row.after, way, replace(me, standing=row.standing)))
    return found
