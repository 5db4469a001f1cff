"""Points that were given otherwise than the point system says (record 299 of TRF26)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ratingbook.formats.fide.trf.checks import is_closer, number_in, numbers_in
from ratingbook.formats.fide.trf.players import Cell
from ratingbook.formats.fide.trf.records import Records
from ratingbook.model.patterns import pattern


class _Columns(NamedTuple):
    """Where the fields of the record stand."""

    points: slice[int, int]
    number: slice[int, int]
    """The round."""
    ranks: int
    """Where the starting ranks begin."""


_STANDARD = _Columns(slice(12, 17), slice(19, 22), 23)
_CLOSER = _Columns(slice(10, 15), slice(16, 19), 20)
_POINTS = pattern(r"\s*-?[0-9]{1,2}(?:\.[0-9])?\s*")
_EVERYBODY = 0
_ALL_ROUNDS = 0
_SAME = {"1": "W", "=": "D", "0": "L"}
"""The letters by which the record names results over the board."""


@dataclass(frozen=True, slots=True)
class Abnormal:
    """Abnormal points of an individual event."""

    values: Mapping[tuple[int, int, str], float] = field(default_factory=dict)
    """Points by starting rank (0: everybody), round (0: all of them) and result."""
    bonus: Mapping[int, float] = field(default_factory=dict)
    """Bonuses and penalties by starting rank."""

    def points(self, rank: int, number: int, cell: Cell, usual: float) -> float:
        """What ``cell`` brings in round ``number``; ``usual`` where nothing is said of it."""
        code = _SAME.get(cell.code, cell.code)
        keys = ((r, n, code) for r in (rank, _EVERYBODY) for n in (number, _ALL_ROUNDS))
        return next((self.values[key] for key in keys if key in self.values), usual)


def read_abnormal(records: Records) -> Abnormal:
    """What the records 299 say; what they do not say clearly is noted with their columns."""
    values: dict[tuple[int, int, str], float] = {}
    bonus: dict[int, float] = {}
    for line in records.lists.get("299", ()):
        text = line.text
        columns = _CLOSER if is_closer(text) else _STANDARD
        if not (match := _POINTS.fullmatch(text[columns.points])):
            continue
        points = float(match[0])
        code, number = text[4:5].strip().upper(), number_in(text[columns.number])
        for rank in numbers_in(text, columns.ranks) or (_EVERYBODY,):
            if code:
                values[(rank, number or _ALL_ROUNDS, code)] = points
            else:
                bonus[rank] = bonus.get(rank, 0.0) + points
    return Abnormal(values, bonus)
