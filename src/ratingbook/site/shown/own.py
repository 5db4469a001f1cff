"""A player's own results, with the corrections that hold, and what the player said of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from django.db.models import OuterRef, Q, Subquery
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratingbook.model import GameStatus
from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import pool_of
from ratingbook.office.acts.contradictions import ask_otherwise
from ratingbook.office.acts.masking import as_reported, mask_for_public
from ratingbook.office.acts.people import main_name, names_of
from ratingbook.office.acts.requests import (
    JOINED,
    OPEN,
    asked_by,
    deadline,
    disputed_by,
    joined_into,
)
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.engine.rules import never_rated
from ratingbook.office.logic.fixes import fixed, told
from ratingbook.office.logic.names import told_apart
from ratingbook.office.logic.printed import sides_of
from ratingbook.office.store import models as m
from ratingbook.site.models import Confirmation
from ratingbook.site.shown.as_rated import Fixes, kept_sections, moved_sections
from ratingbook.site.shown.differences import additions_to
from ratingbook.site.shown.event_report import has_page
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.masking import saying
from ratingbook.site.shown.outlook import outlooks_of
from ratingbook.site.shown.persons import identity, merged_at
from ratingbook.site.shown.player import changes
from ratingbook.site.shown.pools import Published, published
from ratingbook.site.shown.seen import seen_as

_SHOWN = (states.CHECKED, states.READY, states.HELD)
"""The states in which a report counts, or is looked at: what is kept out is nobody's result."""
PER_PAGE = 10
"""Events of a page."""
_HOLDS = ("half", "rated", "status", "white")
_WORDS = {2: _("won"), 1: _("drawn"), 0: _("lost"), None: _("no result")}


@dataclass(frozen=True)
class OwnGame:
    """A game of one's own."""

    number: int
    round: int | None
    is_white: bool
    opponent: str
    """By the name of the person as soon as it is published who that was."""
    spelled: str
    """As the report has it, where that is another name."""
    result: str | Promise
    is_forfeit: bool
    """Whether it was never begun; such a game is rated for nobody."""
    handicap: int
    """Stones that Black received."""
    is_rated: bool
    is_corrected: bool
    is_waiting: bool
    """Whether the published numbers are of how it stood before a correction."""
    can_be_disputed: bool
    """What is not published yet is mended by its sender, and is in no register."""
    holds: Mapping[str, Any]
    """How it stands where that is not as it was reported."""
    disputed: int | None
    """The open correction by which the player disputes it; None: it is not disputed."""
    apart: str = ""
    """What tells it from another one that looks alike."""


@dataclass(frozen=True)
class OwnChange:
    """What an event, or the list that took it, did to the own rating."""

    pool: str
    key: str
    decimals: int
    before: float | None
    after: float | None
    change: float | None
    is_published: bool
    """Else the rules do not publish the rating yet."""
    others: int
    """How many other events are in the same change."""


@dataclass(frozen=True)
class OwnAdded:
    """What a correction of an event adds to the own rating, beside its games."""

    correction: int
    value: float
    decimals: int
    day: date
    """From which day on lists have it."""
    list_day: date | None
    """Of the first list that has it; None: there is none."""
    is_waiting: bool
    """Whether no published number has it yet."""


@dataclass(frozen=True)
class OwnEvent:
    """An event in which somebody played."""

    report: int
    version: int
    name: str
    start: date | None
    end: date | None
    pools: tuple[str, ...]
    state: str
    games: tuple[OwnGame, ...]
    changes: tuple[OwnChange, ...]
    added: tuple[OwnAdded, ...]
    """What corrections add on lists, where the event stays as it was rated."""
    confirmed: str | None
    """What the player has confirmed, as :attr:`said` tells it; None: nothing yet."""
    has_page: bool
    """Whether the public has a page of it."""

    @property
    def said(self) -> str:
        """How the corrected games stand, by their numbers; nothing where none is corrected."""
        held = {each.number: each.holds for each in self.games if each.holds}
        return json.dumps(held, sort_keys=True) if held else ""

    @property
    def seen(self) -> str:
        """What there is to be confirmed or disputed, so that nothing else is."""
        return seen_as(self.version, self.said)

    @property
    def disputes(self) -> tuple[int, ...]:
        """The open corrections by which the player disputes games of it."""
        return tuple(sorted({each.disputed for each in self.games if each.disputed is not None}))

    @property
    def is_confirmed(self) -> bool:
        """Whether it was confirmed as it stands now: not before a correction, and not disputed."""
        return self.confirmed == self.said and not self.disputes

    @property
    def is_waiting(self) -> bool:
        """Whether the numbers are of how games stood before they were corrected."""
        return bool(self.changes) and any(each.is_waiting for each in self.games)


