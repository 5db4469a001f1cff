"""Whom and what somebody looks for: names in any script, numbers of registers, events, clubs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from ratingbook.office.acts.people import portions, said_of
from ratingbook.office.acts.public import public_people
from ratingbook.office.acts.searching import by_number_or_name
from ratingbook.office.logic.names import WHOLE_WORDS
from ratingbook.office.logic.stable import slug
from ratingbook.office.store import models as m
from ratingbook.site.answers import Table
from ratingbook.site.shown.events import EventRow, rows_of_events
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.persons import merged_persons, not_public
from ratingbook.site.shown.pools import Published, published

MOST = 50
"""Players that are shown; who looks for more says more."""
_MOST_OTHERS = 10
_LONGEST = 100
_OF_EVERY_LIST = "rating list"
"""Of what titles of lists mostly say."""
_YEAR = re.compile(r"[12][0-9]{3}", re.ASCII)
_LETTER = re.compile(r"[^\W\d_]")
_DAY = re.compile(r"[12][0-9]{3}(-[0-9]{2}){0,2}", re.ASCII)
"""A year, a month or a day: other digits alone are in the days of events by chance."""
_LEAST_OF_EVENTS = 3
"""Letters from which on events, clubs and lists are looked for; of signs each can be a word."""
_EVENTS_LOOKED_AT = 100
"""Of those in whose keys signs stand as syllables, which may be parts of other words."""


@dataclass(frozen=True)
class PlayerFound:
    """A player as a search shows one; ``ratings`` by the names of pools, as officially listed."""

    id: int
    name: str
    also: tuple[str, ...]
    """Other names by which the office knows the person."""
    federation: str
    club: str
    numbers: tuple[tuple[str, str], ...]
    ratings: tuple[tuple[str, float | None, int], ...]
    """Pool, number and its decimals."""


@dataclass(frozen=True)
class ListFound:
    """A list in its newest revision."""

    pool: str
    day: date
    title: str


@dataclass(frozen=True)
class Found:
    """What a search found."""

    query: str
    club: str
    players: tuple[PlayerFound, ...]
    there_are_more: bool
    events: tuple[EventRow, ...]
    clubs: tuple[tuple[str, int], ...]
    lists: tuple[ListFound, ...]
    """The newest ones by whose pool or title the text goes."""
    only: int | None
    """The one person whose number was asked for."""

    @property
    def is_short(self) -> bool:
        """Whether only players were looked for."""
        return not _is_long(self.query)


def search(query: str, club: str = "") -> Found:
    """All that goes by a text, or the members of a club."""
    query = " ".join(query.replace("\0", " ").split())[:_LONGEST]
    club = club.replace("\0", " ").strip()[:_LONGEST]
    merged, in_force = merged_persons(), published()
    if club:
        people = _public(_members(club, merged))
        return Found(
            query,
            club,
            _described(people[:MOST], merged, in_force),
            len(people) > MOST,
            (),
            (),
            (),
            None,
        )
    if not query:
        return Found("", "", (), False, (), (), (), None)
    numbered, named = by_number_or_name(query, merged)
    numbered = _public([merged.get(each, each) for each in numbered])
    named = _public(named)
    people = list(dict.fromkeys([*numbered, *named]))
    only = numbered[0] if len(set(numbered)) == 1 and not named else None
    events: tuple[EventRow, ...] = ()
    clubs: tuple[tuple[str, int], ...] = ()
    lists: tuple[ListFound, ...] = ()
    if only is None and _is_long(query):
        events = _events(query, in_force)
        clubs = _clubs(query)
        lists = _lists(query, in_force)
    return Found(
        query,
        "",
        _described(people[:MOST], merged, in_force),
        len(people) > MOST,
        events,
        clubs,
        lists,
        only,
    )


def table(found: Found) -> Table:
    """The players that were found."""
    return Table(
        ("id", "name", "federation", "club"),
        [(each.id, each.name, each.federation, each.club) for each in found.players],
    )


def _public(people: Sequence[int]) -> list[int]:
    """The first of those of whom something is published, one more than a page shows."""
    found: list[int] = []
    for some in portions(people):
        hidden = not_public(frozenset(some))
        found += [each for each in some if each not in hidden]
        if len(found) > MOST:
            break
    return found[: MOST + 1]


def _members(club: str, merged: Mapping[int, int]) -> list[int]:
    people = _clubs_said().filter(value=club).order_by("person").values_list("person", flat=True)
    return list(dict.fromkeys(merged.get(each, each) for each in people))


def _is_long(query: str) -> bool:
    """Whether a text says enough for others than players to be looked for."""
    return len(query) >= _LEAST_OF_EVENTS or WHOLE_WORDS.search(query) is not None


def _fold(text: str) -> str:
    """A text without cases: databases fold letters of no other script than Latin, or none."""
    return unicodedata.normalize("NFKC", text).casefold()


def _events(query: str, in_force: Mapping[int, Published]) -> tuple[EventRow, ...]:
    wanted = slug(query)
    if not (_LETTER.search(wanted) or _DAY.fullmatch(query)):
        return ()
    if not WHOLE_WORDS.search(query):
        return tuple(rows_of_events(in_force, like=wanted, most=_MOST_OTHERS))
    found = rows_of_events(in_force, like=wanted, most=_EVENTS_LOOKED_AT)
    said, word = _fold(query), f"-{wanted}-"
    named = (each for each in found if said in _fold(each.name) or word in f"-{slug(each.name)}-")
    return tuple(islice(named, _MOST_OTHERS))


def _lists(query: str, in_force: Mapping[int, Published]) -> tuple[ListFound, ...]:
    """The newest lists in whose pool, rule book, title or year all words of a text stand."""
    about = {
        number: _fold(f"{each.pool.name} {each.pool.rulebook}") for number, each in in_force.items()
    }
    found = m.List.objects.order_by("-date", "pool")
    for word in _fold(query).split():
        pools = [number for number, text in about.items() if word in text]
        is_year = _YEAR.fullmatch(word) is not None
        # Most of what is looked for is somebody's name.
        if not (is_year or pools or word in _OF_EVERY_LIST):
            return ()
        day = Q(date__year=int(word)) if is_year else Q()
        found = found.filter(Q(pool__in=pools) | Q(title__icontains=word) | day)
    rows = found.values_list("pool__name", "date", "title").distinct()
    return tuple(ListFound(*row) for row in dict.fromkeys(rows[:_MOST_OTHERS]))


def _clubs(query: str) -> tuple[tuple[str, int], ...]:
    wanted = _fold(query)
    called = [club for club, folded in _all_clubs() if wanted in folded]
    some = range(0, len(called), MOST)
    found = (each for at in some for each in _with_members(called[at : at + MOST]))
    return tuple(islice(found, _MOST_OTHERS))


def _clubs_said() -> QuerySet[m.PersonAttribute]:
    return m.PersonAttribute.objects.filter(key="club", revoked_by__isnull=True)


@by_ledger
def _all_clubs() -> tuple[tuple[str, str], ...]:
    """Each club as it is written and without cases, be its members public or not."""
    clubs = _clubs_said().order_by("value").values_list("value", flat=True).distinct()
    return tuple((club, _fold(club)) for club in clubs)


def _with_members(clubs: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Those of some clubs that have members of whom something is published, and how many."""
    own = _clubs_said().filter(value__in=clubs, person__in=public_people())
    counts = own.values("value").annotate(n=Count("person", distinct=True)).order_by("value")
    return ((each["value"], each["n"]) for each in counts)


