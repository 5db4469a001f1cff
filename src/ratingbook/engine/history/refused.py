"""Histories that cannot be rated."""

from __future__ import annotations

from ratingbook.model import Refused


class HistoryRefused(Refused, ValueError):
    """Input that cannot be rated; ``findings`` say what, where, and what to do."""
