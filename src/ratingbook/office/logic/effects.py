"""What corrections changed of the numbers that were published, and which of them did.

Two generations of published numbers are laid beside each other, person by person. Of what
differs a correction is a cause if it reaches the number and does not merely bring back what was
published, or if the number were another one without it: several that one run brings are told of
together, for nobody ever saw what each would have made by itself.

Reports that came in the same run have changed numbers, too.  What corrections did without them is
known from the rows that they reach: each has what it was without the correction, and is with it,
on the same facts.  So much is added to what was published before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from itertools import groupby, zip_longest
from math import fsum
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.model.decimals import change_of
from ratingbook.office.logic.comparing import published
from ratingbook.office.logic.rounding import rounded_one

At = tuple[str, int]
"""A batch and a person."""
_DECIMALS = 6
"""No list has more: a difference of two numbers has none that are not theirs."""


class Row(NamedTuple):
    """A person's published row of a batch."""

    before: float | None
    after: float | None
    games: int | None
    score: float | None


Turns = Mapping[int, Row]
"""The rows of a person in a batch: several where a book rates game by game."""


@dataclass
class Course:
    """A person's published rows, batch by batch."""

    days: dict[str, date] = field(default_factory=dict)
    turns: dict[str, dict[int, Row]] = field(default_factory=dict)
    _order: list[tuple[date, str]] | None = None

    def put(self, key: str, turn: int, day: date, row: Row) -> None:
        """Enter a row."""
        self.days[key] = day
        self.turns.setdefault(key, {})[turn] = row
        self._order = None

    def drop(self, key: str, turn: int) -> None:
        """Take a row out."""
        turns = self.turns.get(key, {})
        turns.pop(turn, None)
        if not turns:
            self.turns.pop(key, None)
            self.days.pop(key, None)
        self._order = None

    def copy(self) -> Course:
        """The same, to be changed."""
        return Course(dict(self.days), {key: dict(some) for key, some in self.turns.items()})

    @property
    def order(self) -> list[tuple[date, str]]:
        """The batches in their order."""
        if self._order is None:
            self._order = sorted((day, key) for key, day in self.days.items())
        return self._order

    def last(self, day: date, key: str | None = None) -> str | None:
        """The last batch up to a day, and within the day up to a key."""
        order = self.order
        found = (
            bisect_right(order, day, key=lambda at: at[0])
            if key is None
            else bisect_right(order, (day, key))
        )
        return order[found - 1][1] if found else None

    def left(self, key: str) -> float | None:
        """The rating that a batch left."""
        turns = self.turns[key]
        return turns[max(turns)].after

    @property
    def begun(self) -> float | None:
        """The rating with which the first batch was entered."""
        return self.entered(self.order[0][1]) if self.order else None

    def entered(self, key: str) -> float | None:
        """The rating with which a batch was entered."""
        turns = self.turns[key]
        return turns[min(turns)].before

    def following(self, key: str | None) -> str | None:
        """The batch after another one; without one the first."""
        order = self.order
        place = 0 if key is None else bisect_right(order, (self.days[key], key))
        return order[place][1] if place < len(order) else None


@dataclass(frozen=True)
class Beside:
    """What has moved ratings beside all games, up to the end of a run.

    What was decided of a person moves the rating when the person plays: it is in the row of that.
    """

    reforms: tuple[date, ...] = ()
    """The days on which the rules changed all ratings."""
    follow_lists: bool = False
    """Whether a reform follows the list of its day; else events of the day are rated after it."""
    added: Mapping[int, Sequence[tuple[date, float]]] = field(default_factory=dict)
    """By person what corrections added at the ends of days."""
    came: Mapping[int, float] = field(default_factory=dict)
    """With which ratings persons came in: nobody else has one before the first own game."""

    def moves(self, person: int) -> list[tuple[_Place, float | None]]:
        """When something moved the rating of a person, and by how much; a reform: nobody knows."""
        order = _AFTER if self.follow_lists else _BEFORE
        found: list[tuple[_Place, float | None]] = [
            ((day, order, ""), None) for day in self.reforms
        ]
        found += (((day, _ADDED, ""), value) for day, value in self.added.get(person, ()))
        return sorted(found, key=lambda each: each[0])


