"""Tries faults: the tests that reach one run with it, quickest first.

One process has imported everything and found all tests; a copy of it gets a fault put into its
functions, and runs the tests.  What stands in no function, and what went unnoticed so, is tried
in a process that imports the package with the fault in it.
"""

from __future__ import annotations

import ast
import gc
import importlib.machinery
import mmap
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from types import CodeType
from typing import Any, NamedTuple

import pytest

from tools.mutants.patching import Functions, functions_under, patch
from tools.mutants.reach import Reach, in_silence, run_tests
from tools.mutants.sites import Mutant, mutated

PATIENCE = 10.0
"""A test may take so many times what it takes without the fault, and as many seconds more."""
FEW = 3.0
"""Seconds: the quickest tests that take so long together are tried by themselves first, as to
collect the others takes longer than most faults live."""
MOST = 30.0
"""Seconds of tests for one fault; where more reach it, the quickest."""
_COLLECTING = 60.0
"""Seconds to find the tests, or to clean up after one."""
_QUICKEST = 500
_WAITING = 900
"""Seconds by the clock, for a test that only waits."""
_NAME = 1000
"""Bytes of a test's name, at most."""

Tests = dict[str, float]
"""Tests, and the seconds that each takes when looked on."""


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


class Found(NamedTuple):
    """What some tests came to, and the last that began."""

    verdict: str
    last: str


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

    def outcome_of(self, mutant: Mutant) -> Outcome:
        """Run the tests with the fault in place; they stop at the first that notices."""
        begun = time.monotonic()
        reaching = self._reach.tests_of(mutant, self._root)
        verdict, ran = "survived" if reaching else "not reached", 0
        if not mutant.on_import:
            tests = _within(MOST, reaching, self._reach)
            verdict, ran = self._tried(lambda some: self._ready.run(mutant, some), tests)
        if verdict == "survived":
            most = MOST if mutant.on_import else FEW
            for some in _portions(_within(most, reaching, self._reach)):
                verdict, count = self._tried(lambda some: _anew(mutant, self._root, some), some)
                ran = max(ran, count)
                if verdict != "survived":
                    break
        return Outcome(mutant, verdict, ran, len(reaching), time.monotonic() - begun)

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
    """First the tests of few files, then the others."""
    by_file: dict[str, Tests] = {}
    for test, seconds in tests.items():
        by_file.setdefault(_file(test), {})[test] = seconds
    first: Tests = {}
    for some in sorted(by_file.values(), key=lambda some: sum(some.values())):
        if not first or sum(first.values()) + sum(some.values()) <= FEW:
            first |= some
    if first:
        yield first
    if others := {test: seconds for test, seconds in tests.items() if test not in first}:
        yield others


def _file(test: str) -> str:
    return test.partition("::")[0]


class _Told:
    """The name of the test that is running, for the process that has started this one."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _NAME)

    def tell(self, test: str) -> None:
        name = test.encode()[:_NAME]
        self._memory[:] = name.ljust(_NAME, b"\0")

    def heard(self) -> str:
        return self._memory[:].rstrip(b"\0").decode(errors="replace")


def _in_a_process(run: Callable[[_Told], int]) -> Found:
    """What comes of it when a copy of this process runs tests, and ends with pytest's status."""
    told = _Told()
    child = os.fork()
    if child == 0:
        code: int = pytest.ExitCode.INTERNAL_ERROR
        try:
            # The process ends when one of them rings.
            signal.alarm(_WAITING)
            signal.setitimer(signal.ITIMER_PROF, _COLLECTING)
            code = run(told)
        finally:
            os._exit(int(code))
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        ran_out = os.WTERMSIG(status) in {signal.SIGPROF, signal.SIGALRM}
        return Found("out of time" if ran_out else "killed", told.heard())
    # Tests that cannot even be collected have noticed, too; those that are gone have not.
    unmoved = {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
    return Found("survived" if os.WEXITSTATUS(status) in unmoved else "killed", told.heard())


@contextmanager
def _in_its_time(test: str, tests: Tests, told: _Told) -> Iterator[None]:
    told.tell(test)
    signal.alarm(_WAITING)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE + PATIENCE * tests[test])
    yield
    signal.setitimer(signal.ITIMER_PROF, _COLLECTING)


