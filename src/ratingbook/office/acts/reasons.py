"""Why published numbers became others where no correction tells it: in words, for everybody.

Nobody is named who acted, nor with what reason; who is suppressed has no name.  Whose birth date
was said anew officers alone are told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Exists, Min, OuterRef, Q

from ratingbook.model.sentences import row_of, sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.entering import document_of
from ratingbook.office.acts.masking import mask, masked_in
from ratingbook.office.acts.meetings import near_in
from ratingbook.office.acts.people import merges, names_of
from ratingbook.office.acts.registry import STAND_INS
from ratingbook.office.acts.run_states import LISTS
from ratingbook.office.acts.siblings import Anew, read_anew
from ratingbook.office.home import current
from ratingbook.office.logic.corrections import Content, sets_rules
from ratingbook.office.logic.lines import K
from ratingbook.office.logic.masked import SUPPRESSED, token
from ratingbook.office.logic.versions import public_difference
from ratingbook.office.store import models as m


@dataclass(frozen=True)
class Reason:
    """Something that came between two publications."""

    says: str
    """A sentence without its full stop, which can be told in any language."""
    day: date | None
    """From when on it can change numbers; None: nobody can tell."""
    people: frozenset[int] | None = None
    """Whose numbers it changes first; None: anybody's, or those of who played in ``version``."""
    version: int | None = None
    """That of a report."""


Step = tuple[m.Run, m.Run]
"""A run that was published, and the one that was published before it."""
MovedFrom = Callable[[m.Run, Collection[int]], date | None]
"""From when on a run has other numbers of some persons, or may have; None: never."""

_FACTS = ("merge", "undone", "decision", SUPPRESSED)
_EDITED = "person edited"
YEARS_NEW = "office.years-new"
"""What is noticed of the first run that is fed years of birth."""
_ACCEPTED = "correction accepted"
PUT_RIGHT = sentence("what the office knows of a person was put right")
RULES_SET = sentence("the rules of the pool were set otherwise")
_MOST = 20
_OTHERS = 3
"""So many differences of two versions are told as the reason of a number."""


def between(
    steps: Sequence[Step],
    masked: Callable[[str], str] | None = None,
    person: int | None = None,
    *,
    for_officers: bool = False,
) -> tuple[Reason, ...]:
    """What runs have that those published before them had not, one after the other.

    ``masked`` is :func:`mask`, where it is known.  Where a ``person`` is named, only what can have
    come to the numbers of that one, from game to game.
    """
    every = by_step(steps, masked, for_officers=for_officers)
    if person is not None:
        every = [touching(here, some, person) for (here, _), some in zip(steps, every, strict=True)]
    return tuple(each for some in every for each in some)


def by_step(
    steps: Sequence[Step],
    masked: Callable[[str], str] | None = None,
    *,
    for_officers: bool = False,
) -> list[Sequence[Reason]]:
    """The same, step by step, for anybody's numbers."""
    sections = _Sections(steps, masked)
    facts = _facts_between(steps)
    found: list[Sequence[Reason]] = []
    for here, base in steps:
        some = sections.between(here, base)
        some += _said_anew(here, base, facts, for_officers=for_officers)
        some += [Reason(RULES_SET, None)] if _rules(here) != _rules(base) else []
        found.append(some)
    return found


def besides(
    step: Step, contents: Iterable[Content], masked: Callable[[str], str] | None = None
) -> tuple[Reason, ...]:
    """What a run has besides the corrections that ask for ``contents``, in words for everybody.

    Reports that came in time are among it: their games can rest on what was corrected.
    """
    here, base = step
    sections, facts = _Sections([step], masked), _facts_between([step])
    asked = list(contents)
    own = sections_told(asked)
    found = sections.between(here, base, own)
    found += _said_anew(here, base, facts, for_officers=False)
    if _rules(here) != _rules(base) and not any(map(sets_rules, asked)):
        found.append(Reason(RULES_SET, None))
    if new := sections.in_time(here, base, own):
        found.append(Reason(rated_first(len(new)), None))
    return tuple(found)


def _said_anew(
    here: m.Run, base: m.Run, facts: Sequence[m.Fact], *, for_officers: bool
) -> list[Reason]:
    """What was decided or undone, and what was put right of persons."""
    return [
        *_of_facts(here, base, facts, _moved_from),
        *_of_edits(here, base, facts, _moved_from, for_officers=for_officers),
        *_of_years(here, for_officers=for_officers),
        *_of_others(here, base),
    ]


