"""Sections of different rating systems, time controls and kinds in one report."""

from __future__ import annotations

from datetime import date
from typing import Any

import pyarrow as pa
import pytest

from ratingbook.engine.history import rate_history
from ratingbook.engine.rate import Rating, rate
from ratingbook.formats.document.read import report_from
from ratingbook.model import Severity
from ratingbook.rules import uscf


def player(name: str, rating: float | None = 1500, **more: Any) -> dict[str, Any]:
    standing = {"standing": {"rating": rating, "games": 100}} if rating else {}
    return {"id": name, **standing, **more}


def game(section: str, white: str = "A", black: str = "B", **more: Any) -> dict[str, Any]:
    return {"round": 1, "section": section, "white": white, "black": black, "result": "1-0", **more}


def three_games(section: str, a: str = "A", b: str = "B", c: str = "C") -> list[dict[str, Any]]:
    return [
        game(section, a, b),
        game(section, b, c, round=2),
        game(section, c, a, round=3),
    ]


def rated(
    heads: list[dict[str, Any]],
    edition: str = "uscf-2011",
    players: list[dict[str, Any]] | None = None,
    games: list[dict[str, Any]] | None = None,
    **event: Any,
) -> Rating:
    if games is None:
        names = [head["name"] for head in heads]
        games = [played for name in names for played in three_games(name)]
    document = {
        "ratingbook": "report/1",
        "event": {"end": "2012-06-03", **event},
        "sections": heads,
        "players": players or [player(name) for name in "ABC"],
        "games": games,
    }
    return rate(report_from(document), getattr(uscf, edition.replace("-", "_")))


def sections_of(rating: Rating) -> list[str | None]:
    return list(dict.fromkeys(each.row.section for each in rating.rows))


def codes(rating: Rating) -> list[str]:
    return [finding.code for finding in rating.findings]


SLOW = {"name": "slow", "time_control": "G/90"}
BOTH = {"name": "both", "time_control": "G/45"}
FAST = {"name": "fast", "time_control": "G/15"}


@pytest.mark.parametrize(
    ("heads", "pool", "counting"),
    [
        ([SLOW, FAST], None, ["slow"]),
        ([SLOW, FAST], "quick", ["fast"]),
        ([SLOW, BOTH], None, ["both", "slow"]),
        ([FAST, BOTH], None, ["both", "fast"]),
        ([SLOW, BOTH, FAST], None, ["both", "slow"]),
        ([SLOW, BOTH, FAST], "quick", ["both", "fast"]),
        ([{"name": "a", "pool": "quick"}, {"name": "b", "pool": "quick"}], None, ["a", "b"]),
        ([{"name": "a", "pool": "quick"}, {"name": "b", "pool": "dual"}], None, ["a", "b"]),
        ([{"name": "a", "pool": "regular"}, {"name": "b", "pool": "dual"}], "quick", ["b"]),
        ([{"name": "a", "pool": "quick"}, {"name": "b", "pool": "blitz"}], None, []),
        ([{"name": "a", "pool": "quick", "time_control": "G/90"}, SLOW], None, ["slow"]),
        ([{"name": "a"}, FAST], None, ["a", "fast"]),
        ([{"name": "a", "time_control": "G/2"}, SLOW], None, ["slow"]),
    ],
)
def test_a_run_rates_the_sections_of_one_system(heads, pool, counting):
    rating = rated(heads, pool=pool)
    assert sections_of(rating) == counting
    assert codes(rating).count("uscf.other-system") == len(heads) - len(counting)
    for finding in rating.findings:
        if finding.code == "uscf.other-system":
            assert finding.severity is Severity.WARNING
            assert finding.remedy
            assert finding.where.section not in counting
            assert f"section {finding.where.section}" in finding.message


def test_the_time_control_of_a_section_is_no_missing_one():
    rating = rated([SLOW, {**BOTH, "pool": "regular"}])
    assert "uscf.pool-assumed" not in codes(rating)
    rating = rated([SLOW, {"name": "unknown"}])
    (found,) = [f for f in rating.findings if f.code == "uscf.pool-assumed"]
    assert found.where.section == "unknown"


def test_the_other_systems_do_not_move_a_rating():
    alone = rated([SLOW])
    together = rated([SLOW, FAST])
    assert [each.row for each in together.rows] == [each.row for each in alone.rows]


def test_numbers_of_sections_come_before_names():
    """Both have a number, then the ones without by their names."""
    heads: list[dict[str, Any]] = [
        {**SLOW, "name": "A", "number": 2},
        {**SLOW, "name": "B", "number": 1},
    ]
    heads += [{**SLOW, "name": "10"}, {**SLOW, "name": "9"}]
    assert sections_of(rated(heads)) == ["B", "A", "9", "10"]


