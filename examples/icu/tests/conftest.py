"""Where the reference files are."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder with the reference files; tests that need it are skipped without it."""
    folder = (ROOT / os.environ.get("RATINGBOOK_REFERENCE", "../shared")).resolve()
    if not (folder / "vectors").is_dir():
        pytest.skip(f"no reference files in {folder}; set RATINGBOOK_REFERENCE to their folder")
    return folder
