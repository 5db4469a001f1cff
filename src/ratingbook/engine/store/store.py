"""A folder with a current generation, and the names that lead to its tables."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ratingbook.engine.store.disk import DISK, NOT_TO_BE_HAD, Disk, open_file
from ratingbook.engine.store.generation import Damaged, Generation, file_name
from ratingbook.engine.store.hashing import stamp_of_file
from ratingbook.engine.store.making import Making, name_of
from ratingbook.engine.store.manifest import NAME
from ratingbook.model import Portable
from ratingbook.model.patterns import pattern

INSIDE = ".ratingbook"
"""The folder that holds the generations."""
ASIDE = "damaged"
"""What was damaged, put aside within it."""

_CURRENT = "current"
_GENERATION = pattern(r"(\d{6,})-[0-9a-f]{32}\Z")
_MAKING = pattern(r"making-\d+\Z")
_NO_RIGHT = 1314
"""Windows lets not everybody make links."""
_LINK = pattern(r"link-\d+\Z")


class Foreign(Portable):
    """Something that no run has left stands where a run would write; ``path`` is that."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is not of a run")
        self.path = path


class Unfit(Portable):
    """The file system cannot do what a store needs: ``lacks`` says what."""

    def __init__(self, lacks: str) -> None:
        super().__init__(f"the file system cannot {lacks}")
        self.lacks = lacks


