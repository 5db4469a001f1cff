"""Games read by the workers, piece by piece: what the driver holds are ids, events and days.

A piece is a file, or some groups of rows of one.  Each worker numbers the ids of its
piece by itself; the driver numbers all of them together, and leaves beside each piece
what its codes are in the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ratingbook.engine.history.columns import (
    Codes,
    GameColumns,
    HistoryInput,
    conditions_of,
)
from ratingbook.engine.history.each_day import distinct
from ratingbook.engine.history.intake import number_ids, read_tables, with_tables
from ratingbook.engine.history.intake.checks import NO_VALUE
from ratingbook.engine.history.intake.faults import Faults, Told
from ratingbook.engine.history.intake.games import (
    NO_GAMES,
    GameReader,
    column_of_pools,
    columns_of,
    tell_empty,
)
from ratingbook.engine.history.intake.ids import IdColumn, IdSpace
from ratingbook.engine.history.intake.pools import by_day_and_pool, with_pools_of_events
from ratingbook.engine.history.intake.sources import Source, open_games, open_groups
from ratingbook.engine.history.months import (
    MonthSpans,
    joined_keys,
    months_of_games,
    split_keys,
)
from ratingbook.engine.history.pools import EventGames
from ratingbook.engine.history.spans import Spans
from ratingbook.engine.options import Beside, Input
from ratingbook.engine.spark.buckets import PLAYERS, halves_of
from ratingbook.engine.spark.session import Cluster
from ratingbook.engine.spark.shipping import column, read_table, write_table
from ratingbook.model import Finding, Findings

Array = np.ndarray[Any, Any]

ROWS_OF_A_PIECE = 1 << 22
"""Games that a worker reads at a time, about: some hundred MB."""

GAMES, PLAYED = "games.arrow", "played.npy"
"""The files of a piece: its games, and by its own codes in how many halves of them each plays."""

_SPACES = ("player", "event", "section", "pool")


@dataclass(frozen=True)
class Wanted:
    """What matters to an edition, besides what matters to all."""

    months: bool
    """The months of events."""
    turns: bool
    """The sections and rounds of games, for the order of those of an event."""
    starts: bool
    """When games began and ended, each by itself."""
    pools: bool
    """What games say of their pools."""


@dataclass(frozen=True)
class Piece:
    """A part of the games, and where a worker leaves it."""

    name: str
    """The file as it was named."""
    path: Path
    parts: Mapping[str, str | None]
    groups: range | None
    """Groups of rows of the file; None: all of it."""
    columns: tuple[str, ...]
    folder: Path
    wanted: Wanted

    @property
    def named(self) -> tuple[str, ...]:
        """What is named by ids."""
        pools = bool(column_of_pools(self.columns))
        wanted = {
            "player": True, "event": True, "section": self.wanted.turns, "pool": pools,
        }  # fmt: skip
        return tuple(name for name in _SPACES if wanted.get(name, name in self.columns))


@dataclass(frozen=True)
class PieceRead:
    """What the driver is told of a piece."""

    games: int
    rows: int
    halves_left_out: int
    """Of its games, as they say themselves."""
    days: Array
    """The distinct days of its games."""
    report_days: Array
    """Those on which they were reported, or ended where that is not said, or later."""
    typeless: bool
    mixed: frozenset[str]
    """What is named by numbers here and by texts there within the piece."""
    told: tuple[Told, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Pieces:
    """All games, as they lie in the pieces' folders, and what is known without them."""

    folders: tuple[Path, ...]
    games: int
    rows: int
    """Rows of the files; those of unfinished games are no games."""
    halves_left_out: int
    """Halves of games that say themselves that they are not rated."""
    days: Array
    report_days: Array
    played: EventGames
    given: HistoryInput
    """Ids and tables, and no games."""
    months: MonthSpans | None = None


def read_pieces(pieces: Iterable[Piece]) -> Iterator[PieceRead]:
    """The task: read pieces and leave them as columns."""
    for piece in pieces:
        yield _read(piece)


