"""Keys of an office: files beside its database, for the office's eyes only, and in no backup."""

from __future__ import annotations

import os
import secrets
import threading
from contextlib import suppress
from pathlib import Path

from ratingbook.model.sentences import sentence
from ratingbook.office.refused import refuse

_BYTES = 48


def key_of(folder: Path, what: str) -> str:
    """The key of the ``site``, of its ``webhooks`` …; made once."""
    path = folder / f"{what}.key"
    try:
        if not path.exists():
            # Whole at once: whoever comes at the same time finds all of it, or nothing.
            beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
                file.write(secrets.token_urlsafe(_BYTES) + "\n")
            with suppress(FileExistsError):
                os.link(beside, path)
            beside.unlink()
        return path.read_text("utf-8").strip()
    except OSError as error:
        raise refuse(
            f"office.{what}-key",
            sentence(
                "The key of the {what} cannot be kept in {path}: {error}.",
                what=what,
                path=path,
                error=error,
            ),
            sentence("See that the folder of the office can be written."),
        ) from None
