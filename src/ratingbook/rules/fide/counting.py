"""Paragraph 8: which sides count against a rating."""

from __future__ import annotations

from ratingbook.rules.fide.columns import NO_RATING, Side
from ratingbook.rules.fide.expected import is_too_far_apart
from ratingbook.rules.paragraph import paragraph


@paragraph("8", "the opponent has no rating here: not rated", silent=True)
def counts_as_rated(side: Side) -> bool:
    """Paragraph 8: a game counts against a rating, or a number that stands for one (6g)."""
    return side.opponent != NO_RATING


def is_rated_game(side: Side) -> bool:
    """Paragraph 8: whether the game is rated for a rated player."""
    return counts_as_rated(side) and not is_too_far_apart(side.own, side.opponent, side.limit)
