"""What was rated goes to other processes, and back, as what it was."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import ratingbook as rb
from ratingbook.rules import registry

GAMES = [
    {"date": "2024-01-05", "event": "E", "white": "a", "black": "b", "score": 1.0},
    {"date": "2024-03-05", "event": "F", "white": "b", "black": "a", "score": 0.5},
]
POOLS = [
    {**game, "pool": pool} for game, pool in zip(GAMES, ("rapid", "standard"), strict=True)
]  # fmt: skip


def sent(rated: Any) -> Any:
    return pickle.loads(pickle.dumps(rated))


@pytest.mark.parametrize("name", [*registry.families(), "elo", "iccf-2009", "iecg-1999"])
def test_a_rated_history(name: str) -> None:
    rated: Any = rb.history(GAMES, name, corrections=True, progress=False, compiled=False)
    again = sent(rated)
    assert (again.ratings, again.changes) == (rated.ratings, rated.changes)
    assert [*again.findings] == [*rated.findings]
    # It can be asked on, too: the rules are linked again where it came to.
    assert again.explain("a")[0].explanation == rated.explain("a")[0].explanation
    corrected = rated.correct({0: 0})
    assert again.correct({0: 0}).ratings == corrected.ratings
    assert sent(corrected).preview == corrected.preview


def test_a_history_of_pools() -> None:
    rated: Any = rb.history(POOLS, "fide", corrections=True, progress=False, assume=1500)
    again = sent(rated)
    assert (again.pools, again.changes) == (rated.pools, rated.changes)
    assert again.correct({0: 0}).ratings == rated.correct({0: 0}).ratings


def test_a_compiled_one() -> None:
    rated: Any = rb.history(GAMES, "elo", corrections=True, progress=False, compiled=True)
    again = sent(rated)
    assert again.run.program.compiled
    assert again.correct({0: 0}).ratings == rated.correct({0: 0}).ratings


def test_a_report_and_an_explanation() -> None:
    rated = rb.rate("examples/reports/spring-open.trf", "fide-2009")
    assert sent(rated).players == rated.players
    assert str(sent(rated.explain("Foxtrot"))) == str(rated.explain("Foxtrot"))
