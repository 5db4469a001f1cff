"""Requests about persons and events of which nothing is published: nobody reads whom they name."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from ratingbook.office.acts import asking, corrections, desk, imports, receive
from ratingbook.office.acts import reports as acts_reports
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from tests.office import reports
from tests.site.offices import TINA, run_to
from tests.site.pages import FIRST, page_of
from tests.site.people import nobody, signed_in

OLGA, DIRK = Who("olga"), Who("dirk")
NAME, NUMBER, WHY = "Geheim, Gerda", "100901", "whispered by a neighbour"
SECRET, HIDDEN = "Secret Open", "Hidden Cup"
UNTOLD = "something that is not published yet"
PLACES = (
    "/", "/home.json", "/events", "/players/2", "/players/2.json", "/players/1", "/events/1",
    "/events/1.json", "/search?q=geheim", "/search.json?q=geheim", f"/search.json?q={NUMBER}",
    "/search.json?q=secret", "/corrections", "/corrections.json", "/corrections.csv",
    "/corrections.atom", "/corrections.feed.json", "/api/v1/corrections",
    "/api/v1/players/2/why?pool=club",
)  # fmt: skip
OF_ONE = (
    "/corrections/{n}", "/corrections/{n}.json", "/corrections/{n}.csv", "/api/v1/corrections/{n}",
    "/api/v1/corrections/{n}/entry", "/api/v1/corrections/{n}/players",
    "/api/v1/corrections/{n}/numbers",
)  # fmt: skip


def sent(home: Any, name: str, day: str) -> int:
    """An event of Dirk's whose players the desk knows, with somebody of whom nothing is public."""
    players = {"2": reports.PLAYERS["2"], "9": (NAME, "w", "1991-02-03", "")}
    said = reports.document(name, day, {("2", "9"): "0-1"}, players)
    del said["players"][1]["ids"]
    path = reports.write(home.folder, f"{day}.json", said)
    one = receive.receive(home, path, DIRK, receive.Options(pool="club", another=True))
    assert one.id is not None
    if any(each.entry == "9" for each in desk.waiting(one.id)):
        desk.link(one.id, "9", str(gerda()), OLGA)
    return one.id


def gerda() -> int:
    found: int = m.PersonName.objects.filter(text=NAME).values_list("person", flat=True)[0]
    return found


@pytest.fixture
def home(office: Any) -> Any:
    """A member of the office who has played nothing, and two events that nobody has published."""
    path = office.folder / "members.csv"
    path.write_text(f'id,name,birth_date,sex\n{NUMBER},"{NAME}",1991-02-03,w\n', "utf-8")
    imports.import_file(office, path, "fide", TINA)
    return office


def asked(home: Any, who: Who, *contents: Any) -> int:
    return corrections.ask(home, list(contents), WHY, who).id


def everywhere(numbers: list[int]) -> dict[str, str]:
    """What everybody reads, by its address."""
    anyone = nobody()
    some = [*PLACES, *(each.format(n=number) for number in numbers for each in OF_ONE)]
    found = {}
    for each in some:
        answer = anyone.get(each)
        assert answer.status_code in (200, 404), (each, answer.content[:300])
        found[each] = answer.content.decode()
    return found


def tells_nothing(numbers: list[int]) -> None:
    """No address names the person, her numbers, the events or a reason."""
    person = gerda()
    words = (NAME, "Geheim", NUMBER, f"({person})", f"/players/{person}", f"person {person}",
             SECRET, HIDDEN, WHY)  # fmt: skip
    for place, text in everywhere(numbers).items():
        # What somebody looks for stands in the form again.
        own = text.replace('value="geheim"', "").replace(f'"query": "{NUMBER}"', "")
        found = [each for each in words if each in own and each not in place]
        assert not found, (place, found)
    assert nobody().get(f"/players/{person}").status_code == 404


def said_of(number: int) -> list[str]:
    found: list[str] = nobody().get(f"/corrections/{number}.json").json()["entry"]["says"]
    return found


def all_requests(home: Any) -> list[int]:
    """One of each kind that names the person, or an event that nobody has published."""
    secret, hidden = sent(home, SECRET, "2026-03-25"), sent(home, HIDDEN, "2026-03-28")
    acts_reports.put_aside(str(hidden), "hold", "to be looked at", OLGA)
    person = gerda()
    floor = {"rating": "1700"}
    return [
        asked(home, OLGA, asking.merge(person, 2)),
        asked(home, OLGA, asking.player(1, "1", person)),
        asked(home, DIRK, asking.game(secret, 1, "1-0")),
        asked(home, OLGA, asking.event(str(hidden), "late")),
        asked(home, OLGA, asking.event(str(secret), "withdraw")),
        asked(home, OLGA, asking.moved(str(secret), date(2026, 3, 24))),
        asked(home, OLGA, asking.opening("club", {person: floor})),
        asked(home, OLGA, asking.event(str(secret), "withdraw"), asking.game(1, 1, "0-1")),
    ]  # fmt: skip


def test_requests_name_nobody_and_nothing_that_is_not_published(home):
    numbers = all_requests(home)
    tells_nothing(numbers)
    for number in numbers:
        assert said_of(number) == [UNTOLD]
    rows = nobody().get("/corrections.json").json()["entries"]
    assert {each["of"] for each in rows} == {UNTOLD}
    text = page_of(nobody(), f"/corrections/{numbers[0]}", more=FIRST)
    assert "of which nothing is published yet" in text
    assert "No published number" not in text


