"""Whoever is suppressed is named nowhere: on no page, in no answer, no file, and at no command."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from datetime import date
from itertools import product
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.conf import settings
from django.urls import NoReverseMatch, reverse

from ratingbook.office.acts import (
    asking,
    corrections,
    decisions,
    desk,
    jobs,
    receive,
    reports,
    runs,
)
from ratingbook.office.acts import people as acts
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.home import Home
from ratingbook.office.logic.lines import masked
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.site import urls
from ratingbook.site.models import Draft
from ratingbook.site.shown import directing
from tests.office.officers import Officer
from tests.office.reports import PLAYERS, document, write
from tests.site.offices import TINA, run_to
from tests.site.people import by_token, nobody, signed_in
from tests.site.test_directors import file_of, send
from tests.site.test_officers import form_for, text

NAME, WHOSE = "Bravo", 2
TOKEN = b"Player 2"
WHO = Who("olga")
NUMBERS = {said[0]: number for number, said in enumerate(PLAYERS.values(), 1)}
"""Of the persons."""
AS_SENT = {"desk_file", "backup_file"}
"""The bytes as they came, and all that there is."""
OF_SENDERS = {"draft", "draft_file", "typed_report", "my_report", "my_correction"}
"""What directors see of their own files: the names as they wrote them, and nobody's number."""
VALUES: dict[str, list[Any]] = {
    "report": [1, 2, 3, 4, 5, 6], "number": [1, 2, 3, 4], "person": [1, 2, 7],
    "pool": ["club", 1], "key": ["2026-01-10"], "day": [date(2026, 3, 1), date(2026, 4, 1)],
    "revision": [1, 2], "game": [1], "name": ["elo"], "section": [0], "q": ["Bravo"],
    "kind": ["csv", "json", "bundle", "xlsx", "atom", "feed.json"],
}  # fmt: skip


def by_name(name: str, day: str) -> dict[str, Any]:
    """An event whose file has no numbers: its entries go by their names."""
    said = document(name, day, players={each[0]: each for each in PLAYERS.values()})
    for each in said["players"]:
        del each["ids"], each["birth_date"]
    return said


def named_all_over(home: Home) -> None:
    """Name Ben in every text that somebody can write, and in files with and without numbers."""
    folder = home.folder.parent

    for name, day in (("Fourth Open", "2026-03-21"), ("Fifth Open", "2026-03-22")):
        path = write(folder, f"{name}.json", by_name(name, day))
        receive.receive(home, path, Who("dora"), receive.Options(pool="club"))
    for entry, whose in NUMBERS.items():
        desk.link(4, entry, str(whose), WHO, f"{entry} said so")
    assert len(desk.waiting(5)) == len(NUMBERS)
    reports.put_aside("3", "hold", "Bravo, Ben did not play", WHO)
    again = document("Third Open", "2026-03-20", {("1", "2"): "1-0", ("2", "3"): "1-0"})
    receive.receive(home, write(folder, "again.json", again), Who("dirk"),
                    receive.Options(pool="club", version_of=3))  # fmt: skip
    second, _ = acts.add_person(NewPerson("Bravo, Benjamin"), "Bravo, Ben again", WHO)
    acts.merge(second, WHOSE, "Bravo, Ben is Bravo, Benjamin", WHO)
    for whose, kind in ((WHOSE, "opening"), (WHOSE, "rating"), (1, "rating")):
        since = date(2026, 1, 5) if kind == "rating" else None
        wanted = decisions.Deciding(whose, kind, "1700", "club", "Bravo, Ben was ill", since)
        decisions.decide(home, wanted, TINA)
    asked = corrections.ask(home, [asking.game(1, 1, "0-1")], "Bravo, Ben won", Who("dora"))
    corrections.accept(home, asked.id, WHO, "Bravo, Ben is right")
    third, _ = acts.add_person(NewPerson("Golf, Gus"), "not Bravo, Ben", WHO)
    wrong = [asking.player(1, "2", third)]
    corrections.ask(home, wrong, "Bravo, Ben is Golf, Gus", Who("dora"))
    other = corrections.ask(home, [asking.game(1, 6, "0-1")], "Bravo, Ben lost", Who("dora"))
    corrections.reject(other.id, "Bravo, Ben did not", WHO)
    made = runs.make(home, "club", date(2026, 4, 1), WHO)
    runs.approve(made.run.id, WHO, "Bravo, Ben looked at it")
    runs.publish(home, made.run.id, WHO)
    runs.make(home, "club", date(2026, 5, 1), WHO)
    jobs.enqueue("run", {"pool": "club", "until": "2026-06-01", "refresh": None}, WHO)
    send(signed_in("dora"), by_name("Sixth Open", "2026-03-29"))


