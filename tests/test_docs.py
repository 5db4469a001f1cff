"""The pages of the documentation say what the code does, and their commands run."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ratingbook.checks import Check, checks_of
from ratingbook.formats.catalogue import FORMATS
from ratingbook.formats.fide.trf.event import _KINDS
from ratingbook.formats.format import Certainty, Format, Source
from ratingbook.formats.players import read_players
from ratingbook.model import StandingStatus
from ratingbook.rules import bulk, registry, usual
from ratingbook.rules.book import Row, RuleBook
from ratingbook.rules.bulk import Bulk, Calendar, Turns
from ratingbook.rules.egf import egf_1998, egf_2013, egf_2021
from ratingbook.rules.egf.classes import CLASSES, adjusted_minutes, class_of, parsed_time
from ratingbook.rules.iccf.levels import CATEGORIES, FRIENDLY, LEVELS, NATIONAL
from ratingbook.rules.iecg.columns import TRANSFERS
from ratingbook.rules.iecg.findings import ORGANISATIONS
from ratingbook.rules.settings import Amendment
from ratingbook.rules.time_words import parsed_time_control
from ratingbook.rules.timeline import Reform

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
EXAMPLE = ROOT / "examples" / "plain_elo"
# The tutorial is played in a folder of its own, see tests/examples/test_tutorial.py.
PAGES = sorted(set(DOCS.glob("*.md")) - {DOCS / "tutorial.md"})


@cache
def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def section(name: str, heading: str) -> str:
    """What stands below a heading, up to the next one."""
    (found,) = re.findall(rf"^#+ {heading}\n(.*?)(?=^#+ |\Z)", page(name), re.M | re.S)
    return str(found)


def tables(name: str, heading: str) -> list[list[list[str]]]:
    """The tables of a section, each a list of rows of cells, without its head."""
    blocks = re.findall(r"(?:^\|.*\n)+", section(name, heading), re.M)
    return [
        [[cell.strip() for cell in line.strip("|\n").split("|")] for line in block.splitlines()[2:]]
        for block in blocks
    ]


def codes(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def keys_by_federation(heading: str) -> dict[str, set[str]]:
    """The first column of a table → the keys of the second."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for federations, key, *_ in tables("files.md", heading)[0]:
        for federation in federations.split(", "):
            found[federation] |= set(codes(key))
    return found


def loaded(folder: Path, name: str) -> Any:
    """A module of a package that is not installed."""
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(folder))


PLAIN_ELO: RuleBook = loaded(EXAMPLE / "src", "plain_elo").plain_elo_2024
EDITIONS = [book for book in map(registry.edition, registry.names())
            if type(book).__module__.startswith("ratingbook.")]  # fmt: skip
edition = pytest.mark.parametrize("book", EDITIONS, ids=lambda book: str(book.name))


# Commands


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A search path on which the example is as good as installed."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    folder = tmp_path_factory.mktemp("installed")
    info = folder / f"plain_elo-{project['version']}.dist-info"
    info.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(head)
    points = project["entry-points"][registry.GROUP].items()
    lines = (f"{name} = {value}\n" for name, value in points)
    (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{''.join(lines)}")
    return os.pathsep.join((str(folder), str(EXAMPLE / "src")))


def commands(text: str) -> list[tuple[str, list[str]]]:
    """The commands of a page, each with the output that stands below it."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = re.sub(r"\\\n\s*", "", part).partition("\n")
            found.append((command, output.splitlines()))
    # What asks a server is run where there is one: tests/site/test_api_page.py.
    return [
        each for each in found if each[0].startswith("ratingbook ") and "--server" not in each[0]
    ]


@pytest.mark.parametrize(
    "path", [path for path in PAGES if commands(page(path.name))], ids=lambda path: path.name
)
def test_the_commands_run(path: Path, tmp_path: Path, installed: str) -> None:
    """One after the other, in a folder that has the examples in it."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": programs, "PYTHONPATH": installed}
    for command, output in commands(page(path.name)):
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        if output:
            assert [line.rstrip() for line in done.stdout.splitlines()] == output, command


