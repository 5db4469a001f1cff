"""The generator of rating lists, and one small measurement."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.lists import FEDERATIONS, made, measure, players, zipped
from ratingbook.formats.fide.federations import FEDERATIONS as REAL


def test_players_are_plainly_made_up() -> None:
    drawn = list(players(500))
    assert all(each.name.startswith("Nobody") and "Player" in each.name for each in drawn)
    assert len({each.id for each in drawn}) == 500
    assert not REAL.intersection(FEDERATIONS)
    assert drawn == list(players(500))


@pytest.mark.parametrize("kind", ["txt", "xml"])
@pytest.mark.parametrize("what", ["read", "check"])
def test_a_measurement(tmp_path: Path, kind: str, what: str) -> None:
    path = made(tmp_path, kind, 1000)
    for each in (path, zipped(path)):
        found = measure(what, each)
        assert found["speed"] > 0
        assert found["cpu"] > 0
        assert found["peak"] > 10
