"""A report on its way from one format to another, with everything that does not arrive."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from ratingbook.formats import Read, read, read_bytes
from ratingbook.formats.differences import differences
from ratingbook.formats.format import FormatFault, Target
from ratingbook.model import Findings, Report, Severity

_SHOWN = 3
"""How many reasons are named for which a report would be refused."""


Judge = Callable[[Report, Report, Mapping[str, str]], Findings]
"""What a change means for ratings: the report before and after, and how players are renumbered."""


def converted(
    report: Report, target: Target, judge: Judge | None = None
) -> tuple[Mapping[str, bytes], Findings]:
    """The files of the format that say the report, and what they do not say.

    They are read back: every difference is a finding, and first what ``judge`` finds.
    There are no files where the findings refuse it.
    """
    try:
        written = target.write(report)
    except FormatFault as fault:
        return {}, Findings([fault.finding])
    findings = Findings(written.findings)
    if findings.refused:
        return {}, findings
    if not target.format.reader:
        findings.add(
            Severity.WARNING,
            "convert.not-compared",
            f"{target.name} is only written: what it does not say cannot be told.",
            remedy="Keep the file that it was made from.",
        )
        return written.files, findings
    again = _read_back(written.files)
    if again.report is None or again.findings.refused:
        reasons = [f.message for f in again.findings if f.severity.refuses]
        shown = "; ".join(reasons[:_SHOWN]) + (" …" if len(reasons) > _SHOWN else "")
        findings.add(
            Severity.ERROR,
            "convert.refused",
            f"As {target.name} the report would be refused: {shown}",
            remedy="Mend that in the file first; `ratingbook check` says where it is.",
        )
        return {}, findings
    first = judge(report, again.report, written.ids) if judge else Findings()
    findings = Findings([*first, *findings])
    findings.extend(differences(report, again.report, written.ids, target.name))
    return ({} if findings.refused else written.files), findings


def _read_back(files: Mapping[str, bytes]) -> Read:
    if list(files) == [""]:
        return read_bytes(files[""])
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        return read(Path(folder))
