"""Work on very many objects that all stay: to look among them for garbage is a quarter of it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_BETWEEN = (100_000, 20, 100)
"""How many new objects a process that only makes rows looks at, and how seldom at older ones."""


@contextmanager
def nothing_collected() -> Iterator[None]:
    """Nothing is looked at as garbage meanwhile."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def collect_seldom() -> None:
    """For a process whose objects nearly all go as soon as nobody has them."""
    gc.freeze()
    gc.set_threshold(*_BETWEEN)


def collect_new() -> None:
    """Look at what came since, while nothing is collected by itself."""
    gc.collect(1)
