"""The operations on files and folders that a store is made of.

A store does nothing to the disk but through these, so that tests can stop, tear and
refuse each of them.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

NOT_TO_BE_HAD = frozenset(
    {errno.EPERM, errno.EINVAL, errno.EBADF, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
    | {errno.ENOLCK}
)
"""What a file system answers that cannot do what it is asked for."""

_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def open_file(path: Path) -> BinaryIO:
    """Open a file to be read; raises OSError for what is none.

    A pipe in the place of a file would keep whoever opens it waiting for good.
    """
    held = os.open(path, os.O_RDONLY | _AT_ONCE)
    if not stat.S_ISREG(os.fstat(held).st_mode):
        os.close(held)
        raise OSError(errno.EINVAL, "it is no file", str(path))
    return os.fdopen(held, "rb", buffering=0)


class Disk:
    """The disk as it is."""

    def create(self, path: Path) -> BinaryIO:
        """Open a new file to be written; one that exists is never written over."""
        return path.open("xb", buffering=0)

    def write(self, file: BinaryIO, data: bytes | memoryview) -> None:
        """Write all of the bytes."""
        left = memoryview(data).cast("B")
        while left:
            left = left[file.write(left) :]

    def sync(self, file: BinaryIO) -> None:
        """Return when what was written will outlast a power cut."""
        os.fsync(file.fileno())

    def sync_folder(self, path: Path) -> bool:
        """Return when the names in a folder will outlast a power cut; False: that cannot be."""
        if not hasattr(os, "O_DIRECTORY"):
            # Windows: a folder cannot be opened there.
            return False
        held = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(held)
        except OSError as error:
            if error.errno not in NOT_TO_BE_HAD:
                raise
            return False
        finally:
            os.close(held)
        return True

    def mkdir(self, path: Path) -> None:
        """Make a folder that is not there yet."""
        path.mkdir()

    def rename(self, path: Path, to: Path) -> None:
        """Give a file another name, or a folder one that is free."""
        os.replace(path, to)

    def link(self, path: Path, to: Path) -> None:
        """A second name for a file."""
        os.link(path, to)

    def symlink(self, target: str, path: Path) -> None:
        """A name that leads to another."""
        os.symlink(target, path)

    def unlink(self, path: Path) -> None:
        """Take a name away."""
        os.unlink(path)

    def rmdir(self, path: Path) -> None:
        """Take away a folder that is empty."""
        os.rmdir(path)


DISK = Disk()
"""The disk that everybody uses but tests."""
