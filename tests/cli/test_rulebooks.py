"""``ratingbook rulebooks``: the editions, and what is in one of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import date

import pytest

import ratingbook
from ratingbook.rules import registry
from ratingbook.rules.catalogue import EDITIONS

every_edition = pytest.mark.parametrize("name", registry.names())


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_the_list_holds_what_the_package_declares(run):
    done = run("rulebooks")
    assert done.status == 0
    assert done.err == ""
    for name in EDITIONS:
        assert name in done.out
    listed = json.loads(run("rulebooks", "--format", "json").out)
    assert {each["name"] for each in listed} >= EDITIONS.keys()
    assert [each["name"] for each in listed] == sorted(each["name"] for each in listed)


def test_the_list_in_json(run):
    for each in json.loads(run("rulebooks", "--format", "json").out):
        assert each.keys() >= {"name", "title", "federation", "source", "valid_from",
                               "valid_until", "unit"}  # fmt: skip
        assert each["unit"] in ("section", "period", "game")
        for day in (each["valid_from"], each["valid_until"]):
            assert day is None or date.fromisoformat(day).isoformat() == day


@every_edition
def test_an_edition_in_json(run, name):
    done = run("rulebooks", name, "--format", "json")
    assert done.status == 0
    edition = json.loads(done.out)
    assert edition["name"] == name
    assert edition["paragraphs"]
    for paragraph in edition["paragraphs"]:
        assert paragraph["text"]
        assert paragraph["performed"] in ("function", "office", "historical")
        if paragraph["performed"] == "function":
            assert paragraph["functions"]
        else:
            assert paragraph["by"]
    for parameter in edition["parameters"]:
        assert parameter.keys() >= {"name", "value", "meaning"}
    for reading in edition["readings"]:
        assert reading.keys() >= {"id", "question", "reading", "why", "parameter"}


@every_edition
def test_an_edition_for_people_holds_all_of_it(run, name):
    """Numbers, names and ids of everything that the edition declares."""
    done = run("rulebooks", name)
    assert done.status == 0
    edition = json.loads(run("rulebooks", name, "--format", "json").out)
    words = set(done.out.split())
    assert {paragraph["number"] for paragraph in edition["paragraphs"]} <= words
    assert {parameter["name"] for parameter in edition["parameters"]} <= words
    assert {reading["id"] for reading in edition["readings"]} <= words
    assert squeezed(edition["source"]) in squeezed(done.out)


def test_an_edition_shows_the_articles_and_whose_the_numbers_are(run):
    out = run("rulebooks", "fide-2024").out
    (line,) = [line for line in out.splitlines() if line.startswith("2c ")]
    assert "B.02 8.3.3" in line
    assert "regulation: https://handbook.fide.com/chapter/B022024" in out
    assert "The numbers of the paragraphs are ours" in out
    edition = json.loads(run("rulebooks", "fide-2024", "--format", "json").out)
    assert edition["own_numbers"] is True
    assert edition["url"] == "https://handbook.fide.com/chapter/B022024"
    told = {each["number"]: (each["article"], each["url"]) for each in edition["paragraphs"]}
    assert told["2c"] == ("B.02 8.3.3", edition["url"])
    assert told["4"] == (None, None)


def test_an_edition_with_the_numbers_of_its_text_has_no_column_of_articles(run):
    out = run("rulebooks", "iccf-2009").out
    assert "The paragraphs are numbered as in the regulation itself." in out
    assert "article" not in out
    edition = json.loads(run("rulebooks", "iccf-2009", "--format", "json").out)
    assert (edition["own_numbers"], edition["url"]) == (False, None)


@every_edition
def test_every_parameter_can_be_set_as_it_is_shown(run, tmp_path, name):
    report = tmp_path / "report.json"
    report.write_text('{"ratingbook": "report/1", "players": [{"id": "1"}], "games": []}')
    edition = json.loads(run("rulebooks", name, "--format", "json").out)
    settings = [
        each
        for parameter in edition["parameters"]
        for each in ("--set", f"{parameter['name']}={parameter['value']}")
    ]
    done = run("rate", report, "--rulebook", name, *settings, "--format", "json")
    assert done.status == 0
    document = json.loads(done.out)
    assert document["rulebook"] == name
    # What was set by hand stays, also where an amendment says otherwise later.
    assert set(document["parameters"]) <= {
        changed for each in edition["amendments"] for changed in each["changes"]
    }


@pytest.mark.parametrize("name", ["fide-2008", "", "[bold]", "\x1b[2J"])
def test_an_unknown_edition_is_a_usage_error_that_names_the_known(run, name):
    done = run("rulebooks", name)
    assert done.status == 2
    assert done.out == ""
    assert "fide-2009" in done.err
    assert "\x1b" not in done.err


def test_what_is_no_rule_book_is_a_usage_error(run, monkeypatch):
    """An entry point of another package may lead anywhere."""
    from importlib.metadata import EntryPoint

    strange = EntryPoint("strange", "math:pi", registry.GROUP)
    monkeypatch.setattr(registry, "_others", lambda: {"strange": strange})
    done = run("rulebooks", "strange")
    assert done.status == 2
    assert "strange" in done.err


def test_the_installed_command(command):
    done = command("rulebooks", "fide-2009")
    assert done.status == 0
    assert "8.1.2" in done.out
    assert command("--version").out.split() == ["ratingbook", ratingbook.__version__]
    assert "rulebooks" in command("--help").out


def test_without_a_command_the_help_is_shown(run):
    done = run()
    assert done.status == 2
    assert "rulebooks" in done.out + done.err


FAULTY = """
from dataclasses import replace
from plain_elo import plain_elo_2024

