"""What an oracle offers, and what all of them need: both paths to a number, exact rounding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from enum import StrEnum
from fractions import Fraction
from math import floor
from typing import Any, Protocol

import pyarrow as pa

from ratingbook.engine.history import HistoryRefused, rate_history
from ratingbook.engine.rate import rate
from ratingbook.formats.document.read import report_from
from ratingbook.rules import registry
from ratingbook.rules.book import Row

DIGITS = 50
"""Digits of a number that is no fraction."""

CONTEXT = Context(prec=DIGITS)

NEAR = Fraction(1, 10**9)
"""A number that is no fraction and so near to a half counts as a tie among the cases."""


class Path(StrEnum):
    """How the rule book is asked."""

    REPORT = "report"
    HISTORY = "history"
    COMPILED = "compiled history"


@dataclass(frozen=True)
class Case:
    """One player of one batch, as the oracle and the rule book have it."""

    player: str
    """All that is needed to reckon the case by hand: standing, games, settings."""
    expected: object
    got: object
    tie: bool
    """Whether the number before rounding lies half-way between two that can be written."""

    @property
    def differs(self) -> bool:
        """Whether the two are not the same."""
        return self.expected != self.got


class Oracle(Protocol):
    """A module of this package with an independent reckoning."""

    EDITIONS: tuple[str, ...]
    """The editions that it can reckon."""

    def compare(self, edition: str, path: Path, players: int, seed: int) -> Iterator[Case]:
        """At least ``players`` cases of an edition, the same ones for the same seed."""


class Refused(ValueError):
    """The rule book does not take what the oracle takes; the text says why."""


def half_up(number: Fraction) -> int:
    """The nearest whole number, a half upwards."""
    return floor(number + Fraction(1, 2))


def is_half(number: Fraction) -> bool:
    """Whether a number lies exactly half-way between two whole numbers."""
    return (2 * number).denominator == 1 and number.denominator == 2


def fraction(number: Decimal) -> Fraction:
    """A decimal as the fraction that it is."""
    return Fraction(number)


def decimal(number: Fraction | int) -> Decimal:
    """A fraction to DIGITS digits."""
    ratio = Fraction(number)
    return CONTEXT.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))


def rated_report(
    document: Mapping[str, Any], edition: str, settings: Mapping[str, str] | None = None
) -> dict[str, Row]:
    """The rows of a report document by player; raises :class:`Refused`."""
    book = registry.load(edition)
    if settings:
        book = book.with_parameters(dict(settings))
    rating = rate(report_from(document, book.standing_fields), book)
    if rating.findings.refused:
        raise Refused(next(each.message for each in rating.findings if each.severity.refuses))
    return {rated.row.id: rated.row for rated in rating.rows}


def rated_history(
    games: Sequence[Mapping[str, Any]],
    edition: str,
    path: Path,
    *,
    players: Sequence[Mapping[str, Any]] = (),
    events: Sequence[Mapping[str, Any]] = (),
    entries: Sequence[Mapping[str, Any]] = (),
    settings: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """The changes of a history with the exact ratings before; raises :class:`Refused`."""
    try:
        rated = rate_history(
            table(games),
            edition,
            players=table(players) if players else None,
            events=table(events) if events else None,
            entries=table(entries) if entries else None,
            settings=settings,
            compiled=path is Path.COMPILED,
        )
    except HistoryRefused as refused:
        raise Refused(str(refused)) from refused
    # An oracle goes on with all decimals, as the pool does.
    return [
        {**row, "before": row.get("exact_before", row["before"])}
        for row in rated.changes.to_pylist()
    ]


def table(rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Rows as a table; a key that a row does not have is empty there."""
    names = dict.fromkeys(name for row in rows for name in row)
    return pa.table({name: [row.get(name) for row in rows] for name in names})
