"""Many rows at once: into tables without models, and out of them as columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import chain
from typing import Any

import pyarrow as pa
from django.db import connection
from django.db.models import Model
from django.db.models.expressions import RawSQL

from ratingbook.office.store.triggers import insert_trigger

CHUNK = 10_000
"""Rows that are written at a time: smaller chunks let the log of SQLite grow."""
READ_AT_ONCE = 50_000
_SORTERS = 2
"""Threads of SQLite that sort what an index is made of, beside the one that reads it."""
_VALUES = 999
"""Values in one statement: every SQLite takes so many; one a row takes half as long again."""
_MANY = 500
"""Rows for which it is worth to set a trigger aside: that takes the time of some dozens."""


def put_rows(table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows, within a transaction of the caller's."""
    if not rows:
        return
    names = ", ".join(f'"{each}"' for each in columns)
    if connection.vendor == "postgresql":
        with (
            # Else what refuses a row is an error of the driver, which nobody looks for.
            connection.wrap_database_errors,
            connection.cursor() as cursor,
            cursor.cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row(row)
        return
    marks = f"({', '.join(['%s'] * len(columns))})"
    together = _VALUES // len(columns)
    whole = len(rows) // together * together
    said = f"INSERT INTO {table} ({names}) VALUES "
    with connection.cursor() as cursor, _by_itself(table, len(rows)):
        if whole:
            some = [
                tuple(chain.from_iterable(rows[at : at + together]))
                for at in range(0, whole, together)
            ]
            cursor.executemany(said + ", ".join([marks] * together), some)
        cursor.executemany(said + marks, rows[whole:])


def in_order_of_index(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows as a database takes them in fastest whose index begins with their first columns.

    That of SQLite does not mind, since it comes afterwards (:func:`indexed_afterwards`).
    """
    return sorted(rows) if connection.vendor == "postgresql" else rows


def among(values: Sequence[str]) -> RawSQL:
    """What ``__in`` is compared with in one query, however many texts there are."""
    if connection.vendor == "postgresql":
        return RawSQL("SELECT unnest(%s::text[])", [list(values)])
    return RawSQL("SELECT value FROM json_each(%s)", [json.dumps(values)])


def is_among(column: str) -> str:
    """The same condition for the text of a query, whose value is :func:`these`.

    For however many it is the same text, so that a database plans the query once.
    """
    if connection.vendor == "postgresql":
        return f"{column} = ANY(%s)"
    return f"{column} IN (SELECT value FROM json_each(%s))"


def these(values: Iterable[int] | Iterable[str]) -> str | list[Any]:
    """What a column :func:`is_among`, as the one value of a query that it is."""
    several = list(values)
    return several if connection.vendor == "postgresql" else json.dumps(several)


@contextmanager
def indexed_afterwards(*tables: str) -> Iterator[None]:
    """What is put into tables of SQLite meanwhile goes into their indexes at the end, in order.

    Keys that lie as if by chance would touch all of an index again and again.  What is unique
    is looked at at once.  Within a transaction; where it fails the indexes were never gone.
    """
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql NOT LIKE "
            f"'CREATE UNIQUE%%' AND {is_among('tbl_name')}", [these(tables)],
        )  # fmt: skip
        found = cursor.fetchall()
        for name, _ in found:
            cursor.execute(f'DROP INDEX "{name}"')
        yield
        # Whoever waits for an index uses both processors for it.
        cursor.execute(f"PRAGMA threads = {_SORTERS}")
        for _, said in found:
            cursor.execute(said)


@contextmanager
def _by_itself(table: str, count: int) -> Iterator[None]:
    """Many rows of SQLite go in without the trigger that looks for rows in their way.

    SQLite keeps a journal of each statement that has a trigger, which takes longer than all
    else.  What goes in here replaces nothing; nobody else writes before the transaction ends, and
    where that fails the trigger was never gone.
    """
    if count < _MANY or not connection.in_atomic_block:
        yield
        return
    name = insert_trigger(table)
    with connection.cursor() as cursor:
        cursor.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = %s", [name])
        found = cursor.fetchone()
        if found is not None:
            cursor.execute(f"DROP TRIGGER {name}")
        try:
            yield
        finally:
            if found is not None:
                cursor.execute(found[0])


def read_columns(query: str, schema: pa.Schema) -> pa.Table:
    """The answer to a query as columns of these types, a chunk of rows at a time.

    Days are asked for as texts: to make each one an object takes half of the time.
    By Django's own connection: a second library of SQLite in one process (as ADBC brings)
    closes the locks of the first, and takes its log away with facts in it.
    """
    chunks = []
    with connection.cursor() as cursor:
        cursor.execute(query)
        while rows := cursor.fetchmany(READ_AT_ONCE):
            columns = zip(*rows, strict=True)
            arrays = [_array(c, kind) for c, kind in zip(columns, schema.types, strict=True)]
            chunks.append(pa.record_batch(arrays, schema=schema))
    return pa.Table.from_batches(chunks, schema)


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    if pa.types.is_date(kind):
        return pa.array(values, pa.string()).cast(kind)
    return pa.array(values, kind)


def new_ids(table: str, count: int) -> list[int]:
    """Numbers for so many new rows, within an act: the head of the ledger is locked."""
    if not count:
        return []
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                f"SELECT nextval(pg_get_serial_sequence('{table}', 'id')) "
                f"FROM generate_series(1, {count})"
            )
            return sorted(number for (number,) in cursor.fetchall())
        cursor.execute(f"SELECT COALESCE(MAX(id), 0) FROM {table}")
        last = int(cursor.fetchone()[0])
    return list(range(last + 1, last + 1 + count))


def stored_time(at: datetime) -> Any:
    """A time as the database holds it."""
    return connection.ops.adapt_datetimefield_value(at)


def look_at(*tables: type[Model]) -> None:
    """Let PostgreSQL look at what tables hold now.

    It does so by itself, minutes later; until then it plans queries as if there was nothing in
    what was just filled, and reads all names for one event.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            names = ", ".join(connection.ops.quote_name(each._meta.db_table) for each in tables)
            cursor.execute(f"ANALYZE {names}")
