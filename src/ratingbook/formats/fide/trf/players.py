"""One player's line (record 001): who it is, and a cell for every round.

Most files keep to the columns, and the columns are read.  Where something
straddles a border between them, the line is read word by word instead: each
word goes to the field that it looks like and lies nearest to.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from ratingbook.formats.fide.federations import FEDERATIONS
from ratingbook.formats.fide.trf import layout
from ratingbook.formats.fide.trf.person import (
    BIRTH_DATE,
    SHORT_TITLE,
    TITLE,
    Birth,
    read_birth,
    read_title,
)
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.text import Line
from ratingbook.model import Place, Severity
from ratingbook.model.making import QuicklyMade
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

START_RANK = Remark(
    "trf.start-rank",
    Severity.ERROR,
    "A player's line has no starting rank in columns 5 to 8",
    "Give every player a number; the opponents refer to it.",
    each=True,
)
RATING = Remark(
    "trf.rating",
    Severity.ERROR,
    "A rating (columns 49 to 52) is not a number that a rating can be",
    "Write the rating as whole number without sign, or leave it blank for an unrated player.",
    each=True,
)
CELLS = Remark(
    "trf.cells",
    Severity.ERROR,
    "A player's results cannot be told apart",
    "Put each round into its ten columns: opponent 92 to 95, colour 97, result 99, and so on.",
    each=True,
)
RESULT = Remark(
    "trf.result",
    Severity.ERROR,
    "A result is none of 1 0 = + - W D L H F U Z",
    "Correct the result in both players' lines.",
    each=True,
)
COLUMNS = Remark(
    "trf.columns",
    Severity.WARNING,
    "Fields stand outside of their columns; they were read by their looks",
    "Look at name, rating and results of these players.",
)
PLAYER_NAME = Remark(
    "trf.name",
    Severity.WARNING,
    "Players have no name",
    "Add the names; without them nobody can be identified.",
)
SEX = Remark(
    "trf.sex", Severity.INFO, "The sex is neither m nor w and was left out", "Write m or w."
)
CLUB = Remark(
    "trf.federation",
    Severity.INFO,
    "Codes that are no federation's were left out of the federation",
    "Write the three-letter code of the federation, or nothing.",
    shown=12,
)

_COLUMNS = pattern(
    r"001 [ 0-9]{4} .{4} (?P<name>.{33}) (?P<rating>.{4}) (?P<federation>.{3}) (?P<number>.{11}) "
    r"(?P<birth_date>[\s0-9./-]{10}) (?P<points>[\s0-9.,]{4}) (?P<standing>.{4})  "
)
"""A line whose borders between the columns are blank."""
_RANK = pattern(r"001\s*([0-9]{1,5})(?![0-9])")
_RATING = pattern(r"[0-9]{1,4}")
_POINTS = pattern(r"[0-9]{1,3}(?:[.,][0-9]{1,2})?")
_PLACE = pattern(r"[1-9][0-9]{0,3}")
_DECIMAL = pattern(r"[0-9]{1,3}[.,][0-9]{1,2}")
_CODE_OF_FEDERATION = pattern(r"[A-Za-z.]{2,3}")
_BIRTH_DATE = pattern(r"[0-9]{4}[./-][0-9]{1,2}[./-][0-9]{1,2}")
_NUMBER = pattern(r"[0-9]{5,11}")
"""A number of a register that cannot be taken for a rating or a year."""
_WORD = pattern(r"\S+")
_CELL = pattern(r"([ 0-9]{4}) ([ wbWB-]) (.)  ")
_LOOSE_CELL = pattern(
    r"(?<!\S)(?:(?P<opponent>[0-9]{1,4})\s+(?P<colour>[wbWB-])\s{0,2}(?P<code>[-+=01WDLHFUZ])?"
    r"|(?P<alone>[-+=WDLHFUZ]))(?!\S)"
)
_SHIFTS = (1, -1, 2, -2, 3, -3, 4, -4, 5, -5)
"""How far a whole row of results may have moved."""
_SEXES = {"m": "m", "w": "w", "f": "w"}
_REMEMBERED = 1 << 14
"""Of how many texts of cells it is kept what they say: they are alike in all events of a size."""


_CODE = attrgetter("code")


class Cell(NamedTuple):
    """What a player's line says of one round."""

    opponent: int
    """Starting rank of the opponent; 0: none."""
    colour: str
    """``w``, ``b``, or nothing."""
    code: str
    column: int
    """Where the result stands, counting from 1."""


@dataclass(frozen=True, slots=True)
class PlayerLine(metaclass=QuicklyMade):
    """What one 001 line says."""

    rank: int
    id: str
    """The player's id in the report: the rank."""
    line: int
    name: str
    sex: str | None
    title: str | None
    rating: int | None
    federation: str | None
    number: str
    """What stands in the columns of FIDE's number."""
    birth: Birth
    points: float | None
    """The declared points; None where there are none."""
    standing: int | None
    """The place in the final table; None where there is none."""
    cells: dict[int, Cell]
    """The rounds that are not blank."""
    readable: bool = True
    """False where the results could not be told apart."""

    @property
    def label(self) -> str:
        """Number and name, for findings."""
        return f"{self.rank} {self.name}".rstrip()

    def place(self, number: int | None = None) -> Place:
        """The player's line, or his result in a round."""
        cell = self.cells.get(number) if number is not None else None
        return Place(
            line=self.line, column=cell.column if cell else None, player=self.id, round=number
        )


