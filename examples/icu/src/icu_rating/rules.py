"""Paragraphs 1 to 6: kinds of player, K, performances, expected scores and new ratings."""

import math
from collections.abc import Sequence

from icu_rating.columns import (
    FULL_GAMES,
    NO_NUMBER_YET,
    NO_RATING,
    Kind,
    Reckoning,
    Side,
    Standing,
    Sums,
)
from ratingbook.model import Colour, Game, GameStatus
from ratingbook.rules.bulk import NOT_GIVEN, month_number
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import half_away_from_zero, half_up
from ratingbook.rules.units import (
    SCORE_SCALE,
    Coefficient,
    Day,
    Difference,
    ExactRating,
    Expectation,
    Games,
    HalfPoints,
    Points,
    Rating,
)

TOP = 2100
"""From here on K is 16, and nobody gets a bonus or reaches more by one."""


@paragraph("1", "{game.status}, result {game.result}: not rated", silent=True)
def was_played(game: Game) -> bool:
    """Paragraph 1: a game that was played to a result, if only by the clock."""
    played = game.status in (GameStatus.PLAYED, GameStatus.TIME)
    return played and game.result.half_points(Colour.WHITE) is not None


@paragraph("2", "{value} player")
def kind_of(rating: Rating, games: Games, foreign: bool) -> Kind:
    """Paragraph 2: the kind of player."""
    if rating == NO_RATING:
        return Kind.UNRATED
    if foreign:
        return Kind.FOREIGN
    return Kind.RATED if games >= FULL_GAMES else Kind.PROVISIONAL


@paragraph("3", "K = {value}")
def coefficient(rating: Rating, born: Day, joined: Day, start: Day) -> Coefficient:
    """Paragraph 3: K by the rating, the age and the years of membership (reading I2)."""
    if rating >= TOP:
        return 16
    if is_within(21, born, start):
        return 40
    if is_within(8, joined, start):
        return 32
    return 24


@paragraph("3", "K = {value}, set by the rating officer")
def decided_coefficient(k: Coefficient) -> Coefficient:
    """Paragraph 3: K as the office set it."""
    return k


def is_within(years: int, first: Day, day: Day) -> bool:
    """Whether so many years are not full yet; not, where one of the days is not known."""
    if NOT_GIVEN in (first, day):
        return False
    months = month_number(day) - month_number(first)
    if months == 12 * years:
        return day_of_month(day) < day_of_month(first)
    return months < 12 * years


def day_of_month(day: Day) -> int:
    """1 to 31, of a day counted from 1970-01-01."""
    first = day
    while month_number(first - 1) == month_number(day):
        first -= 1
    return day - first + 1


def games_so_far(rating: Rating, games: Games) -> Games:
    """The earlier games; a rating of which they are not told is not provisional (reading I3)."""
    if games != NOT_GIVEN:
        return games
    return 0 if rating == NO_RATING else FULL_GAMES


def entered(standing: Standing) -> Standing:
    """The player before anyone is rated: kind and K."""
    kind = kind_of(standing.rating, standing.games, standing.foreign)
    k = 0
    if kind == Kind.RATED:
        if standing.decided_k:
            k = decided_coefficient(standing.decided_k)
        else:
            k = coefficient(standing.rating, standing.born, standing.joined, standing.start)
    return standing._replace(
        kind=kind,
        k=k,
        performance=NO_NUMBER_YET,
        change=0,
        expected=0,
        bonus=0,
        bonus_rating=NO_NUMBER_YET,
    )


def has_fixed_number(kind: Kind) -> bool:
    """Whether a player is met at a rating: rated and foreign players."""
    return kind in (Kind.RATED, Kind.FOREIGN)


def first_number(kind: Kind, rating: Rating) -> ExactRating:
    """Paragraph 4: an opponent's number before anybody has a performance."""
    if has_fixed_number(kind):
        return rating * SCORE_SCALE
    return NO_NUMBER_YET


def side_against(opponent: Standing, score: HalfPoints, other: int, game: int) -> Side:
    """A side, with the opponent's number before anybody has a performance."""
    number = first_number(opponent.kind, opponent.rating)
    return Side(number, opponent.kind, score, other, game)


def number_after(number: ExactRating, kind: Kind, value: Reckoning) -> ExactRating:
    """Paragraph 4: the opponent's number after a round, which was ``number`` before it."""
    if kind == Kind.RATED and value.bonus_rating != NO_NUMBER_YET:
        return value.bonus_rating
    if has_fixed_number(kind):
        return number
    return value.value


