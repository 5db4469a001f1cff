"""Cases by hand, each from a sentence of the text."""

from datetime import date
from itertools import pairwise

import pytest

from icu_rating import icu_2012
from icu_rating.rules import (
    NO_NUMBER_YET,
    NO_RATING,
    Kind,
    Standing,
    bonus_for,
    coefficient,
    expected_score,
    game_change,
    game_performance,
    kind_of,
    rounded_rating,
    weighted_performance,
)
from ratingbook.engine.rate import Rating, rate
from ratingbook.model import Entry, Event, Game, GameStatus, Report, Result
from ratingbook.model import Standing as Reported
from ratingbook.rules.bulk import NOT_GIVEN, day_number
from ratingbook.rules.units import SCORE_SCALE

DAY = date(2012, 6, 1)


def days(year: int, month: int, day: int) -> int:
    """A day as the rules count it."""
    return day_number(date(year, month, day))


def foreign(player: str, rating: int) -> Entry:
    """A guest with a fixed rating."""
    return Entry(player, standing=Reported(rating=rating, extra={"foreign": True}))


def rated_player(player: str, rating: int, k: int = 24, games: int | None = 100) -> Entry:
    """A player with a K that the office set."""
    standing = Reported(rating=rating, games=games)
    return Entry(player, standing=standing, decisions={"k": k, "reason": "test"})


def event(entries: list[Entry], games: list[tuple[str, str, Result]]) -> Report:
    """A report of one event; every game is a round of its own."""
    return Report(
        Event(start=DAY, end=DAY),
        tuple(entries),
        tuple(
            Game(white, black, result, round=number)
            for number, (white, black, result) in enumerate(games, 1)
        ),
    )


def after(done: Rating) -> dict[str, float | None]:
    """The new ratings."""
    assert not done.findings.refused
    return {each.row.id: each.row.after for each in done.rows}


@pytest.mark.parametrize(
    ("rating", "games", "is_foreign", "kind"),
    [
        (NO_RATING, 0, False, Kind.UNRATED),
        (NO_RATING, 0, True, Kind.UNRATED),
        (1500, 19, False, Kind.PROVISIONAL),
        (1500, 20, False, Kind.RATED),
        (1500, 0, True, Kind.FOREIGN),
        (-40, 30, False, Kind.RATED),
    ],
)
def test_2_kinds_of_player(rating: int, games: int, is_foreign: bool, kind: Kind) -> None:
    """Fewer than 20 earlier games: provisional."""
    assert kind_of(rating, games, is_foreign) == kind


@pytest.mark.parametrize(
    ("rating", "born", "joined", "k"),
    [
        (2100, days(2000, 1, 1), days(2012, 1, 1), 16),
        (2099, days(2000, 1, 1), days(2012, 1, 1), 40),
        (1500, days(1991, 6, 2), days(1990, 1, 1), 40),  # 21 tomorrow
        (1500, days(1991, 6, 1), days(1990, 1, 1), 24),  # 21 today
        (1500, days(1970, 1, 1), days(2004, 6, 2), 32),
        (1500, days(1970, 1, 1), days(2004, 6, 1), 24),
        (1500, NOT_GIVEN, NOT_GIVEN, 24),
    ],
)
def test_3_k_at_the_start_of_the_event(rating: int, born: int, joined: int, k: int) -> None:
    """By rating, then age, then years as a member."""
    assert coefficient(rating, born, joined, day_number(DAY)) == k


def test_3_who_was_born_on_29_february() -> None:
    """Is a year older on 1 March."""
    born = days(1992, 2, 29)
    assert coefficient(1500, born, NOT_GIVEN, days(2013, 2, 28)) == 40
    assert coefficient(1500, born, NOT_GIVEN, days(2013, 3, 1)) == 24


