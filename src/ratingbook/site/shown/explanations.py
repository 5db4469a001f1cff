"""Why a published rating changed: sentence, sum, games, paragraphs, and what changed since.

To everybody a K that follows from age has no reasons, and where a rating follows from an age no
step is shown at all. The office sees all of it, and so does the player, unless the age of somebody
whom the player met could be reckoned from it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from ratingbook.desk.account import Account, Part, Term, accounts, sum_line
from ratingbook.desk.birth_dates import public_steps, rates_by_age
from ratingbook.desk.cross_table import CrossTable, Line
from ratingbook.desk.derivation import Applied, paragraph_by_paragraph
from ratingbook.desk.written import fixed
from ratingbook.engine.explain import Step
from ratingbook.engine.rate import RatedRow
from ratingbook.model import Entry
from ratingbook.model.decimals import change_of
from ratingbook.model.sentences import Sentence
from ratingbook.office.acts.explain import derived, ledger_numbers, reforms_after
from ratingbook.office.acts.people import names_of
from ratingbook.office.acts.published import versions_of
from ratingbook.office.engine.reforms import ByReform
from ratingbook.office.home import current
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store import models as m
from ratingbook.rules.book import RatedBy, Row, RuleBook
from ratingbook.site.answers import Table
from ratingbook.site.languages import SPOKEN, localised
from ratingbook.site.shown.corrected import Corrected, corrections_of, publications_of
from ratingbook.site.shown.differences import Otherwise, otherwise
from ratingbook.site.shown.events import EventNamed
from ratingbook.site.shown.explained_games import GameRow, rows_of, told_games
from ratingbook.site.shown.games import GameOf, games_of, keys_of
from ratingbook.site.shown.nearness import is_near_somebody_new
from ratingbook.site.shown.opposition import (
    begins_with,
    count_with_one_number,
    counts_with_own_numbers,
    grades_of,
)
from ratingbook.site.shown.persons import Identity, identity
from ratingbook.site.shown.player_opposition import opposition_in
from ratingbook.site.shown.pools import (
    Published,
    before_of_batch,
    in_force_of,
    one_named,
    published_until,
    published_with,
    told_of,
)
from ratingbook.site.shown.reasons import reasons_beside, reasons_of
from ratingbook.site.shown.revised import day_of, revising
from ratingbook.site.shown.substitutes import concerning, told

_MOST_LINES = 100
"""Of a paragraph; the rest stands in the JSON."""


class View(StrEnum):
    """For whom an explanation is."""

    public = "public"
    player = "player"
    office = "office"


@dataclass(frozen=True)
class Since:
    """A number as it was first published, and now."""

    label: str
    first: float | None
    now: float | None
    in_all: float | None = None
    """The difference; of it some was ``brought`` along, and some came ``here``."""
    brought: float | None = None
    here: float | None = None


@dataclass(frozen=True)
class Then:
    """The list as of which a change is told, which is told otherwise by now."""

    list: int
    day: date
    revision: int
    before: float | None
    after: float | None
    change: float | None
    """As these are now."""
    holds: bool
    """Whether there is one now."""


@dataclass(frozen=True)
class Explanation:
    """Why a rating changed in a batch."""

    person: int
    name: str
    pool: str
    then: Then | None
    """None: it is told as it is now."""
    decimals: int
    key: str
    day: date
    by_lists: bool
    rulebook: str
    edition: str
    edition_from: date | None
    run: int
    """Which brought the number that holds, and when it was published."""
    published: date
    events: tuple[EventNamed, ...]
    began: float | None
    """From what is reckoned where there was no rating: from another pool's, or that of a grade."""
    before: float | None
    after: float | None
    change: float | None
    sentence: tuple[Part, ...]
    sum: tuple[Term, ...]
    games: tuple[GameRow, ...]
    rated_games: int
    score: float
    expected: float | None
    average: float | None
    of_games: float | None
    performance: float | None
    name_of_k: str
    coefficients: tuple[float, ...]
    paragraphs: tuple[Applied, ...]
    is_published: bool
    """Else the rules do not publish the rating yet: only the office and the player see it."""
    is_withheld: bool
    """Whether the steps are left out, since a birth date could be reckoned from them."""
    is_of_printed: bool
    """Whether it is reckoned from the ratings that lists print: an age could be reckoned from the
    decimals with which the office goes on."""
    differs: str
    """What the derivation ends at, where that is not what is published."""
    substitutes: str
    """What is said of games of substitutes in which the player had a part; empty: of none."""
    unrounded: float | None
    """The new rating before it is rounded for lists, where they have fewer decimals."""
    since: tuple[Since, ...]
    corrections: tuple[Corrected, ...]
    """Those that made it another number."""
    otherwise: tuple[Otherwise, ...]
    """Corrections that went on the next list: the games stand here as they were rated."""
    reasons: tuple[str, ...]
    """Why it is another number than at first, where corrections alone did not make it so."""
    reforms: tuple[ByReform, ...]
    """What the rules did to the rating after it, up to the list, or to now, without a change in
    between; the last paragraphs say it."""

    @property
    def title(self) -> str:
        """What the change is called: of an event, or of a list."""
        return self.events[0].name if len(self.events) == 1 else self.pool

    @property
    def with_used(self) -> bool:
        """Whether an expected score belongs to another rating than that of before the event."""
        return any(each.used is not None for each in self.games)

    @property
    def with_other_numbers(self) -> bool:
        """Whether an opponent counted with another number than a published rating."""
        return any(each.rating_is not in ("", "then") for each in self.games)

    @property
    def with_stones(self) -> bool:
        """Whether somebody received stones in a rated game."""
        return any(each.handicap and not each.why_unrated for each in self.games)

    @property
    def with_moved(self) -> bool:
        """Whether an opponent counted with a rating that earlier games had brought."""
        return any(each.rating_is == "then" for each in self.games)

    @property
    def with_replaced(self) -> bool:
        """Whether an opponent counted with the rating of whom he replaced as a substitute."""
        return any(each.rating_is == "replaced" for each in self.games)

    @property
    def most_lines(self) -> int:
        """Of a paragraph's games that are shown."""
        return _MOST_LINES


