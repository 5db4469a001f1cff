"""How long a large event takes to rate, and to rate with every explanation.

``python tools/measure_explain.py FILE [EDITION]`` prints the best of five of both.
"""

from __future__ import annotations

import sys
import timeit
from functools import partial
from pathlib import Path

from ratingbook.engine.rate import rate
from ratingbook.formats import read
from ratingbook.rules import registry

if __name__ == "__main__":
    report = read(Path(sys.argv[1])).report
    book = registry.load(sys.argv[2] if len(sys.argv) > 2 else "fide-2009")
    if report is None:
        sys.exit(f"{sys.argv[1]} cannot be read")
    asked: tuple[tuple[str, tuple[str, ...] | None], ...] = (
        ("without explanations", ()),
        ("with all explanations", None),
    )
    for what, players in asked:
        seconds = min(
            timeit.repeat(partial(rate, report, book, explain=players), number=1, repeat=5)
        )
        print(f"{what}: {seconds:.3f} s for {len(report.entries)} players")
