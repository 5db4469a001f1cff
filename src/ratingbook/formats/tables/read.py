"""A report from the tables of a file: what each of them is, and all of them together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ratingbook.formats.document.schema import FIELDS
from ratingbook.formats.tables import listings, words
from ratingbook.formats.tables.cells import Row, Sheet
from ratingbook.formats.tables.cross import NO_GAMES, CrossTable, section_of
from ratingbook.formats.tables.days import Dated, Days
from ratingbook.formats.tables.earlier import enter_earlier
from ratingbook.formats.tables.event_columns import differ, event_values
from ratingbook.formats.tables.events import with_events
from ratingbook.formats.tables.game_list import GameReader
from ratingbook.formats.tables.mapping import (
    NO_HEADER,
    PAIRS,
    TEXT,
    UNDERSTOOD,
    Block,
    Shape,
    check_said,
    guessed,
    settle,
    shown,
    tables_of,
)
from ratingbook.formats.tables.pairings import Pairings, once_a_round
from ratingbook.formats.tables.people import (
    DATE,
    DUPLICATE,
    VALUE,
    Person,
    Reader,
    Register,
    read_value,
)
from ratingbook.formats.tables.ratings import Ratings
from ratingbook.formats.tables.sides import tell_sides_apart
from ratingbook.formats.tables.split import split, split_to_look
from ratingbook.formats.tables.triples import joined
from ratingbook.formats.tools.dates import either_of
from ratingbook.formats.tools.notes import Notes, Remark, answer
from ratingbook.formats.tools.text import Decoded, Line
from ratingbook.model import (
    Event,
    Finding,
    Findings,
    Place,
    Report,
    SectionHead,
    Severity,
)
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import row_of, sentence

NO_TABLE = Finding(
    "table.none",
    Severity.FATAL,
    sentence(
        "No table was found: no line names columns such as white and black, or name and round 1."
    ),
    remedy="Write the names of the columns above the table, or say what they hold: "
    "--column white=HEADER.",
)
NOT_READ = Remark(
    "table.sheet",
    Severity.WARNING,
    "Sheets without a table were not read",
    "Nothing to do, unless the sheet holds players or games.",
)
SEVERAL = Remark(
    "table.several",
    Severity.ERROR,
    "There are several cross tables, and their players have no ids of their own",
    "Give each player an id in a column id, or send each cross table as a file of its own.",
    each=True,
)

NO_RESULTS = Remark(
    "table.no-results",
    Severity.ERROR,
    "No column was found that holds the results",
    "Say which one it is: --column result=HEADER.",
    each=True,
)

_RESULTS = frozenset({"result", "white_score", "black_score", "winner", "points"})
_ADDRESS = pattern(r"://|www\.", re.IGNORECASE)
"""The site that a table was taken from is no event."""
_WITH_GAMES = (Shape.GAMES, Shape.SIDES, Shape.CROSS)
_LOOKED_AT = 100
"""Within how many lines the first table of a file begins."""


def _looked_at(lines: Sequence[Line]) -> Sheet:
    """The rows of what may be a CSV file."""
    return laid_out(split_to_look(lines))


def laid_out(sheet: Sheet) -> Sheet:
    """The rows with one cell for a round, and with what lists of programs leave unsaid."""
    return joined(listings.plain(sheet))


def looks_like_table(lines: Sequence[Line]) -> bool:
    """Whether there is a table of games or results in the lines; players alone are no report."""
    sheet = _looked_at(lines[:_LOOKED_AT])
    blocks = tables_of(sheet, {}, Notes()).blocks
    if not blocks:
        return guessed(sheet, Days()) is not None
    return _have_games(blocks) or (len(lines) > _LOOKED_AT and _have_games(_all_blocks(lines)))


def looks_like_players(lines: Sequence[Line]) -> bool:
    """Whether there is a table of players, and nothing of games: no report, but a players file."""
    blocks = tables_of(_looked_at(lines[:_LOOKED_AT]), {}, Notes()).blocks
    return any(block.head.shape is Shape.PLAYERS for block in blocks)


def _have_games(blocks: Sequence[Block]) -> bool:
    return any(block.head.shape in _WITH_GAMES for block in blocks)


def _all_blocks(lines: Sequence[Line]) -> list[Block]:
    return tables_of(_looked_at(lines), {}, Notes()).blocks


def read_csv(
    decoded: Decoded, columns: Mapping[str, str] | None = None
) -> tuple[Report | None, Findings]:
    """The report of a decoded file, with everything that was noticed.

    ``columns`` says which header a field has, where it is not to be told from the header
    itself.  The report is None where nothing could be read; where the findings refuse it,
    it holds what could be understood.
    """
    findings = Findings(decoded.findings)
    sheet = None if findings.refused else split(decoded.lines, findings)
    return read_sheets(None if sheet is None else [sheet], findings, columns)


def read_sheets(
    sheets: Sequence[Sheet] | None, findings: Findings, columns: Mapping[str, str] | None
) -> tuple[Report | None, Findings]:
    """The report in the sheets of a file."""
    said = {field: words.key(header) for field, header in (columns or {}).items()}

    def read(content: Sequence[Sheet], notes: Notes) -> Report | Finding:
        sheets = [laid_out(sheet) for sheet in content]
        return _Tables(sheets, said, columns or {}, notes).report()

    return answer(sheets, findings, read)


def read_known(sheets: Sequence[Sheet], findings: Findings) -> tuple[Report | None, Findings]:
    """The report in the tables of a program, of which nobody asks how their columns are read."""
    report, found = read_sheets(sheets, findings, None)
    return report, Findings(each for each in found if each.code != UNDERSTOOD.code)


class _Tables:
    """All the tables of a file, and what comes of them."""

    def __init__(
        self,
        sheets: Sequence[Sheet],
        said: Mapping[str, str],
        columns: Mapping[str, str],
        notes: Notes,
    ) -> None:
        self._notes = notes
        self._columns = columns
        self._found = [(sheet, tables_of(sheet, said, notes)) for sheet in sheets]
        blocks = [block for _, found in self._found for block in found.blocks]
        self._days = Days(_dated(sheets, blocks))
        if not blocks:
            blocks = self._guessed()
        self._blocks = blocks

    def _guessed(self) -> list[Block]:
        for sheet, found in self._found:
            if block := guessed(sheet, self._days):
                found.above.clear()
                self._notes.add(NO_HEADER, sentence("white, black and result"), Place(line=1))
                return [block]
        return []

    def _of(self, *shapes: Shape) -> list[Block]:
        return [block for block in self._blocks if block.head.shape in shapes]

    def report(self) -> Report | Finding:
        """The report, or the finding that says why there is none."""
        check_said(self._columns, self._blocks, self._notes)
        if not self._blocks:
            return NO_TABLE
        for block in self._blocks:
            tell_sides_apart(block, self._notes)
            settle(block, self._notes)
        self._days.tell(self._notes)
        event = self._event()
        self._tell_unread()
        register = Register(self._notes)
        for block in self._of(Shape.PLAYERS):
            self._people(block, register)
        register.closed = bool(self._of(Shape.PLAYERS))
        pairings = Pairings(self._notes)
        self._cross_tables(register, pairings)
        self._lists(register, pairings)
        for block in self._of(Shape.EARLIER):
            enter_earlier(block, register, self._days, self._notes)
        register.tell_similar()
        games = tuple(once_a_round(pairings.games, self._notes))
        if not games:
            self._notes.add(NO_GAMES, sentence("no row has a result"), Place())
        blocks = self._of(Shape.GAMES, Shape.SIDES)
        games, heads, event = with_events(games, blocks, event, self._of_event, self._notes)
        entries = tuple(register.entries.values())
        return Report(event, entries, games, self._sections(), heads)

    def _of_event(self, name: str, text: str, place: Place) -> Any:
        return self._value(FIELDS["events"][name], text, place)

    def _people(self, block: Block, register: Register) -> list[Person]:
        """The players of a table; those who are new are entered."""
        reader = Reader(block, self._days, self._notes)
        people = []
        met: set[str] = set()
        for row in block.rows:
            person = reader.read(row)
            if person is None:
                continue
            if register.closed:
                person = register.known(person)
            if person.id in met or not (register.closed or register.add(person)):
                self._notes.add(DUPLICATE, person.label, person.entry.place)
                continue
            met.add(person.id)
            people.append(person)
        return people

    def _cross_tables(self, register: Register, pairings: Pairings) -> None:
        blocks = self._of(Shape.CROSS)
        several = len(blocks) > 1
        for block in blocks:
            if several and "id" not in block.head.columns:
                where = block.sheet.place(block.head.row.number, 0)
                self._notes.add(
                    SEVERAL,
                    block.title or sentence("line {number}", number=block.head.row.number),
                    where,
                )
                continue
            people = self._people(block, register)
            section = section_of(block) if several else None
            pairings.pair(CrossTable(block, people, section, self._notes).claims())

    def _lists(self, register: Register, pairings: Pairings) -> None:
        for block in self._of(Shape.GAMES, Shape.SIDES):
            if _RESULTS.isdisjoint(block.head.columns):
                where = block.sheet.place(block.head.row.number, 0)
                self._notes.add(NO_RESULTS, block.head.shape.value, where)
        ratings = Ratings(register, self._notes)
        for block in self._of(Shape.GAMES):
            reader = GameReader(block, register, self._days, self._notes)
            games = list(reader.games())
            pairings.games.extend(games if register.closed else ratings.settled(games, block))
        for block in self._of(Shape.SIDES):
            reader = GameReader(block, register, self._days, self._notes)
            pairings.pair(list(reader.claims()), lone_sides=True)

    def _sections(self) -> tuple[SectionHead, ...]:
        heads: dict[str, SectionHead] = {}
        for block in self._of(Shape.SECTIONS):
            for row in block.rows:
                values = {
                    name: value
                    for name, kind in FIELDS["section"].items()
                    if (text := block.cell(row, name))
                    and (value := self._value(kind, text, block.place(row, name))) is not None
                }
                name = block.cell(row, "section")
                if name:
                    heads[name] = SectionHead(**{**values, "name": name})
        return tuple(heads.values())

    def _value(self, kind: Any, text: str, place: Place) -> Any:
        try:
            return read_value(kind, text, self._days)
        except ValueError as error:
            if meant := self._days.read(text).doubtful:
                self._notes.add(DATE, row_of((shown(text), either_of(meant)), ": "), place)
            else:
                self._notes.add(
                    VALUE,
                    sentence("{shown} is not {error}", shown=shown(text), error=error.args[0]),
                    place,
                )
            return None

    # What stands above the tables

    def _event(self) -> Event:
        values: dict[str, Any] = {}
        officials: list[str] = []
        for sheet, found in self._found:
            if not found.blocks and words.title_of(sheet.name) != "event" and len(self._found) > 1:
                continue
            for row in found.above:
                self._above(row, sheet, values, officials)
        for name, text, place in event_values(self._blocks, self._notes):
            above = values.setdefault(name, self._value(FIELDS["event"][name], text, place))
            if above.casefold() != text.casefold():
                differ(name, [(above, Place(path="above the table")), (text, place)], self._notes)
        return Event.of({**values, "officials": tuple(officials)})

    def _above(self, row: Row, sheet: Sheet, values: dict[str, Any], officials: list[str]) -> None:
        """A line above the tables: a key of the event and its value, or the event's name."""
        texts = [text for text in row.cells if text]
        if len(texts) == 1 and ":" in texts[0]:
            label, _, rest = texts[0].partition(":")
            if words.event_key_of(label) and rest.strip():
                texts = [label, rest.strip()]
        name = words.event_key_of(texts[0]) if len(texts) > 1 else None
        place = sheet.place(row.number, 0)
        if name == "official":
            officials.extend(texts[1:])
        elif name:
            value = self._value(FIELDS["event"][name], texts[1], place)
            if value is not None:
                values.setdefault(name, value)
        elif words.title_of(texts[0]) == "event" and len(texts) == 1:
            return
        elif "name" not in values and not _ADDRESS.search(texts[0]):
            values["name"] = texts[0]
            if texts[1:]:
                self._notes.add(TEXT, shown(" ".join(texts[1:])), place)
        else:
            self._notes.add(TEXT, shown(" ".join(texts)), place)

    def _tell_unread(self) -> None:
        used = {id(block.sheet) for block in self._blocks}
        for sheet, _ in self._found:
            if id(sheet) not in used and sheet.rows and words.title_of(sheet.name) != "event":
                self._notes.add(NOT_READ, shown(sheet.name), sheet.place(sheet.rows[0].number, 0))


def _dated(sheets: Sequence[Sheet], blocks: Sequence[Block]) -> list[Dated]:
    """The texts of the file that should be dates, with their places."""
    sides = (f"{side}_birth_date" for pair in PAIRS for side in pair if "_" not in side)
    columns = ("start", "end", "reported", "birth_date", "last_played", *sides)
    found = [
        (text, block.place(row, name))
        for block in blocks for name in columns for row in block.rows
        if (text := block.cell(row, name))
    ]  # fmt: skip
    above = [(row, sheet.place(row.number, 1)) for sheet in sheets for row in sheet.rows[:50]]
    found += [
        (row.cell(1), place) for row, place in above
        if row.cell(1) and words.event_key_of(row.cell(0)) in ("start", "end")
    ]  # fmt: skip
    return found
