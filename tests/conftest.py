"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Where nobody watches, the same examples are tried every time: a run fails for a change, never
# by chance. On a developer's machine new ones are tried each time, and failures are kept.
settings.register_profile("ci", derandomize=True, database=None)
if os.environ.get("CI"):
    settings.load_profile("ci")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder with the reference files; tests that need it are skipped without it."""
    folder = (ROOT / os.environ.get("RATINGBOOK_REFERENCE", "../shared")).resolve()
    if not (folder / "samples").is_dir():
        pytest.skip(f"no reference files in {folder}; set RATINGBOOK_REFERENCE to their folder")
    return folder
