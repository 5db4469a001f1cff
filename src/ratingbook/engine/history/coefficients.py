"""By which K players are rated next, for lists that print it."""

from __future__ import annotations

from datetime import date

from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.history.records import loader
from ratingbook.engine.history.run import Run
from ratingbook.rules.bulk import day_number


def coefficients_of(run: Run, day: date) -> dict[str, int]:
    """By player the K of an event that begins on a day, as everybody stands after the batches.

    Who has no rating has none, and nobody where the rules know no such number.
    """
    edition = run.program.book.edition(day).on(day)
    bulk = bulk_of(edition)
    if bulk.coefficient is None:
        return {}
    load, standings = loader(bulk.standing), run.state.people.standings
    begins, p = day_number(day), edition.parameters
    found = (
        (str(player), int(bulk.coefficient(load(standings, code), begins, p)))
        for code, player in enumerate(run.given.players.to_pylist())
    )
    return {player: k for player, k in found if k}