_Place = tuple[date, int, str]
"""A day, what happens within it, and the key of a batch."""
_BEFORE, _BATCH, _AFTER, _ADDED, _END = range(5)
"""In this order within a day: a reform, batches, a reform that follows a list, differences."""
_LAST: _Place = (date.max, _END, "")


@dataclass(frozen=True)
class Side:
    """What was published of some persons."""

    courses: Mapping[int, Course]
    ratings: Mapping[int, float]
    """In force at the end, also of who came in with a rating and has no rows."""
    decimals: int
    """Of a published number."""
    beside: Beside = field(default_factory=Beside)
    hidden: Mapping[int, date] = field(default_factory=dict)
    """After which day nothing is published of those whose rating the rules hold back."""

    def is_hidden(self, person: int, day: date) -> bool:
        """Whether the rules do not publish the rating of a day."""
        return person in self.hidden and day > self.hidden[person]

    def turns(self, key: str, person: int) -> dict[int, Row]:
        """The rows of a person in a batch."""
        course = self.courses.get(person)
        return {} if course is None else course.turns.get(key, {})

    def games(self, person: int) -> int:
        """How many games of a person were rated in all: by these rules publish a rating."""
        turns = self.courses.get(person, Course()).turns.values()
        return sum(row.games or 0 for some in turns for row in some.values())

    def day(self, key: str, person: int) -> date | None:
        """When the batch was, for the person."""
        course = self.courses.get(person)
        return None if course is None else course.days.get(key)

    def last(self, person: int, day: date, key: str | None = None) -> str | None:
        """The last batch of a person up to a day, and within the day up to a key."""
        course = self.courses.get(person)
        return None if course is None else course.last(day, key)

    def standing(self, person: int, day: date, key: str | None = None) -> float | None:
        """The rating at the end of a day, or within the day after a batch.

        Whatever moved it beside the games since the last own batch is in it.
        """
        at = (day, _END, "") if key is None else (day, _BATCH, key)
        return self._standing(person, at)

    def before_added(self, person: int, day: date) -> float | None:
        """The rating on a day before corrections added something at its end."""
        return self._standing(person, (day, _AFTER, ""))

    def shown_on(self, person: int, day: date, lists: Iterable[date]) -> date:
        """Where the number of a day is published: on the first list from then on.

        If events of the person come before that list, they are entered with the number.
        """
        first = min((each for each in lists if each >= day), default=day)
        return first if self.last(person, first) == self.last(person, day) else day

    def _standing(self, person: int, at: _Place) -> float | None:
        course = self.courses.get(person, Course())
        last = course.last(at[0], at[2] if at[1] == _BATCH else None)
        if last is None and person not in self.beside.came:
            # With what the rules begin nobody has a rating, until there is a game.
            return None
        following = course.following(last)
        begin = self.beside.came.get(person) if last is None else course.left(last)
        end = self.ratings.get(person) if following is None else course.entered(following)
        since = (date.min, 0, "") if last is None else (course.days[last], _BATCH, last)
        until = (
            (date.max, 0, "") if following is None
            else (course.days[following], _BATCH, following)
        )  # fmt: skip
        moves = [each for each in self.beside.moves(person) if since < each[0] < until]
        before = [value for place, value in moves if place <= at]
        after = [value for place, value in moves if place > at]
        # With what somebody came in is known best by how the first batch was entered.
        if (last is None and (None not in after or begin is None)) or None in before:
            return self._moved(end, after, -1)
        return self._moved(begin, before, 1) if after else (end if before else begin)

    def _moved(self, number: float | None, by: Iterable[float | None], sign: int) -> float | None:
        """A number with what moved it, as far as anybody knows."""
        known = [value for value in by if value is not None]
        if number is None or not known:
            return number
        return rounded_one(round(number + sign * sum(known), _DECIMALS), self.decimals)


