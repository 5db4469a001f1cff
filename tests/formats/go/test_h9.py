"""h9: real files counted by hand, and every awkwardness of the format on made ones."""

from __future__ import annotations

import re
import time
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratingbook import formats
from ratingbook.formats.go import common
from ratingbook.formats.go.h9 import looks_like_h9, read_h9
from ratingbook.formats.go.h9.cells import is_certain, is_criterion, read_cell
from ratingbook.formats.tools.text import decode
from ratingbook.model import (
    Findings,
    Game,
    GameStatus,
    Report,
    Result,
    Severity,
)
from ratingbook.rules import registry
from tests.formats.helpers import (
    LATIN_9,
    Edits,
    assert_sound_go,
    codes,
    damaged,
    edits,
    loaded_by,
    one,
    reader_of,
    refusal,
    with_code,
)

SAMPLES = (
    "egc2009.h9",
    "hobby2015_macmahon_egd.txt",
    "ioct_2020_02_classD.h9",
    "juvisy2019.h9",
)
HEADER = "; CL[A]\n; EV[Open]\n; PC[DE,Hamburg]\n; DT[2020-03-06,2020-03-08]\n; TM[75]\n"


read = reader_of(read_h9, LATIN_9)


def sample(reference: Path, name: str) -> tuple[Report, Findings]:
    return read((reference / "samples" / "go" / name).read_bytes())


def line(
    place: int | str,
    *rounds: str,
    name: str = "",
    grade: str = "3k",
    country: str = "DE",
    club: str = "Hamb",
    criteria: str = "30 100 500 0",
    pin: str = "",
) -> str:
    """A player's line as OpenGotha writes it."""
    who = f"{name or f'Doe{place} Jo':26}"
    head = f"{place:>4} {who}{grade:>4} {country:2} {club:>4} {criteria:>16}"
    return head + "".join(f" {text:>8}" for text in rounds) + (f" |{pin}" if pin else "")


def file(*lines: str, header: str = HEADER) -> str:
    return header + ";\n" + "\n".join(lines) + "\n"


def pair(first: str, second: str, grades: str = "3k 3k") -> tuple[Report, Findings]:
    """An event of two players with one round."""
    one_grade, other_grade = grades.split()
    return read(file(line(1, first, grade=one_grade), line(2, second, grade=other_grade)))


# --- Real files -------------------------------------------------------------------------------

FINDINGS = {
    "egc2009.h9": {
        "game.contradiction": Severity.ERROR,
        "h9.glued": Severity.WARNING,
        "go.ghost": Severity.WARNING,
        "event.no-dates": Severity.WARNING,
        "event.no-class": Severity.INFO,
        "text.encoding": Severity.INFO,
        "go.country": Severity.INFO,
        "h9.tied": Severity.INFO,
        "h9.half-points": Severity.INFO,
        "h9.comments": Severity.INFO,
    },
    "hobby2015_macmahon_egd.txt": {
        "event.no-dates": Severity.WARNING,
        "event.no-class": Severity.INFO,
        "h9.handicap-missing": Severity.WARNING,
        "text.encoding": Severity.INFO,
        "h9.half-points": Severity.INFO,
    },
    "ioct_2020_02_classD.h9": {},
    "juvisy2019.h9": {"text.encoding": Severity.INFO},
}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_real_file_is_recognised_and_read(reference: Path, name: str) -> None:
    path = reference / "samples" / "go" / name
    assert looks_like_h9(decode(path.read_bytes()).lines)
    reading = formats.read(path)
    assert (reading.format, reading.encoding) == (
        "h9",
        "utf-8" if name.startswith("ioct") else LATIN_9,
    )
    assert codes(reading.findings) == FINDINGS[name]
    assert all(finding.remedy for finding in reading.findings)


WORD = r"(?<=[ \t])({})(?=\s|$)"
GHOST_LINES = {"egc2009.h9": 2}
"""Two lines name a Ghost; each has one game, which counts as a bye of the other player."""


@pytest.mark.parametrize("name", SAMPLES)
def test_the_tallies_of_results(reference: Path, name: str) -> None:
    """The words of the file counted without the reader."""
    text = (reference / "samples" / "go" / name).read_bytes().decode(LATIN_9)
    rows = [row for row in text.split("\n") if row.strip() and not row.startswith(";")]
    halves = re.findall(WORD.format(r"[1-9][0-9]*[-+=]/[wb][0-9]?"), "\n".join(rows))
    ghosts = GHOST_LINES.get(name, 0)
    report, _ = sample(reference, name)
    assert len(report.entries) == len(rows) - ghosts
    games = [game for game in report.games if game.black]
    assert len(games) == len(halves) // 2 - ghosts
    jigos = sum("=" in half for half in halves)
    assert sum(game.result is Result.DRAW for game in games) == jigos // 2
    stones = sum(int(half[-1]) for half in halves if half[-1].isdigit())
    assert sum(game.handicap for game in games) == stones // 2
    white_wins = sum("+/w" in half for half in halves)
    assert abs(sum(game.result is Result.WHITE_WINS for game in games) - white_wins) <= ghosts


