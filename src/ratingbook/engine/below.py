"""What a folder of games holds: the files to read, and all else in it that might be meant."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ratingbook.engine.left import first_of, is_hidden, is_in, left_below, tell_left
from ratingbook.model import Findings, Place, Severity

Reads = Callable[[Path], bool]
"""Whether a file is read, by its name."""
_OF_A_SYSTEM = ("._", "__MACOSX")
"""How names begin that a system puts beside files, or into archives of them."""


class Below(NamedTuple):
    """The files and folders below a folder, those with hidden names aside."""

    read: list[Path]
    others: list[Path]
    """By the endings of their names nothing that is read."""
    hidden: list[Path]
    """By the beginnings of their names nothing that is read; else they would be."""
    linked: list[Path]
    """Folders that are links to others."""
    left: list[Path]
    """What runs and offices have left there."""
    unread: list[OSError]


def below(folder: Path, reads: Reads) -> Below:
    """Look through a folder; markers and hidden files (``_SUCCESS``, ``.crc``) are no rows."""
    left = left_below(folder)
    found = Below([], [], [], [], left, [])
    for here, folders, names in os.walk(folder, onerror=found.unread.append):
        at = Path(here)
        folders[:] = [
            name for name in folders if not is_hidden(name) and not is_in(at / name, left)
        ]
        found.linked.extend(at / name for name in folders if (at / name).is_symlink())
        for path in (at / name for name in names):
            if is_in(path, left):
                continue
            if not is_hidden(path.name):
                (found.read if reads(path) else found.others).append(path)
            elif path.suffix and reads(path) and not path.name.startswith(_OF_A_SYSTEM):
                found.hidden.append(path)
    for paths in (found.read, found.others, found.hidden, found.linked):
        paths.sort()
    return found


def tell_below(found: Below, folder: Path, remedy: str, findings: Findings) -> None:
    """Tell of all that is not read; ``remedy`` says of which files there are some."""
    tell_left(found.left, folder, findings)
    for path in found.linked:
        findings.add(
            Severity.ERROR,
            "history.linked-folder",
            "The folder is a link to another one, into which nobody has looked.",
            Place(file=str(path)),
            "Name the folder that it leads to among the games, or take the link out.",
        )
    for paths, why in ((found.others, "endings"), (found.hidden, "beginnings")):
        if paths and found.read:
            findings.add(
                Severity.WARNING,
                "history.not-read",
                f"Not read, by the {why} of their names: {first_of(paths, folder)}.",
                Place(file=str(folder)),
                remedy if why == "endings" else "Give a file that holds games another name.",
            )