def said_between(here: m.Run, base: m.Run, moved_from: MovedFrom) -> list[Reason]:
    """What was decided or undone between two runs, and that persons were put right."""
    facts = _facts_between([(here, base)])
    return [
        *_of_facts(here, base, facts, moved_from),
        *_of_edits(here, base, facts, moved_from, for_officers=False),
    ]


def sections_told(contents: Iterable[Content]) -> frozenset[int]:
    """The sections that corrections take out, let in, or bring to another day or pool.

    What is let in as a new version of a report takes those of the others out.
    """
    every = list(contents)
    named = {section for each in every for section in each.get("sections", ())}
    come = {x for each in every if each["kind"] == "late" for x in each.get("sections", ())}
    versions = m.ReportVersion.objects.filter(section__in=come) if come else ()
    reports, own = {x.report_id for x in versions}, {x.id for x in versions}
    if reports:
        others = m.Section.objects.filter(version__report__in=reports).exclude(version__in=own)
        named |= set(others.values_list("id", flat=True))
    return frozenset(named)


def rated_first(count: int) -> str:
    """That so many reports are rated for the first time."""
    return sentence("reports that are rated for the first time ({n})", n=count)


def _rules(run: m.Run) -> tuple[Any, ...]:
    return run.rulebook, run.parameters, run.assume


def upto(some: Iterable[Reason], day: date) -> list[str]:
    """Those that can have changed a number of a day."""
    return list(dict.fromkeys(x.says for x in some if x.day is None or x.day <= day))


def brought(
    here: m.Run, base: m.Run, person: int, masked: Callable[[str], str] | None = None
) -> list[str]:
    """The reports of a run with games of a person that the one before had not.

    A rating that is published only since then rests on them.
    """
    merged = merges(here.upto)
    numbers = {person, *(source for source, target in merged.items() if target == person)}
    of_run = m.RunSection.objects.filter(run=here)
    new = of_run.exclude(section__in=m.RunSection.objects.filter(run=base).values("section"))
    links = m.Link.objects.filter(person__in=numbers, revoked_by__isnull=True)
    entries = links.values("entry")
    games = m.Game.objects.filter(section__in=new.values("section"))
    played = games.filter(Q(white__in=entries) | Q(black__in=entries)).values("section")
    sections = m.Section.objects.filter(id__in=played).select_related("version").order_by("id")
    masked = masked or (mask() if sections else str)
    return [
        sentence(
            "report {report} brought games on which it rests, too: {name}",
            report=each.version.report_id, name=masked(_name(each)),
        )
        for each in sections
    ]  # fmt: skip


def touching(here: m.Run, some: Sequence[Reason], person: int) -> Sequence[Reason]:
    """Those that can have touched the numbers of a person; all where that leaves none of them.

    A number that is published as before can have passed on what its decimals had of it.
    """
    told = [each for each in some if each.people is not None or each.version is not None]
    near = near_in(here, person) if told and len(some) > 1 else None
    if near is None:
        return some
    played = _who_played(here, {each.version for each in told if each.version is not None})
    own = [
        each for each in some
        if each not in told
        or near & (each.people or frozenset(played.get(each.version or 0, ())))
    ]  # fmt: skip
    return own or some


def _who_played(here: m.Run, versions: Collection[int]) -> dict[int, set[int]]:
    """By version of a report who its entries are, or were."""
    found: dict[int, set[int]] = {}
    if versions:
        merged = merges(here.upto)
        links = m.Link.objects.filter(entry__version__in=versions)
        for version, who in links.values_list("entry__version", "person"):
            found.setdefault(version, set()).add(merged.get(who, who))
    return found


