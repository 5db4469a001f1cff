"""Cross tables: a row for each player, a column for each round or for each opponent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ratingbook.formats.tables import words
from ratingbook.formats.tables.cells import Row, number
from ratingbook.formats.tables.mapping import Block, shown
from ratingbook.formats.tables.pairings import Claim
from ratingbook.formats.tables.people import Person
from ratingbook.formats.tables.scores import (
    Cell,
    Notation,
    games_of_matrix_cell,
    is_spoilt,
)
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import GameStatus, Severity
from ratingbook.model.sentences import sentence

RESULT = Remark(
    "game.result",
    Severity.ERROR,
    "A result of a round was not understood",
    "Write it as 12w1, 12+/w0, W 12 or +12: opponent, colour, result; and bye for a bye.",
    each=True,
)
LETTERS = Remark(
    "table.colour-letters",
    Severity.WARNING,
    "The letters of colours are of several languages, so that b may be White or Black; no colour "
    "was read",
    "Write w and b.",
)
UNRATED_SIGNS = Remark(
    "table.unrated-signs",
    Severity.INFO,
    "Results stand as 1, ½ and 0 and also as +, = and -; those were taken as not rated",
    "Write 1, ½ or 0 for games that are rated.",
)
POINTS = Remark(
    "table.points",
    Severity.WARNING,
    "The points are not the sum of the results",
    "Look whether a result or a bye is missing or wrong.",
)
NUMBERING = Remark(
    "table.numbering",
    Severity.ERROR,
    "It cannot be told by which numbers results name the opponents",
    "Say which column holds these numbers: --column number=HEADER.",
    each=True,
)
BY_ROWS = Remark(
    "table.rows-counted",
    Severity.INFO,
    "Players have no number; results fit their order in the table",
    "Nothing to do.",
)
NO_GAMES = Remark(
    "table.no-games",
    Severity.WARNING,
    "The table holds no game",
    "Add the results, or the table of the games.",
)
SAME_NUMBER = Remark(
    "player.duplicate",
    Severity.ERROR,
    "Two players have the same number",
    "Give every player the number that is his own.",
    each=True,
)

_OWN_FIELD = frozenset("x * # ■ █ ▓ • \\ - – — xx xxx **  ***".split())
"""What stands where a player would meet himself."""


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A cross table with its players, in the order of their rows."""

    block: Block
    people: Sequence[Person]
    section: str | None
    notes: Notes

    def claims(self) -> list[Claim]:
        """What each player's row says of his games."""
        if self._is_matrix():
            found = list(self._matrix())
            # A blank or an X tells nothing of a sum.
            self._check_points(found)
            return found
        notation = Notation.of(text for _, _, text in self._cells())
        if notation.clash:
            self.notes.add(LETTERS, sentence("w, b and n"), self.block.sheet.place(self._line, 0))
        cells = list(self._read(notation))
        by_number = self._numbering(cells)
        if by_number is None:
            return []
        found = [self._claim(*cell, by_number) for cell in cells]
        self._check_points(found)
        return found

    @property
    def _line(self) -> int:
        return self.block.head.row.number

    def _cells(self) -> Iterator[tuple[Person, int, str]]:
        """The cells of the rounds that are not blank: player, round, text."""
        for person in self.people:
            for round_, column in self.block.head.rounds.items():
                if text := person.row.cell(column):
                    yield person, round_, text

    def _read(self, notation: Notation) -> Iterator[tuple[Person, int, str, Cell]]:
        for person, round_, text in self._cells():
            cell = notation.read(text)
            place = self.block.place(person.row, f"r{round_}", person.id, round_)
            if cell is None:
                words = {"player": person.label, "number": round_, "text": shown(text)}
                what = sentence("{player} in round {number}: {text}", **words)
                if is_spoilt(text):
                    what = sentence("{what} (a spreadsheet made a date of it)", what=what)
                self.notes.add(RESULT, what, place)
            else:
                if notation.unrated_signs and cell.opponent and not cell.rated:
                    self.notes.add(
                        UNRATED_SIGNS,
                        sentence("{label} in round {number}", label=person.label, number=round_),
                        place,
                    )
                yield person, round_, text, cell

    def _numbering(
        self, cells: Sequence[tuple[Person, int, str, Cell]]
    ) -> Mapping[int, Person] | None:
        """Number → player; None, with a finding, where no numbers fit better than others.

        Results may name opponents by start number, by rank, or by row.  Those numbers are
        meant by which most opponents name each other.
        """
        ways: dict[str, Callable[[int, Person], int | None]] = {}
        if any(person.number is not None for person in self.people):
            ways["number"] = lambda _, person: person.number
        if any(person.rank is not None for person in self.people):
            ways["rank"] = lambda _, person: person.rank
        if "number" not in ways:
            ways["row"] = lambda row, _: row
        named = {
            way: {
                value: person
                for row, person in reversed(list(enumerate(self.people, 1)))
                if (value := number_of(row, person)) is not None
            }
            for way, number_of in ways.items()
        }
        fits = {way: _mirrored(by_number, cells) for way, by_number in named.items()}
        best = max(fits.values(), default=0)
        chosen = [way for way, fit in fits.items() if fit == best]
        if any(named[way] != named[chosen[0]] for way in chosen[1:]):
            if best or "number" not in chosen:
                headers = " or ".join(chosen)
                place = self.block.sheet.place(self._line, 0)
                self.notes.add(NUMBERING, headers, place)
                return None
            chosen = ["number"]
        if chosen == ["row"]:
            if any(cell.opponent for *_, cell in cells) and not best:
                self.notes.add(NUMBERING, sentence("no row"), self.block.sheet.place(self._line, 0))
                return None
            self.notes.add(BY_ROWS, sentence("line by line"), self.block.sheet.place(self._line, 0))
        by_number = named[chosen[0]]
        self._tell_same_numbers(ways[chosen[0]], by_number)
        return by_number

    def _tell_same_numbers(
        self, number_of: Callable[[int, Person], int | None], by_number: Mapping[int, Person]
    ) -> None:
        for row, person in enumerate(self.people, 1):
            value = number_of(row, person)
            if value is not None and by_number[value] is not person:
                self.notes.add(SAME_NUMBER, f"{value}: {person.label}", person.entry.place)

    def _claim(
        self, person: Person, round_: int, text: str, cell: Cell, by_number: Mapping[int, Person]
    ) -> Claim:
        opponent = by_number.get(cell.opponent) if cell.opponent else None
        return Claim(
            player=person.id,
            label=person.label,
            opponent=opponent.id if opponent else None,
            named=str(cell.opponent) if cell.opponent else "",
            cell=cell,
            round=round_,
            place=self.block.place(person.row, f"r{round_}", person.id, round_),
            section=self.section,
        )

    # All-play-all

    def _is_matrix(self) -> bool:
        """Whether the columns stand for the players: as many, scores alone, a diagonal."""
        rounds = self.block.head.rounds
        if len(self.people) < 2 or sorted(rounds) != list(range(1, len(self.people) + 1)):
            return False
        for row, person in enumerate(self.people, 1):
            for number_, column in rounds.items():
                text = person.row.cell(column)
                if number_ == row:
                    if text and text.casefold() not in _OWN_FIELD:
                        return False
                elif text and games_of_matrix_cell(text) is None:
                    return False
        return any(person.row.cell(column) for person in self.people for column in rounds.values())

    def _matrix(self) -> Iterator[Claim]:
        for row, person in enumerate(self.people, 1):
            for number_, column in self.block.head.rounds.items():
                opponent = self.people[number_ - 1]
                text = person.row.cell(column)
                place = self.block.sheet.place(person.row.number, column, person.id)
                if number_ == row or not text:
                    continue
                for leg, (points, default) in enumerate(games_of_matrix_cell(text) or ()):
                    cell = Cell(number_, points)
                    if default:
                        cell = cell._replace(status=GameStatus.FORFEIT, rated=False)
                    yield Claim(
                        player=person.id,
                        label=person.label,
                        opponent=opponent.id,
                        named=opponent.label,
                        cell=cell,
                        round=None,
                        place=place,
                        leg=leg,
                        section=self.section,
                    )

    def _check_points(self, claims: Sequence[Claim]) -> None:
        if "points" not in self.block.head.columns:
            return
        sums: dict[str, int] = {}
        unknown = set()
        for claim in claims:
            if claim.cell.points is None:
                unknown.add(claim.player)
            else:
                sums[claim.player] = sums.get(claim.player, 0) + claim.cell.points
        for person in self.people:
            total = _points(person.row, self.block)
            counted = sums.get(person.id, 0) / 2
            if total is not None and person.id not in unknown and total != counted:
                what = sentence(
                    "{player}: {total:g} in the table, {counted:g} counted",
                    player=person.label,
                    total=total,
                    counted=counted,
                )
                self.notes.add(POINTS, what, self.block.place(person.row, "points", person.id))


def _points(row: Row, block: Block) -> float | None:
    text = block.cell(row, "points")
    if text.endswith(("½", "x")):
        whole = number(text[:-1] or "0")
        return None if whole is None else whole + 0.5
    return number(text)


def _mirrored(
    by_number: Mapping[int, Person], cells: Sequence[tuple[Person, int, str, Cell]]
) -> int:
    """How many results name an opponent who names the player back."""
    numbers = {person.id: value for value, person in by_number.items()}
    said = {(person.id, round_): cell.opponent for person, round_, _, cell in cells}
    count = 0
    for person, round_, _, cell in cells:
        opponent = by_number.get(cell.opponent) if cell.opponent else None
        if opponent and opponent.id != person.id and person.id in numbers:
            count += said.get((opponent.id, round_)) == numbers[person.id]
    return count


def section_of(block: Block) -> str | None:
    """The section that the title of a table names; None for what is no title of its own."""
    return None if words.title_of(block.title) else block.title or None
