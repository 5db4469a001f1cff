"""Go ratings of the EGF, reckoned from the descriptions in 50-digit decimals.

Random tournaments of a few players: even games and handicaps on both sides of the rating
difference, jigo, forfeits, all classes, newcomers with grades from 20 kyu to 9 professional
dan, entries far above the highest grade so far, results at the floor and above the table, losses
at the cap.  Every third tournament is made for ties.

Ratings are floats, so a number agrees with the decimals if it is within :data:`TOLERANCE`.  The
published one has to be the decimals rounded half up, exactly; only where they lie beside a tie,
within ``NEAR`` of it, a float may fall to either side.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from typing import Any

from tools.differential.common import (
    CONTEXT,
    NEAR,
    Case,
    Path,
    is_half,
    rated_history,
    rated_report,
)

EDITIONS = ("egf-1998", "egf-2013", "egf-2021")

TOLERANCE = Decimal("1e-9")
"""Points by which a float may differ from the decimals, after any number of events."""

_GRADES = [f"{kyu}k" for kyu in range(20, 0, -1)] + [f"{dan}d" for dan in range(1, 8)]
"""From 20 kyu = 100 to 7 dan = 2700, a hundred points a grade."""
_PROFESSIONALS = [f"{degree}p" for degree in range(1, 10)]

_CON = [116, *range(110, 50, -5), 51, 47, 43, 39, 35, 31, 27, 24, 21, 18, 15, 13, 11, 10]
"""Table 2: con at 100, 200, … 2700."""
_A = list(range(200, 65, -5))
"""Table 2: a at 100, 200, … 2700."""

_HALF = Decimal("0.5")
_COMMUNITY = 10
"""Players who meet in the events of a history."""
_EVENTS = 4
"""Events of a history in which they meet."""


@dataclass(frozen=True)
class _Text:
    """What one description says."""

    epsilon: Decimal
    halved: bool
    extrapolated: bool
    floor: int
    loss_cap: int
    resets: bool
    weights: Mapping[str, Decimal]
    decimals: int
    smooth: bool
    first_day: date


_EQUAL_WEIGHTS = dict.fromkeys("ABCD", Decimal(1))
_WEIGHTS = {"A": Decimal(1), "B": Decimal("0.75"), "C": _HALF, "D": Decimal("0.25")}
_TEXTS = {
    "egf-1998": _Text(
        Decimal("0.014"), False, True, 100, 0, False, _EQUAL_WEIGHTS, 0, False, date(1999, 1, 2)
    ),
    "egf-2013": _Text(
        Decimal("0.016"), True, False, 100, 100, True, _WEIGHTS, 0, False, date(2013, 1, 5)
    ),
    "egf-2021": _Text(Decimal(0), False, False, -900, 0, True, _WEIGHTS, 3, True, date(2022, 1, 8)),
}


@dataclass
class _Player:
    """A player as he comes to an event; without a rating he has a grade."""

    id: str
    rating: Decimal | None
    grade: str | None
    highest: str | None
    games: int = 40


@dataclass(frozen=True)
class _Game:
    white: str
    black: str
    half_points: int
    """White's."""
    handicap: int
    forfeit: bool = False


@dataclass
class _Event:
    name: str
    day: date
    class_: str
    games: list[_Game] = field(default_factory=list)


@dataclass(frozen=True)
class _Result:
    before: Decimal | None
    exact: Decimal
    games: int
    told: str


def nominal(grade: str) -> int:
    """Paragraph 2: 1 dan = 2100, 100 points a grade, 1p = 7d and 30 points a degree."""
    number, kind = int(grade[:-1]), grade[-1]
    if kind == "k":
        return 2100 - 100 * number
    return 2000 + 100 * number if kind == "d" else 2670 + 30 * number


def _interpolated(values: list[int], rating: Decimal, extrapolated: bool) -> Decimal:
    """Table 2 at a rating: straight lines between the rows, held at the lower end."""
    place = (rating - 100) / 100
    if place <= 0:
        return Decimal(values[0])
    row = min(int(place), len(values) - 2)
    if place > len(values) - 1 and not extrapolated:
        return Decimal(values[-1])
    return values[row] + (values[row + 1] - values[row]) * (place - row)


def _raised(rating: Decimal, handicap: int) -> Decimal:
    """Paragraph 6: H stones are worth 100 · (H − 0.5) to who receives them."""
    return rating + 100 * (handicap - _HALF) if handicap else rating


