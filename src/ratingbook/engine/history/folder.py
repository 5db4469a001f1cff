"""The folder of a run: one run at a time, and nothing in it that is somebody else's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.engine.history import manifest
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.model import Findings, Place, Severity

WORK = "unfinished"
CHECKPOINT = "checkpoint"
PREVIEW = "preview.parquet"

COLUMNS = {
    "ratings.parquet": ("player", "rating", "games"),
    "changes.parquet": ("player", "batch", "before"),
    "batches.parquet": ("batch", "day", "games"),
    PREVIEW: ("date",),
}
"""The files that a run leaves, and their first columns."""


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold the folder, made if need be; the system lets go of it when the process ends.

    Raises :class:`HistoryRefused` where another run holds it, or where something stands in
    it that no run has left there.  A folder that was made for nothing goes again.
    """
    is_made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with _locked(folder):
            _refuse_foreign(folder)
            yield
    finally:
        if is_made and not any(folder.iterdir()):
            folder.rmdir()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    if sys.platform == "win32":
        # There is no lock on a folder.
        yield
        return
    import fcntl

    held = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise HistoryRefused(_busy(folder)) from error
        yield
    finally:
        os.close(held)


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


def _refuse_foreign(folder: Path) -> None:
    """What stands in the way of a run is written over, so it has to be a run's."""
    has_checkpoint = any(
        (folder / f"{CHECKPOINT}{end}" / manifest.NAME).is_file() for end in ("", ".old")
    )
    foreign = [
        folder / name
        for name, columns in COLUMNS.items()
        if not _is_of_a_run(folder / name, columns, has_checkpoint)
    ]
    checkpoint, work = folder / CHECKPOINT, folder / WORK
    if not has_checkpoint and _holds_something(checkpoint):
        foreign.append(checkpoint)
    if work.exists() and not work.is_dir():
        foreign.append(work)
    if foreign:
        findings = Findings()
        for path in foreign:
            findings.add(
                Severity.FATAL,
                "history.foreign",
                f"{path.name} in {folder} is not of a run, and would be written over.",
                Place(file=str(path)),
                "Name another folder, or move it away.",
            )
        raise HistoryRefused(findings)


def _holds_something(path: Path) -> bool:
    return path.exists() and (not path.is_dir() or any(path.iterdir()))


def _is_of_a_run(path: Path, columns: tuple[str, ...], has_checkpoint: bool) -> bool:
    """Whether a file is missing, or a run has left it; a damaged one tells by what is beside it."""
    if not path.exists():
        return True
    try:
        names = pq.read_schema(path).names
    except (OSError, pa.ArrowException):
        return has_checkpoint
    return tuple(names[: len(columns)]) == columns
