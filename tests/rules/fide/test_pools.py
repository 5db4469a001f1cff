"""The list of an event: what is said, its name, its time control, and what does not agree."""

from __future__ import annotations

from typing import Any

import pytest

from ratingbook.engine.rate import Rating, rate
from ratingbook.formats.document.read import report_from
from ratingbook.model import Severity
from ratingbook.rules import registry
from ratingbook.rules.fide.columns import Pool


def rated(edition: str = "fide-2024", by_hand: str | None = None, **event: Any) -> Rating:
    document = {
        "ratingbook": "report/1",
        "event": {"start": "2024-05-06", "end": "2024-05-08", **event},
        "players": [{"id": p, "standing": {"rating": 2000, "games": 50}} for p in ("A", "B")],
        "games": [{"round": 1, "white": "A", "black": "B", "result": "1-0"}],
    }
    book = registry.load(edition)
    if by_hand:
        book = book.with_parameters({"pool": by_hand})
    return rate(report_from(document), book)


def pool_of(rating: Rating) -> str:
    pool: Pool = rating.book.parameters.pool
    return pool.name.lower()


@pytest.mark.parametrize(
    ("event", "pool"),
    [
        ({"pool": "rapid"}, "rapid"),
        ({"name": "Club Rapid"}, "rapid"),
        ({"name": "Blitz-Turnier"}, "blitz"),
        ({"time_control": "15 min. + 10 s. per move"}, "rapid"),
        ({"time_control": "Blitz 3+2"}, "blitz"),
        ({"time_control": "40/6000+30:20/3000+30:1500+30"}, "standard"),
        ({"name": "Open of SK Rapid Wien", "time_control": "90+30"}, "standard"),
        ({"pool": "standard", "name": "Rapid Open", "time_control": "90+30"}, "standard"),
    ],
)
def test_the_list_is_found(event: dict[str, str], pool: str) -> None:
    rating = rated(**event)
    assert rating.rows
    assert pool_of(rating) == pool


@pytest.mark.parametrize(
    "event",
    [
        {"pool": "standard", "time_control": "15+10"},
        {"pool": "rapid", "time_control": "3+2"},
        {"name": "Club Rapid", "time_control": "90+30"},
        {"pool": "blitz", "time_control": "90 min + 30 sec"},
    ],
)
def test_a_list_that_is_not_that_of_the_time_control_is_refused(event: dict[str, str]) -> None:
    rating = rated(**event)
    assert not rating.rows
    assert "fide.pool-contradicts" in {f.code for f in rating.findings if f.severity.refuses}


def test_what_was_set_by_hand_is_rated_with_a_warning() -> None:
    rating = rated(by_hand="standard", time_control="15+10")
    assert (pool_of(rating), len(rating.rows)) == ("standard", 2)
    (found,) = (f for f in rating.findings if f.code == "fide.pool-contradicts")
    assert found.severity is Severity.WARNING


@pytest.mark.parametrize("control", [None, "by agreement"])
def test_nothing_known_is_the_first_warning(control: str | None) -> None:
    document = {"time_control": control} if control else {}
    found = list(rated(**document).findings)
    first = next(f for f in found if f.severity is Severity.WARNING)
    assert first.code == "fide.pool-unknown"
    assert (control or "no time control") in first.message


@pytest.mark.parametrize(
    "control", ["1/86400", "correspondence", "10 moves in 50 days", "50 Tage für 10 Züge"]
)
@pytest.mark.parametrize("by_hand", [None, "standard"])
def test_correspondence_is_refused(control: str, by_hand: str | None) -> None:
    rating = rated(by_hand=by_hand, time_control=control)
    assert not rating.rows
    assert "fide.correspondence" in {f.code for f in rating.findings if f.severity.refuses}


def test_the_limits_are_those_of_the_edition() -> None:
    """12 minutes: blitz until February 2024 (5 to 15), rapid since (above 10)."""
    early = rated("fide-2022", start="2023-05-06", end="2023-05-08", time_control="12 min")
    assert pool_of(early) == "blitz"
    assert pool_of(rated(time_control="12 min")) == "rapid"


def test_before_there_were_such_lists_rapid_is_refused() -> None:
    day = {"start": "2010-05-06", "end": "2010-05-08"}
    rating = rated("fide-2009", time_control="25+10", **day)
    assert not rating.rows
    assert "fide.pool" in {f.code for f in rating.findings}


def test_the_name_against_the_type_is_told_first() -> None:
    found = list(rated(pool="standard", name="Club Rapid").findings)
    first = next(f for f in found if f.severity is Severity.WARNING)
    assert first.code == "fide.pool-name"


def test_unequal_times_are_not_rated_as_blitz() -> None:
    rating = rated(time_control="White 5 min, Black 4 min")
    assert not rating.rows
    assert "fide.rate-of-play" in {f.code for f in rating.findings}


X = {"id": "X", "standing": {"rating": 1855, "games": 2, "status": "unrated"},
     "history": [{"opponent": 1900, "score": 1.0, "start": "2024-04-10", "event": "First"}] * 2,
     "pools": {"standard": {"rating": 1950}}}  # fmt: skip


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"standing": {}},
        {"history": []},
        # Fell below the floor of rapid: whoever is not on the list is unrated. All games of before
        # were rated: 20 with these would be too few for another K, 40 are not.
        {"standing": {"rating": 1390, "games": 20, "status": "unlisted"}, "history": []},
    ],
)
def test_12_who_is_not_on_the_rapid_list_starts_from_the_standard_rating(
    said: dict[str, Any],
) -> None:
    """By hand: 50 points below 2000 are 0.43, and 0.57 × 40 = 22.8; nobody has 30 games."""
    document = {
        "ratingbook": "report/1",
        "event": {"start": "2024-05-06", "end": "2024-05-08", "pool": "rapid"},
        "players": [{**X, **said}, {"id": "B", "standing": {"rating": 2000, "games": 50}}],
        "games": [{"round": 1, "white": "X", "black": "B", "result": "1-0"}],
    }
    rating = rate(report_from(document), registry.load("fide-2024"), explain=["X"])
    row, opponent = (each.row for each in rating.rows)
    assert (row.before, row.after, row.expected, row.published) == (None, 1973, 0.43, True)
    assert (opponent.after, opponent.games) == (1989, 1)
    assert not row.history
    before = said.get("standing", {}).get("games", 0)
    assert row.standing is not None
    assert row.standing.games == before + 1
    assert [step.paragraph for step in rating.rows[0].explanation].count("12") == 1


def test_12_a_rating_on_the_list_is_one_and_games_without_a_rated_opponent_change_nothing() -> None:
    document = {
        "ratingbook": "report/1",
        "event": {"start": "2024-05-06", "end": "2024-05-08", "pool": "rapid"},
        "players": [
            {"id": "A", "standing": {"rating": 2000, "games": 50}, "pools": X["pools"]},
            X, {"id": "N"},
        ],
        "games": [{"round": 1, "white": "X", "black": "N", "result": "1-0"}],
    }  # fmt: skip
    rows = {
        each.row.id: each.row
        for each in rate(report_from(document), registry.load("fide-2024")).rows
    }
    assert rows["A"].after == 2000
    assert rows["X"].standing == report_from(document).entries[1].standing
    assert rows["X"].history == report_from(document).entries[1].history
