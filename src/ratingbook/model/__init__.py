"""The nouns of the field: report, event, section, entry, game, standing, finding.

This layer knows no rule and no file format.  Everything here is a frozen
dataclass or an enumeration; nothing is computed beyond what a noun says of
itself.
"""

from ratingbook.model.findings import Finding, Findings, Place, Severity
from ratingbook.model.report import (
    MOST_STONES,
    YEARS,
    Colour,
    Entry,
    Event,
    EventHead,
    FrozenSide,
    Game,
    GameStatus,
    Report,
    Result,
    Section,
    SectionHead,
    Standing,
    StandingStatus,
    attribute_of,
    can_be,
)
from ratingbook.model.wrong import BadArgument, Portable, Refused

__all__ = [
    "MOST_STONES",
    "YEARS",
    "BadArgument",
    "Colour",
    "Entry",
    "Event",
    "EventHead",
    "Finding",
    "Findings",
    "FrozenSide",
    "Game",
    "GameStatus",
    "Place",
    "Portable",
    "Refused",
    "Report",
    "Result",
    "Section",
    "SectionHead",
    "Severity",
    "Standing",
    "StandingStatus",
    "attribute_of",
    "can_be",
]
