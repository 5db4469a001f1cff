"""The command ``grades``: even games by grade, beside what an edition predicts."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

EGF = ("--rulebook", "egf-1998")


def counted(run, *paths, edition=EGF):
    done = run("grades", *paths, *edition, "--format", "json")
    assert done.status == 0, done.err
    return json.loads(done.out)


def row_of(found, grade: str, stronger: int):
    row = next(row for row in found["grades"] if row["grade"] == grade)
    return next(each for each in row["against"] if each["stronger"] == stronger)


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """3k beats 2k and draws with 1k, even; with handicap, or four dan away, it does not count."""
    document = {
        "ratingbook": "report/1",
        "event": {"start": "2002-01-05"},
        "players": [
            {"id": "a", "grade": "3k"},
            {"id": "b", "grade": "2k"},
            {"id": "c", "grade": "1k"},
            {"id": "d", "grade": "3d"},
            {"id": "e", "standing": {"rating": 1840, "games": 9}},
        ],
        "games": [
            {"round": 1, "white": "a", "black": "b", "result": "1-0"},
            {"round": 2, "white": "c", "black": "a", "result": "1/2-1/2"},
            {"round": 3, "white": "c", "black": "a", "result": "0-1", "handicap": 2},
            {"round": 4, "white": "a", "black": "d", "result": "1-0"},
            {"round": 5, "white": "b", "black": "a", "result": "1-0", "status": "forfeit"},
            {"round": 5, "white": "b", "black": "e", "result": "1-0"},
        ],
    }
    path = tmp_path / "event.json"
    path.write_text(json.dumps(document), "utf-8")
    return path


def test_even_games_are_counted_for_the_weaker_grade(run, event):
    found = counted(run, event)
    assert found["games"] == 3
    one = row_of(found, "3k", 1)  # a beat b; e, who declared nothing, has the rating of 3k
    assert (one["Nw"], one["Ng"], one["Pw"]) == (1, 2, 0.5)
    two = row_of(found, "3k", 2)
    assert (two["Nw"], two["Ng"]) == (0.5, 1)


def test_several_files_add_up(run, event):
    assert counted(run, event, event)["games"] == 6


def test_the_published_table_is_read_whole(run, reference):
    """The text gives the number of games: 138854."""
    found = counted(run, reference / "tables" / "egf_even_games_statistics.csv")
    assert found["games"] == 138854
    assert row_of(found, "1d", 1)["Pw"] == pytest.approx(0.381, abs=5e-4)


@pytest.mark.parametrize(("edition", "percent"), [("egf-1998", 26.9), ("egf-2021", 35.2)])
def test_what_the_editions_expect_of_1_dan_against_2_dan(run, reference, edition, percent):
    """26.9 % stands in table 2 of the text; 35.2 % is the revision's, by its formula."""
    table = reference / "tables" / "egf_even_games_statistics.csv"
    found = counted(run, table, edition=("--rulebook", edition))
    assert 100 * row_of(found, "1d", 1)["predicted"] == pytest.approx(percent, abs=0.05)


def test_csv_has_the_columns_of_the_published_table(run, reference):
    table = reference / "tables" / "egf_even_games_statistics.csv"
    done = run("grades", table, *EGF, "--format", "csv")
    rows = {row["grade"]: row for row in csv.DictReader(io.StringIO(done.out))}
    with table.open(newline="", encoding="utf-8") as file:
        for published in csv.DictReader(file):
            ours = rows[published["grade"].lower()]
            for key, value in published.items():
                if key != "grade" and published[f"{key[:3]}_Ng"] != "0":
                    assert float(ours[key]) == float(value), (published["grade"], key)


def test_the_page_shows_a_picture_for_each_gap(run, event):
    page = run("grades", event, *EGF, "--format", "html").out
    assert page.count("<svg") == 4
    assert "http" not in page


def test_a_chart_of_one_grade_keeps_the_scale_of_a_whole_one(run, tmp_path):
    """Else its letters would fill the screen: a chart is as wide as the page."""
    header = ",".join(f"G+{gap}_{name}" for gap in range(1, 5) for name in ("Nw", "Ng"))
    table = tmp_path / "table.csv"
    table.write_text(f"grade,{header}\n3K,30,100,0,0,0,0,0,0\n", "utf-8")
    page = run("grades", table, *EGF, "--format", "html").out
    widths = {int(width) for width in re.findall(r'viewBox="0 0 (\d+) ', page)}
    assert widths
    assert min(widths) >= 640  # 40rem, below which the page scrolls


def test_no_even_game_is_said_without_an_empty_picture(run, tmp_path):
    document = {
        "event": {"start": "2013-01-01", "end": "2013-01-02"},
        "players": [{"id": "1"}],
        "games": [],
    }
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"ratingbook": "report/1", **document}), "utf-8")
    done = run("grades", report, *EGF, "--format", "html")
    assert "no even game" in done.out
    assert "<svg" not in done.out


def test_the_table_names_the_grades(run, event):
    assert "3k" in run("grades", event, *EGF).out


def test_other_systems_have_no_grades(run, event):
    done = run("grades", event, "--rulebook", "fide-2009")
    assert done.status == 2
    assert "EGF" in done.err


@pytest.mark.parametrize(
    "content", [b"", b"\0", b"nothing", b"grade,G+1_Nw,G+1_Ng\n20K,many,3\n", b"grade,G+1_Ng\nx,1"]
)
def test_broken_files_are_refused(run, tmp_path, content):
    path = tmp_path / "broken.csv"
    path.write_bytes(content)
    done = run("grades", path, *EGF)
    assert (done.status, done.out) == (1, "")
    assert "broken.csv" in done.err
