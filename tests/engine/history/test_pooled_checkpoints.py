"""Pools that are rated together into a folder: stopped anywhere, it comes to the same tables."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ratingbook.checks.histories import history
from ratingbook.checks.pools import tables_of_pools
from ratingbook.engine.history import History
from ratingbook.engine.history.files import Written, rate_into
from ratingbook.engine.history.pooled import rate_pools
from ratingbook.engine.history.pooled_course import AllPools
from ratingbook.engine.history.pools import divided
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.engine.history.together import Together
from ratingbook.rules import registry

TABLES = ("ratings", "changes", "batches")


class Stopped(Exception):
    """Stands for whatever ends a run in the middle."""


def drawn(name: str) -> dict[str, pa.Table]:
    # Around a reform of all ratings, where there is one.
    more: dict[str, Any] = {"games": 120}
    if name.startswith("fide"):
        more = {"games": 50, "years": 0.6, "first": date(2023, 12, 1) if name == "fide" else None}
    book = registry.load(name)
    assert book.bulk is not None
    assert book.bulk.pools is not None
    return tables_of_pools(book, book.bulk.pools, 5, **more)


def course(facts: History, name: str) -> AllPools:
    book = registry.load(name)
    return AllPools(Together(divided(facts.given, book).parts, book, compiled=False))


def into(folder: Path, facts: History, name: str, stop: int = 0) -> Written:
    """Rate into a folder with a checkpoint wherever one can be; stopped after so many looks."""
    looks = 0

    def progress(done: int, total: int) -> None:
        nonlocal looks
        looks += 1
        if looks == stop:
            raise Stopped

    return rate_into(folder, course(facts, name), seconds=0.0, progress=progress)


def assert_as_at_once(folder: Path, facts: History, name: str) -> None:
    whole = rate_pools(facts, registry.load(name), compiled=False)
    for table, made in zip(TABLES, (whole.ratings, whole.changes, whole.batch_table), strict=True):
        assert pq.read_table(folder / f"{table}.parquet").equals(made), table


@pytest.mark.parametrize(("name", "stop"), [("fide-2014", 6), ("uscf-2013", 3)])
def test_a_stopped_run_goes_on(tmp_path: Path, name: str, stop: int) -> None:
    facts = history(drawn(name))
    for _ in range(2):
        with pytest.raises(Stopped):
            into(tmp_path, facts, name, stop=stop)
    last = into(tmp_path, facts, name)
    assert 0 < last.resumed_after < last.batches
    assert_as_at_once(tmp_path, facts, name)
    # And once more: all but the last list, or section, is there.
    again = into(tmp_path, facts, name)
    assert again.resumed_after > last.resumed_after
    assert_as_at_once(tmp_path, facts, name)


@pytest.mark.parametrize("name", ["fide", "uscf-2013"])
def test_more_games_are_rated_from_where_it_stood(tmp_path: Path, name: str) -> None:
    made = drawn(name)
    days = sorted(made["games"]["date"].to_pylist())
    cut = days[len(days) * 2 // 3]
    ends: dict[str, date] = {}
    for row in made["games"].to_pylist():
        ends[row["event"]] = max(ends.get(row["event"], row["date"]), row["date"])
    early = pa.array([ends[event] < cut for event in made["games"]["event"].to_pylist()])
    into(tmp_path, history({**made, "games": made["games"].filter(early)}), name)
    facts = history(made)
    written = into(tmp_path, facts, name)
    assert written.resumed_after, written.refused
    assert_as_at_once(tmp_path, facts, name)


def test_what_does_not_fit_is_told_and_rated_anew(tmp_path: Path) -> None:
    name = "uscf-2013"
    made = drawn(name)
    facts = history(made)
    into(tmp_path, facts, name)
    games = made["games"]
    first = games["date"].to_pylist().index(min(games["date"].to_pylist()))
    # A game of the quick system that came before all others.
    row = {**games.slice(first, 1).to_pylist()[0], "event": "late", "round": 1}
    row |= {each: date(2000, 1, 1) for each in ("date", "start")}
    late = pa.concat_tables([games, pa.Table.from_pylist([row], games.schema)])
    events = made["events"]
    word = {"event": "late", "pool": "quick"}
    events = pa.concat_tables([events, pa.Table.from_pylist([word])], promote_options="default")
    mended = history({**made, "games": late, "events": events})
    written = into(tmp_path, mended, name)
    assert not written.resumed_after
    assert written.refused
    assert_as_at_once(tmp_path, mended, name)
    # One pool is not several, in a folder that was of several, and the other way.
    run = Run(facts.given, Program(registry.load("uscf-2013").with_own({"pool": 0}), False))
    assert rate_into(tmp_path, run).refused == "it is of several pools"
    assert into(tmp_path, facts, name).refused == "it is of one pool"
