"""Intake: a file is kept, read, checked, its people are looked up; twice changes nothing."""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from django.db.models import Max

from ratingbook.formats import Read, read, read_bytes
from ratingbook.formats.document.write import report_as_dict
from ratingbook.model import Finding, Findings, Game, Place, Report, Result, Severity
from ratingbook.office.acts import desk, states
from ratingbook.office.acts.people import entry_of
from ratingbook.office.acts.ready import make_ready, waiting_entries
from ratingbook.office.acts.setup import pool_named, rules_of
from ratingbook.office.engine import check, standing_fields
from ratingbook.office.home import Home
from ratingbook.office.logic.chain import canonical, commitment, new_salt
from ratingbook.office.logic.names import form
from ratingbook.office.logic.stable import event_id, event_key, game_keys
from ratingbook.office.logic.versions import difference, same_pairings
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act, Who, acting, check_may
from ratingbook.office.store.rows import put_rows

_SAME_EVENT = 0.8
"""Share of equal pairings from which two reports are of one event."""
_MEDIA = "application/octet-stream"
_FOLDER = "application/zip; folder"
_GAME_COLUMNS = (
    "version_id", "section_id", "number", "round", "white_id", "black_id", "half_points", "status",
    "rated", "handicap", "start", "end", "reported", "stable_key",
)  # fmt: skip
_PRIVATE = ("birth_date", "birth_year")
_FIRST_DAY_OF_ZIP = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Received:
    """What became of a file."""

    file: str
    sha256: str
    state: str
    id: int | None = None
    version: int | None = None
    is_new: bool = True
    sections: Mapping[str, str] = field(default_factory=dict)
    difference: tuple[str, ...] = ()
    linked: int = 0
    waiting: int = 0
    findings: Findings = field(default_factory=Findings)


@dataclass(frozen=True)
class Options:
    """What the sender, or the officer, says beside a file."""

    pool: str | None = None
    version_of: int | None = None
    another: bool = False
    """The event is another one than it looks like."""
    columns: Mapping[str, str] | None = None


def receive(home: Home, path: Path, who: Who, options: Options = Options()) -> Received:
    """Take in one file, or a folder of files that belong together."""
    check_may(who, "receive")
    data, media = _bytes(path)
    sha256 = hashlib.sha256(data).hexdigest()
    known = _known(sha256, path.name)
    if known is not None:
        return known
    pool = pool_named(options.pool) if options.pool else None
    rules = rules_of(pool) if pool else None
    blobs.keep(home, data)
    reading = read_data(data, media, standing_fields(rules), options.columns)
    report, findings = reading.report, reading.findings
    if report is not None:
        findings = Findings(findings)
        findings.extend(check(report, reading.format, reading.game, rules))
    if report is None:
        return _refuse_file(path.name, sha256, len(data), media, findings, who)
    kept = m.Blob(sha256=sha256, size=len(data), media=media)
    return _Intake(kept, path.name, reading, report, findings, pool, options).enter(who)


def _bytes(path: Path) -> tuple[bytes, str]:
    """The bytes of a file, or of a folder as an archive that is always the same."""
    try:
        if not path.is_dir():
            return path.read_bytes(), _MEDIA
        files = sorted(each for each in path.rglob("*") if each.is_file())
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
            for each in files:
                name = each.relative_to(path).as_posix()
                archive.writestr(zipfile.ZipInfo(name, _FIRST_DAY_OF_ZIP), each.read_bytes())
        return packed.getvalue(), _FOLDER
    except (OSError, ValueError) as error:
        raise refuse(
            "office.file",
            f"The file cannot be read: {error}.", "Look at its name and permissions.",
            Place(file=str(path)),
        ) from None  # fmt: skip


def read_data(
    data: bytes, media: str, fields: Mapping[str, type], columns: Mapping[str, str] | None
) -> Read:
    """A kept file as it is understood; a folder is kept as an archive."""
    if media != _FOLDER:
        return read_bytes(data, fields, columns)
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            archive.extractall(folder)
        return read(Path(folder), fields, columns)


def _known(sha256: str, name: str) -> Received | None:
    """What the office says of bytes that it has."""
    version = m.ReportVersion.objects.filter(blob=sha256).order_by("-fact").first()
    if version is not None:
        findings = Findings()
        findings.add(
            Severity.INFO, "office.known-file",
            f"The office has this very file: report {version.report_id}, version "
            f"{version.number}. Nothing was changed.", Place(file=name),
        )  # fmt: skip
        return _told(version, findings, is_new=False, name=name)
    fact = m.Fact.objects.filter(kind="file refused", evidence__blob=sha256).first()
    if fact is None:
        return None
    told = [_finding(each) for each in fact.payload["findings"]]
    return Received(name, sha256, states.REFUSED, is_new=False, findings=Findings(told))


