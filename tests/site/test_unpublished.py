"""What is rated and not published: nobody sees its numbers but the office and the player."""

from __future__ import annotations

import re
import shutil
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratingbook.office.acts import (
    asking,
    corrections,
    decisions,
    desk,
    imports,
    people,
    receive,
    runs,
    setup,
)
from ratingbook.office.acts.reports import put_aside
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from ratingbook.site.shown import event as one_event
from ratingbook.site.shown import player_ratings
from tests.office import reports
from tests.site.offices import TINA
from tests.site.people import nobody, signed_in

EMAIL, FIRST, SECOND = "email", date(2026, 3, 20), date(2026, 6, 20)
WHY = f"changes/{EMAIL}/2026-03-07"
ANNA, ZOE = 1, 7
STRANGER = {**reports.PLAYERS, "7": ("Golf, Zoe", "w", "1995-05-05", "707")}


def rate(home, until: date, name: str, day: str, players=reports.PLAYERS):
    """Everybody draws everybody, but Anna, who wins; the run waits for approval."""
    won = {("1", key): "1-0" for key in players if key != "1"}
    path = reports.write(home.folder, f"{day}.json", reports.document(name, day, won, players))
    options = receive.Options(pool="email", another=True)
    received = receive.receive(home, path, TINA, options)
    if received.waiting:
        assert received.id is not None
        desk.link_new(received.id, TINA)
    return runs.make(home, "email", until, TINA).run


def publish(home, run) -> None:
    runs.approve(run.id, TINA)
    runs.publish(home, run.id, TINA)


@pytest.fixture
def home(office):
    """A pool whose rules publish a rating after six games; everybody has five."""
    setup.add_pool("email", "iecg-1999", TINA)
    run = rate(office, FIRST, "Mail Cup", "2026-01-10")
    publish(office, run)
    return office


def said(client, path: str):
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.content)
    return answer.json()


def test_a_rating_that_the_rules_do_not_publish_is_on_no_public_page(home):
    anyone = nobody()
    # What a published run was fed is found once: a server that has just begun asks more.
    anyone.get(f"/players/{ANNA + 1}?pool={EMAIL}").close()
    with CaptureQueriesContext(connection) as asked:
        page = anyone.get(f"/players/{ANNA}?pool={EMAIL}").content.decode()
    assert len(asked) <= 12
    assert "not published yet" in page
    assert WHY not in page
    found = said(anyone, f"/players/{ANNA}.json?pool={EMAIL}")
    (own,) = (each for each in found["pools"] if each["pool"] == EMAIL)
    assert (own["official"], own["now"], own["peak"], own["games"]) == (None, None, None, 5)
    assert found["history"] is None
    (result,) = found["results"]
    assert (result["games"], result["score"], result["is_published"]) == (5, 5.0, False)
    numbers = ("before", "after", "change", "first", "expected")
    assert [result[name] for name in numbers] == [None] * 5
    rows = said(anyone, f"/api/v1/players/{ANNA}/results?pool={EMAIL}")["items"]
    assert [row["after"] for row in rows] == [None]
    assert anyone.get(f"/api/v1/players/{ANNA}/history?pool={EMAIL}").status_code == 404


def test_nor_is_it_on_the_page_of_the_event_or_explained(home):
    anyone = nobody()
    event = said(anyone, "/events/4.json")
    lines = event["section"]["lines"]
    assert len(lines) == 6
    assert {line["after"] for line in lines} == {line["change"] for line in lines} == {None}
    assert not any(line["is_published"] for line in lines)
    page = anyone.get("/events/4").content.decode()
    assert "not published yet" in page
    assert WHY not in page
    for path in (f"/players/{ANNA}/{WHY}.json", f"/api/v1/players/{ANNA}/{WHY}"):
        answer = anyone.get(path)
        assert answer.status_code == 404
        assert answer.json()["findings"][0]["code"] == "office.no-published-rating"


def test_the_office_and_the_player_see_it_and_that_it_is_not_published(home):
    of_desk = f"/desk/changes/{ANNA}/{WHY.removeprefix('changes/')}"
    for name, path in (("olga", of_desk), ("anna", f"/my/{WHY}")):
        reader = signed_in(name)
        page = reader.get(path).content.decode()
        assert "This rating is not published" in page
        assert path in reader.get(f"/players/{ANNA}?pool={EMAIL}").content.decode()


