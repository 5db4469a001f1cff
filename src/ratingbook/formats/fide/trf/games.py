"""The two sides of each game brought together.

A game stands in two lines, and each side must mirror the other.  Where they
disagree about a game that would be rated, the report is refused; where nothing
would be rated either way, somebody should merely look.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import NamedTuple

from ratingbook.formats.fide.trf import layout
from ratingbook.formats.fide.trf.players import Cell, PlayerLine
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Game, GameStatus, Result, Severity
from ratingbook.model.sentences import sentence

SELF = Remark(
    "game.self",
    Severity.ERROR,
    "A player meets himself",
    "Correct the opponent's number.",
    each=True,
)
OPPONENT = Remark(
    "game.opponent",
    Severity.ERROR,
    "A result has no opponent, or one who has no line of his own",
    "Correct the opponent's number, or add the opponent's line.",
    each=True,
)
CONTRADICTION = Remark(
    "game.contradiction",
    Severity.ERROR,
    "The two lines of a game contradict each other",
    "Correct the result in one of the two lines; 0000 - Z in both leaves the game out.",
    each=True,
)
HARMLESS_CONTRADICTION = Remark(
    "game.contradiction",
    Severity.WARNING,
    "The two lines of a pairing contradict each other, but it is not rated either way",
    "Correct one of the two lines.",
)
MIRROR = Remark(
    "game.mirror",
    Severity.ERROR,
    "A game stands in one player's line only",
    "Enter the game in the opponent's line too, or delete it.",
    each=True,
)
HARMLESS_MIRROR = Remark(
    "game.mirror",
    Severity.WARNING,
    "A pairing that is not rated stands in one player's line only",
    "Enter it in the opponent's line too.",
)
COLOURS = Remark(
    "game.colours",
    Severity.WARNING,
    "The colours of played games are missing or the same on both sides; "
    "where they do not tell, the lower starting rank was taken as White",
    "Correct the colours if they matter to you; the ratings do not depend on them.",
)
BYE = Remark(
    "trf.bye",
    Severity.WARNING,
    "A bye carries the code of another result or names an opponent; it was read as a bye",
    "Write U, F, H or Z with the opponent 0000.",
)

BYE_CODE = Remark(
    "trf.bye-code",
    Severity.INFO,
    "Byes are written as forfeits or as draws (+ or = without opponent); they were read as byes",
    "Write F for a full-point bye and H for a half-point bye.",
)
UNRATED = Remark(
    "trf.unrated",
    Severity.INFO,
    "Games of less than a move (W, D, L) score, but are not rated",
    "Nothing to do.",
)
OPEN = Remark(
    "trf.open-games",
    Severity.INFO,
    "Games have no result yet",
    "Enter the results, if the event is over.",
)

_MIRROR = {"1": "0", "0": "1", "=": "=", "W": "L", "L": "W", "D": "D", "": ""}
_WINS = frozenset("1W+FU")
_DRAWS = frozenset("=DH")
_SCORES = _WINS | _DRAWS
_NOT_RATED_FORFEITS = frozenset({("+", "-"), ("-", "+"), ("-", "-")})


class _Side(NamedTuple):
    """One player's half of a pairing."""

    player: PlayerLine
    cell: Cell


@dataclass(frozen=True, slots=True)
class _Reader:
    """What is needed to read any pairing."""

    players: Mapping[int, PlayerLine]
    dates: Mapping[int, date]
    teams: bool
    """Whether it is a team event, in which a player may win by default against nobody."""
    notes: Notes


def read_games(
    players: Mapping[int, PlayerLine], dates: Mapping[int, date], teams: bool, notes: Notes
) -> tuple[Game, ...]:
    """Every game once, by round and White's number; byes among them."""
    reader = _Reader(players, dates, teams, notes)
    games = [game for player in players.values() for game in _games_of(player, reader)]
    return tuple(sorted(games, key=lambda game: (game.round or 0, int(game.white))))


def _games_of(player: PlayerLine, reader: _Reader) -> Iterator[Game]:
    """The games that this player's line contributes."""
    rank, players = player.rank, reader.players
    for number, cell in player.cells.items():
        other, _, code, _ = cell
        if other == 0 or code in layout.BYES:
            game = _bye(_Side(player, cell), number, reader)
            if game:
                yield game
        elif other == rank:
            reader.notes.add(
                SELF,
                sentence("{label} in round {number}", label=player.label, number=number),
                player.place(number),
            )
        elif (opponent := players.get(other)) is None:
            what = sentence(
                "{player} in round {number} against {other}",
                player=player.label,
                number=number,
                other=other,
            )
            reader.notes.add(OPPONENT, what, player.place(number))
        else:
            mirror = opponent.cells.get(number)
            if mirror is None or mirror.opponent != rank or mirror.code in layout.BYES:
                game = _without_mirror(_Side(player, cell), opponent, number, reader)
                if game:
                    yield game
            elif rank < other:
                # Of the two lines that tell it, the first.
                yield _mirrored(player, cell, opponent, mirror, number, reader)


def _bye(side: _Side, number: int, reader: _Reader) -> Game | None:
    """A round without opponent; None where it brought no points."""
    player, cell = side
    if cell.code not in layout.BYES | layout.FORFEITS and cell.colour:
        what = sentence(
            "{player} in round {number}: {colour} {code}",
            player=player.label,
            number=number,
            colour=cell.colour,
            code=cell.code,
        )
        reader.notes.add(OPPONENT, what, player.place(number))
        return None
    # A draw sign without colour is the usual way to write a half-point bye.
    if cell.opponent or cell.code in (layout.PLAYED - {"="}) | layout.UNRATED:
        what = sentence(
            "{player} in round {number}: {code}", player=player.label, number=number, code=cell.code
        )
        reader.notes.add(BYE, what, player.place(number))
    elif cell.code in ("+", "=") and not reader.teams:
        what = sentence(
            "{player} in round {number}: {code}", player=player.label, number=number, code=cell.code
        )
        reader.notes.add(BYE_CODE, what, player.place(number))
    if cell.code not in _SCORES:
        return None
    result = Result.WHITE_WINS if cell.code in _WINS else Result.DRAW
    return _game(player, None, result, GameStatus.BYE, False, number, reader)


