"""Home, margins, K, seasons and decisions: by hand, and the same in reports and histories."""

import math
import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pyarrow as pa
import pytest

from ratingbook.engine.history import HistoryRefused, RatedHistory, rate_history
from ratingbook.engine.rate import Rating, rate
from ratingbook.model import Entry, Event, Game, Report, Result, Severity, Standing
from ratingbook.rules.bulk import NOT_GIVEN, day_number
from ratingbook.rules.elo import elo
from ratingbook.rules.elo.rules import (
    Multiplier,
    Parameters,
    coefficient,
    home_advantage,
    margin_multiplier,
    named_season,
    season_of,
)

SETTINGS = {
    "home": "65",
    "margin": "log",
    "new_games": "3",
    "k_new": "45",
    "high": "1650",
    "k_high": "12",
    "season_month": "7",
    "season_return": "0.25",
    "season_mean": "1505",
}
"""Every rule takes effect."""

RESULTS = {1.0: Result.WHITE_WINS, 0.5: Result.DRAW, 0.0: Result.BLACK_WINS}
NUMBERS = ("player", "before", "after", "games", "score", "expected")


def test_k_is_that_of_newcomers_before_that_of_the_strong() -> None:
    """Paragraph 5, and reading E5."""
    p = Parameters(new_games=10, k_new=40, high=2400, k_high=10)
    assert [coefficient(2500, games, p) for games in (9, 10)] == [40, 10]
    assert [coefficient(rating, 10, p) for rating in (2399.9, 2400.0)] == [20, 10]
    assert coefficient(9999.0, 0, Parameters()) == 20


@pytest.mark.parametrize(("home", "points"), [(1, 65), (-1, -65), (0, 0)])
def test_the_guest_counts_less_by_what_the_host_counts_more(home: int, points: float) -> None:
    """Paragraph 6; on neutral ground nobody does."""
    assert home_advantage(home, Parameters(home=65)) == points


@pytest.mark.parametrize(
    ("margin", "score", "difference", "expected"),
    [
        (48, 2, 268.947, math.log(49) * 2.2 / (2.2 + 0.268947)),
        (-48, 0, -268.947, math.log(49) * 2.2 / (2.2 + 0.268947)),
        (7, 2, -100.0, math.log(8) * 2.2 / 2.1),
        (0, 1, 300.0, math.log(2) * 2.2),
        (0, 2, 0.0, math.log(2)),
        (NOT_GIVEN, 2, 300.0, 1.0),
        (3, 2, -2199.0, math.log(4) * 10),
        (3, 2, -19_000.0, math.log(4) * 10),
    ],
)
def test_the_multiplier_of_margins(
    margin: int, score: int, difference: float, expected: float
) -> None:
    """The formula; for a draw; without a margin; and where it would have no end."""
    p = Parameters(margin=Multiplier.LOG)
    assert margin_multiplier(margin, score, difference, p) == pytest.approx(expected, rel=1e-12)
    assert margin_multiplier(margin, score, difference, Parameters()) == 1.0


@pytest.mark.parametrize(
    ("day", "month", "season"),
    [
        (date(2021, 2, 7), 7, 2020),
        (date(2021, 6, 30), 7, 2020),
        (date(2021, 7, 1), 7, 2021),
        (date(2021, 12, 31), 1, 2021),
        (date(2022, 1, 1), 1, 2022),
        (date(2022, 1, 1), 0, NOT_GIVEN),
        (date(1872, 11, 30), 12, 1871),
    ],
)
def test_a_season_begins_with_a_month(day: date, month: int, season: int) -> None:
    """Reading E7: by the date, unless the event names the season."""
    p = Parameters(season_month=month)
    assert season_of(day_number(day), NOT_GIVEN, p) == season
    assert season_of(day_number(day), 2019, p) == 2019


@pytest.mark.parametrize(
    ("category", "season"),
    [
        ("2019", 2019), (" 2019-20 ", 2019), ("2019/2020", 2019), ("2019–20", 2019),
        ("12", NOT_GIVEN), ("Cup 2019", NOT_GIVEN), ("", NOT_GIVEN), (None, NOT_GIVEN),
        ("\u0662\u0660\u0661\u0669", NOT_GIVEN),
    ],
)  # fmt: skip
def test_an_event_names_its_season(category: str | None, season: int) -> None:
    """Reading E7: a category that is a year; any other says nothing."""
    assert named_season(Event(category=category)) == season


