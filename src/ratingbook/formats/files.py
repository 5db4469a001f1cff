"""The bytes of a file, and JSON among them; what cannot be opened is a finding."""

from __future__ import annotations

import os
import stat
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import BinaryIO

from ratingbook.formats.tools.encodings import named
from ratingbook.formats.tools.nearby import not_there
from ratingbook.formats.tools.text import MAX_BYTES
from ratingbook.model import Finding, Findings, Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

_MEGABYTE = 1024 * 1024
LARGE = 8 * _MEGABYTE
"""Bytes of text from which it is read line by line where its format can be."""
MOST_IN_MEMORY = 32 * _MEGABYTE
"""Bytes of text that become a report at once; in memory it takes many times as much.

The largest opens have some hundred kilobytes; a document of a whole period has a few megabytes.
"""
_MARKS = (BOM_UTF8, BOM_UTF16_LE, BOM_UTF16_BE)
_BEGINNING = 1 << 16
_JSON = pattern(rb"\{|\[(?!\s*[A-Za-z.])")
"""An object or a list; a word behind the bracket is a tag of PGN, or a part of settings."""
_COMMENT = pattern(rb'\{[^{}]*\}\s*+\[[A-Za-z_]+\s+"')
"""What stands above the games of a PGN file, and the first tag."""


NOTHING_IN_PIPE = Finding(
    "file.unreadable",
    Severity.FATAL,
    sentence("This is a pipe, and nothing came out of it: nobody wrote to it."),
    remedy=sentence("Begin to write to it first, or write a file."),
)
"""A named pipe is read like a file once somebody writes to it, and not waited for."""


def bytes_of(path: Path) -> tuple[bytes | None, Findings]:
    """The bytes of a file, unless it is too large or cannot be opened."""
    findings = Findings()
    try:
        with opened(path) as file:
            data = file.read(MAX_BYTES + 1)
            nothing_came = not data and is_fifo(file)
    except IsADirectoryError:
        findings.add(
            Severity.FATAL,
            "file.unreadable",
            sentence("This is a folder, not a file."),
            remedy="Name the files in it. Only `ratingbook history` reads whole folders; a report "
            "is a folder with THEXPORT.DBF, TSEXPORT.DBF and TDEXPORT.DBF (US Chess 2C).",
        )
        return None, findings
    except OSError as error:
        findings.add(
            Severity.FATAL,
            "file.unreadable",
            not_there(path)
            or sentence("The file cannot be opened: {why}.", why=error.strerror or error),
            remedy=sentence("Check the name, and that you may read it."),
        )
        return None, findings
    except ValueError:
        findings.add(
            Severity.FATAL,
            "file.unreadable",
            sentence("The name of the file is not possible."),
            remedy=sentence("Check the name."),
        )
        return None, findings
    if nothing_came:
        findings.extend([NOTHING_IN_PIPE])
        return None, findings
    if len(data) > MAX_BYTES:
        findings.extend([too_large(MAX_BYTES)])
        return None, findings
    return data, findings


def opened(path: Path) -> BinaryIO:
    """A file, or a pipe; one that nobody writes to is empty, and not waited for."""
    held = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        os.set_blocking(held, True)
        return os.fdopen(held, "rb")
    except OSError:
        os.close(held)
        raise


def is_fifo(file: BinaryIO) -> bool:
    """Whether it is a pipe that is open."""
    return stat.S_ISFIFO(os.fstat(file.fileno()).st_mode)


def too_large(most: int | None = None) -> Finding:
    """Why a file of more than so many bytes is not read; without a number it is text."""
    return Finding(
        "file.too-large",
        Severity.FATAL,
        sentence("The file has more than {what:,} bytes.", what=most or MOST_IN_MEMORY),
        remedy="Send one file for each event; years of games as CSV or PGN are rated by "
        "`ratingbook history`.",
    )


def is_large(path: Path) -> bool:
    """Whether it is a file of more text than is read at once where there is another way."""
    return _has_more_than(path, LARGE)


def is_too_large(path: Path) -> bool:
    """Whether it is a file of more text than is held in memory."""
    return _has_more_than(path, MOST_IN_MEMORY)


def _has_more_than(path: Path, most: int) -> bool:
    try:
        return path.is_file() and path.stat().st_size > most
    except (OSError, ValueError):
        return False


def is_pipe(path: Path) -> bool:
    """Whether it is there, but neither a file nor a folder: it can be read only once."""
    try:
        return path.exists() and not path.is_file() and not path.is_dir()
    except (OSError, ValueError):
        return False


def first_bytes(path: Path) -> bytes:
    """The beginning of a file up to the end of a line, by which formats know it.

    Of a pipe there is none: who looks at it takes it from whoever reads it.
    """
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            data = file.read(_BEGINNING)
    except (OSError, ValueError):
        return b""
    return data[: data.rfind(b"\n") + 1] or data


def is_json(data: bytes) -> bool:
    """Whether the first characters are ones with which JSON begins, in whatever encoding."""
    start = data[:_BEGINNING]
    for mark in _MARKS:
        start = start.removeprefix(mark)
    start = start.replace(b"\0", b"").lstrip()
    return _JSON.match(start) is not None and _COMMENT.match(start) is None


def utf8(data: bytes, findings: Findings) -> str | None:
    """The text of a JSON file; None, and a finding that refuses it, where it is not UTF-8.

    Unless somebody named another encoding.
    """
    told = named()
    offenders = [offset for offset in (data.find(b"\0"),) if offset >= 0]
    try:
        text = data.decode(told or "utf-8-sig")
    except UnicodeDecodeError as error:
        offenders.append(error.start)
    if not offenders:
        return text
    offender = min(offenders)
    before = data[:offender]
    findings.add(
        Severity.FATAL,
        "json.encoding",
        sentence("The file is not {told}.", told=told)
        if told
        else sentence("The file is not UTF-8, as JSON must be."),
        Place(line=before.count(b"\n") + 1, column=offender - before.rfind(b"\n")),
        "Save it as UTF-8, or say the right encoding with --encoding.",
    )
    return None
