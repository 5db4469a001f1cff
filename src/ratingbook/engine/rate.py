"""Rating a report with a rule book, in plain Python."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.intake import check_for, check_report
from ratingbook.engine.report.run import RatedRow, ReportRun, Unsettled
from ratingbook.model import Findings, Place, Report, Severity
from ratingbook.model.sentences import sentence
from ratingbook.rules.book import Batch, RuleBook
from ratingbook.rules.series import BookOrSeries


@dataclass(frozen=True, repr=False)
class Rating:
    """What a rule book makes of a report; a refused report has no rows."""

    book: BookOrSeries
    """The edition that rated; where none was chosen, what was asked."""
    rows: tuple[RatedRow, ...]
    findings: Findings = field(default_factory=Findings)

    def __repr__(self) -> str:
        return f"<{len(self.rows)} players rated by {self.book.name}>"


def rate(
    report: Report,
    book: BookOrSeries,
    *,
    explain: Collection[str] | None = (),
    coefficients: bool = False,
) -> Rating:
    """Rate a report.

    ``explain`` names the players whose change is to be explained; None means all.  With
    ``coefficients`` it is noted which K the others had.
    Of a series of editions the one in force on the day of the report rates it.  A report
    with a finding that refuses it gives no rows at all.
    """
    findings = check_report(report)
    asked, book = book, book.for_report(report)
    findings.extend(check_for(report, book, asked))
    if findings.refused:
        return Rating(book, (), findings)
    run = ReportRun(report, book, bulk_of(book), explain, coefficients=coefficients)
    return _rate_batches(report, book, run, findings)


def checked(report: Report, book: RuleBook) -> Findings:
    """What the edition itself notices about a sound report, without rating it."""
    findings = Findings()
    run = ReportRun(report, book, bulk_of(book), ())
    for batch in book.batches(report):
        findings.extend(book.check(run.standing_before(batch)))
    return findings


def _rate_batches(report: Report, book: RuleBook, run: ReportRun, findings: Findings) -> Rating:
    """Batch by batch through the loops."""
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
    batch: Batch, name: str, at_most: int, book: RuleBook, findings: Findings
) -> None:
    findings.add(
        Severity.ERROR,
        "rate.unsettled",
        sentence(
            "The numbers of the players still moved after {turns} turns of the round {name!r}: "
            "{rulebook} cannot rate this.",
            turns=at_most,
            name=name,
            rulebook=book.name,
        ),
        Place(section=batch.section),
        sentence(
            "Look whether all results are right, and whether the players without a rating are "
            "joined to the others by enough games; otherwise the rating officer has to decide."
        ),
    )


__all__ = ["RatedRow", "Rating", "checked", "rate"]
