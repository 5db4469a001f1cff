"""Which corrections every published number names, beside runs without each of them.

Several corrections of one run, in a pool that rates by lists and revises those that are reached:
people play in some months and are carried in others, events move from one list to another, come
late and are taken out.  What a number of a list, or of an event, is told to come from are the
corrections without which the run would give another one.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from tools.corrections import Ledger, rows_of, who

MONTHS = tuple(date(2024, month, 1) for month in range(5, 11))
KINDS = (
    "result", "void", "swap", "rated", "player", "move", "move", "withdraw", "withdraw", "late",
    "opening", "undo", "back", "back",
)  # fmt: skip
_EVENTS = 6

Numbers = Mapping[tuple[str, int], float | None]
"""By place and person what is published: places are batches, and lists by their days."""


class Listed(Ledger):
    """A random office that publishes a list a month, all but the last event of which is rated."""

    lowest = 1600
    """Nobody comes near the floor below which FIDE publishes no rating."""

    def fill(self) -> None:
        """Its pool, people and events, and its lists."""
        from ratingbook.office.acts import reports, setup

        policies = {"assume": "1500", "revise": "affected"}
        setup.add_pool("main", self.rulebook, who(), None, policies)
        self._people()
        self.reports = [self._event(number, "main") for number in range(_EVENTS)]
        reports.put_aside(str(self.reports[-1]), "hold", "waits", who())
        for day in MONTHS:
            self.publish("main", day)

    def _pools(self) -> tuple[str, ...]:
        return ("main",)

    def _people_of_event(self) -> list[int]:
        return self.chance.sample(range(8), 4)

    def _day(self) -> date:
        """Within the months of the lists."""
        return MONTHS[0] + timedelta(days=self.chance.randrange(-28, 145))

    def _contents(self, kind: str) -> list[Any] | None:
        from ratingbook.office.acts import asking, corrections
        from ratingbook.office.acts.requests import ACCEPTED
        from ratingbook.office.store import models as m

        if kind == "back":
            # Of what no run has brought yet: that it names no number is to be tried.
            states = corrections.states_of()
            waiting = [number for number, state in states.items() if state == ACCEPTED]
            return corrections.taking_back(self.chance.choice(waiting)) if waiting else None
        if kind == "opening":
            # Of who has no game before a list nothing is rated again that leads to it.
            rated = m.Change.objects.filter(batch__day__lte=MONTHS[0], gone=False)
            people = sorted(set(rated.values_list("person", flat=True)))
            rating = str(self.chance.randrange(self.lowest, 2300))
            own = {self.chance.choice(people): {"rating": rating}} if people else {}
            return [asking.opening("main", own)] if own else None
        if kind == "undo":
            facts = m.Fact.objects.filter(kind__in=("game fixed", "section fixed"))
            every = list(facts.values_list("seq", flat=True))
            return [asking.undo(self.chance.choice(every))] if every else None
        return super()._contents(kind)


def published_in(home: Any) -> tuple[dict[tuple[str, int], float | None], set[date]]:
    """All numbers that are published, and the days of the lists."""
    from ratingbook.office.acts import lists
    from ratingbook.office.store import models as m

    (pool,) = m.Pool.objects.all()
    found: dict[tuple[str, int], float | None] = {}
    rows = rows_of(home, pool)
    for key, person, turn in sorted(rows):
        found[key, person] = rows[key, person, turn][1]
    days = set(m.List.objects.values_list("date", flat=True))
    for day in days:
        newest = m.List.objects.filter(date=day).latest("revision")
        for row in lists.rows_of(newest):
            found[f"list {day}", int(row["id"])] = row["rating"]
    return found, days


def accepted(home: Any, contents: Sequence[Any]) -> int | None:
    """The number of a correction that holds now; None: it is refused."""
    from ratingbook.office.acts import corrections
    from ratingbook.office.acts.contradictions import beside
    from ratingbook.office.acts.corrections import named
    from ratingbook.office.refused import OfficeRefused

    try:
        asked = corrections.ask(home, contents, "random", who())
        number = asked.joined or asked.id
        others = [each.one.id for each in beside(named(number)) if each.is_otherwise]
        corrections.accept(home, number, who(), despite=others)
    except OfficeRefused:
        return None
    return int(number)


def without(ledger: Ledger, folder: Path, number: int, later: Sequence[int]) -> Numbers | None:
    """What a copy of the office publishes where a correction was taken back before the run.

    What ``later`` ones say of the same holds.  None: it cannot be taken back, as something later
    rests on it.
    """
    from ratingbook.office.acts import corrections, setup
    from ratingbook.office.acts.corrections import named
    from ratingbook.office.logic.corrections import about, left_by
    from ratingbook.office.refused import OfficeRefused

    _close()
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ledger.home.folder, folder)
    original = ledger.home
    try:
        ledger.home = setup.open_office(folder)
        try:
            said = {x for n in later for each in named(n).contents for x in about(each)}
            left = (left_by(said, each) for each in corrections.taking_back(number))
            back = [each for each in left if each is not None]
        except OfficeRefused as refused:
            # What holds no longer is said otherwise by a later one: nothing is to do.
            if [each.code for each in refused.findings] != ["office.undone"]:
                return None
        else:
            if back and accepted(ledger.home, back) is None:
                return None
        ledger.publish("main", MONTHS[-1])
        return published_in(ledger.home)[0]
    finally:
        _close()
        ledger.home = setup.open_office(original.folder)


def check(ledger: Ledger, numbers: Sequence[int], folder: Path) -> list[str]:
    """What is wrong with what is told of accepted corrections that the next run brings."""
    from ratingbook.office.acts.corrections import states_of
    from ratingbook.office.acts.requests import PUBLISHED
    from ratingbook.office.acts.taken_back import moot_in, void_in

    before, _ = published_in(ledger.home)
    # What was taken back, and what did so, is tried together: no number names either.
    alone = set(numbers) - moot_in(numbers)
    trials = {
        each: without(ledger, folder, each, numbers[place:])
        for place, each in enumerate(numbers, 1)
        if each in alone
    }
    ledger.publish("main", MONTHS[-1])
    now, days = published_in(ledger.home)
    told = told_of(ledger.home, numbers)
    states, void = states_of(numbers), void_in(numbers)
    wrong = [f"correction {n} is {states[n]}" for n in numbers if states[n] != PUBLISHED]
    wrong += [
        f"{place} of {person} names {said[2]}, of which {sorted(void)} were taken back"
        for (place, person), said in told.items() if void & set(said[2])
    ]  # fmt: skip
    for at in sorted(before.keys() & now.keys()):
        was, is_, (place, person) = before[at], now[at], at
        said = told.pop(at, None)
        if was == is_:
            if said is not None:
                wrong.append(f"{place} of {person} is as it was, and is told by {said}")
            continue
        if said is None:
            wrong.append(f"{place} of {person} is another one, and nothing tells it")
            continue
        if (said[0], said[1]) != (was, is_):
            wrong.append(f"{place} of {person}: {was} became {is_}, told is {said}")
        tried = {n: one for n, one in trials.items() if one is not None}
        needs = {n for n, one in tried.items() if one.get(at) != is_}
        named = {each for each in said[2] if each in tried}
        if (needs and needs != named) or not said[2]:
            wrong.append(f"{place} of {person} needs {sorted(needs)}, and names {said[2]}")
    wrong += [
        f"{place} of {person}: no list has what is told: {said}"
        for (place, person), said in told.items()
        if place in {f"list {day}" for day in days} and said[0] is not None and said[1] is not None
    ]
    return wrong + whys(ledger.home, {at[1] for at in now})


def told_of(home: Any, numbers: Sequence[int]) -> dict[tuple[str, int], tuple[Any, ...]]:
    """What each number was and is, and by which corrections, by all that is told of them."""
    from ratingbook.office.acts import effects

    found: dict[tuple[str, int], tuple[Any, ...]] = {}
    for one in effects.of_corrections(home, numbers).values():
        for each in one.numbers:
            said = (each.was, each.now, each.corrections)
            found[each.key, each.person] = found[f"list {each.day}", each.person] = said
    return found


def whys(home: Any, people: set[int]) -> list[str]:
    """What is wrong with why each person's numbers are told to be others."""
    from ratingbook.office.acts.register import since_first
    from ratingbook.office.store import models as m

    (pool,) = m.Pool.objects.all()
    wrong = []
    for person in sorted(people):
        for row in since_first(home, pool, person):
            if row["was"] == row["now"] or not row["why"]:
                wrong.append(f"why of {person}: {row}")
    return wrong


def trials(rulebook: str, count: int, seed: int, model: Path) -> Iterator[tuple[str, list[str]]]:
    """Some corrections of one run on each random ledger, run after run: kinds and faults."""
    chance = random.Random(f"causes {rulebook} {seed}")
    done = 0
    while done < count:
        with tempfile.TemporaryDirectory() as folder:
            ledger = Listed(Path(folder) / "office", rulebook, chance, model)
            for _ in range(3):
                numbers, kinds = several(ledger, chance.randrange(2, 5))
                if numbers and done < count:
                    yield "+".join(kinds), check(ledger, numbers, Path(folder) / "trial")
                    done += 1
            _close()


def several(ledger: Listed, count: int) -> tuple[list[int], list[str]]:
    """Some corrections are accepted one after the other: their numbers and kinds."""
    numbers, kinds = [], []
    for _ in range(10 * count):
        kind = ledger.chance.choice(KINDS)
        contents = ledger.content(kind)
        number = None if contents is None else accepted(ledger.home, contents)
        if number is not None and number not in numbers:
            numbers.append(number)
            kinds.append(kind)
        if len(numbers) == count:
            break
    return numbers, kinds


def _close() -> None:
    from django.db import connections

    connections.close_all()
