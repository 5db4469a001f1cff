"""What a run leaves in its folder so that any of its changes can be explained soon.

The games in the order in which they were rated, in segments of whole batches, with where the
history stood before each: an explanation reads one segment and rates a part of it again.
Nothing of it goes back to the files that the history was read from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
from ratingbook.engine.history.intake.arrays import as_table, column_of, own_column_of
from ratingbook.engine.history.plan import Plan, batches_of
from ratingbook.engine.history.program import COMPILED_FROM, Needs, Program
from ratingbook.engine.history.run import CONSTANTS_FROM, Run
from ratingbook.engine.history.state import State
from ratingbook.engine.left import ARCHIVE
from ratingbook.engine.loops.arrays import Events, Games
from ratingbook.engine.report.run import RatedRow
from ratingbook.engine.store import Damaged, Generation, Making, Store
from ratingbook.rules.bulk import day_number
from ratingbook.rules.series import BookOrSeries

Array = np.ndarray[Any, Any]

ARCHIVED_FROM = 1_000_000
"""Games from which a run leaves an archive: fewer are rated again while one waits."""
GAMES_OF_A_SEGMENT = 2_500_000
"""Games of a segment, at least, but for the last."""

GAMES_READ_AT_ONCE = 1 << 18
"""A segment is read as far as the batch that is asked for, in steps of so many games."""

SEGMENT, TIMETABLE, EVENTS, EVENT_IDS, DESCRIBED, MONTHS, DECIDED = ARCHIVE

_ROUND = "round_told"
"""Column of the rounds as the input has them, beside those that rules look at."""
_ROW = "row"
"""Column of the rows in the file, where the games were moved."""
_PLAYERS = ("white", "black", "white_for", "black_for")
_COLUMNS = tuple(name for name in Games._fields if name != "offsets")
_OF_PEOPLE = ("player", "birth", "adult", "grade")


class Archive:
    """Makes the archive of a run."""

    def __init__(self, run: Run, standings: list[int]) -> None:
        self._run = run
        self.standings = standings
        """Batches before which the standings are there already."""
        self._segments: list[tuple[int, int]] = []
        """Those of this run that are written, or are being written."""

    @property
    def is_due(self) -> bool:
        """Whether enough games were rated since it was last written where the run stands."""
        offsets, batch = self._run.plan.games.offsets, self._run.state.next_batch
        since = max(self.standings, default=0)
        is_long = offsets[batch] - offsets[since] >= GAMES_OF_A_SEGMENT
        return bool(is_long and offsets[batch] < offsets[-1])

    def write_standing(self, made: Making) -> None:
        """Write where the run stands, and beside what is rated next the games up to there."""
        run, batch = self._run, self._run.state.next_batch
        checkpoint.write_state(made, run, run.state, checkpoint.tables_at(batch), said=False)
        self._write_segment(made, max(self.standings, default=0), batch)
        self.standings.append(batch)

    def take(self, made: Making, earlier: Generation | None) -> None:
        """Take what an earlier generation has of it."""
        tables = [_segment(begin) for begin, _ in self._segments]
        for batch in self.standings:
            tables += checkpoint.tables_at(batch)
        for table in tables:
            if table not in made and earlier is not None:
                made.take(earlier, table)

    def write(self, made: Making) -> dict[str, Any]:
        """Write the facts, and what is said of them."""
        run, plan = self._run, self._run.plan
        first = State(run.given, run.program, plan, run.assume, run.stretches[0].parameters)
        checkpoint.write_state(made, run, first, checkpoint.tables_at(0), said=True)
        bounds = [*sorted({0, *self.standings}), len(plan)]
        for begin, end in pairwise(bounds):
            if (begin, end) not in self._segments:
                self._write_segment(made, begin, end)
        batches, events = plan.batches, run.events
        made.write(
            TIMETABLE,
            as_table(
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
        made.write_beside(EVENTS, as_table({"code": plan.event_order, **days, **facts}))
        made.write_beside(EVENT_IDS, as_table({"id": run.given.event_ids}))
        if run.given.events is not None:
            made.write(DESCRIBED, run.given.events)
        if plan.months is not None:
            made.write(MONTHS, as_table({"key": plan.months}))
        if plan.decided is not None:
            made.write(DECIDED, as_table(asdict(plan.decided)))
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
        if plan.moved is not None:
            columns[_ROW] = plan.moved[part]
        made.write_beside(_segment(begin), as_table(columns), GAMES_READ_AT_ONCE)
        self._segments.append((begin, end))


def standings_of(found: checkpoint.Checkpoint | None, tell: Callable[[Damaged], None]) -> list[int]:
    """Batches before which the standings were written by the time of a checkpoint.

    Those that are damaged are told, and left out: what lies behind them is then explained from
    the standings before.
    """
    if found is None:
        return []
    sound = []
    for batch in found.generation.said.get("standings", []):
        if batch > found.next_batch:
            continue
        try:
            for table in checkpoint.tables_at(batch):
                found.generation.check(table)
        except Damaged as error:
            tell(error)
        else:
            sound.append(batch)
    return sound


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
        self._people = generation.table(checkpoint.tables_at(0)[0], columns=_OF_PEOPLE)
        self._timetable = generation.table(TIMETABLE)
        self._offsets = np.r_[0, np.cumsum(self._numbers("games"))].astype(np.int64)
        self._program = Program(book, compiled=self._offsets[-1] >= COMPILED_FROM)
        self.players = self._people["player"].combine_chunks()

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
            count = int(self._offsets[end] - self._offsets[begin])
            games = self._generation.table(_segment(begin), rows=count).slice(0, count)
            sides = [name for name in games.column_names if name in _PLAYERS]
            if not any((column_of(games, name) == code).any() for name in sides):
                continue
            run = self._run(begin, games)
            with suppress(NothingToExplain):
                rows = explain(run, player, when) + rows
                if not isinstance(when, date):
                    break
        return rows

    def _standings(self, batch: int) -> tuple[pa.Table, pa.Table]:
        standings, kept = (self._generation.table(name) for name in checkpoint.tables_at(batch))
        return standings, kept

    def _numbers(self, name: str) -> Array:
        return own_column_of(self._timetable, name)

    def _segments(self, when: int | date | None) -> Iterator[tuple[int, int]]:
        """The segments in which what is asked for may be, from the last, as far as they are needed.

        Each from its first batch to behind the last one that is wanted.
        """
        if isinstance(when, date):
            wanted = np.flatnonzero(self._numbers("key") == day_number(when))
        else:
            wanted = np.arange(len(self._timetable)) if when is None else np.array([when])
        for begin, end in reversed(list(pairwise(self._said["bounds"]))):
            here = wanted[(begin <= wanted) & (wanted < end)]
            if len(here):
                yield begin, int(here[-1]) + 1

    def _run(self, begin: int, games: pa.Table) -> Run:
        """The run as it stood before the first batch of a segment, with these games of it only."""
        program, generation = self._program, self._generation
        base, count = self._offsets[begin], len(games)
        columns = {
            name: own_column_of(games, name) if name in games.column_names else np.empty(0, kind)
            for name, kind in self._said["kinds"].items()
        }
        events = generation.table(EVENTS)
        facts = np.empty(len(events), program.facts)
        for name in _names(facts):
            facts[name] = column_of(events, f"fact_{name}")
        decided = self._table(DECIDED)
        months = self._table(MONTHS)
        nothing = np.empty(0, np.int32)
        is_moved = _ROW in games.column_names
        described, order = self._table(DESCRIBED), column_of(events, "code")
        plan = Plan(
            games=Games(offsets=np.clip(self._offsets - base, 0, count), **columns),
            events=Events(
                start=own_column_of(events, "start"),
                end=own_column_of(events, "end"),
                facts=facts,
            ),
            batches=batches_of(self._numbers("day"), self._numbers("event"), described, order),
            keys=self._numbers("key"),
            slots=self._said["slots"],
            event_order=order,
            rows=own_column_of(games, _ROW) if is_moved else np.arange(base, base + count),
            months=None if months is None else column_of(months, "key"),
            needs=Needs(**self._said["needs"]),
            decided=None if decided is None else Decided(**_columns_of(decided)),
        )
        told = column_of(games, _ROUND) if _ROUND in games.column_names else None
        given = HistoryInput(
            GameColumns(nothing, nothing, nothing, np.empty(0, np.int8), round=told),
            self.players,
            generation.table(EVENT_IDS)["id"].combine_chunks(),
            pa.nulls(0),
            events=described,
        )
        is_long = int(self._offsets[-1]) >= CONSTANTS_FROM
        run = Run(
            given, program, assume=self._assume, rows=False, plan=plan, constants=is_long,
            blank=True,
        )  # fmt: skip
        people = run.state.people
        for name, column in (
            ("birth", people.birth),
            ("adult", people.adult),
            ("grade", people.grade),
        ):
            column[:] = column_of(self._people, name)
        standings, kept = self._standings(begin)
        if len(standings) < len(self.players):
            # Of those who came with a later run it does not know.
            checkpoint.stand(run, 0, *self._standings(0))
        checkpoint.stand(run, begin, standings, kept)
        return run

    def _table(self, name: str) -> pa.Table | None:
        return self._generation.table(name) if name in self._generation else None


def _columns_of(table: pa.Table) -> dict[str, Array]:
    return {name: own_column_of(table, name) for name in table.column_names}


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
