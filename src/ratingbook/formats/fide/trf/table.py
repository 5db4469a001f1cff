"""The games of a report as the cells of a cross table, by starting rank and round.

A cell holds one half of a game, so a player can have one in each round.  Reports
of other formats may have several, or no rounds at all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ratingbook.formats.fide.trf import layout
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Colour, Game, GameStatus, Place, Report, Result, Severity
from ratingbook.model.sentences import sentence

TOO_MANY_PLAYERS = Remark(
    "trf.too-many-players",
    Severity.ERROR,
    f"A TRF file has room for {layout.LAST_RANK} players",
    "Write one file for each section.",
)
NO_PLAYERS = Remark(
    "trf.no-players",
    Severity.ERROR,
    "The report has no player, and a TRF file needs one",
    "Look whether the right report was taken.",
)
PLAYERS = Remark(
    "trf.players",
    Severity.ERROR,
    "Two players have the same id, or a game names a player who is not in the report",
    "Correct the ids.",
    each=True,
)
ROUND_NUMBER = Remark(
    "trf.round-number",
    Severity.ERROR,
    f"The rounds of a TRF file are numbered from 1 to {layout.MAX_ROUNDS}",
    "Number the rounds of each event from 1 on; write one file for each event.",
    each=True,
)
COLLISION = Remark(
    "trf.collision",
    Severity.ERROR,
    "A player has more than one game in a round, and a TRF file has room for one",
    "Split the report: one file for each section, or a round for each game.",
    each=True,
)
NO_ROUND = Remark(
    "trf.no-round",
    Severity.WARNING,
    "Games without a round were put into the first round in which both players were free",
    "Look at the rounds, if they matter to whom you send the file.",
)
CANCELLED = Remark(
    "trf.cancelled",
    Severity.WARNING,
    "Cancelled games were left out; their players have no game in that round",
    "Nothing to do, unless a game was cancelled by mistake.",
)
ONE_SIDED = Remark(
    "trf.one-sided",
    Severity.WARNING,
    "Games that count for one side only were written as rated for both",
    "Tell the rating officer of them.",
)
UNUSUAL = Remark(
    "trf.unusual-result",
    Severity.WARNING,
    "Drawn forfeits, and byes with an opponent, were written as games that are not rated",
    "Look at the results.",
)

_POINTS = {
    **dict.fromkeys("1+WUF", 1.0),
    **dict.fromkeys("=DH", 0.5),
}
"""The points of each code; the others bring none."""
_RATED = {Result.WHITE_WINS: ("1", "0"), Result.BLACK_WINS: ("0", "1"), Result.DRAW: ("=", "=")}
_UNRATED = {Result.WHITE_WINS: ("W", "L"), Result.BLACK_WINS: ("L", "W"), Result.DRAW: ("D", "D")}
_FORFEITS = {
    Result.WHITE_WINS: ("+", "-"),
    Result.BLACK_WINS: ("-", "+"),
    Result.NONE: ("-", "-"),
}
_BLANKS = (layout.BLANK, layout.BLANK)


class Half(NamedTuple):
    """One half of a game, or a bye."""

    opponent: int
    """Starting rank; 0: none."""
    colour: str
    code: str

    @property
    def points(self) -> float:
        """What the result brings: 1, 0.5 or 0."""
        return _POINTS.get(self.code, 0.0)


@dataclass(frozen=True, slots=True)
class Table:
    """The cross table of a report."""

    ranks: Mapping[str, int]
    """Starting rank of each player's id."""
    cells: Mapping[int, Mapping[int, Half]]
    """By starting rank and round."""
    games: Mapping[int, list[Game]] = field(default_factory=dict)
    """The games by the round in which they stand."""

    @property
    def last_round(self) -> int:
        """The last round in which anything happened."""
        return max(self.games, default=0)

    def points(self, rank: int) -> float:
        """A player's points: 1, 0.5 and 0, with those of byes and forfeits."""
        return sum(half.points for half in self.cells[rank].values())


def make_table(report: Report, notes: Notes) -> Table | None:
    """The cross table; None, with an error noted, where there can be none."""
    if not report.entries:
        notes.add(NO_PLAYERS, sentence("no entries"), Place())
        return None
    if len(report.entries) > layout.LAST_RANK:
        notes.add(TOO_MANY_PLAYERS, sentence("{n} players", n=len(report.entries)), Place())
        return None
    ranks = _ranks([entry.id for entry in report.entries])
    rounds = _in_rounds(report.games, notes) if _are_known(report, notes) else None
    if rounds is None:
        return None
    sides = {entry.id: (entry.team, None if entry.team else entry.id) for entry in report.entries}
    cells: dict[int, dict[int, Half]] = {rank: {} for rank in ranks.values()}
    free = True
    for number, games in sorted(rounds.items()):
        bye = _full_point_bye(games, sides)
        for game in games:
            for rank, half in _halves(game, bye, ranks, notes):
                if number in cells[rank]:
                    _note_collision(game, rank, number, ranks, notes)
                    free = False
                cells[rank][number] = half
    return Table(ranks, cells, rounds) if free else None


