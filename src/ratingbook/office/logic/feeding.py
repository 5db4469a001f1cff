"""From the facts as columns to what the engine is fed, with corrections laid over them.

What corrections say is laid over the columns in one place, whether they hold already or are
only tried in a preview; so a preview reads nothing again.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.model import Game, GameStatus
from ratingbook.office.engine.fed import (
    NO_SECTION,
    REPLACED,
    Born,
    Fed,
    columns_of_births,
)
from ratingbook.office.logic.fixes import fixed
from ratingbook.office.logic.order import order_of

Array = np.ndarray[Any, Any]

GAMES = pa.schema(
    {
        "game": pa.int64(), "number": pa.int64(), "date": pa.date32(), "event": pa.string(),
        "section": pa.string(), "round": pa.int32(), "white": pa.int64(), "black": pa.int64(),
        "half": pa.int32(), "status": pa.string(), "rated": pa.string(), "handicap": pa.int32(),
        "start": pa.date32(), "reported": pa.date32(),
    }
)  # fmt: skip
"""``number`` is that of the section; ``white`` and ``black`` are persons as linked, whoever
they were merged with; ``half`` are White's half points, none without a result."""
PEOPLE = pa.schema(
    {"person": pa.int64(), "birth_date": pa.date32(), "birth_year": pa.int32(),
     "sex": pa.string()}
)  # fmt: skip
SECTIONS = pa.schema(
    {"number": pa.int64(), "event": pa.string(), "start": pa.date32(), "end": pa.date32(),
     "facts": pa.string()}
)  # fmt: skip
GRADES = pa.schema({"number": pa.int64(), "person": pa.int64(), "grade": pa.string()})
OPENINGS = pa.schema({"fact": pa.int64(), "person": pa.int64(), "value": pa.string()})
DECISIONS = pa.schema(
    {"fact": pa.int64(), "person": pa.int64(), "date": pa.date32(), "kind": pa.string(),
     "value": pa.float64(), "reason": pa.string()}
)  # fmt: skip
CONDITIONS = pa.schema(
    {
        "game": pa.int64(), "number": pa.int64(), "white": pa.int64(), "black": pa.int64(),
        "half": pa.int32(), "margin": pa.int32(), "neutral": pa.bool_(),
        "white_rating": pa.float64(), "black_rating": pa.float64(), "left": pa.bool_(),
        "white_for": pa.int64(), "black_for": pa.int64(),
    }
)  # fmt: skip
"""Of the few games of which a report says more, as it was reported; ``left``: it leaves it to the
rules whether the game is rated.  ``white_for`` and ``black_for`` are the persons, as linked, whom
substitutes replaced."""


def condition_of(game: Game) -> tuple[Any, ...]:
    """What a report says more of a game, in the columns of :data:`CONDITIONS` but persons."""
    is_left = game.status is GameStatus.WITHDRAWN and not game.rated_said
    return game.margin, game.neutral, game.white_rating, game.black_rating, is_left


SAID = pa.schema(
    {"number": pa.int64(), "person": pa.int64(), "start": pa.date32(), "value": pa.string()}
)
"""What reports say of players by the columns of a players file, as JSON."""
OTHERS = pa.schema(
    {"person": pa.int64(), "pool": pa.string(), "day": pa.date32(), "key": pa.string(),
     "rating": pa.float64(), "games": pa.int32()}
)  # fmt: skip
"""What other pools of the federation have published, in the order in which they did."""
DIFFERENCE = "difference"
"""The kind of a decision that adds to a rating at the end of its day."""
_SAID_OF_EVENTS = ("kind", "class", "level", "time_control", "category", "rounds", "pool")
_TYPES = {"start": pa.date32(), "end": pa.date32(), "level": pa.float64(), "rounds": pa.int32()}
_BOTH = ("white", "black")
_ORDER = ("date", "event", "section", "round", "game")
"""Of the games, by code points: databases sort texts in ways of their own."""


