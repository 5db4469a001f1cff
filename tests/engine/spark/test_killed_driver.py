"""A driver that is killed while its worker writes: ``python -m tools.cluster_kills`` kills more."""

from __future__ import annotations

import random
import time

from tools.cluster_kills import Driver, batches_behind
from tools.small_runs import TABLES, cases, differs, tables_of


def test_after_a_killed_driver_the_next_run_goes_on(tmp_path):
    book, number = "elo", 1
    case = cases(book)[number]
    assert case.before is not None
    for folder in (tmp_path / "killed", tmp_path / "alone"):
        case.before.run(folder)
    before = batches_behind(tmp_path / "killed")
    case.now.run(tmp_path / "alone")
    driver = Driver(book, number, tmp_path / "killed", "local[1]")
    assert driver.said() == "ready"
    until = time.monotonic() + 200
    while batches_behind(tmp_path / "killed") <= before:
        assert time.monotonic() < until
        time.sleep(0.001)
    assert driver.kill("driver", random.Random(1))
    driver.process.join()
    behind = batches_behind(tmp_path / "killed")
    written = case.now.run(tmp_path / "killed")
    assert written.resumed_after >= behind > before
    assert not differs(tmp_path / "killed", tables_of(tmp_path / "alone", TABLES))
