"""Memory that nobody uses any more, given back to the system."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache

import pyarrow as pa


def give_back() -> None:
    """Let the system have what the allocators of PyArrow and C keep for later.

    What threads have allocated and others freed they would keep for ever: a tenth of what a
    history of some millions of games takes.
    """
    pa.default_memory_pool().release_unused()
    _trim()(0)


@cache
def _trim() -> Callable[[int], object]:
    """``malloc_trim`` of the GNU library, where it is; others give back by themselves."""
    if sys.platform == "linux":
        try:
            found: Callable[[int], object] = ctypes.CDLL(None).malloc_trim
        except AttributeError:
            pass
        else:
            return found
    return lambda _: None
