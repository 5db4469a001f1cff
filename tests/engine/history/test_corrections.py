"""Whatever facts are corrected: as if they had been known from the beginning, bit for bit."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.engine.history import CorrectedHistory, History, RatedHistory, api, rate_history
from ratingbook.engine.history.align import _COLUMNS, _REPLACED
from ratingbook.engine.loops.arrays import Games
from ratingbook.rules import registry
from tests.engine.history.histories import FAMILIES, SERIES, history, tables

Tables = dict[str, pa.Table]
Facts = dict[str, list[dict[str, Any]]]

TRIED = sorted({*FAMILIES, *SERIES, "fide-2009"})
"""Among them one that rates games one by one, one with long events, and reforms."""
SEEDS = 3
GAMES = 160
ORDER = [("batch", "ascending"), ("player", "ascending"), ("after", "ascending")]


def rows_of(made: Tables) -> Facts:
    return {name: table.to_pylist() for name, table in made.items()}


def tables_of(facts: Facts, made: Tables) -> Tables:
    return {
        name: pa.Table.from_pylist(rows, made[name].schema) if name in made else pa.table(rows)
        for name, rows in facts.items()
    }


def another_score(facts: Facts, chance: random.Random) -> None:
    row = chance.choice(facts["games"])
    row["score"] = chance.choice([0.0, 0.5, 1.0])


def a_game_out(facts: Facts, chance: random.Random) -> None:
    facts["games"].remove(chance.choice(facts["games"]))


def a_game_more(facts: Facts, chance: random.Random) -> None:
    row = dict(chance.choice(facts["games"]))
    row["white"] = chance.choice([f"p{n:03}" for n in range(60) if f"p{n:03}" != row["black"]])
    facts["games"].insert(chance.randrange(len(facts["games"])), row)


def players_exchanged(facts: Facts, chance: random.Random) -> None:
    one, other = sorted({row["white"] for row in facts["games"]})[:2]
    event = chance.choice([row["event"] for row in facts["games"]])
    turned = {one: other, other: one}
    for row in facts["games"]:
        if row["event"] == event:
            for side in ("white", "black"):
                row[side] = turned.get(row[side], row[side])


def players_merged(facts: Facts, chance: random.Random) -> None:
    one, other = chance.sample(sorted({row["white"] for row in facts["games"]}), 2)
    facts["games"] = [row for row in facts["games"] if {row["white"], row["black"]} != {one, other}]
    for row in facts["games"]:
        for side in ("white", "black"):
            row[side] = other if row[side] == one else row[side]
    if any(row["id"] == other for row in facts["players"]):
        facts["players"] = [row for row in facts["players"] if row["id"] != one]
    facts["entries"] = [row for row in facts["entries"] if row["player"] != one]


def an_event_withdrawn(facts: Facts, chance: random.Random) -> None:
    event = chance.choice(facts["games"])["event"]
    facts["games"] = [row for row in facts["games"] if row["event"] != event]


def an_event_moved(facts: Facts, chance: random.Random) -> None:
    event = chance.choice(facts["games"])["event"]
    by = timedelta(chance.choice([-200, -40, -1, 1, 3, 35, 400]))
    for row in facts["games"]:
        if row["event"] == event:
            row["date"], row["start"] = row["date"] + by, row["start"] + by


def a_late_event(facts: Facts, chance: random.Random) -> None:
    some = [dict(row) for row in chance.sample(facts["games"], 3)]
    day = chance.choice(facts["games"])["date"] + timedelta(chance.choice([0, 10, 90]))
    event = chance.choice(["a0", "e0005x", "zz"])
    for row in some:
        row |= {"event": event, "section": "A", "date": day, "start": day}
    facts["games"] += some


def an_event_described_otherwise(facts: Facts, chance: random.Random) -> None:
    one, other = chance.sample(facts["events"], 2)
    for name in ("kind", "class", "category"):
        one[name] = other[name]


def a_player_described_otherwise(facts: Facts, chance: random.Random) -> None:
    row = chance.choice(facts["players"])
    if chance.random() < 0.5:
        row["birth_date"] = chance.choice([None, date(1990, 2, 3), date(2003, 1, 1)])
    elif row["rating"] is not None:
        # Not below the least of any edition, which would be refused.
        row["rating"] += chance.choice([-30.0, -1.0, 1.0, 100.0] if row["rating"] > 200 else [1.0])


def a_player_known_or_not(facts: Facts, chance: random.Random) -> None:
    facts["players"].remove(chance.choice(facts["players"]))
    stranger = chance.choice(["a", "p003", "p030x", "q"])
    rest = [row for row in facts["players"] if row["id"] != stranger]
    facts["players"] = [*rest, {**rest[0], "id": stranger}]


def games_in_another_order(facts: Facts, chance: random.Random) -> None:
    chance.shuffle(facts["games"])


KINDS: list[Callable[[Facts, random.Random], None]] = [
    another_score, a_game_out, a_game_more, players_exchanged, players_merged, an_event_withdrawn,
    an_event_moved, a_late_event, an_event_described_otherwise, a_player_described_otherwise,
    a_player_known_or_not, games_in_another_order,
]  # fmt: skip


@cache
def before(name: str, seed: int) -> tuple[Tables, RatedHistory]:
    made = tables(registry.load(name), seed, games=GAMES, players=40)
    return made, rate_history(history(made), name, compiled=False, corrections=True)


def in_order(table: pa.Table) -> pa.Table:
    return table.sort_by(ORDER)


def equals_replay(corrected: CorrectedHistory, again: RatedHistory) -> None:
    assert corrected.ratings.equals(again.ratings)
    assert in_order(corrected.changes).equals(in_order(again.changes))


def check(name: str, seed: int, kinds: list[Callable[[Facts, random.Random], None]], of: int):
    made, rated = before(name, seed)
    facts, chance = rows_of(made), random.Random(of)
    for kind in kinds:
        kind(facts, chance)
    now = history(tables_of(facts, made))
    corrected = rated.correct(now)
    again = rate_history(now, name, compiled=False)
    equals_replay(corrected, again)
    preview_is_what_differs(corrected, rated, again)


def preview_is_what_differs(
    corrected: CorrectedHistory, rated: RatedHistory, again: RatedHistory
) -> None:
    """Rows known by day, event, section and player, compared one by one."""
    shown = ["before", "after", "games", "score", "expected"]
    shown += [name for name in ("exact_before",) if name in again.changes.column_names]

    def of(each: RatedHistory) -> dict[Any, list[tuple[Any, ...]]]:
        batches = each.batch_table.to_pylist()
        found: dict[Any, list[tuple[Any, ...]]] = {}
        for row in each.changes.to_pylist():
            batch = batches[row["batch"]]
            key = (batch["day"], batch.get("event"), batch.get("section"), row["player"])
            found.setdefault(key, []).append(tuple(row[name] for name in shown))
        return found

    was, now = of(rated), of(again)
    wanted = {key for key in was.keys() | now.keys() if was.get(key) != now.get(key)}
    rows = corrected.preview.to_pylist()
    keys = {(r["date"], r.get("event"), r.get("section"), r["player"]) for r in rows}
    assert keys == wanted
    for row in rows:
        key = (row["date"], row.get("event"), row.get("section"), row["player"])
        for when, told in (("old", was), ("new", now)):
            numbers = tuple(row[f"{name}_{when}"] for name in shown)
            if numbers != (None,) * len(shown):
                assert numbers in told[key]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(TRIED),
    st.integers(1, SEEDS),
    st.lists(st.sampled_from(KINDS), min_size=1, max_size=3),
    st.integers(0, 10**6),
)
def test_the_result_is_that_of_a_full_replay(name, seed, kinds, of):
    check(name, seed, kinds, of)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("name", FAMILIES)
def test_each_kind_of_correction(name, kind):
    check(name, 1, [kind], 7)


@pytest.mark.parametrize("name", TRIED)
@pytest.mark.parametrize("come", [False, True], ids=["all games out", "the first games"])
def test_a_history_without_games_is_one_as_well(name, come):
    """What is without games has a length of 0, and yet is what is known now."""
    made, full = before(name, 1)
    given = {key: table for key, table in made.items() if key != "games"}
    none = History.of(made["games"].slice(0, 0), **given, may_be_empty=True)
    if come:
        full = rate_history(none, name, compiled=False, corrections=True)
    now = history(made) if come else none
    again = rate_history(now, name, compiled=False)
    equals_replay(full.correct(now), again)
    preview_is_what_differs(full.correct(now), full, again)
    assert len(full.correct(now).preview)


@pytest.mark.parametrize("name", [*registry.families(), "elo", "iccf-2009", "iecg-1999"])
def test_the_only_game_is_taken_out_and_its_players_with_it(name):
    """Nobody is left of whom anything could be told."""
    games = pa.table({"date": ["2024-01-05"], "white": ["a"], "black": ["b"], "score": [1.0]})
    rated = rate_history(games, name, compiled=False, corrections=True)
    none = History.of(games.slice(0, 0), may_be_empty=True)
    corrected = rated.correct({0: None})
    equals_replay(corrected, rate_history(none, name, compiled=False))
    assert corrected.players_reached == len(rated.changes)


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("fide-2009", {"k_rated": "20"}),
        ("fide", {"k_top": "12"}),
        ("egf-2021", {"epsilon": "0.01"}),
        ("uscf-2025", {"pool": "quick"}),
    ],
    ids=str,
)
def test_other_parameters(name: str, changed: dict[str, str]):
    made, rated = before(name, 2)
    corrected = rated.correct(settings=changed)
    again = rate_history(history(made), name, settings=changed, compiled=False)
    equals_replay(corrected, again)
    preview_is_what_differs(corrected, rated, again)


def test_another_assumed_rating():
    made, rated = before("fide-2009", 2)
    now = history({**made, "players": made["players"].slice(0, 10)})
    equals_replay(
        rated.correct(now, assume=1700),
        rate_history(now, "fide-2009", assume=1700, compiled=False),
    )


def test_compiled():
    made = tables(registry.load("fide-2024"), 3, games=GAMES, players=40)
    rated = rate_history(history(made), "fide-2024", compiled=True, corrections=True)
    for seed, kind in enumerate(KINDS):
        facts = rows_of(made)
        kind(facts, random.Random(seed))
        now = history(tables_of(facts, made))
        equals_replay(rated.correct(now), rate_history(now, "fide-2024", compiled=False))


def test_every_column_of_games_is_compared():
    """But for where batches begin, and the lists in force, which follow from the days."""
    always = {"white", "black", "event", "score"}
    assert {*Games._fields} - {"offsets", "slot"} == {*always, *_COLUMNS, *_REPLACED}


def test_what_says_the_same_reaches_nothing():
    made, rated = before("uscf-2025", 1)
    facts = rows_of(made)
    random.Random(1).shuffle(facts["games"])
    corrected = rated.correct(history(tables_of(facts, made)))
    assert (corrected.correction.players, corrected.correction.batches) == (0, 0)
    assert corrected.correction.first_batch == rated.batches
    assert len(corrected.preview) == 0
    with pytest.raises(ValueError, match="say what is otherwise"):
        rated.correct()


@pytest.mark.parametrize("snapshots", [1, 2, 5])
@pytest.mark.parametrize("keeping", [True, False])
def test_a_list_that_differs_reaches_whoever_began_while_it_was_in_force(
    snapshots: int, keeping: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two results exchanged: all stand as before after the second, but not on the list between."""
    monkeypatch.setattr(api, "SNAPSHOTS", snapshots)
    book = registry.edition("fide-2014")
    assert book.bulk is not None
    if not keeping:
        # The games of newcomers, of whom there are none here.
        book = replace(book, bulk=replace(book.bulk, keeping=None))
    events = [
        ("a", "2015-01-10", "2015-01-10", "ann", "ben"),
        # By the list of January.
        ("b", "2015-01-12", "2015-02-10", "ann", "ben"),
        ("c", "2015-03-10", "2015-03-10", "cas", "dan"),
        # By the list of February, which takes the first event.
        ("d", "2015-02-05", "2015-04-10", "ann", "eve"),
        ("e", "2015-05-10", "2015-05-10", "cas", "dan"),
    ]
    names = ["event", "start", "date", "white", "black"]
    players = pa.table({"id": ["ann", "ben", "cas", "dan", "eve"], "rating": [2500] * 5})

    def of(*scores: float) -> History:
        columns = dict(zip(names, map(list, zip(*events, strict=True)), strict=True))
        games = pa.table(columns | {"score": scores})
        return History.of(games, players=players)

    before = rate_history(of(1, 0.5, 0.5, 1, 1), book, compiled=False, corrections=True)
    now = of(0.5, 1, 0.5, 1, 1)
    corrected = before.correct(now)
    again = rate_history(now, book, compiled=False)
    equals_replay(corrected, again)
    preview_is_what_differs(corrected, before, again)
    # By table 8.1.2 (b) the 5 points that ann lacks in February are a hundredth.
    rows = [row for row in corrected.preview.to_pylist() if row["date"] == date(2015, 5, 1)]
    assert {row["player"]: (row["expected_old"], row["expected_new"]) for row in rows} == {
        "ann": (0.51, 0.5), "eve": (0.49, 0.5),
    }  # fmt: skip