@pytest.fixture
def suppressed(office: Home) -> Home:
    """An office in which Ben was named everywhere before he was suppressed."""
    named_all_over(office)
    suppress(office, WHOSE, "Bravo, Ben asked for it", TINA)
    return office


def pages() -> Iterator[tuple[str, str]]:
    """Every address of the site that leads anywhere, by the name of its route."""
    for route in urls.urlpatterns:
        name = getattr(route, "name", None)
        if name is None:
            continue
        asked = list(route.pattern.converters)
        if not asked and "?P<kind>" in str(route.pattern):
            asked = ["kind"]
        for values in product(*(VALUES.get(key, []) for key in asked)):
            try:
                address = reverse(name, kwargs=dict(zip(asked, values, strict=True)))
            except NoReverseMatch:
                continue
            yield name, address
            if name in ("search", "identity"):
                yield name, f"{address}?q=Ben"


def test_no_page_names_who_is_suppressed(suppressed):
    found, seen = {}, set()
    readers = {name: signed_in(name) for name in ("olga", "tina", "dora", "dirk", "anna")}
    for name, address in pages():
        some = [nobody()]
        if address.startswith("/desk/"):
            some = [readers["olga"], readers["tina"]]
        elif address.startswith("/my/"):
            some = [readers["dora"], readers["dirk"], readers["anna"]]
        for reader in some:
            answer = reader.get(address)
            if answer.status_code == 200 and name not in AS_SENT:
                seen.add(name)
                data = answer.getvalue() if answer.streaming else answer.content
                if name in OF_SENDERS:
                    # A correction of who an entry is, as the register has it for everybody.
                    assert TOKEN not in data.replace(b", not Player 2 (2)", b""), address
                    continue
                if NAME.encode() in data:
                    at = data.find(NAME.encode())
                    found[name] = address, data[max(0, at - 100) : at + 50]
    assert found == {}
    assert len(seen) > 50
    assert {"desk", "desk_report", "identity", "desk_correction", "my_results", "job"} <= seen


def test_no_answer_of_the_api_names_who_is_suppressed(suppressed, monkeypatch):
    monkeypatch.setattr(settings, "RATINGBOOK_RATES", {"address": 10**6, "token": 10**6})
    reader, seen = by_token("tina"), set()
    described = reader.get("/api/v1/openapi.json").json()
    for path, methods in described["paths"].items():
        if "get" not in methods:
            continue
        known = {each["name"] for each in methods["get"].get("parameters", ())}
        asked = re.findall(r"{(\w+)}", path)
        for values in product(*(map(str, VALUES[key]) for key in asked)):
            address = path.format(**dict(zip(asked, values, strict=True)))
            answer = reader.get(address, {"q": "Alpha"} if "q" in known else {})
            if answer.status_code == 200:
                seen.add(path)
                data = answer.getvalue() if answer.streaming else answer.content
                assert NAME.encode() not in data, address
    assert len(seen) > 20


