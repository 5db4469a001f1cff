"""What corrections make of the columns: those that hold, and those that are only tried."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.db.models import (
    BigIntegerField,
    F,
    IntegerField,
    Max,
    Min,
    OuterRef,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce

from ratingbook.model.sentences import sentence
from ratingbook.office.acts.other_pools import let_in_by
from ratingbook.office.acts.people import merges
from ratingbook.office.acts.pools import otherwise_set, said_of_pools
from ratingbook.office.acts.same_entries import entries_of
from ratingbook.office.acts.same_sections import Days, later_of
from ratingbook.office.acts.states import READY, as_shown, published_sections, states
from ratingbook.office.acts.taken_out import otherwise_without, still_replaced
from ratingbook.office.engine.rules import Rules
from ratingbook.office.logic.corrections import Content
from ratingbook.office.logic.days import moved_by
from ratingbook.office.logic.feeding import DIFFERENCE, Overlay
from ratingbook.office.logic.fixes import told
from ratingbook.office.logic.printed import sides_of
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act

_AMENDING = (DIFFERENCE, "game fixed", "section fixed")
"""Facts by which games and sections are otherwise than they were reported."""

CORRECTABLE = sentence(
    "Results, colours, rated flags and players of the event can still be corrected."
)
"""What is done about an event that stays rated as it was."""


def _live(
    model: Any, upto: int, without: Collection[int] = ()
) -> list[tuple[Any, Mapping[str, Any]]]:
    """Of what, and what is said, by what holds at a fact.

    All that was ever said is read together: what holds is asked for again and again.
    """
    return [
        (about, said) for fact, revoked, about, said in _ever(model)
        if fact <= upto and (revoked is None or revoked > upto) and fact not in without
    ]  # fmt: skip


def _ever(model: Any) -> Sequence[tuple[int, int | None, Any, Mapping[str, Any]]]:
    """All that was ever said, in its order: since and until which fact, of what, and what.

    Whoever asks for one of games and sections asks for the other, so one query reads both.
    """
    if not any(map(ledger.is_any, _AMENDING)):
        return ()
    return ledger.once(("amended",), _all_ever)[model]


def _all_ever() -> Mapping[Any, Sequence[tuple[int, int | None, Any, Mapping[str, Any]]]]:
    found: dict[Any, list[tuple[int, int | None, Any, Mapping[str, Any]]]]
    found = {m.GameFix: [], m.SectionFix: []}
    columns = ("fact", "id", "revoked_by", "key", "section_said", "said")
    games = m.GameFix.objects.annotate(
        key=F("stable_key"), section_said=Value(None, BigIntegerField())
    )
    sections = m.SectionFix.objects.annotate(key=Value(""), section_said=F("section"))
    every = games.values_list(*columns).union(sections.values_list(*columns), all=True)
    for fact, _id, revoked, key, section, said in every.order_by("fact", "id"):
        if section is None:
            found[m.GameFix].append((fact, revoked, key, said))
        else:
            found[m.SectionFix].append((fact, revoked, section, said))
    return found


def ever_said_of_games() -> Sequence[tuple[int, int | None, str, Mapping[str, Any]]]:
    """The same of games, by their keys, whether it still holds or not."""
    return _ever(m.GameFix)


def kept_of(upto: int) -> dict[int, int]:
    """The sections that stay rated as they were known at an earlier fact, and at which.

    Whatever is corrected of them later goes on the next list.
    """
    found: dict[int, int] = {}
    for number, what in _live(m.SectionFix, upto):
        if "as_of" in what:
            found.setdefault(number, what["as_of"])
    return found


def all_versions(sections: Collection[int]) -> set[int]:
    """These sections in all versions of their reports; of those that are kept no other is rated."""
    if not sections:
        return set()
    some = m.Section.objects.filter(id__in=list(sections)).select_related("version")
    named = {(each.version.report_id, each.name) for each in some}
    every = m.Section.objects.filter(version__report__in=[report for report, _ in named])
    rows = every.values_list("id", "version__report", "name")
    return {number for number, report, name in rows if (report, name) in named}


def beside_kept(upto: int) -> set[int]:
    """The sections of which no run makes anything, since another version of them stays rated."""
    kept = kept_of(upto)
    return all_versions(kept) - kept.keys()


def done(upto: int | None = None) -> set[int]:
    """The sections of which runs have nothing more to make; as known at a fact."""
    return published_sections(upto) | beside_kept(ledger.head().seq if upto is None else upto)


def shown_states(sections: Iterable[int]) -> dict[int, str]:
    """The states as people see them: what is ready and done with is published."""
    return as_shown(states(sections), done())


def staying(report: int) -> set[str]:
    """The names of sections of which a correction went on the next list: no version is rated."""
    kept = kept_of(ledger.head().seq)
    some = m.Section.objects.filter(id__in=list(kept), version__report=report)
    return set(some.values_list("name", flat=True))


def overlay_of(
    upto: int, without: Collection[int] = (), kept: Mapping[int, int] | None = None
) -> Overlay:
    """What the corrections say that hold at a fact.

    Sections that are ``kept`` as they were known earlier are so; none: those of that fact.
    """
    kept = kept_of(upto) if kept is None else kept
    games = _by_number(_said_of_games(upto, without))
    if kept:
        wanted = m.Game.objects.filter(section__in=list(kept))
        section = dict(wanted.values_list("id", "section"))
        games = {number: said for number, said in games.items() if number not in section}
        for then in sorted(set(kept.values())):
            for number, said in _by_number(_said_of_games(then)).items():
                if number in section and kept[section[number]] == then:
                    games[number] = said
    return Overlay(games=games, days=days_moved(upto, without))


def days_moved(upto: int, without: Collection[int] = ()) -> dict[int, int]:
    """By how many days corrections that hold at a fact have moved sections from their reports.

    Of several moves the last one holds, for later versions that report the same days, too.
    """
    days: dict[int, int] = {}
    for number, what in _live(m.SectionFix, upto, without):
        if "moved" in what or "days" in what:
            days[number] = _moved(what, days.get(number, 0))
    return days | _following(days, upto)


class Moved(NamedTuple):
    """A section that was moved: the days that its report says, and by how many it was moved."""

    reported: Days
    by: int


def moves_of(report: int, upto: int) -> dict[tuple[str, str], Moved]:
    """The moves of a report's sections that later versions follow, by event and name."""
    own = set(m.Section.objects.filter(version__report=report).values_list("id", flat=True))
    days = {number: by for number, by in days_moved(upto).items() if number in own}
    return {
        (one.event, one.name): Moved(one.days, days[one.number])
        for one, _later in later_of(days, upto)
    }


