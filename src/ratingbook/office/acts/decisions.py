"""What the office itself decides of a person: opening ratings, titles, what a rule book knows."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ratingbook.formats.lists import iccf
from ratingbook.formats.tables import listings
from ratingbook.formats.tools.encodings import named
from ratingbook.model import Findings, Place, Severity
from ratingbook.model.sentences import Sentence, row_of, sentence
from ratingbook.office.acts.people import canonical, exists, live_at
from ratingbook.office.acts.ruled import refuse_dated, refuse_opening
from ratingbook.office.acts.setup import pool_named, rules_of
from ratingbook.office.engine.rules import decision_kinds, why_no_decision
from ratingbook.office.home import Home
from ratingbook.office.intake import MEDIA, contents
from ratingbook.office.limits import LABEL, REASON, refuse_long
from ratingbook.office.logic.days import EARLIEST, can_begin, last_to_come
from ratingbook.office.logic.feeding import of_one_person
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store import blobs, ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act, Who, acting, check_may

OPENING, TITLE = "opening", "title"
SEVERAL = "several"
"""Of a fact that holds all that a file says, of whatever kinds."""
WORDS: Mapping[str, Sequence[str]] = {
    "assumed": ("initial_rating", OPENING),
    "floor": ("money_floor",),
    "reset": ("reset_rating", "adjusted_rating", "base_rating"),
}
"""Words of officers: the first of these that the pool's rule book knows is meant."""
TITLES = listings.TITLES | iccf.TITLES
"""The titles that files of federations have."""
_FEW = 500
"""Persons of whom a query can name each."""


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


def dated_kinds_of(pool: m.Pool) -> list[str]:
    """What can be decided in a pool from a day on by which somebody is rated."""
    return decision_kinds(rules_of(pool))


def kinds_of(pool: m.Pool) -> list[str]:
    """What can be decided in a pool."""
    return [OPENING, TITLE, *dated_kinds_of(pool)]


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
    value: object = _title(said.value) if kind == TITLE else _number(pool, kind, said.value)
    since = _since(kind, said.since, who.now().date())
    files = [contents(path)[0] for path in said.evidence]
    kept = [blobs.keep(home, each) for each in files]
    with acting(who) as act:
        for sha256, data in zip(kept, files, strict=True):
            blobs.enter(sha256, len(data), MEDIA)
        person = canonical(said.person)
        stored: dict[str, Any] = {"value": value}
        if kind == OPENING:
            refuse_opening(
                pool, [person],
                f"ratingbook office correct --pool {pool.name} --person {person} --opening "
                f"rating={said.value} --reason TEXT",
            )  # fmt: skip
            before = openings_held(pool, [person]).get(person)
            # Games and whatever else somebody came in with stay.
            stored = {**(before or {}), "rating": value}
        elif since is not None and kind != TITLE:
            refuse_dated(
                pool, {person: since},
                f"ratingbook office correct --pool {pool.name} --person {person} --decide "
                f"{kind}={said.value} --from {since} --reason TEXT",
            )  # fmt: skip
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
            # What was decided before goes on to be there: it holds again once this is undone.
            m.Decision.objects.create(
                fact=fact, pool=pool, person_id=person, kind=kind, value=stored
            )
        if kind == OPENING and before:
            _tell_replaced(act, pool, person, before)
    return fact, act.findings


def _tell_replaced(act: Act, pool: m.Pool, person: int, before: Mapping[str, Any]) -> None:
    """Somebody who has a rating of before is not to get another one by a slip."""
    act.findings.add(
        Severity.WARNING,
        "office.opening-replaced",
        sentence(
            "Person {person} came into the pool {pool} with {before} so far; that holds no longer.",
            person=person,
            pool=pool.name,
            before=", ".join(f"{key} {value}" for key, value in before.items()),
        ),
        remedy=sentence("If that was a slip, undo the decision: what was said before holds again."),
    )


def as_decided(
    pool: m.Pool, word: str, text: str, since: date | None, today: date
) -> tuple[str, float, date]:
    """What is decided of somebody from a day on, with that day: kind, value and day."""
    kind = _kind(pool, word)
    if kind in (OPENING, TITLE):
        raise refuse(
            "office.decision-kind",
            sentence("An {kind} is not decided from a day on.", kind=kind)
            if kind == OPENING
            else sentence("Nobody is rated by a title."),
            sentence("Name another kind; `--opening` corrects with what somebody comes in."),
        )
    return kind, _number(pool, kind, text), _since(kind, since, today) or today


def told(seq: int) -> tuple[dict[str, Any], Sentence]:
    """What a decision of one person is, for those who made it: for JSON, and in words."""
    fact = m.Fact.objects.get(seq=seq)
    about = dict(m.FactSubject.objects.filter(fact=fact).values_list("kind", "subject"))
    person, pool = int(about["person"]), m.Pool.objects.get(id=about["pool"]).name
    kind, stored = fact.payload["kind"], fact.payload["value"]
    value = stored["rating"] if kind == OPENING else stored["value"]
    found = {"person": person, "pool": pool, "kind": kind, "value": value, "from": fact.true_from}
    shown = f"{value:.10g}" if isinstance(value, float) else value
    since: Any = fact.true_from
    if kind == OPENING:
        since = sentence("before all games")
    elif fact.true_from is not None:
        since = sentence("from {day} on", day=fact.true_from)
    return found, sentence(
        "person {person}, pool {pool}: {kind} {value}, {since}",
        person=person, pool=pool, kind=kind, value=shown, since=since,
    )  # fmt: skip


