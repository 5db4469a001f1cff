"""Masters: none, one that is silent, and one of our own that loses a worker."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from ratingbook.engine.history import HistoryRefused
from ratingbook.engine.history.files import rate_into
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.engine.spark import rate_files_on_cluster, rate_on_cluster, session
from ratingbook.rules import registry

NAME = "fide-2009"


@pytest.fixture
def given(histories):
    return histories.history(histories.tables(registry.load(NAME), 11, games=900)).given


@pytest.fixture
def here(tmp_path, given):
    out = tmp_path / "here"
    rate_into(out, Run(given, Program(registry.load(NAME), False)))
    return out


def only_finding(given, tmp_path, **options):
    with pytest.raises(HistoryRefused) as error:
        rate_on_cluster(given, registry.load(NAME), tmp_path / "there", **options)
    (finding,) = error.value.findings
    assert finding.severity.refuses
    assert finding.remedy
    return finding


def test_a_killed_worker_changes_nothing(
    tmp_path, histories, given, here, same_files, standalone, monkeypatch
):
    tables = histories.tables(registry.load(NAME), 11, games=900)
    files = {name: tmp_path / f"{name}.parquet" for name in tables}
    for name, path in files.items():
        pq.write_table(tables[name], path, row_group_size=200)
    told = []

    def kill_one(done, total):
        told.append(done)
        if len(told) == 3:
            standalone.kill(standalone.workers[0])

    with monkeypatch.context() as impatient:
        impatient.setattr(session, "SECONDS_FOR_WORKERS", 0.5)
        finding = only_finding(given, tmp_path, master=standalone.url)
    assert (finding.code, "no worker" in finding.message) == ("history.no-master", True)
    # On a machine that is busy two workers take their time to start.
    monkeypatch.setattr(session, "SECONDS_FOR_WORKERS", 120.0)
    for _ in range(2):
        standalone.add_worker()
    games = files.pop("games")
    written, *_ = rate_files_on_cluster(
        games, registry.load(NAME), tmp_path / "there", master=standalone.url, compiled=False,
        buckets=4, progress=kill_one, **files,
    )  # fmt: skip
    assert standalone.workers[0].poll() is not None
    assert standalone.workers[1].poll() is None
    assert written.batches == len(told) > 5
    same_files(here, tmp_path / "there")


def test_a_local_cluster(tmp_path, given, here, same_files):
    rate_on_cluster(
        given, registry.load(NAME), tmp_path / "there", master="local-cluster[2,1,1024]",
        compiled=False, settings={"spark.executor.memory": "900m"},
    )  # fmt: skip
    same_files(here, tmp_path / "there")


@pytest.mark.parametrize("place", ["127.0.0.1:{port}", "127.0.0.1", "nowhere.invalid:7077"])
def test_a_master_that_is_not_there_is_told_at_once(tmp_path, given, place, monkeypatch):
    """Before Spark is started, which would ask for a minute."""
    started = []
    monkeypatch.setattr(session, "_start", lambda *given: started.append(given))
    with socket.socket() as taken:
        # Bound, and listening to nobody.
        taken.bind(("127.0.0.1", 0))
        master = f"spark://{place.format(port=taken.getsockname()[1])}"
        finding = only_finding(given, tmp_path, master=master)
    assert finding.code == "history.no-master"
    assert master in finding.message
    assert not started


def test_a_listener_that_is_no_master_is_told(tmp_path, given, monkeypatch):
    monkeypatch.setattr(session, "SECONDS_FOR_ANSWER", 3.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        master = f"spark://127.0.0.1:{silent.getsockname()[1]}"
        finding = only_finding(given, tmp_path, master=master)
    assert finding.code == "history.no-master"
    assert "does not answer" in finding.message


def test_without_java_people_hear_what_to_install(tmp_path, given, monkeypatch):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    finding = only_finding(given, tmp_path)
    assert finding.code == "history.no-java"
    assert "openjdk-17" in finding.remedy
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert "JAVA_HOME" in only_finding(given, tmp_path).message


def test_an_old_java_is_told(tmp_path, given, monkeypatch):
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'java version \"1.8.0_202\"' >&2\n", encoding="ascii")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    finding = only_finding(given, tmp_path)
    assert (finding.code, "is Java 8" in finding.message) == ("history.no-java", True)


def test_without_pyspark_people_hear_what_to_install(tmp_path, given, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    finding = only_finding(given, tmp_path)
    assert finding.code == "history.no-spark"
    assert "ratingbook[spark]" in finding.remedy


def test_a_console_stays_quiet(tmp_path):
    """Neither Spark's log nor Java's warnings appear, and nothing is left running."""
    program = (
        "from ratingbook.engine.spark import cluster\n"
        "with cluster('local[1]') as ready:\n"
        "    print(ready.context.parallelize(range(3), 1).sum())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=100,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout == "3\n"
    assert done.stderr == ""
