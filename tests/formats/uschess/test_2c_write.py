"""Reports written as 2C, and the bytes of the files; all players are invented."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import dbf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.formats import read
from ratingbook.formats.tools.written import Written
from ratingbook.formats.uschess.report_2c import layout
from ratingbook.formats.uschess.report_2c.dbase import dbase_file
from ratingbook.formats.uschess.report_2c.read import read_2c
from ratingbook.formats.uschess.report_2c.write import write_2c
from ratingbook.model import (
    Entry,
    Event,
    Findings,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    SectionHead,
    Severity,
    Standing,
)
from tests.formats.helpers import codes, one

EXAMPLE = Path(__file__).parents[3] / "examples" / "reports" / "club-open-2c"
FIRST, SECOND, THIRD = "90000001", "90000002", "90000003"
EVENT = Event(
    name="CLUB OPEN",
    place="EXAMPLETON, NY",
    federation="USA",
    start=date(2026, 11, 7),
    end=date(2026, 11, 8),
    kind="swiss",
    time_control="G/90;d5",
    pool="regular",
)
OPEN = SectionHead("OPEN", 1, "regular", "G/90;d5", "swiss")


def entry(member: str, name: str = "", rating: float | None = 1500, **more: Any) -> Entry:
    known = Entry(
        member,
        name or f"PLAYER{member[-1]}, PAT",
        ids={"uscf": member},
        standing=Standing(rating) if rating else None,
    )
    return replace(known, **more)


def game(white: str, black: str | None, result: str = "1-0", **more: Any) -> Game:
    """A game of the section OPEN; byes and forfeits are not rated."""
    status = GameStatus.PLAYED if black else GameStatus.BYE
    status = more.pop("status", status)
    rated = status is GameStatus.PLAYED
    known = Game(
        white, black, Result(result), status, 1, "OPEN", white_rated=rated, black_rated=rated
    )
    return replace(known, **more)


def report(
    *games: Game,
    entries: Sequence[Entry] = (entry(FIRST), entry(SECOND)),
    event: Event = EVENT,
    heads: Sequence[SectionHead] = (OPEN,),
) -> Report:
    return Report(event, tuple(entries), games, tuple(heads))


def read_again(written: Written) -> tuple[Report, Findings]:
    with TemporaryDirectory() as folder:
        for name, data in written.files.items():
            (Path(folder) / name).write_bytes(data)
        again, findings = read_2c(Path(folder))
    assert again is not None, list(findings)
    return again, findings


def without_places(of: Report) -> Report:
    return replace(
        of,
        entries=tuple(replace(entry, place=Place()) for entry in of.entries),
        games=tuple(replace(game, place=Place()) for game in of.games),
    )


def rows(written: Written, name: str) -> list[dict[str, str]]:
    """The records, read with nothing but struct."""
    data = written.files[name]
    version, count, start, length = struct.unpack_from("<B3xIHH", data)
    assert version == 3
    columns = []
    for at in range(32, start - 1, 32):
        title, kind, width = struct.unpack_from("<11sc4xB", data, at)
        assert kind == b"C"
        columns.append((title.rstrip(b"\0").decode(), width))
    assert data[start - 1] == 0x0D
    assert length == 1 + sum(width for _, width in columns)
    assert len(data) == start + count * length + 1
    assert data[-1] == 0x1A
    records = []
    for row in range(count):
        at = start + row * length
        assert data[at : at + 1] == b" "  # not deleted
        at += 1
        values = {}
        for title, width in columns:
            text = data[at : at + width].decode("cp1252")
            assert text == text.strip().ljust(width)  # left-justified
            values[title] = text.rstrip()
            at += width
        records.append(values)
    return records


def cells(written: Written) -> list[list[str]]:
    return [
        [value for column, value in row.items() if column.startswith("D_RND")]
        for row in rows(written, layout.PLAYERS)
    ]


# The whole report


def test_the_example_comes_back_as_it_was():
    first, _ = read_2c(EXAMPLE)
    assert first is not None
    written = write_2c(first)
    assert list(written.findings) == []
    assert set(written.files) == set(layout.FILES)
    again, findings = read_again(written)
    assert without_places(again) == without_places(first)
    assert [f.code for f in findings] == ["uschess.re-entry"]
    assert all(old == new for old, new in written.ids.items())
    # What the library reads in the files of the example, it reads in these.
    assert cells(written)[2] == ["D6W", "L7B", "X4W", "L1W"]
    assert cells(written)[6] == ["H0", "W3W", "L1B", "D2W"]


def test_columns_have_the_widths_of_the_format(reference):
    """Compared with the description of the format, not with the writer's own table."""
    text = (reference / "formats" / "README.md").read_text("utf-8")
    section = " ".join(text.partition("## 2C")[2].partition("Cross table text")[0].split())
    written = write_2c(report(game(FIRST, SECOND)))
    seen = 0
    for name in layout.FILES:
        data = written.files[name]
        (start,) = struct.unpack_from("<H", data, 8)
        for at in range(32, start - 1, 32):
            title = data[at : at + 11].rstrip(b"\0").decode()
            width = data[at + 16]
            shown = "D_RND01…" if title == "D_RND01" else title
            assert f"{shown} {width}" in section, title
            seen += 1
    assert seen == 16 + 16 + 7 + 1


