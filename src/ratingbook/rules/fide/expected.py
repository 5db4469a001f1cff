"""Paragraphs 1, 3 and 8: the expected score, and which sides count against a rating."""

from __future__ import annotations

import math

from ratingbook.rules.fide.columns import NO_RATING, CapRule, Expectancy, Facts, Parameters, Side
from ratingbook.rules.fide.tables import probability_of_higher
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import SCORE_SCALE, Difference, Expectation, Rating

_HUNDREDTH = SCORE_SCALE // 100

NO_CAP = 10_000
"""More than any two ratings differ by."""


@paragraph("1a", "expected score 1 / (1 + 10^(−({difference}) / 400)) = {value}", role="expected")
def expected_by_formula(difference: Difference) -> Expectation:
    """Paragraph 1: E_A = 1 / (1 + 10^((R_B − R_A) / 400)).

    ``difference`` is R_A − R_B in points.  The value is rounded once to the scale
    of whole numbers that the rules sum up.
    """
    return math.floor(SCORE_SCALE / (1 + 10 ** (-difference / 400)) + 0.5)


@paragraph("1b", "difference {own} − {opponent} = {value}")
def rating_difference(own: Rating, opponent: Rating) -> Difference:
    """Paragraph 1: R_A − R_B, in points."""
    return own - opponent


@paragraph("1b", "more than {cap} points: counts as {value}")
def counted_difference(difference: Difference, cap: Rating) -> Difference:
    """Paragraph 1: a difference above 400 points counts as 400."""
    return max(-cap, min(cap, difference))


@paragraph(
    "1c", "table 8.1.2: expected score {value} for a difference of {difference}", role="expected"
)
def expected_by_table(difference: Difference) -> Expectation:
    """Paragraph 1: the expected score as printed in table 8.1.2.

    The lower rated player has what the higher rated one leaves (paragraph 3).
    """
    share = probability_of_higher(abs(difference)) * _HUNDREDTH
    return SCORE_SCALE - share if difference < 0 else share


@paragraph(
    "1d",
    "rated {own}: from {rules.uncapped_rating} on every difference counts in full",
    once=True,
)
def no_cap(own: Rating, rules: Facts) -> Difference:
    """Paragraph 1, from October 2025: for the own change of a player of 2650 there is no cap.

    The opponent keeps his cap.
    """
    return NO_CAP


def cap_for(own: Rating, rules: Facts) -> Difference:
    """The greatest difference that counts for a player's own change."""
    if own >= rules.uncapped_rating > 0:
        return no_cap(own, rules)
    return rules.cap


def is_capped_once(own: Rating, opponent: Rating, cap: Difference, rules: Facts) -> bool:
    """Paragraph 1, 2022 to February 2024: whether the cap may count in one game of the event only.

    The text lets a player benefit from one upgrade: the opponent who counts as 400 below
    him (reading F25).
    """
    if rules.cap_rule == CapRule.ONE_UPGRADE:
        return own - opponent > cap
    return rules.cap_rule == CapRule.ONE_GAME and abs(own - opponent) > cap


@paragraph(
    "1e",
    "the greatest difference of the event, {difference}: the {cap}-point rule holds in this one",
)
def capped_once(difference: Difference, cap: Difference) -> Difference:
    """Paragraph 1, 2022 to February 2024: the game of an event that has the 400-point rule."""
    return counted_difference(difference, cap)


@paragraph("1e", "{difference} is more than {cap}, but one game only has the {cap}-point rule")
def not_capped(difference: Difference, cap: Difference) -> Difference:
    """Paragraph 1, 2022 to February 2024: the other games of the event have it not."""
    return difference


def greatest_difference_rated(own: Rating, opponent: Rating, rules: Facts) -> Difference:
    """Paragraph 8b: the difference from which a game between these ratings is not rated."""
    if rules.unrated_difference > 0 and max(own, opponent) > rules.unrated_above:
        return rules.unrated_difference
    return NO_CAP


@paragraph(
    "8b",
    "{own} against {opponent}: not rated, a difference of {limit} or more with a strong player",
    silent=False,
)
def is_too_far_apart(own: Rating, opponent: Rating, limit: Difference) -> bool:
    """Paragraph 8, rapid and blitz from December 2024: 600 points and more above 2600."""
    return abs(own - opponent) >= limit


def expected_score(own: Rating, opponent: Rating, cap: Difference, p: Parameters) -> Expectation:
    """Paragraphs 1a–1c together: expected score of one game."""
    difference = rating_difference(own, opponent)
    if abs(difference) > cap:
        difference = counted_difference(difference, cap)
    return expected_for(difference, p)


def expected_for(difference: Difference, p: Parameters) -> Expectation:
    """Paragraphs 1a and 1c: expected score at the difference that counts."""
    if p.expectancy == Expectancy.LOGISTIC:
        return expected_by_formula(difference)
    return expected_by_table(difference)


@paragraph("8", "the opponent has no rating here: not rated", silent=True)
def counts_as_rated(side: Side) -> bool:
    """Paragraph 8: a game counts against a rating, or a number that stands for one (6g)."""
    return side.opponent != NO_RATING


def is_rated_game(side: Side) -> bool:
    """Paragraph 8: whether the game is rated for a rated player."""
    return counts_as_rated(side) and not is_too_far_apart(side.own, side.opponent, side.limit)
