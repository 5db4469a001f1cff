"""``.tou``: the French table, a real file beside the h9 file of the same event, and made ones."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from ratingbook import formats
from ratingbook.formats.go.h9 import looks_like_h9, read_h9
from ratingbook.formats.go.tou import looks_like_tou, read_tou
from ratingbook.formats.tools.text import decode
from ratingbook.model import GameStatus, Report, Result, Severity
from tests.formats.helpers import (
    LATIN_9,
    Edits,
    assert_sound_go,
    codes,
    damaged,
    edits,
    one,
    reader_of,
    refusal,
    with_code,
)

HEADER = ";name=Open\n;date=06/03/2020\n;vill=Paris\n;size=19\n;ta=75\n;komi=7.5\n"


read = reader_of(read_tou, LATIN_9)


def line(place: int, *rounds: str, grade: str = "3K", licence: str = "1800014") -> str:
    """A player's line as OpenGotha writes it."""
    head = f"{place:>4} {f'Doe{place} Jo':25}{grade:>3} {licence:7} 75Ju"
    return head + "".join(f"{text:>8}" for text in rounds)


def file(*lines: str, header: str = HEADER) -> str:
    return header + ";Num Nom Prenom Niv Licence Club\n" + "\n".join(lines) + "\n"


# --- The real file ----------------------------------------------------------------------------


def test_the_real_file(reference: Path) -> None:
    path = reference / "samples" / "go" / "juvisy2019.tou"
    lines = decode(path.read_bytes()).lines
    assert looks_like_tou(lines)
    assert not looks_like_h9(lines)
    reading = formats.read(path)
    assert (reading.format, reading.encoding) == ("tou", LATIN_9)
    assert codes(reading.findings) == {
        "event.no-dates": Severity.WARNING,
        "event.no-class": Severity.INFO,
        "tou.forfeits": Severity.WARNING,
        "text.encoding": Severity.INFO,
        "tou.licences": Severity.INFO,
    }
    # One of the 19 players has no licence; 72 results with a colour stand for 36 games.
    assert "18 licences" in one(reading.findings, "tou.licences", Severity.INFO).message
    assert "36 games" in one(reading.findings, "tou.forfeits", Severity.WARNING).message


def test_the_event_of_the_real_file(reference: Path) -> None:
    report, _ = read((reference / "samples" / "go" / "juvisy2019.tou").read_bytes())
    event = report.event
    assert (event.name, event.place) == ("Tournoi de Juvisy", "Juvisy")
    assert (event.start, event.end) == (date(2019, 10, 26), None)
    assert (event.time_control, event.class_, event.kind) == ("TA 82", None, "swiss")
    assert report.entry("5").name == "Ivarssonéaf, Leo"
    assert report.entry("18").grade == "10k"  # The line without licence.
    assert all(entry.federation is None for entry in report.entries)
    assert (event.komi, event.rounds) == (7.5, 4)
    assert [(e.club, e.ids) for e in report.entries[:2]] == [
        ("75Ju", {"ffg": "1800014"}),
        ("92Le", {"ffg": "0621020"}),
    ]
    assert (report.entry("18").club, report.entry("18").ids) == ("91SM", {})


def test_the_games_are_those_of_the_h9_file(reference: Path) -> None:
    """Both files were exported from one event; the names are pseudonyms of their own."""
    folder = reference / "samples" / "go"
    tou, _ = read((folder / "juvisy2019.tou").read_bytes())
    h9, _ = read_h9(decode((folder / "juvisy2019.h9").read_bytes(), legacy=LATIN_9))
    assert h9 is not None
    assert [(e.id, e.grade) for e in tou.entries] == [(e.id, e.grade) for e in h9.entries]

    def facts(report: Report) -> list[tuple[object, ...]]:
        return [(g.round, g.white, g.black, g.result, g.status, g.handicap) for g in report.games]

    assert facts(tou) == facts(h9)
    words = re.findall(
        rb"(?<= )[1-9][0-9]*[-+=][wb][0-9]", (folder / "juvisy2019.tou").read_bytes()
    )
    assert sum(game.black is not None for game in tou.games) == len(words) // 2 == 36


