"""FIDE's editions and their series, reckoned from the texts in whole numbers and fractions.

A *community* is a handful of players who meet nobody else.  In reports it has one period with
several events, in histories two or three years of lists; every third one looks for ties, every
seventh has players with so many games that K · n passes 700.  Ratings come in bands around the
bounds of the rules: the floor, 2000, 2300, 2400, 2600, 2650, and differences of 400, 600, 735.

Cases about which the text is silent are not compared: games towards a first rating in the very
month in which they are forgotten; events of exactly 31 days; who was rated when an event started
and has left the list before it ended, for himself and for his opponents.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from tools.differential.common import Case, Path, half_up, is_half, rated_history, rated_report

EDITIONS = ("fide-2009", "fide-2011", "fide-2012", "fide-2014", "fide-2022", "fide-2024", "fide")

_FROM = {
    "fide-2009": date(2009, 7, 1),
    "fide-2011": date(2011, 7, 1),
    "fide-2012": date(2012, 7, 1),
    "fide-2014": date(2014, 7, 1),
    "fide-2022": date(2022, 1, 1),
    "fide-2024": date(2024, 3, 1),
}
_END = date(2026, 9, 1)

# Table 8.1.2: the greatest difference of each row; 0.50 up to 3, 0.51 up to 10, … 0.99 up to 735.
_ROWS = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162,
    170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374,
    391, 411, 432, 456, 484, 517, 559, 619, 735,
]  # fmt: skip
# Table 8.1.1: dp of p = 0.50, 0.51, … 1.00.
_DP = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
]  # fmt: skip

_FIRST_REFORM = date(2022, 10, 1)
_SECOND_REFORM = date(2024, 3, 1)
_TIES_AWAY = date(2018, 9, 1)
_LONG = 30
"""Days of an event that is rated month by month from 2024 on, if it has more."""


# The text.


@dataclass(frozen=True)
class _Text:
    """What holds for an event that starts on a day, or for a list of that day."""

    k: tuple[int, int, int]
    """For new players, for others, from 2400 on."""
    k_everybody: bool
    top_at_once: bool
    juniors: bool
    cap: int
    one_capped_game: bool
    uncapped: int
    far_apart: bool
    k_games: bool
    floor: int
    first_games: int
    first_each_event: bool
    first_event_games: int
    first_event_half_points: int
    half_point: Fraction
    draws: bool
    round_robins: bool
    matches: bool
    months: bool
    late: bool


def text_of(edition: str, day: date, standard: bool) -> _Text:
    """The text of an edition (of the series: that of the day), with what changed within it."""
    if edition == "fide":
        edition = max((since, name) for name, since in _FROM.items() if since <= day)[1]
    which = list(_FROM).index(edition)
    old = which < 3
    everybody = not standard and (which in (2, 3) or (which == 4 and day < _FIRST_REFORM))
    half_point = Fraction(25, 2) if which == 0 else Fraction(15) if old else Fraction(20)
    if not standard and which in (2, 3):
        half_point = Fraction(10)
    return _Text(
        k=(25 if which == 0 else 30, 15, 10) if old else (40, 20, 10),
        k_everybody=everybody,
        top_at_once=not old,
        juniors=not old,
        cap=735 if not standard and which in (3, 4) else 400,
        one_capped_game=standard and which == 4,
        uncapped=2650 if standard and which == 5 and day >= date(2025, 10, 1) else 0,
        far_apart=not standard and which == 5 and day >= date(2024, 12, 1),
        k_games=not old,
        floor=1200 if which < 2 else 1000 if which < 5 else 1400,
        first_games=9 if old else 5,
        first_each_event=old,
        first_event_games=3 if old else 1,
        first_event_half_points=2 if old or (not standard and which in (3, 4)) else 1,
        half_point=half_point,
        draws=which == 5,
        round_robins=which < 4,
        matches=which >= 2,
        months=which == 5,
        late=which == 5,
    )


def expected_score(difference: int) -> Fraction:
    """Table 8.1.2; the lower rated player has what the higher rated leaves."""
    row = next((n for n, most in enumerate(_ROWS) if abs(difference) <= most), len(_ROWS))
    share = Fraction(50 + row, 100)
    return share if difference >= 0 else 1 - share


def performance(half_points: int, games: int) -> int:
    """Table 8.1.1 at p, rounded to hundredths, a half up."""
    p = half_up(Fraction(50 * half_points, games))
    return _DP[p - 50] if p >= 50 else -_DP[50 - p]


def rounded(change: Fraction, list_day: date) -> int:
    """The change of a period: a half up, from the list of September 2018 on away from zero."""
    if change < 0 and list_day >= _TIES_AWAY:
        return -half_up(-change)
    return half_up(change)


# Lists.


def _is_list(day: date) -> bool:
    return day.day == 1 and (day >= date(2012, 7, 1) or day.month % 2 == 1)


def _next_list(day: date) -> date:
    day += timedelta(1)
    while not _is_list(day):
        day += timedelta(1)
    return day


def list_taking(end: date) -> date:
    """The first list that closes on the last day of an event or later."""
    taking = _next_list(end)
    while end > taking - timedelta(3 if taking >= date(2012, 7, 1) else 7):
        taking = _next_list(taking)
    return taking


def _list_in_force(day: date) -> date:
    while not _is_list(day):
        day -= timedelta(1)
    return day


# People, events.


@dataclass(frozen=True)
class _Frozen:
    """A game towards a first rating."""

    opponent: int
    half_points: int
    start: date


@dataclass(frozen=True)
class _Standing:
    rating: int | None
    games: int = 0
    reached_2400: bool = False
    reached_2300: bool = False
    listed: bool = True
    carried: tuple[_Frozen, ...] = ()

    @property
    def is_rated(self) -> bool:
        return self.rating is not None and self.listed


@dataclass
class _Player:
    id: str
    standing: _Standing
    birth_year: int | None = None
    standard: int | None = None


@dataclass(frozen=True)
class _Game:
    white: str
    black: str
    half_points: int
    day: date
    reported: date | None = None

    def of(self, player: str) -> tuple[str, int]:
        """The opponent and the own half points."""
        if player == self.white:
            return self.black, self.half_points
        return self.white, 2 - self.half_points


@dataclass
class _Event:
    name: str
    start: date
    end: date
    games: list[_Game] = field(default_factory=list)
    kind: str = "swiss"
    rounds: int = 0
    in_force: dict[str, int] = field(default_factory=dict)
    """In a report: ratings in force at the start that are not those of the standing."""


@dataclass(frozen=True)
class _Row:
    """What the oracle says of a player and a list."""

    day: date
    before: int | None
    after: int | None
    exact: Fraction | None
    games: int
    score: Fraction
    expected: Fraction | None
    published: bool
    tie: bool
    told: str
    silent: bool = False
    """Whether the text leaves the case open."""


_Views = Mapping[str, Mapping[str, _Standing]]
"""By event and player: the standing of the list in force when the event started."""


@dataclass(frozen=True)
class _Period:
    """A list to be made."""

    edition: str
    standard: bool
    day: date
    people: Mapping[str, _Player]
    events: Sequence[_Event]
    views: _Views
    reforms: bool = False

    def printed(self, rating: int, player: _Player) -> int:
        """11: a rating as the list prints it, after a one-off reform, a half up."""
        if not self.reforms:
            return rating
        if not self.standard and self.day == _FIRST_REFORM and player.standard is not None:
            return max(rating, player.standard - 100)
        if self.standard and self.day == _SECOND_REFORM and rating < 2000:
            return half_up(rating + Fraction(2, 5) * (2000 - rating))
        return rating

    def text(self, event: _Event) -> _Text:
        return text_of(self.edition, event.start, self.standard)

    @property
    def list_text(self) -> _Text:
        return text_of(self.edition, self.day, self.standard)

    def number(self, event: _Event, player: str) -> int | None:
        """The rating with which a player enters an event; None: unrated."""
        view = self.views[event.name][player]
        if view.is_rated:
            return view.rating
        return self.people[player].standard if view.rating is None else None


def rated_games(event: _Event, text: _Text, period: _Period) -> list[_Game]:
    """The games of an event that can be rated at all: reports in time, matches not decided."""
    games = []
    points: dict[frozenset[str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for game in event.games:
        pair = frozenset((game.white, game.black))
        if text.late and game.reported is not None:
            third = _next_list(_next_list(_next_list(event.end)))
            if game.reported > third - timedelta(3):
                continue
        if event.kind == "match" and text.matches:
            if None in (period.number(event, game.white), period.number(event, game.black)):
                continue
            score = points[pair]
            if event.rounds and max(score.values(), default=0) > event.rounds:
                continue
            score[game.white] += game.half_points
            score[game.black] += 2 - game.half_points
        games.append(game)
    return games


def _is_far_apart(own: int, opponent: int, text: _Text) -> bool:
    """8b: a difference of 600 or more, and one of the two above 2600."""
    return text.far_apart and abs(own - opponent) >= 600 and max(own, opponent) > 2600


def round_robin(
    event: _Event, text: _Text, period: _Period
) -> tuple[int, dict[str, int], int] | None:
    """6g: Ra, what each unrated player counts as for rated ones, n; None: no such event."""
    if event.kind != "round_robin" or not text.round_robins:
        return None
    players = sorted({player for game in event.games for player in (game.white, game.black)})
    n = len(players) - 1
    scores = {p: [g.of(p)[1] for g in event.games if p in (g.white, g.black)] for p in players}
    rated = {p: number for p in players if (number := period.number(event, p)) is not None}
    if len(rated) == len(players) or not rated:
        return None
    rar = Fraction(sum(rated.values()), len(rated))
    dpa = Fraction(sum(performance(sum(scores[p]), len(scores[p])) for p in rated), len(rated))
    average = half_up(rar - dpa * Fraction(n, n + 1))
    counts = {}
    for player in players:
        points, games = sum(scores[player]), len(scores[player])
        if player in rated or points < text.first_event_half_points:
            continue
        if points >= games:
            exact = average + text.half_point * (points - games)
        else:
            exact = average + performance(points, games) * Fraction(n, n + 1)
        counts[player] = half_up(exact)
    return average, counts, n


def _change_of_games(
    own: int, games: list[tuple[int, int]], text: _Text
) -> list[tuple[Fraction, Fraction]]:
    """Score and expectation of each game (opponent, half points)."""
    differences = [own - opponent for opponent, _ in games]
    # One upgrade: of the opponents below, only one counts as 400 below (F25).
    greatest = max(differences, default=0)
    spent = False
    reckoned = []
    for difference, (_, half_points) in zip(differences, games, strict=True):
        cap = text.cap
        if text.uncapped and own >= text.uncapped:
            cap = 10_000
        elif text.one_capped_game and difference > 0:
            if spent or difference < greatest:
                cap = 10_000
            else:
                spent = True
        counted = max(-cap, min(cap, difference))
        reckoned.append((Fraction(half_points, 2), expected_score(counted)))
    return reckoned


def coefficient(player: _Player, view: _Standing, own: int, event: _Event, text: _Text) -> int:
    """K of an event; ``own`` is the rating in force when it starts, ``view`` what else is known."""
    new, ordinary, top = text.k
    if text.k_everybody:
        return 20
    if view.reached_2400 and (text.top_at_once or view.games >= 30):
        return top
    if view.games < 30:
        return new
    if (
        text.juniors
        and player.birth_year is not None
        and event.start.year <= player.birth_year + 18
    ):
        return new if own < 2300 and not view.reached_2300 else ordinary
    return ordinary


def _rated_player(period: _Period, player: _Player) -> _Row | None:
    """Paragraphs 2 to 5: a player who has a rating on the list that is in force now."""
    standing = player.standing
    base = standing.rating if standing.is_rated else player.standard
    assert base is not None
    told = [f"{player.id} {standing} born {player.birth_year} standard {player.standard}"]
    events: list[tuple[int, list[tuple[Fraction, Fraction]]]] = []
    top, high = standing.reached_2400, standing.reached_2300
    silent = False
    seen_top = seen_high = False
    for event in sorted(period.events, key=lambda event: event.start):
        text = period.text(event)
        table = round_robin(event, text, period)
        view = period.views[event.name][player.id]
        own = period.number(event, player.id)
        if own is None:
            # Unrated when the event started: the rating of the list of now (F17).
            silent = silent or view.rating is not None
            own, view = base, standing
        games = []
        if any(player.id in (game.white, game.black) for game in event.games):
            seen_top, seen_high = seen_top or own >= 2400, seen_high or own >= 2300
        for game in rated_games(event, text, period):
            if player.id not in (game.white, game.black):
                continue
            opponent, half_points = game.of(player.id)
            number = period.number(event, opponent)
            gone = period.people[opponent].standing
            silent = silent or (number is not None and gone.rating is not None and not gone.listed)
            if number is None and table is not None:
                number = table[1].get(opponent)
            if number is not None and not _is_far_apart(own, number, text):
                games.append((number, half_points))
        if not games:
            continue
        # The games, and what was reached before, are those of the list before the new one (F32).
        view = replace(
            standing,
            reached_2400=standing.reached_2400 or seen_top,
            reached_2300=standing.reached_2300 or seen_high,
        )
        top, high = top or view.reached_2400, high or view.reached_2300
        k = coefficient(player, view, own, event, text)
        reckoned = _change_of_games(own, games, text)
        events.append((k, reckoned))
        told.append(f"{event.name} from {event.start}: {own} (K {k}) {games}")
    count = sum(len(games) for _, games in events)
    if not count:
        return None
    if period.list_text.k_games:
        events = [(min(k, 700 // count), games) for k, games in events]
    total = sum((k * (s - e) for k, games in events for s, e in games), Fraction(0))
    after = base + rounded(total, period.day)
    published = period.printed(after, player) >= period.list_text.floor
    top, high = top or (published and after >= 2400), high or (published and after >= 2300)
    player.standing = _Standing(after, standing.games + count, top, high, published)
    return _Row(
        day=period.day,
        before=standing.rating,
        after=after,
        exact=base + total,
        games=count,
        score=sum((s for _, games in events for s, _ in games), Fraction(0)),
        expected=sum((e for _, games in events for _, e in games), Fraction(0)),
        published=published,
        tie=is_half(total),
        told=f"list {period.day}: " + "; ".join(told),
        silent=silent,
    )


def _months(since: date, until: date) -> int:
    return 12 * (until.year - since.year) + until.month - since.month


def first_rating(
    sides: Sequence[_Frozen], text: _Text, unrated_in_round_robin: int
) -> tuple[Fraction, int]:
    """Paragraph 6: Ru before rounding, and the number of games it rests on."""
    points, games = sum(side.half_points for side in sides), len(sides)
    total = sum(side.opponent for side in sides)
    if text.draws:
        average = half_up(Fraction(total + 3600, games + 2))
        return min(Fraction(average + performance(points + 2, games + 2)), Fraction(2200)), games
    average = half_up(Fraction(total, games))
    if points >= games:
        return average + text.half_point * (points - games), games
    n = unrated_in_round_robin
    share = Fraction(n, n + 1) if n else Fraction(1)
    return average + performance(points, games) * share, games


def _unrated_player(period: _Period, player: _Player) -> _Row | None:
    """Paragraph 6: games towards a first rating, those of 26 months."""
    standing = player.standing
    told = [f"{player.id} {standing}"]
    ends = [
        event.end
        for event in period.events
        if any(player.id in (game.white, game.black) for game in event.games)
    ]
    until = max(ends, default=period.day)
    kept = [side for side in standing.carried if _months(side.start, until) <= 26]
    played: list[_Frozen] = []
    silent = any(_months(side.start, until) in (26, 27) for side in standing.carried)
    opponents = 0
    last = period.list_text
    for event in sorted(period.events, key=lambda event: event.start):
        text = period.text(event)
        table = round_robin(event, text, period)
        silent = silent or period.views[event.name][player.id].is_rated
        sides = []
        met_rated = 0
        for game in rated_games(event, text, period):
            if player.id not in (game.white, game.black):
                continue
            opponent, half_points = game.of(player.id)
            number = period.number(event, opponent)
            met_rated += number is not None
            if table is not None:
                number = table[0]
            if number is not None:
                sides.append(_Frozen(number, half_points, event.start))
        if not sides:
            continue
        told.append(
            f"{event.name} from {event.start}: {[(s.opponent, s.half_points) for s in sides]}"
        )
        is_first = not kept and not played
        if text.first_each_event or is_first:
            points = sum(side.half_points for side in sides)
            if met_rated < text.first_event_games or points < text.first_event_half_points:
                continue
        last = text
        opponents = table[2] if table is not None and is_first else 0
        played += sides
    sides = kept + played
    player.standing = replace(standing, carried=tuple(sides))
    if not played:
        return None
    exact, count = first_rating(sides, last, opponents)
    after = half_up(exact)
    published = (
        count >= last.first_games and period.printed(after, player) >= period.list_text.floor
    )
    if published:
        player.standing = _Standing(
            after,
            standing.games + count,
            standing.reached_2400 or after >= 2400,
            standing.reached_2300 or after >= 2300,
        )
    return _Row(
        day=period.day,
        before=None,
        after=after,
        exact=exact,
        games=len(played),
        score=Fraction(sum(side.half_points for side in played), 2),
        expected=None,
        published=published,
        tie=is_half(exact),
        told=f"list {period.day}: " + "; ".join(told),
        silent=silent,
    )


def reckoned(period: _Period) -> dict[str, _Row]:
    """Everybody's row of a list; the standings go on."""
    rows = {}
    # All rows from the same standings: the views are copies.
    for id_, player in period.people.items():
        standing = player.standing
        starts = standing.rating is None and player.standard is not None
        row = (
            _rated_player(period, player)
            if standing.is_rated or starts
            else _unrated_player(period, player)
        )
        if row is not None:
            rows[id_] = row
    return rows


