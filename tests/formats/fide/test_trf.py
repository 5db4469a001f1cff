"""TRF: real files with what is awkward about each, and every check on made ones."""

from __future__ import annotations

import csv
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratingbook.formats.fide.trf.read import looks_like_trf, read_trf
from ratingbook.formats.tools.text import decode
from ratingbook.model import (
    Entry,
    Findings,
    Game,
    GameStatus,
    Report,
    Result,
    Severity,
    Standing,
)
from tests.formats.fide.trf_files import SAMPLES, file, pair, player_line, read, sample
from tests.formats.helpers import (
    Edits,
    assert_sound,
    codes,
    damaged,
    edits,
    loaded_by,
    one,
    refusal,
    with_code,
)
from tests.machine import slowness

# --- Real files: what MANIFEST.csv says is awkward about each ---------------------------------


@pytest.mark.parametrize("name", SAMPLES)
def test_every_real_file_is_recognised_and_read_without_refusal(reference: Path, name: str) -> None:
    data = (reference / "samples" / "trf" / name).read_bytes()
    assert looks_like_trf(decode(data).lines)
    report, findings = read(data)
    assert not findings.refused
    # Every record in these files is described by the standard or by a pairing program.
    assert not with_code(findings, "trf.unknown-record")
    assert len(report.entries) == len(re.findall(rb"(?m)^001 ", data))
    assert all(finding.remedy for finding in findings)


