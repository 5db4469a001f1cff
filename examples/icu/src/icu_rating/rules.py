"""The columns, and paragraphs 1 to 7: kinds of player, K, performances, new ratings, bonuses."""

import math
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from ratingbook.rules.bulk import (
    NO_NUMBER,
    NOT_GIVEN,
    Entered,
    Nothing,
    birthday,
    full_years,
    is_game,
)
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
    Year,
)

NO_RATING = NOT_GIVEN
"""A player without a rating; 0 and less are ratings that weak players can have."""

NO_NUMBER_YET = NOT_GIVEN * SCORE_SCALE
"""A player without a performance so far, or an opponent without a number."""

FULL_GAMES = 20
"""From so many games on a rating is not provisional."""

TOP = 2100
"""From here on K is 16, and nobody gets a bonus or reaches more by one."""


class Kind(IntEnum):
    """The kinds of player of paragraph 2."""

    UNRATED = 0
    PROVISIONAL = 1
    RATED = 2
    FOREIGN = 3


class Following(IntEnum):
    """How bonus ratings follow the new change (reading I1)."""

    TOGETHER = 0
    """All change after everybody was rated once more."""
    IN_TURN = 1
    """Each as soon as its player is rated, in the order of the report."""


class Parameters(NamedTuple):
    """What a rating office chooses."""

    version: int = 3
    no_bonuses: bool = False
    following: Following = Following.TOGETHER


PARAMETER_DOCS = {
    "version": "version of the office's rules, 0 to 3 (paragraph 9)",
    "no_bonuses": "true: nobody gets a bonus",
    "following": "how bonus ratings follow the new change from version 2 on; together: after "
    "everybody was rated once more; in_turn: one after the other, in the order of the report",
}


class Known(NamedTuple):
    """What a report or a players file says of a player."""

    rating: Rating = NO_RATING
    games: Games = NOT_GIVEN
    foreign: bool = False
    joined: Day = NOT_GIVEN
    birth_year: Year = NOT_GIVEN


class Decided(NamedTuple):
    """What the office decides for a player in an event."""

    k: float = NO_NUMBER


class Standing(NamedTuple):
    """What is known of a player and, within an event, what the rounds have left of him so far."""

    rating: Rating
    games: Games
    told: bool
    """Whether the number of games is told, if there is a rating."""
    foreign: bool
    joined: Day
    birth_year: Year
    kind: Kind
    k: Coefficient
    value: ExactRating
    """The performance; NO_NUMBER_YET before there is one."""
    change: Points
    expected: Expectation
    bonus: Difference
    bonus_rating: ExactRating
    played: Games
    met: Games
    """Games against opponents who have a number."""
    score: HalfPoints


class Side(NamedTuple):
    """One player's half of a game; ``opponent`` is the opponent's number so far."""

    opponent: ExactRating
    kind: Kind
    """That of the opponent."""
    score: HalfPoints
    other: int
    game: int


paragraph("1", edition="icu")(is_game)


@paragraph("2", "{value} player")
def kind_of(rating: Rating, games: Games, foreign: bool) -> Kind:
    """Paragraph 2: the kind of player."""
    if rating == NO_RATING:
        return Kind.UNRATED
    if foreign:
        return Kind.FOREIGN
    return Kind.RATED if games >= FULL_GAMES else Kind.PROVISIONAL


@paragraph("3", "K = {value}", role="coefficient")
def coefficient(rating: Rating, born: Day, joined: Day, start: Day) -> Coefficient:
    """Paragraph 3: K by the rating, the age and the years of membership (reading I2)."""
    if rating >= TOP:
        return 16
    if NOT_GIVEN not in (born, start) and full_years(born, start) < 21:
        return 40
    if NOT_GIVEN not in (joined, start) and full_years(joined, start) < 8:
        return 32
    return 24


@paragraph("3", "K = {value}, set by the rating officer", role="coefficient")
def decided_coefficient(k: Coefficient) -> Coefficient:
    """Paragraph 3: K as the office set it."""
    return k


