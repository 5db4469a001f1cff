"""What a report says beyond names and results, and whether the rules would use it.

A rule book declares what it reads: the fields of ``known``, its decisions, substitutes, margins,
and sides of earlier games.  Whether what is said of a player makes a difference is tried: by how
the player comes to a batch with it, and without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any

from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.intake.games import place_of
from ratingbook.engine.report.known import known_of_entry
from ratingbook.model import Entry, Event, Game, GameStatus, Place, Report
from ratingbook.model.findings import PLACES
from ratingbook.rules.book import RatedBy, RuleBook
from ratingbook.rules.bulk import (
    HISTORY_OF_A_REPORT,
    NO_NUMBER,
    NOT_GIVEN,
    Entered,
    day_number,
)
from ratingbook.rules.series import BookOrSeries


class Said(StrEnum):
    """Kinds of facts that a report may say besides who played, when, and how it ended."""

    STANDING = "standing"
    """What a player brings along in this pool: rating, games, and the edition's own keys."""
    POOLS = "pools"
    FOREIGN = "foreign"
    ADULT = "adult"
    FEDERATION = "federation"
    HISTORY = "history"
    """The sides of earlier games that an edition still needs."""
    BIRTH = "birth"
    DECISIONS = "decisions"
    RATINGS = "ratings"
    """In force for single games."""
    SUBSTITUTES = "substitutes"
    MARGINS = "margins"
    NEUTRAL = "neutral"
    LEFT = "left"
    """Games of who withdrew, of which the report leaves it to the rules whether they are rated."""
    LEVELS = "levels"
    """What is said of single events of a report on several."""


@dataclass(frozen=True)
class Use:
    """What a report says of one kind, and the rules use."""

    kind: Said
    count: int
    places: tuple[Place, ...]
    """Of the first ones."""
    names: tuple[str, ...] = ()
    """What is said, in the words of the report."""
    players: tuple[str, ...] = ()
    """Of whom it is said, by their ids."""


_NOTHING: Mapping[Said, Mapping[str, Any]] = {
    Said.STANDING: {"standing": None},
    Said.POOLS: {"pools": {}},
    Said.FOREIGN: {"foreign": {}},
    Said.ADULT: {"adult": None},
    Said.FEDERATION: {"federation": None},
    Said.HISTORY: {"history": ()},
    Said.BIRTH: {"birth_date": None, "birth_year": None},
    Said.DECISIONS: {"decisions": {}},
}
"""How an entry is that says nothing of a kind."""
_OF_PLAYERS = (Said.POOLS, Said.FOREIGN, Said.ADULT, Said.HISTORY, Said.DECISIONS)
"""What few reports say of their players."""
_OF_GAMES: Mapping[Said, Callable[[Game], object]] = {
    Said.RATINGS: lambda game: game.white_rating is not None or game.black_rating is not None,
    Said.SUBSTITUTES: lambda game: game.white_for or game.black_for,
    Said.MARGINS: lambda game: game.margin is not None,
    Said.NEUTRAL: lambda game: game.neutral,
    Said.LEFT: lambda game: game.status is GameStatus.WITHDRAWN and not game.rated_said,
}
_AGE = 12
"""Years at which an edition with rules for the young has some."""
_NEWCOMERS = {
    Said.STANDING, Said.POOLS, Said.FOREIGN, Said.ADULT, Said.FEDERATION, Said.HISTORY, Said.BIRTH,
}  # fmt: skip
"""What settles how somebody comes into a pool; who is in it has come in already."""


def beyond(report: Report) -> Report | None:
    """The report with those players and games alone of whom it says such things; None: of none.

    What nearly every report says is left to the rows: standings, federations and births.
    """
    entries = tuple(each for each in report.entries if _says_more(each))
    games = tuple(each for each in report.games if any(told(each) for told in _OF_GAMES.values()))
    if not entries and not games and not report.event_heads:
        return None
    return replace(report, entries=entries, games=games)