def test_no_command_and_no_file_names_who_is_suppressed(suppressed, tmp_path):
    office = Officer(suppressed.folder)
    as_olga = ("--as", "olga")
    commands: list[list[Any]] = [
        ["reports"], ["desk"], ["people"], ["person", "show", 2], ["person", "show", 1],
        ["audit"], ["corrections"], ["register"], ["lists"], ["jobs"], ["outbox"],
        ["calendar"], ["anomalies", "--pool", "club"], ["show", 1], ["show", 3],
    ]  # fmt: skip
    commands += [["games", number] for number in range(1, 6)]
    commands += [["register", number] for number in (1, 2, 3)]
    commands += [["list", number] for number in (1, 2)]
    told = [office.sees(*each) for each in commands]
    out = tmp_path / "out"
    out.mkdir()
    office.does("register", "--out", out / "register")
    office.does("bundle", 2, out / "bundle", *as_olga)
    office.does("export", "--history", out / "history", "--run", 2, *as_olga)
    office.does("person", "export", 1, out / "anna.json", "--as", "tina")
    for number in (1, 2):
        for kind in ("csv", "json", "html"):
            office.sees("list", number, "-o", out / f"{number}.{kind}")
    for each in out.rglob("*.*"):
        is_table = each.suffix == ".parquet"
        # What is compressed is read.
        told.append(str(pq.read_table(each).to_pylist()) if is_table else each.read_text("latin-1"))
    told += [each.read_text("utf-8") for each in suppressed.folder.glob("*.log")]
    assert len(told) > 40
    for each in told:
        at = each.find(NAME)
        assert at < 0, each[max(0, at - 200) : at + 80]


def test_receipts_tell_senders_what_their_files_have(suppressed):
    office = Officer(suppressed.folder)
    told = [office.sees("receipt", number) for number in range(1, 6)]
    assert NAME in told[4]
    assert TOKEN.decode() not in "".join(told)


def test_no_guessed_name_tells_a_director_who_is_suppressed(suppressed):
    """Neither by a draft, nor by the report, its versions, and its corrections."""
    dora, guess = signed_in("dora"), "Bravo, Ben"
    table = f"Name;1;2\n{guess};x;1\n".encode()
    drafts = [send(dora, table, "guess.csv"), send(dora, by_name(f"{guess} Cup", "2026-03-25"))]
    said = document(
        "Guessed Open", "2026-03-26", players={**PLAYERS, "2": ("Ben Bravo", "m", "", "")}
    )
    del said["players"][1]["ids"], said["players"][1]["birth_date"]
    drafts.append(send(dora, said))
    sent = by_token("dora").post("/api/v1/reports", {"files": file_of(said), "pool": "club"})
    assert sent.status_code == 201, sent.content
    where = sent["Location"]
    pages = [
        text(dora.get(each))
        for each in (*drafts, "/my/events/", f"{where.replace('/api/v1', '/my')}/")
    ]
    answers = [sent, by_token("dora").get(where), by_token("dora").get("/api/v1/reports")]
    pages += [each.content.decode() for each in answers]
    for page in pages:
        assert TOKEN.decode() not in page
        assert f"/players/{WHOSE}" not in page
    assert "Ben Bravo" in pages[2]
    assert "Ben Bravo" in pages[4]


def test_a_new_version_of_an_own_report_has_no_rating_of_who_is_suppressed(suppressed):
    """By it the line on the list would be found."""
    dora = signed_in("dora")
    said = document("First Open", "2026-01-10", {("1", "3"): "1/2-1/2"})
    number = int(send(dora, said).strip("/").rpartition("/")[2])
    expected = directing.check(suppressed, Draft.objects.get(id=number)).expected
    assert expected is not None
    before = {each["name"]: each["before"] for each in expected.rows}
    assert before["Bravo, Ben"] is None, "as of anybody new"


def test_no_revision_of_a_list_tells_more_of_them_than_their_numbers(office):
    """What is said of a person beside the name goes from the lists of before, too."""
    there, older = "/lists/club/2026-03-01", "/lists/club/2026-03-01/r1"
    assert lines_of(f"{older}/files/csv")["2"]["federation"] == "IRL"
    suppress(office, WHOSE, "asked for it", TINA)
    run_to(office, date(2026, 3, 1))
    page = text(nobody().get(there))
    assert "No rating differs from the revision before" in page
    assert "◆" not in page
    newest = lines_of(f"{there}.csv")["2"]
    assert newest["name"] == "Player 2"
    for address in (f"{older}.csv", f"{older}/files/csv"):
        lines = lines_of(address)
        assert {**lines["2"]} == newest, address
        assert lines["3"]["federation"] == "IRL"
    page = text(nobody().get(f"{older}?name=2"))
    assert "IRL" not in page[page.index("<tbody>") : page.index("</tbody>")]
    assert not re.search(r"Player 2\b.*\bIRL\b", Officer(office.folder).sees("list", 1))


