"""The lists of ICCF and IECG: a table with semicolons."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.formats.lists import IccfPlayer, IecgPlayer, write_iccf_list, write_iecg_list
from ratingbook.formats.lists.files import Source
from ratingbook.formats.lists.iccf import looks_like_iccf_list, read_iccf_list
from ratingbook.formats.lists.iecg import looks_like_iecg_list, read_iecg_list
from ratingbook.formats.lists.players import Player
from ratingbook.formats.lists.refusal import Refused
from ratingbook.formats.tools.notes import CountedNotes
from ratingbook.model import Findings, Severity, Standing
from tests.formats.helpers import Edits, codes, damaged, edits, one
from tests.formats.lists.samples import iccf_players, iecg_players

ICCF = "ID;Country;Title;Name;Games;Rating;Gender;\r\n"
IECG = "Position;Class position;Number;Name;Country;Rating;TER;Games;Win-draw-loss;\r\n"
READERS = {"iccf": read_iccf_list, "iecg": read_iecg_list}


def read(kind: str, data: bytes | str) -> tuple[list[Player], Findings]:
    raw = data.encode() if isinstance(data, str) else data
    notes, findings, players = CountedNotes(), Findings(), []
    try:
        source = Source(io.BytesIO(raw), "list.csv")
        players = [player for _, player in READERS[kind](source, notes, None)]
    except Refused as refusal:
        findings.extend([refusal.finding])
    findings.extend(notes.findings())
    return players, findings


def test_the_iccf_list() -> None:
    players, findings = read("iccf", ICCF + "123456;AUT;SIM;Doe, Jo;88;2405;F;\r\n")
    assert players == [IccfPlayer("123456", "AUT", "SIM", "Doe, Jo", 88, 2405, "F")]
    listed = players[0].listed()
    assert (listed.entry.sex, listed.entry.federation, listed.entry.title) == ("w", "AUT", "SIM")
    assert listed.standings == {"iccf": Standing(rating=2405, games=88)}
    assert codes(findings) == {}


def test_the_iecg_list() -> None:
    players, findings = read("iecg", IECG + "1;1;77;Doe, Jo;AUT;2105;2080;88;45-23-20;\r\n")
    assert players == [IecgPlayer(1, 1, "77", "Doe, Jo", "AUT", 2105, 2080, 88, 45, 23, 20)]
    (standing,) = players[0].listed().standings.values()
    assert standing == Standing(2105, 88, 45, 23, 20, extra={"ter": 2080})
    assert codes(findings) == {}


def test_a_player_without_a_rating_has_no_standing() -> None:
    players, _ = read("iccf", ICCF + "1;AUT;;Doe, Jo;3;;M;\r\n2;AUT;;Roe, Ri;0;0;;\r\n")
    assert [player.listed().standings for player in players] == [{}, {}]


def test_results_that_are_not_as_many_as_the_games() -> None:
    _, findings = read("iecg", IECG + "1;1;77;Doe, Jo;AUT;2105;2080;88;45-23-19;\r\n")
    one(findings, "iecg-list.games", Severity.INFO)


def test_columns_may_stand_in_another_order_and_the_last_semicolon_may_be_missing() -> None:
    text = "Rating;ID;Name;Country;Games\n2405;9;Doe, Jo;AUT;88\n\n"
    assert read("iccf", text)[0] == [IccfPlayer("9", "AUT", "", "Doe, Jo", 88, 2405)]


def test_a_semicolon_in_a_name() -> None:
    players, findings = read("iccf", ICCF + "9;AUT;;Doe; Jo;88;2405;M;\r\n")
    assert players[0].name == "Doe; Jo"
    one(findings, "list.semicolon", Severity.INFO)


@pytest.mark.parametrize(
    "bad", ["9;AUT;;Doe", ";AUT;;Doe, Jo;88;2405;M;", "9;AUT;;Doe, Jo;x;2405;M;", "9;A;;D;8;-1;M;"]
)
def test_a_line_that_cannot_be_read_is_left_out_and_told(bad: str) -> None:
    players, findings = read("iccf", f"{ICCF}{bad}\r\n10;AUT;;Roe, Ri;88;2405;M;\r\n")
    assert [player.id for player in players] == ["10"]
    assert one(findings, "list.row", Severity.WARNING).where.line == 2


@pytest.mark.parametrize("text", ["", "\n", "ID;Name;\n1;Doe;\n"])
def test_a_list_without_its_columns_is_refused(text: str) -> None:
    players, findings = read("iccf", text)
    assert players == []
    one(findings, "list.header", Severity.FATAL)


def test_the_beginnings() -> None:
    assert looks_like_iccf_list(ICCF)
    assert looks_like_iecg_list(IECG)
    assert not looks_like_iccf_list(IECG)
    assert not looks_like_iecg_list(ICCF)
    assert not looks_like_iccf_list("id;country;name;games;rating\n")


@settings(max_examples=150, deadline=None)
@given(st.lists(iccf_players(), max_size=5))
def test_read_write_read_iccf(players: list[IccfPlayer]) -> None:
    out = io.BytesIO()
    assert not len(write_iccf_list(players, out))
    again, _ = read("iccf", out.getvalue())
    assert again == players


@settings(max_examples=150, deadline=None)
@given(st.lists(iecg_players(), max_size=5))
def test_read_write_read_iecg(players: list[IecgPlayer]) -> None:
    out = io.BytesIO()
    assert not len(write_iecg_list(players, out))
    again, _ = read("iecg", out.getvalue())
    assert again == players


def test_no_cell_is_a_formula() -> None:
    out = io.BytesIO()
    write_iccf_list([IccfPlayer("1", "=A1", "+x", "@SUM(1)", 1, 2000)], out)
    cells = out.getvalue().decode().splitlines()[1].split(";")
    assert cells[1:4] == ["'=A1", "'+x", "'@SUM(1)"]


def test_what_the_list_cannot_hold_is_told() -> None:
    out = io.BytesIO()
    findings = write_iccf_list(
        [IccfPlayer("1", name="Doe;\nJo", games=10**9), IccfPlayer("no number")], out
    )
    assert set(codes(findings)) == {"list.changed-text", "list.out-of-range", "list.number"}
    assert read("iccf", out.getvalue())[0] == [IccfPlayer("1", name="Doe, Jo")]


@settings(max_examples=100, deadline=None)
@given(edits(b";", b"\xfc", b"\0", b"\n", b"=", reach=300), st.sampled_from(["iccf", "iecg"]))
def test_damage_gives_findings_and_no_exception(changes: Edits, kind: str) -> None:
    data = {
        "iccf": ICCF + "9;AUT;;Doe, Jo;88;2405;M;\r\n" * 3,
        "iecg": IECG + "1;1;77;Doe, Jo;AUT;2105;2080;88;45-23-20;\r\n" * 3,
    }[kind]
    players, findings = read(kind, damaged(data.encode(), changes))
    assert all(finding.message and finding.remedy for finding in findings)
    assert all(player.id for player in players)
