"""Compiled code that a driver hands over: believed by its hash, and by nothing else."""

from __future__ import annotations

import pickle
from pathlib import Path

import pyarrow as pa
import pytest

from ratingbook.engine.sealed import is_sealed
from ratingbook.engine.spark.handing import hand_over, take_over
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
