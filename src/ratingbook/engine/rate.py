"""Rating a report with a rule book, in plain Python."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.explain import Step, steps_of
from ratingbook.engine.intake import check_for, check_report
from ratingbook.engine.report.run import RatedRow, ReportRun, Unsettled
from ratingbook.engine.trace import traced
from ratingbook.model import Findings, Place, Report, Severity
from ratingbook.rules.book import AnyRuleBook, Batch, Round, Row, RuleBook, TwiceWritten
from ratingbook.rules.series import BookOrSeries

Twice = TwiceWritten[Any, Any, Any, Any, Any]


@dataclass(frozen=True)
class Rating:
    """What a rule book makes of a report; a refused report has no rows."""

    book: BookOrSeries
    """The edition that rated; where none was chosen, what was asked."""
    rows: tuple[RatedRow, ...]
    findings: Findings = field(default_factory=Findings)


@dataclass(frozen=True)
class _Played:
    """A round that was played: what went into its kernel, and what came out."""

    round: Round[Any, Any, Any, Any]
    standings: Sequence[Any]
    sides: Sequence[Sequence[Any]]
    values: Sequence[Any]
    is_told: bool = True
    """Whether it is explained: of a round that settles, what came before the last turn is not."""


class _Unsettled(Exception):
    """A round that had to settle and did not."""

    def __init__(self, round_: Round[Any, Any, Any, Any]) -> None:
        self.round = round_
        super().__init__(round_.name)


def rate(report: Report, book: BookOrSeries, *, explain: Collection[str] | None = ()) -> Rating:
    """Rate a report.

    ``explain`` names the players whose change is to be explained; None means all.
    Of a series of editions the one in force on the day of the report rates it.  A report
    with a finding that refuses it gives no rows at all.
    """
    findings = check_report(report)
    asked, book = book, book.for_report(report)
    findings.extend(check_for(report, book, asked))
    if findings.refused:
        return Rating(book, (), findings)
    if not isinstance(book, TwiceWritten):
        return _rate_columns(report, book, explain, findings)
    rows: list[RatedRow] = []
    made = iter(book.batches(report))
    batch: Batch | None = next(made, None)
    refused = False
    while batch is not None:
        more = book.check(batch)
        findings.extend(more)
        refused = refused or more.refused
        rated = []
        if not refused:
            try:
                rated = _rate_batch(batch, book, explain)
            except _Unsettled as unsettled:
                refused = True
                _tell_unsettled(
                    batch, unsettled.round.name, unsettled.round.at_most, book, findings
                )
        rows += rated
        batch = _next_batch(made, [each.row for each in rated])
    return Rating(book, () if refused else tuple(rows), findings)


def _rate_columns(
    report: Report, book: RuleBook, explain: Collection[str] | None, findings: Findings
) -> Rating:
    """Batch by batch through the loops."""
    run = ReportRun(report, book, bulk_of(book), explain)
    rows: list[RatedRow] = []
    for batch in map(run.now, book.batches(report)):
        findings.extend(book.check(run.standing_before(batch)))
        if findings.refused:
            continue
        try:
            rows += run.rate(batch)
            findings.extend(book.check_rated(batch, run.seats))
        except Unsettled as unsettled:
            _tell_unsettled(batch, unsettled.name, unsettled.at_most, book, findings)
    return Rating(book, () if findings.refused else tuple(rows), findings)


def _tell_unsettled(
    batch: Batch, name: str, at_most: int, book: AnyRuleBook, findings: Findings
) -> None:
    findings.add(
        Severity.ERROR,
        "rate.unsettled",
        f"The numbers of the players still moved after {at_most} turns of the round "
        f"{name!r}: {book.name} cannot rate this.",
        Place(section=batch.section),
        "Look whether all results are right, and whether the players without a rating are joined "
        "to the others by enough games; otherwise the rating officer has to decide.",
    )


def _next_batch(made: Iterator[Batch], rows: Sequence[Row]) -> Batch | None:
    """The next batch of a report; a generator is told what came out of the one before."""
    if not isinstance(made, Generator):
        return next(made, None)
    try:
        return cast(Batch, made.send(rows))
    except StopIteration:
        return None


def _rate_batch(batch: Batch, book: Twice, explain: Collection[str] | None) -> list[RatedRow]:
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
        counted = tuple(batch.as_reported(side.game) for side in book.counted(entered[row], sides))
        rated.append(RatedRow(result, steps, counted))
    return rated


def _play(batch: Batch, book: Twice, entered: Sequence[Any]) -> list[_Played]:
    """All rounds of a batch, those included that are repeated until nothing moves.

    Raises :class:`_Unsettled`.
    """
    sides: list[list[Any]] = [book.sides(batch, entered, row) for row in range(len(batch.entries))]
    played: list[_Played] = []
    for round_ in book.rounds(batch):
        if round_.wanted is not None and not _is_wanted(round_, played):
            continue
        for turn in range(round_.at_most):
            now = _turn(book, round_, entered, sides, played[-1].values if played else None)
            moves = not (turn or (round_.goes_on and played)) or _moves(round_, now, played[-1])
            if turn and round_.still is not None:
                played[-1] = replace(played[-1], is_told=False)
            played.append(now)
            sides = [[*own] for own in now.sides]
            if not moves:
                break
        else:
            if round_.must_settle:
                raise _Unsettled(round_)
    return played


def _turn(
    book: Twice,
    round_: Round[Any, Any, Any, Any],
    entered: Sequence[Any],
    sides: Sequence[Sequence[Any]],
    before: Sequence[Any] | None,
) -> _Played:
    """A round played once; ``before`` has the values of the one before."""
    if before is None:
        values = [
            round_.kernel(standing, own, book.parameters)
            for standing, own in zip(entered, sides, strict=True)
        ]
        return _Played(round_, entered, sides, values)
    seen, standings, moved, values = [*before], [], [], []
    for row, (standing, own) in enumerate(zip(entered, sides, strict=True)):
        standings.append(book.between(standing, before[row]))
        moved.append(_moved(book, own, seen))
        values.append(round_.kernel(standings[-1], moved[-1], book.parameters))
        if round_.in_turn:
            seen[row] = values[-1]
    return _Played(round_, standings, moved, values)


def _is_wanted(round_: Round[Any, Any, Any, Any], played: Sequence[_Played]) -> bool:
    """Whether a value of the round before wants this one."""
    wanted = round_.wanted
    return wanted is not None and bool(played) and any(map(wanted, played[-1].values))


def _moves(round_: Round[Any, Any, Any, Any], now: _Played, before: _Played) -> bool:
    """Whether a value moved by as much as makes another turn."""
    still = round_.still
    return still is None or any(
        abs(new.value - old.value) >= still
        for new, old in zip(now.values, before.values, strict=True)
    )


def _moved(book: Twice, sides: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    """The sides with the opponents' values of the round before."""
    return [side if side.other < 0 else book.moved(side, values[side.other]) for side in sides]


def _explained(
    batch: Batch,
    book: Twice,
    row: int,
    entered: Sequence[Any],
    played: Sequence[_Played],
) -> tuple[Step, ...]:
    """Run the player's part once more under a trace; the functions are pure."""
    with traced() as trace:
        standing = book.enter(book.standing(batch, row))
        book.sides(batch, entered, row)
        for past in played:
            trace.phase += 1
            if past.is_told:
                past.round.kernel(past.standings[row], past.sides[row], book.parameters)
        trace.phase += 1
        book.leave(standing, played[-1].values[row])
    return steps_of(trace, batch, batch.entries[row].id, book)


__all__ = ["RatedRow", "Rating", "rate"]
