"""A table of earlier games that still count: the ``history`` of players, one game in each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ratingbook.formats.tables.cells import Row, number
from ratingbook.formats.tables.days import Days
from ratingbook.formats.tables.mapping import Block, shown
from ratingbook.formats.tables.people import Register
from ratingbook.formats.tables.scores import half_points
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Entry, FrozenSide, Severity

UNREADABLE = Remark(
    "table.earlier",
    Severity.ERROR,
    "A row of the earlier games was not understood",
    "Write the player's id or name, the opponent's rating, the score (1, 0.5 or 0), and, where "
    "they are known, the own rating and the date.",
    each=True,
)
ABSENT = Remark(
    "table.earlier-absent",
    Severity.INFO,
    "Earlier games of players who are not in the report were not used",
    "Nothing to do, unless an id or a name is wrong.",
)
_COLUMNS: Mapping[str, Sequence[str]] = {"score": ("points", "result"), "start": ("start", "end")}
"""What columns hold a field in a table of this kind, where they are called otherwise."""


def enter_earlier(block: Block, register: Register, days: Days, notes: Notes) -> None:
    """Give the players of a report the earlier games that a table has of them."""
    for row in block.rows:
        who = _text(block, row, "id") or _text(block, row, "name")
        place = block.place(row, "id" if "id" in block.head.columns else "name")
        side = frozen_side(
            {name: _text(block, row, name) for name in ("own", "opponent", "score", "start",
                                                         "event")}, days,
        )  # fmt: skip
        if not who or side is None:
            notes.add(UNREADABLE, shown(row.text), place)
        elif (found := register.find(who, place)) is None:
            notes.add(ABSENT, shown(who), place)
        else:
            register.entries[found] = with_side(register.entries[found], side)


def frozen_side(cells: Mapping[str, str], days: Days) -> FrozenSide | None:
    """The earlier game in the cells of a row; None where one of them cannot be read."""
    opponent, score = number(cells["opponent"]), half_points(cells["score"])
    own = number(cells["own"]) if cells["own"] else None
    start = days.read(cells["start"]).day if cells["start"] else None
    lost = bool(cells["own"]) != (own is not None) or bool(cells["start"]) != (start is not None)
    if opponent is None or score is None or lost:
        return None
    return FrozenSide(opponent, score / 2, own, start, cells["event"] or None)


def with_side(entry: Entry, side: FrozenSide) -> Entry:
    """The player with one earlier game more."""
    return replace(entry, history=(*entry.history, side))


def _text(block: Block, row: Row, name: str) -> str:
    return next(filter(None, (block.cell(row, each) for each in _COLUMNS.get(name, (name,)))), "")
