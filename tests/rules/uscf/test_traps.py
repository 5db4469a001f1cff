"""The traps of the 2011 text: each place where a reader can go wrong, with its numbers."""

from __future__ import annotations

import pytest

from ratingbook.rules import uscf
from ratingbook.rules.uscf.columns import Assigned

EDITIONS = [getattr(uscf, name) for name in uscf.__all__]
WIN, DRAW, LOSS = "1-0", "1/2-1/2", "0-1"


def rated(player, rating, games=100, **standing):
    return {"id": player, "standing": {"rating": rating, "games": games, **standing}}


def series(player, *results):
    return [
        {"round": n, "white": player, "black": opponent, "result": result}
        for n, (result, opponent) in enumerate(results, 1)
    ]


FOUR = [rated(f"o{n}", 400, 1000) for n in range(4)]
BEATS_FOUR = series("A", *((WIN, f"o{n}") for n in range(4)))


@pytest.mark.parametrize(
    ("start", "after"), [("nearest", 1300), ("office", 1300), ("printed", 799)]
)
def test_1_the_start_of_the_iteration_matters(start, after, rows_uscf):
    """An unrated adult beats four of 400. From M: 400 above their intermediate 399, not 1300."""
    rows = rows_uscf([{"id": "A", "adult": True}, *FOUR], BEATS_FOUR, settings={"start": start})
    assert rows["A"].after in (after, after + 1)
    assert (rows["A"].after == 1300) == (start != "printed")


@pytest.mark.parametrize("start", ["nearest", "office", "printed"])
def test_2_equality_with_400_on_decimals(start, rate_uscf):
    """A full score ends exactly 400 above the best opponent, also where that is no exact float."""
    players = [
        {"id": "A", "adult": True},
        *[rated(f"o{n}", 999.9 + n / 7, 1000) for n in range(3)],
    ]
    games = series("A", *((WIN, f"o{n}") for n in range(3)))
    settings = {"start": start}
    rating = rate_uscf(players, games, "uscf-2015", settings=settings, end="2016-06-05")
    met = [
        step.inputs["side"]["opponent"]
        for step in rating.rows[0].explanation
        if step.rule == "provisional_winning_expectancy"
    ]
    assert rating.rows[0].row.exact == pytest.approx(max(met[-3:]) + 400, abs=1e-9)


@pytest.mark.parametrize("result", [WIN, LOSS])
@pytest.mark.parametrize("start", ["nearest", "office", "printed"])
def test_2_perfect_and_zero_scores_have_no_knot_on_one_side(result, start, rows_uscf):
    games = series("A", *((result, f"o{n}") for n in range(4)))
    rows = rows_uscf([{"id": "A"}, *FOUR], games, settings={"start": start})
    assert rows["A"].after is not None


def test_3_knots_of_the_prior_rating_when_it_counts_nothing(rows_uscf):
    """N' = 0, a loss to 3000 and a win against 900: every rating from 1300 to 2600 fits."""
    players = [{"id": "A", "adult": True}, rated("x", 3000, 10**6), rated("y", 900, 10**6)]
    games = series("A", (LOSS, "x"), (WIN, "y"))
    assert rows_uscf(players, games)["A"].after == 1300
    printed = rows_uscf(players, games, settings={"start": "printed"})["A"]
    assert printed.after == 1700


def test_4_the_formula_follows_n_and_not_the_effective_games(rate_uscf):
    """A player of 200 with 20 games: N' = 50 / √41 = 7.81, and the standard formula."""
    rating = rate_uscf([rated("A", 200, 20), rated("B", 300)], series("A", (WIN, "B")))
    steps = {step.rule: step.value for step in rating.rows[0].explanation}
    assert steps["effective_games"] == pytest.approx(7.8087, abs=1e-4)
    assert steps["formula_for"] == "standard"
    assert rating.rows[0].row.expected is not None


@pytest.mark.parametrize(
    ("fide", "settings", "formula"),
    [
        (2200, {}, "standard"),
        (2200, {"assigned_games": "standard"}, "standard"),
        (2200, {"assigned_games": "special"}, "special"),
        (2100, {}, "special"),
    ],
)
def test_5_assigned_games_choose_the_formula_and_skip_step_3(fide, settings, formula, rate_uscf):
    """N = 10 above 2150 and 5 up to it; which formula N = 10 takes is reading U3."""
    rating = rate_uscf(
        [{"id": "A", "foreign": {"fide": fide}}, rated("B", 2100)],
        series("A", (DRAW, "B")),
        settings=settings,
    )
    steps = rating.rows[0].explanation
    assert {step.value for step in steps if step.rule == "formula_for"} == {formula}
    assert not any(step.rule == "estimate_of_step_3" for step in steps)


