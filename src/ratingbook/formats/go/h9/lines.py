"""The players' lines of a result table: who played, and a cell for every round.

Nothing but blanks separates the columns, and any of them may be missing.  Firm
ground is the grade, before which the name stands, and the number of rounds, which
all lines have in common: the results are the last words of a line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ratingbook.formats.go import common
from ratingbook.formats.go.h9.cells import (
    UNKNOWN,
    Cell,
    is_certain,
    is_criterion,
    is_result,
    read_cell,
)
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.text import Line
from ratingbook.model import Entry, Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

LINE = Remark(
    "h9.line",
    Severity.ERROR,
    "A line with results or a grade cannot be read as a player's",
    "Write place, surname, first name, grade, country, club, four criteria and the results.",
    each=True,
)
TEXT = Remark(
    "h9.text",
    Severity.WARNING,
    "Lines that are neither a player's nor a comment were left out",
    "Look whether they hold results; put a semicolon before comments.",
)
PLACE = Remark(
    "h9.place",
    Severity.ERROR,
    "Places are not in order: results cannot be assigned to players for sure",
    "Number the players' lines 1, 2, 3 and so on.",
    each=True,
)
TIED = Remark(
    "h9.tied",
    Severity.INFO,
    "Blank or repeated places of tied players were counted on",
    "Nothing to do.",
)
GLUED = Remark(
    "h9.glued",
    Severity.WARNING,
    "The name touches the grade; they were told apart by their looks",
    "Look at the name and the grade of these players.",
)
ROUNDS = Remark(
    "h9.rounds",
    Severity.ERROR,
    "A player's results cannot be assigned to the rounds",
    "Give every player one result for each round: 0= or 0- where he had no game.",
    each=True,
)
RESULT = Remark(
    "h9.result",
    Severity.ERROR,
    "A result is none such as 12+/w3, 12-!b, 12=, 0+",
    "Correct the result in both players' lines.",
    each=True,
)
LETTERLESS = Remark(
    "h9.grade-letter",
    Severity.WARNING,
    "Grades without a letter were read as kyu",
    "Write the grade with its letter: 11k, 2d.",
)
UNKNOWN_RESULT = Remark(
    "h9.unknown-result",
    Severity.WARNING,
    "Rounds of which the table says no more than ? have no game here",
    "Write the results, if they are known.",
)
BEHIND = Remark(
    "h9.behind",
    Severity.INFO,
    "Numbers behind the results are in every line: criteria, which were left out",
    "Nothing to do.",
)
HALF_POINTS = Remark(
    "h9.half-points",
    Severity.INFO,
    "Half points stand among the criteria; they were told apart from results",
    "Nothing to do.",
)

MAX_ROUNDS = 100
LICENCE = pattern(r"[0-9]{7}")
"""A licence of the French federation."""
_WORD = pattern(r"\S+")
_NUMBER = pattern(r"-?[0-9]{1,6}(?:[.,][0-9]{1,2}|[A-Za-z])?")
_KYU = pattern(r"[1-9][0-9]?")
_COUNTRY = pattern(r"[A-Za-z]{2}")
_MOST_KYU = 30
_PLACE = pattern(r"([0-9]{1,5})[.)]?")
_GRADE = pattern(r"[0-9]{1,2}(?:K(?:YU)?|D(?:AN)?|P(?:RO)?)", re.IGNORECASE)
_LAST = pattern(r"[0-9]{1,2}(?:K(?:YU)?|D(?:AN)?|P(?:RO)?)$", re.IGNORECASE)


class _Word(NamedTuple):
    text: str
    column: int


class Columns(NamedTuple):
    """The columns that stand between the grade and the results."""

    register: str | None
    """Whose numbers the first column has; None: it has the country."""
    usual: int
    """How many there are in a usual line."""


@dataclass(frozen=True, slots=True)
class _Split:
    """A line taken apart as far as it can be without the others."""

    number: int
    place: int | None
    names: tuple[str, ...]
    grade: str
    glued: bool
    tail: tuple[_Word, ...]
    """What follows the grade: country, club, criteria, results."""
    rounds: range
    """How many results the line may have."""
    pin: str


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """What one line says."""

    running: int
    """The running place, by which results name the player."""
    id: str
    line: int
    name: str
    grade: str | None
    federation: str | None
    club: str | None
    ids: Mapping[str, str]
    """What registers call the player."""
    pin: str
    """As written."""
    cells: dict[int, Cell]
    ghost: bool
    readable: bool = True
    """False where the results could not be told apart."""

    @property
    def label(self) -> str:
        """Place and name, for findings."""
        return f"{self.running} {self.name}".rstrip()

    def place(self, number: int | None = None) -> Place:
        """The player's line, or his result in a round."""
        cell = self.cells.get(number) if number is not None else None
        return Place(
            line=self.line, column=cell.column if cell else None, player=self.id, round=number
        )

    def entry(self) -> Entry:
        """The player's participation."""
        return Entry(
            id=self.id,
            name=self.name,
            federation=self.federation,
            grade=self.grade,
            club=self.club,
            ids=self.ids,
            rank=self.running,
            place=self.place(),
        )


