"""What the EGF editions give the engine for histories."""

from __future__ import annotations

import math
from typing import NamedTuple

from ratingbook.model import Event
from ratingbook.rules.bulk import (
    ESTABLISHED,
    NO_NUMBER,
    NOT_GIVEN,
    UNRATED,
    Bulk,
    Entered,
    Fold,
    Half,
    Listed,
    Outcome,
    Words,
    day_number,
    status_code,
)
from ratingbook.rules.egf.change import no_sides, published_rating, reckoning_of
from ratingbook.rules.egf.classes import CLASSES, FIRST_DAY, class_weight
from ratingbook.rules.egf.columns import (
    NO_GRADE,
    NO_RATING,
    Entrant,
    EntrantSide,
    EventTally,
    GradeCode,
    GradeIndex,
    Parameters,
    Reckoning,
    Standing,
)
from ratingbook.rules.egf.entrant import entrant, entrant_reckoning, kept, with_entrant_side
from ratingbook.rules.egf.entry import entry_rating_unexplained
from ratingbook.rules.egf.event import (
    INTERNET,
    class_of_event,
    first_rating,
    has_classes,
    is_rated,
    left,
    received,
)
from ratingbook.rules.egf.grades import grade_code, grade_index, index_of, nominal_rating
from ratingbook.rules.units import FIXED_SCALE
from ratingbook.rules.wording import KINDS, kind_of

_FIRST_DAY = day_number(FIRST_DAY)
_UNRATED = float(NO_RATING)


class Known(NamedTuple):
    """What a players file says of a player; ``grade`` also stands for the first rating."""

    rating: float = NO_NUMBER
    games: int = NOT_GIVEN
    status: int = NOT_GIVEN
    grade: GradeCode = NO_GRADE
    highest_grade: GradeIndex = NO_GRADE


class Facts(NamedTuple):
    """What the edition reads of an event, besides its day."""

    weight: float = 1.0
    """Weight of its class."""
    recognised: bool = True
    """Whether it is of a class, and slow enough, to be rated."""


def standing_of(known: Known, p: Parameters) -> Entrant:
    """The standing by the players file; a grade gives a rating with the first event only."""
    is_known = not math.isnan(known.rating) and known.status != UNRATED
    rating = known.rating if is_known else _UNRATED
    return _listed_as(known, rating)


def _listed_as(known: Known, rating: float) -> Entrant:
    return kept(Standing(rating, max(0, known.games), index_of(known.grade), known.highest_grade))


def assumed(known: Known, rating: float, p: Parameters) -> Entrant:
    """Who has neither a rating nor a grade gets the one of ``--assume`` (reading E16)."""
    if known.grade != NO_GRADE:
        return standing_of(known, p)
    return _listed_as(known, rating)


def facts_of(event: Event, p: Parameters) -> Facts:
    """The weight of the event's class, and whether it counts."""
    class_, recognised = class_of_event(event, p)
    return Facts(class_weight(class_, p), recognised)


def enter(standing: Entrant, how: Entered, facts: Facts, p: Parameters) -> Entrant:
    """The rating of the pool, that of a higher grade, or for a newcomer that of the grade."""
    rating, grade = standing.rating, index_of(how.grade)
    if how.grade != NO_GRADE:
        nominal = float(nominal_rating(how.grade))
        if rating == NO_RATING:
            rating = first_rating(nominal, p)
        else:
            rating = entry_rating_unexplained(rating, nominal, grade, standing.highest, p)
    return entrant(Standing(rating, standing.games, grade, standing.highest), p)


def counts(half: Half, own: Entrant, opponent: Entrant, facts: Facts, p: Parameters) -> bool:
    """Games of recognised events, between players with a rating or a grade."""
    return facts.recognised and half.start >= _FIRST_DAY and is_rated(own.rating, opponent.rating)


def side_of(
    half: Half, own: Entrant, opponent: Entrant, facts: Facts, p: Parameters
) -> EntrantSide:
    """The side of a game, at the ratings with which both entered."""
    return EntrantSide(
        own=own.rating,
        opponent=opponent.rating,
        own_stones=received(half.stones),
        opponent_stones=received(half.opponent_stones),
        score=half.score,
        weight=facts.weight,
        other=half.other,
        game=half.game,
        own_curve=own.curve,
        opponent_curve=opponent.curve,
    )


def always(entered: Entrant, p: Parameters) -> bool:
    """An event is a sum over the games for everybody."""
    return True


def leave(entered: Entrant, value: Reckoning, p: Parameters) -> Entrant:
    """The new standing; its rating keeps the decimals."""
    standing = Standing(entered.rating, entered.games, entered.grade, entered.highest)
    return kept(left(standing, value))


def outcome(
    stored: Entrant, entered: Entrant, value: Reckoning, left: Entrant, p: Parameters
) -> Outcome:
    """The numbers of an event: before any reset, and as published."""
    return Outcome(
        NO_NUMBER if stored.rating == NO_RATING else stored.rating,
        float(published_rating(left.rating, p.decimals)),
        value.games,
        value.score,
        value.expected / FIXED_SCALE,
    )


def listed(standing: Entrant, p: Parameters) -> Listed:
    """The published rating; who has not played yet has none by a grade alone."""
    if standing.rating == NO_RATING:
        return Listed(NO_NUMBER, standing.games, UNRATED, False)
    rating = float(published_rating(standing.rating, p.decimals))
    return Listed(rating, standing.games, ESTABLISHED, True)


def knows_class(event: Event, p: Parameters) -> bool:
    """Whether the class is one that is rated; without classes it is of no matter."""
    return not event.class_ or not has_classes(p) or event.class_.strip().upper() in CLASSES


def knows_kind(event: Event, p: Parameters) -> bool:
    """Whether the kind is one that reports know."""
    return not event.kind or kind_of(event) in (*KINDS, INTERNET)


_WORDS = {
    "class": Words(knows_class, CLASSES, "the games are not rated"),
    "kind": Words(knows_kind, (*KINDS, INTERNET), "rated like a Swiss"),
}
"""What the columns of events say."""

EGF_BULK = Bulk(
    known=Known,
    facts=Facts,
    standing=Entrant,
    side=EntrantSide,
    value=Reckoning,
    standing_of=standing_of,
    assumed=assumed,
    facts_of=facts_of,
    enter=enter,
    counts=counts,
    side_of=side_of,
    kernels=(entrant_reckoning,),
    fold=Fold(EventTally, no_sides, with_entrant_side, reckoning_of, always),
    leave=leave,
    outcome=outcome,
    listed=listed,
    codes={"status": status_code, "grade": grade_code, "highest_grade": grade_index},
    event_words=_WORDS,
)
