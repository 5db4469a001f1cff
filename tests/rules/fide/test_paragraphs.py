"""fide-2009, paragraph by paragraph, on cases that can be checked by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from ratingbook.engine.explain import Step
from ratingbook.engine.rate import Rating, rate
from ratingbook.formats.document.read import report_from
from ratingbook.formats.document.write import frozen_side_as_dict, standing_as_dict
from ratingbook.model import StandingStatus
from ratingbook.rules import registry
from ratingbook.rules.book import Row, RuleBook
from ratingbook.rules.bulk import NOT_GIVEN
from ratingbook.rules.fide import fide_2009
from ratingbook.rules.fide.bulk import Kept, lasts
from ratingbook.rules.fide.change import rounded_change
from ratingbook.rules.fide.columns import Parameters, Ties
from ratingbook.rules.fide.expected import (
    counted_difference,
    expected_by_formula,
    expected_score,
)
from ratingbook.rules.fide.lists import list_in_force, list_taking
from ratingbook.rules.units import SCORE_SCALE

Json = dict[str, Any]
P = Parameters()

WHITE = {1: "1-0", 0.5: "1/2-1/2", 0: "0-1"}
"""Result by White's score."""


def player(player: str, rating: int | None = None, games: int = 50, **more: object) -> Json:
    """A player of a document; without a rating unrated."""
    reached = more.pop("reached_2400", None)
    standing = {"rating": rating, "games": games, "reached_2400": reached}
    return {"id": player, **({} if rating is None else {"standing": standing}), **more}


def game(white: str, score: float, black: str, **more: object) -> Json:
    """A game of a document, with White's score."""
    return {"white": white, "black": black, "result": WHITE[score], **more}


def done(
    players: Sequence[Json],
    games: Sequence[Json],
    event: Mapping[str, object] | None = None,
    book: RuleBook = fide_2009,
) -> Rating:
    """The document, rated and explained."""
    report = report_from(
        {
            "ratingbook": "report/1",
            "event": dict(event or {}),
            "players": list(players),
            "games": list(games),
        }
    )
    rating = rate(report, book, explain=None)
    assert not rating.findings.refused, list(rating.findings)
    return rating


def row_of(rating: Rating, player: str) -> Row:
    return next(rated.row for rated in rating.rows if rated.row.id == player)


def steps_of(rating: Rating, player: str) -> tuple[Step, ...]:
    return next(rated.explanation for rated in rating.rows if rated.row.id == player)


def codes(rating: Rating) -> set[str]:
    return {finding.code for finding in rating.findings}


def duel(own: int, score: float, opponent: int, games: int = 50, **more: object) -> Row:
    """A rated player's row after one game."""
    players = [player("own", own, games, **more), player("other", opponent)]
    return row_of(done(players, [game("own", score, "other")]), "own")


def first(
    opponents: Sequence[int | None],
    scores: Sequence[float],
    event: Mapping[str, object] | None = None,
    history: Sequence[Json] = (),
) -> Row:
    """An unrated player's row after one event; opponents without a rating are None."""
    players = [player(str(n), rating) for n, rating in enumerate(opponents)]
    games = [game("new", score, str(n)) for n, score in enumerate(scores)]
    assert len(players) == len(games)
    return row_of(done([player("new", history=list(history)), *players], games, event), "new")


def split(points: float, games: int) -> list[float]:
    """A score as results: wins first, then a draw, then losses."""
    wins, draws = divmod(int(2 * points), 2)
    return [1.0] * wins + [0.5] * draws + [0.0] * (games - wins - draws)


# § 1


@pytest.mark.parametrize("difference", [-400, -229, -1, 0, 1, 35, 229, 400])
def test_1a_formula(difference: int) -> None:
    expected = 1 / (1 + math.pow(10, -difference / 400))
    assert expected_by_formula(difference) / SCORE_SCALE == pytest.approx(expected, abs=1e-10)


def test_1a_the_text_gives_0_789_for_2806_against_2577() -> None:
    assert round(expected_by_formula(2806 - 2577) / SCORE_SCALE, 3) == 0.789


def test_1a_the_formula_rates_where_it_is_chosen() -> None:
    book = fide_2009.with_parameters({"expectancy": "logistic"})
    rating = done([player("a", 1500), player("b", 1700)], [game("a", 1, "b")], book=book)
    # K 15, difference −200.
    change = 15 * (1 - 1 / (1 + math.sqrt(10)))
    assert row_of(rating, "a").exact == pytest.approx(1500 + change, abs=1e-7)
    assert row_of(rating, "b").exact == pytest.approx(1700 - change, abs=1e-7)


def test_1b_400_points_are_themselves_and_401_count_as_400() -> None:
    logistic = fide_2009.with_parameters({"expectancy": "logistic"})
    for opponent in (1500, 1499, 1200):
        players = [player("a", 1900), player("b", opponent)]
        rating = done(players, [game("a", 1, "b")], book=logistic)
        # At 400 the formula gives 1 / (1 + 10^−1) = 10 / 11, at 401 it would give more.
        assert row_of(rating, "a").expected == pytest.approx(10 / 11, abs=1e-10)
        capped = [step for step in steps_of(rating, "a") if step.rule == "counted_difference"]
        assert bool(capped) == (opponent < 1500)


