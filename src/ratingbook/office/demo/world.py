"""The invented federation: its people, and the events that they play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from ratingbook.model import Entry, Event, Game, Report, Result, SectionHead, Standing

FIRST_YEAR, YEARS = 2018, 8
SEED = 1900
_WORDS = (
    "Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar "
    "Papa Quebec Romeo Sierra Tango Uniform Victor Whiskey Xray Yankee Zulu"
).split()
_PLACES = ("Nowhere", "Elsewhere", "Somewhere", "Anywhere", "Otherplace")
_PEOPLE = 40
_TEAM = 10
"""Players of an event."""
_ROUNDS = 5


@dataclass(frozen=True)
class Person:
    """Somebody invented, with numbers of invented registers and a strength that nobody knows."""

    number: int
    name: str
    sex: str
    born: date
    club: str
    strength: float

    @property
    def ids(self) -> dict[str, str]:
        """The numbers in the registers."""
        return {
            "national": str(7000 + self.number), "fide": str(99000000 + self.number),
            "egd": str(99000000 + self.number), "uscf": str(99000000 + self.number),
            "iccf": str(990000 + self.number),
        }  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """A pool of the federation, and what its arbiters send."""

    pool: str
    rulebook: str
    scheme: str
    """The register whose numbers its files have."""
    formats: tuple[str, ...]
    policies: tuple[tuple[str, str], ...] = ()
    opens: bool = False
    """Whether it opens with ratings of before."""
    is_go: bool = False
    time_control: str | None = None


PLANS = (
    Plan("standard", "fide", "fide", ("trf16", "pgn", "document", "trf26"), (), opens=True),
    Plan("go", "egf", "egd", ("h9", "document"), (("decimals", "3"),), is_go=True),
    Plan("regular", "uscf", "uscf", ("2c", "document"), time_control="G/90;d5"),
    Plan("correspondence", "iccf-2009", "iccf", ("document",), (("assume", "1900"),)),
    Plan("email", "iecg-1999", "national", ("document",)),
)  # fmt: skip


def people() -> list[Person]:
    """The people, always the same."""
    chance = random.Random(SEED)
    found = []
    for number in range(1, _PEOPLE + 1):
        first = _WORDS[number % len(_WORDS)]
        last = _WORDS[(number * 7 + number // 26) % len(_WORDS)]
        found.append(
            Person(
                number,
                f"{last}{_WORDS[number % 23].lower()}, {first}",
                "w" if number % 3 == 0 else "m",
                date(1945, 1, 1) + timedelta(days=chance.randrange(365 * 64)),
                f"Club of {_PLACES[number % len(_PLACES)]}",
                chance.gauss(1850, 200),
            )
        )
    return found


def opening() -> dict[str, float]:
    """The ratings of before, by national number: about the strength, never exactly."""
    chance = random.Random(SEED + 1)
    found = {}
    for each in people():
        about = each.strength + chance.gauss(0, 60)
        found[each.ids["national"]] = float(round(max(1200, min(2600, about))))
    return found


def grade_of(person: Person) -> str:
    """The grade that a player of Go declares."""
    steps = round((person.strength - 2050) / 100)
    return f"{min(steps + 1, 6)}d" if steps >= 0 else f"{min(-steps, 20)}k"


def reports(plan: Plan, year: int) -> Iterator[tuple[str, Report]]:
    """The reports of a pool's year with their formats; one is late, and one repeats nothing."""
    chance = random.Random(f"{SEED} {plan.pool} {year}")
    for quarter in range(4):
        day = date(year, 3 * quarter + 1, 5) + timedelta(days=chance.randrange(60))
        name = f"{_PLACES[quarter]} Open {year}"
        format_ = plan.formats[(year + quarter) % len(plan.formats)]
        yield format_, _report(plan, name, day, chance)


def _report(plan: Plan, name: str, day: date, chance: random.Random) -> Report:
    team = chance.sample(people(), _TEAM)
    numbers = {person.number: str(index) for index, person in enumerate(team, 1)}
    order = [each.number for each in team]
    by_number = {each.number: each for each in team}
    games = []
    for number in range(1, _ROUNDS + 1):
        for one, other in zip(order[: _TEAM // 2], reversed(order[_TEAM // 2 :]), strict=True):
            white, black = (one, other) if number % 2 else (other, one)
            result = _result(by_number[white], by_number[black], chance, draws=not plan.is_go)
            games.append(
                Game(numbers[white], numbers[black], result, round=number, start=day, end=day,
                     section=None)
            )  # fmt: skip
        # Everybody but the first moves on by one place.
        order = [order[0], order[-1], *order[1:-1]]
    entries = tuple(_entry(plan, person, numbers[person.number]) for person in team)
    event = Event(
        name=name, place=name.partition(" ")[0], federation="IRL", start=day, end=day,
        kind="swiss", time_control=plan.time_control, pool=plan.pool,
        class_="A" if plan.is_go else None, rounds=_ROUNDS, officials=("Arbiter, Any",),
    )  # fmt: skip
    head = (
        SectionHead("Open", 1, time_control=plan.time_control) if plan.pool == "regular" else None
    )
    if head is not None:
        games = [Game(g.white, g.black, g.result, round=g.round, section="Open") for g in games]
    return Report(event, entries, tuple(games), (head,) if head else ())


def _entry(plan: Plan, person: Person, number: str) -> Entry:
    return Entry(
        number, person.name, federation="IRL", sex=person.sex, birth_date=person.born,
        club=person.club[:4] if plan.is_go else person.club,
        grade=grade_of(person) if plan.is_go else None,
        ids={plan.scheme: person.ids[plan.scheme]},
        standing=Standing(rating=float(round(person.strength))) if plan.opens else None,
    )  # fmt: skip


def _result(white: Person, black: Person, chance: random.Random, *, draws: bool) -> Result:
    expected = 1 / (1 + 10 ** ((black.strength - white.strength) / 400))
    drawn = 0.3 * min(expected, 1 - expected) * 2 if draws else 0.0
    at = chance.random()
    if at < expected - drawn / 2:
        return Result.WHITE_WINS
    return Result.DRAW if at < expected + drawn / 2 else Result.BLACK_WINS
