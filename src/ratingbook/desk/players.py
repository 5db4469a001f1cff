"""Players files beside a report: read in their order, joined by persons, filled in."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ratingbook.desk.filled import with_players
from ratingbook.desk.levels import with_start_levels
from ratingbook.desk.parts import by_names_of_pools, has_pools, in_pool, namer_of_pools, pool_of
from ratingbook.desk.persons import (
    LOCAL,
    NAME,
    birth_year_of,
    clean_id,
    home_register,
    name_key,
    named,
    one_person,
    persons_of,
    with_number,
)
from ratingbook.formats import read_text
from ratingbook.model import Entry, Findings, Place, Report, Severity
from ratingbook.model.making import changed
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.wording import counted

if TYPE_CHECKING:
    from ratingbook.formats.lists import ListPlayers

_SHOWN = 3
"""Of so many files the names are told."""


@dataclass(frozen=True)
class PlayersFile:
    """The players of a file, to be joined with those of reports."""

    entries: tuple[Entry, ...]
    path: Path | None = None

    @cached_property
    def _by_local(self) -> Mapping[str, Entry]:
        return {local_id(entry): entry for entry in self.entries}

    @cached_property
    def _by_number(self) -> Mapping[tuple[str, str], Entry]:
        return {
            (register, clean_id(number)): entry
            for entry in self.entries
            for register, number in entry.ids.items()
            if register != LOCAL
        }

    @cached_property
    def _by_name(self) -> Mapping[str, list[Entry]]:
        found: dict[str, list[Entry]] = {}
        for entry in self.entries:
            if entry.name:
                found.setdefault(name_key(entry.name), []).append(entry)
        return found

    def of(
        self, report: Report, federation: str, id_kind: str | None
    ) -> tuple[dict[str, Entry], Findings]:
        """What the file says of the report's players, by their ids in the report.

        Two persons who meet under one id, or a name that is two persons', refuse the report.
        """
        findings = Findings()
        found: dict[str, Entry] = {}
        taken: dict[str, Entry] = {}
        for entry in report.entries:
            other = self._joined(entry, home_register(federation), id_kind, findings)
            if other is None:
                continue
            if not one_person(entry, other):
                self._tell_other(entry, other, id_kind, findings)
            elif other.id in taken:
                findings.add(
                    Severity.ERROR, "players.one-for-two",
                    f"{named(taken[other.id])} and {named(entry)} of the report would both be "
                    f"{named(other)} of the players file.", other.place,
                    "Say with --id by which numbers they are joined.",
                )  # fmt: skip
            else:
                found[entry.id] = other if other.id == entry.id else replace(other, id=entry.id)
                taken[other.id] = entry
        return found, findings

    def _tell_other(
        self, entry: Entry, other: Entry, id_kind: str | None, findings: Findings
    ) -> None:
        years = [birth_year_of(each) for each in (entry, other)]
        born = [f", born in {year}" if year and None not in years else "" for year in years]
        by = _joined_by(entry, other)
        if by is None:
            under = f"Id {entry.id}"
            remedy = (
                "A start number is nobody's number outside its event. Join by numbers of a "
                "register or by names: --id "
                f"{'name' if id_kind else 'fide, egd, uscf … or --id name'}; if they are one "
                "person, write the name in the same way."
            )
        else:
            register, number = by
            under = f"The {register} number {number}"
            alike = [each for each in self._by_name.get(name_key(entry.name), ()) if each != other]
            known = alike[0].ids.get(register) if len(alike) == 1 else None
            remedy = (
                "Correct the number that is wrong"
                + (f": {entry.name} has {known} in the players file" if known else "")
                + "; if they are one person, write the name in the same way."
            )
        findings.add(
            Severity.ERROR, "players.other-person",
            f"{under} is {entry.name or 'nobody'}{born[0]} in the report and "
            f"{other.name or 'nobody'}{born[1]} in the players file: two persons, of whom one "
            "would take over the other's past.",
            Place(player=entry.id) if other.place == Place() else other.place, remedy,
        )  # fmt: skip

    def _joined(
        self, entry: Entry, home: str | None, id_kind: str | None, findings: Findings
    ) -> Entry | None:
        if id_kind == NAME:
            return self._named(entry, findings)
        if id_kind == LOCAL:
            return self._by_local.get(local_id(entry))
        if id_kind is not None:
            return self._numbered(with_number(entry, id_kind), id_kind)
        if home and (other := self._numbered(entry, home)) is not None:
            return other
        for register, number in entry.ids.items():
            if (other := self._by_number.get((register, clean_id(number)))) is not None:
                return other
        other = self._by_local.get(local_id(entry))
        if other is not None and _numbers_differ(entry, other):
            return None
        return other

    def _numbered(self, entry: Entry, register: str) -> Entry | None:
        """The player with the entry's number in a register, which may be the file's own id."""
        number = entry.ids.get(register)
        if not number:
            return None
        other = self._by_number.get((register, clean_id(number)))
        if other is None:
            other = self._by_clean_id.get(clean_id(number))
            other = None if other is not None and register in other.ids else other
        return other

    @cached_property
    def _by_clean_id(self) -> Mapping[str, Entry]:
        return {clean_id(entry.id): entry for entry in self.entries}

    def has_name_of(self, entry: Entry) -> bool:
        """Whether one player of the file, and no more, has that name."""
        return len(self._by_name.get(name_key(entry.name), ())) == 1 if entry.name else False

    def _named(self, entry: Entry, findings: Findings) -> Entry | None:
        alike = self._by_name.get(name_key(entry.name), []) if entry.name else []
        year = birth_year_of(entry)
        if len(alike) > 1 and year is not None:
            alike = [other for other in alike if birth_year_of(other) == year]
        if len(alike) > 1:
            findings.add(
                Severity.ERROR, "players.name-twice",
                f"{entry.name} is the name of {len(alike)} players of the players file: "
                f"{', '.join(named(other) for other in alike[:5])}.", entry.place,
                "Give birth years, or join them by their numbers: --id fide, egd, uscf …",
            )  # fmt: skip
            return None
        return alike[0] if alike and one_person(entry, alike[0]) else None


@dataclass(frozen=True)
class Players:
    """What players files and lists say, in their order: the first that says something holds."""

    sources: tuple[PlayersFile | ListPlayers, ...] = ()
    findings: Findings = field(default_factory=Findings)
    """What refuses every report: a file that cannot be read."""
    id_kind: str | None = None

    def found_in(
        self, report: Report, book: BookOrSeries
    ) -> Iterator[tuple[dict[str, Entry], Findings]]:
        """What each source says of the report's players, by the report's ids."""
        joined = frozenset[str]()
        if len(self.sources) > 1:
            # Whom one of several lists does not know, another may: only who is in none is told.
            joined = frozenset(
                id_ for source in self.sources for id_ in self._in(source, report, book)
            )
        for source in self.sources:
            if isinstance(source, PlayersFile):
                yield source.of(report, book.federation, self.id_kind)
            else:
                yield source.of(report, book.federation, joined)

    def _in(
        self, source: PlayersFile | ListPlayers, report: Report, book: BookOrSeries
    ) -> Iterable[str]:
        if isinstance(source, PlayersFile):
            return source.of(report, book.federation, self.id_kind)[0]
        return source.of(report, book.federation)[0]

    def filled(self, report: Report, book: BookOrSeries) -> tuple[Report, Findings]:
        """The report with what it lacks, also of those beside it."""
        here = {entry.id: entry for entry in report.entries}
        others = {
            entry.id: entry for entries in report.beside.values() for entry in entries
            if entry.id not in here
        }  # fmt: skip
        filled, findings = self._filled(report, book)
        if not report.beside:
            return filled, findings
        apart = replace(report, entries=tuple(others.values()), games=(), beside={})
        apart, told = self._filled(apart, book)
        # They are not rated: only who they are must be known.
        findings.extend(each for each in told if each.severity.refuses)
        known = {entry.id: entry for entry in (*filled.entries, *apart.entries)}
        beside = {
            name: tuple(known[entry.id] for entry in entries)
            for name, entries in report.beside.items()
        }
        return replace(filled, beside=beside), findings

    def _filled(self, report: Report, book: BookOrSeries) -> tuple[Report, Findings]:
        findings = Findings()
        said = "in the report"
        whole = book.whole_ratings
        listed: set[str] = set()
        strange: list[PlayersFile] = []
        pool = pool_of(report, book)
        for source, (of_all, told) in zip(self.sources, self.found_in(report, book), strict=True):
            known = {id_: in_pool(entry, pool) for id_, entry in of_all.items()}
            findings.extend(told)
            if isinstance(source, PlayersFile) and source.entries and not known:
                strange += [] if told.refused else [source]
            listed |= known.keys()
            report, more = with_players(report, known, whole_ratings=whole, said=said)
            findings.extend(more)
            said = "in the report or the players files before"
        self._tell_strange(strange, report, findings)
        if self.sources:
            report, more = with_start_levels(report, listed, book)
            findings.extend(more)
        return report, findings

    def _tell_strange(
        self, files: Sequence[PlayersFile], report: Report, findings: Findings
    ) -> None:
        """Files of which nobody is in the report: one finding, however many they are."""
        if not files:
            return
        names = ", ".join(str(each.path) for each in files[:_SHOWN] if each.path)
        whole = f"{len(files)} players files" if len(files) > 1 else "the players file"
        more = f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
        by_name = sum(any(each.has_name_of(entry) for each in files) for entry in report.entries)
        alike = f"{counted(by_name, 'player')} of the report would be found by name"
        said_by = "fide, egd, uscf, iccf, local (the ids of the files themselves) or name"
        findings.add(
            Severity.WARNING, "players.no-match",
            f"Nobody of {whole} is in the report"
            + (f" by {_words(self.id_kind)}" if self.id_kind else "")
            + (f": {names}{more}" if len(files) > 1 and names else "")
            + (f"; {alike}." if by_name else "."),
            remedy="Join them by their names: --id name."
            if by_name
            else f"Say with --id what joins them: {said_by}.",
        )  # fmt: skip


NOBODY = Players()


def read_players_files(
    given: Sequence[Path | Iterable[Entry]],
    book: BookOrSeries,
    reports: Iterable[Report],
    id_kind: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Players:
    """Read players files and federations' rating lists, of which those whom the reports name.

    ``reports`` is looked at for lists only; ``columns`` says which header a field has.
    """
    findings = Findings()
    sources: list[PlayersFile | ListPlayers] = []
    named: list[Report] | None = None
    for one in given:
        if not isinstance(one, Path):
            sources.append(PlayersFile(tuple(one)))
            continue
        from ratingbook.formats.lists import looks_like_list, read_list

        if looks_like_list(one):
            named = list(reports) if named is None else named
            listed, more = read_list(one, named)
            findings.extend(more)
            sources += [listed] if listed else []
            continue
        entries, more = read_players_file(one, book, columns)
        findings.extend(more)
        sources.append(PlayersFile(tuple(entries), one))
    return Players(tuple(sources), findings, id_kind)


def read_players_file(
    path: Path, book: BookOrSeries, columns: Mapping[str, str] | None = None
) -> tuple[list[Entry], Findings]:
    """The players of a file that is no federation's list, each placed in it."""
    from ratingbook.engine.columns import columns_beside
    from ratingbook.engine.left import is_pool
    from ratingbook.formats.columnar import as_document
    from ratingbook.formats.players import read_players

    if os.path.isdir(path) and is_pool(path):
        findings = Findings()
        findings.add(
            Severity.FATAL, "players.history", "This is the folder of a history, no players file.",
            Place(file=str(path)),
            "Rate the history with the new event among its reports; or take its ratings alone: "
            f"--players {path / 'ratings.parquet'}.",
        )  # fmt: skip
        return [], findings
    text, findings = as_document(path), Findings()
    if text is None:
        text, findings = read_text(path)
    if text is None:
        return [], findings.in_file(str(path))
    players, more = read_players(
        text, book.standing_fields, columns, beside=columns_beside(book),
        pool_named=namer_of_pools(book) if has_pools(book) else None,
    )  # fmt: skip
    findings.extend(more)
    entries = [
        changed(entry, place=changed(entry.place, file=str(path)))
        for entry in by_names_of_pools(players.values(), book, findings)
    ]
    if is_pool(path):
        entries = _with_persons(entries, path)
    return entries, findings.in_file(str(path))