class Table(NamedTuple):
    """The players by their running place, ghosts among them, and the number of rounds."""

    players: dict[int, PlayerLine]
    rounds: int


def read_lines(lines: Iterable[Line], columns: Columns, notes: Notes) -> Table:
    """What the players' lines say."""
    splits = _without_behind([split for line in lines if (split := _split(line, notes))], notes)
    rounds = _rounds(splits, columns.usual)
    players = {}
    for running, split in _numbered(splits, notes):
        players[running] = _player(running, split, rounds, columns, notes)
    ids = common.ids(
        [common.Player(p.running, p.pin, p.label, p.place()) for p in players.values()], notes
    )
    known = {running: replace(player, id=ids[running]) for running, player in players.items()}
    return Table(known, rounds)


def _split(line: Line, notes: Notes) -> _Split | None:
    """The parts of a line; None, with a note, where it is no player's."""
    text = without_comment(line.text)
    pin = line.text[len(text) :].partition(";")[0].strip("| \t")
    words = [_Word(m[0], m.start() + 1) for m in _WORD.finditer(text)]
    if not words:
        return None
    place = _PLACE.fullmatch(words[0].text)
    start = 1 if place else 0
    at = next((n for n in range(start, len(words)) if graded(words[n].text)), None)
    letterless = _letterless(words, start) if at is None else None
    if letterless is not None:
        at = letterless
        notes.add(LETTERLESS, text.strip()[:60], Place(line=line.number))
        words[at] = words[at]._replace(text=f"{words[at].text}k")
    if at is None:
        has_results = any(is_certain(word.text) for word in words)
        notes.add(LINE if has_results else TEXT, text.strip()[:60], Place(line=line.number))
        return None
    names = [word.text for word in words[start:at]]
    rest, grade = graded(words[at].text) or ("", "")
    if rest:
        names.append(rest)
    tail = tuple(words[at + 1 :])
    return _Split(
        number=line.number,
        place=int(place[1]) if place else None,
        names=tuple(name.replace("_", " ").strip() for name in names),
        grade=grade,
        glued=bool(rest),
        tail=tail,
        rounds=_possible_rounds(tail),
        pin=pin,
    )


def _letterless(words: Sequence[_Word], start: int) -> int | None:
    """Where a grade without a letter stands: between the name and the country."""
    for at in range(start + 1, len(words) - 2):
        match = _KYU.fullmatch(words[at].text)
        if match and int(match[0]) <= _MOST_KYU and _COUNTRY.fullmatch(words[at + 1].text):
            is_player = any(is_certain(word.text) for word in words[at + 2 :])
            return at if is_player else None
    return None


def _without_behind(splits: list[_Split], notes: Notes) -> list[_Split]:
    """The lines without the criteria that some tables have behind the results."""
    told = [split for split in splits if any(is_certain(word.text) for word in split.tail)]
    counts = Counter(_numbers_behind(split) for split in told)
    for count in sorted(counts, reverse=True):
        # Half points break the row of numbers in some lines.
        fitting = sum(_ends_in_numbers(split, count) for split in told)
        if not count or (2 * counts[count] < len(told)) or fitting < len(told):
            continue
        shorter = [replace(s, tail=s.tail[: len(s.tail) - count]) for s in splits]
        words = " ".join(word.text for word in told[0].tail[-count:])
        notes.add(BEHIND, words, Place(line=told[0].number))
        return [replace(s, rounds=_possible_rounds(s.tail)) for s in shorter]
    return splits


def _numbers_behind(split: _Split) -> int:
    """How many bare numbers stand at the end of a line."""
    words = [word.text for word in split.tail]
    return next((n for n, text in enumerate(reversed(words)) if not _NUMBER.fullmatch(text)), 0)


def _ends_in_numbers(split: _Split, count: int) -> bool:
    ends = split.tail[len(split.tail) - count :]
    return all(_NUMBER.fullmatch(word.text) or is_criterion(word.text) for word in ends)


def without_comment(text: str) -> str:
    """A line without the PIN and the comment behind it."""
    return text.partition(";")[0].partition("|")[0]


def graded(text: str) -> tuple[str, str] | None:
    """What touches the grade, if anything, and the grade; None where there is none."""
    if _GRADE.fullmatch(text):
        return "", text
    match = _LAST.search(text[-5:])
    rest = text[: -len(match[0])] if match else ""
    return (rest, text[len(rest) :]) if any(map(str.isalpha, rest)) else None


def _possible_rounds(tail: tuple[_Word, ...]) -> range:
    """How many results a line may have: its certain ones and draws that stand before them."""
    certain = (at for at, word in enumerate(tail) if is_certain(word.text))
    first = next(certain, len(tail))
    before = first
    while before and is_result(tail[before - 1].text):
        before -= 1
    return range(len(tail) - first, len(tail) - before + 1)


