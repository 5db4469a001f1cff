"""Texts of pages, without the names of suppressed persons and what nobody has published."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from ratingbook.office.acts import masking, untold
from ratingbook.office.acts.registry import suppressed
from ratingbook.office.logic.corrections import Content
from ratingbook.office.logic.masked import SUPPRESSED
from ratingbook.office.store import models as m
from ratingbook.site.languages import ON_PAGES
from ratingbook.site.shown.kept import by_facts, by_ledger


@by_facts(SUPPRESSED)
def hidden_persons() -> frozenset[int]:
    """The persons whom nobody may see."""
    return frozenset(suppressed())


def saying(
    every: Iterable[Sequence[Content]], masked: Callable[[str], str]
) -> Callable[[Sequence[Content]], list[str]]:
    """What tells what each of these corrections asks for, in the words of the page."""
    return masking.saying(every, masked, ON_PAGES)


def saying_to_all(
    every: Iterable[m.Correction], hidden: Collection[int] | None = None
) -> Callable[[int], list[str]]:
    """The same for everybody, by the numbers of the corrections; ``hidden`` are those untold."""
    some = list(every)
    contents = {each.id: each.contents for each in some}
    return untold.saying_to_all(contents, untold_in(some) if hidden is None else hidden, ON_PAGES)


def untold_in(every: Iterable[m.Correction]) -> frozenset[int]:
    """The numbers of those of some corrections that are about what is not published yet."""
    some = {each.id: each for each in every}
    return _untold(tuple(some[number] for number in sorted(some))) if some else frozenset()


@by_ledger
def _untold(every: tuple[m.Correction, ...]) -> frozenset[int]:
    return untold.untold_of({each.id: each.contents for each in every})


def silent(text: str) -> str:
    """What stands for the reasons of these: they may name whom and what nobody has published."""
    del text
    return ""