class _Told(NamedTuple):
    """Of what an explanation tells."""

    one: Published
    who: Identity
    rows: Sequence[Mapping[str, Any]]
    """All versions of the person's rows in the batch."""
    others: Sequence[Mapping[str, Any]]
    """The rows of the person in other batches of the pool that stand."""

    @property
    def hold(self) -> list[Mapping[str, Any]]:
        """Those that stand after all of them."""
        return [each for each in _last_of_turns(self.rows) if not each["gone"]]


def _told(one: Published, number: int, key: str) -> _Told:
    """What was published of a person in a batch up to a publication."""
    who = identity(number, one.run.upto)
    rows = [each for each in versions_of(who.person)
            if each["pool"] == one.pool.id and each["seq"] <= one.seq]  # fmt: skip
    others = {(each["key"], each["turn"]): each for each in rows if each["key"] != key}
    return _Told(
        one, who, [each for each in rows if each["key"] == key],
        [each for each in others.values() if not each["gone"]],
    )  # fmt: skip


def _told_as_of(
    listed: int | None, number: int, pool: str, key: str
) -> tuple[_Told, Then | None]:  # fmt: skip
    """The same as it is now, or as it was with a list, where it is otherwise by now."""
    one = one_named(pool)
    if one is None:
        raise _nothing()
    now = _told(one, number, key)
    if listed is None:
        return now, None
    with_list = published_with(listed)
    if with_list.pool.id != one.pool.id:
        raise refuse(
            "office.no-list", _("List {n} is one of another pool.").format(n=listed),
            _("Look at the page of the player."),
        )  # fmt: skip
    then = _told(with_list, number, key)
    if (then.who.person, len(then.rows)) == (now.who.person, len(now.rows)):
        return now, None
    of = m.List.objects.only("date", "revision").get(id=listed)
    hold, day = now.hold, then.hold[-1]["day"] if then.hold else None
    before = one.rounded(hold[0]["before"], day) if hold else None
    after = one.rounded(hold[-1]["after"], day) if hold else None
    change = change_of(before, after)
    return then, Then(listed, of.date, of.revision, before, after, change, bool(hold))


def last_on(number: int, listed: int) -> tuple[str, str]:
    """The pool of a list, and the key of a person's last batch on it, as it was with the list."""
    one, day = published_with(listed), m.List.objects.values_list("date", flat=True).get(id=listed)
    who = identity(number, one.run.upto)
    rows = {(each["key"], each["turn"]): each for each in versions_of(who.person)
            if each["pool"] == one.pool.id and each["seq"] <= one.seq}  # fmt: skip
    hold = [each for each in rows.values() if not each["gone"] and each["day"] <= day]
    if not hold:
        raise _nothing()
    last: str = max(hold, key=lambda each: (each["day"], each["key"]))["key"]
    return one.pool.name, last