class _Sections:
    """The sections that some runs have and others have not, looked up once for all of them."""

    def __init__(self, steps: Sequence[Step], masked: Callable[[str], str] | None) -> None:
        runs = {run.id for step in steps for run in step}
        of_runs = m.RunSection.objects.filter(run__in=runs)
        everywhere = of_runs.values("section").annotate(runs=Count("run")).filter(runs=len(runs))
        others = of_runs.exclude(section__in=everywhere.values("section"))
        self._of: dict[int, set[int]] = {run: set() for run in runs}
        for run, section in others.values_list("run", "section"):
            self._of[run].add(section)
        self._had: dict[int, list[tuple[int, str]]] = {}
        every: dict[int, m.Section] = {}
        if some := set().union(*self._of.values()):
            # Whatever was received has been brought into some state.
            steps_ = m.SectionStep.objects.filter(section__in=some).order_by("section", "fact")
            for each in steps_.select_related("section__version"):
                every[each.section_id] = each.section
                self._had.setdefault(each.section_id, []).append((each.fact, each.state))
        self._every = list(every.values())
        self._masked = masked or (mask() if some else str)

    def _state(self, section: m.Section, upto: int) -> str:
        """The state that a section had as known at a fact; nothing: it was not there."""
        return next((state for fact, state in reversed(self._had[section.id]) if fact <= upto), "")

    def _is_late(self, section: m.Section, base: m.Run) -> bool:
        """Whether it came after what its days belong to was rated.

        One that was ready then and ended in a period that goes on came in time.
        """
        then = self._state(section, base.upto)
        return then != states.READY and bool(section.end and section.end <= base.until)

    def in_time(self, here: m.Run, base: m.Run, but: frozenset[int]) -> set[int]:
        """The reports of the sections that came in, and not late, ``but`` these."""
        old, new = (self._of[run.id] - but for run in (base, here))
        before = {each.version.report_id for each in self._every if each.id in old - new}
        return {
            each.version.report_id for each in self._every
            if each.id in new - old and not self._is_late(each, base)
        } - before  # fmt: skip

    def between(self, here: m.Run, base: m.Run, but: frozenset[int] = frozenset()) -> list[Reason]:
        """Sections that came in, or went out, ``but`` these."""
        old, new = (self._of[run.id] - but for run in (base, here))
        came, gone = ([x for x in self._every if x.id in some] for some in (new - old, old - new))
        before = {each.version.report_id: each for each in gone}
        found = []
        for each in came:
            words = {"report": each.version.report_id, "name": self._masked(_name(each))}
            was = before.get(each.version.report_id)
            if was is not None and was.version_id != each.version_id:
                mended = _mended(was.version, each.version, words, self._masked)
                found.append(Reason(mended, _earlier(was.end, each.end), version=each.version_id))
            elif self._is_late(each, base):
                late = sentence("report {report} came late: {name}", **words)
                found.append(Reason(late, each.end, version=each.version_id))
        replaced = {each.version.report_id for each in came}
        for each in gone:
            if each.version.report_id not in replaced:
                state = self._state(each, here.upto)
                out = _out(state, each.version.report_id, self._masked(_name(each)))
                found.append(Reason(out, each.end, version=each.version_id))
        return found


def _mended(
    was: m.ReportVersion, now: m.ReportVersion, words: Mapping[str, Any],
    masked: Callable[[str], str],
) -> str:  # fmt: skip
    """That a report has another version, and what is otherwise in it, as far as all may know."""
    others = public_difference(document_of(was), document_of(now))
    told = [masked_in(each, masked) for each in others[:_OTHERS]]
    if len(others) > _OTHERS:
        told.append(sentence("and {n} more", n=len(others) - _OTHERS))
    if not told:
        return sentence(
            "report {report} was corrected by its version {number}: {name}",
            number=now.number, **words,
        )  # fmt: skip
    return sentence(
        "report {report} was corrected by its version {number}: {name} ({what})",
        number=now.number, what=row_of(told, "; "), **words,
    )  # fmt: skip


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


def _facts_between(steps: Sequence[Step]) -> list[m.Fact]:
    """The facts of these kinds between the first and the last of the runs."""
    since, upto_ = min(base.upto for _, base in steps), max(here.upto for here, _ in steps)
    span = m.Fact.objects.filter(seq__gt=since, seq__lte=upto_)
    sexes = m.PersonAttribute.objects.filter(fact=OuterRef("seq"), key="sex")
    is_rated_by = Q(private_commit__isnull=False) | Exists(sexes)
    every = span.filter(Q(kind__in=(*_FACTS, _ACCEPTED)) | Q(is_rated_by, kind=_EDITED))
    return list(every.order_by("seq"))


def _of_edits(
    here: m.Run,
    base: m.Run,
    all_between: Iterable[m.Fact],
    moved_from: MovedFrom,
    *,
    for_officers: bool,
) -> list[Reason]:
    """What was said anew of persons by which runs rate them, where it can have moved a number."""
    facts = [x for x in all_between if base.upto < x.seq <= here.upto and x.kind == _EDITED]
    subjects = _subjects(each.seq for each in facts) if facts else {}
    merged, found = merges(here.upto) if facts else {}, []
    for each in facts:
        people = {merged.get(person, person) for person in subjects[each.seq][1]}
        day = moved_from(here, people)
        if day is None:
            continue
        if not for_officers:
            # Whose numbers it can have touched would tell of whom it is.
            found.append(Reason(PUT_RIGHT, day))
            continue
        said = (
            sentence("birth date said anew (fact {fact})", fact=each.seq)
            if each.private_commit
            else sentence("sex said anew (fact {fact})", fact=each.seq)
        )
        found.append(Reason(said, day, frozenset(people)))
    return found


