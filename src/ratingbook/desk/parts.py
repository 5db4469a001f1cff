"""What of a report counts in which pool: its sections, and the standings that it brings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from ratingbook.formats.players import filled_from
from ratingbook.model import Entry, Event, Findings, Game, Report, Severity, Standing
from ratingbook.rules.book import RatedBy, event_of, sections_in_turn
from ratingbook.rules.pooling import Pools
from ratingbook.rules.series import BookOrSeries, default_pool, pools_of


@dataclass(frozen=True)
class Part:
    """An event of a history: a report, or a section that is rated otherwise than others."""

    name: str
    said: Event
    pools: tuple[str, ...] = ()
    part_of: str | None = None
    """The event of which it is a section that is rated by itself."""
    turn: int | None = None
    """When it is rated among these, from 1."""


@dataclass(frozen=True)
class Parts:
    """The events that a report is in a history."""

    whole: Part
    of_section: Mapping[str | None, Part]
    """Where sections are rated by themselves, and otherwise than a history would of their names
    alone; or count in different pools, or not where the event does; else empty."""
    rated_in: str = ""
    """The pool whose standings the report has."""

    def of(self, game: Game) -> Part:
        """The event of a game."""
        return self.of_section.get(game.section, self.whole)

    @property
    def each(self) -> Sequence[Part]:
        """The events, each once."""
        of_section = {part.name: part for part in self.of_section.values()}
        return [*of_section.values()] or [self.whole]

    @property
    def pools(self) -> set[str]:
        """All pools in which something of the report counts."""
        return {pool for part in (self.whole, *self.of_section.values()) for pool in part.pools}


def parts_of(report: Report, event: str, book: BookOrSeries) -> Parts:
    """The events of a report; ``event`` is the name of the whole."""
    pools = pools_of(book)
    if pools is None:
        return Parts(Part(event, report.event), _apart(report, event, report.event, book))
    p = book.for_report(report).parameters
    default = pools.of_parameters(book.parameters)
    said = replace(report.event, pool=_told_pool(report.event, p, pools))
    whole = Part(event, said, _counts(pools, said, p, default))
    found = {each.name: event_of(each, said) for each in report.sections()}
    counts = {name: _counts(pools, each, p, default) for name, each in found.items()}
    rated_in = pools.of_parameters(p)
    different = {*counts.values()}
    apart = _apart(report, event, said, book)
    if apart:
        counted = {name: replace(part, pools=counts[name]) for name, part in apart.items()}
        return Parts(whole, counted, rated_in)
    if not report.section_heads or different == {whole.pools}:
        return Parts(whole, {}, rated_in)
    of_section = {
        name: Part(event if len(different) == 1 else f"{event}, {name}", each, counts[name])
        for name, each in found.items()
    }
    return Parts(whole, of_section, rated_in)


def _apart(report: Report, event: str, said: Event, book: BookOrSeries) -> dict[str | None, Part]:
    """The sections as events by themselves, all of them on the days of the event.

    Empty where they are rated together; and where they say nothing of their own, and come in the
    order of their names: a history does the same of the names.
    """
    if book.rated_by is not RatedBy.SECTION:
        return {}
    sections = sections_in_turn(report)
    described = {each.name: event_of(each, said) for each in sections}
    names = [each.name or "" for each in sections]
    if names == sorted(names) and len({_told(each) for each in described.values()}) <= 1:
        return {}
    days = [day for game in report.games for day in (game.start, game.end) if day]
    start, end = said.start or min(days, default=None), said.end or max(days, default=None)
    return {
        name: Part(
            f"{event}, {name}" if name else event, replace(own, start=start, end=end), (), event,
            turn,
        )
        for turn, (name, own) in enumerate(described.items(), 1)
    }  # fmt: skip


def _told(event: Event) -> tuple[Any, ...]:
    """What a section may say of itself, but for its days."""
    return event.kind, event.pool, event.time_control


def _counts(pools: Pools, said: Event, p: Any, default: str) -> tuple[str, ...]:
    found = pools.of_event(said, p)
    return (default,) if found is None else tuple(found)


def _told_pool(event: Event, p: Any, pools: Pools) -> str | None:
    """The pool that an event says, or tells by its name, at which a history does not look."""
    if event.pool:
        return event.pool
    named, unnamed = pools.of_event(event, p), pools.of_event(replace(event, name=None), p)
    return named[0] if named and named != unnamed and len(named) == 1 else None


def by_pool(entry: Entry, rated_in: str, book: BookOrSeries) -> Entry:
    """A player whose ``standing`` is that of the pool of those who say nothing.

    ``rated_in`` is the pool of the report, whose ``standing`` it was.
    """
    default = default_pool(book)
    if pools_of(book) is None or rated_in == default:
        return entry
    others = dict(entry.pools)
    if entry.standing is not None:
        others.setdefault(rated_in, entry.standing)
    return replace(entry, standing=others.pop(default, None), pools=others)


def with_pool(entry: Entry, more: Entry, rated_in: str, book: BookOrSeries) -> Entry:
    """A player with what the first report of a pool says of the standing in it."""
    if pools_of(book) is None or rated_in == default_pool(book):
        return replace(entry, standing=entry.standing or more.standing)
    told = more.pools.get(rated_in)
    if told is None or rated_in in entry.pools:
        return entry
    return replace(entry, pools={**entry.pools, rated_in: told})


def has_pools(book: BookOrSeries) -> bool:
    """Whether the rule book has several pools, also where one of them was set."""
    return book.bulk is not None and book.bulk.pools is not None


def pool_of(report: Report, book: BookOrSeries) -> str:
    """The pool in which a report is rated, and whose standings it has; empty: there is one."""
    pools = None if book.bulk is None else book.bulk.pools
    return "" if pools is None else pools.of_parameters(book.for_report(report).parameters)


def in_pool(entry: Entry, pool: str) -> Entry:
    """A player whose standing is the one in a pool, where rows or columns of a file say pools."""
    standing = entry.standing
    if pool not in entry.pools or (standing is not None and standing.rating is not None):
        return entry
    others = dict(entry.pools)
    own = others.pop(pool)
    told = own if standing is None else filled_from(standing, own)
    return replace(entry, standing=told, pools=others)


def as_in_pool(entry: Entry, pool: str, usual: str) -> Entry:
    """A player whose standing is the one in a pool, and was that of the ``usual`` one."""
    if pool == usual:
        return entry
    others = dict(entry.pools)
    standing = others.pop(pool, None)
    if entry.standing is not None:
        others.setdefault(usual, entry.standing)
    return replace(entry, standing=standing, pools=others)


def namer_of_pools(book: BookOrSeries) -> Callable[[str], str]:
    """Gives the own name of a pool for the word that a row of a file has; else the word.

    A row that names none is about the usual one.
    """
    pools = None if book.bulk is None else book.bulk.pools
    every = [stage.parameters for stage in book.stages()]

    @cache
    def name_of(word: str) -> str:
        if not word or pools is None:
            return default_pool(book)
        found = {tuple(pools.of_event(Event(pool=word), p) or ()) for p in every} - {()}
        one = next(iter(found)) if len(found) == 1 else ()
        return one[0] if len(one) == 1 else word

    return name_of


def by_names_of_pools(
    entries: Iterable[Entry], book: BookOrSeries, findings: Findings
) -> Iterator[Entry]:
    """Players of a file whose standings are by the pools' own names, whatever the file calls them.

    A standing of a pool that the rule book does not have is told.
    """
    pools = None if book.bulk is None else book.bulk.pools
    if pools is None:
        yield from entries
        return
    name_of = namer_of_pools(book)
    unknown: set[str] = set()
    for entry in entries:
        if entry.standing is not None:
            # As a report has a player, in whose words the other pools are.
            yield entry
            continue
        told: dict[str, Standing] = {}
        for word, standing in entry.pools.items():
            name = name_of(word)
            if name not in pools.names and word not in unknown:
                unknown.add(word)
                findings.add(
                    Severity.ERROR, "players.pool-unknown",
                    f"{book.name} has no pool {word!r}.", entry.place,
                    f"It has: {', '.join(pools.names)}.",
                )  # fmt: skip
            if name in told:
                findings.add(
                    Severity.ERROR, "players.duplicate",
                    f"Player {entry.id} stands in the players file twice in the pool {name}.",
                    entry.place, "Keep one of the two.",
                )  # fmt: skip
            told[name] = standing
        yield replace(entry, pools=told)


def standings_of(entry: Entry, book: BookOrSeries) -> Iterator[tuple[str, Standing]]:
    """The standings in the pools of the rule book but the usual one."""
    pools = pools_of(book)
    if pools is None:
        return
    p, default = book.parameters, default_pool(book)
    for word, standing in entry.pools.items():
        found = pools.of_event(Event(pool=word), p)
        if found and len(found) == 1 and found[0] != default and standing.rating is not None:
            yield found[0], standing