@pytest.mark.parametrize(
    ("difference", "counted"), [(399, 399), (400, 400), (401, 400), (-400, -400), (-401, -400)]
)
def test_1b_counted_difference(difference: int, counted: int) -> None:
    assert counted_difference(difference, 400) == counted


def test_1b_the_cap_shows_in_the_table_from_412_on() -> None:
    # Table 8.1.2: 392–411 is 0.92, 412–432 is 0.93; with the cap 0.92 remains.
    assert [duel(2112, 1, r).expected for r in (1721, 1720, 1701, 1700)] == [0.91] + 3 * [0.92]
    assert expected_score(2112, 1700, 500, P) == 93 * SCORE_SCALE // 100


def test_1c_table_for_the_higher_and_the_lower_rated() -> None:
    # 229 lies in 226–235: 0.79 and 0.21.
    rating = done([player("a", 2806), player("b", 2577)], [game("a", 0.5, "b")])
    assert (row_of(rating, "a").expected, row_of(rating, "b").expected) == (0.79, 0.21)


# § 2


@pytest.mark.parametrize(
    ("games", "rating", "reached", "k10_before_30", "k"),
    [
        (0, 1500, False, False, 25),
        (29, 2399, False, False, 25),
        (29, 2400, False, False, 25),
        (29, 2399, True, False, 25),
        (30, 2399, False, False, 15),
        (30, 2400, False, False, 10),
        (30, 2399, True, False, 10),
        (500, 1900, True, False, 10),
        (29, 2399, False, True, 25),
        (29, 2400, False, True, 10),
        (29, 2399, True, True, 10),
    ],
)
def test_2c_2d_development_coefficient(
    games: int, rating: int, reached: bool, k10_before_30: bool, k: int
) -> None:
    # A win against an equal: K · (1 − 0.5).
    players = [player("own", rating, games, reached_2400=reached), player("other", rating)]
    book = fide_2009.with_parameters({"k10_before_30": str(k10_before_30)})
    assert (
        row_of(done(players, [game("own", 1, "other")], book=book), "own").exact == rating + k / 2
    )


def test_2b_the_example_of_the_text() -> None:
    # § 4: 10 × (0 − 0.79) = −7.9, 10 × (1 − 0.79) = 2.1, 10 × (0.5 − 0.79) = −2.9.
    for score, (higher, lower) in {0: (2798, 2585), 1: (2808, 2575), 0.5: (2803, 2580)}.items():
        rating = done([player("a", 2806), player("b", 2577)], [game("a", score, "b")])
        assert (row_of(rating, "a").after, row_of(rating, "b").after) == (higher, lower)


def test_2c_k_is_settled_by_the_list_of_each_event() -> None:
    # 2399 on the list of the first event, 2400 on that of the second: 15 / 2 + 10 / 2.
    games = [
        game("own", 1, "other", event="first", white_rating=2399, black_rating=2399),
        game("own", 1, "other", event="second"),
    ]
    row = row_of(done([player("own", 2400), player("other", 2400)], games), "own")
    assert row.exact == 2400 + 7.5 + 5


def test_2c_the_thirtieth_game_of_a_period_does_not_change_k() -> None:
    # 28 games on the list: K 25 in all four games of the period. 4 × 12.5.
    games = [game("own", 1, "other", event=str(n)) for n in range(4)]
    row = row_of(done([player("own", 1500, 28), player("other", 1500)], games), "own")
    assert (row.exact, row.standing.games) == (1550, 32)


def test_2d_2400_stays_reached_when_the_rating_falls() -> None:
    # The published 2400 is lost again: 10 × (0 − 0.5) = −5. K stays 10 from then on.
    row = duel(2400, 0, 2400)
    assert row.after == 2395
    assert row.standing.extra["reached_2400"] is True


def test_2d_2400_of_an_earlier_list_of_the_period_stays_reached() -> None:
    # 2400 on the list of the first event, 2399 on that of the second: K 10 in both.
    games = [
        game("own", 0.5, "other", event="first", white_rating=2400, black_rating=2400),
        game("own", 1, "other", event="second", black_rating=2399),
    ]
    row = row_of(done([player("own", 2399), player("other", 2399)], games), "own")
    assert row.exact == 2399 + 0 + 5
    assert row.standing.extra["reached_2400"] is True


@pytest.mark.parametrize(("own", "reached"), [(2391, False), (2392, True)])
def test_2d_2400_is_reached_by_the_new_rating(own: int, reached: bool) -> None:
    # 15 × 0.5 = 7.5, rounded 8.
    row = duel(own, 1, own)
    assert row.after == own + 8
    assert row.standing.extra.get("reached_2400", False) is reached


def test_2e_below_the_floor_the_number_is_kept_but_not_listed() -> None:
    # 1206 − 7.5 = 1198.5: the change −7.5 is −7, the rating 1199.
    row = duel(1206, 0, 1206)
    assert (row.after, row.status, row.published) == (1199, StandingStatus.UNLISTED, False)
    above = duel(1207, 0, 1207)
    assert (above.after, above.status, above.published) == (1200, StandingStatus.ESTABLISHED, True)


def test_2e_an_unlisted_player_counts_as_unrated_in_the_next_period() -> None:
    fallen = sent_in_again(duel(1206, 0, 1206))
    games = [game("own", 1, "other"), game("own", 1, "third")]
    rating = done([fallen, player("other", 1500), player("third", 1500)], games)
    own, other = row_of(rating, "own"), row_of(rating, "other")
    # Two games are no event that counts for a first rating, and no game for the opponents.
    assert (own.before, own.after, own.games) == (None, None, 0)
    assert (other.after, other.games) == (1500, 0)


