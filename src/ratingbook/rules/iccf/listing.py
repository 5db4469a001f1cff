"""The ICCF list and its statistics by country.

The text prescribes neither who is inactive nor a numbering; what the booklet
prints about countries can no longer be made out from its remains.  The statistics
here are our own, and labelled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from ratingbook.rules.iccf.columns import Parameters
from ratingbook.rules.iccf.lists import list_in_force
from ratingbook.rules.listing import (
    Listing,
    Member,
    Statistics,
    columns_in,
    divided,
    facts_of,
    months_between,
    rating_of,
    row_of,
)

COLUMNS = columns_in("""
    id = ID; country = Country; title = Title; name = Name; games = Games #; rating = Rating #;
    gender = Gender
""")
"""The columns of ICCF's own list."""

COUNTRY_COLUMNS = columns_in("""
    country = Country; listed = Listed #; fixed = Fixed #; provisional = Provisional #;
    inactive = Inactive #; women = Women #; games = Games in the period #
""")


FACTS = (
    "in force from {taking.valid_from} to {taking.valid_until}",
    "results reported from {taking.reports_from} to {taking.reports_until}",
    "published on {taking.published}",
)


def listing(members: Sequence[Member], day: date, p: Parameters) -> Listing:
    """The list in force on a day."""
    listed, left_out = divided(members, lambda member: reason_left_out(member, p))
    taking = list_in_force(day)
    return Listing(
        title=f"ICCF rating list {taking.name}",
        day=taking.valid_from,
        facts=facts_of(FACTS, taking=taking),
        columns=COLUMNS,
        rows=tuple(_row(member) for member in listed),
        not_listed=left_out,
        statistics=(by_country(listed, taking.valid_from, p),),
    )


def reason_left_out(member: Member, p: Parameters) -> str | None:
    """Why a player is not on the list (reading A14), or None."""
    standing = member.entry.standing
    if standing is None or standing.rating is None:
        return "has no rating (item 14)"
    if standing.games is not None and standing.games < p.publication_minimum:
        return (
            f"has {standing.games} rated games; a rating is published from "
            f"{p.publication_minimum} on"
        )
    return None


def _row(member: Member) -> Mapping[str, object]:
    sex = {"w": "F", "m": "M"}.get(member.entry.sex or "")
    return row_of(member, COLUMNS, {"rating": int(rating_of(member)), "gender": sex})


def is_inactive(member: Member, day: date, p: Parameters) -> bool:
    """Reading A27: no rated game within the months of the setting; unknown counts as active."""
    standing = member.entry.standing
    last = standing.last_played if standing else None
    return last is not None and months_between(last, day) > p.inactive_months


def by_country(members: Sequence[Member], day: date, p: Parameters) -> Statistics:
    """For each country who is listed, and how much they played."""
    countries: dict[str, list[Member]] = {}
    for member in members:
        countries.setdefault(member.entry.federation or "–", []).append(member)
    return Statistics(
        "By country",
        COUNTRY_COLUMNS,
        tuple(_country(name, countries[name], day, p) for name in sorted(countries)),
    )


def _country(name: str, members: Sequence[Member], day: date, p: Parameters) -> dict[str, object]:
    known = [m.period_games for m in members if m.period_games is not None]
    fixed = sum(_is_fixed(member, p) for member in members)
    return {
        "country": name,
        "listed": len(members),
        "fixed": fixed,
        "provisional": len(members) - fixed,
        "inactive": sum(is_inactive(member, day, p) for member in members),
        "women": sum(member.entry.sex == "w" for member in members),
        "games": sum(known) if known else None,
    }


def _is_fixed(member: Member, p: Parameters) -> bool:
    standing = member.entry.standing
    games = standing.games if standing else None
    return games is None or games >= p.fixed_games
