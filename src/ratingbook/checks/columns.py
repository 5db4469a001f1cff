"""The checks of an edition that rates histories."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.checks.chains import (
    histories_are_chains_of_reports,
    reports_and_histories_run_the_same_rules,
)
from ratingbook.checks.histories import history, said_of_some, tables
from ratingbook.checks.pools import pools_rated_together_are_chains_of_reports
from ratingbook.engine.history import RatedHistory, rate_history
from ratingbook.engine.history.files import rate_into
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.rules.series import BookOrSeries

_FILES = ("ratings.parquet", "changes.parquet", "batches.parquet")
_GAMES_AT_ONCE = 40
_CALLS_BEFORE_A_STOP = 3
_CORRECTIONS = 6
_EXPLAINED = 40
_EXPLAINED_NUMBERS = ("before", "after", "games", "score", "expected")


class _Stopped(Exception):
    """Stands for whatever ends a run in the middle."""


def histories_are_the_same_compiled(book: BookOrSeries) -> None:
    """Compiled, the rule functions give the bits that they give in plain Python."""
    for seed in range(2):
        given = history(tables(book, seed))
        plain = rate_history(given, book, compiled=False)
        assert len(plain.changes), "nobody is rated in a history that is drawn at random"
        assert _same(plain, rate_history(given, book, compiled=True)), "compiled it is other bits"


def names_and_the_order_of_a_history_change_nothing(book: BookOrSeries) -> None:
    """Relabelled players, and the rows in another order, give the same.

    So do relabelled events where lists are rated; elsewhere their ids are their order.
    """
    made = said_of_some(book, tables(book, 2), 2)
    chance = random.Random(3)
    ids = sorted({*_texts(made["games"], "white"), *_texts(made["games"], "black"),
                  *_texts(made["players"], "id")})  # fmt: skip
    labels = [f"q{number:03}" for number in range(len(ids))]
    chance.shuffle(labels)
    names = dict(zip(ids, labels, strict=True))
    rows = list(range(len(made["games"])))
    chance.shuffle(rows)
    moved = dict(made)
    if book.bulk is not None and book.bulk.calendar is not None:
        events = _texts(made["events"], "event")
        called = dict(zip(events, chance.sample(events, len(events)), strict=True))
        for table in ("games", "events", "entries"):
            moved[table] = _renamed(made[table], "event", called)
    games = moved["games"]
    for column in ("white", "black", "white_for", "black_for"):
        games = _renamed(games, column, names)
    moved = {
        **moved,
        "games": games.take(rows),
        "players": _renamed(made["players"], "id", names),
        "entries": _renamed(moved["entries"], "player", names),
        "decisions": _renamed(moved["decisions"], "player", names),
    }
    plain = rate_history(history(made), book, compiled=False).changes
    again = rate_history(history(moved), book, compiled=False).changes
    plain = _renamed(plain, "player", names)
    if "game" in plain.column_names:
        # The row of the file, in which the games are in another order.
        plain, again = plain.drop_columns(["game"]), again.drop_columns(["game"])
    assert _in_order(again).equals(_in_order(plain)), "it depends on names or on the order"


def stopped_histories_go_on_to_the_same_bits(book: BookOrSeries) -> None:
    """Stopped again and again, and taken up from what it left, a run gives the same files."""
    given = history(said_of_some(book, tables(book, 4), 4)).given
    program = Program(book, compiled=False)
    with TemporaryDirectory() as folder:
        whole, stopped = Path(folder) / "whole", Path(folder) / "stopped"
        rate_into(whole, Run(given, program), seconds=0)
        stops, stood = 0, -1
        while (begun := _stopped_at(Run(given, program), stopped)) is not None:
            assert begun > stood, "stopped, it begins anew: the rules are no more the same"
            stops, stood = stops + 1, begun
        assert stops, "the history is too short to be stopped"
        for file in _FILES:
            before, after = pq.read_table(whole / file), pq.read_table(stopped / file)
            assert after.equals(before), f"{file} differs after {stops} stops"


def corrected_histories_are_full_replays(book: BookOrSeries) -> None:
    """Other results and games taken out: as if the file had said so from the beginning."""
    made = said_of_some(book, tables(book, 7, games=500), 7)
    games = made["games"]
    rated = rate_history(history(made), book, compiled=False, corrections=True)
    chance = random.Random(5)
    for number in range(_CORRECTIONS):
        rows = chance.sample(range(len(games)), chance.choice([1, 2, 3]))
        scores = {row: chance.choice([None, 0.0, 0.5, 1.0]) for row in rows}
        if number == 0:
            # The first one says what is there already, and so reaches nothing.
            scores = {0: games["score"][0].as_py(), len(games) - 1: None}
        again = rate_history(history(_corrected(made, scores)), book, compiled=False)
        corrected = rated.correct(scores)
        assert _in_order(corrected.changes).equals(_in_order(again.changes)), (
            f"{scores}: the changes are not those of a full replay"
        )
        assert corrected.ratings.equals(again.ratings), f"{scores}: other ratings"


def changes_of_histories_are_explained(book: BookOrSeries) -> None:
    """Any change can be asked for: the explanation has its numbers and ends in the new rating."""
    given = history(said_of_some(book, tables(book, 9), 9))
    rated = rate_history(given, book, compiled=False, corrections=True)
    changes = rated.changes.to_pylist()
    for change in random.Random(9).sample(changes, min(_EXPLAINED, len(changes))):
        rows = rated.explain(change["player"], change["batch"])
        told = [
            {name: getattr(each.row, name) for name in _EXPLAINED_NUMBERS}
            for each in rows
            if each.row.games
        ]
        wanted = {name: change[name] for name in _EXPLAINED_NUMBERS}
        assert wanted in told, f"{change} is explained as {told}"
        for each in rows:
            if each.row.after is not None:
                assert each.explanation, f"{change} is not explained"
                last = each.explanation[-1]
                assert last.value == each.row.after, f"{change}: {last} is not its number"


CHECKS_OF_HISTORIES = (
    histories_are_chains_of_reports,
    reports_and_histories_run_the_same_rules,
    pools_rated_together_are_chains_of_reports,
    histories_are_the_same_compiled,
    names_and_the_order_of_a_history_change_nothing,
    stopped_histories_go_on_to_the_same_bits,
    corrected_histories_are_full_replays,
    changes_of_histories_are_explained,
)


def _stopped_at(run: Run, folder: Path) -> int | None:
    """Rate into the folder, and stop soon: where it began, in games; None: it came through."""
    run.games_at_once = _GAMES_AT_ONCE
    seen: list[int] = []

    def stop_soon(rated: int, total: int) -> None:
        seen.append(rated)
        if len(seen) == _CALLS_BEFORE_A_STOP and rated < total:
            raise _Stopped

    try:
        rate_into(folder, run, seconds=0, progress=stop_soon)
    except _Stopped:
        return seen[0]
    return None


def _same(one: RatedHistory, other: RatedHistory) -> bool:
    return bool(one.changes.equals(other.changes) and one.ratings.equals(other.ratings))


def _in_order(table: pa.Table) -> pa.Table:
    return table.sort_by([("batch", "ascending"), ("player", "ascending")])


def _texts(table: pa.Table, column: str) -> list[str]:
    found: list[str] = table[column].to_pylist()
    return found


def _renamed(table: pa.Table, column: str, names: dict[str, str]) -> pa.Table:
    values = pa.array([names.get(value) for value in _texts(table, column)], pa.string())
    return table.set_column(table.column_names.index(column), column, values)


def _corrected(
    made: dict[str, pa.Table], scores: Mapping[int, float | None]
) -> dict[str, pa.Table]:
    """The same tables with other results; a game that is taken out has none."""
    games = made["games"]
    said = games["score"].to_pylist()
    for row, score in scores.items():
        said[row] = score
    games = games.set_column(games.column_names.index("score"), "score", pa.array(said))
    return {**made, "games": games}
