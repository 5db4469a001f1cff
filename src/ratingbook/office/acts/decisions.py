"""What the office itself decides of a person: opening ratings, titles, what a rule book knows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from ratingbook.formats.tools.encodings import named
from ratingbook.model import Findings, Place, Severity
from ratingbook.model.sentences import row_of, sentence
from ratingbook.office.acts.people import canonical, exists
from ratingbook.office.acts.setup import pool_named, rules_of
from ratingbook.office.engine import decision_kinds, why_no_decision
from ratingbook.office.home import Home
from ratingbook.office.intake import MEDIA, contents
from ratingbook.office.limits import LABEL, refuse_long
from ratingbook.office.logic.days import EARLIEST, can_begin, last_begin
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who, acting, check_may

OPENING, TITLE = "opening", "title"
WORDS: Mapping[str, Sequence[str]] = {
    "assumed": ("initial_rating", OPENING),
    "floor": ("money_floor",),
    "reset": ("reset_rating", "adjusted_rating", "base_rating"),
}
"""Words of officers: the first of these that the pool's rule book knows is meant."""


@dataclass(frozen=True)
class Deciding:
    """A decision before it is one; ``since`` is the day from which it holds, else today."""

    person: int
    kind: str
    value: str
    pool: str
    reason: str
    since: date | None = None
    evidence: Sequence[Path] = ()


def kinds_of(pool: m.Pool) -> list[str]:
    """What can be decided in a pool."""
    return [OPENING, TITLE, *decision_kinds(rules_of(pool))]


def decide(home: Home, said: Deciding, who: Who) -> tuple[int, Findings]:
    """Decide something of a person, for a reason; gives the fact."""
    check_may(who, "decide")
    if not said.reason.strip():
        raise refuse(
            "office.reason", sentence("A decision needs a reason."), "Give one with --reason."
        )
    refuse_long(said.value, LABEL, sentence("What is decided"))
    exists(said.person)
    pool = pool_named(said.pool)
    kind = _kind(pool, said.kind)
    value: object = said.value.strip() if kind == TITLE else _number(pool, kind, said.value)
    since = None if kind == OPENING else said.since or who.now().date()
    if since is not None:
        refuse_since(since, who.now().date())
    files = [contents(path)[0] for path in said.evidence]
    kept = [blobs.keep(home, each) for each in files]
    with acting(who) as act:
        for sha256, data in zip(kept, files, strict=True):
            blobs.enter(sha256, len(data), MEDIA)
        person = canonical(said.person)
        stored: dict[str, Any] = {"value": value}
        if kind == OPENING:
            # Games and whatever else somebody came in with stay.
            before = _replaced(pool, person, kind, since).values_list("value", flat=True).first()
            stored = {**(before or {}), "rating": value}
        fact = act.fact(
            "decision", ("person", person), ("pool", pool.id),
            payload={"kind": kind, "value": stored}, reason=said.reason, evidence=kept,
            true_from=since,
        )  # fmt: skip
        if kind == TITLE:
            m.PersonAttribute.objects.create(
                person_id=person, key=TITLE, value=str(value), true_from=since, fact=fact
            )
        else:
            _replaced(pool, person, kind, since).update(revoked_by=fact)
            m.Decision.objects.create(
                fact=fact, pool=pool, person_id=person, kind=kind, value=stored
            )
    return fact, act.findings


def refuse_since(day: date, today: date) -> None:
    """Refuse a day from which nothing can hold."""
    if not can_begin(day, today):
        raise refuse(
            "office.since",
            sentence("Nothing holds from {day} on.", day=day),
            sentence("Name a day from {first} to {last}.", first=EARLIEST, last=last_begin(today)),
        )


def _replaced(pool: m.Pool, person: int, kind: str, since: date | None) -> Any:
    """What the new decision takes the place of: of one kind there is one for each day."""
    before = m.Decision.objects.filter(pool=pool, person=person, kind=kind, revoked_by__isnull=True)
    if kind == OPENING:
        return before
    facts = m.Fact.objects.filter(seq__in=before.values("fact"), true_from=since)
    return before.filter(fact__in=list(facts.values_list("seq", flat=True)))


