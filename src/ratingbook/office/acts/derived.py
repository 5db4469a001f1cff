"""Rows that facts made, made from the facts again: who was changed beside the ledger is told.

What is private, or was told by hand, is in no fact: names and numbers of persons who were added
one by one cannot be compared, nor the birth date of somebody who came in together with others of
whom one was edited or suppressed since.
"""

from __future__ import annotations

import ast
import csv
import io
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from ratingbook.formats.tools.encodings import naming
from ratingbook.model import Findings
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.ages import EVER, Known, as_said
from ratingbook.office.acts.decisions import OPENING, TITLE, WORDS
from ratingbook.office.acts.imports import portions
from ratingbook.office.acts.people import live_at, merges, of_entry, rows_of_persons
from ratingbook.office.acts.pools import said_of_pools
from ratingbook.office.acts.published import table_of
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.engine.rules import standing_fields
from ratingbook.office.home import Home
from ratingbook.office.logic.chain import canonical, commitment
from ratingbook.office.logic.feeding import DIFFERENCE
from ratingbook.office.logic.masked import token
from ratingbook.office.logic.newcomers import Intake, Newcomer, NewPerson
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.office.store.rows import among

_AT_ONCE = 500
"""Facts of which a query names each."""


class Said(NamedTuple):
    """A fact, as far as rows are made from it."""

    seq: int
    kind: str
    payload: Mapping[str, Any]
    actor: str
    at: Any
    true_from: date | None
    private_commit: str | None


class Facts:
    """All facts, read once."""

    def __init__(self) -> None:
        self.all = {row[0]: Said(*row) for row in m.Fact.objects.order_by("seq").values_list(
            "seq", "kind", "payload", "actor", "at", "true_from", "private_commit"
        ).iterator()}  # fmt: skip
        self._of: dict[str, list[Said]] = defaultdict(list)
        for each in self.all.values():
            self._of[each.kind].append(each)

    def of(self, kind: str) -> list[Said]:
        """Those of a kind, in their order."""
        return self._of.get(kind, [])

    @cached_property
    def subjects(self) -> Mapping[int, Mapping[str, str]]:
        """What decisions, approvals and what is said of actors are about: the first of each."""
        found: dict[int, dict[str, str]] = defaultdict(dict)
        rows = m.FactSubject.objects.filter(fact__kind__in=("decision", "approved", "actor"))
        for fact, kind, subject in rows.values_list("fact", "kind", "subject"):
            found[fact].setdefault(kind, subject)
        return found

    @cached_property
    def evidence(self) -> Mapping[int, list[str]]:
        """The files of decisions, accepted corrections and reports."""
        found: dict[int, list[str]] = defaultdict(list)
        kinds = ("decision", "correction accepted", "received")
        rows = m.Evidence.objects.filter(fact__kind__in=kinds).order_by("fact", "blob")
        for fact, blob in rows.values_list("fact", "blob"):
            found[fact].append(blob)
        return found


class Check(NamedTuple):
    """Something that is looked at."""

    code: str
    """The end of the code of what is found."""
    what: str
    look: Callable[[], Iterable[str]]


def checks(home: Home, facts: Facts) -> Sequence[Check]:
    """What is looked at."""
    return (
        Check("decision", sentence("Decisions are not those of their facts"),
              lambda: _decisions(home, facts)),
        Check("approval", sentence("Approvals are not those of their facts"),
              lambda: _approvals(facts)),
        Check("step", sentence("States are not those of the facts"), lambda: _steps(facts)),
        Check("person", sentence("Persons are not as facts, reports and files say"),
              lambda: _persons(home, facts)),
        Check("birth", sentence("Birth dates are not those of their facts"),
              lambda: _births(facts)),
        Check("pool", sentence("Pools are not as the facts say"), lambda: _pools(facts)),
        Check("actor", sentence("What actors may do is not what the facts say"),
              lambda: _actors(facts)),
        Check("report", sentence("Reports are not those of their facts"),
              lambda: _reports(facts)),
        Check("sending", sentence("What was sent is not as the facts say"),
              lambda: _sendings(facts)),
    )  # fmt: skip


# Decisions


