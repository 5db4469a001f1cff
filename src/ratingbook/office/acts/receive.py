"""Intake: a file is kept, read, checked, its people are looked up; twice changes nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

from django.db import IntegrityError
from django.db.models import F, OuterRef, Subquery

from ratingbook.formats.tools.encodings import named
from ratingbook.model import Finding, Findings, Place, Severity
from ratingbook.model.sentences import sentence, unpacked
from ratingbook.office.acts import identify, states
from ratingbook.office.acts.amendments import pools_of_sections, shown_states
from ratingbook.office.acts.anomalies import at_intake
from ratingbook.office.acts.entering import (
    Entering,
    Options,
    Received,
    document_of,
)
from ratingbook.office.acts.holding import HOLDS, findings_now
from ratingbook.office.acts.people import Register
from ratingbook.office.acts.places import Places
from ratingbook.office.acts.ready import waiting_of
from ratingbook.office.acts.reports import is_of_others
from ratingbook.office.acts.same_files import for_another
from ratingbook.office.acts.senders import as_told_to_sender
from ratingbook.office.acts.setup import only_pool, pool_named, rules_of
from ratingbook.office.acts.warnings import Doubts
from ratingbook.office.engine.rules import Rules
from ratingbook.office.home import Home
from ratingbook.office.intake import Understood, hash_of, understood
from ratingbook.office.logic.garbage import collect_new, nothing_collected
from ratingbook.office.logic.matching import Match
from ratingbook.office.logic.stored import finding_of
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import blobs, ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who, acting, check_may, may

__all__ = ["Options", "Received", "document_of", "receive", "receive_all"]

NOTHING = Options()
"""Nothing is said beside the files."""
_LOOKED_AT = 8
"""Reports that come at once and are looked at for what is odd; in more `anomalies` looks."""
_ASKED = 500
"""Hashes of files of which a query asks."""
_AT_ONCE = 128
"""Reports that are entered by one act: a transaction for each would cost more than its rows."""


def receive(home: Home, path: Path, who: Who, options: Options = NOTHING) -> Received:
    """Take in one file, or a folder of files that belong together."""
    received, refused = receive_all(home, [path], who, options)
    if refused.refused:
        raise OfficeRefused(refused)
    return received[0]


def receive_all(
    home: Home, paths: Iterable[Path], who: Who, options: Options = NOTHING
) -> tuple[list[Received], Findings]:
    """Each file by itself: what is wrong with one does not keep the others out."""
    check_may(who, "receive")
    pool = pool_named(options.pool) if options.pool else only_pool()
    if options.version_of is not None:
        states.refuse_unknown(options.version_of)
        options = options.after(states.compared(options.version_of))
    # A folder is named, too, where it is said to be this one, or the one above.
    every = [path if path.name.strip(".") else path.resolve() for path in paths]
    found = _found(every, rules_of(pool) if pool else None, options)
    received: list[Received] = []
    refused: list[Finding] = []
    people = _People(pool)
    hears = _hearing(who)
    with nothing_collected():
        for some in _together(found, options):
            for one in map(hears, _take(home, some, people, who, options)):
                if one.id is None and not one.sha256:
                    refused += one.findings
                received.append(one)
            collect_new()
    return received, Findings(refused)


def _hearing(who: Who) -> Callable[[Received], Received]:
    """What an actor hears of a report: what rests on persons is for officers."""
    if may(m.Actor.objects.get(name=who.actor), "state"):
        return lambda one: one
    return as_told_to_sender


class _Sent(NamedTuple):
    """A file that the office has, and need not read again."""

    sha256: str


_Found = tuple[Path, Understood | _Sent | Sequence[Finding]]


def _found(paths: Sequence[Path], rules: Rules | None, options: Options) -> Iterator[_Found]:
    """Each file as it is understood, but for those that were sent before.

    So an import that was killed, and is sent again, goes on where it was.
    """
    hashes = [hash_of(path) for path in paths]
    asked = [each for each in hashes if each is not None]
    known: set[str] = set()
    for begin in range(0, len(asked), _ASKED):
        known |= _known(asked[begin : begin + _ASKED], options).keys()
    read = understood(
        [path for path, sha256 in zip(paths, hashes, strict=True) if sha256 not in known],
        rules, options.columns, options.said,
    )  # fmt: skip
    for path, sha256 in zip(paths, hashes, strict=True):
        yield path, _Sent(sha256) if sha256 is not None and sha256 in known else next(read)


def _together(found: Iterable[_Found], options: Options) -> Iterator[list[_Found]]:
    """Files that can go in by one act: no event and no bytes twice."""
    some: list[_Found] = []
    seen: set[str] = set()
    for path, one in found:
        marks = {one.key, one.sha256} if isinstance(one, Understood) else set()
        if len(some) >= _AT_ONCE or marks & seen or (some and options.version_of is not None):
            yield some
            some, seen = [], set()
        some.append((path, one))
        seen |= marks - {""}
    if some:
        yield some


def _take(
    home: Home, some: Sequence[_Found], people: _People, who: Who, options: Options
) -> list[Received]:
    """By one act; where that fails each by its own, so that only the one at fault is kept out."""
    try:
        return _enter(home, some, people, who, options)
    except IntegrityError:
        if len(some) == 1:
            raise
        return [each for one in some for each in _enter(home, [one], people, who, options)]


def _enter(
    home: Home, some: Sequence[_Found], people: _People, who: Who, options: Options
) -> list[Received]:
    hashes = [one.sha256 for _, one in some if isinstance(one, Understood | _Sent)]
    known = _known(hashes, options)
    new, lost = _keep(home, some, known)
    if not new:
        return [_told(path, one, known, lost, options, who) for path, one in some]
    read = [one for one in new.values() if one.document]
    places = Places(people.pool)
    found = _identified(read, places, people, options)
    matches = {one.sha256: each for one, each in zip(read, found.matches, strict=True)}
    with acting(who, gathers=True) as act:
        # Nobody else writes from here on: whoever sent the same bytes at once was before, or waits.
        is_first = not _known(list(new), options)
        if is_first:
            into = Entering(act, list(new.values()), places, options)
            doubts = Doubts.about(read, found, places.of_sections)
            received = [
                _entered(into, path, one, matches, doubts)
                if isinstance(one, Understood) and one.sha256 in new
                else _told(path, one, known, lost, options, who)
                for path, one in some
            ]
            into.write()
    if not is_first:
        return _enter(home, some, people, who, options)
    for each in received:
        each.findings.extend(act.findings)
        if len(new) <= _LOOKED_AT and each.is_new and each.state == states.READY:
            version = states.newest(each.id) if each.id is not None else None
            if version is not None:
                each.findings.extend(at_intake(version.id))
    return received


def _entered(
    into: Entering,
    path: Path,
    one: Understood,
    matches: Mapping[str, Mapping[str, Match]],
    doubts: Doubts,
) -> Received:
    """What becomes of a file that is new; ``matches`` are by the hash of each file."""
    if not one.document or (not one.sections and Findings(one.findings).refused):
        return into.refuse_file(one)
    try:
        return into.enter(one, matches[one.sha256], doubts)
    except OfficeRefused as error:
        into.refuse_arrival(one, error.findings)
        return _refused(path, error.findings)


def _identified(
    read: Sequence[Understood], places: Places, people: _People, options: Options
) -> identify.Identified:
    """Who the entries may be; ratings of the pool of each report are evidence, as at the desk."""
    by_pool: dict[int | None, list[Understood]] = defaultdict(list)
    for one in read:
        by_pool[places.of_report(one, options.version_of)].append(one)
    found: dict[str, tuple[Any, Any, Any]] = {}
    for pool, some in by_pool.items():
        own = identify.matches_of([one.entries for one in some], people.now(pool))
        told = zip(own.said, own.matches, own.known, strict=True)
        found |= {one.sha256: each for one, each in zip(some, told, strict=True)}
    every = [found[one.sha256] for one in read]
    return identify.Identified(*([each[at] for each in every] for at in range(3)))


def _keep(
    home: Home, some: Sequence[_Found], known: Mapping[str, object]
) -> tuple[dict[str, Understood], dict[str, Findings]]:
    """Keep the bytes of what is new, by their hashes; and what the disk refuses."""
    new = {
        one.sha256: one
        for _, one in some
        if isinstance(one, Understood) and one.sha256 not in known
    }
    refused = blobs.keep_all(home, {sha256: one.data for sha256, one in new.items()})
    lost = {sha256: error.findings for sha256, error in refused.items()}
    return {sha256: one for sha256, one in new.items() if sha256 not in lost}, lost


class _People:
    """The registers of one receipt, begun anew where anything was said of persons meanwhile."""

    def __init__(self, pool: m.Pool | None) -> None:
        self.pool = pool
        """That into which all of it goes, if there is one."""
        self._registers: dict[int | None, Register] = {}

    def now(self, pool: int | None) -> Register:
        """The persons as they are now, with their ratings in a pool."""
        from ratingbook.office.acts.published import ratings_now

        found = self._registers.get(pool)
        if found is None or not found.is_current():
            found = self._registers[pool] = Register(ratings_now(pool))
        return found


def _refused(path: Path, findings: Iterable[Finding]) -> Received:
    return Received(path.name, "", states.REFUSED, findings=Findings(findings))


def _known(hashes: Sequence[str], options: Options) -> Mapping[str, m.ReportVersion | m.Fact]:
    """What the office has of these bytes: a version, or the refusal of a file.

    A file that was refused is read once more where it is said how, or what it leaves open; and
    always where it was understood, and refused for what else the office had.
    """
    found: dict[str, m.ReportVersion | m.Fact] = {}
    refusals = m.Evidence.objects.filter(blob__in=hashes, fact__kind=states.FILE_REFUSED)
    for each in () if options.sent() else refusals.select_related("fact").order_by("fact"):
        found[each.blob_id] = each.fact
    found = {
        sha256: fact for sha256, fact in found.items()
        if isinstance(fact, m.Fact) and not fact.payload.get(states.UNDERSTOOD)
    }  # fmt: skip
    versions = m.ReportVersion.objects.filter(blob__in=hashes).order_by("fact")
    known = {each.blob_id: each for each in versions}
    answered = answering(known.values(), options)
    beside = options.pool_beside
    apart = for_another(known, pool_named(beside).id) if beside and known else ()
    return found | {
        key: each for key, each in known.items() if each.id not in answered and key not in apart
    }


def answering(versions: Iterable[m.ReportVersion], options: Options) -> set[int]:
    """Those of held versions of which something else is said now, such as the pool asked for.

    Their files are read again, though the bytes are the same: else the question that keeps a
    report out could not be answered by whoever sends it.
    """
    some = {
        each.id: each for each in versions if options.version_of in (None, each.report_id)
    } if options.pool or options.sent() else {}  # fmt: skip
    if not some:
        return set()
    pool = pool_named(options.pool).id if options.pool else None
    moved, found = pools_of_sections(ledger.head().seq), set()
    for number, version, own in _held(some):
        said = m.Fact.objects.get(seq=some[version].fact).payload
        if pool not in (None, own, moved.get(number)) or any(
            said.get(key) != value for key, value in options.sent().items()
        ):
            found.add(version)
    return found


def _held(versions: Collection[int]) -> Iterable[tuple[int, int, int | None]]:
    """The held sections of those versions that are the newest of their reports, with pools."""
    steps = m.SectionStep.objects.filter(section=OuterRef("id")).order_by("-fact")
    newest = m.ReportVersion.objects.filter(report=OuterRef("version__report")).order_by("-number")
    sections: Any = m.Section.objects.filter(version__in=versions).annotate(
        state=Subquery(steps.values("state")[:1]), newest=Subquery(newest.values("id")[:1])
    )
    held = sections.filter(state=states.HELD, newest=F("version"))
    found: Iterable[tuple[int, int, int | None]] = held.values_list("id", "version", "pool")
    return found


def known_version(
    sha256: str, file: str, options: Options, who: Who
) -> m.ReportVersion | None:  # fmt: skip
    """The version of which these are the very bytes; refused where somebody else sent them.

    None where they come with an answer to what was asked: then they are a new version.
    """
    kept = m.ReportVersion.objects.filter(blob=sha256).order_by("fact").last()
    if kept is None or sha256 not in _known([sha256], options):
        return None
    _refuse_sent_by_others(kept, file, who)
    return kept


def _refuse_sent_by_others(kept: m.ReportVersion, file: str, who: Who) -> None:
    if is_of_others(kept.report_id, who):
        raise OfficeRefused(Findings([_of_others(kept.report_id, file)]))


def _of_others(report: int, file: str) -> Finding:
    """Somebody else's report is no receipt for who sends the same file."""
    return Finding(
        "office.sent-by-others",
        Severity.ERROR,
        sentence(
            "The office has this very file already, from somebody else, as report {report}. It "
            "is not taken twice: nothing was changed.",
            report=report,
        ),
        Place(file=file),
        sentence("Nothing is to be done; if the report should be yours, tell the office."),
    )


