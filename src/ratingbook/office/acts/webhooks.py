"""Programs elsewhere are told what happens: events of the ledger, signed, until they arrive.

What they are told everybody may know, but for the states of reports, which are numbers alone.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any

from django.db import transaction

from ratingbook.model.sentences import packed, row_of, sentence, unpacked
from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import shown_states
from ratingbook.office.acts.audit import note
from ratingbook.office.home import CONFIG, Home
from ratingbook.office.keys import key_of
from ratingbook.office.limits import TEXT, refuse_long
from ratingbook.office.posting import NotSent, checked, is_plainly_inside, post
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who, check_may

PUBLISHED, REVISED = "list.published", "list.revised"
CORRECTION, REPORT = "correction.registered", "report.state"
EVENTS = (PUBLISHED, REVISED, CORRECTION, REPORT)
WAITING, SENT, FAILED = "waiting", "sent", "failed"
WAITS = tuple(timedelta(minutes=each) for each in (1, 5, 30, 120, 720))
"""After each attempt that failed; after the last one it is given up."""
SIGNATURE = "Ratingbook-Signature"
_AT_ONCE = 20
"""Deliveries of a round: jobs wait meanwhile."""
LONGEST = 10.0
"""Seconds after which a round begins no further one: there may be many that hang."""
_FACTS = 500
_MOST = 50
_LOG = 200


def add(home: Home, url: str, events: Sequence[str], who: Who) -> tuple[int, str]:
    """Register an address; gives its number, and the secret, which is told once."""
    check_may(who, "*")
    refuse_long(url, TEXT, sentence("The address"))
    inside = is_inside_allowed(home)
    parts = checked(url, inside=inside)
    if not inside and is_plainly_inside(parts.hostname or ""):
        raise refuse(
            "office.webhook-inside",
            sentence(
                "{host} is an address of the inside, to which nothing is sent.", host=parts.hostname
            ),
            sentence(
                "Name one of the public internet; or let the office send inside: "
                "webhooks.inside of its settings."
            ),
        )
    chosen = [each for each in EVENTS if each in events]
    if not chosen or len(chosen) != len(set(events)):
        raise refuse(
            "office.webhook-event",
            sentence("Of which events is it told?"),
            sentence("Choose of {what}.", what=", ".join(EVENTS)),
        )
    if m.Webhook.objects.count() >= _MOST:
        raise refuse(
            "office.webhooks",
            sentence("There are {most} webhooks.", most=_MOST),
            sentence("Remove some."),
        )
    salt = secrets.token_urlsafe(16)
    secret = _secret(home, salt)
    one = m.Webhook.objects.create(
        url=url, secret=f"{salt}:{_mark(secret)}", events=chosen, actor=who.actor, at=who.now(),
        seen=ledger.head().seq,
    )  # fmt: skip
    note(who, "webhook", f"webhook {one.id}", sentence("added for {what}", what=", ".join(chosen)))
    return one.id, secret


def _secret(home: Home, salt: str) -> str:
    """The secret of an address: the key that makes it stands in no database and no backup."""
    made = hmac.new(key_of(home.folder, "webhooks").encode(), salt.encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(made.digest()).decode().rstrip("=")


def _mark(secret: str) -> str:
    """What tells whether a secret is the one that was given; it cannot be reckoned back."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _secret_of(home: Home, one: m.Webhook) -> str | None:
    """The secret that was told when an address was registered; None: the key is another now."""
    salt, _, mark = one.secret.partition(":")
    secret = _secret(home, salt)
    return secret if hmac.compare_digest(mark, _mark(secret)) else None


def remove(number: int, who: Who) -> None:
    """Tell an address nothing any more, and forget what was sent to it."""
    check_may(who, "*")
    deleted, _ = m.Webhook.objects.filter(id=number).delete()
    if not deleted:
        raise refuse(
            "office.no-webhook",
            sentence("There is no webhook {number}.", number=number),
            sentence("Look at the list."),
        )
    note(who, "webhook", f"webhook {number}", sentence("removed"))


def every() -> list[m.Webhook]:
    """The addresses."""
    return list(m.Webhook.objects.order_by("id"))


def last(most: int = _LOG) -> list[m.Delivery]:
    """What was sent, or waits, the newest first."""
    return list(m.Delivery.objects.select_related("webhook").order_by("-id")[:most])


def log_of(one: m.Delivery) -> list[tuple[datetime, str]]:
    """When it was tried, and how each attempt was answered."""
    return [(datetime.fromisoformat(at), unpacked(told)) for at, told in one.log]


def again(number: int, who: Who) -> None:
    """Let a delivery that was given up, or that waits, be tried now."""
    check_may(who, "*")
    found = m.Delivery.objects.filter(id=number).exclude(state=SENT)
    if not found.update(state=WAITING, attempts=0, due=who.now()):
        raise refuse(
            "office.no-delivery",
            sentence("There is no delivery {number} that failed.", number=number),
            sentence("Look at the log."),
        )
    note(who, "webhook", f"delivery {number}", sentence("tried again"))


def is_inside_allowed(home: Home) -> bool:
    """Whether something may go to addresses of the inside: ``{"webhooks": {"inside": true}}``."""
    said = json.loads((home.folder / CONFIG).read_text("utf-8")).get("webhooks") or {}
    return isinstance(said, Mapping) and said.get("inside") is True


