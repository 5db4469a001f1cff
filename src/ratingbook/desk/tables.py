"""Tables as people have them in Python: frames, lists of dictionaries, dictionaries of lists."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from ratingbook.desk.plain import is_missing, scalar_of
from ratingbook.desk.sources import is_columns
from ratingbook.formats.lists import looks_like_list
from ratingbook.model import BadArgument


def of_reports(games: Any, players: Any, id_kind: str | None) -> bool:
    """Whether a history is of reports and of persons, rather than of tables and their ids."""
    known = [path for path in paths_in(games) or () if os.path.exists(path)]
    lists = paths_in(players) or ()
    by_table = id_kind is None and len(lists) < 2 and not any(map(looks_like_list, lists))
    return bool(known) and not (by_table and all(map(is_columns, known)))


def paths_in(given: Any) -> list[Path] | None:
    """What is given as one path or several; None: it is a table, or nothing."""
    several = [given] if isinstance(given, str | PathLike) else given
    if not isinstance(several, Sequence):
        return None
    if not all(isinstance(each, str | PathLike) for each in several):
        return None
    return [Path(each) for each in several]


def table_of(given: Any, columns: Mapping[str, str] | None = None) -> Any:
    """A path or table as histories take it, with the columns under the names that they know.

    ``columns``: field → the column that holds it.  What is no table raises
    :class:`BadArgument`.
    """
    if given is None or (isinstance(given, str | PathLike) and not columns):
        return given
    if isinstance(given, str | PathLike):
        return _renamed(_of_file(Path(given)), columns or {})
    if hasattr(given, "collect") and not hasattr(given, "__arrow_c_stream__"):
        # A lazy frame of Polars.
        given = given.collect()
    if isinstance(given, Mapping):
        given = _of_columns(given)
    elif isinstance(given, list | tuple) and given and isinstance(given[0], Mapping):
        for number, row in enumerate(given, 1):
            if not isinstance(row, Mapping):
                raise BadArgument(f"row {number} is a {type(row).__name__}, and row 1 a dictionary")
        names = dict.fromkeys(name for row in given for name in row)
        given = _of_columns({name: [row.get(name) for row in given] for name in names})
    elif isinstance(given, list | tuple):
        return [table_of(each, columns) for each in given]
    if not hasattr(given, "__arrow_c_stream__"):
        raise BadArgument(
            f"{type(given).__name__} is no table: give a path, a frame of pandas or Polars, a "
            "table of Arrow, a list of dictionaries, or a dictionary of lists"
        )
    return _renamed(given, columns) if columns else given


def _of_columns(columns: Mapping[Any, Any]) -> Any:
    """A table of columns that are lists, arrays or series."""
    import pyarrow as pa

    made = {}
    for name, values in columns.items():
        if not isinstance(name, str):
            raise BadArgument(f"a column is called {name!r}; names of columns are texts")
        try:
            made[name] = _column(values)
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            raise BadArgument(_why_no_column(name, values, error)) from None
    try:
        return pa.table(made)
    except (pa.ArrowException, ValueError):
        lengths = ", ".join(f"{name} {len(column)}" for name, column in made.items())
        raise BadArgument(f"the columns are not of one length: {lengths}") from None


def _column(values: Any) -> Any:
    """A column of values; those of other libraries that Arrow does not take become Python's own."""
    import pyarrow as pa

    try:
        return pa.table([values], ["it"])["it"]
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        if not isinstance(values, list | tuple):
            raise
        return pa.table([[_own(each) for each in values]], ["it"])["it"]


def _own(value: Any) -> Any:
    """A number or a day as Python's own; None for one that is none, as NaN is."""
    found = scalar_of(value)
    return value if found is None and not is_missing(value) else found


def _why_no_column(name: str, values: Any, error: Exception) -> str:
    """What is wrong with a column that is none, with the row in which it is."""
    import pyarrow as pa

    if isinstance(values, list | tuple):
        first = None
        for number, value in enumerate(values, 1):
            if isinstance(value, int) and not -(2**63) <= value < 2**63:
                return f"{name}, row {number}: {value} is too large a number; write ids as texts"
            if value is None:
                continue
            kind = type(value).__name__
            if first is None:
                first = number, kind
            elif kind != first[1] and {kind, first[1]} != {"int", "float"}:
                return (
                    f"{name}, row {number}: {value!r} is of the type {kind}, and row {first[0]} "
                    f"of the type {first[1]}; give all of a column in one way"
                )
        for number, value in enumerate(values, 1):
            try:
                _column([value])
            except (pa.ArrowException, TypeError, ValueError, OverflowError):
                kind = type(value).__name__
                return f"{name}, row {number}: a value of the type {kind} is none of a table"
    return f"the column {name} cannot be read: {error}"


def _of_file(path: Path) -> Any:
    import pyarrow as pa

    from ratingbook.engine.history.intake.sources import open_sources
    from ratingbook.engine.history.refused import HistoryRefused
    from ratingbook.model import Findings

    findings = Findings()
    sources = open_sources(path, "games", findings)
    if findings.refused:
        raise HistoryRefused(findings)
    batches = [batch for source in sources for batch in source.chunks(source.known)]
    return pa.Table.from_batches(batches)


def _renamed(given: Any, columns: Mapping[str, str]) -> Any:
    from ratingbook.engine.history.intake import table_of as arrow_of

    table = arrow_of(given)
    missing = [header for header in columns.values() if header not in table.column_names]
    if missing:
        raise BadArgument(
            f"there is no column {missing[0]!r}; there are {', '.join(table.column_names)}"
        )
    names = {header: field for field, header in columns.items()}
    kept = [name for name in table.column_names if name in names or name not in columns]
    return table.select(kept).rename_columns([names.get(name, name) for name in kept])
