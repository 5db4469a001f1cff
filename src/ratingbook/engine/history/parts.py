"""The rows of changes on their way: part by part, and one table in the end."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.engine.history.course import Found
from ratingbook.engine.memory import give_back
from ratingbook.engine.store import Generation, Making, Store
from ratingbook.engine.store.making import TableWriting
from ratingbook.formats.columnar import open_columns

ROWS_OF_A_GROUP = 1 << 17
"""They are in memory together, as columns and as what is written of them."""
_GIVEN_BACK = 1 << 20
"""Rows after which memory is given back, which takes as long as writing some thousands."""
_STATED: dict[str, Any] = {
    "compression": "lz4",
    "use_dictionary": ["player", "batch", "games", "score"],
}


class Parts:
    """Tables that hold the rows of changes of a run so far, one after the other.

    ``schema`` None: no rows are wanted.  A part of an earlier generation may hold more rows
    than those of before the checkpoint.  A group of rows is written beside the rating of the
    next one; whoever asks for the generation finds nothing being written.
    """

    def __init__(self, store: Store, schema: pa.Schema | None, found: Found | None) -> None:
        self.schema = schema
        self._store = store
        self._made: Making | None = None
        self._earlier: Generation | None = found.generation if found else None
        self.pieces: list[tuple[str, int]] = list(found.pieces) if found else []
        self._writing: TableWriting | None = None
        self._waiting: list[pa.Table] = []
        self._waits = 0
        self._thread: ThreadPoolExecutor | None = None
        self._under_way: Future[None] | None = None
        self._written = self._gave_back = sum(rows for _, rows in self.pieces)
        self.rows = self._written
        """Rows of changes so far."""

    @property
    def made(self) -> Making:
        """The generation that is being made."""
        self._settle()
        if self._made is None:
            self._made = self._store.begin()
        return self._made

    def write(self, some: pa.Table | None, count: int) -> None:
        """Add rows; they are written a group at a time."""
        self.rows += count
        if some is None or not count:
            return
        self._waiting.append(some)
        self._waits += count
        if self._waits >= ROWS_OF_A_GROUP:
            self._flush()

    def _flush(self) -> None:
        if not self._waiting or self.schema is None:
            return
        self._settle()
        if self._writing is None:
            name = f"changes-{self._written:012d}"
            self._writing = self.made.begin(name, self.schema, **_STATED)
            self.pieces.append((name, 0))
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1)
        self._under_way = self._thread.submit(_write, self._writing, self._waiting)
        self._written += self._waits
        name, rows = self.pieces[-1]
        self.pieces[-1] = (name, rows + self._waits)
        self._waiting, self._waits = [], 0

    def _settle(self) -> None:
        """Wait for what is being written; raises what went wrong there."""
        under_way, self._under_way = self._under_way, None
        if under_way is not None:
            under_way.result()
            if self._written - self._gave_back >= _GIVEN_BACK:
                give_back()
                self._gave_back = self._written

    def close(self) -> None:
        """Complete the part that is being written."""
        self._flush()
        self._settle()
        if self._writing is not None:
            self._writing.close()
            self._writing = None

    def abandon(self) -> None:
        """Leave what is under way as it is: the next run takes it away."""
        if self._thread is not None:
            self._thread.shutdown()
        if self._made is not None:
            self._made.abandon()
        if self._writing is not None:
            self._writing.abandon()

    def keep(self) -> None:
        """Take the parts of before into the generation that is being made."""
        for name, _ in self.pieces:
            if name not in self.made and self._earlier is not None:
                self.made.take(self._earlier, name)

    def publish(self, said: dict[str, Any]) -> Generation:
        """Let all that was made become the current generation."""
        made, self._made = self.made, None
        self._earlier = self._store.publish(made, said)
        return self._earlier

    def join(self, name: str) -> None:
        """Make one table of all parts."""
        self.close()
        assert self.schema is not None
        made = self.made
        if len(self.pieces) == 1:
            ((part, rows),) = self.pieces
            if part in made:
                made.rename(part, name)
                return
            assert self._earlier is not None
            if pq.read_metadata(open_columns(self._earlier.path(part))).num_rows == rows:
                made.take(self._earlier, part, name)
                return
        with made.writer(name, self.schema, **_STATED) as writer:
            for part, rows in self.pieces:
                for group in self._groups(part, rows):
                    writer.write_batch(group, row_group_size=ROWS_OF_A_GROUP)
                    give_back()
        for part, _ in self.pieces:
            if part != name and part in made:
                made.drop(part)

    def _groups(self, part: str, rows: int) -> Iterator[pa.RecordBatch]:
        """The first rows of a part."""
        if part in self.made:
            path = self.made.path(part)
        else:
            assert self._earlier is not None
            path = self._earlier.path(part)
        left = rows
        # Nothing is read before it is written.
        with (
            open_columns(path) as source,
            pq.ParquetFile(source, pre_buffer=False) as file,
        ):
            for group in file.iter_batches(ROWS_OF_A_GROUP, use_threads=False):
                if not left:
                    return
                # Many ids may take another type of text than few.
                yield group.slice(0, left).cast(self.schema)
                left -= min(left, len(group))


def _write(writing: TableWriting, some: list[pa.Table]) -> None:
    writing.writer.write_table(pa.concat_tables(some), row_group_size=ROWS_OF_A_GROUP)