def manifest(reference: Path) -> Iterator[tuple[str, Counter[str]]]:
    with (reference / "samples" / "trf" / "MANIFEST.csv").open(encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            tally = {code: int(n) for code, n in re.findall("(.):([0-9]+)", row["result_codes"])}
            yield row["file"], Counter(tally)


def test_the_samples_are_those_of_the_manifest(reference: Path) -> None:
    assert {name for name, _ in manifest(reference)} == set(SAMPLES)


def sides(games: tuple[Game, ...], status: GameStatus) -> Counter[Result]:
    """How many sides of games with that status have each result; a bye has one side."""
    tally: Counter[Result] = Counter()
    for game in games:
        if game.status is status:
            tally[game.result] += 1 if game.black is None else 2
    return tally


@pytest.mark.parametrize("name", SAMPLES)
def test_the_tallies_of_result_codes(reference: Path, name: str) -> None:
    written = dict(manifest(reference))[name]
    report, _ = sample(reference, name)
    played = sides(report.games, GameStatus.PLAYED)
    forfeits = sides(report.games, GameStatus.FORFEIT)
    byes = sides(report.games, GameStatus.BYE)
    decided = played[Result.WHITE_WINS] + played[Result.BLACK_WINS]
    assert decided == written["1"] + written["0"]
    assert played[Result.DRAW] == written["="]
    wins_by_default = (forfeits[Result.WHITE_WINS] + forfeits[Result.BLACK_WINS]) // 2
    full_points = byes[Result.WHITE_WINS]
    assert wins_by_default + full_points == written["+"] + written["U"] + written["F"]
    assert byes[Result.DRAW] == written["H"]


def test_late_entries(reference: Path) -> None:
    report, findings = sample(reference, "burstein_late_entries.trf")
    late = {str(rank) for rank in range(8, 14)}
    assert late <= {entry.id for entry in report.entries}
    assert not any(late & {game.white, game.black} for game in report.games)
    assert all(entry.standing is None for entry in report.entries)
    assert "start and the end" in one(findings, "event.no-dates", Severity.WARNING).message


def test_trf26_team_event(reference: Path) -> None:
    report, findings = sample(reference, "example_trf26.trf")
    assert report.event.kind == "team"
    assert report.event.federation == "FID"
    assert (report.event.start, report.event.end) == (date(2024, 1, 1), date(2024, 1, 14))
    # Records 122 and 222 say the same: the words stay.
    assert report.event.time_control == "100'x40+15'+30\""
    left_out = one(findings, "trf.unneeded", Severity.INFO).message
    assert all(tag in left_out for tag in "240 250 260 299 300 320 330 801 802".split())
    assert not codes(findings, Severity.WARNING)
    assert {game.start for game in report.games if game.round == 2} == {date(2024, 1, 2)}


def test_trf26_byes_forfeits_and_national_ratings(reference: Path) -> None:
    report, findings = sample(reference, "trf-import-test.trf")
    byes = {
        (game.white, game.round): game.result
        for game in report.games
        if game.status is GameStatus.BYE
    }
    # Record 240 of the file repeats its half-point byes: rounds 2 and 3, players 4 and 9.
    assert byes[("4", 2)] is Result.DRAW
    assert byes[("9", 3)] is Result.DRAW
    assert byes[("12", 2)] is Result.WHITE_WINS
    # The national rating of player 1 (2200) does not replace the one of his own line.
    assert report.entry("1").standing == Standing(rating=2840)
    assert report.entry("1").name == "Tamm98, Hans"
    assert report.event.kind == "swiss"
    assert report.entry("1").foreign == {"national": 2200}
    assert report.entry("1").ids == {"fide": "3670486", "national": "D50113"}
    left_out = one(findings, "trf.unneeded", Severity.INFO).message
    assert "national class and origin" in left_out
    assert report.event.rounds == 5


def test_unfinished_rounds_of_a_team_event(reference: Path) -> None:
    report, findings = sample(reference, "trf-team-import-test.trf")
    open_games = [game for game in report.games if game.result is Result.NONE]
    assert len(open_games) == 6  # Twelve lines of the file end with a colour and no result.
    assert {game.round for game in open_games} == {2}
    assert report.event.kind == "team"
    assert not with_code(findings, "trf.points")


def test_many_forfeits(reference: Path) -> None:
    report, findings = sample(reference, "issue_15.trf")
    forfeits = [game for game in report.games if game.status is GameStatus.FORFEIT]
    double = [game for game in forfeits if game.result is Result.NONE]
    # 84 codes "+" and 88 codes "-": 84 wins by default and two games that both lost.
    assert (len(forfeits), len(double)) == (86, 2)
    assert not any(game.white_rated or game.black_rated for game in forfeits)
    assert not with_code(findings, "trf.points")


def test_year_only_birth_dates_and_a_foreign_order_of_dates(reference: Path) -> None:
    report, findings = sample(reference, "javafo_sample2.trf")
    assert all(entry.birth_date is None for entry in report.entries)
    # Fifty-one of the 52 players have a year; one field is blank.
    assert sum(entry.birth_year is not None for entry in report.entries) == 51
    assert report.entry("1").birth_year == 1978
    assert not with_code(findings, "trf.birth-date")
    assert (report.event.start, report.event.end) == (date(2010, 9, 24), date(2010, 10, 2))
    assert "2010-09-24" in one(findings, "event.dates", Severity.INFO).message
    # The header declares 41 rated players, so a rating 0 is none.
    assert sum(entry.standing is not None for entry in report.entries) == 41
    assert not with_code(findings, "trf.counts")


def test_fields_out_of_their_columns(reference: Path) -> None:
    report, findings = sample(reference, "trf26_team.trf")
    first, second = report.entries
    assert first.name == "Ivarsson58, Eva"
    assert first.standing == Standing(rating=2851)
    assert (first.federation, first.birth_date) == ("RUS", date(1963, 4, 13))
    assert second.standing == Standing(rating=2735)
    assert "Ivarsson58" in one(findings, "trf.columns", Severity.WARNING).message
    # One game was played; the declared points are those of a whole event.
    one(findings, "trf.points", Severity.WARNING)
    (game,) = report.games
    assert (game.white, game.black, game.result) == ("1", "2", Result.WHITE_WINS)


def test_team_league_with_rulers_and_blank_rounds(reference: Path) -> None:
    report, findings = sample(reference, "armstrong_2011.tab")
    assert report.event.kind == "team"
    # The two-digit years only fit the eleven dates of the rounds in one way.
    assert (report.event.start, report.event.end) == (date(2010, 9, 13), date(2011, 3, 13))
    assert {game.start for game in report.games if game.round == 2} == {date(2010, 9, 25)}
    one(findings, "event.dates", Severity.INFO)
    assert report.event.place == "Sample City"  # "022Sample City", glued
    assert not [game for game in report.games if game.round == 3 and game.white == "1"]
    assert not codes(findings, Severity.WARNING)


def test_byte_order_mark_and_ruler(reference: Path) -> None:
    report, findings = sample(reference, "armstrong_2012_with_bom.tab")
    assert report.event.name == "Leinster Chess Union Div 1 Armstrong Cup 2011 - 2012"
    assert (report.event.start, report.event.end) == (date(2011, 9, 26), date(2012, 4, 1))
    assert [entry.name for entry in report.entries] == ["Eriksen28, Dan", "Brandt46, Xenia"]
    assert not codes(findings, Severity.WARNING)


def test_club_codes_and_colourless_byes(reference: Path) -> None:
    report, findings = sample(reference, "bunratty_masters_2011.tab")
    clubs = one(findings, "trf.federation", Severity.INFO).message
    assert "KIL (4×)" in clubs
    assert report.entry("17").federation is None  # C.C
    assert report.entry("1").federation == "ENG"
    assert {entry.sex for entry in report.entries} == {"m", "w"}
    assert report.entry("26").sex == "w"  # FWFM
    # Rounds are written year.day.month, the event day.month.year.
    dates = {game.round: game.start for game in report.games}
    assert dates == {
        1: date(2011, 2, 25),
        2: date(2011, 2, 26),
        3: date(2011, 2, 26),
        4: date(2011, 2, 26),
        5: date(2011, 2, 27),
        6: date(2011, 2, 27),
    }
    # Some of the byes that are mere dashes brought half a point.
    assert "16 Arslan18" in one(findings, "trf.points", Severity.WARNING).message


def test_local_numbers_old_ratings_and_empty_birth_dates(reference: Path) -> None:
    report, findings = sample(reference, "irish_intermediate_champs_2011.tab")
    assert report.entry("20").standing == Standing(rating=951)
    assert report.entry("21").standing == Standing(rating=471)
    assert report.entry("17").standing is None
    assert report.entry("17").birth_date is None
    assert not with_code(findings, "trf.birth-date")  # "    .  .  " is blank, not wrong
    assert report.entry("1").birth_date == date(1965, 1, 1)
    assert one(findings, "text.encoding", Severity.INFO).where.line == 34
    assert report.entry("20").name == "Ivarssoníá58, Mia"
    # A bye without code stands behind half a point of player 15.
    assert "15 Castell39" in one(findings, "trf.points", Severity.WARNING).message
    assert not with_code(findings, "trf.columns")


def test_latin_1_without_points_and_ranks(reference: Path) -> None:
    report, findings = sample(reference, "latin-1.tab")
    assert report.entry("1").name == "Eriksenìè86,Zoe"
    assert [(g.round, g.white, g.black) for g in report.games] == [
        (1, "2", "1"),
        (2, "1", "3"),
        (3, "3", "2"),
    ]
    assert (report.event.start, report.event.end) == (date(2008, 6, 7), None)
    assert "end" in one(findings, "event.no-dates", Severity.WARNING).message


@pytest.mark.parametrize(
    ("name", "day"), [("2020_06.trf", date(2020, 5, 29)), ("2021_03.trf", date(2020, 6, 26))]
)
def test_exports_without_ranks_ids_and_ratings(reference: Path, name: str, day: date) -> None:
    report, findings = sample(reference, name)
    assert (report.event.start, report.event.end) == (day, day)  # "May 29, 2020"
    one(findings, "event.dates", Severity.INFO)
    assert all(entry.standing is None for entry in report.entries)
    assert "Lichess" in one(findings, "trf.federation", Severity.INFO).message
    assert not codes(findings, Severity.WARNING)  # The points add up with blank opponents too.


def test_a_german_open_of_2005(reference: Path) -> None:
    report, findings = sample(reference, "example1.trf")
    assert (report.event.start, report.event.end) == (date(2005, 7, 28), date(2005, 7, 31))
    assert report.entry("1").birth_date == date(1969, 1, 1)
    # Record 072 of the file counts 146 rated players.
    assert sum(entry.standing is not None for entry in report.entries) == 146
    # Player 13 lost by default to 153; neither line has a colour.
    (game,) = [g for g in report.games if "13" in (g.white, g.black)]
    assert (game.white, game.black, game.status) == ("13", "153", GameStatus.FORFEIT)
    assert game.result is Result.BLACK_WINS
    assert not codes(findings, Severity.WARNING)


# --- The player's line ------------------------------------------------------------------------


def entry(line: str) -> tuple[Entry, Findings]:
    report, findings = read(file(line))
    return report.entries[0], findings


def test_a_line_in_its_columns() -> None:
    found, findings = entry(
        player_line(7, name="Doe, Jo", rating="2010", sex="w", title="WFM", birth="1990/05/17")
    )
    assert (found.id, found.name, found.sex, found.federation) == ("7", "Doe, Jo", "w", "GER")
    assert (found.standing, found.birth_date) == (Standing(rating=2010), date(1990, 5, 17))
    assert (found.place.line, found.place.player) == (3, "7")
    assert not with_code(findings, "trf.columns")


@pytest.mark.parametrize(
    ("rating", "standing"),
    [("", None), ("0", None), ("0951", Standing(rating=951)), ("950", Standing(rating=950))],
)
def test_ratings(rating: str, standing: Standing | None) -> None:
    found, findings = entry(player_line(1, rating=rating))
    assert found.standing == standing
    assert not findings.refused


@pytest.mark.parametrize("rating", ["-100", "abcd", "abc", "18P", "1 80", "1.5", "²³¹"])
def test_nonsense_ratings_refuse_the_report(rating: str) -> None:
    _, findings = entry(player_line(4, rating=rating))
    finding = one(findings, "trf.rating", Severity.ERROR)
    assert (finding.where.line, finding.where.player) == (3, "4")


@pytest.mark.parametrize(
    ("written", "sex"), [("m", "m"), ("M", "m"), ("w", "w"), ("W", "w"), ("F", "w"), ("", None)]
)
def test_sex(written: str, sex: str | None) -> None:
    found, findings = entry(player_line(1, sex=written))
    assert found.sex == sex
    assert not with_code(findings, "trf.sex")


def test_an_unknown_sex_is_named() -> None:
    found, findings = entry(player_line(1, sex="x"))
    assert found.sex is None
    one(findings, "trf.sex", Severity.INFO)


@pytest.mark.parametrize(
    ("written", "day", "year", "clear"),
    [
        ("1969.12.06", date(1969, 12, 6), None, True),
        ("26.12.1969", date(1969, 12, 26), None, True),
        ("06.12.1969", None, 1969, False),
        ("06.12.69", None, None, False),
        ("26.12.69", None, None, False),
        ("26.12.0069", None, None, False),
        ("1990/00/00", None, 1990, True),
        ("1990/  /  ", None, 1990, True),
        ("1978", None, 1978, True),
        ("1234", None, None, False),
        ("    .  .  ", None, None, True),
        ("0000/00/00", None, None, True),
    ],
)
def test_birth_dates(written: str, day: date | None, year: int | None, clear: bool) -> None:
    found, findings = entry(player_line(1, birth=written))
    assert (found.birth_date, found.birth_year) == (day, year)
    noted = with_code(findings, "trf.birth-date")
    assert bool(noted) != clear
    # Birth dates never reach a public page, so no finding repeats one.
    assert not any(written in finding.message for finding in noted)


@pytest.mark.parametrize("drift", [-3, -2, -1, 1, 2, 3])
def test_a_whole_line_that_moved(drift: int) -> None:
    straight = player_line(1, "2 w 1", "2 b =", name="Doe, Jo", birth="1990/05/17", points="1.5")
    moved = (
        straight[:30] + " " * drift + straight[30:]
        if drift > 0
        else straight[:30] + straight[30 - drift :]
    )
    report, findings = read(file(moved, player_line(2, "1 b 0", "1 w =")))
    found = report.entries[0]
    assert (found.name, found.standing) == ("Doe, Jo", Standing(rating=1800))
    assert (found.federation, found.birth_date) == ("GER", date(1990, 5, 17))
    assert [game.result for game in report.games] == [Result.WHITE_WINS, Result.DRAW]
    one(findings, "trf.columns", Severity.WARNING)
    assert not findings.refused


def test_single_results_that_moved_are_read_in_their_round() -> None:
    line = player_line(1, "2 w 1 ", "", "3 w 0")
    report, findings = read(file(line, player_line(2, "1 b 0"), player_line(3, "", "", "1 b 1")))
    assert [(game.round, game.white, game.black) for game in report.games] == [
        (1, "1", "2"),
        (3, "1", "3"),
    ]
    one(findings, "trf.columns", Severity.WARNING)


def test_a_name_glued_to_the_rating() -> None:
    long_name = "Wolfeschlegelsteinhausenberger, Jo"
    line = player_line(1, name=long_name[:33]).replace(long_name[:33] + " ", long_name)
    found, findings = entry(line)
    assert (found.name, found.standing) == (long_name, Standing(rating=1800))
    one(findings, "trf.columns", Severity.WARNING)


def test_results_that_cannot_be_told_apart_refuse_the_report() -> None:
    _, findings = read(file(player_line(1, "2 w 1") + " 3b0-", player_line(2, "1 b 0")))
    finding = one(findings, "trf.cells", Severity.ERROR)
    assert (finding.where.line, finding.where.player) == (3, "1")
    # The opponents are not blamed for it.
    assert not with_code(findings, "game.mirror")


def test_a_line_with_more_rounds_than_any_event_refuses_the_report() -> None:
    _, findings = read(file(player_line(1, *["2 w 1"] * 401), player_line(2)))
    assert one(findings, "trf.cells", Severity.ERROR).where.player == "1"


def test_an_unknown_result_refuses_the_report() -> None:
    _, findings = read(file(player_line(1, "2 w X"), player_line(2, "1 b 0")))
    finding = one(findings, "trf.result", Severity.ERROR)
    assert (finding.where.line, finding.where.column, finding.where.round) == (3, 99, 1)


def test_results_in_small_letters() -> None:
    report, findings = read(file(player_line(1, "0000 - h"), player_line(2, "0000 - u")))
    assert [game.result for game in report.games] == [Result.DRAW, Result.WHITE_WINS]
    assert not findings.refused


def test_duplicate_and_missing_starting_ranks() -> None:
    _, findings = read(file(player_line(1, name="A"), player_line(1, name="B"), player_line("")))
    assert "1 A (line 3) and 1 B (line 4)" in one(findings, "trf.duplicate", Severity.ERROR).message
    assert one(findings, "trf.start-rank", Severity.ERROR).where.line == 5


def test_a_missing_name() -> None:
    _, findings = entry(player_line(1, name=""))
    one(findings, "trf.name", Severity.WARNING)


# --- The two sides of a game ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("white", "black", "result"),
    [
        ("2 w 1", "1 b 0", Result.WHITE_WINS),
        ("2 w 0", "1 b 1", Result.BLACK_WINS),
        ("2 w =", "1 b =", Result.DRAW),
    ],
)
def test_played_games(white: str, black: str, result: Result) -> None:
    report, findings = pair(white, black)
    (game,) = report.games
    assert (game.white, game.black, game.round) == ("1", "2", 1)
    assert (game.result, game.status) == (result, GameStatus.PLAYED)
    assert game.white_rated
    assert game.black_rated
    assert (game.place.line, game.place.column, game.place.round) == (3, 99, 1)
    assert not codes(findings, Severity.ERROR, Severity.WARNING)


