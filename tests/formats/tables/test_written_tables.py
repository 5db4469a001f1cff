"""What is written as CSV or as a workbook is read back as it was, and is no formula."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from ratingbook.formats import read
from ratingbook.formats.tables.cells import number, number_text
from ratingbook.formats.tables.read import read_csv
from ratingbook.formats.tables.workbook import read_xlsx
from ratingbook.formats.tables.write import write_csv
from ratingbook.formats.tables.write_workbook import write_xlsx
from ratingbook.formats.tools.spreadsheets import guarded, unguarded
from ratingbook.formats.tools.text import decode
from ratingbook.formats.tools.written import Written
from ratingbook.model import Entry, Event, Findings, Game, Report, Result, Severity, Standing
from tests.formats.helpers import codes, one
from tests.formats.tables.strategies import placeless, reports

Answer = tuple[Report | None, Findings]

FORMATS = {
    "csv": (write_csv, lambda data: read_csv(decode(data))),
    "xlsx": (write_xlsx, read_xlsx),
}
every_format = pytest.mark.parametrize(
    ("write", "read_again"), FORMATS.values(), ids=FORMATS.keys()
)
Writer = Callable[[Report], Written]
Reader = Callable[[bytes], Answer]
quietly = settings(deadline=None, suppress_health_check=list(HealthCheck))


def again(report: Report, write: Writer, read_again: Reader) -> tuple[Report, Written, Findings]:
    written = write(report)
    found, findings = read_again(written.files[""])
    assert found is not None, list(findings)
    return found, written, findings


def check_round_trip(report: Report, write: Writer, read_again: Reader) -> None:
    found, written, findings = again(report, write, read_again)
    assert placeless(found) == report
    assert not findings.refused, list(findings)
    assert len(written.findings) == 0
    assert written.ids == {}


NAMESAKE = Report(Event(), (Entry("2", "1"), Entry("1", "2")), (Game("1", "2"), Game("2", None)))
HEADER = Report(Event(), (Entry("id", "name"),), ())
NAMED_TEAM = Report(Event(), (Entry("a1"), Entry("+49", team="name")), ())
ZERO = Report(Event(), (Entry("1", standing=Standing(0)), Entry("2", standing=Standing(1.234))), ())


@given(reports())
@example(NAMESAKE)
@example(HEADER)
@example(ZERO)
@example(NAMED_TEAM)
@settings(quietly, max_examples=60)
def test_csv_brings_back_what_was_written(report):
    # A row with a player's id in the place of a team can look like a pairing, and one whose id is
    # the name of a column, or who has such a grade, like a heading.
    assume(not {each.team for each in report.entries} & {each.id for each in report.entries})
    assume(not any(each.id.isalpha() for each in report.entries))
    assume("name" not in {grade for each in report.entries for grade in _grades(each)})
    check_round_trip(report, *FORMATS["csv"])


def _grades(entry: Entry) -> list[object]:
    own = [entry.standing, *entry.pools.values()]
    return [standing.extra.get("highest_grade") for standing in own if standing]


@given(reports())
@example(NAMESAKE)
@example(ZERO)
@settings(quietly, max_examples=40)
def test_a_workbook_brings_back_what_was_written(report):
    check_round_trip(report, *FORMATS["xlsx"])


@every_format
@pytest.mark.parametrize(
    "sample",
    [
        "trf/example1.trf",
        "trf/example_trf26.trf",
        "trf/bunratty_masters_2011.tab",
        "go/egc2009.h9",
        "go/confucius2018_opengotha.xml",
        "go/juvisy2019.tou",
    ],
)
def test_real_reports_come_back(sample, write, read_again, reference):
    report = read(reference / "samples" / sample).report
    assert report is not None
    found, written, findings = again(report, write, read_again)
    assert placeless(found) == placeless(report)
    assert not findings.refused
    assert len(written.findings) == 0


@every_format
def test_reports_of_several_sections_come_back(write, read_again):
    from tests.conftest import ROOT

    report = read(ROOT / "examples/reports/club-open-2c", {"events": int}).report
    assert report is not None
    assert len(report.section_heads) == 2
    found, _, _ = again(report, write, read_again)
    assert placeless(found) == placeless(report)


@every_format
def test_what_a_cell_cannot_hold_is_changed_and_told(write, read_again):
    report = Report(
        Event(name="A\x00B\nC" * 3, level=float("inf")),
        (Entry("a\tb", "x" * 5000), Entry("a b", "\ud800"), Entry(" ", "\x1b[31m")),
        (Game("a\tb", "a b", Result.DRAW), Game(" ", None)),
    )
    found, written, _ = again(report, write, read_again)
    assert [entry.id for entry in found.entries] == ["a b", "a b-2", "player"]
    assert written.ids == {"a\tb": "a b", "a b": "a b-2", " ": "player"}
    assert [(game.white, game.black) for game in found.games] == [
        ("a b", "a b-2"),
        ("player", None),
    ]
    assert [entry.name for entry in found.entries] == ["x" * 1000, "�", "[31m"]
    assert found.event.name == "A B CA B CA B C"
    assert found.event.level is None
    one(written.findings, "table.cut", Severity.WARNING)
    one(written.findings, "table.id", Severity.WARNING)


@every_format
def test_long_ids_are_the_same_in_all_tables(write, read_again):
    ids = ["x" * 2000 + "a", "x" * 2000 + "b", "y" * 999 + " z"]
    extra = {f"column{n}": "z" * 1000 for n in range(70)}
    entries = (
        Entry(ids[0], ids[0]),
        Entry(ids[1], ids=extra),
        Entry(ids[2], "x" * 70_000),
    )
    games = (Game(ids[0], ids[1], Result.DRAW, round=1), Game(ids[2], ids[1], round=2))
    found, written, findings = again(Report(Event(), entries, games), write, read_again)
    assert not findings.refused
    assert [entry.id for entry in found.entries] == [written.ids[each] for each in ids]
    assert len(set(written.ids.values())) == 3
    first, other, last = (written.ids[each] for each in ids)
    assert [(game.white, game.black) for game in found.games] == [(first, other), (last, other)]


@every_format
def test_players_who_have_games_only_are_added(write, read_again):
    found, written, _ = again(Report(Event(), (), (Game("7", "8"),)), write, read_again)
    assert [entry.id for entry in found.entries] == ["7", "8"]
    one(written.findings, "table.no-entry", Severity.WARNING)


@every_format
def test_a_row_that_is_too_long_is_cut_so_that_it_can_be_read(write, read_again):
    ids = {f"register {n}": "x" * 900 for n in range(200)}
    found, written, _ = again(Report(Event(), (Entry("1", ids=ids),), ()), write, read_again)
    assert set(found.entries[0].ids.values()) == {"x" * 40}
    one(written.findings, "table.cut", Severity.WARNING)


@every_format
def test_columns_beyond_the_last_are_told(write, read_again):
    ids = {f"r{n}": "x" for n in range(1100)}
    found, written, _ = again(Report(Event(), (Entry("1", ids=ids),), ()), write, read_again)
    assert len(found.entries[0].ids) == 998
    one(written.findings, "table.columns", Severity.WARNING)


@every_format
@given(report=reports())
@settings(quietly, max_examples=15)
def test_no_column_is_empty_and_equal_reports_give_equal_games(write, read_again, report):
    found, _, findings = again(report, write, read_again)
    assert len(found.games) == len(report.games)
    assert "table.unknown-column" not in codes(findings)


ANY = st.text(max_size=20)
ANY_NUMBER = st.none() | st.floats() | st.integers()


@st.composite
def any_reports(draw: st.DrawFn) -> Report:
    """Reports that nobody has seen, with whatever texts and numbers."""
    ids = draw(st.lists(ANY, min_size=1, max_size=4, unique=True))
    players = st.sampled_from([*ids, "stranger"])
    standings = st.none() | st.builds(
        Standing, ANY_NUMBER, extra=st.dictionaries(ANY, ANY | ANY_NUMBER, max_size=2)
    )
    people = st.builds(
        Entry,
        st.sampled_from(ids),
        ANY,
        ANY,
        ids=st.dictionaries(ANY, ANY, max_size=2),
        standing=standings,
        pools=st.dictionaries(ANY, st.builds(Standing, ANY_NUMBER), max_size=1),
    )
    played = st.builds(
        Game,
        players,
        st.none() | players,
        section=ANY,
        round=st.none() | st.integers(),
        white_rating=ANY_NUMBER,
        white_for=st.none() | ANY,
    )
    return Report(
        Event(draw(ANY), draw(ANY), level=draw(ANY_NUMBER)),
        tuple(draw(st.lists(people, max_size=4))),
        tuple(draw(st.lists(played, max_size=4))),
    )


@every_format
@given(report=any_reports())
@settings(quietly, max_examples=40)
def test_a_writer_takes_whatever_there_is(write, read_again, report):
    written = write(report)
    _, findings = read_again(written.files[""])
    assert "xlsx.damaged" not in codes(findings)
    assert not codes(findings).keys() & {"csv.syntax", "table.none", "table.sums"}


# Formulas

DANGEROUS = [
    "=1+1",
    "+1",
    "-1",
    "@x",
    "＝1",
    "＋1",
    "－1",
    "＠x",
    "\t=1",
    " =1",
    "'=1",
    "''=1",
    "\r=1",
]


@pytest.mark.parametrize("text", DANGEROUS)
def test_no_cell_of_a_csv_file_begins_a_formula(text):
    entry = Entry(text, text, club=text, ids={"x": text})
    data = write_csv(Report(Event(name=text), (entry,), (Game(text, None, section=text),))).files[
        ""
    ]
    cells = [cell for row in csv.reader(io.StringIO(data.decode("utf-8-sig"))) for cell in row]
    assert sum("1" in cell or "x" in cell for cell in cells) >= 6
    assert not [cell for cell in cells if cell.lstrip().startswith(tuple("=+-@＝＋－＠"))]


@pytest.mark.parametrize("text", DANGEROUS)
def test_no_cell_of_a_workbook_is_a_formula(text):
    entry = Entry(text, text, club=text)
    data = write_xlsx(Report(Event(name=text), (entry,), ())).files[""]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheets = [archive.read(n) for n in archive.namelist() if n.startswith("xl/worksheets/")]
    assert len(sheets) == 3
    assert not any(b"<f" in sheet.replace(b"<freeze", b"") for sheet in sheets)


@given(st.text(max_size=8) | st.text("'=+- x", max_size=6))
def test_guarded_texts_come_back_and_begin_no_formula(text):
    text = text.strip()
    assert unguarded(guarded(text)) == text
    assert not guarded(text).lstrip().startswith(tuple("=+-@＝＋－＠"))


def test_an_apostrophe_that_guards_nothing_is_a_letter():
    assert unguarded("'t Hoff") == "'t Hoff"
    assert guarded("'t Hoff") == "'t Hoff"


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**14), 10**14))
def test_numbers_come_back(value):
    assert number(number_text(value)) == value


def test_dates_and_numbers_of_a_workbook_need_no_program_to_be_read():
    from openpyxl import load_workbook

    report = Report(
        Event(name="Spring", start=date(2011, 11, 5)),
        (Entry("1", "Doe, Jo", standing=Standing(1850.5)),),
        (),
    )
    book = load_workbook(io.BytesIO(write_xlsx(report).files[""]))
    assert book.sheetnames == ["Event", "Players", "Games"]
    assert [c.value for c in book["Players"][2]] == ["1", "Doe, Jo", 1850.5]
