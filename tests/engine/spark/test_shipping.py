"""A history comes to a worker as the driver has it, whatever it is made of."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pyarrow as pa
import pytest

from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.intake import read_history
from ratingbook.engine.spark.shipping import ship, unship
from ratingbook.rules import registry


def same(one, other):
    """Whether two values of a field are the same."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.tolist() == other.tolist()
    return one.equals(other) if isinstance(one, pa.Array | pa.Table) else one == other


@pytest.mark.parametrize("book", ["iccf-2009", "elo"])
def test_every_field_comes_back(tmp_path, histories, book):
    tables = histories.said_of_some(
        registry.load(book), histories.tables(registry.load(book), 5, games=60), 5
    )
    games = tables.pop("games")
    scores = [None if row % 7 == 3 else each for row, each in enumerate(games["score"].to_pylist())]
    column = games.column_names.index("score")
    games = games.set_column(column, "score", pa.array(scores, pa.float64()))
    given, findings = read_history(games, **tables)
    assert given is not None, list(findings)
    assert len(given.left_out)
    ship(given, tmp_path / "shipped")
    found = unship(tmp_path / "shipped")
    for each in fields(HistoryInput):
        if each.name != "games":
            assert same(getattr(given, each.name), getattr(found, each.name)), each.name
    for each in fields(given.games):
        assert same(getattr(given.games, each.name), getattr(found.games, each.name)), each.name
