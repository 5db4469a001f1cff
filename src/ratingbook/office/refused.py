"""An act that the office refuses, with findings that say why and what to do."""

from __future__ import annotations

from collections.abc import Iterable

from ratingbook.model import Finding, Findings, Place, Severity


class OfficeRefused(Exception):
    """Nothing was written; ``findings`` say why."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = Findings(findings)
        super().__init__("; ".join(each.message for each in self.findings))


def not_installed(
    error: ImportError, message: str = "The office is not installed"
) -> OfficeRefused:
    """The refusal where a library is missing."""
    return refuse(
        "office.not-installed", f"{message}: {error}.",
        'Install it: pip install "ratingbook[office]".',
    )  # fmt: skip


def refuse(code: str, message: str, remedy: str, place: Place | None = None) -> OfficeRefused:
    """The refusal with one finding."""
    return OfficeRefused([Finding(code, Severity.ERROR, message, place or Place(), remedy)])
