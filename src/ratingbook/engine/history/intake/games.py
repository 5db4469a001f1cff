"""Games of files and tables, chunk by chunk into columns of their final types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ratingbook.engine.history.columns import Codes, GameColumns
from ratingbook.engine.history.intake.arrays import Mask, to_arrow
from ratingbook.engine.history.intake.checks import (
    DATE,
    NO_VALUE,
    add_wrong_type,
    check_columns,
    tell_foreign,
)
from ratingbook.engine.history.intake.faults import Faults, Kind, value_at
from ratingbook.engine.history.intake.grow import Growing
from ratingbook.engine.history.intake.ids import IdSpace
from ratingbook.engine.history.intake.pools import COLUMNS, TIME_CONTROL
from ratingbook.engine.history.intake.sources import Source, add_unreadable
from ratingbook.engine.history.intake.values import (
    FIRST_DAY,
    LAST_DAY,
    STATUSES_OF_GAMES,
    Reader,
    WrongType,
    days,
    flags,
    half_points,
    numbers,
    rated_sides,
    read,
    statuses,
    whole_numbers,
)
from ratingbook.engine.loops.arrays import BLACK_RATED, NO_MARGIN, WHITE_RATED
from ratingbook.model import MOST_STONES, Findings, Place, Severity
from ratingbook.rules.bulk import NOT_GIVEN

_LARGEST = 10**9
"""No rating is larger: what is, is a slip."""
REQUIRED = ("date", "white", "black", "score")
NO_GAMES = "history.empty"
OPTIONAL = (
    "event", "round", "handicap", "rated", "start", "section", "margin", "neutral", "status",
    "reported", "white_rating", "black_rating", "white_for", "black_for", *COLUMNS,
)  # fmt: skip

_UNFINISHED = Kind(
    "history.unfinished",
    "A game has no score; it is left out",
    "{count} games have no score; they are left out",
    "Add the scores, or take out what was not played.",
    Severity.WARNING,
)
_SCORE = Kind(
    "history.score",
    "A score is none of 1, 0.5 and 0",
    "{count} scores are none of 1, 0.5 and 0",
    "Write White's score; take out games that were not played.",
)
_ROUND = Kind(
    "history.round",
    "A round is no whole number from 0 to 30000",
    "{count} rounds are no whole numbers from 0 to 30000",
    "Number the rounds of each event.",
)
_HANDICAP = Kind(
    "history.handicap",
    f"A handicap is no whole number from 0 to {MOST_STONES}",
    f"{{count}} handicaps are no whole numbers from 0 to {MOST_STONES}",
    "Write the number of stones, 0 for an even game; leave out a game in which more were given.",
)
_RATED = Kind(
    "history.rated",
    "A value of rated is not understood",
    "{count} values of rated are not understood",
    "Write true or false, or both, white, black or none for the sides that are rated.",
)
_MARGIN = Kind(
    "history.margin",
    "A margin is no whole number from −30000 to 30000",
    "{count} margins are no whole numbers from −30000 to 30000",
    "Write by how many points White won, with a minus where Black did.",
)
_NEUTRAL = Kind(
    "history.neutral",
    "A value of neutral is not understood",
    "{count} values of neutral are not understood",
    "Write true where nobody was at home, else false.",
)
_STATUS = Kind(
    "history.status",
    "A status of a game is not understood",
    "{count} statuses of games are not understood",
    f"Write {', '.join(STATUSES_OF_GAMES)}, or nothing for a game that was played.",
)
_NAMED = Kind(
    "history.value",
    "A value of {column} is not understood",
    "{count} values of {column} are not understood",
    "Write the rating in force for that game, or nothing where it is that of the list.",
)
_REPLACED = Kind(
    "history.substitute",
    "In a game a substitute replaces one of the two at the board",
    "In {count} games a substitute replaces one of the two at the board",
    "white_for and black_for name the players who should have played.",
)
_OTHER_WINNER = Kind(
    "history.margin-of-other",
    "The margin and the score of a game name different winners; the score is followed",
    "The margins and the scores of {count} games name different winners; the scores are followed",
    "The margin counts from White's side: positive where White won, 0 for a draw.",
    Severity.WARNING,
)
_START = Kind(
    "history.start",
    "A game started after its date",
    "{count} games started after their dates",
    "The date is the day on which the game ended; start is not later.",
)
_SAME_PLAYER = Kind(
    "history.same-player",
    "A game has the same player on both sides",
    "{count} games have the same player on both sides",
    "Correct one of the sides.",
)


@dataclass(frozen=True)
class _Column:
    """How the values of a column are read and kept."""

    reader: Reader
    dtype: type[np.generic]
    bad: Kind
    required: bool = False
    absent: int = 0
    """What stands for no value."""
    unreadable: int = 0
    """What stands for one that refuses the games, so that nothing else is told of it."""


VALUES: Mapping[str, _Column] = {
    "date": _Column(days, np.int32, DATE, required=True, unreadable=LAST_DAY),
    "start": _Column(days, np.int32, DATE, unreadable=FIRST_DAY),
    "round": _Column(whole_numbers(0, 30_000, np.int16), np.int16, _ROUND),
    "handicap": _Column(whole_numbers(0, MOST_STONES, np.int8), np.int8, _HANDICAP),
    "rated": _Column(rated_sides, np.uint8, _RATED, absent=WHITE_RATED | BLACK_RATED),
    "margin": _Column(
        whole_numbers(-30_000, 30_000, np.int16), np.int16, _MARGIN, absent=NO_MARGIN
    ),
    "neutral": _Column(flags, np.uint8, _NEUTRAL),
    "status": _Column(statuses, np.int8, _STATUS),
    "reported": _Column(days, np.int32, DATE, absent=FIRST_DAY, unreadable=FIRST_DAY),
    "white_rating": _Column(numbers(_LARGEST), np.float64, _NAMED, absent=NOT_GIVEN),
    "black_rating": _Column(numbers(_LARGEST), np.float64, _NAMED, absent=NOT_GIVEN),
}
"""The columns that are no ids; the score is read before them."""
IDS = {
    "white": "player", "black": "player", "event": "event", "section": "section",
    "white_for": "player", "black_for": "player", **dict.fromkeys(COLUMNS, "pool"),
}  # fmt: skip
"""The columns of ids and what they name."""
_FOR = ("white_for", "black_for")
"""Those of them that mostly name nobody."""


def tell_empty(file: str, findings: Findings, *, among_others: bool) -> None:
    """A file without a game, which is no matter where others have some."""
    findings.add(
        Severity.WARNING if among_others else Severity.ERROR,
        NO_GAMES,
        "There is no game.",
        Place(file=file),
        "Write a row for each game, below the names of the columns.",
    )


@dataclass(frozen=True, slots=True)
class _Span:
    """Where the rows of a chunk went; ``kept`` are those of its rows that did."""

    start: int
    source: Source
    first_row: int
    kept: npt.NDArray[np.int64] | None

    def row(self, place: int) -> int:
        """The row of the source that went to ``place``, counted in this chunk."""
        return self.first_row + (place if self.kept is None else int(self.kept[place]))


class GameReader:
    """Takes in games; ids are codes only after their spaces were numbered."""

    def __init__(
        self, spaces: Mapping[str, IdSpace], faults: Faults, columns: Sequence[str]
    ) -> None:
        self._columns = columns
        self._faults = faults
        self._spans: list[_Span] = []
        self._rows = 0
        self._left_out: list[npt.NDArray[np.int64]] = []
        self._points = Growing(np.dtype(np.int8))
        self._values = {
            name: Growing(np.dtype(column.dtype))
            for name, column in VALUES.items()
            if name in columns
        }
        # A section without a name is the event's only one; a pool need not be said.
        self._ids = {
            name: spaces[named].column(blank_is_id=name in ("section", *COLUMNS))
            for name, named in IDS.items()
            if name in columns
        }
        self._nobody = {name: Growing(np.dtype(np.bool_)) for name in _FOR if name in columns}

    def take_all(
        self, given: Sequence[Source], findings: Findings, *, may_be_empty: bool = False
    ) -> None:
        """Read the games of all sources in their order."""
        rows = [source.rows for source in given]
        if None not in rows:
            total = sum(count or 0 for count in rows)
            for values in (self._points, *self._values.values()):
                values.reserve(total)
            for ids in self._ids.values():
                ids.reserve(total)
        counts = [self.take(source, findings) for source in given]
        for source, count in zip(given, counts, strict=True):
            if count == 0 and not may_be_empty:
                tell_empty(source.name, findings, among_others=any(counts))

    def take(self, source: Source, findings: Findings) -> int | None:
        """Read all games of ``source``; damage and columns of a wrong type are findings.

        Gives the number of its rows; None: it cannot be read.
        """
        first_row = 0
        wrong: set[str] = set()
        try:
            for chunk in source.chunks(self._columns):
                self._take_chunk(chunk, source, first_row, wrong, findings)
                first_row += len(chunk)
        except (pa.ArrowException, ValueError, OSError, MemoryError) as error:
            add_unreadable(source.name, error, findings)
            return None
        return first_row

    def _take_chunk(
        self,
        chunk: pa.RecordBatch,
        source: Source,
        first_row: int,
        wrong: set[str],
        findings: Findings,
    ) -> None:
        arrays: dict[str, pa.Array] = dict(zip(chunk.schema.names, chunk.columns, strict=True))
        span = _Span(len(self._points), source, first_row, None)
        self._spans.append(span)
        # After a column of a wrong type nothing can come of it; the others are still checked.
        for name in sorted(self._columns, key=lambda name: name != "score"):
            if name in wrong:
                continue
            try:
                if name == "score":
                    arrays, span = self._take_score(arrays, span)
                elif name in self._ids:
                    self._take_ids(name, arrays[name], span)
                else:
                    self._take_values(name, arrays[name], span)
            except WrongType as error:
                wrong.add(name)
                add_wrong_type(name, arrays[name].type, error, source.name, findings)
        if "start" in self._columns and not wrong & {"start", "date", "score"}:
            self._check_start(span)
        if "margin" in self._columns and not wrong & {"margin", "score"}:
            self._check_margin(span)

    def _take_score(
        self, arrays: dict[str, pa.Array], span: _Span
    ) -> tuple[dict[str, pa.Array], _Span]:
        """Keep the scores; leave out the rows of games that have none."""
        array = arrays["score"]
        points = read(array, half_points)
        self._note(_SCORE, "score", points.bad, span, array)
        data = points.data
        rows, self._rows = self._rows, self._rows + len(array)
        if points.missing is not None and points.missing.any():
            self._note(_UNFINISHED, "score", points.missing, span)
            self._left_out.append(rows + np.flatnonzero(points.missing))
            kept = np.flatnonzero(~points.missing)
            data = data[kept]
            places = to_arrow(kept)
            arrays = {name: _takeable(values).take(places) for name, values in arrays.items()}
            span = _Span(span.start, span.source, span.first_row, kept)
            self._spans[-1] = span
        self._points.extend(len(data))[:] = data
        return arrays, span

    @property
    def left_out(self) -> npt.NDArray[np.int64]:
        """Rows of unfinished games, counted from 0 over all sources."""
        return np.concatenate([np.empty(0, np.int64), *self._left_out])

    def _take_ids(self, name: str, array: pa.Array, span: _Span) -> None:
        missing = self._ids[name].append(array, undecided=span.source.typeless)
        if name in self._nobody:
            self._nobody[name].extend(len(array))[:] = False if missing is None else missing
        else:
            self._note(NO_VALUE, name, missing, span)

    def _take_values(self, name: str, array: pa.Array, span: _Span) -> None:
        column = VALUES[name]
        found = read(array, column.reader)
        self._note(column.bad, name, found.bad, span, array)
        data = found.data
        if column.required:
            self._note(NO_VALUE, name, found.missing, span)
        elif name == "start" and found.missing is not None and found.missing.any():
            # Without a start the game started on its date.
            data = np.where(found.missing, self._values["date"].array[-len(data) :], data)
        elif found.missing is not None and found.missing.any():
            data = np.where(found.missing, column.absent, data)
        for lost in (found.bad, found.missing if column.required else None):
            if lost is not None and lost.any():
                data = np.where(lost, column.unreadable, data)
        self._values[name].extend(len(data))[:] = data

    def _check_start(self, span: _Span) -> None:
        start = self._values["start"].array[span.start :]
        day = self._values["date"].array[span.start :]
        if len(start) == len(day):
            self._note(_START, "start", start > day, span)

    def _check_margin(self, span: _Span) -> None:
        margin = self._values["margin"].array[span.start :]
        won = self._points.array[span.start :] - 1
        # Who won without a margin, say by lot, may have none; who drew has none either.
        other = (margin != NO_MARGIN) & (np.sign(margin) != won) & (margin != 0)
        self._note(_OTHER_WINNER, "margin", other, span)

    def _note(
        self,
        kind: Kind,
        column: str,
        mask: Mask | None,
        span: _Span,
        array: pa.Array | None = None,
    ) -> None:
        """Note the rows that ``mask`` marks; ``array`` holds their values, for the message."""
        if mask is None or not mask.any():
            return
        first = int(mask.argmax())
        value = None if array is None else value_at(array, first)
        count = int(np.count_nonzero(mask))
        self._faults.add(kind, column, span.source, span.row(first), count, value)

    def check_sides(self) -> None:
        """Note games with the same player on both sides; ids must be numbered."""
        white, black = self._ids["white"].codes, self._ids["black"].codes
        if len(white) != len(black) or not self._spans:
            # A column of a wrong type was left out, or there is no game.
            return
        ends = [*(span.start for span in self._spans[1:]), len(white)]
        for span, end in zip(self._spans, ends, strict=True):
            part = slice(span.start, end)
            self._note(_SAME_PLAYER, "white", white[part] == black[part], span)
            for name in self._nobody:
                replaced = self._codes(name)
                if len(replaced) == len(white):
                    at_board = (replaced[part] == white[part]) | (replaced[part] == black[part])
                    self._note(_REPLACED, name, at_board, span)

    def _codes(self, name: str) -> Codes:
        """The codes of a column of ids, −1 where it names nobody; ids must be numbered."""
        codes = self._ids[name].codes
        if name not in self._nobody:
            return codes
        nobody: Codes = np.where(self._nobody[name].array, np.int32(-1), codes)
        return nobody

    @property
    def pools(self) -> Codes | None:
        """The pools that the games name, or their time controls; ids must be numbered.

        None without such a column.
        """
        column = column_of_pools(self._columns)
        return self._codes(column) if column else None

    def columns_read(self) -> GameColumns:
        """The games; ids must be numbered."""
        arrays: dict[str, Any] = {name: column.array for name, column in self._values.items()}
        arrays |= {name: self._codes(name) for name in self._ids if name not in COLUMNS}
        return GameColumns(day=arrays.pop("date"), score=self._points.array, **arrays)


def _takeable(values: pa.Array) -> pa.Array:
    """Arrow cannot yet pick rows of the texts that Polars writes."""
    return values.cast(pa.large_string()) if values.type == pa.string_view() else values


def column_of_pools(columns: Sequence[str]) -> str:
    """The column by which games say their pool; empty: there is none."""
    return next((name for name in COLUMNS if name in columns), "")


def columns_of(
    given: Sequence[Source], findings: Findings, *, with_pools: bool = True
) -> tuple[str, ...]:
    """The columns of games that all sources have; what is wrong with the columns is a finding.

    Time controls are of use only ``with_pools``, and beside a column of pools of none.
    """
    games = [source for source in given if set(REQUIRED) <= set(source.known)] or given
    for source in given:
        if source in games:
            check_columns(source, REQUIRED, OPTIONAL, findings)
        else:
            tell_foreign(source, REQUIRED, findings)
    named = [name for name in (*REQUIRED, *OPTIONAL) if any(name in s.known for s in games)]
    for name in named:
        without = next((source for source in games if name not in source.known), None)
        if without is not None and name in OPTIONAL:
            findings.add(
                Severity.ERROR,
                "history.columns-differ",
                f"The column {name} is missing here, and other files of games have it.",
                Place(file=without.name),
                "Give the column to all files of games, or to none.",
            )
    if TIME_CONTROL in named and not (with_pools and column_of_pools(named) == TIME_CONTROL):
        named.remove(TIME_CONTROL)
    return tuple(named)
