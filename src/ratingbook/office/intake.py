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
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

from ratingbook.formats import Read, read, read_bytes
from ratingbook.formats.document.write import report_as_dict
from ratingbook.formats.files import NOTHING_IN_PIPE, is_fifo, is_pipe, opened, too_large
from ratingbook.formats.tools.encodings import named, naming
from ratingbook.formats.tools.nearby import not_there
from ratingbook.formats.tools.text import MAX_BYTES, by_its_name
from ratingbook.model import (
    Colour,
    Finding,
    Findings,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    can_be,
)
from ratingbook.model.sentences import Sentence, sentence
from ratingbook.office.engine.rules import Rules, check, standing_fields
from ratingbook.office.engine.said import beyond, columns_of
from ratingbook.office.limits import LABEL, NAME, TEXT, too_long
from ratingbook.office.logic.chain import canonical
from ratingbook.office.logic.days import impossible
from ratingbook.office.logic.fixes import Sides, fixed, told
from ratingbook.office.logic.garbage import collect_seldom
from ratingbook.office.logic.names import told_apart
from ratingbook.office.logic.printed import call_of, entry_of, sides_of
from ratingbook.office.logic.stable import event_id, event_key, game_keys
from ratingbook.office.refused import OfficeRefused, refuse

MEDIA = "application/octet-stream"
FOLDER = "application/zip; folder"
MANY = 150
"""Files from which on other processes help: each takes a second or two to begin."""
_TOGETHER = 8
"""Files that go to a helper at a time."""
_AHEAD = 32
"""How many such are understood before they are asked for.

While the ledger takes in some hundred files helpers go on; rows take memory.
"""
_AHEAD_BYTES = 1 << 26
"""How long all these files are, at most, unless one alone is longer."""
_LEVEL = 1
"""Documents are a tenth larger than at the usual level, and packed in a third of the time."""
_PRIVATE = ("birth_date", "birth_year")
_FIRST_DAY_OF_ZIP = (1980, 1, 1, 0, 0, 0)
_POINTS = {each: each.half_points(Colour.WHITE) for each in Result}
_WORDS = {each: each.value for each in GameStatus}
RATED = {
    (True, True): "both", (True, False): "white", (False, True): "black", (False, False): "none",
}  # fmt: skip
_SIDES = {word: sides for sides, word in RATED.items()}
_RESULTS = {points: each for each, points in _POINTS.items()}


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


class Games(NamedTuple):
    """The games of a report as columns: so they go to another process, and into the ledger.

    Each has two sides that the report knows.  ``section`` counts the sections of the report from
    0, ``number`` its games from 1.
    """

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


class SubstitutionRow(NamedTuple):
    """A side of a game that a substitute played, and the entry in whose place."""

    number: int
    """Of the game."""
    side: str
    entry: str


_ROWS: Mapping[str, Any] = {
    "entries": EntryRow, "sections": SectionRow, "substitutions": SubstitutionRow,
}  # fmt: skip