def test_2e_an_unlisted_player_without_games_keeps_the_standing() -> None:
    row = duel(1207, 0, 1207)
    again = row_of(done([sent_in_again(row)], []), "own")
    assert again.standing == row.standing


def test_2c_the_games_of_a_player_who_comes_back_still_count() -> None:
    # 51 rated games before falling, then nine for the new first rating: all rated games count (F4).
    fallen = sent_in_again(duel(1206, 0, 1206))
    opponents = [player(str(n), 1500) for n in range(9)]
    games = [game("own", 0.5, str(n)) for n in range(9)]
    row = row_of(done([fallen, *opponents], games), "own")
    assert (row.after, row.published) == (1500, True)
    assert row.standing.games == 51 + 9


def sent_in_again(row: Row) -> Json:
    """The player's entry in the report of the next period."""
    return {
        "id": row.id,
        "standing": standing_as_dict(row.standing),
        "history": [frozen_side_as_dict(side) for side in row.history],
    }


# § 3


def test_3_the_expected_scores_of_a_game_add_up_to_one() -> None:
    for opponent in range(1200, 2700):
        both = expected_score(1950, opponent, 400, P) + expected_score(opponent, 1950, 400, P)
        assert both == SCORE_SCALE


def test_3_the_expected_score_of_a_series_is_the_sum() -> None:
    # Differences 100, −100, 200, 0: 0.64 + 0.36 + 0.76 + 0.50.
    opponents = [player(str(n), r) for n, r in enumerate((1900, 2100, 1800, 2000))]
    games = [game("own", 1, str(n)) for n in range(4)]
    row = row_of(done([player("own", 2000), *opponents], games), "own")
    assert row.expected == 2.26
    assert row.exact == pytest.approx(2000 + 15 * (4 - 2.26), abs=1e-9)


# § 5


@pytest.mark.parametrize(
    ("start", "in_force"),
    [
        ("2009-07-01", "2009-07-01"),
        ("2009-08-31", "2009-07-01"),
        ("2009-09-01", "2009-09-01"),
        ("2009-12-31", "2009-11-01"),
        ("2010-01-01", "2010-01-01"),
        ("2010-02-28", "2010-01-01"),
        ("2010-03-01", "2010-03-01"),
    ],
)
def test_5a_list_in_force(start: str, in_force: str) -> None:
    assert list_in_force(date.fromisoformat(start)) == date.fromisoformat(in_force)


def test_5a_the_rating_at_the_start_of_each_event_is_used() -> None:
    # 2000 v 2100 on the first list: E 0.36; on the second 2050 v 2050: E 0.50.
    games = [
        game("own", 1, "other", event="first", white_rating=2000, black_rating=2100),
        game("own", 1, "other", event="second"),
    ]
    row = row_of(done([player("own", 2050), player("other", 2050)], games), "own")
    assert row.expected == 0.86
    # The change is added to the rating of the list: 2050 + 15 × 1.14.
    assert row.exact == pytest.approx(2067.1, abs=1e-9)


@pytest.mark.parametrize(
    ("change", "up", "away"),
    [
        ("-2.5", -2, -3),
        ("2.5", 3, 3),
        ("-0.5", 0, -1),
        ("0.5", 1, 1),
        ("-2.49", -2, -2),
        ("2.49", 2, 2),
        ("-2.51", -3, -3),
        ("0", 0, 0),
        ("-0.49", 0, 0),
    ],
)
def test_5b_halves_go_up_or_away_from_zero(change: str, up: int, away: int) -> None:
    total = int(Fraction(change) * SCORE_SCALE)
    assert rounded_change(total, Parameters(ties=Ties.UP)) == up
    assert rounded_change(total, Parameters(ties=Ties.AWAY)) == away


@pytest.mark.parametrize(
    ("opponent", "exact", "after"),
    [
        # Draws at K 10: difference 195 is 0.75, −195 is 0.25, 35 is 0.55.
        (2205, 2397.5, 2398),
        (2595, 2402.5, 2403),
        (2365, 2399.5, 2400),
    ],
)
def test_5b_halves_of_old_lists_go_up(opponent: int, exact: float, after: int) -> None:
    row = duel(2400, 0.5, opponent)
    assert (row.exact, row.after) == (exact, after)


def test_5b_rounded_once_per_period() -> None:
    # Twice +2.5 is 5, not 3 + 3.
    games = [game("own", 0.5, "other", event=event) for event in ("first", "second")]
    row = row_of(done([player("own", 2400), player("other", 2595)], games), "own")
    assert row.after == 2405


@pytest.mark.parametrize(
    ("end", "official", "taking"),
    [
        # 22 February + 7 days = 1 March.
        ("2010-02-22", False, "2010-03-01"),
        ("2010-02-23", False, "2010-05-01"),
        ("2010-02-28", True, "2010-03-01"),
        ("2010-03-01", True, "2010-05-01"),
        # 25 December + 7 days = 1 January.
        ("2010-12-25", False, "2011-01-01"),
        ("2010-12-26", False, "2011-03-01"),
        ("2010-12-31", True, "2011-01-01"),
        ("2010-10-25", False, "2010-11-01"),
        ("2010-10-26", False, "2011-01-01"),
    ],
)
def test_5c_list_taking(end: str, official: bool, taking: str) -> None:
    assert list_taking(date.fromisoformat(end), official) == date.fromisoformat(taking)


