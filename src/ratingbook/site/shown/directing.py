"""What directors see: their reports, and a report before it is submitted."""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Subquery
from django.utils.translation import gettext

from ratingbook.model import Finding, Findings
from ratingbook.model.decimals import change_of
from ratingbook.model.sentences import unpacked
from ratingbook.office.acts import identify, receive, states
from ratingbook.office.acts.desk import as_before
from ratingbook.office.acts.entering import document_of, undated
from ratingbook.office.acts.forecast import forecast
from ratingbook.office.acts.holding import NO_POOL, findings_now
from ratingbook.office.acts.letting_in import STAYS, STAYS_IN_PART, LettingIn
from ratingbook.office.acts.masking import as_reported, mask, mask_for_public
from ratingbook.office.acts.naming import names_one, spelled_of
from ratingbook.office.acts.people import attributes_of, canonical
from ratingbook.office.acts.places import Places, pools_before
from ratingbook.office.acts.public import PublicRegister, never_public, not_public, reported_by
from ratingbook.office.acts.published import (
    first_days,
    head_run,
    shown_ratings_in,
    with_first_days,
)
from ratingbook.office.acts.registry import suppressed
from ratingbook.office.acts.reports import own_reports
from ratingbook.office.acts.requests import deadline, with_states
from ratingbook.office.acts.same_event import Near, is_of_it, reports_called, version_before
from ratingbook.office.acts.setup import decimals_of, every_pool, pool_named, rules_of
from ratingbook.office.acts.unused import unused
from ratingbook.office.engine.foreseen import Foreseen
from ratingbook.office.home import Home
from ratingbook.office.intake import FOLDER, Said, Understood, understand
from ratingbook.office.limits import is_id
from ratingbook.office.logic.corrections import UNTOLD, persons_in
from ratingbook.office.logic.days import Days
from ratingbook.office.logic.doubts import FOR_OFFICERS, OF_LINKS
from ratingbook.office.logic.printed import Named, call_of
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.office.logic.versions import difference
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import blobs, ledger
from ratingbook.office.store import models as m
from ratingbook.site.languages import SPOKEN
from ratingbook.site.models import Draft
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.masking import saying
from ratingbook.site.shown.outlook import outlooks_of
from ratingbook.site.shown.reports import ReportLine, names_in, own_lines, settled_in
from ratingbook.site.shown.seen import seen_as
from ratingbook.site.shown.words import LIKE_ANOTHER, OF_OTHERS, Told, told_to_sender
from ratingbook.site.templatetags.written import day
from ratingbook.site.templatetags.written import told as in_words


@dataclass(frozen=True)
class MyEvents:
    """What somebody has sent, and what is not sent yet."""

    drafts: tuple[tuple[Draft, str, str], ...]
    """With the names of their events, and as what each was seen."""
    reports: tuple[ReportLine, ...]


def my_events(home: Home, actor: str) -> MyEvents:
    """The own drafts and reports, the newest first."""
    drafts = Draft.objects.filter(actor=actor, report__isnull=True).order_by("-id")
    found = own_lines(own_reports(actor))
    named = [
        (each, _named(home, each.sha256, each.file_name, each.media), seen_as(sent_of(each)))
        for each in drafts
    ]
    return MyEvents(tuple(named), tuple(reversed(found)))


@lru_cache(maxsize=512)
def _named(home: Home, sha256: str, file_name: str, media: str) -> str:
    """What the event of a draft is called; by its file where that does not say."""
    try:
        with file_of(home, Sent(file_name, sha256, media)) as path:
            found = understand(path, None, None)
    except OfficeRefused:
        return file_name
    if not isinstance(found, Understood):
        return file_name
    return next((str(s.facts["name"]) for s in found.sections if s.facts.get("name")), file_name)


@dataclass(frozen=True)
class Question:
    """An entry of whom the office is not certain, as far as its sender may know of others."""

    entry: str
    name: str
    candidates: tuple[Mapping[str, Any], ...]
    said: str
    """What the sender says: a number of a person, ``new``, or nothing yet."""
    called: str
    """A mark of what other versions of the report call the entry, too."""


