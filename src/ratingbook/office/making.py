"""A new office: whole, or known as unfinished until it is.

``office.unfinished`` lies in the folder while an office is made there, and is held by the process
that makes it; ``office.json``, by which a folder is an office, comes last.  Where the process was
killed, the next one finds out by this file what is left of it, and takes that away.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import sqlite3
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import connections, transaction

from ratingbook.formats.tools.full import NO_ROOM
from ratingbook.model.sentences import sentence
from ratingbook.office.home import (
    CONFIG,
    SQLITE_FILE,
    UNFINISHED,
    Home,
    check_settings,
    connect,
    migrate,
    write_settings,
)
from ratingbook.office.refused import OfficeRefused, not_written, refuse
from ratingbook.office.store.away import causes
from ratingbook.office.store.models import LedgerHead

_FOLDERS = ("files", "snapshots")
_OWN = (
    *_FOLDERS,
    f"{CONFIG}.new",
    *(SQLITE_FILE + end for end in ("", "-wal", "-shm", "-journal")),
)
"""What there is in the folder of an office that is made; nothing else is taken away."""


@dataclass
class Making:
    """An office that is made."""

    home: Home
    had: list[str]
    """What was there before the first try."""
    begun: str | None
    """The database that a try which was killed had found empty."""
    held: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What it says of itself, beside where its database is."""

    def is_there(self) -> bool:
        """Whether a try that was killed had written all of it; refused if it is another office."""
        if LedgerHead.objects.exists():
            if self.begun is None or self.begun != self.home.database:
                raise holds_office()
            return True
        self.begun = self.home.database
        self.write()
        return False

    def write(self) -> None:
        """Let the next one know what was there, and what is begun."""
        said = json.dumps({"had": self.had, "begun": self.begun}).encode()
        # In this order a kill in between leaves something to be read.
        os.pwrite(self.held, said, 0)
        os.ftruncate(self.held, len(said))
        os.fsync(self.held)


@contextmanager
def making(folder: Path, database: str = "") -> Iterator[Making]:
    """The folder in which an office is made; nothing is left there of one that is refused."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    _refuse_office(folder)
    home = Home(folder, database)
    check_settings(home)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = _hold(folder)
    except OSError as error:
        raise not_written(folder, error) from None
    had: Container[str] = _OWN
    try:
        try:
            made = _taken_up(home, held)
            had = made.had
            for name in _FOLDERS:
                (folder / name).mkdir(exist_ok=True)
            # Who reads the folder can read every birth date in it, and a password of the database.
            folder.chmod(0o700)
            yield made
            write_settings(home, made.settings)
        except BaseException as error:
            connections.close_all()
            _take_away(folder, had)
            (folder / UNFINISHED).unlink(missing_ok=True)
            for each in missing:
                with suppress(OSError):
                    each.rmdir()
            if (full := _full(error)) is not None:
                raise not_written(folder, full) from None
            raise
        (folder / UNFINISHED).unlink(missing_ok=True)
    finally:
        os.close(held)


@contextmanager
def with_tables(home: Home) -> Iterator[None]:
    """The tables, and what is written into them, all at once in a database that outlives a refusal.

    The file of SQLite goes as a whole.
    """
    connect(home)
    with nullcontext() if home.is_sqlite else transaction.atomic():
        migrate()
        yield


def holds_office() -> OfficeRefused:
    """The refusal of a database in which there is an office of somebody."""
    return refuse(
        "office.exists",
        sentence("The database holds an office already."),
        sentence("Name an empty database."),
    )


def _refuse_office(folder: Path) -> None:
    if (folder / CONFIG).exists():
        raise refuse(
            "office.exists", f"There is an office in {folder} already.", "Name another folder."
        )


def _hold(folder: Path) -> int:
    """Hold the folder, unless another process makes an office in it."""
    path = folder / UNFINISHED
    held = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # The other one may have ended just before.
        is_there = path.exists() and os.path.samestat(os.fstat(held), path.stat())
    except BlockingIOError:
        is_there = False
    if not is_there:
        os.close(held)
        raise refuse(
            "office.unfinished",
            f"An office is made in {folder} at this moment.",
            "Wait until the command that makes it has ended.",
        )
    return held


def _taken_up(home: Home, held: int) -> Making:
    """Take away what is left of a try that was killed, if there was one."""
    try:
        said, _ = json.JSONDecoder().raw_decode(os.read(held, 1 << 20).decode())
        made = Making(home, said["had"], said["begun"], held)
    except (ValueError, LookupError, TypeError):
        # It is written before anything is made.
        made = Making(home, [each for each in _OWN if (home.folder / each).exists()], None, held)
        made.write()
        return made
    _take_away(home.folder, made.had)
    return made


def _take_away(folder: Path, had: Container[str]) -> None:
    for name in _OWN:
        path = folder / name
        if name in had:
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _full(error: BaseException) -> OSError | None:
    """That there is no room on the disk, where this is behind it."""
    for each in causes(error):
        if isinstance(each, OSError) and each.errno in NO_ROOM:
            return each
        if getattr(each, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return None
