"""Compiled code that the driver hands to its workers, so that not each has to compile.

It lies in the folder of the results, which others may be able to write into, too; and machine
code is run as it stands.  So a worker believes only what has the hash that came with its
task, and keeps it in a folder of its own.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from ratingbook.engine.sealed import files_of, is_sealed, own_folder, put_sealed, why_not_kept
from ratingbook.engine.store.hashing import stamp_of

_FILE = "code.arrow"


def hand_over(code: Path, folder: Path) -> str:
    """Lay down what this user has compiled into ``code``; gives its hash, empty: nothing."""
    if not is_sealed(code):
        return ""
    files = files_of(code)
    table = pa.table({"name": list(files), "data": pa.array(files.values(), pa.binary())})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    data = sink.getvalue().to_pybytes()
    (folder / _FILE).write_bytes(data)
    return stamp_of(data).digest


def take_over(code: Path, folder: Path, digest: str) -> bool:
    """Put what was laid down into ``code``, if it is what the driver means; whether it was."""
    if is_sealed(code) or why_not_kept(code):
        return False
    if not (own_folder(code.parent) and own_folder(code)):
        return False
    try:
        data = (folder / _FILE).read_bytes()
    except OSError:
        return False
    if stamp_of(data).digest != digest:
        return False
    with pa.ipc.open_file(pa.BufferReader(data)) as reader:
        table = reader.read_all()
    put_sealed(code, dict(zip(table["name"].to_pylist(), table["data"].to_pylist(), strict=True)))
    return True
