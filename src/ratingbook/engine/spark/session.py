"""A Spark session: found, or started, or told in plain words why there is none."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.model import Findings, Severity
from ratingbook.model.patterns import pattern

JAVA = 17
"""The least version of Java that Spark 4 runs on."""

SECONDS_FOR_MASTER = 8.0
"""Within which a master must accept a connection."""

SECONDS_FOR_ANSWER = 30.0
"""Within which it must have taken us on; something else may listen at that address."""

SECONDS_FOR_WORKERS = 20.0
"""Within which a worker must have offered itself."""

_AT_ONCE = 256
"""Tasks that the driver waits for at a time."""

_MEMORY = "2g"
_RETRIES = 4
"""How often a task is tried; Spark's own default on a cluster, but not in ``local``."""

_JVM = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
"""The JVM only hands bytes on: a quick start is worth more than its best code."""

_ALLOCATION = {
    # Workers make columns of millions of rows, let them go and make the next. What has gone back
    # to the system comes again page by page, each filled with zeros first: half of their time.
    "MALLOC_MMAP_THRESHOLD_": str(1 << 32),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 33),
    # Large pages, for which a system that has run for a while moves others first.
    "NUMPY_MADVISE_HUGEPAGE": "0",
}
"""The environment of workers: how they are given memory (of glibc; others do not look at it)."""

_LOCAL = pattern(r"local(?:\[(\*|\d+)\])?\Z")
_IN_PROCESS = pattern(r"local(?:\[.*\]|-cluster\[.*\])?\Z")
_STANDALONE = pattern(r"spark://(.+)\Z")
_OTHER_MASTERS = ("yarn", "k8s://")


