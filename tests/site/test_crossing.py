"""Marks that ratings cross: the pages of the desk say of them what the command says."""

from __future__ import annotations

import re

import pytest

from ratingbook.office.acts import asking, corrections
from ratingbook.office.acts.preview import Bench
from ratingbook.office.logic import comparing
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.site.shown.crossing import crossed
from tests.site.pages import as_read
from tests.site.people import signed_in


@pytest.fixture
def asked(office):
    """That Anna lost a published game which she won: she had 1510, and mark 1500 is between."""
    content = asking.game(1, 1, "0-1")
    corrections.ask(office, [content], "typed the wrong way", Who("dora"))
    return office, content


def test_marks_crossed_by_published_ratings_are_told_with_the_persons(asked):
    home, content = asked
    page = as_read(signed_in("olga").get("/desk/corrections/1/?preview=yes").content.decode())
    report = Bench(home).preview([content]).reaches[0].report
    assert report["crossed_then"], "Anna stood on a list with more than 1500"
    said = re.search(
        r"<dt>Marks crossed</dt><dd>(\d+)</dd><dd>and (\d+) by ratings of the past", page
    )
    assert said
    assert (int(said[1]), int(said[2])) == (len(report["crossed"]), len(report["crossed_then"]))
    table = page[page.index("Titles, floors and limits") :].partition("</table>")[0]
    wide = re.sub(r'<span class="sub">.*?</span>', " ", table)
    rows = [re.sub(r"<[^>]+>", " ", each) for each in wide.split("<tr>")[2:]]
    assert len({*rows}) == len(rows), "which rating it is stands on a wide screen, too"
    assert len(rows) == len(report["crossed"]) + len(report["crossed_then"])
    for each in report["crossed_then"]:
        name = m.PersonName.objects.filter(person=each["person"]).values_list("text", flat=True)[0]
        numbers = f"{each['mark']:.0f} {each['was']:.0f} {each['now']:.0f}"
        assert any(name in row and numbers in " ".join(row.split()) for row in rows), each


def test_what_one_entered_or_left_an_event_with_is_told_once(asked):
    """A book that rates game by game has ratings within the event, which nobody publishes."""
    home, content = asked
    report = Bench(home).preview([content]).reaches[0].report
    told = [(x["person"], x["batch"], x["mark"], x["rating"]) for x in report["crossed_then"]]
    assert len(told) == len(set(told))


def test_a_page_counts_the_crossings_that_it_does_not_name(asked, monkeypatch):
    from ratingbook.office.acts import preview

    home, content = asked
    every = Bench(home).preview([content]).reaches[0].report["crossed_then"]
    monkeypatch.setattr(preview, "MOST_CROSSED", 1)
    report = Bench(home).preview([content]).reaches[0].report
    assert report["crossed_then"] == every[:1]
    assert report["crossed_then_count"] == len(every) > 1
    shown = crossed("club", report, 0)
    assert (shown.then, shown.more) == (len(every), len(every) - 1)


def test_more_than_a_report_names_are_counted():
    """A reform takes everybody over a mark."""
    import pyarrow as pa

    people = [str(number) for number in range(250)]
    now, then = (
        pa.table({"player": people, "rating": [value] * 250, "status": ["rated"] * 250})
        for value in (1510.0, 1490.0)
    )
    none = pa.table({"key": pa.array([], pa.string())})
    found = comparing.Differing(none, none, 0)
    report = comparing.report_of(now, then, found, 0, [1500.0], merged={})
    assert comparing.crossings_in(report) == 250
    assert len(report["crossed"]) == comparing.MOST_CROSSED
    shown = crossed("club", report, 0)
    assert (shown.now, shown.more) == (250, 150)
    assert comparing.crossings_in({"crossed": [{}, {}]}) == 2, (
        "of a run of before they were counted"
    )
