"""Corrections taken back again and again, in whatever order, beside a model of what holds.

The model knows words alone: of each thing what holds is what the newest correction says that is
not taken back, and people are one of whom somebody says so.  What takes back one that a later word
had overtaken changes nothing, and cannot be taken back itself.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ratingbook.office.logic.corrections import mark
from tools.corrections import Ledger, check, replayed

KINDS = ("opening", "parameters", "withdraw", "late", "merge", "result", "move", "pool")
_MERGE = "merge"
Thing = tuple[Any, ...]
"""Of what something is said."""


@dataclass
class Model:
    """What corrections say, by their numbers: of which thing, and what."""

    words: dict[int, tuple[Thing, Any]] = field(default_factory=dict)
    takes: dict[int, tuple[Thing, Any]] = field(default_factory=dict)
    """Those that took a word back, and which."""
    over: set[int] = field(default_factory=set)
    """Those of which nothing is to be taken back any more."""

    def open(self) -> list[int]:
        """Those that can be named to be taken back."""
        return sorted(self.words.keys() | self.takes.keys() | self.over)

    def holds(self, thing: Thing) -> int | None:
        """The correction that says what holds of a thing; None: it is as it was at first."""
        return max((n for n, (about, _) in self.words.items() if about == thing), default=None)

    def take_back(self, number: int, by: int) -> None:
        """One takes another one back."""
        if number in self.takes:
            self.words[by] = self.takes.pop(number)
        else:
            thing, _ = self.words[number]
            # Where a game, a day or a pool is said again, that is the newest word; else not.
            held = thing[0] not in _AS_FAR_AS_HELD or self.holds(thing) == number
            word = self.words.pop(number)
            if held:
                self.takes[by] = word
            else:
                self.over.add(by)
        self.over.add(number)

    def groups(self, first: set[frozenset[int]]) -> set[frozenset[int]]:
        """Who are one person, beside those that were so at first."""
        found = [set(each) for each in first]
        for thing, pair in self.words.values():
            if thing[0] == _MERGE:
                joined = [some for some in found if some & set(pair)]
                found = [some for some in found if not some & set(pair)]
                found.append(set(pair).union(*joined))
        return set(map(frozenset, found))


_AS_FAR_AS_HELD = ("opening", "parameters", "event")
"""What is said again only if it held when it was taken back."""


def _thing(content: Mapping[str, Any]) -> tuple[Thing, Any]:
    """Of what a content is, and what it says."""
    match content["kind"]:
        case "opening":
            ((person, value),) = content["values"].items()
            return ("opening", int(person)), value
        case "parameters":
            return ("parameters",), content["assume"]
        case "withdraw" | "late" as kind:
            return ("event", *content["sections"]), kind == "late"
        case "merge":
            pair = content["source"], content["target"]
            return (_MERGE, *sorted(pair)), pair
        case "move":
            return ("move", *content["sections"]), content["day"]
        case "pool":
            return ("pool", *content["sections"]), content["pool"]
        case kind:
            return (kind, content["key"]), content["say"]


def _known(thing: Thing) -> Any:
    """What the office has of a thing now."""
    from ratingbook.office.acts import amendments, states
    from ratingbook.office.acts.decisions import openings_held
    from ratingbook.office.acts.setup import pool_named
    from ratingbook.office.store import ledger
    from ratingbook.office.store import models as m

    upto = ledger.head().seq
    match thing[0]:
        case "opening":
            return openings_held(pool_named("main"), [thing[1]]).get(thing[1])
        case "parameters":
            return pool_named("main").policies.get("assume")
        case "event":
            return {states.states(thing[1:])[each] == states.READY for each in thing[1:]} == {True}
        case "move":
            return str(amendments.last_day_known(thing[1:], upto))
        case "pool":
            (own,) = set(m.Section.objects.filter(id__in=thing[1:]).values_list("pool", flat=True))
            return amendments.pools_of_sections(upto).get(thing[1], own)
    return None


def _ones() -> set[frozenset[int]]:
    """The numbers that are one person, of everybody."""
    from ratingbook.office.acts.people import merges
    from ratingbook.office.store.models import Person

    merged, found = merges(), dict[int, set[int]]()
    for each in Person.objects.values_list("id", flat=True):
        found.setdefault(merged.get(each, each), set()).add(each)
    return set(map(frozenset, found.values()))


class Round:
    """One random office, its corrections, and the model beside it."""

    def __init__(self, ledger: Ledger, chance: random.Random) -> None:
        from ratingbook.office.store.models import Pool

        self.ledger, self.chance, self.model = ledger, chance, Model()
        ledger.reports = [*ledger.reports[:2], ledger.reports[-1]]
        self._pools = list(Pool.objects.order_by("id"))
        self._digests = [replayed(each) for each in self._pools]
        self._ones = _ones()
        self._first: dict[Thing, Any] = {}

    def say(self, kind: str) -> list[str] | None:
        """Ask for something by chance, and accept it; None: there is nothing of the kind."""
        contents = self._contents(kind)
        if contents is None:
            return None
        thing, said = _thing(contents[0])
        self._first.setdefault(thing, _known(thing))
        number, wrong = self._accepted(contents)
        if number is not None:
            self.model.words[number] = (thing, said)
        return wrong + self._compared()

    def _contents(self, kind: str) -> list[Any] | None:
        """Of few things, so that one overtakes another; None: there is nothing to ask for."""
        from ratingbook.office.acts import asking
        from ratingbook.office.refused import OfficeRefused

        try:
            match kind:
                case "opening":
                    rating = str(self.chance.randrange(1300, 2300))
                    return [
                        asking.opening("main", {self.chance.choice((1, 2)): {"rating": rating}})
                    ]
                case "merge":
                    return [asking.merge(*self.chance.sample(range(3, 8), 2))]
                case "late":
                    return [asking.event(str(self.chance.choice(self.ledger.reports)), kind)]
        except OfficeRefused:
            return None
        return self.ledger.content(kind)

    def take_back(self) -> list[str] | None:
        """Take one back by chance; None: there is none."""
        from ratingbook.office.acts import corrections
        from ratingbook.office.refused import OfficeRefused

        known = self.model.open()
        if not known:
            return None
        number = self.chance.choice(known)
        try:
            contents = corrections.taking_back(number)
        except OfficeRefused:
            if number in self.model.over or self._is_one_already(number):
                return []
            return [f"correction {number} cannot be taken back"]
        if number in self.model.over:
            return [f"correction {number} can be taken back once more"]
        by, wrong = self._accepted(contents)
        if by is not None:
            self.model.take_back(number, by)
        return wrong + self._compared()

    def take_all_back(self) -> list[str]:
        """Take back in any order whatever says anything: all is as it was before the first."""
        from ratingbook.office.acts import corrections

        wrong = []
        left = list(self.model.words)
        self.chance.shuffle(left)
        for number in left:
            by, faults = self._accepted(corrections.taking_back(number))
            wrong += faults
            assert by is not None, "nobody else asks for the same"
            self.model.take_back(number, by)
            wrong += self._compared()
        for pool, digest in zip(self._pools, self._digests, strict=True):
            if replayed(pool) != digest:
                wrong.append(f"{pool.name}: all is taken back, and numbers are others than before")
        return wrong

    def _is_one_already(self, number: int) -> bool:
        said = self.model.takes.get(number)
        return said is not None and said[0][0] == _MERGE and any(
            set(said[1]) <= some for some in _ones()
        )  # fmt: skip

    def _accepted(self, contents: list[Any]) -> tuple[int | None, list[str]]:
        """The number of a correction that is accepted, and what is wrong; None: it holds."""
        from ratingbook.office.acts import corrections
        from ratingbook.office.store import models as m

        before = m.Correction.objects.count()
        if any(
            each.contents == contents or mark(contents) == each.mark
            for each in m.Correction.objects.order_by("id")
        ):
            asked = corrections.ask(self.ledger.home, contents, "random", self.ledger.who())
            if asked.joined is not None:
                return None, []
            corrections.reject(asked.id, "tried", self.ledger.who())
            before += 1
        return before + 1, check(self.ledger, contents, takes_back=False)

    def _compared(self) -> list[str]:
        wrong = []
        for thing, first in self._first.items():
            if thing[0] in (_MERGE, "game"):
                continue
            number = self.model.holds(thing)
            wanted = first if number is None else self.model.words[number][1]
            if _known(thing) != wanted:
                wrong.append(f"{thing} is {_known(thing)}, not {wanted} (by {number})")
        if _ones() != self.model.groups(self._ones):
            wrong.append("others are one person than those of whom somebody says so")
        return wrong


def trials(rulebook: str, count: int, seed: int, model: Path) -> Iterator[tuple[str, list[str]]]:
    """Random corrections and take-backs under one rule book: what was done, and its faults."""
    from tools.corrections import close

    chance = random.Random(f"{rulebook} {seed} backs")
    done = 0
    while done < count:
        with tempfile.TemporaryDirectory() as folder:
            tried = Round(Ledger(Path(folder) / "office", rulebook, chance, model), chance)
            for _ in range(24):
                kind = chance.choice(KINDS) if chance.random() < 0.4 else "back"
                wrong = tried.take_back() if kind == "back" else tried.say(kind)
                if wrong is not None:
                    yield kind, list(wrong)
                    done += 1
            yield "all", tried.take_all_back()
            done += 1
            close()
