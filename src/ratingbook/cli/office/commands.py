"""The commands of the office; each module gives its own to ``office``."""

from ratingbook.cli.office import (
    accounts,
    correcting,
    exchanging,
    hooks,
    planning,
    publishing,
    registry,
    running,
    serving,
)
from ratingbook.cli.office.app import office

__all__ = [
    "accounts", "correcting", "exchanging", "hooks", "office", "planning", "publishing", "registry",
    "running", "serving",
]  # fmt: skip
