"""The records of a dBase III file; every value is a text without blanks around it.

The library reads sound files.  It trusts what the head of a file says, so the
head is compared with the size of the file before.
"""

from __future__ import annotations

import struct
import warnings
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from glob import escape
from pathlib import Path
from typing import Any

from ratingbook.formats.uschess.report_2c import layout
from ratingbook.model import Findings, Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import row_of, sentence

_HEAD = struct.Struct("<B3xIHH")
"""Version, number of records, where they begin, length of each."""
_DESCRIPTOR = 32
"""Bytes of the head, and of each column's description."""
_VERSIONS = (0x03, 0x83)
_MEMO_VERSIONS = (0x83, 0x8B, 0xCB, 0xF5)
_END_OF_COLUMNS = 0x0D
_CONTROL = pattern("[\x00-\x1f\x7f-\x9f]+")
_EXPORT_AGAIN = sentence("Export the report again from the pairing program.")


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a file; records count from 1."""

    file: str
    number: int
    values: Mapping[str, str]

    def text(self, *columns: str) -> str:
        """The first of the columns that has a content; nothing if none has."""
        return next((text for column in columns if (text := self.values.get(column))), "")

    def whole(self, column: str) -> int | None:
        """The whole number in a column; None if it holds none."""
        text = self.text(column)
        return int(text) if text.isascii() and text.isdigit() else None

    @property
    def place(self) -> Place:
        """Where the record is, for findings."""
        return Place(file=self.file, path=f"record {self.number}")


@dataclass(frozen=True, slots=True)
class Table:
    """A file of a report; ``records`` is empty where the findings refuse it."""

    file: str
    columns: tuple[str, ...] = ()
    records: tuple[Record, ...] = ()
    findings: Findings = field(default_factory=Findings)


def read_table(path: Path, name: str) -> Table:
    """The records of the file at ``path``; ``name`` is which of the three it is."""
    findings = Findings()
    _check_head(path, name, findings)
    if findings.refused:
        return Table(str(path), findings=findings)
    # What is wrong inside of a file makes the library raise nearly anything, and leave it open.
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        try:
            return _read(path, findings)
        except Exception as error:
            reason = str(error).partition("\n")[0] or type(error).__name__
            _refuse_damaged(path, f"{type(error).__name__}: {reason[:200]}", findings)
    return Table(str(path), findings=findings)


def _read(path: Path, findings: Findings) -> Table:
    import dbf

    source = dbf.Table(
        escape(str(path)),
        dbf_type="db3",
        codepage=layout.ENCODING,
        unicode_errors="replace",
        ignore_memos=True,
    )
    deleted = 0
    records = []
    # Not as a context of its own, which would open the file for writing.
    with closing(source.open(dbf.READ_ONLY)):
        columns = tuple(source.field_names)
        for number, record in enumerate(source, 1):
            if dbf.is_deleted(record):
                deleted += 1
                continue
            values = {column: _text(record, column) for column in columns}
            records.append(Record(str(path), number, values))
    if deleted:
        findings.add(
            Severity.WARNING,
            "dbf.deleted",
            sentence("{deleted} deleted record(s) were left out.", deleted=deleted),
            Place(file=str(path)),
            sentence("Nothing to do if they were deleted on purpose."),
        )
    return Table(str(path), columns, tuple(records), findings)


def _text(record: Any, column: str) -> str:
    """A value as text, whatever type its column has; nothing where it cannot be read."""
    try:
        value = record[column]
    except (ValueError, ArithmeticError):  # A date or number column that holds none.
        return ""
    match value:
        case None:
            return ""
        case date():
            return f"{value:%Y%m%d}"
        case float() if value.is_integer():
            return str(int(value))
    return _CONTROL.sub(" ", str(value)).strip()


def _check_head(path: Path, name: str, findings: Findings) -> None:
    """Refuse a file that is too large, no dBase III file, or shorter than its head says."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(min(size, 0xFFFF + 1))
    except OSError as error:
        findings.add(
            Severity.FATAL,
            "file.unreadable",
            sentence(
                "{file} cannot be opened: {why}.", file=path.name, why=error.strerror or error
            ),
            Place(file=str(path)),
            sentence("Check that you may read it."),
        )
        return
    if len(head) <= _DESCRIPTOR:
        _refuse_damaged(path, sentence("it has only {size} bytes", size=size), findings)
        return
    version, count, start, length = _HEAD.unpack_from(head)
    if version not in {*_VERSIONS, *_MEMO_VERSIONS}:
        findings.add(
            Severity.FATAL,
            "dbf.version",
            sentence(
                "{file} is no dBase III file (its first byte is {version}).",
                file=path.name,
                version=version,
            ),
            Place(file=str(path)),
            row_of((_EXPORT_AGAIN, sentence("US Chess takes dBase III only.")), " "),
        )
    elif (
        size > layout.MAX_BYTES
        or count > layout.MAX_RECORDS[name]
        or count * (start // _DESCRIPTOR - 1) > layout.MAX_VALUES
    ):
        findings.add(
            Severity.FATAL,
            "dbf.too-large",
            sentence(
                "{file} has {size:,} bytes and {count:,} records; at most {most_bytes:,} bytes, "
                "{most_records:,} records and {most_values:,} values in them are read.",
                file=path.name,
                size=size,
                count=count,
                most_bytes=layout.MAX_BYTES,
                most_records=layout.MAX_RECORDS[name],
                most_values=layout.MAX_VALUES,
            ),
            Place(file=str(path)),
            sentence("Send one event as the pairing program wrote it."),
        )
    elif memos := _memo_columns(head[:start]):
        findings.add(
            Severity.FATAL,
            "dbf.memo",
            sentence(
                "{file} keeps {memos} as memo, in another file; US Chess refuses such a report.",
                file=path.name,
                memos=" and ".join(memos),
            ),
            Place(file=str(path)),
            sentence(
                "Save {memos} as a character column of 254 or 255 characters, without a .DBT or "
                ".FPT file; empty it if the program cannot.",
                memos=" and ".join(memos),
            ),
        )
    elif version not in _VERSIONS:
        _refuse_damaged(path, sentence("it says that it has memos, but no column is one"), findings)
    elif not _ends(head, start):
        _refuse_damaged(path, sentence("the description of its columns has no end"), findings)
    elif length == 0 or start + count * length > size:
        missing = sentence(
            "{count} records of {length} bytes do not fit into {size} bytes",
            count=count,
            length=length,
            size=size,
        )
        _refuse_damaged(path, missing, findings)


def _descriptors(head: bytes) -> Iterator[bytes]:
    """The descriptions of the columns."""
    for at in range(_DESCRIPTOR, len(head), _DESCRIPTOR):
        if head[at] == _END_OF_COLUMNS:
            return
        yield head[at : at + _DESCRIPTOR]


def _ends(head: bytes, start: int) -> bool:
    """Whether the columns' descriptions end before the records begin."""
    return start <= len(head) and _END_OF_COLUMNS in head[_DESCRIPTOR:start:_DESCRIPTOR]


def _memo_columns(head: bytes) -> list[str]:
    return [
        _CONTROL.sub(" ", text[:11].partition(b"\0")[0].decode("latin-1")).strip() or "a column"
        for text in _descriptors(head)
        if text[11:12] == b"M"
    ]


def _refuse_damaged(path: Path, reason: str, findings: Findings) -> None:
    findings.add(
        Severity.FATAL,
        "dbf.damaged",
        sentence("{file} is damaged: {reason}.", file=path.name, reason=reason),
        Place(file=str(path)),
        _EXPORT_AGAIN,
    )