def side(
    table: pa.Table, ratings: Mapping[int, float], decimals: int, beside: Beside,
    hidden: Mapping[int, date] | None = None,
) -> Side:  # fmt: skip
    """The published numbers of the persons of a table of rows; what is ``hidden`` is none."""
    hidden = hidden or {}
    found: dict[int, Course] = {}
    for row in published(table, decimals).to_pylist():
        person = int(row["player"])
        course = found.setdefault(person, Course())
        said = Row(row["before"], row["after"], row["games"], row["score"])
        if row["date"] > hidden.get(person, date.max):
            said = said._replace(before=None, after=None)
        course.put(row["key"], row["turn"], row["date"], said)
    shown = {person: rating for person, rating in ratings.items() if person not in hidden}
    return Side(found, shown, decimals, beside, hidden)


class _Own(NamedTuple):
    """A row as corrections leave it, if nothing else came; None: it is gone."""

    key: str
    person: int
    turn: int
    day: date
    row: Row | None


def by_themselves(
    old: Side, reached: Mapping[int, pa.Table]
) -> tuple[Side, dict[At, tuple[int, ...]]]:
    """What is published as corrections leave it by themselves, in the order of ``reached``.

    And by batch and person those of them that reach more than what was published already.
    """
    now, found = old, dict[At, list[int]]()
    for number, table in reached.items():
        every = table.to_pylist()
        rows = [own for row in every if (own := _own(now, row)) is not None]
        now = _overlaid(now, rows)
        opened = {
            row["person"]: row["after"] for row in every
            if row["key"] == OPENED and row["person"] not in now.courses
        }  # fmt: skip
        now = _come_in(now, opened)
        for person, rating in opened.items():
            if old.ratings.get(person) != rating:
                found.setdefault((OPENED, person), []).append(number)
        for each in rows:
            at = each.key, each.person
            is_moved = each.row is not None and old.day(*at) != each.day
            is_other = is_moved or old.turns(*at).get(each.turn) != each.row
            if is_other and number not in found.get(at, ()):
                found.setdefault(at, []).append(number)
    return now, {at: tuple(sorted(some)) for at, some in found.items()}


def _come_in(old: Side, opened: Mapping[int, float | None]) -> Side:
    """What is published, with other ratings of those who have no rated game."""
    ratings = {**old.ratings, **opened}
    return replace(old, ratings={p: rating for p, rating in ratings.items() if rating is not None})


def without(
    reached: Mapping[At, tuple[int, ...]], some: Collection[int]
) -> dict[At, tuple[int, ...]]:
    """By batch and person the other corrections that reach a number: of some nothing is left.

    Rows that only such corrections reach stay: another one may have moved them between the two.
    """
    return {at: tuple(x for x in every if x not in some) for at, every in reached.items()}


def together(
    reached: Mapping[At, tuple[int, ...]],
    needed: Mapping[At, tuple[int, ...]],
    lost: Collection[int] = (),
) -> dict[At, tuple[int, ...]]:
    """By batch and person the corrections that a number needs, of those that one run brings.

    Where each of them alone is as much as all, so that it needs none: those that reach it.  Of
    persons who are ``lost``, with no rating at all any more, it is each that reaches anything: one
    that was accepted later found no row there which it could have taken away.
    """
    of_lost: dict[int, set[int]] = {}
    for (_, person), some in reached.items():
        if person in lost:
            of_lost.setdefault(person, set()).update(some)
    return {
        at: needed.get(at) or tuple(sorted({*some, *of_lost.get(at[1], ())}))
        for at, some in reached.items()
        if some or at in needed
    }


def _own(now: Side, row: Mapping[str, Any]) -> _Own | None:
    """What a row that a correction reaches makes of what is published; None: nothing.

    A row that is there without the correction, and is not published, is one of other reports.
    """
    key, person, turn = row["key"], row["person"], row["turn"]
    then = now.turns(key, person).get(turn)
    was, made = _row(row, "was_"), _row(row, "")
    if was is None and made is not None and then is None:
        left = now.standing(person, row["day"], key)
        before, after = (_shifted(left, row["was_before"], x) for x in (made.before, made.after))
        return _Own(key, person, turn, row["day"], made._replace(before=before, after=after))
    if then is None or was is None:
        return None
    if made is None:
        return _Own(key, person, turn, row["day"], None)
    shifted = Row(*(_shifted(*each) for each in zip(then, was, made, strict=True)))
    return _Own(key, person, turn, row["day"], shifted)


