"""A history comes out as the loop that everybody writes, and as the chain of its reports."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import NamedTuple

import pyarrow as pa
import pytest

from ratingbook.engine.history import RatedHistory, rate_history
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Game, GameStatus, Report, Result
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.bulk import NOT_GIVEN
from ratingbook.rules.elo import elo
from ratingbook.rules.elo.rules import Side, Standing, expected_score, no_game, with_game
from ratingbook.rules.half import Half

RESULTS = {1.0: Result.WHITE_WINS, 0.5: Result.DRAW, 0.0: Result.BLACK_WINS}
NUMBERS = ("player", "before", "after", "games", "score", "expected")
SCORES = (*RESULTS,)
RATED = ("both", "both", "both", "both", "white", "black", "none")


class Played(NamedTuple):
    """A row of the games."""

    date: date
    event: str
    round: int
    white: str
    black: str
    score: float
    rated: str = "both"


def made_games(seed: int, players: int = 30, days: int = 60) -> list[Played]:
    """Days of two events with several rounds each; in a round nobody plays twice."""
    chance = random.Random(seed)
    games = []
    for number in range(days):
        day = date(2020, 1, 1) + timedelta(2 * number)
        for round_ in range(chance.choice([1, 2, 4])):
            field = chance.sample([f"p{n:02}" for n in range(players)], 8)
            for name, four in (("cup", field[:4]), ("league", field[4:])):
                event = f"{name} {number:03}"
                for white, black in zip(four[::2], four[1::2], strict=True):
                    score, rated = chance.choice(SCORES), chance.choice(RATED)
                    games.append(Played(day, event, round_, white, black, score, rated))
    return games


def made_players(seed: int, players: int = 30) -> dict[str, ReportedStanding]:
    """Some of the players come with a rating."""
    chance = random.Random(-seed)
    return {
        f"p{n:02}": ReportedStanding(
            rating=chance.choice([1200, 1500, 1661.25, 2400]), games=chance.choice([0, 3, 80])
        )
        for n in range(players)
        if chance.random() < 0.5
    }


def rated_as_history(
    games: list[Played], known: dict[str, ReportedStanding], *, compiled: bool = False
) -> RatedHistory:
    """The games as columns."""
    table = pa.table({name: [getattr(game, name) for game in games] for name in Played._fields})
    players = pa.table(
        {
            "id": pa.array(list(known), pa.string()),
            "rating": pa.array([standing.rating for standing in known.values()], pa.float64()),
            "games": pa.array([standing.games for standing in known.values()], pa.int32()),
        }
    )
    return rate_history(table, elo, players=players, compiled=compiled)


def rows_of(rated: RatedHistory) -> list[tuple[object, ...]]:
    """The rows of the changes, without their batch."""
    return [tuple(row[name] for name in NUMBERS) for row in rated.changes.to_pylist()]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_loop_that_everybody_writes(seed: int, compiled: bool) -> None:
    """Bit for bit: the same operations on the same floats."""
    chance = random.Random(seed)
    games = []
    for number in range(1000):
        first, second = chance.sample("abcdefgh", 2)
        score = chance.choice(SCORES)
        games.append(Played(date(2020, 1, 1), "cup", number, first, second, score))
    ratings: dict[str, float] = {}
    for game in games:
        white, black = ratings.get(game.white, 1500.0), ratings.get(game.black, 1500.0)
        ratings[game.white] = white + 20 * (game.score - 1 / (1 + 10 ** ((black - white) / 400)))
        ratings[game.black] = black + 20 * (
            1 - game.score - 1 / (1 + 10 ** ((white - black) / 400))
        )
    table = rated_as_history(games, {}, compiled=compiled).ratings.to_pylist()
    assert {row["player"]: row["rating"] for row in table} == ratings


def test_sides_that_an_edition_does_not_count_are_told() -> None:
    """An edition that rates nobody beyond ten games: the halves that it leaves out."""

    def counts(half: Half, own: Standing, *rest: object) -> bool:
        return own.games < 10

    assert elo.bulk is not None
    short = replace(elo, bulk=replace(elo.bulk, counts=counts))
    games = [Played(date(2020, 1, 1), "cup", number, "a", "b", 1.0) for number in range(12)]
    table = pa.table({name: [getattr(game, name) for game in games] for name in Played._fields})
    rated = rate_history(table, short, compiled=False)
    assert len(rated.changes) == 20
    told = [each.message for each in rated.findings if each.code == "history.passed-over"]
    assert [message.split()[0] for message in told] == ["4"]


def rated_as_reports(
    games: list[Played], known: dict[str, ReportedStanding], days: int, chance: random.Random
) -> Iterator[tuple[object, ...]]:
    """A report for every few days, its games in any order, each with the standings of the last."""
    players = sorted({player for game in games for player in (game.white, game.black)} | {*known})
    entries = {player: Entry(player, standing=known.get(player)) for player in players}
    first = games[0].date
    for number in range((games[-1].date - first).days // days + 1):
        mine = [game for game in games if (game.date - first).days // days == number]
        chance.shuffle(mine)
        report = Report(
            Event(end=first + timedelta(days * number + days)),
            tuple(entries.values()),
            tuple(
                Game(
                    game.white,
                    game.black,
                    RESULTS[game.score],
                    event=game.event,
                    round=game.round,
                    end=game.date,
                    white_rated=game.rated in ("white", "both"),
                    black_rated=game.rated in ("black", "both"),
                )
                for game in mine
            ),
        )
        for row in (rated.row for rated in rate(report, elo).rows):
            entries[row.id] = replace(entries[row.id], standing=row.standing)
            if row.games:
                yield row.id, row.before, row.after, row.games, row.score, row.expected


@pytest.mark.parametrize(("seed", "days"), [(0, 7), (1, 1000)])
def test_a_history_is_the_chain_of_its_reports(seed: int, days: int) -> None:
    """However many days a report has, down to the last bit."""
    games, known = made_games(seed), made_players(seed)
    rows = rows_of(rated_as_history(games, known))
    found = [*rated_as_reports(games, known, days, random.Random(seed))]
    # Within a round nobody plays twice, so the order of its games is of no matter.
    for player in {row[0] for row in rows}:
        own = [row for row in rows if row[0] == player]
        assert own == [row for row in found if row[0] == player]
    assert len(rows) == len(found) > 300


def test_compiled_and_plain_give_the_same_bits() -> None:
    """Standings and changes."""
    games, known = made_games(0, days=200), made_players(0)
    known["p00"] = ReportedStanding(rating=9_000.0, games=1)
    plain = rated_as_history(games, known)
    fast = rated_as_history(games, known, compiled=True)
    assert plain.changes.equals(fast.changes)
    assert plain.ratings.equals(fast.ratings)
    assert {"established"} <= {*plain.ratings["status"].to_pylist()}


def test_a_newcomer_is_unrated_until_the_first_game() -> None:
    """The list has a rating for those who came with one, or have played."""
    games = [Played(date(2020, 1, 1), "cup", 1, "a", "b", 1.0, "white")]
    rated = rated_as_history(games, {"c": ReportedStanding(rating=1700.5, games=8)})
    rows = {row["player"]: row for row in rated.ratings.to_pylist()}
    assert [rows[player]["rating"] for player in "abc"] == [1510.0, None, 1700.5]
    assert [rows[player]["status"] for player in "abc"] == ["established", "unrated", "established"]
    assert [rows[player]["games"] for player in "abc"] == [1, 0, 8]


def test_parameters_reach_the_columns() -> None:
    """``--set`` means the same in a history and in a report."""
    games = [Played(date(2020, 1, 1), "cup", 1, "a", "b", 1.0)]
    table = pa.table({name: [getattr(game, name) for game in games] for name in Played._fields})
    rated = rate_history(table, elo, settings={"k": "32", "start": "1000"})
    assert rated.ratings["rating"].to_pylist() == [1016.0, 984.0]


def test_the_order_of_play_is_not_that_of_the_report() -> None:
    """By day, event, section and round; a forfeit and a bye are no games."""
    day = date(2024, 5, 3)
    games = (
        Game("a", "b", Result.DRAW, round=2, end=day),
        Game("b", "a", Result.WHITE_WINS, round=9, start=day - timedelta(1)),
        Game("a", "b", Result.WHITE_WINS, round=1, end=day),
        Game("b", "a", Result.BLACK_WINS, round=3, end=day, status=GameStatus.FORFEIT),
        Game("c", None, Result.NONE, round=3, status=GameStatus.BYE),
    )
    report = Report(Event(start=day, end=day), tuple(map(Entry, "abc")), games)
    rows = [rated.row for rated in rate(report, elo).rows]
    assert [(row.id, row.score) for row in rows[::2]] == [("b", 1.0), ("a", 1.0), ("a", 0.5),
                                                          ("c", 0.0)]  # fmt: skip
    last = {row.id: row for row in rows}
    assert last["a"].standing.games == 3
    assert last["a"].standing.last_played == day
    assert (last["a"].standing.wins, last["a"].standing.draws) == (1, 1)
    assert (last["c"].after, last["c"].status) == (None, "unrated")


def test_the_explanation_follows_every_game() -> None:
    """Each row ends in its own number, from the rating after the game before."""
    day = date(2024, 5, 3)
    games = tuple(Game("a", "b", Result.WHITE_WINS, round=n, end=day) for n in (1, 2))
    report = Report(Event(end=day), tuple(map(Entry, "ab")), games)
    first, second = (
        [step.text for step in rated.explanation]
        for rated in rate(report, elo, explain=None).rows
        if rated.row.id == "a"
    )
    assert first == [
        "no rating yet: starts at 1500",
        "expected score 1 / (1 + 10^((1500 − 1500) / 400)) = 0.5",
        "K = 20",
        "change 20 × (1 − 0.5) = +10",
        "new rating 1500 + 10 = 1510",
    ]
    assert second[0] == "expected score 1 / (1 + 10^((1490 − 1510) / 400)) = 0.528751"
    assert second[-1] == "new rating 1510 + 9.424989 = 1519.424989"


def test_no_difference_is_too_great() -> None:
    """Nothing is expected of who stands a world below; nothing overflows."""
    assert expected_score(0.0, 1e9, 400.0) < 1e-299
    assert expected_score(1e9, 0.0, 400.0) == 1
    standing, p = Standing(0.0, 0, NOT_GIVEN), elo.parameters
    side = Side(1e9, 0, 1, 0, NOT_GIVEN, 1)
    assert with_game(no_game(standing, p), standing, side, p).change == pytest.approx(0)
