"""What is wrong with rows, counted by kind: millions of bad rows are still a few findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ratingbook.model import Findings, Place, Severity

if TYPE_CHECKING:
    from ratingbook.engine.history.intake.sources import Source


@dataclass(frozen=True, slots=True)
class Kind:
    """One way in which a row can be wrong.

    ``one`` and ``many`` say what is the matter, for one row and for ``{count}`` of
    them; both may name the ``{column}``.
    """

    code: str
    one: str
    many: str
    remedy: str
    severity: Severity = Severity.ERROR


@dataclass(slots=True)
class _Tally:
    file: str
    row: int
    line: Callable[[], int | None]
    value: str | None
    count: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """The rows of one kind and column in a part of the input, as it is handed on."""

    kind: Kind
    column: str
    file: str
    row: int
    line: int | None
    value: str | None
    count: int


class Faults:
    """Rows that are wrong: of each kind and column the first one and how many there are."""

    def __init__(self) -> None:
        self._tallies: dict[tuple[Kind, str], _Tally] = {}

    def add(
        self, kind: Kind, column: str, source: Source, row: int, count: int = 1, value: Any = None
    ) -> None:
        """Note ``count`` rows, the first of them ``row`` (from 0) of ``source``."""
        first = _Tally(source.name, row, lambda: source.line(row), _shown(value))
        self._tallies.setdefault((kind, column), first).count += count

    def told(self) -> tuple[Told, ...]:
        """All of it, to be handed on."""
        return tuple(
            Told(kind, column, tally.file, tally.row, tally.line(), tally.value, tally.count)
            for (kind, column), tally in self._tallies.items()
        )

    def take(self, told: Iterable[Told], rows: int) -> None:
        """Add what was told of a part of a file, before which there are so many ``rows``."""
        for each in told:
            first = _Tally(each.file, each.row + rows, partial(_same, each.line), each.value)
            self._tallies.setdefault((each.kind, each.column), first).count += each.count

    def has(self, kind: Kind) -> bool:
        """Whether a row is wrong in this way."""
        return any(known == kind for known, _ in self._tallies)

    def findings(self) -> Findings:
        """A finding for each kind and column, with the place of its first row."""
        findings = Findings()
        for (kind, column), tally in self._tallies.items():
            text = kind.one if tally.count == 1 else kind.many
            line = tally.line()
            # A text file is looked at in an editor, which counts lines, header included.
            where = f"row {tally.row + 1:,}" if line is None else f"line {line:,}"
            first = where if tally.value is None else f"{where} ({tally.value})"
            said = text.format(count=f"{tally.count:,}", column=column)
            findings.add(
                kind.severity,
                kind.code,
                f"{said}: {first}." if tally.count == 1 else f"{said}, the first in {first}.",
                Place(file=tally.file, line=line),
                kind.remedy.format(column=column),
            )
        return findings


def _same(line: int | None) -> int | None:
    return line


def _shown(value: Any) -> str | None:
    """A value as a message quotes it."""
    if value is None:
        return None
    text = value if isinstance(value, str) else str(value)
    text = text if len(text) <= 40 else text[:39] + "…"
    return f"“{text}”" if isinstance(value, str) else text


def value_at(array: pa.Array, index: int) -> Any:
    """The value of a row for a message; None where it cannot be shown."""
    try:
        return array[index].as_py()
    # A timestamp in the year 300,000 is no Python date, nor must every byte be text.
    except (ValueError, OverflowError, pa.ArrowException, ImportError):
        return None
