"""Worlds of players: what comes out is what the engine says, and what theory says."""

from __future__ import annotations

import math
from datetime import date

import numpy as np
import pytest

from ratingbook.engine.history.api import History, rate_history
from ratingbook.engine.history.predictions import predict_history
from ratingbook.lab.reform import Reform, ReformError, lift_of, with_reform
from ratingbook.lab.scores import calibration
from ratingbook.lab.simulate import NAMED, Scenario, ScenarioError, scenario, simulate
from ratingbook.lab.simulate.frame import Meet, days_of
from ratingbook.lab.simulate.measures import first_found, groups, newcomers_known, years
from ratingbook.lab.simulate.truth import by_rulebook, logistic, scores
from ratingbook.lab.simulate.written import games_table, players_table, write
from ratingbook.rules.registry import edition, load

SMALL = Scenario(
    "mine", players=30, years=2, meets=4, events=3, event_size=10, rounds=4, entry=0.3, drop_out=0.2
)
CORRESPONDENCE = NAMED["correspondence"].changed({"players": 24, "years": 2})


def last_list(made):
    return dict(zip(made.history.players.to_pylist(), made.ratings[-1].tolist(), strict=True))


@pytest.mark.parametrize(
    ("book", "world"),
    [
        ("elo", SMALL),
        ("uscf-2011", SMALL.changed({"years": 1})),
        ("fide-2009", SMALL),
        ("egf-2013", SMALL.changed({"truth": "rulebook", "mean": 1700})),
        ("iccf-2009", CORRESPONDENCE),
        ("iecg-1999", CORRESPONDENCE),
    ],
)
def test_the_ratings_are_those_of_the_engine_over_the_games_that_came_out(book, world):
    """Nothing is rated by the simulation: list by list comes to what the whole history does."""
    made = simulate(book, world, compiled=False)
    whole = rate_history(History(made.history), book, assume=made.assume, compiled=False)
    rated = whole.ratings.to_pylist()
    assert len(rated) == len(made.people)
    then = last_list(made)
    seen = 0
    for row in rated:
        told = row["rating"] if row["published"] else math.nan
        assert then[row["player"]] == pytest.approx(
            math.nan if told is None else np.float32(told), abs=0, nan_ok=True
        )
        seen += told is not None and math.isfinite(told)
    assert seen > 10


def test_lists_on_the_way_know_no_later_game():
    """What was published before a meet is what the games that ended by then come to."""
    made = simulate("fide-2012", SMALL, compiled=False)
    number = 5
    meet = made.meets[number]
    games = made.history.games
    before = games.day < meet.day
    part = rate_history(
        games_table(made).filter(before), "fide-2012", players=players_table(made), compiled=False
    )
    then = dict(zip(made.history.players.to_pylist(), made.ratings[number].tolist(), strict=True))
    assert 0 < before.sum() < len(before)
    # The list of 1 March takes what ended in February; nothing of March is among these games.
    for row in part.ratings.to_pylist():
        if row["published"]:
            assert then[row["player"]] == row["rating"]


def test_the_same_seed_gives_the_same_bits_and_another_one_others():
    one, again, other = (simulate("elo", SMALL, seed=seed, compiled=False) for seed in (7, 7, 8))
    for name in ("white", "black", "score", "day"):
        assert np.array_equal(getattr(one.history.games, name), getattr(again.history.games, name))
    assert one.ratings.tobytes() == again.ratings.tobytes()
    assert one.ratings.tobytes() != other.ratings[:, : one.ratings.shape[1]].tobytes()


def test_people_and_entries_are_the_same_under_every_rule_book():
    one, other = (simulate(book, SMALL, compiled=False) for book in ("elo", "fide-2009"))
    for each, twin in zip(one.meets, other.meets, strict=True):
        assert np.array_equal(each.who, twin.who)
    assert np.array_equal(one.people.aim, other.people.aim)


def test_nobody_meets_the_same_opponent_twice_in_an_event_while_there_are_others():
    """Ten players, four rounds: pairs change with those beside them; a few are left over."""
    games = simulate("elo", SMALL, compiled=False).history.games
    assert games.event is not None
    pairs = np.stack([games.event, np.minimum(games.white, games.black),
                      np.maximum(games.white, games.black)])  # fmt: skip
    assert (games.white != games.black).all()
    again = pairs.shape[1] - np.unique(pairs, axis=1).shape[1]
    assert again / pairs.shape[1] < 0.05


