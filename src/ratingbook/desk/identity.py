"""One id for each person of many reports: a number of a register, the files' own, or the name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from ratingbook.desk.persons import (
    LOCAL,
    NAME,
    birth_year_of,
    clean_id,
    has_long_id,
    home_register,
    name_key,
    named,
    near_keys,
    nearly_one_name,
    one_person,
    with_number,
)
from ratingbook.desk.players import local_id
from ratingbook.model import Entry, Findings, Place, Report, Severity

_SHOWN = 5
_LOOKED_AT = 50
"""Namesakes with whom a new name is compared; of more nobody would look them through."""


def kind_for(reports: Iterable[tuple[Report, str]], federation: str, findings: Findings) -> str:
    """The register of the rule book's federation, where all players have its number.

    Else the ids of the files, where none of them can be a start number.
    """
    home = home_register(federation)
    entries = [
        replace(entry, place=replace(entry.place, file=file))
        for report, file in reports
        for entry in report.entries
    ]
    without = [entry for entry in entries if not (home and entry.ids.get(home))]
    if home and not without:
        return home
    if entries and all(not entry.ids and has_long_id(entry) for entry in entries):
        return LOCAL
    if home:
        what = (
            f"{len(without)} of {len(entries)} entries have no {home} number, the first "
            f"{named(without[0])}"
        )
    else:
        what = f"{federation} has no register of its own"
    findings.add(
        Severity.ERROR,
        "history.which-id",
        f"Nothing says who is the same person in two reports: {what}.",
        without[0].place if without else Place(),
        "Say what does: --id name, --id local (the ids of the files are persons', not start "
        "numbers) or the number of another register; or add the missing numbers.",
    )
    return home or NAME


@dataclass
class Register:
    """Who has been met, under one id each; ``kind`` is what makes two entries one person."""

    kind: str
    persons: dict[str, Entry] = field(default_factory=dict)
    _alike: dict[str, list[str]] = field(default_factory=dict)
    _numbers: dict[tuple[str, str], str] = field(default_factory=dict)
    """Whose the numbers of registers are."""
    _near: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """Persons by what names that are almost theirs share; kept where names make persons."""
    _pairs: list[tuple[str, str]] = field(default_factory=list)
    """Who is new, and whose name is almost that of somebody who was known."""

    def __post_init__(self) -> None:
        if self.kind == NAME:
            for person, entry in self.persons.items():
                self._alike.setdefault(name_key(entry.name), []).append(person)
                self._index(person, entry.name)

    def _index(self, person: str, name: str) -> None:
        for key in near_keys(name):
            self._near.setdefault(key, []).append(person)

    def _look_for_near(self, person: str, entry: Entry) -> None:
        """Note whose name is almost that of a new person."""
        year = birth_year_of(entry)
        several = [self._near.get(key, ())[:_LOOKED_AT] for key in sorted(near_keys(entry.name))]
        for other in dict.fromkeys(each for some in several for each in some):
            known = self.persons[other]
            years = birth_year_of(known)
            if (year is None or years in (None, year)) and nearly_one_name(entry.name, known.name):
                self._pairs.append((person, other))
        self._index(person, entry.name)

    def not_near(self, together: Collection[str]) -> None:
        """These are so many persons, however like their names: they stand in one file."""
        everybody = set(together)
        self._pairs = [pair for pair in self._pairs if not everybody.issuperset(pair)]

    def tell_near(self, findings: Findings) -> None:
        """One finding of all whose name is almost somebody's: a slip of the pen makes a person."""
        if not self._pairs:
            return
        shown = "; ".join(f"{person} and {other}" for person, other in self._pairs[:_SHOWN])
        more = f" and {len(self._pairs) - _SHOWN} more" if len(self._pairs) > _SHOWN else ""
        findings.add(
            Severity.WARNING, "history.near-name",
            f"Persons by their names, who may be one: {shown}{more}.",
            self.persons[self._pairs[0][0]].place,
            "Write the name in the same way if they are one person; a year of birth in both files "
            "tells them apart, and numbers of a register do so for good (--id fide, egd, uscf …).",
        )  # fmt: skip

    def ids_of(self, report: Report, file: str, findings: Findings) -> Mapping[str, str]:
        """The person of each entry of a report; what cannot be said refuses it."""
        found: dict[str, str] = {}
        without = []
        for entry in report.entries:
            person = self.id_of(entry, file, findings)
            if person is None:
                without.append(entry)
                continue
            self._tell_number(person, entry, file, findings)
            if person in found.values():
                findings.add(
                    Severity.ERROR, "history.same-person",
                    f"Two entries of the report are {person} {entry.name}.",
                    replace(entry.place, file=file, player=entry.id),
                    "Correct the one that is wrong; or join persons by something else: --id.",
                )  # fmt: skip
            found[entry.id] = person
        self.not_near(found.values())
        if without:
            more = f" and {len(without) - _SHOWN} more" if len(without) > _SHOWN else ""
            findings.add(
                Severity.ERROR, "history.no-id",
                f"{', '.join(map(named, without[:_SHOWN]))}{more}: no "
                f"{'name' if self.kind == NAME else f'{self.kind} number'}, so nobody can say who "
                "they are in other reports.", Place(file=file),
                "Add it to the file, or join persons by something else: --id name, --id local.",
            )  # fmt: skip
        return found

    def id_of(self, entry: Entry, file: str, findings: Findings) -> str | None:
        """The id of the person; None where the entry has nothing of the kind."""
        if self.kind == NAME:
            return self._by_name(entry, file)
        entry = with_number(entry, self.kind)
        number = local_id(entry) if self.kind == LOCAL else entry.ids.get(self.kind)
        if not number:
            return None
        person = clean_id(number)
        known = self.persons.get(person)
        if known is not None and not one_person(known, entry):
            findings.add(
                Severity.ERROR, "history.other-person",
                f"Id {person} is {named(entry)} here and {named(known)} in "
                f"{known.place.file or 'another file'}: two persons.",
                replace(entry.place, file=file, player=entry.id),
                "Start numbers are no ids: join persons by numbers of a register or by names "
                "(--id); else correct the number, or write the name in the same way.",
            )  # fmt: skip
            return person
        self._learn(person, entry, file)
        return person

    def _tell_number(self, person: str, entry: Entry, file: str, findings: Findings) -> None:
        """Nobody else may have the person's number; names may be written in two ways."""
        for kind, number in entry.ids.items():
            other = self._numbers.setdefault((kind, number), person)
            if other == person or kind == self.kind:
                continue
            findings.add(
                Severity.WARNING if self.kind == NAME else Severity.ERROR,
                "history.number-of-two",
                f"The {kind} number {number} is {named(entry)} here, and {other} in "
                f"{self.persons[other].place.file or 'another file'}: two persons by "
                f"{'their names' if self.kind == NAME else 'the ids of the files'}.",
                replace(entry.place, file=file, player=entry.id),
                "If it is one person, join persons by that number (--id "
                f"{kind}), or write the name in the same way; else correct the number.",
            )  # fmt: skip

    def _by_name(self, entry: Entry, file: str) -> str | None:
        if not entry.name:
            return None
        alike = self._alike.setdefault(name_key(entry.name), [])
        year = birth_year_of(entry)
        for person in alike:
            known = birth_year_of(self.persons[person])
            if known == year or None in (known, year):
                self._learn(person, entry, file)
                return person
        person = entry.name if not alike else f"{entry.name} ({year})"
        is_new = not alike
        alike.append(person)
        self._learn(person, entry, file)
        if is_new:
            self._look_for_near(person, entry)
        return person

    def _learn(self, person: str, entry: Entry, file: str) -> None:
        known = self.persons.get(person)
        if known is None:
            place = replace(entry.place, file=file or entry.place.file)
            self.persons[person] = Entry(
                person, entry.name, entry.federation, entry.title, entry.sex,
                birth_date=entry.birth_date, birth_year=entry.birth_year, ids=dict(entry.ids),
                place=place,
            )  # fmt: skip
            return
        self.persons[person] = replace(
            known,
            name=known.name or entry.name,
            federation=entry.federation or known.federation,
            title=entry.title or known.title,
            sex=known.sex or entry.sex,
            birth_date=known.birth_date or entry.birth_date,
            birth_year=known.birth_year or entry.birth_year,
            ids={**entry.ids, **known.ids},
        )
