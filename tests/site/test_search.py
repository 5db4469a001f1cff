"""What is looked for is found in any case and any script, on both databases."""

from __future__ import annotations

from datetime import date

import pytest

from ratingbook.office.acts import desk, receive, setup
from ratingbook.office.store import models as m
from tests.office.reports import document, write
from tests.site.offices import TINA, run_to
from tests.site.people import nobody

PLAYERS = {
    "1": ("王小明", "m", "1990-01-05", "801"),
    "2": ("陈 丽", "w", "1985-03-07", "802"),
    "3": ("Li, Ming", "m", "1999-09-09", "803"),
}
CLUBS = {"1": "围棋会", "2": "Клуб", "3": "Harbour"}


@pytest.fixture
def home(office):
    setup.add_pool("шашки", "elo", TINA, policies={"assume": "1500"})
    for day, name in (("2024-03-10", "北京围棋公开赛"), ("2024-04-10", "Berlin Weiqi Open")):
        said = document(name, day, None, PLAYERS)
        for each in said["players"]:
            each["club"] = CLUBS[each["id"]]
        path = write(office.folder, f"{day}.json", said)
        one = receive.receive(office, path, TINA, receive.Options(pool="шашки", another=True))
        if one.waiting and one.id is not None:
            desk.link_new(one.id, TINA)
    run_to(office, date(2024, 5, 1), "шашки")
    return office


def found(query: str):
    said = nobody().get("/search.json", {"q": query}).json()
    names = [each["name"] for each in said["players"]]
    return names, [each["name"] for each in said["events"]], [each[0] for each in said["clubs"]]


@pytest.mark.parametrize("query", ["клуб", "КЛУБ", "Клуб", "лУб"])
def test_clubs_are_found_in_any_case(home, query):
    assert found(query)[2] == ["Клуб"]


@pytest.mark.parametrize(("query", "events", "clubs"), [
    ("北京", ["北京围棋公开赛"], []),
    ("围棋", ["Berlin Weiqi Open", "北京围棋公开赛"], ["围棋会"]),
    ("京", ["北京围棋公开赛"], []),
    # Its syllable stands in Berlin, which it is no part of.
    ("丽", [], []),
])  # fmt: skip
def test_a_sign_or_two_are_a_word(home, query, events, clubs):
    assert found(query)[1:] == (events, clubs)


@pytest.mark.parametrize(("query", "name"), [
    ("小明", "王小明"), ("王 小明", "王小明"), ("王小明", "王小明"), ("王", "王小明"),
    ("陈丽", "陈 丽"), ("陈 丽", "陈 丽"),
])  # fmt: skip
def test_chinese_names_are_found_however_they_are_divided(home, query, name):
    assert name in found(query)[0]


def test_lists_of_a_pool_are_found_in_any_case(home):
    if not m.List.objects.filter(pool__name="шашки").exists():
        pytest.fail("the run brought no list")
    said = nobody().get("/search.json", {"q": "ШАШКИ"}).json()
    assert {each["pool"] for each in said["lists"]} == {"шашки"}


def test_who_writes_too_little_is_told(home):
    page = nobody().get("/search", {"q": "zz"}, headers={"accept-language": "en"}).content.decode()
    assert "from three letters on" in page
    page = nobody().get("/search", {"q": "龙"}, headers={"accept-language": "en"}).content.decode()
    assert "from three letters on" not in page
