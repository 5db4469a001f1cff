"""The README's tour runs, and its picture is what the command prints today."""

import csv
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = re.findall(r"^\$ (ratingbook .*)$", README, re.MULTILINE)


def run(command: str) -> "subprocess.CompletedProcess[str]":
    folder = Path(sys.executable).parent
    return subprocess.run(
        shlex.split(command),
        cwd=ROOT,
        env={**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_tour_has_commands():
    assert len(COMMANDS) >= 6


@pytest.mark.parametrize("command", COMMANDS)
def test_command_of_the_tour(command):
    result = run(command)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip()


def test_the_question_of_the_tour_is_answered():
    """Why did player 6 gain 13 points?"""
    explained = run(next(c for c in COMMANDS if "--explain 6" in c)).stdout
    assert "(+13)" in explained


def test_the_office_of_the_tour(tmp_path, monkeypatch):
    pytest.importorskip("django")
    (block,) = re.findall(r"^export RATINGBOOK_OFFICE=.*?^```", README, re.M | re.S)
    commands = block.splitlines()[1:-1]
    assert commands.pop() == "ratingbook office serve"
    monkeypatch.setenv("RATINGBOOK_OFFICE", str(tmp_path / "federation"))
    said = ""
    for command in commands:
        result = run(command)
        assert result.returncode == 0, result.stdout + result.stderr
        said = " ".join(result.stdout.split())
    # The last one asks why a number of somebody is another who was not at the board.
    assert "correction 1: Spring Open, round 1" in said


def test_python_of_the_tour(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    # The numbers of the command above: K of Bravo is 10, as the players file says.
    assert "Bravo, Ben 2385 2390" in printed
    command = next(c for c in COMMANDS if "fide-2009 --players" in c and "--explain" not in c)
    rows = list(csv.DictReader(run(f"{command} --format csv").stdout.splitlines()))
    said = [f"{row['name']} {row['before'] or None} {row['after'] or None}" for row in rows]
    assert said == printed.splitlines()[: len(said)]
    assert "Foxtrot, Fay 1985 1998" in printed
    assert "0.64" in printed


def test_the_picture_is_of_today():
    """``make picture`` writes it anew."""
    from tools.picture import PICTURE, picture

    assert PICTURE.read_text("utf-8") == picture()
