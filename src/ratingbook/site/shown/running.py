"""Runs as officers look at them: what is planned, what differs, who approved."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from django.db.models import F, OuterRef, Q, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratingbook.model import Findings
from ratingbook.model.decimals import change_of
from ratingbook.office.acts import corrections, revisions, runs
from ratingbook.office.acts.calendar import PoolCalendar, calendar
from ratingbook.office.acts.contradictions import beside, to_be_known
from ratingbook.office.acts.lists import day_of
from ratingbook.office.acts.masking import as_reported, mask
from ratingbook.office.acts.people import canonical, merges, names_of
from ratingbook.office.acts.published import base_of, table_of
from ratingbook.office.acts.register import awaited_list
from ratingbook.office.acts.requests import (
    ACCEPTED,
    OPEN,
    PUBLISHED,
    REJECTED,
    WITHDRAWN,
    deadline,
    with_states,
)
from ratingbook.office.acts.results import games_asked, standing, taken_effect
from ratingbook.office.acts.run_states import LISTS, MADE, RELEASED
from ratingbook.office.acts.setup import decimals_of, every_pool, policy
from ratingbook.office.acts.unpublished import unpublished
from ratingbook.office.home import Home
from ratingbook.office.logic.comparing import only_in_bits
from ratingbook.office.logic.corrections import Content
from ratingbook.office.logic.effects import Number
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.office.store import models as m
from ratingbook.site.languages import localised
from ratingbook.site.models import Confirmation
from ratingbook.site.shown.asked_games import GameOf, games_of
from ratingbook.site.shown.crossing import Crossed, called, crossed
from ratingbook.site.shown.directing import Step
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.masking import saying
from ratingbook.site.shown.onward import Beyond, beyond, with_names
from ratingbook.site.shown.outlook import outlooks_of
from ratingbook.site.shown.pools import Published
from ratingbook.site.shown.words import Told, told
from ratingbook.site.templatetags.written import day

_BINS = ("≤ −20", "−19…−10", "−9…−2", "−1", "+1", "+2…+9", "+10…+19", "≥ +20")
_HEIGHT = 96.0


@dataclass(frozen=True)
class Bar:
    """A bar of a histogram: x in per cent, y in pixels."""

    label: str
    count: int
    x: str
    middle: str
    y: str
    text_y: str
    height: str


@dataclass(frozen=True)
class Moved:
    """A player whose rating differs."""

    person: int
    name: str
    before: float | None
    after: float | None
    change: float | None
    decimals: int
    """That the pool publishes."""
    pool: str = ""
    day: date | None = None
    """After which the number stands, where it is one of several; a run has the ratings of now."""
    is_on_list: bool = False
    """Whether it is that of the list of the day."""
    into: int | None = None
    """Who the player is now, where it is somebody else."""


@dataclass(frozen=True)
class RunShown:
    """A run with all that its approval rests on."""

    run: m.Run
    road: tuple[Step, ...]
    bars: tuple[Bar, ...]
    in_words: str
    largest: tuple[Moved, ...]
    most: float
    decimals: int
    """That the pool publishes."""
    marks: Crossed
    firsts: tuple[tuple[int, str], ...]
    unpublished: frozenset[int]
    """Who of these is rated, and by the rules not published yet."""
    lists: tuple[ListReached, ...]
    corrections: tuple[tuple[int, tuple[str, ...]], ...]
    approvals: tuple[Mapping[str, Any], ...]
    needed: int
    is_own: bool
    """Made by the reader, where four eyes are asked for."""
    has_approved: bool
    is_stale: bool
    checks: tuple[tuple[bool, str], ...]
    noticed: tuple[Told, ...]
    """What was noticed when it was made."""

    @property
    def more_firsts(self) -> int:
        """Who is rated for the first time and not named."""
        return int((self.run.report or {}).get("firsts", {}).get("count", 0)) - len(self.firsts)

    @property
    def is_approved(self) -> bool:
        """Whether it can be published."""
        return len(self.approvals) >= self.needed


def shown(home: Home, number: int, actor: str) -> RunShown | None:
    """A run for who looks at it; None: there is none of this number."""
    run = m.Run.objects.select_related("pool").filter(id=number).first()
    if run is None:
        return None
    report: Mapping[str, Any] = run.report or {}
    base = base_of(run)
    decimals = decimals_of(run.pool)
    before, after = _ratings(home, run, base, decimals)
    moved = _moved(before, after, decimals, merges(run.upto))
    marks = crossed(run.pool.name, report, decimals)
    names = names_of(
        [each.person for each in moved[:20]]
        + [each.person for each in marks.shown]
        + [int(each) for each in report.get("firsts", {}).get("players", ())]
    )
    found = m.Approval.objects.filter(run=run, digest=run.digest).order_by("fact")
    at = Subquery(m.Fact.objects.filter(seq=OuterRef("fact")).values("at"))
    approvals = tuple(found.annotate(at=at).values("actor", "at"))
    needed = policy(run.pool, "approvals")
    changes = [each.change for each in moved if each.change is not None]
    bars = histogram(changes)
    corrections = _new_in(home, run, base)
    say = saying([each.contents for each in corrections], mask() if corrections else str)
    own = policy(run.pool, "four_eyes") == "yes" and run.counts.get("made_by") == actor
    return RunShown(
        run=run,
        road=_road(run, len(approvals), needed),
        bars=bars,
        in_words=in_words(bars),
        largest=tuple(_named(each, names) for each in moved[:20]),
        most=max((abs(each) for each in changes), default=0.0),
        decimals=decimals,
        marks=called(marks, names),
        firsts=tuple(
            (int(p), names.get(int(p), p)) for p in report.get("firsts", {}).get("players", ())
        ),
        unpublished=unpublished(
            home,
            run.ratings_id,
            {
                *(each.person for each in moved[:20]),
                *(int(each) for each in report.get("firsts", {}).get("players", ())),
            },
        ),
        lists=tuple(lists_reached(run)),
        corrections=tuple((c.id, tuple(say(c.contents))) for c in corrections),
        approvals=approvals,
        needed=needed,
        is_own=own,
        has_approved=any(each["actor"] == actor for each in approvals),
        is_stale=runs.is_stale(run),
        checks=tuple(_checks(changes, report)),
        noticed=tuple(told(run.counts.get("findings", ()))),
    )


def _new_in(home: Home, run: m.Run, base: m.Run | None) -> list[m.Correction]:
    return _corrections_of(home, run, base) if run.file_id else []


@by_ledger
def _corrections_of(home: Home, run: m.Run, base: m.Run | None) -> list[m.Correction]:
    return corrections.new_in(home, run, base)


def _ratings(
    home: Home, run: m.Run, base: m.Run | None, decimals: int
) -> tuple[dict[int, float], dict[int, float]]:
    """The published ratings of before, and those that the run would publish."""
    return (
        ratings_of(home, base.ratings_id if base else None, decimals),
        ratings_of(home, run.ratings_id, decimals),
    )


def ratings_of(home: Home, file: str | None, decimals: int) -> dict[int, float]:
    """The ratings of a kept table, as they are published."""
    if not file:
        return {}
    table = table_of(home, file)
    found = zip(table["player"].to_pylist(), table["rating"].to_pylist(), strict=True)
    return {int(p): r for p, value in found if (r := rounded_one(value, decimals)) is not None}


def _moved(
    before: Mapping[int, float], after: Mapping[int, float], decimals: int,
    merged: Mapping[int, int],
) -> list[Moved]:  # fmt: skip
    """Who has another rating, the largest changes first."""
    found = [
        Moved(p, "", before.get(p), value, change_of(before.get(p), value), decimals)
        for p, value in after.items()
        if before.get(p) != value
    ]
    found += [
        Moved(p, "", value, None, None, decimals, into=merged.get(p))
        for p, value in before.items() if p not in after
    ]  # fmt: skip
    return sorted(found, key=lambda each: (-abs(each.change or 0), each.person))


def _named(one: Moved, names: Mapping[int, str]) -> Moved:
    return replace(one, name=names.get(one.person, ""))


def histogram(changes: list[float]) -> tuple[Bar, ...]:
    """How far ratings move: how many players are in each span."""
    counts = [0] * len(_BINS)
    for each in changes:
        if each:
            counts[_bin(each)] += 1
    most = max(counts) or 1
    width = 100 / len(_BINS)
    bars = []
    for at, (label, count) in enumerate(zip(_BINS, counts, strict=True)):
        height = _HEIGHT * count / most
        bars.append(
            Bar(
                label, count, f"{at * width + width * 0.1:.2f}%", f"{(at + 0.5) * width:.2f}%",
                f"{120 - height:.1f}", f"{115 - height:.1f}", f"{height:.1f}",
            )
        )  # fmt: skip
    return tuple(bars)


def _bin(change: float) -> int:
    """In which span a change is."""
    far = sum(abs(change) >= each for each in (2, 10, 20))
    return 3 - far if change < 0 else 4 + far


def in_words(bars: tuple[Bar, ...]) -> str:
    """A histogram for who does not see it."""
    return ", ".join(f"{each.label}: {each.count}" for each in bars)


@dataclass(frozen=True)
class ListReached:
    """A list whose numbers a run changes, or that it brings."""

    day: date
    revision: int
    """Its newest one; of a list that the run brings, or brought, that one."""
    becomes: str
    """``new``, ``revised``, or ``stays``: no revision is made of it.

    ``again``: revised if anything on it is otherwise, though no number is.
    """
    columns: tuple[str, ...] = ()
    """The titles of those in which numbers are otherwise."""


def lists_reached(run: m.Run) -> list[ListReached]:
    """The lists from the first number on that the run changes, and what becomes of each."""
    return list(_reached_by(run))


@by_ledger
def _reached_by(run: m.Run) -> Sequence[ListReached]:
    first = revisions.first_changed(run)
    then = m.Publication.objects.filter(run=run).values("fact")
    own = day_of(run)
    every_day = run.counts.get(LISTS, {}).items()
    said = {date.fromisoformat(day): keys for day, keys in every_day}
    every = list(
        m.List.objects.filter(pool=run.pool_id, date__gte=min(first or own, own, *said))
        .annotate(then=Subquery(then))
        .order_by("date", "revision")
    )
    reached = [
        each for each in every
        if said.get(each.date) or (first is not None and each.date >= first)
    ]  # fmt: skip
    titles = {each.date: {key: title for key, title, _ in each.columns} for each in every}
    columns = {
        day: tuple(titles[day].get(key, key) for key in keys)
        for day, keys in said.items() if day in titles
    }  # fmt: skip
    if run.state == RELEASED:
        return _reached_then(run, every, reached, columns)
    newest = {each.date: each.revision for each in reached}
    revised = revisions.by_policy(run.pool, [*newest], run.until)
    with_run = policy(run.pool, "lists") == "with_run"
    found = [
        ListReached(day, revision, _becomes(columns.get(day), is_revised=day in revised),
                    columns.get(day, ()))
        for day, revision in newest.items()
        if not (with_run and day == own)
    ]  # fmt: skip
    if with_run:
        last = max((each.revision for each in every if each.date == own), default=0)
        becomes = "new" if not last else "revised" if columns.get(own) else "again"
        found.append(ListReached(own, last + 1, becomes, columns.get(own, ())))
    return sorted(found, key=lambda each: each.day)


def _becomes(columns: Sequence[str] | None, *, is_revised: bool) -> str:
    """What becomes of a list of before; without ``columns`` nobody has looked at its numbers."""
    if not is_revised:
        return "stays"
    return "again" if columns is None else "revised" if columns else "stays"


def _reached_then(
    run: m.Run, every: Sequence[Any], from_first: Sequence[Any],
    columns: Mapping[date, tuple[str, ...]],
) -> Sequence[ListReached]:  # fmt: skip
    """What became of the lists when the run was published."""
    brought = {each.date: each.revision for each in every if each.run_id == run.id}
    newest = {each.date: each.revision for each in from_first if each.fact < each.then}
    return [
        ListReached(
            day, brought.get(day, newest.get(day, 1)),
            "stays" if day not in brought else "new" if brought[day] == 1 else "revised",
            columns.get(day, ()),
        )
        for day in sorted({*brought, *newest})
    ]  # fmt: skip


def _checks(changes: list[float], report: Mapping[str, Any]) -> list[tuple[bool, str]]:
    """What the numbers must look like, and whether they do."""
    total = round(sum(changes), 3)
    only_bits = only_in_bits(report)
    return [
        (
            report.get("gone_rows", 0) == 0,
            _("No change that is published is missing.")
            if not report.get("gone_rows", 0)
            else ngettext(
                "{n} change that is published is in this run no more.",
                "{n} changes that are published are in this run no more.",
                report.get("gone_rows", 0),
            ).format(n=report.get("gone_rows", 0)),
        ),
        (
            total == 0,
            _("The changes add up to {sum}.").format(sum=localised(f"{total:g}")).replace("-", "−"),
        ),
        (
            only_bits <= 0,
            ngettext(
                "{n} row differs in bits that nobody sees.",
                "{n} rows differ in bits that nobody sees.",
                max(only_bits, 0),
            ).format(n=max(only_bits, 0)),
        ),
    ]


def _road(run: m.Run, approvals: int, needed: int) -> tuple[Step, ...]:
    made = run.state in (MADE, RELEASED)
    approved = approvals >= needed
    out = run.state == RELEASED
    steps = [
        (_("Planned"), "done", _("up to {day}").format(day=day(run.until))),
        (_("Dry run"), "done" if made else "here", run.counts.get("made_by", "")),
        (_("Approved"), "done" if approved and made else "here" if made else "",
         _("{n} of {of}").format(n=approvals, of=needed)),
        (_("Published"), "done" if out else "here" if made and approved else "", ""),
    ]  # fmt: skip
    return tuple(Step(*each) for each in steps)


@dataclass(frozen=True)
class Plan:
    """A pool, and what its next run would rate."""

    pool: str
    rulebook: str
    until: Any
    ready: int


def plans() -> list[Plan]:
    """What each pool has for a run."""
    return _plans(datetime.now(UTC).date())


@by_ledger
def _plans(today: date) -> list[Plan]:
    return [Plan(each.pool, each.rulebook, each.takes, each.ready) for each in calendar_of(today)]


@by_ledger
def calendar_of(today: date) -> list[PoolCalendar]:
    """Of each pool the next list, what is missing for it, and who is late."""
    masked = mask()
    return [
        replace(each, open=tuple({**one, "name": masked(one["name"])} for one in each.open))
        for each in calendar(today)
    ]


class Beside(NamedTuple):
    """Another request about the same."""

    number: int
    state: str
    says: tuple[str, ...]
    is_otherwise: bool
    """Whether it contradicts this one."""
    is_to_be_known: bool
    """Whether nobody accepts this one without a word of it."""
    way: str
    """``takes back`` what this one said, ``taken back`` by this one, or neither."""


@dataclass(frozen=True)
class CorrectionShown:
    """A correction for who decides it."""

    one: m.Correction
    state: str
    says: tuple[str, ...]
    outlook: tuple[str, ...]
    """What accepting it would not change, and why."""
    noticed: Sequence[Told]
    """What whoever decides it is to know of those who would be one person."""
    reason: str
    asked_by: str
    asked_at: datetime
    decided_for: tuple[str, ...]
    """The reasons of those who decided it."""
    games: tuple[GameOf, ...]
    """As they stand, and as they will be."""
    until: date | None
    """By when it is to be decided."""
    beside: tuple[Beside, ...]
    """The other requests about the same."""
    evidence: tuple[str, ...]
    confirmed: tuple[tuple[str, str, str, datetime], ...]
    """Who of the players confirmed a game, as what, of whom, and when."""
    road: tuple[Step, ...]
    signed: tuple[str, ...]
    """Who has accepted what it changes now."""
    lapsed: tuple[str, ...]
    """Who accepted other numbers, before something else made them what they are."""
    since: tuple[str, ...]
    """What has come since the first of these: accepted corrections and published runs."""
    needed: int
    preview: Mapping[str, Any] | None
    next_list: date | None
    """From which day on lists have what differs, if nothing is rated again; of what is to come."""
    lists: tuple[tuple[str, date, str, Sequence[str]], ...]
    """Pool and day of each on which a rating differs, and what becomes of it: as of a run.

    ``again``: it stays, unless the next run ends on its day, too.
    """
    largest: tuple[Moved, ...]
    marks: tuple[Crossed, ...]
    """The marks that ratings of now and of the past cross, pool by pool."""
    beyond: tuple[Beyond, ...]
    """What follows in pools that read those which it reaches, once these are published."""
    bars: tuple[Bar, ...]
    in_words: str


def correction(home: Home, number: int, *, with_preview: bool) -> CorrectionShown | None:
    """A correction with its way, and what it would change; None: there is none."""
    from ratingbook.office.logic.corrections import pools_of

    one = with_states(m.Correction.objects.filter(id=number)).first()
    if one is None:
        return None
    state = one.state
    signed = m.CorrectionApproval.objects.filter(correction=one).values("fact")
    written = m.Fact.objects.filter(Q(seq=one.made_by) | Q(seq__in=signed)).order_by("seq")
    # A fact has several papers, or none.
    with_papers: list[Any] = list(written.annotate(paper=F("evidence__blob")))
    facts = {each.seq: each for each in with_papers}
    asked = facts.pop(one.made_by)
    wanted = pools_of(one.contents)
    pools = [p for p in every_pool() if wanted is None or p.id in wanted]
    needed = max((policy(each, "correction_approvals") for each in pools), default=1)
    # Whoever has signed did so under numbers: only those of now tell whether it still counts.
    made = _preview(home, one) if (with_preview or facts) and state == OPEN else None
    said, moved, lists, marks, further, digest = made or (None, [], (), (), (), None)
    holding = _holding(list(facts.values()), digest)
    gone = [each for each in facts.values() if each.actor not in {x.actor for x in holding}]
    persons = [each.person for each in moved[:20]]
    persons += [each.person for some in further for each in some.largest]
    names = names_of([*persons, *(each.person for some in marks for each in some.shown)])
    # What was accepted is not compared with what it has made of the game.
    is_decided_for = state in (ACCEPTED, PUBLISHED)
    others, games = _beside(one, state), games_asked(one.contents)
    on_list = awaited_list(number) if state == ACCEPTED else _next_list(said)
    bars, masked = histogram([each.change for each in moved if each.change is not None]), mask()
    return CorrectionShown(
        one=one,
        state=state,
        says=tuple(saying([one.contents], masked)(one.contents)),
        outlook=outlooks_of([one]).get(number, ()),
        noticed=_noticed(one) if state == OPEN else (),
        reason=masked(asked.reason),
        asked_by=asked.actor,
        asked_at=asked.at,
        decided_for=tuple(map(masked, _why_decided(one, facts.values()))),
        games=games_of(
            taken_effect(one.contents) if is_decided_for else _standings(one), games, masked
        ),
        until=deadline(one),
        beside=others,
        evidence=tuple(x.paper for x in with_papers if x.paper and x.seq == one.made_by),
        confirmed=tuple(_confirmed(games, masked)),
        road=_way(state, asked, holding, needed, on_list),
        signed=tuple(each.actor for each in holding),
        lapsed=tuple(dict.fromkeys(each.actor for each in gone)) if state == OPEN else (),
        since=_since(gone[0].seq) if state == OPEN and gone else (),
        needed=needed,
        preview=said,
        next_list=on_list,
        lists=tuple(lists),
        largest=tuple(_named(each, names) for each in moved[:20]),
        marks=tuple(called(each, names) for each in marks),
        beyond=tuple(with_names(each, names) for each in further),
        bars=bars,
        in_words=in_words(bars),
    )


@by_ledger
def _noticed(one: m.Correction) -> list[Told]:
    findings = Findings()
    corrections.tell_merges(findings, one.contents)
    return told(findings)


def _next_list(preview: Mapping[str, Any] | None) -> date | None:
    """From which day on lists have what a preview shows; None: it is rated again."""
    pools = preview["pools"].values() if preview else ()
    days = (date.fromisoformat(each["next_list"]) for each in pools if "next_list" in each)
    return min(days, default=None)


def _confirmed(
    games: Sequence[Any], masked: Callable[[str], str]
) -> Iterator[tuple[str, str, str, datetime]]:
    """Which players have said that some games are right, and how they stood then.

    A result is of who had White and Black then, whatever colours hold now: it names them.
    """
    from ratingbook.office.logic.corrections import SCORES

    if not games:
        return
    said = list(
        Confirmation.objects.filter(version__in={x.version_id for x in games}).order_by("at")
    )
    if not said:
        return
    people = dict(m.Actor.objects.filter(person__isnull=False).values_list("name", "person"))
    for game in games:
        links = m.Link.objects.filter(
            entry__in=(game.white_id, game.black_id), revoked_by__isnull=True
        )
        players = {canonical(each) for each in links.values_list("person", flat=True)}
        for each in said:
            person = people.get(each.actor)
            if each.version == game.version_id and person and canonical(person) in players:
                held = json.loads(each.said or "{}").get(str(game.number), {})
                half = held.get("half", game.half_points)
                name = names_of([canonical(person)]).get(canonical(person), each.actor)
                sides = [game.white, game.black]
                if held.get("white", game.white_id) != game.white_id:
                    sides.reverse()
                yield name, SCORES[half], _sides(sides, masked), each.at


def _sides(sides: Iterable[m.Entry], masked: Callable[[str], str]) -> str:
    return " – ".join(as_reported(each, each.name, masked) for each in sides)


def _holding(approvals: Sequence[m.Fact], digest: str | None) -> list[m.Fact]:
    """The approvals of the numbers of now; once it is decided of those that decided it."""
    if digest is None and approvals:
        digest = approvals[-1].payload["digest"]
    return [each for each in approvals if each.payload["digest"] == digest]


def _since(seq: int) -> tuple[str, ...]:
    """What has changed numbers since a fact, in words."""
    accepted = m.CorrectionStep.objects.filter(fact__gt=seq, state=ACCEPTED)
    runs_out = m.Publication.objects.filter(fact__gt=seq).order_by("fact")
    return (
        *(_("C-{n} was accepted").format(n=n)
          for n in accepted.order_by("fact").values_list("correction", flat=True)),
        *(_("run {n} was published").format(n=n) for n in runs_out.values_list("run", flat=True)),
    )  # fmt: skip


def _why_decided(one: Any, approvals: Iterable[m.Fact]) -> list[str]:
    """What those who decided it wrote, which the register shows."""
    found = [each.reason for each in approvals]
    if one.state in (REJECTED, WITHDRAWN):
        over = m.Fact.objects.filter(
            kind=f"correction {one.state}",
            factsubject__kind="correction", factsubject__subject=str(one.id),
        )  # fmt: skip
        found += over.values_list("reason", flat=True)
    return list(dict.fromkeys(each for each in found if each))


@by_ledger
def _beside(one: m.Correction, state: str) -> tuple[Beside, ...]:
    """The other requests about the same."""
    every = beside(one)
    say = saying([each.one.contents for each in every], mask() if every else str)
    known = {each.id for each in to_be_known(one)} if every and state == OPEN else set()
    return tuple(
        Beside(
            each.one.id, each.one.state, tuple(say(each.one.contents)), each.is_otherwise,
            each.one.id in known,
            "taken back" if each.is_taken_back else "takes back" if each.takes_back else "",
        )
        for each in every
    )  # fmt: skip


@by_ledger
def _standings(one: m.Correction) -> Sequence[Content]:
    """What a request asks for, each of a game with how that stands now."""
    return standing(one.contents)


class _Made(NamedTuple):
    """A preview, and what is shown of it."""

    said: Mapping[str, Any]
    moved: list[Moved]
    lists: Sequence[tuple[str, date, str, Sequence[str]]]
    """What becomes of the lists."""
    marks: tuple[Crossed, ...]
    beyond: tuple[Beyond, ...]
    """What follows in pools that read those which it reaches."""
    digest: str


@by_ledger
def _preview(home: Home, one: m.Correction) -> _Made:
    """What a correction would change, as it stands now."""
    from ratingbook.office.acts.onward import onward
    from ratingbook.office.acts.preview import Bench

    bench = Bench(home)
    found = bench.preview(one.contents)
    said = found.as_dict()
    numbers = [number for each in found.reaches for number in each.numbers]
    merged = {person: one for each in found.reaches for person, one in each.merged.items()}
    pools = {x.pool.name: Published(x.pool, x.run, x.seq, None) for x in bench.heads}
    marks = tuple(
        crossed(each.pool, each.report, pools[each.pool].decimals, pools[each.pool].decimals_on)
        for each in found.reaches
    )
    lists = _lists_of(said, bench.heads)
    further = tuple(map(beyond, onward(home, one.contents, found)))
    return _Made(said, _last_of(numbers, bench.heads, merged), lists, marks, further, found.digest)


def _lists_of(
    preview: Mapping[str, Any], heads: Iterable[m.Publication]
) -> Sequence[tuple[str, date, str, Sequence[str]]]:
    """What the policies of the pools make of the lists that a correction reaches.

    With the titles of the columns with other numbers, of those that are made anew.
    """
    reached = {
        name: [date.fromisoformat(each) for each in said["lists"]]
        for name, said in preview["pools"].items() if said["lists"]
    }  # fmt: skip
    found = []
    for head in (each for each in heads if each.pool.name in reached):
        pool, days = head.pool, reached[head.pool.name]
        every = revisions.days_from(pool.id, days[0])
        revised = revisions.by_policy(pool, every, date.max)
        # Where the next run ends on the day of the last one, it brings the same list.
        again = revisions.brought_by(head.run)
        found += [
            (pool.name, day,
             "revised" if day in revised else "again" if day == again else "stays",
             preview["pools"][pool.name]["columns"].get(str(day), ()))
            for day in days
        ]  # fmt: skip
    return found


def _last_of(
    numbers: Iterable[Number], heads: Iterable[m.Publication], merged: Mapping[int, int]
) -> list[Moved]:
    """The newest published number of each person that a correction changes, in each pool."""
    every = sorted(numbers, key=lambda each: (each.day, each.key))
    last = {(each.pool, each.person): each for each in every}
    pools = {each.pool_id: Published(each.pool, each.run, each.seq, None) for each in heads}
    found = [
        Moved(
            person=x.person, name="", before=x.was, after=x.now, change=x.change,
            decimals=pools[x.pool].decimals_on(x.day), pool=pools[x.pool].pool.name, day=x.day,
            is_on_list=x.is_on_list, into=merged.get(x.person) if x.now is None else None,
        )
        for x in last.values()
    ]  # fmt: skip
    return sorted(found, key=lambda each: (-abs(each.change or 0), each.person))


def _way(
    state: str, asked: m.Fact, approvals: Any, needed: int, on_list: date | None
) -> tuple[Step, ...]:
    signed = [each.actor for each in approvals]
    over = {"rejected": _("Refused"), "withdrawn": _("Taken back"), "joined": _("Joined")}
    if state in over:
        return (
            Step(_("Asked"), "done", f"{day(asked.at)}, {asked.actor}"),
            Step(over[state], "here", ""),
        )
    holds, out = state in ("accepted", "published"), state == "published"
    signatures = [
        Step(
            _("First officer")
            if n == 0
            else _("Second officer")
            if n == 1
            else _("Officer {n}").format(n=n + 1),
            "done" if n < len(signed) else "here" if n == len(signed) and not holds else "",
            signed[n] if n < len(signed) else "",
        )
        for n in range(needed)
    ]
    return (
        Step(_("Asked"), "done", f"{day(asked.at)}, {asked.actor}"), *signatures,
        Step(
            _("Added") if on_list else _("Rated"),
            "done" if out else "here" if holds else "",
            _("with the first list from {day} on").format(day=day(on_list)) if on_list
            else _("by the next run"),
        ),
        Step(_("Published"), "done" if out else "", ""),
    )  # fmt: skip