# In a process that imports everything anew


def _anew(mutant: Mutant, root: Path, tests: Tests) -> Found:
    def run(told: _Told) -> int:
        in_silence()
        put_in(root / mutant.path, mutated(mutant, root))
        os.environ["RATINGBOOK_CACHE"] = os.devnull
        files = [root / file for file in dict.fromkeys(map(_file, tests))]
        return run_tests(root, files, _Chosen(tests, told), "-x")

    return _in_a_process(run)


class _Chosen:
    """A plug-in of pytest that runs the chosen tests, each in its time."""

    def __init__(self, tests: Tests, told: _Told) -> None:
        self._tests = tests
        self._told = told

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = _in_order(items, self._tests)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        with _in_its_time(item.nodeid, self._tests, self._told):
            return (yield)


def _in_order(items: Iterable[pytest.Item], seconds: Tests) -> list[pytest.Item]:
    """The chosen tests, those of a file together, quickest first."""
    files = list(dict.fromkeys(map(_file, seconds)))
    chosen = [item for item in items if item.nodeid in seconds]
    return sorted(chosen, key=lambda item: (files.index(_file(item.nodeid)), seconds[item.nodeid]))


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


# In a copy of a process that has imported everything


class Ready:
    """Processes that have found all tests, and run some of them whenever they are asked."""

    def __init__(self, root: Path, files: Sequence[str], jobs: int) -> None:
        # Not spawned: they have what this process has imported, which is not the package.
        context = multiprocessing.get_context("fork")
        self._free: SimpleQueue[Connection] = SimpleQueue()
        ends = [context.Pipe() for _ in range(jobs)]
        self._child = os.fork()
        if self._child == 0:
            try:
                in_silence()
                os.environ["RATINGBOOK_CACHE"] = os.devnull
                serving = _Serving(root, [theirs for _, theirs in ends])
                run_tests(root, [root / file for file in files], serving)
            finally:
                os._exit(0)
        for ours, theirs in ends:
            theirs.close()
            self._free.put(ours)

    def run(self, mutant: Mutant | None, tests: Tests) -> Found:
        """Run tests with a fault; waits for a free process."""
        connection = self._free.get()
        try:
            connection.send((mutant, tests))
            return Found(*connection.recv())
        finally:
            self._free.put(connection)

    def end(self) -> None:
        """Let the processes go; nobody runs any more."""
        while not self._free.empty():
            connection = self._free.get()
            connection.send(None)
            connection.close()
        os.waitpid(self._child, 0)


class _Serving:
    """A plug-in of pytest that runs what it is asked for, in copies of its process."""

    def __init__(self, root: Path, asking: Sequence[Connection]) -> None:
        self._root = root
        self._asking = asking

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        functions = functions_under(self._root / "src")
        gc.collect()
        gc.freeze()
        children = []
        for connection in self._asking:
            child = os.fork()
            if child == 0:
                try:
                    self._serve(session, functions, connection)
                finally:
                    os._exit(0)
            children.append(child)
        for child in children:
            os.waitpid(child, 0)
        return True

    def _serve(self, session: pytest.Session, functions: Functions, asking: Connection) -> None:
        while (asked := asking.recv()) is not None:
            mutant, tests = asked

            def run(told: _Told, mutant: Mutant | None = mutant, tests: Tests = tests) -> int:
                if mutant is not None:
                    patch(mutant, self._root, functions)
                return _run_items(session, tests, told)

            asking.send(tuple(_in_a_process(run)))


def _run_items(session: pytest.Session, tests: Tests, told: _Told) -> int:
    chosen = _in_order(session.items, tests)
    for item, after in zip(chosen, [*chosen[1:], None], strict=True):
        with _in_its_time(item.nodeid, tests, told):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if session.testsfailed:
            return pytest.ExitCode.TESTS_FAILED
    return pytest.ExitCode.OK