def test_european_congress_of_2009(reference: Path) -> None:
    report, findings = sample(reference, "egc2009.h9")
    byes = Counter(game.result for game in report.games if game.status is GameStatus.BYE)
    # 1285 times 0= less 18 in the lines of the two ghosts; 0+ twice and two games against ghosts.
    assert byes == {Result.DRAW: 1285 - 18, Result.WHITE_WINS: 2 + 2}
    # 113 lines have no place; the 17th stands behind a tie.
    assert "(113 in all)" in one(findings, "h9.tied", Severity.INFO).message
    assert (report.entry("17").name, report.entry("17").place.line) == ("Shikshin, Ilya", 21)
    names = [game for game in report.games if game.round == 2 and "17" in (game.white, game.black)]
    assert [(game.white, game.black, game.result) for game in names] == [
        ("17", "6", Result.BLACK_WINS)
    ]
    # Lines 553 and 578 of the file both claim to have won.
    contradiction = one(findings, "game.contradiction", Severity.ERROR)
    assert "574+/b0 (line 553)" in contradiction.message
    assert "549+/w0 (line 578)" in contradiction.message
    assert findings.refused
    assert {report.entry("597").grade, report.entry("599").grade} == {"30k", "29k"}
    # 567 took nine stones from 481 in the second round, and won.
    (given,) = [game for game in report.games if game.handicap == 9]
    assert (given.white, given.black, given.round) == ("481", "567", 2)
    assert given.result is Result.BLACK_WINS
    # 383 and 384 made jigo in the eighth.
    (jigo,) = [g for g in report.games if g.result is Result.DRAW and "383" in (g.white, g.black)]
    assert (jigo.white, jigo.black, jigo.round, jigo.status) == ("384", "383", 8, GameStatus.PLAYED)


def test_names_that_touch_the_grade(reference: Path) -> None:
    report, findings = sample(reference, "egc2009.h9")
    glued = one(findings, "h9.glued", Severity.WARNING)
    assert "(3 in all): 472 Dahlbh, Per 10K; 579 Tammif, Greta 19K" in glued.message
    assert (report.entry("579").name, report.entry("579").grade) == ("Tammif, Greta", "19k")
    assert report.entry("579").federation == "DE"


def test_ghosts_and_players_without_country(reference: Path) -> None:
    report, findings = sample(reference, "egc2009.h9")
    assert "Ghost, Xi; 228 Ghost, Xc" in one(findings, "go.ghost", Severity.WARNING).message
    assert not {"177", "228"} & {entry.id for entry in report.entries}
    # Ghost Xi lost to 72.
    byes = [game for game in report.games if game.white == "72" and game.black is None]
    assert [game.result for game in byes] == [Result.WHITE_WINS]
    # Eleven other lines have the country XX.
    countries = one(findings, "go.country", Severity.INFO)
    assert "(11 in all)" in countries.message
    assert report.entry("178").federation is None


def test_half_points_in_latin_9(reference: Path) -> None:
    _, findings = sample(reference, "egc2009.h9")
    # 33 words end with the byte that is ½ in Latin-1 and œ in Latin-9, in 29 lines.
    assert "(29 in all)" in one(findings, "h9.half-points", Severity.INFO).message
    assert not with_code(findings, "h9.rounds")


def test_opengotha_with_handicaps(reference: Path) -> None:
    report, _ = sample(reference, "juvisy2019.h9")
    event = report.event
    assert (event.name, event.place, event.federation) == ("Tournoi de Juvisy", "Juvisy", None)
    assert (event.start, event.end) == (date(2019, 10, 26), date(2019, 10, 28))
    assert (event.class_, event.time_control, event.kind) == ("A", "TM 82", "swiss")
    assert event.pool is None
    (game,) = [g for g in report.games if g.round == 4 and "1" in (g.white, g.black)]
    assert (game.white, game.black, game.handicap) == ("1", "15", 4)  # 15+/w4
    assert report.entry("5").name == "Petkovéci, Olga"
    assert report.entry("5").grade == "2k"
    assert all(entry.standing is None for entry in report.entries)
    byes = {(g.white, g.round) for g in report.games if g.status is GameStatus.BYE}
    assert byes == {("2", 2), ("2", 3), ("2", 4), ("14", 1)}


def test_clubs_komi_and_rounds_of_the_real_files(reference: Path) -> None:
    report, _ = sample(reference, "juvisy2019.h9")
    assert (report.event.komi, report.event.rounds) == (7.5, 4)
    assert [entry.club for entry in report.entries[:3]] == ["75Ju", "92Le", "49An"]
    assert all(entry.ids == {} for entry in report.entries)
    report, _ = sample(reference, "hobby2015_macmahon_egd.txt")
    assert (report.event.komi, report.event.rounds) == (None, 5)
    assert report.entry("1").club == "Opol"
    report, _ = sample(reference, "egc2009.h9")
    assert (report.event.komi, report.event.rounds) == (None, 10)
    assert report.entry("17").club == "Kaz"


def test_country_behind_a_blank(reference: Path) -> None:
    report, _ = sample(reference, "ioct_2020_02_classD.h9")
    assert (report.event.federation, report.event.place) == ("TR", "Istanbul")
    assert (report.event.class_, report.event.time_control) == ("D", "TM 120")
    assert [(g.round, g.white, g.black, g.handicap, g.result) for g in report.games] == [
        (1, "2", "4", 0, Result.WHITE_WINS),
        (1, "3", "1", 7, Result.BLACK_WINS),
        (2, "1", "4", 2, Result.WHITE_WINS),
        (2, "3", "2", 9, Result.BLACK_WINS),
        (3, "1", "2", 2, Result.WHITE_WINS),
        (3, "3", "4", 9, Result.WHITE_WINS),
    ]


def test_macmahon_export_with_tabs(reference: Path) -> None:
    report, findings = sample(reference, "hobby2015_macmahon_egd.txt")
    assert report.event.name == "Hobby 2015"
    assert {entry.federation for entry in report.entries} == {"PL"}
    assert report.entry("19").name == "Quistógc, Kira"
    # 114 halves: 57 games, none of which names a handicap; six byes.
    assert "(57 in all)" in one(findings, "h9.handicap-missing", Severity.WARNING).message
    assert sum(game.status is GameStatus.BYE for game in report.games) == 6
    # Player 5 has 195= as his last criterion and lost to 1 in the first round.
    (game,) = [g for g in report.games if g.round == 1 and "5" in (g.white, g.black)]
    assert (game.white, game.black, game.result) == ("1", "5", Result.WHITE_WINS)


