"""Paragraphs 2 and 11: the rating with which a player enters an event."""

from __future__ import annotations

from ratingbook.rules.egf.columns import NO_GRADE, GradeIndex, Parameters
from ratingbook.rules.egf.grades import grade_name
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating


@paragraph(
    "11",
    "entered as {entered}, highest grade so far {best}: {above} higher, a reset takes "
    "{p.reset_grades}: reset",
    otherwise="entered as {entered}, highest grade so far {best}: {above} higher, a reset takes "
    "{p.reset_grades}: no reset",
)
def is_reset(above: int, entered: str, best: str, p: Parameters) -> bool:
    """Paragraph 11: whether a player enters so many grades above the highest so far."""
    return above >= p.reset_grades


@paragraph("11", "reset from {rating} to the rating of the grade, {value}")
def reset_upward(rating: FloatRating, nominal: FloatRating) -> FloatRating:
    """Paragraph 11: set to the nominal rating of the new grade; never downward."""
    return max(rating, nominal)


@paragraph("11", "set from {rating} to {decided} by decision of the office")
def reset_by_office(rating: FloatRating, decided: FloatRating) -> FloatRating:
    """Paragraph 11 (1998: "in certain cases"): a reset that the office decided."""
    del rating
    return decided


def entry_rating(
    rating: float, nominal: float, grade: GradeIndex, highest: GradeIndex, p: Parameters
) -> float:
    """Paragraph 11 as a whole, for a player whom the pool knows."""
    if p.reset_grades == 0 or nominal <= rating or NO_GRADE in (grade, highest):
        return rating
    above = grade - highest
    if above > 0 and is_reset(above, grade_name(grade), grade_name(highest), p):
        return reset_upward(rating, nominal)
    return rating