@dataclass(frozen=True)
class Said:
    """What is said of an event beside its file, since that does not say it."""

    start: date | None = None
    end: date | None = None
    event: str | None = None
    start_before: date | None = None
    end_before: date | None = None
    """The days of the version before: its event's, where nobody says any of a new one."""

    def as_dict(self) -> dict[str, str]:
        """What is said, as facts keep it."""
        return {key: str(value) for key, value in vars(self).items() if value}

    def own(self) -> Said:
        """What the sender says, without what follows from the version before."""
        return Said(self.start, self.end, self.event)

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Said:
        """What a fact keeps of it."""
        days = {
            key: date.fromisoformat(kept[key])
            for key in ("start", "end", "start_before", "end_before")
            if kept.get(key)
        }
        return cls(event=kept.get("event"), **days)

    def refuse_reversed(self) -> None:
        """Refuse days of which the last is before the first, whatever a file says."""
        if self.start and self.end and self.start > self.end:
            raise _reversed(self.start, self.end)

    def of_report(self, report: Report) -> Report:
        """The report with what its file leaves open; refused where the file says otherwise."""
        event = report.event
        for option, said, own in (
            ("--start", self.start, event.start),
            ("--end", self.end, event.end),
            ("--event", self.event, event.name),
        ):
            if said and own and said != own:
                raise refuse(
                    "office.said-otherwise",
                    sentence(
                        "The file says {own}, and beside it {said} is said.", own=own, said=said
                    ),
                    sentence(
                        "Leave {option} out; if the file is wrong, have it corrected.",
                        option=option,
                    ),
                )  # fmt: skip
        start, end = event.start or self.start, event.end or self.end
        if end is None and self.end_before is not None and not _has_day(report):
            start, end = start or self.start_before, self.end_before
            start = min(start, end) if start else None
        if self.start and end and self.start > end:
            raise _reversed(self.start, end)
        said_event = replace(event, start=start, end=end, name=event.name or self.event)
        completed = replace(report, event=said_event)
        _refuse_no_days(completed)
        return completed


def _reversed(start: date, end: date) -> OfficeRefused:
    return refuse(
        "office.said-otherwise",
        sentence("The event would begin on {start} and end on {end}.", start=start, end=end),
        sentence("Give a first day that is not after the last."),
    )


def _refuse_no_days(report: Report) -> None:
    """Refuse days on which nothing was played, whoever said them.

    What a report says is read again from its document, and goes into runs: neither takes others.
    """
    event = report.event
    days = [event.start, event.end]
    days += [day for each in report.section_heads for day in (each.start, each.end)]
    days += [day for each in report.games for day in (each.start, each.end, each.reported)]
    for day in days:
        if day is not None and not can_be(day):
            raise impossible(day)


def _has_day(report: Report) -> bool:
    """Whether a file says of any game or section when it was played."""
    return any(
        each.start or each.end for some in (report.section_heads, report.games) for each in some
    )


NOTHING_SAID = Said()


@dataclass(frozen=True)
class Understood:
    """A file as the office understands it; without a document it cannot be read."""

    file: str
    data: bytes
    sha256: str
    media: str
    findings: Sequence[Finding]
    format: str = ""
    game: str | None = None
    """The game that the format is of; None: of any."""
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
    substitutions: Sequence[SubstitutionRow] = ()
    keys: Sequence[str] = field(default=(), repr=False)
    """The stable keys of the games under ``key``."""
    beyond: Report | None = field(default=None, repr=False)
    """The players and games of whom it says more than these rows hold, if there are any."""

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
        """Who has a game in each section, or was replaced by a substitute in one."""
        games = self.games
        replaced = [each.entry for each in self.substitutions]
        if len(self.sections) == 1:
            return [{*games.white, *games.black, *replaced}]
        found: list[set[str]] = [set() for _ in self.sections]
        for section, white, black in zip(games.section, games.white, games.black, strict=True):
            found[section].add(white)
            found[section].add(black)
        if replaced:
            section_of = dict(zip(games.number, games.section, strict=True))
            for each in self.substitutions:
                found[section_of[each.number]].add(each.entry)
        return found


def contents(path: Path) -> tuple[bytes, str]:
    """The bytes of a file, or of a folder as an archive that is always the same."""
    try:
        if not path.is_dir():
            return _bytes_of(path), MEDIA
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
            not_there(path) or sentence("The file cannot be read: {error}.", error=error),
            sentence("Look at its name and permissions."),
            Place(file=str(path)),
        ) from None


def _bytes_of(path: Path) -> bytes:
    """What a file holds; of a pipe or a device, which need not end, no more than is read."""
    if path.is_file():
        return path.read_bytes()
    with opened(path) as file:
        data = file.read(MAX_BYTES + 1)
        nothing_came = not data and is_fifo(file)
    if nothing_came:
        raise OfficeRefused(Findings([NOTHING_IN_PIPE]).in_file(str(path)))
    if len(data) > MAX_BYTES:
        raise OfficeRefused(Findings([too_large(MAX_BYTES)]).in_file(str(path)))
    return data


