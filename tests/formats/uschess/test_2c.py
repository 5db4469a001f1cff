"""The rating report of US Chess: three dBase files read as one report.

The folders are written with the dBase library; all players are invented.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path

import dbf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratingbook.desk.filled import with_players
from ratingbook.engine.intake import check_report
from ratingbook.engine.rate import rate
from ratingbook.formats import read
from ratingbook.formats.players import read_players
from ratingbook.formats.uschess.report_2c import layout
from ratingbook.formats.uschess.report_2c.layout import looks_like_2c
from ratingbook.formats.uschess.report_2c.read import read_2c
from ratingbook.model import (
    Finding,
    Findings,
    Game,
    GameStatus,
    Report,
    Result,
    SectionHead,
    Severity,
    Standing,
)
from ratingbook.rules.uscf import uscf_2011
from tests.formats.helpers import (
    assert_sound,
    loaded_by,
    one,
    refusal,
    with_code,
)

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "reports" / "club-open-2c"
YEAR = 1
"""Where the head of a file has its year."""

HEADER = {
    "H_FORMAT": 5, "H_PROGRAM": 10, "H_EVENT_ID": 12, "H_NAME": 35, "H_TOT_SECT": 2,
    "H_BEG_DATE": 8, "H_END_DATE": 8, "H_AFF_ID": 8, "H_CITY": 21, "H_STATE": 2,
    "H_ZIPCODE": 10, "H_COUNTRY": 21, "H_SENDCROS": 1, "H_CTD_ID": 8, "H_ATD_ID": 8,
    "H_OTHER_TD": 255,
}  # fmt: skip
SECTION = {
    "S_EVENT_ID": 12, "S_SEC_NUM": 2, "S_SEC_NAME": 30, "S_R_SYSTEM": 1, "S_TIMECTL": 40,
    "S_CTD_ID": 8, "S_ATD_ID": 8, "S_TRN_TYPE": 1, "S_TOT_RNDS": 2, "S_LST_PAIR": 4,
    "S_BEG_DATE": 8, "S_END_DATE": 8, "S_SCH_LVL": 1, "S_GR_PRIX": 1, "S_GP_PTS": 3, "S_FIDE": 1,
}  # fmt: skip
PLAYER = {
    "D_EVENT_ID": 12, "D_SEC_NUM": 2, "D_PAIR_NUM": 4, "D_MEM_ID": 8, "D_NAME": 30,
    "D_STATE": 2, "D_RATING": 4,
}  # fmt: skip

Values = Mapping[str, str]
Columns = Mapping[str, int | str]
"""The columns of a file: the width of a character column, or what the library is to make."""


def write_table(path: Path, columns: Columns, records: Iterable[Mapping[str, object]]) -> None:
    specs = [
        f"{name} C({kind})" if isinstance(kind, int) else f"{name} {kind}"
        for name, kind in columns.items()
    ]
    table = dbf.Table(str(path), ";".join(specs), dbf_type="db3", codepage="cp1252")
    with closing(table.open(dbf.READ_WRITE)):
        for record in records:
            table.append(dict(record))


def section(number: int, name: str, **values: str) -> dict[str, str]:
    usual = {"S_R_SYSTEM": "R", "S_TIMECTL": "G/90;d5", "S_TRN_TYPE": "S"}
    return {"S_SEC_NUM": str(number), "S_SEC_NAME": name, **usual, **values}


def player(pair: int, results: str, **values: str) -> dict[str, str]:
    """A player's record; the results are separated by blanks."""
    usual = {
        "D_SEC_NUM": "1",
        "D_PAIR_NUM": str(pair),
        "D_MEM_ID": f"9000{pair:04}",
        "D_NAME": f"PLAYER{'ABCDEFGHI'[pair % 9]}, PAT",
        "D_STATE": "NY",
        "D_RATING": "1500",
    }
    cells = {f"D_RND{n:02}": text for n, text in enumerate(results.split(), 1)}
    return {**usual, **cells, **values}


def write_report(
    folder: Path,
    players: Sequence[Values],
    sections: Sequence[Values] = (section(1, "OPEN"),),
    **header: str,
) -> Path:
    """A folder with the three files; what they declare of each other is right unless said."""
    folder.mkdir(exist_ok=True)
    usual = {
        "H_FORMAT": "2C",
        "H_NAME": "CLUB OPEN",
        "H_TOT_SECT": str(len(sections)),
        "H_BEG_DATE": "20111203",
        "H_END_DATE": "20111204",
        "H_CITY": "EXAMPLETON",
        "H_STATE": "NY",
    }
    rounds = max((len([c for c in p if c.startswith("D_RND")]) for p in players), default=0)
    columns = {**PLAYER, **{f"D_RND{n:02}": 7 for n in range(1, rounds + 1)}}
    write_table(folder / layout.EVENT, HEADER, [{**usual, **header}])
    declared = []
    for own in sections:
        pairs = [p["D_PAIR_NUM"] for p in players if p["D_SEC_NUM"] == own["S_SEC_NUM"]]
        last = max((int(pair) for pair in pairs if pair.isdigit()), default=0)
        declared.append({"S_TOT_RNDS": str(rounds), "S_LST_PAIR": str(last), **own})
    write_table(folder / layout.SECTIONS, SECTION, declared)
    write_table(folder / layout.PLAYERS, columns, players)
    return folder


def read_report(folder: Path) -> tuple[Report, Findings]:
    report, findings = read_2c(folder)
    assert report is not None, list(findings)
    return report, findings


def refused(path: Path, code: str) -> Finding:
    """The finding that refuses the report."""
    return refusal(read_2c(path), code)


def game(games: Iterable[Game], number: int, white: str) -> Game:
    (found,) = [g for g in games if g.round == number and g.white == white]
    return found


PAIR = (player(1, "W2W"), player(2, "L1B"))
"""Two players and their game."""
TWO_SECTIONS = [
    player(pair, result, D_SEC_NUM=str(n), D_MEM_ID=f"9000{n}00{pair}")
    for n in (1, 2)
    for pair, result in ((1, "W2W"), (2, "L1B"))
]
"""A pair of players in each of two sections."""


