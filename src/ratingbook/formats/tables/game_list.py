"""Lists of games, one in each row, and lists of results of players against opponents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from ratingbook.formats.document.schema import FIELDS, ValueKind
from ratingbook.formats.tables import scores, words
from ratingbook.formats.tables.cells import Row, number
from ratingbook.formats.tables.days import Days
from ratingbook.formats.tables.mapping import SUMS, Block, shown
from ratingbook.formats.tables.pairings import NO_COLOURS, OPPONENT, SELF, Claim, pair_of
from ratingbook.formats.tables.people import (
    DATE,
    NO_REFERENCE,
    VALUE,
    Person,
    Register,
    boolean,
    read_value,
    with_birth_year,
)
from ratingbook.formats.tables.people import Reader as PersonReader
from ratingbook.formats.tables.ratings import tell_other_rating
from ratingbook.formats.tools.dates import either_of
from ratingbook.formats.tools.notes import Notes, Remark, all_of
from ratingbook.model import (
    Entry,
    Game,
    GameStatus,
    Place,
    Result,
    Severity,
)
from ratingbook.model.sentences import row_of, sentence

RESULT = Remark(
    "game.result",
    Severity.ERROR,
    "A result was not understood",
    "Write 1-0, 0-1 or 1/2-1/2; +/- and 1F-0F for a forfeit, * for an open game.",
    each=True,
)
SPOILT = Remark(
    "table.result-as-date",
    Severity.ERROR,
    "A spreadsheet turned a result into a date, and nobody can tell it from what is left",
    "Set the column to text, type the results again, and save the table.",
    each=True,
)
WAS_DATE = Remark(
    "table.result-as-date",
    Severity.WARNING,
    "A spreadsheet turned results into dates or times; they could be told",
    "Look at these results; set the column to text.",
)
OPEN = Remark(
    "table.open",
    Severity.WARNING,
    "Games have no result",
    "Enter the results, or take these games out.",
)
_UNREAD = scores.Outcome(Result.NONE)
"""Of a game whose result is there, and was not understood: it is not one that has none."""
SWAPPED = Remark(
    "table.swapped",
    Severity.WARNING,
    "Ids are words and the names beside them numbers",
    "Look whether the two columns are the wrong way round.",
)
WHITE_POINTS = Remark(
    "table.white-points",
    Severity.WARNING,
    "Results are those of one side; they were taken as White's",
    "If they are Black's, write results as 1-0 and 0-1.",
)
NOBODY_PLAYED = Remark(
    "table.double-forfeit",
    Severity.WARNING,
    "Neither side scored; this was taken as a game that nobody began",
    "If the game was played, say so in a column status, and give its result.",
)

_SWAPPED = {
    Result.WHITE_WINS: Result.BLACK_WINS,
    Result.BLACK_WINS: Result.WHITE_WINS,
}
"""The result from the other side, where the player without an opponent stands second."""
_OTHER_SIDE: Final = {
    f"{side}_{end}": f"{other}_{end}"
    for side, other in (("white", "black"), ("black", "white"))
    for end in ("rating", "for")
}
_SIDES = (("white", "black"), ("first", "second"), ("winner", "loser"))
_NUMBERS = tuple(f"_{number}" for number in words.NUMBERS)
_IDS = ("_id", *_NUMBERS)
"""What the columns of a player's id and numbers end with; the id goes before."""
_PLAIN = tuple("section event start end reported table_result handicap margin neutral".split())
"""Fields of a game that are read as they are."""


class _Rated(NamedTuple):
    """Whether a game counts for each side, and whether the table says so itself."""

    white: bool
    black: bool
    said: bool


