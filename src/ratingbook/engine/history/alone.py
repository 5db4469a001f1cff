"""One run at a time in a folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.model import Findings, Place, Severity


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold the folder, made if need be; :class:`HistoryRefused` where another run holds it.

    The system lets go of it when the process ends, however it ends.
    """
    if sys.platform == "win32":
        # There is no lock on a folder.
        folder.mkdir(parents=True, exist_ok=True)
        yield
        return
    import fcntl

    folder.mkdir(parents=True, exist_ok=True)
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(held)
        findings = Findings()
        findings.add(
            Severity.FATAL,
            "history.busy",
            f"Another run is writing into {folder}.",
            Place(file=str(folder)),
            "Wait until it has ended, or name another folder.",
        )
        raise HistoryRefused(findings) from error
    try:
        yield
    finally:
        os.close(held)
