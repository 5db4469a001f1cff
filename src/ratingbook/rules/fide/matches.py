"""Paragraph 8c: matches, in which only some games are rated."""

from __future__ import annotations

from collections.abc import Sequence

from ratingbook.rules.bulk import EventGame
from ratingbook.rules.fide.columns import NO_RATING
from ratingbook.rules.half import Status
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


def is_rated_in_match(games: Sequence[EventGame], index: Number, planned: Games) -> bool:
    """Whether a game of an event of matches is rated; each pair of players has its own.

    Before it come those of earlier rounds, of the same round in the order of the games.  One
    that was won by forfeit counts for the match, though it is not rated.
    """
    game = games[index]
    if not match_is_rated(NO_RATING not in (game.white_number, game.black_number)):
        return False
    white, black = 0, 0
    for place in range(len(games)):
        other = games[place]
        is_earlier = other.round < game.round or (other.round == game.round and place < index)
        if is_earlier and other.status != Status.LEFT_OUT and other.score >= 0:
            if other.white == game.white and other.black == game.black:
                white += other.score
                black += 2 - other.score
            elif other.white == game.black and other.black == game.white:
                white += 2 - other.score
                black += other.score
    return not match_is_decided(max(white, black), planned)