def test_the_office_and_the_player_read_why_it_became_another_one(office):
    """By a correction and by a report that came late in the same run."""
    setup.add_pool("email", "iecg-1999", TINA)
    some = [{each: reports.PLAYERS[each] for each in who} for who in ("123", "12")]
    publish(office, rate(office, FIRST, "Mail Cup", "2026-01-10", some[0]))
    asked = corrections.ask(office, [asking.game(4, 1, "0-1")], "the sheet", TINA).id
    corrections.accept(office, asked, TINA)
    publish(office, rate(office, FIRST, "Late Cup", "2026-01-05", some[1]))
    of_desk = f"/desk/changes/{ANNA}/{WHY.removeprefix('changes/')}"
    for name, path in (("olga", of_desk), ("anna", f"/my/{WHY}")):
        page = signed_in(name).get(path).content.decode()
        caption = page.partition("<caption>Revised")[2].partition("</caption>")[0]
        assert f"by correction {asked}" in caption
        assert "came late: Late Cup" in caption
    assert nobody().get(f"/players/{ANNA}/{WHY}.json").status_code == 404


def test_it_stands_there_once_the_rules_publish_it(home):
    anyone = nobody()
    run = rate(home, SECOND, "Mail Cup again", "2026-03-25", STRANGER)
    before = said(anyone, f"/players/{ANNA}.json?pool={EMAIL}")
    assert len(before["results"]) == 1, "a draft is not published"
    publish(home, run)
    found = said(anyone, f"/players/{ANNA}.json?pool={EMAIL}")
    assert all(each["is_published"] for each in found["results"])
    assert all(each["after"] > 800 for each in found["results"])
    newest, first = found["results"]
    assert (newest["was_listed"], first["was_listed"]) == (True, False)
    email = next(each for each in found["pools"] if each["pool"] == EMAIL)
    # The first number is as high, and was on no list.
    assert (email["peak"], email["peak_day"]) == (first["after"], newest["day"])
    page = anyone.get(f"/players/{ANNA}?pool={EMAIL}").content.decode()
    assert page.count("on no list then") == 2, "in the results, and in the table of the graph"
    # The graph says so, too: of the newest number, at its end.
    assert re.findall(r'<circle class="dot peak" cx="([^"]+)"', page) == ["100.00%"]
    assert said(anyone, f"/players/{ANNA}/{WHY}.json")["is_published"]


def email_of(person: int) -> tuple[dict[str, Any], dict[str, Any]]:
    page = said(nobody(), f"/players/{person}.json?pool={EMAIL}")
    return page, next(each for each in page["pools"] if each["pool"] == EMAIL)


def test_what_the_rules_did_not_publish_is_no_peak_where_no_list_was_made_of_it(office):
    setup.add_pool("email", "iecg-1999", TINA, policies={"lists": "by_hand"})
    publish(office, rate(office, FIRST, "Mail Cup", "2026-01-10"))
    publish(office, rate(office, SECOND, "Mail Cup again", "2026-03-25", STRANGER))
    assert not m.List.objects.filter(pool__name=EMAIL).exists()
    anyone = nobody()
    anyone.get("/players/2")
    with CaptureQueriesContext(connection) as asked:
        page = anyone.get(f"/players/{ANNA}?pool={EMAIL}").content.decode()
    assert len(asked) <= 12
    assert page.count("on no list then") == 2
    for person in (ANNA, 2):
        found, email = email_of(person)
        newest, first = found["results"]
        assert (newest["was_listed"], first["was_listed"]) == (True, False)
        # Nor is the number of the rules with which they were rated first.
        assert first["before"] == 800
        assert (email["peak"], email["peak_day"]) == (newest["after"], newest["day"])
        assert found["history"]["peak"] == newest["after"]
        assert found["history"]["first"] == newest["after"]
    # The words of the graph begin with the same number.
    assert first["after"] != newest["after"]
    text = anyone.get(f"/players/2?pool={EMAIL}").content.decode()
    assert f"From {newest['after']:.0f} to {newest['after']:.0f}" in text


def test_what_was_published_first_is_no_number_that_no_list_had(home):
    publish(home, rate(home, SECOND, "Mail Cup again", "2026-03-25", STRANGER))
    report = m.Report.objects.get(reportversion__file_name="2026-01-10.json").id
    asked = corrections.ask(home, [asking.game(report, 1, "0-1")], "Ben won", TINA)
    corrections.accept(home, asked.id, TINA)
    publish(home, runs.make(home, "email", SECOND, TINA).run)
    newest, first = said(nobody(), f"/players/{ANNA}.json?pool={EMAIL}")["results"]
    assert newest["first"] not in (None, newest["after"])
    assert not first["was_listed"]
    assert first["first"] is None


