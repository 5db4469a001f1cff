"""Which tests reach which lines, and how long they take.

Each file of tests runs once, looked on, in a copy of the process that has found all tests.
Nothing in it may take long: a test that draws many examples or starts something is cut short,
and so is a file.  What was cut short, or did not pass, tries no fault.  Seconds are those of
the processor, so that it does not matter what else the machine has to do; a test that waits, as
for a program that it has started, is cut short by the clock.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

# What the tests import besides the package, so that not each process has to wait for it.
import coverage
import numba
import pyarrow
import pytest

from tools.mutants.sites import Mutant

PACKAGES = ("src/ratingbook/rules", "src/ratingbook/engine")
"""Where faults are put in."""
TESTS = (
    "tests/rules", "tests/engine", "tests/checks", "tests/desk",
    "tests/tools/test_differential.py",
)  # fmt: skip
"""The tests of rules and engine, and of what is built right on them."""
_ELSEWHERE = ("tests/formats", "tests/cli", "tests/docs")
"""Of these only the files that call rules or engine by name."""
_BY_NAME = re.compile(r"^ *from ratingbook\.(rules|engine)\b", re.MULTILINE)
COMPILED = "tests/engine/history/test_engines.py::test_compiled_for_the_numbers_of_the_edition[elo]"
"""The one test whose compiled loops are compiled: for faults in the compiling itself."""
_NOT_ASKED = "tests/engine/spark/*.py"
"""These start Spark."""

LONGEST = 5.0
"""Seconds: a test that takes longer, looked on, tries no fault."""
_LONGEST_COMPILED = 30.0
LONGEST_FILE = 60.0
"""Seconds after which the tests of a file that are still to come are given up."""
_BY_CLOCK = 4
"""So many times as long something may take by the clock."""

_LOADED = (numba, pyarrow)

Lines = dict[str, dict[int, list[str]]]
"""The tests of each line, by path; line 0 has all tests of the module."""


@dataclass(frozen=True)
class Reach:
    """The tests that run each line, and what they take."""

    lines: Lines
    seconds: dict[str, float]
    """Of each test that tries faults, looked on, which takes up to three times as long."""

    def tests_of(self, mutant: Mutant, root: Path) -> tuple[list[str], bool]:
        """The tests of a fault, and whether they were seen to run its line.

        First the quickest of each file: many tests of one file see much the same.  What ran
        before any test works wherever its module is used.
        """
        lines = self.lines.get(str(mutant.path), {})
        span = range(mutant.line, mutant.end_line + 1)
        tests = {test for line in span for test in lines.get(line, [])}
        is_seen = bool(tests) and not mutant.on_import
        if not is_seen:
            tests = self._of_modules([mutant.path, *_users(mutant.path, root)])
            # What nobody imports by name, as an edition, works in all of its package.
            tests = tests or self._of_modules(
                path.relative_to(root) for path in (root / mutant.path).parent.glob("*.py")
            )
        return self._in_turns(tests), is_seen

    def _in_turns(self, tests: Iterable[str]) -> list[str]:
        """Tests by what those of their file take up to and with them, quickest first."""
        taken: dict[str, float] = {}
        until = {}
        for test in sorted(tests, key=lambda test: (self.seconds[test], test)):
            file = test.partition("::")[0]
            until[test] = taken[file] = taken.get(file, 0.0) + self.seconds[test]
        return sorted(until, key=until.__getitem__)

    def _of_modules(self, files: Iterable[Path]) -> set[str]:
        return {test for file in files for test in self.lines.get(str(file), {}).get(0, [])}


def _users(path: Path, root: Path) -> list[Path]:
    """The modules that import from a module."""
    parts = path.relative_to("src").with_suffix("").parts
    return _all_users(root).get(".".join(parts[:-1] if parts[-1] == "__init__" else parts), [])


@cache
def _all_users(root: Path) -> dict[str, list[Path]]:
    """The modules that import a name, which may be that of a module."""
    found: dict[str, list[Path]] = {}
    for each in sorted((root / "src").rglob("*.py")):
        names = set()
        for node in ast.walk(ast.parse(each.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                names |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        for name in names:
            found.setdefault(name, []).append(each.relative_to(root))
    return found


def measured(kept: Iterable[Path]) -> Reach:
    """What was seen of the files of tests that were looked on."""
    found = Reach({}, {})
    # A name stands at a thousand lines.
    names: dict[str, str] = {}
    for path in kept:
        read = json.loads(path.read_text())
        found.seconds.update(read["seconds"])
        for file, by_line in read["lines"].items():
            known = found.lines.setdefault(file, {})
            for line, tests in by_line.items():
                known.setdefault(int(line), []).extend(
                    names.setdefault(test, test) for test in tests
                )
    return found


def files_of_tests(root: Path) -> list[Path]:
    """The files of tests that are asked."""
    within = [path for each in TESTS for path in ((root / each), *(root / each).rglob("*"))]
    within += [
        path
        for each in _ELSEWHERE
        for path in (root / each).rglob("*.py")
        if _BY_NAME.search(path.read_text())
    ]
    return sorted(path for path in within if path.match("test_*.py") and not path.match(_NOT_ASKED))


def kept_at(keep: Path, path: Path, root: Path) -> Path:
    """Where it is kept what was seen of a file of tests, as it stands."""
    name = str(path.relative_to(root)).replace("/", ".")
    return keep / f"{name}.{_hash_of(path)}.json"


def is_as_seen(kept: Path, root: Path) -> bool:
    """Whether the modules stand as they stood when the tests were looked on: lines move."""
    modules = json.loads(kept.read_text()).get("modules") if kept.exists() else None
    return modules is not None and all(
        (root / path).exists() and _hash_of(root / path) == then for path, then in modules.items()
    )


@cache
def _hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


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
            [
                *map(str, paths),
                "-q",
                "-m",
                "not exhaustive",
                "-o",
                "addopts=--import-mode=importlib",
                f"--rootdir={root}",
                *without,
                *more,
            ],
            [plugin],
        )
    )


def longest(test: str) -> float:
    """Seconds that a test may take, looked on."""
    return _LONGEST_COMPILED if test == COMPILED else LONGEST


class _TooLong(BaseException):
    """A test has taken its time."""


@contextmanager
def _cut_after(seconds: float) -> Iterator[None]:
    def ring(number: int, frame: Any) -> None:
        raise _TooLong

    clocks = (
        (signal.SIGPROF, signal.ITIMER_PROF, seconds),
        (signal.SIGALRM, signal.ITIMER_REAL, _BY_CLOCK * seconds),
    )
    before = [signal.signal(number, ring) for number, _, _ in clocks]
    for _, clock, most in clocks:
        signal.setitimer(clock, max(most, 0.001))
    try:
        yield
    finally:
        for (number, clock, _), handler in zip(clocks, before, strict=True):
            signal.setitimer(clock, 0)
            signal.signal(number, handler)


class Watch:
    """A plug-in of pytest that notes what each test reaches."""

    def __init__(self, root: Path) -> None:
        self.coverage = coverage.Coverage(
            source=[str(root / package) for package in PACKAGES], data_file=None
        )
        self.seconds: dict[str, float] = {}
        self._root = root
        self._until = time.process_time() + LONGEST_FILE
        self._until_by_clock = time.monotonic() + _BY_CLOCK * LONGEST_FILE
        self._passed: set[str] = set()

    def look_on(self, run: Callable[[], object], told: Path) -> None:
        """Run the tests of a file, and keep what was seen."""
        self.coverage.start()
        run()
        self.coverage.stop()
        beside = told.with_suffix(".new")
        lines = self._lines()
        modules = {path: _hash_of(self._root / path) for path in lines}
        seen = {"lines": lines, "seconds": self.seconds, "modules": modules}
        beside.write_text(json.dumps(seen))
        beside.rename(told)

    @property
    def has_time(self) -> bool:
        """Whether another test may begin."""
        return time.process_time() < self._until and time.monotonic() < self._until_by_clock

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Note what the test reaches, and the seconds that it takes."""
        self.coverage.switch_context(item.nodeid)
        begun = time.process_time()
        ran = yield
        took = time.process_time() - begun
        self.coverage.switch_context("")
        if item.nodeid in self._passed and took <= longest(item.nodeid):
            self.seconds[item.nodeid] = took
        return ran

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self) -> Generator[None, Any, Any]:
        """Cut short what takes long."""
        with _cut_after(2 * LONGEST):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Cut short what takes long."""
        with _cut_after(longest(item.nodeid)):
            return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note whether the test passed in all its phases."""
        if report.when == "call" and report.passed:
            self._passed.add(report.nodeid)
        elif report.failed:
            self._passed.discard(report.nodeid)

    def _lines(self) -> Lines:
        found: Lines = {}
        data = self.coverage.get_data()
        for file in data.measured_files():
            by_line: dict[int, list[str]] = {}
            for line, tests in data.contexts_by_lineno(file).items():
                if quick := sorted(test for test in tests if test in self.seconds):
                    by_line[line] = quick
            by_line[0] = sorted({test for tests in by_line.values() for test in tests})
            found[str(Path(file).relative_to(self._root))] = by_line
        return found
