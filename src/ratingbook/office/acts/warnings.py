"""Warnings about the people of reports: numbers, ratings, ages, and two events at once."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, NamedTuple, Protocol

from django.db.models import Q

from ratingbook.model import Finding, Place, Severity
from ratingbook.model.findings import PLACES
from ratingbook.model.sentences import Sentence, row_of, sentence
from ratingbook.office.acts import identify, states
from ratingbook.office.acts.people import portions
from ratingbook.office.acts.setup import policy
from ratingbook.office.intake import EntryRow, Understood
from ratingbook.office.logic.doubts import doubts, fits, slips
from ratingbook.office.logic.matching import HOMONYMS_AT, Described, name_score
from ratingbook.office.logic.names import form
from ratingbook.office.store import models as m

_LONGEST = timedelta(days=16)
"""Events that last longer are leagues and correspondence: one plays several of them at once."""
_REMEDY = "Look at it; `ratingbook office link REPORT ENTRY PERSON` says who it is."


class _Linked(Protocol):
    @property
    def entry(self) -> str: ...
    @property
    def person(self) -> int: ...


class _Played(NamedTuple):
    """That a person is an entry of a report, whose section has these days."""

    report: int
    entry: int
    section: int
    start: date
    end: date


class _Own(NamedTuple):
    """An event of a person in a file that goes in together with others."""

    key: str
    report: int | None
    """The one of which it is a version; none: a new one."""
    start: date
    end: date


@dataclass(frozen=True)
class Doubts:
    """What the office knows beside some reports, fetched once for all of them."""

    said: Mapping[str, Mapping[str, Described]]
    """The entries as they were compared, by the hash of their file."""
    known: Mapping[str, Mapping[int, Described]]
    """The persons looked at, by the hash of the file."""
    checks: Mapping[str, Mapping[str, str]]
    """By the hash of a file, which check digit the numbers of a register have."""
    near: Mapping[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    """Persons by numbers that a slip turns into one of the entries'."""
    played: Mapping[int, Sequence[_Played]] = field(default_factory=dict)
    own: dict[int, list[_Own]] = field(default_factory=lambda: defaultdict(list))
    """What the reports that go in together say."""

    @classmethod
    def about(
        cls,
        reports: Sequence[Understood],
        found: identify.Identified,
        pools_of: Callable[[Understood], Iterable[m.Pool | None]],
    ) -> Doubts:
        """Fetch what the office knows of the people of these reports, and their pools."""
        wanted: dict[tuple[str, str], None] = {}
        people: set[int] = set()
        for one, matches in zip(reports, found.matches, strict=True):
            for entry in one.entries:
                certain = matches[entry.number].certain
                if certain is None:
                    for scheme, number in (entry.printed.get("ids") or {}).items():
                        wanted |= {(scheme, slip): None for slip in slips(str(number))}
                else:
                    people.add(certain.person)
        spans = [span for one in reports if (span := one.days)]
        played = _played(sorted(people), spans) if spans else {}
        checks: dict[str, dict[str, str]] = {}
        for one in reports:
            pools = set(pools_of(one))
            every = [policy(pool, "check_digits") for pool in pools if pool is not None]
            checks[one.sha256] = {scheme: kind for some in every for scheme, kind in some.items()}
        said = {one.sha256: each for one, each in zip(reports, found.said, strict=True)}
        known = {one.sha256: each for one, each in zip(reports, found.known, strict=True)}
        return cls(said, known, checks, _numbers(wanted), played)

    def of(
        self, one: Understood, links: Sequence[_Linked], report: int | None
    ) -> Iterator[Finding]:
        """The warnings about one file; ``report`` is the one of which it is a version, if any."""
        linked = {each.entry: each.person for each in links}
        sections = _sections(one)
        yield from self._at_once(one, linked, report)
        for entry in one.entries:
            for code, text in self._of_entry(
                one, entry, linked.get(entry.number), sections, report
            ):
                yield Finding(
                    code,
                    Severity.WARNING,
                    sentence("{who}: {text}.", who=entry.name or entry.number, text=text),
                    Place(player=entry.number),
                    _REMEDY,
                )

    def _of_entry(
        self, one: Understood, entry: EntryRow, person: int | None,
        sections: Mapping[str, dict[str, str]], report: int | None,
    ) -> Iterator[tuple[str, str]]:  # fmt: skip
        for scheme, number in (entry.printed.get("ids") or {}).items():
            check = self.checks[one.sha256].get(scheme)
            if check is not None and not fits(str(number), check):
                yield (
                    "office.check-digit",
                    sentence(
                        "the check digit of {scheme} {number} does not fit",
                        scheme=scheme,
                        number=number,
                    ),
                )
            if person is None:
                yield from self._slipped(entry, scheme, str(number))
        if person is None:
            return
        known = self.known[one.sha256].get(person)
        if known is not None:
            span = one.days
            said = self.said[one.sha256][entry.number]
            own = sections.get(entry.number, {})
            yield from doubts(said, known, span[1].year if span else None, own)

    def _slipped(self, entry: EntryRow, scheme: str, number: str) -> Iterator[tuple[str, str]]:
        for slip in slips(number):
            found = self.near.get((scheme, slip))
            if found and name_score(form(entry.name), form(found[1])) >= HOMONYMS_AT:
                yield (
                    "office.transposed-digits",
                    sentence(
                        "{scheme} {number} may be {slip}, the number of person {person}, {name}",
                        scheme=scheme,
                        number=number,
                        slip=slip,
                        person=found[0],
                        name=found[1],
                    ),
                )

    def _at_once(
        self, one: Understood, linked: Mapping[str, int], report: int | None
    ) -> Iterator[Finding]:
        """Who plays elsewhere on the same days, by the other event."""
        found: dict[Sentence, list[tuple[EntryRow, int]]] = defaultdict(list)
        for entry in one.entries:
            person = linked.get(entry.number)
            if person is not None:
                for where in dict.fromkeys(self._elsewhere(one, person, report)):
                    found[where].append((entry, person))
        for where, some in found.items():
            yield _two_events(where, some)

    def _elsewhere(self, one: Understood, person: int, report: int | None) -> Iterator[Sentence]:
        """A report is not another event than itself, whatever its versions call it."""
        span = one.days
        if span is None or span[1] - span[0] > _LONGEST:
            return
        for key, of_report, start, end in self.own[person]:
            is_other = key != one.key and (report is None or of_report != report)
            if is_other and start <= span[1] and end >= span[0]:
                yield row_of((key,))
        self.own[person].append(_Own(one.key, report, *span))
        for each in self.played.get(person, ()):
            if each.report == report:
                continue
            if each.start <= span[1] and each.end >= span[0] and _counts(each):
                yield sentence("report {report}", report=each.report)


