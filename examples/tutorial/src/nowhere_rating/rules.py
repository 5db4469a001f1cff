"""The rules of the Nowhere Federation: one function for each rule."""

from typing import NamedTuple

from ratingbook.rules.bulk import Bulk, Calendar, against_rated, is_game, is_met_rated, summed
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.rounding import half_up
from ratingbook.rules.units import (
    SCORE_SCALE,
    Difference,
    ExactRating,
    Expectation,
    Games,
    HalfPoints,
    Points,
    Rating,
)
from ratingbook.rules.usual import NO_RATING, Side, Standing, Sums, assumed, lists_every, one_more


class Parameters(NamedTuple):
    """The numbers of the rules, which anybody can set otherwise with ``--set``."""

    k: int = 20
    k_new: int = 40
    new_games: Games = 20
    most_difference: int = 400
    first_opponent: Rating = 1200
    bonus: Difference = 10
    bonus_from: int = 2
    bonus_for_new: bool = True
    floor: Rating = 800


PARAMETER_DOCS = {
    "most_difference": "the greatest difference that counts",
    "first_opponent": "rating of the imagined opponents of a first rating",
    "bonus": "points of the bonus",
    "bonus_from": "points above the expected score that bring the bonus",
    "bonus_for_new": "whether the bonus is also for players in their first games",
}

paragraph("1", edition="nowhere")(is_game)
paragraph("1", edition="nowhere")(is_met_rated)


@paragraph(
    "2",
    "first rating from {games} games (score {score}, opponents together {opponents}) "
    "and 2 draws against {p.first_opponent}: {value}",
)
def first_rating(opponents: Rating, score: HalfPoints, games: Games, p: Parameters) -> ExactRating:
    """Paragraph 2: average of the opponents + 1000 · (score / games − ½), imagined ones too."""
    n = games + 2
    ratings = opponents + 2 * p.first_opponent
    above_half = score + 2 - n
    return half_up((2 * ratings + 1000 * above_half) * SCORE_SCALE, 2 * n)


@paragraph("3", "difference {own} − {opponent}, at most {most}: {value}")
def difference(own: Rating, opponent: Rating, most: int) -> Difference:
    """Paragraph 3: R − R'; a greater one than 400 counts as 400."""
    return max(-most, min(own - opponent, most))


@paragraph("3", "expected score ½ + ({difference}) / 1000 = {value}")
def expected_score(difference: Difference) -> Expectation:
    """Paragraph 3: E = ½ + D / 1000."""
    return SCORE_SCALE // 2 + half_up(difference * SCORE_SCALE, 1000)


@paragraph("4", "{games} games before: K = {value}", once=True)
def coefficient(games: Games, p: Parameters) -> int:
    """Paragraph 4: 40 in the first 20 games, then 20; the games before the report decide (N1)."""
    return p.k_new if games < p.new_games else p.k


@paragraph("4", "change {k} × ({score} − {expected}) = {value}")
def game_change(k: int, score: HalfPoints, expected: Expectation) -> Points:
    """Paragraph 4: K · (S − E)."""
    return k * (score * (SCORE_SCALE // 2) - expected)


def with_game(so_far: Sums, standing: Standing, side: Side, p: Parameters) -> Sums:
    """One game more; who has no rating yet sums up those of the opponents."""
    if standing.rating == NO_RATING:
        return one_more(so_far, side.score, 0, side.opponent * SCORE_SCALE)
    k = coefficient(standing.games, p)
    expected = expected_score(difference(side.own, side.opponent, p.most_difference))
    return one_more(so_far, side.score, expected, game_change(k, side.score, expected))


@paragraph("5", "score {score}, expected {expected}: bonus {value}", silent=0)
def bonus(score: HalfPoints, expected: Expectation, games: Games, p: Parameters) -> Difference:
    """Paragraph 5: 10 points for two points more than expected."""
    if games < p.new_games and not p.bonus_for_new:
        return 0
    above = score * (SCORE_SCALE // 2) - expected
    return p.bonus if above >= p.bonus_from * SCORE_SCALE else 0


@paragraph("6", "{rating} and the changes together {total}: {value}")
def with_changes(rating: Rating, total: Points) -> ExactRating:
    """Paragraph 6: the rating, the changes and the bonus."""
    return rating * SCORE_SCALE + total


@paragraph("6", "no rating is less than {value}")
def least_rating(p: Parameters) -> ExactRating:
    """Paragraph 6: the floor."""
    return p.floor * SCORE_SCALE


@paragraph("6", "new rating {value}")
def new_rating(exact: ExactRating) -> Rating:
    """Paragraph 6: rounded, a half upwards."""
    return half_up(exact, SCORE_SCALE)


def reckoned(standing: Standing, sums: Sums, p: Parameters) -> Sums:
    """All games together."""
    if sums.games == 0:
        return sums
    if standing.rating == NO_RATING:
        exact = first_rating(sums.total // SCORE_SCALE, sums.score, sums.games, p)
    else:
        points = bonus(sums.score, sums.expected, standing.games, p)
        exact = with_changes(standing.rating, sums.total + points * SCORE_SCALE)
    if exact < p.floor * SCORE_SCALE:
        exact = least_rating(p)
    return sums._replace(value=exact)


def leave(entered: Standing, value: Sums, p: Parameters) -> Standing:
    """The standing after the report."""
    if value.value == NO_RATING:
        return entered
    return Standing(new_rating(value.value), entered.games + value.games)


@paragraph("8", "{rating}, raised half of the way to 1400: {value}", edition="nowhere-2026")
def lifted(rating: Rating) -> Rating:
    """Paragraph 8: half of what a rating lacks to 1400, rounded half up."""
    return rating + half_up(1400 - rating, 2)


def reformed(standing: Standing, p: Parameters) -> Standing:
    """A standing of the list of 1 January 2026."""
    if standing.rating == NO_RATING or standing.rating >= 1400:
        return standing
    return Standing(lifted(standing.rating), standing.games)


NOWHERE = Bulk(
    counts=against_rated,
    fold=summed(with_game, reckoned),
    leave=leave,
    assumed=assumed,
    calendar=Calendar(lists_every(3)),
    reformed=reformed,
)
