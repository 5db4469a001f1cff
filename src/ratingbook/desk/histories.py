"""A history as people have it: files of reports, or a table of games with others beside it."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from ratingbook.desk.facts import gather
from ratingbook.desk.results import Refused
from ratingbook.desk.tables import of_reports, table_of
from ratingbook.engine.history.api import History
from ratingbook.engine.options import Beside, filled
from ratingbook.model import Findings
from ratingbook.rules.series import BookOrSeries


def read_history(
    games: Any,
    book: BookOrSeries,
    *,
    id_kind: str | None = None,
    columns: Mapping[str, str] | None = None,
    **beside: Any,
) -> History:
    """The games of reports (files, folders, archives), or of a table.

    ``beside`` is what is known besides, as :class:`~ratingbook.engine.options.Beside` has it.
    Raises :class:`Refused` for reports, and ``HistoryRefused`` for tables that cannot be rated.
    """
    tables = {name: table_of(table) for name, table in filled(Beside, beside).items()}
    if not of_reports(games, tables["players"], id_kind):
        return History.of(table_of(games, columns), **tables)
    several = [games] if isinstance(games, str | PathLike) else [*games]
    players = tables["players"]
    known = [players] if isinstance(players, str | PathLike) else [*(players or ())]
    facts, findings = gather(
        [Path(each) for each in several], book,
        players=[Path(each) for each in known], id_kind=id_kind, columns=columns,
    )  # fmt: skip
    if facts is None:
        raise Refused(findings)
    gathered = facts.tables()
    made = History.of(gathered.pop("games"), **gathered)
    return History(made.given, Findings([*findings, *made.findings]))
