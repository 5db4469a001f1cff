"""Files of other programs that we only read: who played whom, and what is said of the rest."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from ratingbook.formats import read, read_bytes
from ratingbook.formats.catalogue import FORMATS
from ratingbook.model import Findings, GameStatus, Report, Result, Severity
from tests.formats import foreign
from tests.formats.helpers import assert_sound, assert_sound_go, codes, one, refusal

DOCS = Path(__file__).parents[2] / "docs" / "formats"


def report_of(data: bytes | str, format_: str) -> tuple[Report, Findings]:
    reading = read_bytes(data.encode() if isinstance(data, str) else data)
    assert reading.format == format_
    assert reading.report is not None, list(reading.findings)
    assert not reading.findings.refused, list(reading.findings)
    return reading.report, reading.findings


def games(report: Report) -> list[tuple[int | None, str, str | None, str, str]]:
    return [(g.round, g.white, g.black, g.result.value, g.status.value) for g in report.games]


# Pairgoth


def test_pairgoth() -> None:
    report, findings = report_of(foreign.PAIRGOTH, "Pairgoth")
    assert_sound_go(report, findings)
    assert report.event.name == "Coupe de Nulle Part"
    assert (report.event.start, report.event.end) == (date(2024, 1, 27), date(2024, 1, 28))
    assert report.event.time_control == "50 + 15s fischer"
    assert report.event.komi == 7.5
    # −1 is 1k and 0 is 1d; who is not final and has no game is left out.
    assert [(e.id, e.name, e.grade, e.federation) for e in report.entries] == [
        ("99000001", "Personne, Anaïs", "1d", "FR"),
        ("2", "Nobody, Bert", "2k", "NL"),
        ("3", "Niemand, Cora", "4k", "DE"),
    ]
    assert games(report) == [
        (1, "99000001", "2", "1-0", "played"),
        (1, "3", None, "1-0", "bye"),
        (2, "2", "3", "0-1", "played"),
    ]
    assert report.games[2].handicap == 2
    assert codes(findings)["go.preliminary"] is Severity.INFO


def test_pairgoth_with_an_unknown_result() -> None:
    reading = read_bytes(foreign.PAIRGOTH.replace('"r": "b"', '"r": "q"').encode())
    one(reading.findings, "game.result", Severity.ERROR)


def test_pairgoth_of_teams() -> None:
    reading = read_bytes(foreign.PAIRGOTH.replace("INDIVIDUAL", "TEAM3").encode())
    refusal((reading.report, reading.findings), "pairgoth.teams")


# SwissSys


def test_swisssys() -> None:
    report, findings = report_of(foreign.SWISSSYS, "SwissSys")
    assert_sound(report, findings)
    assert report.event.name == "Nowhere Open"
    assert report.event.end == date(2026, 4, 5)
    assert report.event.time_control == "G/45;d5"
    standings = {e.id: e.standing for e in report.entries}
    assert standings["99000003"] is None
    assert standings["99000002"] is not None
    assert standings["99000002"].status == "provisional"
    assert games(report) == [
        (1, "99000001", "99000002", "1-0", "played"),
        (1, "99000003", "99000004", "1-0", "forfeit"),
        (2, "99000003", "99000001", "1/2-1/2", "played"),
        (2, "99000002", None, "1-0", "bye"),
    ]
    assert "Waiting" in one(findings, "swisssys.aside", Severity.INFO).message


def test_swisssys_where_the_rows_contradict_each_other() -> None:
    text = foreign.SWISSSYS.replace("-;1;B;1;1;1;0", "+;1;B;1;1;1;0")
    one(read_bytes(text.encode()).findings, "game.contradiction", Severity.ERROR)


def test_swisssys_with_an_unknown_result_or_none() -> None:
    text = foreign.SWISSSYS.replace("-;1;B;1;1;1;0", "?;1;B;1;1;1;0")
    one(read_bytes(text.encode()).findings, "uschess.result", Severity.ERROR)
    text = foreign.SWISSSYS.replace("=;1;W;1;1;1;0", "~;1;W;1;1;1;0")
    text = text.replace("=;3;B;1;3;3;0", "~;3;B;1;3;3;0")
    assert codes(read_bytes(text.encode()).findings)["swisssys.open"] is Severity.WARNING


# ICU


def test_icu_csv() -> None:
    """A game that both players tell is one game; their opponents of one name are one person."""
    report, findings = report_of(foreign.ICU_CSV, "ICU CSV")
    assert_sound(report, findings)
    assert report.event.name == "Isle of Nowhere Masters, 2007"
    assert report.event.rounds == 3
    ids = {e.name: e.id for e in report.entries}
    assert ids["Nobody, Anthony"] == "9456"
    assert ids["Niemand, Zoe"] == "9159"
    nemo, luc = ids["Nemo, Peter P."], ids["Personne, Luc"]
    assert sorted(games(report)) == sorted([
        (1, nemo, "9456", "1-0", "played"),
        (1, "9159", luc, "1-0", "played"),
        (2, "9456", "9159", "1/2-1/2", "played"),
        (3, "9456", None, "1-0", "bye"),
        (3, nemo, "9159", "1-0", "played"),
    ])  # fmt: skip
    people = {e.name: e for e in report.entries}
    assert people["Nemo, Peter P."].foreign == {"fide": 2209}
    assert people["Nemo, Peter P."].federation == "ENG"
    assert people["Niemand, Zoe"].title == "WFM"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("2,=,B,Nobody", "2,1,B,Nobody", "game.contradiction"),
        ("Total,1.5\n\n", "Total,2\n\n", "icu.total"),
        ("1,0,B,Nemo", "1,9,B,Nemo", "icu.line"),
    ],
)
def test_icu_csv_with_a_fault(old: str, new: str, code: str) -> None:
    findings = read_bytes(foreign.ICU_CSV.replace(old, new).encode()).findings
    assert codes(findings)[code] is Severity.ERROR


# SwissPerfect


def test_swissperfect_in_a_folder_by_file_and_zipped(tmp_path: Path) -> None:
    for name, data in foreign.swissperfect().items():
        (tmp_path / name).write_bytes(data)
    readings = [read(tmp_path), read(tmp_path / "cup.trn")]
    readings.append(read_bytes(foreign.zipped(foreign.swissperfect())))
    for reading in readings:
        assert reading.report == readings[0].report
    report = readings[0].report
    assert report is not None
    assert_sound(report, readings[0].findings)
    assert report.event.name == "Nowhere Cup 2009"
    assert report.event.officials == ("A. Nobody",)
    first = report.entries[0]
    assert (first.id, first.name, first.federation) == ("7168", "Nobody, Ann", "IRL")
    assert (first.title, first.sex, first.birth_date) == ("WGM", "w", date(1980, 1, 31))
    assert (first.ids, first.foreign) == ({"fide": "99000001"}, {"fide": 2100})
    assert first.standing is not None
    assert first.standing.rating == 2050
    assert report.entries[1].name == "Nemo, Seán"
    assert games(report) == [
        (1, "7168", "880", "1-0", "played"),
        (1, "n3", None, "1-0", "bye"),
        (2, "n3", "7168", "1/2-1/2", "played"),
        (3, "880", "n3", "0-1", "forfeit"),
    ]


@pytest.mark.parametrize("suffix", [".trn", ".sco"])
def test_swissperfect_that_is_cut_off(suffix: str) -> None:
    files = foreign.swissperfect()
    files[f"cup{suffix}"] = files[f"cup{suffix}"][:-60]
    reading = read_bytes(foreign.zipped(files))
    refusal((reading.report, reading.findings), "swissperfect.damaged")


# Papi


def test_papi_is_called_by_its_name() -> None:
    reading = read_bytes(foreign.PAPI)
    assert reading.format == "Papi"
    assert "Papi" in refusal((reading.report, reading.findings), "papi.access").message


def test_the_own_file_of_swiss_manager_is_called_by_its_name() -> None:
    reading = read_bytes(foreign.TUN)
    finding = refusal((reading.report, reading.findings), "swiss-manager.own-file")
    assert ".TUN" in finding.message
    assert "TRF16" in finding.remedy


# Workbooks


def test_ods() -> None:
    pytest.importorskip("python_calamine")
    report, _ = report_of(foreign.ODS, "ODS, XLS")
    assert [(g.white, g.black, g.result) for g in report.games] == [
        ("Ann", "Bert", Result.WHITE_WINS),
        ("Bert", "Cleo", Result.DRAW),
    ]
    assert report.games[1].start == date(2024, 1, 3)
    assert {g.status for g in report.games} == {GameStatus.PLAYED}


def test_ods_that_repeats_without_end() -> None:
    pytest.importorskip("python_calamine")
    cell = b'<table:table-cell office:value-type="string">'
    bomb = foreign.ods([["White", "Black", "Result"], ["Ann", "Bert", "1-0"]])
    assert cell in bomb
    row = b"<table:table-row>"
    bomb = bomb.replace(row, b'<table:table-row table:number-rows-repeated="1000000">')
    reading = read_bytes(bomb)
    assert reading.findings.refused


def test_ods_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "python_calamine", None)
    reading = read_bytes(foreign.ODS)
    finding = refusal((reading.report, reading.findings), "workbook.library")
    assert "ratingbook[spreadsheets]" in finding.remedy


# The pages


# Vega


def test_vega_cross_table() -> None:
    report, findings = report_of(foreign.VEGA_TABLE, "Vega")
    assert_sound(report, findings)
    assert (report.event.name, report.event.place) == ("Nowhere Rapid", "Nowhere")
    assert (report.event.start, report.event.end) == (date(2024, 3, 3), date(2024, 3, 4))
    assert [(e.id, e.name, e.title, e.federation) for e in report.entries] == [
        ("1", "Nobody,Ann", "FM", None),
        ("2", "Nemo,Bert B", None, "GER"),
        ("3", "Niemand,Cora", None, "IND"),
        ("4", "Nessuno,Dan", None, None),
    ]
    ratings = [e.standing.rating if e.standing else None for e in report.entries]
    assert ratings == [2125, 1900, None, 810]
    assert [entry.rank for entry in report.entries] == [1, 2, 3, 4]
    numbered = foreign.VEGA_TABLE.replace("\nPos NAME", "\nID  NAME")
    assert {e.rank for e in report_of(numbered, "Vega")[0].entries} == {None}
    assert sorted(games(report), key=str) == sorted([
        (1, "1", "4", "1-0", "played"), (1, "3", "2", "1/2-1/2", "played"),
        (2, "2", "1", "1/2-1/2", "played"), (2, "4", "3", "0-1", "played"),
        (3, "1", "3", "1-0", "forfeit"), (3, "2", None, "1-0", "bye"),
        (3, "4", None, "1/2-1/2", "bye"),
    ], key=str)  # fmt: skip
    assert not codes(findings)


def test_vega_line_that_is_not_understood() -> None:
    reading = read_bytes(foreign.VEGA_TABLE.replace("810     OS", "8x0     OS").encode())
    one(reading.findings, "vega.row", Severity.ERROR)


def test_vega_description() -> None:
    report, findings = report_of(foreign.VEGA_DESCRIPTION, "Vega")
    assert_sound(report, findings)
    assert report.event.kind == "swiss"
    assert (report.event.start, report.event.end) == (date(2009, 12, 18), date(2009, 12, 20))
    assert report.event.time_control == "90 minutes + 30 s of increment for move"
    assert [dict(e.ids) for e in report.entries][:2] == [
        {"fide": "99000001", "national": "121317"},
        {"national": "121318"},
    ]
    assert [e.title for e in report.entries] == ["FM", None, None, None]
    # The rating is FIDE's; the national one is a rating elsewhere.
    assert [e.standing.rating if e.standing else None for e in report.entries] == [
        2291, 1900, None, 1600,
    ]  # fmt: skip
    assert [e.foreign["national"] for e in report.entries] == [2250, 1850, 1500, 1650]
    # 2 is a draw.
    assert sorted(games(report), key=str) == sorted([
        (1, "1", "4", "1-0", "played"), (1, "2", "3", "1/2-1/2", "played"),
        (2, "2", "1", "1/2-1/2", "played"), (2, "4", "3", "0-1", "played"),
        (3, "1", "3", "1-0", "forfeit"), (3, "2", None, "1-0", "bye"),
        (3, "4", None, "1/2-1/2", "bye"),
    ], key=str)  # fmt: skip


def test_vega_12_cross_table() -> None:
    """Byes are PAB, HPB, FPB and ZPB, numbers stand under N, and no bar closes a line."""
    report, findings = report_of(foreign.VEGA_12_TABLE, "Vega")
    assert_sound(report, findings)
    assert (report.event.place, report.event.end) == ("Nowhere", date(2026, 9, 7))
    assert [(e.id, e.name, e.title, e.rank) for e in report.entries] == [
        ("1", "Nobody, Ann", "FM", None), ("2", "Niemand, Zoë", "WFM", None),
        ("3", "Nemo, Bert", None, None), ("4", "Nessuno, Dan", None, None),
    ]  # fmt: skip
    assert sorted(games(report), key=str) == [
        (1, "1", "3", "1-0", "played"), (1, "2", None, "1-0", "bye"),
        (2, "2", "1", "1/2-1/2", "played"), (3, "1", None, "1/2-1/2", "bye"),
        (3, "2", "3", "0-1", "forfeit"),
    ]  # fmt: skip
    assert not codes(findings)


@pytest.mark.parametrize("text", [
    foreign.VEGA_FILE, foreign.VEGA_PAIRS,
    foreign.VEGA_PAIRS.replace("Pairing of round 3 sorted by name", "\n\nStandings at round 3"),
])  # fmt: skip
def test_other_files_of_vega_are_named(text: str) -> None:
    reading = read_bytes(text.encode())
    refusal((reading.report, reading.findings), "vega.other")
    assert "crosstable.txt" in next(iter(reading.findings)).remedy


# Swiss-Manager


def _assert_swiss_manager(report: Report) -> None:
    said = [(e.id, e.name, e.title, e.federation, e.sex, e.club) for e in report.entries]
    assert said == [
        ("1", "Nobody, Ann", "WGM", "SUI", "w", "SC Nirgend"),
        ("2", "Niemand, Zoë", None, "GER", None, None),
        ("3", "Nemo, Bert", "IM", "POL", None, None),
    ]
    assert [e.standing.rating if e.standing else None for e in report.entries] == [2447, None, 2329]
    assert [dict(e.foreign) for e in report.entries] == [
        {"national": 2400}, {"national": 1950}, {},
    ]  # fmt: skip
    assert [dict(e.ids) for e in report.entries] == [{"fide": "99000001"}, {"national": "7168"}, {}]
    assert [(e.birth_date, e.birth_year) for e in report.entries] == [
        (date(1992, 6, 1), None), (None, 1960), (date(1998, 8, 8), None),
    ]  # fmt: skip
    # What a bye of 0:0 will be worth is not known yet, and a 0:0 without K is a game to come.
    assert games(report) == [
        (1, "1", "2", "1-0", "played"), (1, "3", None, "1-0", "bye"),
        (2, "3", "1", "1/2-1/2", "played"), (3, "1", "3", "1-0", "forfeit"),
        (4, "2", "3", "*", "forfeit"), (5, "2", "1", "*", "played"),
    ]  # fmt: skip


@pytest.mark.parametrize("text", [
    foreign.SM_PLAYERS + foreign.SM_PAIRINGS,
    "\ufeff" + foreign.SM_PAIRINGS.replace("\n", "\r\n") + "\r\n" + foreign.SM_PLAYERS,
])  # fmt: skip
def test_swiss_manager_in_one_file(text: str) -> None:
    report, findings = report_of(text, "Swiss-Manager")
    assert_sound(report, findings)
    _assert_swiss_manager(report)
    assert codes(findings) == {
        "event.no-dates": Severity.WARNING, "table.open": Severity.WARNING,
    }  # fmt: skip


@pytest.mark.parametrize("named", ["", "players.txt", "rounds.txt"])
def test_swiss_manager_in_a_folder(tmp_path: Path, named: str) -> None:
    for name, data in foreign.FILES["swiss-manager files"].items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "notes.txt").write_text("Nobody played.")
    reading = read(tmp_path / named)
    assert reading.format == "Swiss-Manager, two files"
    assert reading.report is not None
    _assert_swiss_manager(reading.report)


def test_a_pairing_names_its_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(foreign.SM_PLAYERS)
    (tmp_path / "b.txt").write_text(foreign.SM_PAIRINGS.replace("1;1;0;0;1;2;", "1;1;0;0;1;9;"))
    finding = one(read(tmp_path).findings, "game.opponent", Severity.ERROR)
    assert finding.where.path is not None
    assert finding.where.path.startswith("b.txt!")


def test_of_two_events_in_a_folder_nothing_is_put_together(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(foreign.SM_PLAYERS)
    (tmp_path / "c.txt").write_text(foreign.SM_PAIRINGS)
    reading = read(tmp_path / "c.txt")
    refusal((reading.report, reading.findings), "swiss-manager.half")


@pytest.mark.parametrize(("text", "missing"), [
    (foreign.SM_PLAYERS, "Spielerauslosung"), (foreign.SM_PAIRINGS, "Spielerdaten"),
])  # fmt: skip
def test_one_half_of_swiss_manager(text: str, missing: str) -> None:
    reading = read_bytes(text.encode())
    refusal((reading.report, reading.findings), "swiss-manager.half")
    assert missing in next(iter(reading.findings)).message


@pytest.mark.parametrize(("old", "new", "code"), [
    ("2;1;0;0;3;1;0,5;0,5;", "2;1;0;0;3;1;3;0;", "game.result"),
    ("2;1;0;0;3;1;0,5;0,5;;", "2;1;0;0;3;1;0,5;0,5;K;", "game.result"),
    ("2;1;0;0;3;1;0,5;0,5;;", "2;1;0;0;3;1;0,5;0,5;X;", "game.result"),
    ("2;1;0;0;3;1;", "2;1;0;0;3;x;", "swiss-manager.row"),
    ("2;1;0;0;3;1;", "2;1;0;0;0;1;", "swiss-manager.row"),
    ("2;1;0;0;3;1;", "99999;1;0;0;3;1;", "swiss-manager.row"),
    ("0,5:0,5;0;;", "0,5:0,5;7;;", "swiss-manager.team"),
])  # fmt: skip
def test_swiss_manager_refuses_what_it_does_not_know(old: str, new: str, code: str) -> None:
    text = foreign.SM_PLAYERS + foreign.SM_PAIRINGS
    assert old in text
    reading = read_bytes(text.replace(old, new).encode())
    one(reading.findings, code, Severity.ERROR)


def test_swiss_manager_without_international_ratings_and_rounds() -> None:
    players = foreign.SM_PLAYERS.replace("2447", "0").replace("2329", "0")
    later = "\n".join(foreign.SM_PAIRINGS.splitlines()[:1] + foreign.SM_PAIRINGS.splitlines()[3:])
    report, findings = report_of(players + later, "Swiss-Manager")
    assert [e.standing.rating if e.standing else None for e in report.entries] == [2400, 1950, None]
    one(findings, "swiss-manager.national", Severity.WARNING)
    assert one(findings, "swiss-manager.rounds", Severity.WARNING).message.endswith(": 1.")


# chess-results


def test_chess_results() -> None:
    report, findings = report_of(foreign.CHESS_RESULTS, "chess-results")
    assert_sound(report, findings)
    event = report.event
    assert (event.start, event.end) == (date(2025, 9, 26), date(2025, 9, 28))
    assert event.time_control == "90 min + 30 sec/move, 30 min + 30 sec/move"
    assert (event.kind, event.federation, event.officials) == ("swiss", "GER", ("IA Nobody",))
    assert [(e.name, e.birth_year, e.birth_date, e.sex) for e in report.entries] == [
        ("Nobody,Ann", 1990, None, "w"),
        ("Niemand, Bert", None, date(1980, 2, 1), "m"),
        ("Nemo,Cleo", None, None, "m"),
        ("Nessuno,Dan", None, None, None),
    ]
    # A national rating is none of FIDE.
    ratings = [e.standing.rating if e.standing else None for e in report.entries]
    assert ratings == [2300, 1957, None, None]
    assert [dict(e.foreign) for e in report.entries] == [
        {"national": 2250}, {}, {"national": 1809}, {},
    ]  # fmt: skip
    assert games(report) == [
        (1, "1", "3", "1-0", "played"), (1, "4", "2", "1/2-1/2", "played"),
        (2, "2", "1", "0-1", "forfeit"), (2, "3", None, "1-0", "bye"),
        (3, "1", "4", "*", "played"), (3, "3", "2", "1/2-1/2", "played"),
    ]  # fmt: skip
    assert not report.games[-1].white_rated
    assert codes(findings) == {
        "chess-results.open": Severity.INFO, "chess-results.points": Severity.WARNING,
    }  # fmt: skip
    # 2.5 stands there, and the game that is open would make it 2½ or 3.
    assert "1 Nobody,Ann: 2.5 declared, 2 counted" in codes_message(findings)


def codes_message(findings: Findings) -> str:
    return one(findings, "chess-results.points", Severity.WARNING).message


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('reswhite="0,5"', 'reswhite="2"', "game.result"),
        ('forfeit="U"', 'forfeit="Q"', "game.result"),
        ('whiteno="4" blackno="2"', 'whiteno="4" blackno="9"', "game.opponent"),
        ('whiteno="4" blackno="2"', 'whiteno="4" blackno="1"', "game.twice"),
        ('player no="2"', 'player no="1"', "chess-results.number"),
        ('rtgfide="1957"', 'rtgfide="19S7"', "chess-results.rating"),
    ],
)
def test_chess_results_that_is_not_understood(old: str, new: str, code: str) -> None:
    assert old in foreign.CHESS_RESULTS
    reading = read_bytes(foreign.CHESS_RESULTS.replace(old, new).encode())
    assert codes(reading.findings)[code] is Severity.ERROR


def test_chess_results_with_national_ratings_only() -> None:
    text = re.sub('rtgfide="[0-9]+"', 'rtgfide=""', foreign.CHESS_RESULTS)
    report, findings = report_of(text, "chess-results")
    assert [e.standing.rating if e.standing else None for e in report.entries] == [
        2300, 1957, 1809, None,
    ]  # fmt: skip
    one(findings, "chess-results.national", Severity.WARNING)


# AGAGD


def test_agagd() -> None:
    report, findings = report_of(foreign.AGAGD, "AGAGD")
    assert [(e.id, e.grade) for e in report.entries] == [
        ("99001", "1d"), ("99002", "3k"), ("99003", "2d"),
    ]  # fmt: skip
    told = [
        (g.event, str(g.start), g.white, g.black, g.result.value, g.handicap, g.white_rated)
        for g in report.games
    ]
    assert told == [
        ("nowhere1", "2026-01-01", "99001", "99002", "1-0", 3, True),
        ("nowhere1", "2026-01-01", "99003", "99002", "0-1", 0, True),
        ("nowhere2", "2026-02-01", "99003", "99001", "1-0", 0, True),
        ("nowhere2", "2026-02-01", "99002", "99001", "1-0", 0, False),
        ("nowhere2", "2026-02-02", "99001", "99002", "1-0", 0, False),
    ]
    assert codes(findings) == {"agagd.excluded": Severity.INFO}


def test_agagd_of_players_who_meet_in_one_round_of_two_events() -> None:
    again = foreign.AGAGD.replace("2026-01-01,1,", "2026-01-01,3,")
    report, findings = report_of(again, "AGAGD")
    assert_sound(report, findings)
    assert [g.event for g in report.games if g.round == 3] == ["nowhere1", "nowhere2"]
    assert codes(findings) == {"agagd.excluded": Severity.INFO}


def test_agagd_without_a_winner() -> None:
    reading = read_bytes(foreign.AGAGD.replace("B,0,7.5,W,1,0,0", "B,0,7.5,?,1,0,0").encode())
    one(reading.findings, "agagd.row", Severity.ERROR)


def test_the_page_names_every_finding_of_its_own() -> None:
    page = (DOCS / "other-programs.md").read_text("utf-8")
    for code in ("pairgoth.cancelled", "pairgoth.no-players", "pairgoth.teams", "swisssys.open",
                 "swisssys.aside", "swisssys.no-players", "icu.line", "icu.total", "icu.rounds",
                 "icu.no-players", "swissperfect.damaged", "swissperfect.local", "papi.access",
                 "swiss-manager.own-file", "workbook.library", "workbook.damaged",
                 "chess-results.number",
                 "chess-results.rating", "chess-results.national", "chess-results.points",
                 "chess-results.open", "chess-results.no-players", "vega.row", "vega.other",
                 "swiss-manager.half", "swiss-manager.row", "swiss-manager.team",
                 "swiss-manager.national", "swiss-manager.rounds", "agagd.row",
                 "agagd.excluded"):  # fmt: skip
        assert f"`{code}`" in page, code
    for name in foreign.FILES:
        assert name.split()[0].casefold() in page.casefold()
    assert all(each.name for each in (replace(each) for each in FORMATS.values()))