@dataclass(frozen=True)
class OwnResults:
    """All of somebody's events, and the corrections that were asked for by them."""

    person: int
    name: str
    events: tuple[OwnEvent, ...]
    asked: tuple[dict[str, Any], ...]
    page: int
    pages: int


def _versions_of(kept: Collection[int]) -> dict[int, int]:
    """By report the version that stays rated, of sections that do, whatever came after it."""
    if not kept:
        return {}
    sections = m.Section.objects.filter(id__in=list(kept))
    return dict(sections.values_list("version__report", "version"))


def results(person: int, actor: str, page: int = 1, report: int | None = None) -> OwnResults:
    """A page of a person's events, the newest first; or the one event of a report."""
    who = identity(person)
    one, every = who.person, who.numbers
    entries = {
        each.id: each
        for each in m.Entry.objects.filter(link__person__in=every, link__revoked_by__isnull=True)
        .select_related("version")
        .annotate(
            has_page=has_page("version__report"),
            counts=states.version_that_counts(OuterRef("version__report")),
            called=main_name(one),
            confirmed=Subquery(
                Confirmation.objects.filter(actor=actor, version=OuterRef("version_id")).values(
                    "said"
                )[:1]
            ),
        )
    }
    in_force = {each.run.id: each for each in published().values()}
    kept = kept_sections(in_force.values())
    stand = _versions_of(kept)
    mine = {
        e.id: e
        for e in entries.values()
        if stand.get(e.version.report_id, e.counts) == e.version_id
        and report in (None, e.version.report_id)
    }
    steps = m.SectionStep.objects.filter(section=OuterRef("section")).order_by("-fact")
    rated = m.RunSection.objects.filter(section=OuterRef("section"), run__in=list(in_force))
    games = (
        m.Game.objects.filter(Q(white__in=mine) | Q(black__in=mine))
        .select_related("white", "black", "section")
        .annotate(
            state=Subquery(steps.values("state")[:1]),
            run=Subquery(rated.values("run")[:1]),
            # Wherever corrections have brought the section.
            pool_now=pool_of("section", "section__pool"),
        )
        .annotate(pool_name=Subquery(m.Pool.objects.filter(id=OuterRef("pool_now")).values("name")))
        .filter(Q(state__in=_SHOWN) | Q(section__in=list(kept)))
        .order_by("-end", "version", "number")
    )
    held: dict[int, list[Any]] = {}
    for game in games:
        held.setdefault(game.version_id, []).append(game)
    runs = {game.section_id: in_force[game.run] for game in games if game.run is not None}
    days = _Days(runs)
    # The newest first by the days on which they count.
    newest = sorted(held, key=lambda each: days.last(held[each]) or date.min, reverse=True)
    pages = max(1, -(-len(held) // PER_PAGE))
    page = min(max(page, 1), pages)
    some = newest[(page - 1) * PER_PAGE : page * PER_PAGE]
    # The games know it already: what runs in force have rated is published.
    now = states.as_shown(
        {x.section_id: states.READY if x.section_id in kept else x.state for x in games}, runs
    )
    said = {e.version_id: e.confirmed for e in mine.values()}
    reports = {e.version_id: e.version.report_id for e in mine.values()}
    public = {e.version_id for e in mine.values() if e.has_page}
    # Who looks at one event asks for its games.
    moved = _changes(who.person) if report is None else {}
    added = _added(who.person, [reports[version] for version in some])
    pools = {x.section_id: x.pool_name for x in games if x.pool_name is not None}
    # Of games that were all played nobody needs to know it.
    are_played = all(x.status == GameStatus.PLAYED for version in some for x in held[version])
    never = {} if are_played else _never_rated()
    events, masked = [], mask_for_public()
    fixes = Fixes()
    people = _people([x for version in some for x in held[version]], runs, kept, mine)
    keys = frozenset(x.stable_key for version in some for x in held[version])
    disputed = _disputed(actor, keys)
    for version in some:
        first = held[version][0]
        event = OwnEvent(
            report=reports[version],
            version=version,
            name=str(first.section.facts.get("name") or ""),
            start=days.first(held[version]),
            end=days.last(held[version]),
            pools=tuple(
                dict.fromkeys(pools[x.section_id] for x in held[version] if x.section_id in pools)
            ),
            state=states.least({now.get(x.section_id, "") for x in held[version]} - {""}),
            games=_told_apart(
                _game(
                    x,
                    fixes,
                    runs.get(x.section_id),
                    mine,
                    people.get(x.id, ""),
                    masked,
                    never.get(pools.get(x.section_id, ""), frozenset()),
                    can_be_disputed=now.get(x.section_id) == states.PUBLISHED,
                    disputed=disputed.get(x.stable_key),
                )
                for x in held[version]
            ),
            changes=tuple(moved.get(reports[version], ())),
            added=tuple(added.get(reports[version], ())),
            confirmed=said.get(version),
            has_page=version in public,
        )
        events.append(event)
    return OwnResults(
        one,
        next((e.called or "" for e in entries.values()), None) or names_of([one]).get(one, ""),
        tuple(events),
        _asked(actor) if report is None else (),
        page,
        pages,
    )


def _people(
    games: Iterable[m.Game], runs: Mapping[int, Published], kept: Mapping[int, int],
    mine: Collection[int],
) -> Mapping[int, str]:  # fmt: skip
    """By game the name of whoever the published run was told that the opponent was."""
    met = {
        x.id: (x.black_id if x.white_id in mine else x.white_id, x.section_id)
        for x in games if x.section_id in runs
    }  # fmt: skip
    ever: dict[int, list[Any]] = {}
    links = m.Link.objects.filter(entry__in={each[0] for each in met.values()})
    for link in links.annotate(called=main_name(OuterRef("person"))):
        ever.setdefault(link.entry_id, []).append(link)
    found: dict[int, str] = {}
    others: dict[int, int] = {}
    for game, (entry, section) in met.items():
        upto = runs[section].run.upto
        then = kept.get(section, upto)
        for link in ever.get(entry, ()):
            if link.fact <= then and (link.revoked_by is None or link.revoked_by > then):
                one = merged_at(upto).get(link.person_id)
                if one is not None:
                    others[game] = one
                elif link.called:
                    found[game] = link.called
    names = names_of(others.values()) if others else {}
    return found | {game: names[one] for game, one in others.items() if one in names}


class _Days:
    """From when to when games count: on other days than reported where a correction says so."""

    def __init__(self, runs: Mapping[int, Published]) -> None:
        moved = {run.run.id: moved_sections([run]) for run in runs.values()}
        self._by = {
            number: timedelta(days=moved[run.run.id].get(number, 0)) for number, run in runs.items()
        }

    def first(self, games: Iterable[m.Game]) -> date | None:
        """The first day of their sections."""
        return min(self._on((x.section_id, x.section.start) for x in games), default=None)

    def last(self, games: Iterable[m.Game]) -> date | None:
        """The last day of their sections, as everybody who played there has it.

        That of the games where a report does not say it.
        """
        days = ((x.section_id, x.section.end or x.end) for x in games)
        return max(self._on(days), default=None)

    def _on(self, days: Iterable[tuple[int, date | None]]) -> Iterator[date]:
        still = timedelta()
        return (day + self._by.get(section, still) for section, day in days if day is not None)


@by_ledger
def _requests(actor: str) -> Sequence[Any]:
    """The requests of a player, the newest first, with their states."""
    return asked_by(actor)


@by_ledger
def _disputed(actor: str, games: frozenset[str]) -> Mapping[str, int]:
    """Of some games those that the player disputes, and by which request."""
    return disputed_by(_requests(actor), games)


@by_ledger
def _never_rated() -> Mapping[str, frozenset[GameStatus]]:
    """How games came to their results that the rules of a pool never rate, by its name."""
    return {each.name: never_rated(rules_of(each)) for each in m.Pool.objects.order_by("id")}


@by_ledger
def _changes(person: int) -> Mapping[int, Sequence[OwnChange]]:
    """What became of a rating by each report: published numbers, each with its reasons."""
    found: dict[int, list[OwnChange]] = {}
    for each in changes(identity(person)):
        of = {event.report for event in each.events}
        for report in of:
            found.setdefault(report, []).append(
                OwnChange(
                    each.pool, each.key, each.decimals, each.before, each.after,
                    each.change, each.is_published, len(of) - 1,
                )
            )  # fmt: skip
    return found


def _added(person: int, reports: Iterable[int]) -> Mapping[int, Sequence[OwnAdded]]:
    """What corrections of these events add on lists, by event."""
    found: dict[int, list[OwnAdded]] = {}
    for each, report, is_waiting in additions_to(person, reports):
        found.setdefault(report, []).append(
            OwnAdded(
                each.correction, each.value, each.decimals, each.day, each.list_day, is_waiting
            )
        )
    return found


def _game(
    one: m.Game,
    fixes: Fixes,
    run: Published | None,
    mine: Mapping[int, m.Entry],
    person: str,
    masked: Callable[[str], str],
    without: Collection[GameStatus],
    *,
    can_be_disputed: bool,
    disputed: int | None,
) -> OwnGame:
    reported: dict[str, Any] = {
        "white": one.white_id, "black": one.black_id, "half": one.half_points,
        "rated": one.rated, "status": one.status,
    }  # fmt: skip
    key, sides = one.stable_key, sides_of(one.white, one.black)
    holds = fixed(reported, told(fixes.now(key), sides))
    rated = holds if run is None else fixed(reported, told(fixes.of(key, run.run.upto), sides))
    is_white = holds["white"] in mine
    half = holds["half"]
    own = half if is_white or half is None else 2 - half
    other = one.black if one.white_id in mine else one.white
    reported_as = as_reported(other, other.name or other.number, masked)
    is_alike = not person or told_apart(person) == told_apart(reported_as)
    return OwnGame(
        number=one.number, round=one.round, is_white=is_white,
        opponent=person or reported_as, spelled="" if is_alike else reported_as,
        result=_WORDS[own],
        is_forfeit=holds["status"] == GameStatus.FORFEIT, handicap=one.handicap,
        is_rated=GameStatus(holds["status"]) not in without
        and holds["rated"] in ("both", "white" if is_white else "black"),
        is_corrected=holds != reported, is_waiting=holds != rated, can_be_disputed=can_be_disputed,
        holds={key: holds[key] for key in _HOLDS} if holds != reported else {},
        disputed=disputed,
    )  # fmt: skip


def _told_apart(games: Iterable[OwnGame]) -> tuple[OwnGame, ...]:
    """The games, of which those that look alike have their numbers in the report."""
    every = [((each.round, each.is_white, each.opponent), each) for each in games]
    looks = Counter(look for look, _ in every)
    return tuple(
        replace(each, apart=gettext("game {n} of the report").format(n=each.number))
        if looks[look] > 1 else each
        for look, each in every
    )  # fmt: skip


def own_event(person: int, actor: str, report: int) -> OwnEvent | None:
    """An event of one's own; None: it is none, or there is none."""
    return next(iter(results(person, actor, report=report).events), None)


@by_ledger
def _asked(actor: str) -> tuple[dict[str, Any], ...]:
    """The requests of a player, the newest first, and what became of them."""
    found = _requests(actor)[:30]
    if not found:
        return ()
    decided: dict[int, date] = {}
    steps = m.CorrectionStep.objects.filter(correction__in=found)
    at = m.Fact.objects.filter(seq=OuterRef("fact")).values("at")
    for number, state, moment in (
        steps.order_by("fact").annotate(at=Subquery(at)).values_list("correction", "state", "at")
    ):
        if state == OPEN:
            decided.pop(number, None)
        else:
            decided.setdefault(number, moment.date())
    say = saying([each.contents for each in found], mask_for_public() if found else str)
    outlooks = outlooks_of(found)
    into = joined_into([each.id for each in found if each.state == JOINED])
    others = m.Correction.objects.in_bulk(into.values())
    return tuple(
        {
            "number": c.id,
            "into": into.get(c.id),
            "is_otherwise": c.id in into and ask_otherwise(c, others[into[c.id]]),
            "state": c.state,
            "says": say(c.contents),
            "outlook": outlooks.get(c.id, ()),
            "until": deadline(c),
            "decided": decided.get(c.id),
        }
        for c in found
    )
