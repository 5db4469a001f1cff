"""What but corrections made published numbers of a player others, as reports that came late."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, pairwise
from typing import Any

from ratingbook.office.acts import reasons
from ratingbook.office.acts.masking import mask_for_public
from ratingbook.office.store import models as m
from ratingbook.site.languages import SPOKEN
from ratingbook.site.shown.corrected import moved_by, with_corrections
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.pools import Published
from ratingbook.site.shown.reasons import steps_of
from ratingbook.site.shown.revised import day_of, states_of

_MOST = 10
"""So many publications of a pool are told, the newest."""


@dataclass(frozen=True)
class Revision:
    """A publication that made numbers of the player others, and not by corrections alone."""

    publication: int
    day: date
    """When it was published."""
    revised: int
    """Published numbers of the player that it made others so."""
    says: tuple[str, ...]
    """What came with it that can have done so; empty: nobody can tell."""


def revisions_of(
    one: Published, person: int, versions: Iterable[Mapping[str, Any]], shown: Collection[str]
) -> tuple[Revision, ...]:
    """Those of a player in a pool, the newest first; of the batches that are ``shown``."""
    found: dict[int, dict[str, date]] = {}
    published_on: dict[int, date] = {}
    for key, some in groupby(versions, key=lambda each: str(each["key"])):
        rows = list(some)
        if len(rows) < 2 or key not in shown:
            continue
        published_on |= {each["seq"]: day_of(each["published"]) for each in rows}
        for (_, old), (seq, new) in pairwise(states_of(one, rows)):
            if _number(old) != _number(new):
                found.setdefault(seq, {})[key] = rows[-1]["day"]
    pool, corrected = one.pool.id, with_corrections(one.pool.id) if found else ()
    for seq in found.keys() & set(corrected):
        own = [each for each in moved_by(pool, seq) if each.person == person]
        alone = {x.key for x in own} - {x.key for x in own if x.is_with_others}
        found[seq] = {key: day for key, day in found[seq].items() if key not in alone}
    newest = sorted(seq for seq in found if found[seq])[-_MOST:]
    if not newest:
        return ()
    told = _told(pool, person, tuple((seq, max(found[seq].values())) for seq in newest))
    return tuple(
        Revision(seq, published_on[seq], len(found[seq]), says)
        for seq, says in reversed([*zip(newest, told, strict=True)])
    )


def _number(state: Mapping[int, tuple[float | None, ...]]) -> float | None:
    """The number that was published after a batch; None: there was none."""
    return state[max(state)][1] if state else None


@by_ledger
def _told(
    pool: int, person: int, publications: tuple[tuple[int, date], ...]
) -> Sequence[tuple[str, ...]]:
    """What came with each that can have changed numbers of the person up to a day."""
    return tuple(
        tuple(map(SPOKEN.told, reasons.upto(reasons.touching(here, came, person), day)))
        for (_, day), (here, came) in zip(
            publications, _came(pool, tuple(seq for seq, _ in publications)), strict=True
        )
    )  # fmt: skip


@by_ledger
def _came(
    pool: int, publications: tuple[int, ...]
) -> Sequence[tuple[m.Run, Sequence[reasons.Reason]]]:
    """The runs of publications, each with what came with it: alike for all whom it moved."""
    steps = steps_of(pool, publications)
    came = reasons.by_step(steps, mask_for_public())
    return tuple((here, some) for (here, _), some in zip(steps, came, strict=True))
