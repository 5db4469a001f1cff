"""An event that comes to another day is rated, listed and told on that day, whoever looks."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from typing import NamedTuple

import pytest

from ratingbook.office.acts import (
    asking,
    corrections,
    doctor,
    imports,
    lists,
    receive,
    reports,
    revisions,
    runs,
    setup,
)
from ratingbook.office.acts.preview import Bench
from ratingbook.office.acts.published import history_of, versions_of
from ratingbook.office.store import models as m
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write

EARLY, MIDDLE, LATE = date(2026, 1, 14), date(2026, 2, 7), date(2026, 2, 28)
LISTS = [date(2026, 2, 1), date(2026, 3, 1), date(2026, 4, 1)]
"""One before the middle event, one after the last, and one of later still."""
RESULTS = {"1": "1-0", "2": "0-1", "3": "0-1"}
EVENTS = {"1": ("Early", EARLY), "2": ("Middle", MIDDLE), "3": ("Late", LATE)}


def told(number, day):
    """The report of an event, in which Anna has won or lost against Ben."""
    name, _ = EVENTS[number]
    return document(name, day.isoformat(), {("1", "2"): RESULTS[number], ("3", "6"): "1-0"})


@prepared
def office(home, tina, tmp_path):
    """Three events of a pool that is rated event by event, each on a list of its own."""
    policies = {"revise": "affected"}
    setup.add_pool("standard", "uscf-2025", tina, policies=policies)
    path = tmp_path / "opening.csv"
    rows = [f'{number},"{name}",{1900 - at * 70},100'
            for at, (name, _, _, number) in enumerate(PLAYERS.values())]  # fmt: skip
    path.write_text("\n".join(["id,name,rating,games", *rows]))
    imports.import_file(home, path, "national", tina, "standard")
    for number, (_, day) in EVENTS.items():
        path = write(tmp_path, f"{number}.json", told(number, day))
        receive.receive(home, path, tina, receive.Options(another=True))
    for day in LISTS:
        publish(home, tina, day)
    return home


def publish(home, tina, until=LISTS[-1]):
    made = runs.make(home, "standard", until, tina)
    runs.approve(made.run.id, tina)
    return runs.publish(home, made.run.id, tina)


class Moved(NamedTuple):
    """An event that comes to another day, and the lists on which that shows."""

    report: str
    to: date
    lists: list[date]


CASES = {
    "within the order, over the day of a list": Moved("2", date(2026, 1, 28), LISTS[:1]),
    "before what it followed": Moved("3", date(2026, 1, 20), LISTS[:1]),
    "later, over the day of a list": Moved("1", date(2026, 2, 4), LISTS[:1]),
    "to the end, over the days of two": Moved("1", date(2026, 3, 12), LISTS[:2]),
}


@pytest.fixture(params=CASES.values(), ids=list(CASES))
def moved(request):
    return request.param


def by_correction(home, moved, tina, tmp_path):
    asked = corrections.ask(home, [asking.moved(moved.report, moved.to)], "so it was", tina)
    corrections.accept(home, asked.id, tina)


def by_version(home, moved, tina, tmp_path):
    path = write(tmp_path, "again.json", told(moved.report, moved.to))
    options = receive.Options(version_of=int(moved.report))
    receive.receive(home, path, tina, options)
    reports.put_aside(moved.report, "release", "the sheet says so", tina)


def order_of(moved):
    days = {number: day for number, (_, day) in EVENTS.items()} | {moved.report: moved.to}
    return sorted((day, EVENTS[number][0]) for number, day in days.items())


def told_of(rows):
    """Days and events of a history."""
    names = [name for name, _ in EVENTS.values()]
    return [
        (as_day(row["day"]), next(name for name in names if name.lower() in row["key"].lower()))
        for row in rows
    ]


def as_day(said):
    return said if isinstance(said, date) else date.fromisoformat(said)


@pytest.mark.parametrize("way", [by_correction, by_version])
def test_lists_between_the_two_days_are_revised(office, moved, tina, tmp_path, way):
    way(office, moved, tina, tmp_path)
    published = publish(office, tina)
    revised = [each.date for each in published.lists if each.revision > 1]
    assert set(moved.lists) <= set(revised)
    for day in LISTS:
        _, _, draft = lists.planned(office, "standard", day, date(2026, 4, 2))
        newest = lists.newest_of(1, day)
        assert newest is not None
        assert newest.digest == draft.digest, day
    assert not doctor.examine(office)


def test_the_preview_tells_the_lists_that_get_a_revision(office, moved, tina, tmp_path):
    content = asking.moved(moved.report, moved.to)
    said = Bench(office).preview([content]).as_dict()
    assert said["players"] > 0
    was = {day: ratings_on(day) for day in LISTS}
    by_correction(office, moved, tina, tmp_path)
    run = publish(office, tina)
    differ = [day for day in LISTS if ratings_on(day) != was[day]]
    assert said["lists"] == [f"standard@{day}" for day in differ]
    assert {each.date for each in run.lists if each.revision > 1} >= set(differ)


def ratings_on(day):
    newest = lists.newest_of(1, day)
    assert newest is not None
    return {row.person: row.rating for row in newest.listrow_set.all()}


@pytest.mark.parametrize("way", [by_correction, by_version])
def test_a_history_is_in_the_order_of_its_run(office, moved, tina, tmp_path, way):
    pool = setup.pool_named("standard")
    was = history_of(pool, 1)
    way(office, moved, tina, tmp_path)
    publish(office, tina)
    pool.refresh_from_db()
    now = history_of(pool, 1)
    assert told_of(now) == order_of(moved)
    for one, other in pairwise(now):
        assert one["after"] == other["before"]
    # A player's page has them in the same order, each version on the day of its own time.
    held = versions_of(1)
    assert list(dict.fromkeys(each["key"] for each in held)) == [each["key"] for each in now]
    # What was published before is known as it was then.
    assert history_of(pool, 1, pool.head - 1) == was


def test_an_event_comes_back_to_its_day(office, moved, tina, tmp_path):
    pool = setup.pool_named("standard")
    was = history_of(pool, 1)
    by_correction(office, moved, tina, tmp_path)
    publish(office, tina)
    back = corrections.ask(office, corrections.taking_back(1), "it was not", tina)
    corrections.accept(office, back.id, tina)
    publish(office, tina)
    pool.refresh_from_db()
    same = [{k: v for k, v in row.items() if k != "run_id"} for row in was]
    assert [{k: v for k, v in row.items() if k != "run_id"} for row in history_of(pool, 1)] == same
    assert not doctor.examine(office)


def test_so_it_does_where_a_player_goes_from_it_in_the_same_run(office, moved, tina, tmp_path):
    """Rows that are gone are of the day of before, those that stay of the other one."""
    pool = setup.pool_named("standard")
    by_correction(office, moved, tina, tmp_path)
    without(office, moved.report, tina)
    publish(office, tina)
    pool.refresh_from_db()
    assert told_of(history_of(pool, 1)) == order_of(moved)
    run = m.Publication.objects.get(pool=pool, seq=pool.head).run
    gone = m.Change.objects.filter(run=run, gone=True).annotate(on=m.RATED_ON)
    assert set(gone.values_list("on", flat=True)) == {EVENTS[moved.report][1]}
    assert not doctor.examine(office)
    back = corrections.ask(office, corrections.taking_back(1), "it was not", tina)
    corrections.accept(office, back.id, tina)
    without(office, "2" if moved.report != "2" else "3", tina)
    publish(office, tina)
    pool.refresh_from_db()
    assert told_of(history_of(pool, 1)) == sorted((day, name) for name, day in EVENTS.values())
    assert not doctor.examine(office)


def without(home, report, tina):
    """All games of one player of an event are taken out."""
    contents = [asking.game(int(report), number, "none") for number in (5, 9, 12, 14, 15)]
    asked = corrections.ask(home, contents, "they were none", tina)
    corrections.accept(home, asked.id, tina)


def test_a_run_changes_numbers_from_the_earlier_of_both_days(office, moved, tina, tmp_path):
    by_correction(office, moved, tina, tmp_path)
    made = runs.make(office, "standard", LISTS[-1], tina)
    first = revisions.first_changed(made.run)
    assert first is not None
    assert first <= min(moved.to, EVENTS[moved.report][1])