def _read(piece: Piece) -> PieceRead:
    findings, faults = Findings(), Faults()
    (source,) = open_groups(piece.path, piece.parts, piece.groups, findings)
    spaces = {name: IdSpace() for name in _SPACES}
    reader = GameReader(spaces, faults, piece.columns)
    reader.take_all([source], findings)
    games = halves_left_out = 0
    days = report_days = np.empty(0, np.int32)
    if not findings.refused and not faults.has(NO_VALUE):
        ids = {name: space.number() for name, space in spaces.items()}
        reader.check_sides()
        columns = reader.columns_read()
        games, days = len(columns), distinct(columns.day)
        halves_left_out = columns.halves_left_out
        report_days = days
        if columns.reported is not None:
            report_days = distinct(np.maximum(columns.day, columns.reported))
        _leave(columns, ids, days, reader.pools, piece)
    return PieceRead(
        games=games,
        rows=games + len(reader.left_out),
        halves_left_out=halves_left_out,
        days=days,
        report_days=report_days,
        typeless=source.typeless,
        mixed=frozenset(name for name, space in spaces.items() if space.mixed),
        told=faults.told(),
        findings=tuple(findings),
    )


_LEFT = (
    "white", "black", "score", "event", "handicap", "rated", "status", "reported",
    "white_rating", "black_rating", "white_for", "black_for",
)  # fmt: skip
"""The columns that are left as they are."""


def _leave(
    columns: GameColumns,
    ids: Mapping[str, pa.Array],
    days: Array,
    pools: Codes | None,
    piece: Piece,
) -> None:
    folder = piece.folder
    folder.mkdir(parents=True, exist_ok=True)
    if pools is not None:
        columns = _leave_pools(columns, pools, ids["pool"], folder)
    wanted = piece.wanted
    left = [*_LEFT, *(["section", "round"] if wanted.turns else [])]
    left += ["start"] if wanted.starts else []
    # Where lists take events, the days of these are enough.
    with_days = wanted.starts or wanted.months or wanted.pools or columns.event is None
    left += ["day"] if with_days else []
    named = {name: getattr(columns, name) for name in left}
    named["conditions"] = conditions_of(columns)
    kept = {name: values for name, values in named.items() if values is not None}
    write_table(pa.table(kept), folder / GAMES)
    leave_played(kept, len(ids["player"]), folder)
    # Without a column event every day is one.
    first = int(days[0]) if len(days) else 0
    events = columns.day - first if columns.event is None else columns.event
    played = EventGames.of(columns, events, int(events.max(initial=-1)) + 1)
    write_table(
        pa.table(
            {
                "start": played.spans.start, "end": played.spans.end, "games": played.games,
                "first": played.first,
            }
        ),
        folder / "spans.arrow",
    )  # fmt: skip
    if wanted.months:
        found = months_of_games(events, columns.day, columns.begun, played.spans)
        write_table(
            pa.table({"key": found.keys, "start": found.start, "end": found.end}),
            folder / "months.arrow",
        )
    for name in piece.named:
        write_table(pa.table({"id": ids[name]}), folder / f"{name}-ids.arrow")


def leave_played(columns: Mapping[str, Array], players: int, folder: Path) -> None:
    """Leave in how many halves of games each player of a piece plays."""
    sides = [columns[name] for name in PLAYERS if name in columns]
    np.save(folder / PLAYED, halves_of(sides, players))