def season_report(decisions: Mapping[str, Any], **standing: Any) -> Rating:
    """A game of the season 2024 between two who played in 2022."""
    known = Standing(**{"rating": 1705, "games": 50, "last_played": date(2023, 1, 8), **standing})
    report = Report(
        Event(end=date(2024, 9, 1)),
        (Entry("a", standing=known, decisions=decisions), Entry("b", standing=known), Entry("c")),
        (Game("a", "b", Result.WHITE_WINS, margin=7),),
    )
    return rate(report, elo.with_parameters(SETTINGS), explain=None)


def test_a_season_begins_with_one_return() -> None:
    """However many lie between: 1705 − 200/4 = 1655."""
    rows = season_report({}).rows
    assert [each.row.before for each in rows] == [1655, 1655, None]
    assert [each.row.standing.extra for each in rows] == [{"season": 2024}] * 2 + [{}]
    expected = 1 / (1 + 10 ** (-65 / 400))
    change = 12 * math.log(8) * 2.2 / (2.2 + 0.065) * (1 - expected)
    assert [rows[0].row.after, rows[1].row.after] == pytest.approx([1655 + change, 1655 - change])
    assert [step.text for step in rows[0].explanation] == [
        "first game of the season 2024: 1705 − 50",
        "home advantage +65",
        "expected score 1 / (1 + 10^((1655 − 1720) / 400)) = 0.592466",
        "K = 12",
        "margin +7 at a difference of +65: K × 2.019767",
        "change 24.237199 × (1 − 0.592466) = +9.877477",
        "new rating 1655 + 9.877477 = 1664.877477",
    ]


@pytest.mark.parametrize(
    ("standing", "before"),
    [
        ({"extra": {"season": 2024}}, 1705),
        ({"extra": {"season": 2023}}, 1655),
        ({"extra": {"season": 2025}}, 1705),
        ({"last_played": None}, 1705),
        ({"last_played": date(2024, 7, 1)}, 1705),
        ({"last_played": date(2024, 6, 30)}, 1655),
    ],
)
def test_the_standing_says_which_season_was_the_last(
    standing: dict[str, Any], before: float
) -> None:
    """By its field season, else by the last day of play; who has neither is new."""
    assert season_report({}, **standing).rows[0].row.before == before


def test_the_office_sets_a_rating_in_place_of_the_return() -> None:
    """Paragraph 9, for both sides of the game."""
    rated = season_report({"rating": 1400, "reason": "a new team"}).rows
    assert [each.row.before for each in rated[:2]] == [1400, 1655]
    assert rated[0].explanation[0].text == "the office sets the rating 1400"
    assert "1400" in rated[1].explanation[2].text


def test_a_decision_holds_until_the_first_rated_game() -> None:
    """A game that is not rated for the player is one at the rating of the office, too."""
    entries = (
        Entry("a", standing=Standing(rating=1700, games=9), decisions={"rating": 1500}),
        Entry("b", standing=Standing(rating=1500, games=9)),
    )
    games = (
        Game("a", "b", Result.DRAW, round=1, white_rated=False),
        Game("a", "b", Result.WHITE_WINS, round=2),
        Game("a", "b", Result.DRAW, round=3),
    )
    rows = [each.row for each in rate(Report(Event(), entries, games), elo).rows]
    found = [(row.id, row.before, row.after) for row in rows if row.games]
    assert found[:3] == [("b", 1500, 1500), ("a", 1500, 1510), ("b", 1500, 1490)]
    assert [before for _, before, _ in found[3:]] == [1510, 1490]


@pytest.mark.parametrize("decided", ["much", True, 10_001, -10_001])
def test_a_decision_that_is_no_rating_refuses_the_report(decided: object) -> None:
    """Half a result would be worse."""
    rated = season_report({"rating": decided, "reason": "a slip"})
    (finding,) = [each for each in rated.findings if each.code == "elo.decision"]
    assert finding.severity is Severity.ERROR
    assert repr(decided) in finding.message
    assert rated.rows == ()


