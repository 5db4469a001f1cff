"""What stands in the place of a person who is suppressed, and the facts by which one is."""

from __future__ import annotations

SUPPRESSED = "suppressed"
"""The fact by which nobody may see who a person is."""
FILES_DELETED = "files deleted"
"""The fact by which the files that name a suppressed person are deleted later."""
OF_SUPPRESSED = (SUPPRESSED, FILES_DELETED)


def token(person: int | str) -> str:
    """What stands in the place of the name of a person with a number."""
    return f"Player {person}"
