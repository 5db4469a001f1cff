"""The IECG list by rule II.5: what it shows of a player, in a table with semicolons.

The rule settles the columns and not the file; the form is that of ICCF's list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
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
from ratingbook.formats.tools.notes import CountedNotes, Remark
from ratingbook.model import Entry, Findings, Place, Severity, Standing
from ratingbook.model.sentences import sentence

POOL = "iecg"
GAMES = Remark(
    "iecg-list.games",
    Severity.INFO,
    "Wins, draws and losses are not as many as the rated games",
    "Nothing to do, if games of the old scheme are among them.",
)
_HEADER = (
    "Position", "Class position", "Number", "Name", "Country", "Rating", "TER", "Games",
    "Win-draw-loss",
)  # fmt: skip
_NEEDED = ("number", "name", "country", "rating", "ter", "games")


class IecgPlayer(NamedTuple):
    """A row of the list (II.5 a to i); what is not given is None or empty."""

    position: int | None
    class_position: int | None
    id: str
    name: str = ""
    country: str = ""
    rating: int | None = None
    ter: int | None = None
    """Tournament Entry Rating."""
    games: int | None = None
    """Rated games in the new scheme."""
    wins: int | None = None
    draws: int | None = None
    losses: int | None = None

    def listed(self) -> Listed:
        """The player in the words of the model."""
        entry = Entry(
            self.id, name=self.name, federation=self.country or None, ids={"iecg": self.id}
        )
        if self.rating is None:
            return Listed(entry)
        standing = Standing(
            rating=self.rating,
            games=self.games,
            wins=self.wins,
            draws=self.draws,
            losses=self.losses,
            extra={} if self.ter is None else {"ter": self.ter},
        )
        return Listed(entry, {POOL: standing})


def looks_like_iecg_list(head: str) -> bool:
    """Whether a list begins with the columns of the IECG list."""
    return set(_NEEDED) <= set(first_columns(head))


def read_iecg_list(
    source: Source, notes: CountedNotes, wanted: Collection[str] | None = None
) -> Rows:
    """The players of a list, or those only whose numbers are asked for."""
    for line, cells in read_rows(source, notes, _NEEDED):
        try:
            number = number_of(cells, "number")
            if wanted is not None and clean_number(number) not in wanted:
                continue
            player = _player(number, cells)
        except BadRow:
            notes.add(ROW, sentence("line {number}", number=line), Place(line=line))
            continue
        results = (player.wins, player.draws, player.losses)
        if None not in results and sum(n or 0 for n in results) != player.games:
            notes.add(GAMES, f"{player.id} {player.name}".strip(), Place(line=line))
        yield line, player


def _player(number: str, cells: Mapping[str, str]) -> IecgPlayer:
    results = cells.get("win-draw-loss", "")
    wins, draws, losses = map(count_of, results.split("-") if results.count("-") == 2 else "---")
    if results and (wins, draws, losses) == (None, None, None):
        raise BadRow(results)
    return IecgPlayer(
        position=count_of(cells.get("position", "")),
        class_position=count_of(cells.get("class position", "")),
        id=number,
        name=cells["name"],
        country=cells["country"],
        rating=rating_of(cells["rating"]),
        ter=rating_of(cells["ter"]),
        games=count_of(cells["games"]),
        wins=wins,
        draws=draws,
        losses=losses,
    )


def write_iecg_list(rows: Iterable[IecgPlayer], file: BinaryIO) -> Findings:
    """Write a list, line by line."""
    notes = CountedNotes()
    file.write(header_of(_HEADER))
    for player in rows:
        results = (player.wins, player.draws, player.losses)
        shown = None
        if results != (None, None, None):
            shown = "-".join("" if count is None else str(count) for count in results)
        label = f"{player.id} {player.name}".strip()
        file.write(line_of(player.id, (*player[:8], shown), label, notes))
    return notes.findings()
