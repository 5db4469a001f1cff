"""Folders and archives of reports: each file is read, or it is told that it is not."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from ratingbook.desk.sources import opened_files
from ratingbook.model import Findings
from tests.conftest import ROOT

REPORT = ROOT / "examples" / "reports" / "spring-open.trf"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "season"
    found.mkdir()
    shutil.copy(REPORT, found / "a.trf")
    return found


def opened(*paths: Path) -> tuple[list[str], Findings]:
    with opened_files(paths) as (found, findings):
        return sorted(Path(name).name for _, name in found), findings


def codes(findings: Findings) -> list[str]:
    return [each.code for each in findings]


def test_a_folder_that_is_a_link_is_no_folder_without_games(folder, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    shutil.copy(REPORT, tmp_path / "elsewhere" / "b.trf")
    (folder / "linked").symlink_to(tmp_path / "elsewhere")
    _, findings = opened(folder)
    assert codes(findings) == ["history.linked-folder"]
    assert findings.refused


def test_files_that_are_passed_over_are_named(folder):
    names = ("notes.md", "draw.pdf", "_b.trf", ".c.trf", "._d.trf", "_SUCCESS", ".hidden")
    for name in names:
        shutil.copy(REPORT, folder / name)
    found, findings = opened(folder)
    assert found == ["a.trf"]
    by_end, by_begin = (each.message for each in findings)
    assert codes(findings) == ["history.not-read"] * 2
    assert "endings" in by_end
    assert "draw.pdf, notes.md" in by_end
    assert "beginnings" in by_begin
    assert ".c.trf, _b.trf." in by_begin
    assert not findings.refused


def test_a_link_that_leads_nowhere_is_read_as_nothing_and_not_passed_over(folder):
    (folder / "b.trf").symlink_to("gone.trf")
    assert opened(folder)[0] == ["a.trf", "b.trf"]


def test_an_archive_with_two_files_of_one_name_is_refused(tmp_path):
    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(REPORT, "open.trf")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.write(REPORT, "open.trf")
    found, findings = opened(path)
    assert (found, codes(findings)) == ([], ["history.archive"])
    assert "two of its files are called open.trf" in next(iter(findings)).message


def test_also_where_names_meet_once_they_lead_nowhere_else(tmp_path):
    path = tmp_path / "up.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(REPORT, "a/open.trf")
        archive.write(REPORT, "../a/open.trf")
    assert codes(opened(path)[1]) == ["history.archive"]
