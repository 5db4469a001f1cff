"""Reports on their way into the ledger: some at a time, by one act, with their links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Max

from ratingbook.formats.tools.encodings import named
from ratingbook.model import Finding, Findings, Place, Severity
from ratingbook.model.sentences import packed, sentence
from ratingbook.office.acts import desk, states
from ratingbook.office.acts.letting_in import LettingIn, beyond_of
from ratingbook.office.acts.people import merges
from ratingbook.office.acts.places import Places
from ratingbook.office.acts.published import first_days
from ratingbook.office.acts.reports import refuse_others
from ratingbook.office.acts.same_event import Near, reports_called, version_before
from ratingbook.office.acts.same_files import for_another, in_pool
from ratingbook.office.acts.same_sections import FOLLOWS
from ratingbook.office.acts.setup import policy
from ratingbook.office.acts.unused import unused
from ratingbook.office.acts.warnings import Doubts
from ratingbook.office.intake import NOTHING_SAID, Said, Understood
from ratingbook.office.logic.chain import canonical, commitment, new_salt
from ratingbook.office.logic.days import Days
from ratingbook.office.logic.matching import VERSION, Match
from ratingbook.office.logic.stable import event_id
from ratingbook.office.logic.stored import stored
from ratingbook.office.logic.versions import difference
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import SYSTEM, Act
from ratingbook.office.store.rows import new_ids, put_rows

_COLUMNS: Mapping[Any, Sequence[str]] = {
    m.Blob: ("sha256", "size", "media"),
    m.Report: ("id", "event_key", "made_by"),
    m.ReportVersion: (
        "id", "report_id", "number", "fact", "blob_id", "file_name", "format", "document",
        "document_sha256", "findings", "difference",
    ),
    m.Section: ("id", "version_id", "name", "event", "pool", "start", "end", "facts"),
    m.SectionStep: ("fact", "section_id", "state"),
    m.Entry: ("id", "version_id", "number", "name", "printed"),
    m.EntryPrivate: ("entry_id", "birth_date", "birth_year"),
    m.Link: ("fact", "entry_id", "person_id", "method", "score", "reasons"),
    m.Game: (
        "version_id", "section_id", "number", "round", "white_id", "black_id", "half_points",
        "status", "rated", "handicap", "start", "end", "reported", "stable_key",
    ),
    m.Substitution: ("version_id", "number", "side", "entry_id"),
}  # fmt: skip
"""What is written of each table, in the order in which they name each other."""


@dataclass(frozen=True)
class Options:
    """What the sender, or the officer, says beside a file."""

    pool: str | None = None
    version_of: int | None = None
    another: bool = False
    """The event is another one than it looks like."""
    columns: Mapping[str, str] | None = None
    said: Said = NOTHING_SAID
    """What the files do not say of their event."""

    @property
    def pool_beside(self) -> str | None:
        """The pool in which an event is to be rated, too, that the office may have in another."""
        return self.pool if self.another else None

    def how_read(self) -> dict[str, Any]:
        """What is said of how to read the files: whoever reads them again needs it."""
        said = {"encoding": named(), "columns": self.columns, **self.said.as_dict()}
        return {key: value for key, value in said.items() if value}

    def sent(self) -> dict[str, Any]:
        """The same, as far as whoever sends the files says it."""
        own = replace(self, said=self.said.own())
        return own.how_read()

    def after(self, version: m.ReportVersion | None) -> Options:
        """The same of a new version, whose event has the days of the one before."""
        if version is None:
            return self
        start, end = days_of(version)
        return replace(self, said=replace(self.said, start_before=start, end_before=end))


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


def document_of(version: m.ReportVersion) -> dict[str, Any]:
    """The report document of a version, without birth dates."""
    return states.document_in(bytes(version.document))


def days_of(version: m.ReportVersion) -> tuple[date | None, date | None]:
    """The first and the last day of what a version reports."""
    spans = m.Section.objects.filter(version=version).values_list("start", "end")
    starts, ends = zip(*spans, strict=True) if spans else ((), ())
    return min(filter(None, starts), default=None), max(filter(None, ends), default=None)


class _Link(NamedTuple):
    """Who an entry is, as the office itself says."""

    entry: str
    person: int
    method: str
    score: float | None
    reasons: Sequence[str]


class Entering:
    """Reports that go into the ledger by one act; their rows are written together."""

    def __init__(
        self, act: Act, reports: Sequence[Understood], places: Places, options: Options
    ) -> None:
        self.act, self.places, self.options = act, places, options
        self.how_read = options.how_read()
        self.days = Days(act.at.date(), first_days(places.every))
        self._rows: dict[Any, list[tuple[Any, ...]]] = {model: [] for model in _COLUMNS}
        self._report = m.Report.objects.aggregate(last=Max("id"))["last"] or 0
        self._known = set(
            m.Blob.objects.filter(sha256__in=[each.sha256 for each in reports]).values_list(
                "sha256", flat=True
            )
        )
        counts: Mapping[Any, Callable[[Understood], int]] = {
            m.ReportVersion: lambda one: 1,
            m.Section: lambda one: len(one.sections),
            m.Entry: lambda one: len(one.entries),
        }
        self._ids = {
            model: iter(new_ids(model._meta.db_table, sum(map(count, reports))))
            for model, count in counts.items()
        }
        same = m.ReportVersion.objects.filter(blob__in=[each.sha256 for each in reports])
        self._answered = dict(same.order_by("fact").values_list("blob", "report"))
        """Reports whose very files come again with an answer to what was asked of them."""
        hashes = [each.sha256 for each in reports] if options.pool_beside else []
        pool = places.given.id if places.given is not None else None
        self.there = in_pool(hashes, pool)
        """By file the sections that the pool has already, and the reports that have them."""
        for each in for_another(hashes, pool) if pool is not None else ():
            self._answered.pop(each)
        self._near = Near(reports, act.who)
        keys = [each.key for each in reports]
        self._taken = set(
            m.Report.objects.filter(event_key__in=keys).values_list("event_key", flat=True)
        )

    def enter(self, one: Understood, matches: Mapping[str, Match], doubts: Doubts) -> Received:
        """A version with its rows, the links that are certain, and what is ready."""
        before, found = self._version_before(one)
        if not Findings(one.findings).refused and (why := undated(one)) is not None:
            raise OfficeRefused(Findings([why]))
        plan = _Plan(self, one, before, matches)
        plan.findings.extend(found)
        report = before.report_id if before else None
        plan.findings.extend(doubts.of(one, plan.links, report))
        linked = {each.entry: each.person for each in plan.links}
        plan.findings.extend(unused(one, plan.pools, linked, report))
        self._put_blob(one)
        return plan.carry_out()

    def write(self) -> None:
        """Write all that was entered."""
        for model, columns in _COLUMNS.items():
            put_rows(model._meta.db_table, columns, self._rows[model])

    def refuse_arrival(self, one: Understood, why: Findings) -> None:
        """A file that is understood, and cannot come in as it is, is kept with the reason."""
        refusals = m.Fact.objects.filter(kind=states.FILE_REFUSED, evidence__blob=one.sha256)
        last = refusals.order_by("-seq").first()
        said = [stored(each) for each in why]
        if last is None or last.payload.get("findings") != said:
            self._refuse(one, why, {states.UNDERSTOOD: True})

    def _refuse(self, one: Understood, why: Iterable[Finding], more: Mapping[str, Any]) -> None:
        self._put_blob(one)
        said = list(why)
        self.act.fact(
            states.FILE_REFUSED, ("file", one.sha256), evidence=[one.sha256],
            payload={"name": one.file, "findings": [stored(each) for each in said], **more},
            reason=", ".join(dict.fromkeys(f.code for f in said if f.severity.refuses)),
        )  # fmt: skip

    def refuse_file(self, one: Understood) -> Received:
        """A file that cannot be read is kept with what was wrong with it."""
        self._refuse(one, one.findings, {})
        found = Findings(one.findings).in_file(one.file)
        return Received(one.file, one.sha256, states.REFUSED, findings=found)

    def _put_blob(self, one: Understood) -> None:
        if one.sha256 not in self._known:
            self._known.add(one.sha256)
            self.add(m.Blob, one.sha256, len(one.data), one.media)

    def add(self, model: Any, *row: Any) -> None:
        """A row that will be written."""
        self._rows[model].append(row)

    def add_all(self, model: Any, rows: Iterable[tuple[Any, ...]]) -> None:
        """Rows that will be written."""
        self._rows[model].extend(rows)

    def new_id(self, model: Any) -> int:
        """The number of a new row."""
        return next(self._ids[model])

    def new_report(self) -> int:
        """The number of a new report."""
        self._report += 1
        return self._report

    def _version_before(self, one: Understood) -> tuple[m.ReportVersion | None, list[Finding]]:
        """The version that this one follows, and what is told of it; None: the event is new."""
        said = self.options.version_of or self._answered.get(one.sha256)
        if said is not None:
            found = states.newest(said)
            assert found is not None
            refuse_others(found.report_id, self.act.who)
            return found, []
        if self.options.another:
            return None, []
        others = reports_called(one.key) if one.key in self._taken else []
        return version_before(one, others, self._pools_of(one), self._near, self.act.who)

    def free_key(self, key: str) -> str:
        """The key of the event; another event that looks the same has a number behind it."""
        found, number = key, 1
        while found in self._taken or (
            number > 1 and m.Report.objects.filter(event_key=found).exists()
        ):
            number += 1
            found = f"{key}-{number}"
        return found

    def _pools_of(self, one: Understood) -> set[int]:
        """The pools into which the sections of a file go, as far as they are said."""
        return {each.id for each in self.places.of_sections(one) if each}


def undated(one: Understood) -> Finding | None:
    """Why a file is refused of which nobody says when it was played: no run could rate it."""
    if not one.sections or any(each.end is not None for each in one.sections):
        return None
    begun = any(each.start is not None for each in one.sections)
    what = sentence("its last day is not known") if begun else sentence("no day is known")
    return Finding(
        "office.no-day",
        Severity.ERROR,
        sentence("The report cannot be rated: {what}.", what=what),
        Place(file=one.file),
        sentence(
            "Receive it with --end YYYY-MM-DD, the last day of the event, and --start if it "
            "took several; or have the days written into the file."
        ),
    )


class _Plan:
    """One report: into what states its sections come, and what is written of it."""

    def __init__(
        self, into: Entering, one: Understood, before: m.ReportVersion | None,
        matches: Mapping[str, Match],
    ) -> None:  # fmt: skip
        self.into, self.one, self.before = into, one, before
        there = into.there.get(one.sha256, {}) if before is None else {}
        self.let_in = LettingIn(one, before, into.places, into.days, there)
        self.findings, self.pools = self.let_in.findings, self.let_in.pools
        self.links = _links(one, matches, self.let_in.compared)

    def carry_out(self) -> Received:
        """Append the facts, and put the rows beside those of the other reports."""
        into, one, before = self.into, self.one, self.before
        act = into.act
        number = before.number + 1 if before else 1
        self.report = before.report_id if before else into.new_report()
        key = before.report.event_key if before else into.free_key(one.key)
        said: Sequence[str] = ()
        counts = states.that_counts(before.report_id) if before is not None else None
        if counts is not None:
            # One that waits says nothing of what is published: officers look at what differs.
            said = difference(document_of(counts), states.document_in(one.document))
        fact = act.fact(
            "received", ("report", self.report), evidence=[one.sha256],
            payload={
                "report": self.report, "version": number, "event_key": key,
                # All may see this: by the hash of a file one could try what is private in it.
                "document": one.document_sha256, "format": one.format,
                **into.how_read, **beyond_of(one), **({FOLLOWS: True} if before else {}),
            },
            private_commit=commitment(new_salt(), one.private) if one.private else None,
        )  # fmt: skip
        if before is None:
            into.add(m.Report, self.report, key, fact)
        self.version = into.new_id(m.ReportVersion)
        self._put_rows(key)
        now = self._put_steps()
        linked = self._put_links(number)
        ready = [at for at in self._complete() if now.get(at) == states.CHECKED]
        if ready:
            self._step("ready", ready, states.READY, "")
            now |= dict.fromkeys(ready, states.READY)
            self._supersede_older(number)
        found = self.findings.in_file(one.file)
        into.add(
            m.ReportVersion, self.version, self.report, number, fact, one.sha256, one.file,
            one.format, one.document, one.document_sha256,
            canonical([stored(each) for each in self.findings]).decode(),
            canonical([packed(each) for each in said]).decode(),
        )  # fmt: skip
        return Received(
            one.file, one.sha256, states.least(now.values()), self.report, number,
            sections={each.name: now.get(at, "") for at, each in enumerate(one.sections)},
            difference=tuple(said), linked=linked, findings=found,
            # Nobody is asked for the people of what is refused.
            waiting=0 if set(now.values()) == {states.REFUSED} else len(self._waiting()),
        )  # fmt: skip

    def _put_rows(self, key: str) -> None:
        into, one = self.into, self.one
        self.sections = [into.new_id(m.Section) for _ in one.sections]
        for number, each, pool in zip(self.sections, one.sections, self.pools, strict=True):
            into.add(
                m.Section, number, self.version, each.name, event_id(key, each.event),
                pool.id if pool else None, each.start, each.end,
                canonical(dict(each.facts)).decode(),
            )  # fmt: skip
        self.entries = {each.number: into.new_id(m.Entry) for each in one.entries}
        for entry in one.entries:
            number = self.entries[entry.number]
            printed = canonical(dict(entry.printed)).decode()
            into.add(m.Entry, number, self.version, entry.number, entry.name, printed)
            if entry.birth_date or entry.birth_year:
                into.add(m.EntryPrivate, number, entry.birth_date, entry.birth_year)
        games, entry_of = one.games, self.entries.__getitem__
        into.add_all(
            m.Game,
            zip(
                (self.version,) * len(games.number), map(self.sections.__getitem__, games.section),
                games.number, games.round, map(entry_of, games.white), map(entry_of, games.black),
                games.half_points, games.status, games.rated, games.handicap, _texts(games.start),
                _texts(games.end), _texts(games.reported), one.stable_keys(key), strict=True,
            ),
        )  # fmt: skip
        into.add_all(
            m.Substitution,
            ((self.version, x.number, x.side, entry_of(x.entry)) for x in one.substitutions),
        )

    def _put_steps(self) -> dict[int, str]:
        """The states of the sections, by their places in the report."""
        if self.let_in.old:
            states.step(self.into.act, "superseded", self.let_in.old, states.SUPERSEDED)
        now: dict[int, str] = {}
        for kind, sections, state, reason in self.let_in.steps:
            self._step(kind, sections, state, reason)
            now |= dict.fromkeys(sections, state)
        return now

    def _step(self, kind: str, sections: Iterable[int], state: str, reason: str) -> None:
        numbers = [self.sections[at] for at in sections]
        fact = states.step_fact(self.into.act, kind, numbers, [self.report], state, reason)
        for number in numbers:
            self.into.add(m.SectionStep, fact, number, state)

    def _put_links(self, number: int) -> int:
        """What is certain is linked by one fact of the office itself."""
        if not self.links:
            return 0
        fact = self.into.act.fact(
            "linked",
            ("report", self.report),
            *(("person", link.person) for link in self.links),
            payload={
                "version": number, "matcher": VERSION,
                "links": [[link.entry, link.person, link.method] for link in self.links],
            },
            actor=SYSTEM,
        )  # fmt: skip
        for link in self.links:
            self.into.add(
                m.Link, fact, self.entries[link.entry], link.person, link.method, link.score,
                canonical([packed(each) for each in link.reasons]).decode(),
            )  # fmt: skip
        return len(self.links)

    def _waiting(self) -> set[str]:
        """Who played and is not linked."""
        linked = {link.entry for link in self.links}
        return {number for some in self.one.played for number in some - linked}

    def _complete(self) -> list[int]:
        """The sections whose people are all known, or that need not know them."""
        waiting = self._waiting()
        return [
            at
            for at, pool in enumerate(self.pools)
            if not self.one.played[at] & waiting
            or (pool is not None and policy(pool, "unidentified") == "leave_out_games")
        ]

    def _supersede_older(self, number: int) -> None:
        if self.before is None:
            return
        older = m.Section.objects.filter(
            version__report=self.report, version__number__lt=number
        ).values_list("id", flat=True)
        was = states.states(list(older))
        replaced = [each for each in older if was.get(each) != states.SUPERSEDED]
        replaced = [each for each in replaced if each not in self.let_in.old]
        if replaced:
            states.step(self.into.act, "superseded", replaced, states.SUPERSEDED)


def _texts(days: Sequence[date | None]) -> Iterator[str | None]:
    """Days as databases take them; to make a text of each takes longer than to look it up."""
    texts = {day: day.isoformat() if day is not None else None for day in set(days)}
    return map(texts.__getitem__, days)


def _links(
    one: Understood, matches: Mapping[str, Match], before: m.ReportVersion | None
) -> list[_Link]:
    """Who is as in the version before, or certain; one person is not two entries by itself."""
    links = []
    known = desk.as_before(one.entries, before)
    merged = merges() if known else {}
    taken = {merged.get(each, each) for each in known.values()}
    for entry in one.entries:
        earlier, found = known.get(entry.number), matches[entry.number]
        if earlier is not None:
            why = sentence("as in the version before")
            links.append(_Link(entry.number, earlier, "version", None, [why]))
        elif found.certain is not None and found.certain.person not in taken:
            best = found.certain
            score = round(best.score, 2)
            links.append(_Link(entry.number, best.person, found.method, score, found.because))
    return links
