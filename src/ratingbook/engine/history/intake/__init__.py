"""A history's games, players, events and entries: from files and tables to columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Unpack, cast

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import Codes, HistoryInput
from ratingbook.engine.history.intake.checks import NO_VALUE
from ratingbook.engine.history.intake.faults import Faults
from ratingbook.engine.history.intake.games import GameReader, column_of_pools, columns_of
from ratingbook.engine.history.intake.ids import IdSpace
from ratingbook.engine.history.intake.pools import with_pools
from ratingbook.engine.history.intake.sources import (
    Source,
    arrow_reader,
    open_games,
    open_sources,
    table_of,
)
from ratingbook.engine.history.intake.tables import TableReader
from ratingbook.engine.history.intake.twice import tell_twice
from ratingbook.engine.memory import give_back
from ratingbook.engine.options import Beside, Input, filled
from ratingbook.model import Findings, Place, Severity

_BLOCK = 1 << 16
"""Games at a time."""

__all__ = ["arrow_reader", "read_history", "table_of"]


def read_history(
    games: Input | list[Input] | tuple[Input, ...],
    *,
    has_pools: bool = True,
    may_be_empty: bool = False,
    **beside: Unpack[Beside],
) -> tuple[HistoryInput | None, Findings]:
    """Read what a history is rated from: the games, and what is known besides.

    Each argument is a path (Parquet, Arrow IPC file or stream, CSV, or a folder of such
    files, in the order of their names) or an object with the Arrow PyCapsule interface
    (a table of pyarrow, Polars, pandas …); ``games`` may be a list of them, which are
    appended in their order.

    Games have ``date``, ``white``, ``black`` and White's ``score`` (1, 0.5, 0), and
    optionally ``event``, ``round`` (0 to 30000), ``handicap`` (0 to 9), ``rated``,
    ``start``, ``section``, ``margin`` (what White won by), ``neutral``, ``status`` (played,
    forfeit …), ``reported`` (the day on which the report came), ``white_rating`` and
    ``black_rating`` (in force for that game), ``white_for`` and ``black_for`` (whom a substitute
    replaces), ``pool`` or ``time_control`` (that of the event; the latter is of use only where
    the edition ``has_pools``).  Dates lie between 1500 and 2200.  A game without a
    score is left out with a warning.  No game at all is an error, unless it ``may_be_empty``.

    The input is None where the findings refuse it; their codes begin with
    ``history.``, and the rows that they name count from 1.  Raises ``BadArgument`` for an
    object that is neither a path nor a table.
    """
    findings, faults = Findings(), Faults()
    spaces = {name: IdSpace() for name in ("player", "event", "section", "pool")}
    game_sources = open_games(games, findings)
    columns = columns_of(game_sources, findings, with_pools=has_pools)
    reader = GameReader(spaces, faults, columns)
    if not findings.refused:
        reader.take_all(game_sources, findings, may_be_empty=may_be_empty)
    with_events = "event" in columns or not columns
    tables = read_tables(filled(Beside, beside), spaces, faults, with_events, findings)
    result = None
    # A row without an id would pass for a row of some other id.
    if not findings.refused and not faults.has(NO_VALUE):
        ids = number_ids(spaces, findings)
        reader.check_sides()
        read = reader.columns_read()
        tell_twice(read, reader.left_out, findings)
        result = with_tables(
            HistoryInput(
                read,
                ids["player"],
                ids["event"],
                ids["section"],
                left_out=reader.left_out,
                sources=tuple(source.name for source in game_sources),
            ),
            tables,
            {"player": (read.white, read.black), "event": (read.event,)},
            findings,
        )
        if (pools := reader.pools) is not None:
            column = column_of_pools(columns)
            result = with_pools(result, pools, ids["pool"], findings, column)
    findings.extend(faults.findings())
    give_back()
    return None if findings.refused else result, findings


def read_tables(
    given: Beside,
    spaces: Mapping[str, IdSpace],
    faults: Faults,
    with_events: bool,
    findings: Findings,
) -> dict[str, TableReader]:
    """Read the players, events and entries; the two last only where games name events."""
    tables: dict[str, TableReader] = {}
    for role, one in given.items():
        if one is None:
            continue
        opened = open_sources(cast(Input, one), role, findings)
        if role in ("events", "entries") and not with_events:
            _tell_unused(role, opened, findings)
            continue
        tables[role] = TableReader(role, spaces, faults)
        for source in opened:
            tables[role].take(source, findings)
    return tables


def _tell_unused(role: str, opened: Sequence[Source], findings: Findings) -> None:
    for source in opened:
        findings.add(
            Severity.WARNING,
            "history.unused-file",
            f"The {role} are not used: the games have no column event.",
            Place(file=source.name),
            "Give the games a column event with the ids of this file.",
        )


def number_ids(spaces: Mapping[str, IdSpace], findings: Findings) -> dict[str, pa.Array]:
    """Give every id its code; the ids of each space in the order of their codes."""
    ids = {name: space.number() for name, space in spaces.items()}
    for name in ("player", "event"):
        if spaces[name].mixed:
            findings.add(
                Severity.INFO,
                "history.mixed-ids",
                f"The ids of {name}s are numbers in one place and texts in another; "
                "they are compared as texts.",
                remedy="Write them in the same way everywhere: 007 is not 7.",
            )
    return ids


def with_tables(
    given: HistoryInput,
    tables: Mapping[str, TableReader],
    met: Mapping[str, Sequence[Codes | None]],
    findings: Findings,
) -> HistoryInput:
    """The input with its tables; ids must be numbered.  ``met`` are codes that games name."""
    for role, table in tables.items():
        table.check_repeated()
        name = "player" if role in ("players", "decisions") else "event"
        _tell_strangers(name, table, met[name], findings)
    used = tuple(table.name for table in tables.values() if table.name is not None)
    return replace(
        given,
        standings=tables["players"].table() if "players" in tables else None,
        events=tables["events"].table() if "events" in tables else None,
        entries=tables["entries"].table() if "entries" in tables else None,
        decisions=_decisions(tables),
        sources=(*given.sources, *used),
    )


def _decisions(tables: Mapping[str, TableReader]) -> pa.Table | None:
    """What the office decided; None where it is nothing."""
    table = tables["decisions"].table() if "decisions" in tables else None
    return table if table is not None and len(table) else None


def _tell_strangers(
    name: str, table: TableReader, columns: Sequence[Codes | None], findings: Findings
) -> None:
    """A finding where none of the ids of a table is in the games."""
    codes = table.codes(name)
    if not len(codes) or not any(column is not None and len(column) for column in columns):
        return
    listed = np.zeros(int(codes.max()) + 1, bool)
    listed[codes] = True
    for column in columns:
        # Mostly the first games show it.
        for start in range(0, 0 if column is None else len(column), _BLOCK):
            block = cast(Codes, column)[start : start + _BLOCK]
            if listed[block[block < len(listed)]].any():
                return
    findings.add(
        Severity.WARNING,
        "history.no-match",
        f"None of the ids of {name}s in this file is in the games.",
        Place(file=table.name),
        "The ids must be those of the games.",
    )
