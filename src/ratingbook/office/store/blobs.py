"""Files by the SHA-256 of their bytes: written and synced before any fact names them."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from ratingbook.engine.store import DISK
from ratingbook.model.sentences import sentence
from ratingbook.office.home import Home
from ratingbook.office.logic.masked import SUPPRESSED
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store.ledger import is_any
from ratingbook.office.store.models import Blob

_AT_ONCE = 16
"""Files that are written and synced at the same time."""


def path_of(home: Home, sha256: str) -> Path:
    """Where the bytes of a hash lie."""
    return home.files / sha256[:2] / sha256[2:]


def keep(home: Home, data: bytes) -> str:
    """Write the bytes, so that they outlive a power cut; gives their hash."""
    sha256 = hashlib.sha256(data).hexdigest()
    for refused in keep_all(home, {sha256: data}).values():
        raise refused
    return sha256


def keep_all(home: Home, files: Mapping[str, bytes]) -> dict[str, OfficeRefused]:
    """Write files by their hashes, so that they outlive a power cut; what the disk refuses.

    Several at once: a disk brings many files to safety in little more time than one.
    """
    refused: dict[str, OfficeRefused] = {}
    folders: set[Path] = set()
    with ThreadPoolExecutor(min(_AT_ONCE, max(1, len(files)))) as threads:
        written = {
            sha256: threads.submit(_write, path_of(home, sha256), data)
            for sha256, data in files.items()
        }
        for sha256, one in written.items():
            try:
                with _told():
                    if one.result():
                        folders.update((path_of(home, sha256).parent, home.files))
            except OfficeRefused as error:
                refused[sha256] = error
        with _told():
            deque(threads.map(DISK.sync_folder, sorted(folders)), maxlen=0)
    return refused


def _write(path: Path, data: bytes) -> bool:
    """Whether it had to be written; what is there is of now, and no sweep takes it."""
    try:
        if path.stat().st_size == len(data):
            os.utime(path)
            return False
    except FileNotFoundError:
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    return True


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise refuse(
            "office.disk",
            sentence("The file cannot be kept: {error}.", error=error),
            sentence(
                "Make room on the disk, or mend its permissions; nothing was written to the ledger."
            ),
        ) from error


def enter(sha256: str, size: int, media: str) -> None:
    """Let the ledger know of kept bytes, within an act."""
    if not Blob.objects.filter(sha256=sha256).exists():
        Blob.objects.create(sha256=sha256, size=size, media=media)


def kept(home: Home) -> Iterator[tuple[str, bool]]:
    """The hashes by which files lie in the folder, and whether each is what it was made of."""
    for path in sorted(home.files.glob("*/*")):
        name = f"{path.parent.name}{path.name}"
        if len(name) == hashlib.sha256().digest_size * 2:
            yield name, hashlib.sha256(path.read_bytes()).hexdigest() == name


def load(home: Home, sha256: str) -> bytes:
    """The bytes of a hash, checked; none that a fact has suppressed, be they still there or not."""
    refused: OfficeRefused | None = None
    try:
        data = load_made(home, sha256)
    except OfficeRefused as error:
        refused = error
    # Asked afterwards: whoever has suppressed it meanwhile is heard.
    marked = Blob.objects.filter(sha256=sha256, suppressed_by__isnull=False)
    known = marked.first() if is_any(SUPPRESSED) else None
    if known is not None:
        raise refuse(
            "office.file-suppressed",
            sentence(
                "The file {file}… was deleted when a person was suppressed (fact {fact}).",
                file=sha256[:12],
                fact=known.suppressed_by,
            ),
            sentence("Nobody may see it any more; what it reported stays."),
        )
    if refused is not None:
        raise refused
    return data


def load_made(home: Home, sha256: str) -> bytes:
    """The same of what the office has made itself: persons are numbers in it, and it stays."""
    try:
        data = path_of(home, sha256).read_bytes()
    except OSError as error:
        raise refuse(
            "office.file-missing",
            sentence(
                "The kept file {file}… cannot be read: {error}.",
                file=sha256[:12],
                error=error.strerror or error,
            ),
            "Restore it from a backup; `ratingbook office doctor` says what else is missing.",
        ) from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise refuse(
            "office.file-damaged",
            sentence("The kept file {file}… is not what its hash was made of.", file=sha256[:12]),
            sentence("Restore it from a backup."),
        )
    return data
