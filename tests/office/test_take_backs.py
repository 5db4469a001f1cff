"""What is taken back, in whatever order: what the newest correction says that was not holds."""

from __future__ import annotations

import random
from datetime import date
from typing import Any

import pytest

from ratingbook.office.acts import (
    asking,
    corrections,
    decisions,
    doctor,
    people,
    register,
    reports,
    setup,
    states,
    undoing,
)
from ratingbook.office.acts.preview import Bench
from ratingbook.office.acts.setup import pool_named
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m
from tests.office.test_corrections import publish_one
from tests.office.test_undoing import accepted, digest, office
from tools import corrections as trials
from tools.correction_backs import Round

__all__ = ["office"]
"""The fixture: six players who came in by a file, and their event."""


def back(home, number, tina):
    """Take a correction back by another one, which needs no word of any other; its number."""
    return accepted(home, corrections.taking_back(number), tina)


def ask_back(home, number, tina):
    """The same; None where it would say again what somebody else has said since, and holds."""
    asked = corrections.ask(home, corrections.taking_back(number), "back", tina)
    if asked.joined is not None:
        return None
    corrections.accept(home, asked.id, tina)
    return asked.id


def refused_again(number):
    with pytest.raises(OfficeRefused) as refused:
        corrections.taking_back(number)
    return [each.code for each in refused.value.findings] == ["office.undone"]


def _opened():
    found = decisions.openings_held(pool_named("standard"), [1])
    return found[1]["rating"]


def _k():
    return pool_named("standard").parameters.get("k_new")


def _assumed():
    return pool_named("standard").policies.get("assume")


SETTABLE: dict[str, tuple[Any, ...]] = {
    "opening": (lambda v: asking.opening("standard", {1: {"rating": v}}), _opened, 1800,
                {"1500": 1500, "1600": 1600, "1700": 1700}),
    "parameters": (lambda v: asking.parameters("standard", {"k_new": v}), _k, None,
                   {"30": "30", "35": "35", "40": "40"}),
    "assume": (lambda v: asking.parameters("standard", {}, v), _assumed, None,
               {"1500": 1500, "1600": 1600, "1700": 1700}),
}  # fmt: skip


@pytest.mark.parametrize("kind", SETTABLE)
def test_an_overtaken_one_changes_nothing_when_it_is_taken_back(office, tina, kind):
    say, held, at_first, values = SETTABLE[kind]
    one, two = list(values)[:2]
    before = digest(office, tina)
    first, second = (accepted(office, [say(value)], tina) for value in (one, two))
    now = digest(office, tina)
    back(office, first, tina)
    assert held() == values[two]
    assert digest(office, tina) == now
    assert refused_again(first)
    back(office, second, tina)
    assert held() == at_first
    assert digest(office, tina) == before
    assert not doctor.examine(office).refused


@pytest.mark.parametrize("kind", SETTABLE)
def test_what_was_taken_back_is_said_again_as_far_as_it_held(office, tina, kind):
    say, held, at_first, values = SETTABLE[kind]
    one, two = list(values)[:2]
    first, second = (accepted(office, [say(value)], tina) for value in (one, two))
    overtaken, newest = back(office, first, tina), back(office, second, tina)
    assert held() == at_first
    assert refused_again(overtaken)
    again = back(office, newest, tina)
    assert held() == values[two]
    back(office, again, tina)
    assert held() == at_first


def _is_in():
    (state,) = {*states.states(m.Section.objects.values_list("id", flat=True)).values()}
    assert state in (states.READY, states.WITHDRAWN, states.HELD)
    return state == states.READY


def test_an_event_is_as_the_newest_word_says_that_is_not_taken_back(office, tina):
    before = digest(office, tina)
    first = accepted(office, [asking.event("1", "withdraw")], tina)
    let_in = accepted(office, [asking.event("1", "late")], tina)
    last = accepted(office, [asking.event("1", "withdraw")], tina)
    back(office, first, tina)
    assert not _is_in()
    assert refused_again(first)
    back(office, last, tina)
    assert _is_in()
    assert digest(office, tina) == before
    overtaken = back(office, let_in, tina)
    assert _is_in()
    assert refused_again(let_in)
    assert refused_again(overtaken)
    assert not doctor.examine(office).refused


def test_an_event_that_was_taken_out_and_let_in_again_goes_out_by_the_take_back_alone(office, tina):
    first = accepted(office, [asking.event("1", "withdraw")], tina)
    taken = back(office, first, tina)
    assert _is_in()
    again = back(office, taken, tina)
    assert not _is_in()
    assert refused_again(taken)
    back(office, again, tina)
    assert _is_in()


