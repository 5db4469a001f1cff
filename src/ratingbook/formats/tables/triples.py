"""Three columns for a round, as Swiss-Manager once wrote them, become one.

``1.Rd.;;`` over ``81;b;1``: opponent, colour, result.  Columns keep their places.
"""

from __future__ import annotations

from dataclasses import replace

from ratingbook.formats.tables import words
from ratingbook.formats.tables.cells import Row, Sheet, number

_HALF = {"x": "½", "X": "½"}
_NOBODY = ("", "-", "0")


def joined(sheet: Sheet) -> Sheet:
    """The sheet with one cell for a round, below a header that leaves two of three blank."""
    rows: list[Row] = []
    rounds: list[int] = []
    for row in sheet.rows:
        found = _rounds(row)
        if found:
            rounds = found
            rows.append(row)
        elif rounds and len(row.cells) > max(rounds) + 2:
            rows.append(_joined(row, rounds))
        else:
            rows.append(row)
    return replace(sheet, rows=tuple(rows)) if rounds else sheet


def _rounds(row: Row) -> list[int]:
    """The columns at which the three of a round begin; nothing where they are not three each."""
    cells = [cell.strip() for cell in row.cells]
    # A row of a player who has a number only is no header, and one of a team "Name" neither: the
    # rounds stand behind the names, and no other cell is a number.
    name = next((at for at, cell in enumerate(cells) if words.field_of(cell) == "name"), None)
    if name is None:
        return []
    found = [at for at, cell in enumerate(cells) if cell and words.round_of(words.key(cell))]
    if any(number(cell) is not None for at, cell in enumerate(cells) if at not in found):
        return []
    triples = [at for at in found if at + 2 < len(cells) and not cells[at + 1] + cells[at + 2]]
    return triples if len(triples) == len(found) and name < min(triples, default=0) else []


def _joined(row: Row, rounds: list[int]) -> Row:
    cells = list(row.cells)
    for at in rounds:
        opponent, colour, result = (cell.strip() for cell in cells[at : at + 3])
        points = _HALF.get(result, result)
        if opponent in _NOBODY:
            text = f"-{points}" if points not in ("", "-") else points
        elif result in ("+", "-"):
            text = f"{opponent}-{result}"
        else:
            text = f"{opponent}{colour}{points}"
        cells[at : at + 3] = [text, "", ""]
    return row._replace(cells=tuple(cells))
