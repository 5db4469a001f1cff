"""The paragraphs of Glicko: one function for each rule."""

import math
from typing import NamedTuple

from rating_models.alike import (
    Deviation,
    Facts,
    FloatPoints,
    Known,
    Side,
    Standing,
    facts_of,
    has_no_rating,
    kept,
    periods_between,
    side_of,
    taking,
    tenfold,
    within,
)
from ratingbook.rules.bulk import Bulk, Calendar, Entered, Fold, Outcome, is_game
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import (
    FIXED_SCALE,
    FixedPoints,
    FloatRating,
    Games,
    HalfPoints,
    Probability,
    fixed,
)

Q = math.log(10) / 400


class Parameters(NamedTuple):
    """The numbers of the paper."""

    start: FloatRating = 1500.0
    deviation: Deviation = 350.0
    least_deviation: Deviation = 30.0
    c: float = 63.2
    months: int = 2


class Tally(NamedTuple):
    """The sums over the games of a period, as whole numbers: no order changes a digit."""

    information: FixedPoints
    """The sum of g² · E · (1 − E)."""
    surprise: FixedPoints
    """The sum of g · (s − E)."""
    games: Games
    score: HalfPoints
    expected: FixedPoints


class Reckoning(NamedTuple):
    """What a period comes to for one player; ``value`` is the new rating."""

    value: FloatRating
    change: FloatPoints
    deviation: Deviation
    games: Games
    score: HalfPoints
    expected: Probability


@paragraph("1", "no rating yet: starts at {value}")
def starting_rating(p: Parameters) -> FloatRating:
    """Paragraph 1: a player without a rating starts at 1500."""
    return p.start


@paragraph("2", "{periods} periods later: deviation √({deviation}² + {p.c}² · {periods}) = {value}")
def grown(deviation: Deviation, periods: int, p: Parameters) -> Deviation:
    """Paragraph 2: a rating is the less sure the longer its player was away."""
    return min(math.sqrt(deviation * deviation + p.c * p.c * periods), p.deviation)


paragraph("3", edition="glicko")(is_game)


@paragraph("4", "opponent's deviation {deviation}: weight g = {value}")
def weight(deviation: Deviation) -> Probability:
    """Paragraph 4: g(RD) = 1 / √(1 + 3 q² RD² / π²)."""
    return 1 / math.sqrt(1 + 3 * Q * Q * deviation * deviation / (math.pi * math.pi))


@paragraph(
    "5",
    "expected score 1 / (1 + 10^({weight} · ({opponent} − {own}) / 400)) = {value}",
    role="expected",
)
def expected_score(own: FloatRating, opponent: FloatRating, weight: Probability) -> Probability:
    """Paragraph 5: E = 1 / (1 + 10^(−g (r − r_j) / 400))."""
    return 1 / (1 + tenfold(weight * (opponent - own) / 400))


@paragraph("6", "all games: 1 / d² = {value}")
def information(sum_: FixedPoints) -> float:
    """Paragraph 6: 1 / d² = q² · Σ g² E (1 − E)."""
    return Q * Q * (sum_ / FIXED_SCALE)


@paragraph(
    "7",
    "new deviation √(1 / (1 / {deviation}² + {information})), at least {p.least_deviation} = "
    "{value}",
)
def new_deviation(deviation: Deviation, information: float, p: Parameters) -> Deviation:
    """Paragraph 7: RD' = √(1 / (1 / RD² + 1 / d²)), not below 30."""
    left = math.sqrt(1 / (1 / (deviation * deviation) + information))
    return kept(max(left, p.least_deviation))


@paragraph(
    "8", "change q / (1 / {deviation}² + {information}) · {surprise} = {value}", role="change"
)
def change(deviation: Deviation, information: float, surprise: FixedPoints) -> FloatPoints:
    """Paragraph 8: q / (1 / RD² + 1 / d²) · Σ g (s − E)."""
    return Q / (1 / (deviation * deviation) + information) * (surprise / FIXED_SCALE)


@paragraph("8", "new rating {rating} {change:sum} = {value}")
def new_rating(rating: FloatRating, change: FloatPoints) -> FloatRating:
    """Paragraph 8: the new rating, to six decimals (reading G5)."""
    return kept(rating + change)


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing is what is known."""
    return Standing(known.rating, known.games, known.deviation)


def known_of(standing: Standing, p: Parameters) -> Known:
    """What is known is the standing."""
    return Known(standing.rating, standing.games, standing.deviation)


def enter(standing: Standing, how: Entered, facts: Facts, p: Parameters) -> Standing:
    """Paragraphs 1 and 2: a number to start from, and how sure it is by now."""
    if has_no_rating(standing.rating):
        return Standing(starting_rating(p), standing.games, p.deviation)
    deviation = within(standing.deviation, p.least_deviation, p.deviation)
    periods = periods_between(how.last, how.day, p.months)
    if periods > 0:
        deviation = grown(deviation, periods, p)
    return Standing(standing.rating, standing.games, deviation)


def no_games(standing: Standing, p: Parameters) -> Tally:
    """Nothing played yet."""
    return Tally(0, 0, 0, 0, 0)


def with_game(so_far: Tally, standing: Standing, side: Side, p: Parameters) -> Tally:
    """Paragraphs 4 and 5 for one side more."""
    g = weight(side.deviation)
    expected = expected_score(standing.rating, side.opponent, g)
    return Tally(
        so_far.information + fixed(g * g * expected * (1 - expected)),
        so_far.surprise + fixed(g * (side.score / 2 - expected)),
        so_far.games + 1,
        so_far.score + side.score,
        so_far.expected + fixed(expected),
    )


def value(standing: Standing, so_far: Tally, p: Parameters) -> Reckoning:
    """Paragraphs 6 to 8: what all games of the period come to."""
    known = information(so_far.information)
    deviation = new_deviation(standing.deviation, known, p)
    moved = change(standing.deviation, known, so_far.surprise)
    return Reckoning(
        standing.rating + moved, moved, deviation, so_far.games, so_far.score,
        so_far.expected / FIXED_SCALE,
    )  # fmt: skip


def leave(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """The standing after the period."""
    rating = new_rating(entered.rating, value.change)
    return Standing(rating, entered.games + value.games, value.deviation)


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The row of a period."""
    return Outcome(stored.rating, left.rating, value.games, value.score, value.expected)


def predicted(entered: Standing, side: Side, p: Parameters) -> Probability:
    """Paragraph 9: what is expected of a game, both deviations considered."""
    both = math.sqrt(entered.deviation * entered.deviation + side.deviation * side.deviation)
    return expected_score(entered.rating, side.opponent, weight(both))


GLICKO = Bulk(
    known=Known,
    facts=Facts,
    standing=Standing,
    side=Side,
    value=Reckoning,
    standing_of=standing_of,
    known_of=known_of,
    facts_of=facts_of,
    enter=enter,
    side_of=side_of,
    predicted=predicted,
    fold=Fold(Tally, no_games, with_game, value),
    leave=leave,
    outcome=outcome,
    calendar=Calendar(taking),
)
