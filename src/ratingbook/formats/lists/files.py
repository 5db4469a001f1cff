"""The bytes of a list: a file, or the one member of a zip archive, within limits.

Federations publish their lists zipped.  An archive is a stranger's: what it may
unpack to is limited while it is unpacked, whatever its directory says.
"""

from __future__ import annotations

import zipfile
import zlib
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, Protocol

from ratingbook.formats.lists.refusal import refused
from ratingbook.formats.tools.encodings import named
from ratingbook.formats.tools.notes import Remark
from ratingbook.formats.tools.packed import packed_by
from ratingbook.model import Severity
from ratingbook.model.sentences import sentence

MAX_BYTES = 4 * 1024**3
"""The largest list, unpacked: FIDE's XML has 0.9 GB."""
MAX_RATIO = 150
"""How many times larger than its archive a list may be: FIDE's are 7 to 18 times."""
FREE_BYTES = 4 * 1024**2
"""So much is unpacked whatever the ratio."""
MAX_MEMBERS = 100

UNREADABLE = Remark(
    "file.unreadable",
    Severity.FATAL,
    "The file cannot be opened",
    "Check the name, and that you may read it.",
)
TOO_LARGE = Remark(
    "list.too-large",
    Severity.FATAL,
    "The list is larger than any that is read",
    "Download the list again; keep only the federation's own file.",
)
ARCHIVE = Remark(
    "list.archive",
    Severity.FATAL,
    "The archive cannot be read as a list",
    "Download the list again, or unpack it and name the file itself.",
)

_ZIP = b"PK\x03\x04"
_SUFFIXES = (".txt", ".xml", ".csv")
_END = b"PK\x05\x06"
_END_LENGTH = 22
_END_REACH = _END_LENGTH + 0xFFFF
"""The end record has at most so many bytes, with its comment."""
_END_64 = b"PK\x06\x07"


class Stream(Protocol):
    """What a list is read from."""

    def read(self, size: int, /) -> bytes:
        """The next bytes, at most ``size``; none at the end."""


@dataclass(frozen=True, slots=True)
class Source:
    """An opened list; ``name`` is that of the file and of its member in an archive."""

    stream: Stream
    name: str


def most_unpacked(packed: int) -> int:
    """So many bytes are read of a list in an archive of that size."""
    return min(MAX_BYTES, max(FREE_BYTES, MAX_RATIO * packed))


class _Limited:
    """A stream that stops where it becomes too large; ``packed`` is the size of its archive."""

    def __init__(self, stream: Stream, packed: int | None) -> None:
        self._stream = stream
        self._limit = MAX_BYTES if packed is None else most_unpacked(packed)
        self._count = 0

    def read(self, size: int, /) -> bytes:
        try:
            data = self._stream.read(size)
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise refused(ARCHIVE, sentence("it is damaged ({error})", error=error)) from None
        except OSError as error:
            raise refused(UNREADABLE, error.strerror or str(error)) from None
        self._count += len(data)
        if self._count > self._limit:
            raise refused(TOO_LARGE, sentence("more than {most:,} bytes", most=self._limit))
        return data


class _Told:
    """A stream in an encoding that somebody named, as UTF-8."""

    def __init__(self, stream: Stream, encoding: str) -> None:
        self._stream = stream
        self._decoder = getincrementaldecoder(encoding)(errors="replace")

    def read(self, size: int, /) -> bytes:
        while True:
            data = self._stream.read(size)
            text = self._decoder.decode(data, final=not data).removeprefix("\ufeff")
            if text or not data:
                return text.encode()


@contextmanager
def opened(path: Path) -> Iterator[Source]:
    """The list in a file or in its archive; raises ``Refused``.

    It is in UTF-8 where somebody named its encoding.
    """
    encoding = named()
    with _opened(path) as source:
        yield Source(_Told(source.stream, encoding), source.name) if encoding else source