def leave(entered, value, p):
    return 1 // 0

def without(entered, value, p):
    return None

book = replace(plain_elo_2024, name="faulty-2024", bulk=replace(plain_elo_2024.bulk, leave=leave))
nothing = replace(book, name="nothing-2024", bulk=replace(plain_elo_2024.bulk, leave=without))
"""


@pytest.fixture
def plug_in(tmp_path):
    """A package with a rule book that fails, and with one that is not there yet."""
    package, info = tmp_path / "club_rating", tmp_path / "club_rating-1.0.dist-info"
    package.mkdir()
    info.mkdir()
    (package / "__init__.py").write_text("")
    (package / "faulty.py").write_text(FAULTY)
    (package / "unfinished.py").write_text("raise RuntimeError('not yet')\n")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: club-rating\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        f"[{registry.GROUP}]\nfaulty-2024 = club_rating.faulty:book\n"
        "nothing-2024 = club_rating.faulty:nothing\n"
        "club-2024 = club_rating.unfinished:book\nelo = club_rating.faulty:book\n"
    )

    def run(*arguments):
        found = os.pathsep.join((str(tmp_path), "examples/plain_elo/src", "src"))
        return subprocess.run(
            [sys.executable, "-m", "ratingbook", *arguments],
            env={**os.environ, "PYTHONPATH": found}, capture_output=True, encoding="utf-8",
            check=False,
        )  # fmt: skip

    return run


def test_an_unfinished_package_hides_no_other_rule_book(plug_in):
    done = plug_in("rulebooks")
    assert done.returncode == 0
    assert "fide-2024" in done.stdout
    assert "'club-2024' of the package club-rating cannot be loaded: RuntimeError: not yet" in (
        done.stderr
    )
    assert "'elo' of the package club-rating is not used: ratingbook has one of that name" in (
        done.stderr
    )


def test_a_rule_that_fails_is_named_with_its_place(plug_in):
    done = plug_in("rate", "examples/reports/spring-open.trf", "--rulebook", "faulty-2024")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "the rule book of the package club_rating fails in leave, " in done.stderr
    assert "faulty.py, line 6: ZeroDivisionError" in done.stderr


@pytest.mark.parametrize("command", ["rate", "history"])
def test_a_rule_that_gives_no_number_is_named_by_reports_and_histories(plug_in, command, tmp_path):
    out = ("--out", str(tmp_path / "out")) if command == "history" else ()
    done = plug_in(
        command, "examples/reports/spring-open.trf", "--rulebook", "nothing-2024", "--id", "local",
        *out,
    )  # fmt: skip
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "the rule book of the package club_rating fails in without, " in done.stderr
    assert "faulty.py, line 8: it gives None, and must give a Standing" in done.stderr
