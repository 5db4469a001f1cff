"""Rating lists: what an edition prints of its players on a day, and whom it leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ratingbook.model import Entry, Standing
from ratingbook.model.sentences import made_of
from ratingbook.rules.rounding import as_published

_UNPUBLISHED = "its rating is not published yet"


@dataclass(frozen=True, slots=True)
class Member:
    """A player as the list maker sees him.

    ``period_games`` are the games of the period that ends with this list, None
    where the standings do not say.  ``coefficient`` is the K by which an event would be rated
    that begins with the list, None where the rules have none or the standings do not say.
    ``unpublished``: the rating is not in force, so no list but one for offices has it.
    """

    entry: Entry
    period_games: int | None = None
    coefficient: int | None = None
    unpublished: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list; ``numeric`` ones are set right."""

    key: str
    title: str
    numeric: bool = False


def columns_in(text: str) -> tuple[Column, ...]:
    """Columns written short: ``id = ID Number; rating = Rating #``, with # where it is numeric."""
    named = (each.split(" = ") for each in " ".join(text.split()).split("; "))
    return tuple(
        Column(key, title.removesuffix(" #"), title.endswith(" #")) for key, title in named
    )


@dataclass(frozen=True, slots=True)
class NotListed:
    """A player who is left out, and why, with the paragraph that says so."""

    id: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Statistics:
    """A table beside the list."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, object], ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of a day, ready to be printed; ``facts`` are its dates and rules, in words."""

    title: str
    day: date
    facts: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, object], ...]
    not_listed: tuple[NotListed, ...]
    statistics: tuple[Statistics, ...] = ()


def facts_of(patterns: Iterable[str], **words: object) -> tuple[str, ...]:
    """The dates and rules of a list; whoever knows the patterns can tell them in any language."""
    return tuple(made_of(each, words) for each in patterns)


def with_published(members: Sequence[Member], decimals: int | None) -> list[Member]:
    """The players with their ratings as they are published; None: nobody says how they are.

    What else a list tells of a rating, the place and the grade, is of the number that it prints.
    """
    if decimals is None:
        return list(members)
    return [_with_published(each, decimals) for each in members]


def _with_published(member: Member, decimals: int) -> Member:
    standing = member.entry.standing
    if standing is None or standing.rating is None:
        return member
    rating = as_published(float(standing.rating), decimals)
    if rating == standing.rating:
        return member
    shown = replace(standing, rating=rating if decimals else int(rating))
    return replace(member, entry=replace(member.entry, standing=shown))


def by_rating(members: Sequence[Member]) -> list[Member]:
    """The order of a list: by rating, the best first, then by name and id."""
    return sorted(
        members,
        key=lambda m: (-rating_of(m), m.entry.name.casefold(), m.entry.id),
    )


def rating_of(member: Member) -> float:
    """The rating of a listed player."""
    standing = member.entry.standing
    return standing.rating if standing and standing.rating is not None else 0


def row_of(
    member: Member, columns: Sequence[Column], own: Mapping[str, object]
) -> Mapping[str, object]:
    """What the columns tell of a player; ``own`` are those of the edition itself."""
    entry, standing = member.entry, member.entry.standing or Standing()
    said: dict[str, object] = {
        "id": entry.id,
        "name": entry.name,
        "federation": entry.federation,
        "sex": {"w": "F", "m": "M"}.get(entry.sex or ""),
        "title": entry.title,
        "rating": rating_of(member),
        "games": standing.games,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "status": standing.status,
        "last_played": standing.last_played,
        "period_games": member.period_games,
        "k": member.coefficient,
    }
    said |= {"country": entry.federation, **own}
    return {column.key: said[column.key] for column in columns}


def placed(listed: Sequence[Member]) -> list[tuple[int, Member]]:
    """The players of a list with their positions in it; equal ratings share the first one's."""
    first: dict[float, int] = {}
    return [(first.setdefault(rating_of(each), at), each) for at, each in enumerate(listed, 1)]


def divided(
    members: Sequence[Member], reason: Callable[[Member], str | None], *, office: bool = False
) -> tuple[list[Member], tuple[NotListed, ...]]:
    """The players who are listed, in the order of the list, and those who are not.

    ``reason`` says why a player is not, or None; whose rating is not published is on no list but
    those that an ``office`` asks for.
    """
    listed: list[Member] = []
    left_out: list[NotListed] = []
    for member in members:
        why = reason(member)
        if why is None and member.unpublished and not office:
            why = _UNPUBLISHED
        if why is None:
            listed.append(member)
        else:
            left_out.append(NotListed(member.entry.id, member.entry.name, why))
    left_out.sort(key=lambda left: (left.name.casefold(), left.id))
    return by_rating(listed), tuple(left_out)


def months_between(earlier: date, later: date) -> int:
    """Whole calendar months from one month to another, days apart."""
    return 12 * (later.year - earlier.year) + later.month - earlier.month