def _told(
    version: m.ReportVersion, findings: Findings, *, is_new: bool, name: str, linked: int = 0
) -> Received:
    sections = {each.id: each for each in m.Section.objects.filter(version=version)}
    now = states.shown_states(sections)
    return Received(
        file=name,
        sha256=version.blob_id,
        state=states.least(now.values()),
        id=version.report_id,
        version=version.number,
        is_new=is_new,
        sections={sections[k].name: now.get(k, "") for k in sections},
        difference=tuple(version.difference),
        linked=linked,
        waiting=len(waiting_entries(version.id)),
        findings=findings,
    )


def _refuse_file(
    name: str, sha256: str, size: int, media: str, findings: Findings, who: Who
) -> Received:
    """A file that cannot be read is kept with what was wrong with it."""
    with acting(who) as act:
        blobs.enter(sha256, size, media)
        act.fact(
            "file refused", ("file", sha256), evidence=[sha256],
            payload={"findings": [each.as_dict() for each in findings]},
            reason=", ".join(dict.fromkeys(f.code for f in findings if f.severity.refuses)),
        )  # fmt: skip
    return Received(name, sha256, states.REFUSED, findings=findings.in_file(name))


def _finding(said: Mapping[str, Any]) -> Finding:
    where = Place(**said["where"])
    return Finding(said["code"], Severity(said["severity"]), said["message"], where, said["remedy"])


def document_of(version: m.ReportVersion) -> dict[str, Any]:
    """The report document of a version, without birth dates."""
    found: dict[str, Any] = json.loads(zlib.decompress(bytes(version.document)))
    return found


