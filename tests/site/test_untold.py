"""What no sender of reports learns: when somebody was born, and whom nothing public names."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Any

import pytest

from ratingbook.office.acts import desk, imports, people, receipts, setup
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from ratingbook.site.models import Draft
from ratingbook.site.shown import directing
from tests.office import reports
from tests.site.offices import TINA, run_to
from tests.site.people import by_token, nobody, pressed, signed_in
from tests.site.test_directors import file_of, send

BORN = {"right": "1990-01-05", "wrong": "1991-01-05", "far": "1950-01-05", "none": ""}
"""Of the first player of all reports, and what a sender may guess."""


def guess(born: str, name: str = "Alpha, Anna", **more: Any) -> dict[str, Any]:
    """A report on somebody by the name of public pages, who is said to be born some day."""
    players = {"1": (name, "w", born, ""), "2": reports.PLAYERS["2"]}
    said = reports.document("Quiet Open", "2026-03-28", {("1", "2"): "1-0"}, players, **more)
    del said["players"][0]["ids"]
    if not born:
        del said["players"][0]["birth_date"]
    return said


def without_marks(text: str) -> str:
    """A page or an answer without the numbers and marks that are another one's each time."""
    text = re.sub(r'name="(seen|mark|csrfmiddlewaretoken)" value="[^"]*"', "", text)
    text = re.sub(r"[0-9a-f]{16,64}", "#", text)
    return re.sub(r"(/(drafts|reports)/|\?(of|draft)=|[Rr]eport )\d+", "", text)


def checked(office: Any, client: Any, said: dict[str, Any]) -> tuple[tuple[Any, ...], str]:
    """What a draft is understood as, and its page."""
    address = send(client, said)
    one = Draft.objects.get(id=int(address.split("/")[-2]))
    found = directing.check(office, one)
    page = without_marks(client.get(address).content.decode())
    one.delete()
    return (found.known, found.questions, found.notes, found.problems, found.expected,
            found.pool, found.is_held), page  # fmt: skip


@pytest.mark.parametrize(
    "name", ["Alpha, Anna", "Anna Alpha", "Alfa, Ana", "Alpha, A.", "Quite, N."]
)
def test_a_draft_answers_the_same_whenever_somebody_is_said_to_be_born(office, name):
    """Else whoever sends one year after the other would find the right one."""
    people.add_person(NewPerson("Alpha, Anne", date(1991, 1, 5), 1991, {"federation": "IRL"}),
                      "", TINA)  # fmt: skip
    dirk = signed_in("dirk")
    first, *others = (checked(office, dirk, guess(born, name)) for born in BORN.values())
    for other in others:
        assert other[0] == first[0]
        assert other[1].splitlines() == first[1].splitlines()


def test_who_is_called_as_somebody_public_is_taken_for_that_one(office):
    (known, questions, *_), _page = checked(office, signed_in("dirk"), guess(""))
    assert (known, questions) == (2, ())


def test_a_draft_says_nothing_of_sexes_either(office):
    said = guess("")
    other = json.loads(json.dumps(said))
    other["players"][0]["sex"] = "m"
    dirk = signed_in("dirk")
    assert checked(office, dirk, said) == checked(office, dirk, other)


