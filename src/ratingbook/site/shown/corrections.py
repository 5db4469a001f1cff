"""The public register of corrections: what was asked, decided and changed, and nobody's name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from django.db.models import OuterRef, Subquery
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ratingbook.office.acts import register
from ratingbook.office.acts.contradictions import beside
from ratingbook.office.acts.corrections import named, states_of
from ratingbook.office.acts.effects import Listed, Told
from ratingbook.office.acts.masking import as_reported
from ratingbook.office.acts.people import names_of
from ratingbook.office.acts.requests import ACCEPTED, JOINED, PUBLISHED, REJECTED, joined_into
from ratingbook.office.acts.results import taken_effect
from ratingbook.office.home import current
from ratingbook.office.logic.corrections import SCORES, Content
from ratingbook.office.logic.effects import Number
from ratingbook.office.logic.feeds import Item
from ratingbook.office.store import models as m
from ratingbook.site.shown.event_report import has_page
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.masking import mask_for_public, saying

LINES = 50
"""Entries of a page of the register."""
IN_FEED = 100
"""Facts of a feed, the newest ones."""
MOVERS = 40
"""So many of those who were changed stand on the page; all are in the table as a file."""
_LISTS = 6
"""Lists that stand side by side."""
_ROLES = ("director", "player")
_SURNAMES = {"game": _("a game"), "player": _("who played"), "merge": _("two persons are one"),
             "undo": _("something that holds no longer"), "move": _("the day of an event"),
             "pool": _("the pool of an event"), "withdraw": _("an event taken out"),
             "late": _("an event let in"), "opening": _("ratings of the beginning"),
             "decision": _("a decision"), "parameters": _("the settings of the rules"),
             "rules": _("the program of the rules")}  # fmt: skip
"""What the kinds of corrections are of."""


@dataclass(frozen=True)
class Entry:
    """A correction in a line of the register."""

    number: int
    of: str | Promise
    says: tuple[str, ...]
    asked: date
    asked_by: str
    """``player``, ``director`` or ``office``."""
    state: str
    since: date
    players: int | None
    lists: int | None
    largest: float | None
    """Of the numbers that were published before and after."""


@dataclass(frozen=True)
class Register:
    """A page of the register, the newest first."""

    entries: tuple[Entry, ...]
    page: int
    pages: int
    total: int


def index(page: int, lines: int | None = LINES) -> Register:
    """A page of the register; without ``lines`` all of it."""
    total = m.Correction.objects.count()
    lines = lines or max(1, total)
    pages = max(1, -(-total // lines))
    page = min(page, pages)
    return Register(entries((page - 1) * lines, lines), page, pages, total)


def entries(first: int, most: int) -> tuple[Entry, ...]:
    """So many corrections, the newest first, from a place on."""
    chosen = list(m.Correction.objects.order_by("-id")[first : first + most])
    states = states_of([each.id for each in chosen])
    facts, roles = _facts([each.id for each in chosen])
    say = saying([each.contents for each in chosen], mask_for_public())
    told = _told(tuple(states.items()))
    return tuple(_entry(x, states[x.id], facts[x.id], roles, say, told[x.id]) for x in chosen)


@by_ledger
def _told(states: tuple[tuple[int, str], ...]) -> Mapping[int, Told | None]:
    """What corrections in these states changed, or are going to change."""
    return register.told_of(current(), dict(states))


def index_table(entries: Iterable[Entry]) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """The register as a table."""
    columns = ("correction", "what", "asked", "by", "state", "since", "players", "lists", "largest")
    rows = [
        (x.number, "; ".join(x.says), x.asked, x.asked_by, x.state, x.since, x.players, x.lists,
         x.largest)
        for x in entries
    ]  # fmt: skip
    return columns, rows


def _facts(numbers: Sequence[int]) -> tuple[dict[int, list[m.Fact]], Mapping[str, str]]:
    """The facts about corrections, in their order; and who acted, to the public: never by name."""
    of = m.Actor.objects.filter(name=OuterRef("fact__actor")).values("roles")
    subjects = m.FactSubject.objects.filter(
        kind="correction", subject__in=[str(each) for each in numbers]
    )
    found: dict[int, list[m.Fact]] = {each: [] for each in numbers}
    roles = {}
    every: Any = subjects.select_related("fact").annotate(roles=Subquery(of))
    for each in every.order_by("fact"):
        found[int(each.subject)].append(each.fact)
        roles[each.fact.actor] = next((x for x in _ROLES if each.roles == [x]), "office")
    return found, roles


def _entry(
    one: m.Correction,
    state: str,
    facts: Sequence[m.Fact],
    roles: Mapping[str, str],
    say: Callable[[Sequence[Content]], list[str]],
    told: Told | None,
) -> Entry:
    asked = facts[0]
    return Entry(
        number=one.id,
        of=_SURNAMES[one.contents[0]["kind"]],
        says=tuple(say(one.contents)),
        asked=asked.at.date(),
        asked_by=roles.get(asked.actor, "office"),
        state=state,
        since=facts[-1].at.date(),
        players=None if told is None else told.figures.players,
        lists=len(told.revised) if told is not None and state == PUBLISHED else None,
        largest=None if told is None else told.figures.largest,
    )


@dataclass(frozen=True)
class Step:
    """What became of a correction, and when."""

    what: str
    at: datetime
    by: str
    reason: str
    files: int
    """Files that prove it, which the office keeps."""


@dataclass(frozen=True)
class GameOf:
    """A game as it was and as it is."""

    event: str
    report: int
    has_page: bool
    """Whether the event has a page."""
    round: int | None
    white: str
    black: str
    was: str
    now: str


@dataclass(frozen=True)
class Revised:
    """A list in the revision that a correction brought."""

    number: int
    pool: str
    day: date
    revision: int


class Became(StrEnum):
    """What became of a rating, where there is no difference of two numbers."""

    first = "first"
    gone = "gone"
    other = ""


def _became(was: float | None, now: float | None) -> Became:
    """Whether a rating came or went."""
    if was is None:
        return Became.other if now is None else Became.first
    return Became.gone if now is None else Became.other


@dataclass(frozen=True)
class Mover:
    """Who was changed: the difference on each list, and the last number that is another one."""

    person: int
    name: str
    largest: float | None
    """None: no number became another one, a rating came or went."""
    differences: tuple[float | None, ...]
    """On each of the lists; None: not on it, or not by this correction."""
    became_on_lists: tuple[Became, ...]
    """On each of the lists whether a rating came or went by it."""
    before: float | None
    after: float | None
    together: tuple[int, ...]
    """Other corrections of the same run by which these numbers became what they are."""
    with_reports: bool
    """Whether other reports of the same run moved the last number, too."""

    @property
    def became(self) -> Became:
        """Whether the last number is one where none was, or none where one was."""
        return _became(self.before, self.after)

    @property
    def on_lists(self) -> tuple[tuple[float | None, Became], ...]:
        """What became of the rating on each of the lists."""
        return tuple(zip(self.differences, self.became_on_lists, strict=True))


@dataclass(frozen=True)
class CorrectionPage:
    """A correction, as everybody may know it."""

    entry: Entry
    steps: tuple[Step, ...]
    games: tuple[GameOf, ...]
    joined: int | None
    """The earlier request of the same."""
    beside: tuple[int, ...]
    """Other requests about the same that are open or were accepted."""
    largest: float | None
    batches: int | None
    lists: tuple[Revised, ...]
    shown_lists: tuple[Revised, ...]
    movers: tuple[Mover, ...]
    players: int
    together: tuple[int, ...]
    """Other corrections of the same run that changed some of these numbers with it."""
    with_reports: bool
    """Whether other reports of the same run moved some of them, too."""
    on_next_list: bool
    """Whether nothing was rated again, and a difference was added on the next list."""
    next_list: date | None
    """From which day on lists have the difference of an accepted one; None: it is rated again."""


def is_asked_by(number: int, actor: str) -> bool:
    """Whether a correction was asked for by that actor."""
    one = m.Correction.objects.filter(id=number).values_list("made_by")
    return bool(actor) and m.Fact.objects.filter(seq__in=one, actor=actor).exists()


def one(number: int, movers: int | None = MOVERS) -> CorrectionPage:
    """All that is public of a correction."""
    it = named(number)
    state = it.state
    every, roles = _facts([number])
    facts, masked = register.as_told(every[number]), mask_for_public()
    decided = state in (ACCEPTED, PUBLISHED)
    evidence = _evidence([each.seq for each in facts])
    steps = tuple(
        Step(register.TITLES.get(x.kind, x.kind), x.at, roles.get(x.actor, "office"),
             masked(_reason(x, decided=decided)), evidence.get(x.seq, 0))
        for x in facts
    )  # fmt: skip
    told = _told(((number, state),))[number]
    entry = _entry(it, state, facts, roles, saying([it.contents], masked), told)
    told = told or Told()
    joined = joined_into([number]).get(number) if state == JOINED else None
    shown = told.revised[-_LISTS:]
    people = _by_largest(told.numbers)
    return CorrectionPage(
        entry=entry,
        steps=steps,
        games=_games(taken_effect(it.contents), masked),
        joined=joined,
        beside=tuple(each.id for each in beside(it) if each.id != joined),
        largest=entry.largest,
        batches=told.figures.batches if decided else None,
        lists=tuple(_revised(each) for each in told.lists),
        shown_lists=tuple(_revised(each) for each in shown),
        movers=_movers(number, told, list(people.items())[:movers], shown),
        players=len(people),
        together=_others(number, told.numbers),
        with_reports=any(each.is_with_reports for each in told.numbers),
        on_next_list=told.is_on_next_list and state == PUBLISHED,
        next_list=register.next_list_of(facts) if state == ACCEPTED else None,
    )


def _reason(fact: m.Fact, *, decided: bool) -> str:
    """What was said for it: of the office always, of who asked once it was accepted."""
    return fact.reason if decided or fact.kind == f"correction {REJECTED}" else ""


def _evidence(facts: Sequence[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    said = m.Evidence.objects.filter(fact__in=facts).exclude(
        blob__media="application/vnd.apache.parquet"
    )
    for seq in said.values_list("fact", flat=True):
        found[seq] = found.get(seq, 0) + 1
    return found


def _revised(one: Listed) -> Revised:
    return Revised(one.id, one.pool, one.date, one.revision)


def _others(number: int, some: Iterable[Number]) -> tuple[int, ...]:
    """The corrections with which one made these numbers what they are."""
    return tuple(sorted({each for x in some for each in x.corrections} - {number}))


def _by_largest(numbers: Sequence[Number]) -> dict[int, float | None]:
    """Each person's largest difference: who gained or lost a rating first, then the largest."""
    found: dict[int, float | None] = {}
    last: dict[int, Became] = {}
    for each in numbers:
        largest = found.setdefault(each.person, None)
        if each.change is not None:
            found[each.person] = max(largest or 0.0, abs(each.change))
        last[each.person] = _became(each.was, each.now)

    def place(one: tuple[int, float | None]) -> tuple[bool, float, int]:
        person, largest = one
        return not last[person], -(largest or 0.0), person

    return dict(sorted(found.items(), key=place))


