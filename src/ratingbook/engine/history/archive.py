"""What a run leaves in its folder so that any of its changes can be explained soon.

The games in the order in which they were rated, in segments of whole batches, with where the
history stood before each: an explanation reads one segment and rates a part of it again.
Nothing of it goes back to the files that the history was read from.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import date
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history import checkpoint
from ratingbook.engine.history.columns import GameColumns, HistoryInput, code_of
from ratingbook.engine.history.decided import Decided
from ratingbook.engine.history.explain import NothingToExplain, explain
from ratingbook.engine.history.plan import Plan
from ratingbook.engine.history.program import COMPILED_FROM, Needs, Program
from ratingbook.engine.history.run import CONSTANTS_FROM, Run
from ratingbook.engine.history.state import State
from ratingbook.engine.left import ARCHIVE
from ratingbook.engine.loops.arrays import Batches, Events, Games
from ratingbook.engine.report.run import RatedRow
from ratingbook.engine.store import Damaged, Generation, Making, Store
from ratingbook.rules.bulk import day_number
from ratingbook.rules.series import BookOrSeries

Array = np.ndarray[Any, Any]

ARCHIVED_FROM = 1_000_000
"""Games from which a run leaves an archive: fewer are rated again while one waits."""
GAMES_OF_A_SEGMENT = 2_500_000
"""Games of a segment, at least, but for the last."""

SEGMENT, TIMETABLE, EVENTS, EVENT_IDS, DESCRIBED, MONTHS, DECIDED = ARCHIVE

_ROUND = "round_told"
"""Column of the rounds as the input has them, beside those that rules look at."""
_PLAYERS = ("white", "black", "white_for", "black_for")
_COLUMNS = tuple(name for name in Games._fields if name != "offsets")
_SPLIT_FROM = 32
"""Bits of a number from which its bytes are written apart, as the high ones say little."""


class Archive:
    """Makes the archive of a run."""

    def __init__(self, run: Run, standings: list[int]) -> None:
        self._run = run
        self.standings = standings
        """Batches before which the standings are there already."""

    def look(self, made: Making) -> None:
        """Write where the run stands, if enough games were rated since it was written last."""
        run, offsets = self._run, self._run.plan.games.offsets
        batch = run.state.next_batch
        since = max(self.standings, default=0)
        if offsets[batch] - offsets[since] >= GAMES_OF_A_SEGMENT and offsets[batch] < offsets[-1]:
            checkpoint.write_state(made, run, run.state, checkpoint.tables_at(batch))
            self.standings.append(batch)

    def take(self, made: Making, earlier: Generation | None) -> None:
        """Take what an earlier generation has of it."""
        for batch in self.standings:
            for table in checkpoint.tables_at(batch):
                if table not in made and earlier is not None:
                    made.take(earlier, table)

    def write(self, made: Making) -> dict[str, Any]:
        """Write the facts, and what is said of them."""
        run, plan = self._run, self._run.plan
        first = State(run.given, run.program, plan, run.assume, run.stretches[0].parameters)
        checkpoint.write_state(made, run, first, checkpoint.tables_at(0))
        bounds = [*sorted({0, *self.standings}), len(plan)]
        for begin, end in pairwise(bounds):
            self._write_segment(made, begin, end)
        batches, events = plan.batches, run.events
        made.write(
            TIMETABLE,
            pa.table(
                {
                    "key": plan.keys,
                    "games": np.diff(plan.games.offsets),
                    "day": batches.day,
                    "event": batches.event,
                }
            ),
        )
        facts = {f"fact_{n}": np.ascontiguousarray(events.facts[n]) for n in _names(events.facts)}
        many = len(plan.event_order)
        days = {"start": events.start[:many], "end": events.end[:many]}
        made.write(EVENTS, pa.table({"code": plan.event_order, **days, **facts}))
        made.write(EVENT_IDS, pa.table({"id": run.given.event_ids}))
        if run.given.events is not None:
            made.write(DESCRIBED, run.given.events)
        if plan.months is not None:
            made.write(MONTHS, pa.table({"key": plan.months}))
        if plan.decided is not None:
            made.write(DECIDED, pa.table(asdict(plan.decided)))
        kinds = {name: getattr(plan.games, name).dtype.str for name in _COLUMNS}
        return {
            "bounds": bounds, "slots": plan.slots, "needs": asdict(plan.needs), "kinds": kinds,
        }  # fmt: skip

    def _write_segment(self, made: Making, begin: int, end: int) -> None:
        run, plan = self._run, self._run.plan
        part = slice(int(plan.games.offsets[begin]), int(plan.games.offsets[end]))
        columns = {
            name: values[part] for name in _COLUMNS if len(values := getattr(plan.games, name))
        }
        told = run.given.games.round
        if told is not None:
            columns[_ROUND] = told[part] if plan.moved is None else told[plan.moved[part]]
        table = pa.table(columns)
        split = {
            each.name: "BYTE_STREAM_SPLIT"
            for each in table.schema
            if each.type.bit_width >= _SPLIT_FROM
        }
        with made.writer(
            _segment(begin), table.schema, compression="lz4", use_dictionary=False,
            column_encoding=split,
        ) as writer:  # fmt: skip
            writer.write_table(table)


def standings_of(found: checkpoint.Checkpoint | None) -> list[int]:
    """Batches before which the standings were written by the time of a checkpoint."""
    told = [] if found is None else found.generation.said.get("standings", [])
    return [batch for batch in told if found is not None and batch <= found.next_batch]


def is_archived(run: Run) -> bool:
    """Whether a run leaves an archive: it is large, and has its games here."""
    return ARCHIVED_FROM <= int(run.plan.games.offsets[-1]) == len(run.plan.games.white)


def _segment(batch: int) -> str:
    return f"{SEGMENT}-{batch:012d}"


def _names(records: Array) -> tuple[str, ...]:
    return records.dtype.names or ()


class Archived:
    """The archive of a generation, as it is read; what is damaged raises ``Damaged``."""

    def __init__(self, generation: Generation, book: BookOrSeries, assume: float | None) -> None:
        self._generation, self._said = generation, generation.said["archive"]
        self._assume = assume
        self._first = self._standings(0)
        self._timetable = generation.table(TIMETABLE)
        self._offsets = np.r_[0, np.cumsum(self._numbers("games"))].astype(np.int64)
        self._program = Program(book, compiled=self._offsets[-1] >= COMPILED_FROM)
        self.players = self._first[0]["player"].combine_chunks()

    def explain(self, player: str, when: int | date | None) -> list[RatedRow] | None:
        """The rows of a player, as :func:`.explain.explain` tells them.

        None where there are none, or where something is damaged.
        """
        try:
            return self._explained(player, when) or None
        except Damaged:
            return None

    def _explained(self, player: str, when: int | date | None) -> list[RatedRow]:
        code = code_of(self.players, player)
        rows: list[RatedRow] = []
        for begin, end in self._segments(when) if code >= 0 else ():
            games = self._generation.table(_segment(begin))
            sides = [games[name].to_numpy() for name in games.column_names if name in _PLAYERS]
            if not any((side == code).any() for side in sides):
                continue
            run = self._run(begin, end, games)
            with suppress(NothingToExplain):
                rows = explain(run, player, when) + rows
                if not isinstance(when, date):
                    break
        return rows

    def _standings(self, batch: int) -> tuple[pa.Table, pa.Table]:
        standings, kept = (self._generation.table(name) for name in checkpoint.tables_at(batch))
        return standings, kept

    def _numbers(self, name: str) -> Array:
        found: Array = np.array(self._timetable[name].to_numpy())
        return found

    def _segments(self, when: int | date | None) -> Iterator[tuple[int, int]]:
        """The segments in which what is asked for may be, from the last to the first."""
        keys = self._numbers("key")
        for begin, end in reversed(list(pairwise(self._said["bounds"]))):
            if isinstance(when, date):
                has = (keys[begin:end] == day_number(when)).any()
            else:
                has = when is None or begin <= when < end
            if has:
                yield begin, end

    def _run(self, begin: int, end: int, games: pa.Table) -> Run:
        """The run as it stood before the first batch of a segment, with its games only."""
        program, generation = self._program, self._generation
        base, count = self._offsets[begin], int(self._offsets[end] - self._offsets[begin])
        columns = {
            name: np.array(games[name].to_numpy())
            if name in games.column_names
            else np.empty(0, kind)
            for name, kind in self._said["kinds"].items()
        }
        events = generation.table(EVENTS)
        facts = np.empty(len(events), program.facts)
        for name in _names(facts):
            facts[name] = events[f"fact_{name}"].to_numpy()
        decided = self._table(DECIDED)
        months = self._table(MONTHS)
        nothing = np.empty(0, np.int32)
        plan = Plan(
            games=Games(offsets=np.clip(self._offsets - base, 0, count), **columns),
            events=Events(
                start=np.array(events["start"].to_numpy()),
                end=np.array(events["end"].to_numpy()),
                facts=facts,
            ),
            batches=Batches(self._numbers("day"), self._numbers("event")),
            keys=self._numbers("key"),
            slots=self._said["slots"],
            event_order=events["code"].to_numpy(),
            months=None if months is None else months["key"].to_numpy(),
            needs=Needs(**self._said["needs"]),
            decided=None if decided is None else Decided(**_columns_of(decided)),
        )
        told = games[_ROUND].to_numpy() if _ROUND in games.column_names else None
        given = HistoryInput(
            GameColumns(nothing, nothing, nothing, np.empty(0, np.int8), round=told),
            self.players,
            generation.table(EVENT_IDS)["id"].combine_chunks(),
            pa.nulls(0),
            events=self._table(DESCRIBED),
        )
        is_long = int(self._offsets[-1]) >= CONSTANTS_FROM
        run = Run(given, program, assume=self._assume, rows=False, plan=plan, constants=is_long)
        people = run.state.people
        for name, column in (
            ("birth", people.birth),
            ("adult", people.adult),
            ("grade", people.grade),
        ):
            column[:] = self._first[0][name].to_numpy()
        checkpoint.stand(run, 0, *self._first)
        if begin:
            checkpoint.stand(run, begin, *self._standings(begin))
        return run

    def _table(self, name: str) -> pa.Table | None:
        return self._generation.table(name) if name in self._generation else None


def _columns_of(table: pa.Table) -> dict[str, Array]:
    return {name: np.array(table[name].to_numpy()) for name in table.column_names}


def archived_in(store: Store, book: BookOrSeries, assume: float | None) -> Archived | None:
    """The archive in a folder.

    None where there is none that is sound, or where the rules or the code are not what they
    were: then the changes may have come about otherwise.
    """
    try:
        generation = store.current()
        if generation is None or "archive" not in generation.said:
            return None
        needs = Needs(**generation.said["archive"]["needs"])
        program = Program(book, compiled=False).fitted(needs)
        made_from = generation.said["checkpoint"]["made_from"]
        now = checkpoint.code_and_numbers(program, assume)
        if any(made_from.get(name) != now[name] for name in now):
            return None
        return Archived(generation, book, assume)
    except Damaged:
        return None
