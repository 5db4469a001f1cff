"""The games of a person that published runs rated, with the corrections that hold."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, Self

from django.db import connection

from ratingbook.model import Colour, Game, GameStatus, Result
from ratingbook.office.logic.fixes import fixed, told
from ratingbook.office.logic.printed import sides_of
from ratingbook.office.store.rows import is_among, these
from ratingbook.site.shown.as_rated import (
    Fixes,
    holding,
    is_any_fixed,
    kept_sections,
    moved,
    moved_sections,
)
from ratingbook.site.shown.events import EventNamed, day_of, event_named
from ratingbook.site.shown.persons import Identity, merged_at
from ratingbook.site.shown.pools import Published

_SIDES = ("white", "black")
_RESULTS = {0: Result.BLACK_WINS, 1: Result.DRAW, 2: Result.WHITE_WINS, None: Result.NONE}


@dataclass(frozen=True)
class GameOf:
    """A game as the office has it, with the corrections that hold; players are persons."""

    ledger: int
    """What the ledger calls it, which tells games alike apart."""
    number: int
    """Its place in the report, from 1."""
    event_id: str
    section: str
    named: EventNamed
    end: date | None
    reported: date | None
    """When the result came in, where that is said."""
    round: int | None
    white: int
    black: int
    half: int | None
    status: str
    rated: str
    handicap: int
    can_be_rated: bool
    """Whether the rules of the pool rate a game of that status at all."""
    of_substitute: bool = False
    """Whether a substitute had the side of the player whose games are asked for: it may be rated
    for the one or the other."""
    white_for: int | None = None
    """Whom the one at the board replaced as a substitute, where the rules ask for that."""
    black_for: int | None = None

    def game(self) -> Game:
        """As the engine has it."""
        return Game(
            str(self.white), str(self.black), _RESULTS[self.half], status=GameStatus(self.status),
            round=self.round, event=self.event_id, handicap=self.handicap,
            white_for=None if self.white_for is None else str(self.white_for),
            black_for=None if self.black_for is None else str(self.black_for),
        )  # fmt: skip

    def side_of(self, person: int) -> Colour | None:
        """The colour of a player, or of the substitute in the player's place; None: of neither."""
        if person in (self.white, self.white_for):
            return Colour.WHITE
        return Colour.BLACK if person in (self.black, self.black_for) else None

    def is_rated_for(self, person: int) -> bool:
        """Whether it was to be rated for one of its players."""
        return self.rated in ("both", self.side_of(person)) and self.can_be_rated

    def met_by(self, person: int) -> tuple[int, int | None]:
        """Whom one of its players met, and with how many half points."""
        if self.side_of(person) is Colour.WHITE:
            return self.black, self.half
        return self.white, None if self.half is None else 2 - self.half

    def replaced_by_opponent(self, person: int) -> int | None:
        """In whose place the opponent of one of its players played."""
        return self.black_for if self.side_of(person) is Colour.WHITE else self.white_for


def keys_of(
    one: Published, days: Iterable[date], named: EventNamed, event: str, section: str
) -> list[str]:
    """The batches in which a section is rated, of games that some days take."""
    if one.by_game:
        return sorted({one.batch_of(day, None) for day in days})
    if one.by_lists:
        taken = one.list_of(named.end) if named.end else None
        return [str(taken)] if taken else []
    return [event, f"{event}#{section}"] if section else [event]


_GAMES = """
SELECT r.run_id AS run, g.id AS ledger, s.id AS section_id, s.event, s.name AS section,
  {start} AS start, {end} AS "end", s.facts, v.report_id AS report, {day} AS day, g.reported,
  g.round, {white}.person_id AS white, {black}.person_id AS black, g.half_points AS half,
  g.status, g.rated, g.handicap, g.stable_key, g.number, NULL AS replaced, {sides},
  {of_substitute} AS of_substitute, {white_for} AS white_for, {black_for} AS black_for
FROM office_link mine
JOIN office_game g ON g.{side}_id = mine.entry_id
JOIN office_link other ON other.entry_id = g.{against}_id
JOIN office_section s ON s.id = g.section_id
JOIN office_reportversion v ON v.id = s.version_id
JOIN office_runsection r ON r.section = s.id AND {of_runs}
JOIN office_run u ON u.id = r.run_id
WHERE {own} AND {mine_holds} AND {other_holds} AND {in_events}
"""
"""The games of a person with one colour."""
_ENTRIES = ", ".join(
    f"(SELECT e.{each} FROM office_entry e WHERE e.id = g.{side}_id) AS {side}_{each}"
    for side in _SIDES
    for each in ("number", "name", "printed")
)
"""What the report calls who plays, as corrections name entries."""
_OF_SUBSTITUTE = """EXISTS (SELECT 1 FROM office_substitution x WHERE x.version_id = s.version_id
  AND x.number = g.number AND x.side = '{side}')"""
_REPLACED_ON = """(SELECT they.person_id FROM office_substitution z
  JOIN office_link they ON they.entry_id = z.entry_id
  WHERE z.version_id = s.version_id AND z.number = g.number AND z.side = '{side}'
    AND {they_hold})"""
