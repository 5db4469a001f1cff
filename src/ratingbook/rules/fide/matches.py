"""Paragraph 8c: matches, in which only some games are rated."""

from __future__ import annotations

from ratingbook.rules.event_games import EventGames
from ratingbook.rules.fide.columns import NO_RATING
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Games, HalfPoints, Number


@paragraph("8c", "a match with an unrated player: not rated", silent=True)
def match_is_rated(both_rated: bool) -> bool:
    """Paragraph 8: a match with an unrated player is not rated."""
    return both_rated


@paragraph(
    "8c",
    "{score} points, of {planned} games: the match is decided, later games are not rated",
    silent=False,
)
def match_is_decided(score: HalfPoints, planned: Games) -> bool:
    """Paragraph 8: games after one player has won the match are not rated.

    Won has who scored more than half of the points of the ``planned`` games.
    """
    return score > planned > 0


def is_rated_in_match(games: EventGames, index: Number, planned: Games) -> bool:
    """Whether a game of an event of matches is rated; each pair of players has its own.

    A game that was won by forfeit counts for the match, though it is not rated.
    """
    if not match_is_rated(NO_RATING not in (games.white_number[index], games.black_number[index])):
        return False
    most = max(games.white_points[index], games.black_points[index])
    return not match_is_decided(most, planned)
