"""Histories that cannot be rated."""

from __future__ import annotations

from ratingbook.model import Findings


class HistoryRefused(ValueError):
    """Input that cannot be rated; ``findings`` say what, where, and what to do."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        super().__init__("; ".join(each.message for each in findings if each.severity.refuses))
