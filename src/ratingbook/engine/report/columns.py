"""The games and events of a batch of a report as the columns of the loops."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import Any

from ratingbook.engine.loops.arrays import (
    BLACK_RATED,
    NO_CONDITIONS,
    NO_MARGIN,
    RATED_SAID,
    WHITE_RATED,
    Batches,
    Events,
    Games,
)
from ratingbook.model import Colour, Event, Game
from ratingbook.rules.book import Batch, RatedBy, RuleBook, by_event, end_of, span_of
from ratingbook.rules.bulk import NOT_GIVEN, Bulk, Calendar, day_number, score_of, status_of
from ratingbook.rules.half import Status


@dataclass(frozen=True)
class Columns:
    """A batch of a report as the loops take it, beside the games that stand in its rows."""

    games: Games
    events: Events
    batches: Batches
    lists: Sequence[date | None] = ()
    """The list in force when each event started, where the edition has such."""


def columns_of(
    batch: Batch,
    book: RuleBook,
    bulk: Bulk,
    rows: Mapping[str, int],
    number: int,
    about_event: Callable[[int], None],
) -> Columns:
    """The columns of batch ``number``; ``rows`` are the players of the report by id.

    Nobody, who sits opposite of who has a bye, follows the players.  ``about_event`` is told
    whose facts are looked at, −1 when they are.
    """
    nobody = len(rows)
    games = batch.games
    described, own_games = _events_of(batch), by_event(games)
    ranks = {name: rank for rank, name in enumerate(described)}
    spans = [span_of(event, own_games.get(name, ()), name) for name, event in described.items()]
    order = [ranks[game.event] for game in games]
    places: list[list[int]] = [[] for _ in described]
    for place, rank in enumerate(order):
        places[rank].append(place)
    facts, lists = [], []
    late: set[int] = set()
    for rank, ((name, event), span) in enumerate(zip(described.items(), spans, strict=True)):
        about_event(-1)
        p = book.parameters_for(event, *span)
        about_event(rank)
        facts.append(bulk.facts_of(event, p))
        lists.append(_list_in_force(span[0], name, bulk.calendar))
        end_said = end_of(event, own_games.get(name, ()), name)
        late |= _late(places[rank], games, end_said, bulk, p)
    about_event(-1)
    by_list = bulk.calendar is not None and not bulk.calendar.by_game
    # In a report on a period the event is the period: it says nothing of when a game was played.
    by_game = bulk.calendar is not None and bulk.calendar.by_game
    start = [day_number(first or last) for first, last in spans]
    end = [day_number(last) for _, last in spans]
    own_days = book.rated_by is not RatedBy.SECTION
    columns = Games(
        offsets=[*([0] * (number + 1)), len(games)],
        white=[rows[game.white] for game in games],
        black=[nobody if game.black is None else rows[game.black] for game in games],
        score=[score_of(game, Colour.WHITE) for game in games],
        handicap=[game.handicap for game in games] if _has_stones(games) else [],
        rated=[_rated(game) for game in games],
        event=order,
        start=[]
        if by_list
        else [
            day_number(game.start) if by_game or (own_days and game.start) else start[at]
            for game, at in _with(games, order)
        ],
        end=[]
        if by_list
        else [
            day_number(game.end) if own_days and (game.end or by_game) else end[at]
            for game, at in _with(games, order)
        ],
        slot=[],
        entry_white=[],
        entry_black=[],
        white_number=_named([game.white_rating for game in games]),
        black_number=_named([game.black_rating for game in games]),
        white_reached=[],
        black_reached=[],
        status=[
            Status.LEFT_OUT if index in late else status_of(game)
            for index, game in enumerate(games)
        ],
        turn=[],
        reported=[day_number(game.reported or game.end) for game in games],
        white_for=_replaced([game.white_for for game in games], rows),
        black_for=_replaced([game.black_for for game in games], rows),
        conditions=[_conditions(game) for game in games] if bulk.counts_margins else [],
    )
    if bulk.remembers is not None:
        columns = _with_memory(columns, start)
    day = max([*end, *columns.end], default=NOT_GIVEN)
    before: list[int] = [NOT_GIVEN] * number
    return Columns(
        columns,
        Events(start, end, facts),
        Batches([*before, day], [0] * (number + 1), [0] * (number + 1)),
        lists,
    )


def _with_memory(games: Games, starts: Sequence[int]) -> Games:
    """The games with what the numbers that they name tell of their players."""
    named: dict[int, list[tuple[int, int]]] = {}
    sides = (games.white, games.white_number), (games.black, games.black_number)
    for players, numbers in sides:
        for player, number, event in zip(players, numbers, games.event, strict=True):
            if number > 0:
                named.setdefault(player, []).append((starts[event], number))
    if not named:
        return games
    highest: dict[int, tuple[Sequence[int], Sequence[int]]] = {}
    for player, told in named.items():
        days, numbers = zip(*sorted(told), strict=True)
        highest[player] = days, [0, *accumulate(numbers, max)]
    nothing: tuple[Sequence[int], Sequence[int]] = (), (0,)

    def reached(player: int, event: int) -> int:
        days, most = highest.get(player, nothing)
        return most[bisect_right(days, starts[event])]

    white, black = (
        [reached(player, event) for player, event in zip(players, games.event, strict=True)]
        for players, _ in sides
    )
    return games._replace(white_reached=white, black_reached=black)


def _list_in_force(day: date | None, name: str | None, calendar: Calendar | None) -> date | None:
    """The list in force when an event started."""
    if day is None or calendar is None or calendar.in_force is None or calendar.by_game:
        return None
    return calendar.in_force(day, name or "the event")


def _late(
    places: Sequence[int], games: Sequence[Game], end: date | None, bulk: Bulk, p: Any
) -> set[int]:
    """The games of an event whose report came too late."""
    if end is None or bulk.calendar is None or bulk.calendar.late is None:
        return set()
    late = bulk.calendar.late
    days = {day for place in places if (day := games[place].reported)}
    too_late = {day for day in sorted(days) if late(end, day, p)}
    return {place for place in places if games[place].reported in too_late}


def _replaced(players: Sequence[str | None], rows: Mapping[str, int]) -> list[int]:
    """Whom the players at the boards replace; −1 is nobody."""
    return [-1 if player is None else rows[player] for player in players]


def _with(games: Sequence[Game], order: Sequence[int]) -> Sequence[tuple[Game, int]]:
    return list(zip(games, order, strict=True))


def _has_stones(games: Sequence[Game]) -> bool:
    """Whether a game has a handicap at all."""
    return any(game.handicap for game in games)


def _events_of(batch: Batch) -> dict[str | None, Event]:
    """The events of the batch by the names that games have for them, the batch's own first."""
    own = batch.event
    names = dict.fromkeys(game.event for game in batch.games)
    if not names:
        return {None: own}
    return {name: batch.report.event_called(name, own) for name in names}


def _rated(game: Game) -> int:
    black = 0 if game.black is None else BLACK_RATED * game.black_rated
    return WHITE_RATED * game.white_rated + black + RATED_SAID * game.rated_said


def _named(ratings: Sequence[float | None]) -> list[float]:
    """Ratings that games name, whole ones as whole numbers; most games name none."""
    return [
        NOT_GIVEN if each is None else int(each) if each == int(each) else each for each in ratings
    ]


def _conditions(game: Game) -> int:
    if game.margin is None:
        return NO_CONDITIONS + game.neutral
    return 2 * max(NO_MARGIN + 1, game.margin) + game.neutral
