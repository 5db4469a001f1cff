"""Time controls: what they are, and how programs write them in seconds or in minutes.

Words of people are read by :func:`ratingbook.rules.time_words.parsed_time_control`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from ratingbook.model.patterns import pattern


class Extra(IntEnum):
    """What comes on top of the time of the periods, by the move."""

    NONE = 0
    UNSAID = 1
    """``90 + 30``: in chess an increment, in Go byo-yomi."""
    INCREMENT = 2
    DELAY = 3
    BYOYOMI = 4
    CANADIAN = 5
    """Seconds of a period, divided by its moves."""


class Period(NamedTuple):
    """A period: so many moves (0: all that follow) in so many seconds."""

    moves: int
    seconds: int


class TimeControl(NamedTuple):
    """The periods, the seconds a move, and the move from which these are given.

    ``black`` are the periods of Black where they are not those of White.
    """

    periods: tuple[Period, ...]
    extra: float = 0
    kind: Extra = Extra.NONE
    since: int = 1
    black: tuple[Period, ...] = ()

    @property
    def basic(self) -> int:
        """Seconds of all periods together, those of the side that has fewer."""
        sums = (sum(each.seconds for each in side) for side in (self.periods, self.black) if side)
        return min(sums)

    @property
    def minutes(self) -> int:
        """Whole minutes of all periods together."""
        return self.basic // 60

    @property
    def seconds(self) -> int:
        """Whole seconds a move."""
        return int(self.extra)

    def seconds_for(self, moves: int) -> int:
        """What a side has for a game of so many moves."""
        return self.basic + int(self.extra * max(0, moves - self.since + 1))


_DAY = 24 * 60 * 60
_LONGEST = _DAY // 2
"""Seconds that a game over the board has at most for one side in one period."""
_PART = pattern(r"(?:([0-9]{1,3})/)?([0-9]{1,7})(?:\+([0-9]{1,5}))?")
_LEAST_MOVES = 20
"""Fewer moves' worth of increment than this are in the first time of any usual time control."""


def is_by_days(text: str) -> bool:
    """Whether a control in seconds gives a day or longer for a move, or for all.

    >>> is_by_days("1/86400"), is_by_days("1209600+86400"), is_by_days("40/7200:3600")
    (True, True, False)
    """
    match = _PART.match(text)
    return match is not None and int(match[2]) >= _DAY * int(match[1] or 1)


def in_seconds_form(text: str) -> bool:
    """Whether a text is put together as PGN and TRF26 write controls: figures only."""
    return all(_PART.fullmatch(part) for part in text.strip().split(":"))


def control_of_seconds(text: str) -> TimeControl | None:
    """A control as PGN and record 222 of TRF26 write it; None for what cannot mean seconds.

    >>> control_of_seconds("40/7200:3600+30")
    TimeControl(periods=(Period(moves=40, seconds=7200), Period(moves=0, seconds=3600)), \
extra=30, kind=<Extra.INCREMENT: 2>, since=41, black=())
    """
    parts = [_PART.fullmatch(part) for part in text.strip().split(":")]
    periods: list[Period] = []
    increments: list[int] = []
    for at, part in enumerate(parts, 1):
        if part is None or not 0 < int(part[2]) <= _LONGEST:
            return None
        if (part[1] is None) != (at == len(parts)) and len(parts) > 1:
            return None
        # 120+30 is not two minutes: somebody wrote minutes.
        if part[3] and at == 1 and int(part[3]) * _LEAST_MOVES > int(part[2]):
            return None
        # Nor is 40/90 a minute and a half for forty moves.
        if part[1] and int(part[2]) < 5 * int(part[1]):
            return None
        periods.append(Period(int(part[1] or 0), int(part[2])))
        increments.append(int(part[3] or 0))
    first = next((at for at, each in enumerate(increments) if each), len(increments))
    if not periods or len(set(increments[first:])) > 1:
        return None
    if first == len(increments):
        return TimeControl(tuple(periods))
    since = 1 + sum(period.moves for period in periods[:first])
    return TimeControl(tuple(periods), increments[first], Extra.INCREMENT, since)


def seconds_text(control: TimeControl) -> str | None:
    """The control as PGN and record 222 write it; None where they have no way to say it."""
    starts = [1]
    for period in control.periods:
        starts.append(starts[-1] + period.moves)
    told = control.extra > 0
    if control.black or (control.extra % 1) or (told and control.since not in starts[:-1]):
        return None
    if control.kind not in (Extra.NONE, Extra.UNSAID, Extra.INCREMENT):
        return None
    fields = []
    for start, (moves, seconds) in zip(starts, control.periods, strict=False):
        increment = f"+{int(control.extra)}" if told and start >= control.since else ""
        fields.append(f"{moves}/{seconds}{increment}" if moves else f"{seconds}{increment}")
    text = ":".join(fields)
    return text if control_of_seconds(text) else None


_NAMES = {Extra.BYOYOMI: "byo-yomi", Extra.CANADIAN: "canadian"}


def minutes_text(control: TimeControl) -> str:
    """The control in minutes, as reports hold it: ``90+30``, ``40/120,SD/60;+30``."""
    sides = [_periods_text(control, side) for side in (control.periods, control.black) if side]
    text = sides[0] if len(sides) == 1 else f"White {sides[0]}, Black {sides[1]}"
    since = f" from move {control.since}" if control.extra and control.since > 1 else ""
    return text + since


def _periods_text(control: TimeControl, periods: tuple[Period, ...]) -> str:
    """The periods of a side, with what comes on top."""
    extra = f"{control.extra:g}"
    alone = len(periods) == 1 and not periods[0].moves
    minutes = [f"{seconds / 60:.10g}" for _, seconds in periods]
    if alone and control.kind in (Extra.UNSAID, Extra.INCREMENT):
        return f"{minutes[0]}+{extra}"
    if alone and control.kind in _NAMES:
        return f"{minutes[0]} + {extra}s {_NAMES[control.kind]}"
    head = "G" if alone else "SD"
    # Behind moves a number as small as an hour's or two would be read as hours.
    units = ["" if alone or seconds >= 300 else " min" for _, seconds in periods]
    fields = [
        f"{period.moves or head}/{number}{unit}"
        for period, number, unit in zip(periods, minutes, units, strict=True)
    ]
    signs = {Extra.NONE: "", Extra.DELAY: f";d{extra}"}
    return ",".join(fields) + signs.get(control.kind, f";+{extra}")