def _row(row: Mapping[str, Any], which: str) -> Row | None:
    """A row without or with the correction; None: there is none."""
    if row[f"{which}games"] is None:
        return None
    return Row(*(row[f"{which}{name}"] for name in Row._fields))


def _shifted(then: Any, was: float | None, made: float | None) -> Any:
    """A published number, moved by as much as another one is with a correction."""
    if then == was or then is None or was is None or made is None:
        return made
    return round(then + (made - was), _DECIMALS)


def _overlaid(old: Side, rows: Iterable[_Own]) -> Side:
    """What is published, with other rows."""
    found: dict[int, Course] = {}
    for each in rows:
        if each.person not in found:
            found[each.person] = old.courses.get(each.person, Course()).copy()
        course = found[each.person]
        course.drop(each.key, each.turn)
        if each.row is not None:
            course.put(each.key, each.turn, each.day, each.row)
    ratings = {person: x for person, x in old.ratings.items() if person not in found}
    ratings |= _carried(old, found)
    return replace(old, courses={**old.courses, **found}, ratings=ratings)


def as_came(own: Side, old: Side, new: Side) -> Side:
    """What corrections make by themselves, with what is known of it once all is published.

    How they change a rating on which nothing is rated later, only the run knows where a reform
    lies between.
    """
    ratings: dict[int, float | None] = dict(own.ratings)
    for person, course in own.courses.items():
        known, rating = _known_end(course, new.courses.get(person, Course())), ratings.get(person)
        if known == "":
            ratings[person] = new.ratings.get(person)
        elif known is not None:
            ratings[person] = new.courses[person].entered(known)
        elif rating is not None:
            by, before = (
                fsum(value for _, value in each.beside.added.get(person, ())) for each in (new, old)
            )
            ratings[person] = round(rating + by - before, _DECIMALS)
    kept = {person: rating for person, rating in ratings.items() if rating is not None}
    return replace(own, ratings=kept, beside=new.beside)


def _known_end(own: Course, new: Course) -> str | None:
    """The first batch of a person that came after all others; "": none came; None: some differ."""
    if any(new.turns.get(key) != turns for key, turns in own.turns.items()):
        return None
    more = [place for place in new.order if place[1] not in own.turns]
    if own.order and more and more[0] < own.order[-1]:
        return None
    return more[0][1] if more else ""


def _carried(old: Side, courses: Mapping[int, Course]) -> dict[int, float]:
    """The ratings to which other rows lead, if what moved ratings beside them is as it was."""
    found = {}
    for person, course in courses.items():
        was = old.courses.get(person, Course())
        last = course.order[-1] if course.order else None
        if last is not None:
            number = course.left(last[1])
        elif was.order:
            # How the first batch was entered has all that moved before it what somebody had.
            number = was.begun if person in old.beside.came else None
        else:
            number = old.ratings.get(person)
        if number is not None:
            moves = old.beside.moves(person)
            moved = (_after(last, gap, moves) for gap in _gaps(was, old.ratings.get(person)))
            found[person] = round(number + fsum(moved), _DECIMALS)
    return found


class _Gap(NamedTuple):
    """Between two batches of a person, or after the last one, and by how much the rating moved."""

    since: _Place
    until: _Place
    by: float


def _gaps(course: Course, end: float | None) -> list[_Gap]:
    found = []
    for place, then in zip_longest(course.order, course.order[1:]):
        begin, to = course.left(place[1]), end if then is None else course.entered(then[1])
        by = 0.0 if begin is None or to is None else to - begin
        found.append(_Gap(_of_batch(place), _LAST if then is None else _of_batch(then), by))
    return found


def _of_batch(place: tuple[date, str]) -> _Place:
    return (place[0], _BATCH, place[1])


