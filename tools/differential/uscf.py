"""US Chess: leagues of a few players and a few events, by the text and by the rule books.

Most leagues are drawn with a liking for the bounds of the text: N = 8, 9, 25 and 26, nothing
but wins or losses, 2200, 2355 and 2500, floors and peaks, FIDE ratings about 2000 and 2150.
Every third one is made for exact halves and whole numbers: a chain of players of one rating
in which only the ends move, or players who all are new.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise
from random import Random
from typing import Any

from tools.differential.common import Case, Path, rated_history, rated_report
from tools.differential.uscf_text import (
    FIRST_DAYS,
    Entry,
    Kind,
    Person,
    Rated,
    Standing,
    Text,
    rated,
    text_of,
)

SERIES = "uscf"
EDITIONS = (*FIRST_DAYS, SERIES)

LAST_DAY = dt.date(2026, 6, 30)
RESULTS = {2: "1-0", 1: "1/2-1/2", 0: "0-1"}
CLOSE = Decimal("1e-6")
"""Ratings that are nearer to one another than this are the same before they are rounded."""
BOUNDS = (100, 101, 149, 1000, 1200, 1210, 1400, 1500, 1999, 2000, 2100, 2199, 2200, 2201, 2355,
          2356, 2499, 2500, 2501, 2690, 2800)  # fmt: skip


@dataclass(frozen=True)
class Game:
    """A game, with White's half points; a forfeit is in reports only."""

    white: str
    black: str
    points: int
    forfeit: bool = False


@dataclass(frozen=True)
class Event:
    """An event of a league."""

    name: str
    end: dt.date
    games: tuple[Game, ...]
    dual: bool = False
    kind: Kind = Kind.COMMON


@dataclass
class League:
    """Players, and events in the order of their last days."""

    people: dict[str, Person]
    standings: dict[str, Standing]
    events: list[Event] = field(default_factory=list)


@dataclass(frozen=True)
class Reckoned:
    """An event with who entered it, and what the text makes of it."""

    event: Event
    entries: dict[str, Entry]
    after: dict[str, Rated]


