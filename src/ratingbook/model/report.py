"""The report: what an organiser sends, and the standings that it brings along.

These are the nouns of the report document (``ratingbook.formats.document.read``);
every file format is read into them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Any, Self

from ratingbook.model.findings import Place
from ratingbook.model.making import QuicklyMade

Scalar = bool | int | float | str | None


class Word(StrEnum):
    """A word of the report: equal to its text, so it is found where the text is."""

    __hash__ = str.__hash__


class Colour(Word):
    """The two sides of a game."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Colour:
        """The colour of the opponent."""
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE


class Result(Word):
    """The result of a game as the report writes it."""

    WHITE_WINS = "1-0"
    BLACK_WINS = "0-1"
    DRAW = "1/2-1/2"
    NONE = "*"
    """Not finished, not played, or not known."""

    def half_points(self, colour: Colour) -> int | None:
        """The score of one side in half points (0, 1, 2); None without a result."""
        score = _OF_WHITE[self]
        return score if score is None or colour is Colour.WHITE else 2 - score


_OF_WHITE = {Result.WHITE_WINS: 2, Result.DRAW: 1, Result.BLACK_WINS: 0, Result.NONE: None}
"""White's score in half points."""


class GameStatus(Word):
    """How a game came to its result."""

    PLAYED = "played"
    TIME = "time"
    """Lost on time after moves were made."""
    FORFEIT = "forfeit"
    """Never begun: one side, or both, did not appear."""
    WITHDRAWN = "withdrawn"
    ADJUDICATED = "adjudicated"
    CANCELLED = "cancelled"
    BYE = "bye"
    """No opponent in this round."""


class StandingStatus(Word):
    """What a pool thinks of a player's rating."""

    UNRATED = "unrated"
    STARTING = "starting"
    """IECG: a starting rating, no results yet."""
    PROVISIONAL = "provisional"
    ESTABLISHED = "established"
    UNLISTED = "unlisted"
    """FIDE: rated, but below the floor of the published list."""


@dataclass(frozen=True, slots=True)
class Standing(metaclass=QuicklyMade):
    """What a pool knows of a player; what is not known is None.

    ``games`` counts rated games so far.  ``extra`` holds the fields that an
    edition needs beyond these (``peak``, ``floor``, ``reached_2400`` …).
    """

    rating: float | None = None
    games: int | None = None
    wins: int | None = None
    draws: int | None = None
    losses: int | None = None
    status: StandingStatus | None = None
    last_played: date | None = None
    """Last day of the latest event or period with a rated game."""
    extra: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FrozenSide(metaclass=QuicklyMade):
    """A side of an earlier game that the edition still needs.

    ``own`` and ``opponent`` are the ratings in force that were frozen when the
    game was rated; ``score`` is 0, 0.5 or 1.
    """

    opponent: float
    score: float
    own: float | None = None
    start: date | None = None
    event: str | None = None


@dataclass(frozen=True, slots=True)
class Entry(metaclass=QuicklyMade):
    """One player's participation in an event."""

    id: str
    name: str = ""
    federation: str | None = None
    title: str | None = None
    sex: str | None = None
    """``m`` or ``w``."""
    birth_date: date | None = None
    birth_year: int | None = None
    """Where no more than the year is known."""
    adult: bool | None = None
    grade: str | None = None
    club: str | None = None
    team: str | None = None
    """The team that the player plays for in this event."""
    rank: int | None = None
    """Place in the organiser's final table, from 1; who shares a place has the same."""
    ids: Mapping[str, str] = field(default_factory=dict)
    """What other registers call the player: ``fide``, ``egd``, ``national`` …"""
    standing: Standing | None = None
    """None: unrated, as far as the report says."""
    foreign: Mapping[str, float | None] = field(default_factory=dict)
    pools: Mapping[str, Standing] = field(default_factory=dict)
    """Standings of the same player in other pools."""
    history: tuple[FrozenSide, ...] = ()
    decisions: Mapping[str, Scalar] = field(default_factory=dict)
    """Numbers set by the rating office, with ``reason``."""
    place: Place = Place()


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament, or what a period's report says of its events in common."""

    name: str | None = None
    place: str | None = None
    federation: str | None = None
    start: date | None = None
    end: date | None = None
    kind: str | None = None
    """``swiss``, ``round_robin``, ``team``, ``match`` …"""
    category: str | None = None
    time_control: str | None = None
    class_: str | None = None
    """Tournament class (EGF: A, B, C, D)."""
    level: float | None = None
    pool: str | None = None
    rounds: int | None = None
    """The rounds that were planned; there may be more than have games."""
    komi: float | None = None
    officials: tuple[str, ...] = ()
    """Arbiters or directors, the chief first."""
    handicap_reduction: int | None = None
    """Go: what the file takes off the difference of grades for stones that no game tells, where
    its reader did not do so: ``HA[h9]`` is written for events without handicap, too."""

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Self:
        """The event of which these fields are said, as files call them."""
        return cls(**{attribute_of(name): value for name, value in fields.items()})


def attribute_of(field_: str) -> str:
    """The attribute of an event that has a field: ``class`` is a word of Python."""
    return "class_" if field_ == "class" else field_


YEARS = (1800, 2199)
"""Years of births and events: others are slips, or somebody's word for none."""


def can_be(day: date) -> bool:
    """Whether anything can be of a day: documents, runs and questions take no other years."""
    return YEARS[0] <= day.year <= YEARS[1]


