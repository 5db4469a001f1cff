"""Paragraphs 2 and 11: the rating with which a player enters an event."""

from __future__ import annotations

from ratingbook.rules.egf.columns import NO_GRADE, GradeIndex, Parameters
from ratingbook.rules.egf.grades import grade_name
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import FloatRating


@paragraph("11", "entered as {entered}, {value} grades above {best}, the highest so far", silent=0)
def grades_above(grade: GradeIndex, highest: GradeIndex, entered: str, best: str) -> int:
    """Paragraph 11: how many grades a player enters above the highest previous entry grade."""
    del entered, best
    if NO_GRADE in (grade, highest):
        return 0
    return max(0, grade - highest)


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
    above = grades_above(grade, highest, grade_name(grade), grade_name(highest))
    return reset_upward(rating, nominal) if above >= p.reset_grades else rating
