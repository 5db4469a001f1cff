"""The public register of corrections: what was asked, decided and changed, and nobody's name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from django.db.models import OuterRef, Subquery
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ratingbook.office.acts import register
from ratingbook.office.acts.contradictions import Beside, beside
from ratingbook.office.acts.corrections import named, states_of
from ratingbook.office.acts.effects import PUBLISHED as PUBLISHING
from ratingbook.office.acts.effects import Listed, Told
from ratingbook.office.acts.masking import mask_for_public
from ratingbook.office.acts.people import names_of
from ratingbook.office.acts.requests import ACCEPTED, JOINED, PUBLISHED, REJECTED, joined_into
from ratingbook.office.acts.results import games_asked, taken_effect
from ratingbook.office.home import current
from ratingbook.office.logic.corrections import UNTOLD, is_by_program, is_left
from ratingbook.office.logic.effects import Number, largest_in_pools
from ratingbook.office.logic.feeding import DIFFERENCE
from ratingbook.office.logic.feeds import Item
from ratingbook.office.store import models as m
from ratingbook.site.answers import DRAWN
from ratingbook.site.languages import SPOKEN
from ratingbook.site.shown.asked_games import GameOf, games_of
from ratingbook.site.shown.corrected import step_of
from ratingbook.site.shown.event_report import has_page
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.masking import saying_to_all, silent, untold_in
from ratingbook.site.shown.outlook import outlooks_of
from ratingbook.site.shown.pools import published

LINES = 50
"""Entries of a page of the register."""
IN_FEED = 100
"""Facts of a feed, the newest ones."""
MOVERS = 40
"""So many of those who were changed stand on the page; all are in the table as a file."""
_LISTS = 6
"""Lists of a pool that stand side by side, the newest; all are in the table as a file."""
_ROLES = ("director", "player")
_SURNAMES = {"game": _("a game"), "player": _("who played"), "merge": _("two persons are one"),
             "undo": _("something that holds no longer"), "move": _("the day of an event"),
             "pool": _("the pool of an event"), "withdraw": _("an event taken out"),
             "late": _("an event let in"), "opening": _("ratings of the beginning"),
             "decision": _("a decision"), "parameters": _("the settings of the rules"),
             "rules": _("the program of the rules")}  # fmt: skip
"""What the kinds of corrections are of."""


@dataclass(frozen=True)
class Largest:
    """The largest difference in a pool, of the numbers that were published before and after.

    Pools may be of different systems, whose numbers have nothing to do with each other.
    """

    pool: str
    difference: float
    decimals: int
    """As the pool publishes numbers."""


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
    largest: tuple[Largest, ...]
    """Of each pool in which a number became another one."""
    is_told: bool = field(metadata=DRAWN)
    """Else it is about what is not published yet, and this is all that everybody may know."""


@dataclass(frozen=True)
class Register:
    """A page of the register, the newest first."""

    entries: tuple[Entry, ...]
    page: int
    pages: int
    total: int

    @property
    def with_pools(self) -> bool:
        """Whether differences of several pools stand below each other."""
        return len({x.pool for each in self.entries for x in each.largest}) > 1


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
    facts, roles = facts_of([each.id for each in chosen])
    untold = untold_in(chosen)
    say = saying_to_all(chosen, untold)
    told = told_of(tuple((number, x) for number, x in states.items() if number not in untold))
    return tuple(
        _entry(
            x, states[x.id], facts[x.id], roles, told.get(x.id), say, is_told=x.id not in untold
        )
        for x in chosen
    )  # fmt: skip


@by_ledger
def told_of(states: tuple[tuple[int, str], ...]) -> Mapping[int, Told | None]:
    """What corrections in these states changed, or are going to change."""
    return register.told_of(current(), dict(states))


def index_table(entries: Iterable[Entry]) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """The register as a table."""
    columns = ("correction", "what", "asked", "by", "state", "since", "players", "lists", "largest",
               "largest_in")  # fmt: skip
    rows = [
        (x.number, "; ".join(x.says), x.asked, x.asked_by, x.state, x.since, x.players, x.lists,
         "; ".join(f"{each.difference:.10g}" for each in x.largest),
         "; ".join(each.pool for each in x.largest))
        for x in entries
    ]  # fmt: skip
    return columns, rows


def facts_of(numbers: Sequence[int]) -> tuple[dict[int, list[m.Fact]], Mapping[str, str]]:
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
    told: Told | None,
    say: Callable[[int], list[str]],
    *,
    is_told: bool,
) -> Entry:
    asked = facts[0]
    return Entry(
        number=one.id,
        of=_SURNAMES[one.contents[0]["kind"]] if is_told else SPOKEN.gettext(UNTOLD),
        says=tuple(say(one.id)),
        asked=asked.at.date(),
        asked_by=roles.get(asked.actor, "office"),
        state=state,
        since=facts[-1].at.date(),
        players=None if told is None else told.figures.players,
        lists=len(told.revised) if told is not None and state == PUBLISHED else None,
        largest=() if told is None else _largest(told),
        is_told=is_told,
    )


def _decimals(number: Number) -> int:
    """With which the pool of a number publishes it."""
    return published()[number.pool].decimals_on(number.day)


def _largest(told: Told) -> tuple[Largest, ...]:
    """The largest difference of each pool, by its name."""
    found = (
        Largest(_pool_named(pool), abs(one.change or 0.0), _decimals(one))
        for pool, one in largest_in_pools(told.numbers).items()
    )
    return tuple(sorted(found, key=lambda each: each.pool))


@dataclass(frozen=True)
class Step:
    """What became of a correction, and when."""

    fact: int
    what: str
    at: datetime
    by: str
    """Empty: it followed from what the owner of another request did."""
    reason: str
    is_by_program: bool
    """Whether nobody wrote the reason: the program says what follows."""
    pool: str
    """In which it was published; empty: it is a step in all pools."""
    files: int
    """Files that prove it, which the office keeps."""


@dataclass(frozen=True)
class Revised:
    """A list in the revision that a correction brought."""

    number: int
    pool: str
    day: date
    revision: int


class Became(StrEnum):
    """What became of a rating beside its number: it, or its line on a list, came or went."""

    first = "first"
    gone = "gone"
    left = "left"
    came = "came"
    other = ""


def _became(one: Number | None) -> Became:
    """Whether a rating, or its line on a list, came or went; None: nothing of it is otherwise."""
    if one is None:
        return Became.other
    if one.was is None:
        return Became.other if one.now is None else Became.first
    return Became.gone if one.now is None else Became(one.listing.value)


@dataclass(frozen=True)
class Mover:
    """Who was changed in a pool: the difference on each list, and the last number that is another.

    One for each pool of the person: numbers of several have nothing to do with each other.
    """

    person: int
    name: str
    pool: str
    day: date
    """Of the last number, which stands after that day, or on its list."""
    is_on_list: bool
    """Whether it is told by the list of the day, and not by what was rated."""
    largest: float | None
    """None: no number became another one, a rating came or went."""
    differences: tuple[float | None, ...]
    """On each of the lists; None: not on it, or not by this correction."""
    became_on_lists: tuple[Became, ...]
    """On each of the lists whether a rating, or its line there, came or went by it."""
    before: float | None
    after: float | None
    became: Became
    """Whether the last number, or its line on a list, is one where none was, or the other way."""
    together: tuple[int, ...]
    """Other corrections of the same run by which these numbers became what they are."""
    with_others: bool
    """Whether something else of the same run moved the last number, too."""
    decimals: int
    """With which the last number is published."""

    @property
    def on_lists(self) -> tuple[tuple[float | None, Became], ...]:
        """What became of the rating on each of the lists."""
        return tuple(zip(self.differences, self.became_on_lists, strict=True))


@dataclass(frozen=True)
class InPool:
    """What stands in the table of a pool: lists side by side, and who was changed."""

    pool: str
    lists: tuple[Revised, ...]
    more: int
    """Other lists of it that were revised."""
    movers: tuple[tuple[Mover, tuple[tuple[float | None, Became], ...]], ...]
    """Each with what became of the rating on these lists."""


@dataclass(frozen=True)
class Besides:
    """What else the run published that brought a correction into a pool."""

    pool: str
    says: tuple[str, ...]


@dataclass(frozen=True)
class CorrectionPage:
    """A correction, as everybody may know it."""

    entry: Entry
    steps: tuple[Step, ...]
    games: tuple[GameOf, ...]
    with_pages: frozenset[int] = field(metadata=DRAWN)
    """Of the reports of these games those whose events have pages."""
    outlook: tuple[str, ...]
    """What accepting it would not change, and why: of one that is open."""
    joined: int | None
    """The earlier request of the same."""
    beside: tuple[int, ...]
    """Other requests about the same that are open or were accepted, and those joined to any."""
    takes_back: tuple[int, ...]
    """Those of them of which this one takes back what they said, all of it or a part."""
    taken_back_by: tuple[int, ...]
    """Those of them that take back what this one said, or ask for it."""
    contradicting: tuple[int, ...]
    """Those of all these that ask for something else of the same."""
    pools: tuple[str, ...]
    """Those in which it changed numbers."""
    batches: int | None
    lists: tuple[Revised, ...]
    shown_lists: tuple[Revised, ...]
    movers: tuple[Mover, ...]
    players: int
    together: tuple[int, ...]
    """Other corrections of the same run that changed some of these numbers with it."""
    with_others: bool
    """Whether something else of the same run moved some of them, too."""
    besides: tuple[Besides, ...]
    """What that was, pool by pool."""
    on_next_list: bool
    """Whether nothing was rated again, and a difference was added on the next list."""
    next_list: date | None
    """From which day on lists have the difference of an accepted one; None: it is rated again."""

    @property
    def tables(self) -> tuple[InPool, ...]:
        """What was changed, pool by pool, in the order of the largest differences."""
        return tuple(self._table(pool) for pool in dict.fromkeys(x.pool for x in self.movers))

    def _table(self, pool: str) -> InPool:
        places = [place for place, each in enumerate(self.shown_lists) if each.pool == pool]
        revised = sum(each.pool == pool and each.revision > 1 for each in self.lists)
        return InPool(
            pool, tuple(self.shown_lists[place] for place in places), revised - len(places),
            tuple(
                (each, tuple(each.on_lists[place] for place in places))
                for each in self.movers if each.pool == pool
            ),
        )  # fmt: skip


def is_asked_by(number: int, actor: str) -> bool:
    """Whether a correction was asked for by that actor."""
    one = m.Correction.objects.filter(id=number).values_list("made_by")
    return bool(actor) and m.Fact.objects.filter(seq__in=one, actor=actor).exists()


def one(number: int, movers: int | None = MOVERS, lists: int | None = _LISTS) -> CorrectionPage:
    """All that is public of a correction; so many of who was changed, and of lists of a pool."""
    it = named(number)
    state = it.state
    every, roles = facts_of([number])
    facts = register.as_told(every[number])
    others, is_told = known_beside(it)
    # What all of them take back is asked for at once.
    say = saying_to_all([it, *(x.one for x in others)], () if is_told else (number,))
    masked = mask_for_public() if is_told else silent
    decided = state in (ACCEPTED, PUBLISHED)
    told = told_of(((number, state),))[number] if is_told else None
    entry = _entry(it, state, facts, roles, told, say, is_told=is_told)
    told = told or Told()
    joined = joined_into([number]).get(number) if is_told and state == JOINED else None
    shown = _newest_of_each_pool(told.revised, lists)
    people = _by_largest(told.numbers)
    contents = it.contents if is_told else ()
    games = games_asked(contents, has_page=has_page("version__report"))
    return CorrectionPage(
        entry=entry,
        steps=steps_of(facts, roles, masked, decided=decided),
        games=games_of(taken_effect(contents), games, masked),
        with_pages=frozenset(each.version.report_id for each in games if each.has_page),
        outlook=outlooks_of([it]).get(number, ()) if is_told else (),
        joined=joined,
        beside=tuple(each.one.id for each in others if each.one.id != joined),
        takes_back=tuple(each.one.id for each in others if each.is_taken_back),
        taken_back_by=tuple(each.one.id for each in others if each.takes_back),
        contradicting=tuple(each.one.id for each in others if each.is_otherwise),
        pools=tuple(sorted({_pool_named(each.pool) for each in told.numbers})),
        batches=told.figures.batches if decided else None,
        lists=tuple(_revised(each) for each in told.lists),
        shown_lists=tuple(_revised(each) for each in shown),
        movers=_movers(number, told, list(people.items())[:movers], shown),
        players=len({person for _, person in people}),
        together=_others(number, told.numbers),
        with_others=any(each.is_with_others for each in told.numbers),
        besides=_besides(
            number,
            state,
            tuple(
                (x.payload["pool"], x.payload["publication"]) for x in facts if x.kind == PUBLISHING
            ),
        ),
        on_next_list=told.is_on_next_list and state == PUBLISHED,
        next_list=register.next_list_of(facts) if is_told and state == ACCEPTED else None,
    )


def known_beside(one: m.Correction) -> tuple[list[Beside], bool]:
    """The other requests about the same, and whether everybody may know what this one is about.

    Of the others only those are told of which everybody may, and none beside one that is not.
    """
    others = beside(one)
    untold = untold_in([one, *(each.one for each in others)])
    is_told = one.id not in untold
    return [each for each in others if is_told and each.one.id not in untold], is_told


@by_ledger
def _besides(
    number: int, state: str, publications: tuple[tuple[int, int], ...]
) -> tuple[Besides, ...]:
    """What else can have moved its numbers, where something did, by pools and publications."""
    told, masked = told_of(((number, state),))[number] or Told(), mask_for_public()
    found = (
        (pool, register.besides(step, told.numbers, masked))
        for pool, seq in publications if (step := step_of(pool, seq))
    )  # fmt: skip
    return tuple(Besides(_pool_named(pool), tuple(map(SPOKEN.told, x))) for pool, x in found if x)


def steps_of(
    facts: Sequence[m.Fact], roles: Mapping[str, str], masked: Callable[[str], str], *,
    decided: bool,
) -> tuple[Step, ...]:  # fmt: skip
    """What became of a correction; ``roles`` say who acted, and reasons are ``masked``."""
    evidence = _evidence([each.seq for each in facts])
    return tuple(
        Step(x.seq, register.TITLES.get(x.kind, x.kind), x.at,
             "" if is_left(x.reason) else roles.get(x.actor, "office"),
             masked(_reason(x, decided=decided)), is_by_program(x.reason), _pool_of(x),
             evidence.get(x.seq, 0))
        for x in facts
    )  # fmt: skip


def _pool_of(fact: m.Fact) -> str:
    """The pool in which a fact published a correction."""
    return _pool_named(fact.payload["pool"]) if fact.kind == PUBLISHING else ""


def _pool_named(pool: int) -> str:
    return published()[pool].pool.name


def _newest_of_each_pool(lists: Sequence[Listed], most: int | None) -> tuple[Listed, ...]:
    """So many of the lists of each pool, by pool and day; without ``most`` all."""
    of: dict[int, list[Listed]] = {}
    for each in lists:
        of.setdefault(each.pool_id, []).append(each)
    return tuple(each for pool in sorted(of) for each in of[pool][-(most or len(lists)) :])


def _reason(fact: m.Fact, *, decided: bool) -> str:
    """What was said for it: of the office always, of who asked once it was accepted."""
    if fact.kind == DIFFERENCE:
        # The program's, which says no more than the step itself.
        return ""
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


_InPool = tuple[int, int]
"""A pool and a person."""


def _by_largest(numbers: Sequence[Number]) -> dict[_InPool, float | None]:
    """Each person's largest difference: who gained or lost a rating first, then the largest."""
    found: dict[_InPool, float | None] = {}
    is_one: dict[_InPool, bool] = {}
    for each in numbers:
        at = each.pool, each.person
        largest = found.setdefault(at, None)
        if each.change is not None:
            found[at] = max(largest or 0.0, abs(each.change))
        is_one[at] = None not in (each.was, each.now)

    def place(one: tuple[_InPool, float | None]) -> tuple[bool, float, int, int]:
        (pool, person), largest = one
        return is_one[pool, person], -(largest or 0.0), person, pool

    return dict(sorted(found.items(), key=place))


