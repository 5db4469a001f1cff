"""Players, events and entries: small tables, read whole and checked column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.engine.history.columns import Codes
from ratingbook.engine.history.intake.arrays import (
    Mask,
    blank_in,
    mask_of,
    missing_in,
    texts_of,
    to_arrow,
)
from ratingbook.engine.history.intake.checks import (
    DATE,
    NO_VALUE,
    add_wrong_type,
    check_columns,
)
from ratingbook.engine.history.intake.faults import Faults, Kind, value_at
from ratingbook.engine.history.intake.ids import IdSpace
from ratingbook.engine.history.intake.sources import Source, add_unreadable
from ratingbook.engine.history.intake.values import (
    Reader,
    WrongType,
    amounts,
    days,
    flags,
    is_text,
    numbers,
    plain,
    read,
    whole_numbers,
)
from ratingbook.model import YEARS, Findings, StandingStatus

_LARGEST = 10**9
"""No rating, level or count is larger: what is, is a slip."""
NOT_UNDERSTOOD = {
    "number": "Write a number.",
    "count": "Write a whole number from 0 on.",
    "flag": "Write true or false.",
    "year": f"Write a year from {YEARS[0]} to {YEARS[1]}.",
    "amount": "Write a number, or true or false.",
}
_WORDS = {
    "status": tuple(status.value for status in StandingStatus),
    "sex": ("m", "w"),
}
READERS: Mapping[str, tuple[Reader, pa.DataType]] = {
    "number": (numbers(_LARGEST), pa.float64()),
    "count": (whole_numbers(0, _LARGEST, np.int32), pa.int32()),
    "flag": (flags, pa.bool_()),
    "year": (whole_numbers(*YEARS, np.int32), pa.int32()),
    "date": (days, pa.date32()),
    "amount": (amounts(_LARGEST), pa.float64()),
}

PLAYER_COLUMNS: Mapping[str, str] = {
    "name": "text",
    "federation": "text",
    "title": "text",
    "sex": "word",
    "birth_date": "date",
    "adult": "flag",
    "grade": "text",
    "rating": "number",
    "games": "count",
    "wins": "count",
    "draws": "count",
    "losses": "count",
    "status": "word",
    "last_played": "date",
    "pool": "text",
}
"""What the columns of a players file hold that every rule book may read, besides the id."""
EVENT_COLUMNS: Mapping[str, str] = {
    "start": "date",
    "end": "date",
    "kind": "text",
    "class": "text",
    "level": "number",
    "time_control": "text",
    "category": "text",
    "pool": "text",
    "rounds": "count",
    "part_of": "text",
    "turn": "count",
}
"""What the columns of an events file hold, besides the event."""
ENTRY_COLUMNS: Mapping[str, str] = {"grade": "text", "rating": "number"}
"""What the columns of an entries file hold, besides the event and the player."""

DECISION_COLUMNS: Mapping[str, str] = {
    "date": "date", "kind": "text", "value": "amount", "reason": "text", "pool": "text",
}  # fmt: skip
"""What the columns of a file of decisions hold, besides the player."""

_EVENT_DATES = Kind(
    "history.event-dates",
    "An event ends before it starts",
    "{count} events end before they start",
    "Correct one of the dates.",
)


_DECISION = ("date", "kind", "value")
_ROLES: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]] = {
    "players": ({"id": "player"}, PLAYER_COLUMNS),
    "events": ({"event": "event"}, EVENT_COLUMNS),
    "entries": ({"event": "event", "player": "player"}, ENTRY_COLUMNS),
    "decisions": ({"player": "player"}, DECISION_COLUMNS),
}
"""Each table's columns of ids with what they name, and its other columns."""


