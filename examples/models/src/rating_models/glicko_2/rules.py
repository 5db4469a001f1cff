"""The paragraphs of Glicko-2: one function for each rule."""

import math
from typing import Annotated, NamedTuple

from rating_models.alike import (
    Deviation,
    Facts,
    FloatPoints,
    Side,
    facts_of,
    has_no_rating,
    kept,
    periods_between,
    side_of,
    taking,
    within,
)
from rating_models.glicko_2.volatility import iterated
from ratingbook.rules.bulk import NO_NUMBER, Bulk, Calendar, Entered, Fold, Outcome, is_game
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import (
    FIXED_SCALE,
    FixedPoints,
    FloatRating,
    Games,
    HalfPoints,
    Probability,
    Unit,
    fixed,
)

SCALE = 173.7178
"""Points of the scale on which the paper reckons."""
MOST_LOGIT = 700.0
"""e to a power above 709 is too large for a float."""
LEAST_VOLATILITY, GREATEST_VOLATILITY = 0.000001, 1.0

Volatility = Annotated[float, Unit("volatility")]
"""How much the strength of a player wavers from period to period, on the scale of the paper."""


class Parameters(NamedTuple):
    """The numbers of the paper."""

    start: FloatRating = 1500.0
    deviation: Deviation = 350.0
    least_deviation: Deviation = 1.0
    volatility: Volatility = 0.06
    tau: float = 0.5
    months: int = 2


class Known(NamedTuple):
    """What a report or a players file says of a player."""

    rating: FloatRating = NO_NUMBER
    games: Games = 0
    deviation: Deviation = NO_NUMBER
    volatility: Volatility = NO_NUMBER


class Standing(NamedTuple):
    """What the pool knows of a player, after the latest period with a game."""

    rating: FloatRating
    games: Games
    deviation: Deviation
    volatility: Volatility


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
    volatility: Volatility
    games: Games
    score: HalfPoints
    expected: Probability


@paragraph("1", "no rating yet: starts at {value}")
def starting_rating(p: Parameters) -> FloatRating:
    """Paragraph 1: a player without a rating starts at 1500."""
    return p.start


@paragraph("2", "{idle} periods without a game, volatility {volatility}: deviation {value}")
def grown(deviation: Deviation, volatility: Volatility, idle: int, p: Parameters) -> Deviation:
    """Paragraph 2: φ' = √(φ² + σ²) for each period without a game."""
    wavered = SCALE * volatility
    return min(math.sqrt(deviation * deviation + wavered * wavered * idle), p.deviation)


paragraph("3", edition="glicko-2")(is_game)


@paragraph("4", "opponent's deviation {deviation}: weight g = {value}")
def weight(deviation: Deviation) -> Probability:
    """Paragraph 4: g(φ) = 1 / √(1 + 3 φ² / π²)."""
    phi = deviation / SCALE
    return 1 / math.sqrt(1 + 3 * phi * phi / (math.pi * math.pi))


@paragraph(
    "5",
    "expected score 1 / (1 + e^({weight} · ({opponent} − {own}) / 173.7178)) = {value}",
    role="expected",
)
def expected_score(own: FloatRating, opponent: FloatRating, weight: Probability) -> Probability:
    """Paragraph 5: E = 1 / (1 + e^(−g (μ − μ_j)))."""
    exponent = weight * (opponent - own) / SCALE
    return 1 / (1 + math.exp(max(-MOST_LOGIT, min(exponent, MOST_LOGIT))))


@paragraph("6", "all games: v = {value}")
def variance(sum_: FixedPoints) -> float:
    """Paragraph 6: v = 1 / Σ g² E (1 − E); games that tell nothing at all tell the least."""
    return FIXED_SCALE / max(sum_, 1)


@paragraph("6", "improvement Δ = {value}")
def improvement(v: float, surprise: FixedPoints) -> float:
    """Paragraph 6: Δ = v · Σ g (s − E)."""
    return v * (surprise / FIXED_SCALE)