def laid_out(rows: Sequence[Sequence[Any]], schema: pa.Schema) -> pa.Table:
    """Rows as a table of a schema."""
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(c, kind) for c, kind in zip(columns, schema.types, strict=True)]
    return pa.table(arrays, schema=schema)


@dataclass(frozen=True)
class Raw:
    """The facts of a pool as columns: its sections that are ready, and who played in them."""

    games: pa.Table
    people: pa.Table
    sections: pa.Table
    grades: pa.Table
    openings: pa.Table
    """Of a person the newest last, which holds; null: comes in with nothing."""
    decisions: pa.Table
    """What the office decided from a day on; the newest last."""
    conditions: pa.Table = field(default_factory=CONDITIONS.empty_table)
    said: pa.Table = field(default_factory=SAID.empty_table)
    others: pa.Table = field(default_factory=OTHERS.empty_table)
    """Of all persons; no snapshot holds it."""

    def tables(self) -> Mapping[str, pa.Table]:
        """Those of a snapshot, by name."""
        return {name: getattr(self, name) for name in SCHEMAS}

    def only(self, sections: Iterable[int]) -> Raw:
        """These sections of it."""
        kept = pa.array(sorted(sections), pa.int64())
        # To copy a million games takes longer than to look which there are.
        if pc.all(pc.is_in(self.sections["number"], value_set=kept)).as_py():
            return self
        tables = {
            name: table.filter(pc.is_in(table["number"], value_set=kept))
            for name, table in self.tables().items()
            if "number" in table.column_names
        }
        return replace(self, **tables)

    def without(self, sections: Iterable[int]) -> Raw:
        """Without some sections."""
        out = pa.array(sorted(sections), pa.int64())
        tables = {}
        for name in ("games", *_JOINED):
            table = getattr(self, name)
            kept = pc.invert(pc.is_in(table["number"], value_set=out))
            tables[name] = table.filter(kept).combine_chunks()
        return replace(self, **tables)

    def joined(self, other: Raw) -> Raw:
        """With the sections of another one of the same pool."""
        tables = {}
        for name in _JOINED:
            both = pa.concat_tables([getattr(self, name), getattr(other, name)])
            tables[name] = both.combine_chunks()
        tables["games"] = _merged(self.games, other.games)
        return replace(self, **tables)

    def knowing(self, other: Raw) -> Raw:
        """With the conditions of games of another one, which are laid over these."""
        known = set(self.conditions["game"].to_pylist())
        new = [game not in known for game in other.conditions["game"].to_pylist()]
        more = other.conditions.filter(pa.array(new, pa.bool_()))
        return replace(self, conditions=pa.concat_tables([self.conditions, more]))


SCHEMAS: Mapping[str, pa.Schema] = {
    "games": GAMES, "people": PEOPLE, "sections": SECTIONS, "grades": GRADES,
    "openings": OPENINGS, "decisions": DECISIONS, "conditions": CONDITIONS, "said": SAID,
}  # fmt: skip
_JOINED = ("sections", "grades", "conditions", "said")
"""The tables by sections, beside the games."""


@dataclass(frozen=True)
class Overlay:
    """What corrections say otherwise than the columns."""

    games: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    """By the number of the game what holds of it (``fixes.told``); ``half`` None takes it out."""
    players: Mapping[tuple[int, str], int] = field(default_factory=dict)
    """By game and side: the person who played it."""
    entries: Mapping[tuple[int, int], int] = field(default_factory=dict)
    """By section and person: who that entry is instead."""
    days: Mapping[int, int] = field(default_factory=dict)
    """By section: days by which it is moved."""
    without: frozenset[int] = frozenset()
    """Sections that are taken out."""
    openings: Mapping[int, Mapping[str, Any] | None] = field(default_factory=dict)
    """By person: with what they come into the pool; None: with nothing."""
    undone: frozenset[int] = frozenset()
    """Facts by which nothing is decided any more."""
    decisions: Sequence[tuple[int, date, str, float, str]] = ()
    """Person, day, kind, value and reason of what is decided besides."""