def parts(event: _Event, edition: str, standard: bool) -> list[_Event]:
    """5e: the months of a long event, each an event that ends with its last game."""
    days = (event.end - event.start).days + 1
    if not text_of(edition, event.start, standard).months or days <= _LONG:
        return [event]
    months: dict[date, list[_Game]] = defaultdict(list)
    for game in event.games:
        months[game.day.replace(day=1)].append(game)
    return [
        replace(
            event,
            name=f"{event.name} in {month}",
            start=max(event.start, month),
            end=max(game.day for game in games),
            games=games,
        )
        for month, games in sorted(months.items())
    ]


# Random players.


def _pools(edition: str) -> list[str]:
    return ["standard"] if edition in ("fide-2009", "fide-2011") else ["standard", "rapid", "blitz"]


def _span(edition: str, standard: bool) -> tuple[date, date]:
    """The days of an edition, or of the series."""
    if edition == "fide":
        return _FROM["fide-2009" if standard else "fide-2012"], _END
    later = [since for since in _FROM.values() if since > _FROM[edition]]
    return _FROM[edition], min(later, default=_END)


def _drawn_players(
    draw: random.Random, prefix: str, count: int, floor_: int, year: int, pool: str
) -> list[_Player]:
    centre = draw.choice([floor_ + 120, 1600, 1980, 2290, 2390, 2400, 2600, 2660])
    players = []
    for number in range(count):
        spread = draw.choice([10, 60, 200, 400, 600, 740])
        rating = round(draw.gauss(centre, 8)) + draw.choice([-1, 0, 1]) * spread
        rating = max(floor_, min(2880, rating))
        standing = _Standing(
            rating,
            draw.choice([0, 5, 22, 28, 29, 30, 31, 200, 900]),
            rating >= 2400 or draw.random() < 0.1,
            rating >= 2300 or draw.random() < 0.25,
        )
        if standing.reached_2400:
            standing = replace(standing, reached_2300=True)
        player = _Player(f"{prefix}{number}", standing)
        if draw.random() < 0.4:
            player.birth_year = year - draw.choice([12, 17, 18, 19, 20])
        if draw.random() < 0.25 and number:
            player.standing = _Standing(None)
        if pool != "standard" and draw.random() < 0.5:
            player.standard = max(floor_, rating + draw.choice([-150, 0, 60, 99, 100, 101, 250]))
        players.append(player)
    return players


