"""What corrections would change in the published numbers, before anybody decides on them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from math import fsum
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from ratingbook.office.acts import amendments, lists, revisions
from ratingbook.office.acts.coming import MENDED, coming
from ratingbook.office.acts.effects import (
    beside_of,
    came_in,
    published_side,
    ratings_of,
    to_come,
    waiting_beside,
    waiting_rows,
)
from ratingbook.office.acts.next_list import (
    NEXT_LIST,
    RERATE,
    RatedAgain,
    goes_on_next_list,
    made_of,
    sections_of_contents,
)
from ratingbook.office.acts.people import merges
from ratingbook.office.acts.published import heads, ratings_in, table_of
from ratingbook.office.acts.registry import suppressed
from ratingbook.office.acts.setup import decimals_of, marks_of, policy, rules_of
from ratingbook.office.acts.snapshots import raw_of
from ratingbook.office.acts.trials import as_published, fed_by, fed_with, sections_of
from ratingbook.office.acts.unpublished import held_back
from ratingbook.office.engine.amended import Amended, Baseline, reaching
from ratingbook.office.engine.fed import Fed, told_anew
from ratingbook.office.engine.rating import listed_on, rate
from ratingbook.office.engine.rules import Rules
from ratingbook.office.home import Home
from ratingbook.office.logic.comparing import (
    MOST_CROSSED,
    Differing,
    by_itself,
    differing,
    moved,
    opened_in,
    report_of,
    touched,
    written,
)
from ratingbook.office.logic.corrections import Content, pools_of
from ratingbook.office.logic.effects import (
    Beside,
    Side,
    Waiting,
    added_later,
    by_themselves,
    figures,
    side,
)
from ratingbook.office.logic.feeding import Basis, Overlay, Raw, feed
from ratingbook.office.logic.lines import Line, otherwise
from ratingbook.office.logic.masked import token
from ratingbook.office.logic.reach import (
    OnNextList,
    Reach,
    crossings,
    digest,
    reach,
    rows_of_opened,
    rows_on_next_list,
)
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m


@dataclass(frozen=True)
class Preview:
    """What some corrections, taken together, would change."""

    reaches: tuple[Reach, ...]
    besides: Mapping[str, Sequence[str]]
    """By pool what else its next run brings."""

    @property
    def digest(self) -> str:
        """SHA-256 over all published numbers that differ."""
        return digest(each.rows for each in self.reaches)

    @property
    def rows(self) -> pa.Table:
        """All of them."""
        from ratingbook.office.logic.reach import REACH

        return pa.concat_tables([REACH.empty_table(), *(each.rows for each in self.reaches)])

    def as_dict(self) -> dict[str, Any]:
        """For programs: the sums of all pools, and each pool.

        ``players`` have a published number that becomes another one, ``changed`` another rating at
        the end: a run tells these.  ``most`` is the largest difference of such a number.
        ``besides`` is what else the next run of a pool brings, which none of all these shows.
        """
        pools: dict[str, dict[str, Any]] = {
            each.pool: {
                "players": each.players, "batches": each.batches, "rows": len(each.numbers),
                "lists": [day.isoformat() for day in each.lists],
                "columns": {str(day): list(titles) for day, titles in each.columns.items()},
                "differences": each.report, "besides": list(self.besides[each.pool]),
                **_way(each),
            }
            for each in self.reaches
        }  # fmt: skip
        whole = figures([number for each in self.reaches for number in each.numbers])
        lists = [f"{pool}@{day}" for pool, said in pools.items() for day in said["lists"]]
        changed = frozenset[int]().union(*(each.changed for each in self.reaches))
        return {
            "players": whole.players, "batches": whole.batches, "most": whole.largest,
            "changed": len(changed), "lists": lists, "digest": self.digest, "pools": pools,
        }  # fmt: skip


def _way(one: Reach) -> dict[str, Any]:
    """Whether it is rated again or goes on the next list."""
    if one.made is None:
        return {"corrections": RERATE, "rated_again": one.rated_again}
    added = {str(person): value for person, value in one.made.values.items()}
    return {"corrections": NEXT_LIST, "next_list": one.made.day.isoformat(), "added": added}


class Bench:
    """What previews have in common: the facts of a moment, and each pool rated once.

    ``way`` says how it would be if a pool rated corrections again, or put them on the next list;
    None: as the policy of each pool is.
    """

    def __init__(self, home: Home, upto: int | None = None, way: str | None = None) -> None:
        self._home, self._way = home, way
        self._upto = ledger.head().seq if upto is None else upto
        self._pools: dict[int, PoolBench] = {}

    @cached_property
    def heads(self) -> Sequence[m.Publication]:
        """What is published of each pool."""
        return heads()

    def preview(self, contents: Sequence[Content]) -> Preview:
        """What these change together, in all pools that have published anything."""
        # What several steps look up is read once: nothing is written meanwhile.
        with ledger.one_moment():
            return self._preview(contents)

    def _preview(self, contents: Sequence[Content]) -> Preview:
        wanted = pools_of(contents)
        if wanted is not None and ledger.is_any("section fixed"):
            # An event may have come into another pool since something was asked of it.
            now = amendments.pools_now(sections_of_contents(contents), self._upto)
            wanted |= {each for each in now.values() if each is not None}
        found, besides = [], {}
        for head in self.heads:
            pool = head.pool
            if wanted is not None and pool.id not in wanted:
                continue
            known = self._pools.get(pool.id)
            if known is None:
                head.run.pool = pool
                way = self._way or policy(pool, "corrections")
                known = self._pools[pool.id] = PoolBench(self._home, head.run, self._upto, way)
            one = known.reach(contents)
            if one is not None:
                found.append(one)
                besides[pool.name] = known.besides(contents)
        return Preview(tuple(found), besides)


@dataclass(frozen=True)
class _Trial:
    """What is fed, by which rules."""

    fed: Fed
    rules: Rules
    merged: Mapping[int, int]
    """Persons who are others, and who."""
    overlay: Overlay
    """What is laid over the facts."""
    is_mended: bool = False
    """Whether it is another program of the rules: the one of before has left its lists alone."""


class _Ground(NamedTuple):
    """On which facts lists are compared: what contents change there, and how all stands without."""

    made: Amended
    ratings: pa.Table
    stands: _Trial
    trial: _Trial
    rows_of: Callable[[pa.Array], pa.Table]


class _OfPublished:
    """What is published of a pool, with what corrections have said since, rated once.

    Reports that wait move what a correction does, and nothing that it does to them is anybody's to
    see: it reaches what it reaches without them.
    """

    def __init__(self, raw: Raw, pool: m.Pool, stands: _Trial, until: date, upto: int) -> None:
        self._raw, self._pool, self._rules, self._upto = raw, pool, stands.rules, upto
        fed = feed(raw, stands.merged, stands.overlay)
        self._stands = replace(stands, fed=fed)
        self._baseline = Baseline(fed, stands.rules, until)

    def ground(self, trial: amendments.Tried) -> _Ground | None:
        """What a trial makes of it; None: nothing else is fed."""
        fed = fed_by(trial, self._pool, self._raw, self._upto)
        if trial.rules == self._rules and fed.is_same(self._stands.fed):
            return None
        made = self._baseline.amended(fed, trial.rules)
        tried = _Trial(fed, trial.rules, trial.merged, trial.overlay)
        return _Ground(made, self._baseline.ratings, self._stands, tried, self._baseline.rows_of)


class PoolBench:
    """A pool as it is known at the moment, up to the day of a run."""

    def __init__(self, home: Home, run: m.Run, upto: int, way: str) -> None:
        pool = run.pool
        self._home, self._pool, self._upto, self._way = home, pool, upto, way
        self._run = run
        self._rules, self._decimals = rules_of(pool), decimals_of(pool)
        self._raw = raw_of(home, pool.id, upto)
        now = amendments.tried((), pool, self._rules, upto)
        self._fed = feed(self._raw, now.merged, now.overlay)
        self._stands = _Trial(self._fed, self._rules, now.merged, now.overlay)
        self._basis = Basis(self._raw, now.merged, now.overlay, self._fed)
        self._baseline: Baseline | None = None

    @cached_property
    def _published(self) -> pa.Table:
        """The ratings that are published."""
        return table_of(self._home, self._run.ratings_id or "")

    @cached_property
    def _coming(self) -> tuple[str, ...]:
        """What the next run has that the published one had not."""
        sections = self._raw.sections["number"].to_pylist()
        waiting = {number: len(rows) > 0 for number, rows in self._waiting.items()}
        return coming(
            self._run, self._upto, sections, self._rated,
            lambda: set(map(int, self._published["player"].to_pylist())), waiting,
        )  # fmt: skip

    def besides(self, contents: Iterable[Content]) -> tuple[str, ...]:
        """What the next run brings besides these contents."""
        is_of_program = any(each["kind"] == "rules" for each in contents)
        return tuple(x for x in self._coming if not (is_of_program and x == MENDED))

    def reach(self, contents: Sequence[Content]) -> Reach | None:
        """What contents change here; None: nothing that is fed, so nothing at all."""
        if not goes_on_next_list(self._pool, contents, self._upto, self._way):
            return self._rated_again(contents, "")
        try:
            made = made_of(self._home, self._pool, contents, self._upto)
        except RatedAgain as why:
            return self._rated_again(contents, str(why))
        return self._added(made) if made.values or made.sections else None

    def _added(self, made: OnNextList) -> Reach:
        """What is published stays; from the next list on some ratings differ.

        With them comes what else was decided to be added to the same ratings.
        """
        before, decimals = self._published, self._decimals
        known = ratings_in(self._run.ratings_id)
        rows = rows_on_next_list(self._pool.id, made, known, decimals)
        waiting = waiting_beside(self._run, self._upto)
        later = {
            person: [*waiting.get(person, ()), Waiting(0, made.day, value)]
            for person, value in made.values.items()
        }
        every = added_later(self._pool.id, known, later, decimals)
        numbers = tuple(each for each in every if 0 in each.corrections)
        come = {person: fsum(each.value for each in some) for person, some in later.items()}
        people, ratings = (before[name].to_pylist() for name in ("player", "rating"))
        sums = [None if r is None else r + come.get(int(p), 0.0)
                for p, r in zip(people, ratings, strict=True)]  # fmt: skip
        index = before.column_names.index("rating")
        now = before.set_column(index, "rating", pa.array(sums, pa.float64()))
        none = self._rows.slice(0, 0)
        nothing = Differing(none, none, 0)
        report = report_of(now, before, nothing, decimals, marks_of(self._pool), merged={})
        report |= {"statuses": {}, "crossed_then": [], "crossed_then_count": 0}
        people_ = frozenset(each.person for each in numbers)
        return Reach(self._pool.name, rows, report, (), numbers, people_, made)

    def _rated_again(self, contents: Sequence[Content], why: str) -> Reach | None:
        """All that follows is rated again."""
        if any(each["kind"] == "rules" for each in contents):
            mended, stood, by_rules = self._against_published(contents)
            there = _Ground(mended, stood, self._stands, by_rules, self._rows_of)
            return replace(self._told(mended, stood, by_rules, there), rated_again=why)
        trial, fed = self._tried(contents)
        made = self._amended(trial, fed)
        if made is None or self._baseline is None:
            return None
        before = self._baseline.ratings
        tried = _Trial(fed, trial.rules, trial.merged, trial.overlay)
        ground = _Ground(made, before, self._stands, tried, self._rows_of)
        if self._of_published is not None:
            own = self._of_published.ground(trial)
            if own is None:
                return None
            ground, made = own, self._as_far_as(made, before, own)
        return replace(self._told(made, before, tried, ground), rated_again=why)

    def _as_far_as(self, made: Amended, before: pa.Table, own: _Ground) -> Amended:
        """What is made, where it is made of what is published, too."""
        found = differing(own.made.now, own.made.was, self._decimals)
        both = (found.rows, found.gone)
        people = {str(who) for each in both for who in each["player"].to_pylist()}
        people.update(map(str, touched(own.ratings, own.made.ratings).to_pylist()))
        return reaching(made, before, both, people)

    @cached_property
    def _rated(self) -> frozenset[int]:
        """The sections that are published."""
        return sections_of(self._run)

    @cached_property
    def _of_published(self) -> _OfPublished | None:
        """What reports that wait have no part in; None: none waits."""
        raw = as_published(self._raw, self._run, self._rated, self._waiting)
        if raw is self._raw:
            return None
        return _OfPublished(raw, self._pool, self._stands, self._run.until, self._upto)

    def otherwise(self, contents: Sequence[Content]) -> Amended | None:
        """The rows that differ in any bit once contents are rated again; None: nothing is fed."""
        return self._amended(*self._tried(contents))

    def _amended(self, trial: amendments.Tried, fed: Fed) -> Amended | None:
        if trial.rules == self._rules and fed.is_same(self._fed):
            return None
        if self._baseline is None:
            self._baseline = Baseline(self._fed, self._rules, self._run.until)
        return self._baseline.amended(fed, trial.rules)

    def _tried(self, contents: Sequence[Content]) -> tuple[amendments.Tried, Fed]:
        trial = amendments.tried(contents, self._pool, self._rules, self._upto)
        return trial, fed_by(trial, self._pool, self._raw, self._upto, self._basis)

    def _against_published(self, contents: Sequence[Content]) -> tuple[Amended, pa.Table, _Trial]:
        """A mended program beside the one of before, of which only its numbers are left.

        They are of the facts that the published run knew: so are those that it is to make.
        """
        upto = self._run.upto
        raw = raw_of(self._home, self._pool.id, upto)
        trial, fed = fed_with(contents, self._pool, self._rules, raw, upto)
        made = rate(fed, trial.rules, self._run.until)
        was = self._rows
        before = table_of(self._home, self._run.ratings_id or "")
        tried = _Trial(fed, trial.rules, trial.merged, trial.overlay, is_mended=True)
        return Amended(was, made.changes, made.ratings), before, tried

    def _told(self, made: Amended, before: pa.Table, trial: _Trial, ground: _Ground) -> Reach:
        """What is told of it: what it makes of what is published, with others that are accepted.

        What other reports make of it that are not published is not told.
        """
        decimals, pool, marks = self._decimals, self._pool, marks_of(self._pool)
        found = differing(made.now, made.was, decimals)
        both = (found.rows, found.gone)
        reached = {int(each) for table in both for each in table["player"].to_pylist()}
        players = touched(before, made.ratings)
        people = reached.union(map(int, players.to_pylist()))
        was = published_side(self._home, self._run, people, decimals)
        first = _first_days(both)
        hidden, without = (
            {person: was.hidden.get(person, first.get(person, date.min))
             for person in held_back(each, reached)}
            for each in (made.ratings, before)
        )  # fmt: skip
        stood = self._without(reached, before, without).standing
        rows = pa.concat_tables([
            reach(pool.id, found, made.was, decimals, stood, (without, hidden)),
            self._opened(people - reached - was.courses.keys(), before, made.ratings),
        ])  # fmt: skip
        held, _ = by_themselves(was, self._waiting)
        own, every = by_themselves(was, {**self._waiting, 0: rows})
        led = {person: x for person, x in own.ratings.items() if person in reached}
        then, shown = by_itself(
            self._published, before, made.ratings, players, held.ratings, led, decimals
        )
        led = ratings_of(shown, reached - hidden.keys(), decimals)
        own = replace(
            own, ratings={**own.ratings, **led}, hidden=hidden,
            beside=replace(was.beside, came=self._came(was.beside, people, trial)),
        )  # fmt: skip
        at = {each: some for each, some in every.items() if 0 in some}
        opened = opened_in(trial.fed.players)
        counted = written(found, self._rows, decimals) if self._waits else found
        report = report_of(shown, then, counted, decimals, marks, opened, merged=trial.merged)
        report["statuses"] = _statuses(then, before, made.ratings)
        columns, stands = self._columns(ground, people)
        told, days = to_come(self._run, was, own, at, stands)
        then_crossed = crossings(was, own, at, marks, told)
        report["crossed_then"] = then_crossed[:MOST_CROSSED]
        report["crossed_then_count"] = len(then_crossed)
        changed = moved(shown, then, decimals)
        return Reach(
            pool.name, rows, report, tuple(sorted(days | columns.keys())), tuple(told), changed,
            columns=columns,
            merged={p: trial.merged[p] for p in people if p in trial.merged},
        )  # fmt: skip

    def _came(self, beside: Beside, people: Collection[int], trial: _Trial) -> dict[int, float]:
        """With which ratings some persons come in, of what is published and by the correction.

        Lists of before the first own game show them.
        """
        upto = self._run.upto if trial.is_mended else self._upto
        overlay = trial.overlay
        stood = came_in(self._pool.id, people, upto, merges(upto))
        stands = came_in(
            self._pool.id, people, upto, trial.merged, overlay.openings, overlay.undone
        )
        others = {each for each in people if stood.get(each) != stands.get(each)}
        kept = {person: x for person, x in beside.came.items() if person not in others}
        return kept | {person: x for person, x in stands.items() if person in others}

    def _columns(
        self, ground: _Ground, reached: Collection[int]
    ) -> tuple[Mapping[date, Sequence[str]], Mapping[date, frozenset[int]]]:
        """In which columns lists that are made anew get other numbers, as their run tells it.

        And who of these people has a rating on each of them then.
        """
        made, ratings, trial = ground.made, ground.ratings, ground.trial
        anew = None if trial.rules != self._rules else told_anew(ground.stands.fed, trial.fed)
        firsts = (pc.min(each["date"]).as_py() for each in (made.now, made.was))
        first = min((each for each in firsts if each is not None), default=date.max)
        # What is told of somebody can make K another one on any list.
        newest = {one.date: one for one in m.List.objects.filter(
            pool=self._pool, date__gte=first if anew == set() else date.min,
            date__lte=self._run.until).order_by("date", "revision")}  # fmt: skip
        wanted = {
            *revisions.by_policy(self._pool, [*newest], date.max),
            revisions.brought_by(self._run),
        }
        days = [each for each in newest if each in wanted]
        if not days:
            return {}, {}
        players = ratings["player"].to_pylist() if anew is None else map(str, {*reached, *anew})
        people = pa.array(sorted(players), pa.string())
        then = _games(ground.rows_of(people))
        now = pa.concat_tables([then, _games(made.now), _games(made.was, -1)])
        come = self._lines(trial, now, days, people)
        stood = (
            (lists.lines_of(newest[day], people.to_pylist()) for day in days)
            if trial.is_mended
            else self._lines(ground.stands, then, days, people)
        )
        found, stands = {}, {}
        for day, one, other in zip(days, stood, come, strict=True):
            rated = (line["id"] for line in other if line.get("rating") is not None)
            stands[day] = frozenset(map(int, rated))
            titles = {key: title for key, title, _ in newest[day].columns}
            keys = otherwise(one, other, list(titles))
            if keys and not trial.is_mended and self._waits:
                keys = _also_otherwise(keys, one, other, newest[day])
            if keys:
                found[day] = [titles[key] for key in keys]
        return found, stands

    def _lines(
        self, trial: _Trial, changes: pa.Table, days: Sequence[date], people: pa.Array
    ) -> Iterator[Sequence[Mapping[str, Any]]]:
        """The lines of some people on the lists of some days, by what is fed."""
        rules, run = trial.rules, copy(self._run)
        # Numbers are compared: of whom they are is told nowhere, but that somebody is suppressed.
        names = {person: token(person) for person in suppressed()}
        run.rulebook, run.parameters, run.assume = rules.rulebook, rules.parameters, rules.assume
        run.upto = self._upto
        for day, made in zip(days, listed_on(trial.fed, rules, days), strict=True):
            own = made.ratings.filter(pc.is_in(made.ratings["player"], value_set=people))
            on_day = made._replace(ratings=own)
            draft = lists.draft_of(run, day, on_day, changes, lambda: trial.fed, names=names)
            yield draft.rows

    def _opened(self, people: Collection[int], before: pa.Table, now: pa.Table) -> pa.Table:
        """What is otherwise of those who have no rated game: with what they came in."""
        was, made = (
            ratings_of(each, set(people) - held_back(each, people), self._decimals)
            for each in (before, now)
        )
        return rows_of_opened(self._pool.id, self._run.until, was, made, people)

    @cached_property
    def _rows(self) -> pa.Table:
        """The rows that are published."""
        return table_of(self._home, self._run.file_id or "")

    @property
    def _waits(self) -> bool:
        """Whether others that are accepted and not published reach anything."""
        return any(len(each) for each in self._waiting.values())

    @cached_property
    def _waiting(self) -> dict[int, pa.Table]:
        """What corrections reach that are accepted and not published."""
        return waiting_rows(self._home, self._run, self._upto)

    def _without(
        self, people: Collection[int], ratings: pa.Table, hidden: Mapping[int, date]
    ) -> Side:
        """How some persons stand without the correction, on the facts of now."""
        wanted = pa.array(sorted(map(str, people)), pa.string())
        shown = ratings_of(ratings, people, self._decimals)
        beside = beside_of(self._run, people, self._upto)
        return side(self._rows_of(wanted), shown, self._decimals, beside, hidden)

    def _rows_of(self, people: pa.Array) -> pa.Table:
        """The rows of some persons without the correction."""
        if self._baseline is not None:
            return self._baseline.rows_of(people)
        return self._rows.filter(pc.is_in(self._rows["player"], value_set=people))


def _also_otherwise(
    keys: Sequence[str], was: Sequence[Line], now: Sequence[Line], newest: m.List
) -> tuple[str, ...]:
    """Those of some columns in which lines that become others are not as the newest list has them.

    What undoes something else that is accepted brings a list back to what is published.
    """
    before = {str(each["id"]): each for each in was}
    after = {str(each["id"]): each for each in now}
    people = {who for who in before.keys() | after.keys() if before.get(who) != after.get(who)}
    shown = lists.lines_of(newest, people)
    there = otherwise(shown, [after[who] for who in people & after.keys()], keys)
    return tuple(key for key in keys if key in there)


def _games(changes: pa.Table, sign: int = 1) -> pa.Table:
    """The games of players by days, to be summed."""
    games = pc.multiply(changes["games"].cast(pa.int64()), sign)
    return pa.table(
        {"player": changes["player"].cast(pa.string()), "date": changes["date"], "games": games}
    )


def _first_days(tables: Iterable[pa.Table]) -> dict[int, date]:
    """By person the day before the first row of some tables."""
    found: dict[int, date] = {}
    for table in tables:
        for player, day in zip(table["player"].to_pylist(), table["date"].to_pylist(), strict=True):
            last = day - timedelta(days=1)
            found[int(player)] = min(last, found.get(int(player), last))
    return found


def _statuses(then: pa.Table, without: pa.Table, now: pa.Table) -> dict[str, int]:
    """How many published players a correction makes of another status, by what it was and is."""
    stood, was = (
        dict(zip(each["player"].to_pylist(), each["status"].to_pylist(), strict=True))
        for each in (then, without)
    )
    found: dict[str, int] = {}
    for player, status in zip(now["player"].to_pylist(), now["status"].to_pylist(), strict=True):
        if stood.get(player, status) != status != was.get(player):
            change = f"{stood[player]} → {status}"
            found[change] = found.get(change, 0) + 1
    return found


def previews(
    home: Home, requests: Mapping[int, Sequence[Content]], way: str | None = None
) -> tuple[Preview, dict[int, Preview]]:
    """Several corrections together, and each apart; ``way`` as :class:`Bench` has it."""
    bench = Bench(home, way=way)
    together = bench.preview([each for contents in requests.values() for each in contents])
    apart = (
        {next(iter(requests)): together}
        if len(requests) == 1
        else {number: bench.preview(contents) for number, contents in requests.items()}
    )
    return together, apart
