"""Whether the rows that readers see are those that the facts in the chain say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from django.db.models import Max, Min

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts import derived, lists, revoked
from ratingbook.office.acts.amendments import pools_of_sections
from ratingbook.office.acts.derived import Check
from ratingbook.office.acts.pools import pool_as_known
from ratingbook.office.acts.registry import suppressed
from ratingbook.office.acts.trail import broken_seals
from ratingbook.office.home import Home
from ratingbook.office.logic import lines
from ratingbook.office.logic.corrections import mark
from ratingbook.office.logic.feeding import DIFFERENCE
from ratingbook.office.logic.first import first_of
from ratingbook.office.logic.newcomers import name_keys
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m

_PERSONS = 5000
"""Whose names are looked at at once."""


def checks(home: Home) -> Sequence[Check]:
    """What is looked at."""
    facts = derived.Facts()
    return (
        Check("list", sentence("Lists are not as they were published"), lambda: _lists(home)),
        Check(
            "publication", sentence("Publications are not those of their facts"), _publications
        ),
        Check("link", sentence("Who entries are is not what the facts say"), _links),
        Check("fix", sentence("Corrected games are not as the facts say"), _fixes),
        Check("correction", sentence("Corrections are not what was asked"), _asked),
        Check("revoked", sentence("What facts revoke is not what rows say"),
              lambda: revoked.looked_at(facts)),
        Check("section-pool", sentence("Published sections are of other pools than the facts say"),
              _pools_of_published),
        Check("name-key", sentence("Persons are not found by their names"), _keys),
        Check("audit", sentence("Acts that were sealed are others"), _seals),
        Check("few", sentence("The last facts of some kinds are not those of the head"), _few),
        *derived.checks(home, facts),
    )  # fmt: skip


def tell(findings: Findings, check: Check) -> None:
    """Tell what somebody changed beside the ledger, if anything."""
    found = list(check.look())
    if not found:
        return
    findings.add(
        Severity.ERROR,
        f"doctor.{check.code}",
        sentence(
            "{message}: {said}. Somebody changed rows beside the ledger.",
            message=check.what,
            said=first_of(found, "; "),
        ),
        remedy=sentence("Compare with a backup, or with the bundles of the lists."),
    )


def _lists(home: Home) -> Iterator[str]:
    """Each list is the one that its fact names, and has the lines that were printed."""
    facts = {f.seq: (f.payload, f.private_commit) for f in m.Fact.objects.filter(kind="list")}
    for one in m.List.objects.order_by("id"):
        said, of_persons = facts.get(one.fact, ({}, None))
        rows = m.ListRow.objects.filter(list=one).order_by("place").values_list(
            "person", "rating", "printed"
        )  # fmt: skip
        printed = [row for _, _, row in rows]
        made = (
            (lines.digest_of_before(printed), None)
            if one.salt is None
            else (lines.digest(printed), lines.said_by(one.salt, printed))
        )
        same_columns = all(
            str(row.get("id")) == str(person) and row.get("rating") == rating
            for person, rating, row in rows
        )
        named = (said.get("date"), said.get("revision"), said.get("digest"))
        if named != (one.date.isoformat(), one.revision, one.digest):
            yield sentence(
                "list {number} is not the one of fact {fact}", number=one.id, fact=one.fact
            )
        elif made != (one.digest, of_persons) or not same_columns:
            yield sentence(
                "the lines of list {number} are not those that were published", number=one.id
            )
        elif not lists.is_as_printed(home, one, pool_as_known(one.pool_id, one.fact)):
            yield sentence("list {number} is not as it was printed", number=one.id)


def _publications() -> Iterator[str]:
    facts = {f.seq: f.payload for f in m.Fact.objects.filter(kind="published")}
    named = dict(m.Publication.objects.values_list("fact", "run"))
    for one in m.Publication.objects.select_related("run").order_by("fact"):
        said, run = facts.get(one.fact, {}), one.run
        wanted = (one.seq, run.id, one.digest, run.upto, run.until.isoformat(), run.rulebook,
                  run.parameters, run.assume, run.rule_source)  # fmt: skip
        keys = ("seq", "run", "digest", "upto", "until", "rulebook", "parameters", "assume",
                "rule_source")  # fmt: skip
        if tuple(said.get(key) for key in keys) != wanted:
            yield sentence(
                "publication {seq} is not that of fact {fact}", seq=one.seq, fact=one.fact
            )
    for seq in sorted(facts.keys() - named.keys()):
        yield sentence("the publication of fact {seq} is gone", seq=seq)
    for pool in m.Pool.objects.order_by("id"):
        last = m.Publication.objects.filter(pool=pool).order_by("-seq").first()
        if pool.head != (last.seq if last else 0):
            yield sentence("the head of the pool {pool} is {head}", pool=pool.name, head=pool.head)


def _links() -> Iterator[str]:
    """Who the entries are is what the facts say, and nobody else; and how it was found."""
    said: set[tuple[int, int, str, int, str]] = set()
    for seq, payload in m.Fact.objects.filter(kind="linked").values_list("seq", "payload"):
        said |= {
            (seq, payload["version"], number, person, "hand" if how == "correction" else how)
            for number, person, how in payload["links"]
        }
    rows = set(
        m.Link.objects.values_list(
            "fact", "entry__version__number", "entry__number", "person", "method"
        )
    )
    for seq in sorted({each[0] for each in said ^ rows}):
        yield sentence("the links of fact {seq} are others", seq=seq)


def _fixes() -> Iterator[str]:
    facts = dict(m.Fact.objects.filter(kind="game fixed").values_list("seq", "payload"))
    for fact, key, said in m.GameFix.objects.values_list("fact", "stable_key", "said"):
        if facts.pop(fact, {}) != {"key": key, "say": said}:
            yield sentence("the correction of a game is not that of fact {fact}", fact=fact)
    for fact in sorted(facts):
        yield sentence("the correction of a game by fact {fact} is gone", fact=fact)
    for fact, payload in m.Fact.objects.filter(kind=DIFFERENCE).values_list("seq", "payload"):
        rows = m.Decision.objects.filter(fact=fact, kind=DIFFERENCE, revoked_by__isnull=True)
        added = {str(each.person_id): each.value["value"] for each in rows}
        fixes = m.SectionFix.objects.filter(fact=fact).values_list("section", "said__as_of")
        kept = dict.fromkeys(payload["sections"], payload["as_of"])
        if added != payload["values"] or dict(fixes) != kept:
            yield sentence("what fact {fact} put on the next list is otherwise", fact=fact)


def _asked() -> Iterator[str]:
    asked = dict(m.Fact.objects.filter(kind="correction asked").values_list("seq", "payload"))
    for one in m.Correction.objects.order_by("id"):
        payload = asked.pop(one.made_by, {})
        if payload.get("contents") != one.contents or mark(one.contents) != one.mark:
            yield sentence("correction {number} is not what was asked", number=one.id)
    for fact in sorted(asked):
        yield sentence("the correction of fact {fact} is gone", fact=fact)


def _pools_of_published() -> Iterator[str]:
    """What a pool has published was in it when it was rated for the first time.

    Of a report that does not say its pool no fact has said it before.
    """
    every = m.RunSection.objects.filter(run__publication__isnull=False)
    first = every.values("run__pool", "section").annotate(upto=Min("run__upto"))
    own = dict(m.Section.objects.values_list("id", "pool"))
    moved: dict[int, Mapping[int, int]] = {}
    rows = first.order_by("upto", "section")
    for pool, section, upto in rows.values_list("run__pool", "section", "upto").iterator():
        if upto not in moved:
            moved = {upto: pools_of_sections(upto)}
        if moved[upto].get(section, own.get(section)) != pool:
            yield sentence("section {section} in the pool {pool}", section=section, pool=pool)


def _keys() -> Iterator[str]:
    """Everybody whom one may see is found by all names, and by none that nobody has said."""
    hidden = suppressed()
    last = m.Person.objects.aggregate(last=Max("id"))["last"] or 0
    for start in range(1, last + 1, _PERSONS):
        some = {"person__gte": start, "person__lt": start + _PERSONS}
        live: dict[int, list[str]] = defaultdict(list)
        ever: dict[int, list[str]] = defaultdict(list)
        names = m.PersonName.objects.filter(**some).order_by("id")
        for person, text, by in names.values_list("person", "text", "revoked_by"):
            ever[person].append(text)
            if by is None:
                live[person].append(text)
        years = dict(m.PersonPrivate.objects.filter(**some).values_list("person", "birth_year"))
        held: dict[int, set[str]] = defaultdict(set)
        for person, key in m.NameKey.objects.filter(**some).values_list("person", "key"):
            held[person].add(key)
        for person in sorted(ever.keys() | held.keys()):
            year = years.get(person)
            wanted = set() if person in hidden else set(name_keys(live[person], year))
            if held[person] == wanted:
                continue
            # A spelling of a link that was undone since is still looked for.
            more = set() if person in hidden else set(name_keys(ever[person], year))
            if not wanted <= held[person] <= wanted | more:
                yield sentence("person {person}", person=person)


def _few() -> Iterator[str]:
    """What the head knows of the last facts is so: nobody asks these any more."""
    said, found = ledger.last_of_few(), ledger.asked_of_few()
    for kind in sorted(kind for kind in found if said[kind] != found[kind]):
        yield sentence("the head names another fact of the kind {kind}", kind=kind)


def _seals() -> Iterator[str]:
    for seq in broken_seals():
        yield sentence("acts that fact {seq} sealed were changed", seq=seq)
