"""The rows of a table as text, wherever they come from, and what a cell holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from ratingbook.model import Place
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

MAX_ROWS: Final = 200_000
"""The most rows of one table; more is a history, not a report."""
MAX_COLUMNS: Final = 1_000
MAX_ROUNDS: Final = 999

_SPACES = pattern("[\\s\u00a0\u2007\u2009\u202f'’]+")
_NUMBER = pattern(r"[+-]?(?:[0-9]{1,17}(?:\.[0-9]{1,20})?|\.[0-9]{1,20})(?:e[+-]?[0-9]{1,3})?")
_THOUSANDS = pattern(r"[+-]?[1-9][.,][0-9]{3}")
"""1.850 may be 1850 or a little less than two."""


class Row(NamedTuple):
    """One row; its cells have no white space around them."""

    number: int
    """Its line in the file, or its row in the sheet, from 1."""
    cells: tuple[str, ...]

    @property
    def blank(self) -> bool:
        """Whether nothing stands in it."""
        return not any(self.cells)

    @property
    def text(self) -> str:
        """What stands in it, for people."""
        return " ".join(filter(None, self.cells))

    def cell(self, column: int) -> str:
        """What stands in a column, counted from 0; nothing beyond the end of the row."""
        return self.cells[column] if column < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of a file, or of one sheet of a workbook, which has a name."""

    rows: tuple[Row, ...]
    name: str = ""

    def place(
        self, row: int, column: int, player: str | None = None, round_: int | None = None
    ) -> Place:
        """Where a cell is; ``column`` counts from 0."""
        path = f"{self.name}!{letters(column)}{row}" if self.name else None
        return Place(line=row, column=column + 1, player=player, round=round_, path=path)


def where(place: Place) -> str:
    """What a finding says of a place beside its own."""
    return place.path or sentence("line {number}", number=place.line)


def letters(column: int) -> str:
    """What a spreadsheet calls a column that is counted from 0.

    >>> letters(0), letters(27)
    ('A', 'AB')
    """
    text = ""
    column += 1
    while column:
        column, last = divmod(column - 1, 26)
        text = chr(ord("A") + last) + text
    return text


def number(text: str) -> float | None:
    """The number in a cell, with a decimal point or comma; None where it is none for certain.

    >>> number("1850,5"), number("2 100"), number("1.850")
    (1850.5, 2100, None)
    """
    text = _SPACES.sub("", text.replace("−", "-"))
    if _THOUSANDS.fullmatch(text):
        return None
    text = text.replace(",", ".")
    if not _NUMBER.fullmatch(text.lower()):
        return None
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def number_text(value: float) -> str:
    """A number so that :func:`number` gives it back."""
    if float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    text = repr(float(value))
    return text + "0" if _THOUSANDS.fullmatch(text) else text
