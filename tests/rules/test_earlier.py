"""A standing may say what its earlier games come to, in place of the games themselves."""

from __future__ import annotations

from typing import Any

import pytest

from ratingbook.engine.rate import rate
from ratingbook.formats.document.read import report_from
from ratingbook.rules import registry

BOOKS = ("iccf-2009", "iecg-1999")
EARLIER = [(1500, 1), (1600, 0.5), (1450, 0), (1550, 1)]
SUMS = {"earlier_score": 2.5, "earlier_opponents": 6100}
Player = dict[str, Any]


def after(book: str, player: Player, *results: str) -> tuple[float | None, Player]:
    """The new rating of somebody who plays an event, and the player as the next report has it."""
    opponents = [
        {"id": f"o{n}", "standing": {"rating": 1500 + 20 * n, "games": 100}}
        for n in range(len(results))
    ]
    games = [{"white": "new", "black": f"o{n}", "result": each} for n, each in enumerate(results)]
    event = {"category": "open_class", "start": "2010-01-05", "end": "2010-02-05"}
    report = report_from(
        {"ratingbook": "report/1", "event": event, "players": [player, *opponents], "games": games},
        registry.load(book).standing_fields,
    )
    rating = rate(report, registry.load(book))
    assert not rating.findings.refused, list(rating.findings)
    [row] = [each.row for each in rating.rows if each.row.id == "new"]
    standing = {"rating": row.after, "games": row.standing.games, **row.standing.extra}
    history = [
        {"own": side.own, "opponent": side.opponent, "score": side.score} for side in row.history
    ]
    return row.exact, {"id": "new", "standing": standing, "history": history}


@pytest.mark.parametrize("book", BOOKS)
def test_sums_stand_for_the_games_and_are_carried_on(book: str) -> None:
    standing = {"rating": 1580, "games": 4}
    if book == "iecg-1999":
        standing["starting_rating"] = 1500
    history = [{"own": 1500, "opponent": each, "score": score} for each, score in EARLIER]
    by_games: Player = {"id": "new", "standing": standing, "history": history}
    by_sums: Player = {"id": "new", "standing": {**standing, **SUMS}}
    for results in (("1-0", "1/2-1/2"), ("0-1",), ("1-0", "1-0", "0-1")):
        first, by_games = after(book, by_games, *results)
        second, by_sums = after(book, by_sums, *results)
        assert first == second is not None
        assert len(by_games["history"]) == by_games["standing"]["games"]
        assert not SUMS.keys() & by_games["standing"].keys(), "the games say it"
        by_sums["history"] = []


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("wrong", [{"earlier_score": 4.5}, {"earlier_opponents": 100_000}])
def test_sums_that_no_games_have_are_refused(book: str, wrong: dict[str, float]) -> None:
    standing = {"rating": 1580, "games": 4, **SUMS, **wrong}
    with pytest.raises(AssertionError, match="earlier-games"):
        after(book, {"id": "new", "standing": standing}, "1-0")