def hash_of(path: Path) -> str | None:
    """The hash by which the bytes of a file are kept; None where it cannot be read, or only once.

    What comes through a pipe is left to whoever reads it as a report.
    """
    if is_pipe(path):
        return None
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
    path: Path,
    rules: Rules | None,
    columns: Mapping[str, str] | None,
    said: Said = NOTHING_SAID,
) -> Understood | Sequence[Finding]:
    """Read and check one file; the findings alone where there is no such file."""
    try:
        data, media = contents(path)
        sha256 = hashlib.sha256(data).hexdigest()
        reading = read_data(data, media, standing_fields(rules), columns)
        findings = by_its_name(reading.findings, path.name)
        report = reading.report
        if report is None:
            return Understood(path.name, data, sha256, media, findings)
        report = said.of_report(report)
        findings += check(reading, report, rules)
    except OfficeRefused as error:
        return list(error.findings.in_file(path.name))
    document = report_as_dict(report)
    private = _take_private(document)
    text = canonical(document)
    sections, played = _laid_out(report)
    event = report.event
    key = event_key(event.name or path.stem, event.place or "", event.start, event.end)
    people = _entries(report)
    findings += too_long(_said(report, people, sections))
    return Understood(
        file=path.name, data=data, sha256=sha256, media=media,
        findings=list(dict.fromkeys(findings)), format=reading.format, game=reading.game, key=key,
        document=zlib.compress(text, _LEVEL), document_sha256=hashlib.sha256(text).hexdigest(),
        private=private, entries=people, sections=sections, games=played,
        substitutions=_substitutions(report, played),
        keys=_stable_keys(key, people, sections, played), beyond=beyond(report),
    )  # fmt: skip


def _said(
    report: Report, people: Iterable[EntryRow], sections: Iterable[SectionRow]
) -> Iterator[tuple[Sentence, object, int, Place]]:
    """What pages show of a report, in the words of its sender."""
    event = report.event
    yield sentence("The name of the event"), event.name or "", NAME, Place()
    yield sentence("The place"), event.place or "", NAME, Place()
    for each in sections:
        where = Place(section=each.name[:NAME]) if each.name else Place()
        yield sentence("The name of the section"), each.name, NAME, where
        if each.event is not None:
            yield sentence("The name of the event"), each.event, NAME, where
        facts = {key: value for key, value in each.facts.items() if key != "name"}
        yield sentence("What is said of the event"), facts, TEXT, where
    for one in people:
        printed = "".join(map(str, one.printed.values()))
        if len(one.name) + len(one.number) + len(printed) <= LABEL:
            # As nearly everybody: of a large file this is asked a hundred thousand times.
            continue
        where = Place(player=one.number[:LABEL])
        yield sentence("The name of a player"), one.name, NAME, where
        yield sentence("The number of a player"), one.number, LABEL, where
        said = {key: value for key, value in one.printed.items() if key != "ids"}
        yield sentence("What is said of a player"), said, NAME, where
        yield sentence("The number of a player"), one.printed.get("ids", {}), LABEL, where


def _entries(report: Report) -> list[EntryRow]:
    """The players; of several with one id the first."""
    found = {
        each.id: EntryRow(
            each.id, each.name, entry_of(each), each.birth_date,
            each.birth_date.year if each.birth_date else each.birth_year,
        )
        for each in reversed(report.entries)
    }  # fmt: skip
    return list(reversed(found.values()))


class Rows(NamedTuple):
    """What the ledger keeps of a report, as rows."""

    entries: Sequence[EntryRow]
    """Without what is private of them."""
    sections: Sequence[SectionRow]
    games: Games
    substitutions: Sequence[SubstitutionRow]
    keys: Sequence[str]
    """The stable keys of the games."""


