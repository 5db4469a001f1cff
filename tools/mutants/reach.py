"""Which tests reach which lines, and how long they take."""

from __future__ import annotations

import json
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import coverage
import pytest

_NOT_ASKED = (
    "tests/engine/spark",
    "tests/benchmarks",
    "tests/examples",
    "tests/cli",
    "tests/tools",
)
"""Tests that start Spark, other processes, or a browser."""

LONGEST = 3.0
"""Seconds: a test that takes longer compiles a history, which each fault would do anew."""


@dataclass(frozen=True)
class Reach:
    """The tests that run each line, and what they take."""

    lines: dict[str, dict[int, list[str]]]
    """By path and line; line 0 has all tests of the module."""
    seconds: dict[str, float]

    def tests_of(self, path: Path, first: int, last: int) -> list[str]:
        """The tests of some lines, quickest first."""
        lines = self.lines.get(str(path), {})
        tests = {test for line in range(first, last + 1) for test in lines.get(line, [])}
        # What runs on import is reached by whatever reaches the module.
        return sorted(tests or lines.get(0, []), key=lambda test: self.seconds.get(test, 0.0))


def measured(root: Path, keep: Path) -> Reach:
    """Run the tests once, looking on; what was seen is kept in a file, and read from it later."""
    if keep.exists():
        read = json.loads(keep.read_text())
        lines = {
            path: {int(line): tests for line, tests in by_line.items()}
            for path, by_line in read["lines"].items()
        }
        return Reach(lines, read["seconds"])
    watch = _Watch(coverage.Coverage(source=[str(root / "src")], data_file=None))
    watch.coverage.start()
    ignored = [f"--ignore={root / path}" for path in _NOT_ASKED]
    pytest.main(
        [str(root / "tests"), "-q", "-m", "not hypothesis", "-p", "no:cacheprovider", *ignored],
        plugins=[watch],
    )
    watch.coverage.stop()
    reach = Reach(watch.lines(root), watch.seconds)
    keep.parent.mkdir(parents=True, exist_ok=True)
    keep.write_text(json.dumps({"lines": reach.lines, "seconds": reach.seconds}))
    return reach


class _Watch:
    """A plug-in of pytest that notes what each test reaches."""

    def __init__(self, watched: coverage.Coverage) -> None:
        self.coverage = watched
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, None, None]:
        self.coverage.switch_context(item.nodeid)
        begun = time.monotonic()
        yield
        self.seconds[item.nodeid] = time.monotonic() - begun
        self.coverage.switch_context("")

    def lines(self, root: Path) -> dict[str, dict[int, list[str]]]:
        data = self.coverage.get_data()
        found: dict[str, dict[int, list[str]]] = {}
        for file in data.measured_files():
            by_line: dict[int, list[str]] = {}
            for line, tests in data.contexts_by_lineno(file).items():
                by_line[line] = [
                    test for test in tests if test and self.seconds.get(test, 0.0) <= LONGEST
                ]
            by_line[0] = sorted({test for tests in by_line.values() for test in tests})
            found[str(Path(file).relative_to(root))] = by_line
        return found
