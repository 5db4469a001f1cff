"""Tables as people have them in Python: frames, lists of dictionaries, dictionaries of lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from ratingbook.desk.sources import is_columns
from ratingbook.formats.lists import looks_like_list
from ratingbook.model import BadArgument


def of_reports(games: Any, players: Any, id_kind: str | None) -> bool:
    """Whether a history is of reports and of persons, rather than of tables and their ids."""
    known = [path for path in paths_in(games) or () if path.exists()]
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
        import pyarrow as pa

        try:
            given = pa.table(dict(given))
        except (pa.ArrowException, TypeError, ValueError) as error:
            raise BadArgument(f"the columns make no table: {error}") from None
    elif isinstance(given, list | tuple) and given and isinstance(given[0], Mapping):
        import pyarrow as pa

        for number, row in enumerate(given, 1):
            if not isinstance(row, Mapping):
                raise BadArgument(f"row {number} is a {type(row).__name__}, and row 1 a dictionary")
        try:
            given = pa.Table.from_pylist([dict(row) for row in given])
        except (pa.ArrowException, TypeError, ValueError) as error:
            raise BadArgument(f"the rows make no table: {error}") from None
    elif isinstance(given, list | tuple):
        return [table_of(each, columns) for each in given]
    if not hasattr(given, "__arrow_c_stream__"):
        raise BadArgument(
            f"{type(given).__name__} is no table: give a path, a frame of pandas or Polars, a "
            "table of Arrow, a list of dictionaries, or a dictionary of lists"
        )
    return _renamed(given, columns) if columns else given


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
