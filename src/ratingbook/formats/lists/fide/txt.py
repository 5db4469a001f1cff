"""FIDE's rating list as text: one line for each player, read by the columns of its header.

Read are the combined list with and without the column FOA, the lists of one pool,
and the older ones with other columns; written are the combined one and that of one
pool, as FIDE publishes them today.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date
from typing import BinaryIO

from ratingbook.formats.lists.fide.common import (
    POOL,
    POOLS,
    ROW,
    FidePlayer,
    Rated,
    Remarked,
    pool_of,
)
from ratingbook.formats.lists.fide.fit import fitting
from ratingbook.formats.lists.fide.layout import HEADER, Reader, looks_like_fide_txt, read_layout
from ratingbook.formats.lists.fide.old import OldReader, is_old_header, is_old_row
from ratingbook.formats.lists.files import Source
from ratingbook.formats.lists.players import STANDARD, Rows
from ratingbook.formats.lists.refusal import refused
from ratingbook.formats.lists.text import Lines
from ratingbook.formats.tools.characters import in_letters_of
from ratingbook.formats.tools.notes import CountedNotes, Remark
from ratingbook.model import Findings, Place, Severity
from ratingbook.model.sentences import sentence

__all__ = ["looks_like_fide_txt", "read_fide_txt", "write_fide_txt"]

OVERFLOW = Remark(
    "fide-list.columns",
    Severity.INFO,
    "Lines in which a long text pushes the rest out of its columns were read all the same",
    "Look at these players; FIDE writes such lines itself.",
)
LINES = Remark(
    "fide-list.lines",
    Severity.FATAL,
    "More than one line in a hundred cannot be told apart into name, rating and the rest",
    "Download the list again; do not edit it with a program that moves columns.",
)
CUT_OFF = Remark(
    "list.cut-off",
    Severity.FATAL,
    "The list ends in the middle of a line",
    "Download it again; a part of it is missing.",
)
TOO_LONG = Remark(
    "fide-list.cut",
    Severity.WARNING,
    "Texts that are longer than their columns were cut",
    "Nothing to do, unless a name cannot be recognised.",
)
LETTERS = Remark(
    "fide-list.letters",
    Severity.INFO,
    "Names were written in plain letters, as FIDE's list has them",
    "Write the list as XML to keep the letters.",
)

_MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()
_HEADER = "ID Number      Name" + " " * 57 + "Fed Sex Tit  WTit OTit           FOA "
_COMBINED = "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
_ONE_POOL = "{month:<5} Gms K  B-day Flag"
_PATIENCE = 1000
"""So many lines may be unreadable, whatever the others are, before a list is given up."""
_NAME, _TITLE, _OTHERS, _ARENA = 60, 4, 14, 3
"""How long the texts may be."""


def read_fide_txt(
    source: Source, notes: CountedNotes, wanted: Collection[str] | None = None
) -> Rows:
    """The players of a list, or those only whose numbers are asked for."""
    reader: Reader | None = None
    old: OldReader | None = None
    remarked = Remarked(notes)
    lines = Lines(source.stream, notes)
    text, number = "", 0
    # ``usual``: the length of a line where lines are filled up with blanks, so that a cut one
    # shows.
    read = unread = usual = 0
    end: int | None = None
    for first, block in lines:
        for number, text in enumerate(block, first):
            if not text:
                continue
            if reader is None and old is None:
                if not text.strip():
                    continue
                old = _old_reader(text, remarked)
                if old is None:
                    reader = _reader(text, source, remarked)
                    end = reader.layout.name
                    continue
                if is_old_header(text):
                    continue
            if wanted is not None and _number(text, end) not in wanted:
                continue
            if old is not None:
                player, in_columns = old.player(text), True
            elif reader is not None:
                player, in_columns = reader.player(text)
            if player is not None:
                if not in_columns:
                    notes.add(OVERFLOW, f"{player.id} {player.name}", Place(line=number))
                read += 1
                yield number, player
            elif text.strip() and not looks_like_fide_txt(text):
                unread += 1
                notes.add(
                    ROW,
                    sentence("line {number}: {text}", number=number, text=text.strip()[:60]),
                    Place(line=number),
                )
                if unread > max(read // 100, _PATIENCE):
                    raise refused(
                        LINES,
                        sentence("{unread:,} up to line {number}", unread=unread, number=number),
                        Place(line=number),
                    )
        if first == 1 and text.endswith(" "):
            usual = len(text)
    if lines.unterminated and (
        len(text) < usual if old is None else text.strip() and not is_old_row(text)
    ):
        raise refused(
            CUT_OFF,
            sentence("line {number} has {n} characters", number=number, n=len(text)),
            Place(line=number),
        )
    if unread > max(1, (read + unread) // 100):
        raise refused(
            LINES, sentence("{unread:,} of {read:,} lines", unread=unread, read=read + unread)
        )
    if reader is None and old is None:
        raise refused(HEADER, sentence("the list is empty"))


def _number(line: str, end: int | None) -> str:
    """The player's number: in its columns, or the first word."""
    return line[:end].strip() if end is not None else (line.split(maxsplit=1) or [""])[0]


