"""Reports on their way into the ledger: some at a time, by one act, with their links."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import Max

from ratingbook.formats.tools.encodings import named
from ratingbook.model import Finding, Findings, Place, Severity
from ratingbook.model.sentences import packed, sentence
from ratingbook.office.acts import desk, states
from ratingbook.office.acts.amendments import pools_of_sections
from ratingbook.office.acts.holding import NO_POOL, WITHOUT_POOL
from ratingbook.office.acts.people import merges
from ratingbook.office.acts.published import first_days, with_first_days
from ratingbook.office.acts.reports import refuse_others
from ratingbook.office.acts.same_event import Near, is_of_it, of_another, reports_called
from ratingbook.office.acts.setup import policy, rules_of
from ratingbook.office.acts.unused import unused
from ratingbook.office.acts.warnings import Doubts
from ratingbook.office.engine import kinds_in
from ratingbook.office.intake import NOTHING_SAID, Said, SectionRow, Understood
from ratingbook.office.logic.chain import canonical, commitment, new_salt
from ratingbook.office.logic.days import Days, findings_of
from ratingbook.office.logic.matching import VERSION, Match
from ratingbook.office.logic.stable import event_id
from ratingbook.office.logic.stored import stored
from ratingbook.office.logic.versions import difference
from ratingbook.office.placing import elsewhere, event_of, own_pool, pools_of_event
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import SYSTEM, Act
from ratingbook.office.store.rows import new_ids, put_rows
from ratingbook.rules.series import BookOrSeries

BEYOND = "beyond"
"""The key under which the fact of a version says so."""
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
    return _document(bytes(version.document))


def days_of(version: m.ReportVersion) -> tuple[date | None, date | None]:
    """The first and the last day of what a version reports."""
    spans = m.Section.objects.filter(version=version).values_list("start", "end")
    starts, ends = zip(*spans, strict=True) if spans else ((), ())
    return min(filter(None, starts), default=None), max(filter(None, ends), default=None)


def pools_before(report: int) -> dict[str, int]:
    """In which pool each section of a report is, by its name; of an event in one pool also by "".

    A version that is held since it has no pool takes it from the version that counts.
    """
    moved = pools_of_sections(ledger.head().seq)
    for version in (states.compared(report), states.that_counts(report)):
        sections = m.Section.objects.filter(version=version)
        pools = {
            name: pool
            for number, name, own in sections.values_list("id", "name", "pool")
            if (pool := moved.get(number, own)) is not None
        }
        if pools:
            only = set(pools.values())
            return {"": only.pop(), **pools} if len(only) == 1 else pools
    return {}


def _document(packed: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(zlib.decompress(packed))
    return found


class _Link(NamedTuple):
    """Who an entry is, as the office itself says."""

    entry: str
    person: int
    method: str
    score: float | None
    reasons: Sequence[str]


class Places:
    """Into which pools the sections of reports go."""

    def __init__(self, given: m.Pool | None) -> None:
        self.given = given
        """The pool that was said, or is the only one."""
        self.every: Sequence[Any] = list(with_first_days(m.Pool.objects.all()))
        self._by_name = {each.name: each for each in self.every}

    def of_section(
        self, section: SectionRow, before: Mapping[str, int] = MappingProxyType({})
    ) -> m.Pool | None:
        """The pool that was given, or is named by the report.

        Else that in which it was ``before``, by the names of sections; else the only one whose
        rules count such an event as theirs.
        """
        said = self.given or self._by_name.get(section.facts.get("pool") or "")
        if said is not None:
            return said
        was = before.get(section.name, before.get(""))
        if was is not None:
            return m.Pool.objects.get(id=was)
        fits = self.that_count(section)
        return fits[0] if len(fits) == 1 else None

    def of_report(self, one: Understood, version_of: int | None) -> int | None:
        """The pool by whose ratings the people of a report are looked for, as the desk does."""
        if self.given is not None:
            return self.given.id
        report = version_of or next(iter(reports_called(one.key)), None)
        was = pools_before(report) if report is not None else {}
        found = (self.of_section(each, was) for each in one.sections)
        return min((each.id for each in found if each is not None), default=None)

    def that_count(self, section: SectionRow) -> list[m.Pool]:
        """The pools whose rule books tell by what is said of an event that it is of theirs."""
        return [each for each in self.every if _counts(each, section)]


def _counts(pool: m.Pool, section: SectionRow) -> bool:
    book = rules_of(pool).book()
    event = event_of(section.facts, section.end, pool.name)
    return own_pool(book) in (pools_of_event(book, event) or ())


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
        for report in others:
            before, alike = states.newest(report), states.compared(report)
            if alike is None or is_of_it(one, self._pools_of(one), alike):
                refuse_others(report, self.act.who)
                if alike is not None and states.refused_by_findings(alike):
                    # Nobody has asked yet whether it is the event of another report.
                    self._near.refuse_same(one)
                return before, []
        self._near.refuse_same(one)
        return None, [of_another(others[0], one.file)] if others else []

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
        found = map(self.places.of_section, one.sections)
        return {each.id for each in found if each}


def undated(one: Understood) -> Finding | None:
    """Why a file is refused of which nobody says when it was played: no run could rate it."""
    if not one.sections or any(each.end is not None for each in one.sections):
        return None
    return Finding(
        "office.no-day",
        Severity.ERROR,
        sentence("The report cannot be rated: {what}.", what=sentence("no day is known")),
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
        self.compared = states.compared(before.report_id) if before is not None else None
        """The version from which this one differs: one that was refused counts for nothing."""
        self.findings = Findings(one.findings)
        self.links = _links(one, matches, self.compared)
        was = pools_before(before.report_id) if before is not None else {}
        self.pools = [into.places.of_section(each, was) for each in one.sections]
        self.old: list[int] = []
        """Sections of the versions before, if this one takes their place at once."""
        self.steps = self._steps()

    def _steps(self) -> list[tuple[str, list[int], str, str]]:
        """Kinds of facts, which sections they are about, into what state, and why."""
        one, before = self.one, self.before
        every = list(range(len(one.sections)))
        refusing = dict.fromkeys(each.code for each in self.findings if each.severity.refuses)
        if refusing:
            # The version before stays what it is.
            return [("refused", every, states.REFUSED, ", ".join(refusing))]
        if before is not None:
            # The version before may be one that was refused, and counts for nothing.
            earlier = m.Section.objects.filter(version__report=before.report_id)
            every_old = list(earlier.values_list("id", flat=True))
            now = states.states(every_old)
            old = [each for each in every_old if now.get(each) != states.SUPERSEDED]
            if self._is_same(now):
                self.findings.add(
                    Severity.INFO,
                    "office.nothing-differs",
                    sentence("Nothing differs from the version before, whose place it takes."),
                )
                self.old = old
                # That one was let in as it is.
                return [("checked", every, states.CHECKED, "")]
        odd = self.into.days.odd(
            (each.end, pool.id if pool else None)
            for each, pool in zip(one.sections, self.pools, strict=True)
        )
        # Whoever lets in what is held for another reason has to know of it, too.
        self.findings.extend(findings_of(odd.values()))
        if before is not None:
            if states.published_sections().intersection(every_old):
                # What is published stays until an officer lets the new version in.
                reason = sentence("the version before is published; look at what differs")
                return [("held", every, states.HELD, self._held("office.is-published", reason))]
            if states.stopped(every_old):
                reason = sentence("an officer has put the version before aside")
                return [("held", every, states.HELD, self._held("office.was-stopped", reason))]
            self.old = old
        steps: list[tuple[str, list[int], str, str]] = []
        without = [at for at in every if self.pools[at] is None]
        undated = [
            at for at in every if self.pools[at] is not None and one.sections[at].end is None
        ]
        for sections, code, what, remedy in (
            (without, NO_POOL, WITHOUT_POOL,
             states.INTO_POOL),
            (undated, "office.no-day", sentence("no day is known"),
             sentence("Have the last day of each section written into the file.")),
        ):  # fmt: skip
            if sections:
                steps.append(("held", sections, states.HELD, what))
                self.findings.add(
                    Severity.WARNING,
                    code,
                    sentence("The report cannot be rated: {what}.", what=what)
                    if len(sections) == len(every)
                    else sentence(
                        "{n} of the sections cannot be rated: {what}.", n=len(sections), what=what
                    ),
                    remedy=remedy,
                )
        aside = {*without, *undated}
        for code in dict.fromkeys(each.code for each in odd.values()):
            sections = [at for at, each in odd.items() if each.code == code and at not in aside]
            if sections:
                steps.append(("held", sections, states.HELD, odd[sections[0]].reason))
        of_others = self._of_other_pools(aside)
        if also := [at for at in of_others if at not in odd]:
            reason = sentence("it is of another pool, by what it says")
            steps.append(("held", also, states.HELD, reason))
        rest = [at for at in every if at not in {*aside, *odd, *of_others}]
        return [*steps, ("checked", rest, states.CHECKED, "")] if rest else steps

    def _of_other_pools(self, but: Collection[int]) -> list[int]:
        """The sections that are of another list than that of their pool, by what they say."""
        found = []
        for at, section in enumerate(self.one.sections):
            pool = self.pools[at]
            if pool is None or at in but:
                continue
            book = rules_of(pool).book()
            where = elsewhere(book, event_of(section.facts, section.end, pool.name))
            if where is not None:
                found.append(at)
                self.findings.extend([self._of_another(section, pool, book, where)])
        return found

    def _of_another(
        self, section: SectionRow, pool: m.Pool, book: BookOrSeries, where: Sequence[str]
    ) -> Finding:
        fits = [each.name for each in self.into.places.that_count(section)]
        told = [str(section.facts[key]) for key in ("pool", "time_control", "name")
                if section.facts.get(key)]  # fmt: skip
        values = {
            "book": book.name, "own": own_pool(book), "pool": pool.name,
            "where": ", ".join(where), "told": "; ".join(told),
        }  # fmt: skip
        return Finding(
            "office.other-pool",
            Severity.WARNING,
            sentence(
                "By what the report says ({told}) the event is {where}, and the pool {pool} is "
                "{own}: it is held.",
                **values,
            )
            if where
            else sentence(
                "By what the report says ({told}) the event is of no list of {book}: it is held.",
                **values,
            ),
            Place(path=section.name) if section.name else Place(),
            sentence(
                "Put it into {pools}: `ratingbook office correct --report REPORT --to-pool POOL "
                "--reason TEXT`. If what it says is wrong, send it again put right, or `ratingbook "
                "office release REPORT --reason TEXT` rates it here as it is.",
                pools=", ".join(fits),
            )
            if fits
            else sentence(
                "If what it says is wrong, send it again put right, or `ratingbook office release "
                "REPORT --reason TEXT` rates it here as it is; else refuse it, or add a pool for "
                "such events."
            ),
        )

    def _is_same(self, now: Mapping[int, str]) -> bool:
        """Whether the file says in other bytes what the version before it said, which counts.

        ``now`` are the states of the sections of all versions before it.
        """
        one, before = self.one, self.before
        if before is None or self.compared is None or self.compared.id != before.id:
            return False
        if one.document_sha256 != before.document_sha256:
            return False
        if m.Fact.objects.get(seq=before.fact).payload.get(BEYOND) != _beyond(one).get(BEYOND):
            # That one is rated without it.
            return False
        sections = m.Section.objects.filter(version=before)
        if any(now.get(each.id) not in (states.CHECKED, states.READY) for each in sections):
            return False
        if m.SectionFix.objects.filter(section__in=sections).exists():
            # It was corrected where it was played, which belongs to those sections.
            return False
        pools = [each.id if each else None for each in self.pools]
        if pools != list(sections.order_by("id").values_list("pool", flat=True)):
            return False
        born = m.EntryPrivate.objects.filter(entry__version=before)
        known = set(born.values_list("entry__number", "birth_date", "birth_year"))
        return known == {
            (e.number, e.birth_date, e.birth_year)
            for e in one.entries if e.birth_date or e.birth_year
        }  # fmt: skip

    def _held(self, code: str, reason: str) -> str:
        self.findings.add(
            Severity.WARNING,
            code,
            sentence("The new version is held: {reason}.", reason=reason),
            remedy="`ratingbook office release REPORT --reason …` lets the next run rate it.",
        )
        return reason

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
            said = difference(document_of(counts), _document(one.document))
        fact = act.fact(
            "received", ("report", self.report), evidence=[one.sha256],
            payload={
                "report": self.report, "version": number, "event_key": key,
                "document": one.document_sha256, "format": one.format, "file": one.sha256,
                **into.how_read, **_beyond(one),
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
            difference=tuple(said), linked=linked, waiting=len(self._waiting()), findings=found,
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

    def _put_steps(self) -> dict[int, str]:
        """The states of the sections, by their places in the report."""
        if self.old:
            states.step(self.into.act, "superseded", self.old, states.SUPERSEDED)
        now: dict[int, str] = {}
        for kind, sections, state, reason in self.steps:
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
        replaced = [each for each in replaced if each not in self.old]
        if replaced:
            states.step(self.into.act, "superseded", replaced, states.SUPERSEDED)


def _beyond(one: Understood) -> dict[str, Any]:
    """Of what the document says more than the rows; runs read it there.

    Versions of which no fact says so are rated as they were when nobody read it.
    """
    return {BEYOND: kinds_in(one.beyond)} if one.beyond is not None else {}


def _texts(days: Sequence[date | None]) -> Iterator[str | None]:
    """Days as databases take them; to make a text of each takes longer than to look it up."""
    texts = {day: day.isoformat() if day is not None else None for day in set(days)}
    return map(texts.__getitem__, days)


def _links(
    one: Understood, matches: Mapping[str, Match], before: m.ReportVersion | None
) -> list[_Link]:
    """Who is as in the version before, or certain; one person is not two entries by itself."""
    links = []
    known = desk.links_before(before)
    as_before = {known[key] for e in one.entries if (key := (e.number, e.name)) in known}
    merged = merges() if as_before else {}
    taken = {merged.get(each, each) for each in as_before}
    for entry in one.entries:
        earlier, found = known.get((entry.number, entry.name)), matches[entry.number]
        if earlier is not None:
            why = sentence("as in the version before")
            links.append(_Link(entry.number, earlier, "version", None, [why]))
        elif found.certain is not None and found.certain.person not in taken:
            best = found.certain
            score = round(best.score, 2)
            links.append(_Link(entry.number, best.person, found.method, score, found.because))
    return links
