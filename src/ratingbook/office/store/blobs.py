"""Files by the SHA-256 of their bytes: written and synced before any fact names them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ratingbook.engine.store import DISK
from ratingbook.office.home import Home
from ratingbook.office.refused import refuse
from ratingbook.office.store.models import Blob


def path_of(home: Home, sha256: str) -> Path:
    """Where the bytes of a hash lie."""
    return home.files / sha256[:2] / sha256[2:]


def keep(home: Home, data: bytes) -> str:
    """Write the bytes, so that they outlive a power cut; gives their hash."""
    sha256 = hashlib.sha256(data).hexdigest()
    with keeping(home) as kept:
        kept(sha256, data)
    return sha256


@contextmanager
def keeping(home: Home) -> Iterator[Callable[[str, bytes], None]]:
    """Keep several files by their hashes; they outlive a power cut once this ends."""
    folders: set[Path] = set()

    def kept(sha256: str, data: bytes) -> None:
        path = path_of(home, sha256)
        if path.exists() and path.stat().st_size == len(data):
            return
        with _told():
            if path.parent not in folders:
                path.parent.mkdir(parents=True, exist_ok=True)
            beside = path.with_name(f"{path.name}.{os.getpid()}.new")
            with beside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        folders.update((path.parent, home.files))

    yield kept
    with _told():
        for folder in sorted(folders):
            DISK.sync_folder(folder)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise refuse(
            "office.disk", f"The file cannot be kept: {error}.",
            "Make room on the disk, or mend its permissions; nothing was written to the ledger.",
        ) from error  # fmt: skip


def enter(sha256: str, size: int, media: str) -> None:
    """Let the ledger know of kept bytes, within an act."""
    if not Blob.objects.filter(sha256=sha256).exists():
        Blob.objects.create(sha256=sha256, size=size, media=media)


def load(home: Home, sha256: str) -> bytes:
    """The bytes of a hash, checked."""
    try:
        data = path_of(home, sha256).read_bytes()
    except OSError as error:
        raise refuse(
            "office.file-missing", f"The kept file {sha256[:12]}… cannot be read: {error}.",
            "Restore it from a backup; `ratingbook office doctor` says what else is missing.",
        ) from error  # fmt: skip
    if hashlib.sha256(data).hexdigest() != sha256:
        raise refuse(
            "office.file-damaged",
            f"The kept file {sha256[:12]}… is not what its hash was made of.",
            "Restore it from a backup.",
        )  # fmt: skip
    return data
