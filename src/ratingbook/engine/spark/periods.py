"""A run whose periods are rated by workers.

In each the driver broadcasts the standings, and every task rates the players of one bucket by
that bucket's games.  Nothing is shuffled between workers, and no period knows of the one before
but through the driver, so the lineage of a job is one step long.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.folder import work_of
from ratingbook.engine.history.kept import kept_of, put_kept
from ratingbook.engine.history.plan import Plan
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Changes, Run
from ratingbook.engine.spark.buckets import Prepared, prepare
from ratingbook.engine.spark.exchange import Rated, Sent, replaced, rows_of
from ratingbook.engine.spark.handing import hand_over_all
from ratingbook.engine.spark.laying import Laid
from ratingbook.engine.spark.packing import packed, packed_records, put_records, unpacked
from ratingbook.engine.spark.session import Cluster, refused
from ratingbook.engine.spark.settings import OnCluster, timed_by
from ratingbook.engine.spark.work import BookName, Order, RateBucket, lay_down

Array = np.ndarray[Any, Any]

RATED = "rated"
"""The part of the workers' folder in which the games of the periods lie."""


def buckets_of(ready: Cluster, options: OnCluster, players: int) -> int:
    """Into how many buckets so many players are divided."""
    return max(1, min(options["buckets"] or ready.cores, players))


class OfSeveral(NamedTuple):
    """One of the runs of a history that are rated in step, each of one pool."""

    whole: str
    """An id of the history, by which worker processes know what they hold."""
    number: int


@dataclass(frozen=True)
class _Ready:
    """What is made once, before the first period is sent."""

    prepared: Prepared
    common: Any
    """Broadcast :class:`.Order`."""
    thread: ThreadPoolExecutor
    """Who waits for the workers."""


