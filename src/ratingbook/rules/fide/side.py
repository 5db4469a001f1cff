"""What the rules freeze in a side, by the edition of its event."""

from __future__ import annotations

from ratingbook.rules.fide.change import event_coefficient
from ratingbook.rules.fide.columns import NO_RATING, Facts, Parameters, Side, Standing
from ratingbook.rules.fide.expected import (
    cap_for,
    greatest_difference_rated,
    is_capped_once,
)
from ratingbook.rules.half import Half
from ratingbook.rules.units import Rating


def frozen_side(
    standing: Standing,
    half: Half,
    own: Rating,
    opponent: Rating,
    meets_rated: bool,
    rules: Facts,
    p: Parameters,
) -> Side:
    """The side of a game: K and cap for a rated player, the rules of paragraph 6 for others."""
    k = 0
    cap = 0
    limit = 0
    once = False
    if NO_RATING not in (own, opponent):
        k = event_coefficient(standing, own, half.start, rules, p)
        cap = cap_for(own, rules)
        limit = greatest_difference_rated(own, opponent, rules)
        once = is_capped_once(own, opponent, cap, rules)
    return Side(
        own=own,
        opponent=opponent,
        score=half.score,
        event=half.event,
        other=half.other,
        game=half.game,
        field=rules.opponents,
        meets_rated=meets_rated,
        start=half.start,
        k=k,
        cap=cap,
        capped_once=once,
        limit=limit,
        first_event_games=rules.first_event_games,
        first_event_half_points=rules.first_event_half_points,
        first_event_once=rules.first_event_once,
        first_games=rules.first_games,
        points_per_half_point=rules.points_per_half_point,
        first_by_performance=rules.first_by_performance,
        first_draws=rules.first_draws,
        first_draws_rating=rules.first_draws_rating,
        first_maximum=rules.first_maximum,
    )
