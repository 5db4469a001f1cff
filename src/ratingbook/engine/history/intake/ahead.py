"""One piece is made while another is used: two processors have something to do."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Piece = TypeVar("Piece")
Made = TypeVar("Made")

_MOST_THREADS = 4
"""Each has some megabytes before it."""


def ahead(pieces: Iterator[Piece]) -> Generator[Piece, None, None]:
    """The same pieces, the next of which a thread makes while one is used.

    It is of use where that holds no lock of Python, as the readers of PyArrow do not.
    """
    with ThreadPoolExecutor(1) as thread:
        coming = thread.submit(next, pieces, None)
        while (piece := coming.result()) is not None:
            coming = thread.submit(next, pieces, None)
            yield piece


def side_by_side(
    work: Callable[[Piece], Made], pieces: Iterator[Piece]
) -> Generator[Made, None, None]:
    """What is made of each piece, in their order; threads make some while one is used."""
    count = min(os.cpu_count() or 1, _MOST_THREADS)
    waiting: deque[Future[Made]] = deque()
    with ThreadPoolExecutor(count) as threads:
        for piece in pieces:
            waiting.append(threads.submit(work, piece))
            if len(waiting) > count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
