"""What people see: consoles, tables, findings.

Everything that comes from a file is text, never markup, and loses control
characters before it reaches a terminal.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ratingbook.model import Finding, Severity

_STYLES = {
    Severity.FATAL: "bold red",
    Severity.ERROR: "red",
    Severity.WARNING: "yellow",
    Severity.INFO: "cyan",
}
_WIDTH_OF_FILES = 100
"""Columns of output that no terminal receives."""


@dataclass
class _Place:
    """Where results go, and how much is told."""

    text: io.StringIO | None = None
    quiet: bool = False


_place = _Place()


@contextmanager
def told_to(path: Path | None, *, quiet: bool) -> Iterator[None]:
    """Results go into a file, when all of them are there; ``quiet``: nothing for the record."""
    global _place  # noqa: PLW0603 - there is one screen
    before, _place = _place, _Place(None if path is None else io.StringIO(), quiet)
    now = _place
    try:
        yield
    finally:
        _place = before
        # Of what was refused there may be nothing: then a file of before stays as it is.
        if path is not None and now.text is not None and now.text.tell():
            beside = path.with_name(f".{path.name}.new")
            beside.write_text(now.text.getvalue(), "utf-8", newline="\n")
            beside.replace(path)


class _Console(Console):
    def on_broken_pipe(self) -> NoReturn:
        _nobody_reads()


def output() -> Console:
    """The console of results."""
    return _console(stderr=False)


def errors() -> Console:
    """The console of findings, usage errors and progress."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    if not stderr and _place.text is not None:
        return _Console(
            file=_place.text, width=_WIDTH_OF_FILES, markup=False, highlight=False, emoji=False
        )
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else max(_WIDTH_OF_FILES, shutil.get_terminal_size().columns)
    return _Console(
        stderr=stderr, width=width, markup=False, highlight=False, emoji=False, soft_wrap=False
    )


def write(text: str) -> None:
    """Write results that are for programs, as they are."""
    if _place.text is not None:
        _place.text.write(text + "\n")
        return
    try:
        print(text, flush=True)
    except BrokenPipeError:
        _nobody_reads()


def _nobody_reads() -> NoReturn:
    """The reader of our output (head, less) has seen enough: not an error of ours."""
    to_nowhere()
    raise SystemExit(0)


def to_nowhere() -> None:
    """Let what is still buffered, and whatever comes, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())


@contextmanager
def telling(what: str) -> Iterator[None]:
    """Says on a terminal what takes its time."""
    if not sys.stderr.isatty():
        yield
        return
    with errors().status(clean(what)):
        yield


def clean(text: object) -> str:
    """A text without control characters."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(text))


def plain_table(*columns: str, title: str | None = None) -> Table:
    """A table in the house style; columns that start with ``>`` are set right."""
    table = Table(
        title=Text(clean(title)) if title else None,
        title_justify="left",
        title_style="bold",
        header_style="bold",
        box=None,
        pad_edge=False,
    )
    for column in columns:
        right = column.startswith(">")
        table.add_column(Text(column.lstrip(">")), justify="right" if right else "left",
                         no_wrap=right)  # fmt: skip
    return table


def print_findings(findings: Iterable[Finding], console: Console) -> None:
    """Findings grouped by severity, the gravest first, each with place and remedy."""
    severity = None
    for finding in findings:
        if _place.quiet and finding.severity is Severity.INFO:
            continue
        if finding.severity is not severity:
            severity = finding.severity
            console.print(Text(severity.value, style=_STYLES[severity]))
        line = Text("  ")
        place = clean(finding.where)
        if place:
            line.append(f"{place}: ", style="bold")
        line.append(clean(finding.message))
        line.append(f"  [{finding.code}]", style="dim")
        console.print(line)
        if finding.remedy:
            console.print(Text(f"    → {clean(finding.remedy)}", style="dim"))


def number(value: float | None, *, signed: bool = False, digits: int = 2) -> str:
    """A number for people: real minus, no needless digits, – for none."""
    if value is None:
        return "–"
    text = f"{abs(value):.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if value < 0 and float(text) != 0:
        return "−" + text
    return ("+" if signed and value > 0 else "") + text


def rating_number(value: float | None, *, signed: bool = False) -> str:
    """A rating or its change for people: with the decimals that a federation prints."""
    return number(value, signed=signed, digits=3)
