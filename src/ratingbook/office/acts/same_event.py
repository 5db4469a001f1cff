"""Which report a file is a new version of, and which only looks like it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date

from django.db.models import Q

from ratingbook.model import Finding, Findings, Place, Severity
from ratingbook.model.sentences import Sentence, sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.reports import is_of_others, refuse_others
from ratingbook.office.intake import Understood
from ratingbook.office.logic.names import told_apart
from ratingbook.office.logic.versions import same_pairings
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who

_SAME_EVENT = 0.8
"""Share of equal pairings from which two reports are of one event."""


def reports_called(key: str) -> list[int]:
    """The reports of a key, the oldest first; those of other events have a number behind it."""
    called = Q(event_key=key) | Q(event_key__startswith=f"{key}-")
    found = m.Report.objects.filter(called).order_by("id").values_list("id", "event_key")
    return [
        number for number, own in found if own == key or own.removeprefix(f"{key}-").isdecimal()
    ]


def is_of_it(one: Understood, pools: Collection[int], before: m.ReportVersion) -> bool:
    """Whether a file of the same name, place and days is of the event of a report.

    It is another one where no pool, or no player, is the same: a club has a rapid and a blitz
    tournament of one name on one day, and groups of an open are sent one by one.
    """
    theirs = set(m.Section.objects.filter(version=before).values_list("pool", flat=True))
    if None not in theirs and pools and theirs and not theirs & set(pools):
        return False
    there = _called(m.Entry.objects.filter(version=before).values_list("name", flat=True))
    here = _called(each.name for each in one.entries)
    return not there or not here or bool(there & here)


def version_before(
    one: Understood, reports: Iterable[int], pools: Collection[int], near: Near, who: Who
) -> tuple[m.ReportVersion | None, list[Finding]]:
    """The newest version of the report of whose event a file is, and what is told of it.

    ``reports`` are those of its key. None: the event is new. Refused where somebody else sent the
    report, or where it is called otherwise there. A draft is asked the same as what arrives.
    """
    some = list(reports)
    for report in some:
        before, alike = states.newest(report), states.compared(report)
        if alike is None or is_of_it(one, pools, alike):
            refuse_others(report, who)
            if alike is not None and states.refused_by_findings(alike):
                # Nobody has asked yet whether it is the event of another report.
                near.refuse_same(one)
            return before, []
    near.refuse_same(one)
    return None, [of_another(some[0], one.file)] if some else []


def _called(names: Iterable[str]) -> set[str]:
    return {told_apart(each) for each in names if each}


def of_another(number: int, file: str) -> Finding:
    """A file that only looks like one of a report's event."""
    return Finding(
        "office.another-event",
        Severity.INFO,
        sentence(
            "Report {number} has the same name and days, but is of another pool or of other "
            "players: this is taken as another event.",
            number=number,
        ),
        Place(file=file),
        sentence(
            "If it is a version of that report, refuse this one, and send the file with "
            "--version-of {number}.",
            number=number,
        ),
    )


class Near:
    """The reports of the same days: the same event from another sender is the usual case."""

    def __init__(self, reports: Sequence[Understood], who: Who) -> None:
        self._who = who
        spans = [span for each in reports if (span := each.days)]
        self._spans: list[tuple[date, date, int]] = []
        if spans:
            first, last = min(a for a, _ in spans), max(b for _, b in spans)
            sections = states.beside_refused(m.Section.objects).filter(
                end__gte=first, start__lte=last
            )
            self._spans = [
                (start, end, report)
                for start, end, report in sections.order_by("version__report")
                .values_list("start", "end", "version__report")
                .distinct()
                if start and end
            ]
        self._said: dict[int, frozenset[tuple[object, ...]]] = {}
        self._here: list[tuple[tuple[date, date], Understood]] = []

    def refuse_same(self, one: Understood) -> None:
        """Refuse a report of which another has four fifths of the pairings.

        What is refused for its own faults is told these, and is no event for others.
        """
        if Findings(one.findings).refused:
            return
        span = one.days
        if span is None:
            return
        near = [r for start, end, r in self._spans if end >= span[0] and start <= span[1]]
        for number in dict.fromkeys(near):
            if _is_same(share := same_pairings(self._pairings(number), one.pairings)):
                version = states.that_counts(number)
                name = states.name_of(version) if version else ""
                what = sentence("report {number} ({name})", number=number, name=name)
                if is_of_others(number, self._who):
                    raise _of_others(one, share, what)
                self._refuse(one, share, what, f"--version-of {number}")
        for other, there in self._here:
            if other[1] >= span[0] and other[0] <= span[1]:
                share = same_pairings(there.pairings, one.pairings)
                if _is_same(share):
                    self._refuse(one, share, there.file, "--version-of and its number")
        self._here.append((span, one))

    @staticmethod
    def _refuse(one: Understood, share: float, what: str, option: str) -> None:
        raise refuse(
            "office.same-event",
            sentence(
                "{share:.0%} of the pairings are those of {what}, of the same days.",
                share=share,
                what=what,
            ),
            f"If it is that event, receive the file with {option}; if it is another one, with "
            "--another.",
            Place(file=one.file),
        )

    def _pairings(self, number: int) -> frozenset[tuple[object, ...]]:
        if number not in self._said:
            version = states.that_counts(number)
            games = m.Game.of(version.id) if version else m.Game.objects.none()
            rows = games.values_list("round", "white__name", "black__name")
            self._said[number] = frozenset(
                (r, *sorted((told_apart(white), told_apart(black)))) for r, white, black in rows
            )
        return self._said[number]


def _of_others(one: Understood, share: float, what: Sentence) -> OfficeRefused:
    """The report of another sender, who alone sends a new version of it."""
    return refuse(
        "office.same-event-of-others",
        sentence(
            "{share:.0%} of the pairings are those of {what}, of the same days, which somebody "
            "else sent.",
            share=share,
            what=what,
        ),
        sentence(
            "If it is that event, its sender may send a new version, and you may tell the office "
            "what is to be changed; if it is another one, receive the file with --another."
        ),
        Place(file=one.file),
    )


def _is_same(share: float) -> bool:
    """Whether so many equal pairings are those of one event."""
    return share >= _SAME_EVENT
