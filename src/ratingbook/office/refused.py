"""An act that the office refuses, with findings that say why and what to do."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from ratingbook.formats.tools.full import NO_ROOM
from ratingbook.formats.tools.nearby import not_there
from ratingbook.model import Finding, Findings, Place, Portable, Severity
from ratingbook.model.sentences import sentence

T = TypeVar("T")


class OfficeRefused(Portable):
    """Nothing was written; ``findings`` say why."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = Findings(findings)
        super().__init__("; ".join(each.message for each in self.findings))


class AllAtOnce:
    """Several acts of one form: all that is wrong is told at once, not one fault after another."""

    def __init__(self) -> None:
        self._found = Findings()

    def tried(self, act: Callable[[], T]) -> T | None:
        """What an act gives; None where it is refused."""
        try:
            return act()
        except OfficeRefused as refused:
            self._found.extend(refused.findings)
            return None

    def refuse(self) -> None:
        """Raise :class:`OfficeRefused` if any of the acts was refused."""
        if self._found:
            raise OfficeRefused(self._found)


def not_installed(
    error: ImportError, message: str = "The office is not installed"
) -> OfficeRefused:
    """The refusal where a library is missing."""
    return refuse(
        "office.not-installed", f"{message}: {error}.",
        'Install it: pip install "ratingbook[office]".',
    )  # fmt: skip


_MAY_NOT = frozenset((errno.EACCES, errno.EPERM, errno.EROFS))


def not_written(out: Path, error: OSError) -> OfficeRefused:
    """The refusal where a file or folder that somebody named cannot be written.

    It goes by the name that was given: what is written first, to take its place, nobody named.
    """
    if error.errno == errno.ENOENT and (missing := not_there(out.parent)):
        # Named as a file in that folder, so that the sentence is about the folder.
        missing = not_there(out) or missing
        return refuse(
            "office.out",
            sentence("{out} cannot be written. {why}", out=out, why=missing),
            sentence("Make the folder, or name another."),
        )
    if error.errno in NO_ROOM:
        remedy = sentence("Make room on the disk, or name a place on another one.")
    elif error.errno in _MAY_NOT:
        remedy = sentence("Name a place where you may write, or have its permissions mended.")
    else:
        remedy = sentence("Name another place.")
    return refuse(
        "office.out",
        sentence("{out} cannot be written: {error}.", out=out, error=error.strerror or error),
        remedy,
    )


def refuse(code: str, message: str, remedy: str, place: Place | None = None) -> OfficeRefused:
    """The refusal with one finding."""
    return OfficeRefused([Finding(code, Severity.ERROR, message, place or Place(), remedy)])
