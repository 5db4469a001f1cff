"""File systems that lack something: told before anything is rated, and nothing is left."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

import pytest

from ratingbook.engine.history import HistoryRefused
from ratingbook.engine.history.folder import alone_in
from ratingbook.engine.store import Disk
from tools.small_runs import Command, cases


class Without(Disk):
    """Cannot do one of the operations."""

    def __init__(self, operation: str, number: int) -> None:
        self.asked = 0

        def refuse(*_: object) -> None:
            self.asked += 1
            raise OSError(number, os.strerror(number))

        setattr(self, operation, refuse)


class NoReplacing(Disk):
    """Renames only to names that are free."""

    def rename(self, path: Path, to: Path) -> None:
        if os.path.lexists(to):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        super().rename(path, to)


class NoFolders(Disk):
    """Renames no folders, as stores of objects."""

    def rename(self, path: Path, to: Path) -> None:
        if path.is_dir() and not path.is_symlink():
            raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))
        super().rename(path, to)


@pytest.fixture
def command() -> Command:
    return cases("fide-2009")[0].now


@pytest.mark.parametrize(
    ("disk", "lacks"),
    [
        # FAT answers EPERM, some network file systems the other two.
        (Without("symlink", errno.EPERM), "make symbolic links"),
        (Without("symlink", errno.ENOSYS), "make symbolic links"),
        (Without("symlink", errno.ENOTSUP), "make symbolic links"),
        (NoReplacing(), "put a link in the place of another"),
        (NoFolders(), "give a folder another name"),
    ],
)
def test_what_a_file_system_cannot_do_is_told_at_once(tmp_path, command, disk, lacks):
    with pytest.raises(HistoryRefused) as refused:
        command.run(tmp_path, disk)
    (finding,) = refused.value.findings
    assert finding.code == "history.file-system"
    assert finding.message.endswith(f"its file system cannot {lacks}.")
    assert "another file system" in finding.remedy
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_no_want_of_links(tmp_path, command):
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        command.run(tmp_path, Without("symlink", errno.ENOSPC))
    assert list(tmp_path.iterdir()) == []


def test_files_without_a_second_name_are_copied(tmp_path, command):
    disk = Without("link", errno.EPERM)
    command.run(tmp_path / "copied", disk)
    command.run(tmp_path / "linked")
    assert disk.asked > 0
    for name in ("ratings.parquet", "changes.parquet"):
        one, other = ((tmp_path / each / name).read_bytes() for each in ("copied", "linked"))
        assert one == other


def test_a_folder_that_cannot_be_synced_is_told(tmp_path, command, monkeypatch):
    fsync = os.fsync

    def of_files_only(held: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{held}"):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        fsync(held)

    assert [each.code for each in command.run(tmp_path / "sound").told] == []
    monkeypatch.setattr(os, "fsync", of_files_only)
    written = command.run(tmp_path / "run")
    assert [each.code for each in written.told] == ["history.not-synced"]
    assert (tmp_path / "run" / "ratings.parquet").is_file()


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS])
def test_a_folder_that_cannot_be_locked_is_refused(tmp_path, monkeypatch, number):
    def refuse(held: int, how: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(HistoryRefused, match="cannot lock a folder"), alone_in(tmp_path):
        pass
