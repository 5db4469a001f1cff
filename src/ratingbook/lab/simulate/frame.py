"""What is fixed before anybody is rated: the meets, who takes part, and how many games there are.

Who meets whom depends on ratings, but that the games will be there does not.  So the whole
history is planned once, with nobody at the boards, and the players take their seats later.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import GameColumns, HistoryInput
from ratingbook.lab.simulate.chance import Purpose, stream
from ratingbook.lab.simulate.people import People
from ratingbook.lab.simulate.scenario import Scenario
from ratingbook.rules.book import RuleBook
from ratingbook.rules.bulk import day_number

Array = np.ndarray[Any, Any]

_FEWEST = 4
"""Players of one event, at least."""
_GAMES_OF_FOUNDERS = 100
_MONTHS = 12


@dataclass(frozen=True)
class Meet:
    """Events that are held at the same time."""

    day: int
    """The first day."""
    who: Array
    """The players, group by group."""
    group: Array
    """Of each of them: the region, or one number more for those who travel."""
    sizes: Array
    """Players of each event, in the order of the groups; even numbers."""
    first_event: int
    first_game: int
    rounds: int

    @property
    def games(self) -> int:
        """How many there are."""
        return int(self.sizes.sum()) // 2 * self.rounds

    @property
    def event(self) -> Array:
        """The event of each seat, counted from 0."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def rows(self, turn: int) -> Array:
        """The rows of the games of a round, in the order of the events."""
        pairs = self.sizes // 2
        # Events one after the other, and in each of them round after round.
        begins = self.first_game + self.rounds * (np.cumsum(pairs) - pairs) + turn * pairs
        within = np.arange(int(pairs.sum())) - np.repeat(np.cumsum(pairs) - pairs, pairs)
        found: Array = np.repeat(begins, pairs) + within
        return found


def meets_of(world: Scenario, people: People, seed: int) -> tuple[Meet, ...]:
    """The meets of all years with those who take part."""
    luck = stream(seed, Purpose.ENTRIES)
    chance = np.minimum(1.0, people.events / world.meets)
    found: list[Meet] = []
    events = games = 0
    for day in days_of(world):
        here = (people.entered <= day) & (day < people.leaves) & (luck.random(len(people)) < chance)
        who = np.flatnonzero(here).astype(np.int32)
        travels = luck.random(len(who)) < world.travel
        group = np.where(travels, world.regions, people.region[who])
        order = np.lexsort((luck.random(len(who)), group))
        who, group = who[order], group[order]
        counts = np.bincount(group, minlength=world.regions + 1)
        # Of an odd number one goes home, and so do those who are too few.
        stays = np.where(counts < _FEWEST, 0, counts - counts % 2)
        place = np.arange(len(who)) - np.repeat(np.cumsum(counts) - counts, counts)
        keep = place < stays[group]
        sizes = np.array(
            [size for each in stays.tolist() for size in _sizes(each, world.event_size)], np.int64
        )
        meet = Meet(day, who[keep], group[keep], sizes, events, games, world.rounds)
        found.append(meet)
        events += len(sizes)
        games += meet.games
    return tuple(found)


def days_of(world: Scenario) -> list[int]:
    """The first days of the meets: the 10th of a month."""
    months = [(_MONTHS * each) // world.meets for each in range(world.meets)]
    return [
        day_number(date(world.start.year + year, month + 1, 10))
        for year in range(world.years)
        for month in months
    ]


def _sizes(players: int, wanted: int) -> list[int]:
    """Events of about the wanted size, of even numbers of players."""
    if not players:
        return []
    pairs = players // 2
    events = max(1, min(round(players / wanted), players // _FEWEST))
    return [2 * (pairs // events + (each < pairs % events)) for each in range(events)]


def history_of(
    world: Scenario, people: People, meets: tuple[Meet, ...], book: RuleBook, seed: int
) -> HistoryInput:
    """The history with empty boards, and with what the players file says of everybody."""
    games = sum(each.games for each in meets)
    day, start = np.zeros(games, np.int32), np.zeros(games, np.int32)
    event, turn = np.zeros(games, np.int32), np.zeros(games, np.int16)
    for meet in meets:
        span = slice(meet.first_game, meet.first_game + meet.games)
        start[span], day[span] = meet.day, meet.day + world.days - 1
        pairs = np.repeat(meet.sizes // 2, meet.rounds)
        numbers = np.repeat(np.arange(len(meet.sizes)), meet.rounds)
        event[span] = meet.first_event + np.repeat(numbers, pairs)
        turn[span] = np.repeat(np.tile(np.arange(1, meet.rounds + 1), len(meet.sizes)), pairs)
    columns = GameColumns(
        day=day,
        white=np.zeros(games, np.int32),
        black=np.ones(games, np.int32),
        score=np.ones(games, np.int8),
        start=start,
        event=event,
        round=turn,
    )
    names = np.arange(len(people))
    events = meets[-1].first_event + len(meets[-1].sizes) if meets else 0
    width = len(str(max(len(people), events)))
    return HistoryInput(
        games=columns,
        players=pa.array([f"p{each:0{width}}" for each in names.tolist()], pa.string()),
        event_ids=pa.array([f"e{each:0{width}}" for each in range(events)], pa.string()),
        section_ids=pa.array([], pa.string()),
        standings=_known(world, people, book, seed),
    )


def _known(world: Scenario, people: People, book: RuleBook, seed: int) -> pa.Table:
    """What the players file says: founders have a rating, all a birth date, or a grade."""
    luck = stream(seed, Purpose.FOUNDERS)
    count, founders = len(people), people.founders
    rating = people.strength(day_number(world.start), world).astype(float)
    rating += luck.normal(0, 1, count) * world.founder_error
    rating += np.where(people.region == 0, world.region_error, 0.0)
    rating = np.rint(rating)
    low, high = book.rating_range
    known = (np.arange(count) < founders) & (rating >= max(low, book.floor or low))
    rating = np.minimum(rating, high)
    columns: dict[str, Any] = {
        "player": pa.array(np.arange(count, dtype=np.int32)),
        "rating": pa.array(rating, mask=~known),
        "games": pa.array(np.full(count, _GAMES_OF_FOUNDERS), mask=~known),
        "birth_date": pa.array(people.birth).cast(pa.date32()),
    }
    if book.grades is not None and "grade" in book.bulk.codes:
        said = np.where(known, rating, people.guess)
        texts = {each: book.grades.of_rating(each) for each in np.unique(said).tolist()}
        columns["grade"] = pa.array([texts[each] for each in said.tolist()], pa.string())
    return pa.table(columns)
