"""Pools that read each other, rated together: by hand, corrected, explained, and refused."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from ratingbook.checks.histories import history
from ratingbook.checks.pools import tables_of_pools
from ratingbook.engine.history import History, HistoryRefused, rate_history
from ratingbook.engine.history.api import book_of
from ratingbook.engine.history.columns import GameColumns
from ratingbook.engine.history.explain import NothingToExplain
from ratingbook.engine.history.fit import check_history
from ratingbook.engine.history.pooled import PooledHistory, rate_pools, rate_whole
from ratingbook.engine.history.pools import EventGames, divided, has_pools
from ratingbook.engine.history.together import Together
from ratingbook.rules import registry

FOUR = pa.table({"id": ["a", "b", "c", "d"], "rating": [2000, 2100, 1900, 1800], "games": [50] * 4})


def games(*rows: str, **more: list[Any]) -> pa.Table:
    """``2024-03-10 a b 1 rapid``: a day, White, Black, White's score, and the pool."""
    names = ("date", "white", "black", "score", "pool")
    found = [dict(zip(names, row.split(), strict=False)) for row in rows]
    columns = {name: [row.get(name, "") for row in found] for name in names}
    return pa.table({**columns, "score": [float(row["score"]) for row in found], **more})


def rated(table: pa.Table, book: str = "fide", **beside: Any) -> PooledHistory:
    made = rate_whole(
        History.of(table, **{"players": FOUR, **beside}), registry.load(book), compiled=False
    )
    assert isinstance(made, PooledHistory)
    return made


def afters(made: PooledHistory, pool: str) -> dict[tuple[str, date], float]:
    rows = made.changes.to_pylist()
    return {(row["player"], row["date"]): row["after"] for row in rows if row["pool"] == pool}


def test_12_a_rapid_player_starts_from_the_standard_list_of_the_day() -> None:
    """FIDE B.02, § 12; numbers by hand with table 8.1.2, K 20, and 40 for a new rapid player."""
    made = rated(
        games(
            "2024-03-10 a b 1 rapid",
            "2024-03-12 c d 1 standard",
            "2024-04-10 c d 0 rapid",
            "2024-04-10 a b 0 rapid",
        )
    )
    april, may = date(2024, 4, 1), date(2024, 5, 1)
    # 100 points below: 0.36. 2000 + 40 × 0.64 = 2025.6; 2100 − 25.6 = 2074.4.
    # c v d in standard: 0.64 expected, 20 × 0.36 = 7.2, before they play rapid.
    assert afters(made, "standard") == {("c", april): 1907, ("d", april): 1793}
    rapid = afters(made, "rapid")
    assert (rapid["a", april], rapid["b", april]) == (2026, 2074)
    # c starts rapid from 1907, d from 1793: 114 points are 0.66. 1907 − 40 × 0.66 = 1880.6.
    assert (rapid["c", may], rapid["d", may]) == (1881, 1819)
    # a and b go on from their rapid ratings: 48 points, 0.43. 2026 − 40 × 0.43 = 2008.8.
    assert (rapid["a", may], rapid["b", may]) == (2009, 2091)
    # Nobody has a rating of blitz, of which there is no event.
    assert made.pools == ("standard", "rapid")


@pytest.mark.parametrize(("start", "after"), [(2410, 2406), (2404, 2415)])
def test_12_2400_is_reached_by_ratings_that_the_list_has_used(start: int, after: int) -> None:
    """Reading F30: by the standard rating from which a player starts, and by no earlier one.

    By hand: a loses to 1900 with K 10, 9 points, and beats an equal one in rapid: half of K.
    """
    players = pa.table(
        {"id": ["a", "b", "c"], "rating": [start, start - 9, 1900], "games": [50] * 3}
    )
    made = rated(games("2024-03-12 a c 0 standard", "2024-04-10 a b 1 rapid"), players=players)
    april, may = date(2024, 4, 1), date(2024, 5, 1)
    assert afters(made, "standard")["a", april] == start - 9
    assert afters(made, "rapid")["a", may] == after