def _described(
    people: Sequence[int], merged: Mapping[int, int], in_force: Mapping[int, Published]
) -> tuple[PlayerFound, ...]:
    """What is shown of persons, in their order."""
    every = {*people, *(source for source, target in merged.items() if target in set(people))}
    names: dict[int, dict[str, str]] = {}
    about: dict[int, dict[str, str]] = {}
    numbers: dict[int, list[tuple[str, str]]] = {}
    for each in said_of(every):
        who = merged.get(each.person, each.person)
        if each.what == "name":
            kind = each.key if each.person in people else "variant"
            names.setdefault(who, {}).setdefault(each.value, kind)
        elif each.what == "number":
            numbers.setdefault(who, []).append((each.key, each.value))
        elif each.person in people:
            about.setdefault(who, {})[each.key] = each.value
    ratings = _ratings(people, in_force)
    found = []
    for person in people:
        own = names.get(person, {})
        main = next(
            (text for text, kind in own.items() if kind == "main"), _("Player {n}").format(n=person)
        )
        said = about.get(person, {})
        found.append(
            PlayerFound(
                person, main, tuple(text for text in own if text != main),
                said.get("federation", ""), said.get("club", ""), tuple(numbers.get(person, ())),
                tuple(ratings.get(person, ())),
            )
        )  # fmt: skip
    return tuple(found)


def _ratings(
    people: Sequence[int], in_force: Mapping[int, Published]
) -> dict[int, list[tuple[str, float | None, int]]]:
    """What stands of them on the newest lists."""
    pool_of = {each.list: number for number, each in in_force.items() if each.list}
    found: dict[int, list[tuple[str, float | None, int]]] = {}
    for some in portions(list(people)):
        rows = m.ListRow.objects.filter(list__in=list(pool_of), person__in=some).order_by("list")
        lines = rows.values_list("person", "list", "rating", "list__date")
        for person, number, value, day in lines:
            one = in_force[pool_of[number]]
            found.setdefault(person, []).append((one.pool.name, value, one.decimals_on(day)))
    return found
