"""Paragraphs 1 and 3: the expected score."""

from __future__ import annotations

import math

from ratingbook.rules.fide.columns import NO_RATING, Expectancy, Parameters
from ratingbook.rules.fide.tables import probability_of_higher
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import SCORE_SCALE, Difference, Expectation, Rating

_HUNDREDTH = SCORE_SCALE // 100

NO_CAP = 10_000
"""More than any two ratings differ by."""


@paragraph("1a", "expected score 1 / (1 + 10^(−({difference}) / 400)) = {value}")
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


@paragraph("1c", "table 8.1.2: expected score {value} for a difference of {difference}")
def expected_by_table(difference: Difference) -> Expectation:
    """Paragraph 1: the expected score as printed in table 8.1.2.

    The lower rated player has what the higher rated one leaves (paragraph 3).
    """
    share = probability_of_higher(abs(difference)) * _HUNDREDTH
    return SCORE_SCALE - share if difference < 0 else share


@paragraph("1d", "rated {own}: from {p.uncapped_rating} on every difference counts in full")
def no_cap(own: Rating, p: Parameters) -> Difference:
    """Paragraph 1, from October 2025: for the own change of a player of 2650 there is no cap.

    The opponent keeps his cap.
    """
    return NO_CAP


def cap_for(own: Rating, p: Parameters) -> Difference:
    """The greatest difference that counts for a player's own change."""
    if own >= p.uncapped_rating > 0:
        return no_cap(own, p)
    return p.cap


def plain_cap(own: Rating, p: Parameters) -> Difference:
    """The same without a word about it, where games are only compared."""
    return NO_CAP if own >= p.uncapped_rating > 0 else p.cap


@paragraph("1e", "the greatest difference of the event: the {cap}-point rule holds here")
def capped_once(own: Rating, opponent: Rating, cap: Difference) -> Difference:
    """Paragraph 1, 2022 to February 2024: one game of an event has the 400-point rule."""
    return cap


@paragraph(
    "1e", "another game of the event has the {cap}-point rule: the difference counts in full"
)
def not_capped(own: Rating, opponent: Rating, cap: Difference) -> Difference:
    """Paragraph 1, 2022 to February 2024: the other games of the event have it not."""
    return NO_CAP


@paragraph(
    "8b",
    "{own} against {opponent}: not rated, a difference of {p.unrated_difference} or more with a "
    "player above {p.unrated_above}",
    silent=False,
)
def is_too_far_apart(own: Rating, opponent: Rating, p: Parameters) -> bool:
    """Paragraph 8, rapid and blitz from December 2024: 600 points and more above 2600."""
    return too_far_apart(own, opponent, p)


def too_far_apart(own: Rating, opponent: Rating, p: Parameters) -> bool:
    """Paragraph 8b without a word about it, where games are only counted."""
    return (
        p.unrated_difference > 0
        and own != NO_RATING
        and abs(own - opponent) >= p.unrated_difference
        and max(own, opponent) > p.unrated_above
    )


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