# The whole report


def test_a_report_without_findings(tmp_path):
    report, findings = read_report(write_report(tmp_path, PAIR))
    assert list(findings) == []
    event = report.event
    assert (event.name, event.place) == ("CLUB OPEN", "EXAMPLETON, NY")
    assert (event.federation, event.pool, event.kind) == ("USA", "regular", "swiss")
    assert (event.start, event.end) == (date(2011, 12, 3), date(2011, 12, 4))
    assert event.time_control == "G/90;d5"
    (played,) = report.games
    assert (played.white, played.black, played.result) == (
        "90000001",
        "90000002",
        Result.WHITE_WINS,
    )
    assert (played.round, played.section, played.status) == (1, "OPEN", GameStatus.PLAYED)
    assert (played.white_rated, played.black_rated) == (True, True)
    assert (played.start, played.end) == (None, None)
    assert report.entries[0].name == "PLAYERB, PAT"
    assert report.entries[0].standing == Standing(rating=1500)


def test_the_example():
    report, findings = read_report(EXAMPLE)
    assert [f.code for f in findings] == ["uschess.re-entry"]
    assert not check_report(report).refused
    assert len(report.entries) == 11
    assert [s.name for s in report.sections()] == ["OPEN", "RESERVE"]
    rated = [g for g in report.games if g.white_rated]
    assert len(rated) == 16
    unrated = report.entry("90000006")
    assert (unrated.name, unrated.standing) == ("ELM, ERIN", None)
    re_entered = [g for g in rated if "90000005" in (g.white, g.black)]
    assert [g.round for g in re_entered] == [1, 2, 3, 4]
    forfeit = game(report.games, 3, "90000003")
    assert (forfeit.black, forfeit.status) == ("90000004", GameStatus.FORFEIT)
    bye = game(report.games, 4, "90000006")
    assert (bye.black, bye.status, bye.result) == (None, GameStatus.BYE, Result.WHITE_WINS)


def test_the_example_and_its_players_file_fit_together():
    report, _ = read_report(EXAMPLE)
    text = (EXAMPLE.parent / "club-open-players.csv").read_text("utf-8")
    players, findings = read_players(text)
    assert list(findings) == []
    assert set(players) == {entry.id for entry in report.entries}
    completed, findings = with_players(report, players)
    assert list(findings) == []
    for entry in completed.entries:
        own = entry.standing
        if own is None:
            assert entry.birth_date is not None
            continue
        assert own.games == (own.wins or 0) + (own.draws or 0) + (own.losses or 0)
        established = (own.games or 0) > 25
        assert ("peak" in own.extra) == established
        if established:
            assert float(str(own.extra["peak"])) >= float(own.rating or 0)


@pytest.mark.parametrize(
    "spell", [str.upper, str.lower, str.title], ids=["upper", "lower", "title"]
)
@pytest.mark.parametrize("file", [None, *layout.FILES])
def test_the_folder_or_one_of_its_files_whatever_their_case(
    tmp_path: Path, spell: Callable[[str], str], file: str | None
) -> None:
    write_report(tmp_path, PAIR)
    for name in layout.FILES:
        (tmp_path / name).rename(tmp_path / spell(name))
    path = tmp_path / spell(file) if file else tmp_path
    assert looks_like_2c(path)
    reading = read(path)
    assert reading.format == "2C"
    assert reading.report is not None
    assert len(reading.report.games) == 1


def test_a_folder_with_brackets_in_its_name(tmp_path):
    folder = write_report(tmp_path / "[1] open*", PAIR)
    assert len(read_report(folder)[0].games) == 1


def test_a_folder_without_any_of_the_files(tmp_path):
    assert not looks_like_2c(tmp_path)
    (finding,) = read(tmp_path).findings
    assert (finding.code, finding.severity) == ("file.unreadable", Severity.FATAL)


@pytest.mark.parametrize("year", [0, 11, 26, 111, 126, 255])
def test_any_year_in_the_head_of_the_files(tmp_path, year):
    write_report(tmp_path, PAIR)
    for name in layout.FILES:
        data = bytearray((tmp_path / name).read_bytes())
        data[YEAR] = year
        (tmp_path / name).write_bytes(data)
    assert list(read_report(tmp_path)[1]) == []