@dataclass(frozen=True)
class Basis:
    """Something that was fed, and of what: most corrections leave players and events as they are.

    In a pool of a million games these take longer than the games.
    """

    raw: Raw
    merged: Mapping[int, int]
    overlay: Overlay
    fed: Fed

    def has_players(self, raw: Raw, merged: Mapping[int, int], overlay: Overlay) -> bool:
        """Whether all that is known of players but who plays is the same."""
        mine = (self.merged, self.overlay.openings, self.overlay.undone)
        same = raw.people is self.raw.people and raw.openings is self.raw.openings
        if len(raw.said) or len(self.raw.said):
            told = (self.overlay.without, self.overlay.entries)
            same &= raw.said is self.raw.said and told == (overlay.without, overlay.entries)
        return same and mine == (merged, overlay.openings, overlay.undone)

    def has_events(self, raw: Raw, overlay: Overlay) -> bool:
        """Whether the events are the same."""
        mine = (self.overlay.days, self.overlay.without)
        return raw.sections is self.raw.sections and mine == (overlay.days, overlay.without)

    @cached_property
    def played(self) -> set[int]:
        """The persons with a game."""
        return persons_in(self.fed.games)


def persons_in(games: pa.Table) -> set[int]:
    """Who has a game, or was replaced by a substitute in one."""
    sides = [each for each in (*_BOTH, *REPLACED) if each in games.column_names]
    found = {person for side in sides for person in pc.unique(games[side]).to_pylist()}
    return {int(person) for person in found if person is not None}


def feed(
    raw: Raw, merged: Mapping[int, int], overlay: Overlay = Overlay(), basis: Basis | None = None
) -> Fed:
    """What the rules are fed; ``merged`` says who each merged person is."""
    return feed_of(games_of(raw.games, merged, overlay), raw, merged, overlay, basis)


def feed_of(
    games: pa.Table, raw: Raw, merged: Mapping[int, int], overlay: Overlay,
    basis: Basis | None = None,
) -> Fed:  # fmt: skip
    """The same with games that are settled already, as :func:`games_of` gives them."""
    decided = list(_decided(raw.decisions, merged, overlay))
    columns = _with_conditions(_columns(games), games, raw.conditions, merged, overlay)
    replaced = [each for each in REPLACED if each in columns.column_names]
    played = persons_in(games)
    if replaced:
        played |= persons_in(columns)
    known = basis is not None and basis.has_players(raw, merged, overlay)
    said = _said(raw, merged, overlay)
    players = (
        basis.fed.players
        if basis is not None and known and played == basis.played
        else _players(raw, merged, overlay, played, said)
    )
    return Fed(
        _told(columns),
        players,
        basis.fed.events
        if basis is not None and basis.has_events(raw, overlay)
        else _events(raw.sections, overlay),
        _entries(raw, merged, overlay),
        _decisions([each for each in decided if each[2] != DIFFERENCE]),
        differences=_differences([each for each in decided if each[2] == DIFFERENCE]),
        others=_others(raw.others, merged, played, players),
        parts=_parts(raw.sections, games, overlay),
        reported=frozenset(key for value in said.values() for key in value),
        ledger=games["game"],
    )


def _others(
    said: pa.Table, merged: Mapping[int, int], played: set[int], players: pa.Table | None
) -> pa.Table | None:
    """What other pools tell of those who play in this one, or have a rating there."""
    if not len(said):
        return None
    known = played if players is None else played.union(map(int, players["id"].to_pylist()))
    persons = _canonical(said["person"], merged)
    kept = pa.array(np.isin(persons, list(known)))
    player = pa.array(persons.astype(str), pa.string())
    told = said.set_column(0, "player", player).filter(kept).combine_chunks()
    return told if len(told) else None