class TableReader:
    """One of the tables beside the games: players, events, entries or decisions."""

    def __init__(self, role: str, spaces: Mapping[str, IdSpace], faults: Faults) -> None:
        self.role = role
        self._names, self._kinds = _ROLES[role]
        self._faults = faults
        self._ids = {name: spaces[named].column() for name, named in self._names.items()}
        self._pieces: list[pa.Table] = []
        self._rows: list[tuple[Source, int]] = []

    @property
    def _required(self) -> tuple[str, ...]:
        """The columns without which nothing can be made of a row, besides the ids."""
        return _DECISION if self.role == "decisions" else ()

    @property
    def name(self) -> str | None:
        """The file; None where nothing was read."""
        return self._rows[0][0].name if self._rows else None

    def take(self, source: Source, findings: Findings) -> None:
        """Read all rows of ``source``; what is wrong with them is a finding."""
        found = Findings()
        # What only some rule books know is looked at when the rule book is known.
        others = _once(source.columns) if self.role == "players" else []
        check_columns(source, (*self._ids, *self._required), (*self._kinds, *others), found)
        findings.extend(found)
        if found.refused:
            return
        names = dict.fromkeys((*self._ids, *self._kinds, *others))
        wanted = [name for name in names if name in source.known]
        try:
            chunks = [pa.Table.from_batches([chunk]) for chunk in source.chunks(wanted)]
            if not chunks:
                return
            table = pa.concat_tables(chunks).combine_chunks()
        except (pa.ArrowException, ValueError, OSError, MemoryError) as error:
            add_unreadable(source.name, error, findings)
            return
        columns: dict[str, pa.Array] = {}
        for name in wanted:
            array = _whole(table[name])
            try:
                if name in self._ids:
                    missing = self._ids[name].append(array, undecided=source.typeless)
                    self._note(NO_VALUE, name, missing, source)
                else:
                    columns[name] = self._values(name, array, source)
                    if name in self._required:
                        self._note(NO_VALUE, name, missing_in(columns[name]), source)
            except WrongType as error:
                add_wrong_type(name, array.type, error, source.name, findings)
        self._check_dates(columns, source)
        if len(columns) == len(wanted) - len(self._ids):
            self._pieces.append(pa.table(columns) if columns else _rows_only(len(table)))
        self._rows.append((source, len(table)))

    def _values(self, name: str, array: pa.Array, source: Source) -> pa.Array:
        kind = self._kinds.get(name)
        if kind is None:
            return plain(array)
        if kind in ("text", "word"):
            return self._texts(name, array, source, _WORDS[name] if kind == "word" else ())
        reader, arrow_type = READERS[kind]
        found = read(array, reader)
        bad = DATE if kind == "date" else _bad_value(name, NOT_UNDERSTOOD[kind])
        self._note(bad, name, found.bad, source, array)
        values = to_arrow(found.data, found.missing)
        return values.view(arrow_type) if kind == "date" else values.cast(arrow_type)

    def _texts(self, name: str, array: pa.Array, source: Source, words: Sequence[str]) -> pa.Array:
        trimmed = texts_in(array)
        if words:
            wrong = pc.invert(pc.is_in(trimmed, texts_of(*words, None)))
            remedy = f"Write one of {', '.join(words)}."
            mask = mask_of(wrong)
            self._note(_bad_value(name, remedy), name, mask, source, array)
        return trimmed

    def _check_dates(self, columns: Mapping[str, pa.Array], source: Source) -> None:
        if {"start", "end"} <= columns.keys():
            backwards = pc.less(columns["end"], columns["start"])
            self._note(_EVENT_DATES, "end", mask_of(backwards), source)

    def _note(
        self,
        kind: Kind,
        column: str,
        mask: Mask | None,
        source: Source,
        array: pa.Array | None = None,
    ) -> None:
        if mask is not None and mask.any():
            first = int(mask.argmax())
            value = None if array is None else value_at(array, first)
            self._faults.add(kind, column, source, first, int(np.count_nonzero(mask)), value)

    def check_repeated(self) -> None:
        """Note rows whose ids stood before; ids must be numbered."""
        if self.role == "decisions":
            # A player may have many.
            return
        codes = [column.codes.astype(np.int64) for column in self._ids.values()]
        if self.role == "players" and (pools := self._pools()) is not None:
            # A row for each pool in which the player has a standing.
            codes.append(pools)
        key = codes[0] if len(codes) == 1 else (codes[0] << 32) | codes[1]
        _, first = np.unique(key, return_index=True)
        again = np.ones(len(key), bool)
        again[first] = False
        kind = _repeated(self.role)
        start = 0
        for source, rows in self._rows:
            self._note(kind, next(iter(self._ids)), again[start : start + rows], source)
            start += rows

    def _pools(self) -> npt.NDArray[np.int64] | None:
        """A number for the pool that each row names; None without such a column."""
        if not any("pool" in piece.column_names for piece in self._pieces):
            return None
        said = pa.concat_tables(_alike(self._pieces), promote_options="default")["pool"]
        words = [str(word or "").casefold() for word in said.to_pylist()]
        numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
        return np.array([numbers[word] for word in words], np.int64)

    def table(self) -> pa.Table:
        """The rows with codes for ids; ids must be numbered."""
        columns: dict[str, Any] = {
            named: to_arrow(self.codes(named)) for named in self._names.values()
        }
        if self._pieces:
            values = pa.concat_tables(_alike(self._pieces), promote_options="default")
            columns |= {name: values[name] for name in values.column_names if name != _ROWS}
        return pa.table(columns)

    def codes(self, named: str) -> Codes:
        """The codes of the players or events; ids must be numbered."""
        column = next(column for column, what in self._names.items() if what == named)
        return self._ids[column].codes


