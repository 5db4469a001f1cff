"""Dated decisions of the office: when they hold, what they change, and what is told of them."""

from __future__ import annotations

import random
from datetime import date

import numpy as np
import pyarrow as pa
import pytest

from ratingbook.checks.histories import said_of_some, tables
from ratingbook.engine.history import History, rate_history
from ratingbook.engine.history.decided import USED, same_decisions
from ratingbook.engine.history.files import rate_into
from ratingbook.engine.history.program import Program
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.history.run import Run
from ratingbook.rules import registry
from ratingbook.rules.bulk import NO_NUMBER

GAMES = pa.table(
    {
        "date": [date(2010, 1, 5), date(2010, 3, 5), date(2010, 5, 7)],
        "event": ["a", "b", "c"],
        "white": ["ann", "ben", "ann"],
        "black": ["ben", "eve", "eve"],
        "score": [1.0, 0.5, 0.0],
    }
)
PLAYERS = pa.table(
    {"id": ["ann", "ben", "eve"], "rating": [2000.0, 2100.0, 2200.0], "games": [50, 50, 50]}
)


def decided(*rows):
    names = ("player", "date", "kind", "value")
    return pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows])


def rated(decisions, **options):
    return rate_history(
        GAMES, "fide-2009", players=PLAYERS, decisions=decisions, compiled=False, **options
    )


def after(history, player):
    return [row["after"] for row in history.changes.to_pylist() if row["player"] == player]


def test_the_computation_starts_from_what_was_decided():
    """By table 8.1.2 a difference of 50 is expected to score 0.43: 15 × 0.57 = 8.55 for the win."""
    history = rated(decided(("ann", date(2010, 1, 1), "base_rating", 2050)))
    assert after(history, "ann")[0] == 2059
    row = next(row for row in history.changes.to_pylist() if row["player"] == "ann")
    assert row["before"] == 2000, "what was published stays what it was"


def test_a_decision_holds_until_a_game_is_rated_and_no_longer():
    """From 2050 against 2198 a loss costs 15 × 0.30 = 4.5; from 2059 it costs 15 × 0.31 = 4.65."""
    plain, later = rated(None), rated(decided(("ann", date(2010, 3, 2), "base_rating", 2050)))
    assert after(plain, "ann") == [2010, 2010 - 4]
    assert after(later, "ann")[0] == 2010
    assert after(later, "ann")[1] in (2045, 2046)
    assert after(rated(decided(("ann", date(2009, 12, 1), "base_rating", 2050))), "ann") == [
        2059,
        2059 - 5,
    ]


def test_the_later_of_two_decisions_holds():
    both = decided(
        ("ann", date(2009, 12, 20), "base_rating", 2500),
        ("ann", date(2009, 12, 1), "base_rating", 1500),
    )
    assert after(rated(both), "ann") == after(rated(both.slice(0, 1)), "ann")


def test_the_explanation_names_the_decision():
    history = rated(decided(("ann", date(2010, 1, 1), "base_rating", 2050)))
    (row,) = history.explain("ann", 0)
    told = [step.text for step in row.explanation]
    assert "by decision of the office the computation starts from 2050, not 2000" in told
    assert row.explanation[-1].value == 2059
    (later,) = history.explain("ann")
    assert not any("by decision" in step.text for step in later.explanation)


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([("ann", date(2010, 1, 1), "reset_rating", 2050)], "history.decision-kind"),
        ([("ann", date(2010, 1, 1), "base_rating", 20500)], "history.rating-range"),
        ([("ann", date(2010, 1, 1), "base_rating", 2050.5)], "history.whole-rating"),
        ([("ann", date(2010, 1, 1), "base_rating", 2050)] * 2, "history.repeated-decision"),
        ([("ann", date(2010, 1, 1), "base_rating", None)], "history.no-value"),
        ([("ann", None, "base_rating", 2050)], "history.no-value"),
        ([("ann", date(2010, 1, 1), "", 2050)], "history.no-value"),
        ([("ann", date(2010, 1, 1), "base_rating", "much")], "history.value"),
    ],
    ids=["kind", "range", "whole", "twice", "no value", "no day", "no kind", "no number"],
)
def test_what_is_no_decision_is_refused(rows, code):
    with pytest.raises(HistoryRefused) as refused:
        rated(decided(*rows))
    assert code in {each.code for each in refused.value.findings}


@pytest.mark.parametrize(
    "row",
    [
        ("ann", date(2012, 1, 1), "base_rating", 2050),
        ("ben", date(2010, 5, 2), "base_rating", 2050),
        ("zoe", date(2010, 1, 1), "base_rating", 2050),
    ],
    ids=["after the last list", "after the last game", "of nobody who plays"],
)
def test_a_decision_that_nothing_uses_is_told(row):
    history = rated(decided(row))
    (told,) = [each for each in history.findings if each.code == "history.decision-unused"]
    assert told.message.startswith("1 decision is not used")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (2050, 2050, True),
        (NO_NUMBER, NO_NUMBER, True),
        (2050, 2060, False),
        (2050, NO_NUMBER, False),
        (None, NO_NUMBER, True),
        (None, 2050, False),
        (None, None, True),
    ],
)
def test_what_is_pending_of_two_runs_is_compared(one, other, same):
    """A run without decisions has no records: it is as one with records that say nothing."""
    sides = [pending(value) for value in (one, other)]
    assert same_decisions(*sides) is same
    assert same_decisions(*reversed(sides)) is same


