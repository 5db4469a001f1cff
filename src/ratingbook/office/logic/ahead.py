"""What one process makes while another still uses what it made before."""

from __future__ import annotations

import multiprocessing
import queue
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from ratingbook.office.logic.garbage import collect_new, nothing_collected

T = TypeVar("T")

_AHEAD = 2
"""Pieces that wait, at most."""
_LOOKS = 1.0
"""Seconds after which is looked whether the other process still lives."""


def made_ahead(make: Callable[..., Iterator[T]], *arguments: Any) -> Iterator[T]:
    """What ``make`` gives, made in a process of its own, a few pieces ahead.

    A fault there is raised here.  Where no process can be begun, as in a program that does not
    say what only its main module does, all is made in this one.
    """
    context = multiprocessing.get_context("spawn")
    pieces: Any = context.Queue(_AHEAD)
    process = context.Process(target=_make, args=(pieces, make, arguments), daemon=True)
    count = 0
    process.start()
    try:
        while True:
            try:
                kind, value = pieces.get(timeout=_LOOKS)
            except queue.Empty:
                if process.is_alive() or not pieces.empty():
                    continue
                if count:
                    raise RuntimeError("a process that read ahead has ended") from None
                break
            if kind == "end":
                return
            if kind == "fault":
                raise value
            count += 1
            yield value
    finally:
        process.terminate()
        process.join()
    yield from make(*arguments)


def _make(pieces: Any, make: Callable[..., Iterator[Any]], arguments: tuple[Any, ...]) -> None:
    try:
        with nothing_collected():
            for each in make(*arguments):
                pieces.put(("piece", each))
                collect_new()
    except BaseException as fault:
        pieces.put(("fault", fault))
        raise
    pieces.put(("end", None))
