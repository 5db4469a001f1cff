"""Kills an office at random moments: ``python -m tools.kill_rounds [--rounds 200] [--postgresql]``.

In each round a process works in the office, as commands or as a worker, and is ended by SIGKILL
at some moment; commands receive, rate, publish, and correct games.  After it no acknowledged fact
may be lost and nothing half published; and what comes of it all in the end must be what an office
without a kill makes of the same files and the same corrections.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from ratingbook.office.acts import (
    asking,
    bundles,
    corrections,
    doctor,
    imports,
    jobs,
    lists,
    receive,
    runs,
    setup,
)
from ratingbook.office.acts.requests import ACCEPTED
from ratingbook.office.home import Home
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from tools.postgresql import new_database, temporary_server

PLAYERS, EVENTS = 12, 40
UNTIL = date(2026, 4, 1)
_EVENTS_IN_A_ROUND = 2.5
_TOLD_EVERY = 10
"""Rounds after which is told how far it is: two hundred take an hour and more."""
WHO = Who("killer")
PLAN = {"pool": "standard", "until": UNTIL.isoformat(), "refresh": None}


@dataclass
class Told:
    """What the rounds came to."""

    rounds: int = 0
    killed: int = 0
    facts: int = 0
    acknowledged: int = 0
    publications: int = 0
    corrections: int = 0
    drafts: int = 0
    """Drafts that kills left behind."""
    wrong: list[str] = field(default_factory=list)


def files(folder: Path) -> list[Path]:
    """Players, and events of theirs."""
    people = [
        {"id": str(n), "name": f"Player {n}, Invented", "standing": {"rating": 1500 + 40 * n,
                                                                     "games": 40}}
        for n in range(1, PLAYERS + 1)
    ]  # fmt: skip
    (folder / "players.json").write_text(json.dumps(people), "utf-8")
    chance = random.Random(5)
    made = []
    for number in range(EVENTS):
        team = chance.sample(range(1, PLAYERS + 1), 6)
        day = date.fromordinal(date(2026, 1, 2).toordinal() + 2 * number).isoformat()
        games = [
            {"round": at, "white": str(a), "black": str(b),
             "result": chance.choice(["1-0", "0-1", "1/2-1/2"])}
            for at, (a, b) in enumerate([(a, b) for a in team for b in team if a < b], 1)
        ]  # fmt: skip
        said = {
            "ratingbook": "report/1",
            "event": {"name": f"Event {number}", "start": day, "end": day},
            "players": [
                {"id": str(n), "name": f"Player {n}, Invented", "ids": {"national": str(n)}}
                for n in team
            ],
            "games": games,
        }
        path = folder / f"{number}.json"
        path.write_text(json.dumps(said), "utf-8")
        made.append(path)
    return made


def office(folder: Path, database: str, players: Path) -> Home:
    """A new office that knows the players."""
    home = setup.init(folder, WHO, database)
    setup.add_pool("standard", "fide-2009", WHO)
    imports.import_file(home, players, "national", WHO, "standard")
    return home


def rounds(home: Home, paths: list[Path], count: int, seed: int) -> Told:
    """Kill so many times, and look after each."""
    chance, told = random.Random(seed), Told()
    begun = time.monotonic()
    _as_commands(home, paths[:1], 0, lambda seq: None)
    # A moment of what an event takes on this machine, be it busy or not.
    longest = _EVENTS_IN_A_ROUND * (time.monotonic() - begun)
    for number in range(count):
        wait = chance.uniform(0.01, longest)
        work = _as_worker if number % 3 == 2 else _as_commands
        if work is _as_worker:
            jobs.enqueue("run", PLAN, WHO)
        said, was_killed = _killed(home, partial(work, home, paths, number), wait)
        told.rounds += 1
        told.killed += was_killed
        setup.open_office(home.folder)
        _look(home, said, told)
        m.Job.objects.filter(state="running").update(lease_until=0)
        jobs.take_up()
        jobs.work(once=True)
        if told.rounds % _TOLD_EVERY == 0:
            print(
                f"{told.rounds} rounds, {told.killed} killed, {told.acknowledged} facts "
                f"acknowledged, {len(told.wrong)} things wrong", file=sys.stderr, flush=True,
            )  # fmt: skip
    told.facts = ledger.head().seq
    told.corrections = len(_accepted())
    told.publications = setup.pool_named("standard").head
    told.drafts = m.Run.objects.filter(state__in=("draft", "discarded")).count()
    return told


_Say = Callable[[int], None]


def _killed(home: Home, work: Callable[[_Say], None], wait: float) -> tuple[list[str], bool]:
    """Work in a process of its own until it is killed; what it acknowledged, and if it was."""
    from django.db import connections

    connections.close_all()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        status = 1
        try:
            setup.open_office(home.folder)
            work(lambda seq: _say(write, seq))
            status = 0
        finally:
            os._exit(status)
    os.close(write)
    time.sleep(wait)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with os.fdopen(read) as pipe:
        said = pipe.read().splitlines()
    return said, os.WIFSIGNALED(status)


def _say(write: int, seq: int) -> None:
    """Acknowledge a fact: from now on it must not be lost."""
    fact = m.Fact.objects.get(seq=seq)
    os.write(write, f"{seq} {fact.hash}\n".encode())


def _as_commands(home: Home, paths: list[Path], number: int, say: _Say) -> None:
    """What officers do: receive, run, approve, publish, one event after the other."""
    for at in range(number, number + len(paths)):
        receive.receive_all(home, [paths[at % len(paths)]], WHO)
        say(ledger.head().seq)
        _, made = jobs.do_now(home, "run", PLAN, WHO)
        runs.approve(made.run.id, WHO)
        say(ledger.head().seq)
        say(runs.publish(home, made.run.id, WHO).fact)
        _correct(home, at, say)


def _correct(home: Home, number: int, say: _Say) -> None:
    """Ask for another result of some game, and accept it; the next run rates by it."""
    report = 1 + number % m.Report.objects.count()
    for result in ("1-0", "0-1", "1/2-1/2")[number % 3 :]:
        try:
            content = asking.game(report, 1 + number % 15, result)
        except OfficeRefused:
            # It is what the game is already.
            continue
        asked = corrections.ask(home, [content], f"round {number}", WHO)
        say(ledger.head().seq)
        if asked.joined is None:
            say(corrections.accept(home, asked.id, WHO).facts[-1])
        return


def _as_worker(home: Home, paths: list[Path], number: int, say: _Say) -> None:
    """What a worker does with a job that waits; it has files to receive meanwhile."""
    jobs.work(once=True)
    first = number % len(paths)
    receive.receive_all(home, paths[first : first + 6], WHO)
    say(ledger.head().seq)


def _look(home: Home, said: list[str], told: Told) -> None:
    """Whether all that was acknowledged is there, and nothing is half done."""
    for line in said:
        if not line.count(" ") or len(line) < 66:
            continue
        seq, sha256 = line.split()
        told.acknowledged += 1
        if not m.Fact.objects.filter(seq=int(seq), hash=sha256).exists():
            told.wrong.append(f"round {told.rounds}: fact {seq} is lost")
    head = setup.pool_named("standard").head
    published = m.Publication.objects.select_related("run__pool").order_by("seq")
    made = [each.run for each in published]
    if len(made) != head or not all(_has_its_list(home, run) for run in made[-1:]):
        told.wrong.append(f"round {told.rounds}: something is half published")
    told.wrong += [
        f"round {told.rounds}: {each.message}"
        for each in doctor.examine(home)
        if each.severity.refuses
    ]


def _has_its_list(home: Home, run: m.Run) -> bool:
    """Whether the newest list of the day of a published run prints its numbers.

    Where these are as the list before it has them there is no new one.
    """
    draft = lists.listing_of(home, run, run.until)
    newest = lists.newest_of(run.pool_id, draft.date)
    return newest is not None and lists.is_same(draft, newest)


def _accepted() -> list[list[Any]]:
    """What was corrected, in the order in which it was accepted; reports by their events."""
    steps = m.CorrectionStep.objects.filter(state=ACCEPTED).order_by("fact")
    event = dict(m.Report.objects.values_list("id", "event_key"))
    return [
        [{**content, "report": event[content["report"]]} for content in each.correction.contents]
        for each in steps.select_related("correction")
    ]


def end_of(
    home: Home, paths: list[Path], corrected: Sequence[Sequence[Any]] = ()
) -> tuple[str, str]:
    """All files in, corrected, rated and published: the digest of the numbers and of the list."""
    setup.open_office(home.folder)
    receive.receive_all(home, paths, WHO)
    # An office that was killed has received in another order, and numbered its reports so.
    number = dict(m.Report.objects.values_list("event_key", "id"))
    for contents in corrected:
        here = [{**content, "report": number[content["report"]]} for content in contents]
        asked = corrections.ask(home, here, "as there", WHO)
        corrections.accept(home, asked.joined or asked.id, WHO)
    made = runs.make(home, "standard", UNTIL, WHO)
    runs.approve(made.run.id, WHO)
    runs.publish(home, made.run.id, WHO)
    # Where nothing on it is otherwise there is no new revision.
    draft = lists.listing_of(home, made.run, made.run.until)
    newest = lists.newest_of(made.run.pool_id, draft.date)
    return made.run.digest, newest.digest if newest is not None else ""


def kill(work: Path, databases: tuple[str, str], count: int, seed: int) -> Told:
    """All rounds in one office, and beside it an office that nobody disturbs."""
    paths = files(work)
    home = office(work / "killed", databases[0], work / "players.json")
    told = rounds(home, paths, count, seed)
    ends = [end_of(home, paths)]
    corrected = _accepted()
    setup.open_office(home.folder)
    done, findings = bundles.replay()
    if findings.refused or not all(each.is_equal for each in done):
        told.wrong.append("a replay of the ledger gives other numbers")
    calm = office(work / "calm", databases[1], work / "players.json")
    ends.append(end_of(calm, paths, corrected))
    if ends[0] != ends[1]:
        told.wrong.append("the end is not that of an undisturbed office")
    return told


def main() -> int:
    """Kill, and say what came of it."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=19)
    arguments.add_argument("--postgresql", action="store_true")
    arguments.add_argument("--server", help="URL of a PostgreSQL that runs, {} for the database")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        url = given.server
        if given.postgresql and url is None:
            url = stack.enter_context(temporary_server(fsync=True))
        made = [url.format(new_database(url)) if url else "" for _ in range(2)]
        stack.callback(_close)
        told = kill(Path(folder), (made[0], made[1]), given.rounds, given.seed)
    print(
        f"{told.rounds} rounds, {told.killed} killed; {told.facts} facts, {told.acknowledged} of "
        f"them acknowledged; {told.publications} publications, {told.corrections} "
        f"corrections, {told.drafts} drafts left behind"
    )
    for each in told.wrong:
        print(each)
    print("something is wrong" if told.wrong else "nothing lost, nothing half published")
    return bool(told.wrong)


def _close() -> Any:
    from django.db import connections

    return connections.close_all()


if __name__ == "__main__":
    sys.exit(main())