def _old_reader(line: str, remarked: Remarked) -> OldReader | None:
    """The reader of a list of 2001 to 2004, by its first line."""
    if is_old_header(line):
        return OldReader(line, remarked)
    return OldReader("", remarked) if is_old_row(line) else None


def _reader(header: str, source: Source, remarked: Remarked) -> Reader:
    if not looks_like_fide_txt(header):
        raise refused(
            HEADER, sentence('it is "{header}"', header=header.strip()[:200]), Place(line=1)
        )
    pool = pool_of(source.name)
    layout = read_layout(header, pool)
    if layout.single and pool is None:
        remarked.notes.add(POOL, source.name, Place(line=1))
    return Reader(layout, remarked, layout.year)


def write_fide_txt(
    rows: Iterable[FidePlayer], file: BinaryIO, day: date | None = None, pool: str = STANDARD
) -> Findings:
    """Write a list, line by line: the combined one, or with a ``day`` that of one pool."""
    notes = CountedNotes()
    month = f"{_MONTHS[day.month - 1]}{day:%y}" if day else ""
    columns = _ONE_POOL.format(month=month) if day else _COMBINED
    pools = (pool,) if day else POOLS
    file.write(f"{_HEADER}{columns}\r\n".encode("ascii"))
    for player in fitting(rows, notes):
        file.write(f"{_line(player, pools, notes)}\r\n".encode("ascii"))
    return notes.findings()


def _line(player: FidePlayer, pools: tuple[str, ...], notes: CountedNotes) -> str:
    label = f"{player.id} {player.name}"
    name = in_letters_of("ascii", player.name)
    if name != player.name:
        notes.add(LETTERS, label, Place(player=player.id))

    def fitted(text: str, length: int) -> str:
        if len(text) > length:
            notes.add(TOO_LONG, label, Place(player=player.id))
        return text[:length].rstrip()

    others = player.other_titles
    while len(others) > _OTHERS and "," in others:
        others = others.rpartition(",")[0]
    if others != player.other_titles:
        notes.add(TOO_LONG, label, Place(player=player.id))
    ratings = dict(zip(POOLS, (player.standard, player.rapid, player.blitz), strict=True))
    return (
        f"{player.id:<15}{fitted(name, _NAME):<61}{player.federation:<4}{player.sex:<4}"
        f"{fitted(player.title, _TITLE):<5}{fitted(player.women_title, _TITLE):<5}"
        f"{fitted(others, _OTHERS):<15}{fitted(player.arena_title, _ARENA):<4}"
        + "".join(_rated(ratings[pool]) for pool in pools)
        + f"{player.birth_year or 0:<6}{player.flag:<4}"
    )


def _rated(rated: Rated | None) -> str:
    """The three columns of a pool; FIDE writes zeros for who has no rating in it."""
    found = rated or Rated(games=0)
    games = "" if found.games is None else str(found.games)
    k = 0 if rated is None else found.k
    return f"{found.rating or 0:<6}{games:<4}{'' if k is None else k:<3}"
