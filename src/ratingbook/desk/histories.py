"""A history as people have it: files of reports, or a table of games with others beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ratingbook.desk.facts import gather
from ratingbook.desk.tables import of_reports, paths_in, table_of
from ratingbook.engine.history.api import History
from ratingbook.engine.options import Beside, filled
from ratingbook.model import Findings, Refused, Severity
from ratingbook.rules.series import BookOrSeries, pools_of


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
    lists = paths_in(tables["players"])
    if not of_reports(games, tables["players"], id_kind):
        if lists is not None:
            tables["players"] = lists[0] if lists else None
        has_pools = pools_of(book) is not None
        return History.of(table_of(games, columns), has_pools=has_pools, **tables)
    useless = [name for name, table in tables.items() if name != "players" and table is not None]
    if useless:
        raise Refused(_of_tables_only(useless))
    facts, findings = gather(
        paths_in(games) or [], book, players=lists or [], id_kind=id_kind, columns=columns
    )
    if facts is None:
        raise Refused(findings)
    gathered = facts.tables()
    made = History.of(gathered.pop("games"), **gathered)
    return History(made.given, Findings([*findings, *made.findings]))


def _of_tables_only(names: Sequence[str]) -> Findings:
    """Reports say these things themselves; beside them they would be passed over in silence."""
    findings = Findings()
    findings.add(
        Severity.FATAL, "history.of-tables",
        f"A table of {' and of '.join(names)} goes with tables of games that are read by the ids "
        "in them, not with reports.",
        remedy="Leave it out; of tables of games leave out --id and further files of players.",
    )  # fmt: skip
    return findings