def test_these_pages_have_commands() -> None:
    assert len(commands(page("own-rulebook.md"))) >= 3
    assert len(commands(page("files.md"))) >= 5


# Your own rule book


@pytest.mark.parametrize("check", checks_of(PLAIN_ELO), ids=str)
def test_the_package_of_the_tutorial(check: Check) -> None:
    check()


def test_the_page_shows_the_whole_package() -> None:
    text = page("own-rulebook.md")
    rules = (EXAMPLE / "src/plain_elo/rules.py").read_text("utf-8")
    assert ":start-at: class Parameters" in text
    assert rules.index("class Parameters") < rules.index("@paragraph")
    for file in ("pyproject.toml", "src/plain_elo/edition.py", "tests/test_checks.py"):
        assert f"plain_elo/{file}\n" in text


def test_all_fields_of_the_declaration_are_told() -> None:
    (rows,) = tables("own-rulebook.md", "Bulk")
    told = {name.partition("(")[0] for row in rows for name in codes(row[0])}
    assert told == {field.name for field in fields(Bulk)}


def test_what_is_usual_exists() -> None:
    (rows,) = tables("own-rulebook.md", "The declaration")
    names = {name.partition("(")[0] for row in rows for name in codes(row[0])}
    assert all(hasattr(usual, name) or hasattr(bulk, name) for name in names)


def test_the_regulation_of_the_tutorial_is_the_editions() -> None:
    items = re.findall(r"^\d\. ((?:.+\n)(?:   .+\n)*)", page("own-rulebook.md"), re.M)
    assert [" ".join(item.split()) for item in items] == [p.text for p in PLAIN_ELO.text.paragraphs]


def test_the_example_registers_what_it_holds() -> None:
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    (point,) = project["entry-points"][registry.GROUP].items()
    assert point == (PLAIN_ELO.name, "plain_elo:plain_elo_2024")


def test_the_checks_of_the_tutorial_are_the_suites() -> None:
    (rows,) = tables("own-rulebook.md", "The check suite")
    names = [check.name.removeprefix("plain-elo-2024-") for check in checks_of(PLAIN_ELO)]
    assert [codes(row[0])[0] for row in rows] == names


def test_the_fields_of_the_row_and_of_the_edition_exist() -> None:
    (rows,) = tables("own-rulebook.md", "The row")
    assert [name for row in rows for name in codes(row[0])] == [f.name for f in fields(Row)]
    (rows,) = tables("own-rulebook.md", "More of a report")
    assert {name for row in rows for name in codes(row[0])} <= {f.name for f in fields(RuleBook)}


def test_the_fields_of_turns_and_the_methods_of_a_subclass_exist() -> None:
    (rows,) = tables("own-rulebook.md", "Several rounds")
    assert [name for row in rows for name in codes(row[0])] == [*Turns._fields]
    (rows,) = tables("own-rulebook.md", "What a subclass can say")
    assert {codes(row[0])[0].partition("(")[0] for row in rows} <= vars(RuleBook).keys()


def test_what_is_told_of_editions_over_time_exists() -> None:
    changes, methods = tables("own-rulebook.md", "Within an edition")
    assert [codes(row[0])[0] for row in changes] == [
        f"{kind.__name__}({', '.join(each.name for each in fields(kind))})"
        for kind in (Amendment, Reform)
    ]
    assert {codes(row[0])[0].partition("(")[0] for row in methods} <= vars(RuleBook).keys()
    (rows,) = tables("own-rulebook.md", "In a row")
    known = {f"{kind.__name__}.{each.name}" for kind in (Bulk, Calendar) for each in fields(kind)}
    assert {codes(row[0])[0] for row in rows} <= known


# Your own file format


def test_the_fields_of_a_format_exist() -> None:
    rows, *_ = tables("own-format.md", "The record")
    told = {name for row in rows for name in codes(row[0])}
    assert told == {field.name for field in fields(Format)} - {"package"}
    (rows,) = tables("own-format.md", "Reading")
    assert [codes(row[0])[0] for row in rows] == [source.name for source in Source]
    assert set(codes(" ".join(str(row) for row in tables("own-format.md", "The record")))) >= {
        each.name for each in Certainty
    }