def test_reading_changes_nothing(tmp_path):
    write_report(tmp_path, PAIR)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    read_report(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_files_without_a_date_and_with_strange_reserved_bytes(tmp_path):
    write_report(tmp_path, PAIR)
    for name in layout.FILES:
        data = bytearray((tmp_path / name).read_bytes())
        data[YEAR : YEAR + 3] = b"\0\0\0"
        data[16:20] = b"\xde\xad\xbe\xef"
        (tmp_path / name).write_bytes(data)
    assert list(read_report(tmp_path)[1]) == []


@pytest.mark.parametrize("width", [254, 255])
def test_other_directors_as_text(tmp_path, width):
    write_report(tmp_path, PAIR)
    columns = {**HEADER, "H_OTHER_TD": width}
    values = {"H_FORMAT": "2C", "H_NAME": "X", "H_BEG_DATE": "20110101", "H_END_DATE": "20110101"}
    write_table(tmp_path / layout.EVENT, columns, [{**values, "H_OTHER_TD": "9" * width}])
    assert list(read_report(tmp_path)[1]) == []


def test_numbers_and_dates_in_columns_of_their_own_types(tmp_path):
    columns: Columns = {**HEADER, "H_TOT_SECT": "N(2,0)", "H_BEG_DATE": "D", "H_END_DATE": "D"}
    write_report(tmp_path, PAIR)
    header = {"H_FORMAT": "2C", "H_NAME": "CLUB OPEN", "H_TOT_SECT": 1}
    day = date(2011, 12, 3)
    write_table(
        tmp_path / layout.EVENT, columns, [{**header, "H_BEG_DATE": day, "H_END_DATE": day}]
    )
    typed: Columns = {
        **PLAYER,
        "D_SEC_NUM": "N(2,0)",
        "D_PAIR_NUM": "N(4,1)",
        "D_RATING": "N(4,0)",
        "D_RND01": 7,
    }
    numbered = [
        {**p, "D_SEC_NUM": 1, "D_PAIR_NUM": int(p["D_PAIR_NUM"]), "D_RATING": 1500} for p in PAIR
    ]
    write_table(tmp_path / layout.PLAYERS, typed, numbered)
    report, findings = read_report(tmp_path)
    assert list(findings) == []
    assert (report.event.start, len(report.games)) == (day, 1)
    assert report.entries[0].standing == Standing(rating=1500)


def test_a_date_column_that_holds_no_date(tmp_path):
    columns: Columns = {**HEADER, "H_BEG_DATE": "D", "H_END_DATE": "D"}
    write_report(tmp_path, PAIR)
    header = {"H_FORMAT": "2C", "H_NAME": "CLUB OPEN", "H_BEG_DATE": date(2011, 12, 3)}
    write_table(tmp_path / layout.EVENT, columns, [header])
    data = (tmp_path / layout.EVENT).read_bytes()
    (tmp_path / layout.EVENT).write_bytes(data.replace(b"20111203", b"2011AB03"))
    report, findings = read_report(tmp_path)
    assert report.event.start is None
    one(findings, "event.no-dates", Severity.WARNING)


def test_names_beyond_ascii_and_with_tabs(tmp_path):
    first = player(1, "W2W", D_NAME="MÜLLER,\tJOSÉ")
    report, _ = read_report(write_report(tmp_path, [first, player(2, "L1B")]))
    assert report.entries[0].name == "MÜLLER, JOSÉ"


def test_deleted_records_are_left_out(tmp_path):
    write_report(tmp_path, [*PAIR, player(2, "L1B", D_NAME="TYPO, TOM")])
    table = dbf.Table(str(tmp_path / layout.PLAYERS), dbf_type="db3", codepage="cp1252")
    with closing(table.open(dbf.READ_WRITE)):
        dbf.delete(table[2])
    report, findings = read_report(tmp_path)
    assert [e.id for e in report.entries] == ["90000001", "90000002"]
    one(findings, "dbf.deleted", Severity.WARNING)


def test_directors_and_rounds(tmp_path):
    folder = write_report(
        tmp_path,
        PAIR,
        H_CTD_ID="90000020",
        H_ATD_ID="90000021",
        H_OTHER_TD="90000022, 90000023",
    )
    report, findings = read_report(folder)
    assert report.event.officials == ("90000020", "90000021", "90000022", "90000023")
    assert report.event.rounds == 1
    assert list(findings) == []


def test_what_us_chess_calls_a_player(tmp_path):
    players = [player(1, "W2W"), player(2, "L1B", D_MEM_ID="00000000")]
    report, _ = read_report(write_report(tmp_path, players))
    assert [entry.ids for entry in report.entries] == [{"uscf": "90000001"}, {}]


def test_planned_rounds_are_not_told_where_each_holds_two_games(tmp_path):
    report, _ = read_report(write_report(tmp_path, [player(1, "$2W"), player(2, "L1B")]))
    assert [game.round for game in report.games] == [1, 2]
    assert report.event.rounds is None


# Sections


def test_several_sections_with_pairing_numbers_of_their_own(tmp_path):
    others = [
        player(1, "D2W", D_SEC_NUM="2", D_MEM_ID="90000011"),
        player(2, "D1B", D_SEC_NUM="2", D_MEM_ID="90000012"),
    ]
    sections = [section(1, "OPEN"), section(2, "RESERVE")]
    report, findings = read_report(write_report(tmp_path, [*PAIR, *others], sections))
    assert [(g.section, g.white, g.black) for g in report.games] == [
        ("OPEN", "90000001", "90000002"),
        ("RESERVE", "90000011", "90000012"),
    ]
    # The names repeat; ids and sections tell the players apart.
    assert list(findings) == []


def test_shorter_sections_are_padded(tmp_path):
    short = [
        player(1, "W2W U0 U0", D_SEC_NUM="2", D_MEM_ID="90000011"),
        player(2, "L1B U0", D_SEC_NUM="2", D_MEM_ID="90000012"),
    ]
    long = [player(1, "W2W W2B W2W"), player(2, "L1B L1W L1B")]
    sections = [section(1, "OPEN"), section(2, "SHORT", S_TOT_RNDS="1")]
    report, findings = read_report(write_report(tmp_path, [*long, *short], sections))
    assert len(report.games) == 4
    assert list(findings) == []


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("OPEN", "OPEN"), ["OPEN (1)", "OPEN (2)"]),
        (("OPEN", ""), ["OPEN", "Section 2"]),
    ],
)
def test_sections_are_told_apart(tmp_path, names, expected):
    others = [
        player(1, "D2W", D_SEC_NUM="2", D_MEM_ID="90000011"),
        player(2, "D1B", D_SEC_NUM="2", D_MEM_ID="90000012"),
    ]
    sections = [section(number, name) for number, name in enumerate(names, 1)]
    report, findings = read_report(write_report(tmp_path, [*PAIR, *others], sections))
    assert [s.name for s in report.sections()] == expected
    one(findings, "uschess.section-name", Severity.INFO)


@pytest.mark.parametrize(
    ("systems", "pool", "codes"),
    [
        ("RR", "regular", []),
        ("QQ", "quick", []),
        ("BB", "blitz", []),
        ("DD", "regular", ["uschess.dual"]),
        ("RD", "regular", ["uschess.dual"]),
        ("DQ", "quick", ["uschess.dual"]),
        ("RQ", None, ["uschess.mixed-systems"]),
        ("RZ", None, ["uschess.mixed-systems", "uschess.system"]),
        ("ZZ", None, ["uschess.system"]),
    ],
)
def test_the_pool_is_that_of_all_sections(tmp_path, systems, pool, codes):
    sections = [section(n, f"S{n}", S_R_SYSTEM=letter) for n, letter in enumerate(systems, 1)]
    report, findings = read_report(write_report(tmp_path, TWO_SECTIONS, sections))
    assert report.event.pool == pool
    assert sorted(f.code for f in findings) == codes
    assert not findings.refused


