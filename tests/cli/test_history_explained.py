"""``ratingbook history --explain``: a change of a history, paragraph by paragraph."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).with_name("ratingbook")

GAMES = """date,event,round,white,black,score
2010-05-03,open,1,a,b,1
2010-05-04,open,2,b,c,0.5
2010-07-20,cup,1,a,c,0
2010-07-21,cup,2,b,a,1
"""
PLAYERS = """id,rating,games
a,2100,50
b,2250,80
c,1900,90
"""


@pytest.fixture
def explain(tmp_path: Path):
    (tmp_path / "games.csv").write_text(GAMES)
    (tmp_path / "players.csv").write_text(PLAYERS)

    def run(asked: str, *more: str) -> subprocess.CompletedProcess[str]:
        given = ["games.csv", "--players", "players.csv", "--rulebook", "fide-2009"]
        command = [str(COMMAND), "history", *given, "--explain", asked, *more]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    return run


def test_the_change_of_a_list_by_hand(explain):
    """150 points below: table 8.1.2 expects 0.30, so K 15 × 0.70 = 10.5, rounded up 11."""
    done = explain("a@2010-07-01")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["rulebook"] == "fide-2009"
    (row,) = document["players"]
    assert (row["id"], row["before"], row["after"], row["change"]) == ("a", 2100, 2111, 11)
    assert (row["games"], row["score"], row["expected"]) == (1, 1.0, 0.3)
    assert [step["paragraph"] for step in row["explanation"]] == [
        "5a", "2c", "1b", "1c", "2a", "3", "5b", "2b",
    ]  # fmt: skip
    assert row["explanation"][-1]["value"] == 2111
    assert row["explanation"][2]["game"] == "open, round 1, white against b"


def test_without_a_list_it_is_the_last_one(explain):
    """201 above c and 123 below b: expected 0.76 and 0.33, 15 × (0 − 1.09) = −16.35."""
    done = explain("a", "--format", "table")
    assert done.returncode == 0, done.stderr
    assert "a: 2111 → 2095 (−16)" in done.stdout
    assert "cup, round 2, black against b" in done.stdout
    assert "new rating 2111 − 16 = 2095" in done.stdout


def test_nothing_is_written(explain, tmp_path: Path):
    explain("a", "--out", "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.csv", "players.csv"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("nobody", "no player 'nobody'"),
        ("a@2010-06-01", "there are some of 2010-09-01, 2010-07-01"),
        ("a@May", "'May' is neither a day nor the number of a batch"),
    ],
)
def test_what_there_is_not_is_told(explain, asked: str, told: str):
    done = explain(asked)
    assert done.returncode == 1
    (finding,) = json.loads(done.stdout)["findings"]
    assert told in finding["message"]
    assert told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_folder_or_a_question_is_needed(explain, tmp_path: Path):
    command = [str(COMMAND), "history", "games.csv", "--rulebook", "fide-2009"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert "--out" in done.stderr
