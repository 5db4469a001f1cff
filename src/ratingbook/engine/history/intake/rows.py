"""Games as rows of Python's values, understood as the columns of a history are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import pyarrow as pa

from ratingbook.engine.history.intake.games import IDS, VALUES
from ratingbook.engine.history.intake.ids import as_ids
from ratingbook.engine.history.intake.values import STATUSES_OF_GAMES, half_points, plain, read
from ratingbook.engine.loops.arrays import BLACK_RATED, RATED_SAID, WHITE_RATED

_BEGIN = date(1970, 1, 1)
_STATUSES = {code: name for name, code in STATUSES_OF_GAMES.items()}
_SIDES = {
    WHITE_RATED | BLACK_RATED | RATED_SAID: "both",
    WHITE_RATED | RATED_SAID: "white",
    BLACK_RATED | RATED_SAID: "black",
    RATED_SAID: "none",
}
"""What a row says; without that bit it says nothing."""


def _day(number: int) -> date:
    return _BEGIN + timedelta(number)


_MEANT: Mapping[str, Callable[[Any], Any]] = {
    "date": _day, "start": _day, "reported": _day, "rated": _SIDES.get, "neutral": bool,
    "status": _STATUSES.__getitem__, "score": lambda points: points / 2,
}  # fmt: skip


def rows_of(chunk: pa.RecordBatch) -> list[dict[str, Any]]:
    """The rows of a table of games that :func:`~.read_history` has found to be in order.

    None stands for what a row does not say.  ``score`` is White's; ids are texts; columns that
    are none of games are texts, too.
    """
    named = zip(chunk.schema.names, chunk.columns, strict=True)
    columns = {name: _values(name, array) for name, array in named}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _values(name: str, array: pa.Array) -> Sequence[Any]:
    if name != "score" and name not in VALUES:
        array = as_ids(array) if name in IDS else plain(array)
        return [None if one is None else str(one).strip() or None for one in array.to_pylist()]
    found = read(array, half_points if name == "score" else VALUES[name].reader)
    meant, missing = _MEANT.get(name, _itself), found.missing
    return [
        None if missing is not None and missing[row] else meant(value)
        for row, value in enumerate(found.data.tolist())
    ]


def _itself(value: Any) -> Any:
    return value
