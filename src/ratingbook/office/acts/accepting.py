"""What is accepted becomes facts: appended, with what would take each of them back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Exists, JSONField, OuterRef, Value

from ratingbook.model.sentences import packed, sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import (
    bring_into,
    brought_along,
    days_moved,
    days_told,
    games_keyed,
    last_day,
    move_said,
    refuse_impossible_days,
    with_later,
)
from ratingbook.office.acts.asking import event_named, place_of
from ratingbook.office.acts.decisions import OPENING, dated_decisions, openings_held
from ratingbook.office.acts.other_pools import let_in_by
from ratingbook.office.acts.people import add_variant, canonical, live_at, make_one, tell_hides
from ratingbook.office.acts.pools import otherwise_set, said_of_pools
from ratingbook.office.acts.ready import make_ready
from ratingbook.office.acts.requests import ACCEPTED
from ratingbook.office.acts.same_entries import entries_of
from ratingbook.office.acts.taken_out import WORDS, otherwise_without, still_replaced
from ratingbook.office.acts.twice import refuse_twice, tell_twice
from ratingbook.office.acts.undoing import UNDONE
from ratingbook.office.logic.corrections import Content, about, reason_for
from ratingbook.office.logic.feeding import DIFFERENCE
from ratingbook.office.logic.fixes import numbered
from ratingbook.office.logic.printed import sides_of
from ratingbook.office.logic.reach import OnNextList
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act

Inverse = list[dict[str, Any]]


def enter(act: Act, contents: Sequence[Content], reason: str) -> Inverse:
    """Append the facts; gives the contents that take them back, the last one first."""
    back: Inverse = []
    for each in contents:
        if is_stale(each):
            raise _stale(each)
        back[:0] = _ENTER[each["kind"]](act, each, reason)
    return back


def add_on_next_list(act: Act, number: int, pool: m.Pool, made: OnNextList) -> None:
    """Add the differences of a correction; its sections stay rated as they were."""
    people = list(made.values)
    day = made.day.isoformat()
    fact = act.fact(
        DIFFERENCE, ("correction", number), ("pool", pool.id),
        *(("section", each) for each in made.sections), *(("person", each) for each in people),
        payload={
            "correction": number, "pool": pool.id, "from": day, "as_of": made.as_of,
            "sections": list(made.sections), "values": {str(p): v for p, v in made.values.items()},
        },
        reason=str(reason_for(number, on_next_list=True)), true_from=made.day,
    )  # fmt: skip
    for each in made.sections:
        m.SectionFix.objects.create(fact=fact, section_id=each, said={"as_of": made.as_of})
    said = {"from": day, "reason": str(reason_for(number))}
    m.Decision.objects.bulk_create(
        m.Decision(
            fact=fact, pool=pool, person_id=person, kind=DIFFERENCE, value={**said, "value": value}
        )
        for person, value in made.values.items()
    )  # fmt: skip


def _undoing(fact: int, of: str, **more: Any) -> Inverse:
    return [{"kind": "undo", "fact": fact, "of": of, **more}]


def _game(act: Act, content: Content, reason: str) -> Inverse:
    games = games_keyed([content["key"]], [content])
    reports = games.values_list("version__report", flat=True).distinct()
    fact = act.fact(
        "game fixed", *(("report", each) for each in reports), ("game", content["key"]),
        payload={"key": content["key"], "say": content["say"]}, reason=reason,
    )  # fmt: skip
    m.GameFix.objects.create(fact=fact, stable_key=content["key"], said=content["say"])
    return _undoing(fact, "game fixed")


def _player(act: Act, content: Content, reason: str) -> Inverse:
    person = canonical(content["person"])
    before, *_later = [_play(act, entry, person, reason) for entry in entries_of(content)]
    return [{**content, "person": before, "before": person}]


def _play(act: Act, entry: m.Entry, person: int, reason: str) -> int:
    """Link an entry with the person who played; who it was said to be before."""
    before = m.Link.objects.get(entry=entry, revoked_by__isnull=True)
    refuse_twice(entry, person)
    fact = act.fact(
        "linked", ("report", entry.version.report_id), ("person", person),
        ("person", before.person_id), reason=reason,
        payload={
            "version": entry.version.number, "links": [[entry.number, person, "correction"]],
        },
    )  # fmt: skip
    m.Link.objects.filter(id=before.id).update(revoked_by=fact)
    m.Link.objects.create(
        fact=fact,
        entry=entry,
        person_id=person,
        method="hand",
        reasons=[packed(sentence("by a correction"))],
    )
    add_variant(act, person, entry.name, fact)
    tell_twice(act.findings, entry, person)
    return before.person_id


def is_stale(content: Content) -> bool:
    """Whether what a correction says was so is so no longer, so that nobody can accept it."""
    if "again" in content and _is_said_again(content):
        return True
    if content["kind"] == "player":
        links = m.Link.objects.filter(entry=content["entry_id"], revoked_by__isnull=True)
        now = links.values_list("person", flat=True).first()
        return now is None or canonical(now) != canonical(content["before"])
    if content["kind"] == "merge":
        return canonical(content["source"]) == canonical(content["target"])
    return content["kind"] == "undo" and m.Fact.objects.filter(revokes=content["fact"]).exists()


def _is_said_again(content: Content) -> bool:
    """Whether a correction was accepted that says again what the same one had taken back."""
    asked = m.FactSubject.objects.filter(
        kind="fact", subject=str(content["again"]), fact__kind="correction asked"
    )
    accepted = m.CorrectionStep.objects.filter(
        state=ACCEPTED, correction__made_by__in=asked.values("fact")
    )
    said = accepted.values_list("correction__contents", flat=True)
    return any(
        each.get("again") == content["again"] and about(each) == about(content)
        for contents in said for each in contents
    )  # fmt: skip


def _stale(content: Content) -> Exception:
    return refuse(
        "office.correction-stale",
        sentence("What the correction says was so is so no longer ({kind}).", kind=content["kind"]),
        sentence("Look at it again, and ask for what holds now."),
    )


def _merge(act: Act, content: Content, reason: str) -> Inverse:
    tell_hides(act.findings, content["source"], content["target"])
    fact = make_one(act, content["source"], content["target"], reason)
    return _undoing(fact, "merge")


def _undo(act: Act, content: Content, reason: str) -> Inverse:
    seq = content["fact"]
    fact = m.Fact.objects.get(seq=seq)
    if fact.kind in WORDS:
        return _undo_state(act, fact, content, reason)
    undone = act.fact(
        "undone",
        *_subjects(fact),
        payload={"fact": seq, "kind": fact.kind},
        reason=reason,
        revokes=seq,
    )
    # What says it again names what it takes back, so that nobody takes that back twice.
    back: Inverse = [{**each, "again": undone} for each in _again(fact, undone)]
    for model in UNDONE.get(fact.kind, ()):
        model.objects.filter(fact=seq, revoked_by__isnull=True).update(revoked_by=undone)
    if fact.kind == "section fixed":
        _refuse_impossible(fact.payload["sections"], undone)
        _bring_back(act, fact.payload, undone, reason)
    if fact.kind == "parameters":
        _set_as_said(_pool_of(fact))
    return back


def _again(fact: m.Fact, upto: int) -> Inverse:
    """The contents that say again what a fact has said."""
    if fact.kind == "merge":
        said = fact.payload
        return [{"kind": "merge", "source": said["source"], "target": said["target"]}]
    if fact.kind == "game fixed":
        key, say = fact.payload["key"], fact.payload["say"]
        one = games_keyed([key]).select_related("section", "white", "black").latest("id")
        return [{"kind": "game", "key": key, "say": say,
                 "where": place_of(one, numbered(say, sides_of(one.white, one.black))),
                 "before": dict.fromkeys(("half", "rated", "status"))}]  # fmt: skip
    if fact.kind == "section fixed":
        return [_section_again(fact, upto)]
    if fact.kind == "parameters":
        return _set_again(fact, upto)
    return _decided(fact.seq, upto)


def _decided(fact: int, upto: int) -> Inverse:
    """The contents that decide again what a fact has decided, of each pool, as far as it held."""
    found: Inverse = []
    live = m.Decision.objects.filter(fact=fact, revoked_by__isnull=True)
    for pool in m.Pool.objects.filter(id__in=live.values("pool")).order_by("id"):
        named = {"pool": pool.id, "pool_name": pool.name}
        later = m.Decision.objects.filter(
            live_at(upto), pool=pool, kind=OPENING, person=OuterRef("person"), fact__gt=fact
        )
        opening = live.filter(~Exists(later), pool=pool, kind=OPENING)
        values = {str(person): value for person, value in opening.values_list("person", "value")}
        if values:
            held = openings_held(pool, list(map(int, values)), without=(fact,))
            before = {person: held.get(int(person)) for person in values}
            found.append({"kind": "opening", **named, "values": values, "before": before})
        last = {each[1:4]: each for each in dated_decisions(pool.id, upto)}
        said = [
            [person, day.isoformat(), kind, value, reason]
            for seq, person, day, kind, value, reason in last.values()
            if seq == fact
        ]
        if said:
            found.append({"kind": "decision", **named, "said": said})
    return found


def _set_again(fact: m.Fact, upto: int) -> Inverse:
    """The contents that set a pool as a fact did that is undone by another, as far as it held."""
    pool = _pool_of(fact)
    set_to = otherwise_set(
        *(said_of_pools(known, pool.id)[pool.id] for known in (upto, upto - 1))
    )  # fmt: skip
    named = {"kind": "parameters", "pool": pool.id, "pool_name": pool.name}
    return [{**named, **set_to}] if set_to["parameters"] or "assume" in set_to else []


def _pool_of(fact: m.Fact) -> m.Pool:
    (number,) = m.FactSubject.objects.filter(fact=fact, kind="pool").values_list(
        "subject", flat=True
    )
    return m.Pool.objects.get(id=number)


def _event(sections: Sequence[int]) -> str:
    return event_named(m.Section.objects.get(id=sections[0]))


def _section_again(fact: m.Fact, upto: int) -> dict[str, Any]:
    """The content that says again of sections what a fact has said that is being undone."""
    said = fact.payload
    sections = said["sections"]
    content = {"sections": sections, "where": _event(sections)}
    if "pool" in said:
        name = m.Pool.objects.get(id=said["pool"]).name
        return {"kind": "pool", **content, "pool": said["pool"], "pool_name": name}
    if "days" in said:
        return {"kind": "move", **content, "days": said["days"]}
    own = last_day(sections)
    assert own is not None, "the event was moved, so it has days"
    day = own + timedelta(said["moved"])
    return {"kind": "move", **content, **days_told(sections, day, upto, (fact.seq,))}


def _bring(act: Act, content: Content, reason: str) -> Inverse:
    held = let_in_by(content)
    sections = with_later(content["sections"], act.head.seq)
    fact = bring_into(act, sections, {"pool": content["pool"]}, reason)
    back = _undoing(fact, "section fixed")
    return [*_late(act, {**content, "sections": held}, reason), *back] if held else back


def _bring_back(act: Act, said: Mapping[str, Any], upto: int, reason: str) -> None:
    """What later versions took from a correction that is undone: they came into its pool."""
    if "pool" not in said:
        return
    back = brought_along(said["sections"], said["pool"], upto)
    for pool in sorted(set(back.values())):
        bring_into(act, [each for each, to in back.items() if to == pool], {"pool": pool}, reason)


def _move(act: Act, content: Content, reason: str) -> Inverse:
    sections = content["sections"]
    fact = bring_into(act, sections, move_said(content), reason)
    _refuse_impossible(sections, fact)
    return _undoing(fact, "section fixed")


def _refuse_impossible(sections: Sequence[int], upto: int) -> None:
    moved = days_moved(upto)
    refuse_impossible_days({each: moved[each] for each in sections if each in moved})


def _withdraw(act: Act, content: Content, reason: str) -> Inverse:
    fact = states.step(act, "withdraw", content["sections"], states.WITHDRAWN, reason)
    return _undoing(fact, "withdraw", **_of_event(content))


def _of_event(content: Content) -> dict[str, Any]:
    """What a content that undoes another one tells of its event."""
    return {key: content[key] for key in ("sections", "pools") if key in content}


def _late(act: Act, content: Content, reason: str) -> Inverse:
    numbers = content["sections"]
    versions = m.ReportVersion.objects.filter(section__in=numbers).distinct()
    older = list(
        m.Section.objects.filter(
            version__report__in=versions.values("report")
        ).exclude(id__in=numbers).values_list("id", flat=True)
    )  # fmt: skip
    was = states.states(older)
    fact = states.step(act, "release", numbers, states.CHECKED, reason)
    _make_ready(act, numbers)
    now = states.states(older)
    replaced = [each for each in older if was.get(each) == states.READY != now[each]]
    more = {"replaced": replaced} if replaced else {}
    return _undoing(fact, "release", **_of_event(content), **more)


def _make_ready(act: Act, numbers: Collection[int]) -> None:
    """Let sections in whose people have to be known."""
    for version in m.ReportVersion.objects.filter(section__in=numbers).distinct():
        make_ready(act, version)
    now = states.states(numbers)
    if any(now[each] != states.READY for each in numbers):
        raise refuse(
            "office.not-identified",
            sentence("Some of the people of the event wait at the desk."),
            "`ratingbook office desk` shows them; say who they are first.",
        )


def _undo_state(act: Act, fact: m.Fact, content: Content, reason: str) -> Inverse:
    """Undo that an event was taken out or let in, as far as no later word on it holds."""
    come, go = otherwise_without([fact.seq], act.head.seq)
    some = sorted(come or go)
    state = states.CHECKED if come else states.WITHDRAWN
    undone = act.fact(
        "undone", *_subjects(fact), reason=reason, revokes=fact.seq,
        payload={
            "fact": fact.seq, "kind": fact.kind,
            **({"sections": some, "state": state} if some else {}),
        },
    )  # fmt: skip
    m.SectionStep.objects.bulk_create(
        m.SectionStep(fact=undone, section_id=each, state=state) for each in some
    )
    if not some:
        return []
    if come:
        _make_ready(act, some)
    elif replaced := still_replaced(content):
        states.step(act, "checked", replaced, states.CHECKED, reason)
        _make_ready(act, replaced)
    named = {"sections": some, "where": _event(some)}
    pools = {"pools": content["pools"]} if "pools" in content else {}
    kind = "withdraw" if come else "late"
    return [{"kind": kind, **named, **pools, "again": undone}]


def _subjects(fact: m.Fact) -> list[tuple[str, object]]:
    return list(m.FactSubject.objects.filter(fact=fact).values_list("kind", "subject"))


def _opening(act: Act, content: Content, reason: str) -> Inverse:
    pool, values = content["pool"], content["values"]
    people = [int(each) for each in values]
    fact = act.fact(
        "decision", ("pool", pool), *(("person", each) for each in people[:500]),
        payload={"kind": OPENING, "persons": len(people), "values": values}, reason=reason,
    )  # fmt: skip
    nothing = Value(None, JSONField())
    m.Decision.objects.bulk_create(
        [
            m.Decision(
                fact=fact, pool_id=pool, person_id=int(person), kind=OPENING,
                value=nothing if value is None else value,
            )
            for person, value in values.items()
        ],
        batch_size=5000,
    )  # fmt: skip
    # What was said before goes on to be there: it holds again once this is taken back.
    return _undoing(fact, "decision", pools=[pool])


def _decision(act: Act, content: Content, reason: str) -> Inverse:
    said = content["said"]
    people = list(dict.fromkeys(person for person, *_ in said))
    fact = act.fact(
        "decision", ("pool", content["pool"]), *(("person", each) for each in people[:500]),
        payload={"kind": "several", "decisions": len(said)}, reason=reason,
    )  # fmt: skip
    m.Decision.objects.bulk_create(
        [
            m.Decision(
                fact=fact, pool_id=content["pool"], person_id=person, kind=kind,
                value={"value": value, "from": day, "reason": why},
            )
            for person, day, kind, value, why in said
        ],
        batch_size=5000,
    )  # fmt: skip
    return _undoing(fact, "decision")


def _parameters(act: Act, content: Content, reason: str) -> Inverse:
    pool = m.Pool.objects.get(id=content["pool"])
    said = {key: content[key] for key in ("parameters", "assume") if key in content}
    fact = act.fact("parameters", ("pool", pool.id), payload=said, reason=reason)
    _set_as_said(pool)
    return _undoing(fact, "parameters", pools=[pool.id])


def _set_as_said(pool: m.Pool) -> None:
    """Set a pool to what the facts make of it."""
    said = said_of_pools(number=pool.id)[pool.id]
    pool.parameters, pool.policies = said["parameters"], said["policies"]
    pool.save(update_fields=["parameters", "policies"])


def _rules(act: Act, content: Content, reason: str) -> Inverse:
    act.fact(
        "rules mended", ("pool", content["pool"]), reason=reason,
        payload={"before": content["before"], "now": content["now"]},
    )  # fmt: skip
    return []


_ENTER: dict[str, Callable[[Act, Content, str], Inverse]] = {
    "game": _game, "player": _player, "merge": _merge, "undo": _undo, "move": _move,
    "pool": _bring, "withdraw": _withdraw, "late": _late, "opening": _opening,
    "decision": _decision, "parameters": _parameters, "rules": _rules,
}  # fmt: skip
