"""What a history is rated from, as files that workers open."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import GameColumns, HistoryInput

_COLUMNS = tuple(GameColumns.__dataclass_fields__)
_IDS = ("players", "event_ids", "section_ids")
_TABLES = ("standings", "events", "entries", "decisions")


def ship(given: HistoryInput, folder: Path) -> None:
    """Write all columns and tables into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    columns = {name: getattr(given.games, name) for name in _COLUMNS}
    write_table(
        pa.table({name: values for name, values in columns.items() if values is not None}),
        folder / "games.arrow",
    )
    for name in _IDS:
        write_table(pa.table({"id": getattr(given, name)}), folder / f"{name}.arrow")
    for name in _TABLES:
        table = getattr(given, name)
        if table is not None:
            write_table(table, folder / f"{name}.arrow")
    write_table(pa.table({"row": given.left_out}), folder / "left_out.arrow")
    # Names of files may be no texts.
    sources = pa.array([os.fsencode(each) for each in given.sources], pa.binary())
    write_table(pa.table({"name": sources}), folder / "sources.arrow")


def unship(folder: Path) -> HistoryInput:
    """What :func:`ship` wrote."""
    games = read_table(folder / "games.arrow")
    columns: dict[str, Any] = {name: column(games, name) for name in games.column_names}
    ids = {name: read_table(folder / f"{name}.arrow")["id"].combine_chunks() for name in _IDS}
    tables = {
        name: read_table(path) for name in _TABLES if (path := folder / f"{name}.arrow").exists()
    }
    return HistoryInput(
        GameColumns(**columns), **ids, **tables,
        left_out=column(read_table(folder / "left_out.arrow"), "row"),
        sources=tuple(map(os.fsdecode, read_table(folder / "sources.arrow")["name"].to_pylist())),
    )  # fmt: skip


def write_table(table: pa.Table, path: Path) -> None:
    """Write an Arrow file."""
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)


def read_table(path: Path) -> pa.Table:
    """Read an Arrow file into memory that is this process's own."""
    with pa.OSFile(str(path)) as source, pa.ipc.open_file(source) as reader:
        return reader.read_all()


def column(table: pa.Table, name: str) -> np.ndarray[Any, Any]:
    """A column of numbers that may be written to.

    Compiled loops know arrays that may and those that may not be written to as two
    types, and would be compiled once more for the second.
    """
    chunks = table[name].chunks
    if len(chunks) == 1 and not chunks[0].null_count:
        chunk = chunks[0]
        kind = np.dtype(chunk.type.to_pandas_dtype())
        values = chunk.buffers()[1]
        if values is not None and values.is_mutable and kind != np.bool_:
            begin = chunk.offset * kind.itemsize
            return np.frombuffer(values, kind, len(chunk), begin)
    return np.array(table[name].to_numpy())


def record_table(records: np.ndarray[Any, Any]) -> pa.Table:
    """Records as a table, one column for each field."""
    names = records.dtype.names or ()
    return pa.table({name: np.ascontiguousarray(records[name]) for name in names})


def records_of(table: pa.Table, kind: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """The records of :func:`record_table`."""
    records = np.empty(len(table), kind)
    for name in kind.names or ():
        records[name] = table[name].to_numpy()
    return records
