"""How long it takes to simulate 10,000 players over 20 years under each rule book.

    python -m benchmarks.worlds [RULEBOOK …]

Seconds of the processor of this process, on one core, with the loops compiled before.  Each rule
book is simulated twice: the second time must give the same bits.
"""

from __future__ import annotations

import hashlib
import sys
import time

from ratingbook.lab.simulate import NAMED, simulate
from ratingbook.rules import registry

WORLDS = {"egf": "go", "iccf": "correspondence", "iecg": "correspondence"}
"""Which scenario suits a federation; all others play in ``club``."""


def main(names: list[str]) -> None:
    """Print a row for each rule book."""
    print("| rule book | scenario | people | games | compile s | s | same bits |")
    print("|---|---|---|---|---|---|---|")
    for name in names or registry.names():
        world = NAMED[WORLDS.get(name.partition("-")[0], "club")]
        begun = time.process_time()
        simulate(name, world.changed({"players": 50, "years": 1}), compiled=True)
        compiled = time.process_time() - begun
        marks, seconds = set(), []
        for _ in range(2):
            begun = time.process_time()
            made = simulate(name, world)
            seconds.append(time.process_time() - begun)
            games = made.history.games
            marks.add(
                hashlib.sha256(
                    made.ratings.tobytes() + games.white.tobytes() + games.score.tobytes()
                ).hexdigest()
            )
        print(
            f"| `{name}` | {world.name} | {len(made.people):,} | {len(games):,} | {compiled:.1f} | "
            f"{min(seconds):.1f} to {max(seconds):.1f} | {'yes' if len(marks) == 1 else 'NO'} |",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
