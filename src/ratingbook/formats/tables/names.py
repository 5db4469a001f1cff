"""Whether two names may be those of one person, written in two ways."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from typing import Final

_LIKENESS: Final = 0.8
"""How much of two words is the same where one is another spelling of the other."""
_MOST_WORDS: Final = 5
_LONGEST: Final = 30
"""As much of a name is compared; comparing takes its time."""


def alike(one: str, other: str) -> bool:
    """Whether each word of the shorter name stands in the other one too.

    It may be spelt a little differently, or be an initial, but one word has to be more than that.

    >>> alike("Doe, Jo", "J. DOE"), alike("Doe, Jo", "Doe, Al")
    (True, False)
    """
    short, long = sorted((_words(one), _words(other)), key=len)
    real = False
    for word in short:
        found = max(long, key=lambda candidate: _likeness(word, candidate), default="")
        if _likeness(word, found) < _LIKENESS:
            return False
        long.remove(found)
        real = real or min(len(word), len(found)) > 1
    return real


def _words(name: str) -> list[str]:
    """The words of a name without case and accents."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    return [word[:_LONGEST] for word in re.findall(r"\w+", letters)[:_MOST_WORDS]]


def _likeness(one: str, other: str) -> float:
    if not (one and other):
        return 0
    if 1 in (len(one), len(other)):
        return _LIKENESS if one[0] == other[0] else 0
    return SequenceMatcher(None, one, other, autojunk=False).ratio()
