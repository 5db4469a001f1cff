"""Files that nothing refers to, or that were to be deleted: what was broken off leaves them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ratingbook.office.home import Home
from ratingbook.office.logic.masked import OF_SUPPRESSED
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
    kept = m.Blob.objects.filter(suppressed_by__isnull=True).values_list("sha256", flat=True)
    gone = m.Blob.objects.filter(suppressed_by__isnull=False).values_list("sha256", flat=True)
    return sorted({*kept, *_that_wait()} - {*gone})


def _that_wait() -> set[str]:
    return {each for found in _waiting for each in found()}


def unknown(home: Home) -> list[Path]:
    """The files that nothing refers to, but for what may be on its way into the ledger."""
    old = [each for each in _files(home) if _is_settled(each)]
    # Read afterwards: whatever was named meanwhile is known.
    named = {*m.Blob.objects.values_list("sha256", flat=True), *_that_wait()} if old else set()
    return sorted(set(old) - {blobs.path_of(home, each) for each in named})


def suppressed_by_facts() -> dict[str, int]:
    """The hashes of the files that facts delete since they name somebody, and the last such fact.

    Facts say it, not the marks in the rows: what is deleted is so for good.
    """
    facts = m.Fact.objects.filter(kind__in=OF_SUPPRESSED).order_by("seq")
    return {
        sha256: seq
        for seq, payload in facts.values_list("seq", "payload")
        for sha256 in payload.get("files", ())
    }


def suppressed_left(home: Home) -> dict[str, int]:
    """Those of them that are still there, as a suppression leaves them that was broken off."""
    return {
        sha256: fact for sha256, fact in suppressed_by_facts().items()
        if blobs.path_of(home, sha256).exists()
    }  # fmt: skip


def sweep(home: Home) -> int:
    """Delete the files that nothing refers to, and what facts have deleted; gives how many.

    A file is put aside first: whoever keeps the same bytes at this moment has either touched it,
    so that it goes back, or finds none and writes it anew.
    """
    count = sweep_suppressed(home)
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


def sweep_suppressed(home: Home) -> int:
    """Delete the files that facts have deleted, however new; gives how many were there."""
    left = suppressed_left(home)
    for sha256 in left:
        blobs.path_of(home, sha256).unlink(missing_ok=True)
    return len(left)


def _files(home: Home) -> Iterator[Path]:
    return (each for each in home.files.glob("*/*") if each.is_file())


def _is_settled(path: Path) -> bool:
    try:
        return path.stat().st_mtime < time.time() - _SETTLED
    except FileNotFoundError:
        return False
