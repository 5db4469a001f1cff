"""The columns of FIDE's list as text: its first line says where they are.

FIDE has moved columns more than once, and the month stands in the header of the
lists of one pool, so nothing here rests on an offset.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, TypeVar

from ratingbook.formats.lists.fide import common
from ratingbook.formats.lists.fide.common import BadCell, FidePlayer, Rated, Remarked
from ratingbook.formats.lists.fide.old import is_old_header, is_old_row
from ratingbook.formats.lists.players import STANDARD
from ratingbook.formats.lists.refusal import refused
from ratingbook.formats.tools.notes import Remark
from ratingbook.model import Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

HEADER = Remark(
    "fide-list.header",
    Severity.FATAL,
    "The first line does not name the columns as a list of FIDE does",
    "Download the list again; its first line begins with ID Number and Name.",
)

_WORDS = pattern(
    r"""
    (?P<id>ID[ _]?Number) | (?P<name>Name) | (?P<women_title>WTit) | (?P<other_titles>OTit)
    | (?P<title>Title|Titl|Tit) | (?P<arena_title>FOA) | (?P<federation>Country|Fed) | (?P<sex>Sex)
    | (?P<standard_rating>SRtng) | (?P<standard_games>SGm) | (?P<standard_k>SK)
    | (?P<rapid_rating>RRtng) | (?P<rapid_games>RGm) | (?P<rapid_k>RK)
    | (?P<blitz_rating>BRtng) | (?P<blitz_games>BGm) | (?P<blitz_k>BK)
    | (?P<birth_year>B-?day|Birthday|Born) | (?P<flag>Flag) | (?P<games>Games|Gms)
    | (?P<rating>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[0-9]{2,4})
    | (?P<k>K(?=\s|$)) | (?P<unknown>\S+)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_MONTH = pattern(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}([0-9]{2,4})\b", re.IGNORECASE
)
_START = pattern(r"\s*ID[ _]?Number\s+Name\b", re.IGNORECASE)
_PERSON = ("federation", "sex", "title", "women_title", "other_titles", "arena_title")
_RATED = ("rating", "games", "k")
_TAIL = ("birth_year", "flag")
_ARENA = pattern(r"(.*?)(A(?:GM|IM|FM|CM))?", re.DOTALL)
_WIDEST = 400
"""The longest first line; by it what is remembered of lines is limited too."""
_FORWARDS, _BACK = 80, 40
"""How far the columns of a line may have moved."""
_REACH = _WIDEST + _FORWARDS
_DIGITS = frozenset("0123456789")
_SHIFTS = sorted((*range(_FORWARDS + 1), *range(-1, -_BACK, -1)), key=abs)
_MEMORY = 50_000
"""How many different cells are remembered; a list has some thousands."""

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Person(NamedTuple):
    """What stands between the name and the ratings."""

    federation: str = ""
    sex: str = ""
    title: str = ""
    women_title: str = ""
    other_titles: str = ""
    arena_title: str = ""


class Tail(NamedTuple):
    """What stands behind the ratings."""

    birth_year: int | None = None
    flag: str = ""


class Cell(NamedTuple):
    """A column, and where it is in its line or block."""

    key: str
    start: int
    end: int | None
    """None: to the end."""


class Block(NamedTuple):
    """Neighbouring columns that are read at once."""

    start: int
    end: int | None
    cells: tuple[Cell, ...]

    def texts(self, block: str) -> dict[str, str]:
        """The texts of the columns; raises BadCell where one runs over its border."""
        found = {}
        for key, start, end in self.cells:
            if (
                start
                and not block[start - 1 : start].isspace()
                and block[start : start + 1].strip()
            ):
                raise BadCell(block)
            found[key] = block[start:end].strip()
        return found


@dataclass(frozen=True)
class Layout:
    """Where the columns are."""

    name: int
    person: Block
    pools: Mapping[str, Block]
    tail: Block
    single: bool
    """Whether the list is of one pool, which it does not name."""
    year: int
    """Of the list, for birthdays with two digits."""

    @property
    def rated(self) -> int:
        """Where the ratings begin."""
        return self.person.end or 0


def looks_like_fide_txt(head: str) -> bool:
    """Whether a list begins with FIDE's header, or as one of the old lists without it."""
    if _START.match(head):
        return True
    lines = [line for line in head[:1000].splitlines() if line.strip()][:3]
    return bool(lines) and (is_old_header(lines[0]) or all(map(is_old_row, lines[:2])))


