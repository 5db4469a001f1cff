"""A history is the chain of its quarterly reports, and compiled it gives the same bits."""

import random
from dataclasses import replace
from datetime import date, timedelta

import pyarrow as pa
import pytest

from nowhere_rating import nowhere_2023
from nowhere_rating.bulk import list_taking
from ratingbook.engine.history import RatedHistory, rate_history
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Game, Report, Result, Standing
from ratingbook.rules.bulk import NoFacts

RESULTS = {1.0: Result.WHITE_WINS, 0.5: Result.DRAW, 0.0: Result.BLACK_WINS}
IDS = [f"p{number:02}" for number in range(30)]

Played = tuple[date, str, str, float]


def made_games(seed: int) -> list[Played]:
    """Games of two years, which cross the amendment of July 2024: day, players, score."""
    chance = random.Random(seed)
    games = []
    for _ in range(600):
        day = date(2023, 7, 1) + timedelta(chance.randrange(730))
        white, black = chance.sample(IDS, 2)
        games.append((day, white, black, chance.choice([1.0, 0.5, 0.0])))
    return games


def made_players(seed: int) -> dict[str, Standing]:
    """Two thirds of the players come with a rating."""
    chance = random.Random(-seed)
    return {
        player: Standing(rating=chance.randint(800, 2200), games=chance.randint(0, 40))
        for player in IDS[::3] + IDS[1::3]
    }


def as_history(games: list[Played], known: dict[str, Standing], *, compiled: bool) -> RatedHistory:
    """The games as columns."""
    columns = dict(zip(("date", "white", "black", "score"), zip(*games, strict=True), strict=True))
    players = {
        "id": list(known),
        "rating": [standing.rating for standing in known.values()],
        "games": [standing.games for standing in known.values()],
    }
    return rate_history(
        pa.table(columns), nowhere_2023, players=pa.table(players), compiled=compiled
    )


def as_reports(games: list[Played], known: dict[str, Standing]) -> list[tuple[object, ...]]:
    """A report for every list, each with the standings of the one before."""
    entries = {player: Entry(player, standing=known.get(player)) for player in IDS}
    rows: list[tuple[object, ...]] = []
    days = sorted({list_taking(game[0], NoFacts()) for game in games})
    for number, day in enumerate(days):
        of_list = [game for game in games if list_taking(game[0], NoFacts()) == day]
        played = tuple(Game(white, black, RESULTS[s]) for _, white, black, s in of_list)
        event = Event(end=max(game[0] for game in of_list))
        rating = rate(Report(event, tuple(entries.values()), played), nowhere_2023)
        for row in (rated.row for rated in rating.rows):
            entries[row.id] = replace(entries[row.id], standing=row.standing)
            if row.games:
                numbers = (row.before, row.after, row.games, row.score, row.expected)
                rows.append((number, row.id, *numbers))
    return rows


@pytest.mark.parametrize("seed", range(3))
def test_a_history_is_the_chain_of_its_reports(seed: int) -> None:
    """Row by row."""
    games, known = made_games(seed), made_players(seed)
    names = ("batch", "player", "before", "after", "games", "score", "expected")
    changes = as_history(games, known, compiled=False).changes.to_pylist()
    rows = [tuple(row[name] for name in names) for row in changes]
    assert sorted(rows, key=lambda row: row[:2]) == as_reports(games, known)
    assert len(rows) > 200


def test_compiled_and_plain_give_the_same_bits() -> None:
    """Standings and changes."""
    games, known = made_games(0), made_players(0)
    plain = as_history(games, known, compiled=False)
    fast = as_history(games, known, compiled=True)
    assert plain.changes.equals(fast.changes)
    assert plain.ratings.equals(fast.ratings)