# --- One result -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "white", "black", "result"),
    [
        ("2+/w0", "1-/b0", "1", "2", Result.WHITE_WINS),
        ("2-/w0", "1+/b0", "1", "2", Result.BLACK_WINS),
        ("2+/b0", "1-/w0", "2", "1", Result.BLACK_WINS),
        ("2=/w0", "1=/b0", "1", "2", Result.DRAW),
        ("2=/B0", "1=/W0", "2", "1", Result.DRAW),
        ("2?/w0", "1?/b0", "1", "2", Result.NONE),
    ],
)
def test_played_games(first: str, second: str, white: str, black: str, result: Result) -> None:
    report, findings = pair(first, second)
    (game,) = report.games
    assert (game.white, game.black, game.round) == (white, black, 1)
    assert (game.result, game.status) == (result, GameStatus.PLAYED)
    assert game.white_rated
    assert game.black_rated
    assert game.place.round == 1
    assert not codes(findings)


def test_handicap_is_stones_for_black() -> None:
    report, findings = pair("2+/w3", "1-/b3", "3k 6k")
    (game,) = report.games
    assert (game.white, game.black, game.handicap) == ("1", "2", 3)
    assert not codes(findings)


def test_one_side_may_leave_the_handicap_out() -> None:
    report, findings = pair("2+/w", "1-/b3")
    assert report.games[0].handicap == 3
    assert not codes(findings)


@pytest.mark.parametrize(
    ("cell", "result"),
    [("0+", Result.WHITE_WINS), ("0=", Result.DRAW), ("0+/w0", Result.WHITE_WINS)],
)
def test_byes_with_points(cell: str, result: Result) -> None:
    report, findings = read(file(line(1, cell, "2+/w0"), line(2, "0-", "1-/b0")))
    bye = report.games[0]
    assert (bye.white, bye.black, bye.result) == ("1", None, result)
    assert bye.status is GameStatus.BYE
    assert not bye.white_rated
    assert not bye.black_rated
    assert len(report.games) == 2  # 0- brings nothing.
    assert not codes(findings)


@pytest.mark.parametrize(
    ("first", "second", "result"),
    [
        ("2+!w0", "1-!b0", Result.WHITE_WINS),
        ("2-!w", "1+!b", Result.BLACK_WINS),
        ("2+!", "1-!", Result.WHITE_WINS),
        ("2-!w0", "1-!b0", Result.NONE),
    ],
)
def test_forfeits(first: str, second: str, result: Result) -> None:
    report, findings = pair(first, second)
    (game,) = report.games
    assert (game.status, game.result) == (GameStatus.FORFEIT, result)
    assert not game.white_rated
    assert not game.black_rated
    assert not codes(findings)


@pytest.mark.parametrize("text", ["12", "+", "12*", "12+/x0", "12+/w100", "w0", "²+", "1+/w٣"])
def test_what_is_no_result(text: str) -> None:
    assert read_cell(text, 1) is None


def test_half_points_and_jigos_look_alike() -> None:
    assert is_criterion("195=")
    assert is_criterion("195½")
    assert is_criterion("195œ")
    assert is_criterion("195.5")
    assert not is_criterion("195")
    assert not is_certain("195=")
    assert is_certain("195=/w")


# --- The two sides of a game ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("2+/w0", "1+/b0"),
        ("2-/w0", "1-/b0"),
        ("2=/w0", "1-/b0"),
        ("2+/w0", "1?/b0"),
        ("2+!w0", "1-/b0"),
    ],
)
def test_contradictions_refuse_the_report(first: str, second: str) -> None:
    _, findings = pair(first, second)
    finding = one(findings, "game.contradiction", Severity.ERROR)
    assert all(text in finding.message for text in (first, second, "line 7", "line 8"))
    assert (finding.where.line, finding.where.player, finding.where.round) == (7, "1", 1)
    assert "0= in both" in finding.remedy
    report, findings = pair("0=", "0=")
    assert not findings.refused
    assert [game.status for game in report.games] == [GameStatus.BYE] * 2


def test_a_forfeit_that_both_won_is_a_warning() -> None:
    report, findings = pair("2+!w0", "1+!b0")
    assert report.games[0].result is Result.NONE
    one(findings, "game.contradiction", Severity.WARNING)


@pytest.mark.parametrize("other", ["0=", "0+", "3-/b0"])
def test_a_game_in_one_line_only_refuses_the_report(other: str) -> None:
    report, findings = read(file(line(1, "2+/w0"), line(2, other), line(3, "0=")))
    finding = with_code(findings, "game.mirror")[0]
    assert finding.severity is Severity.ERROR
    assert other in finding.message
    assert not [game for game in report.games if game.black]


@pytest.mark.parametrize("cell", ["2+!w0", "2?/w0"])
def test_a_forfeit_in_one_line_only_is_a_warning(cell: str) -> None:
    _, findings = read(file(line(1, cell, "2+/w0"), line(2, "0=", "1-/b0")))
    one(findings, "game.mirror", Severity.WARNING)
    assert not findings.refused


def test_who_meets_himself_refuses_the_report() -> None:
    _, findings = read(file(line(1, "1+/w0"), line(2, "0=")))
    one(findings, "game.self", Severity.ERROR)


def test_an_opponent_without_line_refuses_the_report() -> None:
    _, findings = read(file(line(1, "17+/w0"), line(2, "0+")))
    assert "place 17" in one(findings, "game.opponent", Severity.ERROR).message


def test_two_handicaps_refuse_the_report() -> None:
    _, findings = pair("2+/w3", "1-/b2")
    assert "2+/w3, 1-/b2" in one(findings, "game.handicap", Severity.ERROR).message


def test_more_than_nine_stones_are_read_as_written() -> None:
    """The check of the report refuses them, whatever the format."""
    report, _ = pair("2+/w13", "1-/b13")
    assert report.games[0].handicap == 13