def games_of(raw: pa.Table, merged: Mapping[int, int], overlay: Overlay) -> pa.Table:
    """The games as corrections say, in the columns of :data:`GAMES`, in their order.

    One without a result, or of a person against himself, is none.
    """
    if overlay.without:
        out = pa.array(sorted(overlay.without), pa.int64())
        raw = raw.filter(pc.invert(pc.is_in(raw["number"], value_set=out)))
    raw = _moved(_fixed(raw, overlay), overlay)
    white, black = (_canonical(raw[side], merged) for side in ("white", "black"))
    kept = np.flatnonzero((white != black) & np.asarray(raw["half"].is_valid()))
    if len(kept) < len(raw):
        raw, white, black = raw.take(pa.array(kept)), white[kept], black[kept]
    for side, persons in (("white", white), ("black", black)):
        index = raw.column_names.index(side)
        raw = raw.set_column(index, side, pa.array(persons, pa.int64()))
    return raw


def _columns(raw: pa.Table) -> pa.Table:
    """The columns that are fed."""
    columns: dict[str, Any] = {"date": raw["date"], "event": raw["event"]}
    if pc.any(pc.not_equal(raw["section"], "")).as_py():
        named = raw["section"]
        columns["section"] = pc.if_else(pc.equal(named, ""), NO_SECTION, named)
    columns["round"] = raw["round"]
    columns |= {side: raw[side].cast(pa.string()) for side in ("white", "black")}
    columns["score"] = pc.divide(raw["half"].cast(pa.float64()), 2.0)
    columns |= {name: raw[name] for name in ("status", "rated")}
    if pc.any(pc.greater(raw["handicap"], 0)).as_py():
        columns["handicap"] = raw["handicap"]
    columns |= {name: raw[name] for name in ("start", "reported")}
    return pa.table(columns)


def _with_conditions(
    columns: pa.Table, games: pa.Table, conditions: pa.Table, merged: Mapping[int, int],
    overlay: Overlay,
) -> pa.Table:  # fmt: skip
    """With what reports say of single games, as corrections have made them."""
    if not len(conditions):
        return columns
    which = pa.array(conditions["game"].to_pylist(), pa.int64())
    places = np.flatnonzero(np.asarray(pc.is_in(games["game"], value_set=which)))
    if not len(places):
        return columns
    rows = {row["game"]: row for row in conditions.to_pylist()}
    now = games.take(pa.array(places)).to_pylist()
    told = [_as_now(rows[game["game"]], game, merged, overlay) for game in now]
    kinds = {"margin": pa.int32(), "neutral": pa.bool_(), "white_rating": pa.float64(),
             "black_rating": pa.float64(), "white_for": pa.string(),
             "black_for": pa.string()}  # fmt: skip
    for name, kind in kinds.items():
        if any(each[name] is not None for each in told):
            values: list[Any] = [None] * len(games)
            for place, each in zip(places.tolist(), told, strict=True):
                values[place] = each[name]
            columns = columns.append_column(name, pa.array(values, kind))
    left = [
        place for place, each in zip(places.tolist(), told, strict=True) if each["left"]
    ]  # fmt: skip
    if left:
        mask = np.zeros(len(games), bool)
        mask[left] = True
        at = columns.column_names.index("rated")
        said = pc.if_else(pa.array(mask), None, columns["rated"])
        columns = columns.set_column(at, "rated", said)
    return columns


