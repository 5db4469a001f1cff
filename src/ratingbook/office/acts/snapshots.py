"""Snapshots: the facts up to one of them as the columns that the engine takes; a cache."""

from __future__ import annotations

import json
import os
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.office.acts.decisions import OPENING, dated_decisions
from ratingbook.office.acts.people import merges
from ratingbook.office.engine import NO_SECTION, TABLES, Fed
from ratingbook.office.home import Home
from ratingbook.office.logic.digests import table_digest
from ratingbook.office.store import models as m
from ratingbook.office.store.rows import read_columns

_MANIFEST = "manifest.json"
_KEPT = 4
"""Snapshots of a pool that stay on disk."""

_READY = """
JOIN office_section s ON s.id = {section}
JOIN (SELECT section_id, MAX(fact) AS last FROM office_sectionstep WHERE fact <= {upto}
      GROUP BY section_id) n ON n.section_id = s.id
JOIN office_sectionstep t ON t.section_id = s.id AND t.fact = n.last AND t.state = 'ready'
"""
_LIVE = (
    "{name}.entry_id = {entry} AND {name}.fact <= {upto} AND "
    "({name}.revoked_by IS NULL OR {name}.revoked_by > {upto})"
)
_GAMES = """
SELECT g."end", s.event, s.name, g.round, w.person_id, b.person_id, g.half_points, g.status,
  g.rated, g.handicap, g.start, g.reported
FROM office_game g {ready}
JOIN office_link w ON {white} JOIN office_link b ON {black}
WHERE s.pool = {pool} AND g.half_points IS NOT NULL
ORDER BY g."end", s.event, s.name, g.round, g.id
"""
_SCHEMA = pa.schema(
    {
        "date": pa.date32(), "event": pa.string(), "section": pa.string(), "round": pa.int32(),
        "white": pa.int64(), "black": pa.int64(), "score": pa.float64(), "status": pa.string(),
        "rated": pa.string(), "handicap": pa.int32(), "start": pa.date32(),
        "reported": pa.date32(),
    }
)  # fmt: skip


def fed_of(home: Home, pool: int, upto: int) -> Fed:
    """What the rules are fed of a pool, as known at a fact."""
    folder = home.snapshots / f"{pool}-{upto}"
    known = _load(folder)
    if known is not None:
        return known
    made = build(pool, upto)
    _save(folder, made)
    _forget_old(home, pool)
    return made


def build(pool: int, upto: int) -> Fed:
    """The tables from the facts themselves."""
    games = _games(pool, upto)
    people = set(games["white"].to_pylist()) | set(games["black"].to_pylist())
    return Fed(
        games,
        _players(pool, upto, {int(each) for each in people}),
        _events(pool, upto),
        _entries(pool, upto),
        _decisions(pool, upto),
    )


def sections_of(pool: int, upto: int) -> list[int]:
    """The sections that are ready at a fact, of one pool."""
    from ratingbook.office.acts.states import READY, states

    own = set(m.Section.objects.filter(pool=pool).values_list("id", flat=True))
    return sorted(
        each for each, state in states(upto=upto).items() if state == READY and each in own
    )


def _games(pool: int, upto: int) -> pa.Table:
    """The games; one against an entry that nobody has linked, or against oneself, is none."""
    query = _GAMES.format(
        pool=int(pool),
        ready=_READY.format(section="g.section_id", upto=int(upto)),
        white=_LIVE.format(name="w", entry="g.white_id", upto=int(upto)),
        black=_LIVE.format(name="b", entry="g.black_id", upto=int(upto)),
    )
    raw = read_columns(query, _SCHEMA)
    white, black = (_canonical(raw[side], upto) for side in ("white", "black"))
    kept = np.flatnonzero(white != black)
    raw = raw.take(pa.array(kept))
    columns: dict[str, Any] = {"date": raw["date"], "event": raw["event"]}
    if pc.any(pc.not_equal(raw["section"], "")).as_py():
        named = raw["section"]
        columns["section"] = pc.if_else(pc.equal(named, ""), NO_SECTION, named)
    columns["round"] = raw["round"]
    columns["white"] = pa.array(white[kept]).cast(pa.string())
    columns["black"] = pa.array(black[kept]).cast(pa.string())
    columns["score"] = pc.divide(raw["score"], 2.0)
    columns |= {name: raw[name] for name in ("status", "rated")}
    if pc.any(pc.greater(raw["handicap"], 0)).as_py():
        columns["handicap"] = raw["handicap"]
    columns |= {name: raw[name] for name in ("start", "reported")}
    # A column that says nothing of any game is none.
    said = {name: each for name, each in columns.items() if each.null_count < len(each)}
    return pa.table(said or columns).combine_chunks()


def _canonical(column: pa.ChunkedArray, upto: int) -> np.ndarray[Any, Any]:
    """The persons, each merged one as who it is."""
    numbers = np.asarray(column.cast(pa.int64())).copy()
    merged = merges(upto)
    if merged and len(numbers):
        table = np.arange(int(numbers.max(initial=0)) + 2)
        for source, target in merged.items():
            if source < len(table):
                table[source] = target
        numbers = table[numbers]
    return numbers


