"""What a run leaves in its folder, by name; a table has no ending, a text has its own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ratingbook.model import Findings, Place, Severity

PREVIEW = "preview"
"""What corrections would change."""
POOL = "pool.json"
"""What the ratings were made of: rule book, settings, facts."""
REGISTER = "corrections.csv"
"""The register of corrections."""
SHOWN = ("ratings", "changes", "batches", PREVIEW, POOL, REGISTER)
"""What has a name in the folder itself."""
DIFFERENCES = "differences"
"""What an office adds to ratings by itself, where it exports the games of a run."""
_RESULTS = {"ratings", "changes", "batches", PREVIEW, DIFFERENCES}
_SHOWN = 3

PERSONS = "persons.json"
FACTS = ("facts-games", "facts-players", "facts-events", "facts-entries", PERSONS)
"""What was read, where the folder keeps it, and who the players are."""
CHECKPOINT = ("standings", "kept", "signatures")
"""Where a run goes on from."""
ARCHIVE = ("segment", "timetable", "events", "event_ids", "described", "months", "decided")
"""What explanations rest on, beside numbered tables of the checkpoint."""


def is_pool(path: Path) -> bool:
    """Whether a path is a folder of a history, or the ratings in it."""
    # Also where the name leads nowhere, as it does when a file is lost.
    return os.path.lexists(folder_of(path) / POOL)


def folder_of(path: Path) -> Path:
    """The folder of a history that is named by its ratings."""
    return path.parent if path.name == "ratings.parquet" else path


def left_below(folder: Path) -> list[Path]:
    """What runs and offices left below a folder of games: folders of histories, and results.

    Whoever names the folder again next month means the games in it.
    """
    pools = [at.parent for at in sorted(folder.rglob(POOL)) if at.parent != folder]
    shown = [
        at for at in pools if not any(is_hidden(part) for part in at.relative_to(folder).parts)
    ]
    tables = [
        at
        for at in sorted(folder.rglob("*.parquet"))
        if at.stem in _RESULTS and not set(pools) & set(at.parents) and not _holds_games(at)
    ]
    return [*shown, *tables]


def tell_left(left: Sequence[Path], folder: Path, findings: Findings) -> None:
    """Say once what of a folder is no input."""
    if not left:
        return
    findings.add(
        Severity.INFO, "history.results-aside",
        f"Left aside, for they hold results and no games: {first_of(left, folder)}.",
        Place(file=str(folder)),
        "Nothing to do; name the folder of a history alone to ask it or to correct it.",
    )  # fmt: skip


def first_of(paths: Sequence[Path], folder: Path) -> str:
    """The first of some paths below a folder, and how many more there are."""
    first = ", ".join(str(path.relative_to(folder)) for path in paths[:_SHOWN])
    return first + (f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else "")


def is_in(path: Path, left: Sequence[Path]) -> bool:
    """Whether a path is one of those, or lies in one."""
    return any(one == path or one in path.parents for one in left)


def is_hidden(name: str) -> bool:
    """Whether a name is that of a marker or a hidden file, as ``_SUCCESS`` and ``.crc``."""
    return name.startswith((".", "_"))


def _holds_games(path: Path) -> bool:
    """Whether a table that is called like one of results has the players of a game."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from ratingbook.formats.columnar import open_columns

    try:
        return {"white", "black"} <= set(pq.read_schema(open_columns(path)).names)
    except (OSError, pa.ArrowException):
        return False
