"""The identity desk: who is certain, who waits, and what an officer says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from itertools import groupby
from operator import attrgetter
from shlex import quote
from typing import Any, cast

from ratingbook.model import Finding, Findings, Place, Severity
from ratingbook.model.sentences import Sentence, packed, row_of, sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.again import match_again
from ratingbook.office.acts.identify import (
    doubts_of,
    is_published,
    matches_of,
    row_of_entry,
)
from ratingbook.office.acts.likelier import likelier, tell_likelier
from ratingbook.office.acts.masking import called_as, mask, masked_in
from ratingbook.office.acts.people import (
    Register,
    add_variant,
    canonical,
    exists,
    make_persons,
    of_entry,
)
from ratingbook.office.acts.pools import office_now
from ratingbook.office.acts.ready import at_desk, make_ready, version_at_desk
from ratingbook.office.acts.registry import hidden_numbers
from ratingbook.office.acts.ruled import refuse_link
from ratingbook.office.acts.same_entries import by_call
from ratingbook.office.acts.twice import refuse_twice, tell_twice
from ratingbook.office.limits import is_id
from ratingbook.office.logic.matching import CERTAIN_NAME, Match
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.logic.printed import Named
from ratingbook.office.logic.rounding import of_hundred
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act, Who, acting, check_may

_TOLD = 5
"""Those who wait on of whom each is told; of more it is said how many there are."""


def as_before(entries: Iterable[Named], before: m.ReportVersion | None) -> dict[str, int]:
    """Who entries of a new version are as in the version before, by their numbers.

    The same are who are called the same across versions, as games are; of several who are called so
    those that have the same number and name.
    """
    if before is None:
        return {}
    had = m.Entry.objects.filter(version=before)
    links = m.Link.objects.filter(entry__in=had, revoked_by__isnull=True)
    people = dict(links.values_list("entry", "person"))
    was, now = by_call(had), by_call(entries)
    found: dict[str, int] = {}
    for call, some in now.items():
        same = was.get(call, ())
        if len(some) == len(same) == 1 and same[0].id in people:
            found[some[0].number] = people[same[0].id]
    known = {(each.number, each.name): people[each.id] for each in had if each.id in people}
    taken = set(found.values())
    for each in (each for some in now.values() for each in some if each.number not in found):
        person = known.get((each.number, each.name))
        if person is not None and person not in taken:
            found[each.number] = person
    return found


@dataclass(frozen=True)
class Waiting:
    """An entry at the desk, with who it may be."""

    id: int
    report: int
    version: int
    entry: str
    name: str
    printed: Mapping[str, Any]
    why: str
    """Why nobody is certain."""
    is_certain: bool
    """Whether somebody is by now; who is matched again is linked."""
    candidates: tuple[Mapping[str, Any], ...]
    """With the birth years that the report and the office have where they differ: for officers, to
    decide by. They stand in no reason, since reasons are kept with links and go into bundles."""
    method: str
    """Whether candidates have one of its numbers, ``id``, or about its name, ``name``."""
    event: str
    """What its event is called."""
    about: Mapping[int, Mapping[str, str]]
    """What holds today of the candidates."""


def waiting(report: int | None = None) -> list[Waiting]:
    """All that waits at the desk, by report and entry."""
    from ratingbook.office.acts.published import shown_ratings_of

    every, found = list(at_desk(report)), []
    pools = {each.pool.id: each for each in office_now().pools} if every else {}
    registers: dict[int | None, Register] = {}
    for (number, _), some in groupby(every, attrgetter("report", "version_id")):
        entries: list[Any] = list(some)
        pool = entries[0].pool
        if pool not in registers:
            registers[pool] = Register(shown_ratings_of(pools.get(pool)))
        register = registers[pool]
        matches = matches_of([list(map(row_of_entry, entries))], register).matches[0]
        doubts = doubts_of(entries, matches)
        found += [
            _waiting(number, each, matches[each.number], doubts.get(each.id), register)
            for each in entries
        ]
    return found


def why_waits(one: Waiting, masked: Callable[[str], str]) -> str:
    """Why an entry waits; where it is called as somebody is not any more, that."""
    called = one.name or one.entry
    if one.candidates or masked(called) == called:
        return one.why
    return sentence("called as somebody was who is suppressed")


def told_waiting(report: int | None = None) -> list[dict[str, Any]]:
    """The same as programs are told, without the names of suppressed persons."""
    masked = mask()
    found = [replace(each, why=why_waits(each, masked)) for each in waiting(report)]
    return [masked_in(asdict(each), masked) for each in found]


def differing_years(said: int | None, known: int | None) -> list[int] | None:
    """The birth years of a report and of the office, where both have one and they differ."""
    return [said, known] if said and known and said != known else None


def _waiting(
    report: int, entry: Any, found: Match, doubt: Sentence | None, register: Register
) -> Waiting:
    is_certain = found.certain is not None and doubt is None
    why = doubt or found.why
    if is_certain:
        why = sentence("certain by now, and not linked yet: {why}", why=found.why)
    candidates = tuple(
        {
            "person": each.person, "name": register.names.get(each.person, ""),
            "score": round(each.score, 1), "reasons": list(each.reasons),
            "birth_years": differing_years(entry.year, register.known[each.person].birth_year),
        }
        for each in found.candidates
    )  # fmt: skip
    return Waiting(
        id=entry.id, report=report, version=entry.number_of_version, entry=entry.number,
        name=entry.name,
        printed=entry.printed, why=why, is_certain=is_certain, candidates=candidates,
        method=found.method,
        event=str((entry.facts or {}).get("name") or entry.event or ""),
        about={each.person: register.about.get(each.person, {}) for each in found.candidates},
    )  # fmt: skip


def _entry(report: int, number: str) -> m.Entry:
    """The entry that waits; else that of the newest version, unless that is refused."""
    waits: m.Entry | None = at_desk(report).filter(number=number).first()
    if waits is not None:
        return waits
    masked = mask()
    called = [each for each in at_desk(report) if masked(each.number) == number]
    if len(called) == 1:
        # As the desk tells it, which names nobody who is suppressed.
        return cast(m.Entry, called[0])
    version = version_at_desk(report)
    if version is None:
        raise states.no_report(report)
    entry = m.Entry.objects.filter(version=version, number=number).first()
    if entry is None:
        raise refuse(
            "office.no-entry",
            sentence("Report {report} has no entry {number!r}.", report=report, number=number),
            "`ratingbook office desk` lists those that wait.",
        )
    return entry


def link(
    report: int, number: str, person: str, who: Who, reason: str = ""
) -> tuple[int, int, Findings]:
    """Say who an entry is: a person, or ``new``; gives the fact and the person."""
    check_may(who, "link")
    with acting(who) as act:
        entry = _entry(report, number)
        before = m.Link.objects.filter(entry=entry, revoked_by__isnull=True).first()
        if before is not None and _is_said(before, person):
            act.findings.add(
                Severity.INFO,
                "office.linked-already",
                sentence("The desk has said so before; nothing was changed."),
            )
            return before.fact, canonical(before.person_id), act.findings
        if before is not None:
            refuse_link(before)
        _refuse_rated(entry)
        other = None
        if person == "new":
            _refuse_linked(entry, before)
            whose = _make(act, entry)
        elif is_id(person):
            exists(int(person))
            whose = canonical(int(person))
            other = likelier(entry, whose)
        else:
            raise refuse(
                "office.no-person",
                sentence("{person!r} is no number of a person.", person=person),
                sentence("Give a number, or new."),
            )
        refuse_twice(entry, whose)
        fact = act.fact(
            "linked", ("report", report), ("person", whose),
            *([("person", before.person_id)] if before else []), reason=reason,
            payload={
                "version": entry.version.number, "links": [[entry.number, whose, "hand"]],
            },
        )  # fmt: skip
        m.Link.objects.filter(entry=entry, revoked_by__isnull=True).update(revoked_by=fact)
        m.Link.objects.create(
            fact=fact,
            entry=entry,
            person_id=whose,
            method="hand",
            reasons=[packed(sentence("said at the desk"))],
        )  # fmt: skip
        add_variant(act, whose, entry.name, fact)
        tell_twice(act.findings, entry, whose)
        if other is not None:
            tell_likelier(act.findings, entry, whose, other)
        make_ready(act, entry.version)
        match_again(act, [whose])
    return fact, whose, act.findings


def _is_said(before: m.Link, person: str) -> bool:
    """Whether somebody has said at the desk already that an entry is this person."""
    same = is_id(person) and canonical(int(person)) == canonical(before.person_id)
    return same and before.method == "hand"


def _refuse_rated(entry: m.Entry) -> None:
    """Who an entry of a published report is stays; who it is once that is undone may be said."""
    is_linked = m.Link.objects.filter(entry=entry, revoked_by__isnull=True).exists()
    if is_linked and is_published(entry.version):
        raise refuse(
            "office.is-rated",
            sentence(
                "Report {report_id} is published: who its entries are is settled.",
                report_id=entry.version.report_id,
            ),
            "Undo the link with `ratingbook office undo FACT --entry ENTRY --reason …`, link it "
            "again, and look at what the next run changes before you approve it.",
        )


def _refuse_linked(entry: m.Entry, before: m.Link | None) -> None:
    """Whoever is known already is not made anew: the one before would stay, without an event."""
    if before is None:
        return
    whose = canonical(before.person_id)
    raise refuse(
        "office.linked-already",
        sentence(
            "Entry {entry} of report {report} is person {person} already: nobody new is made.",
            entry=entry.number, report=entry.version.report_id, person=whose,
        ),
        sentence(
            "If it is another person, give the number: {command}. If it is somebody whom the "
            "office does not know, undo the link first: {undo}.",
            command=f"ratingbook office link {entry.version.report_id} {quote(entry.number)} "
            "PERSON --reason TEXT",
            undo=f"ratingbook office undo {before.fact} --entry {quote(entry.number)} "
            "--reason TEXT",
        ),
    )  # fmt: skip


def _make(act: Act, entry: m.Entry) -> int:
    private = m.EntryPrivate.objects.filter(entry=entry).first()
    born: date | None = private.birth_date if private else None
    year = private.birth_year if private else None
    new = of_entry(entry.name or entry.number, entry.printed, born, year)
    return make_persons(act, [new])[1][0]


def _tell_left(found: Sequence[Waiting], findings: Findings) -> None:
    """Who goes on waiting, since the office may know them: for whom, why, and what decides."""
    known = [each for each in found if each.candidates]
    if len(known) > _TOLD:
        _tell_many(known, findings)
        return
    for each in known:
        best, others = each.candidates[0], len(each.candidates) - 1
        whom = sentence(
            "person {person}, {name} (score {score:g})", person=best["person"], name=best["name"],
            score=of_hundred(best["score"]),
        )  # fmt: skip
        if others == 1:
            whom = sentence("{one}, or 1 other person", one=whom)
        elif others:
            whom = sentence("{one}, or {others} other persons", one=whom, others=others)
        command = f"ratingbook office link {each.report} {quote(each.entry)}"
        remedy = f"`{command} {best['person']}` says that it is that person"
        if each.method == "id":
            # A number is one person's: somebody new cannot come in with it.
            name = quote(each.name or each.entry)
            remedy += (
                f". Else its number is wrong: `ratingbook office person add {name}` makes somebody "
                "new, to be linked in the same way; or the sender corrects the file."
            )
        else:
            remedy += (
                f", `{command} new` that it is somebody new; `ratingbook office desk` shows all "
                "candidates."
            )
        findings.add(
            Severity.WARNING,
            "office.may-be-known",
            sentence(
                "{what} waits on: may be {whom}; {why}.",
                what=each.name or each.entry,
                whom=whom,
                why=each.why,
            ),
            Place(player=each.entry),
            remedy,
        )


def _tell_many(known: Sequence[Waiting], findings: Findings) -> None:
    shown = [
        sentence(
            "{what} may be person {person}, {name} (score {score:g})",
            what=each.name or each.entry, person=each.candidates[0]["person"],
            name=each.candidates[0]["name"], score=of_hundred(each.candidates[0]["score"]),
        )
        for each in known[:_TOLD]
    ]  # fmt: skip
    places = tuple(Place(player=each.entry) for each in known[:_TOLD])
    report = known[0].report
    findings.extend(
        [
            Finding(
                "office.may-be-known",
                Severity.WARNING,
                sentence(
                    "Entries wait on, since the office may know them ({count} in all): {who}.",
                    count=len(known), who=row_of(shown, "; "),
                ),
                remedy=f"`ratingbook office desk {report}` shows all of them with candidates; "
                f"`ratingbook office link {report} ENTRY PERSON` says who one is, with `new` in "
                "place of the number that it is somebody new.",
                count=len(known), places=places,
            )
        ]
    )  # fmt: skip


def _hidden(entries: Iterable[m.Entry]) -> dict[str, int]:
    """The entries that have numbers of suppressed persons, and whose these are."""
    numbers = hidden_numbers()
    return {
        each.number: numbers[said]
        for each in entries if numbers
        for said in (each.printed.get("ids") or {}).items() if said in numbers
    }  # fmt: skip


def _tell_hidden(
    report: int, hidden: Mapping[str, int], findings: Findings, *, by_number: bool
) -> None:
    """A new person would bring back the number of a suppressed one, or be called as that one was.

    Who is only called so may be a namesake.
    """
    hiding = mask()
    for entry, person in hidden.items():
        shown = hiding(entry)
        values = {"entry": shown, "person": person}
        findings.add(
            Severity.WARNING,
            "office.hidden-number" if by_number else "office.hidden-name",
            sentence(
                "Entry {entry} waits on: it has the number of person {person}, who is suppressed.",
                **values,
            )
            if by_number
            else sentence(
                "Entry {entry} waits on: it is called as person {person} was, who is suppressed.",
                **values,
            ),
            Place(player=shown),
            sentence(
                "`ratingbook office link {report} {entry} {person}` says that it is that person, "
                "whom nobody sees; with `new` in place of the number it is {other}.",
                report=report, entry=quote(shown), person=person,
                other=sentence("somebody else") if by_number else sentence("a namesake"),
            ),
        )  # fmt: skip


def link_new(report: int, who: Who, reason: str = "") -> tuple[list[int], Findings]:
    """Everybody of a report who waits without a candidate is somebody new; the others are told."""
    check_may(who, "link")
    with acting(who) as act:
        every, first, found = _waiting_now(act, report)
        _tell_left(found, act.findings)
        alone = {each.entry for each in found if not each.candidates}
        hidden = _hidden(every)
        _tell_hidden(report, hidden, act.findings, by_number=True)
        names = called_as({e.name or e.number for e in every if e.number not in hidden})
        called = {
            e.number: names[e.name or e.number]
            for e in every if e.number in alone and e.number not in hidden
            and (e.name or e.number) in names
        }  # fmt: skip
        _tell_hidden(report, called, act.findings, by_number=False)
        hidden |= called
        entries = [
            e for e in every
            if e.number_of_version == first and e.number in alone and e.number not in hidden
        ]  # fmt: skip
        if not entries:
            return [], act.findings
        version = entries[0].version
        private = {each.entry_id: each for each in m.EntryPrivate.objects.filter(entry__in=entries)}
        people: list[NewPerson] = []
        for each in entries:
            born = private.get(each.id)
            people.append(
                of_entry(
                    each.name or each.number, each.printed, born.birth_date if born else None,
                    born.birth_year if born else None,
                )
            )  # fmt: skip
        _, numbers = make_persons(act, people, reason)
        pairs = list(zip(entries, numbers, strict=True))
        _link_all(act, report, version, pairs, sentence("new, said at the desk"))
    return numbers, act.findings


def link_best(report: int, who: Who, reason: str = "") -> tuple[int, Findings]:
    """Everybody of a report who waits with one likely candidate alone is that person.

    Likely is whose score is that of a certain name, with nothing against it; gives how many there
    are, and tells of the others.
    """
    check_may(who, "link")
    with acting(who) as act:
        every, first, found = _waiting_now(act, report)
        entries = {each.number: each for each in every if each.number_of_version == first}
        chosen = _likely(found, entries)
        _tell_left([each for each in found if each.entry not in chosen], act.findings)
        pairs = [(entries[number], person) for number, person in chosen.items()]
        if pairs:
            version = pairs[0][0].version
            said = sentence("the one likely candidate, said at the desk")
            fact = _link_all(act, report, version, pairs, said, reason)
            for entry, person in pairs:
                add_variant(act, person, entry.name, fact)
    return len(pairs), act.findings


def _waiting_now(act: Act, report: int) -> tuple[list[Any], int | None, list[Waiting]]:
    """Who of a report waits once the certain are linked, and with whom they may be one.

    The entries are of all versions; in another one than the first they are the same people.
    """
    every: list[Any] = list(at_desk(report))
    if not every and states.newest(report) is None:
        raise states.no_report(report)
    if match_again(act, report=report):
        every = list(at_desk(report))
    first = every[0].number_of_version if every else None
    return every, first, [each for each in waiting(report) if each.version == first]


def _likely(found: Sequence[Waiting], entries: Mapping[str, Any]) -> dict[str, int]:
    """The one candidate who is likely, by entry; nobody whom two entries would be."""
    if not entries:
        return {}
    version = next(iter(entries.values())).version
    live = m.Link.objects.filter(entry__version=version, revoked_by__isnull=True)
    linked = {canonical(each) for each in live.values_list("person", flat=True)}
    gone = m.Link.objects.filter(entry__version=version, revoked_by__isnull=False)
    taken_back = set(gone.values_list("entry__number", flat=True))
    chosen: dict[str, int] = {}
    for each in found:
        likely = [x for x in each.candidates if x["score"] >= CERTAIN_NAME]
        is_open = each.method == "name" and each.entry not in taken_back
        if is_open and len(likely) == 1 and not likely[0]["birth_years"]:
            chosen[each.entry] = likely[0]["person"]
    times = Counter(chosen.values())
    return {
        number: person for number, person in chosen.items()
        if times[person] == 1 and person not in linked
    }  # fmt: skip


def _link_all(
    act: Act, report: int, version: m.ReportVersion, pairs: Sequence[tuple[Any, int]],
    said: Sentence, reason: str = "",
) -> int:  # fmt: skip
    """Link entries that nobody was linked to, by one fact."""
    numbers = [person for _, person in pairs]
    fact = act.fact(
        "linked", ("report", report), *(("person", each) for each in numbers), reason=reason,
        payload={
            "version": version.number,
            "links": [[entry.number, person, "hand"] for entry, person in pairs],
        },
    )  # fmt: skip
    m.Link.objects.bulk_create(
        [
            m.Link(fact=fact, entry=entry, person_id=person, method="hand", reasons=[packed(said)])
            for entry, person in pairs
        ]
    )
    make_ready(act, version)
    match_again(act, numbers)
    return fact