class _Intake:
    """A report on its way into the ledger."""

    def __init__(
        self,
        blob: m.Blob,
        name: str,
        reading: Read,
        report: Report,
        findings: Findings,
        pool: m.Pool | None,
        options: Options,
    ) -> None:
        self.blob, self.name, self.reading, self.report = blob, name, reading, report
        self.findings, self.options = Findings(findings), options
        self.pools = {each.name: each for each in m.Pool.objects.all()}
        self.pool = pool
        self.document = report_as_dict(report)
        self.private = _take_private(self.document)
        self.key = event_key(
            report.event.name or Path(name).stem, report.event.place or "",
            report.event.start, report.event.end,
        )  # fmt: skip

    def enter(self, who: Who) -> Received:
        """One act: the version with its rows, the links that are certain, what is ready."""
        before = self._report_of()
        matches = desk.matches_of(self.report.entries, self._ratings())
        with acting(who) as act:
            blobs.enter(self.blob.sha256, self.blob.size, self.blob.media)
            version = self._version(act, before)
            entries = self._entries(version)
            self._games(version, entries)
            self._steps(act, version, before)
            linked = desk.link_certain(act, version, entries, matches, before)
            make_ready(act, version)
        self.findings.extend(act.findings)
        return _told(
            version, self.findings.in_file(self.name), is_new=True, name=self.name, linked=linked
        )

    def _report_of(self) -> m.ReportVersion | None:
        """The version that this one follows; None: the event is new."""
        if self.options.version_of is not None:
            found = states.newest(self.options.version_of)
            if found is None:
                raise refuse(
                    "office.no-report", f"There is no report {self.options.version_of}.",
                    "`ratingbook office reports` lists them.",
                )  # fmt: skip
            return found
        same = m.Report.objects.filter(event_key=self.key).first()
        if same is not None and not self.options.another:
            return states.newest(same.id)
        if not self.options.another:
            self._refuse_same_event()
        return None

    def _refuse_same_event(self) -> None:
        """The same event as another file, or from another sender, is the usual case."""
        days = _days(self.report)
        if not days:
            return
        names = {each.id: form(each.name).sorted_folded for each in self.report.entries}
        own = [
            (g.round, names.get(g.white, ""), names.get(g.black or "", ""))
            for g in _played(self.report)
        ]
        near = m.Section.objects.filter(end__gte=min(days), start__lte=max(days))
        for number in sorted(set(near.values_list("version__report", flat=True))):
            version = states.newest(number)
            if version is None:
                continue
            theirs = [
                (each[0], form(each[1]).sorted_folded, form(each[2]).sorted_folded)
                for each in m.Game.objects.filter(version=version).values_list(
                    "round", "white__name", "black__name"
                )
            ]
            share = same_pairings(theirs, own)
            if share >= _SAME_EVENT:
                raise refuse(
                    "office.same-event",
                    f"{share:.0%} of the pairings are those of report {number} "
                    f"({version.file_name}), of the same days.",
                    f"If it is that event, receive the file with --version-of {number}; if it is "
                    "another one, with --another.",
                    Place(file=self.name),
                )

    def _ratings(self) -> Mapping[int, float]:
        from ratingbook.office.acts.published import ratings_now

        return ratings_now(self.pool) if self.pool is not None else {}

    def _version(self, act: Act, before: m.ReportVersion | None) -> m.ReportVersion:
        document = canonical(self.document)
        sha256 = hashlib.sha256(document).hexdigest()
        number = before.number + 1 if before else 1
        report = before.report_id if before else self._next_report()
        key = self._key() if before is None else before.report.event_key
        self.key = key
        said = [] if before is None else difference(document_of(before), self.document)
        fact = act.fact(
            "received", ("report", report), evidence=[self.blob.sha256],
            payload={
                "report": report, "version": number, "event_key": key, "document": sha256,
                "format": self.reading.format, "file": self.blob.sha256,
            },
            private_commit=commitment(new_salt(), self.private) if self.private else None,
        )  # fmt: skip
        if before is None:
            m.Report.objects.create(id=report, event_key=key, made_by=fact)
        return m.ReportVersion.objects.create(
            report_id=report, number=number, fact=fact, blob_id=self.blob.sha256,
            file_name=self.name, format=self.reading.format, document=zlib.compress(document),
            document_sha256=sha256, findings=[each.as_dict() for each in self.findings],
            difference=said,
        )  # fmt: skip

    def _next_report(self) -> int:
        return (m.Report.objects.aggregate(last=Max("id"))["last"] or 0) + 1

    def _key(self) -> str:
        """The key of the event; another event that looks the same has a number behind it."""
        key, number = self.key, 1
        while m.Report.objects.filter(event_key=key).exists():
            number += 1
            key = f"{self.key}-{number}"
        return key

    def _entries(self, version: m.ReportVersion) -> dict[str, m.Entry]:
        made = m.Entry.objects.bulk_create(
            [
                m.Entry(version=version, number=e.id, name=e.name, printed=entry_of(e))
                for e in self.report.entries
            ]
        )
        entries = {each.number: each for each in made}
        m.EntryPrivate.objects.bulk_create(
            [
                m.EntryPrivate(
                    entry=entries[e.id], birth_date=e.birth_date,
                    birth_year=e.birth_date.year if e.birth_date else e.birth_year,
                )
                for e in self.report.entries
                if e.birth_date or e.birth_year
            ]
        )  # fmt: skip
        return entries

    def _games(self, version: m.ReportVersion, entries: Mapping[str, m.Entry]) -> None:
        """The sections with their games; a bye is none."""
        self.sections: dict[tuple[str, str], m.Section] = {}
        rows, said = [], []
        number = 0
        for section in self.report.sections():
            events: dict[str | None, list[Game]] = {}
            for game in section.games:
                events.setdefault(game.event, []).append(game)
            for event, games in events.items():
                row = self._section(version, section.name, section.head, event, games)
                for game in _played_of(games):
                    white, black = entries.get(game.white), entries.get(game.black or "")
                    if white is None or black is None:
                        continue
                    number += 1
                    end = game.end or row.end or game.start
                    if end is None:
                        continue
                    rows.append(self._game(version, row, number, game, white, black, end))
                    said.append((row.event, row.name, game.round, _printed(white), _printed(black)))
        for game_row, key in zip(rows, game_keys(said), strict=True):
            game_row.stable_key = key
        values = [tuple(getattr(row, column) for column in _GAME_COLUMNS) for row in rows]
        put_rows(m.Game._meta.db_table, _GAME_COLUMNS, values)

    def _section(
        self, version: m.ReportVersion, name: str | None, head: Any, event: str | None,
        games: Sequence[Game],
    ) -> m.Section:  # fmt: skip
        said = self.report.event
        # A report of a whole period says when it began and ended, not when an event did.
        own = [d for g in games for d in (g.start, g.end) if d]
        start = head.start or (None if event else said.start) or min(own, default=None)
        end = head.end or (None if event else said.end) or max(own, default=None) or said.end
        facts = {
            "kind": head.kind or said.kind, "class": said.class_, "level": said.level,
            "time_control": head.time_control or said.time_control, "category": said.category,
            "pool": head.pool or said.pool, "rounds": said.rounds, "name": event or said.name,
        }  # fmt: skip
        pool = self.pool or self._pool_of(head.pool or said.pool)
        row = m.Section.objects.create(
            version=version, name=name or "", event=event_id(self.key, event),
            pool=pool.id if pool else None, start=start or end, end=end,
            facts={key: value for key, value in facts.items() if value is not None},
        )  # fmt: skip
        self.sections[event or "", name or ""] = row
        return row

    def _pool_of(self, said: str | None) -> m.Pool | None:
        """The pool that the report names; where there is but one, that."""
        if said in self.pools:
            return self.pools[said]
        return next(iter(self.pools.values())) if len(self.pools) == 1 else None

    @staticmethod
    def _game(
        version: m.ReportVersion, section: m.Section, number: int, game: Game,
        white: m.Entry, black: m.Entry, end: date,
    ) -> m.Game:  # fmt: skip
        from ratingbook.model import Colour

        rated = {
            (True, True): "both", (True, False): "white", (False, True): "black",
            (False, False): "none",
        }[game.white_rated, game.black_rated]  # fmt: skip
        points = None if game.result is Result.NONE else game.result.half_points(Colour.WHITE)
        return m.Game(
            version=version, section=section, number=number, round=game.round, white=white,
            black=black, half_points=points, status=game.status.value, rated=rated,
            handicap=game.handicap, start=game.start, end=end, reported=game.reported,
            stable_key="",
        )  # fmt: skip

    def _steps(self, act: Act, version: m.ReportVersion, before: m.ReportVersion | None) -> None:
        """Into what state the sections come, and out of which those of before go."""
        every = [each.id for each in self.sections.values()]
        refusing = dict.fromkeys(each.code for each in self.findings if each.severity.refuses)
        if refusing:
            # The version before stays what it is.
            states.step(act, "refused", every, states.REFUSED, ", ".join(refusing))
            return
        if before is not None:
            old = list(m.Section.objects.filter(version=before).values_list("id", flat=True))
            if states.PUBLISHED in states.shown_states(old).values():
                # What is published stays until an officer lets the new version in.
                self._hold(act, f"version {before.number} is published; look at what differs")
                return
            if old:
                states.step(act, "superseded", old, states.SUPERSEDED)
        without = [s.id for s in self.sections.values() if s.pool is None]
        undated = [s.id for s in self.sections.values() if s.pool is not None and s.end is None]
        if without:
            states.step(act, "held", without, states.HELD, "no pool is named")
            self.findings.add(
                Severity.WARNING, "office.no-pool-named",
                f"{len(without)} of the sections cannot be rated: no pool is named.",
                remedy="Receive it again with --pool, or name the pool in the report.",
            )  # fmt: skip
        if undated:
            states.step(act, "held", undated, states.HELD, "no day is known")
            self.findings.add(
                Severity.WARNING, "office.no-day",
                f"{len(undated)} of the sections cannot be rated: no day is known.",
                remedy="Give the event a last day.",
            )  # fmt: skip
        rest = [each for each in every if each not in {*without, *undated}]
        if rest:
            states.step(act, "checked", rest, states.CHECKED)

    def _hold(self, act: Act, reason: str) -> None:
        states.step(act, "held", [each.id for each in self.sections.values()], states.HELD, reason)
        self.findings.add(
            Severity.WARNING, "office.is-published", f"The new version is held: {reason}.",
            remedy="`ratingbook office release REPORT --reason …` lets the next run rate it.",
        )  # fmt: skip


