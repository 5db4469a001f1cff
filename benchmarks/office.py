"""How fast an office is: ``python -m benchmarks.office [--games N] [--players N] [--postgresql]``.

With ``--list N`` only an invented list of so many players, in FIDE's form, is imported.

Invented events of ten years go through the real intake, then everything is rated, published,
bundled and verified, and a month of 8,000 games (less in a small office) goes from ready to
published.  Each line is one measurement: seconds of the clock, and seconds of processors, which
say more where the machine has other work.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from ratingbook.formats.lists import FidePlayer, Rated, write_fide_txt
from ratingbook.office import bundle
from ratingbook.office.acts import bundles, explain, imports, lists, receive, runs, setup
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from tools.postgresql import new_database, temporary_server

PLAYERS_OF_AN_EVENT, ROUNDS_OF_AN_EVENT = 60, 10
GAMES_OF_AN_EVENT = PLAYERS_OF_AN_EVENT // 2 * ROUNDS_OF_AN_EVENT
FIRST_DAY, DAYS = date(2016, 1, 1), 3650
GAMES_OF_A_MONTH = 8_000
WHO = Who("bench")


def players_file(count: int) -> list[dict[str, Any]]:
    """Players with an opening rating."""
    chance = random.Random(1)
    return [
        {"id": str(number), "name": f"Player {number}, Invented", "federation": "IRL",
         "standing": {"rating": chance.randrange(1200, 2400), "games": 40}}
        for number in range(1, count + 1)
    ]  # fmt: skip


def event(number: int, day: date, players: int) -> dict[str, Any]:
    """An event of invented games, as a report document."""
    chance = random.Random(number)
    team = chance.sample(range(1, players + 1), min(PLAYERS_OF_AN_EVENT, players))
    games = []
    for number_of_round in range(1, ROUNDS_OF_AN_EVENT + 1):
        chance.shuffle(team)
        games += [
            {"round": number_of_round, "white": str(white), "black": str(black),
             "result": chance.choice(["1-0", "0-1", "1/2-1/2"])}
            for white, black in zip(team[::2], team[1::2], strict=True)
        ]  # fmt: skip
    people = [
        {"id": str(each), "name": f"Player {each}, Invented", "ids": {"national": str(each)}}
        for each in team
    ]
    said = {"name": f"Event {number}", "start": day.isoformat(), "end": day.isoformat()}
    return {"ratingbook": "report/1", "event": said, "players": people, "games": games}


def long_list(count: int) -> Iterator[FidePlayer]:
    """Invented players of a federation's list, three in ten of them rated."""
    chance = random.Random(1)
    starts, ends = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"], ["n", "r", "s", "va", "ko"]

    def word() -> str:
        said = "".join(chance.choices(starts, k=chance.choice((1, 2, 2, 3)))) + chance.choice(ends)
        return said.title()

    words = [word() for _ in range(60_000)]
    federations = [f"X{a}{b}" for a in "ABCDEFGHKL" for b in "ABCDEFGHKLMNOPRSTUVW"]
    for number in range(count):
        rated = Rated(chance.randrange(1400, 2500), chance.randrange(10), 20)
        yield FidePlayer(
            str(100_000 + 17 * number),
            f"{chance.choice(words)}, {chance.choice(words)}",
            chance.choice(federations),
            chance.choice("MMMF"),
            standard=rated if chance.random() < 0.3 else None,
            birth_year=chance.randrange(1930, 2020),
        )


def measure_list(work: Path, database: str, count: int) -> None:
    """The import of a long list into a new office."""
    home = setup.init(work / "office", WHO, database)
    path = work / "players_list.txt"
    with path.open("wb") as file:
        write_fide_txt(long_list(count), file)
    with timed(f"import of {count:,} players, {path.stat().st_size / 1e6:.0f} MB"):
        done = imports.import_file(home, path, "fide", WHO)
    assert done.made == count
    _say_memory()


def _processors() -> float:
    """Seconds of processors that this process and those that it has ended took."""
    return sum(os.times()[:4])


