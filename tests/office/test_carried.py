"""Numbers that lists carry: of who has no game in a period, they name what made them others.

Under rules that rate by lists; several corrections come with one run, and an event that was moved
before is moved back.
"""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date

import pytest
from django.db import connections

from ratingbook.office.acts import asking, effects, notices, receive, register, setup
from ratingbook.office.acts.preview import Bench
from ratingbook.office.store import models as m
from tests.office.officers import add_colleagues
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write
from tests.office.test_corrections import publish
from tests.office.test_effects import hold, rating, revising
from tests.office.test_runs import opened
from tools import correction_causes
from tools import corrections as trials

FEBRUARY, MARCH, APRIL, MAY = (date(2026, month, 1) for month in (2, 3, 4, 5))
LISTS = (FEBRUARY, MARCH, APRIL, MAY)
ECHO = 5
"""Plays in January and in the cup alone, as Foxtrot does."""
CUP = "2"


def receive_one(home, tina, tmp_path, name, day, who, won):
    said = document(name, day, won, {each: PLAYERS[each] for each in who})
    path = write(tmp_path, f"{name}.json", said)
    receive.receive_all(home, [path], tina, receive.Options(another=True))


@prepared
def office(home, tina, tmp_path):
    """A list a month; the cup of February was moved to the list of April and that published."""
    revising(home, tina, tmp_path, "fide-2024")
    events = [("January Open", "2026-01-10", "123456", {("1", "5"): "0-1", ("2", "6"): "0-1"}),
              ("February Cup", "2026-02-12", "3456", {("3", "5"): "0-1", ("4", "6"): "0-1"}),
              ("March Masters", "2026-03-10", "12", {("1", "2"): "0-1"}),
              ("April League", "2026-04-10", "123", {("1", "2"): "1-0"})]  # fmt: skip
    for (name, day, who, won), until in zip(events, LISTS, strict=True):
        receive_one(home, tina, tmp_path, name, day, who, won)
        publish(home, tina, until)
    return home


@prepared
def moved(office, tina):
    """The cup counts for the list of April; which correction says so."""
    number = hold(office, asking.moved(CUP, date(2026, 3, 15)), tina)
    publish(office, tina, MAY)
    return number


@prepared
def several(office, moved, tina, tmp_path):
    """A late event was published, and one run moves the cup back and takes the other one out."""
    won = {("3", "5"): "0-1", ("4", "5"): "0-1", ("3", "6"): "1-0"}
    receive_one(office, tina, tmp_path, "Late Open", "2026-01-20", "3456", won)
    publish(office, tina, MAY)
    back = hold(office, asking.moved(CUP, date(2026, 2, 12)), tina)
    out = hold(office, asking.event("5", "withdraw"), tina)
    flag = hold(office, asking.game(1, 1, rated="white"), tina)
    return back, out, flag


def listed(day, revision=None):
    """By person what a list says."""
    every = m.List.objects.filter(pool__name="standard", date=day).order_by("revision")
    one = every.last() if revision is None else every.get(revision=revision)
    assert one is not None
    return {each: rating("standard", day, one.revision, each) for each in range(1, 7)}


def by_day(told, person):
    return {x.day: (x.was, x.now, x.corrections) for x in told.numbers if x.person == person}


def test_a_number_that_a_list_carries_names_what_made_it_another(office, several, tina):
    """The cup brings the same whenever it is rated: on the list of April only the late event is."""
    back, out, _ = several
    before = {day: listed(day) for day in LISTS}
    publish(office, tina, MAY)
    told = effects.of_corrections(office, several)
    for person in (ECHO, 6):
        both = {day: (before[day][person], listed(day)[person]) for day in LISTS}
        assert by_day(told[out], person) == {
            FEBRUARY: (*both[FEBRUARY], (out,)), MARCH: (*both[MARCH], (back, out)),
            APRIL: (*both[APRIL], (out,)), MAY: (*both[MAY], (out,)),
        }  # fmt: skip
        assert by_day(told[back], person) == {MARCH: (*both[MARCH], (back, out))}
        # Command and `why` have the numbers of the lists, each with its reason.
        for number in (back, out):
            rows = [x for x in register.entry(office, number)["changed"] if x["person"] == person]
            assert [date.fromisoformat(x["day"]) for x in rows] == list(
                by_day(told[number], person)
            )
        pool = m.Pool.objects.get(name="standard")
        last = m.Publication.objects.filter(pool=pool).latest("seq").seq
        whys = [x for x in register.since_first(office, pool, person) if x["publication"] == last]
        said = {
            date.fromisoformat(x["day"]): (x["was"], x["now"], tuple(x["corrections"]))
            for x in whys
        }
        assert said == by_day(told[out], person)
        assert all(x["why"] for x in whys)