def _nothing() -> OfficeRefused:
    return refuse(
        "office.no-change", _("Nothing of this player was rated there."),
        _("Look at the page of the player."),
    )  # fmt: skip


def explanation(
    number: int, pool: str, key: str, view: View = View.public, listed: int | None = None
) -> Explanation:
    """The explanation of a person's change in a batch of a pool; refused where there is none.

    ``listed`` is the number of a list that has the change as it was: it is explained by the run
    that made the list, and by what was known then.
    """
    told_of_it, then = _told_as_of(listed, number, pool, key)
    one, who, rows, _others = told_of_it
    person, hold = who.person, told_of_it.hold
    if not hold:
        raise _nothing()
    day = hold[-1]["day"]
    until = published_until([one], [person]).get((one.pool.id, person), date.max)
    is_published = day <= until
    if view is View.public and not is_published:
        raise refuse(
            "office.no-published-rating",
            _("The rules of the pool do not publish this rating: they want more, as more games."),
            _("Look at the page of the player. The office, and the player when signed in, see it."),
        )  # fmt: skip
    rated = _joined(derived(current(), one.run, person, key))
    edition = one.rules.book().edition(day)
    assert isinstance(edition, RuleBook)
    number_of = ledger_numbers(current(), one.run)
    if not counts_with_own_numbers(one, day):
        rated = replace(rated, against=())
    against = rated.against or [None] * len(rated.counted)
    counted = dict(zip(map(number_of, rated.counted), against, strict=True))
    # Of a game of a substitute there is a step though it counts for the other one.
    looked_at = [*rated.counted, *(each.about for each in rated.explanation if each.about)]
    every = games_of([one], {g.event for g in looked_at if g.event}, who)[one.run.id]
    of_batch = set(map(number_of, looked_at))
    games = [game for game in every if _is_of_batch(game, one, key, of_batch)]
    names = names_of({person, *(each for game in games for each in (game.white, game.black))})
    rated = replace(rated, row=replace(rated.row, name=names.get(person, "")))
    if rated.row.expected is None or not rated.row.games:
        # Nothing is reckoned from the decimals that go on: the numbers are those of lists.
        rated = replace(
            rated, row=replace(rated.row, before=one.rounded(rated.row.before, hold[0]["day"]))
        )
    met = {game.met_by(person)[0] for game in games}
    met |= {other for game in games if (other := game.replaced_by_opponent(person))}
    before_of = before_of_batch(one, key, met)
    for game in games:
        # Whoever was not rated here has the rating of before, too.
        start = game.named.start or game.named.end
        for other in (game.met_by(person)[0], game.replaced_by_opponent(person)):
            if other is not None and other not in before_of:
                before_of[other] = in_force_of(one, other, key, start)
    begins = _begins(one, day, games, person, before_of)
    steps: Sequence[Step] | None = rated.explanation
    if view is View.public:
        steps = public_steps(rated.explanation, "con" if edition.game == "Go" else "K")
    by_age = view is not View.office and rates_by_age(edition)
    if by_age and is_near_somebody_new(one, key, {game.event_id for game in games}, person):
        # The age could be reckoned from a number as it is before it is rounded.
        steps = None
    is_of_printed = by_age and steps is not None and _goes_on_with_decimals(edition)
    if is_of_printed:
        # It goes on into later events, with all who met that player, and from these to others.
        printed = _joined(derived(current(), one.run, person, key, as_printed=True))
        rated = replace(printed, row=replace(printed.row, name=rated.row.name), against=())
        steps = rated.explanation if view is not View.public else public_steps(
            rated.explanation, "K"
        )  # fmt: skip
    exact = rated
    if steps is None:
        rated = replace(
            rated, row=_as_published(rated.row, one, hold),
            coefficients=tuple(round(each, _DECIMALS_OF_K) for each in rated.coefficients),
        )  # fmt: skip
    said = told_games(
        games, person, counted, () if steps is None else steps, number_of, names,
        before_of, begins, by_game=edition.rated_by is RatedBy.GAME,
    )  # fmt: skip
    shown = said.steps
    table = CrossTable(
        None, None, (None,), (Line(0, Entry(str(person)), rated, 0.0, (said.meetings,)),), True
    )
    account = accounts(
        [replace(rated, explanation=shown)], [table], edition
    )[rated.row.id, rated.row.section]  # fmt: skip
    if steps is None:
        account = replace(account, is_each_rounded=_is_each_rounded(account, exact))
    performance = rated.row.performance
    if count_with_one_number(edition):
        # As the event and the result tell it, which know no number but the published ones.
        others = opposition_in(one, key, day, person, [g for g in games if g.ledger in counted])
        performance = others.performance
        account = replace(account, average=others.average)
    reforms = _reforms(told_of_it, listed)
    events = tuple(dict.fromkeys(game.named for game in games))
    before, after = one.rounded(hold[0]["before"], day), one.rounded(hold[-1]["after"], day)
    ends = one.rounded(rated.row.after, day)
    reached, corrected = corrections_of(person, rows)
    reaching = reached.get((one.pool.id, key), ())
    corrections = tuple(each for each in corrected.get(one.pool.id, ()) if each.number in reaching)
    since = _since(one, rows)
    # Of what the rules do not publish nobody has reckoned how much came with the corrections.
    revised_by = revising(one, rows)
    told = frozenset(publications_of(one.pool.id, reaching) & revised_by if is_published else ())
    return Explanation(
        person=person, name=names.get(person, ""), pool=pool, then=then,
        decimals=one.decimals_on(day), key=key, day=day, by_lists=one.by_lists,
        rulebook=one.run.rulebook, edition=edition.name, edition_from=edition.valid_from,
        run=hold[-1]["run"], published=day_of(hold[-1]["published"]),
        events=events, began=account.begins,
        before=before, after=after, change=change_of(before, after),
        sentence=account.sentence(SPOKEN), sum=sum_line(account, SPOKEN),
        games=rows_of(account, games, person, said, one.decimals_on(day)),
        rated_games=rated.row.games, score=rated.row.score, expected=rated.row.expected,
        average=account.average, of_games=_printed(account.of_games), performance=performance,
        name_of_k=account.name_of_k, coefficients=account.coefficients,
        paragraphs=(
            *paragraph_by_paragraph(_named(shown, games), edition, account.name_of_k, SPOKEN),
            *_applied(one, reforms),
        ),
        is_published=is_published, is_withheld=steps is None,
        is_of_printed=is_of_printed,
        differs=""
        if ends == after or ends is None
        else localised(f"{ends:.{one.decimals_on(day)}f}"),
        substitutes=_of_substitutes(one, events, who),
        unrounded=rated.row.after if ends == after != rated.row.after else None,
        otherwise=otherwise(person, pool, {each.report for each in events}),
        since=since, corrections=corrections,
        reasons=tuple(dict.fromkeys((
            *reasons_of(one.pool.id, revised_by - told, person, day),
            *reasons_beside(
                one.pool.id, told, (person, key), day,
                is_first=any(not one.publishes(each["after"] or 0, 0) for each in rows),
            ),
        ))) if since else (),
        reforms=reforms,
    )  # fmt: skip