def _decisions(home: Home, facts: Facts) -> Iterator[str]:
    rows: dict[int, Counter[bytes]] = defaultdict(Counter)
    every = m.Decision.objects.exclude(kind=DIFFERENCE)
    for fact, pool, person, kind, value in every.values_list(
        "fact", "pool", "person", "kind", "value"
    ).iterator():
        # Of old, what takes an opening away left no row.
        if value is not None:
            rows[fact][canonical([pool, person, kind, value])] += 1
    titles: dict[int, list[list[Any]]] = defaultdict(list)
    named = m.PersonAttribute.objects.filter(fact__in=[each.seq for each in facts.of("decision")])
    for fact, *row in named.values_list("fact", "person", "key", "value", "true_from"):
        titles[fact].append(row)
    for each in facts.of("decision"):
        about = facts.subjects[each.seq]
        if each.payload["kind"] == TITLE:
            wanted = [
                [int(about["person"]), TITLE, str(each.payload["value"]["value"]), each.true_from]
            ]
            if titles.pop(each.seq, []) != wanted:
                yield sentence("the title of fact {fact} is another", fact=each.seq)
            continue
        made = _decided(home, facts, each)
        held = rows.pop(each.seq, Counter())
        if made is None:
            if held.total() != each.payload.get("decisions", each.payload.get("persons")):
                yield sentence("of fact {fact} decisions are missing", fact=each.seq)
        elif Counter(map(canonical, made)) != held:
            yield sentence("what fact {fact} decided is otherwise", fact=each.seq)
    for seq in sorted({*rows, *titles}):
        yield sentence("fact {fact} decided nothing, and there are rows of it", fact=seq)


def _decided(home: Home, facts: Facts, fact: Said) -> list[list[Any]] | None:
    """Pool, person, kind and value of all that a fact decided; None: its file says it no more."""
    payload, about = fact.payload, facts.subjects[fact.seq]
    pool = int(about["pool"])
    if payload["kind"] == "several":
        files = facts.evidence[fact.seq]
        if files:
            return _in_file(home, fact, pool, files[0])
        content = _asked(facts, fact.seq)
        return [
            [pool, person, kind, {"value": value, "from": day, "reason": why}]
            for each in content if each["kind"] == "decision" and each["pool"] == pool
            for person, day, kind, value, why in each["said"]
        ]  # fmt: skip
    if "values" in payload:
        values = payload["values"].items()
        return [[pool, int(p), OPENING, value] for p, value in values if value is not None]
    if "file" not in payload:
        return [[pool, int(about["person"]), payload["kind"], payload["value"]]]
    kept = [each for each in facts.evidence[fact.seq] if each != payload["file"]]
    try:
        table = table_of(home, kept[0])
    except OfficeRefused:
        return None
    texts = table["value"].to_pylist()
    # Many come in with the same.
    values = {text: ast.literal_eval(text) for text in set(texts)}
    people = table["person"].to_pylist()
    return [[pool, p, OPENING, values[text]] for p, text in zip(people, texts, strict=True)]


def _asked(facts: Facts, seq: int) -> list[Mapping[str, Any]]:
    """The contents of the correction by which a fact came."""
    found: list[Mapping[str, Any]] = []
    numbers = [
        x.payload["correction"] for x in facts.of("correction accepted")
        if seq in x.payload["facts"]
    ]  # fmt: skip
    for each in facts.of("correction asked"):
        if each.payload["correction"] in numbers:
            found += each.payload["contents"]
    return found


def _in_file(home: Home, fact: Said, pool: int, sha256: str) -> list[list[Any]] | None:
    """The decisions of a file, whose players are numbers of a register that nobody noted."""
    try:
        data = blobs.load(home, sha256)
        if "encoding" not in fact.payload:
            data.decode("utf-8")
    except (OfficeRefused, UnicodeDecodeError):
        # It is gone, or nobody noted how it was read.
        return None
    held = list(m.Decision.objects.filter(fact=fact.seq).order_by("id"))
    text = data.decode(fact.payload.get("encoding") or "utf-8-sig", "replace")
    rows = list(csv.DictReader(io.StringIO(text)))
    merged = merges(fact.seq)
    made: list[list[Any]] = []
    for row, each in zip(rows, held, strict=False):
        numbers = m.ExternalId.objects.filter(live_at(fact.seq), value=row["player"])
        people = {merged.get(x, x) for x in numbers.values_list("person", flat=True)}
        kinds = (row["kind"], *WORDS.get(row["kind"], ()))
        said = {"value": float(row["value"]), "from": row["date"]}
        if row.get("reason"):
            said["reason"] = row["reason"]
        person = each.person_id if each.person_id in people else 0
        made.append([pool, person, each.kind if each.kind in kinds else row["kind"], said])
    return made if len(rows) == len(held) else []


# Approvals and states


