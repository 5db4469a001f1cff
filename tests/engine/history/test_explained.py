"""What explanations of histories say besides the numbers: of events, in the words of reports."""

from __future__ import annotations

from datetime import date

import pyarrow as pa
import pytest

from ratingbook.engine.history import rate_history
from ratingbook.engine.rate import rate
from ratingbook.engine.report.run import ReportRun
from ratingbook.model import Entry, Event, Game, Report, Result, Standing
from ratingbook.rules import registry


def test_the_event_is_explained_as_in_a_report():
    """ICCF: the level of a tournament of the master class stands in the table of item 11."""
    day = date(2011, 2, 5)
    games = pa.table(
        {"date": [day], "event": ["m"], "white": ["ann"], "black": ["ben"], "score": [1.0]}
    )
    players = pa.table({"id": ["ann"], "rating": [2000.0], "games": [50]})
    events = pa.table({"event": ["m"], "category": ["master_class"]})
    history = rate_history(games, "iccf-2009", players=players, events=events, compiled=False)
    (row,) = history.explain("ann")
    report = Report(
        Event(name="m", category="master_class"),
        (Entry("ann", standing=Standing(rating=2000, games=50)), Entry("ben")),
        (Game("ann", "ben", Result.WHITE_WINS, start=day, end=day),),
    )
    told = rate(report, registry.load("iccf-2009"), explain=["ann"]).rows[0]
    of_event, of_report = (
        [step.text for step in steps if step.paragraph == "11"]
        for steps in (row.explanation, told.explanation)
    )
    assert of_event == of_report
    assert of_event[0] == "master_class: level 2200"


def test_who_was_replaced_is_asked_for_too():
    """ICCF 18: a substitute's loss counts for the player who should have played."""
    day = date(2011, 2, 5)
    games = pa.table(
        {
            "date": [day], "event": ["m"], "white": ["ann"], "white_for": ["eve"],
            "black": ["ben"], "score": [0.0],
        }
    )  # fmt: skip
    players = pa.table(
        {"id": ["ann", "ben", "eve"], "rating": [2000.0, 2100.0, 2300.0], "games": [50, 50, 50]}
    )
    events = pa.table({"event": ["m"], "category": ["master_class"]})
    history = rate_history(games, "iccf-2009", players=players, events=events, compiled=False)
    assert [row["player"] for row in history.changes.to_pylist()] == ["ben", "eve"]
    (row,) = history.explain("eve")
    assert row.row.games == 1
    assert "18" in [step.paragraph for step in row.explanation]


def test_an_event_that_no_table_describes_is_explained_as_without_the_table():
    columns = {"date": [date(2011, 2, 5)], "event": ["n"], "white": ["ann"], "black": ["ben"]}
    games = pa.table({**columns, "score": [1.0]})
    players = pa.table({"id": ["ann", "ben"], "rating": [2000.0, 2100.0], "games": [50, 50]})
    events = pa.table({"event": ["m"], "category": ["master_class"]})
    told = [
        rate_history(games, "iccf-2009", players=players, compiled=False, **more).explain("ann")
        for more in ({}, {"events": events})
    ]
    (one,), (other,) = told
    assert one.explanation == other.explanation
    assert one.row.after == other.row.after


def test_whoever_is_replaced_is_asked_for_wherever_the_name_stands():
    """The same two games, in whose names the replaced player is the first or the last of all."""
    made = {}
    for replaced in ("aaa", "zoe"):
        games = pa.table({
            "date": [date(2011, 2, 5)] * 2, "event": ["m", "n"], "white": ["ann", "ben"],
            "white_for": [replaced, None], "black": ["ben", "ann"],
            "black_for": [None, replaced], "score": [0.0, 1.0],
        })  # fmt: skip
        players = pa.table(
            {"id": ["ann", "ben", replaced], "rating": [2000.0, 2100.0, 2300.0], "games": [50] * 3}
        )
        history = rate_history(games, "iccf-2009", players=players, compiled=False)
        rows = sorted(history.changes.drop_columns(["player"]).to_pylist(), key=str)
        (row,) = history.explain(replaced)
        steps = [step.text.replace(replaced, "eve") for step in row.explanation]
        named = {step.game for step in row.explanation if step.game}
        made[replaced] = rows, row.row.games, row.row.after, steps, named
    assert made["aaa"] == made["zoe"]
    assert made["aaa"][1] == 2
    assert made["aaa"][-1] == {"m, white against ben", "n, black against ben"}