MOST_STONES = 9
"""No game of Go with more handicap stones is rated anywhere: the board has nine points for them."""


@dataclass(frozen=True, slots=True)
class Game(metaclass=QuicklyMade):
    """A game, or a round without one (bye)."""

    white: str
    """Id of White; for a bye, of the player who had it."""
    black: str | None
    """Id of Black; None for a bye."""
    result: Result = Result.NONE
    status: GameStatus = GameStatus.PLAYED
    round: int | None = None
    section: str | None = None
    event: str | None = None
    table_result: Result | None = None
    """What the score table shows, where that is another result than the rated one."""
    handicap: int = 0
    """Go: stones for Black, at most :data:`MOST_STONES`."""
    margin: int | None = None
    """Points or goals by which White won, negative where Black did; None: not said."""
    neutral: bool = False
    """Nobody is at home; otherwise White is the home side, where a game has one."""
    start: date | None = None
    end: date | None = None
    reported: date | None = None
    white_rating: float | None = None
    black_rating: float | None = None
    """Rating in force for this game, where it differs from the standing's."""
    white_rated: bool = True
    black_rated: bool = True
    """Whether the game counts for that side."""
    rated_said: bool = False
    """Whether the report itself says so, rather than leaving it to the rules."""
    white_for: str | None = None
    black_for: str | None = None
    """Id of the player whom a substitute replaced."""
    place: Place = Place()

    def __hash__(self) -> int:
        """By the few fields that nearly tell games apart: there are many games in sets."""
        return hash((self.white, self.black, self.round, self.event))

    def player(self, colour: Colour) -> str | None:
        """Id of the player with that colour."""
        return self.white if colour is Colour.WHITE else self.black

    def colour_of(self, player: str) -> Colour | None:
        """The colour of a player at the board; None for one who was replaced."""
        if player == self.white:
            return Colour.WHITE
        return Colour.BLACK if player == self.black else None

    def rating(self, colour: Colour) -> float | None:
        """Rating in force that the game itself names for that colour."""
        return self.white_rating if colour is Colour.WHITE else self.black_rating

    def rated(self, colour: Colour) -> bool:
        """Whether the report lets the game count for that colour."""
        return self.white_rated if colour is Colour.WHITE else self.black_rated


@dataclass(frozen=True, slots=True)
class SectionHead:
    """What a report says of a section itself; what is None is as the event says."""

    name: str | None
    number: int | None = None
    """Its number in the report; sections come in the order of their numbers."""
    pool: str | None = None
    """The rating system, where sections differ; ``dual``: regular and quick."""
    time_control: str | None = None
    kind: str | None = None
    start: date | None = None
    end: date | None = None


@dataclass(frozen=True, slots=True)
class EventHead:
    """What a report on several events says of one of them; what is None is as for the report."""

    name: str
    """What the games call it."""
    category: str | None = None
    level: float | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """The part of an event that is rated as a unit; ``name`` None: the only one."""

    name: str | None
    entries: tuple[Entry, ...]
    games: tuple[Game, ...]
    head: SectionHead = SectionHead(None)


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """What an organiser sends."""

    event: Event
    entries: tuple[Entry, ...]
    games: tuple[Game, ...]
    section_heads: tuple[SectionHead, ...] = ()
    """What is known of sections themselves; a section need not have a head."""
    event_heads: tuple[EventHead, ...] = ()
    """What is known of the events that games name; an event need not have a head."""
    beside: Mapping[str | None, tuple[Entry, ...]] = field(default_factory=dict)
    """Who takes part in an event, too, but has none of its games here, by what games call it: of a
    ledger of which other lists take the rest."""

    def __repr__(self) -> str:
        name = self.event.name or "report"
        return f"<{name}: {len(self.entries)} players, {len(self.games)} games>"

    def entry(self, player: str) -> Entry:
        """The entry with that id; KeyError if there is none."""
        for entry in self.entries:
            if entry.id == player:
                return entry
        raise KeyError(player)

    def event_called(self, name: str | None, own: Event | None = None) -> Event:
        """The event of a game that calls it so; ``own`` stands for the report's."""
        event = own or self.event
        if name is None:
            return event
        for head in self.event_heads:
            if head.name == name and (head.category is not None or head.level is not None):
                return replace(event, name=name, category=head.category, level=head.level)
        return replace(event, name=name)

    def sections(self) -> Iterator[Section]:
        """The sections by number where they have one, then in the order of their first game.

        A section holds the players who have a game in it; players without any
        game belong to the only section, or to none if there are several.
        """
        heads = {head.name: head for head in self.section_heads}
        games: dict[str | None, list[Game]] = {}
        for game in self.games:
            games.setdefault(game.section, []).append(game)
        if len(games) <= 1:
            name = next(iter(games), None)
            head = heads.get(name, SectionHead(name))
            yield Section(name, self.entries, self.games, head)
            return
        numbers = {name: heads[name].number if name in heads else None for name in games}
        rows = {entry.id: row for row, entry in enumerate(self.entries)}
        for name in sorted(games, key=lambda name: _last_if_none(numbers[name])):
            played = games[name]
            ids = {p for g in played for p in (g.white, g.black, g.white_for, g.black_for) if p}
            entries = tuple(self.entries[row] for row in sorted(rows[p] for p in ids if p in rows))
            yield Section(name, entries, tuple(played), heads.get(name, SectionHead(name)))


def _last_if_none(number: int | None) -> tuple[bool, int]:
    return (number is None, number or 0)
