"""A rating that a correction makes unpublishable: it was public, and no page says it any more."""

from __future__ import annotations

import json
from datetime import date

import pytest

from ratingbook.office.acts import asking, corrections, desk, imports, receive, runs, setup
from ratingbook.office.acts.preview import Bench
from ratingbook.office.store import models as m
from tests.office import reports
from tests.site.offices import TINA
from tests.site.people import nobody, signed_in

RATED = {str(key): 1990 + 20 * key for key in range(1, 8)}
NEWCOMER = "9"
POOL = "world"
FIRST, SECOND = ("1", "2", "3", "4"), ("5", "6", "7")


def said(name: str, day: str, opponents, won: int):
    """The newcomer meets some: the first ones lose."""
    people = [
        *({"id": key, "name": f"Invented, P{key}", "ids": {"fide": f"10000{key}"}}
          for key in opponents),
        {"id": NEWCOMER, "name": "Yotova, Yota", "ids": {"fide": "100009"},
         "birth_date": "1980-02-02"},
    ]  # fmt: skip
    return {
        "ratingbook": "report/1", "event": {"name": name, "start": day, "end": day},
        "players": people,
        "games": [
            {"round": at, "white": NEWCOMER, "black": key, "result": "1-0" if at <= won else "0-1"}
            for at, key in enumerate(opponents, 1)
        ],
    }  # fmt: skip


def rate(home, until: date) -> None:
    run = runs.make(home, "world", until, TINA).run
    runs.approve(run.id, TINA)
    runs.publish(home, run.id, TINA)


def receive_it(home, name: str, document) -> None:
    path = reports.write(home.folder, f"{name}.json", document)
    received = receive.receive(home, path, TINA, receive.Options(pool="world", another=True))
    if received.waiting and received.id is not None:
        desk.link_new(received.id, TINA)


@pytest.fixture
def home(office):
    """A newcomer of FIDE with four games and with three, whose rating is published."""
    setup.add_pool("world", "fide-2024", TINA, {}, {"revise": "affected"})
    lines = [f'{key},{rating},30,"Invented, P{key}",1980-01-01'
             for key, rating in ((f"10000{n}", r) for n, r in RATED.items())]  # fmt: skip
    opening = office.folder / "opening.csv"
    opening.write_text("\n".join(["id,rating,games,name,birth_date", *lines]) + "\n", "utf-8")
    imports.import_file(office, opening, "fide", TINA, "world")
    receive_it(office, "a", said("Event A", "2025-07-10", FIRST, 2))
    rate(office, date(2025, 8, 1))
    receive_it(office, "b", said("Event B", "2025-07-20", SECOND, 1))
    rate(office, date(2025, 9, 1))
    rate(office, date(2025, 10, 1))
    return office


def newcomer() -> int:
    return m.PersonName.objects.get(text="Yotova, Yota", revoked_by__isnull=True).person_id


def withdrawn(home, *lists: str) -> int:
    """A correction that takes the first event out, and is accepted.

    It is foretold that ``lists`` after that of the event are going to be revised.
    """
    report = m.Report.objects.order_by("-id")[1].id
    content = asking.event(str(report), "withdraw")
    shown = Bench(home).preview([content])
    (reach,) = shown.reaches
    # Before anybody decides it is told that a rating goes, not which number is in its place.
    # After the period, and on the lists that are going to be revised: that of the run is.
    assert [(each.key, each.was, each.now, each.change) for each in reach.numbers] == [
        (key, 1967, None, None) for key in ("2025-08-01", *(f"list {day}" for day in lists))
    ]
    assert len(reach.lists) == 3
    asked = corrections.ask(home, [content], "it never was", TINA)
    corrections.accept(home, asked.id, TINA)
    return asked.id


def told(client, correction: int) -> dict[str, str]:
    """All that is public of the newcomer, the event that is left, and the correction."""
    person, report = newcomer(), m.Report.objects.latest("id").id
    change = f"changes/{POOL}/2025-08-01"
    paths = [
        *(f"/players/{person}{form}" for form in ("", ".json", ".csv")),
        *(f"/api/v1/players/{person}{of}" for of in ("", "/results", "/history", f"/{change}")),
        *(f"/players/{person}/{change}{form}" for form in ("", ".json")),
        *(f"/events/{report}{form}" for form in ("", ".json", ".csv")),
        f"/api/v1/events/{report}", f"/api/v1/events/{report}/sections/0",
        *(f"/corrections/{correction}{form}" for form in ("", ".json", ".csv")),
        f"/api/v1/corrections/{correction}", "/corrections.json", "/statistics.json", "/",
        "/search.json?q=yotova", "/api/v1/players?q=yotova",
    ]  # fmt: skip
    return {path: client.get(path).content.decode() for path in paths}


