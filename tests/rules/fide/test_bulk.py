"""A history under all editions, and whole events compiled."""

import random
from dataclasses import dataclass
from datetime import date, timedelta

import pyarrow as pa

from ratingbook.engine.history import RatedHistory, rate_history
from ratingbook.model import Entry, Standing
from ratingbook.rules import registry
from ratingbook.rules.series import BookOrSeries
from tests.rules.fide.test_whole_events import CASES, rated


@dataclass(frozen=True)
class Played:
    event: int
    start: date
    end: date
    white: str
    black: str
    score: float


def made_history(
    seed: int, players: int = 40, events: int = 60, years: float = 3
) -> tuple[list[Played], list[Entry]]:
    """Events over some years, some longer than a list, with all kinds of players."""
    chance = random.Random(seed)
    entries = []
    for number in range(players):
        standing = None
        if chance.random() < 0.6:
            standing = Standing(
                rating=chance.choice([1190, 1205, 1400, 1600, 1800, 2000, 2200, 2385, 2398, 2450]),
                games=chance.choice([0, 5, 28, 29, 30, 80]),
            )
        born = chance.choice([None, date(1970, 5, 5), date(1996, 1, 31), date(2005, 12, 1)])
        entries.append(Entry(f"p{number:02}", standing=standing, birth_date=born))
    games = []
    for event in range(events):
        start = date(2009, 7, 1) + timedelta(chance.randrange(int(years * 365)))
        end = start + timedelta(chance.choice([0, 2, 8, 8, 40, 100]))
        field = chance.sample(entries, chance.choice([4, 6, 10]))
        for _ in range(chance.choice([3, 5, 7])):
            chance.shuffle(field)
            for white, black in zip(field[::2], field[1::2], strict=True):
                score = chance.choice([1.0, 0.5, 0.0])
                games.append(Played(event, start, end, white.id, black.id, score))
    return games, entries


def rated_as_history(games: list[Played], entries: list[Entry], book: BookOrSeries) -> RatedHistory:
    table = pa.table(
        {
            "date": [game.end for game in games],
            "start": [game.start for game in games],
            "event": [game.event for game in games],
            "white": [game.white for game in games],
            "black": [game.black for game in games],
            "score": [game.score for game in games],
        }
    )
    standings = [entry.standing or Standing() for entry in entries]
    players = pa.table(
        {
            "id": [entry.id for entry in entries],
            "rating": [standing.rating for standing in standings],
            "games": [standing.games for standing in standings],
            "birth_date": [entry.birth_date for entry in entries],
        }
    )
    return rate_history(table, book, players=players, compiled=False)


def test_a_history_of_all_times_tells_what_changed():
    series = registry.load("fide")
    games, entries = made_history(0, events=400, years=17.2)
    rated = rated_as_history(games, entries, series)
    told = {finding.code for finding in rated.findings}
    assert {"history.editions", "history.reform", "history.long-events"} <= told


def test_compiled_round_robins_and_matches_give_the_same_bits():
    name = "fide-2012"
    for _, example in (case for case in CASES if case[0] == name):
        assert rated(name, example, compiled=True) == rated(name, example, compiled=False)
