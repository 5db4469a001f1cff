"""Keys that survive a new version of a file: of events, sections and games."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import date

from anyascii import anyascii

from ratingbook.office.logic.chain import canonical


def slug(text: str) -> str:
    """A text in small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", anyascii(text).lower()).strip("-")


def event_key(name: str, place: str, start: date | None, end: date | None) -> str:
    """The key of an event: its last day, its name, and a mark of all that is said of it."""
    said = [slug(name), slug(place), start, end]
    mark = hashlib.sha256(canonical(said)).hexdigest()[:8]
    day = end or start
    return "-".join(part for part in (str(day) if day else "", slug(name)[:40], mark) if part)


def event_id(key: str, event: str | None) -> str:
    """The id of an event in a history; ``event`` names one of several in a report."""
    return f"{key}/{event}" if event else key


def game_keys(
    games: Sequence[tuple[str, str, int | None, str, str]],
) -> list[str]:
    """The keys of games: (event, section, round, one entry, the other); repeats are counted.

    Each is the SHA-256 of these as canonical JSON, of which each text is written once.
    """
    seen: dict[str, int] = {}
    quoted = _Quoted()
    keys = []
    for event, section, number, one, other in games:
        first, second = (one, other) if one < other else (other, one)
        said = (
            f"[{quoted[event]},{quoted[section]},{'null' if number is None else number},"
            f"{quoted[first]},{quoted[second]},"
        )
        count = seen[said] = seen.get(said, 0) + 1
        keys.append(hashlib.sha256(f"{said}{count}]".encode()).hexdigest())
    return keys


class _Quoted(dict[str, str]):
    """Texts as JSON writes them, each made once."""

    def __missing__(self, text: str) -> str:
        self[text] = canonical(text).decode()
        return self[text]
