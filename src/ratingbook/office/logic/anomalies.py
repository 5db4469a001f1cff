"""What is improbable, or looks arranged, in games: reasons and evidence, never a decision.

All are functions over games as they were rated: who, when, in which event, the score, and what
the pool's own rule book expected of it. An expectation says nothing of draws; a tail is worked out
as if there were none, which makes it wider, and so an alarm rarer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeVar

from ratingbook.model.sentences import sentence

K = TypeVar("K")
YEAR = timedelta(days=365)


@dataclass(frozen=True)
class Played:
    """One player's half of a game."""

    person: int
    opponent: int
    event: str
    place: str
    day: date
    score: float
    expected: float | None
    """None: one of the two had no rating."""
    game: int


@dataclass(frozen=True)
class Levels:
    """From where on something is told."""

    tail: float = 1e-6
    """Probability of a score in an event."""
    before_tail: float = 0.02
    """Of the losses before a win, and of that win."""
    pair_games: int = 10
    """Games of one pair in a year."""
    pair_share: float = 0.5
    """They are at least so much of what one of both played."""
    group_size: int = 6
    group_games: int = 24
    far: float = 0.92
    """An expectation from which on a game is one against somebody far weaker."""
    far_games: int = 20
    far_share: float = 0.9
    twice: float = 0.8
    """Share of equal pairings of two events."""


USUAL = Levels()


@dataclass(frozen=True)
class Anomaly:
    """Something to look at."""

    kind: str
    persons: tuple[int, ...]
    events: tuple[str, ...]
    reasons: tuple[str, ...]
    games: tuple[int, ...]
    probability: float | None = None


def tail(expected: Sequence[float], score: float) -> tuple[float, float]:
    """How probable it is to score at most, and at least, so much; exact, by all outcomes.

    Each game is won with the probability that is its expected score.
    """
    chances = [1.0]
    for p in expected:
        longer = [0.0] * (len(chances) + 1)
        for wins, chance in enumerate(chances):
            longer[wins] += chance * (1 - p)
            longer[wins + 1] += chance * p
        chances = longer
    # Half points are rounded towards what is expected.
    low = sum(chances[: int(score + 0.5) + 1])
    high = sum(chances[int(score) :])
    return min(low, 1.0), min(high, 1.0)


def improbable(games: Iterable[Played], levels: Levels = USUAL) -> list[Anomaly]:
    """Scores in an event that the rule book holds for all but impossible."""
    found = []
    for (person, event), mine in _grouped(games, lambda g: (g.person, g.event)).items():
        known = [g for g in mine if g.expected is not None]
        if not known:
            continue
        score = sum(g.score for g in known)
        expected = [g.expected or 0.0 for g in known]
        low, high = tail(expected, score)
        if min(low, high) >= levels.tail:
            continue
        known_by = {"score": score, "of": len(known), "expected": sum(expected)}
        if low < high:
            reason = sentence(
                "{score:g} of {of} where {expected:.1f} are expected; at most that much has the "
                "probability {probability:.1e}", probability=low, **known_by,
            )  # fmt: skip
        else:
            reason = sentence(
                "{score:g} of {of} where {expected:.1f} are expected; at least that much has the "
                "probability {probability:.1e}", probability=high, **known_by,
            )  # fmt: skip
        found.append(
            Anomaly(
                "improbable", (person,), (event,),
                (reason,),
                tuple(g.game for g in known), min(low, high),
            )
        )  # fmt: skip
    return found


def losses_before_wins(games: Iterable[Played], levels: Levels = USUAL) -> list[Anomaly]:
    """Too many points lost in the half year before an event in which too many were won."""
    found = []
    for person, mine in _grouped(games, lambda g: g.person).items():
        known = sorted((g for g in mine if g.expected is not None), key=lambda g: (g.day, g.game))
        for event, here in _grouped(known, lambda g: g.event).items():
            first = min(g.day for g in here)
            before = [g for g in known if first - YEAR / 2 <= g.day < first]
            if len(before) < 8 or len(here) < 4:
                continue
            low = tail([g.expected or 0 for g in before], sum(g.score for g in before))[0]
            high = tail([g.expected or 0 for g in here], sum(g.score for g in here))[1]
            if (
                low < levels.before_tail
                and high < levels.before_tail
                and (low * high < levels.tail * 100)
            ):
                found.append(
                    Anomaly(
                        "losses before wins",
                        (person,),
                        (event,),
                        (
                            sentence(
                                "{n} games of the half year before were lost beyond what is "
                                "expected "
                                "(probability {probability:.1e})",
                                n=len(before),
                                probability=low,
                            ),
                            sentence(
                                "and {n} games of the event won beyond it ({probability:.1e})",
                                n=len(here),
                                probability=high,
                            ),
                        ),
                        tuple(g.game for g in (*before, *here)),
                        low * high,
                    )
                )
    return found


def again_and_again(games: Iterable[Played], levels: Levels = USUAL) -> list[Anomaly]:
    """One pair that plays many games in a year, most of what one of both plays."""
    games = list(games)
    each_year = _counts((g.person, g.day.year) for g in games)
    found = []
    pairs = _grouped((g for g in games if g.person < g.opponent), lambda g: (
        g.person, g.opponent, g.day.year))  # fmt: skip
    for (one, other, year), mine in pairs.items():
        # Of a game that counts for one only, the other has none.
        both = [each_year[who, year] for who in (one, other) if (who, year) in each_year]
        share = len(mine) / min(both)
        if len(mine) >= levels.pair_games and share >= levels.pair_share:
            found.append(
                Anomaly(
                    "one pair",
                    (one, other),
                    tuple(sorted({g.event for g in mine})),
                    (
                        sentence(
                            "{n} games with each other in {year}, {share:.0%} of what one of them "
                            "played",
                            n=len(mine),
                            year=year,
                            share=share,
                        ),
                    ),
                    tuple(g.game for g in mine),
                )
            )
    return found