class Store:
    """A folder whose tables change together.

    ``shown`` are the tables and texts with a name in the folder itself, ``inner`` those beside
    them; a table may have a number behind its name (``changes-000000001000``), a text has the
    name of its file (``pool.json``).  Only one process may write at a time.
    """

    def __init__(
        self, folder: Path, shown: Sequence[str], inner: Sequence[str] = (), disk: Disk = DISK
    ) -> None:
        self.folder = folder
        self.inside = folder / INSIDE
        self.shown = tuple(shown)
        self._disk = disk
        names = "|".join(map(_pattern, (*shown, *inner)))
        self._own = re.compile(rf"(?:{names}|{NAME})\Z")

    # Reading

    def current(self) -> Generation | None:
        """The current generation; raises :class:`Damaged` where it cannot be told."""
        folder = self._current_folder()
        return None if folder is None else Generation.at(folder)

    def _current_folder(self) -> Path | None:
        """The folder of the current generation by its own name."""
        link = self.inside / _CURRENT
        target = _target(link)
        if target is not None:
            return self.inside / target
        if link.is_dir():
            # Somebody has copied the folder, and got what links lead to.
            return link
        return max(self._generations(), default=None, key=_number)

    def _generations(self) -> Iterator[Path]:
        for path in self._entries():
            if _GENERATION.match(path.name) and path.is_dir() and not path.is_symlink():
                yield path

    def _entries(self) -> list[Path]:
        try:
            return sorted(self.inside.iterdir())
        except FileNotFoundError:
            return []

    # Writing

    def claim(self) -> list[Path]:
        """Make sure that nothing in the way is somebody else's.

        Gives the tables of a copy of the folder, which has files where there were links, that
        are not what was written: they are to be put aside.  Raises :class:`Foreign` for what
        no run has left.
        """
        if _stands(self.inside) and (self.inside.is_symlink() or not self.inside.is_dir()):
            raise Foreign(self.inside)
        link = self.inside / _CURRENT
        if _stands(link) and _target(link) is None and not (link / NAME).is_file():
            raise Foreign(link)
        try:
            now = self.current()
        except Damaged:
            now = None
        is_ours = self._current_folder() is not None
        strays = []
        for table in self.shown:
            path = self.folder / file_name(table)
            if not _stands(path) or self._leads_inside(path):
                continue
            if now is not None and table in now and _is_same(path, now, table):
                continue
            # A text has no mark of its own.
            looks_ours = _is_parquet(path) if "." not in table else now is not None and table in now
            if not (is_ours and looks_ours and path.is_file() and not path.is_symlink()):
                raise Foreign(path)
            strays.append(path)
        return strays

    def _leads_inside(self, path: Path) -> bool:
        return path.is_symlink() and os.readlink(path) == f"{INSIDE}/{_CURRENT}/{path.name}"

    def try_out(self) -> None:
        """See whether a generation could be published here; raises :class:`Unfit`.

        That takes links to folders, a link in the place of another, and another name for a
        folder, each at one stroke.  Of what is tried nothing stays.
        """
        if not self.folder.is_dir() or _target(self.inside / _CURRENT) is not None:
            # It could before.
            return
        is_made = not self.inside.is_dir()
        if is_made:
            self._disk.mkdir(self.inside)
        tried = [self._free("making")]
        self._disk.mkdir(tried[0])
        try:
            self._try_out(tried)
        finally:
            for path in reversed(tried):
                (self._disk.unlink if path.is_symlink() else self._disk.rmdir)(path)
            if is_made:
                self._disk.rmdir(self.inside)

    def _try_out(self, tried: list[Path]) -> None:
        """Try with a folder; ``tried`` is what has to go again."""
        lacks = "make symbolic links"
        try:
            for _ in range(2):
                link = self._free("link")
                self._disk.symlink(tried[0].name, link)
                tried.append(link)
            lacks = "put a link in the place of another"
            self._disk.rename(tried[2], tried[1])
            del tried[2]
            if not tried[1].is_dir():
                raise Unfit(lacks)
            lacks = "give a folder another name"
            named = self._free("making")
            self._disk.rename(tried[0], named)
            tried[0] = named
        except OSError as error:
            if error.errno in NOT_TO_BE_HAD or getattr(error, "winerror", None) == _NO_RIGHT:
                raise Unfit(lacks) from error
            raise

    def outlasts(self) -> bool:
        """Whether names of files are known to outlast a power cut."""
        return self._disk.sync_folder(self.folder)

    def put_aside(self, path: Path) -> Path:
        """Move what is damaged out of the way; a file of a generation stays there, too."""
        aside = self.inside / ASIDE
        for folder in (self.inside, aside):
            if not folder.is_dir():
                self._disk.mkdir(folder)
        inside = path.parent if path.is_relative_to(self.inside) else None
        to = aside / (path.name if inside is None else f"{inside.name}-{path.name}")
        number = 1
        while _stands(to):
            if inside is not None:
                # It was met before, and no run has come to its end since.
                return to
            number += 1
            to = aside / f"{path.name}-{number}"
        if inside is None:
            self._disk.rename(path, to)
            return to
        try:
            self._disk.link(path, to)
        except OSError:
            return path
        return to

    def begin(self) -> Making:
        """Begin a generation."""
        if not self.inside.is_dir():
            self._disk.mkdir(self.inside)
            self._disk.sync_folder(self.folder)
        folder = self._free("making")
        self._disk.mkdir(folder)
        return Making(self._disk, folder)

    def publish(self, made: Making, said: Mapping[str, Any]) -> Generation:
        """Let a generation become the current one, at once and for good."""
        manifest = made.seal(said)
        number = 1 + max((_number(path) for path in self._generations()), default=0)
        folder = self.inside / name_of(manifest, number)
        self._disk.rename(made.folder, folder)
        self._disk.sync_folder(self.inside)
        for table in self.shown:
            path = self.folder / file_name(table)
            if file_name(table) in manifest.files and not self._leads_inside(path):
                self._lead(f"{INSIDE}/{_CURRENT}/{path.name}", path)
        self._disk.sync_folder(self.folder)
        self._lead(folder.name, self.inside / _CURRENT)
        self._disk.sync_folder(self.inside)
        self.clean()
        made_now = Generation(folder, manifest)
        return replace(made_now, _sound=set(made_now.names))

    def _lead(self, target: str, path: Path) -> None:
        """Let a name lead there, whatever it led to before."""
        if path.is_dir() and not path.is_symlink():
            # In a copy of the folder the link has become what it led to.
            self._disk.rename(path, self._free("making"))
        link = self._free("link")
        self._disk.symlink(target, link)
        self._disk.rename(link, path)

    def _free(self, kind: str) -> Path:
        """A name in the folder inside that nothing has."""
        taken = {path.name for path in self._entries()}
        return self.inside / next(
            name for number in range(len(taken) + 1) if (name := f"{kind}-{number}") not in taken
        )

    def clean(self) -> None:
        """Take away what earlier runs have left and nobody needs; all else stays."""
        now = self._current_folder()
        for path in self._entries():
            is_old = _GENERATION.match(path.name) and now is not None and path != now
            if _LINK.match(path.name) and path.is_symlink():
                self._disk.unlink(path)
            elif (is_old or _MAKING.match(path.name)) and path.is_dir() and not path.is_symlink():
                self._remove(path)
        for table in self.shown:
            path = self.folder / file_name(table)
            if self._leads_inside(path) and not path.exists():
                self._disk.unlink(path)

    def _remove(self, folder: Path) -> None:
        """Remove the files that a run writes, and the folder if nothing else is in it."""
        entries = list(folder.iterdir())
        own = [path for path in entries if self._own.match(path.name) and not path.is_dir()]
        # The manifest goes last: a generation without it would pass for a damaged one.
        for path in sorted(own, key=lambda path: path.name == NAME):
            self._disk.unlink(path)
        if len(own) == len(entries):
            self._disk.rmdir(folder)


def _pattern(name: str) -> str:
    """The files of a table, or of a text."""
    return re.escape(name) if "." in name else rf"{re.escape(name)}(?:-\d+)?\.parquet"


def _number(folder: Path) -> int:
    found = _GENERATION.match(folder.name)
    return int(found[1]) if found else 0


def _target(link: Path) -> str | None:
    """The generation to which a link leads; None: it is no such link."""
    if not link.is_symlink():
        return None
    target = os.readlink(link)
    return target if _GENERATION.match(target) else None


def _stands(path: Path) -> bool:
    """Whether there is anything of that name, be it a link that leads nowhere."""
    return os.path.lexists(path)


def _is_same(path: Path, generation: Generation, table: str) -> bool:
    """Whether a plain file is the table of the generation."""
    if not path.is_file():
        return False
    try:
        return stamp_of_file(path) == generation.manifest.files[file_name(table)]
    except OSError:
        return False


def _is_parquet(path: Path) -> bool:
    """Whether one of the two marks of Parquet is there, as in a file that is damaged only."""
    mark = b"PAR1"
    try:
        with open_file(path) as file:
            if file.read(len(mark)) == mark:
                return True
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - len(mark)))
            return file.read() == mark
    except OSError:
        return False
