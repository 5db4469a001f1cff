"""What a run leaves in its folder, by name; a table has no ending, a text has its own."""

from __future__ import annotations

import os
from pathlib import Path

PREVIEW = "preview"
"""What corrections would change."""
POOL = "pool.json"
"""What the ratings were made of: rule book, settings, facts."""
REGISTER = "corrections.csv"
"""The register of corrections."""
SHOWN = ("ratings", "changes", "batches", PREVIEW, POOL, REGISTER)
"""What has a name in the folder itself."""

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