@dataclass(frozen=True)
class Cluster:
    """A session with workers that are ready."""

    context: Any
    cores: int
    """Tasks that run at once."""

    def run(self, group: str, task: Callable[..., Any], over: Sequence[Any]) -> list[Any]:
        """What a task gives for each of ``over``, one partition each, in a group of jobs."""
        self.context.setJobGroup(group, "ratingbook")
        numbers = self.context.parallelize(over, max(1, len(over)))
        found: list[Any] = numbers.mapPartitions(task).collect()
        return found

    def finished(self, task: Callable[..., Any], over: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """What a task gives for each of ``over``, with its number, as they finish.

        Each is a job of its own for Spark; who stops asking ends the others.
        """
        group = uuid.uuid4().hex

        def run(each: Any) -> Any:
            return self.run(group, task, [each])[0]

        with ThreadPoolExecutor(min(self.cores, _AT_ONCE)) as threads:
            running = {threads.submit(run, each): number for number, each in enumerate(over)}
            try:
                for done in as_completed(running):
                    yield running[done], done.result()
            finally:
                if not all(each.done() for each in running):
                    for each in running:
                        each.cancel()
                    self.cancel(group)

    def cancel(self, group: str) -> None:
        """End the jobs of a group; others may use the session too."""
        self.context.cancelJobGroup(group)


@contextmanager
def cluster(master: str, settings: Mapping[str, str] | None = None) -> Iterator[Cluster]:
    """A session on a master; Spark itself is stopped in the end.

    Where this process has a session already it is used as it is, and left open.
    ``settings`` are added to the configuration.  Raises :class:`HistoryRefused` where
    there is no Spark, no Java, or no master that answers.
    """
    pyspark = _pyspark()
    context = pyspark.SparkContext._active_spark_context
    if context is not None:
        yield Cluster(context, _cores(context, context.master))
        return
    _check_java()
    _check_master(master)
    interrupted = signal.getsignal(signal.SIGINT)
    context = _start(pyspark, master, settings or {})
    if threading.current_thread() is threading.main_thread():
        # Spark's own asks Java to end all jobs, amid what it is being asked; ours are ended below.
        signal.signal(signal.SIGINT, interrupted)
    with _without_traces():
        try:
            yield Cluster(context, _cores(context, master))
        finally:
            context.stop()


@contextmanager
def _without_traces() -> Iterator[None]:
    """What the way to Java logs where a question is broken off: the error itself is told."""

    def is_ours(record: logging.LogRecord) -> bool:
        return "py4j" not in Path(record.pathname).parts

    everybody, its_own = logging.getLogger(), logging.getLogger("py4j")
    everybody.addFilter(is_ours)
    told_on, its_own.propagate = its_own.propagate, False
    try:
        yield
    finally:
        everybody.removeFilter(is_ours)
        its_own.propagate = told_on


def refused(code: str, message: str, remedy: str) -> HistoryRefused:
    """What is told to people instead of a traceback."""
    findings = Findings()
    findings.add(Severity.FATAL, code, message, remedy=remedy)
    return HistoryRefused(findings)


def _pyspark() -> Any:
    if importlib.util.find_spec("pyspark") is None:
        raise refused(
            "history.no-spark",
            "Spark is not installed: the Python package pyspark is missing.",
            "Install ratingbook with its extra: pip install 'ratingbook[spark]'.",
        )
    import pyspark

    return pyspark


def _check_java() -> None:
    """Spark starts the Java of JAVA_HOME, else the one on the path."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else "java"
    remedy = (
        f"Install Java {JAVA} or newer (on Debian: apt-get install openjdk-{JAVA}-jre-headless), "
        "or let JAVA_HOME name its folder."
    )
    found = shutil.which(java)
    if found is None:
        where = f"JAVA_HOME is {home}, and holds no bin/java" if home else "there is no java here"
        raise refused("history.no-java", f"Spark needs Java {JAVA}: {where}.", remedy)
    told = subprocess.run(
        [found, "-version"], capture_output=True, text=True, check=False, timeout=30
    ).stderr
    version = re.search(r'version "(?:1\.)?(\d+)', told)
    if version is None or int(version[1]) < JAVA:
        says = f"is Java {version[1]}" if version else "does not run"
        raise refused("history.no-java", f"Spark needs Java {JAVA}; {found} {says}.", remedy)


def _check_master(master: str) -> None:
    """Whether anybody listens there; Spark itself would ask for a minute."""
    standalone = _STANDALONE.match(master)
    if standalone is None:
        if not _IN_PROCESS.match(master) and not master.startswith(_OTHER_MASTERS):
            raise _no_master(master, "it is no address that Spark knows")
        return
    reasons = []
    for place in standalone[1].split(","):
        host, _, port = place.rpartition(":")
        try:
            if not host or not port.isdigit():
                raise OSError("an address is spark://host:port")
            with socket.create_connection((host.strip("[]"), int(port)), SECONDS_FOR_MASTER):
                return
        except OSError as error:
            reasons.append(f"{place}: {error}")
    raise _no_master(master, "; ".join(reasons))


def _no_master(master: str, why: str) -> HistoryRefused:
    return refused(
        "history.no-master",
        f"The Spark master {master} cannot be used: {why}.",
        "Start the master, or correct --master; local[*] rates on this machine.",
    )


def _start(pyspark: Any, master: str, settings: Mapping[str, str]) -> Any:
    from pyspark.java_gateway import launch_gateway

    # Workers must run the Python that has ratingbook.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = pyspark.SparkConf(loadDefaults=False)
    conf.setAll(list(_settings(master).items()))
    conf.setAll(list(settings.items()))
    with tempfile.TemporaryFile() as noise:
        try:
            gateway = pyspark.SparkContext._gateway or launch_gateway(
                conf, {"stdout": noise, "stderr": noise}
            )
        except Exception as error:
            raise refused(
                "history.no-spark", f"Spark does not start: {_last_line(noise) or error}.",
                "See whether Java and the package pyspark are whole.",
            ) from error  # fmt: skip
    gave_up = threading.Event()

    def give_up() -> None:
        gave_up.set()
        # Spark would wait a minute for an answer, and stops for nothing less.
        if gateway.proc is not None:
            gateway.proc.kill()

    patience = threading.Timer(SECONDS_FOR_ANSWER, give_up)
    patience.start()
    try:
        return pyspark.SparkContext(conf=conf, gateway=gateway)
    except Exception as error:
        if not gave_up.is_set():
            raise _no_master(master, _cause(error)) from error
        if gateway.proc is not None:
            gateway.proc.communicate()
        # The next session starts Java anew.
        pyspark.SparkContext._gateway = pyspark.SparkContext._jvm = None
        raise _no_master(master, "what listens there does not answer as a master does") from error
    finally:
        patience.cancel()


def _last_line(noise: IO[bytes]) -> str:
    noise.seek(0)
    lines = noise.read().decode(errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _settings(master: str) -> dict[str, str]:
    found = _LOCAL.match(master)
    if found:
        # As on a cluster, a task that is lost is tried again.
        master = f"local[{found[1] or 1},{_RETRIES}]"
    log = Path(__file__).with_name("log4j2.properties").as_uri()
    chosen = {
        "spark.master": master,
        "spark.app.name": "ratingbook",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": _MEMORY,
        "spark.driver.maxResultSize": "0",
        "spark.driver.extraJavaOptions": f"{_JVM} -Dlog4j2.configurationFile={log}",
        "spark.executor.extraJavaOptions": _JVM,
        "spark.python.worker.reuse": "true",
        # Plain numbers: packing them takes longer than sending them.
        "spark.broadcast.compress": "false",
        "spark.broadcast.blockSize": "16m",
        "spark.locality.wait": "0",
        # Asking a worker that has died again is of no use for long: others have the same.
        "spark.shuffle.io.maxRetries": "2",
        "spark.shuffle.io.retryWait": "500ms",
        "spark.task.maxFailures": str(_RETRIES),
    }
    if hasattr(socket, "AF_UNIX"):
        # Over TCP each task waits for acknowledgements that are late: 80 ms, not 30.
        chosen["spark.python.unix.domain.socket.enabled"] = "true"
    if _is_here(master):
        chosen["spark.driver.host"] = chosen["spark.driver.bindAddress"] = "127.0.0.1"
    chosen |= {f"spark.executorEnv.{name}": value for name, value in _ALLOCATION.items()}
    if "RATINGBOOK_CACHE" in os.environ:
        chosen["spark.executorEnv.RATINGBOOK_CACHE"] = os.environ["RATINGBOOK_CACHE"]
    return chosen


def _is_here(master: str) -> bool:
    """Whether all workers are on this machine, as far as the address tells."""
    if _IN_PROCESS.match(master):
        return True
    standalone = _STANDALONE.match(master)
    places = standalone[1].split(",") if standalone else []
    return bool(places) and all(
        place.rpartition(":")[0] in {"127.0.0.1", "localhost", "[::1]"} for place in places
    )


def _cores(context: Any, master: str) -> int:
    """Tasks at once, when the workers have come."""
    if not _LOCAL.match(master) and not master.startswith("local["):
        _wait_for_workers(context, master)
    return max(1, int(context.defaultParallelism))


def _wait_for_workers(context: Any, master: str) -> None:
    """Until at least one is there, and a moment longer for the others."""
    begun = time.monotonic()
    count, since = 0, begun
    promised = re.match(r"local-cluster\[\s*(\d+)", master)
    while True:
        # The driver counts as well.
        now = int(context._jsc.sc().getExecutorMemoryStatus().size()) - 1
        if now != count:
            count, since = now, time.monotonic()
        if promised and count >= int(promised[1]):
            return
        if not promised and count and time.monotonic() - since > 1.0:
            return
        if time.monotonic() - begun > SECONDS_FOR_WORKERS:
            if count:
                return
            raise _no_master(master, "no worker of it has offered itself")
        time.sleep(0.02)


def _cause(error: BaseException) -> str:
    """The innermost reason that Java or Python gave, on one line."""
    text = str(getattr(error, "java_exception", None) or error)
    python = [
        line.strip()
        for line in text.split("\n")
        if re.match(r"[A-Za-z_.]+(Error|Exception|[a-z]): ", line)
    ]
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return (python or lines or [type(error).__name__])[-1].rstrip(".")


@contextmanager
def told() -> Iterator[None]:
    """What fails on the cluster becomes a finding with its cause."""
    from pyspark.errors import PySparkException

    # What Java throws comes as an error of py4j, which pyspark brings along.
    py4j = importlib.import_module("py4j.protocol")
    try:
        yield
    except (py4j.Py4JError, PySparkException) as error:
        if any(isinstance(each, KeyboardInterrupt) for each in _behind(error)):
            # The way to Java is broken off in the middle, and so is what ends the session.
            raise KeyboardInterrupt from error
        raise refused(
            "history.cluster",
            f"The cluster gave up: {_cause(error)}.",
            "Every worker needs the same ratingbook, and the folder of the results under the "
            "same path. What was rated is kept; the same command goes on from there.",
        ) from error


def _behind(error: BaseException) -> Iterator[BaseException]:
    """What was being handled when an error came, and so on."""
    found: BaseException | None = error
    while found is not None:
        yield found
        found = found.__cause__ or found.__context__
