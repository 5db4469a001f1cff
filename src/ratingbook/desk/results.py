"""What the library gives back: short to print, tables for whoever reckons on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from ratingbook.desk.arguments import checked
from ratingbook.desk.explained import in_order_of_rounds, player_meant
from ratingbook.desk.lists import MadeList
from ratingbook.desk.rated import Rated
from ratingbook.desk.rows import COLUMNS, as_dict, person_columns, row_as_dict
from ratingbook.engine.explain import Step
from ratingbook.engine.notebook import cell, html_table
from ratingbook.engine.rate import RatedRow, rate
from ratingbook.model import Entry, Event, Findings, Report
from ratingbook.rules.listing import Listing
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.wording import label

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


class Table(ABC):
    """Rows that become tables of other libraries."""

    @abstractmethod
    def rows_of_table(self) -> list[dict[str, Any]]:
        """A dictionary for each row; all have the same keys."""

    def to_arrow(self) -> pa.Table:
        """The rows as a table of pyarrow."""
        import pyarrow as pa

        return pa.Table.from_pylist(self.rows_of_table())

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a data frame of pandas, which has to be installed."""
        from ratingbook.engine.frames import library

        frame: pd.DataFrame = library("pandas").DataFrame(self.rows_of_table())
        return frame

    def to_polars(self) -> pl.DataFrame:
        """The rows as a data frame of Polars, which has to be installed."""
        from ratingbook.engine.frames import library

        rows = self.rows_of_table()
        frame: pl.DataFrame = library("polars").DataFrame(rows, infer_schema_length=None)
        return frame

    def _repr_html_(self) -> str:
        return html_table(self.rows_of_table(), repr(self).strip("<>"))


class WhatIf(dict[str, Any]):
    """What becomes of a rating, as the command prints it in JSON; a line for each score."""

    def _lines(self) -> list[dict[str, Any]]:
        every = self["outcomes"]
        return [
            {"open games": each["score"], **{name: one[name] for name in
             ("before", "after", "change", "score", "games", "expected")}}
            for each in self["scores"]
            for one in [next(one for one in every if sum(one["scores"]) == each["score"])]
        ]  # fmt: skip

    def __repr__(self) -> str:
        told = ", ".join(
            f"{cell(each['open games'])} of {len(self['open'])}: {cell(each['after'])}"
            if self["open"] else f"{cell(each['before'])} → {cell(each['after'])}"
            for each in self._lines()
        )  # fmt: skip
        return f"<what if, by {self['rulebook']}: {told}>"

    def _repr_html_(self) -> str:
        return html_table(self._lines(), f"what if, by {self['rulebook']}")


@dataclass(frozen=True)
class Explanation:
    """A change, derived paragraph by paragraph; ``str()`` is the derivation in words."""

    player: Entry
    row: RatedRow

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps, those of a game together, in the order of the rounds."""
        return tuple(in_order_of_rounds(self.row.explanation))

    def __str__(self) -> str:
        row = self.row.row
        lines = [label(row.id, row.name) + f": {cell(row.before)} → {cell(row.after)}"]
        game = None
        for step in self.steps:
            if step.game and step.game != game:
                lines.append(f"  {step.game}")
            game = step.game
            lines.append(f"{'    ' if step.game else '  '}{step.paragraph:<3} {step.told}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<{len(self.steps)} steps of {self.player.name or self.player.id}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class RatedReport(Table):
    """A rated report: a row for each player."""

    def __init__(self, rated: Rated, ready: Report, explained: Collection[str]) -> None:
        self._rated, self._ready = rated, ready
        self._explained = frozenset(explained)

    @property
    def book(self) -> BookOrSeries:
        """The edition that rated it."""
        return self._rated.rating.book

    @property
    def event(self) -> Event:
        """What the report says of the event."""
        return self._rated.event

    @property
    def report(self) -> Report:
        """The report, with what the players files added."""
        return self._ready

    @property
    def findings(self) -> Findings:
        """What was noticed."""
        return self._rated.rating.findings

    @property
    def rows(self) -> tuple[RatedRow, ...]:
        """The rows with all that is in them: standings, and games that still count."""
        return self._rated.rating.rows

    @property
    def players(self) -> list[dict[str, Any]]:
        """The rows as the command prints them in JSON."""
        return [row_as_dict(row, self._rated.persons) for row in self.rows]

    def as_dict(self) -> dict[str, Any]:
        """All of it as the command prints it in JSON."""
        return as_dict(self._rated)

    def rows_of_table(self) -> list[dict[str, Any]]:
        """The columns of the command's CSV."""
        persons = person_columns([self._rated])
        return [
            {name: _plain(getattr(each.row, name)) for name in COLUMNS}
            | {name: find(self._rated, each.row.id) for name, find in persons.items()}
            for each in self.rows
        ]

    @checked
    def explain(self, player: str) -> Explanation:
        """The change of a player, named by id, number, or how the name begins."""
        entry = player_meant(self._ready.entries, player)
        rows = self.rows
        if entry.id not in self._explained:
            rows = rate(self._ready, self.book, explain=(entry.id,)).rows
        return Explanation(entry, next(each for each in rows if each.row.id == entry.id))

    @checked
    def __getitem__(self, player: str) -> RatedRow:
        entry = player_meant(self._ready.entries, player)
        return next(each for each in self.rows if each.row.id == entry.id)

    def __iter__(self) -> Iterator[RatedRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        name = self.event.name or self._rated.path.name
        return f"<{name}: {len(self)} players rated by {self.book.name}>"


class RatingList(Table):
    """The rating list of a day."""

    def __init__(self, made: MadeList, listing: Listing) -> None:
        self.made, self.listing = made, listing

    @property
    def findings(self) -> Findings:
        """What was noticed."""
        return self.made.findings

    def rows_of_table(self) -> list[dict[str, Any]]:
        """The columns of the list."""
        return [{name: _plain(value) for name, value in row.items()} for row in self.listing.rows]

    def __len__(self) -> int:
        return len(self.listing.rows)

    def __repr__(self) -> str:
        return f"<{self.listing.title}: {len(self)} players>"


def _plain(value: Any) -> Any:
    """A word as a text, whatever it is in Python."""
    return str(value) if isinstance(value, str) else value
