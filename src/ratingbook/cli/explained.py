"""``ratingbook history FOLDER --explain``: one change, from what the run has left.

Who asks waits for it: nothing is imported here that rates, or reads reports, before it has to be.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pyarrow as pa

from ratingbook.cli.derivation import print_explanation
from ratingbook.cli.screen import output, print_refusal, telling, write
from ratingbook.desk.explained import player_meant, with_names
from ratingbook.desk.pool import NoPool, Pool, open_pool
from ratingbook.desk.rows import row_as_dict
from ratingbook.engine.history.columns import code_of
from ratingbook.engine.history.explain import NothingToExplain, meant
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.report.run import RatedRow
from ratingbook.model import BadArgument, Entry, Findings, Severity
from ratingbook.rules.series import BookOrSeries


def nothing_to_explain(error: NothingToExplain, *, as_json: bool) -> bool:
    """Tell that there is no such change; True, as of all that is refused."""
    findings = Findings()
    findings.add(
        Severity.ERROR, "history.nothing-to-explain", str(error),
        remedy="Write PLAYER@YYYY-MM-DD, the day of a list or the last of an event, and --pool "
        "where there are several.",
    )  # fmt: skip
    return print_refusal(findings, as_json=as_json)


def explain(folder: Path, asked: str, which: str | None, *, as_json: bool) -> bool:
    """Explain a change of a folder's history; True if there is nothing to explain."""
    try:
        pool = open_pool(folder)
        with telling("rating up to the list"):
            person, found = _explained(pool, asked, which)
    except (NoPool, HistoryRefused) as refused:
        return print_refusal(refused.findings, as_json=as_json)
    except NothingToExplain as error:
        return nothing_to_explain(error, as_json=as_json)
    rows = [
        replace(
            each, row=replace(each.row, name=person.name),
            explanation=with_names(each.explanation, pool.person),
        )
        for each in found
    ]  # fmt: skip
    print_rows(rows, pool.book, {person.id: person}, Findings(), as_json=as_json)
    return False


def print_rows(
    rows: Sequence[RatedRow],
    book: BookOrSeries,
    persons: Mapping[str, Entry],
    findings: Findings,
    *,
    as_json: bool,
) -> None:
    """Print explained rows; in JSON as ``rate`` does, with what is known of the ``persons``."""
    if not as_json:
        for row in rows:
            print_explanation(row, output())
        return
    document = {
        "rulebook": book.name,
        "parameters": book.non_default_parameters,
        "players": [row_as_dict(row, persons) for row in rows],
        **findings.as_dict(),
    }
    write(json.dumps(document, ensure_ascii=False, indent=2))


def _explained(pool: Pool, asked: str, which: str | None) -> tuple[Entry, Sequence[RatedRow]]:
    """Who is asked for, and the rows: from what the run has left, else rated once more."""
    archived = pool.archived
    if archived is not None and which is None:
        player, when = player_and_list(asked, archived.players)
        rows = archived.explain(player, when)
        if rows is not None:
            return pool.person(player), rows
    from ratingbook.engine.history.pooled import PooledHistory

    player, when = player_and_list(asked, pool.history.given.players)
    person = player_meant(pool.everybody(), player)
    rated = pool.rated()
    if isinstance(rated, PooledHistory):
        return person, rated.explain(person.id, when, which)
    if which is not None:
        raise NothingToExplain(f"The history is of one pool, and none is called {which!r}.")
    return person, rated.explain(person.id, when)


def player_and_list(asked: str, players: pa.Array) -> tuple[str, date | int | None]:
    """The player and the list that are asked for; an id may have an @ itself."""
    player, at, when = asked.rpartition("@")
    if not at or code_of(players, asked) >= 0:
        return asked, None
    try:
        return player, meant(when)
    except BadArgument:
        raise NothingToExplain(f"{when!r} is neither a day nor the number of a batch.") from None