def test_12_games_towards_a_first_rapid_rating_are_no_rating() -> None:
    """§ 12: who has no rapid rating starts from the standard one, games or not (reading F38)."""
    played = [f"2024-03-12 x {other} 0.5 standard" for other in "abcda"]
    rapid = "2024-04-10 x b 1 rapid"
    made = rated(games("2024-03-10 x a 1 rapid", *played, rapid))
    april, may = date(2024, 4, 1), date(2024, 5, 1)
    # Five draws and two against 1800: 13400 / 7 = 1914.3.
    assert afters(made, "standard")["x", april] == 1914
    # 186 points are 0.26, and nothing was rated before: K = 40. 1914 + 40 × 0.74 = 1943.6.
    assert afters(made, "rapid")["x", may] == 1944
    without = rated(games(*played, rapid))
    assert afters(without, "rapid")["x", may] == 1944
    row = next(r for r in made.changes.to_pylist() if (r["player"], r["date"]) == ("x", may))
    assert (row["before"], row["expected"], row["games"]) == (None, 0.26, 1)
    # The opponent has met somebody who is rated.
    assert afters(made, "rapid")["b", may] == afters(without, "rapid")["b", may] < 2100
    told = made.explain("x", may, "rapid")[0]
    assert [step.paragraph for step in told.explanation].count("12") == 1


def test_12_games_that_are_dropped_do_not_come_back() -> None:
    """What was kept towards a first rating is over once the player was rated from another one."""
    low = pa.table({"id": ["a", "b", "c", "d"], "rating": [1500] * 4, "games": [50] * 4})
    scores = {"a": 0.5, "b": 1, "c": 0, "d": 0}
    first = [f"2024-03-12 x {other} {score} standard" for other, score in scores.items()]
    lost = [
        f"2024-04-{day} x {other} 0 {pool}"
        for day, other in enumerate("abcdabcd", 10)
        for pool in ("rapid", "standard")
    ]
    rows = [*first, "2024-03-12 x a 0 standard", *lost, "2024-05-10 x a 1 rapid"]
    made = rated(games("2024-03-10 x b 1 rapid", *rows), players=low)
    may, june = date(2024, 5, 1), date(2024, 6, 1)
    # 1.5 of 5 with two draws against 1800: Ra = 1586, 36 % is −102: rapid begins with 1484.
    assert afters(made, "standard")["x", date(2024, 4, 1)] == 1484
    # Eight times 0.48 against 1500: 153.6 fewer, which is below the floor of both lists.
    assert [afters(made, pool)["x", may] for pool in ("rapid", "standard")] == [1330, 1330]
    # A first rating of one game against 1538: 5138 / 3 = 1713, two of three points are dp 125.
    without = rated(games(*rows), players=low)
    assert afters(made, "rapid")["x", june] == afters(without, "rapid")["x", june] == 1838


def test_a_dual_event_is_rated_in_both_systems_by_what_they_were_before() -> None:
    """US Chess, Step 1: N of a quick newcomer is that of the regular rating, at most 10."""
    made = rated(games("2013-05-05 a b 1 dual", "2013-06-05 a b 1 quick"), "uscf-2013")
    rows = made.changes.to_pylist()
    assert [(row["pool"], row["batch"]) for row in rows] == [
        ("regular", 0), ("regular", 0), ("quick", 0), ("quick", 0), ("quick", 1), ("quick", 1),
    ]  # fmt: skip
    assert [row["before"] for row in rows[:4]] == [2000, 2100, None, None]
    # K = 800 / (N + 1): N is 10, in the regular system 28.6 by the curve of 2013.
    assert rows[2]["after"] - 2000 > 2 * (rows[0]["after"] - 2000) > 0
    # Neither has seen what the other made of the event: each alone comes to the same.
    for pool in ("regular", "quick"):
        alone = rated(games(f"2013-05-05 a b 1 {pool}", "2013-06-05 a b 1 blitz"), "uscf-2015")
        both = rated(games("2013-05-05 a b 1 dual", "2013-06-05 a b 1 blitz"), "uscf-2015")
        assert afters(alone, pool) == afters(both, pool)


