"""A history by its pools: which game counts in which, and what is known of the players in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.history.columns import GameColumns, HistoryInput
from ratingbook.engine.history.keys import with_own_columns
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.spans import Spans
from ratingbook.engine.history.timetable import by_stage, kinds_of_events, spans_said
from ratingbook.model import Event, Findings, Place, Severity
from ratingbook.model.sentences import sentence
from ratingbook.rules.pooling import Pools, fields_about
from ratingbook.rules.series import BookOrSeries, default_pool, pools_of
from ratingbook.rules.wording import either

Array = np.ndarray[Any, Any]

_OF_STANDINGS = (
    "rating", "games", "wins", "draws", "losses", "status", "last_played", "pool",
)  # fmt: skip
"""Columns of a players file that are about one pool, besides the edition's own keys of a
standing; the others are about the person."""
_COLUMN = "pool"


@dataclass(frozen=True)
class EventGames:
    """What is known of the games of the events, by their codes, wherever the games are."""

    spans: Spans
    games: Array
    """How many each has."""
    first: Array
    """The place of its first one among all games."""

    @classmethod
    def of(cls, columns: GameColumns, codes: Array, count: int) -> EventGames:
        """That of games of these events."""
        first = np.full(count, len(codes), np.int64)
        np.minimum.at(first, codes, np.arange(len(codes)))
        spans = Spans.of(columns.begun, columns.day, codes, count)
        return cls(spans, np.bincount(codes, minlength=count), first)

    def take(self, places: Array, more: EventGames, before: int) -> None:
        """Add games that follow so many: those of the events at ``places``, each of them once."""
        self.spans.take(places, more.spans)
        is_first = (self.games[places] == 0) & (more.games > 0)
        self.first[places[is_first]] = before + more.first[is_first]
        self.games[places] += more.games

    def only(self, which: Array) -> EventGames:
        """Some of the events, as if the others had no games."""
        none = Spans.none(len(which))
        spans = Spans(
            np.where(which, self.spans.start, none.start),
            np.where(which, self.spans.end, none.end),
        )
        return EventGames(spans, np.where(which, self.games, 0), self.first)


@dataclass(frozen=True)
class Divided:
    """A history in its parts: what each pool is rated from, with the players of all of them."""

    parts: Mapping[str, HistoryInput]
    """By the names of the pools, in the order of the rule book; only those that there are."""
    events: Mapping[str, Array]
    """Which events count in each of them; of none where the games name no event."""
    default: str
    """The pool of what names none."""
    findings: Findings


def book_of_pool(book: BookOrSeries, pool: str) -> BookOrSeries:
    """The rule book, or series, of one of its pools."""
    assert book.bulk is not None
    assert book.bulk.pools is not None
    return book.with_own(book.bulk.pools.settings[pool])


def has_pools(given: HistoryInput, book: BookOrSeries, spans: Spans | None = None) -> bool:
    """Whether the history tells of more than the pool of those who say nothing.

    ``spans`` are the days of the events, where ``given`` does not hold the games.
    """
    pools = pools_of(book)
    if pools is None:
        return False
    if any(
        said is not None and _COLUMN in said.column_names
        for said in (given.standings, given.decisions)
    ):
        return True
    spans = given.spans if spans is None else spans
    if spans is None or not len(given.event_ids):
        # Days without events say nothing of a pool.
        return False
    counts = _where_events_count(given, book, pools, spans)
    only_default = np.array([name == default_pool(book) for name in pools.names])
    return bool((counts != only_default[:, None])[:, spans.played].any())


def divided(given: HistoryInput, book: BookOrSeries, played: EventGames | None = None) -> Divided:
    """The parts of a history whose rule book has pools; what refuses is among the findings.

    ``played`` tells of the games where ``given`` does not hold them, and the parts do not either.
    """
    pools = pools_of(book)
    assert pools is not None
    findings = Findings()
    default = default_pool(book)
    if played is None and given.games.event is not None:
        played = EventGames.of(given.games, given.games.event, len(given.event_ids))
    spans = None if played is None else played.spans
    counts = _where_events_count(given, book, pools, spans)
    by_event = played is not None and len(given.event_ids) > 0
    if played is not None and by_event:
        _tell_left_out(given, book, counts, played, findings)
    rows = _rows_of_pools(given.standings, "players", book, pools, default, findings)
    decisions = _rows_of_pools(given.decisions, "decisions", book, pools, default, findings)
    if findings.refused:
        return Divided({}, {}, default, findings)
    bulk = bulk_of(book)
    known = with_own_columns(given.standings, bulk)
    events = _with_days(given, counts, spans)
    parts, of_events = {}, {}
    for number, name in enumerate(pools.names):
        games, standings = given.games, _standings_in(known, rows, name, book, pools)
        if games.event is not None and by_event:
            games = _some_games(games, counts[number][games.event])
        elif name != default:
            games = _some_games(games, np.zeros(len(games), bool))
        has_games = len(games) > 0
        if played is not None and not has_games:
            which = counts[number] if by_event else slice(None if name == default else 0)
            has_games = bool(played.games[which].any())
        if not has_games and not _is_rated(standings, fields_about(name, pools)):
            continue
        decided = given.decisions
        if decided is not None:
            decided = decided.filter(pa.array([pool == name for pool in decisions], pa.bool_()))
        of_events[name] = counts[number]
        parts[name] = replace(
            given,
            games=games,
            events=events,
            standings=standings,
            decisions=decided if decided is not None and len(decided) else None,
        )
    return Divided(parts, of_events, default, findings)


def _is_rated(standings: pa.Table | None, told: Mapping[str, str]) -> bool:
    """Whether anybody has a rating before the first game; ``told`` are other names of columns."""
    if standings is None:
        return False
    names = ["rating", *(name for name, field in told.items() if field == "rating")]
    known = [standings[name] for name in names if name in standings.column_names]
    return any(len(column) > column.null_count for column in known)


def _where_events_count(
    given: HistoryInput, book: BookOrSeries, pools: Pools, spans: Spans | None
) -> Array:
    """For each pool and event whether the event counts there; ``spans`` are the events' days."""
    count = len(given.event_ids)
    found = np.zeros((len(pools.names), count), bool)
    if spans is None or not count:
        return found
    default = pools.names.index(default_pool(book))
    start, end = spans_said(spans, given.events)
    program = Program(book, compiled=False)
    for event, numbers, p in by_stage(kinds_of_events(given.events, count), start, end, program):
        said = pools.of_event(event, p)
        for place in [default] if said is None else [pools.names.index(name) for name in said]:
            found[place, numbers] = True
    found[:, ~spans.played] = False
    return found


