"""TRF written: the columns of the standard, and reading back gives the same report."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratingbook.formats.fide.trf.read import read_trf
from ratingbook.formats.fide.trf.write import write_trf16, write_trf26
from ratingbook.formats.tools.text import decode
from ratingbook.formats.tools.written import Written
from ratingbook.model import (
    Entry,
    Event,
    Findings,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    Severity,
    Standing,
)
from tests.formats.fide.trf_files import SAMPLES, file, player_line, read, sample
from tests.formats.helpers import Edits, codes, damaged, edits, one, with_code

Writer = Callable[[Report], Written]
WRITERS = pytest.mark.parametrize("write", [write_trf16, write_trf26])

DAY = date(2026, 3, 6)
JO, AL, ED = Entry("1", "Doe, Jo"), Entry("2", "Roe, Al"), Entry("3", "Poe, Ed")


def report_of(*games: Game, event: Event | None = None, entries: tuple[Entry, ...] = (JO, AL, ED)):
    return Report(event or Event(), entries, games)


def lines_of(written: Written) -> list[str]:
    """The lines of the only file."""
    text = written.files[""].decode()
    assert text.endswith("\r\n")
    return text.removesuffix("\r\n").split("\r\n")


def record(written: Written, tag: str) -> list[str]:
    return [line for line in lines_of(written) if line.startswith(tag)]


def refused(written: Written, code: str) -> None:
    """Nothing is written, and an error says why."""
    assert not written.files
    assert code in codes(written.findings, Severity.ERROR)
    assert all(finding.remedy for finding in written.findings)


# --- The columns ------------------------------------------------------------------------------


def test_a_players_line_stands_in_the_columns_of_the_standard() -> None:
    player = Entry(
        "7",
        "Doe, Jo",
        federation="GER",
        title="WFM",
        sex="w",
        birth_date=date(1990, 5, 17),
        ids={"fide": "4600001"},
        standing=Standing(rating=2010),
    )
    written = write_trf16(report_of(Game("7", "12"), entries=(player, Entry("12", "Roe, Al"))))
    line = record(written, "001")[0]
    assert line == (
        "001    7 wWFM Doe, Jo                           2010 GER     4600001 1990/05/17  0.0    1"
        "    12 w"
    )
    fields = [(1, 3), (5, 8), (10, 10), (11, 13), (15, 47), (49, 52), (54, 56), (58, 68), (70, 79)]
    assert [line[first - 1 : last].strip() for first, last in fields] == [
        "001", "7", "w", "WFM", "Doe, Jo", "2010", "GER", "4600001", "1990/05/17",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "white", "black"),
    [
        (Game("1", "2", Result.WHITE_WINS), "   2 w 1", "   1 b 0"),
        (Game("1", "2", Result.BLACK_WINS), "   2 w 0", "   1 b 1"),
        (Game("1", "2", Result.DRAW), "   2 w =", "   1 b ="),
        (Game("1", "2"), "   2 w", "   1 b"),
        (Game("1", "2", Result.DRAW, GameStatus.TIME), "   2 w =", "   1 b ="),
        (Game("1", "2", Result.WHITE_WINS, GameStatus.FORFEIT), "   2 w +", "   1 b -"),
        (Game("1", "2", Result.BLACK_WINS, GameStatus.FORFEIT), "   2 w -", "   1 b +"),
        (Game("1", "2", Result.NONE, GameStatus.FORFEIT), "   2 w -", "   1 b -"),
        (
            Game("1", "2", Result.WHITE_WINS, white_rated=False, black_rated=False),
            "   2 w W",
            "   1 b L",
        ),
        (
            Game("1", "2", Result.DRAW, white_rated=False, black_rated=False),
            "   2 w D",
            "   1 b D",
        ),
    ],
)
def test_results(game: Game, white: str, black: str) -> None:
    written = write_trf26(report_of(replace(game, round=1)))
    assert [line[91:] for line in record(written, "001")] == [white, black, "0000 - Z"]
    assert not written.findings


def test_byes() -> None:
    bye = Game("1", None, status=GameStatus.BYE, round=1)
    for result, code in (
        (Result.WHITE_WINS, "U"),
        (Result.DRAW, "H"),
        (Result.BLACK_WINS, "Z"),
        (Result.NONE, "Z"),
    ):
        written = write_trf16(report_of(replace(bye, result=result)))
        assert record(written, "001")[0][91:] == f"0000 - {code}"
    # The pairing allots one bye in a round, so two of them are full-point byes.
    two = (replace(bye, result=Result.WHITE_WINS, white=player) for player in ("1", "3"))
    cells = [line[91:] for line in record(write_trf16(report_of(*two)), "001")]
    assert cells == ["0000 - F", "0000 - Z", "0000 - F"]
    # A team without an opponent has one bye for all of its players.
    two = (replace(bye, result=Result.WHITE_WINS, white=player) for player in ("1", "3"))
    team = (replace(JO, team="A"), AL, replace(ED, team="A"))
    cells = [line[91:] for line in record(write_trf16(report_of(*two, entries=team)), "001")]
    assert cells == ["0000 - U", "0000 - Z", "0000 - U"]


def test_points_and_places() -> None:
    written = write_trf16(
        report_of(
            Game("1", "2", Result.DRAW, round=1),
            Game("3", None, Result.WHITE_WINS, GameStatus.BYE, round=1),
            Game("1", "3", Result.DRAW, round=2),
            Game("2", None, Result.DRAW, GameStatus.BYE, round=2),
        )
    )
    points_and_places = [(line[80:84], line[85:89]) for line in record(written, "001")]
    assert points_and_places == [(" 1.0", "   2"), (" 1.0", "   2"), (" 1.5", "   1")]


def test_the_header() -> None:
    event = Event(
        name="Spring Open",
        place="Zürich",
        federation="SUI",
        start=DAY,
        end=DAY + timedelta(1),
        kind="swiss",
        time_control="5400+30",
        rounds=5,
        officials=("Doe, Jo", "Roe, Al", "Poe, Ed"),
    )
    first = Game("1", "2", Result.DRAW, round=1, start=DAY, end=DAY)
    third = replace(first, round=3, start=DAY + timedelta(1), end=DAY + timedelta(1))
    report = report_of(first, third, event=event, entries=(JO, AL))
    header = [
        "012 Spring Open",
        "022 Zürich",
        "032 SUI",
        "042 2026/03/06",
        "052 2026/03/07",
        "062 2",
        "072 0",
        "092 Individual: Swiss-System",
        "102 Doe, Jo",
        "112 Roe, Al",
        "112 Poe, Ed",
    ]
    dates = f"132{'':88}26/03/06{'':12}26/03/07"
    assert lines_of(write_trf16(report))[:-2] == [*header, "122 5400+30", dates]
    assert lines_of(write_trf26(report))[:-2] == [*header, dates, "142 5", "222 5400+30"]


@pytest.mark.parametrize(
    ("time", "tag"),
    [
        ("5400+30", "222"),
        ("40/6000+30:900+30", "222"),
        ("90+30", "122"),  # Minutes, which would become seconds.
        ("G/90;d5", "122"),
        ("7200:x", "122"),
    ],
)
def test_a_time_control_in_seconds_is_encoded_in_trf26(time: str, tag: str) -> None:
    written = write_trf26(report_of(event=Event(time_control=time)))
    assert f"{tag} {time}" in lines_of(written)


def test_teams_of_both_versions() -> None:
    entries = tuple(
        Entry(str(rank), "Doe, Jo", team=team)
        for rank, team in enumerate(["Town A", "Ort B", "Town A", "Ort B"], 1)
    )
    games = (
        Game("1", "2", Result.WHITE_WINS, round=1),
        Game("4", "3", Result.DRAW, round=1),
    )
    report = report_of(*games, event=Event(kind="team"), entries=entries)
    assert record(write_trf16(report), "013") == [
        "013 Town A                             1    3",
        "013 Ort B                              2    4",
    ]
    assert record(write_trf26(report), "310") == [
        "310   1 Town A                                           2.0    1.5   1     1    3",
        "310   2 Ort B                                            0.0    0.5   2     2    4",
    ]
    assert "082 2" in lines_of(write_trf16(report))


def test_the_points_of_teams_with_byes_are_not_known() -> None:
    entries = (replace(JO, team="A"), replace(AL, team="B"), replace(ED, team="C"))
    written = write_trf26(report_of(Game("1", "2", Result.DRAW, round=1), entries=entries))
    assert record(written, "310")[0] == f"310   1 {'A':32}{'':33}   1"
    one(written.findings, "trf.team-points", Severity.INFO)


def test_national_records() -> None:
    entries = (
        replace(JO, federation="NOR", foreign={"national": 2200.0}, ids={"national": "D50113"}),
        replace(AL, federation="BEL", ids={"national": "A1"}),
        replace(ED, foreign={"national": 1500.5}),
    )
    written = write_trf26(report_of(event=Event(federation="FRA"), entries=entries))
    assert record(written, "FRA") == [
        "FRA    1                                        2200          D50113",
        "FRA    2                                                          A1",
        "FRA    3                                        1501",
    ]
    assert "172 FRA OTHER" in lines_of(written)
    one(written.findings, "trf.rounded", Severity.INFO)
    # FIDE itself has no national ratings, so the player's federation is the one.
    written = write_trf26(report_of(event=Event(federation="FID"), entries=entries))
    assert [line[:8] for line in lines_of(written) if line[4:8].strip() in "123"][-2:] == [
        "NOR    1",
        "BEL    2",
    ]
    assert (
        "no federation is known" in one(written.findings, "trf.left-out", Severity.WARNING).message
    )
    assert not record(write_trf16(report_of(entries=entries)), "172")


def test_numbers_of_the_players() -> None:
    written = write_trf16(report_of(entries=(replace(JO, id="12"), replace(AL, id="3"))))
    assert [line[:8] for line in record(written, "001")] == ["001    3", "001   12"]
    assert not written.ids
    for odd in ("0", "03", "10000", "a", "²", ""):
        written = write_trf16(report_of(entries=(replace(JO, id=odd), replace(AL, id="3"))))
        assert [line[:8] for line in record(written, "001")] == ["001    1", "001    2"]
        assert written.ids == {odd: "1", "3": "2"}


# --- What does not fit ------------------------------------------------------------------------


@WRITERS
def test_long_and_odd_texts(write: Writer) -> None:
    entries = (
        replace(JO, name="Wolfeschlegelsteinhausenbergerdorff, Jo", team="T" * 40),
        replace(AL, name="Roe\n001    9\tAl\x00", team="T" * 50),
        replace(ED, name="Poe\ud800, Ed \u202e", federation="DE", title="Dr"),
    )
    report = report_of(event=Event(name="x" * 1000, federation="GERMANY"), entries=entries)
    written = write(report)
    names = [line[14:47].strip() for line in record(written, "001")]
    assert names == ["Wolfeschlegelsteinhausenbergerdor", "Roe 001 9 Al", "Poe, Ed"]
    assert "Wolfeschlegel" in one(written.findings, "trf.cut", Severity.WARNING).message
    one(written.findings, "trf.text", Severity.INFO)
    left_out = one(written.findings, "trf.left-out", Severity.WARNING).message
    assert all(text in left_out for text in ("DE", "DR", "GERMANY"))
    # Two teams whose names are cut alike stay two teams.
    again, _ = read(written.files[""])
    assert [entry.team for entry in again.entries] == ["T" * 32, "T" * 30 + " 2", None]


@pytest.mark.parametrize(
    ("rating", "written_as"),
    [
        (1800, "1800"),
        (950.4, " 950"),
        (1799.5, "1800"),
        (1799.5 - 2**-40, "1800"),
        (9999.5 - 2**-38, "    "),
        (9999.4, "9999"),
        (0, "    "),
        (0.2, "    "),
        (-100, "    "),
        (9999.5, "    "),
        (1e300, "    "),
        (float("nan"), "    "),
        (float("inf"), "    "),
    ],
)
def test_ratings(rating: float, written_as: str) -> None:
    written = write_trf16(report_of(entries=(replace(JO, standing=Standing(rating=rating)),)))
    assert record(written, "001")[0][48:52] == written_as
    assert record(written, "072") == [f"072 {int(written_as != '    ')}"]
    findings = codes(written.findings)
    assert ("trf.left-out" in findings) == (written_as == "    " and rating != 0)
    assert ("trf.rounded" in findings) == (written_as != "    " and rating != int(rating))


@pytest.mark.parametrize(
    "entry",
    [
        replace(JO, ids={"fide": "L123"}),
        replace(JO, ids={"fide": "123456789012"}),
        replace(JO, ids={"fide": "²³"}),
        replace(JO, birth_year=12),
        replace(JO, ids={"national": "N" * 12}),
        replace(JO, foreign={"national": -5.0}),
    ],
)
def test_values_that_are_left_out(entry: Entry) -> None:
    written = write_trf26(report_of(entries=(entry,)))
    finding = one(written.findings, "trf.left-out", Severity.WARNING)
    assert finding.where.player == "1"
    again, _ = read(written.files[""])
    assert (again.entries[0].ids, again.entries[0].foreign) == ({}, {})
    assert "12" not in finding.message or "FIDE" in finding.message  # No year of birth.


def test_a_year_of_birth() -> None:
    written = write_trf16(report_of(entries=(replace(JO, birth_year=1978),)))
    assert record(written, "001")[0][69:79] == "1978/00/00"


def test_dates_of_rounds_that_cannot_be_written() -> None:
    event = Event(start=DAY, end=DAY)
    game = Game("1", "2", round=1, start=DAY, end=DAY)
    for games in (
        [replace(game, end=DAY + timedelta(1))],  # Two days.
        [game, Game("3", None, round=1, start=DAY - timedelta(1), status=GameStatus.BYE)],
        [replace(game, start=DAY + timedelta(1), end=DAY + timedelta(1))],  # After the event.
    ):
        written = write_trf16(report_of(*games, event=event))
        assert not record(written, "132")
        assert one(written.findings, "trf.round-dates", Severity.WARNING).where.round == 1
    old = date(1960, 1, 1)
    written = write_trf16(report_of(replace(game, start=old, end=old)))
    one(written.findings, "trf.round-dates", Severity.WARNING)


def test_a_team_of_more_players_than_the_standard_has_columns() -> None:
    entries = tuple(Entry(str(rank), "Doe, Jo", team="A") for rank in range(1, 17))
    written = write_trf16(report_of(entries=entries))
    assert "A with 16" in one(written.findings, "trf.team-size", Severity.INFO).message
    again, _ = read(written.files[""])
    assert {entry.team for entry in again.entries} == {"A"}


def test_more_teams_than_there_are_numbers() -> None:
    entries = tuple(Entry(str(rank), "Doe, Jo", team=f"T{rank}") for rank in range(1, 1001))
    written = write_trf26(report_of(entries=entries))
    one(written.findings, "trf.too-many-teams", Severity.WARNING)
    assert not record(written, "310")


def test_games_that_trf_has_no_code_for() -> None:
    games = (
        Game("1", "2", Result.WHITE_WINS, GameStatus.CANCELLED, round=1),
        Game("1", "2", Result.DRAW, GameStatus.FORFEIT, round=2),
        Game("1", "2", Result.WHITE_WINS, GameStatus.BYE, round=3),
        Game("1", "2", Result.WHITE_WINS, round=4, black_rated=False),
    )
    written = write_trf26(report_of(*games))
    assert record(written, "001")[0][91:] == "0000 - Z     2 w D     2 w W     2 w 1"
    assert "1 and 2" in one(written.findings, "trf.cancelled", Severity.WARNING).message
    assert "(2 in all)" in one(written.findings, "trf.unusual-result", Severity.WARNING).message
    assert one(written.findings, "trf.one-sided", Severity.WARNING).where.round == 4


def test_games_without_round_go_where_both_players_are_free() -> None:
    games = (
        Game("1", "2", Result.DRAW),
        Game("1", "3", Result.WHITE_WINS, round=1),
        Game("2", "3", Result.DRAW),
    )
    written = write_trf16(report_of(*games))
    again, findings = read(written.files[""])
    assert [(g.round, g.white, g.black) for g in again.games] == [
        (1, "1", "3"),
        (2, "1", "2"),
        (3, "2", "3"),
    ]
    assert not findings.refused
    one(written.findings, "trf.no-round", Severity.WARNING)


def test_points_that_have_no_room() -> None:
    games = [Game("1", "2", Result.WHITE_WINS, round=number) for number in range(1, 102)]
    written = write_trf16(report_of(*games))
    assert "101.0 points" in one(written.findings, "trf.left-out", Severity.WARNING).message
    again, findings = read(written.files[""])
    assert len(again.games) == 101
    assert not findings.refused


# --- What is refused --------------------------------------------------------------------------


@WRITERS
def test_two_games_of_a_player_in_a_round(write: Writer) -> None:
    games = (
        Game("1", "2", Result.DRAW, round=1, section="A"),
        Game("3", "1", Result.DRAW, round=1, section="B"),
    )
    written = write(report_of(*games))
    refused(written, "trf.collision")
    finding = one(written.findings, "trf.collision", Severity.ERROR)
    assert (finding.where.player, finding.where.round) == ("1", 1)
    assert "section B" in finding.message


def test_sections_that_do_not_collide_share_a_file() -> None:
    entries = (JO, AL, ED, Entry("4", "Moe, My"))
    games = (
        Game("1", "2", Result.DRAW, round=1, section="A"),
        Game("3", "4", Result.DRAW, round=1, section="B"),
    )
    again, _ = read(write_trf26(report_of(*games, entries=entries)).files[""])
    assert again.games == tuple(replace(g, section=None, place=r.place) for g, r in zip(
        games, again.games, strict=True
    ))  # fmt: skip


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (report_of(entries=()), "trf.no-players"),
        (report_of(Game("1", "1", round=1)), "trf.collision"),
        (report_of(Game("1", "2", round=0)), "trf.round-number"),
        (report_of(Game("1", "2", round=401)), "trf.round-number"),
        (report_of(Game("1", "2", round=10**12)), "trf.round-number"),
        (report_of(*[Game("1", "2")] * 500), "trf.round-number"),
        (report_of(Game("1", "9", round=1)), "trf.players"),
        (report_of(Game("1", "", round=1)), "trf.players"),
        (report_of(entries=(JO, JO)), "trf.players"),
        (
            report_of(entries=tuple(Entry(f"p{number}") for number in range(10_000))),
            "trf.too-many-players",
        ),
    ],
)
@WRITERS
def test_refused(write: Writer, report: Report, code: str) -> None:
    refused(write(report), code)


# --- Read, write, read ------------------------------------------------------------------------


def bare(report: Report) -> Report:
    """The report without the places in the file, and in the final table, which may be missing."""
    return replace(
        report,
        entries=tuple(replace(entry, place=Place(), rank=None) for entry in report.entries),
        games=tuple(replace(game, place=Place()) for game in report.games),
    )


def in_power(report: Report, write: Writer) -> Report:
    """What the version can say of a report: what it has no columns for is taken away.

    No version has a place for numbers of a register that is not FIDE's, and TRF16 has
    none for national ratings and the number of rounds.
    """
    new = write is write_trf26
    kept = {"fide", "national"} if new else {"fide"}
    entries = tuple(
        replace(
            entry,
            ids={key: number for key, number in entry.ids.items() if key in kept},
            foreign=entry.foreign if new else {},
        )
        for entry in report.entries
    )
    event = report.event if new else replace(report.event, rounds=None)
    return bare(replace(report, event=event, entries=entries))


def again(written: Written) -> tuple[Report, Findings]:
    """What was written, read; every line keeps to its columns."""
    report, findings = read(written.files[""])
    assert not with_code(findings, "trf.columns")
    assert not with_code(findings, "trf.team-columns")
    assert not with_code(findings, "trf.counts")
    return report, findings


@WRITERS
@pytest.mark.parametrize("name", SAMPLES)
def test_real_files_come_back(reference: Path, name: str, write: Writer) -> None:
    report, _ = sample(reference, name)
    written = write(report)
    assert not codes(written.findings, Severity.ERROR, Severity.WARNING)
    assert not written.ids
    found, findings = again(written)
    assert bare(found) == in_power(report, write)
    assert codes(findings, Severity.WARNING).keys() <= {"event.no-dates"}


@pytest.mark.parametrize(
    "name", ["example_trf26.trf", "issue_15.trf", "trf-import-test.trf", "trf-team-import-test.trf"]
)
def test_the_columns_of_real_files(reference: Path, name: str) -> None:
    """What keeps to the columns is written as the other program wrote it."""
    data = (reference / "samples" / "trf" / name).read_bytes()
    theirs = [line for line in data.decode().splitlines() if line.startswith("001 ")]
    ours = record(write_trf26(read(data)[0]), "001 ")
    for their, our in zip(theirs, ours, strict=True):
        assert our[13:79] == their[13:79]  # Name to birth date; titles were short once.
        # Whether a bye in a team event brings its player points, programs see differently.
        if name != "trf-team-import-test.trf":
            assert our[79:84] == their[79:84]
        played = re.compile(r"[1-9][0-9]* [wb] [-+=01]")
        assert played.findall(our[91:]) == played.findall(their[91:])


def texts(most: int) -> st.SearchStrategy[str]:
    """Texts of one line, with letters, signs and digits of all kinds."""
    letters = st.characters(exclude_categories=["C", "Z"])
    words = st.text(letters | st.sampled_from("  ,'-=+"), max_size=most)
    return words.map(lambda text: " ".join(text.split()))


@st.composite
def events(draw: st.DrawFn, teams: bool) -> Event:
    kinds = ["team", "swiss", "round_robin", "knockout", "scheveningen", "match"]
    start = draw(st.none() | st.dates(date(1980, 1, 1), date(2060, 12, 31)))
    length = draw(st.integers(0, 700))
    end = draw(st.just(start + timedelta(length)) | st.none()) if start else None
    return Event(
        name=draw(texts(60)) or None,
        place=draw(texts(20)) or None,
        federation=draw(st.sampled_from(["GER", "FRA", "NOR"])),
        start=start,
        end=end,
        kind=draw(st.sampled_from([*kinds] if teams else [*kinds, None])),
        time_control=draw(texts(20) | st.sampled_from(["5400+30", "90+30"])) or None,
        rounds=draw(st.none() | st.integers(1, 400)),
        officials=tuple(filter(None, draw(st.lists(texts(30), max_size=3, unique=True)))),
    )


@st.composite
def players(draw: st.DrawFn, rank: int, teams: tuple[str, ...]) -> Entry:
    birth = draw(st.none() | st.dates(date(1850, 1, 1), date(2099, 12, 31)))
    national = draw(st.text("ABC0123456789", max_size=11))
    rating = draw(st.none() | st.integers(1, 9999))
    own = draw(st.none() | st.integers(1, 9999))
    ids = {"fide": str(4_600_000 + rank)} if draw(st.booleans()) else {}
    return Entry(
        id=str(rank),
        name=draw(texts(33)),
        federation=draw(st.sampled_from([None, "GER", "FRA", "FID"])),
        title=draw(st.sampled_from([None, "GM", "FM", "WIM", "WCM"])),
        sex=draw(st.sampled_from([None, "m", "w"])),
        birth_date=birth,
        birth_year=None if birth else draw(st.none() | st.integers(1850, 2099)),
        team=draw(st.sampled_from([None, *teams])) if teams else None,
        ids=ids | ({"national": national} if national else {}),
        standing=Standing(rating=rating) if rating else None,
        foreign={"national": own} if own else {},
    )


PLAYED = [(result, GameStatus.PLAYED, rated) for result in Result for rated in (True, False)]
OUTCOMES = [outcome for outcome in PLAYED if outcome != (Result.NONE, GameStatus.PLAYED, False)] + [
    (result, GameStatus.FORFEIT, False) for result in Result if result is not Result.DRAW
]
"""All that the codes can say; games without result are rated, as far as a file tells."""


@st.composite
def rounds(draw: st.DrawFn, number: int, ranks: list[int], day: date | None) -> list[Game]:
    order = draw(st.permutations(ranks))
    games = []
    for white, black in zip(order[::2], order[1::2], strict=False):
        if not draw(st.integers(0, 3)):
            continue
        result, status, rated = draw(st.sampled_from(OUTCOMES))
        games.append(
            Game(str(white), str(black), result, status, white_rated=rated, black_rated=rated)
        )
    if len(order) % 2 and draw(st.booleans()):
        result = draw(st.sampled_from([Result.WHITE_WINS, Result.DRAW]))
        games.append(
            Game(str(order[-1]), None, result, GameStatus.BYE, white_rated=False, black_rated=False)
        )
    games.sort(key=lambda game: int(game.white))
    return [replace(game, round=number, start=day, end=day) for game in games]


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Reports with everything that the format has columns for."""
    teams = tuple(sorted(set(filter(None, draw(st.lists(texts(32), max_size=3))))))
    ranks = sorted(draw(st.sets(st.integers(1, 9999), min_size=1, max_size=9)))
    entries = tuple(draw(players(rank, teams)) for rank in ranks)
    event = draw(events(any(entry.team for entry in entries)))
    first, last = event.start or date(1980, 1, 1), event.end or date(2060, 12, 31)
    games: list[Game] = []
    for number in range(1, draw(st.integers(0, 6)) + 1):
        day = draw(st.none() | st.dates(first, last))
        games += draw(rounds(number, ranks, day))
    return Report(event, entries, tuple(games))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(report=reports(), write=st.sampled_from([write_trf16, write_trf26]))
