"""Which game a file is of: a Go result table is no chess event."""

from __future__ import annotations

from ratingbook.formats import Read
from ratingbook.formats.catalogue import FORMATS
from ratingbook.model import Findings, Severity
from ratingbook.rules.book import AnyRuleBook


def check_game(reading: Read, book: AnyRuleBook) -> Findings:
    """An error where the file is of another game than the edition."""
    findings = Findings()
    known = FORMATS.get(reading.format)
    game = known.game if known else None
    if game is not None and book.game and game != book.game:
        findings.add(
            Severity.ERROR,
            "edition.other-game",
            f"The file is a {reading.format} report, which is of {game}; {book.name} rates "
            f"{book.game}.",
            remedy="Choose an edition of that game; `ratingbook rulebooks` lists them.",
        )
    return findings
