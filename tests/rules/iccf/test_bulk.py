"""Single periods of a history, reckoned by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from ratingbook.engine.history import History, RatedHistory, rate_history
from ratingbook.engine.history.correct import joined
from ratingbook.engine.history.run import Run
from ratingbook.engine.rate import rate
from ratingbook.formats.document.read import report_from
from ratingbook.model import Entry, Event, Standing
from ratingbook.rules.iccf import iccf_2009
from ratingbook.rules.iccf.bulk import (
    asks_for_field,
    assumed_facts,
    caveat_of,
    facts_of,
    with_field,
)

P = iccf_2009.parameters

LEVELS: list[tuple[dict[str, Any], int | None]] = [
    ({"category": "open_class"}, 1800),
    ({"category": "Master class"}, 2200),
    ({"category": "open_class", "level": 2400.0}, 1800),
    ({"category": "thematic", "level": 1949.5}, 1950),
    ({"level": 2000.4}, 2000),
    ({"category": "friendly_match"}, 1800),
    ({"category": "friendly_match", "level": 2100.0}, 2100),
    ({"category": "national", "level": 2050.0}, 2050),
    ({"category": "national"}, None),
    ({}, None),
]
"""What an events file says of an event, and the level that it has in a history."""


@dataclass(frozen=True)
class Played:
    event: int
    start: date
    end: date
    white: str
    black: str
    score: float
    rated: str = "both"


def rated_as_history(games: list[Played], entries: list[Entry]) -> RatedHistory:
    known = [(entry.id, entry.standing) for entry in entries if entry.standing]
    numbers = range(5 * len(LEVELS))
    said = [LEVELS[number % len(LEVELS)][0] for number in numbers]
    return rate_history(
        pa.table(
            {
                "date": [game.end for game in games],
                "start": [game.start for game in games],
                "event": [game.event for game in games],
                "white": [game.white for game in games],
                "black": [game.black for game in games],
                "score": [game.score for game in games],
                "rated": [game.rated for game in games],
            }
        ),
        iccf_2009,
        players=pa.table(
            {
                "id": pa.array([player for player, _ in known], pa.string()),
                "rating": pa.array([standing.rating for _, standing in known], pa.float64()),
                "games": pa.array([standing.games for _, standing in known], pa.int32()),
                "status": pa.array([standing.status for _, standing in known], pa.string()),
            }
        ),
        events=pa.table(
            {
                "event": list(numbers),
                "category": pa.array([event.get("category") for event in said], pa.string()),
                "level": pa.array([event.get("level") for event in said], pa.float64()),
            }
        ),
        compiled=False,
    )


def cells(rated: RatedHistory) -> list[tuple[object, ...]]:
    names = ("batch", "player", "before", "after", "games", "score", "expected")
    table = rated.changes.sort_by([("batch", "ascending"), ("player", "ascending")])
    return [tuple(row[name] for name in names) for row in table.to_pylist()]


# Single cases. Event 0 has the level 1800, event 9 has none.

FIXED = Standing(rating=2000, games=100)


def day(month: int) -> date:
    return date(2011, month, 10)


def rows_of(*games: Played, **standings: Standing) -> dict[str, list[tuple[object, ...]]]:
    entries = [Entry(player, standing=standing) for player, standing in standings.items()]
    found: dict[str, list[tuple[object, ...]]] = {}
    for row in cells(rated_as_history(list(games), entries)):
        found.setdefault(str(row[1]), []).append(row[2:])
    return found


def test_a_player_without_a_rating_at_the_start_counts_with_the_level_for_good() -> None:
    rows = rows_of(
        Played(0, day(1), day(1), "A", "B", 1.0),
        Played(0, day(1), day(4), "A", "B", 0.5),
        Played(0, day(4), day(4), "A", "B", 0.5),
        B=FIXED,
    )
    # 2000 + 338.5, which no list publishes; W_e(200) = .76, k = 20.
    assert rows["A"][0][:2] == (None, 2339.0)
    assert rows["B"][0][:2] == (2000.0, 1985.0)
    # All three games: 2000, 2000 and 1985, all against 1800. p = .67: 1995 + 125 · .9422.
    # For B 1800 at 2000, as in January, then at 1985, W_e(185) = .74: −.26 − .24.
    assert rows["A"][1][:2] == (2339.0, 2113.0)
    assert rows["B"][1][:2] == (1985.0, 1975.0)


PUPILS = [Played(0, day(1), day(1), "N", each, 1.0) for each in ("a", "b", "c")]
"""By whom somebody new gets a rating of three games: 1800 + 338.5."""


def test_a_rating_that_no_list_has_is_not_in_force() -> None:
    """Item 8: until a list has it both sides count with the level, 1800.

    W_e(250) = .81 and W_e(109) = .65: −.31 and −.15; k = 23.4 and 24.5.
    """
    levels = dict.fromkeys("abc", Standing(rating=1800, games=100))
    known = {"I": Standing(rating=2050, games=30), "E": Standing(rating=1909, games=35)}
    later = [Played(0, day(4), day(4), "N", each, 0.5) for each in ("I", "E")]
    rows = rows_of(*PUPILS, *later, **levels, **known)
    assert rows["N"][0][:2] == (None, 2139.0)
    assert (rows["I"][0][1], rows["E"][0][1]) == (2043.0, 1905.0)


@pytest.mark.parametrize(("unpublished", "changes"), [(True, (-7, -4)), (False, (1, 6))])
def test_a_rating_that_is_told_is_in_force_unless_it_is_told_to_be_unpublished(
    unpublished: bool, changes: tuple[int, int]
) -> None:
    """Readings A14 and A15. W_e(−33) = .45 and W_e(−174) = .27 against 2083: +.05 and +.23."""
    said = {"N": (2083, 11), "I": (2050, 30), "E": (1909, 35)}
    report: dict[str, Any] = {
        "ratingbook": "report/1",
        "event": {"start": "2011-04-10", "end": "2011-04-10", "category": "open_class"},
        "players": [
            {"id": player, "standing": {"rating": rating, "games": games},
             "history": [{"own": 2083, "opponent": 2083, "score": 0.5}] * 11
             if player == "N" else []}
            for player, (rating, games) in said.items()
        ],
        "games": [{"white": "N", "black": each, "result": "1/2-1/2"} for each in ("I", "E")],
    }  # fmt: skip
    report["players"][0]["standing"] |= {"unpublished": True} if unpublished else {}
    rows = rate(report_from(report, iccf_2009.standing_fields), iccf_2009).rows
    found = {each.row.id: each.row for each in rows}
    assert tuple((found[each].after or 0) - said[each][0] for each in ("I", "E")) == changes
    assert not found["N"].standing.extra.get("unpublished"), "13 games are on the list"


def test_a_row_says_of_its_standing_that_no_list_has_it() -> None:
    """So that a report that follows rates as a history does."""
    report = {
        "ratingbook": "report/1",
        "event": {"start": "2011-01-10", "end": "2011-01-10", "category": "open_class"},
        "players": [{"id": "N"}, {"id": "a", "standing": {"rating": 1800, "games": 100}}],
        "games": [{"white": "N", "black": "a", "result": "1-0"}],
    }
    rows = rate(report_from(report, iccf_2009.standing_fields), iccf_2009).rows
    assert {each.row.id: dict(each.row.standing.extra) for each in rows} == {
        "N": {"unpublished": True}, "a": {},
    }  # fmt: skip


def test_the_average_of_a_national_tournament_is_of_ratings_in_force() -> None:
    more = pa.table({"id": ["C"], "rating": [1100.0], "games": [3], "unpublished": [True]})
    players = pa.concat_tables(
        [BEGIN.append_column("unpublished", pa.array([False] * len(BEGIN))), more]
    )
    events = pa.table({"event": ["n"], "category": ["national"]})
    made = rate_history(NATIONAL, iccf_2009, players=players, events=events, compiled=False)
    found = {(row["player"], row["batch"]): row["after"] for row in made.changes.to_pylist()}
    assert found["A", 0] == 1993, "as without a rating: the level is 2100"


def test_without_a_level_a_game_with_an_unrated_player_counts_for_neither() -> None:
    games = [
        Played(9, day(1), day(1), "A", "B", 1.0),
        Played(9, day(1), day(1), "C", "B", 0.5),
    ]
    rows = rows_of(*games, B=FIXED, C=FIXED)
    assert set(rows) == {"B", "C"}
    assert rows["B"][0][2:4] == (1, 0.5)


def test_unknown_games_count_as_draws_with_equals() -> None:
    rows = rows_of(
        Played(0, day(1), day(1), "A", "B", 1.0), A=Standing(rating=1900, games=3), B=FIXED
    )
    # R_c = (3 · 1900 + 2000) / 4 = 1925, p = 2.5/4 → .62: 87 · .9712 = 84.49.
    assert rows["A"][0][:2] == (1900.0, 2009.0)


def test_a_rating_without_a_number_of_games_is_fixed() -> None:
    rows = rows_of(Played(0, day(1), day(1), "A", "B", 1.0), A=Standing(rating=1900), B=FIXED)
    # k = 25, W_e(−100) = .36.
    assert rows["A"][0][:2] == (1900.0, 1916.0)
    assert rows["A"][0][4] == 0.36


def test_more_games_than_the_brake_allows_are_rated_by_item_5() -> None:
    games = [Played(0, day(1), day(1), "A", "B", 1.0)]
    games += [Played(0, day(1), day(1), "A", "B", 0.5)] * 32
    equal = Standing(rating=1900, games=30)
    rows = rows_of(*games, A=equal, B=replace(equal, games=100))
    assert rows["A"] == [(1900.0, 1914.0, 33, 17.0, None)]


@pytest.mark.parametrize(("said", "level"), LEVELS, ids=str)
def test_the_level_of_an_event(said: dict[str, Any], level: int | None) -> None:
    event = Event(**said)
    facts = facts_of(event, P)
    assert facts.level == (level or 0)
    assert assumed_facts(facts, 1499.5, P).level == (level or 1500)
    assert ("level" in caveat_of(event, P)) == (not said)


@pytest.mark.parametrize(
    ("ratings", "announced", "assumed", "level"),
    [
        ([2000, 0, 2101], None, None, 2051),  # The average of who is rated, half up.
        ([2000, 0, 2101], 1900.0, 1500.0, 2051),
        ([2600, 2500], None, None, 2400),
        ([0, 0], 1900.0, 1500.0, 1900),
        ([0], None, 1500.0, 1500),
        ([0], None, None, 0),
    ],
)
def test_the_level_of_a_national_tournament_is_the_average_of_who_is_rated(
    ratings: list[int], announced: float | None, assumed: float | None, level: int
) -> None:
    facts = facts_of(Event(category="national", level=announced), P)
    if assumed is not None:
        facts = assumed_facts(facts, assumed, P)
    assert asks_for_field(facts, P)
    assert with_field(facts, ratings, P).level == level


NATIONAL = pa.table(
    {
        "event": ["n"] * 4,
        "start": [date(2011, 1, 10)] * 4,
        "date": [date(2011, 2, 1), date(2011, 5, 2), date(2011, 5, 3), date(2011, 8, 3)],
        "white": ["C", "B", "D", "A"],
        "black": ["A", "C", "C", "B"],
        "score": [1.0, 1.0, 1.0, 0.5],
    }
)
BEGIN = pa.table({"id": ["A", "B", "D"], "rating": [2000.0, 2200.0, 2100.0], "games": [100] * 3})


def national(**more: Any) -> RatedHistory:
    events = pa.table({"event": ["n"], "category": ["national"]})
    return rate_history(
        NATIONAL, iccf_2009, players=BEGIN, events=events, compiled=False, corrections=True, **more
    )


def test_a_national_tournament_keeps_the_level_with_which_it_began() -> None:
    made = national()
    assert "history.not-as-in-reports" not in {each.code for each in made.findings}
    after = {(row["player"], row["batch"]): row["after"] for row in made.changes.to_pylist()}
    # The level is (2000 + 2200 + 2100) / 3 = 2100. C beats A: 2000 + 338.5. W_e(−100) = .36 for A.
    assert after["C", 0] == 2339
    assert after["A", 0] == 1993
    # In July C still counts with 2100: W_e(100) = .64 for B, k = 15; 0.50 for D, k = 17.5.
    assert after["B", 1] == 2205
    assert after["D", 1] == 2109
    told = [step.text for row in made.explain("B", 1) for step in row.explanation]
    assert any("the average of the rated participants = 2100" in text for text in told), told


def test_who_is_entered_takes_part_and_a_correction_reaches_the_level() -> None:
    entries = pa.table({"event": ["n"], "player": ["E"], "grade": [""]})
    known = pa.table({"id": ["E"], "rating": [2300.0], "games": [100]})
    players = pa.concat_tables([BEGIN, known])
    beside = {"players": players, "events": pa.table({"event": ["n"], "category": ["national"]})}
    one, other = History.of(NATIONAL, **beside), History.of(NATIONAL, entries=entries, **beside)
    before, after = (
        rate_history(each, iccf_2009, compiled=False, corrections=True) for each in (one, other)
    )
    # 2150 with E, 2100 without: W_e(−150) = .30 for A.
    found = {(row["player"], row["batch"]): row["after"] for row in after.changes.to_pylist()}
    assert found["A", 0] == 1994
    corrected = before.correct(other)
    assert corrected.changes.equals(after.changes)
    # Without its games in May, D does not take part: the level of February is another.
    fewer = History.of(NATIONAL.filter(pa.array([True, True, False, True])), **beside)
    assert before.correct(fewer).changes.equals(
        rate_history(fewer, iccf_2009, compiled=False).changes
    )
    marks = [each.run.signatures()[0] for each in (before, after)]
    assert marks[0] != marks[1], "a checkpoint with another level behind it must not be taken up"


def test_a_run_that_goes_on_looks_at_the_list_of_then() -> None:
    whole = national()
    again = Run(whole.history.given, whole.run.program)
    list(again.batches(1))
    snapshot = again.state.snapshot()
    third = Run(whole.history.given, whole.run.program)
    third.state.back_to(snapshot)
    rows = joined(list(third.batches()))
    of_all = whole.changes.filter(pc.greater(whole.changes["batch"], 0))
    assert rows.after.tolist() == of_all["after"].to_pylist()


def test_a_game_counts_for_the_list_of_its_report():
    """Item 12: the list of 1 April takes what was reported until the end of February."""
    games = pa.table(
        {
            "date": [date(2011, 2, 20)] * 3,
            "reported": pa.array([None, date(2011, 2, 28), date(2011, 3, 1)], pa.date32()),
            "start": [date(2011, 1, 3)] * 3,
            "white": ["a", "b", "c"],
            "black": ["b", "c", "a"],
            "score": [1.0, 0.5, 0.0],
        }
    )
    players = pa.table({"id": ["a", "b", "c"], "rating": [2000.0] * 3, "games": [100] * 3})
    rated = rate_history(games, iccf_2009, players=players, compiled=False)
    # k is 20 at 2000: a win against an equal brings 10.
    found = [
        (row["batch"], row["player"], row["after"], row["games"])
        for row in rated.changes.to_pylist()
    ]
    assert sorted(found) == [
        (0, "a", 2010, 1), (0, "b", 1990, 2), (0, "c", 2000, 1),
        (1, "a", 2020, 1), (1, "c", 1990, 1),
    ]  # fmt: skip


def test_a_report_of_several_tournaments_knows_the_average_of_each() -> None:
    low, high = ({"standing": {"rating": each, "games": 100}} for each in (2000, 2200))
    report = {
        "ratingbook": "report/1",
        "event": {"start": "2011-01-10", "end": "2011-02-28"},
        "events": [{"name": each, "category": "National"} for each in ("low", "high")],
        "players": [
            {"id": "a", **low}, {"id": "b", **high}, {"id": "m"}, {"id": "n"},
        ],
        "games": [
            {"event": "low", "white": "m", "black": "a", "result": "1/2-1/2"},
            {"event": "high", "white": "n", "black": "b", "result": "1/2-1/2"},
        ],
    }  # fmt: skip
    made = rate(report_from(report), iccf_2009)
    # Against his own level each of the new ones has drawn: 2000 and 2200.
    assert {row.row.id: row.row.after for row in made.rows} == {
        "a": 2000, "b": 2200, "m": 2000, "n": 2200,
    }  # fmt: skip
