"""Where tests keep their files."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests import in_memory
from tests.in_memory import keep_in_memory


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch):
    """Nothing is said, and what is said goes with the test."""
    monkeypatch.setenv("TMPDIR", "")
    monkeypatch.delenv("TMPDIR")
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(in_memory, "ENOUGH", 1)


def test_files_are_made_in_memory_and_go_at_the_end(tmp_path):
    said = (
        "import sys, tempfile; from pathlib import Path; from tests import in_memory\n"
        "in_memory.ENOUGH = 1; in_memory.keep_in_memory(Path(sys.argv[1]))\n"
        "made = tempfile.mkdtemp(); assert Path(made).exists(); print(made)"
    )
    root = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", said, str(tmp_path)],
        check=True, capture_output=True, encoding="utf-8", cwd=root, env=dict(os.environ),
    )  # fmt: skip
    made = Path(done.stdout.strip())
    assert made.is_relative_to(tmp_path)
    assert not made.parent.exists()


def test_what_a_killed_run_has_left_goes_and_what_another_one_needs_stays(tmp_path):
    gone, needed = tmp_path / "ratingbook-tests-4194305", tmp_path / "ratingbook-tests-1"
    gone.mkdir()
    needed.mkdir()
    assert keep_in_memory(tmp_path)
    assert not gone.exists()
    assert needed.exists()


def test_who_says_where_is_heard(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "own"))
    assert keep_in_memory(tmp_path) is None
    assert not list(tmp_path.iterdir())


def test_without_room_they_are_made_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(in_memory, "ENOUGH", 1 << 60)
    assert keep_in_memory(tmp_path) is None
    assert keep_in_memory(tmp_path / "no") is None
    assert "TMPDIR" not in os.environ