class _Told(NamedTuple):
    """What the colours and codes of the two lines of a game tell."""

    low_is_white: bool
    remarks: tuple[Remark, ...]
    contradicts: bool
    result: Result
    status: GameStatus
    rated: bool


def _mirrored(
    low: PlayerLine, own: Cell, high: PlayerLine, mirror: Cell, number: int, reader: _Reader
) -> Game:
    told = _told(own.colour, own.code, mirror.colour, mirror.code)
    for remark in told.remarks:
        reader.notes.add(remark, _pair(low, high, number), low.place(number))
    if told.contradicts:
        sides = _Side(low, own), _Side(high, mirror)
        _note_contradiction(*(sides if told.low_is_white else sides[::-1]), number, reader)
    white, black = (low, high) if told.low_is_white else (high, low)
    return _game(white, black, told.result, told.status, told.rated, number, reader)


# There are a dozen codes and three colours, and a file has hundreds of games.
@cache
def _told(low_colour: str, low_code: str, high_colour: str, high_code: str) -> _Told:
    low_is_white = low_colour == high_colour or not (low_colour == "b" or high_colour == "w")
    codes = (low_code, high_code) if low_is_white else (high_code, low_code)
    played = _MIRROR.get(codes[0]) == codes[1]
    remarks = []
    if codes == ("", ""):
        remarks.append(OPEN)
    elif played:
        if not layout.UNRATED.isdisjoint(codes):
            remarks.append(UNRATED)
        if {low_colour, high_colour} != {"w", "b"}:
            remarks.append(COLOURS)
    status = _status(codes)
    return _Told(
        low_is_white,
        tuple(remarks),
        not played and codes not in _NOT_RATED_FORFEITS,
        _result(*codes),
        status,
        _is_rated(status, codes),
    )


def _note_contradiction(white: _Side, black: _Side, number: int, reader: _Reader) -> None:
    codes = (white.cell.code, black.cell.code)
    lines = [
        sentence(
            "{player} has {code} (line {line})",
            player=side.player.label,
            code=side.cell.code or sentence("no result"),
            line=side.player.line,
        )
        for side in (white, black)
    ]
    what = sentence(
        "in round {number} {one} and {other}", number=number, one=lines[0], other=lines[1]
    )
    rated = not layout.PLAYED.isdisjoint(codes)
    kind = CONTRADICTION if rated else HARMLESS_CONTRADICTION
    reader.notes.add(kind, what, white.player.place(number))


def _without_mirror(side: _Side, opponent: PlayerLine, number: int, reader: _Reader) -> Game | None:
    """A game that the opponent's line does not confirm."""
    player, cell = side
    if not opponent.readable:
        return None  # The results that cannot be told apart are an error already.
    kind = MIRROR if cell.code in layout.PLAYED else HARMLESS_MIRROR
    what = sentence(
        "in round {number} {player} (line {line}) names {opponent} (line {line2}), who {deed}",
        number=number,
        player=player.label,
        line=player.line,
        opponent=opponent.label,
        line2=opponent.line,
        deed=_deed(opponent.cells.get(number)),
    )
    reader.notes.add(kind, what, player.place(number))
    if cell.code in layout.PLAYED:
        return None
    mirror = Cell(player.rank, "", _MIRROR.get(cell.code, layout.BLANK), cell.column)
    other = _Side(opponent, mirror)
    white, black = (other, side) if cell.colour == "b" else (side, other)
    codes = (white.cell.code, black.cell.code)
    status = _status((cell.code,))
    is_rated = _is_rated(status, codes)
    return _game(white.player, black.player, _result(*codes), status, is_rated, number, reader)


def _deed(cell: Cell | None) -> str:
    if cell is None:
        return sentence("has nothing there")
    if cell.opponent and cell.code not in layout.BYES:
        return sentence("names {opponent}", opponent=cell.opponent)
    return sentence("has the code {code} there", code=cell.code)


def _pair(low: PlayerLine, high: PlayerLine, number: int) -> str:
    return sentence(
        "{player} and {player2} in round {number}",
        player=low.label,
        player2=high.label,
        number=number,
    )


def _result(white: str, black: str) -> Result:
    """The result of a pairing from both codes; of contradicting ones, none."""
    if white in _WINS and black not in _SCORES:
        return Result.WHITE_WINS
    if black in _WINS and white not in _SCORES:
        return Result.BLACK_WINS
    if white in _DRAWS and black in _DRAWS:
        return Result.DRAW
    return Result.NONE


def _status(codes: tuple[str, ...]) -> GameStatus:
    return GameStatus.PLAYED if layout.FORFEITS.isdisjoint(codes) else GameStatus.FORFEIT


def _is_rated(status: GameStatus, codes: tuple[str, ...]) -> bool:
    return status is GameStatus.PLAYED and layout.UNRATED.isdisjoint(codes)


def _game(
    white: PlayerLine,
    black: PlayerLine | None,
    result: Result,
    status: GameStatus,
    rated: bool,
    number: int,
    reader: _Reader,
) -> Game:
    day = reader.dates.get(number)
    return Game(
        white.id,
        black.id if black else None,
        result,
        status,
        number,
        start=day,
        end=day,
        white_rated=rated,
        black_rated=rated,
        place=white.place(number),
    )
