"""Cross tables: each notation as its federation writes it, and who stands where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingbook.desk.cross_table import (
    NOTATIONS,
    CrossTable,
    Meeting,
    cross_tables,
    go,
    icu,
    notation_of,
    trf,
    us_chess,
)
from ratingbook.engine.rate import rate
from ratingbook.formats import read
from ratingbook.formats.document.read import report_from
from ratingbook.model import Colour, Entry, Event, Game, GameStatus, Report, Result
from ratingbook.rules import registry

ROOT = Path(__file__).parents[2]
SPRING_OPEN = ROOT / "examples" / "reports" / "spring-open.trf"
CLUB_OPEN = ROOT / "examples" / "reports" / "club-open-2c"


def meeting(
    half_points: int | None = 2,
    opponent: int | None = 12,
    *,
    colour: Colour = Colour.WHITE,
    status: GameStatus = GameStatus.PLAYED,
    handicap: int = 0,
    rated: bool = True,
) -> Meeting:
    return Meeting(opponent, "Doe, Jo", 3, colour, half_points, status, handicap, rated, False)


def unrated(half_points: int | None, **more) -> Meeting:
    return meeting(half_points, rated=False, **more)


def forfeit(half_points: int | None) -> Meeting:
    return unrated(half_points, status=GameStatus.FORFEIT)


def bye(half_points: int | None) -> Meeting:
    return unrated(half_points, opponent=None, status=GameStatus.BYE)


CASES = [
    (meeting(2), "W 12", "12+/w0", "12 w 1", "1"),
    (meeting(1, colour=Colour.BLACK), "D 12", "12=/b0", "12 b =", "½"),
    (meeting(0, colour=Colour.BLACK, handicap=2), "L 12", "12-/b2", "12 b 0", "0"),
    (meeting(None), "? 12", "12?/w0", "12 w ?", "?"),
    (unrated(2), "W 12°", "12+/w0°", "12 w W", "+"),
    (unrated(1), "D 12°", "12=/w0°", "12 w D", "="),
    (unrated(0), "L 12°", "12-/w0°", "12 w L", "−"),
    (unrated(None), "? 12°", "12?/w0°", "12 w ?", "?"),
    (forfeit(2), "X 12", "12+!w0", "12 w +", "+"),
    (forfeit(0), "F 12", "12-!w0", "12 w -", "−"),
    (forfeit(None), "F 12", "12-!w0", "12 w -", "−"),
    (bye(2), "B", "0+", "0000 - F", "+"),
    (bye(1), "H", "0=", "0000 - H", "="),
    (bye(0), "U", "0-", "0000 - Z", "−"),
    (bye(None), "U", "0-", "0000 - Z", "−"),
]


@pytest.mark.parametrize("case", CASES)
def test_the_notations(case):
    half, *expected = case
    assert [us_chess(half), go(half), trf(half), icu(half)] == expected


MEETINGS = st.builds(
    Meeting,
    opponent=st.none() | st.integers(1, 999),
    name=st.text(),
    round=st.none() | st.integers(1, 99),
    colour=st.sampled_from(Colour),
    half_points=st.sampled_from([None, 0, 1, 2]),
    status=st.sampled_from(GameStatus),
    handicap=st.integers(0, 9),
    rated=st.booleans(),
    substituted=st.booleans(),
)


@given(MEETINGS)
def test_no_cell_holds_what_parts_the_notations_on_the_page(half):
    for notation in NOTATIONS:
        text = notation.write(half)
        assert text
        assert "|" not in text


@given(MEETINGS)
def test_the_words_are_one_printable_line(half):
    assert half.title.isprintable()


def test_the_words():
    assert meeting(0, handicap=2).title == "Round 3: white against 12 Doe, Jo, lost, handicap 2"
    assert forfeit(2).title == (
        "Round 3: white against 12 Doe, Jo, won, forfeit, not rated for this player"
    )
    assert bye(1).title == "Round 3: no opponent, points ½"


@pytest.mark.parametrize(
    ("name", "notation"),
    [("uscf-2025", us_chess), ("egf-2021", go), ("fide-2009", trf), ("iccf-2009", trf)],
)
def test_the_notation_of_a_federation(name, notation):
    assert NOTATIONS[notation_of(registry.load(name))].write is notation


def tables(path: Path, rulebook: str) -> list[CrossTable]:
    book = registry.load(rulebook)
    report = read(path, book.standing_fields).report
    assert report is not None
    return list(cross_tables(report, rate(report, book).rows))


def test_a_go_table_is_the_wall_list_that_was_read(reference):
    """The cells are those of the file, which another program has written."""
    path = reference / "samples" / "go" / "juvisy2019.h9"
    wall = [
        re.findall(r"\b\d+[+=-](?:/[wb]\d)?", line[62:])
        for line in path.read_text("latin-1").splitlines()
        if not line.startswith(";")
    ]
    (table,) = tables(path, "egf-2021")
    ours = [[go(cell[0]) for cell in line.cells] for line in table.lines]
    assert ours == [line[-4:] for line in wall]
    assert table.in_order_of_report


def test_a_chess_table_names_the_opponents_of_the_file():
    """The file numbers players by starting rank, the table by its own lines."""
    (table,) = tables(SPRING_OPEN, "fide-2009")
    ids = {line.number: line.entry.id for line in table.lines}
    lines = {
        line[4:8].strip(): line
        for line in SPRING_OPEN.read_text().splitlines()
        if line.startswith("001 ")
    }
    seen, played = 0, str.maketrans("WDL", "1=0")
    for line in table.lines:
        assert f"{line.points:.1f}" == lines[line.entry.id][80:84].strip()
        for number, cell in zip(table.rounds, line.cells, strict=True):
            assert number is not None
            said = lines[line.entry.id][91 + 10 * (number - 1) :][:8].split()
            for half in cell:
                if half.opponent is not None:
                    assert [ids[half.opponent], half.colour.value[0]] == said[:2]
                    assert trf(half).split()[2].translate(played) == said[2]
                    seen += 1
    assert seen == 2 * 41


def test_in_the_order_of_the_final_table_of_the_file():
    """The last columns of the records 001: players 5, 6 and 7 have 4 points each."""
    (table,) = tables(SPRING_OPEN, "fide-2009")
    ids = [line.entry.id for line in table.lines]
    assert ids == ["2", "1", "3", "5", "6", "7", "4", "11", "8", "9", "12", "10"]
    assert table.in_order_of_report


def test_in_order_of_points_then_of_the_new_rating(tmp_path):
    """Where the file has no places."""
    lines = SPRING_OPEN.read_text("utf-8").splitlines()
    bare = [f"{line[:85]}    {line[89:]}" if line[:3] == "001" else line for line in lines]
    (tmp_path / "bare.trf").write_text("\n".join(bare), "utf-8")
    (table,) = tables(tmp_path / "bare.trf", "fide-2009")
    keys = [
        (-line.points, -((line.rated.row.after if line.rated else None) or 0))
        for line in table.lines
    ]
    assert keys == sorted(keys)
    assert not table.in_order_of_report


def test_what_the_rules_leave_out_is_not_rated():
    """Player 1 won by forfeit; player 11 has no rating, so nobody's game against 11 is rated."""
    (table,) = tables(SPRING_OPEN, "fide-2009")
    by_id = {line.entry.id: line for line in table.lines}
    number = by_id["11"].number
    against = [m for line in table.lines for cell in line.cells for m in cell
               if m.opponent == number]  # fmt: skip
    assert against
    assert not any(half.rated for half in against)
    assert [half.rated for (half,) in by_id["1"].cells] == [
        True, True, True, False, True, True, True
    ]  # fmt: skip


