"""What open requests would not change if they were accepted now, in the language of the reader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ratingbook.office.acts.outlook import outlooks
from ratingbook.office.acts.requests import OPEN
from ratingbook.office.store import models as m
from ratingbook.site.languages import SPOKEN
from ratingbook.site.shown.kept import by_ledger


def outlooks_of(every: Iterable[Any]) -> Mapping[int, tuple[str, ...]]:
    """Of some requests that know their states, by the numbers of those that are open."""
    some = tuple(each for each in every if each.state == OPEN)
    return _told(some) if some else {}


@by_ledger
def _told(every: tuple[m.Correction, ...]) -> Mapping[int, tuple[str, ...]]:
    return {number: tuple(map(SPOKEN.told, said)) for number, said in outlooks(every).items()}
