"""Texts of pages, without the names of suppressed persons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ratingbook.office.acts import masking
from ratingbook.office.logic.corrections import Content
from ratingbook.site.languages import SPOKEN
from ratingbook.site.shown.kept import by_ledger

_named_since = by_ledger(masking.named_since)


def mask() -> Callable[[str], str]:
    """What takes the names of suppressed persons out of a text."""
    return masking.mask(_named_since())


def says_of(contents: Sequence[Content], masked: Callable[[str], str]) -> list[str]:
    """What a correction asks for, in the words of the page."""
    return masking.says_of(contents, masked, SPOKEN)