def _following(days: Mapping[int, int], upto: int) -> dict[int, int]:
    """The sections of later versions that report the days from which others were moved."""
    return {
        each.number: days[one.number]
        for one, later in later_of(days, upto)
        for each in later if each.follows and each.days == one.days
    }  # fmt: skip


def _moved(said: Mapping[str, int], before: int) -> int:
    """By how many days from its report a section is moved that was so by some before.

    Facts and requests that are older than this program's telling where an event is say by how
    many ``days`` more.
    """
    return said["moved"] if "moved" in said else before + said["days"]


def last_day(sections: Collection[int]) -> date | None:
    """The day on which an event ended, as its report says it of these sections."""
    known = m.Section.objects.filter(id__in=list(sections))
    found: date | None = known.aggregate(last=Max("end"))["last"]
    return found


def last_day_known(
    sections: Collection[int], upto: int, without: Collection[int] = ()
) -> date | None:
    """The same with the moves that hold at a fact."""
    moved = days_moved(upto, without)
    known = m.Section.objects.filter(id__in=list(sections), end__isnull=False)
    ends: Iterable[tuple[int, Any]] = known.values_list("id", "end")
    days = [end + timedelta(moved.get(number, 0)) for number, end in ends]
    return max(days, default=None)


def days_told(
    sections: Collection[int], day: date, upto: int, without: Collection[int] = ()
) -> dict[str, str]:
    """What a move to a day tells of an event: its last day, and the first where it took several.

    All its days move along, and by the first one rules may choose the list that is in force.
    """
    last, before = last_day(sections), last_day_known(sections, upto, without)
    assert last is not None, "who asks for a move names an event with days"
    assert before is not None, "the same event"
    told = {"day": day, "before": before}
    moved = days_moved(upto, without)
    known = m.Section.objects.filter(id__in=list(sections), start__isnull=False)
    starts: list[tuple[int, Any]] = list(known.values_list("id", "start"))
    began = min((start + timedelta(moved.get(number, 0)) for number, start in starts), default=None)
    if began is not None and began != before:
        first = min(start for _, start in starts) + (day - last)
        told |= {"first": first, "began": began}
    return {name: each.isoformat() for name, each in told.items()}


