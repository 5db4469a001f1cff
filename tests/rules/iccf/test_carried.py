"""Games of earlier periods that a rating which is not fixed yet still counts."""

from __future__ import annotations

from datetime import date

from ratingbook.engine.rate import rate
from ratingbook.model import (
    Entry,
    Event,
    FrozenSide,
    Game,
    Report,
    Result,
    Standing,
    StandingStatus,
)
from ratingbook.rules.iccf import iccf_2009

DAY, BEFORE = date(2010, 3, 1), date(2009, 1, 1)


def test_the_own_rating_of_an_earlier_game_stays_and_is_todays_where_none_is_said() -> None:
    """Item 5 limits opponents by it; the finding iccf.history-own says what is taken."""
    sides = tuple(
        FrozenSide(opponent=1800, score=score, own=own, start=BEFORE)
        for score, own in ((1, None), (0, 1850))
    )
    standing = Standing(rating=1900, games=2, status=StandingStatus.PROVISIONAL)
    report = Report(
        Event(name="m", level=2000, start=DAY, end=DAY),
        (Entry("a", standing=standing, history=sides), Entry("b", standing=Standing(2000, 60))),
        (Game("a", "b", Result.WHITE_WINS, start=DAY, end=DAY),),
    )
    rating = rate(report, iccf_2009)
    assert "iccf.history-own" in {finding.code for finding in rating.findings}
    (row,) = [each.row for each in rating.rows if each.row.id == "a"]
    assert [side.own for side in row.history] == [1900, 1850, 1900]
