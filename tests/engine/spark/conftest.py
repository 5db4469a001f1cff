"""Histories, a session for all tests of a module, and a standalone cluster of our own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pyarrow.parquet as pq
import pytest

from tests.engine.history import histories as random_histories

FILES = ("ratings", "changes", "batches")
SECONDS = 60


@pytest.fixture(scope="session")
def histories() -> ModuleType:
    """The makers of random histories."""
    return random_histories


@pytest.fixture(scope="module")
def session():
    """One session for all tests of a module: what finds it open uses it."""
    from ratingbook.engine.spark import cluster

    with cluster("local[2]") as ready:
        yield ready


@pytest.fixture
def same_files():
    """Whether two folders hold the same tables."""

    def same(one: Path, other: Path) -> None:
        for name in FILES:
            mine, theirs = (pq.read_table(folder / f"{name}.parquet") for folder in (one, other))
            assert mine.schema.equals(theirs.schema), name
            assert mine.equals(theirs), name
        assert len(pq.read_table(one / "changes.parquet")) > 0

    return same


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


class Standalone:
    """A master and its workers: processes that this test started, and ends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"spark://127.0.0.1:{self.port}"
        self.workers: list[subprocess.Popen[bytes]] = []
        self._log = (folder / "log").open("wb")
        self.master = self._started(
            "master.Master", "--host", "127.0.0.1", "--port", str(self.port), "--webui-port", "0"
        )
        self._wait()

    def _started(self, which: str, *arguments: str) -> subprocess.Popen[bytes]:
        import pyspark

        home = Path(pyspark.__file__).parent
        environment = {
            **os.environ,
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_DIRS": str(self.folder / "local"),
            "SPARK_WORKER_DIR": str(self.folder / "work"),
            "SPARK_DAEMON_JAVA_OPTS": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
            "PYSPARK_PYTHON": sys.executable,
        }
        return subprocess.Popen(
            [home / "bin" / "spark-class", f"org.apache.spark.deploy.{which}", *arguments],
            env=environment, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log,
            start_new_session=True,
        )  # fmt: skip

    def _wait(self) -> None:
        until = time.monotonic() + SECONDS
        while True:
            assert self.master.poll() is None, (self.folder / "log").read_text()
            with socket.socket() as asked:
                if asked.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert time.monotonic() < until
            time.sleep(0.05)

    def add_worker(self) -> None:
        size = ("--cores", "1", "--memory", "1536m")
        started = self._started(
            "worker.Worker", "--host", "127.0.0.1", "--webui-port", "0", *size, self.url
        )
        self.workers.append(started)

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """End a process with those that it started: they are a group of their own."""
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(SECONDS)

    def close(self) -> None:
        for process in (*self.workers, self.master):
            self.kill(process)
        self._log.close()


@pytest.fixture
def standalone(tmp_path):
    """A master of our own, still without workers."""
    folder = tmp_path / "cluster"
    folder.mkdir()
    made = Standalone(folder)
    yield made
    made.close()