def test_rows_of_a_round_lie_in_its_events():
    meet = Meet(0, np.arange(10), np.zeros(10), np.array([6, 4]), 0, 100, 3)
    assert meet.rows(0).tolist() == [100, 101, 102, 109, 110]
    assert meet.rows(2).tolist() == [106, 107, 108, 113, 114]


def test_meets_are_spread_over_the_year():
    days = days_of(Scenario(start=date(2030, 1, 1), years=1, meets=4))
    assert [str(date.fromordinal(719163 + day)) for day in days] == [
        "2030-01-10", "2030-04-10", "2030-07-10", "2030-10-10"
    ]  # fmt: skip


# Truth


def test_a_stronger_player_scores_ten_to_one_at_the_scale():
    expected = logistic(400)
    assert expected(np.array([1900, 1500]), np.array([1500, 1900])) == pytest.approx(
        [10 / 11, 1 / 11]
    )


@pytest.mark.parametrize(
    ("own", "other", "share"),
    [
        (2100, 2100, 0.5),
        # The EGF's page: a 1 kyu, 2000, against a 1 dan, 2100, by β: 1 / (1 + (1300/1200)^7).
        (2000, 2100, 1 / (1 + (1300 / 1200) ** 7)),
        (2700, 1900, 1 - 1 / (1 + (1400 / 600) ** 7)),
    ],
)
def test_the_truth_of_a_rule_book_is_what_it_expects(own, other, share):
    expected = by_rulebook(edition("egf-2021"), 22_000, 1800, 2800)
    assert expected(np.array([own]), np.array([other]))[0] == pytest.approx(share, abs=1e-9)
    # Between two points of the grid, on a straight line: 1 / 800 of 50² points² of curvature.
    between = expected(np.array([own + 25]), np.array([other + 25]))[0]
    beta = 1 / (1 + ((3300 - own - 25) / (3300 - other - 25)) ** 7)
    assert between == pytest.approx(beta, abs=2e-3)


def test_draws_leave_the_expected_score():
    """A million games: three standard errors of a mean of numbers between 0 and 1."""
    luck = np.random.Generator(np.random.PCG64(3)).random(1_000_000)
    for share in (0.5, 0.7, 0.95):
        found = scores(np.full(len(luck), share), Scenario(draws=0.4), luck) / 2
        assert found.mean() == pytest.approx(share, abs=3 * 0.5 / 1000)
        drawn = 2 * 0.4 * min(share, 1 - share)
        assert (found == 0.5).mean() == pytest.approx(drawn, abs=3 * 0.5 / 1000)


def test_who_knows_the_truth_is_calibrated():
    """Elo that never moves off the true strengths: each band within four standard errors.

    White's first move is 70 points, which `home` tells it.
    """
    world = NAMED["steady"].changed(
        {
            "players": 150,
            "years": 3,
            "founder_error": 0,
            "event_size": 30,
            "spread": 150,
            "first_move": 70,
        }
    )
    settings = {"k": "0.000000001", "home": str(world.first_move)}
    made = simulate("elo", world, settings=settings, compiled=False)
    book = load("elo").with_parameters(settings)
    told = predict_history(History(made.history), book, compiled=False)
    score = made.history.games.score / 2
    assert len(score) > 3_000
    bands = calibration(told.expected, score).bands
    assert len(bands) == 10
    off = [(band.scored - band.expected) / band.error for band in bands]
    assert max(map(abs, off)) < 4
    # The sum of the squares of ten such numbers is below 29.6 in 999 of 1,000 cases.
    assert sum(each**2 for each in off) < 29.6
    # One that does not know of the first move is not calibrated: 70 points are 0.1 between equals.
    odds = told.expected / (1 - told.expected) / 10 ** (world.first_move / 400)
    bands = calibration(odds / (1 + odds), score).bands
    off = [(band.scored - band.expected) / band.error for band in bands]
    assert sum(each**2 for each in off) > 100


# Drift by a wrong ε


def go(players, years, **more):
    return NAMED["go"].changed(
        {"players": players, "years": years, "entry": 0, "drop_out": 0, "ageing": 0,
         "adult_gap": 0, "juniors": 0, "founder_error": 0, "events": 12, **more}
    )  # fmt: skip


def halves(made):
    """Halves of games over all players."""
    return 2 * len(made.history.games)