def _are_known(report: Report, notes: Notes) -> bool:
    """Whether each id belongs to one player, and each game to players."""
    entries = Counter(entry.id for entry in report.entries)
    twice = [player for player, count in entries.items() if count > 1]
    named = {player for game in report.games for player in _players_of(game)}
    unknown = sorted(named - entries.keys())
    for player in twice + unknown:
        notes.add(PLAYERS, player, Place(player=player))
    return not twice and not unknown


def _ranks(ids: list[str]) -> dict[str, int]:
    """The ids themselves where they can be starting ranks, otherwise numbers from 1 on."""
    if all(map(_is_rank, ids)):
        return {player: int(player) for player in ids}
    return {player: rank for rank, player in enumerate(ids, 1)}


def _is_rank(text: str) -> bool:
    plain = text.isascii() and text.isdecimal() and len(text) <= 4
    return plain and text == str(int(text)) and text != "0"


def _in_rounds(games: Iterable[Game], notes: Notes) -> dict[int, list[Game]] | None:
    """The games by round; those without one go where both players are free."""
    rounds: defaultdict[int, list[Game]] = defaultdict(list)
    busy: defaultdict[str, set[int]] = defaultdict(set)
    loose = []
    for game in games:
        if game.status is GameStatus.CANCELLED:
            notes.add(CANCELLED, _pair(game), Place(player=game.white, round=game.round))
        elif game.round is None:
            loose.append(game)
        else:
            _put(game, game.round, rounds, busy)
    outside = [number for number in rounds if not 1 <= number <= layout.MAX_ROUNDS]
    for number in outside:
        notes.add(ROUND_NUMBER, sentence("round {number}", number=number), Place(round=number))
    if outside or not _place_loose(loose, rounds, busy, notes):
        return None
    return dict(rounds)


def _place_loose(
    games: Iterable[Game],
    rounds: defaultdict[int, list[Game]],
    busy: defaultdict[str, set[int]],
    notes: Notes,
) -> bool:
    """Give games a round; False, with a note, where the rounds do not suffice."""
    for game in games:
        taken = set().union(*(busy[player] for player in _players_of(game)))
        number = next(n for n in range(1, len(taken) + 2) if n not in taken)
        place = Place(player=game.white, round=number)
        if number > layout.MAX_ROUNDS:
            notes.add(ROUND_NUMBER, sentence("{white} has more games", white=game.white), place)
            return False
        _put(game, number, rounds, busy)
        notes.add(NO_ROUND, _pair(game), place)
    return True


def _put(
    game: Game,
    number: int,
    rounds: defaultdict[int, list[Game]],
    busy: defaultdict[str, set[int]],
) -> None:
    rounds[number].append(game)
    for player in _players_of(game):
        busy[player].add(number)


def _full_point_bye(games: Iterable[Game], sides: Mapping[str, Hashable]) -> str:
    """The code of the full-point byes of a round.

    The pairing allots one bye in a round at most, to a player or to a team; where
    there are more, they were granted.
    """
    winners = {sides[g.white] for g in games if g.black is None and g.result is Result.WHITE_WINS}
    return "U" if len(winners) == 1 else "F"


def _halves(game: Game, bye: str, ranks: Mapping[str, int], notes: Notes) -> list[tuple[int, Half]]:
    """The cells that a game fills, with the starting ranks; ``bye`` is the full-point bye."""
    white = ranks[game.white]
    if game.black is None:
        code = {Result.WHITE_WINS: bye, Result.DRAW: "H"}.get(game.result, "Z")
        return [(white, Half(0, "-", code))]
    black = ranks[game.black]
    codes = _codes(game, notes)
    return [(white, Half(black, "w", codes[0])), (black, Half(white, "b", codes[1]))]


def _codes(game: Game, notes: Notes) -> tuple[str, str]:
    """The codes of White and Black."""
    place = Place(player=game.white, round=game.round)
    forfeit = game.status is GameStatus.FORFEIT
    if forfeit and game.result in _FORFEITS:
        return _FORFEITS[game.result]
    if game.result is Result.NONE:
        return _BLANKS
    if forfeit or game.status is GameStatus.BYE:
        notes.add(UNUSUAL, _pair(game), place)
        return _UNRATED[game.result]
    # FIDE rates only what was finished over the board; the letters say that a game is not rated.
    finished = game.status not in (GameStatus.WITHDRAWN, GameStatus.ADJUDICATED)
    rated = [game.rated(colour) and finished for colour in Colour]
    if any(rated) and not all(rated):
        notes.add(ONE_SIDED, _pair(game), place)
    return (_RATED if any(rated) else _UNRATED)[game.result]


def _note_collision(
    game: Game, rank: int, number: int, ranks: Mapping[str, int], notes: Notes
) -> None:
    player = game.white if ranks[game.white] == rank else game.black
    section = f" in section {game.section}" if game.section else ""
    what = f"{player} in round {number}: {_pair(game)}{section}"
    notes.add(COLLISION, what, Place(section=game.section, player=player, round=number))


def _players_of(game: Game) -> tuple[str, ...]:
    return (game.white,) if game.black is None else (game.white, game.black)


def _pair(game: Game) -> str:
    return " and ".join(_players_of(game)) + (", a bye" if game.black is None else "")
