"""How did FIDE round its ties?  ``python -m tools.differential.fide_lists [FOLDER]``.

Counts the published changes of the top hundred from 2009 to 2012, recomputed from their games by
the oracle's own table, with K = 10 and the 400-point rule: how many are exact with halves
rounded up, how many with halves away from zero, and how many ties went which way.  The rest, of
which some games are unknown, is listed.  FOLDER holds the vectors (by default that of
``RATINGBOOK_REFERENCE``).
"""

from __future__ import annotations

import csv
import os
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from tools.differential.common import half_up, is_half
from tools.differential.fide import expected_score

K = 10
CAP = 400


@dataclass(frozen=True)
class Change:
    """A published change, and what its games give before rounding."""

    case: str
    day: str
    published: int
    reckoned: Fraction

    @property
    def up(self) -> int:
        """A half rounded up."""
        return half_up(self.reckoned)

    @property
    def away(self) -> int:
        """A half rounded away from zero."""
        return half_up(self.reckoned) if self.reckoned >= 0 else -half_up(-self.reckoned)


def changes(folder: Path) -> list[Change]:
    """The published changes, in the order of the file."""
    totals: dict[str, Fraction] = defaultdict(Fraction)
    with (folder / "fide_lists_2009_2012_games.csv").open(encoding="utf-8", newline="") as file:
        for game in csv.DictReader(file):
            difference = int(game["own"]) - int(game["opponent"])
            expected = expected_score(max(-CAP, min(CAP, difference)))
            totals[game["case"]] += K * (Fraction(game["score"]) - expected)
    with (folder / "fide_lists_2009_2012_periods.csv").open(encoding="utf-8", newline="") as file:
        return [
            Change(
                period["case"],
                period["list"],
                int(period["rating_after"]) - int(period["rating_before"]),
                totals[period["case"]],
            )
            for period in csv.DictReader(file)
        ]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    folder = Path(given[0]) if given else Path(os.environ["RATINGBOOK_REFERENCE"]) / "vectors"
    found = changes(folder)
    print(f"{len(found)} published changes")
    print(f"exact with halves up: {sum(c.up == c.published for c in found)}")
    print(f"exact with halves away from zero: {sum(c.away == c.published for c in found)}")
    for name, sign in (("positive", 1), ("negative", -1)):
        ties = [c for c in found if is_half(c.reckoned) and c.reckoned * sign > 0]
        up = sum(c.published == c.up for c in ties)
        down = sum(c.published == c.up - 1 for c in ties)
        print(f"{name} ties: {len(ties)}, rounded up {up}, rounded down {down}")
    for change in found:
        if change.published != change.up:
            print(
                f"{change.case} list {change.day}: "
                f"published {change.published:+}, reckoned {float(change.reckoned):+.2f}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
