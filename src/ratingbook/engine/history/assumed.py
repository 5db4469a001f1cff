"""What is assumed of earlier games of which a players file says the number alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

import numpy as np

from ratingbook.engine.history.columns import HistoryInput, who_plays
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.state import known_records
from ratingbook.engine.report.known import known_of_columns
from ratingbook.model import Findings, Place, Severity
from ratingbook.model.sentences import sentence
from ratingbook.rules.book import RuleBook
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.wording import counted


def assumed_by(book: RuleBook) -> Callable[[Mapping[str, Any]], int] | None:
    """What says of how many earlier games of a player it is assumed what they come to.

    It is asked with a row of a players file, by its columns.  None: the edition assumes nothing.
    """
    bulk = book.bulk
    if bulk.keeping is None or bulk.keeping.assumed is None:
        return None
    assumed = bulk.keeping.assumed
    return lambda said: assumed(known_of_columns(said, bulk), book.parameters)


def tell_assumed(given: HistoryInput, book: BookOrSeries, first: date, findings: Findings) -> None:
    """Players with a game for whom it is assumed: a report of theirs would be refused.

    Where ``given`` does not hold the games, of all players.
    """
    edition = book.edition(first).on(first)
    bulk, p = edition.bulk, edition.parameters
    if bulk.keeping is None or bulk.keeping.assumed is None:
        return
    records = known_records(given, Program(edition, compiled=False))
    may = records["games"] > 0
    if len(given.games):
        may &= who_plays(given.games, len(given.players))
    said_of_each = records[may][list(bulk.known._fields)].tolist()
    told = zip(np.flatnonzero(may).tolist(), said_of_each, strict=True)
    rests = [
        (code, count)
        for code, said in told
        if (count := bulk.keeping.assumed(bulk.known._make(said), p))
    ]
    if not rests:
        return
    code, count = rests[0]
    findings.add(
        Severity.WARNING,
        "history.earlier-assumed",
        sentence(
            "The rating of player {who} rests on {games} earlier games of which nothing but their "
            "number is known ({such}): they are taken as draws with equals.",
            who=str(given.players[code].as_py()),
            games=count,
            such=counted(len(rests), "such player"),
        ),
        Place(path="players"),
        sentence(
            "Say what they come to, in the columns earlier_score (points) and earlier_opponents "
            "(the sum of the opponents’ ratings)."
        ),
    )