@dataclass(frozen=True)
class Expected:
    """What the rule book would give, in the place of the version that counts."""

    rulebook: str
    rows: tuple[Mapping[str, Any], ...]
    is_known: bool = True
    """Whether it can be said before an officer has looked at the pool."""
    is_past: bool = False
    """With the ratings from before the event, since what is published goes on behind it."""
    strangers: int = 0
    """Players of whom the office does not know who they are: they are reckoned as newcomers."""
    decimals: int = 0
    """That the pool publishes."""


@dataclass(frozen=True)
class Checked:
    """A draft as it is understood."""

    draft: Draft
    name: str
    format: str
    days: tuple[date, date] | None
    players: int
    games: int
    known: int
    """Of those who have a game."""
    problems: tuple[Told, ...]
    """What refuses the report, in its order."""
    notes: tuple[Told, ...]
    questions: tuple[Question, ...]
    differs: tuple[str, ...]
    """Against the version that the office has, in words."""
    before: int | None
    """The own report that this is a new version of."""
    expected: Expected | None
    pools: tuple[str, ...]
    pool: str
    """The one that was chosen, else that of the version before."""
    asks_days: bool
    """Whether days are said beside the file, or have to be, since it leaves some open."""
    is_held: bool
    """Whether an officer looks at any of it before it is rated; the notes say why."""
    asks_first: bool
    """Whether the first day is among them."""
    known_as: tuple[int, int] | None
    """The report and the version as which the office has this very file from its sender.

    None where it comes with an answer to what was asked of it: then it is a new version.
    """

    @property
    def with_games(self) -> int:
        """The players with a game: those who are known, and those of whom is asked."""
        return self.known + len(self.questions)

    @property
    def is_open_ended(self) -> bool:
        """Whether the first day is known, and the last is not."""
        return self.days is not None and any(x.code == "office.no-day" for x in self.problems)

    @property
    def is_clean(self) -> bool:
        """Whether nothing keeps it from being submitted."""
        return not self.problems and bool(self.pool)

    @property
    def may_be_another(self) -> bool:
        """Whether it is kept out by looking like another event only, which its sender may deny."""
        return self._is_kept_out_by(LIKE_ANOTHER)

    @property
    def may_tell(self) -> bool:
        """Whether it is kept out by what others sent only, of which the office can be told."""
        return self._is_kept_out_by(OF_OTHERS)

    def _is_kept_out_by(self, codes: Collection[str]) -> bool:
        found = {each.code for each in self.problems}
        return bool(found) and bool(self.pool) and found <= set(codes)


class Sent(NamedTuple):
    """All of a draft that says how it is understood."""

    file_name: str
    sha256: str
    media: str
    pool: str = ""
    version_of: int | None = None
    actor: str = ""
    said: tuple[tuple[str, str, str], ...] = ()
    """Of entries by their numbers who they are, and the mark of what all versions call them."""
    start: date | None = None
    end: date | None = None

    @property
    def options(self) -> receive.Options:
        """What is said beside the file."""
        days = Said(start=self.start, end=self.end)
        return receive.Options(self.pool or None, self.version_of, said=days)


def _said_of(number: str, told: Any) -> tuple[str, str, str]:
    """What is said of an entry; older words lack what it is called."""
    if isinstance(told, Mapping):
        return number, str(told["is"]), str(told["called"])
    return number, str(told), ""


def who_they_are(said: Iterable[tuple[str, str, str]], entries: Iterable[Named]) -> dict[str, str]:
    """What the sender says of the entries of a file, by their numbers in it.

    It was said of a file that may have numbered them otherwise.
    """
    every = [(each.number, _mark_of(each)) for each in entries]
    found = {}
    for number, is_, called in said:
        same = [at for at, mark in every if mark == called or not called]
        if number in same:
            found[number] = is_
        elif len(same) == 1:
            found[same[0]] = is_
    return found


def _mark_of(entry: Named) -> str:
    """What an entry is called in every version, without a name that could be read."""
    return hashlib.sha256(call_of(entry).encode()).hexdigest()[:16]