def _with_persons(entries: Iterable[Entry], path: Path) -> list[Entry]:
    """The ratings of a history with who its players are, as its folder knows it."""
    from ratingbook.engine.history.folder import store_of
    from ratingbook.engine.left import PERSONS, folder_of
    from ratingbook.engine.store import Damaged

    try:
        left = store_of(folder_of(path)).current()
        persons = persons_of(left.text(PERSONS)) if left and PERSONS in left else {}
    except (OSError, ValueError, Damaged):
        persons = {}
    return [
        replace(persons.get(entry.id, entry), standing=entry.standing, place=entry.place)
        for entry in entries
    ]


def local_id(entry: Entry) -> str:
    """The id that the file itself gives: of its own register, else that of the entry."""
    return entry.ids.get(LOCAL) or entry.id


def _numbers_differ(entry: Entry, other: Entry) -> bool:
    """Whether some register has two numbers for them, so that they are two persons."""
    return any(
        clean_id(number) != clean_id(other.ids[register])
        for register, number in entry.ids.items()
        if register in other.ids and register != LOCAL
    )


def _joined_by(entry: Entry, other: Entry) -> tuple[str, str] | None:
    """The register, and its number, that both have; None: they met under an id of the files."""
    for register, number in entry.ids.items():
        if register != LOCAL and clean_id(number) == clean_id(other.ids.get(register) or other.id):
            return register, number
    return None


def _words(id_kind: str) -> str:
    return {NAME: "name", LOCAL: "the ids of the files"}.get(id_kind, f"the {id_kind} number")
