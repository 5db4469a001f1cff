"""Published lists: the index, one list with its filters, and what moved since the one before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from anyascii import anyascii
from django.db.models import Exists, F, OuterRef, Q, Subquery, Value
from django.utils.translation import gettext as _

from ratingbook.model.decimals import change_of, total
from ratingbook.office.acts import effects
from ratingbook.office.acts.decisions import TITLES
from ratingbook.office.acts.effects import ListDay
from ratingbook.office.acts.lists import list_day, list_named, listing_again
from ratingbook.office.acts.masking import mask_for_public
from ratingbook.office.acts.published import steps_of
from ratingbook.office.acts.registry import LAST_SUPPRESSED, suppressed
from ratingbook.office.engine.rules import Rules
from ratingbook.office.home import current
from ratingbook.office.logic.lines import cell, masked, people_otherwise
from ratingbook.office.store import models as m
from ratingbook.site import files
from ratingbook.site.answers import DRAWN, Table
from ratingbook.site.shown.as_rated import PUT_ON_LISTS
from ratingbook.site.shown.differences import Difference, new_on
from ratingbook.site.shown.kept import by_ledger
from ratingbook.site.shown.pools import published
from ratingbook.site.shown.printed import (
    FEDERATION,
    Moved,
    Printed,
    compared,
    printed,
    several,
)
from ratingbook.site.shown.reasons import in_words

ROWS = 80
"""Lines of a page: with long names it stays below 150 kB."""
_CHOICES = 60
"""So many clubs are chosen from; of more one types the name."""
_ROUNDED = 0.5
"""By which lists may differ from what is rated: they have fewer decimals."""
_SAME = 1e-9
"""By which they may where that time had other decimals: what was rated then is another number."""
FILTERS = ("federation", "club", "title", "sex")


@dataclass(frozen=True)
class Edition:
    """A list of a day, in its newest revision."""

    number: int
    pool: str
    day: date
    revision: int
    title: str
    rows: int
    digest: str
    head: str
    """Hash of the fact of the list, on which all that its bundle proves rests."""


@dataclass(frozen=True)
class Year:
    """The lists of a year, the newest first."""

    year: int
    lists: tuple[Edition, ...]


@dataclass(frozen=True)
class PoolLists:
    """The lists of a pool."""

    pool: str
    rulebook: str
    years: tuple[Year, ...]


@dataclass(frozen=True)
class Index:
    """All lists."""

    pools: tuple[PoolLists, ...]


def index() -> Index:
    """All pools with their lists."""
    newest: dict[tuple[str, date], Edition] = {}
    books: dict[str, str] = {}
    found = m.List.objects.order_by("pool", "-date", "revision").values_list(
        "id",
        "pool__name",
        "pool__rulebook",
        "date",
        "revision",
        "title",
        "rows",
        "digest",
        "head",
    )
    for number, pool, rulebook, day, revision, title, rows, digest, head in found:
        books[pool] = rulebook
        newest[pool, day] = Edition(number, pool, day, revision, title, rows, digest, head)
    pools = []
    for pool, of_pool in groupby(newest.values(), key=lambda each: each.pool):
        years = groupby(of_pool, key=lambda each: each.day.year)
        pools.append(
            PoolLists(pool, books[pool], tuple(Year(y, tuple(lists)) for y, lists in years))
        )
    return Index(tuple(pools))


def index_table(shown: Index) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """The index as a table."""
    rows = [
        (each.pool, each.day, each.revision, each.title, each.rows, each.digest, each.head)
        for pool in shown.pools
        for year in pool.years
        for each in year.lists
    ]
    return ("pool", "date", "revision", "title", "players", "digest", "head"), rows


class NoList(LookupError):
    """There is no such list."""


@dataclass(frozen=True)
class Found:
    """A list among those of its pool: what its page rests on."""

    one: int
    digest: str
    pool: str
    newest: int
    """Its newest revision."""
    before: int | None
    """The list before, in the revision that was in force when this one was published."""
    before_day: date | None
    """The day of that list."""
    before_seq: int
    """The publication that it is of; 0 without one."""
    earlier: date | None
    """The day of the list before, as the pool has it now."""
    following: date | None
    revised: int | None
    """The revision before."""
    others: tuple[tuple[date, int], ...]
    """Day and newest revision of all lists of the pool, the newest first."""
    days: tuple[ListDay, ...]
    """The day of every revision, with what its run knew."""
    hidden: int
    last: int
    """The last list of the pool: with another one the page is another."""
    corrected: tuple[int, ...]
    """The corrections that changed numbers of it since, while it stayed as it was."""
    since: int | None
    """The publication of the revision before."""
    seq: int
    """The publication that it is of."""


_REACHED = m.Reached.objects.order_by("-fact").values("fact")[:1]
_HIDDEN = LAST_SUPPRESSED.values("seq")[:1]


def find(pool: str, day: date, revision: int | None = None) -> Found:
    """A list by its day, the newest revision without one; :class:`NoList` where there is none."""
    every = list(
        m.List.objects.filter(pool__name=pool)
        .order_by("date", "revision")
        .values_list(
            "id", "date", "revision", "fact", "digest", "pool", "run__upto",
            "run__publication__seq", Subquery(_REACHED), Subquery(_HIDDEN),
        )
    )  # fmt: skip
    mine = {r: (number, *of) for number, d, r, *of, _ in every if d == day}
    if not mine or (revision is not None and revision not in mine):
        raise NoList
    chosen = max(mine) if revision is None else revision
    newest = {d: (number, r) for number, d, r, *_ in every}
    older = [d for d in newest if d < day]
    one, fact, digest, of_pool, upto, seq, reached = mine[chosen]
    # A revision stays as it was published, and with it what it is compared with.
    then = [
        (d, number, of) for number, d, _, made, *_, of, _, _ in every if d < day and made < fact
    ]
    before_day, before, before_seq = then[-1] if then else (None, None, 0)
    is_newest = chosen == max(mine)
    days = tuple(ListDay(of_pool, d, knew) for _, d, _, _, _, _, knew, *_ in every)
    return Found(
        one=one,
        digest=digest,
        pool=pool,
        newest=max(mine),
        before=before,
        before_day=before_day,
        before_seq=before_seq,
        earlier=older[-1] if older else None,
        following=next((d for d in newest if d > day), None),
        revised=mine.get(chosen - 1, (None,))[0],
        others=tuple((d, newest[d][1]) for d in reversed(newest)),
        days=days,
        hidden=every[0][-1] or 0,
        last=max(number for number, *_ in every),
        corrected=_corrected(of_pool, day, seq, days)
        if is_newest and (reached or 0) > upto
        else (),
        since=mine[chosen - 1][5] if chosen - 1 in mine else None,
        seq=seq,
    )


@by_ledger
def _corrected(pool: int, day: date, after: int, every: tuple[ListDay, ...]) -> tuple[int, ...]:
    """The corrections by which ratings of a list are others since a publication."""
    return effects.of_list(current(), steps_of(pool, after), day, every)


def _with_other_lines(found: Found, columns: Collection[str]) -> frozenset[int]:
    """Whose lines have other numbers in some columns than in the revision before."""
    was: list[Mapping[str, Any]] = []
    now: list[Mapping[str, Any]] = []
    rows = m.ListRow.objects.filter(list__in=[found.one, found.revised])
    for number, line in rows.values_list("list", "printed"):
        (now if number == found.one else was).append(line)
    return frozenset(people_otherwise(was, now, columns))


@by_ledger
def _revised_by(
    pool: int, day: date, after: int | None, upto: int, every: tuple[ListDay, ...], hidden: int,
    people: frozenset[int],
) -> tuple[tuple[int, ...], tuple[str, ...]]:  # fmt: skip
    """The corrections by which a list is another than its revision before, and what else came.

    ``people`` have lines with other numbers, where no rating is another one.
    """
    if after is None:
        return (), ()
    steps = steps_of(pool, after, upto)
    masked = mask_for_public() if hidden else str
    return effects.of_list(current(), steps, day, every, people), in_words(steps, day, masked)


def address_of(number: int) -> tuple[str, date, int]:
    """Pool, day and revision of a list; refused where there is none."""
    one = list_named(str(number))
    return one.pool.name, one.date, one.revision


Since = tuple[date | None, int]
"""The day of the list before, and the publication that it is of; no day: there is none."""


class Derivation(NamedTuple):
    """What explains a number of a list."""

    key: str
    """Of the batch."""
    is_then: bool
    """Whether the batch is told otherwise by now, so that it is the one of then that explains."""


def explained(
    pool: int,
    moved: Mapping[int, tuple[float | None, float | None]],
    since: Since,
    day: date,
    seq: int,
) -> dict[int, Derivation]:
    """By person the one batch by which the rating differs from the list before.

    ``moved`` has what each was on that list, and is on this one, which publication ``seq`` made: it
    rests on what was published up to then.  What came between the two publications counts for it
    as well, though it be of an older day: an event that was late, or came in again.  Who was rated
    in several has no such, nor whoever went into it or came out of it with another number, as by a
    reform, or since lists have other decimals: the page of the player has all of it.
    """
    one = published()[pool]
    last, after = since
    is_as_then = last is None or one.decimals_on(last) == one.decimals_on(day)
    within = _ROUNDED if is_as_then else _SAME
    # Each turn's last version comes last.
    versions = m.Change.objects.alias(on=m.RATED_ON).filter(
        batch__pool=pool, on__lte=day, run__publication__seq__lte=seq
    )
    if last is not None:
        is_between = Q(run__publication__seq__gt=after)
        versions = versions.filter(Q(on__gt=last) | is_between)
    own: _Turns = {}
    older: _Turns = {}
    holds: dict[tuple[int, str], dict[int, bool]] = {}
    others: set[tuple[int, str]] = set()
    # What is published now nobody has published otherwise since.
    later = _later(seq) if seq < one.seq else Value(False)
    rows = (
        versions.filter(person__in=moved)
        .order_by("turn", "run__publication__seq")
        .values_list("person", "batch__key", "turn", "before", "after", "gone", m.RATED_ON, later)
    )
    for person, key, turn, begun, ended, gone, of, is_then in rows:
        holds.setdefault((person, key), {})[turn] = not gone
        if is_then:
            others.add((person, key))
        if not gone:
            there = own if last is None or of > last else older
            there.setdefault(person, {}).setdefault(key, []).append((turn, begun, ended))
    return {
        person: Derivation(min(keys), (person, min(keys)) in others)
        for person, keys in {**older, **own}.items()
        if len(keys) == 1
        and _is_all(keys[min(keys)], *moved[person], within)
        # What was taken out before this list has no explanation there.
        and any(holds[person, min(keys)].values())
    }


_Turns = dict[int, dict[str, list[tuple[int, float | None, float | None]]]]
"""By person and batch what each turn began with and ended with, in each of its versions."""


def _later(seq: int) -> Exists:
    """Whether a version of a batch of somebody is published later than a publication."""
    return Exists(
        m.Change.objects.filter(
            person=OuterRef("person"), batch=OuterRef("batch"), run__publication__seq__gt=seq,
            run__publication__seq__lte=F("batch__pool__head"),
        )
    )  # fmt: skip


def _is_all(
    rows: Sequence[tuple[int, float | None, float | None]], old: float | None, new: float | None,
    within: float,
) -> bool:  # fmt: skip
    """Whether the turns of a batch, in any version of them, lead from one rating to the other."""
    first, last = rows[0][0], rows[-1][0]
    begun = [before for turn, before, _ in rows if turn == first and before is not None]
    ended = [after for turn, _, after in rows if turn == last and after is not None]
    return (old is None or any(abs(each - old) <= within for each in begun)) and (
        new is None or any(abs(each - new) <= within for each in ended)
    )


_ACTIVE_SAID = {"1": "1", "0": "0", "true": "1", "false": "0"}
"""As the form says it, and as programs do."""


@dataclass(frozen=True)
class Wanted:
    """What a reader filters by; what is empty filters nothing."""

    name: str = ""
    federation: str = ""
    club: str = ""
    title: str = ""
    sex: str = ""
    active: str = ""
    """``1``: only who has played, and is not marked as inactive; ``0``: only the others."""
    page: int = 1

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Wanted:
        """From an address; what cannot be a page is the first."""
        page = query.get("page", "")
        number = int(page) if page.isdecimal() and len(page) < 6 else 1
        said = {each: query.get(each, "").strip()[:80] for each in ("name", *FILTERS)}
        active = _ACTIVE_SAID.get(query.get("active", "").strip(), "")
        return cls(**said, active=active, page=max(1, number))

    @property
    def filters(self) -> dict[str, str]:
        """Those that filter something."""
        return {n: v for n in ("name", *FILTERS, "active") if (v := getattr(self, n))}


@dataclass(frozen=True)
class Line:
    """A player on a list."""

    place: int
    is_tied: bool
    person: int
    name: str
    title: str
    federation: str
    club: str
    rating: float | None
    change: float | None
    """Against the list before; None: not on it."""
    moved: int | None
    """By how many places up."""
    is_inactive: bool
    was_revised: bool
    """Whether the rating differs from that of the revision before."""
    batch: str
    """By which the rating changed, if by one alone."""
    is_then: bool
    """Whether that batch is told otherwise by now: with the number of this list as ``list`` it is
    explained as it was."""
    others: tuple[object, ...]


@dataclass(frozen=True)
class Choice:
    """A filter: its name, what it is called, and its values; none: one types."""

    key: str
    title: str
    value: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Movement:
    """What moved since the list before, in numbers."""

    since: date
    entered: int
    left: int
    moved: int
    most_gained: Moved | None
    most_lost: Moved | None


@dataclass(frozen=True)
class Games:
    """Of what time the games on a list are, beside the change since the list before."""

    titles: tuple[str, ...]
    """Of the columns that count them."""
    is_of_period: bool
    """Whether they are those of the list's own period; else all up to the list."""
    after_a_gap: bool
    """Whether periods without a list lie between the list before and that period."""


