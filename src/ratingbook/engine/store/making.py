"""A generation that is being made, until it becomes the current one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.engine.beside import processors
from ratingbook.engine.store.disk import Disk, open_file
from ratingbook.engine.store.generation import Generation, file_name
from ratingbook.engine.store.hashing import Stamp, Writing, stamp_of
from ratingbook.engine.store.manifest import NAME, NAMES, Manifest

_COPIED = 1 << 24
_STATED: dict[str, Any] = {"compression": "lz4"}
_OF_NUMBERS = {**_STATED, "use_dictionary": False, "write_statistics": False}
"""Many numbers are written soonest so."""
LARGE = 1 << 20
"""Bytes of a table that are worth another thread."""
_SPLIT_FROM = 32
"""Bits of a number from which its bytes are written apart, as the high ones say little."""


class Making:
    """The files of a generation to come, in a folder that nobody reads.

    Some are written beside what is done next; whoever asks what there is waits for them.
    """

    def __init__(self, disk: Disk, folder: Path) -> None:
        self.folder = folder
        self._disk = disk
        self._files: dict[str, Stamp] = {}
        self._threads: ThreadPoolExecutor | None = None
        self._under_way: deque[Future[None]] = deque()

    def __contains__(self, name: str) -> bool:
        self.settle()
        return file_name(name) in self._files

    def path(self, name: str) -> Path:
        """The file of a table or text that was written."""
        self.settle()
        return self._path(name)

    def _path(self, name: str) -> Path:
        return self.folder / file_name(name)

    def write(self, table: str, rows: pa.Table) -> None:
        """Write a table."""
        with self.writer(table, rows.schema, **_STATED) as writer:
            writer.write_table(rows)

    def write_beside(self, table: str, rows: pa.Table, group: int | None = None) -> None:
        """Write a table, mostly of numbers, beside what is done next; nobody may change it.

        ``group``: rows of a group.  No more tables wait than there are processors, as each is in
        memory meanwhile.  Raises what went wrong with an earlier one.
        """
        if rows.nbytes < LARGE:
            self._write_numbers(table, rows, group)
            return
        if self._threads is None:
            self._threads = ThreadPoolExecutor(processors())
        while len(self._under_way) >= processors():
            self._under_way.popleft().result()
        self._under_way.append(self._threads.submit(self._write_numbers, table, rows, group))

    def _write_numbers(self, table: str, rows: pa.Table, group: int | None) -> None:
        rows = _filled(rows)
        stated = {**_OF_NUMBERS, "column_encoding": _encodings(rows.schema)}
        with self.writer(table, rows.schema, **stated) as writer:
            writer.write_table(rows, row_group_size=group)

    def settle(self) -> None:
        """Wait for what is written beside; raises what went wrong there."""
        while self._under_way:
            self._under_way.popleft().result()

    def abandon(self) -> None:
        """Begin nothing more; what is under way comes to its end."""
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)

    def write_text(self, name: str, text: str) -> None:
        """Write a text."""
        self._fill(self._path(name), [text.encode(errors=NAMES)])

    @contextmanager
    def writer(self, table: str, schema: pa.Schema, **stated: Any) -> Iterator[pq.ParquetWriter]:
        """Write a table piece by piece."""
        begun = self.begin(table, schema, **stated)
        try:
            yield begun.writer
        except BaseException:
            begun.abandon()
            raise
        begun.close()

    def begin(self, table: str, schema: pa.Schema, **stated: Any) -> TableWriting:
        """Begin a table that is closed later."""
        name = file_name(table)
        return TableWriting(
            Writing(self._disk, self.folder / name), schema, stated,
            lambda stamp: self._files.__setitem__(name, stamp),
        )  # fmt: skip

    def take(self, generation: Generation, table: str, name: str = "") -> None:
        """Take a table of an earlier generation as it is, under another ``name`` if need be."""
        path = generation.path(table)
        to = self.folder / file_name(name or table)
        try:
            self._disk.link(path, to)
        except OSError:
            # Not every file system knows a file by two names.
            with open_file(path) as file:
                self._fill(to, iter(lambda: file.read(_COPIED), b""))
        self._files[to.name] = generation.manifest.files[path.name]

    def _fill(self, path: Path, blocks: Iterable[bytes]) -> None:
        writing = Writing(self._disk, path)
        try:
            for block in blocks:
                writing.write(block)
            writing.close()
        finally:
            writing.abandon()
        self._files[path.name] = writing.stamp

    def rename(self, table: str, name: str) -> None:
        """Let a table that was written have another name."""
        self.settle()
        self._disk.rename(self._path(table), self._path(name))
        self._files[file_name(name)] = self._files.pop(file_name(table))

    def drop(self, table: str) -> None:
        """Take away a table that is not to be part of the generation."""
        self._disk.unlink(self.path(table))
        del self._files[file_name(table)]

    def seal(self, said: Mapping[str, Any]) -> Manifest:
        """Write down what was made; nothing may be added after that."""
        self.settle()
        self.abandon()
        manifest = Manifest(self._files, said)
        file = self._disk.create(self.folder / NAME)
        try:
            self._disk.write(file, manifest.as_bytes())
            self._disk.sync(file)
        finally:
            file.close()
        self._disk.sync_folder(self.folder)
        return manifest


class TableWriting:
    """A table that is being written."""

    def __init__(
        self,
        file: Writing,
        schema: pa.Schema,
        stated: Mapping[str, Any],
        done: Callable[[Stamp], None],
    ) -> None:
        self._file = file
        self._done = done
        self.writer = pq.ParquetWriter(pa.PythonFile(file, mode="w"), schema, **stated)

    def close(self) -> None:
        """Complete the file, on the disk."""
        try:
            self.writer.close()
            self._file.close()
        finally:
            self._file.abandon()
        self._done(self._file.stamp)

    def abandon(self) -> None:
        """Leave the file as it is."""
        self._file.abandon()


def _filled(rows: pa.Table) -> pa.Table:
    """The table with what has no gaps declared so: for no row it is written whether it has one."""
    filled = [
        each.with_nullable(bool(column.null_count))
        for each, column in zip(rows.schema, rows.columns, strict=True)
    ]
    return rows.cast(pa.schema(filled))


def _encodings(schema: pa.Schema) -> dict[str, str]:
    """How the columns are laid out; texts and yes and no as they are."""
    return {
        each.name: "BYTE_STREAM_SPLIT"
        for each in schema
        if pa.types.is_primitive(each.type) and each.type.bit_width >= _SPLIT_FROM
    }


def name_of(manifest: Manifest, number: int) -> str:
    """The name of a generation's folder: which it is, and the hash of all that is in it."""
    return f"{number:06d}-{stamp_of(manifest.as_bytes()).digest[:32]}"
