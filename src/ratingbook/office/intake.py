"""A file on its way in: read, checked, and laid out as the rows that the ledger keeps of it.

Nothing here knows the database, so that many files are understood in several processes.
"""

from __future__ import annotations

import hashlib
import io
import multiprocessing
import os
import tempfile
import threading
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

from ratingbook.formats import Read, read, read_bytes
from ratingbook.formats.document.write import report_as_dict
from ratingbook.formats.tools.nearby import not_there
from ratingbook.model import Colour, Finding, Game, GameStatus, Place, Report, Result
from ratingbook.office.engine import Rules, check, standing_fields
from ratingbook.office.logic.chain import canonical
from ratingbook.office.logic.garbage import collect_seldom
from ratingbook.office.logic.names import told_apart
from ratingbook.office.logic.printed import entry_of, name_across_versions
from ratingbook.office.logic.stable import event_id, event_key, game_keys
from ratingbook.office.refused import OfficeRefused, refuse

MEDIA = "application/octet-stream"
FOLDER = "application/zip; folder"
MANY = 150
"""Files from which on other processes help: each takes a second or two to begin."""
_AHEAD = 384
"""Files that are understood before they are asked for: more than are entered at once, so that
nobody waits while they are."""
_AHEAD_BYTES = 1 << 26
"""How long these files are together, at most: what is made of them takes memory."""
_PRIVATE = ("birth_date", "birth_year")
_HALF_POINTS = {each: each.half_points(Colour.WHITE) for each in Result}
_STATUS = {each: each.value for each in GameStatus}
_FIRST_DAY_OF_ZIP = (1980, 1, 1, 0, 0, 0)
_RATED = {
    (True, True): "both", (True, False): "white", (False, True): "black", (False, False): "none",
}  # fmt: skip


class EntryRow(NamedTuple):
    """A player of a report; birth date and year are private."""

    number: str
    name: str
    printed: Mapping[str, Any]
    birth_date: date | None
    birth_year: int | None


class SectionRow(NamedTuple):
    """A section of an event; ``event`` names one of several in a report."""

    name: str
    event: str | None
    start: date | None
    end: date | None
    facts: Mapping[str, Any]


class GameRow(NamedTuple):
    """A game with two sides; ``section`` counts the sections of the report from 0."""

    section: int
    number: int
    round: int | None
    white: str
    black: str
    half_points: int | None
    status: str
    rated: str
    handicap: int
    start: date | None
    end: date
    reported: date | None


class Games(NamedTuple):
    """The games of a report as columns, which go from process to process, and into the ledger."""

    section: Sequence[int] = ()
    number: Sequence[int] = ()
    round: Sequence[int | None] = ()
    white: Sequence[str] = ()
    black: Sequence[str] = ()
    half_points: Sequence[int | None] = ()
    status: Sequence[str] = ()
    rated: Sequence[str] = ()
    handicap: Sequence[int] = ()
    start: Sequence[date | None] = ()
    end: Sequence[date] = ()
    reported: Sequence[date | None] = ()

    @classmethod
    def of(cls, rows: Sequence[GameRow]) -> Games:
        """The columns of rows."""
        return cls(*map(list, zip(*rows, strict=True))) if rows else cls()


_ROWS: Mapping[str, Any] = {"entries": EntryRow, "sections": SectionRow}