@paragraph("4", "score {score} against {opponent}: performance {value}")
def game_performance(opponent: ExactRating, score: HalfPoints) -> ExactRating:
    """Paragraph 4: the opponent's number and 400 · (2 · score − 1)."""
    return opponent + 400 * (score - 1) * SCORE_SCALE


@paragraph("4", "performance, the mean of {games} games: {value}")
def mean_performance(total: ExactRating, games: Games) -> ExactRating:
    """Paragraph 4: the mean over the games."""
    return half_up(total, games)


@paragraph("4", "performance, the mean of {games} games and {earlier} at {rating}: {value}")
def weighted_performance(
    total: ExactRating, games: Games, rating: Rating, earlier: Games
) -> ExactRating:
    """Paragraph 4: the earlier games of a provisional player count at his old rating."""
    return half_up(total + earlier * rating * SCORE_SCALE, games + earlier)


def performance_of(standing: Standing, sides: Sequence[Side]) -> ExactRating:
    """Paragraph 4 for one player; who met nobody with a number has no performance."""
    total, games = 0, 0
    for side in sides:
        if side.opponent != NO_NUMBER_YET:
            total += performance_in(side)
            games += 1
    if games == 0:
        return NO_NUMBER_YET
    if standing.kind == Kind.PROVISIONAL:
        return weighted_performance(total, games, standing.rating, standing.games)
    return mean_performance(total, games)


def performance_in(side: Side) -> ExactRating:
    """Paragraph 4 for one game."""
    return game_performance(side.opponent, side.score)


@paragraph("5", "expected score 1 / (1 + 10^(({opponent} − {own}) / 400)) = {value}")
def expected_score(own: ExactRating, opponent: ExactRating) -> Expectation:
    """Paragraph 5: E = 1 / (1 + 10^((R' − R) / 400)), rounded once to the scale of the sums."""
    return math.floor(SCORE_SCALE / (1 + 10 ** ((opponent - own) / (400 * SCORE_SCALE))) + 0.5)


@paragraph("5", "change {k} × ({score} − {expected}) = {value}")
def game_change(k: Coefficient, score: HalfPoints, expected: Expectation) -> Points:
    """Paragraph 5: K · (score − expected)."""
    return k * (score * (SCORE_SCALE // 2) - expected)


def sums_of(standing: Standing, sides: Sequence[Side]) -> Sums:
    """Paragraph 5 over all games against opponents with a number."""
    own = own_number(standing)
    change, expected = 0, 0
    for side in sides:
        if NO_NUMBER_YET not in (side.opponent, own):
            in_this = sums_in(own, standing, side)
            change += in_this.change
            expected += in_this.expected
    return Sums(change, expected)


def own_number(standing: Standing) -> ExactRating:
    """Paragraph 5: the start rating, or the own performance (reading I4)."""
    if has_fixed_number(standing.kind):
        return standing.rating * SCORE_SCALE
    return standing.performance


def sums_in(own: ExactRating, standing: Standing, side: Side) -> Sums:
    """Paragraph 5 for one game; only the rating of a rated player changes by it."""
    expected = expected_score(own, side.opponent)
    if standing.kind == Kind.RATED:
        return Sums(game_change(standing.k, side.score, expected), expected)
    return Sums(0, expected)


@paragraph("6", "rating {rating} {change:sum}, bonus {bonus}: {value}")
def rating_after(rating: Rating, change: Points, bonus: Difference) -> ExactRating:
    """Paragraph 6: the new rating of a rated player."""
    return (rating + bonus) * SCORE_SCALE + change


@paragraph("6", "the rating stays {value}")
def rating_kept(rating: Rating) -> Rating:
    """Paragraph 6: the rating of a foreign player, and of who has no performance (reading I5)."""
    return rating


@paragraph("6", "new rating {value}")
def rounded_rating(exact: ExactRating) -> Rating:
    """Paragraph 6: the list has whole numbers, a half away from zero."""
    return half_away_from_zero(exact, SCORE_SCALE)


def left(entered: Standing, value: Reckoning) -> Standing:
    """The standing after the event."""
    rating = entered.rating
    games = entered.games + (0 if entered.kind == Kind.FOREIGN else value.met)
    if entered.kind == Kind.RATED:
        rating = rounded_rating(rating_after(rating, value.change, value.bonus))
    elif entered.kind == Kind.FOREIGN or value.value == NO_NUMBER_YET:
        rating = rating_kept(rating)
    else:
        rating = rounded_rating(value.value)
    return after_round(entered, value)._replace(rating=rating, games=games)


def after_round(entered: Standing, value: Reckoning) -> Standing:
    """The player with what a round left of him."""
    return entered._replace(
        performance=value.value,
        change=value.change,
        expected=value.expected,
        bonus=value.bonus,
        bonus_rating=value.bonus_rating,
    )