def test_the_bytes_are_those_of_the_library(tmp_path):
    """A library that is not ours writes the same file, up to the day and the reserved bytes."""
    columns = {"H_FORMAT": 5, "D_NAME": 30, "H_OTHER_TD": 255}
    records = [
        {"H_FORMAT": "2C", "D_NAME": "MÜLLER, JO", "H_OTHER_TD": ""},
        {"H_FORMAT": "", "D_NAME": "X" * 30, "H_OTHER_TD": "9" * 255},
    ]
    specs = ";".join(f"{name} C({width})" for name, width in columns.items())
    path = tmp_path / "library.dbf"
    table = dbf.Table(str(path), specs, dbf_type="db3", codepage="cp1252")
    with closing(table.open(dbf.READ_WRITE)):
        for record in records:
            table.append(record)
    theirs = path.read_bytes()
    ours = dbase_file(columns, records, date(2026, 11, 20))
    assert ours[1:4] == bytes((126, 11, 20))
    assert ours[4:] == theirs[4:]
    assert ours[0] == theirs[0]


@pytest.mark.parametrize("day", [None, date(1899, 12, 31), date(2156, 1, 1)])
def test_a_day_that_the_head_cannot_hold(day):
    assert dbase_file({"A": 1}, [], day)[1:4] == bytes((80, 1, 1))


def test_the_header():
    written = write_2c(report(game(FIRST, SECOND), event=replace(EVENT, officials=(THIRD, FIRST))))
    (header,) = rows(written, layout.EVENT)
    assert header == {
        **dict.fromkeys(layout.WIDTHS[layout.EVENT], ""),
        "H_FORMAT": "2C",
        "H_PROGRAM": "ratingbook",
        "H_NAME": "CLUB OPEN",
        "H_TOT_SECT": "1",
        "H_BEG_DATE": "20261107",
        "H_END_DATE": "20261108",
        "H_CITY": "EXAMPLETON",
        "H_STATE": "NY",
        "H_COUNTRY": "USA",
        "H_SENDCROS": "N",
        "H_CTD_ID": THIRD,
        "H_ATD_ID": FIRST,
    }
    (section,) = rows(written, layout.SECTIONS)
    assert section["S_CTD_ID"] == THIRD
    assert (section["S_R_SYSTEM"], section["S_TRN_TYPE"]) == ("R", "S")
    assert (section["S_TOT_RNDS"], section["S_LST_PAIR"]) == ("1", "2")
    assert (section["S_BEG_DATE"], section["S_END_DATE"]) == ("", "")
    assert list(written.findings) == []
    assert read_again(written)[0].event.officials == (THIRD, FIRST)


