"""Games, players and events as columns: what a history is rated from.

Every column is a NumPy array; ids are replaced by codes, which number the players,
events and sections in the order of their ids.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property
from operator import methodcaller

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ratingbook.engine.history.each_day import blocks
from ratingbook.engine.history.spans import Spans
from ratingbook.engine.loops.arrays import (
    BLACK_RATED,
    NO_CONDITIONS,
    WHITE_RATED,
    Games,
    columns_of_players,
)

Days = npt.NDArray[np.int32]
"""Days since 1970-01-01."""

Codes = npt.NDArray[np.int32]


@dataclass(frozen=True)
class GameColumns:
    """The games, in the order of the file.

    ``score`` is White's, in half points (0, 1, 2).  ``rated`` has the bits
    ``WHITE_RATED`` and ``BLACK_RATED``.  ``margin`` is what White won by, or
    ``NO_MARGIN``; ``neutral`` whether nobody is at home; ``status`` a member of
    :class:`~ratingbook.rules.bulk.Status`; ``reported`` the day on which the report came;
    ``white_rating`` and ``black_rating`` the numbers in force that the game itself names, or
    NOT_GIVEN; ``white_for`` and ``black_for`` whom those at the board replace, −1: nobody.
    A column that the file lacks is None: ``start`` is then ``day``, ``event`` one event for
    each day, ``section`` one for each event, ``round`` and ``margin`` unknown, every game
    even, played, rated for both and
    at White's home.
    """

    day: Days
    white: Codes
    black: Codes
    score: npt.NDArray[np.int8]
    start: Days | None = None
    event: Codes | None = None
    section: Codes | None = None
    round: npt.NDArray[np.int16] | None = None
    handicap: npt.NDArray[np.int8] | None = None
    rated: npt.NDArray[np.uint8] | None = None
    margin: npt.NDArray[np.int16] | None = None
    neutral: npt.NDArray[np.uint8] | None = None
    status: npt.NDArray[np.int8] | None = None
    reported: Days | None = None
    white_rating: npt.NDArray[np.float64] | None = None
    black_rating: npt.NDArray[np.float64] | None = None
    white_for: Codes | None = None
    black_for: Codes | None = None

    @property
    def begun(self) -> Days:
        """First day of each game."""
        return self.day if self.start is None else self.start

    @property
    def halves_left_out(self) -> int:
        """How many halves the games themselves say are not rated."""
        if self.rated is None:
            return 0
        return sum(
            int(np.count_nonzero(self.rated[part] & bit == 0))
            for part in blocks(len(self.rated)) for bit in (WHITE_RATED, BLACK_RATED)
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.day)


def conditions_of(columns: GameColumns) -> npt.NDArray[np.int32] | None:
    """Margin and ground as one number: twice the margin, and 1 more on neutral ground.

    One column, since every column that is handed on costs a batch some time.
    """
    if columns.margin is None and columns.neutral is None:
        return None
    found = np.full(len(columns), NO_CONDITIONS, np.int32)
    if columns.margin is not None:
        np.multiply(columns.margin, 2, out=found, dtype=np.int32)
    if columns.neutral is not None:
        found += columns.neutral
    return found


def who_plays(games: GameColumns | Games, count: int) -> npt.NDArray[np.bool_]:
    """Which of so many players games name."""
    # Nobody is −1, and has the place after the last.
    plays = np.zeros(count + 1, bool)
    for column in columns_of_players(games):
        for part in blocks(len(column)):
            plays[column[part]] = True
    return plays[:-1]


@dataclass(frozen=True)
class HistoryInput:
    """All that a history is rated from.

    ``players`` holds the ids in ascending order, those of the players file
    included; ``standings``, ``events`` and ``entries`` are what the files say, one
    row for each player, event, or event and player, with the codes in ``player`` and
    ``event``.
    """

    games: GameColumns
    players: pa.Array
    event_ids: pa.Array
    section_ids: pa.Array
    standings: pa.Table | None = None
    events: pa.Table | None = None
    entries: pa.Table | None = None
    decisions: pa.Table | None = None
    """What the office decided: ``player``, ``date``, ``kind``, ``value``."""
    left_out: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    """Rows of games that have no score yet, counted from 0 over all files; ascending."""
    sources: tuple[str, ...] = field(default=())
    """The files, for messages and for the fingerprint of a run."""

    @cached_property
    def spans(self) -> Spans | None:
        """The days of the events by their games; None where games name no event."""
        games, codes = self.games, self.games.event
        if codes is None:
            return None
        return Spans.of(games.begun, games.day, codes, len(self.event_ids))


def code_of(ids: pa.Array, asked: str | int) -> int:
    """Where an id is among ids that ascend, be they numbers or texts; −1: nowhere."""
    from ratingbook.engine.history.intake.arrays import texts_of

    try:
        wanted = texts_of(str(asked)).cast(ids.type)[0].as_py()
    except pa.ArrowInvalid:
        return -1
    code = bisect_left(ids, wanted, key=methodcaller("as_py"))
    return code if code < len(ids) and ids[code].as_py() == wanted else -1


def codes_of(ids: pa.Array, wanted: pa.Array) -> npt.NDArray[np.int64]:
    """Where the wanted ids are among ids; −1: nowhere."""
    import pyarrow.compute as pc

    from ratingbook.engine.history.intake.arrays import from_arrow, missing_in

    if ids is wanted or ids.equals(wanted):
        return np.arange(len(ids))
    try:
        found = pc.index_in(wanted.cast(ids.type), ids)
    except pa.ArrowInvalid:
        # Names where there are numbers now: none of them is known.
        return np.full(len(wanted), -1)
    codes = from_arrow(found).astype(np.int64)
    missing = missing_in(found)
    if missing is not None:
        codes[missing] = -1
    return codes