def sent_of(draft: Draft) -> Sent:
    """What a draft is at the moment: the same draft may be another one in the next."""
    said = tuple(sorted(_said_of(number, told) for number, told in draft.said.items()))
    return Sent(
        file_name=draft.file_name, sha256=draft.sha256, media=draft.media, pool=draft.pool,
        version_of=draft.version_of, actor=draft.actor, said=said, start=draft.start, end=draft.end,
    )  # fmt: skip


@contextmanager
def file_of(home: Home, draft: Draft | Sent) -> Iterator[Path]:
    """The file of a draft, or the folder of its files, as it was sent."""
    data = blobs.load(home, draft.sha256)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (Path(draft.file_name).name or "report")
        if draft.media == FOLDER:
            with zipfile.ZipFile(BytesIO(data)) as archive:
                archive.extractall(path)
        else:
            path.write_bytes(data)
        yield path


def draft_of(number: int, actor: str) -> Draft | None:
    """A draft of one's own."""
    return Draft.objects.filter(id=number, actor=actor, report__isnull=True).first()


def check(home: Home, draft: Draft) -> Checked:
    """Read a draft, and look at it as the office will."""
    sent = sent_of(draft)
    try:
        return Checked(draft=draft, **_checked(home, sent, datetime.now(UTC).date()))
    except OfficeRefused as refused:
        # A file that was deleted with a person's name: the draft can still be thrown away.
        pools = tuple(each.name for each in every_pool())
        return Checked(draft=draft, **_unread(sent, refused.findings, pools))


def _unread(draft: Sent, findings: Iterable[Finding], pools: tuple[str, ...]) -> dict[str, Any]:
    """What is said of a draft that cannot be read."""
    return {
        "name": draft.file_name,
        "format": "",
        "days": None,
        "players": 0,
        "games": 0,
        "known": 0,
        "problems": tuple(told_to_sender(findings)),
        "notes": (),
        "questions": (),
        "differs": (),
        "before": None,
        "expected": None,
        "pools": pools,
        "pool": "",
        "asks_days": bool(draft.start or draft.end),
        "is_held": False,
        "asks_first": True,
        "known_as": None,
    }


@by_ledger
def _checked(home: Home, draft: Sent, today: date) -> dict[str, Any]:
    """What a draft is understood as: the same until a fact is new, or the draft another."""
    known_pools = list(with_first_days(m.Pool.objects.order_by("id")))
    by_name = {each.name: each for each in known_pools}
    pools = tuple(by_name)
    of = states.compared(draft.version_of) if draft.version_of is not None else None
    options = draft.options.after(of)
    pool = (by_name.get(draft.pool) or pool_named(draft.pool)) if draft.pool else None
    with file_of(home, draft) as path:
        found = understand(path, rules_of(pool) if pool else None, None, options.said)
    if not isinstance(found, Understood) or not found.document:
        findings = found.findings if isinstance(found, Understood) else found
        return _unread(draft, findings, pools)
    called = reports_called(found.key)
    before = _before(found, pool, draft, called)
    places = Places(known_pools[0] if len(known_pools) == 1 else None, known_pools)
    known_as, same = _same(found, pool, draft, options, places, called)
    chosen = draft.pool or _pool_told(found, before, places)
    pool = pool or by_name.get(chosen)
    days = Days(today, first_days(known_pools))
    names = {each.number: each.name for each in found.entries}
    run = head_run(pool) if pool is not None else None
    who = who_they_are(draft.said, found.entries)
    people, questions = _people(found, pool, run, who, draft.actor)
    places.given = pool or places.given
    told, is_held, compared = _let_in(found, _newest(before, draft), places, days)
    linked = _linked(found, compared if before is not None else None)
    people |= linked
    left = unused(found, [pool] * len(found.sections), people, before.report_id if before else None)
    every = told_to_sender(
        [*told, *same, *(each for each in left if each.code not in FOR_OFFICERS - OF_LINKS)], names
    )
    problems = tuple(each for each in every if each.refuses)
    notes = tuple(each for each in every if not each.refuses)
    questions = tuple(each for each in questions if each.entry not in linked)
    expected = None
    # Of what stays rated as it was no run makes the numbers of the new version.
    stays = any(each.code in (STAYS, STAYS_IN_PART) for each in told)
    if pool is not None and not problems and not stays:
        said = _told_of(who, draft.actor)
        new = {k for k, v in who.items() if v == "new"}
        expected = _expected(home, pool, run, found, {**said, **people}, new, before)
    name = next((str(s.facts["name"]) for s in found.sections if s.facts.get("name")), found.file)
    return {
        "name": name,
        "format": found.format,
        "days": _days(found),
        "players": len(found.entries),
        "games": _games_in(found),
        "known": len(people.keys() & played_in(found)),
        "problems": problems,
        "notes": notes,
        "questions": questions,
        "differs": _differs(found, before),
        "before": before.report_id if before else None,
        "expected": expected,
        "pools": pools,
        "pool": chosen,
        "asks_days": bool(draft.start or draft.end) or any(x.end is None for x in found.sections),
        "is_held": is_held,
        "asks_first": bool(draft.start) or any(x.start is None for x in found.sections),
        "known_as": known_as,
    }


