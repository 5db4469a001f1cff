"""The command ``whatif``: what becomes of a rating, for every edition."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

import pytest

from ratingbook.desk.planned import BadGame, game_of, planned
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


@pytest.mark.parametrize(
    ("mine", "opponent"),
    [
        ("2000", "1850/h2"), ("1850", "2000/h2"), ("1850", "2000/h-2"),
        ("2000", "1850/give2"), ("1850", "2000/take2"),
    ],
)  # fmt: skip
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
    assert "no player '8'" in done.err


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


def told(run, *arguments):
    """What people read, in one line."""
    done = run("whatif", *arguments)
    assert done.status == 0, done.err
    return " ".join(done.out.split()), " ".join(done.err.split())


FOUR = ("1900=?", "2000=?", "2050=?", "2100=?")


def test_one_line_for_each_score_and_what_the_target_takes(run):
    """1960, K 20: table 8.1.2 expects .58 + .44 + .38 + .31 = 1.71 of the four.

    20 × (4 − 1.71) = 45.8, 20 × (3½ − 1.71) = 35.8.
    """
    out, _ = told(run, "--rulebook", "fide-2024", "--rating", "1960", "--games", "40", *FOUR,
                  "--target", "2000")  # fmt: skip
    assert out.count(" of 4 ") == 9 + 1
    assert "4 of 4 1960 2006 +46" in out
    assert "3½ of 4 1960 1996 +36" in out
    assert "4 of 4 give 2006, at least 2000." in out


def test_the_target_in_json(run):
    """fide-2024, K 20: 3 of 4 games at .5 each is 1, so +20; 2½ is +10."""
    found = answer(run, "--rulebook", "fide-2024", "--rating", "1980", "--games", "40",
                   *["1980=?"] * 4, "--target", "2000")  # fmt: skip
    assert len(found["outcomes"]) == 81
    lines = {each["score"]: (each["after"], each["reaches_target"]) for each in found["scores"]}
    assert len(lines) == 9
    assert lines[3.0] == (2000, True)
    assert lines[2.5] == (1990, False)


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("2000", "3 of 4 give 2000, at least 2000."),
        ("1991", "3 of 4 give 2000, at least 1991."),
        ("1960", "1 of 4 gives 1960, at least 1960."),
        ("1900", "0 of 4 gives 1940, at least 1900."),
        ("2100", "Even 4 of 4 give 2020: 2100 is out of reach for somebody grown up."),
    ],
)
def test_the_target_in_words(run, target, sentence):
    out, _ = told(run, "--rulebook", "fide-2024", "--rating", "1980", "--games", "40",
                  *["1980=?"] * 4, "--target", target)  # fmt: skip
    assert sentence in out


@pytest.mark.parametrize(
    ("year", "sentence"),
    [
        ("", "Even 1 of 1 give 1855: 1860 is out of reach for somebody grown up."),
        ("1980", "Even 1 of 1 give 1855: 1860 is out of reach."),
        ("2014", "1 of 1 gives 1866, at least 1860."),
    ],
)
def test_out_of_reach_is_said_of_the_age_that_was_assumed(run, year, sentence):
    """K = 20 of somebody grown up, 40 of a junior: .58 of it is 11.6, and 23.2."""
    born = ["--birth-year", year] if year else []
    out, _ = told(run, "--rulebook", "fide-2024", "--rating", "1843", "--games", "200", "1900=?",
                  "--target", "1860", "--date", "2026-05-05", *born)  # fmt: skip
    assert sentence in out
    assert ("Your age is not said" in out) is (not year)


GO = ("--rulebook", "egf-2021", "--rating", "1960.5", "--games", "40")


def test_ratings_stand_with_the_decimals_that_are_published(run):
    """Three in egf-2021; the changes are the differences of what stands beside them."""
    (best, *_), before = (
        [
            each
            for each in answer(run, *GO, "1900=?", "2000=?")["outcomes"]
            if each["scores"] == ends
        ]
        for ends in ([1.0, 1.0], [0.0, 0.0])
    )
    assert before[0]["before"] == best["before"] == 1960.5
    out, _ = told(run, *GO, "1900=?", "2000=?", "--target", "1970")
    assert f"2 of 2 1960.5 {best['after']} +{best['change']}" in out
    rows = re.findall(r"of 2 ([\d.]+) ([\d.]+)(?: to [\d.]+)? ([+−][\d.]+)", out)
    assert len(rows) == 5
    for began, after, change in rows:
        moved = Decimal(change.replace("−", "-"))
        assert Decimal(began) + moved == Decimal(after)


@pytest.mark.parametrize("book", ["egf-2013", "elo", "egf-2021"])
def test_what_is_not_published_is_rounded_before_it_is_reckoned_with(run, book):
    rated = ("--rulebook", book, "--rating", "1960.12345", "--games", "40")
    out, _ = told(run, *rated, "1900=?", "2000=1", "--target", "1960.5")
    rows = re.findall(r"of 1 ([\d.]+) ([\d.]+) ([+−][\d.]+)", out)
    assert len(rows) == 3
    for began, after, change in rows:
        assert Decimal(began) + Decimal(change.replace("−", "-")) == Decimal(after)


def test_a_target_without_open_games(run):
    out, _ = told(run, "--rulebook", "fide-2024", "--rating", "1980", "--games", "40",
                  "1980=1", "--target", "2000")  # fmt: skip
    assert "1990: 10 short of 2000." in out


FIVE = ("1608=1", "1746=1", "1691=1", "1685=0", "1600=0")


def test_us_chess_reckons_as_estimators_do(run):
    """Section 4.2 by hand: N' = 17.040967, E = 1.600508, 1532 + 50.80 + 28.44 = 1611.23."""
    me = ("--rulebook", "uscf-2025", "--rating", "1532", "--games", "60", *FIVE)
    (estimate,) = answer(run, *me)["outcomes"]
    assert estimate["after"] == 1611
    assert estimate["exact"] == pytest.approx(1611.231409, abs=1e-6)
    (event,) = answer(run, *me, "--full-event")["outcomes"]
    assert event["after"] == 1607
    out, err = told(run, *me)
    assert "opponents keep their ratings" in out
    assert err == ""