def test_white_is_who_had_white() -> None:
    report, _ = pair("2 b 0", "1 w 1")
    (game,) = report.games
    assert (game.white, game.black, game.result) == ("2", "1", Result.WHITE_WINS)


@pytest.mark.parametrize(
    ("white", "black", "result"),
    [
        ("2 w W", "1 b L", Result.WHITE_WINS),
        ("2 w L", "1 b W", Result.BLACK_WINS),
        ("2 w D", "1 b D", Result.DRAW),
    ],
)
def test_games_under_one_move_are_played_but_not_rated(
    white: str, black: str, result: Result
) -> None:
    report, findings = pair(white, black)
    (game,) = report.games
    assert (game.result, game.status) == (result, GameStatus.PLAYED)
    assert not game.white_rated
    assert not game.black_rated
    assert not findings.refused


@pytest.mark.parametrize(
    ("white", "black", "result"),
    [
        ("2 w +", "1 b -", Result.WHITE_WINS),
        ("2 - -", "1 - +", Result.BLACK_WINS),
        ("2 w -", "1 b -", Result.NONE),
    ],
)
def test_forfeits(white: str, black: str, result: Result) -> None:
    report, findings = pair(white, black)
    (game,) = report.games
    assert (game.white, game.black, game.result) == ("1", "2", result)
    assert game.status is GameStatus.FORFEIT
    assert not game.white_rated
    assert not game.black_rated
    assert not codes(findings, Severity.ERROR, Severity.WARNING)


