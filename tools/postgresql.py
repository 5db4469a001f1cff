"""A temporary PostgreSQL on a unix socket, for tests and measurements of the office."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

_names = itertools.count()


def is_there() -> bool:
    """Whether this machine has a PostgreSQL to start."""
    return shutil.which("initdb") is not None and shutil.which("pg_ctl") is not None


@contextmanager
def temporary_server(*, fsync: bool) -> Iterator[str]:
    """A server of its own; gives the URL of its databases, with ``{}`` for the name.

    ``fsync`` as it must be where anything is measured; tests go without.
    """
    folder = Path(tempfile.mkdtemp(prefix="ratingbook-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    data = folder / "data"
    try:
        _as_server("initdb", "-D", str(data), "-U", "office", "--auth=trust", "-E", "UTF8", "-N")
        options = f"-c listen_addresses='' -c unix_socket_directories={folder}"
        options += "" if fsync else " -c fsync=off -c full_page_writes=off"
        _as_server("pg_ctl", "-D", str(data), "-w", "-o", options, "-l", f"{folder}/log", "start")
        try:
            yield f"postgresql:///{{}}?host={folder}&user=office"
        finally:
            _as_server("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def new_database(url: str, like: str = "template1", name: str = "") -> str:
    """A database on the server like another one; gives its name.

    A database that has the name already goes.
    """
    import psycopg

    name = name or f"office_{os.getpid()}_{next(_names)}"
    drop_database(url, name)
    with psycopg.connect(url.format("postgres"), autocommit=True) as link:
        # Half the time of the other strategy, which spares a server that has much else to write.
        link.execute(f"CREATE DATABASE {name} TEMPLATE {like} STRATEGY FILE_COPY")
    return name


def drop_database(url: str, name: str) -> None:
    """Take a database away, if it is there, whoever is still connected."""
    import psycopg

    with psycopg.connect(url.format("postgres"), autocommit=True) as link:
        link.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def server_of(database: str) -> tuple[str, str]:
    """The URL of all databases of a server, with ``{}`` for the name, and the name of this one."""
    url = urlsplit(database)
    every = url._replace(path="/{}").geturl()
    return every.replace("postgresql:/{}", "postgresql:///{}"), url.path.lstrip("/")


def _as_server(*command: str) -> None:
    """PostgreSQL refuses to run as root; then it runs as the user postgres."""
    if os.geteuid() == 0:
        command = ("setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups",
                   *command)  # fmt: skip
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
