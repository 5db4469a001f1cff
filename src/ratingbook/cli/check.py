"""``ratingbook check``: findings only."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.text import Text

from ratingbook.cli.screen import output, print_findings, telling, write
from ratingbook.desk.players import NOBODY, Players
from ratingbook.desk.rated import Checked, check_file
from ratingbook.desk.written import clean
from ratingbook.formats import Read
from ratingbook.formats.lists import check_list, looks_like_list
from ratingbook.rules.series import BookOrSeries


def run(
    paths: Sequence[Path],
    book: BookOrSeries | None,
    columns: Mapping[str, str] | None = None,
    *,
    as_json: bool,
    players: Players = NOBODY,
) -> bool:
    """Check each file and print its findings; True if one was refused."""
    documents = []
    refused = False
    for path in paths:
        kind = looks_like_list(path)
        if kind is not None:
            checked, count = _checked_list(path, kind)
            verdict, counts = "can be used", f"{count:,} players"
        else:
            checked = check_file(path, book, players, columns)
            verdict, counts = "can be rated", _counts(checked.reading)
        refused = refused or checked.findings.refused
        if as_json:
            documents.append(_as_dict(checked))
        else:
            _print(checked, "refused" if checked.findings.refused else verdict, counts)
    if as_json:
        whole = documents[0] if len(documents) == 1 else documents
        write(json.dumps(whole, ensure_ascii=False, indent=2))
    return refused


def _counts(reading: Read) -> str:
    report = reading.report
    return f"{len(report.entries)} players, {len(report.games)} games" if report else ""


def _checked_list(path: Path, kind: str) -> tuple[Checked, int]:
    """A rating list, every line of which is looked at, and the number of its players."""
    with telling("checking"):
        findings, count = check_list(path)
    reading = Read(None, findings, kind, "as the list says", "its first lines")
    return Checked(path, reading, findings), count


def _as_dict(checked: Checked) -> dict[str, object]:
    reading = checked.reading
    return {
        "report": str(checked.path),
        "format": reading.format,
        "encoding": reading.encoding,
        "recognised_by": reading.reason,
        "refused": checked.findings.refused,
        **checked.findings.as_dict(),
    }


def _print(checked: Checked, verdict: str, counts: str) -> None:
    console, reading = output(), checked.reading
    parts = ", ".join(part for part in (reading.format, reading.encoding, counts) if part)
    console.print(Text(f"{clean(checked.path)}: {verdict} ({parts})", "bold"))
    if reading.reason:
        console.print(Text(f"recognised by: {clean(reading.reason)}", "dim"))
    print_findings(checked.findings, console)