@pytest.mark.parametrize(
    ("cell", "result"),
    [
        ("0000 - U", Result.WHITE_WINS),
        ("0000 - F", Result.WHITE_WINS),
        ("0000 - +", Result.WHITE_WINS),
        ("U", Result.WHITE_WINS),
        ("0000 - H", Result.DRAW),
        ("0000 - =", Result.DRAW),
        ("H", Result.DRAW),
    ],
)
def test_byes_with_points(cell: str, result: Result) -> None:
    report, findings = read(file(player_line(5, cell)))
    (game,) = report.games
    assert (game.white, game.black) == ("5", None)
    assert (game.result, game.status) == (result, GameStatus.BYE)
    assert not game.white_rated
    assert not game.black_rated
    assert not with_code(findings, "trf.bye")


@pytest.mark.parametrize("cell", ["", "0000 - Z", "0000 - -", "0000 -  ", "-  ", "-", "0000    "])
def test_rounds_without_anything(cell: str) -> None:
    report, findings = read(file(player_line(1, cell), player_line(2)))
    assert report.games == ()
    assert not findings.refused


@pytest.mark.parametrize("cell", ["0000 - 1", "0000 - 0", "2 w H"])
def test_odd_byes_are_named(cell: str) -> None:
    report, findings = read(file(player_line(1, cell), player_line(2)))
    assert all(game.status is GameStatus.BYE for game in report.games)
    one(findings, "trf.bye", Severity.WARNING)