def _movers(
    number: int,
    told: Told,
    people: Sequence[tuple[int, float | None]],
    lists: Sequence[Listed],
) -> tuple[Mover, ...]:
    names = names_of([person for person, _ in people])
    on_lists = {(each.pool, each.day, each.person): each for each in told.on_lists}
    own: dict[int, list[Number]] = {}
    for each in told.numbers:
        own.setdefault(each.person, []).append(each)

    def mover(person: int, largest: float | None) -> Mover:
        mine = own[person]
        last = mine[-1]
        there = [on_lists.get((x.pool_id, x.date, person)) for x in lists]
        return Mover(
            person=person, name=names.get(person, ""), largest=largest,
            differences=tuple(each.change if each else None for each in there),
            became_on_lists=tuple(
                _became(each.was, each.now) if each else Became.other for each in there
            ),
            before=last.was, after=last.now, together=_others(number, mine),
            with_reports=last.is_with_reports,
        )  # fmt: skip

    return tuple(mover(person, largest) for person, largest in people)


def movers_table(
    lists: Iterable[Revised], movers: Iterable[Mover]
) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """Everybody who was changed, as a table."""
    days = [f"{x.pool} {x.day}" for x in lists]
    columns = ("person", "name", "largest", *days, "before", "after", "became", "together",
               "with_reports")  # fmt: skip
    rows = [
        (x.person, x.name, x.largest, *x.differences, x.before, x.after, x.became,
         " ".join(map(str, x.together)), x.with_reports)
        for x in movers
    ]  # fmt: skip
    return columns, rows


