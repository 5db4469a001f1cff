"""The folder of a run: one run at a time, and nothing in it that is somebody else's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.store import DISK, INSIDE, Disk, Foreign, Store
from ratingbook.model import Finding, Findings, Place, Severity

PREVIEW = "preview"
SHOWN = ("ratings", "changes", "batches", PREVIEW)
"""The tables that a run shows."""
ARCHIVE = ("facts", "timetable", "events", "event_ids", "described", "months", "decided")
"""What explanations rest on, beside numbered tables of the next."""
INNER = ("standings", "kept", "signatures", *ARCHIVE)
"""Where it goes on from."""

WORK = "work"
"""Within :data:`~ratingbook.engine.store.INSIDE`: files that workers of a cluster exchange."""


def store_of(folder: Path, disk: Disk = DISK) -> Store:
    """The store of a folder of a run."""
    return Store(folder, SHOWN, INNER, disk)


def work_of(folder: Path) -> Path:
    """Where the workers of a cluster exchange files."""
    return folder / INSIDE / WORK


def sweep_work(folder: Path, part: str = "") -> None:
    """Take away what workers have exchanged, or a part of it; all else stays."""
    work = work_of(folder)
    for here, _, names in os.walk(work / part, topdown=False):
        for name in names:
            if name.endswith((".arrow", ".parquet", ".npy")) or name.startswith("progress"):
                (Path(here) / name).unlink(missing_ok=True)
        with suppress(OSError):
            os.rmdir(here)
    for empty in (work, work.parent):
        with suppress(OSError):
            empty.rmdir()


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold the folder, made if need be; the system lets go of it when the process ends.

    Raises :class:`HistoryRefused` where another run holds it, or where something stands in
    it that no run has left there.  A folder that was made for nothing goes again.
    """
    is_made = not folder.exists()
    with _locked(folder):
        try:
            claim(store_of(folder))
            yield
        finally:
            # While the folder is held: another run may be waiting for it.
            if is_made and not any(folder.iterdir()):
                folder.rmdir()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    if sys.platform == "win32":
        # There is no lock on a folder.
        folder.mkdir(parents=True, exist_ok=True)
        yield
        return
    import fcntl

    while True:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            held = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:
            # A run that had made it for nothing has just taken it away.
            continue
        try:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise HistoryRefused(_busy(folder)) from error
            if _is_there(folder, held):
                yield
                return
        finally:
            os.close(held)


def _is_there(folder: Path, held: int) -> bool:
    try:
        return os.path.samestat(folder.stat(), os.fstat(held))
    except FileNotFoundError:
        return False


def _busy(folder: Path) -> Findings:
    findings = Findings()
    findings.add(
        Severity.FATAL,
        "history.busy",
        f"Another run is writing into {folder}.",
        Place(file=str(folder)),
        "Wait until it has ended, or name another folder.",
    )
    return findings


def claim(store: Store) -> list[Path]:
    """What is damaged in a folder; refuses what is somebody else's and would be written over."""
    try:
        return store.claim()
    except Foreign as error:
        findings = Findings()
        findings.add(
            Severity.FATAL,
            "history.foreign",
            f"{error.path.name} in {store.folder} is not of a run, and would be written over.",
            Place(file=str(error.path)),
            "Name another folder, or move it away.",
        )
        raise HistoryRefused(findings) from None


def damaged(path: Path, why: str, aside: Path) -> Finding:
    """What is told of a file that was damaged."""
    return Finding(
        "history.damaged",
        Severity.WARNING,
        f"{path.name} {why}. It is made again; as it is it was put aside as {aside}.",
        Place(file=str(path)),
        "Look whether the disk is sound; nothing else has to be done.",
    )