def _tell_left_out(
    given: HistoryInput, book: BookOrSeries, counts: Array, played: EventGames, findings: Findings
) -> None:
    """Events of pools that the edition of their day does not have."""
    nowhere = np.flatnonzero(~counts.any(axis=0) & (played.games > 0))
    if not len(nowhere):
        return
    number, total = int(played.games[nowhere].sum()), int(played.games.sum())
    first = str(given.event_ids[int(nowhere[played.first[nowhere].argmin()])].as_py())
    findings.add(
        Severity.ERROR if number == total else Severity.WARNING,
        "history.no-pool",
        either(
            number,
            "{count} game is of a pool that {book} does not have on that day, and is left out; the "
            "first is of the event {first!r}.",
            "{count} games are of a pool that {book} does not have on that day, and are left out; "
            "the first is of the event {first!r}.",
            book=book.name,
            first=first,
        ),
        Place(path="events, column pool"),
        sentence("Correct the pool of the event, or name an edition that has it."),
    )


def _some_games(games: GameColumns, which: Array) -> GameColumns:
    columns: dict[str, Any] = {
        each.name: None if column is None else column[which]
        for each in fields(games)
        for column in [getattr(games, each.name)]
    }
    return GameColumns(**columns)


def _with_days(given: HistoryInput, counts: Array, spans: Spans | None) -> pa.Table | None:
    """The events with the days of all their games, where these do not all count in all pools."""
    table, dual = given.events, counts.sum(axis=0) > 1
    if spans is None or table is None or not dual.any():
        return table
    start, end = spans_said(spans, table)
    codes = table["event"].to_numpy()
    for name, days in (("start", start), ("end", end)):
        column = pa.array(days[codes].astype(np.int32), mask=~dual[codes]).cast(pa.date32())
        if name in table.column_names:
            known = table[name].combine_chunks().cast(pa.date32())
            place = table.column_names.index(name)
            table = table.set_column(place, name, pc.coalesce(known, column))
        else:
            table = table.append_column(name, column)
    return table


