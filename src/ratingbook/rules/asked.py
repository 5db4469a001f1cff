"""What an edition answers of a standing or a game that nobody has: what it publishes and rates."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from ratingbook.model import Event, StandingStatus
from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN, Bulk
from ratingbook.rules.half import Half, Part, Status

_RATING, _GAMES = 2000, 100
_RATINGS = (NO_NUMBER, 1500.0, 2100.0)
_NUMBERS_OF_GAMES = (NOT_GIVEN, 0, 3, 8, 12, 20, 40)
"""Rules take others from some of these on."""
_DAY = 20_000
"""Of a game that every edition takes for a new one."""


UNPLAYED = Half(
    own=NOT_GIVEN,
    opponent=NOT_GIVEN,
    score=0,
    stones=0,
    opponent_stones=0,
    start=NOT_GIVEN,
    day=NOT_GIVEN,
    reported=NOT_GIVEN,
    event=0,
    meetings=0,
    other=0,
    game=0,
    margin=NOT_GIVEN,
    home=0,
    status=Status.PLAYED,
    instead=0,
    part=Part.ALONE,
    partner=NOT_GIVEN,
    opponents_partner=NOT_GIVEN,
    rated_said=False,
)
"""A game about which a rule book is asked, and of which nothing is said."""

_PLAYED = UNPLAYED._replace(
    own=_RATING, opponent=_RATING, score=2, start=_DAY, day=_DAY, reported=_DAY, meetings=1,
    other=1, rated_said=True,
)  # fmt: skip
"""One that was won against somebody with the same rating."""


def can_be_rated(bulk: Bulk, status: Status, p: Any) -> bool:
    """Whether games of a status are rated, if only where a report says so.

    Asked about a win against somebody with the same rating.  Where not even one that was played
    counts, more than that plays a part, and any of them may.
    """
    return _counts(bulk, status, p) or not _counts(bulk, Status.PLAYED, p)


def publishes(bulk: Bulk, rating: float, games: int, p: Any) -> bool:
    """Whether a list has a rating that rests on so many games."""
    return bool(bulk.listed(_standing(bulk, rating, games, p), p).published)


def statuses_read(bulk: Bulk, p: Any) -> tuple[StandingStatus, ...]:
    """What is said of a rating beside its number, where it makes another standing of it.

    That somebody is unrated is said by no rating.
    """
    code = bulk.codes.get("status")
    if code is None:
        return ()
    said = [each for each in StandingStatus if each is not StandingStatus.UNRATED]
    return tuple(
        each for each in said
        if any(
            _standing(bulk, rating, games, p) != _standing(bulk, rating, games, p, code(each.value))
            for rating, games in product(_RATINGS, _NUMBERS_OF_GAMES)
        )
    )  # fmt: skip


def words_told_apart(bulk: Bulk, column: str) -> tuple[str, ...]:
    """The words for kinds of ratings that a column of players files tells from any other word."""
    code = bulk.codes.get(column)
    if code is None:
        return ()
    nothing = code("?")
    return tuple(each.value for each in StandingStatus if code(each.value) != nothing)


def words_read(bulk: Bulk, column: str, words: Iterable[str], p: Any) -> tuple[str, ...]:
    """The words in a column of events with which the edition reads something else of an event."""
    usual = bulk.facts_of(Event(), p)
    return tuple(x for x in words if bulk.facts_of(Event.of({column: x}), p) != usual)


def reads_level(bulk: Bulk, p: Any) -> bool:
    """Whether the edition reads a level that is announced for an event."""
    return bool(bulk.facts_of(Event(level=_RATING), p) != bulk.facts_of(Event(), p))


def counts_abroad(bulk: Bulk, event: Event, columns: Iterable[str], p: Any) -> str | None:
    """The column of a ``known`` without which no opponent's game counts in such an event.

    None where opponents count with the ratings that they have in the pool.
    """
    own, facts = _standing(bulk, _RATING, _GAMES, p), bulk.facts_of(event, p)
    half = _PLAYED._replace(opponent=NOT_GIVEN)
    if bulk.counts(half, own, own, facts, p):
        return None
    for name in columns:
        theirs = bulk.standing_of(bulk.known()._replace(**{name: float(_RATING)}), p)
        if bulk.counts(half, own, theirs, facts, p):
            return name
    return None


def _standing(bulk: Bulk, rating: float, games: int, p: Any, status: int = NOT_GIVEN) -> Any:
    """The standing with a rating and a number of games, as a players file tells it."""
    nothing = bulk.known()
    said = {"rating": rating, "games": games, "status": status}
    known = {
        name: type(getattr(nothing, name))(number)
        for name, number in said.items()
        if name in nothing._fields
    }
    return bulk.standing_of(nothing._replace(**known), p)


def _counts(bulk: Bulk, status: Status, p: Any) -> bool:
    standing = _standing(bulk, _RATING, _GAMES, p)
    half = _PLAYED._replace(status=status)
    return bool(bulk.counts(half, standing, standing, bulk.facts_of(Event(), p), p))
