"""A report as tables: event, sections, players, games, and earlier games that still count.

Each column is there only if something stands in it.  The names of the columns are those
that :mod:`~ratingbook.formats.tables.words` knows, or the place in the report with dots:
``ids.fide``, ``pools.quick.rating``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from ratingbook.formats.document.schema import FIELDS
from ratingbook.formats.tables.cells import MAX_COLUMNS
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import (
    Entry,
    Event,
    EventHead,
    FrozenSide,
    Game,
    GameStatus,
    Place,
    Report,
    SectionHead,
    Severity,
    Standing,
    attribute_of,
)

MAX_CELL = 1_000
"""Characters in a cell; nobody has a longer name."""
_MAX_LINE = 60_000
"""Characters in a row, so that the line can be read again."""
_SHORT = 40

_LARGEST = 1e300
"""What is larger, or no number at all, comes from no report."""

CUT = Remark(
    "table.cut",
    Severity.WARNING,
    "Texts are too long for a cell and were cut",
    "Shorten them in the report.",
)
COLUMNS = Remark(
    "table.columns",
    Severity.WARNING,
    f"A table has at most {MAX_COLUMNS:,} columns; others were left out",
    "Send the report as a report document, which holds everything.",
)
NEW_ID = Remark(
    "table.id",
    Severity.WARNING,
    "Ids that a cell cannot hold as they are were changed",
    "Give these players ids of letters and digits.",
)
LONE_GAMES = Remark(
    "table.no-entry",
    Severity.WARNING,
    "Players of games who are not among the players were added",
    "Nothing to do.",
)

CellValue = str | float
Cells = Mapping[str, CellValue]


@dataclass(frozen=True, slots=True)
class Page:
    """One table with its header; without a header, a list of keys and values."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[CellValue]]


@dataclass(slots=True)
class Layout:
    """Lays out a report; ``ids`` are those that had to be changed."""

    notes: Notes
    ids: dict[str, str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)

    def pages(self, report: Report) -> list[Page]:
        """The tables of a report: event and sections only where something is known of them."""
        for entry in report.entries:
            self._take(entry.id)
        heads = {head.name: head for head in report.event_heads}
        pages = [
            Page("Event", (), list(self._event(report.event))),
            self._page("Sections", [self._section(head) for head in report.section_heads], ()),
            self._page("Players", self._players(report), ("id", "name")),
            self._page(
                "Games",
                [self._game(game, heads) for game in report.games],
                ("round", "white", "black", "result"),
            ),
            self._page(
                "History",
                [self._earlier(entry, side) for entry in report.entries for side in entry.history],
                ("id", "opponent", "score"),
            ),
        ]
        return [page for page in pages if page.rows or page.title in ("Players", "Games")]

    def _take(self, id_: str) -> str:
        """The id in the table of a player of the report, which no other one gets."""
        if id_ in self.ids:
            return self.ids[id_]
        wanted = plain(id_)[:MAX_CELL].rstrip() or "player"
        new = wanted
        count = 1
        while new in self._taken:
            count += 1
            new = f"{wanted}-{count}"
        self._taken.add(new)
        self.ids[id_] = new
        if new != id_:
            self.notes.add(NEW_ID, f"{new[:_SHORT]}", Place(player=new[:_SHORT]))
        return new

    def _page(self, title: str, rows: Sequence[Cells], always: Sequence[str]) -> Page:
        header = list(dict.fromkeys([*always, *(name for row in rows for name in row)]))
        if len(header) > MAX_COLUMNS:
            self.notes.add(COLUMNS, f"{title}: {len(header):,}", Place())
            header = header[:MAX_COLUMNS]
        return Page(
            title, header, [self._fitting([row.get(x, "") for x in header]) for row in rows]
        )

    def _fitting(self, cells: list[CellValue]) -> list[CellValue]:
        """The cells of a row, cut where they or the whole row would be too long.

        Ids stay whole, so that they are the same in all tables.
        """
        room = MAX_CELL
        if sum(min(len(cell), room) for cell in cells if isinstance(cell, str)) > _MAX_LINE:
            room = _SHORT
        cut: list[CellValue] = []
        for cell in cells:
            if isinstance(cell, str) and len(cell) > room and cell not in self._taken:
                self.notes.add(CUT, f"{cell[:_SHORT]}…", Place())
                cut.append(cell[:room].rstrip())
            else:
                cut.append(cell)
        return cut

    def _event(self, event: Event) -> Iterator[list[CellValue]]:
        for name in FIELDS["event"]:
            value = cell_of(getattr(event, attribute_of(name)))
            if value != "":
                label = "event" if name == "name" else f"event {name.replace('_', ' ')}"
                yield self._fitting([label, value])
        for official in event.officials:
            if plain(official):
                yield self._fitting(["event official", plain(official)])

    def _section(self, head: SectionHead) -> Cells:
        cells = {"section": cell_of(head.name), "number": cell_of(head.number)}
        # The reader knows a list of sections by these columns.
        cells["kind"] = cell_of(head.kind)
        for name in ("pool", "time_control", "start", "end"):
            value = cell_of(getattr(head, name))
            if value != "":
                cells[name.replace("_", " ")] = value
        return cells

    def _players(self, report: Report) -> list[Cells]:
        known = {entry.id for entry in report.entries}
        rows = [self._player(entry) for entry in report.entries]
        played = [p for g in report.games for p in (g.white, g.black) if p is not None]
        for player in dict.fromkeys(played):
            if player not in known:
                self.notes.add(LONE_GAMES, player[:_SHORT], Place())
                rows.append({"id": self._take(player)})
        return rows

    def _player(self, entry: Entry) -> Cells:
        cells: dict[str, CellValue] = {"id": self._take(entry.id)}
        for name in FIELDS["player"]:
            if name != "id":
                cells[name] = cell_of(getattr(entry, name))
        if entry.standing:
            cells |= _standing(entry.standing, "standing ", "extra.")
        for group in ("ids", "foreign", "decisions"):
            values: Mapping[str, object] = getattr(entry, group)
            cells |= {f"{group}.{plain(key)}": cell_of(value) for key, value in values.items()}
        for pool, standing in entry.pools.items():
            prefix = f"pools.{plain(pool)}."
            cells |= _standing(standing, prefix, f"{prefix}extra.")
        return _filled(cells)

    def _game(self, game: Game, heads: Mapping[str, EventHead]) -> Cells:
        cells: dict[str, CellValue] = {
            "round": cell_of(game.round),
            "white": self._take(game.white),
            "black": self._take(game.black) if game.black is not None else "",
            "result": game.result.value,
        }
        usual = GameStatus.BYE if game.black is None else GameStatus.PLAYED
        if game.status is not usual:
            cells["status"] = game.status.value
        for name in ("section", "event", "table_result", "start", "end", "reported"):
            cells[name] = cell_of(getattr(game, name))
        head = heads.get(game.event or "")
        if head is not None:
            cells |= {"category": cell_of(head.category), "level": cell_of(head.level)}
        cells["handicap"] = game.handicap or ""
        for side in ("white", "black"):
            cells[f"{side}_rating"] = _rating(getattr(game, f"{side}_rating"))
            substituted = getattr(game, f"{side}_for")
            cells[f"{side}_for"] = self._take(substituted) if substituted else ""
        return _filled(cells | _rated(game))

    def _earlier(self, entry: Entry, side: FrozenSide) -> Cells:
        cells: dict[str, CellValue] = {"id": self._take(entry.id)}
        return _filled(cells | {name: cell_of(getattr(side, name)) for name in FIELDS["history"]})


