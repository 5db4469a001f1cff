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
from ratingbook.office.home import Home, create
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


def new_database(url: str, like: str = "template1") -> str:
    """A database on the server like another one; gives its name."""
    import psycopg

    name = f"office_{next(_databases)}"
    with psycopg.connect(url.format("postgres"), autocommit=True) as link:
        link.execute(f"CREATE DATABASE {name} TEMPLATE {like}")
    return name


def _closed() -> None:
    from django.db import connections

    connections.close_all()


@pytest.fixture(scope="session")
def sqlite_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An office as it is when new, to be copied."""
    folder = tmp_path_factory.mktemp("model") / "office"
    setup.init(folder, TINA)
    _closed()
    return folder


@pytest.fixture(scope="session")
def postgresql_model(server: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same on PostgreSQL: the name of its database."""
    name = new_database(server)
    setup.init(tmp_path_factory.mktemp("model") / "office", TINA, server.format(name))
    _closed()
    return name


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    """A new office, of which Tina may do everything."""
    folder = tmp_path / "office"
    if request.param == "sqlite":
        shutil.copytree(request.getfixturevalue("sqlite_model"), folder)
    else:
        url = request.getfixturevalue("server")
        name = new_database(url, request.getfixturevalue("postgresql_model"))
        create(folder, url.format(name))
    yield setup.open_office(folder)
    _closed()


@pytest.fixture
def tina() -> Who:
    """The first actor."""
    return TINA