@pytest.mark.parametrize(("kind", "met"), [("swiss", 2), ("round_robin", 3)])
def test_others_games_are_rated_again_only_where_the_rules_look_at_them(monkeypatch, kind, met):
    """FIDE 6g: a round robin with an unrated player is seen as a whole, a Swiss game by game."""
    pairs = [("ann", "ben"), ("ben", "cid"), ("cid", "ann")]
    games = pa.table({
        "date": [date(2011, 2, 5)] * 3, "event": ["m"] * 3, "white": [one for one, _ in pairs],
        "black": [other for _, other in pairs], "score": [1.0] * 3,
    })  # fmt: skip
    players = pa.table({"id": ["ann", "ben"], "rating": [2000.0, 2100.0], "games": [50, 50]})
    events = pa.table({"event": ["m"], "kind": [kind]})
    history = rate_history(games, "fide-2009", players=players, events=events, compiled=False)
    rated = []
    together = ReportRun.rate_together

    def seen(self, batch, *given, **named):
        rated.append(len(batch.games))
        return together(self, batch, *given, **named)

    monkeypatch.setattr(ReportRun, "rate_together", seen)
    (row,) = history.explain("ann")
    (change,) = (each for each in history.changes.to_pylist() if each["player"] == "ann")
    assert rated == [met]
    assert (row.row.after, row.row.games) == (change["after"], change["games"])


def test_how_a_player_came_in_is_told_once_and_of_then():
    """IECG: who has played is no new player in later periods; the file says who came with what."""
    days = [date(1999, 7, 10), date(1999, 9, 10)]
    games = pa.table(
        {"date": days, "white": ["ann", "ann"], "black": ["ben", "ben"], "score": [1.0, 1.0]}
    )
    players = pa.table({"id": ["aaa", "ben"], "rating": [1500.0, 1700.0], "games": [20, 20]})
    history = rate_history(games, "iecg-1999", players=players, compiled=False)

    def told(player: str, day: date) -> list[str]:
        (row,) = history.explain(player, day)
        return [step.text for step in row.explanation if step.paragraph in ("III.2", "III.7")]

    first, later = history.changes.to_pydict()["date"][:: len(history.changes) - 1]
    assert told("ann", first) == [
        "no rating and no games before: a new player, who gets a starting rating",
        "before the period: TER = 800 (starting, games finished: 0)",
        "on the new list: TER = 800 (provisional, games finished: 1)",
    ]
    assert told("ann", later) == ["on the new list: TER = 800 (provisional, games finished: 2)"]
    assert told("ben", first)[0] == (
        "before the period: TER = 1700 (established, games finished: 20)"
    )


def test_a_fixed_rating_is_told_without_the_item_that_is_not_its_own():
    """ICCF: item 5 is of fewer than 30 games; a stream of games is counted for both items."""
    day = date(2011, 2, 5)
    games = pa.table({"date": [day], "white": ["ann"], "black": ["ben"], "score": [1.0]})
    players = pa.table({"id": ["ann", "ben"], "rating": [2000.0, 2100.0], "games": [50, 12]})
    history = rate_history(games, "iccf-2009", players=players, compiled=False)
    (fixed,), (new,) = history.explain("ann"), history.explain("ben")
    assert [step.paragraph for step in fixed.explanation if step.game] == ["8", "4", "7"]
    assert {step.paragraph for step in new.explanation if step.game} == {"5"}
    made = {row["player"]: row["after"] for row in history.changes.to_pylist()}
    assert [row.row.after for row in (fixed, new)] == [made["ann"], made["ben"]]
