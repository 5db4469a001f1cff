"""Many rows at once: into tables without models, and out of them as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from django.db import connection

from ratingbook.office.home import Home

CHUNK = 10_000
"""Rows that are written at a time: smaller chunks let the log of SQLite grow."""


def put_rows(table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows, within a transaction of the caller's."""
    if not rows:
        return
    names = ", ".join(f'"{each}"' for each in columns)
    if connection.vendor == "postgresql":
        with (
            connection.cursor() as cursor,
            cursor.cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row(row)
        return
    marks = ", ".join(["%s"] * len(columns))
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)


def read_columns(home: Home, query: str) -> pa.Table:
    """The answer to a query as columns, read beside Django.

    It sees what is committed.  On SQLite types come from the first rows, so whatever may be
    empty is to be given as a value that is not (``COALESCE``).
    """
    if home.is_sqlite:
        import adbc_driver_sqlite.dbapi as driver

        uri = str(home.sqlite_file.absolute())
    else:
        import adbc_driver_postgresql.dbapi as driver

        uri = home.database
    with driver.connect(uri) as link, link.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetch_arrow_table()
