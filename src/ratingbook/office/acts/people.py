"""Persons: who is known, who is one with whom, and what is said of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.db.models import DateField, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery, Value

from ratingbook.formats.registers import REGISTERS, can_be_number
from ratingbook.formats.tables.people import sex_of
from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.ruled import refuse_merge
from ratingbook.office.acts.states import ASIDE, SUPERSEDED, is_beside, versions_beside
from ratingbook.office.limits import LABEL, NAME, refuse_any_long, refuse_controls
from ratingbook.office.logic.chain import commitment, new_salt
from ratingbook.office.logic.masked import SUPPRESSED
from ratingbook.office.logic.matching import Described
from ratingbook.office.logic.names import form, keys
from ratingbook.office.logic.newcomers import (
    ATTRIBUTES,
    FIRST_YEAR,
    READABLE_SEXES,
    NewPerson,
    is_birth_date,
    name_keys,
)
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store.ledger import SYSTEM, Act, Who, acting, check_may, head, is_any, once
from ratingbook.office.store.models import (
    ExternalId,
    Fact,
    FactSubject,
    Game,
    Link,
    NameKey,
    Person,
    PersonAttribute,
    PersonName,
    PersonPrivate,
    PersonRelation,
)
from ratingbook.office.store.rows import among, in_order_of_index, put_rows

_COLUMNS: Mapping[Any, Sequence[str]] = {
    Person: ("id", "made_by"),
    PersonName: ("person_id", "text", "kind", "fact"),
    ExternalId: ("scheme", "value", "person_id", "fact"),
    PersonAttribute: ("person_id", "key", "value", "fact"),
    PersonPrivate: ("person_id", "birth_date", "birth_year", "salt", "fact"),
    NameKey: ("key", "person_id"),
}
"""What is written of a new person."""
WRITTEN = tuple(model._meta.db_table for model in _COLUMNS)
"""The tables of all that."""
_PER_KEY = 1500
_IN_QUERY = 500
"""Values in one query: SQLite takes so many."""
_MANY = 5000
"""Persons from which on everybody's rows are read at once: to name them costs more."""


def relations() -> Sequence[PersonRelation]:
    """All that was ever said of who is whom; few offices have any."""
    if not is_any("merge"):
        return []
    return once("merges", lambda: list(PersonRelation.objects.order_by("fact")))


def merges(
    upto: int | None = None,
    besides: Iterable[tuple[int, int]] = (),
    without: Collection[int] = (),
) -> dict[int, int]:
    """Each merged person and who that is; as known at a fact.

    ``besides`` are further pairs that are one, ``without`` the facts of some that do not count.
    """
    every = relations()
    if upto is not None:
        every = [each for each in every if each.fact <= upto]
    pairs = [
        (each.source_id, each.target_id)
        for each in every
        if (each.revoked_by is None or (upto is not None and each.revoked_by > upto))
        and each.fact not in without
    ]
    return followed([*pairs, *besides])


