"""The ledger of the Irish rating office in an office: ``python -m benchmarks.irish_office``.

The seven events whose games are told are received, each in a pool that opens with the ratings
that the ledger has before it, with K as the office set it.  Their numbers are compared with
the ledger's; a pool of all seven makes lists by year.  The rule book is that of the example
package ``icu``; the data are read in place from the folder that RATINGBOOK_REFERENCE names.
"""

from __future__ import annotations

import csv
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from ratingbook.office.acts import decisions, imports, receive, runs, setup
from ratingbook.office.acts.published import table_of
from ratingbook.office.home import Home
from ratingbook.office.store.ledger import Who
from ratingbook.rules import registry

REFERENCE = Path(os.environ.get("RATINGBOOK_REFERENCE", Path(__file__).parents[2] / "shared"))
RESULTS = {"1": "1-0", "=": "1/2-1/2", "0": "0-1"}
REGISTER, UNTIL = "icu", date(2011, 12, 31)
Row = Mapping[str, str]


@contextmanager
def rules() -> Iterator[None]:
    """Let the example package be found where it is not installed: as others are, by metadata."""
    if "icu-2012" in registry.names():
        yield
        return
    with tempfile.TemporaryDirectory() as folder:
        about = Path(folder) / "ratingbook_icu-0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: ratingbook-icu\nVersion: 0\n")
        points = f"[{registry.GROUP}]\nicu-2012 = icu_rating:icu_2012\n"
        (about / "entry_points.txt").write_text(points)
        sys.path.append(folder)
        try:
            yield
        finally:
            sys.path.remove(folder)


@dataclass(frozen=True)
class Ledger:
    """What the old office says: of its players in each event, and of games in some."""

    players: Mapping[str, Mapping[str, Row]]
    games: Mapping[str, list[Row]]
    days: Mapping[str, str]
    names: Mapping[str, str]

    @classmethod
    def read(cls, folder: Path) -> Ledger:
        """Read it."""
        games: dict[str, list[Row]] = defaultdict(list)
        for row in _rows(folder / "game_results_7_events.csv"):
            games[row["tournament_id"]].append(row)
        players: dict[str, dict[str, Row]] = defaultdict(dict)
        for row in _rows(folder / "player_events.csv"):
            if row["tournament_id"] in games:
                players[row["tournament_id"]][row["icu_id"]] = row
        events = [row for row in _rows(folder / "tournaments.csv") if row["tournament_id"] in games]
        return cls(
            players, games, {row["tournament_id"]: row["date"] for row in events},
            {row["tournament_id"]: row["name"] for row in events},
        )  # fmt: skip