def test_a_decision_that_was_used_is_another_than_one_that_was_not():
    used = pending(2050)
    used[USED] = 1
    assert not same_decisions(used, pending(2050))


def pending(value):
    kind = np.dtype([("base_rating", np.float64), (USED, np.int32)])
    return np.array([] if value is None else [(NO_NUMBER, 0), (value, 0)], kind)


@pytest.mark.parametrize("name", ["fide-2014", "uscf-2011", "egf-2013"])
def test_other_decisions_are_corrections(name):
    book = registry.load(name)
    made = said_of_some(book, tables(book, 17, games=400, players=30), 17)
    every = made["decisions"]
    assert len(every) > 10
    old = rate_history(of(made, every), book, compiled=False, corrections=True)
    chance = random.Random(3)
    for _ in range(4):
        kept = sorted(chance.sample(range(len(every)), len(every) - 2))
        values = [value + 100.0 * (place == kept[0]) for place, value in
                  zip(kept, every["value"].take(kept).to_pylist(), strict=True)]  # fmt: skip
        now = every.take(kept).set_column(3, "value", pa.array(values))
        again = rate_history(of(made, now), book, compiled=False)
        corrected = old.correct(of(made, now))
        assert in_order(corrected.changes).equals(in_order(again.changes))
        assert corrected.ratings.equals(again.ratings)
    nothing = old.correct(of(made, every.slice(0, 0)))
    plain = rate_history(of(made, None), book, compiled=False)
    assert in_order(nothing.changes).equals(in_order(plain.changes))
    back = rate_history(of(made, None), book, compiled=False, corrections=True)
    assert in_order(back.correct(of(made, every)).changes).equals(in_order(old.changes))


def of(made, decisions):
    beside = {name: made[name] for name in ("players", "events", "entries") if len(made[name])}
    return History.of(made["games"], decisions=decisions, **beside)


def in_order(table):
    return table.sort_by([("batch", "ascending"), ("player", "ascending")])


def test_a_folder_begins_anew_where_something_else_was_decided(tmp_path):
    program = Program(registry.load("fide-2009"), compiled=False)

    def rate(decisions):
        given = History.of(GAMES, players=PLAYERS, decisions=decisions).given
        return rate_into(tmp_path, Run(given, program), seconds=0)

    first = decided(("ann", date(2010, 1, 1), "base_rating", 2050))
    assert rate(first).resumed_after == 0
    assert rate(first).resumed_after == 2
    late = decided(
        ("ann", date(2010, 1, 1), "base_rating", 2050),
        ("eve", date(2010, 5, 2), "base_rating", 2300),
    )
    assert rate(late).resumed_after == 2
    other = rate(decided(("ann", date(2010, 1, 1), "base_rating", 2060)))
    assert other.resumed_after == 0
    assert "the games of batch 0" in other.refused


PARTS = pa.table(
    {"event": ["open A", "open B"], "part_of": ["open", "open"], "turn": [1, 2],
     "kind": [None, "swiss"]}
)  # fmt: skip


@pytest.mark.parametrize(
    ("sections", "events"),
    [([("open", "A"), ("open", "B"), ("later", "A")], None),
     ([("open A", "A"), ("open B", "B"), ("later", "A")], PARTS)],
)  # fmt: skip
def test_what_lasts_holds_for_all_sections_of_an_event_and_in_no_other(
    sections: list[tuple[str, str]], events: pa.Table | None
) -> None:
    """US Chess: the ceiling of a player, who wins in two sections of one event and in another.

    Also where the sections are events of their own, which are parts of one.
    """
    games = pa.table(
        {
            "date": [date(2012, 1, 8), date(2012, 1, 8), date(2012, 2, 5)],
            "event": [event for event, _ in sections],
            "section": [section for _, section in sections],
            "white": ["ann"] * 3,
            "black": ["ben", "eve", "ben"],
            "score": [1.0] * 3,
        }
    )
    players = pa.table(
        {"id": ["ann", "ben", "eve"], "rating": [1890.0, 2000.0, 2000.0], "games": [50, 50, 50]}
    )
    ceiling = decided(("ann", date(2012, 1, 1), "ceiling", 1900))
    history = rate_history(
        games, "uscf-2011", players=players, decisions=ceiling, events=events, compiled=False
    )
    first, second, third = after(history, "ann")
    assert first == second == 1900
    assert third > 1900
