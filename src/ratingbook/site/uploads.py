"""Files that came with a request, written into a folder for those who read reports."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from django.utils.translation import gettext

from ratingbook.formats import is_report_by_place
from ratingbook.office.refused import refuse

MOST_BYTES = 12 * 2**20
"""Of the files of one report."""


_ENDINGS = {
    b"%PDF-": ".pdf", b"\xff\xd8\xff": ".jpg", b"\x89PNG\r\n": ".png", b"GIF8": ".gif",
    b"II*\0": ".tif", b"MM\0*": ".tif", b"PK\x03\x04": ".zip",
}  # fmt: skip
"""How files begin that show a game, and how their names end."""


def ending_of(data: bytes) -> str:
    """How the name of a file ends that shows something; of text ``.txt``, where it is any."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return ".webp"
    if data[4:12] in (b"ftypheic", b"ftypmif1"):
        return ".heic"
    known = next((end for begin, end in _ENDINGS.items() if data.startswith(begin)), None)
    if known is not None:
        return known
    try:
        data.decode()
    except UnicodeDecodeError:
        return ".bin"
    return ".bin" if b"\0" in data else ".txt"


def of_a_report() -> str:
    """What fits where a report is sent."""
    return gettext("Send the report of one event; leave out pictures and whole databases.")


def of_a_game() -> str:
    """What fits where a file shows how a game ended."""
    return gettext("Send one picture, or a scan of the score sheet alone, in a smaller size.")


def of_a_list() -> str:
    """What fits where a list of players is sent."""
    return gettext("Bring longer lists in by the command line: ratingbook office import.")


@contextmanager
def written(files: Sequence[Any], fits: Callable[[], str]) -> Iterator[Path]:
    """One file as it is, several as a folder; ``fits`` says what does, where they are too large."""
    if not files:
        raise refuse(
            "site.no-file", gettext("No file was chosen."), gettext("Choose the file."),
        )  # fmt: skip
    if sum(each.size or 0 for each in files) > MOST_BYTES:
        raise refuse(
            "site.too-large",
            gettext("The files have more than {n} MB.").format(n=MOST_BYTES // 2**20),
            fits(),
        )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        if len(files) == 1:
            path = Path(folder) / _name(files[0])
            path.write_bytes(files[0].read())
        else:
            path = Path(folder) / "folder"
            path.mkdir()
            for each in files:
                _refuse_there(path / _name(each))
                (path / _name(each)).write_bytes(each.read())
        yield path


def _refuse_there(path: Path) -> None:
    """Refuse a file where one of its name is already: it would take its place."""
    if path.exists():
        raise refuse(
            "site.same-name",
            gettext("Two of the files are called {name}.").format(name=path.name),
            gettext("Give one of them another name."),
        )  # fmt: skip


@contextmanager
def reported(files: Sequence[Any]) -> Iterator[Path]:
    """The files of a report: several have to be one together, as those of US Chess 2C are."""
    with written(files, of_a_report) as path:
        if path.is_dir() and not is_report_by_place(path):
            raise refuse(
                "site.not-together",
                gettext("These {n} files are no report together.").format(n=len(files)),
                gettext(
                    "Send each report by itself. Only THEXPORT.DBF, TSEXPORT.DBF and TDEXPORT.DBF "
                    "(US Chess 2C) are one report together."
                ),
            )
        yield path


@contextmanager
def showing(files: Sequence[Any]) -> Iterator[tuple[Path, ...]]:
    """The files that show that something is right, if any came; several are kept together."""
    if not files:
        yield ()
        return
    with written(files, of_a_game) as path:
        yield (path,)


def _name(file: Any) -> str:
    """The last part of a file's name; nothing of it leads out of a folder.

    Browsers write a quotation mark in it as ``%22``, and nothing else so.
    """
    said = str(file.name or "").replace("%22", '"').replace("\\", "/").replace("\0", "")
    name = PurePosixPath(said).name[:120]
    return name if name.strip(".") else "report"