@pytest.mark.parametrize(
    ("types", "kind", "codes"),
    [
        ("SS", "swiss", []),
        ("2S", "swiss", []),
        ("RR", "round_robin", []),
        ("MM", "match", []),
        ("SM", None, ["uschess.kinds"]),
        ("S?", "swiss", ["event.kind"]),
    ],
)
def test_the_kind_is_that_of_all_sections(tmp_path, types, kind, codes):
    sections = [section(n, f"S{n}", S_TRN_TYPE=letter) for n, letter in enumerate(types, 1)]
    report, findings = read_report(write_report(tmp_path, TWO_SECTIONS, sections))
    assert report.event.kind == kind
    assert [f.code for f in findings] == codes


def test_time_controls_that_differ(tmp_path):
    sections = [section(n, f"S{n}", S_TIMECTL=f"G/{n}20") for n in (1, 2)]
    report, findings = read_report(write_report(tmp_path, TWO_SECTIONS, sections))
    assert report.event.time_control is None
    assert "G/120" in one(findings, "uschess.time-controls", Severity.INFO).message
    assert [head.time_control for head in report.section_heads] == ["G/120", "G/220"]


def test_heads_say_what_the_section_file_says(tmp_path):
    first = section(2, "OPEN", S_R_SYSTEM="D", S_TIMECTL="G/45;d5", S_BEG_DATE="20111204")
    second = section(1, "MATCH", S_R_SYSTEM="Q", S_TRN_TYPE="M", S_TIMECTL="")
    report, _ = read_report(write_report(tmp_path, TWO_SECTIONS, [first, second]))
    assert report.section_heads == (
        SectionHead("OPEN", 2, "dual", "G/45;d5", "swiss", date(2011, 12, 4)),
        SectionHead("MATCH", 1, "quick", None, "match"),
    )
    assert [s.name for s in report.sections()] == ["MATCH", "OPEN"]


def test_a_quick_rating_is_none_of_the_regular_pool(tmp_path):
    """One player of two sections in two systems: his two ratings do not contradict each other."""
    sections = [section(1, "SLOW"), section(2, "FAST", S_R_SYSTEM="Q", S_TIMECTL="G/15;d3")]
    players = [
        player(1, "W2W"),
        player(2, "L1B"),
        player(1, "W2W", D_SEC_NUM="2", D_RATING="1300"),
        player(2, "L1B", D_SEC_NUM="2", D_RATING="1350"),
    ]
    report, findings = read_report(write_report(tmp_path, players, sections))
    assert {f.code for f in findings} == {"uschess.mixed-systems", "uschess.time-controls"}
    for entry, quick in zip(report.entries, (1300, 1350), strict=True):
        assert entry.standing == Standing(rating=1500)
        assert entry.pools == {"quick": Standing(rating=quick)}
    rating = rate(report, uscf_2011)
    assert {rated.row.section for rated in rating.rows} == {"SLOW"}
    assert [rated.row.before for rated in rating.rows] == [1500, 1500]
    left = one(rating.findings, "uscf.other-system", Severity.WARNING)
    assert left.where.section == "FAST"


def test_dates_of_a_section(tmp_path):
    own = section(1, "OPEN", S_BEG_DATE="20111204", S_END_DATE="20111204")
    report, findings = read_report(write_report(tmp_path, PAIR, [own]))
    assert (report.games[0].start, report.games[0].end) == (date(2011, 12, 4), date(2011, 12, 4))
    assert list(findings) == []
    wrong = section(1, "OPEN", S_BEG_DATE="2011124")
    report, findings = read_report(write_report(tmp_path, PAIR, [wrong]))
    assert report.games[0].start is None
    one(findings, "uschess.section-dates", Severity.WARNING)


# Players


@pytest.mark.parametrize("rating", ["0", "", "UNR", "0000"])
def test_an_unrated_player(tmp_path, rating):
    players = [player(1, "W2W", D_RATING=rating), player(2, "L1B")]
    report, findings = read_report(write_report(tmp_path, players))
    assert report.entries[0].standing is None
    assert list(findings) == []


@pytest.mark.parametrize("rating", ["-5", "15.0", "abc", "1 50"])
def test_a_rating_that_is_none_refuses_the_report(tmp_path, rating):
    players = [player(1, "W2W", D_RATING=rating), player(2, "L1B")]
    finding = one(read_report(write_report(tmp_path, players))[1], "uschess.rating", Severity.ERROR)
    assert rating in finding.message
    assert finding.where.player == "90000001"


def test_players_without_a_member_number(tmp_path):
    players = [
        player(1, "W2W", D_MEM_ID="00000000"),
        player(2, "L1B", D_MEM_ID=""),
        player(1, "W2W", D_SEC_NUM="2", D_MEM_ID="00000000", D_NAME="OTHER, OLA"),
        player(2, "L1B", D_SEC_NUM="2", D_MEM_ID="90000012"),
    ]
    sections = [section(1, "OPEN"), section(2, "RESERVE")]
    report, findings = read_report(write_report(tmp_path, players, sections))
    assert [e.id for e in report.entries] == ["pair-1", "pair-2", "pair-1-RESERVE", "90000012"]
    assert "(3 in all)" in one(findings, "uschess.no-member", Severity.WARNING).message
    assert not findings.refused


@pytest.mark.parametrize("member", ["1234567", "9000000X"])
def test_an_odd_member_number_is_kept(tmp_path, member):
    players = [player(1, "W2W", D_MEM_ID=member), player(2, "L1B")]
    report, findings = read_report(write_report(tmp_path, players))
    assert report.entries[0].id == member
    one(findings, "uschess.member", Severity.WARNING)