def closed_groups(games: Iterable[Played], levels: Levels = USUAL) -> list[Anomaly]:
    """A few who play many games in a year, and with nobody else."""
    found = []
    for year, mine in _grouped(games, lambda g: g.day.year).items():
        groups = _components(mine)
        if len(groups) == 1:
            # A pool that is small is no group within one.
            continue
        for group in groups:
            inside = [g for g in mine if g.person in group and g.person < g.opponent]
            if 3 <= len(group) <= levels.group_size and len(inside) >= levels.group_games:
                found.append(
                    Anomaly(
                        "closed group",
                        tuple(sorted(group)),
                        tuple(sorted({g.event for g in inside})),
                        (
                            sentence(
                                "{persons} persons played {n} games in {year}, and none with "
                                "anybody "
                                "else",
                                persons=len(group),
                                n=len(inside),
                                year=year,
                            ),
                        ),
                        tuple(g.game for g in inside),
                    )
                )
    return found


def _components(games: Sequence[Played]) -> list[set[int]]:
    """Who is connected with whom by games."""
    root: dict[int, int] = {}

    def of(person: int) -> int:
        root.setdefault(person, person)
        while root[person] != person:
            root[person] = root[root[person]]
            person = root[person]
        return person

    for g in games:
        root[of(g.person)] = of(g.opponent)
    groups: dict[int, set[int]] = {}
    for person in root:
        groups.setdefault(of(person), set()).add(person)
    return list(groups.values())


def near_a_limit(games: Iterable[Played], levels: Levels = USUAL) -> list[Anomaly]:
    """Most games of a year won against players far weaker, where the rules count least or cap."""
    found = []
    for (person, year), mine in _grouped(games, lambda g: (g.person, g.day.year)).items():
        far = [g for g in mine if g.expected is not None and g.expected >= levels.far]
        if len(far) >= levels.far_games and len(far) >= levels.far_share * len(mine):
            found.append(
                Anomaly(
                    "near a limit", (person,), tuple(sorted({g.event for g in far})),
                    (sentence("{n} of {all} games of {year} against players of whom the rule book "
                              "expects less than {share:.0%}", n=len(far), all=len(mine), year=year,
                              share=1 - levels.far),), tuple(g.game for g in far),
                )
            )  # fmt: skip
    return found


def sent_twice(games: Iterable[Played], levels: Levels = USUAL) -> list[Anomaly]:
    """Two events within a week with about the same pairings and results."""
    events = _grouped((g for g in games if g.person < g.opponent), lambda g: g.event)
    said = {
        event: (min(g.day for g in mine), {(g.person, g.opponent, g.score) for g in mine}, mine)
        for event, mine in events.items()
    }
    order = sorted(said, key=lambda event: (said[event][0], event))
    found = []
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            if said[other][0] - said[one][0] > timedelta(days=7):
                break
            least = min(len(said[one][1]), len(said[other][1]))
            share = len(said[one][1] & said[other][1]) / least
            if least >= 3 and share >= levels.twice:
                found.append(
                    Anomaly(
                        "sent twice",
                        (),
                        (one, other),
                        (
                            sentence(
                                "{share:.0%} of the pairings and results are the same", share=share
                            ),
                        ),
                        tuple(g.game for g in (*said[one][2], *said[other][2])),
                    )
                )
    return found


def two_places(games: Iterable[Played], levels: Levels = USUAL) -> list[Anomaly]:
    """Somebody who plays on one day in two places."""
    del levels
    found = []
    for (person, day), mine in _grouped(games, lambda g: (g.person, g.day)).items():
        places = sorted({g.place for g in mine if g.place})
        if len(places) > 1:
            where: str = places[0]
            for place in places[1:]:
                where = sentence("{places} and in {place}", places=where, place=place)
            found.append(
                Anomaly(
                    "two places", (person,), tuple(sorted({g.event for g in mine})),
                    (sentence("games on {day} in {places}", day=day, places=where),),
                    tuple(g.game for g in mine),
                )
            )  # fmt: skip
    return found


Look = Callable[[Sequence[Played], Levels], list[Anomaly]]
LOOKS: Mapping[str, Look] = {
    "improbable": improbable, "losses before wins": losses_before_wins,
    "one pair": again_and_again, "closed group": closed_groups, "near a limit": near_a_limit,
    "sent twice": sent_twice, "two places": two_places,
}  # fmt: skip


def look(games: Sequence[Played], levels: Levels = USUAL) -> list[Anomaly]:
    """All of them."""
    return [each for one in LOOKS.values() for each in one(games, levels)]


def _grouped(games: Iterable[Played], key: Callable[[Played], K]) -> dict[K, list[Played]]:
    found: dict[K, list[Played]] = {}
    for each in games:
        found.setdefault(key(each), []).append(each)
    return found


def _counts(keys: Iterable[K]) -> dict[K, int]:
    found: dict[K, int] = {}
    for each in keys:
        found[each] = found.get(each, 0) + 1
    return found
