"""Offices that several tests begin with: built once for each database, and copied for each test."""

from __future__ import annotations

import inspect
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ratingbook.office.acts.setup import open_office
from ratingbook.office.home import CONFIG, Home
from tests.office.officers import Officer
from tools.postgresql import new_database, server_of

Build = Callable[..., Any]
OFFICE = "office"
"""The folder of the office, in that of a test."""


def prepared(build: Build) -> Any:
    """A fixture that gives what ``build`` gives, in an office as ``build`` leaves it.

    ``build`` is a fixture like any other that asks for an office in ``tmp_path``. For the first
    test it is called; for those after it the folder is filled with what it left there.
    """
    asked = list(inspect.signature(build).parameters.values())
    own = [each.name for each in asked]
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY)
        for name in ("tmp_path", "offices_kept") if name not in own
    ]  # fmt: skip

    def give(**fixtures: Any) -> Any:
        kept: Kept = fixtures["offices_kept"]
        return kept.given(build, {name: fixtures[name] for name in own}, fixtures["tmp_path"])

    give.__name__, give.__doc__, give.__module__ = build.__name__, build.__doc__, build.__module__
    give.__signature__ = inspect.Signature([*asked, *more])  # type: ignore[attr-defined]
    return pytest.fixture(give)


@dataclass(frozen=True)
class _Copy:
    """All that a test found in its folder, and its database, if that is not a file there."""

    folder: Path
    database: str
    given: Any
    is_of: str | None
    """The fixture that was given on."""


class Kept:
    """What tests of this process began with."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[object, _Copy] = {}

    def given(self, build: Build, fixtures: Mapping[str, Any], folder: Path) -> Any:
        """What ``build`` gives, with its office in the folder."""
        said = (repr(x) for x in fixtures.values() if not isinstance(x, Home | Officer | Path))
        key = (build, bool(_database(folder)), *said)
        if key not in self._made:
            given = build(**fixtures)
            _close()
            self._made[key] = self._copy(folder, given, fixtures)
            return given
        _close()
        one = self._made[key]
        _put(one, folder)
        open_office(folder / OFFICE)
        return one.given if one.is_of is None else fixtures[one.is_of]

    def _copy(self, folder: Path, given: Any, fixtures: Mapping[str, Any]) -> _Copy:
        at = shutil.copytree(folder, self._folder / str(len(self._made)))
        database = _database(folder)
        own = new_database(*server_of(database)) if database else ""
        is_of = next((name for name, each in fixtures.items() if each is given), None)
        return _Copy(at, own, given if is_of is None else None, is_of)


def _put(one: _Copy, folder: Path) -> None:
    database = _database(folder)
    for each in folder.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    shutil.copytree(one.folder, folder, dirs_exist_ok=True)
    if database:
        server, name = server_of(database)
        new_database(server, one.database, name)
        config = folder / OFFICE / CONFIG
        said = json.loads(config.read_text("utf-8"))
        config.write_text(json.dumps({**said, "database": database}), "utf-8")


def _database(folder: Path) -> str:
    said: str = json.loads((folder / OFFICE / CONFIG).read_text("utf-8"))["database"]
    return said


def _close() -> None:
    from django.db import connections

    connections.close_all()