def followed(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Who each one is in the end, where each pair says that the first one is the second.

    They say so of the numbers that were named, whoever else these are: of one several may be said,
    and whichever of them is left out, those of the others are one and nobody besides.
    """
    into: dict[int, int] = {}

    def end(person: int) -> int:
        while person in into:
            person = into[person]
        return person

    for source, target in pairs:
        one, other = end(source), end(target)
        if one != other:
            into[one] = other
    return {each: end(each) for each in into}


def canonical(person: int) -> int:
    """The person that a number stands for now."""
    return merges().get(person, person)


def one_with(person: int) -> list[int]:
    """The numbers of a person: that of all first, then those of whom it was found to be."""
    merged = merges()
    one = merged.get(person, person)
    return [one, *sorted(each for each, target in merged.items() if target == one)]


def of_entry(
    name: str, printed: Mapping[str, Any], born: date | None, year: int | None
) -> NewPerson:
    """A new person as an entry describes one."""
    said = {key: str(printed[key]) for key in ATTRIBUTES if printed.get(key)}
    return NewPerson(name, born, year, said, dict(printed.get("ids") or {}))


def make_persons(
    act: Act, people: Sequence[NewPerson], reason: str = "", free: str | None = None
) -> tuple[int, list[int]]:
    """Make persons by one fact; gives the fact and their numbers.

    ``free``: a register in which nobody has their numbers, as was looked at before.
    """
    first = (Person.objects.aggregate(last=Max("id"))["last"] or 0) + 1
    numbers = list(range(first, first + len(people)))
    private = [
        {"birth_date": str(each.birth_date or ""), "birth_year": each.birth_year}
        if each.birth_date or each.birth_year
        else None
        for each in people
    ]
    salt = new_salt()
    fact = act.fact(
        "person",
        *(("person", number) for number in (numbers if len(numbers) <= _IN_QUERY else ())),
        payload={"first": first, "count": len(people)},
        reason=reason,
        private_commit=commitment(salt, private) if any(private) else None,
    )
    every = list(zip(numbers, people, strict=True))
    years = [e.birth_date.year if e.birth_date else e.birth_year for e in people]
    ids = [(s, value, n, fact) for n, e in every if e.ids for s, value in e.ids.items()]
    refuse_taken([(scheme, value) for scheme, value, *_ in ids if scheme != free])
    names = [(n, e.name, "main", fact) for n, e in every]
    names += [(n, text, "variant", fact) for n, e in every for text in e.variants]
    rows: dict[Any, list[tuple[Any, ...]]] = {
        Person: [(n, fact) for n in numbers],
        PersonName: names,
        ExternalId: ids,
        PersonAttribute: [
            (n, key, text, fact)
            for n, e in every if e.attributes for key, text in e.attributes.items()
        ],
        PersonPrivate: [
            (n, e.birth_date, year, salt, fact)
            for (n, e), year in zip(every, years, strict=True) if year
        ],
        NameKey: in_order_of_index([
            (key, n)
            for (n, e), year in zip(every, years, strict=True)
            for key in name_keys((e.name, *e.variants), year)
        ]),
    }  # fmt: skip
    for model, columns in _COLUMNS.items():
        put_rows(model._meta.db_table, columns, rows[model])
    return fact, numbers


def refuse_unknown_register(scheme: str) -> None:
    """Refuse a register of which nobody here has a number: nobody would be found by it."""
    live = ExternalId.objects.filter(revoked_by__isnull=True)
    if live.filter(scheme=scheme).exists():
        return
    known = sorted(set(live.order_by("scheme").values_list("scheme", flat=True).distinct()))
    raise refuse(
        "office.register",
        sentence("Nobody here has a number of the register {register!r}.", register=scheme),
        sentence("The office knows numbers of {known}: name one of these.", known=", ".join(known))
        if known
        else sentence("The office knows no numbers: bring in players first, by `ratingbook office "
                      "import`."),
    )  # fmt: skip


def look_at_numbers(findings: Findings, ids: Mapping[str, str]) -> None:
    """Refuse numbers that their registers cannot have; tell of registers that no report names."""
    for scheme, number in ids.items():
        if not can_be_number(scheme, number):
            raise refuse(
                "office.number",
                sentence("{number!r} is no {scheme} number.", number=number, scheme=scheme),
                sentence("Write it with digits alone."),
            )
        if scheme in REGISTERS or ExternalId.objects.filter(scheme=scheme).exists():
            continue
        findings.add(
            Severity.WARNING, "office.unknown-register",
            sentence(
                "No format of reports has numbers of a register {scheme!r}; they name {known}.",
                scheme=scheme, known=", ".join(REGISTERS),
            ),
            remedy=sentence(
                "If reports say {scheme} themselves (ids.{scheme}), nothing is to do. Else nobody "
                "is found by this number: give it under the name of its register.",
                scheme=scheme,
            ),
        )  # fmt: skip


def refuse_taken(ids: Collection[tuple[str, str]]) -> None:
    """A number of a register belongs to one person; ``ids`` are registers and numbers."""
    if len(set(ids)) < len(ids):
        twice = next(key for key, count in Counter(ids).items() if count > 1)
        raise refuse_number(*twice, sentence("given twice"))
    for scheme in sorted({scheme for scheme, _ in ids}):
        # Without the register the index of numbers would be read from end to end.
        taken = ExternalId.objects.filter(
            revoked_by__isnull=True,
            scheme=scheme,
            value__in=among([value for name, value in ids if name == scheme]),
        )
        for value, person in taken.order_by("value").values_list("value", "person")[:1]:
            raise refuse_number(scheme, value, sentence("person {person}'s", person=person))


def refuse_number(scheme: str, value: str, whose: str) -> OfficeRefused:
    """What is said of a number of a register that is another person's."""
    return refuse(
        "office.id-taken",
        sentence("The {key} number {key2} is {whose}.", key=scheme, key2=value, whose=whose),
        sentence("Link the entry to that person, or correct the number."),
    )


def add_variant(act: Act, person: int, name: str, fact: int) -> None:
    """Remember a spelling that the desk has said is this person's, unless nobody may see it."""
    if FactSubject.objects.filter(
        fact__kind=SUPPRESSED, kind="person", subject=str(person)
    ).exists():
        return
    known = set(
        PersonName.objects.filter(person=person, revoked_by__isnull=True).values_list(
            "text", flat=True
        )
    )
    if not name or name in known:
        return
    PersonName.objects.create(person_id=person, text=name, kind="variant", fact=fact)
    have = set(NameKey.objects.filter(person=person).values_list("key", flat=True))
    year = PersonPrivate.objects.filter(person=person).values_list("birth_year", flat=True).first()
    new = [key for key in name_keys([name], year) if key not in have]
    NameKey.objects.bulk_create([NameKey(key=key, person_id=person) for key in new])


_NOT_OF_PERSONS = (
    "received", "checked", "ready", "held", "refused", "superseded", "file refused",
)  # fmt: skip
"""Facts of the intake that say nothing of persons; nor do the links of the office itself."""


class Register:
    """The persons whom entries are compared with; each is fetched once."""

    knows_births = True
    """Whether they are compared by when they were born, and by what else is private."""

    def __init__(self, ratings: Mapping[int, float]) -> None:
        self._upto = head().seq
        self._merged = merges()
        self._ratings = ratings
        self._today = date.today()
        self.names: dict[int, str] = {}
        """The main names of those who were looked at."""
        self.about: dict[int, dict[str, str]] = {}
        """What holds of them today."""
        self.known: dict[int, Described] = {}
        """All that were looked at."""
        self._by_key: dict[str, list[int]] = {}
        self._by_id: dict[tuple[str, str], int] = {}
        self._numbers: set[str] = set()

    def is_current(self) -> bool:
        """Whether nothing was said of persons, or of their ratings, since it was begun."""
        last = head().seq
        since = Fact.objects.filter(seq__gt=self._upto, seq__lte=last)
        if since.exclude(kind__in=_NOT_OF_PERSONS).exclude(kind="linked", actor=SYSTEM).exists():
            return False
        self._upto = last
        return True

    def look_up_numbers(self, entries: Sequence[Described]) -> None:
        """Fetch the persons who have any of these entries' numbers."""
        values = {value for entry in entries for value in entry.ids.values()} - self._numbers
        self._numbers |= values
        for some in portions(sorted(values)):
            for scheme, value, person in ExternalId.objects.filter(
                value__in=some, revoked_by__isnull=True
            ).values_list("scheme", "value", "person"):
                self._by_id[scheme, value] = self._merged.get(person, person)
        self._describe(sorted(set(self._by_id.values()) - self.known.keys()))

    def look_up_names(self, entries: Sequence[Described]) -> None:
        """Fetch all persons that any of these may be, with few queries."""
        wanted: dict[str, None] = {}
        for entry in entries:
            wanted |= dict.fromkeys(self.keys(entry))
        new = [key for key in wanted if key not in self._by_key]
        self._by_key |= {key: [] for key in new}
        for some in portions(new):
            for key, person in (
                NameKey.objects.filter(key__in=some)
                .order_by("key", "person")
                .values_list("key", "person")
            ):
                self._by_key[key].append(self._merged.get(person, person))
        people = {p for found in self._by_key.values() for p in found[:_PER_KEY]}
        self._describe(sorted(people - self.known.keys()))

    def candidates(self, entry: Described) -> dict[int, Described]:
        """The persons with most keys in common with an entry."""
        shared: dict[int, int] = {}
        for key in self.keys(entry):
            for person in self._by_key.get(key, [])[:_PER_KEY]:
                shared[person] = shared.get(person, 0) + 1
        best = sorted(shared, key=lambda person: (-shared[person], person))[:_PER_KEY]
        return {person: self.known[person] for person in best if person in self.known}

    def by_number(self, entry: Described) -> dict[str, tuple[int, Described]]:
        """The persons who have the entry's numbers."""
        found = {}
        for scheme, value in entry.ids.items():
            person = self._by_id.get((scheme, value))
            if person is not None and person in self.known:
                found[scheme] = (person, self.known[person])
        return found

    @classmethod
    def keys(cls, entry: Described) -> list[str]:
        """Under what the persons are looked up whose names an entry has."""
        year = entry.birth_year if cls.knows_births else None
        found = {key for name in entry.names for key in keys(name.tokens, name.folded, year)}
        return sorted(found)

    def _describe(self, people: Sequence[int]) -> None:
        own: dict[int, list[int]] = {person: [person] for person in people}
        for source, target in self._merged.items():
            if target in own:
                own[target].append(source)
        every = sorted({each for members in own.values() for each in members})
        names: dict[int, list[str]] = {}
        said: dict[int, dict[str, str]] = {}
        years: dict[int, int | None] = {}
        numbers: dict[int, dict[str, list[str]]] = {}
        for one in said_of(every):
            if one.what == "name":
                names.setdefault(one.person, []).append(one.value)
                years[one.person] = one.birth_year
                if one.key == "main":
                    self.names[one.person] = one.value
            elif one.what == "number":
                numbers.setdefault(one.person, {}).setdefault(one.key, []).append(one.value)
            else:
                said.setdefault(one.person, {})[one.key] = one.value
                if one.since is None or one.since <= self._today:
                    self.about.setdefault(one.person, {})[one.key] = one.value
        for person, members in own.items():
            texts = [text for each in members for text in names.get(each, [])]
            facts: dict[str, str] = {}
            for each in reversed(members):
                facts |= said.get(each, {})
            year = next((years[each] for each in members if years.get(each)), None)
            registers = dict.fromkeys(key for each in members for key in numbers.get(each, ()))
            self.known[person] = Described(
                tuple(form(text) for text in dict.fromkeys(texts)),
                year if self.knows_births else None, facts.get("federation"),
                facts.get("sex") if self.knows_births else None, facts.get("club"),
                self._ratings.get(person),
                numbers={
                    scheme: [
                        value for each in members for value in numbers.get(each, {}).get(scheme, ())
                    ]
                    for scheme in registers
                },
            )  # fmt: skip


def portions(values: Sequence[Any]) -> Iterable[Sequence[Any]]:
    """So many values at a time as one query takes."""
    for start in range(0, len(values), _IN_QUERY):
        yield values[start : start + _IN_QUERY]


def attributes_as_read(said: Mapping[str, str] | None) -> dict[str, str]:
    """What is said of a person as it is kept; refused where it is not said of persons.

    What a run reads is refused where a run could not read it: it would be in the way of everybody.
    """
    unknown = sorted(set(said or {}) - set(ATTRIBUTES))
    if unknown:
        raise refuse(
            "office.attribute", sentence("A person has no {unknown!r}.", unknown=unknown[0]),
            sentence("A person has {all}.", all=', '.join(ATTRIBUTES)),
        )  # fmt: skip
    found = {key: text.strip() for key, text in (said or {}).items()}
    if "sex" in found:
        found["sex"] = sex_of(found["sex"])
        if found["sex"] not in READABLE_SEXES:
            raise refuse(
                "office.attribute",
                sentence("The sex {text!r} is not understood.", text=(said or {})["sex"]),
                sentence("Write m or w, or nothing where it is not known."),
            )
    return found


def refuse_unshown_said(names: object, attributes: object, ids: object) -> None:
    """Refuse what is said of a person where no page can show it: too long, or not to be read."""
    for said, most, what in (
        (names, NAME, sentence("The name")),
        (attributes or {}, NAME, sentence("What is said of the person")),
        (ids or {}, LABEL, sentence("The number")),
    ):
        refuse_any_long(said, most, what)
        refuse_controls(said, what)


def refuse_birth_date(born: date, today: date) -> None:
    """Refuse a day on which nobody who plays can have been born."""
    if not is_birth_date(born, today):
        raise refuse(
            "office.birth-date",
            sentence("Nobody who plays was born on {born}.", born=born),
            sentence("Give a day from {first} on that is not to come, or none.", first=FIRST_YEAR),
        )


def add_person(new: NewPerson, reason: str, who: Who) -> tuple[int, Findings]:
    """A person whom no report has brought."""
    check_may(who, "people")
    if not new.name.strip():
        raise refuse("office.name", sentence("The person has no name."), sentence("Give one."))
    refuse_unshown_said((new.name, new.variants), new.attributes, new.ids)
    if new.birth_date is not None:
        refuse_birth_date(new.birth_date, who.now().date())
    new = new._replace(attributes=attributes_as_read(new.attributes))
    with acting(who) as act:
        look_at_numbers(act.findings, new.ids or {})
        _, numbers = make_persons(act, [new], reason)
    return numbers[0], act.findings


def merge(source: int, target: int, reason: str, who: Who) -> tuple[int, Findings]:
    """Two numbers are one person from now on, until that is undone; gives the fact.

    It is kept of the numbers that were named: once it is undone nobody else is one by it.
    """
    check_may(who, "people")
    with acting(who) as act:
        for each in (source, target):
            exists(each)
        one, other = one_with(source), one_with(target)
        if one == other:
            raise refuse(
                "office.merged",
                sentence(
                    "{source} and {target} are one person already.", source=source, target=target
                ),
                sentence("Nothing is to do."),
            )
        refuse_merge(source, target, one, other)
        tell_met(act.findings, source, target)
        tell_hides(act.findings, source, target)
        fact = make_one(act, source, target, reason)
    return fact, act.findings


def make_one(act: Act, source: int, target: int, reason: str) -> int:
    """Append the fact that two numbers are one person."""
    fact = act.fact(
        "merge", ("person", source), ("person", target),
        payload={"source": source, "target": target}, reason=reason,
    )  # fmt: skip
    PersonRelation.objects.create(fact=fact, source_id=source, target_id=target)
    return fact


def tell_hides(findings: Findings, source: int, target: int, *, is_asked: bool = False) -> None:
    """Tell that one of two who are to be one is suppressed, and what becomes of the other.

    ``is_asked``: it is not decided yet.
    """
    source, target = canonical(source), canonical(target)
    both = [str(source), str(target)]
    hidden = FactSubject.objects.filter(fact__kind=SUPPRESSED, kind="person", subject__in=both)
    known = set(map(int, hidden.values_list("subject", flat=True)))
    if target in known and source not in known:
        what = sentence(
            "Person {target} is suppressed: results of {source} are shown as those of somebody "
            "without a name, but the name and birth date of {source} stay in the office.",
            source=source, target=target,
        )  # fmt: skip
        remedy = (
            sentence(
                "If nobody may see these either: suppress {source} before it is accepted.",
                source=source,
            )
            if is_asked
            else sentence(
                "If nobody may see these either: undo the merge, suppress {source}, and merge "
                "again.",
                source=source,
            )
        )
    elif source in known and target not in known:
        what = sentence(
            "Person {source} is suppressed: results of {source} are shown as those of {target} "
            "from now on, by name.",
            source=source, target=target,
        )  # fmt: skip
        remedy = (
            sentence("If nobody may see whose they are, refuse it.")
            if is_asked
            else sentence("If nobody may see whose they are, undo the merge.")
        )
    else:
        return
    findings.add(Severity.WARNING, "office.merge-suppressed", what, remedy=remedy)


def tell_met(findings: Findings, one: int, other: int) -> None:
    """Tell that two who are to be one person have played in the same events: hardly one does.

    It is asked before they are one: then what both have played is that person's.
    """
    entries: list[dict[int, list[int]]] = []
    report_of: dict[int, int] = {}
    for each in (one, other):
        live = Link.objects.filter(person__in=one_with(each), revoked_by__isnull=True)
        found: dict[int, list[int]] = {}
        for report, version, entry in live.order_by("entry__version__number").values_list(
            "entry__version__report", "entry__version", "entry"
        ):
            report_of[version] = report
            found.setdefault(version, []).append(entry)
        entries.append(found)
    both = versions_beside([SUPERSEDED], entries[0].keys() & entries[1].keys())
    # By report the newest version in which both are.
    newest = {report: version for version, report in report_of.items() if version in both}
    if not newest:
        return
    every = [entry for found in entries for version in newest.values() for entry in found[version]]
    games = Game.objects.filter(white__in=every, black__in=every).count()
    findings.add(
        Severity.WARNING,
        "office.met",
        sentence(
            "{one} and {other} play {where} as two entries, and {games} with each other; "
            "a game of a person against himself is not rated.",
            one=one,
            other=other,
            where=sentence("in 1 report")
            if len(newest) == 1
            else sentence("in {n} reports", n=len(newest)),
            games=sentence("1 game") if games == 1 else sentence("{n} games", n=games),
        ),
        remedy=sentence("If they are two persons, let them be two."),
    )


def exists(person: int) -> None:
    """Refuse the number of nobody."""
    if not Person.objects.filter(id=person).exists():
        raise no_person(person)


def no_person(person: int) -> OfficeRefused:
    """That there is nobody of a number."""
    return refuse(
        "office.no-person",
        sentence("There is no person {person}.", person=person),
        "Find one: ratingbook office people NAME.",
    )


def names_of(people: Iterable[int], upto: int | None = None) -> dict[int, str]:
    """The main name of each person; as known at a fact."""
    main = PersonName.objects.filter(live_at(upto), kind="main")
    return dict(rows_of_persons(main, people, "person", "text"))


def main_name(person: int | OuterRef) -> Subquery:
    """The main name of a person, as a part of a query."""
    of = PersonName.objects.filter(live_at(None), kind="main", person=person).order_by("-id")
    return Subquery(of.values("text")[:1])


def numbers_of(register: str, people: Collection[int], upto: int) -> dict[int, str]:
    """The number of each person in a register, as known at a fact; who has none is left out.

    Where a person has none of his own it is that of somebody whom he was found to be.
    """
    whose = {source: target for source, target in merges(upto).items() if target in people}
    whose |= {person: person for person in people}
    numbers = ExternalId.objects.filter(live_at(upto), scheme=register)
    found: dict[int, str] = {}
    for holder, value in rows_of_persons(numbers, whose, "person", "value"):
        person = whose[holder]
        if holder == person or person not in found:
            found[person] = value
    return found


def attributes_of(
    people: Iterable[int], upto: int, day: date | None = None
) -> dict[int, dict[str, str]]:
    """What is said of each person, as known at a fact; with a day what holds on it.

    What nobody said of a person may have been said of a number that was merged with it.
    """
    known = PersonAttribute.objects.filter(
        Q(revoked_by__isnull=True) | Q(revoked_by__gt=upto), fact__lte=upto
    )
    if day is not None:
        known = known.filter(Q(true_from__isnull=True) | Q(true_from__lte=day))
    wanted = set(people)
    merged = {source: target for source, target in merges(upto).items() if target in wanted}
    found: dict[int, dict[str, str]] = {}
    for number, key, value in rows_of_persons(
        known, wanted | merged.keys(), "person", "key", "value"
    ):
        found.setdefault(number, {})[key] = value
    for source in sorted(merged.keys() & found.keys()):
        target = merged[source]
        found[target] = {**found[source], **found.get(target, {})}
    return {number: about for number, about in found.items() if number in wanted}


def rows_of_persons(
    query: QuerySet[Any], people: Iterable[int], *columns: str
) -> Iterator[tuple[Any, ...]]:
    """The rows of these persons, each one's in the order in which they were written.

    The first of the columns is the person.
    """
    return _of_persons(
        lambda **which: query.filter(**which).order_by("id").values_list(*columns), people
    )


def _of_persons(
    rows: Callable[..., QuerySet[Any, tuple[Any, ...]]], people: Iterable[int]
) -> Iterator[tuple[Any, ...]]:
    """The rows of these persons; of many all are read, which is faster than to ask for them."""
    wanted = set(people)
    if len(wanted) > _MANY:
        yield from (row for row in rows().iterator(_MANY) if row[0] in wanted)
        return
    for some in portions(sorted(wanted)):
        yield from rows(person__in=some)


class Said(NamedTuple):
    """A name of a person, an attribute or a number in a register."""

    person: int
    what: str
    """``name``, ``attribute`` or ``number``."""
    key: str
    """The kind of a name, what an attribute says, or the register."""
    value: str
    since: date | None
    """From when on an attribute holds."""
    birth_year: int | None
    """Of the person, beside a name."""
    id: int


def said_of(people: Iterable[int], which: Q | None = None) -> Iterator[Said]:
    """What is said of these persons, each kind in the order in which it was written.

    All by one query; what holds now, or ``which`` else.
    """
    wanted = live_at(None) if which is None else which
    rows = _of_persons(lambda **whose: _said(wanted, **whose), people)
    return (Said(*row) for row in rows)


def _said(which: Q, **whose: Any) -> QuerySet[Any, tuple[Any, ...]]:
    """The rows of what is said of persons."""
    never = Value(None, output_field=DateField())
    nobody = Value(None, output_field=IntegerField())
    # Names first: from what they and attributes have PostgreSQL takes the types of the columns.
    names, attributes, numbers = (
        model.objects.filter(which, **whose).annotate(what=Value(what))
        for model, what in (
            (PersonName, "name"), (PersonAttribute, "attribute"), (ExternalId, "number")
        )
    )  # fmt: skip
    return (
        names.annotate(since=never, year=F("person__personprivate__birth_year"))
        .values_list("person", "what", "kind", "text", "since", "year", "id")
        .union(
            attributes.annotate(year=nobody).values_list(
                "person", "what", "key", "value", "true_from", "year", "id"
            ),
            numbers.annotate(since=never, year=nobody).values_list(
                "person", "what", "scheme", "value", "since", "year", "id"
            ),
            all=True,
        )
        .order_by("id")
    )


@dataclass(frozen=True)
class Found:
    """A person as a search shows one."""

    person: int
    name: str
    names: tuple[str, ...]
    ids: Mapping[str, str]
    attributes: Mapping[str, str]
    merged_into: int | None


def live_at(upto: int | None) -> Q:
    """What holds now; or what held as known at a fact."""
    if upto is None:
        return Q(revoked_by__isnull=True)
    return Q(fact__lte=upto) & (Q(revoked_by__isnull=True) | Q(revoked_by__gt=upto))


def found(person: int, upto: int | None = None) -> Found:
    """What is public of a person; as known at a fact."""
    return found_of([person], upto)[0]


def found_of(people: Sequence[int], upto: int | None) -> list[Found]:
    """The same of several, with as many queries."""
    names: dict[int, list[tuple[str, str]]] = {}
    ids: dict[int, dict[str, str]] = {}
    said: dict[int, dict[str, str]] = {}
    for each in said_of(people, live_at(upto)):
        if each.what == "name":
            names.setdefault(each.person, []).append((each.key, each.value))
        else:
            about = ids if each.what == "number" else said
            about.setdefault(each.person, {})[each.key] = each.value
    merged = merges(upto) if people else {}
    return [
        Found(
            person,
            next((text for kind, text in names.get(person, ()) if kind == "main"), ""),
            _others(names.get(person, ())),
            ids.get(person, {}),
            said.get(person, {}),
            merged.get(person),
        )
        for person in people
    ]


def events_of(people: Collection[int], upto: int | None = None) -> dict[int, int]:
    """In how many reports each one plays, without what is held, refused, withdrawn or replaced.

    A report counts once, however many versions it has; as known at a fact.
    """
    links: QuerySet[Any] = Link.objects.filter(live_at(upto), person__in=people)
    counting = links.filter(is_beside(ASIDE, OuterRef("entry__version"), upto))
    found: dict[int, set[int]] = {person: set() for person in people}
    for person, report in counting.values_list("person", "entry__version__report"):
        found[person].add(report)
    return {person: len(reports) for person, reports in found.items()}


def _others(names: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    main = next((text for kind, text in names if kind == "main"), "")
    return tuple(dict.fromkeys(text for _, text in names if text != main))
