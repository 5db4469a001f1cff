"""Days that nobody means: a year before all ratings, or one that is far from having come."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from ratingbook.engine.intake.days import check_days
from ratingbook.engine.intake.report import check_report
from ratingbook.model import Event, Game, Report, Result


@pytest.mark.parametrize(
    ("day", "is_told"),
    [
        (date(1830, 3, 6), True),
        (date(1872, 11, 30), False),
        (date.today(), False),
        (date.today() + timedelta(days=300), False),
        (date.today() + timedelta(days=400), True),
        (None, False),
    ],
)
def test_far_days_are_told(day: date | None, is_told: bool) -> None:
    assert bool(check_days([day])) is is_told


def test_they_are_told_once_of_a_report() -> None:
    far = date.today() + timedelta(days=4000)
    games = tuple(
        Game("1", "2", Result.DRAW, start=far + timedelta(days=n), round=n) for n in range(1, 4)
    )
    found = check_report(Report(Event(start=far, end=far), (), games))
    told = [each for each in found if each.code == "event.far-day"]
    assert [each.message.partition(")")[0] for each in told] == [
        f"Something is said to be of {far} (and 3 more such days"
    ]
