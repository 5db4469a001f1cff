"""Paragraph 7: the list, and who is not on it because of inactivity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from ratingbook.rules.egf.columns import Parameters
from ratingbook.rules.egf.grades import grade_name, grade_of_rating
from ratingbook.rules.listing import (
    Listing,
    Member,
    columns_in,
    divided,
    facts_of,
    months_between,
    placed,
    rating_of,
    row_of,
    with_published,
)
from ratingbook.rules.paragraph import paragraph

COLUMNS = columns_in("""
    position = Pos #; id = PIN; name = Name; country = Country; grade = Grade; rating = GoR #;
    games = Games #; last_played = Last event
""")

_DAN_YEARS = 2
_KYU_MONTHS = 12
_LOWER_KYU_MONTHS = 6
_LOWER_KYU = -11
"""Index of 11 kyu."""


@paragraph("7", "grade {grade}, {years} years and {months} months without play: inactive: {value}")
def is_inactive(grade: int, years: int, months: int) -> bool:
    """Paragraph 7: 2 years (dan), 12 months (1–10 kyu), 6 months (11 kyu and below).

    ``years`` and ``months`` are calendar ones since the last event; the current one
    does not count.
    """
    if grade >= 0:
        return years - 1 >= _DAN_YEARS
    limit = _LOWER_KYU_MONTHS if grade <= _LOWER_KYU else _KYU_MONTHS
    return months - 1 >= limit


FACTS = (
    "without players who did not play for 2 years (dan), 12 months (1–10 kyu) or 6 months "
    "(11 kyu and below), the current period not counted; their ratings are kept",
)


def listing(members: Sequence[Member], day: date, p: Parameters) -> Listing:
    """The list of a day."""
    published = with_published(members, p.decimals)
    listed, left_out = divided(published, lambda member: reason_left_out(member, day))
    return Listing(
        title=f"European rating list of {day}",
        day=day,
        facts=facts_of(FACTS),
        columns=COLUMNS,
        rows=tuple(_row(place, member) for place, member in placed(listed)),
        not_listed=left_out,
    )


def reason_left_out(member: Member, day: date) -> str | None:
    """Why a player is not on the list, or None; without a last event nobody is inactive."""
    standing = member.entry.standing
    if standing is None or standing.rating is None:
        return "has no rating"
    last = standing.last_played
    if last is None:
        return None
    grade = grade_of_rating(standing.rating)
    if is_inactive(grade, day.year - last.year, months_between(last, day)):
        return f"last played on {last}: inactive as {grade_name(grade)} (paragraph 7)"
    return None


def _row(place: int, member: Member) -> Mapping[str, object]:
    grade = member.entry.grade or grade_name(grade_of_rating(rating_of(member)))
    own = {"position": place, "grade": grade}
    return row_of(member, COLUMNS, own)