def report_in(document: bytes) -> Report | None:
    """The report in a packed document; None: it is none."""
    return read_bytes(zlib.decompress(document)).report if document else None


def rows_in(document: bytes, key: str) -> Rows | None:
    """The rows of a packed document, whose event goes by a key; None: it is no document."""
    report = report_in(document)
    if report is None:
        return None
    entries, (sections, games) = _entries(report), _laid_out(report)
    return Rows(
        entries, sections, games, _substitutions(report, games),
        _stable_keys(key, entries, sections, games),
    )  # fmt: skip


class Beyond(NamedTuple):
    """What a document says of its games and players beyond the rows."""

    games: Mapping[int, Game]
    """By their numbers, those of which it says more."""
    players: Mapping[str, Mapping[str, Any]]
    """By their ids what it says of them, by the columns of a players file."""


def beyond_in(document: bytes) -> Beyond:
    """The same of a packed document."""
    report = report_in(document)
    more = beyond(report) if report is not None else None
    if report is None or more is None:
        return Beyond({}, {})
    which = set(map(id, more.games))
    games = {number: game for number, game in numbered(report) if id(game) in which}
    said = {entry.id: columns_of(entry) for entry in reversed(report.entries)}
    return Beyond(games, {player: columns for player, columns in said.items() if columns})


def _take_private(document: dict[str, Any]) -> list[list[object]]:
    """Take birth dates out of a document; what they were, by player."""
    private = []
    for player in document["players"]:
        hidden = [player.pop(key, None) for key in _PRIVATE]
        if any(hidden):
            private.append([player["id"], *hidden])
    return private


def _laid_out(report: Report) -> tuple[list[SectionRow], Games]:
    """The sections with the games of known players; a bye is none, nor one of no known day."""
    sections: list[SectionRow] = []
    columns: list[list[Any]] = [[] for _ in Games._fields]
    known = {each.id for each in report.entries}
    count = 0
    for section in report.sections():
        for event, own in _by_event(section.games):
            row = _section(report, section.name, section.head, event, own)
            held = [game for game in own if game.black is not None]
            kept = [
                (number, game, end)
                for number, game in enumerate(held, count + 1)
                if (end := game.end or row.end or game.start) is not None
                and game.white in known
                and game.black in known
            ]
            count += len(held)
            if kept:
                some = _columns(len(sections), *zip(*kept, strict=True))
                for column, values in zip(columns, some, strict=True):
                    column.extend(values)
            sections.append(row)
    return sections, Games(*columns)


def _substitutions(report: Report, games: Games) -> list[SubstitutionRow]:
    """Whom substitutes replace in the games that are kept."""
    if not any(each.white_for or each.black_for for each in report.games):
        return []
    known, kept = {each.id for each in report.entries}, set(games.number)
    return [
        SubstitutionRow(number, side, entry)
        for number, game in numbered(report) if number in kept
        for side, entry in (("white", game.white_for), ("black", game.black_for))
        if entry is not None and entry in known
    ]  # fmt: skip


def numbered(report: Report) -> Iterator[tuple[int, Game]]:
    """The games of a report by the numbers under which the ledger keeps them."""
    count = 0
    for section in report.sections():
        for _, own in _by_event(section.games):
            for game in own:
                if game.black is not None:
                    count += 1
                    yield count, game


def with_fixes(report: Report, fixes: Mapping[int, Sequence[Mapping[str, Any]]]) -> Report:
    """The report as corrections say that its games were; they go by the numbers of the games."""
    if not fixes:
        return report
    entries = {each.number: each for each in _entries(report)}
    games = {
        id(game): _fixed(game, fixes[number], sides_of(entries[game.white], entries[game.black]))
        for number, game in numbered(report) if number in fixes and game.black
    }  # fmt: skip
    return replace(report, games=tuple(games.get(id(game), game) for game in report.games))