def test_other_directors_are_listed_and_names_left_out():
    officials = (FIRST, SECOND, THIRD, "IA Doe, Jo", "90000004")
    written = write_2c(report(game(FIRST, SECOND), event=replace(EVENT, officials=officials)))
    assert rows(written, layout.EVENT)[0]["H_OTHER_TD"] == f"{THIRD},90000004"
    assert "IA Doe, Jo" in one(written.findings, "uschess.directors", Severity.INFO).message
    again, _ = read_again(written)
    assert again.event.officials == (FIRST, SECOND, THIRD, "90000004")


def test_an_event_of_which_nothing_is_known():
    games = (game(FIRST, SECOND, section=None),)
    written = write_2c(report(*games, event=Event(), heads=()))
    assert codes(written.findings) == {
        "event.no-dates": Severity.WARNING,
        "uschess.system": Severity.WARNING,
        "event.kind": Severity.INFO,
    }
    again, _ = read_again(written)
    assert [g.section for g in again.games] == ["Section 1"]


# Sections


def test_several_sections_of_different_lengths():
    heads = (
        replace(OPEN, name="QUICK", number=2, pool="quick", time_control="G/15;d3"),
        replace(OPEN, start=date(2026, 11, 8), end=date(2026, 11, 8)),
    )
    ids = ["90000001", "90000002", "90000003", "90000004"]
    entries = (
        *map(entry, ids[:2]),
        *(entry(i, rating=None, pools={"quick": Standing(1200)}) for i in ids[2:]),
    )
    day = date(2026, 11, 8)
    games = [
        *(game(ids[0], ids[1], round=n, start=day, end=day) for n in (1, 2, 3)),
        game(ids[2], ids[3], "1/2-1/2", section="QUICK"),
    ]
    event = replace(EVENT, pool=None, time_control=None)
    first = report(*games, entries=entries, event=event, heads=heads)
    written = write_2c(first)
    assert list(written.findings) == []
    assert cells(written) == [
        ["W2W", "W2W", "W2W"],
        ["L1B", "L1B", "L1B"],
        ["D2W", "U0", "U0"],
        ["D1B", "U0", "U0"],
    ]
    again, findings = read_again(written)
    assert without_places(again) == first
    assert codes(findings, Severity.ERROR, Severity.FATAL) == {}


def test_section_names_stay_different_when_they_are_cut():
    long = "THE LONGEST NAME OF ANY SECTION "
    heads = [replace(OPEN, name=long + letter, number=n) for n, letter in ((1, "A"), (2, "B"))]
    games = [game(FIRST, SECOND, section=head.name) for head in heads]
    written = write_2c(report(*games, heads=heads))
    one(written.findings, "uschess.cut", Severity.WARNING)
    names = [row["S_SEC_NAME"] for row in rows(written, layout.SECTIONS)]
    assert names == ["THE LONGEST NAME OF ANY SECTIO", "THE LONGEST NAME OF ANY S (2)"]
    assert {g.section for g in read_again(written)[0].games} == set(names)


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [((7, 3), ["7", "3"]), ((1, 1), ["1", "2"]), ((None, 1), ["2", "1"]), ((0, 100), ["1", "2"])],
)
def test_section_numbers_are_kept_where_they_can_be(numbers, expected):
    heads = [replace(OPEN, name=f"S{at}", number=n) for at, n in enumerate(numbers)]
    games = [game(FIRST, SECOND, section=head.name) for head in heads]
    written = write_2c(report(*games, heads=heads))
    assert [row["S_SEC_NUM"] for row in rows(written, layout.SECTIONS)] == expected


