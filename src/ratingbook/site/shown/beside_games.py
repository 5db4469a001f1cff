"""What moved a rating beside all games: reforms, and what corrections added at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import groupby

from django.utils.translation import gettext as _

from ratingbook.model.decimals import change_of, total
from ratingbook.site.shown.differences import Difference, differences_of
from ratingbook.site.shown.players import Reform, Result
from ratingbook.site.shown.pools import Published, Reformed, now_of
from ratingbook.site.shown.rules import anchor


def with_all_else(
    one: Published, person: int, found: Sequence[Result], begun: Mapping[str, float]
) -> list[Result]:
    """The results, and between them what moved the rating beside all games.

    ``begun`` has by batch the number with which it began as it was first published.
    """
    added = [each for each in differences_of(person) if each.pool == one.pool.name]
    reforms = one.reforms if found else ()
    if not reforms and not added:
        return marked(found)
    now = now_of(one, person)
    rating = now.rating if now and now.is_published else None
    made: list[Result] = []
    for at in range(-1, len(found)):
        last, following = (found[each] if 0 <= each < len(found) else None for each in (at, at + 1))
        made += [last] if last else []
        gap = _Gap(one, last, following, rating)
        steps = gap.filled(reforms if last else (), added)
        if steps and following:
            steps[-1] = as_first_begun(steps[-1], begun.get(following.key))
        made += steps
    return marked(made)


def marked(results: Sequence[Result]) -> list[Result]:
    """Results in their order, of which each knows whether it begins where the last one ended."""
    return [
        replace(each, follows=False) if last is not None and _is_elsewhere(last, each) else each
        for last, each in zip([None, *results], results, strict=False)
    ]


def revised_with(last: Result, reform: Result) -> Result:
    """A reform that begins with a number that was revised: it is revised with it."""
    if last.first is None:
        return reform
    return replace(reform, is_revised=True, corrections=last.corrections)


def as_first_begun(reform: Result, begun: float | None) -> Result:
    """A reform with what was published first after it: with that the next batch began first."""
    if reform.reform is None or not reform.is_revised or begun in (None, reform.after):
        return reform
    return replace(reform, first=begun)


def _is_elsewhere(last: Result, following: Result) -> bool:
    ended, begun = last.after, following.before
    if ended is None or begun is None:
        return ended is not None
    return not _is_but_rounding(ended, begun, min(last.decimals, following.decimals))


@dataclass(frozen=True)
class _Gap:
    """What lies between two results, or before the first or after the last one."""

    one: Published
    last: Result | None
    following: Result | None
    now: float | None

    def filled(
        self, reforms: Iterable[Reformed], differences: Iterable[Difference]
    ) -> list[Result]:
        """A result for the last reform, and for the differences that were added at once."""
        mine = [each for each in differences if self._takes(each)]
        steps: list[Reformed | _Added] = [
            tuple(some) for _, some in groupby(mine, lambda x: (x.day, x.list_day))
        ]
        known = total(each.value for each in mine)
        begin, end = self._ends()
        by_reform = None if begin is None else change_of(total([begin, known]), end)
        between = [each for each in reforms if self._has(each)]
        if between and by_reform:
            steps.append(between[-1])
        found, value = [], begin if begin is not None or end is None else end - known
        for each in sorted(steps, key=_day_of):
            by = by_reform if isinstance(each, Reformed) else total(x.value for x in each)
            then = None if value is None or by is None else value + by
            found.append(self._made(each, value, then))
            value = then
        if found and end is not None and _is_but_rounding(found[-1].after, end, self.one.decimals):
            # What lies in the gap leads from one published number to the next.
            by = change_of(found[-1].before, end)
            found[-1] = replace(found[-1], after=end, change=by)
        return found

    def _ends(self) -> tuple[float | None, float | None]:
        """From which number to which."""
        return (
            self.last.after if self.last else None,
            self.following.before if self.following else self.now,
        )

    def _takes(self, one: Difference) -> bool:
        """A list has it beside the games of its day."""
        since = self.last.day if self.last else date.min
        return since <= one.day < (self.following.day if self.following else date.max)

    def _is_last_on(self, list_day: date) -> bool:
        """Whether the list of a day has the number, and not one to which later events led."""
        return self.following is None or list_day < self.following.day

    def _has(self, one: Reformed) -> bool:
        """A list has the reform of its day in it; an event of the day is rated after it."""
        assert self.last is not None
        until = self.following.day if self.following else date.max
        if self.one.by_lists:
            return self.last.day <= one.day < until
        return self.last.day < one.day <= until

    def _made(self, step: Reformed | _Added, before: float | None, after: float | None) -> Result:
        day = _day_of(step)
        before, after = (self.one.rounded(each, day) for each in (before, after))
        is_of_decimals = isinstance(step, Reformed) and step.is_of_decimals
        last = day - timedelta(days=1) if is_of_decimals else day
        found = Result(
            pool=self.one.pool.name, pool_number=self.one.pool.id, key="", day=day,
            events=(), games=0, score=0.0, expected=None, average=None, performance=None,
            before=before, after=after, change=change_of(before, after),
            first=None, is_revised=False, is_published=True, corrections=(),
            decimals=self.one.decimals_on(day), decimals_before=self.one.decimals_on(last),
        )  # fmt: skip
        if not isinstance(step, Reformed):
            found = replace(found, differences=step)
            is_on_list = found.added_with and self._is_last_on(found.added_with)
            return replace(found, day=found.added_with or day) if is_on_list else found
        reform = Reform(
            step.edition, step.paragraph,
            anchor(step.paragraph) if step.paragraph else "readings", _(step.text),
            step.is_of_decimals,
        )  # fmt: skip
        found = replace(found, reform=reform)
        return found if self.last is None else revised_with(self.last, found)


_Added = tuple[Difference, ...]
"""What corrections added at once, with one list."""


def _day_of(step: Reformed | _Added) -> date:
    """From when ratings differ."""
    return step.day if isinstance(step, Reformed) else step[0].day


def _is_but_rounding(one: float | None, other: float, decimals: int) -> bool:
    """Whether two published numbers differ only since each was rounded by itself."""
    return one is not None and abs(one - other) < 1.5 * 10.0**-decimals
