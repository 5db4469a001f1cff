"""Compiled code that the driver hands to its workers, so that not each has to compile.

It lies in the folder of the results, which others may be able to write into, too; and machine
code is run as it stands.  So a worker believes only what has the hash that came with its
task, and keeps it in a folder of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path

import pyarrow as pa

from ratingbook.engine.cache import cache_folder
from ratingbook.engine.history.program import Needs, Program
from ratingbook.engine.sealed import files_of, is_sealed, own_folder, put_sealed, why_not_kept
from ratingbook.engine.store.hashing import stamp_of


@dataclass(frozen=True)
class Handed:
    """What was laid down in a folder: hashes by the names of the folders of compiled code."""

    folder: Path
    digests: Mapping[str, str] = field(default_factory=dict)

    def take_over(self) -> None:
        """Put all of it where this process looks for compiled code."""
        for name, digest in self.digests.items():
            take_over(cache_folder() / name, self.folder, digest)


def hand_over_all(programs: Iterable[Program], folder: Path) -> Handed:
    """Lay down what this user has compiled of some programs."""
    codes = [program.code_folder for program in programs if program.compiled]
    digests = {code.name: digest for code in codes if (digest := hand_over(code, folder))}
    return Handed(folder, digests)


def fitted_to_any(program: Program, most: Needs) -> Iterator[Program]:
    """The program as histories take it that need no more than ``most``."""
    flags = asdict(most)
    # Whether events have the numbers of the edition is a matter of the edition.
    plain = flags.pop("plain")
    for values in product(*((False, True) if may else (False,) for may in flags.values())):
        yield program.fitted(Needs(**dict(zip(flags, values, strict=True)), plain=plain))


def _file(code: Path, folder: Path) -> Path:
    return folder / f"{code.name}.arrow"


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
    folder.mkdir(parents=True, exist_ok=True)
    _file(code, folder).write_bytes(data)
    return stamp_of(data).digest


def take_over(code: Path, folder: Path, digest: str) -> bool:
    """Put what was laid down into ``code``, if it is what the driver means; whether it was."""
    if is_sealed(code) or why_not_kept(code):
        return False
    if not (own_folder(code.parent) and own_folder(code)):
        return False
    try:
        data = _file(code, folder).read_bytes()
    except OSError:
        return False
    if stamp_of(data).digest != digest:
        return False
    with pa.ipc.open_file(pa.BufferReader(data)) as reader:
        table = reader.read_all()
    put_sealed(code, dict(zip(table["name"].to_pylist(), table["data"].to_pylist(), strict=True)))
    return True