"""Whom a substitute replaced on a side of a game."""
_REPLACED = """
SELECT r.run_id AS run, g.id AS ledger, s.id AS section_id, s.event, s.name AS section,
  {start} AS start, {end} AS "end", s.facts, v.report_id AS report, {day} AS day, g.reported,
  g.round, white.person_id AS white, black.person_id AS black, g.half_points AS half,
  g.status, g.rated, g.handicap, g.stable_key, g.number, x.side AS replaced, {sides},
  1 = 1 AS of_substitute, {white_for} AS white_for, {black_for} AS black_for
FROM office_link mine
JOIN office_substitution x ON x.entry_id = mine.entry_id
JOIN office_section s ON s.version_id = x.version_id
JOIN office_game g ON g.section_id = s.id AND g.number = x.number
JOIN office_link white ON white.entry_id = g.white_id
JOIN office_link black ON black.entry_id = g.black_id
JOIN office_reportversion v ON v.id = s.version_id
JOIN office_runsection r ON r.section = s.id AND {of_runs}
JOIN office_run u ON u.id = r.run_id
WHERE {own} AND {mine_holds} AND {white_holds} AND {black_holds} AND {in_events}
"""
"""The games that substitutes played in the place of a person."""


class _Named(NamedTuple):
    """What a report calls who plays."""

    number: str
    name: str
    printed: Mapping[str, Any]

    @classmethod
    def of(cls, row: Mapping[str, Any], side: str) -> Self:
        """From the row of a query."""
        printed = row[f"{side}_printed"]
        said = json.loads(printed) if isinstance(printed, str) else printed
        return cls(row[f"{side}_number"], row[f"{side}_name"], said)


def games_of(
    pools: Collection[Published], events: Collection[str], who: Identity
) -> dict[int, list[GameOf]]:
    """The games of a person in some events, by the run that rated them, in their order.

    As that run was fed them, so that they go with its numbers.
    """
    found: dict[int, list[GameOf]] = {one.run.id: [] for one in pools}
    if not events or not pools:
        return found
    kept = kept_sections(pools)
    parts = {
        f"{each}_holds": holding(each, "s.id", "u.upto", kept)
        for each in ("mine", "other", "white", "black")
    } | {
        "of_runs": is_among("r.run_id"), "own": is_among("mine.person_id"),
        "in_events": is_among("s.event"),
    }  # fmt: skip
    days, columns_of_days = moved_sections(pools), ("s.start", 's."end"', 'g."end"')
    for name, column in zip(("start", "end", "day"), columns_of_days, strict=True):
        parts[name] = moved(column, "s.id", days)
    parts["sides"] = _ENTRIES if is_any_fixed() else "NULL"
    ask = any(one.knows_substitutes for one in pools)
    hold = holding("they", "s.id", "u.upto", kept)
    for side in _SIDES:
        on_side = _REPLACED_ON.format(side=side, they_hold=hold)
        parts[f"{side}_for"] = on_side if ask else "NULL"
    queries = [
        _GAMES.format(
            side=side, against=against, **{side: "mine", against: "other"},
            of_substitute=_OF_SUBSTITUTE.format(side=side) if ask else "1 = 0", **parts,
        )
        for side, against in (("white", "black"), ("black", "white"))
    ]  # fmt: skip
    if ask:
        queries.append(_REPLACED.format(**parts))
    values = [these(found), these(who.numbers), these(sorted(events))]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(queries), values * len(queries))
        columns = [each[0] for each in cursor.description]
        rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    rows.sort(key=lambda row: (row["end"] or date.min, row["event"], row["round"] or 0,
                               row["number"]))  # fmt: skip
    upto = {one.run.id: one.run.upto for one in pools}
    never = {one.run.id: one.never_rated for one in pools}
    merged = {one.run.id: merged_at(one.run.upto) for one in pools}
    fixes = Fixes()
    for raw in rows:
        row = raw
        if said := fixes.of(raw["stable_key"], kept.get(raw["section_id"], upto[raw["run"]])):
            row = fixed(raw, told(said, sides_of(*(_Named.of(raw, side) for side in _SIDES))))
        is_now = merged[row["run"]]
        white, black = (is_now.get(row[side], row[side]) for side in _SIDES)
        replaced = [is_now.get(row[key], row[key]) for key in ("white_for", "black_for")]
        if row["white"] != raw["white"]:
            # With the colours turned the substitute has the other one, too.
            replaced.reverse()
        # Merged by now with one of the two who played: nobody was replaced.
        white_for, black_for = (None if one in (white, black) else one for one in replaced)
        if row["replaced"] and who.person in (white, black):
            continue
        found[row["run"]].append(
            GameOf(
                ledger=raw["ledger"], number=raw["number"], event_id=row["event"],
                section=row["section"] or "", named=event_named(row["report"], row),
                end=day_of(row["day"]), reported=day_of(row["reported"]), round=row["round"],
                white=white, black=black, half=row["half"], status=row["status"],
                rated=row["rated"], handicap=row["handicap"],
                can_be_rated=GameStatus(row["status"]) not in never[row["run"]],
                of_substitute=bool(row["of_substitute"]),
                white_for=white_for, black_for=black_for,
            )
        )  # fmt: skip
    return found