def _rounds(splits: list[_Split], usual: int) -> int:
    """The number of rounds that most lines may have.

    Where several are possible, because half points and draws look alike, it is
    the one that leaves the usual columns.
    """
    may_have: Counter[int] = Counter()
    leaves_usual: Counter[int] = Counter()
    for split in splits:
        possible = [count for count in split.rounds if count <= MAX_ROUNDS]
        may_have.update(possible)
        leaves_usual.update(count for count in possible if len(split.tail) - count == usual)
    return max(may_have, key=lambda count: (may_have[count], leaves_usual[count], count), default=0)


def _numbered(splits: list[_Split], notes: Notes) -> Iterable[tuple[int, _Split]]:
    """Every line with its running place."""
    places = [split.place for split in splits]
    if None not in places and len(set(places)) == len(places):
        yield from ((split.place or 0, split) for split in splits)
        return
    last = 0
    printed = None
    for split in splits:
        if split.place is None or split.place == printed:
            running = last + 1
            notes.add(TIED, _label(running, split), Place(line=split.number))
        elif split.place > last:
            running = split.place
        else:
            running = last + 1
            notes.add(
                PLACE,
                sentence("{label} after {last}", label=_label(split.place, split), last=last),
                Place(line=split.number),
            )
        printed = split.place if split.place is not None else printed
        last = running
        yield running, split


def _label(place: int, split: _Split) -> str:
    return f"{place} {' '.join(split.names)}".rstrip()


def _player(running: int, split: _Split, rounds: int, columns: Columns, notes: Notes) -> PlayerLine:
    """The player with his results; what cannot be used is noted."""
    player = PlayerLine(
        running=running,
        id=str(running),
        line=split.number,
        name=_name(split.names),
        grade=common.grade(split.grade),
        federation=None,
        club=None,
        ids=common.ids_elsewhere(egd=common.pin(split.pin)),
        pin=split.pin,
        cells={},
        ghost=common.is_ghost(*split.names),
    )
    place = player.place()
    if not player.name:
        notes.add(common.NAME, player.label, place)
    if split.glued:
        notes.add(GLUED, f"{player.label} {split.grade}", place)
    if player.grade is None:
        notes.add(common.GRADE, f"{player.label}: {split.grade}", place)
    readable = rounds in split.rounds and rounds <= len(split.tail)
    at = len(split.tail) - rounds if readable else len(split.tail)
    before, results = split.tail[:at], split.tail[at:]
    player = _with_columns(player, before, columns, notes)
    if any(is_criterion(word.text) for word in before[2:]):
        notes.add(HALF_POINTS, player.label, place)
    if not readable:
        found = " ".join(word.text for word in split.tail[-rounds:] if rounds)
        notes.add(
            ROUNDS,
            sentence(
                "{label}: {found} for {rounds} rounds",
                label=player.label,
                found=found or "nothing",
                rounds=rounds,
            ),
            place,
        )
        return replace(player, readable=False)
    cells = {}
    for number, word in enumerate(results, 1):
        cell = read_cell(word.text, word.column)
        if cell is None:
            word_place = replace(place, column=word.column, round=number)
            notes.add(
                RESULT,
                sentence(
                    "{label} in round {number}: {text}",
                    label=player.label,
                    number=number,
                    text=word.text,
                ),
                word_place,
            )
        else:
            cells[number] = cell
            if word.text == UNKNOWN:
                what = sentence("{player} in round {number}", player=player.label, number=number)
                notes.add(UNKNOWN_RESULT, what, replace(place, round=number))
    return replace(player, cells=cells, readable=len(cells) == len(results))


def _name(names: tuple[str, ...]) -> str:
    """Surname and first name; more words do not tell which is which."""
    return common.full_name(*names) if len(names) == 2 else " ".join(names).strip()


def _with_columns(
    player: PlayerLine, before: tuple[_Word, ...], columns: Columns, notes: Notes
) -> PlayerLine:
    """The player with what stands before the criteria: country or licence, and club."""
    if columns.register is None:
        federation = _federation(player, before, notes)
        return replace(player, federation=federation, club=_club(before, columns))
    licence = before[0].text if before and LICENCE.fullmatch(before[0].text) else None
    club = before[1:] if licence else before
    return replace(
        player,
        club=_of_club(club[0].text) if club else None,
        ids={**player.ids, **common.ids_elsewhere(**{columns.register: licence})},
    )


def _club(before: tuple[_Word, ...], columns: Columns) -> str | None:
    """The club behind the country, if there is one: a number may be the first criterion."""
    if len(before) < 2:
        return None
    text = before[1].text
    is_number = text.isdigit() or is_criterion(text)
    return None if is_number and len(before) < columns.usual else _of_club(text)


def _of_club(text: str) -> str | None:
    return common.club(text.replace("_", " ").strip())


def _federation(player: PlayerLine, before: tuple[_Word, ...], notes: Notes) -> str | None:
    written = before[0].text if before else ""
    code = common.country(written)
    if code is None and not player.ghost:
        notes.add(common.COUNTRY, player.label, player.place())
    return code