def _beta(rating: Decimal) -> Decimal:
    return -7 * max(3300 - rating, Decimal(1)).ln()


def _expected(own: Decimal, opponent: Decimal, text: _Text) -> Decimal:
    """Paragraphs 3 and 4 (1998, 2013) or the formula of 2021; handicap is in the ratings."""
    if text.smooth:
        return 1 / (1 + (_beta(opponent) - _beta(own)).exp())
    weaker = min(own, opponent)
    a = _interpolated(_A, weaker, text.extrapolated)
    share = 1 / ((abs(own - opponent) / a).exp() + 1)
    expected = share if own <= opponent else 1 - share
    if text.halved:
        return expected - text.epsilon / 2
    return expected - text.epsilon if own > opponent else expected


def _change(own: Decimal, black: bool, game: _Game, opponent: Decimal, text: _Text) -> Decimal:
    """What a game changes at weight 1."""
    counted = _raised(own, game.handicap if black else 0)
    against = _raised(opponent, 0 if black else game.handicap)
    score = Decimal(2 - game.half_points if black else game.half_points) / 2
    surplus = score - _expected(counted, against, text)
    if not text.smooth:
        return _interpolated(_CON, own, text.extrapolated) * surplus
    con = ((3300 - own) / 200) ** Decimal("1.6")
    bonus = (1 + ((2300 - own) / 80).exp()).ln() / 5
    return con * surplus + bonus


def _entered(player: _Player, text: _Text) -> Decimal:
    """Paragraphs 2 and 11: the rating with which a player enters an event."""
    if player.rating is None:
        assert player.grade is not None
        return Decimal(nominal(player.grade))
    if not text.resets or player.grade is None or player.highest is None:
        return player.rating
    if nominal(player.grade) - nominal(player.highest) < 200:
        return player.rating
    return max(player.rating, Decimal(nominal(player.grade)))


def rated(players: Mapping[str, _Player], event: _Event, text: _Text) -> dict[str, _Result]:
    """What an event makes of everybody who has a game that counts."""
    with localcontext(CONTEXT):
        return _rated(players, event, text)


def _rated(players: Mapping[str, _Player], event: _Event, text: _Text) -> dict[str, _Result]:
    enter = {id_: _entered(player, text) for id_, player in players.items()}
    weight = text.weights[event.class_]
    results = {}
    for id_, player in players.items():
        total, count = Decimal(0), 0
        told = [f"{id_}: {player.rating} {player.grade} (highest {player.highest})"]
        for game in event.games:
            if id_ not in (game.white, game.black) or game.forfeit:
                continue
            black = id_ == game.black
            opponent = game.white if black else game.black
            change = _change(enter[id_], black, game, enter[opponent], text)
            total += weight * change
            count += 1
            told.append(
                f"{'black' if black else 'white'} h{game.handicap} against {enter[opponent]}: "
                f"{game.half_points}/2 for White"
            )
        if not count:
            continue
        if text.loss_cap:
            total = max(total, -text.loss_cap * weight)
        exact = max(enter[id_] + total, Decimal(text.floor))
        told.append(f"class {event.class_}")
        results[id_] = _Result(player.rating, exact, count, "; ".join(told))
    return results


def _go_on(player: _Player, result: _Result | None, entered: bool) -> None:
    """The standing after an event."""
    if result is not None:
        player.rating = result.exact
        player.games += result.games
    if entered and player.grade is not None:
        known = player.highest is None or nominal(player.grade) > nominal(player.highest)
        player.highest = player.grade if known else player.highest


def _rounded(number: Decimal, decimals: int) -> Decimal:
    """A half up, below zero too."""
    step = Decimal(1).scaleb(-decimals)
    return (number / step + _HALF).to_integral_value(ROUND_FLOOR) * step


def _is_tie(number: Decimal, decimals: int) -> bool:
    doubled = Fraction(number) * 2 * 10**decimals
    nearest: int = round(doubled)
    return nearest % 2 == 1 and abs(doubled - nearest) <= NEAR * 2 * 10**decimals


def _published(exact: Decimal, got: float | None, text: _Text) -> float:
    """The number of the list; beside a tie that no float hits, either neighbour is right."""
    published = float(_rounded(exact, text.decimals))
    if got is None or not _is_tie(exact, text.decimals):
        return published
    if is_half(Fraction(exact) * 10**text.decimals):
        return published
    return got if abs(got - published) < 1.5 * 10.0**-text.decimals else published