@pytest.mark.parametrize(
    ("first", "second", "white"),
    [
        ("2+/?0", "1-/?0", "1"),
        ("2+", "1-", "1"),
        ("2+/w0", "1-/w0", "1"),
        ("2+/?0", "1-/w0", "2"),
        ("2+/b0", "1-/?0", "2"),
    ],
)
def test_colours_that_are_not_told(first: str, second: str, white: str) -> None:
    report, findings = pair(first, second)
    (game,) = report.games
    assert game.white == white
    winner = game.white if game.result is Result.WHITE_WINS else game.black
    assert winner == "1"
    # In an even game without any colour there is nothing to mend; where a line says one there is.
    missing = "b" not in first + second and "w" not in first + second
    one(findings, "game.colours", Severity.INFO if missing else Severity.WARNING)


def test_without_colours_the_lower_graded_player_has_the_stones() -> None:
    report, findings = pair("2+/?4", "1-/?4", "7k 3k")
    (game,) = report.games
    assert (game.white, game.black, game.handicap) == ("2", "1", 4)
    one(findings, "game.colours", Severity.WARNING)


def test_two_whites_in_a_handicap_game_refuse_the_report() -> None:
    _, findings = pair("2+/w4", "1-/w4")
    one(findings, "game.colours", Severity.ERROR)


# --- Handicaps that are computed --------------------------------------------------------------


@pytest.mark.parametrize(
    ("reduction", "white", "black", "stones"),
    [
        ("h0", "3d", "2k", 4),
        ("h1", "3d", "2k", 3),
        ("1", "3d", "2k", 3),
        ("h0", "1d", "1k", 1),
        ("h1", "1d", "1k", 0),
        ("h8", "7d", "5k", 3),
        ("h0", "5k", "1d", 0),
        ("h0", "7d", "30k", 9),
        ("h0", "1p", "3d", 4),
    ],
)
def test_the_header_computes_handicaps(reduction: str, white: str, black: str, stones: int) -> None:
    report, findings = read(
        file(
            line(1, "2+/w", grade=white),
            line(2, "1-/b", grade=black),
            header=HEADER + f"; HA[{reduction}]\n",
        )
    )
    assert report.games[0].handicap == stones
    assert str(stones) in one(findings, "h9.handicap-computed", Severity.INFO).message


@pytest.mark.parametrize(("black", "is_told"), [("5k", True), ("3k", False)])
def test_h9_is_what_events_without_handicap_say(black: str, is_told: bool) -> None:
    """Reading E17: 7d against 5k is eleven grades, two more than nine; 3k is nine."""
    lines = (line(1, "2+/w", grade="7d"), line(2, "1-/b", grade=black))
    report, findings = read(file(*lines, header=HEADER + "; HA[h9]\n"))
    assert (report.games[0].handicap, report.event.handicap_reduction) == (0, 9)
    assert ("h9.even" in {f.code for f in findings}) is is_told
    stones = {}
    for reading in ("even", "grades"):
        book = registry.load("egf-2021").with_parameters({"h9_handicaps": reading})
        (batch,) = book.for_report(report).batches(report)
        stones[reading] = batch.games[0].handicap
    assert stones == {"even": 0, "grades": 2 if is_told else 0}


def test_h9_leaves_the_stones_that_a_game_tells() -> None:
    lines = (line(1, "2+/w3", grade="7d"), line(2, "1-/b3", grade="5k"))
    report, _ = read(file(*lines, header=HEADER + "; HA[h9]\n"))
    assert report.games[0].handicap == 3


def test_criteria_behind_the_rounds() -> None:
    rows = (
        " 1 Doe Jo 4d PL Wars 20 2+ 3+ 6 25 134 |12345678",
        " 2 Roe Jo 3d PL Wars 20 1- 0+ 5 25= 130",
        " 3 Poe Jo 2k PL Wars 20 0+ 1- 4 22 110",
    )
    report, findings = read(HEADER + "\n".join(rows) + "\n")
    assert not findings.refused
    assert {(g.white, g.black, g.round) for g in report.games if g.black} == {
        ("12345678", "2", 1), ("12345678", "3", 2),
    }  # fmt: skip
    one(findings, "h9.behind", Severity.INFO)


def test_a_grade_without_a_letter_is_kyu() -> None:
    rows = (
        " 1 Doe Jo 9k PL Wars 2 2 3 1 2+",
        " 2 Roe Jo 11 PL Wars 2 2 3 1 1-",
    )
    report, findings = read(HEADER + "\n".join(rows) + "\n")
    assert [e.grade for e in report.entries] == ["9k", "11k"]
    assert len(report.games) == 1
    one(findings, "h9.grade-letter", Severity.WARNING)


def test_a_round_of_which_nothing_is_known() -> None:
    rows = (
        " 1 Doe Jo 9k PL Wars 2 2 3 1 2+ ?",
        " 2 Roe Jo 9k PL Wars 2 2 3 1 1- ?",
    )
    report, findings = read(HEADER + "\n".join(rows) + "\n")
    assert len(report.games) == 1
    one(findings, "h9.unknown-result", Severity.WARNING)


def test_a_named_handicap_is_not_computed() -> None:
    header = HEADER + "; HA[h0]\n"
    report, findings = read(
        file(line(1, "2+/w1", grade="3d"), line(2, "1-/b1", grade="3k"), header=header)
    )
    assert report.games[0].handicap == 1
    assert not codes(findings)


def test_without_grade_no_handicap_is_computed() -> None:
    header = HEADER + "; HA[h0]\n"
    _, findings = read(
        file(line(1, "2+/w", grade="3d"), line(2, "1-/b", grade="35k"), header=header)
    )
    one(findings, "h9.handicap-computed", Severity.ERROR)
    one(findings, "go.grade", Severity.WARNING)


def test_without_header_a_missing_handicap_is_none_with_a_warning() -> None:
    report, findings = pair("2+/w", "1-/b")
    assert report.games[0].handicap == 0
    one(findings, "h9.handicap-missing", Severity.WARNING)


def test_a_reduction_that_is_not_understood() -> None:
    _, findings = read(file(line(1, "0="), line(2, "0+"), header=HEADER + "; HA[mms]\n"))
    one(findings, "h9.reduction", Severity.WARNING)