def _of_years(here: m.Run, *, for_officers: bool) -> list[Reason]:
    """That years of birth count since a run, where they can have moved a number.

    No fact says it: of the persons the office knew them before.
    """
    if not any(each["code"] == YEARS_NEW for each in here.counts.get("findings", ())):
        return []
    by_year = m.PersonPrivate.objects.filter(birth_date__isnull=True, birth_year__isnull=False)
    merged = merges(here.upto)
    sources = set(by_year.filter(person__in=list(merged)).values_list("person", flat=True))
    own = Q(person__in=by_year.values("person")) | Q(person__in={merged[x] for x in sources})
    changed = m.Change.objects.filter(own, run=here)
    day = changed.aggregate(day=Min(m.RATED_ON))["day"]
    if day is None:
        return []
    if not for_officers:
        return [Reason(PUT_RIGHT, day)]
    people = frozenset(changed.values_list("person", flat=True))
    said = sentence("the year of birth counts now where no date of birth is known")
    return [Reason(said, day, people)]


def _of_others(here: m.Run, base: m.Run) -> list[Reason]:
    """What other pools of the federation have published since."""
    anew = read_anew(current(), here, base)
    return [Reason(read_otherwise(each), each.day, each.people) for each in anew]


def read_otherwise(one: Anew) -> str:
    """That another pool of the federation has published something since."""
    if one.is_new:
        return sentence("what the pool {pool} has published of players counts, too", pool=one.pool)
    return sentence("what the pool {pool} has published is otherwise", pool=one.pool)


def _of_facts(
    here: m.Run, base: m.Run, all_between: Iterable[m.Fact], moved_from: MovedFrom
) -> list[Reason]:
    """Merges, decisions, and what no longer holds, unless they are corrections themselves."""
    span = [each for each in all_between if base.upto < each.seq <= here.upto]
    facts = [each for each in span if each.kind in _FACTS]
    if not facts:
        return []
    accepted = [each.payload for each in span if each.kind == _ACCEPTED]
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
    merged, found = merges(here.upto), []
    for each in facts:
        says = _fact(each, every, subjects, names, here.pool_id)
        about = every.get(each.payload["fact"]) if each.kind == "undone" else each
        if not says or about is None:
            continue
        people = _concerned(about, subjects[about.seq][1])
        people |= {merged[each] for each in people if each in merged}
        day = moved_from(here, people)
        # Of a date that is gone more digits differ than are published.
        if day is not None or about.kind == SUPPRESSED:
            found.append(Reason(says, day, frozenset(people)))
    return found


def _concerned(about: m.Fact, subjects: Iterable[int]) -> set[int]:
    """Of whom something was decided, or who are one person, or had a birth date."""
    if about.kind == "decision":
        return set(m.Decision.objects.filter(fact=about.seq).values_list("person", flat=True))
    return set(subjects)


def _moved_from(here: m.Run, people: Collection[int]) -> date | None:
    """From when on a run has other numbers of those whom a fact is about; None: never.

    Through them it moves others, who meet them then or later.  A number of theirs is K, too.
    """
    changed = m.Change.objects.filter(person__in=people, run=here)
    days = [changed.aggregate(day=Min(m.RATED_ON))["day"], *_with_other_k(here, people)]
    return min((each for each in days if each is not None), default=None)


def _with_other_k(here: m.Run, people: Collection[int]) -> set[date]:
    """The days of the lists that print another K of some people since a run."""
    days = [day for day, columns in here.counts.get(LISTS, {}).items() if K in columns]
    found: set[date] = set()
    if not days:
        return found
    rows = m.ListRow.objects.filter(list__pool=here.pool_id, list__date__in=days, person__in=people)
    was: dict[tuple[date, int], int | None] = {}
    for day, seq, person, line in rows.order_by("list__revision").values_list(
        "list__date", "list__run__publication__seq", "person", "printed"
    ):
        if seq <= here.base:
            was[day, person] = line.get(K)
        elif (day, person) in was and line.get(K) not in (None, was[day, person]):
            found.add(day)
    return found


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
    if fact.kind == SUPPRESSED:
        # By what is kept in place of a birth date no published number is another one.
        people = subjects[fact.seq][1]
        gone = people and STAND_INS not in fact.payload
        return (
            sentence("the birth date of {person} is gone", person=token(people[0])) if gone else ""
        )
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