def _fixed(game: Game, said: Iterable[Mapping[str, Any]], sides: Sides) -> Game:
    half = game.result.half_points(Colour.WHITE)
    row: dict[str, Any] = {
        "white": game.white, "black": game.black, "half": half,
        "rated": RATED[game.white_rated, game.black_rated], "status": game.status.value,
    }  # fmt: skip
    row = fixed(row, told(said, sides))
    white, black = _SIDES[row["rated"]]
    return replace(
        game, white=row["white"], black=row["black"], result=_RESULTS[row["half"]],
        status=GameStatus(row["status"]), white_rated=white, black_rated=black,
        # A score table was made of the result that was reported.
        table_result=game.table_result if row["half"] == half else None,
    )  # fmt: skip


def _by_event(games: Iterable[Game]) -> Iterable[tuple[str | None, list[Game]]]:
    """Games by the events that they name."""
    events: dict[str | None, list[Game]] = {}
    for game in games:
        events.setdefault(game.event, []).append(game)
    return events.items()


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


def _columns(
    section: int, number: Sequence[int], games: Sequence[Game], end: Sequence[date]
) -> Games:
    return Games(
        section=[section] * len(games), number=number, round=[g.round for g in games],
        white=[g.white for g in games], black=[g.black or "" for g in games],
        half_points=[_POINTS[g.result] for g in games], status=[_WORDS[g.status] for g in games],
        rated=[RATED[g.white_rated, g.black_rated] for g in games],
        handicap=[g.handicap for g in games], start=[g.start for g in games], end=end,
        reported=[g.reported for g in games],
    )  # fmt: skip


def _stable_keys(
    key: str, entries: Iterable[EntryRow], sections: Sequence[SectionRow], games: Games
) -> list[str]:
    names = {e.number: call_of(e) for e in entries}
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
    paths: Iterable[Path],
    rules: Rules | None,
    columns: Mapping[str, str] | None,
    said: Said = NOTHING_SAID,
) -> Iterator[Understood | Sequence[Finding]]:
    """Each file in its turn; of many some are understood ahead, in other processes."""
    every = list(paths)
    work = partial(understand, rules=rules, columns=columns, said=said)
    helpers = os.cpu_count() or 1
    if len(every) < MANY or helpers < 2:
        yield from map(work, every)
        return
    context = multiprocessing.get_context("spawn")
    some = [every[at : at + _TOGETHER] for at in range(0, len(every), _TOGETHER)]
    with ProcessPoolExecutor(helpers, context, initializer=_begin_to_help) as pool:
        # Another process does not know what was said in this one.
        for found in _ahead(pool, partial(_each, work, named()), some):
            yield from found


_Work = Callable[[Path], Understood | Sequence[Finding]]
_Found = Sequence[Understood | Sequence[Finding]]


def _each(work: _Work, encoding: str | None, paths: Sequence[Path]) -> _Found:
    with naming(encoding):
        return [work(path) for path in paths]


def _ahead(
    pool: ProcessPoolExecutor,
    work: Callable[[Sequence[Path]], _Found],
    every: Iterable[Sequence[Path]],
) -> Iterator[_Found]:
    waiting: deque[tuple[Sequence[Path], int, Future[_Found] | None]] = deque()
    rest = iter(every)
    ahead = 0
    while True:
        while len(waiting) < _AHEAD and (not waiting or ahead < _AHEAD_BYTES):
            paths = next(rest, ())
            if not paths:
                break
            length = sum(map(_length, paths))
            ahead += length
            try:
                waiting.append((paths, length, pool.submit(work, paths)))
            except (BrokenProcessPool, RuntimeError):
                waiting.append((paths, length, None))
        if not waiting:
            return
        paths, length, future = waiting.popleft()
        ahead -= length
        try:
            found = None if future is None else future.result()
        except BrokenProcessPool:
            # Somebody ended a helper; then it is done here.
            found = None
        yield work(paths) if found is None else found


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