@pytest.mark.parametrize("name", ["fide-2014", "uscf-2013"])
def test_corrections_and_explanations_reach_all_pools(name: str) -> None:
    book = registry.load(name)
    assert book.bulk is not None
    assert book.bulk.pools is not None
    made = tables_of_pools(book, book.bulk.pools, 5, games=120)
    before = rate_pools(history(made), book, compiled=False, corrections=True)
    chance = random.Random(name)
    reached = set()
    for _ in range(3):
        rows = chance.sample(range(len(made["games"])), 6)
        scores = [chance.choice([0.0, 0.5, 1.0, None]) for _ in rows]
        column = made["games"]["score"].to_pylist()
        for row, score in zip(rows, scores, strict=True):
            column[row] = score
        place = made["games"].column_names.index("score")
        mended = made["games"].set_column(place, "score", pa.array(column))
        facts = history({**made, "games": mended})
        corrected = before.correct(facts)
        again = rate_pools(facts, book, compiled=False)
        assert corrected.changes.equals(again.changes)
        assert corrected.ratings.equals(again.ratings)
        old, new = (
            {(r["pool"], r["date"], r.get("event"), r.get("section"), r["player"]): r["after"]
             for r in table.to_pylist()}
            for table in (before.keyed(), again.keyed())
        )  # fmt: skip
        differ = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
        shown = {
            (r["pool"], r["date"], r.get("event"), r.get("section"), r["player"])
            for r in corrected.preview.to_pylist()
        }
        assert differ <= shown
        reached |= {pool for pool, *_ in differ}
    assert len(reached) > 1, "a correction reaches one pool only"
    drawn = chance.sample(before.changes.to_pylist(), 15)
    for one in drawn:
        told = before.explain(one["player"], one["batch"], one["pool"])
        numbers = [(t.row.before, t.row.after, t.row.games, t.row.expected) for t in told]
        assert (one["before"], one["after"], one["games"], one["expected"]) in numbers, one


def test_a_player_of_two_pools_on_a_day_asks_for_one() -> None:
    made = rated(games("2024-03-10 a b 1 rapid", "2024-03-10 a b 1 standard"))
    with pytest.raises(NothingToExplain, match="standard and rapid then: name the pool"):
        made.explain("a", date(2024, 4, 1))
    with pytest.raises(NothingToExplain, match="it has standard, rapid"):
        made.explain("a", pool="blitz")
    assert made.explain("a", pool="Rapid")[0].row.after == 2026


def test_ratings_before_the_first_game_have_rows_of_their_pools() -> None:
    players = pa.table(
        {
            "id": ["a", "b", "a"], "rating": [2000, 2100, 1950], "games": [50, 50, 40],
            "pool": ["", "standard", "rapid"], "birth_date": [date(2010, 1, 1), None, None],
        }
    )  # fmt: skip
    made = rated(games("2024-03-10 a b 1 rapid"), players=players)
    # a has 40 rapid games, and K 40 as a junior: the birth date is the person's.
    # 1950 v 2100: 0.30; 1950 + 40 × 0.70.
    assert afters(made, "rapid")["a", date(2024, 4, 1)] == 1978


def test_where_one_pool_is_told_nothing_is_otherwise() -> None:
    table = games("2024-03-10 a b 1 standard", "2024-04-10 a b 0").drop_columns(["pool"])
    made = rate_whole(History.of(table, players=FOUR), registry.load("fide"), compiled=False)
    assert "pool" not in made.changes.column_names
    # A pool that was set holds for all events.
    events = pa.table({"event": ["x"], "pool": ["blitz"]})
    table = table.append_column("event", pa.array(["x", "y"]))
    rapid = registry.load("fide").with_parameters({"pool": "rapid"})
    made = rate_whole(History.of(table, players=FOUR, events=events), rapid, compiled=False)
    assert "pool" not in made.changes.column_names


