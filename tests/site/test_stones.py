"""Ratings of explanations are without the stones, as their average is, and the page says so."""

from __future__ import annotations

import re
from datetime import date

import pytest

from ratingbook.model.decimals import mean
from ratingbook.office.acts import desk, receive, setup
from ratingbook.office.store import models as m
from tests.office.reports import PLAYERS, document, write
from tests.site.offices import TINA, run_to
from tests.site.people import nobody


@pytest.fixture
def home(office):
    """Anna gives stones to Ben, gets some of Chris, and plays Dora even."""
    setup.add_pool("go", "egf-2021", TINA)
    said = document("Go Open", "2024-03-10", None, dict(list(PLAYERS.items())[:4]))
    grades = {"1": "3k", "2": "6k", "3": "1k", "4": "3k"}
    for each in said["players"]:
        each["grade"] = grades[each["id"]]
    given, taken = said["games"][:2]
    given["handicap"], taken["handicap"] = 3, 2
    taken["white"], taken["black"] = taken["black"], taken["white"]
    receive.receive(office, write(office.folder, "go.json", said), TINA, receive.Options(pool="go"))
    desk.link_new(m.Report.objects.latest("id").id, TINA)
    run_to(office, date(2024, 4, 1), "go")
    return office


def test_ratings_are_without_the_stones(home):
    names = m.PersonName.objects.filter(text="Alpha, Anna", revoked_by__isnull=True)
    person = names.latest("id").person_id
    key = m.Change.objects.filter(person=person, batch__pool__name="go").values_list(
        "batch__key", flat=True
    )[0]
    path = f"/players/{person}/changes/go/{key.replace('#', '%23')}"
    why = nobody().get(f"{path}.json").json()
    ratings = [each["rating"] for each in why["games"]]
    assert ratings == [1500, 2000, 1800]
    assert why["average"] == pytest.approx(mean(ratings))
    page = nobody().get(path, headers={"accept-language": "en"}).content.decode()
    text = " ".join(re.sub(r"<[^>]+>", "", page).split())
    assert "without handicap stones" in text
    assert "1750" not in text.partition("Paragraph")[0]