def test_an_event_that_was_moved_one_list_on_changed_the_list_between_alone(office, moved, tina):
    """Who played in it has on the list of April what stood on it before."""
    told = effects.of_corrections(office, [moved])[moved]
    pool = m.Pool.objects.get(name="standard")
    was, now = (listed(MARCH, revision) for revision in (1, 2))
    assert listed(APRIL)[ECHO] == listed(APRIL, 1)[ECHO]
    assert by_day(told, ECHO) == {MARCH: (was[ECHO], now[ECHO], (moved,))}
    (row,) = register.since_first(office, pool, ECHO)
    assert (row["day"], row["was"], row["now"]) == (str(MARCH), was[ECHO], now[ECHO])
    assert row["corrections"] == [moved]
    assert row["why"][0].startswith(f"correction {moved}:")


def test_what_is_foretold_of_lists_is_what_comes(office, tina):
    """Preview, and what is accepted and waits, have the numbers of lists that become others."""
    content = asking.event("1", "withdraw")
    shown = Bench(office).preview([content])
    number = hold(office, content, tina)
    awaited = effects.awaited(office, number)
    notices.set_contact(f"person:{ECHO}", "p5@club.invalid", "each", tina)
    publish(office, tina, MAY)
    told = effects.of_corrections(office, [number])[number]
    assert awaited.numbers == told.numbers
    assert [replace(x, corrections=(number,)) for x in shown.reaches[0].numbers] == list(
        told.numbers
    )
    assert shown.as_dict()["most"] == told.figures.largest
    # Echo had played in January and February, and is carried later.
    assert list(by_day(told, ECHO)) == list(LISTS)
    last = by_day(told, ECHO)[MAY]
    said = m.Notice.objects.get(kind="changed", whose=f"person:{ECHO}").said
    assert (said["day"], said["before"], said["after"]) == (str(MAY), *last[:2])


def test_who_comes_in_otherwise_is_on_every_list_with_another_number(home, tina, tmp_path):
    """Also on the lists of before the first own game, which no game of theirs has changed."""
    opened(home, tina, tmp_path, "fide-2024")
    setup.set_policies("standard", {"revise": "affected"}, "", tina)
    add_colleagues(tina)
    events = [("January Open", "2026-01-10", "1234"), ("March Masters", "2026-03-10", "1256")]
    for (name, day, who), until in zip(events, (MARCH, APRIL), strict=True):
        receive_one(home, tina, tmp_path, name, day, who, {})
        publish(home, tina, until)
    number = hold(home, asking.opening("standard", {ECHO: {"rating": "1700"}}), tina)
    awaited = effects.awaited(home, number)
    publish(home, tina, APRIL)
    told = effects.of_corrections(home, [number])[number]
    assert (listed(MARCH, 1)[ECHO], listed(MARCH)[ECHO]) == (1600, 1700)
    assert by_day(told, ECHO)[MARCH] == (1600, 1700, (number,))
    assert awaited.numbers == told.numbers


@pytest.mark.parametrize("seed", [1, 2])
def test_random_corrections_name_what_each_number_of_a_list_needs(tmp_path, seed):
    """`python -m tools.corrections --lists` tries hundreds."""
    model, chance = trials.begun(tmp_path / "model"), random.Random(seed)
    ledger = correction_causes.Listed(tmp_path / "office", "fide-2024", chance, model)
    numbers, _ = correction_causes.several(ledger, 3)
    assert numbers
    assert correction_causes.check(ledger, numbers, tmp_path / "trial") == []
    connections.close_all()
