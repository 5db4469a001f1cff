"""The players file: as organisers write it, and what it says."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.formats import read_text
from ratingbook.formats.document.read import MAX_FAULTS
from ratingbook.formats.players import output_of_rate, read_players
from ratingbook.model import Entry, Finding, Findings, Severity, Standing
from ratingbook.rules.registry import load
from tests.formats.players_files import one, read

CSV = "id,name,rating,games,reached_2400\n1,Alpha Anna,2420,412,true\n2,Bravo Ben,2385,655,false\n"


def found(text: str, code: str, severity: Severity) -> Finding:
    """The only finding of a players file."""
    return one(read_players(text)[1], code, severity)


def in_file(tmp_path: Path, data: bytes) -> tuple[dict[str, Entry], Findings]:
    """What becomes of a players file with these bytes."""
    path = tmp_path / "players.csv"
    path.write_bytes(data)
    text, findings = read_text(path)
    if text is None:
        assert findings.refused
        return {}, findings
    players, more = read_players(text)
    findings.extend(more)
    return players, findings


# CSV


def test_csv():
    players = read(CSV)
    assert list(players) == ["1", "2"]
    assert players["1"].name == "Alpha Anna"
    assert players["1"].standing == Standing(2420, 412, extra={"reached_2400": True})
    assert players["2"].standing == Standing(2385, 655, extra={"reached_2400": False})


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_csv_as_spreadsheets_write_it(tmp_path, separator, line_end, encoding):
    text = CSV.replace(",", separator).replace("\n", line_end)
    players, findings = in_file(tmp_path, text.encode(encoding))
    assert list(findings) == []
    assert players == read(CSV)


def test_csv_of_a_spreadsheet_before_utf_8(tmp_path):
    players, findings = in_file(tmp_path, "id;name;rating\n1;Müller;1500\n".encode("latin-1"))
    assert players["1"].name == "Müller"
    one(findings, "text.encoding", Severity.INFO)


def test_quoted_cells():
    players = read('"id","name","rating"\n"1","Alpha, ""Anna""","2420"\n"2","Bravo\nBen",2385\n')
    assert players["1"].name == 'Alpha, "Anna"'
    assert players["2"].name == "Bravo Ben"
    assert players["2"].standing == Standing(2385)


def test_blanks_empty_cells_short_and_empty_lines():
    players = read("\nid , rating, games,name\n 1 , 2420 ,,\n\n,,,\n2\n007,1500,12,James\n")
    assert list(players) == ["1", "2", "007"]
    assert players["1"].standing == Standing(2420)
    assert players["2"].standing is None
    assert players["007"].standing == Standing(1500, 12)


def test_every_kind_of_column():
    text = (
        "id;federation;sex;birth_date;adult;grade;rating;wins;status;peak;highest_grade\n"
        "GER-7;GER;w;1996-04-01;no;3k;-45.5;12;provisional;1800;2k\n"
    )
    entry = read(text)["GER-7"]
    assert (entry.federation, entry.sex, entry.grade, entry.adult) == ("GER", "w", "3k", False)
    assert entry.birth_date == date(1996, 4, 1)
    assert entry.standing is not None
    assert (entry.standing.rating, entry.standing.wins) == (-45.5, 12)
    assert entry.standing.status == "provisional"
    assert entry.standing.extra == {"peak": 1800, "highest_grade": "2k"}


def test_a_rule_book_may_read_more_columns():
    players, findings = read_players(
        "id,league,level\n1,north,3\n", {"league": object, "level": object}
    )
    assert list(findings) == []
    assert players["1"].standing == Standing(extra={"league": "north", "level": 3})


@pytest.mark.parametrize(
    "text", ["id,shirt,rating\n1,Rooks,2500\n2,Kings,2400\n", "id,rating,\n1,2500\n"]
)
def test_an_unknown_column_is_one_finding(text):
    finding = found(text, "players.unknown-column", Severity.WARNING)
    assert finding.where.line == 1
    assert "rating" in finding.remedy
    standing = read_players(text)[0]["1"].standing
    assert standing == Standing(2500)


