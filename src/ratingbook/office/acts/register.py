"""The public register: what was asked, decided and changed, from the facts and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from django.db import connection

from ratingbook.model.sentences import sentence
from ratingbook.office.acts import effects, reasons
from ratingbook.office.acts.causes import reaching
from ratingbook.office.acts.corrections import named, new_in, states_of
from ratingbook.office.acts.masking import mask, masked_in, saying, says_of
from ratingbook.office.acts.people import canonical, merges, names_of
from ratingbook.office.acts.published import base_of
from ratingbook.office.acts.requests import ACCEPTED, PUBLISHED, deadline
from ratingbook.office.acts.results import taken_effect
from ratingbook.office.acts.setup import decimals_of
from ratingbook.office.acts.unpublished import public_until
from ratingbook.office.home import Home
from ratingbook.office.logic.effects import key_of_list
from ratingbook.office.logic.feeding import DIFFERENCE
from ratingbook.office.logic.feeds import Item, as_json, atom
from ratingbook.office.refused import refuse
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.rules.wording import counted

TITLES: Mapping[str, str] = {
    "correction asked": "asked", "correction joined": "joined to an earlier request",
    "correction rejected": "refused", "correction withdrawn": "taken back",
    "correction reopened": "open again", "correction approved": "approved",
    "correction accepted": "accepted", "correction published": "published",
    DIFFERENCE: "put on the next list",
}  # fmt: skip
"""What a fact did with a correction."""


def entry(home: Home, number: int) -> dict[str, Any]:
    """All that the register says of a correction."""
    one = named(number)
    facts, masked = _facts(number), mask()
    say = saying([one.contents], masked)
    found: dict[str, Any] = {
        "correction": number, "state": one.state,
        "says": say(one.contents), "contents": masked_in(taken_effect(one.contents), masked),
        "until": str(deadline(one) or ""), "next_list": str(next_list_of(facts) or ""),
        "facts": [_fact(each, masked) for each in facts],
    }  # fmt: skip
    entered = [each for each in facts if each.kind == effects.PUBLISHED]
    told = told_of(home, {number: one.state})[number]
    found["published"] = [_published(each, told) for each in entered]
    if told is not None:
        found["changed"] = _rows(told)
        found["reach"] = {
            "players": told.figures.players, "batches": told.figures.batches,
            "lists": [f"{each.pool}@{each.date}" for each in told.revised],
            "largest": told.figures.largest,
        }  # fmt: skip
    return found


def told_of(home: Home, states_: Mapping[int, str]) -> dict[int, effects.Told | None]:
    """What corrections changed, or are going to change; None: they are not accepted."""
    published = [number for number, state in states_.items() if state == PUBLISHED]
    found = effects.of_corrections(home, published) if published else {}
    return {
        number: found.get(number, effects.Told()) if state == PUBLISHED
        else effects.awaited(home, number) if state == ACCEPTED else None
        for number, state in states_.items()
    }  # fmt: skip


def _facts(number: int) -> list[m.Fact]:
    subjects = m.Fact.objects.filter(
        factsubject__kind="correction", factsubject__subject=str(number)
    )
    return as_told(subjects.order_by("seq"))


def as_told(facts: Iterable[m.Fact]) -> list[m.Fact]:
    """The facts about a correction: what it leads to on a list comes after that it is accepted.

    They are of one act, and the last one has the numbers of all others.
    """
    every = list(facts)
    accepted = next((each.seq for each in every if each.kind == f"correction {ACCEPTED}"), 0)

    def place(one: m.Fact) -> tuple[int, bool]:
        leads = one.kind == DIFFERENCE
        return (accepted if leads else one.seq, leads)

    return sorted(every, key=place)


def next_list_of(facts: Iterable[m.Fact]) -> date | None:
    """From which day on lists have what an accepted correction added; None: it is rated again."""
    days = (each.payload["from"] for each in facts if each.kind == DIFFERENCE)
    return min(map(date.fromisoformat, days), default=None)


def awaited_list(number: int) -> date | None:
    """The same of a correction that no list has yet; None: of any other."""
    return next_list_of(_facts(number)) if named(number).state == ACCEPTED else None


def _fact(one: m.Fact, masked: Callable[[str], str]) -> dict[str, Any]:
    files = m.Evidence.objects.filter(fact=one).values_list("blob", flat=True)
    return {
        "fact": one.seq, "what": TITLES.get(one.kind, one.kind), "at": one.at.isoformat(),
        "by": one.actor, "reason": masked(one.reason), "evidence": sorted(files), "hash": one.hash,
    }  # fmt: skip


def _published(one: m.Fact, told: effects.Told | None) -> dict[str, Any]:
    said = one.payload
    lists = () if told is None else [each for each in told.lists if each.id in said["lists"]]
    return {
        "pool": m.Pool.objects.get(id=said["pool"]).name, "publication": said["publication"],
        "run": said["run"],
        "lists": [{"list": x.id, "date": str(x.date), "revision": x.revision} for x in lists],
    }  # fmt: skip


def _rows(told: effects.Told) -> list[dict[str, Any]]:
    """The published numbers that are others; ``corrections`` are those that made them so.

    By ``change``; the rest of the difference is by other reports of the run (``with_reports``).
    """
    names = names_of({each.person for each in told.numbers})
    pools = dict(m.Pool.objects.values_list("id", "name"))
    return [
        {
            "pool": pools[each.pool], "batch": each.key, "day": str(each.day),
            "person": each.person, "name": names.get(each.person, ""),
            "was": each.was, "now": each.now, "corrections": list(each.corrections),
            "change": each.change, "with_reports": each.is_with_reports,
        }
        for each in told.numbers
    ]  # fmt: skip


def entries(state: str | None = None) -> list[dict[str, Any]]:
    """Each correction in a line, the newest first."""
    now, every = states_of(), list(m.Correction.objects.order_by("-id"))
    say = saying([each.contents for each in every])
    return [
        {"correction": one.id, "state": now[one.id], "says": say(one.contents)}
        for one in every
        if state in (None, now[one.id])
    ]


def write(home: Home, folder: Path) -> list[str]:
    """The register as files: each correction, and the feeds; gives their names."""
    name_of_all = urn()
    items, files, masked = [], {}, mask()
    for one in m.Correction.objects.order_by("id"):
        said = entry(home, one.id)
        name = f"correction-{one.id}.json"
        files[name] = json.dumps(said, ensure_ascii=False, indent=1) + "\n"
        found = [item(name_of_all, one.id, said["says"], fact, name) for fact in _facts(one.id)]
        items += [replace(each, text=masked(each.text)) for each in found]
    unique = list({each.id: each for each in items}.values())
    title = "Corrections"
    files["feed.json"] = as_json(title, name_of_all, unique)
    files["feed.atom"] = atom(title, name_of_all, unique)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
    except OSError as error:
        raise refuse(
            "office.out",
            sentence("The register cannot be written: {error}.", error=error),
            sentence("Name another folder."),
        ) from None
    return sorted(files)


def urn() -> str:
    """What names this office for ever: its first fact."""
    return f"urn:ratingbook:{m.Fact.objects.get(seq=1).hash[:32]}"


def item(urn: str, number: int, says: Sequence[str], fact: m.Fact, link: str) -> Item:
    """What a feed tells of a fact about a correction; ``link`` leads to all of it."""
    what = TITLES.get(fact.kind, fact.kind)
    lines = [*says]
    if fact.reason:
        lines.append(f"Reason: {fact.reason}")
    if fact.kind == "correction approved":
        reach = fact.payload["reach"]
        lines.append(
            f"It changes {counted(reach['players'], 'player')} in "
            f"{counted(reach['batches'], 'batch', 'batches')}."
        )
    title = f"Correction {number}: {what}"
    return Item(f"{urn}:fact:{fact.seq}", fact.at, title, "\n".join(lines), link)


_VERSIONS = """
SELECT b.key, b.day, c.turn, p.seq, c.before, c.after, c.gone, c.run_id
FROM office_change c
JOIN office_batch b ON b.id = c.batch_id
JOIN office_publication p ON p.run_id = c.run_id
WHERE c.person = %s AND b.pool_id = %s
ORDER BY b.day, b.key, c.turn, p.seq
"""


def since_first(home: Home, pool: m.Pool, person: int) -> list[dict[str, Any]]:
    """What was changed of a person's published numbers after they were first rated, and why."""
    person = canonical(person)
    with connection.cursor() as cursor:
        cursor.execute(_VERSIONS, [person, pool.id])
        names = [each[0] for each in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    publications = {
        each.seq: each
        for each in m.Publication.objects.filter(pool=pool).select_related("run", "pool")
    }
    last: dict[tuple[str, int], dict[str, Any]] = {}
    found = []
    for row in rows:
        at = (row["key"], row["turn"])
        before = last.get(at)
        last[at] = row
        here = publications[row["seq"]]
        base = publications.get(row["seq"] - 1)
        if before is None and (base is None or row["day"] > base.run.until):
            continue
        was, now = _shown(before), _shown(row)
        if _left(was) == _left(now):
            # Entered otherwise, and left with the same: the number after it is as it was.
            continue
        found.append(
            {
                "batch": row["key"], "day": str(row["day"]), "publication": row["seq"],
                "was": was, "now": now,
                **_why(home, here, base, person, (row["key"], _day(row["day"]))),
            }
        )  # fmt: skip
    found += _added(pool, person, list(publications.values()), {_day(row["day"]) for row in rows})
    return sorted(found, key=lambda each: (each["day"], each["batch"], each["publication"]))


def _added(
    pool: m.Pool, person: int, publications: Sequence[m.Publication], rated: Collection[date]
) -> list[dict[str, Any]]:
    """What corrections have added on a next list, where nothing was rated again.

    It is told by the list that has it first, if no event was rated before that one.
    """
    known, every_list = merges(ledger.head().seq), effects.days_of_lists([pool.id])
    decimals = decimals_of(pool)
    every = m.Decision.objects.filter(pool=pool, kind=DIFFERENCE).order_by("id")
    found = []
    for each in every:
        day = date.fromisoformat(each.value["from"])
        first = next(
            (p for p in publications if p.run.upto >= each.fact and p.run.until >= day), None
        )
        if first is None or known.get(each.person_id, each.person_id) != person:
            continue
        number = m.Fact.objects.get(seq=each.fact).payload["correction"]
        words = says_of(named(number).contents)
        lists = effects.lists_with(first.run, every_list)
        listed = min((each for each in lists if each >= day), default=day)
        if not any(day < each <= listed for each in rated):
            day = listed
        found.append(
            {
                "batch": key_of_list(day), "day": str(day), "publication": first.seq, "was": None,
                "now": None, "added": round(each.value["value"], decimals),
                "corrections": [number],
                "why": [f"correction {number}, on the next list: {word}" for word in words],
            }
        )  # fmt: skip
    return found


def _day(value: date | str) -> date:
    """The day of a row: SQLite gives a text."""
    return value if isinstance(value, date) else date.fromisoformat(value)


def _shown(row: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if row is None or row["gone"] else {k: row[k] for k in ("before", "after")}


def _left(row: Mapping[str, Any] | None) -> float | None:
    """The number that a row left."""
    return None if row is None else row["after"]


def _why(
    home: Home, here: m.Publication, base: m.Publication | None, person: int, at: tuple[str, date]
) -> dict[str, Any]:
    """The corrections that made this number another one, and what else has come if more did.

    Of one that the rules do not publish nobody has reckoned by how much: what reaches it is told.
    """
    key, day = at
    some = new_in(home, here.run, base_of(here.run))
    numbers = [
        each for each in effects.of_run(home, here.run, some)
        if (each.person, each.key) == (person, key)
    ]  # fmt: skip
    made = {number for each in numbers for number in each.corrections}
    is_withheld = base is not None and _is_withheld(home, (here, base), person, day)
    if is_withheld:
        made.update(reaching(home, here.run, some, (key, person)))
    corrections = list(m.Correction.objects.filter(id__in=made).order_by("id"))
    say = saying([each.contents for each in corrections])
    words = [f"correction {each.id}: {said}" for each in corrections for said in say(each.contents)]
    with_others = is_withheld or any(each.is_with_reports for each in numbers)
    if base is not None and (not words or with_others):
        came = reasons.between([(here.run, base.run)], person=person, for_officers=True)
        words += reasons.upto(came, day)
        if any(each.is_first_with_others for each in numbers):
            words += reasons.brought(here.run, base.run, person)
    return {"corrections": [each.id for each in corrections], "why": words}


def _is_withheld(home: Home, both: Iterable[m.Publication], person: int, day: date) -> bool:
    """Whether the rules did not publish a number of a person, before or after it was changed."""
    return any(
        public_until(home, each.run, each.seq, [person]).get(person, day) < day for each in both
    )
