"""Who waits at the desk is matched again once the office knows more; the certain are linked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from ratingbook.model import Findings, Place, Severity
from ratingbook.model.sentences import packed, row_of, sentence
from ratingbook.office.acts import identify, states
from ratingbook.office.acts.masking import mask, masked_in
from ratingbook.office.acts.people import Register, merges
from ratingbook.office.acts.pools import office_now
from ratingbook.office.acts.ready import at_desk, make_ready
from ratingbook.office.logic.matching import VERSION, Match
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import SYSTEM, Act, Who, acting, check_may
from ratingbook.rules.wording import either

_SHOWN = 3
_MANY = 2000
"""Persons from which on all who wait are looked at: to ask whom they touch costs more."""


class Linked(NamedTuple):
    """Who an entry that waited is, and why that is certain."""

    report: int
    entry: str
    name: str
    person: int
    why: Sequence[str]
    fact: int


def match_all(who: Who, report: int | None = None) -> tuple[list[Linked], Findings]:
    """Look again at all who wait at the desk, or at those of one report."""
    check_may(who, "link")
    with acting(who) as act:
        if report is not None:
            states.refuse_unknown(report)
        found = match_again(act, report=report)
    return found, act.findings


def match_people(who: Who, people: Iterable[int]) -> Findings:
    """Look again at those at the desk whom something new that is known of persons touches."""
    with acting(who) as act:
        match_again(act, people)
    return act.findings


def match_again(
    act: Act, people: Iterable[int] | None = None, report: int | None = None
) -> list[Linked]:
    """Link those at the desk who are certain by now; ``people``: of whom something new is known.

    Whose link somebody has taken back waits for somebody, as do entries of what is published.
    """
    from ratingbook.office.acts.published import shown_ratings_of

    waiting = _of_touched(list(at_desk(report)), people)
    pools = {each.pool.id: each for each in office_now().pools} if waiting else {}
    by_ratings: dict[str | None, list[list[Any]]] = defaultdict(list)
    for _, some in groupby(waiting, attrgetter("report", "version_id")):
        entries = list(some)
        pool = pools.get(entries[0].pool)
        by_ratings[pool.ratings if pool else None].append(entries)
    found: list[Linked] = []
    for reports in by_ratings.values():
        register = Register(shown_ratings_of(pools.get(reports[0][0].pool)))
        rows = [list(map(identify.row_of_entry, entries)) for entries in reports]
        matches = identify.matches_of(rows, register).matches
        for entries, each in zip(reports, matches, strict=True):
            found += _link(act, entries, each)
    return sorted(found)


def _of_touched(waiting: list[Any], people: Iterable[int] | None) -> list[Any]:
    """Those of the entries that have a key of a name, or a number, in common with the persons."""
    if people is None or not waiting:
        return waiting
    some = set(people)
    if len(some) > _MANY:
        return waiting
    merged = merges()
    some |= {merged.get(each, each) for each in some}
    some |= {source for source, target in merged.items() if target in some}
    keys = set(m.NameKey.objects.filter(person__in=some).values_list("key", flat=True))
    live = m.ExternalId.objects.filter(person__in=some, revoked_by__isnull=True)
    numbers = set(live.values_list("scheme", "value"))
    found = []
    for each in waiting:
        said = identify.described_of(identify.row_of_entry(each))
        if not (keys.isdisjoint(Register.keys(said)) and numbers.isdisjoint(said.ids.items())):
            found.append(each)
    return found


def _link(act: Act, entries: Sequence[Any], matches: Mapping[str, Match]) -> list[Linked]:
    """Link the certain of the entries of one version, by one fact of the office itself."""
    doubts = identify.doubts_of(entries, matches)
    certain = [
        (each, match, match.certain) for each in entries
        if (match := matches[each.number]).certain is not None and each.id not in doubts
    ]  # fmt: skip
    if not certain:
        return []
    report, version = entries[0].report, entries[0].version
    fact = act.fact(
        "linked",
        ("report", report),
        *(("person", best.person) for _, _, best in certain),
        payload={
            "version": version.number, "matcher": VERSION,
            "links": [[each.number, best.person, match.method] for each, match, best in certain],
        },
        actor=SYSTEM,
    )  # fmt: skip
    m.Link.objects.bulk_create(
        [
            m.Link(
                fact=fact, entry=each, person_id=best.person, method=match.method,
                score=round(best.score, 2), reasons=[packed(why) for why in match.because],
            )
            for each, match, best in certain
        ]
    )  # fmt: skip
    make_ready(act, version)
    found = [
        Linked(report, each.number, each.name, best.person, match.because, fact)
        for each, match, best in certain
    ]
    _tell(act.findings, found)
    return found


def _tell(findings: Findings, found: Sequence[Linked]) -> None:
    hiding = mask()
    shown = [
        sentence(
            "{who} is person {person} ({why})", who=hiding(each.name or each.entry),
            person=each.person, why=masked_in(row_of(each.why, ", "), hiding),
        )
        for each in found[:_SHOWN]
    ]  # fmt: skip
    more = len(found) - len(shown)
    if more:
        shown.append(sentence("and {n} more", n=more))
    findings.add(
        Severity.INFO,
        "office.certain-now",
        either(
            len(found),
            "{count} entry of report {report} that waited is certain now, and linked: {who}.",
            "{count} entries of report {report} that waited are certain now, and linked: {who}.",
            report=found[0].report,
            who=row_of(shown, "; "),
        ),
        Place(),
        sentence(
            "If one is wrong, take it back: `ratingbook office undo {fact} --entry ENTRY "
            "--reason …`.",
            fact=found[0].fact,
        ),
    )
