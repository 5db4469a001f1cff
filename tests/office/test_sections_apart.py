"""Sections that are not all alike, where each is rated by itself: as ``rate`` rates the report."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import ratingbook as rb
from ratingbook.office import bundle
from ratingbook.office.logic import feeding
from tests.office.officers import Officer

RULEBOOKS = ("egf-2021", "uscf-2025")
NEW = "office.sections-new"
HEADS: dict[str, list[dict[str, Any]]] = {
    "alike": [],
    "times": [{"name": "Side", "time_control": "1800+30"}],
}


def report_of(heads: str) -> dict[str, Any]:
    """An event whose players play in two sections."""
    chance = random.Random(len(heads))
    players = [
        {"id": str(number), "name": f"Player {number}", "grade": "2d",
         "standing": {"rating": 2_050 + 40 * number}}
        for number in range(1, 6)
    ]  # fmt: skip
    games = []
    for round_ in range(1, 6):
        for section in ("Open", "Side"):
            white, black = chance.sample(players, 2)
            result = chance.choice(["1-0", "0-1"])
            games.append({"round": round_, "section": section, "white": white["id"],
                          "black": black["id"], "result": result})  # fmt: skip
    event = {"name": "Congress", "start": "2026-02-04", "end": "2026-02-06",
             "time_control": "5400+30"}  # fmt: skip
    return {"ratingbook": "report/1", "event": event, "players": players, "games": games,
            "sections": HEADS[heads]}  # fmt: skip


def entered(officer: Officer, folder: Path, heads: str, rulebook: str) -> Path:
    """An office with the report; its players come in with what the report says of them."""
    path = folder / "congress.json"
    report = report_of(heads)
    path.write_text(json.dumps(report), "utf-8")
    officer.does("pool", "add", "main", "--rulebook", rulebook)
    officer.does("receive", path, "--pool", "main")
    for person, player in enumerate(report["players"], 1):
        officer.does("link", 1, player["id"], "new")
        rating = player["standing"]["rating"]
        officer.does("decide", person, "opening", rating, "--pool", "main", "--reason", "told")
    return path


def published(officer: Officer, until: str = "2026-03-01") -> dict[str, Any]:
    run = officer.does("run", "--pool", "main", "--until", until)
    officer.does("approve", run["run"])
    officer.does("publish", run["run"])
    return run


def ratings(officer: Officer) -> dict[int, float]:
    """The exact new rating of each, after the last section."""
    found = {}
    for person in range(1, 6):
        told = officer.does("explain", person, "--pool", "main")
        found[person] = told["players"][0]["after"]
    return found


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("heads", HEADS)
def test_an_office_rates_as_rate_does(
    officer: Officer, tmp_path: Path, heads: str, rulebook: str
) -> None:
    path = entered(officer, tmp_path, heads, rulebook)
    run = published(officer)
    last = {int(each.row.id): each.row.after for each in rb.rate(path, rulebook)}
    assert ratings(officer) == last
    assert NEW not in {each["code"] for each in run["findings"]}
    shown = officer.sees("explain", 1, "--pool", "main")
    assert "Congress, round" in shown
    assert "#" not in shown
    # Whoever has the bundle comes to the same.
    officer.does("bundle", 1, "-o", tmp_path / "bundle.zip")
    checked = bundle.verify(tmp_path / "bundle.zip")
    assert not checked.findings.refused
    assert officer.does("replay")["publications"][0]["is_equal"]
    assert not officer.does("doctor")["findings"]


def test_what_was_published_before_stays_and_the_next_run_tells(
    officer: Officer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = entered(officer, tmp_path, "times", "egf-2021")
    with monkeypatch.context() as once:
        once.setattr(feeding, "_parts", lambda *_: None)
        published(officer)
        before = ratings(officer)
    last = {int(each.row.id): each.row.after for each in rb.rate(path, "egf-2021")}
    assert before != last
    assert officer.does("replay")["publications"][0]["is_equal"]
    assert ratings(officer) == before
    run = published(officer, "2026-03-02")
    assert NEW in {each["code"] for each in run["findings"]}
    assert ratings(officer) == last
    assert NEW not in {each["code"] for each in published(officer, "2026-03-03")["findings"]}