@pytest.mark.parametrize("edition", EDITIONS)
def test_5_an_unrated_player_with_ten_games_is_standard_in_all_editions(edition):
    """The text chooses by N alone: nobody's earlier games are all won if there are none."""
    assert edition.parameters.assigned_games == Assigned.STANDARD


def test_5_by_hand(rows_uscf):
    """FIDE 2200: R0 = 2202, N = N' = 10. A draw with 2100 on 100 games.

    B: N* = 50 / √1.1 = 47.67, K = 800 / 48.67 = 16.44, E = 0.3573, Step 4: 2102.35.
    A: K = 800 / 11 = 72.73, E = 1 / (1 + 10^(−99.65 / 400)) = 0.6396, 2202 − 10.15.
    """
    players = [{"id": "A", "foreign": {"fide": 2200}}, rated("B", 2100)]
    row = rows_uscf(players, series("A", (DRAW, "B")))["A"]
    assert row.exact == pytest.approx(2191.85, abs=0.01)
    assert row.after == 2192
    assert row.expected == pytest.approx(0.6396, abs=1e-4)


def test_6_step_3_sees_step_1_and_the_own_prior_stays_that_of_step_1(rate_uscf):
    """Two unrated adults draw: both 1300 in Step 3, against 1300 and not against one another."""
    rating = rate_uscf(
        [
            {"id": "A", "adult": True},
            {"id": "B", "decisions": {"initial_rating": 500, "reason": "estimate"}},
        ],
        [
            {"round": 1, "white": "A", "black": "B", "result": WIN},
            {"round": 2, "white": "B", "black": "A", "result": DRAW},
        ],
    )
    for rated_row, own, other in zip(rating.rows, (1300.0, 500.0), (500.0, 1300.0), strict=True):
        steps = rated_row.explanation
        first = next(s for s in steps if s.rule == "provisional_winning_expectancy")
        assert first.inputs["side"]["opponent"] == pytest.approx(other, abs=1e-9)
        # A has 1.5 of 2 (N' = 1: 2 of 3), B half a point of 2 (1 of 3).
        priors = {
            s.inputs["prior"]["rating"] for s in steps if s.rule == "prior_expectancy"
        }  # fmt: skip
        assert priors == {own}


def test_7_the_threshold_of_the_bonus_counts_the_own_games(rate_uscf):
    """m' = max(m, 4): three own games of a longer event count as four; B √4 = 12."""
    players = [rated("A", 1500), *[rated(f"o{n}", 1700) for n in range(3)], rated("x", 1500)]
    games = [
        *series("A", *((WIN, f"o{n}") for n in range(3))),
        {"round": 4, "white": "x", "black": "o0", "result": DRAW},
        {"round": 5, "white": "x", "black": "o1", "result": DRAW},
    ]
    (rating,) = [r for r in rate_uscf(players, games).rows if r.row.id == "A"]
    last = [step for step in rating.explanation if step.rule == "bonus_points"][-1]
    assert last.inputs["games"] == 3
    assert last.value == pytest.approx(last.inputs["change"] - 12.0)


@pytest.mark.parametrize(("dollars", "after"), [(2000, None), (2000.01, 1800), (2500, 1800)])
def test_8_the_prize_must_be_over_2000_dollars(dollars, after, rows_uscf):
    """U1750 gives 1800, the first level that is too high for the section."""
    decisions = {"cash_prize": dollars, "cash_limit": 1750, "reason": "first of the U1750"}
    rows = rows_uscf(
        [{**rated("A", 1760), "decisions": decisions}, rated("B", 1700)], series("A", (LOSS, "B"))
    )
    assert rows["A"].after == (after or rows["A"].after)
    assert (rows["A"].after < 1760) == (after is None)
    assert rows["A"].standing.extra.get("floor") == after


@pytest.mark.parametrize(
    ("before", "exact", "after"),
    [
        (1500, 1500.01, 1501), (1500, 1499.99, 1499), (1500, 1500.0, 1500),
        (1500, 1510.0000000001, 1510), (1500, 1489.9999999999, 1490), (1500, 1510.00001, 1511),
    ],
)  # fmt: skip
def test_9_rounding_leads_away_from_the_old_rating(before, exact, after):
    from ratingbook.rules.uscf.storage import rounded_away

    assert rounded_away(before, exact) == after