def _after(
    last: tuple[date, str] | None, gap: _Gap, moves: Iterable[tuple[_Place, float | None]]
) -> float:
    """By how much a rating moved in a gap after what is the last batch now.

    What moved it before that batch is in the rating that it left already.
    """
    if last is None or _of_batch(last) <= gap.since:
        return gap.by
    within = [(place, by) for place, by in moves if gap.since < place < gap.until]
    later = [by for place, by in within if place > _of_batch(last)]
    reformed = gap.by - fsum(by for _, by in within if by is not None)
    return fsum(reformed if by is None else by for by in later)


class Listing(StrEnum):
    """Whether a list has lost or gained the line of somebody who has a rating all the same."""

    same = ""
    left = "left"
    came = "came"


@dataclass(frozen=True)
class Number:
    """A published rating that became another one: after a batch of the person, or on a list."""

    pool: int
    key: str
    """The batch after which it stands, or the list on which it does."""
    day: date
    person: int
    was: float | None
    now: float | None
    corrections: tuple[int, ...]
    """Those that made it so, together."""
    change: float | None
    """By how much they did: all of the difference, if nothing else came in the same run."""
    is_added: bool = False
    """Whether it is a difference on the next list, and nothing was rated again."""
    is_first_with_others: bool = False
    """Whether it is a first rating that rests on something else of the same run, too."""
    listing: Listing = Listing.same
    """Whether a list has no line of the person any more, or has one now, where ratings stay."""

    @property
    def is_on_list(self) -> bool:
        """Whether it is told by the list that has it, and not by a batch."""
        return self.key.startswith(OF_A_LIST)

    @property
    def is_with_others(self) -> bool:
        """Whether something else of the same run moved it, too: reports, or what was said anew."""
        if self.change is None:
            return self.is_first_with_others
        return self.change != change_of(self.was, self.now)


def numbers(
    pool: int, old: Side, new: Side, own: Side, reached: Mapping[At, tuple[int, ...]]
) -> list[Number]:
    """The numbers that were published otherwise, in their order; none that only others moved.

    ``own`` is what corrections have made of the old ones by themselves.
    """
    found = []
    for (key, person), corrections in reached.items():
        days = [each.day(key, person) for each in (old, own, new)]
        day = days[2] or days[0]
        if day is None:
            continue
        was, made, now = (
            each.standing(person, its or day, key)
            for each, its in zip((old, own, new), days, strict=True)
        )
        if new.is_hidden(person, days[2] or day):
            # Whatever corrections make of it by themselves, nobody sees.
            made = now = None
        is_first = was is None and now is not None
        if is_first or was not in (now, made):
            found.append(
                Number(
                    pool, key, day, person, was, now, corrections, change_of(was, made),
                    is_first_with_others=is_first and _rests_on_others(own, new, person, made),
                )
            )  # fmt: skip
    return sorted(found, key=lambda each: (each.day, each.key, each.person))


def _rests_on_others(own: Side, new: Side, person: int, made: float | None) -> bool:
    """Whether corrections by themselves make no rating that is published, or one of other games."""
    return made is None or own.games(person) != new.games(person)


def added(
    pool: int,
    old: Side,
    new: Side,
    own: Side,
    reached: Mapping[At, tuple[int, ...]],
    put: Mapping[tuple[date, int], tuple[int, ...]],
    lists: Iterable[date],
) -> list[Number]:
    """The numbers that differences made others; ``put``: by day and person by which corrections.

    All that come at once are told of together: nobody saw what each made by itself.  So is what
    corrections of the same run made of the last event before, which are those that ``reached`` it.
    """
    every = list(lists)
    found = []
    for (day, person), corrections in sorted(put.items()):
        was, now = new.before_added(person, day), new.standing(person, day)
        made, last = now, new.last(person, day)
        with_it = reached.get((last, person), ()) if last else ()
        if with_it and old.last(person, day) == last:
            was, made = old.standing(person, day), own.standing(person, day)
        if was != now:
            shown = new.shown_on(person, day, every)
            all_, change = tuple(sorted({*corrections, *with_it})), change_of(was, made)
            found.append(Number(
                pool, key_of_list(shown), shown, person, was, now,
                corrections=all_, change=change, is_added=True,
            ))  # fmt: skip
    return found


@dataclass(frozen=True)
class Waiting:
    """A difference that is decided and in no published number yet."""

    correction: int
    day: date
    value: float