def _newest(before: m.ReportVersion | None, draft: Sent) -> m.ReportVersion | None:
    """The version of the own report after which this one would come, be it held or refused."""
    number = before.report_id if before is not None else draft.version_of
    return states.newest(number) if number is not None else None


def _let_in(
    found: Understood, before: m.ReportVersion | None, places: Places, days: Days
) -> tuple[list[Finding], bool, m.ReportVersion | None]:
    """What the office would say of a file as it comes in, and whether it would hold any of it.

    Also the version from which it differs.
    """
    if (none := undated(found)) is not None:
        return [*found.findings, none], False, None
    way = LettingIn(found, before, places, days)
    # Without a pool it cannot be sent at all, and the form asks for one.
    told = [each for each in way.findings if each.code != NO_POOL]
    return told, any(each.state == states.HELD for each in way.steps), way.compared


def _days(found: Understood) -> tuple[date, date] | None:
    """The first and the last day as they are reported, be they the wrong way round."""
    first = min((each.start for each in found.sections if each.start), default=None)
    last = max((each.end for each in found.sections if each.end), default=None)
    days = [day for day in (first, last) if day is not None]
    return (days[0], days[-1]) if days else None


def _games_in(found: Understood) -> int:
    """How many games are reported, be their days known or not; a bye is none."""
    games = states.document_in(found.document).get("games", ())
    return sum(each.get("black") is not None for each in games)


def played_in(found: Understood) -> set[str]:
    """The numbers of those who have a game: who has none is not rated, and need not be known."""
    return {number for some in found.played for number in some}


def _told_of(who: Mapping[str, str], actor: str) -> dict[str, int]:
    """Who entries are as their sender says, who knows of others by what is published alone."""
    said = {entry: int(told) for entry, told in who.items() if is_id(told)}
    hidden = not_public(said.values())
    if hidden:
        hidden -= reported_by(actor).keys()
    return {entry: person for entry, person in said.items() if person not in hidden}


def _people(
    found: Understood, pool: m.Pool | None, run: m.Run | None, who: Mapping[str, str],
    actor: str,
) -> tuple[dict[str, int], tuple[Question, ...]]:  # fmt: skip
    """Who is certain by all that is public, by entry; and the questions about the others.

    Whoever is told more would learn from it when somebody was born, and who waits at the desk.
    """
    shown = shown_ratings_in(run.ratings_id, pool) if run else {}
    register = PublicRegister(shown, actor)
    matches = identify.matches_of([found.entries], register).matches[0]
    known = {key: each.certain.person for key, each in matches.items() if each.certain is not None}
    played = played_in(found)
    asked = [each for each in found.entries if each.number in played and each.number not in known]
    every = {c.person for each in asked for c in matches[each.number].candidates}
    every -= register.only_reported
    names, about = register.names, _public(every) if every else {}
    questions = tuple(
        Question(
            each.number, each.name or each.number,
            tuple(
                {"person": c.person, "name": names.get(c.person, ""), **about.get(c.person, {})}
                for c in matches[each.number].candidates
            ),
            who.get(each.number, ""), _mark_of(each),
        )
        for each in asked
    )  # fmt: skip
    return known, questions


