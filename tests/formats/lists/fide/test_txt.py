"""FIDE's list as text: its layouts, lines out of their columns, damage, and writing it."""

from __future__ import annotations

import csv
import io
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.formats.lists import FidePlayer, Rated, write_fide_txt
from ratingbook.formats.lists.fide.layout import read_layout
from ratingbook.formats.lists.fide.txt import looks_like_fide_txt, read_fide_txt
from ratingbook.formats.lists.files import Source
from ratingbook.formats.lists.refusal import Refused
from ratingbook.formats.tools.notes import CountedNotes
from ratingbook.model import Findings, Severity
from tests.formats.helpers import Edits, codes, damaged, edits, one, with_code
from tests.formats.lists.samples import fide_players

COMBINED = (
    "ID Number      Name                                                         "
    "Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)
LEGACY = COMBINED.replace("FOA ", "")
ONE_POOL = COMBINED[:113] + "OCT26 Gms K  B-day Flag"
OLD = "ID number Name                              TitlFed  Mar11 GamesBorn  Flag"
"""The header of the lists of 2011."""
DOE = FidePlayer(
    "12345678", "Doe, Jo", "AUT", "F", "WFM", "WFM", "NA", "AFM", Rated(2101, 9, 20),
    Rated(2050, 0, 20), None, 1990, "wi",
)  # fmt: skip


def read(
    text: str | bytes, name: str = "players_list_foa.txt"
) -> tuple[list[FidePlayer], Findings]:
    data = text.encode() if isinstance(text, str) else text
    notes, findings, players = CountedNotes(), Findings(), []
    try:
        for _, player in read_fide_txt(Source(io.BytesIO(data), name), notes):
            assert isinstance(player, FidePlayer)
            players.append(player)
    except Refused as refusal:
        findings.extend([refusal.finding])
    findings.extend(notes.findings())
    return players, findings


def line(
    ratings: str = "2101  9   20 2050  0   20 0     0   0  ",
    *,
    number: str = "12345678",
    name: str = "Doe, Jo",
    person: str = "AUT F   ",
    titles: str = "WFM  WFM  ",
    others: str = "NA",
    arena: str | None = "AFM",
    tail: str = "1990  wi  ",
) -> str:
    """A line as a program writes it whose texts push what follows when they are too long."""
    foa = "" if arena is None else f"{arena:<4}"
    return f"{number:<15}{name:<61}{person}{titles}{others:<15}{foa}{ratings}{tail}"


def file(*lines: str, header: str = COMBINED) -> str:
    return "".join(f"{each}\r\n" for each in (header, *lines))


# Layouts


def test_the_offsets_are_those_of_the_published_layouts(reference: Path) -> None:
    """The layouts were measured on FIDE's own files."""
    text = (reference / "formats" / "fide_list_txt_layouts.csv").read_text("utf-8")
    rows = list(csv.reader(text.splitlines()))[1:]
    published = {row[1].split()[0]: (int(row[2]), int(row[3])) for row in rows[:19]}
    layout = read_layout(COMBINED, None)
    assert layout.name == published["Name"][0]
    assert layout.person.start == published["Fed"][0]
    person = {cell.key: layout.person.start + cell.start for cell in layout.person.cells}
    assert person == {
        "federation": published["Fed"][0], "sex": published["Sex"][0],
        "title": published["Tit"][0], "women_title": published["WTit"][0],
        "other_titles": published["OTit"][0], "arena_title": published["FOA"][0],
    }  # fmt: skip
    starts = [layout.pools[p].start + c.start for p in layout.pools for c in layout.pools[p].cells]
    names = "SRtng SGm SK RRtng RGm Rk BRtng BGm BK".split()
    assert starts == [published[name][0] for name in names]
    assert layout.tail.start == published["B-day"][0]
    assert layout.tail.start + layout.tail.cells[1].start == published["Flag"][0]


def test_the_combined_list() -> None:
    players, findings = read(file(line()))
    assert players == [DOE]
    assert codes(findings) == {}


def test_the_legacy_list_has_no_arena_titles() -> None:
    players, findings = read(file(line(arena=None), header=LEGACY))
    assert players == [DOE._replace(arena_title="")]
    assert codes(findings) == {}


@pytest.mark.parametrize("pool", ["standard", "rapid", "blitz"])
def test_a_list_of_one_pool_is_of_the_pool_that_its_name_says(pool: str) -> None:
    text = file(line("2101  9   20 "), header=ONE_POOL)
    players, findings = read(text, f"{pool}_rating_list.txt")
    (player,) = players
    rated = {"standard": player.standard, "rapid": player.rapid, "blitz": player.blitz}
    assert {name: each for name, each in rated.items() if each} == {pool: Rated(2101, 9, 20)}
    assert player.name == DOE.name
    assert codes(findings) == {}


def test_a_list_of_an_unknown_pool_is_taken_as_standard_and_told() -> None:
    players, findings = read(file(line("2101  9   20 "), header=ONE_POOL), "list.txt")
    assert players[0].standard == Rated(2101, 9, 20)
    one(findings, "fide-list.pool", Severity.WARNING)


def test_an_old_list_with_glued_headers_and_short_titles() -> None:
    """The form of 2011, after a line that a program for that list was tested with."""
    players, findings = read(
        f"{OLD}\n 1234567  Roe, Ri                           wg  IND  1447    9  1995  wi\n"
        "12345678  Moe, Al                               BAN  1714    0        \n",
        "standard_mar11frl.txt",
    )
    assert players == [
        FidePlayer("1234567", "Roe, Ri", "IND", "", "wg", standard=Rated(1447, 9),
                   birth_year=1995, flag="wi"),
        FidePlayer("12345678", "Moe, Al", "BAN", standard=Rated(1714, 0)),
    ]  # fmt: skip
    assert players[0].listed().entry.title == "WGM"
    assert players[0].listed().entry.sex == "w"
    assert codes(findings) == {}


def test_blank_columns_and_zeros_are_unrated() -> None:
    blank = line(" " * 39, tail="0000")
    zeros = line("0     0   0  " * 3, tail="0")
    players, _ = read(file(blank, zeros))
    assert players == [DOE._replace(standard=None, rapid=None, birth_year=None, flag="")] * 2


def test_a_new_column_is_passed_over() -> None:
    header = COMBINED.replace("FOA ", "FOA NEW ")
    players, _ = read(file(line(arena="AFM ABC "), header=header))
    assert players == [DOE]


@pytest.mark.parametrize(
    "header",
    [
        COMBINED.replace("Fed", "   "),
        COMBINED.replace("B-day Flag", ""),
        COMBINED.replace("SGm", "RGm"),
        COMBINED.replace("Name ", "Nom  "),
        COMBINED[:113] + "B-day Flag",
        COMBINED[:113] + "B-day SRtng SGm SK Flag",
        COMBINED.replace("Flag", " " * 5000 + "Flag"),
        "",
    ],
)
def test_a_header_that_is_not_fides_is_refused(header: str) -> None:
    players, findings = read(file(line(), header=header) if header else "\n\n")
    if header == COMBINED.replace("Fed", "   "):
        assert len(players) == 1
    else:
        assert players == []
        one(findings, "fide-list.header", Severity.FATAL)


# Lines out of their columns


def test_other_titles_that_run_into_the_arena_title() -> None:
    """A line of 163 characters, as FIDE's own list of October 2026 has three."""
    text = line(others="SI,FI,LSI,SLI,NA")
    assert len(text) == 163
    players, findings = read(file(text))
    assert players == [DOE._replace(other_titles="SI,FI,LSI,SLI,NA")]
    assert "12345678 Doe, Jo" in one(findings, "fide-list.columns", Severity.INFO).message


@pytest.mark.parametrize("arena", ["", "AGM"])
@pytest.mark.parametrize("length", range(15, 30))
def test_other_titles_of_any_length(length: int, arena: str) -> None:
    others = ("NA,FA,IA,SI,FI,DI," * 3)[:length].rstrip(",")
    players, _ = read(file(line(others=others, arena=arena)))
    assert players == [DOE._replace(other_titles=others, arena_title=arena)]


@pytest.mark.parametrize("length", range(55, 100))
def test_names_of_any_length(length: int) -> None:
    name = ("Doe, Jo of the Long Name " * 5)[: length - 1].strip() + "x"
    players, _ = read(file(line(name=name)))
    assert players == [DOE._replace(name=name)]


def test_a_name_in_utf_8_that_a_program_counted_in_bytes() -> None:
    name = "Döe, Jö"
    text = line(name=name + " " * (61 - len(name.encode())))[: 15 + 61 - 2] + line()[76:]
    players, findings = read(file(text))
    assert players == [DOE._replace(name=name)]
    one(findings, "fide-list.columns", Severity.INFO)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_names_with_accents(encoding: str) -> None:
    players, findings = read(file(line(name="Döe, Jö")).encode(encoding))
    assert players == [DOE._replace(name="Döe, Jö")]
    assert ("list.encoding" in codes(findings)) == (encoding == "cp1252")


@pytest.mark.parametrize(
    "bad",
    [
        line(number="X1234"),
        line(number=""),
        line("21o1  9   20 2050  0   20 0     0   0  "),
        line("21015 9   20 2050  0   20 0     0   0  "),
        line("21    9   20 2050  0   20 0     0   0  "),
        line(person="aut F   "),
        line(person="AUT X   "),
        line(tail="19901 wi  "),
        line(tail="1990  xx  "),
        "12345678 Doe",
        "...",
    ],
)
def test_a_line_that_cannot_be_read_is_left_out_and_told(bad: str) -> None:
    players, findings = read(file(bad, line(number="1")))
    assert [player.id for player in players if player != FidePlayer("12345678", "Doe")] == ["1"]
    if not bad.startswith("12345678 Doe"):
        assert one(findings, "fide-list.row", Severity.WARNING).where.line == 2


def test_a_hundred_bad_lines_are_one_finding() -> None:
    _, findings = read(file(*["?"] * 100, line()))
    (row,) = with_code(findings, "fide-list.row")
    assert "100 in all" in row.message


def test_a_list_whose_columns_were_moved_is_refused() -> None:
    moved = line().replace("  ", "\t")
    players, findings = read(file(line(), *[moved] * 2000))
    assert len(players) == 1
    assert one(findings, "fide-list.lines", Severity.FATAL).where.line == 1003


def test_a_list_that_was_cut_off() -> None:
    text = file(line(), line(number="2"))[:-60]
    _, findings = read(text)
    assert one(findings, "list.cut-off", Severity.FATAL).where.line == 3
    whole, findings = read(text + " " * 58)
    assert len(whole) == 2
    assert not findings.refused


def test_the_header_may_stand_in_the_middle_again() -> None:
    players, findings = read(file(line(), COMBINED, "", line(number="2")))
    assert len(players) == 2
    assert codes(findings) == {}


def test_line_ends_of_any_kind() -> None:
    text = file(line(), line(number="2"))
    for end in ("\n", "\r"):
        assert read(text.replace("\r\n", end))[0] == read(text)[0]


# Writing


def written(
    players: list[FidePlayer], day: date | None = None, pool: str = "standard"
) -> tuple[bytes, Findings]:
    out = io.BytesIO()
    findings = write_fide_txt(players, out, day, pool)
    return out.getvalue(), findings


def test_what_is_written_is_fides_layout() -> None:
    data, findings = written([DOE])
    assert data.decode("ascii") == file(line())
    assert not len(findings)
    data, _ = written([DOE], date(2026, 10, 1))
    assert data.decode("ascii") == file(line("2101  9   20 "), header=ONE_POOL)


@settings(max_examples=150, deadline=None)
@given(st.lists(fide_players(ascii_only=True), max_size=5))
def test_read_write_read(players: list[FidePlayer]) -> None:
    data, findings = written(players)
    assert not len(findings)
    assert read(data)[0] == players
    assert looks_like_fide_txt(data.decode())


@settings(max_examples=50, deadline=None)
@given(st.lists(fide_players(ascii_only=True), max_size=3))
def test_read_write_read_of_one_pool(players: list[FidePlayer]) -> None:
    data, _ = written(players, date(2011, 2, 1), "rapid")
    assert read(data, "rapid.txt")[0] == [p._replace(standard=None, blitz=None) for p in players]


def test_what_does_not_fit_is_cut_or_left_out_and_told() -> None:
    data, findings = written([
        DOE._replace(name="Döe, " + "o" * 80, other_titles="NA,FA,IA,SI,FI,DI"),
        DOE._replace(id="seven"),
        DOE._replace(federation="Austria", title="Doctor", standard=Rated(9000, 5000, 400)),
    ])  # fmt: skip
    assert {"fide-list.cut", "fide-list.letters", "fide-list.number", "fide-list.left-out"} == set(
        codes(findings)
    )
    first, second = read(data)[0]
    assert (first.name, first.other_titles) == ("Doe, " + "o" * 55, "NA,FA,IA,SI,FI")
    assert (second.federation, second.title, second.standard) == ("", "", None)


@settings(max_examples=100, deadline=None)
@given(
    st.builds(
        FidePlayer, *[st.text(max_size=70)] * 8, *[st.builds(Rated, *[st.integers()] * 3)] * 3,
        st.integers(), st.text(max_size=5),
    ),
    st.dates(),
)  # fmt: skip
def test_anything_can_be_written(player: FidePlayer, day: date) -> None:
    for data, _ in (written([player]), written([player], day)):
        assert len(read(data, "standard")[0]) <= 1
        assert len(data.splitlines()) <= 2


# Damage


@settings(max_examples=150, deadline=None)
@given(edits(b"\xfc", b"\r", b"  ", b"\n", b"\0", b"\xff\xfe", b"ID Number", reach=1000))
def test_damage_gives_findings_and_no_exception(changes: Edits) -> None:
    data = file(line(), line(number="2", others="SI,FI,LSI,SLI,NA"), line(number="3"))
    players, findings = read(damaged(data.encode(), changes))
    assert all(finding.message and finding.remedy for finding in findings)
    assert all(player.id.isdecimal() for player in players)
