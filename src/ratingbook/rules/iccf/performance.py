"""Items 1, 3 and 5: the rating from the results of games."""

from __future__ import annotations

from ratingbook.rules.iccf.columns import Limit, Parameters, PMode, Tally
from ratingbook.rules.iccf.tables import difference_for
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import half_even, half_up
from ratingbook.rules.units import Difference, Games, HalfPoints, Percent, Rating, Ratio
from ratingbook.rules.usual import Side

_F_SCALE = 10_000
"""F of a whole percent is a whole number of these."""


@paragraph("1", "p = {score} / {games}, in whole percent = {value}")
def percentage_score(score: HalfPoints, games: Games, p: Parameters) -> Percent:
    """Item 1: the percentage score, in whole percent (reading A1)."""
    if p.p_mode == PMode.PERCENT_HALF_UP:
        return half_up(50 * score, games)
    return half_even(50 * score, games)


@paragraph("3", "table 3: D = {value} for p = {percentage}")
def rating_difference(percentage: Percent) -> Difference:
    """Item 3: D(p) from table 3."""
    return difference_for(percentage)


@paragraph("3", "table 3, interpolated: D = {value} for {score} of {games}")
def interpolated_difference(score: HalfPoints, games: Games) -> Ratio:
    """Item 3 under reading A1 `interpolate`: D between the rows of table 3."""
    whole, rest = divmod(50 * score, games)
    if rest == 0:
        return Ratio(difference_for(whole), 1)
    low = difference_for(whole)
    return Ratio(low * games + (difference_for(whole + 1) - low) * rest, games)


@paragraph("5", "F = −2p² + 2p + 0.5 = {value} for p = {percentage}")
def correction(percentage: Percent) -> Ratio:
    """Item 5: F = −2p² + 2p + 0.5; 1 at one half, 0.5 at 0 and 1."""
    return Ratio(-2 * percentage * percentage + 200 * percentage + 5000, _F_SCALE)


@paragraph("5", "F = −2p² + 2p + 0.5 = {value} for p = {score} / {games}")
def exact_correction(score: HalfPoints, games: Games) -> Ratio:
    """Item 5 with the exact percentage score (reading A1)."""
    return Ratio(2 * score * games - score * score + games * games, 2 * games * games)


@paragraph("5", "{opponent} counts as {value} against {own}", role="opponent")
def limited(opponent: Rating, own: Rating, most: Rating) -> Rating:
    """Item 5: an opponent's rating, moved to within 350 points of the own (reading A2)."""
    return max(own - most, min(own + most, opponent))


@paragraph("5", "opponent {value}, score {side.score}", role="opponent")
def opponents_number(side: Side, p: Parameters) -> Rating:
    """Item 5: what the opponent of one game counts as."""
    if p.limit == Limit.EACH_OPPONENT and abs(side.opponent - side.own) > p.most_difference:
        return limited(side.opponent, side.own, p.most_difference)
    return side.opponent


@paragraph("5", "Rc = {total} / {games} = {value}")
def average_of_opponents(total: int, games: Games) -> Ratio:
    """Item 5: R_c, the average rating of all opponents; it is not rounded."""
    return Ratio(total, games)


@paragraph("5", "Rc = {average}, limited against {own} = {value}")
def limited_average(average: Ratio, own: Ratio, most: Rating) -> Ratio:
    """Item 5 under reading A2 `average`: R_c within 350 points of the own average rating."""
    scale = average.denominator * own.denominator
    here = average.numerator * own.denominator
    middle = own.numerator * average.denominator
    return Ratio(max(middle - most * scale, min(middle + most * scale, here)), scale)


@paragraph("5", "Rp = {average} + ({difference}) × {factor} = {value}")
def performance(average: Ratio, difference: Ratio, factor: Ratio) -> Ratio:
    """Item 5: R_p = R_c + D(p) · F."""
    scale = difference.denominator * factor.denominator
    change = difference.numerator * factor.numerator
    return Ratio(
        average.numerator * scale + change * average.denominator, average.denominator * scale
    )


def with_game(tally: Tally, side: Side, p: Parameters) -> Tally:
    """What the games come to with one more."""
    return tally._replace(
        games=tally.games + 1,
        score=tally.score + side.score,
        total=tally.total + opponents_number(side, p),
        own=tally.own + side.own,
    )


def performance_in(tally: Tally, p: Parameters) -> Ratio:
    """Item 5 over at least one game."""
    games, score = tally.games, tally.score
    average = average_of_opponents(tally.total, games)
    if p.limit == Limit.AVERAGE:
        average = limited_average(average, Ratio(tally.own, games), p.most_difference)
    if p.p_mode == PMode.INTERPOLATE:
        difference = interpolated_difference(score, games)
        return performance(average, difference, exact_correction(score, games))
    percentage = percentage_score(score, games, p)
    difference = Ratio(rating_difference(percentage), 1)
    if p.p_mode == PMode.EXACT_F:
        return performance(average, difference, exact_correction(score, games))
    return performance(average, difference, correction(percentage))