def enter(standing: Standing, how: Entered, facts: Nothing, p: Parameters) -> Standing:
    """Paragraphs 2 and 3: the kind of player, and K."""
    kind = kind_of(standing.rating, standing.games, standing.foreign)
    k = 0
    if kind == Kind.RATED:
        if not math.isnan(how.decided.k):
            k = decided_coefficient(int(how.decided.k))
        else:
            born = birthday(how.birth, standing.birth_year)
            start = how.start if how.start != NOT_GIVEN else how.day
            k = coefficient(standing.rating, born, standing.joined, start)
    return standing._replace(kind=kind, k=k)


def has_fixed_number(kind: Kind) -> bool:
    """Whether a player is met at a rating: rated and foreign players."""
    return kind in (Kind.RATED, Kind.FOREIGN)


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


@paragraph(
    "5", "expected score 1 / (1 + 10^(({opponent} − {own}) / 400)) = {value}", role="expected"
)
def expected_score(own: ExactRating, opponent: ExactRating) -> Expectation:
    """Paragraph 5: E = 1 / (1 + 10^((R' − R) / 400)), rounded once to the scale of the sums."""
    return math.floor(SCORE_SCALE / (1 + 10 ** ((opponent - own) / (400 * SCORE_SCALE))) + 0.5)


