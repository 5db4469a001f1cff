"""The two sides of each game brought together.

A game stands in two lines, and each side must mirror the other.  Where they
disagree about a game that would be rated, the report is refused; where nothing
would be rated either way, somebody should merely look.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ratingbook.formats.go import common
from ratingbook.formats.go.h9.cells import JIGO, LOSS, MIRROR, OPEN, WIN, Cell
from ratingbook.formats.go.h9.lines import PlayerLine
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Game, GameStatus, Result, Severity
from ratingbook.model.sentences import row_of, sentence

CONTRADICTION = Remark(
    "game.contradiction",
    Severity.ERROR,
    "The two lines of a game contradict each other",
    "Correct the result in one of the two lines; 0= in both leaves the game out.",
    each=True,
)
HARMLESS_CONTRADICTION = Remark(
    "game.contradiction",
    Severity.WARNING,
    "The two lines of a forfeit contradict each other; it is not rated either way",
    "Correct one of the two lines.",
)
MIRROR_MISSING = Remark(
    "game.mirror",
    Severity.ERROR,
    "A game stands in one player's line only",
    "Enter the game in the opponent's line too, or delete it.",
    each=True,
)
HARMLESS_MIRROR_MISSING = Remark(
    "game.mirror",
    Severity.WARNING,
    "A forfeit or an open game stands in one player's line only",
    "Enter it in the opponent's line too.",
)
COLOURS = Remark(
    "game.colours",
    Severity.WARNING,
    "The colours of games are missing or the same on both sides; where they do not tell, "
    "the lower graded player was taken as Black, else the lower placed one",
    "Correct the colours.",
)
NO_COLOURS = Remark(
    "game.colours",
    Severity.INFO,
    "Even games have no colours; the lower graded player was taken as Black, else the lower placed "
    "one",
    "Nothing to do: in even games the colours are of no matter.",
)
HANDICAP_COLOURS = Remark(
    "game.colours",
    Severity.ERROR,
    "In a handicap game both players have the same colour: who had the stones?",
    "Correct the colour in one of the two lines.",
    each=True,
)
HANDICAPS = Remark(
    "game.handicap",
    Severity.ERROR,
    "The two lines of a game name different handicaps",
    "Correct the handicap in one of the two lines.",
    each=True,
)
COMPUTED = Remark(
    "h9.handicap-computed",
    Severity.INFO,
    "Handicaps that results do not name were computed from the grades, as the header HA says",
    "Nothing to do if that is right.",
)
NOT_COMPUTED = Remark(
    "h9.handicap-computed",
    Severity.ERROR,
    "The handicap is to be computed from the grades, but a grade is missing",
    "Write the handicap into the results (12+/w3), or correct the grade.",
    each=True,
)
EVEN = Remark(
    "h9.even",
    Severity.WARNING,
    "Games without stones in their results are even, though HA[h9] and the grades give stones by "
    "the letter: h9 is what files of events without handicap say (reading E17)",
    "If stones were on the board, write them into the results (12+/w3), or rate with "
    "--set h9_handicaps=grades.",
)
NOT_NAMED = Remark(
    "h9.handicap-missing",
    Severity.WARNING,
    "Results name no handicap and no header HA says how to compute it; "
    "the games were taken as even",
    "If there were handicaps, write them into the results (12+/w3) or add a header ; HA[h1].",
)

NO_HANDICAP = 9
"""The reduction that files without handicap have: nobody's grade is so far above."""

_RESULTS = {WIN: Result.WHITE_WINS, LOSS: Result.BLACK_WINS, JIGO: Result.DRAW}
_BYES = {WIN: Result.WHITE_WINS, JIGO: Result.DRAW}


class _Side(NamedTuple):
    """One player's half of a pairing."""

    player: PlayerLine
    cell: Cell


@dataclass(frozen=True, slots=True)
class _Reader:
    """What is needed to read any pairing."""

    players: Mapping[int, PlayerLine]
    reduction: int | None
    notes: Notes


def read_games(
    players: Mapping[int, PlayerLine], reduction: int | None, notes: Notes
) -> tuple[Game, ...]:
    """Every game once, by round and White's place; byes among them.

    ``reduction`` is what is taken off the difference of grades to compute a
    handicap; None where the file does not say how to compute it.
    """
    reader = _Reader(players, reduction, notes)
    places = {player.id: player.running for player in players.values()}
    games = [game for player in players.values() for game in _games_of(player, reader)]
    return tuple(sorted(games, key=lambda game: (game.round or 0, places[game.white])))


def _games_of(player: PlayerLine, reader: _Reader) -> Iterator[Game]:
    """The games that this player's line contributes."""
    for number, cell in player.cells.items():
        side = _Side(player, cell)
        opponent = reader.players.get(cell.opponent)
        if player.ghost:
            game = None
        elif cell.opponent == 0 or (opponent and opponent.ghost):
            game = _bye(side, number)
        elif opponent is player:
            reader.notes.add(
                common.SELF,
                sentence("{label} in round {number}", label=player.label, number=number),
                player.place(number),
            )
            continue
        elif opponent is None:
            what = sentence(
                "{player} in round {number} against place {opponent}",
                player=player.label,
                number=number,
                opponent=cell.opponent,
            )
            reader.notes.add(common.OPPONENT, what, player.place(number))
            continue
        else:
            game = _pairing(side, opponent, number, reader)
        if game:
            yield game


def _bye(side: _Side, number: int) -> Game | None:
    """A round without opponent; None where it brought no points."""
    result = _BYES.get(side.cell.symbol)
    if result is None:
        return None
    return common.bye(side.player.id, number, result, side.player.place(number))


