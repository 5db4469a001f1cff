"""A cache of compiled code that nobody but its user can have written.

Numba's index of compiled code is a pickle, and machine code is run as it stands: both are as
good as a program.  So the folder is the user's own, closed to all others, and before Numba
may look into it every file in it must be one that was sealed: its hash stands in a list that is
signed with a key of the user.  What is not is taken away, and compiled again.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

_SEAL = "sealed"
_KEY = "key"
_KEY_BYTES = 32
_OTHERS = 0o077


def why_not_kept(folder: Path) -> str:
    """Why nothing can be kept below a folder that others could exchange; empty: it can.

    Whoever may write into a folder above may put another in its place.
    """
    if not hasattr(os, "getuid"):
        return ""
    for each in (folder, *folder.absolute().parents):
        try:
            told = each.stat()
        except FileNotFoundError:
            continue
        except OSError as error:
            return f"{each}: {error.strerror}"
        if told.st_uid not in {os.getuid(), 0}:
            return f"{each} belongs to another user"
        # The own group of a user has no other member.
        by_group = told.st_mode & stat.S_IWGRP and told.st_gid != os.getgid()
        if (told.st_mode & stat.S_IWOTH or by_group) and not told.st_mode & stat.S_ISVTX:
            return f"others may write into {each}"
    return ""


def own_folder(folder: Path) -> bool:
    """Make a folder that is closed to others, or close it; False where that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        told = folder.lstat()
        if not stat.S_ISDIR(told.st_mode):
            return False
        if hasattr(os, "getuid"):
            if told.st_uid != os.getuid():
                return False
            if told.st_mode & _OTHERS:
                folder.chmod(0o700)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def open_sealed(folder: Path) -> None:
    """Leave in a folder only what was sealed there, all of it or nothing."""
    if is_sealed(folder):
        return
    # Another process may be adding to it just now.
    with _alone(folder):
        _open(folder)


def _open(folder: Path) -> None:
    if not is_sealed(folder):
        empty(folder)


@contextmanager
def adding(folder: Path) -> Iterator[None]:
    """Put files into a folder and seal it, beside nobody else who does; raises OSError.

    Without it whoever looks between a file and its seal would take all away, and of two who seal
    at once the one would not know the files of the other.
    """
    with _alone(folder):
        _open(folder)
        yield
        seal(folder)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """No other process is here meanwhile, where the system can keep it out."""
    try:
        import fcntl
    except ImportError:
        # On Windows what another adds meanwhile may be taken away, and is compiled again.
        yield
        return
    held = os.open(folder, os.O_RDONLY)
    try:
        # There are disks that know no locks.
        with suppress(OSError):
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def empty(folder: Path) -> None:
    """Take away what is in a folder of compiled code."""
    for path in _files(folder):
        with suppress(OSError):
            path.unlink()


def seal(folder: Path) -> None:
    """Sign what is in the folder now."""
    with suppress(OSError):
        body = json.dumps(_stamps(folder), sort_keys=True).encode()
        beside = folder.parent / f"{folder.name}.{secrets.token_hex(8)}"
        _write_private(beside, _signature(_key(folder.parent), folder, body) + b"\n" + body)
        beside.replace(folder / _SEAL)


def files_of(folder: Path) -> dict[str, bytes]:
    """What was sealed in a folder, by name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in _files(folder)
        if path != folder / _SEAL
    }


def put_sealed(folder: Path, files: Mapping[str, bytes]) -> None:
    """Fill an own folder with what somebody has vouched for, and sign it."""
    with adding(folder):
        empty(folder)
        for name, data in files.items():
            path = folder / name
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Others may be reading: a file is there as a whole or not at all.
            beside = folder.parent / f"{folder.name}.{secrets.token_hex(8)}"
            _write_private(beside, data)
            beside.replace(path)


def is_sealed(folder: Path) -> bool:
    """Whether all in a folder is what this user has sealed there."""
    try:
        signature, _, body = (folder / _SEAL).read_bytes().partition(b"\n")
        key = _key(folder.parent)
        if not hmac.compare_digest(signature, _signature(key, folder, body)):
            return False
        return bool(json.loads(body) == _stamps(folder))
    except (OSError, ValueError):
        return False


def _signature(key: bytes, folder: Path, body: bytes) -> bytes:
    # With the name: a sealed folder is no good in the place of another one.
    said = folder.name.encode() + b"\0" + body
    return hmac.new(key, said, hashlib.sha256).hexdigest().encode()


def _stamps(folder: Path) -> dict[str, list[int | str]]:
    """Length and hash of every file but the seal; a link is never one that was written."""
    found: dict[str, list[int | str]] = {}
    for path in _files(folder):
        if path != folder / _SEAL:
            if path.is_symlink():
                raise OSError(f"{path} is a link")
            data = path.read_bytes()
            name = path.relative_to(folder).as_posix()
            found[name] = [len(data), hashlib.sha256(data).hexdigest()]
    return found


def _files(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        # A link to a folder is listed with the folders, and is not gone into.
        linked = [name for name in folders if (Path(here) / name).is_symlink()]
        for name in sorted([*names, *linked]):
            yield Path(here) / name


def _key(folder: Path) -> bytes:
    """The key of this user, made where there is none; raises OSError where it cannot be."""
    path = folder / _KEY
    for _ in range(2):
        with suppress(FileNotFoundError):
            held = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
            with os.fdopen(held, "rb") as file:
                told = os.fstat(file.fileno())
                is_own = not hasattr(os, "getuid") or (
                    told.st_uid == os.getuid() and not told.st_mode & _OTHERS
                )
                key = file.read()
                if is_own and len(key) == _KEY_BYTES:
                    return key
            path.unlink()
        with suppress(FileExistsError):
            _write_private(path, secrets.token_bytes(_KEY_BYTES))
    raise OSError(f"{path} cannot be made")


def _write_private(path: Path, data: bytes) -> None:
    held = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(held, "wb") as file:
        file.write(data)
