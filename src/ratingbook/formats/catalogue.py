"""Which formats there are: how a file is recognised, who reads it, and who writes it.

Readers and writers are imported where a file needs them; what is said of a format is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from ratingbook.formats.tools.text import Decoded, Line
from ratingbook.formats.tools.written import Written
from ratingbook.model import Findings, Report

Answer = tuple[Report | None, Findings]

_LATIN_9 = "iso-8859-15"


@dataclass(frozen=True, slots=True)
class Format:
    """A format as people know it."""

    name: str
    game: str | None
    """The game that its files are of; None: of any."""
    sign: str
    """By what a file is recognised."""


FORMATS: Mapping[str, Format] = {
    each.name: each
    for each in (
        Format("report document", None, "a JSON object or list"),
        Format("2C", "chess", "the files THEXPORT.DBF, TSEXPORT.DBF and TDEXPORT.DBF"),
        Format("TRF", "chess", "a player's line (record 001), or header records"),
        Format("PGN", "chess", 'tags in square brackets, as [White "…"]'),
        Format("US Chess cross table", "chess", "pairs of lines with bars between the columns"),
        Format("OpenGotha", "Go", "the root element Tournament of OpenGotha"),
        Format("MacMahon", "Go", "the root element Tournament of MacMahon"),
        Format("h9", "Go", "a grade and results in one line, or a header"),
        Format("tou", "Go", "the headers of a tou file"),
        Format("AGA", "Go", "the words TOURNEY, PLAYERS and GAMES at the beginning of lines"),
        Format("CSV", None, "columns with names that are known, or a cross table"),
        Format("XLSX", None, "an Excel workbook"),
    )
}


@dataclass(frozen=True, slots=True)
class LineFormat:
    """How lines of text are recognised and read."""

    name: str
    looks_like: Callable[[tuple[Line, ...]], bool]
    read: Callable[[Decoded], Answer]
    legacy: str = "iso-8859-1"
    """The single-byte encoding that files of this format are in where they are not UTF-8."""


def line_formats(columns: Mapping[str, str] | None = None) -> Iterator[LineFormat]:
    """In the order in which they are tried; who reads the first need not load the others.

    ``columns`` says what the columns of a table hold, where it is not to be guessed.
    """
    from ratingbook.formats.fide.trf import looks_like_trf, read_trf

    yield LineFormat("TRF", looks_like_trf, read_trf)
    from ratingbook.formats.pgn import looks_like_pgn, read_pgn

    yield LineFormat("PGN", looks_like_pgn, read_pgn)
    from ratingbook.formats.uschess.cross_table import looks_like_cross_table, read_cross_table

    yield LineFormat("US Chess cross table", looks_like_cross_table, read_cross_table)
    from ratingbook.formats.go.opengotha import looks_like_opengotha, read_opengotha

    yield LineFormat("OpenGotha", looks_like_opengotha, read_opengotha)
    from ratingbook.formats.go.macmahon import looks_like_macmahon, read_macmahon

    yield LineFormat("MacMahon", looks_like_macmahon, read_macmahon)
    from ratingbook.formats.go.aga import looks_like_aga, read_aga

    yield LineFormat("AGA", looks_like_aga, read_aga, _LATIN_9)
    from ratingbook.formats.go.h9 import looks_like_h9, read_h9

    yield LineFormat("h9", looks_like_h9, read_h9, _LATIN_9)
    from ratingbook.formats.go.tou import looks_like_tou, read_tou

    yield LineFormat("tou", looks_like_tou, read_tou, _LATIN_9)
    # Whatever has columns may be a table: last.
    from ratingbook.formats.tables import looks_like_table, read_csv

    def is_table(lines: tuple[Line, ...]) -> bool:
        # Whoever names columns says that there are some.
        return bool(columns) or looks_like_table(lines)

    def read_table(decoded: Decoded) -> Answer:
        return read_csv(decoded, columns)

    yield LineFormat("CSV", is_table, read_table)


@dataclass(frozen=True, slots=True)
class Target:
    """A format that is written."""

    key: str
    """What ``convert --to`` takes."""
    name: str
    suffix: str
    """The end of the names of its files; empty for a folder."""
    writer: Callable[[], Callable[[Report], Written]]
    """Imports the writer."""


def _document() -> Callable[[Report], Written]:
    from ratingbook.formats.document.write import write_document

    return write_document


def _trf26() -> Callable[[Report], Written]:
    from ratingbook.formats.fide.trf import write_trf26

    return write_trf26


def _trf16() -> Callable[[Report], Written]:
    from ratingbook.formats.fide.trf import write_trf16

    return write_trf16


def _2c() -> Callable[[Report], Written]:
    from ratingbook.formats.uschess.report_2c.write import write_2c

    return write_2c


def _h9() -> Callable[[Report], Written]:
    from ratingbook.formats.go.h9 import write_h9

    return write_h9


def _aga() -> Callable[[Report], Written]:
    from ratingbook.formats.go.aga import write_aga

    return write_aga


def _pgn() -> Callable[[Report], Written]:
    from ratingbook.formats.pgn.write import write_pgn

    return write_pgn


def _csv() -> Callable[[Report], Written]:
    from ratingbook.formats.tables import write_csv

    return write_csv


def _xlsx() -> Callable[[Report], Written]:
    from ratingbook.formats.tables import write_xlsx

    return write_xlsx


TARGETS: Mapping[str, Target] = {
    each.key: each
    for each in (
        Target("document", "report document", ".json", _document),
        Target("trf26", "TRF", ".trf", _trf26),
        Target("trf16", "TRF", ".trf", _trf16),
        Target("2c", "2C", "", _2c),
        Target("pgn", "PGN", ".pgn", _pgn),
        Target("h9", "h9", ".h9", _h9),
        Target("aga", "AGA", ".aga", _aga),
        Target("csv", "CSV", ".csv", _csv),
        Target("xlsx", "XLSX", ".xlsx", _xlsx),
    )
}

_TRF26_FROM = date(2025, 9, 1)
"""From this day on FIDE takes TRF26."""


def target_of(suffix: str, report: Report) -> Target | None:
    """The format that a file's name asks for; of two the one of the event's day."""
    wanted = [each for each in TARGETS.values() if each.suffix == suffix.lower() != ""]
    if len(wanted) > 1:
        day = report.event.end or report.event.start
        old = day is not None and day < _TRF26_FROM
        wanted = [each for each in wanted if each.key == ("trf16" if old else "trf26")]
    return wanted[0] if wanted else None
