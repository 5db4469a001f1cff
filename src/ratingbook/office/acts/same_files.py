"""The same file for several pools: each rates it once, as two lists rate a dual section."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import pools_of_sections
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m

_IN_HAND = (states.HELD, states.CHECKED, states.READY)


def in_pool(files: Collection[str], pool: int | None) -> Mapping[str, Mapping[str, int]]:
    """By the hash of a file its sections that are in a pool, and the report that has each there.

    Also those that are held there; of what is refused or out another report may come.
    """
    found: dict[str, dict[str, int]] = {}
    for sha256, name, report, own in _in_hand(files):
        if own == pool:
            found.setdefault(sha256, {}).setdefault(name, report)
    return found


def for_another(files: Collection[str], pool: int | None) -> set[str]:
    """Those of some files that the office has in hand, but not all of it in this pool."""
    pools: dict[tuple[str, str], set[int | None]] = defaultdict(set)
    for sha256, name, _report, own in _in_hand(files):
        pools[sha256, name].add(own)
    return {sha256 for (sha256, _), some in pools.items() if pool not in some}


def _in_hand(files: Collection[str]) -> Iterator[tuple[str, str, int, int | None]]:
    """The sections in hand of some files: file, name, report, and pool where it is now."""
    if not files:
        return
    own = m.Section.objects.filter(version__blob__in=list(files)).order_by("id")
    rows = list(own.values_list("id", "version__blob", "name", "version__report", "pool"))
    if not rows:
        return
    now, moved = states.states([row[0] for row in rows]), pools_of_sections(ledger.head().seq)
    for number, sha256, name, report, pool in rows:
        if now.get(number) in _IN_HAND:
            yield sha256, name, report, moved.get(number, pool)
