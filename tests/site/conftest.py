"""The site over an office as it is when new."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("django")

from django.conf import settings
from django.test import Client
from django.utils import translation

from ratingbook.office.acts import setup
from ratingbook.office.home import Home
from ratingbook.office.store.ledger import Who
from ratingbook.site.opening import open_site
from tests.seldom import SELDOM
from tools.postgresql import new_database


@pytest.fixture(autouse=True)
def _speaks_as_it_did() -> Iterator[None]:
    """The language of the last reader goes with the test: requests that follow would change it."""
    yield
    if settings.configured:
        translation.deactivate()


def fresh(server: str) -> str:
    """The URL of an empty database of a server; nothing for SQLite."""
    return server and server.format(new_database(server))


@pytest.fixture(scope="session", params=["sqlite", pytest.param("postgresql", marks=SELDOM)])
def database(request: pytest.FixtureRequest) -> str:
    """Where an office has its tables: nothing for SQLite, else the URL of an empty database."""
    return "" if request.param == "sqlite" else str(request.getfixturevalue("server"))


@pytest.fixture(scope="session")
def empty(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """An office without pools."""
    folder = tmp_path_factory.mktemp("site") / "office"
    yield setup.init(folder, Who("tina"), fresh(database))
    from django.db import connections

    connections.close_all()


@pytest.fixture
def browser(empty: Home) -> Client:
    """Somebody who has not signed in."""
    open_site(empty.folder)
    return Client(headers={"host": "localhost"})


@pytest.fixture(scope="session")
def office_with_lists(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A small office with published lists, a correction and revisions; nobody writes into it."""
    from tests.site import published

    yield published.make(
        tmp_path_factory.mktemp("published") / "office",
        tmp_path_factory.mktemp("reports"),
        fresh(database),
    )
    from django.db import connections

    connections.close_all()


@pytest.fixture
def public(office_with_lists: Home) -> Client:
    """Somebody who looks at the lists of that office."""
    open_site(office_with_lists.folder)
    return Client(headers={"host": "localhost"})


@pytest.fixture
def site() -> Path:
    """Where the site's templates and static files lie."""
    import ratingbook.site

    return Path(ratingbook.site.__file__).parent


@pytest.fixture(scope="session")
def world(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """The office of :mod:`tests.site.world`; whoever writes copies it."""
    from tests.site.world import build

    folder, work = tmp_path_factory.mktemp("world") / "office", tmp_path_factory.mktemp("work")
    yield build(folder, work, fresh(database))
    from django.db import connections

    connections.close_all()


@pytest.fixture(scope="session")
def staffed(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A small office with accounts, a pool, a published list, and reports in several states."""
    from tests.site.offices import staffed_office

    yield staffed_office(tmp_path_factory.mktemp("staffed") / "office", fresh(database))
    from django.db import connections

    connections.close_all()


@pytest.fixture(scope="session")
def busy(staffed: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A copy of it in which several of everything wait; nobody writes into it."""
    from django.db import connections

    from tests.site.offices import busy_office, copied

    folder = tmp_path_factory.mktemp("busy") / "office"
    copied(staffed, folder)
    home = open_site(folder)
    busy_office(home)
    yield home
    connections.close_all()


@pytest.fixture
def reader(world: Home) -> Client:
    """Somebody who reads what is published."""
    open_site(world.folder)
    return Client(headers={"host": "localhost"})


@pytest.fixture
def office(staffed: Home, tmp_path: Path) -> Iterator[Home]:
    """A copy of it, to be written into."""
    from django.db import connections

    from tests.site.offices import copied

    copied(staffed, tmp_path / "office")
    yield open_site(tmp_path / "office")
    connections.close_all()
