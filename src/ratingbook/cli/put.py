"""Files that commands write: complete, or as they were before."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


class Putting:
    """A file that is being written; :meth:`leave` lets what was there stay."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.is_wanted = True

    def leave(self) -> None:
        """What is written is not wanted."""
        self.is_wanted = False


@contextmanager
def putting(path: Path) -> Iterator[Putting]:
    """Something to write into, which takes its place when it is complete and no fault came.

    A link is followed, and the permissions of a file that was there stay.  Devices and pipes, which
    nothing can take the place of, are written to as they are.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as through:
            yield Putting(through)
        return
    there = path.resolve()
    handle, name = tempfile.mkstemp(dir=there.parent, prefix=f".{there.name}.")
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            made = Putting(file)
            yield made
        if made.is_wanted:
            beside.chmod(_mode_of(there))
            beside.replace(there)
    finally:
        beside.unlink(missing_ok=True)


def put(data: bytes, path: Path) -> None:
    """The same for what is there already."""
    with putting(path) as made:
        made.file.write(data)


def _mode_of(path: Path) -> int:
    """The permissions of a file, or those of a new one."""
    if path.exists():
        return path.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
