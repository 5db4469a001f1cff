"""The folder of a run: one run at a time, and nothing in it that is somebody else's."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.left import ARCHIVE, CHECKPOINT, FACTS, SHOWN
from ratingbook.engine.store import (
    DISK,
    INSIDE,
    NOT_TO_BE_HAD,
    Disk,
    Foreign,
    Store,
    Unfit,
)
from ratingbook.model import Finding, Findings, Place, Severity

WORK = "work"
"""Within :data:`~ratingbook.engine.store.INSIDE`: files that workers of a cluster exchange."""
_SHIPPED = "shipped"

SECONDS_FOR_A_WORKER = 60.0
"""Within which a worker must have let go whose driver, or whose place in it, is gone."""
_LOOKS = 0.1
"""Seconds between two looks whether it has."""


def store_of(folder: Path, disk: Disk = DISK) -> Store:
    """The store of a folder of a run."""
    return Store(folder, SHOWN, (*FACTS, *CHECKPOINT, *ARCHIVE), disk)


def work_of(folder: Path) -> Path:
    """Where the workers of a cluster exchange files."""
    return folder / INSIDE / WORK


def shipped_of(folder: Path) -> Path:
    """What the one worker reads that rates a history by sections, and holds while it writes."""
    return work_of(folder) / _SHIPPED


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
    with locked(folder):
        try:
            if shipped_of(folder).exists():
                # A driver was killed, and its worker may not know yet.
                with locked(shipped_of(folder), seconds=SECONDS_FOR_A_WORKER):
                    sweep_work(folder)
            claim(store_of(folder))
            yield
        finally:
            # While the folder is held: another run may be waiting for it.
            if is_made and not any(folder.iterdir()):
                folder.rmdir()


@contextmanager
def locked(folder: Path, *, seconds: float = 0.0) -> Iterator[None]:
    """Hold a folder, made if need be, when another has let go of it within so many seconds.

    Raises :class:`HistoryRefused` where it has not, or where no folder can be held.
    """
    try:
        import fcntl
    except ModuleNotFoundError:
        # Windows: there is no lock on a folder.
        folder.mkdir(parents=True, exist_ok=True)
        yield
        return
    until = time.monotonic() + seconds
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
                if time.monotonic() >= until:
                    raise HistoryRefused(_busy(folder)) from error
                time.sleep(_LOOKS)
                continue
            except OSError as error:
                if error.errno not in NOT_TO_BE_HAD:
                    raise
                raise HistoryRefused(_unfit(folder, "lock a folder for one run")) from error
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


def _unfit(folder: Path, lacks: str) -> Findings:
    findings = Findings()
    findings.add(
        Severity.FATAL,
        "history.file-system",
        f"{folder} cannot be the folder of a run: its file system cannot {lacks}.",
        Place(file=str(folder)),
        "Name a folder on another file system, and copy the tables from there.",
    )
    return findings


def claim(store: Store) -> list[Path]:
    """What is damaged in a folder.

    Refuses what is somebody else's and would be written over, and a file system on which
    tables cannot change together.
    """
    try:
        strays = store.claim()
        store.try_out()
    except Unfit as error:
        raise HistoryRefused(_unfit(store.folder, error.lacks)) from error
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
    return strays


def not_synced(folder: Path) -> Finding:
    """What is told where a power cut may cost more than the last checkpoint."""
    return Finding(
        "history.not-synced",
        Severity.WARNING,
        f"The file system of {folder} does not say when files are there for good: after a power "
        "cut the tables of an earlier run may be there, or none.",
        Place(file=str(folder)),
        "Keep a copy on another file system.",
    )


def damaged(path: Path, why: str, aside: Path) -> Finding:
    """What is told of a file that was damaged, and lies ``aside`` now if it could be moved."""
    kept = "" if aside == path else f" As it is it was put aside as {aside}."
    return Finding(
        "history.damaged",
        Severity.WARNING,
        f"{path.name} {why}. It is made again.{kept}",
        Place(file=str(path)),
        "Look whether the disk is sound; nothing else has to be done.",
    )
