"""Offices to try things in: on SQLite, and on a PostgreSQL that the tests start themselves."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

pytest.importorskip("django")

from ratingbook.office.acts import setup
from ratingbook.office.home import Home
from ratingbook.office.store.ledger import Who

TINA = Who("tina", at=datetime(2026, 4, 2, 9, 0, tzinfo=UTC))


def _as_server(*command: str) -> None:
    """PostgreSQL refuses to run as root; then it runs as the user postgres."""
    if os.geteuid() == 0:
        command = ("setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups",
                   *command)  # fmt: skip
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A temporary PostgreSQL on a unix socket; gives the URL of its databases, with {}."""
    if shutil.which("initdb") is None or shutil.which("pg_ctl") is None:
        pytest.skip("no PostgreSQL on this machine")
    folder = Path(tempfile.mkdtemp(prefix="ratingbook-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    data = folder / "data"
    try:
        _as_server("initdb", "-D", str(data), "-U", "office", "--auth=trust", "-E", "UTF8", "-N")
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
        _as_server("pg_ctl", "-D", str(data), "-w", "-o", options, "-l", f"{folder}/log", "start")
        try:
            yield f"postgresql:///{{}}?host={folder}&user=office"
        finally:
            _as_server("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


_databases = iter(range(10**6))


def new_database(url: str) -> str:
    """An empty database on the server; gives its URL."""
    import psycopg

    name = f"office_{next(_databases)}"
    with psycopg.connect(url.format("postgres"), autocommit=True) as link:
        link.execute(f"CREATE DATABASE {name}")
    return url.format(name)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def database(request: pytest.FixtureRequest) -> str:
    """The URL of an empty database: on SQLite none is needed."""
    if request.param == "sqlite":
        return ""
    return new_database(request.getfixturevalue("server"))


@pytest.fixture
def home(tmp_path: Path, database: str) -> Iterator[Home]:
    """A new office, of which Tina may do everything."""
    yield setup.init(tmp_path / "office", TINA, database)
    from django.db import connections

    connections.close_all()


@pytest.fixture
def tina() -> Who:
    """The first actor."""
    return TINA
