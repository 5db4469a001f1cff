"""The players of a table: a row becomes an entry, and a text finds the player that it names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ratingbook.formats.document.keys import declared
from ratingbook.formats.document.schema import FIELDS, NUMBER, SCALAR, TEXT, ValueKind, kind_holding
from ratingbook.formats.tables import words
from ratingbook.formats.tables.cells import Row, number, where
from ratingbook.formats.tables.days import Days
from ratingbook.formats.tables.mapping import SUMS, Block, shown
from ratingbook.formats.tables.names import alike
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Entry, Place, Severity, Standing, StandingStatus
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

VALUE = Remark(
    "table.value",
    Severity.ERROR,
    "A cell was not understood",
    "Write what the column holds, or leave the cell empty; dates as 2011-11-05, numbers without "
    "marks for thousands.",
    each=True,
)
HARMLESS_VALUE = replace(VALUE, severity=Severity.WARNING, each=False)
"""Nothing that a rating needs was lost."""
DATE = Remark(
    "table.date",
    Severity.ERROR,
    "A date can be read in two ways",
    "Write dates as 2011-11-05.",
    each=True,
)
HARMLESS_DATE = replace(DATE, severity=Severity.WARNING, each=False)
NO_REFERENCE = Remark(
    "table.nobody",
    Severity.ERROR,
    "A row has results or ratings but names no player",
    "Write the player's name or number, or delete the row.",
    each=True,
)
DUPLICATE = Remark(
    "player.duplicate",
    Severity.ERROR,
    "Two rows are of the same player, or two players have the same number",
    "Keep one of the rows, or give each player a number of his own.",
    each=True,
)
SAME_NAME = Remark(
    "player.same-name",
    Severity.ERROR,
    "Players have the same name, and are named by nothing else",
    "Tell the players apart by their first names, or refer to them by numbers.",
    each=True,
)
NAMESAKES = Remark(
    "player.same-name",
    Severity.WARNING,
    "Players have the same name",
    "If they are one person, give one id to both.",
)
SIMILAR = Remark(
    "table.similar-names",
    Severity.WARNING,
    "Names differ in accents or punctuation only; they were taken as different players",
    "If they are one person, write the name in one way.",
)

SAME_ID = Remark(
    "player.same-id",
    Severity.ERROR,
    "Two persons have the same id",
    "Give each of them his own id; if they are one person, write the name in one way.",
    each=True,
)
OTHER_NAME = Remark(
    "player.other-name",
    Severity.WARNING,
    "One id has names that are written in several ways; they were taken as one person",
    "If they are two persons, give each of them his own id.",
)
OTHER_NUMBER = Remark(
    "player.other-number",
    Severity.WARNING,
    "One player has two numbers of one register; the first was taken",
    "Correct the number that is wrong.",
)

OTHER_BIRTH = Remark(
    "player.other-birth",
    Severity.WARNING,
    "One player has two birth dates, or years; the first was taken",
    "Correct the one that is wrong; if they are two players, give them ids.",
)

_MOST_COMPARED = 10_000
"""A file in which more ids have a second name is refused without comparing the names."""

_UNRATED = frozenset({"", "-", "–", "0", "0000", "unr", "unr.", "unrated", "nr", "new", "none",
                      "n/a", "ur", "ohne", "sans", "non classe", "nc"})  # fmt: skip
_PROVISIONAL = pattern(r"([0-9]{1,4})\s*+/?\s*+p\s*([0-9]{1,2})", re.IGNORECASE)
_YEAR_ONLY = pattern(r"([0-9]{4})(?:[/.-]00?[/.-]00?)?")
_YES = frozenset("yes y true 1 x ja j oui o si sí s tak t да +".split())
_NO = frozenset("no n false 0 nein non nie нет -".split())
_MEN = frozenset("m male man men h herr homme hombre uomo mann м м. m.".split())
_WOMEN = frozenset(
    "w f female woman women d dame femme mujer donna frau weiblich k ж f. w.".split()
)
_GRAVE = frozenset({"rating", *FIELDS["standing"], "grade"})
"""What a rating depends on."""
_PLAIN = {**FIELDS["player"], **FIELDS["standing"]}


def boolean(text: str) -> bool | None:
    """Yes or no in several languages; None for anything else."""
    word = text.casefold()
    return True if word in _YES else False if word in _NO else None


def read_value(kind: ValueKind, text: str, days: Days) -> Any:
    """What a cell of this kind holds; raises ValueError where it cannot be told."""
    schema = kind.schema
    types = schema.get("type", ())
    if schema.get("format") == "date":
        day = days.read(text).day
        return kind.read(day.isoformat() if day else text)
    if types == "boolean":
        return kind.read(boolean(text))
    if types in ("number", "integer"):
        return kind.read(number(text))
    if kind is SCALAR:
        if text in ("true", "false"):
            return text == "true"
        found = number(text)
        return text if found is None else found
    if "enum" in schema:
        return kind.read(text.casefold())
    return kind.read(text)


@dataclass(frozen=True, slots=True)
class Person:
    """A row about a player: the entry, and by which numbers the table calls him."""

    entry: Entry
    row: Row
    label: str
    number: int | None = None

    @property
    def rank(self) -> int | None:
        """The place in the table, by which results may name the player."""
        return self.entry.rank

    @property
    def id(self) -> str:
        """The player's id in the report."""
        return self.entry.id


