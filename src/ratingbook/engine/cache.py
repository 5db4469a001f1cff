"""The user's cache: what is made once and kept there, sealed as compiled code is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ratingbook.engine.sealed import files_of, is_sealed, own_folder, put_sealed, why_not_kept


def cache_folder() -> Path:
    """Where a user's compiled code is kept: below RATINGBOOK_CACHE, else in the cache folder."""
    own = f"user-{os.getuid()}" if hasattr(os, "getuid") else "user"
    named = os.environ.get("RATINGBOOK_CACHE")
    if named:
        return Path(named) / own
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "ratingbook" / "compiled" / own


def kept(name: str) -> dict[str, bytes]:
    """The files that were kept under a name; none where nothing is kept, or not by this user."""
    folder = cache_folder() / name
    with suppress(OSError):
        if not why_not_kept(folder) and is_sealed(folder):
            return files_of(folder)
    return {}


def keep(name: str, files: Mapping[str, bytes]) -> None:
    """Keep files under a name, where the cache can be written to."""
    folder = cache_folder() / name
    with suppress(OSError):
        if not why_not_kept(folder) and own_folder(folder.parent) and own_folder(folder):
            put_sealed(folder, files)
