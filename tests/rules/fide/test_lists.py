"""The list of a day: who is marked, and the day on which each edition's examples are played."""

from __future__ import annotations

from datetime import date

import pyarrow as pa
import pytest

from ratingbook.engine.history import History, rate_history
from ratingbook.engine.rate import rate
from ratingbook.formats.document.read import report_from
from ratingbook.model import Entry, Event, Standing
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from ratingbook.rules.fide.columns import CapRule, Parameters
from ratingbook.rules.fide.events import facts_of
from ratingbook.rules.fide.expected import is_capped_once
from ratingbook.rules.fide.listing import is_inactive
from ratingbook.rules.listing import Member

EDITIONS = [name for name in registry.names() if name.startswith("fide-")]


@pytest.mark.parametrize(
    ("last", "inactive"),
    [(date(2009, 6, 30), True), (date(2009, 7, 1), False), (None, False)],
)
def test_a_year_without_a_game_is_twelve_months(last: date | None, inactive: bool) -> None:
    """Paragraph 10: the list of July 2010 looks back on the twelve months from July 2009 on."""
    member = Member(Entry("A", standing=Standing(2400, last_played=last)))
    assert is_inactive(member, date(2010, 7, 1)) is inactive


@pytest.mark.parametrize("name", EDITIONS)
def test_the_examples_of_an_edition_are_played_while_it_is_in_force(name: str) -> None:
    book = registry.load(name)
    assert isinstance(book, RuleBook)
    text = book.text
    assert text.examples
    for example in text.examples:
        event = example.document["event"]
        assert isinstance(event, dict)
        start = date.fromisoformat(event["start"])
        assert text.valid_from is not None
        assert text.valid_from <= start <= (text.valid_until or date.max)


@pytest.mark.parametrize(("own", "once"), [(2400, False), (2401, True)])
def test_a_difference_of_400_uses_no_upgrade(own: int, once: bool) -> None:
    """Of 2022: only a difference of more than 400 points counts as 400, so only that is one."""
    rules = facts_of(Event(), Parameters(cap_rule=CapRule.ONE_UPGRADE))
    assert is_capped_once(own, 2000, 400, rules) is once


@pytest.mark.parametrize(("last", "is_split"), [("2024-08-12", False), ("2024-08-13", True)])
def test_5e_an_event_of_31_days_is_rated_by_months(last: str, is_split: bool) -> None:
    """From 14 July to 13 August both ends are played on: more than 30 days."""
    days = ("2024-07-14", "2024-07-20", last)
    report = report_from(
        {
            "ratingbook": "report/1",
            "event": {"start": days[0], "end": last},
            "players": [{"id": p, "standing": {"rating": 2000, "games": 50}} for p in ("A", "B")],
            "games": [
                {"round": n, "white": "A", "black": "B", "result": "1-0", "start": day, "end": day}
                for n, day in enumerate(days, 1)
            ],
        }
    )
    found = rate(report, registry.load("fide-2024"))
    assert [each.row.games for each in found.rows if each.row.id == "A"] == (
        [2, 1] if is_split else [3]
    )
    games = pa.table({
        "date": [date.fromisoformat(day) for day in days], "event": ["E"] * 3,
        "white": ["A"] * 3, "black": ["B"] * 3, "score": [1.0] * 3,
    })  # fmt: skip
    players = pa.table({"id": ["A", "B"], "rating": [2000, 2000], "games": [50, 50]})
    given = History.of(games, players=players)
    made = rate_history(given, registry.load("fide-2024"), compiled=False)
    rows = [row["games"] for row in made.changes.to_pylist() if row["player"] == "A"]
    assert rows == ([2, 1] if is_split else [3])
