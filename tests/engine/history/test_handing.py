"""Compiled code that a driver hands over: believed by its hash, and by nothing else."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ratingbook.engine.cache import cache_folder
from ratingbook.engine.history.program import Needs, Program
from ratingbook.engine.options import filled
from ratingbook.engine.sealed import is_sealed, own_folder, seal
from ratingbook.engine.spark import Job, one_task, sweep
from ratingbook.engine.spark.handing import hand_over, take_over
from ratingbook.engine.spark.one_task import rate_in_one_task
from ratingbook.engine.spark.session import Cluster
from ratingbook.engine.spark.settings import OnCluster
from ratingbook.rules import registry
from tests.engine.history import histories
from tests.engine.history.test_link import Planted, compiled_anew


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the driver has compiled."""
    code = tmp_path_factory.mktemp("driver") / "cache" / "code"
    assert compiled_anew(code) == (6, 0)
    return code


def test_a_worker_need_not_compile(driver: Path, tmp_path: Path):
    digest = hand_over(driver, tmp_path)
    code = tmp_path / "worker" / "code"
    assert take_over(code, tmp_path, digest)
    assert compiled_anew(code) == (6, 1)
    assert not take_over(code, tmp_path, digest), "it has its own now"


def test_what_is_not_what_the_driver_has_is_not_taken(driver: Path, tmp_path: Path):
    """Whoever may write into the folder of the results could plant an index, which is a pickle."""
    digest = hand_over(driver, tmp_path)
    laid, spoor, code = tmp_path / "code.arrow", tmp_path / "it-ran", tmp_path / "worker" / "code"
    sound = laid.read_bytes()
    with pa.ipc.open_file(pa.BufferReader(sound)) as reader:
        names = reader.read_all()["name"].to_pylist()
    planted = [pickle.dumps(Planted(spoor))] * len(names)
    table = pa.table({"name": names, "data": pa.array(planted, pa.binary())})
    with pa.ipc.new_file(laid, table.schema) as writer:
        writer.write_table(table)
    for data in (laid.read_bytes(), sound[:-1], b""):
        laid.write_bytes(data)
        assert not take_over(code, tmp_path, digest)
    laid.unlink()
    assert not take_over(code, tmp_path, digest)
    assert not code.exists() or not any(code.iterdir())
    assert not spoor.exists()


def test_what_is_not_sealed_is_not_handed_over(tmp_path: Path):
    code = tmp_path / "cache" / "code"
    code.mkdir(parents=True)
    (code / "index.nbi").write_bytes(b"planted")
    assert not is_sealed(code)
    assert hand_over(code, tmp_path) == ""
    assert not (tmp_path / "code.arrow").exists()


class Begun(Exception):
    """A worker has begun to rate; says whether it had the code of the driver."""


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Program], None]:
    """From here on this is a worker with an empty cache, which ends when it begins to rate.

    The driver had compiled the program before.
    """
    monkeypatch.setenv("RATINGBOOK_CACHE", str(tmp_path / "driver"))

    def becomes(program: Program) -> None:
        monkeypatch.setenv("RATINGBOOK_CACHE", str(tmp_path / "worker"))

        def begun(*given: Any, **more: Any) -> None:
            raise Begun(is_sealed(cache_folder() / program.code_folder.name))

        for module in (one_task, sweep):
            monkeypatch.setattr(module, "course_of", begun)

    return becomes


def compiled_before(name: str, needs: Needs) -> Program:
    """A program whose compiled code is in the cache, or something that stands for it."""
    program = Program(registry.load(name), compiled=True)
    program = program.fitted(replace(needs, plain=bool(program.shared_with_events)))
    code = program.code_folder
    assert own_folder(code.parent)
    assert own_folder(code)
    (code / "rate_batches.nbc").write_bytes(b"machine code")
    seal(code)
    return program


@pytest.mark.parametrize("needs", [Needs(), Needs(events=True)])
def test_a_history_by_sections_gets_what_the_driver_has(tmp_path: Path, worker, needs: Needs):
    book, program = registry.load("uscf-2011"), compiled_before("uscf-2011", needs)

    class Here:
        cores = 1

        def run(self, group: str, task: Callable[[Iterator[int]], Any], ones: list[int]) -> Any:
            worker(program)
            return list(task(iter(ones)))

    given = histories.history(histories.tables(book, 9)).given
    options = filled(OnCluster, OnCluster(compiled=True))
    with pytest.raises(Begun, match="True"):
        rate_in_one_task(cast(Cluster, Here()), given, book, tmp_path / "out", options)


def test_a_sweep_gets_what_the_driver_has(tmp_path: Path, worker, monkeypatch: pytest.MonkeyPatch):
    """However few the games are: what is tried here is the way of the code."""
    monkeypatch.setattr(sweep, "COMPILED_FROM", 0)
    program, games = compiled_before("fide-2009", Needs(events=True)), tmp_path / "games.parquet"
    pq.write_table(histories.tables(registry.load("fide-2009"), 9)["games"], games)
    files, job = sweep._Files((games,), {}), Job("one", "fide-2009", {"floor": "1600"})
    tasks = sweep._with_code(sweep._tasks([job], files, tmp_path), files, tmp_path / "laid")
    worker(program)
    with pytest.raises(Begun, match="True"):
        list(sweep._rate_all(tasks))