def compare(edition: str, path: Path, players: int, seed: int) -> Iterator[Case]:
    """The cases of all events of leagues, until there are enough."""
    chance = Random(f"{edition} {seed}")
    many = max(3, min(players // 16, 300))
    found = 0
    number = 0
    while found < players:
        quick = number // many % 4 == 3
        leagues = [_league(edition, number + n, quick, chance) for n in range(many)]
        number += many
        reckoned = [each for league in leagues for each in _reckoned(edition, league, quick)]
        for case in (
            _by_reports(edition, reckoned, quick)
            if path is Path.REPORT
            else _by_history(edition, path, leagues, reckoned, quick)
        ):
            found += 1
            yield case


# --- What is drawn ----------------------------------------------------------------------------


def _league(edition: str, number: int, quick: bool, chance: Random) -> League:
    """A league: drawn, or made for ties."""
    decimals = edition in list(FIRST_DAYS)[3:]
    days = _days(edition, chance)
    if number % 6 == 2:
        return _chain(number, days, chance)
    new = number % 6 == 5
    names = [f"p{number}-{n}" for n in range(chance.randint(5, 8))]
    people, standings = {}, {}
    for name in names:
        unrated = chance.random() < (0.5 if new else 0.25)
        people[name] = _person(days[0], chance, unrated)
        standings[name] = Standing()
        if not unrated:
            standings[name] = _standing(chance, new, decimals)
    league = League(people, standings)
    for n, day in enumerate(days):
        kind = Kind.COMMON
        if not quick and not new and chance.random() < 0.15:
            kind = chance.choice((Kind.FIDE, Kind.YOUTH))
        dual = kind == Kind.COMMON and not quick and chance.random() < 0.5
        games = _games(names, chance)
        league.events.append(Event(f"e{number}-{n}", day, games, dual, kind))
    return league


def _days(edition: str, chance: Random) -> list[dt.date]:
    """Last days of events, while the edition is in force; about March 2024 also close to it."""
    firsts = list(FIRST_DAYS.values())
    if edition == SERIES:
        first, last = firsts[0], LAST_DAY
    else:
        place = list(FIRST_DAYS).index(edition)
        first = firsts[place]
        last = firsts[place + 1] - dt.timedelta(1) if place + 1 < len(firsts) else LAST_DAY
    found = {first + dt.timedelta(chance.randint(0, (last - first).days)) for _ in range(3)}
    march = dt.date(2024, 3, 1)
    if first < march < last and chance.random() < 0.4:
        found |= {march - dt.timedelta(1), march}
    if chance.random() < 0.2:
        found |= {first, last}
    return sorted(found)


def _person(day: dt.date, chance: Random, unrated: bool) -> Person:
    """What is known elsewhere of a player."""
    fide = chance.choice((None, 1999, 2000, 2001, 2149, 2150, 2151, chance.randint(1100, 2700)))
    flag = chance.choice((None, None, "USA", "CAN"))
    if not unrated:
        return Person(fide=fide, flag=flag)
    kind = chance.choice(("fide", "cfc", "other", "birth", "birth", "adult", "nothing"))
    cfc = chance.choice((1499, 1500, 1501, chance.randint(200, 2400)))
    born = day - dt.timedelta(chance.choice((500, 729, 731, 1095, 1096, 9496, 9497, 12000,
                                             chance.randint(700, 10000))))  # fmt: skip
    return Person(
        fide=fide if kind == "fide" else None,
        cfc=cfc if kind in ("fide", "cfc") else None,
        other=(Decimal(chance.randint(300, 2300)), chance.choice((1, 3, 4, 9, 12, 80)))
        if kind in ("cfc", "other")
        else None,
        birth=born if kind in ("other", "birth") else None,
        adult=kind == "adult",
        flag=flag,
    )


def _standing(chance: Random, new: bool, decimals: bool) -> Standing:
    """A standing, often at one of the bounds of the text."""
    rating = Decimal(chance.choice((*BOUNDS, *(chance.randint(100, 2750) for _ in BOUNDS))))
    if decimals and chance.random() < 0.5:
        rating += Decimal(chance.choice((0.25, 0.5, 0.75, chance.randrange(1024) / 1024)))
    games = chance.choice((1, 3, 5, 8)) if new else chance.choice(
        (8, 9, 10, 20, 24, 25, 26, 30, 40, 50, chance.randint(1, 400))
    )  # fmt: skip
    record = {"wins": 0, "draws": 0, "losses": 0}
    kind = chance.choice(("wins", "losses", "draws", "mixed", "mixed", "mixed", "mixed"))
    if kind == "mixed":
        record["wins"] = chance.randint(0, games)
        record["draws"] = chance.randint(0, games - record["wins"])
        record["losses"] = games - record["wins"] - record["draws"]
    else:
        record[kind] = games
    peak = floor = None
    if games >= 26:
        level = int(rating // 100) * 100 - chance.choice((0, 0, 100))
        published = int(rating + Decimal("0.5"))
        peak = chance.choice((None, published, max(published, level + 200 + chance.randint(0, 99))))
        floor = chance.choice((None, None, level if 150 < level <= 2000 else None))
    return Standing(
        rating, games, **record, events=chance.randint(0, games // 3), peak=peak, floor=floor,
        olm=games >= 300 and rating >= 2200,
    )  # fmt: skip


def _games(names: list[str], chance: Random) -> tuple[Game, ...]:
    """Rounds among some of the players; now and then two meet again and again."""
    field_ = chance.sample(names, chance.randint(3, len(names)))
    games = []
    strong, weak = chance.choice((None, field_[0])), chance.choice((None, field_[1]))
    for _ in range(chance.choice((1, 2, 3, 3, 3, 4, 5, 6))):
        order = chance.sample(field_, len(field_))
        games += [
            _game(*pair, strong, weak, chance)
            for pair in zip(order[::2], order[1::2], strict=False)
        ]
    for _ in range(chance.choice((0, 0, 0, 1, 2))):
        games.append(_game(field_[0], field_[2], strong, weak, chance))
    if chance.random() < 0.1:
        games.append(Game(field_[1], field_[2], 2, forfeit=True))
    return tuple(games)


def _game(white: str, black: str, strong: str | None, weak: str | None, chance: Random) -> Game:
    """A game, which one player always wins, and another always loses."""
    points = chance.choice((2, 2, 1, 0))
    if strong in (white, black):
        points = 2 if strong == white else 0
    elif weak in (white, black):
        points = 0 if weak == white else 2
    return Game(white, black, points)


def _chain(number: int, days: list[dt.date], chance: Random) -> League:
    """Players of one rating of whom each scores as much above as below: only the ends move.

    The first has half a point more than is expected, the last half a point less; both meet
    an opponent whose intermediate rating is what he had.
    """
    count = chance.randint(3, 6)
    names = [f"p{number}-{n}" for n in range(count)]
    rating = Decimal(chance.choice((400, 1500, 2200, 2300, 2356, 2400, 2500)))
    games = chance.choice((8, 9, 14, 30, 30, 62))
    same = Standing(rating, games, games // 2, 0, games - games // 2, events=5)
    points = chance.choice(((2, 1), (2, 2), (2, 1, 2)))
    played = tuple(Game(white, black, each) for white, black in pairwise(names) for each in points)
    event = Event(f"e{number}-0", days[0], played, dual=chance.random() < 0.5)
    return League(dict.fromkeys(names, Person()), dict.fromkeys(names, same), [event])


# --- By the text ------------------------------------------------------------------------------


def _reckoned(edition: str, league: League, quick: bool) -> Iterator[Reckoned]:
    """The events of a league one after the other, each from what the one before left."""
    standings = dict(league.standings)
    for event in league.events:
        entries = {name: Entry(standings[name], league.people[name]) for name in standings}
        for game in event.games:
            if not game.forfeit:
                entries[game.white].games.append((game.black, game.points))
                entries[game.black].games.append((game.white, 2 - game.points))
        after = rated(
            _text(edition, event.end), entries, event.end, quick=quick, dual=event.dual,
            kind=event.kind,
        )  # fmt: skip
        yield Reckoned(event, entries, after)
        standings |= {name: each.standing for name, each in after.items()}


def _text(edition: str, end: dt.date) -> Text:
    if edition != SERIES:
        return text_of(edition, end)
    return text_of([name for name, first in FIRST_DAYS.items() if first <= end][-1], end)


def _told(reckoned: Reckoned, name: str) -> str:
    """All that is needed to reckon a case by hand."""
    event, lines = reckoned.event, []
    for who, entry in reckoned.entries.items():
        if who == name or entry.games:
            known = {**vars(entry.standing), **vars(entry.person)}
            said = ", ".join(f"{key} {value}" for key, value in known.items() if value)
            lines.append(f"{who} ({said or 'nothing'}): {entry.games}")
    about = f"{event.kind}, dual {event.dual}, until {event.end}"
    return f"{name} in {event.name} ({about})\n    " + "\n    ".join(lines)


# --- By the rule books ------------------------------------------------------------------------


def _near(expected: Decimal | None, got: float | None) -> object:
    """``expected`` where both are the same before they are rounded, else ``got``."""
    if expected is None or got is None:
        return got
    return expected if abs(Decimal(got) - expected) <= CLOSE else got


def _by_reports(edition: str, reckoned: list[Reckoned], quick: bool) -> Iterator[Case]:
    for each in reckoned:
        rows = rated_report(_document(each, quick), edition)
        for name, after in each.after.items():
            standing, row = after.standing, rows[name]
            left, extra = row.standing, row.standing.extra
            peak = standing.peak if standing.games >= 26 else None
            yield Case(
                _told(each, name),
                (after.published, after.exact, standing.rating, standing.games, standing.wins,
                 standing.draws, standing.losses, standing.events, peak),
                (row.after, _near(after.exact, row.exact), _near(standing.rating, left.rating),
                 left.games, left.wins, left.draws, left.losses, extra.get("events"),
                 extra.get("peak") if standing.games >= 26 else None),
                after.tie,
            )  # fmt: skip


def _document(reckoned: Reckoned, quick: bool) -> dict[str, Any]:
    event = reckoned.event
    about: dict[str, Any] = {
        "start": event.end.isoformat(),
        "end": event.end.isoformat(),
        "time_control": _control(event, quick),
    }
    if quick:
        about["pool"] = "quick"
    if event.kind != Kind.COMMON:
        about |= {"kind": "fide"}
    if event.kind == Kind.YOUTH:
        about |= {"category": "youth"}
    return {
        "ratingbook": "report/1",
        "event": about,
        "players": [_player(name, entry, quick) for name, entry in reckoned.entries.items()],
        "games": [
            {
                "round": number,
                "white": game.white,
                "black": game.black,
                "result": RESULTS[game.points],
                **({"status": "forfeit"} if game.forfeit else {}),
            }
            for number, game in enumerate(event.games, 1)
        ],
    }


def _control(event: Event, quick: bool) -> str:
    if quick:
        return "G/20"
    return "G/45" if event.dual else "G/90"


def _number(rating: Decimal) -> float:
    return int(rating) if rating == int(rating) else float(rating)


def _player(name: str, entry: Entry, quick: bool) -> dict[str, Any]:
    standing, person = entry.standing, entry.person
    player: dict[str, Any] = {"id": name, "adult": person.adult}
    if standing.rating is not None:
        player["standing"] = {
            **{key: value for key, value in vars(standing).items() if value is not None},
            "rating": _number(standing.rating),
        }
    foreign = {"fide": person.fide, "cfc": person.cfc}
    player["foreign"] = {key: value for key, value in foreign.items() if value is not None}
    if person.other is not None:
        other = {"rating": _number(person.other[0]), "games": person.other[1]}
        player["pools"] = {"regular" if quick else "quick": other}
    if person.birth is not None:
        player["birth_date"] = person.birth.isoformat()
    if person.flag is not None:
        player["federation"] = person.flag
    return player


def _by_history(
    edition: str, path: Path, leagues: list[League], reckoned: list[Reckoned], quick: bool
) -> Iterator[Case]:
    games = [
        {
            "date": each.event.end,
            "event": each.event.name,
            "round": number,
            "white": game.white,
            "black": game.black,
            "score": game.points / 2,
        }
        for each in reckoned
        for number, game in enumerate(each.event.games, 1)
        if not game.forfeit
    ]
    events = [
        {
            "event": each.event.name,
            "start": each.event.end,
            "end": each.event.end,
            "time_control": _control(each.event, quick),
            "kind": "swiss" if each.event.kind == Kind.COMMON else "fide",
            "category": "youth" if each.event.kind == Kind.YOUTH else None,
        }
        for each in reckoned
    ]
    players = [
        _row(name, Entry(league.standings[name], person), quick)
        for league in leagues
        for name, person in league.people.items()
    ]
    changes = rated_history(
        games, edition, path, players=players, events=events,
        settings={"pool": "quick"} if quick else None,
    )  # fmt: skip
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in changes:
        rows.setdefault(row["player"], []).append(row)
    for each in reckoned:
        for name, after in each.after.items():
            entry, row = each.entries[name], rows[name].pop(0)
            played = after.standing.wins + after.standing.draws + after.standing.losses
            before = entry.standing
            played -= before.wins + before.draws + before.losses
            yield Case(
                _told(each, name),
                (before.rating, after.published, played),
                (_near(before.rating, row["before"]), row["after"], row["games"]),
                after.tie,
            )
    if any(rows.values()):
        raise ValueError("the history has rows that the text does not have")


def _row(name: str, entry: Entry, quick: bool) -> dict[str, Any]:
    """A row of the players file."""
    player = _player(name, replace(entry, games=[]), quick)
    other, known = ("regular" if quick else "quick"), entry.person.other
    return {
        "id": name,
        "adult": player["adult"],
        **player.get("standing", {"rating": None}),
        **{key: float(value) for key, value in player["foreign"].items()},
        other: None if known is None else float(known[0]),
        f"{other}_games": None if known is None else known[1],
        "birth_date": entry.person.birth,
        "federation": entry.person.flag,
    }
