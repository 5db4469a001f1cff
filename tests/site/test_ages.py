"""Where a first rating follows from an age, nothing public tells a birth date by its decimals.

Two offices that differ in a birth date by days, and whose published numbers are the same, say the
same of everybody.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from urllib.parse import urlencode

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
LATER = [("1", "5", "1-0"), ("5", "9", "1-0"), ("1", "7", "1/2-1/2"), ("7", "9", "1-0"),
         ("6", "8", "0-1"), ("9", "6", "1/2-1/2")]  # fmt: skip
"""An event after it, in which nobody is new."""
NEAR = {"1", "2", "3", "4", "9"}
"""Who met the child, and whom these met."""


def built(folder, born: str, edition: str, *, with_later: bool = False) -> Home:
    """An office that has rated the chain."""
    home = setup.init(folder / "office", TINA)
    setup.add_pool("club", edition, TINA)
    lines = [f'{key},{rating},30,"Invented, P{key}"' for key, rating in RATED.items()]
    opening = folder / "opening.csv"
    opening.write_text("\n".join(["id,rating,games,name", *lines]) + "\n", "utf-8")
    imports.import_file(home, opening, "national", TINA, "club")
    receive_one(home, folder, born, "Chain", "2026-01-10", FIRST)
    if with_later:
        receive_one(home, folder, born, "Later", "2026-02-10", LATER)
    run = runs.make(home, "club", date(2026, 3, 1), TINA).run
    runs.approve(run.id, TINA)
    runs.publish(home, run.id, TINA)
    return home


def receive_one(home: Home, folder, born: str, name: str, day: str, games) -> None:
    """An event of them all."""
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
    rows = list(m.Change.objects.values_list("batch__key", "person").distinct())
    paths = [
        *(f"/players/{each}/changes/club/{key}{form}"
          for key, each in rows for form in ("", ".json")),
        *(f"/players/{each}{form}" for each in people for form in ("", ".json")),
        *(f"/api/v1/players/{each}/results" for each in people),
        *(f"/api/v1/players/{each}/changes/club/{key}" for key, each in rows),
        *(f"{path}/{number}{form}" for number in range(1, len(keys) + 1)
          for path, form in (("/events", ""), ("/events", ".json"), ("/api/v1/events", ""))),
        "/statistics.json",
    ]  # fmt: skip
    answers = {path: client.get(path) for path in paths}
    assert [path for path, each in answers.items() if each.status_code != 200] == []
    # A key has a part of its own in each office, and a file that says another day another hash.
    files = "|".join(each[:8] for each in m.ReportVersion.objects.values_list("blob", flat=True))

    def same(text: str) -> str:
        for number, key in enumerate(keys, 1):
            text = text.replace(key, f"KEY{number}")
        return re.sub(rf"({files})\w*(…\w*)?", "FILE", text)

    return {same(path): same(each.content.decode()) for path, each in answers.items()}


@pytest.mark.parametrize("edition", ["uscf-2011", "uscf-2025"])
def test_days_of_a_birth_date_change_nothing_that_is_public(tmp_path, edition):
    found = []
    for number, born in enumerate(("2012-11-03", "2012-11-05")):
        (tmp_path / str(number)).mkdir()
        found.append(told(built(tmp_path / str(number), born, edition)))
    first, second = found
    assert [path for path in first if first[path] != second[path]] == []


@pytest.mark.parametrize("edition", ["uscf-2011", "uscf-2025"])
def test_a_later_event_says_no_more_than_the_ratings(tmp_path, edition):
    """From 2015 on ratings go on with decimals, also those of whom the child had met."""
    found = []
    for number, born in enumerate(("2012-11-03", "2012-11-05")):
        (tmp_path / str(number)).mkdir()
        found.append(told(built(tmp_path / str(number), born, edition, with_later=True)))
    first, second = found
    assert [path for path in first if first[path] != second[path]] == []
    for person in ("1", "5", "9"):
        why = json.loads(str(first[f"/players/{person}/changes/club/KEY2.json"]))
        assert why["paragraphs"], "the steps are there"
        assert why["is_of_printed"] == (edition == "uscf-2025")
        assert str(why["before"]) in str(why["paragraphs"]) or why["before"] % 1 == 0


def test_event_result_and_explanation_have_one_average(tmp_path):
    pages = told(built(tmp_path, "2012-11-03", "uscf-2025"))
    lines = json.loads(str(pages["/events/1.json"]))["section"]["lines"]
    found = {str(each["person"]): each["average"] for each in lines}
    for person, average in found.items():
        why = json.loads(str(pages[f"/players/{person}/changes/club/KEY1.json"]))
        (result,) = json.loads(str(pages[f"/players/{person}.json"]))["results"]
        assert why["average"] == result["average"] == average
    assert found["1"] is None, "the child has no rating yet, and an average is of all or of none"
    assert any(each is not None for each in found.values())


def test_only_who_is_near_has_no_steps(tmp_path):
    pages = told(built(tmp_path, "2012-11-03", "uscf-2011"))
    without = {
        str(each) for each in range(1, len(RATED) + 2)
        if "The steps are left out here" in str(pages[f"/players/{each}/changes/club/KEY1"])
    }  # fmt: skip
    assert without == NEAR
    # Of numbers that are rounded by themselves no bonus is told that there is none of.
    said = [str(pages[f"/players/{each}/changes/club/KEY1"]) for each in sorted(NEAR)]
    assert not any("with the other rules" in each for each in said)


def test_a_what_if_of_a_junior_says_which_k_was_taken_and_which_the_list_has(tmp_path):
    home = setup.init(tmp_path / "office", TINA)
    setup.add_pool("club", "fide-2024", TINA)
    opening = tmp_path / "opening.csv"
    lines = [f"{key},1800,90,{year},Invented P{key}" for key, year in (("1", 2012), ("2", 1980))]
    opening.write_text("\n".join(["id,rating,games,birth_year,name", *lines, ""]), "utf-8")
    imports.import_file(home, opening, "national", TINA, "club")
    run = runs.make(home, "club", date(2026, 3, 1), TINA).run
    runs.approve(run.id, TINA)
    runs.publish(home, run.id, TINA)
    open_site(home.folder)
    # By 8.3.3 of 2024 K is 40 for her: as the list prints it, and 20 is that of 90 games.
    listed = "Reckoned with K = 40, as the list of 1 Mar 2026 has it."
    for score in ("1", "?"):
        page = of_what_if(1, r1=score, target="1815")
        assert listed in page
        assert "1815 is out of reach" not in page
        assert "For 1815 you need 1 point" in page, "1800 + 40 · (1 − .5) = 1820"
        assert "grown up" not in page
        assert "junior" not in page
        assert listed not in of_what_if(2, r1=score), "nothing is otherwise"
    for more in ({"birth_year": "2012"}, {"rating": "1900"}, {"games": "45"}, {"k": "10"}):
        assert listed not in of_what_if(1, **more), "it is not asked about her as she is known"
    assert "of 1 Mar 2026 has K = 40; with a year" in of_what_if(1, games="45")
    assert "K = 20: as for somebody grown up, since no year of birth is given" in of_what_if(2)
    said = of_what_if(1)
    assert not re.search("birth|age is|child|young", said.partition("Paragraph by paragraph")[2])


def of_what_if(person: int, **said: str) -> str:
    """What the page says for a player who wins a game, without its markup."""
    query = urlencode({"rulebook": "pool:club", "player": person, "o1": 1800, "r1": 1, **said})
    page = nobody().get(f"/whatif?{query}")
    assert page.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())