def test_a_played_result_without_opponent_refuses_the_report() -> None:
    _, findings = read(file(player_line(1, "0000 w 1"), player_line(2)))
    one(findings, "game.opponent", Severity.ERROR)


def test_an_opponent_without_line_refuses_the_report() -> None:
    _, findings = read(file(player_line(1, "", "17 w 1"), player_line(2)))
    finding = one(findings, "game.opponent", Severity.ERROR)
    assert (finding.where.player, finding.where.round) == ("1", 2)
    assert "17" in finding.message


def test_who_meets_himself_refuses_the_report() -> None:
    report, findings = read(file(player_line(1, "1 w 1"), player_line(2)))
    assert report.games == ()
    one(findings, "game.self", Severity.ERROR)


@pytest.mark.parametrize(
    ("white", "black"),
    [
        ("2 w 1", "1 b 1"),
        ("2 w 0", "1 b 0"),
        ("2 w =", "1 b 1"),
        ("2 w 1", "1 b  "),
        ("2 w 1", "1 b -"),
        ("2 w 1", "1 b L"),
    ],
)
def test_contradictions_about_rated_games_refuse_the_report(white: str, black: str) -> None:
    _, findings = pair(white, black)
    finding = one(findings, "game.contradiction", Severity.ERROR)
    assert all(text in finding.message for text in ("line 3", "line 4", "round 1"))
    assert "0000 - Z in both" in finding.remedy
    report, findings = pair("0000 - Z", "0000 - Z")
    assert not findings.refused
    assert not any(game.black for game in report.games)


@pytest.mark.parametrize(("white", "black"), [("2 w +", "1 b +"), ("2 w W", "1 b -")])
def test_contradictions_about_unrated_games_are_warnings(white: str, black: str) -> None:
    report, findings = pair(white, black)
    one(findings, "game.contradiction", Severity.WARNING)
    assert not any(game.white_rated or game.black_rated for game in report.games)


@pytest.mark.parametrize("black", ["", "0000 - U", "3 b 0"])
def test_a_played_game_in_one_line_only_refuses_the_report(black: str) -> None:
    _, findings = read(file(player_line(1, "2 w 1"), player_line(2, black), player_line(3)))
    first = with_code(findings, "game.mirror")[0]
    assert first.severity is Severity.ERROR
    assert all(text in first.message for text in ("line 3", "line 4", "round 1"))


def test_a_forfeit_without_losing_side_is_a_warning() -> None:
    report, findings = pair("2 w +", "")
    (game,) = report.games
    assert (game.status, game.result) == (GameStatus.FORFEIT, Result.WHITE_WINS)
    one(findings, "game.mirror", Severity.WARNING)
    assert not findings.refused