def _as_now(
    row: Mapping[str, Any], game: Mapping[str, Any], merged: Mapping[int, int], overlay: Overlay
) -> dict[str, Any]:
    """What is said of a game with its players on the sides that they have now.

    A margin belongs to the result that was reported: of another winner it says nothing.  Nobody
    replaces one of the two who played.
    """
    white, black = (merged.get(row[side], row[side]) for side in _BOTH)
    found = {name: row[name] for name in ("margin", "white_rating", "black_rating")}
    half = row["half"]
    replaced = [row[name] for name in REPLACED]
    if game["white"] == black or game["black"] == white:
        replaced.reverse()
        found["white_rating"], found["black_rating"] = row["black_rating"], row["white_rating"]
        found["margin"] = None if row["margin"] is None else -row["margin"]
        half = None if half is None else 2 - half
    if half != game["half"]:
        found["margin"] = None
    is_left = row["left"] and game["rated"] == "both" and game["status"] == "withdrawn"
    for name, person in zip(REPLACED, replaced, strict=True):
        whose = overlay.entries.get((row["number"], person), person)
        now = merged.get(whose, whose)
        is_other = now is not None and now not in (game["white"], game["black"])
        found[name] = str(now) if is_other else None
    # What need not be said is not: a column that says nothing of any game is none.
    return {**found, "neutral": row["neutral"] or None, "left": is_left}


def in_order(games: pa.Table) -> pa.Table:
    """The games in the order in which they are fed."""
    return games.take(pa.array(order_of(games, _ORDER))).combine_chunks()


def _merged(one: pa.Table, other: pa.Table) -> pa.Table:
    """Games of two tables, each in order, in the order of all: what is before both stays so."""
    if not len(one) or not len(other):
        return other if len(other) else one
    day = max(one["date"][0].as_py(), other["date"][0].as_py())
    before, after = [], []
    for table in (one, other):
        at = int(np.searchsorted(np.asarray(table["date"]), np.datetime64(day)))
        before.append(table.slice(0, at))
        after.append(table.slice(at))
    # One of the two is empty before the day on which the later one begins.
    return pa.concat_tables([*before, in_order(pa.concat_tables(after))]).combine_chunks()


def _told(games: pa.Table) -> pa.Table:
    """Without columns that say nothing of any game."""
    said = [name for name in games.column_names if games[name].null_count < len(games)]
    return (games.select(said) if said else games).combine_chunks()


def _fixed(raw: pa.Table, overlay: Overlay) -> pa.Table:
    """Single games as corrections say."""
    numbers = sorted({*overlay.games, *(game for game, _ in overlay.players)})
    if not numbers:
        return raw
    wanted = pa.array(numbers, pa.int64())
    mask = pc.is_in(raw["game"], value_set=wanted).combine_chunks()
    here = [_fixed_row(row, overlay) for row in raw.filter(mask).to_pylist()]
    for name in ("white", "black", "half", "rated", "status"):
        values = pa.array([row[name] for row in here], GAMES.field(name).type)
        changed = pc.replace_with_mask(raw[name].combine_chunks(), mask, values)
        raw = raw.set_column(raw.column_names.index(name), name, changed)
    return raw


def _fixed_row(row: Mapping[str, Any], overlay: Overlay) -> dict[str, Any]:
    number = row["game"]
    played = {side: overlay.players.get((number, side), row[side]) for side in _BOTH}
    return fixed({**row, **played}, overlay.games.get(number, {}))


def _moved(raw: pa.Table, overlay: Overlay) -> pa.Table:
    """Games of sections that were on other days."""
    if not overlay.days:
        return raw
    by = _shifts(raw["number"], overlay)
    for name in ("date", "start"):
        moved = pc.add(raw[name].cast(pa.int32()), pa.array(by, pa.int32())).cast(pa.date32())
        raw = raw.set_column(raw.column_names.index(name), name, moved)
    return in_order(raw)


def _shifts(numbers: pa.ChunkedArray, overlay: Overlay) -> Array:
    by = np.zeros(len(numbers), np.int32)
    section = np.asarray(numbers.cast(pa.int64()))
    for number, days in overlay.days.items():
        by[section == number] = days
    return by


