"""One piece is made while another is used: two processors have something to do."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Piece = TypeVar("Piece")


def ahead(pieces: Iterator[Piece]) -> Generator[Piece, None, None]:
    """The same pieces, the next of which a thread makes while one is used.

    It is of use where that holds no lock of Python, as the readers of PyArrow do not.
    """
    with ThreadPoolExecutor(1) as thread:
        coming = thread.submit(next, pieces, None)
        while (piece := coming.result()) is not None:
            coming = thread.submit(next, pieces, None)
            yield piece
