"""What is rated into a folder: a history of one pool, or of several, as the folder sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from ratingbook.engine.history import checkpoint
from ratingbook.engine.history.checkpoint import Checkpoint
from ratingbook.engine.history.published import published_changes
from ratingbook.engine.history.run import Run
from ratingbook.engine.history.tables import batch_table
from ratingbook.engine.store import Generation, Making

Array = np.ndarray[Any, Any]

Pieces = Sequence[tuple[str, int]]
"""Tables that hold the rows of changes, one after the other, and how many of their rows."""

Step = tuple[pa.Table | None, int]
"""Some rows of changes, None where none are wanted, and how many."""


@dataclass(frozen=True)
class Found:
    """A checkpoint on disk that fits, and the rows of changes that were written by then."""

    generation: Generation
    pieces: Pieces
    checkpoints: Sequence[Checkpoint]
    """One for each pool."""


class Course(Protocol):
    """What a folder is filled from."""

    @property
    def schema(self) -> pa.Schema | None:
        """Of the rows of changes; None: none are wanted."""

    @property
    def batches(self) -> int:
        """How many there are."""

    @property
    def games(self) -> int:
        """How many there are."""

    @property
    def games_rated(self) -> int:
        """How many of them are rated."""

    @property
    def batches_rated(self) -> int:
        """How many batches are rated."""

    @property
    def passed_over(self) -> int:
        """Halves of games that the edition does not count."""

    @property
    def unsettled(self) -> tuple[int, str]:
        """Batches that could not be rated; the first one's event."""

    @property
    def is_at_rest(self) -> bool:
        """Whether a run could go on from here."""

    def find(self, generation: Generation) -> tuple[Sequence[Checkpoint] | None, str]:
        """The checkpoints of a generation if they fit, else why they do not."""

    def restore(self, checkpoints: Sequence[Checkpoint]) -> None:
        """Stand where they were taken."""

    def foresee(self) -> None:
        """Reckon what is to be written of where it stands beside what is done next."""

    def write(self, made: Making) -> dict[str, Any]:
        """Write where it stands into a generation; gives what that says of it."""

    def rated(self, *, but_one: bool) -> Iterator[Step]:
        """Rate all, or all but what may not be complete yet."""

    def waiting(self) -> Step:
        """Rows that were not given yet."""

    def tables(self) -> Mapping[str, pa.Table]:
        """What is shown besides the changes."""


class Foreseen:
    """What must be the same for a checkpoint of a run to fit, and the signatures of its batches.

    The games do not change while they are rated, so that this can be reckoned beside it.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._found: Future[tuple[dict[str, Any], Array]] | None = None

    def begin(self) -> Future[tuple[dict[str, Any], Array]]:
        """Begin beside what is done next, if it has not begun."""
        if self._found is None:
            thread = ThreadPoolExecutor(1)
            self._found = thread.submit(self._reckoned)
            thread.shutdown(wait=False)
        return self._found

    def __call__(self) -> tuple[dict[str, Any], Array]:
        """Both, once they are there."""
        return self.begin().result()

    def _reckoned(self) -> tuple[dict[str, Any], Array]:
        return checkpoint.description(self._run), self._run.signatures()


class OneRun:
    """A history of one pool."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.schema = published_changes(run, run.no_changes()).schema if run.writes_rows else None
        self._foreseen = Foreseen(run)

    @property
    def batches(self) -> int:
        """As :class:`Course` has it."""
        return len(self.run.plan)

    @property
    def games(self) -> int:
        """As :class:`Course` has it."""
        return int(self.run.plan.games.offsets[-1])

    @property
    def games_rated(self) -> int:
        """As :class:`Course` has it."""
        return int(self.run.plan.games.offsets[self.run.state.next_batch])

    @property
    def batches_rated(self) -> int:
        """As :class:`Course` has it."""
        return self.run.state.next_batch

    @property
    def passed_over(self) -> int:
        """As :class:`Course` has it."""
        return self.run.state.passed_over

    @property
    def unsettled(self) -> tuple[int, str]:
        """As :class:`Course` has it."""
        return self.run.unsettled

    @property
    def is_at_rest(self) -> bool:
        """Between any two batches."""
        return True

    def find(self, generation: Generation) -> tuple[Sequence[Checkpoint] | None, str]:
        """As :class:`Course` has it."""
        told = generation.said.get("checkpoint")
        if told is None:
            return None, ""
        found, why = checkpoint.find(generation, told, *self._foreseen(), self.run)
        return None if found is None else (found,), why

    def restore(self, checkpoints: Sequence[Checkpoint]) -> None:
        """As :class:`Course` has it."""
        for each in checkpoints:
            checkpoint.restore(self.run, each)

    def foresee(self) -> None:
        """As :class:`Course` has it."""
        self._foreseen.begin()

    def write(self, made: Making) -> dict[str, Any]:
        """As :class:`Course` has it."""
        described, marks = self._foreseen()
        return checkpoint.write(made, self.run, marks, described)

    def rated(self, *, but_one: bool) -> Iterator[Step]:
        """The last list is seldom complete: the games of another month begin before it."""
        run = self.run
        for some in run.batches(max(0, len(run.plan) - 1) if but_one else None):
            yield None if self.schema is None else published_changes(run, some), len(some)

    def waiting(self) -> Step:
        """Nothing waits."""
        return None, 0

    def tables(self) -> Mapping[str, pa.Table]:
        """As :class:`Course` has it."""
        return {"batches": batch_table(self.run), "ratings": self.run.table()}