@pytest.mark.parametrize(("category", "taking"), [(None, "2010-05-01"), ("official", "2010-03-01")])
def test_5c_the_finding_names_both_lists(category: str | None, taking: str) -> None:
    event = {"start": "2010-02-20", "end": "2010-02-25", "category": category}
    rating = done([player("a", 1500), player("b", 1500)], [game("a", 1, "b")], event)
    (finding,) = [f for f in rating.findings if f.code == "fide.lists"]
    assert "list of 2010-01-01;" in finding.message
    assert f"list of {taking}, which adds up all events" in finding.message


def test_base_rating_is_an_input_of_the_office() -> None:
    # K 15, a win against an equal of the corrected number: 2053 + 7.5; the list said 2052.
    decisions = {"base_rating": 2053, "reason": "corrected"}
    rating = done(
        [player("own", 2052, decisions=decisions), player("other", 2053)],
        [game("own", 1, "other")],
    )
    own, other = row_of(rating, "own"), row_of(rating, "other")
    assert (own.before, own.exact, own.after, own.change) == (2052, 2060.5, 2061, 9)
    assert other.expected == 0.5


# § 6: Swiss


@pytest.mark.parametrize(("games", "published"), [(8, False), (9, True)])
def test_6e_nine_games(games: int, published: bool) -> None:
    row = first([2000] * games, split(games / 2, games))
    assert (row.after, row.published, row.games) == (2000, published, games)
    assert row.status is (StandingStatus.ESTABLISHED if published else StandingStatus.UNRATED)


@pytest.mark.parametrize(("rated", "after"), [(2, None), (3, 2000)])
def test_6a_three_rated_opponents(rated: int, after: int | None) -> None:
    # The win against the unrated player neither counts nor helps.
    row = first([2000] * rated + [None], [0.5] * rated + [1])
    assert row.after == after
    assert row.games == (rated if after else 0)


@pytest.mark.parametrize(("points", "after"), [(0.5, None), (1, 1875)])
def test_6a_one_point(points: float, after: int | None) -> None:
    # 1 of 3 is p = 0.33, dp −125.
    assert first([2000] * 3, split(points, 3)).after == after


def test_6a_the_point_comes_from_games_against_rated_opponents() -> None:
    assert first([2000, 2000, 2000, None], [0.5, 0, 0, 1]).after is None


@pytest.mark.parametrize(
    ("points", "exact", "after"),
    [
        (9, 2112.5, 2113),  # 9 half points above: 2000 + 9 × 12.5
        (5.5, 2025, 2025),  # two half points above
        (5, 2012.5, 2013),  # one half point above, rounded half up
        (4.5, 2000, 2000),
        (4, 1957, 1957),  # p = 4 / 9 = 0.44, dp −43
        (3.5, 1920, 1920),  # p = 3.5 / 9 = 0.39, dp −80
        (1, 1649, 1649),  # p = 1 / 9 = 0.11, dp −351
    ],
)
def test_6c_6d_above_at_and_below_one_half(points: float, exact: float, after: int) -> None:
    row = first([2000] * 9, split(points, 9))
    assert (row.exact, row.after, row.before, row.change) == (exact, after, None, None)


def test_6d_p_is_rounded_half_up() -> None:
    # 3 of 8 is 0.375, rounded 0.38: dp −87. (0.37 would be −95.)
    assert first([2000] * 8, split(3, 8)).exact == 1913


def test_6b_rc_is_rounded_half_up_and_counts_rated_opponents_only() -> None:
    # (1900 + 1901 + 1902 + 1903) / 4 = 1901.5, rounded 1902; 2 of 4 is 50 %.
    assert first([1900, 1901, 1902, 1903, None], [1, 1, 0, 0, 0]).exact == 1902


@pytest.mark.parametrize(
    ("opponents", "after", "published"), [(1243, 1200, True), (1242, 1199, False)]
)
def test_6f_floor(opponents: int, after: int, published: bool) -> None:
    # 4 of 9: dp −43.
    row = first([opponents] * 9, split(4, 9))
    assert (row.after, row.published) == (after, published)


def test_6f_the_rounded_number_meets_the_floor() -> None:
    # 1187 + 12.5 = 1199.5, rounded 1200.
    row = first([1187] * 9, split(5, 9))
    assert (row.exact, row.after, row.published) == (1199.5, 1200, True)


# § 6: several events

FIRST_OPPONENTS, FIRST_SCORES = [1900] * 4, [1, 1, 0.5, 0]
NEXT_OPPONENTS, NEXT_SCORES = [2000] * 5, [1, 1, 0.5, 0.5, 0]
POOLED = 1981
"""Rc = (4 × 1900 + 5 × 2000) / 9 = 1955.6, rounded 1956; 5½ of 9 is two half points above: + 25."""


def test_6e_two_events_of_one_period_are_pooled() -> None:
    opponents = [*FIRST_OPPONENTS, *NEXT_OPPONENTS]
    players = [player(str(n), rating) for n, rating in enumerate(opponents)]
    games = [
        game("new", score, str(n), event="first" if n < 4 else "next")
        for n, score in enumerate([*FIRST_SCORES, *NEXT_SCORES])
    ]
    row = row_of(done([player("new"), *players], games), "new")
    assert (row.after, row.published, row.games) == (POOLED, True, 9)
    assert row.history == ()