def _kind(pool: m.Pool, word: str) -> str:
    known = kinds_of(pool)
    if word in known:
        return word
    found = next((each for each in WORDS.get(word, ()) if each in known), None)
    if found is None:
        raise refuse(
            "office.decision-kind",
            sentence("{rulebook} knows no decision {word!r}.", rulebook=pool.rulebook, word=word),
            sentence("In the pool {name} there are {all}.", name=pool.name, all=", ".join(known)),
        )
    return found


def _number(pool: m.Pool, kind: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise refuse(
            "office.value",
            sentence("{text!r} is no number.", text=text),
            sentence("Write a number."),
        ) from None
    why = why_no_decision(rules_of(pool), None if kind == OPENING else kind, value)
    if why:
        raise refuse("office.value", why, sentence("Write one that is."))
    return value


def dated_decisions(pool: int, upto: int) -> list[tuple[int, int, date, str, float, str]]:
    """Fact, person, day, kind, value and reason of what was decided, as known at a fact.

    Opening ratings are not among them: they are what a person brings along.
    """
    rows = [
        each
        for each in m.Decision.objects.filter(pool=pool, fact__lte=upto)
        .exclude(kind=OPENING)
        .order_by("fact", "id")
        if each.revoked_by is None or each.revoked_by > upto
    ]
    facts = m.Fact.objects.in_bulk([each.fact for each in rows])
    found = []
    for each in rows:
        fact, said = facts[each.fact], each.value
        day = date.fromisoformat(said["from"]) if "from" in said else fact.true_from
        if day is not None:
            reason = said.get("reason") or fact.reason
            found.append((each.fact, each.person_id, day, each.kind, float(said["value"]), reason))
    return found


def import_decisions(
    home: Home, path: Path, scheme: str, pool_name: str, reason: str, who: Who
) -> tuple[int, int, Findings]:
    """What another office has decided, by one fact: ``player``, ``date``, ``kind``, ``value``.

    The players are numbers of a register.  Gives the fact, and how many decisions it holds.
    """
    check_may(who, "decide")
    pool = pool_named(pool_name)
    data = contents(path)[0]
    findings = Findings()
    rows = list(_lines(pool, scheme, data, findings, who.now().date()))
    if findings.refused or not rows:
        if not rows and not findings:
            findings.add(Severity.ERROR, "office.empty", sentence("The file holds no decision."))
        raise OfficeRefused(findings.in_file(path.name))
    kept = blobs.keep(home, data)
    with acting(who) as act:
        blobs.enter(kept, len(data), MEDIA)
        fact = act.fact(
            "decision", ("pool", pool.id), payload={"kind": "several", "decisions": len(rows)},
            reason=reason, evidence=[kept],
        )  # fmt: skip
        m.Decision.objects.bulk_create(
            [m.Decision(fact=fact, pool=pool, person_id=p, kind=k, value=v) for p, k, v in rows],
            batch_size=5000,
        )
    return fact, len(rows), act.findings


def _lines(
    pool: m.Pool, scheme: str, data: bytes, findings: Findings, today: date
) -> Iterator[tuple[int, str, dict[str, Any]]]:
    known = {
        value: canonical(person)
        for value, person in m.ExternalId.objects.filter(
            scheme=scheme, revoked_by__isnull=True
        ).values_list("value", "person")
    }
    text = data.decode(named() or "utf-8-sig", "replace")
    for row in (lines := csv.DictReader(io.StringIO(text))):
        try:
            person = known[row["player"]]
            day = date.fromisoformat(row["date"])
            kind = _kind(pool, row["kind"])
            if kind in (OPENING, TITLE):
                raise ValueError(sentence("a decision {kind} is not dated by a file", kind=kind))
            value = _number(pool, kind, row["value"])
            refuse_since(day, today)
        except KeyError as error:
            what = sentence(
                "the register {scheme} has no number {number}, or the file no such column",
                scheme=scheme, number=error,
            )  # fmt: skip
        except OfficeRefused as refused:
            what = row_of((each.message for each in refused.findings), "; ")
        except (TypeError, ValueError) as error:
            what = error.args[0]
        else:
            said = {"value": value, "from": day.isoformat()}
            if row.get("reason"):
                said["reason"] = row["reason"]
            yield person, kind, said
            continue
        findings.add(
            Severity.ERROR,
            "office.decision-line",
            sentence("The line is no decision: {what}.", what=what),
            Place(line=lines.line_num),
            sentence("Write player,date,kind,value,reason."),
        )
