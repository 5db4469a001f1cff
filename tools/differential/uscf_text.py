"""The rating system of US Chess, written a second time from its text, in decimals of fifty digits.

Nothing of ``ratingbook.rules`` is used or looked at here: the text of 3 November 2011 with
what later editions changed, and the readings of the rule books' documentation.  One pool,
one event: ``rated`` takes the entries and gives what each player has afterwards.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, localcontext
from enum import StrEnum

from tools.differential.common import CONTEXT

D = Decimal
HALF = D("0.5")
REACH = D(400)
NOTHING = D("1e-40")
"""Below this a difference is an error of the fifty digits."""
MEETS = D("1e-9")
"""A value as near as this to a whole number, or to a half, counts as it when it is rounded."""


@dataclass(frozen=True)
class Conversion:
    """FIDE ratings in the scale of US Chess: up to 2000, and above."""

    low: D
    low_slope: D
    high: D
    high_slope: D

    def of(self, fide: int) -> D:
        """The rating of US Chess."""
        if fide <= 2000:
            return self.low + self.low_slope * fide
        return self.high + self.high_slope * fide


OF_2011 = Conversion(D(720), D("0.625"), D(-350), D("1.16"))
OF_2015 = Conversion(D(20), D("1.02"), D(180), D("0.94"))
OF_2024 = Conversion(D(-1073), D("1.5667"), D(20), D("1.02"))


@dataclass(frozen=True)
class Text:
    """What the editions differ in, on the last day of an event."""

    bonus: int
    curve_of_2013: bool = True
    """N* of May 2013, and the lower K of strong players in dual-rated events."""
    decimals: bool = True
    """Decimals are stored, and the age counts from 2 years; else whole numbers, and from 3."""
    three_met_once: bool = False
    """An event of three games has a bonus only if nobody was met twice."""
    conversion: Conversion = OF_2015


def text_of(edition: str, end: dt.date) -> Text:
    """The text of an edition for an event that ends on a day."""
    march = dt.date(2024, 3, 1)
    return {
        "uscf-2011": Text(6, curve_of_2013=False, decimals=False, conversion=OF_2011),
        "uscf-2013": Text(8, decimals=False, conversion=OF_2011),
        "uscf-2014": Text(10, decimals=False, conversion=OF_2011),
        "uscf-2015": Text(12),
        "uscf-2017": Text(14),
        "uscf-2023": Text(12, conversion=OF_2015 if end < march else OF_2024),
        "uscf-2025": Text(10, three_met_once=True, conversion=OF_2024),
    }[edition]


FIRST_DAYS = {
    "uscf-2011": dt.date(2011, 11, 3),
    "uscf-2013": dt.date(2013, 5, 1),
    "uscf-2014": dt.date(2014, 2, 1),
    "uscf-2015": dt.date(2015, 6, 1),
    "uscf-2017": dt.date(2017, 5, 1),
    "uscf-2023": dt.date(2023, 2, 1),
    "uscf-2025": dt.date(2025, 1, 1),
}
"""The day from which an edition rates the events that end."""


@dataclass(frozen=True)
class Standing:
    """What the pool knows of a player; the record of wins and so on is complete."""

    rating: D | None = None
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    events: int = 0
    """Events with three or more games."""
    peak: int | None = None
    """Highest published rating while established."""
    floor: int | None = None
    """Set by the office or by a prize."""
    olm: bool = False


@dataclass(frozen=True)
class Person:
    """What else is known of a player."""

    fide: int | None = None
    cfc: int | None = None
    birth: dt.date | None = None
    adult: bool = False
    other: tuple[D, int] | None = None
    """Rating and games in the other one of the systems regular and quick."""
    flag: str | None = None


@dataclass
class Entry:
    """A player in an event: opponents by name, and half points."""

    standing: Standing
    person: Person
    games: list[tuple[str, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Rated:
    """What a player has after the event: not rounded, published, and all that is stored."""

    exact: D
    published: int
    standing: Standing
    tie: bool
    """Whether the rounding could go either way but for a hair."""


@dataclass(frozen=True)
class Start:
    """Steps 1 and 2: where a player's ratings begin."""

    rating: D
    games: int
    effective: D
    unrated: bool
    all_won: bool
    all_lost: bool


class Kind(StrEnum):
    """How an event is rated."""

    COMMON = "swiss"
    FIDE = "fide"
    """Outside the federation (section 3)."""
    YOUTH = "youth"
    """The same, known as one for the youth."""


def rated(
    text: Text,
    entries: dict[str, Entry],
    end: dt.date,
    *,
    quick: bool = False,
    dual: bool = False,
    kind: Kind = Kind.COMMON,
) -> dict[str, Rated]:
    """Rate one event of one pool."""
    with localcontext(CONTEXT):
        if kind != Kind.COMMON:
            return rated_abroad(text, entries, end, quick, kind)
        return rated_at_home(text, entries, end, quick, dual)


