"""What reading ends in where somebody has damaged rows, or the disk the database itself."""

from __future__ import annotations

import json
import zlib

import pyarrow as pa
from django.core.exceptions import MultipleObjectsReturned, ObjectDoesNotExist
from django.db import DatabaseError, DataError, IntegrityError

from ratingbook.office.store.away import SQLITE_PRIMARY, causes

DAMAGED: tuple[type[Exception], ...] = (
    ArithmeticError, AssertionError, AttributeError, DataError, IntegrityError, LookupError,
    MultipleObjectsReturned, ObjectDoesNotExist, TypeError, ValueError, json.JSONDecodeError,
    pa.ArrowException, zlib.error,
)  # fmt: skip
"""Rows that are not of the shape in which the office writes them lead to one of these."""
_OF_SQLITE = frozenset((11, 26))
"""What SQLite says of a file whose bytes are others, and of one that is no database."""
_OF_POSTGRESQL = frozenset(("XX001", "XX002"))
"""What PostgreSQL says of damaged pages of tables, and of indexes."""


def is_damaged(error: BaseException) -> bool:
    """Whether the database can no longer be read as one: no row of ours is wrong, but its bytes."""
    if isinstance(error, UnicodeDecodeError):
        return _is_of_database(error)
    if not isinstance(error, DatabaseError):
        return False
    return any(
        (getattr(each, "sqlite_errorcode", None) or 0) & SQLITE_PRIMARY in _OF_SQLITE
        or getattr(each, "sqlstate", None) in _OF_POSTGRESQL
        for each in causes(error)
    )


def _is_of_database(error: UnicodeDecodeError) -> bool:
    """Whether the database said it: a name in a damaged schema is no text, even in its faults."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_globals["__name__"].startswith("django.db.")
