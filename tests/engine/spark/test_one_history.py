"""One history on a cluster is the local one, bit for bit."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import date

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from ratingbook.checks.histories import history
from ratingbook.checks.pools import tables_of_pools
from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.history import History, HistoryRefused
from ratingbook.engine.history.files import rate_into
from ratingbook.engine.history.folder import alone_in
from ratingbook.engine.history.pooled import rate_pools
from ratingbook.engine.history.pooled_course import AllPools
from ratingbook.engine.history.pools import divided
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.engine.history.together import Together
from ratingbook.engine.spark import rate_on_cluster
from ratingbook.engine.spark.history import is_divided
from ratingbook.model import Findings
from ratingbook.rules import registry
from ratingbook.rules.series import pools_of
from tests.engine.history.histories import EDITIONS, SERIES

BOOKS = [*SERIES, *(name for name in EDITIONS if name.rpartition("-")[0] not in SERIES)]
"""Of a federation with several editions the series, in which all of them are."""
BY_PERIOD = [name for name in BOOKS if bulk_of(registry.load(name)).calendar is not None]
BY_SECTION = sorted(
    {registry.load(name).federation: name for name in BOOKS if name not in BY_PERIOD}.values()
)

pytestmark = pytest.mark.usefixtures("session")


class Stopped(Exception):
    """Stands for whatever ends a driver in the middle."""


class Stops:
    """Progress that ends the run when it is told for the n-th time."""

    def __init__(self, after: int) -> None:
        self.after = after

    def __call__(self, done: int, total: int) -> None:
        self.after -= 1
        if self.after == 0:
            raise Stopped


def rated_here(given, name, out, **options):
    run = Run(given, Program(registry.load(name), False), **options)
    rate_into(out, run)
    return out


def made(histories, name, seed, **more):
    more = {**(histories.FEW_LISTS if name == "fide" else {}), **more}
    book = registry.load(name)
    tables = histories.said_of_some(book, histories.tables(book, seed, **more), seed)
    return histories.history(tables).given


@pytest.mark.parametrize("name", BY_PERIOD)
def test_by_period_as_here(tmp_path, histories, same_files, name):
    given = made(histories, name, 1, games=900)
    run = Run(given, Program(registry.load(name), False))
    here = tmp_path / "here"
    rate_into(here, run)
    there = tmp_path / "there"
    findings, told = Findings(), []
    written = rate_on_cluster(
        given, registry.load(name), there, buckets=3, compiled=False,
        findings=findings, progress=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    same_files(here, there)
    assert not (there / ".ratingbook" / "work").exists()
    assert written.rows == len(pq.read_table(there / "changes.parquet"))
    assert written.games == len(given.games)
    assert written.passed_over == run.state.passed_over
    assert run.state.passed_over or name == "fide"
    assert told[-1] == (written.games, written.games)
    assert len(told) == written.batches > 5
    assert "history.put-in-order" in [each.code for each in findings]


@pytest.mark.parametrize("name", BY_SECTION)
def test_by_section_as_here(tmp_path, histories, same_files, name):
    given = made(histories, name, 3)
    here = rated_here(given, name, tmp_path / "here")
    findings = Findings()
    written = rate_on_cluster(
        given, registry.load(name), tmp_path / "there", compiled=False, findings=findings
    )
    same_files(here, tmp_path / "there")
    assert written.games == len(given.games)
    assert findings
    assert sorted(path.name for path in (tmp_path / "there").iterdir()) == sorted(
        path.name for path in here.iterdir()
    )


POOLED = ("fide", "uscf-2013")
"""Lists of which one reads the other, around a reform, and sections that count in two systems."""


def of_pools(name):
    """A history of several pools."""
    book, more = registry.load(name), {}
    if name == "fide":
        more = {"games": 90, "years": 0.6, "first": date(2023, 12, 1)}
    pools = pools_of(book)
    assert pools is not None
    return history(tables_of_pools(book, pools, 5, **more)).given


def pools_here(given, name, out, **options):
    book = registry.load(name)
    course = AllPools(Together(divided(given, book).parts, book, compiled=False))
    rate_into(out, course, **options)
    return out


@pytest.mark.parametrize("name", POOLED)
def test_pools_as_here(tmp_path, same_files, name):
    given, book = of_pools(name), registry.load(name)
    here, there = pools_here(given, name, tmp_path / "here"), tmp_path / "there"
    findings = Findings()
    written = rate_on_cluster(given, book, there, compiled=False, buckets=2, findings=findings)
    same_files(here, there)
    changes = pq.read_table(there / "changes.parquet")
    numbers = {
        pool: set(changes.filter(pc.equal(changes["pool"], pool))["batch"].to_pylist())
        for pool in changes["pool"].unique().to_pylist()
    }
    assert len(numbers) == (3 if name == "fide" else 2)
    # What falls on one time has one number: lists of one day, or a dual section.
    assert len(set().union(*numbers.values())) < sum(map(len, numbers.values()))
    assert written.rows == len(changes)
    rated = rate_pools(History(given), book, compiled=False)
    assert [each.code for each in findings] == [
        each.code for each in rated.findings if each.code in {one.code for one in findings}
    ]
    assert not (there / ".ratingbook" / "work").exists()


def test_pools_go_on_here_and_there(tmp_path, same_files):
    given, book = of_pools("fide"), registry.load("fide")
    here, mixed = pools_here(given, "fide", tmp_path / "here"), tmp_path / "mixed"
    with pytest.raises(Stopped):
        rate_on_cluster(
            given, book, mixed, seconds=0, compiled=False, progress=Stops(12), buckets=2
        )
    with pytest.raises(Stopped):
        pools_here(given, "fide", mixed, seconds=0, progress=Stops(8))
    written = rate_on_cluster(given, book, mixed, compiled=False, buckets=2)
    assert 0 < written.resumed_after < written.batches
    assert written.refused == ""
    same_files(here, mixed)


def test_pools_of_which_one_is_unknown_are_refused(tmp_path):
    games = pa.table({"date": [date(2010, 3, 10)], "white": ["a"], "black": ["b"], "score": [1.0],
                      "pool": ["rapid"]})  # fmt: skip
    with pytest.raises(HistoryRefused, match="does not have"):
        rate_on_cluster(History.of(games).given, registry.load("fide-2009"), tmp_path / "there")
    events = pa.table({"event": ["e"], "pool": ["blitz"]})
    games = games.append_column("event", pa.array(["e"])).drop_columns(["pool"])
    given = History.of(games, events=events).given
    with pytest.raises(HistoryRefused, match="does not have"):
        rate_on_cluster(given, registry.load("uscf-2013"), tmp_path / "there")


def test_several_rounds_are_not_divided():
    """A round needs what the opponents came to in the one before, whoever rates them."""
    bulk = bulk_of(registry.load("iccf-2009"))
    assert is_divided(bulk)
    assert not is_divided(replace(bulk, kernel_at=bulk_of(registry.load("uscf-2011")).kernel_at))
    assert not is_divided(bulk_of(registry.load("egf-2013")))


def test_a_folder_that_is_held_or_not_of_a_run_is_left_alone(tmp_path, histories):
    given = made(histories, "fide-2009", 1, games=300)
    with alone_in(tmp_path), pytest.raises(HistoryRefused, match="Another run"):
        rate_on_cluster(given, registry.load("fide-2009"), tmp_path, compiled=False)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "ratings.parquet").write_text("mine")
    with pytest.raises(HistoryRefused, match="is not of a run"):
        rate_on_cluster(given, registry.load("fide-2009"), tmp_path, compiled=False)
    assert [path.name for path in tmp_path.iterdir()] == ["ratings.parquet"]


def test_compiled_as_here(tmp_path, histories, same_files):
    given = made(histories, "iccf-2009", 4, games=2000, players=300)
    here = rated_here(given, "iccf-2009", tmp_path / "here")
    there = tmp_path / "there"
    rate_on_cluster(given, registry.load("iccf-2009"), there, buckets=4, compiled=True)
    same_files(here, there)


@pytest.mark.parametrize("name", BY_PERIOD)
def test_a_stopped_driver_goes_on(tmp_path, histories, same_files, name):
    given, book = made(histories, name, 5), registry.load(name)
    here = rated_here(given, name, tmp_path / "here")
    there = tmp_path / "there"
    for stop in (4, 2):
        with pytest.raises(Stopped):
            rate_on_cluster(
                given, book, there, seconds=0, compiled=False, progress=Stops(stop), buckets=3
            )
    written = rate_on_cluster(given, book, there, compiled=False)
    assert written.resumed_after == 4
    assert written.refused == ""
    same_files(here, there)


def test_a_local_run_goes_on_on_a_cluster_and_the_other_way(tmp_path, histories, same_files):
    name = "fide-2009"
    given, book = made(histories, name, 6), registry.load(name)
    here = rated_here(given, name, tmp_path / "here")
    for first, second in ((_here, _there), (_there, _here)):
        out = tmp_path / "mixed"
        shutil.rmtree(out, ignore_errors=True)
        with pytest.raises(Stopped):
            first(given, book, out, seconds=0, progress=Stops(3))
        assert second(given, book, out).resumed_after == 2
        same_files(here, out)


def _here(given, book, out, **options):
    # A period at a time, as a cluster rates them: here all of a small history is one look.
    class ByPeriod(Run):
        def batches(self, until=None, **sides):
            while self.state.next_batch < len(self.plan):
                yield from super().batches(self.state.next_batch + 1, **sides)

    return rate_into(out, ByPeriod(given, Program(book, False)), **options)


def _there(given, book, out, **options):
    return rate_on_cluster(given, book, out, compiled=False, **options)


def test_a_rating_may_be_assumed_and_changes_left_out(tmp_path, histories):
    given, book = made(histories, "fide-2009", 7), registry.load("fide-2009")
    here = rated_here(given, "fide-2009", tmp_path / "here", assume=1500.0)
    there = tmp_path / "there"
    rate_on_cluster(given, book, there, assume=1500.0, changes=False, compiled=False, buckets=1)
    assert not (there / "changes.parquet").exists()
    ratings = pq.read_table(there / "ratings.parquet")
    assert ratings.equals(pq.read_table(here / "ratings.parquet"))


def test_parameters_reach_the_workers(tmp_path, histories, same_files):
    given = made(histories, "fide-2009", 8)
    book = registry.load("fide-2009").with_parameters({"floor": "1600"})
    out = tmp_path / "here"
    rate_into(out, Run(given, Program(book, False)))
    rate_on_cluster(given, book, tmp_path / "there", compiled=False)
    same_files(out, tmp_path / "there")


def test_a_file_that_is_cut_off_is_told(tmp_path, histories, monkeypatch):
    given, book = made(histories, "fide-2009", 9), registry.load("fide-2009")
    monkeypatch.setattr(
        "ratingbook.engine.spark.buckets.Prepared.rows_of", lambda self, period: (1, 1)
    )
    with pytest.raises(HistoryRefused) as error:
        rate_on_cluster(given, book, tmp_path / "there", compiled=False, buckets=2)
    (finding,) = error.value.findings
    assert finding.code == "history.cluster"
    assert "games, not 1" in finding.message
