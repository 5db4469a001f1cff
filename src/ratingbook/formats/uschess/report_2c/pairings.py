"""The games of a section as the rows of its players: a cell for every round.

A player who has two games or byes in one round stands in two rows, as one who
entered again does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.uschess.report_2c import layout
from ratingbook.model import Colour, Game, GameStatus, Place, Result, Severity

LOST = Remark(
    "uschess.left-out",
    Severity.ERROR,
    "Games could not be written, because a player has no entry or plays against himself",
    "Correct the games in the report.",
)
TOO_MANY_ROUNDS = Remark(
    "uschess.rounds",
    Severity.ERROR,
    f"Games after round {layout.MAX_ROUNDS} have no place in the format",
    "Divide the report into several.",
)
NO_ROUND = Remark(
    "uschess.no-round",
    Severity.INFO,
    "Games without a round were put into the first rounds in which both players are free",
    "Nothing to do: the rounds do not change the ratings.",
)
UNFINISHED = Remark(
    "uschess.unfinished",
    Severity.WARNING,
    "Games without a result were written as unplayed rounds (U0)",
    "Send the report again when they are finished.",
)
NOT_RATED = Remark(
    "uschess.not-rated",
    Severity.WARNING,
    "Games that were played but are not rated were written as forfeits, drawn ones as byes of half "
    "a point; the format has no other way to leave them out of the rating",
    "Look whether they should be rated after all.",
)
ONE_SIDE = Remark(
    "uschess.one-side",
    Severity.ERROR,
    "Games count for one of the two players only; in the format a game counts for both or for none",
    "Rate the report document instead, which can say so.",
)
ODD_FORFEIT = Remark(
    "uschess.forfeit",
    Severity.WARNING,
    "Forfeits without an opponent or with a shared point are not told as such: those were written "
    "as X0 and F0, which are read as byes or not at all, these as byes of half a point",
    "Name the opponents, if the forfeits matter; they are not rated.",
)

_PLAYED = {Result.WHITE_WINS: ("W", "L"), Result.BLACK_WINS: ("L", "W"), Result.DRAW: ("D", "D")}
_FORFEITED = {
    Result.WHITE_WINS: ("X", "F"),
    Result.BLACK_WINS: ("F", "X"),
    Result.NONE: ("F", "F"),
}
_POINTS = {0: "U", 1: "H", 2: "B"}
"""What half points without a game are."""
_NOTHING = ("U", "U")


@dataclass(slots=True)
class PlayerRow:
    """A row of a player: for each round a code, the opponent's row, and the colour."""

    player: str
    pair: int = 0
    cells: dict[int, _Cell] = field(default_factory=dict)

    def text(self, number: int) -> str:
        """The cell of a round as it is written."""
        cell = self.cells.get(number)
        if cell is None:
            return layout.UNPLAYED
        opponent = cell.opponent.pair if cell.opponent else 0
        return f"{cell.code}{opponent}{cell.colour}"


class _Cell(NamedTuple):
    code: str
    opponent: PlayerRow | None = None
    colour: str = ""


class _Table:
    """The rows while they are filled."""

    def __init__(self, players: Iterable[str]) -> None:
        self._rows = {player: [PlayerRow(player)] for player in players}
        self._further: list[PlayerRow] = []

    def __contains__(self, player: str) -> bool:
        return player in self._rows

    def free(self, player: str, number: int) -> bool:
        """Whether the player's newest row has nothing in this round."""
        return number not in self._rows[player][-1].cells

    def row(self, player: str, number: int) -> PlayerRow:
        """The newest row of the player that has nothing in this round; a new one if none."""
        for row in reversed(self._rows[player]):
            if number not in row.cells:
                return row
        row = PlayerRow(player)
        self._rows[player].append(row)
        self._further.append(row)
        return row

    def numbered(self) -> list[PlayerRow]:
        """The rows by pairing number; those of players who entered again come last."""
        rows = [own[0] for own in self._rows.values()] + self._further
        for pair, row in enumerate(rows, 1):
            row.pair = pair
        return rows


