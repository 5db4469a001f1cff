"""Outbox and inbox: what goes to other federations by when, and what comes from them.

To whom, in which form and within how many days is said by the policies of a pool; forms are
formats that the program writes.  The office knows of each only: due, sent, answered.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from ratingbook.formats.lists import OnList, looks_like_list, read_some
from ratingbook.formats.registry import targets
from ratingbook.formats.standings import read_numbered
from ratingbook.formats.tools.encodings import naming
from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts import abroad, states
from ratingbook.office.acts.imports import people_of
from ratingbook.office.acts.people import names_of
from ratingbook.office.acts.registry import hidden_numbers
from ratingbook.office.acts.sendings import ANSWERED, LIST, RECEIVED, REFUSED, SENT, step
from ratingbook.office.acts.setup import policy
from ratingbook.office.home import Home
from ratingbook.office.intake import MEDIA, Said, contents, read_data
from ratingbook.office.logic.countries import same_country
from ratingbook.office.logic.days import EARLIEST, can_begin, last_to_come
from ratingbook.office.logic.masked import token
from ratingbook.office.refused import OfficeRefused, not_written, refuse
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who, acting, check_may
from ratingbook.rules.wording import either

DUE = "due"


@dataclass(frozen=True)
class Outgoing:
    """What goes to a partner, and how far that is."""

    partner: str
    form: str
    report: int
    event: str
    due: date
    state: str
    overdue: bool


def outbox(today: date) -> list[Outgoing]:
    """All that has to go out, or went: of each published event the newest version."""
    now = _states()
    published = states.published_sections()
    found: dict[tuple[str, str, int], Outgoing] = {}
    pools = {each.id: policy(each, "sends") for each in m.Pool.objects.all()}
    sections = m.Section.objects.filter(id__in=published, end__isnull=False)
    for one in sections.select_related("version").order_by("id"):
        for partner, form, days in pools.get(one.pool or 0, ()):
            report = one.version.report_id
            state = now.get(("out", partner, form, f"report:{report}"), DUE)
            assert one.end is not None
            due = one.end + timedelta(days=days)
            found[partner, form, report] = Outgoing(
                partner, form, report, str(one.facts.get("name") or one.event), due, state,
                overdue=state == DUE and due < today,
            )  # fmt: skip
    return sorted(found.values(), key=lambda each: (each.due, each.partner, each.report))


def _states() -> dict[tuple[str, str, str, str], str]:
    return {
        (direction, partner, form, subject): state
        for direction, partner, form, subject, state in m.SendingStep.objects.order_by(
            "fact"
        ).values_list(
            "sending__direction", "sending__partner", "sending__form", "sending__subject", "state"
        )
    }


def send(home: Home, report: int, partner: str, out: Path, who: Who) -> tuple[list[str], Findings]:
    """Write a report as its partner takes it, and note that it was sent; gives the files."""
    check_may(who, "send")
    one = next((x for x in outbox(who.now().date()) if (x.report, x.partner) == (report, partner)),
               None)  # fmt: skip
    if one is None:
        raise refuse(
            "office.not-due",
            sentence("Report {report} does not go to {partner}.", report=report, partner=partner),
            "`ratingbook office outbox` lists what does; pool policy sends=… says what.",
        )
    target = targets().get(one.form)
    if target is None:
        raise refuse(
            "office.form",
            sentence("The program writes no {form!r}.", form=one.form),
            sentence("It writes {what}.", what=", ".join(targets())),
        )
    version, _ = states.named(str(report))
    said = m.Fact.objects.get(seq=version.fact).payload
    with naming(said.get("encoding")):
        data = blobs.load(home, version.blob_id)
        reading = read_data(data, version.blob.media, {}, said.get("columns"))
    if reading.report is None:
        raise OfficeRefused(reading.findings)
    written = target.write(Said.of(said).of_report(reading.report))
    findings = Findings(written.findings)
    if findings.refused:
        raise OfficeRefused(findings)
    names = []
    try:
        for name, data in written.files.items():
            path = out / name if name else out
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            names.append(str(path))
    except OSError as error:
        raise not_written(out, error) from None
    kept = [(blobs.keep(home, data), len(data)) for data in written.files.values()]
    with acting(who) as act:
        for sha256, size in kept:
            blobs.enter(sha256, size, MEDIA)
        step(act, "out", partner, one.form, f"report:{report}", SENT, one.due,
             [sha256 for sha256, _ in kept])  # fmt: skip
    return names, Findings([*findings, *act.findings])


def answered(
    report: int, partner: str, who: Who, reason: str = "", *, is_refused: bool = False
) -> Findings:
    """Note what a partner said of a report that was sent."""
    check_may(who, "send")
    one = m.Sending.objects.filter(
        direction="out", partner=partner, subject=f"report:{report}"
    ).first()
    if one is None:
        raise refuse(
            "office.not-sent",
            sentence("Report {report} was not sent to {partner}.", report=report, partner=partner),
            f"ratingbook office send {report} {partner} OUT",
        )
    with acting(who) as act:
        state = REFUSED if is_refused else ANSWERED
        step(act, "out", partner, one.form, one.subject, state, reason=reason)
    return act.findings


@dataclass(frozen=True)
class Arrived:
    """A list of a partner: how many are on it, and who of them the office knows."""

    fact: int
    rows: int
    players: tuple[dict[str, Any], ...]
    abroad: tuple[abroad.Update, ...]
    """Whom a pool's rules update for games that only the list tells of."""
    findings: Findings