def test_a_wrong_epsilon_lifts_the_mean_as_theory_says():
    """Two equals win con · (1 − (1 − ε)) = con · ε together, whoever wins: exactly.

    All of one strength, and rated so: con of 2100 is 24, ε = 0.2 instead of the true 0; one event
    each, so that no rating has moved before.  So 24 · 0.2 / 2 = 2.4 points a game, to the last.
    """
    world = go(100, 1, meets=1, spread=0, mean=2100, event_size=100, events=12)
    settings = {"epsilon": "0.2"}
    made = simulate("egf-2013", world, settings=settings, compiled=False)
    assert [len(meet.sizes) for meet in made.meets] == [1]
    gained = np.nansum(made.ratings[-1].astype(float) - 2100)
    games = made.played[-1].sum()
    assert games == halves(made)
    # Ratings are published whole: half a point for each of the players at most.
    assert gained == pytest.approx(24 * 0.2 / 2 * games, abs=0.5 * len(made.people))


def con_and_a(rating):
    """Table 2 of the EGF around 2100, typed from the page: con and a, linear between the rows."""
    rows = [1800, 1900, 2000, 2100, 2200, 2300, 2400, 2500]
    con = [35, 31, 27, 24, 21, 18, 15, 13]
    a = [115, 110, 105, 100, 95, 90, 85, 80]
    return np.interp(rating, rows, con), np.interp(rating, rows, a)


@pytest.mark.parametrize("epsilon", [0.0, 0.05])
def test_over_years_ratings_drift_as_epsilon_and_con_say(epsilon):
    """All are of one strength, so each scores ½ of every game; ε is taken from both sides alike.

    Then a game gives con_A (½ − E_A + ε/2) + con_B (½ − E_B + ε/2), reckoned here by hand at the
    ratings of the list: con · ε where both are rated alike; and, ε or not, something more where
    they are not, since who is rated too low has the greater con.  What chance adds has the mean 0
    and a variance of (con_A − con_B)² / 4 a game.
    """
    world = go(60, 6, meets=4, spread=0, mean=2100, event_size=20, events=2)
    made = simulate("egf-2013", world, settings={"epsilon": str(epsilon)}, compiled=False)
    games = made.history.games
    theory = variance = by_epsilon = 0.0
    for meet, listed in zip(made.meets, made.ratings, strict=False):
        span = slice(meet.first_game, meet.first_game + meet.games)
        white, black = (listed[each[span]].astype(float) for each in (games.white, games.black))
        con_white, con_black = con_and_a(white)[0], con_and_a(black)[0]
        weaker = con_and_a(np.minimum(white, black))[1]
        expects = 1 / (1 + np.exp((black - white) / weaker))
        theory += float(((con_white - con_black) * (0.5 - expects)).sum())
        by_epsilon += float(((con_white + con_black) * epsilon / 2).sum())
        variance += float(np.square(con_white - con_black).sum()) / 4
    gained = float(np.nansum(made.ratings[-1].astype(float) - 2100))
    count = len(made.people)
    chance = 4 * math.sqrt(variance) + 1.0 * count
    assert gained == pytest.approx(theory + by_epsilon, abs=chance)
    assert (by_epsilon > 5 * chance) == (epsilon > 0)
    assert theory > 0


# Measures


def test_a_steady_world_stays_where_it_is():
    """Under Elo what one wins the other loses: the mean of all stays, to the last digit.

    The lists have whole numbers of the founders; ratings are floats: 10⁻³ for single precision.
    """
    world = NAMED["steady"].changed({"players": 80, "years": 3, "event_size": 20})
    made = simulate("elo", world, compiled=False)
    first, *_, last = years(made)
    rated = np.isfinite(made.ratings[0])
    assert rated.all()
    means = made.ratings[:, rated].astype(float).mean(axis=1)
    assert means == pytest.approx(np.full(len(means), means[0]), abs=1e-3)
    assert first.steady == first.rated
    assert last.rising == 0
    assert last.strength == pytest.approx(first.strength, abs=30)


def test_sandbaggers_and_regions_are_told():
    world = SMALL.changed(
        {"players": 200, "sandbaggers": 0.3, "regions": 2, "region_error": 200, "founder_error": 0,
         "years": 1, "entry": 0}
    )  # fmt: skip
    made = simulate("elo", world, compiled=False)
    told = {each.name: each for each in groups(made)}
    assert told["region 1"].above > told["region 2"].above + 100
    assert told["lose on purpose"].above < told["all others"].above - 20
    # Regions are closed: nobody meets anybody of the other one.
    games, region = made.history.games, made.people.region
    assert (region[games.white] == region[games.black]).all()