class ClusterRun(Run):
    """A run whose periods are rated by workers.

    The driver holds the standings.  While the rows of a period are written, the next
    one is already rated.
    """

    def __init__(
        self,
        given: HistoryInput,
        program: Program,
        ready: Cluster,
        out: Path,
        options: OnCluster,
        *,
        plan: Plan | None = None,
        laid: Laid | None = None,
        of: OfSeveral | None = None,
    ) -> None:
        super().__init__(
            given, program, assume=options["assume"], rows=options["changes"],
            plan=laid.plan if laid else plan,
            # Of several pools all are reformed, and then told of each other.
            with_reforms=of is None,
            # Workers compile for any parameters, and take what is compiled here.
            constants=False,
        )  # fmt: skip
        self._laid = laid
        self._cluster = ready
        self._buckets = buckets_of(ready, options, self.players)
        self._timed = timed_by(options)
        self._group = uuid.uuid4().hex
        self._of = of or OfSeveral(self._group, 0)
        self._work = work_of(out) / RATED / f"{self._of.number:02d}"
        self._made: _Ready | None = None
        self._job: Future[list[Rated]] | None = None
        self._kept: tuple[Array, Array] | None = None

    def signatures(self) -> Array:
        """The signature of each batch, which workers have added up if they read the games."""
        return super().signatures() if self._laid is None else self._laid.marks

    def players_in(self, first: int, stop: int) -> Array:
        """Who plays in some batches; where workers read the games, by what they leave of them."""
        if self._laid is None:
            return super().players_in(first, stop)
        prepared = self._ready().prepared
        filled = [period for period in range(first, stop) if self._games_in(period)]
        orders = (prepared.order(period) for period in filled)
        return np.unique(np.concatenate([np.empty(0, np.int32), *orders]))

    def close(self) -> None:
        """End what the workers still do for this run."""
        job, made = self._job, self._made
        self._job = self._made = self._kept = None
        if job is not None:
            self._cluster.cancel(self._group)
            job.exception()
        if made is not None:
            made.thread.shutdown()
            made.common.destroy()

    def begin(self) -> None:
        """Send the next period to the workers, unless they have it already."""
        if self._job is not None or self.state.next_batch >= len(self.plan):
            return
        made = self._ready()
        # The standings are sent from here: two threads would only wait for each other.
        fielded = self.settle_fields()
        self.decide()
        if self._games_in(self.state.next_batch):
            sent = self._sent(made.prepared, fielded)
            self._job = made.thread.submit(self._rated_by_workers, made, sent)
        else:
            self._job = Future()
            self._job.set_result([])

    def batches(
        self, until: int | None = None, *, low: int = 0, high: int | None = None
    ) -> Iterator[Changes]:
        """Rate up to period ``until``; gives the changes of a period at a time."""
        if low or high not in {None, self.players}:
            raise ValueError("a cluster rates all players")
        last = len(self.plan) if until is None else until
        while self.state.next_batch < last:
            self.begin()
            period, parts = self.state.next_batch, self._waited()
            self._merge(parts)
            self.state.next_batch += 1
            self.reform()
            if self.state.next_batch < last:
                self.begin()
            # From here on the workers have something to do.
            begun = time.monotonic()
            if self._kept is not None:
                # For a checkpoint, which may be written now.
                put_kept(self.state, *self._kept)
            changes = self.no_changes()
            if self.writes_rows and parts:
                players = self._ready().prepared.order(period)
                changes = rows_of(parts, period, players, changes)
            yield changes
            self._timed("write", time.monotonic() - begun)

    def _games_in(self, period: int) -> int:
        offsets = self.plan.games.offsets
        return int(offsets[period + 1] - offsets[period])

    def _ready(self) -> _Ready:
        if self._made is None:
            prepared, order = self._prepare()
            common = self._cluster.context.broadcast(order)
            self._made = _Ready(prepared, common, ThreadPoolExecutor(1))
            self._kept = kept_of(self.state) if self.program.bulk.keeping else None
        return self._made

    def _prepare(self) -> tuple[Prepared, Order]:
        """The files of the periods to come, and what all tasks have in common."""
        begun = time.monotonic()
        if self._laid is None:
            prepared = prepare(
                self.plan.games, self.players, self._buckets, self.state.next_batch,
                self._work / "games", apart=self.plan.together is None,
            )  # fmt: skip
        else:
            prepared = self._laid.prepared
        lay_down(self, self._work)
        self._timed("prepare", time.monotonic() - begun)
        begun = time.monotonic()
        self.compile()
        self._timed("compile", time.monotonic() - begun)
        plan, program = self.plan, self.program
        order = Order(
            whole=self._of.whole,
            number=self._of.number,
            book=BookName.of(program.book),
            compiled=program.compiled,
            code=program.key,
            handed=hand_over_all([program], self._work),
            folder=self._work,
            players=self.players,
            assume=self.assume,
            rows=self.writes_rows,
            batches=plan.batches,
            keys=plan.keys,
            slots=plan.slots,
            needs=plan.needs,
            prepared=prepared,
        )
        return prepared, order

    def _sent(self, prepared: Prepared, fielded: Array) -> Any:
        """The standings before the next period, broadcast."""
        begun = time.monotonic()
        period, people = self.state.next_batch, self.state.people
        players = prepared.order(period)
        owners, records = self._kept or (np.empty(0, np.int32), self.state.room.kept[:0])
        if len(owners):
            playing = np.zeros(self.players, bool)
            playing[players] = True
            which = playing[owners]
            owners, records = owners[which], records[which]
        slots = {period % self.plan.slots, *prepared.slots_of(period)}
        sent = self._cluster.context.broadcast(
            Sent(
                period=period,
                standings=packed_records(people.standings.take(players)),
                last=packed(people.last.take(players)),
                in_force={slot: packed(people.in_force[slot].take(players)) for slot in slots},
                kept_player=owners,
                kept=records,
                decided=packed_records(people.decided.take(players)) if len(people.decided) else (),
                events=fielded,
                facts=self.events.facts[fielded],
            )
        )
        self._timed("broadcast", time.monotonic() - begun)
        return sent

    def _rated_by_workers(self, made: _Ready, sent: Any) -> list[Rated]:
        """One period on the workers."""
        begun = time.monotonic()
        prepared = made.prepared
        try:
            task = RateBucket(made.common, sent, prepared.rows_of(self.state.next_batch))
            buckets = range(prepared.shares.buckets)
            parts: list[Rated] = self._cluster.run(self._group, task, buckets)
        finally:
            # With its copies on the workers: nobody asks for this period again.
            sent.destroy()
        self._timed("job", time.monotonic() - begun)
        return sorted(parts, key=lambda part: part.bucket)

    def _waited(self) -> list[Rated]:
        """What the workers found for the next period, which they have; nothing without games."""
        begun, made, job = time.monotonic(), self._ready(), self._job
        assert job is not None
        parts = job.result()
        self._job = None
        self._timed("wait", time.monotonic() - begun)
        if not self._games_in(self.state.next_batch):
            return parts
        if [part.bucket for part in parts] != list(range(made.prepared.shares.buckets)):
            raise refused(
                "history.cluster", f"Period {self.state.next_batch + 1} came back incomplete.",
                "Run the same command again: it goes on from the last checkpoint.",
            )  # fmt: skip
        for part, (low, high) in zip(parts, pairwise(made.prepared.shares.bounds), strict=True):
            players = part.player
            if len(players) and not (low <= players.min() and players.max() < high):
                raise refused(
                    "history.cluster",
                    "A worker rated players of another bucket in period "
                    f"{self.state.next_batch + 1}.",
                    "Please report this: it is a fault of the program.",
                )
        return parts

    def _merge(self, parts: list[Rated]) -> None:
        """Put what the workers found into the standings and the kept sides."""
        begun = time.monotonic()
        people, room = self.state.people, self.state.room
        slots, period = self.plan.slots, self.state.next_batch
        now = (period + 1) % slots
        for part in parts:
            if len(part.decided_player):
                put_records(people.decided, part.decided_player, part.decided)
                people.in_force[period % slots][part.decided_player] = part.decided_number
        if self.program.bulk.in_force is not None and slots > 1:
            people.in_force[now] = people.in_force[period % slots]
        for part in parts:
            players = part.player
            put_records(people.standings, players, part.standings)
            people.last[players] = unpacked(part.last)
            people.in_force[now][players] = unpacked(part.in_force)
            room.passed_over[0] += part.passed_over
        if any(part.unsettled for part in parts):
            room.unsettled[1] = room.unsettled[1] if room.unsettled[0] else period
            room.unsettled[0] += 1
        if self._kept is not None:
            self._kept = replaced(self._kept, self.players, parts)
        self._timed("merge", time.monotonic() - begun)
