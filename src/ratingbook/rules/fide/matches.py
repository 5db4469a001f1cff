"""Paragraph 8c: matches, in which only some games are rated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ratingbook.model import Colour, Game
from ratingbook.rules.fide.columns import NO_RATING
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Games, HalfPoints, Rating


@paragraph("8c", "a match with an unrated player: not rated", silent=True)
def match_is_rated(all_rated: bool) -> bool:
    """Paragraph 8: a match with an unrated player is not rated."""
    return all_rated


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


def rated_in_matches(
    games: Sequence[Game], ratings: Mapping[str, Rating], planned: Games
) -> list[Game]:
    """The games of matches that are rated, each pair of players having a match of its own.

    Games that were not played are kept: they are not rated anyway, and are told elsewhere.
    """
    pairs: dict[frozenset[str | None], list[Game]] = {}
    for game in games:
        pairs.setdefault(frozenset((game.white, game.black)), []).append(game)
    rated: set[int] = set()
    for pair, own in pairs.items():
        if match_is_rated(all(ratings.get(p or "", NO_RATING) != NO_RATING for p in pair)):
            rated |= {id(game) for game in games_of_match(own, planned)}
    return [game for game in games if id(game) in rated]


def games_of_match(games: Sequence[Game], planned: Games) -> Iterator[Game]:
    """The games of a match up to the one that decides it, in the order of their rounds.

    A game that was won by forfeit counts for the match, though it is not rated.
    """
    scores: dict[str, int] = {}
    for game in sorted(games, key=lambda game: game.round or 0):
        yield game
        for colour in Colour:
            player, points = game.player(colour), game.result.half_points(colour)
            if player is not None and points is not None:
                scores[player] = scores.get(player, 0) + points
        if match_is_decided(max(scores.values(), default=0), planned):
            return