def test_a_player_without_a_name(tmp_path):
    players = [player(1, "W2W", D_NAME=""), player(2, "L1B")]
    findings = read_report(write_report(tmp_path, players))[1]
    one(findings, "uschess.name", Severity.WARNING)


def re_entered(**values: str) -> list[dict[str, str]]:
    """Player 1 loses, and enters again with the pairing number 3."""
    again = {"D_MEM_ID": "90000001", "D_NAME": "PLAYERB, PAT"}
    return [
        player(1, "L2W U0"),
        player(2, "W1B D3W"),
        player(3, "H0 D2B", **{**again, **values}),
    ]


def test_who_entered_again_is_one_player_with_all_his_games(tmp_path):
    report, findings = read_report(write_report(tmp_path, re_entered()))
    assert [e.id for e in report.entries] == ["90000001", "90000002"]
    played = [(g.round, g.white, g.black) for g in report.games if g.black]
    assert played == [(1, "90000001", "90000002"), (2, "90000002", "90000001")]
    assert "(1 and 3)" in one(findings, "uschess.re-entry", Severity.INFO).message
    assert not check_report(report).refused


def test_two_re_entered_players_may_meet_twice_in_one_round(tmp_path):
    players = [
        player(1, "W2W"),
        player(2, "L1B"),
        player(3, "W4W", D_MEM_ID="90000001", D_NAME="PLAYERB, PAT"),
        player(4, "L3B", D_MEM_ID="90000002", D_NAME="PLAYERC, PAT"),
    ]
    report, findings = read_report(write_report(tmp_path, players))
    assert [g.round for g in report.games] == [1, None]
    one(findings, "uschess.same-round", Severity.INFO)
    assert not check_report(report).refused


@pytest.mark.parametrize(
    ("name", "code", "severity"),
    [
        ("PLAYERB,  pat", None, None),
        ("PLAYER-B, PAT", None, None),
        ("", "uschess.name", Severity.WARNING),
        ("PLAYERB, PATRICIA", "uschess.spelling", Severity.WARNING),
        ("MASTER, MAX", "uschess.two-persons", Severity.ERROR),
    ],
)
def test_two_names_with_one_member_number(tmp_path, name, code, severity):
    findings = read_report(write_report(tmp_path, re_entered(D_NAME=name)))[1]
    if code:
        assert "90000001" in one(findings, code, severity).message
        assert not findings.refused or severity is Severity.ERROR
    else:
        assert [f.code for f in findings] == ["uschess.re-entry"]


def test_the_same_player_with_two_ratings(tmp_path):
    report, findings = read_report(write_report(tmp_path, re_entered(D_RATING="1620")))
    assert report.entry("90000001").standing == Standing(rating=1500)
    one(findings, "uschess.ratings-differ", Severity.WARNING)


def test_an_unrated_row_takes_the_rating_of_the_other(tmp_path):
    players = re_entered()
    players[0]["D_RATING"] = "0"
    report, _ = read_report(write_report(tmp_path, players))
    assert report.entry("90000001").standing == Standing(rating=1500)


# Results


@pytest.mark.parametrize(
    ("low", "high", "white", "result"),
    [
        ("W2W", "L1B", "90000001", Result.WHITE_WINS),
        ("W2B", "L1W", "90000002", Result.BLACK_WINS),
        ("L2W", "W1B", "90000001", Result.BLACK_WINS),
        ("D2B", "D1W", "90000002", Result.DRAW),
        ("W0002W", "L0001B", "90000001", Result.WHITE_WINS),
        ("w2w", "l1b", "90000001", Result.WHITE_WINS),
        ("W2", "L1B", "90000001", Result.WHITE_WINS),
        ("W2", "L1W", "90000002", Result.BLACK_WINS),
        ("W2", "L1", "90000001", Result.WHITE_WINS),
    ],
)
def test_results_and_colours(tmp_path, low, high, white, result):
    report, findings = read_report(write_report(tmp_path, [player(1, low), player(2, high)]))
    (played,) = report.games
    assert (played.white, played.result) == (white, result)
    colours = with_code(findings, "game.colours")
    assert bool(colours) == (low == "W2")
    assert all(f.severity is Severity.INFO for f in colours)


def test_results_with_blanks_inside(tmp_path):
    players = [player(1, "", D_RND01="W   2W "), player(2, "", D_RND01="L   1B ")]
    assert len(read_report(write_report(tmp_path, players))[0].games) == 1


def test_the_same_colour_twice(tmp_path):
    players = [player(1, "W2B"), player(2, "L1B")]
    report, findings = read_report(write_report(tmp_path, players))
    assert report.games[0].white == "90000001"
    one(findings, "game.colours", Severity.WARNING)


def test_byes_and_unplayed_rounds(tmp_path):
    players = [
        player(1, "B0 H0 U0 W2W"),
        player(2, "U0000 U0 U L1B"),
    ]
    report, findings = read_report(write_report(tmp_path, players))
    byes = [(g.round, g.result) for g in report.games if g.status is GameStatus.BYE]
    assert byes == [(1, Result.WHITE_WINS), (2, Result.DRAW)]
    assert all(not g.white_rated for g in report.games if g.black is None)
    assert list(findings) == []


@pytest.mark.parametrize(
    ("low", "high", "result", "code"),
    [
        ("X2W", "F1B", Result.WHITE_WINS, None),
        ("X2", "F1", Result.WHITE_WINS, None),
        ("F2W", "X1B", Result.BLACK_WINS, None),
        ("F2W", "F1B", Result.NONE, None),
        ("Z2W", "Z1B", Result.NONE, None),
        ("X2W", "X1B", Result.NONE, "game.contradiction"),
    ],
)
def test_forfeits_that_name_the_opponent(tmp_path, low, high, result, code):
    report, findings = read_report(write_report(tmp_path, [player(1, low), player(2, high)]))
    (forfeit,) = report.games
    assert (forfeit.status, forfeit.result) == (GameStatus.FORFEIT, result)
    assert not forfeit.white_rated
    assert not forfeit.black_rated
    expected = {code} if code else set()
    assert {f.code for f in findings} == expected
    assert not findings.refused


