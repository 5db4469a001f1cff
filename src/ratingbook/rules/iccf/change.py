"""Items 4 and 6–9: the change of a fixed rating."""

from __future__ import annotations

from ratingbook.rules.iccf.columns import G, K, OwnRating, Parameters, R, SignedPercent, Tally
from ratingbook.rules.iccf.tables import probability_of_higher
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Difference, Games, Percent, Rating, Ratio
from ratingbook.rules.usual import Side


@paragraph("8", "difference at the beginning of the game {own} − {opponent} = {value}")
def difference_at_start(own: Rating, opponent: Rating) -> Difference:
    """Item 8: own rating less the opponent's, at the beginning of the game."""
    return own - opponent


@paragraph("8", "more than {most} points: counts as {value}")
def snipped(difference: Difference, most: Rating) -> Difference:
    """Item 8: a difference above 350 counts as 350."""
    return max(-most, min(most, difference))


@paragraph("4", "table 4: We = {value} for a difference of {difference}", role="expected")
def expected_result(difference: Difference) -> Percent:
    """Item 4: P_H of the higher rated player, P_L = 1 − P_H of the lower rated one."""
    share = probability_of_higher(abs(difference))
    return 100 - share if difference < 0 else share


def expectation(own: Rating, opponent: Rating, p: Parameters) -> Percent:
    """Items 8 and 4 together: W_e of one game."""
    difference = difference_at_start(own, opponent)
    if abs(difference) > p.most_difference:
        difference = snipped(difference, p.most_difference)
    return expected_result(difference)


@paragraph("7", "W − We = {side.score} − {expected} = {value}")
def result_less_expectation(side: Side, expected: Percent) -> SignedPercent:
    """Item 7: ΔW = W − W_e of one game."""
    return 50 * side.score - expected


def expected_of(side: Side, rating: Rating, p: Parameters) -> Percent:
    """Items 8 and 4: W_e of one side; ``rating`` is R_0 (reading A4)."""
    own = rating if p.own_rating == OwnRating.R0 else side.own
    return expectation(own, side.opponent, p)


def with_change(tally: Tally, side: Side, rating: Rating, p: Parameters) -> Tally:
    """What the games come to with one more; ``rating`` is R_0."""
    expected = expected_of(side, rating, p)
    return tally._replace(
        difference=tally.difference + result_less_expectation(side, expected),
        expected=tally.expected + expected,
    )


@paragraph("9", "r = {value} for {rating}")
def factor_r(rating: Rating) -> R:
    """Item 9: r = 10 from 2400 on, 70 − R_0 / 40 between, 20 up to 2000."""
    if rating >= 2400:
        return 400
    if rating <= 2000:
        return 800
    return 2800 - rating


@paragraph("9", "g = {value} for {games} games")
def factor_g(games: Games) -> G:
    """Item 9: g = 1 from 80 games on, 1.4 − g_n / 200 between, 1.25 up to 30."""
    if games >= 80:
        return 200
    if games <= 30:
        return 250
    return 280 - games


@paragraph("9", "k = r × g = {r} × {g} = {value}", role="coefficient")
def development_coefficient(r: R, g: G) -> K:
    """Item 9: k = r · g, between 10 and 25."""
    return r * g


@paragraph("6", "Rn = {rating} + {k} × the sum of W − We, {difference} = {value}")
def new_rating(rating: Rating, k: K, difference: SignedPercent) -> Ratio:
    """Items 6 and 7: R_n = R_0 + Σ k · ΔW; k is the same for all games of the period."""
    return Ratio(rating * 800_000 + k * difference, 800_000)
