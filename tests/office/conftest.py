"""Offices to try things in: on SQLite, and on a PostgreSQL that the tests start themselves."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

pytest.importorskip("django")

from ratingbook.office.acts import setup
from ratingbook.office.home import Home
from ratingbook.office.making import making
from ratingbook.office.store.ledger import Who
from tests.office.officers import Officer, begun
from tests.seldom import SELDOM
from tools.postgresql import drop_database, new_database

TINA = Who("tina", at=datetime(2026, 4, 2, 9, 0, tzinfo=UTC))
OF_THE_DATABASE = {"test_ledger.py"}
"""Where each set of parameters is another statement to the database."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """On PostgreSQL a test is tried with its first parameters; with the others it is seldom.

    SQLite has it with all of them: what they tell apart is in the acts, not in the database.
    """
    seen = set()
    for item in items:
        given = getattr(item, "callspec", None)
        if not given or "postgresql" not in (given.params.get("home"), given.params.get("officer")):
            continue
        name = item.nodeid.partition("[")[0]
        if name in seen and item.path.name not in OF_THE_DATABASE:
            item.add_marker(SELDOM)
        seen.add(name)


def _closed() -> None:
    from django.db import connections

    connections.close_all()


@contextmanager
def _on_postgresql(request: pytest.FixtureRequest, folder: Path, model: str) -> Iterator[None]:
    """An office with a copy of the database of a model, for as long as the test takes."""
    url = request.getfixturevalue("server")
    name = new_database(url, request.getfixturevalue(model))
    with making(folder, url.format(name)):
        pass
    yield
    _closed()
    drop_database(url, name)


@contextmanager
def _on_sqlite(request: pytest.FixtureRequest, folder: Path, model: str) -> Iterator[None]:
    """An office that is a copy of a model."""
    shutil.copytree(request.getfixturevalue(model), folder)
    yield
    _closed()


ON = {"sqlite": _on_sqlite, "postgresql": _on_postgresql}


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
    with ON[request.param](request, folder, f"{request.param}_model"):
        yield setup.open_office(folder)


@pytest.fixture
def tina() -> Who:
    """The first actor."""
    return TINA


@pytest.fixture(scope="session")
def begun_on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An office as ``init`` leaves it, to be copied: to make its tables takes a second."""
    return begun(tmp_path_factory.mktemp("begun") / "office", "")


@pytest.fixture(scope="session")
def begun_on_postgresql(server: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same on PostgreSQL: the name of its database."""
    name = new_database(server)
    begun(tmp_path_factory.mktemp("begun") / "office", server.format(name))
    return name


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def officer(request: pytest.FixtureRequest, tmp_path: Path):
    """Somebody in front of a new office."""
    one = Officer(tmp_path / "office")
    with ON[request.param](request, one.folder, f"begun_on_{request.param}"):
        yield one