def test_what_is_not_in_force_yet_is_no_peak(home, monkeypatch):
    publish(home, rate(home, SECOND, "Mail Cup again", "2026-03-25", STRANGER))
    page, email = email_of(ANNA)
    assert email["peak"] == email["official"] == page["results"][0]["after"]
    until = date.fromisoformat(page["results"][0]["day"])

    class AnyDay(type):
        def __instancecheck__(cls, instance):
            return isinstance(instance, date)

    class OnTheEve(date, metaclass=AnyDay):
        @classmethod
        def today(cls):
            return until - timedelta(days=1)

    monkeypatch.setattr(player_ratings, "date", OnTheEve)
    shutil.rmtree(home.snapshots / "pages")
    _, email = email_of(ANNA)
    assert (email["peak"], email["peak_day"]) == (None, None)


def test_of_whom_no_rating_is_published_that_is_said(home):
    zoe = {key: STRANGER[key] for key in ("2", "7")}
    publish(home, rate(home, SECOND, "Mail Match", "2026-03-25", zoe))
    page = nobody().get(f"/players/{ZOE}").content.decode()
    assert "No rating of Zoe Golf is published yet." in page


def test_a_bundle_that_needs_birth_dates_is_not_offered(office):
    setup.add_pool("young", "uscf-2011", TINA)
    opening = office.folder / "opening.csv"
    born = "2012-01-05"
    lines = [f'{said[3]},"{said[0]}",{born}' for said in reports.PLAYERS.values()]
    opening.write_text("\n".join(["id,name,birth_date", *lines]) + "\n", "utf-8")
    imports.import_file(office, opening, "national", TINA, "young")
    players = {key: (name, sex, born, own) for key, (name, sex, _, own) in reports.PLAYERS.items()}
    won = {("1", key): "1-0" for key in players if key != "1"}
    path = reports.write(office.folder, "young.json", reports.document(
        "Young", "2026-01-10", won, players))  # fmt: skip
    received = receive.receive(office, path, TINA, receive.Options(pool="young", another=True))
    if received.waiting and received.id is not None:
        desk.link_new(received.id, TINA)
    publish(office, runs.make(office, "young", date(2026, 3, 1), TINA).run)
    one = m.List.objects.filter(pool__name="young").latest("id")
    address = f"/lists/young/{one.date}/r{one.revision}/files"
    client = nobody()
    assert f"{address}/bundle" not in client.get("/downloads").content.decode()
    assert f"{address}/bundle" not in client.get(f"/lists/young/{one.date}").content.decode()
    page = client.get(address).content.decode()
    assert f"{address}/bundle" not in page
    assert "An auditor who may see birth dates" in page
    assert "bundle" not in client.get(f"{address}.csv").content.decode()


def test_who_was_made_at_the_desk_is_public_with_the_first_event_that_is_published(office):
    players = {
        key: (f"Newcomer{key}, {'QXZKVW'[int(key) - 1] * 4}", said[1], f"2003-0{key}-02", "")
        for key, said in reports.PLAYERS.items()
    }
    said = reports.document("New Open", "2026-03-28", {}, players)
    for each in said["players"]:
        del each["ids"]
    path = reports.write(office.folder, "new.json", said)
    received = receive.receive(office, path, TINA, receive.Options(pool="club", another=True))
    assert received.id is not None
    numbers, _ = desk.link_new(received.id, TINA)
    client = nobody()

    def shown() -> list[bool]:
        pages = (f"/players/{numbers[0]}", f"/api/v1/players/{numbers[0]}")
        found = [client.get(each).status_code == 200 for each in pages]
        names = ("/search.json?q=newcomer1", "/api/v1/players?q=newcomer1")
        return [*found, *(b"Newcomer1" in client.get(each).content for each in names)]

    assert shown() == [False] * 4
    publish(office, runs.make(office, "club", date(2026, 5, 1), TINA).run)
    assert shown() == [True] * 4


def shown_of(person: int, name: str, club: str) -> dict[str, bool]:
    """Where everybody finds somebody."""
    client = nobody()
    whatif = f"whatif?rulebook=pool:club&player={person}&o1=1800&r1=1"
    pages = (f"/players/{person}", f"/api/v1/players/{person}", f"/api/v1/{whatif}", f"/{whatif}")
    found = {each: client.get(each).status_code == 200 for each in pages}
    for each in (name, str(person), club):
        for path in (f"/search.json?q={each}", f"/api/v1/players?q={each}"):
            said = client.get(path).json()
            people = said["players"] if "players" in said else said["items"]
            found[path] = person in [one["id"] for one in people]
            if "clubs" in said:
                found[f"club {each}"] = club in dict(said["clubs"])
    of_club = client.get(f"/search.json?club={club}").json()["players"]
    return {**found, "members": person in [one["id"] for one in of_club]}