_AROUND_A_REFORM = ["2023-06-10", "2023-08-10", "2023-10-10", "2024-04-10", "2024-06-10"]
"""FIDE changed all ratings on 1 March 2024, after the third of these and before the fourth."""


@pytest.mark.parametrize("snapshots", [1, 2, 5])
@pytest.mark.parametrize(
    ("was", "now"),
    [((0, 1, 2, 3, 4), (0, 1, 3, 4)), ((0, 1, 3, 4), (0, 1, 2, 3, 4)), ((0, 1, 2, 4), (0, 1, 3, 4)),
     ((0, 2, 3), (0, 1, 2)), ((0, 1, 2), (0, 1, 2, 3)), ((0, 1, 2, 3, 4), (0, 1, 2, 4))],
)  # fmt: skip
def test_the_last_batch_before_a_reform_comes_or_goes(
    snapshots: int, was: tuple[int, ...], now: tuple[int, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """The reform is done once, wherever the history of before stood."""
    monkeypatch.setattr(api, "SNAPSHOTS", snapshots)
    players = pa.table({"id": ["ann", "ben"], "rating": [1500.0, 1600.0], "games": [40, 40]})

    def of(some: tuple[int, ...]) -> History:
        days = [_AROUND_A_REFORM[each] for each in some]
        count = len(days)
        games = {"event": days, "date": days, "white": ["ann"] * count, "black": ["ben"] * count}
        return History.of(pa.table(games | {"score": [1.0] * count}), players=players)

    before = rate_history(of(was), "fide", compiled=False, corrections=True)
    corrected = before.correct(of(now))
    again = rate_history(of(now), "fide", compiled=False)
    equals_replay(corrected, again)
    preview_is_what_differs(corrected, before, again)
