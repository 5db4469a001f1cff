"""The functions of the paragraphs at their bounds, derived from the text."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingbook.engine.rate import rate
from ratingbook.engine.report.known import known_of_entry
from ratingbook.model import (
    Colour,
    Entry,
    Event,
    FrozenSide,
    Game,
    GameStatus,
    Report,
    Result,
    StandingStatus,
)
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.bulk import NOT_GIVEN, day_number
from ratingbook.rules.iccf.tables import difference_for, probability_of_higher
from ratingbook.rules.iecg import iecg_1999
from ratingbook.rules.iecg.bulk import IECG_BULK
from ratingbook.rules.iecg.columns import (
    CutoffReference,
    Inactive,
    Parameters,
    Reckoning,
    Standing,
    Status,
)
from ratingbook.rules.iecg.entries import (
    is_established_by_iccf,
    standing_of,
    starting_by_default,
    starting_by_tutor,
    starting_from_elsewhere,
)
from ratingbook.rules.iecg.entry_rating import (
    counted_opponent,
    cutoff_reference,
    has_performance,
    is_first_publication,
    tournament_entry_rating,
)
from ratingbook.rules.iecg.established import factor_p, factor_r
from ratingbook.rules.iecg.expected import (
    expected_rating_change,
    expected_result,
    performance_probability,
)
from ratingbook.rules.iecg.games import is_of_old_scheme, score_in_table
from ratingbook.rules.iecg.lists import (
    Period,
    finished_under_scheme,
    intermediate_list_date,
    is_kept,
    is_listed,
    last_active,
    list_date,
    list_in_force,
    period_of,
    whole,
)
from ratingbook.rules.iecg.period import reckoned, resumed, with_side
from ratingbook.rules.iecg.provisional import correction_factor, passes_full_score
from ratingbook.rules.rounding import Tie
from ratingbook.rules.text import Performed
from ratingbook.rules.units import FIXED_SCALE
from ratingbook.rules.usual import Side

P = Parameters()


def test_the_readings_are_those_of_the_source():
    ids = [reading.id for reading in iecg_1999.text.readings]
    assert ids[:22] == [f"B{number}" for number in range(1, 23)]


def test_all_sections_are_there():
    numbers = [paragraph.number for paragraph in iecg_1999.text.paragraphs]
    counts = {"I": 6, "II": 5, "III": 8, "IV": 4, "V": 4, "VI": 1, "VII": 3, "VIII": 6, "X": 3}
    for section, count in counts.items():
        assert [n for n in numbers if n.startswith(section + ".")] == [
            f"{section}.{number}" for number in range(1, count + 1)
        ]
    assert [n for n in numbers if n.startswith("IX.")] == (
        "IX.1 IX.2 IX.3 IX.4 IX.5a IX.5b IX.5c IX.5d IX.5e".split()
    )


def test_historical_paragraphs_define_nothing():
    for paragraph in iecg_1999.text.paragraphs:
        if paragraph.performed is Performed.HISTORICAL:
            assert not iecg_1999.rules_of(paragraph)


# I


@pytest.mark.parametrize(
    ("difference", "probability"), [(0, 0.5), (400, 10 / 11), (-400, 1 / 11), (100, 0.6400649998)]
)
def test_probability(difference, probability):
    assert performance_probability(difference) == pytest.approx(probability, abs=1e-10)


@pytest.mark.parametrize(
    ("percentage", "change"),
    [(0, -800), (1, 800), (0.5, 0), (0.75, 190.848501888), (0.25, -190.848501888)],
)
def test_change_of_a_percentage(percentage, change):
    assert expected_rating_change(percentage) == pytest.approx(change, abs=1e-9)


def test_no_negative_zero():
    assert str(expected_rating_change(0.5)) == "0.0"


def test_comparison_with_the_tables_of_iccf():
    """I.5, with the numbers that our note on it names."""
    off = [
        abs(performance_probability(difference) - probability_of_higher(difference) / 100)
        for difference in range(351)
    ]
    assert 0.010 < max(off) < 0.011
    for percentage, points in ((90, 16), (95, 42), (100, 123)):
        change = expected_rating_change(percentage / 100)
        assert round(change - difference_for(percentage)) == points


# III


@pytest.mark.parametrize(
    ("opponent", "counted"), [(1400, 1400), (1399, 1400), (2200, 2200), (2201, 2200), (1800, 1800)]
)
def test_cut_off(opponent, counted):
    assert counted_opponent(Side(1800, opponent, 2, 0, 0), P) == counted


@pytest.mark.parametrize(
    ("status", "games", "ter"),
    [
        (Status.STARTING, 0, 1500),
        (Status.STARTING, 12, 1500),
        (Status.PROVISIONAL, 9, 1500),
        (Status.PROVISIONAL, 10, 1627),
        (Status.ESTABLISHED, 0, 1627),
    ],
)
def test_tournament_entry_rating(status, games, ter):
    assert tournament_entry_rating(status, games, 1627, 1500, P) == ter


@pytest.mark.parametrize(
    ("reference", "rating", "measured_from"),
    [
        (CutoffReference.STARTING, 1627, 1500),
        (CutoffReference.TER, 1627, 1550),
        (CutoffReference.LIST, 1627, 1627),
        (CutoffReference.LIST, 0, 1500),
    ],
)
def test_reference_of_the_cut_off(reference, rating, measured_from):
    standing = Standing(rating, 8, Status.PROVISIONAL, 1500, 1550, False, 0, 0)
    assert cutoff_reference(standing, P._replace(cutoff_reference=reference)) == measured_from


def test_exactly_six_games():
    """III.3, III.5, IV.2, B9: published, without a performance."""
    assert is_first_publication(5, 6, P)
    assert not is_first_publication(6, 7, P)
    assert not is_first_publication(4, 5, P)
    assert not has_performance(6, P)
    assert has_performance(7, P)


# IV


@pytest.mark.parametrize(("percentage", "factor"), [(0, 0.5), (1, 0.5), (0.5, 1), (0.75, 0.875)])
def test_correction_factor(percentage, factor):
    assert correction_factor(percentage) == factor


@pytest.mark.parametrize(
    ("score", "games", "passes"),
    [(79, 40, False), (80, 40, False), (81, 41, True), (82, 41, True), (80, 41, False),
     (0, 41, True), (1, 41, True), (0, 40, False)],
)  # fmt: skip
def test_what_a_full_score_earns(score, games, passes):
    """B14: beyond 400 from 41 games on; ``score`` in half points."""
    assert passes_full_score(score, games) is passes


# V


@pytest.mark.parametrize(
    ("rating", "r"),
    [(1400, 20), (2000, 20), (2001, 19.975), (2399, 10.025), (2400, 10), (2700, 10)],
)
def test_factor_r(rating, r):
    assert factor_r(rating) == pytest.approx(r, abs=1e-12)


@pytest.mark.parametrize(
    ("games", "p"),
    [(0, 1.5), (15, 1.5), (16, 1.25), (30, 1.25), (31, 1.245), (79, 1.005), (80, 1), (500, 1)],
)
def test_factor_p(games, p):
    assert factor_p(games) == pytest.approx(p, abs=1e-12)


RATINGS = st.integers(800, 2800)
SIDES = st.lists(st.builds(Side, st.just(1700), RATINGS, st.integers(0, 2), st.just(0), st.just(0)),
                 min_size=1, max_size=60)  # fmt: skip


def established(sides: list[Side]) -> Reckoning:
    """What these games come to for an established player with 1700 and 20 games."""
    standing = Standing(1700, 20, Status.ESTABLISHED, 0, 1700, True)
    tally = resumed(standing, [], len(sides), P)
    for side in sides:
        tally = with_side(tally, standing, side, P)
    return reckoned(standing, tally, P)


@given(SIDES, st.randoms(use_true_random=False))
def test_order_of_the_games(sides, chance):
    """B22."""
    shuffled = [*sides]
    chance.shuffle(shuffled)
    assert established(sides) == established(shuffled)


def test_the_case_of_the_source():
    """B22: 1700 with a win v 1697, a loss v 1703, a win v 1700: exactly 1712.5, so 1713."""
    games = ((1697, 2), (1703, 0), (1700, 2))
    sides = [Side(1700, opponent, score, 0, 0) for opponent, score in games]
    for order in (sides, sides[::-1], [sides[1], sides[2], sides[0]]):
        exact = established(order).exact
        assert exact == FIXED_SCALE * 3425 // 2
        assert whole(exact, P) == 1713
        assert whole(exact, P._replace(tie=Tie.HALF_EVEN)) == 1712


@given(SIDES)
def test_sum_by_another_way(sides):
    """V.4 as one would write it down: ratings from the sums of W and We."""
    score = sum(side.score / 2 for side in sides)
    expected = sum(expected_result(1700, max(1300, min(2100, side.opponent))) for side in sides)
    found = established(sides).exact / FIXED_SCALE
    assert found == pytest.approx(1700 + 25 * (score - expected), abs=1e-8)


# VII and the standings of a report


def standing(**fields: Any) -> Standing:
    return standing_of(known_of_entry(Entry("A", **fields), IECG_BULK), P)


def test_newcomers():
    assert is_established_by_iccf(2150, 30, P)
    assert not is_established_by_iccf(2150, 29, P)
    assert starting_from_elsewhere(1850, 6, P) == 1850
    assert starting_from_elsewhere(1850, 5, P) == 0
    assert [starting_by_tutor(e, P) for e in (1200, 1700, 1701)] == [1200, 1700, 1700]
    assert starting_by_default(P) == 800


@pytest.mark.parametrize(
    ("foreign", "decisions", "status", "rating"),
    [
        ({}, {}, Status.STARTING, 800),
        ({"iccf": 2150, "iccf_games": 30}, {}, Status.ESTABLISHED, 2150),
        ({"iccf": 2150}, {}, Status.ESTABLISHED, 2150),
        ({"iccf": 2150, "iccf_games": 29}, {}, Status.STARTING, 2150),
        ({"iccf": 2150, "iccf_games": 5, "national": 1850}, {}, Status.STARTING, 1850),
        ({"national": 1850, "national_games": 5}, {}, Status.STARTING, 800),
        ({"national": 1850, "national_games": 5}, {"tutor_rating": 1300}, Status.STARTING, 1300),
        ({"fide": 1950, "national": 1850}, {"tutor_rating": 1300}, Status.STARTING, 1950),
        ({"iccf": None}, {"tutor_rating": 1900}, Status.STARTING, 1700),
    ],
)
def test_new_players(foreign, decisions, status, rating):
    found = standing(foreign=foreign, decisions=decisions)
    assert (found.status, found.rating, found.games) == (status, rating, 0)
    assert found.starting == (0 if status == Status.ESTABLISHED else rating)


def reported(
    rating: float | None = None, games: int | None = None, status=None, **extra: int
) -> ReportedStanding:
    return ReportedStanding(rating=rating, games=games, status=status, extra=extra)


HISTORY = (FrozenSide(1600, 0.5, own=1450),) * 7


@pytest.mark.parametrize(
    ("known", "history", "expected"),
    [
        # III.1 where the status is not given
        (reported(1700, 15), (), (1700, 15, Status.ESTABLISHED, 0)),
        (reported(1700, 7, starting_rating=1500), HISTORY, (1700, 7, Status.PROVISIONAL, 1500)),
        (reported(1500, 0), (), (1500, 0, Status.STARTING, 1500)),
        (reported(None, 0, starting_rating=1500), (), (1500, 0, Status.STARTING, 1500)),
        # VII.1: established below 15 games
        (reported(1700, 3, "established"), (), (1700, 3, Status.ESTABLISHED, 0)),
        # the starting rating where it is not given: TER before ten games, frozen reference, rating
        (reported(1700, 7, ter=1480), HISTORY, (1700, 7, Status.PROVISIONAL, 1480)),
        (reported(1700, 7), HISTORY, (1700, 7, Status.PROVISIONAL, 1450)),
        (reported(1700, 7), (), (1700, 7, Status.PROVISIONAL, 1700)),
        # games from the history, or unknown
        (reported(1700), HISTORY, (1700, 7, Status.PROVISIONAL, 1450)),
        (reported(1700), (), (1700, 80, Status.ESTABLISHED, 0)),
        (None, HISTORY, (0, 7, Status.PROVISIONAL, 1450)),
        (reported(None, None, ter=1480), (), (1480, 0, Status.STARTING, 1480)),
    ],
)
def test_standings(known, history, expected):
    if known is not None and known.status:
        known = replace(known, status=StandingStatus(known.status))
    found = standing(standing=known, history=history)
    assert (found.rating, found.games, found.status, found.starting) == expected


@pytest.mark.parametrize(
    ("games", "kind", "foreign", "expected"),
    [
        (15, "established", {}, (1600, 15, Status.ESTABLISHED)),
        (14, "established", {}, (1600, 14, Status.STARTING)),
        (6, "established", {}, (1600, 6, Status.STARTING)),
        (5, "established", {}, (1600, 0, Status.STARTING)),
        (14, "provisional", {}, (1600, 14, Status.PROVISIONAL)),
        (15, "provisional", {}, (1600, 15, Status.ESTABLISHED)),
        (0, "starting", {"iccf": 1601}, (1601, 0, Status.ESTABLISHED)),
        (0, "starting", {"iccf": 1600}, (1600, 0, Status.STARTING)),
        (8, "established", {"iccf": 1700}, (1700, 8, Status.ESTABLISHED)),
        (15, "established", {"iccf": 1700}, (1600, 15, Status.ESTABLISHED)),
    ],
)
def test_transfer(games, kind, foreign, expected):
    """IX.5 a–d."""
    decisions = {"transfer": kind, "reason": "new scheme"}
    found = standing(standing=reported(1600, games), foreign=foreign, decisions=decisions)
    assert (found.rating, found.games, found.status) == expected


def test_winner_of_a_class_m_tournament():
    """IX.5 e: established with what he has."""
    for known in (reported(1650, 8, starting_rating=1500), reported(1650, 0)):
        found = standing(standing=known, decisions={"class_m_winner": True})
        assert (found.rating, found.status) == (1650, Status.ESTABLISHED)


# VIII, IX: games


def game(status: str = "played", result: str = "1-0", **fields: Any) -> Game:
    return Game("A", "B", Result(result), GameStatus(status), **fields)


def is_rated(of: Game, colour: Colour, **settings: str) -> bool:
    """Whether a report of this game rates it for a side."""
    report = Report(Event(), (Entry("A"), Entry("B")), (of,))
    rows = rate(report, iecg_1999.with_parameters(settings)).rows
    return bool(rows[0 if colour is Colour.WHITE else 1].row.games)


@pytest.mark.parametrize(
    ("status", "result", "rated"),
    [
        ("played", "1-0", True),
        ("played", "*", False),
        ("time", "0-1", True),
        ("forfeit", "1-0", True),
        ("forfeit", "*", False),
        ("withdrawn", "1-0", False),
        ("adjudicated", "1/2-1/2", True),
        ("cancelled", "1-0", False),
        ("bye", "1-0", False),
    ],
)
def test_rated_games(status, result, rated):
    assert is_rated(game(status, result), Colour.WHITE) is rated


def test_withdrawals_by_decision():
    """B17."""
    assert is_rated(game("withdrawn"), Colour.BLACK, withdrawn="rated")
    one_sided = game("withdrawn", black_rated=False)
    assert not is_rated(one_sided, Colour.BLACK, withdrawn="rated")
    assert is_rated(game("withdrawn", rated_said=True), Colour.BLACK)


def test_rated_for_one_side():
    one_sided = game(black_rated=False)
    assert is_rated(one_sided, Colour.WHITE)
    assert not is_rated(one_sided, Colour.BLACK)


def test_score_table():
    """VIII.3: the result of the table, else that of the game."""
    adjudicated = game("adjudicated", "0-1", table_result=Result.WHITE_WINS)
    assert score_in_table(adjudicated, Colour.WHITE) == 2
    assert score_in_table(adjudicated, Colour.BLACK) == 0
    assert score_in_table(game(), Colour.WHITE) == 2
    assert score_in_table(game(table_result=Result.NONE), Colour.WHITE) == 2


@pytest.mark.parametrize(
    ("start", "end", "old"),
    [
        (date(1996, 5, 31), date(1996, 12, 31), True),
        (date(1996, 6, 1), date(1996, 12, 31), False),
        (date(1996, 5, 31), date(1997, 1, 1), False),
        (None, date(1996, 12, 31), False),
        (date(1996, 5, 31), None, False),
    ],
)
def test_old_scheme(start, end, old):
    """IX.1: before 1 June 1996 and before 1 January 1997."""
    days = (NOT_GIVEN if day is None else day_number(day) for day in (start, end))
    assert is_of_old_scheme(*days) is old
    assert is_rated(game(start=start, end=end), Colour.WHITE) is not old


def test_finished_before_the_scheme():
    """IX.4."""
    assert finished_under_scheme(date(1996, 12, 20)) == date(1997, 1, 1)
    assert finished_under_scheme(date(1997, 1, 2)) == date(1997, 1, 2)


# II, III.4, VIII.4–VIII.6: the calendar


@pytest.mark.parametrize(
    ("day", "period"),
    [
        (date(1999, 1, 1), (1999, 1)),
        (date(1999, 2, 28), (1999, 1)),
        (date(1999, 5, 27), (1999, 3)),
        (date(1999, 12, 31), (1999, 6)),
    ],
)
def test_periods(day, period):
    assert period_of(day) == period


@pytest.mark.parametrize(
    ("period", "listed", "intermediate"),
    [
        # 3 July and 5 June 1999 are Saturdays
        (Period(1999, 3), date(1999, 7, 3), date(1999, 6, 5)),
        # the sixth list is of January: 1 January 2000 is a Saturday
        (Period(1999, 6), date(2000, 1, 1), date(1999, 12, 4)),
        # B5: 1 August 1999 is a Sunday, so the 7th
        (Period(1999, 4), date(1999, 9, 4), date(1999, 8, 7)),
    ],
)
def test_dates_of_lists(period, listed, intermediate):
    assert list_date(period) == listed
    assert intermediate_list_date(period) == intermediate


@pytest.mark.parametrize(
    ("day", "period"),
    [
        (date(1999, 7, 2), (1999, 2)),
        (date(1999, 7, 3), (1999, 3)),
        (date(2000, 1, 1), (1999, 6)),
        (date(1999, 1, 1), (1998, 5)),
        (date(1999, 1, 2), (1998, 6)),
    ],
)
def test_list_in_force(day, period):
    assert list_in_force(day) == period


@pytest.mark.parametrize(
    ("in_progress", "reading", "last"),
    [
        (Period(1999, 2), Inactive.NONE_IN_PROGRESS, Period(1999, 2)),
        (Period(1999, 2), Inactive.NONE_FINISHED, Period(1998, 3)),
        (Period(1998, 1), Inactive.NONE_IN_PROGRESS, Period(1998, 3)),
    ],
)
def test_activity(in_progress, reading, last):
    """VIII.4, B4: a game was finished in period 3 of 1998."""
    found = last_active(Period(1998, 3), in_progress, P._replace(inactive=reading))
    assert found == last


def test_removal():
    """VIII.5, B18: last play in period 3 of 1999; six inactive periods end with 3 of 2000."""
    last = Period(1999, 3)
    assert is_listed(last, Period(2000, 2), P)
    assert not is_listed(last, Period(2000, 3), P)
    assert is_kept(last, Period(2004, 2), P)
    assert not is_kept(last, Period(2004, 3), P)
