"""ICCF's rating list: ``ID;Country;Title;Name;Games;Rating;Gender;``."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import BinaryIO, NamedTuple

from ratingbook.formats.lists.files import Source
from ratingbook.formats.lists.players import Listed, Rows, clean_number
from ratingbook.formats.lists.rows import (
    ROW,
    BadRow,
    count_of,
    first_columns,
    header_of,
    line_of,
    number_of,
    rating_of,
    read_rows,
)
from ratingbook.formats.tools.notes import CountedNotes
from ratingbook.model import Entry, Findings, Place, Standing
from ratingbook.model.sentences import sentence

POOL = "iccf"
_HEADER = ("ID", "Country", "Title", "Name", "Games", "Rating", "Gender")
_START = "ID;Country;"
"""A players file of one's own has ``id`` in small letters."""
_NEEDED = ("id", "country", "name", "games", "rating")
TITLES = frozenset("GM SIM IM CCM CCE LGM LIM".split())
"""Those that the federation awards; a list may have others."""
_GENDERS = {"M": "M", "F": "F", "W": "F"}


class IccfPlayer(NamedTuple):
    """A row of the list; texts that are not given are empty."""

    id: str
    country: str = ""
    title: str = ""
    name: str = ""
    games: int | None = None
    """All rated games."""
    rating: int | None = None
    gender: str = ""
    """``M`` or ``F``."""

    def listed(self) -> Listed:
        """The player in the words of the model."""
        entry = Entry(
            self.id,
            name=self.name,
            federation=self.country or None,
            title=self.title or None,
            sex={"F": "w", "M": "m"}.get(self.gender),
            ids={"iccf": self.id},
        )
        if self.rating is None:
            return Listed(entry)
        return Listed(entry, {POOL: Standing(rating=self.rating, games=self.games)})


def looks_like_iccf_list(head: str) -> bool:
    """Whether a list begins with ICCF's columns."""
    return head.lstrip().startswith(_START) and set(_NEEDED) <= set(first_columns(head))


def read_iccf_list(
    source: Source, notes: CountedNotes, wanted: Collection[str] | None = None
) -> Rows:
    """The players of a list, or those only whose numbers are asked for."""
    for line, cells in read_rows(source, notes, _NEEDED):
        try:
            number = number_of(cells, "id")
            if wanted is not None and clean_number(number) not in wanted:
                continue
            player = IccfPlayer(
                number,
                cells["country"],
                cells.get("title", ""),
                cells["name"],
                count_of(cells["games"]),
                rating_of(cells["rating"]),
                _GENDERS.get(cells.get("gender", "").upper(), ""),
            )
        except BadRow:
            notes.add(ROW, sentence("line {number}", number=line), Place(line=line))
        else:
            yield line, player


def write_iccf_list(rows: Iterable[IccfPlayer], file: BinaryIO) -> Findings:
    """Write a list, line by line."""
    notes = CountedNotes()
    file.write(header_of(_HEADER))
    for player in rows:
        label = f"{player.id} {player.name}".strip()
        file.write(line_of(player.id, player, label, notes))
    return notes.findings()
