"""Section IV: the rating of a player with a provisional or a starting rating."""

from __future__ import annotations

from collections.abc import Sequence

from ratingbook.rules.iecg.columns import (
    NO_GAMES,
    Factor,
    FixedRating,
    FloatDifference,
    Parameters,
    ProvisionalGames,
    Status,
    Tally,
)
from ratingbook.rules.iecg.entry_rating import opponents_number
from ratingbook.rules.iecg.expected import expected_rating_change, percentage_result
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating, Games, Probability, fixed, settled
from ratingbook.rules.usual import Side


@paragraph("IV.1", "Rc = {total} / {games} = {value}, the average of the opponents")
def average_of_opponents(total: int, games: Games) -> FloatRating:
    """IV.1: Rc, from the sum of the opponents' Tournament Entry Ratings."""
    return total / games


@paragraph("IV.1", "F = −2p² + 2p + 0.5 = {value} for p = {percentage}")
def correction_factor(percentage: Probability) -> Factor:
    """IV.1: F, 1 at one half and 0.5 at both ends."""
    return -2 * percentage * percentage + 2 * percentage + 0.5


@paragraph("IV.1", "Rp = Rc + D(p) · F = {average} + ({difference}) × {factor} = {value}")
def provisional_rating(
    average: FloatRating, difference: FloatDifference, factor: Factor
) -> FixedRating:
    """IV.1: Rp, not yet rounded; a half of the text is a half here, too (reading B22)."""
    return settled(fixed(average + difference * factor))


def rating_of_games(total: int, score: int, games: int) -> FixedRating:
    """IV.1 together: Rp of ``games`` games, at least one; ``total`` sums the opponents."""
    average = average_of_opponents(total, games)
    percentage = percentage_result(score, games)
    difference = expected_rating_change(percentage)
    return provisional_rating(average, difference, correction_factor(percentage))


def rests_on_earlier_games(status: Status, p: Parameters) -> bool:
    """Reading B1: whether the games of earlier periods count again."""
    return status != Status.ESTABLISHED and p.provisional_games == ProvisionalGames.ALL


def with_game(tally: Tally, side: Side, p: Parameters) -> Tally:
    """What the games come to with one more."""
    return tally._replace(
        games=tally.games + 1,
        score=tally.score + side.score,
        total=tally.total + opponents_number(side, p),
    )


def performance(sides: Sequence[Side], p: Parameters) -> FixedRating:
    """The performance in this period's games, at least one, by IV.1 (reading B23)."""
    tally = NO_GAMES
    for side in sides:
        if side.game >= 0:
            tally = with_game(tally, side, p)
    return rating_of_games(tally.total, tally.score, tally.games)


FULL_SCORE_CHANGE = 400
"""D(p) · F at p = 1, and less it at p = 0."""


def passes_full_score(score: int, games: int) -> bool:
    """Whether D(p) · F of this score, or of the next to it, is beyond that of p = 1 (B14)."""
    nearest = max(1, min(2 * games - 1, score))
    percentage = nearest / (2 * games)
    change = expected_rating_change(percentage) * correction_factor(percentage)
    return abs(change) > FULL_SCORE_CHANGE
