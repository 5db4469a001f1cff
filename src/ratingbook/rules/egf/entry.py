"""Paragraphs 2 and 11: the rating with which a player enters an event."""

from __future__ import annotations

from ratingbook.rules.egf.change import at_floor
from ratingbook.rules.egf.columns import NO_RATING, Parameters, Standing
from ratingbook.rules.egf.grades import (
    NO_GRADE,
    GradeCode,
    GradeIndex,
    index_of,
    initial_rating,
    nominal_rating,
)
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating


@paragraph(
    "11",
    "entered as {entered}, highest grade so far {best}: {above} higher, a reset takes "
    "{p.reset_grades}: reset",
    otherwise="entered as {entered}, highest grade so far {best}: {above} higher, a reset takes "
    "{p.reset_grades}: no reset",
)
def is_reset(above: int, entered: GradeIndex, best: GradeIndex, p: Parameters) -> bool:
    """Paragraph 11: whether a player enters so many grades above the highest so far."""
    return above >= p.reset_grades


@paragraph("11", "reset from {rating} to the rating of the grade, {value}")
def reset_upward(rating: FloatRating, nominal: FloatRating) -> FloatRating:
    """Paragraph 11: set to the nominal rating of the new grade; never downward."""
    return max(rating, nominal)


@paragraph("11", "set from {rating} to {decided} by decision of the office")
def reset_by_office(rating: FloatRating, decided: FloatRating) -> FloatRating:
    """Paragraph 11 (1998: "in certain cases"): a reset that the office decided."""
    return decided


def first_rating(grade: GradeCode, p: Parameters) -> FloatRating:
    """Paragraph 2: the rating of a grade, not below the floor."""
    nominal = float(initial_rating(grade))
    return at_floor(nominal, p.floor) if nominal < p.floor else nominal


def rating_by_grade(standing: Standing, grade: GradeCode, p: Parameters) -> FloatRating:
    """Paragraph 11: the rating of a player who enters with a grade, and whom the pool knows."""
    nominal, index = float(nominal_rating(grade)), index_of(grade)
    if p.reset_grades == 0 or nominal <= standing.rating or standing.highest == NO_GRADE:
        return standing.rating
    above = index - standing.highest
    if above > 0 and is_reset(above, index, standing.highest, p):
        return reset_upward(standing.rating, nominal)
    return standing.rating


def entry_rating(standing: Standing, grade: GradeCode, p: Parameters) -> FloatRating:
    """Paragraphs 2 and 11: by the pool, by a higher grade, or for a newcomer by the grade."""
    if grade == NO_GRADE:
        return standing.rating
    if standing.rating == NO_RATING:
        return first_rating(grade, p)
    return rating_by_grade(standing, grade, p)