def move_said(content: Content) -> dict[str, int]:
    """What a move says of each of its sections, whatever else was moved since it was asked for."""
    if "day" not in content:
        return {"days": content["days"]}
    last = last_day(content["sections"])
    assert last is not None, "who asks for a move names an event with days"
    return {"moved": (date.fromisoformat(content["day"]) - last).days}


def refuse_impossible_days(moved: Mapping[int, int]) -> None:
    """Refuse to have sections moved by days if anything of one is then where nothing can be."""
    ends = ("section__start", "section__end", "start", "end")
    furthest = [how(at) for at in ends for how in (Min, Max)]
    games = m.Game.objects.filter(section__in=list(moved)).order_by("section")
    found: Any = games.values("section").annotate(*furthest)
    for each in found:
        section = each.pop("section")
        for day in filter(None, each.values()):
            moved_by(day, moved[section])


def _said_of_games(
    upto: int, without: Collection[int] = ()
) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    said: dict[str, list[Mapping[str, Any]]] = {}
    for key, what in _live(m.GameFix, upto, without):
        said.setdefault(key, []).append(what)
    return said


def _by_number(
    said: Mapping[str, Sequence[Mapping[str, Any]]], contents: Iterable[Content] = (),
    before: Mapping[int, Mapping[str, Any]] = {},
) -> dict[int, Mapping[str, Any]]:  # fmt: skip
    """What holds, by the numbers of the games in all versions of their reports."""
    games = games_keyed(said.keys(), contents).select_related("white", "black")
    return {
        one.id: told(said[one.stable_key], sides_of(one.white, one.black), before.get(one.id, {}))
        for one in games
    }


def games_keyed(keys: Collection[str], contents: Iterable[Content] = ()) -> QuerySet[m.Game]:
    """The games of these stable keys, in all versions of their reports.

    Which reports these are is said by the contents, or by facts that corrected the games before.
    An index of the keys themselves, which lie as if by chance, would be half of an import.
    """
    named = {each["key"]: each["report"] for each in contents if "key" in each and "report" in each}
    reports, wanted = set(named.values()), frozenset(set(keys) - named.keys())
    if wanted:
        reports |= ledger.once(("reports of games", wanted), lambda: _reports_told(wanted))
    return m.Game.objects.filter(section__version__report__in=reports, stable_key__in=list(keys))


def _reports_told(keys: Collection[str]) -> set[int]:
    fixed = m.FactSubject.objects.filter(kind="game", subject__in=list(keys)).values("fact")
    told = m.FactSubject.objects.filter(kind="report", fact__in=fixed)
    return set(map(int, told.values_list("subject", flat=True)))


def pools_of_sections(upto: int, without: Collection[int] = ()) -> dict[int, int]:
    """The sections that corrections have brought into another pool, and which."""
    return {
        number: what["pool"]
        for number, what in _live(m.SectionFix, upto, without)
        if "pool" in what
    }


def pools_now(
    sections: Collection[int], upto: int, without: Collection[int] = ()
) -> dict[int, int | None]:
    """In which pool each of some sections is, as known at a fact."""
    own = m.Section.objects.filter(id__in=list(sections)).values_list("id", "pool")
    moved = pools_of_sections(upto, without)
    return {number: moved.get(number, pool) for number, pool in own}


def pool_of(section: str, own: str) -> Coalesce:
    """The pool of a section, as a part of a query: where a correction has brought it, else its own.

    The parameters are the names of the fields that hold the section and its own pool.
    """
    fixes = m.SectionFix.objects.filter(
        section=OuterRef(section), revoked_by__isnull=True, said__has_key="pool"
    )
    pools = fixes.annotate(into=Cast(KT("said__pool"), IntegerField())).order_by("-fact", "-id")
    return Coalesce(Subquery(pools.values("into")[:1]), own)