class Reader:
    """Reads the rows of players of one table."""

    def __init__(self, block: Block, days: Days, notes: Notes) -> None:
        self._block, self._days, self._notes = block, days, notes

    def read(self, row: Row) -> Person | None:
        """The player of a row; None where it is not about a player."""
        block = self._block
        name = self._name(row)
        id_, start = block.cell(row, "id"), block.cell(row, "number")
        if not id_ and _whole(start) is None and _is_remark(row, name):
            self._notes.add(SUMS, shown(row.text), block.place(row, "name"))
            return None
        label = (
            " ".join(filter(None, (start, name)))
            or id_
            or sentence("line {number}", number=row.number)
        )
        id_ = id_ or start or name
        if not id_:
            self._notes.add(NO_REFERENCE, shown(row.text), block.place(row, "name"))
            return None
        entry = self._entry(row, id_, name, label)
        return Person(entry, row, label, _whole(start))

    def _name(self, row: Row) -> str:
        cells = (self._block.cell(row, name) for name in ("name", "surname", "first_name"))
        name, surname, first_name = cells
        return ", ".join(filter(None, (name or surname, first_name)))

    def _entry(self, row: Row, id_: str, name: str, label: str) -> Entry:
        cells = {
            column: text
            for column in self._block.head.columns
            if column != "rank" and (text := self._block.cell(row, column))
        }
        with_birth_year(cells)
        values: dict[str, dict[str, Any]] = {}
        for column, text in cells.items():
            group, key = _target(column)
            if group and (value := self._value(row, column, text, label, id_)) is not None:
                values.setdefault(group, {})[key] = value
        standing = values.get("standing", {})
        standing.update(_provisional(cells.get("rating", "")))
        extra = values.get("extra", {})
        person = values.get("person", {})
        return Entry(
            **{**person, "id": id_, "name": name},
            ids=values.get("ids", {}),
            rank=_whole(self._block.cell(row, "rank")),
            standing=Standing(**standing, extra=extra) if standing or extra else None,
            foreign=values.get("foreign", {}),
            pools=_pools(values.get("pools", {})),
            decisions=values.get("decisions", {}),
            place=self._block.place(row, "name", id_),
        )

    def _value(self, row: Row, column: str, text: str, label: str, id_: str) -> Any:
        """The value of a cell; None where it has none, or none that can be told."""
        kind = _kind(column)
        if _is_rating(column):
            if text.casefold() in _UNRATED or _PROVISIONAL.fullmatch(text):
                return None
            text = text.rstrip("*")
        if column == "sex":
            text = sex_of(text)
        try:
            return read_value(kind, text, self._days)
        except ValueError as error:
            self._doubt(
                row,
                column,
                sentence(
                    "{label}: {text} is not {error}",
                    label=label,
                    text=shown(text),
                    error=error.args[0],
                ),
                text,
                id_,
            )
            return None

    def _doubt(self, row: Row, column: str, what: str, text: str, id_: str) -> None:
        grave = column in _GRAVE or _target(column)[0] not in ("person", "ids")
        place = self._block.place(row, column, id_)
        meant = self._days.read(text).doubtful
        if meant and _kind(column).schema.get("format") == "date":
            what = f"{shown(text)}: {' or '.join(map(str, meant))}"
            self._notes.add(DATE if grave else HARMLESS_DATE, what, place)
        else:
            self._notes.add(VALUE if grave else HARMLESS_VALUE, what, place)


