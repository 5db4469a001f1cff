"""Pairings of Go files that list every game once, apart from the players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from ratingbook.formats.go import common
from ratingbook.formats.tools.notes import Notes
from ratingbook.model import Game, GameStatus, Place, Result
from ratingbook.model.sentences import row_of, sentence

MAX_ROUND = 1000


class Outcome(NamedTuple):
    """What a result code of a tournament program means."""

    result: Result
    status: GameStatus = GameStatus.PLAYED
    rated: bool = True
    both: bool = False
    """Both players lost, or both won."""


class Pairings:
    """The games of a file that lists each of them once; what cannot be is noted.

    ``players`` are the ids by the keys with which games name the players;
    ``ghosts`` are the keys of those who stand for a bye.
    """

    def __init__(self, players: Mapping[str, str], ghosts: AbstractSet[str], notes: Notes) -> None:
        self._players = players
        self._ghosts = ghosts
        self._notes = notes
        self._seen: set[tuple[int, str]] = set()
        self._games: list[Game] = []

    @property
    def games(self) -> tuple[Game, ...]:
        """Every game by round, in the order of the file; byes among them."""
        return tuple(sorted(self._games, key=lambda game: game.round or 0))

    @property
    def last_round(self) -> int:
        """The last round that has a game."""
        return max((game.round or 0 for game in self._games), default=0)

    @property
    def paired(self) -> set[tuple[int, str]]:
        """Every round together with each player who has a game or a bye in it."""
        return {
            (game.round or 0, player)
            for game in self._games
            for player in (game.white, game.black)
            if player
        }

    def declared_rounds(self, text: str, place: Place) -> int | None:
        """The rounds that the file declares; a note where fewer have games."""
        rounds = common.number(text) or 0
        if rounds > self.last_round:
            self._notes.add(
                common.ROUNDS,
                sentence(
                    "{rounds} declared, {last_round} found",
                    rounds=rounds,
                    last_round=self.last_round,
                ),
                place,
            )
        return rounds if 1 <= rounds <= MAX_ROUND else None

    def round(self, text: str, what: str, place: Place) -> int | None:
        """The number of a round; None, with a note, where it is none."""
        value = common.number(text)
        if value is None or not 1 <= value <= MAX_ROUND:
            self._notes.add(common.ROUND, row_of((what, text or sentence("nothing")), ": "), place)
            return None
        return value

    def bye(self, key: str, number: int, place: Place) -> None:
        """A round without opponent, with its point."""
        if key in self._ghosts:
            return
        if self._are_known((key,), number, place) and self._are_free((key,), number, place):
            self._games.append(common.bye(self._players[key], number, Result.WHITE_WINS, place))

    def game(
        self, white: str, black: str, number: int, outcome: Outcome, stones: str, place: Place
    ) -> None:
        """A pairing; against a ghost it is a bye."""
        keys = (white, black)
        if not self._are_known(keys, number, place):
            return
        what = sentence(
            "{white} against {black} in round {number}", white=white, black=black, number=number
        )
        if white == black or self._players.get(white, "") == self._players.get(black):
            self._notes.add(common.SELF, what, place)
            return
        if not self._are_free(keys, number, place):
            return
        if self._ghosts and not self._ghosts.isdisjoint(keys):
            self._against_ghost(keys, number, outcome, place)
            return
        if outcome.both:
            self._notes.add(common.BOTH, what, place)
        self._games.append(
            Game(
                white=self._players[white],
                black=self._players[black],
                result=outcome.result,
                status=outcome.status,
                round=number,
                handicap=self._handicap(stones, what, place),
                white_rated=outcome.rated,
                black_rated=outcome.rated,
                place=place,
            )
        )

    def _are_known(self, keys: tuple[str, ...], number: int, place: Place) -> bool:
        unknown = [key for key in keys if key not in self._players and key not in self._ghosts]
        for key in unknown:
            self._notes.add(
                common.OPPONENT,
                sentence("{key} in round {number}", key=key or "nobody", number=number),
                place,
            )
        return not unknown

    def _are_free(self, keys: tuple[str, ...], number: int, place: Place) -> bool:
        """Whether none of the players has a game in this round yet; ghosts always are."""
        persons = [key for key in keys if key not in self._ghosts]
        busy = [key for key in persons if (number, key) in self._seen]
        for key in busy:
            self._notes.add(
                common.TWICE, sentence("{key} in round {number}", key=key, number=number), place
            )
        if not busy:
            self._seen.update((number, key) for key in persons)
        return not busy

    def _against_ghost(
        self, keys: tuple[str, str], number: int, outcome: Outcome, place: Place
    ) -> None:
        white, black = keys
        person = black if white in self._ghosts else white
        won = Result.BLACK_WINS if person == black else Result.WHITE_WINS
        if person in self._ghosts:
            return
        if outcome.result is Result.DRAW or outcome.result is won:
            result = Result.DRAW if outcome.result is Result.DRAW else Result.WHITE_WINS
            self._games.append(common.bye(self._players[person], number, result, place))

    def _handicap(self, text: str, what: str, place: Place) -> int:
        stones = common.number(text) if text.strip() else 0
        if stones is None:
            self._notes.add(common.HANDICAP, row_of((what, text), ": "), place)
            return 0
        return stones


@dataclass(frozen=True, slots=True)
class Participant(common.Player):
    """A player of a file that lists players and games apart from each other."""

    key: str
    """By which games name him."""
    surname: str
    first_name: str
    preliminary: bool
    """Whether he was only registered preliminarily."""

    @property
    def ghost(self) -> bool:
        """Whether he stands for a bye."""
        return common.is_ghost(self.surname, self.first_name)


_Participant = TypeVar("_Participant", bound=Participant)


def taking_part(
    players: Iterable[_Participant], ids: Mapping[int, str], pairings: Pairings, notes: Notes
) -> Iterator[_Participant]:
    """The players who belong into the report; who else is in the file is noted."""
    played = {player for _, player in pairings.paired}
    for player in players:
        if player.ghost:
            notes.add(common.GHOST, player.label, player.place)
        elif player.preliminary and ids[player.number] not in played:
            notes.add(common.PRELIMINARY, player.label, player.place)
        else:
            yield player