def _reforms(told_of_it: _Told, listed: int | None) -> tuple[ByReform, ...]:
    """What the rules did after the batch, where nothing else changed the rating up to a day."""
    one, until = told_of_it.one, told_of_it.one.run.until
    if listed is not None:
        until = min(until, m.List.objects.values_list("date", flat=True).get(id=listed))
    last = told_of_it.hold[-1]
    if any(last["day"] < each["day"] <= until for each in told_of_it.others):
        return ()
    row = {"date": last["day"], "after": last["after"]}
    return reforms_after(current(), one.run, told_of_it.who.person, row, until, one.rounded)


def _applied(one: Published, reforms: Iterable[ByReform]) -> Iterator[Applied]:
    """Reforms by their paragraphs, as their editions have them."""
    for each in reforms:
        edition = one.rules.book().edition(each.day)
        assert isinstance(edition, RuleBook)
        yield from paragraph_by_paragraph([each.step], edition, language=SPOKEN)


def _is_of_batch(game: GameOf, one: Published, key: str, own: Collection[int | None]) -> bool:
    """Whether a game of an event is one that a batch rated, or had among its own."""
    if one.by_game:
        # The others are rated with the lists of their own days.
        return game.ledger in own
    return key in keys_of(one, (), game.named, game.event_id, game.section)


def _of_substitutes(one: Published, events: Iterable[EventNamed], who: Identity) -> str:
    if not one.knows_substitutes:
        return ""
    count = concerning({each.report for each in events}, who.numbers)
    return told(count) if count else ""


def _goes_on_with_decimals(edition: RuleBook) -> bool:
    """Whether ratings go on with decimals that no list prints."""
    return not edition.whole_ratings and edition.bulk.as_printed is not None


