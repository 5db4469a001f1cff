"""Faults that change nothing which anybody could see: judged by reading, each with its reason."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

from tools.mutants.sites import Mutant

FILE = Path(__file__).with_name("judged.toml")


class Place(NamedTuple):
    """A fault by what stands there, so that it is known again when lines have moved."""

    path: str
    line: str
    before: str
    after: str


def place_of(mutant: Mutant, root: Path) -> Place:
    """Where a fault is, by the text of its line."""
    line = (root / mutant.path).read_text().splitlines()[mutant.line - 1].strip()
    return Place(str(mutant.path), line, mutant.before, mutant.after)


def judgements(path: Path = FILE) -> dict[Place, str]:
    """Why each of the faults in the file changes nothing."""
    told = tomllib.loads(path.read_text())["equivalent"]
    return {
        Place(each["path"], each["line"], each["before"], each["after"]): each["why"]
        for each in told
    }
