"""Players files as tests have them, and the reports beside them."""

from __future__ import annotations

from typing import Any

from ratingbook.formats.document.read import report_from
from ratingbook.formats.players import read_players
from ratingbook.model import Entry, Finding, Findings, Report, Severity


def read(text: str) -> dict[str, Entry]:
    """The players of a file that has no finding at all."""
    players, findings = read_players(text)
    assert list(findings) == []
    return players


def one(findings: Findings, code: str, severity: Severity) -> Finding:
    """The only finding; it says what to do."""
    (finding,) = findings
    assert (finding.code, finding.severity) == (code, severity)
    assert finding.remedy
    return finding


def report(*players: dict[str, Any]) -> Report:
    return report_from({"ratingbook": "report/1", "players": list(players), "games": []})
