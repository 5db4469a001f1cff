"""Snapshots: the facts up to one of them as the columns that the engine takes; a cache."""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from django.db.models import Q

from ratingbook.office.acts.amendments import (
    all_versions,
    kept_of,
    moved_between_pools,
    overlay_of,
    sections_in,
)
from ratingbook.office.acts.decisions import OPENING, dated_decisions
from ratingbook.office.acts.letting_in import BEYOND
from ratingbook.office.acts.people import live_at, merges
from ratingbook.office.acts.siblings import heard_of_others
from ratingbook.office.engine.fed import Fed
from ratingbook.office.home import Home, current
from ratingbook.office.intake import beyond_in
from ratingbook.office.logic.feeding import (
    CONDITIONS,
    DECISIONS,
    GAMES,
    GRADES,
    OPENINGS,
    PEOPLE,
    SAID,
    SCHEMAS,
    SECTIONS,
    Raw,
    condition_of,
    feed,
    feed_of,
    games_of,
    in_order,
    laid_out,
)
from ratingbook.office.store import models as m
from ratingbook.office.store.rows import read_columns

_MANIFEST = "manifest.json"
_KEPT = 4
"""Snapshots of a pool that stay on disk."""
_FEW = 500
"""Reports of which a query can name each."""
_OF_A_GAME = ("game", "number", "white", "black")
"""What can be otherwise of a game in a later snapshot, once its number is the same: its people."""

_READY = """
JOIN office_section s ON s.id = {section}
JOIN (SELECT section_id, MAX(fact) AS last FROM office_sectionstep WHERE fact <= {upto}
      GROUP BY section_id) n ON n.section_id = s.id
JOIN office_sectionstep t ON t.section_id = s.id AND t.fact = n.last AND t.state = 'ready'
"""
_NAMED = "JOIN office_section s ON s.id = {section}"
_LIVE = (
    "{name}.entry_id = {entry} AND {name}.fact <= {upto} AND "
    "({name}.revoked_by IS NULL OR {name}.revoked_by > {upto})"
)
_GAMES = """
SELECT g.id, s.id, CAST(g."end" AS text), s.event, s.name, g.round, w.person_id, b.person_id,
  g.half_points, g.status, g.rated, g.handicap, CAST(g.start AS text), CAST(g.reported AS text)
FROM office_game g {sections}
JOIN office_link w ON {white} JOIN office_link b ON {black}
WHERE {chosen}
"""
_OPENINGS = f"""
SELECT d.fact, d.person_id, CAST(d.value AS text) FROM office_decision d
WHERE d.pool_id = {{pool}} AND d.kind = '{OPENING}' AND d.fact <= {{upto}}
  AND (d.revoked_by IS NULL OR d.revoked_by > {{upto}})
ORDER BY d.fact, d.id
"""


def fed_of(home: Home, pool: int, upto: int) -> Fed:
    """What the rules are fed of a pool, as known at a fact."""
    return feed(raw_of(home, pool, upto), merges(upto), overlay_of(upto))


def fed_of_run(home: Home, run: m.Run) -> Fed:
    """What a run was fed, from the facts."""
    return fed_of(home, run.pool_id, run.upto).as_of(run.snapshot)


def fed_by_sections(home: Home, pool: int, upto: int) -> tuple[Fed, pa.ChunkedArray]:
    """The same, and the number of the section of each game in it."""
    raw, merged, overlay = raw_of(home, pool, upto), merges(upto), overlay_of(upto)
    games = games_of(raw.games, merged, overlay)
    return feed_of(games, raw, merged, overlay), games["number"]


def build(pool: int, upto: int) -> Fed:
    """The same from the facts themselves, without the cache."""
    raw = replace(read(pool, upto), others=heard_at(current(), pool, upto))
    return feed(raw, merges(upto), overlay_of(upto))


def _fed_alone(home: Home, pool: int, upto: int) -> Fed:
    """What the rules are fed of a pool that hears of no other."""
    return feed(_own_of(home, pool, upto), merges(upto), overlay_of(upto))


