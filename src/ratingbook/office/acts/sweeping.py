"""Files that nothing refers to: a receipt that was broken off leaves its bytes behind."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ratingbook.office.home import Home
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m

_SETTLED = 86_400
"""Seconds after which whoever has kept a file has named it in the ledger, or never will."""


Waiting = Callable[[], Iterable[str]]
"""The hashes of files that somebody has not submitted yet."""
_waiting: list[Waiting] = []


def let_wait(found: Waiting) -> None:
    """Spare files that no fact names yet: whoever keeps such ones says here which."""
    _waiting.append(found)


def referred_to() -> list[str]:
    """The hashes of what was received, and of what somebody has not submitted yet."""
    waiting = {each for found in _waiting for each in found()}
    kept = m.Blob.objects.filter(suppressed_by__isnull=True).values_list("sha256", flat=True)
    gone = m.Blob.objects.filter(suppressed_by__isnull=False).values_list("sha256", flat=True)
    return sorted({*kept, *waiting} - {*gone})


def unknown(home: Home) -> list[Path]:
    """The files that nothing refers to, but for what may be on its way into the ledger."""
    old = [each for each in _files(home) if _is_settled(each)]
    # Read afterwards: whatever was named meanwhile is known.
    known = {blobs.path_of(home, each) for each in referred_to()} if old else set()
    return sorted(set(old) - known)


def sweep(home: Home) -> int:
    """Delete the files that nothing refers to; gives how many.

    A file is put aside first: whoever keeps the same bytes at this moment has either touched it,
    so that it goes back, or finds none and writes it anew.
    """
    count = 0
    for path in unknown(home):
        aside = path.with_name(f"{path.name}.gone")
        try:
            path.replace(aside)
            if _is_settled(aside):
                aside.unlink()
                count += 1
            else:
                aside.replace(path)
        except OSError:
            # Another sweep was faster, or nobody may write here.
            continue
    return count


def _files(home: Home) -> Iterator[Path]:
    return (each for each in home.files.glob("*/*") if each.is_file())


def _is_settled(path: Path) -> bool:
    try:
        return path.stat().st_mtime < time.time() - _SETTLED
    except FileNotFoundError:
        return False
