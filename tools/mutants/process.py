"""Runs tests in copies of a process, and hears what becomes of them."""

from __future__ import annotations

import mmap
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest

PATIENCE = 10.0
"""A test may take so many times what it takes without the fault, and as many seconds more."""
_COLLECTING = 60.0
"""Seconds to find the tests, or to clean up after one."""
_WAITING = 900
"""Seconds by the clock, for a test that only waits."""
_NAME = 1000
"""Bytes of a test's name, at most."""

Tests = dict[str, float]
"""Tests, and the seconds that each takes when looked on."""


class Found(NamedTuple):
    """What some tests came to, and the last that began."""

    verdict: str
    last: str


def file_of(test: str) -> str:
    """The file that a test stands in."""
    return test.partition("::")[0]


def in_order(items: Iterable[pytest.Item], seconds: Tests) -> list[pytest.Item]:
    """The chosen tests, those of a file together, quickest first."""
    files = list(dict.fromkeys(map(file_of, seconds)))
    chosen = [item for item in items if item.nodeid in seconds]
    return sorted(
        chosen, key=lambda item: (files.index(file_of(item.nodeid)), seconds[item.nodeid])
    )


class Told:
    """The name of the test that is running, for the process that has started this one."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _NAME)

    def tell(self, test: str) -> None:
        """Say that a test begins."""
        name = test.encode()[:_NAME]
        self._memory[:] = name.ljust(_NAME, b"\0")

    def heard(self) -> str:
        """The last that began, also of a process that is gone."""
        return self._memory[:].rstrip(b"\0").decode(errors="replace")


def in_a_process(run: Callable[[Told], int]) -> Found:
    """What comes of it when a copy of this process runs tests, and ends with pytest's status."""
    told = Told()
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
def in_its_time(test: str, tests: Tests, told: Told) -> Iterator[None]:
    """End this process if the test takes too long."""
    told.tell(test)
    signal.alarm(_WAITING)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE + PATIENCE * tests[test])
    yield
    signal.setitimer(signal.ITIMER_PROF, _COLLECTING)