def test_an_unknown_column_is_named():
    finding = found("id,shirt\n1,Rooks\n", "players.unknown-column", Severity.WARNING)
    assert "shirt" in finding.message


@pytest.mark.parametrize(
    "number",
    ["12O0", "1,200", "1_200", "١٢٠٠", "1e3", "nan", "inf", "--5", "1" * 30, "9" * 5_000, "0x1F"],
    ids=lambda number: number[:10],
)
def test_a_bad_number_is_refused_with_its_line(number):
    finding = found(f'id;rating\n1;1500\n2;"{number}"\n', "report.bad-value", Severity.ERROR)
    assert finding.where.line == 3
    assert finding.where.player == "2"
    assert "rating" in str(finding.where)


@pytest.mark.parametrize(
    ("column", "cell"),
    [("games", "-1"), ("games", "2.5"), ("birth_date", "31.14.1996"), ("adult", "maybe"),
     ("sex", "x"), ("status", "old")],
)  # fmt: skip
def test_other_bad_cells_are_refused_with_their_line(column, cell):
    finding = found(f"id,{column}\n\n1,{cell}\n", "report.bad-value", Severity.ERROR)
    assert finding.where.line == 3


def test_a_line_without_an_id():
    finding = found("id,rating\n,1500\n", "report.missing-key", Severity.ERROR)
    assert finding.where.line == 2


def test_no_column_id():
    finding = found("number,rating\n1,1500\n", "players.no-id", Severity.FATAL)
    assert finding.where.line == 1
    assert "id" in finding.remedy


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Name,FIDE ID,Rating\nDoe,12,1500\nRoe,,1600\n", ["12", "Roe"]),
        ("Rating,Name\n1500,Doe\n", ["Doe"]),
        # Of two registers nothing says which number is whose id; names are there.
        ("name,ids.fide,ids.uscf,rating\nDoe,12,34,1500\n", ["Doe"]),
        ("id,name,ids.fide,rating\n7,Doe,12,1500\n", ["7"]),
    ],
)
def test_without_a_column_id_the_number_of_the_register_or_the_name_is_it(text, ids):
    players, findings = read_players(text)
    assert not findings.refused
    assert [entry.id for entry in players.values()] == ids


def test_a_key_of_a_standing_in_other_letters():
    players, _ = read_players("ID,Rating,K\n7,1500,40\n", {"k": int})
    assert players["7"].standing == Standing(1500, extra={"k": 40})


def test_a_column_that_stands_twice():
    finding = found("id,rating,rating\n1,1500,1600\n", "players.repeated-column", Severity.FATAL)
    assert finding.where.line == 1


def test_a_line_with_too_many_cells():
    text = "id,name,rating\n1,Alpha, Anna,2420\n2,Bravo,2385\n"
    finding = found(text, "players.columns", Severity.ERROR)
    assert finding.where.line == 2


@pytest.mark.parametrize("text", ['id,name\n1,"Alpha\n2,Bravo\n', 'id,name\n1,"Alpha" Anna\n'])
def test_a_quotation_mark_without_its_pair(text):
    finding = found(text, "players.csv", Severity.FATAL)
    assert finding.where.line in (2, 3)


def test_the_same_player_twice():
    finding = found("id,rating\n1,1500\n2,1600\n1,1700\n", "players.duplicate", Severity.ERROR)
    assert finding.where.line == 4
    assert finding.where.player == "1"


def test_a_header_alone():
    found("id,rating\n", "players.none", Severity.WARNING)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file.empty"),
        (b" \r\n\r\n", "file.empty"),
        (b"\xef\xbb\xbf", "file.empty"),
        (bytes(range(256)) * 20, "file.binary"),
        (b"PK\x03\x04\x14\0\x06\0", "file.binary"),
        ('[{"id": "1", "name": "Müller"}]'.encode("latin-1"), "json.encoding"),
        ('[{"id": "1"}]'.encode("utf-16"), "json.encoding"),
    ],
)
def test_what_is_no_players_file(tmp_path, data, code):
    players, findings = in_file(tmp_path, data)
    assert players == {}
    assert code in [finding.code for finding in findings if finding.severity is Severity.FATAL]


