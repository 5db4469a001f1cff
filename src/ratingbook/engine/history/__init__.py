"""Histories: millions of games rated as columns, with the functions of the rule books."""

from ratingbook.engine.history.api import (
    CorrectedHistory,
    History,
    HistoryRefused,
    RatedHistory,
    rate_history,
)

__all__ = ["CorrectedHistory", "History", "HistoryRefused", "RatedHistory", "rate_history"]
