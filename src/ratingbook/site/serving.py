"""The site as a WSGI application over one office, and a server for it with a worker beside."""

from __future__ import annotations

import multiprocessing
import os
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

from django.core.handlers.wsgi import WSGIHandler

from ratingbook.office.acts.setup import open_office
from ratingbook.office.home import VARIABLES, Home, folder_of
from ratingbook.office.refused import refuse
from ratingbook.site.connections import keep_connections
from ratingbook.site.opening import HOSTS, open_site, secret_of
from ratingbook.site.peers import leave_nothing, sharing
from ratingbook.site.ready import make_ready
from ratingbook.site.rendered import STARTED
from ratingbook.site.turns import InTurns

_APPLICATION = "ratingbook.site.serving:application"
_PROCESSES = min(2, os.cpu_count() or 1)
"""Each holds the games in memory, once somebody wants an explanation."""
_THREADS = 4
"""Requests at a time in each, should one take long; the others take turns."""
_LAST_SECONDS = 10
"""For what is still asked when the server is ended.  Its process was seen to miss the signal (once
in hundreds of ends), and without a bound it is waited for for ever."""
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Addresses that are all of this machine's, and one of them."""
_AGAIN_SECONDS = 0.1


def application() -> Callable[..., Any]:
    """For a server of one's own choice; ``RATINGBOOK_OFFICE`` names the folder of the office."""
    home = open_site(folder_of(None))
    keep_connections(home)
    made = WSGIHandler()
    make_ready(made)
    return sharing(InTurns(made), home.folder)


def serve(
    home: Home, host: str, port: int, tell: Callable[[str], None], *, with_worker: bool
) -> None:
    """Serve the site, and do the jobs that wait, until somebody ends it."""
    from granian.constants import Interfaces
    from granian.server import Server

    _refuse_taken(host, port)
    secret_of(home.folder)
    os.environ[VARIABLES[0]] = str(home.folder.absolute())
    os.environ[STARTED] = secrets.token_hex(8)
    if host not in _EVERYWHERE:
        os.environ[HOSTS] = ",".join(filter(None, (os.environ.get(HOSTS), host)))
    # A process that is forked would share the threads and files of this one.
    multiprocessing.set_start_method("spawn", force=True)
    server = Server(
        _APPLICATION, host, port, interface=Interfaces.WSGI, factory=True, workers=_PROCESSES,
        blocking_threads=_THREADS, log_enabled=False, workers_kill_timeout=_LAST_SECONDS,
    )  # fmt: skip
    shown = f"[{host}]" if ":" in host else host
    with _worker(home) if with_worker else nullcontext():
        tell(f"Opening the office {home.folder} …")
        if not _has_accounts():
            tell("Nobody can sign in yet: ratingbook office user add NAME --actor ACTOR")
        address = f"The office is at http://{shown}:{port}/ – Ctrl-C ends it."
        ended = Event()
        Thread(target=_when_open, args=(host, port, ended, lambda: tell(address))).start()
        try:
            server.serve()
        finally:
            ended.set()
            leave_nothing(home.folder)


def _when_open(host: str, port: int, ended: Event, tell: Callable[[], None]) -> None:
    """Tell it once somebody can connect: scripts begin to ask when they read the address."""
    here = _EVERYWHERE.get(host, host)
    while not ended.wait(_AGAIN_SECONDS):
        with suppress(OSError), socket.create_connection((here, port), timeout=1):
            tell()
            return


def _has_accounts() -> bool:
    from django.contrib.auth import get_user_model
    from django.db import connections

    found = get_user_model()._default_manager.filter(is_active=True).exists()
    # What serves connects by itself.
    connections.close_all()
    return found


def _refuse_taken(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind((host, port))
    except OSError as error:
        raise refuse(
            "office.port", f"Nothing can be served at {host}:{port}: {error.strerror or error}.",
            "Name another --port, or end what is served there; another --host, if it is not one "
            "of this machine.",
        ) from None  # fmt: skip


@contextmanager
def _worker(home: Home) -> Iterator[None]:
    """A process that does what waits; at the end its job comes to its end first."""
    beside = multiprocessing.Process(target=_work, args=(home.folder,))
    beside.start()
    try:
        yield
    finally:
        beside.terminate()
        beside.join()


def _work(folder: Path) -> None:
    from ratingbook.office.acts.jobs import work

    open_office(folder)
    work()
