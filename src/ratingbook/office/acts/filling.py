"""What a list says of persons who are known already: it fills in what is empty, and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ratingbook.model import Finding, Place, Severity
from ratingbook.model.sentences import Sentence, row_of, sentence
from ratingbook.office.acts.people import portions, rows_of_persons
from ratingbook.office.acts.registry import suppressed
from ratingbook.office.logic.countries import same_country
from ratingbook.office.logic.newcomers import ATTRIBUTES, READABLE_SEXES, Newcomer
from ratingbook.office.store import models as m
from ratingbook.office.store.rows import put_rows
from ratingbook.rules.wording import either

_SAME: Mapping[str, Callable[[str, str], bool]] = {"federation": same_country}
"""How texts are compared that name one thing in several ways; all others in any letters."""


@dataclass
class Filling:
    """The players of a file who are known by their numbers, some at a time."""

    path: Path
    filled: list[tuple[int, str, str]] = field(default_factory=list)
    """Person, key and text of what is said for the first time."""
    _otherwise: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)
    """By key the number in the file, what it says there, and what is known."""
    _born: list[str] = field(default_factory=list)
    """The numbers of those of whom the file alone knows when they were born."""
    _born_otherwise: list[str] = field(default_factory=list)
    _seen: set[int] = field(default_factory=set)

    def look(self, players: Sequence[Newcomer], known: Mapping[str, int]) -> None:
        """Look at what these are said to be, of whom ``known`` has the person."""
        hidden = suppressed()
        some = {}
        for each in players:
            person = known.get(each.id)
            if person is not None and person not in hidden and person not in self._seen:
                self._seen.add(person)
                some[person] = each
        self._look_at_attributes(some)
        self._look_at_births(some)

    def _look_at_attributes(self, some: Mapping[int, Newcomer]) -> None:
        held: dict[int, dict[str, str]] = {}
        live = m.PersonAttribute.objects.filter(revoked_by__isnull=True)
        for person, key, text in rows_of_persons(live, some, "person", "key", "value"):
            held.setdefault(person, {})[key] = text
        for person, each in some.items():
            for key, said in (each.person.attributes or {}).items():
                here = held.get(person, {}).get(key, "")
                if not here:
                    if key != "sex" or said in READABLE_SEXES:
                        self.filled.append((person, key, said))
                elif not (_SAME[key](said, here) if key in _SAME else _is_same(said, here)):
                    self._otherwise.setdefault(key, []).append((each.id, said, here))

    def _look_at_births(self, some: Mapping[int, Newcomer]) -> None:
        said = {
            person: each for person, each in some.items()
            if each.person.birth_date or each.person.birth_year
        }  # fmt: skip
        held = {
            person: (day, year)
            for part in portions(sorted(said))
            for person, day, year in m.PersonPrivate.objects.filter(person__in=part).values_list(
                "person", "birth_date", "birth_year"
            )
        }
        for person, each in said.items():
            day, year = each.person.birth_date, each.person.birth_year
            day_here, year_here = held.get(person, (None, None))
            year = day.year if day else year
            if year_here is None:
                self._born.append(each.id)
            elif year != year_here or (day and day_here and day != day_here):
                self._born_otherwise.append(each.id)
            elif day and not day_here:
                self._born.append(each.id)

    def write(self, fact: int) -> None:
        """Keep what is said for the first time, by the fact of the import."""
        put_rows(
            m.PersonAttribute._meta.db_table, ("person_id", "key", "value", "fact"),
            [(*row, fact) for row in self.filled],
        )  # fmt: skip

    def findings(self) -> Iterator[Finding]:
        """What was filled in, and what is otherwise."""
        people = len({person for person, _, _ in self.filled})
        if people:
            keys = {key for _, key, _ in self.filled}
            yield self._finding(
                Severity.INFO, "office.import-filled",
                either(
                    people,
                    "Of {count} player who was known the file says more: {what} was filled in.",
                    "Of {count} players who were known the file says more: {what} was filled in.",
                    what=row_of([_IN_WORDS[each] for each in ATTRIBUTES if each in keys]),
                ),
                people,
            )  # fmt: skip
        for key in ATTRIBUTES:
            some = self._otherwise.get(key, ())
            if some:
                number, said, here = some[0]
                yield self._finding(
                    Severity.WARNING, f"office.import-{key}",
                    either(
                        len(some),
                        "{count} player has another {what} in the file than here: {number}: "
                        "{said} in the file, {here} here. What is here stays.",
                        "{count} players have another {what} in the file than here; the first is "
                        "{number}: {said} in the file, {here} here. What is here stays.",
                        what=_IN_WORDS[key], number=number, said=said, here=here,
                    ),
                    len(some),
                    sentence(
                        "If the file is right: `ratingbook office person edit PERSON --set "
                        "{key}=TEXT --reason TEXT`.",
                        key=key,
                    ),
                )  # fmt: skip
        if self._born:
            yield self._finding(
                Severity.WARNING, "office.import-born",
                either(
                    len(self._born),
                    "The file says more of the birth of {count} player than is known here: "
                    "{number}. That is not filled in, since ratings may rest on it.",
                    "The file says more of the births of {count} players than is known here; the "
                    "first is {number}. That is not filled in, since ratings may rest on it.",
                    number=self._born[0],
                ),
                len(self._born), _SAY_BORN,
            )  # fmt: skip
        if self._born_otherwise:
            yield self._finding(
                Severity.WARNING, "office.import-born-otherwise",
                either(
                    len(self._born_otherwise),
                    "{count} player is born on another day in the file than here: {number}. What "
                    "is here stays.",
                    "{count} players are born on other days in the file than here; the first is "
                    "{number}. What is here stays.",
                    number=self._born_otherwise[0],
                ),
                len(self._born_otherwise), _SAY_BORN,
            )  # fmt: skip

    def _finding(
        self, severity: Severity, code: str, what: Sentence, count: int, remedy: str = ""
    ) -> Finding:
        return Finding(code, severity, what, Place(file=str(self.path)), remedy, count=count)


_IN_WORDS: Mapping[str, Sentence] = {
    "federation": sentence("federation"), "club": sentence("club"), "title": sentence("title"),
    "sex": sentence("sex"),
}  # fmt: skip
_SAY_BORN = sentence(
    "If the file is right: `ratingbook office person edit PERSON --born YYYY-MM-DD --reason TEXT`."
)


def _is_same(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()
