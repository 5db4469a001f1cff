"""Workbooks: what spreadsheet programs save, and what nobody should have to unpack."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable, Sequence
from datetime import date, datetime
from datetime import time as clock

import pytest
from hypothesis import given, settings
from openpyxl import Workbook
from openpyxl.chart import BarChart
from openpyxl.worksheet.worksheet import Worksheet

from ratingbook.formats.tables import package, workbook
from ratingbook.formats.tables.workbook import looks_like_xlsx, read_xlsx
from ratingbook.model import Findings, GameStatus, Report, Severity
from tests.formats.helpers import (
    Edits,
    assert_sound,
    codes,
    damaged,
    edits,
    loaded_by,
    one,
    refusal,
)

HEADER: list[object] = ["Round", "Date", "White", "Black", "Result"]
FIRST: list[object] = [1, date(2011, 11, 5), "Doe, Jo", "Roe, Jane", "1-0"]


def saved(book: Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def sheet_of(rows: Sequence[Sequence[object]]) -> tuple[Workbook, Worksheet]:
    book = Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = "Games"
    for row in rows:
        sheet.append(list(row))
    return book, sheet


def read(book: Workbook) -> tuple[Report, Findings]:
    report, findings = read_xlsx(saved(book))
    assert report is not None, list(findings)
    return report, findings


def packed(parts: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def with_part(change: Callable[[bytes], bytes], name: str = "xl/worksheets/sheet1.xml") -> bytes:
    """The plain workbook with one of its parts changed."""
    with zipfile.ZipFile(io.BytesIO(PLAIN)) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    return packed({**parts, name: change(parts.get(name, b""))})


PLAIN = saved(sheet_of([HEADER, FIRST])[0])


def test_a_list_of_games():
    report, findings = read_xlsx(PLAIN)
    assert report is not None
    (game,) = report.games
    assert (game.white, game.black, game.round, game.start) == (
        "Doe, Jo",
        "Roe, Jane",
        1,
        date(2011, 11, 5),
    )
    assert (game.place.line, game.place.column, game.place.path) == (2, 3, "Games!C2")
    assert codes(findings) == {"table.understood": Severity.INFO}
    assert looks_like_xlsx(PLAIN)


def test_players_and_games_on_sheets_of_their_own():
    book, _ = sheet_of([["White", "Black", "Result"], [1, 2, "½-½"]])
    players = book.create_sheet("Spieler", 0)
    players.append(["Nr.", "Name", "Elo"])
    players.append([1, "Doe, Jo", 1850.5])
    players.append([2, "Roe, Jane", "1900"])
    event = book.create_sheet("Event", 0)
    event.append(["Event", "Spring Open"])
    event.append(["Start", datetime(2011, 11, 5, 9, 30)])
    book.create_sheet("Notes").append(["call the hotel"])
    report, findings = read(book)
    assert (report.event.name, report.event.start) == ("Spring Open", date(2011, 11, 5))
    assert [e.standing.rating for e in report.entries if e.standing] == [1850.5, 1900]
    assert [(g.white, g.black) for g in report.games] == [("1", "2")]
    assert "Notes" in one(findings, "table.sheet", Severity.WARNING).message


def test_findings_name_the_cells_of_a_sheet():
    header = ["White", "White ID", "White Elo", "Black", "Result"]
    book, _ = sheet_of([header, ["Doe", 7, 1800, "Roe", "1-0"], ["Moe", 7, 1080, "Roe", "1-0"]])
    _, findings = read(book)
    assert (
        "7: Doe (Games!A2) and Moe (Games!A3)"
        in one(findings, "player.same-id", Severity.ERROR).message
    )
    differ = one(findings, "table.ratings-differ", Severity.WARNING)
    assert "1800 (Games!C2), but 1080 (Games!C3)" in differ.message


def test_columns_may_be_said():
    book, _ = sheet_of([["A", "B", "C"], ["Doe", "Roe", "1-0"]])
    report, _ = read_xlsx(saved(book), {"white": "A", "black": "B", "result": "C"})
    assert report is not None
    assert len(report.games) == 1


def test_numbers_that_are_texts_and_texts_that_are_numbers():
    book, _ = sheet_of(
        [
            ["No", "Name", "Elo", "1", 2],
            ["1", "Doe", "1900", "-", 0.5],
            [2.0, "Roe", 1800, 0.5, None],
        ]
    )
    report, _ = read(book)
    assert [(e.id, e.standing and e.standing.rating) for e in report.entries] == [
        ("1", 1900),
        ("2", 1800),
    ]
    assert report.games[0].result.value == "1/2-1/2"


def test_results_that_became_dates_and_times():
    rows: list[list[object]] = [
        ["White", "Black", "Result"],
        ["Doe", "Roe", date(2011, 1, 2)],
        ["Doe", "Moe", clock(1, 0)],
        ["Doe", "Poe", clock(0, 1)],
        ["Roe", "Moe", date(2000, 1, 1)],
    ]
    report, findings = read(sheet_of(rows)[0])
    assert [game.result.value for game in report.games] == ["1/2-1/2", "1-0", "0-1", "*"]
    found = [f for f in findings if f.code == "table.result-as-date"]
    assert [f.severity for f in found] == [Severity.ERROR, Severity.WARNING]
    assert found[0].where.path == "Games!C5"


def test_cells_merged_over_rows():
    book, sheet = sheet_of([["Spring Open"], HEADER, FIRST, [None, None, "Moe", "Poe", "0-1"]])
    sheet.merge_cells("A1:E1")
    sheet.merge_cells("A3:A4")
    sheet.merge_cells("B3:B4")
    report, findings = read(book)
    assert report.event.name == "Spring Open"
    assert [(g.round, g.start) for g in report.games] == [(1, date(2011, 11, 5))] * 2
    one(findings, "xlsx.merged", Severity.INFO)


def test_hidden_sheets_and_rows():
    book, sheet = sheet_of([HEADER, FIRST])
    sheet.row_dimensions[2].hidden = True
    hidden = book.create_sheet("Secret")
    hidden.append(HEADER)
    hidden.append([2, None, "Moe", "Poe", "1-0"])
    hidden.sheet_state = "hidden"
    report, findings = read(book)
    assert len(report.games) == 1
    assert "Secret" in one(findings, "xlsx.hidden", Severity.WARNING).message
    one(findings, "xlsx.hidden-rows", Severity.WARNING)


def test_formulas_without_values_are_refused():
    book, sheet = sheet_of([HEADER, FIRST])
    sheet["E2"] = '="1-0"'
    _, findings = read(book)
    assert "Games!E2" in one(findings, "xlsx.formula", Severity.ERROR).message


def test_formulas_with_values_are_read():
    data = with_part(
        lambda part: part.replace(b'<c r="A2" t="n"><v>1</v>', b'<c r="A2"><f>1+2</f><v>3</v>')
    )
    report, findings = read_xlsx(data)
    assert report is not None
    assert report.games[0].round == 3
    assert not findings.refused


def test_a_text_that_looks_like_a_formula_is_a_text():
    book, sheet = sheet_of([HEADER, FIRST])
    sheet["C2"] = "=1+1"
    sheet["C2"].data_type = "s"
    report, _ = read(book)
    assert report.entries[0].name == "=1+1"


def test_charts_are_passed_over():
    book, _ = sheet_of([HEADER, FIRST])
    book.create_chartsheet("Picture").add_chart(BarChart())
    _, findings = read(book)
    one(findings, "xlsx.chart", Severity.INFO)


def test_macros_and_links_are_not_followed():
    data = with_part(lambda _: b"macro", "xl/vbaProject.bin")
    one(read_xlsx(data)[1], "xlsx.macros", Severity.INFO)
    data = with_part(lambda _: b"<externalLink/>", "xl/externalLinks/externalLink1.xml")
    one(read_xlsx(data)[1], "xlsx.links", Severity.WARNING)


# What is no workbook that can be read

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


@pytest.mark.parametrize(
    ("data", "code", "word"),
    [
        (OLE, "xlsx.old", ".xls"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "xlsx.encrypted", "encrypted"),
        (
            packed({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"}),
            "xlsx.other",
            ".ods",
        ),
        (packed({"[Content_Types].xml": b"", "xl/workbook.bin": b""}), "xlsx.other", ".xlsb"),
        (packed({"readme.txt": b""}), "xlsx.other", "archive"),
        (b"PK\x03\x04 and no more", "xlsx.damaged", "workbook"),
        (PLAIN[:-200], "xlsx.damaged", "workbook"),
        (b"", "xlsx.damaged", "workbook"),
        (packed({"[Content_Types].xml": b"<x"}), "xlsx.damaged", "damaged"),
        (packed({"[Content_Types].xml": b"<x/>"}), "xlsx.damaged", "damaged"),
    ],
)
def test_what_is_no_workbook(data, code, word):
    finding = refusal(read_xlsx(data), code)
    assert word in finding.message
    assert finding.remedy


def test_an_encrypted_archive():
    damaged_flags = bytearray(packed({"[Content_Types].xml": b"x"}))
    where = damaged_flags.index(b"PK\x01\x02")
    damaged_flags[where + 8] |= 1
    refusal(read_xlsx(bytes(damaged_flags)), "xlsx.encrypted")


# What would cost too much


def test_a_bomb_of_one_part():
    start = time.process_time()
    refusal(read_xlsx(with_part(lambda _: bytes(30_000_000))), "xlsx.too-large")
    assert time.process_time() - start < 5


def test_a_bomb_of_many_parts():
    refusal(read_xlsx(packed({f"{n}.xml": b"" for n in range(2_001)})), "xlsx.too-large")


def test_a_bomb_of_all_parts_together(monkeypatch):
    monkeypatch.setattr(package, "MAX_UNPACKED", 1_000)
    refusal(read_xlsx(PLAIN), "xlsx.too-large")


def test_too_many_sheets():
    book, _ = sheet_of([HEADER, FIRST])
    for number in range(workbook.MAX_SHEETS):
        book.create_sheet(f"S{number}")
    refusal(read_xlsx(saved(book)), "table.too-large")


def test_too_many_tags(monkeypatch):
    monkeypatch.setattr(package, "MAX_TAGS", 10)
    refusal(read_xlsx(PLAIN), "xlsx.too-large")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities(encoding):
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><worksheet>&b;</worksheet>'
    refusal(read_xlsx(with_part(lambda _: bomb.encode(encoding))), "xlsx.entities")
    outside = '<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/hostname"><x/>'
    refusal(read_xlsx(with_part(lambda _: outside.encode(encoding))), "xlsx.entities")


def test_the_library_parses_with_defusedxml():
    import openpyxl

    assert openpyxl.DEFUSEDXML


def rows_at(*numbers: int) -> Callable[[bytes], bytes]:
    rows = "".join(
        f'<row r="{n}"><c r="C{n}" t="inlineStr"><is><t>Moe</t></is></c></row>' for n in numbers
    )
    return lambda part: part.replace(b"</sheetData>", rows.encode() + b"</sheetData>")


@pytest.mark.parametrize("last", [1_048_576, 99_999_999_999])
def test_a_sheet_that_claims_rows_with_nothing_in_them(last):
    start = time.process_time()
    report, findings = read_xlsx(with_part(rows_at(last)))
    assert time.process_time() - start < 5
    assert report is not None
    assert len(report.games) == 1
    one(findings, "xlsx.gap", Severity.WARNING)


def test_a_sheet_that_declares_another_size():
    data = with_part(lambda part: part.replace(b'ref="A1:E2"', b'ref="A1:XFD1048576"'))
    assert data != PLAIN
    report, findings = read_xlsx(data)
    assert report is not None
    assert len(report.games) == 1
    assert not findings.refused


def test_too_many_rows_and_columns(monkeypatch):
    wide = sheet_of([HEADER, [*FIRST, *[1] * 1_000]])[0]
    refusal(read_xlsx(saved(wide)), "table.too-large")
    monkeypatch.setattr(workbook, "MAX_ROWS", 1)
    refusal(read_xlsx(PLAIN), "table.too-large")


def test_too_many_merged_cells():
    merged = b"<mergeCells>" + b'<mergeCell ref="A1:A100000"/>' * 3 + b"</mergeCells>"
    data = with_part(lambda part: part.replace(b"</sheetData>", b"</sheetData>" + merged))
    refusal(read_xlsx(data), "table.too-large")


def test_nested_elements_are_no_trouble():
    deep = b"<a>" * 200_000 + b"</a>" * 200_000
    data = with_part(lambda part: part.replace(b"<sheetData>", deep + b"<sheetData>"))
    assert_sound(*read_xlsx(data))


@settings(deadline=None, max_examples=40)
@given(edits(b"PK\x03\x04", b"PK\x01\x02", b"\0\0", reach=len(PLAIN)))
def test_damaged_archives_are_answered(changes: Edits) -> None:
    assert_sound(*read_xlsx(damaged(PLAIN, changes)))


@settings(deadline=None, max_examples=60)
@given(edits(b"<c>", b"</row>", b't="s"', b'r="ZZ9"', b"<v>", b"-1", b"&amp;", reach=2_000))
def test_damaged_sheets_are_answered(changes: Edits) -> None:
    assert_sound(*read_xlsx(with_part(lambda part: damaged(part, changes))))


@settings(deadline=None, max_examples=40)
@given(edits(b"<sheet", b"rId1", b"rId9", b'name="Games"', b"/>", reach=1_000))
def test_damaged_books_are_answered(changes: Edits) -> None:
    assert_sound(*read_xlsx(with_part(lambda part: damaged(part, changes), "xl/workbook.xml")))


def test_reading_csv_does_not_load_the_library():
    assert "openpyxl" not in loaded_by("ratingbook.formats.tables")


def test_forfeits_of_a_workbook():
    report, _ = read(sheet_of([["White", "Black", "Result"], ["Doe", "Roe", "+/-"]])[0])
    assert report.games[0].status is GameStatus.FORFEIT
