"""What waits at the desk of the office."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Candidate:
    """A person whom an entry may be."""

    person: int
    name: str
    score: float
    reasons: tuple[str, ...]
    birth_years: tuple[int, ...] | None
    """Those of the report and of the office, where they differ."""


@dataclass(frozen=True)
class Waiting:
    """An entry of which nobody knows yet who it is."""

    id: int
    report: int
    version: int
    entry: str
    name: str
    printed: Mapping[str, object]
    why: str
    """Why nobody is certain."""
    is_certain: bool
    candidates: tuple[Candidate, ...]
    method: str
    event: str
    about: Mapping[str, object]
    """What holds today of the candidates."""


@dataclass(frozen=True)
class Standing:
    """A correction, and where it stands."""

    correction: int
    state: str
    until: date | None
    """By when it is to be decided."""
    overdue: bool
    says: tuple[str, ...]
    outlook: tuple[str, ...]
    """What accepting it would not change, and why: of one that is open."""