def read_layout(header: str, pool: str | None) -> Layout:
    """The layout that the first line says; ``pool`` is that of a list of one pool."""
    if len(header.rstrip()) > _WIDEST:
        raise refused(HEADER, sentence("it has {n:,} characters", n=len(header)), Place(line=1))
    words = list(_words(header))
    known = [word for word in words if word.key != "unknown"]
    kinds = [kind for kind, _ in groupby(known, key=lambda word: _kind(word.key))]
    pools = kinds[3:-1]
    if kinds[:3] != ["id", "name", "person"] or kinds[-1:] != ["tail"] or not pools:
        raise refused(
            HEADER, sentence('it is "{header}"', header=header.strip()[:200]), Place(line=1)
        )
    if len(set(kinds)) < len(kinds) or len({word.key for word in known}) < len(known):
        raise refused(
            HEADER, sentence("a column stands in it twice, or out of its order"), Place(line=1)
        )
    blocks = {kind: _block([word for word in words if _kind(word.key) == kind]) for kind in kinds}
    single = pools == ["rated"]
    return Layout(
        blocks["name"].start,
        blocks["person"],
        {(pool or STANDARD) if single else kind: blocks[kind] for kind in pools},
        blocks["tail"],
        single,
        _year_of(header),
    )


def _year_of(header: str) -> int:
    """The year of the month in the header; lists that do not say it have four digits anyway."""
    match = _MONTH.search(header)
    year = int(match[1]) if match else 10
    return year if year > 100 else 2000 + year


def _words(header: str) -> Iterator[Cell]:
    """The columns, each by its place in the line: it ends where the next one begins."""
    found = [(match.lastgroup or "", match.start()) for match in _WORDS.finditer(header)]
    ends = [*(start for _, start in found[1:]), None]
    for (key, start), end in zip(found, ends, strict=True):
        yield Cell(key, start, end)


def _kind(key: str) -> str:
    """The block that a column belongs to: a pool has its own."""
    if key in _PERSON:
        return "person"
    if key in _TAIL:
        return "tail"
    if key in _RATED:
        return "rated"
    pool, _, what = key.partition("_")
    return pool if what in _RATED else key


def _block(words: list[Cell]) -> Block:
    first = words[0].start
    cells = tuple(
        Cell(
            key if key in (*_PERSON, *_TAIL) else key.rpartition("_")[2],
            start - first,
            None if end is None else end - first,
        )
        for key, start, end in words
    )
    return Block(first, words[-1].end, cells)


