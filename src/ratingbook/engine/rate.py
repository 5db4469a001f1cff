"""Rating a report with a rule book, in plain Python."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from ratingbook.engine.explain import Step, steps_of
from ratingbook.engine.intake import check_for, check_report
from ratingbook.engine.trace import traced
from ratingbook.model import Findings, Game, Report
from ratingbook.rules.book import AnyRuleBook, Batch, Round, Row


@dataclass(frozen=True)
class RatedRow:
    """A player's row and, where asked for, its explanation."""

    row: Row
    explanation: tuple[Step, ...] = ()
    counted: tuple[Game, ...] = ()
    """The games of the batch that went into the rating."""


@dataclass(frozen=True)
class Rating:
    """What a rule book makes of a report; a refused report has no rows."""

    book: AnyRuleBook
    rows: tuple[RatedRow, ...]
    findings: Findings = field(default_factory=Findings)


@dataclass(frozen=True)
class _Played:
    """A round that was played: what went into its kernel, and what came out."""

    round: Round[Any, Any, Any, Any]
    sides: Sequence[Sequence[Any]]
    values: Sequence[Any]


def rate(report: Report, book: AnyRuleBook, *, explain: Collection[str] | None = ()) -> Rating:
    """Rate a report.

    ``explain`` names the players whose change is to be explained; None means all.
    A report with a finding that refuses it gives no rows at all.
    """
    findings = check_report(report)
    findings.extend(check_for(report, book))
    if findings.refused:
        return Rating(book, (), findings)
    rows: list[RatedRow] = []
    made = iter(book.batches(report))
    batch: Batch | None = next(made, None)
    refused = False
    while batch is not None:
        more = book.check(batch)
        findings.extend(more)
        refused = refused or more.refused
        rated = [] if refused else _rate_batch(batch, book, explain)
        rows += rated
        batch = _next_batch(made, [each.row for each in rated])
    return Rating(book, () if refused else tuple(rows), findings)


def _next_batch(made: Iterator[Batch], rows: Sequence[Row]) -> Batch | None:
    """The next batch of a report; a generator is told what came out of the one before."""
    if not isinstance(made, Generator):
        return next(made, None)
    try:
        return cast(Batch, made.send(rows))
    except StopIteration:
        return None


def _rate_batch(batch: Batch, book: AnyRuleBook, explain: Collection[str] | None) -> list[RatedRow]:
    """One batch: enter, sides, rounds, leave."""
    everyone = range(len(batch.entries))
    entered = [book.enter(book.standing(batch, row)) for row in everyone]
    played = _play(batch, book, entered)
    rated = []
    for row, entry in enumerate(batch.entries):
        sides, value = played[-1].sides[row], played[-1].values[row]
        result = book.row(batch, row, sides, value, book.leave(entered[row], value))
        steps: tuple[Step, ...] = ()
        if explain is None or entry.id in explain:
            steps = _explained(batch, book, row, entered, played)
        counted = tuple(batch.games[side.game] for side in book.counted(entered[row], sides))
        rated.append(RatedRow(result, steps, counted))
    return rated


def _play(batch: Batch, book: AnyRuleBook, entered: Sequence[Any]) -> list[_Played]:
    """All rounds of a batch, those included that are repeated until nothing moves."""
    sides: list[list[Any]] = [book.sides(batch, entered, row) for row in range(len(batch.entries))]
    played: list[_Played] = []
    for round_ in book.rounds(batch):
        for turn in range(round_.at_most):
            if played:
                sides = [_moved(book, own, played[-1].values) for own in sides]
            values = [
                round_.kernel(standing, own, book.parameters)
                for standing, own in zip(entered, sides, strict=True)
            ]
            still = (
                turn > 0
                and round_.still is not None
                and all(
                    abs(new.value - old.value) < round_.still
                    for new, old in zip(values, played[-1].values, strict=True)
                )
            )
            played.append(_Played(round_, sides, values))
            if still:
                break
    return played


def _moved(book: AnyRuleBook, sides: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    """The sides with the opponents' values of the round before."""
    return [side if side.other < 0 else book.moved(side, values[side.other]) for side in sides]


def _explained(
    batch: Batch,
    book: AnyRuleBook,
    row: int,
    entered: Sequence[Any],
    played: Sequence[_Played],
) -> tuple[Step, ...]:
    """Run the player's part once more under a trace; the functions are pure."""
    with traced() as trace:
        standing = book.enter(book.standing(batch, row))
        book.sides(batch, entered, row)
        value: Any = None
        for past in played:
            trace.phase += 1
            value = past.round.kernel(standing, past.sides[row], book.parameters)
        trace.phase += 1
        book.leave(standing, value)
    return steps_of(trace, batch, row, book)
