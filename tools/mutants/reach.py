"""Which tests reach which lines, and how long they take.

Each file of tests runs once, looked on, in a process of its own.  Nothing in it may take
long: a test that compiles a history is cut short, and so is a file.  What was cut short, or
did not pass, tries no fault.  Seconds are those of the processor, so that it does not matter
what else the machine has to do.
"""

from __future__ import annotations

import ast
import json
import os
import signal
import sys
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

# What the tests import besides the package, so that not each process has to wait for it.
import coverage
import numpy
import pyarrow
import pytest

from tools.mutants.sites import Mutant

TESTS = ("tests/rules", "tests/desk", "tests/engine", "tests/checks")
"""The tests of rules and engine, and of what is built right on them."""
_NOT_ASKED = (
    "tests/engine/spark/*.py", "tests/rules/*/test_bulk.py", "tests/rules/*/test_history.py",
)  # fmt: skip
"""These start Spark, or compile histories in each of their tests."""

LONGEST = 3.0
"""Seconds: a test that takes longer, looked on, compiles a history or draws many."""
LONGEST_FILE = 12.0
"""Seconds after which the tests of a file that are still to come are given up."""

_LOADED = (numpy, pyarrow)

Lines = dict[str, dict[int, list[str]]]
"""The tests of each line, by path, and an empty one where it also runs outside of tests; line 0
has all tests of the module."""


@dataclass(frozen=True)
class Reach:
    """The tests that run each line, and what they take."""

    lines: Lines
    seconds: dict[str, float]
    """Of each test that tries faults, looked on, which takes up to three times as long."""

    def tests_of(self, mutant: Mutant, root: Path) -> list[str]:
        """The tests of a fault, quickest first.

        What runs on import is noted for the first test that imports it, and works wherever
        its module is used.
        """
        lines = self.lines.get(str(mutant.path), {})
        span = range(mutant.line, mutant.end_line + 1)
        tests = {test for line in span for test in lines.get(line, [])}
        if mutant.on_import or tests == {""}:
            tests = self._of_modules([mutant.path, *_users(mutant.path, root)])
            # What nobody imports by name, as an edition, works in all of its package.
            tests = tests or self._of_modules(
                path.relative_to(root) for path in (root / mutant.path).parent.glob("*.py")
            )
        return sorted(tests - {""}, key=lambda test: self.seconds[test])

    def _of_modules(self, files: Iterable[Path]) -> set[str]:
        return {test for file in files for test in self.lines.get(str(file), {}).get(0, [])}


@cache
def _users(path: Path, root: Path) -> list[Path]:
    """The modules that import from a module."""
    parts = path.relative_to("src").with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    package, name = ".".join(parts[:-1]), parts[-1]
    found = []
    for each in sorted((root / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(each.read_text())):
            if isinstance(node, ast.ImportFrom) and (
                node.module == f"{package}.{name}"
                or (node.module == package and any(each.name == name for each in node.names))
            ):
                found.append(each.relative_to(root))
                break
    return found


def measured(keep: Path) -> Reach:
    """What was seen of all files of tests that were looked on."""
    found = Reach({}, {})
    for path in sorted(keep.glob("*.json")):
        read = json.loads(path.read_text())
        found.seconds.update(read["seconds"])
        for file, by_line in read["lines"].items():
            known = found.lines.setdefault(file, {})
            for line, tests in by_line.items():
                known.setdefault(int(line), []).extend(tests)
    return found


def look_on(root: Path, keep: Path) -> None:
    """Run the tests once, looking on; what was seen of a file is kept, and not looked for again."""
    keep.mkdir(parents=True, exist_ok=True)
    for path in _files(root):
        name = str(path.relative_to(root))
        told = keep / f"{name.replace('/', '.')}.json"
        if told.exists():
            continue
        begun = time.monotonic()
        child = os.fork()
        if child == 0:
            try:
                in_silence()
                _look_on(root, path, told)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        count = len(json.loads(told.read_text())["seconds"]) if told.exists() else 0
        print(f"{name}: {count} tests, {time.monotonic() - begun:.0f} s", flush=True)


def _files(root: Path) -> Iterator[Path]:
    for folder in TESTS:
        for path in sorted((root / folder).rglob("test_*.py")):
            if not any(path.match(pattern) for pattern in _NOT_ASKED):
                yield path


def _look_on(root: Path, path: Path, told: Path) -> None:
    # As when faults are tried: what was compiled before tells nothing of a fault.
    os.environ["RATINGBOOK_CACHE"] = os.devnull
    watch = _Watch(coverage.Coverage(source=[str(root / "src")], data_file=None))
    watch.coverage.start()
    run_tests(root, [path], watch)
    watch.coverage.stop()
    beside = told.with_suffix(".new")
    beside.write_text(json.dumps({"lines": watch.lines(root), "seconds": watch.seconds}))
    beside.rename(told)


def in_silence() -> None:
    """Let this process print nothing any more."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)


def run_tests(root: Path, paths: Sequence[Path], plugin: object, *more: str) -> int:
    """Run tests in this process; gives pytest's exit status."""
    without = [part for name in ("cacheprovider", "xdist") for part in ("-p", f"no:{name}")]
    return int(
        pytest.main(
            [*map(str, paths), "-q", "-m", "not hypothesis", f"--rootdir={root}", *without, *more],
            plugins=[plugin],
        )
    )


class _TooLong(BaseException):
    """A test has taken its time."""


@contextmanager
def _cut_after(seconds: float) -> Iterator[None]:
    def ring(number: int, frame: Any) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class _Watch:
    """A plug-in of pytest that notes what each test reaches."""

    def __init__(self, watched: coverage.Coverage) -> None:
        self.coverage = watched
        self.seconds: dict[str, float] = {}
        self._until = time.process_time() + LONGEST_FILE
        self._passed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self.coverage.switch_context(item.nodeid)
        begun = time.process_time()
        ran = yield
        took = time.process_time() - begun
        self.coverage.switch_context("")
        if item.nodeid in self._passed and took <= LONGEST:
            self.seconds[item.nodeid] = took
        return ran

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self) -> Generator[None, Any, Any]:
        with self._cut():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        with self._cut():
            return (yield)

    def _cut(self) -> AbstractContextManager[None]:
        return _cut_after(min(2 * LONGEST, self._until - time.process_time()))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self._passed.add(report.nodeid)
        elif report.failed:
            self._passed.discard(report.nodeid)

    def lines(self, root: Path) -> Lines:
        """The tests of each line."""
        found: Lines = {}
        data = self.coverage.get_data()
        for file in data.measured_files():
            by_line: dict[int, list[str]] = {}
            for line, tests in data.contexts_by_lineno(file).items():
                if quick := sorted(test for test in tests if not test or test in self.seconds):
                    by_line[line] = quick
            by_line[0] = sorted({test for tests in by_line.values() for test in tests if test})
            found[str(Path(file).relative_to(root))] = by_line
        return found


if __name__ == "__main__":
    # In a process of its own: whoever tries faults must not have imported the package.
    look_on(Path(sys.argv[1]), Path(sys.argv[2]))
