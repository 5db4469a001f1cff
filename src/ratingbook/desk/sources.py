"""The files of a history: those that are named, and those in folders and archives."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from ratingbook.engine.below import below, tell_below
from ratingbook.engine.history.intake.game_files import is_of_site, is_pgn
from ratingbook.engine.history.intake.sources import add_unreadable
from ratingbook.formats import read
from ratingbook.formats.files import is_pipe
from ratingbook.formats.lists.files import members
from ratingbook.formats.pgn.stream import has_too_many_games
from ratingbook.model import Findings, Place, Severity

_MOST_FILES = 20_000
_MOST_BYTES = 1 << 30
_COLUMNS = {"date", "white", "black", "score"}
"""What a table of games has that is made for histories."""
_COLUMNAR = {".parquet", ".pq", ".arrow", ".arrows", ".feather", ".ipc"}
_NO_REPORTS = {".md", ".pdf", ".png", ".jpg", ".jpeg", ".html", ".doc", ".docx", ".log"}

_OF_REPORTS = "Documents, pictures and logs are no reports; give a file that is one another ending."


@contextmanager
def opened_files(paths: Sequence[Path]) -> Iterator[tuple[list[tuple[Path, str]], Findings]]:
    """The files to read, each with what people call it; archives are unpacked meanwhile."""
    findings = Findings()
    found: list[tuple[Path, str]] = []
    with tempfile.TemporaryDirectory(prefix="ratingbook-") as folder:
        for number, path in enumerate(paths):
            found += _of(path, str(path), Path(folder) / str(number), findings)
        seen: dict[Path, str] = {}
        for file, name in found:
            if file.resolve() in seen:
                findings.add(
                    Severity.FATAL, "history.same-file", "The file is given more than once.",
                    Place(file=name), "Name it once; a folder holds all files below it.",
                )  # fmt: skip
            seen[file.resolve()] = name
        yield found, findings


def is_columns(path: Path, columns: Mapping[str, str] | None = None) -> bool:
    """Whether a file, or all of a folder, is a table of games as histories have always taken.

    So are the games of sites for playing, and PGN of more games than an event has.
    ``columns`` says which header a field has.
    """
    if path.is_dir():
        files = below(path, _may_be_games).read
        return bool(files) and all(is_columns(file, columns) for file in files)
    if path.suffix.lower() in _COLUMNAR:
        return True
    if is_pipe(path):
        return False
    try:
        with path.open("rb") as file:
            start = file.read(4096)
    except (OSError, ValueError):
        return False
    if start[:4] in (b"PAR1", b"ARRO", b"\xff\xff\xff\xff") or is_of_site(start):
        return True
    if is_pgn(start):
        return has_too_many_games(path)
    first = start.decode("utf-8-sig", "replace").lstrip("\n").partition("\n")[0].rstrip("\r")
    delimiter = max(",;\t", key=first.count)
    said = {header: field for field, header in (columns or {}).items()}
    names = (name.strip().strip('"') for name in first.split(delimiter))
    return {said.get(name, name) for name in names} >= _COLUMNS


def _may_be_games(file: Path) -> bool:
    return file.suffix.lower() not in _NO_REPORTS


def _of(path: Path, name: str, room: Path, findings: Findings) -> list[tuple[Path, str]]:
    if path.is_dir():
        if read(path).report is not None:
            return [(path, name)]
        found = below(path, _may_be_games)
        for error in found.unread:
            add_unreadable(str(error.filename), error, findings)
        tell_below(found, path, _OF_REPORTS, findings)
        if not found.read:
            findings.add(
                Severity.FATAL, "history.empty", "The folder holds no file of games.",
                Place(file=name), "Name a folder with reports, or with tables of games.",
            )  # fmt: skip
        return [
            one
            for number, file in enumerate(found.read)
            for one in _of(file, str(Path(name) / file.relative_to(path)), room / str(number),
                           findings)
        ]  # fmt: skip
    if is_pipe(path):
        tell_pipe(name, findings)
        return []
    inside_archive = members(path) if path.is_file() else []
    if inside_archive and not {"[Content_Types].xml", "mimetype"} & set(inside_archive):
        unpacked = _unpacked(path, name, room, findings)
        return [] if unpacked is None else _of(unpacked, name, room / "more", findings)
    return [(path, name)]


def tell_pipe(name: str, findings: Findings) -> None:
    """Refuse what cannot be looked at before it is read."""
    findings.add(
        Severity.FATAL, "history.format",
        "It is no file: a pipe or a device, which can be read only once.",
        Place(file=name), "Write it into a file first.",
    )  # fmt: skip


def _unpacked(path: Path, name: str, room: Path, findings: Findings) -> Path | None:
    """An archive as a folder; None where it cannot be unpacked."""
    what = ""
    folder = room / "unpacked"
    folder.mkdir(parents=True)
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            if len(infos) > _MOST_FILES or sum(info.file_size for info in infos) > _MOST_BYTES:
                what = "it holds too much"
            for number, info in enumerate([] if what else infos):
                parts = PurePosixPath(info.filename.replace("\\", "/")).parts
                if info.flag_bits & 1:
                    what = "it is encrypted"
                    break
                safe = [part for part in parts if part not in ("..", "/", ".") and ":" not in part]
                target = folder.joinpath(*(safe or [str(number)]))
                if target.exists():
                    what = f"two of its files are called {'/'.join(safe) or number}"
                    break
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(info) as source, target.open("wb") as out:
                    shutil.copyfileobj(source, out)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        what = f"it is damaged ({error})"
    if what:
        findings.add(
            Severity.FATAL, "history.archive", f"The archive cannot be unpacked: {what}.",
            Place(file=name), "Unpack it and name the folder.",
        )  # fmt: skip
        return None
    return folder
