"""Disks that stop, tear, forget and fill up: what the store's operations may meet.

``KilledDisk`` ends the process before an operation, or in the middle of a write.
``SeenDisk`` stops nowhere, but shows what each stop would leave: what there is, and, as it
knows what has been synced, folders as they may be after a power cut, where what was not synced
is lost, torn or there, in any order.
``FullDisk`` refuses to write from some operation on.
"""
# ruff: noqa: D102 -- what an operation does stands at Disk

from __future__ import annotations

import errno
import hashlib
import os
import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from ratingbook.engine.store import Disk

_BLOCK = 4096


class Killed(BaseException):
    """The process ends here; nobody catches it."""


class KilledDisk(Disk):
    """Ends before operation ``at``; a write is done by half first."""

    def __init__(self, at: int | None = None) -> None:
        self.at = at
        self.done = 0
        self.is_dead = False
        self.committed: list[str] = []
        """The generations that became current, one after the other."""
        self._lock = threading.Lock()

    def _step(self) -> bool:
        """Count an operation, of any thread; whether it is the last one."""
        with self._lock:
            if self.is_dead:
                raise Killed
            is_last = self.done == self.at
            self.is_dead = is_last
            self.done += 1
            return is_last

    def _go(self) -> None:
        if self._step():
            raise Killed

    def create(self, path: Path) -> BinaryIO:
        self._go()
        return super().create(path)

    def write(self, file: BinaryIO, data: bytes | memoryview) -> None:
        view = memoryview(data).cast("B")
        if self._step():
            super().write(file, view[: len(view) // 2])
            raise Killed
        super().write(file, view)

    def sync(self, file: BinaryIO) -> None:
        self._go()

    def sync_folder(self, path: Path) -> bool:
        self._go()
        return True

    def mkdir(self, path: Path) -> None:
        self._go()
        super().mkdir(path)

    def rename(self, path: Path, to: Path) -> None:
        self._go()
        if to.name == "current":
            self.committed.append(os.readlink(path))
        super().rename(path, to)

    def link(self, path: Path, to: Path) -> None:
        self._go()
        super().link(path, to)

    def symlink(self, target: str, path: Path) -> None:
        self._go()
        super().symlink(target, path)

    def unlink(self, path: Path) -> None:
        self._go()
        super().unlink(path)

    def rmdir(self, path: Path) -> None:
        self._go()
        super().rmdir(path)


@dataclass(frozen=True)
class Contents:
    """A folder with all that is in it: bytes of files, targets of links, None for a folder."""

    entries: tuple[tuple[str, bytes | str | None], ...]
    """By path, a folder before what is in it."""

    def digest(self) -> bytes:
        """The same for folders that nobody can tell apart."""
        found = hashlib.blake2b()
        for path, what in self.entries:
            data = what.encode() if isinstance(what, str) else what or b""
            found.update(f"{path}\0{type(what).__name__}\0{len(data)}\0".encode() + data)
        return found.digest()

    def put(self, folder: Path) -> None:
        """Make the folder."""
        folder.mkdir()
        for name, what in self.entries:
            path = folder / name
            if what is None:
                path.mkdir()
            elif isinstance(what, str):
                path.symlink_to(what)
            else:
                path.write_bytes(what)

    @classmethod
    def of(cls, folder: Path) -> Contents:
        """What there is."""
        return _now(_loaded(folder))


@dataclass(eq=False)
class _File:
    lasting: bytes
    """What was synced."""
    now: bytearray


@dataclass(eq=False)
class _Link:
    target: str


@dataclass(eq=False)
class _Folder:
    lasting: dict[str, Any]
    now: dict[str, Any]
    changes: list[dict[str, Any]] = field(default_factory=list)
    """What was changed since it was synced: names, and what they are of (None: nothing)."""

    def change(self, **names: Any) -> None:
        """Change names."""
        self._set(self.now, names)
        self.changes.append(names)

    @staticmethod
    def _set(entries: dict[str, Any], names: dict[str, Any]) -> None:
        for name, node in names.items():
            if node is None:
                entries.pop(name, None)
            else:
                entries[name] = node


class SeenDisk(KilledDisk):
    """Stops nowhere, but calls ``look`` with the number of each operation where it would.

    In the middle of a write, and before any other operation.  It knows what a power cut leaves
    of the folder ``root``.
    """

    def __init__(self, root: Path, look: Callable[[int], object] = lambda number: None) -> None:
        super().__init__()
        self._root = root
        self._look = look
        self._tree = _loaded(root)
        self.lasting_commits = 0
        """How many of the generations that became current have to be there after a cut."""

    def _go(self) -> None:
        self._look(self.done)
        super()._go()

    def now(self) -> Contents:
        """The folder as it is."""
        return _now(self._tree)

    def after_a_cut(self, chance: random.Random) -> Contents:
        """The folder as a power cut may leave it."""
        return Contents(tuple(_after(self._tree, "", chance, {})))

    def _folder(self, path: Path) -> _Folder:
        found: _Folder = self._tree
        for part in path.relative_to(self._root).parts:
            found = found.now[part]
        return found

    def _node(self, path: Path) -> Any:
        return self._folder(path.parent).now[path.name]

    def create(self, path: Path) -> BinaryIO:
        file = super().create(path)
        self._folder(path.parent).change(**{path.name: _File(b"", bytearray())})
        return file

    def write(self, file: BinaryIO, data: bytes | memoryview) -> None:
        view = memoryview(data).cast("B")
        half = len(view) // 2
        self._write(file, view[:half])
        self._go()
        self._write(file, view[half:])

    def _write(self, file: BinaryIO, data: memoryview) -> None:
        Disk.write(self, file, data)
        self._node(Path(file.name)).now += data

    def sync(self, file: BinaryIO) -> None:
        super().sync(file)
        node = self._node(Path(file.name))
        node.lasting = bytes(node.now)

    def sync_folder(self, path: Path) -> bool:
        super().sync_folder(path)
        folder = self._folder(path)
        folder.lasting, folder.changes = dict(folder.now), []
        self.lasting_commits = len(self.committed)
        return True

    def mkdir(self, path: Path) -> None:
        super().mkdir(path)
        self._folder(path.parent).change(**{path.name: _Folder({}, {})})

    def rename(self, path: Path, to: Path) -> None:
        super().rename(path, to)
        node = self._node(path)
        if path.parent == to.parent:
            self._folder(path.parent).change(**{path.name: None, to.name: node})
        else:
            self._folder(path.parent).change(**{path.name: None})
            self._folder(to.parent).change(**{to.name: node})

    def link(self, path: Path, to: Path) -> None:
        super().link(path, to)
        self._folder(to.parent).change(**{to.name: self._node(path)})

    def symlink(self, target: str, path: Path) -> None:
        super().symlink(target, path)
        self._folder(path.parent).change(**{path.name: _Link(target)})

    def unlink(self, path: Path) -> None:
        super().unlink(path)
        self._folder(path.parent).change(**{path.name: None})

    def rmdir(self, path: Path) -> None:
        super().rmdir(path)
        self._folder(path.parent).change(**{path.name: None})


def _loaded(path: Path) -> Any:
    """What there is, all of it synced; names of one file stay names of one file."""
    known: dict[int, Any] = {}

    def load(path: Path) -> Any:
        if path.is_symlink():
            return _Link(os.readlink(path))
        if path.is_dir():
            entries = {each.name: load(each) for each in path.iterdir()}
            return _Folder(dict(entries), entries)
        number = path.stat().st_ino
        if number not in known:
            data = path.read_bytes()
            known[number] = _File(data, bytearray(data))
        return known[number]

    return load(path)


def _now(tree: _Folder) -> Contents:
    def entries(folder: _Folder, under: str) -> Iterator[tuple[str, bytes | str | None]]:
        for name, node in sorted(folder.now.items()):
            path = under + name
            if isinstance(node, _Folder):
                yield path, None
                yield from entries(node, f"{path}/")
            else:
                yield path, node.target if isinstance(node, _Link) else bytes(node.now)

    return Contents(tuple(entries(tree, "")))


def _after(
    folder: _Folder, under: str, chance: random.Random, contents: dict[int, bytes]
) -> Iterator[tuple[str, bytes | str | None]]:
    for name, node in sorted(_names_after(folder, chance).items()):
        path = under + name
        if isinstance(node, _Link):
            yield path, node.target
        elif isinstance(node, _File):
            if id(node) not in contents:
                contents[id(node)] = _torn(node, chance)
            yield path, contents[id(node)]
        else:
            yield path, None
            yield from _after(node, f"{path}/", chance, contents)


def _names_after(folder: _Folder, chance: random.Random) -> dict[str, Any]:
    entries = dict(folder.lasting)
    how = chance.choice(["none", "all", "first", "some"])
    until = chance.randint(0, len(folder.changes))
    for number, change in enumerate(folder.changes):
        is_there = {
            "none": False,
            "all": True,
            "first": number < until,
            "some": chance.random() < 0.5,
        }[how]
        if is_there:
            _Folder._set(entries, change)
    return entries


def _torn(node: _File, chance: random.Random) -> bytes:
    """A file of which not all may have come to the disk, and not in the order of its writing."""
    now = bytes(node.now)
    if now == node.lasting:
        return now
    how = chance.choice(["lost", "there", "short", "zeros", "holes"])
    if how == "lost":
        return node.lasting
    if how == "short":
        return now[: chance.randint(0, len(now))]
    if how == "zeros":
        return bytes(len(now))
    if how == "holes":
        return b"".join(each if chance.random() < 0.5 else bytes(len(each)) for each in _cut(now))
    return now


def _cut(data: bytes) -> list[bytes]:
    return [data[at : at + _BLOCK] for at in range(0, len(data), _BLOCK)]


class FullDisk(KilledDisk):
    """Has no room from operation ``at`` on, for anything that needs some."""

    def __init__(self, at: int | None = None) -> None:
        super().__init__(at)
        self.needs_room: list[int] = []
        """The operations that need some."""

    def _step(self) -> bool:
        with self._lock:
            is_last = self.at is not None and self.done >= self.at
            self.done += 1
            return is_last

    def _go(self) -> None:
        with self._lock:
            self.done += 1

    def _full(self) -> None:
        self.needs_room.append(self.done)
        if self._step():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def create(self, path: Path) -> BinaryIO:
        self._full()
        return Disk.create(self, path)

    def write(self, file: BinaryIO, data: bytes | memoryview) -> None:
        view = memoryview(data).cast("B")
        self.needs_room.append(self.done)
        if self._step():
            Disk.write(self, file, view[: len(view) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        Disk.write(self, file, view)

    def mkdir(self, path: Path) -> None:
        self._full()
        Disk.mkdir(self, path)

    def link(self, path: Path, to: Path) -> None:
        self._full()
        Disk.link(self, path, to)

    def symlink(self, target: str, path: Path) -> None:
        self._full()
        Disk.symlink(self, target, path)
