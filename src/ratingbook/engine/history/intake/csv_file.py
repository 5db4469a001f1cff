"""CSV as columns of text: every value is one, and the columns' readers say what it means."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from ratingbook.engine.history.intake.ahead import side_by_side
from ratingbook.formats.tools.encodings import USUAL, guessed, label, named
from ratingbook.model import Findings, Place, Portable, Severity

_BLOCK = 4 << 20
"""Bytes that are read at a time: some 100,000 games."""
_LARGEST_BLOCK = (1 << 31) - 1
_LONGEST_HEADER = 1 << 16
_SEPARATORS = ",;\t"
_TOO_MANY_OR_FEW = "history.csv"
"""Code of a row with more or fewer values than the header."""
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


@dataclass(frozen=True)
class CsvFile:
    """The columns of a CSV file; ``line`` gives the line of a row."""

    columns: tuple[str, ...]
    read: Callable[[Sequence[str]], Iterator[pa.RecordBatch]]
    line: Callable[[int], int | None]


class BadRow(Portable, ValueError):
    """A row that cannot be read; ``line`` is None where it is not known."""

    def __init__(self, code: str, message: str, line: int | None, remedy: str) -> None:
        super().__init__(message)
        self.code, self.line, self.remedy = code, line, remedy


def csv_source(path: Path, findings: Findings) -> CsvFile | None:
    """The CSV file, with the encoding that was found; None with a finding where it is none.

    Raises OSError where the file cannot be read.
    """
    with path.open("rb") as file:
        encoding = named() or _encoding(file, path, findings)
        if encoding is None:
            return None
        file.seek(0)
        start = file.read(_LONGEST_HEADER)
    mark = next((mark for mark in _MARKS if start.startswith(mark)), b"")
    # A character may be cut off at the end of what was read.
    text = start.removeprefix(mark).decode(encoding, errors="ignore")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    above = next((index for index, line in enumerate(lines) if line.strip()), None)
    if above is None:
        findings.add(
            Severity.FATAL, "history.empty", "The file is empty.", Place(file=str(path)),
            "Write the names of the columns in the first line, below it the rows.",
        )  # fmt: skip
        return None
    header = lines[above]
    separator = max(_SEPARATORS, key=header.count)
    columns = tuple(name.strip() for name in next(csv.reader([header], delimiter=separator)))
    if above == len(lines) - 1 and len(start) < _LONGEST_HEADER:
        # Arrow takes a header without a line end for a part of one.
        return CsvFile(columns, lambda wanted: iter(()), lambda row: None)
    return CsvFile(
        columns,
        lambda wanted: _read(path, encoding, separator, columns, above + 1, wanted),
        lambda row: _line(path, encoding, above + 1, row),
    )


def _open_quote(path: Path, encoding: str, separator: str) -> BadRow | None:
    """A quote that is closed in a later line only: the lines between would be lost.

    No id, day or number has a line break in it.
    """
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        rows = csv.reader(file, delimiter=separator)
        above = 0
        try:
            for _ in rows:
                if rows.line_num - above > 1:
                    break
                above = rows.line_num
            else:
                return None
            until = f"closed in line {rows.line_num:,} only"
        except csv.Error:
            until = "not closed"
    return BadRow(
        "history.open-quote",
        f"A quote that is opened in line {above + 1:,} is {until}: the rows between would be lost",
        above + 1,
        'Take the quote out, or write two ("") where one belongs to a value.',
    )


def _blocks(path: Path, encoding: str) -> Iterator[bytes]:
    """The bytes of a file, in which a quote and a line end are what they are in ASCII."""
    if _is_like_ascii(encoding):
        with path.open("rb") as file:
            yield from iter(lambda: file.read(_BLOCK), b"")
    else:
        with path.open(encoding=encoding, errors="replace", newline="") as text:
            yield from (some.encode() for some in iter(lambda: text.read(_BLOCK), ""))


def _is_like_ascii(encoding: str) -> bool:
    return '"\r\n'.encode(encoding) == b'"\r\n'


def _encoding(file: BinaryIO, path: Path, findings: Findings) -> str | None:
    """The encoding of the whole file; None with a finding where it is no text."""
    start = file.read(4)
    file.seek(0)
    marked = next((name for mark, name in _MARKS.items() if start.startswith(mark)), None)
    encoding = marked or "utf-8"
    decoder = codecs.getincrementaldecoder(encoding)()
    decoded = 0
    try:
        while block := file.read(1 << 20):
            text = decoder.decode(block)
            if "\0" in text:
                _add_no_text(path, findings)
                return None
            decoded += len(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        if marked not in (None, "utf-8"):
            _add_no_text(path, findings)
            return None
        file.seek(0)
        if any(b"\0" in block for block in iter(lambda: file.read(1 << 20), b"")):
            _add_no_text(path, findings)
            return None
        file.seek(0)
        lines = 1 + sum(
            file.read(min(1 << 20, decoded - start)).count(b"\n")
            for start in range(0, decoded, 1 << 20)
        )
        lines += error.object[: error.start].count(b"\n")
        # The first word that is not UTF-8 may begin before the letter that is none.
        guess = guessed(error.object[error.object.rfind(b"\n", 0, error.start) + 1 :])
        said = (
            f"The file is not UTF-8 from line {lines:,} on; by its letters it is read as "
            f"{guess.with_example(label(guess.encoding))}"
        )
        where = Place(file=str(path), line=lines)
        findings.extend([guess.finding("history.encoding", said, where)])
        if guess.encoding != USUAL:
            return guess.encoding
        # Python's cp1252 refuses five bytes that no letter has; Latin-1 takes them all.
        return "latin-1" if _has_gaps(file) else "cp1252"
    return encoding


def _has_gaps(file: BinaryIO) -> bool:
    file.seek(0)
    gaps = bytes((0x81, 0x8D, 0x8F, 0x90, 0x9D))
    return any(
        len(block.translate(None, gaps)) < len(block)
        for block in iter(lambda: file.read(1 << 20), b"")
    )


def _add_no_text(path: Path, findings: Findings) -> None:
    findings.add(
        Severity.FATAL,
        "history.format",
        "The file is neither Parquet nor Arrow nor text.",
        Place(file=str(path)),
        "Export the columns as Parquet, Arrow or CSV.",
    )


def _read(
    path: Path,
    encoding: str,
    separator: str,
    columns: Sequence[str],
    above: int,
    wanted: Sequence[str],
) -> Iterator[pa.RecordBatch]:
    """The rows below the header, which is the last of the ``above`` lines."""
    # Names of our own: a file may have two columns of the same name that nobody asks for.
    own = [f"{index}" for index in range(len(columns))]
    places = [own[columns.index(name)] for name in wanted]
    convert = arrow_csv.ConvertOptions(
        column_types=dict.fromkeys(places, pa.dictionary(pa.int32(), pa.string())),
        include_columns=places,
        null_values=[""],
        strings_can_be_null=True,
    )
    is_decoded = encoding == "utf-8" or not _is_like_ascii(encoding)

    def parsed(piece: _Piece) -> tuple[pa.RecordBatch, bool]:
        """The rows of a piece, and whether a line of it ended within quotes."""
        bad: list[arrow_csv.InvalidRow] = []

        def refuse(row: arrow_csv.InvalidRow) -> str:
            bad.append(row)
            return "error"

        reading = arrow_csv.ReadOptions(
            use_threads=False,
            # All at once, also where letters are of more bytes in UTF-8.
            block_size=min(3 * len(piece.lines), _LARGEST_BLOCK),
            skip_rows=piece.above,
            column_names=own,
            encoding="utf8" if is_decoded else encoding,
        )
        parsing = arrow_csv.ParseOptions(delimiter=separator, invalid_row_handler=refuse)
        try:
            table = arrow_csv.read_csv(pa.BufferReader(piece.lines), reading, parsing, convert)
        except pa.ArrowInvalid:
            if not bad:
                raise
            row = bad[0]
            raise BadRow(
                _TOO_MANY_OR_FEW,
                f"A row has {row.actual_columns} values below {row.expected_columns} names of "
                f"columns: {row.text[:80]}",
                row.number and row.number - piece.above,
                "Quote values that hold the separator, and leave no value out.",
            ) from None
        arrays = [_trimmed(column.combine_chunks()) for column in table.columns]
        whole = pa.RecordBatch.from_arrays(arrays, names=list(wanted))
        return whole, piece.has_more_lines_than(len(whole)) or piece.ends_open(separator)

    rows, is_looked_at = 0, False
    try:
        for batch, is_open in side_by_side(parsed, _pieces(path, encoding, above)):
            if is_open and not is_looked_at:
                is_looked_at = True
                if (found := _open_quote(path, encoding, separator)) is not None:
                    raise found
            rows += len(batch)
            yield batch
    except (BadRow, pa.ArrowInvalid) as error:
        if not is_looked_at and (found := _open_quote(path, encoding, separator)) is not None:
            raise found from None
        if isinstance(error, BadRow) and error.code == _TOO_MANY_OR_FEW:
            # Arrow counts the lines of a piece, but not the empty ones.
            error.line = error.line and _line(path, encoding, above, rows + error.line - 1)
        raise


@dataclass(frozen=True)
class _Piece:
    """Some whole lines, and how many of them are above the rows."""

    lines: bytes
    above: int

    def has_more_lines_than(self, rows: int) -> bool:
        """Whether there are more lines with something in them than rows, which swallowed some."""
        returns = self._count(b"\r")
        breaks = self._count(b"\n") + returns - (self.lines.count(b"\r\n") if returns else 0)
        if breaks - self.above <= rows:
            return False
        return sum(map(bool, self.lines.splitlines()[self.above :])) > rows

    def ends_open(self, separator: str) -> bool:
        """Whether the last line ends within quotes."""
        last = self.lines[-_LONGEST_HEADER:].splitlines(keepends=True)[-1]
        if b'"' not in last:
            return False
        # What is a quote, a separator or a line end is so in any encoding that is like ASCII.
        fields = next(csv.reader([last.decode("latin-1")], delimiter=separator))
        return any("\n" in each or "\r" in each for each in fields)

    def _count(self, sign: bytes) -> int:
        """How often a sign of ASCII is in them; it holds no lock of Python."""
        return int(np.count_nonzero(np.frombuffer(self.lines, np.uint8) == ord(sign)))


def _pieces(path: Path, encoding: str, above: int) -> Iterator[_Piece]:
    """The lines of a file; the last one may have no end."""
    rest = b""
    for block in _blocks(path, encoding):
        end = (block.rfind(b"\n") + 1) or (block.rfind(b"\r") + 1)
        if not end:
            rest += block
            continue
        yield _Piece(b"".join((rest, memoryview(block)[:end])), above)
        rest, above = block[end:], 0
    if rest:
        yield _Piece(rest, above)


def _trimmed(array: pa.DictionaryArray) -> pa.DictionaryArray:
    """``array`` with its texts free of blanks around them."""
    values = pc.utf8_trim_whitespace(array.dictionary)
    return pa.DictionaryArray.from_arrays(array.indices, values)


def _line(path: Path, encoding: str, above: int, row: int) -> int | None:
    """The line of a row; an empty line below the ``above`` ones is no row."""
    with path.open(encoding=encoding, errors="replace") as file:
        for number, line in enumerate(file, 1):
            if number > above and line.strip("\n"):
                if row == 0:
                    return number
                row -= 1
    return None