def kinds_in(report: Report) -> list[Said]:
    """Of which kinds a report says something, whatever the rules."""
    found = {kind for entry in report.entries for kind in _OF_PLAYERS if _has(entry, kind)}
    found |= {k for game in report.games for k, told in _OF_GAMES.items() if told(game)}
    return sorted(found)


def _says_more(entry: Entry) -> bool:
    standing = entry.standing
    own_keys = standing is not None and bool(standing.extra)
    return own_keys or any(_has(entry, kind) for kind in _OF_PLAYERS)


def _has(entry: Entry, kind: Said) -> bool:
    return any(getattr(entry, name) not in (None, {}, ()) for name in _NOTHING[kind])


def columns_of(entry: Entry) -> dict[str, Any]:
    """What is said of a player elsewhere, by the columns of a players file.

    ``standing`` and ``history`` are not among it, nor what is private.
    """
    found: dict[str, Any] = {"adult": entry.adult, "federation": entry.federation}
    for pool, standing in entry.pools.items():
        found |= {pool: standing.rating, f"{pool}_games": standing.games}
    found |= {key: value for key, value in entry.decisions.items() if key != "reason"}
    found |= entry.foreign
    return {key: value for key, value in found.items() if value not in (None, "")}


def used_of(
    report: Report, book: BookOrSeries, knows: Callable[[Entry], bool] = lambda entry: False
) -> list[Use]:
    """What of a report the rules use, besides names and results, in the order of the kinds.

    Of a player whom a pool ``knows`` with a rating the rules do not ask how he comes in.
    """
    edition = book.for_report(report)
    found = [*_of_players(report, edition, knows), *_of_games(report, edition)]
    heads = _heads_that_differ(report, edition)
    if heads:
        found.append(Use(Said.LEVELS, len(heads), (), tuple(heads)))
    order = list(Said)
    return sorted(found, key=lambda each: order.index(each.kind))


def asks_for_births(book: BookOrSeries, day: date) -> bool:
    """Whether it makes a difference to the rules when somebody is born who plays on a day."""
    born = Entry(
        "1", birth_date=day.replace(year=day.year - _AGE, day=1), birth_year=day.year - _AGE
    )
    return _asks(book, day, born, Said.BIRTH)


def asks_for_adults(book: BookOrSeries, day: date) -> bool:
    """The same of whether somebody is of age of whom no birth is known."""
    return _asks(book, day, Entry("1", adult=True), Said.ADULT)


def _asks(book: BookOrSeries, day: date, entry: Entry, kind: Said) -> bool:
    trial = _Trial(book.edition(day).on(day), Report(Event(start=day, end=day), (), ()))
    return kind in trial.used(entry, False)


def keeps_earlier_games(book: BookOrSeries) -> bool:
    """Whether the rules go on with games of before that a report says of somebody."""
    bulk = bulk_of(book)
    return bulk.keeping is not None or HISTORY_OF_A_REPORT[0] in bulk.known._fields


def _of_games(report: Report, book: RuleBook) -> Iterable[Use]:
    bulk = bulk_of(book)
    used = {
        Said.RATINGS: book.rated_by is not RatedBy.GAME, Said.SUBSTITUTES: book.substitutes,
        Said.MARGINS: bulk.counts_margins, Said.NEUTRAL: bulk.counts_margins,
        # It says nothing that could be passed over.
        Said.LEFT: False,
    }  # fmt: skip
    for kind, told in _OF_GAMES.items():
        games = [game for game in report.games if told(game)] if used[kind] else []
        if games:
            # It is said of the game, not of who had White.
            places = tuple(replace(place_of(game), player=None) for game in games[:PLACES])
            yield Use(kind, len(games), places)


def _of_players(report: Report, book: RuleBook, knows: Callable[[Entry], bool]) -> Iterable[Use]:
    trial = _Trial(book, report)
    found: dict[Said, list[Entry]] = {}
    names: dict[Said, dict[str, None]] = {}
    for entry in report.entries:
        for kind in trial.used(entry, knows(entry)):
            found.setdefault(kind, []).append(entry)
            names.setdefault(kind, {}).update(dict.fromkeys(trial.names(entry, kind)))
    for kind, entries in found.items():
        places = tuple(replace(each.place, player=each.id) for each in entries[:PLACES])
        ids = tuple(entry.id for entry in entries)
        yield Use(kind, len(entries), places, tuple(names[kind]), ids)


