"""The files of a bundle, from an archive or a folder: those that a bundle has, and no others."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.office.engine.fed import TABLES

MANIFEST = "manifest.json"
SIGNATURE = "signature.json"
"""Of the manifest, which has the hashes of all other files; where the office has a key."""
LIST, FACTS = "list.csv", "facts.jsonl"
NUMBERS = ("changes", "ratings")
NEEDED = ("games.parquet", *(f"{name}.parquet" for name in NUMBERS), LIST, FACTS)
"""What the manifest of each bundle names."""
NAMED = frozenset((*NEEDED, *(f"{name}.parquet" for name in TABLES)))
"""What it can name."""


BESIDE = "bytes beside the files"
END = "its end"
DAY = (1980, 1, 1, 0, 0, 0)
"""Of each file of an archive that the office writes."""
_LOCAL = struct.Struct("<4sBB4H3L2H")
"""The header before a file, without the name and what is added to it."""
_IN_TABLE = struct.Struct("<28x3H12x")
"""A row of the table, of which only the lengths of what follows are read here."""
_BEHIND = struct.Struct("<3L")
"""What is told behind a file that was written into a pipe."""
_END = struct.Struct("<4s4H2LH")
_DESCRIBED_BEHIND, _UTF8 = 0x08, 0x800
_BEGINNING = b"PK\x03\x04"
"""Of the header of a file, and so of an archive."""
_DESCRIPTOR = b"PK\x07\x08"
_AT_END = b"PK\x05\x06"
_OWNERS = 0o600 << 16
"""Permissions that an archive of the office gives to each file."""
_SYSTEMS = (0, 3)
"""Where the office can have run: Windows, others."""
_IN_ZIP64 = (0xFFFF, 0xFFFFFFFF)
"""For counts, and sizes of 4 GB or more, which stand elsewhere."""


class Unreadable(Exception):
    """Why a file cannot be read."""


@contextmanager
def reading(name: str) -> Iterator[None]:
    """All that can go wrong where damaged bytes are unpacked, as one."""
    try:
        yield
    except (
        EOFError, MemoryError, OSError, OverflowError, RuntimeError, ValueError, TypeError,
        LookupError, struct.error, zipfile.BadZipFile, zlib.error, lzma.LZMAError,
        pa.ArrowException,
    ) as error:  # fmt: skip
        first = str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
        raise Unreadable(f"{name} cannot be read: {first}") from None


@dataclass(frozen=True)
class Unpacked:
    """What is there under the names that files of bundles have, and what else there is."""

    files: dict[str, bytes]
    others: tuple[str, ...] = ()
    """Names of others, which are not read, and those that are there twice."""
    contradicted: tuple[str, ...] = ()
    """Files of which the archive says one thing before or behind them, and another in its table."""
    is_marked: bool = False
    """Whether the archive says of files what nothing of a bundle speaks for: days, permissions."""


def is_archive(path: Path) -> bool:
    """Whether a file begins as an archive does, though perhaps it does not end as one."""
    if not path.is_file():
        # Nobody waits for who writes into a pipe.
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(_BEGINNING)) == _BEGINNING
    except OSError:
        return False


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
            with path.open("rb") as file:
                packing = _Packing(file, archive)
    if packing.has_more:
        others.append(BESIDE)
    return Unpacked(files, tuple(sorted(others)), tuple(packing.contradicted), packing.is_marked)


class _Packing:
    """What an archive says of its files, twice each, and where bytes stand that are of none.

    Another program may see another archive in what this one passes over.
    """

    def __init__(self, file: BinaryIO, archive: zipfile.ZipFile) -> None:
        self._file = file
        self.has_more = self.is_marked = False
        self.contradicted: list[str] = []
        at = 0
        for each in sorted(archive.infolist(), key=lambda info: info.header_offset):
            if each.header_offset != at or each.comment:
                self.has_more = True
                return
            at = self._look_at(each)
        self._look_at_end(archive, at)

    def _look_at(self, told: zipfile.ZipInfo) -> int:
        """Compare the header of a file with what the table tells; gives where the file ends."""
        self._file.seek(told.header_offset)
        *said, name, more = _LOCAL.unpack(self._file.read(_LOCAL.size))
        numbers = [told.CRC, told.compress_size, told.file_size]
        end: int = told.header_offset + _LOCAL.size + name + more + told.compress_size
        is_behind = bool(told.flag_bits & _DESCRIBED_BEHIND)
        right = [
            _BEGINNING, told.extract_version, told.reserved, told.flag_bits, told.compress_type,
            *_dos(told.date_time),
        ]  # fmt: skip
        is_right = (
            said[: len(right)] == right
            and _are(said[len(right) :], [0, 0, 0] if is_behind else numbers)
            and self._file.read(name) == _encoded(told)
        )
        if is_behind:
            self._file.seek(end)
            is_signed = self._file.read(len(_DESCRIPTOR)) == _DESCRIPTOR
            end += len(_DESCRIPTOR) * is_signed
            self._file.seek(end)
            is_right &= list(_BEHIND.unpack(self._file.read(_BEHIND.size))) == numbers
            end += _BEHIND.size
        if not is_right:
            self.contradicted.append(told.filename)
        self.is_marked |= bool(more) or _is_marked(told)
        return end

    def _look_at_end(self, archive: zipfile.ZipFile, table: int) -> None:
        """The table has nothing but its rows and begins behind the last file, as the end tells."""
        self._file.seek(archive.start_dir)
        for told in archive.infolist():
            lengths = _IN_TABLE.unpack(self._file.read(_IN_TABLE.size))
            if lengths != (len(_encoded(told)), len(told.extra), len(told.comment)):
                self.has_more = True
                return
            self._file.seek(sum(lengths), io.SEEK_CUR)
        end: int = self._file.seek(0, io.SEEK_END) - _END.size
        self._file.seek(end)
        signature, *parts, size, _, comment = _END.unpack(self._file.read(_END.size))
        self.has_more = (
            archive.start_dir != table
            or signature != _AT_END
            or comment != 0
            or not _are([size], [end - table])
        )
        count = len(archive.infolist())
        if not self.has_more and not _are(parts, [0, 0, count, count]):
            self.contradicted.append(END)


def _encoded(told: zipfile.ZipInfo) -> bytes:
    """A name as the archive has it."""
    return told.orig_filename.encode("utf-8" if told.flag_bits & _UTF8 else "cp437")


def _dos(moment: tuple[int, int, int, int, int, int]) -> tuple[int, int]:
    """A time and a day as archives write them."""
    year, month, day, hour, minute, second = moment
    return hour << 11 | minute << 5 | second // 2, (year - DAY[0]) << 9 | month << 5 | day


def _are(said: Sequence[int], right: Sequence[int]) -> bool:
    """Whether numbers are those, where they do not stand elsewhere."""
    pairs = zip(said, right, strict=True)
    return all(number == wanted or number in _IN_ZIP64 for number, wanted in pairs)


def _is_marked(told: zipfile.ZipInfo) -> bool:
    """Whether a file is described otherwise than the office describes it."""
    plain = zipfile.ZipInfo(told.filename, DAY)
    usual = (plain.create_version, DAY, 0, _OWNERS, 0, b"", zipfile.ZIP_STORED, 0)
    return told.create_system not in _SYSTEMS or usual != (
        told.create_version, told.date_time, told.internal_attr, told.external_attr, told.volume,
        told.extra, told.compress_type, told.flag_bits,
    )  # fmt: skip


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
