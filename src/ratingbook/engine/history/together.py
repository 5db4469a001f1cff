"""Pools that read each other under way: their runs, in step along one line of time.

Where lists are rated, all pools have the lists of all of them: the batches of one number come
out on one day.  Elsewhere the sections of all pools stand in the order of one pool's; one that
counts in two of them is a batch in both.  What is rated at one time reads the others as they stood
before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.plan import plan_of
from ratingbook.engine.history.pools import book_of_pool
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Changes, Run
from ratingbook.engine.history.state import Snapshot
from ratingbook.engine.history.telling import published_in
from ratingbook.model import Findings
from ratingbook.rules.series import BookOrSeries

Array = np.ndarray[Any, Any]

_NO_DAYS = np.empty(0, np.int32)


@dataclass(frozen=True)
class Part:
    """Batches of a pool that are rated without a look at the others."""

    pool: str
    first: int
    stop: int


Turn = tuple[Part, ...]
"""What is rated at one time: before any of it is, all of it has read the others."""


@dataclass(frozen=True)
class Standing:
    """Where all pools stood before a turn."""

    turn: int
    snapshots: Mapping[str, Snapshot]


class Makes(Protocol):
    """Who makes the runs of the pools."""

    def lists(self, pool: str, program: Program) -> Array:
        """Days of the lists of a pool by its own games; none where it has no games."""

    def run(self, pool: str, program: Program, lists: Array | None) -> Run:
        """The run of a pool whose lists are those of all pools."""


@dataclass(frozen=True)
class RunsHere:
    """Runs of games that this process holds, and rates."""

    parts: Mapping[str, HistoryInput]
    assume: float | None
    rows: bool

    def lists(self, pool: str, program: Program) -> Array:
        """As :class:`Makes` has it."""
        part = self.parts[pool]
        keys = plan_of(part, program, self.assume).keys if len(part.games) else _NO_DAYS
        return keys

    def run(self, pool: str, program: Program, lists: Array | None) -> Run:
        """As :class:`Makes` has it."""
        part = self.parts[pool]
        return Run(
            part, program, assume=self.assume, rows=self.rows, keep_left=False,
            plan=plan_of(part, program, self.assume, lists), with_reforms=False, constants=False,
        )  # fmt: skip


class Together:
    """The rating of a history in several pools; ``parts`` are what each is rated from.

    ``makes`` makes the runs; None: they are rated by this process.
    """

    def __init__(
        self,
        parts: Mapping[str, HistoryInput],
        book: BookOrSeries,
        *,
        compiled: bool,
        assume: float | None = None,
        rows: bool = True,
        makes: Makes | None = None,
    ) -> None:
        self.parts, self.book, self.assume, self.compiled = parts, book, assume, compiled
        maker = makes or RunsHere(parts, assume, rows)
        programs = {pool: Program(book_of_pool(book, pool), compiled) for pool in parts}
        lists = None
        if all(program.bulk.calendar is not None for program in programs.values()):
            days = [maker.lists(pool, program) for pool, program in programs.items()]
            lists = np.unique(np.concatenate([_NO_DAYS, *days]))
        self.runs = {pool: maker.run(pool, program, lists) for pool, program in programs.items()}
        self.numbers: dict[str, Array] = {}
        """The number of each batch of a pool in the order of time, which pools share."""
        self.turns = self._turns()
        self.turn = 0
        self._tell_everybody()

    @property
    def players(self) -> int:
        """Number of players."""
        return next(iter(self.runs.values())).players

    @property
    def games(self) -> int:
        """Games over all pools."""
        return sum(int(run.plan.games.offsets[-1]) for run in self.runs.values())

    def is_compiled(self) -> bool:
        """Whether the loops of all pools need no compiling."""
        return all(run.is_compiled() for run in self.runs.values())

    @property
    def games_rated(self) -> int:
        """How many of them are rated."""
        return sum(int(run.plan.games.offsets[run.state.next_batch]) for run in self.runs.values())

    @property
    def passed_over(self) -> int:
        """Halves of games so far that the edition does not count in their pools."""
        return sum(run.state.passed_over for run in self.runs.values())

    @property
    def unsettled(self) -> tuple[int, str]:
        """As ``Run.unsettled``, over all pools."""
        found = [run.unsettled for run in self.runs.values()]
        return sum(count for count, _ in found), next((name for count, name in found if count), "")

    def tell_plans(self, findings: Findings) -> None:
        """Add what the plans of all pools say, each thing once."""
        told = {finding.message for finding in findings}
        for run in self.runs.values():
            for finding in run.plan.findings:
                if finding.message not in told:
                    told.add(finding.message)
                    findings.extend([finding])

    @property
    def is_at_rest(self) -> bool:
        """Whether a run could go on from here: nothing is rated of which others are to be told.

        That is between two turns, and within batches of one pool that follow each other.
        """
        if self.turn == len(self.turns):
            return True
        turn = self.turns[self.turn]
        done = [self.runs[part.pool].state.next_batch for part in turn]
        if all(n <= part.first for n, part in zip(done, turn, strict=True)):
            return True
        return len(turn) == 1 and done[0] < turn[0].stop

    def turn_after(self, done: Mapping[str, int]) -> int | None:
        """The turn that is under way, or next, where so many batches of each pool are done.

        None: they are not what comes first on the line of time.
        """
        for place, turn in enumerate(self.turns):
            if all(done[part.pool] >= part.stop for part in turn):
                continue
            later = (part for each in self.turns[place + 1 :] for part in each)
            is_begun = any(done[part.pool] > part.first for part in turn)
            if (is_begun and len(turn) > 1) or any(done[part.pool] > part.first for part in later):
                return None
            return place
        return len(self.turns)

    def stand(self, turn: int) -> None:
        """Go on with a turn, where the states of the pools are as it needs them."""
        self.turn = turn
        by_list = any(run.program.bulk.calendar is not None for run in self.runs.values())
        if turn and not by_list:
            # Whoever wrote this down may have known of no batch of another pool just here.
            self._tell(self.turns[turn - 1])

    def rated(self, until: int | None = None) -> Iterator[tuple[str, Changes]]:
        """Rate up to a turn; gives the changes of the pools, by the numbers that they share."""
        last = len(self.turns) if until is None else until
        while self.turn < last:
            for part in self.turns[self.turn]:
                self.runs[part.pool].begin()
            for part in self.turns[self.turn]:
                yield from self._rate(part.pool, part.stop)
            self._end_turn()

    def rated_but_one(self) -> Iterator[tuple[str, Changes]]:
        """Rate all turns but the last, and of batches of one pool all but the last of them."""
        last = len(self.turns) - 1
        yield from self.rated(last)
        turn = self.turns[last] if self.turn == last >= 0 else ()
        if len(turn) == 1 and turn[0].stop - turn[0].first > 1:
            yield from self._rate(turn[0].pool, turn[0].stop - 1)

    def _end_turn(self) -> None:
        self._tell(self.turns[self.turn])
        self._reform()
        self.turn += 1

    def rated_to(self, day: int | None) -> Iterator[tuple[str, Changes]]:
        """Rate all batches up to a day, by the numbers that their pools have for them.

        None: all batches.
        """
        while self.turn < len(self.turns):
            turn = self.turns[self.turn]
            keys = {part.pool: self.runs[part.pool].plan.keys for part in turn}
            if day is not None and any(keys[part.pool][part.stop - 1] > day for part in turn):
                # Of batches that follow each other in one pool those up to the day.
                for part in turn:
                    stop = int(np.searchsorted(keys[part.pool], day, side="right"))
                    if stop > part.first:
                        for some in self.runs[part.pool].batches(min(stop, part.stop)):
                            yield part.pool, some
                return
            for part in turn:
                for some in self.runs[part.pool].batches(part.stop):
                    yield part.pool, some
            self._end_turn()

    def up_to(self, pool: str, batch: int) -> None:
        """Rate all that a batch of a pool, by its own number there, rests on."""
        wanted = next(
            number
            for number, turn in enumerate(self.turns)
            if any(part.pool == pool and part.first <= batch < part.stop for part in turn)
        )
        for _ in self.rated(wanted):
            pass
        for _ in self._rate(pool, batch):
            pass

    def snapshot(self) -> Standing:
        """All that later turns rest on, copied."""
        return Standing(self.turn, {pool: run.state.snapshot() for pool, run in self.runs.items()})

    def back_to(self, standing: Standing) -> None:
        """Stand where the snapshots were taken."""
        self.turn = standing.turn
        for pool, snapshot in standing.snapshots.items():
            self.runs[pool].state.back_to(snapshot)

    def _rate(self, pool: str, stop: int) -> Iterator[tuple[str, Changes]]:
        numbers = self.numbers[pool]
        for some in self.runs[pool].batches(stop):
            # A copy, since a few rows would hold the room of many.
            kept = Changes(*(each.copy() for each in vars(some).values()))
            yield pool, replace(kept, batch=numbers[some.batch])

    def _turns(self) -> Sequence[Turn]:
        """What is rated when, and the numbers of the batches."""
        pools = [pool for pool, run in self.runs.items() if len(run.plan.events.start)]
        keys = [_times(self.runs[pool]) for pool in pools]
        counts = [len(each) for each in keys]
        if not counts:
            return ()
        whole = np.concatenate(keys)
        which = np.repeat(np.arange(len(pools)), counts)
        own = np.concatenate([np.arange(count) for count in counts])
        order = np.lexsort((which, *whole.T[::-1]))
        whole, which, own = whole[order], which[order], own[order]
        begins = np.r_[True, (whole[1:] != whole[:-1]).any(axis=1)][: len(whole)]
        number = np.cumsum(begins) - 1
        for place, pool in enumerate(pools):
            self.numbers[pool] = number[which == place].astype(np.int32)
        turns: list[Turn] = []
        bounds = [*np.flatnonzero(begins).tolist(), len(whole)]
        by_list = any(run.program.bulk.calendar is not None for run in self.runs.values())
        for begin, end in pairwise(bounds):
            turn = tuple(
                Part(pools[which[each]], int(own[each]), int(own[each]) + 1)
                for each in range(begin, end)
            )
            before = turns[-1] if turns else ()
            # After every list there may be a reform; sections of one pool need not stop.
            goes_on = len(turn) == len(before) == 1 and turn[0].pool == before[0].pool
            if goes_on and not by_list:
                turns[-1] = (replace(before[0], stop=turn[0].stop),)
            else:
                turns.append(turn)
        return turns

    # What the pools tell each other

    def _tell_everybody(self) -> None:
        everybody = np.arange(self.players)
        for run in self.runs.values():
            self._tell_run(run, everybody)

    def _tell(self, turn: Turn) -> None:
        """Those who played are known in the other pools by what they came to."""
        played = {
            each.pool: self.runs[each.pool].players_in(each.first, each.stop) for each in turn
        }
        for pool, run in self.runs.items():
            others = [players for other, players in played.items() if other != pool]
            if others:
                self._tell_run(run, np.unique(np.concatenate(others)))

    def _tell_run(self, target: Run, players: Array) -> None:
        program = target.program
        pools = program.bulk.pools
        if pools is None or not len(players) or len(self.runs) == 1:
            return
        others = np.empty(len(players), program.others)
        for name, nothing in pools.others._field_defaults.items():
            others[name] = nothing
        for pool, run in self.runs.items():
            fields = {"rating": pool, "games": f"{pool}_games"}
            wanted = {what: name for what, name in fields.items() if name in pools.others._fields}
            if run is target or not wanted:
                continue
            published, told = published_in(run, players)
            for what, name in wanted.items():
                others[name][published] = told[what][published]
        last = max(0, len(target.plan) - 1)
        row = target.state.people.in_force[target.state.next_batch % target.plan.slots]
        p = target.stretch_of(min(target.state.next_batch, last)).parameters
        program.tell_others(target.state.people.standings, players, others, row, p)

    def _reform(self) -> None:
        """Reforms that follow this turn, in all pools before any of them is told of it."""
        done = False
        for run in self.runs.values():
            for each in run.reforms:
                if each.before == run.state.next_batch:
                    row = run.state.people.in_force[run.state.next_batch % run.plan.slots]
                    run.program.reform_all(run.state.people.standings, row, each.parameters)
                    done = True
        if done:
            self._tell_everybody()


def _times(run: Run) -> Array:
    """What orders the batches of a run among those of others: day, event and section."""
    plan = run.plan
    found = np.zeros((len(plan), 3), np.int64)
    found[:, 0] = plan.keys
    if run.program.bulk.calendar is None:
        found[:, 1] = plan.event_order[plan.batches.event]
        if plan.sections is not None:
            found[:, 2] = plan.sections
    return found