def test_6e_two_periods_are_pooled_by_the_history() -> None:
    event = {"name": "first", "start": "2010-01-08", "end": "2010-01-10"}
    before = first(FIRST_OPPONENTS, FIRST_SCORES, event)
    # 2½ of 4: 1900 + 12.5.
    assert (before.exact, before.after, before.published) == (1912.5, 1913, False)
    assert [(side.opponent, side.score, side.event) for side in before.history] == [
        (1900, score, "first") for score in FIRST_SCORES
    ]
    assert {side.start for side in before.history} == {date(2010, 1, 8)}
    entry = sent_in_again(before) | {"id": "new"}
    players = [player(str(n), rating) for n, rating in enumerate(NEXT_OPPONENTS)]
    games = [game("new", score, str(n)) for n, score in enumerate(NEXT_SCORES)]
    event = {"name": "next", "start": "2010-03-05", "end": "2010-03-09"}
    row = row_of(done([entry, *players], games, event), "new")
    assert (row.after, row.published) == (POOLED, True)
    # The batch's own games are five; the standing counts all nine.
    assert (row.games, row.score, row.standing.games, row.history) == (5, 3, 9, ())


def test_6e_a_player_without_new_games_keeps_the_games_so_far() -> None:
    before = first(FIRST_OPPONENTS, FIRST_SCORES, {"start": "2010-01-08", "end": "2010-01-10"})
    event = {"start": "2010-03-05", "end": "2010-03-09"}
    row = row_of(done([sent_in_again(before)], [], event), "new")
    # Nothing was rated, so there is no new number; the standing has the one so far.
    assert before.standing.rating == 1913
    assert (row.before, row.after, row.games) == (None, None, 0)
    assert (row.standing, row.history) == (before.standing, before.history)


def test_6a_an_event_that_does_not_count_is_not_pooled() -> None:
    # In the next event two rated opponents only.
    players = [player(str(n), 1900) for n in range(6)]
    games = [
        game("new", score, str(n), event="first" if n < 4 else "next")
        for n, score in enumerate([*FIRST_SCORES, 1, 1])
    ]
    row = row_of(done([player("new"), *players], games), "new")
    assert (row.exact, row.games, len(row.history)) == (1912.5, 4, 4)


def test_6a_results_of_an_event_that_does_not_count_are_not_counted() -> None:
    players = [player(str(n), 1900) for n in range(6)]
    games = [
        game("new", score, str(n), event="first" if n < 4 else "next")
        for n, score in enumerate([*FIRST_SCORES, 1, 1])
    ]
    new = {"id": "new", "standing": {"games": 0, "wins": 0, "draws": 0, "losses": 0}}
    standing = row_of(done([new, *players], games), "new").standing
    assert (standing.games, standing.wins, standing.draws, standing.losses) == (4, 2, 1, 1)


def aged(start: str | None) -> list[Json]:
    """Four sides of an old event, 2½ points against 1900."""
    return [
        {"opponent": 1900, "score": score, **({"start": start} if start else {})}
        for score in FIRST_SCORES
    ]


NEXT_ALONE = 2013
"""2000 + 12.5 = 2012.5: 3 of 5 against 2000, without the old games."""


@pytest.mark.parametrize(
    ("start", "after"),
    [
        ("2010-01-08", POOLED),
        ("2008-01-15", POOLED),  # January 2008 to March 2010: 26 months
        ("2007-12-15", NEXT_ALONE),  # 27 months
        ("1999-01-08", NEXT_ALONE),
    ],
)
def test_6e_games_are_kept_for_26_months(start: str, after: int) -> None:
    event = {"start": "2010-03-05", "end": "2010-03-14"}
    row = first(NEXT_OPPONENTS, NEXT_SCORES, event, aged(start))
    assert (row.after, row.published) == (after, after == POOLED)


@pytest.mark.parametrize("event", [None, "next"])
def test_6e_games_grow_old_where_only_the_games_are_dated(event: str | None) -> None:
    """A report of a whole period dates its games, not itself."""
    opponents = [player(str(n), rating) for n, rating in enumerate(NEXT_OPPONENTS)]
    days = {"start": "2010-03-05", "end": "2010-03-14", "event": event}
    games = [game("new", score, str(n), **days) for n, score in enumerate(NEXT_SCORES)]
    new = player("new", history=aged("2007-12-15"))
    assert row_of(done([new, *opponents], games), "new").after == NEXT_ALONE


@pytest.mark.parametrize("event", [None, "next"])
def test_6e_the_history_is_dated_by_the_event_or_by_its_games(event: str | None) -> None:
    opponents = [player(str(n), rating) for n, rating in enumerate(NEXT_OPPONENTS)]
    plain = [game("new", score, str(n), event=event) for n, score in enumerate(NEXT_SCORES)]
    dated = [one | {"start": "2010-03-05"} for one in plain]
    by_games = row_of(done([player("new"), *opponents], dated), "new")
    by_event = row_of(done([player("new"), *opponents], plain, {"start": "2010-03-05"}), "new")
    assert {side.start for side in by_games.history} == {date(2010, 3, 5)}
    assert {side.start for side in by_event.history} == {date(2010, 3, 5)}


# § 6g: round robins