def player_rows(players: Sequence[str], games: Iterable[Game], notes: Notes) -> list[PlayerRow]:
    """The rows of a section with these players; pairing numbers go by their order."""
    table = _Table(players)
    known = [game for game in games if _has_players(game, table, notes)]
    later = []
    for game in sorted(known, key=lambda game: game.round or 0):
        codes = _codes(game, notes)
        if codes == _NOTHING:
            continue
        if game.round is None or game.round < 1:
            later.append((game, codes))
        elif game.round <= layout.MAX_ROUNDS:
            _enter(game, codes, game.round, table)
        else:
            notes.add(TOO_MANY_ROUNDS, _named(game), _place(game))
    for game, codes in later:
        _enter_anywhere(game, codes, table, notes)
    return table.numbered()


def _has_players(game: Game, table: _Table, notes: Notes) -> bool:
    opponent_known = game.black is None or game.black in table
    if game.white in table and opponent_known and game.white != game.black:
        return True
    notes.add(LOST, _named(game), _place(game))
    return False


def _enter(game: Game, codes: tuple[str, str], number: int, table: _Table) -> None:
    """Put a game or a bye into the rows; who has nothing needs no cell."""
    if codes[0] in "UHB" or game.black is None:
        for player, code in zip((game.white, game.black), codes, strict=True):
            if player is not None and code != "U":
                table.row(player, number).cells[number] = _Cell(code)
        return
    white, black = table.row(game.white, number), table.row(game.black, number)
    white.cells[number] = _Cell(codes[0], black, "W")
    black.cells[number] = _Cell(codes[1], white, "B")


def _enter_anywhere(game: Game, codes: tuple[str, str], table: _Table, notes: Notes) -> None:
    players = [player for player in (game.white, game.black) if player is not None]
    free = (n for n in count(1) if all(table.free(player, n) for player in players))
    number = next(free)
    kind = NO_ROUND if number <= layout.MAX_ROUNDS else TOO_MANY_ROUNDS
    notes.add(kind, _named(game), _place(game))
    if kind is NO_ROUND:
        _enter(game, codes, number, table)


def _codes(game: Game, notes: Notes) -> tuple[str, str]:
    """The codes of White and of Black."""
    if game.black is None and game.status is not GameStatus.BYE:
        notes.add(ODD_FORFEIT, _named(game), _place(game))
        return _FORFEITED.get(game.result, _by_points(game))
    if game.status is GameStatus.FORFEIT:
        if game.result is Result.DRAW:
            notes.add(ODD_FORFEIT, _named(game), _place(game))
        return _FORFEITED.get(game.result, _by_points(game))
    if game.status in (GameStatus.BYE, GameStatus.CANCELLED):
        return _by_points(game)
    if game.result is Result.NONE:
        notes.add(UNFINISHED, _named(game), _place(game))
        return _by_points(game)
    if game.white_rated or game.black_rated:
        if not (game.white_rated and game.black_rated):
            notes.add(ONE_SIDE, _named(game), _place(game))
        return _PLAYED[game.result]
    notes.add(NOT_RATED, _named(game), _place(game))
    return _FORFEITED.get(game.result, _by_points(game))


def _by_points(game: Game) -> tuple[str, str]:
    white, black = (game.result.half_points(colour) or 0 for colour in Colour)
    return _POINTS[white], _POINTS[black]


def _named(game: Game) -> str:
    players = f"{game.white} and {game.black or 'nobody'}"
    return players if game.round is None else f"{players} in round {game.round}"


def _place(game: Game) -> Place:
    return Place(section=game.section, player=game.white, round=game.round)


def last_round(rows: Iterable[PlayerRow]) -> int:
    """The last round in which anybody has a cell; 0 if nobody has."""
    return max(_rounds(rows), default=0)


def _rounds(rows: Iterable[PlayerRow]) -> Iterator[int]:
    for row in rows:
        yield from row.cells