def added_later(
    pool: int, ratings: Mapping[int, float], waiting: Mapping[int, Sequence[Waiting]], decimals: int
) -> list[Number]:
    """The numbers that differences are going to make others, of exact ratings of now."""
    found = []
    for person, every in sorted(waiting.items()):
        exact = ratings.get(person)
        for day, some in groupby(sorted(every, key=lambda each: each.day), lambda x: x.day):
            if exact is None:
                break
            of_day = list(some)
            then = exact + fsum(each.value for each in of_day)
            was, now = (rounded_one(each, decimals) for each in (exact, then))
            corrections = tuple(sorted({each.correction for each in of_day}))
            if was != now:
                found.append(Number(
                    pool, key_of_list(day), day, person, was, now,
                    corrections=corrections, change=change_of(was, now), is_added=True,
                ))  # fmt: skip
            exact = then
    return found


OF_A_LIST = "list "
"""With which keys begin that are of no batch."""
OPENED = ""
"""In the place of the key of a batch, of the rating with which somebody came in who has none."""


def key_of_list(day: date) -> str:
    """In the place of the key of a batch, of a number that a list has of a day."""
    return f"{OF_A_LIST}{day}"


class Lines(NamedTuple):
    """Who had a rating on the list of a day; all others are told nothing of it."""

    was: frozenset[int]
    now: frozenset[int] | None
    """None: it is not made yet, and has whoever it had, and those without a rating before."""

    def has(self, person: int, was: float | None) -> tuple[bool, bool]:
        """Whether a person stands on it, before and now; ``was``: the rating of before."""
        before = person in self.was
        if self.now is not None:
            return before, person in self.now
        return before, before or was is None

    def told(self, person: int, day: date, old: Side, own: Side, new: Side) -> _OnDay:
        """What holds of a person on the day: before, by corrections themselves, and now.

        A line that is missing is no rating that is: lists leave out who has not played for long.
        """
        was, made, now = (each.standing(person, day) for each in (old, own, new))
        stood, stands = self.has(person, was)
        if new.is_hidden(person, day):
            made = now = None
        if not stood and old.is_hidden(person, day):
            was = None
        if not (stood or stands):
            return _OnDay(None, None, None)
        if was is None or now is None or stood == stands:
            return _OnDay(was, made, now)
        return _OnDay(was, made, now, Listing.came if stands else Listing.left)


class _OnDay(NamedTuple):
    """What holds of a person on the day of a list: before, by corrections themselves, and now."""

    was: float | None
    made: float | None
    now: float | None
    listing: Listing = Listing.same


def on_lists(
    pool: int,
    old: Side,
    new: Side,
    own: Side,
    reached: Mapping[At, tuple[int, ...]],
    needed: Mapping[At, tuple[int, ...]],
    lists: Mapping[date, Lines],
) -> list[Number]:
    """The ratings on the lists of these days that corrections made others.

    ``own`` is what they have made of the old ones by themselves, ``needed`` which of several a
    number on a list needs.  A rating that is on no list makes none differ: lists leave out whom
    the rules do not publish, and in Go who has not played.
    """
    found, people = [], sorted({person for _, person in reached})
    for day, lines in sorted(lists.items()):
        key = key_of_list(day)
        for person in people:
            corrections = needed.get((key, person)) or _carried_by(old, own, reached, person, day)
            if not corrections:
                continue
            was, made, now, listing = lines.told(person, day, old, own, new)
            is_first = was is None and now is not None
            if is_first or listing or was not in (now, made):
                found.append(
                    Number(
                        pool, key, day, person, was, now, corrections, change_of(was, made),
                        is_first_with_others=is_first
                        and _rests_on_others(own, new, person, made),
                        listing=listing,
                    )
                )  # fmt: skip
    return found


def _carried_by(
    old: Side, own: Side, reached: Mapping[At, tuple[int, ...]], person: int, day: date
) -> tuple[int, ...]:
    """The corrections that reach the last number of a person up to a day, before or after them.

    Before the first one it is that with which this was entered; but where only one of both has
    an earlier one, the number came or went with that, and nothing later made it another.
    """
    courses = [each.courses.get(person, Course()) for each in (old, own)]
    last = [each.last(day) for each in courses]
    keys = last if any(last) else [each.following(None) or OPENED for each in courses]
    found = {x for key in keys if key is not None for x in reached.get((key, person), ())}
    return tuple(sorted(found))


