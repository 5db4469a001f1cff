"""A whole list is checked line by line, in little memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ratingbook.formats.lists import (
    FidePlayer,
    IccfPlayer,
    Rated,
    check_list,
    write_fide_txt,
    write_fide_xml,
    write_iccf_list,
)
from ratingbook.model import Severity
from tests.formats.helpers import codes, one
from tests.formats.lists.fide.test_txt import COMBINED, file, line

GROWTH = 12
"""Megabytes that 50,000 players may take beyond what 1,000 take."""
CHILD = """
import json, resource, sys
from pathlib import Path
from ratingbook.formats.lists import check_list, read_list
from ratingbook.model import Entry, Event, Report
path, what = Path(sys.argv[1]), sys.argv[2]
if what == "check":
    findings, count = check_list(path)
else:
    found, findings = read_list(path, [Report(Event(), (Entry("1000"), Entry("1999")), ())])
    count = len(found.players)
assert not len(findings), list(findings)
print(json.dumps([count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def test_a_number_that_stands_in_the_list_twice(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text(file(line(), line(number="2"), line(), line(), line(number="3")))
    findings, count = check_list(path)
    found = one(findings, "list.repeated", Severity.WARNING)
    assert (found.where.line, found.where.player) == (4, "12345678")
    assert found.where.file == str(path)
    assert "2 in all" in found.message
    assert count == 5


def test_numbers_with_letters_that_stand_in_the_list_twice(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    players = [IccfPlayer("A1", name="Doe"), IccfPlayer("B2", name="Roe"), IccfPlayer("A1")]
    with path.open("wb") as out:
        write_iccf_list(players, out)
    findings, count = check_list(path)
    assert one(findings, "list.repeated", Severity.WARNING).where.line == 4
    assert count == 3


def test_a_list_without_a_player_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text(f"{COMBINED}\n")
    findings, count = check_list(path)
    one(findings, "list.empty", Severity.FATAL)
    assert count == 0


def test_a_file_that_is_no_list(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("Hello\n")
    assert codes(check_list(path)[0]) == {"list.unknown": Severity.FATAL}


def test_players_without_a_name(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text(file(line(name="")))
    assert codes(check_list(path)[0]) == {"list.no-name": Severity.INFO}


def measured(path: Path, what: str) -> tuple[int, float]:
    """Players, and the peak of memory in megabytes, of a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(path), what], capture_output=True, text=True, check=True
    )
    count, peak = json.loads(done.stdout)
    return count, peak


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["txt", "xml"])
def test_memory_does_not_grow_with_the_list(tmp_path: Path, kind: str) -> None:
    """50,000 players with distinct data: as objects they would take some 40 megabytes."""
    peaks = {}
    for count in (1_000, 50_000):
        path = tmp_path / f"{count}.{kind}"
        players = (
            FidePlayer(str(1000 + n), f"Nobody{n}, Player", "AAA", "M",
                       standard=Rated(1400 + n % 1400, n % 20, 20), birth_year=1950 + n % 60)
            for n in range(count)
        )  # fmt: skip
        with path.open("wb") as out:
            (write_fide_txt if kind == "txt" else write_fide_xml)(players, out)
        for what in ("check", "read"):
            found, peaks[what, count] = measured(path, what)
            assert found == (count if what == "check" else 2)
    for what in ("check", "read"):
        assert peaks[what, 50_000] - peaks[what, 1_000] < GROWTH
