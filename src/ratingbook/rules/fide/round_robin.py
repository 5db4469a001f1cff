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
from ratingbook.rules.fide.columns import NO_RATING, Parameters
from ratingbook.rules.fide.first import (
    percentage_score,
    performance_difference,
    rating_from_games,
    round_robin_average,
    rounded_first_rating,
)


class RoundRobin(NamedTuple):
    """The sums that paragraph 6g needs, and each player's score and games."""

    opponents: int
    rated: int
    sum_of_ratings: int
    sum_of_differences: int
    scores: Mapping[str, tuple[int, int]]
    """Score in half points and games of each player."""


def round_robin(games: Sequence[Game], ratings: Mapping[str, int]) -> RoundRobin | None:
    """The round robin that these counting games make up, or None.

    None where not everybody met everybody equally often (the event is then
    rated as a Swiss) and where nobody is rated.  ``ratings`` are those in force.
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
    rated = [player for player in scores if ratings.get(player, NO_RATING) != NO_RATING]
    if pairs != set(meetings) or len(set(meetings.values())) != 1 or not rated:
        return None
    return RoundRobin(
        opponents=len(scores) - 1,
        rated=len(rated),
        sum_of_ratings=sum(ratings[player] for player in rated),
        sum_of_differences=sum(
            performance_difference(percentage_score(*scores[player])) for player in rated
        ),
        scores=scores,
    )


def average(event: RoundRobin) -> int:
    """Ra of the event."""
    return round_robin_average(
        event.sum_of_ratings, event.sum_of_differences, event.rated, event.opponents
    )


def number_of_unrated(event: RoundRobin, player: str, p: Parameters) -> int:
    """What an unrated player counts as for rated opponents: his Ru, or NO_RATING.

    A player whose score is too low for a rating is disregarded, and so are the
    results of his opponents against him.
    """
    score, games = event.scores[player]
    if score < p.first_event_half_points:
        return NO_RATING
    return rounded_first_rating(rating_from_games(average(event), score, games, event.opponents, p))
