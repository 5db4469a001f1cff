"""The site over an office as it is when new."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("django")

from django.test import Client

from ratingbook.office.acts import setup
from ratingbook.office.home import Home
from ratingbook.office.store.ledger import Who


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """An office without pools."""
    yield setup.init(tmp_path_factory.mktemp("site") / "office", Who("tina"))
    from django.db import connections

    connections.close_all()


@pytest.fixture
def browser(empty: Home) -> Client:
    """Somebody who has not signed in."""
    setup.open_office(empty.folder)
    return Client(headers={"host": "localhost"})


@pytest.fixture(scope="session")
def office_with_lists(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A small office with published lists, a correction and revisions; nobody writes into it."""
    from tests.site import published

    yield published.make(
        tmp_path_factory.mktemp("published") / "office", tmp_path_factory.mktemp("reports")
    )
    from django.db import connections

    connections.close_all()


@pytest.fixture
def public(office_with_lists: Home) -> Client:
    """Somebody who looks at the lists of that office."""
    setup.open_office(office_with_lists.folder)
    return Client(headers={"host": "localhost"})


@pytest.fixture
def site() -> Path:
    """Where the site's templates and static files lie."""
    import ratingbook.site

    return Path(ratingbook.site.__file__).parent


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """The office of :mod:`tests.site.world`; whoever writes copies it."""
    from tests.site.world import build

    yield build(tmp_path_factory.mktemp("world") / "office", tmp_path_factory.mktemp("work"))
    from django.db import connections

    connections.close_all()


@pytest.fixture(scope="session")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A small office with accounts, a pool, a published list, and reports in several states."""
    from tests.site.offices import staffed_office

    yield staffed_office(tmp_path_factory.mktemp("staffed") / "office")
    from django.db import connections

    connections.close_all()


@pytest.fixture(scope="session")
def busy(staffed: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A copy of it in which several of everything wait; nobody writes into it."""
    import shutil

    from django.db import connections

    from ratingbook.site.opening import open_site
    from tests.site.offices import busy_office

    connections.close_all()
    folder = tmp_path_factory.mktemp("busy") / "office"
    shutil.copytree(staffed.folder, folder)
    home = open_site(folder)
    busy_office(home)
    yield home
    connections.close_all()


@pytest.fixture
def reader(world: Home) -> Client:
    """Somebody who reads what is published."""
    setup.open_office(world.folder)
    return Client(headers={"host": "localhost"})


@pytest.fixture
def office(staffed: Home, tmp_path: Path) -> Iterator[Home]:
    """A copy of it, to be written into."""
    import shutil

    from django.db import connections

    from ratingbook.site.opening import open_site

    connections.close_all()
    shutil.copytree(staffed.folder, tmp_path / "office")
    yield open_site(tmp_path / "office")
    connections.close_all()
