"""``ratingbook check``: findings only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from ratingbook.cli.screen import clean, output, print_findings, write
from ratingbook.engine.intake import check_for, check_report
from ratingbook.formats import Reading, read
from ratingbook.model import Findings
from ratingbook.rules.book import AnyRuleBook


def run(paths: Sequence[Path], book: AnyRuleBook | None, *, as_json: bool) -> bool:
    """Check each file and print its findings; True if one was refused."""
    checked = []
    for path in paths:
        reading = read(path, book.standing_fields if book else frozenset())
        checked.append((path, reading, _findings(reading, book).in_file(str(path))))
    if as_json:
        documents = [_as_dict(*each) for each in checked]
        whole = documents[0] if len(documents) == 1 else documents
        write(json.dumps(whole, ensure_ascii=False, indent=2))
    else:
        for each in checked:
            _print(*each)
    return any(findings.refused for _, _, findings in checked)


def _findings(reading: Reading, book: AnyRuleBook | None) -> Findings:
    findings = Findings(reading.findings)
    report = reading.report
    if report is None or findings.refused:
        return findings
    findings.extend(check_report(report))
    if book and not findings.refused:
        findings.extend(check_for(report, book))
        if not findings.refused:
            for batch in book.batches(report):
                findings.extend(book.check(batch))
    return findings


def _as_dict(path: Path, reading: Reading, findings: Findings) -> dict[str, object]:
    return {
        "report": str(path),
        "format": reading.format,
        "encoding": reading.encoding,
        "refused": findings.refused,
        "findings": [finding.as_dict() for finding in findings],
    }


def _print(path: Path, reading: Reading, findings: Findings) -> None:
    console = output()
    verdict = "refused" if findings.refused else "can be rated"
    counts = ""
    if reading.report:
        counts = f", {len(reading.report.entries)} players, {len(reading.report.games)} games"
    console.print(
        Text(f"{clean(path)}: {verdict} ({reading.format}, {reading.encoding}{counts})", "bold")
    )
    print_findings(findings, console)
