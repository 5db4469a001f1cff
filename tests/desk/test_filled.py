"""What a players file may fill in: what a report lacks, and nothing that it says."""

from __future__ import annotations

import json

import pytest

from ratingbook.desk.filled import with_players
from ratingbook.model import FrozenSide, Severity, Standing
from tests.formats.players_files import one, read, report


def test_it_fills_what_the_report_lacks():
    given_ = report(
        {"id": "1", "name": "Alpha, Anna"},
        {"id": "2", "standing": {"rating": 2385}},
        {"id": "3", "standing": {"rating": 2310}},
    )
    players = read("id,name,rating,games,reached_2400\n1,A,2420,412,\n2,Bravo,,655,true\n9,X,1,,\n")
    filled, findings = with_players(given_, players)
    assert list(findings) == []
    anna, ben, third = filled.entries
    assert anna.name == "Alpha, Anna"
    assert anna.standing == Standing(2420, 412)
    assert ben.name == "Bravo"
    assert ben.standing == Standing(2385, 655, extra={"reached_2400": True})
    assert third == given_.entries[2]
    assert [entry.place for entry in filled.entries] == [entry.place for entry in given_.entries]
    assert filled.games == given_.games


def test_what_the_report_says_stands():
    """False and 0 are said; null is not."""
    ours = {
        "id": "1",
        "adult": False,
        "standing": {"rating": 0, "games": 0, "reached_2400": False},
        "foreign": {"fide": None, "cfc": 1500},
        "history": [{"opponent": 1900, "score": 0}],
        "decisions": {"initial_rating": 406, "reason": "match"},
    }
    theirs = {
        "id": "1",
        "adult": True,
        "standing": {"rating": 0, "games": 0, "wins": 3, "reached_2400": True, "peak": 2401},
        "foreign": {"fide": 1650, "cfc": 1600},
        "history": [{"opponent": 2000, "score": 1}],
        "decisions": {"initial_rating": 500, "reason": "other"},
    }
    filled, findings = with_players(report(ours), read(json.dumps([theirs])))
    assert list(findings) == []
    (entry,) = filled.entries
    assert entry.adult is False
    assert entry.standing == Standing(0, 0, wins=3, extra={"reached_2400": False, "peak": 2401})
    assert entry.foreign == {"fide": 1650, "cfc": 1500}
    assert entry.history == (FrozenSide(opponent=1900, score=0),)
    assert entry.decisions == {"initial_rating": 406, "reason": "match"}


def test_a_rating_that_contradicts_is_a_finding_and_the_reports_is_used():
    players = read("id,rating,games\n2,1500,1\n1,2421,412\n")
    filled, findings = with_players(report({"id": "1", "standing": {"rating": 2420}}), players)
    finding = one(findings, "players.rating-differs", Severity.WARNING)
    assert "2420" in finding.message
    assert "2421" in finding.message
    assert (finding.where.line, finding.where.player) == (3, "1")
    assert filled.entries[0].standing == Standing(2420, 412)


def test_ids_that_do_not_match():
    given_ = report({"id": "1"}, {"id": "2"})
    filled, findings = with_players(given_, read("id,rating\n12345,1500\n"))
    assert list(findings) == []
    assert filled == given_


def test_no_players_change_nothing():
    given_ = report({"id": "1"})
    filled, findings = with_players(given_, {})
    assert list(findings) == []
    assert filled == given_


@pytest.mark.parametrize("whole", [1500, 1501])
@pytest.mark.parametrize("exact", [1500.372, 1500.5, 1500.999])
def test_a_rounded_rating_is_no_contradiction_and_the_exact_one_is_used(whole, exact):
    players = read(json.dumps([{"id": "1", "rating": exact, "games": 30}]))
    filled, findings = with_players(report({"id": "1", "standing": {"rating": whole}}), players)
    assert list(findings) == []
    assert filled.entries[0].standing == Standing(exact, 30)


def test_an_edition_of_whole_ratings_keeps_the_whole_one_and_is_told():
    players = read(json.dumps([{"id": "1", "rating": 1500.372, "games": 30}]))
    ours = report({"id": "1", "standing": {"rating": 1500}})
    filled, findings = with_players(ours, players, whole_ratings=True)
    one(findings, "players.rating-differs", Severity.WARNING)
    assert filled.entries[0].standing == Standing(1500, 30)


@pytest.mark.parametrize(("ours", "theirs"), [(1502, 1500.4), (1500, 1501), (1500.4, 1500.3)])
def test_a_rating_of_another_state_says_what_is_mixed(ours, theirs):
    row = {"id": "1", "rating": theirs, "games": 30, "peak": 1700}
    players = read(json.dumps([row]))
    filled, findings = with_players(report({"id": "1", "standing": {"rating": ours}}), players)
    message = one(findings, "players.rating-differs", Severity.WARNING).message
    assert "only the rating is the report's, games, peak are the players file's" in message
    assert filled.entries[0].standing == Standing(ours, 30, extra={"peak": 1700})
