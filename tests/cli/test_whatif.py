"""The command ``whatif``: what becomes of a rating, for every edition."""

from __future__ import annotations

import json

import pytest

from ratingbook.cli.whatif import BadGame, game_of, planned
from ratingbook.model import Result
from ratingbook.rules.egf import egf_2021
from ratingbook.rules.fide import fide_2009

FIDE = ("--rulebook", "fide-2009")


def answer(run, *arguments):
    done = run("whatif", *arguments, "--format", "json")
    assert done.status == 0, done.err
    return json.loads(done.out)


def test_the_example_of_the_text(run):
    """2806 against 2577, K = 10: loses 2798, draws 2803, wins 2808."""
    me = ("--rating", "2806", "--games", "500")
    found = answer(run, *FIDE, *me, "2577=?")
    assert [(o["scores"], o["after"]) for o in found["outcomes"]] == [
        ([1.0], 2808), ([0.5], 2803), ([0.0], 2798),
    ]  # fmt: skip


def test_open_games_are_tried_in_every_way(run):
    found = answer(run, *FIDE, "--rating", "2000", "--games", "50", "2000=1", "2100=?", "1900=?")
    assert len(found["outcomes"]) == 9
    best, worst = found["outcomes"][0], found["outcomes"][-1]
    # K 15: 15 · (.5 + .64 + .36) = 22.5 and 15 · (.5 − .36 − .64) = −7.5, halves up
    assert (best["after"], worst["after"]) == (2023, 1993)


def test_a_new_player_gets_a_first_rating(run):
    """4 of 9 against 2000: p = .44, dp = −43."""
    games = ["2000=1"] * 4 + ["2000=0"] * 5
    (outcome,) = answer(run, *FIDE, *games)["outcomes"]
    assert (outcome["before"], outcome["after"], outcome["published"]) == (None, 1957, True)


def test_a_player_of_the_players_file(run, tmp_path):
    (tmp_path / "players.csv").write_text("id,rating,games\n7,2090,22\n", "utf-8")
    me = ("--players", tmp_path / "players.csv", "--player", "7")
    (outcome,) = answer(run, *FIDE, *me, "2090=1")["outcomes"]
    assert outcome["after"] == 2103  # K 25 with 22 games: 12.5, half away from zero


def test_go_by_grade_with_a_class(run):
    """egf-2013, class B, 2100 beats 2100: .75 · 24 · .508 = 9.144."""
    arguments = ("--rulebook", "egf-2013", "--rating", "2100", "--event", "class=B", "1d=1")
    (outcome,) = answer(run, *arguments)["outcomes"]
    assert outcome["exact"] == pytest.approx(2109.144)


@pytest.mark.parametrize(("mine", "opponent"), [("2000", "1850/h2"), ("1850", "2000/h-2")])
def test_two_stones_make_up_for_150_points(run, mine, opponent):
    """egf-2021: h stones are worth 100 (h − ½) points, whoever receives them."""
    arguments = ("--rulebook", "egf-2021", "--rating", mine, f"{opponent}=1")
    (outcome,) = answer(run, *arguments)["outcomes"]
    assert outcome["expected"] == pytest.approx(0.5)


def test_a_us_chess_rating_of_the_handbook(run):
    """uscf-2011: a draw between equals of 1500 changes nothing."""
    arguments = ("--rulebook", "uscf-2011", "--rating", "1500", "--games", "40", "1500/40=½")
    (outcome,) = answer(run, *arguments)["outcomes"]
    assert (outcome["expected"], outcome["after"]) == (0.5, 1500)


def test_correspondence_with_a_level(run):
    """iccf-2009: one win of a new player in the open class: 1800 + 338.5."""
    arguments = ("--rulebook", "iccf-2009", "--event", "category=open_class", "1800=1")
    (outcome,) = answer(run, *arguments)["outcomes"]
    assert outcome["exact"] == 2138.5


def test_explained(run):
    done = run("whatif", *FIDE, "--rating", "2000", "--games", "50", "2100=1", "--explain")
    assert "table 8.1.2: expected score 0.36" in done.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("2000",), "OPPONENT=SCORE"),
        (("2000=2",), "OPPONENT=SCORE"),
        (("=1",), "OPPONENT=SCORE"),
        (("2.0.0=1",), "no rating"),
        (["2000=?"] * 7, "at most 6"),
        (("2000=1", "--event", "class"), "KEY=VALUE"),
        (("2000=1", "--event", "colour=red"), "time_control"),
        (("2000=1", "--event", "level=high"), "number"),
        (("2000=1", "--set", "k_top=ten"), "k_top"),
        (("3k=1",), "no grades"),
        (("2000/h2=1",), "no handicap"),
        (("2000=½:3",), "won or lost"),
        (("2000=?:3",), "won or lost"),
        (("2000=1:",), "OPPONENT=SCORE"),
        (("2000/abroad=1",), "OPPONENT=SCORE"),
        (("2000=1", "--player", "7"), "go together"),
    ],
)
def test_a_wrong_call_is_a_usage_error(run, arguments, told):
    done = run("whatif", *FIDE, "--rating", "2000", *arguments)
    assert (done.status, done.out) == (2, "")
    assert told in " ".join(done.err.split())


def test_a_player_who_is_not_in_the_file(run, tmp_path):
    (tmp_path / "players.csv").write_text("id,rating\n7,2090\n", "utf-8")
    me = ("--players", tmp_path / "players.csv", "--player", "8")
    done = run("whatif", *FIDE, *me, "2090=1")
    assert done.status == 2
    assert "no player 8" in done.err


@pytest.mark.parametrize(
    "arguments", [("--rating", "-5", "2000=1"), ("--rating", "2000", "99999=1")]
)
def test_impossible_ratings_are_refused(run, arguments):
    done = run("whatif", *FIDE, *arguments)
    assert done.status == 1
    assert "rating" in done.err


@pytest.mark.parametrize(
    ("text", "white", "result", "margin", "neutral"),
    [
        ("1700=1", "me", Result.WHITE_WINS, None, True),
        ("1700/home=1:7", "me", Result.WHITE_WINS, 7, False),
        ("1700/12/home=0:7", "me", Result.BLACK_WINS, -7, False),
        ("1700/AWAY=1:7", "opponent 1", Result.BLACK_WINS, -7, False),
        ("1700/away=0:7", "opponent 1", Result.WHITE_WINS, 7, False),
        ("1700/away=½", "opponent 1", Result.DRAW, None, False),
        ("1700=0:0", "me", Result.BLACK_WINS, 0, True),
    ],
)
def test_home_away_and_margins(text, white, result, margin, neutral):
    game = planned_game(text, fide_2009)
    assert (game.white, game.result, game.margin, game.neutral) == (white, result, margin, neutral)


def test_stones_are_not_for_home_games():
    with pytest.raises(BadGame, match="stones, or at"):
        planned("3k/h2/home=1", 1, egf_2021)


def planned_game(text, book):
    """The game of a what-if as its report holds it."""
    made = planned(text, 1, book)
    assert made.half_points is not None
    return game_of(made, made.half_points, 1)
