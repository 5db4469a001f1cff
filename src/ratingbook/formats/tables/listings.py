"""What chess-results.com and Swiss-Manager leave unsaid in their lists, said.

A column without a name between rank and name that holds titles is the titles; lines on the
site, on the last update and on tie-breaks are no part of the event; and a list of pairings has
two columns of each name, the first of which are White's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ratingbook.formats.tables import words
from ratingbook.formats.tables.cells import Row, Sheet
from ratingbook.model.patterns import pattern

TITLES = frozenset("GM IM FM CM NM WGM WIM WFM WCM WNM AGM AIM AFM ACM WH WHM MK MN".split())
_ABOUT_THE_LIST = pattern(
    r"(?:from the tournament-database of|aus der turnierdatenbank von) chess-results.*"
    r"|(?:last update|die seite wurde zuletzt aktualisiert).*[0-9]{4}.*"
    r"|(?:final )?ranking crosstable after .*|rank after .*|final ranking after .*"
    r"|(?:endtabelle|endstand|tabelle|rangliste|kreuztabelle|stand) nach .*"
    r"|starting rank(?: list)?|startrangliste"
    r"|you find all details to this tournament under.*|alle details zu diesem turnier.*"
    r"|chess-tournament-results-server.*|schachturnier-ergebnisserver.*"
    r"|program swiss-manager.*|swiss-manager .*|annotation:?|anmerkung:?"
    r"|(?:tie break|wertung|fine-wertung) ?[0-9]{1,2} ?:.*",
    re.IGNORECASE,
)
_ROUND = pattern(
    r"(?P<name>round|runde|ronda|ronde|turno|kolo|runda) (?P<number>[0-9]{1,3})\b"
    r"(?: (?:on|am) (?P<day>[0-9./-]{8,10})| \((?P<bare>[0-9./-]{8,10})\))?.*",
    re.IGNORECASE,
)
_LONGEST_LINE = 300
_NOBODY = frozenset("bye spielfrei".split())
_UNPAIRED = frozenset({"not paired", "nicht ausgelost"})
_LOOKED_AT = 60


def plain(sheet: Sheet) -> Sheet:
    """The sheet with these names, and without these lines."""
    pairings = next((row for row in sheet.rows[:_LOOKED_AT] if _sides(row)), None)
    rows = _pairings(sheet.rows) if pairings else _with_titles(sheet.rows)
    return sheet if rows is sheet.rows else replace(sheet, rows=tuple(rows))


def _is_about_the_list(row: Row) -> bool:
    texts = [text for text in row.cells if text]
    return (
        len(texts) == 1
        and len(texts[0]) <= _LONGEST_LINE
        and bool(_ABOUT_THE_LIST.fullmatch(texts[0]))
    )


def _with_titles(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows with the column of titles named; lines about the list are empty."""
    known = [row for row in rows if _is_about_the_list(row)]
    header = next((row for row in rows[:_LOOKED_AT] if _names(row)), None)
    if header is None:
        return rows
    column = next((at for at in _unnamed(header) if _holds_titles(rows, header, at)), None)
    if column is None and not known:
        return rows
    about = {row.number for row in known}
    found = []
    for row in rows:
        if row is header and column is not None:
            cells = (*row.cells[:column], "Title", *row.cells[column + 1 :])
            found.append(row._replace(cells=cells))
        else:
            found.append(row._replace(cells=()) if row.number in about else row)
    return found


def _names(row: Row) -> bool:
    """Whether it is a header with the name of a player behind a column without a name."""
    return bool(_unnamed(row))


def _unnamed(header: Row) -> list[int]:
    """The columns without a name right before that of the name."""
    fields = [words.field_of(text) if text else "" for text in header.cells]
    if "name" not in fields or not {"rank", "number", "-"} & {*fields}:
        return []
    at = fields.index("name")
    return [column for column in range(max(0, at - 2), at) if not fields[column]]


def _holds_titles(rows: Sequence[Row], header: Row, column: int) -> bool:
    texts = {row.cell(column) for row in rows if row.number > header.number} - {""}
    return bool(texts) and texts <= TITLES


# Pairings


def _sides(row: Row) -> list[int]:
    """The columns of White and Black in a header with two columns of names and a result."""
    fields = [words.field_of(text) if text else "" for text in row.cells]
    at = [column for column, name in enumerate(fields) if name == "name"]
    between = "result" in fields[at[0] : at[1]] if len(at) == 2 else False
    return at if between else []


def _pairings(rows: Sequence[Row]) -> list[Row]:
    """The rows of a list of pairings under the names that lists of games have."""
    found: list[Row] = []
    sides: list[int] = []
    names: list[str] = []
    round_ = day = ""
    for row in rows:
        alone = row.cells[0] if row.cells and not any(row.cells[1:]) else ""
        if _is_about_the_list(row):
            found.append(row._replace(cells=()))
        elif alone and len(alone) <= _LONGEST_LINE and (match := _ROUND.fullmatch(alone)):
            round_, day = match["number"], match["day"] or match["bare"] or ""
            found.append(row._replace(cells=()))
        elif at := _sides(row):
            names = names or _header(row, at)
            if not sides:
                found.append(row._replace(cells=(*names, "Round", "Date")))
            sides = at
        elif sides and len(row.cells) >= sides[1] and row.cell(sides[0]):
            found.append(row._replace(cells=_cells(row, sides, names, (round_, day))))
        else:
            found.append(row)
    return found


def _header(row: Row, sides: Sequence[int]) -> list[str]:
    """The names of the columns, each with its side; numbers are not those of persons."""
    result = next(at for at in range(*sides) if words.field_of(row.cell(at)) == "result")
    names = []
    for column, text in enumerate(row.cells):
        known = words.field_of(text) if text else "title"
        side = "White" if column < result else "Black"
        name = "Result" if column == result else side if known == "name" else f"{side} {known}"
        wanted = column == result or known in ("name", "rating", "federation", "title")
        names.append(name if wanted and name not in names else "")
    return names


def _cells(
    row: Row, sides: Sequence[int], names: Sequence[str], when: tuple[str, str]
) -> tuple[str, ...]:
    """The cells of the columns with names; nothing for a player who is not paired."""
    other = row.cell(sides[1]).casefold()
    if other in _UNPAIRED:
        return ()
    cells = [row.cell(column) if name else "" for column, name in enumerate(names)]
    if other in _NOBODY:
        cells[sides[1]] = "bye"
    return (*cells, *when)
