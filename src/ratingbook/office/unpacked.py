"""The files of a bundle, from an archive or a folder: those that a bundle has, and no others."""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.office import engine

MANIFEST = "manifest.json"
SIGNATURE = "signature.json"
"""Of the manifest, which has the hashes of all other files; where the office has a key."""
LIST, FACTS = "list.csv", "facts.jsonl"
NUMBERS = ("changes", "ratings")
NEEDED = ("games.parquet", *(f"{name}.parquet" for name in NUMBERS), LIST, FACTS)
"""What the manifest of each bundle names."""
NAMED = frozenset((*NEEDED, *(f"{name}.parquet" for name in engine.TABLES)))
"""What it can name."""


BESIDE = "bytes beside the files"
_LOCAL, _END = 30, 22
"""Bytes of the header of a file, without its name, and of the end of an archive."""
_DESCRIBED_BEHIND, _DESCRIPTOR, _END_SIGNATURE = 8, 0x08074B50, 0x06054B50
_IN_ZIP64 = 0xFFFFFFFF
"""For sizes of 4 GB or more, which stand elsewhere."""


class Unreadable(Exception):
    """Why a file cannot be read."""


@contextmanager
def reading(name: str) -> Iterator[None]:
    """All that can go wrong where damaged bytes are unpacked, as one."""
    try:
        yield
    except (
        EOFError, MemoryError, OSError, OverflowError, RuntimeError, ValueError, TypeError,
        LookupError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, pa.ArrowException,
    ) as error:  # fmt: skip
        first = str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
        raise Unreadable(f"{name} cannot be read: {first}") from None


@dataclass(frozen=True)
class Unpacked:
    """What is there under the names that files of bundles have, and what else there is."""

    files: dict[str, bytes]
    others: tuple[str, ...] = ()
    """Names of others, which are not read, and those that are there twice."""


def unpacked(path: Path) -> Unpacked:
    """The files of a bundle; else :class:`Unreadable`."""
    own = {MANIFEST, SIGNATURE, *NAMED}
    files: dict[str, bytes] = {}
    with reading("The bundle"):
        if path.is_dir():
            names = {each.name: each for each in sorted(path.iterdir())}
            for name in own & names.keys():
                with reading(name):
                    files[name] = names[name].read_bytes()
            return Unpacked(files, tuple(name for name in names if name not in own))
        if path.exists() and not path.is_file():
            raise Unreadable("The bundle cannot be read: it is a pipe or a device")
        with zipfile.ZipFile(path) as archive:
            count = Counter(archive.namelist())
            for name in own & count.keys():
                with reading(name):
                    files[name] = archive.read(name)
            others = [name for name, times in count.items() if name not in own or times > 1]
            if _has_more(path, archive):
                others.append(BESIDE)
    return Unpacked(files, tuple(sorted(others)))


def _has_more(path: Path, archive: zipfile.ZipFile) -> bool:
    """Whether bytes stand before, between or behind the files of an archive.

    Another program may see another archive in them; nothing of the bundle speaks for them.
    """
    with path.open("rb") as file:

        def number(at: int, length: int) -> int:
            file.seek(at)
            return int.from_bytes(file.read(length), "little")

        at = 0
        for each in sorted(archive.infolist(), key=lambda info: info.header_offset):
            if each.header_offset != at or each.comment:
                return True
            at += _LOCAL + number(at + 26, 2) + number(at + 28, 2) + each.compress_size
            if each.flag_bits & _DESCRIBED_BEHIND:
                at += 16 if number(at, 4) == _DESCRIPTOR else 12
        size = file.seek(0, io.SEEK_END)
        end = size - _END
        return (
            archive.start_dir != at
            or number(end, 4) != _END_SIGNATURE
            or number(end + 20, 2) != 0
            or number(end + 12, 4) not in (end - at, _IN_ZIP64)
        )


def table(files: dict[str, bytes], name: str) -> pa.Table | None:
    """A table, whose every value was looked at, as damaged pages can hold what is none."""
    if name not in files:
        return None
    with reading(name):
        found = pq.read_table(io.BytesIO(files[name]), use_threads=False)
        found.validate(full=True)
    for column in found.schema:
        if pa.types.is_nested(column.type):
            raise Unreadable(f"{name} cannot be read: {column.name} is a column of {column.type}")
    return found
