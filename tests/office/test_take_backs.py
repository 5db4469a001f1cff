"""What is taken back, in whatever order: what the newest correction says that was not holds."""

from __future__ import annotations

import random

import pytest

from ratingbook.office.acts import asking, corrections, decisions, doctor
from ratingbook.office.acts.setup import pool_named
from ratingbook.office.refused import OfficeRefused
from tests.office.test_undoing import accepted, digest, office

__all__ = ["office"]
"""The fixture: six players who came in by a file, and their event."""


def back(home, number, tina):
    """Take a correction back by another one, which needs no word of any other; its number."""
    return accepted(home, corrections.taking_back(number), tina)


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


SETTABLE = {
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


@pytest.mark.parametrize("kind", SETTABLE)
@pytest.mark.parametrize("seed", range(3))
def test_the_newest_word_that_is_not_taken_back_holds(office, tina, kind, seed):
    say, held, at_first, values = SETTABLE[kind]
    chance, words, done = random.Random(f"{kind} {seed}"), {}, set()

    def wanted():
        return values[words[max(words)]] if words else at_first

    takes, overtaken = {}, set()
    for _ in range(14):
        known = sorted({*words, *takes} - done)
        if known and chance.random() < 0.5:
            number = chance.choice(known)
            if number in overtaken:
                assert refused_again(number)
                continue
            asked = corrections.ask(office, corrections.taking_back(number), "back", tina)
            if asked.joined is not None:
                # It would say again what somebody else has said since, and what holds.
                assert number in takes
                continue
            corrections.accept(office, asked.id, tina)
            taken = asked.id
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
