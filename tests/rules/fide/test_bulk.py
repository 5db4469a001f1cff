"""A history comes out as the chain of reports that it is made of."""

import random
from dataclasses import dataclass, replace
from datetime import date, timedelta

import pyarrow as pa
import pytest

from ratingbook.engine.history import RatedHistory, rate_history
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Game, Report, Result, Standing
from ratingbook.rules import registry
from ratingbook.rules.book import AnyRuleBook
from ratingbook.rules.bulk import ESTABLISHED
from ratingbook.rules.fide import fide_2009
from ratingbook.rules.fide.columns import Standing as Columns
from ratingbook.rules.fide.lists import list_in_force, list_taking
from ratingbook.rules.fide.reforms import reformed

RESULTS = {1.0: Result.WHITE_WINS, 0.5: Result.DRAW, 0.0: Result.BLACK_WINS}


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


def rated_as_history(
    games: list[Played], entries: list[Entry], *, compiled: bool, book: AnyRuleBook = fide_2009
) -> RatedHistory:
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
    return rate_history(table, book, players=players, compiled=compiled)


def by_months(game: Played) -> Played:
    """A game of a long event as what is rated from March 2024 on: an event of its month."""
    if game.start < date(2024, 3, 1) or (game.end - game.start).days <= 30:
        return game
    return replace(game, start=max(game.start, game.end.replace(day=1)))


def reform(known: dict[str, Entry], day: date, following: date | None, book: AnyRuleBook) -> None:
    """Change all ratings, if a reform belongs to the list of a day."""
    for stage in book.stages():
        if stage.reform is None or following is None or not day <= stage.reform.day < following:
            continue
        for player, entry in known.items():
            old = entry.standing
            if old and old.rating and (old.status or "established") == "established":
                columns = Columns(
                    rating=int(old.rating),
                    games=0,
                    reached_top=False,
                    reached_junior=False,
                    status=ESTABLISHED,
                    birth_year=0,
                    standard=0,
                )
                number = reformed(columns, stage.parameters).rating
                known[player] = replace(entry, standing=replace(old, rating=number))


def rated_as_reports(
    games: list[Played], entries: list[Entry], book: AnyRuleBook = fide_2009
) -> list[tuple[object, ...]]:
    """Each list a report: standings and kept games are what the report before says."""
    games = [by_months(game) for game in games] if book.editions else games
    known = {entry.id: entry for entry in entries}
    lists: list[tuple[date, dict[str, float | None]]] = [(date.min, _in_force(known))]
    rows: list[tuple[object, ...]] = []
    days = sorted({list_taking(game.end) for game in games})
    for number, day in enumerate(days):
        mine = [game for game in games if list_taking(game.end) == day]
        if not mine:
            continue

        def rating(player: str, start: date) -> float | None:
            valid = [numbers for since, numbers in lists if since <= list_in_force(start)]
            return valid[-1][player]

        playing = sorted({player for game in mine for player in (game.white, game.black)})
        last = max(game.end for game in mine)
        report = Report(
            Event(end=last),
            tuple(known[player] for player in playing),
            tuple(
                Game(
                    game.white,
                    game.black,
                    RESULTS[game.score],
                    event=str(game.event),
                    start=game.start,
                    end=game.end,
                    white_rating=rating(game.white, game.start),
                    black_rating=rating(game.black, game.start),
                    # Whoever was unrated at the start is no rated opponent, even if
                    # there is a rating now: the side of the other does not count.
                    white_rated=rating(game.black, game.start) is not None,
                    black_rated=rating(game.white, game.start) is not None,
                )
                for game in mine
            ),
        )
        for rated in rate(report, book).rows:
            row = rated.row
            if row.games:
                rows.append(
                    (number, row.id, row.before, row.after, row.games, row.score, row.expected)
                )
                old = known[row.id]
                known[row.id] = replace(old, standing=row.standing, history=row.history)
        reform(known, day, days[number + 1] if number + 1 < len(days) else None, book)
        lists.append((day, _in_force(known)))
    return rows


def _in_force(known: dict[str, Entry]) -> dict[str, float | None]:
    return {
        player: entry.standing.rating
        if entry.standing and (entry.standing.status or "established") == "established"
        else None
        for player, entry in known.items()
    }


@pytest.mark.parametrize("seed", range(6))
def test_a_history_is_the_chain_of_its_reports(seed: int):
    games, entries = made_history(seed)
    rated = rated_as_history(games, entries, compiled=False)
    table = rated.changes.sort_by([("batch", "ascending"), ("player", "ascending")]).to_pylist()
    rows = [
        tuple(
            row[name]
            for name in ("batch", "player", "before", "after", "games", "score", "expected")
        )
        for row in table
    ]
    assert rows == sorted(rated_as_reports(games, entries), key=lambda row: row[:2])
    assert len(rows) > 100


@pytest.mark.parametrize("seed", range(4))
def test_a_history_of_all_times_is_the_chain_of_its_reports(seed: int):
    series = registry.load("fide")
    games, entries = made_history(seed, events=400, years=17.2)
    rated = rated_as_history(games, entries, compiled=False, book=series)
    table = rated.changes.sort_by([("batch", "ascending"), ("player", "ascending")]).to_pylist()
    columns = ("batch", "player", "before", "after", "games", "score", "expected")
    rows = [tuple(row[name] for name in columns) for row in table]
    assert rows == sorted(rated_as_reports(games, entries, series), key=lambda row: row[:2])
    told = {finding.code for finding in rated.findings}
    assert {"history.editions", "history.reform", "history.long-events"} <= told
    fast = rated_as_history(games, entries, compiled=True, book=series)
    assert fast.changes.equals(rated.changes)
    assert fast.ratings.equals(rated.ratings)


def test_compiled_and_plain_give_the_same_bits():
    games, entries = made_history(11, players=60, events=120)
    plain = rated_as_history(games, entries, compiled=False)
    fast = rated_as_history(games, entries, compiled=True)
    assert plain.changes.equals(fast.changes)
    assert plain.ratings.equals(fast.ratings)
    assert "established" in plain.ratings["status"].to_pylist()
