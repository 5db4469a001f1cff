"""The loops beside one that does no more than their reads and writes: the same records and order.

``python -m benchmarks.bare GAMES.parquet fide-2009 iccf-2009``

For each edition the millions of games a second of the kernel, and of a compiled loop that
goes over the same batches: everybody takes a seat and has the standing laid out there, each game
reads its columns, the numbers in force and what both have, and changes the tallies of both, and
in the end everybody has a standing again.  It reckons nothing, and fetches ahead as the kernel
does.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# As the command has it, before NumPy is imported.
os.environ.setdefault("NUMPY_MADVISE_HUGEPAGE", "0")

import numpy as np
from numba import njit

from benchmarks.measure import inputs
from ratingbook.engine.history import History
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.engine.lending import lend, prefetch
from ratingbook.engine.loops.arrays import SEATS
from ratingbook.engine.loops.names import AHEAD
from ratingbook.rules import registry

TURNS = 5
MILLION = 1_000_000
_WORD = 8


def main() -> None:
    """Print a line for each edition."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path)
    parser.add_argument("books", nargs="+")
    asked = parser.parse_args()
    history = History.of(asked.games, **inputs(asked.games))
    count = len(history) / MILLION
    print("| edition | kernel | reads and writes alone | ratio |\n|---|---|---|---|")
    for name in asked.books:
        program = Program(registry.load(name), compiled=True)
        kernel, bare = [], []
        for _ in range(1 + TURNS):
            run = Run(history.given, program, rows=False)
            bare.append(seconds(only_memory, run))
            kernel.append(seconds(rate, run))
        # The first turn compiles.
        fast, slow = count / min(bare[1:]), count / min(kernel[1:])
        print(f"| `{name}` | {slow:.1f} | {fast:.1f} | {slow / fast:.2f} |", flush=True)


def seconds(work: Callable[[Run], None], run: Run) -> float:
    """Seconds of the processor."""
    began = time.process_time()
    work(run)
    return time.process_time() - began


def rate(run: Run) -> None:
    """The run, to its end."""
    for _ in run.batches():
        pass


def only_memory(run: Run) -> None:
    """The reads and writes of a run that has not begun; it is as it was afterwards."""
    people, room, games = run.state.people, run.state.room, run.plan.games
    standings, work = (_words(each) for each in (people.standings, people.work))
    columns = (
        games.offsets, games.white, games.black, games.score, games.event, room.mark.copy(),
        room.members.copy(), room.seat_white.copy(), room.seat_black.copy(), standings, work,
        people.in_force[0].copy(),
    )  # fmt: skip
    _COMPILED(*(lend(each) for each in columns), SEATS, AHEAD)


def _words(records: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """As many words as the records have."""
    return np.zeros((len(records), records.dtype.itemsize // _WORD), np.int64)


def _loop(
    offsets: Any,
    white: Any,
    black: Any,
    score: Any,
    event: Any,
    mark: Any,
    members: Any,
    seat_white: Any,
    seat_black: Any,
    standings: Any,
    work: Any,
    numbers: Any,
    seats: int,
    ahead: int,
) -> None:
    own, all_of_it = len(standings[0]), len(work[0])
    last = len(white) - 1
    for batch in range(len(offsets) - 1):
        begin, end, now, count = offsets[batch], offsets[batch + 1], (batch + 1) * seats, 0
        for game in range(begin, end):
            coming = min(game + ahead, last)
            prefetch(mark, white[coming])
            prefetch(mark, black[coming])
            for colour in range(2):
                player = black[game] if colour else white[game]
                is_new = mark[player] < now
                seat = count if is_new else mark[player] - now
                mark[player] = now + seat
                members[count] = player
                if colour:
                    seat_black[game - begin] = seat
                else:
                    seat_white[game - begin] = seat
                count += int(is_new)
        for seat in range(count):
            player = members[seat]
            prefetch(standings, members[min(seat + ahead, count - 1)])
            for word in range(all_of_it):
                work[seat][word] = standings[player][word] if word < own else 0
        for game in range(begin, end):
            coming = min(game + ahead, end - 1)
            prefetch(work, seat_white[coming - begin])
            prefetch(work, seat_black[coming - begin])
            prefetch(numbers, white[coming])
            prefetch(numbers, black[coming])
            said = score[game] + event[game] + numbers[white[game]] + numbers[black[game]]
            first, second = seat_white[game - begin], seat_black[game - begin]
            for word in range(own):
                said += work[first][word] + work[second][word]
            for word in range(own, all_of_it):
                work[first][word] += said
                work[second][word] += said
        for seat in range(count):
            player = members[seat]
            prefetch(standings, members[min(seat + ahead, count - 1)])
            prefetch(numbers, members[min(seat + ahead, count - 1)])
            for word in range(own):
                standings[player][word] = work[seat][word] + work[seat][all_of_it - 1]
            numbers[player] = work[seat][0]


_COMPILED = njit(_loop, error_model="python")

if __name__ == "__main__":
    main()