def _take_private(document: dict[str, Any]) -> list[list[object]]:
    """Take birth dates out of a document; what they were, by player."""
    private = []
    for player in document["players"]:
        hidden = [player.pop(key, None) for key in _PRIVATE]
        if any(hidden):
            private.append([player["id"], *hidden])
    return private


def _played(report: Report) -> Iterable[Game]:
    return _played_of(report.games)


def _played_of(games: Iterable[Game]) -> Iterable[Game]:
    """The games with two sides."""
    return (game for game in games if game.black is not None)


def _printed(entry: m.Entry) -> str:
    """How the report calls a player in a way that another version does as well."""
    ids = entry.printed.get("ids") or {}
    if ids:
        scheme = min(ids)
        return f"{scheme}:{ids[scheme]}"
    return form(entry.name).sorted or entry.number


def _days(report: Report) -> list[date]:
    found = [report.event.start, report.event.end]
    found += [day for game in report.games for day in (game.start, game.end)]
    return [each for each in found if each is not None]


def receive_all(
    home: Home, paths: Iterable[Path], who: Who, options: Options
) -> tuple[list[Received], Findings]:
    """Each file by itself: what is wrong with one does not keep the others out."""
    received: list[Received] = []
    refused: list[Finding] = []
    for path in paths:
        try:
            received.append(receive(home, path, who, options))
        except OfficeRefused as error:
            refused += error.findings
            received.append(Received(path.name, "", states.REFUSED, findings=error.findings))
    return received, Findings(refused)
