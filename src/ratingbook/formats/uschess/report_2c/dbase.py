"""A dBase III file of character columns, byte by byte."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from datetime import date

from ratingbook.formats.uschess.report_2c import layout

_HEAD = struct.Struct("<B3BIHH17xB2x")
"""Version, day of the last change, records, where they begin, length of each; the code page."""
_COLUMN = struct.Struct("<11scIB15x")
"""Name, type, where the value is in a record, how long it is."""
_VERSION = 0x03
"""dBase III, without memos."""
_WINDOWS_1252 = 0x03
_END_OF_COLUMNS = b"\r"
_END_OF_FILE = b"\x1a"
_NOT_DELETED = b" "
_FIRST_YEAR = 1900
"""The year of the last change is one byte, counted from here: 126 for 2026."""
_NO_DAY = (80, 1, 1)


def dbase_file(
    columns: Mapping[str, int], records: Iterable[Mapping[str, str]], changed: date | None
) -> bytes:
    """The file with these columns (name → width); values are left-justified and fit.

    ``changed`` is the day of the last change that its head names.
    """
    rows = [_record(columns, record) for record in records]
    head = _HEAD.pack(
        _VERSION,
        *_day(changed),
        len(rows),
        _HEAD.size + _COLUMN.size * len(columns) + len(_END_OF_COLUMNS),
        len(_NOT_DELETED) + sum(columns.values()),
        _WINDOWS_1252,
    )
    return head + _descriptions(columns) + _END_OF_COLUMNS + b"".join(rows) + _END_OF_FILE


def _day(day: date | None) -> tuple[int, int, int]:
    if day is None or not 0 <= day.year - _FIRST_YEAR <= 255:
        return _NO_DAY
    return day.year - _FIRST_YEAR, day.month, day.day


def _descriptions(columns: Mapping[str, int]) -> bytes:
    described = []
    at = len(_NOT_DELETED)
    for name, width in columns.items():
        described.append(_COLUMN.pack(name.encode("ascii"), b"C", at, width))
        at += width
    return b"".join(described)


def _record(columns: Mapping[str, int], record: Mapping[str, str]) -> bytes:
    values = [record[name].encode(layout.ENCODING).ljust(width) for name, width in columns.items()]
    return _NOT_DELETED + b"".join(values)
