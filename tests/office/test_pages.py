"""The commands of the pages about the office, given one after the other in one office."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("django")

from ratingbook.cli.app import app

ROOT = Path(__file__).parents[2]


def commands(page: str, heading: str) -> list[list[str]]:
    """The commands of the first block below a heading."""
    text = (ROOT / "docs" / page).read_text("utf-8").partition(f"# {heading}\n")[2]
    block = re.search(r"^```text\n(.*?)^```", text, re.M | re.S)
    assert block is not None
    return [shlex.split(line) for line in block[1].splitlines()]


def give(command: list[str]) -> str:
    if command[0] == "cd":
        os.chdir(command[1])
        return ""
    done = CliRunner().invoke(app, command[1:])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, f"{shlex.join(command)}\n{done.output}"
    return done.output


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """What has come in: an open, a club night, and the ratings of before."""
    lines = (ROOT / "examples" / "reports" / "spring-open.trf").read_text("utf-8").splitlines()
    opening = ["id,name,rating,games"]
    for at, line in enumerate(lines):
        if line.startswith("001"):
            number, name, rating = int(line[4:8]), line[14:47].strip(), line[48:52].strip()
            if rating != "0":
                opening.append(f'{99000000 + number},"{name}",{rating},200')
            # Anna's number is not in the report, so that she waits at the desk.
            if number > 1:
                lines[at] = f"{line[:57]}{99000000 + number:>11}{line[68:]}"
    trf = "\n".join(line for line in lines if not line.startswith("132"))
    trf = trf.replace("042 2010/03/06", "042 2026/03/06").replace(
        "052 2010/03/12", "052 2026/03/12"
    )
    (tmp_path / "open.trf").write_text(trf, "utf-8")
    (tmp_path / "opening.csv").write_text("\n".join(opening), "utf-8")
    (tmp_path / "club-night.csv").write_text(
        "Round,White,Black,Result,Event,Date\n"
        '1,"Alpha, Anna","Mike, Mia",1-0,Club Night,2026-03-20\n'
    )
    (tmp_path / "sheet.jpg").write_bytes(b"a picture of the score sheet")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RATINGBOOK_ACTOR", "tina")
    yield tmp_path
    from django.db import connections

    connections.close_all()


def test_from_an_empty_folder_to_a_list_and_a_correction_of_it(folder, sqlite_model):
    (init, *rest) = commands("office.md", "From an empty folder to a list")
    assert init[1:4] == ["office", "init", "--home"]
    # What it makes takes seconds, and other tests have made it already.
    shutil.copytree(sqlite_model, folder / init[4])
    for command in rest:
        said = give(command)
        if command[2:3] == ["desk"]:
            assert "Alpha, Anna" in said
    assert "equal" in said  # `verify`, the last one
    for actor, role in (("anna", "director"), ("udo", "officer"), ("vera", "officer")):
        give(["ratingbook", "office", "actor", "add", actor, "--role", role])
    give(["ratingbook", "office", "pool", "policy", "standard", "correction_approvals=2"])
    before = give(["ratingbook", "office", "list", "standard@2026-04-01"])
    for command in commands("corrections.md", "From a request to the register"):
        said = give(command)
        if command[2] == "games":
            # What the correction of this game has to correct.
            assert re.search(r"^ *1 .* 1–0 ", said, re.M), said
        if command[2] == "register":
            assert "Black won" in said
    assert "0–1 instead of 1–0" in " ".join(
        said.split()
    )  # `why`, the last one, says what moved the player
    # What is published stays as it was.
    assert give(["ratingbook", "office", "list", "standard@2026-04-01"]) == before
