"""Batches of lists are told from the events alone, and are those that the games would tell."""

from __future__ import annotations

import random
from datetime import date, timedelta

import numpy as np
import pyarrow as pa
import pytest

from ratingbook.engine.history import History
from ratingbook.engine.history.plan import plan_of
from ratingbook.engine.history.program import Program
from ratingbook.model import Event
from ratingbook.rules import registry
from ratingbook.rules.bulk import EPOCH, day_number

BOOK = registry.load("fide-2009")
FIRST = date(2009, 9, 1)


def history(seed: int, in_order: bool) -> History:
    """Events of some days; the file knows some without games, and days on which others end."""
    chance = random.Random(seed)
    events = list(range(12))
    day_of = {event: chance.randrange(300) for event in events}
    rows = []
    for event in (each for each in events if chance.random() < 0.8):
        for _ in range(chance.randrange(1, 6)):
            day = FIRST + timedelta(day_of[event] + chance.randrange(4))
            white, black = chance.sample(range(8), 2)
            rows.append((day, event, white, black, chance.choice([0, 0.5, 1])))
    if in_order:
        rows.sort()
    games = {name: list(each) for name, each in zip(
        ("date", "event", "white", "black", "score"), zip(*rows, strict=True), strict=True
    )}  # fmt: skip
    said = {
        "event": pa.array(events),
        "end": pa.array(
            [
                FIRST + timedelta(day_of[event] + 40) if chance.random() < 0.3 else None
                for event in events
            ],
            pa.date32(),
        ),
    }
    return History.of(pa.table(games), events=pa.table(said))


@pytest.mark.parametrize("in_order", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_batches_are_those_of_their_games(seed: int, in_order: bool):
    program = Program(BOOK, compiled=False)
    given = history(seed, in_order).given
    plan = plan_of(given, program)
    number, end = plan.games.event, plan.events.end
    facts = program.bulk.facts_of(Event(), BOOK.parameters)
    calendar = program.bulk.calendar
    assert calendar is not None
    taken = [day_number(calendar.taking(EPOCH + timedelta(int(day)), facts)) for day in end[number]]
    of_game = np.searchsorted(plan.keys, taken)
    assert plan.keys[of_game].tolist() == taken
    assert (np.diff(of_game) >= 0).all()
    assert plan.games.offsets.tolist() == [
        *np.searchsorted(of_game, np.arange(len(plan))), len(number),
    ]  # fmt: skip
    for batch in range(len(plan)):
        mine = number[of_game == batch]
        assert len(mine)
        assert plan.batches.day[batch] == end[mine].max()
        assert plan.batches.event[batch] == mine[0]
    codes = given.games.event
    assert codes is not None
    rows = np.arange(len(codes)) if plan.moved is None else plan.moved
    assert plan.event_order[number].tolist() == codes[rows].tolist()
