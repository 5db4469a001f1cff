"""A list in the file format of its federation."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import BinaryIO

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
from ratingbook.model import Findings, Severity
from ratingbook.rules.listing import Listing

_Row = Mapping[str, object]
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
    """A woman's title stands in both columns; the list prints no year of birth."""
    text, number = _texts(row), _numbers(row)
    title = text("title")
    return FidePlayer(
        text("id"),
        text("name"),
        text("federation"),
        text("sex"),
        title,
        title if title.startswith("W") else "",
        standard=Rated(number("rating"), number("period_games")),
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
