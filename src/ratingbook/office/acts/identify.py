"""Who the entries of reports may be, and why those who are certain are not linked so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ratingbook.model.sentences import Sentence, sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.people import Register, canonical
from ratingbook.office.intake import EntryRow
from ratingbook.office.logic.matching import Described, Match, match, match_by_number
from ratingbook.office.logic.names import form
from ratingbook.office.store import models as m


@dataclass(frozen=True)
class Identified:
    """Who the entries of some reports may be, by report and entry; and the persons looked at."""

    said: Sequence[Mapping[str, Described]]
    """The entries as they were compared."""
    matches: Sequence[Mapping[str, Match]]
    known: Sequence[Mapping[int, Described]]
    """By report the persons looked at, with their ratings in its pool."""


def matches_of(reports: Sequence[Sequence[EntryRow]], register: Register) -> Identified:
    """Who the entries of reports may be, before anything is written."""
    said = [{each.number: described_of(each) for each in one} for one in reports]
    register.look_up_numbers([each for one in said for each in one.values()])
    certain = [_by_number(one, register) for one in said]
    # Whose number says it all is not looked for by name.
    register.look_up_names(
        [
            each
            for one, found in zip(said, certain, strict=True)
            for number, each in one.items()
            if number not in found
        ]
    )
    matches = [
        {
            number: found.get(number)
            or match(
                each, register.candidates, register.by_number(each), by_birth=register.knows_births
            )
            for number, each in one.items()
        }
        for one, found in zip(said, certain, strict=True)
    ]
    return Identified(said, [_once_each(each) for each in matches], [register.known] * len(said))


def known_by_number(entries: Iterable[EntryRow], register: Register) -> set[str]:
    """The entries of whom a number says by itself who they are, whatever else is known."""
    said = {each.number: described_of(each) for each in entries}
    register.look_up_numbers(list(said.values()))
    return set(_by_number(said, register))


def described_of(entry: EntryRow) -> Described:
    """An entry as it is compared with persons."""
    said = entry.printed
    return Described(
        (form(entry.name or entry.number),), entry.birth_year, said.get("federation"),
        said.get("sex"), said.get("club"), said.get("rating"), dict(said.get("ids") or {}),
        id=entry.number,
    )  # fmt: skip


def _by_number(said: Mapping[str, Described], register: Register) -> dict[str, Match]:
    """The entries of a report that are certain by their numbers."""
    found = {}
    for number, each in said.items():
        alone = match_by_number(each, register.by_number(each)) if each.ids else None
        if alone is not None:
            found[number] = alone
    return found


def _once_each(found: Mapping[str, Match]) -> Mapping[str, Match]:
    """Two entries of one report that are one person go to the desk, both.

    Of whom one has the number it stays so: the other one is hardly that person.
    """
    whose: dict[int, list[str]] = {}
    for key, each in found.items():
        if each.certain is not None:
            whose.setdefault(each.certain.person, []).append(key)
    if all(len(keys) == 1 for keys in whose.values()):
        return found
    doubtful = set[str]()
    for keys in (keys for keys in whose.values() if len(keys) > 1):
        numbered = [key for key in keys if found[key].method == "id"]
        doubtful |= set(keys) - (set(numbered) if len(numbered) == 1 else set())
    return {
        key: Match(
            each.candidates,
            None,
            each.method,
            sentence("two entries of the report are this person"),
        )
        if key in doubtful
        else each
        for key, each in found.items()
    }


def row_of_entry(entry: Any) -> EntryRow:
    """An entry at the desk as it came."""
    return EntryRow(entry.number, entry.name, entry.printed, None, entry.year)


def doubts_of(entries: Sequence[Any], matches: Mapping[str, Match]) -> Mapping[int, Sentence]:
    """Why entries of a version, who wait and are certain by what is known, are not linked so."""
    certain = {
        each.id: best.person for each in entries
        if (best := matches[each.number].certain) is not None
    }  # fmt: skip
    if not certain:
        return {}
    version = entries[0].version
    live = m.Link.objects.filter(entry__version=version, revoked_by__isnull=True)
    others = {canonical(who): number for number, who in live.values_list("entry__number", "person")}
    links = m.Link.objects.filter(entry__in=certain, revoked_by__isnull=False)
    taken_back = set(links.values_list("entry", flat=True))
    without_it = is_published(version)
    found: dict[int, Sentence] = {}
    for entry, person in certain.items():
        if entry in taken_back:
            found[entry] = sentence("who it was said to be was taken back")
        elif person in others:
            found[entry] = sentence(
                "entry {number} of the report is this person", number=others[person]
            )
        elif without_it:
            found[entry] = sentence("the report is published without it")
    return found


def is_published(version: m.ReportVersion) -> bool:
    """Whether what is published has rated a section of a version."""
    sections = m.Section.objects.filter(version=version).values_list("id", flat=True)
    return bool(set(sections) & states.published_sections())
