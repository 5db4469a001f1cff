"""What was published of a person in a batch first, beside what holds now.

What was corrected and put back is what it was at first: nothing of it is revised.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby
from typing import Any

from ratingbook.site.shown.pools import Published

_Row = Mapping[str, Any]
State = dict[int, tuple[float | None, float | None, int, float]]
"""By turn what is published of it: before, after, games and score."""


def is_revised(one: Published, rows: Iterable[_Row]) -> bool:
    """Whether the rows of a batch that hold differ from what was first published."""
    states = states_of(one, rows)
    return bool(states) and states[-1][1] != states[0][1]


def put_back_by(one: Published, rows: Iterable[_Row]) -> int:
    """The last publication after which it was again what was first published; 0: none was."""
    states = states_of(one, rows)
    return max((seq for seq, state in states[1:] if state == states[0][1]), default=0)


def revising(one: Published, rows: Sequence[_Row]) -> set[int]:
    """The publications that made other numbers of it, without those that cancel each other out."""
    back = put_back_by(one, rows)
    return {seq for seq, _ in states_of(one, rows)[1:] if seq > back}


def states_of(one: Published, rows: Iterable[_Row]) -> list[tuple[int, State]]:
    """What was published after each publication that brought a row, in their order."""
    found: list[tuple[int, State]] = []
    state: State = {}
    for seq, some in groupby(sorted(rows, key=lambda x: x["seq"]), key=lambda x: x["seq"]):
        state = dict(state)
        for row in some:
            state.pop(row["turn"], None)
            if not row["gone"]:
                numbers = (one.rounded(row[name], row["day"]) for name in ("before", "after"))
                state[row["turn"]] = (*numbers, row["games"], row["score"])
        found.append((seq, state))
    return found


def day_of(moment: datetime | str) -> date:
    """The day of a moment: databases give some as texts."""
    found = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return found.date()