@pytest.mark.parametrize(
    ("exact", "after"), [(1207.5, 1208), (1207.4, 1207), (1207.4999999999, 1208)]
)
def test_9_a_first_rating_is_rounded_to_the_nearest(exact, after):
    from ratingbook.rules.uscf.storage import rounded_first

    assert rounded_first(exact) == after


def test_10_the_personal_floor_counts_this_event(rows_uscf):
    """Unrated with 0 of 3: 100, and 1 for the event: 101. With a draw before: 101 + 2."""
    players = [{"id": "A", "birth_date": "2006-06-03"}, *FOUR]
    games = series("A", *((LOSS, f"o{n}") for n in range(3)))
    assert rows_uscf(players, games)["A"].after == 101
    players[0] = rated("A", 120, 6, wins=0, draws=1, losses=5, events=2)
    assert rows_uscf(players, games)["A"].after == 105


def test_11_the_peak_is_the_highest_rating_after_an_event_while_established(rows_uscf):
    """The event that reaches 26 games sets it; without a peak it is the rating of before."""
    won = series("A", (WIN, "B"))
    for games, known in ((24, None), (25, 1512), (26, 1512)):
        row = rows_uscf([rated("A", 1500, games), rated("B", 1300)], won)["A"]
        assert (row.standing.extra.get("peak") is None) == (known is None), games
        assert row.status == ("provisional" if known is None else "established")
        if known:
            assert row.standing.extra["peak"] == row.after > 1500
    lost = series("A", *((LOSS, "B"),) * 2)
    row = rows_uscf([rated("A", 1405), rated("B", 1000)], lost)["A"]
    assert (row.after, row.standing.extra["peak"]) == (row.after, 1405)
    # Of a provisional player a peak is no floor.
    row = rows_uscf([rated("A", 1405, 20, peak=1700), rated("B", 600)], lost)["A"]
    assert row.after < 1400
    assert "peak" not in row.standing.extra or row.standing.extra["peak"] == 1700


@pytest.mark.parametrize(
    ("results", "special"),
    [
        ((12, 0, 0), True), ((0, 0, 12), True), ((0, 12, 0), False), ((11, 1, 0), False),
        ((11, 0, 1), False), ((0, 0, 0), False),
    ],
)  # fmt: skip
def test_12_all_wins_or_all_losses_needs_the_results_and_no_draw(results, special, rows_uscf):
    wins, draws, losses = results
    player = rated("A", 1500, 12, wins=wins, draws=draws, losses=losses)
    row = rows_uscf([player, rated("B", 1500)], series("A", (DRAW, "B")))["A"]
    assert (row.expected is None) == special


def test_12_after_a_first_event_of_all_draws_it_is_not_met(rows_uscf):
    players = [{"id": "A", "adult": True}, *[rated(f"o{n}", 1300) for n in range(9)]]
    first = rows_uscf(players, series("A", *((DRAW, f"o{n}") for n in range(9))))["A"]
    assert (first.standing.wins, first.standing.draws, first.standing.losses) == (0, 9, 0)
    again = {
        "id": "A",
        "standing": {
            "rating": first.after,
            "games": 9,
            "wins": first.standing.wins,
            "draws": first.standing.draws,
            "losses": first.standing.losses,
        },
    }
    row = rows_uscf([again, rated("B", 1300)], series("A", (WIN, "B")))["A"]
    assert row.expected is not None


@pytest.mark.parametrize(
    ("document", "pool", "games"),
    [
        ({"foreign": {"fide": 2151}}, "regular", 10),
        ({"foreign": {"fide": 2150}}, "regular", 5),
        ({"foreign": {"cfc": 1501}}, "regular", 5),
        ({"foreign": {"cfc": 1500}}, "regular", 0),
        ({"decisions": {"initial_rating": 1900, "reason": "national list"}}, "regular", 0),
        ({"pools": {"quick": {"rating": 1900, "games": 200}}}, "regular", 0),
        ({"pools": {"regular": {"rating": 1900, "games": 200}}}, "quick", 10),
        ({"pools": {"regular": {"rating": 1900, "games": 6}}}, "quick", 6),
        ({"birth_date": "2000-01-01"}, "regular", 0),
        ({"adult": True}, "regular", 0),
        ({}, "regular", 0),
    ],
)
def test_13_the_first_document_settles_n(document, pool, games, rows_uscf):
    """N + 1 after a game: the same player gets another K by which rating is known first."""
    control = "G/10" if pool == "quick" else "G/90"
    row = rows_uscf(
        [{"id": "A", **document}, rated("B", 1800)],
        series("A", (DRAW, "B")),
        pool=pool,
        time_control=control,
    )["A"]
    assert row.standing.games == games + 1
