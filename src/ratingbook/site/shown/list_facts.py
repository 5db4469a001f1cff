"""What a list says of its own dates and rules, in the language of the page.

A list is kept as it was published, its facts in English and without their patterns: those of our
own rule books are recognised.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache

from ratingbook.model.sentences import Sentence, day_of, parts_of
from ratingbook.rules.egf import listing as egf
from ratingbook.rules.fide import listing as fide
from ratingbook.rules.iccf import listing as iccf
from ratingbook.rules.iecg import listing as iecg

_EARLIER = {"in force from {day} until the next list, of {next}": fide.FACTS[0]}
"""What lists that are kept say, and what is told of it: whether there is a list of that day no
list knows when it is published."""
PATTERNS = (*egf.FACTS, *fide.FACTS, *iccf.FACTS, *iecg.FACTS)
_WORD = r"(\d+|\d{4}-\d{2}-\d{2})"


def fact_of_list(text: str) -> str:
    """The fact as a sentence; a text of another rule book as it is."""
    for pattern, expected in _expected():
        found = expected.fullmatch(text)
        if found:
            words = dict(zip(_places(pattern), map(_word, found.groups()), strict=True))
            told = _EARLIER.get(pattern, pattern)
            return Sentence.of(told, {each: words[each] for each in _places(told)})
    return text


def _places(pattern: str) -> list[str]:
    """Where words are filled in."""
    return [part.place for part in parts_of(pattern) if part.name]


@cache
def _expected() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (
            each,
            re.compile("".join(
                re.escape(part.before) + (_WORD if part.name else "") for part in parts_of(each)
            )),
        )
        for each in (*PATTERNS, *_EARLIER)
    )  # fmt: skip


def _word(text: str) -> str:
    return day_of(date.fromisoformat(text)) if "-" in text else text
