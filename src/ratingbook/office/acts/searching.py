"""Persons who are looked for: by a number, or by a name in any script and nearly any spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Q, QuerySet, Value

from ratingbook.model.sentences import sentence
from ratingbook.office.acts.people import (
    Found,
    found_of,
    live_at,
    merges,
    portions,
)
from ratingbook.office.limits import NAME, is_id, refuse_long
from ratingbook.office.logic.names import Form, as_given, bones, folded, form
from ratingbook.office.store import models as m

_MOST_LOOKED_AT = 3000
_NUMBERED = re.compile(r"(?:№|#|n[or]\.?)\s*([0-9]+)", re.IGNORECASE | re.ASCII)
"""A number with its sign, which is no part of it, nor of any name."""
_HIGHEST = "\U0010ffff"
_TELLING = 3
"""Letters from which on an initial with consonants tells a name."""


def search(query: str, limit: int = 50, upto: int | None = None) -> list[Found]:
    """Persons by number, by a number of a register, or by a name.

    Where nobody goes by the name, and of what was known at a fact, by a part as it is written.
    """
    return search_some(query, limit, upto)[0]


def search_some(
    query: str, limit: int | None = 50, upto: int | None = None
) -> tuple[list[Found], int]:
    """The first of them, or all without a limit; and how many there are."""
    query = _bounded(query)
    if not query:
        every = m.Person.objects.order_by("id")
        if upto is not None:
            every = every.filter(made_by__lte=upto)
        first = list(every.values_list("id", flat=True)[:limit])
        return _found(first, upto), every.count()
    numbered, named = (
        by_number_or_name(query, merges()) if upto is None else (by_number(query, upto), [])
    )
    if named:
        people = list(dict.fromkeys([*numbered, *named]))
        return _found(people[:limit], upto), len(people)
    names = m.PersonName.objects.filter(live_at(upto), text__icontains=query)
    called = names.order_by("person").values_list("person", flat=True).distinct()
    people = list(dict.fromkeys([*numbered, *called[:limit]]))
    others = called.exclude(person__in=numbered).count() if numbered else called.count()
    return _found(people[:limit], upto), len(dict.fromkeys(numbered)) + others


def _bounded(query: str) -> str:
    """What a database is asked for: SQLite takes no pattern of 50,000 bytes, and no name has 200.

    Whoever searches is told here, whichever way the query came.
    """
    query = query.strip()
    refuse_long(query, NAME, sentence("What is looked for"))
    numbered = _NUMBERED.fullmatch(query)
    return numbered[1] if numbered else query


def _found(people: Sequence[int], upto: int | None) -> list[Found]:
    return [each for some in portions(people) for each in found_of(some, upto)]


def by_number(query: str, upto: int | None = None) -> list[int]:
    """Who has that number, here or in a register; as known at a fact."""
    query = _bounded(query)
    ids = m.ExternalId.objects.filter(live_at(upto), value=query).order_by("id")
    return [*_by_own_number(query, upto), *ids.values_list("person", flat=True)]


def _by_own_number(query: str, upto: int | None = None) -> Iterable[int]:
    """The person who has that number here."""
    if not is_id(query):
        return ()
    known = m.Person.objects.filter(id=int(query))
    if upto is not None:
        known = known.filter(made_by__lte=upto)
    return known.values_list("id", flat=True)


def by_number_or_name(query: str, merged: Mapping[int, int]) -> tuple[list[int], list[int]]:
    """Who has that number, and whose name has all words of the query, or words that sound so.

    The nearest names first; numbers of registers and names are looked through by one query.
    """
    query = _bounded(query)
    # Of Chinese signs the first may be the surname, or all of them a given name.
    wanted = [each for each in dict.fromkeys((form(query), as_given(query))) if each.folded]
    if not wanted:
        return by_number(query), []
    ids = m.ExternalId.objects.filter(live_at(None), value=query)
    of_ids = ids.annotate(called=Value(""), is_number=Value(True))
    columns = ("is_number", "id")
    rows = (
        _names_near(wanted).annotate(is_number=Value(False)).values_list("person", "text", *columns)
        .union(of_ids.values_list("person", "called", *columns), all=True).order_by("id")
    )  # fmt: skip
    numbered = list(_by_own_number(query))
    best: dict[int, tuple[int, str]] = {}
    for person, text, is_number, _ in rows:
        if is_number:
            numbered.append(person)
            continue
        name = form(text)
        nears = [near for each in wanted if (near := _nearness(each, name)) is not None]
        if nears:
            who, near = merged.get(person, person), min(nears)
            best[who] = min(best.get(who, (near, text)), (near, text))
    return numbered, sorted(best, key=lambda person: (*best[person], person))


def _names_near(wanted: Iterable[Form]) -> QuerySet[m.PersonName]:
    """The names of those of whom a name may sound so."""
    longest = {max(each.tokens, key=len) for each in wanted}
    # A word that is not written to its end is folded otherwise: "alph" is no "alv".
    found = {f"c:{bones(folded(said))}" for each in longest for said in (each, f"{each}a")}
    begins = Q()
    for each in found:
        begins |= Q(key__gte=each, key__lt=each + _HIGHEST)
    keys = m.NameKey.objects.filter(begins).order_by("key")
    some = keys.values("person")[:_MOST_LOOKED_AT]
    return m.PersonName.objects.filter(live_at(None), person__in=some)


def _nearness(wanted: Form, name: Form) -> int | None:
    """0 the name itself, 1 its words or their beginnings, 2 as they sound, 3 nearly; None: not."""
    if wanted.sorted == name.sorted:
        return 0
    if _all_begin(wanted.tokens, name.tokens):
        return 1
    if any(len(fold) < 2 or 2 * len(fold) < len(plain)
           for plain, fold in zip(wanted.tokens, wanted.folded, strict=True)):  # fmt: skip
        # Of "qqqqqq" an initial is left, which says nothing of the name that is meant.
        return None
    if _all_begin(wanted.folded, name.folded):
        return 2
    one, other = (tuple(each[0] + bones(each) for each in x.folded) for x in (wanted, name))
    # A single consonant is the beginning of too much: it is the whole, or nothing.
    short = [each for each in one if len(each) < _TELLING]
    if any(each not in other for each in short):
        return None
    return 3 if _all_begin(one, other) else None


def _all_begin(wanted: Sequence[str], words: Iterable[str]) -> bool:
    """Whether each wanted word begins another one of the words."""
    left = list(words)
    for each in sorted(wanted, key=len, reverse=True):
        match = next((word for word in left if word.startswith(each)), None)
        if match is None:
            return False
        left.remove(match)
    return True