# --- The player's line ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("7D", "7d"),
        ("12k", "12k"),
        ("30K", "30k"),
        ("1p", "1p"),
        ("9P", "9p"),
        ("05k", "5k"),
    ],
)
def test_grades(written: str, normal: str) -> None:
    report, findings = read(file(line(1, "0+", grade=written)))
    assert report.entries[0].grade == normal
    assert "go.grade" not in codes(findings)


@pytest.mark.parametrize("written", ["31k", "10d", "0k", "99p"])
def test_grades_that_do_not_exist(written: str) -> None:
    report, findings = read(file(line(1, "0+", grade=written)))
    assert report.entries[0].grade is None
    assert written in one(findings, "go.grade", Severity.WARNING).message


def test_grades_on_one_scale() -> None:
    grades = ["30k", "2k", "1k", "1d", "2d", "7d"]
    assert [common.strength(grade) for grade in grades] == [-30, -2, -1, 0, 1, 6]
    assert common.strength("9p") == common.strength("7d")
    assert common.grade("3 kyu") == "3k"
    assert common.grade("3 grade") is None


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Doe Jo", "Doe, Jo"),
        ("von_der_Doe Jo_Al", "von der Doe, Jo Al"),
        ("Doe", "Doe"),
        ("van der Doe", "van der Doe"),
        ("D'Obici Hans-Eckart", "D'Obici, Hans-Eckart"),
    ],
)
def test_names(written: str, name: str) -> None:
    report, _ = read(file(line(1, "0+", name=written)))
    assert report.entries[0].name == name


def test_a_missing_name() -> None:
    _, findings = read(file("1 3k DE Hamb 1 2 3 4 0+"))
    one(findings, "go.name", Severity.WARNING)


def test_a_name_glued_to_the_grade() -> None:
    report, findings = read(file("   1 Doe Alexander10K DE  Hamb  30 100 500 0  0+"))
    (entry,) = report.entries
    assert (entry.name, entry.grade, entry.federation) == ("Doe, Alexander", "10k", "DE")
    assert "Alexander 10K" in one(findings, "h9.glued", Severity.WARNING).message


@pytest.mark.parametrize(
    ("written", "meant"),
    [("1dan", "1d"), ("2Dan", "2d"), ("4kyu", "4k"), ("12KYU", "12k"), ("1pro", "1p")],
)
@pytest.mark.parametrize("touches", ["", " "], ids=["glued", "apart"])
def test_a_grade_with_its_word(written: str, meant: str, touches: str) -> None:
    report, _ = read(file(f"   1 Doe Alexander{touches}{written} DE  Hamb  30 100 500 0  0+"))
    (entry,) = report.entries
    assert (entry.name, entry.grade, entry.federation) == ("Doe, Alexander", meant, "DE")


def test_blank_places_on_ties() -> None:
    rows = [line(1, "2+/w0", "4+/b0"), line("", "1-/b0", "3+/w0"), line(3, "4+/w0", "2-/b0")]
    report, findings = read(file(*rows, line("", "3-/b0", "1-/w0")))
    assert [entry.id for entry in report.entries] == ["1", "2", "3", "4"]
    assert "(2 in all)" in one(findings, "h9.tied", Severity.INFO).message
    assert len(report.games) == 4
    assert not findings.refused


def test_repeated_places_on_ties() -> None:
    rows = [line(1, "2+/w0"), line(2, "1-/b0"), line(2, "4+/w0"), line(4, "3-/b0")]
    report, findings = read(file(*rows))
    assert [entry.id for entry in report.entries] == ["1", "2", "3", "4"]
    one(findings, "h9.tied", Severity.INFO)
    assert not findings.refused


def test_places_in_any_order_if_each_stands_once() -> None:
    report, findings = read(file(line(2, "1-/b0"), line(1, "2+/w0")))
    assert [(game.white, game.black) for game in report.games] == [("1", "2")]
    assert not codes(findings)


def test_places_that_go_back_refuse_the_report() -> None:
    _, findings = read(file(line(3, "0+"), line(1, "0+"), line("", "0+")))
    assert "after 3" in one(findings, "h9.place", Severity.ERROR).message


def test_pins_are_ids() -> None:
    report, findings = read(
        file(line(1, "2+/w0", pin="12345678"), line(2, "1-/b0", pin=" 10000001 "))
    )
    assert [entry.id for entry in report.entries] == ["12345678", "10000001"]
    assert [entry.ids["egd"] for entry in report.entries] == ["12345678", "10000001"]
    assert [(game.white, game.black) for game in report.games] == [("12345678", "10000001")]
    assert not codes(findings)


def test_a_player_without_pin_keeps_his_place() -> None:
    report, findings = read(
        file(line(1, "2+/w0", pin="12345678"), line(2, "1-/b0", pin="00000000"))
    )
    assert [entry.id for entry in report.entries] == ["12345678", "2"]
    assert report.entries[1].ids == {}
    assert not codes(findings)


def test_a_pin_that_is_none() -> None:
    report, findings = read(file(line(1, "0+", pin="123"), line(2, "0+", pin="12345678 x")))
    assert [entry.id for entry in report.entries] == ["1", "2"]
    assert "(2 in all)" in one(findings, "go.pin", Severity.WARNING).message


def test_a_pin_that_stands_twice_refuses_the_report() -> None:
    report, findings = read(
        file(line(1, "2+/w0", pin="12345678"), line(2, "1-/b0", pin="12345678"))
    )
    assert [entry.id for entry in report.entries] == ["12345678", "2"]
    one(findings, "player.duplicate", Severity.ERROR)


@pytest.mark.parametrize(
    ("written", "code"), [("de", "DE"), ("XX", None), ("GER", None), ("UK", "UK")]
)
def test_countries(written: str, code: str | None) -> None:
    report, findings = read(file(line(1, "0+", country=written)))
    assert report.entries[0].federation == code
    assert ("go.country" in codes(findings)) == (code is None)