@pytest.mark.parametrize("way", ["desk", "hand", "decided", "register"])
def test_nobody_is_public_of_whom_nothing_is_published(office, way):
    """Whatever the office says of a person: the site shows what it has published."""
    name, club, ids = "Secret, Sam", "Hidden Club", {"national": "909"}
    players = {"1": reports.PLAYERS["1"], "9": (name, "m", "2001-02-03", "909")}
    said = reports.document("Sam Open", "2026-03-28", {}, players)
    said["players"][1]["club"] = club
    path = reports.write(office.folder, "sam.json", said)
    if way == "register":
        members = office.folder / "members.csv"
        members.write_text(f'id,name,club,federation\n909,"{name}",{club},IRL\n', "utf-8")
        imports.import_file(office, members, "national", TINA)
    elif way != "desk":
        people.add_person(NewPerson(name, None, None, {"club": club}, ids), "", TINA)
    received = receive.receive(office, path, TINA, receive.Options(pool="club", another=True))
    if received.waiting:
        assert received.id is not None
        desk.link_new(received.id, TINA)
    person = m.ExternalId.objects.get(value="909").person_id
    if way == "decided":
        said_so = decisions.Deciding(person, "opening", "1500", "club", "so")
        decisions.decide(office, said_so, TINA)
    shown = shown_of(person, "secret", club)
    assert not any(shown.values()), shown
    run = runs.make(office, "club", date(2026, 5, 1), TINA).run
    assert not any(shown_of(person, "secret", club).values()), "a run is not published yet"
    publish(office, run)
    shown = shown_of(person, "secret", club)
    there = ("/players/", "/api/v1/players/", "/whatif", "/api/v1/whatif", "/search.json?q=secret",
             "/api/v1/players?q=secret", "members", f"club {club}")  # fmt: skip
    assert all(said for where, said in shown.items() if where.startswith(there)), shown


def test_who_came_with_a_rating_list_is_public_as_that_list_was(office):
    path = office.folder / "list.csv"
    path.write_text('id,name,rating\n909,"Listed, Lea",1800\n', "utf-8")
    imports.import_file(office, path, "national", TINA, "club")
    person = m.ExternalId.objects.get(value="909").person_id
    assert nobody().get(f"/players/{person}").status_code == 200
    assert b"Listed" in nobody().get("/search.json?q=listed").content


def test_whom_nobody_may_see_hides_nobody_else_in_a_search(office):
    """A page shows the first of many: those of whom nothing is published take no place."""
    lines = [f'{at},"Alpha, A{at:02}"' for at in range(1000, 1060)]
    path = office.folder / "members.csv"
    path.write_text("\n".join(["id,name", *lines]) + "\n", "utf-8")
    imports.import_file(office, path, "club", TINA)
    found = nobody().get("/search.json?q=alpha").json()
    assert [each["name"] for each in found["players"]] == ["Alpha, Anna"]
    assert not found["there_are_more"]


def test_an_event_is_public_with_what_is_rated_of_it(office, monkeypatch):
    odd = one_event.FindingShown("warning", "Bravo, Ben is odd.", "", is_english=False)
    monkeypatch.setattr(one_event, "_findings", lambda version, mask: (odd,))
    client = nobody()
    pages = (
        "/events/3", "/events/3.json", "/events/3.csv", "/api/v1/events/3",
        "/api/v1/events/3/sections/0",
    )  # fmt: skip

    def shown() -> set[tuple[int, bool]]:
        answers = [client.get(each) for each in pages]
        return {(each.status_code, b"Third Open" in each.content) for each in answers}

    for state in ("ready", "hold", "refuse"):
        if state != "ready":
            put_aside("3", state, "to try it", TINA)
        assert shown() == {(404, False)}, state
    assert "Third Open" in signed_in("dirk").get("/my/reports/3/").content.decode()
    put_aside("3", "release", "it is well", TINA)
    publish(office, runs.make(office, "club", date(2026, 5, 1), TINA).run)
    assert {status for status, _ in shown()} == {200}
    assert "is odd" in client.get("/events/3").content.decode()


def test_an_event_that_was_public_says_that_it_is_not_rated(office):
    asked = corrections.ask(office, [asking.event("1", "withdraw")], "it never was", TINA)
    corrections.accept(office, asked.id, TINA)
    publish(office, runs.make(office, "club", date(2026, 5, 1), TINA).run)
    page = nobody().get("/events/1").content.decode()
    assert "First Open" in page
    assert "The event is not rated." in page