# --- Made files -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "white", "result", "stones"),
    [
        ("2+w0", "1-b0", "1", Result.WHITE_WINS, 0),
        ("2-b3", "1+w3", "2", Result.WHITE_WINS, 3),
        ("2=w0", "1=b0", "1", Result.DRAW, 0),
    ],
)
def test_games(first: str, second: str, white: str, result: Result, stones: int) -> None:
    report, findings = read(file(line(1, first), line(2, second)))
    (game,) = report.games
    assert (game.white, game.result, game.handicap) == (white, result, stones)
    assert game.status is GameStatus.PLAYED
    assert not findings.refused


def test_both_sides_are_compared() -> None:
    _, findings = read(file(line(1, "2+w0"), line(2, "1+b0")))
    one(findings, "game.contradiction", Severity.ERROR)


def test_byes() -> None:
    report, _ = read(file(line(1, "0+"), line(2, "0="), line(3, "0-")))
    assert [(game.white, game.result) for game in report.games] == [
        ("1", Result.WHITE_WINS),
        ("2", Result.DRAW),
    ]


@pytest.mark.parametrize("licence", ["1800014", ""])
def test_lines_without_licence(licence: str) -> None:
    report, findings = read(file(line(1, "2+w0", licence=licence), line(2, "1-b0")))
    assert len(report.games) == 1
    assert [entry.id for entry in report.entries] == ["1", "2"]
    assert [entry.club for entry in report.entries] == ["75Ju", "75Ju"]
    assert report.entries[0].ids == ({"ffg": licence} if licence else {})
    assert not findings.refused


def test_dates_are_day_month_year() -> None:
    report, findings = read(file(line(1, "0+")))
    assert report.event.start == date(2020, 3, 6)
    assert "the end missing" in one(findings, "event.no-dates", Severity.WARNING).message
    assert not with_code(findings, "event.dates")


def test_dates_in_another_order_or_backwards() -> None:
    report, findings = read(file(line(1, "0+"), header=";date=03/26/2020\n"))
    assert report.event.start == date(2020, 3, 26)
    one(findings, "event.dates", Severity.INFO)


def test_a_komi_that_is_none() -> None:
    one(read(file(line(1, "0+"), header=";komi=x\n"))[1], "go.komi", Severity.WARNING)


def test_a_date_that_is_none() -> None:
    report, findings = read(file(line(1, "0+"), header=";date=soon\n"))
    assert report.event.start is None
    one(findings, "event.dates", Severity.WARNING)


def test_small_boards_are_named() -> None:
    _, findings = read(file(line(1, "0+"), header=";size=13\n"))
    assert "13" in one(findings, "go.board", Severity.WARNING).message


def test_repeated_and_unknown_headers_are_named() -> None:
    report, findings = read(
        file(line(1, "0+"), header=";name=One\n;name=Two\n;arbi=Jo\n;time=60+b\n")
    )
    assert (report.event.name, report.event.time_control) == ("One", "60+b")
    one(findings, "tou.repeated", Severity.INFO)
    assert "arbi" in one(findings, "tou.unknown-header", Severity.INFO).message


def test_a_file_without_players_is_refused() -> None:
    refusal(read_tou(decode(b";name=Open\n")), "h9.no-players")


@pytest.mark.parametrize(
    "text",
    [
        "; EV[Open]\n  1 Doe Jo 3k DE Hamb 2+/w0\n",
        "; some = comment\n",
        "name=Open\n",
        "Dear arbiter,\nresults follow.\n",
    ],
)
def test_other_formats_are_not_taken_for_tou(text: str) -> None:
    assert not looks_like_tou(decode(text.encode()).lines)


@pytest.mark.parametrize("text", [";name=Open\n", "  1 Doe Jo 3K 1800014 75Ju 2+w0\n"])
def test_tou_is_recognised_by_a_header_or_a_line(text: str) -> None:
    lines = decode(text.encode()).lines
    assert looks_like_tou(lines)
    assert not looks_like_h9(lines)


EDITS = edits(b" ", b"\n", b"0=", b"1+w0", b"-", b";", b"|", b"=")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(changes=EDITS)
def test_damaged_files_are_read_or_refused(reference: Path, changes: Edits) -> None:
    data = (reference / "samples" / "go" / "juvisy2019.tou").read_bytes()
    decoded = decode(damaged(data, changes), legacy=LATIN_9)
    looks_like_tou(decoded.lines)
    assert_sound_go(*read_tou(decoded))