def test_those_who_decide_and_who_asked_read_all_of_it(home):
    numbers = all_requests(home)
    desk_text = signed_in("olga").get("/desk/corrections/").content.decode()
    for word in (NAME, SECRET, HIDDEN):
        assert word in desk_text
    page = signed_in("olga").get(f"/desk/corrections/{numbers[0]}/").content.decode()
    assert NAME in page
    assert WHY in page
    report = m.Correction.objects.get(id=numbers[2]).contents[0]["report"]
    assert SECRET in signed_in("dirk").get(f"/my/reports/{report}/").content.decode()


def test_who_sent_a_report_reads_no_name_that_others_asked_for(home):
    dora, path = signed_in("dora"), "/my/reports/1/"
    asked(home, OLGA, asking.player(1, "1", gerda()))
    text = dora.get(path).content.decode()
    assert "Geheim" not in text
    assert UNTOLD in text


def test_what_is_refused_stays_untold_and_so_does_the_reason(home):
    numbers = all_requests(home)
    for number in numbers:
        corrections.reject(number, f"{NAME} has played nothing", OLGA)
    tells_nothing(numbers)


def test_an_accepted_merge_names_nobody_before_it_is_published(home):
    number = asked(home, OLGA, asking.merge(gerda(), 2))
    corrections.accept(home, number, OLGA)
    tells_nothing([number])
    assert nobody().get("/search.json", {"q": NAME}).json()["players"] == []
    entry = nobody().get(f"/corrections/{number}.json").json()["entry"]
    assert (entry["state"], entry["players"], entry["largest"]) == ("accepted", None, [])
    run_to(home, date(2026, 4, 20))
    assert said_of(number) == [f"{NAME} ({gerda()}) is Bravo, Ben (2)"]
    for place in ("/corrections/{n}", "/api/v1/corrections/{n}/entry"):
        assert WHY in nobody().get(place.format(n=number)).content.decode()
    assert WHY in nobody().get("/corrections.atom").content.decode()
    (found,) = nobody().get("/search.json", {"q": NAME}).json()["players"]
    assert found["id"] == 2
    assert NUMBER in str(found["numbers"])
    assert nobody().get(f"/players/{gerda()}").headers["Location"] == "/players/2"


def test_somebody_public_is_called_by_no_name_of_one_who_is_not(home):
    """A merge the other way round: the number that is left is the one that nobody knows."""
    number = asked(home, OLGA, asking.merge(2, gerda()))
    corrections.accept(home, number, OLGA)
    tells_nothing([number])
    assert nobody().get("/players/2").status_code == 200
    run_to(home, date(2026, 4, 20))
    assert nobody().get("/players/2").headers["Location"] == f"/players/{gerda()}"


def test_a_merge_that_was_undone_was_told_only_if_it_was_published(home):
    person = gerda()
    first = asked(home, OLGA, asking.merge(person, 2))
    corrections.accept(home, first, OLGA)
    back = asked(home, OLGA, *corrections.taking_back(first))
    corrections.accept(home, back, OLGA)
    run_to(home, date(2026, 4, 20))
    tells_nothing([first, back])
    again = asked(home, OLGA, asking.merge(person, 2))
    corrections.accept(home, again, OLGA)
    run_to(home, date(2026, 4, 21))
    over = asked(home, OLGA, *corrections.taking_back(again))
    corrections.accept(home, over, OLGA)
    run_to(home, date(2026, 4, 22))
    assert said_of(again) == [f"{NAME} ({person}) is Bravo, Ben (2)"]
    assert said_of(over) == [f"correction {again} no longer holds"]
    assert said_of(first) == said_of(again)


def test_events_and_their_games_are_named_once_they_are_published(home):
    secret = sent(home, SECRET, "2026-03-25")
    hidden = sent(home, HIDDEN, "2026-03-28")
    acts_reports.put_aside(str(hidden), "hold", "to be looked at", OLGA)
    numbers = [
        asked(home, DIRK, asking.game(secret, 1, "1-0")),
        asked(home, OLGA, asking.event(str(hidden), "late")),
    ]
    for number in numbers:
        corrections.accept(home, number, OLGA)
    tells_nothing(numbers)
    run_to(home, date(2026, 4, 20))
    game, late = (said_of(number)[0] for number in numbers)
    assert game.startswith(f"{SECRET}, round 1, Bravo, Ben – {NAME}: 1–0 instead of 0–1")
    assert late == f"{HIDDEN}: let in"
    assert WHY in nobody().get(f"/corrections/{numbers[0]}").content.decode()


def test_who_an_entry_was_said_to_be_stays_told(home):
    """Nothing else is published of the person who did not play after all."""
    secret = sent(home, SECRET, "2026-03-25")
    run_to(home, date(2026, 4, 20))
    number = asked(home, OLGA, asking.player(secret, "9", 3))
    told = said_of(number)
    assert NAME in told[0]
    corrections.accept(home, number, OLGA)
    assert said_of(number) == told
    run_to(home, date(2026, 4, 21))
    assert said_of(number) == told


def test_pages_with_what_is_untold_need_few_queries(home):
    numbers = all_requests(home)
    for place in ("/corrections", *(f"/corrections/{number}" for number in numbers), "/"):
        page_of(nobody(), place, more=FIRST)
        page_of(nobody(), place)
