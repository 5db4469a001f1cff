"""A history comes out as the chain of reports that it is made of."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import pyarrow as pa
import pytest

from ratingbook.engine.history import RatedHistory, rate_history
from ratingbook.engine.rate import rate
from ratingbook.model import (
    Entry,
    Event,
    FrozenSide,
    Game,
    Report,
    Result,
    Standing,
    StandingStatus,
)
from ratingbook.rules.iccf import iccf_2009
from ratingbook.rules.iccf.bulk import Facts, assumed_facts, caveat_of, facts_of
from ratingbook.rules.iccf.lists import list_in_force, list_taking

P = iccf_2009.parameters
RESULTS = {1.0: Result.WHITE_WINS, 0.5: Result.DRAW, 0.0: Result.BLACK_WINS}

LEVELS: list[tuple[dict[str, Any], int | None]] = [
    ({"category": "open_class"}, 1800),
    ({"category": "Master class"}, 2200),
    ({"category": "open_class", "level": 2400.0}, 1800),
    ({"category": "thematic", "level": 1949.5}, 1950),
    ({"level": 2000.4}, 2000),
    ({"category": "friendly_match"}, 1800),
    ({"category": "friendly_match", "level": 2100.0}, 2100),
    ({"category": "national", "level": 2050.0}, 2050),
    ({"category": "national"}, None),
    ({}, None),
]
"""What an events file says of an event, and the level that it has in a history."""

SETTINGS: list[dict[str, str]] = [
    {},
    {"p_mode": "exact_f", "limit": "none", "tie": "half_even"},
    {"p_mode": "interpolate", "limit": "average", "own_rating": "r0"},
    {"p_mode": "percent_half_up", "brake": "or_equal", "fixed_games": "12"},
]


@dataclass(frozen=True)
class Played:
    event: int
    start: date
    end: date
    white: str
    black: str
    score: float
    rated: str = "both"


def made_history(
    seed: int, players: int = 30, games: int = 900
) -> tuple[list[Played], list[Entry]]:
    """Games of all lengths in 20 months: a busy player, newcomers, some who come late."""
    chance = random.Random(seed)
    entries = []
    for number in range(players):
        standing = None
        if chance.random() < 0.6:
            status = chance.choice([None, None, None, StandingStatus.UNRATED])
            standing = Standing(
                rating=chance.choice([1336, 1800, 1999, 2001, 2234, 2399, 2400, 2555]),
                games=chance.choice([None, 0, 1, 11, 29, 30, 31, 79, 80, 200]),
                status=status,
            )
        entries.append(Entry(f"p{number:02}", standing=standing))
    ids = [entry.id for entry in entries]
    made = []
    for _ in range(games):
        end = date(2010, 11, 20) + timedelta(chance.randrange(600))
        known = ids if end > date(2011, 6, 1) else ids[:-5]
        white = ids[0] if chance.random() < 0.4 else chance.choice(known)
        black = chance.choice([player for player in known if player != white])
        if chance.random() < 0.5:
            white, black = black, white
        start = end - timedelta(chance.choice([0, 30, 120, 400, 1200]))
        rated = chance.choice(["both"] * 15 + ["white", "black", "none"])
        event = chance.randrange(5 * len(LEVELS))
        made.append(Played(event, start, end, white, black, chance.choice([0.0, 0.5, 1.0]), rated))
    return made, entries


def rated_as_history(
    games: list[Played],
    entries: list[Entry],
    settings: Mapping[str, str] | None = None,
    *,
    compiled: bool = False,
) -> RatedHistory:
    known = [(entry.id, entry.standing) for entry in entries if entry.standing]
    numbers = range(5 * len(LEVELS))
    said = [LEVELS[number % len(LEVELS)][0] for number in numbers]
    return rate_history(
        pa.table(
            {
                "date": [game.end for game in games],
                "start": [game.start for game in games],
                "event": [game.event for game in games],
                "white": [game.white for game in games],
                "black": [game.black for game in games],
                "score": [game.score for game in games],
                "rated": [game.rated for game in games],
            }
        ),
        iccf_2009,
        players=pa.table(
            {
                "id": pa.array([player for player, _ in known], pa.string()),
                "rating": pa.array([standing.rating for _, standing in known], pa.float64()),
                "games": pa.array([standing.games for _, standing in known], pa.int32()),
                "status": pa.array([standing.status for _, standing in known], pa.string()),
            }
        ),
        events=pa.table(
            {
                "event": list(numbers),
                "category": pa.array([event.get("category") for event in said], pa.string()),
                "level": pa.array([event.get("level") for event in said], pa.float64()),
            }
        ),
        settings=settings,
        compiled=compiled,
    )


def with_games(entry: Entry, fixed: int) -> Entry:
    """The draws with equals that stand for unknown games (reading A31)."""
    known = entry.standing
    if known is None or known.rating is None or known.status is StandingStatus.UNRATED:
        return entry
    games = fixed if known.games is None else known.games
    equal = FrozenSide(opponent=known.rating, score=0.5, own=known.rating)
    return replace(entry, history=(equal,) * games if games < fixed else ())


def numbers_of(known: Mapping[str, Entry]) -> dict[str, float | None]:
    return {
        player: entry.standing.rating
        if entry.standing and entry.standing.status is not StandingStatus.UNRATED
        else None
        for player, entry in known.items()
    }


def rated_as_reports(
    games: list[Played], entries: list[Entry], settings: Mapping[str, str]
) -> tuple[list[tuple[object, ...]], dict[str, tuple[object, ...]]]:
    """Each list a report: standings and kept games are what the report before says."""
    book = iccf_2009.with_parameters(settings)
    known = {entry.id: with_games(entry, book.parameters.fixed_games) for entry in entries}
    lists = [(date.min, numbers_of(known))]
    rows: list[tuple[object, ...]] = []
    final: dict[str, tuple[object, ...]] = {}
    for number, day in enumerate(sorted({list_taking(game.end).valid_from for game in games})):

        def rating(player: str, game: Played) -> float | None:
            valid = [by for since, by in lists if since <= list_in_force(game.start).valid_from]
            level = LEVELS[game.event % len(LEVELS)][1]
            return valid[-1][player] or level

        counting = [
            Game(
                game.white,
                game.black,
                RESULTS[game.score],
                event=str(game.event),
                round=index,
                start=game.start,
                end=game.end,
                white_rating=rating(game.white, game),
                black_rating=rating(game.black, game),
                white_rated=game.rated in ("both", "white"),
                black_rated=game.rated in ("both", "black"),
            )
            for index, game in enumerate(games, 1)
            if list_taking(game.end).valid_from == day
            and rating(game.white, game)
            and rating(game.black, game)
        ]
        report = Report(Event(), tuple(known.values()), tuple(counting))
        rated = rate(report, book)
        assert not rated.findings.refused, list(rated.findings)
        for row in (each.row for each in rated.rows):
            if row.games:
                rows.append(
                    (number, row.id, row.before, row.after, row.games, row.score, row.expected)
                )
                final[row.id] = (row.after, row.standing.games, str(row.status), row.published)
                known[row.id] = replace(known[row.id], standing=row.standing, history=row.history)
        lists.append((day, numbers_of(known)))
    return rows, final


def cells(rated: RatedHistory) -> list[tuple[object, ...]]:
    names = ("batch", "player", "before", "after", "games", "score", "expected")
    table = rated.changes.sort_by([("batch", "ascending"), ("player", "ascending")])
    return [tuple(row[name] for name in names) for row in table.to_pylist()]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_a_history_is_the_chain_of_its_reports(seed: int, settings: dict[str, str]) -> None:
    games, entries = made_history(seed)
    rated = rated_as_history(games, entries, settings)
    rows, final = rated_as_reports(games, entries, settings)
    assert cells(rated) == rows
    assert len(rows) > 150
    for row in rated.ratings.to_pylist():
        found = (row["rating"], row["games"], row["status"], row["published"])
        if row["player"] in final:
            assert found == final[row["player"]]


def test_these_histories_have_all_kinds_of_periods() -> None:
    games, entries = made_history(0)
    rows = cells(rated_as_history(games, entries))
    first = [row for row in rows if row[2] is None]
    by_item_5 = [row for row in rows if row[2] is not None and row[6] is None]
    braked = [row for row in by_item_5 if row[1] == "p00" and int(str(row[4])) > 40]
    by_item_6 = [row for row in rows if row[6] is not None]
    assert len(first) > 5
    assert len(by_item_5) > 30
    assert len(braked) > 1
    assert len(by_item_6) > 50


def test_compiled_and_plain_give_the_same_bits() -> None:
    for seed, settings in enumerate(SETTINGS, 11):
        games, entries = made_history(seed)
        plain = rated_as_history(games, entries, settings)
        fast = rated_as_history(games, entries, settings, compiled=True)
        assert plain.changes.equals(fast.changes)
        assert plain.ratings.equals(fast.ratings)


# Single cases. Event 0 has the level 1800, event 9 has none.

FIXED = Standing(rating=2000, games=100)


def day(month: int) -> date:
    return date(2011, month, 10)


def rows_of(*games: Played, **standings: Standing) -> dict[str, list[tuple[object, ...]]]:
    entries = [Entry(player, standing=standing) for player, standing in standings.items()]
    found: dict[str, list[tuple[object, ...]]] = {}
    for row in cells(rated_as_history(list(games), entries)):
        found.setdefault(str(row[1]), []).append(row[2:])
    return found


def test_a_player_without_a_rating_at_the_start_counts_with_the_level_for_good() -> None:
    rows = rows_of(
        Played(0, day(1), day(1), "A", "B", 1.0),
        Played(0, day(1), day(4), "A", "B", 0.5),
        Played(0, day(4), day(4), "A", "B", 0.5),
        B=FIXED,
    )
    # 2000 + 338.5, in force from April on; W_e(200) = .76, k = 20.
    assert rows["A"][0][:2] == (None, 2339.0)
    assert rows["B"][0][:2] == (2000.0, 1985.0)
    # All three games: 2000, 2000, and 1985 counts as 1989 against 2339. p = .67: 125 · .9422.
    # For B 1800 at 2000, as in January, then W_e(−350) = .11: −.26 + .39.
    assert rows["A"][1][:2] == (2339.0, 2114.0)
    assert rows["B"][1][:2] == (1985.0, 1988.0)


def test_without_a_level_a_game_with_an_unrated_player_counts_for_neither() -> None:
    games = [
        Played(9, day(1), day(1), "A", "B", 1.0),
        Played(9, day(1), day(1), "C", "B", 0.5),
    ]
    rows = rows_of(*games, B=FIXED, C=FIXED)
    assert set(rows) == {"B", "C"}
    assert rows["B"][0][2:4] == (1, 0.5)


def test_unknown_games_count_as_draws_with_equals() -> None:
    rows = rows_of(
        Played(0, day(1), day(1), "A", "B", 1.0), A=Standing(rating=1900, games=3), B=FIXED
    )
    # R_c = (3 · 1900 + 2000) / 4 = 1925, p = 2.5/4 → .62: 87 · .9712 = 84.49.
    assert rows["A"][0][:2] == (1900.0, 2009.0)


def test_a_rating_without_a_number_of_games_is_fixed() -> None:
    rows = rows_of(Played(0, day(1), day(1), "A", "B", 1.0), A=Standing(rating=1900), B=FIXED)
    # k = 25, W_e(−100) = .36.
    assert rows["A"][0][:2] == (1900.0, 1916.0)
    assert rows["A"][0][4] == 0.36


def test_more_games_than_the_brake_allows_are_rated_by_item_5() -> None:
    games = [Played(0, day(1), day(1), "A", "B", 1.0)]
    games += [Played(0, day(1), day(1), "A", "B", 0.5)] * 32
    equal = Standing(rating=1900, games=30)
    rows = rows_of(*games, A=equal, B=replace(equal, games=100))
    assert rows["A"] == [(1900.0, 1914.0, 33, 17.0, None)]


@pytest.mark.parametrize(("said", "level"), LEVELS, ids=str)
def test_the_level_of_an_event(said: dict[str, Any], level: int | None) -> None:
    event = Event(**said)
    facts = facts_of(event, P)
    assert facts == Facts(level or 0)
    assert assumed_facts(facts, 1499.5, P) == Facts(level or 1500)
    assert ("level" in caveat_of(event, P)) == (level is None or said.get("category") == "national")
