"""Places in the final table, as programs for McMahon tournaments compute them.

A program keeps games and the names of its criteria, not the places that follow from them.
Scores are half points here.  What counts for rounds without a game is said by :class:`Scoring`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Colour, Entry, Game, GameStatus, Place, Severity
from ratingbook.model.sentences import row_of, sentence

PLACES = Remark(
    "go.places",
    Severity.INFO,
    "Places of the final table were not computed, or not by all that the organiser goes by",
    "Look into the printed table where places matter; ratings do not depend on them.",
)

_MOST_ROUNDS = 100


class Starter(NamedTuple):
    """With what a player goes into the tournament."""

    start: int
    """The starting score, in whole points."""
    rank: int
    rating: int
    absent: frozenset[int]
    """The rounds in which the player does not take part."""


@dataclass(frozen=True)
class Scoring:
    """What counts for a round without a game, in half points, for the score and for wins."""

    bye: int
    absent: int
    unpaired: int = 0
    bye_wins: int = 2
    absent_wins: int = 0
    rounded_down: bool = False
    """Of what absences and byes give only whole points count."""
    halves: bool = False
    """Sums over opponents count half a point for each round that an opponent did not play."""


class Round(NamedTuple):
    """A player's game of a round."""

    opponent: str
    points: int
    stones: int
    """Stones that the player gave, negative: took."""
    played: bool


def with_places(
    entries: Sequence[Entry],
    starters: Mapping[str, Starter] | None,
    games: Sequence[Game],
    criteria: Sequence[str],
    scoring: Scoring,
    notes: Notes,
    place: Place,
) -> tuple[Entry, ...]:
    """The players with their places, as far as the criteria can be computed.

    ``starters`` are None where the file does not say with what players started.
    """
    known = [*takewhile(CRITERIA.__contains__, criteria)]
    rounds = max((game.round or 0 for game in games), default=0)
    both = any(game.status is GameStatus.ADJUDICATED for game in games)
    if starters is None or both or rounds > _MOST_ROUNDS:
        known = []
    if known != [*criteria]:
        equal = sentence("there are none")
        if known:
            equal = sentence("who is equal in {criteria} shares one", criteria=", ".join(known))
        notes.add(PLACES, row_of((", ".join(criteria), equal), ": "), place)
    if not known or starters is None:
        return tuple(entries)
    places = Table(starters, games, rounds, scoring).places(known)
    return tuple(replace(entry, rank=places[entry.id]) for entry in entries)