_DECIMALS_OF_K = 2
"""Where a rating tells an age by its decimals K is one of it, too."""
_ALL = 1e-3
"""What the sums of a change differ by that is all of it."""


def _is_each_rounded(account: Account, exact: RatedRow) -> bool:
    """Whether the change is K times score less expected, and differs by rounding alone."""
    row, several = exact.row, exact.coefficients
    if account.is_all or len(several) != 1 or None in (row.expected, row.exact, row.before):
        return False
    made = (row.exact or 0.0) - (row.before or 0.0)
    return abs(made - several[0] * (row.score - (row.expected or 0.0))) < _ALL


def _as_published(row: Row, one: Published, hold: Sequence[Mapping[str, Any]]) -> Row:
    """A row with no more decimals than the lists have."""
    before, after = hold[0]["before"], hold[-1]["after"]
    day, expected = hold[-1]["day"], row.expected
    return replace(
        row, before=one.rounded(before, day), after=one.rounded(after, day),
        expected=None if expected is None else told_of(one, expected),
    )  # fmt: skip


def table(shown: Explanation) -> Table:
    """The games as a table."""
    columns = ("event", "apart", "round", "colour", "opponent", "name", "rating", "rating_is",
               "result", "expected", "change", "not_rated")  # fmt: skip
    return Table(columns, [
        (g.event, g.apart, g.round, g.colour, g.opponent, g.name, g.rating, g.rating_is,
         g.result, g.expected, g.change, g.why_unrated) for g in shown.games
    ])  # fmt: skip


def _last_of_turns(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    found: dict[int, Mapping[str, Any]] = {}
    for each in rows:
        found[each["turn"]] = each
    return list(found.values())


def _joined(rows: Sequence[Any]) -> Any:
    """One row of several, where an edition rates game by game."""
    first, last = rows[0], rows[-1]
    if len(rows) == 1:
        return last
    known = [each.row.expected for each in rows]
    row = replace(
        last.row, before=first.row.before, games=sum(each.row.games for each in rows),
        score=sum(each.row.score for each in rows),
        expected=None if None in known else sum(known),
    )  # fmt: skip
    return replace(
        last, row=row, explanation=tuple(s for each in rows for s in each.explanation),
        counted=tuple(g for each in rows for g in each.counted),
        against=tuple(number for each in rows for number in each.against),
    )  # fmt: skip


def _begins(
    one: Published, day: date, games: Iterable[GameOf], person: int,
    before_of: Mapping[int, float | None],
) -> dict[int, float | None]:  # fmt: skip
    """With what those whom somebody met began who had no rating and declared a grade."""
    entered = {(game.met_by(person)[0], game.event_id) for game in games}
    new = {each for each in entered if before_of.get(each[0]) is None}
    return {
        opponent: begins_with(one, day, grade, None, None)
        for (opponent, _event), grade in grades_of(one, new).items()
    }


def _named(steps: Iterable[Step], games: Iterable[GameOf]) -> list[Step]:
    """The steps with the events of games by their names."""
    found, events = [], {game.event_id: game.named for game in games}
    for step in steps:
        text, event = step.text, step.event
        for key, named in events.items():
            text = (
                text.renamed(key, named.name)
                if isinstance(text, Sentence)
                else text.replace(key, named.name)
            )
            event = event.replace(key, named.name)
        found.append(replace(step, text=text, event=event))
    return found


def _printed(brought: float | None) -> float | None:
    """What the games bring in all, as it is printed below their changes."""
    return None if brought is None else float(fixed(brought, 2))


def _since(one: Published, rows: Sequence[Mapping[str, Any]]) -> tuple[Since, ...]:
    """What was published first beside what is now; nothing where that is the same."""
    turns: dict[int, list[Mapping[str, Any]]] = {}
    for each in rows:
        turns.setdefault(each["turn"], []).append(each)
    first, now = ([some[at] for some in turns.values()] for at in (0, -1))
    if all(len(some) == 1 for some in turns.values()):
        return ()
    day = now[-1]["day"]
    was = (one.rounded(first[0]["before"], day), one.rounded(first[-1]["after"], day))
    holds = (one.rounded(now[0]["before"], day), one.rounded(now[-1]["after"], day))
    if was == holds:
        return ()
    old, new = change_of(*was), change_of(*holds)
    brought, here = change_of(was[0], holds[0]), change_of(old, new)
    in_all = change_of(was[1], holds[1])
    return (
        Since("before", was[0], holds[0]),
        Since("change", old, new),
        Since("after", was[1], holds[1], in_all, brought, here),
    )
