"""Games that workers read: the same tables and findings as if one process had read them."""

from __future__ import annotations

import random
from datetime import date
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from ratingbook.checks.pools import tables_of_pools
from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.history import HistoryRefused
from ratingbook.engine.history.files import rate_into
from ratingbook.engine.history.fit import check_history
from ratingbook.engine.history.intake import read_history
from ratingbook.engine.history.pooled_course import AllPools
from ratingbook.engine.history.pools import divided, has_pools
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.engine.history.together import Together
from ratingbook.engine.spark import intake, rate_files_on_cluster
from ratingbook.model import Findings
from ratingbook.rules import registry
from ratingbook.rules.series import pools_of
from tests.engine.history.histories import EDITIONS, SERIES

BOOKS = [*SERIES, *(name for name in EDITIONS if name.rpartition("-")[0] not in SERIES)]
"""Of a federation with several editions the series, in which all of them are."""
BY_PERIOD = [name for name in BOOKS if bulk_of(registry.load(name)).calendar is not None]

pytestmark = pytest.mark.usefixtures("session")


def as_arrow(table, path):
    with pa.ipc.new_file(path, table.schema) as writer:
        for batch in table.to_batches(max_chunksize=70):
            writer.write_batch(batch)


def written(tables, folder, how):
    """Files of games in some forms and sizes, and those beside them."""
    folder.mkdir()
    games = tables["games"]
    thirds = [0, len(games) // 3, len(games) // 2, len(games)]
    for number, (begin, end) in enumerate(pairwise(thirds)):
        part, path = games.slice(begin, end - begin), folder / f"games-{number}"
        kind = how[number]
        if kind == "parquet":
            pq.write_table(part, f"{path}.parquet", row_group_size=90)
        elif kind == "arrow":
            as_arrow(part, f"{path}.arrow")
        else:
            pa.csv.write_csv(part, f"{path}.csv")
    beside = {}
    for name in ("players", "events", "entries", "decisions"):
        if tables.get(name) is not None:
            beside[name] = folder / f"{name}-beside.parquet"
            pq.write_table(tables[name], beside[name])
    return sorted(folder.glob("games-*")), beside


def both(tmp_path, name, games, beside, **options):
    """The folders of a run here and of one on the cluster, and what each had to say."""
    book = registry.load(name)
    given, here = read_history(games, **beside)
    assert given is not None, list(here)
    here.extend(check_history(given, book))
    if has_pools(given, book):
        parts = divided(given, book)
        together = Together(parts.parts, book, compiled=False, assume=options.get("assume"))
        together.tell_plans(parts.findings)
        here.extend(parts.findings)
        rate_into(tmp_path / "here", AllPools(together))
        total = together.games
    else:
        run = Run(given, Program(book, False), assume=options.get("assume"))
        here.extend(run.plan.findings)
        rate_into(tmp_path / "here", run)
        total = len(given.games)
    there = Findings()
    written, players, rows, left_out = rate_files_on_cluster(
        games, book, tmp_path / "there", compiled=False, buckets=3, findings=there, **beside,
        **options,
    )  # fmt: skip
    assert players == len(given.players)
    assert written.games == total
    assert rows == len(given.games) + len(given.left_out)
    assert left_out == given.games.halves_left_out
    assert not (tmp_path / "there" / ".ratingbook" / "work").exists()
    # No worker sees all rows, so none knows those that are alike.
    assert list(there) == [each for each in here if each.code != "history.twice"]
    return tmp_path / "here", tmp_path / "there"


@pytest.mark.parametrize("how", ["parquet parquet parquet", "csv arrow parquet"])
@pytest.mark.parametrize("name", BY_PERIOD)
def test_as_here(tmp_path, histories, same_files, name, how, monkeypatch):
    monkeypatch.setattr(intake, "ROWS_OF_A_PIECE", 100)
    more = histories.FEW_LISTS if name == "fide" else {}
    book = registry.load(name)
    tables = histories.said_of_some(book, histories.tables(book, 21, games=900, **more), 21)
    rows = random.Random(21).sample(range(len(tables["games"])), len(tables["games"]))
    tables["games"] = tables["games"].take(pa.array(rows))
    games, beside = written(tables, tmp_path / "given", how.split())
    same_files(*both(tmp_path, name, games, beside))


@pytest.mark.parametrize("name", BY_PERIOD)
def test_without_events_every_day_is_one(tmp_path, histories, same_files, name):
    more = histories.FEW_LISTS if name == "fide" else {}
    tables = histories.tables(registry.load(name), 22, games=600, **more)
    plain = tables["games"].select(["date", "white", "black", "score"])
    tables = {"games": plain, "players": tables.get("players")}
    games, beside = written(tables, tmp_path / "given", ["parquet", "csv", "arrow"])
    same_files(*both(tmp_path, name, games, beside, assume=1600.0))


def test_decisions_that_nobody_plays_after_are_told_as_here(
    tmp_path, histories, same_files, monkeypatch
):
    monkeypatch.setattr(intake, "ROWS_OF_A_PIECE", 100)
    tables = histories.tables(registry.load("fide-2009"), 24, games=900)
    days = sorted(tables["games"]["date"].to_pylist())
    played = tables["games"].sort_by("date")["white"].to_pylist()
    decided = [(played[-1], days[0]), (played[0], days[3]), (played[5], date(2199, 1, 1))]
    tables["decisions"] = pa.table(
        {
            "player": [player for player, _ in decided],
            "date": [day for _, day in decided],
            "kind": ["base_rating"] * 3,
            "value": [1800.0] * 3,
        }
    )
    games, beside = written(tables, tmp_path / "given", ["parquet", "arrow", "parquet"])
    findings = Findings()
    same_files(*both(tmp_path, "fide-2009", games, beside))
    rate_files_on_cluster(
        games, registry.load("fide-2009"), tmp_path / "again", compiled=False, findings=findings,
        **beside,
    )  # fmt: skip
    (told,) = [each for each in findings if each.code == "history.decision-unused"]
    assert told.message.startswith("1 decision is not used")


@pytest.mark.parametrize("said", ["events", "games", "days"])
def test_pools_as_here(tmp_path, same_files, monkeypatch, said):
    """The events file says the pools, or the games do, with events or for each day."""
    monkeypatch.setattr(intake, "ROWS_OF_A_PIECE", 20)
    book = registry.load("fide")
    drawn = {"games": 90, "years": 0.6, "first": date(2023, 12, 1)}
    pools = pools_of(book)
    assert pools is not None
    tables = tables_of_pools(book, pools, 7, **drawn)
    rows = random.Random(7).sample(range(len(tables["games"])), len(tables["games"]))
    games = tables["games"].take(pa.array(rows))
    if said != "events":
        words = {row["event"]: row["pool"] or "" for row in tables["events"].to_pylist()}
        said_of_games = [words[event] for event in games["event"].to_pylist()]
        games = games.append_column("pool", pa.array(said_of_games))
        tables["events"] = tables["events"].drop_columns(["pool"])
    if said == "days":
        games = games.select(["date", "white", "black", "score", "pool"])
        tables = {"players": tables["players"]}
    tables["games"] = games
    files, beside = written(tables, tmp_path / "given", ["parquet", "csv", "arrow"])
    here, there = both(tmp_path, "fide", files, beside)
    same_files(here, there)
    assert len(pq.read_table(there / "changes.parquet")["pool"].unique()) == 3


def test_ids_that_are_numbers_in_one_piece_and_texts_in_another(tmp_path, same_files):
    days = pa.array(np.arange("2011-01-01", "2011-12-01", dtype="datetime64[D]"))
    count = len(days)
    tables = {
        "games": pa.table(
            {
                "date": days,
                "white": [str(n % 7) if n < 200 else f"x{n % 5}" for n in range(count)],
                "black": [str(7 + n % 5) for n in range(count)],
                "score": [(n % 3) / 2 for n in range(count)],
            }
        )
    }
    games, beside = written(tables, tmp_path / "given", ["csv", "csv", "csv"])
    here, there = both(tmp_path, "fide-2009", games, beside, assume=1500.0)
    same_files(here, there)
    assert "x3" in pq.read_table(there / "ratings.parquet")["player"].to_pylist()


def test_what_is_wrong_is_told_as_here(tmp_path, histories, monkeypatch):
    monkeypatch.setattr(intake, "ROWS_OF_A_PIECE", 100)
    tables = histories.tables(registry.load("fide-2009"), 23, games=900)
    bad = tables["games"]["score"].to_pylist()
    bad[850], bad[870], bad[10] = 7.0, None, None
    column = tables["games"].column_names.index("score")
    tables["games"] = tables["games"].set_column(column, "score", pa.array(bad, pa.float64()))
    games, beside = written(tables, tmp_path / "given", ["parquet", "arrow", "parquet"])
    given, here = read_history(games, **beside)
    assert given is None
    with pytest.raises(HistoryRefused) as error:
        rate_files_on_cluster(
            games, registry.load("fide-2009"), tmp_path / "there", compiled=False, **beside
        )
    assert list(error.value.findings) == list(here)
    assert any(each.code == "history.score" for each in here)
    assert not (tmp_path / "there" / ".ratingbook" / "work").exists()


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(HistoryRefused, match="no file of this name"):
        rate_files_on_cluster(
            tmp_path / "no.parquet", registry.load("fide-2009"), tmp_path / "there"
        )


def test_the_driver_holds_no_games(tmp_path, histories, monkeypatch):
    """What is too large for one machine must not be read by one."""
    tables = histories.tables(registry.load("fide-2009"), 24, games=900)
    games, beside = written(tables, tmp_path / "given", ["parquet"] * 3)
    monkeypatch.setattr(
        "ratingbook.engine.history.intake.sources.Source.chunks", _only_tables("games")
    )
    rate_files_on_cluster(
        games, registry.load("fide-2009"), tmp_path / "there", compiled=False, **beside
    )
    assert len(pq.read_table(tmp_path / "there" / "ratings.parquet")) > 0


def _only_tables(forbidden):
    from ratingbook.engine.history.intake.sources import Source

    chunks = Source.chunks

    def read(self, wanted):
        assert not self.name.rpartition("/")[2].startswith(forbidden), self.name
        return chunks(self, wanted)

    return read


def test_a_run_over_files_goes_on(tmp_path, histories, same_files):
    name = "fide-2009"
    tables = histories.tables(registry.load(name), 25, games=900)
    games, beside = written(tables, tmp_path / "given", ["parquet"] * 3)
    given, _ = read_history(games, **beside)
    assert given is not None
    rate_into(tmp_path / "here", Run(given, Program(registry.load(name), False)))

    def stop(done, total):
        if done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rate_files_on_cluster(
            games, registry.load(name), tmp_path / "there", compiled=False, seconds=0,
            progress=stop, **beside,
        )  # fmt: skip
    done, *_ = rate_files_on_cluster(
        games, registry.load(name), tmp_path / "there", compiled=False, **beside
    )
    assert done.resumed_after > 0
    same_files(tmp_path / "here", tmp_path / "there")
