"""What is asked of Python: refused where it cannot be meant."""

from __future__ import annotations

import pyarrow as pa
import pytest

from ratingbook.engine.history import History, HistoryRefused, rate_history
from ratingbook.model import Severity

GAMES = pa.table({"date": ["2010-01-01"], "white": ["a"], "black": ["b"], "score": [1.0]})
PLAYERS = pa.table({"id": ["a", "b"], "rating": [2000.0, 1900.0]})


def test_a_history_has_its_players():
    assert len(rate_history(GAMES, "fide-2009", players=PLAYERS).changes) == 2
    with pytest.raises(TypeError, match=r"History\.of"):
        rate_history(History.of(GAMES), "fide-2009", players=PLAYERS)


@pytest.mark.parametrize("assume", [-1.0, 1e9, float("nan"), float("inf")])
def test_an_assumed_rating_is_one_that_the_edition_knows(assume: float):
    with pytest.raises(ValueError, match="an assumed rating lies between"):
        rate_history(GAMES, "fide-2009", assume=assume)


def test_no_games():
    with pytest.raises(HistoryRefused, match="No games are given"):
        rate_history([], "fide-2009")
    with pytest.raises(HistoryRefused, match="There is no game"):
        rate_history([GAMES[:0], GAMES[:0]], "fide-2009")


def test_a_table_without_games_among_others_is_told():
    rated = rate_history([GAMES[:0], GAMES, GAMES[:0]], "fide-2009", players=PLAYERS)
    assert len(rated.changes) == 2
    told = [each for each in rated.findings if each.code == "history.empty"]
    assert [each.severity for each in told] == [Severity.WARNING]


def test_a_history_is_shown_by_its_size():
    assert repr(History.of(GAMES)) == "<1 game, 2 players, 0 events>"


@pytest.mark.parametrize("kind", [pa.string(), pa.dictionary(pa.int8(), pa.large_string())])
def test_spaces_around_an_id_are_none_of_it(kind: pa.DataType):
    games = {"date": ["2010-01-01"] * 2, "white": ["a ", "a"], "black": ["b", "\tb"]}
    table = pa.table({**games, "score": [1.0, 0.5]})
    for name in ("white", "black"):
        at = table.column_names.index(name)
        table = table.set_column(at, name, table[name].cast(kind))
    rated = rate_history(table, "fide-2009", players=PLAYERS)
    assert rated.ratings["player"].to_pylist() == ["a", "b"]
    assert rated.changes["games"].to_pylist() == [2, 2]