def test_reports_come_back(report: Report, write: Writer) -> None:
    written = write(report)
    assert not codes(written.findings, Severity.ERROR, Severity.WARNING)
    found, findings = again(written)
    assert bare(found) == in_power(report, write)
    assert not findings.refused
    assert not with_code(findings, "trf.points")
    width = {len(line) for line in record(written, "001 ")}
    assert max(width) <= 91 + 10 * 6


ANY_TEXT = st.none() | st.text(max_size=40)
ANY_NUMBER = st.none() | st.floats() | st.integers()
ANY_DAY = st.none() | st.dates()
ANY_IDS = st.sampled_from(["1", "2", "7", "10001", "x", "", "００"])


def any_report() -> st.SearchStrategy[Report]:
    """Reports of other formats, and such as nobody should make."""
    entry = st.builds(
        Entry,
        id=ANY_IDS,
        name=st.text(max_size=60),
        federation=ANY_TEXT,
        title=ANY_TEXT,
        sex=ANY_TEXT,
        birth_date=ANY_DAY,
        birth_year=st.none() | st.integers(),
        team=ANY_TEXT,
        ids=st.dictionaries(st.sampled_from(["fide", "national", "egd"]), st.text(max_size=15)),
        standing=st.none() | st.builds(Standing, rating=ANY_NUMBER),
        foreign=st.dictionaries(st.just("national"), ANY_NUMBER),
    )
    game = st.builds(
        Game,
        white=ANY_IDS,
        black=st.none() | ANY_IDS,
        result=st.sampled_from(Result),
        status=st.sampled_from(GameStatus),
        round=st.none() | st.integers(-1, 12),
        section=st.none() | st.just("A"),
        start=ANY_DAY,
        end=ANY_DAY,
        white_rated=st.booleans(),
        black_rated=st.booleans(),
    )
    event = st.builds(
        Event,
        name=ANY_TEXT,
        place=ANY_TEXT,
        federation=ANY_TEXT,
        start=ANY_DAY,
        end=ANY_DAY,
        kind=ANY_TEXT,
        time_control=ANY_TEXT,
        rounds=st.none() | st.integers(),
        officials=st.lists(st.text(max_size=20), max_size=3, unique=True).map(tuple),
    )
    entries = st.lists(entry, max_size=6, unique_by=lambda e: e.id).map(tuple)
    return st.builds(Report, event, entries, st.lists(game, max_size=6).map(tuple))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(report=any_report(), write=st.sampled_from([write_trf16, write_trf26]))
