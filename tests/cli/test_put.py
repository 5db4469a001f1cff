"""Files that commands write."""

from __future__ import annotations

import os
import stat
import threading
from contextlib import suppress
from pathlib import Path

from ratingbook.cli.put import put, putting

REPORT = Path(__file__).parents[2] / "examples" / "reports" / "spring-open.trf"


def test_a_link_is_followed_and_permissions_stay(tmp_path: Path):
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("before", "utf-8")
    target.chmod(0o600)
    link.symlink_to(target)
    put(b"after", link)
    assert link.is_symlink()
    assert target.read_bytes() == b"after"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.txt", "target.txt"]


def test_a_new_file_has_the_permissions_of_new_files(tmp_path: Path):
    mask = os.umask(0o027)
    try:
        put(b"new", tmp_path / "new.txt")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o640


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    put(b"through", pipe)
    reader.join(10)
    assert read == [b"through"]
    assert pipe.is_fifo()


def test_what_fails_leaves_what_was_there(tmp_path: Path):
    path = tmp_path / "kept.txt"
    path.write_text("before", "utf-8")
    with suppress(KeyboardInterrupt), putting(path) as made:
        made.file.write(b"half")
        raise KeyboardInterrupt
    with putting(path) as made:
        made.file.write(b"not wanted")
        made.leave()
    assert path.read_text("utf-8") == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_command_writes_through_a_pipe(tmp_path: Path, run):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    assert run("rate", REPORT, "--rulebook", "fide-2009", "-o", pipe).status == 0
    reader.join(30)
    assert pipe.is_fifo()
    assert b"Spring" in read[0]