def _told(
    path: Path,
    one: Understood | _Sent | Sequence[Finding],
    known: Mapping[str, m.ReportVersion | m.Fact],
    lost: Mapping[str, Findings],
    options: Options,
    who: Who,
) -> Received:
    """What the office says of a file that is none, that cannot be kept, or that it has."""
    if not isinstance(one, Understood | _Sent):
        return _refused(path, one)
    if one.sha256 in lost:
        return _refused(path, lost[one.sha256])
    kept = known[one.sha256]
    if isinstance(kept, m.Fact):
        told = Findings(finding_of(each) for each in kept.payload["findings"]).in_file(path.name)
        return Received(path.name, one.sha256, states.REFUSED, is_new=False, findings=told)
    try:
        _refuse_sent_by_others(kept, path.name, who)
        options.said.refuse_reversed()
    except OfficeRefused as error:
        return _refused(path, error.findings)
    findings = Findings()
    findings.add(
        Severity.INFO,
        "office.known-file",
        sentence(
            "The office has this very file: report {report_id}, version "
            "{number}. Nothing was changed.",
            report_id=kept.report_id,
            number=kept.number,
        ),
        Place(file=path.name),
    )
    said = m.Fact.objects.get(seq=kept.fact).payload
    now_said = options.said.own().as_dict()
    if any(said.get(key) != value for key, value in now_said.items()):
        findings.add(
            Severity.WARNING,
            "office.known-said",
            sentence("It was read with what was said of its event then, not now, and stays so.")
            if any(map(said.get, now_said))
            else sentence("It was read without what is said of its event now, and stays so."),
            Place(file=path.name),
            sentence(
                "Write it into the file and receive that with --version-of {report}.",
                report=kept.report_id,
            ),
        )
    if options.pool and for_another([one.sha256], pool_named(options.pool).id):
        findings.add(
            Severity.WARNING,
            "office.known-pool",
            sentence("It is not rated in the pool {pool}, and stays so.", pool=options.pool),
            Place(file=path.name),
            sentence(
                "If it is rated there, too, as a dual section is, receive it with --pool {pool} "
                "--another; if there alone: `ratingbook office correct --report {report} "
                "--to-pool {pool} --reason TEXT`.",
                pool=quote(options.pool),
                report=kept.report_id,
            ),
        )
    if named() and named() != said.get("encoding"):
        findings.add(
            Severity.WARNING,
            "office.known-encoding",
            sentence("It was read without the encoding that is named now, and stays so."),
            Place(file=path.name),
            sentence(
                "Save the file as UTF-8 and receive it with --version-of {report}.",
                report=kept.report_id,
            ),
        )
    # What is still asked of it is told again: whoever sends it once more has an answer to give.
    asked = (each for each in findings_now(kept) if each["code"] in HOLDS)
    findings.extend(map(finding_of, asked))
    sections = {each.id: each for each in m.Section.objects.filter(version=kept)}
    now = shown_states(sections)
    if states.least(now.values()) == states.REFUSED:
        refusing = Findings(map(finding_of, kept.findings)).in_file(path.name)
        findings.extend(each for each in refusing if each.severity.refuses)
    return Received(
        path.name, one.sha256, states.least(now.values()), kept.report_id, kept.number,
        is_new=False,
        sections={sections[k].name: now.get(k, "") for k in sections},
        difference=tuple(map(unpacked, kept.difference)),
        waiting=waiting_of(kept.id),
        findings=findings,
    )  # fmt: skip
