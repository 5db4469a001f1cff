"""Which row is the header of a table, and what each of its columns holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from ratingbook.formats.tables import scores, words
from ratingbook.formats.tables.cells import Row, Sheet, letters, number
from ratingbook.formats.tables.days import Days
from ratingbook.formats.tools import dates
from ratingbook.formats.tools.notes import Notes, Remark, all_of
from ratingbook.model import Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import row_of, sentence, stated

UNDERSTOOD = Remark(
    "table.understood",
    Severity.INFO,
    "What was read",
    "Look whether each column was read as what it is; --column FIELD=HEADER corrects one.",
    each=True,
    longest=3_500,
)
UNKNOWN = Remark(
    "table.unknown-column",
    Severity.WARNING,
    "Columns are not known and were not used",
    "If a column matters, say what it holds: --column FIELD=HEADER.",
    shown=20,
)
NO_HEADER = Remark(
    "table.no-header",
    Severity.WARNING,
    "The table has no names of columns; they were told from what stands in them",
    "Write a first line such as: white,black,result.",
)
AMBIGUOUS = Remark(
    "table.ambiguous",
    Severity.ERROR,
    "Columns with different contents could be the same thing",
    "Say which one is meant: --column FIELD=HEADER; or rename the other.",
    each=True,
)
HARMLESS_AMBIGUOUS = replace(AMBIGUOUS, severity=Severity.WARNING)
"""Nothing that a rating needs."""
NO_COLUMN = Remark(
    "table.no-column",
    Severity.ERROR,
    "A column that was named is not in the table",
    "Write the header as it stands in the file.",
    each=True,
)
NO_FIELD = Remark(
    "table.no-field",
    Severity.ERROR,
    "A column was said to hold what no column holds",
    f"Known are r1, r2 … for rounds, and {', '.join(sorted(words.fields()))}.",
    each=True,
)
TEXT = Remark(
    "table.text",
    Severity.INFO,
    "Lines outside of the tables were not read",
    "Nothing to do, unless a line belongs to a table: take out the empty line above it.",
)
REPEATED = Remark(
    "table.repeated-header",
    Severity.INFO,
    "The names of the columns stand in the table again; these lines were passed over",
    "Nothing to do.",
)

SUMS = Remark(
    "table.sums",
    Severity.INFO,
    "Rows of sums and remarks were passed over",
    "Nothing to do.",
)

_LONGEST_NAME = 60
"""No column has a longer name, unless it is one that is known."""
_LINES_ABOVE = 50
"""How many lines may stand above the first header."""
_MATTERS = frozenset(
    "id number rank name surname first_name rating white black result opponent colour round "
    "white_rating black_rating white_id black_id white_score black_score handicap section "
    "winner loser first second white_name black_name".split()
)
"""Fields whose columns may not be confused."""
_REFERENCES = ("id", "name", "surname", "number")
PAIRS = (
    ("white", "black"),
    ("white_name", "black_name"),
    ("white_id", "black_id"),
    *((f"white_{number}", f"black_{number}") for number in words.NUMBERS),
    ("first", "second"),
    ("winner", "loser"),
)
"""Columns that name the two players of a game."""
SECTION_KEYS = frozenset({"pool", "time_control", "kind"})
"""What is said of sections, or of the event."""

_MEMBER = "ids.uscf"
_RATING = pattern(r"[0-9]{1,4}(?:\s*/?\s*[pP]\s*[0-9]{1,2})?|[uU]nr\.?|-")


class Shape(Enum):
    """What each row of a table tells."""

    GAMES = "a list of games, one in each row"
    SIDES = "a list of results, one of a player against an opponent in each row"
    CROSS = "a cross table, one player in each row"
    PLAYERS = "a list of players"
    SECTIONS = "a list of sections"
    EARLIER = "a list of earlier games that still count, one of a player in each row"


@dataclass(frozen=True, slots=True)
class Head:
    """What the columns of a table hold; they count from 0."""

    row: Row
    shape: Shape
    columns: Mapping[str, tuple[int, ...]]
    """Field → columns."""
    unknown: tuple[int, ...] = ()
    unused: tuple[int, ...] = ()

    @property
    def rounds(self) -> dict[int, int]:
        """Round → column."""
        found = ((words.round_of(name), at[0]) for name, at in self.columns.items())
        return dict(sorted((number, column) for number, column in found if number is not None))


@dataclass(slots=True)
class Block:
    """One table of a sheet, with the lines above it."""

    sheet: Sheet
    head: Head
    title: str = ""
    """The line above, or the name of the sheet."""
    rows: list[Row] = field(default_factory=list)

    def cell(self, row: Row, name: str) -> str:
        """What stands in the column of a field; nothing where there is no such column."""
        at = self.head.columns.get(name)
        return row.cell(at[0]) if at else ""

    def place(
        self, row: Row, name: str, player: str | None = None, round_: int | None = None
    ) -> Place:
        """Where that is."""
        at = self.head.columns.get(name, (0,))
        return self.sheet.place(row.number, at[0], player, round_)

    def header(self, name: str) -> str:
        """The name of a field's column as it stands in the file, or else the column's letter."""
        column = self.head.columns[name][0]
        return self.head.row.cell(column) or letters(column)


def head_of(row: Row, said: Mapping[str, str]) -> Head | None:
    """The header that a row is; None where it is none.

    ``said`` are the columns that somebody named, field → key of the header.
    """
    if any(map(_is_data, row.cells)):
        return None
    columns: dict[str, list[int]] = {}
    unknown, unused = [], []
    for index, text in enumerate(row.cells):
        name = _field_of(text, said) if text else None
        if name == "-":
            unused.append(index)
        elif name:
            columns.setdefault(name, []).append(index)
        elif text:
            unknown.append(index)
    shape = _shape(columns)
    if shape is None or any(len(row.cells[index]) > _LONGEST_NAME for index in unknown):
        return None
    fixed = {name: tuple(at) for name, at in columns.items()}
    return Head(row, shape, fixed, tuple(unknown), tuple(unused))


def _is_data(text: str) -> bool:
    """Whether a cell is a number or a date that can be no header: no round, no name."""
    if words.round_of(text):
        return False
    return number(text) is not None or bool(dates.days_of(text))


def _field_of(header: str, said: Mapping[str, str]) -> str | None:
    """The field of a column; what was said goes before what its name means."""
    for name, wanted in said.items():
        if words.key(header) == wanted:
            return name
    found = words.field_of(header)
    return "-" if found in said else found


def _shape(columns: Mapping[str, list[int]]) -> Shape | None:
    if any(white in columns and black in columns for white, black in PAIRS):
        return Shape.GAMES
    players = any(name in columns for name in _REFERENCES)
    if players and "opponent" in columns:
        return Shape.SIDES
    named = any(name in columns for name in _REFERENCES if name != "number")
    if "section" in columns and not named and not SECTION_KEYS.isdisjoint(columns):
        return Shape.SECTIONS
    if not players:
        return None
    if any(words.round_of(name) for name in columns if name[0] == "r"):
        return Shape.CROSS
    about_players = [name for name in columns if "." in name or name in words.of_players()]
    return Shape.PLAYERS if len(about_players) > 1 else None


@dataclass(slots=True)
class Found:
    """The tables of a sheet, and the lines above the first one."""

    blocks: list[Block] = field(default_factory=list)
    above: list[Row] = field(default_factory=list)


def tables_of(sheet: Sheet, said: Mapping[str, str], notes: Notes) -> Found:
    """The tables of a sheet: each begins with a header, on top or after an empty row."""
    found = Found()
    block: Block | None = None
    fresh = True
    loose: list[Row] = []
    for index, row in enumerate(sheet.rows):
        if row.blank:
            fresh = True
        elif block and not loose and _is_repeated(row, block.head):
            notes.add(
                REPEATED, sentence("line {number}", number=row.number), sheet.place(row.number, 0)
            )
        elif fresh and len(found.above) < _LINES_ABOVE and (head := head_of(row, said)):
            title = _lone(loose[-1]) if loose else ""
            _tell_text(loose[: -1 if title else None], sheet, notes)
            block = Block(sheet, head, title or sheet.name)
            found.blocks.append(block)
            fresh, loose = False, []
        elif block is None:
            found.above.append(row)
        elif _lone(row) and (
            fresh or _is_title(row, block, sheet.rows[index + 1 : index + 2], said)
        ):
            loose.append(row)
            fresh = True
        else:
            block.rows.append(row)
            fresh = False
    _tell_text(loose, sheet, notes)
    last = _lone(found.above[-1]) if found.blocks and found.above else ""
    if words.title_of(last) or words.round_in(last):
        found.blocks[0].title = last
        found.above.pop()
    for block in found.blocks:
        if block.head.shape is Shape.SIDES and words.title_of(block.title) == "history":
            block.head = replace(block.head, shape=Shape.EARLIER)
    return found


def _is_repeated(row: Row, head: Head) -> bool:
    """Whether the header comes again; in a table with ids it may be those of a player."""
    return row.cells == head.row.cells and "id" not in head.columns


def _lone(row: Row) -> str:
    """The text of a row with one cell; nothing for any other row."""
    texts = [text for text in row.cells if text]
    return texts[0] if len(texts) == 1 else ""


def _is_title(row: Row, block: Block, below: Sequence[Row], said: Mapping[str, str]) -> bool:
    """Whether a row right above a header names what follows; it may be an id otherwise."""
    if "id" in block.head.columns or not words.title_of(_lone(row)):
        return False
    return bool(below) and head_of(below[0], said) is not None


def _tell_text(rows: list[Row], sheet: Sheet, notes: Notes) -> None:
    for row in rows:
        notes.add(TEXT, shown(row.text), sheet.place(row.number, 0))


def shown(text: str) -> str:
    """A text of the file as far as a finding shows it."""
    return text if len(text) <= 60 else text[:59] + "…"


def guessed(sheet: Sheet, days: Days) -> Block | None:
    """A list of games without a header, where what stands in the columns leaves no doubt.

    One column holds results such as 1-0, two hold names; there may be dates.
    """
    rows = [row for row in sheet.rows if not row.blank]
    width = max((len(row.cells) for row in rows), default=0)
    results, texts, dated = [], [], []
    for column in range(width):
        cells = [row.cell(column) for row in rows]
        if all(map(scores.is_of_two_sides, cells)):
            results.append(column)
        elif all(cells) and all(days.read(cell).day for cell in cells):
            dated.append(column)
        elif all(any(map(str.isalpha, cell)) for cell in cells):
            texts.append(column)
        elif any(cells):
            return None
    if len(results) != 1 or len(texts) != 2 or len(dated) > 1:
        return None
    columns = {"white": (texts[0],), "black": (texts[1],), "result": (results[0],)}
    if dated:
        columns["start"] = (dated[0],)
    head = Head(Row(rows[0].number, ()), Shape.GAMES, columns)
    return Block(sheet, head, sheet.name, rows)


def settle(block: Block, notes: Notes) -> None:
    """Choose one column for each field, and tell what was understood."""
    columns = {
        name: (_chosen(block, name, at, notes),) if len(at) > 1 else at
        for name, at in block.head.columns.items()
    }
    columns = {name: at for name, at in columns.items() if at[0] >= 0}
    columns = _with_ratings_of_us_chess(block, columns)
    block.head = replace(block.head, columns=_with_points_that_are_ratings(block, columns))
    _tell(block, notes)


def _with_ratings_of_us_chess(
    block: Block, columns: dict[str, tuple[int, ...]]
) -> dict[str, tuple[int, ...]]:
    """The columns; one called USCF holds member numbers of eight figures, or else ratings.

    Beside another rating they are those of elsewhere.
    """
    at = columns.get(_MEMBER, (0,))[0]
    texts = [text for row in block.rows if (text := row.cell(at))]
    if _MEMBER not in columns or not texts or not all(map(_RATING.fullmatch, texts)):
        return columns
    field_ = "foreign.uscf" if "rating" in columns else "rating"
    return {field_ if name == _MEMBER else name: found for name, found in columns.items()}


def _with_points_that_are_ratings(
    block: Block, columns: dict[str, tuple[int, ...]]
) -> dict[str, tuple[int, ...]]:
    """The columns; what some languages call points is the rating where nobody can score so much."""
    if "rating" in columns or "points" not in columns or block.head.shape is not Shape.PLAYERS:
        return columns
    at = columns["points"][0]
    if not words.are_ratings(row.cell(at) for row in block.rows):
        return columns
    return {"rating" if name == "points" else name: found for name, found in columns.items()}


def _chosen(block: Block, name: str, at: tuple[int, ...], notes: Notes) -> int:
    """The column of a field that several could be; -1 where none is to be used."""
    filled = [column for column in at if any(row.cell(column) for row in block.rows)]
    if not filled:
        return at[0]
    contents = {tuple(row.cell(column) for row in block.rows) for column in filled}
    if len(contents) == 1:
        return filled[0]
    matters = name in _MATTERS or words.round_of(name) is not None
    headers = all_of(block.head.row.cell(column) for column in filled)
    notes.add(
        AMBIGUOUS if matters else HARMLESS_AMBIGUOUS,
        sentence("{headers} could each be {name}", headers=headers, name=name),
        block.sheet.place(block.head.row.number, filled[1]),
    )
    return -1


def _tell(block: Block, notes: Notes) -> None:
    head, row = block.head, block.head.row
    rounds = head.rounds
    read_as = [
        sentence("{header} as {name}", header=shown(block.header(name)), name=shown(name))
        for name in head.columns
        if words.round_of(name) not in rounds or name[0] != "r"
    ]
    if rounds:
        first, last = block.header(f"r{min(rounds)}"), block.header(f"r{max(rounds)}")
        if len(rounds) > 1:
            read_as.append(sentence("{first} to {last} as rounds", first=first, last=last))
        else:
            read_as.append(sentence("{first} as a round", first=first))
    unused = [shown(row.cell(column)) for column in head.unused]
    understood: str = row_of((stated(head.shape.value), row_of(read_as)), ": ")
    if unused:
        understood = sentence(
            "{read}; not used: {unused}", read=understood, unused=", ".join(unused)
        )
    notes.add(
        UNDERSTOOD,
        understood,
        block.sheet.place(row.number, 0),
    )
    for column in head.unknown:
        notes.add(UNKNOWN, shown(row.cell(column)), block.sheet.place(row.number, column))
    for column in _unnamed(block):
        where = block.sheet.place(row.number, column)
        notes.add(
            UNKNOWN, sentence("column {letter}, which has no name", letter=letters(column)), where
        )


def _unnamed(block: Block) -> list[int]:
    """The columns with contents but without a header; none where there is no header at all."""
    header = block.head.row
    if not header.cells:
        return []
    width = max((len(row.cells) for row in block.rows), default=0)
    return [
        column
        for column in range(width)
        if not header.cell(column) and any(row.cell(column) for row in block.rows)
    ]


def check_said(said: Mapping[str, str], blocks: list[Block], notes: Notes) -> None:
    """Note the columns that somebody named and that are not there."""
    for name, header in said.items():
        known = name in words.fields() or words.field_of(name) == name
        if not known:
            notes.add(NO_FIELD, name, Place())
        elif not any(name in block.head.columns for block in blocks):
            notes.add(NO_COLUMN, sentence("{header} for {name}", header=header, name=name), Place())