@paragraph("5", "change {k} × ({score} − {expected}) = {value}", role="change")
def game_change(k: Coefficient, score: HalfPoints, expected: Expectation) -> Points:
    """Paragraph 5: K · (score − expected)."""
    return k * (score * (SCORE_SCALE // 2) - expected)


def own_number(standing: Standing) -> ExactRating:
    """Paragraphs 4 and 5: the start rating, or the own performance so far (reading I4)."""
    if has_fixed_number(standing.kind):
        return standing.rating * SCORE_SCALE
    return standing.value


def with_game(so_far: Standing, own: ExactRating, side: Side) -> Standing:
    """Paragraph 5 for one game; only the rating of a rated player changes by it."""
    expected = expected_score(own, side.opponent)
    change = 0
    if so_far.kind == Kind.RATED:
        change = game_change(so_far.k, side.score, expected)
    return so_far._replace(change=so_far.change + change, expected=so_far.expected + expected)


def with_games(standing: Standing, sides: Sequence[Side]) -> Standing:
    """Paragraph 5 over all games against opponents with a number."""
    own = own_number(standing)
    so_far = with_sides(standing, sides)._replace(change=0, expected=0)
    for side in sides:
        if NO_NUMBER_YET not in (side.opponent, own):
            so_far = with_game(so_far, own, side)
    return so_far


def with_sides(standing: Standing, sides: Sequence[Side]) -> Standing:
    """The games, those against opponents with a number, and the score."""
    met, score = 0, 0
    for side in sides:
        score += side.score
        if side.opponent != NO_NUMBER_YET:
            met += 1
    return standing._replace(played=len(sides), met=met, score=score)


def with_bonus(rating: Rating, change: Points, bonus: Difference) -> ExactRating:
    """The rating with change and bonus."""
    return (rating + bonus) * SCORE_SCALE + change


@paragraph("6", "rating {rating} {change:sum}, bonus {bonus}: {value}")
def rating_after(rating: Rating, change: Points, bonus: Difference) -> ExactRating:
    """Paragraph 6: the new rating of a rated player."""
    return with_bonus(rating, change, bonus)


@paragraph("6", "the rating stays {value}")
def rating_kept(rating: Rating) -> Rating:
    """Paragraph 6: the rating of a foreign player, and of who has no performance (reading I5)."""
    return rating


@paragraph("6", "new rating {value}")
def rounded_rating(exact: ExactRating) -> Rating:
    """Paragraph 6: the list has whole numbers, a half away from zero."""
    return half_away_from_zero(exact, SCORE_SCALE)


def leave(entered: Standing, value: Standing, p: Parameters) -> Standing:
    """Paragraph 6."""
    rating = entered.rating
    games = entered.games + (0 if entered.kind == Kind.FOREIGN else value.met)
    if entered.kind == Kind.RATED:
        rating = rounded_rating(rating_after(rating, value.change, value.bonus))
    elif entered.kind == Kind.FOREIGN or value.value == NO_NUMBER_YET:
        rating = rating_kept(rating)
    else:
        rating = rounded_rating(value.value)
    return entered._replace(rating=rating, games=games)


def exact(entered: Standing, value: Standing, left: Standing, p: Parameters) -> float:
    """The unrounded new rating."""
    if entered.kind == Kind.RATED:
        return rating_after(entered.rating, value.change, value.bonus) / SCORE_SCALE
    if entered.kind != Kind.FOREIGN and value.value != NO_NUMBER_YET:
        return value.value / SCORE_SCALE
    return NO_NUMBER if left.rating == NO_RATING else float(left.rating)


def bonus_for(standing: Standing) -> Difference:
    """Paragraph 7: the bonus that the change brings, or 0."""
    rating, change, k, games = standing.rating, standing.change, standing.k, standing.played
    possible = standing.kind == Kind.RATED and may_have_bonus(rating, k, games)
    if not possible or not earns_bonus(rating, change):
        return 0
    bonus = basic_bonus(change, games)
    if bonus <= 0:
        return 0
    if k >= 40:
        bonus = raised_bonus(bonus)
    for most in (TOP * SCORE_SCALE, standing.value):
        if with_bonus(rating, change, bonus) > most:
            bonus = limited_bonus(rating, change, most)
    return max(0, bonus)


@paragraph("7", "K {k}, rating {rating}, {games} games: a bonus is possible", silent=False)
def may_have_bonus(rating: Rating, k: Coefficient, games: Games) -> bool:
    """Paragraph 7: a K above 24, a rating under 2100, and more than 4 games (reading I6)."""
    return k > 24 and rating < TOP and games > 4


@paragraph(
    "7",
    "change {change}, more than 35: a bonus may follow",
    otherwise="change {change}: no bonus",
)
def earns_bonus(rating: Rating, change: Points) -> bool:
    """Paragraph 7: a change of more than 35 that does not reach 2100 by itself."""
    return change > 35 * SCORE_SCALE and rating * SCORE_SCALE + change < TOP * SCORE_SCALE


@paragraph("7", "bonus {change} − (32 + 3 × ({games} − 4)), rounded: {value}")
def basic_bonus(change: Points, games: Games) -> Difference:
    """Paragraph 7: what the change is above 32 and 3 for each game after the fourth."""
    return half_away_from_zero(change - (32 + 3 * (games - 4)) * SCORE_SCALE, SCORE_SCALE)


@paragraph("7", "{bonus} × 1.25, rounded: {value}")
def raised_bonus(bonus: Difference) -> Difference:
    """Paragraph 7: a quarter more from a K of 40 on."""
    return half_away_from_zero(5 * bonus, 4)


@paragraph("7", "{rating} {change:sum} and the bonus may not pass {most}: bonus {value}")
def limited_bonus(rating: Rating, change: Points, most: ExactRating) -> Difference:
    """Paragraph 7: what is left up to 2100, and to the player's own performance."""
    return half_away_from_zero(most - rating * SCORE_SCALE - change, SCORE_SCALE)


@paragraph("7", "counts as {value} for the opponents")
def bonus_rating(rating: Rating, change: Points, bonus: Difference) -> ExactRating:
    """Paragraph 7: the number of a player with a bonus for all who met him."""
    return with_bonus(rating, change, bonus)


def number_with(standing: Standing, bonus: Difference) -> ExactRating:
    """The bonus rating of who has a bonus."""
    return bonus_rating(standing.rating, standing.change, bonus) if bonus else NO_NUMBER_YET
