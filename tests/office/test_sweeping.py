"""Files that nothing refers to are told and swept away, and never one that is being received."""

from __future__ import annotations

import os
import time

import pytest

from ratingbook.office.acts import backups, doctor, suppressing, sweeping
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from tests.office.test_day_one import published, standard

__all__ = ["standard"]
LEFT = b"The report of a receipt that was killed, with Alpha, Anna in it"


def aged(home, data=LEFT, days=2):
    path = blobs.path_of(home, blobs.keep(home, data))
    then = time.time() - days * 86_400
    os.utime(path, (then, then))
    return path


def codes(home):
    return [each.code for each in doctor.examine(home) if each.code == "doctor.unknown-files"]


def test_the_doctor_tells_of_what_a_killed_receipt_has_left_and_a_backup_sweeps_it(
    standard, tina, tmp_path
):
    path = aged(standard)
    assert codes(standard) == ["doctor.unknown-files"]
    said = backups.backup(standard, tmp_path / "b.tar", tina)
    assert said["swept"] == 1
    assert not path.exists()
    assert codes(standard) == []
    assert not doctor.examine(standard).refused


def test_nobody_who_is_suppressed_stays_in_such_a_file(standard, tina):
    path = aged(standard)
    suppress(standard, 1, "asked for", tina, with_files=True)
    assert not path.exists()


def test_what_came_just_now_is_on_its_way(standard):
    path = aged(standard, days=0)
    assert sweeping.sweep(standard) == 0
    assert codes(standard) == []
    assert path.exists()


def test_what_an_upper_layer_lets_wait_stays_however_old(standard, monkeypatch):
    monkeypatch.setattr(sweeping, "_waiting", [])
    path = aged(standard)
    sweeping.let_wait(lambda: [path.parent.name + path.name])
    assert sweeping.sweep(standard) == 0
    assert path.exists()


@pytest.mark.parametrize("report", [None, 1])
def test_the_site_lets_wait_what_a_director_has_not_submitted(standard, tina, report):
    from ratingbook.site.models import Draft

    path = aged(standard)
    sha256 = path.parent.name + path.name
    Draft.objects.create(actor="tina", at=tina.now(), file_name="a.trf", sha256=sha256,
                         media="text/plain", report=report)  # fmt: skip
    assert sweeping.sweep(standard) == (0 if report is None else 1)


def test_old_bytes_that_come_again_are_of_now(standard):
    path = aged(standard)
    blobs.keep(standard, LEFT)
    assert sweeping.sweep(standard) == 0
    assert path.exists()


def test_who_keeps_a_file_that_is_being_swept_has_it_in_the_end(standard, monkeypatch):
    path = aged(standard)
    found = sweeping.unknown(standard)
    blobs.keep(standard, LEFT)
    monkeypatch.setattr(sweeping, "unknown", lambda home: found)
    assert sweeping.sweep(standard) == 0
    assert path.read_bytes() == LEFT
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("days", [0, 2])
def test_what_the_ledger_names_stays_however_old(standard, days):
    for each in standard.files.glob("*/*"):
        aged(standard, each.read_bytes(), days)
    before = {each.name for each in standard.files.glob("*/*")}
    assert sweeping.sweep(standard) == 0
    assert {each.name for each in standard.files.glob("*/*")} == before


class Killed(BaseException):
    """What nobody catches, as nobody catches the end of a process."""


def killed(monkeypatch, home, where, call):
    """Let an act end at its first call of something, which is never done."""

    def ends(*given, **named):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(suppressing, where, ends)
        with pytest.raises(Killed):
            call()


def naming_anna(home):
    return [each for each in home.files.glob("*/*") if b"Alpha" in each.read_bytes()]


@pytest.fixture
def broken_off(standard, tina, monkeypatch):
    """An office whose person 1 is suppressed, by an act that was killed before it deleted files."""
    published(standard, tina)
    killed(monkeypatch, standard, "sweep_suppressed",
           lambda: suppress(standard, 1, "asked", tina, with_files=True))  # fmt: skip
    assert naming_anna(standard)
    return standard


def test_nobody_gets_a_file_that_a_fact_has_suppressed_and_that_is_still_there(broken_off):
    hidden = m.Blob.objects.exclude(suppressed_by=None)
    assert hidden.exists()
    for each in hidden:
        with pytest.raises(OfficeRefused) as caught:
            blobs.load(broken_off, each.sha256)
        assert [one.code for one in caught.value.findings] == ["office.file-suppressed"]


def test_the_same_command_given_again_deletes_what_the_first_one_did_not(broken_off, tina):
    fact = m.Fact.objects.get(kind="suppressed").seq
    again, findings = suppress(broken_off, 1, "asked", tina, with_files=True)
    assert again == fact
    assert "office.files-deleted" in [each.code for each in findings]
    assert not naming_anna(broken_off)
    with pytest.raises(OfficeRefused) as caught:
        suppress(broken_off, 1, "asked", tina, with_files=True)
    assert [each.code for each in caught.value.findings] == ["office.suppressed"]


def test_the_doctor_finds_what_a_killed_suppression_has_left_and_a_backup_deletes_it(
    broken_off, tina, tmp_path
):
    (told,) = doctor.examine(broken_off)
    assert told.code == "doctor.suppressed-files"
    assert "person suppress 1 --with-files" in told.remedy
    assert backups.backup(broken_off, tmp_path / "b.tar", tina)["swept"]
    assert not naming_anna(broken_off)
    assert list(doctor.examine(broken_off)) == []


def test_no_snapshot_with_birth_dates_outlives_the_fact(standard, tina, monkeypatch):
    published(standard, tina)
    assert list(standard.snapshots.iterdir())
    killed(monkeypatch, standard, "sweep_suppressed",
           lambda: suppress(standard, 1, "asked", tina, with_files=True))  # fmt: skip
    assert not list(standard.snapshots.iterdir())
