"""Texts of pages, without the names of suppressed persons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ratingbook.office.acts import masking
from ratingbook.office.acts.people import SUPPRESSED
from ratingbook.office.acts.registry import suppressed
from ratingbook.office.logic.corrections import Content
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import is_any
from ratingbook.site.languages import ON_PAGES
from ratingbook.site.shown.kept import by_facts, by_ledger

_named_since = by_ledger(masking.named_since)


@by_facts(SUPPRESSED)
def hidden_persons() -> frozenset[int]:
    """The persons whom nobody may see."""
    return frozenset(suppressed())


def mask() -> Callable[[str], str]:
    """What takes the names of suppressed persons out of a text."""
    return masking.mask(_named_since()) if is_any(SUPPRESSED) else str


def mask_for_public(written: Iterable[str] = ()) -> Callable[[str], str]:
    """The same for all but officers, without the number of anybody; names of own files stay."""
    return masking.mask_for_public(_named_since(), written) if is_any(SUPPRESSED) else str


def as_reported(entry: m.Entry, text: str, masked: Callable[[str], str]) -> str:
    """The name or the number of an entry, of which nothing is hidden where nobody is."""
    return masking.as_reported(entry, text, masked) if is_any(SUPPRESSED) else text


def saying(
    every: Iterable[Sequence[Content]], masked: Callable[[str], str]
) -> Callable[[Sequence[Content]], list[str]]:
    """What tells what each of these corrections asks for, in the words of the page."""
    return masking.saying(every, masked, ON_PAGES)