def _approvals(facts: Facts) -> Iterator[str]:
    said: dict[int, Any] = {
        each.seq: (int(facts.subjects[each.seq]["run"]), each.payload["digest"], each.actor)
        for each in facts.of("approved")
    }
    yield from _others(said, m.Approval.objects.values_list("fact", "run", "digest", "actor"))
    said = {
        each.seq: (each.payload["correction"], each.payload["digest"], each.actor)
        for each in facts.of("correction approved")
    }
    rows = m.CorrectionApproval.objects.values_list("fact", "correction", "digest", "actor")
    yield from _others(said, rows)
    said = {
        each.seq: (each.payload["correction"], facts.evidence[each.seq][0])
        for each in facts.of("correction accepted")
    }
    yield from _others(said, m.Reached.objects.values_list("fact", "correction", "file"))


def _others(said: Mapping[int, tuple[Any, ...]], rows: Iterable[tuple[Any, ...]]) -> Iterator[str]:
    """Where the one row of each fact is not what the fact says."""
    held = {fact: tuple(rest) for fact, *rest in rows}
    for fact in sorted(said.keys() | held.keys()):
        if fact not in held:
            yield sentence("the row of fact {fact} is gone", fact=fact)
        elif held[fact] != said.get(fact):
            yield sentence("the row of fact {fact} says otherwise", fact=fact)


def _steps(facts: Facts) -> Iterator[str]:
    said = {
        (each.seq, section, each.payload["state"])
        for each in facts.all.values()
        if "state" in each.payload and "sections" in each.payload
        for section in each.payload["sections"]
    }
    rows = set(m.SectionStep.objects.values_list("fact", "section", "state"))
    yield from _of_facts(said ^ rows)
    fixed = {
        (each.seq, section, canonical({k: v for k, v in each.payload.items() if k != "sections"}))
        for each in facts.of("section fixed")
        for section in each.payload["sections"]
    }
    fixes = m.SectionFix.objects.exclude(fact__in=[each.seq for each in facts.of(DIFFERENCE)])
    fixed_rows = {
        (fact, section, canonical(what))
        for fact, section, what in fixes.values_list("fact", "section", "said")
    }
    yield from _of_facts(fixed ^ fixed_rows)
    states = {f"correction {name}": name for name in ("rejected", "withdrawn", "joined", "accepted",
                                                      "published")}  # fmt: skip
    states |= dict.fromkeys(("correction asked", "correction reopened"), "open")
    steps = {
        (each.seq, each.payload["correction"], state)
        for kind, state in states.items()
        for each in facts.of(kind)
    }
    held = set(m.CorrectionStep.objects.values_list("fact", "correction", "state"))
    yield from _of_facts(steps ^ held)


def _of_facts(differing: Iterable[tuple[Any, ...]]) -> Iterator[str]:
    for seq in sorted({each[0] for each in differing}):
        yield sentence("the rows of fact {fact} are others", fact=seq)


# Persons


def _persons(home: Home, facts: Facts) -> Iterator[str]:
    made: dict[int, list[int]] = defaultdict(list)
    for number, by in m.Person.objects.order_by("id").values_list("id", "made_by").iterator():
        made[by].append(number)
    for each in facts.of("person"):
        first, count = each.payload["first"], each.payload["count"]
        if made.pop(each.seq, []) != list(range(first, first + count)):
            yield sentence("the persons of fact {fact} are others", fact=each.seq)
    for seq in sorted(made):
        yield sentence("fact {fact} made no persons", fact=seq)
    said = {
        each.seq: (each.payload["source"], each.payload["target"]) for each in facts.of("merge")
    }
    relations = m.PersonRelation.objects.values_list("fact", "source", "target")
    yield from _others(said, relations)
    yield from _spellings(facts)
    for some in (*_of_entries(facts), *_of_imports(home, facts)):
        yield from _described_otherwise(some)


def _spellings(facts: Facts) -> Iterator[str]:
    """Names that were taken from entries are those of the entries; masked ones stand for all."""
    linked = {each.seq for each in facts.of("linked")}
    hidden = {each.seq for each in facts.of("suppressed")}
    rows = [
        (fact, person, text)
        for fact, person, text in m.PersonName.objects.values_list("fact", "person", "text")
        .order_by("id")
        .iterator()
        if fact in linked or fact in hidden
    ]
    entries: dict[int, set[str]] = defaultdict(set)
    for fact, name in m.Link.objects.filter(fact__in={r[0] for r in rows} & linked).values_list(
        "fact", "entry__name"
    ):
        entries[fact].add(name)
    for fact, person, text in rows:
        if text not in entries[fact] if fact in linked else text != token(person):
            yield sentence("a name of person {person}, by fact {fact}", person=person, fact=fact)


def _as_rows(new: NewPerson) -> tuple[Any, ...]:
    names = sorted([("main", new.name), *(("variant", each) for each in new.variants)])
    return names, dict(new.ids or {}), dict(new.attributes or {})


