"""A history is the same compiled, and its lists are those of the months."""

import random
from datetime import date, timedelta

import pyarrow as pa
import pytest

from plain_elo import plain_elo_2024
from ratingbook.engine.history import RatedHistory, rate_history
from ratingbook.model import Standing
from ratingbook.rules.bulk import Nothing

Games = dict[str, list[object]]


def made_games(seed: int, games: int = 600) -> Games:
    """Games of events of a day up to six weeks, over two years."""
    chance = random.Random(seed)
    ends = {f"e{n}": date(2024, 1, 1) + timedelta(chance.randrange(730)) for n in range(60)}
    columns: Games = {"date": [], "event": [], "white": [], "black": [], "score": []}
    for _ in range(games):
        event, end = chance.choice(sorted(ends.items()))
        white, black = chance.sample(range(40), 2)
        day = end - timedelta(chance.randrange(42) if event.endswith("7") else 0)
        row = (day, event, f"p{white:02}", f"p{black:02}", chance.choice([1.0, 0.5, 0.0]))
        for column, value in zip(columns.values(), row, strict=True):
            column.append(value)
    return columns


def made_players(seed: int) -> dict[str, Standing]:
    """Half of the players come with a rating."""
    chance = random.Random(-seed)
    return {
        f"p{n:02}": Standing(rating=chance.randint(1200, 2400), games=chance.randint(0, 90))
        for n in range(0, 40, 2)
    }


def rated_as_history(games: Games, known: dict[str, Standing], *, compiled: bool) -> RatedHistory:
    """The games as columns."""
    players = pa.table(
        {
            "id": list(known),
            "rating": [standing.rating for standing in known.values()],
            "games": [standing.games for standing in known.values()],
        }
    )
    return rate_history(pa.table(games), plain_elo_2024, players=players, compiled=compiled)


@pytest.mark.parametrize("seed", range(3))
def test_compiled_and_plain_give_the_same_bits(seed: int) -> None:
    """Standings and changes."""
    games, known = made_games(seed), made_players(seed)
    plain = rated_as_history(games, known, compiled=False)
    fast = rated_as_history(games, known, compiled=True)
    assert plain.changes.equals(fast.changes)
    assert plain.ratings.equals(fast.ratings)


def test_the_list_that_takes_an_event() -> None:
    """The first day of the next month, also of the next year."""
    for end, day in [
        (date(2024, 1, 31), date(2024, 2, 1)),
        (date(2024, 2, 1), date(2024, 3, 1)),
        (date(2024, 12, 5), date(2025, 1, 1)),
    ]:
        assert plain_elo_2024.bulk is not None
        assert plain_elo_2024.bulk.calendar is not None
        assert plain_elo_2024.bulk.calendar.taking(end, Nothing()) == day


def test_who_never_played_has_no_rating() -> None:
    """Unless the players file gave one."""
    known = {"p01": Standing(rating=1600, games=4), "q": Standing()}
    table = rated_as_history(made_games(0, games=1), known, compiled=False).ratings.to_pylist()
    rows = {row["player"]: row for row in table}
    assert (rows["q"]["rating"], rows["q"]["status"]) == (None, "unrated")
    assert len([row for row in table if row["status"] == "established"]) == 3