def _canonical(column: pa.ChunkedArray, merged: Mapping[int, int]) -> Array:
    """The persons, each merged one as who it is."""
    numbers: Array = np.asarray(column.cast(pa.int64())).copy()
    if merged and len(numbers):
        table = np.arange(int(numbers.max(initial=0)) + 2)
        for source, target in merged.items():
            if source < len(table):
                table[source] = target
        numbers = table[numbers]
    return numbers


def _said(raw: Raw, merged: Mapping[int, int], overlay: Overlay) -> dict[int, Mapping[str, Any]]:
    """What reports say of persons before their first games: of each thing the first word holds."""
    found: dict[int, dict[str, Any]] = {}
    rows = sorted(_rows(raw.said), key=lambda row: (row[2] or date.max, row[0], row[1]))
    for number, person, _, text in rows:
        if number in overlay.without:
            continue
        whose = overlay.entries.get((number, person), person)
        mine = found.setdefault(merged.get(whose, whose), {})
        for key, value in json.loads(text).items():
            mine.setdefault(key, value)
    return dict(found)


def _players(
    raw: Raw, merged: Mapping[int, int], overlay: Overlay, played: set[int],
    said_of: Mapping[int, Mapping[str, Any]],
) -> pa.Table:  # fmt: skip
    """What is known of everybody before the first game; what the office has goes before reports."""
    opening = _openings(raw.openings, merged, overlay)
    every = sorted(played | opening.keys())
    rows = zip(*(raw.people[name].to_pylist() for name in PEOPLE.names), strict=True)
    known: dict[int, Born | None] = {}
    sexes: dict[int, str | None] = {}
    for person, day, year, sex in rows:
        known[person] = day or year
        sexes[person] = sex
    for source, target in merged.items():
        sexes[target] = sexes.get(target) or sexes.get(source)
    births = births_of(known, merged)
    born = [births.get(each) for each in every]
    columns: dict[str, Any] = {
        "id": pa.array([str(each) for each in every], pa.string()),
        **columns_of_births(born),
        "sex": pa.array([sexes.get(each) for each in every], pa.string()),
    }
    come = [opening.get(each) for each in every]
    keys = {id(value): value for value in opening.values()}.values()
    for key in sorted({key for value in keys for key in value}):
        typed = _TYPED.get(key, _as_it_is)
        columns[key] = pa.array([None if said is None else typed(said.get(key)) for said in come])
    for key in sorted({key for value in said_of.values() for key in value} - _NOT_OF_REPORTS):
        told = [said_of.get(each, {}).get(key) for each in every]
        if key in columns:
            own = columns[key].to_pylist()
            told = [other if one is None else one for one, other in zip(own, told, strict=True)]
        columns[key] = _of_one_kind(told)
    # A column that says nothing of anybody is none.
    said = {name: column for name, column in columns.items() if column.null_count < len(column)}
    return pa.table(said or {"id": pa.array([], pa.string())})


def births_of(
    known: Mapping[int, Born | None], merged: Mapping[int, int]
) -> dict[int, Born | None]:
    """When each person was born: the own birth goes before that of whom it was found to be.

    But a day goes before a year, whoever of them it is known of.
    """
    born = dict(known)
    for source, target in merged.items():
        own, other = born.get(target), born.get(source)
        if own is None or (isinstance(other, date) and not isinstance(own, date)):
            born[target] = other
    return born


def _openings(
    raw: pa.Table, merged: Mapping[int, int], overlay: Overlay
) -> dict[int, Mapping[str, Any]]:
    """With what persons come in."""
    said: dict[int, Mapping[str, Any] | None] = {}
    # Many come in with the same.
    values = {text: json.loads(text) for text in raw["value"].unique().to_pylist()}
    for fact, person, text in _rows(raw):
        if fact not in overlay.undone:
            said[person] = values[text]
    return of_one_person({**said, **overlay.openings}, merged)


