"""Players of a file as an office takes them in, without anything of its database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from ratingbook.formats.lists import read_portions
from ratingbook.formats.registers import can_be_number
from ratingbook.formats.tools.encodings import naming
from ratingbook.formats.tools.notes import CountedNotes, Remark
from ratingbook.model import Entry, Findings, Severity, Standing, StandingStatus
from ratingbook.model.sentences import sentence
from ratingbook.office.engine.rules import NOTHING_READ, OfNewcomers
from ratingbook.office.engine.said import columns_of
from ratingbook.office.limits import LABEL, NAME, is_short
from ratingbook.office.logic.names import folded, keys, tokens
from ratingbook.rules.wording import label

ATTRIBUTES = ("federation", "club", "title", "sex")
"""What is said of a person in words, and may change."""
READABLE_SEXES = frozenset({"", "m", "w"})
"""With which of them a run can rate; nothing: it is not known."""
FIRST_YEAR = 1850
"""Nobody who plays was born before."""
BIRTH = Remark(
    "office.import-birth",
    Severity.WARNING,
    "Birth dates that cannot be were not taken, the rest of the row was",
    "Look at them in the file; `ratingbook office person edit PERSON --born` gives the right ones.",
)
NAMELESS = Remark(
    "office.import-nameless",
    Severity.WARNING,
    "Players without a name go by their numbers",
    "Look at the rows in the file; `ratingbook office person edit PERSON --name` gives names.",
)
TOO_LONG = Remark(
    "office.too-long",
    Severity.ERROR,
    "Texts of players are too long",
    "Make them shorter: names and clubs have at most 200 characters, numbers and titles 60.",
)


DECIDED = Remark(
    "office.import-decisions",
    Severity.WARNING,
    "Decisions on players were not taken in: the office decides itself",
    "Decide it: `ratingbook office decide PERSON KIND VALUE --pool POOL --from DATE --reason "
    "TEXT`.",
)
PLAYED = Remark(
    "office.import-history",
    Severity.WARNING,
    "Earlier games of players (“history”) were not taken in",
    "Receive the reports of these games; or bring in the standings after them.",
)
GRADED = Remark(
    "office.import-grade",
    Severity.WARNING,
    "Grades of players without a rating were not taken in",
    "Nothing is to do where reports say with which grade somebody enters; else bring in ratings.",
)


NUMBER = Remark(
    "office.number",
    # Lists have numbers of their own for those whom the federation has not numbered yet.
    Severity.WARNING,
    "Numbers of players are none that their register can have; they were taken as they are",
    "See that the register is the one whose numbers they are: most number with digits alone.",
)


class NewPerson(NamedTuple):
    """What is known of somebody new."""

    name: str
    birth_date: date | None = None
    birth_year: int | None = None
    attributes: Mapping[str, str] | None = None
    ids: Mapping[str, str] | None = None
    variants: tuple[str, ...] = ()


class Newcomer(NamedTuple):
    """A player of a file, with all that is written where nobody knows the id."""

    id: str
    person: NewPerson
    value: Mapping[str, Any]
    """The standing as a decision keeps it."""


def is_birth_year(year: int, today: date) -> bool:
    """Whether somebody who plays can have been born then."""
    return FIRST_YEAR <= year <= today.year


def is_birth_date(day: date, today: date) -> bool:
    """The same of a day."""
    return is_birth_year(day.year, today) and day <= today


@dataclass(frozen=True)
class Intake:
    """Takes players of a file whose ids are numbers of a register, ``scheme``.

    What cannot be is noted, with its row, and left out.
    """

    scheme: str
    today: date
    reads: OfNewcomers = NOTHING_READ
    """What the rules read of the players, beside their standings."""
    notes: CountedNotes = field(default_factory=CountedNotes)

    def coming(self, entry: Entry) -> Newcomer:
        """A player of a file that may say more than a list does."""
        reads = self.reads
        found = self.newcomer(entry, entry.standing)
        said = label(entry.id, entry.name)
        if decided := reads.decisions & entry.decisions.keys():
            self._note(DECIDED, entry, f"{said} ({', '.join(sorted(decided))})")
        if reads.games and entry.history:
            self._note(PLAYED, entry, said)
        if reads.grade and entry.grade and "rating" not in found.value:
            self._note(GRADED, entry, f"{said} ({entry.grade})")
        return found._replace(value=coming_in(entry, reads.columns))

    def newcomer(self, entry: Entry, standing: Standing | None) -> Newcomer:
        """A player of the file."""
        said = zip(ATTRIBUTES, (entry.federation, entry.club, entry.title, entry.sex), strict=True)
        attributes = {key: text for key, text in said if text}
        ids = {**entry.ids, self.scheme: entry.id}
        name = entry.name
        # Of nearly everybody the first look is enough, and a list has millions.
        if max(map(len, (name, *attributes.values(), *ids.values()))) > LABEL and not (
            is_short((name, attributes), NAME) and is_short(ids, LABEL)
        ):
            self._note(TOO_LONG, entry, entry.id[:LABEL])
        if not can_be_number(self.scheme, entry.id):
            self._note(NUMBER, entry, entry.id)
        if not any(map(str.isalnum, name)):
            self._note(NAMELESS, entry, entry.id)
            name = entry.id
        born, year = entry.birth_date, entry.birth_year
        if born is not None and not is_birth_date(born, self.today):
            self._note(BIRTH, entry, f"{label(entry.id, name)} ({born})")
            # The year of it is no better.
            year = None if year == born.year else year
            born = None
        if year is not None and not is_birth_year(year, self.today):
            self._note(BIRTH, entry, f"{label(entry.id, name)} ({year})")
            year = None
        person = NewPerson(name, born, year, attributes, ids)
        return Newcomer(entry.id, person, value_of(standing))

    def _note(self, remark: Remark, entry: Entry, example: str) -> None:
        line = entry.place.line
        said = sentence("line {line}: {player}", line=line, player=example) if line else example
        self.notes.add(remark, said, replace(entry.place, player=entry.id))


def of_a_list(
    path: Path, scheme: str, size: int, today: date
) -> Iterator[list[Newcomer] | Findings]:
    """The players of a list, so many at a time; last what there is to say of it."""
    findings, intake = Findings(), Intake(scheme, today)
    for players in read_portions(path, size, findings):
        yield [intake.newcomer(entry, standing) for entry, standing in players]
    findings.extend(intake.notes.findings())
    yield findings


Packed = tuple[tuple[Any, ...], ...]
"""Newcomers as a process tells them to another: columns of texts, in a third of the time."""


def packed_of_a_list(
    path: Path, scheme: str, size: int, today: date, encoding: str | None
) -> Iterator[Packed | Findings]:
    """What :func:`of_a_list` gives, packed; another process is told of a named encoding."""
    with naming(encoding):
        for each in of_a_list(path, scheme, size, today):
            yield each if isinstance(each, Findings) else _packed(each)


def _packed(newcomers: Iterable[Newcomer]) -> Packed:
    return tuple(zip(*[
        (
            id_, tuple(value.items()), said.name, said.birth_date, said.birth_year,
            tuple((said.attributes or {}).items()), tuple((said.ids or {}).items()),
            said.variants,
        )
        for id_, said, value in newcomers
    ], strict=True))  # fmt: skip


def unpacked(columns: Packed) -> list[Newcomer]:
    """The newcomers whom columns tell of."""
    return [
        Newcomer(
            id_,
            NewPerson(name, born, year, dict(attributes), dict(ids), variants),
            dict(value),
        )
        for id_, value, name, born, year, attributes, ids, variants in zip(*columns, strict=True)
    ]


def name_keys(names: Iterable[str], year: int | None) -> list[str]:
    """The keys under which a person of these names is looked up."""
    found: dict[str, None] = {}
    for name in names:
        plain = tokens(name)
        found.update(dict.fromkeys(keys(plain, [folded(each) for each in plain], year)))
    return list(found)


def value_of(standing: Standing | None) -> dict[str, Any]:
    """A standing as a decision keeps it."""
    if standing is None:
        return {}
    said: dict[str, Any] = {
        "rating": standing.rating, "games": standing.games, "wins": standing.wins,
        "draws": standing.draws, "losses": standing.losses,
        "status": standing.status.value if standing.status else None,
        "last_played": standing.last_played.isoformat() if standing.last_played else None,
        **standing.extra,
    }  # fmt: skip
    return {key: value for key, value in said.items() if value is not None}


def coming_in(entry: Entry, columns: Set[str]) -> dict[str, Any]:
    """With what a player of a file comes in, as a decision keeps it.

    ``columns`` are those by which the rules ask how somebody does.
    """
    beside = {key: said for key, said in columns_of(entry).items() if key in columns}
    return {**beside, **value_of(entry.standing)}


def standing_of(value: Mapping[str, Any]) -> Standing:
    """The standing that a decision keeps."""
    said = dict(value)
    status, played = said.pop("status", None), said.pop("last_played", None)
    known = {key: said.pop(key, None) for key in ("rating", "games", "wins", "draws", "losses")}
    return Standing(
        **known, status=StandingStatus(status) if status else None,
        last_played=date.fromisoformat(played) if played else None, extra=said,
    )  # fmt: skip