def rated_abroad(
    text: Text, entries: dict[str, Entry], end: dt.date, quick: bool, kind: Kind
) -> dict[str, Rated]:
    """Section 3: the standard formula once, against converted FIDE ratings."""
    found = {}
    counted = {name: entry.person.fide for name, entry in entries.items()}
    youth = Conversion(D(210), D("0.93"), D(210), D("0.93"))
    lines = youth if kind == Kind.YOUTH else text.conversion
    opponents = {name: lines.of(fide) for name, fide in counted.items() if fide is not None}
    for name, entry in entries.items():
        rated_here = entry.standing.rating is not None
        ours = rated_here if entry.person.flag is None else entry.person.flag == "USA"
        games = [(opponent, points) for opponent, points in entry.games if opponent in opponents]
        if not ours or not games:
            continue
        start, played = start_of(text, entry, end, quick), replace(entry, games=games)
        met = max(Counter(opponent for opponent, _ in games).values())
        sides = [(opponents[opponent], points) for opponent, points in games]
        rating = max(D(100), standard(text, start, sides, met, False))
        found[name] = stored(text, played, start.games, rating)
    return found


def rated_at_home(
    text: Text, entries: dict[str, Entry], end: dt.date, quick: bool, dual: bool
) -> dict[str, Rated]:
    """Section 1: the five steps."""
    starts = {name: start_of(text, entry, end, quick) for name, entry in entries.items()}
    step_1 = {name: start.rating for name, start in starts.items()}
    step_3 = dict(step_1)
    for name, start in starts.items():
        if start.unrated and start.games == 0:
            games = [(step_1[opponent], points) for opponent, points in entries[name].games]
            step_3[name] = max(D(100), special(replace(start, effective=D(1)), games))
    lower_k = text.curve_of_2013 and dual and not quick
    step_4 = {
        name: one_pass(text, starts[name], entry, step_3, lower_k)
        for name, entry in entries.items()
    }
    step_5 = {
        name: one_pass(text, starts[name], entry, step_4, lower_k)
        for name, entry in entries.items()
    }
    return {
        name: stored(text, entry, starts[name].games, step_5[name])
        for name, entry in entries.items()
        if entry.games
    }


def start_of(text: Text, entry: Entry, end: dt.date, quick: bool) -> Start:
    """Steps 1 and 2."""
    standing = entry.standing
    rating, games = standing.rating, standing.games
    if rating is None:
        rating, games = initial(text, entry.person, end, quick)
    played = standing.wins + standing.draws + standing.losses
    return Start(
        rating,
        games,
        min(D(games), most_games(text, rating)),
        standing.rating is None,
        played > 0 and standing.wins == played,
        played > 0 and standing.losses == played,
    )


def initial(text: Text, person: Person, end: dt.date, quick: bool) -> tuple[D, int]:
    """Step 1: the first that matches."""
    if person.fide is not None:
        return text.conversion.of(person.fide), 10 if person.fide > 2150 else 5
    if person.cfc is not None:
        if person.cfc > 1500:
            return D("1.1") * person.cfc - 240, 5
        return D(person.cfc - 90), 0
    if person.other is not None and person.other[1] >= 4:
        return person.other[0], min(10, person.other[1]) if quick else 0
    if person.birth is not None:
        age = D((end - person.birth).days) / D("365.25")
        if text.decimals and age < 2:
            return D(100), 0
        least = 2 if text.decimals else 3
        return (50 * age if least <= age <= 26 else D(1300)), 0
    return D(1300 if person.adult else 750), 0


def most_games(text: Text, rating: D) -> D:
    """N*, the greatest effective number of games."""
    if text.curve_of_2013:
        if rating > 2355:
            return D(50)
        return 50 / (D("0.662") + D("0.00000739") * (2569 - rating) ** 2).sqrt()
    if rating > 2200:
        return D(50)
    return 50 / (1 + (2200 - rating) ** 2 / 100000).sqrt()


def one_pass(text: Text, start: Start, entry: Entry, opponents: dict[str, D], lower_k: bool) -> D:
    """Steps 4 and 5: the same with other ratings of the opponents."""
    games = [(opponents[opponent], points) for opponent, points in entry.games]
    if start.games <= 8 or start.all_won or start.all_lost:
        return max(D(100), special(start, games))
    met = max(Counter(opponent for opponent, _ in entry.games).values(), default=0)
    return max(D(100), standard(text, start, games, met, lower_k))


