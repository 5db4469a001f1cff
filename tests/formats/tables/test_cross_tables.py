"""Cross tables in every notation: the same tournament comes out of each of them."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings

from ratingbook.formats import read as read_file
from ratingbook.formats.tables.read import read_csv
from ratingbook.formats.tools.text import decode
from ratingbook.model import Colour, Game, GameStatus, Report, Severity
from tests.formats.helpers import (
    Edits,
    assert_sound,
    codes,
    damaged,
    edits,
    one,
    reader_of,
    refusal,
    with_code,
)

read = reader_of(read_csv)

TABLE = """\
No,Name,Fed,Rtg,1.Rd,2.Rd,3.Rd,Pts
1,"Doe, Jo",GER,1900,2w1,3b½,4w+,2.5
2,"Roe, Jane",FRA,1800,1b0,4w1,-1,2
3,"Moe, Al",,,4w½,1w½,bye,
4,"Poe, Ed",,1700,3b½,2b0,1b-,½
"""


def told(report: Report) -> list[tuple[object, ...]]:
    return [
        (g.round, g.white, g.black, g.result.value, g.status.value, g.white_rated)
        for g in report.games
    ]


def test_a_cross_table():
    report, findings = read(TABLE)
    assert [
        (e.id, e.name, e.federation, e.standing and e.standing.rating) for e in report.entries
    ] == [
        ("1", "Doe, Jo", "GER", 1900),
        ("2", "Roe, Jane", "FRA", 1800),
        ("3", "Moe, Al", None, None),
        ("4", "Poe, Ed", None, 1700),
    ]
    assert sorted(told(report), key=str) == [
        (1, "1", "2", "1-0", "played", True),
        (1, "3", "4", "1/2-1/2", "played", True),
        (2, "2", "4", "1-0", "played", True),
        (2, "3", "1", "1/2-1/2", "played", True),
        (3, "1", "4", "1-0", "forfeit", False),
        (3, "2", None, "1-0", "bye", False),
        (3, "3", None, "*", "bye", False),
    ]
    assert codes(findings) == {"table.understood": Severity.INFO}
    assert "1.Rd to 3.Rd as rounds" in one(findings, "table.understood", Severity.INFO).message


def test_a_column_with_a_name_as_long_as_a_file_is_told_in_short() -> None:
    text = f"id,name,foreign.{'n' * 9_999}\n1,Doe,1\n\nwhite,black,result\n1,1,1-0\n"
    findings = read(text)[1]
    assert all(len(finding.message) < 500 for finding in findings)
    assert "table.understood" in codes(findings)


# A real tournament, written in each notation


def score(game: Game, colour: Colour) -> int:
    points = game.result.half_points(colour)
    assert points is not None
    return points


Notation = Callable[[int, str, int], str]
NOTATIONS: dict[str, Notation] = {
    "12w1": lambda opponent, colour, points: f"{opponent}{colour}{'0½1'[points]}",
    "12 w 1": lambda opponent, colour, points: f"{opponent} {colour} {'0=1'[points]}",
    "12W1 with halves": lambda o, colour, p: f"{o}{colour.upper()}{['0', '0.5', '1'][p]}",
    "12+/w0": lambda opponent, colour, points: f"{opponent}{'-=+'[points]}/{colour}0",
    "12+": lambda opponent, colour, points: f"{opponent}{'-=+'[points]}",
    "W 12": lambda opponent, colour, points: f"{'LDW'[points]} {opponent}",
    "W12": lambda opponent, colour, points: f"{'LDW'[points]}{opponent}",
    "+12": lambda opponent, colour, points: f"{'-=+'[points]}{opponent}",
    "+12n": lambda o, colour, p: f"{'-=+'[p]}{o}{'B' if colour == 'w' else 'N'}",
    "12s1": lambda o, colour, p: f"{o}{'w' if colour == 'w' else 's'}{'0½1'[p]}",
    "12b1 of Poland": lambda o, colour, p: f"{o}{'b' if colour == 'w' else 'c'}{'0½1'[p]}",
}


def written(report: Report, notation: Notation) -> str:
    """The played games of a report as a cross table."""
    numbers = {entry.id: number for number, entry in enumerate(report.entries, 1)}
    cells: dict[tuple[str, int], str] = {}
    last = 0
    for game in report.games:
        if game.black is None or game.round is None or game.status is not GameStatus.PLAYED:
            continue
        last = max(last, game.round)
        for colour in Colour:
            player, opponent = game.player(colour), game.player(colour.other)
            assert player
            assert opponent
            letter = colour.value[0]
            text = notation(numbers[opponent], letter, score(game, colour))
            cells[player, game.round] = text
    lines = [["No.", "Name", *(f"Rd {number}" for number in range(1, last + 1))]]
    for entry in report.entries:
        rounds = [cells.get((entry.id, number), "") for number in range(1, last + 1)]
        lines.append([str(numbers[entry.id]), f"Player {numbers[entry.id]}", *rounds])
    return "\n".join(";".join(line) for line in lines)


@pytest.mark.parametrize("sample", ["irish_intermediate_champs_2011.tab", "javafo_sample2.trf"])
@pytest.mark.parametrize("notation", NOTATIONS)
def test_a_real_tournament_in_every_notation(notation, sample, reference):
    original = read_file(reference / "samples/trf" / sample).report
    assert original is not None
    numbers = {entry.id: str(number) for number, entry in enumerate(original.entries, 1)}
    games = [g for g in original.games if g.black and g.status is GameStatus.PLAYED]
    assert len(games) > 30
    report, findings = read(written(original, NOTATIONS[notation]))
    assert not findings.refused, list(findings)

    def key(game: Game, white: str, black: str) -> tuple[object, ...]:
        pair = {(white, score(game, Colour.WHITE)), (black, score(game, Colour.BLACK))}
        colourless = notation in ("12+", "W 12", "W12", "+12")
        return (game.round, frozenset(pair), None if colourless else white)

    expected = {key(g, numbers[g.white], numbers[str(g.black)]) for g in games}
    assert {key(g, g.white, str(g.black)) for g in report.games} == expected
    assert len(report.games) == len(games)


def test_unrated_signs_beside_halves():
    report, findings = read("No,Name,1,2\n1,Doe,2w½,2b+\n2,Roe,1b½,1w-\n")
    assert [
        (g.result.value, g.status.value, g.white_rated, g.rated_said) for g in report.games
    ] == [
        ("1/2-1/2", "played", True, False),
        ("0-1", "forfeit", False, False),
    ]
    report, findings = read("No,Name,1,2,3\n1,Doe,2w½,2b+,2w=\n2,Roe,1b½,1w-,1b=\n")
    assert [(g.status.value, g.white_rated, g.rated_said) for g in report.games] == [
        ("played", True, False),
        ("played", False, True),
        ("played", False, True),
    ]
    one(findings, "table.unrated-signs", Severity.INFO)


# By which numbers opponents are named


def test_opponents_named_by_rank_and_not_by_number():
    report, _ = read("Rk,SNo,Name,1.Rd\n1,3,Doe,3w1\n2,2,Roe,bye\n3,1,Moe,1b0\n")
    assert (1, "3", "1", "1-0", "played", True) in told(report)
    report, _ = read("Rk,SNo,Name,1.Rd,2.Rd\n1,2,Doe,1w1,3b1\n2,1,Roe,2b0,\n3,3,Moe,,2w0\n")
    assert told(report) == [
        (1, "2", "1", "1-0", "played", True),
        (2, "3", "2", "0-1", "played", True),
    ]


def test_opponents_whom_rank_and_number_name_alike():
    _, findings = read("Rk,No,Name,R1\n1,2,A,2w1\n2,1,B,1b0\n3,4,C,4w1\n4,3,D,3b0\n")
    assert not findings.refused
    _, findings = read("Rk,No,Name,R1\n1,3,A,2w1\n2,4,B,1b0\n3,1,C,4w1\n4,2,D,3b0\n")
    assert "number or rank" in one(findings, "table.numbering", Severity.ERROR).message


def test_opponents_named_by_row():
    report, findings = read("Name,R1\nDoe,2w1\nRoe,1b0\n")
    assert told(report) == [(1, "Doe", "Roe", "1-0", "played", True)]
    one(findings, "table.rows-counted", Severity.INFO)


def test_opponents_whom_no_number_names():
    _, findings = read("Name,R1\nDoe,12w1\nRoe,11b0\n")
    one(findings, "table.numbering", Severity.ERROR)


def test_ids_beside_numbers():
    report, _ = read("No,ID,FIDE-ID,Name,R1\n1,900,5,Doe,2w1\n2,901,,Roe,1b0\n")
    assert [(e.id, e.ids) for e in report.entries] == [("900", {"fide": "5"}), ("901", {})]
    assert told(report) == [(1, "900", "901", "1-0", "played", True)]


def test_a_number_twice():
    _, findings = read("No,ID,Name,R1\n1,900,Doe,2w1\n2,901,Roe,1b0\n2,902,Moe,\n")
    one(findings, "player.duplicate", Severity.ERROR)


def test_a_list_of_players_beside_a_cross_table():
    report, findings = read(
        "id,name,elo\n900,Doe,1900\n901,Roe,\n\nRk,Name,Elo,R1\n1,Roe,1800,2b1\n2,doe,1900,1w0\n"
    )
    assert told(report) == [(1, "900", "901", "0-1", "played", True)]
    assert [e.standing and e.standing.rating for e in report.entries] == [1900, 1800]
    assert not findings.refused


def test_an_id_that_a_list_of_players_gives_to_somebody_else():
    _, findings = read("id,name\n7,Doe\n8,Roe\n\nid,name,no,R1\n7,Doe,1,2w1\n8,Moe,2,1b0\n")
    message = one(findings, "player.same-id", Severity.ERROR).message
    assert "8: Roe (line 3) and Moe (line 7)" in message


def test_a_table_from_a_site():
    report, findings = read(
        "From https://example.org\nSpring Open\n\n"
        "No;Name;R1\n1;Doe;2w1\n2;Roe;1b0\nAnnotation: x;;\n"
    )
    assert report.event.name == "Spring Open"
    assert len(report.entries) == 2
    one(findings, "table.text", Severity.INFO)
    one(findings, "table.sums", Severity.INFO)


# What is wrong


@pytest.mark.parametrize(
    ("old", "new", "code", "severity", "line", "column", "round_"),
    [
        ("1b0", "1b1", "game.contradiction", Severity.ERROR, 2, 5, 1),
        ("1b0", "4b0", "game.mirror", Severity.ERROR, 2, 5, 1),
        ("1b0", "2b0", "game.self", Severity.ERROR, 3, 5, 1),
        ("1b0", "9b0", "game.opponent", Severity.ERROR, 3, 5, 1),
        ("1b0", "17", "game.result", Severity.ERROR, 3, 5, 1),
        ("1b0", "2011-01-05", "game.result", Severity.ERROR, 3, 5, 1),
        ("1b0", "1w0", "game.colours", Severity.WARNING, 2, 5, 1),
        ("1b-", "1b+", "game.contradiction", Severity.WARNING, 2, 7, 3),
        ("1b-", "", "game.mirror", Severity.WARNING, 2, 7, 3),
        ("4w+", "9w+", "game.opponent", Severity.WARNING, 2, 7, 3),
        (",2.5\n", ",3.5\n", "table.points", Severity.WARNING, 2, 8, None),
    ],
)
def test_what_is_wrong_is_told_where_it_is(old, new, code, severity, line, column, round_):
    assert TABLE.count(old) == 1
    _, findings = read(TABLE.replace(old, new))
    found = [f for f in with_code(findings, code) if f.severity is severity]
    assert found
    where = found[0].where
    assert (where.line, where.column, where.round) == (line, column, round_)
    assert found[0].remedy


def test_colours_of_several_languages():
    _, findings = read("No,Name,1,2\n1,Doe,2w1,2b0\n2,Roe,1n0,1w1\n")
    one(findings, "table.colour-letters", Severity.WARNING)


def test_several_cross_tables_need_ids():
    block = "{}\nNo,{}Name,R1\n1,{}Doe,2w1\n2,{}Roe,1b0\n\n"
    text = block.format("Open", "", "", "") + block.format("Reserve", "", "", "")
    _, findings = read(text)
    assert len(with_code(findings, "table.several")) == 2
    text = block.format("Round robin A", "ID,", "7,", "8,") + block.format("B", "ID,", "9,", "10,")
    report, findings = read(text)
    assert [(g.white, g.black, g.section) for g in report.games][1:] == [("9", "10", "B")]
    assert not findings.refused


# All-play-all

MATRIX = "No,Name,1,2,3,Total\n1,Doe,x,1,½,1½\n2,Roe,0,,+,1\n3,Moe,½,-,*,0.5\n"


def test_all_play_all():
    report, findings = read(MATRIX)
    assert told(report) == [
        (None, "1", "2", "1-0", "played", True),
        (None, "1", "3", "1/2-1/2", "played", True),
        (None, "2", "3", "1-0", "forfeit", False),
    ]
    assert codes(findings) == {"table.understood": Severity.INFO, "game.colours": Severity.INFO}


def test_all_play_all_twice():
    report, _ = read("No,Name,1,2\n1,Doe,,1 ½\n2,Roe,0½,\n")
    assert [game.result.value for game in report.games] == ["1-0", "1/2-1/2"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("x,1", "x,0", "game.contradiction"),
        ("x,1", "x,", "game.mirror"),
        ("x,1", "x,5", "game.result"),
        (",1½\n", ",2½\n", "table.points"),
    ],
)
def test_all_play_all_with_faults(old, new, code):
    _, findings = read(MATRIX.replace(old, new))
    assert code in codes(findings, Severity.ERROR, Severity.WARNING)


def test_a_pair_of_players_who_may_be_a_matrix_or_two_rounds():
    report, _ = read("No,Name,1,2\n1,Doe,2w1,2b1\n2,Roe,1b0,1w0\n")
    assert [(g.round, g.white, g.result.value) for g in report.games] == [
        (1, "1", "1-0"),
        (2, "2", "0-1"),
    ]


# Damage


@settings(deadline=None)
@given(edits(b",", b"\n\n", b"2w1", b"12+", b"bye", b"W 3", b"No", b"Name", b"1", b"id", reach=300))
def test_damaged_tables_are_answered(changes: Edits) -> None:
    assert_sound(*read_csv(decode(damaged(TABLE.encode(), changes))))


@settings(deadline=None)
@given(edits(b",", b"\n", b"1", b"+", b"\xc2\xbd", reach=100))
def test_damaged_matrices_are_answered(changes: Edits) -> None:
    assert_sound(*read_csv(decode(damaged(MATRIX.encode(), changes))))


def test_a_table_of_many_players_is_read_in_a_bearable_time():
    rows = [
        f"{n},Player {n},{n + 1 if n % 2 else n - 1}{'w1' if n % 2 else 'b0'}"
        for n in range(1, 5001)
    ]
    report, findings = read("No,Name,1\n" + "\n".join(rows))
    assert len(report.games) == 2500
    assert not findings.refused


BLANKS = " " * 80_000


@pytest.mark.parametrize(
    ("old", "new"),
    [("1900", f"1900{BLANKS}x"), ("2w1,3b", f"0{BLANKS}x,3b"), ("2w1,3b", f"{'-' * 80_000}x,3b")],
)
def test_hostile_cells_are_read_in_no_time(old, new):
    decoded = decode(TABLE.replace(old, new).encode())
    begun = time.process_time()
    read_csv(decoded)
    assert time.process_time() - begun < 3


def test_an_empty_file_is_refused():
    refusal(read_csv(decode(b"")), "file.empty")


def test_players_are_placed():
    report, _ = read(TABLE)
    place = report.entries[1].place
    assert (place.line, place.column, place.player) == (3, 2, "2")