def test_forfeits_that_name_nobody(tmp_path):
    players = [player(1, "X0 W2W"), player(2, "F0 L1B"), player(3, "Z0 U0")]
    report, findings = read_report(write_report(tmp_path, players))
    byes = [g for g in report.games if g.status is GameStatus.BYE]
    assert [(g.white, g.result) for g in byes] == [("90000001", Result.WHITE_WINS)]
    assert "(3 in all)" in one(findings, "uschess.forfeit", Severity.INFO).message


@pytest.mark.parametrize("high", ["U0", "B0", "F3", "U1"])
def test_a_forfeit_in_one_row_only_is_a_warning(tmp_path, high):
    players = [player(1, "X2W"), player(2, high), player(3, "U0")]
    report, findings = read_report(write_report(tmp_path, players))
    assert not findings.refused
    assert with_code(findings, "game.mirror")[0].severity is Severity.WARNING
    assert not any(g.white_rated for g in report.games)


def test_a_forfeit_against_somebody_without_a_row(tmp_path):
    _, findings = read_report(write_report(tmp_path, [*PAIR, player(3, "X9W")]))
    one(findings, "game.opponent", Severity.WARNING)


def test_an_unplayed_round_that_names_an_opponent(tmp_path):
    players = [player(1, "U2W"), player(2, "U1B")]
    report, findings = read_report(write_report(tmp_path, players))
    assert report.games == ()
    one(findings, "uschess.bye", Severity.WARNING)
    one(findings, "uschess.no-games", Severity.WARNING)


@pytest.mark.parametrize(
    ("low", "high", "code"),
    [
        ("W2W", "W1B", "game.contradiction"),
        ("W2W", "D1B", "game.contradiction"),
        ("W2W", "F1B", "game.contradiction"),
        ("L2W", "L1B", "game.contradiction"),
        ("W2W", "U0", "game.mirror"),
        ("W2W", "L3B", "game.mirror"),
        ("W9W", "U0", "game.opponent"),
        ("W0", "U0", "game.opponent"),
        ("W1W", "U0", "game.self"),
        ("?2W", "L1B", "uschess.result"),
        ("Q2W", "U0", "uschess.result"),
        ("W2X", "L1B", "uschess.result"),
        ("2W", "L1B", "uschess.result"),
    ],
)
def test_contradictions_about_a_rated_game_refuse_the_report(tmp_path, low, high, code):
    more = (player(3, "U0 D4W"), player(4, "U0 D3B"))
    players = [player(1, f"{low} U0"), player(2, f"{high} U0"), *more]
    _, findings = read_report(write_report(tmp_path, players))
    found = with_code(findings, code)[0]
    assert found.severity is Severity.ERROR
    assert found.remedy
    assert found.where.round == 1
    assert str(found.where.file).endswith(layout.PLAYERS)
    assert found.where.path


def test_a_player_against_himself_after_a_re_entry(tmp_path):
    players = [*PAIR, player(3, "W4W"), player(4, "L3B", D_MEM_ID="90000003")]
    findings = read_report(write_report(tmp_path, players))[1]
    assert with_code(findings, "game.self")[0].severity is Severity.ERROR


def test_blank_results_are_a_warning(tmp_path):
    players = [player(1, "W2W U0"), player(2, "L1B")]
    report, findings = read_report(write_report(tmp_path, players))
    assert len(report.games) == 1
    one(findings, "uschess.blank", Severity.WARNING)


# Two games in a round


@pytest.mark.parametrize(
    ("low", "high", "points"),
    [
        ("$2W", "L1B", [2, 2]),
        ("L2W", "$1B", [0, 0]),
        ("#2W", "D1B", [2, 1]),
        ("D2W", "#1B", [1, 0]),
        ("%2W", "%1B", [1, 1]),
        ("W2W", "W1B", [2, 0]),
    ],
)
def test_a_round_of_two_games_becomes_two(tmp_path, low, high, points):
    """The last player tells that the section has two games a round, where low and high do not."""
    players = [player(1, low), player(2, high)]
    report, findings = read_report(
        write_report(tmp_path, players, [section(1, "BLITZ", S_TRN_TYPE="2")])
    )
    games = report.games
    assert [(g.round, g.white) for g in games] == [(1, "90000001"), (2, "90000002")]
    scores = [g.result.half_points(c) for g in games if (c := g.colour_of("90000001")) is not None]
    assert scores == points
    one(findings, "uschess.two-games", Severity.INFO)
    assert not check_report(report).refused


def test_byes_of_two_games(tmp_path):
    players = [player(1, "$2W B0"), player(2, "L1B H0")]
    report, _ = read_report(write_report(tmp_path, players))
    byes = [(g.white, g.round) for g in report.games if g.status is GameStatus.BYE]
    assert byes == [("90000001", 3), ("90000002", 3), ("90000001", 4), ("90000002", 4)]


def test_two_games_that_contradict_each_other(tmp_path):
    players = [player(1, "$2W"), player(2, "W1B")]
    findings = read_report(write_report(tmp_path, players))[1]
    one(findings, "game.contradiction", Severity.ERROR)


# Records that do not fit together


@pytest.mark.parametrize(
    ("sections", "players"), [(["1", "2"], ["1", "1"]), (["2", "2"], ["2", "1"])]
)
def test_files_of_different_events(tmp_path, sections, players):
    own = section(1, "OPEN", S_EVENT_ID=sections[1])
    both = [{**p, "D_EVENT_ID": n} for p, n in zip(PAIR, players, strict=True)]
    folder = write_report(tmp_path, both, [own], H_EVENT_ID=sections[0])
    finding = one(read_report(folder)[1], "uschess.event-number", Severity.ERROR)
    assert "1 in " in finding.message


def test_an_event_number_may_be_missing_somewhere(tmp_path):
    folder = write_report(tmp_path, PAIR, H_EVENT_ID="201112040001")
    assert list(read_report(folder)[1]) == []


