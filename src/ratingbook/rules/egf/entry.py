"""Paragraphs 2 and 11: the rating with which a player enters an event."""

from __future__ import annotations

from ratingbook.rules.egf.columns import NO_GRADE, GradeIndex, Parameters
from ratingbook.rules.egf.grades import grade_name
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating


def takes_reset(above: int, p: Parameters) -> bool:
    """Paragraph 11: whether so many grades above the highest so far take a reset."""
    return above >= p.reset_grades


@paragraph(
    "11",
    "entered as {entered}, highest grade so far {best}: {above} higher, a reset takes "
    "{p.reset_grades}: reset",
    otherwise="entered as {entered}, highest grade so far {best}: {above} higher, a reset takes "
    "{p.reset_grades}: no reset",
)
def is_reset(above: int, entered: str, best: str, p: Parameters) -> bool:
    """Paragraph 11: whether a player enters so many grades above the highest so far."""
    return takes_reset(above, p)


@paragraph("11", "reset from {rating} to the rating of the grade, {value}")
def reset_upward(rating: FloatRating, nominal: FloatRating) -> FloatRating:
    """Paragraph 11: set to the nominal rating of the new grade; never downward."""
    return max(rating, nominal)


@paragraph("11", "set from {rating} to {decided} by decision of the office")
def reset_by_office(rating: FloatRating, decided: FloatRating) -> FloatRating:
    """Paragraph 11 (1998: "in certain cases"): a reset that the office decided."""
    del rating
    return decided


def grades_above(
    rating: float, nominal: float, grade: GradeIndex, highest: GradeIndex, p: Parameters
) -> int:
    """Grades above the highest so far, where a reset can come from them; else 0."""
    if p.reset_grades == 0 or nominal <= rating or NO_GRADE in (grade, highest):
        return 0
    return max(0, grade - highest)


def entry_rating(
    rating: float, nominal: float, grade: GradeIndex, highest: GradeIndex, p: Parameters
) -> float:
    """Paragraph 11 as a whole, for a player whom the pool knows."""
    above = grades_above(rating, nominal, grade, highest, p)
    if above > 0 and is_reset(above, grade_name(grade), grade_name(highest), p):
        return reset_upward(rating, nominal)
    return rating


def entry_rating_unexplained(
    rating: float, nominal: float, grade: GradeIndex, highest: GradeIndex, p: Parameters
) -> float:
    """The same without the names of the grades, which only words need."""
    above = grades_above(rating, nominal, grade, highest, p)
    if above > 0 and takes_reset(above, p):
        return reset_upward(rating, nominal)
    return rating
