"""An office whose making is killed, or has no room: known as unfinished, and made again."""

from __future__ import annotations

import errno
import shutil
import signal
import subprocess
import sys
from functools import partial

import pytest
from django.db import connections
from django.db.backends.utils import CursorWrapper

from ratingbook.office.home import CONFIG, UNFINISHED
from ratingbook.office.making import making
from ratingbook.office.store import blobs
from tests.office.officers import Officer
from tests.office.reports import document, write
from tools.postgresql import new_database

KILLED = """
import os, signal, sys
from pathlib import Path

folder, left, command, database = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
sys.argv = ["ratingbook"]
from ratingbook.office.home import start_django
start_django()
from django.db import connection
from django.db.backends.utils import CursorWrapper
from ratingbook.office.acts import backups, setup
from ratingbook.office.store import blobs
from ratingbook.office.store.ledger import Who

def count():
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)

def hook(event, arguments):
    if event in ("os.mkdir", "os.chmod", "os.rename", "os.remove"):
        if any(folder in str(each) for each in arguments):
            count()
    elif event == "open" and str(arguments[0]).startswith(folder):
        count()

real = {name: getattr(CursorWrapper, name) for name in ("execute", "executemany")}
def counted(name):
    def statement(self, *given, **named):
        count()
        return real[name](self, *given, **named)
    return statement
for name in real:
    setattr(CursorWrapper, name, counted(name))
sys.addaudithook(hook)
if command == "init":
    setup.init(Path(folder), Who("tina"), database)
else:
    backups.restore(Path(command), Path(folder), database)
from django.db import connections
connections.close_all()
print(left)
"""
"""Kills itself before one of the changes that it makes: of a file, or by a statement."""
ENOUGH = 1_000_000


def tried(folder, left, command, database=""):
    """What is left of the moments of a try; None: it was killed."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(folder), str(left), str(command), database],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == -signal.SIGKILL:
        return None
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def moments(count):
    """The first, the last ones, and some of those between."""
    return sorted({0, 3, count // 2, count - 3, count - 1})


@pytest.fixture(scope="module")
def backed_up(tmp_path_factory):
    """A backup with a report and its file."""
    work = tmp_path_factory.mktemp("backed-up")
    one = Officer(work / "office")
    one.does("init", "--as", "tina")
    one.does("pool", "add", "standard", "--rulebook", "fide-2009")
    one.does("receive", write(work, "open.json", document()))
    one.does("backup", work / "b.tar")
    connections.close_all()
    return work / "b.tar"


def looked_after(one, again):
    """A folder after a kill: it says what it is, and the same command goes through."""
    if (one.folder / CONFIG).exists():
        assert one.does("doctor")["sound"]
        return
    for command in (
        ("lists",),
        ("doctor",),
        ("migrate",),
        ("actor", "add", "udo", "--role", "officer"),
    ):
        (told,) = one.does(*command, status=1)["findings"]
        is_known = (one.folder / UNFINISHED).exists()
        assert told["code"] == ("office.unfinished" if is_known else "office.no-office")
    again()
    assert one.does("doctor")["sound"]
    left = {each.name for each in one.folder.iterdir()}
    assert left <= {"files", "snapshots", "office.json", *map("office.sqlite3{}".format,
                                                              ("", "-wal", "-shm"))}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("command", ["init", "restore"])
def test_an_office_whose_making_is_killed_is_made_again(tmp_path, backed_up, command):
    what = backed_up if command == "restore" else "init"
    count = ENOUGH - tried(tmp_path / "whole", ENOUGH, what)
    assert count > 20
    given = ("restore", backed_up) if command == "restore" else ("init", "--as", "tina")
    for left in moments(count):
        one = Officer(tmp_path / f"killed-{left}")
        assert tried(one.folder, left, what) is None
        looked_after(one, partial(one.does, *given))
        connections.close_all()
        shutil.rmtree(one.folder)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["init", "restore"])
def test_on_a_postgresql_the_office_is_made_again_too(tmp_path, backed_up, command, server):
    what = backed_up if command == "restore" else "init"
    url = server.format(new_database(server))
    count = ENOUGH - tried(tmp_path / "whole", ENOUGH, what, url)
    # The last ones are those after the database has all of it.
    for left in (0, 3, 9, count // 2, *range(count - 6, count)):
        url = server.format(new_database(server))
        given = ("restore", backed_up) if command == "restore" else ("init", "--as", "tina")
        one = Officer(tmp_path / f"killed-{left}")
        assert tried(one.folder, left, what, url) is None
        looked_after(one, partial(one.does, *given, "--database", url))
        connections.close_all()


@pytest.mark.slow
def test_a_database_with_another_office_is_not_taken_for_ones_own(tmp_path, backed_up, server):
    url = server.format(new_database(server))
    Officer(tmp_path / "live").does("restore", backed_up, "--database", url)
    other = Officer(tmp_path / "other")
    (told,) = other.does("restore", backed_up, "--database", url, status=1)["findings"]
    assert told["code"] == "office.exists"
    assert not other.folder.exists()
    # Killed before it could see that the database has an office.
    assert tried(other.folder, 5, backed_up, url) is None
    (told,) = other.does("restore", backed_up, "--database", url, status=1)["findings"]
    assert told["code"] == "office.exists"
    assert Officer(tmp_path / "live").does("doctor")["sound"]


def test_what_others_have_in_the_folder_stays_when_a_killed_try_is_taken_away(tmp_path, backed_up):
    one = Officer(tmp_path / "office")
    (one.folder / "files").mkdir(parents=True)
    (one.folder / "files" / "mine").write_text("mine")
    assert tried(one.folder, 40, backed_up) is None
    shutil.copy(backed_up, one.folder / "b.tar")
    one.does("restore", one.folder / "b.tar")
    assert (one.folder / "files" / "mine").read_text() == "mine"
    assert (one.folder / "b.tar").exists()


def test_an_office_that_is_made_at_this_moment_is_left_alone(tmp_path, backed_up):
    one = Officer(tmp_path / "office")
    with making(one.folder):
        for command in (("init", "--as", "tina"), ("restore", backed_up)):
            (told,) = one.does(*command, status=1)["findings"]
            assert told["code"] == "office.unfinished"
            assert "at this moment" in told["message"]
        assert (one.folder / "files").is_dir()
    assert (one.folder / CONFIG).exists()


@pytest.mark.parametrize("at", [1, 20, 60])
def test_a_disk_that_is_full_leaves_nothing(tmp_path, backed_up, monkeypatch, at):
    one = Officer(tmp_path / "some" / "office")
    real, left = CursorWrapper.execute, [at]

    def execute(self, *given):
        left[0] -= 1
        if left[0] == 0:
            real(self, "PRAGMA max_page_count=1")
        return real(self, *given)

    monkeypatch.setattr(CursorWrapper, "execute", execute)
    for command in (("init", "--as", "tina"), ("restore", backed_up)):
        left[0] = at
        (told,) = one.does(*command, status=1)["findings"]
        assert (told["code"], "No space left on device" in told["message"]) == ("office.out", True)
        assert not (tmp_path / "some").exists()


def test_a_disk_without_room_for_the_files_leaves_nothing(tmp_path, backed_up, monkeypatch):
    def full(path, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    one = Officer(tmp_path / "office")
    monkeypatch.setattr(blobs, "_write", full)
    (told,) = one.does("restore", backed_up, status=1)["findings"]
    assert (told["code"], str(one.folder) in told["message"]) == ("office.out", True)
    assert "Make room" in told["remedy"]
    assert not one.folder.exists()
