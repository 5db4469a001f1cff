"""The ledger: an act appends facts, each numbered without gaps under the lock of the head."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Max

from ratingbook import __version__
from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import Sentence, sentence
from ratingbook.office.limits import REASON, refuse_long
from ratingbook.office.logic.chain import FIRST, canonical, fact_hash, new_salt
from ratingbook.office.logic.corrections import reason_said
from ratingbook.office.refused import refuse
from ratingbook.office.store.models import Actor, Evidence, Fact, FactSubject, LedgerHead
from ratingbook.office.store.rows import put_rows, stored_time

T = TypeVar("T")
ORIGIN = f"cli {__version__}"
_moment: ContextVar[dict[Hashable, Any] | None] = ContextVar("moment", default=None)
_SLACK = 1.0
"""Seconds by which clocks may differ without a word."""


@dataclass(frozen=True)
class Who:
    """Who acts, by which door, and at what time; without a time it is that of the clock."""

    actor: str
    origin: str = ORIGIN
    at: datetime | None = None

    def now(self) -> datetime:
        """The time of the act."""
        return self.at or datetime.now(UTC)


SYSTEM = "system"
"""The actor of what the office does by itself: matches that are certain."""


FEW = frozenset(
    {"correction published", "difference", "game fixed", "merge", "section fixed", "suppressed",
     "undone"}
)  # fmt: skip
"""Kinds of facts of which an office has few, or none for weeks: the head knows the last of each."""
_FACT_COLUMNS = (
    "seq", "kind", "at", "true_from", "true_to", "actor", "origin", "reason", "payload",
    "private_commit", "salt", "revokes", "prev", "hash",
)  # fmt: skip


@dataclass
class Act:
    """An act under way, within one transaction; it holds the head of the ledger.

    One that ``gathers`` writes its facts together at its end: nobody asks for them before.
    """

    who: Who
    head: LedgerHead
    at: datetime
    gathers: bool = False
    findings: Findings = field(default_factory=Findings)
    seqs: list[int] = field(default_factory=list)
    _facts: list[tuple[Any, ...]] = field(default_factory=list)
    _subjects: list[tuple[int, str, str]] = field(default_factory=list)
    _evidence: list[tuple[int, str]] = field(default_factory=list)

    def fact(
        self,
        kind: str,
        *subjects: tuple[str, object],
        payload: Mapping[str, Any] | None = None,
        reason: str = "",
        evidence: Iterable[str] = (),
        true_from: date | None = None,
        true_to: date | None = None,
        revokes: int | None = None,
        private_commit: str | None = None,
        actor: str | None = None,
    ) -> int:
        """Append a fact; gives its number."""
        said = reason_said(reason)
        # One that names a correction has the reason of that, which was short enough.
        given = said.words.get("why", "") if isinstance(said, Sentence) else reason
        refuse_long(given, REASON, sentence("The reason"))
        about = sorted({(what, str(which)) for what, which in subjects})
        files = sorted(set(evidence))
        row: dict[str, Any] = {
            "seq": self.head.seq + 1,
            "kind": kind,
            "at": self.at,
            "true_from": true_from,
            "true_to": true_to,
            "actor": actor or self.who.actor,
            "origin": self.who.origin,
            "reason": reason,
            "payload": dict(payload or {}),
            "private_commit": private_commit,
            "salt": new_salt(),
            "revokes": revokes,
        }
        seq: int = row["seq"]
        made = fact_hash(self.head.hash, {**row, "subjects": about, "evidence": files})
        stored = {
            **row, "at": stored_time(self.at), "payload": canonical(row["payload"]).decode(),
            "prev": self.head.hash, "hash": made,
        }  # fmt: skip
        self._facts.append(tuple(stored[name] for name in _FACT_COLUMNS))
        self._subjects += [(seq, what, which) for what, which in about]
        self._evidence += [(seq, each) for each in files]
        self.head.seq, self.head.hash, self.head.at = seq, made, self.at
        if kind in FEW:
            self.head.few = {**_few_of(self.head), kind: made}
        self.seqs.append(seq)
        if not self.gathers:
            self.write()
        return seq

    def write(self) -> None:
        """Write the facts that are gathered, and where the chain ends."""
        if not self._facts:
            return
        put_rows(Fact._meta.db_table, _FACT_COLUMNS, self._facts)
        put_rows(FactSubject._meta.db_table, ("fact_id", "kind", "subject"), self._subjects)
        put_rows(Evidence._meta.db_table, ("fact_id", "blob_id"), self._evidence)
        self.head.save(update_fields=["seq", "hash", "at", "few"])
        (_moment.get() or {}).clear()
        self._facts, self._subjects, self._evidence = [], [], []


@contextmanager
def acting(who: Who, *, gathers: bool = False) -> Iterator[Act]:
    """An act: all of its facts and rows are written, or none.

    Time never runs backwards in the ledger: where the clock does, it is told.
    """
    now = who.now()
    with transaction.atomic():
        head = LedgerHead.objects.select_for_update().get(id=1)
        head.few = _few_of(head)
        act = Act(who, head, max(now, head.at), gathers)
        behind = (head.at - now).total_seconds()
        if behind > _SLACK:
            act.findings.add(
                Severity.WARNING,
                "office.clock-back",
                sentence(
                    "The clock says {now:%Y-%m-%d %H:%M:%S}, {behind:.0f} seconds "
                    "before the last fact; the act is entered with the time of that "
                    "fact.",
                    now=now,
                    behind=behind,
                ),
                remedy=sentence("Set the clock of this machine."),
            )
        yield act
        act.write()


def begin(at: datetime) -> None:
    """The head of an empty ledger."""
    none = dict.fromkeys(sorted(FEW), "")
    LedgerHead.objects.create(id=1, seq=0, hash=FIRST, at=at, few=none)


@contextmanager
def one_moment() -> Iterator[None]:
    """Read what :func:`once` is asked for but once within, unless something is written.

    A moment within another one is the same.
    """
    known = _moment.get()
    before = _moment.set({} if known is None else known)
    try:
        yield
    finally:
        _moment.reset(before)


def once(what: Hashable, read: Callable[[], T]) -> T:
    """What is read, as it was read before in the same moment; nobody changes it."""
    known = _moment.get()
    if known is None:
        return read()
    if what not in known:
        known[what] = read()
    found: T = known[what]
    return found


def head() -> LedgerHead:
    """Where the chain ends."""
    return once("head", lambda: LedgerHead.objects.get(id=1))


def last_of_few() -> Mapping[str, str]:
    """By kind the hash of the last fact, of each of the few kinds; none: an empty text."""
    return once("few", lambda: _few_of(head()))


def is_any(kind: str) -> bool:
    """Whether there is a fact of one of the few kinds."""
    return bool(last_of_few()[kind])


def _few_of(end: LedgerHead) -> Mapping[str, str]:
    if end.few is not None and end.few.keys() >= FEW:
        known: Mapping[str, str] = end.few
        return known
    # An office, or a backup of one, of before the head knew this of these kinds.
    return asked_of_few()


def asked_of_few() -> Mapping[str, str]:
    """The same as the facts themselves say."""
    last = Fact.objects.filter(kind__in=FEW).values("kind").annotate(last=Max("seq"))
    found = Fact.objects.filter(seq__in=last.values("last")).values_list("kind", "hash")
    return {**dict.fromkeys(sorted(FEW), ""), **dict(found)}


def known_at(day: date | None) -> int:
    """The last fact that was known at the end of a day (in UTC); without a day the last of all."""
    if day is None:
        return head().seq
    end = datetime(day.year, day.month, day.day, 23, 59, 59, 999999, UTC)
    found = Fact.objects.filter(at__lte=end).order_by("-seq").values_list("seq", flat=True).first()
    return found or 0


def facts_from(first: int = 1, last: int | None = None) -> Iterator[dict[str, Any]]:
    """The facts with all that their hashes cover, in their order."""
    step = 2000
    stop = head().seq if last is None else last
    for start in range(first, stop + 1, step):
        end = min(stop, start + step - 1)
        subjects: dict[int, list[tuple[str, str]]] = {}
        for fact, kind, subject in FactSubject.objects.filter(
            fact__gte=start, fact__lte=end
        ).values_list("fact", "kind", "subject"):
            subjects.setdefault(fact, []).append((kind, subject))
        files: dict[int, list[str]] = {}
        for fact, blob in Evidence.objects.filter(fact__gte=start, fact__lte=end).values_list(
            "fact", "blob"
        ):
            files.setdefault(fact, []).append(blob)
        for row in Fact.objects.filter(seq__gte=start, seq__lte=end).order_by("seq").values():
            about = [list(each) for each in sorted(subjects.get(row["seq"], []))]
            evidence = sorted(files.get(row["seq"], []))
            yield {**row, "subjects": about, "evidence": evidence}


def broken_links(
    facts: Iterable[Mapping[str, Any]], prev: str = FIRST
) -> Iterator[tuple[int, str]]:
    """Where the chain does not hold, and why."""
    expected = None
    for fact in facts:
        if expected is not None and fact["seq"] != expected:
            yield (
                fact["seq"],
                sentence(
                    "follows fact {before}: facts between them are missing", before=expected - 1
                ),
            )
        elif fact["prev"] != prev:
            yield fact["seq"], sentence("does not follow the hash of the fact before it")
        elif fact_hash(fact["prev"], fact) != fact["hash"]:
            yield fact["seq"], sentence("is not what its hash was made of")
        prev, expected = fact["hash"], fact["seq"] + 1


ROLES = {
    "admin": frozenset({"*"}),
    "officer": frozenset(
        {"receive", "link", "people", "state", "run", "approve", "publish", "list", "undo",
         "decide", "export", "correct", "accept", "send"}
    ),
    "director": frozenset({"receive", "correct"}),
    "player": frozenset({"correct"}),
}  # fmt: skip
"""What a role may do; who has no role may do nothing."""


def may(actor: Actor, what: str) -> bool:
    """Whether the roles of an actor allow something."""
    allowed = frozenset().union(*(ROLES.get(role, frozenset()) for role in actor.roles))
    return bool(allowed & {"*", what})


def check_may(who: Who, what: str) -> None:
    """Refuse an actor who is not known or may not do this."""
    actor = Actor.objects.filter(name=who.actor).first()
    if actor is None:
        known = ", ".join(Actor.objects.order_by("name").values_list("name", flat=True))
        raise refuse(
            "office.actor",
            sentence(
                "The office knows no actor {actor!r}; it knows {what}.",
                actor=who.actor,
                what=known or "nobody",
            ),
            "Name one with --as, or add one: ratingbook office actor add NAME --role officer.",
        )
    if not may(actor, what):
        raise refuse(
            "office.permission",
            sentence(
                "{actor} may not do this: it needs the permission {what!r}.",
                actor=who.actor,
                what=what,
            ),
            "Let somebody else do it, or give another role: ratingbook office actor add.",
        )
