"""The packages among the examples hold their own tests, and register what they hold."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ratingbook.rules import registry

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = sorted(path.parent for path in (ROOT / "examples").glob("*/pyproject.toml"))

package = pytest.mark.parametrize("folder", PACKAGES, ids=lambda folder: folder.name)


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command of Python, as if the package were installed."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_there_are_packages():
    assert {"icu", "plain_elo"} <= {folder.name for folder in PACKAGES}


@package
def test_its_own_tests_pass(folder: Path):
    done = run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder / "tests"))
    assert done.returncode == 0, done.stdout + done.stderr


@package
def test_it_registers_its_editions(folder: Path):
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    for name, value in project["entry-points"].get(registry.GROUP, {}).items():
        module, _, edition = value.partition(":")
        done = run(folder, "-c", f"from {module} import {edition} as book; print(book.name)")
        assert done.stdout.strip() == name, done.stderr
