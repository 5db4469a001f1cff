"""Where a history stands after a batch, kept in a folder so that it can go on from there.

A checkpoint is taken up only where it fits: the same edition, parameters and code, and
the same games in all batches that it has behind it.  Each batch has a signature of its
games, which does not depend on their order or on how players are numbered.
"""

from __future__ import annotations

import shutil
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.engine.history import manifest
from ratingbook.engine.history.columns import codes_of
from ratingbook.engine.history.kept import kept_of, put_kept
from ratingbook.engine.history.run import Run, known_records
from ratingbook.rules.bulk import EPOCH

Array = np.ndarray[Any, Any]

FORMAT = 4


@dataclass(frozen=True)
class Origin:
    """Where the rows of changes of an unfinished run stand."""

    run: str
    """The name of the run that writes them."""
    final: str
    """The name of the run whose finished file holds the first of them."""
    base: int
    """How many those are; the others are in parts."""


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint on disk that fits a run."""

    folder: Path
    next_batch: int
    rows: int
    """Rows of changes written by then."""
    origin: Origin
    """Where they stand."""
    passed_over: int
    unsettled: tuple[int, int]


def description(run: Run, assume: float | None) -> dict[str, Any]:
    """What must be the same for a checkpoint to fit."""
    book = run.program.book
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
        "code": run.program.key,
        "assume": assume,
        "slots": run.plan.slots,
    }


def _said(run: Run) -> dict[str, Array]:
    """What the players file says of everybody, as far as the edition reads it."""
    known = known_records(run.given, run.program)
    columns = {f"known_{name}": np.ascontiguousarray(known[name]) for name in known.dtype.names}
    people = run.people
    return {**columns, "birth": people.birth, "adult": people.adult, "grade": people.grade}


def save(
    folder: Path, run: Run, described: dict[str, Any], marks: Array, rows: int, origin: Origin
) -> None:
    """Write a checkpoint; the one before stays until this one is complete."""
    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    pq.write_table(_state(run), fresh / "standings.parquet", compression="lz4")
    pq.write_table(_kept(run), fresh / "kept.parquet", compression="lz4")
    done = marks[: run.next_batch]
    pq.write_table(
        pa.table({"key": run.plan.keys[: run.next_batch], "signature": done}),
        fresh / "batches.parquet",
    )
    manifest.write_manifest(
        fresh,
        {
            **described,
            "next_batch": run.next_batch,
            "rows": rows,
            "origin": asdict(origin),
            "passed_over": run.passed_over,
            "unsettled": run.room.unsettled[:2].tolist(),
        },
    )
    old = folder.with_name(folder.name + ".old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    fresh.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def find(
    folder: Path, described: dict[str, Any], marks: Array, run: Run
) -> tuple[Checkpoint | None, str]:
    """The checkpoint of a folder if it fits, else the reason why it does not."""
    plan = run.plan
    for place in (folder, folder.with_name(folder.name + ".old")):
        if (place / manifest.NAME).is_file():
            break
    else:
        return None, ""
    said = manifest.read_manifest(place)
    try:
        done = pq.read_table(place / "batches.parquet")
        for name in ("standings", "kept"):
            pq.read_table(place / f"{name}.parquet")
    except (ValueError, OSError, pa.ArrowException):
        return None, "it cannot be read"
    if said is None:
        return None, "it cannot be read"
    for name, value in described.items():
        if said.get(name) != value:
            return None, _REASONS.get(name, f"{name} is another")
    count = int(said["next_batch"])
    if count > len(plan):
        return None, "games that it has behind it are missing now"
    same = (done["key"].to_numpy() == plan.keys[:count]) & (
        done["signature"].to_numpy() == marks[:count]
    )
    if not same.all():
        first = int(np.flatnonzero(~same)[0])
        day = EPOCH + timedelta(days=int(done["key"][first].as_py()))
        return None, f"the games of batch {first:,} ({day}) are not what they were"
    rated = pq.read_table(place / "standings.parquet", columns=["player"])["player"]
    if (codes_of(run.given.players, rated.combine_chunks()) < 0).any():
        return None, "players whom it knows are missing now"
    if not _says_the_same(run, place):
        return None, "the players file says something else of players who were rated"
    unsettled = (int(said["unsettled"][0]), int(said["unsettled"][1]))
    rows, origin = int(said["rows"]), Origin(**said["origin"])
    return Checkpoint(place, count, rows, origin, int(said["passed_over"]), unsettled), ""


def _says_the_same(run: Run, folder: Path) -> bool:
    """Whether the players file says what it said of the players in a checkpoint."""
    table = pq.read_table(folder / "standings.parquet")
    codes = codes_of(run.given.players, table["player"].combine_chunks())
    return all(
        np.array_equal(now[codes], table[name].to_numpy(), equal_nan=now.dtype.kind == "f")
        for name, now in _said(run).items()
    )


_REASONS = {
    "format": "it was written by another version",
    "rulebook": "it is of another edition",
    "parameters": "the parameters are others",
    "code": "the code of the rules is another",
    "assume": "--assume is another",
    "slots": "games reach further back than its lists",
}


def restore(run: Run, checkpoint: Checkpoint) -> None:
    """Put a run where the checkpoint was taken."""
    table = pq.read_table(checkpoint.folder / "standings.parquet")
    codes = codes_of(run.given.players, table["player"].combine_chunks())
    people = run.people
    for name in people.standings.dtype.names or ():
        people.standings[name][codes] = table[f"standing_{name}"].to_numpy()
    people.last[codes] = table["last"].to_numpy()
    for name in people.decided.dtype.names or () if len(people.decided) else ():
        if f"decided_{name}" in table.column_names:
            people.decided[name][codes] = table[f"decided_{name}"].to_numpy()
    # Who is new in the input was there from the beginning with the first standing.
    for slot in range(1, run.plan.slots):
        people.in_force[slot] = people.in_force[0]
    for slot in range(run.plan.slots):
        people.in_force[slot][codes] = table[f"in_force_{slot}"].to_numpy()
    _restore_kept(run, pq.read_table(checkpoint.folder / "kept.parquet"))
    run.room.passed_over[0] = checkpoint.passed_over
    run.room.unsettled[:2] = checkpoint.unsettled
    run.next_batch = checkpoint.next_batch
    run.reform_newcomers(np.setdiff1d(np.arange(run.players), codes))


def _state(run: Run) -> pa.Table:
    people = run.people
    columns: dict[str, Any] = {"player": run.given.players}
    for name in people.standings.dtype.names or ():
        columns[f"standing_{name}"] = np.ascontiguousarray(people.standings[name])
    columns |= _said(run)
    columns["last"] = people.last
    for name in people.decided.dtype.names or () if len(people.decided) else ():
        columns[f"decided_{name}"] = np.ascontiguousarray(people.decided[name])
    for slot, numbers in enumerate(people.in_force):
        columns[f"in_force_{slot}"] = numbers
    return pa.table(columns)


def _kept(run: Run) -> pa.Table:
    """The kept sides, player by player in their order."""
    players, kept = kept_of(run)
    columns: dict[str, Any] = {"player": run.given.players.take(pa.array(players))}
    for name in kept.dtype.names or ():
        columns[f"kept_{name}"] = np.ascontiguousarray(kept[name])
    return pa.table(columns)


def _restore_kept(run: Run, table: pa.Table) -> None:
    kept = np.zeros(len(table), run.program.kept)
    for name in kept.dtype.names or ():
        kept[name] = table[f"kept_{name}"].to_numpy()
    put_kept(run, codes_of(run.given.players, table["player"].combine_chunks()), kept)