@pytest.mark.parametrize("name", ["Alpha, Anna", "Alfa, Ana", "Alpha, A."])
def test_what_became_of_a_report_is_told_the_same_whenever_somebody_is_said_to_be_born(
    office, name
):
    dirk, api = signed_in("dirk"), by_token("dirk")
    answers, linked = [], []
    for at, born in enumerate(BORN.values()):
        said = guess(born, name)
        said["players"][0]["standing"] = {"rating": 1510, "games": 9}
        sent = api.post(
            "/api/v1/reports", {"files": file_of(said), "pool": "club", "another": "true"}
        )
        assert sent.status_code == 201, sent.content
        number = sent.json()["id"]
        linked.append(m.Link.objects.filter(entry__version__report=number).count())
        told = [
            sent.content.decode(), api.get(f"/api/v1/reports/{number}").content.decode(),
            dirk.get(f"/my/reports/{number}/").content.decode(),
            " ".join(receipts.receipt(number).words()),
            json.dumps([x for x in api.get("/api/v1/reports").json()["items"]
                        if x["report"] == number]),
            dirk.get("/my/events/").content.decode().partition(f"/my/reports/{number}/")[2].partition("</tr>")[0],
        ]  # fmt: skip
        again = {**said, "event": {**said["event"], "round": 1}, "x": at}
        draft = send(dirk, again, "again.json", of=str(number))
        told.append(dirk.get(draft).content.decode())
        answers.append([
            re.sub(r"\b(report|Report|id)\W{1,4}\d+\b|\d+-1-\d+|\d\d:\d\d(:[\d.]+)?|Z?\.\d+", "",
                   without_marks(each)) for each in told
        ])  # fmt: skip
        Draft.objects.all().delete()
    assert (linked[0] > linked[1]) == (name != "Alpha, A."), "the office itself tells them apart"
    for other in answers[1:]:
        for one, same in zip(answers[0], other, strict=True):
            assert one == same


def hidden(office: Any) -> int:
    """Somebody whom the desk has made of Dora's report that is not published: her number."""
    desk.link_new(2, TINA)
    return m.PersonName.objects.get(text="Golf, Gerda").person_id


def test_a_draft_names_nobody_whom_no_page_names(office):
    players = {
        "1": ("Golf, G.", "w", "1991-04-04", ""), "2": reports.PLAYERS["2"],
        "3": ("Golf, Gerda", "w", "1991-04-04", "707"), "4": ("Secret, Sam", "m", "", "909"),
    }  # fmt: skip
    said = reports.document("Quiet Open", "2026-03-28", {}, players)
    del said["players"][0]["ids"], said["players"][3]["birth_date"]
    dirk, dora = signed_in("dirk"), signed_in("dora")
    before = checked(office, dirk, said)
    number = hidden(office)
    people.add_person(
        NewPerson("Secret, Sam", None, None, {"club": "Hidden Club"}, {"national": "909"}), "", TINA
    )
    assert nobody().get(f"/players/{number}").status_code == 404
    assert checked(office, dirk, said) == before
    own, page = checked(office, dora, said)
    assert f"Golf, Gerda · {number}<" in page, "who reported somebody knows of that one"
    assert "Hidden Club" not in page
    assert own[0] == 2
    desk.link(2, "1", "1", TINA)
    run_to(office, date(2026, 5, 1))
    assert f"Golf, Gerda · {number} · IRL" in checked(office, dirk, said)[1]


def test_numbers_of_hidden_persons_are_those_of_nobody(office):
    number = hidden(office)
    setup.add_pool("rapid", "fide-2024", TINA)
    pages = []
    for said in (str(number), "999", "<x>"):
        dirk = signed_in("dirk")
        draft = send(dirk, guess("", "Quite, N."), "x.json")
        pressed(dirk, draft, f"{draft}people/", **{"who:1": said})
        pages.append(without_marks(dirk.get(draft).content.decode()))
        Draft.objects.all().delete()
    assert pages == pages[:1] * 3


def test_a_pool_is_asked_for_whenever_somebody_is_said_to_be_born(office):
    """Whether one is asked for hangs on who is known."""
    setup.add_pool("federation", "fide-2024", TINA)
    setup.add_pool("us", "uscf-2025", TINA)
    opening = office.folder.parent / "federation.csv"
    opening.write_text(
        'id,name,rating,birth_date,federation\n711,"Kilo, Kim",1850,1990-01-05,IRL\n'
    )
    imports.import_file(office, opening, "national", TINA, "federation")
    dirk, found = signed_in("dirk"), []
    for born in BORN.values():
        said = guess(born, "Kilo, Kim", time_control="90 min + 30 s")
        said["event"]["name"] = "Autumn Blitz"
        said["players"][1]["name"], said["players"][1]["ids"] = "Quite, Nobody", {"national": "999"}
        address = send(dirk, said, pool="")
        found.append(without_marks(dirk.get(address).content.decode()))
        Draft.objects.all().delete()
    assert found == found[:1] * len(found)
