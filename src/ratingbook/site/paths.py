"""What stands in addresses: days, revisions, numbers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from django.urls import reverse

_SOMEBODY = 999_999_999
"""The greatest number that stands in addresses."""


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


def of_persons(route: str, *more: object) -> Callable[[int], str]:
    """The address of a page for each of many persons: Django looks for it once, not for each."""
    before, _, after = reverse(route, args=[_SOMEBODY, *more]).partition(str(_SOMEBODY))
    return lambda person: f"{before}{person}{after}"
