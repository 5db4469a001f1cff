"""Single periods of a history, reckoned by hand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingbook.engine.history import RatedHistory, rate_history
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Game, Report, Result, Standing
from ratingbook.rules.bulk import day_number
from ratingbook.rules.iecg import iecg_1999
from ratingbook.rules.iecg.bulk import period_of_day, was_deleted
from ratingbook.rules.iecg.expected import performance_probability
from ratingbook.rules.iecg.lists import finished_under_scheme, period_of, periods_from

P = iecg_1999.parameters


@dataclass(frozen=True)
class Played:
    start: date
    end: date
    white: str
    black: str
    score: float
    rated: str = "both"


def rated_as_history(games: list[Played], entries: list[Entry]) -> RatedHistory:
    known = [(entry.id, entry.standing) for entry in entries if entry.standing]
    starting = [standing.extra.get("starting_rating") for _, standing in known]
    return rate_history(
        pa.table(
            {
                "date": [game.end for game in games],
                "start": [game.start for game in games],
                "white": [game.white for game in games],
                "black": [game.black for game in games],
                "score": [game.score for game in games],
                "rated": [game.rated for game in games],
            }
        ),
        iecg_1999,
        players=pa.table(
            {
                "id": pa.array([player for player, _ in known], pa.string()),
                "rating": pa.array([standing.rating for _, standing in known], pa.float64()),
                "games": pa.array([standing.games for _, standing in known], pa.int32()),
                "status": pa.array([standing.status for _, standing in known], pa.string()),
                "starting_rating": pa.array(starting, pa.float64()),
            }
        ),
        compiled=False,
    )


def cells(rated: RatedHistory) -> list[tuple[object, ...]]:
    names = ("batch", "player", "before", "after", "games", "score", "expected")
    table = rated.changes.sort_by([("batch", "ascending"), ("player", "ascending")])
    return [tuple(row[name] for name in names) for row in table.to_pylist()]


# Single cases.

ESTABLISHED = Standing(rating=2000, games=100)


def rows_of(*games: Played, **standings: Standing) -> dict[str, list[tuple[object, ...]]]:
    entries = [Entry(player, standing=standing) for player, standing in standings.items()]
    found: dict[str, list[tuple[object, ...]]] = {}
    for row in cells(rated_as_history(list(games), entries)):
        found.setdefault(str(row[1]), []).append(row[2:])
    return found


def game_on(day: date, white: str, black: str, score: float, days: int = 30) -> Played:
    return Played(day - timedelta(days), day, white, black, score)


def test_a_player_of_whom_nothing_is_known_starts_with_800() -> None:
    rows = rows_of(game_on(date(1999, 1, 5), "A", "B", 1.0), B=ESTABLISHED)
    # 2000 counts as 1200 against 800, and the other way round 800 as 1600: k = 20, P(400) = .9091.
    assert rows["A"][0][:2] == (800.0, 1600.0)
    assert rows["B"][0][:2] == (2000.0, 1982.0)


def test_unknown_games_count_as_draws_with_equals() -> None:
    rows = rows_of(
        game_on(date(1999, 1, 5), "A", "B", 1.0), A=Standing(rating=1900, games=3), B=ESTABLISHED
    )
    # Rc = (3 · 1900 + 2000) / 4 = 1925; D(.625) = 88.739, F = .96875.
    assert rows["A"][0][:2] == (1900.0, 2011.0)


@pytest.mark.parametrize(
    ("start", "end", "is_rated"),
    [
        (date(1996, 5, 31), date(1996, 12, 31), False),
        (date(1996, 6, 1), date(1996, 12, 31), True),
        (date(1996, 5, 31), date(1997, 1, 1), True),
    ],
)
def test_games_of_the_old_scheme_are_not_rated(start: date, end: date, is_rated: bool) -> None:
    rows = rows_of(Played(start, end, "A", "B", 1.0), A=ESTABLISHED, B=ESTABLISHED)
    assert bool(rows) == is_rated


def test_games_finished_before_the_scheme_belong_to_its_first_period() -> None:
    rows = rows_of(
        game_on(date(1996, 11, 5), "A", "B", 1.0),
        game_on(date(1997, 2, 28), "A", "B", 1.0),
        game_on(date(1997, 3, 1), "A", "B", 1.0),
        A=ESTABLISHED,
        B=ESTABLISHED,
    )
    assert [row[2] for row in rows["A"]] == [2, 1]


@pytest.mark.parametrize(
    ("day", "is_deleted"), [(date(2002, 12, 31), False), (date(2003, 1, 1), True)]
)
def test_a_player_who_was_deleted_starts_anew(day: date, is_deleted: bool) -> None:
    # From the last period of 1997 to the first one of 2003 there are 30 periods in between.
    games = [
        game_on(date(1997, 12, 31), "A", "B", 0.5),
        game_on(date(2001, 11, 5), "C", "B", 0.5),
        game_on(day, "A", "C", 0.5),
    ]
    rows = rows_of(*games, A=ESTABLISHED, B=ESTABLISHED, C=ESTABLISHED)
    assert rows["A"][1][0] == (800.0 if is_deleted else 2000.0)
    assert rows["C"][1][0] == 2000.0


days = st.dates(date(1990, 1, 1), date(2060, 12, 31))


@given(days)
def test_the_period_of_a_day_number(day: date) -> None:
    assert period_of_day(day_number(day)) == period_of(finished_under_scheme(day))


@given(days, st.integers(0, 5000), st.integers(0, 40))
def test_who_was_deleted_had_so_many_inactive_periods(last: date, on: int, most: int) -> None:
    day = last + timedelta(on)
    periods = periods_from(
        period_of(finished_under_scheme(last)), period_of(finished_under_scheme(day))
    )
    parameters = P._replace(deleted_periods=most)
    found = was_deleted(day_number(last), day_number(day), parameters)
    assert found == (periods - 1 >= most)


def test_the_probabilities_of_the_table_are_those_of_the_formula() -> None:
    for difference in (-1000, *range(-402, 403), 1000):
        assert performance_probability(difference) == 1 / (1 + 10 ** (-difference / 400))


def test_every_step_about_a_game_names_it() -> None:
    entries = (Entry("A", standing=ESTABLISHED), Entry("B", standing=ESTABLISHED))
    report = Report(Event(), entries, (Game("A", "B", Result.DRAW, round=1),))
    steps = rate(report, iecg_1999, explain=("A",)).rows[0].explanation
    about_games = [step.rule for step in steps if step.game == "round 1, white against B"]
    assert about_games == [
        "opponents_ter",
        "performance_probability",
        "expected_result",
        "game_change",
    ]


def test_nothing_is_assumed_of_anybody() -> None:
    games = pa.table({"date": [date(1999, 1, 5)], "white": ["A"], "black": ["B"], "score": [1.0]})
    plain = rate_history(games, iecg_1999)
    assert rate_history(games, iecg_1999, assume=1500).changes.equals(plain.changes)
    assert cells(plain)[0][2] == 800.0