def raw_of(home: Home, pool: int, upto: int) -> Raw:
    """The facts of a pool as columns, as known at a fact, and what it reads of other pools."""
    return replace(_own_of(home, pool, upto), others=heard_at(home, pool, upto))


def heard_at(home: Home, pool: int, upto: int) -> pa.Table:
    """What the rules of a pool read of others, as published at a fact."""
    return heard_of_others(home, pool, upto, _fed_alone)


def _own_of(home: Home, pool: int, upto: int) -> Raw:
    """The facts of a pool as columns, as known at a fact; from the cache where it has them."""
    folder = home.snapshots / f"{pool}-{upto}"
    known = _load(folder)
    if known is not None:
        return known.raw
    older = [number for number, _ in _kept(home, pool) if number < upto]
    before = _load(home.snapshots / f"{pool}-{older[-1]}") if older else None
    made = read(pool, upto) if before is None else _grown(before.raw, older[-1], pool, upto)
    _save(folder, made, before)
    _forget_old(home, pool)
    return made


def _grown(before: Raw, since: int, pool: int, upto: int) -> Raw:
    """From the snapshot of before, with only that read which has come or is otherwise."""
    kept = _kept_in(pool, upto)
    now = [each for each in sections_of(pool, upto) if each not in kept]
    was = set(before.sections["number"].to_pylist())
    stays = was.intersection(now) - _linked_anew(since, upto)
    new = [each for each in now if each not in stays]
    chosen = f"s.id IN ({_numbers(new) or 'NULL'})"
    said = Q(fact__gt=since, fact__lte=upto) | Q(revoked_by__gt=since, revoked_by__lte=upto)
    opened = m.Decision.objects.filter(said, pool=pool, kind=OPENING).exists()
    openings = None if opened else before.openings
    found = _read(upto, _READY, chosen, new, pool, openings).joined(before.only(stays))
    return _with_kept(found, kept, pool)


def _linked_anew(since: int, upto: int) -> set[int]:
    """The sections of reports whose entries were linked, or no longer, after a fact."""
    said = Q(fact__gt=since, fact__lte=upto) | Q(revoked_by__gt=since, revoked_by__lte=upto)
    reports = m.Link.objects.filter(said).values("entry__version")
    return set(m.Section.objects.filter(version__in=reports).values_list("id", flat=True))


def read(pool: int, upto: int) -> Raw:
    """The facts of a pool as columns, from the tables."""
    gone, come = moved_between_pools(pool, upto)
    chosen = f"(s.pool = {int(pool)}"
    chosen += f" AND s.id NOT IN ({_numbers(gone)}))" if gone else ")"
    if come:
        chosen = f"({chosen} OR s.id IN ({_numbers(come)}))"
    kept = _kept_in(pool, upto)
    if others := all_versions(kept):
        chosen += f" AND s.id NOT IN ({_numbers(others)})"
    own = [each for each in sections_of(pool, upto) if each not in kept]
    return _with_kept(_read(upto, _READY, chosen, own, pool), kept, pool)


def _kept_in(pool: int, upto: int) -> dict[int, int]:
    """The sections of a pool that stay as they were known at an earlier fact, and at which."""
    kept = kept_of(upto)
    own = sections_in(pool, upto) if kept else set()
    return {number: then for number, then in kept.items() if number in own}


def _with_kept(found: Raw, kept: Mapping[int, int], pool: int) -> Raw:
    """The columns with those sections, whatever became of them since."""
    for then in sorted(set(kept.values())):
        some = sorted(number for number in kept if kept[number] == then)
        found = found.joined(read_sections(some, pool, then))
    return found


def read_sections(sections: Sequence[int], pool: int, upto: int) -> Raw:
    """The same of some sections, whatever their state and pool."""
    chosen = f"s.id IN ({_numbers(sections) or 'NULL'})"
    return _read(upto, _NAMED, chosen, sections, pool)