def arrive(home: Home, path: Path, partner: str, day: date, who: Who) -> Arrived:
    """Take in a list of a partner, and find the persons on it by their numbers."""
    check_may(who, "send")
    _refuse_no_list(day, who.now().date())
    flags = {each.federation for each in abroad.told_by(partner).values()}
    found, rows, findings = _on_list(path, partner, abroad.numbers_of(partner), flags)
    if findings.refused:
        raise OfficeRefused(findings.in_file(str(path)))
    data = contents(path)[0]
    kept = blobs.keep(home, data)
    ids = people_of([each.entry.id for each in found], partner)
    known = [(ids[x.entry.id], x.entry) for x in found if x.entry.id in ids]
    names = names_of(person for person, _ in known)
    players = tuple(
        {
            "person": person, "name": names.get(person, ""), "id": entry.id,
            "rating": entry.standing.rating if entry.standing else None,
            "games": entry.standing.games if entry.standing else None,
        }
        for person, entry in sorted(known, key=lambda each: each[0])
    )  # fmt: skip
    with acting(who) as act:
        blobs.enter(kept, len(data), MEDIA)
        fact = step(
            act, "in", partner, LIST, f"list:{day.isoformat()}", RECEIVED, evidence=[kept],
            payload={
                "rows": rows, "known": len(players),
                "played": {
                    flag: [[x.entry.id, x.played] for x in found if _plays_for(x, flag)]
                    for flag in sorted(flags)
                },
            },
        )  # fmt: skip
    hidden = hidden_numbers()
    called = {
        number: token(whose) if (whose := hidden.get((partner, number))) else x.entry.name
        for x in found
        for number in (x.entry.id,)
    }
    updates = abroad.updates(partner, day, called)
    return Arrived(fact, rows, players, tuple(updates), Findings([*findings, *act.findings]))


def _refuse_no_list(day: date, today: date) -> None:
    """A list of a mistyped year would be the newest for ever, and no other would be missed."""
    if not can_begin(day, today):
        raise refuse(
            "office.far-ahead" if day > today else "office.impossible-day",
            sentence("No list that has come is of {day}.", day=day),
            sentence(
                "Name a day from {first} to {last}.", first=EARLIEST, last=last_to_come(today)
            ),
        )


def _on_list(
    path: Path, partner: str, numbers: Collection[str], flags: Collection[str]
) -> tuple[list[OnList], int, Findings]:
    """Who of a list, however long, is known here or may be updated, and how many it has."""

    def is_wanted(one: OnList) -> bool:
        return one.entry.id in numbers or any(_plays_for(one, flag) for flag in flags)

    if looks_like_list(path):
        return read_some(path, is_wanted)
    members, findings = read_numbered(path, partner)
    every = [OnList(each.entry, None) for each in members]
    return [each for each in every if is_wanted(each)], len(every), findings


def _plays_for(one: OnList, flag: str) -> bool:
    said = one.entry.federation
    return bool(one.played) and said is not None and same_country(said, flag)


def inbox(today: date) -> tuple[list[dict[str, Any]], Findings]:
    """The lists that came, the newest first, and those that are missed."""
    rows = m.Sending.objects.filter(direction="in", form=LIST).order_by("-subject", "partner")
    found: list[dict[str, Any]] = [
        {
            "partner": each.partner,
            "date": date.fromisoformat(each.subject.partition(":")[2]),
            "fact": each.made_by,
        }
        for each in rows
    ]
    findings = Findings()
    for pool in m.Pool.objects.order_by("id"):
        for partner, days in policy(pool, "receives"):
            days_of: list[date] = [x["date"] for x in found if x["partner"] == partner]
            newest = max(days_of, default=None)
            if newest is None or today - newest > timedelta(days):
                findings.add(
                    Severity.WARNING,
                    "office.list-missed",
                    sentence(
                        "The pool {pool} waits for a list of {partner}; none has come yet.",
                        pool=pool.name,
                        partner=partner,
                    )
                    if newest is None
                    else sentence(
                        "The pool {pool} waits for a list of {partner}; the newest is of {newest}.",
                        pool=pool.name,
                        partner=partner,
                        newest=newest,
                    ),
                    remedy=f"ratingbook office inbox FILE --from {partner} --date YYYY-MM-DD",
                )
            if newest is not None:
                late = abroad.overdue(partner, pool, days, today)
                _tell_late(findings, pool, partner, late)
    return found, findings


def _tell_late(findings: Findings, pool: m.Pool, partner: str, late: list[abroad.Update]) -> None:
    if late:
        findings.add(
            Severity.WARNING,
            "office.abroad-open",
            either(
                len(late),
                "The pool {pool}: {count} player of lists of {partner} has games elsewhere of "
                "which no report has come; the oldest list is of {day}.",
                "The pool {pool}: {count} players of lists of {partner} have games elsewhere of "
                "which no report has come; the oldest list is of {day}.",
                pool=pool.name,
                partner=partner,
                day=late[0].day,
            ),
            remedy=f"ratingbook office abroad --pool {pool.name}",
        )
