"""The columns of a players file that an edition reads beyond the common ones, as numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from ratingbook.engine.columns import is_rating, kinds_read
from ratingbook.engine.history.intake.arrays import to_arrow
from ratingbook.engine.history.intake.checks import shown
from ratingbook.engine.history.intake.tables import (
    NOT_UNDERSTOOD,
    PLAYER_COLUMNS,
    READERS,
    texts_in,
)
from ratingbook.engine.history.intake.values import Values, WrongType, read
from ratingbook.model import Findings, Place, Severity
from ratingbook.rules.bulk import Bulk
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.wording import counted

_SHOWN = 12
"""Names of columns in a message, at most."""


def own_keys(bulk: Bulk) -> Mapping[str, str]:
    """The edition's own columns and what they hold."""
    return {name: kind for name, kind in kinds_read(bulk).items() if name not in PLAYER_COLUMNS}


def rating_keys(bulk: Bulk) -> list[str]:
    """Those of them that hold ratings."""
    return [name for name in own_keys(bulk) if is_rating(name, bulk)]


def own_column(said: pa.Table, name: str, kind: str) -> tuple[pa.Array, Values]:
    """The values of one of the edition's own columns; raises :class:`WrongType`."""
    if kind == "text":
        return texts_in(said[name].combine_chunks()), Values(np.empty(0))
    reader, arrow_type = READERS[kind]
    found = read(said[name].combine_chunks(), reader)
    values = to_arrow(found.data, found.missing)
    return (values.view(arrow_type) if kind == "date" else values.cast(arrow_type)), found


def with_own_columns(said: pa.Table | None, bulk: Bulk) -> pa.Table | None:
    """The players with the edition's own columns as numbers; what is no value is left out."""
    if said is None:
        return None
    for name, kind in own_keys(bulk).items():
        if name in said.column_names:
            values, _ = own_column(said, name, kind)
            said = said.set_column(said.column_names.index(name), name, values)
    return said


def check_own_columns(said: pa.Table, players: pa.Array, book: BookOrSeries) -> Findings:
    """Columns of the players that the edition does not know, or whose values are none.

    ``players`` are the ids of those whose numbers are in ``said``.
    """
    findings = Findings()
    keys = {} if book.bulk is None else own_keys(book.bulk)
    unknown = [name for name in said.column_names if name not in {"player", *PLAYER_COLUMNS, *keys}]
    if unknown:
        more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
        findings.add(
            Severity.WARNING,
            "history.unknown-column",
            "Columns that are not known and are not used: "
            f"{', '.join(shown(name) for name in unknown[:_SHOWN])}{more}.",
            Place(path="players"),
            f"{book.name} knows {', '.join(sorted({'id', *PLAYER_COLUMNS, *keys}))}.",
        )
    for name, kind in keys.items():
        if name not in said.column_names:
            continue
        try:
            _, values = own_column(said, name, kind)
        except WrongType as error:
            findings.add(
                Severity.FATAL,
                "history.column-type",
                f"The column {name} holds values of type {said[name].type} and should hold "
                f"{error}.",
                Place(path=f"players, column {name}"),
                "Convert the column and write the file again.",
            )
            continue
        if values.bad is not None and values.bad.any():
            count = int(np.count_nonzero(values.bad))
            row = int(values.bad.argmax())
            player = players[said["player"][row].as_py()].as_py()
            first = f"{said[name][row].as_py()!r} of player {player}"
            findings.add(
                Severity.ERROR,
                "history.value",
                f"{counted(count, 'value')} of {name} "
                + (
                    f"is not understood: {first}."
                    if count == 1
                    else f"are not understood, the first {first}."
                ),
                Place(path=f"players, column {name}", player=str(player)),
                NOT_UNDERSTOOD.get(kind, "Write dates as YYYY-MM-DD."),
            )
    return findings
