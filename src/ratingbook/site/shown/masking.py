"""Texts of pages, without the names of suppressed persons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ratingbook.office.acts import masking
from ratingbook.office.acts.registry import suppressed
from ratingbook.office.logic.corrections import Content
from ratingbook.office.logic.masked import SUPPRESSED
from ratingbook.site.languages import ON_PAGES
from ratingbook.site.shown.kept import by_facts


@by_facts(SUPPRESSED)
def hidden_persons() -> frozenset[int]:
    """The persons whom nobody may see."""
    return frozenset(suppressed())


def saying(
    every: Iterable[Sequence[Content]], masked: Callable[[str], str]
) -> Callable[[Sequence[Content]], list[str]]:
    """What tells what each of these corrections asks for, in the words of the page."""
    return masking.saying(every, masked, ON_PAGES)