def _numbers(values: Iterable[int]) -> str:
    return ", ".join(str(int(each)) for each in sorted(values))


def sections_of(pool: int, upto: int) -> list[int]:
    """The sections of a pool that a run is fed at a fact, in whatever version of their reports.

    They are those that are ready; of a report that stays as it was known at an earlier fact those
    of then, whatever became of them, and none of a later version.
    """
    from ratingbook.office.acts.states import READY, states

    own, kept = sections_in(pool, upto), _kept_in(pool, upto)
    ready = {each for each, state in states(upto=upto).items() if state == READY and each in own}
    return sorted(ready - all_versions(kept) | kept.keys())


def _read(
    upto: int, sections: str, chosen: str, numbers: Sequence[int], pool: int,
    openings: pa.Table | None = None,
) -> Raw:  # fmt: skip
    """The columns of some sections; with these openings, where nothing was said since."""
    query = _GAMES.format(
        sections=sections.format(section="g.section_id", upto=int(upto)),
        white=_LIVE.format(name="w", entry="g.white_id", upto=int(upto)),
        black=_LIVE.format(name="b", entry="g.black_id", upto=int(upto)),
        chosen=chosen,
    )
    wanted = set(numbers)
    beyond = _beyond(wanted, upto)
    games = in_order(read_columns(query, GAMES))
    if beyond.left_out:
        # It hangs on somebody of whom nobody has said who that is, as of those at the board.
        out = pa.array(beyond.left_out, pa.int64())
        games = games.filter(pc.invert(pc.is_in(games["game"], value_set=out))).combine_chunks()
    return Raw(
        games, _people(upto), _sections(wanted), _grades(wanted, upto),
        _openings(pool, upto) if openings is None else openings,
        laid_out(dated_decisions(pool, upto), DECISIONS),
        laid_out(beyond.conditions, CONDITIONS), laid_out(beyond.said, SAID),
    )  # fmt: skip


class _Beyond(NamedTuple):
    """What reports say of games and players beyond the rows."""

    conditions: list[tuple[Any, ...]]
    said: list[tuple[Any, ...]]
    left_out: list[int]
    """The games of substitutes who replaced somebody who is not linked."""


def _beyond(wanted: set[int], upto: int) -> _Beyond:
    """The same of some sections, from the documents of their reports.

    Only of versions whose facts tell of it: what came before is rated as it was.
    """
    sections: dict[int, dict[int, date | None]] = {}
    rows = m.Section.objects.order_by("id").values_list("id", "version", "start")
    for number, version, start in rows:
        if number in wanted:
            sections.setdefault(version, {})[number] = start
    versions: Any = m.ReportVersion.objects.order_by("id")
    told = m.Fact.objects.filter(payload__has_key=BEYOND)
    if len(sections) <= _FEW:
        versions = versions.filter(id__in=list(sections))
        told = told.filter(seq__in=versions.values("fact"))
    found = _Beyond([], [], [])
    for one in versions.filter(fact__in=told.filter(kind="received").values("seq")):
        if one.id in sections:
            of_one = _beyond_rows(one, sections[one.id], upto)
            found.conditions.extend(of_one.conditions)
            found.said.extend(of_one.said)
            found.left_out.extend(of_one.left_out)
    return found