def _movers(
    number: int,
    told: Told,
    people: Sequence[tuple[_InPool, float | None]],
    lists: Sequence[Listed],
) -> tuple[Mover, ...]:
    names = names_of([person for (_, person), _ in people])
    on_lists = {(each.pool, each.day, each.person): each for each in told.on_lists}
    own: dict[_InPool, list[Number]] = {}
    for each in told.numbers:
        own.setdefault((each.pool, each.person), []).append(each)

    def mover(pool: int, person: int, largest: float | None) -> Mover:
        mine = own[pool, person]
        last = mine[-1]
        there = [on_lists.get((pool, x.date, person)) if x.pool_id == pool else None for x in lists]
        return Mover(
            person=person, name=names.get(person, ""), pool=_pool_named(pool),
            day=last.day, is_on_list=last.is_on_list, largest=largest,
            differences=tuple(each.change if each else None for each in there),
            became_on_lists=tuple(map(_became, there)),
            before=last.was, after=last.now, became=_became(last), together=_others(number, mine),
            with_others=last.is_with_others, decimals=_decimals(last),
        )  # fmt: skip

    return tuple(mover(*at, largest) for at, largest in people)


def movers_table(
    lists: Iterable[Revised], movers: Iterable[Mover]
) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """Everybody who was changed, as a table."""
    days = [f"{x.pool} {x.day}" for x in lists]
    columns = ("person", "name", "pool", "largest", *days, "day", "before", "after", "became",
               "together", "with_others")  # fmt: skip
    rows = [
        (x.person, x.name, x.pool, x.largest, *x.differences, x.day, x.before, x.after, x.became,
         " ".join(map(str, x.together)), x.with_others)
        for x in movers
    ]  # fmt: skip
    return columns, rows


def feed(address: str) -> tuple[str, list[Item]]:
    """The name of the register for ever, and what feeds tell; ``address`` is that of the site."""
    newest = m.FactSubject.objects.filter(kind="correction").order_by("-fact")[:IN_FEED]
    subjects = list(newest.select_related("fact"))
    numbers = sorted({int(each.subject) for each in subjects})
    every, states = m.Correction.objects.in_bulk(numbers), states_of(numbers)
    masked, untold = mask_for_public(), untold_in(every.values())
    urn = register.urn()
    say = saying_to_all(every.values(), untold)
    found: dict[int, Item] = {}
    for each in subjects:
        it, state = every[int(each.subject)], states[int(each.subject)]
        fact = each.fact
        is_told = it.id not in untold
        fact.reason = _reason(fact, decided=state in (ACCEPTED, PUBLISHED)) if is_told else ""
        link = f"{address}/{it.id}"
        item = register.item(urn, it.id, say(it.id), fact, link, with_reach=is_told)
        found[fact.seq] = replace(item, text=masked(item.text))
    return urn, list(found.values())