(HANDBOOK,) = [example for example in fide_2009.text.examples if "round robin" in example.title]
"""The handbook's example: ten players, six rated, scores 8 7 7 6 6 4 3 2 1 1."""


def handbook(games: Sequence[Json] | None = None) -> Rating:
    document = json.loads(json.dumps(HANDBOOK.document))
    return done(
        document["players"], document["games"] if games is None else games, document["event"]
    )


def test_6g_the_average_of_the_handbook() -> None:
    # Rar = (2600 + 2500 + 2400 + 2150 + 2300 + 2300) / 6 = 14250 / 6 = 2375.
    # dp of 8, 7, 6, 4, 3, 1 of 9: 351 + 220 + 125 − 43 − 125 − 351 = 177, 177 / 6 = 29.5.
    # Ra = 2375 − 29.5 × 9 / 10 = 2348.45.
    (step,) = [s for s in steps_of(handbook(), "C") if s.rule == "round_robin_average"]
    assert step.value == 2348


@pytest.mark.parametrize(
    ("unrated", "exact", "after"),
    [
        ("C", 2410.5, 2411),  # 7 of 9: 2348 + 5 × 12.5
        ("E", 2385.5, 2386),  # 6 of 9: 2348 + 3 × 12.5
        ("H", 2150, 2150),  # 2 of 9, dp −220: 2348 − 220 × 9 / 10
        ("I", 2032.1, 2032),  # 1 of 9, dp −351: 2348 − 351 × 9 / 10
    ],
)
def test_6g_the_unrated_players_of_the_handbook(unrated: str, exact: float, after: int) -> None:
    row = row_of(handbook(), unrated)
    assert (row.exact, row.after, row.games, row.published) == (exact, after, 9, True)


def test_6g_rated_players_meet_the_first_ratings_of_the_unrated() -> None:
    rating = handbook()
    met = {
        step.game: step.inputs["opponent"]
        for step in steps_of(rating, "A")
        if step.rule == "rating_difference"
    }
    assert met == {
        f"white against {opponent}": number
        for opponent, number in {
            "B": 2500, "C": 2411, "D": 2400, "E": 2386, "F": 2150,
            "G": 2300, "H": 2150, "I": 2032, "J": 2300,
        }.items()
    }  # fmt: skip
    # Differences 100 189 200 214, three of 400 (450, 450, 568), twice 300:
    # 0.64 + 0.75 + 0.76 + 0.77 + 3 × 0.92 + 2 × 0.85 = 7.38; 2600 + 10 × (8 − 7.38).
    row = row_of(rating, "A")
    assert (row.expected, row.exact, row.after) == (7.38, 2606.2, 2606)


def all_play_all(
    ratings: Mapping[str, int | None], scores: Mapping[str, float], **more: object
) -> tuple[list[Json], list[Json]]:
    """A round robin; ``scores`` gives the first player's score of each pairing, "ab"."""
    players = [player(name, rating) for name, rating in ratings.items()]
    return players, [game(pair[0], score, pair[1], **more) for pair, score in scores.items()]


ROUND_ROBIN = {"kind": "round_robin", "start": "2010-03-05", "end": "2010-03-14"}
FOUR = {"a": 2000, "b": 2100, "c": 2200, "u": None}
HALVES = {"ab": 0.5, "ac": 0.5, "bc": 0.5}


def test_6g_a_score_below_one_point_is_disregarded_for_both_sides() -> None:
    players, games = all_play_all(FOUR, {**HALVES, "ua": 0.5, "ub": 0, "uc": 0})
    rating = done(players, games, ROUND_ROBIN)
    assert row_of(rating, "u").after is None
    assert row_of(rating, "u").games == 0
    assert [row_of(rating, rated).games for rated in "abc"] == [2, 2, 2]


def test_6g_one_point_counts() -> None:
    # Rated: each 2 halves; a loses to u (1 of 3), b and c win (2 of 3): dp −125, 125, 125.
    # Ra = 6300 / 3 − 125 / 3 × 3 / 4 = 2068.75, rounded 2069.
    # u: 1 of 3, dp −125: 2069 − 125 × 3 / 4 = 1975.25.
    players, games = all_play_all(FOUR, {**HALVES, "ua": 1, "ub": 0, "uc": 0})
    rating = done(players, games, ROUND_ROBIN)
    assert (row_of(rating, "u").exact, row_of(rating, "u").after) == (1975.25, 1975)
    # a: differences −100, −200, 25: 0.36 + 0.24 + 0.53 = 1.13; 2000 + 15 × (1 − 1.13).
    assert row_of(rating, "a").exact == pytest.approx(2000 - 1.95, abs=1e-9)


def test_6g_games_between_unrated_players_count() -> None:
    ratings = {"a": 2000, "b": 2100, "c": 2200, "u": None, "v": None}
    scores = {**HALVES, "ua": 0.5, "ub": 0.5, "uc": 0.5, "va": 0, "vb": 0, "vc": 0, "uv": 1}
    rating = done(*all_play_all(ratings, scores), ROUND_ROBIN)
    # a, b, c have 2½ of 4, p = 0.63 (0.625), dp 95: Ra = 2100 − 95 × 4 / 5 = 2024.
    # u: 2½ of 4, one half point above: 2036.5; the fourth game is that against v.
    assert (row_of(rating, "u").exact, row_of(rating, "u").games) == (2036.5, 4)
    assert row_of(rating, "v").after is None


