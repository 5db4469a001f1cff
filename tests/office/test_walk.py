"""The walk of the demonstration office: the commands of its page, one after the other."""

from __future__ import annotations

import re

import pytest
from typer.main import get_command

pytest.importorskip("django")

from ratingbook.cli.app import app
from ratingbook.office.acts import asking, drafting, publishable
from ratingbook.office.engine import rules
from tests.office.test_pages import commands, give
from tests.seldom import SELDOM

PAGE = "corrections.md"
WALK = (
    "A walk through the demonstration office",
    "A merge undone after lists were published",
    "A rule book mended",
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "sheet.jpg").write_bytes(b"a picture of the score sheet")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RATINGBOOK_ACTOR", "demo")
    yield tmp_path
    from django.db import connections

    connections.close_all()


def said_by(block):
    """What each command of a block says, in one line each, by what stands after ``office``."""
    return {" ".join(each[2:]): " ".join(give(each).split()) for each in block}


def mend(monkeypatch):
    """Another program of the rules is installed, by which K of adults is 30 instead of 20."""
    real = rules._book

    def mended(rulebook, parameters, assume):
        return real(rulebook, (*parameters, ("k_rated", "30")), assume)

    monkeypatch.setattr(rules, "_book", mended)
    for module in (drafting, publishable, asking):
        monkeypatch.setattr(module, "rule_source", lambda name: "f" * 64)


@pytest.mark.parametrize("heading", WALK)
def test_there_are_all_the_commands_of_the_walk(heading):
    """With all their options; what comes of them takes half a minute, which is seldom tried."""
    for program, *words in commands(PAGE, heading):
        if program == "cd":
            continue
        command = get_command(app)
        while hasattr(command, "get_command"):
            context = command.make_context("", [], resilient_parsing=True)
            command = command.get_command(context, words.pop(0))
        # Refused, with an exception, where there is no such option.
        assert command.make_context("", list(words)).params


@SELDOM
def test_the_walk(folder, monkeypatch):
    said = said_by(commands(PAGE, WALK[0]))
    # What is to be corrected: Echo Deltahotel (30) is said to have beaten Victor Romeovictor (21).
    assert re.search(r" 3 1 Deltahotel, Echo Romeovictor, Victor 1–0 both", said["games 14"])
    shown, accepted = said["preview 1"], said["accept 1 --as vera"]
    assert "standard 30" in shown
    assert "the other side of 2000" in shown
    assert shown.partition("Pool Person")[0].strip() in accepted
    assert "1 of 2 approvals" in said["accept 1 --as udo"]
    # Published lists stay, and each on which a rating differs gets one revision.
    days = re.findall(r"list \d+: FIDE rating list of (\S+),", said["publish 9 --as vera"])
    assert len(days) == len(set(days)) > 4
    assert days[0] == "2022-01-01"
    assert {"actor:anna", "person:25"} <= set(said["notices --send"].split())
    assert "published" in said["register 1"]
    assert "2022-01-01 r2" in said["register 1"]
    # A third player, who was not at the board, and whom it reached by opponents of opponents.
    assert "0–1 instead of 1–0" in said["why 25 --pool standard"]
    now, then = (
        re.search(r"25: (\d+) → (\d+)", said[f"explain 25 --list standard@2026-01-01{known}"])
        for known in ("", " --known 2026-01-02")
    )
    assert now
    assert then
    assert now.groups() != then.groups()

    listed = ["ratingbook", "office", "list", "standard@2026-01-01"]
    before = give(listed)
    wrong = said_by(commands(PAGE, WALK[1]))
    assert "1 game with each other" in wrong[next(each for each in wrong if "--merge 35" in each)]
    undone = next(said for given, said in wrong.items() if given.startswith("publish 11"))
    assert "FIDE rating list of 2019-01-01, 40 players" in undone
    assert "two persons after all" in wrong["register 3"]
    # All numbers are those of before the merge again.
    assert give(listed) == before
    assert "Mikemike, Juliett (35) is Hotelpapa, Mike (38)" in wrong["why 38 --pool standard"]
    assert "correction 3: correction 2 no longer holds" in wrong["why 38 --pool standard"]
    assert "the office is sound" in wrong["doctor"]

    mend(monkeypatch)
    mended = said_by(commands(PAGE, WALK[2]))
    assert "was mended (source" in mended[next(each for each in mended if "correct" in each)]
    assert "as a run counts them" in mended["preview 4"]
    assert (
        "the program of the rules of the pool standard was mended"
        in mended["why 25 --pool standard"]
    )
