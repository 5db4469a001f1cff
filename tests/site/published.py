"""A small office with published lists in two pools, and a correction that revised two of them."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from ratingbook.office.acts import asking, corrections, desk, imports, receive, runs, setup
from ratingbook.office.home import Home
from ratingbook.office.store.ledger import Who

OFFICER = Who("olga-the-officer", at=datetime(2026, 1, 2, 9, 0, tzinfo=UTC))
PLAYER = Who("paul-who-asked", at=datetime(2026, 4, 10, 9, 0, tzinfo=UTC))
MARKED = "Alpha <b>&\"', Anna"
"""A name that is no markup."""
PEOPLE = {
    "1": (MARKED, "w", "1990-01-05", "701"),
    "2": ("Bravo, Ben", "m", "1985-03-07", "702"),
    "3": ("Čharlie, Chris", "m", "1999-09-09", "703"),
    "4": ("Delta, Dora", "w", "2001-12-24", "704"),
    "5": ("Echo, Emil", "m", "1970-06-30", "705"),
    "6": ("=Foxtrot, Fay", "w", "2008-02-29", "706"),
}
RATINGS = {"701": 2001, "702": 1990, "703": 1800, "704": 1700, "705": 1600, "706": 1600}
REASON = "the two digits were swapped <i>by hand</i>"


def on(who: Who, day: date) -> Who:
    """Somebody on a day."""
    return replace(who, at=datetime(day.year, day.month, day.day, 9, 0, tzinfo=UTC))


def report(name: str, day: str, won: dict[tuple[str, str], str], **of: Any) -> dict[str, Any]:
    """A round robin in one day; all games are drawn but those of ``won``."""
    grades = of.pop("grades", {})
    ids = list(PEOPLE)
    pairs = [(a, b) for i, a in enumerate(ids) for b in ids[i + 1 :]]
    return {
        "ratingbook": "report/1",
        "event": {"name": name, "place": "Nowhere", "start": day, "end": day, **of},
        "players": [
            {"id": key, "name": n, "federation": "IRL", "sex": sex, "birth_date": born,
             "ids": {"national": number}, **({"grade": grades[key]} if grades else {})}
            for key, (n, sex, born, number) in PEOPLE.items()
        ],
        "games": [
            {"round": number, "white": a, "black": b, "result": won.get((a, b), "1/2-1/2")}
            for number, (a, b) in enumerate(pairs, 1)
        ],
    }  # fmt: skip


def make(folder: Path, work: Path, database: str = "") -> Home:
    """The office: ``standard`` by FIDE's rules, ``go`` by those of the EGF."""
    who = OFFICER
    home = setup.init(folder, who, database)
    setup.add_pool("standard", "fide-2009", who, policies={"revise": "affected"})
    setup.add_pool("go", "egf", who, policies={"decimals": "3"})
    setup.add_actor(PLAYER.actor, ["player"], who)
    _open(home, work)
    for name, day, until in (
        ("Winter <Open>", "2026-01-10", date(2026, 3, 1)),
        ("Spring Open", "2026-03-20", date(2026, 5, 1)),
    ):
        _receive(home, work, report(name, day, {("1", "2"): "1-0", ("3", "4"): "0-1"}), "standard")
        publish(home, "standard", until)
    grades = {"1": "4d", "2": "3d", "3": "1d", "4": "2k", "5": "5k", "6": "8k"}
    for name, day in (("Go Cup", "2026-02-10"), ("Go Autumn", "2026-04-10")):
        won = {(a, b): "1-0" for a in PEOPLE for b in PEOPLE if a < b}
        said = report(name, day, won, **{"class": "A"}, grades=grades)
        _receive(home, work, said, "go")
        publish(home, "go", date.fromisoformat(day) + timedelta(days=2))
    asked = corrections.ask(home, [asking.game(1, 1, "0-1")], REASON, PLAYER)
    corrections.accept(home, asked.id, on(OFFICER, date(2026, 5, 2)))
    publish(home, "standard", date(2026, 5, 1), date(2026, 5, 3))
    other = corrections.ask(
        home, [asking.game(2, 3, "0-1")], "the loser says so", on(PLAYER, date(2026, 5, 4))
    )
    corrections.reject(other.id, "the sheet says otherwise", on(OFFICER, date(2026, 5, 5)))
    return home


def _open(home: Home, work: Path) -> None:
    lines = [
        f'{number},{RATINGS[number]},40,"{name.replace(chr(34), chr(34) * 2)}",{born},{sex}'
        for name, sex, born, number in PEOPLE.values()
    ]
    path = work / "opening.csv"
    path.write_text("\n".join(["id,rating,games,name,birth_date,sex", *lines]) + "\n", "utf-8")
    imports.import_file(home, path, "national", OFFICER, "standard")


def _receive(home: Home, work: Path, said: dict[str, Any], pool: str) -> None:
    path = work / f"{pool}-{said['event']['start']}.json"
    path.write_text(json.dumps(said), "utf-8")
    options = receive.Options(pool=pool, another=True)
    who = on(OFFICER, date.fromisoformat(said["event"]["end"]))
    received, _ = receive.receive_all(home, [path], who, options)
    one = received[0]
    assert one.id is not None, list(one.findings)
    for each in desk.waiting(one.id) if one.waiting else ():
        desk.link(one.id, each.entry, PEOPLE[each.entry][3][-1], OFFICER)


def publish(home: Home, pool: str, until: date, day: date | None = None) -> None:
    """A run up to a day, approved and published."""
    who = on(OFFICER, day or until)
    made = runs.make(home, pool, until, who)
    runs.approve(made.run.id, who)
    runs.publish(home, made.run.id, who)
