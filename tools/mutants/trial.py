"""Tries one fault: a process of its own runs the tests that reach it, quickest first."""

from __future__ import annotations

import ast
import importlib.machinery
import os
import signal
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from tools.mutants.reach import Reach, in_silence, run_tests
from tools.mutants.sites import Mutant, mutated

PATIENCE = 10.0
"""A test may take so many times what it takes without the fault, and as many seconds more."""
FEW = 3.0
"""Seconds: the quickest tests that take so long together are tried by themselves first, as to
collect the others takes longer than most faults live."""
MOST = 90.0
"""Seconds of tests for one fault; where more reach it, the quickest."""
_COLLECTING = 60.0
"""Seconds to find the tests, or to clean up after one."""
_QUICKEST = 500
_WAITING = 900
"""Seconds by the clock, for a test that only waits."""


@dataclass(frozen=True)
class Outcome:
    """What became of a fault."""

    mutant: Mutant
    verdict: str
    """``killed``, ``survived``, ``out of time``, or ``not reached``."""
    tests: int
    """Tests that reach it and were run."""
    reaching: int
    """All that reach it."""
    seconds: float


def tried(mutant: Mutant, root: Path, reach: Reach) -> Outcome:
    """Run the tests with the fault in place; they stop at the first that notices."""
    begun = time.monotonic()
    tests = reach.tests_of(mutant, root)
    verdict, ran = "survived" if tests else "not reached", 0
    for some in _portions(tests, reach):
        ran += len(some)
        verdict = _tried(mutant, root, some)
        if verdict != "survived":
            break
    return Outcome(mutant, verdict, ran, len(tests), time.monotonic() - begun)


def is_sound(root: Path, reach: Reach) -> bool:
    """Whether the quickest tests pass where nothing is at fault."""
    quickest = sorted(reach.seconds, key=lambda test: reach.seconds[test])[:_QUICKEST]
    return bool(quickest) and _tried(None, root, dict.fromkeys(quickest, 0.0)) == "survived"


def _portions(tests: Sequence[str], reach: Reach) -> Iterator[dict[str, float]]:
    """First the tests of few files, then the others; each with its seconds."""
    quickest: dict[str, float] = {}
    for test in tests:
        if sum(quickest.values()) + reach.seconds[test] <= MOST:
            quickest[test] = reach.seconds[test]
    by_file: dict[str, dict[str, float]] = {}
    for test, seconds in quickest.items():
        by_file.setdefault(_file(test), {})[test] = seconds
    first: dict[str, float] = {}
    for some in sorted(by_file.values(), key=lambda some: sum(some.values())):
        if not first or sum(first.values()) + sum(some.values()) <= FEW:
            first |= some
    if first:
        yield first
    if others := {test: seconds for test, seconds in quickest.items() if test not in first}:
        yield others


def _file(test: str) -> str:
    return test.partition("::")[0]


def _tried(mutant: Mutant | None, root: Path, tests: dict[str, float]) -> str:
    child = os.fork()
    if child == 0:
        _run(mutant, root, tests)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        ran_out = os.WTERMSIG(status) in {signal.SIGPROF, signal.SIGALRM}
        return "out of time" if ran_out else "killed"
    # Tests that cannot even be collected have noticed, too; those that are gone have not.
    unmoved = {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
    return "survived" if os.WEXITSTATUS(status) in unmoved else "killed"


def _run(mutant: Mutant | None, root: Path, tests: dict[str, float]) -> None:
    code: int = pytest.ExitCode.INTERNAL_ERROR
    try:
        # The process ends when one of them rings.
        signal.alarm(_WAITING)
        signal.setitimer(signal.ITIMER_PROF, _COLLECTING)
        in_silence()
        if mutant is not None:
            put_in(root / mutant.path, mutated(mutant, root))
        os.environ["RATINGBOOK_CACHE"] = os.devnull
        files = [root / file for file in dict.fromkeys(map(_file, tests))]
        code = run_tests(root, files, _Chosen(tests), "-x")
    finally:
        os._exit(int(code))


class _Chosen:
    """A plug-in of pytest that runs the chosen tests, each in its time."""

    def __init__(self, tests: dict[str, float]) -> None:
        self._tests = tests

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = _in_order(items, self._tests)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        signal.alarm(_WAITING)
        signal.setitimer(signal.ITIMER_PROF, PATIENCE + PATIENCE * self._tests[item.nodeid])
        ran = yield
        signal.setitimer(signal.ITIMER_PROF, _COLLECTING)
        return ran


def _in_order(items: list[pytest.Item], seconds: dict[str, float]) -> list[pytest.Item]:
    """The chosen tests, those of a file together, quickest first."""
    files = list(dict.fromkeys(test.partition("::")[0] for test in seconds))
    chosen = [item for item in items if item.nodeid in seconds]
    return sorted(
        chosen,
        key=lambda item: (files.index(item.nodeid.partition("::")[0]), seconds[item.nodeid]),
    )


def put_in(path: Path, tree: ast.Module) -> None:
    """Let Python import this in place of what the file holds."""
    loader = importlib.machinery.SourceFileLoader
    usual = loader.get_code
    exchanged: CodeType = compile(tree, str(path), "exec")

    def get_code(self: importlib.machinery.SourceFileLoader, fullname: str) -> CodeType | None:
        is_it = Path(self.get_filename(fullname)).resolve() == path.resolve()
        return exchanged if is_it else usual(self, fullname)

    setattr(loader, "get_code", get_code)  # noqa: B010  (mypy knows the method as final)
    assert not any(name.split(".")[0] == "ratingbook" for name in sys.modules), "too late"