def test_a_grade_is_shown_as_the_rating_that_it_stands_for(run):
    """3k is 1800; a 3k and a 1d who gives 3 stones are 2050 and 2100."""
    out, err = told(run, "--rulebook", "egf-2021", "--grade", "3k", "1d/h3=1")
    assert "1800 1815.595 +15.595" in out
    assert "You take 3 stones from opponent 1 (1d)." in out
    assert "Grade by rating: 3k → 3k." in out
    assert "class A" in out
    assert err == ""


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("1d/h-3=1", "You take 3 stones from opponent 1 (1d)."),
        ("1d/take1=1", "You take 1 stone from opponent 1 (1d)."),
        ("5k/give2=1", "You give 2 stones to opponent 1 (5k)."),
    ],
)
def test_who_takes_the_stones_is_said_however_they_are_written(run, game, said):
    out, _ = told(run, "--rulebook", "egf-2021", "--grade", "3k", game)
    assert said in out


def test_an_explanation_in_go_reads_as_one_writes_it(run):
    out, _ = told(run, "--rulebook", "egf-2021", "--grade", "3k", "2k=1", "--explain")
    assert "against opponent 1 (2k)" in out
    assert "β(1800) = −7 × ln(3300 − 1800)" in out


def test_stones_between_equals_have_to_say_who_takes_them(run):
    done = run("whatif", "--rulebook", "egf-2021", "--grade", "3k", "3k/h2=1")
    assert done.status == 2
    assert "/take2" in done.err


def test_a_year_of_birth(run):
    """fide-2024: K is 40 until the end of the year of the 18th birthday, below 2300."""
    me = ("--rulebook", "fide-2024", "--rating", "2000", "--games", "50", "--date", "2026-11-22")
    (junior,) = answer(run, *me, "2000=1", "--birth-year", "2010")["outcomes"]
    (adult,) = answer(run, *me, "2000=1", "--birth-year", "1990")["outcomes"]
    assert (junior["change"], adult["change"]) == (20, 10)


def test_a_day_chooses_the_edition_of_a_series(run):
    """K for players with few games: 15 until June 2009, 25 in fide-2009, 30 from July 2011 on."""
    me = ("--rulebook", "fide", "--rating", "2000", "--games", "10", "2000=1")
    early = answer(run, *me, "--date", "2010-01-15")
    late = answer(run, *me, "--date", "2012-01-15")
    assert (early["rulebook"], early["outcomes"][0]["change"]) == ("fide-2009", 13)
    assert (late["rulebook"], late["outcomes"][0]["change"]) == ("fide-2011", 15)


@pytest.mark.parametrize("half", ["½", "0.5", "0,5", "1/2", "="])
def test_a_half_in_every_writing(run, half):
    (outcome,) = answer(run, *FIDE, "--rating", "2000", "--games", "50", f"2000={half}")["outcomes"]
    assert outcome["score"] == 0.5


def test_a_number_of_games_that_was_assumed_is_told_to_the_asker(run):
    _, err = told(run, "--rulebook", "fide-2024", "--rating", "1650", "1800=1")
    assert "Your number of rated games is not given; taken as 30" in err
    assert "--games" in err
    _, err = told(run, "--rulebook", "fide-2024", "--rating", "1650", "--games", "40", "1800=1")
    assert err == ""


