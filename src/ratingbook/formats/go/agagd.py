"""The games of the AGA's database (AGAGD) as CSV: years of events, one game in each row.

Players are numbers of the AGA.  ``Color_1`` is the colour of the first player, ``Result`` the
one that won.  Games that are not rated, are excluded or were played online do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ratingbook.formats.tables.cells import Row, Sheet
from ratingbook.formats.tables.read import read_known
from ratingbook.formats.tables.split import split
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.text import Decoded, Line
from ratingbook.model import Findings, Place, Report, Severity
from ratingbook.model.sentences import sentence

ROW = Remark(
    "agagd.row",
    Severity.ERROR,
    "A row does not say who had White, or who won",
    "Write W or B in Color_1 and in Result, and the numbers of both players.",
    each=True,
)
EXCLUDED = Remark(
    "agagd.excluded",
    Severity.INFO,
    "Games are marked as not rated, as excluded or as played online; they do not count",
    "Nothing to do.",
)

_NEEDED = frozenset("pin_player_1 pin_player_2 color_1 result game_date".split())
_HEADER = (
    "event", "start", "round", "white id", "black id", "white grade", "black grade", "handicap",
    "result", "rated",
)  # fmt: skip
_RESULTS = {"w": "1-0", "b": "0-1"}
_TRUE = frozenset({"1", "true", "\\x01", "t", "y", "yes"})


def looks_like_agagd(lines: Sequence[Line]) -> bool:
    """Whether the first line has the names of the database's columns."""
    return bool(lines) and _NEEDED.issubset(_names(lines[0].text.replace(",", " ").split()))


def _names(cells: Sequence[str]) -> list[str]:
    return [cell.strip(" \"'`").casefold() for cell in cells]


def read_agagd(decoded: Decoded) -> tuple[Report | None, Findings]:
    """Read the report; None where the findings say why it cannot be read."""
    findings = Findings(decoded.findings)
    sheet = None if findings.refused else split(decoded.lines, findings)
    if sheet is None or not sheet.rows:
        return None, findings
    notes = Notes()
    rows = tuple(_rows(sheet, notes))
    findings.extend(notes.findings())
    return read_known([Sheet(rows)], findings)


def _rows(sheet: Sheet, notes: Notes) -> Iterator[Row]:
    """The rows as a list of games."""
    header, *games = sheet.rows
    at = {name: column for column, name in enumerate(_names(header.cells))}
    yield Row(header.number, _HEADER)
    for row in games:
        if row.blank:
            continue
        said = {name: row.cell(column).strip() for name, column in at.items()}
        players = said["pin_player_1"], said["pin_player_2"]
        grades = said.get("rank_1", ""), said.get("rank_2", "")
        colour, result = said["color_1"].casefold(), _RESULTS.get(said["result"].casefold())
        if colour not in _RESULTS or result is None or not all(players):
            notes.add(
                ROW,
                sentence("line {number}: {text}", number=row.number, text=row.text[:60]),
                Place(line=row.number),
            )
            continue
        if colour == "b":
            players, grades = (players[1], players[0]), (grades[1], grades[0])
        counts = said.get("rated", "1").casefold() in _TRUE and not any(
            said.get(name, "").casefold() in _TRUE for name in ("exclude", "online")
        )
        if not counts:
            notes.add(
                EXCLUDED, sentence("line {number}", number=row.number), Place(line=row.number)
            )
        yield Row(row.number, (
            said.get("tournament_code", ""), said["game_date"], said.get("round", ""), *players,
            *grades, said.get("handicap", ""), result, "yes" if counts else "no",
        ))  # fmt: skip
