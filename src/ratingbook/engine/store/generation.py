"""A generation as it is read: nothing in it is believed before its stamp was looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.engine.store.disk import open_file
from ratingbook.engine.store.hashing import stamp_of, stamp_of_file
from ratingbook.engine.store.manifest import NAME, NAMES, Manifest, NoManifest
from ratingbook.model import Portable


class Damaged(Portable):
    """A file is not what was written; ``path`` is that file."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path.name} {why}")
        self.path = path
        self.why = why


def file_name(name: str) -> str:
    """The file of a table; a text is known by the name of its file."""
    return name if "." in name else f"{name}.parquet"


@dataclass(frozen=True)
class Generation:
    """Tables and texts that belong together, and what is said of them."""

    folder: Path
    manifest: Manifest
    _sound: set[str] = field(default_factory=set, compare=False)
    """What was verified already."""

    @classmethod
    def at(cls, folder: Path) -> Generation:
        """The generation of a folder; raises :class:`Damaged` where its manifest is no good."""
        try:
            return cls(folder, Manifest.of(_read(folder / NAME)))
        except (NoManifest, OSError) as error:
            raise Damaged(folder / NAME, _why(error)) from error

    @property
    def said(self) -> Any:
        """What the tables were made from."""
        return self.manifest.said

    def __contains__(self, table: str) -> bool:
        return file_name(table) in self.manifest.files

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all tables and texts."""
        return tuple(name.removesuffix(".parquet") for name in self.manifest.files)

    def path(self, name: str) -> Path:
        """The file of a table or text."""
        return self.folder / file_name(name)

    def table(
        self, table: str, *, columns: Sequence[str] | None = None, rows: int | None = None
    ) -> pa.Table:
        """A table, read from the very bytes that were verified; raises :class:`Damaged`.

        ``columns`` are those that are wanted, ``rows`` how many at least from the first on.
        """
        # `read_table` imports all that reads datasets, and with it pandas where there is one.
        file = pq.ParquetFile(pa.BufferReader(self._data(table)))
        groups = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]
        if rows is None or sum(groups) <= rows:
            return file.read(columns)
        enough = 1 + next(n for n, end in enumerate(accumulate(groups)) if end >= rows)
        return file.read_row_groups(range(enough), columns)

    def text(self, name: str) -> str:
        """A text, of the very bytes that were verified; raises :class:`Damaged`."""
        return self._data(name).decode(errors=NAMES)

    def _data(self, name: str) -> bytes:
        path = self.path(name)
        try:
            data = _read(path)
        except OSError as error:
            raise Damaged(path, _why(error)) from error
        if stamp_of(data) != self.manifest.files.get(path.name):
            raise Damaged(path, _NOT_WRITTEN)
        return data

    def check(self, name: str) -> Path:
        """The file of what is too large to hold, verified; raises :class:`Damaged`."""
        path = self.path(name)
        if name in self._sound:
            return path
        try:
            is_sound = stamp_of_file(path) == self.manifest.files.get(path.name)
        except OSError as error:
            raise Damaged(path, _why(error)) from error
        if not is_sound:
            raise Damaged(path, _NOT_WRITTEN)
        self._sound.add(name)
        return path


def _read(path: Path) -> bytes:
    with open_file(path) as file:
        return file.read()


_NOT_WRITTEN = "is not what was written: its hash is another"


def _why(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "is missing"
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror or error}"
    return f"is damaged: {error}"
