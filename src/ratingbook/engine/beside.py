"""Work that is done beside a process: how much of it, and what a copy leaves in files."""

from __future__ import annotations

import os
import signal
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

PATIENCE = 300.0
"""Seconds until a copy is ended that has not done its work: it may wait for a lock which a thread
held that was not copied with it."""


def can_work_beside() -> bool:
    """Whether this process can be copied, and the copy has a processor of its own."""
    return hasattr(os, "fork") and hasattr(os, "sched_getaffinity") and processors() > 1


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Beside:
    """A copy of this process does some work; it goes on with it when this one ends.

    Of several that are to do what ``lock`` stands for one works after the other, so that the
    later ones may find it done.  A fault in the work is not told: who needs it does it again.
    """

    def __init__(self, work: Callable[[], None], lock: Path) -> None:
        with warnings.catch_warnings():
            # Of the threads of this process, which the copy does without.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process = os.fork()
        if not self._process:
            _work(work, lock)
        self._until = time.monotonic() + PATIENCE

    def is_over(self) -> bool:
        """Whether it has ended; after :data:`PATIENCE` it is."""
        if not self._has_ended(os.WNOHANG) and time.monotonic() > self._until:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)
            self._has_ended(0)
        return not self._process

    def _has_ended(self, how: int) -> bool:
        if self._process:
            try:
                ended, _ = os.waitpid(self._process, how)
            except ChildProcessError:
                # The program looks after all its processes by itself.
                ended = self._process
            if ended:
                self._process = 0
        return not self._process


def _work(work: Callable[[], None], lock: Path) -> None:
    """All that the copy does; it never comes back."""
    code = 1
    try:
        import fcntl

        # Whoever reads what this process says does not wait for the copy, nor does Ctrl-C reach
        # it; and it holds none of the locks that were its own.
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for each in range(3):
            os.dup2(nothing, each)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        held = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
        with suppress(OSError):
            fcntl.flock(held, fcntl.LOCK_EX)
        work()
        code = 0
    finally:
        os._exit(code)