def _rows_of_pools(
    said: pa.Table | None,
    what: str,
    book: BookOrSeries,
    pools: Pools,
    default: str,
    findings: Findings,
) -> list[str]:
    """The pool that each row is about: the one that it names, as events do, or the default."""
    if said is None:
        return []
    if _COLUMN not in said.column_names:
        return [default] * len(said)
    meant: dict[str | None, str] = {None: default}
    for word in said[_COLUMN].unique().to_pylist():
        if word is None:
            continue
        found = [pools.of_event(Event(pool=word), p) for p in _all_parameters(book)]
        several = {tuple(each) for each in found if each}
        if len(several) == 1 and len(next(iter(several))) == 1:
            meant[word] = next(iter(several))[0]
            continue
        findings.add(
            Severity.ERROR,
            "history.pool-unknown",
            sentence("{book} has no pool {word!r}.", book=book.name, word=word),
            Place(path=f"{what}, column pool"),
            sentence("It has: {names}.", names=", ".join(pools.names)),
        )
        meant[word] = default
    return [meant[word] for word in said[_COLUMN].to_pylist()]


def _all_parameters(book: BookOrSeries) -> Sequence[Any]:
    return [stage.parameters for stage in book.stages()]


def _standings_in(
    said: pa.Table | None, rows: list[str], pool: str, book: BookOrSeries, pools: Pools
) -> pa.Table | None:
    """What is known in a pool: a row for each player, with what other rows say of the person.

    A rating that the row of another pool names, as ``standard`` beside a rapid rating, is that
    of its own pool, unless that has a row.
    """
    if said is None:
        return None
    own = {*_OF_STANDINGS, *book.standing_fields}
    told = fields_about(pool, pools)
    if _COLUMN not in said.column_names:
        if pool == default_pool(book):
            return said
        person = said.select([name for name in said.column_names if name not in own])
        names = [told.get(name, name) for name in person.column_names]
        return person.rename_columns(names)
    found: dict[int, dict[str, Any]] = {}
    instead: dict[int, dict[str, Any]] = {}
    for row, of_pool in sorted(
        zip(said.to_pylist(), rows, strict=True), key=lambda each: each[1] != pool
    ):
        player = row["player"]
        known = found.setdefault(player, {"player": player})
        if of_pool == pool:
            known.update(row)
            continue
        for name, value in row.items():
            if name not in own and name not in told and known.get(name) is None:
                known[name] = value
        beside = {field: row[name] for name, field in told.items() if row.get(name) is not None}
        instead.setdefault(player, {}).update(beside)
    for player, beside in instead.items():
        if beside and found[player].get("rating") is None:
            found[player].update(beside)
    schema = said.schema
    for field in told.values():
        if field not in schema.names:
            kind = pa.float64() if field == "rating" else pa.int32()
            schema = schema.append(pa.field(field, kind))
    made = pa.Table.from_pylist([found[player] for player in sorted(found)], schema)
    return made.drop_columns([_COLUMN])