@dataclass(frozen=True)
class Understood:
    """A file as the office understands it; without a document it cannot be read."""

    file: str
    data: bytes
    sha256: str
    media: str
    findings: Sequence[Finding]
    format: str = ""
    key: str = ""
    """The key of the event, if the office has none for it."""
    document: bytes = b""
    """The report document without birth dates: canonical JSON, compressed by zlib."""
    document_sha256: str = ""
    private: Sequence[Sequence[object]] = ()
    """What was private in it, by player."""
    entries: Sequence[EntryRow] = ()
    sections: Sequence[SectionRow] = ()
    games: Games = field(default_factory=Games)
    keys: Sequence[str] = field(default=(), repr=False)
    """The stable keys of the games under ``key``."""

    def __getstate__(self) -> dict[str, Any]:
        """For another process, rows as plain tuples: named ones take ten times as long."""
        rows = {name: [tuple(each) for each in getattr(self, name)] for name in _ROWS}
        return {**self.__dict__, **rows}

    def __setstate__(self, state: dict[str, Any]) -> None:
        rows = {name: list(map(kind._make, state[name])) for name, kind in _ROWS.items()}
        self.__dict__.update(state | rows)

    @cached_property
    def days(self) -> tuple[date, date] | None:
        """The first and the last day of the report, if any is known."""
        found = [day for s in self.sections for day in (s.start, s.end) if day]
        return (min(found), max(found)) if found else None

    def stable_keys(self, key: str) -> Sequence[str]:
        """The stable keys of the games, where the event goes by this key."""
        if key == self.key:
            return self.keys
        return _stable_keys(key, self.entries, self.sections, self.games)

    @cached_property
    def pairings(self) -> frozenset[tuple[object, ...]]:
        """Rounds with two folded names, whoever had White: what two senders say alike."""
        names = {each.number: told_apart(each.name) for each in self.entries}
        return frozenset(
            (number, *sorted((names.get(white, ""), names.get(black, ""))))
            for number, white, black in zip(
                self.games.round, self.games.white, self.games.black, strict=True
            )
        )

    @cached_property
    def played(self) -> Sequence[Set[str]]:
        """Who has a game in each section."""
        found: list[set[str]] = [set() for _ in self.sections]
        games = self.games
        for section, white, black in zip(games.section, games.white, games.black, strict=True):
            found[section].add(white)
            found[section].add(black)
        return found


def contents(path: Path) -> tuple[bytes, str]:
    """The bytes of a file, or of a folder as an archive that is always the same."""
    try:
        if not path.is_dir():
            return path.read_bytes(), MEDIA
        files = sorted(each for each in path.rglob("*") if each.is_file())
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
            for each in files:
                name = each.relative_to(path).as_posix()
                archive.writestr(zipfile.ZipInfo(name, _FIRST_DAY_OF_ZIP), each.read_bytes())
        return packed.getvalue(), FOLDER
    except (OSError, ValueError) as error:
        raise refuse(
            "office.file",
            not_there(path) or f"The file cannot be read: {error}.",
            "Look at its name and permissions.",
            Place(file=str(path)),
        ) from None  # fmt: skip


def hash_of(path: Path) -> str | None:
    """The hash by which the bytes of a file are kept; None where it cannot be read."""
    try:
        return hashlib.sha256(contents(path)[0]).hexdigest()
    except OfficeRefused:
        return None


def read_data(
    data: bytes, media: str, fields: Mapping[str, type], columns: Mapping[str, str] | None
) -> Read:
    """A kept file as it is understood; a folder is kept as an archive."""
    if media != FOLDER:
        return read_bytes(data, fields, columns)
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            archive.extractall(folder)
        return read(Path(folder), fields, columns)


def understand(
    path: Path, rules: Rules | None, columns: Mapping[str, str] | None
) -> Understood | Sequence[Finding]:
    """Read and check one file; the findings alone where there is no such file."""
    try:
        data, media = contents(path)
        sha256 = hashlib.sha256(data).hexdigest()
        reading = read_data(data, media, standing_fields(rules), columns)
        findings = list(reading.findings)
        report = reading.report
        if report is None:
            return Understood(path.name, data, sha256, media, findings)
        findings += check(report, reading.format, reading.game, rules)
    except OfficeRefused as error:
        return list(error.findings)
    document = report_as_dict(report)
    private = _take_private(document)
    text = canonical(document)
    sections, games = _laid_out(report)
    entries = {
        each.id: EntryRow(
            each.id, each.name, entry_of(each), each.birth_date,
            each.birth_date.year if each.birth_date else each.birth_year,
        )
        for each in reversed(report.entries)
    }  # fmt: skip
    played = Games.of([g for g in games if g.white in entries and g.black in entries])
    event = report.event
    key = event_key(event.name or path.stem, event.place or "", event.start, event.end)
    people = list(reversed(entries.values()))
    return Understood(
        file=path.name, data=data, sha256=sha256, media=media,
        findings=list(dict.fromkeys(findings)), format=reading.format, key=key,
        document=zlib.compress(text), document_sha256=hashlib.sha256(text).hexdigest(),
        private=private, entries=people, sections=sections, games=played,
        keys=_stable_keys(key, people, sections, played),
    )  # fmt: skip


def games_in(document: bytes) -> list[GameRow] | None:
    """The games that the ledger keeps of a packed document; None: it is none."""
    report = read_bytes(zlib.decompress(document)).report
    if report is None:
        return None
    known = {each.id for each in report.entries}
    return [each for each in _laid_out(report)[1] if {each.white, each.black} <= known]


