"""Histories of pools that read each other, and the same as chains of their reports."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import pyarrow as pa

from ratingbook.checks.chains import Chain, Reported, assert_same_changes, assert_same_end, sayable
from ratingbook.checks.histories import history, said_of_some, tables
from ratingbook.engine.history.pooled import rate_pools
from ratingbook.engine.history.pools import book_of_pool
from ratingbook.model import Event, Standing
from ratingbook.rules.pooling import Pools
from ratingbook.rules.series import BookOrSeries

_SEED = 11
_GAMES = 240
_PLAYERS = 14
_HAS_OTHER = 0.4
"""How many players have a rating in a pool besides the first."""


def pools_rated_together_are_chains_of_reports(book: BookOrSeries) -> None:
    """A history of pools is the chain of their reports, each told the standings of the others.

    Drawn are players with a rating in one pool only, dual events, events of a pool that the
    edition does not have, and lists of one pool on which another has no event.
    """
    pools = book.bulk.pools if book.bulk is not None else None
    if pools is None:
        return
    made = tables_of_pools(book, pools, _SEED)
    rated = rate_pools(history(made), book, compiled=False)
    chains = _Chains(book, pools, made)
    chains.rate()
    assert set(rated.pools) == set(chains.of), "other pools are rated"
    changes, ratings = rated.changes.to_pylist(), rated.ratings.to_pylist()
    assert len({row["pool"] for row in changes}) > 1 or len(chains.of) == 1, "one pool is drawn"
    for pool, chain in chains.of.items():
        assert_same_changes([row for row in changes if row["pool"] == pool], chain)
        known = [row for row in ratings if row["pool"] == pool and row["player"] in chain.known]
        assert_same_end(known, chain)


def tables_of_pools(
    book: BookOrSeries, pools: Pools, seed: int, **drawn: Any
) -> dict[str, pa.Table]:
    """Tables as :func:`.histories.tables` draws them, of which reports can say the same, in pools.

    A word in ``pool`` of the events says in which each counts; players have rows in several.
    """
    chance = random.Random(f"{book.name} pools {seed}")
    made = tables(book, seed, **{"games": _GAMES, "players": _PLAYERS, **drawn})
    made = said_of_some(book, sayable(made), seed)
    assert book.bulk is not None
    words = [*book.bulk.event_words["pool"].known] if "pool" in book.bulk.event_words else []
    # What the first three or four words say is common.
    words += [*pools.names[:2], *pools.names[:2], *words[-1:], *words[-1:]]
    kinds = book.domain.kinds
    events = [
        {**row, "pool": chance.choice([*words, None])}
        | ({"kind": kinds[seed % len(kinds)]} if book.bulk.event_rules is not None else {})
        for row in made["events"].to_pylist()
    ]
    players: list[dict[str, Any]] = []
    kept = [name for name in pools.names if pools.of_event(Event(pool=name), book.parameters)]
    low, high = book.domain.ratings
    for row in made["players"].to_pylist():
        players.append({**row, "pool": None})
        for pool in kept[1:]:
            if chance.random() < _HAS_OTHER:
                rating = float(chance.randint(low, high))
                more = {"pool": pool, "rating": rating, "games": chance.choice([2, 5, 29, 60])}
                players.append({**row, **more})
    decisions = made["decisions"]
    if len(decisions):
        said = [chance.choice([None, *kept[:2]]) for _ in range(len(decisions))]
        decisions = decisions.append_column("pool", pa.array(said, pa.string()))
    return {
        **made,
        "events": pa.Table.from_pylist(events),
        "players": pa.Table.from_pylist(players),
        "decisions": decisions,
    }


class _Chains:
    """The chains of the pools; what is reported at one time has read the others before."""

    def __init__(self, book: BookOrSeries, pools: Pools, made: Mapping[str, pa.Table]) -> None:
        default = pools.of_parameters(book.parameters)
        self.of: dict[str, Chain] = {}
        words = {row["event"]: row["pool"] for row in made["events"].to_pylist()}
        days: dict[str, tuple[date, date]] = {}
        for row in made["games"].to_pylist():
            start, end = days.get(row["event"], (row["start"], row["date"]))
            days[row["event"]] = min(start, row["start"]), max(end, row["date"])
        counts = {
            event: _counts_in(pools, word, *days.get(event, (date.min, date.min)), book) or ()
            if word
            else (default,)
            for event, word in words.items()
        }
        everybody = {row["id"]: row for row in made["players"].to_pylist() if row["pool"] is None}
        for pool in pools.names:
            games = [row for row in made["games"].to_pylist() if pool in counts[row["event"]]]
            own = {
                r["id"]: r for r in made["players"].to_pylist() if (r["pool"] or default) == pool
            }
            if not games and not own:
                continue
            players = [
                own.get(player, {**row, "rating": None, "games": 0})
                for player, row in everybody.items()
            ]
            said = [
                row for row in made["decisions"].to_pylist() if (row.get("pool") or default) == pool
            ]
            parts = {
                **made,
                "games": pa.Table.from_pylist(games, made["games"].schema),
                "players": pa.Table.from_pylist(players, made["players"].schema),
                "decisions": pa.Table.from_pylist(said, made["decisions"].schema),
            }
            chain = Chain(book_of_pool(book, pool), parts, pool=pool)
            chain.said = {
                event: replace(held, pool=words[event]) for event, held in chain.said.items()
            }
            self.of[pool] = chain
        for chain in self.of.values():
            self._tell(chain)
            chain.lists.clear()
            chain.publish(date.min)

    def rate(self) -> None:
        """Rate all reports in the order of time."""
        at: dict[tuple[Any, ...], dict[str, Reported]] = {}
        for pool, chain in self.of.items():
            for batch in chain.reported():
                at.setdefault(_time(batch), {})[pool] = batch
        times = sorted(at)
        for number, time in enumerate(times):
            for pool, batch in at[time].items():
                self.of[pool].rate_one(number, batch)
            self._tell_all()
            if number + 1 < len(times):
                for chain in self.of.values():
                    chain.reform(time[0], times[number + 1][0])
            self._tell_all()
            for chain in self.of.values():
                chain.publish(time[0])
        for chain in self.of.values():
            chain.show(times[-1][0])

    def _tell_all(self) -> None:
        for chain in self.of.values():
            self._tell(chain)

    def _tell(self, chain: Chain) -> None:
        """Everybody's report says the published standings in the other pools."""
        for player in chain.known:
            found: dict[str, Standing] = {}
            for pool, other in self.of.items():
                known = other.published(player) if player in other.known else None
                if other is not chain and known is not None:
                    found[pool] = known
            chain.elsewhere[player] = found


def _counts_in(
    pools: Pools, word: str, start: date, end: date, book: BookOrSeries
) -> tuple[str, ...]:
    """The pools of a word, by the parameters of the edition of these days."""
    report_day = start if book.bulk and book.bulk.calendar and book.bulk.calendar.decides else end
    p = book.edition(report_day).on(report_day).parameters
    return tuple(pools.of_event(Event(pool=word), p) or ())


def _time(batch: Reported) -> tuple[Any, ...]:
    """What orders the reports of all pools: the day, and the section of the event."""
    if batch.of_event is None:
        return (batch.day,)
    row = batch.games[0][1]
    return (batch.day, row["event"], row["section"])
