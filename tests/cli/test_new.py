"""``ratingbook new``: a package that works at once, and never in anybody's way."""

import importlib.util
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ratingbook.cli.app import app
from ratingbook.rules import registry

RUNNER = CliRunner()
TRIED = """
import json, sys
from ratingbook.cli import main
from ratingbook.checks import checks_of
from ratingbook.rules import registry
book = registry.edition("dwz-2024")
for check in checks_of(book)[:6]:  # those of the text and its example; the others draw histories
    check()
main()
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def installed(folder: Path) -> None:
    """What ``pip install -e .`` leaves, as far as it is found by its entry points."""
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    info = folder / "src" / f"dwz_rating-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1\n")
    points = project["entry-points"][registry.GROUP].items()
    lines = "".join(f"{name} = {value}\n" for name, value in points)
    (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{lines}")


def test_what_is_written_works_at_once(here):
    made = RUNNER.invoke(app, ["new", "dwz-2024"])
    assert made.exit_code == 0, made.output
    folder = here / "dwz-rating"
    installed(folder)
    found = os.pathsep.join((str(folder / "src"), *sys.path))
    arguments = ["games.csv", "--rulebook", "dwz-2024", "--players", "players.csv"]
    done = subprocess.run(
        [sys.executable, "-c", TRIED, "rate", *arguments, "--explain", "birch", "--format", "json"],
        cwd=folder, env={**os.environ, "PYTHONPATH": found}, capture_output=True, check=False,
        encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    rows = {row["id"]: row for row in said["players"]}
    # By hand, 200 points more being .75975 and 100 more .64006: birch 20 · (.5 − .24025 + 1 −
    # .35994 + 1 − .24025) = 33.19; alder 20 · (.5 − .75975 − .64006 − .75975) = −33.19; cedar,
    # who begins at 1500, 20 · (1 − .35994 + 0 − .64006) = 0.
    assert {key: row["after"] for key, row in rows.items()} == {
        "alder": 1567, "birch": 1433, "cedar": 1500,
    }  # fmt: skip
    assert [step["paragraph"] for step in rows["birch"]["explanation"]][-1] == "4"
    assert all(finding["severity"] == "info" for finding in said["findings"])
    assert not list(here.glob(".ratingbook-*"))


def test_its_own_tests_are_tests(here):
    RUNNER.invoke(app, ["new", "dwz-2024", "-o", "elsewhere"])
    tests = here / "elsewhere" / "tests" / "test_rules.py"
    compile(tests.read_text("utf-8"), str(tests), "exec")
    assert importlib.util.find_spec("dwz_rating") is None  # nothing was installed meanwhile


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("DWZ-2024", "small letters"),
        ("dwz", "small letters"),
        ("dwz-24", "small letters"),
        ("../dwz-2024", "small letters"),
        ("-2024", ""),
        ("fide-2024", "already"),
        ("fide-2030", "one of their series"),
        ("elo-2024", "one of their series"),
    ],
)
def test_names_that_nobody_can_have(here, name, said):
    done = RUNNER.invoke(app, ["new", name])
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())
    assert not list(here.iterdir())


def test_what_is_there_stays_as_it_is(here):
    (here / "dwz-rating").mkdir()
    done = RUNNER.invoke(app, ["new", "dwz-2024"])
    assert (done.exit_code, list((here / "dwz-rating").iterdir())) == (2, [])
    assert "it stays as it is" in " ".join(done.output.split())
    assert RUNNER.invoke(app, ["new", "dwz-2024", "-o", "no/where"]).exit_code == 2
    assert not (here / "no").exists()
