"""Why a published rating changed: sentence, sum, games, paragraphs, and what changed since.

To everybody a K that follows from age has no reasons, and where a rating follows from an age no
step is shown at all. The office sees all of it, and so does the player, unless the age of somebody
whom the player met could be reckoned from it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _

from ratingbook.desk.account import Account, Part, Term, accounts, sum_line
from ratingbook.desk.birth_dates import public_steps, rates_by_age
from ratingbook.desk.cross_table import CrossTable, Line
from ratingbook.desk.derivation import Applied, paragraph_by_paragraph
from ratingbook.engine.explain import Step
from ratingbook.engine.rate import RatedRow
from ratingbook.model import Entry
from ratingbook.model.sentences import Sentence
from ratingbook.office.acts.explain import derived, ledger_numbers
from ratingbook.office.acts.people import names_of
from ratingbook.office.acts.published import versions_of
from ratingbook.office.home import current
from ratingbook.office.refused import refuse
from ratingbook.rules.book import Row, RuleBook
from ratingbook.site.answers import Table
from ratingbook.site.languages import SPOKEN, localised
from ratingbook.site.shown.corrected import Corrected, corrections_of, publications_of
from ratingbook.site.shown.differences import Otherwise, otherwise
from ratingbook.site.shown.events import EventNamed
from ratingbook.site.shown.explained_games import GameRow, rows_of, told_games
from ratingbook.site.shown.games import GameOf, games_of, keys_of
from ratingbook.site.shown.nearness import is_near_somebody_new
from ratingbook.site.shown.opposition import begins_with, counts_with_own_numbers, grades_of
from ratingbook.site.shown.persons import Identity, identity
from ratingbook.site.shown.pools import (
    Published,
    before_of_batch,
    in_force_of,
    published,
    published_until,
    told_of,
)
from ratingbook.site.shown.reasons import reasons_beside, reasons_of
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
class Explanation:
    """Why a rating changed in a batch."""

    person: int
    name: str
    pool: int
    pool_name: str
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

    @property
    def title(self) -> str:
        """What the change is called: of an event, or of a list."""
        return self.events[0].name if len(self.events) == 1 else self.pool_name

    @property
    def with_used(self) -> bool:
        """Whether an expected score belongs to another rating than that of before the event."""
        return any(each.used is not None for each in self.games)

    @property
    def with_other_numbers(self) -> bool:
        """Whether an opponent counted with another number than a published rating."""
        return any(each.rating_is for each in self.games)

    @property
    def with_replaced(self) -> bool:
        """Whether an opponent counted with the rating of whom he replaced as a substitute."""
        return any(each.rating_is == "replaced" for each in self.games)

    @property
    def most_lines(self) -> int:
        """Of a paragraph's games that are shown."""
        return _MOST_LINES


