"""The IECG list: the columns of II.5, without those whom III.3 and VIII.5 leave out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from ratingbook.model import Entry, Standing, StandingStatus
from ratingbook.rules.bulk import NO_NUMBER, NOT_GIVEN, status_code
from ratingbook.rules.iecg.columns import Known, Parameters
from ratingbook.rules.iecg.entries import standing_of
from ratingbook.rules.iecg.entry_rating import is_published
from ratingbook.rules.iecg.lists import (
    Period,
    class_number,
    intermediate_list_date,
    is_kept,
    is_listed,
    last_active,
    list_date,
    list_in_force,
    period_of,
)
from ratingbook.rules.listing import (
    Listing,
    Member,
    columns_in,
    divided,
    facts_of,
    placed,
    rating_of,
    row_of,
)

COLUMNS = columns_in("""
    position = Pos #; class_position = In class #; id = Number; name = Name; country = Country;
    rating = Rating #; ter = TER #; games = Games #; wins = Won #; draws = Drawn #; losses = Lost #
""")
"""II.5 a to i."""

IN_PROGRESS = "in_progress"
"""Key of a standing: the last day on which a game of the player was known to be in progress."""

OFFICE_COLUMNS = (*COLUMNS, *columns_in("status = Status"))
"""The tournament offices see what kind of rating it is."""


FACTS = (
    "published on {day}",
    "games finished up to the end of period {period.number} of {period.year}",
    "an intermediate list can follow on {next}",
)


def listing(
    members: Sequence[Member], day: date, p: Parameters, *, office: bool = False
) -> Listing:
    """The list in force on a day; tournament offices also see who is not yet published."""
    period = list_in_force(day)
    listed, left_out = divided(
        members, lambda member: _reason(member, period, p, office=office), office=office
    )
    in_class = _positions_in_class(listed, p)
    columns = OFFICE_COLUMNS if office else COLUMNS
    return Listing(
        title=f"IECG rating list {period.year}/{period.number}",
        day=list_date(period),
        facts=facts_of(
            FACTS,
            day=list_date(period),
            period=period,
            next=intermediate_list_date(_after(period)),
        ),
        columns=columns,
        rows=tuple(
            row_of(
                member,
                columns,
                {
                    "position": place,
                    "class_position": in_class[member.entry.id],
                    "ter": standing_of(known_in(member.entry), p).ter,
                },
            )
            for place, member in placed(listed)
        ),
        not_listed=left_out,
    )


def _after(period: Period) -> Period:
    return period_of(list_date(period))


def _reason(member: Member, period: Period, p: Parameters, *, office: bool) -> str | None:
    """Why a player is not on the list, or None; an unknown last day of play does not count."""
    standing = member.entry.standing
    if standing is None or standing.status is StandingStatus.STARTING or standing.rating is None:
        return "has no rating from games (III.2)"
    finished = period_of(standing.last_played) if standing.last_played else period
    seen = day_in(standing.extra.get(IN_PROGRESS))
    last = last_active(finished, period_of(seen) if seen else finished, p)
    if not is_kept(last, period, p):
        return "inactive for five years: deleted (VIII.5)"
    if not is_listed(last, period, p):
        return "inactive for a year (VIII.5)"
    if not office and not _is_public(standing, p):
        return f"provisional with {standing.games} games: not yet published (III.3)"
    return None


def day_in(text: object) -> date | None:
    """A day of a standing, as YYYY-MM-DD; None for anything else."""
    try:
        return date.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None


def _is_public(standing: Standing, p: Parameters) -> bool:
    if standing.status is StandingStatus.ESTABLISHED or standing.games is None:
        return True
    return is_published(standing.games, p)


def _positions_in_class(listed: Sequence[Member], p: Parameters) -> Mapping[str, int]:
    """II.5 b: the position of each among the listed players of the same class."""
    classes: dict[int, list[Member]] = {}
    for member in listed:
        classes.setdefault(class_number(int(rating_of(member)), p), []).append(member)
    return {member.entry.id: place for own in classes.values() for place, member in placed(own)}


def known_in(entry: Entry) -> Known:
    """The standing of a player as the rules read it."""

    def number(value: object) -> float:
        return float(value) if isinstance(value, int | float) else NO_NUMBER

    standing = entry.standing or Standing()
    return Known(
        rating=number(standing.rating),
        games=NOT_GIVEN if standing.games is None else standing.games,
        status=status_code(standing.status or ""),
        starting_rating=number(standing.extra.get("starting_rating")),
        ter=number(standing.extra.get("ter")),
        history=len(entry.history),
    )
