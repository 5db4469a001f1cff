"""``ratingbook convert``: a report from one format into another."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from ratingbook.cli.put import put, putting
from ratingbook.cli.screen import errors, nobody_reads, print_findings, telling
from ratingbook.desk.written import clean
from ratingbook.engine.carried import books_for, ratings_changed
from ratingbook.engine.intake import check_report
from ratingbook.formats import Read, read
from ratingbook.formats.convert import converted
from ratingbook.formats.format import FormatFault, Target
from ratingbook.formats.lists import looks_like_list
from ratingbook.formats.registry import target_of, targets
from ratingbook.model import Findings, Place, Report, Severity

if TYPE_CHECKING:
    from ratingbook.formats.lists.convert import ListTarget

STANDARD_OUTPUT = Path("-")


def run(
    source: Path,
    out: Path,
    key: str | None,
    columns: Mapping[str, str] | None = None,
    *,
    force: bool,
) -> bool:
    """Convert a file; True if it was refused, and then nothing was written."""
    kind = looks_like_list(source)
    if kind is not None:
        return _convert_list(source, out, key, kind, force=force)
    if key is not None and key not in targets():
        findings = Findings()
        what = f"{key} is a format of rating lists, and this is none"
        _tell_unknown(what, out, findings, targets())
        print_findings(findings, errors())
        return True
    reading = read(source, columns=columns)
    findings = Findings(reading.findings)
    report = reading.report
    if report is not None and not findings.refused:
        findings.extend(check_report(report, reading.findings))
    findings = findings.in_file(str(source))
    files: Mapping[str, bytes] = {}
    target = None
    if report is not None and not findings.refused:
        target = targets()[key] if key else _target(out, report, findings)
    if report is not None and target is not None:
        _check_place(
            out, is_folder=not target.suffix, name=target.name, findings=findings, force=force
        )
        if not findings.refused:
            books = books_for(report, reading.game)
            files, more = converted(
                report, target, lambda old, new, ids: ratings_changed(old, new, ids, books)
            )
            findings.extend(more)
    if report is not None and target is not None and not findings.refused:
        _put(files, out, findings)
    print_findings(findings, errors())
    if report is not None and target is not None and not findings.refused:
        _tell(reading, report, target, out)
    return findings.refused


def _target(out: Path, report: Report, findings: Findings) -> Target | None:
    try:
        target = target_of(out.suffix, report)
    except FormatFault as fault:
        findings.extend([fault.finding])
        return None
    if target is None:
        what = f"The name {out.name} does not say into which format"
        _tell_unknown(what, out, findings, targets())
    return target


def _tell_unknown(what: str, out: Path, findings: Findings, known: Iterable[str]) -> None:
    findings.add(
        Severity.FATAL,
        "convert.unknown-format",
        f"{what}.",
        Place(file=str(out)),
        f"Give it with --format: {', '.join(known)}.",
    )


def _convert_list(source: Path, out: Path, key: str | None, kind: str, *, force: bool) -> bool:
    """Convert a rating list, player by player; True if it was refused."""
    from ratingbook.formats.lists.convert import LIST_TARGETS, convert_list, list_target

    findings = Findings()
    target = LIST_TARGETS.get(key) if key else list_target(out.suffix)
    if target is None:
        what = f"A {kind} cannot be written as {key or out.suffix or 'a file without suffix'}"
        _tell_unknown(what, out, findings, LIST_TARGETS)
    else:
        _check_place(out, is_folder=False, name=target.key, findings=findings, force=force)
    if target is None or findings.refused:
        print_findings(findings, errors())
        return True
    counted = 0

    def told(count: int) -> None:
        nonlocal counted
        counted = count

    with telling(f"converting {source.name}"):
        if out == STANDARD_OUTPUT:
            findings = convert_list(source, sys.stdout.buffer, target, told)
        else:
            findings = _convert_beside(source, out, target, told)
    print_findings(findings, errors())
    if not findings.refused and out != STANDARD_OUTPUT:
        text = f"{counted:,} players from {kind} to {target.key}: {clean(out)}"
        errors().print(Text(text, "bold"))
    return findings.refused


def _convert_beside(
    source: Path,
    out: Path,
    target: ListTarget,
    told: Callable[[int], None],
) -> Findings:
    """Write beside the place and move there what is complete."""
    from ratingbook.formats.lists.convert import convert_list

    try:
        with putting(out) as made:
            findings = convert_list(source, made.file, target, told)
            if findings.refused:
                made.leave()
    except OSError as error:
        return _unwritable(out, error)
    return findings


def _check_place(out: Path, *, is_folder: bool, name: str, findings: Findings, force: bool) -> None:
    """Nothing that is there already is lost unasked."""
    place = Place(file=str(out))
    if out == STANDARD_OUTPUT:
        if is_folder:
            findings.add(
                Severity.FATAL, "convert.out", f"{name} has several files.", place,
                "Name a folder for them.",
            )  # fmt: skip
        return
    if out.is_dir() and not is_folder:
        findings.add(Severity.FATAL, "convert.out", "This is a folder.", place, "Name a file.")
    elif is_folder and out.exists() and not out.is_dir():
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
        try:
            sys.stdout.buffer.write(files[""])
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            nobody_reads()
        return
    try:
        if list(files) == [""]:
            put(files[""], out)
            return
        out.mkdir(exist_ok=True)
        for name, data in files.items():
            put(data, out / name)
    except OSError as error:
        findings.extend(_unwritable(out, error))


def _unwritable(out: Path, error: OSError) -> Findings:
    findings = Findings()
    findings.add(
        Severity.FATAL,
        "convert.unwritable",
        f"It cannot be written: {error.strerror or error}.",
        Place(file=str(out)),
        "Check the name, the room on the disk, and that you may write there.",
    )
    return findings


def _tell(reading: Read, report: Report, target: Target, out: Path) -> None:
    """What was done, in plain words; the output may be the file itself."""
    if out != STANDARD_OUTPUT:
        errors().print(
            Text(
                f"{len(report.entries)} players and {len(report.games)} games from "
                f"{reading.format} to {target.name}: {clean(out)}",
                "bold",
            )
        )
