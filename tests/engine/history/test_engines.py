"""The same bits from every engine, from every checkpoint, and for every edition."""

import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ratingbook.engine.history import History, RatedHistory, rate_history
from ratingbook.engine.history.files import rate_into
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.rules import registry
from tests.engine.history.histories import FAMILIES, history, tables
from tests.seldom import seldom

every_family = pytest.mark.parametrize("name", FAMILIES)


def in_order(table: pa.Table) -> pa.Table:
    return table.sort_by([("batch", "ascending"), ("player", "ascending")])


def same(one: RatedHistory, other: RatedHistory) -> None:
    assert one.changes.equals(other.changes)
    assert one.ratings.equals(other.ratings)


@pytest.mark.parametrize(
    "name",
    seldom(
        [
            "fide-2009",
            *(name for name in FAMILIES if not registry.edition(name).settings.amendments),
        ],
        but=["elo", "egf-2021"],
    ),
)
def test_compiled_for_the_numbers_of_the_edition(name: str, monkeypatch: pytest.MonkeyPatch):
    """Long histories have the parameters as constants of the loops: the same bits."""
    given = history(tables(registry.load(name), 5))
    plain = rate_history(given, name, compiled=False)
    taken: list[object] = []
    constants = Program.constants

    def seen(self: Program, parameters: object) -> object:
        taken.append(constants(self, parameters))
        return taken[-1]

    monkeypatch.setattr(Program, "constants", seen)
    monkeypatch.setattr("ratingbook.engine.history.run.CONSTANTS_FROM", 0)
    same(plain, rate_history(given, name, compiled=True))
    assert {type(each).__name__ for each in taken} == {"Constants"}


