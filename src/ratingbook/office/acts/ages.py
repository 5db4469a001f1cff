"""What is kept of the birth of somebody whom nobody may see any more.

Rules ask how old somebody is, and what was published rests on the answers.  So the first date by
which all published numbers are the same stays in its place, or the first year where no more than
the year was known: whoever has the numbers knows as much.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from ratingbook.desk.birth_dates import rates_by_age
from ratingbook.office.acts.published import head_run
from ratingbook.office.acts.setup import decimals_of, rules_of
from ratingbook.office.acts.snapshots import fed_of, fed_of_run
from ratingbook.office.engine.fed import Born, Fed
from ratingbook.office.engine.rating import RatedTables, rate
from ratingbook.office.engine.rules import Rules
from ratingbook.office.home import Home
from ratingbook.office.logic.comparing import differing, moved
from ratingbook.office.stand_ins import FIRST_DAY, first_alike, first_day, first_day_of
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.rules.bulk import EPOCH, day_number, year_number

_FIRST_YEAR = year_number(FIRST_DAY)
_STEP = 32
"""Days: so far back the first date is looked for at once, then twice as far, and so on."""


def kept_births(home: Home, person: int, numbers: Sequence[int]) -> dict[int, Born]:
    """By each number of a person what stands in for the birth; none where no number needs it.

    ``person`` is who all these numbers are.
    """
    private = m.PersonPrivate.objects.filter(person__in=numbers).order_by("person")
    rows = private.values_list("person", "birth_date", "birth_year")
    born: dict[int, Born] = {
        each: known for each, day, year in rows if (known := day or year) is not None
    }  # fmt: skip
    if not born:
        return {}
    upto = ledger.head().seq
    pools = [_Pool(home, each, str(person), upto) for each in m.Pool.objects.order_by("id")]
    found = {each: _stand_in(one, pools) for each, one in born.items()}
    return {each: one for each, one in found.items() if one is not None}


@dataclass(frozen=True)
class _Pool:
    """A pool in which somebody may have played."""

    home: Home
    pool: m.Pool
    player: str
    upto: int

    @cached_property
    def _rules(self) -> Rules:
        return rules_of(self.pool)

    @cached_property
    def makes_more(self) -> bool:
        """Whether the rules make a number of the age itself."""
        return rates_by_age(self._rules.book())

    def first(self, born: Born) -> int | None:
        """The first date by which the rules get the same answers; None: they need none."""
        if self.makes_more or not self._is_asked:
            return None
        if self._rated(None).digest == self._rated(born).digest:
            # Any date would say what no number says.
            return None
        fed = fed_of(self.home, self.pool.id, self.upto)
        return first_alike(fed, self._rules.book(), self.player, born)

    def is_same(self, born: Born, other: Born | None) -> bool:
        """Whether all published numbers are the same with another birth."""
        if not self.makes_more or not self._is_asked:
            return True
        made, decimals = self._rated(other), decimals_of(self.pool)
        was = self._rated(born)
        found = differing(made.changes, was.changes, decimals)
        same = not len(found.rows) and not len(found.gone)
        return same and not moved(made.ratings, was.ratings, decimals)

    @cached_property
    def _run(self) -> m.Run | None:
        return head_run(self.pool)

    @cached_property
    def _fed(self) -> Fed:
        assert self._run is not None
        return fed_of_run(self.home, self._run)

    @cached_property
    def _is_asked(self) -> bool:
        """Whether anything was published of the player, whose birth is known."""
        if self._run is None or self._rules.book().bulk is None:
            return False
        return self.player in self._fed.births

    def _rated(self, born: Born | None) -> RatedTables:
        run = self._run
        assert run is not None
        rules = Rules(run.rulebook, run.parameters, run.assume)
        return rate(self._fed.born({self.player: born}), rules, run.until)


def _stand_in(born: Born, pools: Sequence[_Pool]) -> Born | None:
    firsts = [day for each in pools if (day := each.first(born)) is not None]
    low = max(firsts, default=FIRST_DAY)

    def is_same(other: Born | None) -> bool:
        return all(each.is_same(born, other) for each in pools)

    if not firsts and is_same(None):
        return None
    if isinstance(born, date):
        return _first_date(born, low, is_same)
    # Rules that ask for the day alone make nothing of a year, as they made of the own one.
    return first_day(lambda year: first_day_of(year) >= low and is_same(year), _FIRST_YEAR, born)


def _first_date(born: date, low: int, holds: Callable[[date], bool]) -> date:
    """The first date from a day on for which something holds, as it does from then to another."""

    def is_same(day: int) -> bool:
        return holds(EPOCH + timedelta(days=day))

    high, back = day_number(born), _STEP
    if low < high and is_same(low):
        high = low
    # It must not depend on the birth date how far is looked: only on what the numbers are.
    while high - back > low and is_same(high - back):
        high, back = high - back, 2 * back
    low = max(low, high - back)
    return EPOCH + timedelta(days=first_day(is_same, low, high))
