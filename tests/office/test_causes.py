"""A number that several corrections of one run made names each of them."""

from __future__ import annotations

import pytest

from ratingbook.office.acts import asking, corrections, desk, effects, receive, register, runs
from ratingbook.office.acts.preview import Bench
from ratingbook.office.acts.published import base_of, causes_in, head_run
from ratingbook.office.home import current
from ratingbook.office.store import models as m
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write
from tests.office.test_corrections import UNTIL
from tests.office.test_corrections import publish_one as publish
from tests.office.test_runs import opened

AT = ("2026-02-20", 5)
"""The number of Echo after the second event, which two games of the first one move together."""


@prepared
def office(home, tina, tmp_path):
    """The same people in two events, in a pool whose numbers are published without decimals."""
    opened(home, tina, tmp_path, "elo")
    for number, (name, day) in enumerate((("Winter", "2026-01-10"), ("Spring", "2026-02-20"))):
        path = write(tmp_path, f"{number}.json", document(name, day, {("1", "2"): "1-0"}))
        receive.receive_all(home, [path], tina, receive.Options(another=True, pool="standard"))
    publish(home, tina)
    return home


def hold(home, content, tina):
    """Ask for it and accept it; its number."""
    asked = corrections.ask(home, [content], "the sheet says so", tina)
    corrections.accept(home, asked.id, tina)
    return asked.id


def told(home):
    """Which corrections each number of the published run is told to come from."""
    run = head_run(m.Pool.objects.get(name="standard"))
    assert run is not None
    some = corrections.new_in(home, run, base_of(run))
    return {(x.key, x.person): x.corrections for x in effects.of_run(home, run, some)}


def needed(run):
    """The corrections without which numbers of a run were others."""
    return causes_in(current(), m.Needed.objects.filter(run=run))


def left(home, *contents):
    """The numbers that contents make others, as a preview has them: before and after."""
    shown = Bench(home).preview(contents)
    rows = [row for each in shown.reaches for row in each.rows.to_pylist()]
    return {(x["key"], x["person"]): (x["was_after"], x["after"]) for x in rows}


def test_a_number_names_all_corrections_without_which_it_were_another(office, tina):
    """Each of two moves it by less than is published, and only both by one point."""
    contents = [asking.game(1, 2, "0-1"), asking.game(1, 14, "0-1")]
    alone, both = [left(office, each) for each in contents], left(office, *contents)
    assert both[AT] == (1640, 1641)
    assert [each.get(AT, (1640, 1640))[1] for each in alone] == [1640, 1640]
    numbers = tuple(hold(office, each, tina) for each in contents)
    publish(office, tina)
    found = told(office)
    assert found[AT] == numbers
    for at, (was, now) in both.items():
        needs = {
            number for number, other in zip(numbers, reversed(alone), strict=True)
            if other.get(at, (was, was))[1] != now
        }  # fmt: skip
        assert needs <= set(found.get(at, ())) or was == now
    pool = m.Pool.objects.get(name="standard")
    assert register.since_first(office, pool, 5)[-1]["corrections"] == list(numbers)
    for number in numbers:
        changed = register.entry(office, number)["changed"]
        mine = [x["corrections"] for x in changed if (x["batch"], x["person"]) == AT]
        assert mine == [list(numbers)]


def test_a_correction_that_a_later_one_of_the_same_game_overtook_is_no_cause(office, tina):
    """What the first had said of it holds nowhere, so no number needs it."""
    first = hold(office, asking.game(1, 1, "1/2-1/2"), tina)
    second, third = (hold(office, asking.game(1, n, "0-1"), tina) for n in (1, 14))
    publish(office, tina)
    run = head_run(m.Pool.objects.get(name="standard"))
    found = {number for some in needed(run).values() for number in some}
    assert found == {second, third}
    assert first not in found


@pytest.mark.parametrize("kind", ["opening", "parameters"])
def test_what_is_said_anew_later_in_a_run_is_not_taken_back(office, tina, kind):
    """With what somebody comes in, or what the rules are set to, is what was said last."""
    said = {
        "opening": lambda value: asking.opening("standard", {5: {"rating": value}}),
        "parameters": lambda value: asking.parameters("standard", {"k": value}),
    }[kind]
    values = {"opening": ("1700", "1800"), "parameters": ("24", "40")}
    first, second = (hold(office, said(value), tina) for value in values[kind])
    publish(office, tina)
    run = head_run(m.Pool.objects.get(name="standard"))
    found = needed(run)
    assert {number for some in found.values() for number in some} == {second}
    assert first not in found[AT]


def test_one_correction_alone_needs_no_file(office, tina):
    hold(office, asking.game(1, 1, "0-1"), tina)
    publish(office, tina)
    run = head_run(m.Pool.objects.get(name="standard"))
    assert not m.Needed.objects.exists()
    assert needed(run) == {}


def test_a_draft_that_is_thrown_away_leaves_none(office, tina):
    for game in (2, 14):
        hold(office, asking.game(1, game, "0-1"), tina)
    made = runs.make(office, "standard", UNTIL, tina)
    assert m.Needed.objects.count() == 1
    runs.discard(made.run.id, tina)
    assert not m.Needed.objects.exists()


@pytest.mark.parametrize("report", ["1", "3"])
def test_a_rating_that_went_by_a_merge_is_not_told_of_the_event_taken_out_alone(
    home, tina, tmp_path, report
):
    """The first event was taken out by the one, and with the other there is no such player."""
    opened(home, tina, tmp_path, "fide-2009")
    seventh = ("Golf, Gus", "m", "1980-01-01", "707")
    eighth = ("Golf, August", "m", "1980-01-01", "708")
    for number, (day, who) in enumerate(
        [("2026-01-10", seventh), ("2026-02-10", eighth), ("2026-03-10", seventh)], 1
    ):
        said = document(f"Cup {number}", day, {("1", "7"): "0-1"}, {**PLAYERS, "7": who})
        path = write(tmp_path, f"{number}.json", said)
        received = receive.receive(home, path, tina, receive.Options(another=True, pool="standard"))
        if received.waiting and received.id is not None:
            desk.link_new(received.id, tina)
    publish(home, tina)
    source, target = (
        m.PersonName.objects.get(text=each[0], kind="main").person_id for each in (seventh, eighth)
    )
    taken_out = hold(home, asking.event(report, "withdraw"), tina)
    merged = hold(home, asking.merge(source, target), tina)
    publish(home, tina)
    found = effects.of_corrections(home, [taken_out, merged])
    lost = [x for x in found[taken_out].numbers if x.person == source]
    assert all(merged in x.corrections for x in lost), lost
    assert any(x.person == source and x.now is None for x in found[merged].numbers)
