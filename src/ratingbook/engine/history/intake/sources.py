"""Where columns come from: files and tables of other libraries, read chunk by chunk.

A file is known by its first bytes, not by its name.  What cannot be read is a
finding that says what the file is and what to do with it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.engine.below import below, tell_below
from ratingbook.engine.history.intake.ahead import ahead
from ratingbook.engine.history.intake.arrays import texts_of, to_arrow
from ratingbook.engine.history.intake.csv_file import BadRow, csv_source
from ratingbook.engine.history.intake.game_files import (
    HEAD,
    columns_of,
    encoding_of_pgn,
    is_pgn,
    read_json,
    read_pgn,
)
from ratingbook.engine.options import ArrowStream, Input
from ratingbook.formats.columnar import open_columns
from ratingbook.formats.tools.nearby import not_there
from ratingbook.formats.tools.packed import packed_by
from ratingbook.model import BadArgument, Findings, Place, Severity

CHUNK = 1 << 19
"""Rows that are read at a time: their columns take a few MB."""
_PARQUET, _ARROW_FILE, _FEATHER_1 = b"PAR1", b"ARROW1", b"FEA1"
_ARROW_STREAM = b"\xff\xff\xff\xff"
_SUFFIXES = {
    ".parquet",
    ".pq",
    ".arrow",
    ".arrows",
    ".feather",
    ".ipc",
    ".csv",
    ".tsv",
    ".txt",
    ".pgn",
    ".ndjson",
    ".jsonl",
}
_KNOWN_OTHERS = {
    b"PK\x03\x04": "a ZIP archive or a spreadsheet",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"%PDF": "a PDF document",
    b"SQLite format": "an SQLite database",
    _FEATHER_1: "Feather of version 1",
}
_HIVE_NULL = "__HIVE_DEFAULT_PARTITION__"
_INDEX_OF_PANDAS = "__index_level_"


@dataclass(frozen=True)
class Source:
    """One file or table.  ``read`` gives chunks with the named columns, in the file's order."""

    name: str
    columns: tuple[str, ...]
    read: Callable[[Sequence[str]], Iterator[pa.RecordBatch]]
    rows: int | None = None
    """How many rows there are; None where only reading tells."""
    typeless: bool = False
    """Whether all values are texts, so that a text may mean a number."""
    line: Callable[[int], int | None] = field(default=lambda row: None)
    """The line of a row (from 0) in a text file, from 1; None for other files."""
    parts: Mapping[str, str | None] = field(default_factory=dict)
    """Columns that the names of folders hold (``event=7``)."""
    groups: int = 1
    """Into how many groups of rows the file can be cut."""

    @property
    def known(self) -> tuple[str, ...]:
        """The columns of the file and of its folders' names."""
        return (*self.columns, *(name for name in self.parts if name not in self.columns))

    def chunks(self, wanted: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, chunk by chunk, with those of the ``wanted`` columns that exist.

        Raises :class:`pyarrow.ArrowException`, ValueError or OSError where the file is damaged.
        """
        inside = [name for name in wanted if name in self.columns]
        outside = [name for name in wanted if name in self.parts and name not in self.columns]
        for batch in self.read(inside):
            for start in range(0, len(batch), CHUNK):
                chunk = batch.slice(start, CHUNK)
                for name in outside:
                    chunk = chunk.append_column(name, _constant(self.parts[name], len(chunk)))
                yield chunk


def _constant(value: str | None, rows: int) -> pa.Array:
    codes = to_arrow(np.zeros(rows, np.int32))
    return pa.DictionaryArray.from_arrays(codes, texts_of(value))


def arrow_reader(obj: ArrowStream) -> pa.RecordBatchReader:
    """A reader over an object with the Arrow PyCapsule interface.

    Raises ``BadArgument`` for any other object, and :class:`pyarrow.ArrowException`,
    ValueError or TypeError where its library cannot export it.
    """
    if isinstance(obj, pa.RecordBatchReader):
        return obj
    if not hasattr(obj, "__arrow_c_stream__"):
        if hasattr(obj, "__arrow_c_array__"):
            batch = pa.record_batch(obj)
            return pa.RecordBatchReader.from_batches(batch.schema, [batch])
        raise BadArgument(
            f"{type(obj).__name__} is neither a path nor a table: it has no __arrow_c_stream__"
        )
    return pa.RecordBatchReader.from_stream(obj)


def table_of(obj: ArrowStream) -> pa.Table:
    """The whole table of an object with the Arrow PyCapsule interface.

    Raises as :func:`arrow_reader` does.
    """
    return arrow_reader(obj).read_all()


def open_sources(given: Input, role: str, findings: Findings) -> list[Source]:
    """The files of a path, or the table that is given; what cannot be read is a finding.

    ``role`` says what the rows are, for messages: games, players … Raises BadArgument
    for an object that is neither a path nor a table.
    """
    if not isinstance(given, str | os.PathLike):
        return _opened(lambda: _of_object(given, role), f"table of {role}", findings)
    path = Path(given)
    # A name that is none is asked about without a fault, and told where it is opened.
    if not os.path.isdir(path):
        return _of_file(path, {}, findings)
    files = files_of(path, findings)
    if not files and not findings.refused:
        findings.add(
            Severity.FATAL,
            "history.empty",
            f"The folder holds no file of {role}.",
            Place(file=str(path)),
            "Names must end in .parquet, .arrow or .csv.",
        )
    return [source for file in files for source in _of_file(file, _parts(file, path), findings)]


def open_games(given: Input | Sequence[Input], findings: Findings) -> list[Source]:
    """The files and tables of games; a file that is named twice would be rated twice."""
    inputs = given if isinstance(given, list | tuple) else (given,)
    if not inputs:
        findings.add(
            Severity.ERROR, "history.empty", "No games are given.", remedy="Give a file or a table."
        )
    found = [source for one in inputs for source in open_sources(one, "games", findings)]
    seen: set[Path] = set()
    for source in found:
        path = Path(source.name)
        if not path.is_file():
            continue
        if path.resolve() in seen:
            findings.add(
                Severity.FATAL,
                "history.same-file",
                "The file is given more than once.",
                Place(file=source.name),
                "Name it once; a folder holds all files below it.",
            )
        seen.add(path.resolve())
    return found


def open_groups(
    path: Path, parts: Mapping[str, str | None], groups: range | None, findings: Findings
) -> list[Source]:
    """A file of games, or some of its groups of rows; what cannot be read is a finding."""
    return _of_file(path, parts, findings, groups)


def files_of(folder: Path, findings: Findings) -> list[Path]:
    """The files of a folder that hold rows; all else in it that might is told."""
    found = below(folder, lambda path: path.suffix.lower() in _SUFFIXES)
    for error in found.unread:
        add_unreadable(str(error.filename), error, findings)
    remedy = f"Files of rows end in {', '.join(sorted(_SUFFIXES))}."
    tell_below(found, folder, remedy, findings)
    return found.read


def _parts(file: Path, folder: Path) -> dict[str, str | None]:
    """The columns that the names of the folders hold."""
    named = [part.partition("=") for part in file.relative_to(folder).parts[:-1] if "=" in part]
    return {name: None if value == _HIVE_NULL else unquote(value) for name, _, value in named}


def _opened(
    open_source: Callable[[], Source | None], name: str, findings: Findings
) -> list[Source]:
    try:
        source = open_source()
    except BadArgument:
        # What is no table at all is none that is damaged.
        raise
    except FileNotFoundError:
        findings.add(
            Severity.FATAL,
            "history.no-file",
            not_there(Path(name)) or "There is no file of this name.",
            Place(file=name),
            "Look at the spelling of its name.",
        )
    except (pa.ArrowException, ValueError, OSError, MemoryError) as error:
        add_unreadable(name, error, findings)
    else:
        return [] if source is None else [source]
    return []


def add_unreadable(name: str, error: Exception, findings: Findings) -> None:
    """Tell that a file or table is damaged, in the words of what could not read it."""
    if isinstance(error, BadRow):
        where = Place(file=name, line=error.line)
        findings.add(Severity.FATAL, error.code, f"{error}.", where, error.remedy)
        return
    reason = " ".join(str(error).split()) or type(error).__name__
    reason = reason if len(reason) <= 300 else reason[:299] + "…"
    findings.add(
        Severity.FATAL,
        "history.unreadable",
        f"The columns cannot be read: {reason.rstrip('.')}.",
        Place(file=name),
        "Write the file again; if it was copied, compare its size with the original's.",
    )


def _of_file(
    path: Path,
    parts: Mapping[str, str | None],
    findings: Findings,
    groups: range | None = None,
) -> list[Source]:
    def open_source() -> Source | None:
        if not stat.S_ISREG(path.stat().st_mode):
            # To open a pipe would be to wait for somebody who writes into it.
            _add_format(path, "It is no file: a pipe or a device", findings)
            return None
        with path.open("rb") as file:
            head = file.read(HEAD)
        if head.startswith(_PARQUET):
            return _of_parquet(path, parts, findings, groups)
        if head.startswith(_ARROW_FILE):
            return _of_arrow_file(path, parts, findings, groups)
        if head.startswith(_ARROW_STREAM):
            return _of_arrow_stream(path, parts)
        other = next(
            (words for magic, words in _KNOWN_OTHERS.items() if head.startswith(magic)), None
        )
        if other is None and (how := packed_by(head)):
            other = f"packed by {how}: unpack it"
        if other:
            _add_format(path, f"The file is {other}", findings)
            return None
        if columns := columns_of(head):
            chunks = partial(read_json, path)
            if is_pgn(head):
                chunks = partial(read_pgn, path, encoding=encoding_of_pgn(path, findings))
            return Source(str(path), columns, chunks, typeless=True, parts=parts)
        text = csv_source(path, findings)
        if text is None:
            return None
        return Source(str(path), text.columns, text.read, None, True, text.line, parts)

    return _opened(open_source, str(path), findings)


def _add_format(path: Path, what: str, findings: Findings) -> None:
    findings.add(
        Severity.FATAL,
        "history.format",
        f"{what}, not Parquet, Arrow or CSV.",
        Place(file=str(path)),
        "Unpack it, or export the columns as Parquet, Arrow or CSV.",
    )


def _is_cut_off(path: Path, ending: bytes, findings: Findings) -> bool:
    """Whether the file lacks its end, which holds the table of contents."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - len(ending)))
        if size > 2 * len(ending) and file.read() == ending:
            return False
    findings.add(
        Severity.FATAL,
        "history.cut-off",
        "The end of the file is missing: it was not written to the end, or cut off when copied.",
        Place(file=str(path)),
        "Write or copy it again.",
    )
    return True


def _of_parquet(
    path: Path, parts: Mapping[str, str | None], findings: Findings, groups: range | None
) -> Source | None:
    if _is_cut_off(path, _PARQUET, findings):
        return None
    with open_columns(path) as source, pq.ParquetFile(source) as file:
        metadata = file.metadata
        schema = file.schema_arrow

    def read(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        coded = [name for name in names if _has_dictionary(metadata, schema, name)]
        # Without the buffer of a whole row group nothing but the chunk is in memory.
        with (
            open_columns(path) as source,
            pq.ParquetFile(source, read_dictionary=coded, pre_buffer=False) as file,
        ):
            if names:
                yield from ahead(file.iter_batches(CHUNK, row_groups=wanted, columns=list(names)))

    wanted = list(range(metadata.num_row_groups) if groups is None else groups)
    rows = sum(metadata.row_group(group).num_rows for group in wanted)
    return Source(
        str(path), tuple(schema.names), read, rows, parts=parts, groups=metadata.num_row_groups
    )


def _has_dictionary(metadata: pq.FileMetaData, schema: pa.Schema, name: str) -> bool:
    """Whether a column of texts is written with dictionaries.

    A writer gives one up where it grows too large; to go on with it is still less than to make
    one of all texts afterwards.  Where there is none Arrow is as slow as we are.
    """
    kind = schema.field(name).type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return False
    groups = [metadata.row_group(group) for group in range(metadata.num_row_groups)]
    return any(
        all(group.column(index).has_dictionary_page for group in groups)
        for index in range(metadata.num_columns)
        if metadata.schema.column(index).path == name
    )


def _of_arrow_file(
    path: Path, parts: Mapping[str, str | None], findings: Findings, groups: range | None
) -> Source | None:
    if _is_cut_off(path, _ARROW_FILE, findings):
        return None
    with open_columns(path) as file:
        whole = pa.ipc.open_file(file)
        schema, count = whole.schema, whole.num_record_batches

    def read(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        options = pa.ipc.IpcReadOptions(
            included_fields=[schema.names.index(name) for name in names]
        )
        # Mapped pages would stay in memory as long as the file is open.
        with open_columns(path) as file:
            reader = pa.ipc.open_file(file, options=options)
            for index in range(count) if groups is None else groups:
                yield _sound(reader.get_batch(index))

    return Source(str(path), tuple(schema.names), read, parts=parts, groups=count)


def _sound(batch: pa.RecordBatch) -> pa.RecordBatch:
    """``batch``, if its parts fit together: Arrow trusts files, and a damaged one crashes it."""
    batch.validate(full=True)
    return batch


def _of_arrow_stream(path: Path, parts: Mapping[str, str | None]) -> Source:
    with open_columns(path) as file:
        schema = pa.ipc.open_stream(file).schema

    def read(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        options = pa.ipc.IpcReadOptions(
            included_fields=[schema.names.index(name) for name in names]
        )
        with open_columns(path) as file:
            for batch in pa.ipc.open_stream(file, options=options):
                yield _sound(batch)

    return Source(str(path), tuple(schema.names), read, parts=parts)


def _of_object(given: Any, role: str) -> Source:
    rows = given.num_rows if isinstance(given, pa.Table | pa.RecordBatch) else None
    reader = arrow_reader(given)
    # pandas adds its index as a column, which nobody wrote.
    names = tuple(name for name in reader.schema.names if not name.startswith(_INDEX_OF_PANDAS))

    def read(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for batch in reader:
            yield batch.select(list(names))

    return Source(f"table of {role}", names, read, rows)
