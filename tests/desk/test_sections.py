"""Events of several sections: a report is rated as it is in a history."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import ratingbook as rb
from ratingbook.rules import registry
from ratingbook.rules.book import RatedBy

SECTIONS = ("Open 10", "Open 9", "Side")
BY_SECTION = [name for name in registry.names() if registry.load(name).rated_by is RatedBy.SECTION]


def report_of(chance: random.Random) -> dict[str, Any]:
    """An event whose players play in several sections, and some of them in none."""
    players = [
        {
            "id": str(10_001 + number),
            "name": f"Player {number}",
            "standing": {"rating": chance.randint(1_500, 2_300), "games": 60},
            "grade": "1d",
        }
        for number in range(9)
    ]
    games = []
    for round_ in range(1, 6):
        for section in chance.sample(SECTIONS, len(SECTIONS)):
            white, black = chance.sample(players[:8], 2)
            result = chance.choice(["1-0", "0-1"])
            games.append({"round": round_, "section": section, "white": white["id"],
                          "black": black["id"], "result": result})  # fmt: skip
    event = {"name": "Congress", "start": "2012-05-04", "end": "2012-05-06", "class": "B",
             "time_control": "5400+30"}  # fmt: skip
    return {"ratingbook": "report/1", "event": event, "players": players, "games": games}


HEADS: tuple[list[dict[str, Any]], ...] = (
    [],
    [{"name": "Side", "number": 1}, {"name": "Open 10", "number": 2}],
    [{"name": "Open 9", "time_control": "1800+30"}],
    [{"name": "Side", "kind": "match", "number": 4}],
)
"""What sections say of themselves: nothing, their numbers, their times, their kinds."""


@pytest.mark.parametrize("rulebook", BY_SECTION)
@pytest.mark.parametrize("heads", range(len(HEADS)))
def test_a_report_is_rated_as_in_a_history(rulebook: str, heads: int, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    report = report_of(random.Random(heads)) | {"sections": HEADS[heads]}
    if HEADS[heads] and HEADS[heads][0].get("kind") == "match":
        of_match = [game for game in report["games"] if game["section"] == "Side"]
        report["games"] = [game for game in report["games"] if game["section"] != "Side"]
        two = {name: of_match[0][name] for name in ("white", "black")}
        report["games"] += [game | two for game in of_match]
        for player in report["players"]:
            if player["id"] in two.values():
                player["standing"]["rating"] = 2_100
    path.write_text(json.dumps(report), "utf-8")
    rated = rb.rate(path, rulebook)
    changes = rb.history(path, rulebook, id="local", progress=False).changes.to_pylist()
    own = [(each.row.id, each.row.after) for each in rated if each.row.games]
    last = dict(own)
    assert len(own) > len(last), "some are in several sections"
    own_pool = [each for each in changes if each.get("pool", "regular") == "regular"]
    assert {each["player"]: each["after"] for each in own_pool} == last


def test_who_plays_in_none_stays_and_what_is_decided_of_him_is_told() -> None:
    report = report_of(random.Random(1))
    report["players"][8]["decisions"] = {"reset_rating": 2_000, "reason": "asked"}
    rated = rb.rate(report, "egf-2021")
    row = rated["Player 8"].row
    assert (row.before, row.after) == (report["players"][8]["standing"]["rating"],) * 2
    assert [each.where.player for each in rated.findings if each.code == "egf.reset-not-used"]


def test_each_is_of_the_class_of_its_own_time() -> None:
    report = report_of(random.Random(2))
    del report["event"]["class"]
    report["sections"] = [{"name": "Side", "time_control": "600"}]
    rated = rb.rate(report, "egf-2021")
    told = {each.code: each.where.section for each in rated.findings}
    assert told["egf.not-recognised"] == "Side"
    sides = [each.row for each in rated if each.row.section == "Side"]
    assert sides
    assert all(row.exact == row.before for row in sides)
