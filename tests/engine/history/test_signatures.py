"""By what a batch is known again: all on which it depends, and nothing else."""

from __future__ import annotations

from datetime import date

import pyarrow as pa
import pytest

from ratingbook.engine.history import History
from ratingbook.engine.history import signatures as module
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.run import Run
from ratingbook.rules import registry
from tests.engine.history.histories import FAMILIES, history, tables


def run_of(name: str, given: History) -> Run:
    return Run(given.given, Program(registry.load(name), compiled=False), rows=False)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("block", [1, 3, 40])
def test_it_is_no_matter_how_many_games_are_looked_at_together(
    name: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(name, history(tables(registry.load(name), 2, games=120, players=20)))
    marks = run.signatures()
    monkeypatch.setattr(module, "_BLOCK", block)
    assert (run.signatures() == marks).all()


def test_what_is_said_of_an_event_is_in_the_signature_of_its_batch() -> None:
    games = pa.table({
        "date": [date(2022, month, 5) for month in (1, 2, 3)], "event": ["a", "b", "c"],
        "white": ["ann"] * 3, "black": ["ben"] * 3, "score": [1.0] * 3,
    })  # fmt: skip

    def marks(class_: str) -> list[int]:
        events = pa.table({"event": ["a", "b", "c"], "class": ["A", class_, "A"]})
        players = pa.table({"id": ["ann", "ben"], "rating": [2000.0, 2000.0]})
        found: list[int] = (
            run_of("egf-2021", History.of(games, events=events, players=players))
            .signatures()
            .tolist()
        )
        return found

    usual, other = marks("A"), marks("C")
    assert [one == another for one, another in zip(usual, other, strict=True)] == [
        True, False, True,
    ]  # fmt: skip
