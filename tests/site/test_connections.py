"""Connections that outlast a request, and do not outlast the database that they lead to."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.db import connection, connections

from ratingbook.office.acts import setup
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.site.connections import keep_connections
from ratingbook.site.opening import open_site


@pytest.fixture
def kept(empty) -> Iterator[WSGIHandler]:
    """The site of an office as its own processes serve it."""
    keep_connections(open_site(empty.folder))
    yield WSGIHandler()
    connections.close_all()
    setup.open_office(empty.folder)


def page(application: Callable[..., Any], path: str) -> str:
    environ: dict[str, Any] = {"PATH_INFO": path, "HTTP_HOST": "localhost"}
    setup_testing_defaults(environ)
    with closing(application(environ, lambda *_: None)) as answer:
        return b"".join(answer).decode()


def test_the_next_request_goes_on_with_the_connection(kept):
    page(kept, "/")
    first = connection.connection
    page(kept, "/rules/")
    assert first is not None
    assert connection.connection is first


def test_a_database_that_takes_the_place_of_another_is_read(tmp_path):
    one, other = (tmp_path / name / "office" for name in ("one", "other"))
    for folder, pool in ((one, "summer"), (other, "winter")):
        setup.init(folder, Who("tina"))
        setup.add_pool(pool, "fide-2024", Who("tina"))
        connections.close_all()
    try:
        keep_connections(open_site(one))
        application = WSGIHandler()
        page(application, "/")
        assert m.Pool.objects.get().name == "summer"
        shutil.move(one / "office.sqlite3", tmp_path / "before")
        shutil.copy(other / "office.sqlite3", one / "office.sqlite3")
        page(application, "/")
        assert m.Pool.objects.get().name == "winter"
    finally:
        connections.close_all()


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_connection_that_the_server_ended_is_made_anew(kept):
    page(kept, "/")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (mine,) = cursor.fetchone()
    other = connections.create_connection("default")
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [mine])
    other.close()
    assert "<h1" in page(kept, "/")
