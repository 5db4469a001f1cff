"""Columns that say of every row what belongs to the whole event: pool, time control, kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ratingbook.formats.tables import words
from ratingbook.formats.tables.cells import Row, where
from ratingbook.formats.tables.mapping import SECTION_KEYS, Block, Shape, shown
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Place, Severity
from ratingbook.model.sentences import row_of, sentence

ROWS_DIFFER = Remark(
    "table.event-column",
    Severity.ERROR,
    "What belongs to a whole event or section differs from row to row",
    "Send a file for each; or give the games a column section, say it once for each section in a "
    "table of sections (section, pool, time control, kind), and take this column out.",
    each=True,
)


def event_values(blocks: Sequence[Block], notes: Notes) -> Iterator[tuple[str, str, Place]]:
    """Field of the event, what all rows say of it, and where; rows that differ are noted."""
    for name in sorted(SECTION_KEYS):
        seen: dict[str, tuple[str, Place]] = {}
        for block in blocks:
            if block.head.shape is Shape.SECTIONS or name not in block.head.columns:
                continue
            for row in filter(_counts, block.rows):
                text = block.cell(row, name)
                seen.setdefault(text.casefold(), (text, block.place(row, name)))
        if len(seen) == 1 and "" not in seen:
            ((text, place),) = seen.values()
            yield name, text, place
        elif len(seen) > 1:
            differ(name, list(seen.values()), notes)


def differ(name: str, said: Sequence[tuple[str, Place]], notes: Notes) -> None:
    """Note that a field of the event has several values."""
    values: str = row_of(
        row_of((shown(text) or sentence("nothing"), row_of(("(", where(place), ")"), "")), " ")
        for text, place in said[:5]
    )
    if len(said) > 5:
        values = sentence("{examples} and {more} more", examples=values, more=len(said) - 5)
    notes.add(ROWS_DIFFER, row_of((name, values), ": "), said[1][1])


def _counts(row: Row) -> bool:
    """Whether a row is more than a sum or a remark."""
    texts = [text for text in row.cells if text]
    return len(texts) > 1 and not words.is_total(texts[0])