@pytest.mark.parametrize(
    ("low", "high", "white"),
    [
        ("2 w 1", "1 w 0", "1"),
        ("2   1", "1   0", "1"),
        ("2 - 1", "1 w 0", "2"),
        ("2 b 1", "1 - 0", "2"),
    ],
)
def test_missing_and_equal_colours(low: str, high: str, white: str) -> None:
    report, findings = pair(low, high)
    (game,) = report.games
    assert game.white == white
    winner = game.white if game.result is Result.WHITE_WINS else game.black
    assert winner == "1"
    one(findings, "game.colours", Severity.WARNING)


def test_games_without_result_are_open() -> None:
    report, findings = pair("2 w  ", "1 b  ")
    (game,) = report.games
    assert (game.result, game.status) == (Result.NONE, GameStatus.PLAYED)
    assert not findings.refused


def test_games_are_ordered_by_round_and_white() -> None:
    report, _ = read(
        file(
            player_line(1, "4 b =", "2 w 1"),
            player_line(2, "3 w 1", "1 b 0"),
            player_line(3, "2 b 0", "4 w ="),
            player_line(4, "1 w =", "3 b ="),
        )
    )
    assert [(g.round, g.white) for g in report.games] == [(1, "2"), (1, "4"), (2, "1"), (2, "3")]


# --- The header -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Individual: Swiss-System (Standard)", "swiss"),
        ("Schweizer System", "swiss"),
        ("Individual: Round-Robin", "round_robin"),
        ("Double Round Robin", "round_robin"),
        ("Team League", "team"),
        ("FIDE-TEAM-BAKU", "team"),
        ("Match", "match"),
    ],
)
def test_kinds_of_event(said: str, kind: str) -> None:
    report, findings = read(file(f"092 {said}", player_line(1)))
    assert report.event.kind == kind
    assert not with_code(findings, "event.kind")


def test_an_unknown_kind_is_named() -> None:
    report, findings = read(file("092 Monrad?", player_line(1)))
    assert report.event.kind is None
    assert "Monrad?" in one(findings, "event.kind", Severity.INFO).message


def test_the_pool_in_a_kind_is_found_in_a_line_of_blanks() -> None:
    def seconds(length: int) -> float:
        data = file(f"092 Monrad?{' ' * length}x (RAPID)", player_line(1))
        start = time.process_time()
        report, findings = read(data)
        assert report.event.pool == "rapid"
        assert "Monrad? x." in one(findings, "event.kind", Severity.INFO).message
        return time.process_time() - start

    # Sixteen times the blanks; where every one of them begins a search it is 256 times.
    assert seconds(32_000) < 64 * seconds(2_000)


@pytest.mark.parametrize("record", ["013 Town A   1", "310   1 Town A"])
def test_team_records_make_a_team_event(record: str) -> None:
    assert read(file(record, player_line(1)))[0].event.kind == "team"
    individual = file("092 Individual: Swiss-System", record, player_line(1))
    assert read(individual)[0].event.kind == "swiss"


def test_contents_glued_to_the_record_number() -> None:
    report, findings = read(
        file("012Open", "022Zürich", "032AUT", "112Chief Arbiter", player_line(1))
    )
    event = report.event
    assert (event.name, event.place, event.federation) == ("Open", "Zürich", "AUT")
    assert not with_code(findings, "trf.unknown-record")


def test_repeated_records() -> None:
    report, findings = read(file("012 Open", "012 Open", "012 Closed", player_line(1)))
    assert report.event.name == "Open"
    one(findings, "trf.repeated", Severity.INFO)


def test_unknown_records_are_never_dropped_in_silence() -> None:
    _, findings = read(file("777 What", "777 Ever", "Hello there", player_line(1)))
    found = with_code(findings, "trf.unknown-record")
    assert [finding.severity for finding in found] == [Severity.WARNING] * 2
    assert "777 (2 lines)" in found[0].message
    assert found[0].where.line == 3


def test_comments_rulers_and_arbiters_need_no_finding() -> None:
    _, findings = read(
        file(
            "### anything",
            "DDD SSSS sTTT NNNN RRRR FFF IIIIIIIIIII BBBB/BB/BB PPPP RRRR  1111 1 1",
            "         1         2         3",
            "1234567890123456789",
            "102 Arbiter",
            "112 Deputy",
            player_line(1, "2 w 1"),
            player_line(2, "1 b 0"),
        )
    )
    assert list(findings) == []


@pytest.mark.parametrize(
    ("start", "end"),
    [("06.03.2010", "17.03.2010"), ("Mar 6, 2010", "Mar 17, 2010"), ("10.03.06", "10.03.17")],
)
def test_dates_are_understood_together(start: str, end: str) -> None:
    report, findings = read(f"042 {start}\n052 {end}\n{player_line(1)}\n")
    assert (report.event.start, report.event.end) == (date(2010, 3, 6), date(2010, 3, 17))
    assert "2010-03-06 to 2010-03-17" in with_code(findings, "event.dates")[0].message


def test_doubtful_dates_are_a_warning_with_all_readings() -> None:
    _, findings = read(f"042 05/06/2020\n052 07/06/2020\n{player_line(1)}\n")
    finding = one(findings, "event.dates", Severity.WARNING)
    assert "2020-06-05" in finding.message
    assert "2020-05-06" in finding.message