def _linked(found: Understood, before: m.ReportVersion | None) -> dict[str, int]:
    """Who entries are as in the version before: a new one is linked as that was.

    Of one that is not published its sender is not told that; and nobody is who is suppressed: the
    rating before the event would tell who that is.
    """
    if before is None or not identify.is_published(before):
        return {}
    known, hidden = as_before(found.entries, before), suppressed()
    return {number: canonical(person) for number, person in known.items() if person not in hidden}


def _public(people: set[int]) -> dict[int, dict[str, str]]:
    """Federation and club, which everybody may know; never why somebody fits."""
    said = attributes_of(sorted(people), ledger.head().seq, datetime.now(UTC).date())
    return {
        person: {key: each[key] for key in ("federation", "club") if each.get(key)}
        for person, each in said.items()
    }


def drafts_naming(home: Home, people: Collection[int]) -> tuple[list[int], list[int]]:
    """The drafts that name one of some persons, suppressed or not, be they readable or not.

    And those that unpack to more than is read, and are not searched.
    """
    spelled = spelled_of(people)
    drafts = Draft.objects.filter(report__isnull=True).order_by("id")
    answers = {
        each.id: names_one(blobs.path_of(home, each.sha256), each.media, spelled)
        for each in drafts
    }  # fmt: skip
    return (
        [draft for draft, named in answers.items() if named],
        [draft for draft, named in answers.items() if named is None],
    )


def _before(
    found: Understood, pool: m.Pool | None, draft: Sent, called: Sequence[int]
) -> m.ReportVersion | None:
    """The version of one's own that counts, in whose place this one would come."""
    if draft.version_of is not None:
        return states.that_counts(draft.version_of)
    pools = {pool.id} if pool else set()
    own = own_reports(draft.actor) if called else ()
    mine = (states.that_counts(each) for each in called if each in own)
    return next((each for each in mine if each and is_of_it(found, pools, each)), None)


def _pool_told(found: Understood, before: m.ReportVersion | None, places: Places) -> str:
    """The pool into which the office is going to put all of a file by itself; nothing: it asks."""
    was = pools_before(before.report_id) if before is not None else {}
    pools = set(places.of_sections(found, was))
    only = pools.pop() if len(pools) == 1 else None
    return only.name if only is not None else ""


def pool_before(report: int) -> str:
    """The pool of a report, which a new version of it takes over; nothing: it has none, or many."""
    pool = pools_before(report).get("")
    return m.Pool.objects.get(id=pool).name if pool is not None else ""


def _same(
    found: Understood,
    pool: m.Pool | None,
    draft: Sent,
    options: receive.Options,
    places: Places,
    called: Sequence[int],
) -> tuple[tuple[int, int] | None, list[Finding]]:
    """The own version of which this is the very file; and what is told of other reports.

    It is asked what is asked as the file comes in, so that nobody reads first that it is clean.
    """
    who = ledger.Who(draft.actor)
    try:
        asks = bool(called) or draft.version_of is not None
        # The same bytes are of one key: where no report has it, none has these.
        known = receive.known_version(found.sha256, found.file, options, who) if asks else None
        if known is not None:
            return (known.report_id, known.number), []
        if draft.version_of is not None:
            return None, []
        given = [pool] if pool else places.of_sections(found)
        pools = {each.id for each in given if each is not None}
        # Of what has faults of its own nobody asks which event it is.
        near = Near([] if Findings(found.findings).refused else [found], who)
        _, told = version_before(found, called, pools, near, who)
    except OfficeRefused as refused:
        return None, list(refused.findings)
    return None, told


def _differs(found: Understood, before: m.ReportVersion | None) -> tuple[str, ...]:
    if before is None:
        return ()
    said = difference(document_of(before), states.document_in(found.document))
    return tuple(map(SPOKEN.told, said))