def _players(pool: int, upto: int, people: set[int]) -> pa.Table:
    """What is known of everybody before the first game."""
    merged = merges(upto)
    opening: dict[int, dict[str, Any]] = {}
    for each in m.Decision.objects.filter(pool=pool, fact__lte=upto, kind=OPENING).order_by(
        "fact", "id"
    ):
        if each.revoked_by is None or each.revoked_by > upto:
            opening[merged.get(each.person_id, each.person_id)] = each.value
    every = sorted(people | opening.keys())
    born = dict(m.PersonPrivate.objects.values_list("person", "birth_date"))
    for source, target in merged.items():
        born[target] = born.get(target) or born.get(source)
    sexes = {
        merged.get(person, person): value
        for person, value in m.PersonAttribute.objects.filter(key="sex", fact__lte=upto)
        .order_by("id")
        .values_list("person", "value")
    }
    columns: dict[str, Any] = {
        "id": pa.array([str(each) for each in every], pa.string()),
        "birth_date": pa.array([born.get(each) for each in every], pa.date32()),
        "sex": pa.array([sexes.get(each) for each in every], pa.string()),
    }
    for key in sorted({key for value in opening.values() for key in value}):
        columns[key] = pa.array([_typed(key, opening.get(each, {}).get(key)) for each in every])
    # A column that says nothing of anybody is none.
    said = {name: column for name, column in columns.items() if column.null_count < len(column)}
    return pa.table(said or {"id": pa.array([], pa.string())})


def _typed(key: str, value: Any) -> Any:
    """A value of an opening list as a column holds it: days as days, ratings with decimals."""
    if isinstance(value, str) and key in ("last_played", "birth_date"):
        return date.fromisoformat(value)
    return float(value) if key == "rating" and value is not None else value


def _events(pool: int, upto: int) -> pa.Table | None:
    keys = ("kind", "class", "level", "time_control", "category", "rounds")
    rows: dict[str, dict[str, Any]] = {}
    ready = set(sections_of(pool, upto))
    for each in m.Section.objects.filter(pool=pool).order_by("id"):
        if each.id not in ready or each.end is None:
            continue
        row = rows.setdefault(each.event, {"start": each.start or each.end, "end": each.end})
        row["start"] = min(row["start"], each.start or each.end)
        row["end"] = max(row["end"], each.end)
        row |= {key: each.facts[key] for key in keys if key in each.facts}
    if not rows:
        return None
    order = sorted(rows)
    columns: dict[str, Any] = {"event": pa.array(order)}
    types = {"start": pa.date32(), "end": pa.date32(), "level": pa.float64(), "rounds": pa.int32()}
    for key in ("start", "end", *keys):
        values = [rows[each].get(key) for each in order]
        if any(value is not None for value in values):
            columns[key] = pa.array(values, types.get(key, pa.string()))
    return pa.table(columns)


def _entries(pool: int, upto: int) -> pa.Table | None:
    """The grades that players declared, by event."""
    merged = merges(upto)
    ready = set(sections_of(pool, upto))
    events: dict[int, list[str]] = {}
    for number, version, event in m.Section.objects.filter(pool=pool).values_list(
        "id", "version", "event"
    ):
        if number in ready:
            events.setdefault(version, []).append(event)
    graded = m.Entry.objects.filter(printed__has_key="grade").values_list(
        "id", "version", "printed__grade"
    )
    grades = {entry: (events[v], grade) for entry, v, grade in graded if v in events}
    if not grades:
        return None
    found: dict[tuple[str, str], str] = {}
    for entry, person, revoked in m.Link.objects.filter(fact__lte=upto).values_list(
        "entry", "person", "revoked_by"
    ):
        if entry in grades and (revoked is None or revoked > upto):
            played, grade = grades[entry]
            for event in played:
                found[event, str(merged.get(person, person))] = str(grade)
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


def _decisions(pool: int, upto: int) -> pa.Table | None:
    """What the office decided, from which day on."""
    merged = merges(upto)
    rows = dated_decisions(pool, upto)
    if not rows:
        return None
    # Of two persons who are one the later word holds.
    said = {(str(merged.get(p, p)), day, kind): (value, why) for p, day, kind, value, why in rows}
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


def _save(folder: Path, fed: Fed) -> None:
    """Write the tables beside, and put them in place at once."""
    beside = folder.with_name(f"{folder.name}.{os.getpid()}.new")
    shutil.rmtree(beside, ignore_errors=True)
    try:
        beside.mkdir(parents=True)
        manifest = {}
        for name, table in fed.tables().items():
            with (
                pa.OSFile(str(beside / f"{name}.arrow"), "wb") as file,
                pa.ipc.new_file(file, table.schema) as writer,
            ):
                writer.write_table(table)
            manifest[name] = table_digest(table)
        (beside / _MANIFEST).write_text(json.dumps(manifest), "utf-8")
        if not folder.exists():
            beside.rename(folder)
    except OSError:
        # A cache that cannot be written is none.
        pass
    shutil.rmtree(beside, ignore_errors=True)


def _load(folder: Path) -> Fed | None:
    try:
        manifest = json.loads((folder / _MANIFEST).read_text("utf-8"))
        tables = {}
        for name in TABLES:
            if name in manifest:
                with pa.memory_map(str(folder / f"{name}.arrow")) as file:
                    tables[name] = pa.ipc.open_file(file).read_all()
                if table_digest(tables[name]) != manifest[name]:
                    raise ValueError("damaged")
        return Fed(**tables)
    except (OSError, ValueError, KeyError, pa.ArrowException):
        shutil.rmtree(folder, ignore_errors=True)
        return None


def _forget_old(home: Home, pool: int) -> None:
    """Keep the newest few of a pool."""
    found = [
        (int(each.name.partition("-")[2]), each)
        for each in home.snapshots.glob(f"{pool}-*")
        if each.name.partition("-")[2].isdigit()
    ]
    for _, folder in sorted(found)[:-_KEPT]:
        shutil.rmtree(folder, ignore_errors=True)
