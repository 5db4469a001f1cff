"""The FIDE list: who is published, and who is marked as inactive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from ratingbook.model import StandingStatus
from ratingbook.rules.fide.columns import Parameters, Pool
from ratingbook.rules.fide.lists import closing_days, list_in_force
from ratingbook.rules.listing import (
    Column,
    Listing,
    Member,
    columns_in,
    divided,
    facts_of,
    months_between,
    row_of,
)

_COLUMNS = """
    id = ID Number; name = Name; federation = Fed; sex = Sex; title = Title; rating = Rating #;
    period_games = Gms #; {k}flag = Flag
"""
COLUMNS = columns_in(_COLUMNS.format(k=""))
"""The columns of FIDE's own list, without the year of birth, which betrays an age.

Gms are the rated games of the period.
"""
WITH_K = columns_in(_COLUMNS.format(k="k = K #; "))
"""The same where it is known by which K everybody is rated next."""

FACTS = (
    "in force from {day} until the next list",
    "events that ended at least {n} days before",
    "i: inactive, no rated game in a year; w: woman",
)
_INACTIVE_MONTHS = 12


def listing(members: Sequence[Member], day: date, p: Parameters) -> Listing:
    """The list in force on a day."""
    listed, left_out = divided(members, lambda member: reason_left_out(member, p))
    of = list_in_force(day)
    pool = "" if p.pool == Pool.STANDARD else f"{p.pool.name.lower()} "
    columns = WITH_K if any(each.coefficient is not None for each in listed) else COLUMNS
    return Listing(
        title=f"FIDE {pool}rating list of {of}",
        day=of,
        facts=facts_of(FACTS, day=of, n=closing_days(of)),
        columns=columns,
        rows=tuple(_row(member, of, columns) for member in listed),
        not_listed=left_out,
    )


def reason_left_out(member: Member, p: Parameters) -> str | None:
    """Why a player is not on the list, or None."""
    standing = member.entry.standing
    if standing is None or standing.rating is None:
        return "has no rating"
    if standing.status is StandingStatus.UNRATED:
        return f"no published rating yet: {standing.games or 0} games of {p.first_games} (6e)"
    if standing.rating < p.floor:
        return f"{standing.rating:g} is below the floor of {p.floor} (2e)"
    if standing.status is StandingStatus.UNLISTED:
        return "fell below the floor, and has no published rating since (2e)"
    return None


def is_inactive(member: Member, day: date) -> bool:
    """Paragraph 10: no rated game in a year; an unknown last day of play does not count."""
    standing = member.entry.standing
    last = standing.last_played if standing else None
    return last is not None and months_between(last, day) > _INACTIVE_MONTHS


def _row(member: Member, day: date, columns: Sequence[Column]) -> Mapping[str, object]:
    flag = "w" if member.entry.sex == "w" else ""
    flag += "i" if is_inactive(member, day) else ""
    return row_of(member, columns, {"flag": flag or None})