def _expected(
    home: Home, pool: m.Pool, run: m.Run | None, found: Understood, people: Mapping[str, int],
    new: Collection[str], before: m.ReportVersion | None,
) -> Expected:  # fmt: skip
    """What the run would make of it, as the rules publish it.

    Whoever is neither among the known ``people`` nor said to be ``new`` is reckoned as new, too.
    """
    end = found.days[1] if found.days else None
    try:
        by_entry = forecast(home, run, pool, found, people, before)
    except OfficeRefused:
        # What keeps the pool from being rated may be of others.
        return Expected(pool.rulebook, (), is_known=False)
    decimals = decimals_of(pool, rules_of(pool), end)
    played = {each for some in found.played for each in some}
    strangers = played - people.keys() - set(new)
    rows = tuple(
        {**_foreseen(each.name, by_entry.get(each.number), decimals),
         "is_stranger": each.number in strangers}
        for each in found.entries if each.number in played
    )  # fmt: skip
    is_past = run is not None and end is not None and end <= run.until
    return Expected(
        pool.rulebook, rows, is_past=is_past, strangers=len(strangers), decimals=decimals
    )


def _foreseen(name: str, found: Foreseen | None, decimals: int) -> Mapping[str, Any]:
    if found is None:
        return {"name": name, "before": None, "after": None, "change": None, "games": 0,
                "score": 0.0, "is_withheld": False}  # fmt: skip
    before, after = (rounded_one(each, decimals) for each in (found.before, found.after))
    return {
        "name": name, "before": before, "after": after,
        "change": change_of(before, after), "games": found.games,
        "score": found.score, "is_withheld": found.is_withheld,
    }  # fmt: skip


@dataclass(frozen=True)
class Step:
    """A stage of a report: done, the one where it is, or still to come."""

    name: str
    state: str
    said: str


@dataclass(frozen=True)
class MyReport:
    """A report that was submitted, as its sender sees it."""

    line: ReportLine
    road: tuple[Step, ...]
    receipt: str
    """Its number, which names the file for ever."""
    file: str
    games: int
    waiting: tuple[str, ...]
    """Of whom no number says who they are: the office settles it until the publication."""
    head: str
    """The hash of the fact: whoever keeps it can prove what was received."""
    notes: tuple[Told, ...]
    versions: tuple[Mapping[str, Any], ...]
    corrections: tuple[Mapping[str, Any], ...]
    has_page: bool
    """Whether everybody can see the event."""


def my_report(number: int, actor: str) -> MyReport | None:
    """A report of one's own; None: there is none of this number."""
    return _report(number, actor) if number in own_reports(actor) else None


@by_ledger
def _report(number: int, actor: str) -> MyReport:
    line = own_lines([number])[0]
    fact = m.Fact.objects.filter(seq=OuterRef("fact"))
    games = m.Game.objects.filter(section__version=OuterRef("id")).order_by()
    versions: list[Any] = list(
        m.ReportVersion.objects.filter(report=number).defer("document").order_by("-number")
        .annotate(
            at=Subquery(fact.values("at")), head=Subquery(fact.values("hash")),
            games=Subquery(games.values("section__version").annotate(n=Count("id")).values("n")),
        )
    )  # fmt: skip
    newest = versions[0]
    names = dict(m.Entry.objects.filter(version=newest).values_list("number", "name"))
    waiting = settled_in(frozenset([newest.id])).get(newest.id, ()) if line.waiting else ()
    return MyReport(
        line=line,
        road=_road(line, newest.at),
        receipt=f"{number}-{newest.number}-{newest.fact}",
        file=newest.file_name,
        games=newest.games or 0,
        waiting=tuple(each.name or each.number for each in waiting),
        head=newest.head,
        notes=tuple(
            told_to_sender(
                (x for x in findings_now(newest) if x["code"] not in FOR_OFFICERS), names
            )
        ),
        versions=tuple(
            {
                "number": v.number,
                "at": v.at,
                "file": v.file_name,
                "sha256": v.blob_id,
                "difference": [SPOKEN.told(unpacked(x)) for x in v.difference],
            }
            for v in versions
        ),
        corrections=corrections_of(number, actor),
        has_page=line.is_beside or line.state == states.PUBLISHED,
    )


