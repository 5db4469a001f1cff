"""What another process makes in tests; it knows nothing of the office."""

from __future__ import annotations

import os
from collections.abc import Iterator


def numbers_and_process(last: int, fails: bool = False) -> Iterator[int]:
    """The numbers from 1 up to the last, and who made them."""
    yield from range(1, last + 1)
    if fails:
        raise ZeroDivisionError
    yield os.getpid()
