"""``ratingbook check``: findings only."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from ratingbook.cli.screen import clean, output, print_findings, telling, write
from ratingbook.engine.intake import check_report
from ratingbook.engine.rate import rate
from ratingbook.formats import Read, read
from ratingbook.formats.document.keys import NO_KEYS
from ratingbook.formats.lists import check_list, looks_like_list
from ratingbook.model import Findings
from ratingbook.rules.series import BookOrSeries


@dataclass(frozen=True)
class Checked:
    """A file, and what was found in it."""

    path: Path
    reading: Read
    findings: Findings
    counts: str
    verdict: str
    """What is said of it where nothing refuses it."""


def run(
    paths: Sequence[Path],
    book: BookOrSeries | None,
    columns: Mapping[str, str] | None = None,
    encoding: str | None = None,
    *,
    as_json: bool,
) -> bool:
    """Check each file and print its findings; True if one was refused."""
    checked = []
    for path in paths:
        kind = looks_like_list(path, encoding)
        if kind is not None:
            checked.append(_checked_list(path, kind, encoding))
            continue
        reading = read(path, book.standing_fields if book else NO_KEYS, columns, encoding)
        findings = _findings(reading, book).in_file(str(path))
        checked.append(Checked(path, reading, findings, _counts(reading), "can be rated"))
    if as_json:
        documents = [_as_dict(each) for each in checked]
        whole = documents[0] if len(documents) == 1 else documents
        write(json.dumps(whole, ensure_ascii=False, indent=2))
    else:
        for each in checked:
            _print(each)
    return any(each.findings.refused for each in checked)


def _counts(reading: Read) -> str:
    report = reading.report
    return f"{len(report.entries)} players, {len(report.games)} games" if report else ""


def _checked_list(path: Path, kind: str, encoding: str | None) -> Checked:
    """A rating list, every line of which is looked at."""
    with telling("checking"):
        findings, count = check_list(path, encoding)
    reading = Read(None, findings, kind, "as the list says", "its first lines")
    return Checked(path, reading, findings, f"{count:,} players", "can be used")


def _findings(reading: Read, book: BookOrSeries | None) -> Findings:
    findings = Findings(reading.findings)
    report = reading.report
    if report is None or findings.refused:
        return findings
    # A rule book notices some things only when it rates.
    findings.extend(rate(report, book).findings if book else check_report(report))
    return findings


def _as_dict(checked: Checked) -> dict[str, object]:
    reading = checked.reading
    return {
        "report": str(checked.path),
        "format": reading.format,
        "encoding": reading.encoding,
        "recognised_by": reading.reason,
        "refused": checked.findings.refused,
        "findings": [finding.as_dict() for finding in checked.findings],
    }


def _print(checked: Checked) -> None:
    console, reading = output(), checked.reading
    verdict = "refused" if checked.findings.refused else checked.verdict
    parts = ", ".join(part for part in (reading.format, reading.encoding, checked.counts) if part)
    console.print(Text(f"{clean(checked.path)}: {verdict} ({parts})", "bold"))
    if reading.reason:
        console.print(Text(f"recognised by: {clean(reading.reason)}", "dim"))
    print_findings(checked.findings, console)
