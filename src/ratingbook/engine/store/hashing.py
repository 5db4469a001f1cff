"""Files that are hashed while they are written, and hashed again before they are believed."""

from __future__ import annotations

import hashlib
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from ratingbook.engine.store.disk import Disk, open_file

_LARGE = 1 << 18
"""Bytes that are worth another thread."""
_WAITING = 8
"""Pieces that may wait to be hashed; more would only take memory."""
_BLOCK = 1 << 20


class Stamp(NamedTuple):
    """What a file is known by."""

    length: int
    """Bytes."""
    digest: str
    """BLAKE2b of 32 bytes, in hexadecimal digits."""


def stamp_of(data: bytes) -> Stamp:
    """The stamp of some bytes."""
    return Stamp(len(data), hashlib.blake2b(data, digest_size=32).hexdigest())


def stamp_of_file(path: Path) -> Stamp:
    """The stamp of a file as it is now; raises OSError where it cannot be read."""
    digest, length = hashlib.blake2b(digest_size=32), 0
    with open_file(path) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            length += len(block)
    return Stamp(length, digest.hexdigest())


class Writing:
    """A new file, as pyarrow and others write to it; ``stamp`` is known once it is closed.

    Small pieces are put together; large ones are hashed beside the work that makes the next.
    """

    def __init__(self, disk: Disk, path: Path) -> None:
        self._disk = disk
        self._file = disk.create(path)
        self._digest = hashlib.blake2b(digest_size=32)
        self._length = 0
        self._small = bytearray()
        self._thread: ThreadPoolExecutor | None = None
        self._waiting: deque[Future[None]] = deque()
        self.closed = False

    def write(self, data: Any) -> int:
        """Add bytes."""
        view = memoryview(data)
        if self.closed:
            # Whoever writes a table writes its end also when it is given up.
            return view.nbytes
        self._length += view.nbytes
        if view.nbytes >= _LARGE:
            self._write_small()
            self._bring(view)
        else:
            self._small += view
            if len(self._small) >= _LARGE:
                self._write_small()
        return view.nbytes

    def _write_small(self) -> None:
        if self._small:
            small, self._small = self._small, bytearray()
            self._bring(memoryview(small))

    def _bring(self, data: memoryview) -> None:
        self._disk.write(self._file, data)
        if data.nbytes < _LARGE and not self._waiting:
            self._digest.update(data)
            return
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1)
        self._waiting.append(self._thread.submit(self._digest.update, data))
        while self._waiting and (self._waiting[0].done() or len(self._waiting) > _WAITING):
            self._waiting.popleft().result()

    def tell(self) -> int:
        """Bytes so far."""
        return self._length

    def flush(self) -> None:
        """What is complete goes to the disk when the file is closed."""

    def close(self) -> None:
        """Bring the file to the disk; what is not closed in peace has no stamp."""
        if self.closed:
            return
        try:
            self._write_small()
            self._disk.sync(self._file)
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Close a file that nobody wants any more."""
        if self.closed:
            return
        self.closed = True
        self._file.close()
        if self._thread is not None:
            self._thread.shutdown()

    @property
    def stamp(self) -> Stamp:
        """What the file is known by."""
        return Stamp(self._length, self._digest.hexdigest())
