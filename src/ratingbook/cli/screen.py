"""What people see: consoles, tables, findings.

Everything that comes from a file is text, never markup, and loses control
characters before it reaches a terminal.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import IO, NoReturn, cast

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from ratingbook.desk.written import clean
from ratingbook.model import Finding, Findings, Severity
from ratingbook.model.patterns import pattern

_STYLES = {
    Severity.FATAL: "bold red",
    Severity.ERROR: "red",
    Severity.WARNING: "yellow",
    Severity.INFO: "cyan",
}
_PADDING = pattern(r"[ ]+(?=\n|\Z)")
_GAP = 2
"""Spaces between columns."""
_TIGHT = (0, 1, 0, 0)
"""One blank between columns, where two are too many."""
_UNBOUNDED = 10_000
"""Columns in which every table fits."""
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
    before = replace(_place)
    text = None if path is None else io.StringIO()
    _place.text, _place.quiet = text, quiet
    try:
        yield
    except KeyboardInterrupt:
        # What was printed up to then is half of it.
        text = None
        raise
    finally:
        _place.text, _place.quiet = before.text, before.quiet
        # Of what was refused there may be nothing: then a file of before stays as it is.
        if path is not None and text is not None and text.tell():
            from ratingbook.cli.put import put

            put(text.getvalue().encode(), path)


def is_quiet() -> bool:
    """Whether nothing is to be told for the record: no progress, no totals."""
    return _place.quiet


class _Console(Console):
    def on_broken_pipe(self) -> NoReturn:
        nobody_reads()


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
    if stream.isatty():
        return _Console(stderr=stderr, markup=False, highlight=False, emoji=False, soft_wrap=False)
    said = os.environ.get("COLUMNS", "")
    width = int(said) if said.isdecimal() and int(said) > 0 else _WIDTH_OF_FILES
    return _Console(
        file=cast(IO[str], _Unpadded(stream)), width=width, markup=False, highlight=False,
        emoji=False, soft_wrap=False,
    )  # fmt: skip


class _Unpadded:
    """A file without the blanks with which lines of tables are filled up."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(_PADDING.sub("", text))

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


class _HouseTable(Table):
    """A table of which nothing vanishes: where it does not fit, each row is a few lines."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for column in self.columns:
            if column.no_wrap:
                # Rich would cut numbers off where they fit word by word only.
                column.min_width = max(
                    cell_len(str(cell)) for cell in (column.header, *column.cells)
                )
        lines = self._on_one_line_each(options.max_width)
        if lines is not None:
            yield from lines
            return
        for padding in (self.padding, _TIGHT):
            self.padding = padding
            least = super().__rich_measure__(console, options.update_width(_UNBOUNDED)).minimum
            if least <= options.max_width:
                yield from super().__rich_console__(console, options)
                return
        if self.title:
            yield self.title
        for row in zip(*(column.cells for column in self.columns), strict=True):
            yield self._lines(row)

    def _on_one_line_each(self, width: int) -> list[Text] | None:
        """The title, the header and the rows, if they fit; Rich would measure each cell twice."""
        rows = list(zip(*([each.header, *each.cells] for each in self.columns), strict=True))
        if not all(
            isinstance(cell, Text) and "\n" not in cell.plain for row in rows for cell in row
        ):
            return None
        widths = [max(cell_len(str(cell)) for cell in column) for column in zip(*rows, strict=True)]
        if sum(widths) + _GAP * (len(widths) - 1) > width:
            return None
        lines = []
        for number, row in enumerate(rows):
            line = Text(style="" if number else "bold")
            for place, (column, cell) in enumerate(zip(self.columns, row, strict=True)):
                said = cell.copy()
                said.rstrip()
                space = " " * (widths[place] - cell_len(said.plain))
                line.append(" " * _GAP if place else "")
                line.append(space if column.justify == "right" else "")
                line.append(said)
                line.append("" if column.justify == "right" else space)
            lines.append(line)
        title = [self.title] if isinstance(self.title, Text) else []
        return [*title, *lines]

    def _lines(self, row: Sequence[RenderableType]) -> Text:
        """What names the row, then each number under its name."""
        said = [
            (str(column.header), str(cell).strip(), column.justify == "right")
            for column, cell in zip(self.columns, row, strict=True)
        ]
        first = next((n for n, (*_, right) in enumerate(said) if not right), 0)
        lead = " ".join(text for _, text, _ in said[: first + 1] if text)
        rest = (f"{name} {text}" for name, text, _ in said[first + 1 :] if text)
        return Text(lead, style="bold").append(Text("\n  " + ", ".join(rest), style="not bold"))


def write(text: str) -> None:
    """Write results that are for programs, as they are."""
    if _place.text is not None:
        _place.text.write(text + "\n")
        return
    try:
        print(text, flush=True)
    except BrokenPipeError:
        nobody_reads()


def nobody_reads() -> NoReturn:
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
    if is_quiet() or not sys.stderr.isatty():
        yield
        return
    with errors().status(clean(what)):
        yield


def plain_table(*columns: str, title: str | None = None) -> Table:
    """A table in the house style; columns that start with ``>`` are set right."""
    table = _HouseTable(
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


def print_refusal(findings: Findings, *, as_json: bool) -> bool:
    """Tell why something is refused, in JSON where results go, too; True, as of all of it."""
    if as_json:
        write(json.dumps(findings.as_dict(), ensure_ascii=False, indent=2))
    print_findings(findings, errors())
    return True


def print_findings(findings: Iterable[Finding], console: Console) -> None:
    """Findings grouped by severity, the gravest first, each with place and remedy.

    What is to be done about several of one kind in a row is said once, below the last.
    """
    every = (part for finding in findings for part in finding.parts or (finding,))
    shown = list(
        Findings(
            finding for finding in every if not (_place.quiet and finding.severity is Severity.INFO)
        ).joined()
    )
    severity = None
    for finding, following in zip_longest(shown, shown[1:]):
        if finding.severity is not severity:
            severity = finding.severity
            console.print(Text(severity.value, style=_STYLES[severity]))
        same = following is not None and _asks(following) == _asks(finding)
        _print_finding(replace(finding, remedy="") if same else finding, console, "  ")
        for part in finding.below:
            # Its file is that of all the parts, and was told.
            own = replace(part, where=replace(part.where, file=None))
            _print_finding(own, console, "  – ")


def _asks(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.remedy


def _print_finding(finding: Finding, console: Console, indent: str) -> None:
    line = Text(indent)
    place = clean(finding.place)
    if place:
        line.append(f"{place}: ", style="bold")
    line.append(clean(finding.title))
    line.append(f"  [{finding.code}]", style="dim")
    say(console, line)
    if finding.remedy and (finding.assumed or not finding.parts):
        say(console, Text(f"    → {clean(finding.remedy)}", style="dim"))


def say(console: Console, text: Text | str) -> None:
    """Print a sentence; where no terminal is, on one line: its paths and codes stay whole."""
    console.print(text, soft_wrap=not console.is_terminal)


def aligned(texts: Sequence[str]) -> list[str]:
    """Numbers of a column, filled up behind so that their points stand in line when set right."""
    behind = [len(text) - len(re.split("[.½]", text)[0]) for text in texts]
    most = max(behind, default=0)
    return [text + " " * (most - own) for text, own in zip(texts, behind, strict=True)]
