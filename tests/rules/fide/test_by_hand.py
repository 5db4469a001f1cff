"""Cases of all editions that were derived by hand from the text, before they were rated.

``expected`` gives a player's new rating and, where it was worked out, the unrounded one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ratingbook.engine.rate import rate
from ratingbook.formats.document.read import report_from
from ratingbook.model import Findings
from ratingbook.rules import registry

FILE = Path(__file__).parents[2] / "data" / "fide_by_hand.jsonl"
CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=[f"{c['case']}: {c['words']}"[:70] for c in CASES])
def test_it_comes_out(case: dict[str, Any]) -> None:
    rating = rate(report_from(case["report"]), registry.load(case["rulebook"]))
    assert not rating.findings.refused
    rows = {rated.row.id: rated.row for rated in rating.rows}
    for player, (after, exact) in case["expected"].items():
        assert rows[player].after == after
        if exact is not None:
            assert rows[player].exact == pytest.approx(exact, abs=1e-9)


def test_all_editions_have_cases() -> None:
    assert {case["rulebook"] for case in CASES} >= {"fide", *registry.families()["fide"]}
    assert len(CASES) > 100


# What is not rated, or not so, is told.


def report(**event: Any) -> dict[str, Any]:
    players = [{"id": p, "standing": {"rating": 2000, "games": 50}} for p in ("A", "B")]
    game = {"round": 1, "white": "A", "black": "B", "result": "1-0"}
    dates = {"start": "2024-05-06", "end": "2024-05-08"}
    return {
        "ratingbook": "report/1",
        "event": {**dates, **event},
        "players": players,
        "games": [game],
    }


def told(document: dict[str, Any], name: str = "fide-2024") -> dict[str, str]:
    findings: Findings = rate(report_from(document), registry.load(name)).findings
    return {finding.code: finding.message for finding in findings}


def test_a_list_that_does_not_exist_is_refused() -> None:
    assert "'bullet'" in told(report(pool="bullet"))["fide.pool"]
    assert "rapid" in told(report(pool="rapid"), "fide-2009")["fide.pool"]
    assert "fide.pool" not in told(report(pool="Rapid"))


def test_a_match_without_its_length_is_told() -> None:
    assert "how many games" in told(report(kind="Match"))["fide.match-rounds"]
    assert "fide.match-rounds" not in told(report(kind="match", rounds=4))


def test_games_that_are_left_out_are_counted() -> None:
    late = report()
    late["games"][0]["reported"] = "2024-09-01"
    assert told(late)["fide.late-report"].startswith("1 game is not rated")
    match = report(kind="match", rounds=2)
    match["players"][1].pop("standing")
    assert told(match)["fide.match"].startswith("1 game is not rated")


def test_events_of_several_lists_are_told() -> None:
    document = report(start=None, end=None)
    document["games"] = [
        {**document["games"][0], "event": event, "start": day, "end": day}
        for event, day in (("E", "2024-05-06"), ("F", "2024-06-10"))
    ]
    assert "2024-06-01, 2024-07-01" in told(document)["fide.several-lists"]


def test_events_that_started_under_an_earlier_list_are_told() -> None:
    """5: each event goes by the list in force when it starts, the report has one rating each."""
    document = report(start=None, end=None)
    game = document["games"][0]
    began = [("E", "2024-05-30"), ("F", "2024-06-01"), ("G", "2024-05-31")]
    document["games"] = [
        {**game, "event": event, "start": day, "end": "2024-06-02"} for event, day in began
    ]
    message = told(document)["fide.earlier-list"]
    assert "before 2024-06-01" in message
    assert "2 in all, the first E on 2024-05-30" in message
    for each in document["games"]:
        each |= {"white_rating": 2000, "black_rating": 2000}
    assert "fide.earlier-list" not in told(document)
    document["games"] = [{**game, "event": event, "start": "2024-06-02"} for event, _ in began]
    assert "fide.earlier-list" not in told(document)


@pytest.mark.parametrize(
    ("control", "pool", "code"),
    [
        ("90+30", "standard", None),
        ("60", "standard", "fide.rate-of-play"),
        ("15+10", "rapid", None),
        ("10", "rapid", "fide.pool-contradicts"),
        ("3+2", "blitz", None),
        ("3", "blitz", "fide.rate-of-play"),
        ("15+10", "standard", "fide.pool-contradicts"),
        ("90+30", "blitz", "fide.pool-contradicts"),
        ("by agreement", "standard", "fide.time-control"),
        # The games of a file have several; those of one list are rated by the fastest.
        ("90+30 or 3+2", "standard", "fide.pools-mixed"),
        ("5+3 or 3+2", "blitz", None),
        ("90+30 or 100+30", "standard", None),
        ("15+10 or 20+5", "standard", "fide.pool-contradicts"),
    ],
)
def test_rates_of_play(control: str, pool: str, code: str | None) -> None:
    found = told(report(time_control=control, pool=pool)).keys()
    about = {"fide.rate-of-play", "fide.pool-contradicts", "fide.time-control", "fide.pool-unknown",
             "fide.pools-mixed"}  # fmt: skip
    assert found & about == ({code} if code else set())


def test_a_norm_is_told() -> None:
    document = report()
    opponents = [{"id": str(n), "standing": {"rating": 2400, "games": 99}} for n in range(9)]
    document["players"] += opponents
    document["games"] = [
        {"round": n + 1, "white": "A", "black": str(n), "result": "1-0" if n < 6 else "1/2-1/2"}
        for n in range(9)
    ]
    # 7½ of 9 is 0.83: 2400 + 273 is enough for GM (2600); the average of 2400 too.
    assert "GM" in told(document)["fide.norm-performance"]
    document["games"][0]["result"] = document["games"][1]["result"] = "0-1"
    # 5½ of 9 is 0.61: 2400 + 80 = 2480 is enough for IM (2450) only.
    assert "IM" in told(document)["fide.norm-performance"]


def test_many_norms_are_one_finding() -> None:
    document = report()
    strong = [f"S{n}" for n in range(12)]
    weak = [str(n) for n in range(9)]
    document["players"] = [
        {"id": each, "standing": {"rating": 2400, "games": 99}} for each in strong + weak
    ]
    document["games"] = [
        {"round": n + 1, "white": each, "black": other, "result": "1-0" if n < 7 else "1/2-1/2"}
        for each in strong
        for n, other in enumerate(weak)
    ]
    rating = rate(report_from(document), registry.load("fide-2024"))
    codes = [each.code for each in rating.findings]
    assert codes.count("fide.norm-performance") == 1
    message = told(document)["fide.norm-performance"]
    assert "S0: 8 of 9, GM" in message
    assert message.endswith("and 2 more.")


def test_what_was_set_by_hand_stays_when_the_rules_change() -> None:
    strong = report(start="2025-11-07", end="2025-11-09")
    strong["players"][0]["standing"]["rating"] = 2700
    book = registry.load("fide-2024")

    def expected(settings: dict[str, str]) -> float | None:
        rating = rate(report_from(strong), book.with_parameters(settings))
        return rating.rows[0].row.expected

    assert expected({}) == 0.99
    assert expected({"uncapped_rating": "0"}) == 0.92
    assert expected({"uncapped_rating": "2701"}) == 0.92
