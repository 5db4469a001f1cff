"""Days that no event of a pool can have are looked at by an officer before anything is rated."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from ratingbook.office.acts import (
    asking,
    corrections,
    decisions,
    doctor,
    exchange,
    lists,
    receive,
    reports,
    runs,
    setup,
)
from ratingbook.office.acts.published import first_days, with_first_days
from ratingbook.office.acts.sendings import LIST, RECEIVED, step
from ratingbook.office.engine.lists import list_that_takes, next_list
from ratingbook.office.engine.rules import Rules
from ratingbook.office.intake import Said
from ratingbook.office.logic.days import AHEAD, Days, can_begin, last_to_come
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import acting
from tests.office.reports import document, write
from tests.office.test_corrections import office, publish_one
from tests.office.test_day_one import refused

__all__ = ["office"]
TO_COME, LONG_AGO = "office.day-to-come", "office.day-long-ago"
IMPOSSIBLE = "office.impossible-day"


def take(home, who, folder, day: date, name="Odd Open"):
    path = write(folder, f"{day}.json", document(name, day.isoformat()))
    one = receive.receive(home, path, who, receive.Options("standard", another=True))
    return one, [each.code for each in one.findings if each.code in (TO_COME, LONG_AGO)]


def test_an_event_of_an_odd_day_waits_for_an_officer(office, tina, tmp_path):
    publish_one(office, tina, date(2026, 5, 1))
    today = tina.now().date()
    first = first_days(with_first_days(m.Pool.objects.all()))[1]
    for day, state, codes in (
        (date(2099, 1, 1), "held", [TO_COME]),
        (today + timedelta(days=AHEAD), "ready", []),
        (today + timedelta(days=AHEAD + 1), "held", [TO_COME]),
        (date(1850, 1, 1), "held", [LONG_AGO]),
        (first.replace(year=first.year - 2) - timedelta(days=1), "held", [LONG_AGO]),
        (first.replace(year=first.year - 2), "ready", []),
    ):
        one, told = take(office, tina, tmp_path, day)
        assert (one.state, told) == (state, codes), day
    number = m.ReportVersion.objects.get(file_name="1850-01-01.json").report_id
    (line,) = (each for each in reports.reports() if each.id == number)
    assert line.reason == ("it ended years before all that the office has of the pool")


def test_what_is_right_all_the_same_is_let_in_and_the_run_says_how_far_it_reaches(
    office, tina, tmp_path
):
    publish_one(office, tina, date(2026, 5, 1))
    one, _ = take(office, tina, tmp_path, date(1921, 5, 5))
    made = runs.make(office, "standard", date(2026, 5, 1), tina)
    assert not [each for each in made.findings if each.code == "office.reaches-back"]
    runs.discard(made.run.id, tina)
    reports.put_aside(str(one.id), "release", "found in the archive", tina)
    made = runs.make(office, "standard", date(2026, 5, 1), tina)
    (told,) = (each for each in made.findings if each.code == "office.reaches-back")
    assert "back to 1921-07-01:" in told.message
    runs.approve(made.run.id, tina)
    runs.publish(office, made.run.id, tina)
    later, told = take(office, tina, tmp_path, date(1922, 1, 1), "Next")
    assert (later.state, told) == ("ready", []), "what is published is no longer odd"


def test_a_new_version_that_is_held_anyhow_tells_of_its_day_too(office, tina, tmp_path):
    path = write(tmp_path, "late.json", document("Invented Open", "2126-01-10"))
    one = receive.receive(office, path, tina, receive.Options("standard", version_of=1))
    assert one.state == "held"
    assert {"office.is-published", TO_COME} <= {each.code for each in one.findings}


def test_nothing_is_decided_from_a_day_on_that_cannot_be(office, tina):
    said = decisions.Deciding(1, "title", "GM", "standard", "of old")
    for day in (date(1700, 1, 1), date(2200, 1, 1)):
        assert refused(decisions.decide, office, replace(said, since=day), tina) == ["office.since"]
    decisions.decide(office, replace(said, since=date(1972, 1, 1)), tina)


def test_no_run_goes_and_no_list_is_made_so_far_ahead_that_no_other_could_follow(office, tina):
    last = last_to_come(tina.now().date())
    for day in (date(2999, 1, 1), last + timedelta(days=1)):
        assert refused(runs.make, office, "standard", day, tina) == ["office.far-ahead"]
        assert refused(lists.make_list, office, "standard", day, tina) == ["office.far-ahead"]
    assert lists.make_list(office, "standard", last, tina)[0].date == last.replace(day=1)
    publish_one(office, tina, last)
    assert runs.make(office, "standard", None, tina).run.until == last


def test_what_was_published_far_ahead_before_can_be_gone_on_from(office, tina):
    publish_one(office, tina, last_to_come(tina.now().date()))
    before = replace(tina, at=tina.now() - timedelta(days=100))
    assert runs.make(office, "standard", None, before).run.until == date(2027, 4, 2)


def test_days_have_their_bounds():
    today = date(2028, 2, 29)
    days = Days(today, {1: today})
    odd = days.odd(
        [(None, 1), (date(2026, 3, 1), 1), (date(2026, 2, 28), 1), (date(1849, 1, 1), 2)]
    )
    assert {at: each.code for at, each in odd.items()} == {2: LONG_AGO, 3: LONG_AGO}
    assert can_begin(date(2029, 3, 1), today)
    assert not can_begin(date(2029, 3, 2), today)


def test_the_next_list_may_have_closed_already():
    """What ends in the last days before a list goes on the one after it; that comes first."""
    fide = Rules("fide-2024")
    today, december = date(2026, 11, 29), date(2026, 12, 1)
    assert list_that_takes(fide, today) == date(2027, 1, 1)
    assert next_list(fide, today, None) == next_list(fide, today, date(2026, 11, 1)) == december
    assert next_list(fide, today, december) == date(2027, 1, 1)
    assert next_list(fide, december, date(2026, 11, 1)) == december
    assert next_list(Rules("egf-2021"), today, None) is None


UNDATED = "white,black,result,round\nX Alpha,Y Bravo,1-0,1\n"


def undated(folder, name="undated.csv"):
    path = folder / name
    path.write_text(UNDATED)
    return path


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (date(1, 1, 1), date(9999, 12, 31)),
        (date(2026, 5, 1), date(2201, 5, 2)),
        (date(1799, 12, 31), date(2026, 5, 2)),
        (None, date(2200, 1, 1)),
    ],
)
def test_a_day_that_no_document_can_have_is_refused_by_whatever_way_it_is_said(
    office, tina, tmp_path, start, end
):
    said = receive.Options("standard", said=Said(start, end))
    assert refused(receive.receive, office, undated(tmp_path), tina, said) == [IMPOSSIBLE]
    assert not m.ReportVersion.objects.filter(file_name="undated.csv").exists()
    assert not [each for each in doctor.examine(office) if each.severity.refuses]


def test_the_last_day_that_can_be_said_stays_readable_for_the_doctor(office, tina, tmp_path):
    said = receive.Options("standard", said=Said(date(1800, 1, 1), date(2199, 12, 31)))
    assert receive.receive(office, undated(tmp_path), tina, said).state == "held"
    assert not [each for each in doctor.examine(office) if each.severity.refuses]


def test_no_correction_moves_an_event_to_where_nothing_can_be(office, tina, tmp_path):
    said = document("Long League", "2020-01-01")
    said["event"]["start"] = "1801-01-01"
    path = write(tmp_path, "long.json", said)
    one = receive.receive(office, path, tina, receive.Options("standard", another=True))
    assert one.state == "held"
    number = str(one.id)
    reports.put_aside(number, "release", "found in the archive", tina)
    assert refused(asking.moved, number, date(1990, 1, 1)) == [IMPOSSIBLE]
    for day in (date(2019, 9, 1), date(2019, 9, 2)):
        content = asking.moved(number, day)
    # Older requests say by how many days more: one of these may be, both together not.
    older = {key: said for key, said in content.items() if key != "day"} | {"days": -200}
    both = corrections.ask(office, [older, older], "the archive", tina)
    assert refused(corrections.accept, office, both.id, tina) == [IMPOSSIBLE]
    asked = corrections.ask(office, [older], "the archive", tina)
    assert corrections.accept(office, asked.id, tina).holds


@pytest.mark.parametrize("day", [date(1, 1, 1), date(1849, 12, 31), date(9999, 12, 31)])
def test_no_list_of_others_comes_in_under_a_day_that_it_cannot_have(office, tina, tmp_path, day):
    path = tmp_path / "list.csv"
    path.write_text("id,name,rating\n701,Anna,2000\n")
    assert refused(exchange.arrive, office, path, "fide", day, tina)
    assert not m.Sending.objects.exists()


def test_what_came_under_such_a_day_before_stops_no_page(office, tina, tmp_path):
    setup.set_policies("standard", {"receives": "fide:35"}, "", tina)
    with acting(tina) as act:
        step(act, "in", "fide", LIST, "list:9999-12-31", RECEIVED)
    assert exchange.inbox(date(2026, 5, 1))[1] is not None
