"""Offices that several tests begin with: built once for each database, and copied for each test."""

from __future__ import annotations

import atexit
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from ratingbook.office.acts.setup import open_office
from ratingbook.office.home import CONFIG, Home
from tests.office.officers import Officer
from tools.postgresql import new_database, server_of

Build = Callable[..., Any]


def prepared(build: Build) -> Any:
    """A fixture that gives what ``build`` gives, in an office as ``build`` leaves it.

    ``build`` is a fixture like any other that asks for an office in the folder of the test. For
    the first test it is called; for those after it the folder is filled with what it left there.
    """

    @pytest.fixture
    @wraps(build)
    def give(**fixtures: Any) -> Any:
        return _kept().given(build, fixtures)

    return give


@dataclass(frozen=True)
class _Copy:
    """All that a test found in its folder, and its database, if that is not a file there."""

    folder: Path
    database: str
    given: Any
    is_of: str | None
    """The fixture that was given on."""


class _Kept:
    """What tests of this process began with."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[object, _Copy] = {}

    def given(self, build: Build, fixtures: Mapping[str, Any]) -> Any:
        """What ``build`` gives, with its office in the folder of the test."""
        office = next(x.folder for x in fixtures.values() if isinstance(x, Home | Officer))
        said = (repr(x) for x in fixtures.values() if not isinstance(x, Home | Officer | Path))
        key = (build, bool(_database(office)), *said)
        if key not in self._made:
            given = build(**fixtures)
            _close()
            self._made[key] = self._copy(office, given, fixtures)
            return given
        _close()
        one = self._made[key]
        _put(one, office)
        open_office(office)
        return one.given if one.is_of is None else fixtures[one.is_of]

    def _copy(self, office: Path, given: Any, fixtures: Mapping[str, Any]) -> _Copy:
        at = shutil.copytree(office.parent, self._folder / str(len(self._made)))
        database = _database(office)
        own = new_database(*server_of(database)) if database else ""
        is_of = next((name for name, each in fixtures.items() if each is given), None)
        return _Copy(at, own, given if is_of is None else None, is_of)


@cache
def _kept() -> _Kept:
    folder = TemporaryDirectory(prefix="ratingbook-kept-")
    atexit.register(folder.cleanup)
    return _Kept(Path(folder.name))


def _put(one: _Copy, office: Path) -> None:
    database = _database(office)
    for each in office.parent.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    shutil.copytree(one.folder, office.parent, dirs_exist_ok=True)
    if database:
        server, name = server_of(database)
        new_database(server, one.database, name)
        config = office / CONFIG
        said = json.loads(config.read_text("utf-8"))
        config.write_text(json.dumps({**said, "database": database}), "utf-8")


def _database(office: Path) -> str:
    said: str = json.loads((office / CONFIG).read_text("utf-8"))["database"]
    return said


def _close() -> None:
    from django.db import connections

    connections.close_all()