class _Fields(NamedTuple):
    """The texts of a line's fields."""

    name: str
    rating: str
    federation: str
    number: str
    birth_date: str
    points: str
    standing: str = ""


class _Rounds(NamedTuple):
    """The results of a line, and the column where they begin; None: they cannot be told apart."""

    start: int
    cells: dict[int, Cell] | None
    drifted: bool


def read_player(line: Line, notes: Notes) -> PlayerLine | None:
    """The player of a 001 line; None, with a note, where the starting rank is missing."""
    match = _RANK.match(line.text)
    rank = int(match[1]) if match else 0
    if not rank:
        notes.add(
            START_RANK,
            sentence("line {number}", number=line.number),
            Place(line=line.number, column=5),
        )
        return None
    rounds = _rounds(line.text)
    fields = _in_columns(line.text)
    drifted = fields is None or rounds.drifted
    if fields is None:
        fields = _by_looks(line.text[: rounds.start])
    player = _player(rank, line, fields, rounds.cells or {}, notes)
    if rounds.cells is None:
        notes.add(CELLS, player.label, replace(player.place(), column=layout.ROUNDS + 1))
        return replace(player, readable=False)
    if drifted:
        notes.add(COLUMNS, player.label, player.place())
    if _all_known(player.cells):
        return player
    return replace(player, cells=_with_known_codes(player, notes))


def _in_columns(text: str) -> _Fields | None:
    """The fields of a line that keeps to the columns."""
    match = _COLUMNS.match(text.ljust(layout.ROUNDS))
    if match is None or match["rating"].strip().isalpha():
        return None
    fields = _Fields(*map(str.strip, match.groups()))
    return fields if not fields.points or _POINTS.fullmatch(fields.points) else None


def final_places(players: Collection[PlayerLine]) -> dict[int, int]:
    """The places in the final table, by starting rank; none where the file has no such table.

    Some programs write the starting rank there while the event goes on.
    """
    places = {player.rank: player.standing for player in players if player.standing}
    if len(places) < len(players):
        return {}
    in_order = sorted(players, key=lambda player: places[player.rank])
    points = [player.points or 0.0 for player in in_order]
    is_start = all(rank == place for rank, place in places.items())
    return {} if is_start and points != sorted(points, reverse=True) else places


class _Word(NamedTuple):
    start: int
    end: int
    text: str

    def touches(self, columns: slice[int, int], slack: int = 0) -> bool:
        """Whether the word reaches into ``columns``, widened by ``slack`` on both sides."""
        return self.start < columns.stop + slack and self.end > columns.start - slack


def _by_looks(head: str) -> _Fields:
    """The fields of a line whose words have left their columns."""
    words = [_Word(m.start(), m.end(), m[0]) for m in _WORD.finditer(head, layout.NAME.start - 1)]
    name_end, rating = _rating(head, words)
    tail = [word for word in words if word.start >= name_end]
    return _Fields(
        name=head[layout.NAME.start - 1 : name_end].strip(),
        rating=rating,
        federation=_first(tail, _CODE_OF_FEDERATION, layout.FEDERATION, slack=6),
        number=_first(tail, _NUMBER, layout.NUMBER, slack=6),
        birth_date=_first(tail, _BIRTH_DATE, layout.BIRTH_DATE, slack=12),
        points=_first(tail, _DECIMAL, layout.POINTS, slack=6),
    )


def _first(words: list[_Word], looks: re.Pattern[str], columns: slice[int, int], slack: int) -> str:
    """The first word near ``columns`` that looks right; nothing if there is none."""
    near = (word.text for word in words if word.touches(columns, slack))
    return next((text for text in near if looks.fullmatch(text)), "")


def _rating(head: str, words: list[_Word]) -> tuple[int, str]:
    """Where the name ends, and the rating as written: possibly none, possibly nonsense."""
    near = [word for word in words if word.touches(layout.RATING, slack=1)]
    numbers = [word for word in near if _RATING.fullmatch(word.text)]
    if numbers:
        return numbers[0].start, " ".join(word.text for word in numbers)
    glued = head[layout.RATING]
    if _RATING.fullmatch(glued) and not head[layout.NAME.stop].isdigit():
        return layout.RATING.start, glued
    name_end = max([layout.NAME.stop, *(w.end for w in near if w.start < layout.NAME.stop)])
    odd = [
        word.text
        for word in near
        if word.start >= name_end
        and word.touches(layout.RATING)
        and word.text.upper() not in FEDERATIONS
    ]
    return name_end, " ".join(odd)