@paragraph("7", "volatility {volatility}, new {value}")
def new_volatility(
    volatility: Volatility, delta: float, phi: float, v: float, p: Parameters
) -> Volatility:
    """Paragraph 7: the root of f, to nine decimals (reading H5)."""
    found = iterated(volatility, delta, phi, v, p.tau)
    found = min(max(found, LEAST_VOLATILITY), GREATEST_VOLATILITY)
    return math.floor(found * 1e9 + 0.5) / 1e9


@paragraph("8", "with it, before the games: deviation {value}")
def wavered(deviation: Deviation, volatility: Volatility) -> Deviation:
    """Paragraph 8: φ* = √(φ² + σ'²)."""
    phi = deviation / SCALE
    return SCALE * math.sqrt(phi * phi + volatility * volatility)


@paragraph("9", "new deviation 173.7178 / √(173.7178² / {deviation}² + 1 / {v}) = {value}")
def new_deviation(deviation: Deviation, v: float) -> Deviation:
    """Paragraph 9: φ' = 1 / √(1 / φ*² + 1 / v)."""
    phi = deviation / SCALE
    return SCALE / math.sqrt(1 / (phi * phi) + 1 / v)


@paragraph("10", "change {deviation}² / 173.7178 · {surprise} = {value}", role="change")
def change(deviation: Deviation, surprise: FixedPoints) -> FloatPoints:
    """Paragraph 10: φ'² · Σ g (s − E), in points."""
    return deviation * deviation / SCALE * (surprise / FIXED_SCALE)


@paragraph("10", "new rating {rating} {change:sum} = {value}")
def new_rating(rating: FloatRating, change: FloatPoints) -> FloatRating:
    """Paragraph 10: the new rating, to six decimals (reading H5)."""
    return kept(rating + change)


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing is what is known."""
    return Standing(known.rating, known.games, known.deviation, known.volatility)


def known_of(standing: Standing, p: Parameters) -> Known:
    """What is known is the standing."""
    return Known(standing.rating, standing.games, standing.deviation, standing.volatility)


def volatility_within(volatility: Volatility, p: Parameters) -> Volatility:
    """A volatility within its bounds; that of a newcomer where none is known."""
    if volatility > 0:
        return min(max(volatility, LEAST_VOLATILITY), GREATEST_VOLATILITY)
    return p.volatility


def enter(standing: Standing, how: Entered, facts: Facts, p: Parameters) -> Standing:
    """Paragraphs 1 and 2: numbers to start from, and how sure they are by now."""
    if has_no_rating(standing.rating):
        return Standing(starting_rating(p), standing.games, p.deviation, p.volatility)
    deviation = within(standing.deviation, p.least_deviation, p.deviation)
    volatility = volatility_within(standing.volatility, p)
    idle = periods_between(how.last, how.day, p.months) - 1
    if idle > 0:
        deviation = grown(deviation, volatility, idle, p)
    return Standing(standing.rating, standing.games, deviation, volatility)


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
    """Paragraphs 6 to 10: what all games of the period come to."""
    v = variance(so_far.information)
    delta = improvement(v, so_far.surprise)
    volatility = new_volatility(standing.volatility, delta, standing.deviation / SCALE, v, p)
    deviation = new_deviation(wavered(standing.deviation, volatility), v)
    moved = change(deviation, so_far.surprise)
    return Reckoning(
        standing.rating + moved, moved, kept(max(deviation, p.least_deviation)), volatility,
        so_far.games, so_far.score, so_far.expected / FIXED_SCALE,
    )  # fmt: skip


def leave(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """The standing after the period."""
    rating = new_rating(entered.rating, value.change)
    return Standing(rating, entered.games + value.games, value.deviation, value.volatility)


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The row of a period."""
    return Outcome(stored.rating, left.rating, value.games, value.score, value.expected)


def predicted(entered: Standing, side: Side, p: Parameters) -> Probability:
    """Paragraph 11: what is expected of a game, both deviations considered."""
    both = math.sqrt(entered.deviation * entered.deviation + side.deviation * side.deviation)
    return expected_score(entered.rating, side.opponent, weight(both))


GLICKO_2 = Bulk(
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
