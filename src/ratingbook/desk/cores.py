"""The same work for many files: on several cores, and with the collector seldom at work."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from ratingbook.engine.beside import processors

_LEAST = 50
"""From so many items on it pays to begin other processes."""
_AT_A_TIME = 8
_MADE_BEFORE_A_LOOK = 50_000
"""Objects after which the collector looks: nearly all of what is made of a report stays."""

Given = TypeVar("Given")
Made = TypeVar("Made")

_works: list[Callable[..., Any]] = []
"""What the processes do: they are copies of this one, and so need not be sent it."""


def made_of_each(
    work: Callable[[Given], Made], items: Sequence[Given], cores: int | None = None
) -> Iterator[Made]:
    """What ``work`` makes of each of the items, in their order.

    What it makes is handed over between processes, and so has to be plain data.  ``cores``: how
    many processes at most; None: one for each core that this one may use.  Where a process
    cannot be copied (Windows) there is one.
    """
    cores = processors() if cores is None else cores
    if cores < 2 or len(items) < _LEAST or not hasattr(os, "fork"):
        yield from map(work, items)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    _works.append(work)
    try:
        with ProcessPoolExecutor(cores, get_context("fork")) as processes:
            yield from processes.map(_done, items, chunksize=_AT_A_TIME)
    finally:
        _works.pop()


@contextmanager
def collected_seldom() -> Iterator[None]:
    """The collector looks seldom meanwhile, and afterwards as often as before."""
    before = gc.get_threshold()
    if before[0]:
        gc.set_threshold(max(before[0], _MADE_BEFORE_A_LOOK), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _done(item: Any) -> Any:
    return _works[-1](item)
