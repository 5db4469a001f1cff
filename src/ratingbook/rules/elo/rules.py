"""The columns and the paragraphs: one function for each rule."""

import math
from enum import IntEnum
from typing import Annotated, NamedTuple

from ratingbook.model import Event
from ratingbook.model.patterns import pattern
from ratingbook.rules.bulk import (
    LAST_YEAR,
    NO_NUMBER,
    NOT_GIVEN,
    Bulk,
    Entered,
    Fold,
    Outcome,
    is_game,
    month_number,
)
from ratingbook.rules.half import Half
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Day, FloatRating, Games, HalfPoints, Probability, Unit

MOST_TENFOLD = 300.0
"""10 to a power above 308 is too large for a float: Python refuses it, compiled code goes on."""
_SEASON = pattern(r"([0-9]{4})(?:[-/–][0-9]{2,4})?")

Season = Annotated[int, Unit("season")]
"""The year in which a season begins; NOT_GIVEN where there are no seasons."""

FloatPoints = Annotated[float, Unit("points", signed=True)]
"""A change with decimals."""

Margin = Annotated[int, Unit("margin", signed=True)]
"""By how many points a game was won, negative: lost; NOT_GIVEN where it is not said."""


class Multiplier(IntEnum):
    """What the margin of a game does to its change."""

    NONE = 0
    LOG = 1


class Parameters(NamedTuple):
    """The numbers that sites choose each for itself."""

    k: float = 20.0
    scale: float = 400.0
    start: FloatRating = 1500.0
    new_games: Games = 0
    k_new: float = 40.0
    high: FloatRating = 10_000.0
    k_high: float = 10.0
    home: FloatPoints = 0.0
    margin: Multiplier = Multiplier.NONE
    margin_base: float = 2.2
    margin_slope: float = 0.001
    season_month: int = 0
    season_return: float = 0.0
    season_mean: FloatRating = 1500.0


PARAMETER_DOCS = {
    "high": "rating from which k_high takes the place of k",
    "k_high": "the most points that a game of a highly rated player can move",
    "home": "points by which the side at home counts as stronger",
    "margin": "whether a game won by more moves more: none, or log, its logarithm",
    "margin_base": "the number 2.2 of the multiplier of margins",
    "margin_slope": "the number 0.001 of the multiplier of margins",
    "season_month": "month on whose first day a season begins; 0: only events name seasons",
    "season_return": "share of the way back to season_mean at the first game of a season",
    "season_mean": "rating towards which the ratings return between seasons",
}


class Known(NamedTuple):
    """What a players file says of a player."""

    rating: FloatRating = NO_NUMBER
    games: Games = 0
    last_played: Day = NOT_GIVEN
    season: Season = NOT_GIVEN
    """That of the latest game, where it is known."""


class Facts(NamedTuple):
    """What the rules ask of an event."""

    season: Season = NOT_GIVEN


class Standing(NamedTuple):
    """What the pool knows of a player; the rating is NO_NUMBER until ``enter`` gives one."""

    rating: FloatRating
    games: Games
    season: Season
    """That of the latest game."""


class Side(NamedTuple):
    """One player's half of a game; ``opponent`` is the rating just before it.

    ``home`` is 1 at home, −1 at the opponent's, 0 on neutral ground.
    """

    opponent: FloatRating
    score: HalfPoints
    other: int
    game: int
    margin: Margin
    home: int


class Reckoning(NamedTuple):
    """What a game comes to for one player; ``value`` is the new rating."""

    value: FloatRating
    change: float
    games: Games
    score: HalfPoints
    expected: Probability


@paragraph("1", "no rating yet: starts at {value}")
def starting_rating(p: Parameters) -> FloatRating:
    """Paragraph 1: a player without a rating starts at 1500."""
    return p.start


paragraph("2", edition="elo")(is_game)


@paragraph(
    "3", "expected score 1 / (1 + 10^(({opponent} − {own}) / {scale})) = {value}", role="expected"
)
def expected_score(own: FloatRating, opponent: FloatRating, scale: float) -> Probability:
    """Paragraph 3: E = 1 / (1 + 10^((R' − R) / 400))."""
    return 1 / (1 + 10 ** min((opponent - own) / scale, MOST_TENFOLD))


@paragraph("4", "change {k} × ({score} − {expected}) = {value}", role="change")
def game_change(k: float, score: HalfPoints, expected: Probability) -> FloatPoints:
    """Paragraph 4: K · (S − E)."""
    return k * (score / 2 - expected)


@paragraph("4", "new rating {rating} {change:sum} = {value}")
def new_rating(rating: FloatRating, change: FloatPoints) -> FloatRating:
    """Paragraph 4: the new rating, which is not rounded."""
    return rating + change


@paragraph("5", "K = {value}", role="coefficient")
def coefficient(rating: FloatRating, games: Games, p: Parameters) -> float:
    """Paragraph 5: K of a newcomer, of a highly rated player, of everybody else."""
    if games < p.new_games:
        return p.k_new
    return p.k_high if rating >= p.high else p.k


