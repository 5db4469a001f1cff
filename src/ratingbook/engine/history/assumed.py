"""What is assumed of earlier games of which a players file says the number alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.engine.history.columns import HistoryInput
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
    table, assumed = given.standings, assumed_by(book.edition(first).on(first))
    if table is None or assumed is None:
        return
    games = given.games
    if len(games):
        sides = (games.white, games.black, games.white_for, games.black_for)
        codes = np.unique(np.concatenate([each for each in sides if each is not None]))
        table = table.filter(pc.is_in(table["player"], pa.array(codes, table["player"].type)))
    rests = [(row, count) for row in table.to_pylist() if (count := assumed(row))]
    if not rests:
        return
    row, count = rests[0]
    findings.add(
        Severity.WARNING,
        "history.earlier-assumed",
        sentence(
            "The rating of player {who} rests on {games} earlier games of which nothing but their "
            "number is known ({such}): they are taken as draws with equals.",
            who=str(given.players[row["player"]].as_py()),
            games=count,
            such=counted(len(rests), "such player"),
        ),
        Place(path="players"),
        sentence(
            "Say what they come to, in the columns earlier_score (points) and earlier_opponents "
            "(the sum of the opponents’ ratings)."
        ),
    )