def test_6g_the_ratings_in_force_enter_the_average() -> None:
    """The list of the event's start says 2100, 2200, 2300 (5a); the standings are newer."""
    players, games = all_play_all(FOUR, {**HALVES, "ua": 0.5, "ub": 0.5, "uc": 0.5})
    old = {"a": 2100, "b": 2200, "c": 2300}
    games = [
        one | {"white_rating": old.get(one["white"]), "black_rating": old.get(one["black"])}
        for one in games
    ]
    # All have 50 %: Ra = 6600 / 3 = 2200, and u has exactly that.
    assert row_of(done(players, games, ROUND_ROBIN), "u").exact == 2200


def test_f12_an_incomplete_round_robin_is_rated_as_a_swiss() -> None:
    # Without a–b. u: 2 of 3 against 2000, 2100, 2200: Rc 2100 + 12.5; no Ra, no n / (n + 1).
    players, games = all_play_all(FOUR, {"ac": 0.5, "bc": 0.5, "ua": 0.5, "ub": 0.5, "uc": 1})
    rating = done(players, games, ROUND_ROBIN)
    assert "fide.rated-as-swiss" in codes(rating)
    assert row_of(rating, "u").exact == 2112.5
    assert [row_of(rating, rated).games for rated in "abc"] == [1, 1, 2]


def test_f12_a_forfeit_makes_a_round_robin_incomplete() -> None:
    players, games = all_play_all(FOUR, {**HALVES, "ua": 0.5, "ub": 0.5, "uc": 1})
    games[0]["status"] = "forfeit"
    rating = done(players, games, ROUND_ROBIN)
    assert "fide.rated-as-swiss" in codes(rating)
    assert row_of(rating, "u").exact == 2112.5


def test_f12_a_complete_round_robin_is_not_told() -> None:
    players, games = all_play_all(FOUR, {**HALVES, "ua": 0.5, "ub": 0.5, "uc": 1})
    assert "fide.rated-as-swiss" not in codes(done(players, games, ROUND_ROBIN))


def test_f12_each_incomplete_round_robin_of_a_period_is_told() -> None:
    scores = {**HALVES, "ua": 0.5, "ub": 0.5, "uc": 1}
    players, complete = all_play_all(FOUR, scores, event="complete")
    _, games = all_play_all(FOUR, scores, event="incomplete")
    rating = done(players, [*complete, *games[1:]], ROUND_ROBIN)
    assert "fide.rated-as-swiss" in codes(rating)


def test_f13_no_n_over_n_plus_1_in_a_pooled_rating() -> None:
    # All draws: everybody has 50 %, Ra 2100. Pooled with 1 of 4: 2½ of 7, p = 0.36, dp −102.
    # Rc = (3 × 2100 + 4 × 2100) / 7 = 2100: 1998, and not 2100 − 102 × 3 / 4.
    players, games = all_play_all(FOUR, {**HALVES, "ua": 0.5, "ub": 0.5, "uc": 0.5})
    players[-1]["history"] = [
        {"opponent": 2100, "score": score, "start": "2010-01-08"} for score in (1, 0, 0, 0)
    ]
    assert row_of(done(players, games, ROUND_ROBIN), "u").exact == 1998


# § 7


def test_7_performance() -> None:
    # Rc = (2000 + 2100 + 2200) / 3 = 2100; 2 of 3 is p = 0.67, dp 125.
    opponents = [player(str(n), r) for n, r in enumerate((2000, 2100, 2200))]
    games = [game("own", score, str(n)) for n, score in enumerate((1, 1, 0))]
    assert row_of(done([player("own", 1900), *opponents], games), "own").performance == 2225


def test_7_opponents_count_as_they_are() -> None:
    # Reading F14: 1300 is 700 below, and is not lifted to 1600: (1300 + 2000) / 2 + 0.
    opponents = [player("x", 1300), player("y", 2000)]
    rating = done([player("own", 2000), *opponents], [game("own", 1, "x"), game("own", 0, "y")])
    assert row_of(rating, "own").performance == 1650


# § 8


@pytest.mark.parametrize("status", ["forfeit", "withdrawn", "adjudicated", "cancelled"])
def test_8_only_games_played_over_the_board_count(status: str) -> None:
    games = [game("a", 1, "b", status=status)]
    rating = done([player("a", 1500), player("b", 1500)], games)
    for one in "ab":
        row = row_of(rating, one)
        assert (row.games, row.score, row.expected, row.after) == (0, 0, 0, 1500)


def test_8_a_loss_on_time_counts() -> None:
    games = [game("a", 1, "b", status="time")]
    row = row_of(done([player("a", 1500), player("b", 1500)], games), "a")
    assert (row.games, row.exact) == (1, 1507.5)


def test_8_byes_and_open_games_do_not_count() -> None:
    games = [
        {"white": "a", "result": "1-0", "status": "bye", "round": 1},
        {"white": "a", "black": "b", "result": "*", "round": 2},
    ]
    row = row_of(done([player("a", 1500), player("b", 1500)], games), "a")
    assert (row.games, row.score, row.after) == (0, 0, 1500)


def test_8_a_bye_is_no_point_for_a_first_rating() -> None:
    players = [player("new"), *(player(str(n), 2000) for n in range(3))]
    games = [game("new", score, str(n)) for n, score in enumerate((0.5, 0, 0))]
    bye = {"white": "new", "result": "1-0", "status": "bye"}
    assert row_of(done(players, [*games, bye]), "new").after is None


