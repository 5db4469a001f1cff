"""The first of many things, as findings name them."""

from __future__ import annotations

from collections.abc import Iterable

from ratingbook.model.sentences import Sentence, row_of, sentence

_SHOWN = 5


def first_of(things: Iterable[object], between: str = ", ") -> Sentence:
    """The first few, and how many more there are."""
    found = [thing if isinstance(thing, str) else str(thing) for thing in things]
    told = row_of(found[:_SHOWN], between)
    more = len(found) - _SHOWN
    if more <= 0:
        return told
    return sentence("{examples} and {more} more", examples=told, more=more)