def _on_day(one: Number) -> tuple[date, int, float | None, float | None]:
    """What is told of a person on a day, wherever it stands."""
    return one.day, one.person, one.was, one.now


def each_once(found: Iterable[Number], listed: Iterable[Number]) -> list[Number]:
    """Numbers after batches and such on lists in their order, none of them twice.

    What a batch leaves on the day of a list is the number of that list, if it has a line still.
    What a period leaves is so in any case, and says what became of the line.
    """
    on_them = list(listed)
    lines = {_on_day(each): each.listing for each in on_them if each.listing}
    every = [
        replace(each, listing=lines[_on_day(each)])
        if each.key == str(each.day) and _on_day(each) in lines else each
        for each in found
    ]  # fmt: skip
    told = {(_on_day(each), each.listing) for each in every}
    added_ = {(each.key, each.person) for each in every}
    every += (
        each for each in on_them
        if (_on_day(each), each.listing) not in told and (each.key, each.person) not in added_
    )  # fmt: skip
    return sorted(every, key=lambda each: (each.day, each.is_on_list, each.key, each.person))


def beside_each_other(
    pool: int, old: Side, new: Side, person: int, until: date, lists: Mapping[date, Lines]
) -> list[Number]:
    """The numbers of a person, published up to a day, that became others, whatever did it."""
    both = [each.courses.get(person, Course()) for each in (old, new)]
    keys = both[0].days.keys() | {key for key, day in both[1].days.items() if day <= until}
    at: dict[At, tuple[int, ...]] = {
        (key, person): () for key in keys if old.turns(key, person) != new.turns(key, person)
    }
    listed = []
    for day, lines in lists.items():
        was, _, now, listing = lines.told(person, day, old, new, new)
        if was != now or listing:
            key, change = key_of_list(day), change_of(was, now)
            one = Number(pool, key, day, person, was, now, (), change, listing=listing)
            listed.append(one)
    return each_once(numbers(pool, old, new, new, at), listed)


def amended(old: Side, gone: pa.Table, come: pa.Table, ratings: Mapping[int, float]) -> Side:
    """The same persons once rows have gone and others have come, with the ratings of then."""
    courses = {person: course.copy() for person, course in old.courses.items()}
    for table, is_gone in ((gone, True), (come, False)):
        for row in published(of_persons(table, old.courses), old.decimals).to_pylist():
            course = courses[int(row["player"])]
            if is_gone:
                course.drop(row["key"], row["turn"])
            else:
                said = Row(row["before"], row["after"], row["games"], row["score"])
                course.put(row["key"], row["turn"], row["date"], said)
    return replace(old, courses=courses, ratings=ratings)


@dataclass(frozen=True)
class Figures:
    """How much it is, in the numbers that were published."""

    players: int
    """Persons of whom one is otherwise, each counted once in all pools."""
    batches: int
    largest: float | None
    """The largest difference of one of these numbers."""


def figures(some: Sequence[Number]) -> Figures:
    """What is told of these numbers in short."""
    changes = [abs(each.change) for each in some if each.change is not None]
    return Figures(
        players=len({each.person for each in some}),
        batches=len({(each.pool, each.key) for each in some if not each.is_on_list}),
        largest=max(changes, default=None),
    )


def largest_in_pools(some: Iterable[Number]) -> dict[int, Number]:
    """By pool the number with the largest difference; those of two systems are not compared."""
    found: dict[int, Number] = {}
    for each in some:
        known = found.get(each.pool)
        if each.change is not None and (
            known is None or abs(each.change) > abs(known.change or 0.0)
        ):
            found[each.pool] = each
    return found


def of_persons(table: pa.Table, people: Iterable[int]) -> pa.Table:
    """The rows of some persons."""
    wanted = pa.array(sorted(map(str, people)), pa.string())
    return table.filter(pc.is_in(table["player"].cast(pa.string()), value_set=wanted))