# Files and keys


def test_the_formats_are_those_that_are_read() -> None:
    named = {row[0] for row in tables("files.md", "Formats")[0]}
    assert named == set(FORMATS)


def test_kinds_of_event() -> None:
    said, *_ = section("files.md", "Kind").partition("|")
    assert set(codes(said)[1:]) == {kind for kind, _ in _KINDS}
    assert keys_by_federation("Kind").keys() <= {book.federation for book in EDITIONS} | {
        "US Chess"
    }


def test_kinds_of_us_chess() -> None:
    event = pytest.importorskip("ratingbook.rules.uscf.games")
    assert keys_by_federation("Kind")["US Chess"] == set(event._KINDS)


def test_categories_of_iccf() -> None:
    *levels, national, friendly = tables("files.md", "Category")[0]
    assert {int(level): tuple(codes(kinds)) for level, kinds in levels} == LEVELS
    assert (codes(national[1]), codes(friendly[1])) == ([NATIONAL], [FRIENDLY])
    assert {c for row in tables("files.md", "Category")[0] for c in codes(row[1])} == {*CATEGORIES}


def test_classes_and_time_controls_of_go() -> None:
    heading = "Class and time control in Go"
    assert set(CLASSES) <= set(codes(section("files.md", heading)))
    for notation, basic, adjusted, class_ in tables("files.md", heading)[0]:
        limit = parsed_time(codes(notation)[0])
        assert limit is not None, notation
        minutes = adjusted_minutes(limit)
        assert (f"{limit.basic:g}", f"{minutes:g}") == (basic, adjusted)
        assert class_of(limit.basic, minutes, limit.fischer_seconds > 0, False) == class_
    words = " ".join(section("files.md", heading).split())
    assert f"less than {egf_1998.parameters.least_minutes} adjusted" in words
    assert egf_2013.parameters.least_minutes == egf_2021.parameters.least_minutes == 0


def test_pools_and_time_controls_of_us_chess() -> None:
    systems = pytest.importorskip("ratingbook.rules.uscf.systems")
    heading = "Pool and time control of US Chess"
    assert set(systems.POOLS) <= set(codes(section("files.md", heading)))
    for notation, minutes, seconds in tables("files.md", heading)[0]:
        control = parsed_time_control(codes(notation)[0])
        assert control is not None
        assert (control.minutes, control.seconds) == (int(minutes), int(seconds))


@edition
def test_keys_of_a_standing(book: RuleBook) -> None:
    assert keys_by_federation("Standing")[book.federation] == book.standing_fields.keys()


@edition
def test_decisions(book: RuleBook) -> None:
    assert keys_by_federation("Decisions")[book.federation] == book.decisions


def test_the_transfers_of_iecg() -> None:
    (transfer,) = (row for row in tables("files.md", "Decisions")[0] if row[1] == "`transfer`")
    assert tuple(codes(transfer[2])) == TRANSFERS


def test_statuses() -> None:
    *_, said = section("files.md", "Standing").partition("`status` is one of ")
    assert tuple(codes(said.partition(".")[0])) == tuple(StandingStatus)


def test_ratings_elsewhere() -> None:
    assert {*ORGANISATIONS} <= keys_by_federation("Ratings elsewhere")["IECG"]
    findings = pytest.importorskip("ratingbook.rules.uscf.findings")
    assert {*findings.FOREIGN} <= keys_by_federation("Ratings elsewhere")["US Chess"]


def test_the_players_file_says_the_same_as_csv_and_as_json() -> None:
    (text,) = re.findall(r"```json\n(.*?)```", section("files.md", "The players file"), re.S)
    from_json, findings = read_players(text, {"reached_2400": bool})
    assert not len(findings)
    csv = (ROOT / "examples/reports/spring-open-players.csv").read_text("utf-8")
    from_csv, _ = read_players(csv, {"reached_2400": bool})
    assert len(from_json) == len(json.loads(text)) == 2
    for player, entry in from_json.items():
        assert entry.standing == from_csv[player].standing