def openings_held(
    pool: m.Pool | int, people: Collection[int] | None = None, upto: int | None = None,
    without: Collection[int] = (),
) -> dict[int, dict[str, Any]]:  # fmt: skip
    """With what persons come into a pool: of each the newest that nobody has undone.

    ``without`` are facts that do not count.
    """
    number = pool if isinstance(pool, int) else pool.id
    some = None if people is None or len(people) >= _FEW else frozenset(people)
    # As of several facts of one moment: all that was ever said is read together.
    rows = ledger.once(("openings", number, some), partial(_openings_ever, number, some))
    found = {
        person: value for fact, revoked, person, value in rows
        if fact not in without and (
            revoked is None if upto is None
            else fact <= upto and (revoked is None or revoked > upto)
        )
    }  # fmt: skip
    # A correction may have said that somebody comes in with nothing.
    asked = found.keys() if people is None else set(people)
    return {p: value for p, value in found.items() if value is not None and p in asked}


def _openings_ever(
    pool: int, people: frozenset[int] | None
) -> Sequence[tuple[int, int | None, int, dict[str, Any] | None]]:
    """Each in its order: since and until which fact, of whom, and what."""
    query = m.Decision.objects.filter(pool=pool, kind=OPENING)
    if people is not None:
        query = query.filter(person__in=list(people))
    columns = ("fact", "revoked_by", "person", "value")
    return list(query.order_by("fact", "id").values_list(*columns))


def openings_that_count(
    pool: m.Pool | int,
    people: Collection[int],
    merged: Mapping[int, int],
    upto: int | None = None,
    tried: Mapping[int, Mapping[str, Any] | None] = MappingProxyType({}),
    undone: Collection[int] = (),
) -> dict[int, Mapping[str, Any]]:
    """With what some persons come into a pool, whoever is ``merged`` into them, as runs take it.

    ``tried`` is what is said beside what is held, and ``undone`` are facts that do not count.
    """
    several = {source for source, target in merged.items() if target in people}
    held = openings_held(pool, {*people, *several}, upto, undone)
    found = of_one_person({**held, **tried}, merged)
    return {person: value for person, value in found.items() if person in people}


def opened_in(pools: Collection[int], people: Collection[int]) -> frozenset[int]:
    """The pools into which any of some persons, who may be one, came with a rating."""
    query = m.Decision.objects.filter(
        live_at(None), pool__in=pools, person__in=people, kind=OPENING
    ).order_by("fact", "id")  # fmt: skip
    said = {(p, who): value for p, who, value in query.values_list("pool", "person", "value")}
    return frozenset(
        pool for (pool, _), value in said.items() if value and value.get("rating") is not None
    )


def _kind(pool: m.Pool, word: str) -> str:
    known = kinds_of(pool)
    meant = {each: each for each in known}
    for other, kinds in WORDS.items():
        found = next((each for each in kinds if each in known), None)
        if found is not None:
            meant.setdefault(other, found)
    if word not in meant:
        told = [word if word == kind else f"{word} ({kind})" for word, kind in meant.items()]
        raise refuse(
            "office.decision-kind",
            sentence("{rulebook} knows no decision {word!r}.", rulebook=pool.rulebook, word=word),
            sentence("In the pool {name} there are {all}.", name=pool.name, all=", ".join(told)),
        )
    return meant[word]


def _title(text: str) -> str:
    title = text.strip().upper()
    if title not in TITLES:
        raise refuse(
            "office.title",
            sentence("Nobody knows a title {text!r}.", text=text),
            sentence(
                "There are {all}. `ratingbook office person edit PERSON --set title=TEXT` says "
                "another one.",
                all=", ".join(sorted(TITLES)),
            ),
        )
    return title


def _since(kind: str, said: date | None, today: date) -> date | None:
    """From when a decision holds; what somebody comes in with does before all games."""
    if kind == OPENING:
        if said is not None:
            raise refuse(
                "office.opening-day",
                sentence("An opening rating holds before all games, not from {day} on.", day=said),
                sentence("Name no day, or decide another kind: a reset holds from a day on."),
            )
        return None
    since = said or today
    if not can_begin(since, today):
        raise refuse(
            "office.since",
            sentence("Nothing that is decided now holds from {day} on.", day=since),
            sentence(
                "Name a day from {first} to {last}.", first=EARLIEST, last=last_to_come(today)
            ),
        )
    return since


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

    Of one person, kind and day the last of these holds; once it is undone, the one before.
    Opening ratings are not among them: they are what a person brings along.
    """
    live = m.Decision.objects.filter(live_at(upto), pool=pool).exclude(kind=OPENING)
    rows = list(live.order_by("fact", "id"))
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
    since: dict[int, date] = {}
    for person, _, decided in rows:
        day = date.fromisoformat(decided["from"])
        since[person] = min(day, since.get(person, day))
    kept = blobs.keep(home, data)
    with acting(who) as act:
        refuse_dated(
            pool, since,
            f"ratingbook office correct --pool {pool.name} --person PERSON --decide KIND=VALUE "
            "--from DATE --reason TEXT",
        )  # fmt: skip
        blobs.enter(kept, len(data), MEDIA)
        fact = act.fact(
            "decision", ("pool", pool.id), reason=reason, evidence=[kept],
            payload={
                "kind": SEVERAL, "decisions": len(rows),
                **({"encoding": named()} if named() else {}),
            },
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
            _since(kind, day, today)
            value = _number(pool, kind, row["value"])
            refuse_long(row.get("reason") or "", REASON, sentence("The reason"))
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
            # What was refused by itself is a whole sentence.
            sentence("The line is no decision: {what}", what=what)
            if what.endswith(".")
            else sentence("The line is no decision: {what}.", what=what),
            Place(line=lines.line_num),
            sentence("Write player,date,kind,value,reason."),
        )
