"""What a run gives to the engine, as tables."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import pyarrow as pa

from ratingbook.office.logic.digests import table_digest

BORN, BORN_IN = "birth_date", "birth_year"
"""The columns of the players with what a rule may ask of an age: the day, else the year alone."""
_POOL = "pool"
"""The column of events with the pool that reports name."""
Born = date | int
"""When somebody was born: the day, or the year where no more is known."""
ADULT = "adult"
"""The column with what reports say instead of an age."""
REPLACED = ("white_for", "black_for")
"""The columns of the games with whom substitutes replaced."""
NO_SECTION = "-"
"""In what is fed: the section of a report that has none, where others have some."""
TABLES = ("games", "players", "events", "entries", "decisions", "differences", "others")


def columns_of_births(births: Sequence[Born | None]) -> dict[str, pa.Array]:
    """The columns of births: a year is for the rules where no day is known."""
    days = [each if isinstance(each, date) else None for each in births]
    years = [each if isinstance(each, int) else None for each in births]
    return {BORN: pa.array(days, pa.date32()), BORN_IN: pa.array(years, pa.int32())}


def told_anew(was: Fed, now: Fed) -> set[int]:
    """Of whom something else is fed, beside the games: a birth, an opening rating, a decision."""
    found: set[str] = set()
    for name, key in (("players", "id"), ("decisions", "player")):
        tables = [getattr(each, name) for each in (was, now)]
        if None in tables or not tables[0].equals(tables[1]):
            one, other = (
                {(row[key], repr(row)) for row in ([] if each is None else each.to_pylist())}
                for each in tables
            )
            found |= {player for player, _ in one ^ other}
    return set(map(int, found))


@dataclass(frozen=True)
class Fed:
    """What a run gives to the engine: the tables that ``ratingbook history`` takes, too.

    All but ``differences``: ``player``, ``date``, ``value`` and ``reason`` of what an office adds
    to a rating at the end of a day; and ``others``: ``player``, ``pool``, ``day``, ``key``,
    ``rating`` and ``games`` of what other pools of the federation have published.
    """

    games: pa.Table
    players: pa.Table | None = None
    events: pa.Table | None = None
    entries: pa.Table | None = None
    decisions: pa.Table | None = None
    differences: pa.Table | None = None
    others: pa.Table | None = None
    parts: pa.Table | None = None
    """What sections say of themselves, of events of which not all say the same."""
    reported: frozenset[str] = frozenset()
    """Columns of the players that reports say: these rules need not read all of them."""
    ledger: pa.ChunkedArray | None = None
    """What the ledger calls each game; it is not fed."""

    @property
    def has_beside(self) -> bool:
        """Whether more than the games moves ratings on the way, which no history of these has."""
        return self.differences is not None or self.others is not None

    def tables(self) -> Mapping[str, pa.Table]:
        """Those that there are, by name."""
        return {name: table for name in TABLES if (table := getattr(self, name)) is not None}

    def _told(self) -> Mapping[str, pa.Table]:
        """All that is fed."""
        return {**self.tables(), **({} if self.parts is None else {"parts": self.parts})}

    @property
    def known_of_players(self) -> Sequence[str]:
        """The columns of the players."""
        return [] if self.players is None else list(self.players.column_names)

    @property
    def births(self) -> Mapping[str, Born | None]:
        """When each player was born; empty where nothing is said of anybody."""
        if self.players is None:
            return {}
        own = [each for each in (BORN, BORN_IN) if each in self.known_of_players]
        said = [self.players[each].to_pylist() for each in own]
        ids = self.players["id"].to_pylist() if own else []
        return {
            player: next((each for each in values if each is not None), None)
            for player, *values in zip(ids, *said, strict=True)
        }

    def born(self, births: Mapping[str, Born | None]) -> Fed:
        """The same with other births of some players; None: of these nothing is known."""
        if self.players is None:
            return self
        now = {**dict.fromkeys(self.players["id"].to_pylist()), **self.births}
        every = [births.get(player, born) for player, born in now.items()]
        players = self.players
        for name, column in columns_of_births(every).items():
            if name in players.column_names:
                players = players.set_column(players.column_names.index(name), name, column)
            elif name == BORN or column.null_count < len(column):
                players = players.append_column(name, column)
        return replace(self, players=players)

    def without(self, *columns: str) -> Fed:
        """The same without some columns of the players."""
        gone = [each for each in columns if each in self.known_of_players]
        if self.players is None or not gone:
            return self
        return replace(self, players=self.players.drop_columns(gone))

    def as_of(self, digest: str) -> Fed:
        """The same as the run of a digest was fed it.

        Once no years of birth were fed, nothing of what sections say themselves, no word for the
        pool of an event, and nothing that other pools published; what was published then stays what
        it was.
        """
        is_by_years = BORN_IN in self.known_of_players
        found: list[Fed] = [self]
        # The newest first, which most were fed.
        if self.parts is not None:
            found += [replace(self, parts=None)]
        if is_by_years:
            found += [each.without(BORN_IN) for each in found]
        if self.events is not None and _POOL in self.events.column_names:
            events = self.events.drop_columns([_POOL])
            found += [replace(each, events=events) for each in found]
        if self.others is not None:
            found += [replace(each, others=None) for each in found]
        if len(found) == 1:
            return self
        return next((each for each in found if each.digest == digest), self)

    def adults(self, players: Collection[str]) -> Fed:
        """The same with these players alone said to be adult."""
        if self.players is None or ADULT not in self.players.column_names:
            return self
        said = pa.array([each in players or None for each in self.players["id"].to_pylist()],
                        pa.bool_())  # fmt: skip
        at = self.players.column_names.index(ADULT)
        return replace(
            self,
            players=self.players.set_column(at, ADULT, said)
            if players
            else self.players.drop_columns([ADULT]),
        )

    def is_same(self, other: Fed) -> bool:
        """Whether the same is fed; much faster than to compare digests."""
        mine, theirs = self._told(), other._told()
        return mine.keys() == theirs.keys() and all(mine[n].equals(theirs[n]) for n in mine)

    @property
    def digest(self) -> str:
        """SHA-256 over all that is fed."""
        parts = [f"{name}:{table_digest(table)}" for name, table in self._told().items()]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()
