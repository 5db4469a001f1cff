"""A process that has imported everything and found all tests; copies of it run some of them."""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections.abc import Sequence
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from tools.mutants.patching import Functions, functions_under, patch
from tools.mutants.process import Found, Tests, Told, file_of, in_a_process, in_its_time, in_order
from tools.mutants.reach import COMPILED, Watch, in_silence, longest, run_tests
from tools.mutants.sites import Mutant


class Ready:
    """Processes that have found all tests, and run some of them whenever they are asked."""

    def __init__(self, root: Path, files: Sequence[Path], jobs: int) -> None:
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
                run_tests(root, files, serving)
            finally:
                os._exit(0)
        for ours, theirs in ends:
            theirs.close()
            self._free.put(ours)

    def run(self, mutant: Mutant | None, tests: Tests) -> Found:
        """Run tests with a fault; waits for a free process."""
        return Found(*self._ask((mutant, tests)))

    def look_on(self, file: str, told: Path) -> None:
        """Run the tests of a file without a fault, and keep what they reach."""
        self._ask((file, told))

    def _ask(self, asked: tuple[Any, ...]) -> tuple[str, str]:
        connection = self._free.get()
        try:
            connection.send(asked)
            answer: tuple[str, str] = connection.recv()
            return answer
        finally:
            self._free.put(connection)

    def end(self) -> None:
        """Let the processes go; nobody runs any more."""
        while not self._free.empty():
            connection = self._free.get()
            connection.send(None)
            connection.close()
        os.waitpid(self._child, 0)


class Quicker:
    """A plug-in of pytest that lets tests notice a fault sooner.

    Properties are tried with few examples.  Histories go through plain loops, also where tests
    but one ask for compiled ones: they are the same functions, and a fault need not be compiled.
    """

    _now = ""

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Know which test runs."""
        self._now = nodeid

    def pytest_configure(self) -> None:
        """Few examples, and the same each time."""
        from hypothesis import settings

        # The tests' own profile has more.
        os.environ.pop("CI", None)
        settings.register_profile(
            "few", derandomize=True, database=None, max_examples=10, deadline=None
        )
        settings.load_profile("few")

    def pytest_collection_finish(self) -> None:
        """Plain loops, from here on."""
        from ratingbook.engine.history import program

        usual = program.Program.__init__
        quicker = self

        def made(
            self: program.Program, book: Any, compiled: bool, needs: Any = program.NO_NEEDS
        ) -> None:
            usual(self, book, compiled and quicker._now == COMPILED, needs)

        setattr(program.Program, "__init__", made)  # noqa: B010  (mypy allows no other way)


class _Serving(Quicker):
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
        def looked_on(file: str, kept_at: Path, told: Told) -> int:
            watch = Watch(self._root)
            session.config.pluginmanager.register(watch)
            items = [item for item in session.items if file_of(item.nodeid) == file]
            watch.look_on(lambda: _run_while(watch, items, told), kept_at)
            return 0

        def tried(mutant: Mutant | None, tests: Tests, told: Told) -> int:
            if mutant is not None:
                patch(mutant, self._root, functions)
            return _run_items(session, tests, told)

        while (asked := asking.recv()) is not None:
            run = looked_on if isinstance(asked[0], str) else tried
            asking.send(tuple(in_a_process(partial(run, *asked))))


def _run_while(watch: Watch, items: list[pytest.Item], told: Told) -> None:
    for item, after in zip(items, [*items[1:], None], strict=True):
        if not watch.has_time:
            break
        with in_its_time(item.nodeid, {item.nodeid: longest(item.nodeid)}, told):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)


def _run_items(session: pytest.Session, tests: Tests, told: Told) -> int:
    chosen = in_order(session.items, tests)
    for item, after in zip(chosen, [*chosen[1:], None], strict=True):
        with in_its_time(item.nodeid, tests, told):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if session.testsfailed:
            return pytest.ExitCode.TESTS_FAILED
    return pytest.ExitCode.OK
