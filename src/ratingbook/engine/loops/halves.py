"""What a rule book is told of a side of a game, and of how its player came to it."""

from __future__ import annotations

from typing import Any

from ratingbook.engine.loops.arrays import NO_MARGIN
from ratingbook.engine.loops.names import HAS_MARGINS, HAS_STATUS, whole
from ratingbook.rules.bulk import NOT_GIVEN, Entered
from ratingbook.rules.half import Half, Part


def won_by(conditions: Any, colour: Any) -> Any:
    """By how much the side of that colour won a game, if that is asked and said."""
    margin = conditions >> 1
    if not HAS_MARGINS or margin == NO_MARGIN:
        return NOT_GIVEN
    return -margin if colour else margin


def at_home(conditions: Any, colour: Any) -> int:
    """1 for the side at home, −1 for its guest, 0 where there is none."""
    if not HAS_MARGINS or conditions & 1:
        return 0
    return -1 if colour else 1


def mirrored(points: Any) -> Any:
    """Black's score; there may be none."""
    if HAS_STATUS and points < 0:
        return points
    return 2 - points


def half_of(
    colour: Any,
    own: Any,
    opponent: Any,
    points: Any,
    stones: Any,
    start: Any,
    day: Any,
    event: Any,
    meetings: Any,
    other: Any,
    game: Any,
    conditions: Any,
    status: Any,
    reported: Any,
    part: Any = Part.ALONE,
    partner: Any = NOT_GIVEN,
    opponents_partner: Any = NOT_GIVEN,
    rated_said: Any = False,
) -> Half:
    """The half of one side; ``colour`` 1 is Black, who receives the stones."""
    # Numba does not take conditions within a call of so many keywords.
    score = mirrored(points) if colour else points
    own_stones = stones if colour else 0
    opponent_stones = 0 if colour else stones
    return Half(
        own=own,
        opponent=opponent,
        score=score,
        stones=own_stones,
        opponent_stones=opponent_stones,
        start=start,
        day=day,
        reported=reported,
        event=event,
        meetings=meetings,
        other=other,
        game=game,
        margin=won_by(conditions, colour),
        home=at_home(conditions, colour),
        status=status,
        instead=0,
        part=part,
        partner=partner,
        opponents_partner=opponents_partner,
        rated_said=rated_said,
    )


def entering(
    player: Any,
    grade: Any,
    birth: Any,
    adult: Any,
    last: Any,
    day: Any,
    decided: Any,
    start: Any,
) -> Entered:
    """How a player comes to a batch; birth, adult and last are columns."""
    return Entered(
        grade=grade,
        birth=whole(birth[player]),
        adult=bool(adult[player]),
        last=whole(last[player]),
        day=day,
        decided=decided,
        start=start,
    )
