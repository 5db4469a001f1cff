"""Rating lists at the command line: as players for ``rate``, and as outputs of ``list``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from ratingbook.formats.lists import (
    FidePlayer,
    Rated,
    check_list,
    looks_like_list,
    write_fide_txt,
    write_fide_xml,
)

FIDE = ("--rulebook", "fide-2009")
STANDINGS = {
    "players": [
        {"id": "1001", "name": "Doe, Jo", "federation": "AUT", "sex": "w", "title": "WFM",
         "standing": {"rating": 2101, "games": 60, "wins": 30, "draws": 20, "losses": 10}},
        {"id": "1002", "name": "=Roe", "federation": "GER",
         "standing": {"rating": 1990, "games": 40}},
    ]
}  # fmt: skip
EDITIONS = {
    "fide-txt": ("fide-2009", "2010-05-01", "FIDE list (TXT)"),
    "fide-xml": ("fide-2009", "2010-05-01", "FIDE list (XML)"),
    "iccf": ("iccf-2009", "2010-05-01", "ICCF list"),
    "iecg": ("iecg-1999", "2001-05-10", "IECG list"),
}


@pytest.fixture(params=["txt", "xml"])
def fide(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"list.{request.param}"
    players = [
        FidePlayer("1001", "Doe, Jo", standard=Rated(2577, 9, 10)),
        FidePlayer("1002", "Roe, Ri", standard=Rated(2806, 0, 10)),
    ]
    with path.open("wb") as out:
        (write_fide_txt if request.param == "txt" else write_fide_xml)(players, out)
    return path


def report(path: Path, first: str) -> Path:
    """The example of the regulation, without ratings: 2806 loses to 2577."""
    players = [{"id": first, "name": "Doe, Jo", "ids": {"fide": "1001"}}, {"id": "1002"}]
    games = [{"round": 1, "white": first, "black": "1002", "result": "1-0"}]
    event = {"start": "2010-01-08", "end": "2010-01-08"}
    document = {"ratingbook": "report/1", "event": event, "players": players, "games": games}
    path.write_text(json.dumps(document))
    return path


def test_rate_with_a_list(run, fide, tmp_path):
    """K = 10 in the list: 2798 and 2585, in both reports by one reading of the list."""
    reports = [report(tmp_path / "a.json", "1"), report(tmp_path / "b.json", "7")]
    done = run("rate", *reports, *FIDE, "--players", fide, "--format", "json")
    assert done.status == 0
    for document, first in zip(json.loads(done.out), ("1", "7"), strict=True):
        after = {row["id"]: (row["before"], row["after"]) for row in document["players"]}
        assert after == {first: (2577, 2585), "1002": (2806, 2798)}


def test_a_list_that_is_refused_refuses_the_reports(run, tmp_path):
    path = tmp_path / "list.xml"
    path.write_text("<playerslist><player><fideid>1</fideid></playerslist>")
    done = run(
        "rate", report(tmp_path / "a.json", "1"), *FIDE, "--players", path, "--format", "json"
    )
    assert done.status == 1
    assert "fide-list.xml" in done.out


def test_whatif_with_a_list(run, fide):
    done = run("whatif", "2806=1", *FIDE, "--players", fide, "--player", "1001", "--format", "json")
    assert done.status == 0
    assert json.loads(done.out)["outcomes"][0]["after"] == 2585
    done = run("whatif", "2806=1", *FIDE, "--players", fide, "--player", "999")
    assert done.status == 2


@pytest.mark.parametrize("format_", EDITIONS)
def test_list_writes_the_federations_files(run, tmp_path, format_):
    rulebook, day, kind = EDITIONS[format_]
    standings = tmp_path / "standings.json"
    standings.write_text(json.dumps(STANDINGS))
    done = run("list", standings, "--rulebook", rulebook, "--date", day, "--format", format_)
    assert done.status == 0
    path = tmp_path / "standard_list"
    path.write_text(done.out)
    assert looks_like_list(path) == kind
    findings, count = check_list(path)
    assert count == 2
    assert not len(findings)
    again = run("list", path, "--rulebook", rulebook, "--date", day, "--format", format_)
    assert again.out == done.out


def test_a_list_that_has_not_what_the_format_needs(run, tmp_path):
    standings = tmp_path / "standings.json"
    standings.write_text(json.dumps(STANDINGS))
    done = run("list", standings, "--rulebook", "fide-2009", "--date", "2010-05-01",
               "--format", "iecg")  # fmt: skip
    assert done.status == 1
    assert done.out == ""
    assert "list.format" in done.err


def test_the_list_of_a_history_says_what_was_won_drawn_and_lost(run, tmp_path):
    """IECG II.5, on top of what the players file says; else it stays empty."""
    results = ["1-0"] * 4 + ["1/2-1/2"] * 2 + ["0-1"]
    rows = [f"2011-01-1{at},a,b,{result}" for at, result in enumerate(results)]
    later = ["2011-03-10,a,c,1-0", "2011-03-11,b,d,1/2-1/2"]
    (tmp_path / "games.csv").write_text(
        "\n".join(["date,white,black,result", *rows, *later]) + "\n", "utf-8"
    )
    (tmp_path / "players.csv").write_text(
        "id,rating,games,wins,draws,losses\nc,1500,20,10,4,6\nd,1600,20,,,\n", "utf-8"
    )
    out = tmp_path / "out"
    done = run("history", tmp_path / "games.csv", "--rulebook", "iecg-1999", "--players",
               tmp_path / "players.csv", "--id", "local", "--out", out)  # fmt: skip
    assert done.status == 0, done.err

    def totals(*more: str) -> dict[str, list[str]]:
        made = run("list", out, *more, "--format", "csv")
        assert made.status == 0, made.err
        found = csv.DictReader(io.StringIO(made.out))
        return {
            row["id"]: [row[each] for each in ("games", "wins", "draws", "losses")] for row in found
        }

    assert totals("--date", "2011-03-20") == {
        "a": ["7", "4", "2", "1"], "b": ["7", "1", "2", "4"],
        "c": ["20", "10", "4", "6"], "d": ["20", "", "", ""],
    }  # fmt: skip
    assert totals() == {
        "a": ["8", "5", "2", "1"], "b": ["8", "1", "3", "4"],
        "c": ["21", "10", "4", "7"], "d": ["21", "", "", ""],
    }  # fmt: skip