@pytest.mark.parametrize(("declared", "severity"), [("2", Severity.ERROR), ("0", Severity.WARNING)])
def test_the_number_of_sections(tmp_path, declared, severity):
    folder = write_report(tmp_path, PAIR, H_TOT_SECT=declared)
    one(read_report(folder)[1], "uschess.sections", severity)


@pytest.mark.parametrize("number", ["2", "", "x"])
def test_a_player_of_no_section(tmp_path, number):
    folder = write_report(tmp_path, [*PAIR, player(3, "U0", D_SEC_NUM=number)])
    one(read_report(folder)[1], "uschess.unknown-section", Severity.ERROR)


def test_a_section_without_players(tmp_path):
    folder = write_report(tmp_path, PAIR, [section(1, "OPEN"), section(2, "RESERVE")])
    one(read_report(folder)[1], "uschess.empty-section", Severity.WARNING)


@pytest.mark.parametrize("number", ["1", "", "x"])
def test_a_section_without_a_number_of_its_own(tmp_path, number):
    sections = [section(1, "OPEN"), section(2, "RESERVE", S_SEC_NUM=number)]
    findings = read_report(write_report(tmp_path, PAIR, sections))[1]
    one(findings, "uschess.section-number", Severity.ERROR)


@pytest.mark.parametrize("last", ["1", "3"])
def test_the_highest_pairing_number(tmp_path, last):
    folder = write_report(tmp_path, PAIR, [section(1, "OPEN", S_LST_PAIR=last)])
    one(read_report(folder)[1], "uschess.last-pair", Severity.WARNING)


def test_more_rounds_declared_than_columns(tmp_path):
    folder = write_report(tmp_path, PAIR, [section(1, "OPEN", S_TOT_RNDS="3")])
    one(read_report(folder)[1], "uschess.rounds", Severity.ERROR)


def test_results_after_the_last_round(tmp_path):
    players = [player(1, "W2W D2B"), player(2, "L1B D1W")]
    folder = write_report(tmp_path, players, [section(1, "OPEN", S_TOT_RNDS="1")])
    report, findings = read_report(folder)
    assert len(report.games) == 2
    one(findings, "uschess.rounds", Severity.WARNING)


def test_a_pairing_number_twice(tmp_path):
    double = player(2, "L1B", D_MEM_ID="90000077")
    findings = read_report(write_report(tmp_path, [*PAIR, double]))[1]
    one(findings, "uschess.duplicate", Severity.ERROR)


@pytest.mark.parametrize("number", ["0", "", "-1", "x"])
def test_a_player_without_a_pairing_number(tmp_path, number):
    folder = write_report(tmp_path, [*PAIR, player(3, "U0", D_PAIR_NUM=number)])
    one(read_report(folder)[1], "uschess.pairing-number", Severity.ERROR)


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"H_FORMAT": "3D"}, "uschess.format"),
        ({"H_BEG_DATE": ""}, "event.no-dates"),
        ({"H_END_DATE": "20111304"}, "event.dates"),
        ({"H_END_DATE": "soon"}, "event.dates"),
    ],
)
def test_an_odd_header(tmp_path, values, code):
    findings = read_report(write_report(tmp_path, PAIR, **values))[1]
    one(findings, code, Severity.WARNING)


# Files that are refused


@pytest.mark.parametrize("name", layout.FILES)
def test_a_missing_file(tmp_path, name):
    write_report(tmp_path, PAIR)
    (tmp_path / name).unlink()
    assert looks_like_2c(tmp_path)
    finding = refused(tmp_path, "uschess.missing-file")
    assert name in finding.message
    assert all(file in finding.remedy for file in layout.FILES)
    assert read(tmp_path).report is None


def test_a_folder_with_one_file_only(tmp_path):
    write_report(tmp_path, PAIR)
    (tmp_path / layout.EVENT).unlink()
    (tmp_path / layout.SECTIONS).unlink()
    _, findings = read_2c(tmp_path)
    assert len(with_code(findings, "uschess.missing-file")) == 2


def test_a_file_twice(tmp_path):
    write_report(tmp_path, PAIR)
    other = tmp_path / layout.PLAYERS.lower()
    if other.exists():
        pytest.skip("file names without case")
    other.write_bytes((tmp_path / layout.PLAYERS).read_bytes())
    refused(tmp_path, "uschess.two-files")


@pytest.mark.parametrize("name", layout.FILES)
def test_a_folder_or_pipe_in_place_of_a_file(tmp_path, name):
    write_report(tmp_path, PAIR)
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    refused(tmp_path, "uschess.missing-file")


@pytest.mark.parametrize("version", [0x83, 0x8B, 0xF5, 0x03])
@pytest.mark.parametrize("with_memo_file", [True, False])
def test_other_directors_as_memo(tmp_path, version, with_memo_file):
    write_report(tmp_path, PAIR)
    columns: Columns = {**HEADER, "H_OTHER_TD": "M"}
    write_table(tmp_path / layout.EVENT, columns, [{"H_FORMAT": "2C", "H_OTHER_TD": "90000099"}])
    data = bytearray((tmp_path / layout.EVENT).read_bytes())
    data[0] = version
    (tmp_path / layout.EVENT).write_bytes(data)
    if not with_memo_file:
        for memo in tmp_path.glob("*.[Dd][Bb][Tt]"):
            memo.unlink()
    finding = refused(tmp_path, "dbf.memo")
    assert "H_OTHER_TD" in finding.message
    assert "H_OTHER_TD" in finding.remedy
    assert "character" in finding.remedy


def test_a_table_of_another_program(tmp_path):
    write_report(tmp_path, PAIR)
    data = bytearray((tmp_path / layout.SECTIONS).read_bytes())
    data[0] = 0x30
    (tmp_path / layout.SECTIONS).write_bytes(data)
    refused(tmp_path, "dbf.version")


@pytest.mark.parametrize("name", layout.FILES)
@pytest.mark.parametrize("keep", [0, 1, 31, 32, 33, 64, -2, -20])
def test_a_truncated_file(tmp_path, name, keep):
    write_report(tmp_path, PAIR)
    data = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(data[:keep])
    assert name in refused(tmp_path, "dbf.damaged").message