def _games(contents: Sequence[Mapping[str, Any]], masked: Any) -> tuple[GameOf, ...]:
    """The games whose results were otherwise."""
    wanted = {x["key"]: x for x in contents if x["kind"] == "game" and "half" in x["say"]}
    games = m.Game.objects.filter(
        section__version__report__in={x["report"] for x in wanted.values()},
        stable_key__in=wanted.keys(),
    ).order_by("version").annotate(has_page=has_page("version__report"))  # fmt: skip
    found = {x.stable_key: x for x in games.select_related("section", "white", "black", "version")}
    return tuple(
        GameOf(
            masked(str(found[key].section.facts.get("name") or found[key].section.event)),
            found[key].version.report_id, found[key].has_page, found[key].round,
            as_reported(found[key].white, found[key].white.name, masked),
            as_reported(found[key].black, found[key].black.name, masked),
            SCORES[said["before"]["half"]], SCORES[said["say"]["half"]],
        )
        for key, said in wanted.items()
        if key in found
    )  # fmt: skip


def feed(address: str) -> tuple[str, list[Item]]:
    """The name of the register for ever, and what feeds tell; ``address`` is that of the site."""
    newest = m.FactSubject.objects.filter(kind="correction").order_by("-fact")[:IN_FEED]
    subjects = list(newest.select_related("fact"))
    numbers = sorted({int(each.subject) for each in subjects})
    every, states = m.Correction.objects.in_bulk(numbers), states_of(numbers)
    masked = mask_for_public()
    urn = register.urn()
    say = saying([each.contents for each in every.values()], masked)
    found: dict[int, Item] = {}
    for each in subjects:
        it, state = every[int(each.subject)], states[int(each.subject)]
        fact = each.fact
        fact.reason = _reason(fact, decided=state in (ACCEPTED, PUBLISHED))
        link = f"{address}/{it.id}"
        item = register.item(urn, it.id, say(it.contents), fact, link)
        found[fact.seq] = replace(item, text=masked(item.text))
    return urn, list(found.values())
