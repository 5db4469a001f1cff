"""Where a first rating follows from an age, nothing public tells a birth date by its decimals.

Two offices that differ in a birth date by days, and whose published numbers are the same, say the
same of everybody.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime

import pytest

from ratingbook.office.acts import desk, imports, receive, runs, setup
from ratingbook.office.home import Home
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.site.opening import open_site
from tests.site.people import nobody

TINA = Who("tina", at=datetime(2026, 4, 2, 9, 0, tzinfo=UTC))
RATED = {"1": 1210, "2": 980, "3": 1105, "4": 1388, "5": 1502, "6": 1620, "7": 1711, "8": 1803}
CHILD = "9"
FIRST = [("9", "1", "1-0"), ("9", "2", "0-1"), ("1", "3", "1-0"), ("2", "4", "0-1"),
         ("3", "5", "1/2-1/2"), ("4", "5", "0-1"), ("5", "6", "0-1"), ("6", "7", "1-0"),
         ("7", "8", "1/2-1/2"), ("3", "4", "0-1"), ("9", "1", "0-1")]  # fmt: skip
"""A chain that begins with the child: the last ones are far from it."""
NEAR = {"1", "2", "3", "4", "9"}
"""Who met the child, and whom these met."""


def built(folder, born: str, edition: str) -> Home:
    """An office that has rated the chain."""
    home = setup.init(folder / "office", TINA)
    setup.add_pool("club", edition, TINA)
    lines = [f'{key},{rating},30,"Invented, P{key}"' for key, rating in RATED.items()]
    opening = folder / "opening.csv"
    opening.write_text("\n".join(["id,rating,games,name", *lines]) + "\n", "utf-8")
    imports.import_file(home, opening, "national", TINA, "club")
    child = {"id": CHILD, "name": "Invented, Child", "ids": {"national": CHILD}}
    said = {
        "ratingbook": "report/1",
        "event": {"name": "Chain", "start": "2026-01-10", "end": "2026-01-10"},
        "players": [
            *({"id": key, "name": f"Invented, P{key}", "ids": {"national": key}} for key in RATED),
            {**child, "birth_date": born},
        ],
        "games": [
            {"round": number, "white": white, "black": black, "result": result}
            for number, (white, black, result) in enumerate(FIRST, 1)
        ],
    }  # fmt: skip
    path = folder / "chain.json"
    path.write_text(json.dumps(said), "utf-8")
    received = receive.receive(home, path, TINA, receive.Options(pool="club", another=True))
    if received.waiting and received.id is not None:
        desk.link_new(received.id, TINA)
    run = runs.make(home, "club", date(2026, 3, 1), TINA).run
    runs.approve(run.id, TINA)
    runs.publish(home, run.id, TINA)
    return home


def told(home: Home) -> dict[str, object]:
    """All that is public of the event and its players."""
    open_site(home.folder)
    client = nobody()
    key = m.Change.objects.values_list("batch__key", flat=True)[0]
    people = range(1, len(RATED) + 2)
    paths = [
        *(f"/players/{each}/changes/1/{key}{form}" for each in people for form in ("", ".json")),
        *(f"/players/{each}{form}" for each in people for form in ("", ".json")),
        *(f"/api/v1/players/{each}/results" for each in people),
        *(f"/api/v1/players/{each}/changes/1/{key}" for each in people),
        "/events/1", "/events/1.json", "/api/v1/events/1", "/statistics.json",
    ]  # fmt: skip
    answers = {path: client.get(path) for path in paths}
    assert [path for path, each in answers.items() if each.status_code != 200] == []
    # A key has a part of its own in each office, and a file that says another day another hash.
    file = str(m.ReportVersion.objects.values_list("blob", flat=True)[0])

    def same(text: str) -> str:
        return re.sub(rf"{file[:8]}\w*(…\w*)?", "FILE", text.replace(key, "KEY"))

    return {same(path): same(each.content.decode()) for path, each in answers.items()}


@pytest.mark.parametrize("edition", ["uscf-2011", "uscf-2025"])
def test_days_of_a_birth_date_change_nothing_that_is_public(tmp_path, edition):
    found = []
    for number, born in enumerate(("2012-11-03", "2012-11-05")):
        (tmp_path / str(number)).mkdir()
        found.append(told(built(tmp_path / str(number), born, edition)))
    first, second = found
    assert [path for path in first if first[path] != second[path]] == []


def test_only_who_is_near_has_no_steps(tmp_path):
    pages = told(built(tmp_path, "2012-11-03", "uscf-2011"))
    without = {
        str(each) for each in range(1, len(RATED) + 2)
        if "The steps are left out here" in str(pages[f"/players/{each}/changes/1/KEY"])
    }  # fmt: skip
    assert without == NEAR
    # Of numbers that are rounded by themselves no bonus is told that there is none of.
    said = [str(pages[f"/players/{each}/changes/1/KEY"]) for each in sorted(NEAR)]
    assert not any("with the other rules" in each for each in said)
