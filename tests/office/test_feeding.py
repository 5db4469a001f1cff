"""What corrections say is laid over the facts, whatever came first."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pyarrow as pa
import pytest

from ratingbook.office.logic import feeding
from ratingbook.office.logic.feeding import Overlay, Raw, feed

DAY = date(2026, 1, 10)


def table(schema, *rows):
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)


def raw(*openings, decisions=()):
    games = [
        (number, 1, DAY, "open", "", number, one, other, half, "played", "white", 0, DAY, None)
        for number, one, other, half in ((1, 11, 12, 2), (2, 12, 13, 1), (3, 13, 11, None))
    ]
    return Raw(
        table(feeding.GAMES, *games),
        table(feeding.PEOPLE, (11, date(1990, 1, 1), 1990, "w")),
        table(feeding.SECTIONS, (1, "open", DAY, DAY, "{}")),
        table(feeding.GRADES, (1, 11, "3k"), (1, 12, "1d")),
        table(feeding.OPENINGS, *openings),
        table(feeding.DECISIONS, *decisions),
    )


def games(fed):
    return [
        (each["white"], each["black"], each["score"], each["rated"])
        for each in fed.games.to_pylist()
    ]


def test_a_game_without_a_result_is_none():
    assert games(feed(raw(), {})) == [("11", "12", 1.0, "white"), ("12", "13", 0.5, "white")]


@pytest.mark.parametrize(
    ("overlay", "expected"),
    [
        (Overlay(games={1: {"half": 0}}), ("11", "12", 0.0, "white")),
        (Overlay(games={3: {"half": 2}}), ("13", "11", 1.0, "white")),
        # Who had White and won now has Black and has won; the flag goes with the player.
        (Overlay(games={1: {"turned": True}}), ("12", "11", 0.0, "black")),
        (Overlay(games={1: {"turned": True, "half": 0}}), ("12", "11", 1.0, "black")),
        (Overlay(games={1: {"rated": "none"}}), ("11", "12", 1.0, "none")),
        (Overlay(players={(1, "black"): 14}), ("11", "14", 1.0, "white")),
    ],
)
def test_a_game_is_what_holds_of_it(overlay, expected):
    assert expected in games(feed(raw(), {}, overlay))


def test_who_is_merged_does_not_play_against_himself():
    assert games(feed(raw(), {12: 11})) == [("11", "13", 0.5, "white")]


def test_an_event_is_moved_with_its_games_or_taken_out():
    fed = feed(raw(), {}, Overlay(days={1: 30}))
    assert fed.events is not None
    assert set(fed.games["date"].to_pylist()) == {date(2026, 2, 9)}
    assert fed.events.to_pylist() == [
        {"event": "open", "start": date(2026, 2, 9), "end": date(2026, 2, 9)}
    ]
    gone = feed(raw(), {}, Overlay(without=frozenset({1})))
    assert (len(gone.games), gone.events, gone.entries) == (0, None, None)


def test_of_merged_persons_the_one_that_they_are_brings_the_rating():
    """Whatever was said last: what is taken back is said later than what was before."""
    said = (5, 12, '{"rating": 1200.0}'), (6, 11, '{"rating": 1100.0}')
    for openings in (said, said[::-1]):
        fed = feed(raw(*openings), {11: 12})
        assert fed.players is not None
        ratings = {x["id"]: x["rating"] for x in fed.players.to_pylist()}
        assert ratings == {"12": 1200.0, "13": None}
    without = feed(raw(*said), {11: 12}, Overlay(openings={12: None}))
    assert without.players is not None
    assert without.players.to_pylist()[0]["rating"] == 1100.0


def test_the_year_of_birth_is_fed_where_no_day_is_known():
    people = [(11, date(1990, 1, 1), 1990, "w"), (12, None, 2011, None), (13, None, None, "m")]

    def born(*rows, merged=()):
        fed = feed(replace(raw(), people=table(feeding.PEOPLE, *rows)), dict(merged))
        return {player: year for player, year in fed.births.items() if year}

    assert born(*people) == {"11": date(1990, 1, 1), "12": 2011}
    # Of two who are one the day is more than a year, whoever said it.
    assert born(*people, merged={11: 12}.items()) == {"12": date(1990, 1, 1)}
    assert born(*people, merged={12: 13}.items()) == {"11": date(1990, 1, 1), "13": 2011}
    fed = feed(raw(), {})
    assert fed.players is not None
    assert "birth_year" not in fed.players.column_names


def test_of_decisions_the_later_word_holds_and_what_is_undone_does_not():
    said = [
        (fact, person, DAY, "base_rating", value, "")
        for fact, person, value in ((5, 11, 1900.0), (6, 12, 2000.0), (7, 13, 2100.0))
    ]

    def decided(merged, overlay):
        fed = feed(raw(decisions=said), merged, overlay)
        rows = fed.decisions.to_pylist() if fed.decisions is not None else []
        return {row["player"]: row["value"] for row in rows}

    assert decided({11: 12}, Overlay()) == {"12": 2000, "13": 2100}
    assert decided({11: 12}, Overlay(undone=frozenset({6}))) == {"12": 1900, "13": 2100}
    besides = (12, DAY, "base_rating", 1500.0, "again")
    assert decided({11: 12}, Overlay(decisions=(besides,)))["12"] == 1500
    assert decided({}, Overlay(undone=frozenset({5, 6, 7}))) == {}


@pytest.mark.parametrize(
    ("merged", "overlay"),
    [
        ({}, Overlay(games={1: {"half": 0}})),
        ({}, Overlay(games={1: {"half": None}, 2: {"half": None}})),
        ({}, Overlay(players={(1, "black"): 14})),
        ({}, Overlay(days={1: 30})),
        ({}, Overlay(without=frozenset({1}))),
        ({}, Overlay(openings={12: {"rating": 1800.0}})),
        ({}, Overlay(undone=frozenset({7}))),
        ({13: 12}, Overlay()),
    ],
)
def test_beside_what_was_fed_before_it_is_the_same(merged, overlay):
    columns = raw((7, 11, '{"rating": 1500.0}'))
    basis = feeding.Basis(columns, {}, Overlay(), feed(columns, {}))
    made = feed(columns, merged, overlay, basis)
    assert made.digest == feed(columns, merged, overlay).digest != basis.fed.digest
    assert made.is_same(feed(columns, merged, overlay))
    assert not made.is_same(basis.fed)


def test_what_is_added_on_a_day_is_one_sum_and_nothing_where_it_is_taken_back():
    values = ((1, 11, 7.3), (2, 11, -7.3), (3, 12, 5.0), (4, 13, 2.5))
    said = [
        (number, person, DAY, "difference", value, f"correction {number}")
        for number, person, value in values
    ]
    made = feed(raw(decisions=said), {13: 12})
    assert made.decisions is None
    assert made.differences is not None
    assert made.differences.to_pylist() == [
        {"player": "12", "date": DAY, "value": 7.5, "reason": "correction 3; correction 4"}
    ]


@pytest.mark.parametrize(
    ("overlay", "merged", "expected"),
    [
        (Overlay(), {}, (3, 2100.0, 2200.0, None)),
        # With the colours turned all that is said is of the other side.
        (Overlay(games={1: {"turned": True}}), {}, (-3, 2200.0, 2100.0, None)),
        (Overlay(games={1: {"turned": True}}), {11: 21}, (-3, 2200.0, 2100.0, None)),
        (Overlay(games={1: {"turned": False}}), {}, (3, 2100.0, 2200.0, None)),
        # A margin of another winner says nothing.
        (Overlay(games={1: {"half": 1}}), {}, (None, 2100.0, 2200.0, None)),
        (Overlay(players={(1, "black"): 14}), {}, (3, 2100.0, 2200.0, None)),
    ],
)
def test_what_is_said_of_a_game_goes_with_its_players(overlay, merged, expected):
    said = table(feeding.CONDITIONS, (1, 1, 11, 12, 2, 3, False, 2100.0, 2200.0, False, None, None))
    fed = feed(replace(raw(), conditions=said), merged, overlay).games.to_pylist()[0]
    names = ("margin", "white_rating", "black_rating", "neutral")
    assert tuple(fed.get(name) for name in names) == expected


@pytest.mark.parametrize(
    ("overlay", "merged", "expected"),
    [
        (Overlay(), {}, ("15", None)),
        (Overlay(games={1: {"turned": True}}), {}, (None, "15")),
        (Overlay(), {15: 16}, ("16", None)),
        # Who that entry is, is corrected by section.
        (Overlay(entries={(1, 15): 17}), {}, ("17", None)),
        # Nobody replaces himself, or plays in place of the opponent.
        (Overlay(), {15: 11}, (None, None)),
        (Overlay(players={(1, "white"): 15}), {}, (None, None)),
        (Overlay(entries={(1, 15): 12}), {}, (None, None)),
        (Overlay(games={1: {"half": None}}), {}, (None, None)),
    ],
)
def test_whom_a_substitute_replaced_stays_with_the_side(overlay, merged, expected):
    said = table(
        feeding.CONDITIONS, (1, 1, 11, 12, 2, None, None, None, None, False, 15, None)
    )  # fmt: skip
    fed = feed(replace(raw(), conditions=said), merged, overlay)
    row = fed.games.to_pylist()[0]
    assert (row.get("white_for"), row.get("black_for")) == expected
    assert fed.players is not None
    assert {each for each in expected if each} <= set(fed.players["id"].to_pylist())


def test_a_game_that_is_left_to_the_rules_says_nothing_of_being_rated():
    facts = raw()
    games = facts.games.set_column(10, "rated", pa.array(["both"] * 3)).set_column(
        9, "status", pa.array(["withdrawn", "played", "played"])
    )
    said = table(feeding.CONDITIONS, (1, 1, 11, 12, 2, None, None, None, None, True, None, None))
    facts = replace(facts, games=games, conditions=said)
    assert feed(facts, {}).games["rated"].to_pylist() == [None, "both"]
    corrected = Overlay(games={1: {"status": "played"}})
    assert feed(facts, {}, corrected).games["rated"].to_pylist() == ["both", "both"]


def test_of_what_reports_say_of_a_player_the_first_word_holds_and_that_of_the_office_before():
    said = table(
        feeding.SAID,
        (2, 11, date(2026, 2, 1), '{"fide": 2100.0, "cfc": 1900.0}'),
        (1, 11, DAY, '{"fide": 2000.0, "rating": 9.0}'),
        (1, 12, DAY, '{"fide": 1800, "adult": true}'),
    )
    facts = replace(raw((1, 12, '{"rating": 1700, "fide": 1750}')), said=said)
    fed = feed(facts, {})
    assert fed.players is not None
    rows = {row["id"]: row for row in fed.players.to_pylist()}
    assert (rows["11"]["fide"], rows["11"]["cfc"], rows["11"]["rating"]) == (2000, 1900, None)
    assert (rows["12"]["fide"], rows["12"]["adult"]) == (1750, True)
    assert fed.reported == {"fide", "cfc", "adult", "rating"}
    gone = feed(facts, {}, Overlay(without=frozenset({1})))
    assert gone.reported == {"fide", "cfc"}