HELD_BACK = "1914"
"""What three games make, with which the rules publish nothing."""


def test_it_stands_on_no_page_any_more(home):
    client, person = nobody(), newcomer()
    assert [each["official"] for each in client.get(f"/players/{person}.json").json()["pools"]] == [
        1967
    ]
    correction = withdrawn(home, "2025-09-01", "2025-10-01")
    waiting = told(client, correction)
    assert [path for path, text in waiting.items() if HELD_BACK in text] == []
    rate(home, date(2025, 11, 1))
    pages = told(client, correction)
    assert [path for path, text in pages.items() if HELD_BACK in text] == []
    page = json.loads(pages[f"/players/{person}.json"])
    (pool,) = page["pools"]
    assert (pool["official"], pool["now"], pool["peak"], pool["games"]) == (None, None, None, 3)
    (result,) = page["results"]
    assert (result["is_published"], result["was_listed"], result["after"]) == (False, False, None)
    assert page["history"] is None
    assert "on no list then" not in pages[f"/players/{person}"], "it is not published at all"
    assert client.get(f"/players/{person}/changes/{POOL}/2025-08-01").status_code == 404
    assert "no rating any more" in pages[f"/corrections/{correction}"]
    (mover,) = json.loads(pages[f"/corrections/{correction}.json"])["movers"]
    assert (mover["before"], mover["after"]) == (1967, None)
    assert mover["became_on_lists"] == ["gone"] * 3


def test_the_office_and_the_player_see_what_is_held_back(home):
    correction = withdrawn(home, "2025-09-01", "2025-10-01")
    rate(home, date(2025, 11, 1))
    del correction
    of_desk = f"/desk/changes/{newcomer()}/{POOL}/2025-08-01"
    assert HELD_BACK in signed_in("olga").get(of_desk).content.decode()


def test_nor_where_no_list_of_before_is_revised(home):
    setup.set_policies("world", {"revise": "none"}, "the lists stand", TINA)
    correction = withdrawn(home, "2025-10-01")
    rate(home, date(2025, 11, 1))
    pages = told(nobody(), correction)
    assert [path for path, text in pages.items() if HELD_BACK in text] == []
    assert "no rating any more" in pages[f"/corrections/{correction}"]


def test_who_fell_below_the_floor_keeps_what_was_public(home):
    """What stood on lists until then is public for ever."""
    opening = home.folder / "low.csv"
    opening.write_text('id,rating,games,name\n100020,1405,30,"Lowe, Lou"\n', "utf-8")
    imports.import_file(home, opening, "fide", TINA, "world")
    people = {"20": ("Lowe, Lou", "m", "1980-05-05", ""), "1": ("Invented, P1", "m", "", "")}
    for day, won in (("2025-10-10", "1-0"), ("2025-11-10", "0-1")):
        one = said("Small Match", day, ("7",), 0)
        one["players"] = [
            {"id": key, "name": name, "ids": {"fide": f"1000{key:0>2}"}}
            for key, (name, *_) in people.items()
        ]
        one["games"] = [
            {"round": at, "white": "20", "black": "1", "result": won} for at in range(1, 4)
        ]
        receive_it(home, day, one)
        rate(home, date.fromisoformat(f"{day[:5]}{int(day[5:7]) + 1}-01"))
    person = m.PersonName.objects.get(text="Lowe, Lou", revoked_by__isnull=True).person_id
    page = nobody().get(f"/players/{person}.json").json()
    newest, first = page["results"]
    assert (first["is_published"], first["after"] > 1405) == (True, True)
    assert newest["is_published"] or newest["after"] is None


def test_who_has_but_an_opening_rating_stands_with_it(home):
    """Against a newcomer nothing of theirs is rated; the newcomer's rating is made of theirs."""
    client, person, report = nobody(), newcomer(), m.Report.objects.latest("id").id
    lines = client.get(f"/events/{report}.json").json()["section"]["lines"]
    before = {each["name"]: each["before"] for each in lines}
    assert before == {
        "Yotova, Yota": None,
        **{f"Invented, P10000{n}": RATED[n] for n in SECOND},
    }
    why = client.get(f"/players/{person}/changes/{POOL}/2025-08-01.json").json()
    assert [each["rating"] for each in why["games"]] == [RATED[n] for n in (*FIRST, *SECOND)]
    (result,) = client.get(f"/players/{person}.json").json()["results"]
    assert result["average"] == why["average"] == sum(RATED.values()) / 7
