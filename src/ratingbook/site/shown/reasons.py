"""Why published numbers became others where no correction tells it, in the words of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date

from ratingbook.office.acts import reasons
from ratingbook.office.acts.effects import PUBLISHED
from ratingbook.office.acts.masking import mask_for_public
from ratingbook.site.languages import SPOKEN
from ratingbook.site.shown.corrected import moved_by, step_of, steps_at
from ratingbook.site.shown.kept import by_facts, by_ledger


def reasons_of(pool: int, publications: Iterable[int], person: int, day: date) -> tuple[str, ...]:
    """What came with these publications that can have changed a person's number of a day."""
    return _reasons(pool, tuple(sorted(set(publications))), person, day)


@by_ledger
def _reasons(pool: int, publications: tuple[int, ...], person: int, day: date) -> tuple[str, ...]:
    steps = steps_of(pool, publications)
    return in_words(steps, day, mask_for_public(), person) if steps else ()


def reasons_beside(
    pool: int, publications: frozenset[int], at: tuple[int, str], day: date, *, is_first: bool
) -> tuple[str, ...]:
    """The same of publications with corrections, where more than these moved a number.

    It is that of a person in a batch; ``is_first``: it may be a first one that is published. What
    may have moved it is asked first: mostly there is nothing.
    """
    person, _key = at
    every = reasons_of(pool, publications, person, day)
    if not every and not (is_first and _brought(pool, publications, person)):
        return ()
    others, firsts = _with_others(pool, publications, at)
    return (
        *(SPOKEN.told(said) for said in _brought(pool, firsts, person)),
        *(reasons_of(pool, others, person, day) if every else ()),
    )


@by_facts(PUBLISHED)
def _with_others(
    pool: int, publications: frozenset[int], at: tuple[int, str]
) -> tuple[frozenset[int], frozenset[int]]:
    """Those in which reports moved it, too, and those in which it was first published so."""
    found, firsts = set(), set()
    for seq in publications:
        own = [x for x in moved_by(pool, seq) if (x.person, x.key) == at]
        found |= {seq for x in own if x.is_with_others}
        firsts |= {seq for x in own if x.is_first_with_others}
    return frozenset(found), frozenset(firsts)


@by_ledger
def _brought(pool: int, publications: frozenset[int], person: int) -> tuple[str, ...]:
    masked = mask_for_public()
    return tuple(
        said for here, base in steps_of(pool, publications)
        for said in reasons.brought(here, base, person, masked)
    )  # fmt: skip


def steps_of(pool: int, publications: Iterable[int]) -> list[reasons.Step]:
    """The runs of publications in their order, each with the one before it."""
    some = list(publications)
    if len(some) == 1:
        # Of one with corrections they are known from what is told of these.
        step = step_of(pool, some[0])
        return [step] if step else []
    return steps_at(pool, some)


def in_words(
    steps: Sequence[reasons.Step], day: date, masked: Callable[[str], str],
    person: int | None = None,
) -> tuple[str, ...]:  # fmt: skip
    """What came with runs, each after the one before it, that can have changed such a number.

    None: that of anybody.
    """
    found = reasons.upto(reasons.between(steps, masked, person), day) if steps else ()
    return tuple(SPOKEN.told(each) for each in found)