def _beyond_rows(one: m.ReportVersion, starts: Mapping[int, date | None], upto: int) -> _Beyond:
    """The same of one version, as linked."""
    told = beyond_in(bytes(one.document))
    live = m.Link.objects.filter(live_at(upto), entry__version=one)
    person = dict(live.values_list("entry", "person"))
    called = dict(m.Entry.objects.filter(version=one).values_list("id", "number"))
    replaced: dict[int, dict[str, int]] = {}
    rows = m.Substitution.objects.filter(version=one).values_list("number", "side", "entry")
    for number, side, entry in rows:
        replaced.setdefault(number, {})[side] = entry
    conditions: list[tuple[Any, ...]] = []
    left_out: list[int] = []
    played: dict[tuple[int, int], None] = {}
    games = m.Game.of(one.id).filter(section__in=list(starts)).order_by("number")
    for game, section, number, white, black, half in games.values_list(
        "id", "section", "number", "white", "black", "half_points"
    ):
        others = replaced.get(number, {})
        played |= {(section, entry): None for entry in (white, black, *others.values())}
        each = told.games.get(number)
        if not person.keys() >= set(others.values()):
            left_out.append(game)
        elif each is not None and white in person and black in person:
            who = (person[others[side]] if side in others else None for side in ("white", "black"))
            conditions.append(
                (game, section, person[white], person[black], half, *condition_of(each), *who)
            )
    said = [
        (section, person[entry], starts[section], json.dumps(told.players[called[entry]]))
        for section, entry in played
        if entry in person and called[entry] in told.players
    ]
    return _Beyond(conditions, said, left_out)


def sexes_of(upto: int) -> dict[int, str]:
    """By person the sex that a run reads."""
    said = m.PersonAttribute.objects.filter(key="sex", fact__lte=upto).order_by("id")
    return dict(said.values_list("person", "value"))


def _people(upto: int) -> pa.Table:
    """Births and sexes of everybody, as known at a fact."""
    # Of several the one that was said otherwise first held then.
    former = m.FormerBirth.objects.filter(until__gt=upto).order_by("-until")
    born = {
        person: (day, year)
        for some in (m.PersonPrivate.objects.all(), former)
        for person, day, year in some.values_list("person", "birth_date", "birth_year")
    }
    sexes = sexes_of(upto)
    every = sorted(born.keys() | sexes.keys())
    rows = [(each, *born.get(each, (None, None)), sexes.get(each)) for each in every]
    return laid_out(rows, PEOPLE)


def _sections(wanted: set[int]) -> pa.Table:
    rows = [
        (number, event, start, end, json.dumps(facts))
        for number, event, start, end, facts in m.Section.objects.order_by("id").values_list(
            "id", "event", "start", "end", "facts"
        )
        if number in wanted
    ]
    return laid_out(rows, SECTIONS)


def _grades(wanted: set[int], upto: int) -> pa.Table:
    """The grades that players declared, by section and person as linked."""
    sections: dict[int, list[int]] = {}
    for number, version in m.Section.objects.values_list("id", "version"):
        if number in wanted:
            sections.setdefault(version, []).append(number)
    entries = m.Entry.objects.filter(printed__has_key="grade")
    if len(sections) <= _FEW:
        entries = entries.filter(version__in=list(sections))
    graded = entries.values_list("id", "version", "printed__grade")
    grades = {entry: (sections[v], str(grade)) for entry, v, grade in graded if v in sections}
    rows: list[tuple[int, int, str]] = []
    if grades:
        for entry, person, revoked in (
            m.Link.objects.filter(fact__lte=upto)
            # Of two entries of a person in an event the later one counts, whoever linked it when.
            .order_by("entry", "id")
            .values_list("entry", "person", "revoked_by")
        ):
            if entry in grades and (revoked is None or revoked > upto):
                played, grade = grades[entry]
                rows += [(number, person, grade) for number in played]
    return laid_out(rows, GRADES)


def _openings(pool: int, upto: int) -> pa.Table:
    """With what persons come in, as linked; the newest of a person last."""
    return read_columns(_OPENINGS.format(pool=int(pool), upto=int(upto)), OPENINGS)


class _Part(NamedTuple):
    """Some rows of a table in a file of their own."""

    file: str
    sum: int
    rows: int


class _Stored(NamedTuple):
    """A snapshot on disk: its tables, each in parts."""

    folder: Path
    raw: Raw
    parts: Mapping[str, Sequence[_Part]]