def special(start: Start, games: Sequence[tuple[D, int]]) -> D:
    """The special formula: of all ratings where f is 0, the one nearest to R0; at most 2700."""
    effective, prior = start.effective, start.rating
    wanted = D(sum(points for _, points in games)) / 2
    if start.all_won:
        prior, wanted = prior - REACH, wanted + effective
    elif start.all_lost:
        prior = prior + REACH
    else:
        wanted = wanted + effective / 2
    terms = [(rating, D(1)) for rating, _ in games]
    if effective > 0:
        terms.append((prior, effective))
    return min(D(2700), nearest_root(terms, wanted, start.rating))


def nearest_root(terms: Sequence[tuple[D, D]], wanted: D, near: D) -> D:
    """The point nearest to ``near`` at which the weighted expectancies come to ``wanted``."""

    def f(rating: D) -> D:
        total = sum((weight * expectancy(rating, other) for other, weight in terms), D(0))
        return D(0) if abs(total - wanted) < NOTHING else total - wanted

    if not terms:
        return near
    bends = sorted({other + side for other, _ in terms for side in (-REACH, REACH)})
    values = [f(bend) for bend in bends]
    # Below the first bend f is what it is there, and above the last one.
    below = [n for n, value in enumerate(values) if value < 0]
    above = [n for n, value in enumerate(values) if value > 0]
    low = high = near
    if below:
        n = below[-1]
        low = max(low, line_at_zero(bends[n : n + 2], values[n : n + 2]))
    if above:
        n = above[0]
        high = min(high, line_at_zero(bends[n - 1 : n + 1], values[n - 1 : n + 1]))
    return low if low > near else high


def line_at_zero(places: Sequence[D], values: Sequence[D]) -> D:
    """Where the line between two bends is 0."""
    (left, right), (at_left, at_right) = places, values
    return left - at_left * (right - left) / (at_right - at_left)


def expectancy(rating: D, opponent: D) -> D:
    """PWe."""
    return min(D(1), max(D(0), HALF + (rating - opponent) / 800))


def standard(
    text: Text, start: Start, games: Sequence[tuple[D, int]], met: int, lower_k: bool
) -> D:
    """The standard formula with its bonus."""
    m, rating = len(games), start.rating
    factor = D(800) / (start.effective + m) if m else D(0)
    if lower_k and rating >= 2500:
        factor = factor / 4
    elif lower_k and rating > 2200:
        factor = factor * (D("6.5") - D("0.0025") * rating)
    wanted = D(sum(points for _, points in games)) / 2
    expected = sum((1 / (1 + 10 ** ((other - rating) / 400)) for other, _ in games), D(0))
    change = factor * (wanted - expected)
    most_met = 1 if m == 3 and text.three_met_once else 2
    if m >= 3 and met <= most_met:
        change = change + max(D(0), change - text.bonus * D(max(m, 4)).sqrt())
    return rating + change


def stored(text: Text, entry: Entry, games: int, rating: D) -> Rated:
    """Floors, then rounding, and what the pool knows afterwards."""
    before, points = attained(entry.standing), [points for _, points in entry.games]
    after = replace(
        before,
        games=games + len(points),
        wins=before.wins + points.count(2),
        draws=before.draws + points.count(1),
        losses=before.losses + points.count(0),
        events=before.events + (len(points) >= 3),
    )
    exact = max(rating, D(floor_of(after, before)))
    if text.decimals:
        kept, published = exact, nearest(exact)
    else:
        published = nearest(exact) if before.rating is None else away(exact, before.rating)
        kept = D(published)
    peak = before.peak
    if after.games >= 26:
        peak = max(published, published if peak is None else peak)
    nearly = abs(2 * exact - nearest(2 * exact)) <= MEETS
    return Rated(exact, published, replace(after, rating=kept, peak=peak), nearly)


def attained(standing: Standing) -> Standing:
    """The rating of an established player has been attained, whatever peak is on record."""
    if standing.rating is None or standing.games < 26:
        return replace(standing, peak=None)
    return replace(standing, peak=max(standing.peak or 0, nearest(standing.rating)))


def floor_of(after: Standing, before: Standing) -> int:
    """The highest floor that a player has."""
    floors = [min(100 + 4 * after.wins + 2 * after.draws + after.events, 150)]
    if before.games >= 26 and before.peak is not None and before.peak - 200 >= 1200:
        floors.append(min(2100, (before.peak - 200) // 100 * 100))
    if before.floor is not None:
        floors.append(before.floor)
    if before.olm:
        floors.append(2200)
    return max(floors)


def nearest(value: D) -> int:
    """To the nearest whole number, a half up."""
    return int((value + HALF + MEETS) // 1)


def away(value: D, before: D) -> int:
    """Away from the old rating, so that who gains gains a point, and who loses loses one."""
    whole = nearest(value)
    if abs(value - whole) <= MEETS:
        return whole
    return int(value // 1) + (value > before)
