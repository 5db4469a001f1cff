"""A list from one format into another, player by player: no list is held in memory."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from ratingbook.formats.lists.fide.txt import write_fide_txt
from ratingbook.formats.lists.fide.xml import write_fide_xml
from ratingbook.formats.lists.files import opened
from ratingbook.formats.lists.iccf import write_iccf_list
from ratingbook.formats.lists.iecg import write_iecg_list
from ratingbook.formats.lists.kinds import kind_of
from ratingbook.formats.lists.players import ListKind, Player
from ratingbook.formats.lists.refusal import Refused, refused
from ratingbook.formats.lists.source import UNKNOWN, home_pool
from ratingbook.formats.tools.notes import CountedNotes, Remark
from ratingbook.formats.tools.spreadsheets import guarded
from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence

OTHER_REGISTER = Remark(
    "list.other-register",
    Severity.FATAL,
    "The list is of another federation than the format",
    "Convert it to csv, which is a players file, or to a format of its own federation.",
)
OTHER_POOLS = Remark(
    "list.other-pools",
    Severity.WARNING,
    "Ratings that the players file has no column for were left out",
    "A players file holds one rating of a player; keep the list itself for the others.",
)
ONE_POOL = Remark(
    "list.one-pool",
    Severity.INFO,
    "The list has ratings of one kind only, which the players file has as its ratings",
    "Use the players file for events of that kind only.",
)
INACTIVE = Remark(
    "list.inactive",
    Severity.INFO,
    "That players are inactive was left out",
    "The players file has no column for it.",
)
_FIRST = 1_000
"""So many players show which ratings a list has."""
_COLUMNS = ("id", "name", "federation", "title", "sex", "birth_year", "rating", "games")


@dataclass(frozen=True, slots=True)
class ListTarget:
    """A format that lists are written in."""

    key: str
    suffix: str
    register: str | None
    """The federation whose format it is; None: of any."""
    write: Callable[[Iterable[Any], BinaryIO, str], Findings]


def _players_file(players: Iterable[Player], file: BinaryIO, register: str) -> Findings:
    """A table for ``--players``, with the ratings of the federation's usual list."""
    notes = CountedNotes()
    rows = iter(players)
    first = list(itertools.islice(rows, _FIRST))
    pool = _pool_of(first, register, notes)
    text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for player in itertools.chain(first, rows):
        listed = player.listed()
        standing = listed.standings.get(pool)
        entry = listed.entry
        if others := [other for other in listed.standings if other != pool]:
            notes.add(
                OTHER_POOLS, sentence("{what} of {player}", what=", ".join(others), player=entry.id)
            )
        if listed.inactive:
            notes.add(INACTIVE, entry.id)
        cells = (
            entry.id, entry.name, entry.federation, entry.title, entry.sex, entry.birth_year,
            standing.rating if standing else None, standing.games if standing else None,
        )  # fmt: skip
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in cells])
    text.detach()
    return notes.findings()


def _pool_of(first: Iterable[Player], register: str, notes: CountedNotes) -> str:
    """The pool whose ratings a players file has: the usual one, unless a list has another only."""
    usual = home_pool(register)
    pools = {pool for player in first for pool in player.listed().standings}
    if len(pools) != 1 or usual in pools:
        return usual
    (pool,) = pools
    notes.add(ONE_POOL, pool)
    return pool


LIST_TARGETS: Mapping[str, ListTarget] = {
    each.key: each
    for each in (
        ListTarget("fide-txt", ".txt", "fide", lambda rows, file, _: write_fide_txt(rows, file)),
        ListTarget("fide-xml", ".xml", "fide", lambda rows, file, _: write_fide_xml(rows, file)),
        ListTarget("iccf", "", "iccf", lambda rows, file, _: write_iccf_list(rows, file)),
        ListTarget("iecg", "", "iecg", lambda rows, file, _: write_iecg_list(rows, file)),
        ListTarget("csv", ".csv", None, _players_file),
    )
}


def list_target(suffix: str) -> ListTarget | None:
    """The format that a file's name asks for."""
    found = [each for each in LIST_TARGETS.values() if each.suffix == suffix.lower() != ""]
    return found[0] if found else None


def convert_list(
    path: Path,
    file: BinaryIO,
    target: ListTarget,
    told: Callable[[int], None],
) -> Findings:
    """Write a list in another format; ``told`` hears how many players there were so far."""
    notes, findings = CountedNotes(), Findings()
    try:
        with opened(path) as source:
            kind = kind_of(source)
        if kind is None:
            raise refused(UNKNOWN, path.name)
        if target.register not in (None, kind.register):
            raise refused(
                OTHER_REGISTER, sentence("{name} to {key}", name=kind.name, key=target.key)
            )
        findings.extend(target.write(_players(path, kind, notes, told), file, kind.register))
    except Refused as refusal:
        findings.extend([refusal.finding])
    findings.extend(notes.findings())
    return findings.in_file(str(path))


def _players(
    path: Path,
    kind: ListKind,
    notes: CountedNotes,
    told: Callable[[int], None],
) -> Iterator[Player]:
    with opened(path) as source:
        for count, (_, player) in enumerate(kind.read(source, notes, None), 1):
            told(count)
            yield player