def test_newcomers_come_to_their_strength():
    world = NAMED["steady"].changed(
        {"players": 50, "years": 4, "entry": 0.4, "events": 10, "guess_error": 50}
    )
    made = simulate("elo", world, settings={"k": "32"}, compiled=False)
    told = {each.games: each for each in newcomers_known(made, 100)}
    assert told[100].error < told[5].error
    assert told[5].players >= told[100].players > 20
    found = first_found(made, 100)
    assert found.players > 30
    assert found.found > 0.8
    assert 0 < found.games <= found.games_late


# Scenarios


def test_a_scenario_is_written_and_read_back(tmp_path):
    for name, world in NAMED.items():
        path = tmp_path / f"{name}.toml"
        path.write_text(world.text(), "utf-8")
        assert scenario(path) == world
    path.write_text('name = "go"\nplayers = 50\n', "utf-8")
    assert scenario(path) == NAMED["go"].changed({"players": 50})


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("players = 3", "players lies between 20 and 200,000, not at 3"),
        ("player = 300", "a scenario has no 'player'"),
        ('years = "ten"', "years is a number such as 20, not 'ten'"),
        ("years = 2.5", "years is a number such as 20, not 2.5"),
        ('truth = "mine"', "truth is one of logistic, rulebook, not 'mine'"),
        ('start = "soon"', "start is a day, not 'soon'"),
        ("years = ", "Invalid value"),
    ],
)
def test_a_scenario_that_cannot_be_is_refused(tmp_path, said, message):
    path = tmp_path / "mine.toml"
    path.write_text(said, "utf-8")
    with pytest.raises(ScenarioError, match=message):
        scenario(path)


def test_what_is_written_is_rated_to_the_same_ratings(tmp_path):
    made = simulate("elo", SMALL, compiled=False)
    write(made, tmp_path / "made")
    assert scenario(tmp_path / "made" / "scenario.toml") == SMALL
    rated = rate_history(
        tmp_path / "made" / "games.parquet", "elo", players=tmp_path / "made" / "players.parquet",
        compiled=False,
    )  # fmt: skip
    then = last_list(made)
    for row in rated.ratings.to_pylist():
        told = math.nan if row["rating"] is None else row["rating"]
        assert np.array_equal(np.float32(told), np.float32(then[row["player"]]), equal_nan=True)


# Reforms


def test_before_the_day_of_a_reform_nothing_is_otherwise():
    day = date(2031, 1, 1)
    reform = Reform(day, settings={"k": "60"})
    one = simulate("elo", SMALL, compiled=False)
    other = simulate("elo", SMALL, reform=reform, compiled=False)
    assert np.array_equal(one.ratings[:5], other.ratings[:5], equal_nan=True)
    assert not np.array_equal(one.ratings[-1], other.ratings[-1], equal_nan=True)


def test_a_lift_takes_its_share_of_the_way_once():
    """Nothing but the lift: K so small that games move nobody."""
    world = NAMED["steady"].changed({"players": 60, "years": 1})
    settings = {"k": "0.000000001"}
    reform = Reform(date(2030, 6, 1), share=0.4, towards=2000)
    made = simulate("elo", world, settings=settings, reform=reform, compiled=False)
    before, after = made.ratings[0].astype(float), made.ratings[-1].astype(float)
    wanted = before + 0.4 * np.maximum(0, 2000 - before)
    assert (wanted > before).any()
    assert after == pytest.approx(wanted, abs=1e-3)


def test_another_edition_holds_from_its_day():
    book = load("uscf-2011")
    made = with_reform(book, Reform(date(2031, 1, 1), edition="uscf-2023"))
    first, second = made.stages()
    assert first.parameters == book.stages()[0].parameters
    assert second.parameters.bonus == 12.0
    with pytest.raises(ReformError, match="same federation"):
        with_reform(book, Reform(date(2031, 1, 1), edition="elo"))
    with pytest.raises(ReformError, match="is a series"):
        with_reform(load("fide"), Reform(date(2031, 1, 1), settings={"k_new": "30"}))
    with pytest.raises(ReformError, match="say what"):
        Reform(date(2031, 1, 1))
    with pytest.raises(ReformError, match="SHARE@RATING"):
        lift_of("much")
