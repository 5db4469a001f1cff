"""Processes of one server share their requests: who has less to do takes one over.

A browser keeps its connection, and that belongs to one process.  While this makes a page, the next
request that it gets would wait, though another process had nothing to do.  So each process writes
on a board how many requests it has, and hands on what another one can begin earlier.  Only what can
be asked again is handed on: should the other one end meanwhile, the page is made here.
"""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import json
import mmap
import os
import shutil
import socket
import stat
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from multiprocessing.connection import Client, Connection
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Any, Final

Application = Callable[..., Any]

_PLACES: Final = 16
"""Processes at most of one server that share."""
_MOST: Final = 250
"""Requests that a place of the board can tell."""
_BOARD: Final = "board"
_HANDED_ON: Final = ("GET", "HEAD")


def sharing(application: Application, office: Path) -> Application:
    """The application, which shares its requests with the other processes of its server.

    Alone, where the machine has no sockets or no folder for them.
    """
    try:
        folder = _meeting_place(office, os.getppid())
        folder.mkdir(mode=0o700, exist_ok=True)
        found = Sharing(application, folder)
    except (OSError, AttributeError):
        return application
    atexit.register(found.leave)
    return found


def leave_nothing(office: Path) -> None:
    """Where the children of this process met to serve an office, once they have ended."""
    with suppress(OSError):
        shutil.rmtree(_meeting_place(office, os.getpid()))


def _meeting_place(office: Path, server: int) -> Path:
    """The folder of a server: its processes are children of one, and serve one office."""
    own = Path(tempfile.gettempdir()) / f"ratingbook-{os.getuid()}"
    own.mkdir(mode=0o700, exist_ok=True)
    found = own.lstat()
    # Everybody may write to the folder above: somebody else could have made this one.
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(own)
    for each in own.iterdir():
        if not _lives(each.name.partition("-")[0]):
            shutil.rmtree(each, ignore_errors=True)
    which = hashlib.sha256(os.fsencode(office.absolute())).hexdigest()[:16]
    return own / f"{server}-{which}"


def _lives(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, ValueError):
        return False
    except PermissionError:
        pass
    return True


class Sharing:
    """An application beside others of its server, in a place of its own among them."""

    def __init__(self, application: Application, folder: Path) -> None:
        self._application, self._folder = application, folder
        self._lock = threading.Lock()
        self._number, self._held = _place(folder)
        self._board = _board(folder)
        self._known: dict[int, LifoQueue[Connection[Any, Any]]] = {}
        path = self._socket(self._number)
        path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._board[self._number], self._has_left = 1, False
        threading.Thread(target=self._listen, daemon=True).start()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        """The answer, by whoever can begin first."""
        other = self._who_has_less() if _can_be_handed_on(environ) else None
        if other is not None:
            answer = self._asked(other, environ)
            if answer is not None:
                status, headers, rest = answer
                start_response(status, headers)
                return rest
        return self.answered(environ, start_response)

    def answered(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        """The answer of this process."""
        self._count(1)
        try:
            return self._application(environ, start_response)
        finally:
            self._count(-1)

    def leave(self) -> None:
        """Take nothing more over, and hand nothing on."""
        if self._has_left:
            return
        self._has_left, self._board[self._number] = True, 0
        with suppress(OSError):
            # Who waits at it is woken.
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        os.close(self._held)
        for free in self._known.values():
            while not free.empty():
                free.get().close()

    def _count(self, more: int) -> None:
        with self._lock:
            self._board[self._number] = min(_MOST, max(1, self._board[self._number] + more))

    def _who_has_less(self) -> int | None:
        """The place of the process that has least, if this one has more."""
        # One more than the requests; nothing where nobody is.
        told = self._board[:]
        here = [number for number in range(_PLACES) if told[number]]
        least = min(here, key=told.__getitem__, default=self._number)
        return least if told[least] < told[self._number] else None

    def _socket(self, number: int) -> Path:
        return self._folder / str(number)

    def _asked(
        self, number: int, environ: dict[str, Any]
    ) -> tuple[str, list[tuple[str, str]], Iterator[bytes]] | None:
        """The answer of another process; None: it has none."""
        free = self._known.setdefault(number, LifoQueue())
        connection = None
        try:
            try:
                connection = free.get_nowait()
            except Empty:
                connection = Client(str(self._socket(number)), "AF_UNIX")
            connection.send_bytes(_written(environ))
            status, headers = json.loads(connection.recv_bytes())
        except (OSError, EOFError):
            if connection is None:
                # It has ended, and nobody has its place yet.
                self._board[number] = 0
            else:
                connection.close()
            return None
        return status, [(name, value) for name, value in headers], _rest(connection, free)

    def _listen(self) -> None:
        """Take in what others hand on, as long as the process lives."""
        while not self._has_left:
            with suppress(OSError):
                connection: Connection[Any, Any] = Connection(self._listener.accept()[0].detach())
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: Connection[Any, Any]) -> None:
        """Answer one after the other of what comes by a connection."""
        with suppress(OSError, EOFError), connection:
            while True:
                self._answer_one(json.loads(connection.recv_bytes()), connection)

    def _answer_one(self, said: dict[str, Any], connection: Connection[Any, Any]) -> None:
        environ = {
            **said, "wsgi.input": BytesIO(), "wsgi.errors": sys.stderr, "wsgi.version": (1, 0),
        }  # fmt: skip
        head: list[Any] = []
        body = self.answered(environ, lambda status, headers, *_: head.extend((status, headers)))
        try:
            connection.send_bytes(json.dumps(head).encode())
            for part in body:
                if part:
                    connection.send_bytes(part)
            connection.send_bytes(b"")
        finally:
            if close := getattr(body, "close", None):
                close()


def _can_be_handed_on(environ: dict[str, Any]) -> bool:
    has_body = environ.get("CONTENT_LENGTH", "") not in ("", "0")
    is_chunked = "HTTP_TRANSFER_ENCODING" in environ
    return environ["REQUEST_METHOD"] in _HANDED_ON and not has_body and not is_chunked


def _written(environ: dict[str, Any]) -> bytes:
    """What a request says; what belongs to its connection stays here."""
    return json.dumps(
        {key: said for key, said in environ.items() if isinstance(said, str | bool)}
    ).encode()


def _rest(
    connection: Connection[Any, Any], free: LifoQueue[Connection[Any, Any]]
) -> Iterator[bytes]:
    """The body of an answer; the connection is free after its last part."""
    is_whole = False
    try:
        while part := connection.recv_bytes():
            yield part
        is_whole = True
    finally:
        if is_whole:
            free.put(connection)
        else:
            connection.close()


def _place(folder: Path) -> tuple[int, int]:
    """A place that nobody holds; the file that is open holds it until the process ends."""
    for number in range(_PLACES):
        held = os.open(folder / f"{number}.held", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(held)
            continue
        return number, held
    raise BlockingIOError(folder)


def _board(folder: Path) -> mmap.mmap:
    """A byte for each place, which all of them see."""
    told = os.open(folder / _BOARD, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        os.ftruncate(told, _PLACES)
        return mmap.mmap(told, _PLACES)
    finally:
        os.close(told)