@pytest.fixture
def last_round(tmp_path):
    """Two rounds played, the third one paired."""
    players = [
        {"id": str(n), "name": name, "standing": {"rating": 2000, "games": 100}}
        for n, name in enumerate(("Alpha, Ann", "Beta, Bo", "Gamma, Gus", "Gamow, Gil"), 1)
    ]
    pairings = [(1, 2, "1-0"), (3, 4, "1/2-1/2"), (1, 3, "1/2-1/2"), (2, 4, "0-1"), (4, 1, "*"),
                (2, 3, "*")]  # fmt: skip
    games = [
        {"round": n // 2 + 1, "white": str(white), "black": str(black), "result": result}
        for n, (white, black, result) in enumerate(pairings)
    ]
    path = tmp_path / "open.json"
    event = {"name": "Last Round", "start": "2012-01-10", "end": "2012-01-12"}
    document = {"ratingbook": "report/1", "event": event, "players": players, "games": games}
    path.write_text(json.dumps(document), "utf-8")
    return path


@pytest.mark.parametrize("who", ["1", "Alpha, Ann", "alp"])
def test_a_report_with_an_open_game(run, last_round, who):
    """Black against an equal, K 15, after 1½ of 2: 15 × (2½ − 1½), 15 × (2 − 1½), 15 × 0."""
    found = answer(run, last_round, *FIDE, "--player", who, "--target", "2010")
    assert found["open"] == ["4 Gamow, Gil"]
    assert [(o["scores"], o["after"]) for o in found["outcomes"]] == [
        ([1.0], 2015), ([0.5], 2008), ([0.0], 2000),
    ]  # fmt: skip
    assert [each["reaches_target"] for each in found["scores"]] == [True, False, False]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "say who you are"),
        (("--player", "gam"), "may be 3 Gamma, Gus; 4 Gamow, Gil"),
        (("--player", "Omega"), "no player 'Omega'"),
    ],
)
def test_a_report_needs_to_know_who_asks(run, last_round, arguments, sentence):
    done = run("whatif", last_round, *FIDE, *arguments)
    assert done.status == 2
    assert sentence in " ".join(done.err.split())


def test_a_report_that_cannot_be_read_is_refused(run, tmp_path):
    (tmp_path / "bad.json").write_text("{", "utf-8")
    done = run("whatif", tmp_path / "bad.json", *FIDE, "--player", "1")
    assert (done.status, done.out) == (1, "")
    assert "bad.json" in done.err


def test_a_status_and_keys_of_the_rule_book_are_said_at_the_shell(run):
    """IECG V for who is established with ten games: k 30, P(−90) .373, 1810 + 18.8."""
    asked = ("whatif", "--rulebook", "iecg-1999", "--rating", "1810", "--games", "10", "1900=1")
    done = run(*asked, "--standing", "status=established", "--format", "json")
    assert json.loads(done.out)["outcomes"][0]["after"] == 1829
    earlier = ("--standing", "earlier_score=5", "--standing", "earlier_opponents=18000")
    done = run(*asked, "--standing", "status=provisional", *earlier, "--format", "json")
    assert json.loads(done.out)["outcomes"][0]["after"] != 1829
    for wrong, told in (
        ("status=retired", "is one of starting, provisional, established with iecg-1999"),
        ("peak=3", "a standing has status, starting_rating"),
        ("earlier_score=many", "earlier_score is a number, not 'many'"),
    ):
        done = run(*asked, "--standing", wrong)
        assert done.status == 2
        assert told in " ".join(done.err.split())


def test_results_so_far_are_said_at_the_shell(run):
    """US Chess 1.4: the special formula after nothing but wins, whatever the number of games."""
    asked = ("whatif", "--rulebook", "uscf-2011", "--rating", "1400", "--games", "12", "1900=0")

    def said(**standing: str) -> Any:
        options = [word for name, n in standing.items() for word in ("--standing", f"{name}={n}")]
        return run(*asked, *options, "--format", "json")

    unknown = json.loads(said().out)
    (told,) = [each for each in unknown["findings"] if each["code"] == "uscf.results-unknown"]
    assert told["remedy"] == "Say them with --standing wins=…, draws=… and losses=…."
    won, mixed = (
        json.loads(said(wins=n, draws="0", losses=m).out) for n, m in (("12", "0"), ("6", "6"))
    )
    assert "uscf.results-unknown" not in str(won["findings"])
    assert won["outcomes"][0]["expected"] is None
    assert mixed["outcomes"][0]["expected"] == unknown["outcomes"][0]["expected"]
    for wrong in ("many", "1.5", "-1"):
        assert said(wins=wrong).status == 2
    done = run(*asked[:2], "elo", *asked[3:], "--standing", "wins=3")
    assert "not wins" in " ".join(done.err.split())


@pytest.mark.parametrize("target", ["inf", "-inf", "nan"])
def test_a_target_is_a_number(run, target):
    done = run("whatif", "--rulebook", "fide", "--rating", "2090", "2100=1", f"--target={target}")
    assert done.status == 2
    assert f"--target is a rating, not {target}" in done.err