def of_one_person(
    said: Mapping[int, Mapping[str, Any] | None], merged: Mapping[int, int]
) -> dict[int, Mapping[str, Any]]:
    """With what persons come in, of several merged ones with that which counts."""
    counting = who_counts((person for person, value in said.items() if value is not None), merged)
    return {person: value for person, of in counting.items() if (value := said[of]) is not None}


def who_counts(opened: Iterable[int], merged: Mapping[int, int]) -> dict[int, int]:
    """By person whose opening is that of this one; ``opened`` are those who have one.

    Of several merged ones it is that of who they are.  Where that one comes in with nothing, the
    one with the lowest number counts: whatever was said last, since what is taken back is said
    later than what was before.
    """
    found: dict[int, int] = {}
    for person in sorted(opened, key=lambda each: (each in merged, each)):
        found.setdefault(merged.get(person, person), person)
    return found


def _as_it_is(value: Any) -> Any:
    return value


def _day(value: Any) -> Any:
    return date.fromisoformat(value) if isinstance(value, str) else value


def _rating(value: Any) -> float | None:
    return None if value is None else float(value)


def _of_one_kind(values: Sequence[Any]) -> pa.Array:
    """A column of what reports say: numbers, flags, or texts where they say several things."""
    kinds = {type(each) for each in values if each is not None}
    if len(kinds) > 1 and not kinds <= {int, float}:
        return pa.array([None if each is None else str(each) for each in values], pa.string())
    return pa.array(values, pa.float64() if float in kinds else None)


_NOT_OF_REPORTS = frozenset(
    {
        "id", "rating", "games", "wins", "draws", "losses", "status", "last_played", "birth_date",
        "birth_year", "sex", "grade", "pool",
    }
)  # fmt: skip
"""Columns that the office itself knows, whatever a report calls so."""
_TYPED = {"last_played": _day, "birth_date": _day, "rating": _rating}
"""How a column holds values of an opening list: days as days, ratings with decimals."""


def _events(raw: pa.Table, overlay: Overlay) -> pa.Table | None:
    rows: dict[str, dict[str, Any]] = {}
    by = _shifts(raw["number"], overlay)
    moved = {
        name: pc.add(raw[name].cast(pa.int32()), pa.array(by)).cast(pa.date32()).to_pylist()
        for name in ("start", "end")
    }
    told = zip(
        raw["number"].to_pylist(), raw["event"].to_pylist(), moved["start"], moved["end"],
        raw["facts"].to_pylist(), strict=True,
    )  # fmt: skip
    for number, event, start, end, facts in sorted(told, key=lambda each: each[0]):
        if number in overlay.without or end is None:
            continue
        row = rows.setdefault(event, {"start": start or end, "end": end})
        row["start"] = min(row["start"], start or end)
        row["end"] = max(row["end"], end)
        said = json.loads(facts)
        row |= {key: said[key] for key in _SAID_OF_EVENTS if key in said}
    if not rows:
        return None
    order = sorted(rows)
    columns: dict[str, Any] = {"event": pa.array(order)}
    for key in ("start", "end", *_SAID_OF_EVENTS):
        values = [rows[each].get(key) for each in order]
        if any(value is not None for value in values):
            columns[key] = pa.array(values, _TYPES.get(key, pa.string()))
    return pa.table(columns)