def test_any_report_is_written_or_refused(report: Report, write: Writer) -> None:
    written = write(report)
    assert bool(written.files) != written.findings.refused
    assert all(finding.remedy for finding in written.findings)
    if not written.files:
        return
    found, findings = again(written)
    assert not findings.refused
    assert len(found.entries) == len(report.entries)
    ids = {entry.id for entry in report.entries}
    assert {written.ids.get(player, player) for player in ids} == {e.id for e in found.entries}
    sides: defaultdict[str, int] = defaultdict(int)
    for game in report.games:
        if game.black is not None and game.status is not GameStatus.CANCELLED:
            sides[written.ids.get(game.white, game.white)] += 1
    for game in found.games:
        if game.black is not None:
            sides[game.white] -= 1
    assert not any(sides.values())


SMALL_SAMPLES = tuple(name for name in SAMPLES if not name.startswith(("example", "issue", "arm")))
EDITS = edits(b" ", b"\n", b"0", b"1 w 1", b"-", b"001 ", b"\xe4", b"2 b =  ", b"U", b"310 ")


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    name=st.sampled_from(SMALL_SAMPLES),
    changes=EDITS,
    write=st.sampled_from([write_trf16, write_trf26]),
)
def test_damaged_files_that_could_be_read_can_be_written(
    reference: Path, name: str, changes: Edits, write: Writer
) -> None:
    data = (reference / "samples" / "trf" / name).read_bytes()
    report, findings = read_trf(decode(damaged(data, changes)))
    if report is None:
        return
    written = write(report)
    assert bool(written.files) != written.findings.refused
    if not written.files or findings.refused:
        return
    found, more = again(written)
    assert not more.refused
    assert {e.id: e.standing for e in found.entries} == {e.id: e.standing for e in report.entries}
    assert [(g.round, g.white, g.black, g.result, g.status) for g in found.games] == [
        (g.round, g.white, g.black, g.result, g.status) for g in report.games
    ]


def test_a_file_of_the_other_version_is_told_apart_by_its_team_records() -> None:
    text = file(f"013 {'Town A':32}   1", player_line(1, "2 w 1"), player_line(2, "1 b 0"))
    report, _ = read(text)
    assert record(write_trf26(report), "310")
    assert not record(write_trf26(report), "013")
    assert record(write_trf16(report), "013")


ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "formats" / "trf.md").read_text("utf-8")


def test_the_page_names_every_finding() -> None:
    source = ROOT / "src" / "ratingbook" / "formats" / "fide" / "trf"
    text = "".join(path.read_text("utf-8") for path in source.glob("*.py"))
    assert set(re.findall(r"`((?:trf|game|event)\.[a-z-]+)`", PAGE)) == set(
        re.findall(r'"((?:trf|game|event)\.[a-z-]+)",', text)
    )


def test_the_example_on_the_page_is_what_would_be_written() -> None:
    (example,) = re.findall(r"```text\n(.*?)```", PAGE, re.S)
    report, findings = read(example)
    assert not findings
    counts = ("062", "072")
    written = [line for line in lines_of(write_trf16(report)) if not line.startswith(counts)]
    assert written == example.splitlines()
