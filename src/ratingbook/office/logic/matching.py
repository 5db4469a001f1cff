"""Who an entry may be: candidates with their scores and reasons, and who is certain.

The thresholds are those measured in the design: name 95, a gap of 6, the birth year, and at
most two persons of about that name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from rapidfuzz import fuzz, process
from rapidfuzz.distance import JaroWinkler

from ratingbook.model.making import QuicklyMade
from ratingbook.model.sentences import Sentence, made_of, sentence
from ratingbook.office.logic.countries import same_country
from ratingbook.office.logic.names import Form, form

VERSION = "3"
"""Goes into every link; a replay reads links and never matches again."""
CERTAIN_NAME = 95.0
_SAME_NAME = 100.0
"""Of a name that is taken for certain without a birth year: the same but for order and marks."""
CERTAIN_GAP = 6.0
HOMONYMS_AT = 88.0
MOST_HOMONYMS = 2
ID_NEEDS_NAME = 70.0
"""A number links by itself only if the name is about that of its person."""
SHOWN = 5
_PAIRING_FROM = 45.0
_INITIAL = 88.0
_LEFT_OVER = 2.5
_ONE_PART = 80.0
"""A surname alone, or a given name, is at most so much of a whole name."""
_BRUTE_FORCE = 20


@dataclass(frozen=True, slots=True)
class Described(metaclass=QuicklyMade):
    """What is said of a person, or of an entry; what is not known is None."""

    names: tuple[Form, ...]
    birth_year: int | None = None
    federation: str | None = None
    sex: str | None = None
    club: str | None = None
    rating: float | None = None
    ids: Mapping[str, str] = field(default_factory=dict)
    """The numbers that an entry prints."""
    numbers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """All numbers of a person, by register: one may have been given anew."""
    id: str = ""
    """By what an entry goes in its report: perhaps a number of a register that it does not name."""


def described(name: str, *variants: str, **said: Any) -> Described:
    """A description from names as they are written."""
    return Described(tuple(form(each) for each in (name, *variants)), **said)


class Evidence(NamedTuple):
    """What speaks for a person, or against: a pattern with its words, and how much it weighs."""

    pattern: str
    words: Mapping[str, object] = MappingProxyType({})
    weight: float = 0.0

    def says(self) -> Sentence:
        """In words; few of those who are compared are shown."""
        reason = made_of(self.pattern, self.words)
        if not self.weight:
            return reason
        weight = f"{self.weight:+g}".replace("-", "−")
        return sentence("{reason} ({weight})", reason=reason, weight=weight)


@dataclass(frozen=True, slots=True)
class Candidate(metaclass=QuicklyMade):
    """A person whom an entry may be; ``name`` is the score of the names alone, 0 to 100."""

    person: int
    score: float
    name: float
    evidence: tuple[Evidence, ...]
    agrees: bool
    """Federation, club or rating agrees."""
    contradicts: bool
    same_year: bool

    @property
    def reasons(self) -> tuple[Sentence, ...]:
        """The evidence in words."""
        return tuple(each.says() for each in self.evidence)


@dataclass(frozen=True, slots=True)
class Match(metaclass=QuicklyMade):
    """The candidates of an entry, the best first; ``certain`` is the one that links itself."""

    candidates: tuple[Candidate, ...]
    certain: Candidate | None
    method: str
    why: str
    """Why it is certain, or why not."""

    @property
    def because(self) -> tuple[str, ...]:
        """What is kept with a link of somebody who is certain."""
        return self.certain.reasons if self.certain and self.method == "name" else (self.why,)


def name_score(one: Form, other: Form) -> float:
    """How alike two names are, from 0 to 100."""
    if one.sorted == other.sorted:
        return 100.0
    plain = fuzz.ratio(one.sorted, other.sorted)
    fold = fuzz.ratio(one.sorted_folded, other.sorted_folded) - 1.5
    best = max(plain, fold)
    return max(best, _pairing(one, other)) if best >= _PAIRING_FROM else best


def _pairing(one: Form, other: Form) -> float:
    """Each token with its best partner; by length, less what is left over."""
    if len(one.tokens) > len(other.tokens):
        one, other = other, one
    free = list(range(len(other.tokens)))
    total = weight = 0.0
    order = sorted(range(len(one.tokens)), key=lambda at: (-len(one.tokens[at]), at))
    for at in order:
        scored = [(_token_score(one, at, other, to), -to) for to in free]
        best, index = max(scored)
        free.remove(-index)
        size = max(len(one.tokens[at]), len(other.tokens[-index]))
        total += best * size
        weight += size
    score = total / weight - _LEFT_OVER * len(free) if weight else 0.0
    return min(score, _ONE_PART) if free and len(one.tokens) == 1 else score


def _token_score(one: Form, at: int, other: Form, to: int) -> float:
    return _alike(one.tokens[at], other.tokens[to], one.folded[at], other.folded[to])


@lru_cache(maxsize=1 << 17)
def _alike(a: str, b: str, folded: str, other_folded: str) -> float:
    """How alike two tokens are: a report of thousands has each given name again and again."""
    if min(len(a), len(b)) == 1:
        return _INITIAL if a[0] == b[0] else 0.0
    return max(
        fuzz.ratio(a, b),
        100 * JaroWinkler.similarity(a, b) - 4,
        fuzz.ratio(folded, other_folded) - 2,
    )


def _best_name(entry: Described, known: Described) -> float:
    return max(
        [name_score(own, theirs) for own in entry.names for theirs in known.names], default=0.0
    )


def compared(
    entry: Described, person: int, known: Described, name: float | None = None
) -> Candidate:
    """An entry beside a person, each piece of evidence with its weight.

    ``name`` is how alike the names are, where that is known.
    """
    if name is None:
        name = _best_name(entry, known)
    found = [Evidence("name {score:.0f}", {"score": name})]
    agrees = contradicts = False

    years = entry.birth_year, known.birth_year
    if years[0] is not None and years[1] is not None:
        apart = abs(years[0] - years[1])
        if apart == 0:
            found.append(Evidence("same birth year", weight=10))
        elif apart in (1, 10):
            found.append(Evidence("birth years {apart} apart", {"apart": apart}, -6))
        else:
            contradicts = True
            found.append(Evidence("other birth year", weight=-22))
    if entry.federation and known.federation:
        same = same_country(entry.federation, known.federation)
        agrees |= same
        contradicts |= not same
        if same:
            found.append(Evidence("same federation", weight=3))
        else:
            found.append(Evidence("federation {other}", {"other": known.federation}, -5))
    if entry.sex and known.sex and entry.sex != known.sex:
        contradicts = True
        found.append(Evidence("other sex", weight=-15))
    for scheme, number in entry.ids.items():
        if scheme in known.numbers and number not in known.numbers[scheme]:
            contradicts = True
            found.append(Evidence("other {scheme} number", {"scheme": scheme}, -10))
    if entry.id:
        # Of a number that counts from 1 it may be chance, so that it only tells.
        found += [
            Evidence("its id is the {scheme} number", {"scheme": scheme})
            for scheme, numbers in known.numbers.items()
            if entry.id in numbers and scheme not in entry.ids
        ]
    if entry.club and known.club and entry.club.casefold() == known.club.casefold():
        agrees = True
        found.append(Evidence("same club", weight=3))
    if entry.rating is not None and known.rating is not None:
        gap = abs(entry.rating - known.rating)
        agrees |= gap <= 80
        contradicts |= gap > 400
        weight = 4 if gap <= 80 else 1 if gap <= 200 else -12 if gap > 400 else 0
        if weight:
            words = {"rating": known.rating, "gap": gap}
            found.append(Evidence("rating {rating:.10g}, {gap:.10g} away", words, weight))
    same_year = years[0] is not None and years[0] == years[1]
    score = name + sum(each.weight for each in found)
    return Candidate(person, score, name, tuple(found), agrees, contradicts, same_year)


def match(
    entry: Described,
    register: Callable[[Described], Mapping[int, Described]],
    by_id: Mapping[str, tuple[int, Described]],
    *,
    by_birth: bool = True,
) -> Match:
    """Who an entry may be.

    ``register`` gives the persons to look at, ``by_id`` those who have one of the entry's
    numbers, by scheme. Where births are nobody's to know, a name is taken for certain without.
    """
    persons = dict(register(entry))
    named: dict[int, str] = {}
    for scheme in sorted(by_id):
        person, known = by_id[scheme]
        persons.setdefault(person, known)
        named[person] = scheme
    # Most share a piece of a name and no more: nothing else of them is looked at.
    names = {person: _best_name(entry, known) for person, known in persons.items()}
    near = (p for p in sorted(persons) if p in named or names[p] >= _PAIRING_FROM)
    shown = tuple(sorted(
        (compared(entry, person, persons[person], names[person]) for person in near),
        key=lambda each: (each.person not in named, -each.score, each.person),
    ))  # fmt: skip
    if named:
        return _by_number(entry, shown, named)
    return _by_name(entry, shown, by_birth)


def match_by_number(entry: Described, by_id: Mapping[str, tuple[int, Described]]) -> Match | None:
    """Who an entry is by its numbers alone; None: names have to be looked at."""
    named = {by_id[scheme][0]: scheme for scheme in sorted(by_id)}
    if len(named) != 1:
        return None
    [(person, scheme)] = named.items()
    found = _by_number(entry, (compared(entry, person, by_id[scheme][1]),), named)
    return found if found.certain is not None else None


def _by_number(entry: Described, found: Sequence[Candidate], named: Mapping[int, str]) -> Match:
    shown = tuple(found[:SHOWN])
    if len(named) > 1:
        return Match(shown, None, "id", sentence("its numbers are those of different persons"))
    best = found[0]
    scheme = named[best.person]
    number = entry.ids.get(scheme, "")
    if best.name < ID_NEEDS_NAME:
        why = sentence(
            "{scheme} number {number} is person {person}, whose name is another one",
            scheme=scheme, number=number, person=best.person,
        )  # fmt: skip
        return Match(shown, None, "id", why)
    why = sentence(
        "{scheme} number {number}, name {score:.0f}", scheme=scheme, number=number, score=best.name
    )
    return Match(shown, best, "id", why)


def _by_name(entry: Described, found: Sequence[Candidate], by_birth: bool) -> Match:
    shown = tuple(found[:SHOWN])
    if not found or found[0].name < _PAIRING_FROM:
        return Match(shown, None, "name", sentence("nobody of about that name is known"))
    best, doubt = found[0], None
    if best.name < (CERTAIN_NAME if by_birth else _SAME_NAME):
        doubt = sentence("the best name agrees to {score:.0f} only", score=best.name)
    elif len(found) > 1 and best.score - found[1].score < CERTAIN_GAP:
        doubt = sentence("another person is about as likely")
    elif sum(each.name >= HOMONYMS_AT for each in found) > MOST_HOMONYMS:
        doubt = sentence("more than two persons have about that name")
    elif by_birth and not best.same_year:
        doubt = sentence("without an equal birth year no name is certain")
    elif best.contradicts or not best.agrees:
        doubt = sentence("federation, club or rating does not confirm it")
    if doubt is not None:
        return Match(shown, None, "name", doubt)
    return Match(shown, best, "name", ", ".join(best.reasons))


def nearest(entry: Described, forms: Mapping[int, Sequence[str]]) -> list[int]:
    """The persons with the most alike names of all, without keys: for small registers."""
    people, texts = [], []
    for person, sorted_names in forms.items():
        for text in sorted_names:
            people.append(person)
            texts.append(text)
    found: dict[int, None] = {}
    for own in entry.names:
        ranked = process.extract(own.sorted, texts, scorer=fuzz.ratio, limit=_BRUTE_FORCE)
        found |= {people[index]: None for _, _, index in ranked}
    return sorted(found)
