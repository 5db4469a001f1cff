"""The public register: what was asked, decided and changed, from the facts and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from ratingbook.office.acts import effects, reasons
from ratingbook.office.acts.causes import reaching
from ratingbook.office.acts.contradictions import Beside, beside
from ratingbook.office.acts.corrections import named, reached_new_in, states_of
from ratingbook.office.acts.masking import mask, mask_for_public, masked_in, saying
from ratingbook.office.acts.outlook import outlook, outlooks
from ratingbook.office.acts.people import canonical, merges, names_of
from ratingbook.office.acts.published import base_of
from ratingbook.office.acts.requests import (
    ACCEPTED,
    PUBLISHED,
    deadline,
    is_overdue,
    joined_into,
    joined_to,
    with_states,
)
from ratingbook.office.acts.results import taken_effect
from ratingbook.office.acts.setup import decimals_of
from ratingbook.office.acts.unpublished import public_until
from ratingbook.office.acts.untold import saying_to_all, untold_of
from ratingbook.office.home import Home
from ratingbook.office.logic.corrections import Content
from ratingbook.office.logic.effects import Number, key_of_list, largest_in_pools
from ratingbook.office.logic.feeding import DIFFERENCE
from ratingbook.office.logic.feeds import Item, as_json, atom
from ratingbook.office.refused import not_written
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
        "outlook": list(outlook(one)),
        "beside": beside_of(one, beside(one)),
        "joined": joined_into([number]).get(number),
        "until": str(deadline(one) or ""), "next_list": str(next_list_of(facts) or ""),
        "facts": [_fact(each, masked) for each in facts],
    }  # fmt: skip
    told = told_of(home, {number: one.state})[number]
    found["published"] = published_of(facts, told, mask_for_public())
    if told is not None:
        found["changed"] = changed_by(told)
        found["reach"] = reach_of(told)
    return found


def beside_of(one: Any, others: Iterable[Beside]) -> list[dict[str, Any]]:
    """What is told of these other requests beside one, and how they are to it."""
    joined = joined_to([one.id])
    return [
        {"correction": each.one.id, "state": each.one.state, "contradicts": each.is_otherwise,
         "joined": each.one.id in joined,
         "takes_back": each.takes_back, "taken_back": each.is_taken_back}
        for each in others
    ]  # fmt: skip


def reach_of(told: effects.Told) -> dict[str, Any]:
    """How much a correction changed, or is going to change; the largest in each pool."""
    names = dict(m.Pool.objects.values_list("id", "name"))
    return {
        "players": told.figures.players, "batches": told.figures.batches,
        "lists": [f"{each.pool}@{each.date}" for each in told.revised],
        "largest": {
            names[pool]: abs(x.change or 0.0)
            for pool, x in largest_in_pools(told.numbers).items()
        },
    }  # fmt: skip


def standing(today: date, state: str | None = None) -> list[dict[str, Any]]:
    """The corrections and where they stand, for those who decide them; of one state, or all."""
    every = [
        one for one in with_states(m.Correction.objects.order_by("id"))
        if state in (None, one.state)
    ]  # fmt: skip
    say, told = saying([each.contents for each in every]), outlooks(every)
    return [
        {
            "correction": one.id, "state": one.state, "until": str(deadline(one) or ""),
            "overdue": is_overdue(one, today), "says": say(one.contents),
            "outlook": list(told.get(one.id, ())),
        }
        for one in every
    ]  # fmt: skip


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


def published_of(
    facts: Iterable[m.Fact], told: effects.Told | None, masked: Callable[[str], str]
) -> list[dict[str, Any]]:
    """By which publications and lists a correction came to be published.

    ``besides`` is what else these published that can have moved its numbers ``with_others``.
    """
    entered = [each.payload for each in facts if each.kind == effects.PUBLISHED]
    pools = dict(m.Pool.objects.values_list("id", "name")) if entered else {}
    lists = () if told is None else told.lists
    return [
        {
            "pool": pools[said["pool"]], "publication": said["publication"], "run": said["run"],
            "lists": [
                {"list": x.id, "date": str(x.date), "revision": x.revision}
                for x in lists if x.id in said["lists"]
            ],
            "besides": _besides(said["run"], told, masked),
        }
        for said in entered
    ]  # fmt: skip


def _besides(run: int, told: effects.Told | None, masked: Callable[[str], str]) -> list[str]:
    """What else a run published that can have moved numbers of a correction, too."""
    here = m.Run.objects.select_related("pool").get(id=run)
    base = base_of(here)
    if told is None or base is None:
        return []
    return besides((here, base), told.numbers, masked)


def besides(
    step: reasons.Step, numbers: Iterable[Number], masked: Callable[[str], str]
) -> list[str]:
    """What else came with a run and can have moved some of these numbers that corrections moved."""
    here, _base = step
    days = [each.day for each in numbers if each.pool == here.pool_id and each.is_with_others]
    if not days:
        return []
    contents = [each for one in effects.published_with(here) for each in one.contents]
    return reasons.upto(reasons.besides(step, contents, masked), max(days))


def changed_by(told: effects.Told) -> list[dict[str, Any]]:
    """The published numbers that are others; ``corrections`` are those that made them so.

    By ``change``: where nothing else of the run moved them (``with_others``), that is all of the
    difference between ``was`` and ``now``.
    ``listing`` says who left a list, or came on one, and has a rating all the same.
    """
    names = names_of({each.person for each in told.numbers})
    pools = dict(m.Pool.objects.values_list("id", "name"))
    return [
        {
            "pool": pools[each.pool], "batch": each.key, "day": str(each.day),
            "person": each.person, "name": names.get(each.person, ""),
            "was": each.was, "now": each.now, "corrections": list(each.corrections),
            "change": each.change, "with_others": each.is_with_others,
            "listing": each.listing.value,
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
        raise not_written(folder, error) from None
    return sorted(files)


def urn() -> str:
    """What names this office for ever: its first fact."""
    return f"urn:ratingbook:{m.Fact.objects.get(seq=1).hash[:32]}"


def item(
    urn: str, number: int, says: Sequence[str], fact: m.Fact, link: str, *, with_reach: bool = True
) -> Item:
    """What a feed tells of a fact about a correction; ``link`` leads to all of it."""
    what = TITLES.get(fact.kind, fact.kind)
    lines = [*says]
    if fact.reason:
        lines.append(f"Reason: {fact.reason}")
    if with_reach and fact.kind == "correction approved":
        reach = fact.payload["reach"]
        lines.append(
            f"It changes {counted(reach['players'], 'player')} in "
            f"{counted(reach['batches'], 'batch', 'batches')}."
        )
    title = f"Correction {number}: {what}"
    return Item(f"{urn}:fact:{fact.seq}", fact.at, title, "\n".join(lines), link)


def since_first(
    home: Home, pool: m.Pool, person: int, *, for_public: bool = False
) -> list[dict[str, Any]]:
    """What was changed of a person's published numbers after they were first rated, and why.

    The numbers are those of the register: after batches, and on lists that were revised.  The
    public is told of none that the rules do not publish.
    """
    with ledger.one_moment():
        person = canonical(person)
        every = m.Publication.objects.filter(pool=pool).order_by("seq")
        publications = list(every.select_related("run__pool", "pool"))
        steps = [
            _Step(home, each, person, for_public=for_public)
            for each in effects.of_person(pool, publications, person)
        ]
        brought = {x.id: x.contents for step in steps for x in step.corrections}
        says = _said_of(brought, for_public=for_public)
        found = [row for step in steps for row in step.rows(says)]
        found += _added(home, pool, person, publications, for_public=for_public)
    return sorted(found, key=lambda each: (each["day"], each["batch"], each["publication"]))


def _said_of(every: Mapping[int, Sequence[Content]], *, for_public: bool) -> dict[int, list[str]]:
    """What some corrections ask for, in words; the public is told nothing unpublished."""
    if for_public:
        of = saying_to_all(every, untold_of(every))
        return {number: of(number) for number in every}
    say = saying(every.values())
    return {number: say(contents) for number, contents in every.items()}


def _added(
    home: Home,
    pool: m.Pool,
    person: int,
    publications: Sequence[m.Publication],
    *,
    for_public: bool,
) -> list[dict[str, Any]]:
    """What corrections have added on a next list, where nothing was rated again.

    It is told by the list that has it first, if no event was rated before that one.
    """
    merged = merges(ledger.head().seq)
    numbers = [person, *(source for source, target in merged.items() if target == person)]
    of_pool = m.Decision.objects.filter(pool=pool, kind=DIFFERENCE, person__in=numbers)
    if not (every := list(of_pool.order_by("id"))):
        return []
    every_list, decimals = effects.days_of_lists([pool.id]), decimals_of(pool)
    of_runs = m.Change.objects.filter(
        person=person, batch__pool=pool, run__publication__isnull=False
    )
    rated = set(of_runs.values_list(m.RATED_ON, flat=True))
    facts = m.Fact.objects.in_bulk({each.fact for each in every})
    contents = dict(
        m.Correction.objects.filter(id__in={x.payload["correction"] for x in facts.values()})
        .values_list("id", "contents")
    )  # fmt: skip
    says = _said_of(contents, for_public=for_public)
    found = []
    for each in every:
        day = date.fromisoformat(each.value["from"])
        first = next(
            (p for p in publications if p.run.upto >= each.fact and p.run.until >= day), None
        )
        if first is None or (for_public and day > _public_until(home, [first], person)):
            continue
        number = facts[each.fact].payload["correction"]
        words = says[number]
        lists = effects.lists_with(first.run, every_list)
        listed = min((each for each in lists if each >= day), default=day)
        if not any(day < each <= listed for each in rated):
            day = listed
        found.append(
            {
                "batch": key_of_list(day), "day": str(day), "publication": first.seq, "was": None,
                "now": None, "listing": "", "added": round(each.value["value"], decimals),
                "corrections": [number],
                "why": [f"correction {number}, on the next list: {word}" for word in words],
            }
        )  # fmt: skip
    return found


def _public_until(home: Home, some: Iterable[m.Publication], person: int) -> date:
    """Until when each of some publications publishes the numbers of a person."""
    found = (public_until(home, x.run, x.seq, [person]).get(person, date.max) for x in some)
    return min(found)


class _Step:
    """What a publication made others of a person's numbers, and by what."""

    def __init__(self, home: Home, moved: effects.Moved, person: int, *, for_public: bool) -> None:
        self._home, self._person, self._for_public = home, person, for_public
        self.base, self.here, self._numbers = moved
        reached = reached_new_in(home, self.here.run, self.base.run)
        self.corrections = [each.correction for each in reached]
        self._brought = [
            each for each in effects.brought_by(
                home, (self.here.run, self.base.run),
                tuple((each.correction_id, each.file_id) for each in reached),
            )
            if each.person == person
        ] if reached else []  # fmt: skip
        self._masked = mask_for_public() if for_public else None

    def rows(self, says: Mapping[int, Sequence[str]]) -> list[dict[str, Any]]:
        """Each number with the corrections that made it another one, and what else has come."""
        return [
            {
                "batch": each.key, "day": str(each.day), "publication": self.here.seq,
                "was": each.was, "now": each.now, "listing": each.listing.value,
                **self._why(each, says, is_withheld=is_withheld),
            }
            for each in self._numbers
            if not (is_withheld := each.day > self._until) or not self._for_public
        ]  # fmt: skip

    def _why(
        self, number: Number, says: Mapping[int, Sequence[str]], *, is_withheld: bool
    ) -> dict[str, Any]:
        """The corrections that made it so, and what else has come if more did.

        Of one that the rules do not publish nobody has reckoned by how much: what reaches it is
        told.
        """
        # What a batch leaves on the day of a list, and the list has, is told by either.
        said = (number.day, number.was, number.now)
        numbers = [
            each for each in self._brought
            if each.key == number.key or (each.day, each.was, each.now) == said
        ]  # fmt: skip
        made = {each for one in numbers for each in one.corrections}
        if is_withheld:
            at = (number.key, self._person)
            made.update(reaching(self._home, self.here.run, self.corrections, at))
        words = [f"correction {each}: {said}" for each in sorted(made) for said in says[each]]
        with_others = is_withheld or any(each.is_with_others for each in numbers)
        if not words or with_others:
            words += reasons.upto(self._came, number.day)
            if any(each.is_first_with_others for each in numbers):
                words += reasons.brought(self.here.run, self.base.run, self._person, self._masked)
        return {"corrections": sorted(made), "why": words}

    @cached_property
    def _came(self) -> tuple[reasons.Reason, ...]:
        """All that came with the publication and can have touched the person."""
        return reasons.between(
            [(self.here.run, self.base.run)], self._masked, self._person,
            for_officers=not self._for_public,
        )  # fmt: skip

    @cached_property
    def _until(self) -> date:
        """Until when the numbers of the person were public, before and after."""
        return _public_until(self._home, (self.here, self.base), self._person)
