"""What stands in addresses: days, revisions, numbers."""

from __future__ import annotations

from datetime import date


class Day:
    """A day as ``2026-04-01``."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        """The day; an impossible one has no page."""
        return date.fromisoformat(value)

    def to_url(self, value: date | str) -> str:
        """The day as text."""
        return str(value)


class Number:
    """A number of at most nine digits: a longer one is none of ours."""

    regex = "[0-9]{1,9}"

    def to_python(self, value: str) -> int:
        """The number."""
        return int(value)

    def to_url(self, value: int | str) -> str:
        """The number as text."""
        return str(value)