def _leave_pools(columns: GameColumns, pools: Codes, ids: pa.Array, folder: Path) -> GameColumns:
    """Leave which pools are named by which events, or else by days: these are events then."""
    by_day = columns.event is None
    of = columns.day if columns.event is None else columns.event
    keys, event = np.unique(of.astype(np.int64) * max(1, len(ids)) + pools, return_inverse=True)
    told = {"of": keys // max(1, len(ids)), "pool": keys % max(1, len(ids))}
    write_table(pa.table({n: v.astype(np.int32) for n, v in told.items()}), folder / "pools.arrow")
    return replace(columns, event=event.reshape(-1).astype(np.int32)) if by_day else columns


def read_on_cluster(
    cluster: Cluster,
    group: str,
    games: Input | Sequence[Input],
    folder: Path,
    beside: Beside,
    wanted: Wanted,
) -> tuple[Pieces | None, Findings]:
    """Let the workers read the games; None where the findings refuse them."""
    findings, faults = Findings(), Faults()
    sources = open_games(games, findings)
    columns = columns_of(sources, findings, with_pools=wanted.pools)
    pieces: list[Piece] = []
    reads: list[PieceRead] = []
    if not findings.refused:
        pieces = list(_cut(sources, columns, folder, cluster.cores, wanted))
        reads = cluster.run(group, read_pieces, pieces)
    _collect(pieces, reads, faults, findings)
    spaces = {name: IdSpace() for name in _SPACES}
    with_events = "event" in columns or not columns
    maps: dict[str, list[IdColumn]] = {name: [] for name in (pieces[0].named if pieces else ())}
    is_sound = not findings.refused and not faults.has(NO_VALUE)
    if is_sound:
        for piece, one in zip(pieces, reads, strict=True):
            for name, own in maps.items():
                path = piece.folder / f"{name}-ids.arrow"
                whole = spaces[name].column(blank_is_id=name in ("section", "pool"))
                own.append(_with_ids(whole, path, one.typeless))
    tables = read_tables(beside, spaces, faults, with_events, findings)
    result = None
    if is_sound and not findings.refused and not faults.has(NO_VALUE):
        for name, space in spaces.items():
            space.mixed = any(name in one.mixed for one in reads)
        ids = number_ids(spaces, findings)
        nothing = np.empty(0, np.int32)
        given = with_tables(
            HistoryInput(
                GameColumns(nothing, nothing, nothing, np.empty(0, np.int8)),
                ids["player"],
                ids["event"],
                ids["section"],
                sources=tuple(source.name for source in sources),
            ),
            tables,
            {name: [each.codes for each in maps.get(name, ())] for name in ("player", "event")},
            findings,
        )
        codes = {name: [each.codes for each in own] for name, own in maps.items()}
        if column_of_pools(columns):
            given = _with_pools(given, pieces, codes, ids["pool"], columns, findings)
        result = _joined(pieces, reads, codes, given)
    findings.extend(faults.findings())
    return None if findings.refused else result, findings


def _cut(
    sources: Sequence[Source],
    columns: tuple[str, ...],
    folder: Path,
    cores: int,
    wanted: Wanted,
) -> Iterator[Piece]:
    """The pieces, in the order of the games; at least as many as workers, where that can be."""
    number = 0
    for source in sources:
        pieces = 1
        if source.groups > 1 and source.rows != 0:
            fitting = -(-source.rows // ROWS_OF_A_PIECE) if source.rows else source.groups
            pieces = min(source.groups, max(fitting, cores if len(sources) < cores else 1))
        bounds = [round(k * source.groups / pieces) for k in range(pieces + 1)]
        for first, last in pairwise(bounds):
            yield Piece(
                source.name,
                Path(source.name).absolute(),
                source.parts,
                None if pieces == 1 else range(first, last),
                columns,
                folder / f"piece={number:06d}",
                wanted,
            )
            number += 1


def _collect(
    pieces: Sequence[Piece], reads: Sequence[PieceRead], faults: Faults, findings: Findings
) -> None:
    """What the workers noticed, with rows counted from the beginning of each file."""
    filled = {piece.path for piece, one in zip(pieces, reads, strict=True) if one.rows}
    rows = 0
    for piece, one in zip(pieces, reads, strict=True):
        if piece.groups is None or piece.groups.start == 0:
            rows = 0
        faults.take((replace(each, file=piece.name) for each in one.told), rows)
        rows += one.rows
        for each in one.findings:
            if each.code != NO_GAMES:
                findings.extend([replace(each, where=replace(each.where, file=piece.name))])
            elif piece.path not in filled:
                # A part of a file may be empty.
                tell_empty(piece.name, findings, among_others=bool(filled))


def _with_ids(found: IdColumn, path: Path, typeless: bool) -> IdColumn:
    """The ids of a piece as a column, whose codes are those of the whole when it is numbered."""
    ids = read_table(path)["id"].combine_chunks()
    if typeless:
        # They may be numbers only because there is no other text in this piece.
        ids = ids.cast(pa.large_string())
    if len(ids):
        found.append(ids, undecided=typeless)
    return found


def _with_pools(
    given: HistoryInput,
    pieces: Sequence[Piece],
    codes: dict[str, list[Codes]],
    ids: pa.Array,
    columns: Sequence[str],
    findings: Findings,
) -> HistoryInput:
    """The history whose events say their pools; without events days of pools become some."""
    with_events, by = "event" in columns, column_of_pools(columns)
    nothing = np.empty(0, np.int32)
    of, named = [nothing], [nothing]
    for number, piece in enumerate(pieces):
        said = read_table(piece.folder / "pools.arrow")
        events = column(said, "of")
        of.append(codes["event"][number][events] if with_events else events)
        named.append(codes["pool"][number][column(said, "pool")])
    ofs, pools = np.concatenate(of), np.concatenate(named)
    if with_events:
        return with_pools_of_events(given, ofs, pools, ids, findings, by)
    event_ids, told, event = by_day_and_pool(ofs, pools, ids, by)
    ends = np.cumsum([len(each) for each in of])
    codes["event"] = [event[begin:end] for begin, end in pairwise(ends.tolist())]
    return replace(given, event_ids=event_ids, events=told)


def _joined(
    pieces: Sequence[Piece],
    reads: Sequence[PieceRead],
    codes: Mapping[str, Sequence[Codes]],
    given: HistoryInput,
) -> Pieces:
    """Leave each piece its codes, and put its events together."""
    nothing = np.empty(0, np.int32)
    days = distinct(np.concatenate([nothing, *(one.days for one in reads)]))
    first_day = int(days[0]) if len(days) else 0
    count, with_events = len(given.event_ids), len(given.event_ids) > 0
    if not with_events:
        count = int(days[-1]) - first_day + 1 if len(days) else 0
    played = EventGames(Spans.none(count), np.zeros(count, np.int64), np.zeros(count, np.int64))
    months: list[MonthSpans] = []
    before = 0
    for number, (piece, one) in enumerate(zip(pieces, reads, strict=True)):
        found = read_table(piece.folder / "spans.arrow")
        places: Codes = codes["event"][number]
        if not with_events:
            places = np.arange(len(found), dtype=np.int32)
            places += int(one.days[0]) - first_day if len(one.days) else 0
        played.take(places[: len(found)], events_of(found), before)
        before += one.games
        if piece.wanted.months:
            months.append(_months_of(piece.folder, places))
        for name, own in codes.items():
            write_table(
                pa.table({"code": places if name == "event" else own[number]}),
                piece.folder / f"{name}.arrow",
            )
    return Pieces(
        folders=tuple(piece.folder for piece in pieces),
        games=before,
        rows=sum(one.rows for one in reads),
        halves_left_out=sum(one.halves_left_out for one in reads),
        days=days,
        report_days=distinct(np.concatenate([nothing, *(one.report_days for one in reads)])),
        played=played,
        given=given,
        months=_months_together(months) if months else None,
    )


def events_of(said: pa.Table) -> EventGames:
    """What a worker has left of the events of a piece."""
    start, end, games, first = (column(said, name) for name in ("start", "end", "games", "first"))
    return EventGames(Spans(start, end), games, first)


def _months_of(folder: Path, codes: Codes) -> MonthSpans:
    """The months of a piece, by the codes of the whole."""
    found = read_table(folder / "months.arrow")
    events, months = split_keys(column(found, "key"))
    keys = joined_keys(codes[events], months)
    return MonthSpans(keys, column(found, "start"), column(found, "end"))


def _months_together(found: Sequence[MonthSpans]) -> MonthSpans:
    return MonthSpans.of(
        np.concatenate([each.keys for each in found]),
        np.concatenate([each.start for each in found]),
        np.concatenate([each.end for each in found]),
    )