def _pairing(side: _Side, opponent: PlayerLine, number: int, reader: _Reader) -> Game | None:
    """The game of two players; None where the other line has told it already."""
    mirror = opponent.cells.get(number)
    if mirror is None or mirror.opponent != side.player.running:
        _note_missing_mirror(side, opponent, number, reader)
        return None
    if opponent.running < side.player.running:
        return None
    return _mirrored(side, _Side(opponent, mirror), number, reader)


def _mirrored(low: _Side, high: _Side, number: int, reader: _Reader) -> Game:
    cells = (low.cell, high.cell)
    forfeit = any(cell.forfeit for cell in cells)
    agreed = MIRROR[cells[0].symbol] == cells[1].symbol
    if not agreed or cells[0].forfeit != cells[1].forfeit:
        _note_contradiction(low, high, number, reader)
    stones = _named_handicap(low, high, number, reader)
    white, black = _by_colour(low, high, stones, number, reader)
    if stones is None:
        stones = 0 if forfeit else _computed_handicap(white, black, number, reader)
    result = _RESULTS.get(white.cell.symbol, Result.NONE) if agreed else Result.NONE
    return Game(
        white=white.player.id,
        black=black.player.id,
        result=result,
        status=GameStatus.FORFEIT if forfeit else GameStatus.PLAYED,
        round=number,
        handicap=stones,
        white_rated=not forfeit,
        black_rated=not forfeit,
        place=white.player.place(number),
    )


def _note_contradiction(low: _Side, high: _Side, number: int, reader: _Reader) -> None:
    lines = [
        sentence(
            "{player} has {code} (line {line})",
            player=side.player.label,
            code=side.cell.text,
            line=side.player.line,
        )
        for side in (low, high)
    ]
    what = sentence(
        "in round {number} {one} and {other}", number=number, one=lines[0], other=lines[1]
    )
    both_lost = low.cell.symbol == high.cell.symbol == LOSS
    if low.cell.forfeit and high.cell.forfeit:
        if both_lost:
            return
        kind = HARMLESS_CONTRADICTION
    else:
        kind = CONTRADICTION
    reader.notes.add(kind, what, low.player.place(number))


def _named_handicap(low: _Side, high: _Side, number: int, reader: _Reader) -> int | None:
    """The stones that the two lines name; None where neither does."""
    named = {s.cell.handicap for s in (low, high) if s.cell.handicap is not None}
    if len(named) > 1:
        reader.notes.add(
            HANDICAPS,
            row_of((_pair(low, high, number), f"{low.cell.text}, {high.cell.text}"), ": "),
            low.player.place(number),
        )
    return max(named, default=None)


def _by_colour(
    low: _Side, high: _Side, stones: int | None, number: int, reader: _Reader
) -> tuple[_Side, _Side]:
    """White and Black; ``stones`` are the named ones."""
    colours = (low.cell.colour, high.cell.colour)
    forfeit = low.cell.forfeit or high.cell.forfeit
    if set(colours) != {"w", "b"} and not forfeit and low.cell.symbol != OPEN:
        same = colours[0] == colours[1] != ""
        # Many tables of championships have no colours at all.
        missing = NO_COLOURS if colours == ("", "") and not stones else COLOURS
        kind = HANDICAP_COLOURS if same and stones else missing
        reader.notes.add(kind, _pair(low, high, number), low.player.place(number))
    if colours[0] != colours[1]:
        return (high, low) if colours[0] == "b" or colours[1] == "w" else (low, high)
    grades = (low.player.grade, high.player.grade)
    if grades[0] and grades[1] and common.strength(grades[0]) < common.strength(grades[1]):
        return high, low
    return low, high


def _computed_handicap(white: _Side, black: _Side, number: int, reader: _Reader) -> int:
    """The stones that the header HA prescribes; none where it or a grade is missing."""
    what = _pair(white, black, number)
    place = white.player.place(number)
    if reader.reduction is None:
        if white.cell.symbol != OPEN:
            reader.notes.add(NOT_NAMED, what, place)
        return 0
    even = reader.reduction == NO_HANDICAP
    if white.player.grade is None or black.player.grade is None:
        if not even:
            reader.notes.add(NOT_COMPUTED, what, place)
        return 0
    gap = common.strength(white.player.grade) - common.strength(black.player.grade)
    stones = common.computed_handicap(gap, reader.reduction)
    if even:
        if stones:
            reader.notes.add(EVEN, row_of((what, str(stones)), ": "), place)
        return 0
    reader.notes.add(COMPUTED, row_of((what, str(stones)), ": "), place)
    return stones


def _note_missing_mirror(side: _Side, opponent: PlayerLine, number: int, reader: _Reader) -> None:
    """Note a game that the opponent's line does not confirm."""
    if not opponent.readable:
        return  # The results that cannot be told apart are an error already.
    player, cell = side
    mirror = opponent.cells.get(number)
    harmless = cell.forfeit or cell.symbol == OPEN
    what = (
        f"in round {number} {player.label} (line {player.line}) names {opponent.label} "
        f"(line {opponent.line}), who has {mirror.text if mirror else 'nothing'} there"
    )
    kind = HARMLESS_MIRROR_MISSING if harmless else MIRROR_MISSING
    reader.notes.add(kind, what, player.place(number))


def _pair(low: _Side, high: _Side, number: int) -> str:
    return sentence(
        "{player} and {player2} in round {number}",
        player=low.player.label,
        player2=high.player.label,
        number=number,
    )