def test_after_very_many_faults_nothing_more_is_read():
    text = "id,rating\n" + "".join(f"{n},x\n" for n in range(3 * MAX_FAULTS))
    players, findings = read_players(text)
    assert players == {}
    assert len(findings) == MAX_FAULTS + 1


# JSON


PLAYERS: list[dict[str, Any]] = [
    {"id": "1", "name": "Alpha Anna", "standing": {"rating": 2420, "games": 412}},
    {"id": "2", "standing": {"rating": 2385, "reached_2400": True}},
]
FLAT = [{key: value for key, value in player.items() if key != "standing"} | player["standing"]
        for player in PLAYERS]  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        PLAYERS,
        FLAT,
        {"players": PLAYERS},
        {"players": FLAT},
        {"ratingbook": "report/1", "players": PLAYERS, "games": []},
    ],
    ids=["nested list", "flat list", "nested players", "flat players", "report document"],
)
def test_json(data):
    players = read(json.dumps(data))
    assert list(players) == ["1", "2"]
    assert players["1"].name == "Alpha Anna"
    assert players["1"].standing == Standing(2420, 412)
    assert players["2"].standing == Standing(2385, extra={"reached_2400": True})


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ([{"id": "1", "rating": "2420"}], "report.bad-value"),
        ([{"rating": 2420}], "report.missing-key"),
        ([5], "report.bad-value"),
        ([None], "report.bad-value"),
        ([{"id": "1", "standing": []}], "report.bad-value"),
        ([{"id": "1"}, {"id": 1}], "players.duplicate"),
        ({"player": []}, "players.shape"),
        ({"players": {}}, "players.shape"),
        ({}, "players.shape"),
    ],
)
def test_json_that_is_refused(data, code):
    _, findings = read_players(json.dumps(data))
    (finding,) = findings
    assert finding.code == code
    assert finding.severity.refuses
    assert finding.remedy


@pytest.mark.parametrize(
    "text",
    ["[", '[{"id": "1", "rating": NaN}]', '[{"id": ' + "1" * 5_000 + "}]", "[" * 100_000,
     "{'id': 1}"],
    ids=["cut off", "NaN", "digits", "deep", "quotes"],
)  # fmt: skip
def test_what_is_no_json_is_refused(text):
    finding = found(text, "json.syntax", Severity.FATAL)
    assert finding.message


def test_an_unknown_key_of_json_is_one_finding():
    text = json.dumps([{"id": n, "rating": 2000, "shirt": "Rooks"} for n in range(50)])
    finding = found(text, "report.unknown-key", Severity.WARNING)
    assert "shirt" in finding.message
    assert finding.where.path == "[0].shirt"


def test_an_empty_list():
    found("[]", "players.none", Severity.WARNING)


@settings(max_examples=300, deadline=None)
@given(
    st.text(max_size=60)
    | st.text("id,;\t\"\n\r0159.-x'", max_size=60).map(lambda text: "id,rating,games\n" + text)
    | st.text('[]{}"id:,0123e-.', max_size=60)
)
def test_any_text_is_read_without_an_exception(text):
    players, findings = read_players(text)
    assert players or len(findings)


def test_of_several_rows_of_rate_the_last_holds_the_standing():
    rows = [
        {"id": "1", "section": "A", "games": 4, "standing": {"rating": 1510.25, "games": 34}},
        {"id": "2", "section": "A", "games": 4, "standing": {"rating": 1600, "games": 44}},
        {"id": "1", "section": "B", "games": 3, "standing": {"rating": 1499.75, "games": 37}},
    ]
    text = json.dumps({"rulebook": "uscf-2025", "players": rows})
    players = read(text)
    assert {name: entry.standing for name, entry in players.items()} == {
        "1": Standing(1499.75, 37),
        "2": Standing(1600, 44),
    }
    assert players["1"].place.path == "players[2]"
    assert output_of_rate(text) == ("uscf-2025", {"1": 7, "2": 4})


