"""Connections to the database that outlast a request: to make one takes as long as five queries."""

from __future__ import annotations

import os
from typing import Any

from django.core.signals import request_started
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from ratingbook.office.home import Home

_CACHE = "PRAGMA cache_size=-8192;"
"""Of SQLite, for each thread of each process; a page needs less than a run."""
_FILE = "ratingbook_file"
_PREPARED = {"server_side_binding": True, "prepare_threshold": 5}
"""Of PostgreSQL: queries that come again are planned once in a connection; for each page anew that
is most of what the server does for it."""


def prepare_queries(home: Home) -> None:
    """Let a server plan once what is asked again and again, from the next connection on."""
    if not home.is_sqlite:
        connections["default"].close()
        connections["default"].settings_dict["OPTIONS"] |= _PREPARED


def keep_connections(home: Home) -> None:
    """Each thread goes on with its connection, as long as it leads to the office's database."""
    said = connections["default"].settings_dict
    said["CONN_MAX_AGE"] = None
    if not home.is_sqlite:
        # A server may have ended meanwhile.
        said["CONN_HEALTH_CHECKS"] = True
        return
    said["OPTIONS"]["init_command"] += _CACHE
    connection_created.connect(_remember, dispatch_uid=_FILE)
    request_started.connect(_leave_what_was_replaced, dispatch_uid=_FILE)


def _remember(connection: BaseDatabaseWrapper, **_: Any) -> None:
    setattr(connection, _FILE, _file_of(connection))


def _leave_what_was_replaced(**_: Any) -> None:
    """A backup was put into its place, say: who went on would read and write what nobody sees."""
    connection = connections["default"]
    if connection.connection is not None and getattr(connection, _FILE) != _file_of(connection):
        connection.close()


def _file_of(connection: BaseDatabaseWrapper) -> tuple[int, int] | None:
    """Which file it is that has the name of the database; None: there is none."""
    try:
        found = os.stat(connection.settings_dict["NAME"])
    except OSError:
        return None
    return found.st_dev, found.st_ino
