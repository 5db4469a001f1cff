"""The games of an AGA file.

What Europe calls a handicap of 1, Black's first move without komi, is a game of no
stones with a komi of 0 here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from ratingbook.formats.go import common
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Game, Place, Result, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import number_of, row_of, sentence

ROUNDS = Remark(
    "aga.rounds",
    Severity.WARNING,
    "Players have several games in one round; the numbers behind GAMES were not taken for rounds",
    "Nothing to do if these were no rounds; otherwise correct the players of the games.",
)
NO_HANDICAP = Remark(
    "aga.handicap-missing",
    Severity.WARNING,
    "Games name neither handicap nor komi; they were taken as even",
    "Write the stones and the komi behind the winner: 12 34 w 0 7.",
)
KOMI = Remark(
    "aga.komi",
    Severity.WARNING,
    "The komi of games is not the usual one, or was not understood; only the stones were kept",
    "Look at these games: ratings here do not depend on other komi.",
)

LEAST_KOMI = 1
"""With less komi, Black has the first move for nothing: a handicap of 1."""

_RESULTS = {
    "w": Result.WHITE_WINS,
    "b": Result.BLACK_WINS,
    "white": Result.WHITE_WINS,
    "black": Result.BLACK_WINS,
    "?": Result.NONE,
}
_NUMBER = pattern(r"[+-]?[0-9]{1,3}(?:\.[0-9]{1,2})?")


class GameLine(NamedTuple):
    """A line of the section: the two players, and what follows them."""

    white: str
    black: str
    words: Sequence[str]
    """Winner, handicap, komi."""
    round: int | None
    place: Place

    @property
    def label(self) -> str:
        """The players and the round, for findings."""
        both = {"white": self.white, "black": self.black}
        if not self.round:
            return sentence("{white} against {black}", **both)
        return sentence("{white} against {black} in round {number}", **both, number=self.round)


def read_games(
    lines: Iterable[GameLine], players: Container[str], notes: Notes
) -> tuple[tuple[Game, ...], float | None]:
    """The games by round, and the komi that most even games have."""
    games: list[Game] = []
    komi: Counter[float] = Counter()
    seen: set[tuple[int, frozenset[str]]] = set()
    for line in lines:
        pair = (line.round or 0, frozenset((line.white, line.black)))
        if not _are_known(line, players, notes):
            continue
        if line.round and pair in seen:
            notes.add(common.TWICE, line.label, line.place)
            continue
        seen.add(pair)
        stones, points = _conditions(line, notes)
        if points is not None:
            komi[points] += 1
        games.append(
            Game(
                white=line.white,
                black=line.black,
                result=_result(line, notes),
                round=line.round,
                handicap=stones,
                place=line.place,
            )
        )
    usual = max(komi, key=lambda points: komi[points], default=None)
    for points, count in komi.items():
        if points != usual:
            notes.add(
                KOMI,
                sentence(
                    "{count} games with {points:g}, others with {usual:g}",
                    count=count,
                    points=points,
                    usual=usual,
                ),
                Place(),
            )
    return _by_round(games, notes), usual


def _are_known(line: GameLine, players: Container[str], notes: Notes) -> bool:
    unknown = [player for player in (line.white, line.black) if player not in players]
    for player in unknown:
        notes.add(
            common.OPPONENT,
            sentence("{player} in {label}", player=player, label=line.label),
            line.place,
        )
    if line.white == line.black:
        notes.add(common.SELF, line.label, line.place)
    return not unknown and line.white != line.black


def _result(line: GameLine, notes: Notes) -> Result:
    written = line.words[0]
    result = _RESULTS.get(written.lower())
    if result is None:
        notes.add(common.RESULT, row_of((line.label, written[:20]), ": "), line.place)
    return result or Result.NONE


def _conditions(line: GameLine, notes: Notes) -> tuple[int, float | None]:
    """The handicap, and the komi of an even game; None where it is none, or not said."""
    if len(line.words) < 2:
        notes.add(NO_HANDICAP, line.label, line.place)
        return 0, None
    written = line.words[1]
    stones = common.number(written)
    if stones is None:
        notes.add(common.HANDICAP, row_of((line.label, written[:20]), ": "), line.place)
        return 0, None
    komi = _komi(line, notes)
    if stones > 1:
        if komi is not None and abs(komi) >= LEAST_KOMI:
            notes.add(
                KOMI,
                sentence(
                    "{label}: {stones} stones and {komi:g}",
                    label=line.label,
                    stones=stones,
                    komi=komi,
                ),
                line.place,
            )
        return stones, None
    if komi is None:
        return stones, None
    if komi >= LEAST_KOMI:
        return 0, komi
    if komi <= -LEAST_KOMI:
        notes.add(KOMI, row_of((line.label, number_of(f"{komi:g}")), ": "), line.place)
    return 1, None


def _komi(line: GameLine, notes: Notes) -> float | None:
    if len(line.words) < 3:
        return None
    if _NUMBER.fullmatch(line.words[2]):
        return float(line.words[2])
    notes.add(KOMI, row_of((line.label, line.words[2][:20]), ": "), line.place)
    return None


def _by_round(games: Sequence[Game], notes: Notes) -> tuple[Game, ...]:
    """The games in the order of rounds; without rounds where these cannot be."""
    busy = Counter((g.round, player) for g in games if g.round for player in (g.white, g.black))
    several = [(number, player) for (number, player), count in busy.items() if count > 1]
    for number, player in several:
        notes.add(
            ROUNDS,
            sentence("{player} in round {number}", player=player, number=number),
            Place(player=player, round=number),
        )
    if several:
        return tuple(replace(g, round=None, place=replace(g.place, round=None)) for g in games)
    return tuple(sorted(games, key=lambda game: (game.round is None, game.round or 0)))