def test_players_of_several_sections_are_told_once():
    rating = rated([SLOW, BOTH, {**SLOW, "name": "more"}])
    assert codes(rating).count("uscf.several-sections") == 1
    assert "uscf.several-sections" not in codes(rated([SLOW, FAST]))


def test_each_section_settles_by_itself_whether_it_is_dual_rated():
    """K of a player above 2200 is lower in the dual-rated section only."""
    players = [player(name, 2400) for name in "ABCDEF"]
    games = three_games("slow") + three_games("both", "D", "E", "F")
    games = [{**g, "result": "1-0" if g["white"] in "AD" else "1/2-1/2"} for g in games]
    rating = rated([SLOW, BOTH], "uscf-2014", players, games, end="2014-06-01")
    change = {each.row.id: (each.row.exact or 0) - 2400 for each in rating.rows}
    assert 0 < change["D"] < change["A"] / 1.5
    assert "uscf.dual-unknown" not in codes(rating)
    named: list[dict[str, Any]] = [{**SLOW, "time_control": None}, {"name": "both", "pool": "dual"}]
    rating = rated(named, "uscf-2014", players, games, end="2014-06-01")
    assert {each.row.id: (each.row.exact or 0) - 2400 for each in rating.rows} == change


@pytest.mark.parametrize("word", ["dual", " Dual "])
def test_an_event_that_says_dual_counts_in_both_systems(word: str):
    """Its sections are dual: regular here, with the lower K; of another system are left out."""
    players = [player(name, 2400) for name in "ABC"]
    games = [{**g, "result": "1/2-1/2"} for g in three_games("s")[1:]]
    games += [game("s", "A", "B", round=4)]
    by_event = rated([{"name": "s"}], "uscf-2014", players, games, end="2014-06-01", pool=word)
    by_section = rated(
        [{"name": "s", "pool": "dual"}], "uscf-2014", players, games, end="2014-06-01"
    )
    by_time = rated([{"name": "s"}], "uscf-2014", players, games, end="2014-06-01",
                    time_control="G/45")  # fmt: skip
    plain = rated([{"name": "s"}], "uscf-2014", players, games, end="2014-06-01",
                  time_control="G/90")  # fmt: skip
    exact = [[each.row.exact for each in r.rows] for r in (by_event, by_section, by_time, plain)]
    assert exact[0] == exact[1] == exact[2] != exact[3]
    assert "uscf.dual-rated" in codes(by_event)
    mixed = rated([{"name": "s"}, {"name": "b", "pool": "blitz"}], "uscf-2017", pool=word)
    assert sections_of(mixed) == ["s"]
    assert "uscf.other-system" in codes(mixed)


@pytest.mark.parametrize("pool", ["regular", "quick", "blitz"])
def test_a_dual_event_of_a_history_is_that_of_a_report(pool: str):
    """In the regular and the quick system; what rates blitz leaves it out."""
    book = uscf.uscf_2017.with_parameters({"pool": pool})
    played = pa.table(
        {"date": ["2018-06-03"] * 2, "event": ["e"] * 2, "round": [1, 2],
         "white": ["A", "B"], "black": ["B", "C"], "score": [1.0, 0.5]}
    )  # fmt: skip
    names = ["A", "B", "C"]
    known = pa.table({"id": names, "rating": [2400.0] * 3, "games": [100] * 3})
    events = pa.table({"event": ["e"], "pool": ["dual"]})
    changes = rate_history(played, book, players=known, events=events, compiled=False).changes
    if pool == "blitz":
        assert len(changes) == 0
        return
    two = [game("s"), game("s", "B", "C", round=2, result="1/2-1/2")]
    standings = [
        {"id": name, "standing": {"rating": 2400, "games": 100}, "pools": {}} for name in names
    ]
    heads = [{"name": "s", "pool": "dual"}]
    event = {"pool": "quick"} if pool == "quick" else {"pool": "dual"}
    report = rated(heads, "uscf-2017", standings, two, end="2018-06-03", **event)
    assert {row["player"]: row["after"] for row in changes.to_pylist()} == {
        each.row.id: each.row.after for each in report.rows
    }


def test_a_match_beside_a_swiss():
    players = [player(name) for name in "ABCDE"]
    games = [*three_games("slow"), game("match", "D", "E")]
    rating = rated([SLOW, {**SLOW, "name": "match", "kind": "match"}], "uscf-2011", players, games)
    assert "uscf.perhaps-match" not in codes(rating)
    after = {each.row.id: each for each in rating.rows}
    assert after["D"].row.history
    assert not after["A"].row.history