@contextmanager
def _opened(path: Path) -> Iterator[Source]:
    try:
        file = path.open("rb")
        zipped = _is_zip(file)
    except OSError as error:
        raise refused(UNREADABLE, error.strerror or str(error)) from None
    except ValueError:
        raise refused(UNREADABLE, sentence("its name is not possible")) from None
    with file:
        if zipped:
            with _member(file, path.name) as source:
                yield source
        else:
            yield Source(_Limited(file, None), path.name)


def members(path: Path) -> list[str]:
    """The names in an archive; none where the file is no archive that can be read."""
    try:
        with path.open("rb") as file:
            if not _is_zip(file) or not _directory_is_small(file):
                return []
            with zipfile.ZipFile(file) as archive:
                return archive.namelist()
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return []


def holds_lists(names: list[str]) -> bool:
    """Whether an archive with these names can be one of lists, and is no office document."""
    office = "[Content_Types].xml" in names or "mimetype" in names
    return not office and any(map(_is_list, names))


def _is_list(name: str) -> bool:
    path = PurePosixPath(name)
    hidden = path.name.startswith(".") or "__MACOSX" in path.parts
    return not hidden and path.suffix.lower() in (*_SUFFIXES, ".zip")


def _is_zip(file: BinaryIO) -> bool:
    start = file.read(len(_ZIP))
    file.seek(0)
    return start == _ZIP


@contextmanager
def _member(file: BinaryIO, name: str) -> Iterator[Source]:
    """The one list of an archive."""
    if not _directory_is_small(file):
        raise refused(
            ARCHIVE,
            sentence(
                "it has more than {most} members, or a damaged directory",
                most=MAX_MEMBERS,
            ),
        )
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise refused(ARCHIVE, sentence("it is damaged ({error})", error=error)) from None
    with archive:
        info = _only(archive.infolist())
        if info.flag_bits & 1:
            raise refused(ARCHIVE, sentence("it is encrypted"))
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise refused(ARCHIVE, sentence("it is packed in a way that is not read"))
        if info.file_size > MAX_BYTES:
            raise refused(TOO_LARGE, sentence("{n:,} bytes", n=info.file_size))
        with _unpacked(archive, info) as stream:
            start = _Limited(stream, info.compress_size).read(16)
        if packed_by(start) or start.startswith(_END):
            raise refused(
                ARCHIVE, sentence("it holds another archive, {named}", named=info.filename)
            )
        with _unpacked(archive, info) as stream:
            yield Source(_Limited(stream, info.compress_size), f"{name}/{info.filename}")


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    try:
        return archive.open(info)
    # A directory may name a place before the beginning of the file.
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        raise refused(ARCHIVE, sentence("it is damaged ({error})", error=error)) from None


def _only(infos: list[zipfile.ZipInfo]) -> zipfile.ZipInfo:
    """The member that is the list; notes and hidden files beside it do not matter."""
    # A damaged directory has members without a name.
    lists = [info for info in infos if info.filename[-1:] != "/" and _is_list(info.filename)]
    named = ", ".join(info.filename for info in lists[:5])
    if not lists:
        raise refused(ARCHIVE, sentence("there is no .txt, .xml or .csv file in it"))
    if len(lists) > 1:
        raise refused(
            ARCHIVE, sentence("there are several lists in it ({named}); one is needed", named=named)
        )
    if lists[0].filename.lower().endswith(".zip"):
        raise refused(ARCHIVE, sentence("it holds another archive, {named}", named=named))
    return lists[0]


def _directory_is_small(file: BinaryIO) -> bool:
    """Whether the directory can be loaded without harm: it is, before its members are looked at.

    An archive may claim millions of members; each costs memory when it is opened.
    """
    size = file.seek(0, 2)
    file.seek(max(0, size - _END_REACH))
    tail = file.read(_END_REACH)
    file.seek(0)
    at = tail.rfind(_END)
    if at < 0 or at + _END_LENGTH > len(tail) or _END_64 in tail[max(0, at - 20) : at]:
        return False
    return int.from_bytes(tail[at + 10 : at + 12], "little") <= MAX_MEMBERS and (
        int.from_bytes(tail[at + 12 : at + 16], "little") <= MAX_MEMBERS * 1024
    )