def _is_remark(row: Row, name: str) -> bool:
    """Whether a row without a number is no player: a sum, or a text on its own."""
    texts = [text for text in row.cells if text]
    return any(map(words.is_total, (name, texts[0]))) or (len(texts) == 1 and not name)


def _target(column: str) -> tuple[str, str]:
    """Where in an entry a column belongs; nothing where it does not."""
    group, dot, key = column.partition(".")
    if dot:
        return group, key
    if column in FIELDS["standing"]:
        return "standing", column
    return ("person", column) if column in FIELDS["player"] else ("", column)


def _is_rating(column: str) -> bool:
    """Whether it is the rating of a standing, in which a bare 0 is none."""
    group, key = _target(column)
    pool, _, last = key.rpartition(".")
    in_pool = group == "pools" and not pool.endswith(".extra")
    return last == "rating" and (in_pool or group == "standing")


def _kind(column: str) -> ValueKind:
    group, key = _target(column)
    if group == "pools":
        pool, _, key = key.rpartition(".")
        if pool.endswith(".extra") or key not in FIELDS["standing"]:
            return _declared(key)
        return FIELDS["standing"][key]
    if group == "extra":
        return _declared(key)
    if group == "decisions":
        return TEXT if key == "reason" else SCALAR
    return {"ids": TEXT, "foreign": NUMBER}.get(group) or _PLAIN[key]


def _declared(key: str) -> ValueKind:
    """What a key beyond the common ones holds, as the rule books say; no table knows its own."""
    return kind_holding(declared().get(key, object))


def _pools(values: Mapping[str, Any]) -> dict[str, Standing]:
    """The standings of pools from ``quick.rating``, ``quick.extra.floor``."""
    plain: dict[str, dict[str, Any]] = {}
    extra: dict[str, dict[str, Any]] = {}
    for key, value in values.items():
        pool, _, last = key.rpartition(".")
        if pool.endswith(".extra"):
            extra.setdefault(pool.removesuffix(".extra"), {})[last] = value
        elif last in FIELDS["standing"]:
            plain.setdefault(pool, {})[last] = value
    names = dict.fromkeys([*plain, *extra])
    return {name: Standing(**plain.get(name, {}), extra=extra.get(name, {})) for name in names}


def _provisional(rating: str) -> dict[str, Any]:
    """What ``1641P17`` says: a rating that rests on 17 games."""
    match = _PROVISIONAL.fullmatch(rating)
    if match is None:
        return {}
    return {
        "rating": int(match[1]),
        "games": int(match[2]),
        "status": StandingStatus.PROVISIONAL,
    }


def sex_of(text: str) -> str:
    """The letter m or w for a word of some language; anything else stays as it is."""
    word = text.casefold()
    return "m" if word in _MEN else "w" if word in _WOMEN else text


def _whole(text: str) -> int | None:
    text = text.strip(" .")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


