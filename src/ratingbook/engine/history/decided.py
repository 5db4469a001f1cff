"""Dated decisions of the office: from which batch on each is known, and what is wrong with them.

A decision is told from the first batch on whose list, or whose last day, is not before its
day; it holds until a game of the player is rated, as in a report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.intake.arrays import column_of, floats_of, from_arrow
from ratingbook.engine.natural import hints_of
from ratingbook.model import Findings, Place, Severity
from ratingbook.model.sentences import sentence, stated
from ratingbook.rules.bulk import NO_NUMBER, Bulk
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.units import FloatRating
from ratingbook.rules.wording import either

Array = np.ndarray[Any, Any]

USED = "used"
"""The field that says in which batch, counted from 1, a lasting decision was used; 0: in none."""


@dataclass(frozen=True)
class Decided:
    """The decisions of a history in the order in which they become known."""

    batch: Array
    """The batch before which each becomes known."""
    player: Array
    kind: Array
    """Place of its kind among the edition's decisions."""
    value: Array

    def __len__(self) -> int:
        return len(self.batch)


def kinds_of(book: BookOrSeries) -> list[str]:
    """What the office can decide in histories of an edition."""
    fields: Sequence[str] = () if book.bulk is None else book.bulk.decisions._fields
    return [name for name in fields if name in book.decisions]


def decided_of(given: HistoryInput, book: BookOrSeries, keys: Array) -> Decided | None:
    """The decisions, by the days of the batches; those after the last one are left out."""
    said, bulk = given.decisions, book.bulk
    if said is None or bulk is None or not len(said):
        return None
    fields = bulk.decisions._fields
    known = kinds_of(book)
    kind = np.array([fields.index(k) if k in known else -1 for k in said["kind"].to_pylist()])
    day = from_arrow(said["date"].combine_chunks().cast(pa.int32()))
    batch = np.searchsorted(keys, day, side="left")
    order = np.lexsort((day, batch))
    order = order[(kind[order] >= 0) & (batch[order] < len(keys))]
    if not len(order):
        return None
    value = floats_of(said["value"])
    player = column_of(said, "player")
    return Decided(batch[order], player[order], kind[order], value[order])


def tell_unused(decided: Decided | None, given: HistoryInput, last: Array) -> Findings:
    """Decisions for players without a game from then on; ``last`` is everybody's last batch."""
    findings = Findings()
    total = 0 if given.decisions is None else len(given.decisions)
    used = 0
    if decided is not None:
        used = int(np.count_nonzero(last[decided.player] >= decided.batch))
    if total > used:
        idle = total - used
        findings.add(
            Severity.WARNING,
            "history.decision-unused",
            either(
                idle,
                "{count} decision is not used: its player has no game from that day on.",
                "{count} decisions are not used: their players have no game from that day on.",
            ),
            Place(path="decisions"),
            sentence("Look at the days and the players."),
        )
    return findings


def check_decisions(given: HistoryInput, book: BookOrSeries) -> Findings:
    """Decisions of kinds that the edition does not know, and of values that are none."""
    findings, said, bulk = Findings(), given.decisions, book.bulk
    if said is None or bulk is None:
        return findings
    known = kinds_of(book)
    kinds = said["kind"].to_pylist()
    unknown = sorted({str(kind) for kind in kinds} - set(known))
    if unknown:
        findings.add(
            Severity.ERROR,
            "history.decision-kind",
            sentence(
                "{book} knows no decision {kind!r} in a history.",
                book=book.name,
                kind=unknown[0],
            ),
            Place(path="decisions, column kind"),
            sentence(
                "It knows: {known}. What settles how a player comes in is a column of the players "
                "file.",
                known=", ".join(known) or stated("none"),
            ),
        )
    values = floats_of(said["value"])
    hints = hints_of(bulk.decisions)
    low, high = book.rating_range
    for name in known:
        if hints[name] != FloatRating:
            continue
        mine = np.array([kind == name for kind in kinds], bool)
        wrong = mine & ((values < low) | (values > high))
        broken = mine & (values != np.floor(values)) & book.whole_ratings
        between = sentence("Give a rating between {low} and {high}.", low=low, high=high)
        whole = sentence("Give a rating that is a whole number.")
        for mask, code, remedy in (
            (wrong, "history.rating-range", between),
            (broken & ~wrong, "history.whole-rating", whole),
        ):
            if mask.any():
                row = int(mask.argmax())
                player = given.players[said["player"][row].as_py()].as_py()
                findings.add(
                    Severity.ERROR,
                    code,
                    sentence(
                        "The decision {name} of player {player} is {value:g}, which is no rating "
                        "in {book}.",
                        name=name,
                        player=player,
                        value=values[row],
                        book=book.name,
                    ),
                    Place(path="decisions, column value"),
                    remedy,
                )
    rows = zip(said["player"].to_pylist(), said["date"].to_pylist(), kinds, strict=True)
    if len(set(rows)) < len(kinds):
        findings.add(
            Severity.ERROR,
            "history.repeated-decision",
            sentence("Two decisions are of the same kind, player and day."),
            Place(path="decisions"),
            sentence("Keep the one that holds."),
        )
    return findings


def nothing_decided(count: int, kind: np.dtype[np.void]) -> Array:
    """Records of so many players of whom nothing was decided."""
    records = np.zeros(count, kind)
    for name in kind.names or ():
        if name != USED:
            records[name] = NO_NUMBER
    return records


def put_decided(records: Array, decided: Decided, batch: int, bulk: Bulk, events: Array) -> None:
    """Put what becomes known before a batch beside what is pending.

    ``events`` are those of the batches.  What was used in an earlier event holds no more.
    """
    first, last = np.searchsorted(decided.batch, [batch, batch + 1])
    fields = bulk.decisions._fields
    for player, kind, value in zip(
        decided.player[first:last].tolist(), decided.kind[first:last].tolist(),
        decided.value[first:last].tolist(), strict=True,
    ):  # fmt: skip
        used = int(records[USED][player])
        if used and events[used - 1] != events[batch]:
            for name in fields:
                records[name][player] = NO_NUMBER
            records[USED][player] = 0
        records[fields[kind]][player] = value


def is_decided(records: Array, players: Array) -> Array:
    """For which of the players something is pending."""
    names = [name for name in records.dtype.names or () if name != USED]
    pending = [~np.isnan(records[name][players]) for name in names]
    found: Array = np.logical_or.reduce(pending)
    return found


def same_decisions(one: Array, other: Array) -> bool:
    """Whether the same is pending; without records nothing is."""
    sides = [each for each in (one, other) if len(each)]
    names = [name for name in sides[0].dtype.names if name != USED] if sides else []
    if len(sides) == 2 and bool(((one[USED] > 0) != (other[USED] > 0)).any()):
        return False
    for name in names:
        mine, theirs = (each[name] if len(each) else NO_NUMBER for each in (one, other))
        if not bool(((mine == theirs) | (np.isnan(mine) & np.isnan(theirs))).all()):
            return False
    return True
