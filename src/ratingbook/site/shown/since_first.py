"""What was changed of a person's published numbers after they were first rated, for everybody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from ratingbook.office.acts import register
from ratingbook.office.home import current
from ratingbook.office.store import models as m
from ratingbook.site.shown.kept import by_ledger


@dataclass(frozen=True)
class Changed:
    """A published number of a person that became another one, and why."""

    batch: str
    """The batch after which it stands, or the list on which it does."""
    day: date
    publication: int
    """The one of the pool that made it so."""
    was: float | None
    now: float | None
    listing: str
    """``left`` a list, or ``came`` on one, and has a rating all the same; else empty."""
    added: float | None
    """What corrections added on a list, where nothing was rated again."""
    corrections: tuple[int, ...]
    why: tuple[str, ...]


def table(rows: Iterable[Changed]) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """The changes as a table."""
    columns = ("batch", "day", "publication", "was", "now", "listing", "added", "corrections",
               "why")  # fmt: skip
    return columns, [
        (x.batch, x.day, x.publication, x.was, x.now, x.listing, x.added,
         " ".join(map(str, x.corrections)), "; ".join(x.why))
        for x in rows
    ]  # fmt: skip


@by_ledger
def since_first(pool: int, person: int) -> tuple[Changed, ...]:
    """The changes of a person in a pool, the oldest first; as far as the rules publish them."""
    one = m.Pool.objects.get(id=pool)
    return tuple(
        Changed(
            batch=each["batch"], day=date.fromisoformat(each["day"]),
            publication=each["publication"], was=each["was"], now=each["now"],
            listing=each["listing"], added=each.get("added"),
            corrections=tuple(each["corrections"]), why=tuple(map(str, each["why"])),
        )
        for each in register.since_first(current(), one, person, for_public=True)
    )  # fmt: skip