def test_a_player_without_a_game_is_in_the_first_of_several_sections():
    heads = (OPEN, replace(OPEN, name="RESERVE", number=2))
    entries = [entry(FIRST), entry(SECOND), entry(THIRD)]
    games = [game(FIRST, SECOND), game(FIRST, SECOND, section="RESERVE")]
    written = write_2c(report(*games, entries=entries, heads=heads))
    assert THIRD in one(written.findings, "uschess.no-section", Severity.INFO).message
    again, _ = read_again(written)
    assert {e.id for e in again.entries} == {FIRST, SECOND, THIRD}


def test_a_report_without_games_keeps_its_section():
    written = write_2c(report())
    again, findings = read_again(written)
    assert again.section_heads == (OPEN,)
    one(findings, "uschess.no-games", Severity.WARNING)


def test_planned_rounds_are_written():
    written = write_2c(report(game(FIRST, SECOND), event=replace(EVENT, rounds=3)))
    assert cells(written)[0] == ["W2W", "U0", "U0"]
    assert read_again(written)[0].event.rounds == 3


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (replace(EVENT, pool="online regular"), "uschess.system"),
        (replace(EVENT, kind="knockout"), "event.kind"),
    ],
)
def test_what_has_no_letter(event, code):
    written = write_2c(report(game(FIRST, SECOND), event=event, heads=()))
    assert set(codes(written.findings)) == {code}


# Players


def test_names_are_cut_and_spelt_in_the_letters_of_the_format():
    entries = [
        entry(FIRST, "MÜLLER, JOSÉ"),
        entry(SECOND, "ŁĘCKA, ŽOFIE"),
        entry(THIRD, "A" * 20 + ", " + "B" * 20),
    ]
    written = write_2c(report(game(FIRST, SECOND), entries=entries))
    names = [row["D_NAME"] for row in rows(written, layout.PLAYERS)]
    assert names == ["MÜLLER, JOSÉ", "LECKA, ŽOFIE", "A" * 20 + ", " + "B" * 8]
    assert "LECKA" in one(written.findings, "uschess.letters", Severity.WARNING).message
    assert one(written.findings, "uschess.cut", Severity.WARNING).where.player == THIRD


def test_a_name_without_a_comma():
    written = write_2c(report(game(FIRST, SECOND), entries=[entry(FIRST, "PAT"), entry(SECOND)]))
    one(written.findings, "uschess.name", Severity.WARNING)


def test_players_without_a_member_number_are_renumbered():
    entries = [Entry("7", "DOE, JO"), Entry("x", "ROE, RO"), entry(THIRD)]
    heads = (OPEN, replace(OPEN, name="RESERVE", number=2))
    games = [game("7", "x"), game(THIRD, "7", section="RESERVE")]
    written = write_2c(report(*games, entries=entries, heads=heads))
    members = [row["D_MEM_ID"] for row in rows(written, layout.PLAYERS)]
    assert members == ["00000000", "00000000", "00000000", THIRD]
    assert written.ids == {"7": "pair-1", "x": "pair-2", THIRD: THIRD}
    one(written.findings, "uschess.no-member", Severity.WARNING)
    again, _ = read_again(written)
    assert {e.id for e in again.entries} == {"pair-1", "pair-2", "pair-1-RESERVE", THIRD}


@pytest.mark.parametrize(
    ("known", "member"),
    [
        (Entry("90000009"), "90000009"),
        (Entry("1", ids={"uscf": "90000009"}), "90000009"),
        (Entry("90000009", ids={"fide": "90000009"}), "00000000"),
        (Entry("1", ids={"uscf": "00000000"}), "00000000"),
        (Entry("00000000"), "00000000"),
        (Entry("1", ids={"uscf": "1234567"}), "1234567"),
        (Entry("1", ids={"uscf": "123456789"}), "00000000"),
        (Entry("1", ids={"uscf": "1 2"}), "00000000"),
    ],
)
def test_where_a_member_number_is_taken_from(known, member):
    played = game(known.id, SECOND)
    written = write_2c(report(played, entries=[known, entry(SECOND)]))
    assert rows(written, layout.PLAYERS)[0]["D_MEM_ID"] == member
    assert read_again(written)[0].entries[0].id == written.ids[known.id]