@paragraph("6", "home advantage {value}", silent=0.0)
def home_advantage(home: int, p: Parameters) -> FloatPoints:
    """Paragraph 6: what the side at home counts more, and its guest less."""
    return p.home * home


@paragraph("7", "margin {margin} at a difference of {difference}: K × {value}", silent=1.0)
def margin_multiplier(
    margin: Margin, score: HalfPoints, difference: FloatPoints, p: Parameters
) -> float:
    """Paragraph 7: ln(max(|margin|, 1) + 1) · 2.2 / (2.2 + 0.001 · D), D seen from the winner."""
    if p.margin == Multiplier.NONE or margin == NOT_GIVEN:
        return 1.0
    divisor = 1.0
    if score != 1:
        winner = difference if score == 2 else -difference
        divisor = max(p.margin_base + p.margin_slope * winner, p.margin_base / 10)
    return math.log(max(abs(margin), 1) + 1) * (p.margin_base / divisor)


def named_season(event: Event) -> Season:
    """The season that an event names as its category, ``2019`` or ``2019-20`` (reading E7)."""
    found = _SEASON.fullmatch((event.category or "").strip())
    return int(found[1]) if found else NOT_GIVEN


def season_of(day: int, named: Season, p: Parameters) -> Season:
    """Paragraph 8: the season that the event names, else that of a day (reading E7)."""
    if named != NOT_GIVEN or p.season_month == 0 or day == NOT_GIVEN:
        return named
    return (month_number(day) - (p.season_month - 1)) // 12


@paragraph("8", "first game of the season {now}: {rating} {value:sum}", silent=0.0)
def season_return(rating: FloatRating, now: Season, p: Parameters) -> FloatPoints:
    """Paragraph 8: the way back to the mean between two seasons."""
    return p.season_return * (p.season_mean - rating)


@paragraph("9", "the office sets the rating {value}")
def set_by_office(decided: FloatRating) -> FloatRating:
    """Paragraph 9: the rating of the office, whatever stood before it."""
    return decided


def standing_of(known: Known, p: Parameters) -> Standing:
    """The standing before the first game; the season is given, or that of the latest game."""
    season = known.season
    if not 0 < season <= LAST_YEAR:
        season = season_of(known.last_played, NOT_GIVEN, p)
    return Standing(known.rating, known.games, season)


def known_of(standing: Standing, p: Parameters) -> Known:
    """What a report says of the standing; the day of the latest game it says itself."""
    return Known(standing.rating, standing.games, NOT_GIVEN, standing.season)


def facts_of(event: Event, p: Parameters) -> Facts:
    """The season that the event names."""
    return Facts(named_season(event))


def enter(standing: Standing, how: Entered, facts: Facts, p: Parameters) -> Standing:
    """Paragraphs 1, 8 and 9: a number to start from, and that of the season of the game."""
    now = season_of(how.day, facts.season, p)
    season = max(standing.season, now)
    rating = standing.rating
    if not math.isnan(how.decided.rating):
        rating = set_by_office(how.decided.rating)
    elif math.isnan(rating):
        rating = starting_rating(p)
    elif standing.season not in (NOT_GIVEN, season):
        rating = rating + season_return(rating, season, p)
    return Standing(rating, standing.games, season)


def side_of(half: Half, own: Standing, opponent: Standing, facts: Facts, p: Parameters) -> Side:
    """The side of a game, at the ratings just before it."""
    return Side(opponent.rating, half.score, half.other, half.game, half.margin, half.home)


def no_game(standing: Standing, p: Parameters) -> Reckoning:
    """Nothing played: the rating stays."""
    return Reckoning(standing.rating, 0.0, 0, 0, 0.0)


def predicted(entered: Standing, side: Side, p: Parameters) -> Probability:
    """Paragraphs 3 and 4: the expected score of a side, whoever is at home included."""
    own = entered.rating + home_advantage(side.home, p)
    return expected_score(own, side.opponent, p.scale)


def with_game(so_far: Reckoning, standing: Standing, side: Side, p: Parameters) -> Reckoning:
    """Paragraphs 3 to 7 for one side."""
    own = standing.rating + home_advantage(side.home, p)
    expected = expected_score(own, side.opponent, p.scale)
    k = coefficient(standing.rating, standing.games, p)
    k = k * margin_multiplier(side.margin, side.score, own - side.opponent, p)
    change = game_change(k, side.score, expected)
    return Reckoning(
        so_far.value + change,
        so_far.change + change,
        so_far.games + 1,
        so_far.score + side.score,
        so_far.expected + expected,
    )


def leave(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """Paragraph 4: the standing after the game."""
    rating = new_rating(entered.rating, value.change)
    return Standing(rating, entered.games + value.games, entered.season)


def outcome(
    stored: Standing, entered: Standing, value: Reckoning, left: Standing, p: Parameters
) -> Outcome:
    """The row of a game; before it a newcomer has no rating, and others that of E8."""
    before = stored.rating if math.isnan(stored.rating) else entered.rating
    return Outcome(before, left.rating, value.games, value.score, value.expected)


ELO = Bulk(
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
    fold=Fold(Reckoning, no_game, with_game),
    leave=leave,
    outcome=outcome,
    counts_margins=True,
)