@pytest.mark.parametrize("surname", ["Ghost Xi", "ghost Al", "Doe Ghost", "Ghost2 X"])
def test_ghosts_stand_for_byes(surname: str) -> None:
    report, findings = read(
        file(
            line(1, "3+/w0", "2+/w0"),
            line(2, "0=", "1-/b0"),
            line(3, "1-/b0", "0=", name=surname, country="XX"),
        )
    )
    assert [entry.id for entry in report.entries] == ["1", "2"]
    bye = report.games[0]
    assert (bye.white, bye.black, bye.result) == ("1", None, Result.WHITE_WINS)
    one(findings, "go.ghost", Severity.WARNING)
    assert not findings.refused


def test_ghosts_may_be_drawn_with_and_lost_to() -> None:
    ghost = line(3, "1=/b0", "2+/b0", name="Ghost X")
    report, _ = read(file(line(1, "3=/w0", "0="), line(2, "0-", "3-/w0"), ghost))
    assert [(g.round, g.white, g.result) for g in report.games] == [
        (1, "1", Result.DRAW),
        (2, "1", Result.DRAW),
    ]


def test_tabs() -> None:
    rows = [line(1, "2+/w3"), line(2, "1-/b3")]
    plain, _ = read(file(*rows))
    tabbed, findings = read(file(*("\t".join(row.split()) for row in rows)))
    assert facts(plain) == facts(tabbed)
    assert not codes(findings)


@pytest.mark.parametrize("half", ["195=", "195½", "195.5"])
@pytest.mark.parametrize("at", range(4))
def test_half_points_are_no_results(half: str, at: int) -> None:
    criteria = ["30", "100", "500", "0"]
    criteria[at] = half
    report, findings = read(
        file(line(1, "2=", "2+/w0", criteria=" ".join(criteria)), line(2, "1=", "1-/b0"))
    )
    assert [game.result for game in report.games] == [Result.DRAW, Result.WHITE_WINS]
    one(findings, "h9.half-points", Severity.INFO)
    assert not findings.refused


def test_the_byte_of_half_points_in_both_encodings() -> None:
    data = file(line(1, "2+/w0", criteria="30½ 1 2 3½"), line(2, "1-/b0")).encode("latin-1")
    report, findings = read(data)
    assert len(report.games) == 1
    one(findings, "h9.half-points", Severity.INFO)
    one(findings, "text.encoding", Severity.INFO)


@pytest.mark.parametrize("criteria", ["", "30", "30 100", "30 100 500", "30 100 500 0 7"])
def test_any_number_of_criteria(criteria: str) -> None:
    report, findings = read(
        file(line(1, "2+/w0", criteria=criteria), line(2, "1-/b0", criteria=criteria))
    )
    assert len(report.games) == 1
    assert not codes(findings)


def test_a_missing_club() -> None:
    report, findings = read(file(line(1, "2+/w0", club=""), line(2, "1-/b0")))
    assert len(report.games) == 1
    assert [entry.club for entry in report.entries] == [None, "Hamb"]
    assert not codes(findings)


@pytest.mark.parametrize(
    ("written", "club"), [("xxxx", None), ("XXX", None), ("Bad_Ort", "Bad Ort"), ("_", None)]
)
def test_clubs(written: str, club: str | None) -> None:
    report, findings = read(file(line(1, "2+/w0", club=written), line(2, "1-/b0")))
    assert report.entries[0].club == club
    assert not codes(findings)


def test_nothing_behind_the_grade() -> None:
    report, _ = read("; EV[x]\n1 Doe Jo 3k 0+\n2 Roe Al 3k DE 0+\n")
    assert [(e.federation, e.club) for e in report.entries] == [(None, None), ("DE", None)]


def test_half_points_in_place_of_a_club_are_none() -> None:
    report, _ = read(file(line(1, "2+/w0", club="", criteria="30= 1 2 0"), line(2, "1-/b0")))
    assert report.entries[0].club is None


@pytest.mark.parametrize("club", ["361", "44N", "75Ju", "3k"])
def test_clubs_that_look_like_something_else(club: str) -> None:
    report, findings = read(file(line(1, "2+/w0", club=club), line(2, "1-/b0")))
    assert (len(report.games), report.entries[0].grade) == (1, "3k")
    assert report.entries[0].club == club
    assert not codes(findings)


def test_a_line_with_fewer_results_refuses_the_report() -> None:
    _, findings = read(file(line(1, "2+/w0", "0="), line(2, "1-/b0", "3+/w0"), line(3, "2-/b0")))
    finding = one(findings, "h9.rounds", Severity.ERROR)
    assert finding.where.player == "3"
    # The opponents are not blamed for it.
    assert not with_code(findings, "game.mirror")


def test_an_unknown_result_refuses_the_report() -> None:
    _, findings = read(
        file(line(1, "2+/w0", "2*/w0", "0="), line(2, "1-/b0", "1-/b0", "0+"), line(3, *["0="] * 3))
    )
    finding = one(findings, "h9.result", Severity.ERROR)
    assert (finding.where.line, finding.where.round) == (7, 2)
    assert "2*/w0" in finding.message
    assert not with_code(findings, "game.mirror")


def test_a_line_without_grade_refuses_the_report() -> None:
    _, findings = read(file(line(1, "0+"), line(2, "0+/w", grade="")))
    assert "Doe2" in one(findings, "h9.line", Severity.ERROR).message


def test_text_without_semicolon_is_named() -> None:
    report, findings = read("Open of Hamburg\n" + file(line(1, "0+"), "", "Thanks to all."))
    assert len(report.entries) == 1
    message = one(findings, "h9.text", Severity.WARNING).message
    assert "Open of Hamburg" in message
    assert "Thanks to all." in message