def test_a_member_number_twice_refuses_the_report():
    entries = [entry(FIRST), entry(SECOND, ids={"uscf": FIRST})]
    written = write_2c(report(game(FIRST, SECOND), entries=entries))
    assert written.files == {}
    assert codes(written.findings, Severity.ERROR) == {"uschess.member": Severity.ERROR}


@pytest.mark.parametrize(
    ("rating", "text", "told"),
    [
        (1500, "1500", False),
        (None, "0", False),
        (1499.6, "1500", True),
        (1296.5, "1297", True),
        (1296.5 - 2**-42, "1297", True),
        (-3, "0", True),
        (12345, "0", True),
        (float("nan"), "0", True),
    ],
)
def test_ratings_are_whole_numbers_of_four_digits(rating, text, told):
    entries = [entry(FIRST, rating=rating), entry(SECOND)]
    written = write_2c(report(game(FIRST, SECOND), entries=entries))
    assert rows(written, layout.PLAYERS)[0]["D_RATING"] == text
    assert ("uschess.rating" in codes(written.findings)) == told


# Games


@pytest.mark.parametrize(
    ("played", "white", "black", "code"),
    [
        (game(FIRST, SECOND), "W2W", "L1B", None),
        (game(FIRST, SECOND, "0-1"), "L2W", "W1B", None),
        (game(FIRST, SECOND, "1/2-1/2"), "D2W", "D1B", None),
        (game(FIRST, SECOND, "*"), "U0", "U0", "uschess.unfinished"),
        (game(FIRST, SECOND, status=GameStatus.FORFEIT), "X2W", "F1B", None),
        (game(FIRST, SECOND, "0-1", status=GameStatus.FORFEIT), "F2W", "X1B", None),
        (game(FIRST, SECOND, "*", status=GameStatus.FORFEIT), "F2W", "F1B", None),
        (
            game(FIRST, SECOND, "1/2-1/2", status=GameStatus.FORFEIT),
            "H0",
            "H0",
            "uschess.forfeit",
        ),
        (
            game(FIRST, SECOND, white_rated=False, black_rated=False),
            "X2W",
            "F1B",
            "uschess.not-rated",
        ),
        (
            game(FIRST, SECOND, "1/2-1/2", white_rated=False, black_rated=False),
            "H0",
            "H0",
            "uschess.not-rated",
        ),
        (
            game(FIRST, SECOND, status=GameStatus.TIME, white_rated=True, black_rated=True),
            "W2W",
            "L1B",
            None,
        ),
        (game(FIRST, SECOND, "*", status=GameStatus.CANCELLED), "U0", "U0", None),
        (game(FIRST, SECOND, status=GameStatus.BYE), "B0", "U0", None),
        (game(FIRST, None), "B0", "U0", None),
        (game(FIRST, None, "1/2-1/2"), "H0", "U0", None),
        (game(FIRST, None, "*"), "U0", "U0", None),
        (game(FIRST, None, status=GameStatus.FORFEIT), "X0", "U0", "uschess.forfeit"),
        (game(FIRST, None, "0-1", status=GameStatus.FORFEIT), "F0", "U0", "uschess.forfeit"),
        (game(FIRST, None, "*", status=GameStatus.FORFEIT), "F0", "U0", "uschess.forfeit"),
    ],
)
def test_what_a_game_is_in_the_two_rows(played, white, black, code):
    written = write_2c(report(played))
    assert cells(written) == [[white], [black]]
    assert set(codes(written.findings)) == ({code} if code else set())
    read_again(written)


def test_a_game_that_counts_for_one_side_only_is_refused():
    written = write_2c(report(game(FIRST, SECOND, black_rated=False)))
    one(written.findings, "uschess.one-side", Severity.ERROR)
    assert written.files == {}


