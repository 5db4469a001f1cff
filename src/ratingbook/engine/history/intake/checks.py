"""What is checked in the same way for games and for the tables beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa

from ratingbook.engine.history.intake.faults import Kind
from ratingbook.engine.history.intake.sources import Source
from ratingbook.engine.history.intake.values import WrongType
from ratingbook.model import Findings, Place, Severity

NO_VALUE = Kind(
    "history.no-value",
    "A row has no {column}",
    "{count} rows have no {column}",
    "Fill it in, or take the rows out.",
)
DATE = Kind(
    "history.date",
    "A value of {column} cannot be a date from 1500 to 2200",
    "{count} values of {column} cannot be dates from 1500 to 2200",
    "Write dates as YYYY-MM-DD.",
)


def check_columns(
    source: Source, required: Sequence[str], optional: Iterable[str], findings: Findings
) -> None:
    """Findings of columns that are missing, stand twice, or are not known."""
    place = Place(file=source.name)
    known = {*required, *optional}
    found = [name for name in source.columns if name in known]
    twice = sorted({name for name in found if found.count(name) > 1})
    if twice:
        findings.add(
            Severity.FATAL,
            "history.repeated-column",
            f"The column {twice[0]} stands twice.",
            place,
            "Keep one of the two.",
        )
    if not set(required) <= set(source.known):
        first = next(name for name in required if name not in source.known)
        remedy = (
            f"Required are {', '.join(required)}; name them so, or in Python "
            f'columns={{"{first}": "…"}}.'
        )
        _tell_missing(source, required, remedy, findings)
    unknown = [shown(name) for name in source.known if name not in known]
    if unknown:
        more = f" and {len(unknown) - 12} more" if len(unknown) > 12 else ""
        findings.add(
            Severity.WARNING,
            "history.unknown-column",
            "Columns that are not known and are not used: "
            f"{', '.join(dict.fromkeys(unknown[:12]))}{more}.",
            place,
            f"Known are {', '.join(sorted(known))}.",
        )


_BESIDE = {
    "decisions": {"player", "kind", "value"},
    "entries": {"event", "player"},
    "events": {"event", "start"},
    "players": {"id"},
}
"""What tables beside the games are known by."""


def tell_foreign(source: Source, required: Sequence[str], findings: Findings) -> None:
    """A file of another kind among files of games: that alone is told of it."""
    remedy = f"Take the file out, or give it the columns {', '.join(required)}."
    for name, columns in _BESIDE.items():
        if columns <= set(source.known):
            remedy = f"Take the table of {name} out of the folder, and give it with --{name}."
            break
    _tell_missing(source, required, remedy, findings)


def _tell_missing(source: Source, required: Sequence[str], remedy: str, findings: Findings) -> None:
    missing = [name for name in required if name not in source.known]
    there = ", ".join(shown(name) for name in source.known[:12]) or "none"
    findings.add(
        Severity.FATAL,
        "history.missing-column",
        f"There is no column {' and no column '.join(missing)}; the columns are {there}.",
        Place(file=source.name),
        remedy,
    )


def shown(name: str) -> str:
    """The name of a column; the first line of a text is none, and is cut."""
    return (name if len(name) <= 40 else name[:39] + "…") or "(without a name)"


def add_wrong_type(
    column: str, kind: pa.DataType, error: WrongType, name: str, findings: Findings
) -> None:
    """Tell that a column holds something else than it should."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    findings.add(
        Severity.FATAL,
        "history.column-type",
        f"The column {column} holds values of type {kind} and should hold {error}.",
        Place(file=name),
        "Convert the column and write the file again.",
    )
