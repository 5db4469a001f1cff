"""An office on a medium that nobody may write: it is read, and what cannot be is said."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.office.officers import Officer

EXAMPLES = Path(__file__).parents[2] / "examples" / "reports"


@pytest.fixture
def archived(begun_on_sqlite, tmp_path, monkeypatch):
    """An office with a list; root may write everywhere, so the answer of the disk is told."""
    one = Officer(tmp_path / "an archive?")
    shutil.copytree(begun_on_sqlite, one.folder)
    one.does("pool", "add", "standard", "--rulebook", "fide-2009", "--policy", "assume=1500")
    one.does("receive", EXAMPLES / "spring-open.trf")
    one.does("link", 1, "all", "new")
    one.does("run", "--pool", "standard", "--until", "2010-05-01")
    one.does("approve", 1)
    one.does("publish", 1)
    from django.db import connections

    connections.close_all()
    shutil.rmtree(one.folder / "snapshots")
    may = os.access
    monkeypatch.setattr(
        os, "access",
        lambda path, mode, **rest: not (mode & os.W_OK and Path(path).is_relative_to(one.folder))
        and may(path, mode, **rest),
    )  # fmt: skip
    yield one
    connections.close_all()


def test_an_archived_office_is_read(archived):
    before = archived.folder.joinpath("office.sqlite3").read_bytes()
    assert archived.does("lists")["lists"][0]["rows"] > 0
    archived.does("list", "standard@2010-05-01")
    archived.does("explain", 1, "--list", "standard@2010-05-01")
    archived.does("person", "history", 1, "--pool", "standard")
    assert archived.does("replay")["publications"][0]["is_equal"]
    archived.does("doctor")
    assert archived.folder.joinpath("office.sqlite3").read_bytes() == before
    beside = [each.name for each in archived.folder.iterdir() if "-" in each.name]
    assert beside == []


def test_what_needs_writing_says_that_nobody_may(archived):
    for command in (("person", "add", "Zulu, Zoe"), ("hold", 1, "--reason", "why")):
        refused = archived.does(*command, status=1)
        assert [each["code"] for each in refused["findings"]] == ["office.read-only"]
        assert str(archived.folder) in refused["findings"][0]["message"]


def test_a_log_that_was_left_is_told(archived):
    (archived.folder / "office.sqlite3-wal").write_bytes(b"not yet in it")
    refused = archived.does("lists", status=1)
    assert [each["code"] for each in refused["findings"]] == ["office.read-only"]
    assert "office.sqlite3-wal" in refused["findings"][0]["message"]