def work(home: Home, now: datetime | None = None) -> int:
    """Find what is to be told, and tell what is due; gives how much arrived."""
    if not m.Webhook.objects.exists():
        return 0
    now = now or datetime.now(UTC)
    _gather(now)
    inside, count = is_inside_allowed(home), 0
    waiting = m.Delivery.objects.filter(state=WAITING, due__lte=now).select_related("webhook")
    begun = monotonic()
    for one in waiting.order_by("due", "id")[:_AT_ONCE]:
        passed = monotonic() - begun
        if passed > LONGEST:
            break
        count += _deliver(home, one, now + timedelta(seconds=passed), inside=inside)
    return count


def _gather(now: datetime) -> None:
    """Make deliveries of the facts that are new to each address."""
    head = ledger.head().seq
    behind = m.Webhook.objects.filter(seen__lt=head)
    for number in list(behind.values_list("id", flat=True)):
        with transaction.atomic():
            hook = m.Webhook.objects.select_for_update().filter(id=number).first()
            if hook is None or hook.seen >= head:
                continue
            upto = min(head, hook.seen + _FACTS)
            m.Delivery.objects.bulk_create(
                m.Delivery(webhook=hook, event=event, fact=fact, said=said, due=now)
                for event, fact, said in _events(hook.seen + 1, upto)
                if event in hook.events
            )
            m.Webhook.objects.filter(id=number).update(seen=upto)


_Event = tuple[str, int, dict[str, Any]]


def _events(first: int, upto: int) -> Iterator[_Event]:
    """What the facts from one to another have to tell."""
    facts = m.Fact.objects.filter(seq__gte=first, seq__lte=upto).order_by("seq")
    reports: dict[int, int] = {}
    for fact in facts.only("seq", "kind", "payload"):
        if fact.kind == "list":
            yield from _of_list(fact)
        elif fact.kind == "correction asked":
            yield CORRECTION, fact.seq, {"correction": fact.payload["correction"]}
        elif fact.kind == "published":
            reports |= dict.fromkeys(_newly_published(fact), fact.seq)
    moved = m.SectionStep.objects.filter(fact__gte=first, fact__lte=upto).order_by("fact")
    reports |= dict(moved.values_list("section__version__report", "fact"))
    for report, seq in sorted(reports.items()):
        yield REPORT, seq, {"report": report, "state": _state(report)}


def _of_list(fact: m.Fact) -> Iterator[_Event]:
    one = m.List.objects.select_related("pool").filter(fact=fact.seq).first()
    if one is not None:
        said = {
            "list": one.id, "pool": one.pool.name, "date": one.date.isoformat(),
            "revision": one.revision, "players": one.rows, "digest": one.digest,
        }  # fmt: skip
        yield (PUBLISHED if one.revision == 1 else REVISED), fact.seq, said


def _newly_published(fact: m.Fact) -> Iterable[int]:
    """The reports that a publication is the first to hold."""
    publication = m.Publication.objects.select_related("run").filter(fact=fact.seq).first()
    if publication is None:
        return ()
    before = m.Publication.objects.filter(pool=publication.pool_id, seq__lt=publication.seq)
    runs = list(before.order_by("-seq").values_list("run", flat=True)[:1])
    known = m.RunSection.objects.filter(run__in=runs).values("section")
    mine = m.RunSection.objects.filter(run=publication.run_id).exclude(section__in=known)
    sections = m.Section.objects.filter(id__in=mine.values("section"))
    return set(sections.values_list("version__report", flat=True))


def _state(report: int) -> str:
    version = states.newest(report)
    sections = m.Section.objects.filter(version=version).values_list("id", flat=True)
    return states.least(shown_states(list(sections)).values())


def _deliver(home: Home, one: m.Delivery, now: datetime, *, inside: bool) -> bool:
    """An attempt, and what became of it."""
    body = json.dumps(
        {"id": one.id, "event": one.event, "fact": one.fact, "said": one.said},
        ensure_ascii=False, separators=(",", ":"), sort_keys=True,
    ).encode()  # fmt: skip
    attempts = one.attempts + 1
    wait = WAITS[attempts - 1] if attempts <= len(WAITS) else None
    # Marked first: another worker leaves it alone, and a lost one is followed by the next attempt.
    mine = m.Delivery.objects.filter(id=one.id, state=WAITING, attempts=one.attempts)
    if not mine.update(attempts=attempts, due=now + (wait or WAITS[-1])):
        return False
    try:
        secret = _secret_of(home, one.webhook)
        if secret is None:
            raise NotSent(sentence("the key of the webhooks is another: register the address anew"))
        headers = {
            "Content-Type": "application/json", "User-Agent": "ratingbook",
            SIGNATURE: signature(secret, body, int(now.timestamp())),
        }  # fmt: skip
        status = post(one.webhook.url, body, headers, inside=inside)
        arrived, told = 200 <= status < 300, str(status)
    except NotSent as error:
        arrived, told = False, error.args[0]
    except OfficeRefused as refused:
        arrived, told = False, row_of((each.message for each in refused.findings), "; ")
    m.Delivery.objects.filter(id=one.id).update(
        state=SENT if arrived else FAILED if wait is None else WAITING,
        log=[*one.log, [now.isoformat(timespec="seconds"), packed(told)]],
    )
    return arrived


def signature(secret: str, body: bytes, at: int) -> str:
    """When it was signed, and by HMAC-SHA256 that both come from here."""
    made = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256)
    return f"t={at},v1={made.hexdigest()}"
