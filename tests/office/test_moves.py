"""An event that was moved is on the day that was asked for last, whatever was asked for before."""

from __future__ import annotations

from datetime import date

from ratingbook.office.acts import amendments, asking, corrections, doctor, receive
from ratingbook.office.acts.amendments import bring_into
from ratingbook.office.acts.preview import Bench
from ratingbook.office.logic.corrections import sentences
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import acting
from tests.office.prepared import prepared
from tests.office.reports import document, write
from tests.office.test_corrections import publish_one as publish
from tests.office.test_runs import opened

REPORTED = date(2026, 1, 10)
FIRST, SECOND, THIRD = date(2026, 2, 10), date(2026, 2, 12), date(2026, 2, 14)


@prepared
def office(home, tina, tmp_path):
    """One published event."""
    opened(home, tina, tmp_path, "fide-2009")
    path = write(tmp_path, "open.json", document("Open", REPORTED.isoformat()))
    receive.receive(home, path, tina, receive.Options(pool="standard"))
    publish(home, tina)
    return home


def ask(home, contents, tina):
    return corrections.ask(home, contents, "the sheet", tina).id


def hold(home, contents, tina):
    number = ask(home, contents, tina)
    corrections.accept(home, number, tina)
    return number


def take_back(home, number, tina):
    return hold(home, corrections.taking_back(number), tina)


def day_now(report=1):
    sections = m.Section.objects.filter(version__report=report).values_list("id", flat=True)
    return amendments.last_day_known(list(sections), ledger.head().seq)


def two_open(home, tina):
    """Both were asked for of an event as it was reported."""
    return [ask(home, [asking.moved("1", day)], tina) for day in (FIRST, SECOND)]


def test_of_two_open_moves_that_hold_the_last_one_says_the_day(office, tina):
    one, other = two_open(office, tina)
    corrections.accept(office, one, tina, despite=[other])
    assert day_now() == FIRST
    corrections.accept(office, other, tina, despite=[one])
    assert day_now() == SECOND
    publish(office, tina)
    said = corrections.named(other).contents
    assert sentences(said) == ["Open: ended on 2026-02-12, not on 2026-01-10"]
    assert not doctor.examine(office)


def test_a_move_that_is_taken_back_leaves_the_others_where_they_are(office, tina):
    one, other = two_open(office, tina)
    corrections.accept(office, one, tina, despite=[other])
    corrections.accept(office, other, tina, despite=[one])
    back = take_back(office, one, tina)
    assert day_now() == SECOND
    again = corrections.taking_back(back)
    assert sentences(again) == ["Open: ended on 2026-02-10, not on 2026-02-12"]
    take_back(office, other, tina)
    assert day_now() == REPORTED
    hold(office, again, tina)
    assert day_now() == FIRST


def test_a_move_of_an_event_of_several_sections_is_said_again_of_the_event(office, tina, tmp_path):
    said = document("Two Groups", "2026-01-20", start="2026-01-15")
    ends = {"A": "2026-01-18", "B": "2026-01-20"}
    for at, each in enumerate(said["games"]):
        section = "AB"[at % 2]
        each.update(section=section, start=ends[section], end=ends[section])
    receive.receive(office, write(tmp_path, "two.json", said), tina)
    number = hold(office, [asking.moved("2", SECOND)], tina)
    assert day_now(2) == SECOND
    back = take_back(office, number, tina)
    assert day_now(2) == date(2026, 1, 20)
    (again,) = corrections.taking_back(back)
    assert (again["day"], len(again["sections"])) == (SECOND.isoformat(), 2)
    hold(office, [again], tina)
    assert day_now(2) == SECOND
    assert set(amendments.days_moved(ledger.head().seq).values()) == {23}


def test_a_move_is_another_one_for_the_day_it_names(office, tina):
    """As many days from where the event was then are no reason to join a request."""
    for day in (FIRST, SECOND):
        hold(office, [asking.moved("1", day)], tina)
    asked = corrections.ask(office, [asking.moved("1", THIRD)], "the sheet", tina)
    assert asked.joined is None
    same = corrections.ask(office, [asking.moved("1", THIRD)], "says Udo", tina)
    assert same.joined == asked.id


def test_a_move_that_holds_changes_nothing(office, tina):
    number = hold(office, [asking.moved("1", FIRST)], tina)
    said = corrections.named(number).contents
    assert not Bench(office).preview(said).reaches
    publish(office, tina)
    assert not Bench(office).preview(said).reaches


def older(sections, day, before):
    """A request as it was kept when moves were said by days."""
    return {
        "kind": "move", "sections": sections, "days": (day - before).days, "day": day.isoformat(),
        "before": before.isoformat(), "where": "Open", "pools": [1],
    }  # fmt: skip


def test_an_older_request_means_the_day_that_it_names(office, tina):
    sections = list(m.Section.objects.values_list("id", flat=True))
    one, other = (ask(office, [older(sections, day, REPORTED)], tina) for day in (FIRST, SECOND))
    corrections.accept(office, one, tina, despite=[other])
    corrections.accept(office, other, tina, despite=[one])
    assert day_now() == SECOND
    assert not doctor.examine(office)


def test_what_older_facts_said_stays_as_it_was(office, tina):
    """They say by how many days more: two of them add up, and a later move is on its day."""
    sections = list(m.Section.objects.values_list("id", flat=True))
    with acting(tina) as act:
        for days in (31, 2):
            bring_into(act, sections, {"days": days}, "the sheet")
    assert day_now() == SECOND
    number = hold(office, [asking.moved("1", THIRD)], tina)
    assert day_now() == THIRD
    assert take_back(office, number, tina)
    assert day_now() == SECOND
    first = m.Fact.objects.filter(kind="section fixed").earliest("seq").seq
    back = hold(office, [asking.undo(first)], tina)
    assert day_now() == date(2026, 1, 12)
    assert sentences(corrections.taking_back(back)) == ["Open: 31 days later"]
    take_back(office, back, tina)
    assert day_now() == SECOND
    assert not doctor.examine(office)


def test_the_first_day_moves_along_and_is_told(office, tina, tmp_path):
    """By it rules choose the list whose ratings hold, so that no reader may miss it."""
    said = document("Three Days", "2026-02-08", start="2026-02-06")
    receive.receive(office, write(tmp_path, "three.json", said), tina)
    content = asking.moved("2", date(2026, 3, 3))
    told = "ended on 2026-03-03, not on 2026-02-08; began on 2026-03-01, not on 2026-02-06"
    assert sentences([content]) == [f"Three Days: {told}"]
    number = hold(office, [content], tina)
    later = asking.moved("2", date(2026, 3, 5))
    assert (later["began"], later["first"]) == ("2026-03-01", "2026-03-03")
    back = take_back(office, number, tina)
    assert sentences(corrections.taking_back(back)) == [f"Three Days: {told}"]
