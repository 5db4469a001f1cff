"""Processes of a server share their requests, and each can go on alone."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from ratingbook.site import peers
from ratingbook.site.peers import Sharing, sharing

LONG = 30.0


class Application:
    """Says who it is; waits where it is told to, and tells whom it answered."""

    def __init__(self, name: str) -> None:
        self.name, self.seen, self.closed = name, list[str](), 0
        self.go_on, self.begun = threading.Event(), threading.Event()

    def __call__(self, environ, start_response):
        path = environ["PATH_INFO"]
        self.seen.append(path)
        if path == "/long":
            self.begun.set()
            assert self.go_on.wait(LONG)
        start_response("200 OK", [("X-By", self.name), ("Set-Cookie", "a=1"), ("Set-Cookie", "b")])
        return Body(self, environ)


class Body:
    def __init__(self, whose: Application, environ) -> None:
        self.whose, self.environ = whose, environ

    def __iter__(self):
        yield f"{self.whose.name} {self.environ['PATH_INFO']}".encode()
        if self.environ["PATH_INFO"] == "/breaks":
            raise OSError("the disk")
        yield b""
        yield self.environ["wsgi.input"].read() + bytes(range(256))

    def close(self):
        self.whose.closed += 1


class Input:
    def read(self):
        return b"own"


def asked(one, path: str, method: str = "GET", **more: str):
    head = []
    environ = {
        "REQUEST_METHOD": method, "PATH_INFO": path, "wsgi.url_scheme": "http",
        "wsgi.multithread": True, "wsgi.input": Input(), "wsgi.file_wrapper": print, **more,
    }  # fmt: skip
    body = one(environ, lambda *said: head.extend(said))
    try:
        return head, b"".join(body)
    finally:
        if close := getattr(body, "close", None):
            close()


def until(holds) -> None:
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() - begun < LONG
        time.sleep(0.001)


@pytest.fixture
def folder():
    # Sockets have short names: the folders of tests are too long for them.
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


@pytest.fixture
def two(folder):
    first, second = Application("first"), Application("second")
    one, other = Sharing(first, folder), Sharing(second, folder)
    yield first, one, second, other
    first.go_on.set()
    second.go_on.set()
    one.leave()
    other.leave()


@contextmanager
def busy(application: Application, one: Sharing):
    """While it makes a page that takes long."""
    with ThreadPoolExecutor(1) as workers:
        long = workers.submit(asked, one, "/long", "POST")
        assert application.begun.wait(LONG)
        yield
        application.go_on.set()
        assert long.result(LONG)[0][1][0] == ("X-By", application.name)


def test_who_has_nothing_to_do_answers_itself(two):
    first, one, second, other = two
    assert asked(one, "/a")[1] == b"first /aown" + bytes(range(256))
    assert asked(other, "/b")[1] == b"second /bown" + bytes(range(256))
    assert (first.seen, second.seen) == (["/a"], ["/b"])


def test_what_comes_meanwhile_is_answered_by_the_other_one(two):
    """With its headers, all parts of the body, and the body closed."""
    first, one, second, _ = two
    with busy(first, one):
        for number in range(3):
            head, body = asked(one, f"/{number}")
            assert head[0] == "200 OK"
            assert head[1] == [("X-By", "second"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b")]
            assert body == f"second /{number}".encode() + bytes(range(256))
            until(lambda n=number: second.closed == n + 1)
    # One connection was enough for one after the other.
    assert one._known[1].qsize() == 1
    assert first.seen == ["/long"]
    assert bytes(one._board[:3]) == b"\1\1\0"


@pytest.mark.parametrize("more", [{"method": "POST"}, {"CONTENT_LENGTH": "3"},
                                  {"HTTP_TRANSFER_ENCODING": "chunked"}])  # fmt: skip
def test_what_has_a_body_or_changes_something_stays(two, more):
    first, one, second, _ = two
    with busy(first, one):
        assert asked(one, "/here", **more)[1].startswith(b"first /hereown")
    assert not second.seen


def test_of_two_that_are_busy_each_keeps_its_own(two):
    first, one, second, other = two
    with busy(first, one), busy(second, other):
        assert asked(one, "/a")[1].startswith(b"first")
        assert asked(other, "/b")[1].startswith(b"second")


def test_an_answer_that_breaks_off_is_no_whole_one(two):
    first, one, second, _ = two
    with busy(first, one):
        with pytest.raises(EOFError):
            asked(one, "/breaks")
        assert second.closed == 1
        assert asked(one, "/next")[1].startswith(b"second")


def test_a_reader_who_goes_away_ends_the_body(two):
    first, one, second, _ = two
    with busy(first, one):
        body = one({"REQUEST_METHOD": "GET", "PATH_INFO": "/left"}, lambda *_: None)
        assert next(body) == b"second /left"
        body.close()
        until(lambda: second.closed == 1)
        assert asked(one, "/next")[1].startswith(b"second")


def test_what_another_process_was_asked_is_made_here_once_it_has_ended(folder):
    """Whether its connection was open or not; who comes into its place is asked again."""
    program = (
        "import sys, time; sys.path[:0] = sys.argv[1:2]\n"
        "from pathlib import Path\n"
        "from tests.site.test_peers import Application\n"
        "from ratingbook.site.peers import Sharing\n"
        "Sharing(Application('other'), Path(sys.argv[2])); print(flush=True); time.sleep(60)"
    )
    first = Application("first")
    one = Sharing(first, folder)

    def another() -> subprocess.Popen[bytes]:
        root = str(Path(__file__).parents[2])
        begun = subprocess.Popen(
            [sys.executable, "-c", program, root, str(folder)], stdout=subprocess.PIPE
        )
        assert begun.stdout
        begun.stdout.readline()
        return begun

    with busy(first, one):
        for is_known in (True, False):
            process = another()
            try:
                if is_known:
                    assert asked(one, "/a")[1].startswith(b"other")
            finally:
                process.kill()
                process.communicate()
            assert asked(one, "/b")[1].startswith(b"first")
            assert asked(one, "/c")[1].startswith(b"first")
            assert one._board[1] == 0
    one.leave()


def test_more_processes_than_places_go_on_alone(folder, monkeypatch):
    monkeypatch.setattr(peers, "_PLACES", 2)
    monkeypatch.setattr(peers, "_meeting_place", lambda *_: folder)
    made = [sharing(Application(each), folder) for each in "abc"]
    assert [type(each) for each in made] == [Sharing, Sharing, Application]
    for each in made:
        if isinstance(each, Sharing):
            each.leave()


def test_processes_meet_by_their_parent_and_the_office(monkeypatch, folder):
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    own = os.getpid()
    here = peers._meeting_place(Path("office"), own)
    here.mkdir()
    assert here == peers._meeting_place(Path("office"), own)
    assert here != peers._meeting_place(Path("other"), own)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = here.parent / f"{gone.pid}-0123"
    left.mkdir()
    (left / "0").touch()
    assert peers._meeting_place(Path("office"), 1) != here
    assert not left.exists()
    peers.leave_nothing(Path("other"))
    assert here.exists()
    peers.leave_nothing(Path("office"))
    assert not here.exists()


@pytest.mark.parametrize("spoil", [
    lambda own: own.mkdir(mode=0o777) or own.chmod(0o777),
    lambda own: own.symlink_to(own.parent),
    lambda own: own.write_text("no folder"),
], ids=["open", "elsewhere", "file"])  # fmt: skip
def test_nobody_else_can_listen(monkeypatch, folder, spoil):
    """Where everybody may write, somebody could have made the folder first."""
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    spoil(folder / f"ratingbook-{os.getuid()}")
    alone = Application("alone")
    assert sharing(alone, folder) is alone