def test_a_decision_without_a_game_is_told() -> None:
    """The rating stays, and the finding says so."""
    entries = (Entry("a"), Entry("b"), Entry("c", decisions={"rating": 1600, "reason": "new"}))
    rated = rate(Report(Event(), entries, (Game("a", "b", Result.DRAW),)), elo)
    (finding,) = [each for each in rated.findings if each.code == "elo.decision-unused"]
    assert finding.severity is Severity.WARNING
    assert "player c" in finding.message
    assert rated.rows[-1].row.after is None


@pytest.mark.parametrize("season", ["2024", 20.5, True, 0, 12_024])
def test_a_season_that_is_no_year_is_told_and_not_used(season: object) -> None:
    """The last day of play decides then."""
    rated = season_report({}, extra={"season": season})
    found = [each for each in rated.findings if each.code == "elo.season"]
    assert [each.message.split(" names")[0] for each in found] == [
        "The standing of player a",
        "The standing of player b",
    ]
    assert repr(season) in found[0].message
    assert rated.rows[0].row.before == 1655


def made(seed: int, *, years: int = 4) -> tuple[list[dict[str, Any]], dict[tuple[str, str], float]]:
    """Rounds of a league with a cup on neutral ground, and a few ratings that the office set."""
    chance = random.Random(seed)
    teams = [f"t{number:02}" for number in range(12)]
    games: list[dict[str, Any]] = []
    for year in range(years):
        for round_ in range(chance.randint(3, 6)):
            day = date(2010 + year, 8, 1) + timedelta(40 * round_)
            chance.shuffle(teams)
            pairs = list(zip(teams[::2], teams[1::2], strict=True))
            for white, black in pairs[: chance.randint(2, 6)]:
                goals = chance.randint(-4, 4)
                games.append(
                    {
                        "date": day,
                        "event": f"{2010 + year}",
                        "round": round_,
                        "white": white,
                        "black": black,
                        "score": (1 + (goals > 0) - (goals < 0)) / 2,
                        "margin": chance.choice([goals, goals, goals, None]),
                        "neutral": chance.random() < 0.3,
                        "rated": chance.choice(["both"] * 5 + ["white", "black", "none"]),
                    }
                )
    played = sorted({(game["event"], game[side]) for game in games for side in ("white", "black")})
    decided = {key: chance.choice([1300.5, 1500.0, 1720.25]) for key in chance.sample(played, 6)}
    return games, decided


def as_history(
    games: list[dict[str, Any]],
    decided: dict[tuple[str, str], float],
    *,
    compiled: bool = False,
    corrections: bool = False,
    settings: Mapping[str, str] = SETTINGS,
) -> RatedHistory:
    """The games as columns, with the last season of some teams."""
    players = [{"id": f"t{n:02}", "rating": 1400.0 + 40 * n, "games": n} for n in range(8)]
    days = [None if n % 3 else date(2009 + n % 2, 9, 1) for n in range(8)]
    entries = [
        {"event": event, "player": player, "rating": rating}
        for (event, player), rating in decided.items()
    ]
    return rate_history(
        pa.Table.from_pylist(games),
        elo,
        players=pa.Table.from_pylist(players).append_column("last_played", pa.array(days)),
        entries=pa.Table.from_pylist(entries),
        settings=settings,
        compiled=compiled,
        corrections=corrections,
    )


def rows_of(rated: RatedHistory) -> list[tuple[object, ...]]:
    """The rows of the changes, without their batch."""
    return [tuple(row[name] for name in NUMBERS) for row in rated.changes.to_pylist()]


