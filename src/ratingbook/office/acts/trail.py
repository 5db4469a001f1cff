"""The trail of all acts, searched; and the chain that shows when somebody changed it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Max, Q

from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.audit import outcome_of
from ratingbook.office.acts.masking import mask, masked_in, reason_of
from ratingbook.office.logic.chain import canonical
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who, acting, check_may

SEALED = "audit sealed"
KINDS = (
    "account", "actor", "approved", "backup", "bundle", "checked", "correction accepted",
    "correction approved", "correction asked", "correction joined", "correction published",
    "correction rejected", "correction reopened", "correction withdrawn", "decision",
    "difference", "expected",
    "export history", "export person", "file refused", "files deleted", "game fixed", "held",
    "hold", "imported", "key", "linked", "list", "merge", "notices sent",
    "notices wait again", "one-time link", "parameters",
    "person", "person edit asked", "person edited", "policy", "pool", "published", "ready",
    "received", "refuse", "refused", "release", "restore drill", "rules", "rules mended",
    "second factor", "section fixed", "sending",
    "suppress", "superseded", "suppressed", "token", "undone", "webhook", "withdraw", SEALED,
)  # fmt: skip
"""The kinds of acts that the office knows, whether there are any or not."""
_NUMBER = re.compile("[0-9]{1,18}")
SHOWN = 200
"""Acts of a page."""
_SUBJECTS = 20


@dataclass(frozen=True)
class Found:
    """What a search has found: facts, and what is no fact."""

    facts: Any
    notes: Any

    @property
    def total(self) -> int:
        """How many acts there are."""
        return int(self.facts.count() + self.notes.count())

    def acts(self, first: int = 0, end: int = SHOWN) -> list[dict[str, Any]]:
        """Those from one place to another, the newest first.

        Who is suppressed is named in no reason that was given before.
        """
        shown = list(self.facts[:end])
        subjects, masked = _subjects(shown), mask()
        why = reason_of(masked)
        found: list[dict[str, Any]] = [
            {"at": each.at, "actor": each.actor, "act": each.kind, "fact": each.seq,
             "reason": why(each.kind, each.reason), "subjects": subjects[each.seq][:_SUBJECTS],
             "revokes": each.revokes}
            for each in shown
        ] + [
            {"at": each.at, "actor": each.actor, "act": each.act, "fact": None,
             "reason": masked_in(outcome_of(each), masked), "subjects": [masked(each.subject)],
             "revokes": None}
            for each in self.notes[:end]
        ]  # fmt: skip
        return sorted(found, key=lambda each: each["at"], reverse=True)[first:end]


def search(
    text: str = "",
    actor: str | None = None,
    kind: str | None = None,
    since: date | None = None,
    about: str | None = None,
) -> Found:
    """Acts of anybody; ``about`` is ``person:7``."""
    facts = m.Fact.objects.order_by("-seq")
    notes = m.Audit.objects.order_by("-id")
    if actor is not None:
        facts, notes = facts.filter(actor=actor), notes.filter(actor=actor)
    if kind is not None:
        facts, notes = facts.filter(kind=kind), notes.filter(act=kind)
    if since is not None:
        facts, notes = facts.filter(at__date__gte=since), notes.filter(at__date__gte=since)
    if about is not None:
        what, _, which = about.partition(":")
        told = m.FactSubject.objects.filter(kind=what, subject=which).values("fact")
        # A fact is about itself, too.
        own = Q(seq=int(which)) if what == "fact" and _NUMBER.fullmatch(which) else Q()
        facts = facts.filter(Q(seq__in=told) | own)
        notes = notes.filter(subject=f"{what} {which}")
    if text:
        facts = facts.filter(
            Q(reason__icontains=text) | Q(kind__icontains=text) | Q(actor__icontains=text)
        )
        notes = notes.filter(
            Q(subject__icontains=text) | Q(act__icontains=text) | Q(actor__icontains=text)
        )
    return Found(facts, notes)


def kinds() -> list[str]:
    """The kinds of acts that can be asked for: those of the office, and all that there are."""
    facts = m.Fact.objects.order_by().values_list("kind", flat=True).distinct()
    notes = m.Audit.objects.order_by().values_list("act", flat=True).distinct()
    return sorted({*KINDS, *facts, *notes})


def _subjects(facts: Sequence[m.Fact]) -> dict[int, list[str]]:
    """What each of some facts is about."""
    found: dict[int, list[str]] = {each.seq: [] for each in facts}
    about = m.FactSubject.objects.filter(fact__in=list(found)).order_by("fact", "kind", "subject")
    for fact, kind, subject in about.values_list("fact", "kind", "subject"):
        found[fact].append(f"{kind}:{subject}")
    return found


def unsealed() -> int:
    """How many acts that are no facts no seal covers yet."""
    return m.Audit.objects.filter(id__gt=_sealed_up_to()).count()


def last_seal() -> m.Fact | None:
    """The fact that covers the acts before."""
    return m.Fact.objects.filter(kind=SEALED).order_by("-seq").first()


def seal(who: Who) -> tuple[int | None, Findings]:
    """Put a digest of the acts that are no facts into the chain; gives the fact.

    None: a seal covers all of them.
    """
    check_may(who, "export")
    with acting(who) as act:
        if not unsealed():
            act.findings.add(
                Severity.INFO,
                "office.nothing-to-seal",
                sentence("No act waits for a seal: nothing was sealed."),
                remedy=sentence("Nothing is to do."),
            )
            return None, act.findings
        last = m.Audit.objects.aggregate(last=Max("id"))["last"] or 0
        first = 1 + _sealed_up_to()
        fact = act.fact(
            SEALED, payload={"first": first, "last": last, "digest": digest(first, last)}
        )
    return fact, act.findings


def _sealed_up_to() -> int:
    newest = last_seal()
    return int(newest.payload["last"]) if newest else 0


def digest(first: int, last: int) -> str:
    """SHA-256 over acts that are no facts."""
    total = hashlib.sha256()
    for each in m.Audit.objects.filter(id__gte=first, id__lte=last).order_by("id").values():
        total.update(canonical(each) + b"\n")
    return total.hexdigest()


def broken_seals() -> Iterator[int]:
    """The facts whose acts are no longer what was sealed."""
    for each in m.Fact.objects.filter(kind=SEALED).order_by("seq"):
        said = each.payload
        if digest(said["first"], said["last"]) != said["digest"]:
            yield each.seq
