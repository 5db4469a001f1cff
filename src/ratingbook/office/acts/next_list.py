"""Corrections that go on the next list: a difference is added, and what was rated stays.

The games are rated once more with the numbers that were in force, as they should have been; by
what comes out otherwise the ratings differ from the next list on.  Nothing that follows is rated
again, and no published number changes.

Each correction is measured by what those before it made of the same batch, be it on a list by now
or only accepted: so several of them come to what all of them at once would have come to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.model.sentences import sentence
from ratingbook.office.acts import amendments
from ratingbook.office.acts.people import merges
from ratingbook.office.acts.published import head_run, table_of
from ratingbook.office.acts.same_entries import entries_of
from ratingbook.office.acts.setup import decimals_of, rules_of
from ratingbook.office.acts.snapshots import raw_of, read_sections
from ratingbook.office.acts.states import READY, SUPERSEDED, states
from ratingbook.office.acts.taken_out import WORDS, otherwise_without
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.lists import next_list
from ratingbook.office.engine.rating import batches_of_games, rate
from ratingbook.office.engine.rules import Rules, why_no_decision
from ratingbook.office.home import Home
from ratingbook.office.logic.corrections import Content
from ratingbook.office.logic.feeding import Overlay, feed_of, games_of, in_order
from ratingbook.office.logic.reach import OnNextList
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m

RERATE, NEXT_LIST = "rerate", "next_list"
_GOES = ("game", "player", "withdraw", "late", "undo")
"""Kinds of which a difference can be made: they are of games that were rated."""


class RatedAgain(Exception):
    """No difference can be made of a correction: why."""


def next_day(rules: Rules, until: date) -> date:
    """The day of the first list after what is published, as the calendar has it.

    It may have closed for events: a correction is none.  Where events are rated as they come it is
    the day after.
    """
    after = until + timedelta(days=1)
    return next_list(rules, after, None) or after


def sections_of_contents(contents: Sequence[Content]) -> set[int]:
    """The sections in which games are corrected."""
    named = ("sections", "replaced")
    found = {one for each in contents for key in named for one in each.get(key, ())}
    keys = [each["key"] for each in contents if each["kind"] == "game"]
    undone = [each["fact"] for each in contents if each["kind"] == "undo"]
    keys += m.GameFix.objects.filter(fact__in=undone).values_list("stable_key", flat=True)
    found |= set(amendments.games_keyed(keys, contents).values_list("section", flat=True))
    entries = [one.id for each in contents if each["kind"] == "player" for one in entries_of(each)]
    for side in ("white", "black"):
        games = m.Game.objects.filter(**{f"{side}__in": entries})
        found |= set(games.values_list("section", flat=True))
    return found


def goes_on_next_list(pool: m.Pool, contents: Sequence[Content], upto: int, way: str) -> bool:
    """Whether a difference is wanted: by policy, or since an earlier one was made of the same."""
    return way == NEXT_LIST or bool(_kept(pool, contents, upto))


def _kept(pool: m.Pool, contents: Sequence[Content], upto: int) -> set[int]:
    kept = amendments.kept_of(upto).keys()
    if not kept:
        return set()
    return kept & sections_of_contents(contents) & amendments.sections_in(pool.id, upto)


def made_of(home: Home, pool: m.Pool, contents: Sequence[Content], upto: int) -> OnNextList:
    """What corrections add in a pool; :class:`RatedAgain` where they can only be rated again."""
    try:
        return _Making(home, pool, contents, upto).made()
    except RatedAgain as why:
        if _kept(pool, contents, upto):
            raise refuse(
                "office.on-next-list",
                sentence(
                    "An earlier correction of the event went on the next list, so it "
                    "is not rated again; of this one no difference can be made: {why}.",
                    why=why.args[0],
                ),
                amendments.CORRECTABLE,
            ) from None
        raise


class _Making:
    """The games of some sections three times: as they are fed, as known now, as corrected.

    They are the sections in which something is corrected, and all that stay as they were fed.
    """

    def __init__(self, home: Home, pool: m.Pool, contents: Sequence[Content], upto: int) -> None:
        run = head_run(pool)
        assert run is not None
        self._home, self._pool, self._run, self._upto = home, pool, run, upto
        self._contents, self._rules = contents, rules_of(pool)
        self._decimals = decimals_of(pool)
        own = amendments.sections_in(pool.id, upto)
        self._kept = amendments.kept_of(upto)
        self._sections = sections_of_contents(contents) & own
        self._anew = self._sections | (self._kept.keys() & own)
        self._raw = raw_of(home, pool.id, upto)
        self._merged = merges(upto)

    def made(self) -> OnNextList:
        """The difference of each person."""
        self._refuse_others()
        day = next_day(self._rules, self._run.until)
        now = amendments.overlay_of(self._upto)
        fed = games_of(self._raw.games, self._merged, now)
        # What is not rated now, since it was taken out, does not come in by being kept.
        rated = self._sections & set(self._raw.sections["number"].to_pylist())
        known, corrected, entries = self._known()
        changed = _otherwise(known, corrected)
        sides = (_Side(known, now), _Side(corrected, replace(now, entries=entries)))
        values: dict[int, float] = {}
        batches = self._by_batch(fed, sides, changed) if changed else []
        if any(last > self._run.until for _, last, _ in batches):
            raise RatedAgain(sentence("games of it are not rated yet"))
        for batch in batches:
            for person, value in self._of_batch(fed, sides, batch).items():
                values[person] = values.get(person, 0.0) + value
        values = {
            person: value for person, exact in sorted(values.items())
            if (value := self._publishable(exact, day))
        }  # fmt: skip
        self._check(values)
        return OnNextList(day, values, tuple(sorted(rated - self._kept.keys())), self._upto)

    def _publishable(self, value: float, day: date) -> float:
        """A difference with as many decimals as the rules publish from a day on.

        Ratings go on with more, and of one that was printed a list would print another sum.
        """
        decimals = self._rules.book().edition(day).on(day).published_decimals
        return value if decimals is None else round(value, decimals)

    def _refuse_others(self) -> None:
        for each in self._contents:
            if each["kind"] not in _GOES:
                raise RatedAgain(sentence("it is of more than the games of an event"))
        undone = [each["fact"] for each in self._contents if each["kind"] == "undo"]
        if m.Fact.objects.filter(seq__in=undone).exclude(kind__in=("game fixed", *WORDS)).exists():
            raise RatedAgain(sentence("it is of more than the games of an event"))
        played = [each["entry_id"] for each in self._contents if each["kind"] == "player"]
        if m.Substitution.objects.filter(entry__in=played).exists():
            raise RatedAgain(sentence("it is of somebody whom a substitute replaced"))
        let_in = [set(each["sections"]) for each in self._contents if each["kind"] == "late"]
        come, _ = otherwise_without(undone, self._upto)
        if any(self._kept.keys().isdisjoint(each) for each in (*let_in, come) if each):
            raise RatedAgain(
                sentence("an event that comes late is rated by the rules for late events")
            )

    def _known(self) -> tuple[pa.Table, pa.Table, Mapping[tuple[int, int], int]]:
        """The games of the sections as they are known now, and as they are corrected.

        Also who the entries are instead.
        """
        others = {number: then for number, then in self._kept.items() if number not in self._anew}
        trial = amendments.tried(self._contents, self._pool, self._rules, self._upto, others)
        overlay = amendments.overlay_of(self._upto, kept=others)
        ready = self._counting()
        corrected = (ready | trial.also) - trial.overlay.without
        raw = read_sections(sorted(self._anew | trial.also), self._pool.id, self._upto)
        self._raw = self._raw.without(self._anew | trial.also).joined(raw)
        found = [
            games_of(raw.only(numbers).games, self._merged, laid)
            for numbers, laid in ((ready, overlay), (corrected, trial.overlay))
        ]
        return found[0], found[1], trial.overlay.entries

    def _counting(self) -> set[int]:
        """Those of the sections that count now; of what stays it is never a later version."""
        now = states(sorted(self._anew), self._upto)
        counts = {number for number, state in now.items() if state == READY}
        counts |= {number for number in self._kept if now.get(number) == SUPERSEDED}
        return counts - amendments.beside_kept(self._upto)

    def _fed(self, fed: pa.Table, side: _Side, games: set[int]) -> Fed:
        """What is fed, with some games as one side says."""
        return feed_of(_instead(fed, games, side.games), self._raw, self._merged, side.overlay)

    def _by_batch(
        self, fed: pa.Table, sides: Sequence[_Side], changed: set[int]
    ) -> list[tuple[str, date, set[int]]]:
        """The batches in which games that are corrected were rated.

        Each has all of its games that are otherwise than they were fed, by this or an earlier one.
        """
        anew = pa.array(sorted(self._anew), pa.int64())
        before = fed.filter(pc.is_in(fed["number"], value_set=anew))
        games = changed | _otherwise(before, sides[0].games)
        place: dict[int, tuple[str, date]] = {}
        for side in (*sides, _Side(before, sides[0].overlay)):
            if place.keys() >= games:
                # Only what was taken out earlier is in none of the two.
                break
            laid = _instead(fed, games, side.games)
            keys, days = batches_of_games(self._fed(fed, side, games), self._rules)
            rows = zip(laid["game"].to_pylist(), keys, days, strict=True)
            place |= {game: (key, day) for game, key, day in rows if game in games}
        found: dict[tuple[str, date], set[int]] = {}
        for game, at in place.items():
            found.setdefault(at, set()).add(game)
        return [
            (key, day, some) for (key, day), some in sorted(found.items())
            if not changed.isdisjoint(some)
        ]  # fmt: skip

    def _of_batch(
        self, fed: pa.Table, sides: Sequence[_Side], batch: tuple[str, date, set[int]]
    ) -> Mapping[int, float]:
        """By how much more each person gains in a batch, into which everybody goes as before."""
        key, day, games = batch
        gained = []
        for side in sides:
            changes = rate(self._fed(fed, side, games), self._rules, day).changes
            gained.append(_gains(changes.filter(pc.equal(changes["key"], key))))
        was, now = gained
        found = {}
        for person in was.keys() | now.keys():
            before, after = was.get(person, 0.0), now.get(person, 0.0)
            if isinstance(before, float) and isinstance(after, float):
                found[person] = after - before
            elif before != after:
                raise RatedAgain(
                    sentence("it changes the first rating of person {person}", person=person)
                )
        return found

    def _check(self, values: Mapping[int, float]) -> None:
        """Only a rating that is no longer made of single games takes a difference."""
        table = table_of(self._home, self._run.ratings_id or "")
        columns = (table[name].to_pylist() for name in ("player", "rating", "status"))
        known = {player: (rating, status) for player, rating, status in zip(*columns, strict=True)}
        for person, value in values.items():
            rating, status = known.get(str(person), (None, None))
            if rating is None or status != "established":
                raise RatedAgain(
                    sentence("the rating of person {person} is not established", person=person)
                )
            why = why_no_decision(self._rules, None, rating + value)
            if why:
                raise RatedAgain(
                    sentence(
                        "person {person} would be rated {rating:.10g}",
                        person=person, rating=rounded_one(rating + value, self._decimals),
                    )
                )  # fmt: skip


@dataclass(frozen=True)
class _Side:
    """The games of some sections, and what corrections say besides."""

    games: pa.Table
    overlay: Overlay


def _instead(fed: pa.Table, games: set[int], other: pa.Table) -> pa.Table:
    """The games that are fed, with some as they are in another table."""
    some = pa.array(sorted(games), pa.int64())
    rest = fed.filter(pc.invert(pc.is_in(fed["game"], value_set=some)))
    mine = other.filter(pc.is_in(other["game"], value_set=some))
    return in_order(pa.concat_tables([rest, mine]))


def _otherwise(one: pa.Table, other: pa.Table) -> set[int]:
    """The games that are not the same in two tables."""
    first, second = ({row["game"]: row for row in table.to_pylist()} for table in (one, other))
    return {game for game in first.keys() | second.keys() if first.get(game) != second.get(game)}


def _gains(rows: pa.Table) -> dict[int, float | tuple[float | None, ...]]:
    """What each person gains in a batch; of who had no rating before all of the new ones."""
    found: dict[int, float | tuple[float | None, ...]] = {}
    for row in rows.to_pylist():
        person, before, after = int(row["player"]), row["before"], row["after"]
        known = found.get(person, 0.0)
        if isinstance(known, float) and before is not None and after is not None:
            found[person] = known + (after - before)
        else:
            found[person] = (*(known if isinstance(known, tuple) else ()), before, after)
    return found
