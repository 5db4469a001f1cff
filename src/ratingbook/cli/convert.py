"""``ratingbook convert``: a report from one format into another."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from rich.text import Text

from ratingbook.cli.screen import clean, errors, print_findings
from ratingbook.engine.intake import check_report
from ratingbook.formats import Reading, read
from ratingbook.formats.catalogue import TARGETS, Target, target_of
from ratingbook.formats.convert import converted
from ratingbook.model import Findings, Place, Report, Severity

STANDARD_OUTPUT = Path("-")


def run(source: Path, out: Path, key: str | None, *, force: bool) -> bool:
    """Convert a file; True if it was refused, and then nothing was written."""
    reading = read(source)
    findings = Findings(reading.findings)
    report = reading.report
    if report is not None and not findings.refused:
        findings.extend(check_report(report))
    findings = findings.in_file(str(source))
    files: Mapping[str, bytes] = {}
    target = None
    if report is not None and not findings.refused:
        target = TARGETS[key] if key else _target(out, report, findings)
    if report is not None and target is not None:
        _check_place(out, target, findings, force=force)
        if not findings.refused:
            files, more = converted(report, target)
            findings.extend(more)
    if report is not None and target is not None and not findings.refused:
        _put(files, out, findings)
    print_findings(findings, errors())
    if report is not None and target is not None and not findings.refused:
        _tell(reading, report, target, out)
    return findings.refused


def _target(out: Path, report: Report, findings: Findings) -> Target | None:
    target = target_of(out.suffix, report)
    if target is None:
        findings.add(
            Severity.FATAL,
            "convert.unknown-format",
            f"The name {out.name} does not say into which format.",
            Place(file=str(out)),
            f"Give it with --to: {', '.join(TARGETS)}.",
        )
    return target


def _check_place(out: Path, target: Target, findings: Findings, *, force: bool) -> None:
    """Nothing that is there already is lost unasked."""
    place = Place(file=str(out))
    if out == STANDARD_OUTPUT:
        if not target.suffix:
            findings.add(
                Severity.FATAL, "convert.out", f"{target.name} has several files.", place,
                "Name a folder for them.",
            )  # fmt: skip
        return
    if out.is_dir() and target.suffix:
        findings.add(Severity.FATAL, "convert.out", "This is a folder.", place, "Name a file.")
    elif not target.suffix and out.exists() and not out.is_dir():
        findings.add(Severity.FATAL, "convert.out", "This is a file.", place, "Name a folder.")
    elif _in_the_way(out) and not force:
        findings.add(
            Severity.FATAL,
            "convert.exists",
            "There is something already; it was left as it is.",
            place,
            "Choose another name, or say --force to replace it.",
        )
    elif not out.parent.is_dir():
        findings.add(
            Severity.FATAL, "convert.out", f"There is no folder {out.parent}.", place,
            "Make it first.",
        )  # fmt: skip


def _in_the_way(out: Path) -> bool:
    return any(out.iterdir()) if out.is_dir() else out.exists()


def _put(files: Mapping[str, bytes], out: Path, findings: Findings) -> None:
    """Write whole files beside, then move them to their places."""
    if out == STANDARD_OUTPUT:
        sys.stdout.buffer.write(files[""])
        sys.stdout.buffer.flush()
        return
    try:
        if list(files) == [""]:
            _put_file(files[""], out)
            return
        out.mkdir(exist_ok=True)
        for name, data in files.items():
            _put_file(data, out / name)
    except OSError as error:
        findings.add(
            Severity.FATAL,
            "convert.unwritable",
            f"It cannot be written: {error.strerror or error}.",
            Place(file=str(out)),
            "Check the name, the room on the disk, and that you may write there.",
        )


def _put_file(data: bytes, path: Path) -> None:
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        Path(beside).chmod(0o666 & ~mask)
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _tell(reading: Reading, report: Report, target: Target, out: Path) -> None:
    """What was done, in plain words; the output may be the file itself."""
    if out != STANDARD_OUTPUT:
        errors().print(
            Text(
                f"{len(report.entries)} players and {len(report.games)} games from "
                f"{reading.format} to {target.name}: {clean(out)}",
                "bold",
            )
        )