@dataclass(frozen=True)
class ListHead:
    """A list without its rows."""

    number: int
    pool: str
    day: date
    title: str
    revision: int
    newest: int
    """Its newest revision."""
    published: datetime
    rulebook: str
    edition: str
    facts: tuple[str, ...]
    players: int
    active: int | None
    not_listed: int
    digest: str
    head: str
    run: int
    engine: str
    columns: tuple[tuple[str, bool], ...]
    """Further columns as printed, as rows have them: title, and whether they are numeric."""
    movement: Movement | None
    corrections: tuple[int, ...]
    """Those that brought this revision."""
    reasons: tuple[str, ...]
    """What else came between it and the revision before."""
    corrected_by: tuple[int, ...]
    """Those that changed numbers of it since it was published, while it stayed as it was."""
    revised: int
    """Ratings that differ from the revision before."""
    added: tuple[Difference, ...]
    """What corrections added to ratings with this list, where nothing was rated again."""
    forms: tuple[str, ...]
    before: date | None
    following: date | None


@dataclass(frozen=True)
class ListPage(ListHead):
    """One list, or what is wanted of it."""

    decimals: int
    """Of its ratings."""
    otherwise: tuple[str, ...]
    """The titles of the columns with other numbers than in the revision before."""
    has_federation: bool
    has_club: bool
    choices: tuple[Choice, ...]
    wanted: Wanted
    found: int
    pages: int
    first: int
    last: int
    lines: tuple[Line, ...]
    statistics: tuple[Mapping[str, Any], ...]
    games: Games | None = field(metadata=DRAWN)
    """None: the list counts no games."""
    others: tuple[tuple[date, int], ...] = field(repr=False)