def refusal(table: pa.Table, book: str = "fide-2024", **beside: Any) -> tuple[str, str]:
    with pytest.raises(HistoryRefused) as refused:
        rated(table, book, **beside)
    (error,) = [each for each in refused.value.findings if each.severity.refuses]
    return error.code, error.message


def test_what_is_wrong_with_pools_is_told() -> None:
    two = games("2024-03-10 a b 1 rapid", "2024-03-10 c d 1 blitz", event=["e", "e"])
    assert refusal(two) == ("history.event-pools", "The event 'e' has games of several pools.")
    one = games("2024-03-10 a b 1 rapid", event=["e"])
    events = pa.table({"event": ["e"], "pool": ["blitz"]})
    code, message = refusal(one, events=events)
    assert code == "history.event-pools"
    assert "another pool in the events file" in message
    assert refusal(games("2024-03-10 a b 1 bullet"))[0] == "history.event-pool"
    players = FOUR.append_column("pool", pa.array(["standard", "rapid", "blitz", "bullet"]))
    assert refusal(one, players=players)[0] == "history.pool-unknown"
    with pytest.raises(HistoryRefused, match="a column pool"):
        rate_history(History.of(one, players=players), "elo")


def test_games_of_a_pool_that_is_not_yet_are_left_out_with_a_finding() -> None:
    made = rated(
        games("2010-03-10 a b 1 rapid", "2010-03-10 c d 1", "2015-03-10 a b 1 rapid"), "fide"
    )
    told = [each.message for each in made.findings if each.code == "history.no-pool"]
    assert len(told) == 1
    assert told[0].startswith("1 game is of a pool that fide does not have on that day")
    assert len(afters(made, "rapid")) == 2
    assert refusal(games("2010-03-10 a b 1 rapid"), "fide-2009")[0] == "history.no-pool"


@pytest.mark.parametrize("name", ["fide", "uscf-2013"])
def test_pools_are_divided_without_the_games_at_hand(name: str) -> None:
    book = registry.load(name)
    assert book.bulk is not None
    assert book.bulk.pools is not None
    given = history(tables_of_pools(book, book.bulk.pools, 6, games=80)).given
    assert given.games.event is not None
    played = EventGames.of(given.games, given.games.event, len(given.event_ids))
    nothing = np.empty(0, np.int32)
    without = replace(given, games=GameColumns(nothing, nothing, nothing, np.empty(0, np.int8)))
    whole, found = divided(given, book), divided(without, book, played)
    assert has_pools(without, book, played.spans)
    assert len(whole.parts) > 1
    assert list(whole.parts) == list(found.parts)
    assert list(whole.findings) == list(found.findings)
    for pool, part in whole.parts.items():
        other = found.parts[pool]
        for table, told in ((part.standings, other.standings), (part.events, other.events)):
            assert table is not None
            assert table.equals(told)
        assert not len(other.games)
        assert part.games.event is not None
        assert set(np.flatnonzero(found.events[pool])) == set(part.games.event)


def test_a_correction_ends_where_all_pools_stand_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    # A draw with the colours exchanged is another fact, and changes no rating.
    rows = [f"2024-{month:02}-10 a b 0.5 {pool}" for month in range(1, 13)
            for pool in ("rapid", "standard")]  # fmt: skip
    table = games(*rows)
    equal = pa.table({"id": ["a", "b"], "rating": [2000] * 2, "games": [50] * 2})
    book = registry.load("fide-2024")
    before = rate_pools(History.of(table, players=equal), book, compiled=False, corrections=True)
    turned = History.of(games("2024-01-10 b a 0.5 rapid", *rows[1:]), players=equal)
    looked, ends = [], Together._end_turn

    def end(self: Together) -> None:
        looked.append(self.turn)
        ends(self)

    monkeypatch.setattr(Together, "_end_turn", end)
    after = before.correct(turned)
    monkeypatch.undo()
    assert 0 < len(looked) < len(after.after.together.turns)
    again = rate_pools(turned, book, compiled=False)
    assert after.changes.equals(again.changes)
    assert after.ratings.equals(again.ratings)


