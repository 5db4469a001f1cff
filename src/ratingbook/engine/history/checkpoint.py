"""Where a history stands after a batch, kept in a folder so that it can go on from there.

A checkpoint is taken up only where it fits: the same edition, parameters, code and engine,
and the same games in the same order in all batches that it has behind it.  Nothing in the
signature of a batch depends on how players are numbered.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import codes_of
from ratingbook.engine.history.intake.arrays import as_table, column_of, to_arrow
from ratingbook.engine.history.kept import kept_of, put_kept
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.engine.history.signatures import engine_key
from ratingbook.engine.history.state import State, known_records
from ratingbook.engine.left import CHECKPOINT
from ratingbook.engine.store import Generation, Making
from ratingbook.rules.bulk import EPOCH

Array = np.ndarray[Any, Any]

FORMAT = 5


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint on disk that fits a run."""

    generation: Generation
    next_batch: int
    passed_over: int
    unsettled: tuple[int, int]
    standings: pa.Table
    kept: pa.Table


def description(run: Run) -> dict[str, Any]:
    """What must be the same for a checkpoint to fit."""
    made_by = code_and_numbers(run.program, run.assume)
    return {**made_by, "slots": run.plan.slots, "changes": run.writes_rows}


def code_and_numbers(program: Program, assume: float | None) -> dict[str, Any]:
    """What must be the same for changes to come about as they did."""
    book = program.book
    return {
        "format": FORMAT,
        "rulebook": book.name,
        "parameters": [
            [
                str(stage.since),
                {name: repr(value) for name, value in stage.parameters._asdict().items()},
            ]
            for stage in book.stages()
        ],
        "code": program.key,
        "rules": program.rules,
        "engine": engine_key(),
        "assume": assume,
    }


def _said(run: Run) -> dict[str, Array]:
    """What the players file says of everybody, as far as the edition reads it."""
    known = known_records(run.given, run.program)
    columns = {f"known_{name}": np.ascontiguousarray(known[name]) for name in known.dtype.names}
    people = run.state.people
    return {**columns, "birth": people.birth, "adult": people.adult, "grade": people.grade}


def tables_at(batch: int) -> tuple[str, str]:
    """The names of the tables of standings and of kept sides before a batch."""
    return f"standings-{batch:012d}", f"kept-{batch:012d}"


def write_state(
    made: Making, run: Run, state: State, names: tuple[str, str], *, said: bool
) -> None:
    """Write where a history stands into a generation, beside what it does next.

    With what the players file has ``said`` of everybody, which does not change on the way.
    """
    standings = _state(run, state, _said(run) if said else {})
    for name, table in zip(names, (standings, _kept(run, state)), strict=True):
        made.write_beside(name, table)


def names_of(pool: int | None) -> tuple[str, str, str]:
    """The tables of a checkpoint; of a history of several pools those of one, by its number."""
    standings, kept, signatures = (
        name if pool is None else f"{name}-{pool:012d}" for name in CHECKPOINT
    )
    return standings, kept, signatures


def write(
    made: Making, run: Run, marks: Array, described: dict[str, Any], pool: int | None = None
) -> dict[str, Any]:
    """Write where a run stands into a generation; gives what that says of it."""
    names = names_of(pool)
    write_state(made, run, run.state, names[:2], said=True)
    done = slice(0, run.state.next_batch)
    made.write(names[2], as_table({"key": run.plan.keys[done], "signature": marks[done]}))
    return {
        "made_from": described,
        "next_batch": run.state.next_batch,
        "passed_over": run.state.passed_over,
        "unsettled": run.state.room.unsettled[:2].tolist(),
        "reforms": _reforms(run, run.state.next_batch),
    }


def _reforms(run: Run, done: int) -> list[str]:
    """The reforms that come before a batch."""
    return [str(each.reform.day) for each in run.reforms if each.before <= done]


