"""How fast the site answers: ``python -m benchmarks.site [--games N] [--players N] [--minutes N]``.

An office of invented events is made, in the folder that ``--office`` names if it is to be kept,
and taken from there if it is there already; with ``--postgresql`` its database is on a server that
is begun for it and goes with it. ``office serve`` serves it, and on the same machine as
many requests a second as ``--rate`` says ask for players, the list, events and explanations by
chance. A request begins when its time has come, whether the ones before are answered or not, so
whoever waits is counted. With ``--minutes`` it goes on so long,
and tells how much memory the server takes: the check that nothing grows.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path

from benchmarks.office import (
    DAYS,
    FIRST_DAY,
    GAMES_OF_AN_EVENT,
    WHO,
    event,
    players_file,
    timed,
)
from ratingbook.office.acts import imports, receive, runs, setup
from ratingbook.office.home import Home
from ratingbook.office.store import models as m
from tools.postgresql import new_database, temporary_server

_PROGRAM = "from ratingbook.cli import main; main()"
_ADDRESSES = 2_000
_AT_ONCE = 32
_local = threading.local()


def made(work: Path, games: int, players: int, database: str) -> Home:
    """An office with that much in it, all of it published."""
    home = setup.init(work / "office", WHO, database)
    setup.add_pool("standard", "fide-2009", WHO)
    (work / "players.json").write_text(json.dumps(players_file(players)), "utf-8")
    imports.import_file(home, work / "players.json", "national", WHO, "standard")
    events, paths = max(2, games // GAMES_OF_AN_EVENT), []
    for number in range(events):
        day = FIRST_DAY + timedelta(days=number * (DAYS - 15) // events)
        path = work / f"{number}.json"
        path.write_text(json.dumps(event(number, day, players)), "utf-8")
        paths.append(path)
    receive.receive_all(home, paths, WHO, receive.Options(pool="standard"))
    run = runs.make(home, "standard", FIRST_DAY + timedelta(days=DAYS + 60), WHO).run
    runs.approve(run.id, WHO)
    runs.publish(home, run.id, WHO)
    return home


def addresses() -> dict[str, list[str]]:
    """Pages of each kind, chosen by chance and the same every time."""
    chance = random.Random(1)
    one = m.List.objects.select_related("pool").latest("id")
    changes = list(m.Change.objects.order_by("?").values_list(
        "person", "batch__pool__name", "batch__key")[:_ADDRESSES])  # fmt: skip
    reports = list(m.Report.objects.values_list("id", flat=True))
    chance.shuffle(reports)
    pages = max(1, one.rows // 100)
    return {
        "player": [f"/players/{person}" for person, _, _ in changes],
        "list": [f"/lists/{one.pool.name}/{one.date}?page={chance.randint(1, pages)}"
                 for _ in range(_ADDRESSES)],
        "event": [f"/events/{number}" for number in reports[:_ADDRESSES]],
        "explanation": [f"/players/{person}/changes/{pool}/{key}" for person, pool, key in changes],
    }  # fmt: skip


@contextmanager
def served(folder: Path) -> Iterator[tuple[int, int]]:
    """``office serve``; gives its port and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["office", "serve", "--port", str(port), "--home", str(folder)]
    started = [sys.executable, "-c", _PROGRAM, *command]
    process = subprocess.Popen(started, stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                asked(port, "/")
                break
            except OSError:
                time.sleep(0.2)
        yield port, process.pid
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def asked(port: int, path: str, mark: str = "") -> tuple[int, int, str]:
    """Ask for a page: status, bytes and mark of the answer; the connection is kept."""
    known = getattr(_local, "connection", None)
    if known is None:
        known = _local.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        known.request("GET", path, headers={"If-None-Match": mark} if mark else {})
        answer = known.getresponse()
        return answer.status, len(answer.read()), answer.getheader("ETag", "")
    except http.client.RemoteDisconnected:
        # A connection that waited for long is closed: the next one is new.
        known.close()
        return asked(port, path, mark)
    except (OSError, http.client.HTTPException):
        known.close()
        _local.connection = None
        raise


def family(process: int) -> list[int]:
    """A process and all that it has begun."""
    found = [process]
    for one in found:
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            found += [int(each) for each in task.read_text().split()]
    return found


def memory(process: int) -> float:
    """Megabytes that a server with its workers takes."""
    pages = 0
    for each in family(process):
        pages += int(Path(f"/proc/{each}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def processors(process: int) -> float:
    """Seconds of processors that they took."""
    ticks = 0
    for each in family(process):
        said = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ticks += int(said[11]) + int(said[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def load(
    port: int, process: int, wanted: dict[str, list[str]], rate: float, seconds: float
) -> dict[str, list[tuple[float, int, int]]]:
    """Ask so often for so long: of each kind milliseconds, status and bytes."""
    chance, kinds = random.Random(2), sorted(wanted)
    found: dict[str, list[tuple[float, int, int]]] = {each: [] for each in kinds}
    begun = time.perf_counter()

    def one(due: float, kind: str, path: str) -> None:
        try:
            status, size, _ = asked(port, path)
        except (OSError, http.client.HTTPException):
            status, size = 0, 0
        found[kind].append(((time.perf_counter() - due) * 1000, status, size))

    with ThreadPoolExecutor(_AT_ONCE) as workers:
        told = begun + 60
        for number in range(int(rate * seconds)):
            due = begun + number / rate
            time.sleep(max(0.0, due - time.perf_counter()))
            if due >= told:
                print(f"{(due - begun) / 60:>6.0f} min {memory(process):>9.0f} MB", flush=True)
                told += 60
            kind = kinds[number % len(kinds)]
            workers.submit(one, due, kind, chance.choice(wanted[kind]))
    return found


def _share(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def measure(home: Home, rate: float, seconds: float) -> None:
    """Serve an office, warm it, load it, and say what came of it."""
    from django.db import connections

    setup.open_office(home.folder)
    wanted = addresses()
    connections.close_all()
    with served(home.folder) as (port, process):
        with timed("first page of each kind"):
            for paths in wanted.values():
                asked(port, paths[0])
        load(port, process, wanted, rate, min(5.0, seconds))
        begun, spent = memory(process), processors(process)
        before = os.getloadavg()[0]
        found = load(port, process, wanted, rate, seconds)
        spent = processors(process) - spent
        heads = ("requests", "p50 ms", "p95 ms", "p99 ms", "kB at most", "not 200")
        print(f"{'page':<14}" + "".join(f"{each:>12}" for each in heads))
        for kind, rows in found.items():
            times = [each[0] for each in rows]
            wrong = sum(each[1] != 200 for each in rows)
            largest = max(each[2] for each in rows) / 1000
            said = (*(_share(times, each) for each in (0.5, 0.95, 0.99)), largest)
            numbers = "".join(f"{each:>12.1f}" for each in said)
            print(f"{kind:<14}{len(rows):>12}{numbers}{wrong:>12}")
        _, _, mark = asked(port, wanted["list"][0])
        again, size, _ = asked(port, wanted["list"][0], mark)
        print(f"a list asked for again: {again}, {size} bytes")
        print(f"memory {begun:.0f} MB at the begin, {memory(process):.0f} MB at the end; "
              f"{1000 * spent / (rate * seconds):.1f} ms of processors a request; "
              f"load of the machine {before:.1f} before")  # fmt: skip


def main() -> None:
    """Measure."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=15_000)
    arguments.add_argument("--players", type=int, default=2_000)
    arguments.add_argument("--office", type=Path)
    arguments.add_argument("--rate", type=float, default=50.0)
    arguments.add_argument("--minutes", type=float, default=0.5)
    arguments.add_argument("--postgresql", action="store_true")
    given = arguments.parse_args()
    if given.office and given.postgresql:
        arguments.error("an office whose server goes with it cannot be kept: leave --office out")
    with ExitStack() as stack:
        work = given.office or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database = ""
        if given.postgresql:
            url = stack.enter_context(temporary_server(fsync=True))
            database = url.format(new_database(url))
        if (work / "office").is_dir():
            home = setup.open_office(work / "office")
        else:
            work.mkdir(parents=True, exist_ok=True)
            print(f"{given.games:,} games, {given.players:,} players", flush=True)
            with timed("the office is made"):
                home = made(work, given.games, given.players, database)
        measure(home, given.rate, given.minutes * 60)


if __name__ == "__main__":
    main()
