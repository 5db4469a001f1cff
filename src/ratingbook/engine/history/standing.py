"""How a player stands where a run is, as a players file or a report would say it."""

from __future__ import annotations

from dataclasses import replace

from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.history.records import loader
from ratingbook.engine.history.run import Run
from ratingbook.engine.report.known import keys_after, numbers_after
from ratingbook.model import Entry, Standing, StandingStatus
from ratingbook.rules.bulk import STATUSES


def standing_at(run: Run, player: int) -> Standing:
    """Numbers, status and the keys of its edition that a player, by code, goes on with."""
    stretch = run.stretch_of(max(0, run.state.next_batch - 1))
    book, p = stretch.book_of(run.program.book), stretch.parameters
    bulk = bulk_of(book)
    record = loader(bulk.standing)(run.state.people.standings, player)
    known = bulk.known_of(record, p)
    new = Standing(**numbers_after(Standing(), known, bulk))
    entry = Entry(str(run.given.players[player].as_py()))
    extra = keys_after(entry, new, known, bulk, book.standing_fields, p)
    status = StandingStatus(STATUSES[bulk.listed(record, p).status])
    return replace(new, status=status, extra=extra)
