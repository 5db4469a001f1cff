"""Dates as organisers write them, and the calendar of an event read as a whole.

``10.09.13`` may be meant in four ways.  What settles it are the other dates of
the same file: an event does not end before it starts, and its rounds lie within.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from functools import lru_cache
from itertools import pairwise, product
from types import MappingProxyType

from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import day_of, row_of, sentence

_LONGEST_TEXT = 40
"""No date is longer; the patterns below need not be tried on a whole page."""
_PIVOT = 70
"""Two-digit years from here on belong to the twentieth century."""
_LONGEST_DAYS = 400
"""A league may last a year; what lasts longer was misread."""
_REMEMBERED = 4096
"""Of how many texts it is kept what they mean: a file has its dates again and again."""
_YEARS = range(1800, 2200)
"""0001 and 9999 are no years but somebody's word for none."""
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()

_NUMBERS = pattern(r"([0-9]{1,4})\s*[./-]\s*([0-9]{1,2})\s*[./-]\s*([0-9]{1,4})\.?")
_COMPACT = pattern(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_MONTH_FIRST = pattern(
    r"(?P<month>[A-Za-z]{3,9})\.?\s*(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?[\s,]+(?P<year>[0-9]{4})"
)
_DAY_FIRST = pattern(
    r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?[\s.-]*(?P<month>[A-Za-z]{3,9})[\s.,-]+(?P<year>[0-9]{4})"
)
_TIME = pattern(r"[T\s]+[0-9]{1,2}:[0-9]{2}\S*$")


class Order(Enum):
    """The order of year, month and day in a date of numbers; the likelier first."""

    YMD = "year, month, day"
    DMY = "day, month, year"
    MDY = "month, day, year"
    YDM = "year, day, month"
    """Nobody's usual order; some programs write dates of rounds so, with a year of two digits."""

    __hash__ = object.__hash__


Days = Mapping[Order, date]
"""What a text means under each order; empty where it is no date."""
_NONE: Days = MappingProxyType({})


def days_of(text: str) -> Days:
    """Every way in which ``text`` is a date in a usual order.

    >>> [f"{order.name} {day}" for order, day in days_of("10.11.12").items()]
    ['YMD 2010-11-12', 'DMY 2012-11-10', 'MDY 2012-10-11']
    """
    days = days_of_round(text)
    return _known({order: day for order, day in days.items() if order is not Order.YDM})


def days_of_round(text: str) -> Days:
    """Every way in which ``text`` is a date that the days of an event can bear out.

    >>> [f"{order.name} {day}" for order, day in days_of_round("11.25.02").items()]
    ['MDY 2002-11-25', 'YDM 2011-02-25']
    """
    text = text.strip()
    return _NONE if len(text) > _LONGEST_TEXT else _days_of(text)


@lru_cache(_REMEMBERED)
def _days_of(text: str) -> Days:
    text = _TIME.sub("", text)
    if match := _MONTH_FIRST.fullmatch(text) or _DAY_FIRST.fullmatch(text):
        return _alike(_with_month_name(**match.groupdict()))
    if match := _COMPACT.fullmatch(text):
        return _alike(_date(*match.groups()))
    if match := _NUMBERS.fullmatch(text):
        return _numbers(*match.groups())
    return _NONE


def _numbers(first: str, middle: str, last: str) -> Days:
    if len(first) == 4 and len(last) <= 2:
        # Nobody writes the day between the year and the month: where this is no date, it is a slip.
        return _alike(_date(first, middle, last))
    if len(first) > 2:
        return _NONE
    if len(last) == 4:
        return _known(
            {
                Order.DMY: _date(last, middle, first),
                Order.MDY: _date(last, first, middle),
            }
        )
    if len(last) > 2:
        return _NONE
    return _known(
        {
            Order.YMD: _date(_century(first), middle, last),
            Order.DMY: _date(_century(last), middle, first),
            Order.MDY: _date(_century(last), first, middle),
            Order.YDM: _date(_century(first), last, middle),
        }
    )


def _alike(day: date | None) -> Days:
    """A date that means the same under every order."""
    return _known(dict.fromkeys(Order, day))


def _known(days: Mapping[Order, date | None]) -> Days:
    return MappingProxyType({order: day for order, day in days.items() if day is not None})


def _with_month_name(day: str, month: str, year: str) -> date | None:
    name = month[:3].lower()
    return _date(year, str(_MONTHS.index(name) + 1), day) if name in _MONTHS else None


def _century(year: str) -> str:
    return str(int(year) + (1900 if int(year) >= _PIVOT else 2000))


def _date(year: str, month: str, day: str) -> date | None:
    if int(year) not in _YEARS:
        return None
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def is_year_first(text: str) -> bool:
    """Whether ``text`` is written with a four-digit year first, so that nothing is in doubt."""
    match = _year_first(text)
    return match is not None and _date(*match) is not None


def has_no_such_month(text: str) -> bool:
    """Whether ``text`` is a date with the year in front whose month is no month.

    ``2025-13-04`` is a slip: its numbers are not turned round to find a day for it.
    """
    match = _year_first(text)
    return match is not None and int(match[1]) > len(_MONTHS)


def only_day(text: str) -> date | None:
    """The one day that a text alone can mean; None where there are several."""
    meant = set(days_of(text).values())
    return meant.pop() if len(meant) == 1 else None


def _year_first(text: str) -> tuple[str, str, str] | None:
    """The numbers of a date with a four-digit year in front."""
    match = _NUMBERS.fullmatch(_TIME.sub("", text.strip()[:_LONGEST_TEXT]))
    if match is None or len(match[1]) != 4 or len(match[3]) > 2:
        return None
    return match[1], match[2], match[3]


@dataclass(frozen=True, slots=True)
class Calendar:
    """The dates of an event and of its rounds, as far as they were understood."""

    start: date | None = None
    end: date | None = None
    rounds: Mapping[int, date] | None = None
    """None: the rounds' dates follow no order."""
    others: tuple[tuple[date | None, date | None], ...] = ()
    """Start and end of other readings that are as possible."""
    in_no_order: bool = False
    """Start and end are written in two orders."""

    @property
    def backwards(self) -> bool:
        """Whether the event ends before it starts."""
        return self.start is not None and self.end is not None and self.end < self.start

    @property
    def in_doubt(self) -> bool:
        """Whether the days may be others, too."""
        return bool(self.others) or self.in_no_order

    @property
    def outside(self) -> tuple[int, ...]:
        """The rounds that lie outside the event's dates."""
        return tuple(
            number
            for number, day in (self.rounds or {}).items()
            if (self.start and day < self.start) or (self.end and day > self.end)
        )


_Cost = tuple[int, ...]


def calendar(start: str, end: str, rounds: Mapping[int, str]) -> Calendar:
    """The likeliest reading of an event's dates; a blank text is an unknown date.

    The start and the end share one order if they can; so do the rounds, which
    often have another.
    """
    # Costs sort the readings: contradictions first, then what is merely less usual.
    found: list[tuple[_Cost, _Cost, Calendar]] = []
    for ((first, last), rank), (round_rank, days) in product(
        _frames(start, end).items(), _round_frames(rounds)
    ):
        read = Calendar(first, last, days)
        span = abs((last - first).days) if first and last else 0
        broken = (
            int(read.backwards),
            len(read.outside),
            int(_unsorted(days)),
            int(span > _LONGEST_DAYS),
        )
        found.append((broken, (rank > 0, span, rank, round_rank), read))
    found.sort(key=lambda item: item[:2])
    least, _, best = found[0]
    others = dict.fromkeys(
        (read.start, read.end)
        for broken, _, read in found
        if broken == least and (read.start, read.end) != (best.start, best.end)
    )
    borne_out = bool(best.rounds) and not best.outside
    return replace(
        best, others=tuple(others), in_no_order=not borne_out and _in_two_orders(start, end)
    )


def _in_two_orders(start: str, end: str) -> bool:
    """Whether it is by chance that both are dates."""
    alike = [set(days) for text in (start, end) if (days := days_of(text))]
    return len(alike) == 2 and alike[0].isdisjoint(alike[1])


def _frames(start: str, end: str) -> dict[tuple[date | None, date | None], int]:
    """Start and end in every order that fits both, with a rank that is 0 for the usual one.

    Of orders that mean the same the likeliest stands for all.
    """
    starts, ends = days_of(start), days_of(end)
    found: dict[tuple[date | None, date | None], int] = {}
    if starts and ends and starts.keys().isdisjoint(ends):
        for rank, both in enumerate(product(starts.values(), ends.values()), len(Order)):
            found.setdefault(both, rank)
        return found
    for rank, order in enumerate(Order):
        if (not starts or order in starts) and (not ends or order in ends):
            found.setdefault((starts.get(order), ends.get(order)), rank)
    return found


def _round_frames(rounds: Mapping[int, str]) -> list[tuple[int, dict[int, date] | None]]:
    """The rounds' dates in every order that fits them all; of those that mean the same, one."""
    read = {number: days_of_round(text) for number, text in rounds.items()}
    frames: list[tuple[int, dict[int, date] | None]] = []
    for rank, order in enumerate(Order):
        if all(order in days for days in read.values()):
            days = {number: days[order] for number, days in read.items()}
            if all(days != other for _, other in frames):
                frames.append((rank, days))
    return frames or [(0, None)]


def _unsorted(days: Mapping[int, date] | None) -> bool:
    in_order = [day for _, day in sorted((days or {}).items())]
    return any(earlier > later for earlier, later in pairwise(in_order))


def spanned(days: Iterable[date | None]) -> str:
    """One day, or the first and the last, as a finding says them."""
    known = [day_of(each) for each in days if each]
    return known[0] if len(known) == 1 else between(known)


def between(texts: Iterable[str]) -> str:
    """The first and the last day of an event, as a file has them or as they were read."""
    both = [*texts]
    if len(both) != 2:
        return row_of(both)
    return sentence("{start} to {end}", start=both[0], end=both[1])


def missing_days(start: bool, end: bool) -> str:
    """Which ends of an event a file does not have, of whether it has each."""
    if start:
        return sentence("the end")
    return sentence("the start") if end else sentence("the start and the end")


def either_of(days: Iterable[date]) -> str:
    """The days that a text may mean."""
    first, *others = map(day_of, days)
    said: str = first
    for each in others:
        said = sentence("{days} or {day}", days=said, day=each)
    return said
