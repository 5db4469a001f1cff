"""What a rule book reads of somebody who asks, beside rating, games, grade and birth: one list.

The command, the library, the form of the site, its API and that API's description go by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from ratingbook.desk.planned import BadGame
from ratingbook.engine.columns import place_of
from ratingbook.engine.report.known import TOTALS, totals_read
from ratingbook.model import Entry, Standing, StandingStatus
from ratingbook.model.making import changed
from ratingbook.rules.asked import reads_level, statuses_read, words_read, words_told_apart
from ratingbook.rules.book import RuleBook

_ELSEWHERE = frozenset(
    {"rating", "games", "status", "grade", "birth_date", "birth_year", "last_played", "history",
     "history_own"}
)  # fmt: skip
"""Fields of a ``known`` that are asked for otherwise, or that nobody says of himself in a line."""
_GAMES = "_games"
_EVENT = ("class", "category", "kind", "pool")
_TIME_CONTROLS = ("G/5;d0", "G/30;d5", "5400")
"""Of a blitz, a rapid and a long game: who reads time controls does not take them for one."""


class Askable(NamedTuple):
    """A fact, by the name that players files have for it."""

    name: str
    kind: type
    place: str
    """Where an entry has it: ``standing``, ``extra``, ``foreign``, ``pools``, ``decisions`` or
    ``entry``; ``event`` of what is said of an event."""
    words: tuple[str, ...] = ()
    """The only ones that say something, if it is told in words."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether it is about other ratings, or what the office decided, not about this one."""
        return self.place not in ("standing", "extra", "event")


@cache
def askable(book: RuleBook) -> tuple[Askable, ...]:
    """All that the edition reads; what it reads is what its ``known`` has."""
    found = []
    if words := tuple(x.value for x in statuses_read(book.bulk, book.parameters)):
        found.append(Askable("status", str, "standing", words))
    found += [Askable(name, int, "standing") for name in totals_read(book.bulk)]
    found += [Askable(name, kind, "extra") for name, kind in book.standing_fields.items()]
    there = _ELSEWHERE.union(each.name for each in found)
    nothing = book.bulk.known()
    for name in book.bulk.known._fields:
        if name not in there:
            words = words_told_apart(book.bulk, name)
            kind = str if name in book.bulk.codes else type(getattr(nothing, name))
            found.append(Askable(name, kind, place_of(name, book), words))
    return tuple(found)


@cache
def askable_of_event(book: RuleBook) -> tuple[Askable, ...]:
    """What the edition reads of an event; where it looks for words, those that it knows."""
    bulk, p, domain = book.bulk, book.parameters, book.domain
    # With some words an edition reads what it reads anyway: a class A, a Swiss.
    usual = {*domain.classes, *domain.categories, *domain.kinds}
    several = {
        name: tuple(word for word in known.known if word in read or word in usual)
        for name, known in bulk.event_words.items()
        if (read := words_read(bulk, name, known.known, p))
    }
    if bulk.pools is not None:
        several["pool"] = tuple(dict.fromkeys((*bulk.pools.names, *several.get("pool", ()))))
    found = [Askable(name, str, "event", several[name]) for name in _EVENT if several.get(name)]
    if reads_level(bulk, p):
        found.append(Askable("level", float, "event"))
    if words_read(bulk, "time_control", _TIME_CONTROLS, p):
        found.append(Askable("time_control", str, "event"))
    return tuple(found)


def with_said(entry: Entry, said: Mapping[str, object], book: RuleBook) -> Entry:
    """The entry of which this is said, too; raises :class:`.BadGame` for what nobody reads."""
    known = {each.name: each for each in askable(book)}
    for key, value in said.items():
        if key not in known:
            names = ", ".join(known)
            raise BadGame(f"a standing has {names} with {book.name}, not {key}")
        entry = _with(entry, known[key], value, book)
    return entry


def _with(entry: Entry, one: Askable, value: object, book: RuleBook) -> Entry:
    standing, name = entry.standing or Standing(), one.name
    if name == "status":
        status = StandingStatus(_word(one, value, book))
        return replace(entry, standing=replace(standing, status=status))
    if name in TOTALS:
        return replace(entry, standing=changed(standing, **{name: _as_count(name, value)}))
    if one.place == "pools":
        pool, field = name.removesuffix(_GAMES), "games" if name.endswith(_GAMES) else "rating"
        number = _as_count(name, value) if field == "games" else _as_kind(name, value, float)
        there = changed(entry.pools.get(pool, Standing()), **{field: number})
        return replace(entry, pools={**entry.pools, pool: there})
    made: Any = _word(one, value, book) if one.words else _as_kind(name, value, one.kind)
    if one.place == "extra":
        return replace(entry, standing=replace(standing, extra={**standing.extra, name: made}))
    if one.place == "entry":
        return changed(entry, **{name: made})
    if one.place == "foreign" and name.endswith(_GAMES):
        made = _as_count(name, value)
    return changed(entry, **{one.place: {**getattr(entry, one.place), name: made}})


def _word(one: Askable, value: object, book: RuleBook) -> str:
    """A word that makes a difference by the rule book."""
    if value in one.words:
        return str(value)
    what = "the status of a rating" if one.name == "status" else one.name
    raise BadGame(f"{what} is one of {', '.join(one.words)} with {book.name}, not {value!r}")


def _as_count(key: str, value: object) -> int:
    """A number of games, of which a command has the text."""
    number = _as_kind(key, value, int)
    if not isinstance(number, int) or number < 0:
        raise BadGame(f"{key} is a number of games, not {value!r}")
    return number


def _as_kind(key: str, value: object, kind: type) -> bool | int | float | str:
    """A value of a key, of which a command has the text."""
    if kind is bool:
        if value in (True, False):
            return bool(value)
        if value in ("yes", "no", "true", "false"):
            return value in ("yes", "true")
        raise BadGame(f"{key} is yes or no, not {value!r}")
    if kind in (int, float):
        try:
            number = float(str(value))
        except ValueError:
            raise BadGame(f"{key} is a number, not {value!r}") from None
        return int(number) if number.is_integer() else number
    return str(value)