@dataclass(slots=True)
class Register:
    """Everybody who is known so far, and by what."""

    notes: Notes
    entries: dict[str, Entry] = field(default_factory=dict)
    closed: bool = False
    """Whether there is a list of the players, so that nobody else plays."""
    _names: dict[str, list[str]] = field(default_factory=dict)
    _numbers: dict[int, str] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)
    _compared: set[tuple[str, str]] = field(default_factory=set)

    def add(self, person: Person) -> bool:
        """Enter a player; False for one who is there already."""
        if person.id in self.entries:
            return False
        self._enter(person.entry)
        if person.number is not None:
            self._numbers.setdefault(person.number, person.id)
        return True

    def known(self, person: Person) -> Person:
        """A player of a cross table as the list of players knows him; or else he is entered."""
        name, place = person.entry.name, person.entry.place
        found = (name and self.find(name, place)) or self.find(person.id, place)
        if not found:
            self.add(person)
            return person
        self.compare(found, name, place)
        self.complete(found, person.entry)
        return replace(person, entry=self.entries[found])

    def _enter(self, entry: Entry) -> None:
        self.entries[entry.id] = entry
        if entry.name:
            self._names.setdefault(_name_key(entry.name), []).append(entry.id)

    def find(self, text: str, place: Place) -> str | None:
        """The id of the player whom a text names: by id, then by number, then by name."""
        if text in self.entries:
            return text
        start = _whole(text)
        if start is not None and start in self._numbers:
            return self._numbers[start]
        known = self._names.get(_name_key(text), [])
        if len(known) > 1 and text not in self._told:
            self._told.add(text)
            self.notes.add(SAME_NAME, shown(text), place)
        return known[0] if known else None

    def find_or_add(self, entry: Entry) -> str:
        """The id of a player who may be new."""
        found = self.find(entry.id, entry.place)
        if found is None:
            self._enter(entry)
            return entry.id
        self.compare(found, entry.name, entry.place)
        self.complete(found, entry)
        return found

    def complete(self, id_: str, more: Entry) -> None:
        """Add what another row says of a player; note a number that is another one there."""
        for register, said in more.ids.items():
            if (known := self.entries[id_].ids.get(register, said)) != said:
                what = sentence(
                    "{player}: {known} and {said} ({place})",
                    player=id_,
                    known=known,
                    said=said,
                    place=where(more.place),
                )
                self.notes.add(OTHER_NUMBER, what, more.place)
        self._compare_births(id_, more)
        self.entries[id_] = _completed(self.entries[id_], more)

    def _compare_births(self, id_: str, more: Entry) -> None:
        """Note a birth date, or a year, that is another one there."""
        known = self.entries[id_]
        for own, other in (
            (known.birth_date, more.birth_date), (_born_in(known), _born_in(more)),
        ):  # fmt: skip
            if own and other and own != other:
                what = sentence(
                    "{player}: {known} and {said} ({place})",
                    player=id_, known=own, said=other, place=where(more.place),
                )  # fmt: skip
                self.notes.add(OTHER_BIRTH, what, more.place)
                return

    def compare(self, id_: str, name: str, place: Place) -> None:
        """Note a name that somebody else has under this id, or the same person in another way."""
        known = self.entries[id_]
        same = not (name and known.name) or _name_key(name) in (_name_key(known.name), id_)
        if same or (id_, name) in self._compared:
            return
        self._compared.add((id_, name))
        what = f"{id_}: {shown(known.name)} ({where(known.place)})"
        few = len(self._compared) <= _MOST_COMPARED
        kind = OTHER_NAME if few and alike(known.name, name) else SAME_ID
        self.notes.add(
            kind,
            sentence(
                "{what} and {name} ({place})", what=what, name=shown(name), place=where(place)
            ),
            place,
        )

    def tell_similar(self) -> None:
        """Note namesakes, and names that are the same but for accents and punctuation."""
        similar: dict[str, list[str]] = {}
        for name, ids in self._names.items():
            if len(ids) > 1:
                entry = self.entries[ids[1]]
                self.notes.add(NAMESAKES, f"{entry.name} ({', '.join(ids)})", entry.place)
            similar.setdefault(words.key(name), []).append(self.entries[ids[0]].name)
        for plain, names in similar.items():
            if plain and len(names) > 1:
                self.notes.add(SIMILAR, " and ".join(map(shown, names)), Place())


def _name_key(name: str) -> str:
    return re.sub(r"\s*,\s*", ", ", " ".join(name.casefold().split()))


def _completed(entry: Entry, more: Entry) -> Entry:
    """What one row says of a player, and what another one adds."""
    changes = {
        name: getattr(more, name)
        for name in (
            "federation",
            "title",
            "grade",
            "club",
            "team",
            "standing",
            "birth_date",
            "birth_year",
        )
        if getattr(entry, name) is None and getattr(more, name) is not None
    }
    if more.ids.keys() - entry.ids.keys():
        changes["ids"] = {**more.ids, **entry.ids}
    return replace(entry, **changes) if changes else entry


def _born_in(entry: Entry) -> int | None:
    return entry.birth_date.year if entry.birth_date else entry.birth_year


def with_birth_year(cells: dict[str, str]) -> None:
    """Take a date of birth that is a year only for what it is."""
    year = _YEAR_ONLY.fullmatch(cells.get("birth_date", ""))
    if year and not cells.get("birth_year"):
        cells["birth_year"] = year[1]
        del cells["birth_date"]
