"""Paragraphs 1 to 5: one function for each rule."""

import math
from typing import NamedTuple

from ratingbook.rules.bulk import Bulk, Calendar, Entered, Nothing, is_game, summed
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import half_away_from_zero
from ratingbook.rules.units import SCORE_SCALE, Difference, Expectation, HalfPoints, Points, Rating
from ratingbook.rules.usual import NO_RATING, Side, Standing, Sums, lists_every, one_more


class Parameters(NamedTuple):
    """The numbers that a commission may want to try otherwise."""

    k: int = 20
    start: Rating = 1500


@paragraph("1", "no rating yet: starts at {value}")
def starting_rating(p: Parameters) -> Rating:
    """Paragraph 1: a player without a rating starts at 1500."""
    return p.start


def enter(standing: Standing, how: Entered, facts: Nothing, p: Parameters) -> Standing:
    """Everybody enters with a number to start from."""
    if standing.rating == NO_RATING:
        return Standing(starting_rating(p), standing.games)
    return standing


@paragraph("2", "expected score 1 / (1 + 10^(({opponent} − {own}) / 400)) = {value}")
def expected_score(own: Rating, opponent: Rating) -> Expectation:
    """Paragraph 2: E = 1 / (1 + 10^((R' − R) / 400)), rounded once to the scale of the sums."""
    return math.floor(SCORE_SCALE / (1 + 10 ** ((opponent - own) / 400)) + 0.5)


paragraph("3", edition="plain-elo")(is_game)


@paragraph("3", "change {k} × ({score} − {expected}) = {value}", role="change")
def game_change(k: int, score: HalfPoints, expected: Expectation) -> Points:
    """Paragraph 3: K · (S − E)."""
    return k * (score * (SCORE_SCALE // 2) - expected)


def with_game(so_far: Sums, standing: Standing, side: Side, p: Parameters) -> Sums:
    """Paragraphs 2 and 3 for one side more."""
    expected = expected_score(side.own, side.opponent)
    return one_more(so_far, side.score, expected, game_change(p.k, side.score, expected))


@paragraph("4", "all games: {value.games}, score {value.score}, expected {value.expected}")
def sums(standing: Standing, so_far: Sums, p: Parameters) -> Sums:
    """Paragraph 4: the sums over all games of the report."""
    return so_far


@paragraph(
    "4", "changes together {total}, rounded {value}", otherwise="changes together {total}: nothing"
)
def rounded_change(total: Points) -> Difference:
    """Paragraph 4: the sum as a whole number, a half away from zero (reading P2)."""
    return half_away_from_zero(total, SCORE_SCALE)


@paragraph("4", "new rating {rating} {change:sum} = {value}")
def new_rating(rating: Rating, change: Difference) -> Rating:
    """Paragraph 4: the new rating."""
    return rating + change


def leave(entered: Standing, value: Sums, p: Parameters) -> Standing:
    """The standing after the report."""
    change = rounded_change(value.total)
    return Standing(new_rating(entered.rating, change), entered.games + value.games)


PLAIN_ELO = Bulk(
    enter=enter,
    fold=summed(with_game, sums),
    leave=leave,
    calendar=Calendar(lists_every(1)),
)
