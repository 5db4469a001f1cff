"""Inside the office: what is worked out knows no database, and one package rates."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

OFFICE = Path(__file__).parents[2] / "src" / "ratingbook" / "office"


def imported(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{each.name}" for each in node.names)


@pytest.mark.parametrize(
    "path",
    [
        *sorted([*(OFFICE / "logic").glob("*.py"), *(OFFICE / "engine").glob("*.py")]),
        *(OFFICE / f"{name}.py" for name in ("bundle", "intake")),
    ],
    ids=lambda path: str(path.relative_to(OFFICE)),
)
def test_logic_and_verification_know_neither_django_nor_the_tables(path):
    names = list(imported(path))
    assert not [each for each in names if each.startswith("django")]
    assert not [each for each in names if each.startswith(("ratingbook.office.store",
                                                           "ratingbook.office.acts"))]  # fmt: skip


@pytest.mark.parametrize(
    "path",
    [p for p in sorted(OFFICE.rglob("*.py")) if p.parent.name != "engine"],
    ids=lambda path: str(path.relative_to(OFFICE)),
)
def test_the_engine_has_one_door(path):
    used = [each for each in imported(path) if each.startswith("ratingbook.engine")]
    # How the disk is written to is no rating.
    assert set(used) <= {"ratingbook.engine.store.DISK"}


_OF_THE_SITE = {"auth", "mfa", "sessions", "site"}
"""Applications of Django that only the site has."""


@pytest.mark.parametrize(
    "path", sorted(OFFICE.rglob("*.py")), ids=lambda path: str(path.relative_to(OFFICE))
)
def test_no_table_of_the_site_is_named(path):
    """Neither by an import nor by a word: whoever is above says what is to be kept of its own."""
    words = {
        str(node.value)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    labels = {each.partition(".")[0] for each in words if re.fullmatch(r"\w+(\.[A-Z]\w+)?", each)}
    assert labels & _OF_THE_SITE == set()


def test_to_verify_a_bundle_loads_no_django():
    program = (
        "import sys\nfrom ratingbook.cli import verify\n"
        "print([n for n in sys.modules if n.partition('.')[0] in ('django', 'rapidfuzz')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_the_command_starts_without_django():
    program = (
        "import sys\nfrom ratingbook.cli.app import app\n"
        "print([n for n in sys.modules if n.partition('.')[0] in ('django', 'numpy', 'pyarrow')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