@pytest.mark.parametrize("name", registry.names())
def test_as_many_games_are_rated_as_the_row_says(name):
    """Over the worked examples of every edition."""
    book = registry.edition(name)
    for example in book.text.examples:
        report = report_from(example.document, book.standing_fields)
        for rated in rate(report, book).rows:
            assert len(rated.counted) == rated.row.games
            assert {*rated.counted} <= {*report.games}


def test_a_table_for_each_section():
    open_, reserve = tables(CLUB_OPEN, "uscf-2025")
    assert [open_.section, reserve.section] == ["OPEN", "RESERVE"]
    assert len(open_.lines) + len(reserve.lines) == 11
    assert [line.number for line in reserve.lines] == [1, 2, 3, 4, 5]


def test_a_player_who_entered_again_has_both_in_one_cell():
    """CEDAR, CARL lost round 1, entered again, and took a half-point bye for it."""
    cedar = next(line for line in tables(CLUB_OPEN, "uscf-2025")[0].lines
                 if line.entry.name == "CEDAR, CARL")  # fmt: skip
    assert [us_chess(half) for half in cedar.cells[0]] == ["L 2", "H"]


def period(*events: str) -> list[CrossTable]:
    book = registry.load("iccf-2009")
    document = {
        "ratingbook": "report/1",
        "event": {"start": "2009-01-01", "end": "2009-03-31"},
        "players": [
            {"id": name, "name": f"Doe, {name}", "standing": {"rating": 2200, "games": 50}}
            for name in "ABC"
        ],
        "games": [
            {"event": event, "white": "A", "black": black, "result": "1-0"}
            for event, black in zip(events, "BC", strict=True)
        ],
    }
    report = report_from(document, book.standing_fields)
    return list(cross_tables(report, rate(report, book).rows))


def test_a_period_has_a_table_for_each_of_its_events():
    first, second = period("Cup 1", "Cup 2")
    assert [first.event, second.event] == ["Cup 1", "Cup 2"]
    assert [[line.entry.id for line in t.lines] for t in (first, second)] == [
        ["A", "B"], ["A", "C"]
    ]  # fmt: skip
    assert first.rounds == (None,)
    assert first.lines[0].rated is second.lines[0].rated


def test_games_without_a_round_stand_in_one_cell():
    (table,) = period("Cup 1", "Cup 1")
    assert [len(line.cells[0]) for line in table.lines] == [2, 1, 1]


def test_the_point_of_a_substitute_is_of_who_played():
    """In the line of whom he replaced the game stands, marked, without its point."""
    entries = tuple(Entry(each, name=each) for each in ("ann", "ben", "eve"))
    report = Report(Event(), entries, (Game("ann", "ben", Result.WHITE_WINS, white_for="eve"),))
    (table,) = cross_tables(report, [])
    assert {line.entry.id: line.points for line in table.lines} == {"ann": 1, "ben": 0, "eve": 0}
    marks = {line.entry.id: line.cells[0][0].mark for line in table.lines}
    assert marks == {"ann": "", "ben": "", "eve": "†"}
    assert table.with_substitutes