@pytest.mark.parametrize(("start", "end"), [("soon", "2010/03/06"), ("2010/02/30", "-")])
def test_wrong_dates_are_a_warning(start: str, end: str) -> None:
    _, findings = read(f"042 {start}\n052 {end}\n{player_line(1)}\n")
    assert "event.dates" in codes(findings, Severity.WARNING)
    assert not findings.refused


def test_an_event_that_ends_before_it_starts_is_refused() -> None:
    _, findings = read(f"042 2010/03/08\n052 2010/03/06\n{player_line(1)}\n")
    one(findings, "event.dates", Severity.ERROR)
    assert findings.refused


@pytest.mark.parametrize(
    ("start", "end"), [("2024/03/01", "2024/13/04"), ("2024/13/05", "2024/14/05")]
)
def test_a_month_that_there_is_not_is_refused(start: str, end: str) -> None:
    report, findings = read(f"042 {start}\n052 {end}\n{player_line(1)}\n")
    found = with_code(findings, "event.dates")
    assert {each.severity for each in found} == {Severity.ERROR}
    assert end in found[0].message
    assert report.event.end is None


def test_round_dates_outside_of_the_event_are_left_out() -> None:
    rounds = f"132{'':88}10/03/06  10/04/01"
    report, findings = read(
        file(rounds, player_line(1, "2 w 1", "2 b 0"), player_line(2, "1 b 0", "1 w 1"))
    )
    assert [(game.start, game.end) for game in report.games] == [
        (date(2010, 3, 6), date(2010, 3, 6)),
        (None, None),
    ]
    assert one(findings, "trf.round-dates", Severity.WARNING).where.round == 2


def test_round_dates_that_follow_no_order_are_left_out() -> None:
    rounds = f"132{'':88}10/13/06  31/12/13"
    report, findings = read(file(rounds, player_line(1, "2 w 1"), player_line(2, "1 b 0")))
    assert report.games[0].start is None
    assert "(2 in all)" in one(findings, "trf.round-dates", Severity.WARNING).message


def test_a_team_event_with_blank_round_dates_keeps_their_columns() -> None:
    rounds = f"132{'':88}{'':10}10/03/07"
    report, _ = read(
        file(rounds, player_line(1, "2 w 1", "2 b 0"), player_line(2, "1 b 0", "1 w 1"))
    )
    assert [game.start for game in report.games] == [None, date(2010, 3, 7)]


# --- Points, counts, rounds -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "bye", "points"),
    [
        ("082 0", "H", "2.0"),
        ("082 0", "U", "2.5"),
        ("162  W 3.0    D 1.0    P 3.0", "U", "7.0"),
        ("162  W 3.0    D 1.0", "H", "5.0"),
        ("XXS W=3 D=1 PAB=3", "U", "7.0"),
        ("BBW  2.0", "F", "4.5"),
        ("BBU  0.5", "U", "2.0"),
    ],
)
def test_points_are_summed_by_the_declared_system(record: str, bye: str, points: str) -> None:
    _, findings = read(
        file(
            record,
            player_line(1, "2 w 1", "2 b =", f"0000 - {bye}", "2 w 0", points=points),
            player_line(2, "1 b 0", "1 w =", "", "1 b 1"),
        )
    )
    assert not with_code(findings, "trf.points")


def test_points_that_do_not_add_up() -> None:
    _, findings = read(file(player_line(1, "2 w 1", points="2.0"), player_line(2, "1 b 0")))
    finding = one(findings, "trf.points", Severity.WARNING)
    assert "2 declared, 1 counted" in finding.message


def test_counts_and_rounds_that_do_not_fit() -> None:
    _, findings = read(
        file(
            "062 3",
            "072 2",
            "XXR 1",
            player_line(1, "2 w 1", "2 b 1"),
            player_line(2, "1 b 0", "1 w 0"),
        )
    )
    assert "record 062" in one(findings, "trf.counts", Severity.INFO).message
    one(findings, "trf.rounds", Severity.WARNING)


# --- Whole files ------------------------------------------------------------------------------


def test_a_file_without_players_is_refused() -> None:
    refusal(read_trf(decode(b"012 Open\n042 2010/03/06\n")), "trf.no-players")


def test_a_list_of_entries_is_no_rating_report_yet() -> None:
    _, findings = read(file(player_line(1), player_line(2)))
    one(findings, "trf.no-games", Severity.WARNING)


@pytest.mark.parametrize(
    "text",
    [
        "; CL[A]\n102 Doe Jo 3k DE Town 12+/w0\n112 Roe Al 4k DE Town 9-/b0\n",
        '{"ratingbook": "report/1"}',
        "id,rating\n001,1800\n",
        "TOURNEY Spring Open\nPLAYERS\n",
    ],
)
def test_other_formats_are_not_taken_for_trf(text: str) -> None:
    assert not looks_like_trf(decode(text.encode()).lines)


def test_the_import_is_light() -> None:
    loaded = {name for name in loaded_by("ratingbook.formats.fide.trf") if "." not in name}
    outside = {m for m in loaded if not m.startswith("_")} - set(sys.stdlib_module_names)
    heavy = {"pandas", "numpy", "dateutil", "pyarrow", "django", "typer", "rich", "pydantic"}
    assert not heavy & outside


