"""Pools that are rated together into a folder: from checkpoints of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history import checkpoint
from ratingbook.engine.history.checkpoint import Checkpoint
from ratingbook.engine.history.columns import HistoryInput, codes_of
from ratingbook.engine.history.correct import joined
from ratingbook.engine.history.course import Course, Foreseen, OneRun, Step
from ratingbook.engine.history.pooled_tables import batches_of_pools, changes_of, ratings_of
from ratingbook.engine.history.pools import divided, has_pools
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.history.run import Changes, Run
from ratingbook.engine.history.together import Together
from ratingbook.engine.store import Generation, Making
from ratingbook.model import Findings

Array = np.ndarray[Any, Any]

ROWS_AT_ONCE = 1 << 16
"""Rows of changes that become a table together, at least."""


class AllPools:
    """A history of several pools, as :class:`.Course` has it.

    Its checkpoint is that of each pool, wherever :attr:`.Together.is_at_rest` allows one.
    """

    def __init__(self, together: Together, *, rows: bool = True) -> None:
        self._together = together
        self._rows: dict[str, list[Changes]] = {pool: [] for pool in together.runs}
        self._waits = 0
        self._foreseen = {pool: Foreseen(run) for pool, run in together.runs.items()}
        self.schema = self._table().schema if rows else None

    @property
    def batches(self) -> int:
        """Those that have games."""
        runs = self._together.runs.values()
        return sum(int(np.count_nonzero(np.diff(run.plan.games.offsets))) for run in runs)

    @property
    def games(self) -> int:
        """Over all pools."""
        return self._together.games

    @property
    def games_rated(self) -> int:
        """Over all pools."""
        return self._together.games_rated

    @property
    def batches_rated(self) -> int:
        """Those that have games."""
        return sum(
            int(np.count_nonzero(np.diff(run.plan.games.offsets[: run.state.next_batch + 1])))
            for run in self._together.runs.values()
        )

    @property
    def passed_over(self) -> int:
        """Over all pools."""
        return self._together.passed_over

    @property
    def unsettled(self) -> tuple[int, str]:
        """Over all pools."""
        return self._together.unsettled

    @property
    def is_at_rest(self) -> bool:
        """Whether a run could go on from here."""
        return self._together.is_at_rest

    def find(self, generation: Generation) -> tuple[Sequence[Checkpoint] | None, str]:
        """The checkpoints of all pools, if each fits, and all of them to the line of time."""
        together, said = self._together, generation.said.get("checkpoint")
        if said is None:
            return None, ""
        told = said.get("pools")
        if told is None:
            return None, "it is of one pool"
        if told.keys() != together.runs.keys():
            return None, "it is of other pools"
        found: dict[str, Checkpoint] = {}
        for number, (pool, run) in enumerate(together.runs.items()):
            one, why = checkpoint.find(generation, told[pool], *self._foreseen[pool](), run, number)
            if one is None:
                return None, f"{pool}: {why}"
            found[pool] = one
        if together.turn_after({pool: one.next_batch for pool, one in found.items()}) is None:
            return None, "games of one pool come before games of another that it has behind it"
        if any(told[pool]["reforms"] for pool in found) and self._has_rated_newcomers(found):
            return None, "players with a rating are new since a reform of all ratings"
        return tuple(found.values()), ""

    def _has_rated_newcomers(self, found: Mapping[str, Checkpoint]) -> bool:
        """Whether players whom the checkpoint does not know begin with a rating."""
        for pool, one in found.items():
            given = self._together.parts[pool]
            said = given.standings
            if said is None or "rating" not in said.column_names:
                continue
            is_new = np.ones(len(given.players), bool)
            is_new[codes_of(given.players, one.standings["player"].combine_chunks())] = False
            rated = said["rating"].combine_chunks().is_valid().to_numpy(zero_copy_only=False)
            if is_new[said["player"].to_numpy()[rated]].any():
                return True
        return False

    def restore(self, checkpoints: Sequence[Checkpoint]) -> None:
        """Stand where they were taken."""
        together = self._together
        done = {}
        for (pool, run), one in zip(together.runs.items(), checkpoints, strict=True):
            checkpoint.restore(run, one)
            done[pool] = one.next_batch
        turn = together.turn_after(done)
        assert turn is not None
        together.stand(turn)

    def foresee(self) -> None:
        """Of each pool."""
        for each in self._foreseen.values():
            each.begin()

    def write(self, made: Making) -> dict[str, Any]:
        """Write where each pool stands."""
        pools = {}
        for number, (pool, run) in enumerate(self._together.runs.items()):
            described, marks = self._foreseen[pool]()
            pools[pool] = checkpoint.write(made, run, marks, described, number)
        return {"pools": pools}

    def rated(self, *, but_one: bool) -> Iterator[Step]:
        """Turn by turn; the last list, or section, is seldom complete."""
        together = self._together
        last = len(together.turns) - int(but_one)
        while together.turn < last:
            for pool, some in together.rated(together.turn + 1):
                yield self._taken(pool, some)
            # Here the pools are told of each other.
            yield None, 0
        for pool, some in together.rated_but_one() if but_one else ():
            yield self._taken(pool, some)

    def _taken(self, pool: str, some: Changes) -> Step:
        if len(some):
            self._rows[pool].append(some)
            self._waits += len(some)
        return self.waiting() if self._waits >= ROWS_AT_ONCE else (None, 0)

    def waiting(self) -> Step:
        """Rows that were not given yet."""
        if not self._waits:
            return None, 0
        table, count = self._table(), self._waits
        self._rows = {pool: [] for pool in self._rows}
        self._waits = 0
        return table, count

    def _table(self) -> pa.Table:
        runs = self._together.runs
        rows = {
            pool: joined(some) if some else runs[pool].no_changes()
            for pool, some in self._rows.items()
        }
        return changes_of(self._together, rows)

    def tables(self) -> Mapping[str, pa.Table]:
        """What is shown besides the changes."""
        return {
            "batches": batches_of_pools(self._together), "ratings": ratings_of(self._together),
        }  # fmt: skip


def course_of(
    given: HistoryInput, program: Program, *, assume: float | None, rows: bool
) -> tuple[Course, Findings]:
    """A history in its one pool, or in all that it tells of, and what its plan has noticed.

    Raises :class:`.HistoryRefused` where the pools cannot be told apart.
    """
    if not has_pools(given, program.book):
        run = Run(given, program, assume=assume, rows=rows, constants=False)
        return OneRun(run), run.plan.findings
    parts = divided(given, program.book)
    if parts.findings.refused:
        raise HistoryRefused(parts.findings)
    together = Together(
        parts.parts, program.book, compiled=program.compiled, assume=assume, rows=rows
    )
    together.tell_plans(parts.findings)
    return AllPools(together, rows=rows), parts.findings