def _filled(cells: Cells) -> Cells:
    return {name: value for name, value in cells.items() if value != ""}


def _standing(standing: Standing, prefix: str, extra: str) -> dict[str, CellValue]:
    """The cells of a standing; the rating of the player himself is called just that."""
    cells: dict[str, CellValue] = {}
    for name in FIELDS["standing"]:
        header = "rating" if name == "rating" and prefix == "standing " else prefix + name
        value = getattr(standing, name)
        cells[header] = _rating(value) if name == "rating" else cell_of(value)
    return cells | {f"{extra}{plain(key)}": cell_of(value) for key, value in standing.extra.items()}


def _rated(game: Game) -> dict[str, CellValue]:
    """What is to be said of whether a game is rated, beyond what follows from its status."""
    flags = game.white_rated, game.black_rated
    played = game.status is GameStatus.PLAYED
    if not game.rated_said and flags == (played, played):
        return {}
    cells: dict[str, CellValue] = {"rated": "open"}
    if game.rated_said:
        cells["rated"] = _yes_no(game.white_rated)
    if not game.rated_said or flags[0] != flags[1]:
        cells |= {
            "white_rated": _yes_no(game.white_rated),
            "black_rated": _yes_no(game.black_rated),
        }
    return cells


def _yes_no(flag: bool) -> str:
    return "yes" if flag else "no"


def _rating(rating: float | None) -> CellValue:
    """A rating; a bare 0 stands for no rating in most tables."""
    return "0.0" if rating == 0 else cell_of(rating)


def cell_of(value: object) -> CellValue:
    """What stands in the cell of a value; nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, int | float):
        return value if -_LARGEST <= value <= _LARGEST else ""
    return value.isoformat() if isinstance(value, date) else plain(str(value))


def plain(text: str) -> str:
    """A text that any file can hold: without control characters, on one line."""
    if not text.isprintable():
        text = "".join(
            " " if char.isspace() or unicodedata.category(char) == "Cc" else
            "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) in ("Cs", "Cn") else char
            for char in text
        )  # fmt: skip
    return " ".join(text.split())
