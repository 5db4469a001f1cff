"""Who of those whom a list has brought has the name of somebody who was known before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ratingbook.model import Finding, Findings, Place, Severity
from ratingbook.model.sentences import row_of, sentence
from ratingbook.office.acts.numbering import years_of
from ratingbook.office.acts.people import rows_of_persons
from ratingbook.office.store import models as m
from ratingbook.rules.wording import either

_SHOWN = 3


class Same(NamedTuple):
    """A new person and the one of before who has the name."""

    new: int
    old: int
    name: str


def same_names(last: int) -> list[Same]:
    """The persons after ``last`` who have names of persons up to it, and may be these.

    Who is born in another year is somebody else, as is who has another number in one register.
    """
    live = m.PersonName.objects.filter(revoked_by__isnull=True)
    old, new = live.filter(person__lte=last), live.filter(person__gt=last)
    # A federation has millions: those who are fewer are kept, the others pass by.
    first, second = (old, new) if last * 2 < _last() else (new, old)
    by_name: dict[tuple[str, ...], list[int]] = {}
    for person, text in first.values_list("person", "text").iterator():
        by_name.setdefault(_plain(text), []).append(person)
    pairs = {
        (max(person, one), min(person, one)): text
        for person, text in second.values_list("person", "text").iterator()
        for one in by_name.get(_plain(text), ())
    }
    people = {person for pair in pairs for person in pair}
    years, registers = years_of(people), _registers_of(people)
    found: dict[int, Same] = {}
    for (one, other), text in sorted(pairs.items()):
        if registers.get(one, set()) & registers.get(other, set()):
            continue
        if years.get(one, 0) == years.get(other, 0) or not (one in years and other in years):
            found.setdefault(one, Same(one, other, text))
    return list(found.values())


def tell_same_names(found: list[Same], findings: Findings, path: Path) -> None:
    """Tell who may have been made a second time, and what makes two of them one."""
    if not found:
        return
    shown = [
        sentence("{name} ({new}, before {old})", name=each.name, new=each.new, old=each.old)
        for each in found[:_SHOWN]
    ]
    if len(found) > _SHOWN:
        shown.append(sentence("and {n} more", n=len(found) - _SHOWN))
    registers = sorted(set().union(*_registers_of(each.old for each in found).values()))
    one = sentence(
        "Those who are the same are made one: `ratingbook office merge {new} {old} --reason TEXT`.",
        new=found[0].new, old=found[0].old,
    )  # fmt: skip
    findings.extend([Finding(
        "office.import-same-name", Severity.WARNING,
        either(
            len(found),
            "{count} new person has the name of somebody who was known, and may be the same: "
            "{some}.",
            "{count} new persons have names of persons who were known, and may be the same: "
            "{some}.",
            some=row_of(shown, "; "),
        ),
        Place(file=str(path)),
        sentence(
            "{one} With a column of numbers that are known here (ids.{register}) the file would "
            "have found them.",
            one=one, register=registers[0],
        )
        if registers
        else one,
        count=len(found),
    )])  # fmt: skip


def _last() -> int:
    last = m.Person.objects.order_by("-id").values_list("id", flat=True).first()
    return last or 0


def _plain(name: str) -> tuple[str, ...]:
    """The words of a name in any order and any letters; names of one sound are not the same."""
    return tuple(sorted(name.casefold().replace(",", " ").split()))


def _registers_of(people: Iterable[int]) -> dict[int, set[str]]:
    """The registers in which each of these has a number."""
    live = m.ExternalId.objects.filter(revoked_by__isnull=True)
    found: dict[int, set[str]] = {}
    rows: Iterator[tuple[int, str]] = (
        (person, scheme) for person, scheme in rows_of_persons(live, people, "person", "scheme")
    )
    for person, scheme in rows:
        found.setdefault(person, set()).add(scheme)
    return found