def test_comments_behind_a_line() -> None:
    report, findings = read(file(line(1, "2+/w0") + " ; a walk-over?", line(2, "1-/b0")))
    assert len(report.games) == 1
    assert not codes(findings)


# --- The header -------------------------------------------------------------------------------


def event_of(*headers: str) -> tuple[Report, Findings]:
    return read("\n".join([*headers, line(1, "0+"), ""]))


def test_a_full_header() -> None:
    report, findings = event_of(
        "; TC[T200306A]",
        "; CL[b]",
        "; EV[Open [A]]",
        "; PC[de, Hamburg, Altona]",
        "; DT[2020-03-06, 2020-03-08]",
        "; KM[6.5]",
        "; TM[75]",
        "; CM[Canadian]",
        "; CM[sent by Jo]",
        "; Generated by OpenGotha 3.50",
        "; ---------------",
        "; Pl Name Rk Co Club MMS SOS",
    )
    event = report.event
    assert (event.class_, event.name) == ("B", "Open [A]")
    assert (event.federation, event.place) == ("DE", "Hamburg, Altona")
    assert (event.start, event.end) == (date(2020, 3, 6), date(2020, 3, 8))
    assert event.time_control == "TM 75"
    assert (event.komi, event.rounds) == (6.5, 1)
    assert set(codes(findings)) == {"h9.no-games"}


def test_the_older_header_of_adjusted_time() -> None:
    assert event_of("; TA[60]")[0].event.time_control == "TA 60"


@pytest.mark.parametrize(
    ("written", "komi"), [("6.5", 6.5), ("6,5", 6.5), ("0", 0.0), ("-5", -5.0), ("", None)]
)
def test_komi(written: str, komi: float | None) -> None:
    report, findings = event_of(f"; KM[{written}]")
    assert report.event.komi == komi
    assert "go.komi" not in codes(findings)


@pytest.mark.parametrize("written", ["none", "6.5 points", "6.555", "1000"])
def test_a_komi_that_is_none(written: str) -> None:
    report, findings = event_of(f"; KM[{written}]")
    assert report.event.komi is None
    assert written in one(findings, "go.komi", Severity.WARNING).message


@pytest.mark.parametrize(
    ("written", "federation", "place"),
    [
        ("DE,Hamburg", "DE", "Hamburg"),
        (",Hamburg", None, "Hamburg"),
        (",TR, Istanbul", "TR", "Istanbul"),
        (",Au", None, "Au"),
        ("DE", "DE", None),
        ("", None, None),
    ],
)
def test_country_and_city(written: str, federation: str | None, place: str | None) -> None:
    event = event_of(f"; PC[{written}]")[0].event
    assert (event.federation, event.place) == (federation, place)


@pytest.mark.parametrize("header", ["EV[Open]", ";EV[Open]", " ;  EV[Open]  ", "; EV[Open"])
def test_headers_written_carelessly(header: str) -> None:
    assert event_of(header)[0].event.name == "Open"


def test_headers_behind_the_table() -> None:
    assert read(file(line(1, "0+"), "; CM[x]", header="; EV[Open]\n") + "; CL[C]\n")[
        0
    ].event.class_ == ("C")


@pytest.mark.parametrize("written", ["X", "E", "AB"])
def test_a_class_that_does_not_exist(written: str) -> None:
    report, findings = event_of(f"; CL[{written}]")
    assert report.event.class_ is None
    assert written in one(findings, "h9.class", Severity.WARNING).message
    assert not with_code(findings, "event.no-class")


@pytest.mark.parametrize("header", ["; CL[]", "; EV[x]"])
def test_a_missing_class(header: str) -> None:
    one(event_of(header)[1], "event.no-class", Severity.INFO)


def test_repeated_and_unknown_headers_are_named() -> None:
    report, findings = event_of("; EV[One]", "; EV[Two]", "; EV[One]", "; RU[Japanese]")
    assert report.event.name == "One"
    assert "EV" in one(findings, "h9.repeated", Severity.INFO).message
    assert "RU" in one(findings, "h9.unknown-header", Severity.INFO).message


def test_comments_are_named() -> None:
    _, findings = event_of("; EGC 2009", "; 26/07/2009")
    assert "EGC 2009; 26/07/2009" in one(findings, "h9.comments", Severity.INFO).message


def test_one_date_is_that_of_a_single_day() -> None:
    report, findings = event_of("; DT[2020-03-06]")
    assert (report.event.start, report.event.end) == (date(2020, 3, 6), date(2020, 3, 6))
    one(findings, "event.dates", Severity.INFO)


@pytest.mark.parametrize("written", ["2020-03-06,", ",2020-03-06"])
def test_one_date_beside_a_comma_is_half_of_two(written: str) -> None:
    report, findings = event_of(f"; DT[{written}]")
    assert [report.event.start, report.event.end].count(date(2020, 3, 6)) == 1
    one(findings, "event.no-dates", Severity.WARNING)


def test_dates_that_are_none_are_a_warning() -> None:
    one(event_of("; DT[soon,2020-03-06]")[1], "event.dates", Severity.WARNING)


def test_a_month_that_there_is_not_is_refused() -> None:
    report, findings = event_of("; DT[2020-03-06,2020-13-07]")
    assert (report.event.start, report.event.end) == (date(2020, 3, 6), None)
    assert "2020-13-07" in one(findings, "event.dates", Severity.ERROR).message


def test_an_event_that_ends_before_it_starts_is_refused() -> None:
    one(event_of("; DT[2020-03-08,2020-03-06]")[1], "event.dates", Severity.ERROR)


def test_dates_in_another_order_are_told() -> None:
    report, findings = event_of("; DT[26.07.2009,02.08.2009]")
    assert (report.event.start, report.event.end) == (date(2009, 7, 26), date(2009, 8, 2))
    one(findings, "event.dates", Severity.INFO)


def test_doubtful_dates() -> None:
    _, findings = event_of("; DT[05/06/2020,07/06/2020]")
    assert "2020-05-06" in one(findings, "event.dates", Severity.WARNING).message