def texts_in(array: pa.Array) -> pa.Array:
    """The texts of a column, trimmed, none where there is nothing; raises :class:`WrongType`."""
    array = plain(array)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if not is_text(array.type):
        if not (pa.types.is_integer(array.type) or pa.types.is_null(array.type)):
            raise WrongType("text")
        array = array.cast(pa.large_string())
    absent = pa.nulls(len(array), array.type)
    return pc.if_else(to_arrow(blank_in(array)), absent, pc.utf8_trim_whitespace(array))


def _once(columns: Sequence[str]) -> list[str]:
    """The names that stand once; a column without a name is none that anybody asks for."""
    return [name for name in columns if name and columns.count(name) == 1]


_ROWS = ""
"""The column of a table that has nothing but ids."""


def _alike(pieces: Sequence[pa.Table]) -> list[pa.Table]:
    """The pieces with columns of the same types: as texts where files have one in several."""
    types: dict[str, set[pa.DataType]] = {}
    for piece in pieces:
        for name, kind in zip(piece.schema.names, piece.schema.types, strict=True):
            if not pa.types.is_null(kind):
                types.setdefault(name, set()).add(kind)
    mixed = {name for name, kinds in types.items() if len(kinds) > 1}
    return [_with_texts(piece, mixed & set(piece.column_names)) for piece in pieces]


def _with_texts(piece: pa.Table, names: set[str]) -> pa.Table:
    """The rows with some columns as texts."""
    for name in names:
        texts = pa.array([None if v is None else str(v) for v in piece[name].to_pylist()])
        piece = piece.set_column(piece.column_names.index(name), name, texts)
    return piece


def _rows_only(rows: int) -> pa.Table:
    return pa.table({_ROWS: pa.nulls(rows)})


def _whole(column: pa.ChunkedArray) -> pa.Array:
    """A column in one piece."""
    if column.num_chunks == 1:
        return column.chunk(0)
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.nulls(0, column.type)


def _bad_value(column: str, remedy: str) -> Kind:
    return Kind(
        "history.value",
        "A value of {column} is not understood",
        "{count} values of {column} are not understood",
        remedy,
    )


def _repeated(role: str) -> Kind:
    one = {"players": "player", "events": "event", "entries": "entry"}[role]
    return Kind(
        f"history.repeated-{one}",
        f"A row is about a {one} who stands above already"
        if one == "player"
        else f"A row is about an {one} that stands above already",
        f"{{count}} rows are about {role} that stand above already",
        "Keep one row of each.",
    )