def _road(line: ReportLine, at: datetime) -> tuple[Step, ...]:
    """Received, checked, identified, rated: how far it is."""
    order = ("received", "checked", "identified", "published")
    names = (
        gettext("Received"), gettext("Checked"), gettext("Players known"),
        gettext("Rated and published"),
    )  # fmt: skip
    if line.state == states.PUBLISHED:
        reached = 4
    elif line.state == states.READY:
        reached = 3
    else:
        reached = 1 if line.is_aside else 2
    words = {
        "received": gettext("{day}, version {n}").format(day=day(at), n=line.version),
        "checked": in_words(line.reason) or ("" if reached > 1 else SPOKEN.gettext(line.state)),
        "identified": gettext("{n} settled by the office").format(n=line.waiting)
        if line.waiting
        else "",
        "published": gettext("with the next run") if reached == 3 else "",
    }  # fmt: skip
    return tuple(
        Step(name, "done" if at_ < reached else "here" if at_ == reached else "", words[key])
        for at_, (key, name) in enumerate(zip(order, names, strict=True))
    )


def corrections_of(report: int, actor: str) -> tuple[Mapping[str, Any], ...]:
    """The corrections that were asked of a report, as an actor who sent it may know them."""
    asked = m.Fact.objects.filter(
        kind="correction asked", factsubject__kind="report", factsubject__subject=str(report)
    )
    found = with_states(m.Correction.objects.filter(made_by__in=asked.values("seq")))
    corrections = list(found.order_by("-id"))
    masked = mask_for_public(names_in([report])) if corrections else str
    say = saying([each.contents for each in corrections], masked)
    untold = _untold_to(actor, corrections)
    outlooks = outlooks_of(corrections)
    return tuple(
        {
            "number": c.id,
            "state": c.state,
            "says": [SPOKEN.gettext(UNTOLD)] if c.id in untold else say(c.contents),
            "outlook": outlooks.get(c.id, ()),
            "until": deadline(c),
        }
        for c in corrections
    )


@by_ledger
def games_of(report: int, *, as_sent: bool = False) -> list[dict[str, Any]]:
    """The games of the version that counts as they hold now, with their numbers.

    With ``as_sent`` its sender reads them, with the names that the own file has.
    """
    from ratingbook.office.acts.asking import as_it_is
    from ratingbook.office.logic.corrections import SCORES

    counts = states.versions_that_count([report])
    fixes = m.GameFix.objects.filter(revoked_by__isnull=True, stable_key=OuterRef("stable_key"))
    games = m.Game.objects.filter(section__version__in=counts.values())
    found, masked = list[dict[str, Any]](), str if as_sent else mask()
    every: Any = games.select_related("white", "black", "section").annotate(is_fixed=Exists(fixes))
    games_now = list(every.order_by("number"))
    several = len({each.section_id for each in games_now}) > 1
    if several:
        games_now.sort(key=lambda each: each.section.name)
    entries = {each.id: each for one in games_now for each in (one.white, one.black)}
    times = Counter(each.name for each in entries.values())
    for one in games_now:
        names = {each.id: _among(each, times, masked) for each in (one.white, one.black)}
        now: dict[str, Any] = (
            as_it_is(one) if one.is_fixed
            else {"half": one.half_points, "white": one.white_id, "black": one.black_id}
        )  # fmt: skip
        found.append(
            {"game": one.number, "section": one.section.name if several else "",
             "round": one.round, "white": names[now["white"]],
             "black": names[now["black"]], "result": SCORES[now["half"]]}
        )  # fmt: skip
    return found


def _among(one: m.Entry, times: Mapping[str, int], masked: Callable[[str], str]) -> str:
    """The name of an entry; with the number that the report has, where others are called so."""
    name, number = (as_reported(one, text, masked) for text in (one.name, one.number))
    return f"{name} ({number})" if times[one.name] > 1 else name


def _untold_to(actor: str, corrections: Sequence[m.Correction]) -> set[int]:
    """Those that others asked for of persons of whom nothing is published.

    Whom the desk has made from own reports their sender knows.
    """
    named = {each.id: {x for said in each.contents for x in persons_in(said)}
             for each in corrections}  # fmt: skip
    people = {person for some in named.values() for person in some}
    hidden = never_public(people) if people else set()
    if not hidden:
        return hidden
    hidden -= reported_by(actor).keys()
    facts = m.Fact.objects.filter(seq__in=[each.made_by for each in corrections], actor=actor)
    own = set(facts.values_list("seq", flat=True))
    return {x.id for x in corrections if x.made_by not in own and named[x.id] & hidden}