_Made = dict[int, tuple[int, NewPerson]]
"""By person the fact that made him, and as whom."""
_NOBODY = NewPerson("")
"""Who has no number that stands in the file of the import."""


def _described_otherwise(made: _Made) -> Iterator[str]:
    """Whose names, numbers and attributes of then are not those that made him."""
    names: dict[int, list[tuple[str, str]]] = defaultdict(list)
    others: tuple[dict[int, dict[str, str]], ...] = (defaultdict(dict), defaultdict(dict))
    for person, fact, kind, text in rows_of_persons(
        m.PersonName.objects.all(), made, "person", "fact", "kind", "text"
    ):
        if fact == made[person][0]:
            names[person].append((kind, text))
    of = ((m.ExternalId, "scheme"), (m.PersonAttribute, "key"))
    for found, (model, key) in zip(others, of, strict=True):
        rows = rows_of_persons(
            model._default_manager.all(), made, "person", "fact", key, "value"
        )  # fmt: skip
        for person, fact, name, value in rows:
            if fact == made[person][0]:
                found[person][name] = value
    for person, (fact, new) in made.items():
        held = (sorted(names[person]), *(found[person] for found in others))
        if held != _as_rows(new):
            yield sentence("person {person}, by fact {fact}", person=person, fact=fact)


def _of_entries(facts: Facts) -> Iterator[_Made]:
    """Who was made from entries of reports: the next fact links them."""
    makers = {}
    for each in facts.of("person"):
        after = facts.all.get(each.seq + 1)
        if after is not None and after.kind == "linked" and after.at == each.at:
            makers[after.seq] = each
    every = sorted(makers)
    for start in range(0, len(every), _AT_ONCE):
        made: _Made = {}
        links = m.Link.objects.filter(fact__in=every[start : start + _AT_ONCE])
        for link in links.select_related("entry"):
            maker, entry = makers[link.fact], link.entry
            first = maker.payload["first"]
            if first <= link.person_id < first + maker.payload["count"]:
                new = of_entry(entry.name or entry.number, entry.printed, None, None)
                made[link.person_id] = (maker.seq, new)
        yield made


def _of_imports(home: Home, facts: Facts) -> Iterator[_Made]:
    """Who was made from the players of files that are still there."""
    for each in facts.of("imported"):
        before = (x for x in facts.of("person") if x.at == each.at and x.seq < each.seq)
        makers = {x.seq: range(x.payload["first"], x.payload["first"] + x.payload["count"])
                  for x in before}  # fmt: skip
        left = {person: fact for fact, people in makers.items() for person in people}
        count = len(left)
        for some in _read_again(home, each) if makers else ():
            read = {new.id: new.person for new in some}
            numbers = m.ExternalId.objects.filter(
                scheme=each.payload["scheme"], fact__in=makers, value__in=among(list(read))
            )
            made = {
                person: (fact, read[value])
                for person, fact, value in numbers.values_list("person", "fact", "value")
            }
            for person in made:
                left.pop(person, None)
            yield made
        if len(left) < count:
            yield {person: (fact, _NOBODY) for person, fact in left.items()}


def _read_again(home: Home, imported: Said) -> Iterator[Sequence[Newcomer]]:
    """The players of the file of an import; none: it is gone, or nobody noted how it was read."""
    payload = imported.payload
    try:
        data = blobs.load(home, payload["file"])
        if "encoding" not in payload:
            data.decode("utf-8")
    except (OfficeRefused, UnicodeDecodeError):
        return
    fields: dict[str, type] = {}
    for pool in m.Pool.objects.order_by("id"):
        fields |= standing_fields(rules_of(pool))
    with tempfile.TemporaryDirectory() as folder, naming(payload.get("encoding")):
        for suffix in (".csv", ".json"):
            path, findings = Path(folder) / f"players{suffix}", Findings()
            path.write_bytes(data)
            intake = Intake(payload["scheme"], imported.at.date())
            count = 0
            for some in portions(path, intake, fields, findings):
                count += len(some)
                yield some
            if count:
                return


# Birth dates


