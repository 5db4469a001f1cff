"""Tests keep their files in memory, where there is enough of it.

They make thousands of offices, each with a database of its own, and take them away again. On a
disk that is a third of their time, on PostgreSQL two thirds.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ENOUGH = 8 << 30
"""Bytes that must be free: several times what two processes ever had at once."""
_OURS = "ratingbook-tests-"


def keep_in_memory(memory: Path = MEMORY) -> Path | None:
    """Make temporary files in memory from now on, as every process that is begun from here does.

    Not so where somebody has said in TMPDIR where they are to be made: ``TMPDIR=/tmp`` leaves
    what failed on the disk, to be looked at.
    """
    if "TMPDIR" in os.environ or not memory.is_dir():
        return None
    _swept(memory)
    if shutil.disk_usage(memory).free < ENOUGH or _available() < ENOUGH:
        return None
    folder = memory / f"{_OURS}{os.getpid()}"
    folder.mkdir()
    # PostgreSQL runs as another user, and has its own folder in it.
    folder.chmod(0o711)
    atexit.register(_gone, folder, os.getpid())
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None
    return folder


def _gone(folder: Path, process: int) -> None:
    """Take the folder away at the end of the process that made it, not at that of a fork."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def _swept(memory: Path) -> None:
    """Take away what runs have left that were killed."""
    for left in memory.glob(f"{_OURS}*"):
        if not Path("/proc", left.name.removeprefix(_OURS)).exists():
            shutil.rmtree(left, ignore_errors=True)


def _available() -> int:
    """The bytes of memory that nobody needs."""
    for line in Path("/proc/meminfo").read_text("utf-8").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) << 10
    return 0
