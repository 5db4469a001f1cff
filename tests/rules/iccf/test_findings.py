"""What the ratings commissioner is told: each finding once, with its place and what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ratingbook.engine.rate import Rating
from ratingbook.model import Finding, Severity
from ratingbook.rules.iccf.levels import CATEGORIES, LEVELS, tournament_level

RateIccf = Callable[..., Rating]
Json = dict[str, Any]

DRAW = "1/2-1/2"


def rated(player: str, rating: float, games: int | None = 100, **more: object) -> Json:
    return {"id": player, "standing": {"rating": rating, "games": games}, **more}


def game(white: str, black: str, result: str = DRAW, **more: object) -> Json:
    return {"white": white, "black": black, "result": result, **more}


def one(rating: Rating, code: str, severity: Severity) -> Finding:
    """The only finding with that code, which must say what to do."""
    (finding,) = (f for f in rating.findings if f.code == code)
    assert finding.severity is severity
    assert finding.remedy
    assert rating.findings.refused == (not rating.rows) == severity.refuses
    return finding


def codes(rating: Rating) -> set[str]:
    return {finding.code for finding in rating.findings}


def test_nothing_to_say(rate_iccf: RateIccf) -> None:
    assert codes(rate_iccf([rated("a", 2300), rated("b", 2250)], [game("a", "b")])) == set()


def test_history_missing(rate_iccf: RateIccf) -> None:
    history = [{"own": 1900, "opponent": 1900, "score": 1}] * 3
    players = [rated("a", 2300), rated("b", 1900, 5, history=history)]
    finding = one(rate_iccf(players, [game("a", "b")]), "iccf.history-missing", Severity.ERROR)
    assert finding.where.player == "b"
    assert finding.where.path == "players[1]"
    assert "5 rated games" in finding.message
    assert "3 of them" in finding.message
    assert "item 15" in finding.message
    assert "history" in finding.remedy


def test_history_is_not_missing_without_a_game_or_from_30_on(rate_iccf: RateIccf) -> None:
    players = [rated("a", 2300), rated("b", 1900, 30), rated("c", 1900, 5)]
    assert codes(rate_iccf(players, [game("a", "b")])) == set()


@pytest.mark.parametrize(("colour", "game_of"), [("white", ("N", "a")), ("black", ("a", "N"))])
def test_no_level(colour: str, game_of: tuple[str, str], rate_iccf: RateIccf) -> None:
    games = [game("a", "b", round=1), game(*game_of, round=2)]
    rating = rate_iccf([rated("a", 2300), rated("b", 2200), {"id": "N"}], games)
    finding = one(rating, "iccf.no-level", Severity.ERROR)
    assert (finding.where.player, finding.where.round) == ("N", 2)
    assert finding.where.path == "games[1]"
    assert "item 11" in finding.message
    assert f"{colour}_rating" in finding.remedy


def test_a_level_of_the_game_is_enough(rate_iccf: RateIccf) -> None:
    players = [rated("a", 2300), {"id": "N"}]
    assert codes(rate_iccf(players, [game("N", "a", white_rating=1800)])) == set()


def test_games_that_are_not_rated_need_no_level(rate_iccf: RateIccf) -> None:
    players = [rated("a", 2300), {"id": "N"}]
    assert codes(rate_iccf(players, [game("N", "a", status="cancelled")])) == set()


@pytest.mark.parametrize("category", [None, "wc_final", "wc_preliminary", "thematic", "national"])
def test_kinds_of_tournament_without_a_level(category: str | None, rate_iccf: RateIccf) -> None:
    rating = rate_iccf([{"id": "N"}, {"id": "M"}], [game("N", "M")], category=category)
    assert codes(rating) == {"iccf.no-level"}
    assert rating.findings.refused


def test_games_unknown(rate_iccf: RateIccf) -> None:
    players = [rated("a", 2300), rated("b", 1900, None), rated("c", 1950, None)]
    rating = rate_iccf(players, [game("a", "b"), game("b", "c")])
    finding = one(rating, "iccf.games-unknown", Severity.WARNING)
    assert finding.where.player == "b"
    assert finding.where.path == "players[1]"
    assert "2 players" in finding.message
    assert "--players" in finding.remedy
    # They are rated as fixed, with the greatest k.
    row = next(rated_row.row for rated_row in rating.rows if rated_row.row.id == "c")
    # −50 against 1900 → .57: −.07 · 25.
    assert row.exact == pytest.approx(1950 - 0.07 * 25)


def test_reported_late(rate_iccf: RateIccf) -> None:
    games = [
        game("a", "b", round=1, reported="2011-02-28"),
        game("a", "c", round=2, reported="2011-03-01"),
        game("b", "c", round=3, reported="2011-06-01"),
    ]
    players = [rated("a", 2300), rated("b", 2250), rated("c", 2200)]
    rating = rate_iccf(players, games, start="2010-12-01", end="2011-02-28")
    finding = one(rating, "iccf.reported-late", Severity.WARNING)
    assert (finding.where.player, finding.where.round) == ("a", 2)
    assert finding.where.path == "games[1]"
    assert "2011-02-28" in finding.message
    assert "2 in all" in finding.message
    assert "between a and c" in finding.message
    assert "list 2011/3" in finding.message
    assert "next period" in finding.remedy
    assert {r.row.id: r.row.games for r in rating.rows} == {"a": 1, "b": 1, "c": 0}


@pytest.mark.parametrize("early", [1, 2])
def test_reported_early(early: int, rate_iccf: RateIccf) -> None:
    """List 2011/2 takes the reports from 1 December 2010 on; the day before was for 2011/1."""
    days = ("2010-12-01", "2010-11-30", "2010-11-29" if early == 2 else "2011-02-28")
    pairs = (("b", "c"), ("a", "c"), ("a", "b"))
    games = [
        game(*pair, round=number, reported=day)
        for number, (pair, day) in enumerate(zip(pairs, days, strict=True), 1)
    ]
    players = [rated("a", 2300), rated("b", 2250), rated("c", 2200)]
    rating = rate_iccf(players, games, start="2010-12-01", end="2011-02-28")
    finding = one(rating, "iccf.reported-early", Severity.INFO)
    assert (finding.where.player, finding.where.round) == ("a", 2)
    assert finding.where.path == "games[1]"
    assert "before 2010-12-01" in finding.message
    assert f"{early} in all, the first between a and c" in finding.message
    assert codes(rating) == {"iccf.list", "iccf.reported-early"}
    assert {r.row.id: r.row.games for r in rating.rows} == {"a": 2, "b": 2, "c": 2}


def test_list(rate_iccf: RateIccf) -> None:
    players = [rated("a", 2300), rated("b", 2250)]
    rating = rate_iccf(players, [game("a", "b")], start="2010-12-01", end="2011-02-28")
    (finding,) = rating.findings
    assert (finding.code, finding.severity) == ("iccf.list", Severity.INFO)
    for part in ("2011/2", "2011-04-01", "2011-06-30", "2010-12-01", "2011-02-28"):
        assert part in finding.message


def test_list_from_the_reports(rate_iccf: RateIccf) -> None:
    players = [rated("a", 2300), rated("b", 2250)]
    games = [game("a", "b", reported="2011-02-01"), game("a", "b", reported="2011-02-20")]
    (finding,) = rate_iccf(players, games).findings
    assert finding.code == "iccf.list"
    assert "2011/2" in finding.message


def test_the_last_report_says_the_list(rate_iccf: RateIccf) -> None:
    """List 2011/2 takes reports from 1 December 2010 on: the first of these came for 2011/1."""
    players = [rated("a", 2300), rated("b", 2250)]
    games = [game("a", "b", reported="2010-11-20"), game("a", "b", reported="2011-02-20")]
    taken, early = rate_iccf(players, games).findings
    assert (taken.code, early.code) == ("iccf.list", "iccf.reported-early")
    assert "2011/2" in taken.message
    assert "before 2010-12-01" in early.message


def test_rating_not_whole(rate_iccf: RateIccf) -> None:
    players = [rated("a", 2300), rated("b", 2250.5)]
    finding = one(rate_iccf(players, [game("a", "b")]), "rating.not-whole", Severity.ERROR)
    assert finding.where.player == "b"
    assert finding.where.path == "players[1]"
    assert "2250.5" in finding.message


def near_one(rate_iccf: RateIccf, games: list[Json]) -> Rating:
    return rate_iccf([rated("a", 1800, 300), {"id": "N"}], games, category="open_class")


def test_near_one(rate_iccf: RateIccf) -> None:
    rating = near_one(rate_iccf, [game("N", "a", "1-0")] * 34)
    finding = one(rating, "iccf.near-one", Severity.INFO)
    assert finding.where.player == "N"
    assert finding.where.path == "players[1]"
    assert "34 of 34" in finding.message
    assert "A8" in finding.remedy


def test_near_one_only_from_34_games(rate_iccf: RateIccf) -> None:
    assert codes(near_one(rate_iccf, [game("N", "a", "1-0")] * 33)) == set()


def test_near_one_where_less_earns_more(rate_iccf: RateIccf) -> None:
    # Reading A8 itself: 33½/34 is .985 → .99 and earns 13.4 points more than 34/34.
    rating = near_one(rate_iccf, [game("N", "a", "1-0")] * 33 + [game("N", "a")])
    assert next(r.row.exact for r in rating.rows if r.row.id == "N") == 1800 + 351.9046
    assert codes(rating) == {"iccf.near-one"}


# Item 11: how categories are written, and which value rules.


@pytest.mark.parametrize("level", LEVELS)
def test_every_kind_has_its_level(level: int) -> None:
    for kind in LEVELS[level]:
        assert kind in CATEGORIES
        assert tournament_level(kind, None).level == level
        assert tournament_level(f"{kind.replace('_', ' ').title()}s", None).level == level


def test_a_national_tournament_without_rated_players_takes_the_announced_value() -> None:
    # Reading A24: "require an explicit value per tournament".
    assert tournament_level("national", None).level == 0
    assert tournament_level("national", 1900).level == 1900


def test_the_announced_value_of_a_national_tournament_end_to_end(rate_iccf: RateIccf) -> None:
    players = [{"id": "N"}, {"id": "M"}]
    rating = rate_iccf(players, [game("N", "M", "1-0")], category="national", level=1900)
    assert codes(rating) == set()
    assert {r.row.id: r.row.exact for r in rating.rows} == {"N": 2238.5, "M": 1561.5}


# No game is lost, and no number cut, without a word.


def test_a_replaced_player_without_rating_needs_a_level(rate_iccf: RateIccf) -> None:
    # Item 18b compares the two ratings; without a level the game counts for nobody.
    players = [{"id": "N"}, rated("s", 2300), rated("x", 2250)]
    rating = rate_iccf(players, [game("s", "x", white_for="N")])
    assert codes(rating) == {"iccf.no-level"}
    assert "white_rating" in one(rating, "iccf.no-level", Severity.ERROR).remedy


def test_nobody_replaces_himself(rate_iccf: RateIccf) -> None:
    rating = rate_iccf([rated("a", 2300), rated("b", 2250)], [game("a", "b", white_for="a")])
    counted = sum(r.row.games for r in rating.rows)
    assert counted == 2 or codes(rating), "the game is lost for a, and nothing is said"


@pytest.mark.parametrize(("colour", "named"), [("white", 2299.9), ("black", 2250.5)])
def test_ratings_of_a_game_are_whole(colour: str, named: float, rate_iccf: RateIccf) -> None:
    # Reading A5: published ratings are whole; 2299.9 is not to be read as 2299.
    played = {**game("a", "b"), f"{colour}_rating": named}
    rating = rate_iccf([rated("a", 2300), rated("b", 2250)], [played])
    assert codes(rating) == {"rating.not-whole"}


def test_a_level_is_rounded_or_refused(rate_iccf: RateIccf) -> None:
    # Reading A5: "round assumed averages (11) to whole numbers too"; 2199.9 is not 2199.
    players = [{"id": "N"}, rated("a", 2250)]
    rating = rate_iccf(players, [game("N", "a")], category="jubilee", level=2199.9)
    assumed = [side.own for r in rating.rows for side in r.row.history]
    assert assumed == [2200] or rating.findings.refused


def test_ratings_of_a_history_are_whole(rate_iccf: RateIccf) -> None:
    history = [{"own": 2000, "opponent": 1999.9, "score": 1}]
    players = [rated("b", 2000, 1, history=history), rated("a", 2250)]
    assert codes(rate_iccf(players, [game("a", "b")])) == {"rating.not-whole"}


def test_a_server_game_is_reported_when_it_ends(rate_iccf: RateIccf) -> None:
    # Reading A18: without a date of report the end of the game is that date.
    players = [rated("a", 2300), rated("b", 2250)]
    games = [game("a", "b", end="2011-02-28"), game("a", "b", end="2011-03-10")]
    rating = rate_iccf(players, games, start="2010-12-01", end="2011-02-28")
    assert codes(rating) == {"game.outside-event", "iccf.list", "iccf.reported-late"}
    assert {r.row.id: r.row.games for r in rating.rows} == {"a": 1, "b": 1}


def test_a_game_is_named_as_the_replaced_player_had_it(rate_iccf: RateIccf) -> None:
    players = [rated("o", 2200), rated("s", 2300), rated("x", 2250)]
    rating = rate_iccf(players, [game("s", "x", white_for="o")])
    titles = {r.row.id: {step.game for step in r.explanation if step.game} for r in rating.rows}
    assert all("against x" in title for title in titles["s"])
    # He had White, and his opponent was x, not his own substitute.
    assert all("white" in title and "against x" in title for title in titles["o"])


def test_the_explanation_says_where_an_assumed_rating_comes_from(rate_iccf: RateIccf) -> None:
    rating = rate_iccf([{"id": "N"}, rated("a", 2250)], [game("N", "a")], category="open_class")
    for row in rating.rows:
        assert "11" in {step.paragraph for step in row.explanation}, row.row.id


BEFORE, OF_NOW = "2009-12-31", "2010-01-01"
"""The list of April 2010 takes what ends in February; before it that of January is in force."""


def begun(white: str, black: str, start: str, **more: Any) -> Json:
    return game(white, black, start=start, end="2010-02-10", **more)


def test_games_that_began_under_an_earlier_list(rate_iccf: RateIccf) -> None:
    """Item 8 takes the ratings of when a game began; the report has those of now."""
    players = [rated("a", 2300), rated("b", 2250), rated("c", 2200)]
    games = [begun("a", "b", OF_NOW), begun("b", "c", BEFORE), begun("c", "a", BEFORE),
             begun("c", "a", BEFORE, status="cancelled")]  # fmt: skip
    finding = one(rate_iccf(players, games), "iccf.earlier-list", Severity.WARNING)
    assert "2 in all" in finding.message
    assert "before 2010-01-01" in finding.message
    assert finding.where.player == "b"
    assert "history" in finding.remedy
    assert "white_rating" in finding.remedy


@pytest.mark.parametrize(
    "named",
    [
        begun("a", "b", BEFORE, white_rating=2280, black_rating=2250),
        begun("a", "N", BEFORE, white_rating=2280),
        game("a", "b", end="2010-02-10"),
    ],
)
def test_games_that_name_their_ratings_began_under_any(named: Json, rate_iccf: RateIccf) -> None:
    """Without a rating the level counts, whatever the list; without a day nobody knows it."""
    players = [rated("a", 2300), rated("b", 2250), {"id": "N"}]
    rating = rate_iccf(players, [named], category="open class")
    assert rating.rows
    assert "iccf.earlier-list" not in codes(rating)