def _drawn_games(
    draw: random.Random, players: Sequence[_Player], rounds: int, day: date
) -> list[_Game]:
    games = []
    for _ in range(rounds):
        order = draw.sample(players, len(players))
        for white, black in zip(order[::2], order[1::2], strict=False):
            games.append(_Game(white.id, black.id, draw.choice([0, 1, 2]), day))
    return games


def _drawn_event(
    draw: random.Random, name: str, players: Sequence[_Player], start: date, days: int
) -> _Event:
    end = start + timedelta(days - 1)
    event = _Event(name, start, end)
    some = draw.sample(players, draw.randint(max(2, len(players) // 2), len(players)))
    event.games = _drawn_games(draw, some, draw.choice([1, 2, 4, 6, 9]), end)
    return event


def _drawn_long(
    draw: random.Random, event: _Event, players: Sequence[_Player], edition: str, standard: bool
) -> _Event:
    """A league: a game now and then, the first and the last day among them.

    It ends before the rules change: whether its months belong to the old ones is not said.
    """
    name, start = event.name, event.start
    days = draw.choice([29, 33, 45, 70])
    after = start + timedelta(days + 62)
    if text_of(edition, start, standard) != text_of(edition, after, standard):
        days = 29
    event = _Event(name, start, start + timedelta(days - 1))
    for day in sorted({0, days - 1, *draw.sample(range(days), 4)}):
        event.games += _drawn_games(draw, players, 1, start + timedelta(day))
    return event


def _tie_event(draw: random.Random, name: str, players: Sequence[_Player], day: date) -> _Event:
    """Everybody but the first plays the first a game or two, with many draws."""
    event = _Event(name, day, day + timedelta(2))
    hero, *others = players
    for other in draw.sample(others, draw.randint(1, min(4, len(others)))):
        event.games.append(_Game(hero.id, other.id, draw.choice([0, 1, 1, 2]), event.end))
    return event


def _seeks_tie(
    draw: random.Random, edition: str, pool: str, players: list[_Player], day: date
) -> None:
    """Move the first player's rating until the change of the first list is a tie, if it can be."""
    hero = players[0]
    given = hero.standing
    assert given.rating is not None
    for _ in range(60):
        draws = [draw.choice([2400, 2450, 2500, 2380, 1900, 2200]) + draw.randint(-90, 90)]
        hero.standing = replace(
            given,
            rating=draws[0],
            games=draw.choice([3, 40, 40]),
            reached_2400=draws[0] >= 2400,
            reached_2300=draws[0] >= 2300,
        )
        others = [replace_player(player) for player in players]
        event = _tie_event(random.Random(f"{day}"), "tie", others, day)
        views = {event.name: {player.id: player.standing for player in others}}
        people = {player.id: player for player in others}
        taking = list_taking(event.end)
        row = reckoned(_Period(edition, pool == "standard", taking, people, [event], views)).get(
            hero.id
        )
        if row is not None and row.tie:
            return


def replace_player(player: _Player) -> _Player:
    """A player of the same standing, for a trial."""
    return replace(player)


# Reports.


@dataclass(frozen=True)
class _Community:
    players: list[_Player]
    events: list[_Event]


def _drawn_period(draw: random.Random, edition: str, pool: str, number: int) -> _Community:
    """One period: several events, ratings in force that differ, games kept from before."""
    first, last = _span(edition, pool == "standard")
    days = (last - first).days - 70
    start = first + timedelta(draw.randrange(days))
    if draw.random() < 0.5:
        # Near the dates on which something changed.
        dates = [date(2022, 10, 1), date(2024, 12, 1), date(2025, 10, 1), date(2018, 9, 1), first]
        near = draw.choice(dates) + timedelta(draw.randint(-45, 20))
        start = near if first <= near <= last - timedelta(70) else start
    prefix = f"r{number}-"
    text = text_of(edition, start, pool == "standard")
    if number % 3 == 0:
        players = _drawn_players(draw, prefix, 6, text.floor, start.year, pool)
        _seeks_tie(draw, edition, pool, players, start)
        event = _tie_event(random.Random(f"{start}"), "tie", players, start)
        return _Community(players, [event])
    taking = list_taking(start + timedelta(2))
    players = _drawn_players(draw, prefix, 8, text.floor, start.year, pool)
    special = draw.random()
    if special < 0.12:
        event = _Event(
            "Match", start, start + timedelta(2), kind="match", rounds=draw.choice([4, 5])
        )
        for white, black in zip(players[::2], players[1::2], strict=True):
            for _ in range(event.rounds):
                event.games.append(_Game(white.id, black.id, draw.choice([0, 1, 2, 2]), event.end))
        return _Community(players, [event])
    if special < 0.3:
        event = _Event("All", start, start + timedelta(6), kind="round_robin")
        some = players[: draw.choice([4, 5, 7, 8])]
        for place, white in enumerate(some):
            for black in some[:place]:
                event.games.append(_Game(white.id, black.id, draw.choice([0, 1, 2]), event.end))
        return _Community(players, [event])
    if special < 0.4 and text.late:
        event = _drawn_event(draw, "Late", players, start, 2)
        third = _next_list(_next_list(_next_list(event.end)))
        reported = third - timedelta(draw.choice([2, 3, 4, 40]))
        event.games = [replace(game, reported=reported) for game in event.games]
        return _Community(players, [event])
    if special < 0.5 and text.months:
        return _Community(
            players,
            [_drawn_long(draw, _Event("Long", start, start), players, edition, pool == "standard")],
        )
    if number % 7 == 1:
        event = _Event("Marathon", start, start + timedelta(2))
        event.games = _drawn_games(draw, players[:4], draw.choice([17, 18, 36, 60]), event.end)
        return _Community(players, [event])
    events: list[_Event] = []
    names = draw.sample("ABCDEF", 3)
    for name in names:
        day = start + timedelta(draw.randint(0, 1) + len(events) * 2)
        event = _drawn_event(draw, name, players, day, draw.randint(1, 2))
        if list_taking(event.end) == taking:
            events.append(event)
    for event in events:
        for player in players:
            if player.standing.is_rated and draw.random() < 0.15:
                rating = player.standing.rating or 0
                moved = max(text.floor, rating + draw.choice([-30, -5, 4, 25]))
                event.in_force[player.id] = moved
    for player in players:
        if player.standing.rating is None and draw.random() < 0.6:
            # Clear of the bound of 26 months: from which day they count is not said.
            months = draw.choice([2, 10, 23, 30])
            since = start - timedelta(31 * months)
            player.standing = _Standing(
                None,
                carried=tuple(
                    _Frozen(
                        max(text.floor, round(draw.gauss(1900, 200))), draw.choice([0, 1, 2]), since
                    )
                    for _ in range(draw.randint(1, 8))
                ),
            )
    return _Community(players, events)


def _document(community: _Community, pool: str) -> dict[str, Any]:
    people: list[dict[str, Any]] = []
    for player in community.players:
        standing = player.standing
        person: dict[str, Any] = {"id": player.id}
        if standing.rating is not None:
            person["standing"] = {
                "rating": standing.rating,
                "games": standing.games,
                "reached_2400": standing.reached_2400,
            }
            if REACHED_2300:
                person["standing"]["reached_2300"] = standing.reached_2300
        if player.birth_year is not None:
            person["birth_year"] = player.birth_year
        if player.standard is not None:
            person["pools"] = {"standard": {"rating": player.standard}}
        if standing.carried:
            person["history"] = [
                {
                    "opponent": side.opponent,
                    "score": side.half_points / 2,
                    "start": side.start.isoformat(),
                    "event": "earlier",
                }
                for side in standing.carried
            ]
        people.append(person)
    results = ["0-1", "1/2-1/2", "1-0"]
    games: list[dict[str, Any]] = []
    for event in community.events:
        for number, game in enumerate(event.games, 1):
            record: dict[str, Any] = {
                "round": number,
                "white": game.white,
                "black": game.black,
                "result": results[game.half_points],
                "event": event.name,
                "start": (event.start if game.day == event.end else game.day).isoformat(),
                "end": game.day.isoformat(),
            }
            for side, player_id in (("white_rating", game.white), ("black_rating", game.black)):
                if player_id in event.in_force:
                    record[side] = event.in_force[player_id]
            if game.reported is not None:
                record["reported"] = game.reported.isoformat()
            games.append(record)
    about: dict[str, Any] = {
        "start": min(event.start for event in community.events).isoformat(),
        "end": max(event.end for event in community.events).isoformat(),
        "kind": community.events[0].kind,
    }
    if community.events[0].rounds:
        about["rounds"] = community.events[0].rounds
    if pool != "standard":
        about["pool"] = pool
    return {"ratingbook": "report/1", "event": about, "players": people, "games": games}


REACHED_2300 = True
"""Whether standings know that a rating has reached 2300."""


def _reports(edition: str, draw: random.Random, players: int) -> Iterator[Case]:
    made = number = 0
    while made < players:
        pool = draw.choice(["standard", *_pools(edition)])
        community = _drawn_period(draw, edition, pool, number)
        number += 1
        if not any(event.games for event in community.events):
            continue
        document = _document(community, pool)
        expected = _reckoned_report(edition, pool, community)
        rows = rated_report(document, edition)
        for id_, wanted in expected.items():
            if wanted.silent:
                continue
            made += 1
            row = rows[id_]
            yield Case(
                f"{edition} {pool} {wanted.told} {community.events[0].kind}",
                (
                    wanted.before,
                    wanted.after,
                    _number(wanted.exact),
                    wanted.games,
                    _number(wanted.score),
                    _number(wanted.expected),
                    wanted.published,
                ),
                (
                    row.before,
                    row.after,
                    _number(row.exact),
                    row.games,
                    _number(row.score),
                    _number(row.expected),
                    row.published,
                ),
                wanted.tie,
            )


def _reckoned_report(edition: str, pool: str, community: _Community) -> dict[str, _Row]:
    """The rows of a report: of one list, or the last ones where an event of months meets more."""
    standard = pool == "standard"
    if not any(event.in_force for event in community.events):
        months = [part for event in community.events for part in parts(event, edition, standard)]
        begin = min(list_taking(part.end) for part in months)
        rows = _reckoned_years(edition, pool, community, begin, reforms=False)
        last = max((row.day for found in rows.values() for row in found), default=begin)
        return {id_: found[-1] for id_, found in rows.items() if found[-1].day == last}
    people = {player.id: player for player in community.players}
    views = {
        event.name: {
            id_: replace(player.standing, rating=event.in_force.get(id_, player.standing.rating))
            for id_, player in people.items()
        }
        for event in community.events
    }
    day = list_taking(max(event.end for event in community.events))
    return reckoned(_Period(edition, standard, day, people, community.events, views))


def _number(value: Fraction | float | None) -> float | None:
    """To six places: the scale of the rule book is finer, that of the text coarser."""
    return None if value is None else round(float(value), 6)


# Histories.


def _drawn_years(draw: random.Random, edition: str, pool: str, number: int) -> _Community:
    """Two or three years of a community."""
    first, last = _span(edition, pool == "standard")
    length = min((last - first).days - 70, draw.choice([300, 700, 1100]))
    begin = first + timedelta(draw.randrange(max(1, (last - first).days - 70 - length)))
    prefix = f"h{number}-"
    text = text_of(edition, begin, pool == "standard")
    players = _drawn_players(draw, prefix, 8, text.floor, begin.year, pool)
    events = []
    if number % 3 == 0:
        _seeks_tie(draw, edition, pool, players, begin)
        tie = _tie_event(random.Random(f"{begin}"), f"{prefix}tie", players, begin)
        events.append(tie)
    # Who plays at long intervals: games towards a first rating are forgotten in between.
    rare = players[-1]
    rare.standing = _Standing(None)
    starts = sorted(draw.sample(range(1, length), 14))
    names = draw.sample(range(100, 999), 14)
    for place, start in enumerate(starts):
        day = begin + timedelta(start)
        days = draw.choice([1, 2, 3, 5, 9, 9, 25, 29])
        event = _drawn_event(draw, f"{prefix}{names[place]}", players, day, days)
        if number % 7 == 1 and place == 5:
            event.games = _drawn_games(draw, players[:4], draw.choice([17, 18, 36]), event.end)
        if place % 5 == 3:
            event = _drawn_long(draw, event, players, edition, pool == "standard")
        if place not in (0, 9, 13):
            event.games = [game for game in event.games if rare.id not in (game.white, game.black)]
        events.append(event)
    return _Community(players, [event for event in events if event.games])


def _reckoned_years(
    edition: str, pool: str, community: _Community, begin: date, reforms: bool
) -> dict[str, list[_Row]]:
    """All lists of a community, from the first of the whole history to the last of its own."""
    people = {player.id: player for player in community.players}
    lists: dict[date, dict[str, _Standing]] = {}
    start = {id_: player.standing for id_, player in people.items()}
    due: dict[date, list[_Event]] = defaultdict(list)
    for event in community.events:
        for part in parts(event, edition, pool == "standard"):
            due[list_taking(part.end)].append(part)
    days: list[date] = []
    rows: dict[str, list[_Row]] = defaultdict(list)
    day = begin
    while day <= max(due):
        views = {}
        for event in due[day]:
            place = bisect_right(days, event.start)
            views[event.name] = lists[days[place - 1]] if place else start
        period = _Period(
            edition, pool == "standard", day, people, due[day], views, reforms and day > begin
        )
        for id_, row in reckoned(period).items():
            rows[id_].append(row)
        for player in people.values():
            standing = player.standing
            if standing.is_rated and standing.rating is not None:
                rating = period.printed(standing.rating, player)
                player.standing = replace(
                    standing,
                    rating=rating,
                    reached_2400=standing.reached_2400 or rating >= 2400,
                    reached_2300=standing.reached_2300 or rating >= 2300,
                )
        lists[day] = {id_: player.standing for id_, player in people.items()}
        days.append(day)
        day = _next_list(day)
    return rows


def _histories(edition: str, path: Path, draw: random.Random, players: int) -> Iterator[Case]:
    pools = _pools(edition)
    for pool in pools:
        yield from _history(edition, pool, path, draw, -(-players // len(pools)))


def _history(
    edition: str, pool: str, path: Path, draw: random.Random, players: int
) -> Iterator[Case]:
    communities = []
    for number in range(max(1, -(-players // 30))):
        communities.append(_drawn_years(draw, edition, pool, number))
    files: dict[str, list[dict[str, Any]]] = {"players": [], "events": []}
    games: list[dict[str, Any]] = []
    for community in communities:
        for player in community.players:
            standing = player.standing
            record: dict[str, Any] = {
                "id": player.id,
                "rating": standing.rating,
                "games": standing.games if standing.rating is not None else None,
                "reached_2400": standing.reached_2400,
                "birth_date": None if player.birth_year is None else date(player.birth_year, 7, 1),
                "standard": player.standard,
            }
            if REACHED_2300:
                record["reached_2300"] = standing.reached_2300
            files["players"].append(record)
        for event in community.events:
            files["events"].append({"event": event.name, "start": event.start, "end": event.end})
            for number, game in enumerate(event.games, 1):
                games.append(
                    {
                        "date": game.day,
                        "event": event.name,
                        "round": number,
                        "white": game.white,
                        "black": game.black,
                        "score": game.half_points / 2,
                    }
                )
    begin = min(
        list_taking(part.end)
        for each in communities
        for event in each.events
        for part in parts(event, edition, pool == "standard")
    )
    rows = rated_history(
        games,
        edition,
        path,
        players=files["players"],
        events=files["events"],
        settings={"pool": pool} if pool != "standard" else None,
    )
    got: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: int(row["batch"])):
        got[row["player"]].append(row)
    for community in communities:
        people = {player.id: replace(player) for player in community.players}
        expected = _reckoned_years(
            edition,
            pool,
            _Community(list(people.values()), community.events),
            begin,
            reforms=edition == "fide",
        )
        yield from _community_cases(edition, pool, expected, got, people)


def _community_cases(
    edition: str,
    pool: str,
    expected: Mapping[str, list[_Row]],
    got: Mapping[str, list[dict[str, Any]]],
    people: Mapping[str, _Player],
) -> Iterator[Case]:
    """The rows of a community, up to the first list that differs: the rest follows from it.

    Of a community that meets a case which the text leaves open, there are none.
    """
    if any(row.silent for rows in expected.values() for row in rows):
        return
    cases: list[tuple[date, Case]] = []
    for id_ in people:
        mine, theirs = expected.get(id_, []), got.get(id_, [])
        for place in range(max(len(mine), len(theirs))):
            row = theirs[place] if place < len(theirs) else {}
            found = tuple(
                row.get(name) if name in ("before", "after", "games") else _number(row.get(name))
                for name in ("before", "after", "games", "score", "expected")
            )
            if place >= len(mine):
                extra = Case(f"{edition} {pool} {id_}: no such list", None, found, False)
                cases.append((date.max, extra))
                continue
            wanted = mine[place]
            case = Case(
                f"{edition} {pool} {wanted.told}",
                (
                    wanted.before,
                    wanted.after,
                    wanted.games,
                    _number(wanted.score),
                    _number(wanted.expected),
                ),
                found,
                wanted.tie,
            )
            cases.append((wanted.day, case))
    first = min((day for day, case in cases if case.differs), default=date.max)
    yield from (case for day, case in cases if day <= first)


def compare(edition: str, path: Path, players: int, seed: int) -> Iterator[Case]:
    """Random communities of an edition; see the module."""
    draw = random.Random(f"{edition} {seed}")
    if path is Path.REPORT:
        yield from _reports(edition, draw, players)
    else:
        yield from _histories(edition, path, draw, players)
