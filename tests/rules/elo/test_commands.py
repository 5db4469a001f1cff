"""The commands find the rule book, and explain what its rules did."""

import json
import subprocess
import sys
from pathlib import Path

import pytest


def run(*arguments: object) -> str:
    """What a command prints."""
    done = subprocess.run(
        [Path(sys.executable).with_name("ratingbook"), *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_rate(tmp_path: Path) -> None:
    """A report with all that the rules read."""
    document = {
        "ratingbook": "report/1",
        "event": {"name": "Invented League", "category": "2024"},
        "players": [
            {
                "id": "A",
                "standing": {"rating": 1700, "games": 40, "season": 2023},
                "decisions": {"rating": 1600, "reason": "half of the team is new"},
            },
            {"id": "B", "standing": {"rating": 1700, "games": 40, "season": 2023}},
        ],
        "games": [{"white": "A", "black": "B", "result": "1-0", "margin": 3, "neutral": True}],
    }
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document), "utf-8")
    settings = ("--set", "season_return=0.5", "--set", "home=65", "--set", "margin=log")
    made = run("rate", path, "--rulebook", "elo", *settings, "--format", "json")
    # Both at 1600, on neutral ground: 20 · ln(4) · 1/2 = 13.8629.
    found = {row["id"]: (row["before"], row["after"]) for row in json.loads(made)["players"]}
    assert found["A"] == pytest.approx((1600, 1613.8629), abs=1e-4)
    assert found["B"] == pytest.approx((1600, 1586.1371), abs=1e-4)


def test_whatif() -> None:
    """At home, away and on neutral ground, by seven points."""
    me = ("--rulebook", "elo", "--set", "home=65", "--set", "margin=log", "--rating", "1600")
    for game, told in (
        ("1700/home=1:7", ("home advantage +65", "margin +7 at a difference of −35")),
        ("1700/away=0:7", ("home advantage −65", "margin −7 at a difference of −165")),
        ("1700=0:7", ("margin −7 at a difference of −100",)),
    ):
        text = run("whatif", *me, game, "--explain")
        assert all(words in text for words in told), text
        assert ("home advantage" in text) == ("/" in game)
