"""How long a preview of a correction takes: ``python -m benchmarks.previews [--games N]``.

A small office is real: its events of ten years went through the intake and are published.  The
snapshot of its pool is then filled up with invented events of many more players, as the ledger of
a large federation would have it, and results of the real events are corrected, each by itself.
Told are seconds of the process, which other work on the machine does not change much.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import statistics
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.office import (
    DAYS,
    FIRST_DAY,
    GAMES_OF_AN_EVENT,
    PLAYERS_OF_AN_EVENT,
    ROUNDS_OF_AN_EVENT,
    WHO,
    event,
    players_file,
)
from ratingbook.office.acts import asking, imports, receive, runs, setup, snapshots
from ratingbook.office.acts.preview import Bench
from ratingbook.office.home import Home
from ratingbook.office.logic.feeding import GAMES, OPENINGS, SECTIONS, Raw, in_order
from ratingbook.office.store import ledger

REAL_EVENTS, REAL_PLAYERS = 10, 400


def small(work: Path, rulebook: str) -> Home:
    """An office with a few events, published."""
    home = setup.init(work / "office", WHO)
    setup.add_pool("standard", rulebook, WHO)
    (work / "players.json").write_text(json.dumps(players_file(REAL_PLAYERS)), "utf-8")
    imports.import_file(home, work / "players.json", "national", WHO, "standard")
    paths = []
    for number in range(REAL_EVENTS):
        day = FIRST_DAY + timedelta(days=number * DAYS // REAL_EVENTS)
        said = event(number, day, REAL_PLAYERS)
        said["event"] |= {"class": "A", "time_control": "G/90;d5"}
        path = work / f"{number}.json"
        path.write_text(json.dumps(said), "utf-8")
        paths.append(path)
    received, _ = receive.receive_all(home, paths, WHO, receive.Options(pool="standard"))
    for each in received:
        assert each.state == "ready", (each.file, each.state, list(each.findings))
    made = runs.make(home, "standard", FIRST_DAY + timedelta(days=DAYS + 60), WHO)
    runs.approve(made.run.id, WHO)
    runs.publish(home, made.run.id, WHO)
    return home


def filled(raw: Raw, games: int, players: int) -> Raw:
    """The same pool with invented events up to so many games; the real people play in them, too."""
    chance = np.random.default_rng(7)
    events = max(0, games - len(raw.games)) // GAMES_OF_AN_EVENT
    count = events * GAMES_OF_AN_EVENT
    seats = np.array([chance.choice(players, PLAYERS_OF_AN_EVENT, replace=False) + 1
                      for _ in range(events)])  # fmt: skip
    rounds = np.concatenate(
        [chance.permuted(seats, axis=1)[:, None, :] for _ in range(ROUNDS_OF_AN_EVENT)], axis=1
    )
    first = date.toordinal(FIRST_DAY) - date(1970, 1, 1).toordinal()
    days = np.repeat(first + np.arange(events) * (DAYS - 15) // max(1, events), GAMES_OF_AN_EVENT)
    numbers = np.repeat(1_000_000 + np.arange(events), GAMES_OF_AN_EVENT)
    names = [f"{date.fromordinal(int(719163 + days[i * GAMES_OF_AN_EVENT]))}-invented-{i:06}"
             for i in range(events)]  # fmt: skip
    each = PLAYERS_OF_AN_EVENT // 2
    usual = raw.games.slice(0, 1).to_pylist()[0]
    columns: dict[str, Any] = {name: [usual[name]] * count for name in GAMES.names}
    columns |= {
        "game": 10_000_000 + np.arange(count), "number": numbers,
        "date": pa.array(days.astype(np.int32)).cast(pa.date32()),
        "event": pa.array(names).take(pa.array(np.repeat(np.arange(events), GAMES_OF_AN_EVENT))),
        "round": np.tile(np.repeat(np.arange(1, ROUNDS_OF_AN_EVENT + 1), each), events),
        "white": rounds[:, :, :each].reshape(-1), "black": rounds[:, :, each:].reshape(-1),
        "half": chance.integers(0, 3, count),
        "start": pa.array(days.astype(np.int32)).cast(pa.date32()),
    }  # fmt: skip
    more = pa.table([pa.array(columns[n], GAMES.field(n).type) if not isinstance(
        columns[n], pa.Array) else columns[n] for n in GAMES.names], schema=GAMES)  # fmt: skip
    section = raw.sections.slice(0, 1).to_pylist()[0]
    played = pa.array(days[::GAMES_OF_AN_EVENT].astype(np.int32)).cast(pa.date32())
    sections = pa.table([pa.array(numbers[::GAMES_OF_AN_EVENT]), pa.array(names), played, played,
                         pa.array([section["facts"]] * events)], schema=SECTIONS)  # fmt: skip
    opened = random.Random(3)
    said = [json.dumps({"rating": opened.randrange(1200, 2400), "games": 40})
            for _ in range(players)]  # fmt: skip
    openings = pa.table([pa.array([1] * players), pa.array(range(1, players + 1)),
                         pa.array(said)], schema=OPENINGS)  # fmt: skip
    both = {"games": [raw.games, more], "sections": [raw.sections, sections],
            "openings": [openings, raw.openings]}  # fmt: skip
    tables = {name: pa.concat_tables(parts).combine_chunks() for name, parts in both.items()}
    kept = {name: table for name, table in raw.tables().items() if name not in tables}
    return Raw(**{**kept, **tables, "games": in_order(tables["games"])})


def measure(work: Path, rulebook: str, games: int, players: int, count: int) -> None:
    """Fill up, then preview."""
    home = small(work, rulebook)
    upto = ledger.head().seq
    raw = filled(snapshots.raw_of(home, 1, upto), games, players)
    folder = home.snapshots / f"1-{upto}"
    shutil.rmtree(folder)
    snapshots._save(folder, raw, None)
    del raw
    begun = time.process_time()
    assert len(snapshots.raw_of(home, 1, upto).games) > games - GAMES_OF_AN_EVENT
    loading = time.process_time() - begun
    print(f"{rulebook}, {games:,} games, {players:,} players", flush=True)
    print(f"{'load the snapshot':<40}{loading:>8.2f} s", flush=True)
    chance = random.Random(5)
    bench, times, reached = Bench(home), [], []
    for number in range(count + 1):
        report, game = 1 + chance.randrange(REAL_EVENTS), 1 + chance.randrange(GAMES_OF_AN_EVENT)
        before = asking.game(report, game, swap=True)["before"]["half"]
        content = asking.game(report, game, "0-1" if before else "1-0")
        begun = time.process_time()
        shown = bench.preview([content])
        spent = time.process_time() - begun
        if not number:
            print(f"{'the first preview, loading included':<40}{spent:>8.2f} s", flush=True)
            continue
        times.append(spent)
        reached.append(shown.as_dict()["players"])
        print(f"{'  one more':<40}{spent:>8.2f} s {reached[-1]:>7} players", flush=True)
    print(f"{'median of all but the first':<40}{statistics.median(times):>8.2f} s, "
          f"at most {max(times):.2f} s; players {statistics.median(reached):.0f}, "
          f"at most {max(reached)}")  # fmt: skip
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'memory at its peak':<40}{peak:>8.0f} MB")


def main() -> None:
    """Measure."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=1_000_000)
    arguments.add_argument("--players", type=int, default=50_000)
    arguments.add_argument("--rulebook", default="fide-2009")
    arguments.add_argument("--count", type=int, default=25)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), given.rulebook, given.games, given.players, given.count)
        from django.db import connections

        connections.close_all()


if __name__ == "__main__":
    main()
