"""A history comes out as the chain of its reports, in plain Python and compiled."""

import datetime
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

import pyarrow as pa
import pytest

from icu_rating import icu_2012
from ratingbook.engine.history import RatedHistory, rate_history
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Game, Report, Result, Standing

RESULTS = {1.0: Result.WHITE_WINS, 0.5: Result.DRAW, 0.0: Result.BLACK_WINS}
NUMBERS = ("before", "after", "games", "score", "expected")
RATED = ("both",) * 8 + ("white", "black", "none")
VERSIONS = range(4)
STRENGTH = 400.0


class Played(NamedTuple):
    """A row of the games."""

    date: datetime.date
    start: datetime.date
    event: str
    round: int
    white: str
    black: str
    score: float
    rated: str = "both"


def made_games(seed: int, events: int = 40) -> list[Played]:
    """Weekly events of twelve players in six rounds; low numbers are strong."""
    chance = random.Random(seed)
    games = []
    for number in range(events):
        day = date(2010, 1, 1) + timedelta(7 * number)
        field = chance.sample(range(40), 12)
        for round_ in range(1, 7):
            chance.shuffle(field)
            for white, black in zip(field[::2], field[1::2], strict=True):
                expected = 1 / (1 + 10 ** ((white - black) * 20 / STRENGTH))
                score = chance.choices((1.0, 0.5, 0.0), (expected, 0.2, 1 - expected))[0]
                games.append(
                    Played(day + timedelta(2), day, f"e{number:03}", round_, f"p{white:02}",
                           f"p{black:02}", score, chance.choice(RATED))
                )  # fmt: skip
    return games


def made_players(seed: int) -> dict[str, Entry]:
    """Players of all kinds and ages, a few of them unrated."""
    chance = random.Random(-seed)
    entries = {}
    for number in range(40):
        player = f"p{number:02}"
        standing = None
        if chance.random() < 0.8:
            standing = Standing(
                rating=1900 - 25 * number,
                games=chance.choice([0, 3, 12, 19, 20, 90, None]),
                extra={
                    "foreign": chance.random() < 0.1,
                    "joined": chance.choice(["1990-05-01", "2008-02-29"]),
                },
            )
        born = chance.choice([None, date(1970, 3, 1), date(1989, 8, 8), date(2000, 2, 29)])
        entries[player] = Entry(player, standing=standing, birth_date=born)
    return entries


def as_history(
    games: list[Played], entries: dict[str, Entry], version: int, *, compiled: bool = False
) -> RatedHistory:
    """The games and players as columns."""
    table = pa.table({name: [getattr(game, name) for game in games] for name in Played._fields})
    standings = [entry.standing or Standing() for entry in entries.values()]
    joined = [each.extra.get("joined") for each in standings]
    players = pa.table(
        {
            "id": pa.array(list(entries), pa.string()),
            "rating": pa.array([each.rating for each in standings], pa.float64()),
            "games": pa.array([each.games for each in standings], pa.int32()),
            "foreign": pa.array([bool(each.extra.get("foreign")) for each in standings]),
            "joined": pa.array([date.fromisoformat(str(day)) if day else None for day in joined]),
            "birth_date": pa.array([entry.birth_date for entry in entries.values()], pa.date32()),
        }
    )
    settings = {"version": str(version)}
    return rate_history(table, icu_2012, players=players, settings=settings, compiled=compiled)


def as_reports(
    games: list[Played], entries: dict[str, Entry], version: int, chance: random.Random
) -> Iterator[tuple[object, ...]]:
    """A report for every event, players and games in any order; who did not play is left out."""
    book, known = icu_2012.with_parameters({"version": str(version)}), dict(entries)
    for event in sorted({game.event for game in games}):
        mine = [game for game in games if game.event == event]
        chance.shuffle(mine)
        players = list({player for game in mine for player in (game.white, game.black)})
        chance.shuffle(players)
        report = Report(
            Event(start=mine[0].start, end=mine[0].date),
            tuple(known[player] for player in players),
            tuple(
                Game(
                    game.white,
                    game.black,
                    RESULTS[game.score],
                    round=game.round,
                    white_rated=game.rated in ("white", "both"),
                    black_rated=game.rated in ("black", "both"),
                )
                for game in mine
            ),
        )
        for row in (each.row for each in rate(report, book).rows):
            known[row.id] = replace(known[row.id], standing=row.standing)
            if row.games:
                yield event, row.id, *(getattr(row, name) for name in NUMBERS)


def as_rows(rated: RatedHistory) -> list[tuple[object, ...]]:
    """The rows of the changes, with the event in place of the batch."""
    return [
        (f"e{row['batch']:03}", row["player"], *(row[name] for name in NUMBERS))
        for row in rated.changes.to_pylist()
    ]


@pytest.mark.parametrize(("seed", "version"), [*enumerate(VERSIONS)])
def test_a_history_is_the_chain_of_its_reports(seed: int, version: int) -> None:
    """Down to the last bit, with provisional players who become rated; the checks have others."""
    games, entries = made_games(seed), made_players(seed)
    history = as_history(games, entries, version)
    assert not history.findings.refused
    chain = sorted(as_reports(games, entries, version, random.Random(seed)), key=str)
    assert sorted(as_rows(history), key=str) == chain
    assert len(chain) > 400


@pytest.mark.parametrize("version", VERSIONS)
def test_compiled_and_plain_give_the_same_bits(version: int) -> None:
    """Standings and changes."""
    games, entries = made_games(7, events=60), made_players(7)
    plain = as_history(games, entries, version)
    fast = as_history(games, entries, version, compiled=True)
    assert plain.changes.equals(fast.changes)
    assert plain.ratings.equals(fast.ratings)
    assert len(plain.changes) > 600


@pytest.mark.parametrize("compiled", [False, True])
def test_an_event_that_does_not_settle_is_told_and_changes_nothing(compiled: bool) -> None:
    """A long thread of unrated players between two guests; the event after it is rated."""
    day = date(2012, 6, 1)
    players = ["guest1", *(f"u{number:02}" for number in range(40)), "guest2"]
    games = [
        Played(day, day, "thread", 1, first, second, 0.5) for first, second in pairwise(players)
    ]
    later = date(2012, 7, 1)
    games.append(Played(later, later, "later", 1, "guest1", "u00", 0.5))
    guests = {
        name: Entry(name, standing=Standing(rating=rating, games=0, extra={"foreign": True}))
        for name, rating in (("guest1", 2000), ("guest2", 1000))
    }
    rated = as_history(games, guests, 3, compiled=compiled)
    (told,) = (each for each in rated.findings if each.code == "history.unsettled")
    assert "1 event is not rated, the first is 'thread'" in told.message
    rows = rated.changes.to_pylist()
    assert [(row["player"], row["after"]) for row in rows] == [("guest1", 2000.0), ("u00", 2000.0)]


def test_the_order_of_the_report_is_not_that_of_columns() -> None:
    """Reading I1 as the office's program has it is for reports."""
    games = made_games(1, events=3)
    book = icu_2012.with_parameters({"following": "in_turn"})
    table = pa.table({name: [getattr(game, name) for game in games] for name in Played._fields})
    players = pa.table({"id": ["p00"], "rating": [2000.0]})
    rated = rate_history(table, book, players=players)
    assert "history.not-as-in-reports" in {each.code for each in rated.findings}
