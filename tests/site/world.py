"""A small office with something of everything: two systems, odd names, a correction, a secret."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from ratingbook.office.acts import (
    asking,
    corrections,
    imports,
    people,
    receive,
    runs,
    setup,
)
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.home import Home
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store.ledger import Who

TINA = Who("tina", at=datetime(2026, 4, 2, 9, 0, tzinfo=UTC))
MARKUP = """<b>Bravo</b> & "Ben's\""""
PEOPLE: dict[str, tuple[str, str, str, int]] = {
    "701": ("Alpha, Anna", "w", "1990-01-05", 2001),
    "702": (MARKUP, "m", "1985-03-07", 1990),
    "703": ("Чарли, Крис", "m", "1999-09-09", 1800),
    "704": ("Zeta, Željko", "m", "1971-12-24", 1700),
    "705": ("王小明", "m", "1970-06-30", 1600),
    "706": ("Foxtrot, Fay", "w", "2008-02-29", 1500),
    "707": ("Golf, Gus", "m", "1966-07-08", 1650),
}
"""By national number: name, sex, birth date and what they come in with; persons 1 to 7."""
WINTER, SPRING, NIGHT = 1, 2, 3
"""The reports: Anna won the first game, which she had lost, and Fay drew the
last, which she had won against the one who is suppressed; a game was a forfeit; Go."""


def report(
    name: str, day: str, results: dict[tuple[str, str], str], **event: Any
) -> dict[str, Any]:
    """A round robin of all; what is not said is drawn."""
    numbers = list(PEOPLE)
    games: list[dict[str, Any]] = []
    for number, (one, other) in enumerate(
        ((a, b) for i, a in enumerate(numbers) for b in numbers[i + 1 :]), 1
    ):
        result = results.get((one, other), "1/2-1/2")
        games.append({"round": number, "white": one, "black": other, "result": result})
        if result.endswith("forfeit"):
            games[-1] |= {"result": result.split()[0], "status": "forfeit"}
    grades = {"grade": "3k"} if event.get("pool") == "go" else {}
    return {
        "ratingbook": "report/1",
        "event": {"name": name, "place": "Nowhere", "start": day, "end": day, **event},
        "players": [
            {"id": number, "name": said[0], "federation": "IRL", "sex": said[1], "club": "Harbour",
             "birth_date": said[2], "ids": {"national": number}, **grades}
            for number, said in PEOPLE.items()
        ],
        "games": games,
    }  # fmt: skip


def build(folder: Path, work: Path, database: str = "") -> Home:
    """The office, with all of it published."""
    home = setup.init(folder, TINA, database)
    setup.add_pool("standard", "fide-2024", TINA, policies={"revise": "affected"})
    setup.add_pool("go", "egf-2021", TINA, policies={"decimals": "3"})
    lines = [
        f'{number},{rating},40,"{name.replace(chr(34), chr(34) * 2)}",{born},{sex},IRL,Harbour'
        for number, (name, sex, born, rating) in PEOPLE.items()
    ]
    opening = work / "opening.csv"
    head = "id,rating,games,name,birth_date,sex,federation,club"
    opening.write_text("\n".join([head, *lines]) + "\n", "utf-8")
    imports.import_file(home, opening, "national", TINA, "standard")
    second, _ = people.add_person(NewPerson("Alpha, A.", ids={"national": "799"}), "", TINA)
    people.merge(second, 1, "one and the same", TINA)
    send(home, work, report("Winter Open", "2026-01-10", {("701", "702"): "1-0"}), "standard")
    _publish(home, "standard", date(2026, 2, 1))
    forfeit = {("703", "704"): "1-0 forfeit", ("701", "706"): "1-0"}
    send(home, work, report("Spring <i>Open</i>", "2026-02-20", forfeit), "standard")
    _publish(home, "standard", date(2026, 4, 1))
    night = report("Club Night", "2026-03-20", {("701", "703"): "1-0", ("702", "705"): "0-1"},
                   pool="go")  # fmt: skip
    night["event"]["class"] = "A"
    send(home, work, night, "go")
    _publish(home, "go", date(2026, 4, 1))
    wrong = [asking.game(WINTER, 1, "0-1"), asking.game(WINTER, 21, "1-0")]
    asked = corrections.ask(home, wrong, "the sheet says so", TINA)
    corrections.accept(home, asked.id, TINA)
    _publish(home, "standard", date(2026, 4, 1))
    suppress(home, 7, "asked for", replace(TINA))
    return home


def send(home: Home, work: Path, said: dict[str, Any], pool: str) -> None:
    """A report that is received, and ready."""
    path = work / f"{said['event']['end']}.json"
    path.write_text(json.dumps(said), "utf-8")
    received, _ = receive.receive_all(home, [path], TINA, receive.Options(pool=pool, another=True))
    assert received[0].state == "ready", list(received[0].findings)


def _publish(home: Home, pool: str, until: date) -> None:
    made = runs.make(home, pool, until, TINA)
    runs.approve(made.run.id, TINA)
    runs.publish(home, made.run.id, TINA)