def _rows(path: Path) -> Iterable[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def opening(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Players with the ratings of before; without one they count with their performance."""
    people = []
    for row in rows:
        one: dict[str, Any] = {"id": row["icu_id"], "name": f"Player {row['icu_id']}"}
        if int(row["old_rating"]):
            one["standing"] = {"rating": int(row["old_rating"]), "games": 100}
        elif int(row["performance_rating"]):
            one["standing"] = {"rating": int(row["performance_rating"]), "foreign": True}
        people.append(one)
    return people


def report_of(ledger: Ledger, event: str) -> dict[str, Any]:
    """An event as a report; a game that one side only tells counts for that side only."""
    rows, players = ledger.games[event], ledger.players[event]
    told = {(row["round"], row["icu_id"], row["opp_icu_id"]) for row in rows}
    games, done = [], set()
    for row in rows:
        number, white, black = row["round"], row["icu_id"], row["opp_icu_id"]
        if row["result"] not in RESULTS or not {white, black} <= players.keys():
            continue
        if (number, black, white) in done:
            continue
        done.add((number, white, black))
        games.append(
            {"round": int(number), "white": white, "black": black,
             "result": RESULTS[row["result"]],
             "rated": {"white": True, "black": (number, black, white) in told}}
        )  # fmt: skip
    day = ledger.days[event]
    return {
        "ratingbook": "report/1",
        "event": {"name": ledger.names[event], "start": day, "end": day},
        "players": [
            {"id": each, "name": f"Player {each}", "ids": {REGISTER: each}} for each in players
        ],
        "games": games,
    }


@dataclass(frozen=True)
class Agreement:
    """Players of an event: comparable, with the ledger's expected score, with its rating too."""

    comparable: int
    close: int
    equal: int


def shadowed(home: Home, work: Path, ledger: Ledger, event: str, who: Who) -> Agreement:
    """One event in a pool of its own, beside the ledger."""
    rows = ledger.players[event]
    setup.add_pool(event, "icu-2012", who, {"version": "0"})
    people = work / f"{event}-players.json"
    people.write_text(json.dumps(opening(rows.values())), "utf-8")
    imports.import_file(home, people, REGISTER, who, event)
    _decide_k(home, work, ledger, event, event, who)
    report = work / f"{event}.json"
    report.write_text(json.dumps(report_of(ledger, event)), "utf-8")
    received = receive.receive_all(home, [report], who, receive.Options(pool=event))[0][0]
    assert received.state == "ready", list(received.findings)
    run = runs.make(home, event, UNTIL, who).run
    table = table_of(home, run.file_id or "")
    numbers = imports.people_of([*rows], REGISTER)
    said = {str(numbers[each]): row for each, row in rows.items()}
    comparable = [
        (said[row["player"]], row)
        for row in table.to_pylist()
        if int(said[row["player"]]["old_rating"])
        and float(said[row["player"]]["expected_score"])
        and row["games"] == int(said[row["player"]]["games"])
    ]
    close = [
        (old, row)
        for old, row in comparable
        if abs(row["expected"] - float(old["expected_score"])) <= 0.002
    ]
    equal = sum(int(row["after"] + 0.5) == int(old["new_rating"]) for old, row in close)
    return Agreement(len(comparable), len(close), equal)


def _decide_k(home: Home, work: Path, ledger: Ledger, event: str, pool: str, who: Who) -> None:
    """K as the old office had it, by one fact."""
    lines = [
        f"{row['icu_id']},{ledger.days[event]},k,{row['k_factor']},the ledger"
        for row in ledger.players[event].values()
        if int(row["old_rating"])
    ]
    path = work / f"{pool}-{event}-k.csv"
    path.write_text("\n".join(["player,date,kind,value,reason", *lines]) + "\n", "utf-8")
    decisions.import_decisions(home, path, REGISTER, pool, "migrated from the ledger", who)


def by_year(home: Home, work: Path, ledger: Ledger, who: Who) -> list[tuple[date, int]]:
    """A pool of all events, with a list at the end of each year: its day and its players."""
    setup.add_pool("icu", "icu-2012", who, {"version": "0"})
    order = sorted(ledger.games, key=lambda event: (ledger.days[event], event))
    first: dict[str, Row] = {}
    for event in order:
        for number, row in ledger.players[event].items():
            first.setdefault(number, row)
    path = work / "icu-players.json"
    path.write_text(json.dumps(opening(first.values())), "utf-8")
    imports.import_file(home, path, REGISTER, who, "icu")
    for event in order:
        said = report_of(ledger, event)
        said["event"]["place"] = "all of Ireland"
        report = work / f"icu-{event}.json"
        report.write_text(json.dumps(said), "utf-8")
        options = receive.Options(pool="icu", another=True)
        receive.receive_all(home, [report], who, options)
        _decide_k(home, work, ledger, event, "icu", who)
    lists = []
    for year in sorted({int(day[:4]) for day in ledger.days.values()}):
        run = runs.make(home, "icu", date(year, 12, 31), who).run
        runs.approve(run.id, who)
        one = runs.publish(home, run.id, who).lists[0]
        lists.append((one.date, one.rows))
    return lists


def main() -> None:
    """All seven events, and the lists."""
    ledger, who = Ledger.read(REFERENCE / "data" / "icu_ireland"), Who("officer")
    with rules(), tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        home = setup.init(work / "office", who)
        total = [0, 0, 0]
        for event in ledger.games:
            one = shadowed(home, work, ledger, event, who)
            print(
                f"{ledger.names[event]}: {one.comparable} players compared, {one.close} with the "
                f"ledger's expected score, {one.equal} of them with its rating"
            )
            total = [a + b for a, b in zip(total, (one.comparable, one.close, one.equal),
                                           strict=True)]  # fmt: skip
        print(f"together: {total[0]}, {total[1]}, {total[2]}")
        for day, players in by_year(home, work, ledger, who):
            print(f"list of {day}: {players} players")


if __name__ == "__main__":
    main()
