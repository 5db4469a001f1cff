"""Tries faults: the tests that reach one run with it, quickest first.

One process has imported everything and found all tests; a copy of it gets a fault put into its
functions, and runs the tests.  What stands in no function, and what went unnoticed so, is tried
in a process that imports the package with the fault in it.
"""

from __future__ import annotations

import ast
import importlib.machinery
import os
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from tools.mutants.outcomes import Outcome
from tools.mutants.process import Found, Tests, Told, file_of, in_a_process, in_its_time, in_order
from tools.mutants.reach import Reach, in_silence, run_tests
from tools.mutants.ready import Quicker, Ready
from tools.mutants.sites import Mutant, mutated

FEW = 4.0
MOST = 40.0
"""Seconds of tests for one fault, at first and once more if it went unnoticed; where more reach
it, the quickest."""
FILES = 3
"""So many are tried by themselves first where all is imported anew: to collect the others takes
longer than most faults live."""
_QUICKEST = 500


class Trials:
    """Tries faults with the tests that reach them."""

    def __init__(self, root: Path, reach: Reach, ready: Ready) -> None:
        self._root = root
        self._reach = reach
        self._ready = ready
        self._fit: dict[str, bool] = {}

    def are_sound(self) -> bool:
        """Whether the quickest tests pass where nothing is at fault."""
        seconds = self._reach.seconds
        quickest = sorted(seconds, key=seconds.__getitem__)[:_QUICKEST]
        return bool(quickest) and (
            self._ready.run(None, {test: seconds[test] for test in quickest}).verdict == "survived"
        )

    def outcome_of(self, mutant: Mutant, *, thorough: bool) -> Outcome:
        """Run the tests with the fault in place; they stop at the first that notices."""
        begun = time.monotonic()
        reaching, is_seen = self._reach.tests_of(mutant, self._root)
        verdict, ran = "survived" if reaching else "not reached", 0
        tests = _within(MOST if thorough else FEW, reaching, self._reach)
        if is_seen:
            verdict, ran = self._tried(lambda some: self._ready.run(mutant, some), tests)
        if verdict == "survived" and (thorough or not is_seen):
            portions = _portions(tests)
            # What was tried already needs no more than a look at what is remembered.
            for some in islice(portions, 1) if is_seen else portions:
                verdict, count = self._tried(lambda some: _anew(mutant, self._root, some), some)
                ran = max(ran, count)
                if verdict != "survived":
                    break
        seconds = time.monotonic() - begun
        return Outcome(mutant, verdict, ran, len(reaching), seconds, thorough)

    def _tried(self, run: Callable[[Tests], Found], tests: Tests) -> tuple[str, int]:
        while tests:
            found = run(tests)
            if found.verdict == "survived" or not found.last or self._is_fit(found.last):
                return found.verdict, len(tests)
            tests = {test: tests[test] for test in tests if test != found.last}
        return "survived", 0

    def _is_fit(self, test: str) -> bool:
        """Whether a test passes without a fault, by itself, and so can notice one."""
        if test not in self._fit:
            alone = {test: self._reach.seconds[test]}
            self._fit[test] = self._ready.run(None, alone).verdict == "survived"
            if not self._fit[test]:
                print(f"does not pass by itself: {test}", flush=True)
        return self._fit[test]


def _within(most: float, tests: Iterable[str], reach: Reach) -> Tests:
    """The quickest tests that take no longer together."""
    quickest: Tests = {}
    total = 0.0
    for test in tests:
        if total + reach.seconds[test] <= most or not quickest:
            quickest[test] = reach.seconds[test]
            total += reach.seconds[test]
    return quickest


def _portions(tests: Tests) -> Iterator[Tests]:
    """First the quick tests of few files, then the others."""
    by_file: dict[str, Tests] = {}
    for test, seconds in tests.items():
        by_file.setdefault(file_of(test), {})[test] = seconds
    first: Tests = {}
    for some in sorted(by_file.values(), key=len, reverse=True)[:FILES]:
        for test, seconds in some.items():
            if not first or sum(first.values()) + seconds <= FEW:
                first[test] = seconds
    if first:
        yield first
    if others := {test: seconds for test, seconds in tests.items() if test not in first}:
        yield others


# In a process that imports everything anew


def _anew(mutant: Mutant, root: Path, tests: Tests) -> Found:
    def run(told: Told) -> int:
        in_silence()
        put_in(root / mutant.path, mutated(mutant, root))
        os.environ["RATINGBOOK_CACHE"] = os.devnull
        files = [root / file for file in dict.fromkeys(map(file_of, tests))]
        return run_tests(root, files, _Chosen(tests, told), "-x")

    return in_a_process(run)


class _Chosen(Quicker):
    """A plug-in of pytest that runs the chosen tests, each in its time."""

    def __init__(self, tests: Tests, told: Told) -> None:
        self._tests = tests
        self._told = told

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = in_order(items, self._tests)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        with in_its_time(item.nodeid, self._tests, self._told):
            return (yield)


def put_in(path: Path, tree: ast.Module) -> None:
    """Let Python import this in place of what the file holds."""
    loader = importlib.machinery.SourceFileLoader
    usual = loader.get_code
    exchanged: CodeType = compile(tree, str(path), "exec", dont_inherit=True)

    def get_code(self: importlib.machinery.SourceFileLoader, fullname: str) -> CodeType | None:
        is_it = Path(self.get_filename(fullname)).resolve() == path.resolve()
        return exchanged if is_it else usual(self, fullname)

    setattr(loader, "get_code", get_code)  # noqa: B010  (mypy knows the method as final)
    assert not any(name.split(".")[0] == "ratingbook" for name in sys.modules), "too late"