def _births(facts: Facts) -> Iterator[str]:
    """Birth dates fit what facts say in their stead, where all of a fact are there as they were."""
    held: dict[int, dict[Known, Any]] = defaultdict(dict)
    for model in (m.FormerBirth, m.PersonPrivate):
        # Where nothing was known no fact has said it.
        for row in model._default_manager.filter(fact__gt=0).iterator():
            held[row.fact][Known(row.person_id, getattr(row, "until", EVER))] = row
    for each in facts.of("person"):
        rows = {known.person: row for known, row in held.pop(each.seq, {}).items()}
        if each.private_commit is None:
            if rows:
                yield sentence("fact {fact} knew no birth dates", fact=each.seq)
        elif rows and not _fits(each, rows) and not _is_less(each, rows):
            yield sentence("the birth dates of fact {fact} are others", fact=each.seq)
    for each in facts.of("suppressed"):
        kept = held.pop(each.seq, {})
        births = as_said(row.birth_date or row.birth_year for _, row in sorted(kept.items()))
        salt = next((row.salt for row in kept.values()), "")
        if (commitment(salt, births) if births else None) != each.private_commit:
            yield sentence("the birth dates of fact {fact} are others", fact=each.seq)
    for seq, others in sorted(held.items()):
        fact = facts.all.get(seq)
        for known, row in sorted(others.items()):
            made = commitment(row.salt, [str(row.birth_date)])
            year = row.birth_date.year if row.birth_date else None
            if fact is None or made != fact.private_commit or row.birth_year != year:
                yield sentence(
                    "the birth date of person {person} is not that of fact {fact}",
                    person=known.person, fact=seq,
                )  # fmt: skip


def _fits(fact: Said, rows: Mapping[int, Any]) -> bool:
    """Whether what the rows say is what the fact commits to: years are said beside days or not."""
    first, salt = fact.payload["first"], next(iter(rows.values())).salt
    people = [rows.get(number) for number in range(first, first + fact.payload["count"])]
    for beside in (True, False):
        private = [
            None if row is None else {
                "birth_date": str(row.birth_date or ""),
                "birth_year": row.birth_year if beside or not row.birth_date else None,
            }
            for row in people
        ]  # fmt: skip
        if commitment(salt, private) == fact.private_commit:
            years = (x.birth_date.year == x.birth_year for x in rows.values() if x.birth_date)
            return all(years)
    return False


def _is_less(fact: Said, rows: Mapping[int, Any]) -> bool:
    """Whether somebody of the fact was edited or suppressed since, so that nothing fits."""
    first = fact.payload["first"]
    people = [str(each) for each in range(first, first + fact.payload["count"])]
    later = m.FactSubject.objects.filter(
        kind="person", subject__in=people, fact__kind__in=("person edited", "suppressed"),
        fact__gt=fact.seq,
    )  # fmt: skip
    return later.exists()


# Pools, actors, reports, sendings


def _pools(facts: Facts) -> Iterator[str]:
    said = said_of_pools()
    for pool in m.Pool.objects.order_by("id"):
        made = said.pop(pool.id, {})
        for key, value in made.items():
            if canonical(value) != canonical(getattr(pool, key)):
                yield sentence("{key} of the pool {pool}", key=key, pool=pool.name)
        if not made:
            yield sentence("no fact made the pool {pool}", pool=pool.name)
    for number in sorted(said):
        yield sentence("the pool {number} is gone", number=number)


def _actors(facts: Facts) -> Iterator[str]:
    said: dict[str, tuple[Any, Any]] = {}
    for each in facts.of("actor"):
        name = facts.subjects[each.seq]["actor"]
        said[name] = (each.payload["roles"], each.payload.get("person"))
    held = {each.name: (each.roles, each.person) for each in m.Actor.objects.all()}
    for name in sorted(said.keys() | held.keys()):
        if said.get(name) != held.get(name):
            yield sentence("what {actor} may do", actor=name)


def _reports(facts: Facts) -> Iterator[str]:
    said = {
        each.seq: (each.payload["report"], each.payload["version"], _file_of(each, facts),
                   each.payload["format"])
        for each in facts.of("received")
    }  # fmt: skip
    rows = m.ReportVersion.objects.values_list("fact", "report", "number", "blob", "format")
    yield from _others(said, rows)
    first = {
        each.seq: (each.payload["report"], each.payload["event_key"])
        for each in facts.of("received")
        if each.payload["version"] == 1
    }
    yield from _others(first, m.Report.objects.values_list("made_by", "id", "event_key"))


def _file_of(received: Said, facts: Facts) -> str:
    """The hash of the file of a report; facts of before say it where everybody can see it, too."""
    (file,) = facts.evidence[received.seq]
    said: str = received.payload.get("file", file)
    return said if said == file else ""


def _sendings(facts: Facts) -> Iterator[str]:
    keys = ("direction", "partner", "form", "subject", "state")
    said = {each.seq: tuple(each.payload[key] for key in keys) for each in facts.of("sending")}
    of = [f"sending__{key}" for key in keys[:-1]]
    yield from _others(said, m.SendingStep.objects.values_list("fact", *of, "state"))
