"""What is accepted and taken back within one run is named by no number that the run changes."""

from __future__ import annotations

import pytest

from ratingbook.office.acts import asking, corrections, effects, register, setup
from ratingbook.office.acts.published import base_of, head_run
from ratingbook.office.acts.taken_back import left_in, moot_in, void_in
from ratingbook.office.logic.taken_back import Accepted, left_of
from ratingbook.office.store import models as m
from tests.office.test_causes import hold, needed, office, told
from tests.office.test_corrections import publish_one as publish

__all__ = ["office"]
"""The fixture: the same people in two events."""


def back(home, number, tina):
    """Take an accepted correction back, by one that is accepted; its number."""
    asked = corrections.ask(home, corrections.taking_back(number), "it was right", tina)
    corrections.accept(home, asked.id, tina, despite=[number])
    return asked.id


def kinds():
    """What is asked for and taken back, beside a game of the first event."""
    return {
        "event": lambda: asking.event("2", "withdraw"),
        "game": lambda: asking.game(1, 1, "1/2-1/2"),
        "opening": lambda: asking.opening("standard", {3: {"rating": "1700"}}),
        "parameters": lambda: asking.parameters("standard", {"k": "40"}),
    }


@pytest.mark.parametrize("kind", kinds())
def test_neither_it_nor_what_took_it_back_is_a_reason(office, tina, kind):
    taken = hold(office, kinds()[kind](), tina)
    pair = {taken, back(office, taken, tina)}
    holds = hold(office, asking.game(1, 14, "0-1"), tina)
    assert void_in([*pair, holds]) == pair
    publish(office, tina)
    found = told(office)
    assert found
    assert set(found.values()) == {(holds,)}
    run = head_run(m.Pool.objects.get(name="standard"))
    assert {number for some in needed(run).values() for number in some} == {holds}
    pool = m.Pool.objects.get(name="standard")
    for person in {person for _, person in found}:
        assert {x for each in register.since_first(office, pool, person)
                for x in each["corrections"]} == {holds}  # fmt: skip
    for number in pair:
        assert register.entry(office, number)["changed"] == []
    assert register.entry(office, holds)["reach"]["players"] == len({who for _, who in found})


def test_what_waits_is_told_so_before_the_run(office, tina):
    taken = hold(office, asking.event("2", "withdraw"), tina)
    assert effects.awaited(office, taken).numbers
    other = back(office, taken, tina)
    holds = hold(office, asking.game(1, 14, "0-1"), tina)
    assert [effects.awaited(office, each).numbers for each in (taken, other)] == [(), ()]
    found = effects.awaited(office, holds).numbers
    assert {each.corrections for each in found} == {(holds,)}


def test_what_is_said_anew_after_it_was_taken_back_is_the_reason(office, tina):
    taken = hold(office, asking.game(1, 14, "0-1"), tina)
    other = back(office, taken, tina)
    again = back(office, other, tina)
    publish(office, tina)
    assert set(told(office).values()) == {(again,)}


def test_what_held_before_the_pair_is_tried_without_it(office, tina):
    """Somebody comes in with another rating, then with a third one, which is taken back."""
    first = hold(office, asking.opening("standard", {5: {"rating": "1700"}}), tina)
    taken = hold(office, asking.opening("standard", {5: {"rating": "1800"}}), tina)
    back(office, taken, tina)
    publish(office, tina)
    run = head_run(m.Pool.objects.get(name="standard"))
    assert {number for some in needed(run).values() for number in some} == {first}
    assert set(told(office).values()) == {(first,)}


def test_what_is_left_of_one_that_was_taken_back_in_part_is_a_reason(office, tina):
    """Two come in with other ratings; of one of them that is taken back."""
    said = [
        asking.opening("standard", {who: {"rating": x}}) for who, x in ((5, "1700"), (6, "1900"))
    ]
    both = corrections.ask(office, said, "the card says so", tina).id
    corrections.accept(office, both, tina)
    _, content = corrections.taking_back(both)
    part = hold(office, content, tina)
    left, void = left_in([both, part])
    assert len(left.back) == 1
    assert (left.is_nothing, void.is_nothing) == (False, True)
    assert moot_in([both, part]) == {both, part}
    publish(office, tina)
    found = told(office)
    assert set(found.values()) == {(both,)}


def test_of_an_older_one_that_named_persons_a_part_was_taken_back():
    """What took an opening back named with what each one came in before."""
    came = [{who: {"rating": value} for who in ("5", "6")} for value in (1700.0, 1500.0)]
    said, back = ({"kind": "opening", "pool": 1, "values": values} for values in came)
    part = {**back, "values": {"6": came[1]["6"]}}
    left, void = left_of([Accepted(1, [said], [back]), Accepted(2, [part], [])])
    assert left.back[0]["values"].keys() == {"5"}
    assert (left.is_nothing, void.is_nothing) == (False, True)


def test_what_was_published_before_is_no_part_of_a_pair(office, tina):
    """Both halves came with runs of their own: each moved numbers."""
    taken = hold(office, asking.game(1, 14, "0-1"), tina)
    publish(office, tina)
    assert set(told(office).values()) == {(taken,)}
    other = back(office, taken, tina)
    publish(office, tina)
    assert set(told(office).values()) == {(other,)}
    run = head_run(m.Pool.objects.get(name="standard"))
    assert run is not None
    assert [each.id for each in corrections.new_in(office, run, base_of(run))] == [other]


def test_of_what_does_more_than_take_back_the_rest_stands():
    """A merge is taken back together with a word on a game."""
    merge = {"kind": "merge", "source": 3, "target": 4}
    undo, game = {"kind": "undo", "fact": 20}, {"kind": "game", "key": "k", "say": {"half": 0}}
    of_game = {"kind": "undo", "fact": 25}
    taken, more = left_of(
        [Accepted(1, [merge], [undo]), Accepted(2, [undo, game], [of_game, merge])]
    )
    assert (taken.is_nothing, more.is_nothing) == (True, False)
    assert (taken.back, more.contents, more.back) == ([], [game], [of_game])


@pytest.mark.parametrize("again", [False, True])
def test_what_is_taken_back_without_a_number_is_published(office, tina, again):
    """The colours of a game move nothing under this rule book; nor does what takes them back."""
    other = {"standard", "rapid"}
    setup.add_pool("rapid", "elo", tina)
    taken = hold(office, asking.game(1, 1, swap=True), tina)
    publish(office, tina)
    last = back(office, taken, tina)
    if again:
        publish(office, tina)
        last = back(office, last, tina)
    publish(office, tina)
    assert corrections.states_of([taken, last]) == dict.fromkeys((taken, last), "published")
    assert {each["pool"] for each in register.entry(office, last)["published"]} < other


def test_of_what_several_said_of_a_game_one_is_taken_back_before_the_run(office, tina):
    """A result and colours, then another result; then the first no longer holds."""
    taken = hold(office, asking.game(1, 1, "1/2-1/2", swap=True), tina)
    # Of the sides as they sit now: who has Black in the report won.
    later = asking.game(1, 1, "1-0")
    asked = corrections.ask(office, [later], "the sheet says so", tina)
    corrections.accept(office, asked.id, tina, despite=[taken])
    other = back(office, taken, tina)
    assert [effects.awaited(office, each).numbers for each in (taken, other)] == [(), ()]
    publish(office, tina)
    run = head_run(m.Pool.objects.get(name="standard"))
    assert run is not None
    brought = [each.id for each in corrections.new_in(office, run, base_of(run))]
    assert brought == [taken, asked.id, other]
    assert set(told(office).values()) == {(asked.id,)}