@dataclass(frozen=True)
class GameReader:
    """Reads the rows of a table of games."""

    block: Block
    register: Register
    days: Days
    notes: Notes

    def games(self) -> Iterator[Game]:
        """The games of a list that names both players."""
        sides = next((pair for pair in _SIDES if self._has(pair)), None)
        if sides is None:
            # Several columns could be White's, which is a finding already.
            return
        for row in self.block.rows:
            if game := self._game(row, sides):
                yield game

    def _has(self, sides: tuple[str, str]) -> bool:
        columns = self.block.head.columns
        return any(side + end in columns for side in sides[:1] for end in ("", "_name", *_IDS))

    def _game(self, row: Row, sides: tuple[str, str]) -> Game | None:
        if self._is_sum(row, sides):
            return None
        swapped = self._is_bye(row, sides[0]) and not self._is_bye(row, sides[1])
        own, other = sides[::-1] if swapped else sides
        white = self._player(row, own)
        if white is None:
            return None
        black = None
        if self._named(row, other) and not self._is_bye(row, other):
            black = self._player(row, other)
            if black is None:
                return None
            if black == white:
                self.notes.add(SELF, white, self.block.place(row, other, white))
                return None
        elif not any(self.block.cell(row, name) for name in (other, "result", "status", "points")):
            what = sentence("{white}, without opponent and result", white=white)
            self.notes.add(NO_REFERENCE, what, self.block.place(row, other, white))
            return None
        values = self._values(row, white)
        result, status = self._outcome(row, white, black, winner=sides[0] == "winner")
        if swapped:
            result = _SWAPPED.get(result, result)
            values = {_OTHER_SIDE.get(name, name): value for name, value in values.items()}
        if black and sides[0] != "white":
            self.notes.add(
                NO_COLOURS,
                sentence("{white} and {black}", white=white, black=black),
                self.block.place(row, sides[0]),
            )
        rated = self._rated(row, status)
        return Game(
            white=white,
            black=black,
            result=result,
            status=status,
            white_rated=rated.white,
            black_rated=rated.black,
            rated_said=rated.said,
            **values,
            place=self.block.place(row, sides[0], white, values.get("round")),
        )

    def _named(self, row: Row, side: str) -> str:
        """By what the row calls a player; a list of players may not know the numbers."""
        named = ("", "_name")
        ends = ("_id", *named, *_NUMBERS) if self.register.closed else (*_IDS, *named)
        return next(filter(None, (self.block.cell(row, side + end) for end in ends)), "")

    def _is_sum(self, row: Row, sides: tuple[str, str]) -> bool:
        """Whether a row names nobody, but a sum."""
        text = next(filter(None, row.cells), "")
        if any(self._named(row, side) for side in sides) or not words.is_total(text):
            return False
        self.notes.add(SUMS, shown(row.text), self.block.place(row, sides[0]))
        return True

    def _is_bye(self, row: Row, side: str) -> bool:
        """Whether a word for no opponent stands in place of a player."""
        name = self._named(row, side)
        return name.casefold() in scores.BYES and self.register.find(name, Place()) is None

    def _player(self, row: Row, side: str) -> str | None:
        """The id of the player on a side; None, with a finding, where there is none."""
        text = self._named(row, side)
        place = self.block.place(row, side)
        if not text:
            self.notes.add(
                NO_REFERENCE,
                sentence("no {side} player: {shown}", side=side, shown=shown(row.text)),
                place,
            )
            return None
        if self.register.closed:
            found = self.register.find(text, place)
            if found is None:
                self.notes.add(OPPONENT, shown(text), place)
            elif (name := self._name(row, side)) != text:
                self.register.compare(found, name, place)
            if found:
                numbers, born = self._numbers(row, side), self._born(row, side, found)
                if numbers or born:
                    more = Entry(found, ids=numbers, **born, place=place)
                    self.register.complete(found, more)
            return found
        return self.register.find_or_add(self._entry(row, side, text, place))

    def _name(self, row: Row, side: str) -> str:
        """The name of a player; a number alone is none."""
        name = self._called(row, side)
        return "" if name.isascii() and name.isdigit() else name

    def _called(self, row: Row, side: str) -> str:
        return self.block.cell(row, f"{side}_name") or self.block.cell(row, side)

    def _entry(self, row: Row, side: str, id_: str, place: Place) -> Entry:
        more: dict[str, Any] = {
            key: self.block.cell(row, f"{side}_{key}") or None
            for key in ("federation", "title", "grade", "club", "team")
        }
        called = self._called(row, side)
        if called.isdigit() and not any(map(str.isdigit, id_)):
            self.notes.add(
                SWAPPED,
                sentence("id {shown}, name {called}", shown=shown(id_), called=called),
                place,
            )
        return Entry(
            id_,
            self._name(row, side),
            **more,
            **self._born(row, side, id_),
            ids=self._numbers(row, side),
            place=replace(place, player=id_),
        )

    def _born(self, row: Row, side: str, player: str) -> dict[str, Any]:
        """The birth date of a player, or the year where no more is said."""
        cells = {
            name: text
            for name in ("birth_date", "birth_year")
            if (text := self.block.cell(row, f"{side}_{name}"))
        }
        with_birth_year(cells)
        found = {
            name: self._read(row, f"{side}_{name}", FIELDS["player"][name], text, player)
            for name, text in cells.items()
        }
        return {name: value for name, value in found.items() if value is not None}

    def _numbers(self, row: Row, side: str) -> dict[str, str]:
        """The numbers of registers that the row gives of a player."""
        return {
            number.removeprefix("ids."): text
            for number in words.NUMBERS
            if (text := self.block.cell(row, f"{side}_{number}"))
        }

    def _values(self, row: Row, player: str) -> dict[str, Any]:
        """The fields of a game that stand in columns of their own."""
        found: dict[str, Any] = {}
        for name in ("round", *_PLAIN, "white_rating", "black_rating", "white_for", "black_for"):
            text = self.block.cell(row, name)
            if name in self.block.head.columns and text:
                found[name] = self._value(row, name, text, player)
        if found.get("table_result"):
            found["table_result"] = Result(found["table_result"])
        if "round" not in found and (title := words.round_in(self.block.title)):
            found["round"] = title
        for name in ("white_for", "black_for"):
            if name in found and self.register.closed:
                place = self.block.place(row, name, player)
                known = self.register.find(found[name], place)
                if known is None:
                    self.notes.add(OPPONENT, shown(found[name]), place)
                found[name] = known
        return {name: value for name, value in found.items() if value is not None}

    def _value(self, row: Row, name: str, text: str, player: str) -> Any:
        if name.endswith("_rating") and text.casefold() in ("-", "0", "unr", "unrated"):
            return None
        if name == "round":
            found = words.round_in(text)
            if found is None:
                what = sentence(
                    "{name}: {text} is not the number of a round",
                    name=self.block.header(name),
                    text=shown(text),
                )
                self.notes.add(VALUE, what, self.block.place(row, name, player))
                return None
            text = str(found)
        return self._read(row, name, FIELDS["game"][name], text, player)

    def _read(self, row: Row, name: str, kind: ValueKind, text: str, player: str) -> Any:
        try:
            return read_value(kind, text, self.days)
        except ValueError as error:
            place = self.block.place(row, name, player)
            if meant := self.days.read(text).doubtful:
                self.notes.add(DATE, row_of((shown(text), either_of(meant)), ": "), place)
            else:
                what = sentence(
                    "{name}: {text} is not {error}",
                    name=self.block.header(name),
                    text=shown(text),
                    error=error.args[0],
                )
                self.notes.add(VALUE, what, place)
            return None

    def _rated(self, row: Row, status: GameStatus) -> _Rated:
        """Whether the game counts for each side, and whether the table says so itself."""
        played = status is GameStatus.PLAYED
        whole = self.block.cell(row, "rated")
        sides = [self.block.cell(row, f"{side}_rated") for side in ("white", "black")]
        flags = [self._flag(row, text) for text in (whole if whole != "open" else "", *sides)]
        both = played if flags[0] is None else flags[0]
        white, black = (both if flag is None else flag for flag in flags[1:])
        said = whole != "open" and any(flag is not None for flag in flags)
        return _Rated(white, black, said)

    def _flag(self, row: Row, text: str) -> bool | None:
        flag = boolean(text) if text else None
        if text and flag is None:
            what = sentence("rated: {text} is neither yes nor no", text=shown(text))
            self.notes.add(VALUE, what, self.block.place(row, "rated"))
        return flag

    def _outcome(
        self, row: Row, white: str, black: str | None, *, winner: bool
    ) -> tuple[Result, GameStatus]:
        found = self._result(row, white, black, winner=winner)
        said = self.block.cell(row, "status").casefold()
        if said in scores.DEFAULTS and black:
            return found.result, GameStatus.FORFEIT
        if said:
            try:
                return found.result, GameStatus(said)
            except ValueError:
                what = sentence(
                    "status: {said} is not one of {words}",
                    said=shown(said),
                    words=", ".join(GameStatus),
                )
                self.notes.add(VALUE, what, self.block.place(row, "status", white))
        if black is None:
            return found.result, GameStatus.BYE
        if boolean(self.block.cell(row, "forfeit")):
            return found.result, GameStatus.FORFEIT
        if found == scores.Outcome(Result.NONE, GameStatus.FORFEIT):
            self.notes.add(
                NOBODY_PLAYED,
                sentence("{white} and {black}", white=white, black=black),
                self._at_result(row, white),
            )
        elif found.result is Result.NONE and found is not _UNREAD:
            self.notes.add(
                OPEN,
                sentence("{white} and {black}", white=white, black=black),
                self._at_result(row, white),
            )
        return found.result, found.status

    def _at_result(self, row: Row, player: str) -> Place:
        return self.block.place(row, "result", player)

    def _result(self, row: Row, white: str, black: str | None, *, winner: bool) -> scores.Outcome:
        unknown = scores.Outcome(Result.NONE)
        points = [self.block.cell(row, f"{side}_score") for side in ("white", "black")]
        text = self.block.cell(row, "result") or self.block.cell(row, "points")
        if any(points) and not text:
            return self._of_points(row, points, white)
        word = text.casefold()
        if not text and not winner and black and (named := self.block.cell(row, "winner")):
            return self._of_winner(row, white, black, named)
        if not text or (black is None and word in scores.BYES | scores.DEFAULTS):
            return scores.Outcome(Result.WHITE_WINS) if winner and black else unknown
        found = scores.outcome(text)
        own = scores.half_points(text)
        if found is None and own is not None:
            found = scores.Outcome(scores.of_points(own))
            if black:
                self.notes.add(WHITE_POINTS, f"{white}: {text}", self._at_result(row, white))
        if found is None:
            kind = SPOILT if scores.is_spoilt(text) else RESULT
            what = row_of((pair_of(white, black), shown(text)), ": ")
            if word in scores.DEFAULTS:
                what = sentence("{what}, which does not say who won", what=what)
            self.notes.add(kind, what, self._at_result(row, white))
        elif found.was_date:
            what = sentence("{text} as {value}", text=shown(text), value=found.result.value)
            self.notes.add(WAS_DATE, what, self._at_result(row, white))
        if found and winner and found.result is Result.BLACK_WINS:
            self.notes.add(
                RESULT,
                sentence("the loser wins: {shown}", shown=shown(text)),
                self._at_result(row, white),
            )
        return found or _UNREAD

    def _of_winner(self, row: Row, white: str, black: str, named: str) -> scores.Outcome:
        """The result from a column that says who won: W, B or D, or the player."""
        found = self._winners.read(named)
        if found is None:
            for result, side in ((Result.WHITE_WINS, "white"), (Result.BLACK_WINS, "black")):
                names = {
                    self.block.cell(row, side + end).casefold() for end in ("", "_name", *_IDS)
                }
                if named.casefold() in names - {""}:
                    found = scores.Outcome(result)
        if found is None:
            what = sentence(
                "{players}: {named} for the winner",
                players=pair_of(white, black),
                named=shown(named),
            )
            self.notes.add(RESULT, what, self.block.place(row, "winner", white))
        return found or _UNREAD

    @cached_property
    def _winners(self) -> scores.Winners:
        column = self.block.head.columns["winner"][0]
        header = words.key(self.block.header("winner"))
        return scores.Winners.of(header, (row.cell(column) for row in self.block.rows))

    def _of_points(self, row: Row, points: list[str], player: str) -> scores.Outcome:
        """The result from a column for each side, of which one may be missing."""
        white, black = (scores.half_points(text) if text else None for text in points)
        total = [value for value in (white, black) if value is not None]
        if (
            not total
            or len(total) != sum(map(bool, points))
            or (len(total) == 2 and sum(total) != 2)
        ):
            if total == [0, 0]:
                return scores.Outcome(Result.NONE, GameStatus.FORFEIT)
            place = self.block.place(row, "white_score" if points[0] else "black_score", player)
            self.notes.add(RESULT, all_of(filter(None, points)), place)
            return _UNREAD
        value = white if white is not None else 2 - total[0]
        return scores.Outcome(scores.of_points(value))

    # Lists of one player's results

    def claims(self) -> Iterator[Claim]:
        """The claims of a list that names a player and an opponent."""
        reader = PersonReader(self.block, self.days, self.notes)
        people = [(row, reader.read(row)) for row in self.block.rows]
        if not self.register.closed:
            for _, person in people:
                if person:
                    tell_other_rating(person.entry, self.register, self.notes)
        signs = scores.Notation.of(())
        for row, person in people:
            if person and (claim := self._claim(row, person, signs)):
                yield claim

    def _claim(self, row: Row, person: Person, notation: scores.Notation) -> Claim | None:
        player = self.register.find(person.id, person.entry.place)
        named = self.block.cell(row, "opponent")
        text = self.block.cell(row, "result") or self.block.cell(row, "points")
        values = self._values(row, person.id)
        place = self.block.place(row, "result", person.id, values.get("round"))
        if player is None:
            self.notes.add(OPPONENT, person.label, place)
            return None
        points = scores.half_points(text) if text else None
        if named and text and points is None and scores.outcome(text) is None:
            kind = SPOILT if scores.is_spoilt(text) else RESULT
            self.notes.add(
                kind,
                sentence(
                    "{player} against {named}: {text}",
                    player=person.label,
                    named=shown(named),
                    text=shown(text),
                ),
                place,
            )
            return None
        if points is None and text and named:
            self.notes.add(
                RESULT,
                sentence(
                    "{label} against {shown}: {text}",
                    label=person.label,
                    shown=shown(named),
                    text=shown(text),
                ),
                place,
            )
            return None
        bye = not named or named.casefold() in scores.BYES
        if bye:
            found = notation.read(text)
            cell = found or scores.Cell(None, points, status=GameStatus.BYE, rated=False)
        else:
            cell = self._cell(row, points)
            if points is None:
                self.notes.add(
                    OPEN,
                    sentence("{label} against {shown}", label=person.label, shown=shown(named)),
                    place,
                )
        return Claim(
            player,
            person.label,
            None if bye else self._opponent(named, place),
            "" if bye else named,
            cell,
            values.get("round"),
            place,
            section=values.get("section"),
            event=values.get("event"),
            start=values.get("start"),
        )

    def _opponent(self, named: str, place: Place) -> str | None:
        found = self.register.find(named, place)
        if found is None and not self.register.closed:
            nameless = named.isascii() and named.isdigit()
            return self.register.find_or_add(Entry(named, "" if nameless else named, place=place))
        return found

    def _cell(self, row: Row, points: int | None) -> scores.Cell:
        letter = self.block.cell(row, "colour").casefold()[:1]
        colour = {"w": "w", "b": "b", "s": "b", "n": "b", "z": "b"}.get(letter, "")
        if self.block.cell(row, "colour").casefold().startswith(("bl", "bi")):
            colour = "b" if words.field_of(self.block.cell(row, "colour")) == "black" else "w"
        stones = number(self.block.cell(row, "handicap"))
        default = boolean(self.block.cell(row, "forfeit"))
        rated = boolean(self.block.cell(row, "rated")) is not False
        return scores.Cell(
            0,
            points,
            colour,
            GameStatus.FORFEIT if default else GameStatus.PLAYED,
            rated and not default,
            None if stones is None else int(stones),
        )