def test_of_the_flags_of_fide_only_who_does_not_play_is_told():
    row = {"id": "2", "name": "Bravo, Ben", "federation": "IRL", "sex": "F", "title": "WGM",
           "rating": 2001, "period_games": 3, "flag": "wi"}  # fmt: skip
    assert masked(row) == {
        "id": "2", "name": "Player 2", "federation": None, "sex": None, "title": None,
        "rating": 2001, "period_games": 3, "flag": "i",
    }  # fmt: skip
    assert masked({**row, "flag": "w"})["flag"] is None


def lines_of(address: str) -> dict[str, dict[str, str]]:
    """The lines of a table by the number of the person."""
    answer = nobody().get(address)
    data = answer.getvalue() if answer.streaming else answer.content
    lines = csv.DictReader(io.StringIO(data.decode("utf-8-sig")))
    return {each["id"]: each for each in lines}


def test_no_number_of_a_register_stands_for_an_entry_of_who_is_suppressed(office):
    """Where a file has such numbers in the place of start numbers."""
    said = document("Numbered Open", "2026-03-25", players={f"70{n}": each for n, each in
                    enumerate(PLAYERS.values(), 1)})  # fmt: skip
    path = write(office.folder.parent, "numbered.json", said)
    report = receive.receive(office, path, TINA, receive.Options(pool="club")).id
    olga, number = signed_in("olga"), re.compile(r"(?<![0-9a-f])702(?![0-9a-f])")
    addresses = (f"/desk/reports/{report}/", f"/desk/people/{WHOSE}/")
    for address in addresses:
        assert number.search(text(olga.get(address))), address
    suppress(office, WHOSE, "asked for it", TINA)
    for address in addresses:
        page = text(olga.get(address))
        assert not number.search(page), address
        assert TOKEN.decode() in page
    assert re.search(r"(?<![0-9a-f])703(?![0-9a-f])", text(olga.get(addresses[0])))


def test_who_waits_is_linked_by_what_the_desk_calls_it(suppressed):
    olga, office = signed_in("olga"), Officer(suppressed.folder)
    entry = m.Entry.objects.get(version__report=5, number="Bravo, Ben")
    page = text(olga.get(f"/desk/who/?report=5&entry={entry.id}"))
    assert "Who is “Player 2”?" in page
    done = olga.post("/desk/who/", form_for(page, "new") | {"person": "2"}, follow=True)
    assert re.search(r"“Player 2” of the report is [^<]*\(2\)\.", text(done))
    assert "Bravo" not in text(done)
    link = m.Link.objects.get(entry=entry, revoked_by__isnull=True)
    value = f"{link.fact} {entry.id}"
    assert value in text(olga.get("/desk/reports/5/"))
    undone = olga.post("/desk/who/undo/", {"link": value, "report": "5"}, follow=True)
    assert "Entry Player 2 is linked no longer." in text(undone)
    assert "Player 2" in {each["entry"] for each in office.does("desk", 5)["waiting"]}
    assert office.does("link", 5, "Player 2", 2, "--as", "olga")["person"] == 2


def test_somebody_else_of_that_name_keeps_it(suppressed):
    """Who is known goes by the own name, whoever else was called so."""
    other, _ = acts.add_person(NewPerson("Bravo, Ben"), "another one", WHO)
    desk.link(5, "Bravo, Ben", str(other), WHO)
    page = text(signed_in("olga").get("/desk/reports/5/"))
    assert "Bravo, Ben" in page
    assert "Bravo" not in text(signed_in("olga").get("/desk/reports/4/"))
    assert "entry Bravo, Ben is Bravo, Ben" in text(signed_in("olga").get("/desk/who/"))
    games = Officer(suppressed.folder).sees("games", 5)
    assert "Bravo, Ben" in games
    assert "Player 2" not in games
