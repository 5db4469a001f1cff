"""Requests of a process in the order in which they came, since one processor does one at a time.

Two pages that are made at once on one processor are both done when the second one could have been,
and the first could have been done at half that time. So a request begins when the one before has
its answer. Whoever takes longer than ``PATIENCE``, as the rating of a year or a database that is
written by somebody else, does not hinder the others: the turn goes on to the next, and both work
beside each other.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 0.1
"""Seconds that one request may have the turn; a page takes a fifth of that."""


class Turns:
    """The turn of a process: one has it, and the others wait in the order in which they came."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._passed = threading.Condition()
        self._waiting: list[object] = []
        self._whose: object | None = None
        self._until = 0.0

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Wait for the turn, and give it back; it may have gone on to another meanwhile."""
        mine = object()
        with self._passed:
            self._waiting.append(mine)
            while self._waiting[0] is not mine or self._left() > 0:
                # Who is not the next one is woken when somebody begins.
                self._passed.wait(self._left() if self._waiting[0] is mine else None)
            self._waiting.pop(0)
            self._whose, self._until = mine, time.monotonic() + self._patience
            self._passed.notify_all()
        try:
            yield
        finally:
            with self._passed:
                if self._whose is mine:
                    self._whose = None
                    self._passed.notify_all()

    def _left(self) -> float:
        """For how long the turn may still be kept by who has it."""
        return 0.0 if self._whose is None else self._until - time.monotonic()


class InTurns:
    """An application whose requests take turns; what streams afterwards is nobody's turn."""

    def __init__(self, application: Callable[..., Any]) -> None:
        self._application, self._turns = application, Turns()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        """The answer, once it is this request's turn."""
        with self._turns.taken():
            return self._application(environ, start_response)
