"""A reset of the rules is told: in the sentence, in the sum, and in the averages of opponents."""

from __future__ import annotations

import re
from datetime import date

import pytest

from ratingbook.office.acts import desk, receive, setup
from ratingbook.office.store import models as m
from tests.office.reports import PLAYERS, document, write
from tests.site.offices import TINA, run_to
from tests.site.people import nobody

POOL = "go"


@pytest.fixture
def home(office):
    """Anna enters as 15 kyu, and a year later as 1 dan."""
    setup.add_pool("go", "egf-2021", TINA)
    players = dict(list(PLAYERS.items())[:4])
    for day, first in (("2024-03-10", "15k"), ("2025-03-10", "1d")):
        said = document("Go Open", day, {("1", "2"): "1-0"}, players)
        for each in said["players"]:
            each["grade"] = first if each["id"] == "1" else "1d"
        path = write(office.folder, f"{day}.json", said)
        received = receive.receive(office, path, TINA, receive.Options(pool="go", another=True))
        if received.waiting and received.id is not None:
            desk.link_new(received.id, TINA)
    run_to(office, date(2025, 4, 1), "go")
    return office


def person(name: str) -> int:
    return m.PersonName.objects.get(text=name, revoked_by__isnull=True).person_id


def explained(name: str):
    number = person(name)
    rows = m.Change.objects.filter(person=number, batch__pool__name=POOL)
    key = rows.order_by("-batch__day").values_list("batch__key", flat=True)[0]
    path = f"/players/{number}/changes/{POOL}/{key.replace('#', '%23')}"
    client = nobody()
    page = client.get(path, headers={"accept-language": "en"}).content.decode()
    return client.get(f"{path}.json").json(), " ".join(re.sub(r"<[^>]+>", "", page).split())


def test_an_explanation_names_it(home):
    why, text = explained("Alpha, Anna")
    assert why["change"] > 300
    assert re.search(
        r"Anna Alpha was set from [\d.]+ to 2100 first \(paragraph 11\)\. From 3", text
    )
    # The bonus is one of the other rules; the reset is told before.
    assert re.search(r"the change is [+−]\d\d?(\.\d+)?\.", text)
    (new,) = (each for each in why["sum"] if each["label"] == "new rating")
    assert new["text"].startswith("2100 ")
    assert round(float(new["result"])) == why["after"]


def test_all_pages_have_the_same_average(home):
    client = nobody()
    report = m.Report.objects.latest("id").id
    lines = client.get(f"/events/{report}.json").json()["section"]["lines"]
    for line in lines:
        why, _ = explained(line["name"])
        results = client.get(f"/players/{line['person']}.json?pool={POOL}").json()["results"]
        assert line["average"] == pytest.approx(why["average"], abs=0.5)
        assert results[0]["average"] == pytest.approx(why["average"], abs=0.5)
