"""Reports that lie at the edge of an edition, and what is told of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pyarrow as pa

from ratingbook.engine.history import rate_history
from ratingbook.engine.rate import Rating, rate
from ratingbook.model import Entry, Event, Game, Report, Result, Standing
from ratingbook.rules import registry


def _entry(number: str, rating: float | None, birth_year: int | None = None) -> Entry:
    return Entry(number, standing=Standing(rating=rating, games=20), birth_year=birth_year)


def _report(event: Event, *days: date | None) -> Report:
    games = tuple(
        Game("a", "b", Result.WHITE_WINS, end=day, round=number)
        for number, day in enumerate(days, 1)
    )
    return Report(event, (_entry("a", 2000), _entry("b", 2100)), games)


def _codes(rating: Rating) -> set[str]:
    return {finding.code for finding in rating.findings}


def test_5e_games_without_a_day_are_of_the_last_month() -> None:
    event = Event(start=date(2024, 4, 1), end=date(2024, 6, 20))
    mixed = rate(_report(event, date(2024, 4, 3), None), registry.load("fide-2024"))
    dated = rate(_report(event, date(2024, 4, 3), date(2024, 6, 20)), registry.load("fide-2024"))
    assert [row.row.after for row in mixed.rows] == [row.row.after for row in dated.rows]
    assert "fide.long-event" in _codes(mixed)


def test_5e_an_event_that_starts_before_march_2024_is_rated_as_a_whole() -> None:
    event = Event(start=date(2024, 1, 10), end=date(2024, 6, 20))
    report = _report(event, date(2024, 1, 12), date(2024, 6, 20))
    rating = rate(report, registry.load("fide"))
    assert rating.book.name == "fide-2022"
    assert "fide.long-event" not in _codes(rating)
    # Two wins against 2100 with 20 games: 2 × 40 × 0.64.
    assert rating.rows[0].row.exact == 2051.2


def test_5e_each_month_of_a_long_event_goes_by_its_own_rules() -> None:
    """A player of 2700 beats 2000 in July 2025 (0.08 by the cap) and in October (0.01 without)."""
    event = Event(start=date(2025, 7, 10), end=date(2025, 11, 20))
    report = _report(event, date(2025, 7, 12), date(2025, 10, 20))
    strong = Entry("a", standing=Standing(rating=2700, games=500))
    report = replace(report, entries=(strong, _entry("b", 2000)))
    july, october = [
        row.row for row in rate(report, registry.load("fide")).rows if row.row.id == "a"
    ]
    assert (july.exact, october.exact) == (2700.8, 2701.1)


def test_2g_the_end_of_an_event_tells_who_is_a_junior() -> None:
    event = Event(end=date(2015, 5, 5))
    report = _report(event, None)
    report = replace(report, entries=(_entry("a", 2000, 2000), _entry("b", 2100)))
    young, old = rate(report, registry.load("fide-2014")).rows
    # 40 × 0.64 = 25.6 for the junior, who has less than 30 games; so has the other.
    assert young.row.change == 26
    experienced = tuple(
        replace(entry, standing=replace(entry.standing or Standing(), games=100))
        for entry in report.entries
    )
    young, old = rate(replace(report, entries=experienced), registry.load("fide-2014")).rows
    assert (young.row.change, old.row.change) == (26, -13)


def test_12_a_history_tells_of_events_of_another_list() -> None:
    games = [{"date": "2024-05-05", "white": "a", "black": "b", "score": 1.0, "event": "e"}]
    found = rate_history(
        pa.Table.from_pylist(games),
        registry.load("fide"),
        players=pa.table({"id": ["a", "b"], "rating": [2000, 2100]}),
        events=pa.table({"event": ["e"], "pool": ["rapid"]}),
    )
    told = [f.message for f in found.findings if f.code == "history.not-as-in-reports"]
    assert len(told) == 1
    assert "another list" in told[0]


def test_11_reforms_belong_to_their_lists() -> None:
    series = registry.load("fide")
    rapid = series.with_parameters({"pool": "rapid"})
    assert [stage.since for stage in series.stages() if stage.reform] == [date(2024, 3, 1)]
    assert [stage.since for stage in rapid.stages() if stage.reform] == [
        date(2022, 10, 1),
        date(2024, 3, 1),
    ]


def test_5e_a_month_is_rated_with_the_list_in_force_when_it_begins() -> None:
    """The game of 30 April counts for the list of June: in May both still have 2000 (F29)."""
    event = Event(start=date(2024, 4, 20), end=date(2024, 5, 30))
    games = (
        Game("a", "b", Result.WHITE_WINS, end=date(2024, 4, 30), round=1),
        Game("a", "b", Result.DRAW, end=date(2024, 5, 30), round=2),
    )
    report = Report(event, (_entry("a", 2000), _entry("b", 2000)), games)
    april, may = [row.row for row in rate(report, registry.load("fide")).rows if row.row.id == "a"]
    # 20 games: K 40. A win against an equal, then a draw against an equal.
    assert (april.exact, may.before, may.exact) == (2020, 2020, 2020)


def test_reports_of_one_day_and_list_have_one_edition() -> None:
    """It is made once for them, and so is what is found for it; another list has its own."""
    fide = registry.load("fide")

    def on(day: date, pool: str | None = None) -> Report:
        return Report(Event(start=day, end=day, pool=pool), (), ())

    first, again = (fide.for_report(on(date(2024, 3, 2))) for _ in range(2))
    assert first is again
    assert fide.for_report(on(date(2024, 3, 2), "rapid")).parameters.pool.name == "RAPID"
    assert first.parameters.pool.name == "STANDARD"
    by_hand = fide.with_parameters({"floor": "1500"})
    assert by_hand.for_report(on(date(2024, 3, 2))).parameters.floor == 1500
    assert fide.for_report(on(date(2024, 3, 2))).parameters.floor == first.parameters.floor
    assert fide.for_report(on(date(2023, 3, 2))).name != first.name
