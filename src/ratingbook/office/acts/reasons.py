"""Why published numbers became others where no correction tells it: in words, for everybody.

Nobody is named who acted, nor with what reason; who is suppressed has no name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from ratingbook.model.sentences import sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.masking import mask
from ratingbook.office.acts.people import names_of
from ratingbook.office.acts.registry import token
from ratingbook.office.store import models as m


@dataclass(frozen=True)
class Reason:
    """Something that came between two publications."""

    says: str
    """A sentence without its full stop, which can be told in any language."""
    day: date | None
    """From when on it can change numbers; None: nobody can tell."""


_FACTS = ("merge", "undone", "decision")
_MOST = 20


def between(here: m.Run, base: m.Run) -> tuple[Reason, ...]:
    """What a run has that the one that was published before it had not."""
    sections = _of_sections(here, base)
    rules = (
        [Reason(sentence("the rules of the pool were set otherwise"), None)]
        if (here.rulebook, here.parameters, here.assume)
        != (base.rulebook, base.parameters, base.assume)
        else []
    )
    return (*sections, *_of_facts(here, base), *rules)


def upto(some: Iterable[Reason], day: date) -> list[str]:
    """Those that can have changed a number of a day."""
    return list(dict.fromkeys(x.says for x in some if x.day is None or x.day <= day))


def _of_sections(here: m.Run, base: m.Run) -> list[Reason]:
    """Sections that came in, or went out."""
    old, new = (
        set(m.RunSection.objects.filter(run=run).values_list("section", flat=True))
        for run in (base, here)
    )
    every = m.Section.objects.filter(id__in=old ^ new).select_related("version").order_by("id")
    came, gone = ([x for x in every if x.id in some] for some in (new - old, old - new))
    # A section that was ready then and ended in a period that goes on came in time.
    then = states.states([each.id for each in came], base.upto)
    before = {each.version.report_id: each for each in gone}
    masked = mask()
    found = []
    for each in came:
        words = {"report": each.version.report_id, "name": masked(_name(each))}
        was = before.get(each.version.report_id)
        if was is not None and was.version_id != each.version_id:
            mended = sentence(
                "report {report} was corrected by its version {number}: {name}",
                number=each.version.number, **words,
            )  # fmt: skip
            found.append(Reason(mended, _earlier(was.end, each.end)))
        elif then.get(each.id) != states.READY and each.end and each.end <= base.until:
            found.append(Reason(sentence("report {report} came late: {name}", **words), each.end))
    replaced = {each.version.report_id for each in came}
    now = states.states([each.id for each in gone], here.upto)
    for each in gone:
        if each.version.report_id not in replaced:
            out = _out(now.get(each.id, ""), each.version.report_id, masked(_name(each)))
            found.append(Reason(out, each.end))
    return found


def _name(section: m.Section) -> str:
    return str(section.facts.get("name") or section.event)


def _earlier(*days: date | None) -> date | None:
    return min((each for each in days if each), default=None)


def _out(state: str, report: int, name: str) -> str:
    """What became of a section that is rated no longer."""
    if state == states.WITHDRAWN:
        return sentence("report {report} was taken out: {name}", report=report, name=name)
    if state == states.REFUSED:
        return sentence("report {report} was refused: {name}", report=report, name=name)
    if state == states.HELD:
        return sentence("report {report} is held: {name}", report=report, name=name)
    return sentence("report {report} is not in the pool any more: {name}", report=report, name=name)


def _of_facts(here: m.Run, base: m.Run) -> list[Reason]:
    """Merges, decisions, and what no longer holds, unless they are corrections themselves."""
    span = m.Fact.objects.filter(seq__gt=base.upto, seq__lte=here.upto).order_by("seq")
    facts = list(span.filter(kind__in=_FACTS))
    if not facts:
        return []
    accepted = span.filter(kind="correction accepted").values_list("payload", flat=True)
    known = {fact for payload in accepted for fact in payload["facts"]}
    undone = {each.payload["fact"] for each in facts if each.kind == "undone"}
    # What was done and undone in between never was in a published number.
    known |= undone.intersection(each.seq for each in facts)
    facts = [
        each for each in facts
        if each.seq not in known and each.payload.get("fact") not in known
    ][:_MOST]  # fmt: skip
    every = {each.seq: each for each in (*facts, *m.Fact.objects.filter(seq__in=undone))}
    subjects = _subjects(every)
    names = names_of({person for kind, some in subjects.values() for person in some})
    told = (_fact(each, every, subjects, names, here.pool_id) for each in facts)
    return [Reason(each, None) for each in told if each]


_Subjects = Mapping[int, tuple[set[int], list[int]]]
"""By fact the pools and the persons that it is about."""


def _subjects(facts: Iterable[int]) -> dict[int, tuple[set[int], list[int]]]:
    found: dict[int, tuple[set[int], list[int]]] = {each: (set(), []) for each in facts}
    rows = m.FactSubject.objects.filter(fact__in=list(found), kind__in=("pool", "person"))
    for fact, kind, subject in rows.values_list("fact", "kind", "subject"):
        if kind == "pool":
            found[fact][0].add(int(subject))
        else:
            found[fact][1].append(int(subject))
    return found


def _fact(
    fact: m.Fact,
    every: Mapping[int, m.Fact],
    subjects: _Subjects,
    names: Mapping[int, str],
    pool: int,
) -> str:
    """What a fact says; nothing of what is about another pool or bears on no number."""
    about = every.get(fact.payload["fact"]) if fact.kind == "undone" else fact
    if about is None or about.kind not in ("merge", "decision"):
        return ""
    pools, people = subjects[about.seq]
    if (pools and pool not in pools) or about.payload.get("kind") == "title":
        return ""
    if about.kind == "merge":
        both = [_called(about.payload[key], names) for key in ("source", "target")]
        if fact.kind == "merge":
            return sentence("{one} and {other} are one person", one=both[0], other=both[1])
        return sentence("{one} and {other} are two persons", one=both[0], other=both[1])
    if len(people) != 1:
        if fact.kind == "decision":
            return sentence("the office decided something of several players")
        return sentence("what the office decided of several players no longer holds")
    who = _called(people[0], names)
    if fact.kind == "decision":
        return sentence("the office decided something of {person}", person=who)
    return sentence("what the office decided of {person} no longer holds", person=who)


def _called(person: int, names: Mapping[int, str]) -> str:
    nobody = token(person)
    name = names.get(person, nobody)
    return name if name == nobody else f"{name} ({person})"