def test_a_file_without_its_last_byte(tmp_path):
    write_report(tmp_path, PAIR)
    for name in layout.FILES:
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes().removesuffix(b"\x1a"))
    assert list(read_report(tmp_path)[1]) == []


@pytest.mark.parametrize("content", [b"PK\x03\x04" + bytes(2000), b"<html>" * 100, bytes(5000)])
def test_something_else_under_the_name(tmp_path, content):
    write_report(tmp_path, PAIR)
    (tmp_path / layout.PLAYERS).write_bytes(content)
    report, findings = read_2c(tmp_path)
    assert report is None
    assert findings.refused


@pytest.mark.parametrize(
    ("name", "column"),
    [
        (layout.EVENT, "H_NAME"),
        (layout.SECTIONS, "S_SEC_NUM"),
        (layout.PLAYERS, "D_PAIR_NUM"),
        (layout.PLAYERS, "D_MEM_ID"),
    ],
)
def test_a_missing_column(tmp_path, name, column):
    write_report(tmp_path, PAIR)
    data = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(data.replace(column.encode(), b"X" + column[1:].encode()))
    assert column in refused(tmp_path, "uschess.columns").message


@pytest.mark.parametrize("name", layout.FILES)
def test_a_file_without_records(tmp_path, name):
    write_report(tmp_path, PAIR)
    columns = {layout.EVENT: HEADER, layout.SECTIONS: SECTION, layout.PLAYERS: PLAYER}[name]
    write_table(tmp_path / name, columns, [])
    refused(tmp_path, "uschess.no-records")


def test_several_events(tmp_path):
    write_report(tmp_path, PAIR)
    write_table(tmp_path / layout.EVENT, HEADER, [{"H_NAME": "A"}, {"H_NAME": "B"}])
    refused(tmp_path, "uschess.several-events")


def test_more_records_than_a_report_has(tmp_path):
    write_report(tmp_path, PAIR)
    data = bytearray((tmp_path / layout.PLAYERS).read_bytes())
    data[4:8] = (10_001).to_bytes(4, "little")
    (tmp_path / layout.PLAYERS).write_bytes(data)
    refused(tmp_path, "dbf.too-large")


def test_more_results_than_a_report_has(tmp_path):
    """Thousands of columns of one character each would take minutes."""
    write_report(tmp_path, PAIR)
    columns: Columns = {**PLAYER, **{f"D_RND{n:02}": 1 for n in range(1, 118)}}
    write_table(tmp_path / layout.PLAYERS, columns, [])
    data = bytearray((tmp_path / layout.PLAYERS).read_bytes())
    data[4:8] = (10_000).to_bytes(4, "little")
    (tmp_path / layout.PLAYERS).write_bytes(bytes(data) + bytes(2_000_000))
    refused(tmp_path, "dbf.too-large")


def test_a_file_of_many_megabytes(tmp_path):
    write_report(tmp_path, PAIR)
    with (tmp_path / layout.PLAYERS).open("r+b") as file:
        file.truncate(layout.MAX_BYTES + 1)
    refused(tmp_path, "dbf.too-large")


def test_a_file_that_may_not_be_read(tmp_path, forbid):
    write_report(tmp_path, PAIR)
    forbid(tmp_path / layout.PLAYERS)
    refused(tmp_path, "file.unreadable")


def test_the_library_is_loaded_for_such_a_report_only():
    assert "dbf" not in loaded_by("ratingbook.formats")


# Anything


def assert_sound_2c(report: Report | None, findings: Findings) -> None:
    """What holds of every answer of the reader."""
    assert_sound(report, findings)
    for played in report.games if report else ():
        assert played.result is not Result.NONE or played.status is GameStatus.FORFEIT


CONTENTS = {name: (EXAMPLE / name).read_bytes() for name in layout.FILES}
"""The bytes of the example's files."""
PIECES = st.binary(min_size=1, max_size=4) | st.sampled_from(
    [b"\r", b"\0", b"M", b"D", b"W1W", b"X0", b"\xff\xff", b"90000001", b"9", b"\x1a", b"*"]
)
EDITS = st.lists(
    st.tuples(
        st.sampled_from(["replace", "insert", "delete", "cut"]),
        st.floats(0, 1) | st.floats(0, 0.2),
        PIECES,
    ),
    min_size=1,
    max_size=8,
)


def mutated(data: bytes, edits: list[tuple[str, float, bytes]]) -> bytes:
    for action, where, piece in edits:
        at = int(where * len(data))
        if action == "cut":
            data = data[: at if piece[0] % 8 == 0 else len(data)]
            continue
        kept = at if action == "insert" else at + len(piece)
        data = data[:at] + (b"" if action == "delete" else piece) + data[kept:]
    return data


@settings(
    max_examples=400,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(name=st.sampled_from(layout.FILES), edits=EDITS)
def test_damaged_files_are_read_or_refused(tmp_path, name, edits):
    for file, data in CONTENTS.items():
        (tmp_path / file).write_bytes(mutated(data, edits) if file == name else data)
    assert_sound_2c(*read_2c(tmp_path))


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(
        st.text("WLDXFZBHU$#%0123 WB", max_size=4)
        | st.sampled_from("W2W L1B D1W X2 F1 $2W W1B %3W %1B H0 B0 U0".split()),
        min_size=9,
        max_size=9,
    ),
    st.lists(st.sampled_from(["90000001", "90000002", "00000000", ""]), min_size=3, max_size=3),
)
def test_any_results_are_read_or_refused(tmp_path, texts, members):
    players = [
        {
            **player(pair, "", D_MEM_ID=members[pair - 1]),
            **{f"D_RND{n:02}": texts[(pair - 1) * 3 + n - 1] for n in (1, 2, 3)},
        }
        for pair in (1, 2, 3)
    ]
    assert_sound_2c(*read_2c(write_report(tmp_path, players)))