@pytest.mark.parametrize(
    ("rated", "white", "black"),
    [
        (True, 1, 1),
        (False, 0, 0),
        ({"white": False}, 0, 1),
        ({"black": False}, 1, 0),
    ],
)
def test_8_the_rated_flag_holds_for_each_side(rated: object, white: int, black: int) -> None:
    rating = done([player("a", 1500), player("b", 1500)], [game("a", 1, "b", rated=rated)])
    assert [row_of(rating, one).games for one in "ab"] == [white, black]
    assert row_of(rating, "a").exact == 1500 + 7.5 * white
    assert row_of(rating, "b").exact == 1500 - 7.5 * black


# Inputs that must not be bent in silence


def refusing_codes(players: Sequence[Json], games: Sequence[Json]) -> set[str]:
    report = report_from({"ratingbook": "report/1", "players": players, "games": games})
    return {f.code for f in rate(report, fide_2009).findings if f.severity.refuses}


def test_a_standing_that_is_not_whole_is_refused() -> None:
    players = [player("a", 1500) | {"standing": {"rating": 1500.6}}, player("b", 1500)]
    assert "rating.not-whole" in refusing_codes(players, [game("a", 1, "b")])


def test_a_rating_of_a_game_that_is_not_whole_is_refused() -> None:
    players = [player("a", 1500), player("b", 1500)]
    assert refusing_codes(players, [game("a", 1, "b", black_rating=1503.9)])


def test_an_opponent_of_the_history_that_is_not_whole_is_refused() -> None:
    old = [{"opponent": 1900.9, "score": score} for score in FIRST_SCORES]
    assert refusing_codes([player("new", history=old)], [])


@pytest.mark.parametrize("number", [1500.6, "about 1500", True, 99999, -1])
def test_a_base_rating_that_is_no_rating_is_refused(number: object) -> None:
    decisions = {"base_rating": number, "reason": "a slip"}
    players = [player("a", 1500, decisions=decisions), player("b", 1500)]
    assert refusing_codes(players, [game("a", 1, "b")])


def test_a_decision_that_the_edition_does_not_know_is_told() -> None:
    decisions = {"base_ratign": 1510, "reason": "corrected"}
    plain = done([player("a", 1500), player("b", 1500)], [game("a", 1, "b")])
    slip = done([player("a", 1500, decisions=decisions), player("b", 1500)], [game("a", 1, "b")])
    assert codes(slip) - codes(plain)


def test_5b_a_half_of_the_formula_is_one() -> None:
    """2300 scores 10½ of 11 against 1800: 11 × 10/11 are 10 exactly, so 15 × ½ = 7.5 (1a)."""
    book = fide_2009.with_parameters({"expectancy": "logistic"})
    games = [game("own", 1, str(n)) for n in range(10)] + [game("own", 0.5, "10")]
    players = [player("own", 2300), *(player(str(n), 1800) for n in range(11))]
    assert row_of(done(players, games, book=book), "own").after == 2308


def test_a_game_without_a_day_is_not_too_old():
    """6e takes out what is too old; of a game without a day nobody can say that it is."""
    p = Parameters()
    assert lasts(Kept(1800, 1, NOT_GIVEN), 40_000, p)
    assert lasts(Kept(1800, 1, 40_000), NOT_GIVEN, p)
    assert lasts(Kept(1800, 1, 40_000), 40_000, p)
    assert not lasts(Kept(1800, 1, 40_000 - 3 * 366), 40_000, p)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_1e_each_game_is_told_as_it_counts(order: tuple[int, ...]) -> None:
    """The greatest difference of each event has the cap: row by row it adds up to the change."""
    opponents = {"far": 1438, "near": 1878, "wide": 1733}
    games = [
        game("a", score, f"{name} {event}", event=event, start=day, end=day)
        for event, day in (("one", "2022-11-05"), ("two", "2022-11-19"))
        for name, score in [(("far", 1), ("wide", 1), ("near", 0))[n] for n in order]
    ]  # fmt: skip
    players = [
        player("a", 2175, birth_year=1980),
        *(player(f"{name} {event}", rating) for name, rating in opponents.items()
          for event in ("one", "two")),
    ]  # fmt: skip
    book = registry.load("fide-2022").edition(None)
    assert isinstance(book, RuleBook)
    rating = done(players, games, {"start": "2022-11-05", "end": "2022-11-19"}, book)
    told: dict[tuple[str, str | None], list[object]] = {}
    for step in steps_of(rating, "a"):
        if step.role in ("expected", "change") and step.game:
            told.setdefault((step.role, step.game.rpartition(" against ")[2]), []).append(
                step.value
            )
    # 2175 − 1438 = 737 counts as 400, 2175 − 1733 = 442 in full, 2175 − 1878 = 297.
    for event in ("one", "two"):
        assert told["expected", f"far {event}"] == [0.92]
        assert told["expected", f"wide {event}"] == [0.94]
        assert told["expected", f"near {event}"] == [0.85]
        assert told["change", f"far {event}"] == [1.6]
        assert told["change", f"wide {event}"] == [1.2]
        assert told["change", f"near {event}"] == [-17]
    row = row_of(rating, "a")
    assert (row.expected, row.after) == (5.42, 2175 - 28)