@pytest.mark.parametrize(
    "text",
    [
        "1234567890" * 9_000 + "x",
        "001    1" + " " * 90_000 + "x",
        "001    1" + " 1" * 40_000,
        "042 5" + " " * 90_000 + "6",
        "162 " + "A" * 90_000,
        "132" + " 1.1.1" * 10_000,
    ],
)
def test_hostile_lines_are_read_in_no_time(text: str) -> None:
    read_trf(decode("\n".join([text] * 5 + [player_line(1)]).encode()))


READING = 0.05
"""Seconds of the processor for 250 players and 11 rounds."""


def test_a_large_event_is_read_in_no_time() -> None:
    count, rounds = 250, 11
    lines = []
    for rank in range(1, count + 1):
        colour = "w" if rank % 2 else "b"
        cells = [f"{_opponent(rank, number, count)} {colour} =" for number in range(rounds)]
        number = str(4_600_000 + rank)
        points = str(rounds / 2)
        lines.append(player_line(rank, *cells, number=number, birth="1990/05/17", points=points))
    data = file(*lines).encode()
    taken = []
    for _ in range(5):
        begun = time.process_time()
        report, findings = read_trf(decode(data))
        taken.append(time.process_time() - begun)
        assert report is not None
        assert len(report.games) == count * rounds // 2
        assert not codes(findings, Severity.ERROR, Severity.WARNING)
    assert min(taken) <= READING * slowness(), taken


def _opponent(rank: int, number: int, count: int) -> int:
    """Odd numbers meet even ones, others in each round."""
    turn = 1 + 2 * number
    return (rank + (turn if rank % 2 else -turn) - 1) % count + 1


SMALL_SAMPLES = tuple(name for name in SAMPLES if not name.startswith(("example", "issue", "arm")))
EDITS = edits(b" ", b"\n", b"0", b"1 w 1", b"-", b"001 ", b"\xe4", b"2 b =  ", b"U")


def assert_sound_trf(report: Report | None, findings: Findings) -> None:
    """What holds of every answer of the reader."""
    assert_sound(report, findings)
    byes = [(g.round, g.white) for g in report.games if not g.black] if report else []
    assert len(set(byes)) == len(byes)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(name=st.sampled_from(SMALL_SAMPLES), changes=EDITS)
def test_damaged_files_are_read_or_refused(reference: Path, name: str, changes: Edits) -> None:
    data = (reference / "samples" / "trf" / name).read_bytes()
    assert_sound_trf(*read_trf(decode(damaged(data, changes))))


@settings(deadline=None)
@given(
    st.lists(
        st.text("01 -+=wbHUZ2./", max_size=40).map(lambda tail: f"001    1 {tail}")
        | st.text(max_size=120)
        | st.lists(st.text("0123 wb-+=1HUWDL", min_size=10, max_size=10), max_size=4).map(
            lambda cells: f"{player_line(2):91}{''.join(cells)}"
        ),
        max_size=8,
    )
)
def test_any_lines_are_read_or_refused(lines: list[str]) -> None:
    assert_sound_trf(*read_trf(decode("\n".join(lines).encode())))


def facts(report: Report) -> tuple[dict[str, Standing | None], set[tuple[object, ...]]]:
    """What the ratings depend on."""
    return (
        {entry.id: entry.standing for entry in report.entries},
        {(g.round, g.white, g.black, g.result, g.status, g.white_rated) for g in report.games},
    )


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(name=st.sampled_from(SMALL_SAMPLES), row=st.integers(0, 99), at=st.integers(14, 160))
def test_one_blank_too_many_or_too_few_never_changes_a_rating(
    reference: Path, name: str, row: int, at: int
) -> None:
    lines = (reference / "samples" / "trf" / name).read_bytes().split(b"\n")
    players = [number for number, line in enumerate(lines) if line.startswith(b"001 ")]
    number = players[row % len(players)]
    line = lines[number]
    intended = facts(read(b"\n".join(lines))[0])
    changes = [line[:at] + b" " + line[at:]]
    if line[at : at + 1] == b" ":
        changes.append(line[:at] + line[at + 1 :])
    for changed in changes:
        lines[number] = changed
        report, findings = read(b"\n".join(lines))
        assert findings.refused or facts(report) == intended


def places(*lines: str) -> list[int | None]:
    report, _ = read(file(*lines).encode())
    assert report is not None
    return [entry.rank for entry in report.entries]


def test_the_places_of_the_final_table():
    """Columns 86 to 89."""
    assert places(
        player_line(1, "   2 w 0", points="0.0", place="2"),
        player_line(2, "   1 b 1", points="1.0", place="1"),
    ) == [2, 1]


@pytest.mark.parametrize("place", ["", "0", "x"])
def test_a_table_without_all_places_has_none(place):
    assert places(
        player_line(1, "   2 w 0", points="0.0", place="2"),
        player_line(2, "   1 b 1", points="1.0", place=place),
    ) == [None, None]


def test_starting_ranks_in_place_of_places_are_no_final_table():
    assert places(
        player_line(1, "   2 w 0", points="0.0", place="1"),
        player_line(2, "   1 b 1", points="1.0", place="2"),
    ) == [None, None]
