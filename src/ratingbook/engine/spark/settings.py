"""How a history is rated on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

from ratingbook.engine.history.files import LeftBeside
from ratingbook.engine.options import Beside, RunOptions, Said
from ratingbook.model import Findings

Progress = Callable[[int, int], None]
Timed = Callable[[str, float], None]
"""Called with the name of a step and the seconds that it took."""


class OnCluster(RunOptions, total=False):
    """How a history is rated on a cluster, and who is told of it."""

    master: Annotated[str, Said("local[*]")]
    """The address of a Spark master."""
    settings: Mapping[str, str] | None
    """Added to Spark's configuration."""
    compiled: bool | None
    buckets: int | None
    """Tasks in a period; None: as many as run at once."""
    progress: Progress | None
    findings: Findings | None
    """What the files and the plan have to say is added to them as soon as it is known."""
    timed: Timed | None
    left: LeftBeside | None
    """Left with the ratings: what they were made of."""


class FilesOnCluster(OnCluster, Beside, total=False):
    """The same, with what is known besides the games."""


def timed_by(options: OnCluster) -> Timed:
    """Who is told how long each step takes."""
    return options["timed"] or _not_timed


def _not_timed(step: str, seconds: float) -> None:
    """Nobody wants to know."""
