"""Lists of one line for each player, with semicolons between the columns that the first names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ratingbook.formats.lists.files import Source
from ratingbook.formats.lists.refusal import refused
from ratingbook.formats.lists.text import Lines
from ratingbook.formats.tools.notes import CountedNotes, Remark
from ratingbook.formats.tools.spreadsheets import guarded, unguarded
from ratingbook.model import Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

ROW = Remark(
    "list.row",
    Severity.WARNING,
    "Lines that cannot be read were left out",
    "Compare these lines with the first one, which names the columns.",
)
SEMICOLON = Remark(
    "list.semicolon",
    Severity.INFO,
    "A semicolon in a name was kept as part of it",
    "Nothing to do, if the names are right.",
)
HEADER = Remark(
    "list.header",
    Severity.FATAL,
    "The first line does not name the columns that the list needs",
    "Write it as the federation does.",
)
NUMBER = Remark(
    "list.number",
    Severity.WARNING,
    "Players without a number were left out",
    "Give each player a number, without blanks in it.",
)
OUT_OF_RANGE = Remark(
    "list.out-of-range",
    Severity.WARNING,
    "Numbers that no list has were left out",
    "Look at the ratings and games of these players.",
)
WRITTEN = Remark(
    "list.changed-text",
    Severity.INFO,
    "Semicolons and line ends in texts were written as commas and blanks",
    "Nothing to do.",
)

_SEPARATOR = ";"
_LONGEST_NUMBER = 20
_MOST = 99_999
_WHOLE = pattern("[0-9]{1,5}")
_LINE_ENDS = pattern("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


class BadRow(ValueError):
    """A line is not what its columns hold."""


def columns_of(line: str) -> list[str]:
    """The names of the columns in a first line, in small letters."""
    names = [name.strip().lower() for name in line.lstrip("\ufeff").split(_SEPARATOR)]
    while names and not names[-1]:
        names.pop()
    return names


def first_columns(head: str) -> list[str]:
    """The columns of the list that begins so."""
    return columns_of(head.lstrip().partition("\n")[0])


def read_rows(
    source: Source, notes: CountedNotes, columns: Sequence[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    """The cells of each line by column, with the number of the line.

    A line that has too many cells has them in the name, of whatever is left of it.
    """
    names: list[str] = []
    for first, block in Lines(source.stream, notes):
        for number, text in enumerate(block, first):
            if not text.strip():
                continue
            if not names:
                names = columns_of(text)
                missing = [column for column in columns if column not in names]
                if missing:
                    raise refused(HEADER, f"{', '.join(missing)}", Place(line=number))
                continue
            cells = _cells(text, names, number, notes)
            if cells is None:
                notes.add(ROW, sentence("line {number}", number=number), Place(line=number))
            else:
                yield number, dict(zip(names, cells, strict=True))
    if not names:
        raise refused(HEADER, sentence("the list is empty"))


def _cells(text: str, names: list[str], number: int, notes: CountedNotes) -> list[str] | None:
    cells = [unguarded(cell) for cell in text.split(_SEPARATOR)]
    while len(cells) > len(names) and not cells[-1]:
        cells.pop()
    more = len(cells) - len(names)
    if more < 0:
        return None
    if more and "name" in names:
        at = names.index("name")
        cells[at : at + more + 1] = [f"{_SEPARATOR} ".join(cells[at : at + more + 1])]
        notes.add(SEMICOLON, cells[at], Place(line=number))
    return cells if len(cells) == len(names) else None


def header_of(columns: Sequence[str]) -> bytes:
    """The first line of a list."""
    return ("".join(f"{column};" for column in columns) + "\r\n").encode()


def line_of(
    number: str, cells: Sequence[str | int | None], label: str, notes: CountedNotes
) -> bytes:
    """The line of a player, each cell followed by a semicolon and none a formula.

    Nothing for a player without a number.
    """
    if not is_number(number):
        notes.add(NUMBER, label)
        return b""
    return ("".join(f"{_cell(cell, label, notes)};" for cell in cells) + "\r\n").encode()


def _cell(value: str | int | None, label: str, notes: CountedNotes) -> str:
    if value is None:
        return ""
    if isinstance(value, int):
        if 0 <= value <= _MOST:
            return str(value)
        notes.add(OUT_OF_RANGE, label)
        return ""
    text = _LINE_ENDS.sub(" ", value).strip()
    plain = text.replace(_SEPARATOR, ",")
    if plain != value:
        notes.add(WRITTEN, label)
    return guarded(plain)


def is_number(text: str) -> bool:
    """Whether a list can call a player so."""
    return 0 < len(text) <= _LONGEST_NUMBER and not any(map(str.isspace, text))


def number_of(cells: Mapping[str, str], key: str) -> str:
    """The player's number; raises BadRow where there is none."""
    text = cells.get(key, "")
    if is_number(text):
        return text
    raise BadRow(text)


def count_of(text: str) -> int | None:
    """A whole number; None where there is none."""
    if text in ("", "-"):
        return None
    if _WHOLE.fullmatch(text):
        return int(text)
    raise BadRow(text)


def rating_of(text: str) -> int | None:
    """A rating; None where there is none, or 0."""
    return count_of(text) or None
