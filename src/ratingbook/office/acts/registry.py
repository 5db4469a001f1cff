"""Single persons: changed, shown as known on a day, exported whole; and who is suppressed."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from django.db.models import F, FilteredRelation, Q

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.audit import note
from ratingbook.office.acts.people import (
    attributes_as_read,
    events_of,
    exists,
    look_at_numbers,
    one_with,
    refuse_birth_date,
    refuse_taken,
    refuse_unshown_said,
)
from ratingbook.office.acts.people import found as found_as
from ratingbook.office.acts.ruled import resting_on_births
from ratingbook.office.acts.setup import policy
from ratingbook.office.home import current
from ratingbook.office.keys import key_of
from ratingbook.office.logic.chain import commitment, new_salt
from ratingbook.office.logic.masked import SUPPRESSED
from ratingbook.office.logic.newcomers import name_keys as keys_of
from ratingbook.office.refused import refuse
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act, Who, acting, check_may, is_any, once

STAND_INS = "stand_ins"
"""In such a fact: how many dates were kept that stand in for birth dates.

A fact of before dates were kept says nothing of them: those on which numbers rested are gone.
"""
LAST_SUPPRESSED = m.Fact.objects.filter(kind=SUPPRESSED).order_by("-seq")
"""The last such fact comes first: also as a part of another query."""


@dataclass(frozen=True)
class Edit:
    """What is said of a person from now on; what is None or absent stays."""

    name: str | None = None
    born: date | None = None
    attributes: Mapping[str, str] | None = None
    ids: Mapping[str, str] | None = None
    since: date | None = None
    """The day from which federation, club, title or sex hold; None: ever since."""


def edit(person: int, new: Edit, reason: str, who: Who) -> tuple[int, Findings]:
    """Say something else of a person; what was said before stays in the ledger.

    A date of birth on which published numbers may rest holds once as many say it as have to accept
    a correction: until then it is kept as a commitment alone.
    """
    check_may(who, "people")
    exists(person)
    if new.name is not None and not new.name.strip():
        raise refuse("office.name", sentence("A person has a name."), sentence("Give one."))
    if new.born is not None:
        refuse_birth_date(new.born, who.now().date())
    if not (new.name or new.born or new.attributes or new.ids):
        raise refuse(
            "office.nothing",
            sentence("Nothing is said of the person."),
            sentence("Say what changes."),
        )
    new = replace(new, attributes=attributes_as_read(new.attributes))
    refuse_unshown_said(new.name or "", new.attributes, new.ids)
    with acting(who) as act:
        refuse_suppressed(person)
        asked = _asked_of_several(act, person, new, reason) if new.born else None
        if asked is not None:
            return asked, act.findings
        look_at_numbers(act.findings, new.ids or {})
        salt = new_salt()
        said = {k: v for k, v in asdict(new).items() if v and k in ("name", "attributes", "ids")}
        fact = act.fact(
            "person edited", ("person", person), payload={"what": sorted(said)}, reason=reason,
            private_commit=commitment(salt, [str(new.born)]) if new.born else None,
            true_from=new.since,
        )  # fmt: skip
        live = {"person": person, "revoked_by__isnull": True}
        if new.name:
            old = m.PersonName.objects.filter(**live, kind="main")
            former = list(old.values_list("text", flat=True))
            old.update(revoked_by=fact)
            for text, kind in ((new.name, "main"), *((each, "former") for each in former)):
                m.PersonName.objects.create(person_id=person, text=text, kind=kind, fact=fact)
        for key, value in (new.attributes or {}).items():
            if new.since is None:
                m.PersonAttribute.objects.filter(**live, key=key).update(revoked_by=fact)
            m.PersonAttribute.objects.create(
                person_id=person, key=key, value=value, true_from=new.since, fact=fact
            )
        for scheme, value in (new.ids or {}).items():
            m.ExternalId.objects.filter(**live, scheme=scheme).update(revoked_by=fact)
            refuse_taken([(scheme, value)])
            m.ExternalId.objects.create(person_id=person, scheme=scheme, value=value, fact=fact)
        if new.born:
            _keep_former(person, fact)
            m.PersonPrivate.objects.update_or_create(
                person_id=person,
                defaults={"birth_date": new.born, "birth_year": new.born.year, "salt": salt,
                          "fact": fact},
            )  # fmt: skip
        _key_anew(person)
    return fact, act.findings


_ASKED = "person edit asked"
"""The fact by which somebody says a date of birth that others have to say, too."""


def _asked_of_several(act: Act, person: int, new: Edit, reason: str) -> int | None:
    """The fact by which a date of birth is asked for; None: it may be kept now.

    Whoever says another date than somebody before begins anew, and once anything was edited what
    was asked for before counts no more.
    """
    whole, *others = one_with(person)
    pools = resting_on_births([whole, *others])
    if not pools:
        return None
    needed = max(policy(each, "correction_approvals") for each in pools)
    if any(policy(each, "four_eyes") == "yes" for each in pools):
        # Who asks is none of those who accept.
        needed += 1
    if new.name or new.attributes or new.ids:
        raise refuse(
            "office.born-alone",
            sentence(
                "Published numbers of the pool {pool} may rest on the date of birth, which {count} "
                "people have to say.",
                pool=pools[0].name, count=needed,
            ),
            sentence("Say it alone, and all else by a command of its own."),
        )  # fmt: skip
    facts = m.Fact.objects.filter(
        factsubject__kind="person", factsubject__subject=str(person)
    ).order_by("seq")
    last = facts.filter(kind="person edited").values_list("seq", flat=True).last() or 0
    said = f"{person} {new.born}".encode()
    key = key_of(current().folder, "births").encode()
    commit = hmac.new(key, said, hashlib.sha256).hexdigest()
    same = facts.filter(kind=_ASKED, seq__gt=last, private_commit=commit)
    by = set(same.values_list("actor", flat=True))
    if act.who.actor in by:
        raise refuse(
            "office.born-said",
            sentence("{actor} has said so already.", actor=act.who.actor),
            sentence("Another officer has to say the same."),
        )
    if len(by) + 1 >= needed:
        return None
    act.findings.add(
        Severity.WARNING, "office.born-asked",
        sentence(
            "Published numbers of the pool {pool} may rest on the date of birth: {count} of "
            "{needed} people have said this one, and nothing is changed yet.",
            pool=pools[0].name, count=len(by) + 1, needed=needed,
        ),
        remedy=sentence(
            "Another officer says the same: `ratingbook office person edit {person} --born "
            "YYYY-MM-DD --reason TEXT`.",
            person=person,
        ),
    )  # fmt: skip
    return act.fact(
        _ASKED, ("person", person), payload={"what": ["born"]}, reason=reason,
        private_commit=commit,
    )  # fmt: skip


def _keep_former(person: int, until: int) -> None:
    """Keep what was known of a birth, nothing, too: what was published rests on it."""
    row = m.PersonPrivate.objects.filter(person=person).first()
    was = {"birth_date": row.birth_date, "birth_year": row.birth_year, "salt": row.salt,
           "fact": row.fact} if row else {"salt": "", "fact": 0}  # fmt: skip
    m.FormerBirth.objects.create(person_id=person, until=until, **was)


def _key_anew(person: int) -> None:
    """The keys under which the person is looked up."""
    names = m.PersonName.objects.filter(person=person, revoked_by__isnull=True)
    year = m.PersonPrivate.objects.filter(person=person).values_list("birth_year", flat=True)
    m.NameKey.objects.filter(person=person).delete()
    found = keys_of(names.order_by("id").values_list("text", flat=True), year.first())
    m.NameKey.objects.bulk_create([m.NameKey(key=key, person_id=person) for key in found])


def show(person: int, upto: int | None = None) -> dict[str, Any]:
    """All that is public of a person, and the facts about it; as known at a fact."""
    exists(person)
    last = ledger.head().seq if upto is None else upto
    facts = m.Fact.objects.filter(
        factsubject__kind="person", factsubject__subject=str(person), seq__lte=last
    ).annotate(
        of=FilteredRelation("factsubject", condition=Q(factsubject__kind="report")),
        report=F("of__subject"),
    ).order_by("seq")  # fmt: skip
    return {
        **asdict(found_as(person, upto)),
        "events": events_of([person], upto)[person],
        "facts": [
            {"seq": f.seq, "at": f.at, "kind": f.kind, "actor": f.actor, "reason": f.reason,
             "from": f.true_from, "links": _links_of(f, person)}
            for f in facts
        ],
    }  # fmt: skip


def _links_of(fact: Any, person: int) -> list[dict[str, Any]]:
    """The entries of a report that a fact linked to a person."""
    links = fact.payload["links"] if fact.kind == "linked" else ()
    return [
        {"report": int(fact.report), "entry": entry, "person": person, "how": how}
        for entry, whose, how in links if int(whose) == person
    ]  # fmt: skip


def export(person: int, who: Who) -> dict[str, Any]:
    """All that the office holds of a person beside the ratings, private things too."""
    check_may(who, "export")
    exists(person)
    one, *others = one_with(person)
    every = sorted([one, *others])
    known = m.PersonPrivate.objects.filter(person__in=set(every) - suppressed())
    born = known.values("birth_date", "birth_year")
    entries = m.Entry.objects.filter(
        link__person__in=every, link__revoked_by__isnull=True
    ).select_related("version")
    reported = dict(
        m.EntryPrivate.objects.filter(entry__in=entries).values_list("entry", "birth_date")
    )
    said = {
        "person": one,
        "numbers": every,
        "known": [show(each) for each in every],
        "private": list(born),
        "entries": [
            {"report": e.version.report_id, "version": e.version.number,
             "file": e.version.file_name, "entry": e.number, "name": e.name, "printed": e.printed,
             "birth_date": reported.get(e.id)}
            for e in entries.order_by("id")
        ],
        "games": _games([each.id for each in entries]),
        "lists": [
            {"list": number, "date": day, "pool": pool, "printed": printed}
            for number, day, pool, printed in m.ListRow.objects.filter(person__in=every)
            .order_by("list")
            .values_list("list", "list__date", "list__pool__name", "printed")
        ],
    }  # fmt: skip
    note(who, "export person", str(one), sentence("written"))
    return said


def _games(entries: list[int]) -> list[dict[str, Any]]:
    games = m.Game.objects.filter(Q(white__in=entries) | Q(black__in=entries))
    return [
        dict(each)
        for each in games.order_by("end", "id").values(
            "version__report", "section__event", "round", "white__number", "black__number",
            "half_points", "status", "end",
        )
    ]  # fmt: skip


def suppressed() -> set[int]:
    """The persons whom nobody may see."""
    if not is_any(SUPPRESSED):
        return set()
    found = m.FactSubject.objects.filter(fact__kind=SUPPRESSED, kind="person")
    return once(SUPPRESSED, lambda: {int(x) for x in found.values_list("subject", flat=True)})


def is_any_age_gone() -> bool:
    """Whether a birth date was deleted on which numbers may rest, and no date stands in for it."""
    said = m.Fact.objects.filter(kind=SUPPRESSED).values_list("payload", flat=True)
    return any(STAND_INS not in each for each in said)


def hidden_numbers() -> dict[tuple[str, str], int]:
    """The numbers that suppressed persons had, by register and number, and whose they were.

    A number that an officer has given to somebody since then is not among them.
    """
    hidden = suppressed()
    if not hidden:
        return {}
    ids = m.ExternalId.objects
    facts = m.Fact.objects.filter(kind=SUPPRESSED).values("seq")
    had = ids.filter(person__in=hidden, revoked_by__in=facts)
    found = {
        (scheme, value): p for scheme, value, p in had.values_list("scheme", "value", "person")
    }
    live = ids.filter(revoked_by__isnull=True, value__in={value for _, value in found})
    for scheme, value in live.values_list("scheme", "value"):
        found.pop((scheme, value), None)
    return found


def refuse_suppressed(person: int) -> None:
    """Nothing is said of a person whom nobody may see."""
    if person in suppressed():
        raise refuse(
            "office.suppressed",
            sentence("Person {person} is suppressed.", person=person),
            sentence("Nothing is said of them."),
        )