def _take_private(document: dict[str, Any]) -> list[list[object]]:
    """Take birth dates out of a document; what they were, by player."""
    private = []
    for player in document["players"]:
        hidden = [player.pop(key, None) for key in _PRIVATE]
        if any(hidden):
            private.append([player["id"], *hidden])
    return private


def _laid_out(report: Report) -> tuple[list[SectionRow], list[GameRow]]:
    """The sections with their games; a bye is none, nor is a game of no known day."""
    sections: list[SectionRow] = []
    rows: list[GameRow] = []
    number = 0
    for section in report.sections():
        events: dict[str | None, list[Game]] = {}
        for game in section.games:
            events.setdefault(game.event, []).append(game)
        for event, games in events.items():
            row = _section(report, section.name, section.head, event, games)
            for game in games:
                if game.black is None:
                    continue
                number += 1
                end = game.end or row.end or game.start
                if end is not None:
                    rows.append(_game(len(sections), number, game, end))
            sections.append(row)
    return sections, rows


def _section(
    report: Report, name: str | None, head: Any, event: str | None, games: Sequence[Game]
) -> SectionRow:
    said = report.event
    # A report of a whole period says when it began and ended, not when an event did.
    own = [d for g in games for d in (g.start, g.end) if d]
    start = head.start or (None if event else said.start) or min(own, default=None)
    end = head.end or (None if event else said.end) or max(own, default=None) or said.end
    facts = {
        "kind": head.kind or said.kind,
        "class": said.class_,
        "level": said.level,
        "time_control": head.time_control or said.time_control,
        "category": said.category,
        "pool": head.pool or said.pool,
        "rounds": said.rounds,
        "name": event or said.name,
    }
    known = {key: value for key, value in facts.items() if value is not None}
    return SectionRow(name or "", event, start or end, end, known)


def _game(section: int, number: int, game: Game, end: date) -> GameRow:
    return GameRow(
        section=section, number=number, round=game.round, white=game.white,
        black=game.black or "", half_points=_HALF_POINTS[game.result],
        status=_STATUS[game.status], rated=_RATED[game.white_rated, game.black_rated],
        handicap=game.handicap, start=game.start, end=end, reported=game.reported,
    )  # fmt: skip


def _stable_keys(
    key: str, entries: Iterable[EntryRow], sections: Sequence[SectionRow], games: Games
) -> list[str]:
    names = {e.number: name_across_versions(e.number, e.name, e.printed) for e in entries}
    events = [(event_id(key, each.event), each.name) for each in sections]
    return game_keys(
        [
            (*events[section], number, names[white], names[black])
            for section, number, white, black in zip(
                games.section, games.round, games.white, games.black, strict=True
            )
        ]
    )


def understood(
    paths: Iterable[Path], rules: Rules | None, columns: Mapping[str, str] | None
) -> Iterator[Understood | Sequence[Finding]]:
    """Each file in its turn; of many some are understood ahead, in other processes."""
    every = list(paths)
    work = partial(understand, rules=rules, columns=columns)
    helpers = os.cpu_count() or 1
    if len(every) < MANY or helpers < 2:
        yield from map(work, every)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(helpers, context, initializer=_begin_to_help) as pool:
        yield from _ahead(pool, work, every)


def _ahead(
    pool: ProcessPoolExecutor,
    work: Callable[[Path], Understood | Sequence[Finding]],
    paths: Sequence[Path],
) -> Iterator[Understood | Sequence[Finding]]:
    waiting: deque[tuple[Path, int, Future[Understood | Sequence[Finding]] | None]] = deque()
    rest = iter(paths)
    ahead = 0
    while True:
        while len(waiting) < _AHEAD and (not waiting or ahead < _AHEAD_BYTES):
            path = next(rest, None)
            if path is None:
                break
            size = _length(path)
            ahead += size
            try:
                waiting.append((path, size, pool.submit(work, path)))
            except (BrokenProcessPool, RuntimeError):
                waiting.append((path, size, None))
        if not waiting:
            return
        path, size, future = waiting.popleft()
        ahead -= size
        try:
            found = None if future is None else future.result()
        except BrokenProcessPool:
            # Somebody ended a helper; then it is done here.
            found = None
        yield work(path) if found is None else found


def _length(path: Path) -> int:
    """Bytes of a file, or of all files of a folder; 0: it cannot be read."""
    try:
        if path.is_dir():
            return sum(each.stat().st_size for each in path.rglob("*"))
        return path.stat().st_size
    except OSError:
        return 0


def _begin_to_help() -> None:
    """A helper whose office was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    collect_seldom()