def explanation(number: int, pool: int, key: str, view: View = View.public) -> Explanation:
    """The explanation of a person's change in a batch of a pool; refused where there is none."""
    one = published().get(pool)
    who = identity(number, one.run.upto if one else None)
    person = who.person
    rows = [] if one is None else [
        each for each in versions_of(person) if each["pool"] == pool and each["key"] == key
    ]  # fmt: skip
    hold = [each for each in _last_of_turns(rows) if not each["gone"]]
    if one is None or not hold:
        raise refuse(
            "office.no-change", _("Nothing of this player was rated there."),
            _("Look at the page of the player."),
        )  # fmt: skip
    until = published_until([one], [person]).get((pool, person), date.max)
    is_published = hold[-1]["day"] <= until
    if view is View.public and not is_published:
        raise refuse(
            "office.no-published-rating",
            _("The rules of the pool do not publish this rating: they want more, as more games."),
            _("Look at the page of the player. The office, and the player when signed in, see it."),
        )  # fmt: skip
    rated = _joined(derived(current(), one.run, person, key))
    edition = one.rules.book().edition(hold[-1]["day"])
    assert isinstance(edition, RuleBook)
    number_of = ledger_numbers(current(), one.run)
    if not counts_with_own_numbers(one, hold[-1]["day"]):
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
    begins = _begins(one, hold[-1]["day"], games, person, before_of)
    steps: Sequence[Step] | None = rated.explanation
    if view is View.public:
        steps = public_steps(rated.explanation, "con" if edition.game == "Go" else "K")
    by_age = view is not View.office and rates_by_age(edition)
    if by_age and is_near_somebody_new(one, key, {game.event_id for game in games}, person):
        # The age could be reckoned from a number as it is before it is rounded.
        steps = None
    exact = rated
    if steps is None:
        rated = replace(
            rated, row=_as_published(rated.row, one, hold),
            coefficients=tuple(round(each, _DECIMALS_OF_K) for each in rated.coefficients),
        )  # fmt: skip
    said = told_games(
        games, person, counted, () if steps is None else steps, number_of, names,
        before_of, begins,
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
    events = tuple(dict.fromkeys(game.named for game in games))
    day = hold[-1]["day"]
    before, after = one.rounded(hold[0]["before"], day), one.rounded(hold[-1]["after"], day)
    ends = one.rounded(rated.row.after, day)
    reached, corrected = corrections_of(person, rows)
    reaching = reached.get((pool, key), ())
    corrections = tuple(each for each in corrected.get(pool, ()) if each.number in reaching)
    since = _since(one, rows)
    # Of what the rules do not publish nobody has reckoned how much came with the corrections.
    told = frozenset(publications_of(pool, reaching) & _revising(rows) if is_published else ())
    return Explanation(
        person=person, name=names.get(person, ""), pool=pool, pool_name=one.pool.name,
        decimals=one.decimals_on(day), key=key, day=day, by_lists=one.by_lists,
        rulebook=one.run.rulebook, edition=edition.name, edition_from=edition.valid_from,
        run=hold[-1]["run"], published=_day_of(hold[-1]["published"]),
        events=events,
        before=before, after=after, change=one.change(before, after),
        sentence=account.sentence(SPOKEN), sum=sum_line(account, SPOKEN),
        games=rows_of(account, games, person, said, one.decimals_on(day)),
        rated_games=rated.row.games, score=rated.row.score, expected=rated.row.expected,
        average=account.average, of_games=account.of_games, performance=rated.row.performance,
        name_of_k=account.name_of_k, coefficients=account.coefficients,
        paragraphs=paragraph_by_paragraph(
            _named(shown, games), edition, account.name_of_k, SPOKEN
        ),
        is_published=is_published, is_withheld=steps is None,
        differs=""
        if ends == after or ends is None
        else localised(f"{ends:.{one.decimals_on(day)}f}"),
        substitutes=_of_substitutes(one, events, who),
        unrounded=rated.row.after if ends == after != rated.row.after else None,
        otherwise=otherwise(person, pool, {each.report for each in events}),
        since=since, corrections=corrections,
        reasons=tuple(dict.fromkeys((
            *reasons_of(pool, _revising(rows) - told, person, day),
            *reasons_beside(
                pool, told, (person, key), day,
                is_first=any(not one.publishes(each["after"] or 0, 0) for each in rows),
            ),
        ))) if since else (),
    )  # fmt: skip


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


def _revising(rows: Iterable[Mapping[str, Any]]) -> set[int]:
    """The publications that made another number of what was published."""
    turns: dict[int, list[int]] = {}
    for each in rows:
        turns.setdefault(each["turn"], []).append(each["seq"])
    return {seq for some in turns.values() for seq in some[1:]}


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


def _day_of(moment: datetime | str) -> date:
    """The day of a moment: databases give some as texts."""
    found = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return found.date()


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
        text = step.text
        for key, named in events.items():
            text = (
                text.renamed(key, named.name)
                if isinstance(text, Sentence)
                else text.replace(key, named.name)
            )
        found.append(replace(step, text=text))
    return found


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
    old, new = one.change(*was), one.change(*holds)
    brought, here = one.change(was[0], holds[0]), one.change(old, new)
    in_all = one.change(was[1], holds[1])
    return (
        Since("before", was[0], holds[0]),
        Since("change", old, new),
        Since("after", was[1], holds[1], in_all, brought, here),
    )
