"""Why published numbers became others where no correction tells it, in the words of the page."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from ratingbook.office.acts import reasons
from ratingbook.office.store import models as m
from ratingbook.site.languages import SPOKEN
from ratingbook.site.shown.kept import by_ledger


def reasons_of(pool: int, publications: Iterable[int], day: date) -> tuple[str, ...]:
    """What came with these publications that can have changed a number of a day."""
    return _reasons(pool, tuple(sorted(set(publications))), day)


@by_ledger
def _reasons(pool: int, publications: tuple[int, ...], day: date) -> tuple[str, ...]:
    wanted = {each for seq in publications for each in (seq - 1, seq)}
    every = m.Publication.objects.filter(pool=pool, seq__in=wanted).select_related("run")
    runs = {each.seq: each.run for each in every}
    found = [
        said
        for seq in publications
        if seq in runs and seq - 1 in runs
        for said in reasons.upto(reasons.between(runs[seq], runs[seq - 1]), day)
    ]
    return tuple(SPOKEN.told(each) for each in dict.fromkeys(found))