@pytest.mark.parametrize("seed", range(4))
def test_an_event_goes_in_and_out_by_what_holds(office, tina, seed):
    """Taken out, let in and taken back by chance, from an event that is in, or is held."""
    chance = random.Random(f"events {seed}")
    at_first = seed % 2 == 0
    if not at_first:
        reports.put_aside("1", "hold", "the sheet is missing", tina)
    words: dict[int, bool] = {}
    takes: dict[int, bool] = {}
    done: set[int] = set()
    for _ in range(14):
        known = sorted({*words, *takes} - done)
        holds = words[max(words)] if words else at_first
        assert _is_in() == holds
        if known and chance.random() < 0.55:
            number = chance.choice(known)
            was = holds
            if number in takes:
                taken = ask_back(office, number, tina)
                if taken is None:
                    continue
                words[taken] = takes.pop(number)
            else:
                says = words.pop(number)
                holds = words[max(words)] if words else at_first
                taken = ask_back(office, number, tina)
                if was == holds:
                    assert refused_again(taken)
                else:
                    takes[taken] = says
            assert refused_again(number)
            done.add(number)
        else:
            word = "withdraw" if holds else "late"
            words[accepted(office, [asking.event("1", word)], tina)] = not holds
    assert done
    assert _is_in() == (words[max(words)] if words else at_first)
    assert not doctor.examine(office).refused


@pytest.mark.parametrize("kind", SETTABLE)
@pytest.mark.parametrize("seed", range(3))
def test_the_newest_word_that_is_not_taken_back_holds(office, tina, kind, seed):
    say, held, at_first, values = SETTABLE[kind]
    chance = random.Random(f"{kind} {seed}")
    words: dict[int, str] = {}
    takes: dict[int, str] = {}
    done: set[int] = set()
    overtaken: set[int] = set()

    def wanted():
        return values[words[max(words)]] if words else at_first

    for _ in range(14):
        known = sorted({*words, *takes} - done)
        if known and chance.random() < 0.5:
            number = chance.choice(known)
            if number in overtaken:
                assert refused_again(number)
                continue
            taken = ask_back(office, number, tina)
            if taken is None:
                assert number in takes
                continue
            assert refused_again(number)
            done.add(number)
            if number in takes:
                # What takes back a word was taken back: it is the newest one.
                words[taken] = takes.pop(number)
            else:
                if number != max(words):
                    overtaken.add(taken)
                takes[taken] = words.pop(number)
        else:
            value = chance.choice([x for x in values if values[x] != held()])
            words[accepted(office, [say(value)], tina)] = value
        assert held() == wanted()
    assert not doctor.examine(office).refused


def _ones():
    """The groups of numbers that are one person, as the register of persons has them."""
    merged = people.merges()
    found: dict[int, set[int]] = {}
    for each in m.Person.objects.values_list("id", flat=True):
        found.setdefault(merged.get(each, each), set()).add(each)
    return {frozenset(some) for some in found.values() if len(some) > 1}


def _groups(pairs):
    found: list[set[int]] = []
    for pair in map(set, pairs):
        joined = [some for some in found if some & pair]
        found = [some for some in found if not some & pair] + [pair.union(*joined)]
    return {frozenset(some) for some in found}


@pytest.fixture
def newcomers(office, tina):
    """Five more persons, of whom nothing is rated."""
    names = ("Golf, G", "Hotel, H", "India, I", "Juliett, J", "Kilo, K")
    return [people.add_person(NewPerson(name), "", tina)[0] for name in names]


def test_two_are_one_of_whom_somebody_said_so_and_nobody_took_it_back(office, tina, newcomers):
    one, other, third, *_ = newcomers
    first = accepted(office, [asking.merge(one, third)], tina)
    second = back(office, first, tina)
    between = accepted(office, [asking.merge(one, other)], tina)
    back(office, second, tina)
    assert _ones() == {frozenset({one, other, third})}
    back(office, between, tina)
    assert _ones() == {frozenset({one, third})}


def test_the_order_of_acceptance_leaves_nobody_one_of_whom_nobody_said_it(office, tina, newcomers):
    one, other, third, *_ = newcomers
    asked = [
        corrections.ask(office, [asking.merge(one, who)], "why", tina).id for who in (other, third)
    ]
    corrections.accept(office, asked[1], tina, despite=asked[:1])
    corrections.accept(office, asked[0], tina, despite=asked[1:])
    assert _ones() == {frozenset({one, other, third})}
    back(office, asked[1], tina)
    assert _ones() == {frozenset({one, other})}


def test_a_merge_that_is_undone_leaves_what_others_said(office, tina, newcomers):
    one, other, third, *_ = newcomers
    first, _ = people.merge(one, third, "why", tina)
    people.merge(one, other, "why", tina)
    undoing.undo(first, "two persons", tina)
    assert _ones() == {frozenset({one, other})}


