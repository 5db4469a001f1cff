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
LATER = [("9", "3", "1-0"), ("4", "6", "1-0"), ("7", "8", "1/2-1/2"), ("9", "4", "0-1"),
         ("6", "3", "1/2-1/2"), ("8", "7", "0-1")]  # fmt: skip
"""The child again, and two who meet each other only."""


def built(folder, born: str, edition: str, *, again: bool = False) -> Home:
    """An office that has rated the chain, and another event after it."""
    home = setup.init(folder / "office", TINA)
    setup.add_pool("club", edition, TINA)
    lines = [f'{key},{rating},30,"Invented, P{key}"' for key, rating in RATED.items()]
    opening = folder / "opening.csv"
    opening.write_text("\n".join(["id,rating,games,name", *lines]) + "\n", "utf-8")
    imports.import_file(home, opening, "national", TINA, "club")
    rate(home, folder, "Chain", "2026-01-10", FIRST, born)
    if again:
        rate(home, folder, "Later", "2026-02-10", LATER, born)
    run = runs.make(home, "club", date(2026, 3, 1), TINA).run
    runs.approve(run.id, TINA)
    runs.publish(home, run.id, TINA)
    return home


def rate(home: Home, folder, name: str, day: str, games, born: str) -> None:
    """Receive an event of a day."""
    child = {"id": CHILD, "name": "Invented, Child", "ids": {"national": CHILD}}
    said = {
        "ratingbook": "report/1",
        "event": {"name": name, "start": day, "end": day},
        "players": [
            *({"id": key, "name": f"Invented, P{key}", "ids": {"national": key}} for key in RATED),
            {**child, "birth_date": born},
        ],
        "games": [
            {"round": number, "white": white, "black": black, "result": result}
            for number, (white, black, result) in enumerate(games, 1)
        ],
    }  # fmt: skip
    path = folder / f"{name}.json"
    path.write_text(json.dumps(said), "utf-8")
    received = receive.receive(home, path, TINA, receive.Options(pool="club", another=True))
    if received.waiting and received.id is not None:
        desk.link_new(received.id, TINA)


def told(home: Home) -> dict[str, object]:
    """All that is public of the event and its players."""
    open_site(home.folder)
    client = nobody()
    keys = list(m.Batch.objects.order_by("day").values_list("key", flat=True))
    people = range(1, len(RATED) + 2)
    changes = m.Change.objects.order_by("batch__day", "person")
    own = [f"{who}/changes/1/{key}" for who, key in changes.values_list("person", "batch__key")]
    paths = [
        *(f"/players/{each}{form}" for each in own for form in ("", ".json")),
        *(f"/players/{each}{form}" for each in people for form in ("", ".json")),
        *(f"/api/v1/players/{each}/results" for each in people),
        *(f"/api/v1/players/{each}" for each in own),
        *(f"/whatif.json?player={each}&o1=1500/100&r1=1" for each in people),
        *(f"/events/{each}{form}" for each in range(1, len(keys) + 1) for form in ("", ".json")),
        "/api/v1/events/1", "/statistics.json",
    ]  # fmt: skip
    answers = {path: client.get(path) for path in paths}
    assert [path for path, each in answers.items() if each.status_code != 200] == []
    # A key has a part of its own in each office, and a file that says another day another hash.
    files = [each[:8] for each in m.ReportVersion.objects.values_list("blob", flat=True)]

    def same(text: str) -> str:
        for number, key in enumerate(keys):
            text = text.replace(key, f"KEY{number or ''}")
        return re.sub(rf"({'|'.join(files)})\w*(…\w*)?", "FILE", text)

    return {same(path): same(each.content.decode()) for path, each in answers.items()}


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("edition", ["uscf-2011", "uscf-2015", "uscf-2025"])
def test_days_of_a_birth_date_change_nothing_that_is_public(tmp_path, edition, again):
    """Later editions go on with decimals: what followed from an age is in later events, too."""
    found, published = [], []
    for number, born in enumerate(("2012-11-03", "2012-11-05")):
        (tmp_path / str(number)).mkdir()
        found.append(told(built(tmp_path / str(number), born, edition, again=again)))
        rows = m.Change.objects.order_by("batch__day", "person")
        published.append(list(rows.values_list("person", "after")))
    assert published[0] == published[1], "no list tells one from the other"
    first, second = found
    assert [path for path in first if first[path] != second[path]] == []


def test_who_is_far_from_everybody_by_age_has_all_steps_in_a_later_event(tmp_path):
    """Two who met nobody by age there, and before it only in the same event."""
    pages = told(built(tmp_path, "2012-11-03", "uscf-2025", again=True))
    without = {
        str(each) for each in range(1, len(RATED) + 2)
        if "The steps are left out here" in str(pages.get(f"/players/{each}/changes/1/KEY1"))
    }  # fmt: skip
    assert without == {"3", "4", "6", "9"}


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
