"""``ratingbook convert`` and ``formats``: files in, files out, nothing lost in silence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ratingbook.formats import read
from ratingbook.formats.catalogue import FORMATS, TARGETS
from ratingbook.formats.differences import differences
from ratingbook.formats.lists import FidePlayer, Rated, read_entries, write_fide_txt
from ratingbook.model import Report

ROOT = Path(__file__).parents[2]
SPRING = ROOT / "examples" / "reports" / "spring-open.trf"
CLUB = ROOT / "examples" / "reports" / "club-open-2c"


def report_of(path: Path) -> Report:
    report = read(path).report
    assert report is not None
    return report


def test_the_suffix_says_the_format(run, tmp_path):
    for name in ("a.json", "a.csv", "a.xlsx", "a.pgn", "a.trf"):
        done = run("convert", SPRING, tmp_path / name)
        assert done.status == 0
        assert done.out == ""
        assert len(report_of(tmp_path / name).entries) == len(report_of(SPRING).entries)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["a.json", "a.csv", "a.xlsx", "a.pgn", "a.trf"]
    )


def test_there_and_back_is_the_same_report(run, tmp_path):
    document = tmp_path / "a.json"
    run("convert", SPRING, document)
    run("convert", document, tmp_path / "b.csv")
    run("convert", tmp_path / "b.csv", tmp_path / "c.json")
    assert json.loads((tmp_path / "c.json").read_text()) == json.loads(document.read_text())


def test_what_a_format_cannot_hold_is_told(run, tmp_path):
    done = run("convert", SPRING, tmp_path / "a.h9")
    assert done.status == 0
    assert "has no place for" in done.err
    assert "[convert.lost]" in done.err


def test_a_folder_of_three_files(run, tmp_path):
    out = tmp_path / "club"
    assert run("convert", CLUB, out, "--format", "2c").status == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "TDEXPORT.DBF", "THEXPORT.DBF", "TSEXPORT.DBF",
    ]  # fmt: skip
    assert not list(differences(report_of(CLUB), report_of(out), {}, "2C"))
    assert run("convert", CLUB, "-", "--format", "2c").status == 1


def test_to_the_output(command):
    done = command("convert", SPRING, "-", "--format", "document")
    assert done.status == 0
    assert json.loads(done.out)["ratingbook"] == "report/1"


def test_nothing_is_overwritten_unasked(run, tmp_path):
    out = tmp_path / "a.json"
    out.write_text("mine")
    done = run("convert", SPRING, out)
    assert (done.status, out.read_text()) == (1, "mine")
    assert "[convert.exists]" in done.err
    assert run("convert", SPRING, out, "--force").status == 0
    assert json.loads(out.read_text())
    folder = tmp_path / "club"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    assert "[convert.exists]" in run("convert", CLUB, folder, "--format", "2c").err


@pytest.mark.parametrize(
    ("out", "code"),
    [
        ("a.docx", "convert.unknown-format"),
        ("a", "convert.unknown-format"),
        ("no/such/a.json", "convert.out"),
        (".", "convert.unknown-format"),
    ],
)
def test_places_that_cannot_be(run, tmp_path, out, code):
    done = run("convert", SPRING, tmp_path / out)
    assert done.status == 1
    assert f"[{code}]" in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_the_way_and_a_file_in_the_way(run, tmp_path):
    (tmp_path / "a.json").mkdir()
    assert "[convert.out]" in run("convert", SPRING, tmp_path / "a.json").err
    (tmp_path / "b").write_text("mine")
    assert "[convert.out]" in run("convert", CLUB, tmp_path / "b", "--format", "2c").err


def test_a_place_that_is_not_mine_is_told(run, tmp_path, forbid):
    forbid(tmp_path)
    done = run("convert", SPRING, tmp_path / "a.json")
    assert done.status == 1
    assert "[convert.unwritable]" in done.err
    assert "Permission denied" in done.err


def test_a_disk_that_is_full_leaves_nothing(run, tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ratingbook.cli.put._mode_of", full)
    done = run("convert", SPRING, tmp_path / "a.json")
    assert "[convert.unwritable]" in done.err
    assert done.status == 1
    assert list(tmp_path.iterdir()) == []


def test_a_refused_file_is_not_converted(run, tmp_path):
    bad = tmp_path / "bad.trf"
    bad.write_text(SPRING.read_text().replace("001    2", "001    1"))
    done = run("convert", bad, tmp_path / "a.json")
    assert done.status == 1
    assert "trf.duplicate" in done.err
    assert not (tmp_path / "a.json").exists()


def test_usage(run, tmp_path):
    assert run("convert", SPRING, tmp_path / "a", "--format", "word").status == 2
    assert run("convert", SPRING, "-").status == 2
    assert run("convert", SPRING, tmp_path / "a.csv", "--column", "weiss=1").status == 2


def test_columns_of_a_table_may_be_named(run, tmp_path):
    table = tmp_path / "games.csv"
    table.write_text("Datum,Hell,Dunkel,Ausgang\n2024-04-06,Doe,Roe,1-0\n2024-04-07,Roe,Doe,0-1\n")
    named = [f"--column={n}" for n in ("white=Hell", "black=Dunkel", "result=Ausgang")]
    done = run("check", table, *named)
    assert done.status == 0
    assert "CSV" in done.out
    assert run("convert", table, tmp_path / "a.json", *named).status == 0
    document = json.loads((tmp_path / "a.json").read_text())
    assert [game["result"] for game in document["games"]] == ["1-0", "0-1"]


# Rating lists


@pytest.fixture
def fide_list(tmp_path):
    path = tmp_path / "players.txt"
    people = [
        FidePlayer("1503014", "Doe, Jo", federation="NOR", standard=Rated(2100, 5, 20)),
        FidePlayer("1503015", "=Roe, Ro", federation="NOR", birth_year=2008),
    ]
    with path.open("wb") as file:
        assert not write_fide_txt(people, file).refused
    return path


def test_a_list_goes_through_every_format_of_its_federation(run, tmp_path, fide_list):
    out = tmp_path / "players.xml"
    done = run("convert", fide_list, out)
    assert done.status == 0
    assert "2 players from FIDE list (TXT) to fide-xml" in " ".join(done.err.split())
    assert run("convert", out, tmp_path / "again.txt").status == 0
    assert (tmp_path / "again.txt").read_bytes() == fide_list.read_bytes()
    assert run("check", out).status == 0


def test_a_list_becomes_a_players_file(run, tmp_path, fide_list):
    out = tmp_path / "players.csv"
    assert run("convert", fide_list, out).status == 0
    assert out.read_text() == (
        "id,name,federation,title,sex,birth_year,rating,games\n"
        '1503014,"Doe, Jo",NOR,,,,2100,\n'
        '1503015,"\'=Roe, Ro",NOR,,,2008,,\n'
    )
    entries, findings = read_entries(fide_list)
    assert (len(entries), findings.refused) == (2, False)


def test_a_list_of_another_federation_is_refused(run, tmp_path, fide_list):
    done = run("convert", fide_list, tmp_path / "a", "--format", "iccf")
    assert (done.status, "[list.other-register]" in done.err) == (1, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["players.txt"]
    assert run("convert", fide_list, tmp_path / "a.json").status == 1
    assert (
        "[convert.unknown-format]"
        in run("convert", SPRING, tmp_path / "a.x", "--format", "fide-txt").err
    )


# What there is


def test_formats_are_listed(run):
    text = run("formats").out
    assert all(name in text for name in FORMATS)
    told = json.loads(run("formats", "--format", "json").out)
    assert [each["name"] for each in told["reports"]] == list(FORMATS)
    assert {key for each in told["reports"] for key in each["written_as"]} == set(TARGETS)
    assert {each["name"] for each in told["lists"]} >= {"ICCF list", "IECG list"}
