"""Section 2.2: the provisional winning expectancy, and what counts of the games before."""

from __future__ import annotations

from typing import NamedTuple

from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating, HalfPoints, Probability
from ratingbook.rules.uscf.columns import EffectiveGames, FloatScore, Previous, Side

REACH = 400.0
"""From so many points below an opponent on the expected score is 0, from so many above 1."""


class Prior(NamedTuple):
    """What is known of a player before the event: N' games at R0', and the score in them."""

    rating: FloatRating
    games: EffectiveGames
    share: float
    """Score of one of the N' games: ½; after nothing but wins 1, after nothing but losses 0."""


def expectancy(rating: float, opponent: float) -> float:
    """PWe between two ratings."""
    difference = rating - opponent
    if difference <= -REACH:
        return 0.0
    if difference >= REACH:
        return 1.0
    return 0.5 + difference / 800.0


@paragraph(
    "2.2",
    "{stage}: score {side.score} against {side.opponent}; PWe = 0.5 + ({rating} − "
    "{side.opponent}) / 800, at most 1: {value}",
    otherwise="{stage}: score {side.score} against {side.opponent}; {rating} is 400 or more "
    "points below: PWe = 0",
)
def provisional_winning_expectancy(side: Side, rating: FloatRating, stage: str) -> Probability:
    """2.2: PWe(R, Ri) = 0.5 + (R − Ri) / 800, but 0 from 400 below and 1 from 400 above."""
    return expectancy(rating, side.opponent)


@paragraph(
    "2.2",
    "earlier games, N' = {prior.games} at R0' = {prior.rating}: N' × PWe = {prior.games} × (0.5 + "
    "({rating} − ({prior.rating})) / 800), at most {prior.games}: {value}",
    otherwise="earlier games, N' = {prior.games} at R0' = {prior.rating}: {rating} is 400 or more "
    "points below, PWe = 0",
)
def prior_expectancy(prior: Prior, rating: FloatRating) -> FloatScore:
    """2.2: N' · PWe(R, R0'), the expected score of the games before the event."""
    return prior.games * expectancy(rating, prior.rating)


@paragraph("2.2", "all earlier games were won: R0' = {rating} − 400 = {value}")
def prior_after_wins(rating: FloatRating) -> FloatRating:
    """2.2: R0' = R0 − 400 after nothing but wins."""
    return rating - REACH


@paragraph("2.2", "all earlier games were lost: R0' = {rating} + 400 = {value}")
def prior_after_losses(rating: FloatRating) -> FloatRating:
    """2.2: R0' = R0 + 400 after nothing but losses."""
    return rating + REACH


def prior_of(rating: float, effective: float, previous: Previous) -> Prior:
    """2.2: R0' and N', and by S' = S + N', S or S + N' / 2 the score in them."""
    if previous == Previous.WINS:
        return Prior(prior_after_wins(rating), effective, 1.0)
    if previous == Previous.LOSSES:
        return Prior(prior_after_losses(rating), effective, 0.0)
    return Prior(rating, effective, 0.5)


@paragraph("2.2", "S' = S + {prior.share} × N' = {score} + {prior.share} × {prior.games} = {value}")
def adjusted_score(score: HalfPoints, prior: Prior) -> FloatScore:
    """2.2: S', the score of the event and of the N' games before it."""
    return score / 2.0 + prior.share * prior.games


def previous_results(wins: int, draws: int, losses: int) -> Previous:
    """Whether all earlier games were won or lost; totals that are not given are mixed."""
    if wins > 0 and draws == 0 and losses == 0:
        return Previous.WINS
    if losses > 0 and draws == 0 and wins == 0:
        return Previous.LOSSES
    return Previous.MIXED
