"""A list as a file: of its federation's own format, or of a general one."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import BinaryIO

from ratingbook.desk.lists import MadeList, as_row
from ratingbook.formats.lists import (
    FidePlayer,
    IccfPlayer,
    IecgPlayer,
    Rated,
    write_fide_txt,
    write_fide_xml,
    write_iccf_list,
    write_iecg_list,
)
from ratingbook.formats.lists.players import STANDARD
from ratingbook.formats.tools.spreadsheets import cell
from ratingbook.model import Findings, Severity
from ratingbook.rules.book import RuleBook
from ratingbook.rules.listing import Listing

_Row = Mapping[str, object]
_NOTHING: Mapping[str, object] = {}
_FIDE = ("id", "name", "federation", "sex", "title", "rating", "period_games", "flag")
_ICCF = ("id", "country", "title", "name", "games", "rating", "gender")
_IECG = (
    "position", "class_position", "id", "name", "country", "rating", "ter", "games", "wins",
    "draws", "losses",
)  # fmt: skip


def _write_fide_txt(listing: Listing, file: BinaryIO) -> Findings:
    return write_fide_txt(map(_fide, listing.rows), file, listing.day)


def _write_fide_xml(listing: Listing, file: BinaryIO) -> Findings:
    return write_fide_xml(map(_fide, listing.rows), file, STANDARD)


def _write_iccf(listing: Listing, file: BinaryIO) -> Findings:
    return write_iccf_list(map(_iccf, listing.rows), file)


def _write_iecg(listing: Listing, file: BinaryIO) -> Findings:
    return write_iecg_list(map(_iecg, listing.rows), file)


FORMATS: Mapping[str, tuple[tuple[str, ...], Callable[[Listing, BinaryIO], Findings]]] = {
    "fide-txt": (_FIDE, _write_fide_txt),
    "fide-xml": (_FIDE, _write_fide_xml),
    "iccf": (_ICCF, _write_iccf),
    "iecg": (_IECG, _write_iecg),
}
"""Format → the columns that a list must have for it, and how it is written."""
REGISTER_OF: Mapping[str, str] = {
    "fide-txt": "fide", "fide-xml": "fide", "iccf": "iccf", "iecg": "iecg",
}  # fmt: skip
"""Format → the register whose numbers, and nobody else's, stand in it."""


FORMS = ("csv", "json", "xlsx", "pdf", *FORMATS)
"""All forms of a file in which a list can be had."""


def forms_of(columns: Collection[str]) -> list[str]:
    """The forms in which a list with these columns can be had."""
    known = set(columns)
    return [each for each in FORMS if each not in FORMATS or known.issuperset(FORMATS[each][0])]


def file_of(
    listing: Listing,
    book: RuleBook,
    form: str,
    font: Path | None = None,
    besides: Mapping[str, object] = _NOTHING,
) -> tuple[bytes | None, Findings]:
    """The bytes of the file; None where the list cannot be had in that form.

    ``besides`` is what JSON says of the list that its rule book does not know.
    """
    if form in ("xlsx", "pdf"):
        from ratingbook.desk import list_documents as documents

        data, findings = documents.xlsx(listing) if form == "xlsx" else documents.pdf(listing, font)
        return None if findings.refused else data, findings
    if form == "csv":
        return as_csv(listing).encode(), Findings()
    if form == "json":
        return as_json(MadeList(book, listing, Findings()), besides).encode(), Findings()
    text, findings = as_file(listing, form)
    return None if text is None else text.encode(), findings


def as_csv(listing: Listing) -> str:
    """The list as CSV, with the keys of its columns in the first line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.key for column in listing.columns])
    for row in listing.rows:
        writer.writerow([cell(_whole(row.get(column.key))) for column in listing.columns])
    return text.getvalue()


def _whole(value: object) -> object:
    """A rating in whole points without decimals, as every other form has it.

    A rating of 0 keeps them: a bare 0 is read as no rating.
    """
    return int(value) if isinstance(value, float) and value and value.is_integer() else value


def as_json(made: MadeList, besides: Mapping[str, object] = _NOTHING) -> str:
    """The list as JSON, indented."""
    document = {**as_dict(made), **besides}
    return json.dumps(document, ensure_ascii=False, indent=2, default=str) + "\n"


def as_dict(made: MadeList) -> dict[str, object]:
    """A list as JSON."""
    listing, book = made.listing, made.book
    assert listing is not None
    assert book is not None
    numbers = {id_: dict(entry.ids) for id_, entry in made.entries.items() if entry.ids}
    document: dict[str, object] = {
        "rulebook": book.name,
        "parameters": book.non_default_parameters,
        "title": listing.title,
        "date": listing.day.isoformat(),
        "facts": list(listing.facts),
        "columns": [{"key": c.key, "title": c.title} for c in listing.columns],
        "players": [
            {**row, **({"ids": ids} if (ids := numbers.get(str(row.get("id")))) else {})}
            for row in listing.rows
        ],
        "not_listed": [
            {"id": left.id, "name": left.name, "reason": left.reason} for left in listing.not_listed
        ],
        "statistics": [
            {"title": each.title, "rows": [dict(row) for row in each.rows]}
            for each in listing.statistics
        ],
    }
    if made.moved is not None:
        document["against"] = {
            "entered": [as_row(each) for each in made.moved if each.old is None],
            "left": [as_row(each) for each in made.moved if each.new is None],
            "moved": [as_row(each) for each in made.moved if None not in (each.old, each.new)],
        }
    return document


def as_file(listing: Listing, format_: str) -> tuple[str | None, Findings]:
    """The text of the file; None where the list has not what the format needs."""
    needed, written = FORMATS[format_]
    missing = [key for key in needed if key not in {column.key for column in listing.columns}]
    if missing:
        findings = Findings()
        findings.add(
            Severity.ERROR,
            "list.format",
            f"This edition's list cannot be written as {format_}: it has no {', '.join(missing)}.",
            remedy="Take the format of the list's own federation, or csv.",
        )
        return None, findings
    file = io.BytesIO()
    findings = written(listing, file)
    return file.getvalue().decode(), findings


def _fide(row: _Row) -> FidePlayer:
    """A woman's title stands in both columns; the list prints no year of birth.

    K stands where the list knows by which everybody is rated next.
    """
    text, number = _texts(row), _numbers(row)
    k = number("k") if "k" in row else None
    title = text("title")
    return FidePlayer(
        text("id"),
        text("name"),
        text("federation"),
        text("sex"),
        title,
        title if title.startswith("W") else "",
        standard=Rated(number("rating"), number("period_games"), k),
        flag=text("flag"),
    )


def _iccf(row: _Row) -> IccfPlayer:
    text, number = _texts(row), _numbers(row)
    return IccfPlayer(
        text("id"), text("country"), text("title"), text("name"), number("games"),
        number("rating"), text("gender"),
    )  # fmt: skip


def _iecg(row: _Row) -> IecgPlayer:
    text, number = _texts(row), _numbers(row)
    return IecgPlayer(
        position=number("position"),
        class_position=number("class_position"),
        id=text("id"),
        name=text("name"),
        country=text("country"),
        rating=number("rating"),
        ter=number("ter"),
        games=number("games"),
        wins=number("wins"),
        draws=number("draws"),
        losses=number("losses"),
    )


def _texts(row: _Row) -> Callable[[str], str]:
    return lambda key: "" if row[key] is None else str(row[key])


def _numbers(row: _Row) -> Callable[[str], int | None]:
    def number(key: str) -> int | None:
        value = row[key]
        return int(value) if isinstance(value, int | float) else None

    return number