def find(
    generation: Generation,
    told: dict[str, Any],
    described: dict[str, Any],
    marks: Array,
    run: Run,
    pool: int | None = None,
) -> tuple[Checkpoint | None, str]:
    """The checkpoint of which a generation has ``told`` if it fits, else why it does not.

    Raises :class:`~ratingbook.engine.store.Damaged` for what is not as it was written.
    """
    plan, names = run.plan, names_of(pool)
    if "made_from" not in told:
        return None, "it is of several pools"
    for name, value in described.items():
        if told["made_from"].get(name) != value:
            return None, _REASONS.get(name, f"{name} is another")
    count = int(told["next_batch"])
    if count > len(plan):
        return None, "games that it has behind it are missing now"
    done = generation.table(names[2])
    same = (column_of(done, "key") == plan.keys[:count]) & (
        column_of(done, "signature") == marks[:count]
    )
    if not same.all():
        first = int(np.flatnonzero(~same)[0])
        day = EPOCH + timedelta(days=int(done["key"][first].as_py()))
        return None, f"the games of batch {first:,} ({day}) are not what they were"
    if told["reforms"] != _reforms(run, count):
        return None, "a reform of all ratings comes at another place"
    standings, kept = generation.table(names[0]), generation.table(names[1])
    codes = codes_of(run.given.players, standings["player"].combine_chunks())
    if (codes < 0).any():
        return None, "players whom it knows are missing now"
    if not _says_the_same(run, standings, codes):
        return None, "the players file says something else of players who were rated"
    unsettled = (int(told["unsettled"][0]), int(told["unsettled"][1]))
    passed_over = int(told["passed_over"])
    return Checkpoint(generation, count, passed_over, unsettled, standings, kept), ""


def _says_the_same(run: Run, table: pa.Table, codes: Array) -> bool:
    """Whether the players file says what it said of the players in a checkpoint."""
    return all(
        np.array_equal(now[codes], column_of(table, name), equal_nan=now.dtype.kind == "f")
        for name, now in _said(run).items()
    )


_REASONS = {
    "format": "it was written by another version",
    "rulebook": "it is of another edition",
    "parameters": "the parameters are others",
    "code": "the code of the rules is another",
    "assume": "--assume is another",
    "changes": "changes were written then and are not now, or the other way",
    "rules": "the code of the rules is another",
    "engine": "it was written by another version",
    "slots": "games reach further back than its lists",
}


def restore(run: Run, checkpoint: Checkpoint) -> None:
    """Put a run where the checkpoint was taken."""
    stand(run, checkpoint.next_batch, checkpoint.standings, checkpoint.kept)
    run.state.room.passed_over[0] = checkpoint.passed_over
    run.state.room.unsettled[:2] = checkpoint.unsettled


def stand(run: Run, batch: int, table: pa.Table, kept: pa.Table) -> None:
    """Put a run before a batch, with the standings and the kept sides of then."""
    codes = codes_of(run.given.players, table["player"].combine_chunks())
    people = run.state.people
    for name in people.standings.dtype.names or ():
        people.standings[name][codes] = column_of(table, f"standing_{name}")
    people.last[codes] = column_of(table, "last")
    for name in people.decided.dtype.names or () if len(people.decided) else ():
        if f"decided_{name}" in table.column_names:
            people.decided[name][codes] = column_of(table, f"decided_{name}")
    # Who is new in the input was there from the beginning with the first standing.
    for slot in range(1, run.plan.slots):
        people.in_force[slot] = people.in_force[0]
    for slot in range(run.plan.slots):
        people.in_force[slot][codes] = column_of(table, f"in_force_{slot}")
    _restore_kept(run, kept)
    run.state.next_batch = batch
    is_new = np.ones(run.players, bool)
    is_new[codes] = False
    run.reform_newcomers(np.flatnonzero(is_new))


def _state(run: Run, state: State, said: dict[str, Array]) -> pa.Table:
    """How all players stand now, in memory of its own."""
    people = state.people
    columns: dict[str, Any] = {"player": run.given.players}
    for name in people.standings.dtype.names or ():
        columns[f"standing_{name}"] = people.standings[name].copy()
    columns |= said
    columns["last"] = people.last.copy()
    for name in people.decided.dtype.names or () if len(people.decided) else ():
        columns[f"decided_{name}"] = people.decided[name].copy()
    for slot, numbers in enumerate(people.in_force):
        columns[f"in_force_{slot}"] = numbers.copy()
    return as_table(columns)


def _kept(run: Run, state: State) -> pa.Table:
    """The kept sides, player by player in their order."""
    players, kept = kept_of(state)
    columns: dict[str, Any] = {"player": run.given.players.take(to_arrow(players))}
    for name in kept.dtype.names or ():
        columns[f"kept_{name}"] = np.ascontiguousarray(kept[name])
    return as_table(columns)


def _restore_kept(run: Run, table: pa.Table) -> None:
    kept = np.zeros(len(table), run.program.kept)
    for name in kept.dtype.names or ():
        kept[name] = column_of(table, f"kept_{name}")
    put_kept(run.state, codes_of(run.given.players, table["player"].combine_chunks()), kept)