def _parts(sections: pa.Table, games: pa.Table, overlay: Overlay) -> pa.Table | None:
    """What each section says, of events of which not all say the same.

    None: there is no such event.
    """
    events: dict[str, list[int]] = {}
    for number, event in zip(
        sections["number"].to_pylist(), sections["event"].to_pylist(), strict=True
    ):
        if number not in overlay.without:
            events.setdefault(event, []).append(number)
    several = {number for own in events.values() if len(own) > 1 for number in own}
    if not several:
        return None
    pairs = games.select(["number", "section"]).group_by(["number", "section"]).aggregate([])
    names = {number: name for number, name in _rows(pairs) if number in several}
    facts = dict(zip(sections["number"].to_pylist(), sections["facts"].to_pylist(), strict=True))
    rows: list[dict[str, Any]] = []
    for event, numbers in sorted(events.items()):
        own = {names[each]: json.loads(facts[each]) for each in numbers if each in names}
        said = {
            name or NO_SECTION: {key: told[key] for key in _SAID_OF_EVENTS if key in told}
            for name, told in sorted(own.items())
        }
        first = next(iter(said.values()), None)
        if any(each != first for each in said.values()):
            rows += [{"event": event, "section": name, **told} for name, told in said.items()]
    if not rows:
        return None
    columns = ["event", "section", *_SAID_OF_EVENTS]
    return pa.table(
        {
            name: pa.array([row.get(name) for row in rows], _TYPES.get(name, pa.string()))
            for name in columns if any(row.get(name) is not None for row in rows)
        }
    )  # fmt: skip


def _entries(raw: Raw, merged: Mapping[int, int], overlay: Overlay) -> pa.Table | None:
    """The grades that players declared, by event."""
    if not len(raw.grades):
        return None
    events = dict(
        zip(raw.sections["number"].to_pylist(), raw.sections["event"].to_pylist(), strict=True)
    )
    found: dict[tuple[str, str], str] = {}
    for number, person, grade in _rows(raw.grades):
        if number in overlay.without:
            continue
        whose = overlay.entries.get((number, person), person)
        found[events[number], str(merged.get(whose, whose))] = grade
    if not found:
        return None
    order = sorted(found)
    return pa.table(
        {
            "event": pa.array([event for event, _ in order]),
            "player": pa.array([person for _, person in order]),
            "grade": pa.array([found[each] for each in order]),
        }
    )


def _decided(
    raw: pa.Table, merged: Mapping[int, int], overlay: Overlay
) -> Iterable[tuple[str, date, str, float, str]]:
    """Player, day, kind, value and reason of what the office decided and adds."""
    rows = [tuple(row) for fact, *row in _rows(raw) if fact not in overlay.undone]
    for person, day, kind, value, reason in (*rows, *overlay.decisions):
        yield str(merged.get(person, person)), day, kind, value, reason


_Decided = Sequence[tuple[str, date, str, float, str]]


def _decisions(rows: _Decided) -> pa.Table | None:
    """What the office decided, from which day on; of two persons who are one the later word."""
    said = {(player, day, kind): (value, why) for player, day, kind, value, why in rows}
    if not said:
        return None
    order = sorted(said)
    return pa.table(
        {
            "player": pa.array([player for player, _, _ in order]),
            "date": pa.array([day for _, day, _ in order], pa.date32()),
            "kind": pa.array([kind for _, _, kind in order]),
            "value": pa.array([said[each][0] for each in order], pa.float64()),
            "reason": pa.array([said[each][1] for each in order]),
        }
    )


def _differences(rows: _Decided) -> pa.Table | None:
    """What the office adds to ratings at the ends of days: all of a day is one sum.

    So what was added and is taken back on one day leaves the bits of before.
    """
    values: dict[tuple[date, str], list[float]] = {}
    reasons: dict[tuple[date, str], list[str]] = {}
    for player, day, _, value, reason in rows:
        values.setdefault((day, player), []).append(value)
        reasons.setdefault((day, player), []).append(reason)
    order = sorted(at for at, some in values.items() if math.fsum(some))
    if not order:
        return None
    return pa.table(
        {
            "player": pa.array([player for _, player in order]),
            "date": pa.array([day for day, _ in order], pa.date32()),
            "value": pa.array([math.fsum(values[at]) for at in order], pa.float64()),
            "reason": pa.array(["; ".join(reasons[at]) for at in order]),
        }
    )


def _rows(table: pa.Table) -> Iterable[tuple[Any, ...]]:
    return zip(*(column.to_pylist() for column in table.columns), strict=True)
