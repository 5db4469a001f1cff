"""Whether a fault is one of the machine, not of ours: what is tried again may well be done."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import InterfaceError, OperationalError

from ratingbook.formats.tools.full import NO_ROOM

_SQLITE_ERROR = 1
"""What SQLite says of a statement that is wrong: there is no such table, say."""
SQLITE_PRIMARY = 0xFF
"""The part of a code of SQLite that says of which kind it is."""


def is_away(error: BaseException | None) -> bool:
    """Whether the database does not answer, is busy, or there is no room on a disk.

    PostgreSQL has faults of statements under another name; SQLite has them under the same.
    """
    if isinstance(error, InterfaceError):
        return True
    if isinstance(error, OperationalError):
        codes = [getattr(each, "sqlite_errorcode", None) for each in causes(error)]
        return _SQLITE_ERROR not in [code & SQLITE_PRIMARY for code in codes if code is not None]
    return isinstance(error, OSError) and error.errno in NO_ROOM


def in_a_line(error: BaseException | str) -> str:
    """What it says, without what follows in further lines."""
    return str(error).strip().partition("\n")[0].rstrip(".:") or type(error).__name__


def causes(error: BaseException) -> Iterator[BaseException]:
    """The fault, and those that it came of."""
    one: BaseException | None = error
    while one is not None:
        yield one
        one = one.__cause__