def as_reports(
    games: list[dict[str, Any]], decided: dict[tuple[str, str], float]
) -> list[tuple[object, ...]]:
    """A report for each season; each brings the standings of the last."""
    entries = {
        f"t{n:02}": Entry(
            f"t{n:02}",
            standing=Standing(
                rating=1400.0 + 40 * n,
                games=n,
                last_played=None if n % 3 else date(2009 + n % 2, 9, 1),
            )
            if n < 8
            else None,
        )
        for n in range(12)
    }
    found: list[tuple[object, ...]] = []
    for season in sorted({game["event"] for game in games}):
        mine = [
            Game(
                game["white"],
                game["black"],
                RESULTS[game["score"]],
                round=game["round"],
                end=game["date"],
                margin=game["margin"],
                neutral=game["neutral"],
                white_rated=game["rated"] in ("white", "both"),
                black_rated=game["rated"] in ("black", "both"),
            )
            for game in games
            if game["event"] == season
        ]
        here = tuple(
            replace(entry, decisions={"rating": decided[season, team], "reason": "so drawn"})
            if (season, team) in decided
            else entry
            for team, entry in entries.items()
        )
        rated = rate(Report(Event(), here, tuple(mine)), elo.with_parameters(SETTINGS))
        assert not rated.findings.refused
        for row in (each.row for each in rated.rows if each.row.games):
            entries[row.id] = replace(entries[row.id], standing=row.standing)
            found.append((row.id, row.before, row.after, row.games, row.score, row.expected))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_a_history_is_the_chain_of_its_reports(seed: int) -> None:
    """Down to the last bit, decisions and seasons included."""
    games, decided = made(seed)
    rows, found = rows_of(as_history(games, decided)), as_reports(games, decided)
    for team in sorted({row[0] for row in rows}, key=str):
        assert [row for row in rows if row[0] == team] == [row for row in found if row[0] == team]
    assert len(rows) == len(found) > 50
    without = rows_of(as_history(games, dict.fromkeys(decided, 1500.0)))
    assert rows != without


def test_compiled_and_plain_give_the_same_bits() -> None:
    """With every rule in effect."""
    games, decided = made(1, years=60)
    plain, fast = (as_history(games, decided, compiled=compiled) for compiled in (False, True))
    assert plain.changes.equals(fast.changes)
    assert plain.ratings.equals(fast.ratings)


@pytest.mark.parametrize("seed", range(4))
def test_a_correction_is_a_full_replay(seed: int) -> None:
    """Also where the first game at a rating of the office is taken out."""
    games, decided = made(seed)
    (season, team), *_ = decided
    first = next(
        n
        for n, game in enumerate(games)
        if game["event"] == season and team in (game["white"], game["black"])
    )
    rated = as_history(games, decided, corrections=True)
    corrected = rated.correct({first: None})
    again = as_history([*games[:first], *games[first + 1 :]], decided)
    assert corrected.ratings.equals(again.ratings)


def test_the_event_names_the_season_in_a_history() -> None:
    """A season that is put off into the next year is still that season."""
    games = pa.table(
        {
            "date": [date(2020, 1, 5), date(2020, 10, 5), date(2021, 1, 5)],
            "event": ["spring", "late", "next"],
            "white": ["a"] * 3,
            "black": ["b"] * 3,
            "score": [1.0, 1.0, 1.0],
        }
    )
    events = pa.table(
        {"event": ["spring", "late", "next"], "category": ["2019-20", "2019-20", "2020-21"]}
    )
    rated = rate_history(games, elo, events=events, settings={"season_return": "1"})
    before = [row["before"] for row in rated.changes.to_pylist() if row["player"] == "a"]
    assert before == [None, 1510, 1500]


def test_a_decision_of_an_event_without_the_player_is_told() -> None:
    """A slip in the event or in the player."""
    games, _ = made(2)
    rated = as_history(games, {("2010", "t90"): 1500.0})
    (finding,) = [each for each in rated.findings if each.code == "history.decision-unused"]
    assert finding.message.startswith("1 rating of the entries")


def test_a_decision_beyond_all_ratings_refuses_a_history() -> None:
    """The finding names the entries, not the players."""
    games, _ = made(2)
    with pytest.raises(HistoryRefused) as refused:
        as_history(games, {(games[0]["event"], games[0]["white"]): 10_001.0})
    (finding,) = [each for each in refused.value.findings if each.severity.refuses]
    assert (finding.code, finding.where.path) == ("history.rating-range", "entries, column rating")
    assert games[0]["white"] in finding.message