def bring_into(act: Act, sections: Sequence[int], said: Mapping[str, Any], reason: str) -> int:
    """Bring sections to other days, or into another ``pool``, by one fact."""
    reports = (
        m.Section.objects.filter(id__in=sections)
        .values_list("version__report", flat=True)
        .distinct()
    )
    fact = act.fact(
        "section fixed", *(("section", each) for each in sections),
        *(("report", each) for each in reports),
        payload={"sections": list(sections), **said}, reason=reason,
    )  # fmt: skip
    for each in sections:
        m.SectionFix.objects.create(fact=fact, section_id=each, said=dict(said))
    return fact


def with_later(sections: Collection[int], upto: int) -> list[int]:
    """These sections, and the same of later versions that are in the same pool."""
    later = later_of(sections, upto)
    pools = pools_now([x.number for one, some in later for x in (one, *some)], upto)
    return [
        *sections,
        *(each.number for one, some in later for each in some
          if pools[each.number] == pools[one.number]),
    ]  # fmt: skip


def brought_along(
    sections: Collection[int], pool: int, upto: int, without: Collection[int] = ()
) -> dict[int, int]:
    """The sections of later versions that came into a pool since it was that of these ones.

    And the pools in which these are now: they were brought there by what no longer holds.
    """
    later = later_of(sections, upto)
    now = pools_now([x.number for one, some in later for x in (one, *some)], upto, without)
    return {
        each.number: back
        for one, some in later if (back := now[one.number]) is not None
        for each in some if now[each.number] == pool != back
    }  # fmt: skip


def moved_between_pools(pool: int, upto: int) -> tuple[set[int], set[int]]:
    """The sections that are no longer in a pool, and those that have come into it."""
    now = pools_of_sections(upto)
    was = dict(m.Section.objects.filter(id__in=now).values_list("id", "pool"))
    gone = {each for each in now if was[each] == pool != now[each]}
    come = {each for each in now if now[each] == pool != was[each]}
    return gone, come


def sections_in(pool: int, upto: int) -> set[int]:
    """The sections of a pool, in whatever state, where corrections have brought them."""
    gone, come = moved_between_pools(pool, upto)
    return set(m.Section.objects.filter(pool=pool).values_list("id", flat=True)) - gone | come


@dataclass
class Tried:
    """Corrections that are tried: what they lay over the columns of a pool, and beside them."""

    overlay: Overlay
    merged: dict[int, int]
    rules: Rules
    also: set[int] = field(default_factory=set)
    """Sections that come in besides those that are ready."""


def tried(
    contents: Sequence[Content], pool: m.Pool, rules: Rules, upto: int,
    kept: Mapping[int, int] | None = None,
) -> Tried:  # fmt: skip
    """What the contents would make of a pool, without anything being written."""
    undone = {each["fact"] for each in contents if each["kind"] == "undo"}
    overlay = overlay_of(upto, undone, kept)
    trial = _Trial(pool, upto, rules, undone, overlay)
    for each in contents:
        trial.add(each)
    return trial.made()


