"""What stands in the place of a person who is suppressed."""

from __future__ import annotations


def token(person: int | str) -> str:
    """What stands in the place of the name of a person with a number."""
    return f"Player {person}"
