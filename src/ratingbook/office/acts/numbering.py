"""Other numbers in a list: persons are known by them, and known persons are given them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ratingbook.model import Finding, Place, Severity
from ratingbook.model.sentences import Sentence, sentence
from ratingbook.office.acts.people import merges, portions, rows_of_persons
from ratingbook.office.acts.registry import suppressed
from ratingbook.office.logic.matching import ID_NEEDS_NAME, name_score
from ratingbook.office.logic.names import form
from ratingbook.office.logic.newcomers import Newcomer
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m
from ratingbook.office.store.rows import among, put_rows
from ratingbook.rules.wording import either

_Number = tuple[str, str]
"""A register and a number in it."""


@dataclass
class Numbering:
    """The numbers beside those by which the players of a file go, some players at a time."""

    path: Path
    scheme: str
    """The register of the numbers by which the players go."""
    given: dict[_Number, int] = field(default_factory=dict)
    """What known persons get, and who."""
    _of_others: list[tuple[str, _Number, int]] = field(default_factory=list)
    """The number in the file, the other one beside it, and whose that is."""
    _otherwise: list[tuple[str, _Number, str]] = field(default_factory=list)
    """The number in the file, the other one beside it, and the one that is known."""

    def known(self, players: Sequence[Newcomer]) -> dict[str, int]:
        """Who of these, whose own numbers nobody has, is known by another one.

        Refused where something speaks against it: then it is a slip in the file, or in the office.
        """
        whose = self._whose(self._beside(players))
        people = {
            each.id: {whose[number] for number in _numbers(each) if number in whose}
            for each in players
        } if whose else {}  # fmt: skip
        some = {each.id: each for each in players if people.get(each.id)}
        if not some:
            return {}
        about = _About(whose.values(), self.given)
        against: list[tuple[str, Sentence]] = []
        found: dict[str, int] = {}
        for number, each in some.items():
            person, *others = sorted(people[number])
            why = self._why_two(person, others[0]) if others else self._why_not(each, person, about)
            if why is None:
                found[number] = person
                about.numbers.setdefault(person, {})[self.scheme] = number
            else:
                against.append((number, why))
        if against:
            number, why = against[0]
            raise refuse(
                "office.id-taken",
                either(
                    len(against),
                    "{count} player of the file has numbers of somebody else, as it seems: "
                    "{number}, {name}: {why}",
                    "{count} players of the file have numbers of somebody else, as it seems; the "
                    "first is {number}, {name}: {why}",
                    number=number, name=some[number].person.name, why=why,
                ),
                sentence(
                    "Correct the numbers in the file, or leave them empty. If they are the same, "
                    "say so first: `ratingbook office merge` makes two one, `ratingbook office "
                    "person edit PERSON` gives another name, birth date or number. Nothing was "
                    "taken in."
                ),
                Place(file=str(self.path)),
            )  # fmt: skip
        return found

    def look(self, players: Sequence[Newcomer], known: Mapping[str, int]) -> None:
        """Look which numbers these have that nobody has, of whom ``known`` has the person."""
        hidden = suppressed()
        some = [
            (each, known[each.id]) for each in players
            if each.id in known and known[each.id] not in hidden
        ]  # fmt: skip
        wanted: dict[str, list[str]] = {}
        for each, _ in some:
            for scheme, value in _numbers(each):
                wanted.setdefault(scheme, []).append(value)
        if len(wanted) < 2:
            # Nobody has a number beside the one by which all are known.
            return
        whose = self._whose(wanted)
        held = _numbers_of({person for _, person in some}, self.given)
        for each, person in some:
            own = held.setdefault(person, {})
            for number in _numbers(each):
                scheme, value = number
                owner = whose.get(number)
                if owner is not None:
                    if owner != person:
                        self._of_others.append((each.id, number, owner))
                elif scheme in own:
                    self._otherwise.append((each.id, number, own[scheme]))
                else:
                    self.given[number] = whose[number] = person
                    own[scheme] = value

    def write(self, fact: int) -> None:
        """Keep the new numbers of known persons, by the fact of the import."""
        put_rows(
            m.ExternalId._meta.db_table, ("scheme", "value", "person_id", "fact"),
            [(*number, person, fact) for number, person in self.given.items()],
        )  # fmt: skip

    def findings(self) -> Iterator[Finding]:
        """Which numbers were taken in, and which were not."""
        place = Place(file=str(self.path))
        if self.given:
            schemes = sorted({scheme for scheme, _ in self.given})
            yield Finding(
                "office.import-numbered", Severity.INFO,
                either(
                    len(self.given),
                    "{count} number of a person who was known is new: {registers}.",
                    "{count} numbers of persons who were known are new: {registers}.",
                    registers=", ".join(schemes),
                ),
                place, count=len(self.given),
            )  # fmt: skip
        if self._of_others:
            number, (scheme, value), person = self._of_others[0]
            yield Finding(
                "office.import-number-taken", Severity.WARNING,
                either(
                    len(self._of_others),
                    "{count} number in the file is that of another person, and was not taken: "
                    "{number} has the {scheme} number {value} of person {person}.",
                    "{count} numbers in the file are those of other persons, and were not taken; "
                    "first: {number} has the {scheme} number {value} of person {person}.",
                    number=number, scheme=scheme, value=value, person=person,
                ),
                place,
                sentence(
                    "If they are the same, `ratingbook office merge` makes them one. Else correct "
                    "the number where it is wrong."
                ),
                count=len(self._of_others),
            )  # fmt: skip
        if self._otherwise:
            number, (scheme, value), here = self._otherwise[0]
            yield Finding(
                "office.import-number-otherwise", Severity.WARNING,
                either(
                    len(self._otherwise),
                    "{count} player has another number in the file than here: {number}: {scheme} "
                    "{value} in the file, {here} here. What is here stays.",
                    "{count} players have other numbers in the file than here; the first is "
                    "{number}: {scheme} {value} in the file, {here} here. What is here stays.",
                    number=number, scheme=scheme, value=value, here=here,
                ),
                place,
                sentence(
                    "If the file is right: `ratingbook office person edit PERSON --id "
                    "{scheme}=NUMBER --reason TEXT`.",
                    scheme=scheme,
                ),
                count=len(self._otherwise),
            )  # fmt: skip

    def _beside(self, players: Iterable[Newcomer]) -> dict[str, list[str]]:
        """The numbers of these that are not of the register by which they go."""
        found: dict[str, list[str]] = {}
        for each in players:
            for scheme, value in _numbers(each):
                if scheme != self.scheme:
                    found.setdefault(scheme, []).append(value)
        return found

    def _whose(self, wanted: Mapping[str, Sequence[str]]) -> dict[_Number, int]:
        """The persons who have numbers of registers, or get them by this file."""
        merged = merges() if wanted else {}
        found: dict[_Number, int] = {}
        for scheme, values in wanted.items():
            live = m.ExternalId.objects.filter(
                scheme=scheme, value__in=among(values), revoked_by__isnull=True
            )
            for value, person in live.values_list("value", "person"):
                found[scheme, value] = merged.get(person, person)
            if self.given:
                given = {(scheme, value) for value in values} & self.given.keys()
                found |= {number: self.given[number] for number in given}
        return found

    def _why_two(self, one: int, other: int) -> Sentence:
        return sentence(
            "its numbers are those of two persons, {one} and {other}.", one=one, other=other
        )

    def _why_not(self, each: Newcomer, person: int, about: _About) -> Sentence | None:
        """What speaks against a player being the one who has one of the numbers."""
        names, year = about.names.get(person, ()), about.years.get(person)
        said = form(each.person.name)
        has_name = each.person.name != each.id
        if has_name and names and max(name_score(said, form(x)) for x in names) < ID_NEEDS_NAME:
            return sentence(
                "person {person}, who has one of them, is called {name}.",
                person=person, name=names[0],
            )  # fmt: skip
        born = each.person.birth_date.year if each.person.birth_date else each.person.birth_year
        if year is not None and born is not None and year != born:
            return sentence(
                "person {person}, who has one of them, was born in another year.", person=person
            )
        own = about.numbers.get(person, {}).get(self.scheme)
        if own is not None:
            return sentence(
                "person {person}, who has one of them, has the {scheme} number {number}.",
                person=person, scheme=self.scheme, number=own,
            )  # fmt: skip
        return None


class _About:
    """What is known of the persons whom players of a file may be."""

    def __init__(self, people: Iterable[int], given: Mapping[_Number, int]) -> None:
        wanted = set(people)
        self.names: dict[int, list[str]] = {}
        live = m.PersonName.objects.filter(revoked_by__isnull=True)
        for person, text in rows_of_persons(live, wanted, "person", "text"):
            self.names.setdefault(person, []).append(text)
        self.years = years_of(wanted)
        self.numbers = _numbers_of(wanted, given)


def years_of(people: Iterable[int]) -> dict[int, int]:
    """The birth years of persons; of whom none is known is not among them."""
    rows = m.PersonPrivate.objects
    return {
        person: year
        for some in portions(sorted(people))
        for person, year in rows.filter(person__in=some).values_list("person", "birth_year")
        if year is not None
    }


def _numbers_of(people: set[int], given: Mapping[_Number, int]) -> dict[int, dict[str, str]]:
    """By register the number that each of these has, or gets by the file.

    The own ones go before those of somebody whom a person was found to be.
    """
    whose = {source: target for source, target in merges().items() if target in people}
    whose |= {person: person for person in people}
    live = m.ExternalId.objects.filter(revoked_by__isnull=True)
    found: dict[int, dict[str, str]] = {}
    for holder, scheme, value in rows_of_persons(live, whose, "person", "scheme", "value"):
        own = found.setdefault(whose[holder], {})
        if whose[holder] == holder or scheme not in own:
            own[scheme] = value
    for (scheme, value), person in given.items():
        found.setdefault(person, {}).setdefault(scheme, value)
    return found


def _numbers(each: Newcomer) -> Iterable[_Number]:
    return (each.person.ids or {}).items()
