"""How fast an office is: ``python -m benchmarks.office [--games N] [--database URL]``.

Invented events go through the real intake, then everything is rated, published, bundled and
verified.  Each line is one measurement, in seconds of the clock.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from ratingbook.office import bundle
from ratingbook.office.acts import bundles, imports, receive, runs, setup
from ratingbook.office.store.ledger import Who

GAMES_OF_AN_EVENT = 300
PLAYERS_OF_AN_EVENT = 60
FIRST_DAY, DAYS = date(2016, 1, 1), 3650
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
    for index in range(GAMES_OF_AN_EVENT):
        white, black = chance.sample(team, 2)
        result = chance.choice(["1-0", "0-1", "1/2-1/2"])
        games.append({"round": 1 + index // 30, "white": str(white), "black": str(black),
                      "result": result})  # fmt: skip
    people = [
        {"id": str(each), "name": f"Player {each}, Invented", "ids": {"national": str(each)}}
        for each in team
    ]
    said = {"name": f"Event {number}", "start": day.isoformat(), "end": day.isoformat()}
    return {"ratingbook": "report/1", "event": said, "players": people, "games": games}


@contextmanager
def timed(what: str, games: int | None = None) -> Iterator[None]:
    """Say how long something took, and how many games a second that is."""
    begun = time.perf_counter()
    yield
    seconds = time.perf_counter() - begun
    rate = f"  {games / seconds:>10,.0f} games/s" if games else ""
    print(f"{what:<44}{seconds:>9.2f} s{rate}", flush=True)


def main() -> None:
    """Measure."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=15_000)
    arguments.add_argument("--players", type=int, default=2_000)
    arguments.add_argument("--database", default="")
    given = arguments.parse_args()
    events = max(2, given.games // GAMES_OF_AN_EVENT)
    games = events * GAMES_OF_AN_EVENT
    print(f"{games:,} games in {events:,} events, {given.players:,} players")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        home = setup.init(work / "office", WHO, given.database)
        setup.add_pool("standard", "fide-2009", WHO)
        (work / "players.json").write_text(json.dumps(players_file(given.players)), "utf-8")
        with timed("import of players with opening ratings"):
            imports.import_file(home, work / "players.json", "national", WHO, "standard")
        paths = []
        for number in range(events):
            day = FIRST_DAY + timedelta(days=number * DAYS // events)
            path = work / f"{number}.json"
            path.write_text(json.dumps(event(number, day, given.players)), "utf-8")
            paths.append(path)
        until = FIRST_DAY + timedelta(days=DAYS)
        options = receive.Options(pool="standard", another=True)
        with timed("receive, check, identify", games - GAMES_OF_AN_EVENT):
            receive.receive_all(home, paths[:-1], WHO, options)
        with timed("first rating with all its rows", games):
            made = runs.make(home, "standard", until, WHO)
        runs.approve(made.run.id, WHO)
        with timed("publish with its list"):
            done = runs.publish(home, made.run.id, WHO)
        with timed("one more event, from file to published"):
            receive.receive_all(home, paths[-1:], WHO, options)
            made = runs.make(home, "standard", until, WHO)
            runs.approve(made.run.id, WHO)
            done = runs.publish(home, made.run.id, WHO)
        with timed("bundle"):
            bundles.write_bundle(home, done.lists[0], work / "bundle", WHO)
        with timed("verify"):
            found = bundle.verify(work / "bundle")
        assert not found.findings.refused
        with timed("replay of both publications"):
            _, findings = bundles.replay()
        assert not findings.refused
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'memory at its peak':<44}{peak:>9.0f} MB")


if __name__ == "__main__":
    main()
