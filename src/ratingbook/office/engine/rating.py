"""The module of the office that rates: tables in, tables out, the engine between them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.engine.history.coefficients import coefficients_by_age, coefficients_of
from ratingbook.engine.history.correct import joined
from ratingbook.engine.history.results import Results, prints_results, results_of
from ratingbook.engine.history.run import Run
from ratingbook.engine.history.tables import changes_table
from ratingbook.model import Findings
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.history import keyed_batches, run_of, stop_of
from ratingbook.office.engine.rules import Rules
from ratingbook.office.logic.digests import table_digest
from ratingbook.office.logic.order import order_of


@dataclass(frozen=True)
class RatedTables:
    """What the rules make of what was fed, up to a day."""

    changes: pa.Table
    """``key`` of the batch, ``player``, ``turn``, before, after, games, score, expected, date;
    by key, player and turn."""
    ratings: pa.Table
    """As ``ratings.parquet``, by player."""
    batches: pa.Table
    """``key`` and ``day`` of each batch, in the order of the engine."""
    findings: Findings
    passed_over: int
    games: np.ndarray[Any, np.dtype[np.bool_]]
    """Of each game that was fed whether it is in one of these batches."""

    @property
    def digest(self) -> str:
        """SHA-256 over the bits of all numbers."""
        parts = [table_digest(each) for each in (self.changes, self.ratings)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def rate(fed: Fed, rules: Rules, until: date | None = None) -> RatedTables:
    """Rate all batches up to a day; refused where the facts cannot be rated."""
    run, findings = run_of(fed, rules)
    stop = stop_of(run, until)
    run.go_to(until)
    parts = list(run.batches(stop)) if stop else []
    run.take_in(until)
    if len(fed.games):
        findings.extend(run.plan.findings)
    rows = joined(parts) if parts else run.no_changes()
    batches = keyed_batches(run)
    changes = _keyed(changes_table(run, rows), batches["key"])
    return RatedTables(
        changes, by_player(run.table()), batches.slice(0, stop), findings, run.state.passed_over,
        batch_of_games(run, len(fed.games)) < stop,
    )  # fmt: skip


def _keyed(changes: pa.Table, keys: pa.ChunkedArray) -> pa.Table:
    """The rows by the natural keys of their batches, in the order of key, player and turn."""
    player = changes["player"].cast(pa.string())
    columns = {
        "key": keys.take(changes["batch"]) if len(changes) else pa.array([], pa.string()),
        "player": player,
        "turn": pa.array(_turns(np.asarray(changes["batch"]), _codes(player))),
        **{name: changes[name] for name in ("before", "after", "games", "score", "expected")},
        "date": changes["date"],
    }
    table = pa.table(columns)
    return table.take(pa.array(order_of(table, ("key", "player", "turn")))).combine_chunks()


def _codes(column: pa.ChunkedArray) -> np.ndarray[Any, Any]:
    coded = column.combine_chunks().dictionary_encode()
    if isinstance(coded, pa.ChunkedArray):
        return np.empty(0, np.int32)
    return np.asarray(coded.indices)


def by_player(ratings: pa.Table) -> pa.Table:
    """Ratings in the order of the players' ids."""
    named = ratings.set_column(0, "player", ratings["player"].cast(pa.string()))
    return named.take(pc.sort_indices(named["player"])).combine_chunks()


def standings_on(fed: Fed, rules: Rules, days: Iterable[date]) -> Iterator[pa.Table]:
    """The ratings at the ends of days, in their order, by one pass over the history."""
    for run, _day in _at_ends(fed, rules, days):
        yield by_player(run.table())


LISTED = ("player", "rating", "games", "status", "last_played", "published")
"""What a list reads of all that the engine knows of each player."""


class OnDay(NamedTuple):
    """What the list of a day is made of."""

    ratings: pa.Table
    coefficients: Mapping[str, int]
    """By player the K of an event that begins on the day."""


def listed_on(fed: Fed, rules: Rules, days: Iterable[date]) -> Iterator[OnDay]:
    """The same, with the K of everybody."""
    for run, day in _at_ends(fed, rules, days):
        yield OnDay(by_player(run.table()), coefficients_of(run, day))


def _at_ends(fed: Fed, rules: Rules, days: Iterable[date]) -> Iterator[tuple[Run, date]]:
    run, _ = run_of(fed, rules)
    for day in days:
        run.go_to(day)
        for _rows in run.batches(stop_of(run, day)):
            pass
        run.take_in(day)
        yield run, day


def results_on(
    fed: Fed, rules: Rules, day: date, games: Mapping[str, int]
) -> Mapping[str, Results]:
    """By player how often games were won, drawn and lost up to a day, where lists print it.

    ``games`` are the rated ones of everybody.
    """
    if not prints_results(rules.book().edition(day).on(day), day):
        return {}
    run, _ = run_of(fed, rules)
    return results_of(run, stop_of(run, day), games)


def coefficients_on(fed: Fed, rules: Rules, day: date, until: date) -> Mapping[str, int]:
    """By player the K of an event that begins on a day, by what was rated up to another one."""
    ((run, _),) = _at_ends(fed, rules, [until])
    return coefficients_of(run, day)


def coefficients_at_any_age(
    fed: Fed, rules: Rules, day: date, until: date
) -> Mapping[str, frozenset[int]]:
    """The same for whoever does not know when the players were born: by player each K."""
    ((run, _),) = _at_ends(fed, rules, [until])
    return coefficients_by_age(run, day)


def batches_of_games(fed: Fed, rules: Rules) -> tuple[list[str], list[date]]:
    """The key and the day of the batch of each game that is fed."""
    run, _ = run_of(fed, rules)
    table, batch = keyed_batches(run), pa.array(batch_of_games(run, len(fed.games)))
    return table["key"].take(batch).to_pylist(), table["day"].take(batch).to_pylist()


def batch_of_games(run: Run, count: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The number of the batch of each of so many games that are fed."""
    batch = np.empty(count, np.int64)
    if count:
        number = np.searchsorted(run.plan.games.offsets, np.arange(count), side="right") - 1
        batch[np.arange(count) if run.plan.moved is None else run.plan.moved] = number
    return batch


def list_days(fed: Fed, rules: Rules) -> list[date]:
    """The days of the batches that there are: of lists, or of the ends of events."""
    run, _ = run_of(fed, rules)
    return sorted(set(keyed_batches(run)["day"].to_pylist()))


def _turns(batch: np.ndarray[Any, Any], player: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """For each row the number of rows before it of the same batch and player."""
    if not len(batch):
        return np.empty(0, np.int16)
    order = np.lexsort((np.arange(len(batch)), player, batch))
    same = (np.diff(batch[order]) == 0) & (np.diff(player[order]) == 0)
    index = np.arange(len(batch))
    start = np.maximum.accumulate(np.where(np.r_[True, ~same], index, 0))
    turns = np.empty(len(batch), np.int16)
    turns[order] = index - start
    return turns