class Table:
    """The scores of all players after the last round."""

    def __init__(
        self, starters: Mapping[str, Starter], games: Iterable[Game], rounds: int, scoring: Scoring
    ) -> None:
        self._starters, self._scoring = starters, scoring
        self._rounds = range(1, rounds + 1)
        self._games: dict[str, dict[int, Round]] = {player: {} for player in starters}
        self._byes: set[tuple[str, int]] = set()
        for game in games:
            self._add(game)

    def _add(self, game: Game) -> None:
        number = game.round or 0
        if game.black is None:
            self._byes.add((game.white, number))
            return
        for colour, sign in ((Colour.WHITE, 1), (Colour.BLACK, -1)):
            player, opponent = game.player(colour), game.player(colour.other)
            assert player is not None
            assert opponent is not None
            points = game.result.half_points(colour)
            played = points is not None and game.status is not GameStatus.FORFEIT
            self._games[player][number] = Round(opponent, points or 0, sign * game.handicap, played)

    def places(self, criteria: Sequence[str]) -> dict[str, int]:
        """Everybody's place by these criteria; who is equal in all of them shares a place.

        Who has no game and no bye stands behind the others.
        """
        values = [CRITERIA[name](self) for name in criteria]
        met = {player for player, _ in self._byes} | {p for p, own in self._games.items() if own}
        keys = {
            player: (player in met, *(value[player] for value in values))
            for player in self._starters
        }
        first: dict[tuple[int, ...], int] = {}
        for place, key in enumerate(sorted(keys.values(), reverse=True), 1):
            first.setdefault(key, place)
        return {player: first[key] for player, key in keys.items()}

    @cached_property
    def mms(self) -> dict[str, int]:
        """The McMahon score."""
        return {player: self.score_after(player, self._rounds) for player in self._starters}

    @cached_property
    def wins(self) -> dict[str, int]:
        """The points without the start."""
        return {player: self.wins_after(player, self._rounds) for player in self._starters}

    def cumulated(self, score: Callable[[str, range], int]) -> dict[str, int]:
        """The sum of the scores after each round."""
        return {
            player: sum(score(player, range(1, last + 1)) for last in self._rounds)
            for player in self._starters
        }

    def score_after(self, player: str, rounds: range) -> int:
        """A player's McMahon score after some rounds."""
        given = self._without_game(player, rounds, self._scoring.bye, self._scoring.absent)
        return 2 * self._starters[player].start + self._points(player, rounds) + given

    def wins_after(self, player: str, rounds: range) -> int:
        """A player's points after some rounds, without the start."""
        scoring = self._scoring
        given = self._without_game(player, rounds, scoring.bye_wins, scoring.absent_wins)
        return self._points(player, rounds) + given

    def _points(self, player: str, rounds: range) -> int:
        return sum(game.points for n, game in self._games[player].items() if n in rounds)

    def _without_game(self, player: str, rounds: range, bye: int, absent: int) -> int:
        starter, own, given = self._starters[player], self._games[player], 0
        for number in rounds:
            if (player, number) in self._byes:
                given += bye
            elif number not in own:
                given += absent if number in starter.absent else self._scoring.unpaired
        return given - given % 2 if self._scoring.rounded_down else given

    def _as_opponent(self, player: str, *, mms: bool) -> int:
        """What the player counts for those who met him."""
        if not self._scoring.halves:
            return self.mms[player] if mms else self.wins[player]
        played = [game for game in self._games[player].values() if game.played]
        start = 2 * self._starters[player].start if mms else 0
        return start + sum(game.points for game in played) + len(self._rounds) - len(played)

    def of_opponents(
        self, *, mms: bool, without: int = 0, defeated: bool = False
    ) -> dict[str, int]:
        """The sum of the opponents' scores; ``without`` the lowest ones; of those ``defeated``.

        The score of an opponent goes with the stones that were given.  For a round without an
        opponent the own start counts.
        """
        found = {}
        for player, starter in self._starters.items():
            own = self._games[player]
            each = []
            for number in self._rounds:
                game = own.get(number)
                if game is None:
                    each.append(2 * starter.start if mms and not defeated else 0)
                    continue
                score = self._as_opponent(game.opponent, mms=mms) + 2 * game.stones * mms
                each.append(score * game.points if defeated else score)
            found[player] = sum(sorted(each)[without:])
        return found

    def of_their_opponents(self, *, mms: bool) -> dict[str, int]:
        """The sum of the opponents' sums; for a round without an opponent that of own starts."""
        sums = self.of_opponents(mms=mms)
        found = {}
        for player, starter in self._starters.items():
            own = self._games[player]
            alone = 2 * starter.start * len(self._rounds) if mms else 0
            found[player] = sum(
                sums[own[number].opponent] if number in own else alone for number in self._rounds
            )
        return found

    def told(self, name: str) -> dict[str, int]:
        """A number that the player brings along."""
        return {player: getattr(starter, name) for player, starter in self._starters.items()}


CRITERIA: Mapping[str, Callable[[Table], Mapping[str, int]]] = {
    "MMS": lambda table: table.mms,
    "NBW": lambda table: table.wins,
    "CUSSM": lambda table: table.cumulated(table.score_after),
    "CUSSW": lambda table: table.cumulated(table.wins_after),
    "SOSM": lambda table: table.of_opponents(mms=True),
    "SOSM-1": lambda table: table.of_opponents(mms=True, without=1),
    "SOSM-2": lambda table: table.of_opponents(mms=True, without=2),
    "SOSW": lambda table: table.of_opponents(mms=False),
    "SOSW-1": lambda table: table.of_opponents(mms=False, without=1),
    "SOSW-2": lambda table: table.of_opponents(mms=False, without=2),
    "SODOSM": lambda table: table.of_opponents(mms=True, defeated=True),
    "SODOSW": lambda table: table.of_opponents(mms=False, defeated=True),
    "SOSOSM": lambda table: table.of_their_opponents(mms=True),
    "SOSOSW": lambda table: table.of_their_opponents(mms=False),
    "Rank": lambda table: table.told("rank"),
    "Rating": lambda table: table.told("rating"),
}
"""The criteria by the names that OpenGotha gives them."""