@pytest.mark.parametrize("played", [game(FIRST, FIRST), game(FIRST, "nobody"), game("x", None)])
def test_a_game_that_nobody_can_have_played_is_refused(played):
    written = write_2c(report(played))
    one(written.findings, "uschess.left-out", Severity.ERROR)


def test_who_has_two_games_in_a_round_stands_in_two_rows():
    entries = [entry(FIRST), entry(SECOND), entry(THIRD)]
    games = [
        game(FIRST, SECOND),
        game(THIRD, FIRST, "1/2-1/2"),
        game(FIRST, None, round=2),
        game(SECOND, FIRST, round=3),
    ]
    first = report(*games, entries=entries)
    written = write_2c(first)
    assert cells(written) == [
        ["W2W", "U0", "U0"],
        ["L1B", "U0", "W4W"],
        ["D4W", "U0", "U0"],
        ["D3B", "B0", "L2B"],
    ]
    again, findings = read_again(written)
    assert set(without_places(again).games) == set(first.games)
    one(findings, "uschess.re-entry", Severity.INFO)


def test_games_without_a_round_get_the_first_free_one():
    entries = [entry(FIRST), entry(SECOND), entry(THIRD)]
    games = [
        game(FIRST, SECOND, round=None),
        game(SECOND, THIRD, round=None),
        game(FIRST, THIRD, round=2),
        game(FIRST, SECOND, "*", round=None),
    ]
    written = write_2c(report(*games, entries=entries))
    assert cells(written) == [["W2W", "W3W", "U0"], ["L1B", "U0", "W3W"], ["U0", "L1B", "L2B"]]
    assert set(codes(written.findings)) == {"uschess.no-round", "uschess.unfinished"}


@pytest.mark.parametrize("number", [100, None])
def test_more_rounds_than_the_format_has(number):
    games = [game(FIRST, SECOND, round=number or 0) for _ in range(1 if number else 100)]
    written = write_2c(report(*games))
    assert written.files == {}
    assert codes(written.findings, Severity.ERROR) == {"uschess.rounds": Severity.ERROR}


@pytest.mark.parametrize(
    ("players", "sections", "rounds"), [(0, 1, 1), (10_001, 1, 1), (4_000, 1, 90), (2, 100, 1)]
)
def test_reports_that_are_too_large_or_empty(players, sections, rounds):
    entries = [entry(f"{90_000_000 + n}") for n in range(players)]
    games = [
        game("90000000", "90000001", section=f"S{n}", round=rounds)
        for n in range(sections)
        if players
    ]
    written = write_2c(report(*games, entries=entries))
    assert written.files == {}
    one(written.findings, "uschess.too-large", Severity.ERROR)


def test_files_of_the_field_are_written_and_read_again(reference):
    """Reports that other programs made: every game that is rated arrives."""
    files = [*(reference / "samples" / "trf").glob("*.t*")]
    assert len(files) > 10
    for path in files:
        first = read(path).report
        assert first is not None
        again, findings = read_again(write_2c(first))
        assert not findings.refused
        assert _rated(again) == _rated(first), path.name


def _rated(of: Report) -> int:
    return sum(g.white_rated and g.result is not Result.NONE for g in of.games if g.black)


# The documentation


def test_the_pages_of_us_chess_name_every_finding_and_no_other():
    root = Path(__file__).parents[3]
    modules = (root / "src/ratingbook/formats/uschess").rglob("*.py")
    source = "".join(path.read_text("utf-8") for path in modules)
    pages = "".join(
        (root / f"docs/formats/{name}.md").read_text("utf-8")
        for name in ("uschess-2c", "uschess-cross-table")
    )
    code = r"((?:uschess|dbf|game|event|file)\.[a-z-]+)"
    assert set(re.findall(f"`{code}`", pages)) == set(re.findall(f'"{code}"', source))


# Anything

