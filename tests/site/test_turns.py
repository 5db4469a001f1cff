"""Requests of a process take turns, and whoever takes long lets the others go on."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ratingbook.office.home import VARIABLES
from ratingbook.site.peers import Sharing
from ratingbook.site.turns import InTurns, Turns

LONG = 30.0
"""More than any of these tests takes: nobody loses the turn by it."""


def waits(turns: Turns, count: int) -> None:
    """Until so many wait."""
    begun = time.monotonic()
    while len(turns._waiting) < count:
        assert time.monotonic() - begun < LONG
        time.sleep(0.001)


def test_one_has_the_turn_at_a_time_and_the_others_come_in_their_order():
    turns, order, at_once, most = Turns(LONG), [], 0, 0
    first = turns.taken()
    first.__enter__()

    def one(number: int) -> None:
        nonlocal at_once, most
        with turns.taken():
            at_once += 1
            most = max(most, at_once)
            order.append(number)
            time.sleep(0.002)
            at_once -= 1

    with ThreadPoolExecutor(20) as workers:
        asked = []
        for number in range(20):
            asked.append(workers.submit(one, number))
            waits(turns, number + 1)
        assert not order
        first.__exit__(None, None, None)
        for each in asked:
            each.result(LONG)
    assert order == list(range(20))
    assert most == 1


def test_whoever_takes_long_does_not_hinder_the_others():
    turns, over, came = Turns(0.02), threading.Event(), list[str]()

    def slow() -> None:
        with turns.taken():
            over.wait(LONG)
            came.append("slow")

    with ThreadPoolExecutor(2) as workers:
        asked = workers.submit(slow)
        while turns._whose is None:
            time.sleep(0.001)
        for number in range(3):
            with turns.taken():
                came.append(str(number))
        over.set()
        asked.result(LONG)
    assert came == ["0", "1", "2", "slow"]
    # The one that came back late did not end the turn of somebody else.
    assert turns._whose is None


def test_who_comes_back_late_leaves_the_turn_to_who_has_it():
    turns = Turns(0.01)
    late, now = turns.taken(), turns.taken()
    late.__enter__()
    now.__enter__()
    whose = turns._whose
    late.__exit__(None, None, None)
    assert turns._whose is whose
    now.__exit__(None, None, None)
    assert turns._whose is None


def test_a_request_that_fails_gives_its_turn_back():
    def fails(environ, start_response):
        raise ValueError(environ["PATH_INFO"])

    asked = InTurns(fails)
    for path in ("/a", "/b"):
        begun = time.monotonic()
        with pytest.raises(ValueError, match=path):
            asked({"PATH_INFO": path}, print)
        assert time.monotonic() - begun < LONG / 2
    assert asked._turns._whose is None


def test_the_site_is_served_in_turns(empty):
    """As it is for any server that asks for the application."""
    asks = (
        "from ratingbook.site.serving import application; made = application(); "
        "print(type(made).__name__, type(made._application).__name__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", asks], env={**os.environ, VARIABLES[0]: str(empty.folder)},
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.split() == [Sharing.__name__, InTurns.__name__]
