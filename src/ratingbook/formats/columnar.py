"""Players in a file of columns: Parquet, Arrow, and so the ratings that a history leaves."""

from __future__ import annotations

import json
import os
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ratingbook.formats.players import OF_RATINGS, is_ratings

if TYPE_CHECKING:
    import pyarrow as pa

_PARQUET, _FILE, _STREAM = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"


def open_columns(path: Path) -> pa.NativeFile:
    """A file of columns, whatever bytes its name is made of: Arrow takes a text as UTF-8."""
    import pyarrow as pa

    return pa.OSFile(os.fsencode(path))


def as_document(path: Path) -> str | None:
    """The rows of a file of columns as a JSON document; None where it is none that is read."""
    try:
        if not path.is_file():
            # What was read of a pipe is gone.
            return None
        with path.open("rb") as file:
            start = file.read(6)
    except (OSError, ValueError):
        return None
    if not start.startswith((_PARQUET, _FILE, _STREAM)):
        return None
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        if start.startswith(_PARQUET):
            table = pq.read_table(open_columns(path))
        else:
            with open_columns(path) as source:
                is_file = start.startswith(_FILE)
                opened = pa.ipc.open_file(source) if is_file else pa.ipc.open_stream(source)
                table = opened.read_all()
    except (pa.ArrowException, OSError):
        return None
    if is_ratings(set(table.column_names)):
        names = ["id" if name == "player" else name for name in table.column_names]
        table = table.rename_columns(names)
    rows = [{key: value for key, value in row.items() if value is not None and key != OF_RATINGS}
            for row in table.to_pylist()]  # fmt: skip
    return json.dumps(rows, default=_told)


def _told(value: Any) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)
