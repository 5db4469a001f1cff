"""Fixtures that every test may use."""

from __future__ import annotations

import builtins
import errno
import gc
import io
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.in_memory import keep_in_memory

keep_in_memory()

# Where nobody watches, the same examples are tried every time: a run fails for a change, never
# by chance. On a developer's machine new ones are tried each time, and failures are kept.
settings.register_profile("ci", derandomize=True, database=None)
if os.environ.get("CI"):
    settings.load_profile("ci")

# The assertions of these helpers tell as much as those of the tests; before anything imports them.
pytest.register_assert_rewrite("tests.formats.helpers", "tests.formats.players_files")

# Commands print as wide as for a file, however wide the terminal of whoever runs the tests is.
os.environ.pop("COLUMNS", None)

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
SLOW = (
    "benchmarks",
    "checks",
    "cli/test_history.py",
    "cli/test_lab_page_in_browser.py",
    "cli/test_report_in_browser.py",
    "cli/test_rulebooks.py",
    "engine/history",
    "engine/spark",
    "examples",
    "lab/test_sweep_on_spark.py",
    "packaging",
    "formats/test_convert.py",
    "formats/test_corpus.py",
    "rules/*/test_bulk.py",
    "rules/*/test_history.py",
    "test_docs.py",
    "test_readme.py",
    "test_speed.py",
    "tools",
)
"""Where tests compile histories, or start Spark or a browser, or go through all that there is."""
SPARK = ("engine/spark", "lab/test_sweep_on_spark.py")
"""Where tests start Spark, which needs Java, which no Python package brings."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the slow tests, which ``make quick`` leaves out, and those that cannot run here."""
    # Asked once for each file: there are ten thousand tests, and each worker collects them all.
    files = {item.path for item in items}
    slow, spark = _within(SLOW, files), _within(SPARK, files)
    if shutil.which("java"):
        spark = set()
    for item in items:
        if item.path in slow:
            item.add_marker("slow")
        if item.path in spark:
            item.add_marker(pytest.mark.skip(reason="there is no Java on this machine"))


def pytest_collection_finish() -> None:
    """Let what was collected be: else it is looked through for garbage all the time."""
    gc.collect()
    gc.freeze()


def _within(patterns: Sequence[str], files: set[Path]) -> set[Path]:
    """The files that are named, or in a folder that is."""
    found = {pattern: set(TESTS.glob(pattern)) for pattern in patterns}
    assert all(found.values()), [pattern for pattern, paths in found.items() if not paths]
    named = set().union(*found.values())
    return {path for path in files if not named.isdisjoint((path, *path.parents))}


@pytest.fixture
def forbid(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Forbids a file, or all in a folder, to whoever runs the tests: root may open everything."""
    forbidden: list[Path] = []

    def guarded(open_: Callable[..., Any]) -> Callable[..., Any]:
        def opened(path: Any, *args: Any, **how: Any) -> Any:
            if isinstance(path, str | os.PathLike) and any(
                Path(path).is_relative_to(each) for each in forbidden
            ):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
            return open_(path, *args, **how)

        return opened

    for module in (builtins, io, os):
        monkeypatch.setattr(module, "open", guarded(module.open))
    return forbidden.append


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder with the reference files; tests that need it are skipped without it."""
    folder = (ROOT / os.environ.get("RATINGBOOK_REFERENCE", "../shared")).resolve()
    if not (folder / "samples").is_dir():
        pytest.skip(f"no reference files in {folder}; set RATINGBOOK_REFERENCE to their folder")
    return folder


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A temporary PostgreSQL on a unix socket; gives the URL of its databases, with {}."""
    from tools.postgresql import is_there, temporary_server

    if not is_there():
        pytest.skip("no PostgreSQL on this machine")
    with temporary_server(fsync=False) as url:
        yield url
