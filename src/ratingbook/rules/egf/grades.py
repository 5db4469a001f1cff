"""Paragraph 2: grades and the scale."""

from __future__ import annotations

import re
from typing import Annotated

from ratingbook.model.patterns import pattern
from ratingbook.rules.bulk import NOT_GIVEN
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Rating, Unit

NO_GRADE = NOT_GIVEN
"""No entry grade is known."""

_GRADE = pattern(r"\s*(\d{1,2})\s*(k|d|p)[a-z]*\.?\s*", re.IGNORECASE)
_GREATEST = {"k": 30, "d": 9, "p": 9}
_PROFESSIONAL = 6
"""Index of 7 dan, to which a professional of the first degree is equal."""
_DEGREE = 100
"""What each degree of a professional adds to the code."""


def grade_name(index: int) -> str:
    """The grade with that index, as players write it."""
    return f"{index + 1}d" if index >= 0 else f"{-index}k"


def code_name(code: int) -> str:
    """The grade with that code, as players write it."""
    return f"{code // _DEGREE}p" if code > _DEGREE else grade_name(code)


GradeIndex = Annotated[int, Unit("grade", words=grade_name)]
"""A grade as a number of steps: 1 kyu −1, 1 dan 0, 7 dan and professionals 6."""

GradeCode = Annotated[int, Unit("grade code", words=code_name)]
"""A grade as one number from which its nominal rating follows too: the index, and 100 a degree."""


def parsed_grade(text: str | None) -> tuple[int, str] | None:
    """Number and kind (k, d, p) of a grade such as 12k, 6 dan, 1P; None if it is not one."""
    match = _GRADE.fullmatch(text or "")
    if match is None:
        return None
    number, kind = int(match[1]), match[2].lower()
    return (number, kind) if 1 <= number <= _GREATEST[kind] else None


def grade_code(text: str | None) -> GradeCode:
    """A grade as one number: 1k −1, 1d 0, 1p 106, 2p 206; NO_GRADE for none."""
    grade = parsed_grade(text)
    if grade is None:
        return NO_GRADE
    number, kind = grade
    if kind == "p":
        return _PROFESSIONAL + _DEGREE * number
    return number - 1 if kind == "d" else -number


def index_of(code: GradeCode) -> GradeIndex:
    """The steps of a grade by its code; NO_GRADE for none."""
    return _PROFESSIONAL if code > _DEGREE else code


def nominal_rating(code: GradeCode) -> Rating:
    """1 dan = 2100, 100 points a grade; 1p = 7d = 2700, then 30 a degree.

    Without a grade there is none: the code must not be NO_GRADE.
    """
    if code > _DEGREE:
        return 2700 + 30 * (code // _DEGREE - 1)
    return 2100 + 100 * code


def grade_index(text: str | None) -> GradeIndex:
    """A grade in steps: 1k −1, 1d 0, 7d and professionals 6; NO_GRADE for none."""
    return index_of(grade_code(text))


def rating_of_grade(grade: str) -> Rating:
    """The nominal rating of a grade; raises ValueError if the text is not a grade."""
    code = grade_code(grade)
    if code == NO_GRADE:
        raise ValueError(f"{grade!r} is not a grade")
    return nominal_rating(code)


@paragraph("2", "no rating yet: the declared {grade} stands for {value}")
def initial_rating(grade: GradeCode) -> Rating:
    """Paragraph 2: the declared grade gives the initial rating."""
    return nominal_rating(grade)


def grade_of_rating(rating: float) -> GradeIndex:
    """The grade whose nominal rating is nearest, for statistics; a half upwards."""
    return int((rating - 2100 + 50) // 100)


def nearest_grade(rating: float) -> str:
    """That grade as players write it."""
    return grade_name(grade_of_rating(rating))