def test_what_a_rule_book_says_that_a_key_holds():
    text = "id,rating,league,seen\n1,1500,007,yes\n"
    players, findings = read_players(text, {"league": str, "seen": bool})
    assert list(findings) == []
    assert players["1"].standing == Standing(1500, extra={"league": "007", "seen": True})
    _, findings = read_players(text, {"league": str, "seen": int})
    assert [finding.code for finding in findings] == ["report.bad-value"]


def test_a_file_may_serve_several_federations():
    """FIDE's edition does not read the key of IECG, and knows that it is one."""
    told: dict[str, list[str]] = {}
    for key in ("ter", "tre"):
        for text in (f"id,rating,{key}\n1,1500,70\n", f'[{{"id": "1", "{key}": 70}}]'):
            _, findings = read_players(text, load("fide-2009").standing_fields)
            told.setdefault(key, []).extend(finding.code for finding in findings)
    assert told == {"ter": [], "tre": ["players.unknown-column", "report.unknown-key"]}


def test_columns_may_have_the_words_of_tables():
    players, findings = read_players("ID;Elo;Spieler;FIDE-ID\n7;2100;Ash, Al;4100001\n")
    one(findings, "players.understood", Severity.INFO)
    entry = players["7"]
    assert (entry.name, entry.ids) == ("Ash, Al", {"fide": "4100001"})
    assert entry.standing == Standing(2100)


@pytest.mark.parametrize("word", ["Games", "GAMES", "Partien", "Gms"])
def test_games_of_a_players_file_are_those_before(word: str) -> None:
    """In a cross table the word says how many were played in the event, which nobody asks."""
    players, findings = read_players(f"ID;Elo;{word}\n7;2100;31\n")
    assert not any(each.severity is Severity.WARNING for each in findings)
    assert players["7"].standing == Standing(2100, 31)


def test_columns_of_players_may_be_said() -> None:
    said = {"rating": "Zahl", "games": "Anzahl"}
    players, _ = read_players("id;Zahl;Anzahl\n7;2100;31\n", columns=said)
    assert players["7"].standing == Standing(2100, 31)
    assert read_players("id;rating\n7;2100\n", columns=said)[0]["7"].standing == Standing(2100)


def test_a_national_list_of_swiss_manager_as_players() -> None:
    """Its headings, M and F in capitals, and days with the day first."""
    text = (
        "ID_No;Name;Fed;Sex;Clubnumber;ClubName;Birthday;Rtg_Nat;Fide_No;Rtg_Int;Title;Type;K;\n"
        "7;Nobody, Ann;BRA;F;1;Nowhere;31/12/1980;1800;99000001;1850;;;20;\n"
        "8;Nemo, Bert;BRA;M;1;Nowhere;1979-02-28;1700;99000002;1750;;;20;\n"
    )
    players, findings = read_players(text)
    assert not findings.refused
    assert [(e.id, e.sex, e.birth_date) for e in players.values()] == [
        ("7", "w", date(1980, 12, 31)), ("8", "m", date(1979, 2, 28)),
    ]  # fmt: skip
    assert [e.standing.rating for e in players.values() if e.standing] == [1800, 1700]


@pytest.mark.parametrize("header", ["born", "Geburtsdatum", "birth_date"])
def test_a_year_of_birth_alone_is_a_year(header: str) -> None:
    players, findings = read_players(f"id,{header},rating\n7,1980,2100\n8,1990-02-03,2000\n")
    assert not findings.refused, list(findings)
    assert (players["7"].birth_year, players["7"].birth_date) == (1980, None)
    assert players["8"].birth_date == date(1990, 2, 3)


def test_a_very_long_heading_is_told_in_part() -> None:
    _, findings = read_players(f"id,Name,Elo{'.' * 5000}\na,Doe,1500\n")
    message = one(findings, "players.understood", Severity.INFO).message
    assert "Elo..." in message
    assert len(message) < 300


def test_what_tables_of_reports_call_extra_is_known():
    text = "id,name,rating,games,extra.peak\n7,Alpha,1500,30,1720\n"
    players, findings = read_players(text, {"peak": float})
    assert {each.code for each in findings} == {"players.understood"}
    standing = players["7"].standing
    assert standing is not None
    assert standing.extra == {"peak": 1720}