@pytest.mark.parametrize("seed", range(4))
def test_who_is_one_is_what_was_said_and_not_taken_back(office, tina, newcomers, seed):
    chance = random.Random(f"merges {seed}")
    words: dict[int, frozenset[int]] = {}
    takes: dict[int, frozenset[int]] = {}
    done: set[int] = set()
    for _ in range(16):
        known = sorted({*words, *takes} - done)
        if known and chance.random() < 0.5:
            number = chance.choice(known)
            if number in takes and any(takes[number] <= some for some in _ones()):
                # By others they are one already.
                assert refused_again(number)
                continue
            taken = back(office, number, tina)
            assert refused_again(number)
            done.add(number)
            if number in takes:
                words[taken] = takes.pop(number)
            else:
                takes[taken] = words.pop(number)
        else:
            pair = chance.sample(newcomers, 2)
            if not any(set(pair) <= some for some in _ones()):
                words[accepted(office, [asking.merge(*pair)], tina)] = frozenset(pair)
        assert _ones() == _groups(words.values())
    assert not doctor.examine(office).refused


def _again():
    """What is asked for, taken back, and said again: of each kind of contents."""
    return {
        "result": lambda: asking.game(1, 1, "0-1"),
        "colours": lambda: asking.game(1, 2, swap=True),
        "player": lambda: asking.player(1, "1", m.Person.objects.latest("id").id),
        "merge": lambda: asking.merge(7, 8),
        "move": lambda: asking.moved("1", date(2026, 1, 2)),
        "pool": lambda: asking.into_pool("1", "other"),
        "withdraw": lambda: asking.event("1", "withdraw"),
        "opening": lambda: asking.opening("standard", {1: {"rating": "1500"}}),
        "parameters": lambda: asking.parameters("standard", {"k_new": "30"}),
        "decision": lambda: asking.decided(
            "standard", 1, {"reset": "1700"}, date(2026, 1, 2), "why", date(2026, 4, 1)
        ),
    }


@pytest.mark.parametrize("kind", _again())
def test_each_says_which_it_takes_back_and_by_which_it_was(office, tina, newcomers, kind):
    setup.add_pool("other", "fide-2009", tina)
    first = accepted(office, [_again()[kind]()], tina)
    second = back(office, first, tina)
    third = back(office, second, tina)
    told = {number: register.entry(office, number) for number in (first, second, third)}
    for key, wanted in (
        ("takes_back", {first: [second], second: [third]}),
        ("taken_back", {second: [first], third: [second]}),
    ):
        said = {
            number: [each["correction"] for each in one["beside"] if each[key]]
            for number, one in told.items()
        }
        assert {number: some for number, some in said.items() if some} == wanted
    if kind != "decision":
        # A decision is told of as one that holds again.
        assert told[third]["says"] == told[first]["says"]
    assert refused_again(second)


def test_random_corrections_taken_back_again_and_again(home, tina, tmp_path):
    """What a model of words says holds; `python -m tools.corrections --backs` tries hundreds."""
    chance = random.Random(5)
    ledger = object.__new__(trials.Ledger)
    ledger.chance, ledger.rulebook, ledger.home = chance, "egf", home
    ledger._work = tmp_path / "files"
    ledger._work.mkdir()
    ledger.fill()
    tried = Round(ledger, chance)
    for kind in ("opening", "withdraw", "opening", "merge"):
        assert tried.say(kind) == []
    for _ in range(4):
        assert not tried.take_back()
    assert tried.take_all_back() == []


def test_an_event_that_is_in_another_pool_by_now_is_previewed_there(office, tina):
    """It was taken out of one pool, and then it came back to be of the one before."""
    setup.add_pool("other", "fide-2009", tina, None, {"assume": "1500"})
    publish_one(office, tina)
    moved = accepted(office, [asking.into_pool("1", "other")], tina)
    out = accepted(office, [asking.event("1", "withdraw")], tina)
    accepted(office, corrections.taking_back(moved), tina)
    contents = corrections.taking_back(out)
    pool = pool_named("standard")
    assert contents[0]["pools"] != [pool.id]
    reached = Bench(office).preview(contents).reaches
    assert [each.pool for each in reached] == ["standard"]


def test_taking_back_what_no_run_has_brought_changes_nothing_that_is_published(office, tina):
    """Not a row, nor a list: what it undoes is published nowhere."""
    publish_one(office, tina, date(2026, 3, 1))
    game = m.Game.objects.filter(section__version__report=1).order_by("number").first()
    assert game is not None
    asked = corrections.ask(office, [asking.game(1, game.number, "0-1")], "typed wrongly", tina)
    told = Bench(office).preview(corrections.named(asked.id).contents).as_dict()
    assert told["players"]
    assert told["lists"]
    corrections.accept(office, asked.id, tina)
    (one,) = Bench(office).preview(corrections.taking_back(asked.id)).reaches
    assert not one.numbers
    assert (one.report["players"], one.report["rows"], one.report["gone_rows"]) == (0, 0, 0)
    assert (one.lists, one.columns) == ((), {})
