"""Paragraphs 1 to 6: one function for each rule."""

from collections.abc import Sequence

from nowhere_rating.columns import NO_RATING, Parameters, Reckoning, Side, Standing
from ratingbook.model import Game, GameStatus
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import half_up
from ratingbook.rules.units import (
    SCORE_SCALE,
    Coefficient,
    Difference,
    Expectation,
    Games,
    HalfPoints,
    Points,
    Rating,
    Ratio,
)


def has_rating(rating: Rating) -> bool:
    """Whether that is a rating, and not the mark of a player without one."""
    return rating != NO_RATING


@paragraph("1", "{game.status}: not rated", silent=True)
def was_played(game: Game) -> bool:
    """Paragraph 1: only a game that was played; one lost on time was."""
    return game.status in (GameStatus.PLAYED, GameStatus.TIME)


@paragraph("1", otherwise="the opponent has no rating: not rated", silent=True)
def meets_rated(game: Game, opponent: Rating) -> bool:
    """Paragraph 1: only a game against an opponent with a rating."""
    return has_rating(opponent)


def performance(opponents: Rating, score: HalfPoints, games: Games, p: Parameters) -> Ratio:
    """Paragraph 2, before rounding: the imagined draws are games like the others."""
    n = games + p.first_draws
    ratings = opponents + p.first_draws * p.first_opponent
    above_half = score + p.first_draws - n
    return Ratio(2 * ratings + p.spread * above_half, 2 * n)


@paragraph(
    "2",
    "first rating from {games} games (score {score}, opponents together {opponents}) "
    "and {p.first_draws} draws against {p.first_opponent}: {value}",
)
def first_rating(opponents: Rating, score: HalfPoints, games: Games, p: Parameters) -> Rating:
    """Paragraph 2: average of the opponents + 1000 · (score / games − ½), rounded half up."""
    exact = performance(opponents, score, games, p)
    return half_up(exact.numerator, exact.denominator)


@paragraph("3", "difference {own} − {opponent}, at most {most}: {value}")
def difference(own: Rating, opponent: Rating, most: int) -> Difference:
    """Paragraph 3: R − R'; a greater one than 400 counts as 400."""
    return max(-most, min(own - opponent, most))


@paragraph("3", "expected score ½ + ({difference}) / {spread} = {value}")
def expected_score(difference: Difference, spread: int) -> Expectation:
    """Paragraph 3: E = ½ + D / 1000."""
    return SCORE_SCALE // 2 + half_up(difference * SCORE_SCALE, spread)


def expectation(side: Side, p: Parameters) -> Expectation:
    """Paragraph 3 for one game."""
    return expected_score(difference(side.own, side.opponent, p.most_difference), p.spread)


@paragraph("4", "{games} games before: K = {value}")
def coefficient(games: Games, p: Parameters) -> Coefficient:
    """Paragraph 4: 40 in the first 20 games, then 20; the games before the report decide (N1)."""
    return p.k_new if games < p.new_games else p.k_old


@paragraph("4", "change {k} × ({side.score} − {expected}) = {value}")
def game_change(side: Side, k: Coefficient, expected: Expectation) -> Points:
    """Paragraph 4: K · (S − E)."""
    return k * (side.score * (SCORE_SCALE // 2) - expected)


@paragraph("5", "score {score}, expected {expected}: bonus {value}", silent=0)
def bonus(score: HalfPoints, expected: Expectation, games: Games, p: Parameters) -> Difference:
    """Paragraph 5: 10 points for two points more than expected."""
    if games < p.new_games and not p.bonus_for_new:
        return 0
    above = score * (SCORE_SCALE // 2) - expected
    return p.bonus if above >= p.bonus_from * SCORE_SCALE else 0


@paragraph("6", "changes together {total}, rounded {value}")
def rounded_change(total: Points) -> Difference:
    """Paragraph 6: the sum as a whole number, a half upwards."""
    return half_up(total, SCORE_SCALE)


@paragraph("6", "new rating {rating} {change:sum} = {value}")
def new_rating(rating: Rating, change: Difference) -> Rating:
    """Paragraph 6: the rating and the sum."""
    return rating + change


@paragraph("6", "no rating is less than {value}")
def least_rating(p: Parameters) -> Rating:
    """Paragraph 6: the floor."""
    return p.floor


def first_reckoning(sides: Sequence[Side], p: Parameters) -> Reckoning:
    """Paragraph 2 for a player without a rating."""
    opponents = 0
    score = 0
    for side in sides:
        opponents += side.opponent
        score += side.score
    if len(sides) == 0:
        return Reckoning(0, 0, 0, 0, 0, 0)
    exact = performance(opponents, score, len(sides), p)
    value = half_up(exact.numerator * SCORE_SCALE, exact.denominator)
    value = max(value, p.floor * SCORE_SCALE)
    return Reckoning(value, 0, len(sides), score, 0, opponents)


def reckon(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """The kernel: what all games of the report come to for one player."""
    if not has_rating(standing.rating):
        return first_reckoning(sides, p)
    value = standing.rating * SCORE_SCALE
    if len(sides) == 0:
        return Reckoning(value, 0, 0, 0, 0, 0)
    k = coefficient(standing.games, p)
    total = 0
    score = 0
    expected = 0
    opponents = 0
    for side in sides:
        of_game = expectation(side, p)
        total += game_change(side, k, of_game)
        score += side.score
        expected += of_game
        opponents += side.opponent
    total += bonus(score, expected, standing.games, p) * SCORE_SCALE
    value = max(value + total, p.floor * SCORE_SCALE)
    return Reckoning(value, total, len(sides), score, expected, opponents)


def left(entered: Standing, value: Reckoning, p: Parameters) -> Standing:
    """Paragraphs 2 and 6: the standing after the report."""
    if not has_rating(entered.rating):
        if value.games == 0:
            return entered
        rating = first_rating(value.opponents, value.score, value.games, p)
    else:
        rating = new_rating(entered.rating, rounded_change(value.total))
    if value.games > 0 and rating < p.floor:
        rating = least_rating(p)
    return Standing(rating, entered.games + value.games)