def test_the_end_of_the_section_is_the_day_of_its_ratings():
    """A match keeps its own last day."""
    head = {**SLOW, "name": "match", "kind": "match", "end": "2012-06-01"}
    rating = rated([head], games=[game("match")], players=[player("A"), player("B")])
    assert rating.rows[0].row.history[0].start == date(2012, 6, 1)
    assert rating.rows[0].row.standing.last_played == date(2012, 6, 1)


def test_pools_that_are_wrong():
    assert "uscf.unknown-pool" in codes(rated([{"name": "a", "pool": "classical"}]))
    contradiction = rated([{"name": "a", "pool": "dual", "time_control": "G/90"}])
    assert "uscf.pool-contradicts" in codes(contradiction)
    assert not contradiction.rows


def test_blitz_of_an_edition_without_it_is_left_out():
    heads = [SLOW, {"name": "b", "pool": "blitz"}]
    (found,) = [f for f in rated(heads).findings if f.code == "uscf.other-system"]
    assert "edition" in found.remedy
    found_later = rated(heads, "uscf-2025", end="2026-01-04").findings
    (found,) = [f for f in found_later if f.code == "uscf.other-system"]
    assert '"blitz"' in found.remedy


def test_what_is_left_out_is_told_with_the_time_control_that_it_has():
    """That of the section, else that of the event."""
    for heads, event in (([SLOW, FAST], None), ([SLOW, {"name": "fast"}], "G/15")):
        found = rated(heads, time_control=event).findings
        (left,) = [each for each in found if each.code == "uscf.other-system"]
        assert "its time control G/15" in left.message


def test_a_report_in_memory_without_heads_is_rated_as_before():
    document = {
        "ratingbook": "report/1",
        "event": {"end": "2012-06-03", "time_control": "G/90"},
        "players": [player(name) for name in "ABC"],
        "games": three_games("slow"),
    }
    plain = rate(report_from(document), uscf.uscf_2011)
    assert plain.rows == rated([SLOW]).rows


def test_an_adjustment_is_used_up_and_a_ceiling_holds():
    """The second section starts from what the first left; nobody rises above 1510 in either."""
    decided = {"adjusted_rating": 1490, "ceiling": 1510, "reason": "review"}
    players = [player("A", 1600, decisions=decided), player("B"), player("C")]
    games = [game(name, "A", other, round=n) for name in "ab" for n, other in enumerate("BC", 1)]
    heads = [{**SLOW, "name": name} for name in "ab"]
    first, second = (
        each.row for each in rated(heads, players=players, games=games).rows if each.row.id == "A"
    )
    assert (first.before, first.after) == (1600, 1510)
    assert (second.before, second.after) == (1510, 1510)


def test_a_floor_that_a_match_lowered_is_remembered_in_the_next_section():
    """1405 loses 12 games against 1500: at most 50 points, below the floor of 1400."""
    low = {"id": "A", "standing": {"rating": 1405, "games": 100, "peak": 1600}}
    games = [game("a", "B", "A", round=n) for n in range(1, 13)]
    games += [game("b", "B", "A"), game("b", "C", "A", round=2)]
    heads = [{**SLOW, "name": "a", "kind": "match"}, {**SLOW, "name": "b"}]
    rating = rated(heads, players=[low, player("B"), player("C")], games=games)
    match, after = (each.row for each in rating.rows if each.row.id == "A")
    assert match.after == 1355
    assert [side.event for side in match.history] == ["match -50, floor -100"]
    assert 1300 <= (after.after or 0) < 1355
    assert after.history == match.history


def test_a_rating_that_a_game_names_is_of_that_game_only():
    """A FIDE event: the second opponent has no FIDE rating, so the game is not rated."""
    players = [player("A", federation="USA"), player("B", federation="GER"),
               player("C", federation="GER")]  # fmt: skip
    games = [game("a", "A", "B", black_rating=1700), game("a", "A", "C", round=2)]
    heads = [{**SLOW, "name": "a", "kind": "fide"}]
    rows = {each.row.id: each.row for each in rated(heads, players=players, games=games).rows}
    assert rows["A"].games == 1


def test_what_is_left_out_names_its_own_time_control_before_that_of_the_event():
    for control, heads in (
        ("G/5", [SLOW, {"name": "b", "time_control": "G/5"}]),
        ("G/15", [{**SLOW, "pool": "regular"}, {"name": "b"}]),
    ):
        found = rated(heads, "uscf-2017", end="2017-06-04", time_control="G/15").findings
        (told,) = [each for each in found if each.code == "uscf.other-system"]
        assert f"time control {control}" in told.message