def test_4_performance() -> None:
    """1500 and 400, 0 or −400; ten games at 900 and one of 1400 are 10400 / 11 = 945.45."""
    scores = [game_performance(1500 * SCORE_SCALE, score) // SCORE_SCALE for score in (2, 1, 0)]
    assert scores == [1900, 1500, 1100]
    mean = weighted_performance(1400 * SCORE_SCALE, 1, 900, 10)
    assert mean == round(10400 / 11 * SCORE_SCALE)


def test_4_unrated_players_among_each_other() -> None:
    """U draws with V, V with 1500.

    Turn 1: V 1500, U nothing. Then U 1500, and V the mean of U's number and 1500: all 1500.
    """
    report = event(
        [foreign("F", 1500), Entry("U"), Entry("V")],
        [("U", "V", Result.DRAW), ("V", "F", Result.DRAW)],
    )
    assert after(rate(report, icu_2012)) == {"F": 1500, "U": 1500, "V": 1500}


def test_4_a_chain_settles() -> None:
    """U beats V, V draws with 1500: u = v + 400, v = ((u − 400) + 1500) / 2, so v 1500, u 1900."""
    report = event(
        [foreign("F", 1500), Entry("U"), Entry("V")],
        [("U", "V", Result.WHITE_WINS), ("V", "F", Result.DRAW)],
    )
    assert after(rate(report, icu_2012)) == {"F": 1500, "U": 1900, "V": 1500}


def test_5_expected_score_and_change() -> None:
    """400 less: 10 of 11; K 24 and a draw: 24 · (1/2 − 10/11) = −9.8182."""
    expected = expected_score(1900 * SCORE_SCALE, 1500 * SCORE_SCALE)
    assert expected == round(SCORE_SCALE * 10 / 11)
    assert game_change(24, 1, expected) == pytest.approx(-9.818181818 * SCORE_SCALE)


@pytest.mark.parametrize(("exact", "whole"), [(1500.5, 1501), (1500.4999, 1500), (-2.5, -3)])
def test_6_the_list_is_rounded(exact: float, whole: int) -> None:
    """A half away from zero."""
    assert rounded_rating(int(exact * SCORE_SCALE)) == whole


def test_6_foreign_players_and_players_without_games_stay() -> None:
    """Nobody's rating changes without a game, and a guest's never."""
    entries = [foreign("F", 2000), rated_player("R", 2000, 16), rated_player("S", 1800)]
    entries.append(rated_player("P", 1200, games=7))
    report = event([*entries, Entry("U")], [("F", "R", Result.WHITE_WINS)])
    assert after(rate(report, icu_2012)) == {"F": 2000, "R": 1992, "S": 1800, "P": 1200, "U": None}


def bonus(change: float, *, k: int = 32, rating: int = 1500, games: int = 6,
          performance: float = 3000) -> int:  # fmt: skip
    """The bonus of a rated player."""
    player = Standing(
        rating=rating,
        games=100,
        told=True,
        foreign=False,
        joined=NOT_GIVEN,
        birth_year=NOT_GIVEN,
        kind=Kind.RATED,
        k=k,
        value=int(performance * SCORE_SCALE),
        change=int(change * SCORE_SCALE),
        expected=0,
        bonus=0,
        bonus_rating=NO_NUMBER_YET,
        played=games,
        met=games,
        score=0,
    )
    return bonus_for(player)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"change": 60}, 22),  # 60 − (32 + 6)
        ({"change": 60, "k": 40}, 28),  # 22 · 1.25 = 27.5
        ({"change": 60, "k": 24}, 0),
        ({"change": 60, "games": 4}, 0),
        ({"change": 60, "games": 5}, 25),
        ({"change": 35, "games": 5}, 0),
        ({"change": 35.5, "games": 5}, 1),  # 0.5
        ({"change": 36, "games": 9}, 0),  # 36 − 47
        ({"change": 60, "rating": 2100}, 0),
        ({"change": 60, "rating": 2040}, 0),  # 2100 already
        ({"change": 60, "rating": 2030}, 10),  # up to 2100
        ({"change": 60, "performance": 1570.4}, 10),
        ({"change": 60, "performance": 1550}, 0),
    ],
)
def test_7_bonus(settings: dict[str, float], expected: int) -> None:
    """What is above 32 and 3 for each game after the fourth, within its limits."""
    assert bonus(**settings) == expected  # type: ignore[arg-type]  # parameters by name


def test_8_the_second_phase_is_for_the_opponents() -> None:
    """The worked example: H loses to 1223 and not to 1000; without bonuses to 1000: −12."""
    guests = "BCDEF"
    report = event(
        [
            rated_player("A", 1000, 40),
            rated_player("H", 1000),
            *(foreign(guest, 1000) for guest in guests),
        ],
        [*(("A", guest, Result.WHITE_WINS) for guest in guests), ("H", "A", Result.BLACK_WINS)],
    )
    new = after(rate(report, icu_2012))
    assert (new["A"], new["H"]) == (1223, 995)
    new = after(rate(report, icu_2012.with_parameters({"no_bonuses": "true"})))
    assert (new["A"], new["H"]) == (1120, 988)


@pytest.mark.parametrize(
    ("status", "is_rated"), [(GameStatus.TIME, True), (GameStatus.FORFEIT, False)]
)
def test_1_only_games_that_were_played(status: GameStatus, is_rated: bool) -> None:
    """A loss on time is a game, a forfeit is none."""
    report = Report(
        Event(start=DAY, end=DAY),
        (rated_player("R", 1500), rated_player("S", 1500)),
        (Game("R", "S", Result.WHITE_WINS, status=status, round=1),),
    )
    expected = {"R": 1512, "S": 1488} if is_rated else {"R": 1500, "S": 1500}
    assert after(rate(report, icu_2012)) == expected


def test_9_what_does_not_settle_is_refused() -> None:
    """A thread of forty unrated players between two guests."""
    players = [f"u{number:02}" for number in range(40)]
    games = [(a, b, Result.DRAW) for a, b in pairwise(players)]
    games += [("F", players[0], Result.DRAW), ("G", players[-1], Result.DRAW)]
    guests = [foreign("F", 2000), foreign("G", 1000)]
    done = rate(event([*guests, *map(Entry, players)], games), icu_2012)
    assert [each.code for each in done.findings if each.severity.refuses] == ["rate.unsettled"]
    assert done.rows == ()


def test_the_explanation_tells_the_last_turn_only() -> None:
    """Performances are estimated many times; one performance of each game is told."""
    report = event(
        [foreign("F", 1500), Entry("U"), Entry("V")],
        [("U", "V", Result.WHITE_WINS), ("V", "F", Result.DRAW)],
    )
    (told,) = (each for each in rate(report, icu_2012, explain=["V"]).rows if each.explanation)
    games = [step for step in told.explanation if step.rule == "game_performance"]
    assert len(games) == 2
    assert told.explanation[-1].value == 1500
