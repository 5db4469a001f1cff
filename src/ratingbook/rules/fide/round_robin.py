"""Paragraph 6g: what a round robin says of its unrated players.

In a round robin the games against unrated players count as well.  The event
itself gives the numbers: its average Ra for the unrated players, and for their
rated opponents the rating that each unrated player reached in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from ratingbook.model import Colour, Game
from ratingbook.rules.fide.columns import NO_RATING, FirstRules
from ratingbook.rules.fide.first import (
    difference_in_round_robin,
    number_of_unrated,
    rating_from_games,
    round_robin_average,
)


class RoundRobin(NamedTuple):
    """A complete round robin with unrated players."""

    opponents: int
    ratings: Mapping[str, int]
    """The rated players."""
    scores: Mapping[str, tuple[int, int]]
    """Score in half points and games of each player."""


def round_robin(games: Sequence[Game], ratings: Mapping[str, int]) -> RoundRobin | None:
    """The round robin that these counting games make up, or None.

    None where not everybody met everybody equally often (the event is then
    rated as a Swiss), and where all or none of the players are rated.
    ``ratings`` are those in force.
    """
    meetings: dict[frozenset[str], int] = {}
    scores: dict[str, tuple[int, int]] = {}
    for game in games:
        for colour in Colour:
            player, points = game.player(colour), game.result.half_points(colour)
            if player is None or points is None:
                return None
            score, played = scores.get(player, (0, 0))
            scores[player] = score + points, played + 1
        pair = frozenset((game.white, str(game.black)))
        meetings[pair] = meetings.get(pair, 0) + 1
    pairs = {frozenset(pair) for pair in combinations(scores, 2)}
    rated = {player: ratings[player] for player in scores if ratings[player] != NO_RATING}
    complete = pairs == set(meetings) and len(set(meetings.values())) == 1
    if not complete or not 0 < len(rated) < len(scores):
        return None
    return RoundRobin(len(scores) - 1, rated, scores)


def average(event: RoundRobin) -> int:
    """Ra of the event, from the results of its rated players."""
    differences = sum(
        difference_in_round_robin(player, rating, *event.scores[player])
        for player, rating in sorted(event.ratings.items())
    )
    return round_robin_average(
        sum(event.ratings.values()), differences, len(event.ratings), event.opponents
    )


def number_for_opponents(event: RoundRobin, player: str, event_average: int, p: FirstRules) -> int:
    """What an unrated player counts as for rated opponents: his Ru, or NO_RATING.

    A player whose score is too low for a rating is disregarded, and so are the
    results of his opponents against him.
    """
    score, games = event.scores[player]
    if score < p.first_event_half_points:
        return NO_RATING
    exact = rating_from_games(event_average, score, games, event.opponents, p)
    return number_of_unrated(player, exact)
