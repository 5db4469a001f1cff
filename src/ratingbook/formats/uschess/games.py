"""The games of a section's cross table: the two rows of each pairing brought together.

Each row must mirror the other.  Where they disagree about a game that would be
rated the report is refused; where nothing would be rated, somebody should look.

Some sections play two games against the same opponent in a round.  Their rows
use ``$`` (2), ``#`` (1½), ``W`` (1: each won one), ``%`` (1: both drawn), ``D``
(½) and ``L`` (0); here each round becomes two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.uschess.rows import BYES, DOUBLE, FORFEITS, PLAYED, Cell, Dates, Row
from ratingbook.model import Game, GameStatus, Place, Result, Severity
from ratingbook.model.sentences import sentence

SELF = Remark(
    "game.self",
    Severity.ERROR,
    "A player meets himself",
    "Correct the opponent's pairing number, or the member number.",
    each=True,
)
OPPONENT = Remark(
    "game.opponent",
    Severity.ERROR,
    "A result has no opponent, or one who has no row in the section",
    "Correct the opponent's pairing number, or add the opponent's row.",
    each=True,
)
HARMLESS_OPPONENT = Remark(
    "game.opponent",
    Severity.WARNING,
    "A forfeit names an opponent who has no row in the section",
    "Correct the opponent's pairing number.",
)
CONTRADICTION = Remark(
    "game.contradiction",
    Severity.ERROR,
    "The two rows of a game contradict each other",
    "Correct the result in one of the two rows.",
    each=True,
)
HARMLESS_CONTRADICTION = Remark(
    "game.contradiction",
    Severity.WARNING,
    "The two rows of a forfeit contradict each other; it is not rated either way",
    "Correct one of the two rows.",
)
MIRROR = Remark(
    "game.mirror",
    Severity.ERROR,
    "A game stands in one player's row only",
    "Enter the game in the opponent's row too, or delete it.",
    each=True,
)
HARMLESS_MIRROR = Remark(
    "game.mirror",
    Severity.WARNING,
    "A forfeit stands in one player's row only; it is not rated either way",
    "Enter it in the opponent's row too.",
)
COLOURS_CLASH = Remark(
    "game.colours",
    Severity.WARNING,
    "Both players have the same colour; the lower pairing number was taken as White",
    "Look whether the pairing is right; the ratings do not depend on the colours.",
)
NO_COLOURS = Remark(
    "game.colours",
    Severity.INFO,
    "Games have no colours; where neither row tells, the lower pairing number was taken as White",
    "Nothing to do: the ratings do not depend on the colours.",
)
BYE = Remark(
    "uschess.bye",
    Severity.WARNING,
    "A bye names an opponent; it was read as a bye",
    "If the game was played, enter its result; otherwise take out the opponent.",
)
LONE_FORFEIT = Remark(
    "uschess.forfeit",
    Severity.INFO,
    "Forfeits name no opponent; those won were read as byes, those lost were left out",
    "Nothing to do: forfeits are not rated.",
)
TWO_GAMES = Remark(
    "uschess.two-games",
    Severity.INFO,
    "Sections have two games a round, and each round became two; which of the two games was "
    "first is not known",
    "Nothing to do: the order does not change the ratings.",
)
SAME_ROUND = Remark(
    "uschess.same-round",
    Severity.INFO,
    "Players who entered again met twice in one round; the second game was left without a round",
    "Nothing to do if they did meet twice.",
)

_MIRROR = {"W": "L", "L": "W", "D": "D"}
_MIRROR_OF_TWO = {"$": "L", "L": "$", "#": "D", "D": "#", "W": "W", "%": "%"}
_LEGS_OF_TWO = {"$": "WW", "#": "WD", "W": "WL", "%": "DD", "D": "DL", "L": "LL"}
_FORFEIT_PAIRS = frozenset({("X", "F"), ("F", "X"), ("F", "F"), ("Z", "Z")})


@dataclass(frozen=True, slots=True)
class _Section:
    """What is needed to read any pairing of a section."""

    rows: Mapping[int, Row]
    two_games: bool
    dates: Dates
    notes: Notes

    def legs(self, code: str) -> str:
        """The single results that a code stands for."""
        return _LEGS_OF_TWO.get(code, code * 2) if self.two_games else code

    def number(self, round_: int, leg: int) -> int:
        """The round of a game in the report."""
        return round_ * 2 - 1 + leg if self.two_games else round_


class _Side(NamedTuple):
    row: Row
    cell: Cell


def section_games(rows: Sequence[Row], dates: Dates, notes: Notes) -> list[Game]:
    """The games of one section, by round and pairing number; byes among them."""
    by_pair = {row.pair: row for row in sorted(rows, key=lambda row: row.pair)}
    section = _Section(by_pair, _has_two_games(by_pair), dates, notes)
    if section.two_games:
        first = next(iter(by_pair.values()))
        notes.add(TWO_GAMES, first.section or "the only one", Place(section=first.section or None))
    games = [game for row in by_pair.values() for game in _games_of(row, section)]
    return list(_once_a_round(sorted(games, key=lambda game: game.round or 0), notes))


def _has_two_games(rows: Mapping[int, Row]) -> bool:
    """Whether each cell tells two games: a code says so, or nobody lost and everybody won."""
    cells = [(row, number, cell) for row in rows.values() for number, cell in row.cells.items()]
    if any(cell.code in DOUBLE for _, _, cell in cells):
        return True
    played = [item for item in cells if item[2].code in PLAYED]
    return bool(played) and all(
        cell.code == "W" and _code_against(rows.get(cell.opponent), row, number) == "W"
        for row, number, cell in played
    )


def _code_against(row: Row | None, opponent: Row, number: int) -> str:
    """What ``row`` says of a round, if it names ``opponent`` there."""
    cell = row.cells.get(number) if row else None
    return cell.code if cell and cell.opponent == opponent.pair else ""


def _games_of(row: Row, section: _Section) -> Iterator[Game]:
    """The games that this row contributes."""
    for number, cell in row.cells.items():
        side = _Side(row, cell)
        forfeit = cell.code in FORFEITS
        what = sentence(
            "{player} in round {number} against {opponent}",
            player=row.label,
            number=number,
            opponent=cell.opponent or sentence("nobody"),
        )
        opponent = section.rows.get(cell.opponent)
        if cell.code in BYES or (forfeit and not cell.opponent):
            yield from _bye(side, number, section)
        elif opponent is None and forfeit:
            section.notes.add(HARMLESS_OPPONENT, what, row.at(number))
            yield from _without_opponent(side, number, section)
        elif opponent is None:
            section.notes.add(OPPONENT, what, row.at(number))
        elif opponent.member == row.member:
            section.notes.add(
                SELF,
                sentence("{label} in round {number}", label=row.label, number=number),
                row.at(number),
            )
        else:
            yield from _pairing(side, opponent, number, section)


def _bye(side: _Side, number: int, section: _Section) -> Iterator[Game]:
    row, cell = side
    if cell.opponent:
        what = sentence(
            "{player} in round {number}: {code}{opponent}",
            player=row.label,
            number=number,
            code=cell.code,
            opponent=cell.opponent,
        )
        section.notes.add(BYE, what, row.at(number))
    elif cell.code in FORFEITS:
        section.notes.add(
            LONE_FORFEIT,
            sentence("{label} in round {number}", label=row.label, number=number),
            row.at(number),
        )
    yield from _without_opponent(side, number, section)


def _without_opponent(side: _Side, number: int, section: _Section) -> Iterator[Game]:
    """The points of a round without a game; nothing where it brought none."""
    if side.cell.code not in "BXH":
        return
    result = Result.DRAW if side.cell.code == "H" else Result.WHITE_WINS
    for leg, _ in enumerate(section.legs(side.cell.code)):
        yield _game(side, None, result, GameStatus.BYE, number, leg, section)


def _pairing(side: _Side, opponent: Row, number: int, section: _Section) -> Iterator[Game]:
    """The game of two players; nothing where the other row has told it already."""
    mirror = opponent.cells.get(number)
    if mirror is None or mirror.opponent != side.row.pair or mirror.code in BYES:
        rated = side.cell.code not in FORFEITS
        what = sentence(
            "in round {number} {player} names {opponent}, who {deed}",
            number=number,
            player=side.row.label,
            opponent=opponent.label,
            deed=_deed(mirror),
        )
        section.notes.add(MIRROR if rated else HARMLESS_MIRROR, what, side.row.at(number))
        if not rated:
            yield from _without_opponent(side, number, section)
    elif side.row.pair < opponent.pair:
        yield from _mirrored(side, _Side(opponent, mirror), number, section)


def _deed(cell: Cell | None) -> str:
    if cell is None:
        return sentence("has nothing there")
    if cell.opponent:
        return sentence("names {opponent}", opponent=cell.opponent)
    return sentence("has {code} there", code=cell.code)


def _mirrored(low: _Side, high: _Side, number: int, section: _Section) -> Iterator[Game]:
    codes = (low.cell.code, high.cell.code)
    forfeit = not FORFEITS.isdisjoint(codes)
    mirror = _MIRROR_OF_TWO if section.two_games else _MIRROR
    if not (codes in _FORFEIT_PAIRS if forfeit else mirror.get(codes[0]) == codes[1]):
        what = sentence(
            "in round {number} {player} has {code} and {player2} has {code2}",
            number=number,
            player=low.row.label,
            code=low.cell.code,
            player2=high.row.label,
            code2=high.cell.code,
        )
        harmless = FORFEITS.issuperset(codes)
        kind = HARMLESS_CONTRADICTION if harmless else CONTRADICTION
        section.notes.add(kind, what, low.row.at(number))
        if not harmless:
            return
    elif not forfeit:
        _check_colours(low, high, number, section.notes)
    low_is_white = _low_is_white(low.cell.colour, high.cell.colour)
    status = GameStatus.FORFEIT if forfeit else GameStatus.PLAYED
    for leg, code in enumerate(section.legs(codes[0])):
        white, black = (low, high) if low_is_white == (leg == 0) else (high, low)
        result = _result(code, codes[1], low is white)
        yield _game(white, black, result, status, number, leg, section)


def _low_is_white(low: str, high: str) -> bool:
    """Who has White; the lower pairing number where the colours do not tell."""
    return low == high or not (low == "B" or high == "W")


def _check_colours(low: _Side, high: _Side, number: int, notes: Notes) -> None:
    colours = {low.cell.colour, high.cell.colour}
    if colours == {"W", "B"}:
        return
    what = sentence(
        "{player} and {player2} in round {number}",
        player=low.row.label,
        player2=high.row.label,
        number=number,
    )
    clash = "" not in colours
    notes.add(COLOURS_CLASH if clash else NO_COLOURS, what, low.row.at(number))


def _result(low: str, high: str, low_is_white: bool) -> Result:
    """The result from the code of the lower number, and from the other's for a forfeit."""
    if low == "D":
        return Result.DRAW
    if low in "WX" and high != "X":
        return Result.WHITE_WINS if low_is_white else Result.BLACK_WINS
    if low == "L" or (low in "FZ" and high == "X"):
        return Result.BLACK_WINS if low_is_white else Result.WHITE_WINS
    return Result.NONE


def _game(
    white: _Side,
    black: _Side | None,
    result: Result,
    status: GameStatus,
    number: int,
    leg: int,
    section: _Section,
) -> Game:
    rated = status is GameStatus.PLAYED
    return Game(
        white=white.row.member,
        black=black.row.member if black else None,
        result=result,
        status=status,
        round=section.number(number, leg),
        section=white.row.section or None,
        start=section.dates.start,
        end=section.dates.end,
        white_rated=rated,
        black_rated=rated,
        place=white.row.at(number),
    )


def _once_a_round(games: Iterable[Game], notes: Notes) -> Iterator[Game]:
    """The games, none of them twice for the same two players in a round."""
    seen = set()
    for game in games:
        key = (game.round, frozenset((game.white, game.black)))
        if game.black and key in seen:
            what = sentence(
                "{player} and {player2} in round {number}",
                player=game.white,
                player2=game.black,
                number=game.round,
            )
            notes.add(SAME_ROUND, what, game.place)
            yield replace(game, round=None)
        else:
            yield game
        seen.add(key)