class _Trial:
    """One content after the other."""

    def __init__(
        self, pool: m.Pool, upto: int, rules: Rules, undone: set[int], overlay: Overlay
    ) -> None:
        self._pool, self._upto, self._rules, self._undone = pool, upto, rules, undone
        self._overlay = overlay
        self._games = dict(overlay.games)
        self._players: dict[tuple[int, str], int] = {}
        self._entries: dict[tuple[int, int], int] = {}
        self._days = dict(overlay.days)
        self._without: set[int] = set()
        self._also: set[int] = set()
        self._openings: dict[int, Mapping[str, Any] | None] = {}
        self._decisions: list[tuple[int, date, str, float, str]] = []
        self._pairs: list[tuple[int, int]] = []
        # What an undone correction had moved between pools moves back.
        before, now = pools_of_sections(upto), pools_of_sections(upto, undone)
        for number in before.keys() | now.keys():
            own = m.Section.objects.get(id=number).pool
            self._to_pool(number, before.get(number, own), now.get(number, own))
        for number, came in before.items():
            for each, back in brought_along([number], came, upto, undone).items():
                self._to_pool(each, came, back)
        if m.Fact.objects.filter(seq__in=undone, kind="parameters").exists():
            was, without = (said_of_pools(upto, pool.id, some)[pool.id] for some in ((), undone))
            self._rules = with_parameters(rules, otherwise_set(was, without))
        come, self._gone = otherwise_without(undone, upto)
        self._without |= self._gone
        self._let_in({"sections": sorted(come)})

    def add(self, content: Content) -> None:
        """Lay a content over what is there."""
        does = {
            "game": self._fix, "player": self._play, "merge": self._merge, "move": self._move,
            "pool": self._bring, "withdraw": self._withdraw, "late": self._let_in,
            "opening": self._open, "decision": self._decide, "parameters": self._set,
            "undo": self._restore,
        }  # fmt: skip
        # What else is undone is left out of the columns; a mended program is what it is.
        if content["kind"] in does:
            does[content["kind"]](content)

    def made(self) -> Tried:
        """All of them together."""
        overlay = replace(
            self._overlay, games=self._games, players=self._players, entries=self._entries,
            days=self._days, without=frozenset(self._without), openings=self._openings,
            undone=frozenset(self._undone), decisions=tuple(self._decisions),
        )  # fmt: skip
        merged = merges(self._upto, self._pairs, self._undone)
        return Tried(overlay, merged, self._rules, self._also)

    def _fix(self, content: Content) -> None:
        said = {content["key"]: [content["say"]]}
        self._games |= _by_number(said, [content], self._games)

    def _play(self, content: Content) -> None:
        person = content["person"]
        for entry in entries_of(content):
            for side in ("white", "black"):
                for number in m.Game.objects.filter(**{side: entry}).values_list("id", flat=True):
                    self._players[number, side] = person
            linked = m.Link.objects.get(entry=entry, revoked_by__isnull=True).person_id
            sections = m.Section.objects.filter(version=entry.version_id)
            for number in sections.values_list("id", flat=True):
                self._entries[number, linked] = person

    def _merge(self, content: Content) -> None:
        self._pairs.append((int(content["source"]), int(content["target"])))

    def _move(self, content: Content) -> None:
        said = move_said(content)
        for number in content["sections"]:
            self._days[number] = _moved(said, self._days.get(number, 0))
        own = {number: self._days[number] for number in content["sections"]}
        self._days |= _following(own, self._upto)

    def _bring(self, content: Content) -> None:
        known = pools_of_sections(self._upto, self._undone)
        for number in with_later(content["sections"], self._upto):
            own = known.get(number) or m.Section.objects.get(id=number).pool
            self._to_pool(number, own, content["pool"])
        if content["pool"] == self._pool.id:
            self._also.update(let_in_by(content, self._upto))

    def _to_pool(self, number: int, before: int | None, now: int | None) -> None:
        if before == now:
            return
        if before == self._pool.id:
            self._without.add(number)
        elif now == self._pool.id and states([number], self._upto).get(number) == READY:
            self._also.add(number)

    def _withdraw(self, content: Content) -> None:
        self._without |= set(content["sections"])

    def _let_in(self, content: Content) -> None:
        pools = pools_of_sections(self._upto, self._undone)
        for one in m.Section.objects.filter(id__in=content["sections"]).select_related("version"):
            if pools.get(one.id, one.pool) == self._pool.id:
                self._also.add(one.id)
            older = m.Section.objects.filter(
                version__report=one.version.report_id, version__number__lt=one.version.number
            ).values_list("id", flat=True)
            ready = states(list(older), self._upto)
            self._without |= {number for number, state in ready.items() if state == READY}

    def _restore(self, content: Content) -> None:
        """The version that had made room for one that goes out is there again."""
        if self._gone.intersection(content.get("sections", ())):
            pools = pools_of_sections(self._upto, self._undone)
            some = m.Section.objects.filter(id__in=still_replaced(content, self._upto))
            self._also |= {x.id for x in some if pools.get(x.id, x.pool) == self._pool.id}

    def _open(self, content: Content) -> None:
        if content["pool"] == self._pool.id:
            self._openings |= {int(person): v for person, v in content["values"].items()}

    def _decide(self, content: Content) -> None:
        if content["pool"] == self._pool.id:
            self._decisions += [
                (person, date.fromisoformat(day), kind, value, reason)
                for person, day, kind, value, reason in content["said"]
            ]

    def _set(self, content: Content) -> None:
        if content["pool"] == self._pool.id:
            self._rules = with_parameters(self._rules, content)


def with_parameters(rules: Rules, content: Content) -> Rules:
    """Rules with other parameters; None: as the edition has it."""
    said = {**rules.parameters, **content["parameters"]}
    kept = {key: value for key, value in said.items() if value is not None}
    assume = content.get("assume", rules.assume)
    return Rules(rules.rulebook, kept, assume)