@every_family
def test_a_history_that_grew_goes_on_where_it_stood(name: str, tmp_path: Path):
    """A month more: the batches of before are not rated again, and the bits are the same."""
    book = registry.load(name)
    made = tables(book, 5)
    program = Program(book, compiled=False)
    given = history(made).given
    plan = Run(given, program).plan
    # The games of the last quarter of the batches come later, behind those that were there.
    later = int(plan.games.offsets[3 * len(plan) // 4])
    rows = np.arange(len(given.games)) if plan.moved is None else plan.moved
    early, late = np.sort(rows[:later]), np.sort(rows[later:])
    first = {**made, "games": made["games"].take(pa.array(early))}
    grown = {**made, "games": made["games"].take(pa.array(np.r_[early, late]))}
    whole = history(grown).given
    rate_into(tmp_path / "whole", Run(whole, program))
    rate_into(tmp_path / "grown", Run(history(first).given, program))
    written = rate_into(tmp_path / "grown", Run(whole, program))
    assert written.refused == ""
    assert written.resumed_after >= 3 * len(plan) // 4 - 1
    for file in ("ratings.parquet", "changes.parquet"):
        assert pq.read_table(tmp_path / "grown" / file).equals(
            pq.read_table(tmp_path / "whole" / file)
        ), file


@every_family
def test_a_late_game_is_told_and_everything_rated_anew(name: str, tmp_path: Path):
    book = registry.load(name)
    made = tables(book, 6)
    program = Program(book, compiled=False)
    games = made["games"]
    order = games.sort_by("date")
    without = {**made, "games": order.slice(5)}
    rate_into(tmp_path / "late", Run(history(without).given, program))
    whole = history({**made, "games": order}).given
    written = rate_into(tmp_path / "late", Run(whole, program))
    assert "batch" in written.refused
    assert written.resumed_after == 0
    rate_into(tmp_path / "whole", Run(whole, program))
    for file in ("ratings.parquet", "changes.parquet"):
        assert pq.read_table(tmp_path / "late" / file).equals(
            pq.read_table(tmp_path / "whole" / file)
        )


def _equals_replay(corrected, made: dict[str, pa.Table], name: str) -> None:
    again = rate_history(history(made), name, compiled=False)
    assert in_order(corrected.changes).equals(in_order(again.changes))
    assert corrected.ratings.equals(again.ratings)


def test_a_correction_stops_where_standings_coincide_again():
    """Two players who never meet anybody else, and whose change is rounded away."""
    name = "fide-2009"
    made = tables(registry.load(name), 8, games=900)
    rated = rate_history(history(made), name, compiled=False, corrections=True)
    reached = [
        rated.correct({row: 0.5 if made["games"]["score"][row].as_py() != 0.5 else 1.0}).correction
        for row in range(0, len(made["games"]), 60)
    ]
    assert any(each.next_batch < rated.batches for each in reached)
    for each in reached:
        assert each.first_batch <= each.next_batch <= rated.batches


def test_the_folder_says_what_it_does_not_take_up(tmp_path: Path):
    book = registry.load("fide-2009")
    given = history(tables(book, 9)).given
    rate_into(tmp_path, Run(given, Program(book, compiled=False)))
    other = book.with_parameters({"k_rated": "20"})
    written = rate_into(tmp_path, Run(given, Program(other, compiled=False)))
    assert written.refused == "the parameters are others"
    # The name only leads to the rows, which are there.
    (tmp_path / "changes.parquet").unlink()
    written = rate_into(tmp_path, Run(given, Program(other, compiled=False)))
    assert (written.refused, written.resumed_after > 0) == ("", True)
    assert (tmp_path / "changes.parquet").exists()
    shutil.rmtree(tmp_path / ".ratingbook")
    written = rate_into(tmp_path, Run(given, Program(other, compiled=False)))
    assert (written.refused, written.resumed_after) == ("", 0)


def test_tables_of_other_libraries():
    """Polars and pandas tables in and out, by the Arrow PyCapsule interface."""
    polars = pytest.importorskip("polars")
    made = tables(registry.load("fide-2009"), 10)
    expected = rate_history(history(made), "fide-2009", compiled=False)
    for convert in (polars.from_arrow, lambda table: table.to_pandas()):
        games, players = convert(made["games"]), convert(made["players"])
        events = convert(made["events"])
        rated = rate_history(
            History.of(games, players=players, events=events), "fide-2009", compiled=False
        )
        assert rated.changes.equals(expected.changes)
    assert polars.from_arrow(expected.ratings).shape[0] == len(expected.ratings)
    assert polars.DataFrame(expected.ratings).shape[1] == 6


def test_a_correction_names_the_row_of_the_input():
    """Unfinished games stand in the file, and count among its rows."""
    made = tables(registry.load("fide-2009"), 12, games=300)
    games = made["games"]
    scores = games["score"].to_pylist()
    scores[3] = scores[40] = None
    at = games.column_names.index("score")
    open_games = {**made, "games": games.set_column(at, "score", pa.array(scores))}
    rated = rate_history(history(open_games), "fide-2009", compiled=False, corrections=True)
    scores[100] = 0.0 if scores[100] else 1.0
    corrected = rated.correct({100: scores[100]})
    _equals_replay(
        corrected, {**made, "games": games.set_column(at, "score", pa.array(scores))}, "fide-2009"
    )
    with pytest.raises(ValueError, match="no score yet"):
        rated.correct({40: 1.0})
    with pytest.raises(IndexError, match="there is no row"):
        rated.correct({len(games): 1.0})
    plain = rate_history(history(made), "fide-2009", compiled=False)
    with pytest.raises(ValueError, match="corrections=True"):
        plain.correct({0: 1.0})


def test_polars_texts_with_an_unfinished_game():
    polars = pytest.importorskip("polars")
    games = polars.DataFrame(
        {
            "date": ["2010-01-01", "2010-01-02"],
            "white": ["a", "b"],
            "black": ["b", "a"],
            "score": [1.0, None],
        }
    )
    rated = rate_history(games, "fide-2009", assume=1500)
    assert len(rated.changes) == 2
    assert any(each.code == "history.unfinished" for each in rated.findings)


def test_an_edition_out_of_force_is_told():
    made = pa.table({"date": ["2009-07-01"], "white": ["a"], "black": ["b"], "score": [1.0]})
    inside = rate_history(made, "fide-2009", assume=1500)
    assert "edition.outside-validity" not in {each.code for each in inside.findings}
    late = made.set_column(0, "date", pa.array(["2024-07-01"]))
    told = [
        each.message
        for each in rate_history(late, "fide-2009", assume=1500).findings
        if each.code == "edition.outside-validity"
    ]
    assert len(told) == 1
    assert "of 2024-07-01" in told[0]


def test_the_table_of_ratings_is_by_the_last_edition():
    """EGF lists had whole numbers until 2021, and have three decimals since."""
    players = pa.table({"id": ["a", "b", "c"], "rating": [2000.0, 2100.0, 1700.25]})
    days = ["2020-03-01", "2022-03-01"]
    listed = []
    for count in (1, 2):
        made = pa.table({
            "date": days[:count], "event": ["m", "n"][:count],
            "white": ["a"] * count, "black": ["b"] * count, "score": [1.0] * count,
        })  # fmt: skip
        rated = rate_history(made, "egf", players=players, compiled=False)
        rows = {row["player"]: row["after"] for row in rated.changes.to_pylist()}
        found = {row["player"]: row["rating"] for row in rated.ratings.to_pylist()}
        assert {player: found[player] for player in rows} == rows
        listed.append(found["c"])
    assert listed == [1700.0, 1700.25]


def test_a_history_in_which_nobody_is_rated_is_told():
    made = pa.table({"date": ["2009-07-01"], "white": ["a"], "black": ["b"], "score": [1.0]})
    codes = {each.code for each in rate_history(made, "fide-2009").findings}
    assert "history.nobody-rated" in codes