class _Trial:
    """How players come to a batch, with and without something that is said of them."""

    def __init__(self, book: RuleBook, report: Report) -> None:
        self._book, self._bulk = book, bulk_of(book)
        self._day = day_number(_day_of(report))
        self._facts = self._bulk.facts_of(report.event, book.parameters)
        abroad = book.abroad
        self._is_elsewhere = abroad is not None and _kind_of(report.event) == abroad.kind
        self._nothing_decided = self._bulk.decisions(
            *(NO_NUMBER for _ in self._bulk.decisions._fields)
        )

    def used(self, entry: Entry, is_known: bool) -> Iterable[Said]:
        """The kinds of what is said of a player and makes a difference."""
        said = [kind for kind in _NOTHING if _has(entry, kind)]
        bare = replace(entry, **{k: v for kind in said if kind is not Said.BIRTH
                                 for k, v in _NOTHING[kind].items()})  # fmt: skip
        for kind in said:
            if kind is Said.DECISIONS and self._decided(entry):
                yield kind
            elif kind in _NEWCOMERS and is_known:
                if self._is_elsewhere and kind in (Said.FOREIGN, Said.FEDERATION):
                    yield kind
            elif kind is Said.HISTORY:
                if keeps_earlier_games(self._book):
                    yield kind
            elif kind is Said.FEDERATION and self._book.abroad and not self._is_elsewhere:
                # A flag that the rules read in events elsewhere alone.
                continue
            elif self._differs(bare, entry, kind):
                yield kind

    def names(self, entry: Entry, kind: Said) -> Iterable[str]:
        """What of the kind the rules read, in the words of the report."""
        fields = self._bulk.known._fields
        if kind is Said.FOREIGN:
            yield from (key for key, value in entry.foreign.items() if key in fields and value)
        elif kind is Said.POOLS:
            yield from (key for key in entry.pools if key in fields)
        elif kind is Said.DECISIONS:
            yield from (key for key in entry.decisions if key in self._book.decisions)
        elif kind is Said.STANDING and entry.standing is not None:
            yield from (key for key in entry.standing.extra if key in fields)

    def _decided(self, entry: Entry) -> bool:
        return not self._book.decisions.isdisjoint(entry.decisions)

    def _differs(self, bare: Entry, entry: Entry, kind: Said) -> bool:
        if kind is Said.BIRTH:
            return self._enters(replace(bare, **_NOTHING[kind])) != self._enters(bare)
        own = {name: getattr(entry, name) for name in _NOTHING[kind]}
        return self._enters(replace(bare, **own)) != self._enters(bare)

    def _enters(self, entry: Entry) -> str:
        """The standing with which a player comes in; as text, since no number equals itself."""
        bulk, p = self._bulk, self._book.parameters
        known = bulk.standing_of(known_of_entry(entry, bulk), p)
        grade = bulk.codes.get("grade")
        how = Entered(
            grade=grade(entry.grade) if grade and entry.grade else NOT_GIVEN,
            birth=day_number(entry.birth_date), adult=bool(entry.adult), last=NOT_GIVEN,
            day=self._day, decided=self._nothing_decided, start=self._day,
        )  # fmt: skip
        return repr((known, bulk.enter(known, how, self._facts, p)))


def _kind_of(event: Event) -> str:
    return (event.kind or "").casefold()


def _day_of(report: Report) -> date | None:
    days = [day for game in report.games if (day := game.end or game.start)]
    return report.event.end or max(days, default=None) or report.event.start


def _heads_that_differ(report: Report, book: RuleBook) -> list[str]:
    """The events of a report of which it says something that the rules read, beside the whole."""
    bulk, p = bulk_of(book), book.parameters
    whole = bulk.facts_of(report.event, p)
    return [
        head.name for head in report.event_heads
        if bulk.facts_of(report.event_called(head.name), p) != whole
    ]  # fmt: skip
