"""By which K players are rated next, for lists that print it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from typing import Any

from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.history.records import loader
from ratingbook.engine.history.run import Run
from ratingbook.rules.book import RuleBook
from ratingbook.rules.bulk import NOT_GIVEN, day_number

_OLDEST = 130
"""Years: nobody who is rated is older."""
_YEAR = timedelta(days=365)


def coefficients_of(run: Run, day: date) -> dict[str, int]:
    """By player the K of an event that begins on a day, as everybody stands after the batches.

    Who has no rating has none, and nobody where the rules know no such number.
    """
    edition = _edition(run, day)
    if bulk_of(edition).coefficient is None:
        return {}
    k = _coefficient(edition, day)
    return {
        player: found for player, standing in _standings(run, edition) if (found := k(standing))
    }


def coefficients_by_age(run: Run, day: date) -> dict[str, frozenset[int]]:
    """By player each K that it could be, whenever the player was born, with the same rating."""
    edition = _edition(run, day)
    bulk, p = bulk_of(edition), edition.parameters
    if bulk.coefficient is None:
        return {}
    k, born, births = _coefficient(edition, day), bulk.born, _births(edition, day)
    return {
        player: frozenset(
            [k(standing)] if born is None else [k(born(standing, birth, p)) for birth in births]
        ) - {0}
        for player, standing in _standings(run, edition)
    }  # fmt: skip


def _edition(run: Run, day: date) -> RuleBook:
    return run.program.book.edition(day).on(day)


def _coefficient(edition: RuleBook, day: date) -> Callable[[Any], int]:
    coefficient, begins, p = bulk_of(edition).coefficient, day_number(day), edition.parameters
    assert coefficient is not None
    return lambda standing: int(coefficient(standing, begins, p))


def _standings(run: Run, edition: RuleBook) -> Iterator[tuple[str, Any]]:
    load, standings = loader(bulk_of(edition).standing), run.state.people.standings
    for code, player in enumerate(run.given.players.to_pylist()):
        yield str(player), load(standings, code)


def _births(edition: RuleBook, day: date) -> Sequence[int]:
    """A birth date for each thing that rules can make of one in an event of a day."""
    seen, begins, p = bulk_of(edition).age_seen, day_number(day), edition.parameters
    every = [NOT_GIVEN, *(day_number(day - years * _YEAR) for years in range(_OLDEST))]
    if seen is None:
        return every
    return list({seen(birth, begins, p): birth for birth in reversed(every)}.values())