def _save(folder: Path, raw: Raw, before: _Stored | None) -> None:
    """Write the tables beside, and put them in place at once.

    What is as in the snapshot of before is not written again: a month comes to a million games.
    """
    beside = folder.with_name(f"{folder.name}.{os.getpid()}.new")
    shutil.rmtree(beside, ignore_errors=True)
    try:
        beside.mkdir(parents=True)
        manifest = {}
        for name, table in raw.tables().items():
            parts = _linked(beside, name, table, before) if before is not None else []
            rest = table.slice(sum(each.rows for each in parts))
            if len(rest) or not parts:
                parts.append(_written(beside / f"{name}-{len(parts)}.arrow", rest))
            manifest[name] = parts
        (beside / _MANIFEST).write_text(json.dumps(manifest), "utf-8")
        if not folder.exists():
            beside.rename(folder)
    except OSError:
        # A cache that cannot be written is none.
        pass
    shutil.rmtree(beside, ignore_errors=True)


def _written(path: Path, table: pa.Table) -> _Part:
    with (
        pa.OSFile(str(path), "wb") as file,
        pa.ipc.new_file(file, table.schema) as writer,
    ):
        writer.write_table(table)
    return _Part(path.name, _sum_of(path), len(table))


def _linked(beside: Path, name: str, table: pa.Table, before: _Stored) -> list[_Part]:
    """The parts with which a table begins as before, under another name of the same file.

    Of parts that are smaller than what comes after them one is made, so that there are few.
    """
    same = _same_rows(table, getattr(before.raw, name))
    parts: list[_Part] = []
    begun = 0
    for each in before.parts[name]:
        begun += each.rows
        if begun > same or each.rows < len(table) - begun:
            break
        new = beside / f"{name}-{len(parts)}.arrow"
        try:
            os.link(before.folder / each.file, new)
        except OSError:
            # There are disks without second names.
            shutil.copyfile(before.folder / each.file, new)
        parts.append(each._replace(file=new.name))
    return parts


def _same_rows(now: pa.Table, was: pa.Table) -> int:
    """How many rows two tables have in common at their beginning."""
    count = min(len(now), len(was))
    if now.schema != GAMES:
        return count if now.slice(0, count).equals(was.slice(0, count)) else 0
    for name in _OF_A_GAME:
        other = np.asarray(now[name].slice(0, count)) != np.asarray(was[name].slice(0, count))
        count = int(np.argmax(other)) if other.any() else count
    return count


def _load(folder: Path) -> _Stored | None:
    try:
        manifest = json.loads((folder / _MANIFEST).read_text("utf-8"))
        tables, parts = {}, {}
        for name in SCHEMAS:
            parts[name] = [_Part(*each) for each in manifest[name]]
            tables[name] = pa.concat_tables([_mapped(folder, each) for each in parts[name]])
            if tables[name].schema != SCHEMAS[name]:
                raise ValueError("of another version of the program")
        return _Stored(folder, Raw(**tables), parts)
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException):
        shutil.rmtree(folder, ignore_errors=True)
        return None


def _mapped(folder: Path, part: _Part) -> pa.Table:
    path = folder / part.file
    if _sum_of(path) != part.sum:
        raise ValueError("damaged")
    with pa.memory_map(str(path)) as file:
        table = pa.ipc.open_file(file).read_all()
    if len(table) != part.rows:
        raise ValueError("damaged")
    return table


def _sum_of(path: Path) -> int:
    """A check sum of the bytes as they lie there, and are mapped: against damage, not against men.

    Whoever can write there can write the sums. A hash over a million games takes ten times longer.
    """
    total = 0
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            total = zlib.crc32(part, total)
    return total


def _forget_old(home: Home, pool: int) -> None:
    """Keep the newest few of a pool."""
    for _, folder in _kept(home, pool)[:-_KEPT]:
        shutil.rmtree(folder, ignore_errors=True)


def _kept(home: Home, pool: int) -> list[tuple[int, Path]]:
    """The snapshots of a pool that there are, by the facts that they go up to."""
    return sorted(
        (int(each.name.partition("-")[2]), each)
        for each in home.snapshots.glob(f"{pool}-*")
        if each.name.partition("-")[2].isdigit()
    )