def _same(expected: Decimal, got: float | None) -> object:
    """The expected number if the other is within the tolerance of it, else the other."""
    return expected if got is not None and abs(Decimal(got) - expected) <= TOLERANCE else got


def _drawn_players(draw: random.Random, prefix: str, count: int, text: _Text) -> list[_Player]:
    players = []
    centre = draw.choice([150, 600, 1200, 1850, 2300, 2650, 2750])
    spread = draw.choice([30, 150, 500])
    for number in range(count):
        rating = min(2950.0, max(float(text.floor), draw.gauss(centre, spread)))
        rating = draw.choice([rating, float(round(rating)), float(100 * round(rating / 100))])
        rating = max(rating, float(text.floor))
        near = max(0, min(len(_GRADES) - 1, round((rating - 100) / 100)))
        grade = _GRADES[min(len(_GRADES) - 1, max(0, near + draw.choice([0, 0, -1, 1, 2, 4])))]
        player = _Player(f"{prefix}{number}", Decimal(rating), grade, None)
        kind = draw.random()
        if kind < 0.15:
            player.rating, player.games = None, 0
            if rating > 2600 and draw.random() < 0.5:
                player.grade = draw.choice(_PROFESSIONALS)
        elif kind < 0.3:
            player.grade = None
        elif kind < 0.9:
            player.highest = _GRADES[max(0, near - draw.choice([0, 1, 2, 3]))]
        players.append(player)
    return players


def _drawn_games(draw: random.Random, players: list[_Player]) -> list[_Game]:
    games = []
    for _ in range(draw.choice([1, 3, 5])):
        order = draw.sample(players, len(players))
        for white, black in zip(order[::2], order[1::2], strict=False):
            games.append(
                _Game(
                    white.id,
                    black.id,
                    draw.choice([0, 0, 0, 2, 2, 2, 1]),
                    draw.choice([0, 0, 0, 1, 2, 3, 5, 9]),
                    draw.random() < 0.05,
                )
            )
    return games


def _made_for_ties(
    draw: random.Random, prefix: str, count: int, event: _Event, text: _Text
) -> list[_Player]:
    """Pairs of equals who play one game: with an odd con half of it is a tie.

    Where ε or the bonus is in the way, the ratings of the pair are such that the winner ends
    half-way.
    """
    players = [_Player(f"{prefix}{n}", Decimal(0), None, None) for n in range(count)]
    for white, black in zip(players[::2], players[1::2], strict=True):
        rating = Decimal(draw.choice([300, 700, 1100, 1400, 1700, 2000, 2200, 2400, 2600, 2620]))
        game = _Game(white.id, black.id, draw.choice([0, 2, 2, 1]), 0)
        if text.halved or text.smooth:
            rating = _half_way(rating, game, text.weights[event.class_], text)
        white.rating = black.rating = rating
        event.games.append(game)
    return players


def _half_way(near: Decimal, game: _Game, weight: Decimal, text: _Text) -> Decimal:
    """A rating from which a game against an equal leads half-way between two published ones."""
    own = near
    target = near + _HALF.scaleb(-text.decimals)
    with localcontext(CONTEXT):
        for _ in range(60):
            own -= own + weight * _change(own, False, game, own, text) - target
    return Decimal(float(own))


def _tournament(
    draw: random.Random, number: int, count: int, text: _Text
) -> tuple[list[_Player], _Event]:
    prefix = f"t{number}-"
    event = _Event(f"T{number}", text.first_day, draw.choice("AABCD"))
    if number % 3 == 0:
        return _made_for_ties(draw, prefix, count, event, text), event
    players = _drawn_players(draw, prefix, count, text)
    event.games = _drawn_games(draw, players)
    return players, event


def _document(players: list[_Player], event: _Event) -> dict[str, Any]:
    people: list[dict[str, Any]] = []
    for player in players:
        person: dict[str, Any] = {"id": player.id}
        if player.grade is not None:
            person["grade"] = player.grade
        if player.rating is not None:
            person["standing"] = {"rating": float(player.rating), "games": player.games}
            if player.highest is not None:
                person["standing"]["highest_grade"] = player.highest
        people.append(person)
    results = ["0-1", "1/2-1/2", "1-0"]
    return {
        "ratingbook": "report/1",
        "event": {
            "start": event.day.isoformat(),
            "end": event.day.isoformat(),
            "class": event.class_,
        },
        "players": people,
        "games": [
            {
                "white": game.white,
                "black": game.black,
                "result": results[game.half_points],
                "status": "forfeit" if game.forfeit else "played",
                "handicap": game.handicap,
            }
            for game in event.games
        ],
    }


