"""Section 1, Steps 3 to 5, and the one round of a match and of a FIDE event."""

from __future__ import annotations

from collections.abc import Sequence

from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating, Games
from ratingbook.rules.uscf.columns import (
    Assigned,
    Formula,
    Kind,
    Parameters,
    Previous,
    Reckoning,
    Side,
    Stage,
    Standing,
    stage_name,
)
from ratingbook.rules.uscf.special import special_rating
from ratingbook.rules.uscf.standard import standard_rating

ABSOLUTE_FLOOR = 100.0

GAMES_OF_STEP_3 = 1.0
"""N' of unrated players in Step 3, which centres their ratings."""


@paragraph("2.4", "{rating} is below the absolute floor: {value}")
def absolute_floor(rating: FloatRating) -> FloatRating:
    """2.4, and Steps 3 to 5: no rating is lower than 100."""
    return max(rating, ABSOLUTE_FLOOR)


@paragraph("1.4", "{stage}: N = {games}, earlier results {previous}; so the {value} formula")
def formula_for(games: Games, previous: Previous, p: Parameters, stage: str) -> Formula:
    """Step 4: special for N ≤ 8 or after nothing but wins or losses, else standard."""
    return formula_by(games, previous, p)


@paragraph("1.5", "Step 5: the {formula} formula again, with the opponents' intermediate ratings")
def formula_again(formula: Formula) -> Formula:
    """Step 5: the formula of Step 4."""
    return formula


def formula_by(games: int, previous: Previous, p: Parameters) -> Formula:
    """Which formula Step 4 takes.

    N is the number played or assigned, never N'.  An unrated player with more than
    8 assigned games has no earlier results to look at (reading U3).
    """
    if games <= p.special_games:
        return Formula.SPECIAL
    if previous == Previous.NONE and p.assigned_games == Assigned.STANDARD:
        return Formula.STANDARD
    if previous == Previous.MIXED:
        return Formula.STANDARD
    return Formula.SPECIAL


@paragraph("4.4.3", otherwise="a match: no bonus", silent=True)
def can_have_bonus(kind: Kind) -> bool:
    """4: the bonus formula does not apply to matches."""
    return kind != Kind.MATCH


def reckoned(
    standing: Standing,
    sides: Sequence[Side],
    formula: Formula,
    effective: float,
    p: Parameters,
    stage: Stage,
) -> Reckoning:
    """The rating by a formula, not below 100, with what the sides come to."""
    score = 0
    wins = 0
    draws = 0
    for side in sides:
        score += side.score
        if side.score == 2:
            wins += 1
        if side.score == 1:
            draws += 1
    expected = 0
    rating = standing.rating
    if formula == Formula.SPECIAL:
        rating = special_rating(standing, sides, effective, p, stage)
    elif formula == Formula.STANDARD:
        standard = standard_rating(standing, sides, can_have_bonus(standing.kind), p, stage)
        rating = standard.rating
        expected = standard.expected
    if rating < ABSOLUTE_FLOOR:
        rating = absolute_floor(rating)
    return Reckoning(rating, formula, len(sides), score, expected, wins, draws)


def idle(standing: Standing) -> Reckoning:
    """What a player without a game counts as."""
    return Reckoning(standing.rating, Formula.NONE, 0, 0, 0, 0, 0)


@paragraph(
    "1.3",
    "Step 3: unrated with N = 0, so opponents count with a first estimate, made with N' = 1",
    silent=False,
)
def needs_first_estimate(rated: bool, games: Games) -> bool:
    """Step 3: for unrated players to whom Step 1 gives N = 0."""
    return not rated and games == 0


@paragraph("1.3", "Step 3: for their opponents in Step 4 they count as {rating}")
def estimate_of_step_3(rating: FloatRating) -> FloatRating:
    """Step 3: the estimate, which is used as an opponent's rating in Step 4 only."""
    return rating


def step_3(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """Step 3: opponents count with the rating before the event, or that of Step 1."""
    if len(sides) == 0 or not needs_first_estimate(standing.rated, standing.games):
        return idle(standing)
    value = reckoned(standing, sides, Formula.SPECIAL, GAMES_OF_STEP_3, p, Stage.STEP_3)
    estimate_of_step_3(value.value)
    return value


@paragraph("1.4", "Step 4: intermediate rating {rating}")
def rating_of_step_4(rating: FloatRating) -> FloatRating:
    """Step 4: the intermediate rating, an opponent's rating in Step 5."""
    return rating


def step_4(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """Step 4: opponents count as after Step 3, the player with R0."""
    if len(sides) == 0:
        return idle(standing)
    formula = formula_for(standing.games, standing.previous, p, stage_name(Stage.STEP_4))
    value = reckoned(standing, sides, formula, standing.effective, p, Stage.STEP_4)
    rating_of_step_4(value.value)
    return value


@paragraph("1.5", "Step 5: rating before floors and rounding: {rating}")
def rating_of_step_5(rating: FloatRating) -> FloatRating:
    """Step 5: the rating after the event, before floors and rounding."""
    return rating


def step_5(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """Step 5: Step 4 again from the same R0 and N', opponents counting as after Step 4."""
    if len(sides) == 0:
        return idle(standing)
    formula = formula_again(formula_by(standing.games, standing.previous, p))
    value = reckoned(standing, sides, formula, standing.effective, p, Stage.STEP_5)
    rating_of_step_5(value.value)
    return value


def match_round(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """Section 4: one round at the ratings before the match, without a bonus (reading U29)."""
    if len(sides) == 0:
        return idle(standing)
    formula = formula_for(standing.games, standing.previous, p, stage_name(Stage.MATCH))
    return reckoned(standing, sides, formula, standing.effective, p, Stage.MATCH)


@paragraph("3.4", "the standard formula, once: {rating}")
def rating_of_fide_event(rating: FloatRating) -> FloatRating:
    """Section 3: the standard formula, with bonus, is applied only once."""
    return rating


def fide_round(standing: Standing, sides: Sequence[Side], p: Parameters) -> Reckoning:
    """Section 3: one round against the opponents' converted FIDE ratings."""
    if len(sides) == 0:
        return idle(standing)
    value = reckoned(standing, sides, Formula.STANDARD, standing.effective, p, Stage.FIDE_EVENT)
    rating_of_fide_event(value.value)
    return value
