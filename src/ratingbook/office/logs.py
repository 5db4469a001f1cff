"""Structured logs: a JSON object in a line for each command and each job.

``RATINGBOOK_LOG`` names a file, or ``-`` for standard error; without it nothing is logged.  A line
holds no names of players and nothing private.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

VARIABLE = "RATINGBOOK_LOG"


def log(what: str, **said: object) -> None:
    """Write a line; a log that cannot be written keeps nobody from working."""
    target = os.environ.get(VARIABLE)
    if not target:
        return
    line = {"at": datetime.now(UTC).isoformat(timespec="milliseconds"), "what": what, **said}
    text = json.dumps(line, ensure_ascii=False, default=str) + "\n"
    if target == "-":
        sys.stderr.write(text)
        return
    try:
        # One write to the end of the file: lines of several processes do not mix.
        with Path(target).open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        sys.stderr.write(f"ratingbook: the log {target} cannot be written: {error}\n")
