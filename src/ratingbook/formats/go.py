"""What the Go formats share: grades, countries, player numbers, dates and pairings.

A player's id in the report is his PIN (the eight digits of the European Go
Database) where the file gives one, and otherwise his place or number in the
file as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, TypeVar

from ratingbook.formats.dates import Order, calendar, is_year_first, readings
from ratingbook.formats.notes import Kind, Notes
from ratingbook.model import Game, GameStatus, Place, Result, Severity

MAX_HANDICAP = 9
"""By convention no more stones are given."""
BOARD = "19"
"""The size of the board that ratings are about."""
KIND = "swiss"
"""What every event is called whose file does not say more."""

GRADE = Kind(
    "go.grade",
    Severity.WARNING,
    "Grades that are none of 30k to 1k, 1d to 9d, 1p to 9p were left out",
    "Correct the grade: it decides the first rating, and handicaps where they are computed.",
)
COUNTRY = Kind(
    "go.country",
    Severity.INFO,
    "Players have no country (XX is none); a player without one may stand for a bye",
    "Write the two-letter code of the country; take out players who stand for a bye.",
)
PIN = Kind(
    "go.pin",
    Severity.WARNING,
    "Player numbers that are not the eight digits of a PIN were left out",
    "Correct the PIN, or leave it out.",
)
DUPLICATE = Kind(
    "player.duplicate",
    Severity.ERROR,
    "Two players have the same number",
    "Give every player the number that is his own.",
    each=True,
)
GHOST = Kind(
    "go.ghost",
    Severity.WARNING,
    "Players called Ghost stand for a bye; they were left out, their games are byes",
    "Nothing to do if that is right; a person needs a name.",
)
NAME = Kind(
    "go.name",
    Severity.WARNING,
    "Players have no name",
    "Add the names; without them nobody can be identified.",
)
RATING = Kind(
    "go.rating",
    Severity.INFO,
    "Ratings of which the file does not clearly say that they are the EGF's were left out",
    "Nothing to do; ratings come from the list in force.",
)
PRELIMINARY = Kind(
    "go.preliminary",
    Severity.INFO,
    "Players who were only registered preliminarily and have no game were left out",
    "Nothing to do, unless results are missing.",
)
ROUNDS = Kind(
    "go.rounds",
    Severity.WARNING,
    "Results are missing: fewer rounds have games than the file declares",
    "Send the file again when all results are entered.",
)
BOARD_SIZE = Kind(
    "go.board",
    Severity.WARNING,
    f"The games were not played on a board of {BOARD} lines",
    "Do not send events on small boards for rating.",
)

NO_CLASS = Kind(
    "event.no-class",
    Severity.INFO,
    "The event's class is not given; it decides how much the games weigh",
    "Name the class A, B, C or D (in an h9 file as ; CL[A]), if the edition has classes.",
)
NO_DATES = Kind(
    "event.no-dates",
    Severity.WARNING,
    "The event's dates are not complete",
    "Add the first and the last day, each as year-month-day.",
)
UNREADABLE_DATES = Kind(
    "event.dates",
    Severity.WARNING,
    "Dates of the event were not understood",
    "Write the first and the last day as year-month-day.",
)
DOUBTFUL_DATES = Kind(
    "event.dates",
    Severity.WARNING,
    "The dates of the event can be read in several ways",
    "Write the first and the last day as year-month-day.",
)
BACKWARDS = Kind(
    "event.dates",
    Severity.WARNING,
    "The event ends before it starts",
    "Correct the dates.",
)
UNDERSTOOD_DATES = Kind(
    "event.dates",
    Severity.INFO,
    "The dates of the event are not two dates as year-month-day; they were understood",
    "Look whether they are right.",
)

SELF = Kind(
    "game.self",
    Severity.ERROR,
    "A player meets himself",
    "Correct the opponent.",
    each=True,
)
OPPONENT = Kind(
    "game.opponent",
    Severity.ERROR,
    "A game names a player whom the file does not have",
    "Correct the player, or add him.",
    each=True,
)
TWICE = Kind(
    "game.twice",
    Severity.ERROR,
    "A player has two games in one round; the second was left out",
    "Take out the wrong one.",
    each=True,
)
RESULT = Kind(
    "game.result",
    Severity.ERROR,
    "The result of a game was not understood",
    "Correct the result.",
    each=True,
)
ROUND = Kind(
    "game.round",
    Severity.ERROR,
    "The round of a game is not a number from 1 on",
    "Correct the round.",
    each=True,
)
HANDICAP = Kind(
    "game.handicap",
    Severity.ERROR,
    "The handicap of a game is not a number of stones",
    "Write the number of stones, 0 for an even game.",
    each=True,
)
MANY_STONES = Kind(
    "game.handicap",
    Severity.WARNING,
    f"Handicaps of more than {MAX_HANDICAP} stones",
    "Look whether the number of stones is right.",
)
BOTH = Kind(
    "game.both",
    Severity.WARNING,
    "Games that both players lost, or both won, are not rated",
    "Nothing to do if that is right.",
)

_GRADE = re.compile(r"\s*0?([1-9][0-9]?)\s*(k(?:yu)?|d(?:an)?|p(?:ro)?)\s*", re.IGNORECASE)
_HIGHEST = {"k": 30, "d": 9, "p": 9}
_PIN = re.compile(r"[0-9]{8}")
_COUNTRY = re.compile(r"[A-Za-z]{2}")
_UNKNOWN_COUNTRY = "XX"
_GHOST = re.compile(r"ghost[0-9]*", re.IGNORECASE)
_PRO = 6
_MAX_ROUND = 1000


def grade(text: str) -> str | None:
    """A grade as ``12k``, ``6d`` or ``1p``; None where ``text`` is none.

    >>> grade("12K"), grade(" 6 dan"), grade("31k")
    ('12k', '6d', None)
    """
    match = _GRADE.fullmatch(text)
    if match is None:
        return None
    letter = match[2][0].lower()
    return f"{match[1]}{letter}" if int(match[1]) <= _HIGHEST[letter] else None


def strength(normal: str) -> int:
    """The grade on a scale without gap: 1k is −1, 1d is 0; a professional counts as 7d.

    >>> strength("3k"), strength("1k"), strength("1d"), strength("2p")
    (-3, -1, 0, 6)
    """
    number, letter = int(normal[:-1]), normal[-1]
    return {"k": -number, "d": number - 1}.get(letter, _PRO)


def country(text: str) -> str | None:
    """The two-letter code in capitals; None for XX and for anything else."""
    code = text.strip().upper()
    return code if _COUNTRY.fullmatch(code) and code != _UNKNOWN_COUNTRY else None


def pin(text: str) -> str | None:
    """The eight digits of a PIN; None for zeros and for anything else."""
    text = text.strip()
    return text if _PIN.fullmatch(text) and text.strip("0") else None


def is_ghost(*names: str) -> bool:
    """Whether somebody of that name stands for a bye."""
    return any(_GHOST.fullmatch(name.strip()) for name in names)


def full_name(surname: str, first_name: str) -> str:
    """Surname and first name as every report of this project writes them."""
    return ", ".join(name for name in (surname.strip(), first_name.strip()) if name)


@dataclass(frozen=True, slots=True)
class Player:
    """What is needed to give a player his id."""

    number: int
    """His place or number in the file."""
    pin: str
    """As written."""
    label: str
    place: Place


def ids(players: Iterable[Player], notes: Notes) -> dict[int, str]:
    """The id of every player by his number, each id once: the PIN, or else the number."""
    first: dict[str, Player] = {}
    result: dict[int, str] = {}
    for player in players:
        own = _pin_of(player, notes)
        known = first.setdefault(own, player) if own else player
        if known is player:
            result[player.number] = own or str(player.number)
        else:
            notes.add(DUPLICATE, f"{known.label} and {player.label}: {own}", player.place)
            result[player.number] = str(player.number)
    return result


def _pin_of(player: Player, notes: Notes) -> str | None:
    known = pin(player.pin)
    if known is None and player.pin.strip("0"):
        notes.add(PIN, f"{player.label}: {player.pin}", player.place)
    return known


def event_dates(
    start: str, end: str, place: Place, notes: Notes, order: Order | None = None
) -> tuple[date | None, date | None]:
    """First and last day; a blank text is an unknown date.

    ``order`` is the order of year, month and day where the format prescribes one.
    """
    written = {name: text for name, text in (("the start", start), ("the end", end)) if text}
    for text in written.values():
        if not readings(text):
            notes.add(UNREADABLE_DATES, text, place)
    if len(written) < 2:
        missing = " and ".join(name for name in ("the start", "the end") if name not in written)
        notes.add(NO_DATES, f"{missing} missing", place)
    if order:
        return readings(start).get(order), readings(end).get(order)
    days = calendar(start, end, {})
    span = " to ".join(day.isoformat() for day in (days.start, days.end) if day)
    meaning = f"{' to '.join(written.values())} as {span}"
    if days.backwards:
        notes.add(BACKWARDS, meaning, place)
    elif days.others:
        others = ", ".join(
            " to ".join(day.isoformat() for day in other if day) for other in days.others
        )
        notes.add(DOUBTFUL_DATES, f"{meaning}, but it may be {others}", place)
    elif span and not all(is_year_first(text) for text in written.values() if readings(text)):
        notes.add(UNDERSTOOD_DATES, meaning, place)
    return days.start, days.end


def number(text: str) -> int | None:
    """A whole number without sign; None where ``text`` is none."""
    text = text.strip()
    return int(text) if re.fullmatch(r"[0-9]{1,6}", text) else None


class Outcome(NamedTuple):
    """What a result code of a tournament program means."""

    result: Result
    status: GameStatus = GameStatus.PLAYED
    rated: bool = True
    both: bool = False
    """Both players lost, or both won."""


def bye(player: str, number: int, result: Result, place: Place) -> Game:
    """A round in which a player had no opponent; his score is that of White."""
    return Game(
        white=player,
        black=None,
        result=result,
        status=GameStatus.BYE,
        round=number,
        white_rated=False,
        black_rated=False,
        place=place,
    )


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

    def check_rounds(self, declared: str, place: Place) -> None:
        """Note that fewer rounds have games than the file declares."""
        rounds = number(declared) or 0
        if rounds > self.last_round:
            self._notes.add(ROUNDS, f"{rounds} declared, {self.last_round} found", place)

    def round(self, text: str, what: str, place: Place) -> int | None:
        """The number of a round; None, with a note, where it is none."""
        value = number(text)
        if value is None or not 1 <= value <= _MAX_ROUND:
            self._notes.add(ROUND, f"{what}: {text or 'nothing'}", place)
            return None
        return value

    def bye(self, key: str, number: int, place: Place) -> None:
        """A round without opponent, with its point."""
        if key in self._ghosts:
            return
        if self._are_known((key,), number, place) and self._are_free((key,), number, place):
            self._games.append(bye(self._players[key], number, Result.WHITE_WINS, place))

    def game(
        self, white: str, black: str, number: int, outcome: Outcome, stones: str, place: Place
    ) -> None:
        """A pairing; against a ghost it is a bye."""
        keys = (white, black)
        if not self._are_known(keys, number, place):
            return
        what = f"{white} against {black} in round {number}"
        if white == black or self._players.get(white, "") == self._players.get(black):
            self._notes.add(SELF, what, place)
            return
        if not self._are_free(keys, number, place):
            return
        if self._ghosts and not self._ghosts.isdisjoint(keys):
            self._against_ghost(keys, number, outcome, place)
            return
        if outcome.both:
            self._notes.add(BOTH, what, place)
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
            self._notes.add(OPPONENT, f"{key or 'nobody'} in round {number}", place)
        return not unknown

    def _are_free(self, keys: tuple[str, ...], number: int, place: Place) -> bool:
        """Whether none of the players has a game in this round yet; ghosts always are."""
        persons = [key for key in keys if key not in self._ghosts]
        busy = [key for key in persons if (number, key) in self._seen]
        for key in busy:
            self._notes.add(TWICE, f"{key} in round {number}", place)
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
            self._games.append(bye(self._players[person], number, result, place))

    def _handicap(self, text: str, what: str, place: Place) -> int:
        stones = number(text) if text.strip() else 0
        if stones is None:
            self._notes.add(HANDICAP, f"{what}: {text}", place)
            return 0
        if stones > MAX_HANDICAP:
            self._notes.add(MANY_STONES, f"{what}: {stones}", place)
        return stones


@dataclass(frozen=True, slots=True)
class Participant(Player):
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
        return is_ghost(self.surname, self.first_name)


_Participant = TypeVar("_Participant", bound=Participant)


def taking_part(
    players: Iterable[_Participant], ids: Mapping[int, str], pairings: Pairings, notes: Notes
) -> Iterator[_Participant]:
    """The players who belong into the report; who else is in the file is noted."""
    played = {player for _, player in pairings.paired}
    for player in players:
        if player.ghost:
            notes.add(GHOST, player.label, player.place)
        elif player.preliminary and ids[player.number] not in played:
            notes.add(PRELIMINARY, player.label, player.place)
        else:
            yield player
