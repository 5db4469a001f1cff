"""The cross table of US Chess as text; all players are invented."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.engine.intake import check_report
from ratingbook.formats import read
from ratingbook.formats.fide.trf.read import looks_like_trf
from ratingbook.formats.tools.text import decode
from ratingbook.formats.uschess.cross_table import looks_like_cross_table, read_cross_table
from ratingbook.model import (
    Findings,
    GameStatus,
    Report,
    Result,
    Severity,
    Standing,
    StandingStatus,
)
from tests.formats.helpers import assert_sound, codes, one, reader_of, refusal, with_code

DATA = Path(__file__).parents[2] / "data" / "uschess"
CLUB_OPEN, DUAL_QUADS = "club-open.txt", "dual-quads.txt"
ROOT = Path(__file__).parents[3]
TWO_C = ROOT / "examples" / "reports" / "club-open-2c"

HEADING = """
 Pair | Player Name                     |Total|Round|Round|
 Num  | USCF ID / Rtg (Pre->Post)       | Pts |  1  |  2  |
"""


def lines(pair: int, results: str, rating: str = "R: 1500   ->1500", points: str = "") -> str:
    """The two lines of a player; results and colours are separated by blanks."""
    cells = "".join(f"{text:5}|" for text in results.split())
    return (
        f"{pair:5} | PLAYER {'ABCDEFGHI'[pair % 9]:25}|{points:5}|{cells}\n"
        f"   NY | 9000{pair:04} / {rating:21}|     |{'     |' * len(results.split())}\n"
    )


read_text = reader_of(read_cross_table)


def read_sample(name: str) -> tuple[Report, Findings]:
    answer = read(DATA / name)
    assert answer.format == "US Chess cross table"
    assert answer.report is not None
    return answer.report, answer.findings


def before(text: str) -> Standing | None:
    """The standing of a player with this rating."""
    report, _ = read_text(HEADING + lines(1, "W2 U", text) + lines(2, "L1 U"))
    return report.entries[0].standing


# Whole tables


def test_sections_byes_forfeits_and_a_re_entry():
    report, findings = read_sample(CLUB_OPEN)
    assert [s.name for s in report.sections()] == ["OPEN", "RESERVE"]
    assert (report.event.federation, report.event.pool) == ("USA", "regular")
    assert [e.id for e in report.entries] == [
        *(f"9000000{n}" for n in range(1, 9)),
        "pair-3",
    ]
    assert report.entry("90000001").name == "MARY MAPLE"
    assert report.entry("90000001").ids == {"uscf": "90000001"}
    assert report.entry("pair-3").ids == {}
    assert report.entry("90000006").standing is None
    byes = [g for g in report.games if g.status is GameStatus.BYE]
    assert [(g.section, g.round, g.white, g.result) for g in byes] == [
        ("OPEN", 1, "90000005", Result.DRAW),
        ("OPEN", 3, "90000003", Result.WHITE_WINS),
        ("OPEN", 4, "90000006", Result.WHITE_WINS),
        ("RESERVE", 1, "pair-3", Result.WHITE_WINS),
        ("RESERVE", 2, "90000007", Result.DRAW),
    ]
    (forfeit,) = [g for g in report.games if g.status is GameStatus.FORFEIT]
    assert (forfeit.white, forfeit.black, forfeit.white_rated) == ("90000008", "pair-3", False)
    assert sum(g.white_rated for g in report.games) == 11
    assert codes(findings) == {
        "uschess.no-member": Severity.WARNING,
        "uschess.after": Severity.INFO,
        "uschess.forfeit": Severity.INFO,
        "uschess.re-entry": Severity.INFO,
        "uschess.text": Severity.INFO,
    }
    assert not check_report(report).refused


def test_the_table_and_the_2c_report_of_one_section_have_the_same_games():
    table = read_sample(CLUB_OPEN)[0]
    report = read(TWO_C).report
    assert report is not None

    def rated(games_of: Report) -> list[tuple[object, ...]]:
        return [
            (g.round, g.white, g.black, g.result)
            for g in games_of.games
            if g.section == "OPEN" and g.white_rated
        ]

    assert rated(table) == rated(report)
    assert len(rated(table)) == 10


def test_rows_in_the_order_of_the_points_are_the_final_table():
    final = lines(1, "W2 D3", points="1.5") + lines(2, "L1 W4", points="1.0")
    final += lines(3, "B D1", points="1.0")
    ranks = [entry.rank for entry in read_text(final)[0].entries]
    assert ranks == [1, 2, 3]


@pytest.mark.parametrize(
    "points", [("0.5", "1.5", "0.0"), ("1.5", "", "1.0"), ("", "", ""), ("0.0", "0.0", "0.0")]
)
def test_other_rows_are_in_the_order_of_the_pairing_numbers(points):
    wall = "".join(lines(n, "U U", points=text) for n, text in enumerate(points, 1))
    assert {entry.rank for entry in read_text(wall)[0].entries} == {None}


def test_ratings_in_two_systems():
    report, findings = read_sample(DUAL_QUADS)
    assert report.event.pool == "regular"
    assert [g.section for g in report.games] == [None] * 6
    first, second, third, fourth = report.entries
    assert first.standing == Standing(1500, status=StandingStatus.ESTABLISHED)
    assert first.pools == {"quick": Standing(1433, 12, status=StandingStatus.PROVISIONAL)}
    assert second.pools == {}
    assert third.standing == Standing(1390, 25, status=StandingStatus.PROVISIONAL)
    assert fourth.standing is None
    assert [f.code for f in findings] == ["uschess.after"]
    assert [(g.white, g.black) for g in report.games[:2]] == [
        ("90000031", "90000034"),
        ("90000033", "90000032"),
    ]


@pytest.mark.parametrize("name", [CLUB_OPEN, DUAL_QUADS])
@pytest.mark.parametrize("end", ["\r\n", "\r", "   \n"], ids=repr)
def test_other_line_ends(name, end):
    text = (DATA / name).read_text("utf-8")
    assert [g.result for g in read_text(text.replace("\n", end))[0].games] == [
        g.result for g in read_sample(name)[0].games
    ]


@pytest.mark.parametrize("name", [CLUB_OPEN, DUAL_QUADS])
def test_the_table_is_told_from_other_formats(name):
    decoded = decode((DATA / name).read_bytes())
    assert looks_like_cross_table(decoded.lines)
    assert not looks_like_trf(decoded.lines)


@pytest.mark.parametrize(
    "text",
    ["001    1      Anna\n", "id|name\n1|Anna\n", "; CL[A]\n1 Doe Jo 3k DE\n", "12 | 5 | 33"],
)
def test_other_text_is_not_taken_for_the_table(text):
    assert not looks_like_cross_table(decode(text.encode()).lines)


@pytest.mark.parametrize(
    ("first", "second", "rounds"),
    [("W2 H", "L1 U", 2), ("W2 H", "L1", None), ("$2 H", "L1 U", None)],
)
def test_the_columns_tell_how_many_rounds_there_are(first, second, rounds):
    report, _ = read_text(HEADING + lines(1, first) + lines(2, second))
    assert report.event.rounds == rounds


def test_a_table_without_heading_and_rulers():
    text = lines(1, "W2 D2") + lines(2, "L1 D1")
    assert looks_like_cross_table(decode(text.encode()).lines)
    assert len(read_text(text)[0].games) == 2


def test_a_heading_on_every_page_begins_no_section():
    page = HEADING + lines(1, "W2 D3") + lines(2, "L1 U")
    report, _ = read_text(page + HEADING + lines(3, "U D1"))
    assert [s.name for s in report.sections()] == [None]
    assert len(report.entries) == 3


def test_a_heading_before_the_first_player_again_begins_a_section():
    first = HEADING + lines(1, "W2 U") + lines(2, "L1 U")
    report, _ = read_text(first + first.replace("9000000", "9000001"))
    assert [s.name for s in report.sections()] == ["Section 1", "Section 2"]
    assert len(report.entries) == 4


def test_sections_with_one_name():
    table = HEADING + lines(1, "W2 U") + lines(2, "L1 U")
    text = f"Section 1 - OPEN\n{table}Section 2 - OPEN\n" + table.replace("9000000", "9000001")
    assert [s.name for s in read_text(text)[0].sections()] == ["OPEN (1)", "OPEN (2)"]


# Ratings


@pytest.mark.parametrize(
    ("text", "rating", "games", "status"),
    [
        ("R: 1641P17->1657P24", 1641, 17, StandingStatus.PROVISIONAL),
        ("R: 1641P5 ->1657P9", 1641, 5, StandingStatus.PROVISIONAL),
        ("R:1641P17->1657", 1641, 17, StandingStatus.PROVISIONAL),
        ("R: 2105   ->2112", 2105, None, StandingStatus.ESTABLISHED),
        ("R:  377P3 -> 410P7", 377, 3, StandingStatus.PROVISIONAL),
        ("R: 1500", 1500, None, StandingStatus.ESTABLISHED),
    ],
)
def test_ratings_and_the_games_they_are_based_on(text, rating, games, status):
    assert before(text) == Standing(rating, games, status=status)


@pytest.mark.parametrize("text", ["R: Unrated->1512P3", "R: UNR ->1512P3", "R: Unrated", ""])
def test_unrated_players(text):
    assert before(text) is None


@pytest.mark.parametrize("text", ["R: ABC->1500", "R 1500", "1500", "R: 12345->1500", "R: 1500X"])
def test_a_rating_that_is_not_understood_refuses_the_report(text):
    _, findings = read_text(HEADING + lines(1, "W2 U", text) + lines(2, "L1 U"))
    found = one(findings, "uschess.rating", Severity.ERROR)
    assert found.where.line == 5


def test_the_system_of_the_event():
    quick = HEADING + lines(1, "W2 U", "Q: 1500->1510") + lines(2, "L1 U", "Q: 1400->1390")
    assert read_text(quick)[0].event.pool == "quick"
    mixed = quick.replace("Q: 1400", "R: 1400")
    assert read_text(mixed)[0].event.pool is None
    other, findings = read_text(quick.replace("Q:", "OQ:"))
    assert other.event.pool is None
    one(findings, "uschess.system", Severity.WARNING)


# Results


@pytest.mark.parametrize(
    ("low", "high", "result"),
    [("W2", "L1", Result.WHITE_WINS), ("L2", "W1", Result.BLACK_WINS), ("D2", "D1", Result.DRAW)],
)
def test_games_without_colours(low, high, result):
    report, findings = read_text(HEADING + lines(1, f"{low} U") + lines(2, f"{high} U"))
    (game,) = report.games
    assert (game.white, game.result) == ("90000001", result)
    one(findings, "game.colours", Severity.INFO)


@pytest.mark.parametrize(
    ("first", "second", "code", "severity"),
    [
        ("W2", "W1", None, None),
        ("W2 D3", "W1 U", "game.contradiction", Severity.ERROR),
        ("W2", "U", "game.mirror", Severity.ERROR),
        ("W9", "U", "game.opponent", Severity.ERROR),
        ("W", "U", "game.opponent", Severity.ERROR),
        ("W1", "U", "game.self", Severity.ERROR),
        ("Q2", "U", "uschess.result", Severity.ERROR),
        ("+2", "U", "uschess.result", Severity.ERROR),
        ("X2", "U", "game.mirror", Severity.WARNING),
    ],
)
def test_rows_that_do_not_mirror_each_other(first, second, code, severity):
    """That everybody won against each other tells rounds of two games."""
    text = HEADING + lines(1, first) + lines(2, second) + lines(3, "U D1")
    _, findings = read_text(text if "D3" in first else text.replace("D1", "U "))
    if code is None:
        one(findings, "uschess.two-games", Severity.INFO)
    else:
        assert one(findings, code, severity).where.round == 1


def test_points_that_are_not_the_sum():
    wrong = HEADING + lines(1, "W2 H", points="2.0") + lines(2, "L1 B", points="1.0")
    finding = one(read_text(wrong)[1], "uschess.points", Severity.WARNING)
    assert "2.0 printed, 1.5 counted" in finding.message
    assert not with_code(read_text(wrong.replace("2.0", "1.5"))[1], "uschess.points")


# Broken tables


def test_a_player_without_second_line():
    text = HEADING + lines(1, "W2 U").splitlines()[0] + "\n" + lines(2, "L1 U")
    report, findings = read_text(text)
    assert report.entries[0].id == "pair-1"
    one(findings, "uschess.no-member", Severity.WARNING)


def test_a_table_that_begins_in_the_middle_of_a_player():
    text = HEADING + lines(1, "W2 U").splitlines()[1] + "\n" + lines(2, "U U")
    one(read_text(text)[1], "uschess.line", Severity.ERROR)


@pytest.mark.parametrize("line", ["    0 | NOBODY | 1.0|W   2|", "ABCDE | NOBODY | 1.0|"])
def test_a_line_of_the_table_that_belongs_to_nobody(line):
    text = HEADING + lines(1, "W2 U") + lines(2, "L1 U") + line + "\n"
    one(read_text(text)[1], "uschess.line", Severity.ERROR)


def test_a_pairing_number_twice():
    text = HEADING + lines(1, "W2 U") + lines(2, "L1 U") + lines(2, "L1 U")
    one(read_text(text)[1], "uschess.duplicate", Severity.ERROR)


def test_a_heading_without_players():
    refusal(read_cross_table(decode(HEADING.encode())), "uschess.no-players")


def test_a_table_without_games():
    one(read_text(HEADING + lines(1, "U U"))[1], "uschess.no-games", Severity.WARNING)


def test_lines_that_lost_their_ends():
    text = HEADING + lines(1, " ".join(["U"] * 150)) + lines(2, "U U")
    one(read_text(text)[1], "uschess.rounds", Severity.ERROR)


def test_more_players_than_an_event_has():
    text = HEADING + "".join(f"{n:5} | A | 0.0|U|\n" for n in range(1, 20_002))
    refusal(read_cross_table(decode(text.encode())), "uschess.too-large")


@pytest.mark.parametrize(
    "text",
    [
        "    1 | A |" + " 1|" * 30_000,
        "    1 | A | 0|W 2|\n   NY | 90000001 / R: 1500->" + " " * 90_000 + "x |",
        "Num | US" + "C" * 90_000,
        "Section 1" + " " * 90_000 + "x",
        "    1 | A | 0|" + "W" + " " * 90_000 + "x|",
        " " * 90_000 + "x",
        "    1 | A | 0|W 2|\n   NY | 90000001" + " " * 90_000 + "x / R: 1500 |",
        "\n".join(f"Section {n % 1000}" for n in range(100_000)),
    ],
    ids=["columns", "rating", "heading", "section", "cell", "blanks", "member", "sections"],
)
def test_hostile_lines_are_read_in_no_time(text):
    decoded = decode("\n".join([HEADING, *[text] * 5, lines(1, "W2")]).encode())
    begun = time.process_time()
    read_cross_table(decoded)
    assert time.process_time() - begun < 8


# Anything


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["replace", "insert", "delete", "line"]),
        st.integers(0, 5_000),
        st.sampled_from(["|", " ", "\n", "W   2", "P", "->", "R:", "0", "é", "/", "9", "$", "-"])
        | st.text(min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=10,
)


@settings(max_examples=200, deadline=None)
@given(name=st.sampled_from([CLUB_OPEN, DUAL_QUADS]), edits=EDITS)
def test_damaged_tables_are_read_or_refused(name: str, edits: list[tuple[str, int, str]]) -> None:
    text = (DATA / name).read_text("utf-8")
    for action, where, piece in edits:
        at = where % max(len(text), 1)
        if action == "line":
            rows = text.split("\n")
            rows.insert(len(piece) * at % len(rows), rows.pop(where % len(rows)))
            text = "\n".join(rows)
        else:
            kept = at if action == "insert" else at + len(piece)
            text = text[:at] + ("" if action == "delete" else piece) + text[kept:]
    assert_sound(*read_cross_table(decode(text.encode("utf-8", "replace"))))