TEXTS = st.text(st.characters(codec="cp1252", exclude_categories=["Cc", "Cf", "Zs"]) | st.just(" "))
NAMES = TEXTS.map(lambda text: " ".join(f"{text}, X".split())[-30:].strip())


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Reports of what the format can say: one or two sections, each player once a round."""
    members = draw(
        st.lists(st.integers(10_000_000, 99_999_999), min_size=4, max_size=8, unique=True)
    )
    names = draw(st.lists(NAMES, min_size=len(members), max_size=len(members)))
    entries = [
        entry(str(member), name, draw(st.none() | st.integers(1, 9999)))
        for member, name in zip(members, names, strict=True)
    ]
    half = len(entries) // 2
    games: list[Game] = []
    for name, own in (("OPEN", entries[:half]), ("RESERVE", entries[half:])):
        for number in range(1, draw(st.integers(1, 4)) + 1):
            games += draw(_round(name, number, [each.id for each in own]))
    heads = (OPEN, replace(OPEN, name="RESERVE", number=2, kind="round_robin"))
    event = replace(EVENT, name="X" + draw(NAMES), kind=None)
    return Report(event, tuple(entries), tuple(games), heads)


@st.composite
def _round(draw: st.DrawFn, section: str, number: int, players: list[str]) -> list[Game]:
    left = draw(st.permutations(players))
    games = []
    while left:
        white, left = left[0], left[1:]
        paired: bool = draw(st.booleans())
        black = left[0] if left and paired else None
        left = left[1:] if black else left
        status = draw(st.sampled_from([GameStatus.PLAYED, GameStatus.FORFEIT]))
        choices = ["1-0", "0-1", "1/2-1/2" if status is GameStatus.PLAYED else "*"]
        if black is None:
            status, choices = GameStatus.BYE, ["1-0", "1/2-1/2"]
        result = draw(st.sampled_from(choices))
        games.append(game(white, black, result, status=status, round=number, section=section))
    return games


@settings(max_examples=100, deadline=None)
@given(reports())
def test_what_is_written_is_read_again(first):
    written = write_2c(first)
    assert not written.findings.refused
    again, findings = read_again(written)
    assert not findings.refused
    again = without_places(again)
    rounds = {s["S_TOT_RNDS"] for s in rows(written, layout.SECTIONS)}
    expected = int(rounds.pop()) if len(rounds) == 1 else None
    assert again.event == replace(first.event, rounds=expected)
    assert again.entries == first.entries
    assert set(again.games) == set(first.games)
    assert len(again.games) == len(first.games)
    assert again.section_heads == first.section_heads
    assert without_places(read_again(write_2c(again))[0]) == again


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text(max_size=50), min_size=1, max_size=4, unique=True),
    st.lists(
        st.tuples(
            st.integers(0, 4),
            st.none() | st.integers(0, 4),
            st.sampled_from(Result),
            st.sampled_from(GameStatus),
            st.none() | st.integers(-1, 120),
            st.none() | st.text(max_size=40),
            st.booleans(),
        ),
        max_size=8,
    ),
    st.text(max_size=300),
)
def test_any_report_is_written_or_refused(ids, games, text):
    entries = [Entry(i, text[:40], ids={"uscf": i[:9]}) for i in ids]
    played = [
        Game(
            ids[w % len(ids)],
            None if b is None else ids[b % len(ids)],
            result,
            status,
            number,
            name,
            white_rated=rated,
            black_rated=rated,
        )
        for w, b, result, status, number, name, rated in games
    ]
    event = Event(text, text, text, pool=text, kind=text, officials=(text,), rounds=500)
    written = write_2c(Report(event, tuple(entries), tuple(played)))
    assert bool(written.files) != written.findings.refused
    assert all(finding.message and finding.remedy for finding in written.findings)
    if written.files:
        again, _ = read_again(written)
        # Two spellings of one number may be one player for the reader, never more players.
        assert {e.id for e in again.entries} >= set(written.ids.values())