def test_what_is_said_of_a_person_otherwise_is_a_correction() -> None:
    table = games("2024-03-10 a b 1 rapid", "2024-03-12 c d 1 standard")
    born = FOUR.append_column("birth_date", pa.array([None, None, date(2010, 1, 1), None]))
    book = registry.load("fide-2024")
    before = rate_pools(History.of(table, players=FOUR), book, compiled=False, corrections=True)
    now = History.of(table, players=born)
    assert before.correct(now).changes.equals(rate_pools(now, book, compiled=False).changes)


@pytest.mark.parametrize(
    ("book", "control", "told"),
    [
        ("fide-2024", "", "of the games"),
        ("fide-2024", "90+30", None),
        ("fide-2009", "", None),
        ("uscf-2023", "", "of the games"),
        ("egf-2021", "", None),
    ],
)
def test_a_pool_that_nothing_tells_is_said_once_and_first(
    book: str, control: str, told: str | None
) -> None:
    table = games("2024-05-03 a b 1", "2024-05-04 c d 1", time_control=[control] * 2)
    table = (
        table.drop_columns(["pool"]) if control else table.drop_columns(["pool", "time_control"])
    )
    found = [
        each
        for each in check_history(History.of(table, players=FOUR).given, registry.load(book))
        if each.code == "history.pool-assumed"
    ]
    assert [each.first and str(told) in each.message for each in found] == [True] * bool(told)


def test_events_of_which_nothing_tells_the_pool_are_named() -> None:
    days = range(1, 9)
    table = games(
        *(f"2024-05-0{day} a b 1" for day in days),
        time_control=[*["?"] * 7, "5+3"], event=[f"Open {day}" for day in days],
    ).drop_columns(["pool"])  # fmt: skip
    found = check_history(History.of(table, players=FOUR).given, registry.load("fide-2024"))
    said = next(each.message for each in found if each.code == "history.pool-assumed")
    assert "7 of 8 events (Open 1, Open 2, Open 3, Open 4, Open 5, …)" in said


def test_set_by_hand_the_pool_is_known() -> None:
    table = games("2024-05-03 a b 1").drop_columns(["pool"])
    book = book_of("fide-2024", {"pool": "standard"})
    given = History.of(table, players=FOUR).given
    assert "history.pool-assumed" not in {each.code for each in check_history(given, book)}


def test_whose_last_games_are_in_two_pools_asks_for_one() -> None:
    made = rated(games("2024-03-10 a b 1 rapid", "2024-03-10 a b 1 standard"))
    with pytest.raises(NothingToExplain, match="name the pool"):
        made.explain("a")
    later = rated(games("2024-03-10 a b 1 rapid", "2024-06-10 a b 1 standard"))
    assert later.explain("a")[0].row.after == later.explain("a", pool="standard")[0].row.after


def test_a_rating_may_be_assumed_afterwards() -> None:
    table = games("2024-03-10 a x 1 rapid", "2024-03-10 x b 1 standard")
    assumed, other = (
        rate_pools(History.of(table, players=FOUR), registry.load("fide-2014"), compiled=False,
                   assume=rating, corrections=True)
        for rating in (1500.0, 1700.0)
    )  # fmt: skip
    corrected = assumed.correct(assume=1700.0)
    assert corrected.changes.equals(other.changes)
    assert not assumed.changes.equals(other.changes)