# --- Whole files ------------------------------------------------------------------------------


def test_a_file_without_players_is_refused() -> None:
    refusal(read_h9(decode(b"; EV[Open]\n; CL[A]\n")), "h9.no-players")


def test_a_report_without_games_is_named() -> None:
    one(read(file(line(1, "0="), line(2, "0=")))[1], "h9.no-games", Severity.WARNING)


@pytest.mark.parametrize(
    "text",
    [
        "012 Open\n042 2020/03/06\n",
        "; some comment\n",
        ";name=Open\n   1 Doe Jo 3k 1234567 Hamb 2+w0\n",
        "id,rating\n001,1800\n",
        "<Tournament/>",
        "TOURNEY Spring Open\nPLAYERS\n",
        "Dear arbiter,\nresults 3-0 and 2+ follow 5k in all.\n",
    ],
)
def test_other_formats_are_not_taken_for_h9(text: str) -> None:
    assert not looks_like_h9(decode(text.encode()).lines)


@pytest.mark.parametrize(
    "text",
    [
        "; EV[Open]\n",
        "  1 Doe Jo 3k DE Hamb 12+/w0\n",
        "  1 Doe Jo 3k DE Hamb 0= 12+\n",
        "  1 Doe Alexander10K DE Hamb 12-!b\n",
        "; Open\n;\n1\tDoe Jo\t3k\tDE\tHamb\t4=\t12=/w\n",
    ],
)
def test_h9_is_recognised_by_a_header_or_a_line(text: str) -> None:
    assert looks_like_h9(decode(text.encode()).lines)


def test_latin_9_is_read_as_such(tmp_path: Path) -> None:
    path = tmp_path / "open.h9"
    path.write_bytes(file(line(1, "0+", name="Škoda Žofie")).encode(LATIN_9))
    reading = formats.read(path)
    assert reading.report is not None
    assert reading.report.entries[0].name == "Škoda, Žofie"
    assert (reading.format, reading.encoding) == ("h9", LATIN_9)


def test_the_import_is_light() -> None:
    assert not {"defusedxml", "typer", "rich", "numpy"} & loaded_by("ratingbook.formats.go.h9")


@pytest.mark.parametrize(
    "text",
    [
        "1 " + "a" * 90_000 + "!",
        "1 A B 3k DE X" + " 1=" * 30_000,
        "1 A B 3k DE X" + " 1+/w0" * 14_000,
        "1 " + "x1k" * 30_000,
        "; EV" + "[" * 90_000,
        "; " + "-" * 90_000 + "x",
        "; DT[" + "1" * 90_000 + "]",
        " " * 90_000 + "x",
        ";" + " " * 90_000 + "x",
        "1K " * 30_000,
    ],
)
def test_hostile_lines_are_read_in_no_time(text: str) -> None:
    lines = decode("\n".join([text] * 5 + [line(1, "0+")]).encode())
    begun = time.process_time()
    looks_like_h9(lines.lines)
    read_h9(lines)
    assert time.process_time() - begun < 3


EDITS = edits(
    *(b" ", b"\n", b"\t", b"0=", b"1+/w0", b"-", b";", b"|", b"\xbd", b"?", b"!", b"Ghost"),
    reach=100_000,
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(name=st.sampled_from(SAMPLES[1:]), changes=EDITS)
def test_damaged_files_are_read_or_refused(reference: Path, name: str, changes: Edits) -> None:
    data = (reference / "samples" / "go" / name).read_bytes()
    decoded = decode(damaged(data, changes), legacy=LATIN_9)
    looks_like_h9(decoded.lines)
    assert_sound_go(*read_h9(decoded))


@settings(deadline=None)
@given(
    st.lists(
        st.text("01 3kKdD-+=?/!wb;|\t", max_size=40).map(lambda tail: f"1 Doe Jo 3k DE X {tail}")
        | st.text(max_size=120)
        | st.text("CLEVDTHA[], -0123456789hKM", max_size=30).map(lambda tail: f"; {tail}"),
        max_size=8,
    )
)
def test_any_lines_are_read_or_refused(lines: list[str]) -> None:
    assert_sound_go(*read_h9(decode("\n".join(lines).encode())))


def facts(report: Report) -> set[tuple[object, ...]]:
    """What the ratings depend on."""
    entries: set[tuple[object, ...]] = {
        (entry.id, entry.name, entry.grade, entry.federation) for entry in report.entries
    }
    return entries | {game_facts(game) for game in report.games}


def game_facts(game: Game) -> tuple[object, ...]:
    return (game.round, game.white, game.black, game.result, game.status, game.handicap)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(row=st.integers(0, 18), word=st.integers(0, 11), blanks=st.sampled_from(["  ", "\t", "   "]))
def test_the_width_of_columns_does_not_matter(
    reference: Path, row: int, word: int, blanks: str
) -> None:
    lines = (reference / "samples" / "go" / "juvisy2019.h9").read_text(LATIN_9).split("\n")
    intended = facts(read("\n".join(lines))[0])
    at = 11 + row
    words = lines[at].split()
    lines[at] = " ".join(words[: word + 1]) + blanks + " ".join(words[word + 1 :])
    report, findings = read("\n".join(lines))
    assert facts(report) == intended
    assert not findings.refused


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(row=st.integers(0, 18), number=st.integers(0, 3), symbol=st.sampled_from("+-="))
def test_a_result_changed_on_one_side_is_always_noticed(
    reference: Path, row: int, number: int, symbol: str
) -> None:
    lines = (reference / "samples" / "go" / "juvisy2019.h9").read_text(LATIN_9).split("\n")
    words = lines[11 + row].split()
    cell = words[10 + number]
    changed = re.sub("[-+=]", symbol, cell)
    words[10 + number] = changed
    lines[11 + row] = " ".join(words)
    _, findings = read("\n".join(lines))
    assert findings.refused == (changed != cell and not cell.startswith("0"))