def _player(
    rank: int, line: Line, fields: _Fields, cells: dict[int, Cell], notes: Notes
) -> PlayerLine:
    """The player; what cannot be used is noted."""
    sex, title = line.text[layout.SEX : layout.SEX + 1], line.text[layout.TITLE].strip()
    player = PlayerLine(
        rank=rank,
        id=str(rank),
        line=line.number,
        name=fields.name,
        sex=_SEXES.get(sex.lower()),
        title=read_title(title),
        rating=int(fields.rating) if _RATING.fullmatch(fields.rating) else None,
        federation=fields.federation.upper() if fields.federation.upper() in FEDERATIONS else None,
        number=fields.number,
        birth=read_birth(fields.birth_date),
        points=float(fields.points.replace(",", ".")) if fields.points else None,
        standing=int(fields.standing) if _PLACE.fullmatch(fields.standing) else None,
        cells=cells,
    )
    place = player.place()
    if not player.name:
        notes.add(PLAYER_NAME, player.id, place)
    if fields.rating and player.rating is None:
        rating_place = replace(place, column=layout.RATING.start + 1)
        notes.add(RATING, f"{player.label}: {fields.rating}", rating_place)
    if sex.strip() and player.sex is None:
        notes.add(SEX, player.label, replace(place, column=layout.SEX + 1))
    if title and player.title is None:
        title_place = replace(place, column=layout.TITLE.start + 1)
        notes.add(TITLE, f"{player.label}: {title}", title_place)
    elif player.title and player.title != title.upper():
        title_place = replace(place, column=layout.TITLE.start + 1)
        notes.add(
            SHORT_TITLE,
            sentence("{title} as {other}", title=title, other=player.title),
            title_place,
        )
    if fields.federation and player.federation is None:
        club_place = replace(place, column=layout.FEDERATION.start + 1)
        notes.add(CLUB, fields.federation, club_place)
    if not player.birth.clear:
        notes.add(BIRTH_DATE, player.label, replace(place, column=layout.BIRTH_DATE.start + 1))
    return player


def _rounds(text: str) -> _Rounds:
    """The results in their columns, or else in columns that all moved alike, or else by looks."""
    if len(text) > layout.ROUNDS + layout.MAX_ROUNDS * layout.ROUND_WIDTH:
        return _Rounds(layout.ROUNDS, None, drifted=True)
    cells = _cells(text, layout.ROUNDS)
    if cells is not None:
        return _Rounds(layout.ROUNDS, cells, drifted=False)
    for shift in _SHIFTS:
        start = layout.ROUNDS + shift
        cells = _cells(text, start)
        if cells and text[start - 1].isspace() and _all_known(cells):
            return _Rounds(start, cells, drifted=True)
    return _Rounds(layout.ROUNDS, _loose_cells(text), drifted=True)


def _cells(text: str, start: int) -> dict[int, Cell] | None:
    """The cells of ten columns from ``start`` on; None where a cell straddles them."""
    cells = {}
    for number, at in enumerate(range(start, len(text), layout.ROUND_WIDTH), 1):
        cell = _cell_in(text[at : at + layout.ROUND_WIDTH], at + 8)
        if cell is None:
            return None
        if cell.opponent or cell.code:
            cells[number] = cell
    return cells


@lru_cache(_REMEMBERED)
def _cell_in(columns: str, column: int) -> Cell | None:
    """The cell in the ten columns of a round; None where they hold something else."""
    if columns.isspace():
        return Cell(0, "", layout.BLANK, column)
    match = _CELL.fullmatch(columns.ljust(layout.ROUND_WIDTH))
    opponent = match[1].strip() if match else ""
    if match is None or (opponent and not opponent.isdigit()):
        return None
    return _cell(opponent, match[2], match[3], column)


def _cell(opponent: str, colour: str, code: str, column: int) -> Cell:
    # A star is what PGN has for an open game, and some programs here too.
    code = code.strip(" *").upper()
    return Cell(int(opponent or 0), colour.lower().strip(" -"), code, column)


def _loose_cells(text: str) -> dict[int, Cell] | None:
    """The cells by their looks, each in the round whose columns it lies in."""
    first = layout.ROUNDS - 2
    cells: dict[int, Cell] = {}
    for match in _LOOSE_CELL.finditer(text, first):
        at = match.start("alone" if match["alone"] else "colour")
        number = (at - layout.ROUNDS) // layout.ROUND_WIDTH + 1
        if number < 1 or number in cells:
            return None
        code = match["alone"] or match["code"] or ""
        cells[number] = _cell(match["opponent"] or "", match["colour"] or "", code, at + 1)
    rest = _LOOSE_CELL.sub("", text[first:])
    return cells if not rest.strip() else None


def _all_known(cells: dict[int, Cell]) -> bool:
    return layout.CODES.issuperset(map(_CODE, cells.values()))


def _with_known_codes(player: PlayerLine, notes: Notes) -> dict[int, Cell]:
    """The cells without those whose result means nothing; these are noted."""
    for number, cell in player.cells.items():
        if cell.code not in layout.CODES:
            notes.add(RESULT, f"{player.label}: {cell.code}", player.place(number))
    return {n: cell for n, cell in player.cells.items() if cell.code in layout.CODES}
