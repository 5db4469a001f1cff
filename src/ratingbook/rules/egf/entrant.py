"""A game between entrants: what only a rating says is settled once, when its player enters.

The numbers are those of :mod:`.change`, by the same functions of the paragraphs.
"""

from __future__ import annotations

from collections.abc import Sequence

from ratingbook.rules.egf.change import (
    bonus,
    change_of_game,
    con_of,
    no_sides,
    reckoning_of,
    share_of,
    with_bonus,
    with_share,
)
from ratingbook.rules.egf.columns import (
    NO_RATING,
    Entrant,
    EntrantSide,
    EventTally,
    Formula,
    Parameters,
    Reckoning,
    Standing,
)
from ratingbook.rules.egf.expected import (
    a,
    beta,
    difference_between,
    expected_by_beta,
    expected_by_spread,
    expected_score,
)


def kept(standing: Standing) -> Entrant:
    """A standing between events."""
    return Entrant(standing.rating, standing.games, standing.grade, standing.highest, 0.0, 0.0, 0.0)


def entrant(standing: Standing, p: Parameters) -> Entrant:
    """The standing of a player who enters, with con, bonus, and a or β of the rating."""
    rating = standing.rating
    if rating == NO_RATING:
        return kept(standing)
    smooth = p.formula == Formula.SMOOTH
    return Entrant(
        rating,
        standing.games,
        standing.grade,
        standing.highest,
        con_of(rating, p),
        bonus(rating) if smooth else 0.0,
        beta(rating) if smooth else a(rating, p),
    )


def expected_of_side(side: EntrantSide, p: Parameters) -> float:
    """The expected score; handicap moves the ratings away from what was settled."""
    if side.own_stones != 0.0 or side.opponent_stones != 0.0:
        return expected_score(side, p)
    if p.formula == Formula.SMOOTH:
        return expected_by_beta(side.own_curve, side.opponent_curve)
    stronger = side.own > side.opponent
    difference = difference_between(max(side.own, side.opponent), min(side.own, side.opponent))
    spread = side.opponent_curve if stronger else side.own_curve
    return expected_by_spread(stronger, difference, spread, p)


def with_entrant_side(
    tally: EventTally, entered: Entrant, side: EntrantSide, p: Parameters
) -> EventTally:
    """What one more side brings, as :func:`.change.with_side` has it."""
    expected = expected_of_side(side, p)
    change = change_of_game(side, entered.con, expected)
    if p.formula == Formula.SMOOTH:
        change = with_bonus(change, entered.bonus)
    return with_share(tally, side, share_of(change, expected, side.weight))


def entrant_reckoning(entered: Entrant, sides: Sequence[EntrantSide], p: Parameters) -> Reckoning:
    """The one round of an event, as :func:`.change.event_reckoning` has it."""
    tally = no_sides(entered, p)
    for side in sides:
        tally = with_entrant_side(tally, entered, side, p)
    return reckoning_of(entered, tally, p)