@contextmanager
def timed(what: str, games: int | None = None) -> Iterator[None]:
    """Say how long something took, and how many games a second that is."""
    begun, spent = time.perf_counter(), _processors()
    yield
    seconds = time.perf_counter() - begun
    rate = f"  {games / seconds:>10,.0f} games/s" if games else ""
    spent = _processors() - spent
    print(f"{what:<44}{seconds:>9.2f} s {spent:>9.2f} s of processors{rate}", flush=True)


def measure(work: Path, database: str, games: int, players: int) -> None:
    """All measurements in one new office."""
    month = max(1, min(GAMES_OF_A_MONTH, games // 10) // GAMES_OF_AN_EVENT)
    events = max(2, games // GAMES_OF_AN_EVENT)
    home = setup.init(work / "office", WHO, database)
    setup.add_pool("standard", "fide-2009", WHO)
    (work / "players.json").write_text(json.dumps(players_file(players)), "utf-8")
    with timed("import of players with opening ratings"):
        imports.import_file(home, work / "players.json", "national", WHO, "standard")
    paths = []
    for number in range(events + month):
        day = FIRST_DAY + timedelta(days=min(number * DAYS // events, DAYS - 15))
        path = work / f"{number}.json"
        path.write_text(json.dumps(event(number, day, players)), "utf-8")
        paths.append(path)
    until = FIRST_DAY + timedelta(days=DAYS + 60)
    options = receive.Options(pool="standard")
    with timed("receive, check, identify", events * GAMES_OF_AN_EVENT):
        received, _ = receive.receive_all(home, paths[:events], WHO, options)
    for each in received:
        assert each.state == "ready", (each.file, each.state, list(each.findings))
    with timed("first rating with all its rows", events * GAMES_OF_AN_EVENT):
        made = runs.make(home, "standard", until, WHO)
    runs.approve(made.run.id, WHO)
    with timed("publish with its list"):
        runs.publish(home, made.run.id, WHO)
    receive.receive_all(home, paths[events:], WHO, options)
    with timed(f"a month of {month * GAMES_OF_AN_EVENT:,} games, ready to published"):
        made = runs.make(home, "standard", until, WHO)
        runs.approve(made.run.id, WHO)
        done = runs.publish(home, made.run.id, WHO)
    with timed(f"a list of {done.lists[0].rows:,} players again"):
        lists.make_list(home, "standard", until, WHO)
    changed = m.Change.objects.filter(run=made.run).order_by("person").first()
    assert changed is not None
    with timed("explanation of a change"):
        explain.explain(home, changed.person, done.lists[0])
    with timed("bundle"):
        bundles.write_bundle(home, done.lists[0], work / "bundle", WHO)
    with timed("verify"):
        found = bundle.verify(work / "bundle")
    assert not found.findings.refused
    with timed("replay of both publications"):
        _, findings = bundles.replay()
    assert not findings.refused
    _say_memory()


def _say_memory() -> None:
    for who, what in (
        (resource.RUSAGE_SELF, "memory at its peak"),
        (resource.RUSAGE_CHILDREN, "memory of the largest helper"),
    ):
        print(f"{what:<44}{resource.getrusage(who).ru_maxrss / 1024:>9.0f} MB", flush=True)


def main() -> None:
    """Measure."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=15_000)
    arguments.add_argument("--players", type=int, default=2_000)
    arguments.add_argument("--postgresql", action="store_true")
    arguments.add_argument("--list", type=int, default=0)
    given = arguments.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}")

    def measured(work: Path, database: str) -> None:
        if given.list:
            measure_list(work, database, given.list)
        else:
            measure(work, database, given.games, given.players)

    with tempfile.TemporaryDirectory() as folder:
        if given.postgresql:
            with temporary_server(fsync=True) as url:
                database = url.format(new_database(url))
                measured(Path(folder), database)
                _close()
        else:
            measured(Path(folder), "")
            _close()


def _close() -> None:
    from django.db import connections

    connections.close_all()


if __name__ == "__main__":
    main()