class Reader:
    """Reads lines of one layout; what a block says is remembered, for it recurs."""

    def __init__(self, layout: Layout, remarked: Remarked, year: int) -> None:
        self.layout = layout
        self._remarked, self._year = remarked, year
        self._shift = 0
        """How far the columns of the last line had moved that was out of its columns."""
        self._persons: dict[str, Person] = {}
        self._rated: dict[str, dict[str, Rated | None]] = {pool: {} for pool in layout.pools}
        self._tails: dict[str, Tail] = {}
        self._borders = (*(block.start for block in layout.pools.values()), layout.tail.start)
        """Before each of them stands a blank."""
        self._cells = tuple(
            block.start + cell.start
            for block in (*layout.pools.values(), layout.tail)
            for cell in block.cells
            if cell.start
        )
        """No text runs over the beginning of one of these."""
        self._numbers = tuple(
            (block.start, (1 << (block.end or _REACH) - block.start) - 1)
            for block in layout.pools.values()
        )
        """Where nothing but digits stands, and as many bits."""
        self._where = slice(layout.person.start, layout.rated), slice(layout.tail.start, None)
        self._memories = tuple(
            (slice(block.start, block.end), self._rated[pool])
            for pool, block in layout.pools.items()
        )
        self._order = tuple(
            list(layout.pools).index(pool) if pool in layout.pools else -1 for pool in common.POOLS
        )

    def player(self, line: str) -> tuple[FidePlayer | None, bool]:
        """The player of a line, and whether the line kept to its columns; None: unreadable."""
        layout = self.layout
        number = line[: layout.name].strip()
        if not common.is_id(number):
            return None, True
        person_at, tail_at = self._where
        try:
            # Nearly always all of it is remembered.
            person, tail = self._persons[line[person_at]], self._tails[line[tail_at]]
            pools = [memory[line[where]] for where, memory in self._memories]
        except KeyError:
            try:
                person, pools, tail = (
                    self._person(line, 0), self._pools(line, 0), self._tail(line, 0)
                )  # fmt: skip
            except BadCell:
                return self._recovered(number, line), False
        return self._player(
            number, line[layout.name : layout.person.start], person, pools, tail
        ), True

    def _player(
        self, number: str, name: str, person: Person, pools: Sequence[Rated | None], tail: Tail
    ) -> FidePlayer:
        rated = [pools[n] if n >= 0 else None for n in self._order]
        return FidePlayer._make((number, common.name_of(name), *person, *rated, *tail))

    def _person(self, line: str, shift: int) -> Person:
        block = self.layout.person
        text = line[block.start + shift : self.layout.rated + shift]
        known = self._persons.get(text)
        if known is None:
            if text[-1:].strip():
                raise BadCell(text)
            known = _person_of(block.texts(text))
            remember(self._persons, text, known)
        return known

    def _pools(self, line: str, shift: int) -> list[Rated | None]:
        found: list[Rated | None] = []
        for block, memory in zip(self.layout.pools.values(), self._rated.values(), strict=True):
            text = line[block.start + shift : (block.end or len(line)) + shift]
            if text not in memory:
                texts = block.texts(text)
                rated = common.rated_of(*(texts.get(key, "") for key in _RATED))
                remember(memory, text, rated)
            found.append(memory[text])
        return found

    def _tail(self, line: str, shift: int) -> Tail:
        block = self.layout.tail
        text = line[block.start + shift :]
        known = self._tails.get(text)
        if known is None:
            texts = block.texts(text)
            known = Tail(
                common.born(texts.get("birth_year", ""), self._year),
                common.flags(texts.get("flag", ""), self._remarked),
            )
            if len(text) <= _WIDEST:
                remember(self._tails, text, known)
        return known

    def _recovered(self, number: str, line: str) -> FidePlayer | None:
        """The player of a line in which a long text has pushed the rest out of its columns."""
        # Bit n is about the character n - _BACK; moved by where a column is, that of a shift.
        digits = letters = 0
        for n, letter in enumerate(line[:_REACH], _BACK):
            if letter in _DIGITS:
                digits |= 1 << n
            elif not letter.isspace():
                letters |= 1 << n
        filled = digits | letters
        joined = filled & filled << 1
        crossed = 0
        for at in self._borders:
            crossed |= filled >> (at - 1)
        for at in self._cells:
            crossed |= joined >> at
        # A program that moves one line moves the others as far.
        for shift in (0, self._shift, *_SHIFTS):
            if crossed >> (shift + _BACK) & 1:
                continue
            if any(letters >> (at + shift + _BACK) & ones for at, ones in self._numbers):
                continue
            # If no rating stands in its column, if only a 0, the line does not fit.
            if not any(digits >> (at + shift + _BACK) & ones for at, ones in self._numbers):
                continue
            try:
                tail, pools = self._tail(line, shift), self._pools(line, shift)
                name, person = self._pushed(line, shift)
            except BadCell:
                continue
            self._shift = shift
            return self._player(number, name, person, pools, tail)
        return None

    def _pushed(self, line: str, shift: int) -> tuple[str, Person]:
        """Name and person of a line whose ratings stand so far out of their columns.

        Either the name is too long (or shorter, where a program counted bytes), or the
        other titles are.
        """
        layout = self.layout
        try:
            return line[layout.name : layout.person.start + shift], self._person(line, shift)
        except BadCell:
            pass
        text = line[layout.person.start : layout.rated + shift]
        starts = {cell.key: cell.start for cell in layout.person.cells}
        cut = starts.get("other_titles")
        if cut is None or text[cut - 1 : cut].strip():
            raise BadCell(text)
        before = Block(0, None, tuple(c for c in layout.person.cells if c.start < cut))
        texts = before.texts(text[:cut])
        match = _ARENA.fullmatch(text[cut:].strip())
        texts["other_titles"] = match[1] if match else ""
        texts["arena_title"] = (match and match[2]) or ""
        return line[layout.name : layout.person.start], _person_of(texts)


def _person_of(texts: Mapping[str, str]) -> Person:
    return Person(
        common.federation_of(texts.get("federation", "")),
        common.sex_of(texts.get("sex", "")),
        common.title_of(texts.get("title", "")),
        common.title_of(texts.get("women_title", "")),
        common.other_titles_of(texts.get("other_titles", "")),
        common.title_of(texts.get("arena_title", "")),
    )


def remember(memory: dict[_Key, _Value], key: _Key, value: _Value) -> None:
    """Keep a value, and not more than ``_MEMORY`` of them."""
    if len(memory) >= _MEMORY:
        memory.clear()
    memory[key] = value