def _reports(edition: str, text: _Text, draw: random.Random, players: int) -> Iterator[Case]:
    made = number = 0
    while made < players:
        people, event = _tournament(draw, number, 6, text)
        number += 1
        results = rated({player.id: player for player in people}, event, text)
        if not results:
            continue
        rows = rated_report(_document(people, event), edition)
        for id_, result in results.items():
            row = rows[id_]
            exact = _same(result.exact, row.exact)
            published = _published(result.exact, row.after, text)
            before = None if result.before is None else float(result.before)
            made += 1
            yield Case(
                result.told,
                (before, result.exact, published, result.games),
                (row.before, exact, row.after, row.games),
                _is_tie(result.exact, text.decimals),
            )


def _histories(
    edition: str, text: _Text, path: Path, draw: random.Random, players: int
) -> Iterator[Case]:
    """One history of communities that do not know each other; ratings go on with decimals."""
    games: list[dict[str, Any]] = []
    files: dict[str, list[dict[str, Any]]] = {"players": [], "events": [], "entries": []}
    expected: dict[str, list[_Result]] = defaultdict(list)
    made = 0
    number = 0
    while made < players:
        people, first = _tournament(draw, number, _COMMUNITY, text)
        number += 1
        for player in people:
            files["players"].append(
                {
                    "id": player.id,
                    "rating": None if player.rating is None else float(player.rating),
                    "games": player.games if player.rating is not None else None,
                    "highest_grade": player.highest,
                }
            )
        known = {player.id: player for player in people}
        for which in range(_EVENTS):
            event = first
            if which:
                event = _Event(first.name, first.day, draw.choice("AABCD"))
                event.games = _drawn_games(draw, people)
                for player in people:
                    if player.grade is not None and draw.random() < 0.2:
                        place = _GRADES.index(player.grade) if player.grade in _GRADES else 0
                        player.grade = _GRADES[min(len(_GRADES) - 1, place + draw.choice([1, 2]))]
            event.name = f"{first.name}.{which}"
            event.day = text.first_day + timedelta(7 * which)
            files["events"].append(
                {"event": event.name, "start": event.day, "end": event.day, "class": event.class_}
            )
            rated_games = [game for game in event.games if not game.forfeit]
            present = {id_ for game in rated_games for id_ in (game.white, game.black)}
            for id_ in sorted(present):
                if known[id_].grade is not None:
                    files["entries"].append(
                        {"event": event.name, "player": id_, "grade": known[id_].grade}
                    )
            for game in rated_games:
                games.append(
                    {
                        "date": event.day,
                        "event": event.name,
                        "white": game.white,
                        "black": game.black,
                        "score": game.half_points / 2,
                        "handicap": game.handicap,
                    }
                )
            results = rated(known, event, text)
            for id_, result in results.items():
                expected[id_].append(result)
            made += len(results)
            for player in people:
                _go_on(player, results.get(player.id), player.id in present)
    rows = rated_history(
        games,
        edition,
        path,
        players=files["players"],
        events=files["events"],
        entries=files["entries"],
    )
    got: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: int(row["batch"])):
        got[row["player"]].append(row)
    for id_, wanted in expected.items():
        for place in range(max(len(wanted), len(got[id_]))):
            mine: _Result | None = wanted[place] if place < len(wanted) else None
            row = got[id_][place] if place < len(got[id_]) else {}
            yield _history_case(id_, mine, row, text)


def _history_case(id_: str, result: _Result | None, row: Mapping[str, Any], text: _Text) -> Case:
    """A row of changes: what entered, what is published, and the number of games."""
    before, after = row.get("before"), row.get("after")
    if result is None:
        return Case(f"{id_}: no event", None, (before, after), False)
    published = _published(result.exact, after, text)
    tie = _is_tie(result.exact, text.decimals)
    entered = before if result.before is None else _same(result.before, before)
    return Case(
        result.told,
        (result.before, published, result.games),
        (entered, after, row.get("games")),
        tie,
    )


def compare(edition: str, path: Path, players: int, seed: int) -> Iterator[Case]:
    """Random tournaments of an edition; see the module."""
    draw = random.Random(f"{edition} {seed}")
    text = _TEXTS[edition]
    if path is Path.REPORT:
        yield from _reports(edition, text, draw, players)
    else:
        yield from _histories(edition, text, path, draw, players)
