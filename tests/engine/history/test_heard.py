"""What a run hears of other pools, wherever it comes from."""

from __future__ import annotations

import numpy as np
import pytest

from ratingbook.engine.history.api import program_for
from ratingbook.engine.history.heard import Heard, Rows
from ratingbook.rules import registry


@pytest.fixture
def heard() -> Heard:
    """Of quick: player 0 is told twice before batch 1, loses the rating before 3; 1 has none."""
    rows = [
        (1, 10, 0, "quick", 1500.0, 5), (1, 12, 0, "quick", 1510.0, 8),
        (1, 12, 2, "regular", 1900.0, 30), (3, 30, 0, "quick", np.nan, -1),
    ]  # fmt: skip
    batch, day, player, pool, rating, games = zip(*rows, strict=True)
    return Heard(
        Rows(
            np.array(batch), np.array(day), np.array(player, np.int32), np.array(pool, object),
            np.array(rating), np.array(games, np.int32),
        ),
        program_for(registry.load("uscf-2025"), 0, None), 3,
    )  # fmt: skip


def told(found):
    players, others = found
    return {
        int(player): (float(one["quick"]), int(one["quick_games"]), float(one["regular"]))
        for player, one in zip(players, others, strict=True)
    }


def nothing(heard):
    return heard._others._field_defaults


def test_the_last_of_several_holds_and_who_is_told_nothing_stays(heard):
    none = nothing(heard)
    assert told(heard.before(0)) == {}
    assert told(heard.before(1)) == {
        0: (1510.0, 8, none["regular"]), 2: (none["quick"], none["quick_games"], 1900.0)
    }  # fmt: skip
    assert told(heard.before(2)) == {}
    assert told(heard.before(3)) == {0: (none["quick"], none["quick_games"], none["regular"])}


def test_a_run_that_goes_back_hears_what_it_heard_then(heard):
    first = told(heard.before(1))
    heard.before(3)
    assert told(heard.before(1)) == first
    # Up to a day that lies before the rest of them.
    assert told(heard.before(1, 11)) == {0: (1500.0, 5, nothing(heard)["regular"])}
    assert told(heard.before(1)) == first


def test_a_run_that_begins_later_knows_what_was_said_before(heard):
    assert told(heard.before(3))[0][0] == nothing(heard)["quick"]
    assert list(heard.batches) == [1, 1, 1, 3]