_COUNTS = {"period_games": True, "games": False}
"""The columns that count games, and whether those of the period alone."""
_WITH_GAMES = ("wins", "draws", "losses")
"""Columns of the same games as all that are counted."""
_SHOWN_APART = {
    "position", "id", "name", "rating", "title", "club", "sex", "gender", "flag", *FEDERATION,
}  # fmt: skip
"""Columns that have a place of their own on the page."""


def show(found: Found, wanted: Wanted) -> ListPage:
    """The page of a list."""
    fact = m.Fact.objects.filter(seq=OuterRef("fact"))
    at, said = (Subquery(fact.values(each)) for each in ("at", "payload"))
    every = (
        m.List.objects.select_related("run")
        .defer("not_listed")
        .annotate(at=at, said=said, with_added=Exists(PUT_ON_LISTS))
    )
    one = every.get(id=found.one)
    mine, before = _printed(found)
    revised = _revised(found)
    chosen = _chosen(mine, wanted)
    pages = max(1, -(-len(chosen) // ROWS))
    page = min(wanted.page, pages)
    first = (page - 1) * ROWS
    others = [(key, title, numeric) for key, title, numeric in one.columns
              if key not in _SHOWN_APART]  # fmt: skip
    run = one.run
    rules = Rules(run.rulebook, run.parameters, run.assume)
    keys = one.said.get("columns", ())
    people = _with_other_lines(found, keys) if keys and not revised else frozenset()
    corrections, reasons = _revised_by(
        one.pool_id, one.date, found.since, found.seq, found.days, found.hidden, people
    )
    return ListPage(
        number=one.id, pool=found.pool, day=one.date,
        title=one.title, revision=one.revision,
        newest=found.newest, published=one.at, rulebook=run.rulebook,
        edition=rules.book().edition(one.date).name,
        facts=tuple(one.facts), players=one.rows,
        active=mine.active, not_listed=mine.not_listed,
        digest=one.digest, head=one.head, run=run.id, engine=run.engine,
        columns=tuple((title, numeric) for _, title, numeric in others),
        decimals=mine.decimals,
        otherwise=tuple(title for key, title, _ in one.columns if key in keys),
        has_federation="federation" in mine.values, has_club="club" in mine.values,
        choices=_choices(mine, wanted), wanted=wanted, found=len(chosen), pages=pages,
        first=first + 1, last=min(first + ROWS, len(chosen)),
        lines=_lines(found, one, mine, before, chosen[first : first + ROWS], revised,
                     [key for key, _, _ in others]),
        movement=_movement(found),
        corrections=corrections, reasons=reasons,
        corrected_by=found.corrected,
        revised=len(revised), added=new_on(one.id, found.before) if one.with_added else (),
        statistics=tuple(one.statistics) if page == 1 and not wanted.filters else (),
        forms=tuple(files.forms(one)),
        games=_games(one, rules, found.before_day),
        others=found.others,
        before=found.earlier,
        following=found.following,
    )  # fmt: skip


def _games(one: m.List, rules: Rules, before: date | None) -> Games | None:
    """Of what time the games are that the columns of a list count."""
    titles = {key: title for key, title, _ in one.columns}
    counted = next((key for key in _COUNTS if key in titles), None)
    if counted is None:
        return None
    of_period = _COUNTS[counted]
    keys = (counted,) if of_period else (counted, *_WITH_GAMES)
    day = one.date - timedelta(days=1)
    return Games(
        tuple(titles[key] for key in keys if key in titles), of_period,
        of_period and before is not None and list_day(rules, day) > before,
    )  # fmt: skip


def part_of(found: Found, wanted: Wanted, first: int, most: int) -> tuple[Line, ...]:
    """So many of the lines that are wanted, from a place on."""
    one = m.List.objects.defer("not_listed").get(id=found.one)
    mine, before = _printed(found)
    chosen = _chosen(mine, wanted)[first : first + most]
    keys = [key for key, _, _ in one.columns if key not in _SHOWN_APART]
    return _lines(found, one, mine, before, chosen, _revised(found), keys)


def _printed(found: Found) -> tuple[Printed, Printed | None]:
    """A list, and the list before, if there is one; the revision before is read with them."""
    wanted = [each for each in (found.one, found.before, found.revised) if each is not None]
    known = dict(zip(wanted, several(wanted, found.hidden), strict=True))
    return known[found.one], None if found.before is None else known[found.before]


def _revised(found: Found) -> frozenset[int]:
    """Whose rating differs from that of the revision before."""
    if found.revised is None:
        return frozenset()
    return frozenset(each.person for each in compared(found.one, found.revised, found.hidden))


_ACTIVE = {"1": True, "0": False}
_CODES: Mapping[str, Set[str]] = {"sex": frozenset("FM"), "title": TITLES}
"""What stands on some list, if not on each."""


def unknown_of(found: Found, wanted: Wanted) -> dict[str, tuple[str, ...]]:
    """What is filtered by that cannot be on the list, with what can; nothing: the list lacks it."""
    mine = printed(found.one, found.hidden)
    unknown = {}
    for key in FILTERS:
        value, column = getattr(wanted, key).casefold(), mine.columns.get(key)
        codes = {*_CODES.get(key, ()), *mine.values.get(key, ())} if column is not None else set()
        has_codes = column is None or key in _CODES
        if value and has_codes and value not in map(str.casefold, codes):
            unknown[key] = tuple(sorted(codes))
    return unknown


def _chosen(mine: Printed, wanted: Wanted) -> Sequence[int]:
    """The places, from 0, of those who are wanted; what a list does not have is nobody's."""
    chosen: Sequence[int] = range(len(mine.persons))
    for key in FILTERS:
        value, column = getattr(wanted, key).casefold(), mine.columns.get(key)
        if not value:
            continue
        if column is None:
            return []
        if key == "club":
            chosen = [at for at in chosen if value in column[at].casefold()]
        else:
            chosen = [at for at in chosen if value == column[at].casefold()]
    active = mine.columns.get("active")
    if wanted.active in _ACTIVE and active is not None:
        chosen = [at for at in chosen if bool(active[at]) is _ACTIVE[wanted.active]]
    elif wanted.active == "0":
        # On a list that marks nobody all are active.
        return []
    if wanted.name.isdecimal():
        return [at for at in chosen if mine.persons[at] == int(wanted.name)]
    for word in anyascii(wanted.name).casefold().replace(",", " ").split():
        chosen = [at for at in chosen if word in mine.folded[at]]
    return chosen


def _choices(mine: Printed, wanted: Wanted) -> tuple[Choice, ...]:
    titles = {
        "federation": _("Federation"), "club": _("Club"), "title": _("Title"), "sex": _("Sex"),
    }  # fmt: skip
    found = []
    for key in FILTERS:
        if key in mine.values:
            values = mine.values[key]
            many = key == "club" and len(values) > _CHOICES
            found.append(Choice(key, titles[key], getattr(wanted, key), () if many else values))
    return tuple(found)


def _lines(
    found: Found,
    one: m.List,
    mine: Printed,
    before: Printed | None,
    chosen: Sequence[int],
    revised: frozenset[int],
    keys: Sequence[str],
) -> tuple[Line, ...]:
    rows = dict(
        m.ListRow.objects.filter(list=one, place__in=[at + 1 for at in chosen]).values_list(
            "place", "printed"
        )
    )
    columns = mine.columns
    moved = {
        mine.persons[at]: (_before(before, mine.persons[at]), mine.ratings[at]) for at in chosen
    }
    batches = explained(
        one.pool_id, moved, (found.before_day, found.before_seq), one.date, found.seq
    )
    lines = []
    for at in chosen:
        person, rating, rank = mine.persons[at], mine.ratings[at], mine.ranks[at]
        then = None if before is None else before.at.get(person)
        old = _before(before, person)
        tied = rank <= at or (at + 1 < len(mine.ranks) and mine.ranks[at + 1] == rank)
        own = {key: columns[key][at] if key in columns else "" for key in (*FILTERS, "inactive")}
        lines.append(
            Line(
                place=rank, is_tied=tied, person=person, name=mine.names[at], title=own["title"],
                federation=own["federation"], club=own["club"], rating=rating,
                change=change_of(old, rating),
                moved=None if then is None or before is None else before.ranks[then] - rank,
                is_inactive=bool(own["inactive"]), was_revised=person in revised,
                batch=batches[person].key if person in batches else "",
                is_then=person in batches and batches[person].is_then,
                others=tuple(cell(rows[at + 1], key) for key in keys),
            )
        )  # fmt: skip
    return tuple(lines)


def _before(before: Printed | None, person: int) -> float | None:
    """The rating on the list before."""
    then = None if before is None else before.at.get(person)
    return None if then is None or before is None else before.ratings[then]


def _movement(found: Found) -> Movement | None:
    if found.before is None or found.before_day is None:
        return None
    every = compared(found.one, found.before, found.hidden)
    moved = [each for each in every if each.change is not None]
    most = max(moved, key=lambda each: each.change or 0.0, default=None)
    least = min(moved, key=lambda each: each.change or 0.0, default=None)
    return Movement(
        found.before_day, sum(each.old is None for each in every),
        sum(each.new is None for each in every), len(moved),
        most if most and (most.change or 0) > 0 else None,
        least if least and (least.change or 0) < 0 else None,
    )  # fmt: skip


KINDS = ("moved", "entered", "left")


@dataclass(frozen=True)
class ChangeReport:
    """What changed between a list and the one before."""

    pool: str
    day: date
    revision: int
    title: str
    since: date
    since_revision: int
    counts: Mapping[str, int]
    kind: str
    lines: tuple[Moved, ...]
    decimals: int
    """Of the ratings of both lists."""
    batches: Mapping[int, str]
    """By person what explains the change, if it is one thing."""
    list: int
    then: tuple[int, ...]
    """Those of whom that is told otherwise by now: it is explained as it was with the number of
    this ``list``."""
    page: int
    pages: int
    sum: float
    """Of all changes: what came into the pool, or left it, by players who are on both."""


def changes(found: Found, kind: str, page: int, rows: int | None = ROWS) -> ChangeReport | None:
    """Who moved, entered or left; None: there is no list before."""
    if found.before is None:
        return None
    both = m.List.objects.defer("not_listed").in_bulk([found.one, found.before])
    one, before = both[found.one], both[found.before]
    every = compared(found.one, found.before, found.hidden)
    kinds = {
        "moved": sorted(
            (e for e in every if e.change is not None),
            key=lambda e: (-abs(e.change or 0), e.name),
        ),
        "entered": [e for e in every if e.old is None],
        "left": [e for e in every if e.new is None],
    }  # fmt: skip
    lines = kinds[kind]
    rows = rows or max(1, len(lines))
    pages = max(1, -(-len(lines) // rows))
    page = min(page, pages)
    shown = tuple(lines[(page - 1) * rows : page * rows])
    people = {e.person: (e.old, e.new) for e in shown} if rows == ROWS else {}
    since = (before.date, found.before_seq)
    batches = explained(one.pool_id, people, since, one.date, found.seq)
    return ChangeReport(
        pool=found.pool,
        day=one.date,
        revision=one.revision,
        title=one.title,
        since=before.date,
        since_revision=before.revision,
        counts={name: len(those) for name, those in kinds.items()},
        kind=kind,
        lines=shown,
        decimals=max(each.decimals for each in _printed(found) if each),
        batches={person: each.key for person, each in batches.items()},
        list=found.one,
        then=tuple(sorted(person for person, each in batches.items() if each.is_then)),
        page=page,
        pages=pages,
        sum=total(e.change or 0.0 for e in kinds["moved"]),
    )


def table_of(found: Found, wanted: Wanted, people: Container[int] | None = None) -> Table:
    """The lines that are wanted, on all pages, in the columns of the list itself.

    With ``people`` only theirs.  Numbers are numbers with decimals and all else is text, whatever
    is on the list: whoever reads many lists has one schema.
    """
    one = m.List.objects.defer("not_listed").get(id=found.one)
    chosen = _chosen(printed(found.one, found.hidden), wanted)
    keys = [key for key, _, _ in one.columns]
    hidden = suppressed() if found.hidden else set()
    places = {at + 1 for at in chosen}
    rows = []
    for place, person, row in (
        m.ListRow.objects.filter(list=one)
        .order_by("place")
        .values_list("place", "person", "printed")
    ):
        if place in places and (people is None or person in people):
            said = masked(row) if person in hidden else row
            rows.append([cell(said, key) for key in keys])
    return Table(keys, rows, [float if numeric else str for _, _, numeric in one.columns])


@dataclass(frozen=True)
class Column:
    """A column of a list as it is printed."""

    key: str
    title: str
    numeric: bool


@dataclass(frozen=True)
class NotListed:
    """For what reason so many are not on a list."""

    reason: str
    players: int


@dataclass(frozen=True)
class AsPrinted:
    """A list as it was printed: in the columns of its federation, with their titles."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, object], ...]
    not_listed: tuple[NotListed, ...]


def as_printed(found: Found) -> AsPrinted:
    """The list with all its rows, and why others are not on it."""
    listing = listing_again(m.List.objects.get(id=found.one))
    reasons = Counter(each.reason for each in listing.not_listed)
    return AsPrinted(
        listing.title, tuple(Column(x.key, x.title, x.numeric) for x in listing.columns),
        listing.rows, tuple(NotListed(*each) for each in reasons.most_common()),
    )  # fmt: skip


@dataclass(frozen=True)
class ListFiles:
    """The files of a list."""

    pool: str
    day: date
    revision: int
    title: str
    players: int
    digest: str
    head: str
    files: tuple[files.File, ...]
    has_bundle: bool
    """Whether everybody can have one."""


def list_files(found: Found) -> ListFiles:
    """The files of a list, with the checksums of those that were made."""
    one = m.List.objects.select_related("pool").defer("not_listed").get(id=found.one)
    has_bundle = files.has_bundle(one)
    return ListFiles(
        pool=found.pool, day=one.date, revision=one.revision, title=one.title, players=one.rows,
        digest=one.digest, head=one.head, files=files.files_of(one, found.hidden),
        has_bundle=has_bundle,
    )  # fmt: skip


def file_of(found: Found, form: str) -> tuple[files.Kept, Path]:
    """A file of a list and where it lies; made if it was not yet."""
    one = m.List.objects.select_related("pool").get(id=found.one)
    return files.kept(one, form, found.hidden)