def _two_events(where: Sentence, some: Sequence[tuple[EntryRow, int]]) -> Finding:
    """Those who play in another event on the same days; of many the first are named."""
    entry, person = some[0]
    if len(some) == 1:
        what = sentence(
            "{who}: person {person} plays in {event} on the same days.",
            who=entry.name or entry.number, person=person, event=where,
        )  # fmt: skip
    else:
        shown = [
            sentence("{who} (person {person})", who=each.name or each.number, person=number)
            for each, number in some[:PLACES]
        ]
        more = len(some) - len(shown)
        if more:
            shown.append(sentence("and {n} more", n=more))
        what = sentence(
            "Players of this event play in {event} on the same days ({count} in all): {who}.",
            event=where, count=len(some), who=row_of(shown, "; "),
        )  # fmt: skip
    places = tuple(Place(player=each.number) for each, _ in some[:PLACES])
    return Finding(
        "office.two-events", Severity.WARNING, what, places[0], _REMEDY,
        count=len(some), places=places if len(some) > 1 else (),
    )  # fmt: skip


def _sections(one: Understood) -> dict[str, dict[str, str]]:
    """The names of the sections in which each entry played."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for section, people in zip(one.sections, one.played, strict=True):
        for number in people:
            found[number][section.name] = section.name
    return found


def _numbers(wanted: Mapping[tuple[str, str], None]) -> dict[tuple[str, str], tuple[int, str]]:
    """The persons of these numbers, with their names."""
    from ratingbook.office.acts.people import merges, names_of

    merged = merges() if wanted else {}
    found: dict[tuple[str, str], int] = {}
    for some in portions(sorted({number for _, number in wanted})):
        for scheme, value, person in m.ExternalId.objects.filter(
            value__in=some, revoked_by__isnull=True
        ).values_list("scheme", "value", "person"):
            if (scheme, value) in wanted:
                found[scheme, value] = merged.get(person, person)
    names = names_of(found.values())
    return {key: (person, names.get(person, "")) for key, person in found.items()}


def _played(people: Sequence[int], spans: Sequence[tuple[date, date]]) -> dict[int, list[_Played]]:
    """The entries of these persons in short events of these days.

    The events are looked for first: people have few on these days, and hundreds in all.
    """
    first, last = min(a for a, _ in spans), max(b for _, b in spans)
    days = _Days(spans)
    near: dict[int, list[tuple[int, int, date, date]]] = defaultdict(list)
    rows: Any = m.Section.objects.filter(end__gte=first, start__lte=last).values_list(
        "version", "version__report", "id", "start", "end"
    )
    for version, report, section, start, end in rows:
        if end - start <= _LONGEST and days.meet(start, end):
            near[version].append((report, section, start, end))
    found: dict[int, list[_Played]] = defaultdict(list)
    wanted = set(people)
    for some in portions(sorted(near)):
        for person, entry, version in m.Link.objects.filter(
            entry__version__in=some, revoked_by__isnull=True
        ).values_list("person", "entry", "entry__version"):
            if person in wanted:
                for report, section, start, end in near[version]:
                    found[person].append(_Played(report, entry, section, start, end))
    return found


class _Days:
    """Days that several spans cover together."""

    def __init__(self, spans: Sequence[tuple[date, date]]) -> None:
        self._first: list[date] = []
        self._last: list[date] = []
        for start, end in sorted(spans):
            if self._last and start <= self._last[-1]:
                self._last[-1] = max(self._last[-1], end)
            else:
                self._first.append(start)
                self._last.append(end)

    def meet(self, start: date, end: date) -> bool:
        """Whether any of the days lies from ``start`` to ``end``."""
        at = bisect_left(self._last, start)
        return at < len(self._last) and self._first[at] <= end


def _counts(one: _Played) -> bool:
    """Whether that entry played in that section, and the section stands."""
    state = states.states([one.section]).get(one.section)
    if state in (states.SUPERSEDED, states.REFUSED, states.WITHDRAWN):
        return False
    side = Q(white=one.entry) | Q(black=one.entry)
    return m.Game.objects.filter(side, section=one.section).exists()
